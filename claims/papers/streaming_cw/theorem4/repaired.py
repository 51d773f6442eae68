"""Theorem 4 repaired: composition with a positive shift, with zero probabilities and in both
directions.

Derived for independent alternatives, by induction over the steps, with weights in [0, 1] in place
of sets. Source: "Composition Theorem for streaming CW-privacy", Theorem 4.
"""

from pufferproof.claims.language import letter
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    INDEPENDENT,
    KNOWN,
    WINDOW,
)
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
    says=REPAIRED,
)
def thm4_repaired(check: Check) -> None:
    """Prove a composition theorem with a positive shift, for sets, in both directions.

    Condition on z*: the outputs before t and at t are independent given X_t
    [streaming_cw.lem1-conditioning-repaired]. Forget the newest block: the past depends on
    [z*,z]_up only [streaming_cw.lem1-locality-repaired]. Shift, P0 against P1: delta, which is at
    least every P0(S|z) - R P1(S|z'), is at least the sum over all outcomes of max(0, P0(y|z) - R
    P1(y|z')); R = e^gamma, or e^eps where z' = z [streaming_cw.eq2-shift-repaired]. Weights in [0,
    1], P0 against P1: a = P0(y|z), b = P1(y|z'); over all outcomes H <= delta. The past, capped, P0
    against P1: S_y holds the pasts that S has before y; x is P^0(S_y|z1) for any z1 and c the least
    P^1(S_y|z2) over all z2: the hypothesis of the induction is x <= K c + L. Sum over z* and y, P0
    against P1: w is p(z*) times the probability of y for M on [z*,z], and W = 1 over all z* and y.
    Order of summation, P0 against P1: Y is the sum of P0(y|z) m over y, as m does not depend on z*
    [lemma.finite-sums]. Back to the other law, P0 against P1: u is p(z*) times the probability of y
    for M(alt(.)) on [z*,z'], and P^1(S_y|[z*,z']_up) is at least c whatever z* is. One more step,
    P0 against P1: N = P^0(S|z) = X with W = 1, and Y <= R V + delta by weights; D is P^1(S|z'). T
    outputs, P0 against P1: For all S, z, z': N = P^0(S|z) is at most e^(t gamma) D + t delta, D =
    P^1(S|z'). One more step has the factor e^gamma, whose logarithm is added. Without outputs N =
    D, and K = 1. The level, P0 against P1: The last step at z' = z has the factor r: N <= r K D + t
    delta, where r K has the logarithm eps + (t-1) gamma. Shift, P1 against P0: delta, which is at
    least every P1(S|z) - R P0(S|z'), is at least the sum over all outcomes of max(0, P1(y|z) - R
    P0(y|z')); R = e^gamma, or e^eps where z' = z [streaming_cw.eq2-shift-repaired]. Weights in [0,
    1], P1 against P0: a = P1(y|z), b = P0(y|z'); over all outcomes H <= delta. The past, capped, P1
    against P0: S_y holds the pasts that S has before y; x is P^1(S_y|z1) for any z1 and c the least
    P^0(S_y|z2) over all z2: the hypothesis of the induction is x <= K c + L. Sum over z* and y, P1
    against P0: w is p(z*) times the probability of y for M(alt(.)) on [z*,z], and W = 1 over all z*
    and y. Order of summation, P1 against P0: Y is the sum of P1(y|z) m over y, as m does not depend
    on z* [lemma.finite-sums]. Back to the other law, P1 against P0: u is p(z*) times the
    probability of y for M on [z*,z'], and P^0(S_y|[z*,z']_up) is at least c whatever z* is. One
    more step, P1 against P0: N = P^1(S|z) = X with W = 1, and Y <= R V + delta by weights; D is
    P^0(S|z'). T outputs, P1 against P0: For all S, z, z': N = P^1(S|z) is at most e^(t gamma) D + t
    delta, D = P^0(S|z'). One more step has the factor e^gamma, whose logarithm is added. Without
    outputs N = D, and K = 1. The level, P1 against P0: The last step at z' = z has the factor r: N
    <= r K D + t delta, where r K has the logarithm eps + (t-1) gamma.
    """
    check.tried(WINDOW)


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
    says=BY_STEP,
)
def shift_by_step(check: Check) -> None:
    """Prove that a shift may be shared out among the steps in any way.

    Condition on z*: the outputs before t and at t are independent given X_t
    [streaming_cw.lem1-conditioning-repaired]. Forget the newest block: the past depends on
    [z*,z]_up only [streaming_cw.lem1-locality-repaired]. From "Shift, P0 against P1" to "One more
    step, P0 against P1": as in streaming_cw.thm4-repaired. One more output, P0 against P1: For all
    S, z, z': N = P^0(S|z) is at most K D + L, where K has as logarithm the sum `total` of gamma_j
    over the steps so far and L is the sum of their delta_j. One more step has the factor e^gamma_j
    and the shift delta_j. Without outputs N = D. The level, P0 against P1: The last step at z' = z
    has the factor r: N <= r K D + L + delta, where r K has the logarithm eps + total. From "Shift,
    P1 against P0" to "One more step, P1 against P0": as in streaming_cw.thm4-repaired. One more
    output, P1 against P0: For all S, z, z': N = P^1(S|z) is at most K D + L, where K has as
    logarithm the sum `total` of gamma_j over the steps so far and L is the sum of their delta_j.
    One more step has the factor e^gamma_j and the shift delta_j. Without outputs N = D. The level,
    P1 against P0: The last step at z' = z has the factor r: N <= r K D + L + delta, where r K has
    the logarithm eps + total.
    """
    check.tried(WINDOW)
