"""How fast the best q of a side falls away from p: geometrically, at a rate that depends on the
chain alone.

Source of the family: massny2025, section IV.
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, NUMBERED, SETTING
from pufferproof.claims.ours.redaction.statements.sides import (
    EXACT_DECAY,
    QUOTIENTS,
)
from pufferproof.claims.registry import Check, claim

NOTATION = SETTING | FAMILY | NUMBERED


@claim(
    "redaction.exact-decay",
    where="Exact design of one side",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty, exact one-sided leakage: at "
    "every optimal q, q_(k+1) <= z q_k for neighbours in M with q_k < 1, where z = "
    "(sqrt((1-a)(1-b)) - sqrt(ab)) / (sqrt((1-a)(1-b)) + sqrt(ab)) < 1, for every budget. So "
    "the records behind those with q = 1 contribute at most 1/(1-z) to the sum of q, however "
    "many there are. For a = 1/10, b = 1/2, where z = 1/2, quotients as close to z as one "
    "likes occur.",
    says={
        "as stated": EXACT_DECAY,
        "a = 1/10, b = 1/2, quotients near z = 1/2": QUOTIENTS,
    },
)
def exact_decay(check: Check) -> None:
    """Prove that two neighbours that fall more slowly can be exchanged for a smaller sum.

    As stated. Coordinates: one constraint, on s_1; q_(k-1) = s_(k-1) w_k, q_k = s_k w_(k+1), w_k =
    c + e/(s_k + u) [redaction.exact-shape]. The rate: low_root, high_root = sqrt(ab),
    sqrt((1-a)(1-b)) are (1-a) g and (1-a) h: z = e/(g + h)^2 = (h - g)/(h + g) = (high_root -
    low_root)/(high_root + low_root) < 1. Its roots: low_root^2 = ab and high_root^2 = (1-a)(1-b),
    as e = lam/(1-a)^2. A square: c ((c s + h^2)(s + u) - s (g + h)^2) with c u = g^2. -s f'(s)/f(s)
    <= z: f(s) = c + e/(s + u): e s <= z (c (s + u) + e)(s + u). First order: if q_k = s W > z r w =
    z q_(k-1) then W (s + u)^2 > r e. A better pair: for small d > 0: q_k falls by W d, q_(k-1)
    rises by r (v - w) = r e d/((s + u)(s - d + u)), which is less. Small d: gain = W (s + u)^2 - r
    e > 0 and d W (s + u) < gain: W (s + u)(s - d + u) > r e. Q_(k-1) stays at most 1: x = r w < 1
    is q_(k-1), and r v what it becomes, for d < u with d r e <= (1 - x)(s + u) s. The sum: S is the
    sum of q behind the ones so far, q the last of them: (1 - z) S + z q <= 1, so S <= 1/(1-z).

    A = 1/10, b = 1/2, quotients near z = 1/2. Closed forms: with l = lam^(n-2) = (2/5)^(n-2): e^i0
    = (1 + l/5)/(1 - l) [massny2025.prop1-closed]. Coordinates: q_1 = s_1 w_2, q_2 = s_2, as w_3 = 1
    at the end [redaction.exact-shape]. The regions: M = {n-1, n}, S is empty: e^eps < e^i1(n-1) =
    (1 + 2 l)/(1 - 2 l/5); nearer records have larger i0. S_1: (G - E C)/(E A - B) with 6 A, 6 B, 6
    C, 6 G = 5 + l, 5 - 5 l, 1 - l, 1 + 5 l: just below 2/5. The only optimum: r f(t) + t exceeds r
    f(s) + s for every other t where r e = (s + u)^2; v, w are f(t), f(s). The quotient: x = q_1 = r
    (c + e/(s + u)) < 1, y = q_2 = s: y/x is above 1/2 - l.
    """
    name = "as stated"
    check.tried(name)
    sharp = "a = 1/10, b = 1/2, quotients near z = 1/2"
    check.tried(sharp)
