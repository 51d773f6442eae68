"""What Gaussian noise leaks that is rounded, clamped, shown from a threshold on, or has a sigma of
its own for every database.

Outputs are cells, whose probabilities are enclosed, and numbers between two ends, compared by their
densities (`quadratics`): where these have one term each, the largest ratio is exact, that of two
normal forms. Towards infinity the term of the largest sigma, then of the extreme value, decides
whether there is a bound. Of rounded numbers all likely outputs are listed; the ratio of others is
at most that of the densities between the same ends, and far out the limit is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import Any

from flint import arb, ctx

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.noise.tables.normal import NUMBER, NormalTable, mass
from pufferproof.models.noise.tables.powers import row_of
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.noise.ratio.densities import Peak

_MOST_BITS = 1_500_000  # of a ratio that is written out
_NOTHING, _WHOLE = ExponentialSum([]), ExponentialSum([(1, ONE)])


class NormalLaws:
    """The laws of a table given secrets."""

    def __init__(self, framework: Framework, table: NormalTable) -> None:
        if framework.closure == "convex":
            raise ModelError(
                "mixtures of priors are audited for whole laws of rational probabilities, found "
                'others: expected "list"',
                "closure",
            )
        self.framework, self.table = framework, table
        self.rows = {x: row_of(table, framework.databases[x]) for x in framework.support}
        self._masses: dict[tuple[str, str, str], ExponentialSum] = {}
        self._factors: dict[Fraction, arb] = {}

    def pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield every prior and ordered pair of secrets that are possible under it."""
        for prior in self.framework.priors:
            for pair in ordered_pairs(self.framework, prior):
                yield prior, pair

    def _weights(self, prior: str, secret: str) -> Iterator[tuple[int, Fraction]]:
        law, mass = self.framework.laws[prior], self.framework.mass(prior, secret)
        for x in self.framework.secrets[secret]:
            if law.weights[x]:
                yield self.rows[x], Fraction(law.weights[x], mass)

    def of(self, prior: str, secret: str) -> dict[Place, Fraction]:
        """Return the weight of every value and sigma^2; the rest has no number."""
        found: dict[Place, Fraction] = {}
        for row, weight in self._weights(prior, secret):
            law = self.table.laws[row]
            if law is not None:
                found[law] = found.get(law, Fraction(0)) + weight
        return found

    def mass(self, prior: str, secret: str, output: str) -> ExponentialSum:
        """Return the exact probability of a cell."""
        key = prior, secret, output
        if key not in self._masses:
            total = _NOTHING
            for row, weight in self._weights(prior, secret):
                total = total + self.table.mass(row, output).scaled(weight)
            self._masses[key] = total
        return self._masses[key]

    def factor(self, variance: Fraction) -> arb:
        """Enclose what a density is multiplied by, but for sqrt(2 pi) of continuous noise."""
        if variance not in self._factors:
            whole = LatticeGaussian(variance).theta() if self.table.on_integers else ball(variance).sqrt()
            self._factors[variance] = 1 / whole
        return self._factors[variance]


def places(laws: NormalLaws, prior: str, pair: Pair) -> Iterator[tuple[str, Peak]]:
    """Yield outputs and their ratios, or bounds of them, that may be the largest of a pair.

    Every number that is not listed is in an interval of which a bound is yielded.
    """
    for output in laws.table.cells:
        peak = _of_cell(*(laws.mass(prior, secret, output) for secret in pair))
        if peak is not None:
            yield output, peak
    p, q = (laws.of(prior, secret) for secret in pair)
    if p:
        for low, high in laws.table.gaps:
            yield from _of_numbers(laws, p, q, low, high)


def _of_cell(above: ExponentialSum, below: ExponentialSum) -> Peak | None:
    if not above.terms:
        return None
    if not below.terms:
        return Peak("", _WHOLE, _NOTHING)
    if above == below:
        return Peak("", _WHOLE, _WHOLE)
    with precise():
        return enclosed("", above.ball() / below.ball())


def enclosed(place: str, ratio: arb) -> Peak:
    """Return bounds of a ratio; one that is too large to write out has no upper one."""
    with precise():
        if not ratio < arb(2) ** _MOST_BITS:
            return Peak(place, lower=Fraction(1 << _MOST_BITS))
        upper = dyadic(ratio.upper())
        return Peak(place, lower=not_negative(ratio), upper=upper)


def not_negative(value: arb) -> Fraction:
    """Return a lower bound of a ball: 0 if it is negative or tiny."""
    return dyadic(value.lower()) if value.lower() > arb(2) ** -_MOST_BITS else Fraction(0)


_INFINITE = (_WHOLE, _NOTHING)


def _of_numbers(
    laws: NormalLaws, p: dict[Place, Fraction], q: dict[Place, Fraction], low: End, high: End
) -> Iterator[tuple[str, Peak]]:
    """Yield the ratios of densities in a gap that may be the largest."""
    exact = not laws.table.rounded

    def named(peak: Peak) -> tuple[str, Peak]:
        return (f"{NUMBER} at {peak.place}" if exact else peak.place), peak

    if not q:
        yield (NUMBER if exact else "inf"), Peak("", *_INFINITE)
        return
    scale = p[next(iter(p))] / q.get(next(iter(p)), Fraction(1))
    if p.keys() == q.keys() and all(p[each] == scale * q[each] for each in p):
        inside = next((end for end in (low, high) if end is not None), Fraction(0))
        yield named(Peak(text_of(inside), _WHOLE.scaled(scale), _WHOLE))
        return
    with precise():
        above, below = Terms(p, laws.factor), Terms(q, laws.factor)
        if len(p) == len(q) == 1:
            yield from map(named, _of_single(laws, above, below, low, high))
            return
        bounds = []
        for side, near, end in ((-1, high, low), (1, low, high)):
            far = side * max(side * terms.far(side) for terms in (above, below))
            start = far if near is None else side * max(side * far, side * near)
            if end is None or side * end > side * start:
                yield from map(named, _beyond(laws, above, below, start, end, side))
                bounds.append(start)
            else:
                bounds.append(end)
            if end is not None and exact:
                yield named(_value(laws, p, q, end))
        left, right = bounds
        if left < right:
            for place, inside_ball, around in bumps(above, below, left, right):
                peak = enclosed(rounded_place(place), around)
                lower = not_negative(inside_ball) if inside_ball.is_finite() else Fraction(0)
                yield named(Peak(peak.place, lower=lower if exact else Fraction(0), upper=peak.upper))


def _of_single(laws: NormalLaws, above: Terms, below: Terms, low: End, high: End) -> Iterator[Peak]:
    """Yield the largest ratio of two laws of one term each: exactly, of a density."""
    (p,), (q,) = above.of, below.of
    log = Quadratic.between(p, q)
    where = log.highest(low, high)
    if where is None:
        yield Peak("inf" if log.grows(high, 1) else "-inf", *_INFINITE)
    elif laws.table.rounded:
        bound = enclosed(rounded_place(where), _ratio(laws, above, below, p, q, where))
        yield Peak(bound.place, upper=bound.upper)
    else:
        yield _value(laws, above.of, below.of, where)


def _ratio(laws: NormalLaws, above: Terms, below: Terms, p: Place, q: Place, where: Fraction) -> arb:
    """Enclose the ratio of a term of each of two sums."""
    log = Quadratic.between(p, q)
    size = ball(above.of[p] / below.of[q]) * laws.factor(p[1]) / laws.factor(q[1])
    return size * ball(log.at(where)).exp()


def _beyond(laws: NormalLaws, above: Terms, below: Terms, start: Fraction, end: End, side: int) -> Iterator[Peak]:
    """Yield bounds of the ratio from a number on: that of the extreme terms, beside which all
    others together are at most 2^-90.
    """
    p, q = above.extreme(side), below.extreme(side)
    log = Quadratic.between(p, q)
    where = log.highest(*((start, end) if side > 0 else (end, start)))
    if where is None:
        yield Peak("inf" if side > 0 else "-inf", *_INFINITE)
        return
    ratio = _ratio(laws, above, below, p, q, where)
    rest = 1 + arb(2) ** -NEAR
    ends = [enclosed("", each) for each in (ratio / rest, ratio * rest)]
    place, lower = rounded_place(where), ends[0].lower
    if p == q and end is None:
        place, lower = ("inf" if side > 0 else "-inf"), above.of[p] / below.of[q]
    elif laws.table.rounded:
        lower = Fraction(0)
    yield Peak(place, lower=lower, upper=ends[1].upper)


def _value(laws: NormalLaws, p: Mapping[Place, Fraction], q: Mapping[Place, Fraction], y: Fraction) -> Peak:
    """Return the ratio of densities at a number: exactly if its digits are not too many."""
    base = max(q, key=lambda each: Quadratic.between(each, next(iter(q))).at(y))
    above, below = Terms(p, laws.factor), Terms(q, laws.factor)
    ratio = above.beside(base, y, y) / below.beside(base, y, y)
    if not (arb(2) ** -_MOST_BITS < ratio and ratio < arb(2) ** _MOST_BITS):
        return enclosed(rounded_place(y), ratio)
    try:
        return Peak(text_of(y), _sum(p, base, y), _sum(q, base, y))
    except ModelError:  # a sigma^2 whose square root has no normal form
        return enclosed(rounded_place(y), ratio)


def _sum(terms: Mapping[Place, Fraction], base: Place, y: Fraction) -> ExponentialSum:
    """Return a density at a number, divided by that of another law, in normal form."""
    return ExponentialSum(
        (weight, Power.exp(Quadratic.between(place, base).at(y)).times(Power.of(1 / place[1], Fraction(1, 2))))
        for place, weight in terms.items()
    )


def rounded_place(y: Fraction) -> str:
    """Return a number as text, of few digits."""
    return text_of(y) if y.denominator < 1_000 else f"{float(y):.9g}"


# The delta of Gaussian noise that is clamped, shown from a threshold on, or of its own sigma for every database: of
# the atoms, and of the number between them.
#
# The sign of h = sum_i c_i phi_i, of normal densities of any values and variances, is told on cells (`quadratics`),
# crossings within 2^-60; the integral over cells of positive sign is a sum of tails of the normal law. What crossings
# have widens the bounds.

_TINY = Fraction(1, 1 << 100)
Bounds = tuple[Fraction, Fraction]


def density_delta(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> tuple[Bounds, tuple[str, ...]]:
    """Return bounds of the delta of an ordered pair, and the outputs that it counts."""
    with precise():
        parts = [*_of_cells(laws, prior, pair, level), *_delta_parts_of_numbers(laws, prior, pair, level)]
        total = sum((excess for _, excess, known in parts if known), arb(0))
        doubt = sum((excess for _, excess, known in parts if not known), arb(0))
        whole = total + doubt
        high = Fraction(0) if whole <= 0 else min(dyadic(whole.upper()), Fraction(1))
        low = not_negative(total - doubt)
    # Whether no ratio of the pair is above e^epsilon
    if not low and 0 < high < _TINY and all(_is_within(peak, level) for _, peak in places(laws, prior, pair)):
        return (Fraction(0), Fraction(0)), ()
    return (low, high), tuple(dict.fromkeys(output for output, _, known in parts if known))


Part = tuple[str, arb, bool]  # an output, its excess, and whether that is more than a bound


def _of_cells(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> Iterator[Part]:
    for output in laws.table.cells:
        p, q = (laws.mass(prior, secret, output) for secret in pair)
        if not (p - times(level, q)).terms:  # equal by form
            continue
        excess = p.ball() - level.ball() * q.ball()
        if excess > 0:
            yield output, excess, True
        elif not excess <= 0:
            yield output, abs(excess), False


def times(level: Level, value: ExponentialSum) -> ExponentialSum:
    """Return e^epsilon times a probability."""
    if level.ratio is not None:
        return value.scaled(level.ratio)
    return value.scaled(Fraction(1), Power.exp(level.nats or Fraction(0)))


def _delta_parts_of_numbers(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> Iterator[Part]:
    one, other = (laws.of(prior, secret) for secret in pair)
    none, weights = Fraction(0), {}
    for place in {**one, **other}:
        p, q = one.get(place, none), other.get(place, none)
        if level.sign(p, q):
            weights[place] = ball(p) - level.ball() * ball(q)
    sums = Terms(weights, laws.factor)
    for low, high in laws.table.gaps:
        for cell in _merged(signs(sums, low, high)):
            if cell.sign > 0:
                ends = cell.low, cell.high
                excess = arb(0)
                for place, weight in weights.items():
                    excess += weight * mass(place, NUMBER, ends, False).ball()
                yield NUMBER, excess, True
            elif not cell.sign:
                yield NUMBER, _most(sums, cell), False


def _most(sums: Terms, cell: Cell) -> arb:
    """Enclose a bound of the integral of a sum over a bounded cell."""
    if cell.low is None or cell.high is None:
        raise TypeError("expected a bounded cell")
    middle = (cell.low + cell.high) / 2
    place = min(sums.of, key=lambda each: abs(each[0] - middle))
    value, variance = place
    distance = max(cell.low - value, value - cell.high, Fraction(0))
    density = ball(-distance * distance / (2 * variance)).exp() / (2 * arb.pi()).sqrt()
    return ball(cell.high - cell.low) * density * abs(sums.beside(place, cell.low, cell.high))


def _merged(cells: Iterable[Cell]) -> Iterator[Cell]:
    """Yield neighbours of one known sign put together."""
    last: Cell | None = None
    for cell in cells:
        if last is not None and last.sign == cell.sign != 0:
            last = Cell(last.low, cell.high, cell.sign)
            continue
        if last is not None:
            yield last
        last = cell
    if last is not None:
        yield last


def _is_within(peak: Peak, level: Level) -> bool:
    if peak.above is not None and peak.below is not None:
        return not peak.infinite and (peak.above - times(level, peak.below)).sign() <= 0
    return peak.upper is not None and level.compare(peak.upper) <= 0


# Sums of normal densities of several values and variances, compared on an interval.
#
#     p(y) = sum_i a_i e^(-(y - m_i)^2 / 2 v_i) / c(v_i),    a_i rational
#
# relative to one term each other term is e to a quadratic of y. The term of the largest variance, and of the extreme
# value among these, outweighs all others from some place on (`far`). The ratio of two sums of one term each has a
# quadratic logarithm: its supremum is at an end or at the vertex, exactly. Of others it is in a narrow piece around a
# zero of p' q - p q', beyond `far` within 2^-90 of that of the extreme terms. The sign of a difference is told by
# balls on halved intervals.

Place = tuple[Fraction, Fraction]  # a value and a variance
End = Fraction | None
BITS = 256
NEAR = 90  # bits to which other terms are nothing beside the extreme one
_NARROW = Fraction(1, 1 << 60)
_MOST_STEPS = 20_000


@dataclass(frozen=True)
class Quadratic:
    """a y^2 + b y + c."""

    a: Fraction
    b: Fraction
    c: Fraction

    @classmethod
    def between(cls, one: Place, other: Place) -> Quadratic:
        """Return the logarithm of e^(-(y - m)^2 / 2v) over the same of another place."""
        (m, v), (n, w) = one, other
        return cls(1 / (2 * w) - 1 / (2 * v), m / v - n / w, n * n / (2 * w) - m * m / (2 * v))

    def plus(self, other: Quadratic) -> Quadratic:
        """Return the sum."""
        return Quadratic(self.a + other.a, self.b + other.b, self.c + other.c)

    def at(self, y: Fraction) -> Fraction:
        """Return the value at a number."""
        return (self.a * y + self.b) * y + self.c

    def over(self, low: Fraction, high: Fraction) -> arb:
        """Enclose all values between two numbers."""
        ends = [self.at(low), self.at(high)]
        if self.a and low < (top := -self.b / (2 * self.a)) < high:
            ends.append(self.at(top))
        return ball(min(ends)).union(ball(max(ends)))

    def slope(self, low: Fraction, high: Fraction) -> arb:
        """Enclose the derivative between two numbers."""
        ends = [2 * self.a * y + self.b for y in (low, high)]
        return ball(min(ends)).union(ball(max(ends)))

    def highest(self, low: End, high: End) -> Fraction | None:
        """Return where the value is largest between two ends, or None if it has no bound; it is
        constant, or falls, towards an end that is infinite.
        """
        if self.a < 0:
            top = -self.b / (2 * self.a)
            top = top if low is None else max(low, top)
            return top if high is None else min(high, top)
        if self.grows(low, -1) or self.grows(high, 1):
            return None
        if low is None or high is None:
            return (high or Fraction(0)) if low is None else low
        return max((low, high), key=self.at)

    def grows(self, end: End, side: int) -> bool:
        """Whether the value has no bound towards an end."""
        return end is None and (self.a > 0 or (not self.a and side * self.b > 0))


@dataclass(frozen=True)
class Terms:
    """A sum of normal densities, place -> coefficient; `factor` gives 1 / c(v) of a variance."""

    of: Mapping[Place, Any]
    factor: Callable[[Fraction], arb]

    def extreme(self, side: int) -> Place:
        """Return the place of the term that is the largest far out on a side."""
        return max(self.of, key=lambda place: (place[1], side * place[0]))

    def far(self, side: int, bits: int = NEAR) -> Fraction:
        """Return a number beyond which all other terms together are less than 2^-bits of the
        extreme one, and fall beside it.
        """
        extreme = self.extreme(side)
        others = [
            (Quadratic.between(place, extreme), abs(self._weight(place) / self._weight(extreme)))
            for place in self.of
            if place != extreme
        ]
        if not others:
            return extreme[0]
        step = Fraction(isqrt(int(extreme[1]))) or Fraction(1, 1 + isqrt(int(1 / extreme[1])))
        y = side * max(side * place[0] for place in self.of)
        for _ in range(4_000):
            y += side * step
            if all(side * (2 * log.a * y + log.b) < 0 for log, _ in others):
                rest = arb(0)
                for log, size in others:
                    rest += size * ball(log.at(y)).exp()
                if rest < arb(2) ** -bits:
                    return y
            step *= 2
        raise TooLargeError("laws of Gaussian noise are too close far out", "noise")

    def _weight(self, place: Place) -> arb:
        """Enclose what a term is multiplied by."""
        weight = self.of[place]
        return (ball(weight) if isinstance(weight, Fraction) else weight) * self.factor(place[1])

    def _beside(self, place: Place, low: Fraction, high: Fraction) -> Iterator[tuple[arb, Quadratic]]:
        """Yield every term, divided by e^(-(y - m)^2 / 2v) of a place, and its exponent."""
        for own in self.of:
            log = Quadratic.between(own, place)
            yield self._weight(own) * log.over(low, high).exp(), log

    def beside(self, place: Place, low: Fraction, high: Fraction) -> arb:
        """Enclose the sum, divided by e^(-(y - m)^2 / 2v) of a place, between two numbers."""
        return sum((term for term, _ in self._beside(place, low, high)), arb(0))

    def slope(self, place: Place, low: Fraction, high: Fraction) -> arb:
        """Enclose the derivative of the same."""
        terms = self._beside(place, low, high)
        return sum((term * log.slope(low, high) for term, log in terms), arb(0))


@dataclass(frozen=True)
class Cell:
    """An interval, and the sign of a sum on all of it; 0 if that is not told."""

    low: End
    high: End
    sign: int


def signs(sums: Terms, low: End, high: End) -> Iterator[Cell]:
    """Yield cells between two ends, with the sign of a sum whose coefficients are balls that are not 0."""
    if not sums.of:
        return
    known = {_sign(weight) for weight in sums.of.values()}
    if len(known) == 1 and 0 not in known:
        yield Cell(low, high, known.pop())
        return
    left, right = sums.far(-1, 1), sums.far(1, 1)
    left = left if low is None else max(low, left)
    right = right if high is None else min(high, right)
    outer = [(low, left if high is None else min(left, high), -1), (right if low is None else max(right, low), high, 1)]
    if _less(*outer[0][:2]):
        yield Cell(outer[0][0], outer[0][1], _sign(sums.of[sums.extreme(-1)]))
    if left < right:
        yield from _halved(sums, left, right)
    if _less(*outer[1][:2]):
        yield Cell(outer[1][0], outer[1][1], _sign(sums.of[sums.extreme(1)]))


def _less(low: End, high: End) -> bool:
    return low is None or high is None or low < high


def _sign(value: Fraction | arb) -> int:
    return int(value > 0) - int(value < 0)


def _halved(sums: Terms, low: Fraction, high: Fraction) -> Iterator[Cell]:
    stack, steps = [(low, high)], 0
    while stack:
        a, b = stack.pop()
        steps += 1
        place = min(sums.of, key=lambda each: abs(each[0] - (a + b) / 2))
        sign = _sign(sums.beside(place, a, b))
        if not sign:
            middle = (a + b) / 2
            tangent = sums.beside(place, middle, middle) + sums.slope(place, a, b) * (
                ball(a).union(ball(b)) - ball(middle)
            )
            sign = _sign(tangent)
        if sign or b - a <= _NARROW * max(Fraction(1), abs(a)) or steps > _MOST_STEPS:
            yield Cell(a, b, sign)
        else:
            middle = (a + b) / 2
            stack += [(middle, b), (a, middle)]


def bumps(p: Terms, q: Terms, low: Fraction, high: Fraction) -> Iterator[tuple[Fraction, arb, arb]]:
    """Yield a number, the ratio of two sums there, and an enclosure of the ratio around it, for
    pieces between two numbers in which the ratio may have a maximum that is at no end.
    """
    stack, steps, best = [(low, high)], 0, arb(0)
    place = next(iter(q.of))
    while stack:
        a, b = stack.pop()
        steps += 1
        above, below = p.beside(place, a, b), q.beside(place, a, b)
        # Enclose p' q - p q', but for a factor above 0: terms of one place have none of it, and those of two have a
        # coefficient whose sign is exact
        turn, none = arb(0), Fraction(0)
        for one, other in combinations(dict.fromkeys((*p.of, *q.of)), 2):
            weight = p.of.get(one, none) * q.of.get(other, none)
            weight -= p.of.get(other, none) * q.of.get(one, none)
            if weight:
                steep = Quadratic.between(one, other).slope(a, b)
                log = Quadratic.between(one, place).plus(Quadratic.between(other, place))
                size = p.factor(one[1]) * p.factor(other[1]) * ball(weight)
                turn += size * steep * log.over(a, b).exp()
        if turn > 0 or turn < 0:
            continue
        middle = (a + b) / 2
        inside = p.beside(place, middle, middle) / q.beside(place, middle, middle)
        around = above / below if below > 0 else arb("inf")
        if inside.is_finite() and inside.lower() > best:
            best = inside.lower()
        if around.is_finite() and around.upper() < best:
            continue
        if b - a <= _NARROW * max(Fraction(1), abs(a)) or steps > _MOST_STEPS:
            yield middle, inside, around
        else:
            stack += [(middle, b), (a, middle)]


def precise() -> AbstractContextManager[object]:
    """Return the context of the working precision."""
    return ctx.workprec(BITS)
