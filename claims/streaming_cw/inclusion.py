"""Differential privacy as linear inequalities between events, and as inclusion of regions in the plane.

Proves Theorem 1 (two inequalities per event) and Theorem 2 (R(M) in R(epsilon, delta)), for any number of outcomes, and
refutes the reading of Theorem 1 for one order of neighbours. Letters: `plane_letters`. Source: "Composition Theorem for
streaming CW-privacy", Section 1.1.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import And, Implies

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw.planar import (
    Rows,
    allowed,
    as_evidence,
    differentially_private,
    generating_points,
    hockey_stick,
    level,
    two_rows,
)
from pufferproof.claims.streaming_cw.plane_letters import (
    ALL,
    BOTH_ORDERS,
    DELTA,
    DROPPED,
    HEIGHT,
    LEVEL,
    TOTAL,
    UNIT,
    WEIGHT,
    C,
    P,
    Q,
    R,
    W,
)
from pufferproof.verify.proof import Argument


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
            as_evidence(
                (p, q), R=ratio, delta=shift, epsilon=level(ratio), shift_of_the_other_order=hockey_stick(q, p, ratio)
            ),
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
