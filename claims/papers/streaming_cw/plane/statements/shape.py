"""The shape of a region: mixtures, tangents from below, and the lines that bound it."""

from collections.abc import Callable, Mapping, Sequence

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Pmf,
    Point,
    allowed,
    generating_points,
    hockey_stick,
    in_hull,
    slopes,
)
from pufferproof.claims.papers.streaming_cw.plane.statements.privacy import (
    is_private,
    matrices,
)

F = Fraction
ONE, ZERO = F(1), F(0)


def two_rows(draws: Draws, largest: int = 4) -> dict[str, Pmf]:
    """Draw rows P and Q of one to three outcomes, with zeros and ties, equal or disjoint at
    times.
    """
    size = 1 + draws.below(3)
    P = tuple(draws.law(size, largest))
    Q = P if draws.below(8) == 7 else tuple(draws.law(size, largest))
    return {"P": P, "Q": Q}


def _between(ends: Sequence[Point], t: F) -> Point:
    (a, b), (c, d) = ends
    return t * a + (1 - t) * c, t * b + (1 - t) * d


def half_planes(draws: Draws) -> Instance:
    """One to four points, a half-plane u a + v b >= c that mostly contains them and often touches
    one, and weights that sum to 1, at times below 0.
    """
    numbers = [F(each, 2) for each in (0, 1, 2, -1, -2, 3)]
    points = [(draws.among(numbers), draws.among(numbers)) for _ in range(1 + draws.below(4))]
    u, v = draws.among(numbers), draws.among(numbers)
    low = min(u * a + v * b for a, b in points)
    weights = draws.law(len(points))
    if draws.below(6) == 5:
        weights = [weights[0] + 1, *weights[1:-1], weights[-1] - 1][: len(points)]
        weights[0] += 1 - sum(weights)
    return {
        "points": points,
        "u": u,
        "v": v,
        "c": low + draws.among([F(0), F(0), F(-1), F(1, 2)]),
        "weights": weights,
    }


def _height(points: Sequence[tuple[F, F]], u: F, v: F, weights: Row) -> F:
    return sum((w * (u * a + v * b) for w, (a, b) in zip(weights, points)), F(0))


HALF_PLANE = "the half-plane contains the points"
WEIGHTS = "the weights are not negative"
MIXTURES = Statement(
    family=half_planes,
    given={
        HALF_PLANE: lambda points, u, v, c, weights: all(u * a + v * b >= c for a, b in points),
        WEIGHTS: lambda points, u, v, c, weights: min(weights) >= 0,
    },
    holds=lambda points, u, v, c, weights, not_on_its=False: (
        (_height(points, u, v, weights) >= c)
        and (not not_on_its or (_height(points, u, v, weights) > c))
    ),
    too_strong={"not on its line": {"not_on_its": True}},
    too_weak=[HALF_PLANE, WEIGHTS],
)


def tangents(draws: Draws) -> Instance:
    """Two rows P and Q of a mechanism, neighbours if it has any, and a line u a + v b = c that
    touches R(M,x,x') from below, with u, v of 1 to 4, at times u of -1 or v of 0; a line in eight
    is moved, down or up.
    """
    drawn = matrices(draws)
    M, pairs = drawn["M"], drawn["pairs"]
    i, j = draws.among(pairs) if pairs else (0, len(M) - 1)
    u, v = F(1 + draws.below(4)), F(1 + draws.below(4) if draws.below(8) else 0)
    u = u if draws.below(12) < 11 else F(-1)
    moved = F(0) if draws.below(8) else draws.among([F(1, 2), F(-1, 4)])
    low = min(u * a + v * b for a, b in generating_points(M[i], M[j]))
    return {"P": M[i], "Q": M[j], "u": u, "v": v, "c": low - moved}


def forms(u: F, v: F, c: F, least: F = ONE) -> list[tuple[F, F, bool]]:
    """Every R >= least and delta in [0, 1] with the line a + R b = 1 - delta (True) or R a + b =
    1 - delta (False) for u a + v b = c.
    """
    found = []
    for small, large, own in ((u, v, True), (v, u, False)):
        if small > 0:
            R, delta = large / small, 1 - c / small
            if R >= least and 0 <= delta <= 1:
                found.append((R, delta, own))
    return found


def _pairs_of(u: F, v: F, c: F, least: F = ONE) -> set[tuple[F, F]]:
    return {(R, delta) for R, delta, _ in forms(u, v, c, least)}


def _own_order(P: Pmf, Q: Pmf, u: F, v: F, c: F, less: F = ZERO) -> bool:
    """P(S) <= R Q(S) + delta if v >= u, and R a + b = 1 - delta bounds Q(S) by R P(S) + delta."""
    for R, delta, own in forms(u, v, c):
        first, second = (P, Q) if own else (Q, P)
        if not is_private([first, second], [(0, 1)], R, delta - less):
            return False
    return True


def one_pair_in_its_order(P: Pmf, Q: Pmf, u: F, v: F) -> bool:
    """Whether the line u a + v b = c from below, u, v > 0, is one pair (R, delta), and bounds
    these rows in its own order.
    """
    c = min(u * a + v * b for a, b in generating_points(P, Q))
    return len(_pairs_of(u, v, c)) == 1 and _own_order(P, Q, u, v, c)


POSITIVE = "u, v > 0"
TOUCHES = "it touches R(M,x,x') from below"
_FROM_BELOW: Mapping[str, Callable[..., bool]] = {
    POSITIVE: lambda u, v, **_: u > 0 and v > 0,
    TOUCHES: lambda P, Q, u, v, c, **_: c == min(u * a + v * b for a, b in generating_points(P, Q)),
}
BOUNDARY_LINE = Statement(
    family=tangents,
    given=_FROM_BELOW,
    holds=lambda u, v, c, one_pair_with=False, **_: (
        (len(_pairs_of(u, v, c)) == 1)
        and (not one_pair_with or (len(_pairs_of(u, v, c, F(1, 100))) == 1))
    ),
    too_strong={"one pair with R > 0": {"one_pair_with": True}},
    too_weak=[POSITIVE, TOUCHES],
)
OWN_ORDER = Statement(
    family=tangents,
    given=_FROM_BELOW,
    holds=lambda P, Q, u, v, c, less=ZERO, other_order=False, **_: _own_order(
        (Q if other_order else P), (P if other_order else Q), u, v, c, less=less
    ),
    too_strong={
        "the line moved up": {"less": F(1, 100)},
        "in the other order": {"other_order": True},
    },
    too_weak=[TOUCHES],
)
TANGENT_SHIFT = Statement(
    family=tangents,
    given={**_FROM_BELOW, "v >= u": lambda u, v, **_: v >= u},
    holds=lambda P, Q, u, v, c, delta=False, **_: (
        (_pairs_of(u, v, c) == {(v / u, hockey_stick(P, Q, v / u))} and _own_order(P, Q, u, v, c))
        and (not delta or ((v / u, hockey_stick(Q, P, v / u)) in _pairs_of(u, v, c)))
    ),
    too_strong={"delta = H_R(Q||P)": {"delta": True}},
    too_weak=[POSITIVE, "v >= u", TOUCHES],
)


def with_point(draws: Draws) -> Instance:
    """Two rows and a point of the plane: on a grid around the unit square, a point of the region,
    or one of its corners or middles of edges moved a little.
    """
    pair = two_rows(draws)
    points = generating_points(pair["P"], pair["Q"])
    if draws.whether():
        return {**pair, "point": (F(draws.below(7) - 1, 4), F(draws.below(7) - 1, 4))}
    a, b = _between([draws.among(points), draws.among(points)], draws.among([F(1), F(1, 2)]))
    moved = [F(each, 50) for each in (0, 1, -1)]
    return {**pair, "point": (a + draws.among(moved), b + draws.among(moved))}


def f(P: Pmf, Q: Pmf, R: F) -> F:
    """Return the sum over all outcomes of min(P(y), R Q(y))."""
    return sum((min(p, R * q) for p, q in zip(P, Q)), F(0))


def _ratios(P: Pmf, Q: Pmf) -> set[F]:
    return {p / q for p, q in zip(P, Q) if p and q}


def lines_describe(P: Pmf, Q: Pmf, point: Point, least: F = ZERO, out: F = ZERO) -> bool:
    """Whether the region and the part of the unit square between its lines, R >= `least`, agree
    at a point; `out` moves the lower lines.
    """
    a, b = point
    between = all(
        f(P, Q, R) - out <= a + R * b <= 1 + R - f(P, Q, R) for R in _ratios(P, Q) if R >= least
    )
    square = 0 <= a <= 1 and 0 <= b <= 1
    return in_hull(point, generating_points(P, Q)) == (square and between)


def _inside_recipe(P: Pmf, Q: Pmf, point: Point, other: bool = True) -> bool:
    return all(
        allowed(each, R, max(delta, hockey_stick(Q, P, R)) if other else delta)
        for each in ([point] if in_hull(point, generating_points(P, Q)) else [])
        for R, delta in slopes(P, Q)
    )


LARGER_SHIFT = Statement(
    family=with_point,
    given={
        "the point is in R(M,x,x')": lambda P, Q, point: in_hull(point, generating_points(P, Q))
    },
    holds=_inside_recipe,
    too_strong={"delta_i the shift of one order": {"other": False}},
    always="it says no more than that the recipe contains what it is made of",
)
