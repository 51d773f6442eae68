"""Small Markov chains, evaluated exactly: gaps, and what the spectral lemma bounds.

What is compared with an exponential of an algebraic number is compared by enclosures that refine.
Source: wang2016, section 4.3 and appendix A.5.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from pufferproof.claims.language.instances.matrices import (
    Matrix,
    characteristic,
    eigenvalues,
    power,
    settled,
)
from pufferproof.models.errors import SolverError
from pufferproof.models.priors.markov import stationary_law
from pufferproof.models.priors.structure import is_reversible

if TYPE_CHECKING:
    from flint import arb

_BITS = (64, 256, 1024)


def matrix(*rows: str) -> Matrix:
    """Return a matrix from rows of numbers separated by spaces."""
    return tuple(tuple(Fraction(entry) for entry in row.split()) for row in rows)


def matrices(states: int, parts: int) -> Iterator[Matrix]:
    """Yield all transition matrices of this size with entries in multiples of 1/parts."""
    rows = [
        tuple(Fraction(v, parts) for v in w)
        for w in product(range(parts + 1), repeat=states)
        if sum(w) == parts
    ]
    yield from product(rows, repeat=states)


def reversible(rows: Matrix) -> bool:
    """Whether a chain satisfies the condition of the paper: irreducible, aperiodic, reversible."""
    return settled(rows) and is_reversible(rows)


law_of = lru_cache(maxsize=256)(stationary_law)
"""The stationary law, which several steps of one chain ask for."""


def deviation(rows: Matrix, steps: int) -> Fraction:
    """The largest |P^t(x,y)/pi(y) - 1|."""
    law = law_of(rows)
    return max(abs(entry / law[y] - 1) for row in power(rows, steps) for y, entry in enumerate(row))


def rational(rows: Matrix) -> bool:
    """Whether all eigenvalues are rational, so that lam < 1 means one thing."""
    return all(factor.degree() == 1 for factor, _ in characteristic(rows).factor()[1])


def exceeds(rows: Matrix, steps: int, signed: bool = False) -> bool:
    """Whether |P^t(x,y)/pi(y) - 1| > exp(-t g)/pi_min for some x, y, decided exactly, g as in
    `above_decay`.
    """
    return above_decay(deviation(rows, steps) * min(law_of(rows)), rows, steps, signed)


def above_decay(value: Fraction, rows: Matrix, steps: int, signed: bool = False) -> bool:
    """Whether a rational exceeds exp(-t g), decided exactly.

    g = 1 - |lam| for the eigenvalue other than 1 of largest absolute value; g = 1 - lam if
    `signed`, eigenvalues being rational then. A rational in (0, 1] is never exp(-t g) for an
    algebraic g > 0, so that enclosures tell.
    """
    from flint import arb, ctx, fmpq

    if value > 1 or value <= 0:
        return value > 1
    for bits in _BITS:
        with ctx.workprec(bits):
            exact = fmpq(*_signed_gap(rows).as_integer_ratio()) if signed else None
            gap = _gap(rows, bits) if exact is None else arb(exact)
            right = (-gap * steps).exp()
            left = arb(fmpq(value.numerator, value.denominator))
            if left > right:
                return True
            if left < right:
                return False
    raise SolverError("expected two different numbers")


@lru_cache(maxsize=256)
def _gap(rows: Matrix, bits: int) -> "arb":
    """1 minus the largest absolute value of an eigenvalue, one eigenvalue 1 left out, enclosed in
    the precision of so many bits, which is set.
    """
    from flint import arb, fmpz_poly

    quotient, rest = divmod(characteristic(rows), fmpz_poly([-1, 1]))
    if rest:
        raise SolverError("expected the eigenvalue 1")
    sizes = [abs(root) for root, _ in quotient.complex_roots()]
    largest = arb(0)
    for size in sizes:
        largest = largest.max(size)
    return 1 - largest


def _signed_gap(rows: Matrix) -> Fraction:
    others = [value for value, _ in eigenvalues(rows) if value != 1]
    return 1 - max(others, key=abs)
