"""Privacy regions of two distributions, exactly: generating points, convex hulls, tangents and the
hockey stick.

P and Q are the rows of two databases over the same outcomes, all numbers are fractions. A set S of
outcomes gives the point (P(S), Q(complement of S)); the region R(M,x,x') is the convex hull of
these points. Everything is computed from the definitions by enumerating the 2^m sets, as slowly as
they are printed: what is derived for all sizes is derived elsewhere.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import lcm

from pufferproof.claims.language.statements import Fraction
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

ZERO = Fraction(0)
Pmf = tuple[Fraction, ...]
Point = tuple[Fraction, Fraction]
Rows = tuple[Pmf, Pmf]
Slopes = frozenset[tuple[Fraction, Fraction]]


@lru_cache(maxsize=8)
def events(size: int) -> tuple[tuple[int, ...], ...]:
    """List every set of outcomes as a tuple of indices, the empty set first."""
    return tuple(S for count in range(size + 1) for S in combinations(range(size), count))


def mass(row: Pmf, event: Iterable[int]) -> Fraction:
    """Return the probability of an event."""
    return sum([row[index] for index in event], ZERO)


def generating_points(p: Pmf, q: Pmf) -> list[Point]:
    """Return the points (P(S), Q(complement of S)), one per event S (Definition 1)."""
    return [(mass(p, event), 1 - mass(q, event)) for event in events(len(p))]


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the vertices of the convex hull, counter-clockwise from the leftmost; one or two
    points if it has no interior.

    >>> hull([(Fraction(0), Fraction(0)), (Fraction(1), Fraction(0)), (Fraction(2), Fraction(0))])
    [(Fraction(0, 1), Fraction(0, 1)), (Fraction(2, 1), Fraction(0, 1))]
    """
    ordered = sorted(set(points))
    if len(ordered) < 2:
        return ordered
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return lower[:-1] + upper[:-1]


def in_hull(point: Point, points: Iterable[Point]) -> bool:
    """Decide whether a point lies in the convex hull of finitely many points."""
    corners = hull(points)
    if len(corners) == 1:
        return point == corners[0]
    if len(corners) == 2:
        (a, b), (c, d) = corners
        between = min(a, c) <= point[0] <= max(a, c) and min(b, d) <= point[1] <= max(b, d)
        return _turn(corners[0], corners[1], point) == 0 and between
    return all(_turn(start, end, point) >= 0 for start, end in edges(corners))


def edges(corners: list[Point]) -> list[tuple[Point, Point]]:
    """Return the edges of a polygon, each from one vertex to the next; a segment has one."""
    closed = corners + corners[:1]
    return list(pairwise(closed))[: 1 if len(corners) == 2 else None]


def hockey_stick(p: Pmf, q: Pmf, ratio: Fraction) -> Fraction:
    """Return max over events S of P(S) - ratio Q(S), by enumerating the events."""
    sums = [ZERO]  # over all sets of the outcomes so far
    for a, b in zip(p, q):
        difference = a - ratio * b
        sums += [each + difference for each in sums]
    return max(sums)


def slopes(p: Pmf, q: Pmf) -> Slopes:
    """Return the printed recipe for the order (x, x'): every ratio P(y)/Q(y) that is finite and at
    least 1, with its shift.

    >>> sorted(slopes((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))))
    [(Fraction(3, 1), Fraction(0, 1))]
    """
    ratios = {above / below for above, below in zip(p, q) if below > 0 and above >= below}
    return frozenset((ratio, hockey_stick(p, q, ratio)) for ratio in ratios)


def allowed(point: Point, ratio: Fraction, shift: Fraction) -> bool:
    """Decide whether a point lies in R(epsilon, delta), in the plane."""
    a, b = point
    return a + ratio * b >= 1 - shift and ratio * a + b >= 1 - shift


def differentially_private(p: Pmf, q: Pmf, ratio: Fraction, shift: Fraction) -> bool:
    """Decide P(S) <= ratio Q(S) + delta for every event S, in the order (x, x') only."""
    return hockey_stick(p, q, ratio) <= shift


def gap(regions: list[list[Point]], start: Point, end: Point) -> Fraction | None:
    """Return None if a segment lies in a union of regions (given by vertices), else the
    parameter of a point outside.
    """
    spans = sorted(span for corners in regions if (span := _span(corners, start, end)) is not None)
    reached = Fraction(0)
    for low, high in spans:
        if low > reached:
            return (reached + low) / 2
        reached = max(reached, high)
    return None if reached >= 1 else (reached + 1) / 2


def distributions(outcomes: int, denominator: int) -> list[Pmf]:
    """Return all distributions whose entries are multiples of 1/denominator, the first outcome
    likeliest first.
    """
    counts = product(range(denominator, -1, -1), repeat=outcomes)
    return [
        tuple(Fraction(k, denominator) for k in row) for row in counts if sum(row) == denominator
    ]


def two_rows(outcomes: int, denominator: int) -> Iterator[Rows]:
    """Yield all pairs (P, Q): fewest outcomes first, then the smallest common denominator of
    all entries.
    """
    for size, scale in product(range(1, outcomes + 1), range(1, denominator + 1)):
        for p, q in product(distributions(size, scale), repeat=2):
            if lcm(*(value.denominator for value in p + q)) == scale:
                yield p, q


def level(ratio: Fraction) -> str:
    """Return epsilon = log R as an audit reads it; rows that break (epsilon, delta) break (epsilon,
    0), which it decides.

    >>> level(Fraction(3, 2))
    'log(3/2)'
    """
    return f"log({ratio})"


def listed(row: Iterable[Fraction]) -> str:
    """Write the entries of a row or a point in a sentence.

    >>> listed((Fraction(1, 2), Fraction(1, 2)))
    '1/2, 1/2'
    """
    return ", ".join(map(str, row))


def as_evidence(rows: Rows, **values: object) -> dict[str, object]:
    """Return two rows as a framework and mechanism that an audit can read, with further exact
    values.
    """
    outputs = [f"y{index + 1}" for index in range(len(rows[0]))]
    table = {name: dict(zip(outputs, row)) for name, row in zip(("x", "x'"), rows)}
    secrets = {"at x": ["x"], "at x'": ["x'"]}
    prior = Table({"x": Fraction(1, 2), "x'": Fraction(1, 2)})
    framework = Framework(["x", "x'"], secrets, [("at x", "at x'")], {"uniform": prior})
    return {
        "P": rows[0],
        "Q": rows[1],
        **values,
        "framework": framework,
        "mechanism": Channel.of(table, outputs),
    }


def _chain(ordered: list[Point]) -> list[Point]:
    corners: list[Point] = []
    for point in ordered:
        while len(corners) > 1 and _turn(corners[-2], corners[-1], point) <= 0:
            corners.pop()
        corners.append(point)
    return corners


def _turn(first: Point, second: Point, third: Point) -> Fraction:
    """Return twice the signed area of a triangle: positive for a turn to the left."""
    return (second[0] - first[0]) * (third[1] - first[1]) - (second[1] - first[1]) * (
        third[0] - first[0]
    )


def _span(corners: list[Point], start: Point, end: Point) -> tuple[Fraction, Fraction] | None:
    """Return the parameters of a segment in the unit square at which it lies in a region, or None
    if it never does.

    A region without interior is the diagonal of the square: there the line through its vertices
    bounds it on both sides.
    """
    low, high = Fraction(0), Fraction(1)
    for here, there in zip(corners, corners[1:] + corners[:1]):
        at_start, at_end = _turn(here, there, start), _turn(here, there, end)
        if at_start < 0 and at_end < 0:
            return None
        if at_start < 0:
            low = max(low, at_start / (at_start - at_end))
        elif at_end < 0:
            high = min(high, at_start / (at_start - at_end))
    return (low, high) if low <= high else None
