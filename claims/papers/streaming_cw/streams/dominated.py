"""Why sequences of outputs can be dropped while the leakage of a stream is computed.

The weights of outputs so far, state by state in both worlds, are all that what follows depends on;
what follows adds them up with weights of its own that are not negative.
"""

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.instances.laws import ALMOST, ONE
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "v0": "the weights of a sequence of outputs on the windows, one for every state",
    "v1": "the weights of that sequence on the scrubbed windows",
    "w0": "the weights of another sequence on the windows",
    "w1": "the weights of the other sequence on the scrubbed windows",
    "c": "a positive factor",
    "a": "the weights of what follows on the windows, from every state",
    "b": "the weights of what follows on the scrubbed windows, from every state",
}
c = letter("c", "the factor", above(0))
v0, w0, a = letters("v0 w0 a", "the weights at the next state on the windows", at_least(0))
v1, w1, b = letters("v1 w1 b", "the weights at the next state when scrubbed", at_least(0))
F = Fraction


def sequences(draws: Draws) -> Instance:
    """One to three states of each world, weights from 0 to 3, zeros often; a factor; the second
    sequence is mostly as good in every state.
    """
    sizes = [1 + draws.below(3) for _ in range(2)]
    w0, w1, a, b, v1 = ([F(draws.below(4)) for _ in range(sizes[k])] for k in (0, 1, 0, 1, 1))
    c = draws.among([F(1, 2), ONE, F(2)])
    v0 = [c * w * F(draws.below(5), 4) if draws.below(8) else F(3) for w in w0]
    v1 = [c * w + F(draws.below(3), 2) if draws.below(8) else v for w, v in zip(w1, v1)]
    return {"v0": v0, "v1": v1, "w0": w0, "w1": w1, "a": a, "b": b, "c": c}


def _total(weights: list[F], following: list[F]) -> F:
    return sum((w * f for w, f in zip(weights, following)), F(0))


TOP, BOTTOM = "v0 <= c w0 in every state", "v1 >= c w1 in every state"
DOMINATED = Statement(
    family=sequences,
    given={
        TOP: lambda v0, v1, w0, w1, a, b, c: all(v <= c * w for v, w in zip(v0, w0)),
        BOTTOM: lambda v0, v1, w0, w1, a, b, c: all(v >= c * w for v, w in zip(v1, w1)),
    },
    holds=lambda v0, v1, w0, w1, a, b, c, factor=ONE: (
        _total(v0, a) * _total(w1, b) <= factor * _total(w0, a) * _total(v1, b)
    ),
    too_strong={"99/100 of the other": {"factor": ALMOST}},
    too_weak=[TOP, BOTTOM],
)


@claim(
    "streaming_cw.x-dominated",
    where="beside Section 2",
    statement="Let v0 <= c w0 and v1 >= c w1 in every state, with c > 0 and weights that are not "
    "negative. Then (sum of v0 a) (sum of w1 b) <= (sum of w0 a) (sum of v1 b) for all a and b "
    "that are not negative: whatever follows, the ratio of the first sequence is at most that of "
    "the second.",
    kind="lemma",
    says=DOMINATED,
)
def dominated(check: Check) -> None:
    """Prove it: two sums that keep the factor, and a product.

    Sums on the windows: each state adds at most c times as much. Sums on the scrubbed windows: each
    state adds at least c times as much. The product: V0 W1 <= c W0 W1 <= W0 V1.
    """
    check.tried("as stated")
