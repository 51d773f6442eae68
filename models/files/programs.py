"""Python that a caller trusts: a function that gives the row of a database, or a program that draws
from `rng`. Its signature decides:

| written | what it is |
|---|---|
| `f(database)` | a row: a dict of output -> probability |
| `f(database, rng)` | a program: `rng` stands for a `numpy.random.Generator` |
| `f(database, size, rng)` | a program that draws many outputs: it is called with size 1 |
| `Class(rng)` with `release(database)` | an object that remembers: each run makes a new one |

A parameter that is called `rng` and has a default, or goes by name only, is passed by name. Nothing
is computed here: `pufferproof.verify.programs` finds the law of a program.
"""

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of, digest
from pufferproof.models.files.reading import Loaded, in_file
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import did_you_mean, quoted
from pufferproof.models.priors.records import Records, preview, separator

Form = Literal["text", "list", "array", "each"]
FORMS: tuple[Form, ...] = ("text", "list", "array", "each")
RNG, RELEASE = "rng", "release"
MAX_RELEASES = 1000  # of one object
_FORMS = "expected a function of (database), (database, rng) or (database, size, rng)"
_LIBRARIES = ("diffprivlib", "numpy", "opendp", "pufferproof", "scipy")  # of objects to call
_WORDS: Mapping[str, object] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True)
class Calls:
    """Whether code may run, and how it is called: the form of the records, arguments beside the
    database and `rng`, how often an object releases, and how long paths are run.
    """

    trusted: bool = False
    records: Form = "text"
    arguments: Mapping[str, object] = field(default_factory=dict)
    runs: int = 1
    effort: int = 1

    def expect_used(self, paths: Sequence[str]) -> None:
        """Raise `ModelError` for what goes with code only unless a mechanism is code, and for an
        argument that no code takes.
        """
        code = [path for path in paths if is_callable(path)]
        options = {
            "--records": self.records != "text",
            "--with": self.arguments,
            "--runs": self.runs != 1,
        }
        option = next((name for name, given in options.items() if given), None)
        if option is not None and not code:
            raise ModelError(f"goes with module:function, found {preview(paths)}", option)
        if not self.arguments:
            return
        every = []
        for path in code:
            with in_file(path):
                every.append(_parameters(callable_of(path, self.trusted).value))
        for argument in self.arguments:
            if not any(_takes(parameters, argument) for parameters in every):
                known = list(dict.fromkeys(name for each in every for name in each))
                raise ModelError(
                    f"{code[0]} has no parameter {quoted(argument)}: expected one of "
                    f"{preview(known)}{did_you_mean(argument, known)}",
                    "--with",
                )


UNTRUSTED = Calls()


def arguments_of(texts: Iterable[str], option: str = "--with") -> dict[str, object]:
    """Read arguments of a program, `NAME=VALUE`: numbers are exact, integers where they can be;
    `true`, `false` and `none` are Python's, and anything else is text.

    >>> arguments_of(["epsilon=1/2", "limit=3", "how=index"])
    {'epsilon': Fraction(1, 2), 'limit': 3, 'how': 'index'}

    Raises `ModelError` unless names are names, each given once.
    """
    found: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise ModelError(
                f"expected NAME=VALUE such as epsilon=1/2, found {quoted(text)}", option
            )
        if name in found:
            raise ModelError(f"{quoted(name)} is given twice: expected one value", option)
        found[name] = _value(value)
    return found


def _value(text: str) -> object:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        number = exact(text)
    except ModelError:
        return text
    return int(number) if number.denominator == 1 else number


class Releases(tuple[Any, ...]):
    """What one object released, call by call: one output."""


@dataclass(frozen=True, eq=False)
class Program:
    """A Python function or class that draws from `rng`, and how it is called.

    `arguments` are those beside the database and `rng`; `named` says that `rng` is passed by name,
    `sized` that a call draws several outputs. `form` is how the `records` of a database are handed
    over: of `each`, records come one by one, with a run for each. `handed` has the argument of
    every database if these are given. A class makes an object for each run: its `runs` releases are
    one output. `sha256` is the hash of the file that it stands in, None of code that is in no file.
    Each step of `effort` doubles how many paths are run.
    """

    taken_by: ClassVar = {"Channel": "as_mechanism(function, databases) has its law"}
    unnamed: ClassVar = True

    function: Callable[..., Any]
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

    @property
    def is_class(self) -> bool:
        """Whether an object is made for each run."""
        return inspect.isclass(self.function)

    def on(self, records: Records | None) -> "Program":
        """Return the program on databases of records. Raises `ModelError` if it takes a list or an
        array of them and there are none.
        """
        if self.form == "text":
            return self
        if records is None:
            raise ModelError(
                'databases are not made of records: expected a framework with "records", or '
                "--records text",
                "--records",
            )
        return replace(self, records=records)

    def argument(self, database: str) -> object:
        """Return what the program gets for the label of a database, anew at each call."""
        if self.handed is not None:
            return deepcopy(self.handed[database])
        if self.form == "text" or self.records is None:
            return database
        joint = separator(self.records.alphabet)
        read = _reader(self.records.alphabet)
        values = list(map(read, database.split(joint) if joint else database))
        if self.form in ("list", "each"):
            return values
        import numpy as np

        return np.array(values)

    def __call__(self, database: str, rng: Any) -> Any:
        """Run the program once: its output, or `Releases` of several runs of an object."""
        return self.applied(self.argument(database), rng)

    def applied(self, argument: Any, rng: Any) -> Any:
        """Run the program once on what it gets for a database."""
        if self.form == "each":
            return Releases(self._run(record, rng) for record in argument)
        return self._run(argument, rng)

    def _run(self, argument: object, rng: Any) -> Any:
        given = [] if self.named else [rng]
        if self.sized:
            return self._drawn(argument, 1, rng)[0]
        if not self.is_class:
            return self.function(argument, *given, **self._keywords(rng))
        made = self.function(*given, **self._keywords(rng))
        if self.runs == 1:
            return made.release(argument)
        return Releases(made.release(argument) for _ in range(self.runs))

    def draws(self, database: str, size: int, rng: Any) -> Any:
        """Draw several outputs of a program that is `sized`. Raises `ModelError` unless there are
        as many.
        """
        return self._drawn(self.argument(database), size, rng)

    def _drawn(self, argument: object, size: int, rng: Any) -> Any:
        values = self.function(argument, size, rng, **self.arguments)
        if isinstance(values, str | bytes | dict) or not hasattr(values, "__len__"):
            kind = type(values).__name__
            raise ModelError(f"expected an array of {size} outputs (size), found {kind}")
        if len(values) != size:
            raise ModelError(f"expected {size} outputs (size), found {len(values)}")
        return values

    def _keywords(self, rng: Any) -> Mapping[str, object]:
        return {**self.arguments, RNG: rng} if self.named else self.arguments

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


Code = Program | Callable[[str], object]


def is_code(given: object) -> bool:
    """Whether an object is a program, or a function or a class that somebody wrote."""
    if inspect.isclass(given) or inspect.isroutine(given) or isinstance(given, partial | Program):
        return True
    library = type(given).__module__.partition(".")[0]
    return callable(given) and library not in _LIBRARIES


def code_of(
    function: Callable[..., Any], name: str, sha256: str | None, calls: Calls = UNTRUSTED
) -> Code:
    """Return the program that a function or a class is, by its signature; of a function of the
    database alone the function itself, which gives rows or draws from elsewhere.

    Raises `ModelError` unless it can be called with a database and `rng`.
    """
    parameters = _parameters(function)
    arguments = {k: v for k, v in calls.arguments.items() if _takes(parameters, k)}
    is_class = inspect.isclass(function)
    needed = [each for each in _needed(parameters) if each not in arguments]
    named = RNG in parameters and RNG not in needed
    if is_class and not callable(getattr(function, RELEASE, None)):
        raise ModelError(f"expected a class with a method {RELEASE}(database), found none", name)
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
    )
    if is_class or named:
        own = [] if is_class else ["database"]
        _expect_places(needed, own if named else [RNG], name)
        return made
    return made if _draws(function, parameters, needed, name) else _alone(function, arguments)


def _expect_runs(calls: Calls, is_class: bool) -> None:
    """Raise `ModelError` for several runs of what has no object that remembers."""
    if calls.runs != 1 and not is_class:
        raise ModelError(
            "goes with module:Class, whose object remembers; compose --runs joins independent runs",
            "--runs",
        )
    if calls.runs != 1 and calls.records == "each":
        raise ModelError("goes with whole databases, not with --records each", "--runs")


def _draws(
    function: Callable[..., Any],
    parameters: Mapping[str, inspect.Parameter],
    needed: Sequence[str],
    name: str,
) -> bool:
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


def _alone(function: Callable[..., Any], arguments: Mapping[str, object]) -> Callable[..., Any]:
    return (lambda database: function(database, **arguments)) if arguments else function


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise ModelError("has no signature to read: wrap it in a function") from None


def _needed(parameters: Mapping[str, inspect.Parameter]) -> list[str]:
    """Return the parameters without a default that have a place."""
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [
        name
        for name, each in parameters.items()
        if each.kind in places and each.default is each.empty
    ]


def _takes(parameters: Mapping[str, inspect.Parameter], name: str) -> bool:
    """Whether a parameter can be passed by its name."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if name in parameters:
        return parameters[name].kind in kinds
    return any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())


def _expect_given(
    parameters: Mapping[str, inspect.Parameter],
    arguments: Mapping[str, object],
    known: Sequence[str],
    name: str,
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
        raise ModelError(
            f"expected a parameter for {expected[len(needed)]}, found {_called(needed)}", name
        )


def _lacking(parameter: str, name: str) -> ModelError:
    return ModelError(f"parameter {parameter} has no value: pass --with {parameter}=VALUE", name)


def _called(names: Sequence[str]) -> str:
    return f"({', '.join(names)})"


def is_callable(path: str) -> bool:
    """Whether a mechanism is code, `module:function`, by its name."""
    module, colon, function = path.partition(":")
    return (
        bool(colon)
        and function.isidentifier()
        and all(part.isidentifier() for part in module.split("."))
    )


def callable_of(path: str, trusted: bool) -> Loaded[Callable[..., Any]]:
    """Import a function or a class `module:function`, with the hash of the module's file. Raises
    `ModelError` unless code is trusted, and it is there.
    """
    if not trusted:
        raise ModelError("a Python callable runs code: pass --trust-code to permit it")
    module_name, _, name = path.partition(":")
    function = _imported(module_name, name)
    source = getattr(sys.modules[module_name], "__file__", None)
    if source is None:
        raise ModelError("expected a module that is a file, found one that is built in")
    code = bytes_of(source, MAX_BYTES)
    return Loaded(function, path, digest(code), {_from_here(source): code})


def read_code(path: str, calls: Calls) -> Loaded[Code]:
    """Read a function or a class `module:function`: a `Program`, or a function of the database
    alone. Raises `ModelError` as `callable_of` and `code_of` do.
    """
    found = callable_of(path, calls.trusted)
    return found.holding(code_of(found.value, path, found.sha256, calls))


def rows_of(
    function: Callable[..., object], databases: Iterable[str], normalize: bool = False
) -> Channel:
    """Return the channel whose rows a function gives, a dict for every database."""
    rows: dict[str, Mapping[str, object]] = {}
    for label in databases:
        try:
            row = function(label)
        except (Exception, SystemExit) as error:
            raise ModelError(
                f"raised {type(error).__name__}: {error}", f'database "{label}"'
            ) from error
        if not isinstance(row, Mapping) or not all(isinstance(output, str) for output in row):
            raise ModelError(
                f"expected a dict of output -> probability, found {type(row).__name__} (a function "
                "that draws outputs takes (database, rng); estimate bounds a sampler of any kind)",
                f'database "{label}"',
            )
        rows[label] = row
    return Channel.of(rows, None, normalize)


def _from_here(path: str) -> str:
    """Return a path relative to the working directory, if it is inside it."""
    return os.path.relpath(path) if Path(path).is_relative_to(os.getcwd()) else path


def _imported(module_name: str, name: str) -> Callable[..., object]:
    sys.path.insert(0, os.getcwd())
    try:
        function = getattr(importlib.import_module(module_name), name)
    except (Exception, SystemExit) as error:
        raise ModelError(f"cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(os.getcwd())
    if not callable(function):
        raise ModelError("expected a function of a database label")
    return function  # type: ignore[no-any-return]
