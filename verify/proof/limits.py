"""Limits on what a search computes, counted, and on the time of the processor that code may take.

Work is counted, so that no answer depends on how busy a machine is; the unit is about one
multiplication of floats, and solvers count by what their iterations take. A clock is only looked at
where somebody set a limit of seconds. What cannot be counted has a limit in time of the processor:
a clock on the wall, which counts what other programs take as well, is only there for one that waits
for something that never comes.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from pufferproof.models.errors import expect_unix

PATIENCE = 100
"""How many times a limit may pass by the clock: more than a busy machine slows anything down."""

LEAST = 1e-3
"""Seconds; a timer that is set to less than it can count would not run."""


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
    try:
        yield
    finally:
        for timer, _ in timers.values():
            signal.setitimer(timer, 0)
        for each, handler in before.items():
            signal.signal(each, handler)


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
