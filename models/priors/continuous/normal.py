"""Normal laws of records that are numbers, not truncated: exact means, variances and covariances.

    X = (X_1, .., X_n) ~ N(mean, S),   S given, or Cov(X_j, X_k) = variance * coefficient^|j - k|

The second is a stationary autoregression of order 1, AR(1), of any length: no matrix is written
out, and a'Sb takes one pass over the records. Nothing here is a float. Truncated normal laws in a
box are priors for influence curves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact, over_common
from pufferproof.models.numbers.text import brief

if TYPE_CHECKING:
    from flint import arb_mat

# Truncated Gaussian priors: n numbers, jointly normal with mean 0, in a box.
#
# Such a prior has a density on [low, high]^n and no list of databases: it is for influence curves. Source: bai2026,
# Example 4, with any covariance and any box.

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
        matrix = None if covariance is None else _definite_covariance(covariance)
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


def _symmetric(rows: Sequence[Sequence[Number]], where: str) -> tuple[tuple[Fraction, ...], ...]:
    for j, row in enumerate(rows):
        if len(row) != len(rows):
            raise ModelError(f"expected {len(rows)} entries, found {len(row)}", f"{where}[{j}]")
    matrix = tuple(tuple(exact(entry) for entry in row) for row in rows)
    for j in range(len(rows)):
        for k in range(j):
            if matrix[j][k] != matrix[k][j]:
                raise ModelError(
                    f"expected a symmetric matrix, found {brief(matrix[j][k])} and {brief(matrix[k][j])} in [{k}][{j}]",
                    f"{where}[{j}][{k}]",
                )
    return matrix


def _definite_covariance(rows: Sequence[Sequence[Number]]) -> tuple[tuple[Fraction, ...], ...]:
    """Read a covariance. Raises `ModelError` unless it is square, symmetric, positive definite."""
    where = "gaussian.covariance"
    count = len(rows)
    if not count:
        raise ModelError("expected a row for every record, found none", where)
    matrix = _symmetric(rows, where)
    left = [list(entries) for entries in matrix]
    for k, pivots in enumerate(left):  # all pivots of exact elimination are positive
        if pivots[k] <= 0:
            raise ModelError(
                f"expected a positive definite matrix, found the variance {brief(pivots[k])} of "
                f"record {k + 1} given those before it",
                where,
            )
        for other in left[k + 1 :]:
            factor = other[k] / pivots[k]
            for j in range(k, count):
                other[j] -= factor * pivots[j]
    return matrix


MAX_WRITTEN = 200  # rows of a covariance that is written out
Weights = Sequence[Fraction]
Mean = Number | Sequence[Number]


@dataclass(frozen=True, init=False)
class Normal:
    """A normal law of n numbers, not truncated.

    Args: mean: of every record, or a number for each. covariance: S, exact, symmetric and positive
    semidefinite; or coefficient and variance: those of a stationary AR(1), for any n.

    >>> Normal(coefficient="9/10", variance=2).covariance_of(3, 5)
    Fraction(81, 50)
    >>> Normal([0, 1], [[1, "1/2"], ["1/2", 1]]).mean_of(2)
    Fraction(1, 1)

    Raises `ModelError`, naming the entry, unless this is such a law.
    """

    mean: Fraction | tuple[Fraction, ...]
    covariance: tuple[tuple[Fraction, ...], ...] | None
    coefficient: Fraction | None
    variance: Fraction | None

    def __init__(
        self,
        mean: Mean = 0,
        covariance: Sequence[Sequence[Number]] | None = None,
        *,
        coefficient: Number | None = None,
        variance: Number | None = None,
    ) -> None:
        mean = check_type(mean, Mean, "mean")
        covariance = check_type(covariance, Sequence[Sequence[Number]] | None, "covariance")
        coefficient = check_type(coefficient, Number | None, "coefficient")
        variance = check_type(variance, Number | None, "variance")
        if (coefficient is None) != (variance is None):
            raise ModelError('expected "coefficient" and "variance" together', "gaussian.ar1")
        if (covariance is None) == (coefficient is None):
            raise ModelError('expected either "covariance" or "ar1"', "gaussian")
        several = isinstance(mean, Sequence) and not isinstance(mean, str)
        means = tuple(map(exact, mean)) if several else exact(mean)  # type: ignore[arg-type]
        rho = None if coefficient is None else exact(coefficient)
        if rho is not None and not -1 < rho < 1:
            raise ModelError(
                f"expected a coefficient between -1 and 1, found {brief(rho)}: at 1 and beyond no law is stationary",
                "gaussian.ar1.coefficient",
            )
        spread = None if variance is None else exact(variance)
        if spread is not None and spread <= 0:
            raise ModelError(f"expected a variance above 0, found {brief(spread)}", "gaussian.ar1.variance")
        matrix = None if covariance is None else _covariance(covariance)
        hold(self, mean=means, covariance=matrix, coefficient=rho, variance=spread)

    @classmethod
    def of_moments(cls, mean: Sequence[Fraction], covariance: Sequence[Sequence[Fraction]]) -> "Normal":
        """Return the law with this mean and a matrix that is known to be a covariance."""
        law = object.__new__(cls)
        rows = tuple(map(tuple, covariance))
        hold(law, mean=tuple(mean), covariance=rows, coefficient=None, variance=None)
        return law

    def expect_records(self, count: int) -> None:
        """Raise `ModelError` unless this is a law of so many records."""
        if self.covariance is not None and len(self.covariance) != count:
            raise ModelError(
                f"expected {count} rows, one per record, found {len(self.covariance)}", "gaussian.covariance"
            )
        if isinstance(self.mean, tuple) and len(self.mean) != count:
            raise ModelError(
                f"expected {count} numbers, one per record, or one for all, found {len(self.mean)}", "gaussian.mean"
            )

    def mean_of(self, record: int) -> Fraction:
        """Return E[X_j] of a record, from 1."""
        return self.mean[record - 1] if isinstance(self.mean, tuple) else self.mean

    def covariance_of(self, one: int, other: int) -> Fraction:
        """Return Cov(X_j, X_k) of two records, from 1."""
        if self.covariance is not None:
            return self.covariance[one - 1][other - 1]
        return self._spread * self._rho ** abs(one - other)

    def with_record(self, weights: Weights, record: int) -> Fraction:
        """Return Cov(w'X, X_i) for a record i, from 1.

        >>> Normal(coefficient="1/2", variance=1).with_record([Fraction(1)] * 3, 1)
        Fraction(7, 4)
        """
        if self.covariance is not None:
            row = self.covariance[record - 1]
            return sum((w * s for w, s in zip(weights, row) if w), Fraction(0))
        before, after = weights[: record - 1][::-1], weights[record:]
        near = weights[record - 1] + _faded(before, self._rho) + _faded(after, self._rho)
        return self._spread * near

    def signs(self, record: int, count: int) -> list[int]:
        """Return the signs of Cov(X_j, X_i) of a record i, for j = 1 .. count."""
        if self.covariance is not None:
            return [(s > 0) - (s < 0) for s in self.covariance[record - 1]]
        sign = (self._rho > 0) - (self._rho < 0)
        return [sign ** abs(j - record) for j in range(1, count + 1)]

    def between(self, one: Weights, other: Weights) -> Fraction:
        """Return Cov(a'X, b'X) = a'Sb.

        >>> Normal(coefficient="1/2", variance=1).between([Fraction(1)] * 2, [Fraction(1)] * 2)
        Fraction(3, 1)
        """
        if self.covariance is not None:
            rows = zip(one, self.covariance)
            return sum((w * sum(v * s for v, s in zip(other, row) if v) for w, row in rows if w), Fraction(0))
        # sum_jk a_j b_k rho^|j - k| in one pass: L_j = sum_(k < j) w_k rho^(j - k) has L_(j+1) = rho (L_j + w_j), and
        # a_j b_j + a_j L_j[b] + b_j L_j[a] is added at j; all have the denominator q^j at j
        (a, above), (b, below) = over_common(one), over_common(other)
        p, q = self._rho.as_integer_ratio()
        total, left, right, power = 0, 0, 0, 1
        for x, y in zip(a, b):
            total = q * total + x * y * power + x * right + y * left
            left, right = p * (left + x * power), p * (right + y * power)
            power *= q
        return self._spread * Fraction(total * q, above * below * power)

    @property
    def _rho(self) -> Fraction:
        return self.coefficient or Fraction(0)

    @property
    def _spread(self) -> Fraction:
        return self.variance or Fraction(0)


def _faded(weights: Weights, rho: Fraction) -> Fraction:
    """Return sum_d w_d rho^d, d = 1, 2, .., by Horner's rule over the integers."""
    numbers, common = over_common(weights)
    p, q = rho.as_integer_ratio()
    total, power = 0, 1  # total / power is what was added so far
    for number in reversed(numbers):
        if number or total:
            total = p * (total + number * power)
            power *= q
    return Fraction(total, common * power)


def _covariance(rows: Sequence[Sequence[Number]]) -> tuple[tuple[Fraction, ...], ...]:
    """Read a covariance: square, symmetric and positive semidefinite."""
    where, count = "gaussian.covariance", len(rows)
    if not 1 <= count <= MAX_WRITTEN:
        raise ModelError(f'expected 1 to {MAX_WRITTEN} rows, found {count}; "ar1" takes more records', where)
    matrix = _symmetric(rows, where)
    if (record := _negative(matrix)) is not None:
        raise ModelError(
            f"expected a positive semidefinite matrix, found that record {record} has a negative "
            f"variance given those before it",
            where,
        )
    return matrix


def _negative(matrix: Iterable[Sequence[Fraction]]) -> int | None:
    """Return the first record whose variance given those before it is negative, or which varies
    with others although that variance is 0; None of a positive semidefinite matrix.

    Elimination without fractions (Bareiss): all numbers are minors, and pivots that are 0 are
    left out together with their rows, which must be 0 as well.
    """
    rows = [list(row) for row in matrix]
    common = lcm(*(x.denominator for row in rows for x in row))
    minors = [[int(x * common) for x in row] for row in rows]
    last, count = 1, len(minors)
    for k in range(count):
        pivot, row = minors[k][k], minors[k]
        if pivot < 0 or (not pivot and any(row[k + 1 :])):
            return k + 1
        if not pivot:
            continue
        for j in range(k + 1, count):
            factor, under = row[j], minors[j]
            for at in range(j, count):
                under[at] = (under[at] * pivot - factor * row[at]) // last
        last = pivot
    return None
