"""One medium record on a side: the best q in closed form, for either sign of the eigenvalue.

The value x of X_p is the one given which X_t = 0 is likelier, t the medium record; the next record
shows z, or there is none. Source of the family: massny2025, section IV.
"""

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.language import Edit, Proof, above, below, letter, letters, proved
from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.ours.redaction.statements.sides import (
    EXACT_SINGLE,
)
from pufferproof.claims.registry import Check, claim

A = letter("A", "the larger one of P(X_t=0|X_p=0) and P(X_t=0|X_p=1), t the record of M", below(1))
B = letter("B", "the smaller one of these two", above(0))
C, G = letters("C G", "1 - A, 1 - B")
E = letter("E", "e to the budget of the side", above(1))
w = letter("w", "the factor that the record next to t brings")
q = letter("q", "q_t")
j, k = letters(
    "j k", "probabilities that the next record shows its value, given X_t = 0 and 1", above(0)
)
a, b = letters("a b", "P(X_(t+1) = 1 | X_t = 0), P(X_(t+1) = 0 | X_t = 1)", above(0), below(1))
u, v = letters("u v", "the factors (1-b)/a and b/(1-a)")
r = letter("r", "(1 - B - E (1 - A))/(E A - B)", above(0))
SINGLE = "all 0 < a <= b < 1 with a + b != 1, every n, p and budget > 0, |M| = 1 on this side"
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
    statement="a <= b, lam != 0, a side of budget > 0 with |M| = 1, t its one record in M: q_t is "
    "feasible, by the exact leakage of the side, iff w (1-B-E(1-A))/(E A - B) <= q_t <= 1. A > "
    "B are P(X_t=0|X_p=0) and P(X_t=0|X_p=1), the larger one first, E = e^budget, w = 1 if S "
    "is empty and w = max{b/(1-a), (1-b)/a} otherwise. For lam < 0 no side has more than one "
    "record in M: this is then the whole design for given budgets.",
    kind="closed form",
    says=EXACT_SINGLE,
)
def exact_single(check: Check) -> None:
    """Prove it event by event."""
    name = "as stated"
    proved(
        check,
        name,
        SINGLE,
        _feasible,
        **{
            "nine tenths of this q": Edit("toward 1-x", put={w: sympy.Rational(9, 10) * w}),
            "w = (1-b)/a for lam < 0 too": Edit(
                "the larger quotient", put={And(u < 1, v > 1): u > 1}
            ),
        },
    )


def _feasible(proof: Proof) -> None:
    proof.cite(
        "events",
        "0 at t; or * at t and the next record, or * and nothing more",
        "redaction.events",
    )
    proof.cite("influences", "A/B = e^i0 <= E < e^i1 = G/C", "massny2025.prop1-closed")
    proof.cite("lam < 0", "M has at most one record on each side", "massny2025.x-medium-one")
    _events(proof)
    _worst(proof)
    proof.cite(
        "q = 1",
        "is feasible: it is the DIM that releases S alone, or nothing, and leaks i1 of its "
        "first record",
        "massny2025.x-dim-leakage",
    )


_CHANCES = [A > B, Eq(C, 1 - A), Eq(G, 1 - B), A <= E * B, G > E * C]


def _events(proof: Proof) -> None:
    proof.inequality("the value 0", "both orders", And(A <= E * B, B <= E * A), _CHANCES)
    proof.inequality(
        "toward x",
        "* at t and z next: never too much",
        q * A * j + C * k <= E * (q * B * j + G * k),
        [q >= 0, *_CHANCES],
    )
    proof.inequality(
        "toward 1-x",
        "within the budget iff q >= w (G - E C)/(E A - B) with w = k/j; the bound is positive",
        And(
            sympy.Equivalent(
                q * B * j + G * k <= E * (q * A * j + C * k), q * (E * A - B) >= w * (G - E * C)
            ),
            E * A > B,
        ),
        [Eq(w * j, k), q >= 0, *_CHANCES],
    )


def _worst(proof: Proof) -> None:
    proof.inequality(
        "the larger quotient",
        "z = 1 has (1-b)/a = u, z = 0 has b/(1-a) = v: u > 1 > v for lam > 0, u < 1 < v for lam < "
        "0",
        And(Implies(a + b < 1, And(u > 1, v < 1)), Implies(a + b > 1, And(u < 1, v > 1))),
        [Eq(u * a, 1 - b), Eq(v * (1 - a), b), Or(a + b < 1, a + b > 1)],
    )
    proof.inequality(
        "both z",
        "q is above both bounds iff above the larger one",
        sympy.Equivalent(And(q >= u * r, q >= v * r), q >= w * r),
        [Or(Eq(w, u), Eq(w, v)), w >= u, w >= v],
    )
