"""Questions beside the paper: a stream that is scrubbed once, supports of t outputs, and the opposite direction.

Proves Lemma 1 for a scrub block by block with other gammas, supports under independent alternatives, and what one direction
gives for the other. Beside "Composition Theorem for streaming CW-privacy", Section 2.
"""

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw import blocks
from pufferproof.claims.streaming_cw.blocks import Stream
from pufferproof.claims.streaming_cw.lemma1 import product_bound, recursion
from pufferproof.claims.streaming_cw.stream_readings import (
    ALL_SIZES,
    COIN,
    HUNDREDTH,
    INDEPENDENT,
    SMALLEST,
    STREAM,
    WINDOW,
)
from pufferproof.claims.streaming_cw.theorem4 import reversed_fails
from pufferproof.verify.proof import Argument


@claim(
    "streaming_cw.x-stream-scrub",
    where="Lemma 1 (a question of ours)",
    statement="Stream scrubbed once, each block on its own: if P0(y|z) <= e^{gamma(y)} Pr[M(X')=y|X'_down=z''] for all z "
    "and all values z'' of the scrubbed blocks, then P^0(y_1..y_t|z) <= exp(gamma_1 + ..) P^1(y_1..y_t|z') for all z, z'.",
    kind="lemma",
    assumes=[
        "i.i.d. blocks, each scrubbed on its own",
        "Assumption 3 with the scrubbed auxiliary blocks given",
        "Assumption 1",
    ],
)
def stream_scrub(check: Check) -> None:
    """Prove Lemma 1 for a stream that is scrubbed once, with the gammas taken given the scrubbed blocks."""
    with check.reading("block by block", ALL_SIZES) as argument:
        _stream_scrub(argument)
    check.near_miss("block by block: one gamma left out", lambda argument: _stream_scrub(argument, forgotten=True))


def _stream_scrub(argument: Argument, forgotten: bool = False) -> None:
    N, G, s, d, V, W = sympy.symbols("N G s d V W")
    argument.definition(
        "scrubbed stream",
        "The scrubbed blocks are i.i.d. with a law p' of their own, and M runs on them without alternatives: its law "
        "given the scrubbed blocks z'' obeys the recursion with p'. In lem1-max-ratio take p = 1 and put p, p' into b and B.",
    )
    product_bound(argument, forgotten)
    argument.induction(
        "average over the scrubbed blocks",
        "N = P^0(y_1..y_t|z) <= G d for each z'', d = its probability given z''; s = Pr[z''|z']: V sums s d, W sums s",
        base=(N * s <= G * (s * d), [G * d >= N, s >= 0]),
        step=(N * (W + s) <= G * (V + s * d), [N * W <= G * V, G * d >= N, s >= 0]),
    )
    argument.inequality("W = 1", "V = P^1(y_1..y_t|z')", N <= G * V, [N * W <= G * V, sympy.Eq(W, 1)])


@claim(
    "streaming_cw.x-supports",
    where="Assumption 1 (a question of ours)",
    statement="Under Assumption 1 both P^0(.|z) and P^1(.|z) are positive exactly on W^t.",
    kind="lemma",
    assumes=INDEPENDENT,
)
def supports(check: Check) -> None:
    """Prove it with independent alternatives."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _supports(argument)
    check.near_miss(f"{WINDOW}: without Assumption 1 at step t", lambda argument: _supports(argument, dropped=True))


@claim(
    "streaming_cw.x-supports-shared",
    where="Assumption 1 (a question of ours)",
    statement="Under Assumption 1, however the alternatives are drawn together, P^1(.|z) is positive on W^t.",
    kind="lemma",
    repair="streaming_cw.x-supports",
)
def supports_shared(check: Check) -> None:
    """Refute it with a common coin, and with a stream scrubbed once."""
    for name, stream in ((COIN, blocks.coin_stream(2)), (STREAM, blocks.one_draw_stream(2))):
        with check.reading(name, SMALLEST) as argument:
            _hole(argument, stream)


def _supports(argument: Argument, dropped: bool = False) -> None:
    A, q, m, D, T, N, S, a, w, c = sympy.symbols("A q m D T N S a w c")
    recursion(argument)
    argument.induction(
        "inside W^t",
        "A >= m > 0 (hypothesis for t-1), q = P(y_t|[z*,z]) p(z*): the sum D of A q is at least m times the sum T of q",
        base=(A * q >= m * q, [m <= A, q >= 0, m > 0]),
        step=(D + A * q >= m * (T + q), [m * T <= D, m <= A, q >= 0, m > 0]),
    )
    here = [T >= 0] if dropped else [T > 0]
    argument.inequality("positive", "T = P(y_t|z) > 0 for y_t in W", D > 0, [m * T <= D, m > 0, *here])
    argument.induction(
        "outside",
        "c is at least every a = P(y_1..y_{t-1}|..): N, the sum of a w, is at most c S, S the sum of w = P(y_t|[z*,z]) p(z*)",
        base=(a * w <= c * w, [a <= c, w >= 0]),
        step=(N + a * w <= c * (S + w), [c * S >= N, a <= c, w >= 0]),
    )
    argument.inequality(
        "zero",
        "y_t outside W has S = P(y_t|z) = 0; an earlier y_i outside W has c = 0 by hypothesis",
        sympy.Eq(N, 0),
        [c * S >= N, N >= 0, sympy.Or(sympy.Eq(S, 0), sympy.Eq(c, 0)), S >= 0, c >= 0],
    )


def _hole(argument: Argument, stream: Stream) -> None:
    law, y, z = blocks.joint(stream, True, (0,)), (0, 1), (0,)
    evidence = blocks.show(stream, y=y, z=z, P1=law[y])
    argument.counterexample(
        "0 inside W^2", "P^1(0,1|0) = 0", evidence, lambda: blocks.assumption1(stream) and law[y] == 0
    )


@claim(
    "streaming_cw.x-direction-transfer",
    where="Theorem 4 (a question of ours)",
    statement="If P^0(S) <= R P^1(S) for all S then P^1(S) <= P^0(S)/R + 1 - 1/R for all S: one direction without shift "
    "gives the other with shift 1 - e^{-eps} and factor e^{-eps}.",
    kind="lemma",
    assumes=["two laws on the same outcomes", "R >= 1"],
)
def direction_transfer(check: Check) -> None:
    """Prove what one direction gives for the other, from the complement of S."""
    with check.reading("as stated", ALL_SIZES) as argument:
        _transfer(argument)
    check.near_miss("as stated: a smaller shift", lambda argument: _transfer(argument, HUNDREDTH))


def _transfer(argument: Argument, less: sympy.Rational = sympy.S.Zero) -> None:
    p, q, R = sympy.symbols("p q R")
    argument.inequality(
        "complement",
        "p = P^0(S), q = P^1(S): 1 - p <= R (1 - q)",
        q <= p / R + 1 - 1 / R - less,
        [1 - p <= R * (1 - q), p <= R * q, R >= 1, p >= 0, p <= 1, q >= 0, q <= 1],
    )


@claim(
    "streaming_cw.x-direction",
    where="Theorem 4 (a question of ours)",
    statement="If P0(S|z) <= e^eps P1(S|z) for all S and z then also P1(S|z) <= e^eps P0(S|z).",
    kind="lemma",
    repair="streaming_cw.x-direction-transfer",
)
def direction(check: Check) -> None:
    """Refute that a bound on P0/P1 bounds P1/P0."""
    with check.reading("eps the least for P0 against P1", "t = 1, bits, B = 2") as argument:
        reversed_fails(argument)
