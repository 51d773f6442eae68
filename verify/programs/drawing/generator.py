"""A stand-in for `numpy.random.Generator`: programs that draw from it run unchanged.

A continuous draw is a symbol, a discrete one a choice. Parameters are numbers or arrays, broadcast
as NumPy does. `signatures` says which parameters a method uses; what has no exact law here is
refused by name.
"""

from typing import Any

import numpy as np
from flint import fmpq

from pufferproof.models.numbers.pieces import Piecewise, rational
from pufferproof.verify.programs.drawing.discrete import DiscreteDraws
from pufferproof.verify.programs.drawing.draws import Draw
from pufferproof.verify.programs.drawing.gumbel import GumbelDraws
from pufferproof.verify.programs.drawing.polynomial import PolynomialDraws
from pufferproof.verify.programs.drawing.signatures import GENERATOR, signed
from pufferproof.verify.programs.regions.normal import NORMAL, StandardNormal

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

    def _whole(self, shape: Any) -> int:
        number = self._number(shape)
        if type(number) is Draw:
            self._run.refuse("a shape is a draw")
        if number < 0:
            raise ValueError("shape < 0")
        if int(number.q) != 1 or not number:
            self._run.refuse(
                f"it draws from a gamma distribution whose shape {number} is no integer"
            )
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

    def _laplace(self, scale: Any) -> Draw:
        b = self._scale(scale)
        if not b:
            return Draw(self._run, fmpq(0), {})
        name, words = ("laplace", b), f"Laplace({b})"
        draw: Draw = self._run.draw(name, words, lambda: Piecewise.laplace(b))
        return draw

    def _normal(self, scale: Any) -> Draw:
        draw: Draw = self._run.draw(NORMAL, "standard normal", StandardNormal)
        noise: Draw = draw * rational(self._scale(scale))
        return noise

    def _gamma(self, shape: int, scale: Any) -> Draw:
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
