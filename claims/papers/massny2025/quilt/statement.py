"""The Markov quilt mechanism: the distance D*(eps) it uses, its window and its privacy.

I(k) is e^i1(k), with I = 1 for a record that is not there. i1(k) <= eps iff k >= D*(eps), for k >=
1. That k and d are integers is used as: k <= d - 1 or k >= d. Source: massny2025, theorem 2,
appendix C and algorithm 1.
"""

from functools import partial

import sympy
from sympy import And, Eq, Equivalent, Or, Rational

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    below,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.bound.patterns import Instance, instances, max_influence
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt import statements
from pufferproof.claims.papers.massny2025.quilt.windows import inside, leaks, window
from pufferproof.claims.registry import Check, claim

m = letter("m", "|lam|", above(0), below(1))
c = letter("c", "b/a", at_least(1))
u = letter("u", "m^D", above(0))
v = letter("v", "a bound on m^D that will do")
natural = letter("natural", "a natural number above m/(v (1 - m))", above(0))
R = letter("R", "e^eps", above(1))
De = letter("De", NOTATION["De"], at_least(1))
Dh = letter("Dh", NOTATION["Dh"], at_least(1))
n = letter("n", NOTATION["n"])
p = letter("p", NOTATION["p"])
k = letter("k", "the distance of the nearest released record")
narrow, wide = letters("narrow wide", "how many records are redacted, and how many MQ redacts")
E, F = letters("E F", "I at the nearest released records, 1 where there is none", at_least(1))
A, B = letters("A B", "I(n+1-p), I(p-1)", at_least(1))
Dl = letter("Dl", NOTATION["Dl"])
Dr = letter("Dr", NOTATION["Dr"])
nu = letter("nu", NOTATION["nu"])
outside = letter("outside", "the number of records outside the window, of the first ones or of all")
window_size = letter("window_size", "the number of integers from p - Dl to p - Dl + further")
further = letter("further", "how many integers after p - Dl are counted")
releases = letter("releases", "the expected number of releases among the first records")
zero = letter("zero", "Pr(X_t=0) of the next record")
DIFFERENT = chain("1/3", "1/3")
EVIDENCE = {"a": DIFFERENT.a, "b": DIFFERENT.b, "e^eps": 1, "lam": DIFFERENT.eigenvalue}
EXISTS = "eps > 0, distances of the unbounded chain"
INSIDE = "1 <= p <= n/2"
MIDDLE = "1 <= p <= (n+1)/2"
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
    """
    _existence(check)
    zero_level = "eps >= 0, distances of the unbounded chain"
    proved(check, zero_level, "every lam other than 0", _no_distance)
    proved(check, "eps > 0, distances up to n - p", "one counterexample", _short_chain)


def _no_distance(proof: Proof) -> None:
    proof.cite(
        "positive",
        "i1(D) > 0 for every D: none is at most 0",
        "massny2025.prop1-decreasing-repaired",
    )
    proof.counterexample(
        "eps = 0",
        "a = b = 1/3, eps = 0. Claimed: there is a smallest D* with Inf(X_p~>X_{p+D*}) <= 0. "
        "As lam^D is not 0, i1(D) > 0 at every distance: there is none",
        EVIDENCE,
        lambda: (
            all(max_influence(DIFFERENT, d) > 1 for d in range(1, 30)) and DIFFERENT.eigenvalue != 0
        ),
    )


def _short_chain(proof: Proof) -> None:
    proof.counterexample(
        "n = 2, p = 1",
        "a = b = 1/3, n = 2, p = 1, e^eps = 3/2. Claimed: some record p+D* has a max-influence "
        "of at most eps. The only other record has log 2 > eps",
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
    """Prove existence by a bound on the powers of lam, and the threshold by monotonicity."""
    _existence(check)


def _existence(check: Check) -> None:
    equal = Edit("there is such a bound", without=R > 1, given=R >= 1)
    proved(check, EXISTS, "all a <= b, every eps > 0", _exists, **{"eps >= 0": equal})


def _exists(proof: Proof) -> None:
    proof.cite("powers vanish", "(1/m)^D >= 1 + D (1/m - 1), 0 < m < 1", "lemma.bernoulli")
    proof.inequality(
        "small enough",
        "v > 0 is a bound on u = m^D that will do; some natural number D exceeds m/(v (1 - m))",
        u < v,
        [u * (1 + natural * (1 / m - 1)) <= 1, natural * v * (1 - m) >= m, v > 0],
    )
    proof.inequality(
        "there is such a bound",
        "v = (R - 1)/(1 + R (1 + c))",
        And(v > 0, v < 1),
        [Eq(v * (1 + R * (1 + c)), R - 1)],
    )
    proof.cite(
        "closed form",
        "e^i1 is (1 + c u)/(1 - u), or for lam < 0 and D odd (1 + u)/(1 - c u)",
        "massny2025.prop1-closed",
    )
    proof.inequality(
        "i1(D) <= eps",
        "multiplied by the denominators, which are positive",
        And(1 + c * u <= R * (1 - u), 1 + u <= R * (1 - c * u), c * u < 1),
        [u <= v, Eq(v * (1 + R * (1 + c)), R - 1)],
    )
    proof.cite(
        "a threshold",
        "i1 decreases, or is 0 at all distances: what holds for D* holds from there on, and the "
        "least of a set of natural numbers exists",
        "massny2025.prop1-decreasing-repaired",
    )


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
    """
    scope = "all a <= b, every eps > 0 and n"
    beyond = Edit("two-sided", without=2 * p <= n, given=2 * p <= n + 2)
    proved(check, INSIDE, scope, _window, **{"p <= (n+2)/2": beyond})
    middle = partial(_window, middle=2 * p <= n + 1)
    proved(check, MIDDLE, scope, middle, **{"every p, evaluated": stick_out})


def _window(proof: Proof, middle: object = 2 * p <= n) -> None:
    proof.cite("distances exist", "D*(eps) and D*(eps/2), for eps > 0", "massny2025.dstar-repaired")
    prove_inside(proof, middle)


def prove_inside(proof: Proof, middle: object) -> None:
    """Show 1 <= p - Dl <= p <= p + Dr <= n in both branches."""
    proof.inequality(
        "one-sided",
        "Dl = p - 1, and Dr is De or n - p, the smaller one",
        And(p - (p - 1) >= 1, Dr >= 0, p + Dr <= n),
        [Or(Eq(Dr, De), Eq(Dr, n - p)), Dr <= De, Dr <= n - p, p >= 1, n >= 1, p <= n],
    )
    proof.inequality(
        "two-sided",
        "p > 1 and eps >= i1(n+1-p) + i1(p-1), so De <= p - 1, and t_p >= 0: 2 Dh <= p + De. Dh is "
        "an integer",
        And(p - Dh >= 1, p + Dh <= n),
        [2 * Dh <= p + De, De <= p - 1, Or(Dh <= p - 1, Dh >= p), p >= 2, middle, n >= 1],
    )
    proof.inequality(
        "why D <= p - 1",
        "I(p-1) is at most R",
        De <= p - 1,
        [A * B <= R, Equivalent(B <= R, p - 1 >= De)],
        for_any=[De],
    )


def stick_out(proof: Proof) -> None:
    """Find a window outside the chain for p beyond the middle."""
    proof.exhaust("window", "all p, by n", instances(5, 3, positions="all"), inside)


@claim(
    "massny2025.mq-private",
    where="Appendix C",
    statement="The MQ mechanism is eps-private, for every eps > 0.",
    says=statements.PRIVATE,
)
def mq_private(check: Check) -> None:
    """Prove it for every position of p and both branches, from the converse of corollary 2."""
    scope = "all a <= b, every eps > 0, n and p"
    proved(check, INSIDE, scope, partial(_private, middle=2 * p <= n))
    lower = [
        Edit(step, instead=E * F <= R * Rational(999, 1000)) for step in ("one-sided", "two-sided")
    ]
    every = partial(_private, middle=p <= n)
    check.near_miss(f"{INSIDE}: the next record released, windows narrower by two", _too_narrow)
    proved(check, EVERY, scope, every, a_level_lower_by_one_in_a_thousand=lower)


def _private(proof: Proof, middle: object) -> None:
    proof.cite(
        "what is enough",
        "e^Lk <= E F, E and F being I at the nearest released records, 1 where there is none",
        "massny2025.x-cor2-converse",
    )
    proof.cite(
        "thresholds", "I(k) <= R iff k >= De, I(k)^2 <= R iff k >= Dh", "massny2025.dstar-repaired"
    )
    proof.inequality(
        "one-sided",
        "Nothing is released on the left; on the right nothing, or the nearest at distance k = De "
        "+ 1",
        E * F <= R,
        [Eq(E, 1), Or(Eq(F, 1), Equivalent(F <= R, k >= De)), Eq(k, De + 1), middle, p >= 1],
    )
    proof.inequality(
        "two-sided",
        "Released records are at distances k = Dh + 1 and more: E and F are 1 or I(Dh + 1)",
        E * F <= R,
        [
            *[Or(Eq(one, 1), Equivalent(one**2 <= R, k >= Dh)) for one in (E, F)],
            Eq(k, Dh + 1),
            middle,
            p >= 1,
        ],
    )


def _too_narrow(proof: Proof) -> None:
    def holds(at: Instance) -> bool:
        branch, left, right = window(at)
        narrower = (left, right - 2) if branch == "one-sided" else (left - 2, right - 2)
        return min(narrower) < 0 or leaks(at, *narrower) <= at.ratio

    proof.exhaust("narrower by two", "by n and p", instances(5, 3), holds)


@claim(
    "massny2025.x-mq-narrow",
    where="Appendix C, beyond",
    statement="For eps > 0 and p <= n/2 the MQ window can be narrower by one at each end that D* "
    "sets and the mechanism stays eps-private: Dr = min(De-1, n-p) one-sided, Dl = Dr = Dh-1 "
    "two-sided. If De <= n-p it releases 1 more record one-sided; two-sided it releases 2 more.",
    kind="improvement",
    says=statements.NARROW,
)
def mq_narrow(check: Check) -> None:
    """Prove that the printed window is one record too wide on each side."""
    name = "as stated"
    by_two = [
        Edit("one-sided", without=Eq(k, De), given=Eq(k, De - 1)),
        Edit("two-sided", without=Eq(k, Dh), given=Eq(k, Dh - 1)),
    ]
    scope = "all a <= b, every eps > 0, n and p"
    proved(check, name, scope, _narrow, narrower_by_two=by_two)
    check.near_miss(f"{name}: narrower by two, evaluated", _too_narrow)


def _narrow(proof: Proof) -> None:
    proof.cite(
        "what is enough",
        "e^Lk <= E F for the nearest released records",
        "massny2025.x-cor2-converse",
    )
    proof.cite(
        "thresholds", "I(k) <= R iff k >= De, I(k)^2 <= R iff k >= Dh", "massny2025.dstar-repaired"
    )
    proof.inequality(
        "one-sided",
        "the nearest released record, if there is one, is at distance k = De",
        F <= R,
        [Or(Eq(F, 1), Equivalent(F <= R, k >= De)), Eq(k, De)],
    )
    proof.inequality(
        "two-sided",
        "the nearest released records are at distance k = Dh",
        E * F <= R,
        [*[Or(Eq(one, 1), Equivalent(one**2 <= R, k >= Dh)) for one in (E, F)], Eq(k, Dh)],
    )
    proof.inequality(
        "fewer redactions",
        "windows of p + De and 2 Dh + 1 records lose one and two, and still hold p",
        And(Or(Eq(narrow, wide - 1), Eq(narrow, wide - 2)), k >= 1),
        [
            Or(
                And(Eq(k, De), Eq(narrow, p + k - 1), Eq(wide, p + De)),
                And(Eq(k, Dh), Eq(narrow, 2 * k - 1), Eq(wide, 2 * Dh + 1)),
            )
        ],
    )


@claim(
    "massny2025.mq-formula",
    where="Appendix C",
    statement="For eps > 0 and 1 <= p <= n/2: nu_MQ = 1 - (Dl+Dr+1)/n.",
    kind="closed form",
    says=statements.FORMULA,
)
def mq_formula(check: Check) -> None:
    """Prove it: the window has Dl + Dr + 1 records, all in the chain."""
    without_own = Edit("its size: base", put={further + 1: further})
    scope = "all a <= b, every eps > 0 and n"
    proved(check, INSIDE, scope, _formula)
    check.near_miss(f"{INSIDE}: without X_p", edited(_formula, without_own))
    check.near_miss(f"{INSIDE}: every p, evaluated", stick_out)


def _formula(proof: Proof) -> None:
    proof.cite("the window", "lies in [1, n]", "massny2025.mq")
    proof.induction(
        "its size",
        "one more integer of the window",
        base=(Eq(window_size, further + 1), [Eq(window_size, 1), Eq(further, 0)]),
        step=(Eq(window_size + 1, further + 2), [Eq(window_size, further + 1)]),
    )
    proof.induction(
        "expected releases",
        "r_t = (1,1) inside and (0,0) outside: P(X_t=Y_t) is 0 inside, and outside the sum of both "
        "probabilities, 1",
        base=(Eq(releases, outside), [Eq(releases, 0), Eq(outside, 0)]),
        step=(Eq(releases + zero + (1 - zero), outside + 1), [Eq(releases, outside)]),
    )
    proof.inequality(
        "nu",
        "n nu is the number of records outside",
        Eq(n * nu, n - (Dl + Dr + 1)),
        [
            Eq(n * nu, outside),
            Eq(outside + window_size, n),
            Eq(window_size, Dl + Dr + 1),
            n >= 1,
        ],
    )
    prove_inside(proof, 2 * p <= n)
