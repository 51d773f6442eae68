"""Loops over many items: shared among processors where they are slow, and, for a command that shows
how far they are, telling how many items are done.

Nothing is told, and nothing costs time, unless somebody watches.
"""

import io
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from pufferproof.models.errors import extras
from pufferproof.models.interface.kinds import value_of

# One piece of work for every item, answered in order, on several processors where it is slow.
#
# Work is begun here; where a fifth of a second shows that it is slow, a portion of the items that follow is shared
# among copies of this process (`fork`, on Linux), which have the items without any being sent. Only answers travel,
# without what they have of their items; one that cannot is computed here. So quick work costs nothing more, no item is
# kept that is done, and the answers are those of plain repetition.

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_PORTION = 4096
_ALONE = 0.2  # seconds of work that are done here at any rate
_SLOW = 0.001  # seconds an item, from which on copies are worth their start
_shared: tuple[Callable[[Any], Any], Sequence[Any]] | None = None  # what copies of this process do


def in_order(work: Callable[[Item], Answer], items: Iterable[Item], jobs: int | None = None) -> Iterator[Answer]:
    """Yield the answers of `work` for items, in their order.

    `jobs` is how many processes share what is slow: by default as many as there are processors;
    with 1 all is done here.

    >>> list(in_order(abs, [-1, 2]))
    [1, 2]
    """
    import multiprocessing

    most = processors() if jobs is None else jobs
    forks = sys.platform == "linux" and hasattr(os, "fork")
    several = most if forks and not multiprocessing.current_process().daemon else 1
    source = iter(items)
    alone, spent = 0, 0.0
    for item in source:
        begun = time.monotonic()
        answer = work(item)
        alone, spent = alone + 1, spent + time.monotonic() - begun
        yield answer
        if several > 1 and spent > _ALONE and spent > _SLOW * alone:
            rest = list(islice(source, _PORTION))
            yield from (_by_copies(work, rest, min(several, len(rest))) if len(rest) > 1 else map(work, rest))
            alone, spent = 0, 0.0


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _by_copies(work: Callable[[Item], Answer], items: Sequence[Item], jobs: int) -> Iterator[Answer]:
    """Yield answers computed by copies of this process, and here where a copy has none."""
    import multiprocessing
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    global _shared
    _shared = work, items
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"))
    done = 0
    try:
        size = max(1, min(16, len(items) // (4 * jobs)))
        for place, packed in enumerate(pool.map(_packed, range(len(items)), chunksize=size)):
            item = items[place]
            yield work(item) if packed is None else _Unpacker(io.BytesIO(packed), item).load()
            done += 1
    except BrokenExecutor:  # a copy was killed
        yield from map(work, items[done:])
    finally:
        pool.shutdown(cancel_futures=True)
        _shared = None


def _packed(place: int) -> bytes | None:
    """Return an answer as bytes, or None if it cannot be written so."""
    if _shared is None:
        return None
    work, items = _shared
    answer, packed = work(items[place]), io.BytesIO()
    try:
        _Packer(packed, items[place]).dump(answer)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
        return None
    return packed.getvalue()


def _parts(item: object) -> list[object]:
    """Return what an item is made of, and what that stands for."""
    parts = list(item) if isinstance(item, tuple | list) else [item]
    return parts + [value_of(part) for part in parts]


class _Packer(pickle.Pickler):
    """Writes an answer with references instead of parts of its item."""

    def __init__(self, file: io.BytesIO, item: object) -> None:
        super().__init__(file)
        self._places = {id(part): place for place, part in enumerate(_parts(item))}

    def persistent_id(self, value: object) -> int | None:
        return self._places.get(id(value))


class _Unpacker(pickle.Unpickler):
    """Reads what `_Packer` wrote, with the parts of the same item."""

    def __init__(self, file: io.BytesIO, item: object) -> None:
        super().__init__(file)
        self._all = _parts(item)

    def persistent_load(self, place: int) -> object:
        return self._all[place]


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


# Linear algebra of NumPy and SciPy on one thread, where processes share the processors already.
#
# The threads of OpenBLAS wait for each other by spinning. For matrices of a few hundred rows they gain little, and
# where other programs run they cost ten times the time.

_MAPS = Path("/proc/self/maps")  # which libraries this process has loaded, on Linux
_NAMES = [(prefix, suffix) for prefix in ("scipy_openblas", "openblas") for suffix in ("", "64_", "_64")]

Threads = tuple[Callable[[], int], Callable[[int], None]]


@contextmanager
def one_thread() -> Iterator[None]:
    """Have OpenBLAS compute on one thread meanwhile, as far as its libraries are found.

    >>> with one_thread():
    ...     max(threads(), default=1)
    1
    """
    before = threads()
    for _, put in _libraries():
        put(1)
    try:
        yield
    finally:
        for (_, put), count in zip(_libraries(), before):
            put(count)


def threads() -> list[int]:
    """Return how many threads each library that is found computes on."""
    return [get() for get, _ in _libraries()]


@cache
def _libraries() -> tuple[Threads, ...]:
    """Return how threads are read and set, for every OpenBLAS of NumPy and SciPy."""
    from ctypes import CDLL

    import numpy  # noqa: F401

    with extras:
        import scipy.linalg  # noqa: F401

    if not _MAPS.exists():
        return ()
    paths = {line.split(maxsplit=5)[-1] for line in _MAPS.read_text("utf-8").splitlines()}
    libraries = list[Threads]()
    for path in sorted(path for path in paths if "openblas" in Path(path).name):
        with suppress(OSError):  # a file that was replaced since it was loaded
            library = CDLL(path)
            libraries += [
                (getattr(library, one), getattr(library, other))
                for one, other in [(f"{a}_get_num_threads{b}", f"{a}_set_num_threads{b}") for a, b in _NAMES]
                if hasattr(library, one) and hasattr(library, other)
            ]
    return tuple(libraries)
