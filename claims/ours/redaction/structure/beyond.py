"""Local redaction on an uncertain chain: what it leaks over a box of transition probabilities, for
either eigenvalue.

P = [[1-a, a], [b, 1-b]], lam = 1-a-b. The mechanism r is fixed; (c, d) is a second chain with c >=
a and d >= b. A slope is a ratio P(y|X_t=0)/P(y|X_t=1) of likelihoods of outputs beyond t, written
(u, v) for (c, d) and (x, y) for (a, b). Source of the setting: massny2025, where a and b are known.
"""

from functools import partial

import sympy
from sympy import Eq, Or

from pufferproof.claims.language import Edit, Proof, at_least, between, letter, letters, proved
from pufferproof.claims.ours.redaction.statements.chains import (
    BOX,
    NEGATIVE_BOX,
    POSITIVE_BOX,
)
from pufferproof.claims.registry import Check, claim

a, b = letters("a b", "the transition probabilities of a chain")
c, d = letters("c d", "those of a second chain, c >= a and d >= b")
u = letter(
    "u", "the likelihood of an output beyond given the value 0 of a record, on the chain (c, d)"
)
v = letter("v", "the same given the value 1", at_least(0))
x = letter("x", "the likelihood u on the chain (a, b)")
y = letter("y", "the likelihood v on the chain (a, b)", at_least(0))
q = letter("q", "r_t(1), the probability that 1 is redacted", between(0, 1))
weak1, weak2 = letters(
    "weak1 weak2", "extreme slopes of the two sides, on the chain that leaks less", at_least(1)
)
strong1, strong2 = letters(
    "strong1 strong2", "extreme slopes of the two sides, on the chain that leaks more"
)
lam = letter("lam", "1 - a - b")
lead = letter("lead", "u y - x v, the determinant of two slopes")
A, B = letters("A B", "likelihoods after the step of (c, d) from (u, v)", at_least(0))
C, D = letters("C D", "likelihoods after the step of (a, b) from (u, v)", at_least(0))
E, F = letters("E F", "likelihoods after the step of (a, b) from (x, y)", at_least(0))
ai, bi = letters("ai bi", "a chain of the box")
leak = letter("leak", "the leakage on the chain (ai, bi)")
leak1, leak2 = letters(
    "leak1 leak2", "the leakage on the chains (a, b) and (c, d), corners of the box"
)
NOTATION = {
    "a1": "the least a of the box, above 0",
    "a2": "the largest a of the box, below 1",
    "b1": "the least b of the box, above 0",
    "b2": "the largest b of the box, below 1",
}
BOTH = [a > 0, b > 0, c >= a, d >= b, c < 1, d < 1]
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
    """
    for name in SIGNS:
        proved(
            check,
            name,
            f"all a <= c and b <= d in (0, 1) with {name} for both chains, every n, p and r",
            partial(_sides, name=name),
            chains_of_any_sign=[
                Edit(
                    f"a step, {name}",
                    without=[
                        *([lam >= 0, lead <= 0] if name == "lam >= 0" else [lam <= 0, lead >= 0])
                    ],
                ),
                Edit(f"the side of 1, {name}", without=SIGNS[name], given=c > 0),
            ],
        )
    proved(
        check,
        CORNERS,
        "all boxes in (0, 1) x (0, 1)",
        _box_1,
        the_lower_corner=Edit("two corners", instead=leak <= leak1),
    )


def _box_1(proof: Proof) -> None:
    for name in SIGNS:
        _step(proof, name)
    _record(proof)
    _corners(proof)


def _sides(proof: Proof, name: str) -> None:
    proof.cite(
        "slopes", "the largest and the smallest follow record by record", "redaction.messages"
    )
    proof.cite("both sides", "have the same transition law", "massny2025.reversible")
    _record(proof)
    _step(proof, name)
    proof.cite(
        "two sides",
        "e^Lk is the larger product of extreme slopes of both sides",
        "redaction.joint-of-sides",
    )
    proof.inequality(
        "products",
        "weak1, weak2 are the two extreme slopes for the chain that leaks less (inverted for the "
        "smallest), strong1, strong2 for the other one",
        weak1 * weak2 <= strong1 * strong2,
        [weak1 <= strong1, weak2 <= strong2],
    )
    proof.cite(
        "X_p",
        "is released by neither, or the leakage is infinite for both",
        "massny2025.self-redaction",
    )


def _record(proof: Proof) -> None:
    proof.inequality(
        "a record",
        "The largest slope with record t is that of (1, 0) if r_t(0) < 1, else that of (u, q v), q "
        "= r_t(1), for the largest (u, v) beyond: the order of the two chains is kept, and slopes "
        "that are at least 1 are. The smallest: exchange 0 and 1. A pointwise influence is a slope "
        "that starts from (1, 0) or (0, 1), q = 1 from there on",
        (u * q * y <= x * q * v) & (u >= q * v) & (x >= q * y),
        [u * y <= x * v, u >= v, x >= y],
    )


OTHER = (1 - c) * u + c * v, d * u + (1 - d) * v  # (u, v) after a step of (c, d)
MIXED = (1 - a) * u + a * v, b * u + (1 - b) * v  # (u, v) after a step of (a, b)
OWN = (1 - a) * x + a * y, b * x + (1 - b) * y  # (x, y) after a step of (a, b)


def _step(proof: Proof, name: str) -> None:
    """Discharge a step of both chains from slopes (u, v), (x, y) >= 1, the largest; the
    smallest: exchange a and b, c and d.
    """
    positive = name == "lam >= 0"
    proof.inequality(
        f"the other chain, {name}",
        "from the same slope (u, v) >= 1 the step of (c, d) leads no higher than that of (a, b)",
        OTHER[0] * MIXED[1] <= MIXED[0] * OTHER[1],
        [*BOTH, u >= v],
    )
    proof.identity(
        f"the same chain, {name}",
        "the determinant of two slopes is multiplied by lam",
        MIXED[0] * OWN[1] - OWN[0] * MIXED[1],
        (1 - a - b) * (u * y - x * v),
    )
    proof.inequality(
        f"a step, {name}",
        "lam, lead are 1 - a - b and u y - x v: (u, v) is nearer to 1 than (x, y) where lam >= 0, "
        "farther where lam <= 0; A/B, C/D, E/F are the slopes after the step of (c, d) from (u, "
        "v), of (a, b) from (u, v) and of (a, b) from (x, y)",
        A * F <= E * B,
        [
            A * D <= C * B,
            Eq(C * F - E * D, lam * lead),
            B > 0,
            D > 0,
            F > 0,
            *([lam >= 0, lead <= 0] if positive else [lam <= 0, lead >= 0]),
        ],
    )
    proof.inequality(
        f"the side of 1, {name}",
        "slopes stay on the same side of 1 for lam >= 0 and change it for lam <= 0",
        (OTHER[0] >= OTHER[1]) if positive else (OTHER[0] <= OTHER[1]),
        [*BOTH, SIGNS[name], u >= v],
    )


def _corners(proof: Proof) -> None:
    proof.inequality(
        "two corners",
        "(ai, bi) in the box, leak its leakage, leak1 and leak2 those of (a1, b1) = (a, b) and "
        "(a2, b2) = (c, d): if ai + bi <= 1 then a + b <= 1 and leak <= leak1, else c + d >= 1 "
        "and leak <= leak2",
        Or(leak <= leak1, leak <= leak2),
        [
            a <= ai,
            b <= bi,
            ai <= c,
            bi <= d,
            sympy.Implies((ai + bi <= 1) & (a + b <= 1), leak <= leak1),
            sympy.Implies((ai + bi >= 1) & (c + d >= 1), leak <= leak2),
        ],
    )
