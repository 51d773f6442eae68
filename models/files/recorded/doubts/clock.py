"""A column of times: whether they go forward, in equal steps, within every group; and where steps
are missing.

Steps are equal if they are so in real time, on the clock of the wall, or in months of the calendar
(`moments`). Which column says when rows were recorded is in `times`.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.doubts.moments import (
    SHORT,
    Moment,
    Step,
    is_hour,
    moment_of,
    span_of,
    step_text,
    step_words,
    steps_of,
)

_Key = tuple[timedelta | Fraction | int, bool]  # a short span, and whether it is without offsets

SEVERAL = "where another person or meter begins, name its column as the group"
_SORT = f"sort the rows; {SEVERAL}"
_REPEATED = f"remove rows that were written twice; {SEVERAL}"
_SPLIT = "--missing split makes a recording of its own of what follows a gap"
_TWICE = "; local times come twice at the end of summer time: write offsets from UTC, such as 2026-10-25 02:00+02:00"
_NEVER = "; local times that summer time leaves out are no gap if offsets from UTC are written"
_ROUNDED = "; numbers that were rounded differ a little: write whole numbers, or dates"
_UNNAMED = "; leave the column out of the data if it does not say when values were recorded"


_PERIODS = {
    "a day": timedelta(days=1),
    "a week": timedelta(days=7),
    "a year": timedelta(days=365, hours=5, minutes=49, seconds=12),
}
_MONDAY = datetime(2000, 1, 3)  # from which steps are counted


@dataclass(frozen=True)
class Timing:
    """What times say: the usual step, the first and the last time, and how many others are; the
    step as a `span` of time, None for numbers and months; whether they are `dates`.
    """

    where: str
    step: str
    first: str
    last: str
    others: int
    span: timedelta | None = None
    dates: bool = True

    @property
    def periods(self) -> list[tuple[str, float]]:
        """The periods of the calendar, by name, in steps; none of numbers."""
        if self.span is not None:
            return [(name, length / self.span) for name, length in _PERIODS.items()]
        months, _, unit = self.step.partition(" ")
        return [("a year", 12 / int(months))] if self.dates and unit.startswith("month") else []


@dataclass(frozen=True)
class Judged:
    """What times say, None without times; what speaks against the data; and the places in each
    group at which a recording of its own begins. The `clock` is that of the times.
    """

    timing: Timing | None = None
    doubts: tuple[Doubt, ...] = ()
    breaks: Mapping[str, Collection[int]] = field(default_factory=dict)
    clock: "Clock | None" = None

    def start(self, group: str, place: int) -> float:
        """Return when a row of a group was recorded, in steps: from the first row of the group
        without times.
        """
        return float(place) if self.clock is None else self.clock.start(group, place)


@dataclass(frozen=True)
class _Place:
    """A step between two rows: its number, the second row, both times, the time between, and
    whether they are local times without offsets.
    """

    number: int
    row: str
    before: str
    after: str
    span: timedelta | Fraction
    local: bool = False

    def __str__(self) -> str:
        return f"{_short(self.after)} follows {_short(self.before)}, a step of {step_words(self.span)}"


@dataclass
class Clock:
    """A column of times, read row by row. A column that was not `named` is dropped, `whole`
    becoming false, at the first cell that is no time. To `split` at gaps all moments are kept.
    """

    where: str
    named: bool
    split: bool = False
    decimal: str = "."
    whole: bool = True
    ended: str | None = None  # where and why it was dropped
    rows: int = 0
    back: _Place | None = None
    last: dict[str, tuple[Moment, str]] = field(default_factory=dict)
    counted: dict[str, Counter[Step]] = field(default_factory=dict)
    alike: dict[_Key | None, int] = field(default_factory=dict)  # spans seen once more
    kinds: dict[_Key | None, list[tuple[str, Step]]] = field(default_factory=dict)
    first: dict[tuple[str, Step], _Place] = field(default_factory=dict)
    began: dict[str, tuple[Moment, str]] = field(default_factory=dict)
    moments: dict[str, list[Moment]] = field(default_factory=dict)
    slashes: str | None = None  # "day" or "month": what is first in dates with slashes

    def see(self, row: str, group: str, cell: object) -> None:
        """Read the cell of a row. Raises `ModelError` if the column was named and it is no time."""
        if not self.whole:
            return
        self.rows += 1
        try:
            text, moment = moment_of(cell, self.decimal, self.slashes)
            if group in self.last:
                self._step(row, *self.last[group], moment, text)
            else:
                self.began[group] = moment, text
            self.last[group] = moment, text
            if self.split:
                self.moments.setdefault(group, []).append(moment)
        except ModelError as error:
            if self.named:
                raise error.within(f"{row}: {self.where}") from None
            self.whole, self.ended = False, f"{row}: {error.what}"

    def _step(self, row: str, one: Moment, before: str, two: Moment, after: str) -> None:
        span = span_of(one, two)
        short = not isinstance(span, timedelta) or span < SHORT
        zones = [each.tzinfo if isinstance(each, datetime) else None for each in (one, two)]
        key = (span, zones[0] is None) if short and zones[0] == zones[1] else None
        if key in self.alike:
            self.alike[key] += 1  # its steps are those of the first that is alike
            return
        span = Fraction(span) if isinstance(span, int) else span
        back = span < timedelta(0) if isinstance(span, timedelta) else span < 0
        local = isinstance(two, datetime) and two.tzinfo is None
        if back and self.back is None:
            self.back = _Place(self.rows, row, before, after, span, local)
        steps = steps_of(one, two, span)
        for kind, step in steps:
            if (kind, step) not in self.first:
                self.first[kind, step] = _Place(self.rows, row, before, after, span, local)
                self.counted.setdefault(kind, Counter())
            self.counted[kind][step] += 1
        if key is not None:
            self.alike[key] = 0
            self.kinds[key] = steps

    @cached_property
    def steps(self) -> dict[str, Counter[Step]]:
        """How often each step of each kind was taken, once all rows are read."""
        found = {kind: Counter(n) for kind, n in self.counted.items()}
        for key, times in self.alike.items():
            for kind, step in self.kinds[key]:
                found[kind][step] += times
        return found

    @property
    def moves(self) -> bool:
        """Whether times differ within some group."""
        return self.whole and any(self.steps.get("real", ()))

    def expect_order(self) -> None:
        """Raise `ModelError` if times go back."""
        if self.back is not None:
            above, below = _short(self.back.before), _short(self.back.after)
            twice = self.back.local and is_hour(self.back.span)
            raise ModelError(
                f"{below} stands below {above}, which is later: expected rows in the order of time "
                f"({_SORT}{_TWICE if twice else ''}{'' if self.named else _UNNAMED})",
                f"{self.back.row}: {self.where}",
            )

    def expect_forward(self) -> None:
        """Raise `ModelError` if two rows have the same time."""
        same = [each for each in self.first.values() if not each.span]
        if same:
            raise ModelError(
                f"{_short(same[0].after)} stands in two rows: expected times that go forward "
                f"({_REPEATED}{_TWICE if same[0].local else ''})",
                f"{same[0].row}: {self.where}",
            )

    def expect_equal_steps(self) -> None:
        """Raise `ModelError` unless all steps are equal."""
        _, usual, _, place = self._usual()
        if place is not None:
            raise ModelError(
                f"{place}: expected steps of {step_words(usual)} ({_SPLIT}{_never(place, usual)})",
                f"{place.row}: {self.where}",
            )

    def breaks(self) -> dict[str, list[int]]:
        """Return the places in each group that no usual step leads to.

        Raises `ModelError` unless most steps are usual.
        """
        kind, usual, others, place = self._usual()
        total = self.steps["real"].total() if self.steps else 0
        if place is not None and 2 * others > total:
            raise ModelError(
                f"{place}: expected times in equal steps, of which some are missing, found "
                f"{others} of {total} that are not {step_words(usual)} (read them without --time "
                "if every row is a step)",
                f"{place.row}: {self.where}",
            )
        return {
            group: [
                k
                for k, (one, two) in enumerate(pairwise(moments), 1)
                if (kind, usual) not in steps_of(one, two, span_of(one, two))
            ]
            for group, moments in self.moments.items()
        }

    def judged(self, doubt: Doubt | None) -> Judged:
        """Return the breaks of a column that was not named, or the doubt about its gaps."""
        breaks = {}
        if self.split and self._usual()[1]:
            with suppress(ModelError):
                breaks = self.breaks()
        doubts = () if breaks or doubt is None else (doubt,)
        return Judged(self.timing(), doubts, breaks, self)

    def start(self, group: str, place: int) -> float:
        """Return how many usual steps after a Monday (or after 0) a row of a group was recorded,
        on the clock of the wall; counted from the first row of the group where moments are not
        kept.
        """
        usual = self._usual()[1]
        moments = self.moments.get(group)
        first = self.began.get(group, (None, ""))[0]
        moment, more = (moments[place], 0) if moments else (first, place)
        if isinstance(moment, datetime) and isinstance(usual, timedelta) and usual:
            return (moment.replace(tzinfo=None) - _MONDAY) / usual + more
        if isinstance(moment, datetime) and isinstance(usual, int) and usual:
            return (12 * moment.year + moment.month - 1) / usual + more
        if isinstance(moment, Fraction | int) and isinstance(usual, Fraction) and usual:
            return float(moment / usual) + more
        return float(place)

    def timing(self) -> Timing | None:
        """Return what times say; None if no group has two, or they are not of one kind."""
        _, usual, others, _ = self._usual()
        if usual is None:
            return None
        try:
            first, last = min(self.began.values()), max(self.last.values())
        except TypeError:
            return None
        ends = _short(first[1]), _short(last[1])
        span = usual if isinstance(usual, timedelta) else None
        return Timing(self.where, step_text(usual), *ends, others, span, not isinstance(usual, Fraction))

    def doubt(self) -> Doubt | None:
        """Return a doubt unless all steps are equal."""
        _, usual, odd, place = self._usual()
        if place is None:
            return None
        total = self.steps["real"].total()
        if not usual:
            says = (
                f"{total - odd} of {total} rows have the time of the row above in {self.where}: "
                f"the chain takes each for a step ({SEVERAL})"
            )
            return Doubt("gaps", says)
        says = (
            f"{odd} of {total} steps of time in {self.where} are not {step_words(usual)}: at "
            f"{place.row} {place}; the chain takes each for one step "
            f"({_SPLIT}{_never(place, usual)})"
        )
        return Doubt("gaps", says)

    def _usual(self) -> tuple[str, Step, int, _Place | None]:
        """Return the most frequent step and its kind, how many are others, and the first of
        these.
        """
        counted = {kind: max(n, key=lambda s: (s is not None, n[s])) for kind, n in self._known}
        if not counted:
            return "", None, 0, None
        kind = max(counted, key=lambda kind: self.steps[kind][counted[kind]])
        usual, steps = counted[kind], self.steps[kind]
        others = [self.first[kind, step] for step in steps if step != usual]
        place = min(others, key=lambda other: other.number, default=None)
        return kind, usual, steps.total() - steps[usual], place

    @property
    def _known(self) -> list[tuple[str, Counter[Step]]]:
        return [(kind, n) for kind, n in self.steps.items() if any(s is not None for s in n)]


def _never(place: _Place, usual: Step) -> str:
    """Return a hint where local times jump by an hour more than usual, or numbers by hardly more or
    less.
    """
    if isinstance(place.span, timedelta) and isinstance(usual, timedelta):
        later = place.local and place.span > usual
        return _NEVER if later and is_hour(place.span - usual) else ""
    if isinstance(place.span, Fraction) and isinstance(usual, Fraction):
        return _ROUNDED if abs(place.span - usual) < abs(usual) / 1000 else ""
    return ""


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
