"""The Markov quilt mechanism as redaction of a stationary chain of bits, bounds of what it shows,
and what 3R mechanisms show: QuiltRedaction.v and ThreeRegions.v.
"""

from collections.abc import Callable, Iterator

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.records.redaction import THREE_R, UP_TO
from pufferproof.claims.vocabulary.entries.records.stationary import ONE, REDACTION, SHARES_OF, i1
from pufferproof.claims.vocabulary.terms import entry

QUILT = ("R", "R", "R", "nat", "nat", "nat", "nat")
"""a, b, R, De, Dh, n and p."""


def one_sided(a: Fraction, b: Fraction, R: Fraction, De: int, Dh: int, n: int, p: int) -> bool:
    """Return whether algorithm 1 replaces one side as a whole."""
    return p == 0 or R < i1(a, b, p) * i1(a, b, max(n - p, 0)) or p + 1 + De < 2 * Dh


def _quilt(a: Fraction, b: Fraction, R: Fraction, De: int, Dh: int, n: int, p: int) -> list[Fraction]:
    left, right = Dh, Dh
    if one_sided(a, b, R, De, Dh, n, p):
        left, right = p, min(De, max(n - p - 1, 0))
    return [ONE if p - left <= k <= p + right else ZERO for k in range(p + right + 2)]


def bound(more: tuple[int, int], at: tuple[Fraction, Fraction, Fraction], De: int, Dh: int, n: int, p: int) -> Fraction:
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
    takes=QUILT,
    gives=SHARES_OF,
    words="MQ([2], [3], [4])",
    tex=r"\mathrm{MQ}([2], [3], [4])",
    coq="(QuiltRedaction.quilt_chances [0] [1] [2] [3] [4] [5] [6])",
    value=_quilt,
    precedence=0,
    meaning=ALGORITHM,
)
LOWER = entry(
    "lower bound of the Markov quilt mechanism",
    takes=QUILT,
    gives="R",
    words="l([2], [5])",
    tex=r"\ell([2], [5])",
    coq="QuiltRedaction.quilt_bound [0] [1] [2] [3] [4] [5] [6]",
    value=lambda a, b, R, De, Dh, n, p: bound((1, 2), (a, b, R), De, Dh, n, p),
    meaning=f"l(R, n) is {_cases('R1/n - 1/n', 'min{R1, R2}/n - 2/n')}",
)
UPPER = entry(
    "bound of data-independent mechanisms, as printed",
    takes=QUILT,
    gives="R",
    words="u([2], [5])",
    tex="u([2], [5])",
    coq="QuiltRedaction.printed_bound [0] [1] [2] [3] [4] [5] [6]",
    value=lambda a, b, R, De, Dh, n, p: bound((0, 0), (a, b, R), De, Dh, n, p),
    meaning=f"u(R, n) is {_cases('R1/n', 'min{R1, R2}/n')}",
)
UP_TO_TWO = entry(
    "exceeds by up to two records",
    takes=("R", "R", "nat"),
    words="[0] - [1] is 0, 1/[2] or 2/[2]",
    tex=r"[0] - [1] \in \{0, 1/[2], 2/[2]\}",
    coq="QuiltRedaction.up_to_two [0] [1] [2]",
    value=lambda x, y, n: iter((any(x == y + quotient(Fraction(k), Fraction(n)) for k in range(3)),)),
    relation="truth",
)


def _feasible(R: Fraction, left: Fraction, right: Fraction, positive: bool) -> bool:
    """Return whether budgets of R in all reach two influences; two positive ones if asked."""
    return left * right <= R and not (positive and R <= max(left, right))


def largest_share(a: Fraction, b: Fraction, R: Fraction, n: int, p: int, positive: bool = False) -> Fraction | None:
    """Return the largest share that a 3R mechanism with q = 1 shows, or None if there is none.

    The records of a side that are shown are those from a distance on, or none.
    """
    sides: list[list[tuple[Fraction, int]]] = [
        [(i1(a, b, first), length - first + 1) for first in range(1, length + 1)] + [(ONE, 0)]
        for length in (p, n - p - 1)
    ]
    shown = [
        here + there for left, here in sides[0] for right, there in sides[1] if _feasible(R, left, right, positive)
    ]
    return Fraction(max(shown), n) if shown else None


def _some_three_r(positive: bool = False) -> Callable[..., Iterator[tuple[Fraction, Fraction]]]:
    """Return that a number is at most the largest share, and what it is a share of."""

    def found(
        a: Fraction, b: Fraction, R: Fraction, n: int, p: int, x: Fraction
    ) -> Iterator[tuple[Fraction, Fraction]]:
        there = 0 < a <= b < 1 and p < n
        most = largest_share(a, b, R, n, p, positive) if there else None
        yield (ONE, ZERO) if most is None else (x, most)

    return found


OF_KIND = (
    "The 3R mechanisms for X_p at the level R, defined if 0 < a <= b < 1 and p < n, are those of "
    "which Y^(l) leaks at most eps_l, and Y^(r) at most eps_r, with eps_l >= 0, eps_r >= 0 and "
    "eps_l + eps_r <= log R; nu, the utility, is the mean of P(Y_k = X_k) over the n records. "
    f"{UP_TO.meaning} {THREE_R.meaning} {REDACTION}"
)
SOME_3R = entry(
    "some 3R mechanism shows a share",
    takes=("R", "R", "R", "nat", "nat", "R"),
    words="nu >= [5] for some 3R mechanism at [2] with q = 1",
    tex=r"\exists\, \mathrm{3R}([2]), q = 1:\ \nu_{\mathrm{3R}} \ge [5]",
    coq="ThreeRegions.some_three_r [0] [1] [2] [3] [4] [5]",
    value=_some_three_r(),
    relation="<=",
    meaning=OF_KIND,
)
SOME_POSITIVE_3R = entry(
    "some 3R mechanism with positive budgets shows a share",
    takes=("R", "R", "R", "nat", "nat", "R"),
    words="nu >= [5] for some 3R mechanism at [2] with q = 1, eps_l > 0 and eps_r > 0",
    tex=r"\exists\, \mathrm{3R}([2]), q = 1, \epsilon_l, \epsilon_r > 0:\ \nu_{\mathrm{3R}} \ge [5]",
    coq="ThreeRegions.some_positive_three_r [0] [1] [2] [3] [4] [5]",
    value=_some_three_r(positive=True),
    relation="<=",
    meaning=OF_KIND,
)
ONE_MORE = entry(
    "share with one record more",
    takes=("R", "nat"),
    gives="R",
    words="[0] + 1/[1]",
    tex="[0] + 1/[1]",
    coq="[0] + 1 / INR [1]",
    value=lambda x, n: x + quotient(ONE, Fraction(n)),
    precedence=50,
)
ONE_LESS = entry(
    "share with one record less",
    takes=("R", "nat"),
    gives="R",
    words="[0] - 1/[1]",
    tex="[0] - 1/[1]",
    coq="[0] - 1 / INR [1]",
    value=lambda x, n: x - quotient(ONE, Fraction(n)),
    precedence=50,
)
