"""Databases that are made of records: how many, of which values, and their labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.kinds import hold_checked
from pufferproof.models.numbers.text import shown

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
    """

    count: int
    alphabet: tuple[str, ...]
    people: int = 1

    def __post_init__(self) -> None:
        hold_checked(self, {"count": int, "alphabet": tuple[str, ...], "people": int})
        hold(self, alphabet=tuple(self.alphabet))
        if self.count < 1:
            raise ModelError(
                f"expected at least 1 record, found {shown(self.count)}", "records.count"
            )
        if not 1 <= self.people <= MAX_PEOPLE:
            raise ModelError(
                f"expected 1 to {MAX_PEOPLE} people, found {shown(self.people)}", "people"
            )
        if not self.alphabet:
            raise ModelError("expected at least one value, found none", "records.alphabet")
        if len(set(self.alphabet)) < len(self.alphabet):
            raise ModelError(f"values repeat: {preview(self.alphabet)}", "records.alphabet")
        if (
            self._separator
            and (bad := next((value for value in self.alphabet if "," in value), None)) is not None
        ):
            raise ModelError(f'a value may not contain "," here, found "{bad}"', "records.alphabet")

    @property
    def enumerable(self) -> bool:
        """Whether there are few enough databases to list them."""
        few = self.count <= MAX_RECORDS
        return (
            self.people == 1 and few and len(self.alphabet) ** min(self.count, 64) <= MAX_DATABASES
        )

    @property
    def total(self) -> int:
        """The number of records of all people."""
        return self.people * self.count

    @property
    def alone(self) -> "Records":
        """The records of one person."""
        return replace(self, people=1)

    @property
    def _separator(self) -> str:
        return separator(self.alphabet)

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
        return tuple(
            self._separator.join(values) for values in product(self.alphabet, repeat=self.count)
        )

    def place(self, record: int, value: str) -> tuple[int, int]:
        """Return the record, and the position of `value` in the alphabet. Raises `ModelError`
        unless both are known.
        """
        if not 1 <= record <= self.count:
            raise ModelError(
                f"expected a record from 1 to {self.count}, found {shown(record)}", "record"
            )
        if value not in self.alphabet:
            raise ModelError(f'expected one of {preview(self.alphabet)}, found "{value}"', "value")
        return record, self.alphabet.index(value)

    def holding(self, record: int, value: str) -> tuple[int, ...]:
        """Return the indices of the databases whose `record` (from 1) has `value`."""
        _, position = self.place(record, value)
        block = len(self.alphabet) ** (self.count - record)
        step = block * len(self.alphabet)
        first = position * block
        starts = range(first, len(self.alphabet) ** self.count, step)
        return tuple(index for start in starts for index in range(start, start + block))


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
