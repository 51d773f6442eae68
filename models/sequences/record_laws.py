"""The channels that records pass through, one by one: rows that are checked where they enter, once
for equal ones, and known to be laws from then on.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from pufferproof.models.errors import ModelError, SumError
from pufferproof.models.numbers.grammar import exact, probability
from pufferproof.models.numbers.text import brief, shown, sum_text

Row = tuple[Fraction, ...]
RecordChannel = tuple[Row, ...]  # rows[x][z] = P(Y_t = outputs[z] | X_t = alphabet[x])


@dataclass(frozen=True)
class RecordLaws:
    """The channel of every record, whose rows are laws; equal ones are mostly one object.

    `redaction` has r_t(x) in alphabet order for every record, where they were given by it;
    `releases` the outputs of every mechanism of a joint release.
    """

    unnamed: ClassVar = True

    channels: tuple[RecordChannel, ...]
    normalized: bool = False
    redaction: tuple[Row, ...] | None = None
    releases: tuple[tuple[str, ...], ...] = field(default=(), compare=False)

    @classmethod
    def of(
        cls,
        records: Iterable[Sequence[Sequence[Any]]],
        values: Sequence[str],
        outputs: Sequence[str],
        normalize: bool = False,
    ) -> "RecordLaws":
        """Read a row for every value of every record. Raises `ModelError` unless each is a law on
        the outputs.

        >>> RecordLaws.of([[["3/4", "1/4"], ["1", "0"]]], "01", "01").channels[0][0]
        (Fraction(3, 4), Fraction(1, 4))
        """

        def read(rows: object) -> RecordChannel:
            if isinstance(rows, str) or not isinstance(rows, Sequence) or len(rows) != len(values):
                raise ModelError(f"expected {len(values)} rows, one per value, found {_size(rows)}")
            return tuple(_law(row, outputs, f"[{index}]", normalize) for index, row in enumerate(rows))

        return cls(tuple(_each(records, read, "local")), normalize)

    @classmethod
    def redacting(cls, records: Iterable[Sequence[object]], values: Sequence[str]) -> "RecordLaws":
        """Read the probabilities r_t(x) with which a last output takes the place of x, for every
        record. Raises `ModelError` unless they are probabilities.
        """

        def read(row: object) -> Row:
            if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(values):
                raise ModelError(f"expected {len(values)} probabilities, one per value, found {_size(row)}")
            return tuple(probability(entry, f"[{index}]") for index, entry in enumerate(row))

        rows = tuple(_each(records, read, "redaction"))
        channels = {key: _redacting(row) for key, row in {id(row): row for row in rows}.items()}
        return cls(tuple(channels[id(row)] for row in rows), redaction=rows)


def _each(records: Iterable[object], read: Callable[[object], object], where: str) -> Iterable[Any]:
    """Yield what is read from every record, equal texts once."""
    known: dict[Any, Any] = {}
    empty = True
    for index, given in enumerate(records):
        empty = False
        key = _key(given)
        laws = known.get(key) if key is not None else None
        if laws is None:
            try:
                laws = read(given)
            except ModelError as error:
                inner = error.where
                between = ": " if inner and not inner.startswith("[") else ""
                raise error.at(f"{where}[{index}]{between}{inner}") from None
            if key is not None:
                known[key] = laws
        yield laws
    if empty:
        raise ModelError("expected an entry for every record, found none", where)


def _key(given: Any) -> Any:
    """Return something hashable that is equal only for the same texts and integers, or None."""
    kind = type(given)
    if kind is list or kind is tuple:
        parts = tuple([part if type(part) is str else _key(part) for part in given])
        return None if None in parts else parts
    return given if kind is str or kind is int or kind is Fraction else None


def _law(row: object, outputs: Sequence[str], where: str, normalize: bool) -> Row:
    if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(outputs):
        raise ModelError(f"expected {len(outputs)} entries, one per output, found {_size(row)}", where)
    values = tuple(_number(entry, f"{where}[{index}]") for index, entry in enumerate(row))
    for index, value in enumerate(values):
        if value < 0 or (value > 1 and not normalize):
            raise ModelError(f"expected a probability, found {brief(value)}", f"{where}[{index}]")
    total = sum(values, Fraction(0))
    if normalize and total > 0:
        return tuple(value / total for value in values)
    if total != 1:
        if normalize:
            raise ModelError(f"sums to {brief(total)}, expected a positive sum", where)
        raise SumError(f"sums to {sum_text(total)}, expected 1", where)
    return values


def _redacting(row: Row) -> RecordChannel:
    size = len(row)
    shown = [{x: 1 - row[x], size: row[x]} for x in range(size)]
    return tuple(tuple(each.get(z, Fraction(0)) for z in range(size + 1)) for each in shown)


def _number(value: object, where: str) -> Fraction:
    try:
        return exact(value)
    except ModelError as error:
        raise ModelError(error.what, where) from None


def _size(value: object) -> str:
    return str(len(value)) if isinstance(value, Sequence) and not isinstance(value, str) else shown(value)
