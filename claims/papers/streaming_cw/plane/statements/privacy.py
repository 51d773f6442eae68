"""Differential privacy of small tables, by listing sets."""

from collections.abc import Sequence
from itertools import combinations

from pufferproof.claims.language.instances.frameworks import rows
from pufferproof.claims.language.statements import Draws, Fraction, Instance
from pufferproof.claims.papers.streaming_cw.plane.planar import Pmf, events, hockey_stick, mass

F = Fraction
Pair = tuple[int, int]
Matrix = Sequence[Pmf]
RATIOS = [F(1), F(2), F(3, 2), F(3)]
SHIFTS = [F(0), F(1, 4), F(1, 2), F(1)]


def matrices(draws: Draws) -> Instance:
    """A mechanism on one to three databases with up to three outcomes, rows with zeros and ties;
    pairs of neighbours, possibly none, each in one order; R of 1 to 3; delta the least shift of
    these pairs in both orders, or a number from 0 to 1.
    """
    size = 1 + draws.below(3)
    M = [tuple(row) for row in rows(draws, size, 1 + draws.below(3))]
    unordered = draws.several(list(combinations(range(size), 2)))
    pairs = [(i, j) if draws.whether() else (j, i) for i, j in unordered]
    R = draws.among(RATIOS)
    least = max([F(0), *(hockey_stick(M[i], M[j], R) for i, j in both_orders(pairs))])
    return {"M": M, "pairs": pairs, "R": R, "delta": draws.among([least, least, *SHIFTS])}


def both_orders(pairs: Sequence[Pair]) -> list[Pair]:
    """List every pair in both orders."""
    return [*pairs, *((j, i) for i, j in pairs)]


def is_private(M: Matrix, pairs: Sequence[Pair], R: F, delta: F) -> bool:
    """Whether P(S) <= R Q(S) + delta for these ordered pairs of databases and all sets S."""
    return all(
        mass(M[i], S) <= R * mass(M[j], S) + delta for i, j in pairs for S in events(len(M[0]))
    )
