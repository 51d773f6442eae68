"""Calling samplers: Python functions, and commands that read databases and print outputs.

A function takes (database), (database, rng) or (database, size, rng), and a class is made of `rng`,
as `models.files.programs` reads signatures. `rng` is a NumPy generator with the seed of the user.
Databases come one by one, in an order that hides the secret of the next; `size` is 1, unless draws
are independent by the user's word: then all that a database needs are drawn in one call, which is
many times as fast. A command reads databases on standard input, one a line, and prints an output a
line; it is started once for many of them, and the variable PUFFERPROOF_SEED has a seed for it.
"""

import copy
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from secrets import token_hex
from typing import IO, TYPE_CHECKING, Any, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Program, code_of
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.text import quoted, shown
from pufferproof.verify.simulation.estimation.outputs import Labels, Outputs, joined, outputs_of, text_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

    partial: object = None


class Sampler(Protocol):
    """What outputs are drawn from; at most `most` at once, so that little is lost if it fails.

    `seeded` says whether it is given a seed, and `call_by_call` whether it is told a database only
    after it has given its output of the one before.
    """

    seeded: bool
    most: int
    call_by_call: bool

    def each(self, databases: Sequence[str], seed: Seed, outputs: list[object]) -> None:
        """Append one output of every database, which may come several times, in order."""


@dataclass
class Function:
    """A Python function; a call takes at most `seconds`, where the main thread runs it.

    `independent_draws` is the user's word that outputs of (database, size, rng) are independent
    draws of a law that the database alone determines. `given` are the records of databases by their
    labels, if the function takes these.
    """

    function: Callable[..., object]
    seconds: float | None
    independent_draws: bool = False
    given: Mapping[str, Sequence[object]] | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= _MOST_SECONDS:
            raise ModelError(f"expected more than 0 and at most {_MOST_SECONDS}, found {self.seconds:g}", "seconds")
        try:
            code = self.function if isinstance(self.function, Program) else code_of(self.function, "sampler", None)
        except ModelError as error:
            raise SamplerError(error.what, error.where or "sampler") from None
        self._code: Any = code.as_run if isinstance(code, Program) else code
        self.seeded = isinstance(code, Program)
        self.sized = isinstance(code, Program) and code.as_run.sized  # each call returns an array
        self.grouped = self.sized and self.independent_draws
        self.call_by_call = True
        self.most = _MOST if self.grouped else _LINES

    def each(self, databases: Sequence[str], seed: Seed, outputs: list[object]) -> None:
        rng, code = _generator(seed), self._code
        call: Callable[[str | list[object]], object] = code
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

    def _given(self, database: str) -> str | list[object]:
        return database if self.given is None else [*self.given[database]]

    def draw(self, asked: Asked, seed: Seed, outputs: list[object]) -> None:
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

    def each(self, databases: Sequence[str], seed: Seed, outputs: list[object]) -> None:
        for database in set(databases):
            if "\n" in database or "\r" in database:
                raise SamplerError("a command reads one database per line", f'"{database!r}"')
        parts = steps(range(0, len(databases), _LINES), "starts of the command")
        lines = [line for start in parts for line in self._printed(databases[start : start + _LINES], (*seed, start))]
        found = _numbers(lines) if self.numbers in (None, True) else None
        if self.numbers is None:
            self.numbers = found is not None
        if self.numbers and found is None:
            raise SamplerError("outputs are text, expected numbers as before", "sampler")
        outputs += found if found is not None else lines

    def _printed(self, databases: Sequence[str], seed: Seed) -> list[str]:
        from numpy.random import SeedSequence

        folded = int(SeedSequence(seed).generate_state(1, "uint64")[0] >> 1)
        environment = os.environ | {"PUFFERPROOF_SEED": str(folded)}
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
            printed, complaint = _answered(process, "".join(f"{database}\n" for database in databases), self.seconds)
        except subprocess.TimeoutExpired:
            raise SamplerError(f"did not end within {self.seconds:g} seconds", "sampler") from None
        finally:
            _ended(process)
        if process.returncode != 0:
            last = complaint.strip().splitlines()[-1:] or ["without a word"]
            raise SamplerError(f"ended with exit code {process.returncode}: {last[0]}{_READS}", "sampler")
        lines = printed.splitlines()
        if len(lines) != len(databases):
            raise SamplerError(f"expected {len(databases)} lines, one per database, found {len(lines)}", "sampler")
        return lines


def _numbers(lines: Sequence[str]) -> list[int] | list[float] | None:
    """Return lines as numbers, None unless all are."""
    with suppress(ValueError):
        return [int(line) for line in lines]
    with suppress(ValueError):
        return [float(line) for line in lines]
    return None


def _answered(process: "subprocess.Popen[str]", text: str, seconds: float | None) -> tuple[str, str]:
    """Return what a command prints for a text, and on standard error. Raises `SamplerError` if that
    is very much, before it fills the memory, and `TimeoutExpired`.
    """

    def write(stream: IO[str]) -> None:
        with suppress(BrokenPipeError, ValueError):  # of a command that may have stopped reading
            stream.write(text)
        with suppress(BrokenPipeError, ValueError):
            stream.close()

    readers = [_Reader(process, stream) for stream in (process.stdout, process.stderr)]
    writer = threading.Thread(target=write, args=(process.stdin,), daemon=True)
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


class _Reader(threading.Thread):
    """Reads what a command prints, and ends the command where that is very much."""

    def __init__(self, process: "subprocess.Popen[str]", stream: IO[str] | None) -> None:
        super().__init__(daemon=True)
        self.process, self.stream = process, stream
        self.parts: list[str] = []
        self.too_long = False

    def run(self) -> None:
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

    def start() -> None:
        signal.setitimer(signal.ITIMER_REAL, seconds)

    start()
    try:
        yield start
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# Outputs of many databases, sorted by what they are for: a secret, or a database of its own.
#
# Databases come one by one in a random order. So a sampler whose law changes from call to call, or that remembers,
# meets every secret alike. Where the user gives their word that draws are independent all outputs of one database are
# drawn in one call, and the calls come in a random order.

_TOSSES = 512  # of one hash


@dataclass(frozen=True)
class Coins:
    """A secret number of a run, of which all coins, databases and their order are made. No two runs
    have the same, and the sampler cannot tell the next from those that it has seen: the seed of
    each bundle of calls is a hash of the secret and the place of the bundle.
    """

    secret: str

    @classmethod
    def new(cls) -> "Coins":
        return cls(token_hex(16))

    @property
    def commitment(self) -> str:
        """The hash of the secret, which a file shows until the run has ended."""
        return f"sha256:{hashlib.sha256(self.secret.encode()).hexdigest()}"

    def seed(self, *place: int) -> int:
        """Return the seed of the stream at a place."""
        text = f"{self.secret}:{','.join(map(str, place))}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest())

    def tosses(self, size: int, bets: str, before: int) -> "NDArray[np.bool_]":
        """Return so many tosses of a fair coin after those `before`. 512 of them are the bits, the
        lowest of each byte first, of SHA-512 of a hash of the bets, the secret, and a number. So
        bets that somebody changes after the calls are not on these coins. True is the first secret.

        >>> int(Coins("a secret").tosses(1000, "bets", 0).sum())
        496
        """
        import numpy as np

        first, skipped = divmod(before, _TOSSES)
        last = -(-(before + size) // _TOSSES)
        texts = [f"{bets}:{self.secret}:{place}".encode() for place in range(first, last)]
        drawn = np.frombuffer(b"".join(hashlib.sha512(text).digest() for text in texts), np.uint8)
        bits = np.unpackbits(drawn, bitorder="little").astype(bool)
        return bits[skipped : skipped + size]


@dataclass
class Bundle:
    """Databases of some bins in the order in which a sampler is asked for them: of each its bin,
    its label, and of how many calls; `values` are the outputs so far.
    """

    sampler: Sampler
    bins: Sequence[Asked]
    order: "NDArray[np.int64]"
    values: list[Any] = field(default_factory=list)
    coins: "NDArray[np.bool_] | None" = None

    @classmethod
    def of(
        cls, sampler: Sampler, bins: Sequence[Asked], seed: int, coins: "NDArray[np.bool_] | None" = None
    ) -> "Bundle":
        """Return the databases of bins in an order that is drawn by a seed. Call by call the bin is
        the one that a coin shows, of two, the first if it is true.
        """
        import numpy as np
        from numpy.random import PCG64, Generator

        bundle = cls(sampler, bins, np.arange(0), coins=coins)
        places = np.arange(len(bundle.asked))
        if not bundle.grouped:
            places = np.repeat(places, [count for _, _, count in bundle.asked])
        bundle.order = Generator(PCG64(seed)).permutation(places)
        if coins is not None and not bundle.grouped:
            firsts = np.array([bin_ == 0 for bin_, _, _ in bundle.asked], dtype=bool)[bundle.order]
            mixed, bundle.order = bundle.order, np.empty_like(bundle.order)
            bundle.order[coins], bundle.order[~coins] = mixed[firsts], mixed[~firsts]
        return bundle

    @cached_property
    def asked(self) -> list[tuple[int, str, int]]:
        """Every database with its bin, and how often it is asked for."""
        return [(bin_, *each) for bin_, held in enumerate(self.bins) for each in held if each[1]]

    @property
    def grouped(self) -> bool:
        """Whether all outputs of a database are drawn in one call."""
        return isinstance(self.sampler, Function) and self.sampler.grouped

    def draw(self, seed: Seed) -> None:
        """Call the sampler. Raises `SamplerError`; what it gave until then stays in `values`."""
        asked = [self.asked[place][1:] for place in self.order.tolist()]
        if isinstance(self.sampler, Function) and self.grouped:
            self.sampler.draw(asked, seed, self.values)
        else:
            self.sampler.each([label for label, _ in asked], seed, self.values)

    def __iter__(self) -> Iterator[tuple[int, str, object]]:
        """Yield every known output with its bin and its database, in order."""
        for place, value in zip(self.order.tolist(), self.values):
            bin_, label, _ = self.asked[place]
            sized = isinstance(self.sampler, Function) and self.sampler.sized
            yield from ((bin_, label, each) for each in (value if sized else [value]))

    @property
    def calls(self) -> list[int]:
        """Of how many calls of each bin the outputs are known."""
        totals = [0] * len(self.bins)
        for place in self.order[: len(self.values)].tolist():
            bin_, _, count = self.asked[place]
            totals[bin_] += count if self.grouped else 1
        return totals

    @property
    def unknown(self) -> int:
        """How many calls the sampler was asked for without an output that is known: all that are
        left, or of one that is asked call by call those of the next.
        """
        left = self.order[len(self.values) :].tolist()
        counts = [self.asked[place][2] if self.grouped else 1 for place in left]
        return sum(counts[:1] if self.sampler.call_by_call else counts)

    def outputs(self) -> list[Outputs]:
        """Return the known outputs of every bin. Raises `SamplerError` if they cannot be used."""
        import numpy as np

        owners = np.array([bin_ for bin_, _, _ in self.asked], dtype=np.int64)
        owners = owners[self.order[: len(self.values)]]
        if not self.grouped and isinstance(self.sampler, Function) and self.sampler.sized:
            known = joined(self.values) if self.values else []
        else:
            known = self.values
        if isinstance(known, np.ndarray):
            parts: list[Any] = [known[owners == bin_] for bin_ in range(len(self.bins))]
        else:
            parts = [[] for _ in self.bins]
            for bin_, value in zip(owners.tolist(), known):
                parts[bin_].append(value)
        if self.grouped:
            parts = [joined(part) if part else part for part in parts]
        return [_outputs(part, held) for part, held in zip(parts, self.bins)]


def sampled(sampler: Sampler, bins: Sequence[Asked], coins: int, seed: Seed, record: list[Bundle]) -> list[Outputs]:
    """Return the outputs of the databases of every bin, asked for in an order that is drawn by
    `coins`; `seed` is the sampler's own. Appends the calls to a record. Raises `SamplerError`.
    """
    bundle = Bundle.of(sampler, bins, coins)
    bundle.draw(seed)
    record.append(bundle)
    return bundle.outputs()


def repeats(sampler: Sampler, databases: Asked, seed: Seed) -> bool:
    """Whether a sampler gives the same outputs again for the same databases and seed."""
    import numpy as np

    texts = []
    for _ in range(2):
        bundle = Bundle.of(sampler, [databases], 0)
        bundle.draw(seed)
        plain = [value.tolist() if hasattr(value, "tolist") else value for value in bundle.values]
        plain = [text_of(value) if isinstance(value, set | frozenset | dict) else value for value in plain]
        with np.printoptions(threshold=sys.maxsize):
            texts.append(repr(plain))
    return texts[0] == texts[1]


def same_kind(drawn: Sequence[Outputs], names: Sequence[str]) -> list[Outputs]:
    """Return outputs. Raises `SamplerError` where those of a database are of another kind."""
    known = [(name, each.kind) for name, each in zip(names, drawn) if each.kind is not None]
    for name, kind in known:
        if kind != known[0][1]:
            raise SamplerError(
                f"outputs are {kind}, expected {known[0][1]} as on database {quoted(known[0][0])}",
                f"sampler: database {quoted(name)}",
            )
    return list(drawn)


def _outputs(values: Sequence[object], asked: Asked) -> Outputs:
    if not len(values):
        return Labels(Counter(), None)
    try:
        return outputs_of(values)
    except ModelError as error:
        named = f": database {quoted(asked[0][0])}" if len(asked) == 1 else ""
        raise SamplerError(error.what, f"sampler{named}") from None
