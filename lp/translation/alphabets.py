"""An upper bound of the worst ratio about one record of a chain with any number of values: bounds
for pairs of values, passed along from either end.

With C(z, z') a bound of how many times larger averages of a column are if record j is z than if it
is z', the next bound is the largest

    sum_z P_v(z) m(z) / sum_z P_w(z) m(z)    over 1 / C(r, z) <= m(z) <= C(z, r),

for the best reference value r. For two values it is exact; for more it need not be. Floats propose
the maximum, rounding errors are included in what is returned. With one number in place of C this is
the privacy leakage of cao2017.

Derived: worst.moebius-upper.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf, nextafter
from typing import TYPE_CHECKING

from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.models.errors import ModelError
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROUND = 2.0**-50  # above the relative error of a row of floats and of the sum of k products
_LARGEST = 1e12
_EVERY, _WIDER = 8, 2.0**-36  # how often, and how much above, bounds that stay are looked for
_MOVING = 2_000  # records of a chain whose laws change, each of which has a kernel of its own


def spreads(rows: "NDArray[np.float64]", factors: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return upper bounds of sum_z P_v(z) m(z) / sum_z P_w(z) m(z) for all rows v, w, over positive
    m with m(z) <= `factors`[z, z'] m(z').

    >>> import numpy as np
    >>> spreads(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([[1, 2], [2, 1]])).round(6)
    array([[1. , 1.4],
           [1.4, 1. ]])
    """
    import numpy as np

    best: NDArray[np.float64] = np.full(factors.shape, inf)
    for reference in range(len(factors)):
        lower, upper = 1 / factors[reference], factors[:, reference]
        if upper.max() < _LARGEST and lower.min() > 1 / _LARGEST:
            np.minimum(best, _over_box(rows, lower, upper), out=best)
    np.fill_diagonal(best, 1.0)
    return best


def _over_box(
    rows: "NDArray[np.float64]", lower: "NDArray[np.float64]", upper: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Return upper bounds over lower <= m <= upper: the best of the corners that are upper on the
    first values, these being sorted by P_v / P_w.

    The largest quotient over the box is at a corner that has the upper ends where P_v / P_w is
    large. It is the root of a falling function; what is returned is a number at which that function
    is shown to be negative.
    """
    import numpy as np

    one, other = np.broadcast_arrays(rows[:, None, :], rows[None, :, :])
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients = np.where(other > 0, one / other, np.where(one > 0, inf, 0))
    order = np.argsort(-quotients, axis=2)

    def corners(row: "NDArray[np.float64]") -> "NDArray[np.float64]":
        gained = np.take_along_axis(row * (upper - lower), order, 2)
        most: NDArray[np.float64] = np.cumsum(gained, axis=2)
        most += (row * lower).sum(axis=2)[:, :, None]
        return most

    with np.errstate(divide="ignore", invalid="ignore"):
        guess = np.nanmax(corners(one) / corners(other), axis=2)
    return _confirmed((one, other), lower, upper, np.maximum(guess, 1.0))


def _confirmed(
    laws: "tuple[NDArray[np.float64], NDArray[np.float64]]",
    lower: "NDArray[np.float64]",
    upper: "NDArray[np.float64]",
    guess: "NDArray[np.float64]",
) -> "NDArray[np.float64]":
    """Return numbers b slightly above `guess` at which sum_z (P_v - b P_w)(z) m(z) is negative for
    every m of the box.
    """
    import numpy as np

    (one, other), slack = laws, 1e-12
    bound: NDArray[np.float64] = np.full(guess.shape, inf)
    while slack < 1 and np.isinf(bound).any():
        tried = guess * (1 + slack)
        gaps = one - tried[:, :, None] * other
        most = np.where(gaps > 0, gaps * upper, gaps * lower)
        errors = (one.shape[2] + 8) * _ROUND * (np.abs(one) + tried[:, :, None] * other) * upper
        shown = (most + errors).sum(axis=2) < 0
        bound = np.where(np.isinf(bound) & shown, tried, bound)
        slack *= 8
    return bound


class ChainBounds:
    """Upper bounds along one Markov chain: how many times larger averages over the other records
    are given one value of record i than given another.

    Args:
        chain: any number of values.
        levels: of all its records.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> bounds = ChainBounds(chain, RecordLevels.uniform(3, ["log(2)"]))
    >>> round(bounds.ratio(2, 0, 1), 6)
    3.92

    Raises `ModelError` for a chain of more than 2,000 records that does not start stationary.
    """

    def __init__(self, chain: MarkovChain, levels: RecordLevels) -> None:
        self.levels = levels
        self.laws = Along(chain, levels.count, "enclosed")
        if not self.laws.stationary and levels.count > _MOVING:
            raise ModelError(
                f"expected at most {_MOVING} records, or a stationary start, found {levels.count}",
                "initial",
            )
        self._known: dict[tuple[int, bool], NDArray[np.float64]] = {}

    def ratio(self, record: int, one: int, other: int) -> float:
        """Return an upper bound of E[u | X_i = v] / E[u | X_i = w] over columns u of the levels."""
        value = _above(self.levels.at(record))
        for later in (False, True):
            value = nextafter(value * float(self.side(record, later)[one, other]), inf)
        return value

    def side(self, record: int, later: bool) -> "NDArray[np.float64]":
        """Return the bounds for the records after record i, or before it, for all pairs of values
        of record i; 1 where there are none.
        """
        key = (record, later)
        if key not in self._known:
            self._known[key] = self._later(record) if later else self._earlier(record)
        return self._known[key]

    def _later(self, record: int) -> "NDArray[np.float64]":
        runs = list(self.levels.between(record + 1, self.levels.count))[::-1]
        return _walked(self._square(1.0), _floats(self.laws.power(1)), runs)

    def _earlier(self, record: int) -> "NDArray[np.float64]":
        runs = self.levels.between(1, record - 1)
        if self.laws.stationary:
            return _walked(self._square(1.0), self._backward(1), runs)
        bounds, place = self._square(1.0), 1
        for length, total in runs:
            for _ in range(length):
                bounds, place = _walked(bounds, self._backward(place), [(1, total)]), place + 1
        return bounds

    def _backward(self, record: int) -> "NDArray[np.float64]":
        """Return the laws of a record given the next one; uniform where that value is impossible,
        as no average is taken there.
        """
        states = self.laws.states
        known = self.laws.backward(min(record + 1, self.laws.length), 1)
        blank = (Fraction(1, states),) * states
        return _floats([known.get(value, blank) for value in range(states)])

    def _square(self, value: float) -> "NDArray[np.float64]":
        import numpy as np

        return np.full((self.laws.states, self.laws.states), value)


def _walked(
    bounds: "NDArray[np.float64]",
    rows: "NDArray[np.float64]",
    runs: Iterable[tuple[int, Total]],
) -> "NDArray[np.float64]":
    """Return the bounds after records whose laws given the next one do not change.

    A run of equal levels is left where bounds are found that one more record does not raise: they
    hold for any number of them.
    """
    for length, total in runs:
        for step in range(length):
            bounds = _one_more(bounds, rows, total)
            if step % _EVERY == 0:
                wider = bounds * (1 + _WIDER)
                if (_one_more(wider, rows, total) <= wider).all():
                    bounds = wider
                    break
    return bounds


def _one_more(
    bounds: "NDArray[np.float64]", rows: "NDArray[np.float64]", total: Total
) -> "NDArray[np.float64]":
    import numpy as np

    factors = np.nextafter(bounds * _above(total), inf)
    np.fill_diagonal(factors, 1.0)
    return spreads(rows, factors)


def _floats(rows: Iterable[Sequence[Fraction | Bounds]]) -> "NDArray[np.float64]":
    """Return the middles of bounds, whose width is below 2^-52 of them."""
    import numpy as np

    return np.array(
        [
            [float((value.upper or 0) if isinstance(value, Bounds) else value) for value in row]
            for row in rows
        ]
    )


def _above(total: Total) -> float:
    """Return a float that is at least e to a level."""
    return nextafter(float(total.bounds()[1]), inf)
