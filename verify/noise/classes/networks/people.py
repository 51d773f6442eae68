"""What mechanisms leak at most about few people who infect one another, with one transmission in an
interval for all contacts, by the law of all databases.

Over a cell of transmissions the probability of a database lies between two products of entries of
tables, and so does that of an output given a secret,

    sum_x u(x) P(w | x) / sum_x l(x),    u, l: bounds of P(x), x with the secret,

so that ratios have bounds which meet as cells shrink. Noise with a decay has its largest ratio
where every number is a value of its query: between two of them, the ratio is a Moebius map of a
power of the decay.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import isfinite
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.intervals import Interval, dot
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.verify.noise.classes.rows.bound import TreeBound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


RESTS_ON = ("noise.attained",)
MOST_PEOPLE = 10  # 1,024 databases, of which laws are listed
_MOST_OUTPUTS = 2_000  # at each of which every cell is bounded
_MOST_CELLS = 2_000  # of rates, each with the laws of all databases
_CLOSE = 1 + Fraction(1, 10**6)  # times what a member leaks: a bound that is good enough
_LAW = "the law of all databases"


def people_bound(
    framework: Framework,
    mechanism: Channel | NoisyQueries,
    enough: Callable[[Fraction], bool] | None,
    leaked: Fraction | None,
) -> TreeBound | None:
    """Return a bound for all classes of a framework, or None unless they are contacts of at most 10
    people, and outputs are few.

    Args: enough: whether a bound is small enough, or None if no level is asked for. leaked: what
    some members leak, or None if it is infinite: then there is no bound.
    """
    records = framework.expect_records()
    boxes = [box for box in framework.classes.values() if isinstance(box, Contacts)]
    if len(boxes) < len(framework.classes) or records.count > MOST_PEOPLE:
        return None
    shown = _shown(framework, mechanism)
    if shown is None or leaked is None:
        return None
    most, cells = 1.0, 0
    for contacts in boxes:
        search = _RateCells(framework, contacts, shown)
        upper, tried = search.bound(lambda ratio: (enough is not None and enough(ratio)) or ratio <= leaked * _CLOSE)
        most, cells = max(most, upper), cells + tried
    return TreeBound(Fraction(most), cells, _LAW, claims=RESTS_ON) if isfinite(most) else None


@dataclass(frozen=True)
class _ShownByGroup:
    """What databases show: the group of every database, and the likelihood of every output
    (columns) given a group (rows), up to a factor for each output.
    """

    groups: "NDArray[np.intp]"
    likely: Interval


def _shown(framework: Framework, mechanism: Channel | NoisyQueries) -> _ShownByGroup | None:
    import numpy as np

    labels = framework.expect_records().labels()
    if isinstance(mechanism, Channel):
        rows = [[mechanism.probability(x, y) for y in mechanism.outputs] for x in labels]
        if len(mechanism.outputs) > _MOST_OUTPUTS:
            return None
        return _ShownByGroup(np.arange(len(labels)), Interval.around(rows))
    return _of_noise(labels, mechanism)


def _of_noise(labels: Sequence[str], mechanism: NoisyQueries) -> _ShownByGroup | None:
    import numpy as np

    values: list[tuple[Fraction, ...]] = [()] * len(labels)
    noises: list[Noise] = []
    for query in mechanism.queries:
        if not isinstance(query, RecordQuery) or query.noise.decay is None:
            return None
        written = query.written_out().values
        values = [(*value, *written[x]) for value, x in zip(values, labels)]
        noises += [query.noise] * query.dimension
    whole = [noise.kind != "laplace" for noise in noises]
    if any(integral and x.denominator > 1 for row in values for integral, x in zip(whole, row)):
        return None
    groups = list(dict.fromkeys(values))
    grid = [sorted({row[k] for row in groups}) for k in range(len(noises))]
    outputs = list(product(*grid)) if _size(grid) <= _MOST_OUTPUTS else []
    if not outputs:
        return None
    likely = Interval.point(np.ones((len(groups), len(outputs))))
    for k, noise in enumerate(noises):
        assert noise.decay is not None
        apart = {abs(a - b) for a, b in product(grid[k], repeat=2)}
        near = {d: noise.decay.to(d).ends() for d in apart}
        table = np.array([[near[abs(row[k] - w[k])] for w in outputs] for row in groups])
        likely = likely * Interval(table[..., 0], table[..., 1])
    number = {row: place for place, row in enumerate(groups)}
    return _ShownByGroup(np.array([number[row] for row in values]), likely)


def _size(grid: Sequence[Sequence[Fraction]]) -> int:
    size = 1
    for axis in grid:
        size *= len(axis)
    return size


class _RateCells:
    """Cuts of the interval of transmissions, the cell with the largest bound first."""

    def __init__(self, framework: Framework, contacts: Contacts, shown: _ShownByGroup) -> None:
        import numpy as np

        self.contacts, self.shown = contacts, shown
        every = np.array(list(product((0, 1), repeat=contacts.count)))
        self.own = every.T
        self.ill = [every[:, [i - 1 for i in before]].sum(1) for before in contacts.before.values()]
        self.secrets = {place: every[:, place[0] - 1] == place[1] for place in framework.places.values()}
        self.pairs = [
            [framework.places[name] for name in order] for pair in framework.pairs for order in framework.orders(pair)
        ]
        self.order = np.argsort(shown.groups, kind="stable")
        self.starts = np.unique(shown.groups[self.order], return_index=True)[1]

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
        laws = self._laws(low, high)
        given = {place: self._given(laws, has) for place, has in self.secrets.items()}
        most = 1.0
        for pair in self.pairs:
            (one, whole), (other, rest) = (given[place] for place in pair)
            if not (whole.high > 0 and rest.high > 0):
                continue  # a secret of probability 0
            ratio = (one / whole) / (other / rest)
            most = max(most, float(ratio.high[one.high > 0].max(initial=1.0)))
        return most

    def _given(self, laws: Interval, has: "NDArray[np.bool_]") -> tuple[Interval, Interval]:
        """Return P(secret, w) for every output, and P(secret)."""
        groups = (laws * has.astype(float))[self.order].runs(self.starts)
        return dot(groups[None], self.shown.likely)[0], groups.sum(axis=0)

    def _laws(self, low: Fraction, high: Fraction) -> Interval:
        """Return the probability of every database."""
        import numpy as np

        size = max(len(law) for law in self.contacts.before.values())
        least, most = (Interval.around(self._well(end, size)) for end in (high, low))
        well = Interval(least.low, most.high)
        rows = Interval.stack([well, 1 - well], -1)
        whole = Interval.point(np.ones(len(self.own[0])))
        for own, ill in zip(self.own, self.ill):
            whole = whole * rows[ill, own]
        return whole

    def _well(self, transmission: Fraction, size: int) -> list[Fraction]:
        return [(1 - self.contacts.base) * (1 - transmission) ** ill for ill in range(size + 1)]
