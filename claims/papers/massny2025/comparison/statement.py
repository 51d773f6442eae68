"""3R mechanisms against the Markov quilt mechanism and against every data-independent mechanism.

A 3R mechanism with q_t = 1 is data-independent: it releases S, the records at distance D*(eps_l) or
more left of p and D*(eps_r) or more right of it. No 3R mechanism releases more than |S| + |M|
b/(a+b) records: the common value in M always, the rare one never. Letters as in `quilt` and
`bound`; V is the number of records that 3R releases, W that of the other mechanism. Source:
massny2025, corollary 1 and appendix B.
"""

from fractions import Fraction

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    instances,
    max_influence,
    optimum,
)
from pufferproof.claims.papers.massny2025.comparison.splits import most_released, sure_releases
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt.windows import released_by, window
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

D, E, F, H, M, N, R, V, W, n, p, r, t, e, l = sympy.symbols("D E F H M N R V W n p r t e l")
ZERO, POSITIVE = (
    "some 3R is at least as good, eps_l = 0 allowed",
    "some 3R is at least as good, eps_l > 0",
)
STRICT = "some 3R is better by 1/n if D*(eps) <= n-p, eps_l = 0 allowed"
EVERY_N = "for every DIM some 3R is at least as good, every n, lam >= 0, eps_l = 0 allowed"
LIMIT = "for every DIM some 3R has nu_3R >= nu_DIM - 2/n, every lam, eps_l = 0 allowed"
ALL = "all a <= b, every eps > 0, n and p <= n/2"
NARROW = chain("1/5", "1/5")
THIRD = chain("1/3", "1/3")
UNEVEN = Instance(chain("1/2", "2/3"), 6, 3, Fraction(63, 40))


@claim(
    "massny2025.cor1-mq",
    where="Corollary 1 and appendix B",
    statement="3R mechanisms always outperform MQ.",
    kind="corollary",
    repair="massny2025.cor1-mq-repaired",
)
def cor1_mq(check: Check) -> None:
    """Refute that they are strictly better, and that budgets eps/2 will do; prove that some are
    at least as good.
    """
    with check.reading("strictly better", "one counterexample") as argument:
        at = Instance(THIRD, 2, 1, Fraction(3, 2))
        argument.counterexample(
            "everything is redacted",
            "a = b = 1/3, n = 2, p = 1, e^eps = 3/2. Claimed: some 3R mechanism releases more than "
            "MQ. The other record leaks log 2 > eps for either value, so that S and M are empty "
            "for all budgets: both redact both records, and both utilities are 0",
            {**at.evidence, "n nu_MQ": 0, "n nu_3R at most": 0},
            lambda: most_released(at) == 0 == released_by(at, *window(at)[1:]),
        )
    with check.reading("at least as good, eps_l = eps_r = eps/2", "one counterexample") as argument:
        at = Instance(NARROW, 4, 1, Fraction(4))
        argument.counterexample(
            "p = 1",
            "a = b = 1/5, n = 4, p = 1, e^eps = 4. Claimed: with the budgets eps/2 on both sides a "
            "3R mechanism releases as much as MQ. M is empty as a = b, D*(eps) = 1 and D*(eps/2) = "
            "3: MQ releases records 3 and 4, and 3R, which gives half of the budget to the empty "
            "left side, only record 4",
            {**at.evidence, "n nu_MQ": 2, "n nu_3R at most": 1},
            lambda: released_by(at, *window(at)[1:]) == 2 and most_released(at, halves=True) == 1,
        )
    _at_least(check)


@claim(
    "massny2025.cor1-mq-repaired",
    where="Corollary 1 and appendix B, repaired",
    statement="For every eps > 0, n and p <= n/2 some 3R mechanism with eps_l >= 0, and some with "
    "eps_l > 0, has at least the utility of MQ; if D*(eps) <= n-p, one with eps_l >= 0 has a "
    "utility at least 1/n above that of MQ.",
    kind="repair of massny2025.cor1-mq",
)
def cor1_mq_repaired(check: Check) -> None:
    """Prove it with the S of the same budgets, q_t = 1."""
    _at_least(check)
    with check.reading(STRICT, ALL) as argument:
        _dominates(argument, 1)
    check.near_miss(f"{STRICT}: two more", lambda argument: _dominates(argument, 2))


def _at_least(check: Check) -> None:
    with check.reading(ZERO, ALL) as argument:
        _dominates(argument)
        _nothing(argument)
    check.near_miss(f"{ZERO}: two more records", lambda argument: _dominates(argument, 2))
    with check.reading(POSITIVE, ALL) as argument:
        _positive(argument)
        _nothing(argument)
    check.near_miss(f"{POSITIVE}: one more record", lambda argument: _positive(argument, 1))


def _family(argument: Argument) -> None:
    argument.cite("utility of MQ", "n nu = W = n - Dl - Dr - 1", "massny2025.mq-formula")
    argument.cite(
        "thresholds", "S(eps') is the set of distances k >= D*(eps')", "massny2025.dstar-repaired"
    )
    argument.cite(
        "privacy of each side",
        "with q_t = 1 the nearest released record is at distance D*(eps'), and the side "
        "leaks at most eps'; a side with budget 0 is redacted",
        "massny2025.x-dim-leakage",
    )


def _dominates(argument: Argument, more: int = 0) -> None:
    _family(argument)
    argument.inequality(
        "one-sided",
        "eps_l = 0, eps_r = eps. D <= n - p: S has n - p - D + 1 records, MQ releases W = n - p - "
        "D",
        V >= W + more,
        [V >= n - p - D + 1, Eq(W, n - p - D), D <= n - p, p >= 1],
    )
    argument.inequality(
        "two-sided",
        "eps_l = eps_r = eps/2, H <= p - 1: S has p - H and n - p - H + 1 records, MQ releases W = "
        "n - 2 H - 1",
        V >= W + more,
        [V >= (p - H) + (n - p - H + 1), Eq(W, n - 2 * H - 1), H <= p - 1, 2 * p <= n],
    )


def _nothing(argument: Argument) -> None:
    argument.inequality(
        "nothing released", "D >= n - p: MQ releases no record", V >= W, [Eq(W, 0), V >= 0]
    )


def _positive(argument: Argument, more: int = 0) -> None:
    _family(argument)
    argument.cite(
        "strictly decreasing",
        "i1(D+1) < i1(D) <= eps for lam other than 0; for lam = 0 both budgets eps/2 release "
        "all records but X_p",
        "massny2025.prop1-decreasing-repaired",
    )
    argument.inequality(
        "budgets",
        "eps_r = i1(D+1) and eps_l = eps - eps_r: E = I(D) <= R, F = I(D+1), e^eps_l = R/F",
        And(R / F > 1, F > 1, F * (R / F) <= R),
        [E <= R, F < E, F > 1],
    )
    argument.inequality(
        "one-sided",
        "D < n - p: S(eps_r) is all from distance D + 1 on, which is what MQ releases",
        V >= W + more,
        [V >= n - p - (D + 1) + 1, Eq(W, n - p - D)],
    )
    argument.inequality(
        "two-sided",
        "eps_l = eps_r = eps/2 > 0",
        V >= W,
        [V >= (p - H) + (n - p - H + 1), Eq(W, n - 2 * H - 1), H <= p - 1, 2 * p <= n],
    )


@claim(
    "massny2025.cor1-dim",
    where="Corollary 1",
    statement="3R mechanisms outperform any DIM asymptotically in n.",
    kind="corollary",
    repair="massny2025.cor1-dim-repaired",
)
def cor1_dim(check: Check) -> None:
    """Refute it strictly, with eps_l > 0, and for lam < 0 counted in records; prove it for lam
    >= 0 and in the limit.
    """
    longer = range(2, 60)
    with check.reading("strictly better for all large n", "one counterexample") as argument:
        argument.counterexample(
            "eps >= i1(1), p = 1",
            "a = b = 1/3, p = 1, e^eps = 2. Claimed: for large n 3R releases more than any DIM. "
            "But the DIM that redacts X_1 alone is private for every n, and as X_1 must be "
            "redacted no mechanism releases more",
            {
                "a": THIRD.a,
                "b": THIRD.b,
                "lam": THIRD.eigenvalue,
                "p": 1,
                "e^eps": 2,
                "redacted by the DIM": 1,
            },
            lambda: all(
                optimum(Instance(THIRD, length, 1, Fraction(2)))[0] == 1 for length in longer
            ),
        )
    with check.reading(
        "at least as good for all large n, eps_l, eps_r > 0", "one counterexample"
    ) as argument:
        argument.counterexample(
            "eps = i1(1), p = 1",
            "a = b = 1/3, p = 1, eps = i1(1). Claimed: for large n 3R releases as much as any DIM, "
            "with positive budgets. The DIM redacts X_1 alone; eps_l > 0 leaves eps_r < i1(1), so "
            "record 2 is not in S, and M is empty as a = b: 3R redacts two records, for every n",
            {
                "a": THIRD.a,
                "b": THIRD.b,
                "lam": THIRD.eigenvalue,
                "p": 1,
                "e^eps": 2,
                "redacted by the DIM": 1,
                "by 3R": 2,
            },
            lambda: (
                max_influence(THIRD, 1) == 2
                and all(
                    most_released(Instance(THIRD, length, 1, Fraction(2)), positive=True)
                    == length - 2
                    for length in longer
                )
            ),
        )
    with check.reading(
        "at least as good for all large n, released records, lam < 0", "one counterexample"
    ) as argument:
        argument.counterexample(
            "distances 1 and 2",
            "a = 1/2, b = 2/3, p = 3, e^eps = 63/40. Claimed: for large n 3R releases as many "
            "records as any DIM. The DIM that redacts X_p and one neighbour leaks i1(1) + i0(2) = "
            "eps, less than i1(1) + i1(2), and 3R pays the sum of both sides: whatever the budgets "
            "and q, it releases fewer records than the DIM, by the same number for every n",
            {
                **UNEVEN.evidence,
                "n": "6 and more",
                "redacted by the DIM": 2,
                "by 3R at least": 6 - most_released(UNEVEN),
            },
            lambda: all(
                _worse(Instance(UNEVEN.of, length, 3, UNEVEN.ratio)) for length in range(6, 30)
            ),
        )
    _settled(check)


def _worse(at: Instance) -> bool:
    gap = most_released(UNEVEN) - UNEVEN.length
    return (
        optimum(at)[0] == 2
        and most_released(at) == at.length + gap
        and most_released(at) < at.length - 2
    )


@claim(
    "massny2025.cor1-dim-repaired",
    where="Corollary 1, repaired",
    statement="Let eps > 0 and p <= n/2, and let budgets eps_l = 0 or eps_r = 0 be allowed. For "
    "lam >= 0, every n and every eps-private DIM some 3R mechanism has at least the utility of "
    "the DIM. For every lam, n and eps-private DIM some 3R mechanism has nu_3R >= nu_DIM - 2/n.",
    kind="repair of massny2025.cor1-dim",
)
def cor1_dim_repaired(check: Check) -> None:
    """Prove it by the exact leakage, and by the repaired bound."""
    _settled(check)


def _settled(check: Check) -> None:
    with check.reading(EVERY_N, "all a <= b with a + b <= 1, every eps > 0, n and p") as argument:
        _every_n(argument)
    check.near_miss(
        f"{EVERY_N}: lam < 0",
        lambda argument: argument.exhaust(
            "n = 6", "p = 3", [UNEVEN], lambda at: most_released(at) >= at.length - optimum(at)[0]
        ),
    )
    check.near_miss(f"{EVERY_N}: one more record", lambda argument: _every_n(argument, 1))
    with check.reading(LIMIT, ALL) as argument:
        _limit(argument)
    check.near_miss(f"{LIMIT}: 1/n", lambda argument: _limit(argument, 1))
    check.near_miss(
        f"{LIMIT}: no loss, evaluated",
        lambda argument: argument.exhaust(
            "q_t = 1",
            "by n and p",
            instances(6, 3, -1),
            lambda at: sure_releases(at) >= at.length - optimum(at)[0],
        ),
    )


def _every_n(argument: Argument, more: int = 0) -> None:
    argument.cite(
        "leakage",
        "M = E F, for the nearest released records at distances l and r; E or F is 1 if there is "
        "none",
        "massny2025.x-dim-leakage",
    )
    argument.inequality(
        "budgets", "e^eps_l = E, e^eps_r = F", E * F <= R, [Eq(M, E * F), M <= R, E >= 1, F >= 1]
    )
    argument.cite(
        "S",
        "holds all distances from l, or r, on: i1 is at most eps_l, or eps_r",
        "massny2025.dstar-repaired",
    )
    argument.inequality(
        "records",
        "the DIM releases W <= p - l + n - p - r + 1, with l = p or r = n - p + 1 for a side "
        "without releases",
        V >= W + more,
        [V >= (p - l) + (n - p - r + 1), W <= (p - l) + (n - p - r + 1)],
    )


def _limit(argument: Argument, slack: int = 2) -> None:
    argument.cite(
        "what a DIM redacts",
        "N >= n, or min{D + p - 1, 2 H - 3}, or D + p - 1",
        "massny2025.thm2-repaired",
    )
    argument.cite(
        "S",
        "eps_l = 0 redacts D + p - 1 records (or n), eps_l = eps_r = eps/2 redacts 2 H - 1 where H "
        "<= p - 1, p + H - 1 where p <= H <= n - p: at most 2 H - 1",
        "massny2025.dstar-repaired",
    )
    argument.inequality(
        "either budget",
        "t is the least number of redacted records of the two",
        t <= N + slack,
        [t <= D + p - 1, t <= 2 * H - 1, t <= n, Or(N >= n, N >= D + p - 1, N >= 2 * H - 3)],
    )


@claim(
    "massny2025.region-claim",
    where="Section I",
    statement="There is a region where records are strongly correlated with X_p but need not "
    "always be redacted: a record X_t with i(X_p~>X_t=1) > eps, and an eps-private mechanism "
    "that releases X_t with positive probability.",
    kind="remark",
)
def region_claim(check: Check) -> None:
    """Prove it for every chain that is not symmetric or independent, and only for those."""
    name = (
        "for some chain, distance and eps: i1 > eps, and a private mechanism releases X_t sometimes"
    )
    a, b, q = Fraction(1, 4), Fraction(1, 2), sympy.Rational(1, 7)
    with check.reading(name, "n = 2, p = 1, a = 1/4, b = 1/2, e^eps = 8/5, q = 1/7") as argument:
        _region(argument, [Eq(A_, a), Eq(B_, b), Eq(R, sympy.Rational(8, 5)), Eq(Q_, q)])
    check.near_miss(
        f"{name}: q = 1/8",
        lambda argument: _region(
            argument,
            [Eq(A_, a), Eq(B_, b), Eq(R, sympy.Rational(8, 5)), Eq(Q_, sympy.Rational(1, 8))],
        ),
    )
    name = "for every chain and distance: for some eps iff a < b and lam is not 0"
    with check.reading(name, "all a <= b, all distances") as argument:
        _which(argument)
    check.near_miss(f"{name}: a = b too", lambda argument: _which(argument, True))


A_, B_, Q_ = sympy.symbols("A B q")
PRIVATE = (
    "All other records are redacted; Y_t is 0 with probability (1 - q)(1 - A) or (1 - q) B and * "
    "with A + q (1 - A) or 1 - B + q B, for X_p = 0 or 1: all four comparisons, and q < 1"
)


def _region(argument: Argument, values: list[sympy.Basic]) -> None:
    """A, B are the entries (0, 1) and (1, 0) of P^D with A + B < 1, q the redaction probability
    of the value 0.
    """
    argument.inequality(
        "strongly correlated",
        "i1 > eps: P(X_t=1|X_p=1) > R P(X_t=1|X_p=0)",
        1 - B_ > R * A_,
        values,
    )
    argument.inequality("private", PRIVATE, _private(), values)


def _private() -> sympy.Basic:
    zero, one = A_ + Q_ * (1 - A_), 1 - B_ + Q_ * B_
    return And(
        (1 - A_) <= R * B_, B_ <= R * (1 - A_), zero <= R * one, one <= R * zero, Q_ >= 0, Q_ < 1
    )


def _which(argument: Argument, equal: bool = False) -> None:
    argument.cite(
        "a record outside",
        "a mechanism that releases the value z at distance D sometimes leaks at least i_z(D), so "
        "that i0(D) <= eps, as i0 <= i1",
        "massny2025.lemma1",
    )
    argument.cite("order", "i0(D) <= i1(D)", "massny2025.prop1-order")
    argument.cite(
        "entries",
        "A = a (1 - u)/(a + b), B = b (1 - u)/(a + b), u = lam^D = 1 - A - B",
        "massny2025.prop1-power",
    )
    argument.cite("signs", "all entries are positive", "massny2025.x-powers")
    entries = [A_ > 0, A_ < 1, B_ > 0, B_ < 1, A_ <= B_ if equal else A_ < B_]
    argument.inequality(
        "needed",
        "if A = B, or u = 0, then i0 = i1: (1 - A) A = (1 - B) B, and no eps lies between",
        Eq((1 - A_) * A_, (1 - B_) * B_),
        [*entries[:4], Or(Eq(A_, B_), Eq(A_ + B_, 1))],
    )
    argument.inequality(
        "enough, u > 0",
        f"eps = i0(D): R = (1 - A)/B > 1, and i1(D) > eps. Take q = (1 - B - R A)/(R (1 - A) - B). "
        f"{PRIVATE}",
        And(1 - B_ > R * A_, R > 1, R * (1 - A_) > B_, _private()),
        [*entries, A_ + B_ < 1, Eq(R * B_, 1 - A_), Eq(Q_ * (R * (1 - A_) - B_), 1 - B_ - R * A_)],
    )
    argument.inequality(
        "enough, u < 0",
        f"eps = i0(D): R = B/(1 - A) > 1, and i1(D) > eps. Take q = (A - R (1 - B))/(R B - 1 + A). "
        f"{PRIVATE}",
        And(A_ > R * (1 - B_), R > 1, R * B_ > 1 - A_, _private()),
        [
            *entries,
            A_ + B_ > 1,
            Eq(R * (1 - A_), B_),
            Eq(Q_ * (R * B_ - 1 + A_), A_ - R * (1 - B_)),
        ],
    )
