"""The linear relaxation of two columns where it is exact."""

from collections.abc import Sequence

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, dot
from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import ratio, times

F = Fraction
Rows = Sequence[Sequence[F]]


def _signed(draws: Draws, size: int) -> list[F]:
    return [F(draws.below(5) - 2) for _ in range(size)]


def _turned(rows: Rows, u: Row) -> list[list[F]]:
    """The rows, their signs such that they are at most 0 at u."""
    return [[-a for a in row] if dot(row, u) > 0 else [*row] for row in rows]


def _feasible(A1: Rows, A2: Rows, W: Rows, turned: int = 1) -> bool:
    columns = list(zip(*W))
    first = [[-dot(row, each) for each in columns] for row in A1]
    second = [[-dot(row, each) for each in A2] for row in W]
    third = [[-turned * dot(each, row) for each in A2] for row in first]
    entries = [*W, *first, *second, *third]
    return all(x >= 0 for row in entries for x in row)


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
