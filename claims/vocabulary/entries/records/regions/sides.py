"""What outputs of a redacted chain of bits tell of a record, over all of them and over a side:
BothSides.v and SideLevels.v.

Values of a bit are 0 and 1.
"""

from collections.abc import Iterator

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.records.redaction import FROM_ON, UP_TO
from pufferproof.claims.vocabulary.entries.records.stationary import BITS, CURVES, REDACTION, Chances, i0, i1, told
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.terms import Sort, entry

VALUE_OF_BIT = Sort("bool", "0 or 1", "bool", "{}", lambda value: "true" if value else "false")


def _largest(a: Fraction, b: Fraction, n: int, p: int, r: Chances, v: int) -> Fraction:
    secret, outputs = told(a, b, n, p, r)
    given = ([quotient(each[x], secret[x]) for x in (v, 1 - v)] for each in outputs)
    return max([ZERO, *(quotient(one, other) for one, other in given)])


def leakage(a: Fraction, b: Fraction, n: int, p: int, r: Chances) -> Fraction:
    """Return e^Lk."""
    return max(_largest(a, b, n, p, r, v) for v in (0, 1))


def always(r: Chances, k: int) -> bool:
    """Return whether a record is always replaced."""
    return all(each == 1 for each in late(r, k))


def _first(p: int, t: int, r: Chances, v: int) -> Iterator[bool]:
    yield p != t
    yield all(always(r, k) for k in range(min(p, t) + 1, max(p, t)))
    yield late(r, t)[v] < 1


def _side(p: int, t: int, r: Chances) -> Chances:
    side: Chances = FROM_ON.value(p, r) if p < t else UP_TO.value(p, r)
    return side


def _divides(x: Fraction, y: Fraction, R: Fraction) -> Iterator[bool]:
    """Yield whether x <= s and y s <= R for some s > 0."""
    yield y < 0 or (R >= 0 if y == 0 else R > 0 and x * y <= R)


VALUE_0 = entry("the value 0", takes=(), gives="bool", words="0", tex="0", coq="false", value=lambda: 0, precedence=0)
VALUE_1 = entry("the value 1", takes=(), gives="bool", words="1", tex="1", coq="true", value=lambda: 1, precedence=0)
LARGEST = entry(
    "largest ratio for a value",
    takes=("R", "R", "nat", "nat", BITS, "bool"),
    gives="R",
    words="Q_[5]([4])",
    tex="Q_{[5]}([4])",
    coq="BothSides.largest_ratio [0] [1] [2] [3] [4] [5]",
    value=_largest,
    meaning="Q_v(r) is the largest P(Y = y | X_p = v)/P(Y = y | X_p = 1-v) over all y, if records "
    f"are replaced with the chances r. {REDACTION}",
)
LEAKAGE = entry(
    "leakage of a record",
    takes=("R", "R", "nat", "nat", BITS),
    gives="R",
    words="e^Lk([4])",
    tex=r"e^{\mathrm{Lk}([4])}",
    coq="BothSides.leakage_of_record [0] [1] [2] [3] [4]",
    value=leakage,
    meaning=f"Lk(r) is Lk(X_p -> Y), if records are replaced with the chances r. {REDACTION}",
)
REPLACED = entry(
    "record that is always replaced",
    takes=("nat", BITS),
    words="X_[0] is always replaced",
    tex=r"[1]_{[0]} = (1, 1)",
    coq="BothSides.always_replaced [0] [1]",
    value=lambda p, r: (each == 1 for each in late(r, p)),
    relation="truth",
)
SIDE_OF = entry(
    "chances on the side of a record",
    takes=("nat", "nat", BITS),
    gives=BITS,
    words="[2] on the side of X_[1]",
    tex=r"[2]^{(X_{[1]})}",
    coq="(SideLevels.side_of [0] [1] [2])",
    value=_side,
    precedence=0,
    meaning="All records that are not on this side of X_p are replaced.",
)
FIRST_SHOWN = entry(
    "first record that is not always replaced",
    takes=("nat", "nat", BITS, "bool"),
    words="X_[1] is the first record of its side of X_[0] that is not always replaced, and shows [3] "
    "with positive probability",
    tex=r"[2]_k = (1, 1) \text{ for } k \text{ between } [0] \ne [1] \wedge [2]_{[1]}([3]) < 1",
    coq="SideLevels.first_shown [0] [1] [2] [3]",
    value=_first,
    relation="truth",
)
INFLUENCE = entry(
    "influence of a value at a distance",
    takes=("R", "R", "bool", "nat"),
    gives="R",
    words="e^i_[2]([3])",
    tex="e^{i_{[2]}([3])}",
    coq="SideLevels.influence_at [0] [1] [2] [3]",
    value=lambda a, b, v, D: (i1 if v else i0)(a, b, D),
    meaning=CURVES,
)
TOWARDS = entry(
    "value that is likelier",
    takes=("R", "R", "bool", "nat"),
    gives="bool",
    words="z([2], [3])",
    tex="z([2], [3])",
    coq="(SideLevels.towards [0] [1] [2] [3])",
    value=lambda a, b, v, D: v if (1 - a - b) ** D >= 0 else 1 - v,
    precedence=0,
    meaning="z(v, D) is v if (1 - a - b)^D >= 0, and 1 - v otherwise: the value of X_p for which "
    "a record at the distance D is likelier v.",
)
DIVIDES = entry(
    "some number divides",
    takes=("R", "R", "R"),
    words="[0] <= s and [1] <= [2]/s for some s > 0",
    tex=r"\exists s > 0:\ [0] \le s \wedge [1] \le [2]/s",
    coq="SideLevels.divides [0] [1] [2]",
    value=_divides,
    relation="truth",
)
