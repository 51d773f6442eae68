"""Theorem 5.2: which sets of NfC constraints survive post-processing. All of them do.

For one-hot weights the theorem is right. The converse is false, with the direction of an inequality
of means exchanged in its proof: weighted geometric means are superadditive, so that the outputs
which satisfy a constraint form a convex cone, whatever the weights are. Source: bai2026, Section
5.2.
"""

from fractions import Fraction

from pufferproof.claims.language import PRINTED, Proof, at_least, letter, letters
from pufferproof.claims.papers.bai2026.composition import said
from pufferproof.claims.papers.bai2026.composition.instances import channel_of, one_pair, satisfies
from pufferproof.claims.papers.bai2026.statements import constraints
from pufferproof.claims.registry import Check, claim

ratio = letter("ratio", "E_i, e to the level of a constraint")
at_a, at_b, at_c = letters(
    "at_a at_b at_c", "the likelihoods of an output at a, b and c", at_least(0)
)
more_a, more_b, more_c = letters("more_a more_b more_c", "those of another output", at_least(0))

HALF = Fraction(1, 2)
NOTATION = {
    "beta": "weights: beta_l >= 0 with sum 1, one for each D_l with the second secret of the pair; "
    "beta^(i) those of the i-th constraint of a set",
    "D*": "the database on the left of two constraints",
    "one-hot": "of weights: one of them is 1, the others are 0",
    "non-redundant": "of a set of constraints: none is implied by the others",
    "E": "e to the level of a constraint",
}


@claim(
    "bai2026.redundant",
    where="Section 5.2",
    statement="A constraint is redundant if it is implied by the others. From two NfC constraints "
    "of the same D* at the same epsilon, with weights beta^(0) and beta^(1), every c in (0, 1) "
    "gives a redundant one with the weights beta^(c) = c beta^(1) + (1 - c) beta^(1).",
    kind="definition",
    says={
        "beta^(c) = c beta^(1) + (1 - c) beta^(1), as printed": constraints.REDUNDANT_PRINTED,
        "beta^(c) = c beta^(1) + (1 - c) beta^(0)": constraints.REDUNDANT,
    },
)
def redundant(check: Check) -> None:
    """Prove that the example is redundant, as printed and with beta^(0) in the second term.

    Beta^(c) = c beta^(1) + (1 - c) beta^(1), as printed. These weights are beta^(1): the third
    constraint is the second. (A likelihood 0 of positive weight makes the left side minus infinity
    in both.)

    Beta^(c) = c beta^(1) + (1 - c) beta^(0). The new entries are not negative and sum to 1; the sum
    of logarithms Z = c X + (1 - c) Y: d <= e + X and d <= e + Y give d <= e + Z. If a likelihood of
    positive weight is 0, its weight is positive in one of the two constraints, which says that
    M(D*)(w) is 0.
    """
    check.tried("beta^(c) = c beta^(1) + (1 - c) beta^(1), as printed")
    check.tried("beta^(c) = c beta^(1) + (1 - c) beta^(0)")
    with check.reading("the word") as proof:
        proof.definition(
            "redundant",
            "A constraint of a set is redundant if every likelihood vector that satisfies the "
            "others satisfies it",
            "intersection of the others, inside the constraint",
        )


@claim(
    "bai2026.ppi-if",
    where="Theorem 5.2, first part",
    statement="If the weights beta^(i) of each of finitely many non-redundant NfC constraints are "
    "one-hot, the set is post-processing invariant: if M satisfies it, so does A o M, for "
    "every randomised A.",
    says={PRINTED: said.INVARIANT_ONE_HOT},
)
def ppi_if(check: Check) -> None:
    """Coq proves it for any list of one-hot constraints, redundant or not."""


@claim(
    "bai2026.ppi-onlyif",
    where="Theorem 5.2, second part",
    statement="If the weights beta^(i) of at least one of finitely many non-redundant NfC "
    "constraints have two or more nonzero entries, the set is not post-processing invariant; a "
    "non-redundant set is invariant iff all its constraints are DP-style, with one-hot weights.",
    repair="bai2026.ppi-onlyif-repaired",
)
def ppi_onlyif(check: Check) -> None:
    """Refute both wordings by the smallest set that the theorem speaks of."""
    with check.reading("at least one beta with two nonzero entries", "one counterexample") as proof:
        _invariant(proof, [HALF, HALF])
    with check.reading("invariant iff all constraints are DP-style", "one counterexample") as proof:
        _invariant(proof, [HALF, HALF])
    with check.reading("epsilon = 0", "one counterexample") as proof:
        _invariant(proof, [HALF, HALF], Fraction(1))


def closed_for_even_weights(proof: Proof) -> bool:
    """Prove that what satisfies a constraint with the weights (1/2, 1/2) still does after any
    randomised processing.
    """
    return proof.inequality(
        "outputs merged",
        "For these weights the constraint of one output is at_a^2 <= ratio^2 at_b at_c. If two "
        "outputs satisfy it so does their sum. Both sides of that of a multiple gain the same "
        "factor, and an output of a randomised processing is a sum of multiples of old ones",
        (at_a + more_a) ** 2 <= ratio**2 * (at_b + more_b) * (at_c + more_c),
        [at_a**2 <= ratio**2 * at_b * at_c, more_a**2 <= ratio**2 * more_b * more_c, ratio >= 1],
    )


def _invariant(proof: Proof, weights: list[Fraction], level: Fraction = Fraction(2)) -> None:
    closed = closed_for_even_weights(proof)
    beta = dict(zip("bc", weights))
    framework = one_pair({"a": Fraction(1)}, {"b": HALF, "c": HALF})
    one, zero = Fraction(1), Fraction(0)
    kept = channel_of({"a": [HALF, HALF], "b": [HALF, HALF], "c": [HALF, HALF]})
    broken = channel_of({"a": [one, zero], "b": [zero, one], "c": [zero, one]})
    proof.counterexample(
        "a single constraint with weights (1/2, 1/2)",
        "Let the set have one constraint, M(a)(w)^2 <= e^(2 epsilon) M(b)(w) M(c)(w) for all w, "
        "with the weights 1/2 on b and on c. It has two nonzero entries and is not redundant, as "
        "some mechanism violates it. But sums and multiples of outputs that satisfy it satisfy it, "
        "so that every mechanism with this constraint keeps it after every randomised processing. "
        "Fewer databases have no two entries",
        {
            "D": "a",
            "weights": beta,
            "e^epsilon": level,
            "framework": framework,
            "a mechanism that satisfies it": kept,
            "a mechanism that violates it": broken,
        },
        lambda: (
            closed
            and sum(weight > 0 for weight in weights) == 2
            and satisfies(kept, "a", beta, level)
            and not satisfies(broken, "a", beta, level)
        ),
    )


@claim(
    "bai2026.ppi-onlyif-repaired",
    where="Theorem 5.2, repaired",
    statement="Every set of NfC constraints, redundant or not, is post-processing invariant, "
    "whatever the weights: for a mechanism M with finitely many outputs, a database D, weights "
    "beta_l >= 0 with sum 1 on finitely many D_l and E >= 0, if M(D)(w) <= E prod_l "
    "M(D_l)(w)^beta_l, with 0^0 = 1, for all outputs w of M, then the same holds for all "
    "outputs of A o M, for every randomised A.",
    kind="repair of bai2026.ppi-onlyif",
    says={"all weights": said.INVARIANT},
)
def ppi_onlyif_repaired(check: Check) -> None:
    """Coq proves invariance for all weights."""
