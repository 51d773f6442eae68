"""Solvers of HiGHS that print nothing and compute on one thread.

From version 1.16 on, the first solver of a process prints two lines on standard output before any
option can be set. They would stand in front of every answer.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from pufferproof.models.errors import extras

_ALONE = threading.Lock()


def highs(**options: Any) -> Any:
    """Return a solver of HiGHS with these options."""
    with extras:
        import highspy

    with _ALONE:  # two threads that keep and restore standard output would lose it
        _greeted()
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in {"output_flag": False, "threads": 1, **options}.items():
        solver.setOptionValue(name, value)
    return solver


@cache
def _greeted() -> None:
    """Have HiGHS print what it prints once in a process, where nobody reads it."""
    with extras:
        import highspy

    with _unread():
        highspy.Highs()  # type: ignore[no-untyped-call]


@contextmanager
def _unread() -> Iterator[None]:
    """Drop what libraries write on descriptor 1 while the body runs."""
    kept = None
    with suppress(OSError):  # standard output is closed: nothing can be written there
        kept = os.dup(1)
    if kept is None:
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(nowhere)
        os.close(kept)
