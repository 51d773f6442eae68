"""Enclosures of real numbers: rational bounds of logarithms and exponentials by Arb or `decimal`,
decimal bounds to be printed, and bisection between a number that does not keep a promise and one that does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation, Overflow
from fractions import Fraction
from functools import cache
from math import floor, inf, log
from typing import TYPE_CHECKING, TypeVar

from pufferproof.models.errors import TooLargeError

if TYPE_CHECKING:
    from flint import arb, fmpq

Place = TypeVar("Place", int, float, Fraction)

_ENCLOSURE_DIGITS = 17
_MOST_BITS = 100_000_000
_LONG = 4_000  # bits
_SURE = 22  # digits that both ends have in common


@dataclass(frozen=True)
class Enclosure:
    """Two decimal strings with lower <= value <= upper, relative width at most 1e-14 (`"inf"`
    twice when infinite).
    """

    lower: str
    upper: str

    def as_json(self) -> dict[str, str]:
        """Return `{"lower": ..., "upper": ...}`."""
        return {"lower": self.lower, "upper": self.upper}


INFINITE = Enclosure("inf", "inf")


def enclose(lower: Fraction, upper: Fraction) -> Enclosure:
    """Round two rational bounds outward to 17 significant digits."""
    return Enclosure(_decimal(lower, ROUND_FLOOR), _decimal(upper, ROUND_CEILING))


def enclose_log(ratio: Fraction) -> Enclosure:
    """Enclose log(ratio) in nats, ratio > 0, with Arb (python-flint).

    >>> enclose_log(Fraction(9, 5))
    Enclosure(lower='0.58778666490211900', upper='0.58778666490211901')
    """
    if ratio == 1:
        return Enclosure("0", "0")
    return enclose(*log_bounds(ratio, 72))


def enclose_one_log(ratio: Fraction) -> Enclosure:
    """Enclose log(ratio) in nats, ratio > 0, without Arb, which takes longer to load than to answer once.

    `decimal` rounds logarithms correctly: they lie between the neighbours of what it returns.

    >>> enclose_one_log(Fraction(9, 5)) == enclose_log(Fraction(9, 5))
    True
    """
    digits = 40
    while 0 < ratio != 1 and max(ratio.numerator, ratio.denominator).bit_length() <= _LONG:
        nearest, down, up = (_context(digits, way) for way in (ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING))
        # log(a / b) = log(a) - log(b), and log(1) = 0 is exact
        over, under = (nearest.ln(Decimal(number)) for number in (ratio.numerator, ratio.denominator))
        lower = down.subtract(over and nearest.next_minus(over), under and nearest.next_plus(under))
        upper = up.subtract(over and nearest.next_plus(over), under and nearest.next_minus(under))
        if nearest.subtract(upper, lower).adjusted() < lower.adjusted() - _SURE:
            ends = (lower, ROUND_FLOOR), (upper, ROUND_CEILING)
            return Enclosure(*(_plainly(_context(_ENCLOSURE_DIGITS, way).plus(end)) for end, way in ends))
        digits *= 2  # the ratio is close to 1
    return enclose_log(ratio)


def log_bounds(ratio: Fraction, accuracy: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds of log(ratio), ratio > 0 and not 1, with relative width at most
    2^-accuracy.
    """
    return refined(lambda: ball(ratio).log(), accuracy)


def exp_bounds(exponent: Fraction, accuracy: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds of e^exponent with relative width at most 2^-accuracy."""
    return refined(lambda: ball(exponent).exp(), accuracy)


def refined(enclosed: "Callable[[], arb]", accuracy: int, spare: int = 32) -> tuple[Fraction, Fraction]:
    """Return rational bounds of a number that is not 0, enclosed at growing working precisions, at
    first of so many `spare` bits, of relative width at most 2^-accuracy.
    """
    from flint import ctx

    bits = accuracy + spare
    while True:
        with ctx.workprec(bits):
            value = enclosed()
            if value.rel_accuracy_bits() > accuracy:
                return dyadic(value.lower()), dyadic(value.upper())
        bits *= 2


def least(
    keeps: Callable[[Place], bool],
    between: tuple[Place, Place],
    within: Place | float = 0,
    relative: Fraction | float = 0,
    told: Callable[[float], None] = lambda width: None,
) -> tuple[Place, Place]:
    """Return two close places, of which the second keeps a promise and the first does not.

    The ends are not asked: the promise is taken to be broken at the lower one, and kept at the
    upper one. So the answer has the lower end if every place between them keeps the promise, and
    the upper end if none does. The least place that keeps it lies between both places if every
    larger place keeps it too.

    Args:
        keeps: asked at the middle of what is left, so that integers stay integers.
        within, relative: how far apart both places may be, the second as a share of the lower
            place. Integers end at neighbours, and floats where no float lies between them.
            Fractions need one of both; the relative width alone needs a lower place that does
            not stay 0.
        told: called with the relative width that is left, before each question.

    >>> least(lambda n: n * n >= 200, (0, 100))
    (14, 15)
    >>> least(lambda x: x * x >= 2, (Fraction(1), Fraction(2)), within=Fraction(1, 10))
    (Fraction(11, 8), Fraction(23, 16))
    """
    low, high = between
    while high - low > within + relative * abs(low):
        middle = (low + high) // 2 if isinstance(low, int) else (low + high) / 2
        if not low < middle < high:
            break
        told(float(high / low - 1) if low else inf)
        if keeps(middle):
            high = middle
        else:
            low = middle
    return low, high


def rounded_down(value: Fraction, bits: int) -> Fraction:
    """Return a rational of few digits that is at most a number, by less than 2^(1 - bits) of it.

    >>> rounded_down(Fraction(1, 3), 4), rounded_down(Fraction(-1, 3), 4)
    (Fraction(5, 16), Fraction(-11, 32))
    """
    scale = Fraction(2) ** (bits + value.denominator.bit_length() - value.numerator.bit_length())
    return floor(value * scale) / scale


def log_approx(value: Fraction) -> float:
    """Return the logarithm of a positive rational of any size, with an error of some roundings of
    the logarithms of its numerator and denominator.

    >>> round(log_approx(Fraction(1, 10**400)), 9)
    -921.034037198
    """
    return log(value.numerator) - log(value.denominator)


def ball(value: Fraction | int) -> "arb":
    """Enclose a rational by Arb at the present working precision."""
    enclosing, rational = _kinds()
    enclosed: arb = enclosing(rational(value.numerator, value.denominator))
    return enclosed


@cache
def _kinds() -> "tuple[type[arb], type[fmpq]]":
    """Return the classes of balls and rationals; an import in each call takes longer."""
    from flint import arb, fmpq

    return arb, fmpq


def dyadic(value: "arb") -> Fraction:
    """Return the number m 2^n that an exact Arb ball stands for.

    Raises `TooLargeError` unless it is finite, and n is small enough to write it out.
    """
    mantissa, exponent = map(int, value.man_exp()) if value.is_finite() else (0, _MOST_BITS)
    if not -_MOST_BITS < exponent < _MOST_BITS:
        raise TooLargeError(
            f"scales, levels and probabilities are too far apart: a number on the way has more than {_MOST_BITS} bits"
        )
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _decimal(value: Fraction, rounding: str) -> str:
    return _plainly(_context(_ENCLOSURE_DIGITS, rounding).divide(*map(Decimal, value.as_integer_ratio())))


def _plainly(value: Decimal) -> str:
    return format(value, "f" if -30 < value.adjusted() < 30 or value == 0 else "E")


def _context(digits: int, rounding: str) -> Context:
    """Return a context that takes nothing from the default one, which programs may change."""
    return Context(digits, rounding, -999999, 999999, 1, 0, [], [InvalidOperation, Overflow])
