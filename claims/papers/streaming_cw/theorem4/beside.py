"""Questions beside the paper: a stream that is scrubbed once, supports of t outputs, and the
opposite direction.

Derives Lemma 1 for a scrub block by block with other gammas, supports under independent
alternatives, and what one direction gives for the other. Beside "Composition Theorem for streaming
CW-privacy", Section 2.
"""

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    BLOCKS,
    COIN,
    COINS,
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

    Scrubbed blocks are independent: At one position i the other factors see scrubbed blocks only.
    So, one position after the other, the data leave the sum, and scrubbed blocks are independent
    with the laws V = p'(b'_i). Condition on z*: the outputs before t and at t are independent given
    X_t [streaming_cw.lem1-conditioning-repaired]. Forget the newest block: the past depends on
    [z*,z]_up only [streaming_cw.lem1-locality-repaired]. Condition on z*, scrubbed blocks: the
    outputs before t and at t are independent given X_t [streaming_cw.lem1-conditioning-repaired].
    Forget the newest block, scrubbed blocks: the past depends on [z*,z]_up only
    [streaming_cw.lem1-locality-repaired]. Sum over z*: P^0(y_1..y_{t-1}|[z*,z]_up) is at most G c
    (hypothesis for t - 1). Sum over scrubbed z*: A is at least c whatever z* is. T outputs: S is at
    most g T. Without outputs N = D = G = 1. Average over the scrubbed blocks: P^0(y_1..y_t|z) is at
    most growth d for each z''. W = 1: the chances sum to 1, and the average is P^1(y_1..y_t|z').
    """
    check.tried("block by block")


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
    """Prove it with independent alternatives.

    Condition on z*: the outputs before t and at t are independent given X_t
    [streaming_cw.lem1-conditioning-repaired]. Forget the newest block: the past depends on
    [z*,z]_up only [streaming_cw.lem1-locality-repaired]. Inside W^t: past is at least a positive
    number (hypothesis for t-1). Positive: the sum of weights is P^k(y_t|z) > 0 for y_t in W.
    Outside: past is at most its largest value. Zero: y_t outside W has P^k(y_t|z) = 0; an earlier
    y_i outside W has largest = 0 by hypothesis.
    """
    check.tried(WINDOW)


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
    """Prove what one direction gives for the other, from the complement of S.

    Complement: the bound holds outside S as well.
    """
    check.tried("as stated")


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
