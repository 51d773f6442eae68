"""Functions of Python that take a number as a float, while a program runs: `float` itself and some
of `math`. They are written in C and would refuse a draw, although they mean no more than that it
is a number.

| called | on a draw |
|---|---|
| `float(x)` | x itself |
| `math.log(x)`, `log1p` | minus an exponential draw, where x is uniform between 0 and 1 |
| `math.fabs(x)`, `fsum` | its absolute value, the sum |
| `math.isnan(x)`, `isinf`, `isfinite` | what holds of all draws |
| `type(x)` | the type of the number that it stands for |

Everything else gets what it always does. A module in which a function asks whether a class
`is float` finds `float` itself.
"""

import dis
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from types import CodeType
from typing import Any

import numpy as np

from pufferproof.verify.programs.drawing.arrays import Symbol
from pufferproof.verify.programs.drawing.draws import Draw


class _LikeFloat(type):
    """The class of what stands for `float`."""

    def __call__(cls, value: Any = 0.0) -> Any:
        known = value.resolved() if isinstance(value, Symbol) else value
        return known if type(known) is Draw and known.parts else float(known)

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


class _Float(metaclass=_LikeFloat):
    """What a program finds under the name `float`."""

    dtype = np.dtype(float)


class _LikeType(type):
    """The class of what stands for `type`."""

    def __call__(cls, *given: Any, **named: Any) -> Any:
        if len(given) == 1 and issubclass(type(given[0]), Symbol):
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


def _log(x: Any, *base: Any) -> Any:
    return x.log() if type(x) is Draw and not base else _KNOWN["log"](x, *base)


def _fsum(values: Any) -> Any:
    items = list(values)
    drawn = any(isinstance(each, Symbol) for each in items)
    return sum(items) if drawn else _KNOWN["fsum"](items)


def _of_draws(name: str, instead: Callable[[Any], Any]) -> Callable[[Any], Any]:
    known = _KNOWN[name]
    return lambda x: instead(x) if type(x) is Draw else known(x)


_NAMES = ("log", "log1p", "fabs", "fsum", "isnan", "isinf", "isfinite")
_KNOWN: Mapping[str, Callable[..., Any]] = {name: getattr(math, name) for name in _NAMES}
_INSTEAD: Mapping[str, Callable[..., Any]] = {
    "log": _log,
    "log1p": _of_draws("log1p", lambda x: x.log1p()),
    "fabs": _of_draws("fabs", abs),
    "fsum": _fsum,
    "isnan": _of_draws("isnan", lambda _: False),
    "isinf": _of_draws("isinf", lambda _: False),
    "isfinite": _of_draws("isfinite", lambda _: True),
}


@contextmanager
def translated(function: Any) -> Iterator[None]:
    """Let the module of a program find these functions instead of Python's own, for a while."""
    inner = _inside(function)
    names: dict[str, Any] = getattr(inner, "__globals__", {})
    there = vars(math)
    by_identity = {id(_KNOWN[name]): instead for name, instead in _INSTEAD.items()}
    changed = [(names, name, value) for name, value in names.items() if id(value) in by_identity]
    changed += [(there, name, known) for name, known in _KNOWN.items()]
    for owner, name, known in changed:
        owner[name] = by_identity[id(known)]
    added: dict[str, Any] = {}
    if not any(map(_asks_float, _codes(inner, names))):
        added["float"] = _Float
    added["type"] = _Type
    added = {name: instead for name, instead in added.items() if name not in names}
    names.update(added)
    try:
        yield
    finally:
        for owner, name, known in changed:
            owner[name] = known
        for name in added:
            del names[name]


def asks_identity(function: Any) -> bool:
    """Whether a program asks of something whether it *is* another thing than `None`, as in
    `x is True`: what stands for a truth is not.
    """
    inner = _inside(function)
    return any(map(_compares_identity, _codes(inner, getattr(inner, "__globals__", {}))))


def _compares_identity(code: CodeType) -> bool:
    steps = [(step.opname, step.argval) for step in dis.get_instructions(code)]
    return any(
        following == "IS_OP" and before != ("LOAD_CONST", None)
        for before, (following, _) in pairwise(steps)
    )


def _codes(function: Any, names: Mapping[str, Any]) -> Iterator[CodeType]:
    """Yield the code of a function, of all functions of its module, and of those inside them."""
    held = [function, *filter(inspect.isfunction, names.values())]
    held += filter(inspect.isclass, names.values())
    held += [each for value in held if inspect.isclass(value) for each in vars(value).values()]
    left = [each.__code__ for each in held if inspect.isfunction(each)]
    while left:
        code = left.pop()
        left += [each for each in code.co_consts if isinstance(each, CodeType)]
        yield code


def _asks_float(code: CodeType) -> bool:
    """Whether code asks whether something `is float`, which what stands for it is not."""
    if "float" not in code.co_names:
        return False
    steps = [(step.opname, step.argval) for step in dis.get_instructions(code)]
    return any(
        value == "float" and following == "IS_OP" for (_, value), (following, _) in pairwise(steps)
    )


def _inside(function: Any) -> Any:
    """Return the function that is called, or that makes objects of a class."""
    while isinstance(function, partial):
        function = function.func
    if inspect.isclass(function):
        function = getattr(function, "__init__", None)
    return inspect.unwrap(getattr(function, "__func__", function))
