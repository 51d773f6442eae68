"""What a channel leaks at most under a class of Markov chains, by trees of histories.

A chain of the class is a tree in which every history has a row within the bounds of its last value.
Over such trees, whose rows may differ from history to history, the largest mean of a function of
the database is found backwards. Let v be the column of an output. If

    max E[(v - high) 1{X_i = a}] <= 0   and   max E[(low - v) 1{X_j = b}] <= 0,

then P(output | X_i = a) <= high and P(output | X_j = b) >= low under every chain of the class, and
their quotient is at most high / low. The box is cut where this bound is largest. Floats propose
`high` and `low`, exact arithmetic decides.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import count, product
from math import ceil, floor, lcm
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.chains.box import IntervalChain, tight
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_LEAVES = 40_000  # databases times outputs times values that are secrets
_WORK = 32_000  # the same, over all cells; a third where no level is asked for
_OVERHEAD = 500  # of a cell
_MOST_CELLS = 128
_CLOSE = Fraction(65, 64)  # of a bound to what is leaked: no further cuts
_BITS, _STEPS, _ROUNDS = 48, 24, 12
Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class TreeBound:
    """What is leaked at most, as e to it, None for infinite, the cells that show it, and what of
    them does.
    """

    upper: Fraction | None
    cells: int
    by: str = "trees of histories"

    def within(self, kept: Callable[[Fraction], bool]) -> bool:
        """Whether the bound is finite and keeps a level."""
        return self.upper is not None and kept(self.upper)


def tree_bound(
    framework: Framework,
    channel: Channel,
    enough: Callable[[Fraction], bool] | None,
    leaked: Fraction | None,
    effort: int = 1,
) -> TreeBound | None:
    """Return a bound for all classes of a framework, or None if databases are too many.

    Args: channel: on all databases of the records. enough: whether a bound is small enough, None
    where no level is asked for. leaked: what some chains leak, None for infinite: then there is no
    bound. effort: how many times the usual work may be done.
    """
    records = framework.expect_records()
    places = sorted(set(framework.places.values()))
    size = len(records.alphabet) ** records.count * len(channel.outputs) * len(places)
    if leaked is None:
        return TreeBound(None, 0)
    if size > MOST_LEAVES * effort:
        return None
    most, cells, work = Fraction(1), 0, effort * (_WORK if enough else _WORK // 3)
    for box in framework.boxes.values():
        search = _LargestCell(
            framework, channel, box, min(_MOST_CELLS, max(1, work // (size + _OVERHEAD)))
        )
        upper, tried = search.bound(
            lambda ratio: (enough is not None and enough(ratio)) or ratio <= leaked * _CLOSE
        )
        cells += tried
        if upper is None:
            return TreeBound(None, cells)
        most = max(most, upper)
    return TreeBound(most, cells)


@dataclass(frozen=True)
class _Column:
    """The probabilities of an output over the databases, as integers of one unit."""

    numbers: tuple[int, ...]
    unit: int

    @property
    def rough(self) -> list[float]:
        return [n / self.unit for n in self.numbers]

    def __neg__(self) -> "_Column":
        return _Column(tuple(-n for n in self.numbers), self.unit)


class _LargestCell:
    """Cuts of a box, the cell with the largest bound first."""

    def __init__(
        self, framework: Framework, channel: Channel, box: IntervalChain, most: int
    ) -> None:
        self.framework, self.box, self.most = framework, box, most
        records = framework.expect_records()
        labels = records.labels()
        whole = channel.aligned(labels, frozenset(range(len(labels))))
        unit = lcm(*whole.denominators)
        rows = [
            [number * (unit // whole.denominators[x]) for number in whole.numerators_of(x)]
            for x in range(len(labels))
        ]
        self.columns = [_Column(tuple(column), unit) for column in zip(*rows) if any(column)]
        self.flipped = [-column for column in self.columns]
        self.holds = {
            place: tuple(x[place[0] - 1] == place[1] for x in _databases(records))
            for place in set(framework.places.values())
        }

    def bound(self, small: Callable[[Fraction], bool]) -> tuple[Fraction | None, int]:
        """Return the bound of the whole box, and the number of cells that were looked at."""
        order = count()
        first = _Cell(self.box.lower, self.box.upper)
        if self.box.initial == "any":
            every = (Fraction(0),) * self.box.states, (Fraction(1),) * self.box.states
            first = _Cell((*first.lower, every[0]), (*first.upper, every[1]))
        left = [(*self._key(first), next(order), first)]
        heapify(left)
        tried = 1
        while tried < self.most and not (left[0][0] == 1 and small(-left[0][1])):
            halves = left[0][3].halves()
            if not halves:
                break
            heappop(left)
            for half in halves:
                heappush(left, (*self._key(half), next(order), half))
            tried += len(halves)
        return (None if left[0][0] == 0 else -left[0][1]), tried

    def _key(self, cell: "_Cell") -> tuple[int, Fraction]:
        """Return what sorts cells: those without a bound first, then the largest bounds."""
        ratio = self._ratio(cell)
        return (0, Fraction(0)) if ratio is None else (1, -ratio)

    def _ratio(self, cell: "_Cell") -> Fraction | None:
        """Return the largest quotient of a cell, at least 1, None for infinite."""
        walk = _Walk(cell.rows(self.box.initial))
        ends = {
            place: list(zip(*(walk.highest(each, held) for each in (self.columns, self.flipped))))
            for place, held in self.holds.items()
            if walk.sign([int(within) for within in held]) > 0  # else the secret is impossible
        }
        most = Fraction(1)
        for pair in self.framework.pairs:
            one, other = (ends.get(self.framework.places[name], []) for name in pair)
            for above, below in zip(one, other):
                for high, low in ((above[0], -below[1]), (below[0], -above[1])):
                    if high and not low:
                        return None
                    most = max(most, high / low) if high else most
        return most


@dataclass(frozen=True)
class _Cell:
    """A box of matrices, its rows tight; the last row is the first law where any is allowed."""

    lower: tuple[Row, ...]
    upper: tuple[Row, ...]

    def halves(self) -> list["_Cell"]:
        """Return the two cells on either side of the middle of the widest entry, none where there
        is but one matrix, and one first law where any is allowed.
        """
        width, x, y = max(
            (high - low, x, y)
            for x, ends in enumerate(zip(self.lower, self.upper))
            for y, (low, high) in enumerate(zip(*ends))
        )
        if not width:
            return []
        middle = self.lower[x][y] + width / 2
        low, high = self.lower[x], self.upper[x]
        return [
            self._with(x, low, (*high[:y], middle, *high[y + 1 :])),
            self._with(x, (*low[:y], middle, *low[y + 1 :]), high),
        ]

    def _with(self, x: int, low: Row, high: Row) -> "_Cell":
        below, above = tight(low, high)
        return _Cell(
            (*self.lower[:x], below, *self.lower[x + 1 :]),
            (*self.upper[:x], above, *self.upper[x + 1 :]),
        )

    def rows(self, initial: Row | str) -> list[tuple[Row, Row]]:
        """Return bounds of every row, and of the first law: of stationary ones by pi = pi P^m."""
        known = list(zip(self.lower, self.upper))
        if initial == "any":
            return known
        if not isinstance(initial, str):
            return [*known, (initial, initial)]
        bounds, states = [], range(len(self.lower))
        for y in states:
            low = high = [Fraction(int(x == y)) for x in states]
            for _ in range(_STEPS):
                low = [_down(-self.best(x, [-p for p in low])) for x in states]
                high = [_up(self.best(x, high)) for x in states]
            bounds.append((min(low), max(high)))
        return [*known, tight([low for low, _ in bounds], [high for _, high in bounds])]

    def best(self, x: int, values: Sequence[Fraction]) -> Fraction:
        """Return the largest mean of values over the rows of a state."""
        return _best(self.lower[x], self.upper[x], values)


class _Walk:
    """The largest means of functions of the database over the trees of a cell."""

    def __init__(self, rows: Sequence[tuple[Row, Row]]) -> None:
        import numpy as np

        unit = lcm(*(p.denominator for row in rows for end in row for p in end))
        self.rows = [_Polytope.of(low, high, unit) for low, high in rows]
        self.rough = [
            (np.array(low, float), np.array(high, float) - np.array(low, float))
            for low, high in rows
        ]

    def sign(self, values: Sequence[int]) -> int:
        """Return a positive multiple of the largest mean."""
        *rows, start = self.rows
        while len(values) > len(rows):
            values = [
                rows[place % len(rows)].best(values[place * len(rows) : (place + 1) * len(rows)])
                for place in range(len(values) // len(rows))
            ]
        return start.best(values)

    def highest(self, columns: Sequence[_Column], held: Sequence[bool]) -> list[Fraction]:
        """Return what the means of columns given a secret do not exceed, proved: rounded proposals,
        or the greatest entry there.
        """
        import numpy as np

        proposed = self._proposed_approx(np.array([each.rough for each in columns]), held)
        return [self._high(*each, held) for each in zip(columns, proposed.tolist())]

    def _high(self, column: _Column, proposed: float, held: Sequence[bool]) -> Fraction:
        most = max(n for n, within in zip(column.numbers, held) if within)
        for bits in (30, 20, 10):
            high = ceil((proposed + 2.0**-bits * abs(proposed)) * 2**_BITS)
            if high * column.unit >= most << _BITS:
                break
            known = [
                (n << _BITS) - high * column.unit if within else 0
                for n, within in zip(column.numbers, held)
            ]
            if self.sign(known) <= 0:
                return Fraction(high, 2**_BITS)
        return Fraction(most, column.unit)

    def _proposed_approx(self, columns: "Floats", held: Sequence[bool]) -> "Floats":
        """Return about the largest conditional means: the mean under the best tree for one number
        is the next number.
        """
        import numpy as np

        inside = np.array(held, float)
        found: Floats = np.min(columns[:, np.array(held)], axis=1)
        for _ in range(_ROUNDS):
            means, masses = self._policy_approx((columns - found[:, None]) * inside, inside)
            gained = np.divide(means, masses, out=np.zeros_like(means), where=masses > 0)
            found = found + np.maximum(gained, 0)
            if np.all(gained <= 1e-13 * np.abs(found)):
                break
        return found

    def _policy_approx(self, values: "Floats", inside: "Floats") -> "tuple[Floats, Floats]":
        """Return the largest means, and the probability of the secret under the trees that have
        them.
        """
        import numpy as np

        *rows, start = self.rough
        masses = np.broadcast_to(inside, values.shape)
        states = len(rows)
        ends = [np.array(end) for end in zip(*rows)]
        while values.shape[1] > states:
            shape = (len(values), -1, states, states)  # history, its last value, the next one
            values, masses = (
                each.reshape(len(values), -1)
                for each in _best_approx(values.reshape(shape), masses.reshape(shape), *ends)
            )
        return _best_approx(values, masses, *start)


@dataclass(frozen=True)
class _Polytope:
    """A row within bounds, in integers: {l <= p <= u, sum(p) = unit}."""

    lower: tuple[int, ...]
    room: tuple[int, ...]
    rest: int

    @classmethod
    def of(cls, low: Row, high: Row, unit: int) -> "_Polytope":
        lower, upper = ([int(p * unit) for p in end] for end in (low, high))
        return cls(tuple(lower), tuple(b - a for a, b in zip(lower, upper)), unit - sum(lower))

    def best(self, values: Sequence[int]) -> int:
        """Return the largest sum of p value: what is left goes where values are large."""
        total, rest = sum(p * value for p, value in zip(self.lower, values)), self.rest
        for y in sorted(range(len(values)), key=values.__getitem__, reverse=True):
            added = min(rest, self.room[y])
            total, rest = total + added * values[y], rest - added
        return total


def _best_approx(
    values: "Floats", masses: "Floats", lower: "Floats", room: "Floats"
) -> "tuple[Floats, Floats]":
    """Return the same in floats along the last axis, and the masses under the best rows.

    Places are counted in the flat arrays; the rows of bounds repeat along the axes before.
    """
    import numpy as np

    *shape, width = values.shape
    order = np.argsort(-values, axis=-1, kind="stable").reshape(-1, width)
    starts = np.arange(0, order.size, width)[:, None]
    own, bound = order + starts, order + starts % lower.size
    sorted_room = room.ravel()[bound]
    before = np.cumsum(sorted_room, axis=-1) - sorted_room
    rest = (1 - lower.sum(axis=-1)).ravel()[starts % lower.size // width]
    row = lower.ravel()[bound] + np.minimum(np.maximum(rest - before, 0), sorted_room)
    mean, mass = (
        np.add.reduce(row * each.ravel()[own], axis=-1).reshape(shape) for each in (values, masses)
    )
    return mean, mass


def _best(lower: Row, upper: Row, values: Sequence[Fraction]) -> Fraction:
    rest, total = 1 - sum(lower), sum((p * v for p, v in zip(lower, values)), Fraction(0))
    for y in sorted(range(len(values)), key=values.__getitem__, reverse=True):
        added = min(rest, upper[y] - lower[y])
        total, rest = total + added * values[y], rest - added
    return total


def _databases(records: Records) -> list[tuple[int, ...]]:
    return list(product(range(len(records.alphabet)), repeat=records.count))


def _down(value: Fraction) -> Fraction:
    return Fraction(floor(value * 2**_BITS), 2**_BITS)


def _up(value: Fraction) -> Fraction:
    return Fraction(ceil(value * 2**_BITS), 2**_BITS)
