"""The exact optimum of data-independent redaction for every eigenvalue and position.

I, e are e^i1, e^i0 at a distance, De, Dh the first distances with I <= R and I^2 <= R, R1 = D + p -
1; here p <= (n+1)/2. Source of the setting: massny2025, theorem 2. Randomised DIMs are covered as
there.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass

import sympy
from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.language import Edit, Proof, above, below, letter, letters, proved
from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.papers.massny2025.bound.leakage import c, closer, m, t
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    optimum,
    pattern_leakage,
)
from pufferproof.claims.papers.massny2025.bound.statement import (
    A,
    B,
    De,
    Dh,
    F,
    M,
    N,
    R,
    case_3_odd,
    case_3_sum,
    few_released,
    k,
    l,
    n,
    p,
    r,
)
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.registry import Check, claim

power = letter("power", "the power of |lam| at the nearest distance", above(0), below(1))
odd_power = letter("odd_power", "the power of |lam| at an odd distance", above(0))
top = letter("top", "numerators of a leakage, and of the least one")
top_best = letter("top_best", "numerators of a leakage, and of the least one", above(0))
bottom = letter("bottom", "their denominators", above(0))
bottom_best = letter("bottom_best", "their denominators")
J = letter("J", "the leakage at the distances H - 1 and H, or at the two released ones")
before = letter("before", "I(H-1)")
wider = letter("wider", "I(H-2) I(H)")
V = letter("V", "1 if H is even and at least 4")
Z = letter("Z", "by how much the window is narrower than 2 H - 1")
j = letter("j", "an integer")
given0, given1 = letters("given0 given1", "the probability of the only output given X_p = 0 and 1")
EVERY = "all 0 < a <= b < 1, every eps > 0, n and p <= (n+1)/2"
NEGATIVE = "all a <= b with a + b > 1, all distances"
POSITIVE_LEAST, NEGATIVE_LEAST, ATTAINED = "no fewer, lam >= 0", "no fewer, lam < 0", "attained"
NOTATION = SETTING
MIDDLE = [2 * p <= n + 1, p >= 1, De >= 1, Dh >= 1]


@claim(
    "redaction.dim-pairs",
    where="Data-independent redaction",
    statement="lam < 0, a <= b, k >= 2, distances l, r >= 1 of the nearest released records left "
    "and right of p: among the pairs (l, r) with l + r = 2k-1 none leaks less than (k-1, k); "
    "for k odd, among the even l, r with l + r = 2k none leaks less than (k-1, k+1).",
    kind="lemma",
)
def dim_pairs(check: Check) -> None:
    """Prove it numerator by numerator in powers of |lam|."""
    steps = ["denominators are positive", *(each.name for each in PAIRS)]
    wide = [Edit(step, without=c * m < 1) for step in steps]
    best = [Edit(each.name, instead=each.sums(operator.gt)) for each in PAIRS]
    misses = {"c above 1/m": wide, "(k-1, k) strictly best": best}
    proved(check, "l + r odd", NEGATIVE, _odd_pairs, **misses)
    better = {"(k, k) is not better": _balanced}
    proved(check, "l and r even, k odd", NEGATIVE, _even_pairs, **better)


def _balanced(proof: Proof) -> None:
    proof.exhaust(
        "k = 3",
        "a = 4/5, b = 14/15",
        [chain("4/5", "14/15")],
        lambda of: pattern_leakage(of, 2, 4) >= pattern_leakage(of, 3, 3),
    )


@dataclass(frozen=True)
class Pair:
    """Powers of |lam| at the odd and the even one of two distances, and at those of k-1, k."""

    name: str
    odd: sympy.Expr
    even: sympy.Expr
    least_odd: sympy.Expr
    least_even: sympy.Expr
    given: tuple[sympy.Rel, ...] = ()

    def sums(self, relation: Callable[[sympy.Expr, sympy.Expr], sympy.Rel]) -> sympy.Basic:
        """Compare the sums that decide; the products are equal."""
        return And(
            relation(c * self.odd + self.even, c * self.least_odd + self.least_even),
            relation(self.odd + c * self.even, self.least_odd + c * self.least_even),
            Eq(self.odd * self.even, self.least_odd * self.least_even),
        )


# distances k-1-i and k+i, t = m^i, and k-1, k
NEAR, FAR, FIRST, SECOND = power, m * t**2 * power, t * power, m * t * power
PAIRS = [
    Pair("i even, the nearer distance odd", NEAR, FAR, FIRST, SECOND),
    Pair("i even, the nearer distance even", FAR, NEAR, SECOND, FIRST),
    Pair("i odd, the nearer distance odd", NEAR, FAR, SECOND, FIRST, (t <= m,)),
    Pair("i odd, the nearer distance even", FAR, NEAR, FIRST, SECOND, (t <= m,)),
]


def _odd_pairs(proof: Proof) -> None:
    proof.cite("leakage", "the larger of I(l) e(r) and e(l) I(r)", "massny2025.x-dim-leakage")
    proof.cite(
        "closed forms",
        "(1 + u)/(1 - c u), (1 + u)/(1 - u/c) at odd and (1 + c v)/(1 - v), (1 + v/c)/(1 - v) "
        "at even distances, u, v = m^D",
        "massny2025.prop1-closed",
    )
    proof.cite("range of c", "1 <= c < 1/m", "massny2025.prop1-cd")
    _odd(proof)


def _even_pairs(proof: Proof) -> None:
    proof.cite("leakage", "is I(l) I(r)", "massny2025.x-dim-leakage")
    proof.cite("closed form", "I = (1 + c v)/(1 - v), v = m^D", "massny2025.prop1-closed")
    _even(proof)


def _odd(proof: Proof) -> None:
    for each in PAIRS:
        proof.inequality(
            each.name,
            "u belongs to the odd, v to the even distance; u v is the same for both pairs, so that "
            "in (1 + u)(1 + v/c) and (1 + u)(1 + c v) the sums u + v/c and u + c v decide, in (1 - "
            "v)(1 - c u) and (1 - v)(1 - u/c) the sums v + c u and v + u/c",
            each.sums(operator.ge),
            [t > 0, c * m < 1, *each.given],
        )
    proof.inequality(
        "quotients",
        "top >= top_best > 0 are numerators, 0 < bottom <= bottom_best denominators: top/bottom "
        ">= top_best/bottom_best. This holds for both products, hence for the larger ones",
        top * bottom_best >= top_best * bottom,
        [top >= top_best, bottom_best >= bottom],
    )
    proof.inequality(
        "denominators are positive",
        "c u < 1 at odd distances, where u <= m, and v < 1",
        And(c * odd_power < 1, odd_power < c),
        [odd_power <= m, m < 1, c * m < 1],
        for_any=[m],
    )


def _even(proof: Proof) -> None:
    near, far, first, second = power, m**2 * t**2 * power, t * power, m**2 * t * power
    proof.inequality(
        "sums",
        "l = k-1-i, r = k+1+i, i even: powers h, m^2 t^2 h, and t h, m^2 t h at k-1, k+1, h = "
        "power; equal products, so that the sums decide in (1 + c u)(1 + c v) and (1 - u)(1 - "
        "v)",
        And(near + far >= first + second, Eq(near * far, first * second)),
        [t > 0],
    )
    proof.inequality(
        "quotients",
        "top >= top_best > 0 are numerators, 0 < bottom <= bottom_best denominators: top/bottom "
        ">= top_best/bottom_best",
        top * bottom_best >= top_best * bottom,
        [top >= top_best, bottom_best >= bottom],
    )


@claim(
    "redaction.dim-optimum",
    where="Data-independent redaction",
    statement="a <= b, eps > 0, p <= (n+1)/2, i1(0) = infinity: the least number of records that "
    "an eps-private DIM redacts in expectation is n if eps < i1(n-p); min{R1, 2H-1-Z} if p > 1 "
    "and eps >= i1(p-1) + i1(n-p); R1 otherwise. D = D*(eps), H = D*(eps/2), R1 = D+p-1. lam "
    ">= 0: Z = 1 if H >= 2 and i1(H-1) + i1(H) <= eps. lam < 0: Z = 2 if H >= 4 is even and "
    "i1(H-2) + i1(H) <= eps, else Z = 1 if H >= 2 and both i1(H-1) + i0(H) and i0(H-1) + i1(H) "
    "are at most eps. Z = 0 otherwise.",
    kind="closed form",
)
def dim_optimum(check: Check) -> None:
    """Prove that no pattern redacts fewer records, and that one in the chain attains the number."""
    more = Edit("two-sided", put={2 * Dh - 1 - Z: 2 * Dh - Z})
    proved(check, POSITIVE_LEAST, EVERY, _least_positive, one_more=more)
    evaluated = {"Z at most 1, evaluated": _narrow}
    proved(check, NEGATIVE_LEAST, EVERY, _least_negative, one_more=more, **evaluated)
    beyond = [
        Edit(step, without=2 * p <= n + 1, given=2 * p <= n + 2)
        for step in ("R1", "2 H - 1 - Z, H <= p - 1", "H >= p")
    ]
    proved(check, ATTAINED, EVERY, _least_attained, **{"p <= (n+2)/2": beyond})


def _least_positive(proof: Proof) -> None:
    _not_one_sided(proof)
    _positive(proof)


def _least_negative(proof: Proof) -> None:
    _not_one_sided(proof)
    _negative(proof)


def _not_one_sided(proof: Proof) -> None:
    _cited(proof)
    few_released(proof)
    _one_sided(proof)
    case_3_sum(proof)


def _least_attained(proof: Proof) -> None:
    _cited(proof)
    _attained(proof)


def _cited(proof: Proof) -> None:
    proof.cite(
        "leakage",
        "M = I(l) I(r), for lam < 0 and l + r odd the larger of I(l) e(r) and e(l) I(r); I of one "
        "distance, or 1",
        "massny2025.x-dim-leakage",
    )
    proof.cite(
        "thresholds", "I(k) <= R iff k >= De, I(k)^2 <= R iff k >= Dh", "massny2025.dstar-repaired"
    )
    proof.cite("order", "I does not increase", "massny2025.prop1-decreasing-repaired")
    proof.cite("X_p", "is always redacted", "massny2025.self-redaction")


def _one_sided(proof: Proof) -> None:
    middle = [2 * p <= n + 1, p >= 1, De >= 1, A <= R, Equivalent(A <= R, n - p >= De)]
    proof.inequality(
        "one side, or nothing, released",
        "from case 1 on, A <= R: N = p - 1 + r with I(r) <= R, or n - p + l with I(l) <= R, or n",
        N >= De + p - 1,
        [Or(And(Eq(N, p - 1 + r), r >= De), And(Eq(N, n - p + l), l >= De), Eq(N, n)), *middle],
    )


def _positive(proof: Proof) -> None:
    closer(proof)
    proof.cite(
        "balance", "I(k)^2 <= M for l + r = 2 k or 2 k - 1, so k >= Dh", "massny2025.x-balanced"
    )
    proof.inequality(
        "two-sided",
        "N = l + r - 1; J = I(Dh-1) I(Dh), and l + r = 2 Dh - 1 gives J <= M <= R, so that Z = 1",
        N >= 2 * Dh - 1 - Z,
        [
            Eq(N, l + r - 1),
            k >= Dh,
            Or(Eq(k, Dh), k >= Dh + 1),
            Or(Eq(Z, 0), Eq(Z, 1)),
            Equivalent(Eq(Z, 1), J <= R),
            M <= R,
            Or(Eq(l + r, 2 * k), And(Eq(l + r, 2 * k - 1), Or(k >= Dh + 1, J <= M))),
        ],
    )


def _negative(proof: Proof) -> None:
    case_3_odd(proof)
    proof.inequality(
        "case 3, 2 p = n + 1",
        "then X_1 and X_n are equally far from X_p: they are not a pair with l + r odd, which "
        "was 2 p <= n",
        Eq(l, r),
        [Eq(l, p - 1), Eq(r, n - p), Eq(2 * p, n + 1)],
    )
    proof.cite(
        "balance",
        "for l + r = 2 k: M >= I(k+1)^2, so k + 1 >= Dh; M >= I(k)^2 unless k is odd and l, r "
        "even; for l + r = 2 k - 1: M >= I(k)^2, so k >= Dh, by the next influence",
        "massny2025.x-balanced",
    )
    proof.cite(
        "the next influence",
        "M >= I(l) I(r+1) and I(l+1) I(r) for l + r odd",
        "massny2025.x-next-influence",
    )
    proof.cite(
        "pairs",
        "M >= J = M(Dh-1, Dh) for l + r = 2 Dh - 1; M >= wider = I(Dh-2) I(Dh) for even l, r with "
        "l + r = 2 Dh - 2",
        "redaction.dim-pairs",
    )
    _two_sided(proof)


def _two_sided(proof: Proof) -> None:
    proof.inequality(
        "l + r = 2 H - 2 gives Z = 2",
        "before = I(Dh-1), before^2 > R by the choice of Dh. V = 1 says that Dh >= 4 is even: for "
        "k = Dh - 1 = 2 j + 1 and even l, r >= 2, j >= 1",
        Eq(Z, 2),
        [
            before**2 > R,
            M <= R,
            Or(M >= before**2, And(M >= wider, Eq(Dh, 2 * j + 2), l >= 2, r >= 2)),
            Eq(l + r, 2 * Dh - 2),
            Or(j <= 0, j >= 1),
            Equivalent(Eq(V, 1), And(Eq(Dh, 2 * j + 2), Dh >= 4)),
            Equivalent(Eq(Z, 2), And(Eq(V, 1), wider <= R)),
        ],
    )
    proof.inequality(
        "two-sided",
        "N = l + r - 1; l + r = 2 k with k + 1 >= Dh, or 2 k - 1 with k >= Dh",
        N >= 2 * Dh - 1 - Z,
        [
            Eq(N, l + r - 1),
            M <= R,
            Or(Eq(Z, 0), Eq(Z, 1), Eq(Z, 2)),
            Or(Eq(Z, 2), Equivalent(Eq(Z, 1), J <= R)),
            Or(
                And(Eq(l + r, 2 * k), Or(And(Eq(k, Dh - 1), Eq(Z, 2)), k >= Dh)),
                And(Eq(l + r, 2 * k - 1), Or(And(Eq(k, Dh), J <= M), k >= Dh + 1)),
            ),
        ],
    )


def _narrow(proof: Proof) -> None:
    at = Instance(chain("4/5", "14/15"), 12, 6, pattern_leakage(chain("4/5", "14/15"), 2, 4))
    proof.exhaust(
        "2 H - 2",
        "a = 4/5, b = 14/15, n = 12, p = 6",
        [at],
        lambda at: optimum(at)[0] >= 2 * first_distance(at.of, at.ratio, 2) - 2,
    )


def _attained(proof: Proof) -> None:
    proof.inequality(
        "nothing",
        "given0, given1 are the probabilities of the only output given both values of X_p: "
        "redacting everything is private",
        And(given0 <= R * given1, given1 <= R * given0),
        [Eq(given0, 1), Eq(given1, 1), R > 1],
    )
    proof.inequality(
        "R1",
        "A <= R gives De <= n - p: released from r = De on, on the right only",
        And(F <= R, r <= n - p),
        [Equivalent(A <= R, n - p >= De), A <= R, Eq(r, De), Equivalent(F <= R, r >= De), *MIDDLE],
    )
    proof.inequality(
        "2 H - 1 - Z, H <= p - 1",
        "l = Dh - Z and r = Dh, of leakage J <= R: for Z = 0 that is I(Dh)^2",
        And(Eq(l + r - 1, 2 * Dh - 1 - Z), l >= 1, l <= p - 1, r <= n - p),
        [
            Eq(l, Dh - Z),
            Eq(r, Dh),
            Or(Eq(Z, 0), And(Eq(Z, 1), Dh >= 2), And(Eq(Z, 2), Dh >= 4)),
            Dh <= p - 1,
            *MIDDLE,
        ],
    )
    _narrower(proof)


def _narrower(proof: Proof) -> None:
    proof.inequality(
        "H >= p",
        "p > 1 and R >= A B, B = I(p-1): De <= p - 1, and R1 is the smaller number unless Z = 2 "
        "and Dh = p; then l = Dh - 2, r = Dh are in the chain, as 2 p = n + 1 has A = B and so Dh "
        "<= p - 1",
        Or(De + p - 1 <= 2 * Dh - 1 - Z, And(Eq(Z, 2), l >= 1, l <= p - 1, r <= n - p)),
        [
            B <= R,
            Equivalent(B <= R, p - 1 >= De),
            Or(Dh >= p + 1, Eq(Dh, p)),
            Or(Eq(Z, 0), Eq(Z, 1), And(Eq(Z, 2), Dh >= 4)),
            Eq(l, Dh - 2),
            Eq(r, Dh),
            Or(2 * p <= n, Eq(2 * p, n + 1), 2 * p >= n + 2),
            Or(2 * p <= n, 2 * p > n + 1, B**2 <= R),
            Equivalent(B**2 <= R, p - 1 >= Dh),
            B >= 1,
            *MIDDLE,
        ],
    )
