"""Units carried out by the workers of a dask.distributed scheduler, on this machine or others.

The library is imported when a scheduler is asked for. Whoever can talk to a scheduler can run code
there and on its workers. Nothing that comes from there runs here: answers are bytes of JSON
(`answers.py`), and no pickle is loaded (`guarded.py`).
"""

import logging
import warnings
from collections.abc import Iterable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.interface.sweeps.answers import carried_out, read
from pufferproof.models.interface.sweeps.executors import LostError
from pufferproof.models.interface.sweeps.units import DIED, Said, Unit
from pufferproof.models.numbers.text import shown

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.guarded import Guard

_PATIENCE = 10  # seconds for the scheduler to answer
_LOGS = ("distributed", "distributed.client", "tornado.application")


def _library() -> Any:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise ModelError(of_extra("dask.distributed", "dask"), "--scheduler") from None
    from pufferproof.models.interface.sweeps import guarded

    for name in _LOGS:  # what is lost is said in one line, by the sweep
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return guarded


class Cluster:
    """The workers of a scheduler, as many as there are at any time.

    Raises `ModelError` where the library is not installed, or no scheduler answers.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._tasks: dict[Future[Said], Any] = {}
        library = _library()
        self._guard: Guard = library.Guard()
        options = {"timeout": _PATIENCE, "set_as_default": False, "deserializers": library.PLAIN}
        try:
            with warnings.catch_warnings(action="ignore"):  # of versions, which answers name
                self._client: Any = library.GuardedClient(address, **options)
        except Exception as error:  # of the library, about whatever was sent
            self._guard.close()
            self._expect_nothing_refused()
            said = shown(str(error) or type(error).__name__, 200)
            raise ModelError(f"no scheduler answers at {address}: {said}", "--scheduler") from None

    @property
    def width(self) -> int:
        """How many threads the workers have; at least 1, which waits for a worker."""
        threads: dict[str, int] = self._asked("ncores")
        return max(1, sum(threads.values()))

    def submit(self, unit: Unit, limit: float | None) -> "Future[Said]":
        """Send a unit; its key is its name."""
        for each in [future for future in self._tasks if future.done()]:
            del self._tasks[each]
        future = Future[Said]()
        call = unit.function, unit.arguments, unit.version, limit
        self._tasks[future] = task = self._asked("submit", carried_out, *call, key=unit.name)
        task.add_done_callback(partial(self._told, future))
        return future

    def _told(self, future: "Future[Said]", task: Any) -> None:
        """Pass on what became of a task: whatever it is, the one who waits hears of it."""
        said: Said | Exception
        try:
            said = self._said(task)
        except Exception as error:
            said = error
        with suppress(InvalidStateError):  # it was given up meanwhile
            if isinstance(said, Exception):
                future.set_exception(said)
            else:
                future.set_result(said)

    def _said(self, task: Any) -> Said:
        """Return what a worker says of a task. Raises `ModelError` for anything else that comes."""
        if task.status == "finished":
            try:
                answer = task.result()
            except Exception:
                answer = None  # no bytes
            self._expect_running()
            return read(answer)
        if task.status != "error":
            raise self._lost()
        words = f"{task.exception()}"
        if "KilledWorker" in words:  # the scheduler has tried several
            return DIED, "several workers died with it", 0.0
        raise ModelError(
            f"a worker could not begin a unit, expected this version of pufferproof there: "
            f"{shown(words, 200)}",
            "--scheduler",
        )

    def is_running(self, future: "Future[Said]") -> bool:
        """Whether a worker has a unit."""
        return bool(self._holders(future))

    def _holders(self, future: "Future[Said]") -> list[str]:
        key = self._tasks[future].key
        held: dict[str, Iterable[str]] = self._asked("processing")
        return [worker for worker, keys in held.items() if key in keys]

    def stop(self, future: "Future[Said]") -> None:
        """Restart the worker that has a unit; its other units go to other workers."""
        holders = self._holders(future)
        future.cancel()
        self._tasks.pop(future).cancel()
        if holders:
            self._asked("restart_workers", holders, timeout=_PATIENCE, raise_for_error=False)

    def _asked(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Call a function of the client. Raises `LostError` where there is no connection, and
        `ModelError` where something else than plain data came.
        """
        self._expect_running()
        try:
            return getattr(self._client, name)(*arguments, **options)
        except Exception:
            self._expect_nothing_refused()
            raise self._lost() from None

    def _expect_running(self) -> None:
        self._expect_nothing_refused()
        if self._client.status != "running":
            raise self._lost()

    def _expect_nothing_refused(self) -> None:
        if self._guard.refused is not None:
            raise ModelError(
                f"a worker or the scheduler at {self.address} sent an object that would call "
                f"{shown(self._guard.refused)} here: refused, nothing of it ran",
                "--scheduler",
            )

    def _lost(self) -> LostError:
        return LostError(f"the scheduler {self.address} went away")

    def close(self) -> None:
        """Take back what is not done, and leave."""
        for future in self._tasks:
            future.cancel()
        self._tasks = {}
        with suppress(Exception):  # of a connection that is no longer one
            self._client.close(timeout=2)
        self._guard.close()
