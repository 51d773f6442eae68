"""Arrays of draws: NumPy's object arrays, of which the largest element is found in one step.

Functions of NumPy work on objects by comparing and adding them, so that sorting, clipping or a mean
of draws need nothing here. `argmax` compares one by one, and would have 2^(n - 1) ways to go; an
array of draws asks for the place of its largest element, which has n. What has no draw in it any
more becomes an array of numbers.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NoReturn, Protocol

import numpy as np

from pufferproof.models.numbers.pieces import Piecewise

_REAL = "biufO"  # kinds of arrays: bool, integers, floats, objects
_OF_NUMBERS = {"isnan": False, "isinf": False, "isfinite": True}


class Run(Protocol):
    """What draws and arrays of them ask of the run that they belong to."""

    atoms: Any
    counts: Any

    def refuse(self, why: str) -> NoReturn:
        """End the run: its law has no exact form here."""
        ...

    def draw(self, name: Hashable, words: str, make: Callable[[], Piecewise]) -> Any:
        """Return a new draw with a density, which is made if its name is new."""
        ...

    def gumbel(self) -> Any:
        """Return a new Gumbel draw of location 0 and scale 1."""
        ...

    def logarithm(self, parts: Mapping[int, Any], constant: Any) -> Any:
        """Return log(U) for a form U that is uniform between 0 and 1 given the path."""
        ...

    def release(self, parts: Mapping[int, Any], constant: Any) -> None:
        """Keep a linear form that is part of the output."""
        ...

    def shown(self, value: Any) -> Any:
        """Return a draw as the program gets it: known at once if it asks what it is."""
        ...

    def asked_directly(self) -> bool:
        """Whether the program itself asks a draw for an attribute, not a library."""
        ...

    def decide(self, parts: Mapping[int, Any], constant: Any) -> bool:
        """Return whether a linear form is positive, which has probability 1 or chooses a branch."""
        ...

    def later(self, parts: Mapping[int, Any]) -> bool:
        """Whether a comparison of a draw with a number may wait until it is looked at."""
        ...

    def event(self, parts: Mapping[int, Any], constant: Any, truth: tuple[bool, bool]) -> Any:
        """Return the truth of a comparison as a discrete draw, or None if it is none here."""
        ...

    def largest(self, values: list[Any]) -> int:
        """Return the first place of the largest of some numbers."""
        ...


class Symbol:
    """A value that is not known yet: what draws have in common."""

    __slots__ = ()
    path: Run

    def resolved(self) -> Any:
        """Return the value, which a continuous draw does not have."""
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return of_objects(ufunc, method, inputs, options)


def of_objects(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Apply a function of NumPy to every element, as Python applies it to objects."""
    arrays = [as_objects(each) for each in inputs]
    path = next(x.path for each in arrays for x in each.flat if isinstance(x, Symbol))
    out = options.pop("out", None)
    try:
        if method == "__call__" and ufunc.nin == 1:
            result = _each(ufunc, arrays[0], options)
        else:
            result = getattr(ufunc, method)(*arrays, **options)
    except TypeError:
        path.refuse(f"it takes numpy.{ufunc.__name__} of a draw")
    if out is None:
        return settled(result)
    if np.asarray(out[0]).dtype != object:
        path.refuse("it writes draws into an array of numbers")
    np.copyto(np.asarray(out[0]), result)
    return out[0]


def _each(ufunc: Any, array: Any, options: dict[str, Any]) -> Any:
    """Apply a function of one argument to draws and numbers beside each other."""
    result = np.empty(array.shape, dtype=object)
    for at in np.ndindex(*array.shape):
        x = array[at]
        if not isinstance(x, Symbol):
            result[at] = ufunc(x, **options)
        elif ufunc.__name__ in _OF_NUMBERS:
            result[at] = _OF_NUMBERS[ufunc.__name__]
        else:
            value = ufunc(_boxed(x), **options)
            result[at] = value.resolved() if isinstance(value, Symbol) else value
    return result[()]


def _boxed(value: Any) -> Any:
    array = np.empty((), dtype=object)
    array[()] = value
    return array


def as_objects(value: Any) -> Any:
    """Return a value as a plain array of objects, integers as the floats that they are beside
    draws. Raises `TypeError` of text, which NumPy does not take beside floats either.
    """
    if isinstance(value, Symbol):
        return _boxed(value)
    array = np.asarray(value)
    if array.dtype.kind not in _REAL:
        raise TypeError(f"expected numbers beside draws, found an array of {array.dtype.name}")
    if array.dtype == object:
        return np.frompyfunc(_promoted, 1, 1)(array) if array.shape else _boxed(_promoted(value))
    return array.astype(float).astype(object)


def _promoted(value: Any) -> Any:
    return float(value) if isinstance(value, int) and not isinstance(value, Symbol) else value


def settled(result: Any) -> Any:
    """Return an array of draws as one that finds its largest, and one without draws as numbers."""
    if isinstance(result, tuple):
        return tuple(settled(each) for each in result)
    if not isinstance(result, np.ndarray):
        numeric = type(result) in (int, float)
        return np.float64(result) if numeric else result
    if result.dtype != object:
        return result
    if any(isinstance(x, Symbol) for x in result.flat):
        return result.view(DrawArray)
    kinds = {type(x) for x in result.flat}
    return np.array(result.tolist(), dtype=float if kinds == {int, float} else None)


class DrawArray(np.ndarray[Any, Any]):
    """An array of objects, some of which are draws."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if not any(
            isinstance(x, Symbol)
            for each in inputs
            for x in (np.asarray(each).flat if isinstance(each, np.ndarray) else [each])
        ):
            plain = [settled(np.asarray(x)) if isinstance(x, DrawArray) else x for x in inputs]
            return getattr(ufunc, method)(*plain, **options)
        return of_objects(ufunc, method, inputs, options)

    def astype(self, dtype: Any, *given: Any, **named: Any) -> Any:
        """Return the draws as they are, which are floats, if floats are asked for."""
        kind = np.dtype(dtype)
        if kind == np.dtype(float) and any(isinstance(x, Symbol) for x in self.flat):
            return self.copy()
        return super().astype(dtype, *given, **named)

    def __setitem__(self, at: Any, value: Any) -> None:
        super().__setitem__(at, as_objects(value) if np.size(value) else value)

    def argmax(self, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        """Return the place of the largest element, which is a branch for each place."""
        flat = list(np.asarray(self).flat)
        path = next((x.path for x in flat if isinstance(x, Symbol)), None)
        numbers = all(isinstance(x, Symbol) or np.isfinite(x) for x in flat)
        several = self.ndim > 1 and axis is not None
        if path is None or out is not None or keepdims or several or not numbers:
            return np.asarray(self).argmax(axis, out, keepdims=keepdims)
        return np.int64(path.largest(flat))

    def argmin(self, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        """Return the place of the smallest element, which is a branch for each place."""
        if axis is None or self.ndim == 1:
            return (-self).argmax(axis, out, keepdims=keepdims)
        return np.asarray(self).argmin(axis, out, keepdims=keepdims)
