"""What noisy queries of any number of records leak at most under boxes of chains, if every step may
have a matrix of its own.

With tau(a, b) the change of the density of the noise from what a adds to what b adds, and

    g_(t-1)(x; u) = sum_z P(x, z) g_t(z; u - c(z)),    g_t(a; u) <= R_t(a, b) g_t(b; u),

the last factors are in {g : g(a) <= tau(a, b) R_t(a, b) g(b)}, on whose extreme rays the quotient
of two rows is largest. Backwards rows are P(x, y) p(x) / sum_z P(z, y) p(z) of any p: of two values
with quotients h of g and d of odds, means are apart by at most

    ((sqrt(h d) + 1) / (sqrt h + sqrt d))^2.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from pufferproof.models.framework import Framework
from pufferproof.models.noise.lipschitz import distance
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.exponential_sums import ONE
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.verify.noise.ratio.bounds import contributions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_RAYS = 5  # values, of which cones have few extreme rays
MOST_RECORDS = 5_000
_UP = 1 + 1e-12  # above the rounding of a step
_ROUND = 1e-14  # of means of numbers up to 1
_FEASIBLE = 1 + 1e-9


def walked_ratio(framework: Framework, mechanism: NoisyQueries) -> Fraction | None:
    """Return a bound of e to the leakage under all boxes of a framework; None if secrets are not of
    one record each pair, records are too many, or noise has no decay.
    """
    records = framework.expect_records()
    queries = [query for query in mechanism.queries if isinstance(query, RecordQuery)]
    if len(queries) < len(mechanism.queries) or records.count > MOST_RECORDS:
        return None
    if any(query.noise.decay is None for query in queries) or not framework.boxes:
        return None
    taus = [_tau(queries, record) for record in range(1, records.count + 1)]
    most = 1.0
    for box in framework.boxes.values():
        pairs = _pairs(framework, box)
        if pairs is None:
            return None
        sides = _Sides(box)
        before, after = sides.before(taus), sides.after(taus)
        for record, one, other in pairs:
            at = record - 1
            for v, w in ((one, other), (other, one)):
                told = taus[at][v, w] * before[at][v, w] * after[at][v, w] * _UP
                most = max(most, float(told))
    return Fraction(most) if most < float("inf") else None


def _pairs(framework: Framework, box: IntervalChain) -> list[tuple[int, int, int]] | None:
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

    def __init__(self, box: IntervalChain) -> None:
        import numpy as np

        self.low = np.array([[below(p) for p in row] for row in box.lower])
        self.high = np.array([[above(p) for p in row] for row in box.upper])
        self._known: dict[tuple[bool, bytes], Floats] = {}

    def after(self, taus: Sequence["Floats"]) -> "list[Floats]":
        """Return R by record, the first record first."""
        import numpy as np

        found = [np.ones_like(self.low)]
        for tau in taus[:0:-1]:
            found.append(self._step(found[-1] * tau * _UP, True))
        return found[::-1]

    def before(self, taus: Sequence["Floats"]) -> "list[Floats]":
        """Return bounds of quotients of A by record."""
        import numpy as np

        found = [np.ones_like(self.low)]
        for tau in taus[:-1]:
            found.append(self._step(found[-1] * tau * _UP, False))
        return found

    def _step(self, apart: "Floats", later: bool) -> "Floats":
        key = later, apart.tobytes()
        if key not in self._known:
            low, high = (self.low, self.high) if later else (self.low.T, self.high.T)
            step = _by_odds(low, high, apart)
            if later and len(low) <= MOST_RAYS:
                step = step.clip(max=_by_rays(low, high, apart))
            self._known[key] = step
        return self._known[key]


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
        root, far = np.sqrt(np.where(odds < np.inf, odds, 1)), np.sqrt(apart)
        told = ((root * far + 1) / (root + far)) ** 2
        told = np.where(odds < np.inf, told, apart)
        np.fill_diagonal(told, 1)
        found[x, y] = told.max() * _UP
    return found


def _by_rays(low: "Floats", high: "Floats", apart: "Floats") -> "Floats":
    """Return bounds of quotients of means of two rows over {g : g(a) <= apart(a, b) g(b)}."""
    import numpy as np

    rays = _rays(apart)
    top = [_largest(*row, rays) for row in zip(low, high)]
    least = [-_largest(*row, -rays) for row in zip(low, high)]
    found = np.ones(low.shape)
    for x, y in product(range(len(low)), repeat=2):
        if x != y:
            with np.errstate(all="ignore"):
                told = (top[x] + _ROUND) / (least[y] - _ROUND)
            told = np.where(least[y] > 2 * _ROUND, told, np.inf)
            found[x, y] = told.max() * _UP
    return found


def _largest(low: "Floats", high: "Floats", numbers: "Floats") -> "Floats":
    """Return about the largest means of numbers over rows between bounds, by ray."""
    import numpy as np

    order = np.argsort(-numbers, axis=1, kind="stable")
    room = (high - low)[order]
    ahead = np.cumsum(room, axis=1) - room
    row = low[order] + np.clip(1 - low.sum() - ahead, 0, room)
    whole: Floats = (row * np.take_along_axis(numbers, order, axis=1)).sum(axis=1)
    return whole


def _rays(apart: "Floats") -> "Floats":
    """Return the extreme rays of the cone, largest entry 1: as many bounds are met as make a tree.

    >>> import numpy as np
    >>> _rays(np.array([[1.0, 2.0], [4.0, 1.0]])).tolist()
    [[0.25, 1.0], [1.0, 0.5]]
    """
    import numpy as np

    size = len(apart)
    found = []
    for tree in _trees(size):
        for signs in product((False, True), repeat=size - 1):
            ray = np.ones(size)
            for (a, b), up in zip(tree, signs):  # b hangs on a, which is known
                ray[b] = ray[a] * apart[b, a] if up else ray[a] / apart[a, b]
            found.append(ray / ray.max())
    rays = np.array(found)
    kept = (rays[:, :, None] <= apart * rays[:, None, :] * _FEASIBLE).all(axis=(1, 2))
    whole: Floats = np.unique(rays[kept], axis=0)
    return whole


@cache
def _trees(size: int) -> list[list[tuple[int, int]]]:
    """Return all spanning trees as edges away from 0, in an order that goes outward."""
    found = []
    for edges in combinations(list(combinations(range(size), 2)), size - 1):
        known, left, outward = {0}, list(edges), []
        while True:
            near = [edge for edge in left if (edge[0] in known) != (edge[1] in known)]
            if not near:
                break
            a, b = near[0] if near[0][0] in known else near[0][::-1]
            outward.append((a, b))
            known.add(b)
            left.remove(near[0])
        if len(known) == size:
            found.append(outward)
    return found
