"""The steps of the proof of the upper bound on data-independent mechanisms.

Letters as in `bound`; e0, e1 are i1(n+1-p), i1(p-1) and G = e^e0. Dl = l - 1, Dr = r - 1 are the
redaction radii. Source: massny2025, section III and appendix D.
"""

from fractions import Fraction
from functools import partial

import sympy
from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    max_influence,
    optimum,
    pattern_leakage,
)
from pufferproof.claims.papers.massny2025.bound.statement import (
    TWO,
    A,
    B,
    D,
    E,
    F,
    H,
    M,
    N,
    R,
    few_released,
    l,
    n,
    p,
    r,
    two_sided_negative,
    two_sided_positive,
    y,
)
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

G, c, u, s, t, Dl, Dr = sympy.symbols("G c u s t Dl Dr")
THIRD = chain("1/3", "1/3")
ODD = Instance(chain("1/3", "1/2"), 6, 3, Fraction(45, 28))
"""The first instance that refutes theorem 2: distances 1 and 2, D*(eps) = 1, D*(eps/2) = 2."""
CUT = "p = 1, windows cut off at n"
CASE_0, CASE_1 = (
    "case 0: nu = 0 if eps < e0",
    "case 1: one side is redacted, and nu <= 1 - (p+D*-1)/n",
)
CHOICE, COUNT = "(9) >= (10) iff t_p(eps) >= 0", "n(1-nu) >= Dl+Dr+1"


@claim(
    "massny2025.thm2-onesided",
    where="Appendix D",
    statement="p = 1, budget eps_r > 0: a DIM that redacts records 1, .., 1+Dr, cut off at n, with "
    "Dr = D*(eps_r)-1, is eps_r-private, and no eps_r-private DIM has a smaller radius.",
    kind="proof step",
)
def thm2_onesided(check: Check) -> None:
    """Prove that redacting records 1 to D* (or all) is private, and that every private DIM
    redacts as many.
    """
    with check.reading(CUT, "all a <= b, every eps_r > 0 and n") as argument:
        _onesided(argument)
    check.near_miss(f"{CUT}: Dr = D* - 2", lambda argument: _onesided(argument, 1))
    check.near_miss(
        f"{CUT}: not cut off, Dr = D* - 1 <= n - 1",
        lambda argument: argument.exhaust(
            "n = 2, eps below i1(1)",
            "a window beyond the chain",
            [Instance(THIRD, 2, 1, Fraction(21, 20))],
            lambda at: first_distance(at.of, at.ratio) - 1 <= at.length - 1,
        ),
    )


def _onesided(argument: Argument, less: int = 0) -> None:
    argument.cite(
        "leakage",
        "F = I(r), r the distance of the nearest released record; nothing if none",
        "massny2025.x-dim-leakage",
    )
    argument.cite("threshold", "I(k) <= R iff k >= D", "massny2025.dstar-repaired")
    argument.inequality(
        "least",
        "a private DIM redacts N = r or all n records: at least the smaller of D and n",
        Or(N >= D, N >= n),
        [Or(And(Eq(N, r), F <= R), Eq(N, n)), Equivalent(F <= R, r >= D), D >= 1],
    )
    argument.inequality(
        "private",
        "with Dr = D - 1 the nearest released record is at r = D",
        F <= R,
        [Equivalent(F <= R, r >= D), Eq(r, D - less), D >= 1],
    )


@claim(
    "massny2025.thm2-cases",
    where="Appendix D",
    statement="e0 = i1(n+1-p) < i1(n-p), e1 = i1(p-1), e0 < e1. Case 0: eps < e0 gives nu = 0. "
    "Case 1, e0 <= eps < e0+e1: one side is redacted, nu <= 1-(p+D*(eps)-1)/n; Lk(Y_l) = e1. "
    "Case 2: (9) Dl+Dr = p+D*(eps)-2 one-sided; two-sided Jensen gives 1+(Dl+Dr')/2 >= "
    "D*(eps/2), equivalently Dl+Dr' >= 2D*(eps/2)-1; (10) Dl+Dr >= 2D*(eps/2)-2; two-sided is "
    "better iff t_p(eps) >= 0; Dl+Dr >= min{p+D*(eps), 2D*(eps/2)}-2; n(1-nu) >= Dl+Dr+1.",
    kind="proof steps",
    repair="massny2025.thm2-cases-repaired",
)
def thm2_cases(check: Check) -> None:
    """Refute the equivalence, what follows from it, Jensen's step, strictness and an equality;
    prove the rest.
    """
    with check.reading(
        "Dl+Dr' >= 2D*(eps/2)-1 is equivalent to 1+(Dl+Dr')/2 >= D*(eps/2)", "one counterexample"
    ) as argument:
        at = Instance(THIRD, 4, 2, max_influence(THIRD, 1) ** 2)
        argument.counterexample(
            "Dl = Dr' = 0",
            "a = b = 1/3, n = 4, p = 2, eps = 2 i1(1), so that D*(eps/2) = 1: releasing all but "
            "X_p is private, Dl = Dr' = 0. Then 1 + (Dl+Dr')/2 = 1 >= D*(eps/2), but Dl+Dr' = 0 is "
            "below 2D*(eps/2)-1 = 1: what is equivalent is Dl+Dr' >= 2D*(eps/2)-2",
            {**at.evidence, "Dl": 0, "Dr'": 0, "D*": 1},
            lambda: (
                first_distance(THIRD, at.ratio, 2) == 1 and pattern_leakage(THIRD, 1, 1) <= at.ratio
            ),
        )
    with check.reading("(10) and the minimum with (9)", "one counterexample") as argument:
        argument.counterexample(
            "Dl + Dr = 1",
            "a = 1/3, b = 1/2, n = 6, p = 3, e^eps = 45/28. (10) says Dl+Dr >= 2D*(eps/2)-2 = 2, "
            "and the minimum with (9) is 2 as well. Releasing from distances 1 and 2 on is "
            "private, and Dl+Dr = 1",
            {**ODD.evidence, "Dl": 0, "Dr": 1},
            lambda: (
                optimum(ODD) == (2, [(1, 2), (2, 1)])
                and min(
                    2 * first_distance(ODD.of, ODD.ratio, 2),
                    ODD.private + first_distance(ODD.of, ODD.ratio),
                )
                - 2
                == 2
            ),
        )
    with check.reading("Jensen's inequality", "one counterexample") as argument:
        argument.counterexample(
            "lam < 0",
            "a = 4/5, b = 14/15. The proof uses i1(l) + i1(r) >= 2 i1((l+r)/2). For lam < 0 i1 is "
            "not convex: i1(2) + i1(4) < 2 i1(3)",
            {
                **TWO.evidence,
                "e^i1(2)": max_influence(TWO.of, 2),
                "e^i1(3)": max_influence(TWO.of, 3),
                "e^i1(4)": max_influence(TWO.of, 4),
            },
            lambda: (
                max_influence(TWO.of, 2) * max_influence(TWO.of, 4) < max_influence(TWO.of, 3) ** 2
            ),
        )
    with check.reading("e0 < i1(n-p) and e0 < e1", "one counterexample") as argument:
        coin = chain("1/2", "1/2")
        argument.counterexample(
            "lam = 0",
            "a = b = 1/2, n = 4, p = 2. Claimed: e0 < i1(n-p) and e0 < e1. The records are "
            "independent, so that all influences are 0 and none is below another",
            {"a": coin.a, "b": coin.b, "lam": coin.eigenvalue, "n": 4, "p": 2},
            lambda: max_influence(coin, 3) == max_influence(coin, 2) == max_influence(coin, 1),
        )
    with check.reading(
        "Lk(Y_l) = e1 for a released record of the left side", "one counterexample"
    ) as argument:
        argument.counterexample(
            "the neighbour of p",
            "a = b = 1/3, n = 6, p = 3. Claimed: a released record l of the left side leaks "
            "Lk(Y_l) = e1 = i1(2). For l = 2, the neighbour of p, it leaks i1(1) > i1(2). What the "
            "proof needs is Lk(Y_l) >= e1, which is true",
            {"a": THIRD.a, "b": THIRD.b, "lam": THIRD.eigenvalue, "n": 6, "p": 3},
            lambda: pattern_leakage(THIRD, 1, None) > max_influence(THIRD, 2),
        )
    _remaining(check)


@claim(
    "massny2025.thm2-cases-repaired",
    where="Appendix D, repaired",
    statement="Let p <= n/2, e0 = i1(n+1-p) and e1 = i1(p-1), infinite for p = 1. Every "
    "eps-private DIM has nu = 0 if eps < e0; for e0 <= eps < e0+e1 it redacts one side of p "
    "fully, and nu <= 1-(p+D*(eps)-1)/n; if it releases records on both sides of p, Dl+Dr >= "
    "2D*(eps/2)-3 for lam >= 0 and >= 2D*(eps/2)-4 for lam < 0; n(1-nu) >= Dl+Dr+1. The radii "
    "p+D*(eps)-2 of (9), one side redacted, are at least the radii 2D*(eps/2)-2 of (10) iff "
    "t_p(eps) = p+D*(eps)-2D*(eps/2) >= 0.",
    kind="repair of massny2025.thm2-cases",
)
def thm2_cases_repaired(check: Check) -> None:
    """Prove what the steps are used for."""
    _remaining(check)
    for name, prove, least in (
        ("two-sided, lam >= 0", two_sided_positive, 2),
        ("two-sided, lam < 0", two_sided_negative, 3),
    ):
        with check.reading(name, "all a <= b, every eps with D*, every n and p") as argument:
            argument.cite("leakage", "M and the exact sum", "massny2025.x-dim-leakage")
            argument.cite(
                "the next record",
                "M >= E y and x F for lam < 0 and l + r odd",
                "massny2025.x-next-influence",
            )
            argument.cite("thresholds", "I(k)^2 <= R iff k >= H", "massny2025.dstar-repaired")
            prove(argument)
            argument.inequality(
                "radii",
                "Dl = l - 1 and Dr = r - 1; N = l + r - 1 records are redacted",
                Dl + Dr >= 2 * H - least - 1,
                [Eq(Dl, l - 1), Eq(Dr, r - 1), Eq(N, l + r - 1), N >= 2 * H - least],
            )
        check.near_miss(f"{name}: one record more", partial(prove, more=1))


def _remaining(check: Check) -> None:
    scope = "all a <= b, every eps, n and p <= n/2"
    with check.reading(CASE_0, scope) as argument:
        argument.cite("leakage", "M >= E for a released record", "massny2025.x-dim-leakage")
        argument.cite("order", "E >= I(n-p) = A >= G", "massny2025.prop1-decreasing-repaired")
        argument.inequality("eps < e0", "R < G <= A", A > R, [R < G, G <= A, R >= 1])
        few_released(argument)
    check.near_miss(
        f"{CASE_0}: eps <= e0, without strictness",
        lambda argument: argument.inequality("eps = e0", "R = G", A > R, [R <= G, G <= A, R >= 1]),
    )
    with check.reading(CASE_1, scope) as argument:
        _case_1(argument)
    check.near_miss(f"{CASE_1}: eps <= e0 + e1", lambda argument: _both(argument, R <= B * G))
    with check.reading(CHOICE, "all integers") as argument:
        argument.inequality(
            "the two counts",
            "p + D - 2 against 2 H - 2",
            Equivalent(p + D - 2 >= 2 * H - 2, p + D - 2 * H >= 0),
        )
    check.near_miss(
        f"{CHOICE}: > ",
        lambda argument: argument.inequality(
            "the two counts", "strictly", Equivalent(p + D - 2 > 2 * H - 2, p + D - 2 * H >= 0)
        ),
    )
    with check.reading(COUNT, "every DIM") as argument:
        _count(argument)
    check.near_miss(f"{COUNT}: one more", lambda argument: _count(argument, 1))


def _count(argument: Argument, more: int = 0) -> None:
    argument.induction(
        "redactions",
        "the window counts Dl + Dr + 1 = N; any other record adds r_t = t >= 0 to the sum s",
        base=(s >= N + more, [Eq(s, N)]),
        step=(s + t >= N, [s >= N, t >= 0]),
    )


def _case_1(argument: Argument) -> None:
    argument.cite(
        "leakage",
        "M = E F, or M >= E f and e F for lam < 0 and l + r odd",
        "massny2025.x-dim-leakage",
    )
    argument.cite(
        "the next record",
        "then M >= E y, y = I(r+1), r + 1 <= n + 1 - p",
        "massny2025.x-next-influence",
    )
    argument.cite("order", "E >= B, F >= y >= G", "massny2025.prop1-decreasing-repaired")
    argument.cite("threshold", "I(k) <= R iff k >= D", "massny2025.dstar-repaired")
    _both(argument, R < B * G)
    argument.inequality(
        "the right side alone",
        "N = p - 1 + r",
        N >= p + D - 1,
        [Eq(N, p - 1 + r), Equivalent(F <= R, r >= D), F <= R, p >= 1],
    )
    argument.inequality(
        "the left side alone",
        "N = n - p + l",
        N >= p + D - 1,
        [Eq(N, n - p + l), Equivalent(E <= R, l >= D), E <= R, 2 * p <= n, p >= 1],
    )
    argument.inequality(
        "nothing",
        "e0 <= eps gives D <= n + 1 - p",
        n >= p + D - 1,
        [G <= R, Equivalent(G <= R, n + 1 - p >= D), 2 * p <= n, p >= 1],
    )


def _both(argument: Argument, below: sympy.Rel) -> None:
    argument.inequality(
        "both sides leak too much",
        "M is at least E F or E y",
        M > R,
        [Or(M >= E * F, M >= E * y), E >= B, F >= y, y >= G, G >= 1, B >= 1, R >= 1, below],
    )
