"""What levels per record leak at most of people who infect their contacts, with one transmission in
an interval for all contacts.

The interval is cut into cells. Over a cell every entry of every table lies between two numbers, and
so do the weights that elimination meets, sums of products of positive numbers: the mean of a column
h over an eliminated record y, h(y = 1) = F h(y = 0), lies between

    (u_0 + l_1 F) / (u_0 + l_1)  and  (l_0 + u_1 F) / (l_0 + u_1),   F >= 1,

for weights l_y .. u_y, and R_j grows by the largest quotient of such means
(classes.elimination-rays).
The worst cell is cut until it bounds no more than elimination does at single transmissions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from heapq import heappop, heappush
from math import inf, isfinite
from operator import mul
from typing import TYPE_CHECKING

from pufferproof.models.numbers.intervals import Interval, mixture, part, up
from pufferproof.models.priors.bayesian_network import Bag, aligned
from pufferproof.models.priors.forest import Family
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.verify.noise.accounts.elimination import WIDEST, Step, cost_of, float_above, orders_within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("classes.elimination-rays",)
_SMALL = 1e-30  # of the largest entry of a table that is scaled
_LARGEST = 1e150  # of ratios
_CLOSE = 1e-6  # relative, of a bound and that of a single transmission
_MOST_CELLS = 200  # cuts of the worst cell, each two more eliminations
_MOST_ENTRIES = 1 << 19  # of the tables of an order, for every cell: bounds of 8 MB
Levels = Sequence[Fraction | None]


def contacts_ratio(
    contacts: Contacts, record: int, levels: Levels, kept: Callable[[Fraction], bool] | None = None
) -> Fraction | None:
    """Return a bound of e to what is leaked of a record under all transmissions of a class, given
    bounds of e^level of every record, or None if infinite. With `kept`, a bound close enough to say
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
    rates = [float_above(level) for level in levels]
    # who depends on whom: orders do not look at the tables
    import numpy as np

    families = [Family(tuple(before), np.empty(2, dtype=object)) for before in contacts.before.values()]
    orders = orders_within(families, record)
    small = [steps for steps in orders if cost_of(steps) <= _MOST_ENTRIES]
    searches = [_WorstRate(contacts, record, rates, steps) for steps in small]
    chosen = min(searches, key=lambda one: one.floor, default=None)
    best = inf if chosen is None else chosen.bound(kept)
    return min(Fraction(best), _whole(levels)) if isfinite(best) else _whole(levels)


def _whole(levels: Levels) -> Fraction:
    """Return e to all levels together, which bounds what is leaked of any record."""
    whole = Fraction(1)
    for level in levels:
        whole *= level or 1
    return whole


@dataclass(frozen=True)
class _ContactTable:
    """A table over records, an axis for each."""

    scope: tuple[int, ...]
    table: Interval

    @classmethod
    def of(cls, scope: tuple[int, ...], table: Interval) -> "_ContactTable":
        """Return a factor, of which a small table is scaled by a power of two."""
        import numpy as np

        top = float(table.high.max())
        if 0 < top < _SMALL:
            table = table * 2.0 ** min(-int(np.frexp(top)[1]), 1000)
        return cls(scope, table)


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
        """Return the largest bound of all cells after cutting the worst cell while it helps, at
        most 200 times, or infinity if an end already exceeds the level.
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
        import numpy as np

        bag = Bag(self._tables(low, high))
        ratios = np.repeat(np.array([0.0, *self.rates])[:, None], 2, axis=1)  # R(1, 0), R(0, 1)
        for record, around in self.steps:
            if not ratios[record].max() <= _LARGEST:
                return inf
            scope = (*around, record)
            sizes = dict.fromkeys(scope, 2)
            used = (aligned(one.table, one.scope, scope, sizes) for one in bag.take(record))
            table = reduce(mul, used)
            near = list(around)
            ratios[near] = (Interval.point(ratios[near]) * _most(table, ratios[record])).high
            bag.add(_ContactTable.of(around, table[..., 0] + table[..., 1]))
        return float(ratios[self.record].max())

    def _tables(self, low: Fraction, high: Fraction) -> list[_ContactTable]:
        """Return bounds of every table: P(healthy) falls in the transmission."""
        import numpy as np

        least, most = self._well(high), self._well(low)
        well = Interval(least.low, most.high)
        rows = Interval.stack([well, 1 - well], -1)  # by the number of ill contacts
        ill = {size: sum(np.indices((2,) * size), np.array(0)) for size in self._sizes}
        tables = {size: rows[sick] for size, sick in ill.items()}
        people = self.contacts.before.items()
        return [_ContactTable.of((*before, person), tables[len(before)]) for person, before in people]

    @cached_property
    def _sizes(self) -> set[int]:
        return {*map(len, self.contacts.before.values())}

    @cached_property
    def _wells(self) -> dict[Fraction, Interval]:
        return {}

    def _well(self, transmission: Fraction) -> Interval:
        """Return the probability to stay healthy, by the number of ill contacts."""
        if transmission not in self._wells:
            ills = range(max(self._sizes) + 1)
            rows = [(1 - self.contacts.base) * (1 - transmission) ** ill for ill in ills]
            self._wells[transmission] = Interval.around(rows)
        return self._wells[transmission]


def _most(table: Interval, ratios: "Floats") -> Interval:
    """Return by how much the bounds R(1, 0) and R(0, 1) of every neighbour grow, as an eliminated
    record, the last axis, is at most R(1, 0) times likelier to be 1, or R(0, 1) times to be 0.

    Neighbours that have probability 0 together may give any law: that of 0, the same for all; of a
    single neighbour that of its other value.
    """
    import numpy as np

    count = len(table.shape) - 1
    possible = table.high > 0
    if count == 1 and not possible.any(-1).all():
        return Interval.point(np.ones((1, 2)))
    share = part(table[..., 1], table[..., 0])
    share = Interval(share.low, np.where(possible[..., 1], share.high, 0))
    bounds = Interval.point(ratios)
    rates = Interval.stack([bounds[0], 1 / bounds[1]]).reshape(2, *(1,) * count)
    mean = mixture(share, Interval.point(1.0), rates)
    grown = np.ones((count, 2))
    for axis, most in enumerate(grown, 1):  # means are at least 1 / R(0, 1): no quotient underflows
        zero, one = mean.take(0, axis), mean.take(1, axis)
        most[:] = (one.high / zero.low).max(), (zero.high / one.low).max()
    return Interval.point(np.maximum(up(grown), 1))
