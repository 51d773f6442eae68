"""Differential privacy as linear inequalities between events, and as inclusion of regions in the
plane.

Derives Theorem 1 (two inequalities per event) and Theorem 2 (R(M) in R(epsilon, delta)), for any
number of outcomes, and refutes the reading of Theorem 1 for one order of neighbours. Letters:
`plane_letters`. Source: "Composition Theorem for streaming CW-privacy", Section 1.1.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import And, Eq, Implies

from pufferproof.claims.papers.streaming_cw.plane.letters import (
    ALL,
    BOTH_ORDERS,
    DELTA,
    DROPPED,
    HEIGHT,
    LEVEL,
    P_REST,
    Q_REST,
    TOTAL,
    UNIT,
    WEIGHT,
    A,
    B,
    C,
    P,
    Q,
    R,
    W,
)
from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Rows,
    allowed,
    as_evidence,
    differentially_private,
    generating_points,
    hockey_stick,
    level,
    listed,
    two_rows,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = LETTERS


@claim(
    "streaming_cw.def-kernel",
    where="Section 1.1",
    statement="With finite sets X of databases and Y of outcomes, a mechanism is a Markov matrix "
    "with rows M(x).",
    kind="definition",
)
def def_kernel(check: Check) -> None:
    with check.reading("as printed") as argument:
        argument.definition(
            "kernel",
            "A mechanism is an n x m matrix with non-negative entries whose rows sum to 1.",
        )


@claim(
    "streaming_cw.thm1",
    where="Theorem 1",
    statement="M is (epsilon, delta)-differentially private iff for all neighbours x, x' and all "
    "sets S of outcomes P(S) + R Q(S') >= 1 - delta and R P(S) + Q(S') >= 1 - delta.",
    assumes=[
        "epsilon >= 0",
        "0 <= delta <= 1",
        "(epsilon, delta)-privacy bounds P(S) by R Q(S) + delta in both orders",
    ],
)
def thm1(check: Check) -> None:
    name = "each unordered pair of neighbours once"
    with check.reading(name, ALL) as argument:
        prove_equivalent_to_privacy(argument)
    first, second = first_inequality(), second_inequality()
    check.near_miss(
        f"{name}: the second inequality dropped", lambda a: prove_equivalent_to_privacy(a, first)
    )
    check.near_miss(
        f"{name}: the first inequality dropped", lambda a: prove_equivalent_to_privacy(a, second)
    )
    name = "neighbours listed in both orders"
    with check.reading(name, ALL) as argument:
        prove_equivalent_to_privacy(argument, And(region(), exchanged(region())))
    check.near_miss(
        f"{name}: one inequality in one order", lambda a: prove_equivalent_to_privacy(a, first)
    )
    with check.reading("an equivalence for each single ordered pair") as argument:
        refute_single_order(argument)


def first_inequality() -> Any:
    """P(S) + R Q(S') >= 1 - delta, at a set and at its complement."""
    return And(P + R * Q_REST >= 1 - DELTA, P_REST + R * Q >= 1 - DELTA)


def second_inequality() -> Any:
    """R P(S) + Q(S') >= 1 - delta, at a set and at its complement."""
    return And(R * P + Q_REST >= 1 - DELTA, R * P_REST + Q >= 1 - DELTA)


def region() -> Any:
    """Both printed inequalities at a set and at its complement."""
    return And(first_inequality(), second_inequality())


def exchanged(formula: Any) -> Any:
    """Return the same for the opposite order of the two databases."""
    return formula.subs({P: Q, Q: P, P_REST: Q_REST, Q_REST: P_REST}, simultaneous=True)


ROWS = "p = P(S) and p_rest = P(S'), which sum to 1, and so do q = Q(S) and q_rest = Q(S')"


def prove_equivalent_to_privacy(argument: Argument, printed: Any = None, rows: str = ROWS) -> None:
    """Privacy in both orders at S and S' is the same as the printed inequalities at S and S';
    `rows` says whose laws.
    """
    printed = region() if printed is None else printed
    domain = UNIT + LEVEL
    argument.inequality(
        "privacy gives the inequalities",
        f"{rows}: the bound of P(S') by Q(S') gives the first inequality at S, and that of Q(S) by "
        f"P(S) the second.",
        Implies(BOTH_ORDERS, printed),
        domain,
    )
    argument.inequality(
        "the inequalities give privacy",
        "As S runs through all sets so does S', and the inequalities at both bound P(S) by R Q(S) "
        "+ delta and Q(S) by R P(S) + delta.",
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
        "Two rows, fewest outcomes and smallest denominators first, R in {1, 2, 3}, delta in {0, "
        "1/2, 1}.",
        family(),
        holds,
    )
    if found is not None:
        (p, q), ratio, shift = found
        argument.counterexample(
            "one order is not enough",
            f"For P = ({listed(p)}) and Q = ({listed(q)}) the bound P(S) <= {ratio} Q(S) + {shift} "
            f"holds for every set S, yet the second inequality fails for some S: the other order "
            f"needs the shift {hockey_stick(q, p, ratio)}.",
            as_evidence(
                (p, q),
                R=ratio,
                delta=shift,
                epsilon=level(ratio),
                shift_of_the_other_order=hockey_stick(q, p, ratio),
            ),
            lambda: not holds(((p, q), ratio, shift)),
        )


@claim(
    "streaming_cw.x-one-inequality",
    where="beside Theorem 1",
    statement="For epsilon >= 0 and 0 <= delta <= 1, with neighbours listed in both orders, P(S) + "
    "R Q(S') >= 1 - delta for all sets S of outcomes is equivalent to (epsilon, "
    "delta)-differential privacy: the second inequality of Theorem 1 is the first for the "
    "opposite order, at the complement.",
    kind="lemma",
)
def one_inequality(check: Check) -> None:
    twice = And(first_inequality(), exchanged(first_inequality()))
    with check.reading("both orders listed", ALL) as argument:
        prove_equivalent_to_privacy(argument, twice)
    check.near_miss(
        "both orders listed: one order",
        lambda a: prove_equivalent_to_privacy(a, first_inequality()),
    )


@claim(
    "streaming_cw.thm2",
    where="Theorem 2",
    statement="M is (epsilon, delta)-differentially private iff R(M) is contained in R(epsilon, "
    "delta).",
    assumes=["epsilon >= 0", "0 <= delta <= 1"],
)
def thm2(check: Check) -> None:
    half = region().subs(DELTA, DELTA / 2)
    name = "R(M) as in Definition 1, the union"
    with check.reading(name, ALL) as argument:
        prove_inclusion_test(
            argument, "each R(M,x,x') lies in R(epsilon, delta) iff its generating points do"
        )
    check.near_miss(f"{name}: delta halved", lambda a: prove_inclusion_test(a, printed=half))
    name = "the convex hull of R(M)"
    with check.reading(name, ALL) as argument:
        prove_inclusion_test(
            argument, "the hull of R(M) is that of the generating points of all pairs of neighbours"
        )
    check.near_miss(f"{name}: delta halved", lambda a: prove_inclusion_test(a, printed=half))
    name = "R(epsilon, delta) in the unit square"
    with check.reading(name, ALL) as argument:
        prove_inclusion_test(argument)
        _prove_square(argument)
    check.near_miss(f"{name}: delta halved", lambda a: prove_inclusion_test(a, printed=half))
    check.near_miss(f"{name}: weights of any sign", lambda a: _prove_square(a, DROPPED))


def _prove_square(argument: Argument, signs: list[Any] | None = None) -> None:
    """Mixtures of points of the unit square lie in it."""
    signs = [WEIGHT >= 0] if signs is None else signs
    argument.induction(
        "the square costs nothing",
        "Generating points (p, q_rest) lie in the unit square; a, b sum weight p, weight q_rest "
        "and w sums weights, which sum to 1 in the end: every mixture lies in the square, so that "
        "containment in R(epsilon, delta) and in its part in the square are the same",
        (And(A >= 0, A <= W, B >= 0, B <= W), [Eq(A, 0), Eq(B, 0), Eq(W, 0)]),
        (
            And(
                A + WEIGHT * P >= 0,
                A + WEIGHT * P <= W + WEIGHT,
                B + WEIGHT * Q_REST >= 0,
                B + WEIGHT * Q_REST <= W + WEIGHT,
            ),
            [A >= 0, A <= W, B >= 0, B <= W, *signs, *UNIT],
        ),
    )


def prove_inclusion_test(
    argument: Argument, points: str = "", printed: Any = None, rows: str = ROWS
) -> None:
    """A half-plane contains a hull iff it contains the generating points (P(S), Q(S')), where
    it is Theorem 1.
    """
    cite_mixtures(argument, points)
    prove_equivalent_to_privacy(argument, printed, rows)


@claim(
    "streaming_cw.x-mixtures",
    where="beside Section 1.1",
    statement="A half-plane that contains finitely many points contains their convex hull.",
    kind="lemma",
)
def mixtures(check: Check) -> None:
    with check.reading("as stated", ALL) as argument:
        prove_half_plane_contains_mixtures(argument)
    check.near_miss(
        "as stated: weights of any sign", lambda a: prove_half_plane_contains_mixtures(a, DROPPED)
    )


def cite_mixtures(argument: Argument, points: str = "") -> None:
    """Use that generating points decide whether a half-plane contains a region."""
    sentence = (
        "A half-plane contains a region iff it contains the generating points (P(S), Q(S')), which "
        "belong to it"
    )
    argument.cite(
        "half-planes", f"{sentence}{'; ' if points else ''}{points}.", "streaming_cw.x-mixtures"
    )


def prove_half_plane_contains_mixtures(argument: Argument, signs: list[Any] | None = None) -> None:
    """A half-plane that contains finitely many points contains all their mixtures."""
    signs = [WEIGHT >= 0] if signs is None else signs
    argument.induction(
        "a half-plane contains the mixtures of its points",
        "The weighted sum of heights u a + v b >= c is at least c times the sum of weights; the "
        "weights sum to 1 in the end",
        (WEIGHT * HEIGHT >= WEIGHT * C, [HEIGHT >= C, *signs]),
        (TOTAL + WEIGHT * HEIGHT >= (W + WEIGHT) * C, [TOTAL >= W * C, HEIGHT >= C, *signs]),
    )
