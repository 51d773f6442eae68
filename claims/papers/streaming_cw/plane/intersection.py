"""The region of two rows as an intersection of half-planes, one pair of parallel lines for every
likelihood ratio.

f(R) = sum over y of min(P(y), R Q(y)) = 1 - H_R(P||Q), with H the hockey stick, is the lower
boundary of R(M,x,x') in direction (1, R). Derives that these lines, their reflections and the unit
square describe the region; refutes that the printed regions R(epsilon_i, delta_i) do. Letters:
`letters.py`. Source: "Composition Theorem for streaming CW-privacy", Section 1.1, after Figure
1.
"""

from collections.abc import Callable
from fractions import Fraction

from sympy import And, Eq, Equivalent, Max, Min, Rational

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    at_least,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.streaming_cw.plane.in_numbers import parted
from pufferproof.claims.papers.streaming_cw.plane.inclusion import INEQUALITIES, cite_mixtures
from pufferproof.claims.papers.streaming_cw.plane.letters import (
    LEVEL,
    SUMS,
    R,
    a,
    b,
    delta,
    p,
    p_rest,
    q,
    q_rest,
)
from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Point,
    Rows,
    Slopes,
    allowed,
    as_evidence,
    generating_points,
    in_hull,
    level,
    listed,
    slopes,
    two_rows,
)
from pufferproof.claims.papers.streaming_cw.plane.regions import prove_mixture_is_a_choice, t
from pufferproof.claims.papers.streaming_cw.plane.statements.shape import (
    INTERSECTION,
    LARGER_SHIFT,
    RECIPE_LINES,
)
from pufferproof.claims.registry import Check, claim

NOTATION = LETTERS
left = letter("left", "P(S) + R Q(S') over the outcomes so far")
floor = letter("floor", "the sum of min(P(y), R Q(y)) over the outcomes so far")
ceiling = letter("ceiling", "the sum of max(P(y), R Q(y)) over the outcomes so far")
sum_p = letter("sum_p", "the sum of P(y) over the outcomes so far")
sum_q = letter("sum_q", "the sum of Q(y) over the outcomes so far")
excess = letter("excess", "the sum of max(0, P(y) - R Q(y)) over the outcomes so far")
R_swapped = letter("R_swapped", "R' = 1/R, the ratio for the other order")
floor_swapped = letter("floor_swapped", "the sum of min(R' P(y), Q(y)) over the outcomes so far")
f = letter("f", LETTERS["f"])
before = letter("before", "the sum of P(y) over the outcomes before the threshold", at_least(0))
after = letter("after", "the sum of Q(y) over the outcomes after the threshold", at_least(0))
u, v = letters("u v", "P(y) and Q(y) of an outcome before or after the threshold", at_least(0))
low, high = letters("low high", "the second coordinates of two choices above one another")


@claim(
    "streaming_cw.region-is-intersection",
    where="after Figure 1",
    statement="In general R(M,x,x') is the intersection of the regions R(epsilon_i, delta_i) of "
    "the recipe of slopes.",
    kind="lemma",
    repair="streaming_cw.region-is-intersection-repaired",
    says={
        "the region lies in the intersection, delta_i the larger shift of both orders": (
            LARGER_SHIFT
        ),
    },
)
def region_is_intersection(check: Check) -> None:
    with check.reading("the region lies in the intersection, slopes in the order (x, x')") as proof:
        _refute_region_inside(proof, lambda rows: slopes(*rows))
    with check.reading(
        "the region lies in the intersection, slopes of both orders joined"
    ) as proof:
        _refute_region_inside(proof, lambda rows: slopes(*rows) | slopes(*rows[::-1]))
    for where, corner in (("in the plane", Fraction(2)), ("inside the unit square", Fraction(1))):
        with check.reading(f"equality {where}, slopes in the order (x, x')") as proof:
            refute_no_larger(proof, (corner, corner))
    with check.reading("the intersection inside the unit square lies in the region") as proof:
        refute_no_larger(proof, (Fraction(1), Fraction(1)))
    for where, corner in (("the plane", Fraction(2)), ("the unit square", Fraction(0))):
        with check.reading(f"rows without a slope, whose empty intersection is {where}") as proof:
            _refute_empty(proof, (corner, corner))
    name = "the region lies in the intersection, delta_i the larger shift of both orders"
    proved(check, name, ALL_SIZES, _prove_larger_shift)
    one_order = Edit("generating points", without=SHIFT_OF_THE_OTHER)
    check.near_miss(
        f"{name}: delta_i the shift of one order", edited(_prove_larger_shift, one_order)
    )


def refute_no_larger(proof: Proof, corner: Point, where: str = "") -> None:
    """No R(epsilon, delta) bounds from above, while a region does; `where` says in words whose
    rows P and Q are.
    """
    shown = f"({corner[0]}, {corner[1]})"

    def equal_at(rows: Rows) -> bool:
        inside = all(allowed(corner, *pair) for pair in slopes(*rows))
        return inside == in_hull(corner, generating_points(*rows))

    found = proof.exhaust(
        "smallest failure",
        f"Two rows; does {shown} tell the two sets apart?",
        two_rows(1, 1),
        equal_at,
    )
    if found is not None:
        proof.counterexample(
            "a point too many",
            f"{where}For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the point {shown} "
            f"lies in every "
            "R(epsilon_i, delta_i) of the recipe, but not in R(M,x,x'): these regions have no "
            "upper boundary.",
            as_evidence(found, slopes_and_shifts=tuple(sorted(slopes(*found))), point=corner),
            lambda: not equal_at(found) and bool(slopes(*found)),
            f"{parted(corner, found)} and "
            + " and ".join(
                f"item(point, {i}) + {ratio}*item(point, {1 - i}) >= 1 - {shift}"
                for ratio, shift in sorted(slopes(*found))
                for i in (0, 1)
            ),
        )


def _refute_empty(proof: Proof, point: Point) -> None:
    """Without a slope nothing is intersected, and a region is never everything that this allows."""
    shown = f"({point[0]}, {point[1]})"

    def holds(rows: Rows) -> bool:
        return bool(slopes(*rows)) or in_hull(point, generating_points(*rows))

    found = proof.exhaust(
        "smallest failure",
        f"Two rows, fewest outcomes and smallest denominators first: is {shown} in each region "
        f"without a slope?",
        two_rows(3, 2),
        holds,
    )
    if found is not None:
        proof.counterexample(
            "no slope, and not everything",
            f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) no outcome has a finite "
            f"slope R >= 1, so that the intersection of no regions has the point {shown}, which "
            f"R(M,x,x') does not have.",
            as_evidence(found, slopes_and_shifts=tuple(sorted(slopes(*found))), point=point),
            lambda: not slopes(*found) and not in_hull(point, generating_points(*found)),
            parted(point, found),
        )


def _refute_region_inside(proof: Proof, recipe: Callable[[Rows], Slopes]) -> None:
    def bad(rows: Rows) -> tuple[Point, tuple[Fraction, Fraction]] | None:
        points = generating_points(*rows)
        pairs = sorted(recipe(rows))
        return next(
            ((point, pair) for pair in pairs for point in points if not allowed(point, *pair)), None
        )

    found = proof.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    witness = None if found is None else bad(found)
    if found is not None and witness is not None:
        proof.counterexample(
            "a point cut off",
            f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the recipe has R_i = "
            f"{witness[1][0]} with delta_i = {witness[1][1]}, and the generating point "
            f"({listed(witness[0])}) of R(M,x,x') violates R_i a + b >= 1 - delta_i.",
            as_evidence(
                found,
                point=witness[0],
                R=witness[1][0],
                delta=witness[1][1],
                epsilon=level(witness[1][0]),
            ),
            lambda: bad(found) is not None,
        )


SHIFT = [p <= R * q + delta, p_rest <= R * q_rest + delta]
SHIFT_OF_THE_OTHER = [q <= R * p + delta, q_rest <= R * p_rest + delta]


def _prove_larger_shift(proof: Proof) -> None:
    """With delta_i at least the shift of both orders, every generating point is inside, and so
    is the hull.
    """
    proof.inequality(
        "generating points",
        "The shifts of both orders are at most delta_i: both inequalities hold at every point "
        "(P(S), Q(S')) = (p, q_rest).",
        INEQUALITIES,
        [*SUMS, *LEVEL, *SHIFT, *SHIFT_OF_THE_OTHER],
    )
    cite_mixtures(proof)


@claim(
    "streaming_cw.region-is-intersection-repaired",
    where="after Figure 1, repaired",
    statement="R(M,x,x') is the set of all points (a, b) of the unit square with f(R_i) <= a + R_i "
    "b <= 1 + R_i - f(R_i) for every positive finite likelihood ratio R_i = P(y)/Q(y), where "
    "f(R_i) is the sum over all outcomes of min(P(y), R_i Q(y)). These lines are those of the "
    "recipe run in both orders, each used in its own order only, and their point reflections "
    "in (1/2, 1/2).",
    kind="lemma",
    says=INTERSECTION,
)
def region_is_intersection_repaired(check: Check) -> None:
    at_k, out = before + p + R * after, Rational(99, 100)
    least = Min(p, R * q)
    proved(
        check,
        "as repaired",
        ALL_SIZES,
        _prove_lines_describe_region,
        lines_moved_out_a_little=Edit(
            "above the threshold point, Q(k) > 0",
            without=at_k <= a + R * b,
            given=out * at_k <= a + R * b,
        ),
        ratios_below_1_left_out=ONE_ORDER,
        lines_moved_in_a_little=Edit(
            "generating points lie between the lines: step",
            put={least: Rational(101, 100) * least},
        ),
    )


ONE_ORDER = Edit("each ratio is a slope of one order", instead=[R >= 1])


def _prove_lines_describe_region(proof: Proof) -> None:
    prove_region_lies_between_lines(proof)
    prove_lines_bound_region(proof)
    prove_every_ratio_is_listed(proof)


def prove_region_lies_between_lines(proof: Proof) -> None:
    """Every generating point, hence the hull, obeys f(R) <= a + R b <= 1 + R - f(R), for every
    R >= 0.
    """
    least, most = Min(p, R * q), Max(p, R * q)
    proof.induction(
        "generating points lie between the lines",
        "Outcome by outcome, P(S) + R Q(S') lies between the sums of min(P(y), R Q(y)) and "
        "max(P(y), R Q(y)), whether or not y is in S",
        base=(And(left >= floor, ceiling >= left), [Eq(left, 0), Eq(floor, 0), Eq(ceiling, 0)]),
        step=(
            And(
                floor + least <= left + p,
                floor + least <= left + R * q,
                ceiling + most >= left + p,
                ceiling + most >= left + R * q,
            ),
            [floor <= left, ceiling >= left, R >= 0],
        ),
    )
    both, reflected = floor + ceiling, sum_p + R * sum_q
    proof.induction(
        "the upper line is the reflected lower line",
        "min + max = P(y) + R Q(y): the maxima sum to 1 + R - f(R), as P and Q sum to 1",
        base=(Eq(both, reflected), [Eq(floor, 0), Eq(ceiling, 0), Eq(sum_p, 0), Eq(sum_q, 0)]),
        step=(
            Eq(floor + least + ceiling + most, sum_p + p + R * (sum_q + q)),
            [Eq(both, reflected), R >= 0],
        ),
    )
    cite_mixtures(proof)


def prove_lines_bound_region(proof: Proof) -> None:
    """Every point of the square between the lines is (P . alpha, Q . (1 - alpha)).

    Outcomes are sorted by P(y)/Q(y), P(y) = 0 first and Q(y) = 0 last; outcomes with P(y) = Q(y) =
    0 are left out. For the threshold outcome k let a = A + t p with A = P(before k), p = P(k) > 0,
    t in [0, 1], and B = Q(after k), q = Q(k).
    """
    _prove_minima_around_threshold(proof)
    _prove_above_threshold_point(proof)
    _prove_between_two_choices(proof)


def _prove_minima_around_threshold(proof: Proof) -> None:
    proof.case_split(
        "the threshold outcome",
        "The partial sums of P climb from 0 to 1 past a: one outcome k with P(k) > 0 takes them "
        "from at most a to at least a.",
        [before >= a, And(before <= a, before + p >= a), before + p <= a],
        [p > 0, a >= 0, a <= 1],
    )
    ratio = [p > 0, q > 0, Eq(p, R * q)]
    proof.induction(
        "minima before the threshold",
        "An outcome with P(y)/Q(y) <= R = p/q has min(P(y), R Q(y)) = P(y): these minima sum to A",
        base=(Eq(sum_p, floor), [Eq(sum_p, 0), Eq(floor, 0)]),
        step=(
            Eq(sum_p + u, floor + Min(u, R * v)),
            [Eq(sum_p, floor), q * u <= p * v, *ratio],
        ),
    )
    proof.induction(
        "minima after the threshold",
        "An outcome with P(y)/Q(y) >= R has min(P(y), R Q(y)) = R Q(y): these minima sum to R B, "
        "so that f(R) = A + p + R B",
        base=(Eq(R * sum_q, floor), [Eq(sum_q, 0), Eq(floor, 0)]),
        step=(
            Eq(R * (sum_q + v), floor + Min(u, R * v)),
            [Eq(R * sum_q, floor), q * u >= p * v, *ratio],
        ),
    )


def _prove_above_threshold_point(proof: Proof) -> None:
    threshold = Eq(a, before + t * p)
    line = before + p + R * after <= a + R * b
    proof.inequality(
        "above the threshold point, Q(k) > 0",
        "The line of R = p/q puts (a, b) on or above the point (a, B + (1 - t) q), whose choice is "
        "alpha = 1 before k, t at k and 0 after k.",
        after + (1 - t) * q <= b,
        [p > 0, q > 0, Eq(p, R * q), threshold, line],
    )
    proof.inequality(
        "above the threshold point, Q(k) = 0",
        "Then Q(y) = 0 after k as well, the threshold point is (a, 0), and b >= 0.",
        after + (1 - t) * q <= b,
        [Eq(q, 0), Eq(after, 0), b >= 0, p > 0, threshold],
        for_any=[before],
    )


def _prove_between_two_choices(proof: Proof) -> None:
    proof.inequality(
        "below the reflected threshold point",
        "(1 - a, 1 - b) obeys the lower line iff (a, b) obeys the upper one; so b <= 1 - b* for "
        "the threshold point (1 - a, b*), and (a, 1 - b*) is the choice 1 - alpha.",
        Equivalent(f <= (1 - a) + R * (1 - b), 1 + R - f >= a + R * b),
    )
    proof.inequality(
        "between two choices",
        "Points above one another: b between them is a mixture with weight in [0, 1] of both.",
        And(t >= 0, t <= 1, Eq(t * low + (1 - t) * high, b)),
        [low <= b, high >= b, low < high, Eq(t * (high - low), high - b)],
        for_any=[t],
    )
    prove_mixture_is_a_choice(proof)
    proof.cite(
        "choices make up the region", "All choices form R(M,x,x').", "streaming_cw.zonotope-form"
    )


def prove_every_ratio_is_listed(proof: Proof) -> None:
    """Every positive finite ratio is a slope of the recipe in one of the two orders."""
    proof.case_split(
        "each ratio is a slope of one order",
        "R >= 1 or 1/R >= 1.",
        [R >= 1, R <= 1],
        [R > 0],
    )
    proof.cite("its line", "Its line is that of the recipe.", "streaming_cw.x-recipe-lines")


@claim(
    "streaming_cw.x-recipe-lines",
    where="beside Section 1.1",
    statement="For R >= 1 the line a + R b = f(R) is a + R b = 1 - delta with delta = H_R(P||Q); "
    "for 0 < R <= 1 it is R' a + b = 1 - delta' with R' = 1/R and delta' = H_R'(Q||P). Here "
    "f(R) is the sum over all outcomes y of min(P(y), R Q(y)).",
    kind="lemma",
    says=RECIPE_LINES,
)
def recipe_lines(check: Check) -> None:
    same = Edit(
        "a ratio below 1 is a ratio above 1 of the other order: step",
        without=Eq(R * R_swapped, 1),
        given=Eq(R_swapped, R),
    )
    proved(check, "as stated", ALL_SIZES, prove_lines_are_the_recipes, **{"R' = R": same})


def prove_lines_are_the_recipes(proof: Proof) -> None:
    """The line of R >= 1 is the recipe's for (x, x'), that of R <= 1 the recipe's for (x', x)
    with R' = 1/R.
    """
    proof.induction(
        "f is one minus a shift",
        "P(y) - min(P(y), R Q(y)) = max(0, P(y) - R Q(y)): f(R) = 1 - H_R(P||Q), and a + R b >= 1 "
        "- delta_i is its line",
        base=(Eq(sum_p - floor, excess), [Eq(sum_p, 0), Eq(floor, 0), Eq(excess, 0)]),
        step=(
            Eq(sum_p + p - floor - Min(p, R * q), excess + Max(0, p - R * q)),
            [Eq(sum_p - floor, excess), R > 0],
        ),
    )
    proof.induction(
        "a ratio below 1 is a ratio above 1 of the other order",
        "Divided by R the sum of minima is that of min(R' P(y), Q(y)), R' = 1/R: the line reads R' "
        "a + b >= 1 - H_R'(Q||P)",
        base=(Eq(R_swapped * floor, floor_swapped), [Eq(floor, 0), Eq(floor_swapped, 0)]),
        step=(
            Eq(R_swapped * (floor + Min(p, R * q)), floor_swapped + Min(R_swapped * p, q)),
            [Eq(R_swapped * floor, floor_swapped), R > 0, Eq(R * R_swapped, 1)],
        ),
    )
