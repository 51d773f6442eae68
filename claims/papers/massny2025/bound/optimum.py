"""The exact optimum of data-independent redaction for lam >= 0: how far the bounds of theorem 2 are
attained.

Letters as in `bound`, and I = e^i1; l + r = N + 1 for a two-sided pattern. Source: massny2025,
theorem 2.
"""

from pufferproof.claims.papers.massny2025.bound import statements
from pufferproof.claims.registry import Check, claim

LEAST, ATTAINED = "no fewer", "attained"


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
    """Prove that no pattern redacts fewer records, and that one in the chain attains the number.

    No fewer. Leakage: M = E F [massny2025.x-dim-leakage]. Thresholds: I(k) <= R iff k >= De, I(k)^2
    <= R iff k >= Dh [massny2025.dstar-repaired]. Cases 1 and 3: n and R1 records at least
    [massny2025.thm2-repaired]. Case 1: a released record is at a distance of at most n - p, as p -
    1 <= n - p: its I is E >= A > R, and M >= E. Only the right side: N = p - 1 + r and F <= R. Only
    the left side: N = n - p + l and E <= R. Nothing released: N = n and A <= R. Closer distances
    leak less: distances with powers u, s u, t u and s t u of lam, I = (1 + c v)/(1 - v): numerators
    and denominators of the outer and of the inner pair. Balance: I(k)^2 <= M for l + r = 2 k or 2 k
    - 1, so k >= Dh [massny2025.x-balanced]. Case 2, two-sided: N = l + r - 1; if l + r = 2 k - 1
    with k = Dh then J <= M <= R, so that Z = 1.

    Attained. Leakage: M = E F [massny2025.x-dim-leakage]. Thresholds: I(k) <= R iff k >= De, I(k)^2
    <= R iff k >= Dh [massny2025.dstar-repaired]. Cases 1 and 3: n and R1 records at least
    [massny2025.thm2-repaired]. R1: cases 2 and 3: A <= R gives De <= n - p; the nearest released
    record on the right is at r = De. 2 H - 1 - Z, H <= p - 1: l = Dh - Z and r = Dh: l + r - 1
    records, in the chain. E F is I(Dh)^2, or J if Z = 1. H >= p: case 2: E = I(p-1) <= R gives De
    <= p - 1, and R1 is the smaller number. Nothing: case 1: with all n records redacted the leakage
    is 0, M = 1, and that is private.
    """
    check.tried(LEAST)
    check.tried(ATTAINED)
