"""The last equality of the printed form of P^t as a program, for a D with rational roots."""

from collections.abc import Sequence

from pufferproof.claims.language.instances.laws import ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Matrix = list[list[F]]


def rooted(draws: Draws) -> Instance:
    """A matrix V of two or three rows with entries from -2 to 2, eigenvalues from -1 to 1, and the
    roots of pi, positive fractions.
    """
    size = 2 + draws.below(2)
    return {
        "V": [[F(draws.below(5) - 2) for _ in range(size)] for _ in range(size)],
        "eigenvalues": [F(draws.below(5) - 2, 2) for _ in range(size)],
        "roots": [F(1 + draws.below(4), 2) for _ in range(size)],
    }


def _diagonal(entries: Sequence[F]) -> Matrix:
    places = range(len(entries))
    return [[entry if x == y else ZERO for y in places] for x, entry in enumerate(entries)]


def _times(*matrices: Matrix) -> Matrix:
    first, *others = matrices
    for each in others:
        first = [
            [sum((p * q for p, q in zip(row, column)), ZERO) for column in zip(*each)]
            for row in first
        ]
    return first


def _equal(
    V: Matrix, eigenvalues: Sequence[F], roots: Sequence[F], D_last: bool = True, power: int = 1
) -> bool:
    """Whether [D^(-1/2) V] Lam [V^T D] D^(-1/2) is U Lam U^T D, U = D^(-1/2) V, or U Lam U^T."""
    lam = _diagonal([each**power for each in eigenvalues])
    D, root = _diagonal([each**2 for each in roots]), _diagonal([1 / each for each in roots])
    U = _times(root, V)
    printed = _times(U, _diagonal(eigenvalues), [list(row) for row in zip(*V)], D, root)
    right = _times(U, lam, [list(row) for row in zip(*U)])
    return printed == (_times(right, D) if D_last else right)


SAME_ENTRIES = Statement(
    family=rooted,
    holds=_equal,
    too_strong={"without D": {"D_last": False}, "Lam squared": {"power": 2}},
    always="an identity of products of any matrices",
)
