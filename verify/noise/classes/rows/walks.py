"""What noisy queries of any number of records leak at most under boxes of chains, if every step may
have a matrix of its own (`sides`).

A first law that may be any has two values (`bound`): the cells of a box say which, and between what
shares. Cells that leak most are halved until all are near what a chain leaks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import inf, log
from typing import TYPE_CHECKING

from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, RecordQuery, distance
from pufferproof.models.numbers.exponential_sums import ONE
from pufferproof.models.numbers.intervals import Interval
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.verify.noise.accounts.corners import contributions
from pufferproof.verify.noise.classes.rows.cells import THIN, halves
from pufferproof.verify.noise.classes.rows.sides import Sides

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_RECORDS = 5_000
_UP = 1 + 1e-12  # above the rounding of a product
_WORK = 14_000  # steps of cells of the least effort: seconds
_STEPS = {2: 1, 3: 1, 4: 5, 5: 33}  # how long a step is, by values
_LONG_STEP = 400
_BATCH = {2: 32, 3: 16, 4: 4}  # cells at a time, by values, else 1
_MOST_PAIRED = 5  # values, of which first laws are of two each
_SHARE = 4  # of the work: what entries weigh
_BETTER_HALF = 0.3  # what a half weighs of which the bound is the smaller
_LEAST_WEIGHT = 1e-9
_NEAR = 1.045  # times what a chain leaks, in nats, is near
Pair = tuple[int, int, int]  # a record with two values


def walked_ratio(framework: Framework, mechanism: NoisyQueries, known: float = inf, effort: int = 1) -> Fraction | None:
    """Return a bound of e to the leakage under all boxes of a framework; None if secrets are not of
    one record each pair, records are too many, or noise has no decay.

    Args: known: what a chain leaks, in nats: the cells that leak most are halved until all are near
    it, or as many as the effort has.
    """
    records = framework.expect_records()
    queries = [query for query in mechanism.queries if isinstance(query, RecordQuery)]
    if len(queries) < len(mechanism.queries) or records.count > MOST_RECORDS:
        return None
    if any(query.noise.decay is None for query in queries) or not framework.boxes:
        return None
    taus = [_tau(queries, record) for record in range(1, records.count + 1)]
    boxes = []
    for box in framework.boxes.values():
        pairs = one_record_pairs(framework, box)
        if pairs is None:
            return None
        if pairs:
            boxes.append(_Cells.of(box, pairs, taus))
    left = _WORK << (effort - 1)
    while boxes and left > 0:
        worst = max(boxes, key=lambda cells: cells.top)
        if worst.top == inf or log(worst.top) <= known * _NEAR:
            break
        left -= worst.halve(left)
    top = max((cells.top for cells in boxes), default=1.0)
    return Fraction(top) if top < inf else None


@dataclass
class _Cells:
    """Cells of a box, and the most that the chains of each leak, as a ratio: rows between bounds of
    shape (cells, values + 1, values), the last of them the first law.
    """

    low: "Floats"
    high: "Floats"
    most: "Floats"
    stationary: bool
    pairs: Sequence[Pair]
    taus: Sequence["Floats"]
    weights: "Floats | None" = None
    work: int = 0

    @classmethod
    def of(cls, box: IntervalChain, pairs: Sequence[Pair], taus: Sequence["Floats"]) -> "_Cells":
        """Bound the cells that cover a box."""
        import numpy as np

        rows = Interval(Interval.around(box.lower).low, Interval.around(box.upper).high)
        starts = list(_starts(box, all(record == 1 for record, _, _ in pairs)))
        low, high = (
            np.array([np.concatenate([side, start]) for start in part])
            for side, part in zip((rows.low, rows.high), zip(*((s.low, s.high) for s in starts)))
        )
        cells = cls(low, high, np.full(len(low), inf), box.initial == "stationary", pairs, taus)
        each = _BATCH.get(box.states, 1)
        parts = [slice(k, k + each) for k in range(0, len(low), each)]
        cells.most = np.concatenate([cells._bounds(low[part], high[part]) for part in parts])
        cells.work = 0
        return cells

    @property
    def top(self) -> float:
        return float(self.most.max(initial=1.0))

    def halve(self, work: int) -> int:
        """Halve the cells that leak most, and return the work."""
        import numpy as np

        size = self.low.shape[2]
        order = np.argsort(-self.most, kind="stable")
        many = max(1, _BATCH.get(size, 1) // 2)
        chosen, rest = order[:many], order[many:]
        low, high = self.low[chosen], self.high[chosen]
        if self.weights is None:
            self.weights = self._weights(low[0], high[0], work)
        worth = ((high - low) * self.weights).reshape(len(chosen), -1)
        rows, values = np.divmod(worth.argmax(axis=1), size)
        less, more = halves(low, high, rows, values)
        most = np.minimum(self._bounds(less, more), np.tile(self.most[chosen], 2))
        self.low, self.high, self.most = (
            np.concatenate([old[rest], new]) for old, new in ((self.low, less), (self.high, more), (self.most, most))
        )
        done, self.work = self.work, 0
        return done

    def _weights(self, low: "Floats", high: "Floats", work: int) -> "Floats":
        """Return what entries weigh, by their width, if a cell is halved: the same for all if this
        is too much work to see.
        """
        import numpy as np

        places = np.argwhere(high - low > THIN)
        if 2 * len(places) * self._steps > work / _SHARE:
            return np.ones(low.shape)
        weights = np.zeros(low.shape)
        for row, value in places:
            cells = halves(low[None], high[None], row[None], value[None])
            less, more = self._bounds(*cells)
            least, most = sorted(log(self.top / min(part, self.top)) for part in (less, more))
            weights[row, value] = (least + _BETTER_HALF * most) / (high - low)[row, value]
        weights[-1] = weights[-1].max()  # other cells have first laws of other values
        return weights + _LEAST_WEIGHT

    def _bounds(self, low: "Floats", high: "Floats") -> "Floats":
        """Return the most that chains of cells leak."""
        import numpy as np

        records = [record for record, _, _ in self.pairs]
        first, last = min(records), max(records)
        law = low[:, -1], high[:, -1]
        sides = Sides(low[:, :-1], high[:, :-1], None if self.stationary else law)
        before, after = sides.before(self.taus[:last]), sides.after(self.taus[first - 1 :])
        self.work += len(low) * self._steps
        found = np.ones(len(low))
        for record, one, other in self.pairs:
            tau = self.taus[record - 1]
            for v, w in ((one, other), (other, one)):
                told = tau[v, w] * before[record - 1][:, v, w] * after[record - first][:, v, w]
                found = np.maximum(found, told * _UP)
        found[np.isnan(found)] = inf
        return found

    @property
    def _steps(self) -> int:
        """The steps of the records of a cell, times how long they are."""
        records = [record for record, _, _ in self.pairs]
        steps = max(records) - 1 + len(self.taus) - min(records)
        return max(1, steps) * _STEPS.get(self.low.shape[2], _LONG_STEP)


def _starts(box: IntervalChain, first: bool) -> Iterator[Interval]:
    """Yield bounds of the law of X_1; `first`: all secrets are of X_1, so that any law will do."""
    import numpy as np

    zero = np.zeros((1, box.states))
    if not isinstance(box.initial, str):
        yield Interval.around([box.initial])
    elif box.initial == "stationary" or first:
        yield Interval.point(zero + 1 / box.states)
    elif box.states > _MOST_PAIRED:
        yield Interval(zero, zero + 1)
    else:
        for two in combinations(range(box.states), 2):
            high = zero.copy()
            high[:, two] = 1
            yield Interval(zero, high)


def one_record_pairs(framework: Framework, box: IntervalChain) -> list[tuple[int, int, int]] | None:
    """Return records with two values that are possible, None if a pair is of two records."""
    pairs = []
    for pair in framework.pairs:
        (record, one), (second, other) = (framework.places[secret] for secret in pair)
        if record != second:
            return None
        if {one, other} <= {*box.possible(record)}:
            pairs.append((record, one, other))
    return pairs


def _tau(queries: Sequence[RecordQuery], record: int) -> "Floats":
    """Return how much the density of the noise changes at most between two values of a record."""
    import numpy as np

    covering = tuple(query for query in queries if query.covers(record))
    size = len(contributions(queries[0]))
    tau = np.ones((size, size))
    for a, b in product(range(size), repeat=2):
        power = ONE
        for query in covering:
            adds, decay = contributions(query), query.noise.decay
            assert decay is not None
            power = power.times(decay.to(-distance(adds[a], adds[b])))
        tau[a, b] = max(1.0, power.ends()[1])
    return tau
