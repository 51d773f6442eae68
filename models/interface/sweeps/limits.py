"""Limits on time: of a piece of work, in whichever thread it runs, and of work one by one."""

import ctypes
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

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
            _settle(thread)


def _settle(thread: int) -> None:
    """Let an error come here that was asked for in the last step of a body, not after it.

    To withdraw it would leave CPython 3.11 with a flag on which a profiled call never returns.
    """
    with suppress(Overdue):
        _raise_in(thread)
        for _ in range(1_000):
            pass


def _raise_in(thread: int) -> None:
    raised = ctypes.py_object(Overdue)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
