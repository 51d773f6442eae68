"""Sums over the masses of many runs in double precision, and how far their rounding may be off.

With the masses a_k of one run at the points x_k, those of all runs are c, the n-fold convolution
of a. For a tilt t >= 0

    b_k = a_k e^(t x_k) / M,   d = n-fold convolution of b,   c_k = d_k e^(-t x_k) M^n.

So d is large where c e^(t x) is, and an error of d is small beside the probability of losses near
there, however rare they are. Fast Fourier transforms find d on a window of points.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from pufferproof.models.numbers.enclosures import ball

if TYPE_CHECKING:
    from flint import arb
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Numbers = NDArray[np.complex128]
    Power = TypeVar("Power", Reals, Numbers)

# Below, u = 2^-53. Bounds of rounding use what IEEE 754 says of one addition, product or square root of doubles, in any
# order, with fused ones or without, and constants rounded from Arb. No library of transforms is trusted: `transform`
# is one of its own. So trusted are the arithmetic of the processor, and that NumPy leaves its rounding to nearest.

_UNIT = 2.0**-53
_LITTLE = 2.0**-900  # more than what all numbers below the range of doubles add up to
_SLACK = 1.001  # for the rounding of a bound, which is relatively less than 2^-20
_ENOUGH = 20  # minus the logarithm of what may lie beyond a window
_MOST_FALL = 200
_ROOT_BITS = 90
_SLOPES = 2.0 ** (np.arange(-60, 9) / 2)
_HUGE = 1e300


class Row(NamedTuple):
    """The tilted masses b of a step that is repeated: at points of the grid, as doubles above 0."""

    places: "NDArray[np.int64]"
    masses: "Reals"
    runs: int

    @classmethod
    def of(cls, places: Sequence[int], masses: "Sequence[arb]", up: bool, runs: int) -> "Row":
        """Return masses rounded up, or down; up, what is no number stays, and spoils the answer."""
        ends = [float(mass.upper() if up else mass.lower()) for mass in masses]
        rounded = np.nextafter(ends, math.inf if up else -math.inf)
        inside = ~(rounded <= 0) if up else rounded > 0
        return cls(np.array(places, dtype=np.int64)[inside], rounded[inside], runs)


class Window(NamedTuple):
    """The points from `low` on, a power of two of them. Sums are known from `base` on."""

    low: int
    size: int
    base: int


def _chernoff(rows: Sequence[Row], sign: int) -> "Reals":
    """Return about the logarithms of prod (sum of b_k e^(s k))^n for all slopes s, times a sign.

    Chernoff's bound: the sum over k >= j of d_k is at most e^(-s j) times the product.
    """
    total = np.zeros(len(_SLOPES))
    for row in rows:
        powers = sign * np.outer(row.places, _SLOPES)
        most = powers.max(axis=0)
        total += row.runs * (np.log(row.masses @ np.exp(powers - most)) + most)
    return total


def window_of(sides: Sequence[Sequence[Row]], fall: float) -> Window:
    """Return a window of all masses d but about e^-20, of each of some sides.

    Args: fall: of the logarithm of weights from a point to the next. Sums begin where weights are
        e^200 times those at the mean.
    """
    high, low = (max(float(((_chernoff(rows, sign) + _ENOUGH) / _SLOPES).min()) for rows in sides) for sign in (1, -1))
    every = [row for rows in sides for row in rows]
    span = max(high + low, *(float(row.places.max() - row.places.min()) for row in every)) + 4
    size = 1 << max(math.ceil(math.log2(span)), 4)
    first = math.floor((high - low - size) / 2)
    mean = sum(row.runs * float(row.masses @ row.places) / float(row.masses.sum()) for row in sides[0])
    base = max(first, min(math.floor(mean - _MOST_FALL / fall), first + size - 1))
    return Window(first, size, base)


def beyond(rows: Sequence[Row], window: Window) -> float:
    """Return a bound of the sum of d outside a window, by Chernoff's bound at both ends."""
    found = ball(0)
    for sign, end in ((1, window.low + window.size), (-1, 1 - window.low)):
        share = ball(Fraction(float(_SLOPES[(_chernoff(rows, sign) - end * _SLOPES).argmin()])))
        product = (-share * end).exp()
        for row in rows:
            every = zip(row.places.tolist(), row.masses.tolist())
            powers = (ball(Fraction(mass)) * (sign * place * share).exp() for place, mass in every)
            product *= sum(powers, ball(0)) ** row.runs
        found += product
    return min(float(np.nextafter(float(found.upper()), math.inf)), _HUGE)


@lru_cache(maxsize=4)
def _roots(size: int) -> "Numbers":
    """Return e^(-2 pi i k / size) for k < size / 2, relatively within 6 u: products of two numbers
    that are rounded from Arb, within 1.01 u each.
    """
    from flint import arb, ctx, fmpq

    def root(k: int) -> complex:
        with ctx.workprec(_ROOT_BITS):
            sine, cosine = arb.sin_cos_pi_fmpq(fmpq(-2 * k, size))
        return complex(float(cosine), float(sine))

    few = 1 << (size.bit_length() - 1) // 2
    fine = np.array([root(k) for k in range(few)])
    coarse = np.array([root(k) for k in range(0, max(size // 2, 1), few)])
    found: Numbers = np.multiply.outer(coarse, fine).ravel()[: size // 2]
    found.flags.writeable = False
    return found


def transform(values: "Numbers") -> "Numbers":
    """Return the sums over k of v_k e^(-2 pi i j k / N), N a power of two.

    Each of log2(N) stages takes even + root * odd and even - root * odd. A product of complex
    numbers is relatively within 3 u, a sum within u, a root within 6 u: a stage changes each term by
    a factor within 10.1 u of 1, and otherwise multiplies it by a number of modulus 1. So the error
    is at most 10.2 u log2(N) sum |v_k|, for every j.

    >>> transform(np.array([1, 2, 3, 4], dtype=complex)).round(9)
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    size = len(values)
    roots = _roots(size)
    # x[k, c]: the k-th sum over the values c, c + r, c + 2 r, ..; later, rows and columns change places
    x, count = values.reshape(1, -1), 1
    while count * count < size:
        half = x.shape[1] // 2
        odd = roots[:: size // (2 * count), None] * x[:, half:]
        x, count = np.concatenate((x[:, :half] + odd, x[:, :half] - odd)), 2 * count
    x = np.ascontiguousarray(x.T)
    while count < size:
        half = x.shape[0] // 2
        odd = roots[:: size // (2 * count)] * x[half:]
        x, count = np.concatenate((x[:half] + odd, x[:half] - odd), axis=1), 2 * count
    return x.ravel()


def _power(values: "Power", runs: int) -> "Power":
    """Return powers: of errors of one product, `runs` - 1 add up."""
    found = values
    for bit in f"{runs:b}"[1:]:
        found = found * found
        if bit == "1":
            found = found * values
    return found


def convolved(rows: Sequence[Row], window: Window) -> "tuple[Reals, float]":
    """Return d modulo the size of a window, on it, and a bound of the error of each of them.

    With transforms f of the steps within e of those found, both at most r, and B = prod r^n,

        |prod found^n - prod f^n| <= B (sum of n e / r + 4 n u):

    a telescoping sum, and 3 u for each product. The inverse is a transform, over N: an error of d is
    at most the mean of these, and the rounding of that transform.
    """
    size = window.size
    each_stage = 11 * _UNIT * (size.bit_length() - 1)  # more than 10.2 u, for the rounding of r and of sums
    found: Numbers = np.ones(size, dtype=np.complex128)
    bound, share = np.ones(size), np.full(size, 4 * _UNIT * (sum(row.runs for row in rows) + len(rows)) + each_stage)
    for row in rows:
        values = np.zeros(size, dtype=np.complex128)
        values[row.places % size] = row.masses
        spectrum = transform(values)
        error = each_stage * float(row.masses.sum()) + _LITTLE
        most = np.sqrt(spectrum.real**2 + spectrum.imag**2) * (1 + 8 * _UNIT) + error
        found, bound = found * _power(spectrum, row.runs), bound * _power(most, row.runs)
        share += row.runs * error / most
    turned = transform(np.conj(found)).real / size
    return np.roll(turned, -(window.low % size)), _SLACK * float((bound * share).mean()) + _LITTLE


class TailSums:
    """The sums over k >= j of c_k e^(-e x_k), for each of some e >= 0 (`turns`) and each j in a window.

    Args:
        rows: tilted masses of all steps; `norm` is the product of their M^n.
        grid: x_0 and h in x_k = x_0 + k h.

    Sums begin at `low`. Masses beyond the window, and those that the cyclic convolution puts
    elsewhere, add up to at most `beyond` before they are weighted, and weights e^(-(t + e) x) fall.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        window: Window,
        tilt: float,
        turns: Sequence[int],
        norm: "arb",
        grid: "tuple[arb, arb]",
    ) -> None:
        start, step = grid
        self.low, self.size = window.base, window.low + window.size - window.base
        self.top = sum(row.runs * int(row.places.max()) for row in rows)  # of all that there are
        masses, error = convolved(rows, window)
        masses = masses[-self.size :]
        outside = beyond(rows, window)
        stages = window.size.bit_length()
        self.sums, self.errors, self.scales = {}, {}, {}
        for turn in turns:
            rate = ball(Fraction(tilt) + turn)
            # weights e^(-rate k step): each is a product of at most `stages` numbers that are rounded from Arb
            weights = np.ones(1)
            for power in range(stages - 1):
                factor = (-rate * step * 2**power).exp()
                weights = np.concatenate((weights, weights * float(factor)))
            weights = weights[: self.size]
            terms = masses * weights
            # sums of N terms in any order: N u of the sum of their absolute values
            rounding = 1.01 * _UNIT * (window.size + 2 * stages + 2)
            total, weight = _tails(abs(terms)), _tails(weights)
            inside = rounding * total + error * weight
            last = np.append(weights, weights[-1]) * outside
            self.sums[turn] = np.append(_tails(terms), 0.0)
            self.errors[turn] = _SLACK * (np.append(inside, 0.0) + last) + _LITTLE
            self.scales[turn] = norm * (-rate * (start + self.low * step)).exp()

    def at(self, place: int, turn: int) -> "arb":
        """Return the sum from a point on that is at least `low`."""
        from flint import arb

        if place > self.top:
            return ball(0)
        at = min(place - self.low, self.size)
        return arb(float(self.sums[turn][at]), float(self.errors[turn][at])) * self.scales[turn]


def _tails(values: "Reals") -> "Reals":
    """Return the sums from each place on."""
    found: Reals = values[::-1].cumsum()[::-1]
    return found
