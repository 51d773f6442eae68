"""A sweep: units carried out wherever that is, answers kept as they come, and those that are there
not computed again.

A unit whose process dies is tried again, twice. One that takes too long, raises an error or returns
a wrong type is not: it is reported when all others are done, and kept as a failure, which the next
sweep tries again.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from typing import Any

from pufferproof.models.errors import ModelError, SweepError
from pufferproof.models.interface.sweeps.executors import Executor, InProcess, LostError
from pufferproof.models.interface.sweeps.store import Store
from pufferproof.models.interface.sweeps.units import DIED, DONE, HUNG, Said, Unit

TRIES = 3  # of a unit whose worker dies
_TICK = 0.2  # seconds between looks at what takes too long
_GRACE = 10.0  # seconds more, in which a process starts, until that of a unit is killed


@dataclass(frozen=True)
class Failure:
    """A unit without an answer, what became of it, and what it said."""

    unit: Unit
    kind: str
    said: str

    def __str__(self) -> str:
        return f"{self.unit} {self.kind}: {self.said}"


_Places = Iterator[tuple[int, Unit | None]]


@dataclass
class _Given:
    """A unit that is under way: its place, how often it was begun, and since when it runs."""

    place: int
    unit: Unit
    tries: int = 1
    since: float | None = None


@dataclass
class Sweep:
    """How units are carried out.

    Args:
        executor: where.
        store: where answers are kept, and looked for first.
        limit: seconds that one unit may take.
        say: is told, after every unit, how many are done, the rate, and the time left.
        unkept: what is said of answers where there is no store.
        kept: whether the answer of a unit is kept, and taken from there.
        looked, read: how many units were looked for in the store, and how many answers read.
    """

    executor: Executor = field(default_factory=InProcess)
    store: Store | None = None
    limit: float | None = None
    say: Callable[[str], None] = lambda text: None
    unkept: str = "; nothing is kept without --resume"
    kept: Callable[[Unit], bool] = lambda unit: True
    looked: int = 0
    read: int = 0

    def answers(self, units: Sequence[Unit]) -> list[Any]:
        """Return the answers of units, in their order.

        Raises `SweepError` if there are failures, when all other units are done and kept.
        """
        found = dict(self.outcomes(units, len(units)))
        failures = [each for _, each in sorted(found.items()) if isinstance(each, Failure)]
        if failures:
            raise SweepError(self.failed(failures, len(units)))
        return [found[place] for place in range(len(units))]

    def outcomes(
        self,
        units: Iterable[Unit | None],
        total: int | None = None,
        size: Callable[[Any], int] = lambda outcome: 1,
    ) -> Iterator[tuple[int, Any]]:
        """Yield the place of every unit and its answer, or a `Failure`, as they come.

        Units are drawn as they are needed, so that there may be any number; None, which has a
        place too, says that the next one waits for one that is under way. An outcome counts `size`
        of the total. Raises `SweepError` when
        the executor is lost.
        """
        run = _Run(self, enumerate(units), total, size)
        try:
            yield from run.outcomes()
        except LostError as error:
            raise SweepError(f"{error}; {run.done} of {total} done{self._kept()}") from None

    @property
    def notes(self) -> list[str]:
        """What to say at the end: how many answers were read, if any."""
        if self.store is None or not self.read:
            return []
        trusted = ", which is trusted" if self.store.trusted else ""
        return [
            f"note: {self.read} of {self.looked} answers were read from {self.store.path}{trusted}"
        ]

    def failed(self, failures: Sequence[Failure], total: int) -> str:
        """Say how many units failed, the first of them, and how to go on."""
        return f"{len(failures)} of {total} units failed, the first: {failures[0]}{self._kept()}"

    def _kept(self) -> str:
        if self.store is None:
            return self.unkept
        return f"; what is done is kept, --resume {self.store.path} goes on with the rest"


class _Run:
    """One pass through the units of a sweep."""

    def __init__(
        self,
        sweep: Sweep,
        source: "_Places",
        total: int | None,
        size: Callable[[Any], int],
    ) -> None:
        self.sweep, self.source, self.total, self.size = sweep, source, total, size
        self.again: deque[_Given] = deque()
        self.running: dict[Future[Said], _Given] = {}
        self.done, self.computed, self.begun = 0, 0, time.monotonic()

    def outcomes(self) -> Iterator[tuple[int, Any]]:
        while True:
            yield from self._filled()
            if not self.running:
                return
            finished, _ = wait(self.running, timeout=_TICK, return_when=FIRST_COMPLETED)
            for future in finished:
                given = self.running.pop(future)
                yield from self._outcome(given, future)
            yield from self._overdue()

    def _filled(self) -> Iterator[tuple[int, Any]]:
        """Begin units while there is room, and yield what is in the store."""
        executor, width = self.sweep.executor, self.sweep.executor.width
        while len(self.running) < width and (given := self._following()) is not None:
            known = self._known(given.unit)
            if known is not None:
                yield given.place, self._told(known[0], computed=False)
            else:
                self.running[executor.submit(given.unit, self.sweep.limit)] = given

    def _following(self) -> _Given | None:
        if self.again:
            return self.again.popleft()
        place, unit = next(self.source, (0, None))
        return None if unit is None else _Given(place, unit)

    def _known(self, unit: Unit) -> tuple[Any] | None:
        """Return the answer in the store; None if there is none of the right kind."""
        store = self._store(unit)
        if store is None:
            return None
        self.sweep.looked += 1
        text = store.answer(unit)
        try:
            known = None if text is None else (unit.read(text),)
        except ModelError:  # it is computed again, and replaced
            return None
        self.sweep.read += known is not None
        return known

    def _store(self, unit: Unit) -> Store | None:
        """Return where the answer of a unit is kept."""
        return self.sweep.store if self.sweep.kept(unit) else None

    def _outcome(self, given: _Given, future: "Future[Said]") -> Iterator[tuple[int, Any]]:
        """Yield what became of a unit, unless it is tried again."""
        error = future.exception()
        if isinstance(error, BrokenExecutor):
            if given.tries < TRIES:
                self.again.append(_Given(given.place, given.unit, given.tries + 1))
                return
            yield self._ended(given, (DIED, f"{TRIES} times", 0.0))
        elif error is not None:
            raise error
        else:
            yield self._ended(given, future.result())

    def _ended(self, given: _Given, said: Said) -> tuple[int, Any]:
        """Keep what became of a unit, and return it."""
        kind, text, seconds = said
        store = self._store(given.unit)
        outcome: Any
        if kind == DONE:
            outcome = given.unit.read(text)
            if store is not None:
                store.keep(given.unit, text, seconds)
        else:
            outcome = Failure(given.unit, kind, text)
            if store is not None:
                store.note(given.unit, kind, text)
        return given.place, self._told(outcome)

    def _overdue(self) -> Iterator[tuple[int, Any]]:
        """Kill the processes of units that do not end at their limit by themselves."""
        limit, now = self.sweep.limit, time.monotonic()
        if limit is None:
            return
        for future, given in [*self.running.items()]:
            if given.since is None and self.sweep.executor.is_running(future):
                given.since = now
            over = given.since is not None and now - given.since > limit + _GRACE
            if over and not future.done():
                del self.running[future]
                self.sweep.executor.stop(future)
                text = f"it is over its limit of {limit:g} s, and its process was killed"
                yield self._ended(given, (HUNG, text, now - (given.since or now)))

    def _told(self, outcome: Any, computed: bool = True) -> Any:
        """Count a unit and say how far the sweep is."""
        size = self.size(outcome)
        self.done += size
        self.computed += size * computed
        self.sweep.say(progress(self.done, self.total, self.computed, self._seconds()))
        return outcome

    def _seconds(self) -> float:
        return time.monotonic() - self.begun


def progress(done: int, total: int | None, computed: int, seconds: float) -> str:
    """Say how many units are done, how many are computed a second, and how long the rest takes.

    >>> progress(30, 50, 10, 5.0)
    '30 of 50 done, 2.0 a second, 10 s left'
    >>> progress(30, None, 10, 5.0)
    '30 done, 2.0 a second'
    """
    rate = computed / seconds if seconds > 0 else 0.0
    said = f"{done} done" if total is None else f"{done} of {total} done"
    if rate == 0:
        return said
    left = "" if total is None else f", {(total - done) / rate:.0f} s left"
    return f"{said}, {rate:.1f} a second{left}"
