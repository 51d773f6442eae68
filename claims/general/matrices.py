"""Small transition matrices, evaluated exactly: powers, eigenvalues, and whether a chain settles.

Rows are rational. Eigenvalues are roots of the characteristic polynomial, factored by python-flint.
"""

from fractions import Fraction
from typing import Any

from pufferproof.models.errors import SolverError
from pufferproof.models.priors.structure import is_irreducible, period

Matrix = tuple[tuple[Fraction, ...], ...]


def settled(rows: Matrix) -> bool:
    """Whether a chain is irreducible and aperiodic."""
    return is_irreducible(rows) and period(rows) == 1


def power(rows: Matrix, exponent: int) -> Matrix:
    """P^t for t >= 0, by repeated multiplication."""
    size = range(len(rows))
    found: Matrix = tuple(tuple(Fraction(int(x == y)) for y in size) for x in size)
    for _ in range(exponent):
        found = tuple(
            tuple(sum((row[z] * rows[z][y] for z in size), Fraction(0)) for y in size)
            for row in found
        )
    return found


def eigenvalues(rows: Matrix) -> list[tuple[Fraction, int]]:
    """The eigenvalues with multiplicities. Raises `SolverError` unless all are rational."""
    found = []
    for factor, multiplicity in characteristic(rows).factor()[1]:
        if factor.degree() != 1:
            raise SolverError("expected rational eigenvalues")
        found.append((Fraction(-int(factor[0]), int(factor[1])), int(multiplicity)))
    return sorted(found, reverse=True)


def characteristic(rows: Matrix) -> Any:
    """The characteristic polynomial up to a factor, an integer polynomial of python-flint."""
    from flint import fmpq, fmpq_mat

    found = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in rows]).charpoly()
    return found.numer()
