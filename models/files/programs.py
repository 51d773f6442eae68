"""Programs that people name: a function or class of `module:function` that draws from `rng`, or an object of another
library, its source files, and how it is called, once it is trusted.
"""

import ast
import importlib
import inspect
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.machinery import PathFinder
from importlib.metadata import packages_distributions
from importlib.util import module_from_spec, resolve_name
from math import inf
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import MAX_BYTES, Loaded, bytes_of, digest, in_file
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.remembered import ExactFloat, plain
from pufferproof.models.numbers.text import did_you_mean, quoted, shown
from pufferproof.models.priors.records import Records, preview, separator

if TYPE_CHECKING:
    from pufferproof.models.mechanisms.library import LibraryMechanism

# Whether trusted code may run, and how it is called.

Form = Literal["text", "list", "array", "each"]
Function = Callable[..., Any]
Output = Any  # of a program, whatever that is
FORMS: tuple[Form, ...] = ("text", "list", "array", "each")
MAX_RELEASES = 1000  # of one object
_WORDS: Mapping[str, object] = {
    **{"true": True, "false": False, "none": None},
    **{"inf": inf, "infinity": inf, "-inf": -inf, "-infinity": -inf},
}


@dataclass(frozen=True)
class Calls:
    """Whether code may run, and how it is called: the form of the records, arguments beside the
    database and `rng`, how often an object releases, and how long paths are run. Modules are
    imported from `folder`, if there is one, before the working directory.
    """

    trusted: bool = False
    records: Form = "text"
    arguments: Mapping[str, object] = field(default_factory=dict)
    runs: int = 1
    effort: int = 1
    folder: str | None = None
    compared: bool = True  # draws of programs, with their laws


UNTRUSTED = Calls()


def arguments_of(texts: Iterable[str], option: str = "--with") -> dict[str, object]:
    """Read arguments of a program, `NAME=VALUE`: numbers are integers where they can be, and else
    floats that remember the exact number; `true`, `false`, `none` and `inf` are Python's, and
    anything else is text.

    >>> found = arguments_of(["epsilon=1/10", "limit=3", "how=index"])
    >>> found, found["epsilon"].exact
    ({'epsilon': 0.1, 'limit': 3, 'how': 'index'}, Fraction(1, 10))

    Raises `ModelError` unless names are names, each given once, and no value is NaN.
    """
    found: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise ModelError(f"expected NAME=VALUE such as epsilon=1/2, found {quoted(text)}", option)
        if name in found:
            raise ModelError(f"{quoted(name)} is given twice: expected one value", option)
        if value.lower() == "nan":
            raise ModelError(f"expected a number or text for {name}, found {quoted(value)}", option)
        found[name] = _value(value)
    return found


def _value(text: str) -> object:
    word = text.lower().removeprefix("+")
    if word in _WORDS:
        return _WORDS[word]
    try:
        number = exact(text)
    except ModelError:
        return text
    if number.denominator == 1:
        return int(number)
    try:
        return ExactFloat(number)
    except OverflowError:
        return number


# A Python function or class that draws from `rng`, and what it gets for a database.

RNG, RELEASE = "rng", "release"
_ARRAYS = ("numpy", "pufferproof.verify.programs.drawing.arrays")


class Releases(tuple[object, ...]):
    """What one object released, call by call: one output."""


@dataclass(frozen=True, eq=False)
class Program:
    """A Python function or class that draws from `rng`, and how it is called.

    `arguments` are those beside the database and `rng`; `named` says that `rng` is passed by name,
    `sized` that a call draws several outputs. `form` is how the `records` of a database are handed
    over: of `each`, records come one by one, with a run for each. `handed` has the argument of
    every database if these are given. A class makes an object for each run: its `runs` releases are
    one output. `sha256` is the hash of the file that it stands in, None of code that is in no file.
    Each step of `effort` doubles how many paths are run, and for how long.
    """

    taken_by: ClassVar = {"Channel": "as_mechanism(function, databases) has its law"}
    unnamed: ClassVar = True

    function: Function
    name: str
    sha256: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)
    named: bool = False
    sized: bool = False
    form: Form = "text"
    records: Records | None = None
    runs: int = 1
    effort: int = 1
    handed: Mapping[str, object] | None = None
    compared: bool = True  # whether its draws are compared with its law before a verdict

    @property
    def is_class(self) -> bool:
        """Whether an object is made for each run."""
        return inspect.isclass(self.function)

    @property
    def as_run(self) -> "Program":
        """The program as everybody runs it: floats of its arguments remember no other number."""
        return replace(self, arguments=plain(self.arguments), handed=plain(self.handed))

    def on(self, records: Records | None, sized: Records | None = None) -> "Program":
        """Return the program on databases of records, or of every number of records up to those of
        `sized`. Raises `ModelError` if it takes a list or an array of them and there are none, or
        one record at a time and databases have different lengths.
        """
        if self.form == "text":
            return self
        if records is None and sized is None:
            raise ModelError(
                'databases are not made of records: expected a framework with "records", or --records text', "--records"
            )
        if records is None and self.form == "each":
            raise ModelError(
                "databases have different numbers of records: expected --records list or array", "--records"
            )
        return replace(self, records=records or sized)

    def argument(self, database: str) -> object:
        """Return what the program gets for the label of a database, anew at each call."""
        if self.handed is not None:
            return deepcopy(self.handed[database])
        if self.form == "text" or self.records is None:
            return database
        alphabet = self.records.alphabet
        read = _reader(alphabet)
        joint = separator(alphabet) if database or "" in alphabet else ""  # "" has no records
        values = list(map(read, database.split(joint) if joint else database))
        if self.form in ("list", "each"):
            return values
        import numpy as np

        kinds = values or [read(value) for value in alphabet]  # no record has a type of its own
        return np.array(values, dtype=np.array(kinds).dtype)

    def __call__(self, database: str, rng: object) -> Output:
        """Run the program once: its output, or `Releases` of several runs of an object."""
        return self.applied(self.argument(database), rng)

    def applied(self, argument: Any, rng: object) -> Output:
        """Run the program once on what it gets for a database."""
        if self.form == "each":
            return Releases(self._run(record, rng) for record in argument)
        return self._run(argument, rng)

    def _run(self, argument: object, rng: object) -> Output:
        given = [] if self.named else [rng]
        keywords = {**self.arguments, RNG: rng} if self.named else self.arguments
        if self.sized:
            outputs = self._drawn(argument, 1, rng)
            if not (isinstance(outputs, list | tuple) or type(outputs).__module__ in _ARRAYS):
                kind = type(outputs).__name__  # may have names of its own
                raise ModelError(f"expected a list or an array of outputs, found {kind}", self.name)
            return outputs[0]
        if not self.is_class:
            return self.function(argument, *given, **keywords)
        made = self.function(*given, **keywords)
        if self.runs == 1:
            return made.release(argument)
        return Releases(made.release(argument) for _ in range(self.runs))

    def draws(self, database: str, size: int, rng: object) -> Output:
        """Draw several outputs of a program that is `sized`. Raises `ModelError` unless there are
        as many.
        """
        return self._drawn(self.argument(database), size, rng)

    def _drawn(self, argument: object, size: int, rng: object) -> Output:
        values = self.function(argument, size, rng, **self.arguments)
        if isinstance(values, str | bytes | dict) or not hasattr(values, "__len__"):
            kind = type(values).__name__
            raise ModelError(f"expected an array of {size} outputs (size), found {kind}")
        if len(values) != size:
            raise ModelError(f"expected {size} outputs (size), found {len(values)}")
        return values

    def __repr__(self) -> str:
        return f"Program({self.name})"


def _reader(alphabet: Sequence[str]) -> Callable[[str], object]:
    """Return how a value of a record is read: as an integer or a number where all values are."""
    try:
        numbers = {exact(value) for value in alphabet}
    except ModelError:
        return str
    if len(numbers) < len(alphabet):
        return str
    whole = all(number.denominator == 1 for number in numbers)
    return (lambda value: int(exact(value))) if whole else float


# What code is by its signature: a program, or a function of the database alone.

_FORMS = "expected a function of (database), (database, rng) or (database, size, rng)"
LIBRARIES = (  # of objects, no code
    "diffprivlib",
    "numpy",
    "opendp",
    "pandas",
    "pipeline_dp",
    "pydp",
    "scipy",
    "snsql",
    "tmlt",
)
Code = Program | Callable[[str], object]


def is_code(given: object) -> bool:
    """Whether an object is a program, or a function or a class that somebody wrote."""
    library = type(given).__module__.partition(".")[0]
    if library == "pufferproof":  # an object of ours, whose other kinds are no code
        return isinstance(given, Program)
    return (
        inspect.isclass(given)
        or inspect.isroutine(given)
        or isinstance(given, partial)
        or (callable(given) and library not in LIBRARIES)
    )


def code_of(function: Function, name: str, sha256: str | None, calls: Calls = UNTRUSTED) -> Code:
    """Return the program that a function or a class is, by its signature; of a function of the
    database alone the function itself, which gives rows or draws from elsewhere.

    Raises `ModelError` unless it can be called with a database and `rng`.
    """
    parameters = parameters_of(function)
    arguments = {k: v for k, v in calls.arguments.items() if takes(parameters, k)}
    is_class = inspect.isclass(function)
    for taken in {RNG, *_needed(parameters)[:1]} & {*arguments}:
        raise ModelError(f"{taken} is no argument of its own: pufferproof passes it", "--with")
    needed = [each for each in _needed(parameters) if each not in arguments]
    named = RNG in parameters and RNG not in needed
    if is_class:
        _expect_release(function, name)
    _expect_runs(calls, is_class)
    _expect_given(parameters, arguments, [*needed, *([RNG] if named else [])], name)
    made = Program(
        function,
        name,
        sha256,
        arguments,
        named,
        len(needed) == 3,
        calls.records,
        runs=calls.runs,
        effort=calls.effort,
        compared=calls.compared,
    )
    if is_class or named:
        own = [] if is_class else ["database"]
        _expect_places(needed, own if named else [RNG], name)
        return made
    if _draws(function, parameters, needed, name):
        return made
    return (lambda database: function(database, **arguments)) if arguments else function


def _expect_release(kind: object, name: str) -> None:
    """Raise `ModelError` unless objects of a class release something of a database."""
    release = getattr(kind, RELEASE, None)
    if not callable(release):
        raise ModelError(f"expected a class with a method {RELEASE}(database), found none", name)
    needed = _needed(parameters_of(release)) if inspect.isfunction(release) else ["", ""]
    if len(needed) != 2:  # the object and the database
        raise ModelError(f"expected {RELEASE}(self, database), found {_called(needed)}", name)


def _expect_runs(calls: Calls, is_class: bool) -> None:
    """Raise `ModelError` for several runs of what has no object that remembers."""
    if calls.runs != 1 and not is_class:
        raise ModelError("needs module:Class, whose object remembers; compose --runs joins independent runs", "--runs")
    if calls.runs != 1 and calls.records == "each":
        raise ModelError("needs whole databases, not --records each", "--runs")


def _draws(function: Function, parameters: Mapping[str, inspect.Parameter], needed: Sequence[str], name: str) -> bool:
    """Whether a function takes a generator by its place. Raises `ModelError` for other places."""
    any_number = any(each.kind is each.VAR_POSITIONAL for each in parameters.values())
    if len(needed) > 3 or not (needed or any_number or inspect.isbuiltin(function)):
        raise ModelError(f"{_FORMS}, found {len(needed)} arguments", name)
    if len(needed) < 2:
        return False
    if needed[0] == RNG:
        raise ModelError(f"expected (database, rng), found {_called(needed)}", name)
    if len(needed) == 3 and needed[1] == RNG:
        raise _lacking(needed[2], name)
    return True


def parameters_of(function: Function) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise ModelError("has no signature to read: wrap it in a function") from None


def _needed(parameters: Mapping[str, inspect.Parameter]) -> list[str]:
    """Return the parameters without a default that have a place."""
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, each in parameters.items() if each.kind in places and each.default is each.empty]


def takes(parameters: Mapping[str, inspect.Parameter], name: str) -> bool:
    """Whether a parameter can be passed by its name."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if name in parameters:
        return parameters[name].kind in kinds
    return any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())


def _expect_given(
    parameters: Mapping[str, inspect.Parameter], arguments: Mapping[str, object], known: Sequence[str], name: str
) -> None:
    """Raise `ModelError` for a parameter that goes by name only and has no value."""
    for each in parameters.values():
        only = each.kind is inspect.Parameter.KEYWORD_ONLY and each.default is each.empty
        if only and each.name not in arguments and each.name not in known:
            raise _lacking(each.name, name)


def _expect_places(needed: Sequence[str], expected: Sequence[str], name: str) -> None:
    """Raise `ModelError` unless so many parameters have no value yet."""
    if len(needed) > len(expected):
        raise _lacking(needed[len(expected)], name)
    if len(needed) < len(expected):
        raise ModelError(f"expected a parameter for {expected[len(needed)]}, found {_called(needed)}", name)


def _lacking(parameter: str, name: str) -> ModelError:
    return ModelError(f"parameter {parameter} has no value: pass --with {parameter}=VALUE", name)


def _called(names: Sequence[str]) -> str:
    return f"({', '.join(names)})"


# what a file gave under a name, and the hash that it had then
_SEEN: dict[tuple[str, str], tuple[object, str]] = {}


def expect_used(calls: Calls, paths: Sequence[str]) -> None:
    """Raise `ModelError` for what goes with code only unless a mechanism is code, and for an
    argument that no code takes.
    """
    code = [path for path in paths if is_callable(path)]
    options = {"--records": calls.records != "text", "--with": calls.arguments, "--runs": calls.runs != 1}
    option = next((name for name, given in options.items() if given), None)
    if option is not None and not code:
        raise ModelError(f"needs module:function, found {preview(paths)}", option)
    if not calls.arguments:
        return
    every = []
    for path in code:
        with in_file(path):
            code_object = named_of(path, calls).value
            every.append({} if is_object(code_object) else parameters_of(code_object))
    for argument in calls.arguments:
        if not any(takes(parameters, argument) for parameters in every):
            known = list(dict.fromkeys(name for each in every for name in each))
            raise ModelError(
                f"{code[0]} has no parameter {quoted(argument)}: expected one of "
                f"{preview(known)}{did_you_mean(argument, known)}",
                "--with",
            )


def is_callable(path: str) -> bool:
    """Whether a mechanism is code, `module:function`, by its name."""
    module, colon, function = path.partition(":")
    return bool(colon) and function.isidentifier() and all(part.isidentifier() for part in module.split("."))


def is_object(given: object) -> bool:
    """Whether what a module names is an object of another library, or what was read of one."""
    library = type(given).__module__.partition(".")[0]
    if library != "pufferproof":
        return isinstance(given, dict | list) or (library in LIBRARIES and not is_code(given))
    from pufferproof.models.mechanisms.library import LibraryMechanism

    return isinstance(given, LibraryMechanism)


def callable_of(path: str, calls: Calls) -> Loaded[Function]:
    """Import a function or a class `module:function`, with the hash of the module's file. Raises
    `ModelError` unless code is trusted, and it is there.
    """
    found = named_of(path, calls)
    if not callable(found.value):
        raise ModelError(f"expected a function of (database, rng), found {shown(found.value)}")
    return found


def named_of(path: str, calls: Calls) -> Loaded[Any]:
    """Import what a module calls `module:name`, with the hash of the module's file. Raises
    `ModelError` unless code is trusted, and it is there.
    """
    if not calls.trusted:
        raise ModelError("a Python callable runs code: pass --trust-code to permit it")
    module_name, _, name = path.partition(":")
    module, function = _imported(module_name, name, calls.folder)
    source = getattr(module, "__file__", None)
    if source is None:
        raise ModelError("expected a module that is a file, found one that is built in")
    code = bytes_of(source, MAX_BYTES)
    before, sha256 = _SEEN.get((source, name)), digest(code)
    if before is not None and before[0] is function and before[1] != sha256:
        raise ModelError(f"{source} was edited since Python loaded it: reload the module, or start Python again")
    _SEEN[source, name] = function, sha256
    # relative to the working directory, if it is inside it
    from_here = os.path.relpath(source) if Path(source).is_relative_to(os.getcwd()) else source
    return Loaded(function, path, digest(code), {from_here: code})


def read_code(path: str, calls: Calls) -> Loaded[Code]:
    """Read a function or a class `module:function`: a `Program`, or a function of the database
    alone. Raises `ModelError` as `callable_of` and `code_of` do.
    """
    found = callable_of(path, calls)
    return found.holding(code_of(found.value, path, found.sha256, calls))


def rows_of(function: Callable[..., object], databases: Iterable[str], normalize: bool = False) -> Channel:
    """Return the channel whose rows a function gives, a dict for every database.

    Every database is asked for twice. Raises `ModelError` if rows differ: the function keeps a
    state, and has no law of its own.
    """
    labels = list(databases)
    rows, again = ({label: _row_of(function, label) for label in labels} for _ in range(2))
    for label, row in rows.items():
        if row != again[label]:
            raise ModelError(
                "returned another row when it was called again: expected a function that keeps no "
                "state, whose row is the same at every call",
                f'database "{label}"',
            )
    return Channel.of(rows, None, normalize)


def _row_of(function: Callable[..., object], label: str) -> Mapping[str, object]:
    """Return a copy of the row that a function gives, which later calls cannot change."""
    try:
        row = function(label)
    except (Exception, SystemExit) as error:
        raise ModelError(f"raised {type(error).__name__}: {error}", f'database "{label}"') from error
    if not isinstance(row, Mapping) or not all(isinstance(output, str) for output in row):
        raise ModelError(
            f"expected a dict of output -> probability, found {type(row).__name__} (a function "
            "that draws outputs takes (database, rng); estimate bounds a sampler of any kind)",
            f'database "{label}"',
        )
    return dict(row)


def _imported(module_name: str, name: str, folder: str | None) -> tuple[ModuleType, object]:
    """Return a module from a folder, from the working directory, or installed, and what it calls
    by a name.
    """
    before = sys.path[:]
    sys.path[:0] = [*([] if folder is None else [os.path.abspath(folder)]), os.getcwd()]
    try:
        module = _nearest(module_name)
        return module, getattr(module, name)
    except ModelError:
        raise
    except (Exception, SystemExit) as error:
        lines = extract_tb(error.__traceback__)
        inside = [each for each in lines[1:] if "importlib" not in each.filename]
        line = f" ({Path(inside[-1].filename).name}, line {inside[-1].lineno})" if inside else ""
        what = f"{type(error).__name__}: {error}{line}"
        if module_name.endswith(".py"):
            what += f', did you mean "{module_name[:-3]}:{name}"?'
        elif isinstance(error, AttributeError) and (loaded := sys.modules.get(module_name)):
            what += did_you_mean(name, [each for each in vars(loaded) if each[:1] != "_"])
        raise ModelError(f"cannot be imported: {what}") from error
    finally:
        sys.path[:] = before


def _nearest(name: str) -> ModuleType:
    """Import the module that stands first on the path, also where another one of its name, from
    another folder, is loaded already: that one stays loaded, and this one is a copy of its own.

    Raises `ModelError` of packages, whose modules would be mixed.
    """
    top = name.partition(".")[0]
    spec, loaded = PathFinder.find_spec(top, sys.path), sys.modules.get(top)
    there = getattr(getattr(loaded, "__spec__", None), "origin", None)
    here = getattr(spec, "origin", None)
    if not here or not there or os.path.realpath(here) == os.path.realpath(there):
        return importlib.import_module(name)
    if spec is None or spec.loader is None or spec.submodule_search_locations or name != top:
        raise ModelError(f"a package of that name is loaded already, from {there}: rename {here}")
    module = module_from_spec(spec)
    try:
        sys.modules[top] = module
        spec.loader.exec_module(module)
    finally:
        sys.modules[top] = loaded  # type: ignore[assignment]
    return module


# The Python files that code comes from: its module, and what that imports in turn.
#
# Files of the user and of vendors are read; of installed packages, among them pufferproof, the names are known;
# Python's own modules are left out. Imports are those that the sources say and that are loaded: a module that is
# imported by a name which is computed is not seen.

_OURS = "pufferproof"
_INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Sources:
    """The files of code by their places beside each other, and the installed packages."""

    files: dict[str, bytes] = field(default_factory=dict)
    packages: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, named: Mapping[str, bytes]) -> "Sources":
        """Return the sources of code `module:name`, whose file was read.

        >>> Sources.of("a.noise:draw", {"a/noise.py": b"import json"}).files
        {'a/noise.py': b'import json'}
        """
        found = cls()
        for file, content in named.items():
            found.add(path.partition(":")[0], str(Path(file).absolute()), content)
        return found

    def add(self, module: str, file: str, content: bytes | None = None) -> None:
        """Add the file of a module, and what it imports."""
        kind, top = _kind(module, file), module.partition(".")[0]
        if kind == "installed":
            known = [_OURS] if top == _OURS else _distributions().get(top, ())
            self.packages.update(dict.fromkeys(known))
        folder = module.replace(".", "/")
        name = f"{folder}/__init__.py" if Path(file).name == "__init__.py" else f"{folder}.py"
        if (kind != "own" and content is None) or name in self.files:
            return
        self.files[name] = bytes_of(file, MAX_BYTES) if content is None else content
        package = module if Path(file).name == "__init__.py" else module.rpartition(".")[0]
        for each in [*_with_packages(package), *imports(self.files[name], package)]:
            loaded = getattr(sys.modules.get(each), "__file__", None)
            if loaded is not None:
                self.add(each, loaded)


def imports(source: bytes, package: str) -> Iterator[str]:
    """Yield the modules that a source may import, with the packages that they are in.

    >>> list(imports(b"import a.b, numpy as np; from . import c", "p"))
    ['a', 'a.b', 'numpy', 'p', 'p.c']
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield from _with_packages(each.name)
        elif isinstance(node, ast.ImportFrom):
            try:
                base = resolve_name("." * node.level + (node.module or ""), package or None)
            except ImportError:  # above the top: it has not run
                continue
            yield from _with_packages(base)
            yield from (f"{base}.{each.name}" for each in node.names)


def _with_packages(name: str) -> Iterator[str]:
    parts = name.split(".") if name else []
    yield from (".".join(parts[: k + 1]) for k in range(len(parts)))


def _kind(module: str, file: str) -> str:
    """Return whose a module is: "own", "installed", or "python", which is left out."""
    if {*_INSTALLED} & {*Path(file).parts} or module.partition(".")[0] == _OURS:
        return "installed"
    standard = Path(file).is_relative_to(sysconfig.get_path("stdlib"))
    return "python" if standard or not file.endswith(".py") else "own"


_distributions = cache(packages_distributions)


# Objects of other libraries from their module: `module:name`, once it is trusted.
#
# What `as_mechanism` returned is taken as it is. Any other object is read on the records of the framework, or given
# the label of every database as its argument.

_LABELS = "its argument is the label of the database"


@dataclass(frozen=True)
class LibraryFile(Loaded[Any]):
    """The mechanism of a library's object that is named by its module, and how it was read."""

    library: "LibraryMechanism | None" = None


def read_object(path: str, space: Records | list[str], calls: Calls, normalize: bool = False) -> LibraryFile | None:
    """Read a mechanism `module:name` on records or databases, or None if it is no object of a
    library. Raises `ModelError` unless code is trusted, and the object is read.
    """
    if not is_callable(path) or not calls.trusted:
        return None
    with in_file(path):
        found = named_of(path, calls)
        given = found.value
        if not is_object(given):
            return None
        read = _read(given, space, normalize)
    return LibraryFile(read.value, found.path, found.sha256, found.named, read)


def _read(given: object, space: Records | list[str], normalize: bool) -> "LibraryMechanism":
    from pufferproof.models.mechanisms.adapters.entry import as_mechanism
    from pufferproof.models.mechanisms.library import LibraryMechanism

    if isinstance(given, LibraryMechanism):
        return given
    if isinstance(given, Mapping) or type(given).__module__.partition(".")[0] == "pandas":
        return as_mechanism(given, normalize=normalize)
    if isinstance(space, Records):
        try:
            return as_mechanism(given, space, normalize=normalize)
        except ModelError as error:
            if error.where != "query":
                raise
            raise ModelError(
                'is noise on a number: expected a name for as_mechanism(object, records, "sum") in the module'
            ) from None
    if hasattr(given, "__array__") or isinstance(given, list):
        return as_mechanism(given, space, normalize=normalize)
    read = as_mechanism(given, {label: label for label in space}, normalize=normalize)
    return replace(read, notes=(*read.notes, _LABELS))


def made_by(path: str, calls: Calls) -> Loaded[object]:
    """Return the object `module:name` of a library, or what a function `module:name` without
    arguments returns. Raises `ModelError` unless code is trusted, and there is such a name.
    """
    if not is_callable(path):
        raise ModelError(f"expected module:name, found {shown(path)}")
    found = named_of(path, calls)
    if not inspect.isfunction(found.value) and not isinstance(found.value, partial):
        return found
    try:
        inspect.signature(found.value).bind()
    except TypeError as error:
        raise ModelError(f"expected an object, or a function without arguments that returns one: {error}") from None
    try:
        return found.holding(found.value())
    except (Exception, SystemExit) as error:
        raise ModelError(f"raised {type(error).__name__}: {error}") from error
