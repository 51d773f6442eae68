"""The steps of the proof of the upper bound on data-independent mechanisms.

Letters as in `bound`; e0, e1 are i1(n+1-p), i1(p-1). Source: massny2025, section III and
appendix D.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.bound import statements
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    max_influence,
    optimum,
    pattern_leakage,
)
from pufferproof.claims.papers.massny2025.bound.statement import TWO
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence, leaked
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.registry import Check, claim

THIRD = chain("1/3", "1/3")
ODD = Instance(chain("1/3", "1/2"), 6, 3, Fraction(45, 28))
"""The first instance that refutes theorem 2: distances 1 and 2, D*(eps) = 1, D*(eps/2) = 2."""
CUT = "p = 1, windows cut off at n"
CASE_0, CASE_1 = (
    "case 0: nu = 0 if eps < e0",
    "case 1: one side is redacted, and nu <= 1 - (p+D*-1)/n",
)
CHOICE, COUNT = "(9) less (10) is t_p(eps)", "n(1-nu) >= Dl+Dr+1"


@claim(
    "massny2025.thm2-onesided",
    where="Appendix D",
    statement="p = 1, budget eps_r > 0: a DIM that redacts records 1, .., 1+Dr, cut off at n, with "
    "Dr = D*(eps_r)-1, is eps_r-private, and no eps_r-private DIM has a smaller radius.",
    kind="proof step",
    says={CUT: statements.ONE_SIDED},
)
def thm2_onesided(check: Check) -> None:
    """Prove that redacting records 1 to D* (or all) is private, and that every private DIM
    redacts as many.

    Leakage: F = I(r), r the distance of the nearest released record; nothing if none
    [massny2025.x-dim-leakage]. Threshold: I(k) <= R iff k >= De [massny2025.dstar-repaired]. Least:
    a private DIM redacts N = r or all n records: at least the smaller of De and n. Private: with Dr
    = De - 1 the nearest released record is at r = De.
    """


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
    says=statements.CASES,
)
def thm2_cases(check: Check) -> None:
    """Refute the equivalence, what follows from it, Jensen's step, strictness and an equality;
    prove the rest.

    Case 0: nu = 0 if eps < e0; case 1: one side is redacted, and nu <= 1 - (p+D*-1)/n. As in
    massny2025.thm2-cases-repaired.

    N(1-nu) >= Dl+Dr+1. Redactions: the window counts Dl + Dr + 1 = N; any other record adds r_t >=
    0 to the sum.
    """
    for name, proof in (
        ("Dl+Dr' >= 2D*(eps/2)-1 is equivalent to 1+(Dl+Dr')/2 >= D*(eps/2)", _not_equivalent),
        ("(10) and the minimum with (9)", _fewer),
        ("Jensen's inequality", _not_convex),
        ("e0 < i1(n-p) and e0 < e1", _independent),
        ("Lk(Y_l) = e1 for a released record of the left side", _neighbour),
    ):
        proved(check, name, "one counterexample", proof)
    _remaining(check)


def _not_equivalent(proof: Proof) -> None:
    at = Instance(THIRD, 4, 2, max_influence(THIRD, 1) ** 2)
    proof.counterexample(
        "Dl = Dr' = 0",
        "Take a = b = 1/3, n = 4, p = 2 and eps = 2 i1(1), so that D*(eps/2) = 1. Releasing all "
        "records but X_p is private, with Dl = Dr' = 0. Then 1 + (Dl+Dr')/2 = 1 >= D*(eps/2), but "
        "Dl+Dr' = 0 is below 2D*(eps/2)-1 = 1. The equivalent inequality is Dl+Dr' >= "
        "2D*(eps/2)-2",
        {**at.evidence, "Dl": 0, "Dr'": 0, "D*": 1},
        lambda: (
            first_distance(THIRD, at.ratio, 2) == 1 and pattern_leakage(THIRD, 1, 1) <= at.ratio
        ),
        f"{influence(1)}^2 <= e_eps and {leaked(1, 1)} <= e_eps and Dl + Dr < 2*D - 1 and "
        "1 + (Dl + Dr)/2 >= D",
    )


def _fewer(proof: Proof) -> None:
    proof.counterexample(
        "Dl + Dr = 1",
        "Take a = 1/3, b = 1/2, n = 6, p = 3 and e^eps = 45/28. (10) says Dl+Dr >= 2D*(eps/2)-2 = "
        "2, and the minimum with (9) is 2 as well. Releasing from distances 1 and 2 on is "
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
        f"{leaked(1, 2)} <= e_eps < {influence(1)}^2 and {influence(2)}^2 <= e_eps and Dl + Dr < 2",
    )


def _not_convex(proof: Proof) -> None:
    two, three, four = (max_influence(TWO.of, distance) for distance in (2, 3, 4))
    proof.counterexample(
        "lam < 0",
        "Take a = 4/5 and b = 14/15. The proof uses i1(l) + i1(r) >= 2 i1((l+r)/2). For lam < 0 "
        "i1 is not convex: i1(2) + i1(4) < 2 i1(3)",
        {**TWO.evidence, "e^i1(2)": two, "e^i1(3)": three, "e^i1(4)": four},
        lambda: two * four < three**2,
        f"{influence(2)} * {influence(4)} < {influence(3)}^2",
    )


def _independent(proof: Proof) -> None:
    coin = chain("1/2", "1/2")
    proof.counterexample(
        "lam = 0",
        "Take a = b = 1/2, n = 4 and p = 2. The paper claims that e0 < i1(n-p) and e0 < e1. The "
        "records are independent, so that all influences are 0 and none is below another",
        {"a": coin.a, "b": coin.b, "lam": coin.eigenvalue, "n": 4, "p": 2},
        lambda: max_influence(coin, 3) == max_influence(coin, 2) == max_influence(coin, 1),
        f"{influence(3)} = {influence(2)} = {influence(1)} = 1",
    )


def _neighbour(proof: Proof) -> None:
    proof.counterexample(
        "the neighbour of p",
        "Take a = b = 1/3, n = 6 and p = 3. The paper claims that a released record l of the left "
        "side leaks Lk(Y_l) = e1 = i1(2). For l = 2, the neighbour of p, it leaks i1(1) > i1(2). "
        "What the proof needs is Lk(Y_l) >= e1, which is true",
        {"a": THIRD.a, "b": THIRD.b, "lam": THIRD.eigenvalue, "n": 6, "p": 3},
        lambda: pattern_leakage(THIRD, 1, None) > max_influence(THIRD, 2),
        f"{leaked(1, None)} > {influence(2)}",
    )


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
    says=statements.CASES_REPAIRED,
)
def thm2_cases_repaired(check: Check) -> None:
    """Prove what the steps are used for.

    Two-sided, lam >= 0. M = E F or, for lam < 0 and l + r odd, at least E y and x F
    [massny2025.x-dim-leakage], [massny2025.x-next-influence]; I(k)^2 <= R iff k >= Dh
    [massny2025.dstar-repaired]. For l + r = 2 k M >= I(k)^2, and for 2 k - 1 M >= E y >= I(k)^2, as
    r + 1 + l = 2 k [massny2025.x-balanced]. N = l + r - 1 records are redacted.

    Two-sided, lam < 0. For l + r = 2 k I(k+1)^2 <= M. For 2 k - 1 one of l, r is even: add 1 to it
    if k is odd, to either if k is even, so that I(k)^2 is at most E y or x F
    [massny2025.x-balanced]; the rest as above.

    Case 0: nu = 0 if eps < e0. R < e0 <= I(n-p) <= I of any released record, as p - 1 <= n - p
    [massny2025.prop1-decreasing-repaired].

    Case 1: one side is redacted, and nu <= 1 - (p+D*-1)/n. Both sides leak too much: M is at least
    E F or E y, y = I(r+1), r + 1 <= n + 1 - p. The right side alone: N = p - 1 + r; the left alone:
    N = n - p + l; nothing: e0 <= eps gives De <= n + 1 - p.

    n(1-nu) >= Dl+Dr+1. The window counts Dl + Dr + 1; any other record adds r_t >= 0 to the sum.
    """
    _remaining(check)
    check.tried("two-sided, lam >= 0")
    check.tried("two-sided, lam < 0")


def _remaining(check: Check) -> None:
    check.tried(CASE_0)
    check.tried(CASE_1)
    check.formula(CHOICE)
    check.tried(COUNT)
