"""Formulas over the reals as SMT-LIB 2, decided by Z3 and cross-checked by cvc5, each in a process
that can be killed.

Limits count what Z3 computes, and cvc5 in linear arithmetic. cvc5 does not count what it does with
products: a clock of the processor stops it. That is a "timeout", and no such result is kept.

Formulas are Boolean combinations of sympy relations of polynomials and quotients. One printer makes
the text that both solvers read. "unknown", a limit and a crash are no verdict. Division by zero is
left unconstrained, as SMT-LIB has it: "unsat" then holds whatever it means; a model is only
believed once the formula has been evaluated exactly.
"""

import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from math import inf
from time import monotonic
from typing import IO, TYPE_CHECKING

from pufferproof.models.errors import SolverError, expect_unix, extras, missing_package

if TYPE_CHECKING:
    from sympy import Basic

# Limits on what a search computes, counted, and on the time of the processor that code may take.
#
# Work is counted, so that no answer depends on how busy a machine is; the unit is about one multiplication of floats,
# and solvers count by what their iterations take. A clock is only looked at where somebody set a limit of seconds.
# What cannot be counted has a limit in time of the processor: a clock on the wall, which counts what other programs
# take as well, is only there for one that waits for something that never comes.

PATIENCE = 100
"""How many times a limit may pass by the clock: more than a busy machine slows anything down."""

LEAST = 1e-3
"""Seconds; a timer that is set to less than it can count would not run."""


ROOM = 2_000_000_000
"""Bytes that what documents compute may take beside what a process has already."""
_FULL = 3  # the exit code of a process that had too little memory

USUAL_NUMBER = 1000


@dataclass(frozen=True)
class Effort:
    """On how many instances that meet the hypotheses statements are tried, half of them hard ones
    if there are so many; and which: another seed draws others.
    """

    instances: int = USUAL_NUMBER
    seed: str = ""


USUAL = Effort()


class OutOfTime(Exception):  # noqa: N818
    """A step took longer than its limit."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in the body once it has taken so many seconds of the processor: only in the
    main thread, where a worker examines its claims.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    expect_unix("a limit on the time of a step")

    def ring(*_: object) -> None:
        raise OutOfTime

    timers = {
        signal.SIGPROF: (signal.ITIMER_PROF, max(seconds, LEAST)),
        signal.SIGALRM: (signal.ITIMER_REAL, PATIENCE * max(seconds, LEAST)),
    }
    before = {each: signal.signal(each, ring) for each in timers}
    for timer, after in timers.values():
        signal.setitimer(timer, after)
    if _ending:
        signal.setitimer(signal.ITIMER_VIRTUAL, _ending)
    try:
        yield
    finally:
        for timer, _ in timers.values():
            signal.setitimer(timer, 0)
        if _ending:
            signal.setitimer(signal.ITIMER_VIRTUAL, _ending)
        for each, handler in before.items():
            signal.signal(each, handler)


def limit_met(work: Callable[[], object], seconds: float) -> str:
    """Return which limit work goes beyond in a process of its own, "" if it ends within all of
    them: then it may be done here. What it raises there it will raise here too.
    """
    expect_unix("a limit on what a document computes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of copying a process with threads
        child = os.fork()
    if not child:
        _end_with(work, seconds)
    try:
        status = os.waitpid(child, 0)[1]
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    code = os.waitstatus_to_exitcode(status)
    if code in (-signal.SIGPROF, -signal.SIGALRM):
        return f"{seconds:g} s of the processor, which --timeout SECONDS sets"
    if code in (_FULL, -signal.SIGKILL):
        return f"{ROOM // 10**9} GB of memory"
    return f"Python can stand, which ends with {signal.Signals(-code).name}" if code < 0 else ""


def _end_with(work: Callable[[], object], seconds: float) -> None:
    """Do work in this process, which a system's timer or its end of memory ends, wherever it is."""
    code = 0
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for each in (0, 1, 2):
            os.dup2(nothing, each)
        for each in (signal.SIGPROF, signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, max(seconds, LEAST))
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * max(seconds, LEAST))
        bound_memory()
        work()
    except MemoryError:
        code = _FULL
    except BaseException as error:
        code = _FULL if isinstance(error.__cause__ or error.__context__, MemoryError) else 0
    finally:
        os._exit(code)


def bound_memory() -> None:
    """Let this process take no more memory than it has and `ROOM`, where the system can say so."""
    import resource

    try:
        with open("/proc/self/statm", "rb") as file:
            has = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # a system without it
        has = ROOM
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > has + ROOM:
        resource.setrlimit(resource.RLIMIT_AS, (has + ROOM, most))


@contextmanager
def ending(seconds: float) -> Iterator[None]:
    """End a process that carries out units if the body, or what it does between two steps that have
    a limit, takes so many seconds of the processor: what runs inside one call of Python's own
    functions hears of no other limit. In any other process it does nothing.
    """
    global _ending
    if multiprocessing.parent_process() is None:
        yield
        return
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    _ending = seconds
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        _ending = 0.0
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


_ending = 0.0  # seconds of the processor after which this process ends, 0 for none


@dataclass
class Work:
    """What a search may compute, and has computed.

    >>> work = Work(100)
    >>> half = work.part(0.5)
    >>> half.spend(50)
    >>> half.over, work.over, work.left
    (True, False, 50.0)

    Args:
        most: how much may be computed.
        seconds: for how long, of a person's own choice; no limit if left out.
    """

    most: float = inf
    seconds: float | None = None
    _done: float = field(default=0.0, init=False)
    _end: float = field(default=inf, init=False)
    _whole: "Work | None" = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.seconds is not None:
            self._end = monotonic() + self.seconds

    def spend(self, amount: float) -> None:
        """Count what was computed, here and in what this is a part of."""
        self._done += amount
        if self._whole is not None:
            self._whole.spend(amount)

    @property
    def left(self) -> float:
        """How much may still be computed."""
        return max(self.most - self._done, 0.0)

    @property
    def seconds_left(self) -> float:
        """The seconds that are left, infinite without a limit."""
        return max(self._end - monotonic(), 0.0) if self._end < inf else inf

    @property
    def deadline(self) -> float | None:
        """When the seconds are over, as `time.monotonic` counts; None without a limit."""
        return self._end if self._end < inf else None

    def patience(self, share: float = 1.0) -> float | None:
        """Return a share of the seconds that are left, None without a limit."""
        return None if self.deadline is None else self.seconds_left * share

    @property
    def stopped(self) -> str | None:
        """What a search has to stop for, "work" or "seconds", or None."""
        if self.left <= 0:
            return "work"
        return "seconds" if self.seconds_left <= 0 else None

    @property
    def over(self) -> bool:
        """Whether a search has to stop."""
        return self.stopped is not None

    def part(self, share: float) -> "Work":
        """Return a share of what is left, which is counted here too."""
        return self._of(share, self)

    def apart(self) -> "Work":
        """Return what is left, for work that another process may do and that is counted later."""
        return self._of(1.0, None)

    def _of(self, share: float, whole: "Work | None") -> "Work":
        part = Work(self.left * share)
        part._end, part._whole = monotonic() + self.seconds_left * share, whole
        return part

    @property
    def done(self) -> float:
        """How much was computed."""
        return self._done


# Solvers ------------------------------------------------------------------------------------------
#
# Solvers in processes of their own: imported once, and queries answered in a fork that can be
# killed.
#
# Importing Z3 or cvc5 takes longer than most queries. A prepared process imports one solver and
# forks. The fork answers one request at a time, each with a solver made for it alone. A timer
# kills it when one takes too much time of the processor: a busy machine gives the same answers.
# After that, after a crash, and after `ANSWERS` requests there is a new fork: no query sees what
# became of another. Both processes end when the pipe is closed. The interpreter does not look for
# modules in the working directory (`-P`): a file `z3.py` there is not run.

ANSWERS = 200
"""After how many requests a fork makes room for a new one: what a library keeps does not pile up.
"""

_LOOP = """
import io, os, select, signal, struct, sys, time
{imports}

def decide(text, print):
{decide}

def whole(source, size):
    parts = []
    while size and (part := os.read(source, min(size, 65536))):
        parts.append(part)
        size -= len(part)
    return None if size else b"".join(parts)

def sent(target, *parts):
    content = struct.pack("<Q", len(parts[-1])) + b"".join(parts)
    while content:
        content = content[os.write(target, content):]

def answers(source, target):
    while (header := whole(source, 16)) is not None:
        size, seconds = struct.unpack("<Qd", header)
        text, said = whole(source, size), io.StringIO()
        signal.setitimer(signal.ITIMER_PROF, max(seconds, {least}))  # kills it
        decide(text.decode(), lambda *values: said.write(" ".join(map(str, values)) + chr(10)))
        signal.setitimer(signal.ITIMER_PROF, 0)
        sent(target, said.getvalue().encode())

class Fork:
    def __init__(self):
        (asked, self.target), (self.source, told) = os.pipe(), os.pipe()
        self.left, self.child = {answers}, os.fork()
        if self.child == 0:
            try:
                os.close(self.target), os.close(self.source)
                answers(asked, told)
            finally:
                os._exit(0)
        os.close(asked), os.close(told)

    def ask(self, text, seconds, patience):  # None if it is not there in time
        self.left -= 1
        end, said = time.monotonic() + patience, b""
        try:
            sent(self.target, struct.pack("<d", seconds), text)
        except BrokenPipeError:
            self.left = 0
            return b""
        while len(said) < 8 or len(said) < 8 + struct.unpack("<Q", said[:8])[0]:
            ready = select.select([self.source, 0], [], [], max(0.0, end - time.monotonic()))[0]
            if 0 in ready:  # whoever asked is gone: no other request comes before this answer
                self.end()
                os._exit(0)
            part = os.read(self.source, 65536) if ready else b""
            if not part:  # its time is over, or it crashed
                self.left = 0
                return None if not ready or self.ended() == -signal.SIGPROF else b""
            said += part
        return said[8:]

    def ended(self):  # by which signal, or with which code
        status = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        self.child = 0
        return status

    def end(self):
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            self.ended()
        os.close(self.target), os.close(self.source)

signal.signal(signal.SIGPIPE, signal.SIG_IGN)
signal.signal(signal.SIGPROF, signal.SIG_DFL)
requests, replies, fork = sys.stdin.buffer, os.fdopen(os.dup(1), "wb"), None
while len(header := requests.read(24)) == 24:
    size, seconds, patience = struct.unpack("<Qdd", header)
    text = requests.read(size)
    fork = fork or Fork()
    said = fork.ask(text, seconds, patience)
    if fork.left == 0:
        fork = fork.end()
    replies.write(struct.pack("<Q?", len(said or b""), said is None) + (said or b""))
    replies.flush()
if fork:
    fork.end()
"""


class SolverProcess:
    """One prepared process.

    Args:
        imports: the import statement of the solver.
        decide: the body of a function of `text` that prints the answer. It is called again and
            again in one process, and makes all that it uses anew.
    """

    def __init__(self, imports: str, decide: str) -> None:
        body = "\n".join(f"    {line}" for line in decide.strip().splitlines())
        self._imports = imports
        self._script = _LOOP.format(imports=imports, decide=body, answers=ANSWERS, least=LEAST)
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def ask(self, text: str, seconds: float, patience: float | None = None) -> str | None:
        """Return what the solver printed, "" if it crashed, None if it was stopped after `seconds`
        of the processor, or after `patience` by the clock: `PATIENCE` times as long if left out.
        """
        limits = seconds, PATIENCE * seconds if patience is None else patience
        with self._lock:
            try:
                return self._exchange(text.encode(), limits)
            except (BrokenPipeError, EOFError):  # the process is gone: nothing is decided
                self._stop()
                return ""
            except BaseException:  # interrupted between request and reply: the pipe is out of step
                self._stop()
                raise

    def _exchange(self, text: bytes, limits: tuple[float, float]) -> str | None:
        requests, replies = self._pipes()
        requests.write(struct.pack("<Qdd", len(text), *limits) + text)
        requests.flush()
        header = replies.read(9)
        if len(header) < 9:
            raise EOFError("the prepared process ended")
        size, stopped = struct.unpack("<Q?", header)
        said = replies.read(size)
        return None if stopped else said.decode()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self._process = self._begun()
            self._owner = os.getpid()
        requests, replies = self._process.stdin, self._process.stdout
        if requests is None or replies is None:
            raise EOFError("the prepared process has no pipes")
        return requests, replies

    def _begun(self) -> "subprocess.Popen[bytes]":
        expect_unix("solvers of formulas")
        # raise `MissingPackageError` if an extra has the solver, and is not installed
        package = self._imports.split()[-1]
        missing = missing_package(ModuleNotFoundError(name=package))
        hidden = package in sys.modules and sys.modules[package] is None
        if missing and (hidden or find_spec(package) is None):
            raise missing
        try:
            return subprocess.Popen(
                [sys.executable, "-P", "-c", self._script],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except TimeoutError:  # of whoever asked
            raise
        except OSError as error:
            raise EOFError("no process begins") from error

    def _stop(self) -> None:
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        self._process = None


# Smt ----------------------------------------------------------------------------------------------

_Z3 = SolverProcess(
    "import z3",
    """
units, _, text = text.partition("\\n")
solver = z3.Solver(ctx=z3.Context())
solver.set("rlimit", int(units))
solver.from_string(text)
answer = solver.check()
why = solver.reason_unknown() if answer == z3.unknown else ""
spent = "resource" in why or why == "canceled"  # by the count: there is no other limit
print("limit" if spent else answer)
if answer == z3.sat:
    model = solver.model()
    for name in model.decls():
        value = model[name]
        rational = z3.is_rational_value(value)
        ratio = f"{value.numerator_as_long()}/{value.denominator_as_long()}" if rational else ""
        print(name.name(), ratio or "irrational")
""",
)
_CVC5 = SolverProcess(
    "import cvc5",
    """
terms = cvc5.TermManager()
solver = cvc5.Solver(terms)
parser = cvc5.InputParser(solver, cvc5.SymbolManager(terms))
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
symbols = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    said = command.invoke(solver, symbols)
    if said.strip():
        print(said.strip())
""",
)
_PROCESSES = {"z3": _Z3, "cvc5": _CVC5}
_UNITS = {"z3": 5_000_000, "cvc5": 1_000_000}  # of its own count, that a solver does in a second
_SLOW = 10  # times as long may take what is counted, before a clock stops it
_STOPPED = {"limit": "stopped by its limit, which counts work", "timeout": "timeout, by a clock of the processor"}
_COVERINGS = "(set-option :nl-ext none)\n"
_COVERINGS_SECONDS = 0.3  # then cvc5 starts over as it comes, with all the time there is


@dataclass(frozen=True)
class Answer:
    """What one solver said: "unsat", "sat", "unknown", "limit" (it did all the work that it may),
    "timeout" (a clock stopped it) or "error"; `model` has the rational values of a sat.
    """

    solver: str
    status: str
    model: tuple[tuple[str, Fraction | None], ...] = ()

    @property
    def words(self) -> str:
        """The status, and what stopped the solver."""
        return _STOPPED.get(self.status, self.status)


def smtlib(assumptions: "Sequence[Basic]", conclusion: object) -> str:
    """Return the query that is unsatisfiable iff the assumptions imply the conclusion for all
    reals.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> print(smtlib([x >= 1], x**2 >= x))
    (set-logic QF_NRA)
    (declare-fun x () Real)
    (assert (>= x 1))
    (assert (not (>= (* x x) x)))
    (check-sat)
    <BLANKLINE>
    """
    symbols = sorted({symbol.name for formula in [*assumptions, conclusion] for symbol in formula.free_symbols})
    for name in symbols:
        if not (name.isidentifier() and name.isascii()):
            said = f'expected variables that are identifiers of ASCII letters, found "{name}"'
            raise SolverError(said)
    lines = ["(set-logic QF_NRA)", *(f"(declare-fun {name} () Real)" for name in symbols)]
    lines += [f"(assert {_text(formula)})" for formula in assumptions]
    lines += [f"(assert (not {_text(conclusion)}))", "(check-sat)"]
    return "\n".join(lines) + "\n"


@cache
def ask(solver: str, query: str, timeout: float) -> Answer:
    """Return what `decided` says, asked once."""
    return decided(solver, query, timeout)


def decided(solver: str, query: str, timeout: float, patience: float | None = None) -> Answer:
    """Run one solver ("z3" or "cvc5") on a query in a process of its own, for as much work as it
    does in about `timeout` seconds, by its own count. A clock stops it after 10 times as many
    seconds of the processor (10 at least), and cvc5 on products after `timeout`; or after
    `patience` seconds of somebody's choice (`SolverProcess.ask`).

    Without `patience`, cvc5 first decides by cylindrical coverings alone, which mostly takes a
    third of the time; where that tells nothing, it does what it does by default, and if a clock
    stops that, all coverings: whether the first of them came in time then changes nothing.
    """
    process, units = _PROCESSES[solver], max(1, int(timeout * _UNITS[solver]))
    long = _SLOW * max(timeout, 1.0)
    if solver == "z3":
        return _answer(solver, process.ask(f"{units}\n{query}", long, patience))
    if "(set-logic QF_LRA)" in query:
        counted = f"(set-option :rlimit {units})\n{query}"
        return _answer(solver, process.ask(counted, long, patience))
    if patience is not None:
        return _answer(solver, process.ask(query, timeout, patience))
    short = min(timeout, _COVERINGS_SECONDS)
    for options, seconds in ((_COVERINGS, short), ("", timeout), (_COVERINGS, timeout)):
        answer = _answer(solver, process.ask(options + query, seconds, patience))
        if answer.status in ("sat", "unsat") or (not options and answer.status != "timeout"):
            break
    return answer


def _answer(solver: str, said: str | None) -> Answer:
    if said is None:
        return Answer(solver, "timeout")
    first, *lines = said.split("\n") if said.strip() else ["error"]
    status, _, why = first.partition(" ")  # cvc5 says why it is unknown
    if (status, why) == ("limit", "") or (status == "unknown" and "RESOURCEOUT" in why):
        return Answer(solver, "limit")
    if status not in ("sat", "unsat", "unknown"):
        return Answer(solver, "error")
    # not Z3's value of x / 0
    values = [line.split(" ") for line in lines if line and not line.startswith("/")]
    try:
        model = [(name, None if text == "irrational" else Fraction(text)) for name, text in values]
    except (ValueError, ZeroDivisionError):
        return Answer(solver, "error")
    return Answer(solver, status, tuple(model))


def _text(formula: "Basic") -> str:
    with extras:
        import sympy

    if formula is sympy.true or formula is sympy.false:
        return str(formula).lower()
    kind = type(formula).__name__
    if isinstance(formula, sympy.Ne):
        return f"(not (= {_text(formula.lhs)} {_text(formula.rhs)}))"
    if isinstance(formula, sympy.core.relational.Relational):
        return f"({formula.rel_op.replace('==', '=')} {_text(formula.lhs)} {_text(formula.rhs)})"
    if kind in ("And", "Or", "Not", "Implies", "Xor"):
        name = {"Implies": "=>"}.get(kind, kind.lower())
        return f"({name} {' '.join(_text(part) for part in formula.args)})"
    if kind == "Equivalent":
        return f"(= {' '.join(_text(part) for part in formula.args)})"
    return _term(formula)


def _term(term: "Basic") -> str:
    with extras:
        import sympy

    if term.is_Symbol:
        return str(term.name)
    if term.is_Rational:
        return _number(Fraction(int(term.p), int(term.q)))
    if term.is_Add or term.is_Mul:
        return f"({'+' if term.is_Add else '*'} {' '.join(_term(part) for part in term.args)})"
    if term.is_Pow and term.exp.is_Integer and term.exp != 0:
        power = int(term.exp)
        base = _term(term.base)
        product = base if abs(power) == 1 else f"(* {' '.join([base] * abs(power))})"
        return product if power > 0 else f"(/ 1 {product})"
    if isinstance(term, sympy.Max | sympy.Min):
        sign = ">=" if isinstance(term, sympy.Max) else "<="
        first, *others = (_term(part) for part in term.args)
        for other in others:
            first = f"(ite ({sign} {first} {other}) {first} {other})"
        return first
    if isinstance(term, sympy.Abs):
        inner = _term(term.args[0])
        return f"(ite (>= {inner} 0) {inner} (- {inner}))"
    raise SolverError(f"expected a polynomial or a quotient with rational coefficients, found {term}")


def _number(value: Fraction) -> str:
    above = str(abs(value.numerator)) if value.denominator == 1 else f"(/ {abs(value.numerator)} {value.denominator})"
    return f"(- {above})" if value < 0 else above
