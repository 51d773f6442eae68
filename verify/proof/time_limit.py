"""A limit on the time that a block of code may take, in time of the processor.

A clock on the wall counts what other programs take as well: then a busy machine leaves open what an
idle one decides. So limits count what the process itself takes, and the clock is only there for one
that waits for something that never comes.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pufferproof.models.errors import expect_unix

PATIENCE = 100
"""How many times a limit may pass by the clock: more than a busy machine slows anything down."""

LEAST = 1e-3
"""Seconds; a timer that is set to less than it can count would not run."""


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
