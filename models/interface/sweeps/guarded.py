"""A client of a dask scheduler that runs nothing of what a scheduler or its workers send.

The client of dask.distributed reads pickles in many places: results, exceptions, tracebacks, types,
warnings, and any part of any message. Its option `deserializers` closes the first of them. For the
others Python is asked: as long as a guard is open, no pickle that dask reads may look up a name.
Without names, a pickle makes only plain data. What the client would print or import of events and
exceptions is left out.

What stays: who sends messages may delay the command, fill its memory, and answer wrongly.
"""

import pickletools
import sys
import threading
from types import FrameType

from distributed import Client

PLAIN = ["msgpack", "error"]  # the formats of results
_BYTES = ("builtins", "bytes")  # the only name that a pickle may look up: exceptions come as bytes
_LONGEST, _LOOKED_AT = 200, 2**16
_CLIENT = Client.__module__
_guards: list["Guard"] = []


class Guard:
    """What was refused since the guard was opened: the name that a pickle looked up, or None."""

    def __init__(self) -> None:
        self.refused: str | None = None
        self.threads: set[int] = set()  # in which a client reads
        if not _installed:
            sys.addaudithook(_audit)
            _installed.append(True)
        _guards.append(self)

    def watch(self) -> None:
        """Refuse what dask reads in this thread."""
        self.threads.add(threading.get_ident())

    def close(self) -> None:
        """Let pickles of dask look up names again."""
        if self in _guards:
            _guards.remove(self)


_installed: list[bool] = []


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse that a pickle, read by dask, looks up a name."""
    if event == "pickle.find_class" and _guards and arguments != _BYTES and _is_read_by_dask():
        name = ".".join(map(str, arguments))
        for guard in _guards:
            guard.refused = name
        raise TypeError(f"{name} in a pickle is refused")


def _is_read_by_dask() -> bool:
    """Whether a client of dask reads: in its own thread, or in those that read what is large. A
    scheduler or a worker in this process reads in threads of its own.
    """
    thread = threading.current_thread()
    watched = thread.name.startswith("Dask-Offload")
    watched |= any(thread.ident in guard.threads for guard in _guards)
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module == _CLIENT or (watched and module.startswith("distributed.")):
            return True
        frame = frame.f_back
    return False


class GuardedClient(Client):
    """A client that reads no pickle where it can do without."""

    async def _start(self, *arguments: object, **options: object) -> object:
        """Watch the thread in which everything is read."""
        for guard in _guards:
            guard.watch()
        return await super()._start(*arguments, **options)  # type: ignore[no-untyped-call]

    def __del__(self) -> None:
        """Wait for no scheduler: who opened a client closes it."""

    async def _handle_event(self, topic: object = None, event: object = None) -> None:
        """Print no lines and no warnings of workers."""

    def _handle_key_in_memory(self, key: object = None, type: object = None, workers: object = None) -> None:
        """Do not look at the type of a result."""
        super()._handle_key_in_memory(key=key, workers=workers)  # type: ignore[no-untyped-call]

    def _handle_task_erred(self, key: object = None, exception: object = None, traceback: object = None) -> None:
        """Keep the words of an exception alone."""
        words = words_of(exception)
        super()._handle_task_erred(key=key, exception=words)  # type: ignore[no-untyped-call]


def words_of(pickled: object) -> str:
    """Return the names and texts in a pickle, which is not loaded.

    >>> import pickle
    >>> words_of(pickle.dumps(["no module", pickle.loads]))
    'no module _pickle loads'
    """
    words: list[str] = []
    try:
        for _, found, _ in pickletools.genops(bytes(pickled[:_LOOKED_AT])):  # type: ignore[index]
            words += [found] if isinstance(found, str) else []
    except Exception:  # it is damaged, or something else: what was read so far is enough
        pass
    text = " ".join(" ".join(words).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
