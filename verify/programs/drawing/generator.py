"""A stand-in for `numpy.random.Generator`: programs that draw from it run unchanged.

A continuous draw is a symbol, a discrete one a choice. Parameters are numbers or arrays, broadcast
as NumPy does. `signatures` says which parameters a method uses; what has no exact law here is
refused by name.
"""

from math import comb
from typing import Any

import numpy as np
from flint import fmpq

from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, rational
from pufferproof.verify.programs.drawing.discrete import DiscreteDraws
from pufferproof.verify.programs.drawing.draws import Draw
from pufferproof.verify.programs.drawing.parameters import Parameters
from pufferproof.verify.programs.drawing.signatures import GENERATOR, signed
from pufferproof.verify.programs.regions.normal import NORMAL, StandardNormal

# Polynomial ---------------------------------------------------------------------------------------
#
# Draws between two numbers whose density is a polynomial: beta and power draws with integers for
# parameters, and triangular ones.

_MOST = 50  # degree of a density
_ZERO, _ONE = fmpq(0), fmpq(1)


class PolynomialDraws(Parameters):
    """The methods of a generator whose densities are polynomials on intervals."""

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Draw x of density x^(a - 1) (1 - x)^(b - 1) over B(a, b), a and b integers here."""
        return self._each(lambda a, b: self._beta(self._power(a), self._power(b)), size, a, b)

    def power(self, a: Any, size: Any = None) -> Any:
        """Draw x of density a x^(a - 1) between 0 and 1, a an integer here."""
        return self._each(lambda a: self._beta(self._power(a), 1), size, a)

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        """Draw x of a density that rises from the left to the mode, and falls to the right."""

        def one(left: Any, mode: Any, right: Any) -> Any:
            a, c, b = (self._number(each) for each in (left, mode, right))
            if any(isinstance(each, Draw) for each in (a, b, c)):
                self._run.refuse("an end of a triangular distribution is a draw")
            if not a <= c <= b or a == b:
                raise ValueError("left > mode, mode > right or left == right")
            peak = (c - a) / (b - a)
            name = ("triangular", int(peak.p), int(peak.q))
            draw: Draw = self._run.draw(name, "triangular", lambda: _triangle(peak))
            return draw * (b - a) + a

        return self._each(one, size, left, mode, right)

    def _power(self, value: object) -> int:
        number = self._number(value)
        if isinstance(number, Draw):
            self._run.refuse("a parameter is a draw")
        if number <= 0:
            raise ValueError("a <= 0")
        if int(number.q) != 1 or number > _MOST:
            self._run.refuse(f"a parameter is {number}: an integer up to {_MOST} is needed")
        return int(number)

    def _beta(self, a: int, b: int) -> Any:
        if a == b == 1:
            return self._run.draw(("uniform",), "uniform", Piecewise.uniform)
        return self._run.draw(("beta", a, b), f"beta({a}, {b})", lambda: _beta(a, b))


def _beta(a: int, b: int) -> Piecewise:
    scale = a * comb(a + b - 1, a)  # 1 / B(a, b)
    terms: dict[tuple[int, ...], Any] = {(a - 1 + k, 0, 0): fmpq(scale * (-1) ** k * comb(b - 1, k)) for k in range(b)}
    return Piecewise(((_ZERO, _ONE, ExponentialPolynomial(1, terms)),))


def _triangle(peak: Any) -> Piecewise:
    """Return 2 x / peak below the peak, and 2 (1 - x) / (1 - peak) above it."""
    parts = []
    if peak:
        parts.append((_ZERO, peak, ExponentialPolynomial(1, {(1, 0, 0): 2 / peak})))
    if peak != 1:
        slope = 2 / (1 - peak)
        falling = ExponentialPolynomial(1, {(0, 0, 0): slope, (1, 0, 0): -slope})
        parts.append((peak, _ONE, falling))
    return Piecewise(tuple(parts))


# Generator ----------------------------------------------------------------------------------------

# Gumbel -------------------------------------------------------------------------------------------
#
# Gumbel and logistic draws: noisy scores that race each other.
#
# A Gumbel draw is -log E for an exponential E, and a logistic draw the difference of two of them.
# They are linear forms as other draws are, but compared with each other only:
# `pufferproof.verify.programs.regions.races` has the probabilities.


class GumbelDraws(Parameters):
    """The methods of a generator whose draws are compared with draws of their own kind."""

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw x with P(x <= t) = exp(-e^(-(t - loc) / scale))."""
        return self._each(lambda a, b: self._gumbel(b) + a, size, loc, scale)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw x with P(x <= t) = 1 / (1 + e^(-(t - loc) / scale))."""

        def one(loc: Any, scale: Any) -> Any:
            first = self._gumbel(scale)
            return first - self._gumbel(scale) + loc

        return self._each(one, size, loc, scale)

    def _gumbel(self, scale: object) -> Any:
        b = rational(self._scale(scale))
        return self._run.gumbel() * b


# Generator ----------------------------------------------------------------------------------------

_METHODS = frozenset(name for name in dir(np.random.Generator) if not name.startswith("_"))


@signed(GENERATOR)
class Generator(GumbelDraws, PolynomialDraws, DiscreteDraws):
    """What a program draws from, in one run.

    >>> from pufferproof.verify.programs.paths import Run
    >>> from pufferproof.verify.programs.regions.integrals import Integrals
    >>> run = Run(None, Integrals(), None)
    >>> x, y = Generator(run).laplace(size=2)
    >>> x > y, run.mass().value()
    (np.False_, Fraction(1, 2))
    """

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw Laplace noise of density e^(-|x - loc| / scale) / (2 scale)."""
        return self._each(lambda a, b: self._laplace(b) + a, size, loc, scale)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw x > 0 with density e^(-x / scale) / scale."""
        return self._each(lambda b: self._gamma(1, b), size, scale)

    def standard_exponential(self, size: Any = None, dtype: Any = "float64") -> Any:
        """Draw x > 0 with density e^-x."""
        self._expect_float64(dtype)
        return self.exponential(1.0, size)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw a sum of exponential draws: the shape must be an integer here."""
        return self._each(lambda n, b: self._gamma(self._whole(n), b), size, shape, scale)

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = "float64") -> Any:
        """Draw a sum of exponential draws of scale 1."""
        self._expect_float64(dtype)
        return self.gamma(shape, 1.0, size)

    def weibull(self, a: Any, size: Any = None) -> Any:
        """Draw x > 0 with density e^-x: the shape must be 1 here."""

        def one(a: Any) -> Any:
            shape = self._number(a)
            if type(shape) is Draw or shape != 1:
                self._run.refuse("it draws from a Weibull distribution whose shape is not 1")
            return self._gamma(1, 1)

        return self._each(one, size, a)

    def chisquare(self, df: Any, size: Any = None) -> Any:
        """Draw a sum of squares of normal draws: an even number of them here."""
        return self._each(lambda n: self._gamma(self._whole(self._number(n) / 2), 2), size, df)

    def random(self, size: Any = None, dtype: Any = "float64") -> Any:
        """Draw a number between 0 and 1."""
        self._expect_float64(dtype)
        return self._each(self._uniform, size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw Gaussian noise of a mean and a standard deviation."""
        return self._each(lambda a, b: self._normal(b) + a, size, loc, scale)

    def standard_normal(self, size: Any = None, dtype: Any = "float64") -> Any:
        """Draw Gaussian noise of standard deviation 1."""
        self._expect_float64(dtype)
        return self.normal(0.0, 1.0, size)

    def _expect_float64(self, dtype: Any) -> None:
        """Refuse floats that are rounded further: the law is that of real numbers."""
        if np.dtype(dtype) == np.float32:
            self._run.refuse("it draws floats of type float32: draw float64, the default")
        if np.dtype(dtype) != np.float64:
            raise TypeError(f"Unsupported dtype {np.dtype(dtype)!r}")

    def _whole(self, shape: object) -> int:
        number = self._number(shape)
        if type(number) is Draw:
            self._run.refuse("a shape is a draw")
        if number < 0:
            raise ValueError("shape < 0")
        if int(number.q) != 1 or not number:
            self._run.refuse(f"it draws from a gamma distribution whose shape {number} is no integer")
        return int(number)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Draw a number between two others."""
        if np.any(np.less(high, low)):
            raise ValueError("high - low < 0")
        return self.between(low, high, size)

    def between(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Draw a number between two others, the larger of which may be the first."""

        def one(low: Any, high: Any) -> Any:
            a, b = self._number(low), self._number(high)
            return a + (b - a) * self._uniform()

        return self._each(one, size, low, high)

    def _uniform(self) -> Draw:
        draw: Draw = self._run.draw(("uniform",), "uniform", Piecewise.uniform)
        return draw

    def _laplace(self, scale: object) -> Draw:
        b = self._scale(scale)
        if not b:
            return Draw(self._run, fmpq(0), {})
        name, words = ("laplace", b), f"Laplace({b})"
        draw: Draw = self._run.draw(name, words, lambda: Piecewise.laplace(b))
        return draw

    def _normal(self, scale: object) -> Draw:
        draw: Draw = self._run.draw(NORMAL, "standard normal", StandardNormal)
        noise: Draw = draw * rational(self._scale(scale))
        return noise

    def _gamma(self, shape: int, scale: object) -> Draw:
        b = self._scale(scale)
        if not b:
            return Draw(self._run, fmpq(0), {})
        words = f"exponential({b})" if shape == 1 else f"gamma({shape}, {b})"
        name = ("gamma", shape, b)
        draw: Draw = self._run.draw(name, words, lambda: Piecewise.gamma(shape, b))
        return draw

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """`isinstance(rng, numpy.random.Generator)` holds."""
        return np.random.Generator

    def __copy__(self) -> "Generator":
        return self  # a copy in NumPy draws from the same bits

    def __deepcopy__(self, _: Any) -> Any:
        self._run.refuse("it copies rng, which would draw the same again: draw from rng itself")

    def __reduce_ex__(self, _: Any) -> Any:
        self._run.refuse("it pickles rng, which would draw the same again: draw from rng itself")

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(f"'Generator' object has no attribute '{name}'")
        self._run.refuse(f"rng.{name} has no exact law here")
