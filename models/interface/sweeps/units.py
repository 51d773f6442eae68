"""Units of work: a function of a module, its arguments as JSON, and the version of the code that it
rests on. Their hash is the name of the unit, so that the same work has the same name anywhere.

What a unit answers is JSON too, of the kind that the function's annotation says. From a store and
from a worker of a scheduler nothing else is read (`answers.py`), and a worker whose sources are
others says so instead of an answer. Processes of this machine are this program's own. Limits on the
time of a piece of work stand here too.
"""

import ctypes
import hashlib
import json
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

from pufferproof.models.errors import ModelError

# Limits on time: of a piece of work, in whichever thread it runs, and of work one by one.

Item = TypeVar("Item")


class Overdue(BaseException):
    """A piece of work took longer than its limit; no `except Exception` within it holds this."""


def first_of(items: Iterable[Item], seconds: float) -> Iterator[Item]:
    """Yield items until a time has passed, the first one in any case.

    >>> list(first_of("abc", 0.0)), list(first_of("abc", 60.0))
    (['a'], ['a', 'b', 'c'])
    """
    end = time.monotonic() + seconds
    for item in items:
        yield item
        if time.monotonic() >= end:
            return


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Raise `Overdue` in the body after a time, between two steps of Python.

    What waits inside another library is not reached: whoever started the process ends that.
    """
    if seconds is None:
        yield
        return
    thread, lock = threading.get_ident(), threading.Lock()
    ended = rung = False

    def ring() -> None:
        nonlocal rung
        with lock:
            if not ended:
                rung = True
                _raise_in(thread)

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            ended = True
        timer.cancel()
        if rung:
            # An error that was asked for in the last step of a body comes here, not after it: to withdraw it would
            # leave CPython 3.11 with a flag on which a profiled call never returns.
            with suppress(Overdue):
                _raise_in(thread)
                for _ in range(1_000):
                    pass


def _raise_in(thread: int) -> None:
    raised = ctypes.py_object(Overdue)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


# Which code a piece of work rests on, as one hash: the sources of its floor and of those below, with the files of data
# that they name, and the versions of the packages that decide or draw.
#
# A function of another package rests on its own file, and on all of this package.

HOME = Path(__file__).parents[3]  # where the floors are, as folders or as links
FLOORS = ("models", "verify", "lp", "counterexamples", "claims", "reports", "examples")
_PACKAGES = (
    "clarabel",
    "cvc5",
    "cvxpy",
    "highspy",
    "mpmath",
    "networkx",
    "numpy",
    "pplpy",
    "pufferproof",
    "python-flint",
    "quicktions",
    "scipy",
    "sympy",
    "z3-solver",
)


@cache
def version_of(module: str) -> str:
    """Return the hash of what a module may run, as it is in this process.

    >>> version_of("pufferproof.models.channel") == version_of("pufferproof.models.framework")
    True
    >>> version_of("pufferproof.models.channel") == version_of("pufferproof.verify.audit")
    False
    >>> version_of("pufferproof.reports.cli") == version_of("pufferproof.examples.reproduce")
    False
    """
    package, _, floor = module.partition(".")
    floor = floor.partition(".")[0]
    ours = package == "pufferproof" and floor in FLOORS
    below = FLOORS[: FLOORS.index(floor) + 1] if ours else FLOORS
    digest = hashlib.sha256(packages().encode())
    for each in below:
        digest.update(_sources(each))
    if not ours:
        file = getattr(sys.modules.get(module), "__file__", None)
        digest.update(b"" if file is None else Path(file).read_bytes())
    return digest.hexdigest()


@cache
def packages() -> str:
    """Return the versions of Python and of the packages that decide or draw; a package that is
    optional may be absent.
    """
    versions = [f"{platform.python_implementation()} {platform.python_version()}"]
    for name in _PACKAGES:
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            versions.append(f"{name} absent")
    return " ".join(versions)


@cache
def _sources(floor: str) -> bytes:
    """Return the hash of all sources of a floor and of what they name, with their places."""
    digest, home = hashlib.sha256(), HOME / floor
    sources, data = list[tuple[str, ...]](), dict[tuple[str, ...], list[str]]()
    for folder, _, names in os.walk(home):
        inner = Path(folder).relative_to(home).parts
        sources += [(*inner, name) for name in names if name.endswith((".py", ".claims"))]
        data[inner] = sorted(name for name in names if name.endswith(".json"))
    for *place, name in sorted(sources):
        text = home.joinpath(*place, name).read_bytes()
        named = (each for each in data[tuple(place)] if f'"{each}"'.encode() in text)
        files = {name: text} | {each: home.joinpath(*place, each).read_bytes() for each in named}
        for each, content in files.items():
            path = "/".join([floor, *place, each])
            digest.update(f"{path} {len(content)}\n".encode() + content)
    return digest.digest()


DONE, RAISED, HUNG, WRONG, OTHER, DIED = (
    "done",
    "raised an error",
    "took too long",
    "returned a wrong type",
    "met a worker with other sources",
    "lost its worker",
)
Call = tuple[str, str, str]
"""The function, arguments and version of a unit."""
Said = tuple[str, str, float]
"""What became of a unit (one of the above), the text of its answer or of what happened, seconds."""

_PLAIN = "expected strings, numbers, booleans, None, and lists and objects of these"


@dataclass(frozen=True)
class Unit:
    """A call of a function: `function` is "module:name", `arguments` the JSON of a list."""

    function: str
    arguments: str
    version: str

    @classmethod
    def of(cls, function: Callable[..., object], *arguments: object) -> "Unit":
        """Return the call of a function of a module; an annotation says what it returns.

        Raises `ModelError` if a worker could not find the function, or read the arguments.
        """
        name = f"{function.__module__}:{function.__qualname__}"
        if function.__module__ == "__main__" or _function(name) is not function:
            raise ModelError(f"expected a function of a module, found {name}")
        _kind(name)
        return cls(name, json_of(list(arguments)), version_of(function.__module__))

    @cached_property
    def name(self) -> str:
        """The hash of the call and of the code that it rests on."""
        text = "\n".join(self.call)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def call(self) -> Call:
        """What is carried out."""
        return self.function, self.arguments, self.version

    def __str__(self) -> str:
        arguments = self.arguments if len(self.arguments) <= 80 else f"{self.arguments[:80]} ..."
        return f"{self.function.rpartition(':')[2]}{arguments}"

    def read(self, text: str) -> object:
        """Read an answer. Raises `ModelError` unless it is what the function may return."""
        try:
            return checked(self.function, json.loads(text))
        except (ValueError, RecursionError) as error:
            raise ModelError(str(error)) from None


def carried_out(function: str, arguments: str, version: str, limit: float | None) -> Said:
    """Carry out a unit in this process; whatever it does is said, and nothing is raised."""
    begun = time.perf_counter()
    try:
        kind, text = _answered(function, arguments, version, limit)
    except Overdue:
        kind, text = HUNG, f"it is over its limit of {limit:g} s"
    return kind, text, time.perf_counter() - begun


def first_carried_out(calls: Sequence[Call], limit: float | None, seconds: float) -> list[Said]:
    """Carry out the first of some units: all of them, or those that time is enough for."""
    return [carried_out(*call, limit) for call in first_of(calls, seconds)]


def prepare(module: str) -> None:
    """Do in this process what comes before the first unit of a module: import it, and look which
    code it rests on.
    """
    import_module(module)
    version_of(module)


def _answered(function: str, arguments: str, version: str, limit: float | None) -> tuple[str, str]:
    """Return what becomes of a unit; its limit does not count what a worker does first."""
    try:
        work = _function(function)
        if version_of(function.partition(":")[0]) != version:
            return OTHER, "expected a worker with the sources and packages of this machine"
        with within(limit):
            answer = work(*json.loads(arguments))
    except (Exception, SystemExit) as error:
        return RAISED, f"{type(error).__name__}: {error}"
    try:
        return DONE, json_of(checked(function, answer))
    except ModelError as error:
        return WRONG, str(error)


def checked(function: str, answer: object) -> object:
    """Return an answer of the kind that a function says it returns. Raises `ModelError`."""
    try:
        _kind(function).validate_python(answer, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "".join(f"[{each!r}]" for each in first["loc"])
        found = type(first["input"]).__name__
        raise ModelError(f"{first['msg'].lower()}, found {found}", f"answer{place}") from None
    return answer


def json_of(value: object) -> str:
    """Write what JSON gives back as it was, keys in their order: a function may go by it.

    Raises `ModelError` for anything else.
    """
    try:
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
        same = json.loads(text) == value
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelError(f"{_PLAIN}: {error}") from None
    if not same:
        raise ModelError(f"{_PLAIN}, found what JSON does not give back")
    return text


@cache
def _function(name: str) -> Callable[..., object]:
    module, _, inner = name.partition(":")
    function = getattr(import_module(module), inner, None)
    if not callable(function):
        raise ModelError(f"expected a function of a module, found {name}")
    return function  # type: ignore[no-any-return]


@cache
def _kind(name: str) -> TypeAdapter[object]:
    """Return what a function says it returns."""
    kinds = get_type_hints(_function(name))
    if "return" not in kinds:
        raise ModelError(f"expected a function whose annotation says what it returns, found {name}")
    return TypeAdapter(kinds["return"])
