"""Local mechanisms: every record of a sequence passes through a channel of its own, independently
of the others.

    P(y_1 .. y_n | x_1 .. x_n) = prod_t C_t(y_t | x_t),

with exact rationals. A redaction C_t shows x_t or, with probability r_t(x_t), the symbol `*` in its
place. For few records the mechanism can be written out as a `Channel`; what it leaks on long ones
is decided in `pufferproof.verify.sequences.leakage`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any, ClassVar

from pufferproof.models.channel import MAX_ENTRIES, Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import listed
from pufferproof.models.priors.records import Records, preview, separator
from pufferproof.models.priors.structure import integer_rows
from pufferproof.models.sequences.record_laws import RecordChannel, RecordLaws, Row

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
        records: Iterable[Sequence[Sequence[Any]]],
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
        releases = tuple(output for mechanism in mechanisms for output in mechanism._outputs())
        laws = RecordLaws(_joint_records(mechanisms), releases=releases)
        return LocalMechanism(self.alphabet, outputs, laws)

    def parts(self, symbols: Sequence[int]) -> tuple[str, ...]:
        """Return the output of every release, given the symbols of a joint one by their
        positions.

        >>> coin = LocalMechanism("01", "01", [[["3/4", "1/4"], ["1/4", "3/4"]]] * 2)
        >>> coin.beside(coin).parts([1, 2])
        ('01', '10')
        """
        labels = []
        for outputs in reversed(self._outputs()):
            symbols, own = zip(*(divmod(symbol, len(outputs)) for symbol in symbols))
            labels.append(separator(outputs).join(outputs[symbol] for symbol in own))
        return tuple(reversed(labels))

    def _outputs(self) -> tuple[tuple[str, ...], ...]:
        return self.releases or (self.outputs,)

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


def _joint_records(mechanisms: Sequence[LocalMechanism]) -> tuple[RecordChannel, ...]:
    """Return the channel of every record, equal ones as one object."""
    channels: dict[tuple[int, ...], RecordChannel] = {}
    records = []
    for parts in zip(*(mechanism.records for mechanism in mechanisms)):
        key = tuple(map(id, parts))
        if key not in channels:
            channels[key] = tuple(tuple(_products(rows)) for rows in zip(*parts))
        records.append(channels[key])
    return tuple(records)


def _products(rows: Sequence[Row]) -> list[Fraction]:
    products = [Fraction(1)]
    for row in rows:
        products = [head * entry for head in products for entry in row]
    return products


def _distinct(outputs: Sequence[str]) -> tuple[str, ...]:
    if not outputs:
        raise ModelError("expected at least one output, found none", "outputs")
    seen: set[str] = set()
    for output in outputs:
        if output in seen:
            raise ModelError(f'output "{output}" occurs twice', "outputs")
        seen.add(output)
    return tuple(outputs)
