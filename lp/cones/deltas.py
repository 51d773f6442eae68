"""The largest delta, at a level log(E), of several releases within budgets: exactly, where extreme
rays and mixtures of them are few.

Columns are multiples alpha_r r of extreme rays with sum_r alpha_r r = 1. The delta of independent
releases is linear in each alpha, so that vertices of this polytope decide; of adaptive ones

    V_k(c) = max over vertices alpha of  sum_r alpha_r V_(k-1)(c o r),
    V_0(c) = max(0, <mu, c> - E <nu, c>),

and V_K(1) is what K releases reach, each chosen by the outputs before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, prod

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector
from pufferproof.lp.cones.rays import extreme_rays
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.numbers.text import brief

RESTS_ON = ("worst.delta-refinement", "worst.delta-programs", "worst.rays-span")
_MOST_HELD = 20_000  # vertices, or rays on the way to them
_MOST_RELEASES = 64
_MOST_TUPLES = 200_000  # of vertices of releases but the last, or of rays
Parts = Sequence[tuple[Fraction, Vector]]  # the columns of a mechanism: factors and extreme rays
Mixtures = Sequence[Sequence[tuple[int, Vector]]]  # the vertices of what one release may be, whole


def largest_delta(columns: Columns, ratios: Sequence[Fraction], level: Fraction, adaptive: bool = False) -> Fraction:
    """Return the largest delta of releases, each within its own budget alone.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/8", "b": "3/8", "c": "1/4", "d": "1/4"})
    >>> secrets = {"s": ["a", "b"], "t": ["c", "d"]}
    >>> columns = Columns(Framework("abcd", secrets, "disjoint", {"theta": theta}))
    >>> twice, one = [Fraction(1)] * 2, Fraction(1)
    >>> largest_delta(columns, twice, one), largest_delta(columns, twice, one, adaptive=True)
    (Fraction(2, 3), Fraction(3, 4))

    Args:
        ratios: e to the budget of every release, at least 1, in the order in which they are made.
        level: E, e to the level at which delta is taken, at least 1.
        adaptive: whether a release may be chosen by the outputs of those before it.

    Raises `ModelError` as `Columns.cone`, unless there is a release and E is at least 1, and
    `TooLargeError` where vertices or tuples of them are too many.
    """
    if not ratios or level < 1:
        raise ModelError(f"expected a release, and e^level at least 1, found {brief(level)}", "delta")
    if len(ratios) > _MOST_RELEASES:
        asked = f"{len(ratios)} releases"
        raise TooLargeError(f"{asked}, of which delta is computed for at most {_MOST_RELEASES}")
    vertices = {ratio: _whole([*mixtures_of(extreme_rays(columns.cone(ratio), limit=_MOST_HELD))])
            for ratio in ratios}  # fmt: skip
    releases = [vertices[ratio][1] for ratio in ratios]
    ways = prod(len(_rays_of(release)) for release in releases) if adaptive else _tuples(releases)
    if ways > _MOST_TUPLES:
        raise TooLargeError(f"{ways} tuples of columns, compared for at most {_MOST_TUPLES:,}")
    unit = prod(vertices[ratio][0] for ratio in ratios)
    return max(_of_laws(laws, level, releases, unit, adaptive) for laws in columns.laws)


def _whole(mixtures: Sequence[Parts]) -> tuple[int, Mixtures]:
    """Return a common denominator of factors, and mixtures with their factors times that."""
    unit = lcm(*(factor.denominator for parts in mixtures for factor, _ in parts))
    return unit, [[(int(factor * unit), ray) for factor, ray in parts] for parts in mixtures]


def _of_laws(laws: OrderedLaws, level: Fraction, releases: Sequence[Mixtures], unit: int, adaptive: bool) -> Fraction:
    """Return the largest delta for one order of laws, computed in integers: columns c as the
    products of c and the weights of <mu, c> - E <nu, c>, over a common denominator.
    """
    above, below = laws.nu_total * level.denominator, laws.mu_total * level.numerator
    weights = tuple(m * above - n * below for m, n in zip(laws.mu, laws.nu))
    one = laws.mu_total * above * unit
    delta = _adaptive(releases, weights) if adaptive else _independent(releases, [weights], one)
    return Fraction(delta, one)


def _tuples(releases: Sequence[Mixtures]) -> int:
    """Return how many columns the joint releases at vertices have, but for the last release."""
    return prod(sum(map(len, mixtures)) for mixtures in releases[:-1])


def mixtures_of(rays: Sequence[Vector]) -> Iterator[Parts]:
    """Yield the vertices of {alpha >= 0 : sum_r alpha_r r = 1}, with rays of positive alpha alone.

    They are the extreme rays of the cone {(alpha, t) >= 0 : sum_r alpha_r r = t 1}, where t = 1.

    >>> [[(str(factor), ray) for factor, ray in each] for each in mixtures_of([(1, 0), (1, 2)])]
    [[('1/2', (1, 0)), ('1/2', (1, 2))]]
    """
    equations = tuple((*entries, -1) for entries in zip(*rays))
    for *alpha, t in extreme_rays(Cone(len(rays) + 1, (), equations), limit=_MOST_HELD):
        yield [(Fraction(factor, t), ray) for factor, ray in zip(alpha, rays) if factor]


def _gain(column: Vector) -> int:
    """Return V_0 of a column."""
    return max(0, sum(column))


def _independent(releases: Sequence[Mixtures], columns: Sequence[Vector], one: int) -> int:
    """Return the largest delta of independent releases beside those of `columns`."""
    mixtures, *others = releases
    if not others:
        values = {ray: sum(_gain(_times(column, ray)) for column in columns) for ray in _rays_of(mixtures)}
        return _largest(mixtures, values)
    best = 0
    for place, parts in enumerate(mixtures):
        later, both = [*_later(others, mixtures, place)], [*_beside(columns, parts)]
        best = max(best, _independent(later, both, one))
        if best == one:  # no delta is larger
            break
    return best


def _later(others: Sequence[Mixtures], mixtures: Mixtures, place: int) -> Iterator[Mixtures]:
    """Yield the vertices of later releases; equal budgets count in no order."""
    rest = mixtures[place:]
    yield from (rest if other is mixtures else other for other in others)


def _adaptive(releases: Sequence[Mixtures], column: Vector) -> int:
    """Return V of the releases that are left, at a column."""
    if not releases:
        return _gain(column)
    mixtures, *others = releases
    values = {ray: _adaptive(others, _times(column, ray)) for ray in _rays_of(mixtures)}
    return _largest(mixtures, values)


def _rays_of(mixtures: Mixtures) -> set[Vector]:
    return {ray for parts in mixtures for _, ray in parts}


def _largest(mixtures: Mixtures, values: Mapping[Vector, int]) -> int:
    """Return the largest sum_r alpha_r V(r) over vertices alpha."""
    return max(sum(factor * values[ray] for factor, ray in parts) for parts in mixtures)


def _times(column: Vector, ray: Vector) -> Vector:
    return tuple(c * r for c, r in zip(column, ray))


def _beside(columns: Sequence[Vector], parts: Sequence[tuple[int, Vector]]) -> Iterator[Vector]:
    """Yield the columns of a joint release with one mechanism more."""
    for column in columns:
        for factor, ray in parts:
            yield tuple(factor * entry for entry in _times(column, ray))
