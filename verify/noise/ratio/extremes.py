"""The least and the greatest value of a query of a Markov chain given a record, for any length.

Sums of digits along a path of positive probability have their greatest value by products of
matrices over (max, +), and equal steps are squared: O(k^3 log T). Normal noise leaks without bound
about two values of a record whose greatest (or least) values of the query differ: far beyond both,
f(w | s) / f(w | s') grows as e^(w (max - max') / sigma^2).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.leakage.ratio import Leakage, Witness
from pufferproof.verify.noise.normal.lines import GaussianBounds
from pufferproof.verify.noise.ratio.bounds import places_to_check

RESTS_ON = ("noise.gaussian-finite",)
Reach = int | None  # of a sum along a path, None if no path has positive probability
Row = list[Reach]


def unbounded(framework: Framework, mechanism: NoisyQueries) -> GaussianBounds | None:
    """Return what one number with normal noise leaks about records of Markov chains where that is
    infinite; None if it is finite, or not told by the ends of the query.
    """
    query = mechanism.queries[0]
    if not (framework.along_records and len(mechanism.queries) == 1):
        return None
    if not isinstance(query, RecordQuery) or query.dimension != 1 or query.noise.variance is None:
        return None
    places, scope = places_to_check(framework)
    for prior, pair in places:
        chain = framework.chains[prior]
        if chain.rows is not None or chain.emission is not None:
            return None
        witness = _witness(_Paths(chain, query), framework, prior, pair)
        if witness is not None:
            return GaussianBounds(
                Leakage.of(None),
                witness,
                replace(scope, checked=2 * len(places)),
                (),
                claims=RESTS_ON,
            )
    return None


def _witness(paths: "_Paths", framework: Framework, prior: str, pair: Pair) -> Witness | None:
    """Return the limit in which a ratio grows without bound, None if both ends are equal."""
    for sign, output in ((1, "inf"), (-1, "-inf")):
        one, other = (paths.most(*framework.places[name], sign) for name in pair)
        if one is None or other is None:
            return None
        if one != other:
            return Witness(prior, pair if one > other else (pair[1], pair[0]), output)
    return None


@dataclass(frozen=True)
class _Paths:
    """Paths of positive probability, and what their records add to a query."""

    chain: Chain
    query: RecordQuery

    def most(self, record: int, value: int, sign: int) -> Reach:
        """Return the greatest sum of what all records add, times a sign, given one of them; None if
        that has probability 0.
        """
        digits = [sign * digit for digit in self.query.digits[0]]
        first, last = self.query.segment or (1, self.query.records.count)
        count, step = self.query.records.count, self.chain.step
        now: Row = [0 if p else None for p in self.chain.along(count).initial]
        for steps, counted in _runs(1, record - 1, first, last):
            moves = [[d * counted if p else None for p in row] for d, row in zip(digits, step)]
            now = _times([now], _power(moves, steps))[0]
        after: list[Row] = [[0]] * len(step)
        for steps, counted in reversed(_runs(record + 1, count, first, last)):
            moves = [[d * counted if p else None for d, p in zip(digits, row)] for row in step]
            after = _times(_power(moves, steps), after)
        before, beyond = now[value], after[value][0]
        own = digits[value] if first <= record <= last else 0
        return None if before is None or beyond is None else before + own + beyond


def _runs(low: int, high: int, first: int, last: int) -> list[tuple[int, bool]]:
    """Return how many records from low to high lie before, in and after a segment, and whether they
    are counted.
    """
    before = max(0, min(high, first - 1) - low + 1)
    inside = max(0, min(high, last) - max(low, first) + 1)
    after = max(0, high - max(low, last + 1) + 1)
    return [(before, False), (inside, True), (after, False)]


def _power(matrix: list[Row], exponent: int) -> list[Row]:
    """Return a power over (max, +)."""
    size = range(len(matrix))
    result: list[Row] = [[0 if x == y else None for y in size] for x in size]
    while exponent:
        if exponent & 1:
            result = _times(result, matrix)
        matrix = _times(matrix, matrix)
        exponent >>= 1
    return result


def _times(left: Sequence[Row], right: Sequence[Row]) -> list[Row]:
    """Return a product over (max, +)."""
    columns = list(zip(*right))
    return [[_best(row, column) for column in columns] for row in left]


def _best(row: Sequence[Reach], column: Sequence[Reach]) -> Reach:
    sums = (a + b for a, b in zip(row, column) if a is not None and b is not None)
    return max(sums, default=None)
