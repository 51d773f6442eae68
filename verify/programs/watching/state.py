"""What a program keeps between calls, in a form that can be compared: the places that `reach`
finds, and the caches of `functools.lru_cache`.

A place must be after a call as it was before. A cache is emptied before every call, and what is in
it afterwards must be the same whatever was drawn and whatever the database is: then it saves time
alone. What cannot be looked into is refused.
"""

import array
import gc
import io
import logging
import random
import re
import sys
import threading
import types
import warnings
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from contextvars import ContextVar
from functools import _lru_cache_wrapper, lru_cache, partial
from typing import Any

import numpy as np

from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.verify.programs.drawing.arrays import Array, Symbol
from pufferproof.verify.programs.watching.reach import Reach, is_ours

_MOST = 100_000  # values that are looked at, of a place
_GENERATORS = (np.random.Generator, np.random.RandomState, np.random.BitGenerator, random.Random)
_PLAIN = frozenset([int, float, ExactFloat, complex, str, bytes, bool, type(None)])
_ROOT: type = object
_BYTES = (bytearray, array.array, memoryview)
_OPAQUE = (
    *(type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.CodeType),
    *(types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType),
    *(types.GetSetDescriptorType, types.MemberDescriptorType, types.ClassMethodDescriptorType),
    *(property, staticmethod, classmethod, types.GenericAlias, types.UnionType, weakref.ref),
    *(re.Pattern, np.ufunc, np.dtype, logging.Logger, logging.Handler),
    *(type(threading.Lock()), type(threading.RLock())),
)
_LINK = "_lru_list_elem"  # of the functools module
_KEEP = "keep it in an object that is made for every run (module:Class)"


class _UnseenError(Exception):
    """A value cannot be looked into."""


class Kept:
    """The places where a program may keep something between calls, and what is there at first."""

    def __init__(self, reach: Reach) -> None:
        self._places = [(name, look, look()) for name, look in reach.places]
        self._first = [frozen(value) for _, _, value in self._places]
        self._caches = reach.caches
        self._cached: dict[object, object] = {}  # by cache and key

    def clear(self, again: bool) -> None:
        """Empty the caches, as they are when a program starts. If a call is made again, values that
        can be changed stay, so that it shows if they are.
        """
        for _, cache in self._caches:
            if not again or all(_is_fixed(each) for _, each in _entries(cache)):
                cache.cache_clear()

    def change(self) -> str | None:
        """Say what is not as it was at first, or None if all is."""
        unseen = None
        for (name, look, value), first in zip(self._places, self._first):
            now = look()
            if now is value and (type(now) in _PLAIN or isinstance(now, _OPAQUE)):
                continue
            if isinstance(first, _UnseenError):
                unseen = f"pufferproof cannot look into {name}, {first}: make it in the call"
                continue
            if frozen(now) == first:
                continue
            if isinstance(now, _GENERATORS):
                return f"it draws from {name}: draw from rng, which an exact law is of"
            return f"it changes {name}, which the next call sees: {_KEEP}"
        return next(filter(None, (self._of_cache(*each) for each in self._caches)), unseen)

    def _of_cache(self, name: str, cache: "_lru_cache_wrapper[object]") -> str | None:
        """Say whether a cache has more than the values of a function of its arguments."""
        info = cache.cache_info()
        if info.maxsize and info.misses > info.currsize:
            return f"the cache of {name} is full, and forgets: give lru_cache maxsize=None"
        for key, value in _entries(cache) if info.currsize else ():
            freezer = _Freezer()
            now = freezer.seen(value)
            known = self._cached.setdefault((id(cache), frozen(key)), now)
            if freezer.drawn or isinstance(now, _UnseenError) or known != now:
                return (
                    f"the cache of {name} keeps what depends on draws, on the database, or on what "
                    f"a call changes, which the next call sees: {_KEEP}"
                )
        return None


def _is_fixed(value: Any) -> bool:
    if type(value) in (tuple, frozenset):
        return all(map(_is_fixed, value))
    return type(value) in _PLAIN


def _entries(cache: "_lru_cache_wrapper[object]") -> Iterator[tuple[object, object]]:
    """Return keys and values of a cache. One of limited size has them side by side, and a table
    from keys to links.
    """
    within = gc.get_referents(cache)
    tables = [each for each in within if type(each) is dict and each is not vars(cache)]
    if cache.cache_parameters()["maxsize"] is None:
        yield from tables[0].items()
        return
    links = next((each for each in tables if each and all(map(_is_link, each.values()))), {})
    if not links:
        return
    flat = [each for each in within if getattr(each, "__name__", "") != _LINK]
    keys = set(map(id, links))
    start = next(place for place, each in enumerate(flat) if id(each) in keys)
    end = start + 2 * len(links)
    yield from zip(flat[start:end:2], flat[start + 1 : end : 2])


def _is_link(value: object) -> bool:
    return type(value).__name__ == _LINK


def frozen(value: object) -> object:
    """Return a value in a form that is equal as long as it does not change."""
    return _Freezer().seen(value)


class _Freezer:
    def __init__(self) -> None:
        self.left = _MOST
        self.inside: set[int] = set()  # of the containers that hold a value
        self.drawn = False  # whether a draw is within

    def seen(self, value: object) -> object:
        """Return a value in its form, or the error that it has none."""
        try:
            return self.of(value)
        except _UnseenError as error:
            return error

    def of(self, value: object) -> object:
        kind = type(value)
        if kind in _PLAIN:
            return (kind, value if value == value else "nan")
        if issubclass(kind, Symbol):
            self.drawn = True
            return ("draw", id(value))
        if issubclass(kind, _OPAQUE) or is_ours(kind.__module__):
            return id(value)
        if value is sys.modules:  # which module has a name; some hold what cannot be looked into
            return tuple((name, id(each)) for name, each in sys.modules.items())
        self.left -= 1
        if self.left < 0:
            raise _UnseenError(f"more than {_MOST} values")
        if id(value) in self.inside:
            return "itself"
        self.inside.add(id(value))
        try:
            return kind, self._content(value), self._attributes(value)
        finally:
            self.inside.discard(id(value))

    def _content(self, value: object) -> object:
        """Return what a value holds, other than attributes."""
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, Mapping):
            return tuple((self.of(key), self.of(each)) for key, each in value.items())
        if isinstance(value, list | tuple | deque):
            return self._items(value)
        if isinstance(value, Set):
            return frozenset(self.of(each) for each in value)
        if isinstance(value, _BYTES):
            return bytes(value)
        if isinstance(value, _GENERATORS):
            return _state(value)
        if isinstance(value, ContextVar):
            return self.of(value.get(None))
        if isinstance(value, types.MethodType):
            return self.of(value.__self__), id(value.__func__)
        if isinstance(value, partial):
            return self.of((value.func, value.args, value.keywords))
        if isinstance(value, io.IOBase):
            return _position(value)
        if isinstance(value, types.GeneratorType):
            frame = value.gi_frame
            return frame and (frame.f_lasti, self.of(dict(frame.f_locals)))
        return self._reduced(value)

    def _items(self, value: Iterable[object]) -> object:
        kinds = tuple(map(type, value))
        if _PLAIN.issuperset(kinds):
            return kinds, tuple(value)
        return tuple(self.of(each) for each in value)

    def _attributes(self, value: object) -> object:
        kind: type = type(value)
        found = dict(getattr(value, "__dict__", None) or {})
        for name, slot in _slots(kind):
            with suppress(AttributeError):
                found[name] = slot.__get__(value)
        return tuple((name, self.of(each)) for name, each in found.items())

    def _array(self, value: Array) -> object:
        if value.dtype.hasobject:
            return (value.shape, tuple(self.of(each) for each in value.flat))
        return (value.shape, value.dtype, hash(value.tobytes()))

    def _reduced(self, value: object) -> object:
        """Return what an object would be made of again."""
        kind: type = type(value)
        plain = kind.__reduce_ex__ is _ROOT.__reduce_ex__ and kind.__reduce__ is _ROOT.__reduce__
        if plain and hasattr(value, "__dict__"):
            return None  # its attributes are all
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                parts = value.__reduce_ex__(4)
        except Exception:
            if hasattr(value, "__dict__"):
                return None
            raise _UnseenError(f"a {type(value).__name__}") from None
        return self.of(parts)


@lru_cache(maxsize=1024)
def _slots(kind: type) -> list[tuple[str, types.MemberDescriptorType]]:
    return [
        (f"{each.__name__}.{name}", slot)
        for each in kind.__mro__
        for name, slot in vars(each).items()
        if type(slot) is types.MemberDescriptorType and not name.endswith("__")
    ]


def _position(file: io.IOBase) -> object:
    if file in (sys.stdin, sys.stdout, sys.stderr):
        return id(file)
    if isinstance(file, io.StringIO | io.BytesIO):
        return file.tell(), file.getvalue()
    try:
        return id(file), file.tell()
    except (OSError, ValueError):
        return id(file), file.closed


def _state(generator: Any) -> object:
    if isinstance(generator, random.Random):
        return None if isinstance(generator, random.SystemRandom) else generator.getstate()
    if isinstance(generator, np.random.RandomState):
        return str(generator.get_state(legacy=False))
    return str(getattr(generator, "bit_generator", generator).state)
