"""Two remarks on definitions: how the measure relates to differential privacy, and the utility to
distances.

Coordinates of the mechanism are independent given X. Source: massny2025, section II, definition 2.
"""

from fractions import Fraction

import sympy
from sympy import And, Eq, Implies, Or

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
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

P, Q, R, M, A, B, c = sympy.symbols("P Q R M A B c")
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
)
def ldp_relations(check: Check) -> None:
    """Prove one implication for each, and that no converse holds."""
    with check.reading(PUFFERFISH, "every n, p and mechanism") as argument:
        argument.inequality(
            "the same condition",
            "The framework has the secrets X_p = 0 and X_p = 1, that one pair, and the chain as "
            "its only prior. P, Q > 0 are the probabilities of y given the two secrets, M the "
            "larger of P/Q and Q/P. If one is 0 both conditions ask that the other is",
            sympy.Equivalent(M <= R, And(P <= R * Q, Q <= R * P)),
            [P > 0, Q > 0, R >= 1, M * Q >= P, M * P >= Q, Or(Eq(M * Q, P), Eq(M * P, Q))],
        )
    check.near_miss(f"{PUFFERFISH}: one order of the pair", _one_order)
    with check.reading(LOCAL, "every n, p and local mechanism") as argument:
        _differential(argument)
    check.near_miss(f"{LOCAL}: the converse", lambda argument: _converse(argument))
    check.near_miss(f"{LOCAL}: for every record", lambda argument: _every_record(argument))
    with check.reading(BAYES, "every n, p and mechanism") as argument:
        argument.inequality(
            "nothing known",
            "B is the largest ratio given X_p and any known X_K, K not containing p; A, for no K, "
            "is e^Lk",
            A <= R,
            [A <= B, B <= R],
        )
    check.near_miss(f"{BAYES}: the converse", _bayes)
    with check.reading(DEPENDENT, "every n, p and mechanism") as argument:
        _dependent(argument)
    check.near_miss(f"{DEPENDENT}: only databases that differ in record p alone", _only_one)


def _one_order(argument: Argument) -> None:
    argument.inequality(
        "one order only",
        "P, Q, R as above",
        Implies(P <= R * Q, Q <= R * P),
        [P >= 0, Q >= 0, R >= 1],
    )


def _differential(argument: Argument) -> None:
    r, s, k = sympy.symbols("r s k")
    argument.cite(
        "X_p is redacted",
        "as Lk is finite: r = Pr(Y_p=*|X_p=0) = 1, s = Pr(Y_p=*|X_p=1) = 1",
        "massny2025.self-redaction",
    )
    argument.inequality(
        "DP in record p",
        "Databases that differ in record p have output probabilities r k and s k, k from the other "
        "coordinates",
        And(r * k <= R * (s * k), s * k <= R * (r * k)),
        [Eq(r, 1), Eq(s, 1), k >= 0, R >= 1],
    )
    third = sympy.Rational(1, 3)
    argument.inequality(
        "not conversely",
        "n = 2, p = 1, a = b = 1/3, X_2 released: changing record 1 alone changes nothing, ratio "
        "r/s = 1. But P and Q, the probabilities of Y_2 = 0 given X_1 = 0 and 1, have a ratio "
        "above R for every R below 2",
        And(P > R * Q, r <= R * s),
        [Eq(P, 2 * third), Eq(Q, third), Eq(r, s), s > 0, R >= 1, R < 2],
    )


def _converse(argument: Argument) -> None:
    argument.exhaust(
        "a neighbour is released",
        "n = 2, p = 1, a = b = 1/3, X_2 released: DP of record 1 has ratio 1",
        [(2, 1)],
        lambda at: leakage(THIRD, *at, local(released(2, [2]))) == 1,
    )


def _every_record(argument: Argument) -> None:
    mechanism = local(released(2, [2]))
    argument.exhaust(
        "a neighbour is released",
        "n = 2, p = 1, a = b = 1/2: Lk = 0, and record 2 is told",
        [("00", "01")],
        lambda pair: (
            leakage(COIN, 2, 1, mechanism) == 1 and largest_ratio(*map(mechanism, pair)) == 1
        ),
    )


def _bayes(argument: Argument) -> None:
    """n = 3, p = 1, X_2 released: given X_3 the ratio of X_2 = 0 is 5/2, otherwise at most 2."""

    def holds(at: tuple[int, int]) -> bool:
        laws = [marginal(given(THIRD, *at, value), (2, 3)) for value in (0, 1)]
        behind = [marginal(given(THIRD, *at, value), (3,)) for value in (0, 1)]
        known = [{y: law[y + "1"] / last["1"] for y in "01"} for law, last in zip(laws, behind)]
        bound = leakage(THIRD, *at, local(released(3, [2])))
        found = largest_ratio(*known)
        return bound is not None and found is not None and found <= bound

    argument.exhaust("an adversary who knows X_3", "a = b = 1/3", [(3, 1)], holds)


def _dependent(argument: Argument) -> None:
    for name, sentence in [
        (
            "averages on the left",
            "B = Pr(y|x') is fixed; A = sum of w Pr(y|x) over databases x with X_p = v, weights w "
            "of sum 1",
        ),
        (
            "averages on the right",
            "A = Pr(y|X_p=v) is fixed; B = sum of w Pr(y|x') over databases x' with X_p = 1 - v",
        ),
    ]:
        left = name.endswith("left")
        argument.cite(
            name, f"{sentence}: each term keeps the bound, so the sum does", "lemma.mediant"
        )
        argument.inequality(
            f"{name}: all of them",
            "c is the sum of the weights, 1",
            A <= R * B,
            [A <= R * (c * B) if left else c * A <= R * B, Eq(c, 1), A >= 0, B >= 0, R >= 1],
        )


def _only_one(argument: Argument) -> None:
    argument.exhaust(
        "a neighbour is released",
        "n = 2, p = 1, X_2 released: changing record 1 alone changes nothing",
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
)
def utility(check: Check) -> None:
    """Refute that it is a distance; prove the formula, and that it is 1 minus one."""
    whole = local([NEVER])
    with check.reading(
        "coincides with the Hamming, L1 or L2 distance", "one counterexample"
    ) as argument:
        argument.counterexample(
            "one record, released",
            "n = 1, X_1 released. Claimed: nu coincides with the distance of X and Y. The utility "
            "is 1, the largest, and every distance is 0: it is 1 minus a distance that it may "
            "coincide with",
            {"n": 1, "r_1": NEVER, "nu": Fraction(1), "distance": Fraction(0)},
            lambda: all(whole(x) == {x: 1} for x in "01"),
        )
    both = local([(Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(1))])
    with check.reading(
        "1 - (L2 norm)/n or 1 - (L2 norm)/sqrt(n), |x - *| = 1", "one counterexample"
    ) as argument:
        argument.counterexample(
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
    with check.reading(FORMULA, "every n, chain and local mechanism") as argument:
        _formula(argument)
    check.near_miss(
        f"{FORMULA}: * counted as half a record",
        lambda argument: _formula(argument, sympy.Rational(1, 2)),
    )


@claim(
    "massny2025.utility-repaired",
    where="Definition 2, repaired",
    statement="nu = (1/n) sum_t sum_x Pr(X_t=x)(1-r_t(x)), and nu = 1 - E[d]/n for d the Hamming "
    "distance, the sum of all |X_t - Y_t| or the sum of all |X_t - Y_t|^2, where |x - *| = 1.",
    kind="repair of massny2025.utility",
)
def utility_repaired(check: Check) -> None:
    """Prove the formula and the relation with distances."""
    with check.reading(FORMULA, "every n, chain and local mechanism") as argument:
        _formula(argument)
    check.near_miss(
        f"{FORMULA}: * counted as half a record",
        lambda argument: _formula(argument, sympy.Rational(1, 2)),
    )


def _formula(argument: Argument, size: sympy.Rational | int = 1) -> None:
    n, e, w, r, v, s, h, z = sympy.symbols("n e w r v s h z")
    step = w * (1 - r) + v * (1 - s)
    argument.induction(
        "one more record",
        "e is the expected number of t <= n with X_t = Y_t by linearity, z the expected distance, "
        "each * at distance 1. Record n + 1 has the values 0 and 1 with probabilities w and v and "
        "is redacted with probabilities r and s: w (1 - r) + v (1 - s) more is right, and w r + v "
        "s more is redacted, whatever the other records",
        base=(Eq(e, n - z), [Eq(n, 0), Eq(e, 0), Eq(z, 0)]),
        step=(
            Eq(e + step, n + 1 - (z + size * (w * r + v * s))),
            [Eq(e, n - z), Eq(w + v, 1), w > 0, v > 0],
        ),
    )
    argument.inequality(
        "distances of one record",
        "h is 0 if Y_t = X_t and 1 if Y_t = *: it is its own absolute value and square",
        And(Eq(h, h**2), h >= 0),
        [Or(Eq(h, 0), Eq(h, 1))],
    )
