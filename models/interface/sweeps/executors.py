"""Where units are carried out: in this process, or by processes of this machine.

Each local process is an executor of one process of `concurrent.futures`, so that it is known which
bundle of units a process that dies or hangs had, and no other one suffers.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.steps import processors
from pufferproof.models.interface.sweeps.units import DIED, HUNG, Said, Unit, first_carried_out, prepare

_PATIENCE = 5.0  # seconds


Answers = Future[list[Said]]
"""What becomes of the units of a bundle: of the first ones, where time is over."""


class Executor(Protocol):
    """Where bundles of units are carried out. `LostError` is raised by what is lost for good.

    A bundle has at most `most` units, and begins none after `seconds`. A unit whose worker dies is
    begun `tries` times.
    """

    most: int
    tries: int

    @property
    def width(self) -> int:
        """How many bundles it takes at once."""

    @property
    def seconds(self) -> float:
        """After how long a bundle begins no further unit."""

    def submit(self, units: Sequence[Unit], limit: float | None) -> Answers:
        """Begin a bundle; a future with a `BrokenExecutor` says that its worker died."""

    def running(self) -> Collection[Answers]:
        """Return the bundles that have begun, and not ended."""

    def stop(self, future: Answers) -> None:
        """End what carries out a bundle, which hears nothing."""

    def death(self, future: Answers) -> Said:
        """Return what became of a bundle whose worker died."""

    def close(self) -> None:
        """End all that was started."""


class LostError(Exception):
    """The place where units are carried out is there no longer."""


class InProcess:
    """This process, one unit after another."""

    width, most, tries, seconds = 1, 1, 1, 0.0

    def begin(self, module: str) -> None:
        """Do nothing: this process has begun."""

    def submit(self, units: Sequence[Unit], limit: float | None) -> Answers:
        """Carry out a unit."""
        future = Answers()
        future.set_result(first_carried_out([each.call for each in units], limit, self.seconds))
        return future

    def running(self) -> Collection[Answers]:
        """Return nothing: whatever was submitted has ended."""
        return ()

    def stop(self, future: Answers) -> None:
        """Do nothing: whatever was submitted has ended."""

    def death(self, future: Answers) -> Said:
        """Return what became of a worker, of which there is none."""
        return DIED, f"{self.tries} times", 0.0

    def close(self) -> None:
        """Do nothing: nothing was started."""


class Processes:
    """Processes of this machine: as many as there are processors, or `jobs`."""

    most, tries, seconds = 100, 3, 0.1

    def __init__(self, jobs: int | None = None) -> None:
        self.width = processors() if jobs is None else jobs
        self._idle: list[ProcessPoolExecutor] = []
        self._busy: dict[Answers, ProcessPoolExecutor] = {}
        self._late: dict[Answers, bool] = {}  # whether a timer ended the process of a bundle
        self._known = False  # that processes begin and answer

    def begin(self, module: str) -> None:
        """Begin a process that imports a module, before it is known what it carries out. What is
        wrong with it shows when something is submitted.
        """
        pool = _one_process()
        try:
            with without_working_directory():
                pool.submit(prepare, module)
        except OSError:
            _end(pool)
        else:
            self._idle.append(pool)

    def submit(self, units: Sequence[Unit], limit: float | None) -> Answers:
        """Begin a bundle in a process that has none. Raises `ModelError` if none can be started."""
        if self._gather() and not self._known:
            pool = _one_process()
            try:
                with without_working_directory():
                    pool.submit(os.getpid).result()
            except (BrokenExecutor, OSError) as error:
                raise _no_process(error) from None
            finally:
                _end(pool)
            self._known = True
        pool = self._idle.pop() if self._idle else _one_process()
        calls = [each.call for each in units]
        with without_working_directory():  # the process may start with these units
            try:
                future = pool.submit(first_carried_out, calls, limit, self.seconds)
            except BrokenExecutor as error:  # it died while it had nothing to do
                future = Future()
                future.set_exception(error)
            except OSError as error:
                _end(pool)
                raise _no_process(error) from None
        self._busy[future] = pool
        return future

    def _gather(self) -> bool:
        """Take back the processes of units that have ended, unless they died: then return True."""
        died = False
        for future in [each for each in self._busy if each.done()]:
            pool = self._busy.pop(future)
            if isinstance(future.exception(), BrokenExecutor):
                died = True
                self._late[future] = _is_late(pool)
                _end(pool)
            else:
                self._known = True
                self._idle.append(pool)
        return died

    def running(self) -> Collection[Answers]:
        """Return the bundles that have begun: all that were submitted."""
        return self._busy.keys()

    def stop(self, future: Answers) -> None:
        """Kill the process that has a bundle."""
        _end(self._busy.pop(future))

    def death(self, future: Answers) -> Said:
        """Return whether a process died, or a timer of its own ended it: then it took too long."""
        pool = self._busy.get(future)
        if self._late.pop(future, False) or (pool is not None and _is_late(pool)):
            return HUNG, "it is over its limit of time of the processor", 0.0
        return DIED, f"{self.tries} times", 0.0

    def close(self) -> None:
        """Kill all processes."""
        for pool in [*self._idle, *self._busy.values()]:
            _end(pool)
        self._idle, self._busy = [], {}


def _one_process() -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    with without_working_directory():  # it starts an interpreter of its own, beside the process
        return ProcessPoolExecutor(1, mp_context=context, initializer=_begun)


def _no_process(error: Exception) -> ModelError:
    said = error.strerror if isinstance(error, OSError) else "it ended before it answered"
    return ModelError(f"expected to start a process of {sys.executable}, found none: {said}", "processes")


def _is_late(pool: ProcessPoolExecutor) -> bool:
    """Whether a timer of its own ended the process that has died. A thread of the pool may be the
    one that hears of its end, a moment later.
    """
    processes, end = [*(pool._processes or {}).values()], time.monotonic() + _PATIENCE
    while any(each.exitcode is None for each in processes) and time.monotonic() < end:
        time.sleep(0.01)
    return any(each.exitcode == -getattr(signal, "SIGVTALRM", 0) for each in processes)


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
