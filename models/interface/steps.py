"""How far long work is, for a command that shows it: a loop tells how many of its items are done.

Nothing is told, and nothing costs time, unless somebody watches.
"""

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Watcher = Callable[[str], None]

_MOST_TOLD = 200  # times that a loop tells
_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Call `watcher` with text such as `12 of 52 releases` before every item of the loops in the
    body.
    """
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def steps(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Yield items, and tell before each, or before every few of many, how many are done. Of loops
    in one another the outermost tells, unless it has one item alone.

    Args:
        items: a collection, or any iterable if `total` says how many it has.
        what: a plural noun.

    >>> told = []
    >>> with watched(told.append):
    ...     both = [(a, b) for a in steps("xy", "letters") for b in steps(range(3), "numbers")]
    >>> told, len(both)
    (['0 of 2 letters', '1 of 2 letters'], 6)
    """
    watcher = _WATCHER.get()
    if total is None and isinstance(items, Sized):
        total = len(items)
    if watcher is None or total is None or total < 2:
        yield from items
        return
    _WATCHER.set(None)
    try:
        every = max(1, total // _MOST_TOLD)
        for done, item in enumerate(items):
            if done % every == 0:
                watcher(f"{done:,} of {total:,} {what}")
            yield item
    finally:
        _WATCHER.set(watcher)
