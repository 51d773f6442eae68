"""Identities that prove a bound L of <mu, u o v> / <nu, u o v> for all u, v of two cones of
columns.

    diag(L nu - mu) - B1^T S B2  has no negative entry,

with B1, B2 the rows of the cones, B1 u >= 0 and B2 v >= 0, and a matrix S >= 0 of multipliers.
Everything here is exact. A cone may be cut by splits, which add rows to it: an identity about one
part says nothing about the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from pufferproof.lp.cones.columns import Cone, OrderedLaws, Vector, primitive

RESTS_ON = ("worst.identities",)
Rows = tuple[Vector, ...]
Multipliers = Mapping[tuple[int, int], Fraction]


@dataclass(frozen=True)
class ConeHalf:
    """One half of a cut of a cone: u_above >= factor u_below if `larger`, else u_above <= factor
    u_below.

    `side` is 0 for the cone of u, 1 for the cone of v.
    """

    side: int
    above: int
    below: int
    factor: Fraction
    larger: bool

    def row(self, dimension: int) -> Vector:
        """Return the row whose product with u is not negative on this half."""
        values = [Fraction(0)] * dimension
        sign = 1 if self.larger else -1
        values[self.above] += sign
        values[self.below] -= sign * self.factor
        return primitive(values)


def cone_rows(cone: Cone, splits: Sequence[ConeHalf] = ()) -> Rows:
    """Return all rows of a cone: units, inequalities, equations in both directions, splits."""
    size = cone.dimension
    units = [tuple(int(i == j) for j in range(size)) for i in range(size)]
    turned = [tuple(-c for c in row) for row in cone.equations]
    return (*units, *cone.inequalities, *cone.equations, *turned, *(split.row(size) for split in splits))


@dataclass(frozen=True)
class Certified:
    """A proved upper bound L: diag(L nu - mu) - B1^T S B2 has no negative entry, S =
    `multipliers` >= 0 (i, j) by row.
    """

    bound: Fraction
    multipliers: Multipliers

    def proves(self, laws: OrderedLaws, rows: tuple[Rows, Rows]) -> bool:
        """Check the identity exactly."""
        if any(value < 0 for value in self.multipliers.values()):
            return False
        above, below = self.bound.numerator, self.bound.denominator
        unit, matrix = _product(rows, self.multipliers, lcm(below * laws.nu_total, laws.mu_total))
        plus, minus = unit // (below * laws.nu_total), unit // laws.mu_total  # without remainder
        for x, (m, n) in enumerate(zip(laws.mu, laws.nu)):
            matrix[x][x] -= above * plus * n - minus * m
        return all(entry <= 0 for line in matrix for entry in line)  # worst.identities


def _product(rows: tuple[Rows, Rows], multipliers: Multipliers, multiple: int) -> tuple[int, list[list[int]]]:
    """Return an integer, a multiple of `multiple`, and that many times B1^T S B2, in integers."""
    from flint import fmpz_mat

    unit = lcm(multiple, *{value.denominator for value in multipliers.values()})
    size, places = len(rows[0][0]), [dict.fromkeys(side) for side in zip(*multipliers)]
    if not places:
        return unit, [[0] * size for _ in range(size)]
    whole = [
        value.numerator * (unit // value.denominator) if (value := multipliers.get((i, j))) else 0
        for i in places[0]
        for j in places[1]
    ]
    first, second = (fmpz_mat([rows[k][i] for i in side]) for k, side in enumerate(places))
    product = first.transpose() * fmpz_mat(len(places[0]), len(places[1]), whole) * second
    return unit, [[int(entry) for entry in line] for line in product.tolist()]
