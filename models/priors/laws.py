"""Priors: what an adversary may believe about the database, as exact laws over the databases of a
framework.

Each `Prior` (`pufferproof.models.priors.tables`, `pufferproof.models.priors.markov` and others)
turns into a `Law`: one integer weight per database over a common total, so that exact and
vectorised code read the same numbers. Rows are read here, and divided by their sums if asked to.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Protocol, cast

from pufferproof.models.errors import ModelError, SumError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.grammar import exact, integers_of, over_common
from pufferproof.models.numbers.text import brief, sum_text
from pufferproof.models.priors.records import Records

_FEW = 64


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
        return cls.of_integers(*_weights(probabilities), divisible)

    @classmethod
    def of_integers(cls, weights: tuple[int, ...], common: int, divisible: bool = False) -> "Law":
        """Take integers over a common denominator; raises as `of`."""
        _expect_probabilities(weights, common)
        if (total := sum(weights)) != common:
            said = f"sums to {sum_text(Fraction(total, common))}, expected 1"
            raise (SumError if divisible else ModelError)(said)
        return cls(weights, common)

    @cached_property
    def support(self) -> tuple[int, ...]:
        """The indices of positive probability."""
        return tuple(index for index, weight in enumerate(self.weights) if weight)

    def mass(self, databases: Iterable[int]) -> int:
        """Return the integer weight of a set of database indices."""
        return sum(map(self.weights.__getitem__, databases))


def _weights(probabilities: Sequence[Fraction]) -> tuple[tuple[int, ...], int]:
    """Return rationals as integers over their least common denominator."""
    if len(probabilities) <= _FEW:
        numerators, common = over_common(probabilities)
        return tuple(numerators), common
    places = list(map(id, probabilities))  # numbers that were written alike are one object
    distinct = dict(zip(places, probabilities))
    numerators, common = over_common(distinct.values())
    weights = dict(zip(distinct, numerators))
    return tuple(map(weights.__getitem__, places)), common


class Prior(Protocol):
    """Anything that is a law on databases: `Table`, `Product`, `MarkovChain`, a Bayesian
    network, a hidden Markov model.
    """

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the exact law on the databases. Raises `ModelError` unless it fits them."""


# no field of the protocol, which priors would need as well
Prior.made_by = {  # type: ignore[attr-defined]
    **dict.fromkeys(("hmmlearn", "pandas", "pgmpy"), "as_prior reads it"),
    "dict": "Table(...) makes one of probabilities",
}


def numbers_of(row: object, where: str, normalize: bool = False) -> tuple[Fraction, ...]:
    """Read a row of numbers, of a list or an array, and divide them by their sum if asked to.

    Raises `ModelError` unless they are numbers and, to be divided, none is negative and some
    positive.
    """
    normalize = check_type(normalize, bool, "normalize")
    try:
        given = cast(Iterable[object], row.to_numpy() if hasattr(row, "to_numpy") else row)
        if not normalize:
            return tuple(map(exact, given))
        weights, total = weights_of(given, normalize)
        return tuple(Fraction(weight, total) for weight in weights)
    except ModelError as error:
        raise (error.within(where) if where else error) from None


def weights_of(row: Iterable[object], normalize: bool = False) -> tuple[tuple[int, ...], int]:
    """Read a row of numbers, divided by their sum if asked to, as integers over their least common
    denominator; raises as `numbers_of`.
    """
    normalize = check_type(normalize, bool, "normalize")
    integers = integers_of(row) if isinstance(row, list) else None
    numerators, common = integers or _weights(tuple(map(exact, row)))
    if normalize:
        _expect_probabilities(numerators, common)
        if not (total := sum(numerators)):
            raise ModelError("sums to 0, expected a positive sum")
        divisor = gcd(*numerators)
        numerators, common = [number // divisor for number in numerators], total // divisor
    return tuple(numerators), common


def _expect_probabilities(numerators: Sequence[int], common: int) -> None:
    if min(numerators, default=0) >= 0:
        return
    place, number = next(each for each in enumerate(numerators) if each[1] < 0)
    raise ModelError(f"expected a probability, found {brief(Fraction(number, common))} at position {place + 1}")


def matrix_of(rows: object, where: str, normalize: bool = False) -> tuple[tuple[Fraction, ...], ...]:
    """Read rows of numbers, of lists or an array, and divide each by its sum if asked to;
    raises as `numbers_of`.
    """
    # of a pandas table its values, whose iteration would yield the names of its columns
    given = cast(Iterable[object], rows.to_numpy() if hasattr(rows, "to_numpy") else rows)
    return tuple(numbers_of(row, f"{where}[{index}]", normalize) for index, row in enumerate(given))


def normalized_priors(priors: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the priors whose rows were divided by their sums."""
    return tuple(name for name, prior in priors.items() if getattr(prior, "normalized", False))


def expect_records(records: Records | None, kind: str) -> Records:
    """Return the records. Raises `ModelError` unless databases are made of them."""
    if records is None:
        raise ModelError(f'a {kind} prior needs databases made of records ("records" instead of "databases")')
    return records


def law_of_record(row: Sequence[Fraction], space: Records, where: str) -> Law:
    """Return the law of one record. Raises `ModelError`, saying where, unless it is one."""
    return law_of_size(row, len(space.alphabet), where)


def law_of_size(row: Sequence[Fraction], size: int, where: str) -> Law:
    """Return the law of so many values. Raises `ModelError`, saying where, unless it is one."""
    if len(row) != size:
        raise ModelError(f"expected {size} entries, one per value, found {len(row)}", where)
    return law_at(row, where)


def law_at(row: Sequence[Fraction], where: str) -> Law:
    """Return a law. Raises `ModelError`, saying where, unless the numbers are one."""
    try:
        return Law.of(row, divisible=True)
    except ModelError as error:
        raise error.within(where) from None
