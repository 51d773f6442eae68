"""How far apart two values of a record can move a mechanism that hides what lies between: the bound
by blocks.

Let f(x) > 0 be an expectation given X_c = x with max f <= D min f. Then for values v, w of X_0

    E[f(X_c) | v] / E[f(X_c) | w] <= g_vw(D)
        = max over sets A of values of (1 + (D - 1) P^c(v, A)) / (1 + (D - 1) P^c(w, A)).

Records 1 .. c - 1 add a factor R each. For c = 1 this is the recursion of cao2017; for D infinite
it is the influence of the record at distance c. All numbers are floats, a factor `up` above what
their roundings can take.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("worst.blocks-upper",)


class Block:
    """g_vw for all pairs of values at one distance: sums of both rows over the best sets A, by
    size of A.

    A linear-fractional function is largest where f is min or max everywhere; the best A has the
    largest quotients P^c(v, y)/P^c(w, y). Floats that are equal may come in any order: their exact
    quotients differ by two roundings.
    """

    def __init__(self, distance: int, power: "Floats", up: float) -> None:
        import numpy as np

        self.distance, self.up = distance, up
        shape = (len(power),) * 3
        with np.errstate(divide="ignore", invalid="ignore"):
            quotients = power[:, None, :] / power[None, :, :]
        order = np.argsort(-np.nan_to_num(quotients, nan=0.0, posinf=np.inf), axis=2)
        rows = np.broadcast_to(power[:, None, :], shape)
        columns = np.broadcast_to(power[None, :, :], shape)
        self._upper = np.cumsum(np.take_along_axis(rows, order, axis=2), axis=2)
        self._lower = np.cumsum(np.take_along_axis(columns, order, axis=2), axis=2)
        self._corners = _corners(self._upper.ravel(), self._lower.ravel())

    def pairs(self, ratio: float, most: float) -> "Floats":
        """Return R^(c-1) g_vw(D), R = `ratio`, D = `most`, at least 1, for all v and w."""
        factor = self.up * ratio ** (self.distance - 1)  # worst.blocks-upper
        found: Floats = factor * _quotients(self._upper, self._lower, most).max(axis=2, initial=1.0)
        return found

    def largest(self, ratio: float, most: float) -> float:
        """Return the largest of `pairs`."""
        found = max(1.0, float(_quotients(*self._corners, most).max()))
        return float(self.up * ratio ** (self.distance - 1) * found)


def _quotients(upper: "Floats", lower: "Floats", most: float) -> "Floats":
    excess = most - 1
    found: Floats = (1 + excess * upper) / (1 + excess * lower)
    return found


def _corners(upper: "Floats", lower: "Floats") -> "tuple[Floats, Floats]":
    """Return the points that no other is above and left of: (1 + t a)/(1 + t b) grows with a and
    falls with b, so that the largest is among them.
    """
    import numpy as np

    order = np.lexsort((-upper, lower))
    highest = np.maximum.accumulate(upper[order])
    kept = order[np.concatenate([[True], highest[1:] > highest[:-1]])]
    return upper[kept], lower[kept]
