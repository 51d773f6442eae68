"""Slopes, shifts and the region of two rows: Slopes.v, Zonotopes.v and Intersections.v."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, Law, Rows
from pufferproof.claims.vocabulary.entries.streams.regions import REGION, Sides, first, near
from pufferproof.claims.vocabulary.terms import entry

Point = tuple[Fraction, Fraction]
Listed = list[tuple[Fraction, Fraction]]
ONE = Fraction(1)


def largest(P: Law, Q: Law, ratio: Fraction) -> Fraction:
    """Return the largest of P(S) - ratio Q(S) over all sets S of outputs."""
    return max(a - b for a, b in near(ratio, ZERO, P, Q))


def lowest(P: Law, Q: Law, ratio: Fraction) -> Fraction:
    """Return the least of a + ratio b over all points (a, b) of the region."""
    return min(height for _, height in first(ratio, ZERO, P, Q))


def listed(P: Law, Q: Law) -> Listed:
    """Return the finite slopes of at least 1 with their shifts, in the order (P, Q)."""
    ratios = dict.fromkeys(p / q for p, q in zip(P, Q) if q > 0 and p >= q)
    return [(ratio, largest(P, Q, ratio)) for ratio in ratios]


def generating(P: Law, Q: Law) -> list[Point]:
    """Return the points (P(S), Q(S')) of all sets S of outputs."""
    found = [(ZERO, ZERO)]
    for p, q in zip(P, Q):
        found = [*((a + p, b) for a, b in found), *((a, b + q) for a, b in found)]
    return list(dict.fromkeys(found))


def _normals(edges: Sequence[Point]) -> Iterator[Point]:
    """Yield directions along and across edges, and both axes: they tell a polygon from what is
    outside, also if it is a segment or a point.
    """
    yield from ((ONE, ZERO), (ZERO, ONE))
    for a, b in edges:
        yield from ((a, b), (b, -a))


def in_region(P: Law, Q: Law, a: Fraction, b: Fraction) -> bool:
    """Whether a point lies in the convex hull of the generating points."""
    points = generating(P, Q)
    edges = [(c - e, d - f) for (c, d), (e, f) in combinations(points, 2)]
    for u, v in _normals(edges):
        heights = [u * c + v * d for c, d in points]
        if not min(heights) <= u * a + v * b <= max(heights):
            return False
    return True


def _is_choice(P: Law, Q: Law, a: Fraction, b: Fraction) -> bool:
    """Whether (a, sum of Q - b) is a sum of t_y (P(y), Q(y)), each t_y from 0 to 1."""
    steps = list(zip(P, Q))
    for u, v in _normals(steps):
        parts = [u * p + v * q for p, q in steps]
        low, high = sum(min(ZERO, x) for x in parts), sum(max(ZERO, x) for x in parts)
        if not low <= u * a + v * (sum(Q, ZERO) - b) <= high:
            return False
    return True


def _between(M: Rows, x: int, y: int, a: Fraction, b: Fraction) -> Sides:
    for ratio, delta in listed(M[x], M[y]):
        yield 1 - delta, a + ratio * b
        yield a + ratio * b, ratio + delta


def _same(M: Rows, x: int, y: int, N: Rows, u: int, v: int) -> Iterator[bool]:
    one, other = listed(M[x], M[y]), listed(N[u], N[v])
    yield from (each in other for each in one)
    yield from (each in one for each in other)


def _most(M: Rows, x: int, y: int, ratio: Fraction) -> Sides:
    return ((p, ratio * q) for p, q in zip(M[x], M[y]) if q > 0)


def _shift(M: Rows, x: int, y: int, ratio: Fraction, delta: Fraction) -> Sides:
    yield largest(M[x], M[y], ratio), delta


def _printed(M: Rows, x: int, y: int, w: int, ratio: Fraction, delta: Fraction) -> Sides:
    size = len(M[0])
    yield largest([M[x][w]] * size, [M[y][w]] * size, ratio), delta


def _touches(M: Rows, x: int, y: int, ratio: Fraction, delta: Fraction) -> Sides:
    yield lowest(M[x], M[y], ratio), 1 - delta


def _square(a: Fraction, b: Fraction) -> Sides:
    for each in (a, b):
        yield from ((ZERO, each), (each, ONE))


TWO = (CHANNEL, "'D", "'D")
ROW_PAIR = "([0] [1]) ([0] [2])"
SLOPES = (
    "The slopes and shifts of M in the order (x, x') are the pairs (R, delta) with R >= 1, "
    "P(M(x) = y) = R P(M(x') = y) > 0 for some output y, and delta the largest of P(M(x) in S) - R "
    "P(M(x') in S) over all sets S of outputs."
)
LISTED_TEX = r"\mathcal{E}([0], [1], [2])"
SHIFT = entry(
    "shift",
    takes=(*TWO, "R", "R"),
    words="[4] is the largest of P([0]([1]) in S) - [3] P([0]([2]) in S) over all sets S of outputs",
    tex=r"[4] = \textstyle\max_S \{P_{[1]}(S) - [3]\, P_{[2]}(S)\}",
    coq=f"Slopes.shift [3] [4] {ROW_PAIR}",
    value=_shift,
    relation="=",
)
PRINTED_SHIFT = entry(
    "printed shift",
    takes=(*TWO, "'W", "R", "R"),
    words="[5] is the largest of sum_{y in S} P([0]([1]) = [3]) - [4] sum_{y in S} P([0]([2]) = [3]) "
    "over all sets S of outputs",
    tex=r"[5] = \textstyle\max_S \{\sum_{y \in S} P_{[1]}([3]) - [4] \sum_{y \in S} P_{[2]}([3])\}",
    coq=f"Slopes.shift_at [3] [4] [5] {ROW_PAIR}",
    value=_printed,
    relation="=",
)
TOUCHES = entry(
    "touches from below",
    takes=(*TWO, "R", "R"),
    words="the line a + [3] b = 1 - [4] touches R([0], [1], [2]) from below",
    tex=r"a + [3] b = 1 - [4] \text{ touches } R([0], [1], [2]) \text{ from below}",
    coq="Slopes.touches [0] [3] [4] [1] [2]",
    value=_touches,
    relation="=",
    meaning=f"{REGION} A line touches it from below if no point lies below the line, and one lies on it.",
)
MOST = entry(
    "ratios at most",
    takes=(*TWO, "R"),
    words="P([0]([1]) = y) <= [3] P([0]([2]) = y) for every output y with P([0]([2]) = y) > 0",
    tex=r"\forall y:\ P_{[2]}(y) > 0 \Rightarrow P_{[1]}(y) \le [3]\, P_{[2]}(y)",
    coq="forall w_, 0 < [0] [2] w_ -> [0] [1] w_ <= [3] * [0] [2] w_",
    value=_most,
    precedence=200,
    relation="<=",
)
LEFT = entry(
    "probability where another is 0",
    takes=TWO,
    gives="R",
    words="sum_{y: P([0]([2]) = y) = 0} P([0]([1]) = y)",
    tex=r"\textstyle\sum_{y : P_{[2]}(y) = 0} P_{[1]}(y)",
    coq="Σ w_, if Req_EM_T ([0] [2] w_) 0 then [0] [1] w_ else 0",
    value=lambda M, x, y: sum((p for p, q in zip(M[x], M[y]) if not q), ZERO),
    precedence=200,
)
MINIMA = entry(
    "sum of minima",
    takes=(*TWO, "R"),
    gives="R",
    words="sum_y min{P([0]([1]) = y), [3] P([0]([2]) = y)}",
    tex=r"\textstyle\sum_y \min\{P_{[1]}(y), [3]\, P_{[2]}(y)\}",
    coq="Σ w_, Rmin ([0] [1] w_) ([3] * [0] [2] w_)",
    value=lambda M, x, y, r: sum((min(p, r * q) for p, q in zip(M[x], M[y])), ZERO),
    precedence=200,
)
IN_REGION = entry(
    "point of a region",
    takes=(*TWO, "R", "R"),
    words="([3], [4]) lies in R([0], [1], [2])",
    tex="([3], [4]) \\in R([0], [1], [2])",
    coq="Regions.region [0] [1] [2] [3] [4]",
    value=lambda M, x, y, a, b: iter((in_region(M[x], M[y], a, b),)),
    relation="truth",
    meaning=REGION,
)
CHOICE = entry(
    "choice",
    takes=(*TWO, "R", "R"),
    words="[3] = sum_y alpha_y P([0]([1]) = y) and [4] = sum_y beta_y P([0]([2]) = y) for some alpha_y "
    "and beta_y from 0 to 1 with alpha_y + beta_y = 1 for every output y",
    tex=r"\exists \alpha, \beta \in [0, 1]^W:\ \alpha + \beta = \mathbf{1} \wedge "
    r"([3], [4]) = (P_{[1]} \cdot \alpha, P_{[2]} \cdot \beta)",
    coq=f"Zonotopes.choice {ROW_PAIR} [3] [4]",
    value=lambda M, x, y, a, b: iter((_is_choice(M[x], M[y], a, b),)),
    relation="truth",
)
IN_SQUARE = entry(
    "unit square",
    takes=("R", "R"),
    words="0 <= [0] <= 1 and 0 <= [1] <= 1",
    tex=r"0 \le [0] \le 1 \wedge 0 \le [1] \le 1",
    coq="Regions.square [0] [1]",
    value=_square,
    relation="<=",
)
BETWEEN = entry(
    "between lines",
    takes=(*TWO, "R", "R"),
    words="1 - delta <= [3] + R [4] <= R + delta for all slopes R with their shifts delta of [0] in "
    "the order ([1], [2])",
    tex=rf"\forall (R, \delta) \in {LISTED_TEX}:\ 1 - \delta \le [3] + R\, [4] \le R + \delta",
    coq=f"Intersections.between {ROW_PAIR} [3] [4]",
    value=_between,
    relation="<=",
    meaning=SLOPES,
)
SAME_LIST = entry(
    "same slopes and shifts",
    takes=(*TWO, "'E -> 'V -> R", "'E", "'E"),
    words="[0] in the order ([1], [2]) has the same slopes with their shifts as [3] in the order ([4], [5])",
    tex=rf"{LISTED_TEX} = \mathcal{{E}}([3], [4], [5])",
    coq=f"Intersections.same_list {ROW_PAIR} ([3] [4]) ([3] [5])",
    value=_same,
    relation="truth",
    meaning=SLOPES,
)
