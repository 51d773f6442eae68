"""Which column says when rows were recorded, and what its times say.

The column is named, or found by the cells of the first row. In dates with slashes a day above 12
somewhere in the column tells whether the day or the month is first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.clock import Clock, Judged
from pufferproof.models.files.recorded.doubts.moments import SLASHED, looks_like_time


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
            if not isinstance(first[place], str) or not SLASHED.fullmatch(str(first[place])):
                return cls({place: replace(named, where=where)})
            both = (
                Clock(f"{where}, {each} first", True, named.split, named.decimal, slashes=each)
                for each in ("day", "month")
            )
            return cls({place: next(both)}, next(both))
        some = [k for k, cell in enumerate(first) if k not in read and looks_like_time(cell)]
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
