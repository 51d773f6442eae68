"""Truncated Gaussian priors: n numbers, jointly normal with mean 0, in a box.

Such a prior has a density on [low, high]^n and no list of databases: it is for influence curves.
Source: bai2026, Example 4, with any covariance and any box.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief

if TYPE_CHECKING:
    from flint import arb_mat

NO_DATABASES = "not supported: a truncated Gaussian has no databases to list, it is only for influence --curve"
Number = str | int | float | Fraction


@dataclass(frozen=True, init=False)
class TruncatedGaussian:
    """The law of x ~ N(0, Sigma) given that all coordinates lie in [low, high].

    Args: box: low and high, exact. covariance: Sigma, exact, symmetric and positive definite; or
    length: the l > 0 of the kernel Sigma_jk = exp(-(j - k)^2 / l), for any number of records.

    >>> TruncatedGaussian(["-5", "5"], length="1/2").length
    Fraction(1, 2)
    >>> TruncatedGaussian([-1, 1], [["1", "1/2"], ["1/2", "1"]]).covariance[0]
    (Fraction(1, 1), Fraction(1, 2))

    Raises `ModelError`, naming the entry, unless this is such a law.
    """

    box: tuple[Fraction, Fraction]
    covariance: tuple[tuple[Fraction, ...], ...] | None
    length: Fraction | None

    def __init__(
        self, box: Sequence[Number], covariance: Sequence[Sequence[Number]] | None = None, length: Number | None = None
    ) -> None:
        box = check_type(box, Sequence[Number], "box")
        covariance = check_type(covariance, Sequence[Sequence[Number]] | None, "covariance")
        length = check_type(length, Number | None, "length")
        if (covariance is None) == (length is None):
            raise ModelError("expected either a covariance or the length of a kernel", "gaussian")
        if len(box) != 2:
            raise ModelError(f"expected [low, high], found {len(box)} numbers", "gaussian.box")
        low, high = (exact(each) for each in box)
        if not low < high:
            raise ModelError(f"expected low < high, found {brief(low)} and {brief(high)}", "gaussian.box")
        scale = None if length is None else exact(length)
        if scale is not None and scale <= 0:
            raise ModelError(
                f"expected a length above 0, found {brief(scale)}", "gaussian.kernel.squared_exponential.length"
            )
        matrix = None if covariance is None else _covariance(covariance)
        hold(self, box=(low, high), covariance=matrix, length=scale)

    def expect_records(self, count: int) -> None:
        """Raise `ModelError` unless this is a law of so many records."""
        if self.covariance is not None and len(self.covariance) != count:
            raise ModelError(
                f"expected {count} rows, one per record, found {len(self.covariance)}", "gaussian.covariance"
            )

    def arb_covariance(self, count: int) -> "arb_mat":
        """Return Sigma as an Arb matrix, at Arb's current precision."""
        from flint import arb, arb_mat, fmpq

        if self.covariance is not None:
            rows = [[arb(fmpq(x.numerator, x.denominator)) for x in row] for row in self.covariance]
            return arb_mat(rows)
        length = self.length or Fraction(1)
        unit = arb(fmpq(length.denominator, length.numerator))
        near = [(-unit * d * d).exp() for d in range(count)]
        return arb_mat([[near[abs(j - k)] for k in range(count)] for j in range(count)])

    @property
    def reversible(self) -> bool:
        """Whether the law is the same with the records in the opposite order."""
        if self.covariance is None:
            return True
        return self.covariance == tuple(tuple(reversed(row)) for row in reversed(self.covariance))

    def size_of_correlation(self, i: int, j: int) -> Fraction:
        """Return a number that orders |Sigma_ij| among all j: itself, or minus the squared
        distance.
        """
        if self.covariance is None:
            return Fraction(-((i - j) ** 2))
        return abs(self.covariance[i][j])


def _covariance(rows: Sequence[Sequence[Number]]) -> tuple[tuple[Fraction, ...], ...]:
    """Read a covariance. Raises `ModelError` unless it is square, symmetric, positive definite."""
    where = "gaussian.covariance"
    count = len(rows)
    if not count:
        raise ModelError("expected a row for every record, found none", where)
    for j, row in enumerate(rows):
        if len(row) != count:
            raise ModelError(f"expected {count} entries, found {len(row)}", f"{where}[{j}]")
    matrix = tuple(tuple(exact(entry) for entry in row) for row in rows)
    for j in range(count):
        for k in range(j):
            if matrix[j][k] != matrix[k][j]:
                raise ModelError(
                    f"expected a symmetric matrix, found {brief(matrix[j][k])} and {brief(matrix[k][j])} in [{k}][{j}]",
                    f"{where}[{j}][{k}]",
                )
    _expect_positive(matrix, where)
    return matrix


def _expect_positive(matrix: tuple[tuple[Fraction, ...], ...], where: str) -> None:
    """Raise `ModelError` unless all pivots of exact elimination are positive."""
    rows = [list(row) for row in matrix]
    for k, row in enumerate(rows):
        if row[k] <= 0:
            raise ModelError(
                f"expected a positive definite matrix, found the variance {brief(row[k])} of "
                f"record {k + 1} given those before it",
                where,
            )
        for other in rows[k + 1 :]:
            factor = other[k] / row[k]
            for j in range(k, len(rows)):
                other[j] -= factor * row[j]
