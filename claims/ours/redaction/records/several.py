"""Several private records: what redacting at each record as much as any of them needs guarantees
for them together.

A is the set of private records; the most conservative mechanism has r_t(x) = max over p in A of the
mechanisms built for each p alone. It keeps each X_p at the level (massny2025.fn1-repaired); here
X_A is the secret: P(y | x_A) against P(y | x'_A). P = [[1-a, a], [b, 1-b]], lam = 1-a-b, R = e^eps,
pi the stationary law. Source of the question: massny2025, footnote 1.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from sympy import Eq

from pufferproof.claims.language import Proof, letter, proved
from pufferproof.claims.ours.redaction.statements.leakages import (
    FACTOR,
    JOINT_INTERVAL,
    JOINT_UNBOUNDED,
    NO_SMALLER_MULTIPLE,
    RECORD_BETWEEN,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    Chain,
    Mechanism,
    audited,
    chain,
    largest_ratio,
    leakage,
    local,
    pointwise,
)
from pufferproof.claims.registry import Check, claim

q = letter("q", "the probability that the value 0 of record 2 is redacted")
x = letter("x", "the likelihood of the right outputs given a value of X_A")
GAP = "A = {1, 3}, n = 3"


def joint_law(
    of: Chain, count: int, values: Mapping[int, int], mechanism: Mechanism
) -> dict[str, Fraction]:
    """P(Y = y | X_p = values[p] for every private record p), by enumeration."""
    law, total = dict[str, Fraction](), Fraction(0)
    for x in map("".join, product("01", repeat=count)):
        if all(int(x[record - 1]) == value for record, value in values.items()):
            total += of.weight(x)
            for output, chance in mechanism(x).items():
                law[output] = law.get(output, Fraction(0)) + of.weight(x) * chance
    return {output: weight / total for output, weight in law.items()}


@claim(
    "redaction.joint-unbounded",
    where="Several private records",
    statement="No bound on the joint leakage about X_A follows from eps and the size of A: for "
    "every eps > 0 and every K there is a chain, n = 3 and A = {1, 3}, with 3R mechanisms for "
    "X_1 and for X_3 of level eps whose most conservative mechanism, r_t(x) the larger one of "
    "theirs, keeps eps for each of the two records and has an output y with P(y|X_A=x) > K "
    "P(y|X_A=x') for some values x, x'.",
    says=JOINT_UNBOUNDED,
)
def joint_unbounded(check: Check) -> None:
    """Prove it at the output (*, 0, *), whose joint ratio does not depend on how often the
    value 0 is redacted.

    Each record alone: b = 1/R, q = 1/R, r_2 = (q, 1), all other records redacted: the output 0 at
    record 2 has the likelihoods 1-a and b, the output * star0 and star1. It is made of 3R
    mechanisms: Record 2 is in M for X_1, and by reflection for X_3: i0(1) <= eps < i1(1); the
    remaining record is in M with q = 1 as i1(2) > eps: far1, far0 = P(X_3=1|X_1=1), P(X_3=1|X_1=0),
    for all small a. The joint ratio: P(X_2=0|X_1=X_3=0) = stay0/(stay0 + a b), stay0 = (1-a)^2, and
    P(X_2=0|X_1=X_3=1) = a b/(a b + stay1), stay1 = (1-b)^2; both times 1 - q in P(*0*|x_A).
    """
    check.tried(GAP)


WITHIN, SHARP = "A an interval: at most 2 eps", "no multiple below 2 will do"


@claim(
    "redaction.joint-interval",
    where="Several private records",
    statement="Private records A = {i, i+1, .., j}: a local mechanism that keeps eps for each of "
    "them keeps 2 eps for X_A, and eps if i = j or if one side of A has no records; there is "
    "no c < 2 such that it always keeps c eps, even if it is the most conservative one of DIMs "
    "that leak exactly eps.",
    says={
        "A an interval: at most 2 eps": JOINT_INTERVAL,
        "no multiple below 2 will do": NO_SMALLER_MULTIPLE,
    },
)
def joint_interval(check: Check) -> None:
    """Prove that each side of A speaks of one end of A only, and let both ends be near to a
    released record.

    A an interval: at most 2 eps. X_A: is redacted: each X_p is [massny2025.self-redaction]. Sides:
    of Y alone leak at most what Y leaks about X_i, and about X_j [lemma.data-processing]. Two
    factors: Given X_A the outputs left of it depend on x_i, those right of it on x_j: u, v are
    likelihoods of the left ones given x_i, x'_i, and x, y of the right ones; a side without records
    has 1 and 1. One side: without records on the other one.

    No multiple below 2 will do. DIMs: n = 4, records 1 and 4 released, lam > 0: i1(1) + i1(2) about
    X_2, and about X_3 [massny2025.x-dim-leakage]. Both together: a = b: 0 at record 1 and 0 at
    record 4 have ratio E = e^i1(1) each, for X_2 = X_3 = 0 against X_2 = X_3 = 1. Powers: (1 - d)^m
    >= 1 - m d: with F = e^i1(2) and 1/F = 1 - d [lemma.bernoulli]. E^i1(1) > e^(m i1(2)): a = b,
    lam = l = 1/(2m), E = (1+l)/(1-l), 1/F = 1 - d with d = 2 l^2/(1 + l^2): F^m/E <= 1/(E (1 - m
    d)) < 1. Then 2 i1(1) > (2 - 2/(m+1)) (i1(1) + i1(2)), for every m.
    """
    check.tried(WITHIN)
    check.tried(SHARP)


BETWEEN, MORE = "one record between", "lam > 0, 0 everywhere against 1 everywhere"


@claim(
    "redaction.joint-between",
    where="Several private records",
    statement="X_k released, i < k < j, everything else redacted, A = {i, j}: the joint e^Lk about "
    "X_A is at least the product of P(X_k=0|X_i=0) / P(X_k=0|X_i=1), P(X_k=0|X_j=0) / "
    "P(X_k=0|X_j=1) and (1 + (b/a) l)/(1 + (a/b) l), l = lam^(j-i). For lam > 0 and a <= b the "
    "last factor is at least 1, larger for a < b, and not bounded.",
    kind="closed form",
    says={
        "one record between": RECORD_BETWEEN,
        "lam > 0, 0 everywhere against 1 everywhere": FACTOR,
    },
)
def joint_between(check: Check) -> None:
    """Prove it by Bayes' rule and reversibility.

    One record between. Reversed: P(X_j=y|X_k=0) = pi_y P(X_k=0|X_j=y)/pi_0 [massny2025.reversible].
    The ratio: c, d = P(X_k=0|X_i=0), P(X_k=0|X_i=1); x, y those given X_j; u, v = P(X_j=0|X_i=0),
    P(X_j=1|X_i=1); w, z = pi_0, pi_1. Powers: P(X_j=0|X_i=0) = (b + a l)/(a + b), P(X_j=1|X_i=1) =
    (a + b l)/(a + b) [massny2025.prop1-power]. The factor: pi_0 = b/(a+b), pi_1 = a/(a+b).

    Lam > 0, 0 everywhere against 1 everywhere. At least 1: factor is the factor: factor a (b + a l)
    = b (a + b l). Not bounded: for K a <= b l/2 it is at least K: b = 1/2, l -> (1/2)^(j-i) as a ->
    0.
    """
    check.tried(BETWEEN)
    check.tried(MORE)


@claim(
    "redaction.joint-product",
    where="Several private records",
    statement="If a local mechanism keeps eps for each private record X_p, p in a set A, then it "
    "keeps |A| eps for X_A.",
    repair="redaction.joint-interval",
)
def joint_product(check: Check) -> None:
    """Refute it with two private records and one between them."""

    proved(check, "as stated", "one counterexample", _above_twice)


def _above_twice(proof: Proof) -> None:
    of, level = chain("1/20", "1/2"), Fraction(2)
    rows = [ALWAYS, (Fraction(1, 2), Fraction(1)), ALWAYS]

    def exceeded() -> bool:
        """Say whether both records are kept at log 2 while the joint ratio, from enumeration,
        is above 4.
        """
        alone = [leakage(of, 3, p, local(rows)) for p in (1, 3)]
        joint = largest_ratio(
            *(joint_law(of, 3, {1: value, 3: value}, local(rows)) for value in (0, 1))
        )
        return all(ratio is not None and ratio <= level for ratio in alone) and (
            joint is None or joint > level**2
        )

    proof.counterexample(
        "A = {1, 3}",
        "a = 1/20, b = 1/2, n = 3: redacting X_1, X_3 and half of the zeros of X_2, and all "
        "its ones, keeps log 2 for X_1 and for X_3. The claim is 2 log 2 for both together, "
        "but *0* is 3971/371 times as likely for X_1 = X_3 = 0 as for X_1 = X_3 = 1, more than "
        "4. It is true where A is an interval",
        audited(of, 3, (1, 3), local(rows), "log(4)") | {"r": rows, "each": "log(2)"},
        exceeded,
    )


@claim(
    "redaction.conservative-best",
    where="Several private records",
    statement="Let the mechanisms for the private records be 3R mechanisms that release as much in "
    "expectation as any of the same budgets, with all of eps on the one side where p is 1 or "
    "n. Then no local mechanism that keeps eps for each of the records releases more in "
    "expectation than the most conservative one.",
    repair="massny2025.fn1-repaired",
)
def conservative_best(check: Check) -> None:
    """Refute it: each mechanism releases where the other one must redact."""

    proved(check, "A = {1, 3}, n = 3", "one counterexample", _nothing_left)


def _nothing_left(proof: Proof) -> None:
    of = chain("1/8", "1/2")
    h = Fraction(1, 4)
    level, rows = pointwise(of, 2, 1), [ALWAYS, (h, Fraction(1)), ALWAYS]

    only = proof.inequality(
        "the one choice of q",
        "the output *, 1 of records 2 and 3 has the likelihoods (7q + 4)/64 and (4q + 16)/64 "
        "given X_1 = 0 and 1",
        Eq(q, 1),
        [11 * (4 * q + 16) <= 20 * (7 * q + 4), q >= 0, q <= 1],
    )

    def better() -> bool:
        """Say whether M = {2}, S is the far end, and a mechanism that releases something keeps
        the level for both.
        """
        alone = [leakage(of, 3, p, local(rows)) for p in (1, 3)]
        medium = pointwise(of, 1, 0) <= level < pointwise(of, 1, 1)
        return only and medium and all(each is not None and each <= level for each in alone)

    proof.counterexample(
        "nothing is left",
        "a = 1/8, b = 1/2, e^eps = e^i1(2) = 20/11: for X_1 the only 3R mechanism with the "
        "whole budget always releases record 3 and nothing else, for X_3 record 1; the most "
        "conservative one releases nothing. Releasing 3/4 of the zeros of record 2 keeps eps "
        "for both, 3/5 of a record in expectation: the most conservative one is not best",
        {"a": of.a, "b": of.b, "R": level, "r": rows, "record 2 shows": [[1 - h, h], [0, 1]]},
        better,
        "largest_ratio(times(bits(a, b), record_2_shows)) <= R and entry(record_2_shows, 0, 0) > 0",
    )
