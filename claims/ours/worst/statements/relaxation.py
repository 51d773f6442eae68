"""The linear relaxation of two columns, identities that bound them, and mixtures of priors."""

from collections.abc import Sequence

from pufferproof.claims.language.instances.frameworks import Row, keeps, output_law
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, dot
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import (
    Pair,
    column,
    pairs,
    promise,
    ratio,
    rays,
    times,
)

F = Fraction
Rows = Sequence[Sequence[F]]


def _signed(draws: Draws, size: int) -> list[F]:
    return [F(draws.below(5) - 2) for _ in range(size)]


def _turned(rows: Rows, u: Row) -> list[list[F]]:
    """The rows, their signs such that they are at most 0 at u."""
    return [[-a for a in row] if dot(row, u) > 0 else [*row] for row in rows]


def two_columns(draws: Draws) -> Instance:
    """Two or three databases, two columns u and v, up to two inequalities for each cone, which hold
    at its column, and two laws with zeros.
    """
    size = 2 + draws.below(2)
    u, v = column(draws, size), column(draws, size)
    A = [_turned([_signed(draws, size) for _ in range(draws.below(3))], each) for each in (u, v)]
    return {"A1": A[0], "A2": A[1], "u": u, "v": v, "mu": draws.law(size), "nu": draws.law(size)}


def _feasible(A1: Rows, A2: Rows, W: Rows, turned: int = 1) -> bool:
    columns = list(zip(*W))
    first = [[-dot(row, each) for each in columns] for row in A1]
    second = [[-dot(row, each) for each in A2] for row in W]
    third = [[-turned * dot(each, row) for each in A2] for row in first]
    entries = [*W, *first, *second, *third]
    return all(x >= 0 for row in entries for x in row)


def _relaxed(A1: Rows, A2: Rows, u: Row, v: Row, mu: Row, nu: Row, turned: int = 1) -> bool:
    """Whether the matrix u v' is feasible, and its diagonal has the ratio of the product."""
    W = [[x * y for y in v] for x in u]
    diagonal = [W[x][x] for x in range(len(u))]
    same = ratio([(mu, nu)], diagonal) == ratio([(mu, nu)], times(u, v))
    return same and _feasible(A1, A2, W, turned)


RELAXATION = Statement(
    family=two_columns,
    holds=_relaxed,
    too_strong={"A_1 W A_2' <= 0": {"turned": -1}},
)


def matrices(draws: Draws) -> Instance:
    """Two databases, a matrix W of small whole numbers, no inequality or one for each cone, of
    which the first is then simplicial as all such cones in the plane with interior are, and two
    laws; inequalities are turned so that they hold at a column, or a row, of W.
    """
    W = [[F(draws.below(4)) for _ in range(2)] for _ in range(2)]
    A1 = _turned([_signed(draws, 2) for _ in range(draws.below(2))], [W[0][0], W[1][0]])
    A2 = _turned([_signed(draws, 2) for _ in range(draws.below(2))], W[0])
    return {"W": W, "A1": A1, "A2": A2, "mu": draws.law(2), "nu": draws.law(2)}


def _exact(W: Rows, A1: Rows, A2: Rows, mu: Row, nu: Row, factor: F = ONE) -> bool:
    """Whether the ratio on the diagonal is at most that of products of columns."""
    size = len(mu)
    products = [times(r, z) for r in rays(A1, size) for z in rays(A2, size)]
    ratios = [ratio([(mu, nu)], each) for each in products]
    most = None if None in ratios else factor * max(r or ZERO for r in [ZERO, *ratios])
    return at_most(ratio([(mu, nu)], [W[x][x] for x in range(size)]), most)


FEASIBLE, SIMPLICIAL = "W is feasible", "the first cone is simplicial"
FOUR_RAYS = [[F(-2), F(2), F(-1)], [ZERO, ONE, F(-2)]]
NOT_SIMPLICIAL: Instance = {
    "W": [[F(x) for x in row] for row in ((0, 3, 6), (3, 4, 2), (6, 2, 1))],
    "A1": FOUR_RAYS,
    "A2": FOUR_RAYS,
    "mu": [F(3, 7), F(1, 7), F(3, 7)],
    "nu": [F(1, 2), ZERO, F(1, 2)],
}
"""Two cones with four rays in three dimensions: the matrix has the ratio 2, products less."""
ORTHANT: Instance = NOT_SIMPLICIAL | {
    "A1": [],
    "W": [[ONE, ONE, ONE], [F(2), ONE, F(3)], [ONE] * 3],
}
RELAXATION_SIMPLICIAL = Statement(
    family=matrices,
    edges=[NOT_SIMPLICIAL, ORTHANT],
    given={
        FEASIBLE: lambda W, A1, A2, mu, nu: _feasible(A1, A2, W),
        SIMPLICIAL: lambda W, A1, A2, mu, nu: len(rays(A1, len(mu))) == len(mu),
    },
    holds=_exact,
    too_strong={"99/100 of the ratio": {"factor": ALMOST}},
    too_weak=[FEASIBLE, SIMPLICIAL],
)


def two_priors(draws: Draws) -> Instance:
    """A ratio R >= 1 and two pairs of numbers, the probabilities of s under two priors, ties often;
    under each prior either secret has one database, and these are different ones.
    """
    odds = [draws.rate([F(n, 5) for n in range(1, 5)]) for _ in range(2)]
    return {"R": 1 + F(draws.below(9), 4), "p": max(odds), "q": min(odds)}


def _mixed(R: F, p: F, q: F, more: F = ONE) -> bool:
    """Whether the mechanism that shows the first prior's databases almost alone, s R times as
    often as s', has the level R for both priors, and more than R for some mixture.
    """
    p, q = max(p, q), min(p, q)
    s, t = frozenset([0, 1]), frozenset([2, 3])
    share, e = F(1, 2), F(1, 1000)
    up = (R - 1) / (4 * R) if R > 1 else F(1, 2)
    shown = [up * R, e * up * R, up, e * up]
    rows = [[x, 1 - x] for x in shown]
    priors = [[p, ZERO, 1 - p, ZERO], [ZERO, q, ZERO, 1 - q]]
    mixture = [share * a + (1 - share) * b for a, b in zip(*priors)]
    laws = [output_law(mixture, rows, each) or [] for each in (s, t)]
    return keeps(priors, [(s, t)], rows, R) and laws[0][0] > more * R * laws[1][0]


DIFFER = "the odds of the secrets differ"
MIXTURES = Statement(
    family=two_priors,
    given={DIFFER: lambda R, p, q: bool(p != q)},
    holds=_mixed,
    too_strong={"more than 3 R": {"more": F(3)}},
    too_weak=[DIFFER],
)


def with_a_ray(draws: Draws) -> Instance:
    """Two or three databases, a list T of one pair in one order or both, a level, the laws of that
    pair, and a column r, which may have zeros.
    """
    size = 2 + draws.below(2)
    T = pairs(draws, size, 1)
    return {"T": T, "R": draws.among([F(2), ONE, F(3, 2)]), "r": column(draws, size)}


def _program(T: Sequence[Pair], R: F, r: Row, denominator: int = 1) -> bool:
    """Whether the program max <mu, r o v> over v in the cone with <nu, r o v> = 1 has the largest
    ratio for its optimum: its vertices are extreme rays, scaled.
    """
    mu, nu = T[0]
    every = rays(promise(T, R), len(r))
    values = [(dot(mu, times(r, u)), dot(nu, times(r, u))) for u in every]
    sums = [[a + b for a, b in zip(u, v)] for u in every for v in every]
    ratios = [ratio(T[:1], times(r, u)) for u in [*every, *sums]]
    if any(m and not n for m, n in values):
        return None in ratios
    optimum = max([denominator * m / n for m, n in values if n], default=ZERO)
    return None not in ratios and optimum == max(each or ZERO for each in ratios)


LINEAR_FRACTIONAL = Statement(
    family=with_a_ray,
    holds=_program,
    too_strong={"<nu, r o v> = 2": {"denominator": 2}},
)


def multipliers(draws: Draws) -> Instance:
    """Two databases, one inequality for each cone, columns at which these hold, or in one of four
    cases whatever their signs are, two laws, a multiplier, which is below 0 in one of eight cases,
    and L, the least number for which the entries of the diagonal are not negative, or 2.
    """
    u, v = column(draws, 2), column(draws, 2)
    B1, B2 = ([_signed(draws, 2)] for _ in "uv")
    if draws.below(4) < 3:
        B1, B2 = ([[-a for a in _turned(B, each)[0]]] for B, each in ((B1, u), (B2, v)))
    mu, nu = draws.law(2), draws.law(2)
    S = F(1 + draws.below(3), 1 + draws.below(3)) * (-1 if draws.below(8) == 7 else 1)
    needs = [(mu[x] + S * B1[0][x] * B2[0][x], nu[x]) for x in range(2)]
    L = max([ZERO, *(a / b for a, b in needs if b)])
    return {"B1": B1, "B2": B2, "mu": mu, "nu": nu, "S": [[S]], "L": L, "u": u, "v": v}


def _entries(B1: Rows, B2: Rows, mu: Row, nu: Row, S: Rows, L: F, **_: object) -> bool:
    return all(
        (L * nu[x] - mu[x] if x == y else ZERO)
        >= sum((s * b[x] * c[y] for row, b in zip(S, B1) for s, c in zip(row, B2)), ZERO)
        for x in range(2)
        for y in range(2)
    )


def _bounded(mu: Row, nu: Row, u: Row, v: Row, L: F, **_: object) -> bool:
    return dot(mu, times(u, v)) <= L * dot(nu, times(u, v))


ENTRIES, POSITIVE = "the entries of diag(L nu - mu) - B_1' S B_2 are at least 0", "S >= 0"
IN_CONES = "u and v lie in the cones"


def _in_cones(B1: Rows, B2: Rows, u: Row, v: Row, **_: object) -> bool:
    return all(dot(b, u) >= 0 for b in B1) and all(dot(b, v) >= 0 for b in B2)


TWO_DATABASES = {
    "B1": [[F(-1), F(2)], [F(2), F(-1)]],
    "B2": [[F(-1), F(2)], [F(2), F(-1)]],
    "mu": [ONE, ZERO],
    "nu": [ZERO, ONE],
    "S": [[F(5, 3), F(2, 3)], [F(2, 3), ZERO]],
    "L": F(4),
    "u": [F(2), ONE],
    "v": [F(2), ONE],
}
"""Columns of level 2, and the square of the level."""
IDENTITIES = Statement(
    family=multipliers,
    edges=[TWO_DATABASES],
    given={
        ENTRIES: _entries,
        POSITIVE: lambda S, **_: all(s >= 0 for row in S for s in row),
        IN_CONES: _in_cones,
    },
    holds=_bounded,
    too_strong={
        "99/100 of L": lambda L, **_: {"L": ALMOST * L},
    },
    too_weak=[ENTRIES, POSITIVE, IN_CONES],
)
