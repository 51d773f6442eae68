"""Where densities of exponential polynomials have their largest ratio, and how much one has above a
multiple of another.

    sup over y of p(y) / q(y),    integral of max(0, p(y) - c q(y)),

p and q exponential polynomials on an interval. The ratio rises and falls with the sign of
p' q - p q', again an exponential polynomial: intervals are halved until balls (Arb) tell the sign
on each of them, but for pieces of width 2^-64 around zeros. So the supremum is at an end, where it
is exact, or in such a piece, where it is enclosed. In the span of two exponentials, as of counts
with Laplace noise of one scale, the sign is the same everywhere and the supremum is exact. Towards
infinity the leading terms decide.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ExponentialSum
from pufferproof.models.numbers.pieces import (
    End,
    ExponentialPolynomial,
    Piecewise,
    fraction,
    highest,
    inside,
    lowest,
    rational,
)

_BITS, _FEW_BITS = 160, 96
_NARROW = fmpq(1, 1 << 64)
_MOST_STEPS, _FEW_STEPS = 100_000, 100
_MOST_DOUBLINGS = 64
_ZERO, _ONE = fmpq(0), fmpq(1)


@dataclass(frozen=True)
class Peak:
    """A ratio that is a candidate for the largest: exact as above / below, or between bounds, an
    upper one None if it is not known; `place` is where.
    """

    place: str
    above: ExponentialSum | None = None
    below: ExponentialSum | None = None
    lower: Fraction = Fraction(0)
    upper: Fraction | None = None

    @property
    def infinite(self) -> bool:
        """Whether the ratio has no bound."""
        return self.below is not None and not self.below.terms


@dataclass(frozen=True)
class Part:
    """An interval, and the sign of a function on all of it; 0 if that is not known."""

    low: End
    high: End
    sign: int


def overlaps(
    first: Piecewise, second: Piecewise
) -> Iterator[tuple[End, End, ExponentialPolynomial, ExponentialPolynomial | None]]:
    """Yield the intervals of the first function, cut where the second changes, with both: None
    where the second is 0.
    """
    for a, b, p in first.segments:
        low, ended = a, False
        for c, d, q in second.segments:
            left, right = highest(low, c), lowest(b, d)
            if left is not None and right is not None and left >= right:
                continue
            if (low is None and left is not None) or (left is not None and low < left):
                yield low, left, p, None
            yield left, right, p, q
            low, ended = right, right is None or right == b
            if ended:
                break
        if not ended:
            yield low, b, p, None


@dataclass(frozen=True)
class Facing:
    """Two functions that are positive between two ends, but for the ends themselves.

    >>> from pufferproof.models.numbers.pieces import Piecewise
    >>> (_, _, p), (_, _, q) = (Piecewise.gamma(1, Fraction(b)).segments[0] for b in (1, 2))
    >>> facing = Facing(p, q, fmpq(0), None)
    >>> [peak.place for peak in facing.at_ends()], facing.inside(), facing.stays_below(Fraction(3))
    (['0', 'inf'], [], True)
    """

    p: ExponentialPolynomial
    q: ExponentialPolynomial
    low: End
    high: End

    @property
    def _slope(self) -> ExponentialPolynomial:
        """What has the sign of the slope of p / q."""
        return self.p.derivative(0) * self.q - self.p * self.q.derivative(0)

    def at_ends(self) -> list[Peak]:
        """Return the limits of p / q at both ends, exactly."""
        if not self._slope.terms:  # one is a multiple of the other
            y = inside(self.low, self.high)
            above, below = (f.at(0, [_ZERO, y]).narrowed().sum() for f in (self.p, self.q))
            return [Peak(_text(y), above, below)]
        return [_end(self.p, self.q, self.low, -1), _end(self.p, self.q, self.high, 1)]

    def stays_below(self, ratio: Fraction) -> bool:
        """Whether p < ratio q everywhere between the ends, as few balls tell."""
        difference = self.p - self.q.scaled(rational(ratio))
        with ctx.workprec(_FEW_BITS):
            parts = signs(difference, self.low, self.high, _FEW_STEPS)
            return bool(difference.terms) and all(part.sign < 0 for part in parts)

    def inside(self) -> list[Peak]:
        """Return bounds of p / q where it may have a maximum that is at no end."""
        slope = self._slope
        with ctx.workprec(_BITS):
            parts = [part for part in signs(slope, self.low, self.high) if not part.sign]
            return [_between(self.p, self.q, part) for part in parts]


def excess(f: ExponentialPolynomial, low: End, high: End) -> tuple[Fraction, Fraction]:
    """Return rational bounds of the integral of max(0, f) between two ends.

    >>> ((_, _, f),) = Piecewise.uniform().segments
    >>> excess(f, fmpq(0), fmpq(1, 2)) == (Fraction(1, 2), Fraction(1, 2))
    True
    """
    lower = upper = Fraction(0)
    with ctx.workprec(_BITS):
        for part in signs(f, low, high):
            if part.sign > 0:
                least, most = Piecewise(((part.low, part.high, f),)).total().bounds(_BITS)
                lower, upper = lower + least, upper + most
            elif not part.sign:
                width = arb(part.high - part.low)
                upper += dyadic((width * abs(f.ball(_over(part.low, part.high)))).upper())
    return max(lower, Fraction(0)), upper


def signs(f: ExponentialPolynomial, low: End, high: End, most: int = _MOST_STEPS) -> Iterator[Part]:
    """Yield the parts of an interval with the sign of a function, in ascending order; those of an
    unknown sign have a width of at most 2^-64, or are what is left after so many steps.
    """
    if not f.terms:
        return
    if len({key[:2] for key in f.terms}) == 1:
        yield from _of_one_term(f, low, high)
        return
    least = None if high is None else -high
    left = -_settled(f.at(0, [-_ONE, _ZERO]), least) if low is None else low
    right = _settled(f, left) if high is None else high
    if low is None:
        yield Part(None, left, f.at(0, [_ZERO, left]).narrowed().sum().sign())
    slope = f.derivative(0)
    stack, steps = [(left, right)], 0
    while stack:
        a, b = stack.pop()
        steps += 1
        sign = _sign_over(f, slope, a, b)
        if a == b:
            continue
        if sign or b - a <= _NARROW * max(_ONE, abs(a)) or steps > most:
            yield Part(a, b, sign)
        else:
            middle = (a + b) / 2
            stack += [(middle, b), (a, middle)]
    if high is None:
        yield Part(right, None, f.at(0, [_ZERO, right]).narrowed().sum().sign())


def _of_one_term(f: ExponentialPolynomial, low: End, high: End) -> Iterator[Part]:
    """Yield the signs of y^n e^(ky) c."""
    (n, _), *_ = (key[:2] for key in f.terms)
    factor = ExponentialPolynomial(0, {key[2:]: q for key, q in f.terms.items()}, f.unit)
    sign = factor.sum().sign()
    crosses = n % 2 and (low is None or low < 0) and (high is None or high > 0)
    if crosses:
        yield Part(low, _ZERO, -sign)
        yield Part(_ZERO, high, sign)
    else:
        negative = n % 2 and (high is not None and high <= 0)
        yield Part(low, high, -sign if negative else sign)


def _sign_over(f: ExponentialPolynomial, slope: ExponentialPolynomial, a: fmpq, b: fmpq) -> int:
    """Return the sign on an interval, or 0: by its values, or those in the middle and the slope."""
    whole, middle = _over(a, b), arb((a + b) / 2)
    for ball in (f.ball(whole), f.ball(middle) + slope.ball(whole) * (whole - middle)):
        if ball > 0 or ball < 0:
            return 1 if ball > 0 else -1
    return 0


def _over(a: fmpq, b: fmpq) -> arb:
    return arb(a).union(arb(b))


def _settled(f: ExponentialPolynomial, start: End) -> fmpq:
    """Return a number from which on the leading term of a function is larger than all others."""
    groups: dict[tuple[int, int], ExponentialPolynomial] = {}
    for key, q in f.terms.items():
        own = ExponentialPolynomial(0, {key[2:]: q}, f.unit)
        place = (key[1], key[0])  # rate, then power
        groups[place] = groups[place] + own if place in groups else own
    rate, power = max(groups)
    lead = _not_zero(groups.pop((rate, power)).sum())
    y = max(_ONE, _ZERO if start is None else start)
    for _ in range(_MOST_DOUBLINGS):
        falls = all(k == rate or (n - power) * f.unit < y * (rate - k) for k, n in groups)
        rest = arb(0)
        for (k, n), c in groups.items():
            growth = (arb(y) * (k - rate) / f.unit).exp() * arb(y) ** (n - power)
            rest += abs(c.sum().ball()) * growth
        if falls and rest < lead:
            return y
        y = 2 * y
    raise TooLargeError("densities are too close to each other far out", "mechanism")


def _not_zero(value: ExponentialSum) -> arb:
    """Enclose the size of a number that is not 0, by as many bits as tell it from 0: a density less
    a rational near its limit leaves next to nothing.
    """
    bits = ctx.prec
    while True:
        with ctx.workprec(bits):
            if (ball := abs(value.ball())) > 0:
                return ball
        bits *= 2


def _end(p: ExponentialPolynomial, q: ExponentialPolynomial, y: End, sign: int) -> Peak:
    """Return the limit of a ratio at an end of an interval."""
    if y is None:
        # at infinity the limit is that of the leading terms
        sides = []
        for f in (p, q):
            rate, power = max((key[1] * sign, key[0]) for key in f.terms)
            sides.append((Fraction(rate, f.unit), power))
        place = "inf" if sign > 0 else "-inf"
        nothing = ExponentialSum([])
        if sides[0] != sides[1]:
            one = ExponentialPolynomial.constant(_ONE).sum()
            return Peak(place, one, nothing) if sides[0] > sides[1] else Peak(place, nothing, one)
        above, below = (_lead(f, rate, n, sign) for f, (rate, n) in zip((p, q), sides))
        return Peak(place, above, below)
    while True:  # l'Hospital: both are 0 there
        above, below = (f.at(0, [_ZERO, y]).narrowed().sum() for f in (p, q))
        if above.terms or below.terms:
            return Peak(_text(y), *_positive(above, below))
        p, q = p.derivative(0), q.derivative(0)


def _positive(above: ExponentialSum, below: ExponentialSum) -> tuple[ExponentialSum, ExponentialSum]:
    """Return both with a positive sign: derivatives at an upper end may be negative."""
    if (below if below.terms else above).sign() < 0:
        nothing = ExponentialSum([])
        return nothing - above, nothing - below
    return above, below


def _lead(f: ExponentialPolynomial, rate: Fraction, power: int, sign: int) -> ExponentialSum:
    own = {key[2:]: q for key, q in f.terms.items() if key[0] == power and Fraction(key[1] * sign, f.unit) == rate}
    return ExponentialPolynomial(0, own, f.unit).sum()


def _between(p: ExponentialPolynomial, q: ExponentialPolynomial, part: Part) -> Peak:
    """Return bounds of a ratio in a narrow piece: of derivatives where both vanish at an end, by
    the mean value theorem of Cauchy.
    """
    whole, middle = _over(part.low, part.high), arb((part.low + part.high) / 2)
    inside = p.ball(middle) / q.ball(middle)
    lower = dyadic(inside.lower()) if inside.is_finite() else Fraction(0)
    for y in (part.low, part.high):
        f, g = p, q
        while not f.at(0, [_ZERO, y]).terms and not g.at(0, [_ZERO, y]).terms and g.terms:
            f, g = f.derivative(0), g.derivative(0)
        ratio = f.ball(whole) / g.ball(whole)
        if ratio.is_finite():
            return Peak(_text(part.low), lower=max(lower, Fraction(0)), upper=dyadic(ratio.upper()))
    return Peak(_text(part.low), lower=max(lower, Fraction(0)))


def _text(y: object) -> str:
    value = fraction(y)
    near = float(value)
    return str(value) if value.denominator < 1000 else f"{near:.9g}"
