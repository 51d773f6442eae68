"""Neighbours: databases that differ by a number of changes, each of them a secret of its own.

A database is a sequence of records. A change adds a record or removes one ("add-remove": the
insert-delete distance of sequences), or gives one another value ("substitute": the Hamming distance
of sequences of one length). Databases at distance 1 to k are neighbours for k changes: group
privacy. Under any prior P(output | x) of one database x is its row, so that one prior in which all
are possible is all of them.

Where a query adds something for every record, only the difference that k changes make matters, and
databases need not be listed: `differences`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.kinds import hold_checked
from pufferproof.models.numbers.text import did_you_mean, shown
from pufferproof.models.priors.records import Records, separator
from pufferproof.models.priors.tables import Table

Relation = Literal["add-remove", "substitute"]
Values = tuple[str, ...]
MOST_DATABASES = 20_000
MOST_TRIED = 3_000_000  # single changes of databases
PRIOR = "each"


class Written(NamedTuple):
    """Databases that are their own secrets, the pairs of neighbours, and a prior."""

    databases: tuple[str, ...]
    secrets: Mapping[str, Sequence[str]]
    pairs: Sequence[tuple[str, str]]
    priors: Mapping[str, Table]


@dataclass(frozen=True)
class Neighbours:
    """Which databases are neighbours: by what changes, and by how many of them at most.

    Args:
        relation: "add-remove" or "substitute".
        changes: how many records change at most: 1, or the size of a group.

    >>> Neighbours("add-remove").written(Records(1, ("0", "1"))).pairs
    (('', '0'), ('', '1'))

    Raises `ModelError` unless the relation is one of these, and there is at least 1 change.
    """

    made_by: ClassVar = {"str": 'Neighbours("add-remove") makes one'}

    relation: Relation
    changes: int = 1

    def __post_init__(self) -> None:
        known = get_args(Relation)
        if self.relation not in known:
            raise ModelError(
                f'expected "add-remove" or "substitute", found {shown(self.relation)}'
                f"{did_you_mean(str(self.relation), known)}",
                "neighbours.relation",
            )
        try:
            hold_checked(self, {"relation": str, "changes": int})
        except ModelError as error:
            raise error.within("neighbours") from None
        if self.changes < 1:
            raise ModelError(f"expected at least 1 change, found {shown(self.changes)}", "neighbours.changes")

    @classmethod
    def of(cls, value: Any) -> "Neighbours":
        """Return neighbours, of one change where only a relation is given."""
        return value if isinstance(value, Neighbours) else cls(value)

    def expect(self, count: int) -> None:
        """Raise `ModelError` unless databases have as many records as may change."""
        if self.changes > count:
            raise ModelError(
                f"expected at most {count} changes in databases of {count} records, found {shown(self.changes)}",
                "neighbours.changes",
            )

    def listed(self, space: Sequence[str] | Records) -> dict[str, Values]:
        """Return the records of every database by its label. Raises `TooLargeError` where they are
        too many.

        Of records, all sequences of `count` of them, or of every length up to that, none included,
        where records are added and removed. Labels join values as those of `Records` do.
        """
        if not isinstance(space, Records):
            mark = mark_of(space)
            return {label: split_label(label, mark) for label in space}
        if space.people > 1:
            raise ModelError("neighbours need one person, found several", "people")
        lengths = range(space.count + 1) if self.relation == "add-remove" else [space.count]
        size, width = 0, len(space.alphabet)
        for length in lengths:
            size += width ** min(length, 64)
            if size > MOST_DATABASES:
                raise TooLargeError(
                    f"neighbours of over {MOST_DATABASES} databases: expected fewer records, or "
                    f"noise on a sum, a count or a histogram of them, of which only differences "
                    f"matter",
                    "neighbours",
                )
        mark = separator(space.alphabet)
        every = (row for length in lengths for row in product(space.alphabet, repeat=length))
        return {mark.join(row): row for row in every}

    def written(self, space: Sequence[str] | Records) -> Written:
        """Return the databases, each a secret, with all pairs of neighbours, in their order.

        Raises `ModelError` unless there is one; `TooLargeError` where there are too many.
        """
        listed = self.listed(space)
        self.expect(max(map(len, listed.values())))
        labels = {row: label for label, row in listed.items()}
        place = {row: index for index, row in enumerate(listed.values())}
        alphabet = sorted({value for row in labels for value in row})
        pairs, tried = [], 0
        for row in place:
            reached, steps = self._reached(row, alphabet, MOST_TRIED - tried)
            tried += steps
            after = sorted(place[other] for other in reached if place.get(other, -1) > place[row])
            pairs += [(row, index) for index in after]
        if not pairs:
            raise ModelError(
                f"no two databases are neighbours ({self}): labels are read as records, one "
                f"character each, or parted by commas",
                "neighbours",
            )
        names = list(listed)
        share = Fraction(1, len(names))
        return Written(
            tuple(names),
            {name: (name,) for name in names},
            tuple((labels[row], names[index]) for row, index in pairs),
            {PRIOR: Table(dict.fromkeys(names, share))},
        )

    def _reached(self, start: Values, alphabet: Sequence[str], most: int) -> tuple[set[Values], int]:
        """Return the databases within so many changes of one, listed or not, and how many single
        changes were tried.
        """
        reached, last, tried = {start}, {start}, 0
        for _ in range(self.changes):
            tried += sum(len(row) + 1 for row in last) * len(alphabet)
            if tried > most:
                raise TooLargeError(
                    f"{self}: over {MOST_TRIED} single changes to try, expected fewer records or changes", "neighbours"
                )
            found = {other for row in last for other in self._next(row, alphabet)}
            last = found - reached
            reached |= last
        return reached, tried

    def _next(self, row: Values, alphabet: Sequence[str]) -> Iterator[Values]:
        if self.relation == "substitute":
            for i in range(len(row)):
                for value in alphabet:
                    yield (*row[:i], value, *row[i + 1 :])
            return
        for i in range(len(row)):
            yield (*row[:i], *row[i + 1 :])
        for i in range(len(row) + 1):
            for value in alphabet:
                yield (*row[:i], value, *row[i:])

    def changed(self, one: Values, other: Values) -> str:
        """Say what changes from one database to another, in as few changes as there are.

        >>> Neighbours("add-remove").changed(("0", "1"), ("0",))
        'record 2 ("1") removed'
        """
        if self.relation == "substitute":
            steps = [f'record {i}: "{a}" for "{b}"' for i, (b, a) in enumerate(zip(one, other), 1) if a != b]
            return " and ".join(steps)
        common = _common(one, other)
        gone = {i for i, _ in common}
        come = {j for _, j in common}
        steps = [f'record {i + 1} ("{x}") removed' for i, x in enumerate(one) if i not in gone]
        steps += [f'record {j + 1} ("{y}") added' for j, y in enumerate(other) if j not in come]
        return " and ".join(steps)

    def differences(self, records: Records, most: int | None = None) -> Written:
        """Return a framework of what may change: the records that do, each group a database, every
        other record left out.

        It has every difference that at most `changes` changes make in what is added up over the
        records, and no other; `most` is the number of records that are added up.
        """
        self.expect(records.count)
        changes = self.changes if most is None else min(self.changes, most)
        sizes = range(changes + 1) if self.relation == "add-remove" else [changes]
        groups: list[Values] = []
        for size in sizes:
            for row in combinations_with_replacement(records.alphabet, size):
                groups.append(row)
                if len(groups) > 2_000:
                    raise TooLargeError(
                        f"{self}: over 2000 groups of records that change, expected fewer changes or values",
                        "neighbours",
                    )
        mark = separator(records.alphabet)
        names = [mark.join(row) for row in groups]
        limit = changes if self.relation == "add-remove" else 2 * changes
        pairs = tuple(
            (names[i], names[j])
            for i in range(len(groups))
            for j in range(i + 1, len(groups))
            if len(groups[i]) + len(groups[j]) <= limit
        )
        share = Fraction(1, len(names))
        prior = Table(dict.fromkeys(names, share))
        return Written(tuple(names), {name: (name,) for name in names}, pairs, {PRIOR: prior})

    def as_json(self) -> dict[str, object]:
        """Return the relation as a framework's file has it."""
        return {"relation": self.relation, "changes": self.changes}

    def __str__(self) -> str:
        many = "1 change" if self.changes == 1 else f"up to {self.changes} changes"
        return f"{self.relation}, {many}"


def mark_of(labels: Sequence[str]) -> str:
    """Return what parts the records in labels: a comma where one occurs, else nothing."""
    return "," if any("," in label for label in labels) else ""


def split_label(label: str, mark: str) -> Values:
    """Return the records of a database by its label, the empty one none."""
    if not label:
        return ()
    return tuple(label.split(mark)) if mark else tuple(label)


def _common(one: Values, other: Values) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence."""
    rows, columns = len(one), len(other)
    length = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            longest = max(length[i + 1][j], length[i][j + 1])
            length[i][j] = length[i + 1][j + 1] + 1 if one[i] == other[j] else longest
    i, j, places = 0, 0, []
    while i < rows and j < columns:
        if one[i] == other[j]:
            places.append((i, j))
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1
    return places
