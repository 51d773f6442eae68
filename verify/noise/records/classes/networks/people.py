"""What mechanisms leak at most about few people who infect one another, with one transmission in an
interval for all contacts, by the law of all databases.

Over a cell of transmissions the probability of a database lies between two products of entries of
tables, and so does that of an output given a secret,

    sum_x u(x) P(w | x) / sum_x l(x),    u, l: bounds of P(x), x with the secret,

so that ratios have bounds which meet as cells shrink. Noise with a decay has its largest ratio
where every number is a value of its query: between two of them, the ratio is a Moebius map of a
power of the decay.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import inf, isfinite, nextafter
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.verify.noise.records.classes.rows.bound import TreeBound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("noise.attained",)
MOST_PEOPLE = 10
_MOST_OUTPUTS = 2_000
_MOST_CELLS = 2_000
_CLOSE = 1 + Fraction(1, 10**6)  # times what a member leaks: a bound that is good enough
_UNIT = 2.0**-53
_ENTRY, _WEIGHT = 1e-25, 1e-40  # of tables and of outputs: products are no denormal numbers
_BITS = 128
_LAW = "the law of all databases"


def people_bound(
    framework: Framework,
    mechanism: Channel | NoisyQueries,
    enough: Callable[[Fraction], bool] | None,
    leaked: Fraction | None,
) -> TreeBound | None:
    """Return a bound for all classes of a framework, None unless they are contacts of at most 10
    people, and outputs are few.

    Args: enough: whether a bound is small enough, or None if no level is asked for. leaked: what
    some members leak, None for infinite: then there is no bound.
    """
    records = framework.expect_records()
    known = [box for box in framework.classes.values() if isinstance(box, Contacts)]
    if len(known) < len(framework.classes) or records.count > MOST_PEOPLE:
        return None
    shown = _shown(framework, mechanism)
    if shown is None or leaked is None:
        return None
    most, cells = 1.0, 0
    for contacts in known:
        search = _RateCells(framework, contacts, shown)
        upper, tried = search.bound(
            lambda ratio: (enough is not None and enough(ratio)) or ratio <= leaked * _CLOSE
        )
        most, cells = max(most, upper), cells + tried
    return TreeBound(Fraction(most), cells, _LAW, claims=RESTS_ON) if isfinite(most) else None


@dataclass(frozen=True)
class _Shown:
    """What databases show: the group of every database, and bounds of the likelihood of every
    output (columns) given a group (rows), up to a factor for each output.
    """

    groups: "NDArray[np.intp]"
    low: "Floats"
    high: "Floats"


def _shown(framework: Framework, mechanism: Channel | NoisyQueries) -> _Shown | None:
    import numpy as np

    labels = framework.expect_records().labels()
    if isinstance(mechanism, Channel):
        known = [[mechanism.probability(x, y) for y in mechanism.outputs] for x in labels]
        if len(mechanism.outputs) > _MOST_OUTPUTS:
            return None
        exact = np.array([[float(p) for p in row] for row in known])
        if (exact[exact > 0] < _WEIGHT).any():
            return None
        low, high = np.nextafter(exact, 0), np.where(exact > 0, np.nextafter(exact, inf), 0)
        return _Shown(np.arange(len(labels)), low, high)
    return _of_noise(labels, mechanism)


def _of_noise(labels: Sequence[str], mechanism: NoisyQueries) -> _Shown | None:
    import numpy as np

    values: list[tuple[Fraction, ...]] = [()] * len(labels)
    noises: list[Noise] = []
    for query in mechanism.queries:
        if not isinstance(query, RecordQuery) or query.noise.decay is None:
            return None
        written = query.written_out().values
        values = [(*known, *written[x]) for known, x in zip(values, labels)]
        noises += [query.noise] * query.dimension
    whole = [noise.kind != "laplace" for noise in noises]
    if any(each and x.denominator > 1 for row in values for each, x in zip(whole, row)):
        return None
    groups = list(dict.fromkeys(values))
    grid = [sorted({row[k] for row in groups}) for k in range(len(noises))]
    outputs = list(product(*grid)) if _size(grid) <= _MOST_OUTPUTS else []
    if not outputs:
        return None
    low, high = np.ones((2, len(groups), len(outputs)))
    for k, noise in enumerate(noises):
        near = {d: _decayed(noise, d) for d in {abs(a - b) for a, b in product(grid[k], repeat=2)}}
        for end, table in enumerate((low, high)):
            table *= [[near[abs(row[k] - w[k])][end] for w in outputs] for row in groups]
    if low.min() < _WEIGHT:
        return None
    number = {row: place for place, row in enumerate(groups)}
    return _Shown(np.array([number[row] for row in values]), low, high)


def _size(grid: Sequence[Sequence[Fraction]]) -> int:
    size = 1
    for each in grid:
        size *= len(each)
    return size


def _decayed(noise: Noise, distance: Fraction) -> tuple[float, float]:
    """Return bounds of decay^distance."""
    from flint import ctx

    if noise.decay is None:
        raise ValueError("noise without a decay")
    with ctx.workprec(_BITS):
        ball = noise.decay.to(distance).ball()
        low, high = float(dyadic(ball.lower())), float(dyadic(ball.upper()))
    return nextafter(low, 0), nextafter(high, inf)


class _RateCells:
    """Cuts of the interval of transmissions, the cell with the largest bound first."""

    def __init__(self, framework: Framework, contacts: Contacts, shown: _Shown) -> None:
        import numpy as np

        self.contacts, self.shown = contacts, shown
        every = np.array(list(product((0, 1), repeat=contacts.count)))
        self.own = every.T
        self.ill = [every[:, [i - 1 for i in before]].sum(1) for before in contacts.before.values()]
        self.secrets = {
            place: every[:, place[0] - 1] == place[1] for place in framework.places.values()
        }
        self.pairs = [
            [framework.places[name] for name in order]
            for pair in framework.pairs
            for order in framework.orders(pair)
        ]
        # sums of nonnegative products over all databases and groups, twice
        terms = 4 * (len(every) + len(shown.low) + 4 * contacts.count + 16)
        self.slack = 1 + 4 * terms * _UNIT

    def bound(self, small: Callable[[Fraction], bool]) -> tuple[float, int]:
        """Return the bound of the interval, and the number of cells that were looked at."""
        low, high = self.contacts.lower, self.contacts.upper
        cells, tried = [(-self._over(low, high), low, high)], 1
        while tried < _MOST_CELLS:
            worst, low, high = cells[0]
            if low == high or (isfinite(worst) and small(Fraction(-worst))):
                break
            heappop(cells)
            middle = (low + high) / 2
            heappush(cells, (-self._over(low, middle), low, middle))
            heappush(cells, (-self._over(middle, high), middle, high))
            tried += 2
        return -cells[0][0], tried

    def _over(self, low: Fraction, high: Fraction) -> float:
        """Return the bound of a cell, infinity where there is none."""
        import numpy as np

        ends = self._weights(low, high)
        if ends is None:
            return inf
        given = {place: list(self._given(ends, held)) for place, held in self.secrets.items()}
        most = 1.0
        for one, other in self.pairs:
            (least_1, most_1), (least_2, most_2) = given[one], given[other]
            if not (most_1[-1] and most_2[-1]):
                continue  # a secret of probability 0
            above, below = most_1[:-1] * most_2[-1], least_2[:-1] * least_1[-1]
            if (below[above > 0] == 0).any():
                return inf
            shown = above > 0
            if shown.any():
                most = max(most, float(np.max(above[shown] / below[shown])) * self.slack)
        return most

    def _given(
        self, ends: "tuple[Floats, Floats]", held: "NDArray[np.bool_]"
    ) -> "Iterator[Floats]":
        """Yield bounds of P(secret, w) for every output, and of P(secret) behind them."""
        import numpy as np

        size = len(self.shown.low)
        for weights, table in zip(ends, (self.shown.low, self.shown.high)):
            chosen = np.where(held, weights, 0)
            groups = np.bincount(self.shown.groups, chosen, size)
            yield np.append(groups @ table, groups.sum())

    def _weights(self, low: Fraction, high: Fraction) -> "tuple[Floats, Floats] | None":
        """Return bounds of the probability of every database, or None if floats end."""
        import numpy as np

        least, most = np.ones((2, len(self.own[0])))
        size = max(len(each) for each in self.contacts.before.values())
        well = [self._well(end, size) for end in (high, low)]  # it falls in the transmission
        tables = [
            np.array([[float(x), float(1 - y)] for x, y in zip(*ends)])
            for ends in (well, well[::-1])
        ]
        tables[0][tables[0] < _ENTRY] = 0
        if (tables[1][tables[1] > 0] < _ENTRY).any():
            return None
        for own, ill in zip(self.own, self.ill):
            least *= tables[0][ill, own]
            most *= tables[1][ill, own]
        return least, most

    def _well(self, transmission: Fraction, size: int) -> list[Fraction]:
        return [(1 - self.contacts.base) * (1 - transmission) ** ill for ill in range(size + 1)]
