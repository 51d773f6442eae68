"""Calling samplers: Python functions, and commands that read databases and print outputs.

A function takes (database), (database, rng) or (database, size, rng), and a class is made of `rng`,
as `models.files.programs` reads signatures. `rng` is a NumPy generator with the seed of the user.
Databases come one by one, in an order that hides the secret of the next; `size` is 1, unless draws
are independent by the user's word: then all that a database needs are drawn in one call, which is
many times as fast. A command reads databases on standard input, one a line, and prints an output a
line; it is started once for many of them, and the variable PUFFERPROOF_SEED has a seed for it.
"""

import copy
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Program, code_of
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.text import quoted, shown

_MOST = 1 << 20
_LINES = 1 << 13  # outputs one by one: calls of a function, or lines that a command reads
_READS = " (a command reads databases on standard input, one a line, and prints an output for each)"
_MOST_PRINTED, _CHUNK = 1 << 25, 1 << 16  # characters of a call, and of a part

_MOST_SECONDS = 10**7

Asked = Sequence[tuple[str, int]]  # databases, and how many outputs of each
Seed = tuple[int, ...]


class SamplerError(ModelError):
    """A sampler failed, or gave what cannot be used; `partial` is the answer until then, or None if
    there was none.
    """

    partial: Any = None


class Sampler(Protocol):
    """What outputs are drawn from; at most `most` at once, so that little is lost if it fails.

    `seeded` says whether it is given a seed, and `call_by_call` whether it is told a database only
    after it has given its output of the one before.
    """

    seeded: bool
    most: int
    call_by_call: bool

    def each(self, databases: Sequence[str], seed: Seed, outputs: list[Any]) -> None:
        """Append one output of every database, which may come several times, in order."""


@dataclass
class Function:
    """A Python function; a call takes at most `seconds`, where the main thread runs it.

    `independent_draws` is the user's word that outputs of (database, size, rng) are independent
    draws of a law that the database alone determines. `given` are the records of databases by their
    labels, if the function takes these.
    """

    function: Callable[..., Any]
    seconds: float | None
    independent_draws: bool = False
    given: Mapping[str, Sequence[Any]] | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= _MOST_SECONDS:
            raise ModelError(f"expected more than 0 and at most {_MOST_SECONDS}, found {self.seconds:g}", "seconds")
        code = _code_of(self.function)
        self._code: Any = code.as_run if isinstance(code, Program) else code
        self.seeded = isinstance(code, Program)
        self.sized = self.seeded and self._code.sized  # each call returns an array
        self.grouped = self.sized and self.independent_draws
        self.call_by_call = True
        self.most = _MOST if self.grouped else _LINES

    def each(self, databases: Sequence[str], seed: Seed, outputs: list[Any]) -> None:
        """Append one output of every database."""
        rng, code = _generator(seed), self._code
        call: Callable[[Any], Any] = code
        if isinstance(code, Program):
            drawn = (lambda database: code.draws(database, 1, rng)) if code.sized else None
            call = drawn or (lambda database: code(database, rng))
        database = ""
        with _limited(self.seconds) as again:
            try:
                for database in steps(databases, "draws"):
                    again()
                    outputs.append(_frozen(call(self._given(database))))
            except (Exception, SystemExit) as error:
                raise _failed(database, error) from error

    def _given(self, database: str) -> Any:
        """Return what the function takes for a database; lists are new ones each time."""
        return database if self.given is None else [*self.given[database]]

    def draw(self, asked: Asked, seed: Seed, outputs: list[Any]) -> None:
        """Append the outputs of every database, as many as asked in one call if `grouped`."""
        rng = _generator(seed)
        for database, count in steps(asked, "databases"):
            with _limited(self.seconds):
                try:
                    drawn = self._code.draws(self._given(database), count, rng)
                    outputs.append(_frozen(drawn))
                except (Exception, SystemExit) as error:
                    raise _failed(database, error) from error


@dataclass
class Command:
    """A program and its arguments, started once for many databases and given `seconds` for them.

    What it prints for a database must not depend on those that it is given after it.
    """

    words: Sequence[str]
    seconds: float | None
    numbers: bool | None = None  # whether its lines are numbers, once known
    seeded: bool = True
    most: int = _LINES
    call_by_call: bool = False

    def each(self, databases: Sequence[str], seed: Seed, outputs: list[Any]) -> None:
        """Append one output of every database."""
        for database in set(databases):
            if "\n" in database or "\r" in database:
                raise SamplerError("a command reads one database per line", f'"{database!r}"')
        lines = self._lines(databases, seed)
        found = _numbers(lines) if self.numbers in (None, True) else None
        if self.numbers is None:
            self.numbers = found is not None
        if self.numbers and found is None:
            raise SamplerError("outputs are text, expected numbers as before", "sampler")
        outputs += found if found is not None else lines

    def _lines(self, databases: Sequence[str], seed: Seed) -> list[str]:
        parts = steps(range(0, len(databases), _LINES), "starts of the command")
        return [line for start in parts for line in self._printed(databases[start : start + _LINES], (*seed, start))]

    def _printed(self, databases: Sequence[str], seed: Seed) -> list[str]:
        text = "".join(f"{database}\n" for database in databases)
        code, printed, error = self._run(text, seed)
        if code != 0:
            said = error.strip().splitlines()[-1:] or ["without a word"]
            raise SamplerError(f"ended with exit code {code}: {said[0]}{_READS}", "sampler")
        lines = printed.splitlines()
        if len(lines) != len(databases):
            raise SamplerError(f"expected {len(databases)} lines, one per database, found {len(lines)}", "sampler")
        return lines

    def _run(self, text: str, seed: Seed) -> tuple[int, str, str]:
        environment = os.environ | {"PUFFERPROOF_SEED": str(_folded(seed))}
        try:
            process = subprocess.Popen(
                list(self.words),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            python = self.words[0].endswith(".py")
            advice = f'; start a Python file by "python3 {self.words[0]}"' if python else ""
            said = f"{getattr(error, 'strerror', None) or error}: {shown(self.words[0])}"
            raise SamplerError(f"cannot be started: {said}{advice}", "sampler") from None
        try:
            printed, said = _answered(process, text, self.seconds)
        except subprocess.TimeoutExpired:
            raise SamplerError(f"did not end within {self.seconds:g} seconds", "sampler") from None
        finally:
            _ended(process)
        return process.returncode, printed, said


def _numbers(lines: Sequence[str]) -> list[int] | list[float] | None:
    """Return lines as numbers, None unless all are."""
    try:
        return [int(line) for line in lines]
    except ValueError:
        pass
    try:
        return [float(line) for line in lines]
    except ValueError:
        return None


def _answered(process: "subprocess.Popen[str]", text: str, seconds: float | None) -> tuple[str, str]:
    """Return what a command prints for a text, and on standard error. Raises `SamplerError` if that
    is very much, before it fills the memory, and `TimeoutExpired`.
    """
    readers = [_Reader(process, stream) for stream in (process.stdout, process.stderr)]
    writer = threading.Thread(target=_write, args=(process.stdin, text), daemon=True)
    deadline = None if seconds is None else time.monotonic() + seconds
    for each in (*readers, writer):
        each.start()
    process.wait(seconds)
    for each in (*readers, writer):
        each.join(None if deadline is None else max(0.0, deadline - time.monotonic()))
    if any(reader.too_long for reader in readers):
        raise SamplerError(f"printed more than {_MOST_PRINTED} characters in one call", "sampler")
    if any(each.is_alive() for each in (*readers, writer)):
        raise subprocess.TimeoutExpired(process.args, seconds or 0)
    out, error = ("".join(reader.parts) for reader in readers)
    return out, error


def _write(stream: IO[str] | None, text: str) -> None:
    """Write a text to a command that may have stopped reading."""
    if stream is None:
        return
    with suppress(BrokenPipeError, ValueError):
        stream.write(text)
    with suppress(BrokenPipeError, ValueError):
        stream.close()


class _Reader(threading.Thread):
    """Reads what a command prints, and ends the command where that is very much."""

    def __init__(self, process: "subprocess.Popen[str]", stream: IO[str] | None) -> None:
        super().__init__(daemon=True)
        self.process, self.stream = process, stream
        self.parts: list[str] = []
        self.too_long = False

    def run(self) -> None:
        """Read to the end."""
        size = 0
        while self.stream is not None and (part := self.stream.read(_CHUNK)):
            size += len(part)
            if size > _MOST_PRINTED:
                self.too_long = True
                self.parts.clear()
                _ended(self.process)
                return
            self.parts.append(part)


def _ended(process: "subprocess.Popen[str]") -> None:
    """End the process group of a command: what it started may run on after it has ended itself."""
    with suppress(ProcessLookupError, PermissionError):  # nobody is left, or only a zombie
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # Windows: the command alone
            process.kill()
    process.wait()


def _folded(seed: Seed) -> int:
    from numpy.random import SeedSequence

    return int(SeedSequence(seed).generate_state(1, "uint64")[0] >> 1)


def _code_of(function: Callable[..., Any]) -> Any:
    if isinstance(function, Program):
        return function
    try:
        return code_of(function, "sampler", None)
    except ModelError as error:
        raise SamplerError(error.what, error.where or "sampler") from None


def _frozen(value: object) -> object:
    """Return an output as it is now: a list or an array that a sampler uses again would change."""
    fixed = value is None or isinstance(value, str | bytes | int | float)
    return value if fixed else copy.deepcopy(value)


def _failed(database: str, error: BaseException) -> SamplerError:
    """Say of a failure on which database it was."""
    where = f"sampler: database {quoted(database)}"
    if isinstance(error, ModelError):
        return SamplerError(error.what, where)
    return SamplerError(f"raised {type(error).__name__}: {error}", where)


def _generator(seed: Seed) -> object:
    from numpy.random import PCG64, Generator

    return Generator(PCG64(seed))


@contextmanager
def held_back(held: bool) -> Iterator[None]:
    """Hold the first Ctrl-C back until the end of the body, where signals can: a second one is not
    held back.
    """
    if not held or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(*_: object) -> None:
        came.append(1)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


@contextmanager
def _limited(seconds: float | None) -> Iterator[Callable[[], None]]:
    """Interrupt the body after so many seconds, where signals can; yields what starts them anew."""
    here = threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGALRM")
    if seconds is None or not here:
        yield lambda: None
        return

    def stop(*_: object) -> None:
        raise ModelError(f"did not end within {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield lambda: _restarted(seconds)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _restarted(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)
