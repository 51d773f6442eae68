"""What a program keeps between calls: globals that its functions name, closures, defaults, and
attributes, in a form that can be compared.

The comparison looks at plain data, arrays, generators of random numbers and objects of classes, up
to a thousand values of each; what cannot be looked into counts as unchanged.
"""

import inspect
import random
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import islice
from pathlib import PurePath
from types import CodeType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import numpy as np

from pufferproof.verify.programs.drawing.arrays import Symbol

_STANDARD = PurePath(sys.modules["os"].__file__ or "").parent
_MOST = 1_000  # values that are looked at, of a place
_LARGE = 1 << 16  # elements of an array
_GENERATORS = (np.random.Generator, np.random.RandomState, np.random.BitGenerator, random.Random)
_PLAIN = (int, float, complex, str, bytes, bool, type(None))


class Kept:
    """The places where a program may keep something between calls, and what is there at first."""

    def __init__(self, function: Any) -> None:
        self._cells: dict[str, Any] = {}  # what holds the value, by words
        self._seen: set[int] = set()
        self._follow(function)
        self._first = self._now()

    def change(self) -> str | None:
        """Say what is not as it was at first, None if all is."""
        now = self._now()
        name = next((name for name in now if now[name] != self._first.get(name)), None)
        if name is None:
            return None
        if isinstance(self._cells[name](), _GENERATORS):
            return f"it draws from {name}: draw from rng, which an exact law is of"
        return (
            f"it changes {name}, which the next call sees: keep it in an object that is made for "
            "every run (module:Class)"
        )

    def _now(self) -> dict[str, Any]:
        return {name: frozen(look()) for name, look in self._cells.items()}

    def _follow(self, function: Any) -> None:
        """Find the places that a function, a class or an object names."""
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        if isinstance(function, partial):
            self._cells["an argument of a partial"] = lambda: (function.args, function.keywords)
            self._follow(function.func)
        elif isinstance(function, MethodType):
            self._object(function.__self__)
            self._follow(function.__func__)
        elif inspect.isclass(function):
            self._class(function)
        elif isinstance(function, FunctionType):
            self._function(function)
        elif hasattr(function, "__wrapped__"):
            self._follow(function.__wrapped__)
        elif hasattr(function, "__dict__") and callable(function):
            self._object(function)
            self._follow(type(function))

    def _object(self, thing: Any) -> None:
        if not isinstance(thing, ModuleType) and hasattr(thing, "__dict__"):
            self._cells[f"an attribute of a {type(thing).__name__}"] = lambda: vars(thing)

    def _class(self, kind: type) -> None:
        for each in kind.__mro__[:-1]:
            for name, value in list(vars(each).items()):
                inner = getattr(value, "__func__", value)
                inner = getattr(inner, "fget", inner) or inner
                if isinstance(inner, FunctionType):
                    self._follow(inner)
                elif not name.startswith("__") and not inspect.isclass(value):
                    self._cells[f"{each.__name__}.{name}"] = lambda each=each, name=name: vars(
                        each
                    ).get(name)

    def _function(self, function: FunctionType) -> None:
        if function.__dict__:
            self._cells[f"an attribute of {function.__name__}"] = lambda: dict(function.__dict__)
        if function.__defaults__ or function.__kwdefaults__:
            given = function.__defaults__, function.__kwdefaults__
            self._cells[f"a default of {function.__name__}"] = lambda: given
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self._place(name, lambda cell=cell: _content(cell))
        space, names = function.__globals__, [*_names(function.__code__)]
        for name in names:
            value = space.get(name)
            if isinstance(value, ModuleType):
                self._module(value, names)
            elif name in space:
                self._place(name, lambda name=name: space.get(name))

    def _module(self, module: ModuleType, names: Sequence[str]) -> None:
        """Find what is named of another module, unless it is a library."""
        if is_library(module):
            return
        for name in names:
            if name in vars(module):
                where = f"{module.__name__}.{name}"
                self._place(where, lambda name=name: vars(module).get(name))

    def _place(self, name: str, look: Any) -> None:
        value = look()
        if isinstance(value, ModuleType):
            return
        if inspect.isclass(value) or callable(value):
            owner = (getattr(value, "__module__", None) or "builtins").partition(".")[0]
            if owner not in ("numpy", "builtins"):
                self._follow(value)
        else:
            self._cells[name] = look


def is_library(module: ModuleType) -> bool:
    """Whether a module is Python's own, or one of a package that is installed."""
    file = getattr(module, "__file__", None)
    if file is None:
        return module.__name__ != "__main__"
    own = module.__name__.partition(".")[0] in ("pufferproof", "numpy")
    shipped = module.__name__.startswith("pufferproof.examples")
    return (own and not shipped) or of_python(file) or "site-packages" in PurePath(file).parts


def of_python(file: str) -> bool:
    """Whether a file is one of Python's own modules."""
    return PurePath(file).is_relative_to(_STANDARD) and "site-packages" not in file


def _state(generator: Any) -> Any:
    """Return the state of a generator of random numbers."""
    if isinstance(generator, random.Random):
        return None if isinstance(generator, random.SystemRandom) else generator.getstate()
    if isinstance(generator, np.random.RandomState):
        return str(generator.get_state(legacy=False))
    return str(getattr(generator, "bit_generator", generator).state)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None


def _names(code: CodeType) -> Iterator[str]:
    """Return the global names of some code, and of the functions in it."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)


def frozen(value: Any) -> Any:
    """Return a value in a form that is equal as long as it does not change."""
    return _Freezer().of(value)


class _Freezer:
    def __init__(self) -> None:
        self.left = _MOST
        self.inside: set[int] = set()  # of the containers that hold a value

    def of(self, value: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            return ...
        if isinstance(value, Symbol):
            return ("draw", id(value))
        if isinstance(value, _PLAIN):
            return (type(value), value if value == value else "nan")
        if id(value) in self.inside:
            return "itself"
        self.inside.add(id(value))
        try:
            return self._inside(value)
        finally:
            self.inside.discard(id(value))

    def _inside(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, Mapping):
            items = islice(value.items(), max(self.left, 0))
            return (len(value), tuple((self.of(key), self.of(each)) for key, each in items))
        if isinstance(value, list | tuple | deque):
            items = islice(value, max(self.left, 0))
            return (type(value), len(value), tuple(self.of(each) for each in items))
        if isinstance(value, Set):
            items = islice(value, max(self.left, 0))
            return (len(value), frozenset(self.of(each) for each in items))
        if isinstance(value, _GENERATORS):
            return _state(value)
        if isinstance(value, Iterator):
            return self._iterator(value)
        held: Any = getattr(value, "__dict__", None)
        opaque = callable(value) or isinstance(value, ModuleType) or held is None
        return id(value) if opaque else (id(value), self.of(dict(held)))

    def _array(self, value: Any) -> Any:
        if value.dtype.hasobject:
            return (value.shape, tuple(self.of(each) for each in value.flat[: self.left]))
        if value.size <= _LARGE or value.dtype.kind not in "biufc":
            return (value.shape, value.dtype, value.tobytes())
        with np.errstate(all="ignore"):
            return (value.shape, value.dtype, value.sum().tobytes(), value.flat[:_MOST].tobytes())

    def _iterator(self, value: Any) -> Any:
        """Return how far an iterator is."""
        if isinstance(value, GeneratorType):
            frame = value.gi_frame
            return frame and (frame.f_lasti, self.of(dict(frame.f_locals)))
        try:
            made, *state = value.__reduce__()
        except TypeError:
            return id(value)
        return (made, self.of(state))
