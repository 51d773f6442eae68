"""Times of recorded rows: whether they go forward, in equal steps, within every group; and where
steps are missing.

Times are ISO 8601 dates and times, dates with dots such as 29.03.2026, dates with slashes whose
order is told by a day above 12 somewhere in the column, or numbers. Steps are equal
if they are so in real time (offsets from UTC are counted), on the clock of the wall (days over a
change to summer time), or in months of the calendar. A change of offset as long as a step may hide
that one is missing: it is none then.
"""

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.labels import label_of, number_of
from pufferproof.models.numbers.text import brief, shown

Moment = datetime | Fraction | int
Step = timedelta | Fraction | int | None  # an int counts months, None is no whole number of them
_Key = tuple[timedelta | Fraction | int, bool]  # a short span, and whether it is without offsets

_SORT = "sort the rows; where another person or meter begins, name its column as the group"
_SPLIT = "--missing split makes a recording of its own of what follows a gap"
_TWICE = (
    "; local times come twice at the end of summer time: write offsets from UTC, such as "
    "2026-10-25 02:00+02:00"
)
_NEVER = "; local times that summer time leaves out are no gap if offsets from UTC are written"
_DOTS = re.compile(r"(\d\d)\.(\d\d)\.(\d{4})( \d\d:\d\d(?::\d\d)?)?", re.ASCII)
_SLASHES = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})( \d\d:\d\d(?::\d\d)?)?", re.ASCII)
_HOUR = timedelta(hours=1)
_FEW_DIGITS = 18  # of an integer, which is read as it is
_LONGEST_DATE = 8  # digits alone, as in 20260329; more are a number, such as of milliseconds
_SHORT = timedelta(days=27)  # what is shorter is no month
_UNNAMED = "; leave the column out of the data if it does not say when values were recorded"


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


@dataclass(frozen=True)
class Judged:
    """What times say, None without times; what speaks against the data; and the places in each
    group at which a recording of its own begins.
    """

    timing: Timing | None = None
    doubts: tuple[Doubt, ...] = ()
    breaks: Mapping[str, Collection[int]] = field(default_factory=dict)


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
        return (
            f"{_short(self.after)} follows {_short(self.before)}, a step of {_step_text(self.span)}"
        )


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
            text, moment = _moment(cell, self.decimal, self.slashes)
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
            self.whole = False

    def _step(self, row: str, one: Moment, before: str, two: Moment, after: str) -> None:
        span = _span(one, two)
        short = not isinstance(span, timedelta) or span < _SHORT
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
        steps = _steps(one, two, span)
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
            twice = self.back.local and _is_hour(self.back.span)
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
                f"({_SORT}{_TWICE if same[0].local else ''})",
                f"{same[0].row}: {self.where}",
            )

    def expect_equal_steps(self) -> None:
        """Raise `ModelError` unless all steps are equal."""
        _, usual, _, place = self._usual()
        if place is not None:
            raise ModelError(
                f"{place}: expected steps of {_step_text(usual)} ({_SPLIT}{_never(place, usual)})",
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
                f"{others} of {total} that are not {_step_text(usual)} (read them without --time "
                "if every row is a step)",
                f"{place.row}: {self.where}",
            )
        return {
            group: [
                k
                for k, (one, two) in enumerate(pairwise(moments), 1)
                if (kind, usual) not in _steps(one, two, _span(one, two))
            ]
            for group, moments in self.moments.items()
        }

    def judged(self, doubt: Doubt | None) -> Judged:
        """Return the breaks of a column that was not named, or the doubt about its gaps."""
        breaks = {}
        if self.split:
            with suppress(ModelError):
                breaks = self.breaks()
        doubts = () if breaks or doubt is None else (doubt,)
        return Judged(self.timing(), doubts, breaks)

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
        return Timing(
            self.where, _step_text(usual), *ends, others, span, not isinstance(usual, Fraction)
        )

    def doubt(self) -> Doubt | None:
        """Return a doubt unless all steps are equal, or most are 0."""
        _, usual, odd, place = self._usual()
        if place is None or not usual:
            return None
        total = self.steps["real"].total()
        says = (
            f"{odd} of {total} steps of time in {self.where} are not {_step_text(usual)}: at "
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


@dataclass
class Clocks:
    """The column of times that is named, or those columns that look like times; of dates with
    slashes a `rival` reads the other order, until a day above 12 tells.
    """

    clocks: dict[int, Clock]
    rival: Clock | None = None

    @classmethod
    def of(
        cls,
        header: Sequence[str],
        first: Sequence[object],
        named: Clock | None,
        read: Iterable[int],
        split: bool = False,
    ) -> "Clocks":
        """Return the clock of a named column, by its name; or choose columns by the cells of the
        first row, but not those that are `read` anyway.
        """
        if named is not None:
            place, where = list(header).index(named.where), f'column "{named.where}"'
            if not isinstance(first[place], str) or not _SLASHED.fullmatch(str(first[place])):
                return cls({place: replace(named, where=where)})
            both = (
                Clock(f"{where}, {each} first", True, named.split, named.decimal, slashes=each)
                for each in ("day", "month")
            )
            return cls({place: next(both)}, next(both))
        some = [k for k, cell in enumerate(first) if k not in read and _looks_like_time(cell)]
        return cls({k: Clock(f'column "{header[k]}"', False, split) for k in some})

    def see(self, row: str, group: str, cells: Sequence[object]) -> None:
        """Read a row. Raises `ModelError` as `Clock.see` does."""
        for place, clock in self.clocks.items():
            try:
                clock.see(row, group, cells[place])
            except ModelError:
                if self.rival is None:
                    raise
                self.rival.see(row, group, cells[place])
                self.clocks, self.rival = {place: self.rival}, None
                return
            if self.rival is not None:
                try:
                    self.rival.see(row, group, cells[place])
                except ModelError:
                    self.rival = None

    def judged(self) -> Judged:
        """Return what the times say.

        If no column is named, the first that goes forward in equal steps counts, or else the first
        that goes forward.

        Raises `ModelError` if times of the named column do not go forward, or have unequal steps
        and are not to be split there; if none is named, where there are columns of times, and all
        of them go back.
        """
        for clock in self.clocks.values():
            if self.rival is not None:
                raise ModelError(
                    "expected a day above 12, which tells whether days or months are first, found "
                    "none: write ISO dates such as 2026-03-29",
                    clock.where.removesuffix(", day first"),
                )
            if clock.named:
                return _judged_by(clock)
        moving = [clock for clock in self.clocks.values() if clock.moves]
        forward = [clock for clock in moving if clock.back is None]
        if not forward:
            for clock in moving:
                clock.expect_order()
            return Judged()
        doubts = [clock.doubt() for clock in forward]
        if None in doubts:
            return Judged(forward[doubts.index(None)].timing())
        return forward[0].judged(doubts[0])


def _judged_by(clock: Clock) -> Judged:
    """Return what the times of a column say that was named."""
    clock.expect_order()
    clock.expect_forward()
    if not clock.split:
        clock.expect_equal_steps()
        return Judged(clock.timing())
    return Judged(breaks=clock.breaks(), timing=clock.timing())


def judged_times(times: Iterable[object], groups: Sequence[str] | None, clock: Clock) -> Judged:
    """Return what a list of times says, one for each value.

    Raises `ModelError` as `Clocks.judged` does for a named column.
    """
    for place, cell in enumerate(times):
        clock.see(f"data[{place}]", "" if groups is None else groups[place], cell)
    return Clocks({0: clock}).judged()


def _looks_like_time(cell: object) -> bool:
    """Return whether a cell is a date, with a time or without."""
    if isinstance(cell, str):
        try:
            return "-" in cell[:8] and bool(datetime.fromisoformat(cell))
        except ValueError:
            return False
    return hasattr(cell, "isoformat") and hasattr(cell, "year")


def _moment(cell: object, decimal: str, slashes: str | None) -> tuple[str, Moment]:
    """Return a cell as text, and as a time. Raises `ModelError` unless it is one."""
    text = cell if isinstance(cell, str) else label_of(cell)
    if dotted := _DOTS.fullmatch(text):  # where dates have dots, the day is first
        day, month, year, clock = dotted.groups("")
        with suppress(ValueError):
            return text, datetime.fromisoformat(f"{year}-{month}-{day}{clock}")
    if slashes and (slashed := _SLASHED.fullmatch(text)):
        one, two, year, clock = slashed.groups("")
        day, month = (one, two) if slashes == "day" else (two, one)
        with suppress(ValueError):
            return text, datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}{clock}")
    if len(text) <= _LONGEST_DATE or not text.isdecimal():
        try:
            return text, datetime.fromisoformat(text)
        except ValueError:
            pass
    if text.isascii() and text.isdecimal() and len(text) <= _FEW_DIGITS:
        return text, int(text)
    try:
        return label_of(text), number_of(text, decimal)
    except ModelError as error:
        if "missing" in error.what:
            raise
        which = " (day or month first?)" if _SLASHES.match(text) else ""
        raise ModelError(
            'expected an ISO date and time such as "2026-03-29 01:30:00+01:00", or a number, found '
            f"{shown(text)}{which}"
        ) from None


def _span(one: Moment, two: Moment) -> timedelta | Fraction | int:
    """Return the time between two moments. Raises `ModelError` unless they are of one kind."""
    if isinstance(one, Fraction | int) and isinstance(two, Fraction | int):
        return two - one
    if isinstance(one, datetime) and isinstance(two, datetime):
        if (one.tzinfo is None) == (two.tzinfo is None):
            return two - one
        raise ModelError("expected offsets from UTC in all times, or in none")
    raise ModelError("expected numbers alone, or dates alone")


def _steps(one: Moment, two: Moment, span: timedelta | Fraction | int) -> list[tuple[str, Step]]:
    """Return the step in real time, and of dates on the clock of the wall and in months."""
    real: tuple[str, Step] = ("real", Fraction(span) if isinstance(span, int) else span)
    if not (isinstance(one, datetime) and isinstance(two, datetime)):
        return [real]
    aware = one.tzinfo is not None
    a, b = (one.replace(tzinfo=None), two.replace(tzinfo=None)) if aware else (one, two)
    wall = b - a
    clear = wall if abs(two - one - wall) < wall else None
    return [real, *([("wall", clear)] if aware else []), ("months", _months(a, b, wall))]


def _never(place: _Place, usual: Step) -> str:
    """Return a hint where local times jump by an hour more than usual."""
    spans = isinstance(place.span, timedelta) and isinstance(usual, timedelta) and place.local
    return _NEVER if spans and _is_hour(place.span - usual) else ""  # type: ignore[operator]


def _is_hour(span: timedelta | Fraction) -> bool:
    """Return whether a span is what clocks change by: at most an hour, forward or back."""
    return isinstance(span, timedelta) and timedelta(0) < abs(span) <= _HOUR


def _months(a: datetime, b: datetime, wall: timedelta) -> int | None:
    """Return the number of months between the same days, or ends of months; None else."""
    if wall < _SHORT or a.time() != b.time():
        return None
    ends = (day.day == monthrange(day.year, day.month)[1] for day in (a, b))
    return 12 * (b.year - a.year) + b.month - a.month if a.day == b.day or all(ends) else None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _step_text(step: Step) -> str:
    """Say a step: `0:30:00`, `1 day`, `1 month`, `2`."""
    if isinstance(step, timedelta):
        sign = "-" if step < timedelta(0) else ""
        return sign + str(abs(step)).removesuffix(", 0:00:00")
    if isinstance(step, Fraction):
        return brief(step)
    return f"{step} month{'s' * (step != 1)}"
