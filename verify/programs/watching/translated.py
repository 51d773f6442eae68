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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.verify.programs.drawing.arrays import DrawArray, Symbol
from pufferproof.verify.programs.drawing.draws import Draw
from pufferproof.verify.programs.drawing.generator import Generator
from pufferproof.verify.programs.drawing.numbers import known
from pufferproof.verify.programs.watching.identity import asks_class
from pufferproof.verify.programs.watching.lists import ON_LISTS
from pufferproof.verify.programs.watching.reach import Reach


class _LikeFloat(type):
    """The class of what stands for `float`."""

    def __call__(cls, value: Any = 0.0) -> Any:
        number = known(value)
        return number.item() if type(number) is Draw and number.parts else float(number)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, float)

    def __subclasscheck__(cls, other: type) -> bool:
        return other is cls or issubclass(other, float)

    def __eq__(cls, other: object) -> bool:
        return other is float or other is cls

    def __hash__(cls) -> int:
        return hash(float)

    def __getattr__(cls, name: str) -> Any:
        return getattr(float, name)


class _Float(float, metaclass=_LikeFloat):
    """What a program finds under the name `float`."""

    dtype = np.dtype(float)


class _LikeType(type):
    """The class of what stands for `type`."""

    def __call__(cls, *given: Any, **named: Any) -> Any:
        stands_in = Symbol | DrawArray | Generator | ExactFloat
        if len(given) == 1 and issubclass(type(given[0]), stands_in):
            return given[0].__class__
        return type(*given, **named)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, type)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, type)

    def __eq__(cls, other: object) -> bool:
        return other is type or other is cls

    def __hash__(cls) -> int:
        return hash(type)

    def __getattr__(cls, name: str) -> Any:
        return getattr(type, name)


class _Type(metaclass=_LikeType):
    """What a program finds under the name `type`."""


_Float.__name__ = _Float.__qualname__ = "float"
_Type.__name__ = _Type.__qualname__ = "type"
_Float.__module__ = _Type.__module__ = "builtins"


def _log(x: Any, *base: Any) -> Any:
    x = known(x)
    return x.log() if type(x) is Draw and not base else _KNOWN["log"](x, *base)


def _fsum(values: Any) -> Any:
    items = list(values)
    drawn = any(isinstance(each, Symbol) for each in items)
    total = sum(items) if drawn else _KNOWN["fsum"](items)
    return total.item() if isinstance(total, Draw) else total


def _copysign(x: Any, y: Any) -> Any:
    x, y = known(x), known(y)
    if type(x) is not Draw and type(y) is not Draw:
        return _KNOWN["copysign"](x, y)
    size = _KNOWN["fabs"](x) if type(x) is not Draw else abs(x).item()
    return -size if bool(np.signbit(y)) else size


def _of_draws(name: str, instead: Callable[[Any], Any]) -> Callable[[Any], Any]:
    plain = _KNOWN[name]
    return lambda x: instead(known(x)) if isinstance(x, Draw) else plain(x)


_NAMES = ("log", "log1p", "fabs", "copysign", "fsum", "isnan", "isinf", "isfinite")
_KNOWN: Mapping[str, Callable[..., Any]] = {name: getattr(math, name) for name in _NAMES}
_INSTEAD: Mapping[str, Callable[..., Any]] = {
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
    added: dict[str, Any] = {"type": _Type}
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
