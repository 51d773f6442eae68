"""The worst case of per-record levels where every prior is of bits: Markov chains, hidden chains of
two states, independent records and networks that are forests. It is exact, and randomised responses
of all records attain it.

The range of the ratio of both states is passed on from either end, or along a forest: a record
multiplies it by a number in a range that its level allows, a step moves it by a Moebius map. Numbers
are rounded outward; short ones are exact. Along records of equal levels many steps are taken at once
(`Jump`); of an endless chain there is a closed form.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import accumulate
from math import gcd, lcm
from typing import NamedTuple, Protocol

from pufferproof.lp.levels import NOTHING, RecordLevels, Total
from pufferproof.lp.translation.sets import Attained, Favours, Order, PairBounds, WorstCase, largest, orders, responses
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.priors.forest import Forest, Kernel
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along, Chain
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.laws.passes import ForestPasses, Passing

# Quotients of integers rounded outward: pairs (a, b) of integers that are not negative, not both 0;
# (a, 0) is infinite. A range of a positive number r holds bounds of the least and of the largest
# value that r can take, so that both ends are enclosed.
Quotient = tuple[int, int]
Moebius = tuple[int, int, int, int]  # (p, q, s, t): r goes to (p r + q) / (s r + t)
ONE: Quotient = (1, 1)


@dataclass(frozen=True)
class Precision:
    """How many bits a quotient keeps; shorter ones stay exact."""

    bits: int

    def down(self, above: int, below: int) -> Quotient:
        """Return a quotient that is at most above / below, and equal to it where it is short."""
        return self._rounded(above, below, 0)

    def up(self, above: int, below: int) -> Quotient:
        """Return a quotient that is at least above / below, and equal to it where it is short."""
        return self._rounded(above, below, 1)

    def _rounded(self, above: int, below: int, upward: int) -> Quotient:
        if not above or not below:
            return (1, 0) if above else (0, 1)
        lengths = above.bit_length(), below.bit_length()
        if max(lengths) <= self.bits:
            return above, below
        shift = self.bits - lengths[0] + lengths[1]
        if shift >= 0:
            scaled, rest = divmod(above << shift, below)
            return scaled + (1 if rest and upward else 0), 1 << shift
        scaled, rest = divmod(above, below << -shift)
        return (scaled + (1 if rest and upward else 0)) << -shift, 1


@dataclass(frozen=True)
class Range:
    """Bounds of the least and of the largest value of a ratio: `least` <= min r <= `least_upper`,
    `most_lower` <= max r <= `most`.
    """

    least: Quotient
    least_upper: Quotient
    most_lower: Quotient
    most: Quotient

    @classmethod
    def at(cls, lower: Quotient, upper: Quotient) -> "Range":
        """Return the range of a number between two bounds."""
        return cls(lower, upper, lower, upper)

    def moved(self, by: Moebius, precision: Precision) -> "Range":
        """Return the range of (p r + q) / (s r + t), a function of r that is monotone."""
        p, q, s, t = by
        image = [
            rounded(p * a + q * b, s * a + t * b) if a and b else _limit(by, a)
            for (a, b), rounded in zip(self.ends(p * t < q * s), _roundings(precision))
        ]
        return Range(*image)

    def reduced(self) -> "Range":
        """Return the same range in lowest terms."""
        return Range(*(_lowest(end) for end in self.ends(False)))

    @property
    def finite(self) -> bool:
        """Whether no end is 0 or infinite."""
        return all(a and b for a, b in self.ends(False))

    def narrow(self, bits: int) -> bool:
        """Whether both ends are enclosed within a relative width of 2^-bits."""
        return all(
            (above[0] * below[1] - below[0] * above[1]) << bits <= below[0] * above[1]
            for below, above in [(self.least, self.least_upper), (self.most_lower, self.most)]
        )

    def ends(self, falling: bool) -> tuple[Quotient, Quotient, Quotient, Quotient]:
        """Return the four bounds, or those that a falling map takes to each of them."""
        if falling:
            return self.most, self.most_lower, self.least_upper, self.least
        return self.least, self.least_upper, self.most_lower, self.most

    def times(self, other: "Range", precision: Precision) -> "Range":
        """Return the range of a product whose factors are chosen independently."""
        image = [
            rounded(a * c, b * d)
            for (a, b), (c, d), rounded in zip(self.ends(False), other.ends(False), _roundings(precision))
        ]
        return Range(*image)

    def inverse(self) -> "Range":
        """Return the range of 1 / r."""
        least, least_upper, most_lower, most = (flipped(end) for end in self.ends(False))
        return Range(most, most_lower, least_upper, least)

    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Return bounds of the larger one of max r and 1 / min r; None for infinite."""
        lower = larger(self.most_lower, flipped(self.least_upper))
        upper = larger(self.most, flipped(self.least))
        return fraction(lower), fraction(upper)


def _roundings(precision: Precision):  # type: ignore[no-untyped-def]
    return precision.down, precision.up, precision.down, precision.up


def _limit(by: Moebius, infinite: int) -> Quotient:
    """Return (p r + q) / (s r + t) where r is infinite, or where it is 0."""
    p, q, s, t = by
    near, far = ((p, s), (q, t)) if infinite else ((q, t), (p, s))
    return near if any(near) else far


def _lowest(quotient: Quotient) -> Quotient:
    common = gcd(*quotient)
    return quotient[0] // common, quotient[1] // common


def flipped(quotient: Quotient) -> Quotient:
    """Return 1 / r."""
    return quotient[1], quotient[0]


def larger(one: Quotient, other: Quotient) -> Quotient:
    """Return the larger quotient."""
    return one if one[0] * other[1] >= other[0] * one[1] else other


def fraction(quotient: Quotient) -> Fraction | None:
    """Return the number, None for infinite."""
    return Fraction(*quotient) if quotient[1] else None


CHAIN_RESTS_ON = ("worst.record-levels", "worst.moebius-tree", "worst.chain-interior")
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
        lower = Fraction(low)
        upper = Fraction(high)
        between = Range(
            _quotient(1 / upper, Fraction(1)),
            _quotient(1 / lower, Fraction(1)),
            _quotient(lower, Fraction(1)),
            _quotient(upper, Fraction(1)),
        )
        return alone.times(between, precision)


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


# With one kernel P and one level log R for all records, the messages of k records from one end do not
# fall with k and tend to the positive roots S and D of quadratics (`endless_ratio`). A stationary
# chain of two values is reversible, so that both sides are alike, and the largest ratio about an
# inner record is the larger one of S^2 / R and D^2 / R: no finite chain reaches it, and none of a
# longer one exceeds it.
ENDLESS_RESTS_ON = ("worst.infinite-chain", "worst.infinite-chain-alternating", "worst.chain-interior")
_BITS = 192
Transition = Sequence[Sequence[Fraction]]
RatioEnds = tuple[Fraction | None, Fraction | None]


def endless_kernels(framework: Framework) -> list[Transition]:
    """Return the transition matrices of the priors of a framework that stand for endless chains.

    Raises `ModelError` unless priors are a list of Markov chains that start from their stationary
    law: the one that a record far from both ends has. Where the first record has another one, a
    finite chain can leak more.
    """
    if framework.closure != "list":
        raise ModelError("expected a list of priors for an endless chain", "closure")
    return [_endless(prior, f"priors.{name}") for name, prior in framework.priors.items()]


def _endless(prior: Prior, where: str) -> Transition:
    if not isinstance(prior, MarkovChain):
        raise ModelError('expected a "markov" prior for an endless chain', where)
    if not Along(prior, 2).stationary:
        raise ModelError(
            "expected the stationary law of the first record for an endless chain, found another", f"{where}.initial"
        )
    return prior.transition


def endless_ratio(kernel: Transition, total: Total) -> RatioEnds:
    """Return bounds of the supremum over all lengths and all mechanisms, None for infinite.

    Where the eigenvalue is not negative the messages tend to the positive roots of

        P01 S^2 + (P00 - R P11) S - R P10 = 0    and the same with 0 and 1 exchanged, D,

    (worst.infinite-chain), where it is negative to those of

        (P11 + R P00) P01 S^2 + (P10 P01 + R P00^2 - R P11^2 - R^2 P10 P01) S
            - R P10 (P11 + R P00) = 0

    and its mirror image (worst.infinite-chain-alternating).

    >>> stay = Fraction(9, 10)
    >>> low, high = endless_ratio([[stay, 1 - stay], [1 - stay, stay]], Total(Fraction(2), Fraction(0)))
    >>> round(float(low), 6)
    42.476458

    Raises `ModelError` unless the kernel has two values, each of which leads to the other.
    """
    if len(kernel) != 2:
        raise ModelError(f"expected a chain of two values, found {len(kernel)}", "transition")
    if not kernel[0][1] or not kernel[1][0]:
        raise ModelError(
            "expected a chain in which each value leads to the other: else an inner record of an "
            "endless chain has one possible value",
            "transition",
        )
    mirrored = [[kernel[1][1], kernel[1][0]], [kernel[0][1], kernel[0][0]]]
    ends = [_side(each, total) for each in (kernel, mirrored)]
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    if None in highs:
        return None, None
    return max(low for low in lows if low is not None), max(h for h in highs if h is not None)


def _side(kernel: Transition, total: Total) -> RatioEnds:
    """Return bounds of S^2 / R, an exact square root where there is one."""
    if kernel[0][0] == kernel[1][1] == 0:
        return (Fraction(1), Fraction(1)) if total.exact == 1 else (None, None)
    from flint import ctx

    with ctx.workprec(_BITS):
        ratio = ball(total.ratio) * total.power.ball()
        (p00, p01), (p10, p11) = ([ball(p) for p in row] for row in kernel)
        if kernel[0][0] + kernel[1][1] >= 1:
            a, b, c = p01, p00 - ratio * p11, -ratio * p10  # worst.infinite-chain
        else:
            both = p11 + ratio * p00  # worst.infinite-chain-alternating
            a = both * p01
            b = p10 * p01 + ratio * (p00**2 - p11**2) - ratio**2 * p10 * p01
            c = -ratio * p10 * both
        root = (-b + (b * b - 4 * a * c).sqrt()) / (2 * a)
        value = root * root / ratio
        return dyadic(value.lower()), dyadic(value.upper())


RESTS_ON = ("worst.power-closed", "worst.hidden-levels", "worst.record-levels-interior", "worst.record-levels-network")
EXACT_CLAIMS = ("worst.power-closed", "worst.moebius-tree", "worst.chain-interior")
HIDDEN_CLAIMS = ("worst.power-closed", "worst.hidden-levels")
TREE_CLAIMS = ("worst.power-closed", "worst.record-levels-network")


class Bits(Protocol):
    """One prior of bits: the worst case about every pair, and which values of every record speak
    for the first secret of a pair.
    """

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that it rests on."""

    def bounds(self) -> Iterator[PairBounds]:
        """Yield the worst case of every ordered pair of possible secrets."""

    def attained(self, pair: Pair) -> Attained:
        """Say which count attains it."""

    def favours(self, pair: Pair) -> Favours:
        """Return the favoured values of records."""


def worst_of_bits(framework: Framework, levels: RecordLevels, priors: Mapping[str, Chain | Forest]) -> WorstCase:
    """Return the worst case. Raises `ModelError` if no pair has two possible secrets.

    Args:
        priors: every prior of the framework, along records or as a forest.
    """
    ways = {name: way_of(framework, levels, name, prior) for name, prior in priors.items()}
    worst = largest([bound for way in ways.values() for bound in way.bounds()])
    way = ways[worst.prior]
    # the levels whose worst case is the largest, if records are independent
    known = [way.own if isinstance(way, _Independent) else None for way in ways.values()]
    independent = [own for own in known if own is not None]
    common = (
        tuple(dict.fromkeys(total for own in independent for total in own)) if len(independent) == len(known) else ()
    )
    return WorstCase(
        Leakage(worst.lower, worst.upper),
        True,
        worst.prior,
        worst.pair,
        way.attained(worst.pair),
        partial(_made, framework, levels, way, worst.pair),
        tuple(dict.fromkeys(claim for way in ways.values() for claim in way.claims)),
        levels=common,
    )


def _made(framework: Framework, levels: RecordLevels, way: Bits, pair: Pair) -> LocalMechanism:
    return responses(framework, levels, way.favours(pair))


def way_of(framework: Framework, levels: RecordLevels, name: str, prior: Chain | Forest) -> Bits:
    """Return how one prior is computed with."""
    if isinstance(prior, Forest):
        return _OfForest(framework, levels, name, prior)
    if prior.rows is not None:
        return _Independent(framework, levels, name, prior.rows)
    return _AlongChain(framework, levels, name, prior)


@dataclass(frozen=True)
class _Independent:
    """Records that tell nothing of one another."""

    framework: Framework
    levels: RecordLevels
    name: str
    rows: Sequence[Sequence[Fraction]]
    claims = EXACT_CLAIMS

    def bounds(self) -> Iterator[PairBounds]:
        for order, record, _, _ in self._possible():
            yield PairBounds(*self.levels.at(record).bounds(), self.name, order)

    @property
    def own(self) -> Iterator[Total]:
        """The level of every record that pairs of possible secrets speak of."""
        return (self.levels.at(record) for _, record, _, _ in self._possible())

    def _possible(self) -> Iterator[Order]:
        for order in orders(self.framework):
            row = self.rows[order.record - 1]
            if row[order.one] and row[order.other]:
                yield order

    def attained(self, pair: Pair) -> Attained:
        return "count"

    def favours(self, pair: Pair) -> Favours:
        place, one = self.framework.places[pair[0]]
        return {place: frozenset({one})}


@dataclass(frozen=True)
class _AlongChain:
    """A Markov chain of bits, or a hidden chain of two states."""

    framework: Framework
    levels: RecordLevels
    name: str
    chain: Chain

    @property
    def claims(self) -> tuple[str, ...]:
        return EXACT_CLAIMS if self.chain.emission is None else HIDDEN_CLAIMS

    def bounds(self) -> Iterator[PairBounds]:
        asked = list(orders(self.framework))
        known = sides(self.chain, self.levels, [record for _, record, _, _ in asked])
        return _bounds(self.name, asked, known, list(zip(*emission_of(self.chain))))

    def attained(self, pair: Pair) -> Attained:
        return "alternating count" if self.levels.count > 1 and self._falling else "count"

    @property
    def _falling(self) -> bool:
        """Whether the second eigenvalue is negative."""
        return self.chain.step[0][0] + self.chain.step[1][1] < 1

    def favours(self, pair: Pair) -> Favours:
        (place, one), (_, other) = (self.framework.places[secret] for secret in pair)
        zero, first = emission_of(self.chain)
        rising = first[one] * zero[other] >= zero[one] * first[other]
        favours: dict[int, frozenset[int]] = {}
        for record in range(1, self.levels.count + 1):
            up = rising != (self._falling and (record - place) % 2 == 1)
            above, below = (first, zero) if up else (zero, first)
            favours[record] = favoured(above, below, self.levels.at(record).bounds()[0])[1]
        return favours | {place: frozenset({one})}


@dataclass(frozen=True)
class _OfForest:
    """A network that is a forest."""

    framework: Framework
    levels: RecordLevels
    name: str
    forest: Forest
    claims = TREE_CLAIMS

    def bounds(self) -> Iterator[PairBounds]:
        asked = list(orders(self.framework))
        known = forest_sides(self.forest, self.levels, {record for _, record, _, _ in asked})
        return _bounds(self.name, asked, known, list(zip(*PLAIN)))

    def attained(self, pair: Pair) -> Attained:
        place, _ = self.framework.places[pair[0]]
        tree = {record for record, _ in self.forest.from_record(place)}
        falling = {self.forest.falling(record) for record in tree if self.forest.parents[record - 1] is not None}
        if falling == {True, False}:
            return "signed count"
        return "alternating count" if falling == {True} else "count"

    def favours(self, pair: Pair) -> Favours:
        place, one = self.framework.places[pair[0]]
        return {record: frozenset({1 - one if turned else one}) for record, turned in self.forest.from_record(place)}


def _bounds(
    name: str, asked: Iterable[Order], known: tuple[Mapping[int, Sides], Precision], shown: Sequence[Sequence[Fraction]]
) -> Iterator[PairBounds]:
    """Yield what is known of pairs; `shown` has P(v | h) for both states h of every value v."""
    at, precision = known
    for order, record, one, other in asked:
        ratio = at[record].ratio(shown[one], shown[other], precision)
        if ratio is not None:
            yield PairBounds(fraction(ratio.most_lower), fraction(ratio.most), name, order)


def forest_sides(forest: Forest, levels: RecordLevels, records: Iterable[int]) -> tuple[dict[int, Sides], Precision]:
    """Return what is known of each of some records from the others: of the one it hangs on
    `before` it, of those that hang on it `after` it; and the precision.

    Args:
        forest: of as many bits as there are levels.
        levels: of every record.
        records: from 1 on.

    >>> from fractions import Fraction
    >>> step = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    >>> start = ((Fraction(1, 2), Fraction(1, 2)),) * 2
    >>> forest = Forest((2, None, 2), (step, start, step))
    >>> known, precision = forest_sides(forest, RecordLevels.uniform(3, ["log(2)"]), [2])
    >>> known[2].ratio((0, 1), (1, 0), precision).bounds()
    (Fraction(98, 25), Fraction(98, 25))
    """
    asked, ranges = set(records), _Ranges(precision_of(len(forest.parents)))
    shown = {key: range_shown(PLAIN, total) for key, total in levels.distinct.items()}
    own = [shown[id(levels.at(record))] for record in range(1, len(forest.parents) + 1)]
    passes = ForestPasses(forest, ranges, own)
    before, odds = passes.before(asked), ForestPasses(forest, ranges, None).before(asked)
    known = {
        record: Sides(
            before[record].reduced(), passes.after[record - 1].reduced(), odds[record].reduced(), levels.at(record)
        )
        for record in asked
    }
    return known, ranges.precision


class _Ranges(Passing[Range]):
    """With any record for the root, what a subtree may show is a range of ratios of E[u | bit = 1]
    and E[u | bit = 0], u a column; an arrow moves it by a Moebius map, which is monotone, and its
    ends are attained by products. Downwards the ratios are those of E[u, bit = 1] and E[u, bit =
    0], so that no arrow is turned round: the prior odds are divided out at the record asked about.
    """

    def __init__(self, precision: Precision) -> None:
        self.one, self.precision = Range.at(ONE, ONE), precision
        self._moves: dict[tuple[int, bool], Moebius] = {}  # by the identity of a kernel
        self._moved = lru_cache(maxsize=None)(Range.moved)  # equal subtrees show the same
        self._times = lru_cache(maxsize=None)(Range.times)

    def times(self, one: Range, other: Range) -> Range:
        return self._times(one, other, self.precision)

    def start(self, kernel: Kernel) -> Range:
        (p0, p1), _ = kernel
        return self.one.moved(integers([p1, 0, p0, 0]), self.precision)

    def moved(self, message: Range, kernel: Kernel, upward: bool) -> Range:
        key = id(kernel), upward
        if key not in self._moves:
            (p00, p01), (p10, p11) = kernel
            self._moves[key] = integers([p11, *((p10, p01) if upward else (p01, p10)), p00])
        return self._moved(message, self._moves[key], self.precision)
