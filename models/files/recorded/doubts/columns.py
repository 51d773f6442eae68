"""Columns of numbers that say when rows were recorded, by their names, and the rows of a group that
stand in several places.

Such a column is read if no column of times is named and none has dates. It raises a doubt if it
jumps (weeks 0, 2, 4, 6, 11) or runs back within a group; another one if it does so where the rows
of a group go on after others, as then one name may be of several people. A column with equal steps
answers for others, unless it numbers rows (visits 1, 2, 3) beside a unit of time. Columns that
begin again at the end of a period of the calendar count nothing.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from unicodedata import combining, normalize

from pufferproof.models.files.recorded.doubts.clock import SEVERAL, Clock
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.labels import may_be_missing
from pufferproof.models.priors.records import preview

# Names of columns in English, German, French and Spanish, without accents
_PERIODS = """quarter month months week weeks wk day days hour hours hr minute minutes min
    quartal monat monate woche wochen tag tage stunde stunden minuten trimestre mois semaine
    semaines jour jours heure heures mes meses semana semanas dia dias hora horas"""
_ENDLESS = """year years yr second seconds sec jahr jahre sekunde sekunden annee annees seconde
    secondes ano anos segundo segundos"""
_NUMBERS = """visit visits wave period session occasion round epoch timepoint visite welle periode
    sitzung runde zeitpunkt vague visita ronda periodo sesion"""
_OTHERS = "t time times timestamp date datetime zeit datum temps fecha tiempo"
_CYCLIC = frozenset(_PERIODS.split())
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

    def see(self, row: str, group: str) -> None:
        """Take the group of a row."""
        if group == self.last:
            self.length += 1
            return
        if self.last is not None:
            self._end()
            if group in self.runs:
                self.again[row] = group, self.last
        self.runs[group] += 1
        self.last, self.length = group, 1

    def _end(self) -> None:
        if self.length == 1 and self.last is not None:
            self.short.add(self.last)

    @property
    def apart(self) -> list[str]:
        """The groups with several runs, all of two rows and more, if these are few."""
        self._end()
        several = [group for group, count in self.runs.items() if count > 1]
        few = self.runs.total() <= _MOST_PLACES * len(self.runs)
        return several if few and not self.short.intersection(several) else []


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
        equal = [clock for clock in self._united or self._forward if clock.doubt() is None]
        more = [clock for clock in self._forward if clock.doubt() is None and not _counts(clock)]
        return bool(equal or more)

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
        alone = [clock for clock in moving if _alone(clock)]
        cyclic = [clock for clock in moving if _wraps(clock)]
        backward = [clock for clock in alone if clock not in cyclic]
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
            count = _ties(clock)
            says = f"{count} rows have the {_what(clock)} of the row above"
        else:
            said = f"{back.after} stands below {back.before}"
            says = f"{clock.where} runs back at {back.row}, where {said}"
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
    words = [token.lower() for token in _TOKEN.findall(plain)]
    return [_bare(word) for word in words if word not in {*_NUMBERED, "study"}]


def _bare(word: str) -> str:
    """Return the word of time that a word is joined to, as in VISITNUM, or else the word."""
    joined = None if word in _WORDS else _JOINED.fullmatch(word)
    return joined[1] if joined and joined[1] in _WORDS else word


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


def _counts(clock: Clock) -> bool:
    """Return whether a column numbers the rows: it has such a name, or all its steps are 1."""
    ordinal = _ORDINALS.intersection(_tokens(_what(clock)))
    return bool(ordinal) or {*clock.steps["real"]} == {Fraction(1)}


def _alone(clock: Clock) -> bool:
    """Return whether the name of a column is one word."""
    return len(_tokens(_what(clock))) == 1


def _wraps(clock: Clock) -> bool:
    """Return whether a column begins again at the end of a period of the calendar."""
    cyclic = _CYCLIC.intersection(_tokens(_what(clock)))
    return clock.back is not None and bool(cyclic) and _end_of(clock.back.before) in _WRAPS


def _end_of(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() else None


def _what(clock: Clock) -> str:
    return clock.where.removeprefix("column ")
