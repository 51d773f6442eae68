"""The worst ratio about one record of a chain of two states, over all mechanisms of given
per-record levels: one pass from either end.

The range of the ratio of both states is passed on: a record multiplies it by a number in a range
that its level allows, a step of the chain moves it by a Moebius map. A hidden Markov model shows
symbols instead of its states: what changes is the range of a record. Numbers are kept to some bits
and rounded outward, so that ends are enclosed; short ones are exact. Along records of equal levels
the range stops changing, or many steps are taken at once (`jumps`).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate
from math import lcm
from typing import NamedTuple

from pufferproof.lp.levels import NOTHING, RecordLevels, Total
from pufferproof.lp.translation.bits.quotients import ONE, Moebius, Precision, Quotient, Range, flipped
from pufferproof.models.sequences.chain import Chain

RESTS_ON = ("worst.record-levels", "worst.moebius-tree", "worst.chain-interior")
_MORE = 96  # bits beyond those of a quotient
_SHORT, _EXACT, _ENCLOSED = 400, 1 << 15, 160  # records up to which quotients stay exact, and bits
_FAR = 100  # steps that change the range, from which on powers of the map take the others
_MANY, _FEW, _WINDOW = 1_000, 100, 256  # runs of levels, secret records, records looked at
Emission = Sequence[Sequence[Fraction]]
PLAIN: Emission = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
_WHOLE = Range.at(ONE, ONE)


@dataclass(frozen=True)
class Sides:
    """What may be known of the state at one record from the others: the ratio of state 1 to state
    0 with all `before` and `after` it, the prior `odds`, and the level `own` of the record.
    """

    before: Range
    after: Range
    odds: Range
    own: Total

    def ratio(self, one: Sequence[Fraction], other: Sequence[Fraction], precision: Precision) -> Range | None:
        """Return the range of E[u | X_i = v] / E[u | X_i = w], given P(v | h) and P(w | h) for both
        states h, or None if v or w is impossible.
        """
        above, below = self.odds.most
        if not all(above * shown[1] or below * shown[0] for shown in (one, other)):
            return None
        by = integers([one[1], one[0], other[1], other[0]])
        prior = self.odds.moved(by, precision)
        range_of_ratio = self.before.times(self.after, precision).moved(by, precision)
        alone = range_of_ratio.times(prior.inverse(), precision)
        low, high = self.own.bounds()
        return alone.times(_between(Fraction(low), Fraction(high)), precision)


def sides(chain: Chain, levels: RecordLevels, records: Sequence[int]) -> tuple[dict[int, Sides], Precision]:
    """Return what is known of the state at each of some records, from 1 on, and the precision.

    Args:
        chain: two states, not records of laws of their own.
        levels: of all records of the chain.
    """
    count = levels.count
    precision = precision_of(count)
    emission = emission_of(chain)
    shown, silent = (_ShownStretches(levels.runs, emission, {}), _ShownStretches([(count, NOTHING)], emission, {}))
    (p00, p01, p10, p11) = integers([*chain.step[0], *chain.step[1]])
    start = Range.at(*[_quotient(chain.start[1], chain.start[0])] * 2)
    forward, backward = (p11, p01, p10, p00), (p11, p10, p01, p00)
    wanted = sorted(set(records))
    mirrored = [count + 1 - record for record in reversed(wanted)]
    odds = _walk(start, forward, silent, wanted, precision)
    if len(levels.runs) > _MANY and len(wanted) <= _FEW:
        starts = partial(_walk, start, forward, silent, precision=precision)
        before = _nearby(forward, shown, wanted, precision, starts)
        after = _nearby(backward, shown.backward, mirrored, precision, _unit)
    else:
        before = _walk(start, forward, shown, wanted, precision)
        after = _walk(_WHOLE, backward, shown.backward, mirrored, precision)
    return {
        record: Sides(
            before[record].reduced(), after[count + 1 - record].reduced(), odds[record].reduced(), levels.at(record)
        )
        for record in wanted
    }, precision


class _ShownStretches:
    """What records may show, stretch by stretch, computed when a walk comes to it."""

    def __init__(self, runs: Sequence[tuple[int, Total]], emission: Emission, known: dict[int, Range]) -> None:
        self.runs, self.emission, self._known = runs, emission, known

    @property
    def backward(self) -> "_ShownStretches":
        """The same from the last record on."""
        return _ShownStretches(self.runs[::-1], self.emission, self._known)

    def stretches(self, first: int) -> Iterator[tuple[int, Range]]:
        """Yield the last record of every stretch that does not end before `first`, and what each
        record of it may show.
        """
        for place in range(bisect_left(self._ends, first), len(self.runs)):
            total = self.runs[place][1]
            if id(total) not in self._known:
                self._known[id(total)] = range_shown(self.emission, total)
            yield self._ends[place], self._known[id(total)]

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(length for length, _ in self.runs))


def precision_of(count: int) -> Precision:
    """Return how many bits are kept of the quotients of so many records."""
    return Precision(_EXACT if count <= _SHORT else _ENCLOSED)


def emission_of(chain: Chain) -> Emission:
    """Return the law of the value shown given each state: the state itself unless it is hidden."""
    return chain.emission or PLAIN


def _nearby(
    by: Moebius,
    shown: "_ShownStretches",
    wanted: Sequence[int],
    precision: Precision,
    starts: Callable[[Sequence[int]], Mapping[int, Range]],
) -> dict[int, Range]:
    """Return the range at every wanted record from those near it, as precise as is worth it."""
    ranges: dict[int, Range] = {}
    for record in wanted:
        width = _WINDOW
        while record not in ranges:
            first = max(1, record - width)
            start = starts([first])[first]
            if first > 1:
                start = Range((0, 1), start.most, start.least, (1, 0))
            at = _walk(start, by, shown, [record], precision, first)[record]
            width *= 2
            if first == 1 or at.narrow(precision.bits // 2):
                ranges[record] = at
    return ranges


def _unit(records: Sequence[int]) -> dict[int, Range]:
    return dict.fromkeys(records, _WHOLE)


def _walk(
    start: Range, by: Moebius, shown: "_ShownStretches", wanted: Sequence[int], precision: Precision, first: int = 1
) -> dict[int, Range]:
    """Return the range at every wanted record, before what the record itself shows; it is `start`
    at the record `first`.

    With states h in {0, 1}, r_j is the ratio of sum_x P(x, h_j = 1) u(x) and the same with h_j = 0,
    x being the records before j and u a column. Record j multiplies r_j by a number in a range that
    its level allows, and a step of the chain moves it by a Moebius map, which is monotone: the
    range of r_(j+1) follows from that of r_j, and both ends are attained by columns that are
    products.
    """
    ranges: dict[int, Range] = {}
    at, position, asked = start, first, iter([*wanted, 0])
    next_asked = next(asked)
    for end, seen in shown.stretches(first):
        settled, walked = False, 0
        while position <= end:
            if position == next_asked:
                ranges[position] = at
                next_asked = next(asked)
            if not next_asked:
                return ranges
            if settled:
                position = min(end + 1, next_asked) if next_asked > position else end + 1
                continue
            steps = (next_asked if position < next_asked <= end else end + 1) - position
            if walked > _FAR < steps and precision.bits < _EXACT and at.finite:
                at = Jump(by, seen, precision).after(at, steps - steps % 2)
                position, walked = position + steps - steps % 2, 0
                continue
            moved = at.times(seen, precision).moved(by, precision)
            settled, at, position, walked = moved == at, moved, position + 1, walked + 1
    return ranges


def range_shown(emission: Emission, total: Total) -> Range:
    """Return the range of sum_x P(x | 1) u(x) / sum_x P(x | 0) u(x) over columns of a level."""
    low, high = total.bounds()
    if high == 1:
        return _WHOLE
    zero, one = emission
    least, most = flipped(favoured(zero, one, high)[0]), favoured(one, zero, high)[0]
    if low == high:
        return Range(least, least, most, most)
    return Range(least, flipped(favoured(zero, one, low)[0]), favoured(one, zero, low)[0], most)


def favoured(above: Sequence[Fraction], below: Sequence[Fraction], ratio: Fraction) -> tuple[Quotient, frozenset[int]]:
    """Return the largest <above, u> / <below, u> over u with values from 1 to `ratio`, and where u
    is `ratio`: on values whose quotient above / below is large.
    """
    order = sorted(
        (x for x in range(len(above)) if above[x] or below[x]),
        key=lambda x: (not below[x], above[x] / below[x] if below[x] else 0),
        reverse=True,
    )
    best, size, top, bottom = ONE, 0, Fraction(1), Fraction(1)
    for place, x in enumerate(order, 1):
        top += (ratio - 1) * above[x]
        bottom += (ratio - 1) * below[x]
        if top * best[1] > best[0] * bottom:
            best, size = _quotient(top, bottom), place
    return best, frozenset(order[:size])


def _between(low: Fraction, high: Fraction) -> Range:
    return Range(
        _quotient(1 / high, Fraction(1)),
        _quotient(1 / low, Fraction(1)),
        _quotient(low, Fraction(1)),
        _quotient(high, Fraction(1)),
    )


def _quotient(above: Fraction, below: Fraction) -> Quotient:
    if not below:
        return 1, 0
    whole = Fraction(above) / below
    return whole.numerator, whole.denominator


def integers(values: Sequence[Fraction | int]) -> Moebius:
    """Return the map with these rational entries, times a common denominator."""
    common = lcm(*(value.denominator for value in values))
    p, q, s, t = (value.numerator * (common // value.denominator) for value in values)
    return p, q, s, t


class _MatrixBounds(NamedTuple):
    """Bounds of the entries of a matrix, up to a factor that both have in common."""

    lower: Moebius
    upper: Moebius


@dataclass(frozen=True)
class Jump:
    """Steps along records that all show the same: r goes to by(r s), s in the range `seen`.

    >>> walk = Jump((3, 1, 1, 3), Range.at((2, 1), (2, 1)), Precision(40))
    >>> float(walk.after(Range.at((1, 1), (1, 1)), 2).bounds()[1])
    1.6206896551724137
    """

    by: Moebius
    seen: Range
    precision: Precision

    def after(self, at: Range, steps: int) -> Range:
        """Return the range after an even number of steps, from one without 0 and infinity."""
        p, q, s, t = self.by
        falling = p * t < q * s
        ends = zip(at.ends(False), self.seen.ends(False), self.seen.ends(falling))
        image = []
        for upward, ((above, below), first, second) in enumerate(ends):
            twice = _product(_after(self.by, second), _after(self.by, first))
            exponent, bits = steps // 2, self.precision.bits + _MORE
            square = _shortened(_MatrixBounds(twice, twice), bits)
            power = _MatrixBounds((1, 0, 0, 1), (1, 0, 0, 1))
            while exponent:
                if exponent % 2:
                    power = _times(power, square, bits)
                square, exponent = _times(square, square, bits), exponent // 2
            (p, q, _, _), (_, _, s, t) = (power.upper, power.lower) if upward % 2 else power
            rounded = self.precision.up if upward % 2 else self.precision.down
            image.append(rounded(p * above + q * below, s * above + t * below))
        return Range(*image)


def _after(by: Moebius, seen: Quotient) -> Moebius:
    """Return the map r -> by(r a / b)."""
    (p, q, s, t), (a, b) = by, seen
    return p * a, q * b, s * a, t * b


def _product(one: Moebius, other: Moebius) -> Moebius:
    (p, q, s, t), (a, b, c, d) = one, other
    return p * a + q * c, p * b + q * d, s * a + t * c, s * b + t * d


def _times(one: _MatrixBounds, other: _MatrixBounds, bits: int) -> _MatrixBounds:
    lower, upper = _product(one.lower, other.lower), _product(one.upper, other.upper)
    return _shortened(_MatrixBounds(lower, upper), bits)


def _shortened(matrix: _MatrixBounds, bits: int) -> _MatrixBounds:
    """Return a matrix of at most so many bits, divided by a power of 2."""
    shift = max(0, max(matrix.upper).bit_length() - bits)
    (p, q, s, t), (a, b, c, d) = matrix
    lower = p >> shift, q >> shift, s >> shift, t >> shift
    return _MatrixBounds(lower, (-(-a >> shift), -(-b >> shift), -(-c >> shift), -(-d >> shift)))
