"""Cells of recorded data, row by row, as sequences of labels: a sequence for every group, or for
every part of one that nothing is missing in.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.clock import Timing
from pufferproof.models.files.recorded.labels import MissingError, label_of, number_of, with_point
from pufferproof.models.files.recorded.sources.classes import Classes

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
        found = self._label(row, value, naming) if label is None else label
        key = self._group(row, group, naming) if name is None else name
        if key not in self.members:
            self.members[key] = []
        self.members[key].append(found)

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

    def _group(self, row: object, group: object, naming: Naming) -> str:
        try:
            name = label_of(group, na=self.na)
        except ModelError as error:
            raise error.within(naming(row, True)) from None
        if isinstance(group, str):
            self._groups[group] = name
        return name

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

    def limited(self, classes: Classes, sequences: Sequence[Sequence[str]]) -> Classes:
        """Return classes with their limits."""
        counted = Counter(label for labels in sequences for label in labels)
        return classes.among(counted, self._numbers)

    def classified(self, classes: Classes, sequences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return sequences of the names of classes."""
        names = classes.by_label(self._numbers)
        return [[names[label] for label in labels] for labels in sequences]

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
