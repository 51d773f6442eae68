"""Parameters of draws: numbers, or arrays of them, which are broadcast as NumPy does."""

from collections.abc import Callable
from fractions import Fraction
from operator import index
from typing import Any

import numpy as np

from pufferproof.models.numbers.pieces import fraction
from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.verify.programs.drawing.arrays import Run, Symbol, settled
from pufferproof.verify.programs.drawing.draws import Draw
from pufferproof.verify.programs.drawing.numbers import exact_number

_ONE = frozenset([int, float, bool, Fraction, ExactFloat])  # what is one number, as most parameters are


class Parameters:
    """What draws of all kinds have in common: a run, numbers, and shapes."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def _number(self, value: object) -> Any:
        number = exact_number(value, self._run)
        if number is NotImplemented:
            raise TypeError(f"expected a number, found {value!r}")
        if type(number) is Draw and not number.parts:
            return number.constant
        return number

    def _scale(self, value: object) -> Fraction:
        scale = self._number(value)
        if type(scale) is Draw:
            self._run.refuse("a scale is a draw")
        if scale < 0:
            raise ValueError("scale < 0")
        return fraction(scale)

    def _each(self, draw: Callable[..., Any], size: object, *parameters: Any) -> Any:
        """Draw once, or once for each place of an array."""
        if size is None and all(map(_is_one, parameters)):
            value = draw(*(_plain(p) for p in parameters))
            return self._run.shown(value)
        shapes = [np.shape(p) if not isinstance(p, Draw) else () for p in parameters]
        shape = np.broadcast_shapes(*shapes)
        if size is not None:
            shape = shape_of(size)
            np.broadcast_shapes(shape, *shapes)
        grids = [np.broadcast_to(_objects(p), shape) for p in parameters]
        out = np.empty(shape, dtype=object)
        for at in np.ndindex(*shape):
            value = draw(*(grid[at] for grid in grids))
            out[at] = value.resolved() if isinstance(value, Symbol) else value
        drawn = any(isinstance(x, Symbol) for x in out.flat)
        return settled(out) if drawn else np.array(out.tolist()).reshape(shape)


def shape_of(size: object) -> tuple[int, ...]:
    """Return the shape of an array that is asked for by its size."""
    shape = tuple(map(index, size if np.iterable(size) else [size]))
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape


def _is_one(value: Any) -> bool:
    return type(value) in _ONE or isinstance(value, Draw) or not np.shape(value)


def _plain(value: Any) -> Any:
    if type(value) in _ONE:
        return value
    return value.item() if hasattr(value, "dtype") else value


def _objects(value: object) -> Any:
    """Return a parameter as an array of objects, numbers of NumPy as Python's own."""
    array = np.empty((), dtype=object)
    array[()] = value
    return array if isinstance(value, Draw) else np.asarray(value, dtype=object)
