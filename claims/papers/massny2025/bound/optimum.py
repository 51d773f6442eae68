"""The exact optimum of data-independent redaction for lam >= 0: how far the bounds of theorem 2 are
attained.

Letters as in `bound`, and I = e^i1; l + r = N + 1 for a two-sided pattern. Source: massny2025,
theorem 2.
"""

from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.language import Edit, Proof, letter, proved
from pufferproof.claims.papers.massny2025.bound import statements
from pufferproof.claims.papers.massny2025.bound.leakage import closer
from pufferproof.claims.papers.massny2025.bound.patterns import (
    expected,
    instances,
    optimum,
)
from pufferproof.claims.papers.massny2025.bound.statement import (
    A,
    De,
    Dh,
    E,
    F,
    M,
    N,
    R,
    few_released,
    k,
    l,
    n,
    one_sided,
    p,
    r,
)
from pufferproof.claims.registry import Check, claim

J = letter("J", "I(Dh-1) I(Dh)")
Z = letter("Z", "1 if J <= R and Dh >= 2, else 0")
LEAST, ATTAINED = "no fewer", "attained"
SCOPE = "all a <= b with a + b <= 1, every eps > 0, n and p <= n/2"


@claim(
    "massny2025.x-dim-optimum",
    where="Theorem 2, beyond",
    statement="For lam >= 0, eps > 0 and p <= n/2 the least number of records that an eps-private "
    "pattern redacts is n if eps < Inf(X_p~>X_n), min{R1, 2D*(eps/2)-1-Z} if eps >= "
    "Inf(X_p~>X_1) + Inf(X_p~>X_n) and R1 otherwise, where R1 = D*(eps)+p-1, and Z = 1 if "
    "D*(eps/2) >= 2 and i1(D*(eps/2)-1) + i1(D*(eps/2)) <= eps, else Z = 0.",
    kind="closed form",
    says=statements.OPTIMUM,
)
def dim_optimum(check: Check) -> None:
    """Prove that no pattern redacts fewer records, and that one in the chain attains the number."""
    more = Edit("case 2, two-sided", instead=N >= 2 * Dh - Z)
    negative = {"lam < 0, evaluated": _negative}
    proved(check, LEAST, SCOPE, _least, one_more=more, **negative)
    steps = ("R1", "2 H - 1 - Z, H <= p - 1", "H >= p", "nothing")
    later = [Edit(step, without=2 * p <= n, given=2 * p <= n + 2) for step in steps]
    proved(check, ATTAINED, SCOPE, _attained, **{"p <= (n+2)/2": later})


def _negative(proof: Proof) -> None:
    proof.exhaust(
        "lam < 0", "by n and p", instances(6, 4, -1), lambda at: optimum(at)[0] == expected(at)
    )


def _cited(proof: Proof) -> None:
    proof.cite("leakage", "M = E F", "massny2025.x-dim-leakage")
    proof.cite(
        "thresholds", "I(k) <= R iff k >= De, I(k)^2 <= R iff k >= Dh", "massny2025.dstar-repaired"
    )
    proof.cite("cases 1 and 3", "n and R1 records at least", "massny2025.thm2-repaired")


def _least(proof: Proof) -> None:
    _cited(proof)
    few_released(proof)
    one_sided(proof)
    closer(proof)
    proof.cite(
        "balance", "I(k)^2 <= M for l + r = 2 k or 2 k - 1, so k >= Dh", "massny2025.x-balanced"
    )
    proof.inequality(
        "case 2, two-sided",
        "N = l + r - 1; if l + r = 2 k - 1 with k = Dh then J <= M <= R, so that Z = 1",
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


def _attained(proof: Proof) -> None:
    _cited(proof)
    middle = [2 * p <= n, p >= 1, De >= 1, Dh >= 1]
    proof.inequality(
        "R1",
        "cases 2 and 3: A <= R gives De <= n - p; the nearest released record on the right is at r "
        "= De",
        And(F <= R, r <= n - p),
        [Equivalent(A <= R, n - p >= De), A <= R, Eq(r, De), Equivalent(F <= R, r >= De), *middle],
    )
    proof.inequality(
        "2 H - 1 - Z, H <= p - 1",
        "l = Dh - Z and r = Dh: l + r - 1 records, in the chain. E F is I(Dh)^2, or J if Z = 1",
        And(E * F <= R, Eq(l + r - 1, 2 * Dh - 1 - Z), l >= 1, l <= p - 1, r <= n - p),
        [
            Eq(l, Dh - Z),
            Eq(r, Dh),
            Or(And(Eq(Z, 0), Eq(E, F), F**2 <= R), And(Eq(Z, 1), Eq(E * F, J), J <= R, Dh >= 2)),
            Dh <= p - 1,
            *middle,
        ],
    )
    proof.inequality(
        "H >= p",
        "case 2: E = I(p-1) <= R gives De <= p - 1, and R1 is the smaller number",
        De + p - 1 <= 2 * Dh - 1 - Z,
        [Equivalent(E <= R, p - 1 >= De), E <= R, Dh >= p, Z <= 1, *middle],
    )
    proof.inequality(
        "nothing",
        "case 1: with all n records redacted the leakage is 0, M = 1, and that is private",
        And(M <= R, N <= n),
        [Eq(M, 1), Eq(N, n), R > 1, *middle],
    )
