"""Linear algebra of NumPy and SciPy on one thread, where processes share the processors already.

The threads of OpenBLAS wait for each other by spinning. For matrices of a few hundred rows they
gain little, and where other programs run they cost ten times the time.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL
from functools import cache
from pathlib import Path

from pufferproof.models.errors import extras

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
