"""Differential privacy as linear inequalities between events, and as inclusion of regions in the
plane.

States Theorem 1 (two inequalities per event) and Theorem 2 (R(M) in R(epsilon, delta)), which Coq
proves for any number of outcomes, and refutes the reading of Theorem 1 for one order of neighbours.
Letters: `letters.py`. Source: "Composition Theorem for streaming CW-privacy", Section 1.1.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.streaming_cw import said
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
from pufferproof.claims.papers.streaming_cw.plane.statements.shape import MIXTURES
from pufferproof.claims.registry import Check, claim

NOTATION = LETTERS


@claim(
    "streaming_cw.def-kernel",
    where="Section 1.1",
    statement="With finite sets X of databases and Y of outcomes, a mechanism is a Markov matrix "
    "with rows M(x).",
    kind="definition",
)
def def_kernel(check: Check) -> None:
    with check.reading("as printed") as proof:
        proof.definition(
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
    says={
        "each unordered pair of neighbours once": said.BY_INEQUALITIES,
        "neighbours listed in both orders": said.BY_INEQUALITIES_BOTH_WAYS,
    },
)
def thm1(check: Check) -> None:
    check.stated("each unordered pair of neighbours once")
    check.stated("neighbours listed in both orders")
    with check.reading("an equivalence for each single ordered pair") as proof:
        refute_single_order(proof)


def refute_single_order(proof: Proof) -> None:
    def holds(instance: tuple[Rows, Fraction, Fraction]) -> bool:
        rows, ratio, shift = instance
        inside = all(allowed(point, ratio, shift) for point in generating_points(*rows))
        return differentially_private(*rows, ratio, shift) == inside

    def family() -> Iterator[tuple[Rows, Fraction, Fraction]]:
        for rows in two_rows(2, 2):
            for ratio in (1, 2, 3):
                for shift in (0, Fraction(1, 2), 1):
                    yield rows, Fraction(ratio), Fraction(shift)

    found = proof.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first, R in {1, 2, 3}, delta in {0, "
        "1/2, 1}.",
        family(),
        holds,
    )
    if found is not None:
        rows, ratio, shift = found
        other = hockey_stick(*rows[::-1], ratio)
        values = {"R": ratio, "delta": shift, "epsilon": level(ratio)}
        proof.counterexample(
            "one order is not enough",
            f"For P = ({listed(rows[0])}) and Q = ({listed(rows[1])}) the bound P(S) <= {ratio} "
            f"Q(S) + {shift} holds for every set S, yet the second inequality fails for some S: "
            f"the other order needs the shift {other}.",
            as_evidence(rows, **values, shift_of_the_other_order=other),
            lambda: not holds(found),
        )


@claim(
    "streaming_cw.x-one-inequality",
    where="beside Theorem 1",
    statement="For epsilon >= 0 and 0 <= delta <= 1, with neighbours listed in both orders, P(S) + "
    "R Q(S') >= 1 - delta for all sets S of outcomes is equivalent to (epsilon, "
    "delta)-differential privacy: the second inequality of Theorem 1 is the first for the "
    "opposite order, at the complement.",
    kind="lemma",
    says=said.BY_ONE_INEQUALITY,
)
def one_inequality(check: Check) -> None:
    check.stated("both orders listed")


@claim(
    "streaming_cw.thm2",
    where="Theorem 2",
    statement="M is (epsilon, delta)-differentially private iff R(M) is contained in R(epsilon, "
    "delta).",
    assumes=["epsilon >= 0", "0 <= delta <= 1"],
    says={
        "R(M) as in Definition 1, the union": said.BY_REGIONS,
        "the convex hull of R(M)": said.BY_HULL,
        "R(epsilon, delta) in the unit square": said.IN_SQUARE,
    },
)
def thm2(check: Check) -> None:
    check.stated("R(M) as in Definition 1, the union")
    check.stated("the convex hull of R(M)")
    check.stated("R(epsilon, delta) in the unit square")


@claim(
    "streaming_cw.x-mixtures",
    where="beside Section 1.1",
    statement="A half-plane that contains finitely many points contains their convex hull.",
    kind="lemma",
    says=MIXTURES,
)
def mixtures(check: Check) -> None:
    """A half-plane contains the mixtures of its points: The weighted sum of heights u a + v b >= c
    is at least c times the sum of weights; the weights sum to 1 in the end.
    """
