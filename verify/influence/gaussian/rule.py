"""Gauss-Legendre rules for one coordinate of many rows at once, with bounds of their errors.

On an interval of half-length h an M-point rule errs by at most 8 h B rho^(1-2M) / (rho - 1), B
being the largest |f| in the Bernstein ellipse of rho: the rule and the integral are both at most
2 sup|f|, the rule is exact for degree 2M - 1, and Chebyshev coefficients fall as 2 B rho^-j. With
the other coordinates real, |f(y + iv)| <= e^(v^2 Q_kk/2) f(y), and f(y) <= e^(-((y - m)/d)^2/2 - g
y) J.
"""

from functools import cache
from typing import TYPE_CHECKING

from pufferproof.verify.influence.gaussian.ladder import EPS, Ladder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_POINTS = (4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 64, 96, 128)


@cache
def gauss_legendre(points: int) -> tuple["Floats", "Floats"]:
    """Return nodes and weights on [-1, 1], each within a rounding."""
    import numpy as np
    from flint import arb, ctx

    with ctx.workprec(100):
        found = [arb.legendre_p_root(points, k, weight=True) for k in range(points)]
    return np.array([float(x) for x, _ in found]), np.array([float(w) for _, w in found])


class IntervalRule:
    """Intervals for coordinate k in many rows, and rules on them.

    `mean` is its mean in every row; what lies more than `span` nats below the largest value of the
    weight is left out. Errors and `left_out` are in units of weight times J.
    """

    def __init__(
        self,
        ladder: Ladder,
        k: int,
        mean: "Floats",
        box: tuple[float, float],
        drift: float,
        span: float,
    ) -> None:
        import numpy as np

        low, high = box
        self.mean, self.deviation = mean, float(ladder.deviation[k])
        self.drift, self.curvature = drift, float(ladder.diagonal[k])
        d = self.deviation
        self.centre = mean - drift * d * d
        nearest = np.clip(self.centre, low, high)
        first = np.abs(self.centre - nearest) / d
        reach = d * 2 * span / (np.sqrt(first**2 + 2 * span) + first)
        self.a, self.b = np.maximum(low, nearest - reach), np.minimum(high, nearest + reach)
        self.middle, self.half = 0.5 * (self.a + self.b), 0.5 * (self.b - self.a)
        left = np.where(self.a > low, self._tail(self.a, -1.0), 0.0)
        right = np.where(self.b < high, self._tail(self.b, 1.0), 0.0)
        edges = 4 * EPS * max(abs(low), abs(high)) * np.exp(self._log(nearest))
        self.left_out = left + right + edges
        self.errors = np.zeros(len(mean))

    def _log(self, y: "Floats") -> "Floats":
        return -0.5 * ((y - self.mean) / self.deviation) ** 2 - self.drift * y

    def _tail(self, end: "Floats", side: float) -> "Floats":
        """Bound the integral beyond an end of the interval."""
        import numpy as np

        slope = side * ((end - self.mean) / self.deviation**2 + self.drift)
        with np.errstate(divide="ignore"):
            return np.where(slope > 0, np.exp(self._log(end)) / slope, np.inf)

    def _error(self, points: int) -> "Floats":
        """Bound the error of a rule, with a rho that is nearly the best."""
        import numpy as np

        with np.errstate(divide="ignore", over="ignore"):
            ratio = 4 * (2 * points - 1) / (self.half**2 * self.curvature)
            rho = np.sqrt(0.5 * (ratio + np.sqrt(ratio * ratio + 4)))
            ends = np.maximum(np.abs(self._slope(self.a)), np.abs(self._slope(self.b)))
            rho = np.minimum(rho, 1.05 + 4 * points / (self.half * ends + 1e-300))
            rho = np.minimum(rho, 1e6)
            over = self.half * (0.5 * (rho + 1 / rho) - 1)
            imaginary = self.half * 0.5 * (rho - 1 / rho)
            best = np.clip(self.centre, self.a - over, self.b + over)
            exponent = 0.5 * self.curvature * imaginary**2 + self._log(best)
            exponent += np.log(8 * self.half) - (2 * points - 1) * np.log(rho) - np.log(rho - 1)
            return np.asarray(np.exp(np.minimum(exponent * (1 + 1e-12) + 1e-9, 700.0)))

    def _slope(self, y: "Floats") -> "Floats":
        return (y - self.mean) / self.deviation**2 + self.drift

    def choose(self, wanted: "Floats") -> "NDArray[np.intp]":
        """Return for every row the fewest points whose error is small enough; keep the errors."""
        import numpy as np

        choice = np.zeros(len(self.mean), dtype=np.intp)
        for points in _POINTS:
            error = self._error(points)
            take = (choice == 0) & ((error <= wanted) | (points == _POINTS[-1]))
            choice[take], self.errors[take] = points, error[take]
            if choice.all():
                break
        return choice
