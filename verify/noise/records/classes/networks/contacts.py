"""What levels per record leak at most of people who infect their contacts, with one transmission in
an interval for all contacts.

The interval is cut into cells. Over a cell every entry of every table lies between two numbers, and
so do the weights that elimination meets, sums of products of positive numbers: the mean of a column
h over an eliminated record y, h(y = 1) = F h(y = 0), lies between

    (u_0 + l_1 F) / (u_0 + l_1)  and  (l_0 + u_1 F) / (l_0 + u_1),   F >= 1,

for weights l_y .. u_y, and R_j grows by the largest quotient of such means (classes.elimination).
The worst cell is cut until it bounds no more than elimination does at single transmissions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from math import inf, isfinite, nextafter
from typing import TYPE_CHECKING

from pufferproof.models.priors.forest import Family
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.verify.noise.accounts.elimination import (
    WIDEST,
    Step,
    cost_of,
    float_above,
    orders_within,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("classes.elimination",)
_UNIT = 2.0**-53
_SMALLEST = 1e-290  # of products that are no denormal numbers
_LARGEST = 1e150  # of ratios
_CLOSE = 1e-6  # relative, of a bound and that of a single transmission
_MOST_CELLS = 200
_MOST_ENTRIES = 1 << 19  # of the tables of an order, for every cell
Levels = Sequence[Fraction | None]


def contacts_ratio(
    contacts: Contacts,
    record: int,
    levels: Levels,
    kept: Callable[[Fraction], bool] | None = None,
) -> Fraction | None:
    """Return a bound of e to what is leaked of a record under all transmissions of a class, given
    bounds of e^level of every record; None for infinite. With `kept`, a bound close enough to say
    whether it is kept.

    >>> pair = Contacts(2, [(1, 2)], ["0", "1/2"], "1/10")
    >>> found = contacts_ratio(pair, 1, [Fraction(3), Fraction(3)])
    >>> 0 <= found / (3 * Fraction(21, 12)) - 1 < Fraction(1, 10**9)
    True
    """
    if None in levels:
        return None
    if max(map(len, contacts.before.values())) > WIDEST:
        return _whole(levels)
    rates = [float_above(each) for each in levels]
    orders = orders_within(_families(contacts), record)
    small = [steps for steps in orders if cost_of(steps) <= _MOST_ENTRIES]
    searches = [_WorstRate(contacts, record, rates, steps) for steps in small]
    chosen = min(searches, key=lambda each: each.floor, default=None)
    best = inf if chosen is None else chosen.bound(kept)
    return min(Fraction(best), _whole(levels)) if isfinite(best) else _whole(levels)


def _whole(levels: Levels) -> Fraction:
    """Return e to all levels together, which bounds what is leaked of any record."""
    whole = Fraction(1)
    for level in levels:
        whole *= level or 1
    return whole


def _families(contacts: Contacts) -> list[Family]:
    """Return who depends on whom: orders do not look at the tables."""
    import numpy as np

    return [Family(tuple(before), np.empty(2, dtype=object)) for before in contacts.before.values()]


@dataclass(frozen=True)
class _Factor:
    """Bounds of a table over records, and the largest relative error of both."""

    scope: tuple[int, ...]
    low: "Floats"
    high: "Floats"
    error: float

    @classmethod
    def of(cls, scope: tuple[int, ...], low: "Floats", high: "Floats", error: float) -> "_Factor":
        """Return a factor scaled by a power of two, so that its largest entry is about 1."""
        import numpy as np

        top = float(high.max())
        shift = -int(np.frexp(top)[1]) if top else 0
        least = np.ldexp(low, shift)
        return cls(scope, np.where(least < _SMALLEST, 0, least), np.ldexp(high, shift), error)

    @property
    def least(self) -> float:
        """The least positive upper bound."""
        positive = self.high[self.high > 0]
        return float(positive.min()) if positive.size else 1.0


@dataclass(frozen=True)
class _WorstRate:
    """The search over transmissions for the largest bound by one order of elimination."""

    contacts: Contacts
    record: int
    rates: Sequence[float]
    steps: Sequence[Step]

    @cached_property
    def floor(self) -> float:
        """The larger bound of both ends."""
        return max(self._over(end, end) for end in {self.contacts.lower, self.contacts.upper})

    def bound(self, kept: Callable[[Fraction], bool] | None) -> float:
        """Return the largest bound of all cells, the worst of which is cut as long as that helps,
        and no more than 200 times; infinity if it is known not to be kept.
        """
        if kept is not None and not (isfinite(self.floor) and kept(Fraction(self.floor))):
            return inf  # an end exceeds what is to be kept
        low, high, floor = self.contacts.lower, self.contacts.upper, self.floor
        cells = [(-self._over(low, high), low, high)]
        for _ in range(_MOST_CELLS):
            worst, low, high = cells[0]
            if -worst <= floor * (1 + _CLOSE) or low == high:
                break
            if kept is not None and isfinite(worst) and kept(Fraction(-worst)):
                break
            heappop(cells)
            middle = (low + high) / 2
            floor = max(floor, self._over(middle, middle))
            heappush(cells, (-self._over(low, middle), low, middle))
            heappush(cells, (-self._over(middle, high), middle, high))
        return -cells[0][0]

    def _over(self, low: Fraction, high: Fraction) -> float:
        """Return the bound of the secret record over a cell; infinity where floats end."""
        bag = self._tables(low, high)
        ratios = {record: (rate, rate) for record, rate in enumerate(self.rates, 1)}
        for record, around in self.steps:
            used = [each for each in bag if record in each.scope]
            bag = [each for each in bag if record not in each.scope]
            least = 1.0
            for each in used:
                least *= each.least
            up, down = ratios[record]
            if least < _SMALLEST or max(up, down) > _LARGEST:
                return inf
            scope = (*around, record)
            lower, upper = _product(used, scope, "low"), _product(used, scope, "high")
            error = sum(each.error for each in used) + len(used) * _UNIT
            slack = 1 + 16 * error + 64 * _UNIT
            for other, more in zip(around, _most(lower, upper, (up, nextafter(1 / down, 0)))):
                one, zero = (old * new * slack for old, new in zip(ratios[other], more))
                ratios[other] = one, zero
            bag.append(_Factor.of(around, lower.sum(-1), upper.sum(-1), error + _UNIT))
        return max(ratios[self.record])

    def _tables(self, low: Fraction, high: Fraction) -> list[_Factor]:
        """Return bounds of every table: P(healthy) falls in the transmission."""
        import numpy as np

        known: dict[int, tuple[Floats, Floats]] = {}
        found = []
        for person, before in self.contacts.before.items():
            if (size := len(before)) not in known:
                ill = sum(np.indices((2,) * size)) if size else np.array(0)
                ends = [self._well(end, size) for end in (high, low)]  # least and most of healthy
                least, most = (np.array([float(x) for x in each])[ill] for each in ends)
                sick = [np.array([float(1 - x) for x in each])[ill] for each in reversed(ends)]
                known[size] = np.stack([least, sick[0]], -1), np.stack([most, sick[1]], -1)
            found.append(_Factor.of((*before, person), *known[size], _UNIT))
        return found

    def _well(self, transmission: Fraction, size: int) -> list[Fraction]:
        return [(1 - self.contacts.base) * (1 - transmission) ** ill for ill in range(size + 1)]


def _product(factors: Sequence[_Factor], scope: tuple[int, ...], end: str) -> "Floats":
    """Return the product of bounds of tables, with an axis for each record of a scope."""
    import numpy as np

    result = np.ones((2,) * len(scope))
    for factor in factors:
        places = [scope.index(record) for record in factor.scope]
        shape = [2 if at in places else 1 for at in range(len(scope))]
        table = factor.low if end == "low" else factor.high
        result *= np.transpose(table, np.argsort(places)).reshape(shape)
    return np.where(result < _SMALLEST, 0, result) if end == "low" else result


def _most(low: "Floats", high: "Floats", rates: tuple[float, float]) -> list[tuple[float, float]]:
    """Return by how much the bounds of every neighbour grow, R(1, 0) first, as an eliminated
    record, the last axis, is a rate likelier to be 1 than to be 0.

    Neighbours that have probability 0 together may give any law: that of 0, the same for all; of a
    single neighbour that of its other value.
    """
    import numpy as np

    found = [(1.0, 1.0)] * (low.ndim - 1)
    if low.ndim == 2 and not high.any(-1).all():
        return found
    for rate in rates:
        never = np.where(high[..., 1] > 0, rate, 1)  # y is never 0, or neither is possible
        one = _mean(low[..., 0], high[..., 1], rate, np.ones_like(never))
        other = _mean(high[..., 0], low[..., 1], rate, never)
        most, least = (one, other) if rate >= 1 else (other, one)
        for axis, (up, down) in enumerate(found):
            above = most.take(1, axis) / least.take(0, axis)
            below = most.take(0, axis) / least.take(1, axis)
            found[axis] = max(up, float(above.max())), max(down, float(below.max()))
    return found


def _mean(zero: "Floats", one: "Floats", rate: float, unknown: "Floats") -> "Floats":
    """Return (zero + one rate) / (zero + one), and what is given for 0 / 0."""
    import numpy as np

    total = zero + one
    return np.where(total > 0, (zero + one * rate) / np.where(total > 0, total, 1), unknown)
