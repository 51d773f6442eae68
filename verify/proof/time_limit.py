"""A limit on the time that a block of code may take."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfTime(Exception):  # noqa: N818
    """A step took longer than its limit."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in the body after a time: only in the main thread, where a worker
    examines its claims.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
