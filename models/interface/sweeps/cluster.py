"""Units carried out by the workers of a dask.distributed scheduler, on this machine or others.

The library is imported when a scheduler is asked for. Whoever can talk to a scheduler can run code
there and on its workers. Nothing that comes from there runs here: answers are bytes of JSON
(`answers.py`), and no pickle is loaded (`guarded.py`).

The library's own executor of `concurrent.futures` does not do: its future never ends if an answer
is refused, and it does not say which tasks have begun.
"""

import logging
import time
import warnings
from collections.abc import Collection, Sequence
from concurrent.futures import BrokenExecutor, InvalidStateError
from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.interface.sweeps.answers import asked, carried_out, read
from pufferproof.models.interface.sweeps.executors import Answers, LostError
from pufferproof.models.interface.sweeps.units import DIED, Said, Unit
from pufferproof.models.numbers.text import shown

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.guarded import Guard

_PATIENCE = 10  # seconds for the scheduler to answer
_IN_FLIGHT = 3  # bundles for each thread: one that runs, one beside it, one with the scheduler
_LONELY = 60  # seconds without a worker, after which none is waited for
_DEADLY = 6  # bundles in a row with which workers died, none answered between
_OFTEN = 1.0  # seconds between questions for the number of threads
_AT_LEAST, _A_SECOND = 0.5, 200  # seconds of a bundle, and how many may end a second
_ENDED = ("finished", "error", "cancelled")
Task = Any  # a future of dask.distributed
_LOGS = ("distributed", "distributed.client", "tornado.application")


def _library() -> ModuleType:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise ModelError(of_extra("dask.distributed", "dask"), "--scheduler") from None
    from pufferproof.models.interface.sweeps import guarded

    for name in _LOGS:  # what is lost is said in one line, by the sweep
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return guarded


class Cluster:
    """The workers of a scheduler, as many as there are at any time. The scheduler begins a task
    four times before it says that its workers die.

    Raises `ModelError` where the library is not installed, or no scheduler answers.
    """

    most, tries = 100, 2

    def __init__(self, address: str) -> None:
        self.address = address
        self._tasks: dict[Answers, tuple[Task, int]] = {}  # with how many units
        self._begun, self._asked_at, self._known = 0, float("-inf"), dict[str, int]()
        self._with_worker, self._deaths = time.monotonic(), 0
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
    def threads(self) -> dict[str, int]:
        """How many threads each worker has, as it was a second ago at most. Raises `LostError` if
        there was no worker for a minute.
        """
        now = time.monotonic()
        if now - self._asked_at > _OFTEN:
            self._known = self._asked("ncores")
            self._asked_at = now
        if self._known:
            self._with_worker = now
        elif now - self._with_worker > _LONELY:
            raise LostError(f"the scheduler {self.address} had no worker for {_LONELY} seconds")
        return self._known

    @property
    def width(self) -> int:
        """How many bundles are under way; at least 1, which waits for a worker."""
        return max(1, _IN_FLIGHT * sum(self.threads.values()))

    @property
    def seconds(self) -> float:
        """After how long a bundle begins no further unit: longer, where there are many workers
        whose answers this process and the scheduler have to take.
        """
        return max(_AT_LEAST, sum(self.threads.values()) / _A_SECOND)

    def submit(self, units: Sequence[Unit], limit: float | None) -> Answers:
        """Send a bundle; the scheduler knows from its key that all are alike."""
        self._begun += 1
        key = f"pufferproof-units-{self._begun}-{units[0].name}"
        calls = asked([each.call for each in units])
        task = self._asked("submit", carried_out, calls, limit, self.seconds, key=key)
        self._tasks[future := Answers()] = task, len(units)
        task.add_done_callback(self._told)
        return future

    def _told(self, task: Task) -> None:
        """Pass on what became of all tasks that have ended: whatever it is, the one who waits
        hears of it. Dask calls this in one thread, once for each task.
        """
        ended = {each: its for each, its in [*self._tasks.items()] if its[0].status in _ENDED}
        finished = [each for each, _ in ended.values() if each.status == "finished"]
        answers = dict(zip([each.key for each in finished], self._gathered(finished)))
        for future, (each, units) in ended.items():
            self._tasks.pop(future, None)
            with suppress(InvalidStateError):  # it was given up meanwhile
                try:
                    future.set_result(self._said(each, answers.get(each.key), units))
                except (LostError, ModelError, BrokenExecutor) as error:
                    future.set_exception(error)
        if task.status not in _ENDED:  # the worker that had its answer died: it is begun again
            task.add_done_callback(self._told)

    def _gathered(self, tasks: Sequence[object]) -> list[object]:
        """Return what tasks answered, at once if possible; None of what cannot be read."""
        try:
            return list(self._client.gather(tasks)) if tasks else []
        except Exception:
            return [None] if len(tasks) == 1 else [self._gathered([each])[0] for each in tasks]

    def _said(self, task: Task, answer: object, units: int) -> list[Said]:
        """Return what a worker says of a task. Raises `BrokenExecutor` if several died with it,
        `LostError` if they die with every one, and `ModelError` for anything else that comes.
        """
        if task.status == "finished":
            self._expect_running()
            self._deaths = 0
            return read(answer, units)
        if task.status != "error":
            raise LostError(f"the scheduler {self.address} went away")
        words = f"{task.exception()}"
        if "KilledWorker" in words:
            self._deaths += 1
            if self._deaths >= _DEADLY:
                raise LostError(f"the workers of the scheduler {self.address} die with every unit")
            raise BrokenExecutor("several workers died with it")
        raise ModelError(
            f"a worker could not begin a unit, expected this version of pufferproof there: {shown(words, 200)}",
            "--scheduler",
        )

    def running(self) -> Collection[Answers]:
        """Return the bundles that have begun: of those that a worker has, as many as it has
        threads, the first that were sent, and of others' tasks all.
        """
        sent = {task.key: future for future, (task, _) in [*self._tasks.items()]}
        order, begun = {key: place for place, key in enumerate(sent)}, list[Answers]()
        for worker, keys in self._asked("processing").items():
            first = sorted(keys, key=lambda key: order.get(key, -1))
            begun += [sent[key] for key in first[: self.threads.get(worker, 1)] if key in sent]
        return begun

    def death(self, future: Answers) -> Said:
        """Return what became of a bundle whose worker died."""
        return DIED, f"{self.tries} times", 0.0

    def stop(self, future: Answers) -> None:
        """Restart the worker that has a bundle; its other bundles go to other workers."""
        task, _ = self._tasks.pop(future)
        holders = [worker for worker, keys in self._asked("processing").items() if task.key in keys]
        future.cancel()
        task.cancel()
        if holders:
            self._asked("restart_workers", holders, timeout=_PATIENCE, raise_for_error=False)

    def _asked(self, name: str, *arguments: object, **options: object) -> Any:
        """Call a function of the client. Raises `LostError` where there is no connection, and
        `ModelError` where something else than plain data came.
        """
        self._expect_running()
        try:
            return getattr(self._client, name)(*arguments, **options)
        except Exception:
            self._expect_nothing_refused()
            raise LostError(f"the scheduler {self.address} went away") from None

    def _expect_running(self) -> None:
        self._expect_nothing_refused()
        if self._client.status != "running":
            raise LostError(f"the scheduler {self.address} went away")

    def _expect_nothing_refused(self) -> None:
        if self._guard.refused is not None:
            raise ModelError(
                f"a worker or the scheduler at {self.address} sent an object that would call "
                f"{shown(self._guard.refused)} here: refused, nothing of it ran",
                "--scheduler",
            )

    def close(self) -> None:
        """Take back what is not done, and leave."""
        for future in self._tasks:
            future.cancel()
        self._tasks = {}
        with suppress(Exception):  # of a connection that is no longer one
            self._client.close(timeout=2)
        self._guard.close()
