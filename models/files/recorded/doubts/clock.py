"""A column of times: whether they go forward, in equal steps, within every group; and where steps
are missing.

Steps are equal if they are so in real time, on the clock of the wall, or in months of the calendar.
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
from unicodedata import combining, normalize

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.bits import label_of, may_be_missing, number_of
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.numbers.text import brief, shown
from pufferproof.models.priors.records import preview

# A time in a cell, and the step between two.
#
# Times are ISO 8601 dates and times, dates with dots such as 29.03.2026, dates with slashes, of which the reader says
# whether the day is first, or numbers. A step has a length in real time (offsets from UTC are counted), on the clock
# of the wall (days over a change to summer time), and in months of the calendar. A change of offset as long as a step
# may hide that one is missing: it is none then.

Moment = datetime | Fraction | int
Step = timedelta | Fraction | int | None  # an int counts months, None is no whole number of them

SHORT = timedelta(days=27)  # what is shorter is no month
SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})( \d\d:\d\d(?::\d\d)?)?", re.ASCII)
_LIKE = re.compile(r"\d{1,4}([/. -])(\d{1,2}|[^\W\d_]{3,9})\1\d{2,4}\b.*", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})/(\d\d)/(\d\d)( \d\d:\d\d(?::\d\d)?)?", re.ASCII)
_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})( \d\d:\d\d(?::\d\d)?)?", re.ASCII)
_SLASHES = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}")
_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d)", re.ASCII)
_HOUR = timedelta(hours=1)
_FEW_DIGITS = 18  # of an integer, which is read as it is
_LONGEST_DATE = 8  # digits alone, as in 20260329; more are a number, such as of milliseconds


def may_be_time(cell: object) -> bool:
    """Return whether a cell is a date, or looks like one that cannot be read."""
    return looks_like_time(cell) or (isinstance(cell, str) and bool(_LIKE.fullmatch(cell)))


def looks_like_time(cell: object) -> bool:
    """Return whether a cell is a date, with a time or without, and no number."""
    if isinstance(cell, str):
        if not any(mark in cell[:8] for mark in "-./"):
            return False
        try:
            return isinstance(moment_of(cell, ".")[1], datetime)
        except ModelError:
            return False
    return hasattr(cell, "isoformat") and hasattr(cell, "year")


def moment_of(cell: object, decimal: str, slashes: str | None = None) -> tuple[str, Moment]:
    """Return a cell as text, and as a time. Raises `ModelError` unless it is one."""
    text = cell if isinstance(cell, str) else label_of(cell)
    if len(text) < _LONGEST_DATE and text.isascii() and text.isdecimal():
        return text, int(text)
    if dotted := _DOTS.fullmatch(text):  # where dates have dots, the day is first
        day, month, year, clock = dotted.groups("")
        with suppress(ValueError):
            return text, datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}{clock}")
    if _YEAR_FIRST.fullmatch(text):
        with suppress(ValueError):
            return text, datetime.fromisoformat(text.replace("/", "-"))
    if slashes and (slashed := SLASHED.fullmatch(text)):
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


def span_of(one: Moment, two: Moment) -> timedelta | Fraction | int:
    """Return the time between two moments. Raises `ModelError` unless they are of one kind."""
    if isinstance(one, Fraction | int) and isinstance(two, Fraction | int):
        return two - one
    if isinstance(one, datetime) and isinstance(two, datetime):
        if (one.tzinfo is None) == (two.tzinfo is None):
            return two - one
        raise ModelError("expected offsets from UTC in all times, or in none")
    raise ModelError("expected numbers alone, or dates alone")


def steps_of(one: Moment, two: Moment, span: timedelta | Fraction | int) -> list[tuple[str, Step]]:
    """Return the step in real time, and of dates on the clock of the wall and in months."""
    real: tuple[str, Step] = ("real", Fraction(span) if isinstance(span, int) else span)
    if not (isinstance(one, datetime) and isinstance(two, datetime)):
        return [real]
    aware = one.tzinfo is not None
    a, b = (one.replace(tzinfo=None), two.replace(tzinfo=None)) if aware else (one, two)
    wall = b - a
    clear = wall if abs(two - one - wall) < wall else None
    months = None
    if wall >= SHORT and a.time() == b.time():
        ends = (day.day == monthrange(day.year, day.month)[1] for day in (a, b))
        if a.day == b.day or all(ends):
            months = 12 * (b.year - a.year) + b.month - a.month
    return [real, *([("wall", clear)] if aware else []), ("months", months)]


def is_hour(span: timedelta | Fraction) -> bool:
    """Return whether a span is what clocks change by: at most an hour, forward or back."""
    return isinstance(span, timedelta) and timedelta(0) < abs(span) <= _HOUR


def step_text(step: Step) -> str:
    """Say a step as files have it: `0:30:00`, `1 day`, `1 month`, `2`."""
    if isinstance(step, timedelta):
        sign = "-" if step < timedelta(0) else ""
        return sign + str(abs(step)).removesuffix(", 0:00:00")
    if isinstance(step, Fraction):
        return brief(step)
    return f"{step} month{'s' * (step != 1)}"


def step_words(step: Step | str) -> str:
    """Say a step to a reader.

    >>> step_words("0:30:00"), step_words(timedelta(hours=1)), step_words("1 day, 0:30:00")
    ('30 minutes', '1 hour', '1 day, 0:30:00')
    """
    text = step if isinstance(step, str) else step_text(step)
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        return text
    hours, minutes, seconds = map(int, clock.groups())
    if seconds:
        number, unit = (hours * 60 + minutes) * 60 + seconds, "second"
    else:
        number, unit = (hours * 60 + minutes, "minute") if minutes else (hours, "hour")
    return f"{number} {unit}{'s' * (number != 1)}"


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

    def judged_as_named(self) -> Judged:
        """Return what the times of a column say that was named. Raises `ModelError` if two rows have
        the same time or a later one stands above, and if steps are unequal and not to be split at.
        """
        self.expect_order()
        same = [each for each in self.first.values() if not each.span]
        if same:
            raise ModelError(
                f"{_short(same[0].after)} stands in two rows: expected times that go forward "
                f"({_REPEATED}{_TWICE if same[0].local else ''})",
                f"{same[0].row}: {self.where}",
            )
        _, usual, _, place = self._usual()
        if place is not None and not self.split:
            raise ModelError(
                f"{place}: expected steps of {step_words(usual)} ({_SPLIT}{_never(place, usual)})",
                f"{place.row}: {self.where}",
            )
        return Judged(self.timing(), breaks=self.breaks() if self.split else {}, clock=self)

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
        counted = {
            kind: max(numbers, key=lambda step: (step is not None, numbers[step]))
            for kind, numbers in self.steps.items()
            if any(step is not None for step in numbers)
        }
        if not counted:
            return "", None, 0, None
        kind = max(counted, key=lambda kind: self.steps[kind][counted[kind]])
        usual, steps = counted[kind], self.steps[kind]
        others = [self.first[kind, step] for step in steps if step != usual]
        place = min(others, key=lambda other: other.number, default=None)
        return kind, usual, steps.total() - steps[usual], place


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


# Columns of numbers that say when rows were recorded, by their names, and the rows of a group that stand in several
# places.
#
# Such a column is read if no column of times is named and none has dates. It raises a doubt if it jumps (weeks 0, 2,
# 4, 6, 11) or runs back within a group; another one if it does so where the rows of a group go on after others, as
# then one name may be of several people. A column with equal steps answers for others, unless it numbers rows (visits
# 1, 2, 3) beside a unit of time. Columns that begin again at the end of a period of the calendar count nothing.

# Names of columns in English, German, French and Spanish, without accents
_PERIOD_WORDS = """quarter month months week weeks wk day days hour hours hr minute minutes min
    quartal monat monate woche wochen tag tage stunde stunden minuten trimestre mois semaine
    semaines jour jours heure heures mes meses semana semanas dia dias hora horas"""
_ENDLESS = """year years yr second seconds sec jahr jahre sekunde sekunden annee annees seconde
    secondes ano anos segundo segundos"""
_NUMBERS = """visit visits wave period session occasion round epoch timepoint visite welle periode
    sitzung runde zeitpunkt vague visita ronda periodo sesion"""
_OTHERS = "t time times timestamp date datetime zeit datum temps fecha tiempo"
_CYCLIC = frozenset(_PERIOD_WORDS.split())
_UNITS = _CYCLIC.union(_ENDLESS.split())
_ORDINALS = frozenset(_NUMBERS.split())
_WORDS = _UNITS.union(_ORDINALS, _OTHERS.split())
_NUMBERED = {"number", "num", "no", "nr", "n", "index", "idx"}  # VISITNUM, visit_number
_JOINED = re.compile(rf"(?:study|a)?([a-z]{{3,}}?)(?:{'|'.join(sorted(_NUMBERED))})?")
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_NUMBER = re.compile(r"-?[0-9]+(?:[.,][0-9]+)?", re.ASCII)
_UNITED = re.compile(r"(-?[0-9]+(?:[.,][0-9]+)?) ?([A-Za-z]{1,10})", re.ASCII)
_WRAPS = frozenset((4, 6, 7, 11, 12, 23, 24, 28, 29, 30, 31, 52, 53, 55, 59, 60, 365, 366))
_MOST_PLACES = 3  # of a group, on average, beside no column of times


@dataclass
class Places:
    """The runs of rows that groups have, and the row at which a group is met again."""

    last: str | None = None
    runs: Counter[str] = field(default_factory=Counter)
    short: set[str] = field(default_factory=set)  # groups with a run of a single row
    again: dict[str, tuple[str, str]] = field(default_factory=dict)  # rows: the group, and after
    length: int = 0

    def see(self, row: str, group: str, count: int = 1) -> None:
        """Take the group of a row, and of those below it if they are several."""
        if group == self.last:
            self.length += count
            return
        if self.last is not None:
            if self.length == 1:
                self.short.add(self.last)
            if group in self.runs:
                self.again[row] = group, self.last
        self.runs[group] += 1
        self.last, self.length = group, count

    @property
    def apart(self) -> list[str]:
        """The groups with several runs, all of two rows and more, if these are few."""
        several = [group for group, count in self.runs.items() if count > 1]
        few = self.runs.total() <= _MOST_PLACES * len(self.runs)
        short = self.short | {self.last} if self.length == 1 else self.short
        return several if few and not short.intersection(several) else []


@dataclass
class Columns:
    """The columns that have names of times, by their places, and the units of their cells
    (`1 min`); and the places of groups, None without groups. A column counts if all its cells are
    numbers, or may be missing (`na` are texts that do): from these no step leads on.
    """

    clocks: list[tuple[int, Clock]]
    places: Places | None = None
    na: Collection[str] | None = None
    units: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, header: Sequence[str], read: Collection[int], grouped: bool, na: Collection[str] | None = None
    ) -> "Columns":
        """Choose columns by their names, but not those that are `read` anyway."""
        clocks = [
            (place, Clock(f'column "{name}"', False))
            for place, name in enumerate(header)
            if place not in read and named_as_time(name)
        ]
        return cls(clocks, Places() if grouped else None, na)

    def see(self, row: str, group: str, cells: Sequence[object]) -> None:
        """Read a row."""
        if self.places is not None:
            self.places.see(row, group)
        for place, clock in self.clocks:
            if may_be_missing(cells[place], self.na):
                clock.last.pop(group, None)
                continue
            number, unit = _number(cells[place])
            if number is None or unit != self.units.setdefault(place, unit):
                clock.whole = False
            elif clock.whole:
                clock.see(row, group, number)

    @property
    def _forward(self) -> list[Clock]:
        moving = [clock for _, clock in self.clocks if clock.moves]
        return [clock for clock in moving if clock.back is None and not _ties(clock)]

    @property
    def _united(self) -> list[Clock]:
        return [each for each in self._forward if _UNITS.intersection(_tokens(_what(each)))]

    @property
    def ordered(self) -> bool:
        """Whether a column goes forward in equal steps, and does not just number the rows beside
        one that has a unit of time.
        """
        if any(clock.doubt() is None for clock in self._united or self._forward):
            return True
        return any(
            clock.doubt() is None
            # and the column does not number rows, by its name or as all its steps are 1
            and not _ORDINALS.intersection(_tokens(_what(clock)))
            and {*clock.steps["real"]} != {Fraction(1)}
            for clock in self._forward
        )

    def doubts(self) -> list[Doubt]:
        """Return a doubt if no column goes forward in equal steps, or if a group is in several
        places and no column tells its order.
        """
        if self.ordered:
            return []
        moving = [clock for _, clock in self.clocks if clock.moves]
        forward = self._united or self._forward
        apart = self.places.apart if self.places is not None else []
        if forward:
            doubt = forward[0].doubt()
            name = _what(forward[0])
            if doubt is None:
                return []
            return [replace(doubt, about="times", says=f"{doubt.says[:-1]}, with --time {name})")]
        cyclic = [clock for clock in moving if _wraps(clock)]
        backward = [clock for clock in moving if len(_tokens(_what(clock))) == 1 and clock not in cyclic]
        if cyclic and all(clock.back is None for clock in backward):
            return []  # such as a year and a month
        if backward:
            return [self._backward(backward[0], apart)]
        return [self._apart(apart)] if apart and not moving else []

    def _backward(self, clock: Clock, apart: Sequence[str]) -> Doubt:
        back = clock.back
        again = self.places.again if self.places is not None else {}
        if back is not None and back.row in again and apart:
            return self._apart(apart, clock.where, back.row)
        if back is None:
            says = f"{_ties(clock)} rows have the {_what(clock)} of the row above"
        else:
            says = f"{clock.where} runs back at {back.row}, where {back.after} stands below {back.before}"
        return Doubt("times", f"{says}: the chain takes each row for the next step ({SEVERAL})")

    def _apart(self, apart: Sequence[str], where: str = "", row: str = "") -> Doubt:
        assert self.places is not None
        row = row or next(row for row, (name, _) in self.places.again.items() if name == apart[0])
        group, after = self.places.again[row]
        begins = f", where {where} begins again" if where else ""
        says = (
            f"the rows of {len(apart)} of {len(self.places.runs)} groups stand in several places, "
            f"such as those of {preview([group])} again at {row}, after those of "
            f"{preview([after])}{begins}: one name may be of several people, and the chain takes "
            "them for one (if so, write names that differ)"
        )
        return Doubt("ids", says)


def named_as_time(name: str) -> bool:
    """Return whether the first or the last word of a name is of time.

    >>> [name for name in ("week", "day of study", "weekly", "who") if named_as_time(name)]
    ['week', 'day of study']
    """
    tokens = _tokens(name)
    return bool(_WORDS.intersection(tokens[:1] + tokens[-1:]))


def _tokens(name: str) -> list[str]:
    """Return the words of a name, without those that say that it numbers something.

    >>> [_tokens(name) for name in ("VISITNUM", "visit_number", "STUDYDAY", "AVISITN", "Année")]
    [['visit'], ['visit'], ['day'], ['visit'], ['annee']]
    """
    plain = "".join(mark for mark in normalize("NFKD", name) if not combining(mark))
    words = []
    for word in map(str.lower, _TOKEN.findall(plain)):
        if word in _NUMBERED or word == "study":
            continue
        joined = None if word in _WORDS else _JOINED.fullmatch(word)  # as in VISITNUM
        words.append(joined[1] if joined and joined[1] in _WORDS else word)
    return words


def _number(cell: object) -> tuple[str | None, str]:
    """Return the number in a cell and its unit, None if it has none."""
    if isinstance(cell, str):
        if _NUMBER.fullmatch(cell):
            return cell, ""
        united = _UNITED.fullmatch(cell)
        return (united[1], united[2]) if united else (None, "")
    if isinstance(cell, bool) or not hasattr(cell, "__float__"):
        return None, ""
    return str(cell), ""


def _ties(clock: Clock) -> int:
    """Return how many rows have the time of the row above."""
    return sum(n for step, n in clock.steps.get("real", Counter()).items() if not step)


def _wraps(clock: Clock) -> bool:
    """Return whether a column begins again at the end of a period of the calendar."""
    if clock.back is None or not _CYCLIC.intersection(_tokens(_what(clock))):
        return False
    end = clock.back.before
    return end.isascii() and end.isdecimal() and int(end) in _WRAPS


def _what(clock: Clock) -> str:
    return clock.where.removeprefix("column ")


# Which columns say when rows were recorded: the one that is named, or those whose first cell that is not missing looks
# like a time. Where none is named and none is whole, a doubt says that nothing tells the order of the rows.

_MEND = "write dates and times as ISO has them, or leave the column out if it tells no order"
_ORDERS = ("day", "month")  # which is first in dates with slashes
_NO_DAY = (
    "expected a day above 12, which tells whether days or months are first, found none: write ISO "
    "dates such as 2026-03-29"
)


@dataclass
class Clocks:
    """The column of times that is named, or those columns that look like times, by their places; of
    dates with slashes a `rival` reads the other order, until a day above 12 tells. `unread` says
    which columns look like times that cannot be read, and `late` where a cell above the first time
    of a column is missing. Columns of the `header` that have had none but such cells are
    `undecided`; `na` are texts that mean missing.
    """

    clocks: list[tuple[int, Clock]]
    rival: Clock | None = None
    unread: list[str] = field(default_factory=list)
    columns: Columns | None = None  # of numbers, if no column begins with a date
    header: Sequence[str] = ()
    split: bool = False
    na: Collection[str] | None = None
    undecided: list[int] = field(default_factory=list)
    late: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        header: Sequence[str],
        first: Sequence[object],
        named: Clock | None,
        read: Collection[int],
        split: bool = False,
        grouped: bool = False,
        na: Collection[str] | None = None,
    ) -> "Clocks":
        """Return the clock of a named column, by its name and the cells of the first row; or choose
        columns as rows are read, but not those that are `read` anyway. Rows may be `grouped`.
        """
        if named is not None:
            place, where = list(header).index(named.where), f'column "{named.where}"'
            if not _has_slashes(first[place]):
                return cls([(place, replace(named, where=where))])
            day, month = _both(replace(named, where=where))
            return cls([(place, day)], month)
        undecided = [place for place in range(len(header)) if place not in read]
        columns = Columns.of(header, read, grouped, na)
        return cls([], None, [], columns, header, split, na, undecided)

    @property
    def watching(self) -> bool:
        """Whether rows say anything about times, or about the places of groups."""
        columns = self.columns
        return bool(self.clocks or self.undecided or (columns and (columns.clocks or columns.places)))

    def see(self, row: str, group: str, cells: Sequence[object]) -> None:
        """Read a row. Raises `ModelError` as `Clock.see` does."""
        if self.undecided:
            self._choose(row, cells)
        if self.columns is not None:
            self.columns.see(row, group, cells)
        for place, clock in self.clocks:
            try:
                clock.see(row, group, cells[place])
            except ModelError:
                if self.rival is None:
                    raise
                self.rival.see(row, group, cells[place])
                self.clocks, self.rival = [(place, self.rival)], None
                return
            if self.rival is not None:
                try:
                    self.rival.see(row, group, cells[place])
                except ModelError:
                    self.rival = None

    def see_block(
        self, line: int, groups: Sequence[str], starts: Sequence[int], block: Sequence[Sequence[object]]
    ) -> None:
        """Read rows, a line each, from this line on: those from one of `starts` to the next are of one
        of the groups. Raises `ModelError` as `see` does.
        """
        for group, (a, b) in zip(groups, pairwise([*starts, len(block)])):
            for k in range(a, b):
                columns = self.columns
                if not (self.clocks or self.undecided or (columns and columns.clocks)):
                    if columns and columns.places:
                        columns.places.see(f"line {line + k}", group, b - k)
                    break
                self.see(f"line {line + k}", group, block[k])

    def _choose(self, row: str, cells: Sequence[object]) -> None:
        """Choose columns by their first cells that are not missing."""
        for place in [*self.undecided]:
            cell = cells[place]
            clock = Clock(f'column "{self.header[place]}"', False, self.split)
            if may_be_missing(cell, self.na):
                self.late.setdefault(place, f"{row}: expected a time, found {shown(cell)}")
                continue
            self.undecided.remove(place)
            if _has_slashes(cell):
                self.clocks += [(place, one_order) for one_order in _both(clock)]
            elif looks_like_time(cell):
                self.clocks.append((place, clock))
            elif may_be_time(cell):
                self.unread.append(f"{clock.where} looks like times, and {shown(cell)} is not read")
        if any(place not in self.late for place, _ in self.clocks):
            self.columns = None

    def judged(self) -> Judged:
        """Return what the times say.

        If no column is named, the first that goes forward in equal steps counts, or else the first
        that goes forward.

        Raises `ModelError` if times of the named column do not go forward, or have unequal steps
        and are not to be split there; if none is named, where there are columns of times, and all
        of them go back.
        """
        for place, clock in self.clocks:
            if place in self.late:
                clock.whole, clock.ended = False, self.late[place]
            if self.rival is not None:
                raise ModelError(_NO_DAY, clock.where.removesuffix(", day first"))
            if clock.named:
                return clock.judged_as_named()
        moving = [clock for _, clock in self.clocks if clock.moves]
        clear = [clock for clock in moving if clock.where not in self._two_ways]
        forward = [clock for clock in clear if clock.back is None]
        if not forward:
            told = [*moving, *self._ended]
            if all(clock.back is not None for clock in told):
                for clock in told:
                    clock.expect_order()
            numbers = [] if self.columns is None else self.columns.doubts()
            return Judged(doubts=(*self._doubts(), *numbers))
        doubts = [clock.doubt() for clock in forward]
        if None in doubts:
            equal = forward[doubts.index(None)]
            return Judged(equal.timing(), clock=equal)
        return forward[0].judged(doubts[0])

    @property
    def _two_ways(self) -> list[str]:
        """The clocks of dates with slashes that can be read in both orders."""
        whole = [(place, clock.where) for place, clock in self.clocks if clock.whole]
        places = [place for place, _ in whole]
        return [where for place, where in whole if places.count(place) > 1]

    @property
    def _ended(self) -> list[Clock]:
        """The clock that read most of each column that none read whole."""
        by_column: dict[int, list[Clock]] = {}
        for place, clock in self.clocks:
            by_column.setdefault(place, []).append(clock)
        return [
            max(each, key=lambda clock: (clock.rows, clock.back is None))
            for each in by_column.values()
            if not any(clock.whole for clock in each)
        ]

    def _doubts(self) -> list[Doubt]:
        """Return a doubt about a column of times that tells no order."""
        reasons = [*self.unread, *(f"{where}: {_NO_DAY}" for where in self._two_ways)]
        if self.columns is None or not self.columns.ordered:
            ended = self._ended
            reasons += [f"{clock.where} looks like times, but {clock.ended}" for clock in ended]
        if not reasons:
            return []
        says = f"nothing tells whether rows are in the order of time: {reasons[0]} ({_MEND})"
        return [Doubt("gaps", says)]


def _both(clock: Clock) -> list[Clock]:
    """Return clocks that read dates with slashes in both orders."""
    named, split, decimal = clock.named, clock.split, clock.decimal
    where = (f"{clock.where}, {each} first" for each in _ORDERS)
    return [Clock(at, named, split, decimal, slashes=each) for at, each in zip(where, _ORDERS)]


def _has_slashes(cell: object) -> bool:
    return isinstance(cell, str) and bool(SLASHED.fullmatch(cell))


def judged_times(times: Iterable[object], groups: Sequence[str] | None, clock: Clock) -> Judged:
    """Return what a list of times says, one for each value.

    Raises `ModelError` as `Clocks.judged` does for a named column.
    """
    for place, cell in enumerate(times):
        clock.see(f"data[{place}]", "" if groups is None else groups[place], cell)
    return Clocks([(0, clock)]).judged()
