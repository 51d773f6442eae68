"""Functions of NumPy that are given lists of draws, while a program runs: they get arrays of draws
instead, which NumPy itself would not make, and give such arrays back.
"""

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from pufferproof.verify.programs.choices import of_program
from pufferproof.verify.programs.drawing.arrays import (
    DrawArray,
    Symbol,
    expect_no_nan,
    settled,
    with_draws,
)

_ORDERING = (np.maximum, np.minimum, np.fmax, np.fmin)
_KINDS = (FunctionType, BuiltinFunctionType, type(np.where))
_ARRAYS = frozenset(["array", "asarray", "asanyarray"])  # (values, dtype)
_DTYPES = _ARRAYS | {"fromiter", "full"}
_TWO = 2


def _has_draws(value: Any) -> bool:
    """Whether something is a draw, or a list or an array of them."""
    if isinstance(value, list | tuple):
        return any(map(_has_draws, value))
    if isinstance(value, np.ndarray):
        drawn = value.dtype == object and any(isinstance(each, Symbol) for each in value.flat)
        return drawn or type(value) is DrawArray
    return isinstance(value, Symbol)


def _arrayed(value: Any) -> Any:
    """Return a list of draws as an array of them, one of arrays as it is."""
    listed = isinstance(value, list | tuple) and _has_draws(value)
    return settled(np.array(value)) if listed and not _of_arrays(value) else value


def _of_arrays(values: Any) -> bool:
    return any(isinstance(each, np.ndarray) for each in values)


def _on_lists(known: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(known)
    def instead(*given: Any, **named: Any) -> Any:
        values = (*given, *named.values())
        if not any(map(_has_draws, values)) or not of_program(sys._getframe(1)):
            return known(*given, **named)
        if known.__name__ in _ARRAYS and len(given) == _TWO and _is_float(given[1]):
            given = given[:1]
        if known.__name__ in _DTYPES and _is_float(named.get("dtype")):
            named = {name: value for name, value in named.items() if name != "dtype"}
        named = {name: _arrayed(value) for name, value in named.items()}
        given = tuple(map(_arrayed, given))
        expect_no_nan(known.__name__, *given, *named.values())
        return with_draws(known(*given, **named), *given, *named.values())

    return instead


def _is_float(dtype: Any) -> bool:
    return dtype is not None and np.dtype(dtype) == np.dtype(float)


def _ordering(known: np.ufunc) -> Callable[..., Any]:
    """Return a function that orders numbers, with its methods, as one of lists of draws."""
    instead: Any = _on_lists(known)
    for name in dir(known):
        if not name.startswith("_"):
            value = getattr(known, name)
            setattr(instead, name, _on_lists(value) if callable(value) else value)
    return instead  # type: ignore[no-any-return]


ON_LISTS: Mapping[int, Callable[..., Any]] = {
    id(value): _on_lists(value)
    for name, value in vars(np).items()
    if isinstance(value, _KINDS) and not name.startswith("_")
} | {id(value): _ordering(value) for value in _ORDERING}
