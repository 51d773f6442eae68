"""The best bound of parallel composition that follows from two levels and the kernel between the
segments, and who attains it.

A set Y of values of X_T3 stands for "likely given w_B". Source: asked beyond song2017, theorem
III.1.
"""

from pufferproof.claims.papers.song2017.statements import segments as said_segments
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "R": "e^eps_A",
    "S": "e^eps_B",
    "P_v": "the law of X_T3 given X_T2 = v",
    "P_w": "the law of X_T3 given X_T2 = w",
    "Y": "a set of values of X_T3",
    "kappa": "the largest quotient that the statement defines",
    "v": "a possible value of X_T2",
    "w": "a possible value of X_T2",
}


@claim(
    "song2017.x-III1-tight",
    where="Theorem III.1, asked beyond it",
    statement="Let kappa be the maximum over possible values v, w of X_T2 and sets Y of values of "
    "X_T3 of (1+(S-1)P_v(Y))/(1+(S-1)P_w(Y)). For secrets of A and all M_A, M_B with the "
    "levels eps_A, eps_B the joint ratio is at most R kappa; flags of X_T2 = v and of X_T3 in "
    "Y have these levels and attain it; and kappa <= min{S, e^e(X_T3|X_T2)}.",
    kind="theorem",
    assumes=[
        "X_T2 has at least two possible values (a certain X_T2 has no pair of secrets, and kappa = "
        "1)"
    ],
    says={
        "no mechanisms leak more": said_segments.NO_MORE,
        "flags attain it": said_segments.ATTAINED,
        "kappa <= min{S, e^e(X_T3|X_T2)}": said_segments.BELOW,
    },
)
def tight(check: Check) -> None:
    """Prove that flags are the extremes, and that they keep their levels on their whole
    segments.

    No mechanisms leak more. Sums: over values and over sets may be exchanged [lemma.finite-sums].
    Likelihoods as sums over sets: sums over the first values of X_T3: P_v(w_B) = 1 + sum_Y d P_v(Y)
    in the end. One set after the other: 1 + (S-1) x <= kappa (1 + (S-1) y) for every set, by
    definition of kappa. All sets: D is now the largest likelihood minus 1, at most S - 1: P_v(w_B)
    <= kappa P_w(w_B). (If S = 1 both are 1.). Given X_T2: both outputs are independent, and so are
    w_B and the secret [song2017.x-markov]. Secrets at T2: likelihoods of both outputs are products.
    Averages: for a secret before T2 the joint likelihoods are sums over X_T2 of P(own
    output,X_T2|secret) times P(w_B|X_T2) [song2017.x-averages]. Secrets before T2: if own_w = 0
    then own_v = 0 and both_v = 0.

    Flags attain it. A mechanism with the level: chances are at most 1, and without the flag 1 - t
    and 1 - t S are within S. Other records of the segment: see averages of both likelihoods, which
    are as close [song2017.x-averages]. Given X_T2: both flags are independent [song2017.x-markov].
    Both flags up: with the chance p R given X_T2 = v and p given X_T2 = w the first goes up; x =
    P_v(Y), y = P_w(Y).

    Kappa <= min{S, e^e(X_T3|X_T2)}. By the influence: x = P_v(Y) <= F P_w(Y). By the level: x <= 1.
    """
    check.tried("no mechanisms leak more")
    check.tried("flags attain it")
    check.tried("kappa <= min{S, e^e(X_T3|X_T2)}")
