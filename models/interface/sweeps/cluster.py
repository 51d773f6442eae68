"""Units carried out by the workers of a dask.distributed scheduler, on this machine or others.

The library is imported when a scheduler is asked for. Whoever can talk to a scheduler can run code
on its workers, and the other way round: it is to be one's own.
"""

import logging
from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.executors import LostError
from pufferproof.models.interface.sweeps.units import DIED, Said, Unit, carried_out

_PATIENCE = 10  # seconds for the scheduler to answer
_LOGS = ("distributed", "distributed.client", "tornado.application")


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise ModelError(
            'expected dask.distributed, which pip install "pufferproof[dask]" installs',
            "--scheduler",
        ) from None
    for name in _LOGS:  # what is lost is said in one line, by the sweep
        logging.getLogger(name).setLevel(logging.CRITICAL)
    connect: Any = Client
    return connect(address, timeout=_PATIENCE, set_as_default=False)


class Cluster:
    """The workers of a scheduler, as many as there are at any time.

    Raises `ModelError` where the library is not installed, or no scheduler answers.
    """

    def __init__(self, address: str) -> None:
        try:
            self._client: Any = _client(address)
        except (OSError, ValueError, TypeError) as error:
            raise ModelError(f"no scheduler answers at {address}: {error}", "--scheduler") from None
        self.address = address
        self._tasks: dict[Future[Said], Any] = {}

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
        """Pass on what became of a task."""
        if future.cancelled():
            return
        if task.status == "finished":
            kind, text, seconds = task.result()
            future.set_result((kind, text, seconds))
        elif task.status == "error":
            error = task.exception()
            if type(error).__name__ == "KilledWorker":  # the scheduler has tried several
                future.set_result((DIED, f"{error}", 0.0))
            else:
                future.set_exception(error)
        else:
            future.set_exception(self._lost())

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
        """Call a function of the client. Raises `LostError` where there is no connection."""
        if self._client.status != "running":
            raise self._lost()
        try:
            return getattr(self._client, name)(*arguments, **options)
        except OSError:
            raise self._lost() from None

    def _lost(self) -> LostError:
        return LostError(f"the scheduler {self.address} went away")

    def close(self) -> None:
        """Take back what is not done, and leave."""
        for future in self._tasks:
            future.cancel()
        self._tasks = {}
        self._client.close(timeout=2)
