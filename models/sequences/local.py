"""Local mechanisms: every record of a sequence passes through a channel of its own, independently
of the others.

    P(y_1 .. y_n | x_1 .. x_n) = prod_t C_t(y_t | x_t),

with exact rationals. A redaction C_t shows x_t or, with probability r_t(x_t), the symbol `*` in its
place. For few records the mechanism can be written out as a `Channel`; what it leaks on long ones
is decided in `pufferproof.verify.sequences.leakage`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import ClassVar, TypeVar

from pufferproof.models.channel import MAX_ENTRIES, Channel
from pufferproof.models.errors import ModelError, SumError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.interface.readable import listed
from pufferproof.models.numbers.grammar import exact, probability
from pufferproof.models.numbers.text import brief, shown, sum_text
from pufferproof.models.priors.markov import integer_rows
from pufferproof.models.priors.records import Records, preview, separator

# The channels that records pass through, one by one: rows that are checked where they enter, once for equal ones, and
# known to be laws from then on.

_Read = TypeVar("_Read")
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
        records: Iterable[Sequence[Sequence[object]]],
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


def _each(records: Iterable[object], read: Callable[[object], _Read], where: str) -> Iterable[_Read]:
    """Yield what is read from every record, equal texts once."""
    known: dict[object, _Read] = {}
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


def _key(given: object) -> object:
    """Return something hashable that is equal only for the same texts and integers, or None."""
    kind = type(given)
    if isinstance(given, list | tuple) and (kind is list or kind is tuple):
        parts = tuple([part if type(part) is str else _key(part) for part in given])
        return None if None in parts else parts
    return given if kind is str or kind is int or kind is Fraction else None


def _law(row: object, outputs: Sequence[str], where: str, normalize: bool) -> Row:
    if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(outputs):
        raise ModelError(f"expected {len(outputs)} entries, one per output, found {_size(row)}", where)
    numbers = []
    for index, entry in enumerate(row):
        try:
            numbers.append(exact(entry))
        except ModelError as error:
            raise ModelError(error.what, f"{where}[{index}]") from None
    values = tuple(numbers)
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


def _size(value: object) -> str:
    return str(len(value)) if isinstance(value, Sequence) and not isinstance(value, str) else shown(value)


MAX_EXPANDED = 1_000_000  # databases times outputs of a local mechanism that is written out
MAX_SYMBOLS = 1_000  # of one record of a joint release
_MAX_COUNTED = 20_000_000  # databases times sets of counts of the outputs of runs of one mechanism
REDACTED = "*"


@dataclass(frozen=True)
class LocalMechanism:
    """Independent channels, one for every record, with the same outputs; equal ones are mostly one
    object.

    Args:
        alphabet: the values of a record.
        outputs: what a record may show.
        records: for every record a row for each value, in alphabet order, with the probability of
            each output.
        normalize: divide every row by its sum.

    >>> coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> LocalMechanism(("0", "1"), ("0", "1"), [coin, coin]).channel().probability("01", "00")
    Fraction(3, 16)

    Raises `ModelError` unless every row is a law on the outputs.
    """

    taken_by: ClassVar = {
        "Channel": "its channel() lists it",
        "LocalRedaction": "LocalRedaction(mechanism.redaction) is for binary chains",
    }

    alphabet: tuple[str, ...]
    outputs: tuple[str, ...]
    laws: RecordLaws

    def __init__(
        self,
        alphabet: Sequence[str],
        outputs: Sequence[str],
        records: Iterable[Sequence[Sequence[object]]] | RecordLaws,
        normalize: bool = False,
    ) -> None:
        alphabet = check_type(alphabet, Sequence[str], "alphabet")
        outputs = check_type(outputs, Sequence[str], "outputs")
        kind = Iterable[Sequence[Sequence[object]]] | RecordLaws
        records = check_type(records, kind, "records")
        normalize = check_type(normalize, bool, "normalize")
        values, names = tuple(alphabet), _distinct(outputs)
        laws = records if isinstance(records, RecordLaws) else RecordLaws.of(records, values, names, normalize)
        hold(self, alphabet=values, outputs=names, laws=laws)

    @classmethod
    def of(
        cls,
        alphabet: Sequence[str],
        outputs: Sequence[str],
        records: Iterable[Sequence[Sequence[object]]],
        normalize: bool = False,
    ) -> "LocalMechanism":
        """Build a local mechanism, as the class itself does."""
        return cls(alphabet, outputs, records, normalize)

    @classmethod
    def redacting(cls, alphabet: Sequence[str], records: Iterable[Sequence[object]]) -> "LocalMechanism":
        """Build the mechanism that replaces record t by `*` with probability r_t(x), and shows it
        otherwise.

        >>> LocalMechanism.redacting(("0", "1"), [["1", "1"], ["3/4", "1"]]).channel().probability("00", "*0")
        Fraction(1, 4)

        Raises `ModelError` unless there is a probability for every value of every record, and `*`
        is no value itself.
        """
        alphabet = check_type(alphabet, Sequence[str], "alphabet")
        records = check_type(records, Iterable[Sequence[object]], "records")
        values = tuple(alphabet)
        if REDACTED in values:
            raise ModelError(
                f'expected an alphabet without "{REDACTED}", which stands for a redacted record', "redaction"
            )
        return cls(values, (*values, REDACTED), RecordLaws.redacting(records, values))

    @property
    def records(self) -> tuple[RecordChannel, ...]:
        """For every record a row for each value, with the probability of each output."""
        return self.laws.channels

    @property
    def normalized(self) -> bool:
        """Whether rows were divided by their sums."""
        return self.laws.normalized

    @property
    def redaction(self) -> tuple[Row, ...] | None:
        """r_t(x) in alphabet order for every record, where the mechanism was given by it."""
        return self.laws.redaction

    @property
    def releases(self) -> tuple[tuple[str, ...], ...]:
        """The outputs of every mechanism, where this is a joint release."""
        return self.laws.releases

    @property
    def length(self) -> int:
        """The number of records."""
        return len(self.records)

    def label(self, symbols: Iterable[int]) -> str:
        """Return the label of an output, given the position of every record's symbol in
        `outputs`.
        """
        return separator(self.outputs).join(self.outputs[symbol] for symbol in symbols)

    def fits(self, records: Records) -> None:
        """Raise `ModelError` unless the mechanism is for these records."""
        name = "local" if self.redaction is None else "redaction"
        if self.alphabet != records.alphabet:
            raise ModelError(f"expected the values {preview(records.alphabet)}, found {preview(self.alphabet)}", name)
        if self.length != records.count:
            raise ModelError(f"expected {records.count} entries, one per record, found {self.length}", name)

    def beside(self, *others: "LocalMechanism") -> "LocalMechanism":
        """Return the independent joint release, which is local: every record shows a symbol of
        each mechanism.

        Symbols are joined with a comma.

        >>> coin = LocalMechanism("01", "01", [[["3/4", "1/4"], ["1/4", "3/4"]]])
        >>> coin.beside(coin).outputs
        ('0,0', '0,1', '1,0', '1,1')

        Raises `ModelError` unless the mechanisms are for the same records and have few enough
        symbols together.
        """
        mechanisms = (self, *others)
        if symbols_together(*mechanisms) > MAX_SYMBOLS:
            raise ModelError(
                f"a joint release of {len(mechanisms)} symbols of every record: expected at most "
                f"{MAX_SYMBOLS} combinations"
            )
        for other in others:
            other.fits(Records(self.length, self.alphabet))
        shown = product(*(mechanism.outputs for mechanism in mechanisms))
        outputs = _distinct([",".join(symbols) for symbols in shown])
        releases = tuple(output for mechanism in mechanisms for output in (mechanism.releases or (mechanism.outputs,)))
        channels: dict[tuple[int, ...], RecordChannel] = {}  # equal ones as one object
        records = []
        for parts in zip(*(mechanism.records for mechanism in mechanisms)):
            key = tuple(map(id, parts))
            if key not in channels:
                channels[key] = tuple(
                    tuple(prod(row, start=Fraction(1)) for row in product(*rows)) for rows in zip(*parts)
                )
            records.append(channels[key])
        laws = RecordLaws(tuple(records), releases=releases)
        return LocalMechanism(self.alphabet, outputs, laws)

    def parts(self, symbols: Sequence[int]) -> tuple[str, ...]:
        """Return the output of every release, given the symbols of a joint one by their
        positions.

        >>> coin = LocalMechanism("01", "01", [[["3/4", "1/4"], ["1/4", "3/4"]]] * 2)
        >>> coin.beside(coin).parts([1, 2])
        ('01', '10')
        """
        labels = []
        for outputs in reversed(self.releases or (self.outputs,)):
            symbols, own = zip(*(divmod(symbol, len(outputs)) for symbol in symbols))
            labels.append(separator(outputs).join(outputs[symbol] for symbol in own))
        return tuple(reversed(labels))

    def channel(self) -> Channel:
        """Return the mechanism as a channel on all sequences, the last record changing fastest.

        Raises `ModelError` unless there are few enough entries, and labels of outputs differ.
        """
        if spread(self) > MAX_EXPANDED:
            size = f"{len(self.outputs)}^{self.length} outputs on {len(self.alphabet)}^{self.length} databases"
            raise ModelError(f"{size}: expected at most {MAX_EXPANDED} entries to write out")
        labels = [self.label(symbols) for symbols in product(range(len(self.outputs)), repeat=self.length)]
        rows, totals = [[1]], [1]
        for record in self.records:
            scaled = [integer_rows([row]) for row in record]
            rows = [[head * entry for head in row for entry in numbers] for row in rows for (numbers,), _ in scaled]
            totals = [head * total for head in totals for _, total in scaled]
        databases = Records(self.length, self.alphabet).labels()
        return Channel.of_integers(databases, _distinct(labels), rows, totals, self.normalized)

    def __repr__(self) -> str:
        return f"LocalMechanism({self.length} records, values {listed(self.alphabet)}, outputs {listed(self.outputs)})"


def spread(*mechanisms: LocalMechanism) -> int:
    """Return the entries of a joint release written out, databases times outputs; records
    beyond 64 are not counted.
    """
    each, count = len(mechanisms[0].alphabet), min(mechanisms[0].length, 64)
    for mechanism in mechanisms:
        each *= len(mechanism.outputs)
    return int(each**count)


def symbols_together(*mechanisms: LocalMechanism) -> int:
    """Return how many symbols a record of the joint release has."""
    return prod(len(mechanism.outputs) for mechanism in mechanisms)


def writable(mechanisms: Sequence[LocalMechanism], runs: int = 1) -> bool:
    """Whether mechanisms can be written out one by one and together, each `runs` times, or only one
    by one and their joint release in no other way.
    """
    first = mechanisms[0]
    if not Records(first.length, first.alphabet).enumerable:
        return False
    if any(spread(mechanism) > MAX_EXPANDED for mechanism in mechanisms):
        return False
    if runs > MAX_SYMBOLS:
        return True
    outputs = [len(mechanism.outputs) ** mechanism.length for mechanism in mechanisms]
    databases = len(mechanisms[0].alphabet) ** mechanisms[0].length
    together = databases * prod(comb(output + runs - 1, runs) for output in outputs)
    listed = MAX_ENTRIES if len(mechanisms) > 1 else _MAX_COUNTED
    return bool(together <= listed or symbols_together(*mechanisms) ** runs > MAX_SYMBOLS)


def _distinct(outputs: Sequence[str]) -> tuple[str, ...]:
    if not outputs:
        raise ModelError("expected at least one output, found none", "outputs")
    seen: set[str] = set()
    for output in outputs:
        if output in seen:
            raise ModelError(f'output "{output}" occurs twice', "outputs")
        seen.add(output)
    return tuple(outputs)


# Local mechanisms of chosen records, by name or number: these are shown, as they are or at random, and of all others
# the symbol `*`, whatever their values are.
#
#     P(y | x) = prod_(t chosen) C_t(y_t | x_t) [y_s = * for all other s]
#
# A record of several values of its own has a row for each of these alone. The rows of values that it cannot have are
# never used, and are those of its first value.


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
    own = {number: records.own(number) for number in numbers}
    return _of(records, {n: (o, [["1" if x == y else "0" for y in o] for x in o]) for n, o in own.items()}, False)


def randomising(
    records: Records,
    rows: Mapping[str, Sequence[Sequence[object]]],
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
    rows = check_type(rows, Mapping[str, Sequence[Sequence[object]]], "local")
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


def _of(
    records: Records, rows: Mapping[int, tuple[Sequence[str], Sequence[Sequence[object]]]], normalize: bool
) -> LocalMechanism:
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
    records: Records, record: int, names: Sequence[str], rows: Sequence[Sequence[object]], outputs: Sequence[str]
) -> list[list[object]]:
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
