"""Theorem 4 repaired: composition with a positive shift, with zero probabilities and in both directions.

Proved for independent alternatives, by induction over the steps, with weights in [0, 1] in place of sets. Source: "Composition
Theorem for streaming CW-privacy", Theorem 4.
"""

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw.lemma1 import recursion
from pufferproof.claims.streaming_cw.stream_readings import ALL_SIZES, INDEPENDENT, WINDOW
from pufferproof.verify.proof import Argument


@claim(
    "streaming_cw.thm4-repaired",
    where="Theorem 4, repaired",
    statement="If for all S, z, z': P0(S|z) <= e^gamma P1(S|z') + delta and P1(S|z) <= e^gamma P0(S|z') + delta, and with "
    "e^eps for z' = z, then G is (eps + (t-1) gamma, t delta)-CW private in both directions. Zero probabilities are allowed.",
    assumes=[*INDEPENDENT, "only X_{t down} is known"],
)
def thm4_repaired(check: Check) -> None:
    """Prove a composition theorem with a positive shift, for sets, in either direction."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _compose(argument)
    check.near_miss(f"{WINDOW}: one shift too few", lambda argument: _compose(argument, fewer=1))
    check.near_miss(f"{WINDOW}: weights above 1", lambda argument: _compose(argument, unbounded=True))


def _compose(argument: Argument, fewer: int = 0, unbounded: bool = False) -> None:
    a, b, R, h, e, A, B, H, x, c, m, K, L = sympy.symbols("a b R h e A B H x c m K L")
    w, W, X, Y, V, u, t, delta, N, D = sympy.symbols("w W X Y V u t delta N D")
    recursion(argument)
    argument.cite("shift", "delta is at least the sum of e = max(0, a - R b)", "streaming_cw.eq2-shift-repaired")
    cap = [h >= 0] if unbounded else [h >= 0, h <= 1]
    weighted = [e >= 0, e >= a - R * b, *cap]
    argument.induction(
        "weights in [0, 1]",
        "a = P0(y|z), b = P1(y|z'): A, B, H sum a h, b h and e over the outcomes so far",
        base=(a * h <= R * b * h + e, weighted),
        step=(A + a * h <= R * (B + b * h) + H + e, [A <= R * B + H, *weighted]),
    )
    argument.inequality(
        "the past, capped",
        "x = P^0(S_y|z_1), S_y the pasts that S allows before y; c = the least P^1(S_y|z_2), m = min(1, K c), L = (t-1) delta",
        x <= m + L,
        [x <= 1, x <= K * c + L, sympy.Or(sympy.Eq(m, 1), sympy.Eq(m, K * c)), L >= 0, c >= 0, K >= 1],
    )
    argument.induction(
        "sum over z* and y",
        "w = p(z*) M([z*,z])[y]; X, Y, W sum w x, w m and w: X <= Y + L W",
        base=(w * x <= w * m + L * w, [x <= m + L, w >= 0]),
        step=(X + w * x <= Y + w * m + L * (W + w), [X <= Y + L * W, x <= m + L, w >= 0]),
    )
    argument.cite(
        "order of summation", "Y is the sum of P0(y|z) m over y, as m does not depend on z*", "lemma.finite-sums"
    )
    argument.induction(
        "back to P^1",
        "u = p(z*) M(alt([z*,z']))[y], c <= the P^1(S_y|..) = x of that z*, m <= K c: V = sum of u m, D = sum of u x",
        base=(u * m <= K * u * x, [m <= K * c, c <= x, u >= 0, K >= 1]),
        step=(V + u * m <= K * (D + u * x), [V <= K * D, m <= K * c, c <= x, u >= 0, K >= 1]),
    )
    argument.inequality(
        "one more step",
        "N = P^0(S|z) = X with W = 1, Y <= R V + delta, V <= K D, D = P^1(S|z'): N <= R K D + delta + L",
        R * K * D + delta + L >= N,
        [sympy.Eq(N, X), X <= Y + L * W, sympy.Eq(W, 1), R * V + delta >= Y, V <= K * D, R >= 1],
    )
    argument.induction(
        "t shifts",
        "R = e^gamma in the earlier steps and e^eps in the last; L = (t-1) delta, so L + delta = t delta",
        base=(delta <= (1 - fewer) * delta, [delta > 0]),
        step=(sympy.Eq(L + delta, (t - fewer) * delta), [sympy.Eq(L, (t - 1 - fewer) * delta), delta > 0, t >= 2]),
    )
    argument.definition(
        "both directions",
        "K = e^((t-1) gamma) takes one factor R per step. The hypotheses are symmetric, so the same holds with M and "
        "M(alt(.)) exchanged.",
    )
