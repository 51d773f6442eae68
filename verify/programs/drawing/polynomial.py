"""Draws between two numbers whose density is a polynomial: beta and power draws with integers for
parameters, and triangular ones.
"""

from math import comb
from typing import Any

from flint import fmpq

from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise
from pufferproof.verify.programs.drawing.draws import Draw
from pufferproof.verify.programs.drawing.parameters import Parameters

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

    def _power(self, value: Any) -> int:
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
    terms: dict[tuple[int, ...], Any] = {
        (a - 1 + k, 0, 0): fmpq(scale * (-1) ** k * comb(b - 1, k)) for k in range(b)
    }
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
