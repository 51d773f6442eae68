"""How the leakages of both sides of p combine: a maximum of two products, and how far the sum is
above it.

Source of the setting: massny2025, definition 1 and section IV-A; the claims are ours.
"""

from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.ours.redaction.statements.leakages import (
    GAP_ATTAINED,
    JOINT_GAP,
    JOINT_GAP_DIM,
    JOINT_OF_SIDES,
)
from pufferproof.claims.registry import Check, claim

NOTATION = {
    **SETTING,
    "L0, L1": "L_x is the largest P(y|X_p=x)/P(y|X_p=1-x) over what the left side shows, 1 if it "
    "is empty",
    "R0, R1": "R_x is the largest P(y|X_p=x)/P(y|X_p=1-x) over what the right side shows, 1 if it "
    "is empty",
    "l": "the distance of the nearest record left of p that is released with positive probability",
    "r": "the distance of the nearest record right of p that is released with positive "
    "probability; r_t belongs to a record",
}


@claim(
    "redaction.joint-of-sides",
    where="Leakage of both sides together",
    statement="A local mechanism, a and b in (0, 1) in any order, X_p redacted: e^Lk = max{L0 R0, "
    "L1 R1}; max{Lk_l, Lk_r} <= Lk <= Lk_l + Lk_r, with equality on the right iff for some "
    "value x both L_x = max{L0, L1} and R_x = max{R0, R1}; Lk > (Lk_l + Lk_r)/2 unless both "
    "are 0.",
    says=JOINT_OF_SIDES,
)
def joint_of_sides(check: Check) -> None:
    """Prove it from L0, L1, R0, R1 >= 1, where L0 = 1 iff L1 = 1.

    The leakage: e^Lk = max{L0 R0, L1 R1} [redaction.messages]. Laws in one direction: sum0, sum1
    are the partial sums of P(y | X_p = 0), P(y | X_p = 1), from any output on, whose difference is
    gap; if every next0 <= next1 then sum1 - sum0 stays at least gap. Both are laws: sum1 - sum0 >=
    gap = next1 - next0 for each output, and in the end sum0 = sum1 = 1: next0 = next1 everywhere.
    So L0 = 1 gives L1 = 1, and the other way round. Bounds: J = max{L0 R0, L1 R1}, F = max{L0, L1},
    G = max{R0, R1}. Equality: iff L0 >= L1 and R0 >= R1, or the other way round. More than half:
    J^2 > F G unless F = G = 1.
    """
    name = "as stated"
    check.tried(name)


@claim(
    "redaction.joint-gap",
    where="Leakage of both sides together",
    statement="a <= b, lam != 0, D >= 1, a local redaction mechanism that always redacts X_p and "
    "all records nearer than D: Lk_l + Lk_r - Lk < i0(D). If D < p <= n - D no smaller "
    "constant will do: i0(D) is the supremum of Lk_l + Lk_r - Lk over these mechanisms.",
    says={
        "the bound": JOINT_GAP,
        "no smaller constant": GAP_ATTAINED,
    },
)
def joint_gap(check: Check) -> None:
    """Prove the bound by the hull of the columns of P^D, and its sharpness by two mechanisms
    that release little.

    The bound. The sides: Lk = max{L0 R0, L1 R1} [redaction.joint-of-sides]. Closed form: b/a, A =
    a_D, B = b_D: e^i0 is (1-A)/B for lam^D > 0, B/(1-A) for lam^D < 0 [massny2025.prop1-closed].
    Positive entries: of P^D [massny2025.x-powers]. Laws in one direction: sum0, sum1 are the
    partial sums of P(y | X_p = 0), P(y | X_p = 1), from any output on, whose difference is gap; if
    every next0 <= next1 then sum1 - sum0 stays at least gap. Both are laws: sum1 - sum0 >= gap =
    next1 - next0 for each output, and in the end sum0 = sum1 = 1: next0 = next1 everywhere. So L0 =
    1 gives L1 = 1, and the other way round. Hull of the columns: lam^D > 0: toward 0 no ratio
    exceeds e^i0 = (1-A)/B, cleared of B; lam^D < 0: toward 1 none exceeds e^i0 = B/(1-A). The
    difference: F G is the ratio of the sum: F G < e J, since F G/J is 1, or min{L0/L1, R1/R0}, or
    min{L1/L0, R0/R1}.

    No smaller constant. The sides: Lk = max{L0 R0, L1 R1} [redaction.joint-of-sides]. Closed form:
    as above, and e = e^i0 <= h = e^i1 [massny2025.prop1-order]. Lam^D > 0: left: e p against its *,
    of probabilities 1 - d p and 1 - d r; right: h toward the other x against 1 - d q and 1 - d s.
    For k < e <= h and 0 < d < 1 - k/e both L0/L1 and R1/R0 exceed k. Lam^D < 0: left: e p against
    its *, of probabilities 1 - d p and 1 - d r; right: h toward the other x against 1 - d q and 1 -
    d s. For k < e <= h and 0 < d < 1 - k/e both L0/L1 and R1/R0 exceed k. The difference: L0 > L1
    and R1 > R0, as k >= 1: F G/J = min{L0/L1, R1/R0} > k.
    """
    bound, sharp = "the bound", "no smaller constant"
    check.tried(bound)
    check.tried(sharp)


@claim(
    "redaction.joint-gap-dim",
    where="Leakage of both sides together",
    statement="a <= b, a DIM that redacts X_p and releases records on both sides, the nearest ones "
    "at distances l and r: Lk_l + Lk_r - Lk is 0 if lam >= 0 or l + r is even, and "
    "min{i1(l)-i0(l), i1(r)-i0(r)} otherwise.",
    kind="closed form",
    says=JOINT_GAP_DIM,
)
def joint_gap_dim(check: Check) -> None:
    """Read it off the leakage in closed form.

    Leakages: F = e^i1(l), G = e^i1(r); J = F G, or the larger of F g and f G
    [massny2025.x-dim-leakage]. Order: f <= F, g <= G are e^i0 [massny2025.prop1-order]. The
    difference: excess = F G/J is the smaller of F/left0 and G/right0. Equal signs: excess = 1.
    """
    name = "as stated"
    check.tried(name)
