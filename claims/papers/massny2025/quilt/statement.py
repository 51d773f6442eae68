"""The Markov quilt mechanism: the distance D*(eps) it uses, its window and its privacy.

Letters: m = |lam|, c = b/a, u = m^D, R = e^eps; D, H are D*(eps) and D*(eps/2); I(k) is e^i1(k),
with I = 1 for a record that is not there. i1(k) <= eps iff k >= D*(eps), for k >= 1. That k and d
are integers is used as: k <= d - 1 or k >= d. Source: massny2025, theorem 2, appendix C and
algorithm 1.
"""

import sympy
from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.papers.massny2025.bound.patterns import Instance, instances, max_influence
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt.windows import inside, leaks, window
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

m, c, u, v, k, R, D, H, p, n, t, L, E, F = sympy.symbols("m c u v k R D H p n t L E F")
DIFFERENT = chain("1/3", "1/3")
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
)
def dstar(check: Check) -> None:
    """Refute that it exists for eps = 0, and inside the chain; prove it for eps > 0 in the
    unbounded chain.
    """
    evidence = {"a": DIFFERENT.a, "b": DIFFERENT.b, "e^eps": 1, "lam": DIFFERENT.eigenvalue}
    with check.reading(
        "eps >= 0, distances of the unbounded chain", "every lam other than 0"
    ) as argument:
        argument.cite(
            "positive",
            "i1(D) > 0 for every D: none is at most 0",
            "massny2025.prop1-decreasing-repaired",
        )
        argument.counterexample(
            "eps = 0",
            "a = b = 1/3, eps = 0. Claimed: there is a smallest D* with Inf(X_p~>X_{p+D*}) <= 0. "
            "As lam^D is not 0, i1(D) > 0 at every distance: there is none",
            evidence,
            lambda: (
                all(max_influence(DIFFERENT, d) > 1 for d in range(1, 30))
                and DIFFERENT.eigenvalue != 0
            ),
        )
    with check.reading("eps > 0, distances up to n - p", "one counterexample") as argument:
        argument.counterexample(
            "n = 2, p = 1",
            "a = b = 1/3, n = 2, p = 1, e^eps = 3/2. Claimed: some record p+D* has a max-influence "
            "of at most eps. The only other record has log 2 > eps",
            {**evidence, "n": 2, "p": 1, "e^eps": sympy.Rational(3, 2)},
            lambda: max_influence(DIFFERENT, 1) > sympy.Rational(3, 2),
        )
    _existence(check)


@claim(
    "massny2025.dstar-repaired",
    where="Theorem 2, repaired",
    statement="For eps > 0 (for lam = 0: eps >= 0) there is a least D*(eps) >= 1 with i1(D*) <= "
    "eps, and i1(k) <= eps iff k >= D*(eps), for integers k >= 1.",
    kind="repair of massny2025.dstar",
)
def dstar_repaired(check: Check) -> None:
    """Prove existence by a bound on the powers of lam, and the threshold by monotonicity."""
    _existence(check)


def _existence(check: Check) -> None:
    with check.reading(EXISTS, "all a <= b, every eps > 0") as argument:
        _exists(argument)
    check.near_miss(f"{EXISTS}: eps >= 0", lambda argument: _exists(argument, [R >= 1]))


def _exists(argument: Argument, level: list[sympy.Rel] | None = None) -> None:
    levels = [R > 1] if level is None else level
    argument.cite("powers vanish", "(1/m)^D >= 1 + D (1/m - 1), 0 < m < 1", "lemma.bernoulli")
    argument.inequality(
        "small enough",
        "v > 0 is a bound on u = m^D that will do; some natural number D exceeds m/(v (1 - m))",
        u < v,
        [u * (1 + k * (1 / m - 1)) <= 1, k * v * (1 - m) >= m, m > 0, m < 1, u > 0, v > 0, k > 0],
    )
    argument.inequality(
        "there is such a bound",
        "v = (R - 1)/(1 + R (1 + c))",
        And(v > 0, v < 1),
        [Eq(v * (1 + R * (1 + c)), R - 1), *levels, c >= 1],
    )
    argument.cite(
        "closed form",
        "e^i1 is (1 + c u)/(1 - u), or for lam < 0 and D odd (1 + u)/(1 - c u)",
        "massny2025.prop1-closed",
    )
    argument.inequality(
        "i1(D) <= eps",
        "multiplied by the denominators, which are positive",
        And(1 + c * u <= R * (1 - u), 1 + u <= R * (1 - c * u), c * u < 1),
        [u > 0, u <= v, Eq(v * (1 + R * (1 + c)), R - 1), R > 1, c >= 1],
    )
    argument.cite(
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
    "[p-Dl, p+Dr]; y = x except y_t = * for t in N. Input eps > 0, p <= n/2.",
    kind="algorithm",
)
def mq(check: Check) -> None:
    """Prove that the algorithm is well defined and that its window holds p and lies in the
    chain.
    """
    with check.reading(INSIDE, "all a <= b, every eps > 0 and n") as argument:
        argument.cite(
            "distances exist", "D*(eps) and D*(eps/2), for eps > 0", "massny2025.dstar-repaired"
        )
        prove_inside(argument, 2 * p <= n)
    check.near_miss(
        f"{INSIDE}: p <= (n+2)/2", lambda argument: prove_inside(argument, 2 * p <= n + 2)
    )
    with check.reading(MIDDLE, "all a <= b, every eps > 0 and n") as argument:
        argument.cite(
            "distances exist", "D*(eps) and D*(eps/2), for eps > 0", "massny2025.dstar-repaired"
        )
        prove_inside(argument, 2 * p <= n + 1)
    check.near_miss(f"{MIDDLE}: every p, evaluated", stick_out)


def prove_inside(argument: Argument, middle: sympy.Rel) -> None:
    """Show 1 <= p - Dl <= p <= p + Dr <= n in both branches."""
    argument.inequality(
        "one-sided",
        "Dl = p - 1 and Dr = t is D or n - p, the smaller one",
        And(p - (p - 1) >= 1, t >= 0, p + t <= n),
        [Or(Eq(t, D), Eq(t, n - p)), t <= D, t <= n - p, D >= 1, p >= 1, n >= 1, p <= n],
    )
    argument.inequality(
        "two-sided",
        "p > 1 and eps >= i1(n+1-p) + i1(p-1), so D <= p - 1, and t_p >= 0: 2 H <= p + D. H is an "
        "integer",
        And(p - H >= 1, p + H <= n),
        [
            2 * H <= p + D,
            D <= p - 1,
            Or(H <= p - 1, H >= p),
            H >= 1,
            D >= 1,
            p >= 2,
            middle,
            n >= 1,
        ],
    )
    argument.inequality(
        "why D <= p - 1",
        "E, F are I(p-1) and I(n+1-p)",
        D <= p - 1,
        [E * F <= R, E >= 1, F >= 1, Equivalent(E <= R, p - 1 >= D), R > 1],
    )


def stick_out(argument: Argument) -> None:
    """Find a window outside the chain for p beyond the middle."""
    argument.exhaust("window", "all p, by n", instances(5, 3, positions="all"), inside)


@claim(
    "massny2025.mq-private",
    where="Appendix C",
    statement="The MQ mechanism is eps-private, for every eps > 0.",
)
def mq_private(check: Check) -> None:
    """Prove it for every position of p and both branches, from the converse of corollary 2."""
    for name, middle in ((INSIDE, 2 * p <= n), (EVERY, p <= n)):
        with check.reading(name, "all a <= b, every eps > 0, n and p") as argument:
            _private(argument, middle)
    check.near_miss(f"{INSIDE}: the next record released, windows narrower by two", _too_narrow)
    check.near_miss(
        f"{EVERY}: a level lower by one in a thousand",
        lambda argument: _private(argument, p <= n, True),
    )


def _private(argument: Argument, middle: sympy.Rel, tight: bool = False) -> None:
    share = sympy.Rational(999, 1000) if tight else 1
    argument.cite(
        "what is enough",
        "e^Lk <= E F, E and F being I at the nearest released records, 1 where there is none",
        "massny2025.x-cor2-converse",
    )
    argument.cite(
        "thresholds", "I(k) <= R iff k >= D, I(k)^2 <= R iff k >= H", "massny2025.dstar-repaired"
    )
    argument.inequality(
        "one-sided",
        "Nothing is released on the left; on the right nothing, or the nearest at distance k = D + "
        "1",
        E * F <= R * share,
        [
            Eq(E, 1),
            Or(Eq(F, 1), Equivalent(F <= R, k >= D)),
            F >= 1,
            Eq(k, D + 1),
            D >= 1,
            R > 1,
            middle,
            p >= 1,
        ],
    )
    argument.inequality(
        "two-sided",
        "Released records are at distances k = H + 1 and more: E and F are 1 or I(H + 1)",
        E * F <= R * share,
        [
            *[Or(Eq(x, 1), Equivalent(x**2 <= R, k >= H)) for x in (E, F)],
            *[E >= 1, F >= 1, Eq(k, H + 1), H >= 1, R > 1, middle, p >= 1],
        ],
    )


def _too_narrow(argument: Argument) -> None:
    def holds(at: Instance) -> bool:
        branch, left, right = window(at)
        narrower = (left, right - 2) if branch == "one-sided" else (left - 2, right - 2)
        return min(narrower) < 0 or leaks(at, *narrower) <= at.ratio

    argument.exhaust("narrower by two", "by n and p", instances(5, 3), holds)


@claim(
    "massny2025.x-mq-narrow",
    where="Appendix C, beyond",
    statement="For eps > 0 and p <= n/2 the MQ window can be narrower by one at each end that D* "
    "sets and the mechanism stays eps-private: Dr = min(De-1, n-p) one-sided, Dl = Dr = Dh-1 "
    "two-sided. If De <= n-p it releases 1 more record one-sided; two-sided it releases 2 more.",
    kind="improvement",
)
def mq_narrow(check: Check) -> None:
    """Prove that the printed window is one record too wide on each side."""
    name = "as stated"
    with check.reading(name, "all a <= b, every eps > 0, n and p") as argument:
        argument.cite(
            "what is enough",
            "e^Lk <= E F for the nearest released records",
            "massny2025.x-cor2-converse",
        )
        argument.cite(
            "thresholds",
            "I(k) <= R iff k >= D, I(k)^2 <= R iff k >= H",
            "massny2025.dstar-repaired",
        )
        _narrow(argument)
    check.near_miss(f"{name}: narrower by two", lambda argument: _narrow(argument, 1))
    check.near_miss(f"{name}: narrower by two, evaluated", _too_narrow)


def _narrow(argument: Argument, more: int = 0) -> None:
    argument.inequality(
        "one-sided",
        "the nearest released record, if there is one, is at distance k = D",
        F <= R,
        [Or(Eq(F, 1), Equivalent(F <= R, k >= D)), Eq(k, D - more), F >= 1, D >= 1, R > 1],
    )
    argument.inequality(
        "two-sided",
        "the nearest released records are at distance k = H",
        E * F <= R,
        [
            *[Or(Eq(x, 1), Equivalent(x**2 <= R, k >= H)) for x in (E, F)],
            E >= 1,
            F >= 1,
            Eq(k, H - more),
            H >= 1,
            R > 1,
        ],
    )
    argument.inequality(
        "fewer redactions",
        "windows of p + D and 2 H + 1 records lose one and two, and still hold p",
        And(p + (D - 1) <= p + D - 1, 2 * (H - 1) + 1 <= 2 * H + 1 - 2, H - 1 >= 0),
        [D >= 1, H >= 1, p >= 1],
    )


@claim(
    "massny2025.mq-formula",
    where="Appendix C",
    statement="For eps > 0 and 1 <= p <= n/2: nu_MQ = 1 - (Dl+Dr+1)/n.",
    kind="closed form",
)
def mq_formula(check: Check) -> None:
    """Prove it: the window has Dl + Dr + 1 records, all in the chain."""
    with check.reading(INSIDE, "all a <= b, every eps > 0 and n") as argument:
        _formula(argument)
        prove_inside(argument, 2 * p <= n)
    check.near_miss(f"{INSIDE}: without X_p", lambda argument: _formula(argument, 0))
    check.near_miss(f"{INSIDE}: every p, evaluated", stick_out)


def _formula(argument: Argument, own: int = 1) -> None:
    q, w, r, x = sympy.symbols("q w r x")
    argument.cite("the window", "lies in [1, n]", "massny2025.mq")
    argument.induction(
        "its size",
        "w counts the integers from p - Dl to p - Dl + k",
        base=(Eq(w, k + own), [Eq(w, 1), Eq(k, 0)]),
        step=(Eq(w + 1, k + 1 + own), [Eq(w, k + own)]),
    )
    argument.induction(
        "expected releases",
        "r_t = (1,1) inside and (0,0) outside: P(X_t=Y_t) is 0 or q + (1 - q) = 1; r is the sum "
        "over the first records and x the number of those outside",
        base=(Eq(r, x), [Eq(r, 0), Eq(x, 0)]),
        step=(Eq(r + q + (1 - q), x + 1), [Eq(r, x)]),
    )
    argument.inequality(
        "nu",
        "n nu is the number of records outside",
        Eq(n * u, n - (L + E + own)),
        [Eq(n * u, x), Eq(x + w, n), Eq(w, L + E + own), n >= 1],
    )
