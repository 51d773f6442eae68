"""How the leakages of both sides of p combine: a maximum of two products, and how far the sum is
above it.

Source of the setting: massny2025, definition 1 and section IV-A; the claims are ours.
"""

from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.ours.redaction.statements.leakages import JOINT_OF_SIDES
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
