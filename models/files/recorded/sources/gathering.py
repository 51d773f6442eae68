"""Cells of recorded data, row by row, as sequences of labels: a sequence for every group, or for
every part of one that nothing is missing in.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import compress, pairwise
from operator import itemgetter, ne
from typing import Any, Literal, NamedTuple

from pufferproof.models.errors import ModelError, within
from pufferproof.models.files.recorded.bits import MissingError, label_of, name_of, number_of, with_point
from pufferproof.models.files.recorded.doubts.clock import Clock, Clocks, Judged, Timing
from pufferproof.models.numbers.intervals import nearest
from pufferproof.models.numbers.text import did_you_mean, percent, shown, text_of
from pufferproof.models.priors.records import preview

# Classes of numbers: between limits, or of about equal size.
#
# With limits a < b the classes are named "below a", "a to b" and "from b": a number equal to a limit is above it. N
# classes of about equal size have the limits
#
#     x_(floor(j n / N)),  j = 1 .. N - 1,
#
# of the n numbers x_0 <= x_1 <= .., so that at most j n / N numbers are below the j-th.

MAX_CLASSES = 256
_FEWEST = 2
_ONE_OR_TWO = re.compile(r"-?[0-9]+,[0-9]+")


@dataclass(frozen=True)
class Classes:
    """Limits between classes in ascending order, or `count` classes of about equal size, which get
    their limits from the numbers; `numbered` classes are named 0, 1, ..

    >>> Classes.of("0.5,2").names
    ('below 0.5', '0.5 to 2', 'from 2')
    >>> Classes.of(2).among({"1": 4, "7": 4}, {"1": Fraction(1), "7": Fraction(7)}).names
    ('below 7', 'from 7')
    """

    limits: tuple[Fraction, ...] = ()
    count: int | None = None
    numbered: bool = False

    @classmethod
    def of(cls, given: object, decimal: str = ".") -> "Classes":
        """Read a number of classes, or limits between them: a text, an integer, or a sequence.

        Raises `ModelError` unless there are 2 to 256 classes, and limits ascend; and for a text
        such as "0,5" beside decimal commas, which may be one limit or two.
        """
        with within("classes"):
            if isinstance(given, str) and decimal == "," and _ONE_OR_TWO.fullmatch(given.strip()):
                one, two = given.strip().split(",")
                raise ModelError(
                    f"{shown(given)} may be one limit or two beside decimal commas: write "
                    f"{one}.{two}, or {one}.0,{two}.0"
                )
            return cls._of(given)

    @classmethod
    def _of(cls, given: object) -> "Classes":
        text = given.strip() if isinstance(given, str) else ""
        if text.isascii() and text.isdigit() and len(text) < 10:
            given = int(text)
        if isinstance(given, int) and not isinstance(given, bool):
            if not _FEWEST <= given <= MAX_CLASSES:
                raise ModelError(
                    f"expected {_FEWEST} to {MAX_CLASSES} classes, found {given} (one limit has a point, {given}.0)"
                )
            return cls(count=given)
        if text:
            given = [part.strip() for part in text.split(",")]
        if not isinstance(given, Sequence) or isinstance(given, str | bytes):
            raise ModelError(f"expected a number of classes, or limits such as 0.5,2, found {shown(given)}")
        limits = tuple(number_of(label_of(each)) for each in given)
        if not 1 <= len(limits) < MAX_CLASSES or any(a >= b for a, b in pairwise(limits)):
            raise ModelError(f"expected 1 to {MAX_CLASSES - 1} limits in ascending order, found {shown(given)}")
        return cls(limits)

    def among(self, counted: Mapping[str, int], numbers: Mapping[str, Fraction]) -> "Classes":
        """Return the classes with their limits, given how often each label occurs, and the number
        that it is.

        Raises `ModelError` if equal numbers leave a class empty.
        """
        if self.count is None:
            return self
        # floats tell most numbers apart
        known = ((numbers[label], n) for label, n in counted.items())
        ordered = sorted((nearest(number), number, n) for number, n in known)
        total, seen = sum(counted.values()), 0
        targets = [j * total // self.count for j in range(1, self.count)]
        limits: list[Fraction] = []
        for _, number, n in ordered:
            seen += n
            while len(limits) < len(targets) and targets[len(limits)] < seen:
                limits.append(number)
        if any(a >= b for a, b in pairwise([ordered[0][1], *limits])):
            _, often, n = max(ordered, key=lambda each: each[2])
            raise ModelError(
                f"expected numbers that make {self.count} classes of about equal size, found "
                f"{limit_text(often)} in {percent(Fraction(1000 * n // total, 1000))} of {total} "
                "rows: give limits, such as --classes 0.5,2",
                "classes",
            )
        return replace(self, limits=tuple(limits))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classes, in order."""
        if self.numbered:
            return tuple(map(str, range(len(self.limits) + 1)))
        texts = [limit_text(limit) for limit in self.limits]
        middle = [f"{a} to {b}" for a, b in pairwise(texts)]
        return (f"below {texts[0]}", *middle, f"from {texts[-1]}")

    def by_label(self, numbers: Mapping[str, Fraction]) -> dict[str, str]:
        """Return the name of the class of every label, given the number that it is."""
        names, limits = self.names, self.limits
        return {label: names[bisect_right(limits, number)] for label, number in numbers.items()}


def limit_text(limit: Fraction) -> str:
    """Write a number as a decimal if it is one, and else as a fraction.

    >>> limit_text(Fraction(-5, 4)), limit_text(Fraction(1, 3)), limit_text(Fraction(2))
    ('-1.25', '1/3', '2')
    """
    rest, places = limit.denominator, 0
    while rest % 10 == 0 or rest % 5 == 0 or rest % 2 == 0:
        rest //= next(p for p in (10, 5, 2) if rest % p == 0)
        places += 1
    if rest != 1 or not places:
        return text_of(limit)
    digits = text_of(abs(limit) * 10**places).rjust(places + 1, "0")
    decimals = digits[-places:].rstrip("0")
    return f"{'-' if limit < 0 else ''}{digits[:-places]}.{decimals}"


Missing = Literal["refuse", "split"]
Naming = Callable[[object, bool], str]  # of a row, and whether its group is meant


@dataclass(frozen=True)
class Reading:
    """How values were read: what kind of file it was, None of a list, `notes` about it, what times
    say, the classes of numbers if any, how many values are missing, and the places of sequences
    that are `later` than the beginning of their group, since something is missing before; `members`
    has the number of the group of every sequence where groups have several, and `names` the names
    of these groups. `starts` says when each sequence begins, in steps, and `unended` are those
    after which something of their group is missing; `column` is that of the values, if it has a
    name.
    """

    told: str | None = None
    notes: tuple[str, ...] = ()
    timing: Timing | None = None
    classes: Classes | None = None
    absent: int = 0
    later: frozenset[int] = frozenset()
    members: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    column: str | None = None
    starts: tuple[float, ...] = ()
    unended: frozenset[int] = frozenset()

    def group(self, sequence: int) -> int:
        """Return the number of the group that a sequence is of."""
        return self.members[sequence] if self.members else sequence


UNREAD = Reading()


class Part(NamedTuple):
    """The labels of a part of a group, its name, whether the group begins with it, the number of
    the group, the place of the part among its rows, and whether the group ends with it.
    """

    name: str
    labels: list[str]
    begins: bool
    group: int
    place: int = 0
    ends: bool = True


@dataclass
class Gathering:
    """Values by their groups, in the order in which they stand; without groups all are of group "".

    `kept` are labels that are no missing values, whatever they look like; `na` are texts that mean
    missing, if named; `numeric` values are numbers.
    """

    grouped: bool = False
    kept: Collection[str] = ()
    missing: Missing = "refuse"
    decimal: str = "."
    numeric: bool = False
    na: Collection[str] | None = None
    members: dict[str, list[str | None]] = field(default_factory=dict)
    absent: int = 0  # values that are missing
    _values: dict[str, str] = field(default_factory=dict)
    _groups: dict[str, str] = field(default_factory=dict)
    _numbers: dict[str, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.grouped:
            self._groups[""] = ""

    def add(self, row: object, value: object, group: object, naming: Naming) -> None:
        """Take a row; `naming` says where it stands. Raises `ModelError` where something is
        missing, or no number if classes or numbers are asked for.
        """
        label = self._values.get(value) if isinstance(value, str) else None
        name = self._groups.get(group) if isinstance(group, str) else None
        if label is None:
            label = self._label(row, value, naming)
        if name is None:
            try:
                name = label_of(group, na=self.na)
            except ModelError as error:
                raise error.within(naming(row, True)) from None
            if isinstance(group, str):
                self._groups[group] = name
        if name not in self.members:
            self.members[name] = []
        self.members[name].append(label)

    def take(self, values: Sequence[str], groups: Sequence[str], starts: Sequence[int]) -> bool:
        """Take rows with these values, of groups of which each goes on from one of `starts` to the
        next. Return false, having taken none, if a value is missing, or a row has to be said to be
        wrong.
        """
        absent = self.absent
        try:
            for value in {*values}.difference(self._values):
                self._label("", value, lambda row, group: "")
            for group in {*groups}.difference(self._groups):
                self._groups[group] = label_of(group, na=self.na)
        except ModelError:
            return False
        if self.absent > absent:
            self.absent = absent
            return False
        labels = list(map(self._values.__getitem__, values))
        for group, (a, b) in zip(groups, pairwise([*starts, len(labels)])):
            self.members.setdefault(self._groups[group], []).extend(labels[a:b])
        return True

    def _label(self, row: object, value: object, naming: Naming) -> str | None:
        try:
            label = label_of(value, self.kept, self.na)
            if self.numeric and label not in self._numbers:
                self._numbers[label] = number_of(label, self.decimal)
            elif self.decimal == "," and not self.numeric:
                label = with_point(label)
        except MissingError as error:
            if self.missing == "split":
                self.absent += 1
                return None
            said = f"{error.what} (--missing split makes a recording of its own of what follows)"
            raise MissingError(said, naming(row, False)) from None
        except ModelError as error:
            raise error.within(naming(row, False)) from None
        if isinstance(value, str):
            self._values[value] = label
        return label

    def sequences(self, breaks: Mapping[str, Collection[int]]) -> list["Part"]:
        """Return every part of a group; `breaks` are the places in each group at which a part
        begins, beside those where something is missing.
        """
        found = []
        for group, (name, labels) in enumerate(self.members.items()):
            starts = sorted({0, len(labels), *breaks.get(name, ())})
            parts = [(a + k, part) for a, b in pairwise(starts) for k, part in _whole(labels[a:b])]
            for number, (place, part) in enumerate(parts, 1):
                told = f"part {number}" if len(parts) > 1 else ""
                begins = number == 1 and labels[0] is not None
                ends = place + len(part) == len(labels)
                whole = ", ".join(filter(None, (name, told)))
                found.append(Part(whole, part, begins, group, place, ends))
        return found

    def in_classes(self, classes: Classes, sequences: Sequence[Sequence[str]]) -> tuple[Classes, list[list[str]]]:
        """Return classes with their limits, and sequences of the names of these classes."""
        limited = classes.among(Counter(label for labels in sequences for label in labels), self._numbers)
        class_of = limited.by_label(self._numbers)
        return limited, [[class_of[label] for label in labels] for labels in sequences]

    def numbers(self, sequences: Sequence[Sequence[str]]) -> tuple[tuple[Fraction, ...], ...]:
        """Return sequences of numbers."""
        return tuple(tuple(map(self._numbers.__getitem__, labels)) for labels in sequences)


def _whole(labels: Sequence[str | None]) -> list[tuple[int, list[str]]]:
    """Return the parts between what is missing, and where they begin."""
    if None not in labels:
        return [(0, list(labels))] if labels else []  # type: ignore[arg-type]
    parts: list[tuple[int, list[str]]] = [(0, [])]
    for place, label in enumerate(labels, 1):
        if label is None:
            parts.append((place, []))
        else:
            parts[-1][1].append(label)
    return [part for part in parts if part[1]]


# How much work a file may make: one counter for all readers of recorded data.
#
#     cost of what is read <= 40,000,000 + 50 (bytes of the file)
#
# A byte that is unpacked costs 2/5, a gzip member 20, a cell 2; an element of a workbook 24 if it is of a plain cell,
# 80 in the shared strings, and else 200: about the tenths of a microsecond that each takes. So a small file ends
# within seconds, and a large one in proportion to its bytes, whatever it says of itself.

MAX_TABLE = 1_000_000_000  # bytes of a file, and of what it is unpacked to
_BASE, _PER_BYTE = 40_000_000, 50
_FIFTHS = 5  # costs are counted in fifths
BYTE, MEMBER, CELL = 2, 100, 10
PLAIN_ELEMENT, STRING_ELEMENT, OTHER_ELEMENT = 120, 400, 1000


@dataclass
class Work:
    """The work that is left of what a file of `size` bytes may make."""

    size: int
    unpacked: int = 0
    spent: int = 0

    def room(self, cost: int) -> bool:
        """Whether so much work is left."""
        return self.spent + cost <= _FIFTHS * (_BASE + _PER_BYTE * self.size)

    def take(self, cost: int, what: str) -> None:
        """Count work. Raises `ModelError` if it is too much for the file."""
        room, self.spent = self.room(cost), self.spent + cost
        if not room:
            raise ModelError(
                f"expected less work from a file of {self.size} bytes, found too many {what}: save "
                "the table as CSV that is not compressed"
            )

    def unpack(self, size: int) -> None:
        """Count bytes that are unpacked. Raises `ModelError` if they are too many."""
        self.unpacked += size
        if self.unpacked > MAX_TABLE:
            raise ModelError(f"expected at most {MAX_TABLE} bytes once unpacked, found more")
        self.take(BYTE * size, "bytes once unpacked")


# What is asked of recorded data, and the rows that answer it.

MAX_ROWS = 20_000_000
_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}


@dataclass(frozen=True)
class Asked:
    """What is asked of a table: the column with the values, that with the groups if any, the states
    if they are named, classes of numbers, the column with the times if it is named, what to do
    where something is missing, and how text is read: a separator of cells, by default what the
    header has, and the mark before decimals; of a workbook its `sheet`, by default the only one;
    and the texts that mean missing, `na`, by default those of `label_of`.

    Without a `column` it is the only one beside the groups and times.
    """

    column: str | None
    group: str | None = None
    states: Sequence[str] | None = None
    classes: Classes | None = None
    time: str | None = None
    missing: Missing = "refuse"
    separator: str | None = None
    decimal: str = "."
    sheet: str | None = None
    na: Sequence[str] | None = None

    @classmethod
    def of(cls, column: str | None, group: str | None = None, **options: Any) -> "Asked":
        """Check options. Raises `ModelError` naming one that cannot be."""
        separator, decimal = options.get("separator"), options.get("decimal", ".")
        if separator is not None:
            separator = _NAMES.get(separator, separator)
            if len(separator) != 1 or separator.isalnum() or separator in '"\r\n\0-.':
                raise ModelError('expected one character such as ";", or tab, found ' + shown(separator), "separator")
        if decimal not in (".", ","):
            raise ModelError(f'expected "." or ",", found {shown(decimal)}', "decimal")
        if isinstance(options.get("na"), str):
            raise ModelError('expected a list of texts, such as ["NA"]', "na")
        missing = options.get("missing", "refuse")
        if missing not in ("refuse", "split"):
            raise ModelError(f'expected "refuse" or "split", found {shown(missing)}', "missing")
        if options.get("states") is not None and options.get("classes") is not None:
            raise ModelError("classes name the values: expected none beside classes", "states")
        return cls(column, group, **{**options, "separator": separator})

    @property
    def named(self) -> list[str]:
        """The names of columns that must be there."""
        return [name for name in (self.column, self.group, self.time) if name is not None]

    def among(self, header: Sequence[str], aside: Sequence[str] = ()) -> "Asked":
        """Return this with the column named; columns `aside` have no values.

        Raises `ModelError` unless every column is there once.
        """
        for name in self.named:
            if name not in header:
                names = preview(header, 20) or "none"
                raise ModelError(f'expected a column "{name}", found {names}{did_you_mean(name, header)}')
            if list(header).count(name) > 1:
                raise ModelError(f'expected one column "{name}", found several')
        if self.column is not None:
            return self
        others = [name for name in header if name not in (*self.named, *aside)]
        if len(others) != 1:
            raise ModelError(
                "expected one column beside groups and times, found "
                f"{preview(others, 20) or 'none'}: --column names the one with the values"
            )
        return replace(self, column=others[0])

    def places(self, header: Sequence[str]) -> tuple[int, int | None]:
        """Return where the values and the groups stand."""
        where = list(header).index
        return where(str(self.column)), None if self.group is None else where(self.group)

    @property
    def clock(self) -> Clock | None:
        """The clock of the times if they are named; its `where` is the name."""
        if self.time is None:
            return None
        return Clock(self.time, True, self.missing == "split", self.decimal)

    def gathering(self, numeric: bool = False) -> Gathering:
        """Return what takes the rows."""
        return Gathering(
            grouped=self.group is not None,
            kept=self.states or (),
            missing=self.missing,
            decimal=self.decimal,
            numeric=numeric or self.classes is not None,
            na=self.na,
        )


@dataclass
class RecordedRows:
    """The rows of a table, each a name, a value and a group ("" without groups). `told` says what
    was read, and `notes` what may surprise.
    """

    data: bytes
    asked: Asked
    header: Sequence[str]
    cells: Iterator[tuple[str, Sequence[object]]]
    told: str = "table"
    notes: tuple[str, ...] = ()
    clocks: Clocks | None = None
    work: Work | None = None
    gathering: Gathering | None = None

    def __iter__(self) -> Iterator[tuple[str, object, object]]:
        value, group = self.asked.places(self.header)
        for row, cells in self.cells:
            if self.work is not None:
                self.work.take(CELL * len(cells), "cells")
            clocks = self._clocks(cells)
            name = "" if group is None else cells[group]
            if clocks.watching:
                clocks.see(row, name_of(name), cells)
            yield row, cells[value], name

    def _clocks(self, first: Sequence[object]) -> Clocks:
        if self.clocks is None:
            asked, read = self.asked, [place for place in self.asked.places(self.header) if place is not None]
            split, grouped = asked.missing == "split", asked.group is not None
            self.clocks = Clocks.of(self.header, first, asked.clock, read, split, grouped, asked.na)
        return self.clocks

    def take(self, line: int, block: Sequence[Sequence[str]]) -> bool:
        """Take rows of texts, a line each, from this line on, as iterating and adding them one by one
        does. Return false, having taken none, if some have to be looked at by themselves.
        """
        value, group = self.asked.places(self.header)
        cost, starts, names = CELL * len(self.header) * len(block), [0], [""]
        if group is not None:
            every = list(map(itemgetter(group), block))
            starts += compress(range(1, len(every)), map(ne, every, every[1:]))
            names = [every[start] for start in starts]
        if self.gathering is None or (self.work is not None and not self.work.room(cost)):
            return False
        if not self.gathering.take(list(map(itemgetter(value), block)), names, starts):
            return False
        if self.work is not None:
            self.work.take(cost, "cells")
        self._clocks(block[0]).see_block(line, names, starts, block)
        return True

    def naming(self, row: object, group: bool) -> str:
        """Say where a value or a group stands."""
        return f'{row}: column "{self.asked.group if group else self.asked.column}"'

    def gathered(self, numeric: bool = False) -> tuple[Gathering, Judged]:
        """Read all rows."""
        self.gathering = gathering = self.asked.gathering(numeric)
        for row, value, group in self:
            gathering.add(row, value, group, self.naming)
        if not gathering.members:
            raise ModelError("expected rows below the header, found none")
        return gathering, Judged() if self.clocks is None else self.clocks.judged()


def expect_rows(count: int) -> None:
    """Raise `ModelError` for too many rows."""
    if count > MAX_ROWS:
        raise ModelError(f"expected at most {MAX_ROWS} rows, found {count}: take a part of them")
