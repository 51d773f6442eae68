"""Eigengaps of transition matrices, enclosed rigorously: how fast the published bounds let a chain
forget.

    g = min { 1 - |lam| : lam an eigenvalue of P, lam != 1 }      wang2016, before Condition 4.6
    g = min { 1 - |lam| : lam an eigenvalue of P P*, |lam| < 1 }  song2017, Lemma II.3

P* is the time reversal. The characteristic polynomial is exact, its factor (x - 1)^m divided out
exactly, and FLINT isolates the other roots; of more than 12 states it encloses the eigenvalues of
the matrix in balls. P P* is self-adjoint and positive semidefinite for the stationary law, so that
its eigenvalues lie in [0, 1] and |lam| < 1 leaves out lam = 1 only. An irreducible aperiodic P has
no eigenvalue of modulus 1 but a simple 1. For other chains the first formula is taken as it stands,
with |lam| = 1 giving g = 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.structure import Matrix, checked_transition, time_reversal

if TYPE_CHECKING:
    from flint import arb

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
    return Spectrum(tuple(tuple(_dot(row, column) for column in columns) for row in transition))


def _dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(left, right)), Fraction(0))
