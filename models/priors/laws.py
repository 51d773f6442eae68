"""Priors: what an adversary may believe about the database, as exact laws over the databases of a
framework.

A prior is `Table` (any law), `Product` (independent records) or `MarkovChain` (records along a
chain). Each turns into a `Law`: one integer weight per database over a common total, so that exact
and vectorised code read the same numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import Any, Protocol

from pufferproof.models.errors import ModelError, SumError, TooLargeError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.signatures import check_fields, checked
from pufferproof.models.numbers.grammar import brief, exact, shown, sum_text, text_of

MAX_DATABASES = 1_000_000
MAX_RECORDS = 10_000
_ELIMINATED = 8  # states up to which elimination in rationals is quick


@dataclass(frozen=True)
class Records:
    """A database space of `count` records, each with a value from `alphabet`.

    Labels join the values, with no separator when every value is one character, else with a comma;
    the last record changes fastest.

    >>> Records(2, ("0", "1")).labels()
    ('00', '01', '10', '11')
    """

    count: int
    alphabet: tuple[str, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        hold(self, alphabet=tuple(self.alphabet))
        if self.count < 1:
            raise ModelError(
                f"expected at least 1 record, found {shown(self.count)}", "records.count"
            )
        if not self.alphabet:
            raise ModelError("expected at least one value, found none", "records.alphabet")
        if len(set(self.alphabet)) < len(self.alphabet):
            raise ModelError(f"values repeat: {list(self.alphabet)}", "records.alphabet")
        if (
            self._separator
            and (bad := next((value for value in self.alphabet if "," in value), None)) is not None
        ):
            raise ModelError(f'a value may not contain "," here, found "{bad}"', "records.alphabet")

    @property
    def enumerable(self) -> bool:
        """Whether there are few enough databases to list them."""
        return (
            self.count <= MAX_RECORDS and len(self.alphabet) ** min(self.count, 64) <= MAX_DATABASES
        )

    @property
    def _separator(self) -> str:
        return separator(self.alphabet)

    def labels(self) -> tuple[str, ...]:
        """Return the label of every database, the last record changing fastest. Raises
        `TooLargeError` unless `enumerable`.
        """
        if not self.enumerable:
            size = f"{len(self.alphabet)}^{shown(self.count)}"
            raise TooLargeError(
                f"{size} databases: expected at most {MAX_DATABASES} of at most {MAX_RECORDS} "
                f"records to enumerate",
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
            raise ModelError(f'expected one of {list(self.alphabet)}, found "{value}"', "value")
        return record, self.alphabet.index(value)

    def holding(self, record: int, value: str) -> tuple[int, ...]:
        """Return the indices of the databases whose `record` (from 1) has `value`."""
        _, position = self.place(record, value)
        block = len(self.alphabet) ** (self.count - record)
        step = block * len(self.alphabet)
        first = position * block
        starts = range(first, len(self.alphabet) ** self.count, step)
        return tuple(index for start in starts for index in range(start, start + block))


@dataclass(frozen=True)
class Law:
    """A law on n databases: P(x) = weights[x] / total, integers with sum(weights) = total > 0."""

    weights: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, probabilities: Sequence[Fraction], divisible: bool = False) -> "Law":
        """Put rationals over their common denominator. Raises `ModelError` unless they form a law.

        Where whoever made them takes `normalize`, so that they are `divisible`, the error says so.
        """
        for index, value in enumerate(probabilities):
            if value < 0:
                raise ModelError(
                    f"expected a probability, found {brief(value)} at position {index + 1}"
                )
        if (total := sum(probabilities, Fraction(0))) != 1:
            raise (SumError if divisible else ModelError)(f"sums to {sum_text(total)}, expected 1")
        common = lcm(*(value.denominator for value in probabilities))
        return cls(tuple(int(value * common) for value in probabilities), common)

    @cached_property
    def support(self) -> tuple[int, ...]:
        """The indices of positive probability."""
        return tuple(index for index, weight in enumerate(self.weights) if weight)

    def mass(self, databases: Iterable[int]) -> int:
        """Return the integer weight of a set of database indices."""
        return sum(self.weights[index] for index in databases)


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

    entries: tuple[tuple[str, Fraction], ...]
    normalized: bool = field(default=False, compare=False)

    @checked
    def __init__(self, probabilities: Mapping[str, Any], normalize: bool = False) -> None:
        labels = tuple(probabilities.keys())
        values = numbers_of([probabilities[label] for label in labels], "", normalize)
        hold(self, entries=tuple(zip(labels, values)), normalized=normalize)

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law on `databases`. Raises `ModelError` unless the table is a law on them."""
        position = {label: index for index, label in enumerate(databases)}
        values = [Fraction(0)] * len(databases)
        for label, value in self.entries:
            if label not in position:
                raise ModelError(
                    f'unknown database "{label}", expected one of {preview(databases)}'
                )
            values[position[label]] = value
        return Law.of(values, divisible=True)

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

    @checked
    def __init__(self, rows: Sequence[Sequence[Any]], normalize: bool = False) -> None:
        hold(self, rows=matrix_of(rows, "", normalize), normalized=normalize)

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the product law. Raises `ModelError` unless there is one probability row per
        record.
        """
        weights, total = [1], 1
        for factor in self.factors(_needs_records(records, "product")):
            weights = [weight * step for weight in weights for step in factor.weights]
            total *= factor.total
        return Law(tuple(weights), total)

    def factors(self, space: Records) -> list[Law]:
        """Return the law of every record. Raises `ModelError` unless there is one row per
        record, each a law.
        """
        if len(self.rows) != space.count:
            raise ModelError(f"expected {space.count} rows, one per record, found {len(self.rows)}")
        known: dict[tuple[Fraction, ...], Law] = {}
        return [
            known.get(row) or known.setdefault(row, _row(row, space, f"[{index}]"))
            for index, row in enumerate(self.rows)
        ]

    def __repr__(self) -> str:
        return f"Product({[[text_of(value) for value in row] for row in self.rows]})"


@dataclass(frozen=True)
class MarkovChain:
    """A homogeneous Markov chain over the records.

    P(x_1 .. x_n) = initial[x_1] * transition[x_1][x_2] * ... ; `initial` may be "stationary": the
    unique law pi with pi P = pi, computed exactly. With `normalize` every row, and `initial`, is
    divided by its sum, exactly: floats stand for their binary values, which mostly miss 1 by a
    rounding, and rows may be counts.

    >>> MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]]).initial_law()
    (Fraction(2, 3), Fraction(1, 3))
    >>> MarkovChain([1, 1], [[9, 1], [1, 4]], normalize=True)
    MarkovChain(['1/2', '1/2'], [['9/10', '1/10'], ['1/5', '4/5']])
    """

    initial: tuple[Fraction, ...] | str
    transition: tuple[tuple[Fraction, ...], ...]
    normalized: bool = field(default=False, compare=False)

    @checked
    def __init__(
        self,
        initial: Sequence[Any] | str,
        transition: Sequence[Sequence[Any]],
        normalize: bool = False,
    ) -> None:
        start = initial if isinstance(initial, str) else numbers_of(initial, "initial", normalize)
        if isinstance(start, str) and start != "stationary":
            raise ModelError(
                f'expected a list of probabilities or "stationary", found "{start}"', "initial"
            )
        hold(
            self,
            initial=start,
            transition=matrix_of(transition, "transition", normalize),
            normalized=normalize,
        )

    def initial_law(self) -> tuple[Fraction, ...]:
        """Return the law of the first record."""
        return stationary_law(self.transition) if isinstance(self.initial, str) else self.initial

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law of the whole sequence. Raises `ModelError` unless shapes fit the
        alphabet.
        """
        space = _needs_records(records, "markov")
        size, (start, steps) = len(space.alphabet), self.parts(space)
        common = lcm(*(step.total for step in steps))
        moves = [[weight * (common // step.total) for weight in step.weights] for step in steps]
        weights, total = list(start.weights), start.total
        for _ in range(space.count - 1):
            weights = [
                weight * move
                for index, weight in enumerate(weights)
                for move in moves[index % size]
            ]
            total *= common
        return Law(tuple(weights), total)

    def parts(self, space: Records) -> tuple[Law, list[Law]]:
        """Return the law of the first record, and that of the next one after each value.

        Raises `ModelError` unless shapes fit the alphabet and every row is a law.
        """
        size = len(space.alphabet)
        if len(self.transition) != size:
            raise ModelError(
                f"expected {size} rows, one per value, found {len(self.transition)}", "transition"
            )
        steps = [
            _row(row, space, f"transition[{index}]") for index, row in enumerate(self.transition)
        ]
        return _row(self.initial_law(), space, "initial"), steps

    def __repr__(self) -> str:
        initial = (
            self.initial
            if isinstance(self.initial, str)
            else [text_of(value) for value in self.initial]
        )
        return (
            f"MarkovChain({initial!r}, "
            f"{[[text_of(value) for value in row] for row in self.transition]})"
        )


class Prior(Protocol):
    """Anything that is a law on databases: `Table`, `Product`, `MarkovChain`, a Bayesian
    network, a hidden Markov model.
    """

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the exact law on the databases. Raises `ModelError` unless it fits them."""


def numbers_of(row: Any, where: str, normalize: bool = False) -> tuple[Fraction, ...]:
    """Read a row of numbers, of a list or an array, and divide them by their sum if asked to.

    Raises `ModelError` unless they are numbers and, to be divided, none is negative and some
    positive.
    """
    try:
        values = tuple(exact(value) for value in _unlabelled(row))
        return divided(values) if normalize else values
    except ModelError as error:
        raise (error.within(where) if where else error) from None


def matrix_of(rows: Any, where: str, normalize: bool = False) -> tuple[tuple[Fraction, ...], ...]:
    """Read rows of numbers, of lists or an array, and divide each by its sum if asked to;
    raises as `numbers_of`.
    """
    return tuple(
        numbers_of(row, f"{where}[{index}]", normalize)
        for index, row in enumerate(_unlabelled(rows))
    )


def divided(values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return numbers divided by their sum. Raises `ModelError` unless none is negative and some
    positive.
    """
    for index, value in enumerate(values):
        if value < 0:
            raise ModelError(
                f"expected a probability, found {brief(value)} at position {index + 1}"
            )
    total = sum(values, Fraction(0))
    if not total:
        raise ModelError("sums to 0, expected a positive sum")
    return tuple(value / total for value in values)


def normalized_priors(priors: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the priors whose rows were divided by their sums."""
    return tuple(name for name, prior in priors.items() if getattr(prior, "normalized", False))


def stationary_law(transition: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Solve pi P = pi, sum(pi) = 1 exactly.

    Raises `ModelError` unless P is square and the solution is unique (one recurrent class).
    """
    size = len(transition)
    if any(len(row) != size for row in transition):
        raise ModelError(f"expected a square matrix with {size} rows", "transition")
    if size > _ELIMINATED:
        return _by_null_space(transition)
    rows = [[transition[i][j] - (i == j) for i in range(size)] + [Fraction(0)] for j in range(size)]
    rows.append([Fraction(1)] * (size + 1))
    for column in range(size):
        pivot = next((index for index in range(column, len(rows)) if rows[index][column]), None)
        if pivot is None:
            raise _several_classes()
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for index, row in enumerate(rows):
            if index != column and row[column]:
                rows[index] = [value - row[column] * head for value, head in zip(row, rows[column])]
    return tuple(rows[index][size] for index in range(size))


def _by_null_space(transition: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Solve pi P = pi by the integer null space of (P - I)^T, for up to a few hundred states."""
    from flint import fmpz_mat

    size, common = len(transition), lcm(*(value.denominator for row in transition for value in row))
    columns = [
        [int((transition[x][y] - (x == y)) * common) for x in range(size)] for y in range(size)
    ]
    kernel, nullity = fmpz_mat(columns).nullspace()
    if nullity != 1:
        raise _several_classes()
    weights = [int(kernel[x, 0]) for x in range(size)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def _several_classes() -> ModelError:
    return ModelError(
        '"stationary" expects a chain with one recurrent class, found several', "initial"
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


def _unlabelled(rows: Any) -> Any:
    """Return the values of a pandas table, whose iteration would yield the names of its columns."""
    return rows.to_numpy() if hasattr(rows, "to_numpy") else rows


def _needs_records(records: Records | None, kind: str) -> Records:
    if records is None:
        raise ModelError(
            f'a {kind} prior needs databases made of records ("records" in place of "databases")'
        )
    return records


def _row(row: Sequence[Fraction], space: Records, where: str) -> Law:
    if len(row) != len(space.alphabet):
        raise ModelError(
            f"expected {len(space.alphabet)} entries, one per value, found {len(row)}", where
        )
    try:
        return Law.of(row, divisible=True)
    except ModelError as error:
        raise error.within(where) from None
