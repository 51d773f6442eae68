"""What a noisy query of a sequence leaks at most about a record, from the law of what the records
near it add, whatever the others are.

Let l and r be the records, or hidden states, right before and after a window around X_i, F what its
records add, and R what the others add. Given l and r, R is independent of X_i and F, so

    f(w | v) = sum_(l, r) E[ sum_n P(l, r, F = n | v) h(w - R - n) | l, r ],

h the noise's density, and a quotient of two such sums is at most the largest of their terms:

    f(w | v) / f(w | v') <= max_(l, r) sup_u
        sum_n P(l, r, F = n | v) h(u - n) / sum_n P(l, r, F = n | v') h(u - n).

The supremum over u is at values of F; balls enclose it. P(l), common to both, is left out.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from math import lcm, prod
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpz_poly

from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import Noise, Vector
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.sequences.chain import Chain
from pufferproof.models.views import possible_values
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, merged
from pufferproof.verify.noise.laws.of_records import ChainPolynomials, Packing
from pufferproof.verify.noise.ratio.bounds import NoiseBounds, WindowBound
from pufferproof.verify.noise.ratio.listed import candidate_at, smoothed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("noise.attained", "noise.law", "noise.parallel", "noise.window")
_BITS = 192  # working precision of balls
_WIDEST = 1 << 12  # records to either side
_FEW_CELLS = 4_000  # balls of one window; beyond, floats leave those that could be the largest
_MOST_CELLS = 2_000_000  # floats of one window: 16 MB
_FEW_LEFT = 100  # outputs that floats leave, each compared again by balls
_TINY = 1e-250  # sums below it may have lost digits where a term was subnormal
MOST_BITS = 1 << 33  # of the polynomials of one window
MOST_WINDOWS = 40  # that differ
_KEPT, _KEPT_CELLS = 16, 16_000  # windows that are kept, and how large they may be
_ANY_NOISE = Noise.laplace(1)
_SAME = 1 - Fraction(1, 10**16)  # two widths that bound as well as each other

Place = tuple[int, int, int]  # l, r and the value of the record
Measures = Mapping[Place, Law]


def with_windows(framework: Framework, queries: Sequence[RecordQuery], bounds: NoiseBounds) -> NoiseBounds:
    """Return bounds by windows as well as by quilts, unless windows are too many or a prior is a
    network.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> from pufferproof.models.priors.records import Records
    >>> from pufferproof.verify.noise.ratio.bounds import noise_bounds
    >>> records = Records(10**6, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
    >>> secrets = {"zero": (5000, "0"), "one": (5000, "1")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "one")], {"theta": chain})
    >>> count = RecordQuery("sum", Noise.laplace(10), records)
    >>> found = with_windows(framework, [count], noise_bounds(framework, count))
    >>> found.leakage.enclosure().lower[:15], found.leakage.enclosure().upper[:15]
    ('0.5864981107706', '0.5864981107706')
    >>> found.windows[0].first, found.windows[0].last
    (4873, 5127)
    """
    if not framework.along_records:
        return bounds
    places = [
        (around, record, values)
        for around in (Around(framework, prior, queries) for prior in framework.chains)
        for record, values in around.compared()
    ]
    keys = [around.key(record, values) for around, record, values in places]
    different = dict(zip(reversed(keys), reversed(places)))  # the first of each
    if not 0 < len(different) <= MOST_WINDOWS:
        return bounds
    shared = {key: around.window(record, values, len(different)) for key, (around, record, values) in different.items()}
    windows: list[WindowBound] = []
    for key, (_, record, _) in zip(keys, places):
        window = shared[key]
        if window is None:
            return bounds
        windows.append(window.moved(record))
    windows.sort(key=lambda one: one.upper, reverse=True)
    return bounds.narrowed(RESTS_ON, windows=tuple(windows))


class Around:
    """Windows around the records of one prior."""

    def __init__(self, framework: Framework, prior: str, queries: Sequence[RecordQuery]) -> None:
        self.framework, self.prior, self.queries = framework, prior, queries
        self.chain: Chain = framework.chains[prior]
        self.count = framework.expect_records().count
        self.distinct = list({query.asked: query for query in queries}.values())
        alike = tuple(replace(query, noise=_ANY_NOISE) for query in self.distinct)
        self.counts = WindowCounts(self.chain, self.count, alike)
        # noise on equal queries is noise on one of them, with the product of the decays
        self.decays = [power for query in self.distinct for power in self._decays(query)]

    def _decays(self, query: RecordQuery) -> list[Power]:
        joint = ONE
        for other in self.queries:
            if other.asked == query.asked:
                joint = joint.times(other.noise.decay or ONE)
        return [joint] * query.dimension

    def compared(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield every record with two possible secrets, and their values."""
        places = sorted({record for record, _ in self.framework.places.values()})
        possible = possible_values(self.framework, self.prior, places)
        for record in places:
            secrets = {value for place, value in self.framework.places.values() if place == record}
            values = tuple(sorted(secrets & possible[record]))
            if len(values) > 1:
                yield record, values

    def key(self, record: int, values: tuple[int, ...]) -> Hashable:
        """Return what records share whose windows are the same but for their places."""
        alone = self.chain.rows is not None
        inner = self.chain.stationary and _WIDEST < record <= self.count - _WIDEST
        ends = [end for query in self.distinct for end in query.ends]
        near = tuple(max(-_WIDEST - 1, min(end - record, _WIDEST + 1)) for end in ends)
        return (self.prior, values, near) if alone or inner else (self.prior, values, record)

    def window(self, record: int, values: Sequence[int], shares: int) -> WindowBound | None:
        """Return the bound of the best width tried, or None if no window bounds the leakage; the
        work is one of some equal shares.
        """
        best: WindowBound | None = None
        width = 1
        while width <= _WIDEST and self.work(record, width, len(values)) <= MOST_BITS // shares:
            window = self._window(record, values, width)
            if window is not None and best is not None and window.upper > best.upper * _SAME:
                return min(best, window, key=lambda one: one.upper)
            best = window or best
            if self.chain.rows is not None or self._ends(record, width) == (True, True):
                break
            width *= 2
        return best

    def _ends(self, record: int, width: int) -> tuple[bool, bool]:
        return record - width < 1, record + width > self.count

    def work(self, record: int, width: int, values: int) -> int:
        """Return about how many bits are written for a window, too many where its grids are too large."""
        states = max(1, len(self.chain.step))
        if self._cells(record, width, values) > _MOST_CELLS:
            return MOST_BITS + 1
        terms = self.counts.packing(record, width).terms
        bits = 2 * width * lcm(*(p.denominator for row in self.chain.step for p in row)).bit_length()
        return max(2 * width * states**3, 50 * states * states * values) * terms * bits

    def _cells(self, record: int, width: int, values: int) -> int:
        """Return about how many values the measures of a window have."""
        cells = max(1, len(self.chain.step)) ** 2 * values
        for query, inside in zip(self.distinct, self.counts.inside(record, width)):
            axes = query.dimension if query.dimension > 2 else 1  # two counts are merged
            cells *= (1 + inside * max(map(max, query.digits))) ** axes
        return cells

    def _window(self, record: int, values: Sequence[int], width: int) -> WindowBound | None:
        few = self._cells(record, width, len(values)) <= _KEPT_CELLS
        counted = _counted if few else WindowCounts.measures
        measures = counted(self.counts, record, tuple(values), width)
        ends = {key[:2] for key, law in measures.items() if law}
        if not all(measures[(*end, value)] for end in ends for value in values):
            return None
        with ctx.workprec(_BITS):
            shares = self._shares(record)
            if not all(shares[value] > 0 for value in values):
                return None
            likely = {key: law for key, law in measures.items() if law}
            ratios = _Ratios(self.decays, likely, shares).largest()
        if not ratios:
            return None
        lower, upper = (dyadic(max(side)) for side in zip(*ratios))
        alone = self.chain.rows is not None
        first = record if alone else max(1, record - width + 1)
        last = record if alone else min(self.count, record + width - 1)
        bound = Leakage(max(lower, Fraction(1)), max(upper, Fraction(1)))
        return WindowBound(self.prior, record, first, last, bound)

    def _shares(self, record: int) -> list[arb]:
        """Return P(v) for all values of a record; 1 where it is no part of the measures."""
        if self.chain.rows is not None:
            return [arb(1)] * len(self.framework.expect_records().alphabet)
        laws = self.chain.along(self.count, "enclosed", _BITS)
        law = laws.law_matrix(record).balls.tolist()[0]
        if self.chain.emission is None:
            return list(law)
        return [
            sum((m * ball(row[value]) for m, row in zip(law, self.chain.emission)), arb(0))
            for value in range(len(self.chain.emission[0]))
        ]


@dataclass(frozen=True)
class WindowCounts:
    """What the records of windows add to queries, whatever their noise."""

    chain: Chain
    count: int
    queries: tuple[RecordQuery, ...]

    def inside(self, record: int, width: int) -> list[int]:
        """Return how many records of a window are in the segment of every query."""
        near = 0 if self.chain.rows is not None else width - 1
        segments = [query.ends for query in self.queries]
        return [max(0, min(record + near, last) - max(record - near, first) + 1) for first, last in segments]

    def packing(self, record: int, width: int) -> Packing:
        sizes = zip(self.queries, self.inside(record, width))
        bases = (1 + n * max(digit) for query, n in sizes for digit in query.digits)
        return Packing(self.queries, tuple(bases))

    def measures(self, record: int, values: tuple[int, ...], width: int) -> Measures:
        """Return P(l, r, F = n | v) P(v) / P(l) as a measure of n, up to one factor, for all l, r and v."""
        packing = self.packing(record, width)
        numbers = ChainPolynomials(self.chain, self.count, packing)
        adds = packing.adds(record)
        if self.chain.rows is not None:
            befores, afters = [[fmpz_poly([1])] * numbers.size], [[fmpz_poly([1])] * numbers.size]
        else:
            # A of the record given each l
            if record - width < 1:
                befores, first = [numbers.first()], 1
            else:
                befores = [[fmpz_poly([p]) for p in row] for row in numbers.step]
                first = record - width + 1
            for t in range(first, record):
                befores = [numbers.pushed(now, t) for now in befores]
            # B of the record given each r
            if record + width > self.count:
                afters, last = [[fmpz_poly([1])] * numbers.size], self.count
            else:
                afters = [[fmpz_poly([p]) for p in column] for column in zip(*numbers.step)]
                last = record + width - 1
            for later in range(last, record, -1):
                afters = [numbers.pulled(now, later) for now in afters]
        return {
            (left, r, value): _measure(numbers.given(before, after, value), packing, adds[value])
            for left, before in enumerate(befores)
            for r, after in enumerate(afters)
            for value in values
        }


@lru_cache(maxsize=_KEPT)
def _counted(counts: WindowCounts, record: int, values: tuple[int, ...], width: int) -> Measures:
    """Return the measures of a small window, found once for noise of any scale."""
    return counts.measures(record, values, width)


def _measure(weights: fmpz_poly, packing: Packing, shift: int) -> Law:
    coefficients = enumerate(weights.coeffs())
    return {packing.known_vector(e + shift): Fraction(int(c)) for e, c in coefficients if c}


class _Ratios:
    """The ratios of measures of the same l and r at every output of one grid, times those of the
    probabilities of their values.

    Numbers that are affine functions of one another within a window need not be so beyond it, and u
    is then on no line: they are merged all the same, which noise.parallel has for every u.
    """

    def __init__(self, decays: Sequence[Power], measures: Measures, shares: list[arb]) -> None:
        keys, laws = list(measures), list(measures.values())
        twos = [LawPair("", ("", ""), one, other) for one, other in zip(laws, laws[1:] + laws[:1])]
        fewer = merged(decays, twos[::2])
        kept = [law for pair in fewer.pairs for law in (pair.above, pair.below)]
        self.decays, self.laws, self.shares = fewer.decays, dict(zip(keys, kept)), shares
        self.axes = [sorted(set(column)) for column in zip(*chain.from_iterable(kept))]

    def largest(self) -> list[tuple[arb, arb]]:
        """Return the ends of balls around ratios, the largest among them; nothing where too many
        could be the largest.
        """
        if len(self.laws) * prod(map(len, self.axes)) > _FEW_CELLS:
            result = []
            for key, other, w in self._left():
                two = LawPair("", ("", ""), self.laws[key], self.laws[other])
                result.append(self._ends(key, other, candidate_at(two, w, self.decays).ball()))
            return result
        tables = {key: smoothed(law, self.axes, self.decays) for key, law in self.laws.items()}
        return [
            self._ends(key, other, ratio) for key, other in self._twos() for ratio in (tables[key] / tables[other]).flat
        ]

    def _twos(self) -> Iterator[tuple[Place, Place]]:
        for key in self.laws:
            for other in self.laws:
                if key[:2] == other[:2] and key != other:
                    yield key, other

    def _ends(self, key: Place, other: Place, ratio: arb) -> tuple[arb, arb]:
        end = ratio * self.shares[other[2]] / self.shares[key[2]]
        return end.lower(), end.upper()

    def _left(self) -> list[tuple[Place, Place, Vector]]:
        """Return the measures and outputs that could have the largest ratio, by floats with a
        proven error, or none if they are too many or floats underflow.

        A sum of positive numbers along an axis of n values has a relative error of at most (4 n +
        4) 2^-53, since every one of its 2 n steps is a product with a rounded power and a sum; what
        is lost where a term is subnormal is far less than that of a sum above 10^-250.
        """
        import numpy as np

        unit = max(max(law.values()) for law in self.laws.values()).numerator
        tables = {
            key: _smoothed_approx(law, unit, self.axes, self.decays) / float(self.shares[key[2]].mid())
            for key, law in self.laws.items()
        }
        if not all((table > _TINY).all() for table in tables.values()):
            return []
        error = 2.0**-53 * sum(8 * len(axis) + 8 for axis in self.axes) + 2.0**-50
        twos = list(self._twos())
        floor = max((tables[key] / tables[other]).max() for key, other in twos) * (1 - 4 * error)
        left = [
            (key, other, tuple(axis[k] for axis, k in zip(self.axes, place)))
            for key, other in twos
            for place in np.argwhere(tables[key] / tables[other] >= floor).tolist()
        ]
        return left if len(left) <= _FEW_LEFT else []


def _smoothed_approx(
    law: Law, unit: int, axes: Sequence[Sequence[Fraction]], decays: Sequence[Power]
) -> "NDArray[np.float64]":
    """Return sum_v P(v) / unit prod_k t_k^|w_k - v_k| at every w of the grid in floats, of integers P(v)."""
    import numpy as np

    values = np.zeros([len(axis) for axis in axes])
    places = [{number: index for index, number in enumerate(axis)} for axis in axes]
    for vector, p in law.items():
        values[tuple(place[number] for place, number in zip(places, vector))] = p.numerator / unit
    for k, (axis, decay) in enumerate(zip(axes, decays)):
        steps = [float(decay.to(then - now).ball().mid()) for now, then in pairwise(axis)]
        rows = np.moveaxis(values, k, 0)
        up, down = rows.copy(), np.zeros_like(rows)
        for index, step in enumerate(steps, 1):
            up[index] += up[index - 1] * step
        for index, step in reversed(list(enumerate(steps))):
            down[index] = (down[index + 1] + rows[index + 1]) * step
        values = np.moveaxis(up + down, 0, k)
    return values


# What bounds the delta of a noisy query whose law has too many values: a window around the record.
#
# Let l and r be the records, or hidden states, right before and after the window, F what its records add, and R what
# the others add, which given l and r is independent of X_i and F. Noise h and R only hide, so
#
#     delta <= sum_(l, r) integral over u of
#         max(0, sum_n (P(l, r, F = n | v) - e^epsilon P(l, r, F = n | v')) h(u - n)).

DELTA_RESTS_ON = ("noise.window-delta",)
DELTA_CLAIMS = ("noise.window-delta",)
_FARTHEST = 2_000  # from the first record, of a chain that is not stationary
_FIRST_WIDTH, _WIDEST_WINDOW = 8, 512  # records to either side, doubled between

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
        while width <= _WIDEST_WINDOW:
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
