"""What fuzzing does with its inputs, whatever reads them: a limit of work and of memory for each,
and counts of what became of all.
"""

import resource
import signal
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

Portion = dict[str, Any]
ROOM = 512  # MB of memory that an input may take


class TooLong(BaseException):
    """Raised by the alarm; no Exception, so that nothing catches it."""


class TooHungry(BaseException):
    """Raised where an input took more memory than it may; the text says how much."""


def ring(number: int, frame: FrameType | None) -> None:
    raise TooLong


@contextmanager
def limited(seconds: float, room: float | None = None) -> Iterator[None]:
    """Raise `TooLong` after so many seconds of work, and `TooHungry` where the body took more
    memory than `room`, in MB, `ROOM` if left out: as far as this process never had as much before.
    """
    had, most, room = resident(), peak(), ROOM if room is None else room
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if most < peak() > had + room:
            raise TooHungry(f"{peak() - had:.0f} MB")


def peak() -> float:
    """The memory that this process had at most, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident() -> float:
    """The memory that this process has, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def counted(inputs: Iterable[str], verdict: Callable[[str], str], bad: Collection[str]) -> Portion:
    """Try what words draw: how many came to what, the words that draw each that came to what is
    bad, and the memory that the process had at most.
    """
    counts, found = Counter[str](), []
    for words in inputs:
        kind, _, why = verdict(words).partition(":")
        counts[kind] += 1
        if kind in bad:
            found.append(f"{kind.upper()} {words}{why}")
    return {"counts": dict(counts), "found": found, "peak": round(peak())}
