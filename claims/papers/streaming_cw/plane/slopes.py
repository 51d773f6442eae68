"""The recipe of slopes and shifts: what it lists, what it determines, and which way the slopes
point.

Proves that the recipe run in both orders determines the region, and that its shifts are hockey
sticks; refutes that one order, or both orders joined, suffice. Source: "Composition Theorem for
streaming CW-privacy", Section 1.1, items 1 and 2, and Figure 1.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from pufferproof.claims.language import Proof
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.papers.streaming_cw import said as sets
from pufferproof.claims.papers.streaming_cw.plane import said
from pufferproof.claims.papers.streaming_cw.plane.in_numbers import deltas_differ, shifts_differ
from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Point,
    Rows,
    Slopes,
    as_evidence,
    differentially_private,
    generating_points,
    hockey_stick,
    hull,
    level,
    listed,
    slopes,
    two_rows,
)
from pufferproof.claims.registry import Check, claim

NOTATION = LETTERS


@claim(
    "streaming_cw.slopes-recipe",
    where="Section 1.1, items 1 and 2",
    statement="The slopes are the finite epsilon_i >= 0 with P(y) = R_i Q(y) for some outcome y, "
    "R_i = e^epsilon_i; the shift of each is delta_i = max over S of P(S) - R_i Q(S).",
    kind="definition",
)
def slopes_recipe(check: Check) -> None:
    """Record that the recipe only defines, in whichever order it is run."""
    for order in (
        "one fixed order (x, x')",
        "both orders joined",
        "all pairs of neighbours joined",
    ):
        with check.reading(order) as proof:
            proof.definition("recipe", f"Slopes and shifts of {order}; the set may be empty.")
            proof.definition(
                "infinite ratios", "An outcome with Q(y) = 0 < P(y) has no finite slope."
            )
            proof.definition(
                "empty outcomes",
                "An outcome with P(y) = Q(y) = 0 satisfies P(y) = R Q(y) for all R; left out.",
            )


@claim(
    "streaming_cw.slopes-complete",
    where="Section 1.1",
    statement="The set of slopes and shifts completely describes the region.",
    kind="lemma",
    repair="streaming_cw.slopes-complete-repaired",
    says={"equal sets in each of the two orders have equal regions": said.SAME_REGION},
)
def slopes_complete(check: Check) -> None:
    """Proved for the lists of both orders, kept apart; false for one order, and for both orders
    joined.

    The lists give all lines: R(M,x,x') is the unit square cut by these lines and their reflections
    [streaming_cw.region-is-intersection-repaired].
    """
    with check.reading("equal non-empty sets, one order, have equal regions R(M,x,x')") as proof:
        _refute_complete(proof, lambda rows: slopes(*rows), _corners, empty=False)
    with check.reading("equal sets, one order, have equal regions R(M,x,x')") as proof:
        _refute_complete(proof, lambda rows: slopes(*rows), _corners)
    with check.reading(
        "equal non-empty sets, one order, have equal least delta for every epsilon, in that order"
    ) as proof:
        _refute_complete(
            proof,
            lambda rows: slopes(*rows),
            lambda rows: _curve([rows]),
            empty=False,
            what="least deltas",
            differ=partial(shifts_differ, one_order=True),
        )
    with check.reading("equal sets, both orders joined, have equal regions R(M,x,x')") as proof:
        _refute_complete(proof, lambda rows: slopes(*rows) | slopes(*rows[::-1]), _corners)
    with check.reading(
        "equal sets, both orders joined, have equal least delta for every epsilon, in both orders"
    ) as proof:
        _refute_complete(
            proof,
            lambda rows: slopes(*rows) | slopes(*rows[::-1]),
            lambda rows: _curve([rows, rows[::-1]]),
            what="least deltas",
            differ=deltas_differ,
        )
    with check.reading("M is (epsilon_i, delta_i)-private for each i, one order") as proof:
        _refute_pairs_private(proof)
    check.stated("equal sets in each of the two orders have equal regions")


Slope = Callable[[Fraction, Fraction], Fraction]
_RATIOS = tuple(Fraction(k, 2) for k in range(2, 9))


def _corners(rows: Rows) -> tuple[Point, ...]:
    return tuple(hull(generating_points(*rows)))


def _curve(pairs: list[Rows]) -> tuple[Fraction, ...]:
    """Return the least delta of all these ordered pairs at R = 1, 3/2, .., 4: different values
    mean different curves.
    """
    return tuple(max(hockey_stick(*rows, ratio) for rows in pairs) for ratio in _RATIOS)


def _refute_complete(
    proof: Proof,
    recipe: Callable[[Rows], Slopes],
    described: Callable[[Rows], tuple[object, ...]],
    empty: bool = True,
    what: str = "regions",
    differ: Callable[[Rows, Rows], str] = shifts_differ,
) -> None:
    seen: dict[Slopes, Rows] = {}

    def holds(rows: Rows) -> bool:
        pairs = recipe(rows)
        first = seen.setdefault(pairs, rows)
        return (not empty and not pairs) or described(first) == described(rows)

    found = proof.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first, each compared with the first "
        "that has the same set.",
        two_rows(2, 4),
        holds,
    )
    if found is not None:
        other = seen[recipe(found)]
        rows = [f"P = ({listed(p)}), Q = ({listed(q)})" for p, q in (other, found)]
        pairs = (
            "; ".join(f"slope {ratio} with shift {shift}" for ratio, shift in sorted(recipe(found)))
            or "nothing"
        )
        proof.counterexample(
            "one set, two mechanisms",
            f"The rows {rows[0]} and the rows {rows[1]} have the same set of slopes and shifts "
            f"({pairs}), but different {what}.",
            {
                "first": other,
                "second": found,
                "slopes_and_shifts": tuple(sorted(recipe(found))),
                "of_first": described(other),
                "of_second": described(found),
            },
            lambda: recipe(other) == recipe(found) and described(other) != described(found),
            differ(other, found),
        )


def _refute_pairs_private(proof: Proof) -> None:
    def bad(rows: Rows) -> tuple[Fraction, Fraction] | None:
        return next(
            (
                pair
                for pair in sorted(slopes(*rows))
                if not differentially_private(*rows[::-1], *pair)
            ),
            None,
        )

    found = proof.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    pair = None if found is None else bad(found)
    if found is not None and pair is not None:
        proof.counterexample(
            "the other order fails",
            f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the recipe gives R_i = "
            f"{pair[0]} with delta_i = {pair[1]}; yet Q(S) > {pair[0]} P(S) + {pair[1]} for some "
            f"set S.",
            as_evidence(
                found,
                R=pair[0],
                delta=pair[1],
                epsilon=level(pair[0]),
                shift_of_the_other_order=hockey_stick(*found[::-1], pair[0]),
            ),
            lambda: pair in slopes(*found) and not differentially_private(*found[::-1], *pair),
        )


@claim(
    "streaming_cw.slopes-complete-repaired",
    where="Section 1.1, repaired",
    kind="lemma",
    says={
        "the region": said.SAME_REGION,
        "the least delta for every epsilon": said.SAME_SHIFTS,
    },
)
def slopes_complete_repaired(check: Check) -> None:
    """Prove that the two lists determine the region, and the least delta for every epsilon.

    The region. As in streaming_cw.slopes-complete.

    The least delta for every epsilon. It is the shift of the line of this slope that touches the
    region from below [streaming_cw.slope-shift-formula].
    """
    check.stated("the region")
    check.stated("the least delta for every epsilon")


@claim(
    "streaming_cw.slope-shift-formula",
    where="Section 1.1, item 2",
    kind="lemma",
    says={
        "a + R_i b = 1 - delta_i touches R(M,x,x') from below": said.SHIFT_TOUCHES,
        "no set has more than the hockey stick, a sum over outcomes": sets.SETS_WITHIN_PARTS,
        "a set has as much as the hockey stick": sets.PARTS_WITHIN_SETS,
        "at the largest finite slope delta_i is the probability under P of the outcomes with "
        "Q(y) = 0": said.LAST_SHIFT,
        "a larger slope has no larger shift": sets.LARGER_RATIO,
    },
)
def slope_shift_formula(check: Check) -> None:
    """Prove that a shift is a hockey stick, what it is at the last slope, and that it falls.

    A + R_i b = 1 - delta_i touches R(M,x,x') from below. Half-planes: A half-plane contains a
    region iff it contains the generating points (P(S), Q(S')), which belong to it
    [streaming_cw.x-mixtures]. Heights are shifts: The point (P(S), Q(S')) = (p, q_rest) lies on or
    above a + R b = 1 - delta iff P(S') <= R Q(S') + delta: the line lies below the region iff delta
    >= H_R(P||Q), and touches it iff delta = H_R(P||Q).

    At the largest finite slope delta_i is the probability under P of the outcomes with Q(y) = 0.
    Only outcomes with Q(y) = 0 count: P(y) <= R Q(y) wherever Q(y) > 0. An outcome adds max(0, P(y)
    - R Q(y)) to total, and P(y) to left if Q(y) = 0, else 0.
    """
    check.stated("a + R_i b = 1 - delta_i touches R(M,x,x') from below")
    check.stated("no set has more than the hockey stick, a sum over outcomes")
    check.stated("a set has as much as the hockey stick")
    check.stated(
        "at the largest finite slope delta_i is the probability under P of the outcomes with Q(y) "
        "= 0"
    )
    check.stated("a larger slope has no larger shift")


@claim(
    "streaming_cw.slope-orientation",
    where="Figure 1, Section 1.1, equation (1)",
    statement="R_i = e^epsilon_i = P(y)/Q(y) is called the slope of the tangent at y.",
    kind="definition",
    says={
        "R_i is the coefficient in a + R b = const along the edge of y": formula(
            "a + P_y + P_y/Q_y*(b - Q_y) = a + P_y/Q_y*b"
        )
    },
)
def slope_orientation(check: Check) -> None:
    """Proved for the coefficient of b in a + R b; false for that of a, and for derivatives.

    Constant along the edge: (a, b) belongs to S, and (a + P(y), b - Q(y)) to S with y.
    """
    check.formula("R_i is the coefficient in a + R b = const along the edge of y")
    coefficient = "R_i is the coefficient in R a + b = const along the edge of y"
    with check.reading(coefficient) as proof:
        _refute_orientation(
            proof,
            "R_i a + b changes by {}, not 0",
            lambda p, q: p / q * p - q,
            lambda p, q: Fraction(0),
            "R * item(edge, 0) + item(edge, 1) != 0",
        )
    with check.reading("R_i is db/da along the edge of y") as proof:
        _refute_orientation(
            proof,
            "db/da is {}, not R_i",
            lambda p, q: -q / p,
            lambda p, q: p / q,
            "item(edge, 1) / item(edge, 0) != R",
        )
    with check.reading("R_i is |db/da| along the edge of y") as proof:
        _refute_orientation(
            proof,
            "|db/da| is {}, not R_i",
            lambda p, q: q / p,
            lambda p, q: p / q,
            "-item(edge, 1) / item(edge, 0) != R",
        )


def _refute_orientation(
    proof: Proof, words: str, slope: Slope, claimed: Slope, formula: str
) -> None:
    def bad(rows: Rows) -> tuple[Fraction, Fraction] | None:
        listed = [(p, q) for p, q in zip(*rows) if q > 0 and p >= q]
        return next(((p, q) for p, q in listed if slope(p, q) != claimed(p, q)), None)

    found = proof.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first; the edge of each outcome with "
        "a slope.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    edge = None if found is None else bad(found)
    if found is not None and edge is not None:
        p, q = edge
        place = [*zip(*found)].index(edge)
        proof.counterexample(
            "another orientation",
            f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the edge of the outcome y "
            f"with R_i = P(y)/Q(y) = {p / q} has the direction (P(y), -Q(y)) = ({p}, {-q}), along "
            f"which {words.format(slope(p, q))}.",
            as_evidence(found, edge=(p, -q), R=p / q),
            lambda: slope(p, q) != claimed(p, q),
            f"item(P, {place}) = item(edge, 0) and item(Q, {place}) = -item(edge, 1) and "
            f"R * item(Q, {place}) = item(P, {place}) and {formula}",
        )
