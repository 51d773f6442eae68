"""Weighted geometric means in constraints P(w|x) <= R prod_y P(w|y)^beta_y: exact checks, and
tangents that lie above them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from pufferproof.lp.exact.logarithms import sign_of_logs

RESTS_ON = ("bai2026.x-am-gm",)
_UNIT = 1 << 44


@dataclass(frozen=True)
class Mean:
    """One constraint: P(w|x) <= R prod_y P(w|y)^weights[y] for every output w."""

    x: int
    weights: Mapping[int, Fraction]

    @property
    def powers(self) -> tuple[int, dict[int, int]]:
        """A common denominator of the weights, and their numerators."""
        common = lcm(*(weight.denominator for weight in self.weights.values()))
        return common, {y: int(weight * common) for y, weight in self.weights.items()}

    def holds(self, u: Mapping[int, Fraction], ratio: Fraction) -> bool:
        """Say whether it is certain that a column u keeps the constraint, exactly."""
        common, powers = self.powers
        if not u[self.x]:
            return True
        if not all(u[y] for y in powers):
            return False
        terms = [(common, u[self.x]), (-common, ratio), *((-n, u[y]) for y, n in powers.items())]
        return sign_of_logs(terms) in (-1, 0)

    def above(self, slopes: Mapping[int, float]) -> dict[int, Fraction]:
        """Return c with prod_y u_y^weights[y] <= sum_y c_y u_y for all u >= 0, from float slopes of
        a tangent.

        c_y = weights[y] a_y for rational a_y > 0 near the slopes, enlarged until prod_y
        a_y^weights[y] >= 1; then the inequality of the means for a_y u_y gives the bound.
        """
        _, powers = self.powers
        a = {y: max(Fraction(1, _UNIT), Fraction(round(slope * _UNIT), _UNIT)) for y, slope in slopes.items()}
        slack = Fraction(2, _UNIT)
        while sign_of_logs([(powers[y], value) for y, value in a.items()]) not in (0, 1):
            a = {y: value * (1 + slack) for y, value in a.items()}
            slack *= 2
        return {y: self.weights[y] * value for y, value in a.items()}
