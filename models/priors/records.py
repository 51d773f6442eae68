"""Databases that are made of records: how many, of which values, their names and their labels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.kinds import check_type, hold, hold_checked
from pufferproof.models.numbers.text import did_you_mean, quoted, shown

MAX_DATABASES = 1_000_000
MAX_RECORDS = 10_000
MAX_PEOPLE = 10**9 - 1


@dataclass(frozen=True)
class Records:
    """A database space of `count` records, each with a value from `alphabet`, of each of `people`.

    Labels join the values, with no separator when every value is one character, else with a comma;
    the last record changes fastest.

    >>> Records(2, ("0", "1")).labels()
    ('00', '01', '10', '11')

    Several people are never listed: they are independent, each with the same prior, secrets are
    about person 1, and built-in queries run over all of them.

    `names` are those of the records, one each; `values` those that each record has, some of the
    alphabet, which `named` takes from them. Then priors are Bayesian networks, unless every record
    has the whole alphabet in its order.
    """

    count: int
    alphabet: tuple[str, ...]
    people: int = 1
    names: tuple[str, ...] | None = field(default=None, kw_only=True)
    values: tuple[tuple[str, ...], ...] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        kinds: dict[str, object] = {"count": int, "alphabet": tuple[str, ...], "people": int}
        kinds |= {"names": tuple[str, ...] | None, "values": tuple[tuple[str, ...], ...] | None}
        hold_checked(self, kinds)
        hold(self, alphabet=tuple(self.alphabet))
        if self.names is not None:
            hold(self, names=tuple(self.names))
        if self.values is not None:
            hold(self, values=tuple(map(tuple, self.values)))
        if self.count < 1:
            raise ModelError(f"expected at least 1 record, found {shown(self.count)}", "records.count")
        if not 1 <= self.people <= MAX_PEOPLE:
            raise ModelError(f"expected 1 to {MAX_PEOPLE} people, found {shown(self.people)}", "people")
        if not self.alphabet:
            raise ModelError("expected at least one value, found none", "records.alphabet")
        if len(set(self.alphabet)) < len(self.alphabet):
            raise ModelError(f"values repeat: {preview(self.alphabet)}", "records.alphabet")
        bad = next((value for value in self.alphabet if "," in value), None)
        if bad is not None and separator(self.alphabet):
            raise ModelError(f'a value may not contain "," here, found "{bad}"', "records.alphabet")
        _expect_names(self)
        _expect_values(self)

    @classmethod
    def named(cls, values: Mapping[str, Sequence[str]], order: Sequence[str] | None = None) -> "Records":
        """Return records with names, each with values of its own, in the order of the mapping or of
        `order`. The alphabet has all values, each where it occurs first.

        >>> Records.named({"smoke": ["yes", "no"], "age": ["young", "old"]}).alphabet
        ('yes', 'no', 'young', 'old')

        Raises `ModelError` unless names and the values of each record are different.
        """
        values = check_type(values, Mapping[str, Sequence[str]], "values")
        names = tuple(values if order is None else check_type(order, Sequence[str], "order"))
        if odd := next((name for name in names if name not in values), None):
            raise ModelError(f"no values of record {quoted(odd)}{did_you_mean(odd, values)}", "records.values")
        if odd := next((name for name in values if name not in names), None):
            raise ModelError(f"unknown record {quoted(odd)}{did_you_mean(odd, names)}", "records.values")
        own = tuple(tuple(values[name]) for name in names)
        alphabet = tuple(dict.fromkeys(value for row in own for value in row))
        return cls(len(names), alphabet, names=names, values=own)

    @property
    def common(self) -> bool:
        """Whether every record has the whole alphabet, in its order."""
        return self.values is None or all(row == self.alphabet for row in self.values)

    def __repr__(self) -> str:
        parts = [f"count={self.count}", f"alphabet={self.alphabet!r}", f"people={self.people}"]
        own = {"names": self.names, "values": self.values}
        parts += [f"{key}={given!r}" for key, given in own.items() if given is not None]
        return f"Records({', '.join(parts)})"

    @property
    def letters(self) -> tuple[object, ...]:
        """The alphabet, and the values of every record: what tables along records depend on."""
        return self.alphabet, self.values

    def expect_common(self, said: str, where: str = "records.values") -> None:
        """Raise `ModelError`, saying what is expected, unless every record has the whole alphabet,
        in its order.
        """
        if not self.common:
            raise ModelError(f"records have values of their own: {said}", where)

    def own(self, record: int) -> tuple[str, ...]:
        """Return the values of a record, from 1."""
        return self.alphabet if self.values is None else self.values[record - 1]

    def number(self, record: object, where: str = "record") -> int:
        """Return the number of a record, from 1, by its name, or as it is if it is a number.

        Raises `ModelError` unless a record has that name.
        """
        if isinstance(record, int) and not isinstance(record, bool):
            return record
        name = str(record)
        if self.names is None:
            raise ModelError(
                f"expected a number from 1 to {self.count}, as records have no names, found "
                f'{quoted(name)}: give "names" in "records", or take them from a network with '
                '{"from": FILE}',
                where,
            )
        if name not in self._places:
            raise ModelError(
                f"unknown record {quoted(name)}{did_you_mean(name, self.names)}"
                + ("" if did_you_mean(name, self.names) else f", expected {preview(self.names)}"),
                where,
            )
        return self._places[name]

    def expect_number(self, record: int, where: str = "record") -> None:
        """Raise `ModelError` unless a number is that of a record, from 1."""
        if not 1 <= record <= self.count:
            raise ModelError(f"expected a record from 1 to {self.count}, found {shown(record)}", where)

    def called(self, record: int) -> str:
        """Return how a record is called: by its name, or `record 5`."""
        return f"record {record}" if self.names is None else quoted(self.names[record - 1])

    def all_called(self, chosen: Sequence[int]) -> str:
        """Return how records are called together: by their names, or `records 3 and 5`."""
        if self.names is not None or len(chosen) == 1:
            return " and ".join(map(self.called, chosen))
        return f"records {' and '.join(map(str, chosen))}"

    def stretch(self, first: int, last: int) -> str:
        """Return how records in a row are called: by the names of both ends, or `records 2 to 5`.

        >>> Records(3, ("0", "1"), names=("a", "b", "c")).stretch(1, 3)
        '"a" to "c"'
        """
        if first == last:
            return self.called(first)
        if self.names is None:
            return f"records {first} to {last}"
        return f"{self.called(first)} to {self.called(last)}"

    def typed(self, text: str, where: str) -> int:
        """Return the number of a record that was typed: its name, or else its number from 1.

        Raises `ModelError` unless there is such a record.
        """
        numeral = text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 19
        record = int(text) if numeral and text not in self._places else self.number(text, where)
        self.expect_number(record, where)
        return record

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names or (), 1)}

    @property
    def enumerable(self) -> bool:
        """Whether there are few enough databases to list them."""
        few = self.count <= MAX_RECORDS
        return self.people == 1 and few and len(self.alphabet) ** min(self.count, 64) <= MAX_DATABASES

    @property
    def total(self) -> int:
        """The number of records of all people."""
        return self.people * self.count

    @property
    def alone(self) -> "Records":
        """The records of one person."""
        return replace(self, people=1)

    def labels(self) -> tuple[str, ...]:
        """Return the label of every database, the last record changing fastest. Raises
        `TooLargeError` unless `enumerable`.
        """
        if self.people > 1:
            raise several_people(self.people)
        if not self.enumerable:
            size = f"{len(self.alphabet)}^{shown(self.count)}"
            raise TooLargeError(
                f"{size} databases: expected at most {MAX_DATABASES} of at most {MAX_RECORDS} "
                f"records to enumerate; audit, compose, translate, influence and calibrate take "
                f"more",
                "records",
            )
        return tuple(separator(self.alphabet).join(values) for values in product(self.alphabet, repeat=self.count))

    def place(self, record: int, value: str) -> tuple[int, int]:
        """Return the record, and the position of `value` in the alphabet. Raises `ModelError`
        unless both are known.
        """
        self.expect_number(record)
        own = self.own(record)
        if value not in own:
            of = "" if self.values is None else f" of {self.called(record)}"
            hint = did_you_mean(value, own)
            raise ModelError(f'expected one of {preview(own)}{of}, found "{value}"{hint}', "value")
        return record, self.alphabet.index(value)

    def holding(self, record: int, value: str) -> tuple[int, ...]:
        """Return the indices of the databases whose `record` (from 1) has `value`."""
        _, position = self.place(record, value)
        block = len(self.alphabet) ** (self.count - record)
        step = block * len(self.alphabet)
        first = position * block
        starts = range(first, len(self.alphabet) ** self.count, step)
        return tuple(index for start in starts for index in range(start, start + block))


def _expect_names(records: Records) -> None:
    """Raise `ModelError` unless every record has a name, another one each, where some have."""
    names = records.names
    if names is None:
        return
    if len(names) != records.count:
        raise ModelError(f"expected {records.count} names, one for every record, found {len(names)}", "records.names")
    if "" in names:
        raise ModelError("expected names, found an empty one", "records.names")
    if twice := _repeated(names):
        raise ModelError(f"record {quoted(twice)} occurs twice", "records.names")


def _expect_values(records: Records) -> None:
    """Raise `ModelError` unless every record has values, each once, where they are given."""
    if records.values is None:
        return
    if len(records.values) != records.count:
        raise ModelError(f"expected values of {records.count} records, found {len(records.values)}", "records.values")
    letters = set(records.alphabet)
    for record, values in enumerate(records.values, 1):
        where = f"records.values of {records.called(record)}"
        if not values:
            raise ModelError("expected at least one value, found none", where)
        if twice := _repeated(values):
            raise ModelError(f"value {quoted(twice)} occurs twice", where)
        if odd := next((value for value in values if value not in letters), None):
            raise ModelError(f"expected one of {preview(records.alphabet)}, found {quoted(odd)}", where)
    if records.people > 1:
        records.expect_common("expected one person", "people")


def _repeated(words: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    return None


def several_people(people: int) -> ModelError:
    """Return the error of what is known of one person only."""
    return ModelError(
        f"{shown(people)} people: expected one, except for sums, means and histograms with noise "
        f"in audit, compose and release",
        "people",
    )


def separator(values: Sequence[str]) -> str:
    """Return what joins values into the label of a sequence: nothing when each is one
    character, else a comma.
    """
    return "" if all(len(value) == 1 for value in values) else ","


def preview(labels: Sequence[str], shown: int = 4) -> str:
    """Name the first few labels of a list."""
    head = ", ".join(f'"{label}"' for label in labels[:shown])
    return head + (f", ... ({len(labels)} in all)" if len(labels) > shown else "")
