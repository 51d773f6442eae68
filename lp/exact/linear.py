"""Linear programs, their constraints, and what shows exactly how one ends.

A program is: maximise <c, x> over x >= 0 (variables in `free` of either sign) subject to rows that
are "<=", "=" or ">=". A solution is checked from the definitions alone (`Solution.proves`). Nothing
is solved here; `pufferproof.lp.exact.program` does.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import lcm

Coefficients = Mapping[int, Fraction | int]
_ZERO = Fraction(0)


def over_one_unit(values: Sequence[Fraction]) -> tuple[int, dict[int, int]]:
    """Return a common denominator, and the numerators over it that are not 0 by position."""
    unit = lcm(*{value.denominator for value in values})
    numerators = {j: value.numerator * (unit // value.denominator) for j, value in enumerate(values)}
    return unit, {j: n for j, n in numerators.items() if n}


class Status(Enum):
    """How a linear program ends; each has an exact certificate."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"


@dataclass(frozen=True)
class Row:
    """One constraint: sum_j coefficients[j] x_j `sense` bound, with `sense` "<=", "=" or ">="."""

    coefficients: Coefficients
    sense: str
    bound: Fraction | int = 0

    def at(self, x: Sequence[Fraction]) -> Fraction:
        """Return sum_j coefficients[j] x_j."""
        return sum((c * x[j] for j, c in self.coefficients.items()), _ZERO)

    def holds(self, whole: Mapping[int, int], unit: int) -> bool:
        """Say whether x satisfies the constraint, from its entries other than 0 times a unit."""
        factors, bound = self.coefficients, self.bound * unit
        value = sum([factors[j] * n for j, n in whole.items() if j in factors])
        if self.sense == "<=":
            return value <= bound
        return value >= bound if self.sense == ">=" else value == bound


@dataclass(frozen=True)
class Program:
    """Maximise <objective, x> over `variables` variables, >= 0 except those in `free`, subject
    to `rows`.
    """

    objective: Coefficients
    rows: Sequence[Row]
    variables: int
    free: Collection[int] = frozenset()

    def value(self, x: Sequence[Fraction]) -> Fraction:
        """Return <objective, x>."""
        return sum((c * x[j] for j, c in self.objective.items()), _ZERO)

    def feasible(self, x: Sequence[Fraction]) -> bool:
        """Say whether `x` satisfies every row and every sign."""
        unit, whole = over_one_unit(x)
        signs = all(n >= 0 or j in self.free for j, n in whole.items())
        return signs and all(row.holds(whole, unit) for row in self.rows)

    def combination(self, dual: Sequence[Fraction]) -> list[Fraction]:
        """Return dual A, one entry per variable."""
        unit, whole = over_one_unit(dual)
        total: list[Fraction | int] = [0] * self.variables
        for i, y in whole.items():
            for j, c in self.rows[i].coefficients.items():
                total[j] += y * c
        return [Fraction(value) / unit for value in total]

    def bound(self, dual: Sequence[Fraction]) -> Fraction:
        """Return <b, dual>."""
        return sum((y * row.bound for y, row in zip(dual, self.rows)), _ZERO)


@dataclass(frozen=True)
class Solution:
    """The exact end of a linear program.

    OPTIMAL: `x`, `dual` (one multiplier per row, >= 0 on "<=", <= 0 on ">=") and the common `value`
    = <c, x> = <b, dual>. INFEASIBLE: `dual` is a Farkas vector: the signs as above, dual A >= 0 (=
    0 at free variables), <b, dual> < 0. UNBOUNDED: `x` is feasible, adding any multiple of `ray`
    keeps it so, and <c, ray> > 0.
    """

    status: Status
    value: Fraction | None = None
    x: tuple[Fraction, ...] = ()
    dual: tuple[Fraction, ...] = ()
    ray: tuple[Fraction, ...] = ()

    def proves(self, program: Program) -> bool:
        """Check the certificate against the program, from the definitions alone."""
        signed = all(
            (y >= 0 or row.sense != "<=") and (y <= 0 or row.sense != ">=") for y, row in zip(self.dual, program.rows)
        )
        if self.status is Status.UNBOUNDED:
            still = replace(program, rows=[replace(row, bound=0) for row in program.rows])
            return program.feasible(self.x) and still.feasible(self.ray) and program.value(self.ray) > 0
        if len(self.dual) != len(program.rows) or not signed:
            return False
        reached = program.combination(self.dual)
        wanted = {} if self.status is Status.INFEASIBLE else program.objective
        gaps = [reached[j] - wanted.get(j, 0) for j in range(program.variables)]
        if not all(gap >= 0 and (gap == 0 or j not in program.free) for j, gap in enumerate(gaps)):
            return False
        bound = program.bound(self.dual)
        if self.status is Status.INFEASIBLE:
            return bound < 0
        return program.feasible(self.x) and program.value(self.x) == bound == self.value
