"""Limits on what a search computes, counted, and on the time of the processor that code may take.

Work is counted, so that no answer depends on how busy a machine is; the unit is about one
multiplication of floats, and solvers count by what their iterations take. A clock is only looked at
where somebody set a limit of seconds. What cannot be counted has a limit in time of the processor:
a clock on the wall, which counts what other programs take as well, is only there for one that waits
for something that never comes.
"""

import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from pufferproof.models.errors import expect_unix

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
