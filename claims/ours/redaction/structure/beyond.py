"""Local redaction on an uncertain chain: what it leaks over a box of transition probabilities, for
either eigenvalue.

P = [[1-a, a], [b, 1-b]], lam = 1-a-b. The mechanism r is fixed; (c, d) is a second chain with c >=
a and d >= b. A slope is a ratio P(y|X_t=0)/P(y|X_t=1) of likelihoods of outputs beyond t, written
(u, v) for (c, d) and (x, y) for (a, b). Source of the setting: massny2025, where a and b are known.
"""

from pufferproof.claims.language import letters
from pufferproof.claims.ours.redaction.statements.chains import (
    BOX,
    NEGATIVE_BOX,
    POSITIVE_BOX,
)
from pufferproof.claims.registry import Check, claim

a, b = letters("a b", "the transition probabilities of a chain")
c, d = letters("c d", "those of a second chain, c >= a and d >= b")
NOTATION = {
    "a1": "the least a of the box, above 0",
    "a2": "the largest a of the box, below 1",
    "b1": "the least b of the box, above 0",
    "b2": "the largest b of the box, below 1",
}
SIGNS = {"lam >= 0": c + d <= 1, "lam <= 0": a + b >= 1}
CORNERS = "over a box"


@claim(
    "redaction.box",
    where="Uncertain chains",
    statement="For every local mechanism the leakage about X_p does not rise with a, nor with b, "
    "where a + b <= 1, and does not fall with a, nor with b, where a + b >= 1; the same holds "
    "for every pointwise influence i0(D), i1(D). So over a box of chains, a from the interval "
    "of a1 to a2 and b from that of b1 to b2, each of them is largest at (a, b) = (a1, b1) or "
    "at (a2, b2).",
    says={"lam >= 0": POSITIVE_BOX, "lam <= 0": NEGATIVE_BOX, "over a box": BOX},
)
def box(check: Check) -> None:
    """Prove by induction over the distance that the extreme slopes of a side move towards 1, or
    away from it.

    Lam >= 0. Slopes: the largest and the smallest follow record by record [redaction.messages].
    Both sides: have the same transition law [massny2025.reversible]. A record: The largest slope
    with record t is that of (1, 0) if r_t(0) < 1, else that of (u, q v), q = r_t(1), for the
    largest (u, v) beyond: the order of the two chains is kept, and slopes that are at least 1 are.
    The smallest: exchange 0 and 1. A pointwise influence is a slope that starts from (1, 0) or (0,
    1), q = 1 from there on. The other chain, lam >= 0: from the same slope (u, v) >= 1 the step of
    (c, d) leads no higher than that of (a, b). The same chain, lam >= 0: the determinant of two
    slopes is multiplied by lam. A step, lam >= 0: lam, lead are 1 - a - b and u y - x v: (u, v) is
    nearer to 1 than (x, y) where lam >= 0, farther where lam <= 0; A/B, C/D, E/F are the slopes
    after the step of (c, d) from (u, v), of (a, b) from (u, v) and of (a, b) from (x, y). The side
    of 1, lam >= 0: slopes stay on the same side of 1 for lam >= 0 and change it for lam <= 0. Two
    sides: e^Lk is the larger product of extreme slopes of both sides [redaction.joint-of-sides].
    Products: weak1, weak2 are the two extreme slopes for the chain that leaks less (inverted for
    the smallest), strong1, strong2 for the other one. X_p: is released by neither, or the leakage
    is infinite for both [massny2025.self-redaction].

    Lam <= 0. Slopes: the largest and the smallest follow record by record [redaction.messages].
    Both sides: have the same transition law [massny2025.reversible]. A record: The largest slope
    with record t is that of (1, 0) if r_t(0) < 1, else that of (u, q v), q = r_t(1), for the
    largest (u, v) beyond: the order of the two chains is kept, and slopes that are at least 1 are.
    The smallest: exchange 0 and 1. A pointwise influence is a slope that starts from (1, 0) or (0,
    1), q = 1 from there on. The other chain, lam <= 0: from the same slope (u, v) >= 1 the step of
    (c, d) leads no higher than that of (a, b). The same chain, lam <= 0: the determinant of two
    slopes is multiplied by lam. A step, lam <= 0: lam, lead are 1 - a - b and u y - x v: (u, v) is
    nearer to 1 than (x, y) where lam >= 0, farther where lam <= 0; A/B, C/D, E/F are the slopes
    after the step of (c, d) from (u, v), of (a, b) from (u, v) and of (a, b) from (x, y). The side
    of 1, lam <= 0: slopes stay on the same side of 1 for lam >= 0 and change it for lam <= 0. Two
    sides: e^Lk is the larger product of extreme slopes of both sides [redaction.joint-of-sides].
    Products: weak1, weak2 are the two extreme slopes for the chain that leaks less (inverted for
    the smallest), strong1, strong2 for the other one. X_p: is released by neither, or the leakage
    is infinite for both [massny2025.self-redaction].

    Over a box. The other chain, lam >= 0: from the same slope (u, v) >= 1 the step of (c, d) leads
    no higher than that of (a, b). The same chain, lam >= 0: the determinant of two slopes is
    multiplied by lam. A step, lam >= 0: lam, lead are 1 - a - b and u y - x v: (u, v) is nearer to
    1 than (x, y) where lam >= 0, farther where lam <= 0; A/B, C/D, E/F are the slopes after the
    step of (c, d) from (u, v), of (a, b) from (u, v) and of (a, b) from (x, y). The side of 1, lam
    >= 0: slopes stay on the same side of 1 for lam >= 0 and change it for lam <= 0. The other
    chain, lam <= 0: from the same slope (u, v) >= 1 the step of (c, d) leads no higher than that of
    (a, b). The same chain, lam <= 0: the determinant of two slopes is multiplied by lam. A step,
    lam <= 0: lam, lead are 1 - a - b and u y - x v: (u, v) is nearer to 1 than (x, y) where lam >=
    0, farther where lam <= 0; A/B, C/D, E/F are the slopes after the step of (c, d) from (u, v), of
    (a, b) from (u, v) and of (a, b) from (x, y). The side of 1, lam <= 0: slopes stay on the same
    side of 1 for lam >= 0 and change it for lam <= 0. A record: The largest slope with record t is
    that of (1, 0) if r_t(0) < 1, else that of (u, q v), q = r_t(1), for the largest (u, v) beyond:
    the order of the two chains is kept, and slopes that are at least 1 are. The smallest: exchange
    0 and 1. A pointwise influence is a slope that starts from (1, 0) or (0, 1), q = 1 from there
    on. Two corners: (ai, bi) in the box, leak its leakage, leak1 and leak2 those of (a1, b1) = (a,
    b) and (a2, b2) = (c, d): if ai + bi <= 1 then a + b <= 1 and leak <= leak1, else c + d >= 1 and
    leak <= leak2.
    """
    for name in SIGNS:
        check.tried(name)
    check.tried(CORNERS)
