"""Questions beside the paper: a stream that is scrubbed once, supports of t outputs, and the
opposite direction.

Derives Lemma 1 for a scrub block by block with other gammas, supports under independent
alternatives, and what one direction gives for the other. Beside "Composition Theorem for streaming
CW-privacy", Section 2.
"""

import sympy

from pufferproof.claims.papers.streaming_cw.lemmas.first import recursion
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    ALL_SIZES,
    APART,
    BLOCKS,
    COIN,
    COINS,
    HUNDREDTH,
    INDEPENDENT,
    SMALLEST,
    STREAM,
    WINDOW,
)
from pufferproof.claims.papers.streaming_cw.theorem4.statement import reversed_fails
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = {
    "X'_i": "the window of the scrubbed blocks in the places of those of X_i",
    "X'_{i down}": "X'_i without its oldest block",
    "z''": "a value of positive probability of X'_{i down}",
    "gamma(y)": "the logarithm of a bound for the outcome y",
    "P^0": "the law of t outputs of M on the data, given X_{t down}; in x-direction-transfer any "
    "law",
    "P^1": "the law of t outputs of M on the scrubbed data, given X_{t down}; in "
    "x-direction-transfer any law on the same outcomes",
}


@claim(
    "streaming_cw.x-stream-scrub",
    where="beside Lemma 1",
    statement="Let the stream be scrubbed once, each block on its own. If P0(y|z) <= e^{gamma(y)} "
    "Pr[M(X'_i) = y | X'_{i down} = z''] for every step i, every outcome y, every value z of "
    "X_{i down} and every value z'' of X'_{i down}, then P^0(y_1..y_t|z) <= exp(gamma(y_1) + "
    ".. + gamma(y_t)) P^1(y_1..y_t|z') for all outcomes y_1, .., y_t and all z, z'. "
    "Probabilities may be 0.",
    kind="lemma",
    assumes=[
        BLOCKS,
        COINS,
        "the law of a scrubbed block depends on the block in its place only, apart from all others",
    ],
)
def stream_scrub(check: Check) -> None:
    """Prove Lemma 1 for a stream that is scrubbed once, with the gammas taken given the
    scrubbed blocks.
    """
    with check.reading("block by block", ALL_SIZES) as argument:
        _stream_scrub(argument)
    check.near_miss(
        "block by block: a smaller factor", lambda argument: _stream_scrub(argument, 1 - HUNDREDTH)
    )


def _stream_scrub(argument: Argument, share: sympy.Rational = sympy.S.One) -> None:
    p, s, f, U, V, W, N, D, S, T, G, g = sympy.symbols("p s f U V W N D S T G g")
    a, A, c, w, q, d = sympy.symbols("a A c w q d")
    argument.induction(
        "scrubbed blocks are independent",
        "p = p(b_i) and s = Pr[b'_i|b_i] at one position i, f the factors of the other positions "
        "and of the outputs, which see scrubbed blocks only: U sums p s f over the values of b_i, "
        "V sums p s: U = V f. So, one position after the other, the data leave the sum, and "
        "scrubbed blocks are independent with the laws V = p'(b'_i)",
        base=(sympy.Eq(U, V * f), [sympy.Eq(U, p * s * f), sympy.Eq(V, p * s)]),
        step=(sympy.Eq(U + p * s * f, (V + p * s) * f), [sympy.Eq(U, V * f)]),
    )
    recursion(argument, {APART: "no alternatives are involved: k = 0"})
    recursion(
        argument,
        {
            APART: "M runs on the scrubbed windows: k = 0",
            BLOCKS: 'by the step "scrubbed blocks are independent"',
        },
        of=", scrubbed blocks",
    )
    argument.induction(
        "sum over z*",
        "w = p(z*) M([z*,z])[y_t]; a = P^0(y_1..y_{t-1}|[z*,z]_up) <= G c, where c is the least "
        "probability of y_1..y_{t-1} given scrubbed blocks (hypothesis for t - 1): N and S sum w a "
        "and w",
        base=(w * a <= G * c * w, [a <= G * c, w >= 0]),
        step=(N + w * a <= G * c * (S + w), [N <= G * c * S, a <= G * c, w >= 0]),
    )
    argument.induction(
        "sum over scrubbed z*",
        "q = p'(z*) M([z*,z''])[y_t]; A >= c is the probability of y_1..y_{t-1} given [z*,z'']_up: "
        "D and T sum q A and q",
        base=(c * q <= q * A, [c <= A, q >= 0]),
        step=(c * (T + q) <= D + q * A, [c * T <= D, c <= A, q >= 0]),
    )
    argument.induction(
        "t outputs",
        "N = P^0(y_1..y_t|z), D the probability of y_1..y_t given X'_{t down} = z'', G = "
        "exp(gamma(y_1) + .. + gamma(y_{t-1})), g = e^{gamma(y_t)}: S = P0(y_t|z) is at most g T, "
        "T = Pr[M(X'_t) = y_t|z'']. Without outputs N = D = G = 1",
        base=(N <= G * D, [sympy.Eq(N, 1), sympy.Eq(D, 1), sympy.Eq(G, 1)]),
        step=(
            N <= share * G * g * D,
            [N <= G * c * S, c * T <= D, S <= g * T, G > 0, g > 0, c >= 0],
        ),
    )
    argument.induction(
        "average over the scrubbed blocks",
        "N <= G d for each z'', G now with all t factors, d = the probability of the outputs given "
        "z''; s = Pr[z''|z']: V sums s d, W sums s",
        base=(N * s <= G * (s * d), [G * d >= N, s >= 0]),
        step=(N * (W + s) <= G * (V + s * d), [N * W <= G * V, G * d >= N, s >= 0]),
    )
    argument.inequality(
        "W = 1", "V = P^1(y_1..y_t|z')", N <= G * V, [N * W <= G * V, sympy.Eq(W, 1)]
    )


@claim(
    "streaming_cw.x-supports",
    where="beside Assumption 1",
    statement="With alternatives that are drawn for each window on its own, Assumption 1 at every "
    "step makes P^0(.|z) and P^1(.|z) positive on W^t and 0 on all other tuples, for every z "
    "and t >= 1.",
    kind="lemma",
    assumes=INDEPENDENT,
)
def supports(check: Check) -> None:
    """Prove it with independent alternatives."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _supports(argument)
    check.near_miss(
        f"{WINDOW}: without Assumption 1 at step t",
        lambda argument: _supports(argument, dropped=True),
    )


@claim(
    "streaming_cw.x-supports-shared",
    where="beside Assumption 1",
    statement="Under Assumption 1, however the alternatives are drawn together, P^1(.|z) is "
    "positive on W^t.",
    kind="lemma",
    repair="streaming_cw.x-supports",
)
def supports_shared(check: Check) -> None:
    """Refute it with a common coin, and with a stream scrubbed once."""
    for name, stream, why in (
        (COIN, blocks.coin_stream(2), "one coin replaces the oldest bit of every window"),
        (STREAM, blocks.one_draw_stream(2), "the scrub replaces all blocks by one new bit"),
    ):
        with check.reading(name, SMALLEST) as argument:
            _hole(argument, stream, why)


def _supports(argument: Argument, dropped: bool = False) -> None:
    A, q, m, D, T, N, S, a, w, c = sympy.symbols("A q m D T N S a w c")
    recursion(argument)
    argument.induction(
        "inside W^t",
        "A >= m > 0 (hypothesis for t-1), q = P(y_t|[z*,z]) p(z*): the sum D of A q is at least m "
        "times the sum T of q",
        base=(A * q >= m * q, [m <= A, q >= 0, m > 0]),
        step=(D + A * q >= m * (T + q), [m * T <= D, m <= A, q >= 0, m > 0]),
    )
    here = [T >= 0] if dropped else [T > 0]
    argument.inequality(
        "positive", "T = P(y_t|z) > 0 for y_t in W", D > 0, [m * T <= D, m > 0, *here]
    )
    argument.induction(
        "outside",
        "c is at least every a = P(y_1..y_{t-1}|..): N, the sum of a w, is at most c S, S the sum "
        "of w = P(y_t|[z*,z]) p(z*)",
        base=(a * w <= c * w, [a <= c, w >= 0]),
        step=(N + a * w <= c * (S + w), [c * S >= N, a <= c, w >= 0]),
    )
    argument.inequality(
        "zero",
        "y_t outside W has S = P(y_t|z) = 0; an earlier y_i outside W has c = 0 by hypothesis",
        sympy.Eq(N, 0),
        [c * S >= N, N >= 0, sympy.Or(sympy.Eq(S, 0), sympy.Eq(c, 0)), S >= 0, c >= 0],
    )


def _hole(argument: Argument, stream: Stream, why: str) -> None:
    law, y, z = blocks.joint(stream, True, (0,)), (0, 1), (0,)
    evidence = blocks.show(stream, y=y, z=z, P1=law[y])
    sentence = (
        f"M outputs the oldest bit, and {why}: both outcomes are possible at each step, but 0 and "
        f"then 1 never occurs."
    )
    argument.counterexample(
        "0 inside W^2", sentence, evidence, lambda: blocks.assumption1(stream) and law[y] == 0
    )


@claim(
    "streaming_cw.x-direction-transfer",
    where="beside Theorem 4",
    statement="For laws P^0 and P^1 on the same outcomes and R = e^eps >= 1: if P^0(S) <= R P^1(S) "
    "for all sets S then P^1(S) <= P^0(S)/R + 1 - 1/R for all sets S: one direction without "
    "shift gives the other with shift 1 - e^{-eps} and factor e^{-eps}.",
    kind="lemma",
)
def direction_transfer(check: Check) -> None:
    """Prove what one direction gives for the other, from the complement of S."""
    with check.reading("as stated", ALL_SIZES) as argument:
        _transfer(argument)
    check.near_miss("as stated: a smaller shift", lambda argument: _transfer(argument, HUNDREDTH))


def _transfer(argument: Argument, less: sympy.Rational = sympy.S.Zero) -> None:
    p, q, u, v, R = sympy.symbols("p q u v R")
    argument.inequality(
        "complement",
        "p = P^0(S), q = P^1(S), and u, v are those of the outcomes outside S, where u <= R v",
        q <= p / R + 1 - 1 / R - less,
        [
            u <= R * v,
            sympy.Eq(p + u, 1),
            sympy.Eq(q + v, 1),
            R >= 1,
            p >= 0,
            q >= 0,
            u >= 0,
            v >= 0,
        ],
    )


@claim(
    "streaming_cw.x-direction",
    where="beside Theorem 4",
    statement="If P0(S|z) <= e^eps P1(S|z) for all sets S and all z, then P1(S|z) <= e^eps P0(S|z) "
    "for all sets S and all z.",
    kind="lemma",
    repair="streaming_cw.x-direction-transfer",
)
def direction(check: Check) -> None:
    """Refute that a bound on P0/P1 bounds P1/P0."""
    with check.reading("eps the least for P0 against P1", "t = 1, bits, B = 2") as argument:
        reversed_fails(argument)
