"""What several built-in queries count, packed into one exponent: the digits of an integer, and the
law of all of them from a polynomial in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, NamedTuple, cast

from pufferproof.models.noise.additive import Vector
from pufferproof.models.noise.records import RecordQuery
from pufferproof.verify.noise.laws.of_framework import Law

if TYPE_CHECKING:
    from flint import fmpq, fmpz_poly


@dataclass(frozen=True)
class Packing:
    """The counted coordinates of all releases as digits of one integer."""

    releases: Sequence[RecordQuery]
    bases: tuple[int, ...]  # one per counted coordinate: one more than it can reach
    known: dict[int, Vector] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, releases: Sequence[RecordQuery]) -> "Packing":
        """Choose the bases."""
        return cls(releases, tuple(1 + release.size * max(digit) for release in releases for digit in release.digits))

    @property
    def terms(self) -> int:
        """An upper bound of the number of terms of a polynomial."""
        total = 1
        for base in self.bases:
            total *= base
        return total

    def adds(self, record: int) -> list[int]:
        """Return the exponent that a record adds, for each of its values."""
        size = len(self.releases[0].records.alphabet)
        exponents, unit, bases = [0] * size, 1, iter(self.bases)
        for release in self.releases:
            for digit in release.digits:
                if release.covers(record):
                    exponents = [old + unit * new for old, new in zip(exponents, digit)]
                unit *= next(bases)
        return exponents

    def known_vector(self, exponent: int) -> Vector:
        """Return the values of all releases from an exponent, once found for all records."""
        if exponent not in self.known:
            self.known[exponent] = self.vector(exponent)
        return self.known[exponent]

    def vector(self, exponent: int) -> Vector:
        """Return the values of all releases from an exponent."""
        digits = []
        for base in self.bases:
            exponent, digit = divmod(exponent, base)
            digits.append(digit)
        values: list[Fraction] = []
        for release in self.releases:
            count = len(release.digits)
            values.extend(release.vector(digits[:count]))
            digits = digits[count:]
        return tuple(values)


def law_of(weights: "fmpz_poly", packing: Packing, shift: int) -> Law:
    """Return the law of the releases from weights of exponents, `shift` added to each; empty where
    all are 0.
    """
    from flint import fmpq, fmpz

    coefficients = {exponent: c for exponent, c in enumerate(weights.coeffs()) if c}
    total = sum(coefficients.values(), fmpz(0))
    reduced = {exponent: fmpq(c, total) for exponent, c in coefficients.items()}
    return {packing.known_vector(exponent + shift): _fraction(q) for exponent, q in reduced.items()}


class _Reduced(NamedTuple):
    """A rational in lowest terms: `Fraction` takes one as it is, and so need not repeat what
    FLINT does faster.
    """

    numerator: int
    denominator: int


Rational.register(_Reduced)


def _fraction(value: "fmpq") -> Fraction:
    return Fraction(cast("Rational", _Reduced(int(value.p), int(value.q))))
