"""One medium record on a side: the best q in closed form, for either sign of the eigenvalue.

The value x of X_p is the one given which X_t = 0 is likelier, t the medium record; the next record
shows z, or there is none. Source of the family: massny2025, section IV.
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.ours.redaction.statements.sides import EXACT_SINGLE
from pufferproof.claims.registry import Check, claim

NOTATION = {
    **SETTING,
    **FAMILY,
    "A": "the larger one of P(X_t=0|X_p=0) and P(X_t=0|X_p=1), t the record of M",
    "B": "the smaller one of these two",
    "E": "e to the budget of the side",
    "w": "the factor that the record next to t brings",
}


@claim(
    "redaction.exact-single",
    where="Exact design of one side",
    statement="Let a <= b and lam != 0, and let a side have a budget > 0 and one record t in M. "
    "Then q_t is feasible, by the exact leakage of the side, iff w (1-B-E(1-A))/(E A - B) <= "
    "q_t <= 1. A > B are P(X_t=0|X_p=0) and P(X_t=0|X_p=1), the larger one first, E = e^budget, "
    "w = 1 if S is empty and w = max{b/(1-a), (1-b)/a} otherwise. For lam < 0 no side has more "
    "than one record in M: this is then the whole design for given budgets.",
    kind="closed form",
    says=EXACT_SINGLE,
)
def exact_single(check: Check) -> None:
    """Prove it event by event.

    The events: 0 at t; or * at t and the next record, or * and nothing more [redaction.events]. A/B
    = e^i0 <= E < e^i1 = G/C [massny2025.prop1-closed]; for lam < 0 M has at most one record on each
    side [massny2025.x-medium-one]. The value 0 keeps both orders. * at t and z next is never too
    much toward x, and toward 1-x within the budget iff q >= w (G - E C)/(E A - B) with w = k/j:
    (1-b)/a for z = 1, b/(1-a) for z = 0. q = 1 is the DIM that releases S alone, or nothing
    [massny2025.x-dim-leakage].
    """
    name = "as stated"
    check.tried(name)
