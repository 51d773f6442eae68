"""Differential privacy against inequalities of sets and inclusion of regions, by listing sets."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from pufferproof.claims.language.instances.frameworks import rows
from pufferproof.claims.language.statements import Draws, Fraction, Statement
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Pmf,
    Point,
    allowed,
    events,
    generating_points,
    hockey_stick,
    mass,
)

F = Fraction
ONE = F(1)
Pair = tuple[int, int]
Matrix = Sequence[Pmf]
RATIOS = [F(1), F(2), F(3, 2), F(3)]
SHIFTS = [F(0), F(1, 4), F(1, 2), F(1)]


def matrices(draws: Draws) -> dict[str, Any]:
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


def _sides(M: Matrix, pairs: Sequence[Pair]) -> list[Point]:
    """The probabilities P(S) and Q(S') for these pairs and all sets S."""
    outcomes = range(len(M[0]))
    return [
        (mass(M[i], S), mass(M[j], [y for y in outcomes if y not in S]))
        for i, j in pairs
        for S in events(len(M[0]))
    ]


def _equivalent(M: Matrix, pairs: Sequence[Pair], listed: Sequence[Pair], R: F, delta: F) -> bool:
    inside = all(p + R * q >= 1 - delta and R * p + q >= 1 - delta for p, q in _sides(M, listed))
    return is_private(M, both_orders(pairs), R, delta) == inside


def _first_alone(M: Matrix, pairs: Sequence[Pair], listed: Sequence[Pair], R: F, delta: F) -> bool:
    inside = all(p + R * q >= 1 - delta for p, q in _sides(M, listed))
    return is_private(M, both_orders(pairs), R, delta) == inside


def _second_alone(M: Matrix, pairs: Sequence[Pair], R: F, delta: F) -> bool:
    inside = all(R * p + q >= 1 - delta for p, q in _sides(M, pairs))
    return is_private(M, both_orders(pairs), R, delta) == inside


UNORDERED = Statement(
    family=matrices,
    holds=lambda M, pairs, R, delta: _equivalent(M, pairs, pairs, R, delta),
    too_strong={
        "the second inequality dropped": lambda M, pairs, R, delta: _first_alone(
            M, pairs, pairs, R, delta
        ),
        "the first inequality dropped": lambda M, pairs, R, delta: _second_alone(
            M, pairs, R, delta
        ),
    },
)
ORDERED = Statement(
    family=matrices,
    holds=lambda M, pairs, R, delta: _equivalent(M, pairs, both_orders(pairs), R, delta),
    too_strong={
        "one inequality in one order": lambda M, pairs, R, delta: _first_alone(
            M, pairs, pairs, R, delta
        ),
        "delta halved": lambda M, pairs, R, delta: (
            is_private(M, both_orders(pairs), R, delta)
            == all(p + R * q >= 1 - delta / 2 for p, q in _sides(M, both_orders(pairs)))
        ),
    },
)
ONE_INEQUALITY = Statement(
    family=matrices,
    holds=lambda M, pairs, R, delta: _first_alone(M, pairs, both_orders(pairs), R, delta),
    too_strong={
        "one order": lambda M, pairs, R, delta: _first_alone(M, pairs, pairs, R, delta),
    },
)


def mixed(draws: Draws) -> dict[str, Any]:
    """A mechanism, neighbours, R and delta as above, with three numbers that choose weights of
    mixtures; a region is tried at its generating points, and at mixtures of two of them.
    """
    return {**matrices(draws), "weight": F(draws.below(5), 4)}


def _regions(M: Matrix, pairs: Sequence[Pair], weight: F) -> list[list[Point]]:
    """Points of R(M,x,x') for every pair: generating points first, then mixtures of two."""
    regions = []
    for i, j in pairs:
        points = list(dict.fromkeys(generating_points(M[i], M[j])))
        regions.append([*points, *_mixtures(points, weight)])
    return regions


def _mixtures(points: Sequence[Point], weight: F) -> list[Point]:
    return [
        (weight * p + (1 - weight) * a, weight * q + (1 - weight) * b)
        for (p, q), (a, b) in combinations(points, 2)
    ]


def _included(points: Sequence[Point], R: F, delta: F, square: bool = False) -> bool:
    in_square = all(0 <= a <= 1 and 0 <= b <= 1 for a, b in points)
    return all(allowed(point, R, delta) for point in points) and (in_square or not square)


def _inclusion(instance: Any, hull: bool = False, square: bool = False, part: F = ONE) -> bool:
    M, pairs, R, delta = (instance[name] for name in ("M", "pairs", "R", "delta"))
    points = [each for region in _regions(M, pairs, instance["weight"]) for each in region]
    if hull:
        points += _mixtures(points[: 2 ** len(M[0])] + points[-2:], instance["weight"])
    inside = _included(points, R, part * delta, square)
    return is_private(M, both_orders(pairs), R, delta) == inside


def _theorem_2(**options: Any) -> Statement:
    return Statement(
        family=mixed,
        holds=lambda **instance: _inclusion(instance, **options),
        too_strong={
            "delta halved": lambda **instance: _inclusion(instance, part=F(1, 2), **options),
            "points (P(S), Q(S))": lambda M, pairs, R, delta, weight: (
                is_private(M, both_orders(pairs), R, delta)
                == _included([(a, 1 - b) for a, b in _sides(M, pairs)], R, delta)
            ),
        },
    )


THEOREM_2 = _theorem_2()
THEOREM_2_OF_THE_HULL = _theorem_2(hull=True)
THEOREM_2_IN_THE_SQUARE = _theorem_2(square=True)
