"""What noisy queries of any number of records leak at most under boxes of chains, if every step may
have a matrix of its own.

With tau(a, b) the change of the density of the noise from what a adds to what b adds, and

    g_(t-1)(x; u) = sum_z P(x, z) g_t(z; u - c(z)),    g_t(a; u) <= R_t(a, b) g_t(b; u),

the last factors are in {g : g(a) <= tau(a, b) R_t(a, b) g(b)}, on whose extreme rays the quotient
of two rows is largest. Backwards rows are P(x, y) p(x) / sum_z P(z, y) p(z), p the law of a record
(`laws`). Of any p, and of two values with quotients h of g and d of odds, means are apart by

    ((sqrt(h d) + 1) / (sqrt h + sqrt d))^2    at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import inf, log
from typing import TYPE_CHECKING, Any

from pufferproof.models.framework import Framework
from pufferproof.models.noise.lipschitz import distance
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.exponential_sums import ONE
from pufferproof.models.numbers.intervals import Interval, above, below
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.verify.noise.classes.rows.cells import halves
from pufferproof.verify.noise.classes.rows.laws import MOST_STEPS, by_laws, laws
from pufferproof.verify.noise.classes.rows.rays import largest, rays
from pufferproof.verify.noise.ratio.bounds import contributions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_RAYS = 5  # values, of which cones have few extreme rays
MOST_RECORDS = 5_000
_UP = 1 + 1e-12  # above the rounding of a step
_ROUND = 1e-14  # of means of numbers up to 1
_WORK = 2_400  # steps of cells of the least effort: seconds
_STEPS = {4: 5, 5: 60}  # how much longer a step is, by values
_NEAR = 1.045  # times what a chain leaks, in nats, is near
_TAME = 1e100  # up to which changes are told by rays: above, products overflow


def walked_ratio(
    framework: Framework, mechanism: NoisyQueries, known: float = inf, effort: int = 1
) -> Fraction | None:
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
    cells: list[_Cell] = []
    for box in framework.boxes.values():
        pairs = one_record_pairs(framework, box)
        if pairs is None:
            return None
        rows = Interval(Interval.around(box.lower).low, Interval.around(box.upper).high)
        heappush(cells, _Cell.of(rows, box.initial, pairs, taus))
    size = len(taus[0])
    halved = (_WORK << (effort - 1)) // (2 * records.count * _STEPS.get(size, 1))
    for _ in range(halved):
        if cells[0].most == inf or log(cells[0].most) <= known * _NEAR:
            break
        for part in heappop(cells).halves(taus):
            heappush(cells, part)
    return Fraction(cells[0].most) if cells[0].most < inf else None


@dataclass(frozen=True)
class _Cell:
    """The chains of a box between rows, and the most that they leak, as a ratio."""

    most: float
    rows: Interval
    initial: Any
    pairs: Sequence[tuple[int, int, int]]

    def __lt__(self, other: "_Cell") -> bool:
        return self.most > other.most

    @classmethod
    def of(
        cls,
        rows: Interval,
        initial: Any,
        pairs: Sequence[tuple[int, int, int]],
        taus: Sequence["Floats"],
        most: float = inf,
    ) -> "_Cell":
        """Bound a cell, at most by the bound of the cell that it is a part of."""
        sides = _Sides(rows, initial)
        before, after = sides.before(taus), sides.after(taus)
        found = 1.0
        for record, one, other in pairs:
            at = record - 1
            for v, w in ((one, other), (other, one)):
                told = float(taus[at][v, w] * before[at][v, w] * after[at][v, w] * _UP)
                found = max(found, told if told < inf else inf)
        return cls(min(found, most), rows, initial, pairs)

    def halves(self, taus: Sequence["Floats"]) -> "list[_Cell]":
        """Return the cells on either side of the middle of the widest entry."""
        import numpy as np

        low, high = self.rows.low[None], self.rows.high[None]
        row, value = np.divmod(np.array([(high - low).argmax()]), low.shape[2])
        return [
            _Cell.of(Interval(*rows), self.initial, self.pairs, taus, self.most)
            for rows in zip(*halves(low, high, row, value))
        ]


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


class _Sides:
    """What the records on one side of another tell at most of two of its values."""

    def __init__(self, rows: Interval, initial: Any) -> None:
        import numpy as np

        self.low, self.high = rows.low, rows.high
        self._known: dict[tuple[int, bytes], Floats] = {}
        self._settled = laws(self.low, self.high, None)
        self._laws = self._settled
        if not isinstance(initial, str):
            first = [[end(p) for p in initial] for end in (below, above)]
            start = np.array(first[0]), np.array(first[1])
            self._laws = laws(self.low, self.high, start)[:-1]  # none later settles there
        elif initial == "stationary":
            self._laws = self._settled[-1:]

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
            found.append(self._backward(_times(found[-1], tau), min(t, MOST_STEPS)))
        return found

    def _tame(self, apart: "Floats") -> bool:
        return len(self.low) <= MOST_RAYS and bool((apart < _TAME).all())

    def _forward(self, apart: "Floats") -> "Floats":
        key = -1, apart.tobytes()
        if key not in self._known:
            step = _by_odds(self.low, self.high, apart)
            if self._tame(apart):
                step = step.clip(max=_by_rays(self.low, self.high, apart))
            self._known[key] = step
        return self._known[key]

    def _backward(self, apart: "Floats", t: int) -> "Floats":
        key = t, apart.tobytes()
        if key not in self._known:
            step = _by_odds(self.low.T, self.high.T, apart)
            if self._tame(apart):
                law = self._laws[t] if t < len(self._laws) else self._settled[-1]
                step = step.clip(max=by_laws(self.low, self.high, apart, law))
            self._known[key] = step
        return self._known[key]


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

    size = len(low)
    found = np.ones((size, size))
    for x, y in product(range(size), repeat=2):
        if x == y:
            continue
        with np.errstate(all="ignore"):
            odds = high[x][:, None] * high[y] / (low[x] * low[y][:, None])
        odds = np.where(np.isfinite(odds), np.maximum(odds * _UP, 1), np.inf)
        root, far = np.sqrt(np.where(odds < np.inf, odds, 1)), np.sqrt(apart.clip(max=_TAME))
        told = np.where(apart < _TAME, ((root * far + 1) / (root + far)) ** 2, odds)
        told = np.where(odds < np.inf, told, apart)
        np.fill_diagonal(told, 1)
        found[x, y] = told.max() * _UP
    return found


def _by_rays(low: "Floats", high: "Floats", apart: "Floats") -> "Floats":
    """Return bounds of quotients of means of two rows over {g : g(a) <= apart(a, b) g(b)}."""
    import numpy as np

    rows = rays(apart)
    top = [largest(*row, rows) for row in zip(low, high)]
    least = [-largest(*row, -rows) for row in zip(low, high)]
    found = np.ones(low.shape)
    for x, y in product(range(len(low)), repeat=2):
        if x != y:
            with np.errstate(all="ignore"):
                told = (top[x] + _ROUND) / (least[y] - _ROUND)
            told = np.where(least[y] > 2 * _ROUND, told, np.inf)
            found[x, y] = told.max() * _UP
    return found
