"""Times of recorded rows: whether they go forward, in equal steps, within every group.

Times are ISO 8601 dates and times, or numbers. Steps are equal if they are so in real time (offsets
from UTC are counted), on the clock of the wall (days over a change to summer time), or in months of
the calendar. A change of offset as long as a step may hide that one is missing: it is none then.
"""

from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.labels import label_of
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief, shown

Moment = datetime | Fraction
Step = timedelta | Fraction | int | None  # an int counts months, None is no whole number of them

_SORT = "sort the rows; where another person or meter begins, name its column as the group"
_UNNAMED = "; leave the column out of the data if it does not say when values were recorded"


@dataclass(frozen=True)
class _Place:
    """A step between two rows: its number, the second row, both times, and the time between."""

    number: int
    row: str
    before: str
    after: str
    span: timedelta | Fraction

    def __str__(self) -> str:
        return (
            f"{_short(self.after)} follows {_short(self.before)}, a step of {_step_text(self.span)}"
        )


@dataclass
class Clock:
    """A column of times, read row by row. A column that was not `named` is dropped, `whole`
    becoming false, at the first cell that is no time.
    """

    where: str
    named: bool
    whole: bool = True
    rows: int = 0
    back: _Place | None = None
    last: dict[str, tuple[Moment, str]] = field(default_factory=dict)
    steps: dict[str, Counter[Step]] = field(default_factory=dict)
    first: dict[tuple[str, Step], _Place] = field(default_factory=dict)

    def see(self, row: str, group: str, cell: object) -> None:
        """Read the cell of a row. Raises `ModelError` if the column was named and it is no time."""
        if not self.whole:
            return
        self.rows += 1
        try:
            text, moment = _moment(cell)
            if group in self.last:
                self._step(row, *self.last[group], moment, text)
            self.last[group] = moment, text
        except ModelError as error:
            if self.named:
                raise error.within(f"{row}: {self.where}") from None
            self.whole = False

    def _step(self, row: str, one: Moment, before: str, two: Moment, after: str) -> None:
        span = _span(one, two)
        back = span < timedelta(0) if isinstance(span, timedelta) else span < 0
        if back and self.back is None:
            self.back = _Place(self.rows, row, before, after, span)
        for kind, step in (("real", span), *_calendar(one, two)):
            if (kind, step) not in self.first:
                self.first[kind, step] = _Place(self.rows, row, before, after, span)
                self.steps.setdefault(kind, Counter())
            self.steps[kind][step] += 1

    @property
    def moves(self) -> bool:
        """Whether times differ within some group."""
        return self.whole and any(self.steps.get("real", ()))

    def expect_order(self) -> None:
        """Raise `ModelError` if times go back."""
        if self.back is not None:
            above, below = _short(self.back.before), _short(self.back.after)
            raise ModelError(
                f"{below} stands below {above}, which is later: expected rows in the order of time "
                f"({_SORT}{'' if self.named else _UNNAMED})",
                f"{self.back.row}: {self.where}",
            )

    def expect_equal_steps(self) -> None:
        """Raise `ModelError` unless all steps are equal, and not 0."""
        same = [each for each in self.first.values() if not each.span]
        if same:
            raise ModelError(
                f"{_short(same[0].after)} stands in two rows: expected times that go forward "
                f"({_SORT})",
                f"{same[0].row}: {self.where}",
            )
        usual, _, place = self._usual()
        if place is not None:
            raise ModelError(
                f"{place}: expected steps of {_step_text(usual)} (let a new group begin at a gap)",
                f"{place.row}: {self.where}",
            )

    def doubt(self) -> Doubt | None:
        """Return a doubt unless all steps are equal, or most are 0."""
        usual, odd, place = self._usual()
        if place is None or not usual:
            return None
        total = self.steps["real"].total()
        says = (
            f"{odd} of {total} steps of time in {self.where} are not {_step_text(usual)}: at "
            f"{place.row} {place}; the chain takes each for one step (let a new group begin at a "
            "gap)"
        )
        return Doubt("gaps", says)

    def _usual(self) -> tuple[Step, int, _Place | None]:
        """Return the most frequent step, how many are others, and the first of these."""
        counted = {kind: max(n, key=lambda s: (s is not None, n[s])) for kind, n in self._known}
        if not counted:
            return None, 0, None
        kind = max(counted, key=lambda kind: self.steps[kind][counted[kind]])
        usual, steps = counted[kind], self.steps[kind]
        others = [self.first[kind, step] for step in steps if step != usual]
        place = min(others, key=lambda other: other.number, default=None)
        return usual, steps.total() - steps[usual], place

    @property
    def _known(self) -> list[tuple[str, Counter[Step]]]:
        return [(kind, n) for kind, n in self.steps.items() if any(s is not None for s in n)]


@dataclass
class Clocks:
    """The column of times that is named, or those columns that look like times."""

    clocks: dict[int, Clock]

    @classmethod
    def of(
        cls, header: Sequence[str], first: Sequence[object], named: str | None, read: Iterable[int]
    ) -> "Clocks":
        """Choose columns by the cells of the first row, but not those that are `read` anyway."""
        if named is not None:
            place = list(header).index(named)
            return cls({place: Clock(f'column "{named}"', True)})
        some = [k for k, cell in enumerate(first) if k not in read and _looks_like_time(cell)]
        return cls({k: Clock(f'column "{header[k]}"', False) for k in some})

    def see(self, row: str, group: str, cells: Sequence[object]) -> None:
        """Read a row."""
        for place, clock in self.clocks.items():
            clock.see(row, group, cells[place])

    def doubts(self) -> tuple[Doubt, ...]:
        """Return what the times say against the data.

        Raises `ModelError` if times of the named column go back or have unequal steps; if none is
        named, where there are columns of times, and all of them go back.
        """
        for clock in self.clocks.values():
            if clock.named:
                clock.expect_order()
                clock.expect_equal_steps()
                return ()
        moving = [clock for clock in self.clocks.values() if clock.moves]
        forward = [clock for clock in moving if clock.back is None]
        if not forward:
            for clock in moving:
                clock.expect_order()
            return ()
        doubts_of_clocks = [clock.doubt() for clock in forward]
        return (
            ()
            if None in doubts_of_clocks
            else tuple(clock for clock in doubts_of_clocks[:1] if clock is not None)
        )


def doubts_of_times(
    times: Iterable[object], groups: Sequence[str] | None, where: str
) -> tuple[Doubt, ...]:
    """Return what a list of times, one for each value, says against the data.

    Raises `ModelError` unless they go forward in equal steps.
    """
    clock = Clock(where, True)
    for place, cell in enumerate(times):
        clock.see(f"data[{place}]", "" if groups is None else groups[place], cell)
    return Clocks({0: clock}).doubts()


def _looks_like_time(cell: object) -> bool:
    """Return whether a cell is a date, with a time or without."""
    if isinstance(cell, str):
        try:
            return "-" in cell[:8] and bool(datetime.fromisoformat(cell))
        except ValueError:
            return False
    return hasattr(cell, "isoformat") and hasattr(cell, "year")


def _moment(cell: object) -> tuple[str, Moment]:
    """Return a cell as text, and as a time. Raises `ModelError` unless it is one."""
    text = cell if isinstance(cell, str) else label_of(cell)
    try:
        return text, datetime.fromisoformat(text)
    except ValueError:
        pass
    try:
        return label_of(text), exact(text)
    except ModelError as error:
        if "missing" in error.what:
            raise
        raise ModelError(
            'expected an ISO date and time such as "2026-03-29 01:30:00+01:00", or a number, found '
            f"{shown(text)}"
        ) from None


def _span(one: Moment, two: Moment) -> timedelta | Fraction:
    """Return the time between two moments. Raises `ModelError` unless they are of one kind."""
    if isinstance(one, Fraction) and isinstance(two, Fraction):
        return two - one
    if isinstance(one, datetime) and isinstance(two, datetime):
        if (one.tzinfo is None) == (two.tzinfo is None):
            return two - one
        raise ModelError("expected offsets from UTC in all times, or in none")
    raise ModelError("expected numbers alone, or dates alone")


def _calendar(one: Moment, two: Moment) -> list[tuple[str, Step]]:
    """Return the step on the clock of the wall, and in months, of dates."""
    if not (isinstance(one, datetime) and isinstance(two, datetime)):
        return []
    aware = one.tzinfo is not None
    a, b = (one.replace(tzinfo=None), two.replace(tzinfo=None)) if aware else (one, two)
    wall = b - a
    clear = wall if abs(two - one - wall) < wall else None
    return [*([("wall", clear)] if aware else []), ("months", _months(a, b, wall))]


def _months(a: datetime, b: datetime, wall: timedelta) -> int | None:
    """Return the number of months between the same days, or ends of months; None else."""
    if wall.days < 27 or a.time() != b.time():
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
