"""Code from its module: `module:function`, once it is trusted."""

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from traceback import extract_tb
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of, digest
from pufferproof.models.files.programs.calling import Calls
from pufferproof.models.files.programs.signatures import LIBRARIES, Code, code_of, is_code, parameters_of, takes
from pufferproof.models.files.reading import Loaded, in_file
from pufferproof.models.numbers.text import did_you_mean, quoted, shown
from pufferproof.models.priors.records import preview

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


def callable_of(path: str, calls: Calls) -> Loaded[Callable[..., Any]]:
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
    _expect_as_loaded((source, name), function, digest(code))
    return Loaded(function, path, digest(code), {_from_here(source): code})


def _expect_as_loaded(place: tuple[str, str], found: object, sha256: str) -> None:
    """Raise `ModelError` if a file was edited since it gave this object: what would be audited is
    no longer what it says.
    """
    before = _SEEN.get(place)
    if before is not None and before[0] is found and before[1] != sha256:
        raise ModelError(f"{place[0]} was edited since Python loaded it: reload the module, or start Python again")
    _SEEN[place] = found, sha256


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


def _from_here(path: str) -> str:
    """Return a path relative to the working directory, if it is inside it."""
    return os.path.relpath(path) if Path(path).is_relative_to(os.getcwd()) else path


def _imported(module_name: str, name: str, folder: str | None) -> tuple[Any, Any]:
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
        elif isinstance(error, AttributeError) and (module := sys.modules.get(module_name)):
            what += did_you_mean(name, [each for each in vars(module) if each[:1] != "_"])
        raise ModelError(f"cannot be imported: {what}") from error
    finally:
        sys.path[:] = before


def _nearest(name: str) -> Any:
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
