"""Non-negative matrices in three arithmetics: exact integers, rigorous enclosures, and floats with
a proven error.

A caller chooses one by name and gets no other. `Exact` holds integer numerators over one
denominator; `Enclosed` Arb balls beside the exact zero pattern; `Floating` float64, which counts
roundings. Nothing cancels, and a product that might underflow is refused, so that the zero pattern
of floats is exact as well. Powers, marginals and kernels of a chain are in
`pufferproof.models.sequences.chain`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, log, log1p
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import between
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.proportions import Vector, integers
from pufferproof.models.priors.markov import Matrix, checked_transition, time_reversal

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

# Eigengaps of transition matrices, enclosed rigorously: how fast the published bounds let a chain forget.
#
#     g = min { 1 - |lam| : lam an eigenvalue of P, lam != 1 }      wang2016, before Condition 4.6
#     g = min { 1 - |lam| : lam an eigenvalue of P P*, |lam| < 1 }  song2017, Lemma II.3
#
# P* is the time reversal. The characteristic polynomial is exact, its factor (x - 1)^m divided out exactly, and FLINT
# isolates the other roots; of more than 12 states it encloses the eigenvalues of the matrix in balls. P P* is self-
# adjoint and positive semidefinite for the stationary law, so that its eigenvalues lie in [0, 1] and |lam| < 1 leaves
# out lam = 1 only. An irreducible aperiodic P has no eigenvalue of modulus 1 but a simple 1. For other chains the
# first formula is taken as it stands, with |lam| = 1 giving g = 0.

MOST_STATES = 60
_MANY = 12  # states, from which on exact polynomials are long


@dataclass(frozen=True)
class Spectrum:
    """The eigenvalues of a rational matrix other than 1, by its characteristic polynomial without
    the factors x - 1.

    >>> Spectrum(((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 5), Fraction(4, 5)))).rational_gap
    Fraction(3, 10)

    Raises `ModelError` unless the matrix is square with at most 60 rows.
    """

    matrix: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        if len(self.matrix) > MOST_STATES:
            raise ModelError(
                f"expected at most {MOST_STATES} states for eigenvalues, found {len(self.matrix)}", "transition"
            )

    @cached_property
    def _polynomial(self) -> Any:
        from flint import fmpq, fmpq_mat, fmpq_poly

        rows = [[fmpq(value.numerator, value.denominator) for value in row] for row in self.matrix]
        polynomial, root = fmpq_mat(rows).charpoly(), fmpq_poly([-1, 1])
        while polynomial.degree() > 0 and polynomial(1) == 0:
            polynomial = polynomial // root
        return polynomial

    @cached_property
    def rational_gap(self) -> Fraction | None:
        """1 - max |lam| over the eigenvalues other than 1 if all of them are rational, else
        None; 1 if there are none.
        """
        moduli = [Fraction(0)]
        for factor, _ in self._polynomial.factor()[1]:
            if factor.degree() > 1:
                return None
            root = -factor[0] / factor[1]
            moduli.append(abs(Fraction(int(root.p), int(root.q))))
        return 1 - max(moduli)

    def gap(self) -> "arb":
        """Enclose 1 - max |lam| over the eigenvalues other than 1 at the present working
        precision; 1 if there are none.
        """
        from flint import arb, fmpq

        if len(self.matrix) > _MANY and (largest := self._largest_enclosed()) is not None:
            return 1 - largest
        if (exact := self.rational_gap) is not None:
            return arb(fmpq(exact.numerator, exact.denominator))
        largest = arb(0)
        for root, _ in self._polynomial.complex_roots():
            largest = largest.max(abs(root))
        return 1 - largest

    def _largest_enclosed(self) -> "arb | None":
        """Enclose max |lam| over the eigenvalues other than 1 by those of a matrix of balls, one
        for each eigenvalue as often as it occurs; None unless one of them alone can be 1, as one
        is where rows sum to 1.
        """
        from flint import acb_mat, arb, ctx, fmpq

        if any(sum(row) != 1 for row in self.matrix):
            return None
        with ctx.workprec(2 * ctx.prec):
            rows = [[arb(fmpq(x.numerator, x.denominator)) for x in row] for row in self.matrix]
            try:
                eigenvalues = acb_mat(rows).eig(multiple=True)
            except ValueError:
                return None
        others = [each for each in eigenvalues if not each.contains(1)]
        if len(others) < len(eigenvalues) - 1 or not all(each.is_finite() for each in others):
            return None
        return reduce(lambda one, other: one.max(other), map(abs, others), arb(0))


def own_spectrum(transition: Matrix) -> Spectrum:
    """Return the spectrum of P itself (wang2016)."""
    return Spectrum(tuple(tuple(row) for row in checked_transition(transition)))


def reversed_spectrum(transition: Matrix) -> Spectrum:
    """Return the spectrum of P P*. Raises `ModelError` unless the stationary law is unique and
    positive (song2017).
    """
    back = time_reversal(transition)
    columns = list(zip(*back))
    return Spectrum(
        tuple(tuple(sum((x * y for x, y in zip(row, column)), Fraction(0)) for column in columns) for row in transition)
    )


Name = Literal["exact", "enclosed", "float"]

_LEAST_PRODUCT = 2.0**-1000
_UNDERFLOW = 2.0**-960  # what floats lose of a number that leaves their range


class Bounds(NamedTuple):
    """Rational bounds of a number: equal when it is known exactly, both None when it is
    infinite.
    """

    lower: Fraction | None
    upper: Fraction | None

    @classmethod
    def infinite(cls) -> "Bounds":
        """Return the bounds of an infinite number."""
        return cls(None, None)

    @classmethod
    def none(cls) -> "Bounds":
        """Return the bounds of e^0: a ratio that tells nothing."""
        return cls(Fraction(1), Fraction(1))

    def __str__(self) -> str:
        return "infinite" if self.lower is None or self.upper is None else between(self.lower, self.upper)

    def __repr__(self) -> str:
        return f"<Bounds: {self}>"


class PrecisionError(ModelError):
    """An enclosure is too wide for what was asked: ask again with more bits."""


MatrixOf = Any  # a matrix, as its own arithmetic holds it
Entry = Any  # a number of an arithmetic, or rows of them


class Arithmetic(Protocol):
    """What the three have in common; a matrix is whatever its own arithmetic makes of it."""

    name: Name

    def matrix(self, rows: Sequence[Sequence[int]], total: int) -> MatrixOf:
        """Return rows / total."""

    def times(self, left: MatrixOf, right: MatrixOf) -> MatrixOf:
        """Return the matrix product."""

    def entries(self, matrix: MatrixOf) -> Entry:
        """Return what a caller sees: rows of `Fraction`, rows of `Bounds`, or a float array."""


class Rigorous(Arithmetic, Protocol):
    """What `Exact` and `Enclosed` have beside: positive numbers that are divided, multiplied
    and compared.
    """

    def numbers(self, matrix: MatrixOf) -> list[list[Entry]]:
        """Return the entries up to one common factor, None exactly where they are 0."""

    def quotient(self, above: tuple[Entry, Entry], below: tuple[Entry, Entry]) -> Entry:
        """Return a b / (c d) for positive numbers a, b above and c, d below."""

    def log_quotient(self, above: tuple[Entry, Entry], below: tuple[Entry, Entry]) -> tuple[float, float]:
        """Return log(a b / (c d)) in floats, and a bound of its error beside a relative one of
        2^-48.
        """

    def proportions(self, matrix: MatrixOf) -> tuple[Vector, Fraction]:
        """Return the first row as integers up to a factor, and a bound of their relative error."""

    def unsure(self, most: float) -> Entry:
        """Return what is known of a number whose logarithm is at most `most` in absolute value,
        None if it is exact.
        """

    def times_number(self, one: Entry, other: Entry) -> Entry:
        """Return the product of two numbers."""

    def largest(self, numbers: Sequence[Entry]) -> Entry:
        """Return the largest of some numbers."""

    def bounds(self, number: Entry) -> Bounds:
        """Return rational bounds of a number."""


class Scaled(NamedTuple):
    """Integer numerators (an `fmpz_mat`) over one denominator."""

    numerators: Entry
    total: int


class Exact:
    """Rationals, as integers over a common denominator."""

    name: Name = "exact"

    def matrix(self, rows: Sequence[Sequence[int]], total: int) -> Scaled:
        """Return rows / total."""
        from flint import fmpz_mat

        return Scaled(fmpz_mat([list(row) for row in rows]), total)

    def times(self, left: Scaled, right: Scaled) -> Scaled:
        """Return the product."""
        return Scaled(left.numerators * right.numerators, left.total * right.total)

    def numbers(self, matrix: Scaled) -> list[list[int | None]]:
        """Return the numerators."""
        return [[int(entry) or None for entry in row] for row in matrix.numerators.tolist()]

    def quotient(self, above: tuple[int, int], below: tuple[int, int]) -> Fraction:
        """Return a b / (c d)."""
        return Fraction(above[0] * above[1], below[0] * below[1])

    def log_quotient(self, above: tuple[int, int], below: tuple[int, int]) -> tuple[float, float]:
        """Return the logarithm, accurate relative to itself however near 0 it is: the
        difference a b - c d is exact.
        """
        top, bottom = above[0] * above[1], below[0] * below[1]
        if 2 * abs(top - bottom) < bottom:
            logarithm = log1p((top - bottom) / bottom)
            return logarithm, _UNDERFLOW if top != bottom and abs(logarithm) < _UNDERFLOW else 0.0
        shift = top.bit_length() - bottom.bit_length()
        near = top / (bottom << shift) if shift >= 0 else (top << -shift) / bottom
        return log(near) + shift * log(2), 0.0

    def proportions(self, matrix: Scaled) -> tuple[Vector, Fraction]:
        """Return the least integers in the proportions of the first row, and 0."""
        numerators = list(map(int, matrix.numerators.tolist()[0]))
        factor = gcd(*numerators) or 1
        return tuple(entry // factor for entry in numerators), Fraction(0)

    def unsure(self, most: float) -> None:
        """Return None: exact numbers are always compared."""

    def times_number(self, one: Fraction, other: Fraction) -> Fraction:
        """Return the product of two rationals."""
        return one * other

    def largest(self, numbers: Sequence[Fraction]) -> Fraction:
        """Return the largest number."""
        return max(numbers)

    def bounds(self, number: Fraction) -> Bounds:
        """Return the number, twice."""
        return Bounds(number, number)

    def entries(self, matrix: Scaled) -> tuple[tuple[Fraction, ...], ...]:
        """Return rows of rationals."""
        return tuple(tuple(Fraction(int(entry), matrix.total) for entry in row) for row in matrix.numerators.tolist())


class Balls(NamedTuple):
    """Enclosures (an `arb_mat`), and where the entries are positive."""

    balls: Entry
    positive: "NDArray[np.bool_]"


class Enclosed:
    """Arb enclosures of `bits` bits."""

    name: Name = "enclosed"

    def __init__(self, bits: int = 128) -> None:
        self.bits = bits

    def matrix(self, rows: Sequence[Sequence[int]], total: int) -> Balls:
        """Return enclosures of rows / total."""
        import numpy as np
        from flint import arb_mat, ctx, fmpz_mat

        with ctx.workprec(self.bits):
            balls = arb_mat(fmpz_mat([list(row) for row in rows])) / total
        return Balls(balls, np.array([[entry != 0 for entry in row] for row in rows]))

    def times(self, left: Balls, right: Balls) -> Balls:
        """Return the product."""
        import numpy as np
        from flint import ctx

        with ctx.workprec(self.bits):
            balls = left.balls * right.balls
        return Balls(balls, left.positive.astype(np.float32) @ right.positive.astype(np.float32) > 0)

    def numbers(self, matrix: Balls) -> list[list[Entry]]:
        """Return the balls."""
        rows = zip(matrix.balls.tolist(), matrix.positive.tolist())
        return [[ball if positive else None for ball, positive in zip(*row)] for row in rows]

    def quotient(self, above: tuple[Entry, Entry], below: tuple[Entry, Entry]) -> Entry:
        """Return an enclosure of a b / (c d)."""
        from flint import ctx

        with ctx.workprec(self.bits):
            return above[0] * above[1] / (below[0] * below[1])

    def log_quotient(self, above: tuple[Entry, Entry], below: tuple[Entry, Entry]) -> tuple[float, float]:
        """Return the middle of an enclosure of the logarithm, and its radius. Raises
        `PrecisionError` if there is none.
        """
        from flint import ctx

        with ctx.workprec(self.bits):
            ball = (above[0] * above[1] / (below[0] * below[1]) - 1).log1p()
        if not ball.is_finite():
            raise PrecisionError(f"{self.bits} bits are too few", "arithmetic")
        return float(ball.mid()), 2 * float(ball.rad()) + (_UNDERFLOW if ball != 0 else 0.0)

    def proportions(self, matrix: Balls) -> tuple[Vector, Fraction]:
        """Return the lower ends of the first row as integers, and how far the upper ones are from
        them. Raises `PrecisionError` unless positive numbers have positive lower ends.
        """
        ends = [(entry.lower or Fraction(0), entry.upper or 0) for entry in self.entries(matrix)[0]]
        if any(upper and not lower > 0 for lower, upper in ends):
            raise PrecisionError(f"{self.bits} bits are too few", "arithmetic")
        slack = max(upper / lower for lower, upper in ends if upper) - 1
        return integers([lower for lower, _ in ends]), slack

    def unsure(self, most: float) -> Entry:
        """Return the interval from e^-most to e^most."""
        from flint import arb, ctx

        with ctx.workprec(self.bits):
            return arb(0, most).exp()

    def times_number(self, one: Entry, other: Entry) -> Entry:
        """Return an enclosure of the product."""
        from flint import ctx

        with ctx.workprec(self.bits):
            return one * other

    def largest(self, numbers: Sequence[Entry]) -> Entry:
        """Return an enclosure of the largest number."""
        from flint import ctx

        with ctx.workprec(self.bits):
            return reduce(lambda one, other: one.max(other), numbers)

    def bounds(self, number: Entry) -> Bounds:
        """Return the ends of an enclosure."""
        from flint import ctx

        with ctx.workprec(self.bits):
            return Bounds(dyadic(number.lower()), dyadic(number.upper()))

    def entries(self, matrix: Balls) -> tuple[tuple[Bounds, ...], ...]:
        """Return rows of bounds."""
        rows = zip(matrix.balls.tolist(), matrix.positive)
        zero = Bounds(Fraction(0), Fraction(0))
        return tuple(tuple(self.bounds(ball) if positive else zero for ball, positive in zip(*row)) for row in rows)


class Rounded(NamedTuple):
    """Floats, how many roundings each has behind it at most, and the least positive one."""

    values: "NDArray[np.float64]"
    roundings: int
    least: float


class Floating:
    """Float64 with a proven relative error.

    Let u = 2^-53. An entry read from a rational has relative error at most u. In a product of
    non-negative k x k matrices each term passes at most k roundings, whatever the order of
    summation, so that errors of e and f roundings become at most e + f + k of them: nothing
    cancels. Hence P^t, however it is multiplied up, has at most t + (t - 1) k roundings, and n
    roundings are a relative error of at most n u / (1 - n u). This holds unless a term underflows:
    a product is refused unless the least positive entries of its factors multiply to at least
    2^-1000.
    """

    name: Name = "float"

    def matrix(self, rows: Sequence[Sequence[int]], total: int) -> Rounded:
        """Return rows / total, each entry correctly rounded. Raises `ModelError` unless none is
        too small.
        """
        import numpy as np

        values = np.array([[entry / total for entry in row] for row in rows])
        if np.any((values < _LEAST_PRODUCT) & np.array([[entry != 0 for entry in row] for row in rows])):
            raise _too_small()
        return self._rounded(values, 1)

    def times(self, left: Rounded, right: Rounded) -> Rounded:
        """Return the product. Raises `ModelError` unless no term can underflow."""
        if left.least * right.least < _LEAST_PRODUCT:
            raise _too_small()
        return self._rounded(left.values @ right.values, left.roundings + right.roundings + len(right.values))

    def _rounded(self, values: "NDArray[np.float64]", roundings: int) -> Rounded:
        import numpy as np

        return Rounded(values, roundings, float(np.min(values, where=values > 0, initial=1.0)))

    def entries(self, matrix: Rounded) -> "NDArray[np.float64]":
        """Return the array."""
        return matrix.values


def relative_error(roundings: int) -> Fraction:
    """Return n u / (1 - n u), the relative error that n roundings of non-negative numbers amount to
    at most.

    Raises `ModelError` unless n u < 1.
    """
    if roundings >= 1 << 53:
        raise ModelError('floats lose every digit here: expected "enclosed"', "arithmetic")
    return Fraction(roundings, (1 << 53) - roundings)


def _too_small() -> ModelError:
    return ModelError('probabilities are too small for floats: expected "enclosed"', "arithmetic")
