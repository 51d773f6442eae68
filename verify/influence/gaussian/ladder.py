"""Coordinates of a normal law one after the other: what each is given those before it.

Rounding: with |y_j| <= Y_j, a coordinate's mean and place are right up to a few 2^-52 of Y_k + sum
of |c_kj| Y_j, c being the regression on those before; in units of its deviation d_k that is eta,
and an exponent -z^2/2 with z <= sqrt(2 span) is off by at most eta (z + eta). A node that is off by
4 x 2^-52 Y_k changes the logarithm of an integrand by that times sum_j |Q_kj| Y_j + |g_k|.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from flint import arb_mat
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

EPS = 2.0**-52


class Ladder:
    """Coordinates in order: each given those before it, under precision Q."""

    def __init__(self, precision: "arb_mat", order: Sequence[int]) -> None:
        import numpy as np
        from flint import arb_mat

        d = len(order)
        q = arb_mat([[precision[i, j] for j in order] for i in order])
        self.size = d
        self.diagonal = np.array([float(q[k, k]) for k in range(d)])
        self.size_of = np.abs(np.array([[float(q[i, j]) for j in range(d)] for i in range(d)]))
        self.means: list[Floats] = []
        self.spread: list[Floats] = []
        self.sums: list[Floats] = []
        self.differences: list[Floats] = []
        for k in range(d):
            self._given_first(q, k)
        self.deviation = np.array([each[0] for each in self.spread])

    def _given_first(self, q: "arb_mat", k: int) -> None:
        """Keep later coordinates given the first k: means and deviations."""
        import numpy as np
        from flint import arb_mat

        later, left = range(k, self.size), range(self.size - k)
        c = arb_mat([[q[i, j] for j in later] for i in later]).inv()
        mean = np.zeros((len(left), k))
        if k:
            found = c * arb_mat([[q[i, j] for j in range(k)] for i in later])
            mean = -np.array([[float(x) for x in row] for row in found.tolist()])
        self.means.append(mean)
        self.spread.append(np.array([float(c[i, i].sqrt()) for i in left]))
        for sign, kept in ((2, self.sums), (-2, self.differences)):
            both = [[abs(c[i, i] + c[j, j] + sign * c[i, j]) for j in left] for i in left]
            kept.append(np.array([[float(x.sqrt()) for x in row] for row in both]))

    def rounding(self, reach: "Floats", drift: "Floats", span: float) -> float:
        """Return a relative error of weights: `reach` bounds |y_k|, `span` exponents."""
        import numpy as np

        z = np.sqrt(2 * span)
        total = 0.0
        for k in range(self.size):
            parts = reach[k] + float(np.abs(self.means[k][0]) @ reach[:k])
            off = (k + 5) * EPS * parts / self.deviation[k]
            total += off * (z + off)
            total += 4 * EPS * reach[k] * (float(self.size_of[k] @ reach) + abs(drift[k]))
        return float(total + 8 * EPS * (span + self.size))
