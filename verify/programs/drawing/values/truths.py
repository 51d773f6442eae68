"""What is known of a continuous draw when a program looks at it: the sign of an absolute value, and
the truth of a comparison with a number.
"""

from decimal import Decimal
from typing import Any

import numpy as np
from flint import fmpq

from pufferproof.verify.programs.drawing.arrays import Symbol
from pufferproof.verify.programs.drawing.draws import Draw
from pufferproof.verify.programs.drawing.numbers import exact_number, infinite, is_numpys, known
from pufferproof.verify.programs.drawing.values.lazy import Lazy


class Absolute(Draw):
    """|X| of a draw X, whose sign is not asked for as long as the size is compared with numbers."""

    __slots__ = ("_inner", "_known")

    def __init__(self, inner: Draw) -> None:
        self.path, self.of_numpy, self.side = inner.path, inner.of_numpy, None
        self._inner = inner
        self._known: Draw | None = None

    def resolved(self) -> Draw:
        """Return the draw, or its negative: a branch for each sign."""
        if self._known is None:
            self._known = self._inner if self._inner >= 0 else -self._inner
        return self._known

    def as_kind(self, of_numpy: bool) -> Draw:
        """Return this draw as a number of NumPy, or as one of Python."""
        return Absolute(self._inner.as_kind(of_numpy))

    @property
    def constant(self) -> Any:
        """The constant of the draw, or of its negative."""
        return self.resolved().constant

    @property
    def parts(self) -> dict[int, Any]:  # type: ignore[override]
        """The parts of the draw, or of its negative."""
        return self.resolved().parts

    def _compare(self, other: object, truth: tuple[Any, ...]) -> Any:
        other = known(other)
        plain = self._known is None and not isinstance(other, Decimal) and infinite(other) is None
        size = exact_number(other, self.path) if plain else None
        if type(size) is not fmpq:
            return super()._compare(other, truth)
        if self.of_numpy or is_numpys(other):
            truth = tuple(map(np.bool, truth))
        form = self._inner
        less = size > 0 and self.path.within(form.parts, form.constant, size)
        return truth[0 if less else 2]


class Truth(Lazy):
    """The truth of a comparison of a draw with a number, until it is looked at: a program that
    does so at once chooses a branch, and one that computes with it has a discrete draw.
    """

    __slots__ = ("_form", "_made", "_sides", "path")

    def __init__(self, form: Draw, sides: tuple[Any, Any]) -> None:
        self._form, self._sides = form, sides
        self._made: Any = None
        self.path = form.path

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """`isinstance(truth, bool)` holds, unless its draw is a number of NumPy."""
        return type(self._sides[0])

    def resolved(self) -> Any:
        """Return the truth, from now on known."""
        if self._made is None:
            self._made = self._sides[self._form._sign() > 0]
        return self._made.resolved() if isinstance(self._made, Symbol) else self._made

    def tabled(self) -> Any:
        """Return a discrete draw, or the truth if it has no rational probability."""
        if self._made is None:
            self._made = self._form.path.event(self._form.parts, self._form.constant, self._sides)
        return self._made if isinstance(self._made, Symbol) else self.resolved()

    def __bool__(self) -> bool:
        return bool(self.resolved())

    def __index__(self) -> int:
        if type(self._sides[0]) is bool:
            self.path.end_for_truths()
        raise TypeError("'numpy.bool' object cannot be interpreted as an integer")
