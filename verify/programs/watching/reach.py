"""What a program can reach: its functions and those that they name in turn, and the places where it
may keep something between calls.

Names are followed through globals, closures, defaults, attributes, classes, containers, decorators
and imports, also into modules that a vendor puts beside the program, but not into Python's own
modules and installed packages. Code that looks names up at run time (`getattr`, `globals`, `exec`)
may reach everything in the modules that are found.
"""

import builtins
import dis
import gc
import importlib
import importlib.util
import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import _lru_cache_wrapper, partial
from pathlib import PurePath
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, GeneratorType, ModuleType
from typing import Any, cast

from pufferproof.models.numbers.remembered import ExactFloat

_STANDARD = PurePath(sys.modules["os"].__file__ or "").parent
_OURS = "pufferproof"
_PLAIN = frozenset([int, float, ExactFloat, complex, str, bytes, bool, type(None)])
_MOST = 100_000  # objects that are followed
_BY_NAME = frozenset(["eval", "exec", "globals", "locals", "vars", "__import__", "import_module", "__dict__"])
_BY_NAME |= {"__globals__", "modules", "__getattribute__"}


_OF_ATTRIBUTES = ("getattr", "setattr", "delattr")  # whose second argument is a name
_GETTERS = frozenset(["attrgetter", "methodcaller"])  # whose argument is a name, too
_LOADS = ("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME")


class Reach:
    """The functions that a function or a class may call, and what they name."""

    def __init__(self, function: object) -> None:
        self.functions: list[FunctionType] = []
        self.codes: list[tuple[CodeType, Mapping[str, object]]] = []  # with the globals of each
        self.classes: list[type] = []
        self.places: list[tuple[str, Callable[[], object]]] = []  # in words, and what is there now
        self.caches: list[tuple[str, _lru_cache_wrapper[object]]] = []  # those of `functools.lru_cache`
        self.libraries: set[str] = set()  # packages of which something is named
        self.unclear = False  # whether names are looked up at run time
        self._names: dict[str, None] = {}
        self._stored: set[str] = set()  # names of attributes that are set
        self._modules: list[ModuleType] = []
        self._known: dict[int, object] = {}
        self._placed: set[tuple[int, str]] = set()
        self._left: list[tuple[str, object]] = [("the program", function)]
        self._root = _root(function)
        if not isinstance(function, FunctionType | type):
            owner = type(getattr(function, "__self__", function)).__name__
            words = "an argument of a partial" if isinstance(function, partial) else f"an attribute of a {owner}"
            self.places.append((words, lambda: function))
        self._follow()

    @property
    def spaces(self) -> list[dict[str, object]]:
        found = {id(each.__globals__): each.__globals__ for each in self.functions}
        return list(found.values())

    @property
    def modules(self) -> set[str]:
        return {str(each.__globals__.get("__name__")) for each in self.functions}

    def _follow(self) -> None:
        """Go on until nothing new is named: a module has what any function names."""
        while self._left:
            while self._left:
                self._see(*self._left.pop())
            for module in self._modules:
                self._names_of(vars(module), self._names, module)
            if self.unclear:
                for space in [*self.spaces, *map(vars, self._modules)]:
                    self._names_of(space, space)
        for value in self._known.values():  # what a program may set in a library, such as `sys.kept = ..`
            if not isinstance(value, ModuleType | type):
                continue
            library = value not in self._modules if isinstance(value, ModuleType) else self._is_library(value)
            if library:
                for name in self._stored:
                    self.places.append((f"{value.__name__}.{name}", partial(_value, value, name)))

    def _see(self, name: str, value: Any) -> None:
        kind = type(value)
        if kind in _PLAIN or id(value) in self._known:
            return
        if len(self._known) > _MOST:
            self.unclear = True
            return
        self._known[id(value)] = value
        if issubclass(kind, ModuleType):
            name = getattr(value, "__name__", "")
            if self._own(name) or not is_library(value):
                self._modules.append(value)
            else:
                self._library(name)
        elif kind is FunctionType:
            self._function(value)
        elif issubclass(kind, type):
            self._class(value)
        elif kind is BuiltinFunctionType:
            self._library(value.__module__)
            self._left.append((name, value.__self__))
        else:
            self._object(name, value)

    def _object(self, name: str, value: Any) -> None:
        kind = type(value)
        if kind is _lru_cache_wrapper and not self._is_library(value.__wrapped__):
            self.caches.append((getattr(value, "__name__", name), value))
        if kind is GeneratorType and value.gi_frame is not None:
            self._code(value.gi_code, value.gi_frame.f_globals)
        if issubclass(kind, logging.Logger | logging.Handler) or kind.__module__[:8] == "_pytest.":
            return  # of a tree of all that log; or what imports a module of tests, and knows all
        if self._own(kind.__module__) or not is_ours(kind.__module__):
            within = [kind, *gc.get_referents(value)]
            self._left += [(name, each) for each in within if type(each) not in _PLAIN]

    def _library(self, name: str | None) -> None:
        if name and name != "builtins":
            self.libraries.add(name.partition(".")[0])

    def _own(self, name: str | None) -> bool:
        return f"{name}.".startswith(f"{self._root}.")

    def _is_library(self, value: object) -> bool:
        if isinstance(value, FunctionType):
            name = value.__globals__.get("__name__", "")
            return not self._own(name) and _of_library(value.__code__.co_filename, name)
        name = getattr(value, "__module__", None) or "builtins"
        module = sys.modules.get(name)
        return not self._own(name) and (module is None or is_library(module))

    def _function(self, function: FunctionType) -> None:
        if is_ours(name := function.__globals__.get("__name__", "")) and not self._own(name):
            return
        within = [content(each) for each in function.__closure__ or ()]
        within += [function.__defaults__, function.__kwdefaults__, *vars(function).values()]
        self._left += [(function.__name__, each) for each in within]
        if self._is_library(function):
            self._library(name)
            return
        name = function.__name__
        self.functions.append(function)
        self.places.append((f"an attribute of {name}", lambda: vars(function)))
        given = function.__defaults__, function.__kwdefaults__
        self.places.append((f"a default of {name}", lambda: given))
        for free, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self.places.append((free, partial(content, cell)))
        self._code(function.__code__, function.__globals__)

    def _code(self, code: CodeType, space: dict[str, object]) -> None:
        every = list(inner_codes(code))
        self.codes += [(each, space) for each in every]
        names = dict.fromkeys(name for each in every for name in each.co_names)
        self._names.update(names)
        self.unclear |= not _BY_NAME.isdisjoint(names)
        for each in every:
            steps = [s for s in dis.get_instructions(each) if s.opname != "EXTENDED_ARG"]
            self._stored.update(s.argval for s in steps if s.opname == "STORE_ATTR")
            self._imports(steps, space)
            if not _GETTERS.isdisjoint(each.co_names):
                for name in filter(_is_name, each.co_consts):
                    self._attribute(name)
            for i, step in enumerate(steps):
                if step.argval in _OF_ATTRIBUTES and step.opname in _LOADS:
                    self._attribute(_named(steps[i + 1 :]))
        self._names_of(space, names)

    def _attribute(self, name: str | None) -> None:
        """Note an attribute that is asked for or set by its name, which may not be known."""
        if name is None:
            self.unclear = True
        else:
            self._names[name] = None
            self._stored.add(name)

    def _names_of(
        self, space: dict[str, object], names: Mapping[str, object], module: ModuleType | None = None
    ) -> None:
        """See what a module has under some names, and keep an eye on each of them."""
        for name in list(names):
            if (id(space), name) in self._placed:
                continue
            self._placed.add((id(space), name))
            if name in space:
                self._left.append((name, space[name]))
            elif hasattr(builtins, name) and module is None:
                continue
            if not name.startswith("__"):
                words = name if module is None else f"{module.__name__}.{name}"
                self.places.append((words, partial(space.get, name)))

    def _imports(self, steps: Sequence[dis.Instruction], space: Mapping[str, object]) -> None:
        for i, step in enumerate(steps):
            if step.opname != "IMPORT_NAME":
                continue
            level = steps[i - 2].argval if isinstance(steps[i - 2].argval, int) else 0
            with suppress(Exception):
                package = cast("str | None", space.get("__package__"))
                name = importlib.util.resolve_name("." * level + step.argval, package)
                self._left.append((name, _imported(name)))
                self._left += [
                    (name, _imported(f"{name}.{each}"))
                    for each in steps[i - 1].argval or ()
                    if not hasattr(sys.modules[name], each)
                ]

    def _class(self, kind: type) -> None:
        if self._is_library(kind):
            self._library(kind.__module__)
            return
        self.classes.append(kind)
        for each in (each for each in kind.__mro__[:-1] if not self._is_library(each)):
            for name, value in list(vars(each).items()):
                self._left.append((f"{each.__name__}.{name}", value))
                if _is_kept(name):
                    self.places.append((f"{each.__name__}.{name}", partial(_value, each, name)))
            self.places.append((f"an attribute of {each.__name__}", partial(_kept, each)))
        self._left.append((kind.__name__, type(kind)))


def inner_codes(code: CodeType) -> Iterator[CodeType]:
    """Return some code, and that of the functions in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from inner_codes(each)


def _named(steps: Sequence[dis.Instruction]) -> str | None:
    """Return the name in `getattr(x.y, "name", ..)`, given what follows `getattr`; None if it is
    made in the call.
    """
    loaded: list[str | None] = []  # constants, and None for anything else
    for step in steps:
        if step.opname in (*_LOADS, "LOAD_CONST"):
            loaded.append(step.argval if step.opname == "LOAD_CONST" else None)
        elif step.opname in ("CALL", "PRECALL"):
            known = len(loaded) in (2, 3) and isinstance(loaded[1], str)
            return loaded[1] if known else None
        elif step.opname not in ("LOAD_ATTR", "PUSH_NULL"):
            return None
    return None


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier()


def is_library(module: ModuleType) -> bool:
    """Whether a module is Python's own, or one of a package that is installed."""
    file = getattr(module, "__file__", None)
    if file is None:
        return module.__name__ != "__main__"
    return _of_library(file, module.__name__)


def _of_library(file: str, name: str) -> bool:
    if name.partition(".")[0] == "numpy" or is_ours(name) or file.startswith("<frozen"):
        return True
    return of_python(file) or "site-packages" in PurePath(file).parts


def is_ours(name: str) -> bool:
    root, _, rest = name.partition(".")
    return root == _OURS and rest.partition(".")[0] != "examples"


def of_python(file: str) -> bool:
    """Whether a file is one of Python's own modules."""
    return PurePath(file).is_relative_to(_STANDARD) and "site-packages" not in file


def _imported(name: str) -> object:
    """Return a module, imported if it is of no library."""
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.find_spec(name.partition(".")[0])
    library = found is None or found.origin is None or _of_library(found.origin, name)
    return None if library else importlib.import_module(name)


def _root(function: object) -> str:
    while not hasattr(function, "__code__") and hasattr(function, "func"):
        function = function.func
    name = getattr(function, "__module__", None) or type(function).__module__
    if is_ours(name):
        return str(name)
    parts = name.split(".")
    return ".".join(parts[:2] if parts[0] == _OURS else parts[:1])


def content(cell: CellType) -> object:
    """Return what a closure has in a cell."""
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None


def _value(owner: object, name: str) -> object:
    return vars(owner).get(name)


def _kept(owner: object) -> list[str]:
    return sorted(filter(_is_kept, vars(owner)))


def _is_kept(name: str) -> bool:
    """Whether an attribute of a class is not one of Python's own."""
    return name != "_abc_impl" and not (name.startswith("_") and name.endswith("_"))
