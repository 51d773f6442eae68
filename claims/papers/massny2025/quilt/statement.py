"""The Markov quilt mechanism: the distance D*(eps) it uses, its window and its privacy.

I(k) is e^i1(k), with I = 1 for a record that is not there. i1(k) <= eps iff k >= D*(eps), for k >=
1. That k and d are integers is used as: k <= d - 1 or k >= d. Source: massny2025, theorem 2,
appendix C and algorithm 1.
"""

import sympy

from pufferproof.claims.language import Proof, letter, proved
from pufferproof.claims.papers.massny2025.bound.patterns import max_influence
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt import statements
from pufferproof.claims.papers.massny2025.said import quilt_mechanism
from pufferproof.claims.registry import Check, claim

v = letter("v", "lam^D")
DIFFERENT = chain("1/3", "1/3")
EVIDENCE = {"a": DIFFERENT.a, "b": DIFFERENT.b, "e^eps": 1, "lam": DIFFERENT.eigenvalue}
EXISTS = "eps > 0, distances of the unbounded chain"
INSIDE = "1 <= p <= n/2"
EVERY = "every p, N cut off at 1 and n"


@claim(
    "massny2025.dstar",
    where="Theorem 2",
    statement="D*(eps) is the smallest integer with Inf(X_p~>X_{p+D*}) <= eps, for eps >= 0.",
    kind="definition",
    repair="massny2025.dstar-repaired",
    says={EXISTS: statements.DSTAR},
)
def dstar(check: Check) -> None:
    """Prove that it exists for eps > 0 in the unbounded chain; refute it for eps = 0, and inside
    the chain.

    Powers vanish: (1/m)^D >= 1 + D (1/m - 1), 0 < m < 1 [lemma.bernoulli]. Small enough: v > 0 is a
    bound on u = m^D that will do; some natural number D exceeds m/(v (1 - m)). There is such a
    bound: v = (R - 1)/(1 + R (1 + c)). Closed form: e^i1 is (1 + c u)/(1 - u), or for lam < 0 and D
    odd (1 + u)/(1 - c u) [massny2025.prop1-closed]. I1(D) <= eps: multiplied by the denominators,
    which are positive. A threshold: i1 decreases, or is 0 at all distances: what holds for D* holds
    from there on, and the least of a set of natural numbers exists
    [massny2025.prop1-decreasing-repaired].
    """
    _existence(check)
    zero_level = "eps >= 0, distances of the unbounded chain"
    proved(check, zero_level, "every lam other than 0", _no_distance)
    proved(check, "eps > 0, distances up to n - p", "one counterexample", _short_chain)


def _no_distance(proof: Proof) -> None:
    positive = proof.inequality(
        "every distance",
        "With a = b = 1/3 the law after D steps is (1 + v)/2 and (1 - v)/2, v = lam^D = 3^-D: "
        "e^i1(D) is their quotient",
        (1 + v) / (1 - v) > 1,
        [v > 0, v < 1],
    )
    proof.counterexample(
        "eps = 0",
        "Take a = b = 1/3 and eps = 0. The paper claims that there is a smallest D* with "
        "Inf(X_p~>X_{p+D*}) <= 0. As lam^D is not 0, i1(D) > 0 at every distance: there is none",
        EVIDENCE,
        lambda: (
            positive
            and all(max_influence(DIFFERENT, d) > 1 for d in range(1, 30))
            and DIFFERENT.eigenvalue != 0
        ),
    )


def _short_chain(proof: Proof) -> None:
    proof.counterexample(
        "n = 2, p = 1",
        "Take a = b = 1/3, n = 2, p = 1 and e^eps = 3/2. The paper claims that some record p+D* "
        "has a max-influence of at most eps. The only other record has log 2 > eps",
        {**EVIDENCE, "n": 2, "p": 1, "e^eps": sympy.Rational(3, 2)},
        lambda: max_influence(DIFFERENT, 1) > sympy.Rational(3, 2),
        f"{influence(1)} > e_eps",
    )


@claim(
    "massny2025.dstar-repaired",
    where="Theorem 2, repaired",
    statement="For eps > 0 (for lam = 0: eps >= 0) there is a least D*(eps) >= 1 with i1(D*) <= "
    "eps, and i1(k) <= eps iff k >= D*(eps), for integers k >= 1.",
    kind="repair of massny2025.dstar",
    says=statements.DSTAR,
)
def dstar_repaired(check: Check) -> None:
    """Prove existence by a bound on the powers of lam, and the threshold by monotonicity.

    As in massny2025.dstar.
    """
    _existence(check)


def _existence(check: Check) -> None:
    check.tried(EXISTS)


@claim(
    "massny2025.mq",
    where="Algorithm 1",
    statement="De = D*(eps), Dh = D*(eps/2), t_p(eps) = p + De - 2 Dh. If p = 1 or eps < i1(n+1-p) "
    "+ i1(p-1) or t_p(eps) < 0: Dl = p-1, Dr = min(De, n-p); otherwise Dl = Dr = Dh. N = "
    "[p-Dl, p+Dr]; y = x except y_t = * for t in N. Input eps > 0, p <= n/2. Read as: this is well "
    "defined, and the window N holds p and lies in [n].",
    kind="algorithm",
    says=statements.WINDOW,
)
def mq(check: Check) -> None:
    """Prove that the algorithm is well defined and that its window holds p and lies in the
    chain.

    Distances exist: D*(eps) and D*(eps/2), for eps > 0 [massny2025.dstar-repaired]. One-sided: Dl =
    p - 1, and Dr is De or n - p, the smaller one. Two-sided: p > 1 and eps >= i1(n+1-p) + i1(p-1),
    so De <= p - 1, and t_p >= 0: 2 Dh <= p + De. Dh is an integer. Why D <= p - 1: I(p-1) is at
    most R.
    """


@claim(
    "massny2025.mq-private",
    where="Appendix C",
    says={EVERY: quilt_mechanism.PRIVATE},
)
def mq_private(check: Check) -> None:
    """Prove it for every position of p and both branches: one side is replaced as a whole and the
    other tells at most e^i1(De), or both tell at most e^i1(Dh).
    """
    check.stated(EVERY)


@claim(
    "massny2025.mq-formula",
    where="Appendix C",
    statement="For eps > 0 and 1 <= p <= n/2: nu_MQ = 1 - (Dl+Dr+1)/n.",
    kind="closed form",
    says={INSIDE: statements.FORMULA},
)
def mq_formula(check: Check) -> None:
    """Prove it: the window has Dl + Dr + 1 records, all in the chain.

    The window: lies in [1, n] [massny2025.mq]. Its size: one more integer of the window. Expected
    releases: r_t = (1,1) inside and (0,0) outside: P(X_t=Y_t) is 0 inside, and outside the sum of
    both probabilities, 1. Nu: n nu is the number of records outside. One-sided: Dl = p - 1, and Dr
    is De or n - p, the smaller one. Two-sided: p > 1 and eps >= i1(n+1-p) + i1(p-1), so De <= p -
    1, and t_p >= 0: 2 Dh <= p + De. Dh is an integer. Why D <= p - 1: I(p-1) is at most R.
    """
