"""What code is by its signature: a program, or a function of the database alone."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs.calling import UNTRUSTED, Calls
from pufferproof.models.files.programs.program import RELEASE, RNG, Program

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
    if inspect.isclass(given) or inspect.isroutine(given) or isinstance(given, partial | Program):
        return True
    library = type(given).__module__.partition(".")[0]
    return callable(given) and library not in (*LIBRARIES, "pufferproof")


def code_of(function: Callable[..., Any], name: str, sha256: str | None, calls: Calls = UNTRUSTED) -> Code:
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
    return made if _draws(function, parameters, needed, name) else _alone(function, arguments)


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


def _draws(
    function: Callable[..., Any], parameters: Mapping[str, inspect.Parameter], needed: Sequence[str], name: str
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


def parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
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
