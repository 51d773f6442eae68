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

import sympy
from sympy import Eq

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
from pufferproof.verify.proof.argument import Argument

R, K, a, b, c, d, l, m, q, u, v, w, x, y, z = sympy.symbols("R K a b c d l m q u v w x y z")
E = sympy.symbols("E")
CHAIN = [a > 0, a < 1, b > 0, b < 1]
QUARTER = sympy.Rational(1, 4)
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
)
def joint_unbounded(check: Check) -> None:
    """Prove it at the output (*, 0, *), whose joint ratio does not depend on how often the
    value 0 is redacted.
    """
    with check.reading(GAP, "every R > 1 and K") as argument:
        _alone(argument)
        _together(argument)
    check.near_miss(f"{GAP}: q = 0", lambda argument: _alone(argument, zero=True))
    check.near_miss(f"{GAP}: a larger a", lambda argument: _together(argument, large=True))


def _alone(argument: Argument, zero: bool = False) -> None:
    argument.inequality(
        "each record alone",
        "b = 1/R, q = 1/R, r_2 = (q, 1), all other records redacted: the output 0 at record 2 has "
        "the likelihoods 1-a and b, the output * x and y",
        (1 - a <= R * b) & (b <= R * (1 - a)) & (x <= R * y) & (y <= R * x),
        [
            Eq(R * b, 1),
            Eq(q, 0) if zero else Eq(R * q, 1),
            Eq(x, (1 - a) * q + a),
            Eq(y, b * q + 1 - b),
            R > 1,
            a > 0,
            a <= b,
            a + b <= 1,
        ],
    )
    argument.inequality(
        "it is made of 3R mechanisms",
        "Record 2 is in M for X_1, and by reflection for X_3: i0(1) <= eps < i1(1); the remaining "
        "record is in M with q = 1 as i1(2) > eps: u, v = P(X_3=1|X_1=1), P(X_3=1|X_1=0), for all "
        "small a",
        (1 - a <= R * b) & (1 - b > R * a) & (u > R * v),
        [
            Eq(R * b, 1),
            R > 1,
            a > 0,
            Eq(u, (1 - b) ** 2 + a * b),
            Eq(v, a * (2 - a - b)),
            2 * R * a <= (1 - b) ** 2,
        ],
    )


def _together(argument: Argument, large: bool = False) -> None:
    argument.inequality(
        "the joint ratio",
        "P(X_2=0|X_1=X_3=0) = u/(u + a b), u = (1-a)^2, and P(X_2=0|X_1=X_3=1) = a b/(a b + v), v "
        "= (1-b)^2; both times 1 - q in P(*0*|x_A)",
        u * (a * b + v) > K * a * b * (u + a * b),
        [
            Eq(u, (1 - a) ** 2),
            Eq(v, (1 - b) ** 2),
            (QUARTER if large else 4) * K * a <= v,
            a <= QUARTER,
            a > 0,
            b > 0,
            b < 1,
            K >= 1,
        ],
    )


WITHIN, SHARP = "A an interval: at most 2 eps", "no multiple below 2 will do"


@claim(
    "redaction.joint-interval",
    where="Several private records",
    statement="Private records A = {i, i+1, .., j}: a local mechanism that keeps eps for each of "
    "them keeps 2 eps for X_A, and eps if i = j or if one side of A has no records; there is "
    "no c < 2 such that it always keeps c eps, even if it is the most conservative one of DIMs "
    "that leak exactly eps.",
)
def joint_interval(check: Check) -> None:
    """Prove that each side of A speaks of one end of A only, and let both ends be near to a
    released record.
    """
    with check.reading(WITHIN, "all 0 < a, b < 1, every n, i <= j and R >= 1") as argument:
        argument.cite("X_A", "is redacted: each X_p is", "massny2025.self-redaction")
        argument.cite(
            "sides",
            "of Y alone leak at most what Y leaks about X_i, and about X_j",
            "lemma.data-processing",
        )
        _ends(argument)
    check.near_miss(f"{WITHIN}: at most eps", lambda argument: _ends(argument, single=True))
    with check.reading(SHARP, "every c < 2") as argument:
        _sharp(argument)
    check.near_miss(f"{SHARP}: lam = 1/m", lambda argument: _compare(argument, 1))


def _ends(argument: Argument, single: bool = False) -> None:
    argument.inequality(
        "two factors",
        "Given X_A the outputs left of it depend on x_i, those right of it on x_j: u, v are "
        "likelihoods of the left ones given x_i, x'_i, and x, y of the right ones; a side without "
        "records has 1 and 1",
        u * x <= (R if single else R**2) * v * y,
        [u <= R * v, x <= R * y, u >= 0, v >= 0, x >= 0, y >= 0, R >= 1],
    )
    argument.inequality(
        "one side",
        "without records on the other one",
        u * x <= R * v * y,
        [u <= R * v, Eq(x, y), v >= 0, y >= 0, R >= 1],
    )


def _sharp(argument: Argument) -> None:
    argument.cite(
        "DIMs",
        "n = 4, records 1 and 4 released, lam > 0: i1(1) + i1(2) about X_2, and about X_3",
        "massny2025.x-dim-leakage",
    )
    argument.inequality(
        "both together",
        "a = b: 0 at record 1 and 0 at record 4 have ratio E = e^i1(1) each, for X_2 = X_3 = 0 "
        "against X_2 = X_3 = 1",
        Eq(u * x, E**2 * v * y),
        [Eq(u, E * v), Eq(x, E * y), v > 0, y > 0, E > 1],
    )
    argument.cite(
        "powers", "(1 - d)^m >= 1 - m d: with F = e^i1(2) and 1/F = 1 - d", "lemma.bernoulli"
    )
    _compare(argument)


def _compare(argument: Argument, part: int = 2) -> None:
    argument.inequality(
        "e^i1(1) > e^(m i1(2))",
        "a = b, lam = l = 1/(2m), E = (1+l)/(1-l), 1/F = 1 - d with d = 2 l^2/(1 + l^2): F^m/E <= "
        "1/(E (1 - m d)) < 1. Then 2 i1(1) > (2 - 2/(m+1)) (i1(1) + i1(2)), for every m",
        (E * (1 - m * d) > 1) & (m * d < 1),
        [
            Eq(part * m * l, 1),
            Eq(E * (1 - l), 1 + l),
            Eq(d * (1 + l**2), 2 * l**2),
            m >= 1,
            l > 0,
            l < 1,
            E > 1,
            d > 0,
        ],
    )


BETWEEN, MORE = "one record between", "lam > 0, 0 everywhere against 1 everywhere"


@claim(
    "redaction.joint-between",
    where="Several private records",
    statement="X_k released, i < k < j, everything else redacted, A = {i, j}: the joint e^Lk about "
    "X_A is at least the product of P(X_k=0|X_i=0) / P(X_k=0|X_i=1), P(X_k=0|X_j=0) / "
    "P(X_k=0|X_j=1) and (1 + (b/a) l)/(1 + (a/b) l), l = lam^(j-i). For lam > 0 and a <= b the "
    "last factor is at least 1, larger for a < b, and not bounded.",
    kind="closed form",
)
def joint_between(check: Check) -> None:
    """Prove it by Bayes' rule and reversibility."""
    with check.reading(BETWEEN, "all 0 < a, b < 1, i < k < j") as argument:
        _bayes(argument)
    check.near_miss(f"{BETWEEN}: the product alone", lambda argument: _bayes(argument, plain=True))
    with check.reading(MORE, "all 0 < a <= b with a + b < 1") as argument:
        _factor(argument)
    check.near_miss(f"{MORE}: the inverse factor", lambda argument: _factor(argument, inverse=True))


def _bayes(argument: Argument, plain: bool = False) -> None:
    argument.cite("reversed", "P(X_j=y|X_k=0) = pi_y P(X_k=0|X_j=y)/pi_0", "massny2025.reversible")
    argument.identity(
        "the ratio",
        "c, d = P(X_k=0|X_i=0), P(X_k=0|X_i=1); x, y those given X_j; u, v = P(X_j=0|X_i=0), "
        "P(X_j=1|X_i=1); w, z = pi_0, pi_1",
        "(c*(w*x/w)/u) / (d*(z*y/w)/v)",
        "(c/d) * (x/y)" if plain else "(c/d) * (x/y) * ((v/z)/(u/w))",
    )
    argument.cite(
        "powers",
        "P(X_j=0|X_i=0) = (b + a l)/(a + b), P(X_j=1|X_i=1) = (a + b l)/(a + b)",
        "massny2025.prop1-power",
    )
    argument.identity(
        "the factor",
        "pi_0 = b/(a+b), pi_1 = a/(a+b)",
        ((a + b * l) / a) / ((b + a * l) / b),
        (1 + b * l / a) / (1 + a * l / b),
    )


def _factor(argument: Argument, inverse: bool = False) -> None:
    up, down = (a * l, b * l) if inverse else (b * l, a * l)
    argument.inequality(
        "at least 1",
        "x is the factor: x a (b + a l) = b (a + b l)",
        (x >= 1) & sympy.Implies(a < b, x > 1),
        [Eq(x * a * (b + down), b * (a + up)), a > 0, a <= b, a + b < 1, l > 0, l <= 1 - a - b],
    )
    argument.inequality(
        "not bounded",
        "for K a <= b l/2 it is at least K: b = 1/2, l -> (1/2)^(j-i) as a -> 0",
        x >= K,
        [
            Eq(x * a * (b + a * l), b * (a + b * l)),
            2 * K * a <= b * l,
            K >= 1,
            a > 0,
            a <= b,
            l > 0,
            l < 1,
        ],
    )


@claim(
    "redaction.joint-product",
    where="Several private records",
    statement="If a local mechanism keeps eps for each private record X_p, p in a set A, then it "
    "keeps |A| eps for X_A.",
    repair="redaction.joint-interval",
)
def joint_product(check: Check) -> None:
    """Refute it with two private records and one between them."""
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

    with check.reading("as stated", "one counterexample") as argument:
        argument.counterexample(
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
    of = chain("1/8", "1/2")
    level, rows = pointwise(of, 2, 1), [ALWAYS, (Fraction(1, 4), Fraction(1)), ALWAYS]

    def better() -> bool:
        """Say whether M = {2}, S is the far end, and a mechanism that releases something keeps
        the level for both.
        """
        alone = [leakage(of, 3, p, local(rows)) for p in (1, 3)]
        return pointwise(of, 1, 0) <= level < pointwise(of, 1, 1) and all(
            each is not None and each <= level for each in alone
        )

    with check.reading("A = {1, 3}, n = 3", "one counterexample") as argument:
        argument.inequality(
            "the one choice of q",
            "the output *, 1 of records 2 and 3 has the likelihoods (7q + 4)/64 and (4q + 16)/64 "
            "given X_1 = 0 and 1",
            Eq(q, 1),
            [11 * (4 * q + 16) <= 20 * (7 * q + 4), q >= 0, q <= 1],
        )
        argument.counterexample(
            "nothing is left",
            "a = 1/8, b = 1/2, e^eps = e^i1(2) = 20/11: for X_1 the only 3R mechanism with the "
            "whole budget always releases record 3 and nothing else, for X_3 record 1; the most "
            "conservative one releases nothing. Releasing 3/4 of the zeros of record 2 keeps eps "
            "for both, 3/5 of a record in expectation: the most conservative one is not best",
            {"a": of.a, "b": of.b, "R": level, "r": rows},
            better,
        )
