"""Functions of Python that take a number as a float, while a program runs: `float` itself and some
of `math`. They are written in C and would refuse a draw, although they mean no more than that it
is a number.

| called | on a draw |
|---|---|
| `float(x)` | x itself |
| `math.log(x)`, `log1p` | minus an exponential draw, where x is uniform between 0 and 1 |
| `math.fabs(x)`, `copysign`, `fsum` | its absolute value, with another sign, the sum |
| `math.isnan(x)`, `isinf`, `isfinite` | what holds of all draws |
| `type(x)` | the type of the number that it stands for |

Everything else gets what it always does. A program that asks whether a class `is` another one finds
`float` itself.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import BuiltinFunctionType, FunctionType

import numpy as np

from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.verify.programs.drawing.arrays import (
    DrawArray,
    Operand,
    Symbol,
    expect_no_nan,
    known,
    settled,
    with_draws,
)
from pufferproof.verify.programs.drawing.draws import Draw
from pufferproof.verify.programs.drawing.generator import Generator
from pufferproof.verify.programs.paths import of_program
from pufferproof.verify.programs.watching.orders import asks_class
from pufferproof.verify.programs.watching.reach import Reach


class _StandIn(type):
    """The class of what a program finds under the name of a class of Python."""

    known: type

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.known)

    def __subclasscheck__(cls, other: type) -> bool:
        return other is cls or issubclass(other, cls.known)

    def __eq__(cls, other: object) -> bool:
        return other is cls.known or other is cls

    def __hash__(cls) -> int:
        return hash(cls.known)

    def __getattr__(cls, name: str) -> object:
        return getattr(cls.known, name)


class _LikeFloat(_StandIn):
    def __call__(cls, value: Operand = 0.0) -> Operand:
        number = known(value)
        return number.item() if type(number) is Draw and number.parts else float(number)


class _Float(float, metaclass=_LikeFloat):
    """What a program finds under the name `float`."""

    known = float
    dtype = np.dtype(float)


class _LikeType(_StandIn):
    def __call__(cls, *given: Operand, **named: object) -> Operand:
        stands_in = Symbol | DrawArray | Generator | ExactFloat
        if len(given) == 1 and issubclass(type(given[0]), stands_in):
            return given[0].__class__
        return type(*given, **named)


class _Type(metaclass=_LikeType):
    """What a program finds under the name `type`."""

    known = type


_Float.__name__ = _Float.__qualname__ = "float"
_Type.__name__ = _Type.__qualname__ = "type"
_Float.__module__ = _Type.__module__ = "builtins"


def _log(x: Operand, *base: object) -> Operand:
    x = known(x)
    return x.log() if type(x) is Draw and not base else _KNOWN["log"](x, *base)


def _fsum(values: Iterable[Operand]) -> Operand:
    items = list(values)
    drawn = any(isinstance(each, Symbol) for each in items)
    total = sum(items) if drawn else _KNOWN["fsum"](items)
    return total.item() if isinstance(total, Draw) else total


def _copysign(x: Operand, y: Operand) -> Operand:
    x, y = known(x), known(y)
    if type(x) is not Draw and type(y) is not Draw:
        return _KNOWN["copysign"](x, y)
    size = _KNOWN["fabs"](x) if type(x) is not Draw else abs(x).item()
    return -size if bool(np.signbit(y)) else size


def _of_draws(name: str, instead: Callable[[Operand], Operand]) -> Callable[[Operand], Operand]:
    plain = _KNOWN[name]
    return lambda x: instead(known(x)) if isinstance(x, Draw) else plain(x)


_NAMES = ("log", "log1p", "fabs", "copysign", "fsum", "isnan", "isinf", "isfinite")
_KNOWN: Mapping[str, Callable[..., Operand]] = {name: getattr(math, name) for name in _NAMES}
_INSTEAD: Mapping[str, Callable[..., Operand]] = {
    "log": _log,
    "log1p": _of_draws("log1p", lambda x: x.log1p()),
    "fabs": _of_draws("fabs", lambda x: abs(x).item()),
    "copysign": _copysign,
    "fsum": _fsum,
    "isnan": _of_draws("isnan", lambda _: False),
    "isinf": _of_draws("isinf", lambda _: False),
    "isfinite": _of_draws("isfinite", lambda _: True),
}


@contextmanager
def translated(reach: Reach) -> Iterator[None]:
    """Let the modules of a program find these functions instead of Python's own, for a while."""
    by_identity = {id(_KNOWN[name]): instead for name, instead in _INSTEAD.items()}
    by_identity |= {**ON_LISTS, id(type): _Type}
    changed = [(vars(math), name, known) for name, known in _KNOWN.items()]
    for space in (vars(np), *reach.spaces):
        changed += [(space, n, value) for n, value in space.items() if id(value) in by_identity]
    added: dict[str, object] = {"type": _Type}
    if not asks_class(reach):
        added["float"] = _Float
    new = [(space, name) for space in reach.spaces for name in added if name not in space]
    for owner, name, own in changed:
        owner[name] = by_identity[id(own)]
    for space, name in new:
        space[name] = added[name]
    try:
        yield
    finally:
        for owner, name, own in changed:
            owner[name] = own
        for space, name in new:
            del space[name]


# Lists --------------------------------------------------------------------------------------------
#
# Functions of NumPy that are given lists of draws, while a program runs: they get arrays of draws
# instead, which NumPy itself would not make, and give such arrays back.

_ORDERING = (np.maximum, np.minimum, np.fmax, np.fmin)
_KINDS = (FunctionType, BuiltinFunctionType, type(np.where))
_ARRAYS = frozenset(["array", "asarray", "asanyarray"])  # (values, dtype)
_DTYPES = _ARRAYS | {"fromiter", "full"}
_TWO = 2


def _has_draws(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_draws, value))
    if isinstance(value, np.ndarray):
        drawn = value.dtype == object and any(isinstance(each, Symbol) for each in value.flat)
        return drawn or type(value) is DrawArray
    return isinstance(value, Symbol)


def _arrayed(value: object) -> Operand:
    """Return a list of draws as an array of them, one of arrays as it is."""
    if not isinstance(value, list | tuple) or not _has_draws(value):
        return value
    return value if any(isinstance(each, np.ndarray) for each in value) else settled(np.array(value))


def _on_lists(known: Callable[..., Operand]) -> Callable[..., Operand]:
    @wraps(known)
    def instead(*given: object, **named: object) -> Operand:
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


def _is_float(dtype: Operand) -> bool:
    return dtype is not None and np.dtype(dtype) == np.dtype(float)


def _ordering(known: np.ufunc) -> Callable[..., Operand]:
    """Return a function that orders numbers, with its methods, as one of lists of draws."""
    instead: Operand = _on_lists(known)
    for name in dir(known):
        if not name.startswith("_"):
            value = getattr(known, name)
            setattr(instead, name, _on_lists(value) if callable(value) else value)
    return instead  # type: ignore[no-any-return]


ON_LISTS: Mapping[int, Callable[..., Operand]] = {
    id(value): _on_lists(value)
    for name, value in vars(np).items()
    if isinstance(value, _KINDS) and not name.startswith("_")
} | {id(value): _ordering(value) for value in _ORDERING}
