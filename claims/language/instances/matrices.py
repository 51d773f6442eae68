"""Small transition matrices, evaluated exactly: powers, eigenvalues, and whether a chain settles.

Rows are rational. Eigenvalues are roots of the characteristic polynomial, factored by python-flint.
"""

from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import Any

from pufferproof.models.errors import SolverError
from pufferproof.models.priors.markov import is_irreducible, period

Matrix = tuple[tuple[Fraction, ...], ...]
_FROM_BEFORE = 50


def settled(rows: Matrix) -> bool:
    """Whether a chain is irreducible and aperiodic."""
    return is_irreducible(rows) and period(rows) == 1


@lru_cache(maxsize=256)
def power(rows: Matrix, exponent: int) -> Matrix:
    """P^t for t >= 0, by repeated multiplication; small powers from the ones before."""
    size = range(len(rows))
    if 0 < exponent <= _FROM_BEFORE:
        return _multiplied(power(rows, exponent - 1), rows)
    found: Matrix = tuple(tuple(Fraction(int(x == y)) for y in size) for x in size)
    for _ in range(exponent):
        found = _multiplied(found, rows)
    return found


def _multiplied(left: Matrix, rows: Matrix) -> Matrix:
    columns = list(zip(*rows))
    return tuple(tuple(sum(map(mul, row, column), Fraction(0)) for column in columns) for row in left)


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
