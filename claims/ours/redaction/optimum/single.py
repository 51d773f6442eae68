"""One medium record on a side: the best q in closed form, for either sign of the eigenvalue.

Letters: x is the value of X_p given which X_t = 0 is likelier, A and B are P(X_t = 0) given x and
1-x, C = 1-A, G = 1-B; t is the medium record, E = e^budget; j, k are the probabilities that the
next record shows z, given X_t = 0 and 1, or both 1 at the end of the chain. Source of the family:
massny2025, section IV.
"""

from functools import partial

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B, C, E, G = sympy.symbols("A B C E G")
a, b, j, k, q, r, s, t, u, v, w = sympy.symbols("a b j k q r s t u v w")
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
)
def exact_single(check: Check) -> None:
    """Prove it event by event."""
    name = "as stated"
    with check.reading(name, SINGLE) as argument:
        argument.cite(
            "events",
            "0 at t; or * at t and the next record, or * and nothing more",
            "redaction.events",
        )
        argument.cite("influences", "A/B = e^i0 <= E < e^i1 = G/C", "massny2025.prop1-closed")
        argument.cite("lam < 0", "M has at most one record on each side", "massny2025.x-medium-one")
        _events(argument)
        _worst(argument)
        argument.cite(
            "q = 1",
            "is feasible: it is the DIM that releases S alone, or nothing, and leaks i1 of its "
            "first record",
            "massny2025.x-dim-leakage",
        )
    check.near_miss(f"{name}: nine tenths of this q", partial(_events, smaller=True))
    check.near_miss(f"{name}: w = (1-b)/a for lam < 0 too", partial(_worst, one=True))


_CHANCES = [A > B, B > 0, A < 1, Eq(C, 1 - A), Eq(G, 1 - B), A <= E * B, G > E * C, E > 1]


def _events(argument: Argument, smaller: bool = False) -> None:
    argument.inequality("the value 0", "both orders", And(A <= E * B, B <= E * A), _CHANCES)
    argument.inequality(
        "toward x",
        "* at t and z next: never too much",
        q * A * j + C * k <= E * (q * B * j + G * k),
        [q >= 0, j > 0, k > 0, *_CHANCES],
    )
    argument.inequality(
        "toward 1-x",
        "within the budget iff q >= w (G - E C)/(E A - B) with w = k/j; the bound is positive",
        And(
            sympy.Equivalent(
                q * B * j + G * k <= E * (q * A * j + C * k),
                q * (E * A - B) >= (sympy.Rational(9, 10) if smaller else 1) * w * (G - E * C),
            ),
            E * A > B,
        ),
        [Eq(w * j, k), q >= 0, j > 0, k > 0, *_CHANCES],
    )


def _worst(argument: Argument, one: bool = False) -> None:
    argument.inequality(
        "the larger quotient",
        "z = 1 has (1-b)/a = u, z = 0 has b/(1-a) = v: u > 1 > v for lam > 0, u < 1 < v for lam < "
        "0",
        And(
            Implies(a + b < 1, And(u > 1, v < 1)),
            Implies(a + b > 1, u > 1 if one else And(u < 1, v > 1)),
        ),
        [
            Eq(u * a, 1 - b),
            Eq(v * (1 - a), b),
            a > 0,
            a < 1,
            b > 0,
            b < 1,
            Or(a + b < 1, a + b > 1),
        ],
    )
    argument.inequality(
        "both z",
        "q is above both bounds iff above the larger one",
        sympy.Equivalent(And(q >= u * r, q >= v * r), q >= w * r),
        [Or(Eq(w, u), Eq(w, v)), w >= u, w >= v, r > 0],
    )
