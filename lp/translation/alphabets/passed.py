"""An upper bound of the worst ratio about one record of a chain with any number of values: bounds
for pairs of values, passed along from either end.

With C(z, z') a bound of how many times larger averages of a column are if record j is z than if it
is z', the next bound is the largest

    sum_z P_v(z) m(z) / sum_z P_w(z) m(z)    over 1 / C(r, z) <= m(z) <= C(z, r),

for the best reference value r. For two values it is exact; for more it need not be. Floats propose
the maximum, rounding errors are included in what is returned. With one number in place of C this is
the privacy leakage of cao2017.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import exp, inf, isfinite, log, nextafter
from typing import TYPE_CHECKING

from pufferproof.lp.records.stationary import LeakageBound
from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.moebius-upper",)
_ROUND = 2.0**-50  # above the relative error of a row of floats and of the sum of k products
_LARGEST = 1e12
_EVERY, _WIDER = 8, 2.0**-36  # how often, and how much above, bounds that stay are looked for
_FEW = 8  # values for which all records are bounded pair by pair
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
    """Return b slightly above `guess` with sum_z (P_v - b P_w)(z) m(z) < 0 on the box."""
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

    Where levels are equal, the start is stationary and every value is possible, these are also at
    most the bounds of `pufferproof.lp.records.stationary`: of up to 8 values at every step, of more
    in the end, and for all records at once then those alone, which are quick.

    Args:
        chain: any number of values.
        count: the number of records.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> bounds = ChainBounds(chain, 3).at(RecordLevels.uniform(3, ["log(2)"]))
    >>> round(bounds.ratio(2, 0, 1), 6)
    3.92

    Raises `ModelError` for a chain of more than 2,000 records that does not start stationary.
    """

    def __init__(self, chain: MarkovChain, count: int) -> None:
        self.length = count
        self.laws = Along(chain, count, "enclosed")
        if not self.laws.stationary and count > _MOVING:
            raise ModelError(
                f"expected at most {_MOVING} records, or a stationary start, found {count}",
                "initial",
            )
        even = self.laws.stationary and len(self.laws.possible(1)) == self.laws.states
        stationary = MarkovChain("stationary", chain.transition)
        self.anywhere = LeakageBound(stationary, count) if even else None

    def at(self, levels: RecordLevels) -> "BoundsAt":
        """Return the bounds for levels of all its records."""
        if self.anywhere is None or not levels.equal:
            return BoundsAt(self.laws, levels)
        return EvenBounds(self.laws, levels, self.anywhere)

    def nats(self, level: float) -> float:
        """Return an upper bound of the leakage about any record of all mechanisms of one level per
        record, both in nats. Raises `ModelError` unless the start is stationary and every value is
        possible.
        """
        if self.anywhere is None:
            raise ModelError("expected a stationary start and every value possible", "initial")
        if level <= 0:
            return 0.0
        levels = RecordLevels(((self.length, Total(Fraction(1), Fraction(level))),))
        return nats_above(EvenBounds(self.laws, levels, self.anywhere).largest())


def nats_above(ratio: float) -> float:
    """Return a float that is at least the logarithm of a ratio."""
    return log(ratio) * (1 + 2.0**-50) + 2.0**-50


class BoundsAt:
    """The bounds along one chain at given levels of all its records."""

    def __init__(self, laws: Along, levels: RecordLevels) -> None:
        self.laws, self.levels = laws, levels
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
        return _walked(_square(self.laws.states), _floats(self.laws.power(1)), runs)

    def _earlier(self, record: int) -> "NDArray[np.float64]":
        runs = self.levels.between(1, record - 1)
        bounds, place = _square(self.laws.states), 1
        if self.laws.stationary:
            return _walked(bounds, backward(self.laws, 1), runs)
        for length, total in runs:
            for _ in range(length):
                bounds, place = _walked(bounds, backward(self.laws, place), [(1, total)]), place + 1
        return bounds


class EvenBounds(BoundsAt):
    """The bounds for equal levels along a stationary chain all of whose values are possible: every
    step is also capped by what hides several records together, or lets worlds meet.
    """

    def __init__(self, laws: Along, levels: RecordLevels, anywhere: LeakageBound) -> None:
        super().__init__(laws, levels)
        nats = above(Fraction(levels.largest.enclosure().upper))
        self._anywhere = nextafter(exp(anywhere.nats(nats)) * (1 + 2.0**-50), inf)
        self._sides: list[list[NDArray[np.float64]]] | None = None
        if laws.states <= _FEW:
            kernels = backward(laws, 1), _floats(laws.power(1))
            after, before = anywhere.quotients(nats)
            self._sides = [
                _capped(kernel, quotients, levels.largest, levels.count)
                for kernel, quotients in zip(kernels, (before, after))
            ]

    def ratio(self, record: int, one: int, other: int) -> float:
        return min(self._anywhere, super().ratio(record, one, other))

    def side(self, record: int, later: bool) -> "NDArray[np.float64]":
        if self._sides is None:
            return super().side(record, later)
        bounds = self._sides[later]
        count = self.levels.count - record if later else record - 1
        return bounds[min(count, len(bounds) - 1)]

    def largest(self) -> float:
        """Return the largest bound of a ratio about any record."""
        if self._sides is None:
            return self._anywhere
        last, count = max(map(len, self._sides)), self.levels.count
        near = {*range(1, min(count, last) + 1), *range(max(1, count - last), count + 1)}
        inner = {(count + 1) // 2}
        own, found = _above(self.levels.largest), 1.0
        for record in near | inner:
            before = nextafter(own, inf) * self.side(record, later=False)
            found = max(found, float((before * self.side(record, later=True)).max()))
        return min(self._anywhere, found * (1 + 2.0**-50))


def backward(laws: Along, record: int) -> "NDArray[np.float64]":
    """Return the laws of a record given the next one; uniform where that value is impossible, as no
    average is taken there.
    """
    rows = laws.backward(min(record + 1, laws.length), 1)
    blank = (Fraction(1, laws.states),) * laws.states
    return _floats([rows.get(value, blank) for value in range(laws.states)])


def _square(states: int) -> "NDArray[np.float64]":
    import numpy as np

    return np.ones((states, states))


def _capped(
    rows: "NDArray[np.float64]", quotients: Sequence[float], total: Total, count: int
) -> "list[NDArray[np.float64]]":
    """Return the bounds after 0, 1, .. count - 1 records of one level; the last one holds for any
    more of them.

    Args:
        quotients: bounds D_n of what n records tell of the first of them, as far as they are known:
            of what n records tell of the one before them D_(n+1) / R is a bound.
    """
    import numpy as np

    bounds, own = [_square(len(rows))], below(total.bounds()[0])
    most = nextafter(quotients[-1] / own, inf) if len(quotients) == count + 1 else inf
    idle = 0  # steps that gave nothing less than the caps
    while len(bounds) < count:
        place = len(bounds) + 1
        cap = nextafter(quotients[place] / own, inf) if place < len(quotients) else inf
        if idle >= _EVERY and isfinite(most):
            bounds.append(np.maximum(_square(len(rows)), cap))
            if cap >= most:
                break
            continue
        step = _one_more(bounds[-1], rows, total)
        idle = idle + 1 if (step[~np.eye(len(rows), dtype=bool)] >= cap).all() else 0
        bounds.append(np.minimum(step, cap))
        if len(bounds) % _EVERY == 0:
            wider = bounds[-1] * (1 + _WIDER)
            if (np.minimum(_one_more(wider, rows, total), most) <= wider).all():
                bounds.append(wider)
                break
    return bounds


def _walked(
    bounds: "NDArray[np.float64]", rows: "NDArray[np.float64]", runs: Iterable[tuple[int, Total]]
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
    return above(total.bounds()[1])
