"""Where units are carried out: in this process, or by processes of this machine.

Each local process is an executor of one process of `concurrent.futures`, so that it is known which
unit a process that dies or hangs had, and no other unit suffers.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

from pufferproof.models.interface.in_order import processors
from pufferproof.models.interface.sweeps.units import Said, Unit, carried_out

_PATIENCE = 5.0  # seconds


class Executor(Protocol):
    """Where units are carried out. `LostError` is raised by what is lost for good."""

    @property
    def width(self) -> int:
        """How many units it takes at once."""

    def submit(self, unit: Unit, limit: float | None) -> "Future[Said]":
        """Begin a unit; a future with a `BrokenExecutor` says that its worker died."""

    def is_running(self, future: "Future[Said]") -> bool:
        """Whether a unit that was submitted has begun."""

    def stop(self, future: "Future[Said]") -> None:
        """End what carries out a unit, which hears nothing."""

    def close(self) -> None:
        """End all that was started."""


class LostError(Exception):
    """The place where units are carried out is there no longer."""


class InProcess:
    """This process, one unit after another."""

    width = 1

    def submit(self, unit: Unit, limit: float | None) -> "Future[Said]":
        """Carry out a unit."""
        future = Future[Said]()
        future.set_result(carried_out(unit.function, unit.arguments, unit.version, limit))
        return future

    def is_running(self, future: "Future[Said]") -> bool:
        """Whether a unit has begun: it has ended."""
        return False

    def stop(self, future: "Future[Said]") -> None:
        """Do nothing: whatever was submitted has ended."""

    def close(self) -> None:
        """Do nothing: nothing was started."""


class Processes:
    """Processes of this machine: as many as there are processors, or `jobs`."""

    def __init__(self, jobs: int | None = None) -> None:
        self.width = processors() if jobs is None else jobs
        self._idle: list[ProcessPoolExecutor] = []
        self._busy: dict[Future[Said], ProcessPoolExecutor] = {}

    def submit(self, unit: Unit, limit: float | None) -> "Future[Said]":
        """Begin a unit in a process that has none."""
        self._gather()
        pool = self._idle.pop() if self._idle else _one_process()
        with without_working_directory():  # the process may start with this unit
            try:
                future = pool.submit(
                    carried_out, unit.function, unit.arguments, unit.version, limit
                )
            except BrokenExecutor as error:  # it died while it had nothing to do
                future = Future()
                future.set_exception(error)
        self._busy[future] = pool
        return future

    def _gather(self) -> None:
        """Take back the processes of units that have ended, unless they died."""
        for future in [each for each in self._busy if each.done()]:
            pool = self._busy.pop(future)
            if isinstance(future.exception(), BrokenExecutor):
                _end(pool)
            else:
                self._idle.append(pool)

    def is_running(self, future: "Future[Said]") -> bool:
        """Whether a unit has begun: as soon as it is submitted."""
        return True

    def stop(self, future: "Future[Said]") -> None:
        """Kill the process that has a unit."""
        _end(self._busy.pop(future))

    def close(self) -> None:
        """Kill all processes."""
        for pool in [*self._idle, *self._busy.values()]:
            _end(pool)
        self._idle, self._busy = [], {}


def _one_process() -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    with without_working_directory():  # it starts an interpreter of its own, beside the process
        return ProcessPoolExecutor(1, mp_context=context, initializer=_begun)


def _end(pool: ProcessPoolExecutor) -> None:
    """Kill a process. The thread that hears of it has to end before this program does, which wakes
    it by a pipe that it closes.
    """
    processes = list((pool._processes or {}).values())
    thread: Any = pool._executor_manager_thread
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
    if thread is not None:
        thread.join(_PATIENCE)


def _begun() -> None:
    """Leave interrupts to the process that started this one, and end when it ends, even killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


@contextmanager
def without_working_directory() -> Iterator[None]:
    """Let the interpreters that the body starts not look for modules in the working directory,
    where anybody's file may lie.
    """
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
