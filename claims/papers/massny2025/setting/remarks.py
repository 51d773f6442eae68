"""Two remarks on definitions: how the measure relates to differential privacy, and the utility to
distances.

Coordinates of the mechanism are independent given X. Source: massny2025, section II, definition 2.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence.instances import NEVER, local
from pufferproof.claims.papers.massny2025.setting import remark_statements
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "L1": "the L1 norm, the sum of all |X_t - Y_t|",
    "L2": "the L2 norm, the root of the sum of all |X_t - Y_t|^2",
}


@claim(
    "massny2025.ldp-relations",
    where="Section II",
    statement="Lk <= eps is eps-Pufferfish privacy of the framework with the secrets X_p = 0 and "
    "X_p = 1 and the chain as its only prior. It demands more than differential privacy: for a "
    "local mechanism Lk <= eps implies the DP ratio <= e^eps for record p, and the converse is "
    "false. Dependent and Bayesian DP, called stricter still and close relatives, are read as: "
    "each of them, for record p, implies Lk <= eps.",
    kind="remark",
    says=remark_statements.RELATIONS,
)
def ldp_relations(check: Check) -> None:
    """Prove one implication for each, and that no converse holds.

    A pufferfish measure. The framework has the secrets X_p = 0 and X_p = 1, that one pair, and the
    chain as its only prior: the conditions are the same.

    Lk <= eps implies the DP ratio <= e^eps of Y as a function of record p. X_p is redacted, as Lk
    is finite [massny2025.self-redaction]: databases that differ in record p have equal output
    probabilities. Not conversely: n = 2, p = 1, a = b = 1/3, X_2 released: changing record 1 alone
    changes nothing, but the probabilities of Y_2 = 0 given X_1 = 0 and 1 have a ratio above R for
    every R below 2.

    Bayesian DP for record p implies Lk <= eps. The largest ratio is over any known X_K, also over
    no K.

    Dependent DP for record p, all other records dependent, implies Lk <= eps. Pr(y|X_p=v) averages
    Pr(y|x) over databases x with X_p = v: each term keeps the bound, and so do the averages on both
    sides [lemma.mediant].
    """


FORMULA = (
    "nu = (1/n) sum_t sum_x Pr(X_t=x)(1-r_t(x)) = 1 - E[distance]/n, Hamming, L1 or squared L2, |x "
    "- *| = 1"
)


@claim(
    "massny2025.utility",
    where="Definition 2",
    statement="nu = (1/n) E[ #{t : X_t = Y_t} ]; it coincides with Hamming, L1-norm and L2-norm "
    "distance for binary records.",
    kind="definition",
    repair="massny2025.utility-repaired",
    says={FORMULA: remark_statements.UTILITY},
)
def utility(check: Check) -> None:
    """Prove the formula, and that it is 1 minus a distance; refute that it is a distance.

    One more record: by linearity: with w (1 - r0) + v (1 - r1) the next record is right, and with w
    r0 + v r1 it is redacted, whatever the other records. Distances of one record: h is 0 if Y_t =
    X_t and 1 if Y_t = *: it is its own absolute value and square.
    """
    _formula_holds(check)
    name = "coincides with the Hamming, L1 or L2 distance"
    proved(check, name, "one counterexample", _no_distance)
    name = "1 - (L2 norm)/n or 1 - (L2 norm)/sqrt(n), |x - *| = 1"
    proved(check, name, "one counterexample", _irrational)


def _no_distance(proof: Proof) -> None:
    whole = local([NEVER])
    proof.counterexample(
        "one record, released",
        "Take n = 1 and release X_1. The paper claims that nu coincides with the distance of X "
        "and Y. The utility is 1, the largest possible, and every distance is 0. So nu can only "
        "coincide with 1 minus a distance",
        {"n": 1, "r_1": NEVER, "nu": Fraction(1), "distance": Fraction(0)},
        lambda: all(whole(x) == {x: 1} for x in "01"),
    )


def _irrational(proof: Proof) -> None:
    both = local([(Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(1))])
    proof.counterexample(
        "two records",
        "Take n = 2, and redact record 2 always and record 1 with probability 1/2, so that nu = "
        "1/4. Suppose that the claim means nu = 1 - (L2 norm)/n or 1 - (L2 norm)/sqrt(n). The "
        "norm is 1 or sqrt(2), each with probability 1/2. Its mean (1 + sqrt(2))/2 is irrational, "
        "and so is the quotient by sqrt(2): neither gives 1/4",
        {"n": 2, "r": [[Fraction(1, 2)] * 2, [Fraction(1)] * 2], "nu": Fraction(1, 4)},
        lambda: (
            sum(chance * sum(m != "*" for m in y) for y, chance in both("00").items()) / 2
            == Fraction(1, 4)
            and {y.count("*"): chance for y, chance in both("00").items()}
            == {1: Fraction(1, 2), 2: Fraction(1, 2)}
        ),
    )


@claim(
    "massny2025.utility-repaired",
    where="Definition 2, repaired",
    statement="nu = (1/n) sum_t sum_x Pr(X_t=x)(1-r_t(x)), and nu = 1 - E[d]/n for d the Hamming "
    "distance, the sum of all |X_t - Y_t| or the sum of all |X_t - Y_t|^2, where |x - *| = 1.",
    kind="repair of massny2025.utility",
    says=remark_statements.UTILITY,
)
def utility_repaired(check: Check) -> None:
    """Prove the formula and the relation with distances.

    As in massny2025.utility.
    """
    _formula_holds(check)


def _formula_holds(check: Check) -> None:
    check.tried(FORMULA)
