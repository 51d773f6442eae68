"""Lemma II.3 as programs: the influence by powers of P, the bound between two fractions.

exp(-x) is enclosed by fractions, and so is an eigenvalue that is a square root; a statement counts
as false only where that is certain.
"""

from collections.abc import Sequence
from functools import cache
from math import ceil, factorial, floor, isqrt

from pufferproof.claims.language.instances.chains import chain
from pufferproof.claims.language.instances.laws import ONE, ZERO, times
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.song2017.statements.influence import by_powers
from pufferproof.claims.papers.song2017.statements.noise import (
    Estimate,
    Law,
)
from pufferproof.claims.papers.song2017.statements.quilts import Sides

F = Fraction
Matrix = tuple[tuple[F, ...], ...]
FINE = 2**80
PAIRS = {
    "q": (F(1, 9), F(4, 9), F(4, 9)),
    "P": ((F(1, 5), F(4, 5), ZERO), (ZERO, ZERO, ONE), (F(1, 5), F(4, 5), ZERO)),
    "i": 10,
    "a": 9,
    "b": 8,
}
"""Pairs (X_t, X_(t+1)) of a chain of bits: P P* has the eigenvalues 1, 1, 0."""


@cache
def exp_minus(x: F) -> tuple[F, F]:
    """Fractions below and above exp(-x), x >= 0: a Taylor polynomial of exp(x/2^n) <= exp(1), its
    remainder and the 2^n-th power.
    """
    halvings = max(0, ceil(x)).bit_length()
    over, under = x.numerator, x.denominator * 2**halvings
    total = term = under**29 * factorial(29)
    for k in range(1, 30):
        term = term // (under * k) * over  # 29! (x/2^n)^k/k!, times under^29: no remainder
        total += term
    scale = under**29 * factorial(29)
    low, high = total * FINE // scale, -(-(total + term) * FINE // scale)  # over FINE
    for _ in range(halvings):
        low, high = low * low // FINE, -(-high * high // FINE)
    return F(FINE, high), F(FINE, low)


@cache
def stationary(P: Matrix) -> tuple[F, ...] | None:
    """The stationary law of a chain of two or three values, or None if it is not the only one, by
    the weights of the trees that lead to a value.
    """
    size = range(len(P))
    if len(P) == 2:
        weights = [P[1][0], P[0][1]]
    else:
        weights = [
            P[y][x] * P[z][x] + P[y][z] * P[z][x] + P[z][y] * P[y][x]
            for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        ]
    total = sum(weights, ZERO)
    return tuple(weights[x] / total for x in size) if total else None


def irreducible(P: Matrix) -> bool:
    """Whether every value leads to every other one."""
    size = range(len(P))
    reached = {(x, x) for x in size}
    for _ in size:
        reached |= {(x, z) for x, y in reached for z in size if P[y][z]}
    return len(reached) == len(P) ** 2


def aperiodic(P: Matrix) -> bool:
    """Whether a power of P has no zeros."""
    size = range(len(P))
    steps = {(x, y) for x in size for y in size if P[x][y]}
    now = steps
    for _ in range(len(P) ** 2):
        now = {(x, z) for x, y in now for w, z in steps if w == y}
    return len(now) == len(P) ** 2


@cache
def gap(P: Matrix) -> tuple[F, F, bool]:
    """Fractions below and above the least 1 - |lam| > 0 over the eigenvalues lam of P P*, and
    whether 1 is a simple eigenvalue. All of them are in [0, 1].
    """
    size, pi = range(len(P)), stationary(P)
    if pi is None or not all(pi):
        return ZERO, ONE, False
    back = [[pi[y] * P[y][x] / pi[x] for y in size] for x in size]
    M = [[sum((P[x][z] * back[z][y] for z in size), ZERO) for y in size] for x in size]
    trace = sum((M[x][x] for x in size), ZERO)
    if len(P) == 2:
        others = [(trace - 1, trace - 1)]
    else:
        det = sum(
            (M[0][x] * (M[1][y] * M[2][z] - M[1][z] * M[2][y]))
            for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        )
        square = (trace - 1) ** 2 - 4 * det
        root = F(isqrt(floor(square * FINE**2)), FINE)
        error = 0 if root**2 == square else F(1, FINE)
        others = [
            ((trace - 1 + root) / 2, (trace - 1 + root + error) / 2),
            ((trace - 1 - root - error) / 2, (trace - 1 - root) / 2),
        ]
    below = [each for each in others if each[0] < 1]
    high = max((each[1] for each in below), default=ZERO)
    low = max((each[0] for each in below), default=ZERO)
    return 1 - high, 1 - low, len(below) == len(others)


def _term(P: Matrix, distance: int, half: bool = True) -> tuple[F, F]:
    """Numbers that h(d) lies between, as (pimin + y)/(pimin - y), y = exp(-g d/2) or exp(-g d)."""
    least = min(stationary(P) or (ZERO,))
    g_low, g_high, _ = gap(P)
    low, high = (
        exp_minus(F(floor(g * FINE), FINE) * distance / (2 if half else 1)) for g in (g_high, g_low)
    )
    return (least + low[0]) / (least - low[0]), (least + high[1]) / (least - high[1])


def _settled(P: Matrix, distance: int) -> bool:
    """Whether the distance is above 2 log(1/pimin)/g, that is exp(-g d/2) < pimin."""
    least = min(stationary(P) or (ZERO,))
    return exp_minus(F(floor(gap(P)[0] * FINE), FINE) * distance / 2)[1] < least


CHAINS: list[Matrix] = [
    ((F(x, 8), F(8 - x, 8)), (F(y, 8), F(8 - y, 8)))
    for x, y in ((4, 4), (4, 3), (6, 2), (2, 6), (5, 2), (7, 3), (1, 7), (0, 2), (8, 4), (0, 8))
]


def far_nodes(draws: Draws) -> Instance:
    """A chain of two or three values (positive, periodic, reducible or not), any law of X_1 without
    or with zeros, a record i and distances a and b from 1 to 12, below the threshold one time in
    six. The influence is that of powers of P.
    """
    if draws.below(3):
        P = draws.among(CHAINS)
    else:
        P = tuple(tuple(row) for row in chain(draws, zeros=draws.below(4) == 0)[1])
    q = draws.law(len(P))
    near = next((d for d in range(1, 13) if stationary(P) and _settled(P, d)), 12)
    a, b = (max(1, near + draws.among([0, 1, 3, 0, 0, -1])) for _ in range(2))
    return {"q": tuple(q), "P": P, "i": a + 1 + draws.below(2), "a": a, "b": b}


def _bounded(
    q: Sequence[F], P: Matrix, i: int, a: int, b: int, half: bool = True, left: int = 2
) -> bool:
    """Whether the influences of both nodes, of the left and of the right one are not certainly
    above the bound.
    """
    terms = [_term(P, each, half)[1] for each in (a, b)]
    sides: list[Sides] = [(a, b), (a, None), (None, b)]
    bounds = [terms[0] ** left * terms[1], terms[0] ** left, terms[1]]
    found = [by_powers(q, P, i, *each) for each in sides]
    return all(e is not None and e <= bound for e, bound in zip(found, bounds))


IRREDUCIBLE = "the chain is irreducible"
APERIODIC = "it is aperiodic"
FAR = "both distances are above 2 log(1/pimin)/g"


def _far(P: Matrix, a: int, b: int, **_: object) -> bool:
    return stationary(P) is not None and _settled(P, a) and _settled(P, b)


TWO = "k = 2"
TWO_VALUES = Statement(
    family=far_nodes,
    edges=[PAIRS],
    given={
        TWO: lambda P, **_: len(P) == 2,
        IRREDUCIBLE: lambda P, **_: irreducible(P),
        APERIODIC: lambda P, **_: aperiodic(P),
        FAR: _far,
    },
    holds=_bounded,
    too_strong={"with exp(-g d)": {"half": False}},
    too_weak=[TWO, FAR],
)


def estimate_of(P: Matrix) -> Estimate:
    """The terms of Lemma II.3 at a quilt, from above, or None if a distance is too short."""

    def estimate(law: Law, i: int, quilt: Sides) -> F | None:
        left, right = (ONE if d is None else _upper(P, d) for d in quilt)
        return times(left, left, right)

    return estimate


@cache
def _upper(P: Matrix, distance: int) -> F | None:
    return _term(P, distance)[1] if _settled(P, distance) else None
