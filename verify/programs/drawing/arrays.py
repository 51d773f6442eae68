"""Arrays of draws: NumPy's object arrays, of which the largest element is found in one step.

Functions of NumPy work on objects by comparing and adding them, so that sorting, clipping or a mean
of draws need nothing here. `argmax` compares one by one, and would have 2^(n - 1) ways to go; an
array of draws asks for the place of its largest element, which has n. What has no draw in it any
more becomes an array of numbers.
"""

import builtins
import math
import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn, Protocol, SupportsIndex

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from pufferproof.models.numbers.pieces import Piecewise
from pufferproof.models.numbers.remembered import ExactFloat

_REAL = "biufO"  # kinds of arrays: bool, integers, floats, objects
_OF_NUMBERS = {"isnan": False, "isinf": False, "isfinite": True, "signbit": None}
_ROUNDING = frozenset(["floor", "ceil", "trunc", "rint"])
_TRUTHS = frozenset(["logical_and", "logical_or", "logical_xor", "logical_not"])
# what takes NaN beside draws element by element, or has a rule for it here; what orders elements
# compares objects, to which NaN is neither less nor more, where NumPy puts it last or returns it
_TAKES_NAN = _TRUTHS | _ROUNDING | _OF_NUMBERS.keys()
_TAKES_NAN |= {"less", "less_equal", "equal", "not_equal", "greater", "greater_equal"}
_TAKES_NAN |= {"add", "subtract", "multiply", "divide", "negative", "positive", "absolute"}
_TAKES_NAN |= {"array", "asarray", "asanyarray", "full", "copy", "copyto", "where", "append"}
_TAKES_NAN |= {"concatenate", "stack", "hstack", "vstack", "argmax", "argmin", "sum", "mean"}
_TAKES_NAN |= {"nanmax", "nanmin", "nansum", "nanmean", "nanmedian", "nanargmax", "nanargmin"}
_as_array = np.asarray


# What programs compute with: numbers of Python and NumPy, symbols and arrays of them. Each takes the others in
# operators, and NumPy says when a program runs what they give: no union of types does.
Operand = Any
Array = NDArray[Any]  # of numbers, or of objects some of which are symbols
Binary = Callable[[Operand, Operand], Operand]
Parts = Mapping[int, fmpq]  # draw -> its coefficient in a linear form


class Run(Protocol):
    """What draws and arrays of them ask of the run that they belong to, as `paths` has it."""

    weight: fmpq
    noted: list[Hashable]
    keeps: bool
    atoms: Operand  # `Atoms` and `Counts`, which are made of symbols
    counts: Operand

    @property
    def effect(self) -> Operand: ...

    def refuse(self, why: str) -> NoReturn: ...
    def end_for_truths(self) -> NoReturn: ...
    def differs(self) -> NoReturn: ...
    def replay(self, asked: Hashable) -> int | None: ...
    def branch(
        self,
        asked: Hashable,
        weights: Sequence[fmpq | bool],
        shares: Sequence[float],
        words: Callable[[int], str],
        effect: object = None,
    ) -> int: ...
    def draw(self, name: Hashable, words: str, make: Callable[[], Piecewise]) -> Operand: ...
    def gumbel(self) -> Operand: ...
    def logarithm(self, parts: Parts, constant: fmpq) -> Operand: ...
    def note_size(self, parts: Parts, constant: fmpq) -> None: ...
    def release(self, parts: Parts, constant: fmpq) -> None: ...
    def release_integer(self, v: int, ratio: Fraction, slope: int, shift: int) -> None: ...
    def shown(self, value: Operand) -> Operand: ...
    def asked_directly(self, depth: int) -> bool: ...
    def decide(self, parts: Parts, constant: fmpq) -> bool: ...
    def within(self, parts: Parts, constant: fmpq, size: fmpq) -> bool: ...
    def apart(self, parts: Parts) -> bool: ...
    def cell(self, form: Operand, cells: Sequence[tuple[int | None, int | None]]) -> tuple[int | None, int | None]: ...
    def expect_density(self, parts: Iterable[int], what: str) -> None: ...
    def later(self, parts: Parts) -> bool: ...
    def truth(self, form: Operand, sides: tuple[object, object]) -> Operand: ...
    def event(self, parts: Parts, constant: fmpq, truth: tuple[object, object]) -> Operand: ...
    def ordered(self, values: list[Operand]) -> Operand: ...
    def largest(self, values: list[Operand], words: Callable[[int], str] = ...) -> int: ...


class Symbol:
    """A value that is not known yet: what draws have in common."""

    __slots__ = ()
    path: Run

    def resolved(self) -> Operand:
        """Return the value, which a continuous draw does not have."""
        return self

    def as_kind(self, of_numpy: bool) -> Operand:
        return self

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Operand, **options: Operand) -> Operand:
        return of_objects(ufunc, method, inputs, options)


class Late(Symbol):
    """A value that becomes known when a program does anything with it but to compute: it is then that value."""

    __slots__ = ()

    def __array__(self, *kind: Operand, **_: object) -> Array:
        return np.array(self.resolved(), *kind)

    def __copy__(self) -> Operand:
        return self

    def __deepcopy__(self, _: object) -> Operand:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> Operand:
        return self.resolved().__reduce_ex__(protocol)

    def __getattr__(self, name: str) -> Operand:
        if name in ("__array_interface__", "__array_struct__"):  # which NumPy finds by type
            raise AttributeError(name)
        return getattr(self.resolved(), name)


def operations(function: Binary) -> tuple[Binary, Binary]:
    """Return an operation of the value with another one, and with both swapped."""
    return (lambda late, other: function(late.resolved(), other), lambda late, other: function(other, late.resolved()))


for _name in ("hash", "int", "float", "str", "repr", "format", "round"):
    _function = getattr(builtins, _name)
    setattr(Late, f"__{_name}__", lambda late, *given, _function=_function: _function(late.resolved(), *given))
for _function in (operator.index, math.trunc, math.floor, math.ceil):
    setattr(Late, f"__{_function.__name__}__", lambda late, _function=_function: _function(late.resolved()))


def of_objects(ufunc: np.ufunc, method: str, inputs: Iterable[object], options: dict[str, Operand]) -> Operand:
    """Apply a function of NumPy to every element, as Python applies it to objects."""
    arrays = [as_objects(each) for each in inputs]
    path = next(x.path for each in arrays for x in each.flat if isinstance(x, Symbol))
    expect_no_nan(ufunc.__name__, *arrays)
    out = options.pop("out", None)
    if out is not None and "where" in options:
        options["out"] = (as_objects(out[0]),)
    if ufunc.__name__ in _TRUTHS:
        arrays = [each.astype(bool) for each in arrays]
    try:
        if ufunc.__name__ == "copysign" and method == "__call__":
            result = np.where(_each(np.signbit, arrays[1], {}), -abs(arrays[0]), abs(arrays[0]))
        elif method == "__call__" and ufunc.nin == 1:
            result = _each(ufunc, arrays[0], options)
        else:
            result = getattr(ufunc, method)(*arrays, **options)
    except TypeError:
        path.refuse(f"it takes numpy.{ufunc.__name__} of a draw")
    result = settled(result)
    if out is None:
        return result
    if _as_array(result).dtype == object != _as_array(out[0]).dtype:
        path.refuse("it adds draws to an array of numbers in place: write x = x + draws")
    np.copyto(_as_array(out[0]), result)
    return out[0]


def expect_no_nan(name: str, *given: object) -> None:
    """Refuse a function of NumPy that is given NaN beside draws, unless it takes it as it is."""
    if name in _TAKES_NAN or not any(map(_has_nan, given)):
        return
    drawn = _first_draw(given)
    if drawn is not None:
        drawn.path.refuse(f"numpy.{name} gets NaN beside a draw")


def _has_nan(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_nan, value))
    if isinstance(value, Symbol) or not isinstance(value, float | np.ndarray | np.floating):
        return False
    array = _as_array(value)
    if array.dtype == object:
        return any(isinstance(x, float) and _has_nan(x) for x in array.flat)
    return array.dtype.kind == "f" and bool(np.isnan(array).any())


def _first_draw(value: object) -> Symbol | None:
    """Return a draw in an argument whose value is not known, if there is one."""
    if isinstance(value, Symbol):
        number = value.resolved()
        return number if isinstance(number, Symbol) else None
    if not isinstance(value, list | tuple | np.ndarray) or _kind(value) not in ("", "O"):
        return None
    items = _as_array(value).flat if isinstance(value, np.ndarray) else value
    return next((x for x in map(_first_draw, items) if x is not None), None)


def _each(ufunc: np.ufunc, array: Array, options: Mapping[str, object]) -> Operand:
    """Apply a function of one argument to draws and numbers beside each other."""
    result = np.empty(array.shape, dtype=object)
    for at in np.ndindex(*array.shape):
        x = array[at]
        if not isinstance(x, Symbol):
            result[at] = ufunc(x, **options)
        elif ufunc.__name__ in _OF_NUMBERS:
            constant = _OF_NUMBERS[ufunc.__name__]
            result[at] = bool(x < 0) if constant is None else constant
        elif ufunc.__name__ in _ROUNDING:
            result[at] = getattr(x, ufunc.__name__)()
        else:
            value = ufunc(boxed(x), **options)
            result[at] = value.resolved() if isinstance(value, Symbol) else value
    return result[()]


def boxed(value: object) -> Array:
    array = np.empty((), dtype=object)
    array[()] = value
    return array


def as_objects(value: object) -> Array:
    """Return a value as a plain array of objects, numbers as the floats that they are beside
    draws. Raises `TypeError` of text, which NumPy does not take beside floats either.
    """
    if isinstance(value, Symbol):
        return boxed(_promoted(value))
    if type(value) is ExactFloat:
        return boxed(value)
    array = _as_array(value)
    if array.dtype.kind not in _REAL:
        raise TypeError(f"expected numbers beside draws, found an array of {array.dtype.name}")
    if array.dtype == object:
        return _each_promoted(array) if array.shape else boxed(_promoted(array[()]))
    return array.astype(float).astype(object)


def _promoted(value: object) -> Operand:
    value = value.resolved() if isinstance(value, Symbol) else value
    if isinstance(value, Symbol):
        return value.as_kind(of_numpy=True)
    return float(value) if isinstance(value, int | float | np.number | np.bool) else value


_each_promoted = np.frompyfunc(_promoted, 1, 1)


def settled(result: Operand) -> Operand:
    """Return an array of draws as one that finds its largest, and one without draws as numbers."""
    if isinstance(result, Symbol):
        return result.as_kind(of_numpy=True)
    if isinstance(result, tuple):
        return tuple(settled(each) for each in result)
    if not isinstance(result, np.ndarray):
        if type(result) is bool:
            return np.bool(result)
        return np.float64(result) if type(result) in (int, float) else result
    if result.dtype != object:
        return result
    if any(isinstance(x, Symbol) for x in result.flat):
        return as_objects(result).view(DrawArray)
    kinds = {type(x) for x in result.flat}
    return np.array(result.tolist(), dtype=float if kinds <= {int, float} else None)


def with_draws(result: Operand, *given: object) -> Operand:
    """Return what a function made of draws, with its arrays as arrays of draws. A view of an array
    that was given stays one, so that what is written into it is seen there.
    """
    if isinstance(result, tuple | list):
        made = (with_draws(each, *given) for each in result)
        return type(result)(made) if type(result) in (tuple, list) else result
    if _kind(result) == "O" and any(_overlap(result, each) for each in given):
        return result.view(DrawArray)
    drawn = isinstance(result, Symbol) or _kind(result) == "O"
    return settled(result) if drawn or type(result) is DrawArray else result


class DrawArray(np.ndarray[Any, Any]):
    """An array of objects, some of which are draws: to a program it is one of floats."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Operand, **options: Operand) -> Operand:
        if not any(
            isinstance(x, Symbol)
            for each in inputs
            for x in (_as_array(each).flat if isinstance(each, np.ndarray) else [each])
        ):
            out = options.pop("out", None)
            plain = [_plain(x) if isinstance(x, DrawArray) else x for x in inputs]
            result = getattr(ufunc, method)(*plain, **options)
            if out is not None:
                np.copyto(_as_array(out[0]), as_objects(result))
            return result if out is None else out[0]
        return of_objects(ufunc, method, inputs, options)

    def __array_function__(self, func: Operand, types: Operand, args: Operand, kwargs: Operand) -> Operand:
        expect_no_nan(func.__name__, *args, *kwargs.values())
        result = super().__array_function__(func, types, args, kwargs)
        return with_draws(result, *args, *kwargs.values())

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return np.ndarray

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its elements: floats to a program, objects to a library."""
        path = next((x.path for x in _as_array(self).flat if isinstance(x, Symbol)), None)
        asked = path is None or path.asked_directly(2)
        return np.dtype(float) if asked else _as_array(self).dtype

    def astype(self, dtype: Operand, *given: Operand, **named: Operand) -> Array:
        """Return the draws as they are, which are floats, if floats are asked for."""
        kind = np.dtype(dtype)
        if kind == np.dtype(float) and not named.get("copy", True):
            return self
        if kind == np.dtype(float) and any(isinstance(x, Symbol) for x in self.flat):
            return self.copy()
        return _as_array(super().astype(dtype, *given, **named))

    def __getitem__(self, at: Operand) -> Operand:
        value: Operand = super().__getitem__(at)
        return np.float64(value) if type(value) is float else value

    def __setitem__(self, at: Operand, value: object) -> None:
        objects = as_objects(value)
        one = objects.shape and not isinstance(super().__getitem__(at), np.ndarray)
        objects = objects.reshape(()) if one else objects
        super().__setitem__(at, objects if objects.shape else objects[()])

    def __str__(self) -> str:
        return str(_plain(self))

    def __repr__(self) -> str:
        return repr(_plain(self))

    def tobytes(self, *given: Operand, **named: Operand) -> bytes:
        """Return the bytes of an array in which no draw is left."""
        return bytes(_plain(self).tobytes(*given, **named))

    def item(self, *at: Operand) -> Operand:
        """Return an element as a number of Python."""
        value = super().item(*at)
        return value.as_kind(of_numpy=False) if isinstance(value, Symbol) else value

    def tolist(self) -> Operand:
        """Return the elements as numbers of Python."""
        of_python = np.frompyfunc(lambda x: x.as_kind(of_numpy=False) if isinstance(x, Symbol) else x, 1, 1)
        return of_python(_as_array(self)).tolist()

    def argmax(self, axis: Operand = None, out: Operand = None, *, keepdims: Operand = False) -> Operand:
        """Return the place of the largest element, which is a branch for each place."""
        if self.ndim > 1 and axis is not None:
            rows = np.moveaxis(_as_array(self), axis, -1)
            places = [rows[at].view(DrawArray).argmax() for at in np.ndindex(*rows.shape[:-1])]
            found = np.array(places, dtype=np.int64).reshape(rows.shape[:-1])
            return np.expand_dims(found, axis) if keepdims else found
        flat: list[Operand] = list(_as_array(self).flat)
        path = next((x.path for x in flat if isinstance(x, Symbol)), None)
        if path is None:
            return _plain(self).argmax(axis, out, keepdims=keepdims)
        sure = [i for i, x in enumerate(flat) if not isinstance(x, Symbol) and not x < np.inf]
        if sure:  # NaN, or infinite
            return np.int64(sure[int(np.argmax([float(flat[i]) for i in sure]))])
        if out is not None or keepdims:
            return _as_array(self).argmax(axis, out, keepdims=keepdims)
        places = [i for i, x in enumerate(flat) if isinstance(x, Symbol) or x > -np.inf]
        return np.int64(places[path.largest([flat[i] for i in places])])

    def argsort(self, axis: Operand = -1, *given: Operand, **named: Operand) -> Operand:
        """Return the places of the elements in ascending order, known as they are looked at."""
        expect_no_nan("argsort", self)
        flat = list(np.asarray(self).flat)
        path = next((x.path for x in flat if isinstance(x, Symbol)), None)
        places = path.ordered(flat) if path is not None and self.ndim == 1 else None
        return np.asarray(self).argsort(axis, *given, **named) if places is None else places

    def argmin(self, axis: Operand = None, out: Operand = None, *, keepdims: Operand = False) -> Operand:
        """Return the place of the smallest element, which is a branch for each place."""
        return (-self).view(DrawArray).argmax(axis, out, keepdims=keepdims)


def _ordering(name: str) -> Callable[..., Operand]:
    own = getattr(np.ndarray, name)

    def method(self: DrawArray, *given: object, **named: object) -> Operand:
        expect_no_nan(name, self, *given)
        return own(self, *given, **named)

    return method


for _name in ("sort", "partition", "argpartition", "searchsorted"):
    setattr(DrawArray, _name, _ordering(_name))


def _kind(value: object) -> str:
    return _as_array(value).dtype.kind if issubclass(type(value), np.ndarray) else ""


def _overlap(array: object, given: object) -> bool:
    """Whether an array is a view of what was given, or of one of its items."""
    if isinstance(given, list | tuple):
        return any(_overlap(array, each) for each in given)
    return _kind(given) == "O" and np.may_share_memory(_as_array(array), _as_array(given))


def _plain(array: Array) -> Array:
    return np.array(_as_array(array).tolist(), dtype=float).reshape(array.shape)


# Numbers that draws are computed with: exact values, infinities, zeros with a sign, and whether a number is one of
# NumPy.


def exact_number(value: Operand, path: Run) -> Operand:
    """Return a number as `flint.fmpq`, floats by the exact value that they have or remember, draws
    as they are. What is no number, or an array, gives `NotImplemented`; infinities and NaN are
    refused.
    """
    kind = type(value)
    if kind is fmpq:
        return value
    if isinstance(value, Symbol):
        value = value.resolved()
        return value if isinstance(value, Symbol) else exact_number(value, path)
    if kind is int or kind is bool:
        return fmpq(int(value))
    if kind is float:
        if not math.isfinite(value):
            path.refuse(f"it computes with a draw and {value}")
        return fmpq(*value.as_integer_ratio())
    if kind is Fraction:
        return fmpq(value.numerator, value.denominator)
    if kind is ExactFloat:
        return fmpq(value.exact.numerator, value.exact.denominator)
    if hasattr(value, "dtype") and value.shape == () and value.dtype.kind in "biuf":
        plain = value.item()  # an integer of NumPy would overflow
        if type(plain) in (int, bool, float):
            return exact_number(plain, path)
        path.refuse(f"it computes with a draw and a number of type {kind.__name__}")
    if isinstance(value, int | float):
        return exact_number(int(value) if isinstance(value, int) else float(value), path)
    return NotImplemented


def infinite(value: Operand) -> float | None:
    """Return a float that is infinite or NaN, else None."""
    if isinstance(value, Symbol) or not hasattr(value, "as_integer_ratio"):
        return None
    number = value if isinstance(value, int) else float(value)
    return None if isinstance(number, int) or math.isfinite(number) else number


def known(value: object) -> Operand:
    """Return a number as it is known by now: a continuous draw is not."""
    return value.resolved() if isinstance(value, Symbol) else value


def is_numpys(value: object) -> bool:
    """Whether a number, or what it stands for, is one of NumPy."""
    return isinstance(value, np.generic | np.ndarray)


def has_minus(value: Operand) -> bool:
    """Whether a number has a minus sign, as -0.0 has."""
    return math.copysign(1, float(value)) < 0
