"""What the records on either side of another tell at most of two of its values, of many cells of
boxes of chains at once: steps may each have a matrix of their own.

With tau(a, b) the change of the density of the noise from what a adds to what b adds, and

    g_(t-1)(x; u) = sum_z P(x, z) g_t(z; u - c(z)),    g_t(a; u) <= R_t(a, b) g_t(b; u),

the last factors are in {g : g(a) <= tau(a, b) R_t(a, b) g(b)}, on whose extreme rays the quotient
of two rows is largest. Backwards rows are P(x, y) p(x) / sum_z P(z, y) p(z), p the law of a record
(`laws`). Of any p, and of two values with quotients h of g and d of odds, means are apart by

    ((sqrt(h d) + 1) / (sqrt h + sqrt d))^2    at most.
"""

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from pufferproof.verify.noise.classes.rows.laws import MOST_STEPS, by_laws, laws
from pufferproof.verify.noise.classes.rows.rays import largest, rays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Span: TypeAlias = tuple[Floats, Floats]

MOST_RAYS = 6  # values, of which cones have few extreme rays
_UP = 1 + 1e-12  # above the rounding of a step
_ROUND = 1e-14  # of means of numbers up to 1
_TAME = 1e100  # up to which changes are told by rays: above, products overflow


class Sides:
    """The records on the sides of another, under rows between bounds of shape (cells, values,
    values); `first`: bounds of the law of X_1, None if it is stationary.
    """

    def __init__(self, low: "Floats", high: "Floats", first: "Span | None" = None) -> None:
        self.low, self.high = low, high
        self._known: dict[tuple[int, bytes], Floats] = {}
        self._settled = laws(low, high, None)[-1]
        self._laws = [] if first is None else laws(low, high, first)

    def after(self, taus: Sequence["Floats"]) -> "list[Floats]":
        """Return R by record, the first record first."""
        import numpy as np

        found = [np.ones_like(self.low)]
        for tau in taus[:0:-1]:
            found.append(self._forward(_times(found[-1], tau)))
        return found[::-1]

    def before(self, taus: Sequence["Floats"]) -> "list[Floats]":
        """Return bounds of quotients of A by record."""
        import numpy as np

        found = [np.ones_like(self.low)]
        for t, tau in enumerate(taus[:-1]):
            found.append(self._backward(_times(found[-1], tau), t if t < MOST_STEPS else MOST_STEPS))
        return found

    def _forward(self, apart: "Floats") -> "Floats":
        key = -1, apart.tobytes()
        if key not in self._known:
            step = _by_odds(self.low, self.high, apart)
            told = _tame(apart)
            if told.any():
                low, high = self.low[told], self.high[told]
                step[told] = step[told].clip(max=_by_rays(rays(apart[told]), low, high))
            self._known[key] = step
        return self._known[key]

    def _backward(self, apart: "Floats", t: int) -> "Floats":
        key = t, apart.tobytes()
        if key not in self._known:
            step = _by_odds(self.low.transpose(0, 2, 1), self.high.transpose(0, 2, 1), apart)
            told = _tame(apart)
            if told.any():
                law = self._laws[t] if t < min(len(self._laws), MOST_STEPS) else self._settled
                span = law[0][told], law[1][told]
                bound = by_laws(rays(apart[told]), self.low[told], self.high[told], span)
                step[told] = step[told].clip(max=bound)
            self._known[key] = step
        return self._known[key]


def _tame(apart: "Floats") -> "NDArray[np.bool_]":
    """Return of which cells rays are looked at."""
    told: NDArray[np.bool_] = (apart < _TAME).all(axis=(1, 2)) & (apart.shape[1] <= MOST_RAYS)
    return told


def _times(apart: "Floats", tau: "Floats") -> "Floats":
    """Return the product, infinite above _TAME."""
    import numpy as np

    with np.errstate(all="ignore"):
        found: Floats = np.where(apart < _TAME, apart * tau * _UP, np.inf)
    return found


def _by_odds(low: "Floats", high: "Floats", apart: "Floats") -> "Floats":
    """Return bounds of quotients of means of two rows by the odds of two values, all rows being
    weighed by any numbers.
    """
    import numpy as np

    size = low.shape[1]
    far = np.sqrt(apart.clip(max=_TAME))
    found = np.ones(low.shape)
    for x, y in product(range(size), repeat=2):
        if x == y:
            continue
        with np.errstate(all="ignore"):
            odds = high[:, x, :, None] * high[:, y, None] / (low[:, x, None] * low[:, y, :, None])
        odds = np.where(np.isfinite(odds), np.maximum(odds * _UP, 1), np.inf)
        root = np.sqrt(np.where(odds < np.inf, odds, 1))
        told = np.where(apart < _TAME, ((root * far + 1) / (root + far)) ** 2, odds)
        told = np.where(odds < np.inf, told, apart)
        told[:, range(size), range(size)] = 1
        found[:, x, y] = told.max(axis=(1, 2)) * _UP
    return found


def _by_rays(rows: "Floats", low: "Floats", high: "Floats") -> "Floats":
    """Return bounds of quotients of means of two rows over a cone with these rays."""
    import numpy as np

    less, more, numbers = low[:, :, None], high[:, :, None], rows[:, None]
    top = largest(less, more, numbers)[:, :, None] + _ROUND
    least = -largest(less, more, -numbers)[:, None] - _ROUND
    with np.errstate(all="ignore"):
        told = np.where(least > _ROUND, top / least, np.inf)
    found: Floats = told.max(axis=-1) * _UP
    size = low.shape[1]
    found[:, range(size), range(size)] = 1
    return found
