"""Whether a list has every extreme ray of a cone, as another program says: each is extreme, and so
is every one that shares a face of dimension two with one that is listed.

In a section of the cone, a polytope, rays are vertices and such faces edges. The graph of a
polytope is connected, so that a list with a vertex and all neighbours of all that it has is whole.
The edges at a ray are the extreme rays of the rows that are tight there: those are enumerated.

Source: Balinski, "On the graph structure of convex polyhedra in n-space", 1961.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any

from pufferproof.lp.cones.columns import Cone, Vector, coprime, dot

Enumerated = Callable[[Cone], Iterable[Vector]]


def is_complete(cone: Cone, rays: Collection[Vector], enumerated: Enumerated) -> bool:
    """Whether a list, which is not empty, has all extreme rays, once each, as coprime vectors.

    `enumerated` lists the extreme rays of smaller cones, and may raise to stop.
    """
    listed = set(rays)
    if len(listed) < len(rays):
        return False
    for ray in rays:
        if len(ray) != cone.dimension or not any(ray) or coprime(ray) != ray:
            return False
        if not cone.holds(ray):
            return False
        near = _neighbours(cone, ray, enumerated)
        if near is None or not listed.issuperset(near):
            return False
    return bool(listed)


def _neighbours(cone: Cone, ray: Vector, enumerated: Enumerated) -> list[Vector] | None:
    """Return the rays that share an edge with one in the cone, None unless it is extreme."""
    rows = [*_units(cone.dimension), *cone.inequalities]
    slack = [int(dot(row, ray)) for row in rows]
    beyond = [(row, left) for row, left in zip(rows, slack) if left]
    place = next(k for k, entry in enumerate(ray) if entry)  # the ray itself is divided out there
    around = [row[:place] + row[place + 1 :] for row in cone.equations]
    around += [row[:place] + row[place + 1 :] for row, left in zip(rows, slack) if not left]
    edges = _edges(around, len(cone.equations), cone.dimension - 1, enumerated)
    if edges is None:
        return None
    return [_end(ray, (*along[:place], 0, *along[place:]), beyond) for along in edges]


def _edges(
    rows: Sequence[Vector], equal: int, size: int, enumerated: Enumerated
) -> list[Vector] | None:
    """Return the extreme rays of a cone in all of space, whose first rows are equations, or None if
    it has a line.
    """
    from flint import fmpz_mat

    chosen = _independent(rows)
    if len(chosen) < size:
        return None
    free = [k for k, row in enumerate(chosen) if row >= equal]
    if not free:
        return []
    inverse: Any = fmpz_mat([list(rows[k]) for k in chosen]).inv()
    above, below = inverse.numer_denom()
    sign = 1 if below > 0 else -1
    table = [[sign * int(entry) for entry in row] for row in above.tolist()]
    moves = [coprime([row[k] for row in table]) for k in free]  # away from one row each
    others = [row for k, row in enumerate(rows) if k >= equal and k not in chosen]
    small = Cone(
        len(free), tuple(coprime([int(dot(row, move)) for move in moves]) for row in others)
    )
    return [
        tuple(sum(y * move[k] for y, move in zip(found, moves) if y) for k in range(size))
        for found in _listed(small, enumerated)
    ]


def _listed(cone: Cone, enumerated: Enumerated) -> Iterable[Vector]:
    if not any(map(any, cone.inequalities)):
        return _units(cone.dimension)
    return enumerated(cone)


def _end(ray: Vector, along: Vector, beyond: Sequence[tuple[Vector, int]]) -> Vector:
    """Return the ray at the other end of an edge, where a row becomes tight that was not."""
    most, of = min(((int(dot(row, along)), left) for row, left in beyond), key=_ratio)
    return coprime([of * move - most * entry for move, entry in zip(along, ray)])


def _ratio(change: tuple[int, int]) -> Fraction:
    return Fraction(*change)


def _units(size: int) -> list[Vector]:
    return [tuple(int(k == place) for k in range(size)) for place in range(size)]


def _independent(rows: Sequence[Vector]) -> list[int]:
    """Return the first rows that span all."""
    from flint import fmpz_mat

    if not rows or not rows[0]:
        return []
    reduced, _, rank = fmpz_mat([[row[k] for row in rows] for k in range(len(rows[0]))]).rref()
    lines = reduced.tolist()[:rank]
    return [next(k for k, entry in enumerate(line) if entry) for line in lines]
