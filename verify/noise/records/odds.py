"""The odds that noisy counts of disjoint segments of a chain of two values leave of a record, at
most and at least over all outputs.

    G_w(x, y) = sum_n P(n records of value 1, X_last = y | X_first = x) t^|w - n|

is, up to one factor, the likelihood of an output w of a segment with the decay t. Whatever later
segments show acts on X_last by the odds b(1)/b(0) of its likelihoods alone, and an output maps
these odds to those of X_first by a Moebius map, which is monotone: so all outputs together leave an
interval of odds, whose ends are those of ends. Likewise from the left.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, TypeAlias

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.sequences.chain import Chain

if TYPE_CHECKING:
    from flint import arb, arb_mat, arb_poly

RESTS_ON = ("noise.attained", "noise.parallel", "noise.segments")
BITS = 192
_NEAR = 120  # bits to which an interval is the same as the one before
_KEPT = 16  # laws of segments that are kept
Rows = tuple[tuple[Fraction, ...], ...]
Place = tuple[int, int]  # x and y
Table: TypeAlias = "dict[Place, list[arb]]"  # a number for every output 0, 1, ..
Interval: TypeAlias = "tuple[arb, arb]"  # of b(1) / (b(0) + b(1))
Kind = tuple[int, Power, int]  # records and decay of a segment, steps to the one that it informs


@dataclass(frozen=True)
class Segment:
    """Records `first` to `last`, whose records of value 1 are counted with noise that decays by
    `decay` per record.
    """

    first: int
    last: int
    decay: Power

    @property
    def size(self) -> int:
        """The number of records."""
        return self.last - self.first + 1


class Walk:
    """The odds between the segments of a chain, which are in order and disjoint; at a working
    precision of `BITS`.
    """

    def __init__(self, chain: Chain, segments: Sequence[Segment]) -> None:
        from flint import arb_mat

        self.chain, self.segments = chain, segments
        self.step = arb_mat([[ball(p) for p in row] for row in chain.step])
        self._powers: dict[int, arb_mat] = {}
        self._known: dict[tuple[Kind, bool], Table] = {}
        self._ends: dict[tuple[Kind, bool, int, int], tuple[int, int]] = {}

    def power(self, steps: int) -> "arb_mat":
        """Return the transitions of so many steps."""
        if steps not in self._powers:
            self._powers[steps] = self.step**steps
        return self._powers[steps]

    def law(self, record: int) -> "tuple[arb, arb]":
        """Return the law of a record."""
        from flint import arb_mat

        start = arb_mat([[ball(p) for p in self.chain.start]])
        found = start * self.power(0 if self.chain.stationary else record - 1)
        return found[0, 0], found[0, 1]

    def table(self, size: int, decay: Power) -> Table:
        """Return the likelihoods of the outputs of a segment."""
        return _likelihoods(self.chain.step, size, decay)

    def forward(self, value: int, size: int) -> "tuple[arb_poly, arb_poly]":
        """Return P(n, X_size = y | X_1 = value), as polynomials in z^n."""
        return _counts(self.chain.step, value, size)

    @cached_property
    def lefts(self) -> list[Interval]:
        """For each segment the odds of its first record that the earlier ones leave."""
        law = self.law(self.segments[0].first)
        kinds = [(a.size, a.decay, b.first - a.last) for a, b in pairwise(self.segments)]
        return list(self._carried(kinds, (law[1], law[1]), left=True))

    @cached_property
    def rights(self) -> list[Interval]:
        """For each segment the odds of its last record that the later ones leave."""
        from flint import arb

        kinds = [(b.size, b.decay, b.first - a.last) for a, b in pairwise(self.segments)]
        half = arb(1) / 2
        return list(self._carried(kinds[::-1], (half, half), left=False))[::-1]

    def before(self, record: int) -> Interval:
        """Return the odds of a record of no segment that earlier segments leave."""
        k = self._earlier(record)
        if k < 0:
            law = self.law(record)
            return law[1], law[1]
        one = self.segments[k]
        kind = one.size, one.decay, record - one.last
        return _image(self._maps(kind, left=True), self.lefts[k])

    def after(self, record: int) -> Interval:
        """Return the odds of a record of no segment that later segments leave."""
        from flint import arb

        k = self._earlier(record) + 1
        if k == len(self.segments):
            return arb(1) / 2, arb(1) / 2
        one = self.segments[k]
        kind = one.size, one.decay, one.first - record
        return _image(self._maps(kind, left=False), self.rights[k])

    def _earlier(self, record: int) -> int:
        return bisect_right([each.first for each in self.segments], record) - 1

    def given(self, segment: Segment, record: int, output: int) -> "dict[int, dict[Place, arb]]":
        """Return K_w^v(x, y) of a record of a segment, by v."""
        before, after = record - segment.first, segment.last - record
        if output in (0, segment.size):  # where the weight of a sequence is a product
            return self._tilted(segment.decay, before, after, least=output == 0)
        tau = segment.decay.ball()
        weights = [tau ** abs(output - n) for n in range(segment.size + 1)]
        heads = {x: self.forward(x, before + 1) for x in (0, 1)}
        tails = {v: self.forward(v, after + 1) for v in (0, 1)}
        found: dict[int, dict[Place, arb]] = {0: {}, 1: {}}
        for v, x, y in product((0, 1), repeat=3):
            whole = heads[x][v] * tails[v][y]  # the record itself is counted twice
            terms = (whole[n + v] * weight for n, weight in enumerate(weights))
            found[v][x, y] = sum(terms, 0 * tau)
        return found

    def _tilted(
        self, decay: Power, before: int, after: int, least: bool
    ) -> "dict[int, dict[Place, arb]]":
        from flint import arb_mat

        tau = decay.ball()
        own = arb_mat([[1, 0], [0, tau]] if least else [[tau, 0], [0, 1]])
        head, tail = (own * self.step) ** before * own, (self.step * own) ** after
        return {
            v: {(x, y): head[x, v] * tail[v, y] for x in (0, 1) for y in (0, 1)} for v in (0, 1)
        }

    def outputs(self, record: int, ends: tuple[int, int], own: int) -> list[int]:
        """Return the outputs of all segments that leave these ends of the odds of a record, whose
        segment, if it is in one, has the output `own`.
        """
        counts, last = [own] * len(self.segments), self._earlier(record)
        inside = last >= 0 and record <= self.segments[last].last
        end, to = ends[0], self.segments[last].first if inside else record
        for j in range(last - inside, -1, -1):
            one = self.segments[j]
            kind = one.size, one.decay, to - one.last
            counts[j], end = self._reached(kind, True, self.lefts[j], end)
            to = one.first
        end, to = ends[1], self.segments[last].last if inside else record
        for j in range(last + 1, len(self.segments)):
            one = self.segments[j]
            kind = one.size, one.decay, one.first - to
            counts[j], end = self._reached(kind, False, self.rights[j], end)
            to = one.last
        return counts

    def _reached(self, kind: Kind, left: bool, odds: Interval, end: int) -> tuple[int, int]:
        """Return the output that leaves an end of the image of odds, and the end it comes from."""
        key = kind, left, id(odds), end
        if key not in self._ends:
            maps = self._maps(kind, left)
            found = [
                (float(value.mid()), w, e)
                for e in (0, 1)
                for w, value in enumerate(moved(maps, odds[e]))
            ]
            _, output, source = (max if end else min)(found)
            self._ends[key] = output, source
        return self._ends[key]

    def _carried(self, kinds: Sequence[Kind], start: Interval, left: bool) -> Iterator[Interval]:
        """Yield the odds that none, one, two .. segments leave.

        If a wider interval is mapped into itself, and a narrower one onto more, then all that
        segments of one kind leave lie between these two.
        """
        now, before, settled = start, None, False
        yield now
        for kind in kinds:
            settled = settled and kind == before
            if not settled:
                maps = self._maps(kind, left)
                now = _image(maps, now)
                limits = _settled(maps, now) if kind == before else None
                settled = limits is not None
                now = limits or now
            before = kind
            yield now

    def _maps(self, kind: Kind, left: bool) -> Table:
        """Return what an output of a segment makes of odds, as a matrix for row vectors."""
        if (kind, left) not in self._known:
            self._known[kind, left] = self._mapped(kind, left)
        return self._known[kind, left]

    def _mapped(self, kind: Kind, left: bool) -> Table:
        size, decay, steps = kind
        found, power, both = self.table(size, decay), self.power(steps), (0, 1)
        if left:
            return {
                (x, y): [
                    a * power[0, y] + b * power[1, y] for a, b in zip(found[x, 0], found[x, 1])
                ]
                for x in both
                for y in both
            }
        return {
            (x, y): [power[y, 0] * a + power[y, 1] * b for a, b in zip(found[0, x], found[1, x])]
            for x in both
            for y in both
        }


@lru_cache(maxsize=_KEPT)
def _counts(step: Rows, value: int, size: int) -> "tuple[arb_poly, arb_poly]":
    from flint import arb_poly

    none, one, z = arb_poly([0]), arb_poly([1]), arb_poly([0, 1])
    moves = [[ball(p) for p in row] for row in step]
    now = (none, z) if value else (one, none)
    for _ in range(size - 1):
        low, high = (now[0] * moves[0][y] + now[1] * moves[1][y] for y in (0, 1))
        now = low, high * z
    return now


@lru_cache(maxsize=_KEPT)
def _likelihoods(step: Rows, size: int, decay: Power) -> Table:
    tau = decay.ball()
    return {
        (x, y): smoothed(each, size, tau)
        for x in (0, 1)
        for y, each in enumerate(_counts(step, x, size))
    }


def _image(maps: Table, odds: Interval) -> Interval:
    """Return the interval of odds that all outputs make of one."""
    return _hull(each for end in odds for each in moved(maps, end))


def moved(maps: Table, odds: "arb") -> "Iterator[arb]":
    """Yield what each output makes of odds."""
    other = 1 - odds
    for a, b, c, d in zip(maps[0, 0], maps[0, 1], maps[1, 0], maps[1, 1]):
        low, high = other * a + odds * c, other * b + odds * d
        yield high / (low + high)


def _hull(found: "Iterable[arb]") -> Interval:
    every = list(found)
    if not all(each.is_finite() for each in every):
        raise TooLargeError("odds too far from even: expected likelier values")
    low = min(every, key=lambda each: each.lower())
    high = max(every, key=lambda each: each.upper())
    least, most = min(each.upper() for each in every), max(each.lower() for each in every)
    return low.lower().union(least), high.upper().union(most)


def _settled(maps: Table, odds: Interval) -> "Interval | None":
    """Return bounds of the ends that any number of maps leave, None if they still move."""
    from flint import arb

    more = 1 + arb(2) ** -_NEAR
    low, high = odds[0].lower(), odds[1].upper()
    wide = (low / more).lower(), (1 - (1 - high) / more).upper()
    inside = _image(maps, wide)
    if not (wide[0] <= inside[0] and inside[1] <= wide[1]):
        return None
    if high - low < arb(2) ** -(_NEAR // 2):
        return wide[0].union(wide[1]), wide[0].union(wide[1])
    narrow = (odds[0].upper() * more).upper(), (1 - (1 - odds[1].lower()) * more).lower()
    beyond = _image(maps, narrow)
    if not (beyond[0] <= narrow[0] and narrow[1] <= beyond[1]):
        return None
    return wide[0].union(narrow[0]), wide[1].union(narrow[1])


def smoothed(law: "arb_poly", size: int, tau: "arb") -> "list[arb]":
    """Return sum_n law[n] tau^|w - n| for w = 0 .. size."""
    from flint import arb

    rising = [law[n] for n in range(size + 1)]
    falling = [arb(0)] * (size + 1)
    numbers = list(rising)
    for w in range(1, size + 1):
        rising[w] = rising[w] + tau * rising[w - 1]
        falling[size - w] = tau * (falling[size - w + 1] + numbers[size - w + 1])
    return [a + b for a, b in zip(rising, falling)]
