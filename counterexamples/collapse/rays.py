"""Collapse by extreme rays: whether rays of the cones share a support that meets supp mu and misses
supp nu.

A column that is positive at x and zero on Y is a sum of extreme rays, all zero on Y and one
positive at x: rays suffice. Per database x only their largest zero sets matter. The list of rays is
complete or the search is given up.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pufferproof.lp.cones.columns import Columns, Cone, Vector
from pufferproof.lp.cones.rays import MAX_RAYS, extreme_rays
from pufferproof.lp.cones.separation import CollapseNumber, Limit, Target, targets

RESTS_ON = ("worst.supports", "worst.rays-span")
ZeroSets = dict[frozenset[int], Vector]


def collapses_by_rays(
    columns: Columns, cones: Sequence[Cone], given: Mapping[str, Sequence[Fraction | int]] | None, limit: Limit
) -> CollapseNumber | None:
    """Return rays, one per cone, whose entrywise product leaks everything; None if that is proved
    impossible.

    Raises `TooManyRaysError` when there are too many rays or no time is left.
    """
    distinct = dict.fromkeys(cones)
    rays = {cone: extreme_rays(cone, limit=MAX_RAYS, seconds=limit.left) for cone in distinct}
    for target in targets(columns, given):
        limit.check()
        sets = {cone: _largest_zero_sets(vectors, target) for cone, vectors in rays.items()}
        cover = _cover(target.needed, [sets[cone] for cone in cones], [None] * len(cones))
        if cover is not None:
            return CollapseNumber(len(cones), cover, target)
    return None


def _largest_zero_sets(rays: Sequence[Vector], target: Target) -> ZeroSets:
    """Return the largest zero sets, among needed databases, of rays positive at the target's."""
    zero_sets = {frozenset(y for y in target.needed if not ray[y]): ray for ray in rays if ray[target.database]}
    return {zeros: ray for zeros, ray in zero_sets.items() if not any(zeros < other for other in zero_sets)}


def _cover(
    needed: frozenset[int], releases: Sequence[ZeroSets], chosen: Sequence[Vector | None]
) -> tuple[Vector, ...] | None:
    """Choose one set per release so that their union holds all that is needed."""
    if not all(releases):
        return None
    left = [y for y in needed if all(ray is None or ray[y] for ray in chosen)]
    if not left:
        return tuple(ray or next(iter(release.values())) for ray, release in zip(chosen, releases))
    free = [i for i, ray in enumerate(chosen) if ray is None]
    ways = [i for i in free if not any(releases[j] is releases[i] for j in free if j < i)]
    for i in ways:
        for zeros, ray in releases[i].items():
            if left[0] in zeros:
                cover = _cover(needed, releases, [ray if j == i else other for j, other in enumerate(chosen)])
                if cover is not None:
                    return cover
    return None
