"""What fuzzing does with its inputs, whatever reads them: a limit of work for each, and counts of
what became of all.
"""

import signal
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType


class TooLong(BaseException):
    """Raised by the alarm; no Exception, so that nothing catches it."""


def ring(number: int, frame: FrameType | None) -> None:
    raise TooLong


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TooLong` after so many seconds of work."""
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def counted(
    inputs: Iterable[str], verdict: Callable[[str], str], bad: Collection[str]
) -> dict[str, dict[str, int] | list[str]]:
    """Try what words draw: how many came to what, and the words that draw each that came to what
    is bad.
    """
    counts, found = Counter[str](), []
    for words in inputs:
        kind, _, why = verdict(words).partition(":")
        counts[kind] += 1
        if kind in bad:
            found.append(f"{kind.upper()} {words}{why}")
    return {"counts": dict(counts), "found": found}
