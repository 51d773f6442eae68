"""Section 1.1: differential privacy as plane regions, their tangents, and the recipe of slopes and shifts.

P and Q are the rows of databases x and x', R = e^epsilon, and S a set of outcomes with complement S'. A set enters a proof
through p = P(S), 1 - p = P(S'), q and 1 - q, and a sum over outcomes through its partial sums, so that proofs hold for any
number of outcomes. f(R) = sum over y of min(P(y), R Q(y)) = 1 - H_R(P||Q), with H the hockey stick, is the lower boundary of
the region R(M,x,x') in direction (1, R). Source: "Composition Theorem for streaming CW-privacy", Section 1.1.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import sympy
from sympy import And, Eq, Equivalent, Implies, Max, Min, Or

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw.planar import (
    Pmf,
    Point,
    Rows,
    Slopes,
    allowed,
    as_evidence,
    differentially_private,
    distributions,
    gap,
    generating_points,
    hockey_stick,
    hull,
    in_hull,
    slopes,
    two_rows,
)
from pufferproof.verify.proof import Argument

ALL = "all finite sizes"
DROPPED: list[Any] = []

P, Q, R, DELTA = sympy.symbols("p q R delta", real=True)
A, B, C, T, U, V, W = sympy.symbols("a b c t u v w", real=True)
LEFT, FLOOR, TOTAL, WEIGHT, HEIGHT = sympy.symbols("left floor total weight height", real=True)
UNIT = [P >= 0, P <= 1, Q >= 0, Q <= 1]
LEVEL = [R >= 1, DELTA >= 0, DELTA <= 1]
BOTH_ORDERS = And(P <= R * Q + DELTA, Q <= R * P + DELTA, 1 - P <= R * (1 - Q) + DELTA, 1 - Q <= R * (1 - P) + DELTA)
ONE_ORDER = And(P <= R * Q + DELTA, 1 - P <= R * (1 - Q) + DELTA)


@claim(
    "streaming_cw.def-kernel",
    where="Section 1.1",
    statement="With finite sets X of databases and Y of outcomes, a mechanism is a Markov matrix with rows M(x).",
    kind="definition",
)
def def_kernel(check: Check) -> None:
    with check.reading("as printed") as argument:
        argument.definition("kernel", "A mechanism is an n x m matrix with non-negative entries whose rows sum to 1.")


@claim(
    "streaming_cw.thm1",
    where="Theorem 1",
    statement="M is (epsilon, delta)-differentially private iff for all neighbours x, x' and all sets S of outcomes "
    "P(S) + R Q(S') >= 1 - delta and R P(S) + Q(S') >= 1 - delta.",
    assumes=[
        "epsilon >= 0",
        "0 <= delta <= 1",
        "(epsilon, delta)-privacy bounds P(S) by R Q(S) + delta in both orders",
    ],
)
def thm1(check: Check) -> None:
    with check.reading("each unordered pair of neighbours once", ALL) as argument:
        prove_equivalent_to_privacy(argument)
    with check.reading("neighbours listed in both orders", ALL) as argument:
        prove_equivalent_to_privacy(argument, And(region(), region(P=Q, Q=P)))
    check.near_miss("the second inequality dropped", lambda a: prove_equivalent_to_privacy(a, first_inequality()))
    check.near_miss("the first inequality dropped", lambda a: prove_equivalent_to_privacy(a, second_inequality()))
    check.near_miss("delta halved in the region", lambda a: prove_equivalent_to_privacy(a, region(DELTA=DELTA / 2)))
    with check.reading("an equivalence for each single ordered pair") as argument:
        refute_single_order(argument)


def first_inequality() -> Any:
    """P(S) + R Q(S') >= 1 - delta, at a set and at its complement."""
    return And(P + R * (1 - Q) >= 1 - DELTA, 1 - P + R * Q >= 1 - DELTA)


def second_inequality() -> Any:
    """R P(S) + Q(S') >= 1 - delta, at a set and at its complement."""
    return And(R * P + 1 - Q >= 1 - DELTA, R * (1 - P) + Q >= 1 - DELTA)


def region(**swap: Any) -> Any:
    """Both printed inequalities at a set and at its complement, with symbols replaced by name."""
    names = {"P": P, "Q": Q, "DELTA": DELTA}
    replaced = {names[name]: value for name, value in swap.items()}
    return And(first_inequality(), second_inequality()).subs(replaced, simultaneous=True)


def prove_equivalent_to_privacy(argument: Argument, printed: Any = None) -> None:
    """Privacy in both orders at S and S' is the same as the printed inequalities at S and S'."""
    printed = region() if printed is None else printed
    domain = UNIT + LEVEL
    argument.inequality(
        "privacy gives the inequalities",
        "With P(S') = 1 - P(S): the bound on S' in the order (x, x') is the first inequality at S, and the bound on S in the "
        "order (x', x) is the second.",
        Implies(BOTH_ORDERS, printed),
        domain,
    )
    argument.inequality(
        "the inequalities give privacy",
        "As S runs through all sets so does S', and the inequalities at both bound P(S) by R Q(S) + delta and Q(S) by "
        "R P(S) + delta.",
        Implies(printed, BOTH_ORDERS),
        domain,
    )


def refute_single_order(argument: Argument) -> None:
    def holds(instance: tuple[Rows, Fraction, Fraction]) -> bool:
        (p, q), ratio, shift = instance
        inside = all(allowed(point, ratio, shift) for point in generating_points(p, q))
        return differentially_private(p, q, ratio, shift) == inside

    def family() -> Iterator[tuple[Rows, Fraction, Fraction]]:
        for rows in two_rows(2, 2):
            for ratio in (1, 2, 3):
                for shift in (0, Fraction(1, 2), 1):
                    yield rows, Fraction(ratio), Fraction(shift)

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first, R in {1, 2, 3}, delta in {0, 1/2, 1}.",
        family(),
        holds,
    )
    if found is not None:
        (p, q), ratio, shift = found
        argument.counterexample(
            "one order is not enough",
            "P(S) <= R Q(S) + delta holds for every S, yet the second inequality fails for some S.",
            as_evidence((p, q), R=ratio, delta=shift, shift_of_the_other_order=hockey_stick(q, p, ratio)),
            lambda: not holds(((p, q), ratio, shift)),
        )


@claim(
    "streaming_cw.x-one-inequality",
    where="beside Theorem 1",
    statement="With neighbours listed in both orders the first inequality of Theorem 1 alone is equivalent to "
    "(epsilon, delta)-differential privacy: the second is the first for the opposite order, at the complement.",
    kind="lemma",
)
def one_inequality(check: Check) -> None:
    twice = And(first_inequality(), first_inequality().subs({P: Q, Q: P}, simultaneous=True))
    with check.reading("both orders listed", ALL) as argument:
        prove_equivalent_to_privacy(argument, twice)
    check.near_miss("one order listed", lambda a: prove_equivalent_to_privacy(a, first_inequality()))


@claim(
    "streaming_cw.def-regions",
    where="Section 1.1 and Definition 1",
    statement="R(epsilon, delta) = {(a, b): a + R b >= 1 - delta, R a + b >= 1 - delta}. R(M,x,x') is the convex hull of the "
    "points (P(S), Q(S')) over all S. R(M) is the union of R(M,x,x') over neighbours x, x'.",
    kind="definition",
)
def def_regions(check: Check) -> None:
    for where in ("in the plane", "in the unit square"):
        with check.reading(where) as argument:
            argument.definition("regions", f"R(epsilon, delta) is taken {where}; the regions R(M,x,x') are hulls.")


@claim(
    "streaming_cw.zonotope-form",
    where="Section 1.1",
    statement="R(M,x,x') = {(P . alpha, Q . beta): 0 <= alpha_y, beta_y <= 1, alpha_y + beta_y = 1 for all outcomes y}.",
    kind="lemma",
)
def zonotope_form(check: Check) -> None:
    with check.reading("as printed", ALL) as argument:
        prove_zonotope(argument)
    check.near_miss("alpha + beta = 1 dropped", lambda a: prove_zonotope(a, complementary=False))


def prove_zonotope(argument: Argument, complementary: bool = True) -> None:
    """The generating points are the 0/1 choices of alpha; every other choice mixes two with one fractional entry less."""
    beta = 1 - T if complementary else W
    argument.definition(
        "a set is a choice", "alpha = indicator of S and beta = 1 - alpha give the point (P(S), Q(S'))."
    )
    prove_mixture_is_a_choice(argument)
    argument.inequality(
        "one fractional entry less",
        "An outcome with alpha_y = t in (0, 1): the point is t times the point with alpha_y = 1 plus 1 - t times the point "
        "with alpha_y = 0, all other entries kept.",
        And(Eq(A + P * T, T * (A + P) + (1 - T) * A), Eq(B + Q * beta, T * B + (1 - T) * (B + Q))),
        [P >= 0, Q >= 0, T > 0, T < 1, W >= 0, W <= 1],
    )
    argument.induction(
        "all choices lie in the hull",
        "By induction on the number of fractional entries: a half-plane u a + v b <= c that contains all generating points "
        "contains every choice",
        (U * A + V * B <= C, [U * A + V * B <= C]),
        (
            U * (A + P * T) + V * (B + Q * beta) <= C,
            [U * (A + P) + V * B <= C, U * A + V * (B + Q) <= C, T > 0, T < 1, P >= 0, Q >= 0, W >= 0, W <= 1],
        ),
    )


def prove_mixture_is_a_choice(argument: Argument, low: Any = 0) -> None:
    """The right-hand side of the zonotope form is convex: mixing two choices with weight t in [low, 1] is a choice."""
    first, second = sympy.symbols("alpha_first alpha_second", real=True)
    mixed = T * first + (1 - T) * second
    argument.inequality(
        "a mixture of choices is a choice",
        "t alpha + (1 - t) alpha' has entries in [0, 1] with complement t beta + (1 - t) beta', and both coordinates are "
        "linear in it: the set of all choices is convex.",
        And(mixed >= 0, mixed <= 1, Eq(1 - mixed, T * (1 - first) + (1 - T) * (1 - second))),
        [first >= 0, first <= 1, second >= 0, second <= 1, low <= T, T <= 1],
    )


@claim(
    "streaming_cw.regions-convex",
    where="Section 1, Figure 1, Assumption 2",
    statement="Differential privacy, CW-privacy and a mechanism M are characterised by convex regions.",
    kind="remark",
)
def regions_convex(check: Check) -> None:
    with check.reading("each R(M,x,x') is convex", ALL) as argument:
        prove_mixture_is_a_choice(argument)
        argument.cite("the same set", "These choices make up R(M,x,x').", "streaming_cw.zonotope-form")
    check.near_miss("weights below 0", lambda a: prove_mixture_is_a_choice(a, low=-1))
    with check.reading("R(M) is convex, neighbours in both orders") as argument:
        _refute_convex(argument, ((rows, [rows, rows[::-1]]) for rows in two_rows(2, 2)))
    with check.reading("R(M) is convex, each pair of neighbours in one order") as argument:
        _refute_convex(argument, (((p, q, r), [(p, q), (p, r)]) for p, q, r in _three_rows(2, 3)))


def _three_rows(outcomes: int, denominator: int) -> Iterator[tuple[Pmf, ...]]:
    """Yield the kernels of three databases, fewest outcomes first, then by a common denominator of all entries."""
    for size in range(1, outcomes + 1):
        for scale in range(1, denominator + 1):
            yield from product(distributions(size, scale), repeat=3)


def _refute_convex(argument: Argument, family: Iterator[tuple[Any, list[Rows]]]) -> None:
    found = argument.exhaust(
        "smallest failure",
        "Kernels, fewest outcomes and smallest denominators first, and their pairs of rows; every segment between vertices of "
        "the regions is clipped exactly.",
        family,
        lambda instance: _outside(instance[1]) is None,
    )
    witness = None if found is None else _outside(found[1])
    if found is None or witness is None:
        return
    start, end, between = witness

    def violated() -> bool:
        sets = [generating_points(*rows) for rows in found[1]]
        ends = all(any(point in points for points in sets) for point in (start, end))
        t = (between[0] - start[0]) / (end[0] - start[0]) if end[0] != start[0] else Fraction(1, 2)
        on_segment = 0 <= t <= 1 and between == tuple(s + t * (e - s) for s, e in zip(start, end))
        return ends and on_segment and not any(in_hull(between, points) for points in sets)

    argument.counterexample(
        "a segment leaves the union",
        "Both ends are generating points of R(M), a point between them lies in none of the regions R(M,x,x').",
        {"rows": found[0], "pairs": found[1], "ends": (start, end), "between": between},
        violated,
    )


def _outside(pairs: list[Rows]) -> tuple[Point, Point, Point] | None:
    """Return two vertices and a point between them outside the union of the regions of these pairs of rows."""
    regions = [hull(generating_points(*rows)) for rows in pairs]
    corners = [corner for region_ in regions for corner in region_]
    for start in corners:
        for end in corners:
            t = gap(regions, start, end)
            if t is not None:
                return start, end, (start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1]))
    return None


@claim(
    "streaming_cw.thm2",
    where="Theorem 2",
    statement="M is (epsilon, delta)-differentially private iff R(M) is contained in R(epsilon, delta).",
    assumes=["epsilon >= 0", "0 <= delta <= 1"],
)
def thm2(check: Check) -> None:
    with check.reading("R(M) as in Definition 1, the union", ALL) as argument:
        prove_inclusion_test(argument)
    with check.reading("the convex hull of R(M)", ALL) as argument:
        prove_inclusion_test(argument)
    with check.reading("R(epsilon, delta) in the unit square", ALL) as argument:
        prove_inclusion_test(argument)
        argument.inequality(
            "the square costs nothing",
            "Generating points lie in the unit square, and so do their mixtures: containment in the plane and in the square "
            "are the same.",
            And(P >= 0, P <= 1, 1 - Q >= 0, 1 - Q <= 1),
            UNIT,
        )
    check.near_miss("delta halved", lambda a: prove_equivalent_to_privacy(a, region(DELTA=DELTA / 2)))


def prove_inclusion_test(argument: Argument) -> None:
    """A half-plane contains a hull iff it contains the generating points, where it is Theorem 1."""
    argument.definition("generating points", "R(M) contains the points (P(S), Q(S')) of all pairs and sets.")
    cite_mixtures(argument)
    prove_equivalent_to_privacy(argument)


@claim(
    "streaming_cw.x-mixtures",
    where="beside Section 1.1",
    statement="A half-plane that contains finitely many points contains their convex hull.",
    kind="lemma",
)
def mixtures(check: Check) -> None:
    with check.reading("as stated", ALL) as argument:
        prove_half_plane_contains_mixtures(argument)
    check.near_miss("weights of any sign", lambda a: prove_half_plane_contains_mixtures(a, DROPPED))


def cite_mixtures(argument: Argument) -> None:
    """Use that generating points decide whether a half-plane contains a region."""
    argument.cite(
        "half-planes", "A half-plane with all generating points contains the region.", "streaming_cw.x-mixtures"
    )


def prove_half_plane_contains_mixtures(argument: Argument, signs: list[Any] | None = None) -> None:
    """A half-plane that contains finitely many points contains all their mixtures."""
    signs = [WEIGHT >= 0] if signs is None else signs
    argument.induction(
        "a half-plane contains the mixtures of its points",
        "The weighted sum of heights u a + v b >= c is at least c times the sum of weights; the weights sum to 1 in the end",
        (WEIGHT * HEIGHT >= WEIGHT * C, [HEIGHT >= C, *signs]),
        (TOTAL + WEIGHT * HEIGHT >= (W + WEIGHT) * C, [TOTAL >= W * C, HEIGHT >= C, *signs]),
    )


@claim(
    "streaming_cw.tangent-gives-pair",
    where="Figure 1 and the next sentence",
    statement="Every tangent line of the privacy region corresponds to a pair (epsilon, delta).",
    kind="remark",
    repair="streaming_cw.tangent-gives-pair-repaired",
)
def tangent_gives_pair(check: Check) -> None:
    with check.reading("any supporting line is a boundary line of some R(epsilon, delta)") as argument:
        _refute_tangents(argument, lambda rows: [(Fraction(1), Fraction(0))], touching=1)
    with check.reading("any line along an edge is a boundary line of some R(epsilon, delta)") as argument:
        _refute_tangents(argument, lambda rows: [(q, p) for p, q in zip(*rows) if p or q], touching=2)
    with check.reading("a line from below, u, v > 0, is a boundary line of one R(epsilon, delta)", ALL) as argument:
        argument.cite("one pair", "Exactly one pair.", "streaming_cw.tangent-gives-pair-repaired")
    with check.reading(
        "the same line, for one pair of rows, gives P(S) <= R Q(S) + delta in its own order", ALL
    ) as argument:
        prove_shift_is_hockey_stick(argument)
    check.near_miss("the line moved up", lambda a: prove_shift_is_hockey_stick(a, moved=Fraction(1, 100)))
    with check.reading("a line from below touching R(M,x,x') makes M (epsilon, delta)-private") as argument:
        _refute_tangent_privacy(argument)
    with check.reading("with negative epsilon, a line from below gives just one pair") as argument:
        _refute_unique_pair(argument)


def _refute_tangents(argument: Argument, normals: Callable[[Rows], list[Point]], touching: int) -> None:
    """A supporting line u a + v b = c is a boundary line of some R(epsilon, delta) only if u and v have one strict sign."""

    def bad(rows: Rows) -> Point | None:
        return next((normal for normal in normals(rows) if normal[0] * normal[1] <= 0), None)

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first; the tangents tried are u a + v b = c.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    normal = None if found is None else bad(found)
    if found is None or normal is None:
        return
    u, v = normal
    points = set(generating_points(*found))
    low = min(u * a + v * b for a, b in points)

    def violated() -> bool:
        tangent = (u != 0 or v != 0) and len([1 for a, b in points if u * a + v * b == low]) >= touching
        # The boundary lines a + R b = 1 - delta and R a + b = 1 - delta, R >= 1, have coefficients of one strict sign.
        return tangent and u * v == 0

    argument.counterexample(
        "an axis-parallel tangent",
        "The line u a + v b = c touches the region and has a coefficient 0; the boundary lines of R(epsilon, delta) have "
        "coefficients (1, R) or (R, 1) with R >= 1 finite, never 0.",
        as_evidence(found, u=u, v=v, c=low),
        violated,
    )


def prove_boundary_line(argument: Argument, ordered: list[Any] | None = None) -> None:
    """A supporting line u a + v b = c from below with u, v > 0 is a boundary line of exactly one R(epsilon, delta)."""
    other, moved, k = sympy.symbols("R_other delta_other k", real=True)
    cite_mixtures(argument)
    argument.inequality(
        "the height of the line",
        "c is the least height of a generating point: 0 <= c, and c <= u, c <= v because (1, 0) and (0, 1) are generating.",
        U * P + V * (1 - Q) >= 0,
        [*UNIT, U > 0, V > 0],
    )
    argument.case_split("which coefficient is larger", "v >= u or u >= v.", [V >= U, U >= V], [U > 0, V > 0])
    cases = [("v >= u", U, V, A + R * B), ("u >= v", V, U, R * A + B)]
    for name, small, large, left in cases:
        sizes = [large >= small] if ordered is None else ordered
        argument.inequality(
            f"the pair if {name}",
            "Divided by the smaller coefficient the line reads as printed, with R >= 1 and 0 <= delta <= 1.",
            And(R >= 1, DELTA >= 0, DELTA <= 1, Equivalent(Eq(U * A + V * B, C), Eq(left, 1 - DELTA))),
            [small > 0, *sizes, large > 0, C >= 0, small >= C, Eq(large, R * small), Eq(C, (1 - DELTA) * small)],
        )
    argument.inequality(
        "no second pair",
        "Two printed forms of one line have proportional coefficients, hence the same R and delta.",
        And(Eq(R, other), Eq(DELTA, moved)),
        [
            *([R >= 1, other >= 1] if ordered is None else [R > 0, other > 0]),
            Or(And(Eq(k, 1), Eq(R, k * other)), And(Eq(1, k * other), Eq(R, k))),
            Eq(1 - DELTA, k * (1 - moved)),
        ],
    )


def prove_shift_is_hockey_stick(argument: Argument, moved: Fraction = Fraction(0)) -> None:
    """The line a + R b = 1 - delta touches the region from below iff delta = H_R(P||Q)."""
    cite_mixtures(argument)
    argument.inequality(
        "heights are shifts",
        "The point of S lies on or above a + R b = 1 - delta iff P(S') <= R Q(S') + delta: the line lies below the region iff "
        "delta >= H_R(P||Q), and touches it iff delta = H_R(P||Q).",
        Equivalent(1 - DELTA + sympy.Rational(moved) <= P + R * (1 - Q), 1 - P <= R * (1 - Q) + DELTA),
        [*UNIT, *LEVEL],
    )


def _refute_tangent_privacy(argument: Argument) -> None:
    def failing(rows: Rows) -> Fraction | None:
        ratios = [Fraction(1), *sorted(above / below for above, below in zip(*rows) if below and above > below)]
        return next((r for r in ratios if hockey_stick(*rows, r) < hockey_stick(*rows[::-1], r)), None)

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first; R = 1 and all likelihood ratios above 1.",
        two_rows(2, 2),
        lambda rows: failing(rows) is None,
    )
    ratio = None if found is None else failing(found)
    if found is None or ratio is None:
        return
    shift = hockey_stick(*found, ratio)
    argument.counterexample(
        "the other order fails",
        "The line a + R b = 1 - delta touches R(M,x,x') from below, yet Q(S) > R P(S) + delta for some S.",
        as_evidence(found, R=ratio, delta=shift),
        lambda: (
            min(a + ratio * b for a, b in generating_points(*found)) == 1 - shift
            and differentially_private(*found, ratio, shift)
            and not differentially_private(*found[::-1], ratio, shift)
        ),
    )


def _refute_unique_pair(argument: Argument) -> None:
    rows: Rows = ((Fraction(1),), (Fraction(1),))
    ratio = Fraction(2)
    low = min(a + ratio * b for a, b in generating_points(*rows))
    argument.counterexample(
        "two pairs",
        "The line a + 2 b = 1 touches the region; it is a + R b = 1 - delta with (R, delta) = (2, 0) and R a + b = 1 - delta "
        "with (1/2, 1/2).",
        as_evidence(rows, first=(ratio, 1 - low), second=(1 / ratio, 1 - low / ratio)),
        lambda: low == 1 and (1 / ratio, Fraction(1), low / ratio) == tuple(x / ratio for x in (1, ratio, low)),
    )


@claim(
    "streaming_cw.tangent-gives-pair-repaired",
    where="Figure 1, repaired",
    statement="A supporting line u a + v b = c from below with u, v > 0 is a boundary line of R(epsilon, delta) for exactly "
    "one epsilon >= 0, delta in [0, 1]. If it touches R(M,x,x') with v >= u, then delta = H_R(P||Q), R = v/u, a guarantee in "
    "the order (x, x'); if it touches R(M), both orders listed, M is (epsilon, delta)-differentially private.",
    kind="remark",
)
def tangent_gives_pair_repaired(check: Check) -> None:
    with check.reading("a boundary line of exactly one region", ALL) as argument:
        prove_boundary_line(argument)
    with check.reading("one order", ALL) as argument:
        prove_shift_is_hockey_stick(argument)
    with check.reading("R(M), both orders: M is private", ALL) as argument:
        prove_mirror(argument)
    check.near_miss("u, v in any order of size", lambda a: prove_boundary_line(a, ordered=DROPPED))
    check.near_miss("the line moved up", lambda a: prove_shift_is_hockey_stick(a, moved=Fraction(1, 100)))
    check.near_miss("one order listed", lambda a: prove_mirror(a, listed=False))


def prove_mirror(argument: Argument, listed: bool = True) -> None:
    """With both orders listed R(M) is its own mirror image, so that one boundary line brings the other."""
    line, mirrored = P + R * (1 - Q) >= 1 - DELTA, (1 - Q) + R * P >= 1 - DELTA
    argument.inequality(
        "the mirror image",
        "The point of (x, x') at S, mirrored in a = b, is the point of (x', x) at S': it too lies above a + R b = 1 - delta.",
        And(P + R * (1 - Q) >= 1 - DELTA, R * P + (1 - Q) >= 1 - DELTA),
        [*UNIT, *LEVEL, line, *([mirrored] if listed else [])],
    )
    argument.cite("inclusion", "So R(M) lies in R(epsilon, delta).", "streaming_cw.thm2")


@claim(
    "streaming_cw.region-is-intersection",
    where="after Figure 1",
    statement="In general R(M,x,x') is the intersection of the regions R(epsilon_i, delta_i) of the recipe of slopes.",
    kind="lemma",
    repair="streaming_cw.region-is-intersection-repaired",
)
def region_is_intersection(check: Check) -> None:
    for where, corner in (("in the plane", Fraction(2)), ("inside the unit square", Fraction(1))):
        with check.reading(f"equality {where}, slopes in the order (x, x')") as argument:
            refute_no_larger(argument, (corner, corner))
    with check.reading("the region lies in the intersection, slopes in the order (x, x')") as argument:
        _refute_region_inside(argument, lambda rows: slopes(*rows))
    with check.reading("the region lies in the intersection, slopes of both orders joined") as argument:
        _refute_region_inside(argument, lambda rows: slopes(*rows) | slopes(*rows[::-1]))
    with check.reading("the intersection inside the unit square lies in the region") as argument:
        refute_no_larger(argument, (Fraction(1), Fraction(1)))
    with check.reading("the region lies in the intersection, delta_i the larger shift of both orders", ALL) as argument:
        _prove_larger_shift(argument)
    check.near_miss("delta_i the shift of one order", lambda a: _prove_larger_shift(a, both=False))


def refute_no_larger(argument: Argument, corner: Point) -> None:
    """No R(epsilon, delta) bounds from above, while a region does."""

    def equal_at(rows: Rows) -> bool:
        inside = all(allowed(corner, *pair) for pair in slopes(*rows))
        return inside == in_hull(corner, generating_points(*rows))

    found = argument.exhaust(
        "smallest failure", f"Two rows; does ({corner}, {corner}) tell the two sets apart?", two_rows(1, 1), equal_at
    )
    if found is not None:
        argument.counterexample(
            "a point too many",
            f"({corner}, {corner}) lies in every R(epsilon_i, delta_i), not in R(M,x,x').",
            as_evidence(found, slopes_and_shifts=tuple(sorted(slopes(*found))), point=corner),
            lambda: not equal_at(found) and bool(slopes(*found)),
        )


def _refute_region_inside(argument: Argument, recipe: Callable[[Rows], Slopes]) -> None:
    def bad(rows: Rows) -> tuple[Point, tuple[Fraction, Fraction]] | None:
        points = generating_points(*rows)
        pairs = sorted(recipe(rows))
        return next(((point, pair) for pair in pairs for point in points if not allowed(point, *pair)), None)

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    witness = None if found is None else bad(found)
    if found is not None and witness is not None:
        argument.counterexample(
            "a point cut off",
            "A generating point of R(M,x,x') violates the second inequality of R(epsilon_i, delta_i).",
            as_evidence(found, point=witness[0], R=witness[1][0], delta=witness[1][1]),
            lambda: bad(found) is not None,
        )


def _prove_larger_shift(argument: Argument, both: bool = True) -> None:
    """With delta_i at least the shift of both orders, every generating point is inside, and so is the hull."""
    shift = [P <= R * Q + DELTA, 1 - P <= R * (1 - Q) + DELTA]
    other = [Q <= R * P + DELTA, 1 - Q <= R * (1 - P) + DELTA]
    argument.inequality(
        "generating points",
        "The shifts of both orders are at most delta_i: both inequalities hold at every point (P(S), Q(S')).",
        region(),
        [*UNIT, *LEVEL, *shift, *(other if both else [])],
    )
    cite_mixtures(argument)


@claim(
    "streaming_cw.region-is-intersection-repaired",
    where="after Figure 1, repaired",
    statement="R(M,x,x') is the set of (a, b) in the unit square with f(R_i) <= a + R_i b <= 1 + R_i - f(R_i) for every "
    "positive finite likelihood ratio R_i = P(y)/Q(y). These lines are those of the recipe run in both orders, each used in "
    "its own order only, and their point reflections in (1/2, 1/2).",
    kind="lemma",
)
def region_is_intersection_repaired(check: Check) -> None:
    with check.reading("as repaired", ALL) as argument:
        prove_region_lies_between_lines(argument)
        prove_lines_bound_region(argument)
        prove_every_ratio_is_listed(argument)
    check.near_miss("lines moved out a little", lambda a: prove_lines_bound_region(a, tight=Fraction(99, 100)))
    check.near_miss("ratios below 1 left out", lambda a: prove_every_ratio_is_listed(a, orders=1))
    check.near_miss("lines moved in a little", lambda a: prove_region_lies_between_lines(a, tight=Fraction(101, 100)))


def prove_region_lies_between_lines(argument: Argument, tight: Fraction = Fraction(1)) -> None:
    """Every generating point, hence the hull, obeys f(R) <= a + R b <= 1 + R - f(R), for every R >= 0."""
    least, most = sympy.Rational(tight) * Min(P, R * Q), Max(P, R * Q)
    ceiling = sympy.Symbol("ceiling", real=True)
    terms = [P >= 0, Q >= 0, R >= 0]
    argument.induction(
        "generating points lie between the lines",
        "Outcome by outcome, P(S) + R Q(S') lies between the sums of min(P(y), R Q(y)) and max(P(y), R Q(y)), whether or not y "
        "is in S",
        (And(LEFT >= FLOOR, ceiling >= LEFT), [Eq(LEFT, 0), Eq(FLOOR, 0), Eq(ceiling, 0)]),
        (
            And(
                FLOOR + least <= LEFT + P,
                FLOOR + least <= LEFT + R * Q,
                ceiling + most >= LEFT + P,
                ceiling + most >= LEFT + R * Q,
            ),
            [FLOOR <= LEFT, ceiling >= LEFT, *terms],
        ),
    )
    argument.induction(
        "the upper line is the reflected lower line",
        "min + max = P(y) + R Q(y): the maxima sum to 1 + R - f(R), as P and Q sum to 1",
        (Eq(FLOOR + ceiling, A + R * B), [Eq(FLOOR, 0), Eq(ceiling, 0), Eq(A, 0), Eq(B, 0)]),
        (
            Eq(FLOOR + Min(P, R * Q) + ceiling + most, A + P + R * (B + Q)),
            [Eq(FLOOR + ceiling, A + R * B), *terms],
        ),
    )
    cite_mixtures(argument)


def prove_lines_bound_region(argument: Argument, tight: Fraction = Fraction(1)) -> None:
    """Every point of the square between the lines is (P . alpha, Q . (1 - alpha)).

    Outcomes are sorted by P(y)/Q(y), P(y) = 0 first and Q(y) = 0 last; outcomes with P(y) = Q(y) = 0 are left out. For the
    threshold outcome k let a = A + t p with A = P(before k), p = P(k) > 0, t in [0, 1], and B = Q(after k), q = Q(k).
    """
    before, after, total = sympy.symbols("before after total", real=True)
    argument.case_split(
        "the threshold outcome",
        "The partial sums of P climb from 0 to 1 past a: one outcome k with P(k) > 0 takes them from at most a to at least a.",
        [before >= A, And(before <= A, before + P >= A), before + P <= A],
        [before >= 0, P > 0, A >= 0, A <= 1],
    )
    sums = [before >= 0, after >= 0, P > 0, Q > 0, Eq(P, R * Q)]
    argument.induction(
        "minima before the threshold",
        "An outcome with P(y)/Q(y) <= R = p/q has min(P(y), R Q(y)) = P(y): these minima sum to A",
        (Eq(LEFT, FLOOR), [Eq(LEFT, 0), Eq(FLOOR, 0)]),
        (Eq(LEFT + U, FLOOR + Min(U, R * V)), [Eq(LEFT, FLOOR), U >= 0, V >= 0, Q * U <= P * V, *sums]),
    )
    argument.induction(
        "minima after the threshold",
        "An outcome with P(y)/Q(y) >= R has min(P(y), R Q(y)) = R Q(y): these minima sum to R B, so that f(R) = A + p + R B",
        (Eq(R * LEFT, FLOOR), [Eq(LEFT, 0), Eq(FLOOR, 0)]),
        (Eq(R * (LEFT + V), FLOOR + Min(U, R * V)), [Eq(R * LEFT, FLOOR), U >= 0, V >= 0, Q * U >= P * V, *sums]),
    )
    line = sympy.Rational(tight) * (before + P + R * after) <= A + R * B
    threshold = [Eq(A, before + T * P), T >= 0, T <= 1]
    argument.inequality(
        "above the threshold point, Q(k) > 0",
        "The line of R = p/q puts (a, b) on or above the point (a, B + (1 - t) q), whose choice is alpha = 1 before k, t at k "
        "and 0 after k.",
        after + (1 - T) * Q <= B,
        [*sums, *threshold, line],
    )
    argument.inequality(
        "above the threshold point, Q(k) = 0",
        "Then Q(y) = 0 after k as well, the threshold point is (a, 0), and b >= 0.",
        after + (1 - T) * Q <= B,
        [Eq(Q, 0), Eq(after, 0), B >= 0, P > 0, *threshold],
    )
    argument.inequality(
        "below the reflected threshold point",
        "(1 - a, 1 - b) obeys the lower line iff (a, b) obeys the upper one; so b <= 1 - b* for the threshold point "
        "(1 - a, b*), and (a, 1 - b*) is the choice 1 - alpha.",
        Equivalent(total <= (1 - A) + R * (1 - B), 1 + R - total >= A + R * B),
    )
    argument.inequality(
        "between two choices",
        "Points above one another: b between them is a mixture with weight in [0, 1] of both.",
        And(T >= 0, T <= 1, Eq(T * U + (1 - T) * V, B)),
        [U <= B, V >= B, U < V, Eq(T * (V - U), V - B)],
    )
    prove_mixture_is_a_choice(argument)
    argument.cite("choices make up the region", "All choices form R(M,x,x').", "streaming_cw.zonotope-form")


def prove_every_ratio_is_listed(argument: Argument, orders: int = 2) -> None:
    """Every positive finite ratio is a slope of the recipe in one of the two orders."""
    argument.case_split("each ratio is a slope of one order", "R >= 1 or 1/R >= 1.", [R >= 1, R <= 1][:orders], [R > 0])
    argument.cite("its line", "Its line is that of the recipe.", "streaming_cw.x-recipe-lines")


@claim(
    "streaming_cw.x-recipe-lines",
    where="beside Section 1.1",
    statement="For R >= 1 the line a + R b = f(R) is a + R b = 1 - delta with delta = H_R(P||Q); for R <= 1 it is "
    "R' a + b = 1 - delta' with R' = 1/R and delta' = H_R'(Q||P).",
    kind="lemma",
)
def recipe_lines(check: Check) -> None:
    with check.reading("as stated", ALL) as argument:
        prove_lines_are_the_recipes(argument)
    check.near_miss("R' = R", lambda a: prove_lines_are_the_recipes(a, inverted=False))


def prove_lines_are_the_recipes(argument: Argument, inverted: bool = True) -> None:
    """The line of R >= 1 is the recipe's for (x, x'), that of R <= 1 the recipe's for (x', x) with R' = 1/R."""
    swapped = sympy.Symbol("R_swapped", real=True)
    argument.induction(
        "f is one minus a shift",
        "P(y) - min(P(y), R Q(y)) = max(0, P(y) - R Q(y)): f(R) = 1 - H_R(P||Q), and a + R b >= 1 - delta_i is its line",
        (Eq(A - FLOOR, TOTAL), [Eq(A, 0), Eq(FLOOR, 0), Eq(TOTAL, 0)]),
        (
            Eq(A + P - FLOOR - Min(P, R * Q), TOTAL + Max(0, P - R * Q)),
            [Eq(A - FLOOR, TOTAL), P >= 0, Q >= 0, R > 0],
        ),
    )
    argument.induction(
        "a ratio below 1 is a ratio above 1 of the other order",
        "Divided by R the sum of minima is that of min(R' P(y), Q(y)), R' = 1/R: the line reads R' a + b >= 1 - H_R'(Q||P)",
        (Eq(swapped * FLOOR, TOTAL), [Eq(FLOOR, 0), Eq(TOTAL, 0)]),
        (
            Eq(swapped * (FLOOR + Min(P, R * Q)), TOTAL + Min(swapped * P, Q)),
            [Eq(swapped * FLOOR, TOTAL), P >= 0, Q >= 0, R > 0, Eq(R * swapped, 1) if inverted else Eq(swapped, R)],
        ),
    )


@claim(
    "streaming_cw.slopes-recipe",
    where="Section 1.1, items 1 and 2",
    statement="The slopes are the finite epsilon_i >= 0 with P(y) = R_i Q(y) for some outcome y, R_i = e^epsilon_i; the shift "
    "of each is delta_i = max over S of P(S) - R_i Q(S).",
    kind="definition",
)
def slopes_recipe(check: Check) -> None:
    for order in ("one fixed order (x, x')", "both orders joined", "all pairs of neighbours joined"):
        with check.reading(order) as argument:
            argument.definition("recipe", f"Slopes and shifts of {order}; the set may be empty.")
            argument.definition("infinite ratios", "An outcome with Q(y) = 0 < P(y) has no finite slope.")
            argument.definition(
                "empty outcomes", "An outcome with P(y) = Q(y) = 0 satisfies P(y) = R Q(y) for all R; left out."
            )


@claim(
    "streaming_cw.slopes-complete",
    where="Section 1.1",
    statement="The set of slopes and shifts completely describes the region.",
    kind="lemma",
    repair="streaming_cw.slopes-complete-repaired",
)
def slopes_complete(check: Check) -> None:
    with check.reading("equal sets, one order, have equal regions R(M,x,x')") as argument:
        _refute_complete(argument, lambda rows: slopes(*rows), _corners)
    with check.reading("equal non-empty sets, one order, have equal regions R(M,x,x')") as argument:
        _refute_complete(argument, lambda rows: slopes(*rows), _corners, empty=False)
    with check.reading(
        "equal non-empty sets, one order, have equal least delta for every epsilon, in that order"
    ) as argument:
        _refute_complete(argument, lambda rows: slopes(*rows), lambda rows: _curve([rows]), empty=False)
    with check.reading("equal sets, both orders joined, have equal regions R(M,x,x')") as argument:
        _refute_complete(argument, lambda rows: slopes(*rows) | slopes(*rows[::-1]), _corners)
    with check.reading(
        "equal sets, both orders joined, have equal least delta for every epsilon, in both orders"
    ) as argument:
        _refute_complete(
            argument, lambda rows: slopes(*rows) | slopes(*rows[::-1]), lambda rows: _curve([rows, rows[::-1]])
        )
    with check.reading("M is (epsilon_i, delta_i)-private for each i, one order") as argument:
        _refute_pairs_private(argument)
    with check.reading("equal sets in each of the two orders have equal regions", ALL) as argument:
        prove_slopes_complete(argument)
    check.near_miss("one of the two orders", lambda a: prove_slopes_complete(a, orders=1))


_RATIOS = tuple(Fraction(k, 2) for k in range(2, 9))


def _corners(rows: Rows) -> tuple[Point, ...]:
    return tuple(hull(generating_points(*rows)))


def _curve(pairs: list[Rows]) -> tuple[Fraction, ...]:
    """Return the least delta of all these ordered pairs at R = 1, 3/2, .., 4: different values mean different curves."""
    return tuple(max(hockey_stick(*rows, ratio) for rows in pairs) for ratio in _RATIOS)


def _refute_complete(
    argument: Argument,
    recipe: Callable[[Rows], Slopes],
    described: Callable[[Rows], tuple[Any, ...]],
    empty: bool = True,
) -> None:
    seen: dict[Slopes, Rows] = {}

    def holds(rows: Rows) -> bool:
        found = recipe(rows)
        return (not empty and not found) or described(seen.setdefault(found, rows)) == described(rows)

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first, each compared with the first that has the same set.",
        two_rows(2, 4),
        holds,
    )
    if found is not None:
        other = seen[recipe(found)]
        argument.counterexample(
            "one set, two mechanisms",
            "Both have the same slopes and shifts, and what these should describe differs.",
            {
                "first": other,
                "second": found,
                "slopes_and_shifts": tuple(sorted(recipe(found))),
                "of_first": described(other),
                "of_second": described(found),
            },
            lambda: recipe(other) == recipe(found) and described(other) != described(found),
        )


def _refute_pairs_private(argument: Argument) -> None:
    def bad(rows: Rows) -> tuple[Fraction, Fraction] | None:
        return next((pair for pair in sorted(slopes(*rows)) if not differentially_private(*rows[::-1], *pair)), None)

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    pair = None if found is None else bad(found)
    if found is not None and pair is not None:
        argument.counterexample(
            "the other order fails",
            "The recipe gives (epsilon_i, delta_i) for the order (x, x'), yet Q(S) > R_i P(S) + delta_i for some S.",
            as_evidence(found, R=pair[0], delta=pair[1], shift_of_the_other_order=hockey_stick(*found[::-1], pair[0])),
            lambda: pair in slopes(*found) and not differentially_private(*found[::-1], *pair),
        )


@claim(
    "streaming_cw.slopes-complete-repaired",
    where="Section 1.1, repaired",
    statement="The recipe run in both orders, its two lists kept apart, determines R(M,x,x') and the least delta for "
    "every epsilon.",
    kind="lemma",
)
def slopes_complete_repaired(check: Check) -> None:
    with check.reading("the region", ALL) as argument:
        prove_slopes_complete(argument)
    with check.reading("the least delta for every epsilon", ALL) as argument:
        prove_slopes_complete(argument)
        prove_shift_is_hockey_stick(argument)
    check.near_miss("one of the two orders", lambda a: prove_slopes_complete(a, orders=1))
    check.near_miss("the line moved up", lambda a: prove_shift_is_hockey_stick(a, moved=Fraction(1, 100)))


def prove_slopes_complete(argument: Argument, orders: int = 2) -> None:
    """The region is the unit square cut by lines that the two lists give, so equal lists have equal regions."""
    prove_every_ratio_is_listed(argument, orders)
    argument.cite(
        "the lists give all lines",
        "R(M,x,x') is the unit square cut by these lines and their reflections.",
        "streaming_cw.region-is-intersection-repaired",
    )


@claim(
    "streaming_cw.slope-shift-formula",
    where="Section 1.1, item 2",
    statement="delta_i = max over S of P(S) - R_i Q(S) is the shift of the tangent with slope R_i = e^epsilon_i.",
    kind="lemma",
)
def slope_shift_formula(check: Check) -> None:
    with check.reading("a + R_i b = 1 - delta_i touches R(M,x,x') from below", ALL) as argument:
        prove_shift_is_hockey_stick(argument)
    check.near_miss("the line moved up", lambda a: prove_shift_is_hockey_stick(a, moved=Fraction(1, 100)))
    with check.reading("delta_i is the hockey stick, a sum over outcomes", ALL) as argument:
        prove_shift_is_a_sum(argument)
    check.near_miss("half of each term", lambda a: prove_shift_is_a_sum(a, share=Fraction(1, 2)))
    with check.reading("at the largest finite slope delta_i = P(Q = 0)", ALL) as argument:
        prove_last_shift(argument)
    check.near_miss("at a smaller slope", lambda a: prove_last_shift(a, largest=False))
    with check.reading("a larger slope has no larger shift", ALL) as argument:
        prove_shift_decreases(argument)
    check.near_miss("a larger slope has a smaller shift", lambda a: prove_shift_decreases(a, strictly=True))


def prove_shift_is_a_sum(argument: Argument, share: Fraction = Fraction(1)) -> None:
    """max over S of P(S) - R Q(S) = sum over y of max(0, P(y) - R Q(y)), attained where P(y) > R Q(y)."""
    term = sympy.Rational(share) * Max(0, P - R * Q)
    terms = [P >= 0, Q >= 0, R >= 1]
    argument.induction(
        "no set exceeds the sum",
        "An outcome in S adds P(y) - R Q(y), one outside adds 0; both are at most the positive part",
        (LEFT <= TOTAL, [Eq(LEFT, 0), Eq(TOTAL, 0)]),
        (And(TOTAL + term >= LEFT + P - R * Q, TOTAL + term >= LEFT), [LEFT <= TOTAL, *terms]),
    )
    argument.induction(
        "the set where P(y) > R Q(y) attains it",
        "Its outcomes add exactly their positive part, the others 0",
        (Eq(LEFT, TOTAL), [Eq(LEFT, 0), Eq(TOTAL, 0)]),
        (
            And(Implies(P > R * Q, Eq(LEFT + P - R * Q, TOTAL + term)), Implies(P <= R * Q, Eq(LEFT, TOTAL + term))),
            [Eq(LEFT, TOTAL), *terms],
        ),
    )


def prove_last_shift(argument: Argument, largest: bool = True) -> None:
    """At R = the largest finite ratio only outcomes with Q(y) = 0 have a positive part, and it is P(y)."""
    argument.induction(
        "only outcomes with Q(y) = 0 count",
        "P(y) <= R Q(y) wherever Q(y) > 0, so the sum of positive parts is the sum of P(y) over Q(y) = 0",
        (Eq(TOTAL, LEFT), [Eq(TOTAL, 0), Eq(LEFT, 0)]),
        (
            And(
                Implies(Q > 0, Eq(TOTAL + Max(0, P - R * Q), LEFT)),
                Implies(Eq(Q, 0), Eq(TOTAL + Max(0, P - R * Q), LEFT + P)),
            ),
            [Eq(TOTAL, LEFT), P >= 0, Q >= 0, R >= 1, *([Implies(Q > 0, P <= R * Q)] if largest else [])],
        ),
    )


def prove_shift_decreases(argument: Argument, strictly: bool = False) -> None:
    """R <= R' implies H_R' <= H_R."""
    larger = sympy.Symbol("R_larger", real=True)
    low, high = TOTAL + Max(0, P - larger * Q), LEFT + Max(0, P - R * Q)
    argument.induction(
        "each positive part decreases",
        "max(0, P(y) - R' Q(y)) <= max(0, P(y) - R Q(y))",
        (TOTAL < LEFT if strictly else TOTAL <= LEFT, [Eq(TOTAL, 0), Eq(LEFT, 0)]),
        (low < high if strictly else low <= high, [TOTAL <= LEFT, P >= 0, Q >= 0, R >= 1, larger >= R]),
    )


@claim(
    "streaming_cw.slope-orientation",
    where="Figure 1, Section 1.1, equation (1)",
    statement="R_i = e^epsilon_i = P(y)/Q(y) is called the slope of the tangent at y.",
    kind="definition",
)
def slope_orientation(check: Check) -> None:
    with check.reading("R_i is the coefficient in a + R b = const along the edge of y", ALL) as argument:
        prove_edge_lies_on_line(argument, P / Q)
    check.near_miss("R_i inverted", lambda a: prove_edge_lies_on_line(a, Q / P))
    readings: dict[str, Callable[[Fraction, Fraction, Fraction], bool]] = {
        "R_i is the coefficient in R a + b = const along the edge of y": lambda p, q, ratio: ratio * p - q == 0,
        "R_i is db/da along the edge of y": lambda p, q, ratio: -q / p == ratio,
        "R_i is |db/da| along the edge of y": lambda p, q, ratio: q / p == ratio,
    }
    for name, holds in readings.items():
        with check.reading(name) as argument:
            _refute_orientation(argument, holds)


def prove_edge_lies_on_line(argument: Argument, ratio: Any) -> None:
    """Moving y into S moves the point by (P(y), -Q(y)); a + R b is constant along it for R = P(y)/Q(y)."""
    argument.identity("direction, first coordinate", "P(S with y) - P(S) = P(y).", (A + P) - A, P)
    argument.identity("direction, second coordinate", "Q(S' without y) - Q(S') = -Q(y).", B - (B + Q), -Q)
    argument.identity("constant along the edge", "a + R b changes by P(y) - R Q(y) = 0.", P + ratio * (-Q), 0)


def _refute_orientation(argument: Argument, holds: Callable[[Fraction, Fraction, Fraction], bool]) -> None:
    def bad(rows: Rows) -> tuple[Fraction, Fraction] | None:
        listed = [(p, q) for p, q in zip(*rows) if q > 0 and p >= q]
        return next(((p, q) for p, q in listed if not holds(p, q, p / q)), None)

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first; the edge of each outcome with a slope.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    edge = None if found is None else bad(found)
    if found is not None and edge is not None:
        p, q = edge
        argument.counterexample(
            "another orientation",
            "The edge of the outcome y with R_i = P(y)/Q(y) has direction (P(y), -Q(y)).",
            as_evidence(found, edge=(p, -q), R=p / q),
            lambda: not holds(p, q, p / q),
        )


@claim(
    "streaming_cw.x-minimal-description",
    where="beside Section 1.1",
    statement="Let K >= 2 be the number of different likelihood ratios P(y)/Q(y) in [0, infinity]. With (p, q) = (P(y), Q(y))"
    " for one y of each, R(M,x,x') is the intersection of the strips g <= q a + p b <= p + q - g, g the sum over z of "
    "min(q P(z), p Q(z)), and every half-plane description has at least "
    "these 2 K half-planes. For K = 1 the region is a + b = 1, 0 <= a <= 1.",
    kind="lemma",
)
def minimal_description(check: Check) -> None:
    with check.reading("the strips suffice", ALL) as argument:
        prove_strips_suffice(argument)
    check.near_miss("one likelihood ratio", lambda a: prove_strips_suffice(a, several=False))
    with check.reading("no half-plane can be left out", ALL) as argument:
        prove_strips_needed(argument)
    check.near_miss("ratios need not differ", lambda a: prove_strips_needed(a, different=False))
    with check.reading("one likelihood ratio: a segment", ALL) as argument:
        prove_segment(argument, P)
    check.near_miss("two likelihood ratios", lambda a: prove_segment(a, Q))


def prove_strips_suffice(argument: Argument, several: bool = True) -> None:
    """The strip of a ratio R in (0, infinity) is the printed one over Q(y); those of 0 and infinity are sides of the square."""
    argument.cite(
        "lines and square", "The square and the lines describe it.", "streaming_cw.region-is-intersection-repaired"
    )
    first, last = sympy.symbols("R_first R_last", real=True)
    argument.induction(
        "at the smallest ratio f(R) = R",
        "min(P(y), R Q(y)) = R Q(y) if P(y) >= R Q(y) throughout",
        (Eq(FLOOR, R * B), [Eq(FLOOR, 0), Eq(B, 0)]),
        (Eq(FLOOR + Min(P, R * Q), R * (B + Q)), [Eq(FLOOR, R * B), P >= R * Q, Q >= 0, R > 0]),
    )
    argument.induction(
        "at the largest ratio f(R) = 1",
        "min(P(y), R Q(y)) = P(y) if P(y) <= R Q(y) throughout",
        (Eq(FLOOR, A), [Eq(FLOOR, 0), Eq(A, 0)]),
        (Eq(FLOOR + Min(P, R * Q), A + P), [Eq(FLOOR, A), P <= R * Q, P >= 0, R > 0]),
    )
    square = And(A >= 0, A <= 1, B >= 0, B <= 1)
    low = [A + first * B >= first, A + first * B <= 1, first > 0]
    high = [A + last * B >= 1, A + last * B <= last, last > 0]
    apart = [first < last] if several else [Eq(first, last)]
    argument.inequality("square, all ratios positive and finite", "Two strips imply it.", square, [*low, *high, *apart])
    argument.inequality("square, a ratio 0", "Its strip is 0 <= a <= 1.", square, [*high, A >= 0, A <= 1])
    argument.inequality("square, an infinite ratio", "Its strip is 0 <= b <= 1.", square, [*low, B >= 0, B <= 1])


def prove_strips_needed(argument: Argument, different: bool = True) -> None:
    """The middle of the edge of one ratio, (p, q), obeys all other half-planes strictly, so that each edge needs its own.

    The middle has the outcomes of smaller ratio in S, those of larger ratio outside, and the ratio's own outcomes half in S.
    (u, v) = (q', p') belongs to another ratio; (a, b) = (P(z), Q(z)) to any further outcome z, in S (u a) or outside (v b).
    """
    high = sympy.Symbol("ceiling", real=True)
    half = (U * P + V * Q) / 2
    least, most = Min(U * A, V * B), Max(U * A, V * B)
    signs = [U >= 0, V >= 0, P >= 0, Q >= 0]
    argument.induction(
        "slack at the middle of an edge",
        "The half-covered outcomes leave |u p - v q|/2 > 0 on both sides, further outcomes leave at least 0",
        (
            And(half - Min(U * P, V * Q) > 0, Max(U * P, V * Q) - half > 0),
            [*signs, *([sympy.Ne(U * P, V * Q)] if different else [])],
        ),
        (
            And(least < LEFT + U * A, least < LEFT + V * B, high + most > U * A, high + most > V * B),
            [LEFT > 0, high > 0, *signs, A >= 0, B >= 0],
        ),
    )
    argument.inequality(
        "slack on the far side of its own strip",
        "An outcome of smaller ratio is in S, one of larger ratio outside: each leaves |q P(z) - p Q(z)| > 0 above.",
        And(
            Implies(Q * A < P * B, Max(Q * A, P * B) - Q * A > 0), Implies(Q * A > P * B, Max(Q * A, P * B) - P * B > 0)
        ),
        [P >= 0, Q >= 0, A >= 0, B >= 0],
    )
    step, slack, height = sympy.symbols("step slack g", real=True)
    argument.inequality(
        "a point cut off by one half-plane only",
        "A small step outwards from the middle: it violates q a + p b >= g and obeys every other half-plane.",
        And(
            Q * (A - step * Q) + P * (B - step * P) < height,
            U * (A - step * Q) + V * (B - step * P) > C,
            U * (A - step * Q) + V * (B - step * P) <= U * A + V * B,
        ),
        [
            *signs,
            P + Q > 0,
            step > 0,
            Eq(Q * A + P * B, height),
            Eq(U * A + V * B, C + slack),
            step * (U * Q + V * P) < slack,
        ],
    )
    one, two = sympy.symbols("end_first end_last", real=True)
    argument.inequality(
        "one half-plane per edge",
        "Points outside, nearer and nearer to the middle, are excluded by finitely many half-planes, so one has the middle on "
        "its line; it contains both ends of the edge, so its line is that of the edge. The upper edges are reflections.",
        And(Eq(one, C), Eq(two, C)),
        [one >= C, two >= C, Eq((one + two) / 2, C)],
    )


def prove_segment(argument: Argument, other: Any) -> None:
    """P = Q: the points (P(S), 1 - P(S)) lie on a + b = 1, and alpha = t gives (t, 1 - t)."""
    argument.identity("on the diagonal", "P(S) + Q(S') = 1 if P = Q.", P + (1 - other), 1)
    argument.inequality(
        "all of it", "The constant choice alpha = t gives (t, 1 - t).", A + (1 - A) <= 1, [A >= 0, A <= 1]
    )


@claim(
    "streaming_cw.x-curve-data",
    where="beside Section 1.1",
    statement="The curve R -> H_R(P||Q), R >= 1, is determined by its values at R = 1 and at the likelihood ratios above 1: it "
    "is affine between neighbours and constant after the last. The recipe leaves out R = 1 unless P(y) = Q(y) for some y.",
    kind="lemma",
)
def curve_data(check: Check) -> None:
    with check.reading("one order", ALL) as argument:
        prove_curve_is_piecewise_affine(argument)
    check.near_miss("a ratio in between", lambda a: prove_curve_is_piecewise_affine(a, neighbours=False))


def prove_curve_is_piecewise_affine(argument: Argument, neighbours: bool = True) -> None:
    """(R2 - R1) H_R = (R2 - R) H_R1 + (R - R1) H_R2 for R1 <= R <= R2 with no ratio strictly in between."""
    first, last = sympy.symbols("R_first R_last", real=True)
    at_first, at_last = sympy.symbols("H_first H_last", real=True)
    order = [first >= 1, first <= R, last >= R, P >= 0, Q >= 0]
    argument.induction(
        "affine between neighbours",
        "Every positive part max(0, P(y) - R Q(y)) is affine where P(y)/Q(y) is not inside the interval",
        (
            Eq((last - first) * TOTAL, (last - R) * at_first + (R - first) * at_last),
            [Eq(TOTAL, 0), Eq(at_first, 0), Eq(at_last, 0)],
        ),
        (
            Eq(
                (last - first) * (TOTAL + Max(0, P - R * Q)),
                (last - R) * (at_first + Max(0, P - first * Q)) + (R - first) * (at_last + Max(0, P - last * Q)),
            ),
            [
                Eq((last - first) * TOTAL, (last - R) * at_first + (R - first) * at_last),
                *order,
                *([Or(first * Q >= P, last * Q <= P)] if neighbours else []),
            ],
        ),
    )
    argument.induction(
        "constant after the last",
        "P(y) <= R1 Q(y) wherever Q(y) > 0: no positive part changes",
        (Eq(TOTAL, at_first), [Eq(TOTAL, 0), Eq(at_first, 0)]),
        (
            Eq(TOTAL + Max(0, P - R * Q), at_first + Max(0, P - first * Q)),
            [Eq(TOTAL, at_first), *order[:2], *order[3:], Implies(Q > 0, first * Q >= P)],
        ),
    )


@claim(
    "streaming_cw.x-mechanism-curve",
    where="beside Section 1.1",
    statement="The least delta of M for two neighbours, the larger of both orders, is affine in R between neighbours among "
    "R = 1 and the likelihood ratios above 1 of both orders.",
    kind="lemma",
)
def mechanism_curve(check: Check) -> None:
    with check.reading("as stated") as argument:
        found = argument.exhaust(
            "smallest failure",
            "Two rows, fewest outcomes and smallest denominators first; the middle of each interval of R.",
            two_rows(3, 5),
            lambda rows: _bend(rows) is None,
        )
        bend = None if found is None else _bend(found)
        if found is not None and bend is not None:
            argument.counterexample(
                "the orders change places",
                "At first one order needs the larger delta, then the other: the curves cross inside the interval.",
                as_evidence(found, R=bend, delta=tuple(_larger_shift(found, ratio) for ratio in bend)),
                lambda: _is_bent(found, bend),
            )


def _larger_shift(rows: Rows, ratio: Fraction) -> Fraction:
    return max(hockey_stick(*rows, ratio), hockey_stick(*rows[::-1], ratio))


def _bend(rows: Rows) -> tuple[Fraction, ...] | None:
    """Return two neighbouring values of R and their middle where the larger shift is not the average, if there are any."""
    pairs = list(zip(*rows)) + list(zip(*rows[::-1]))
    data = sorted({Fraction(1)} | {above / below for above, below in pairs if below > 0 and above > below})
    triples = ((low, (low + high) / 2, high) for low, high in pairwise(data))
    return next((triple for triple in triples if _is_bent(rows, triple)), None)


def _is_bent(rows: Rows, ratios: tuple[Fraction, ...]) -> bool:
    first, middle, last = (_larger_shift(rows, ratio) for ratio in ratios)
    return 2 * middle != first + last
