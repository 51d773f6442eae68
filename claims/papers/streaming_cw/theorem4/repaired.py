"""Theorem 4 repaired: composition with a positive shift, with zero probabilities and in both
directions.

Derived for independent alternatives, by induction over the steps, with weights in [0, 1] instead
of sets. Source: "Composition Theorem for streaming CW-privacy", Theorem 4.
"""

from pufferproof.claims.language import letter
from pufferproof.claims.papers.streaming_cw.streams.readings import INDEPENDENT, KNOWN, WINDOW
from pufferproof.claims.papers.streaming_cw.theorem4.statements import BY_STEP, REPAIRED
from pufferproof.claims.registry import Check, claim

gamma = letter("gamma", "the logarithm of a bound for any two values z and z' of the known blocks")
eps = letter("eps", "the logarithm of a bound for one value z of the known blocks")
NOTATION = {
    "gamma": gamma.meaning,
    "eps": eps.meaning,
    "gamma_j": "gamma at step j",
    "delta_j": "the shift of step j",
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
    says={WINDOW: REPAIRED},
)
def thm4_repaired(check: Check) -> None:
    """Prove a composition theorem with a positive shift, for sets, in both directions.

    By induction over the outputs. Condition on z*: the outputs before t and at t are independent
    given X_t [streaming_cw.lem1-conditioning-repaired]. Forget the newest block: the past depends
    on [z*,z]_up only [streaming_cw.lem1-locality-repaired]. Shift: delta is at least the sum over
    all outcomes of max(0, P0(y|z) - R P1(y|z')); R = e^gamma, or e^eps where z' = z
    [streaming_cw.eq2-shift-repaired]. The past, capped: S_y holds the pasts that S has before y; x
    is P^0(S_y|z1) for any z1 and c the least P^1(S_y|z2) over all z2: the hypothesis of the
    induction is x <= K c + L, and weights lie in [0, 1]. Sum over z* and y: w is p(z*) times the
    probability of y for M on [z*,z], and W = 1 over all z* and y; the sum of P0(y|z) m over y does
    not depend on z* [lemma.finite-sums]. Back to the other law: u is p(z*) times the probability of
    y for M(alt(.)) on [z*,z'], and P^1(S_y|[z*,z']_up) is at least c whatever z* is. One more step
    has the factor e^gamma and the shift delta: N = P^0(S|z) is at most e^(t gamma) P^1(S|z') + t
    delta; without outputs both are equal. The level: the last step at z' = z has the factor e^eps.
    P1 against P0: the same with both exchanged, M(alt(.)) for M.
    """


@claim(
    "streaming_cw.x-shift-by-step",
    where="Theorem 4, asked beyond it",
    statement="Let alternatives be drawn for each window on its own, and let gamma_j >= 0 and "
    "delta_j be such that at step j, for all sets S of outcomes and all z, z', P0(S|z) <= "
    "e^gamma_j P1(S|z') + delta_j and P1(S|z) <= e^gamma_j P0(S|z') + delta_j, j < t, and at step "
    "t the same for z' = z with eps >= 0 in the place of gamma_t. Then for all sets S of tuples "
    "and all z, P^0(S|z) <= e^(eps + sum_(j<t) gamma_j) P^1(S|z) + sum_(j<=t) delta_j, and the "
    "same with P^0 and P^1 exchanged. Probabilities may be 0.",
    kind="theorem",
    assumes=[*INDEPENDENT, KNOWN],
    says={WINDOW: BY_STEP},
)
def shift_by_step(check: Check) -> None:
    """Prove that a shift may be shared out among the steps in any way.

    As in streaming_cw.thm4-repaired, with the factor e^gamma_j and the shift delta_j at step j: N =
    P^0(S|z) is at most K P^1(S|z') + L, where K has as logarithm the sum of gamma_j over the steps
    so far and L is the sum of their delta_j; and the same with both exchanged. The last step at z'
    = z has the factor e^eps [streaming_cw.lem1-conditioning-repaired],
    [streaming_cw.lem1-locality-repaired].
    """
