"""Priors that are written out: the probability of every database, or of every value of every
record where these are independent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import repeat

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.laws import Law, expect_records, law_of_record, matrix_of, weights_of
from pufferproof.models.priors.records import Records, preview


@dataclass(frozen=True)
class Table:
    """A prior given by the probability of every database; databases left out have probability 0.

    With `normalize` the probabilities are divided by their sum, exactly: floats stand for their
    binary values, which mostly miss 1 by a rounding, and numbers may be counts.

    >>> Table({"a": "1/2", "b": 0.5})
    Table({'a': 1/2, 'b': 1/2})
    >>> Table({"a": 1, "b": 2}, normalize=True)
    Table({'a': 1/3, 'b': 2/3})
    """

    labels: tuple[str, ...]
    numerators: tuple[int, ...]
    denominator: int
    normalized: bool = field(default=False, compare=False)

    def __init__(self, probabilities: Mapping[str, object], normalize: bool = False) -> None:
        probabilities = check_type(probabilities, Mapping[str, object], "probabilities")
        labels = tuple(probabilities.keys())
        row = list(map(probabilities.__getitem__, labels))
        numerators, denominator = weights_of(row, normalize)
        hold(self, labels=labels, numerators=numerators, denominator=denominator, normalized=normalize)

    @property
    def entries(self) -> tuple[tuple[str, Fraction], ...]:
        """The probability of every database that is given, in order."""
        below = self.denominator
        return tuple((x, Fraction(above, below)) for x, above in zip(self.labels, self.numerators))

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law on `databases`. Raises `ModelError` unless the table is a law on them."""
        if self.labels == tuple(databases):
            return Law.of_integers(self.numerators, self.denominator, divisible=True)
        given = dict(zip(self.labels, self.numerators))
        if not given.keys() <= (labels := set(databases)):
            label = next(label for label in given if label not in labels)
            raise ModelError(f'unknown database "{label}", expected one of {preview(databases)}')
        weights = tuple(map(given.get, databases, repeat(0)))
        return Law.of_integers(weights, self.denominator, divisible=True)

    def __repr__(self) -> str:
        entries = ", ".join(f"{label!r}: {text_of(value)}" for label, value in self.entries)
        return f"Table({{{entries}}})"


@dataclass(frozen=True)
class Product:
    """Independent records: `rows[t][v]` is the probability that record t+1 has the v-th value of
    the alphabet.

    With `normalize` every row is divided by its sum, exactly.

    >>> coin = Product([["1/4", "3/4"], ["1/2", "1/2"]])
    >>> coin.law(("00", "01", "10", "11"), Records(2, ("0", "1"))).weights
    (1, 1, 3, 3)
    """

    rows: tuple[tuple[Fraction, ...], ...]
    normalized: bool = field(default=False, compare=False)

    def __init__(self, rows: Sequence[Sequence[object]], normalize: bool = False) -> None:
        rows = check_type(rows, Sequence[Sequence[object]], "rows")
        hold(self, rows=matrix_of(rows, "", normalize), normalized=normalize)

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the product law. Raises `ModelError` unless there is one probability row per
        record.
        """
        weights, total = [1], 1
        for factor in self.factors(expect_records(records, "product")):
            weights = [weight * step for weight in weights for step in factor.weights]
            total *= factor.total
        return Law(tuple(weights), total)

    def factors(self, space: Records) -> list[Law]:
        """Return the law of every record. Raises `ModelError` unless there is one row per
        record, each a law.
        """
        if len(self.rows) != space.count:
            raise ModelError(f"expected {space.count} rows, one per record, found {len(self.rows)}")
        laws: dict[tuple[Fraction, ...], Law] = {}
        return [
            laws.get(row) or laws.setdefault(row, law_of_record(row, space, f"[{index}]"))
            for index, row in enumerate(self.rows)
        ]

    def __repr__(self) -> str:
        return f"Product({[[text_of(value) for value in row] for row in self.rows]})"
