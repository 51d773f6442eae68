"""Two remarks on definitions: how the measure relates to differential privacy, and the utility to
distances.

Coordinates of the mechanism are independent given X. Source: massny2025, section II, definition 2.
"""

from fractions import Fraction

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.papers.massny2025.influence.instances import (
    NEVER,
    chain,
    given,
    largest_ratio,
    leakage,
    local,
    marginal,
    released,
)
from pufferproof.claims.papers.massny2025.lower.statement import THIRD
from pufferproof.claims.papers.massny2025.setting import remark_statements
from pufferproof.claims.registry import Check, claim

R = letter("R", "e^eps, or a bound of ratios", at_least(1))
P, Q = letters("P Q", "probabilities of an output, given X_p = 0 and given X_p = 1")
M = letter("M", "the larger one of P/Q and Q/P")
r, s = letters("r s", "Pr(Y_p=*|X_p=0), Pr(Y_p=*|X_p=1), or what is multiplied with k")
k = letter("k", "the factor of the other coordinates", at_least(0))
alone = letter("alone", "e^Lk, the largest ratio given X_p alone")
informed = letter("informed", "the largest ratio given X_p and any other known records")
A, B = letters(
    "A B", "probabilities of y, given a database or X_p = v, and X_p = 1 - v", at_least(0)
)
weights = letter("weights", "the sum of the weights")
records = letter("records", "the number of the first records")
right = letter("right", "the expected number of them with X_t = Y_t")
distance = letter("distance", "their expected distance, each * at distance 1")
w, v = letters("w v", "the probabilities of the values 0 and 1 of the next record", above(0))
r0, r1 = letters("r0 r1", "the probabilities with which these values are redacted")
h = letter("h", "0 if Y_t = X_t, 1 if Y_t = *")
REDACTED = w * r0 + v * r1
RELEASED = w * (1 - r0) + v * (1 - r1)
HALF_A_RECORD = Edit(
    "one more record: step",
    instead=Eq(right + RELEASED, records + 1 - (distance + REDACTED / 2)),
)
COIN = chain("1/2", "1/2")
NOTATION = {
    "L1": "the L1 norm, the sum of all |X_t - Y_t|",
    "L2": "the L2 norm, the root of the sum of all |X_t - Y_t|^2",
}
PUFFERFISH = "a pufferfish measure"
LOCAL = "Lk <= eps implies the DP ratio <= e^eps of Y as a function of record p"
BAYES = "Bayesian DP for record p implies Lk <= eps"
DEPENDENT = "dependent DP for record p, all other records dependent, implies Lk <= eps"


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
    """Prove one implication for each, and that no converse holds."""
    scope = "every n, p and mechanism"
    proved(check, PUFFERFISH, scope, _same, one_order_of_the_pair=_one_order)
    proved(
        check,
        LOCAL,
        "every n, p and local mechanism",
        _differential,
        the_converse=_only_one,
        for_every_record=_every_record,
    )
    proved(check, BAYES, scope, _nothing_known, the_converse=_bayes)
    single = {"only databases that differ in record p alone": _only_one}
    proved(check, DEPENDENT, scope, _dependent, **single)


def _same(proof: Proof) -> None:
    proof.inequality(
        "the same condition",
        "The framework has the secrets X_p = 0 and X_p = 1, that one pair, and the chain as "
        "its only prior. If one of P, Q is 0 both conditions ask that the other is",
        sympy.Equivalent(M <= R, And(P <= R * Q, Q <= R * P)),
        [P > 0, Q > 0, M * Q >= P, M * P >= Q, Or(Eq(M * Q, P), Eq(M * P, Q))],
    )


def _nothing_known(proof: Proof) -> None:
    proof.inequality(
        "nothing known",
        "the largest ratio is over any known X_K, K not containing p: also over no K",
        alone <= R,
        [alone <= informed, informed <= R],
        for_any=[R],
    )


def _one_order(proof: Proof) -> None:
    proof.inequality(
        "one order only",
        "P, Q, R as above",
        Implies(P <= R * Q, Q <= R * P),
        [P >= 0, Q >= 0],
    )


def _differential(proof: Proof) -> None:
    proof.cite(
        "X_p is redacted",
        "as Lk is finite: r = Pr(Y_p=*|X_p=0) = 1, s = Pr(Y_p=*|X_p=1) = 1",
        "massny2025.self-redaction",
    )
    proof.inequality(
        "DP in record p",
        "Databases that differ in record p have output probabilities r k and s k, k from the other "
        "coordinates",
        And(r * k <= R * (s * k), s * k <= R * (r * k)),
        [Eq(r, 1), Eq(s, 1)],
    )
    third = sympy.Rational(1, 3)
    proof.inequality(
        "not conversely",
        "n = 2, p = 1, a = b = 1/3, X_2 released: changing record 1 alone changes nothing, ratio "
        "r/s = 1. But P and Q, the probabilities of Y_2 = 0 given X_1 = 0 and 1, have a ratio "
        "above R for every R below 2",
        And(P > R * Q, r <= R * s),
        [Eq(P, 2 * third), Eq(Q, third), Eq(r, s), s > 0, R < 2],
    )


def _every_record(proof: Proof) -> None:
    mechanism = local(released(2, [2]))
    proof.exhaust(
        "a neighbour is released",
        "n = 2, p = 1, a = b = 1/2: Lk = 0, and record 2 is told",
        [("00", "01")],
        lambda pair: (
            leakage(COIN, 2, 1, mechanism) == 1 and largest_ratio(*map(mechanism, pair)) == 1
        ),
    )


def _bayes(proof: Proof) -> None:
    """n = 3, p = 1, X_2 released: given X_3 the ratio of X_2 = 0 is 5/2, otherwise at most 2."""

    def holds(at: tuple[int, int]) -> bool:
        laws = [marginal(given(THIRD, *at, value), (2, 3)) for value in (0, 1)]
        behind = [marginal(given(THIRD, *at, value), (3,)) for value in (0, 1)]
        known = [{y: law[y + "1"] / last["1"] for y in "01"} for law, last in zip(laws, behind)]
        bound = leakage(THIRD, *at, local(released(3, [2])))
        ratio = largest_ratio(*known)
        return bound is not None and ratio is not None and ratio <= bound

    proof.exhaust("an adversary who knows X_3", "a = b = 1/3", [(3, 1)], holds)


def _dependent(proof: Proof) -> None:
    all_of_them = "the sum of the weights is 1"
    proof.cite(
        "averages on the left",
        "B = Pr(y|x') is fixed; A = sum of w Pr(y|x) over databases x with X_p = v, weights w "
        "of sum 1: each term keeps the bound, so the sum does",
        "lemma.mediant",
    )
    proof.inequality(
        "averages on the left: all of them",
        all_of_them,
        A <= R * B,
        [A <= R * (weights * B), Eq(weights, 1)],
    )
    proof.cite(
        "averages on the right",
        "A = Pr(y|X_p=v) is fixed; B = sum of w Pr(y|x') over databases x' with X_p = 1 - v: each "
        "term keeps the bound, so the sum does",
        "lemma.mediant",
    )
    proof.inequality(
        "averages on the right: all of them",
        all_of_them,
        A <= R * B,
        [weights * A <= R * B, Eq(weights, 1)],
    )


def _only_one(proof: Proof) -> None:
    proof.exhaust(
        "a neighbour is released",
        "n = 2, p = 1, a = b = 1/3, X_2 released: changing record 1 alone changes nothing, DP of "
        "record 1 has ratio 1",
        [(2, 1)],
        lambda at: leakage(THIRD, *at, local(released(2, [2]))) == 1,
    )


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
    """Prove the formula, and that it is 1 minus a distance; refute that it is a distance."""
    _formula_holds(check)
    name = "coincides with the Hamming, L1 or L2 distance"
    proved(check, name, "one counterexample", _no_distance)
    name = "1 - (L2 norm)/n or 1 - (L2 norm)/sqrt(n), |x - *| = 1"
    proved(check, name, "one counterexample", _irrational)


def _no_distance(proof: Proof) -> None:
    whole = local([NEVER])
    proof.counterexample(
        "one record, released",
        "n = 1, X_1 released. Claimed: nu coincides with the distance of X and Y. The utility "
        "is 1, the largest, and every distance is 0: it is 1 minus a distance that it may "
        "coincide with",
        {"n": 1, "r_1": NEVER, "nu": Fraction(1), "distance": Fraction(0)},
        lambda: all(whole(x) == {x: 1} for x in "01"),
    )


def _irrational(proof: Proof) -> None:
    both = local([(Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(1))])
    proof.counterexample(
        "two records",
        "n = 2, record 2 always redacted and record 1 with probability 1/2, so that nu = 1/4. "
        "Read as: nu = 1 - (L2 norm)/n or /sqrt(n). The norm is 1 or sqrt(2) with probability "
        "1/2, its mean (1 + sqrt(2))/2 irrational, as is its quotient by sqrt(2): neither "
        "gives 1/4",
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
    """Prove the formula and the relation with distances."""
    _formula_holds(check)


def _formula_holds(check: Check) -> None:
    near_miss = {"* counted as half a record": HALF_A_RECORD}
    proved(check, FORMULA, "every n, chain and local mechanism", _formula, **near_miss)


def _formula(proof: Proof) -> None:
    proof.induction(
        "one more record",
        "by linearity: with w (1 - r0) + v (1 - r1) the next record is right, and with w r0 + v r1 "
        "it is redacted, whatever the other records",
        base=(Eq(right, records - distance), [Eq(records, 0), Eq(right, 0), Eq(distance, 0)]),
        step=(
            Eq(right + RELEASED, records + 1 - (distance + REDACTED)),
            [Eq(right, records - distance), Eq(w + v, 1)],
        ),
    )
    proof.inequality(
        "distances of one record",
        "h is 0 if Y_t = X_t and 1 if Y_t = *: it is its own absolute value and square",
        And(Eq(h, h**2), h >= 0),
        [Or(Eq(h, 0), Eq(h, 1))],
    )
