"""Whether every call of a library's object draws fresh noise, as far as the object shows it.

An object is read by its class and its parameters. So its class must be the one of its library, with
the methods that it has there, and what it draws from must be known: randomness of the operating
system, or NumPy's global generator. Draws of any other generator can be repeated: an audit of one
release notes it, several releases refuse it. What an object does not show is assumed.
"""

import inspect
import random
import sys
from collections.abc import Iterator, Mapping
from numbers import Number
from types import FunctionType, MethodType
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import shown

_LOOKED_INTO = ("diffprivlib", "scipy", "opendp")  # whose classes and methods are Python's
_GENERATOR = "rng"  # of an object of diffprivlib, as `_rng`
_STATES = ("random_state", "seed")
_DEEP, _MANY = 5, 2_000  # levels and values that are looked into
_TEXTS = (str, bytes, int, float, complex, type(None))


def expect_known_class(source: object) -> None:
    """Raise `ModelError` unless the law of an object is that of its class: the class is the one
    that its library has under this name, no method was replaced, in the class or on the object, and
    numbers are those of Python or NumPy.
    """
    kind = type(source)
    library = kind.__module__.partition(".")[0]
    held = vars(source) if hasattr(source, "__dict__") else {}
    for name, value in held.items():
        bound = isinstance(value, MethodType) and value.__self__ is source
        if callable(value) and callable(getattr(kind, name, None)) and not bound:
            raise _replaced(kind, name, "object")
    if library not in _LOOKED_INTO:
        return
    if getattr(sys.modules.get(kind.__module__), kind.__name__, None) is not kind:
        raise ModelError(f"cannot read {kind.__name__}: {kind.__module__} has another class of this name", "mechanism")
    for name, value in held.items():
        home = type(value).__module__.partition(".")[0]
        if isinstance(value, Number | str) and home not in ("builtins", "numpy", library):
            raise ModelError(
                f"expected a number of Python or NumPy, found {shown(value)} of the class "
                f"{type(value).__name__}, which may compute otherwise",
                name,
            )
    for each in kind.__mro__:
        if each.__module__.partition(".")[0] == library:
            _expect_own_methods(each)


def _expect_own_methods(kind: type) -> None:
    """Raise `ModelError` if a method of a class comes from elsewhere than its library."""
    library = kind.__module__.partition(".")[0]
    for name, value in vars(kind).items():
        plain = getattr(value, "__func__", value)  # of a static method or a method of the class
        plain = plain.fget if isinstance(plain, property) else plain
        special = name.startswith("__") and not isinstance(plain, FunctionType)
        if special or isinstance(plain, type) or not callable(plain):
            continue
        if {_home(plain), _home(inspect.unwrap(plain))} != {library}:
            raise _replaced(kind, name, "class")


def _home(function: object) -> str:
    return str(getattr(function, "__module__", None) or "").partition(".")[0]


def _replaced(kind: type, name: str, where: str) -> ModelError:
    return ModelError(
        f"cannot read {kind.__name__} whose method {name} was replaced on the {where}: its law is "
        "no longer that of its library",
        "mechanism",
    )


def repeatable(source: object) -> tuple[str, object] | None:
    """Return the attribute of an object whose draws can be repeated, a seed or a generator, and its
    value; None if it has none. Raises `ModelError` for a generator whose law is not known.
    """
    return next(_generators(source, "", _DEEP, set()), None)


def expect_fresh(source: object) -> None:
    """Raise `ModelError` if the draws of an object can be repeated."""
    if (found := repeatable(source)) is not None:
        raise ModelError(
            f"{found[0]}: expected noise without a seed or a generator of its own, found "
            f"{shown(found[1])}: draws that can be repeated are not fresh noise for every release",
            "mechanism",
        )


def _generators(source: object, path: str, deep: int, seen: set[int]) -> Iterator[tuple[str, object]]:
    """Yield seeds and generators inside an object, with the attributes that lead to them."""
    if id(source) in seen or len(seen) > _MANY:
        return
    seen.add(id(source))
    state = getattr(source, "random_state", None) if not path else None
    for name, value in [("random_state", state), *_parts(source)]:
        inside = f"{path}.{name}" if path else name
        if value is None or isinstance(value, type):
            continue
        last = name.strip("_")
        if _is_generator(value) or last == _GENERATOR:
            if not _is_fresh(value, inside):
                yield inside, value
        elif last in _STATES:
            yield inside, value
        elif deep and not isinstance(value, _TEXTS):
            yield from _generators(value, inside, deep - 1, seen)


def _parts(source: object) -> Iterator[tuple[str, Any]]:
    """Yield what an object, a dict or a list holds, by name."""
    if isinstance(source, Mapping):
        yield from ((str(name), value) for name, value in list(source.items()))
    elif isinstance(source, list | tuple):
        yield from ((str(place), value) for place, value in enumerate(source))
    elif type(source).__module__.partition(".")[0] in _LOOKED_INTO:
        yield from list(getattr(source, "__dict__", {}).items())


def _is_generator(value: object) -> bool:
    from numpy.random import BitGenerator, Generator, RandomState, SeedSequence

    return isinstance(value, random.Random | Generator | RandomState | BitGenerator | SeedSequence)


def _is_fresh(value: object, path: str) -> bool:
    """Whether a generator draws from the operating system, or is NumPy's global one. Raises
    `ModelError` unless it is a generator of Python or NumPy as it is there.
    """
    from numpy import random as numpys

    known = (
        *(random.Random, random.SystemRandom, numpys.Generator, numpys.RandomState),
        *(numpys.SeedSequence, *numpys.BitGenerator.__subclasses__()),
    )
    kind = type(value)
    own = {name for name in getattr(value, "__dict__", {}) if callable(getattr(kind, name, None))}
    library = kind.__module__.partition(".")[0]
    if kind not in known or library not in ("random", "numpy") or own:
        raise ModelError(
            f"{path}: expected a generator of random, secrets or numpy, found {shown(value)}: what "
            "it draws is not known",
            "mechanism",
        )
    if kind is random.SystemRandom:
        _expect_own_methods(random.SystemRandom)
        return True
    return value is numpys.mtrand._rand
