"""The exact leakage of a data-independent mechanism, and how it falls when its two nearest released
records are balanced.

I(D) is e^i1(D); distances l <= r are balanced at k = l + j, l + r = 2 k. Source: massny2025,
proposition 1, corollary 3 and appendix D.
"""

from pufferproof.claims.papers.massny2025.bound import leakage_statements
from pufferproof.claims.papers.massny2025.said import data_independent
from pufferproof.claims.registry import Check, claim


@claim(
    "massny2025.x-dim-leakage",
    where="Appendix D, beyond",
    statement="Let l and r be the distances from p to the nearest released records left and right "
    "of it. The leakage of a DIM that redacts X_p is i1(l) + i1(r) if lam >= 0 or l + r is "
    "even, and max{i1(l) + i0(r), i0(l) + i1(r)} otherwise; it is i1 of the one distance if "
    "nothing is released on the other side, and 0 if nothing is.",
    kind="closed form",
    says=data_independent.LEAKAGE,
)
def dim_leakage(check: Check) -> None:
    """Prove it, for chances of redaction too: l = Dl + 1 and r = Dr + 1 for the radius (Dl, Dr)."""
    check.stated("as stated")


@claim(
    "massny2025.x-next-influence",
    where="Appendix D, beyond",
    statement="For lam < 0 the larger influence at the next distance is at most the smaller one "
    "here: i1(D+1) <= i0(D) for every D >= 1. So a DIM that redacts X_p and whose nearest "
    "released records are at distances l left and r right of p, l + r odd, leaks at least "
    "i1(l) + i1(r+1) and i1(l+1) + i1(r).",
    kind="lemma",
    says={"lam < 0": leakage_statements.NEXT},
)
def next_influence(check: Check) -> None:
    """Prove it for odd and for even distances.

    Closed forms: with lam^D = -v for odd, v for even distances [massny2025.prop1-closed]. Range of
    c: c m < 1 [massny2025.prop1-cd]. D odd: (1 + c m v)/(1 - m v) <= (1 + v)/(1 - v/c), multiplied
    by c and the denominators. D even: (1 + m v)/(1 - c m v) <= (1 + v/c)/(1 - v), multiplied by c
    and the denominators. The leakage: is at least E f and e F: x = I(l+1) <= e and y = I(r+1) <= f.

    Engines prove its formulas [lemma.next-influence], [lemma.next-influence-even].
    """


@claim(
    "massny2025.x-balanced",
    where="Appendix D, Jensen's inequality repaired",
    statement="For integers l >= 1, r >= 1, k >= 1 with l + r = 2 k: i1(l) + i1(r) >= 2 i1(k) if "
    "lam >= 0, or k is even, or l is odd; and i1(l) + i1(r) >= 2 i1(k+1) in every case.",
    kind="lemma",
    says=leakage_statements.BALANCED,
)
def balanced(check: Check) -> None:
    """Prove it with powers u, s u, s^2 u of |lam|, parity by parity.

    Lam >= 0, or lam < 0 with l, r and k even. I = (1 + c v)/(1 - v) at v = u, s u and s^2 u, 0 <= u
    < 1, 0 <= s <= 1 [massny2025.prop1-closed], [massny2025.x-powers]: numerators and denominators
    compare by the same square.

    Lam < 0, l, r and k odd. The same for I = (1 + v)/(1 - c v), as c u <= c m < 1
    [massny2025.prop1-cd].

    Lam < 0, l and r odd, k even. I is (1 + v)/(1 - c v) at the ends and (1 + c v)/(1 - v) in the
    middle. P, Q and G, H with P^2, Q^2 bounds at the ends: g = 1 - (c s u)^2 <= h = 1 - (s u)^2, so
    that T Q^2 >= (P Q)^2 = h^2 >= g^2 = (G H)^2 >= G^2 w.

    Lam < 0, l and r even, k odd: k + 1. I(r) >= I(r + 2) [massny2025.prop1-decreasing-repaired]; k
    + 1 is even, so that the even case bounds E I(r + 2) by the square of I(k + 1).
    """
    for name in (
        "lam >= 0, or lam < 0 with l, r and k even",
        "lam < 0, l, r and k odd",
        "lam < 0, l and r odd, k even",
        "lam < 0, l and r even, k odd: k + 1",
    ):
        check.tried(name)
