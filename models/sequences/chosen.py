"""Local mechanisms of chosen records, by name or number: these are shown, as they are or at random,
and of all others the symbol `*`, whatever their values are.

    P(y | x) = prod_(t chosen) C_t(y_t | x_t) [y_s = * for all other s]

A record of several values of its own has a row for each of these alone. The rows of values that it
cannot have are never used, and are those of its first value.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.local import REDACTED, LocalMechanism


def showing(records: Records, chosen: Sequence[int | str]) -> LocalMechanism:
    """Return the mechanism that shows the values of chosen records.

    >>> day = Records(3, ("0", "1"), names=("mon", "tue", "wed"))
    >>> showing(day, ["tue"]).channel().probability("010", "*1*")
    Fraction(1, 1)

    Raises `ModelError` unless records are known, each once, and `*` is no value.
    """
    records = check_type(records, Records, "records")
    chosen = check_type(chosen, Sequence[int | str], "show")
    numbers = _numbers(records, chosen, "show")
    rows = {number: _identity(len(records.own(number))) for number in numbers}
    return _of(records, {n: (records.own(n), row) for n, row in rows.items()}, False)


def randomising(
    records: Records,
    rows: Mapping[str, Sequence[Sequence[Any]]],
    outputs: Sequence[str] | None = None,
    normalize: bool = False,
) -> LocalMechanism:
    """Return the mechanism that passes each of some records through a channel of its own.

    Args:
        records: all records.
        rows: a row of probabilities for every value of a record, in the order of its own values.
        outputs: what rows are about; of every record its own values, if None.
        normalize: divide every row by its sum.

    >>> day = Records(2, ("0", "1"), names=("mon", "tue"))
    >>> coin = randomising(day, {"tue": [["3/4", "1/4"], ["1/4", "3/4"]]})
    >>> coin.channel().probability("01", "*0")
    Fraction(1, 4)

    Raises `ModelError` unless records are known, rows are laws, and `*` is no output.
    """
    records = check_type(records, Records, "records")
    rows = check_type(rows, Mapping[str, Sequence[Sequence[Any]]], "local")
    outputs = check_type(outputs, Sequence[str] | None, "outputs")
    given: list[int | str] = [int(key) if records.names is None and key.isdecimal() else key for key in rows]
    numbers = _numbers(records, given, "local")
    of = {n: records.own(n) if outputs is None else tuple(outputs) for n in numbers}
    return _of(records, {n: (of[n], row) for n, row in zip(numbers, rows.values())}, normalize)


def _numbers(records: Records, chosen: Sequence[int | str], where: str) -> list[int]:
    """Return the numbers of records, as they are given. Raises `ModelError` unless each is there
    once.
    """
    if not chosen:
        raise ModelError("expected at least one record, found none", where)
    numbers = [records.number(record, where) for record in chosen]
    for number in numbers:
        records.expect_number(number, where)
        if numbers.count(number) > 1:
            raise ModelError(f"{records.called(number)} occurs twice", where)
    return numbers


def _identity(size: int) -> list[list[str]]:
    return [["1" if x == y else "0" for y in range(size)] for x in range(size)]


def _of(records: Records, rows: Mapping[int, tuple[Sequence[str], Sequence[Any]]], normalize: bool) -> LocalMechanism:
    """Return the mechanism of the rows of some records, each with its outputs."""
    outputs = tuple(dict.fromkeys(each for names, _ in rows.values() for each in names))
    if REDACTED in outputs:
        raise ModelError(
            f'"{REDACTED}" stands for records that are not shown: expected another name',
            "outputs" if normalize or REDACTED not in records.alphabet else "records",
        )
    silent = [["0"] * len(outputs) + ["1"]] * len(records.alphabet)
    every = [_placed(records, t, *rows[t], outputs) if t in rows else silent for t in range(1, records.count + 1)]
    return LocalMechanism.of(records.alphabet, (*outputs, REDACTED), every, normalize)


def _placed(
    records: Records, record: int, names: Sequence[str], rows: Sequence[Any], outputs: Sequence[str]
) -> list[list[Any]]:
    """Return rows over all outputs for every letter of the alphabet."""
    own = records.own(record)
    where = f"local.{record if records.names is None else records.names[record - 1]}"
    _expect_length(rows, len(own), "rows, one per value", where)
    for index, row in enumerate(rows):
        _expect_length(row, len(names), "entries, one per output", f"{where}[{index}]")
    by_value = {value: dict(zip(names, row)) for value, row in zip(own, rows)}
    first = by_value[own[0]]
    laws = [by_value.get(value, first) for value in records.alphabet]
    return [[*(law.get(output, "0") for output in outputs), "0"] for law in laws]


def _expect_length(given: object, size: int, what: str, where: str) -> None:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ModelError(f"expected {size} {what}, found {shown(given)}", where)
    if len(given) != size:
        raise ModelError(f"expected {size} {what}, found {len(given)}", where)
