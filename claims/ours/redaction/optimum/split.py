"""How to split a level between the two sides of p: when one side gets nothing, when both get half,
and when neither is best.

At distance 1 the likelier and the other probability of value 0 are (p, r) = (1-a, b) for lam > 0
and (b, 1-a) for lam < 0; e = p/r, h = (1-r)/(1-p), and one medium record at the end of the chain
releases w (x-1)/(x p - r) of itself at best (`redaction.two-records`).
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.ours.redaction.statements.levels import SPLIT_FAR, SPLIT_MIDDLE
from pufferproof.claims.registry import Check, claim

NOTATION = SETTING | FAMILY


@claim(
    "redaction.split-far",
    where="Splitting the level",
    statement="Let a <= b, lam != 0, 1 < p < n and eps < i0(p-1) + i0(n-p), and let the budgets "
    "eps_l, eps_r >= 0 have eps_l + eps_r <= eps. Then no 3R mechanism releases records on both "
    "sides, so that one of the two budgets can be lowered to 0 without any loss. For n = 2p-1 "
    "and i0(p-1) <= eps < 2 i0(p-1) every 3R mechanism with the equal split eps_l = eps_r = "
    "eps/2 releases nothing, but some 3R mechanism with one budget 0 does: p in the middle does "
    "not make the equal split optimal.",
    says={"one side only": SPLIT_FAR, "p in the middle": SPLIT_MIDDLE},
)
def split_far(check: Check) -> None:
    """Prove it from the least influence on each side.

    One side only. A record outside L has i0 <= the budget of its side, and i0 is least at the end
    of the side [massny2025.x-regions-intervals]: both sides release something only if their budgets
    are at least i0(p-1) and i0(n-p). The other side loses nothing if its budget is lowered to 0.

    P in the middle. The equal split: eps/2 < i0(p-1), neither side reaches it. A zero split:
    everything redacted but the last record, its value 0, of ratio e^i0(p-1) or its inverse
    [massny2025.prop1-closed], shown with a small probability; or, if i1(p-1) <= eps, S alone
    released, which leaks i1 of its first record [massny2025.x-dim-leakage].
    """
    one, middle = "one side only", "p in the middle"
    check.tried(one)
    check.tried(middle)
