"""What noisy counts of disjoint segments of a chain of two values leak together about a record.

For record i of a segment let K_w^v(x, y) be G_w(x, y) over the sequences with X_i = v
(`records.odds`). Earlier segments leave p in an interval, later ones q, and all outputs together
have

    f(w.. | v) = sum_(x, y) p(x) K_w^v(x, y) q(y) / P(X_i = v),

up to a factor that v does not change. Their ratio is linear-fractional in p, and in q, so that its
supremum is at ends of both intervals, and at a value of the count (noise.attained). Floats with a
proven error leave the places that could be the largest; balls (Arb) enclose it there.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product
from math import isfinite
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.queries import Query
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.largest import EnclosedRatio
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness, nothing_to_check
from pufferproof.verify.noise.records.odds import BITS, Segment, Walk
from pufferproof.verify.noise.records.odds import RESTS_ON as ODDS_REST_ON

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    Indices = NDArray[np.intp]
    Long = NDArray[np.longdouble]

RESTS_ON = ("noise.attained", "noise.parallel", "noise.segments")
_FEW = 24  # places inside that are enclosed one by one
_TOO_FAR = "odds too far from even: expected likelier values"
MOST_WORK = 2_000_000_000  # products of the laws of the records of a segment, in floats


@dataclass(frozen=True)
class _Place:
    """Where a ratio of the likelihoods of a record may be largest: the segment of the record, by
    position, the ends of the odds beside it, and the output of the segment; none of these if
    the record is in no segment. `up` is whether value 1 is the likelier one.
    """

    record: int
    up: bool
    ends: tuple[int, int]
    ratio: "np.longdouble"
    segment: int | None = None
    output: int = 0
    alone: bool = True  # no other output, and no other ends, come near in floats


@dataclass(frozen=True)
class SegmentsLeakage(EnclosedRatio):
    """What releases of disjoint segments leak together, enclosed, and by record."""

    by_record: tuple[tuple[str, int, float], ...] = ()  # prior, record, e^leakage
    claims: tuple[str, ...] = field(
        default=united(RESTS_ON, ODDS_REST_ON), kw_only=True, repr=False
    )

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: enclosures, and the theorem on odds."""
        return ("INTERVAL", "PROSE")

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        return "every segment between all odds that the others leave"


def segments_of(framework: Framework, queries: Sequence[Query]) -> tuple[Segment, ...] | None:
    """Return the segments of queries, in order; None unless they are disjoint, count records of two
    values, and have noise with a decay.
    """
    if not framework.along_records or framework.classes:
        return None
    if len(framework.expect_records().alphabet) != 2:
        return None
    if any(
        chain.rows is not None or chain.emission is not None for chain in framework.chains.values()
    ):
        return None
    found: dict[tuple[int, int], Power] = {}
    for query in queries:
        if not isinstance(query, RecordQuery) or query.noise.decay is None:
            return None
        ends = query.segment or (1, query.records.count)
        if query.query == "histogram":
            decay = query.noise.decay.to(Fraction(2))
        else:  # values that are the same number tell nothing
            same = query.digits[0][0] == query.digits[0][1]
            decay = ONE if same else query.noise.decay.to(query.grain)
        found[ends] = found.get(ends, ONE).times(decay)
    segments = [Segment(*ends, found[ends]) for ends in sorted(found)]
    if any(one.last >= two.first for one, two in pairwise(segments)):
        return None
    return tuple(segments)


def segments_leakage(
    framework: Framework, segments: Sequence[Segment], queries: Sequence[Query]
) -> SegmentsLeakage:
    """Return what noisy counts of segments leak together.

    Args:
        segments: what `segments_of` finds of the queries.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> from pufferproof.models.priors.records import Records
    >>> records = Records(17_472, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
    >>> secrets = {"off": (5000, "0"), "on": (5000, "1")}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> weeks = [
    ...     RecordQuery("sum", Noise.laplace(10), records, (336 * k + 1, 336 * k + 336))
    ...     for k in range(52)
    ... ]
    >>> found = segments_leakage(framework, segments_of(framework, weeks) or (), weeks)
    >>> found.leakage.enclosure().lower[:9]
    '0.5864981'

    Raises `ModelError` if there is nothing to check.
    """
    from flint import ctx

    with ctx.workprec(BITS):
        every = [
            _Around(framework, name, Walk(chain, segments))
            for name, chain in framework.chains.items()
        ]
        places = {around.prior: list(around.places()) for around in every}
        top = max((each.ratio for found in places.values() for each in found), default=0.0)
        if not places or not any(places.values()):
            raise nothing_to_check()
        if not all(each.ratio > 0 and isfinite(each.ratio) for x in places.values() for each in x):
            raise TooLargeError(_TOO_FAR)
        near = [(x, each) for x in every for each in x.likely(places[x.prior], top)]
        near.sort(key=lambda each: each[1].ratio, reverse=True)
        costly = [each for each in near if each[0].costly(each[1])]
        left = {id(place) for _, place in costly[_FEW:]}
        found = [(x.enclosed(each), x, each) for x, each in near if id(each) not in left]
        if not all(each[0].is_finite() for each in found):
            raise TooLargeError(_TOO_FAR)
        ratio, around, place = max(found, key=lambda each: each[0].lower())
        upper = max(dyadic(each[0].upper()) for each in found)
        if left or not all(each.alone for _, each in near):  # what floats alone bound
            error = max(Fraction(x.error) for x, _ in near)
            upper = max(upper, Fraction(*top.as_integer_ratio()) * (1 + 4 * error))
        lower, witness = dyadic(ratio.lower()), around.witness(place, queries)
    never = tuple(each for each in framework.pairs if not any(x.compares(each) for x in every))
    excluded = sum(len(framework.pairs) - len(around.pairs) for around in every)
    leakage = Leakage(max(lower, Fraction(1)), max(upper, Fraction(1)))
    known = [(x, each.record, float(each.ratio)) for x, found in places.items() for each in found]
    return SegmentsLeakage(leakage, witness, Scope(0, excluded, never), tuple(known))


class _Around:
    """The records of one prior that are secret, and the segments."""

    def __init__(self, framework: Framework, prior: str, walk: Walk) -> None:
        self.framework, self.prior, self.walk = framework, prior, walk
        self._shares: dict[tuple[int, int], tuple[np.longdouble, np.longdouble]] = {}
        self.pairs: dict[int, Pair] = {}  # the secrets of value 0 and 1, by record
        for pair in framework.pairs:
            (low, zero), (high, one) = sorted((framework.places[x], x) for x in pair)
            law = walk.law(low[0])
            if law[0] > 0 and law[1] > 0:
                self.pairs[high[0]] = (zero, one)

    def places(self) -> Iterator[_Place]:
        """Yield for every record and order the place of the largest ratio, as floats tell it."""
        segments, walk = self.walk.segments, self.walk
        starts = [segment.first for segment in segments]
        # Records with the same odds beside them.
        alike = dict[tuple[tuple[int, Power], int, int], list[tuple[int, int]]]()
        for record in self.pairs:
            k = bisect_right(starts, record) - 1
            if k < 0 or record > segments[k].last:
                yield from self._outside(record)
                continue
            kind = segments[k].size, segments[k].decay
            beside = kind, id(walk.lefts[k]), id(walk.rights[k])
            alike.setdefault(beside, []).append((record, k))
        kinds = dict[tuple[int, Power], set[int]]()
        for (kind, _, _), records in alike.items():
            kinds.setdefault(kind, set()).update(r - segments[k].first for r, k in records)
        tables = {kind: _Tables(walk, *kind, sorted(at)) for kind, at in kinds.items()}
        for (kind, _, _), records in alike.items():
            yield from self._inside(records, tables[kind])

    def _inside(self, records: list[tuple[int, int]], tables: "_Tables") -> Iterator[_Place]:
        k = records[0][1]
        both = self.walk.lefts[k], self.walk.rights[k]
        corners = [((i, j), tables.ratios(both[0][i], both[1][j])) for i in (0, 1) for j in (0, 1)]
        for up in (True, False):
            best = [(ends, *_tops(table, up)) for ends, table in corners]
            for record, place in records:
                row = tables.rows[record - self.walk.segments[place].first]
                ends, values, outputs = max(best, key=lambda each: each[1][row])
                floor = values[row] * (1 - 4 * self.error)
                near = sum(_near(table[row], up, floor) for _, table in corners)
                ratio = values[row] * self._share(record, up)
                yield _Place(record, up, ends, ratio, place, int(outputs[row]), near == 1)

    def _share(self, record: int, up: bool) -> "np.longdouble":
        law = (1, 1) if self.walk.chain.stationary else (record, record)
        if law not in self._shares:
            low, high = map(long_float, self.walk.law(record))
            self._shares[law] = low / high, high / low
        return self._shares[law][0 if up else 1]

    def _outside(self, record: int) -> Iterator[_Place]:
        for up in (True, False):
            found = [((i, j), self._beyond(record, up, (i, j))) for i in (0, 1) for j in (0, 1)]
            for ends, ratio in found:  # balls tell ratios apart that are one number in floats
                if not any(ratio < other for _, other in found):
                    yield _Place(record, up, ends, long_float(ratio))

    def _beyond(self, record: int, up: bool, ends: tuple[int, int]) -> "arb":
        """Return the ratio about a record that is in no segment."""
        p, q = self.walk.before(record)[ends[0]], self.walk.after(record)[ends[1]]
        low, high = self.walk.law(record)
        ratio = p * q * low / ((1 - p) * (1 - q) * high)
        return ratio if up else 1 / ratio

    @property
    def error(self) -> float:
        """A relative error of ratios in floats."""
        import numpy as np

        longest = max(each.size for each in self.walk.segments)
        return (16 * longest + 80) * 2 * float(np.finfo(np.longdouble).eps)

    def costly(self, place: _Place) -> bool:
        """Whether the output is inside, where no product encloses the ratio."""
        k = place.segment
        return k is not None and 0 < place.output < self.walk.segments[k].size

    def compares(self, pair: Pair) -> bool:
        return self.pairs.get(self.framework.places[pair[0]][0]) is not None

    def likely(self, places: Sequence[_Place], top: "np.longdouble | float") -> list[_Place]:
        """Return the places that could be the largest, each of those alike once."""
        walk, floor = self.walk, top * (1 - 4 * self.error)
        found = dict[object, _Place]()
        for each in places:
            if each.ratio >= floor:
                k = each.segment
                alike: object = each.record
                if k is not None:
                    segment = walk.segments[k]
                    inner = segment.size, segment.decay, each.record - segment.first
                    share = None if walk.chain.stationary else each.record
                    alike = *inner, share, id(walk.lefts[k]), id(walk.rights[k])
                found.setdefault((alike, each.up, each.ends, each.output), each)
        return list(found.values())

    def enclosed(self, place: _Place) -> "arb":
        """Enclose the ratio at a place."""
        if place.segment is None:
            return self._beyond(place.record, place.up, place.ends)
        walk, k = self.walk, place.segment
        p, q = walk.lefts[k][place.ends[0]], walk.rights[k][place.ends[1]]
        likely = walk.given(walk.segments[k], place.record, place.output)
        one, zero = (
            (1 - p) * ((1 - q) * each[0, 0] + q * each[0, 1])
            + p * ((1 - q) * each[1, 0] + q * each[1, 1])
            for each in (likely[1], likely[0])
        )
        low, high = walk.law(place.record)
        ratio = one * low / (zero * high)
        return ratio if place.up else 1 / ratio

    def witness(self, place: _Place, queries: Sequence[Query]) -> Witness:
        """Return the place of a ratio, with outputs that reach it."""
        segments = self.walk.segments
        counts = self.walk.outputs(place.record, place.ends, place.output)
        at = {(each.first, each.last): n for each, n in zip(segments, counts)}
        numbers: list[Fraction] = []
        for query in queries:
            if isinstance(query, RecordQuery):
                ends = query.segment or (1, query.records.count)
                upward = query.digits[0][1] > 0 or query.digits[0][0] == query.digits[0][1]
                n = at[ends] if upward else query.size - at[ends]
                numbers += query.vector([n])
        zero, one = self.pairs[place.record]
        pair = (one, zero) if place.up else (zero, one)
        return Witness(self.prior, pair, ",".join(map(text_of, numbers)))


def _near(row: "Long", up: bool, floor: "np.longdouble") -> int:
    """Return how many outputs of a row have a ratio of at least so much."""
    return int(((row if up else 1 / row) >= floor).sum())


def _tops(table: "Long", up: bool) -> "tuple[Long, Indices]":
    """Return for every row the largest ratio, of value 1 against 0 or the other way, and its
    output.
    """
    outputs = table.argmax(axis=1) if up else table.argmin(axis=1)
    values = table[range(len(table)), outputs]
    return (values if up else 1 / values), outputs


class _Tables:
    """K_w^v(x, y) in floats for some records of a segment, by position: sums of products of
    positive numbers, each rounded at most 10 times per record of the segment.
    """

    def __init__(self, walk: Walk, size: int, decay: Power, positions: Sequence[int]) -> None:
        import numpy as np

        if len(positions) * size * size * 8 > MOST_WORK:
            raise TooLargeError(
                f"{len(positions)} secret records of a segment of {size}: expected at most "
                f"{MOST_WORK // (8 * size * size)}, or shorter segments"
            )
        self.rows = {position: row for row, position in enumerate(positions)}
        step = np.array([[long_float(ball(x)) for x in row] for row in walk.chain.step])
        heads, tails = _heads(step, size, positions), _tails(step, size, positions)
        found = np.zeros((len(positions), 2, 2, 2, size + 1), dtype=np.longdouble)
        for row, position in enumerate(positions):
            for x, v, y in product((0, 1), repeat=3):
                found[row, v, x, y] = np.convolve(heads[position][x, v], tails[position][v, y])
        self.tables = _swept(found, long_float(decay.ball()))

    def ratios(self, p: "arb", q: "arb") -> "Long":
        """Return sum_(x, y) p(x) K^1(x, y) q(y) over that of K^0, by position and output."""
        import numpy as np

        left, right = (np.array([long_float(1 - x), long_float(x)]) for x in (p, q))
        both = np.einsum("x,rvxyw,y->rvw", left, self.tables, right)
        if not (both > np.finfo(np.longdouble).tiny ** 0.75).all():
            raise TooLargeError(
                "likelihoods too small for floats: expected noise of a larger scale"
            )
        ratios: Long = both[:, 1] / both[:, 0]
        return ratios


def long_float(number: "arb") -> "np.longdouble":
    """Return a number as a long float."""
    import numpy as np

    return np.longdouble(number.mid().str(30, radius=False))


def number_float(number: Fraction) -> "np.longdouble":
    """Return a rational number as a long float."""
    from flint import ctx

    with ctx.workprec(BITS):
        return long_float(ball(number))


def _heads(step: "Long", size: int, positions: Sequence[int]) -> "dict[int, Long]":
    """Return P(n of the records before, X_t = v | X_1 = x) at some t, counted from 0; the record
    itself adds to n.
    """
    import numpy as np

    now, kept = np.zeros((2, 2, 2), dtype=step.dtype), {}
    now[0, 0, 0] = now[1, 1, 1] = 1
    for t in range(max(positions) + 1):
        if t in positions:
            kept[t] = now
        longer = np.zeros((2, 2, t + 3), dtype=step.dtype)
        longer[:, 0, :-1] = now[:, 0] * step[0, 0] + now[:, 1] * step[1, 0]
        longer[:, 1, 1:] = now[:, 0] * step[0, 1] + now[:, 1] * step[1, 1]
        now = longer
    return kept


def _tails(step: "Long", size: int, positions: Sequence[int]) -> "dict[int, Long]":
    """Return P(n of the records after, X_last = y | X_t = v) at some t, counted from 0."""
    import numpy as np

    kept, now = {}, np.zeros((2, 2, 1), dtype=step.dtype)
    now[0, 0, 0] = now[1, 1, 0] = 1
    for t in range(size - 1, min(positions) - 1, -1):
        if t in positions:
            kept[t] = now
        longer = np.zeros((2, 2, size - t + 1), dtype=step.dtype)
        longer[:, :, :-1] = step[:, :1, None] * now[:1]
        longer[:, :, 1:] += step[:, 1:, None] * now[1:]
        now = longer
    return kept


def _swept(found: "Long", tau: "np.longdouble") -> "Long":
    """Return sum_n found[n] tau^|w - n| at every w, along the last axis."""
    up, down = found.copy(), found * 0
    for w in range(1, found.shape[-1]):
        up[..., w] += tau * up[..., w - 1]
        down[..., -w - 1] = tau * (down[..., -w] + found[..., -w])
    both: Long = up + down
    return both
