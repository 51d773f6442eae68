"""The Markov quilt mechanism as redaction of a stationary chain of bits, and bounds of what it
shows: QuiltRedaction.v.
"""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.records.stationary import ONE, SHARES_OF, i1
from pufferproof.claims.vocabulary.terms import entry

QUILT = ("R", "R", "R", "nat", "nat", "nat", "nat")
"""a, b, R, De, Dh, n and p."""


def one_sided(a: Fraction, b: Fraction, R: Fraction, De: int, Dh: int, n: int, p: int) -> bool:
    """Return whether algorithm 1 replaces one side as a whole."""
    return p == 0 or R < i1(a, b, p) * i1(a, b, max(n - p, 0)) or p + 1 + De < 2 * Dh


def _quilt(
    a: Fraction, b: Fraction, R: Fraction, De: int, Dh: int, n: int, p: int
) -> list[Fraction]:
    left, right = Dh, Dh
    if one_sided(a, b, R, De, Dh, n, p):
        left, right = p, min(De, max(n - p - 1, 0))
    return [ONE if p - left <= k <= p + right else ZERO for k in range(p + right + 2)]


def bound(
    more: tuple[int, int],
    at: tuple[Fraction, Fraction, Fraction],
    De: int,
    Dh: int,
    n: int,
    p: int,
) -> Fraction:
    """Return 0, 1 - (R1 + more)/n or 1 - (min{R1, R2} + more)/n: at is a, b and R."""
    (a, b, R), last = at, max(n - p - 1, 0)
    if last == 0 or i1(a, b, last) > R:
        return ZERO
    one_side = De + p
    if p == 0 or i1(a, b, p) * i1(a, b, last) > R:
        return 1 - quotient(Fraction(one_side + more[0]), Fraction(n))
    return 1 - quotient(Fraction(min(one_side, max(2 * Dh - 1, 0)) + more[1]), Fraction(n))


def _cases(second: str, third: str) -> str:
    return (
        f"0 if R < e^i1(n - p - 1), 1 - {second} if R < e^(i1(p) + i1(n - p - 1)), and "
        f"1 - {third} otherwise, where R1 = De + p, R2 = 2 Dh - 1, and the influence of a record "
        "on itself is infinite."
    )


ALGORITHM = (
    "MQ(R, De, Dh) is algorithm 1 for X_p among n records, with e^eps = R, D*(eps) = De and "
    "D*(eps/2) = Dh: X_(p-Dl), .., X_(p+Dr) are replaced, as far as there are such, and all others "
    "are shown. If p = 0, R < e^(i1(n - p) + i1(p)), or p + 1 + De < 2 Dh, one side is replaced as "
    "a whole: Dl = p and Dr = min(De, n - p - 1). Otherwise Dl = Dr = Dh."
)
MQ = entry(
    "chances of the Markov quilt mechanism",
    QUILT,
    SHARES_OF,
    "MQ([2], [3], [4])",
    r"\mathrm{MQ}([2], [3], [4])",
    "(QuiltRedaction.quilt_chances [0] [1] [2] [3] [4] [5] [6])",
    _quilt,
    0,
    meaning=ALGORITHM,
)
LOWER = entry(
    "lower bound of the Markov quilt mechanism",
    QUILT,
    "R",
    "l([2], [5])",
    r"\ell([2], [5])",
    "QuiltRedaction.quilt_bound [0] [1] [2] [3] [4] [5] [6]",
    lambda a, b, R, De, Dh, n, p: bound((1, 2), (a, b, R), De, Dh, n, p),
    meaning=f"l(R, n) is {_cases('R1/n - 1/n', 'min{R1, R2}/n - 2/n')}",
)
UPPER = entry(
    "bound of data-independent mechanisms, as printed",
    QUILT,
    "R",
    "u([2], [5])",
    "u([2], [5])",
    "QuiltRedaction.printed_bound [0] [1] [2] [3] [4] [5] [6]",
    lambda a, b, R, De, Dh, n, p: bound((0, 0), (a, b, R), De, Dh, n, p),
    meaning=f"u(R, n) is {_cases('R1/n', 'min{R1, R2}/n')}",
)
UP_TO_TWO = entry(
    "exceeds by up to two records",
    ("R", "R", "nat"),
    "Prop",
    "[0] - [1] is 0, 1/[2] or 2/[2]",
    r"[0] - [1] \in \{0, 1/[2], 2/[2]\}",
    "QuiltRedaction.up_to_two [0] [1] [2]",
    lambda x, y, n: iter((any(x == y + quotient(Fraction(k), Fraction(n)) for k in range(3)),)),
    relation="truth",
)
