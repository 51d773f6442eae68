"""A sweep: units carried out wherever that is, answers kept as they come, and those that are there
not computed again.

Units go in bundles, as many together as take a fraction of a second by what those of late have
taken, and fewer towards the end. What a bundle leaves undone is handed out again. A unit whose
process dies is tried again, and so is every unit of a bundle that dies or hangs, each by itself.
One that takes too long, raises an error or returns a wrong type is not: it is reported when all
others are done, and kept as a failure, which the next sweep tries again.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, SweepError
from pufferproof.models.interface.sweeps.executors import Answers, Executor, InProcess, LostError
from pufferproof.models.interface.sweeps.units import DIED, DONE, HUNG, Said, Unit

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.store import Answered, Store  # with SQLite

_TOGETHER, _SOON = 100, 0.1  # answers of one transaction, and seconds in which one is kept
_LATE = 8  # units of late, on whose seconds it rests how many go together
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


Outcome = Any  # the answer of a unit, or a `Failure`
_Places = Iterator[tuple[int, Unit | None]]


@dataclass(frozen=True)
class _Given:
    """A unit that is to be carried out: its place, and how often it was begun by itself."""

    place: int
    unit: Unit
    tries: int = 0


@dataclass
class _Bundle:
    """Units that are under way together, and since when they run."""

    given: list[_Given]
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
        most: how many units go together at most, where the executor would take more.
        looked, read: how many units were looked for in the store, and how many answers read.
    """

    executor: Executor = field(default_factory=InProcess)
    store: "Store | None" = None
    limit: float | None = None
    say: Callable[[str], None] = lambda text: None
    unkept: str = "; nothing is kept without --resume"
    kept: Callable[[Unit], bool] = lambda unit: True
    most: int = 100
    looked: int = 0
    read: int = 0

    def answers(self, units: Sequence[Unit]) -> list[Outcome]:
        """Return the answers of units, in their order.

        Raises `SweepError` if there are failures, when all other units are done and kept.
        """
        found = dict(self.outcomes(units, len(units)))
        failures = [each for _, each in sorted(found.items()) if isinstance(each, Failure)]
        if failures:
            raise SweepError(self.failed(failures, len(units)))
        return [found[place] for place in range(len(units))]

    def outcomes(
        self, units: Iterable[Unit | None], total: int | None = None, size: Callable[[Outcome], int] = lambda outcome: 1
    ) -> Iterator[tuple[int, Outcome]]:
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
        return [f"note: {self.read} of {self.looked} answers were read from {self.store.path}{trusted}"]

    def failed(self, failures: Sequence[Failure], total: int) -> str:
        """Say how many units failed, the first of them, and how to go on."""
        return f"{len(failures)} of {total} units failed, the first: {failures[0]}{self._kept()}"

    def _kept(self) -> str:
        if self.store is None:
            return self.unkept
        return f"; what is done is kept, --resume {self.store.path} goes on with the rest"


class _Run:
    """One pass through the units of a sweep."""

    def __init__(self, sweep: Sweep, source: "_Places", total: int | None, size: Callable[[object], int]) -> None:
        self.sweep, self.source, self.total, self.size = sweep, source, total, size
        self.waiting, self.again = deque[_Given](), deque[_Given]()
        self.running: dict[Answers, _Bundle] = {}
        self.ended: SimpleQueue[Answers] = SimpleQueue()
        self.kept: list[Answered] = []
        self.done, self.computed, self.begun = 0, 0, time.monotonic()
        self.each, self.wrote, self.seen = 0.0, self.begun, self.begun

    def outcomes(self) -> Iterator[tuple[int, object]]:
        try:
            while True:
                yield from self._filled()
                if not self.running:
                    return
                yield from self._arrived()
                yield from self._overdue()
        finally:
            self._write()

    def _filled(self) -> Iterator[tuple[int, object]]:
        """Begin bundles while there is room, and yield what is in the store."""
        executor = self.sweep.executor
        while len(self.running) < (width := executor.width):
            given = [self.again.popleft()] if self.again else []
            if not given:
                size = 1  # how many units are thought to take the time of a bundle
                if self.each:
                    size = max(1, min(int(executor.seconds / self.each), executor.most, self.sweep.most))
                yield from self._drawn(size * width if size > 1 else 1)
                size = min(size, -(-len(self.waiting) // width))
                given = [self.waiting.popleft() for _ in range(size)]
            if not given:
                return
            future = executor.submit([each.unit for each in given], self.sweep.limit)
            self.running[future] = _Bundle(given)
            future.add_done_callback(self.ended.put)

    def _drawn(self, number: int) -> Iterator[tuple[int, object]]:
        """Draw units until so many wait, and yield what is in the store."""
        while len(self.waiting) < number:
            place, unit = next(self.source, (0, None))
            if unit is None:
                return
            known = self._known(unit)
            if known is None:
                self.waiting.append(_Given(place, unit))
            else:
                yield place, self._told(known[0], computed=False)

    def _known(self, unit: Unit) -> tuple[object] | None:
        """Return the answer in the store; None if there is none of the right kind."""
        store = self.sweep.store if self.sweep.kept(unit) else None
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

    def _arrived(self) -> Iterator[tuple[int, object]]:
        """Yield what became of bundles that have ended, when it is kept; wait a little for one."""
        outcomes, patience = list[tuple[int, object]](), _TICK
        with suppress(Empty):
            while len(outcomes) < _TOGETHER:
                future = self.ended.get(timeout=patience)
                if future in self.running:  # it is not one that was stopped
                    outcomes += self._outcomes(self.running.pop(future), future)
                patience = 0.0
        soon = time.monotonic() - self.wrote < _SOON and len(self.kept) < _TOGETHER
        if self.running or not soon:  # it is kept before anything is waited for
            self._write()
        yield from outcomes

    def _write(self) -> None:
        """Keep what has come since the last time, in one transaction."""
        kept, self.kept, self.wrote = self.kept, [], time.monotonic()
        if kept and self.sweep.store is not None:
            self.sweep.store.keep(kept)

    def _outcomes(self, bundle: _Bundle, future: Answers) -> Iterator[tuple[int, object]]:
        """Yield what became of the units of a bundle, but for those that are begun again."""
        error = future.exception()
        if isinstance(error, BrokenExecutor):
            yield from self._failed(bundle, self.sweep.executor.death(future))
        elif error is not None:
            raise error
        else:
            said = future.result()
            self.waiting.extendleft(reversed(bundle.given[len(said) :]))
            for given, each in zip(bundle.given, said):
                self.each += (each[2] - self.each) / (_LATE if self.each else 1)
                yield self._ended(given, each)

    def _failed(self, bundle: _Bundle, said: Said) -> Iterator[tuple[int, object]]:
        """Begin units of a bundle that has died or hung by themselves, each as often as it may."""
        tries = self.sweep.executor.tries if said[0] == DIED else 1
        if len(bundle.given) > 1:
            self.again.extend(bundle.given)
        elif (given := bundle.given[0]).tries + 1 < tries:
            self.again.append(replace(given, tries=given.tries + 1))
        else:
            yield self._ended(given, said)

    def _ended(self, given: _Given, said: Said) -> tuple[int, object]:
        """Keep what became of a unit, and return it."""
        kind, text, seconds = said
        store = self.sweep.store if self.sweep.kept(given.unit) else None
        outcome: object
        if kind == DONE:
            outcome = given.unit.read(text)
            if store is not None:
                self.kept.append((given.unit, text, seconds))
        else:
            outcome = Failure(given.unit, kind, text)
            if store is not None:
                store.note(given.unit, kind, text)
        return given.place, self._told(outcome)

    def _overdue(self) -> Iterator[tuple[int, object]]:
        """Kill the processes of bundles that do not end at their limit by themselves."""
        limit, now, executor = self.sweep.limit, time.monotonic(), self.sweep.executor
        if limit is None or now - self.seen < _TICK:
            return
        self.seen, running = now, executor.running()
        for future, bundle in [*self.running.items()]:
            bundle.since = (bundle.since or now) if future in running else None
            over = now - (bundle.since or now) > limit + executor.seconds + _GRACE
            if over and not future.done():
                del self.running[future]
                executor.stop(future)
                text = f"it is over its limit of {limit:g} s, and its process was killed"
                yield from self._failed(bundle, (HUNG, text, limit))

    def _told(self, outcome: object, computed: bool = True) -> object:
        """Count a unit and say how far the sweep is."""
        size = self.size(outcome)
        self.done += size
        self.computed += size * computed
        self.sweep.say(progress(self.done, self.total, self.computed, time.monotonic() - self.begun))
        return outcome


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
