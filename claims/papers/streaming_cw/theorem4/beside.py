"""Questions beside the paper: a stream that is scrubbed once, supports of t outputs, and the
opposite direction.

Derives Lemma 1 for a scrub block by block with other gammas, supports under independent
alternatives, and what one direction gives for the other. Beside "Composition Theorem for streaming
CW-privacy", Section 2.
"""

from sympy import Eq, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
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
from pufferproof.claims.papers.streaming_cw.streams.statements.steps import TRANSFER
from pufferproof.claims.papers.streaming_cw.theorem4.statement import reversed_fails
from pufferproof.claims.papers.streaming_cw.theorem4.statements import ON_SUPPORTS, STREAM_SCRUB
from pufferproof.claims.papers.streaming_cw.theorem4.supports import hole
from pufferproof.claims.registry import Check, claim

p, s = letters("p s", "p(b_i), Pr[b'_i|b_i] at the next value of b_i")
f = letter("f", "the factors of the other positions and of the outputs")
U, V = letters("U V", "the sums of p s f and of p s over the first values of b_i")
w = letter("w", "p(z*) M([z*,z])[y_t] at the next z*", at_least(0))
a = letter("a", "P^0(y_1..y_{t-1}|[z*,z]_up) at the next z*")
q = letter("q", "p'(z*) M([z*,z''])[y_t] at the next scrubbed z*", at_least(0))
A = letter("A", "the probability of y_1..y_{t-1} given scrubbed blocks [z*,z'']_up")
c = letter("c", "the least probability of y_1..y_{t-1} given scrubbed blocks")
N, S = letters("N S", "the sums of w a and of w: P^0(y_1..y_t|z), P0(y_t|z)")
D, T = letters("D T", "the sums of q A and of q: the same given scrubbed blocks z''")
G = letter("G", "exp(gamma(y_1) + .. + gamma(y_{t-1}))")
g = letter("g", "e^{gamma(y_t)}", above(0))
growth = letter("growth", "exp(gamma(y_1) + .. + gamma(y_t))")
d = letter("d", "the probability of y_1..y_t given scrubbed blocks z''")
chance = letter("chance", "Pr[z''|z'] at the next z''", at_least(0))
average, chances = letters("average chances", "the sums of chance d and of chance")
past = letter("past", "P^k(y_1..y_{t-1}|[z*,z]_up) at the next z*")
weight = letter("weight", "P^k(y_t|[z*,z]) p(z*) at the next z*", at_least(0))
joint, weights = letters("joint weights", "the sums of past weight and of weight")
least = letter("least", "the least P^k(y_1..y_{t-1}|[z*,z]_up)", above(0))
largest = letter("largest", "the largest P^k(y_1..y_{t-1}|[z*,z]_up)")
inside_0, inside_1 = letters("inside_0 inside_1", "P^0(S), P^1(S)", at_least(0))
outside_0, outside_1 = letters("outside_0 outside_1", "P^0, P^1 outside S", at_least(0))
R = letter("R", "e^eps", at_least(1))
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
    says=STREAM_SCRUB,
)
def stream_scrub(check: Check) -> None:
    """Prove Lemma 1 for a stream that is scrubbed once, with the gammas taken given the
    scrubbed blocks.
    """
    smaller = Edit("t outputs: step", put={G * g * D: (1 - HUNDREDTH) * G * g * D})
    proved(check, "block by block", ALL_SIZES, _stream_scrub, a_smaller_factor=smaller)


def _stream_scrub(proof: Proof) -> None:
    _scrubbed_blocks(proof)
    _both_recursions(proof)
    proof.induction(
        "t outputs",
        "S is at most g T. Without outputs N = D = G = 1",
        base=(N <= G * D, [Eq(N, 1), Eq(D, 1), Eq(G, 1)]),
        step=(N <= G * g * D, [N <= G * c * S, c * T <= D, S <= g * T, G > 0, c >= 0]),
    )
    proof.summed(
        "average over the scrubbed blocks",
        "P^0(y_1..y_t|z) is at most growth d for each z''",
        so_far=N * chances <= growth * average,
        adding={chances: chance, average: chance * d},
        given=[growth * d >= N],
    )
    proof.inequality(
        "W = 1",
        "the chances sum to 1, and the average is P^1(y_1..y_t|z')",
        N <= growth * average,
        [N * chances <= growth * average, Eq(chances, 1)],
    )


def _scrubbed_blocks(proof: Proof) -> None:
    proof.induction(
        "scrubbed blocks are independent",
        "At one position i the other factors see scrubbed blocks only. So, one position after the "
        "other, the data leave the sum, and scrubbed blocks are independent with the laws V = "
        "p'(b'_i)",
        base=(Eq(U, V * f), [Eq(U, p * s * f), Eq(V, p * s)]),
        step=(Eq(U + p * s * f, (V + p * s) * f), [Eq(U, V * f)]),
    )
    recursion(proof, {APART: "no alternatives are involved: k = 0"})
    recursion(
        proof,
        {
            APART: "M runs on the scrubbed windows: k = 0",
            BLOCKS: 'by the step "scrubbed blocks are independent"',
        },
        of=", scrubbed blocks",
    )


def _both_recursions(proof: Proof) -> None:
    proof.summed(
        "sum over z*",
        "P^0(y_1..y_{t-1}|[z*,z]_up) is at most G c (hypothesis for t - 1)",
        so_far=N <= G * c * S,
        adding={N: w * a, S: w},
        given=[a <= G * c],
    )
    proof.summed(
        "sum over scrubbed z*",
        "A is at least c whatever z* is",
        so_far=c * T <= D,
        adding={T: q, D: q * A},
        given=[c <= A],
    )


@claim(
    "streaming_cw.x-supports",
    where="beside Assumption 1",
    statement="With alternatives that are drawn for each window on its own, Assumption 1 at every "
    "step makes P^0(.|z) and P^1(.|z) positive on W^t and 0 on all other tuples, for every z "
    "and t >= 1.",
    kind="lemma",
    assumes=INDEPENDENT,
    says=ON_SUPPORTS,
)
def supports(check: Check) -> None:
    """Prove it with independent alternatives."""
    dropped = Edit("positive", without=weights > 0, given=weights >= 0)
    proved(check, WINDOW, ALL_SIZES, _supports, **{"without Assumption 1 at step t": dropped})


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
    with check.reading(COIN, SMALLEST) as proof:
        why = "one coin replaces the oldest bit of every window"
        _hole(proof, blocks.coin_stream(2), why)
    with check.reading(STREAM, SMALLEST) as proof:
        why = "the scrub replaces all blocks by one new bit"
        _hole(proof, blocks.one_draw_stream(2), why)


def _supports(proof: Proof) -> None:
    recursion(proof)
    proof.summed(
        "inside W^t",
        "past is at least a positive number (hypothesis for t-1)",
        so_far=least * weights <= joint,
        adding={weights: weight, joint: past * weight},
        given=[least <= past],
    )
    proof.inequality(
        "positive",
        "the sum of weights is P^k(y_t|z) > 0 for y_t in W",
        joint > 0,
        [least * weights <= joint, weights > 0],
    )
    proof.summed(
        "outside",
        "past is at most its largest value",
        so_far=joint <= largest * weights,
        adding={joint: past * weight, weights: weight},
        given=[past <= largest],
    )
    proof.inequality(
        "zero",
        "y_t outside W has P^k(y_t|z) = 0; an earlier y_i outside W has largest = 0 by hypothesis",
        Eq(joint, 0),
        [
            joint <= largest * weights,
            joint >= 0,
            Or(Eq(weights, 0), Eq(largest, 0)),
            weights >= 0,
            largest >= 0,
        ],
    )


def _hole(proof: Proof, stream: Stream, why: str) -> None:
    law, y, z = blocks.joint(stream, True, (0,)), (0, 1), (0,)
    evidence = blocks.show(stream, y=y, z=z, P1=law[y])
    sentence = (
        f"M outputs the oldest bit, and {why}: both outcomes are possible at each step, but 0 and "
        f"then 1 never occurs."
    )
    proof.counterexample(
        "0 inside W^2",
        sentence,
        evidence,
        lambda: blocks.assumption1(stream) and law[y] == 0,
        hole(stream, z, 0),
    )


@claim(
    "streaming_cw.x-direction-transfer",
    where="beside Theorem 4",
    statement="For laws P^0 and P^1 on the same outcomes and R = e^eps >= 1: if P^0(S) <= R P^1(S) "
    "for all sets S then P^1(S) <= P^0(S)/R + 1 - 1/R for all sets S: one direction without "
    "shift gives the other with shift 1 - e^{-eps} and factor e^{-eps}.",
    kind="lemma",
    says=TRANSFER,
)
def direction_transfer(check: Check) -> None:
    """Prove what one direction gives for the other, from the complement of S."""
    smaller = Edit("complement", put={inside_1: inside_1 + HUNDREDTH})
    proved(check, "as stated", ALL_SIZES, _transfer, a_smaller_shift=smaller)


def _transfer(proof: Proof) -> None:
    proof.inequality(
        "complement",
        "the bound holds outside S as well",
        inside_1 <= inside_0 / R + 1 - 1 / R,
        [outside_0 <= R * outside_1, Eq(inside_0 + outside_0, 1), Eq(inside_1 + outside_1, 1)],
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
    with check.reading("eps the least for P0 against P1", "t = 1, bits, B = 2") as proof:
        reversed_fails(proof)
