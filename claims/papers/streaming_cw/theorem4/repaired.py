"""Theorem 4 repaired: composition with a positive shift, with zero probabilities and in both
directions.

Derived for independent alternatives, by induction over the steps, with weights in [0, 1] in place
of sets. Source: "Composition Theorem for streaming CW-privacy", Theorem 4.
"""

import sympy

from pufferproof.claims.papers.streaming_cw.lemmas.first import recursion
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    ALL_SIZES,
    INDEPENDENT,
    KNOWN,
    WINDOW,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = {
    "gamma": "the logarithm of a bound for any two values z and z' of the known blocks",
    "eps": "the logarithm of a bound for one value z of the known blocks",
}


@claim(
    "streaming_cw.thm4-repaired",
    where="Theorem 4, repaired",
    statement="Let alternatives be drawn for each window on its own, and let gamma >= 0, eps >= 0 "
    "and delta be such that at every step, for all sets S of outcomes and all z, z', P0(S|z) "
    "<= e^gamma P1(S|z') + delta and P1(S|z) <= e^gamma P0(S|z') + delta, and with eps in the "
    "place of gamma where z' = z. Then for every t >= 1, all sets S of tuples and all z, "
    "P^0(S|z) <= e^(eps + (t-1) gamma) P^1(S|z) + t delta, and the same with P^0 and P^1 "
    "exchanged. Probabilities may be 0.",
    assumes=[*INDEPENDENT, KNOWN],
)
def thm4_repaired(check: Check) -> None:
    """Prove a composition theorem with a positive shift, for sets, in both directions."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        recursion(argument)
        for top, bottom in (("P0", "P1"), ("P1", "P0")):
            _compose(argument, top, bottom)
    check.near_miss(f"{WINDOW}: one shift too few", lambda argument: _compose(argument, shifts=-1))
    check.near_miss(f"{WINDOW}: one gamma too few", lambda argument: _compose(argument, gammas=-1))
    check.near_miss(
        f"{WINDOW}: weights above 1", lambda argument: _compose(argument, unbounded=True)
    )
    check.near_miss(
        f"{WINDOW}: pasts bounded at their own z only",
        lambda argument: _compose(argument, own=True),
    )


def _compose(
    argument: Argument,
    top: str = "P0",
    bottom: str = "P1",
    shifts: int = 0,
    gammas: int = 0,
    unbounded: bool = False,
    own: bool = False,
) -> None:
    """Bound one law of t outputs by the other: `top` at most e^(eps + (t-1) gamma) times
    `bottom`, plus t delta.
    """
    a, b, R, h, A, B, H, x, c, m, K, L = sympy.symbols("a b R h A B H x c m K L")
    w, W, X, Y, V, u, v, t, delta, N, D = sympy.symbols("w W X Y V u v t delta N D")
    g, r, gamma, eps, k, level = sympy.symbols("g r gamma eps k l")
    first, second = top.replace("P", "P^"), bottom.replace("P", "P^")
    M = {"P0": "M", "P1": "M(alt(.))"}
    of = f", {top} against {bottom}"
    argument.cite(
        f"shift{of}",
        f"delta, which is at least every {top}(S|z) - R {bottom}(S|z'), is at least the sum over "
        f"all outcomes of max(0, {top}(y|z) - R {bottom}(y|z')); R = e^gamma, or e^eps where z' = "
        f"z",
        "streaming_cw.eq2-shift-repaired",
    )
    part, cap = sympy.Max(0, a - R * b), [h >= 0] if unbounded else [h >= 0, h <= 1]
    argument.induction(
        f"weights in [0, 1]{of}",
        f"a = {top}(y|z), b = {bottom}(y|z'), h a weight: A, B, H sum a h, b h and max(0, a - R b) "
        f"over the outcomes so "
        "far, so that H <= delta in the end",
        base=(A <= R * B + H, [sympy.Eq(A, 0), sympy.Eq(B, 0), sympy.Eq(H, 0)]),
        step=(
            A + a * h <= R * (B + b * h) + H + part,
            [A <= R * B + H, a >= 0, b >= 0, R >= 1, *cap],
        ),
    )
    argument.inequality(
        f"the past, capped{of}",
        f"S_y holds the pasts that S has before y; x = {first}(S_y|z1), c = the least "
        f"{second}(S_y|z2) over all z2, and the "
        "hypothesis of the induction for the pasts is x <= K c + L for all z1: with m = min(1, K "
        "c)",
        x <= m + L,
        [x <= 1, x <= K * c + L, sympy.Eq(m, sympy.Min(1, K * c)), L >= 0, c >= 0, K >= 1],
    )
    argument.induction(
        f"sum over z* and y{of}",
        f"w is p(z*) times the probability of y for {M[top]} on [z*,z]: X, Y, W sum w x, w m and "
        f"w: X <= Y + L W, and W = "
        "1 over all z* and y",
        base=(w * x <= w * m + L * w, [x <= m + L, w >= 0]),
        step=(X + w * x <= Y + w * m + L * (W + w), [X <= Y + L * W, x <= m + L, w >= 0]),
    )
    argument.cite(
        f"order of summation{of}",
        f"Y is the sum of {top}(y|z) m over y, as m does not depend on z*",
        "lemma.finite-sums",
    )
    least = [v >= c] if own else [x >= c]
    argument.induction(
        f"back to the other law{of}",
        f"u is p(z*) times the probability of y for {M[bottom]} on [z*,z']; x now is "
        f"{second}(S_y|[z*,z']_up), at least c "
        "whatever z* is, and m <= K c: V, D sum u m and u x",
        base=(u * m <= K * u * x, [m <= K * c, *least, u >= 0, K >= 1]),
        step=(V + u * m <= K * (D + u * x), [V <= K * D, m <= K * c, *least, u >= 0, K >= 1]),
    )
    argument.inequality(
        f"one more step{of}",
        f"N = {first}(S|z) = X with W = 1, and Y <= R V + delta by weights, V = the sum of "
        f"{bottom}(y|z') m, D = {second}(S|z')",
        R * K * D + delta + L >= N,
        [sympy.Eq(N, X), X <= Y + L * W, sympy.Eq(W, 1), R * V + delta >= Y, V <= K * D, R >= 1],
    )
    argument.induction(
        f"t outputs{of}",
        f"For all S, z, z': N = {first}(S|z) is at most e^(t gamma) D + t delta, D = "
        f"{second}(S|z'). K is the factor for t "
        "outputs, k its logarithm, L the shift; g = e^gamma is the factor of one more step, whose "
        "logarithm is added. Without outputs N = D, and K = 1",
        base=(
            sympy.And(N <= K * D + t * delta, sympy.Eq(k, t * gamma)),
            [sympy.Eq(N, D), sympy.Eq(K, 1), sympy.Eq(k, 0), sympy.Eq(t, 0), D >= 0],
        ),
        step=(
            sympy.And(
                N <= g * K * D + (t + 1 + shifts) * delta,
                sympy.Eq(gamma + k, (t + 1 + gammas) * gamma),
            ),
            [
                N <= g * K * D + delta + L,
                sympy.Eq(L, t * delta),
                sympy.Eq(k, t * gamma),
                delta >= 0,
                g >= 1,
                K >= 1,
            ],
        ),
    )
    argument.inequality(
        f"the level{of}",
        "The last step at z' = z has the factor r = e^eps: N <= R D + t delta, where R = r K has "
        "the logarithm l = eps + (t-1) gamma",
        sympy.And(
            N <= R * D + (t + shifts) * delta, sympy.Eq(level, eps + (t - 1 + gammas) * gamma)
        ),
        [
            N <= r * K * D + delta + L,
            sympy.Eq(R, r * K),
            sympy.Eq(level, eps + k),
            sympy.Eq(L, (t - 1) * delta),
            sympy.Eq(k, (t - 1) * gamma),
        ],
    )
