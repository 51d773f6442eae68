"""What bounds the delta of a noisy query whose law has too many values: a window around the record.

Let l and r be the records, or hidden states, right before and after the window, F what its records
add, and R what the others add, which given l and r is independent of X_i and F. Noise h and R only
hide, so

    delta <= sum_(l, r) integral over u of
        max(0, sum_n (P(l, r, F = n | v) - e^epsilon P(l, r, F = n | v')) h(u - n)).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.verify.noise.laws.of_framework import Law, LawPair
from pufferproof.verify.noise.ratio.window import MOST_BITS, MOST_WINDOWS, Around, Measures

RESTS_ON = ("noise.window-delta",)
DELTA_CLAIMS = ("noise.window-delta",)
_FARTHEST = 2_000  # from the first record, of a chain that is not stationary
_FIRST_WIDTH, _WIDEST = 8, 512  # records to either side, doubled between

Ends = tuple[int, int]
Parts = list[tuple[Ends, LawPair]]  # of one ordered pair: measures by l and r


@dataclass(frozen=True)
class DeltaWindows:
    """The windows of one width around every record that secrets speak of."""

    around: Mapping[str, Around]
    framework: Framework
    width: int

    @classmethod
    def of(cls, framework: Framework, mechanism: NoisyQueries) -> "Iterator[DeltaWindows]":
        """Yield ever wider windows, as long as their work is bounded."""
        width = _FIRST_WIDTH
        while width <= _WIDEST:
            windows = cls.of_width(framework, mechanism, width)
            if windows is None:
                return
            yield windows
            width *= 2

    @classmethod
    def of_width(cls, framework: Framework, mechanism: NoisyQueries, width: int) -> "DeltaWindows | None":
        """Return the windows of a width, or None if they are too large, or there are several
        numbers, a prior that is no chain, or a pair of two records.
        """
        query = mechanism.queries[0]
        places = framework.places if framework.along_records else {}
        one = all(places[s][0] == places[t][0] for s, t in framework.pairs) if places else False
        single = len(mechanism.queries) == 1 and isinstance(query, RecordQuery)
        if not (one and single and isinstance(query, RecordQuery) and query.dimension == 1):
            return None
        around = {prior: Around(framework, prior, [query]) for prior in framework.chains}
        windows = cls(around, framework, width)
        return windows if windows.bounded else None

    @property
    def bounded(self) -> bool:
        """Whether the windows are few, and their law can be written."""
        places = [(prior, v) for prior in self.around for v in self.framework.places.values()]
        keys = {self.around[prior].key(record, (value,)) for prior, (record, value) in places}
        if len(keys) > 2 * MOST_WINDOWS:
            return False
        return all(
            self.around[prior].work(record, self.width, 2) * len(keys) <= MOST_BITS
            and (self.around[prior].chain.stationary or record <= _FARTHEST)
            for prior, (record, _) in places
        )

    def pairs(self, equal_once: bool = True) -> Iterator[tuple[str, Pair, Parts]]:
        """Yield the measures of every prior and ordered pair that is possible."""
        seen = set()
        for prior, around in self.around.items():
            for pair in self.framework.pairs:
                (record, one), (_, other) = (self.framework.places[name] for name in pair)
                key = around.key(record, (one, other))
                if equal_once and key in seen:
                    continue
                seen.add(key)
                measures = around.counts.measures(record, (one, other), self.width)
                # P(l), 1 where there is no record before the window
                if around.chain.rows is not None or record - self.width < 1:
                    before = (Fraction(1),)
                else:
                    before = tuple(around.chain.along(around.count).law(record - self.width))
                above, below = (_given(measures, value, before) for value in (one, other))
                if above and below:
                    yield prior, pair, list(_parts(prior, pair, above, below))
                    turned = (pair[1], pair[0])
                    yield prior, turned, list(_parts(prior, turned, below, above))


def _given(measures: Measures, value: int, before: tuple[Fraction, ...]) -> dict[Ends, Law]:
    """Return P(l, r, F = n | v) by l and r from measures, which know P(l) and P(v) not; empty if v is impossible."""
    total = Fraction(0)
    laws: dict[Ends, Law] = {}
    for (left, right, secret), law in measures.items():
        if secret == value and before[left]:
            laws[left, right] = {n: p * before[left] for n, p in law.items()}
            total += sum(laws[left, right].values())
    if not total:
        return {}
    return {ends: {n: p / total for n, p in law.items()} for ends, law in laws.items()}


def _parts(
    prior: str, pair: Pair, above: Mapping[Ends, Law], below: Mapping[Ends, Law]
) -> Iterator[tuple[Ends, LawPair]]:
    for ends in above:
        one, other = above[ends], below.get(ends, {})
        if one:
            yield ends, LawPair(prior, pair, one, other)
