"""Extreme directions of a convex cone in R^k spanned by vectors of non-negative integers: what the
others are mixtures of.

The two outermost slopes for k = 2, the corners of a polygon for k = 3, for k > 3 what no exact
combination of others gives. Leaving out a mixture changes no largest ratio of two coordinates,
whatever positive map follows. Floats propose, exact integers decide. Where vectors are rounded,
directions that nearly agree may be merged, and the error is counted.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from pufferproof.models.errors import ModelError, extras
from pufferproof.models.numbers.proportions import Rounding, Vector, are_numbers, proposing

RESTS_ON = ("lemma.mediant",)
MAX_DIRECTIONS = 500  # extreme directions of a cone, of three values or more
TOLERANCES = (42, 34, 26, 18)  # bits that are kept where there are too many directions, one after the other
_MAX_EXACT = 200  # the same as the first, while integers are exact
_DIRECTIONS = 200

Link = Any  # (symbol of this record, link of those beyond) or None
Ray = tuple[Vector, Link]


class TooManyDirectionsError(ModelError):
    """A cone has more extreme directions than are followed."""


def extreme_directions(rays: list[Ray], size: int, rounding: Rounding) -> list[Ray]:
    """Return the extreme directions of a cone, and none that merely repeats another."""
    if size == 1 or len(rays) <= 1:
        return rays[:1]
    if size == 2:
        return _outermost(rays)
    if rounding.tolerance is not None:
        rays = list(_merged(rays, rounding.tolerance))
    if len(rays) > 2 * size:
        coarse = rounding.tolerance if rounding.tolerance in TOLERANCES else None
        rays = _corners(rays) if size == 3 else _irreducible(rays, size, coarse)
    if len(rays) > (_MAX_EXACT if rounding.keep is None else MAX_DIRECTIONS):
        raise TooManyDirectionsError(
            f"over {MAX_DIRECTIONS} extreme directions to follow along the sequence: "
            f"expected fewer outputs, or fewer than {size} values"
        )
    return rays


def _outermost(rays: list[Ray]) -> list[Ray]:
    high = low = rays[0]
    for ray in rays[1:]:
        (a, b), (c, d), (e, f) = ray[0], high[0], low[0]
        if a * d > b * c:
            high = ray
        elif a * f < b * e:
            low = ray
    return [high] if high is low else [high, low]


def _merged(rays: list[Ray], bits: int) -> Iterator[Ray]:
    """Leave out directions equal to another one up to factors within 2^-(bits + 1) of 1."""
    groups: dict[tuple[int, ...], list[Vector]] = {}
    fineness = min(bits - 2, 40)
    for vector, link in rays:
        total = sum(vector)
        key = tuple((entry << fineness) // total for entry in vector)
        near = groups.setdefault(key, [])
        if not any(_alike(vector, other, bits) for other in near):
            near.append(vector)
            yield vector, link


def _alike(one: Vector, other: Vector, bits: int) -> bool:
    """Whether c other is one, up to factors within 2^-(bits + 1) of 1, for some c."""
    place = max(range(len(one)), key=one.__getitem__)
    a, b = one[place], other[place]
    return all(
        (entry == 0) == (twin == 0) and abs(entry * b - twin * a) << (bits + 1) <= entry * b
        for entry, twin in zip(one, other)
    )


def _corners(rays: list[Ray]) -> list[Ray]:
    """Return the corners of a convex polygon of points in homogeneous coordinates."""

    def compare(one: Ray, other: Ray) -> int:
        (a, b, c), (d, e, f) = one[0], other[0]
        total, second = a + b + c, d + e + f
        return (a * second > d * total) - (a * second < d * total) or (b * second > e * total) - (
            b * second < e * total
        )

    ordered = sorted(rays, key=cmp_to_key(compare))
    ordered = [ray for index, ray in enumerate(ordered) if not index or compare(ray, ordered[index - 1])]
    if len(ordered) < 3:
        return ordered
    return [*_turning_left(ordered)[:-1], *_turning_left(ordered[::-1])[:-1]]


def _turning_left(ordered: list[Ray]) -> list[Ray]:
    kept: list[Ray] = []
    for ray in ordered:
        while len(kept) > 1 and _turn(kept[-2][0], kept[-1][0], ray[0]) <= 0:
            kept.pop()
        kept.append(ray)
    return kept


def _turn(one: Vector, two: Vector, three: Vector) -> int:
    """Return the determinant of three vectors: positive for a turn to the left."""
    (a, b, c), (d, e, f), (g, h, i) = one, two, three
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _irreducible(rays: list[Ray], size: int, coarse: int | None) -> list[Ray]:
    """Leave out directions that are non-negative combinations of those kept, exactly or (`coarse`)
    to so many bits.

    Floats propose, exact arithmetic decides. Only what is kept counts, so that errors do not add up
    within a step.
    """
    import numpy as np

    with extras:
        from scipy.optimize import nnls

    columns = np.array([[entry / sum(vector) for entry in vector] for vector, _ in rays]).T
    kept = list(dict.fromkeys(_outlying(columns)))
    for index in range(len(rays)):
        if index in kept:
            continue
        found = proposing(nnls)(columns[:, kept], columns[:, index])
        if found is None:  # it came to no end
            kept.append(index)
            continue
        weights, distance = found
        chosen = [(kept[place], weights[place]) for place in np.argsort(-weights)[:size] if weights[place] > 0]
        vectors = [rays[other][0] for other, _ in chosen]
        if not distance <= 1e-6 or not are_numbers(weights):
            kept.append(index)
        elif coarse is None:
            if not _combines(vectors, rays[index][0]):
                kept.append(index)
        elif not _resembles(vectors, [weight for _, weight in chosen], rays[index][0], coarse):
            kept.append(index)
    return [rays[index] for index in sorted(kept)]


def _outlying(columns: Any) -> list[int]:
    """Return the points farthest out in some directions, most corners of the hull."""
    import numpy as np

    generator = np.random.default_rng(0)
    directions = generator.standard_normal((_DIRECTIONS, len(columns)))
    return [int(index) for index in (directions @ columns).argmax(axis=1)]


def _resembles(vectors: Sequence[Vector], weights: Sequence[float], target: Vector, bits: int) -> bool:
    """Whether the coordinates of a combination of vectors, each divided by its sum, are certainly
    those of the target.

    Up to factors within 2^-(bits + 1) of 1.
    """
    scaled = [Fraction(weight) * Fraction(sum(target), sum(vector)) for vector, weight in zip(vectors, weights)]
    for place, entry in enumerate(target):
        combined = sum((scale * vector[place] for scale, vector in zip(scaled, vectors)), Fraction(0))
        if abs(combined - entry) * (1 << (bits + 1)) > entry:
            return False
    return True


def _combines(vectors: Sequence[Vector], target: Vector) -> bool:
    """Whether a vector is a non-negative combination of independent ones, exactly."""
    from flint import fmpq_mat

    size, width = len(target), len(vectors)
    table = fmpq_mat(size, width + 1, [entry for row in zip(*vectors, target) for entry in row])
    reduced, rank = table.rref()
    if rank != width or any(reduced[i, i] != 1 for i in range(width)):
        return False
    return all(reduced[i, width] >= 0 for i in range(width))
