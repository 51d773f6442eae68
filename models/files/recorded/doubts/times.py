"""Which columns say when rows were recorded: the one that is named, or those whose first cell
that is not missing looks like a time.

Where none is named and none is whole, a doubt says that nothing tells the order of the rows.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.bits import may_be_missing
from pufferproof.models.files.recorded.doubts.clock import SLASHED, Clock, Columns, Judged, looks_like_time, may_be_time
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.numbers.text import shown

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
