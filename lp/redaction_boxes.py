"""Boxes of x that cannot hold a stationary point of a one-sided redaction design, told by floats rounded outward.

The products P_0 = 1, P_1 = z_1 = x, z_(i+1) = z_i + k P_i + b / P_i, P_(i+1) = P_i z_(i+1) of
`pufferproof.lp.redaction_exact` are positive, and k P + b / P is at least 2 sqrt(k b): with bounds of both ends kept apart,
intervals stay meaningful where balls would contain zero. Every operation widens by more than its rounding error; nothing but
exclusion is concluded.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Any

_DOWN, _UP = 1 - 2.0**-48, 1 + 2.0**-48  # covers the eight roundings of a step, 2^-53 each, and those of its numbers


Bounds = tuple[float, float]


@dataclass(frozen=True)
class Exclusion:
    """P_m(x) = target and least <= s (v / P_(m-1) + c) <= 1, as float bounds of k, b, target, v, c, s and of `least`."""

    k: Bounds
    b: Bounds
    target: Bounds
    v: Bounds
    c: Bounds
    s: Bounds
    least: float

    def excludes(self, low: float, high: float, m: int) -> bool:
        """Whether no x in [low, high], 0 < low, satisfies both, m >= 2."""
        z0, z1 = low * _DOWN, high * _UP
        p0, p1 = z0, z1
        bottom = 2 * sqrt(self.k[0] * self.b[0]) * _DOWN
        for _ in range(m - 2):
            z0, z1 = (z0 + self._least_step(p0, p1, bottom)) * _DOWN, (z1 + self._largest_step(p0, p1)) * _UP
            p0, p1 = p0 * z0 * _DOWN, p1 * z1 * _UP
            if not (p0 > 1e-300 and p1 < 1e300):
                return p0 > 1e300 and z0 >= 1 and self.target[1] < 1e300
        first = self.s[0] * (self.v[0] / p1 + self.c[0]) * _DOWN, self.s[1] * (self.v[1] / p0 + self.c[1]) * _UP
        if first[0] > 1 or first[1] < self.least:
            return True
        z0, z1 = (z0 + self._least_step(p0, p1, bottom)) * _DOWN, (z1 + self._largest_step(p0, p1)) * _UP
        return p0 * z0 * _DOWN > self.target[1] or p1 * z1 * _UP < self.target[0]

    def _least_step(self, p0: float, p1: float, bottom: float) -> float:
        k, b = self.k[0], self.b[0]
        if k * p1 * p1 * _UP < b:
            return (k * p1 + b / p1) * _DOWN
        return (k * p0 + b / p0) * _DOWN if k * p0 * p0 * _DOWN > b else bottom

    def _largest_step(self, p0: float, p1: float) -> float:
        k, b = self.k[1], self.b[1]
        return max(k * p0 + b / p0, k * p1 + b / p1) * _UP


def float_bounds(value: Any) -> tuple[float, float]:
    """Return floats below and above a positive Arb ball."""
    return float(value.lower()) * _DOWN, float(value.upper()) * _UP
