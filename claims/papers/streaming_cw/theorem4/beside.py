"""Questions beside the paper: a stream that is scrubbed once, supports of t outputs, and the
opposite direction.

Derives Lemma 1 for a scrub block by block with other gammas, supports under independent
alternatives, and what one direction gives for the other. Beside "Composition Theorem for streaming
CW-privacy", Section 2.
"""

from pufferproof.claims.papers.streaming_cw.streams.readings import INDEPENDENT, WINDOW
from pufferproof.claims.papers.streaming_cw.theorem4.statements import ON_SUPPORTS
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
    "streaming_cw.x-supports",
    where="beside Assumption 1",
    statement="With alternatives that are drawn for each window on its own, Assumption 1 at every "
    "step makes P^0(.|z) and P^1(.|z) positive on W^t and 0 on all other tuples, for every z "
    "and t >= 1.",
    kind="lemma",
    assumes=INDEPENDENT,
    says={WINDOW: ON_SUPPORTS},
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
