"""One piece of work for every item, answered in order, on several processors where it is slow.

Work is begun here; where a fifth of a second shows that it is slow, a portion of the items that
follow is shared among copies of this process (`fork`, on Linux), which have the items without any
being sent. Only answers travel, without what they have of their items; one that cannot is computed
here. So quick work costs nothing more, no item is kept that is done, and the answers are those of
plain repetition.
"""

import io
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from pufferproof.models.interface.kinds import value_of

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
    most = processors() if jobs is None else jobs
    several = most if _may_fork() else 1
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


def _may_fork() -> bool:
    import multiprocessing

    forks = sys.platform == "linux" and hasattr(os, "fork")
    return forks and not multiprocessing.current_process().daemon
