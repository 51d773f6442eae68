"""Intervals of a probability that hold at all times together, and boxes of transition matrices
made of them.

A history of trials has a weight, its probability, and a value V = Q(k, m)/(p^k (1-p)^m). It stops
when V exceeds 1/r. The proof follows two sums: the weight of all histories that have stopped, and
weight times value of those that have not.
"""

from pufferproof.claims.general.statements import recorded
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "Q(k, m)": "C(2k, k) C(2m, m) / (4^(k+m) C(k+m, k)), the mixture of Krichevsky and Trofimov",
    "k, m": "numbers of successes and failures",
    "p": "the probability of a success",
    "P(x, y)": "a transition probability",
    "n(x, y), n(x)": "how often y followed x, and how often anything did",
    "S": "the set of matrices R with R(x, y)^n(x, y) (1 - R(x, y))^(n(x) - n(x, y)) >= "
    "r Q(n(x, y), n(x) - n(x, y)) for all x, y",
    "s": "the number of states",
    "K, N": "how often y followed x, and how often anything did",
}


@claim(
    "general.lasting-interval",
    where="confidence",
    statement="Let every trial succeed with probability p, whatever came before, and 0 < r < 1. "
    "P(at some time, after k successes and m failures, p^k (1-p)^m < r Q(k, m)) <= r.",
    says=recorded.INTERVAL,
)
def lasting_interval(check: Check) -> None:
    """Follow what has stopped and what has not.

    After a success: C(2k, k) grows by 2 (2k+1)/(k+1), C(n, k) by (n+1)/(k+1) with n = k + m: the
    share is Q(k+1, m)/Q(k, m). The shares: by symmetry Q(k, m+1)/Q(k, m) = (m+1/2)/(k+m+1), which
    is 1 - share. One history: after a success the weight has the factor p and the value share/p:
    together at most share of the parent, 0 where p = 0; after a failure at most the rest. A history
    that stops: its value is 1/r or more, so that its weight over r is at most weight times value.
    Time: at the start nothing has stopped, and the one history has weight 1 and value 1 or less; a
    time step takes from going what it adds to it and to stopped over r, or more. Risk: whatever is
    going on is not negative; for all times together the probability is the limit.
    """


@claim(
    "general.confidence-box",
    where="confidence",
    statement="Let X_1, X_2, .. be a Markov chain with matrix P on s states, of any first law, "
    "recorded until a moment that depends on nothing later, and 0 < r < 1. Then P is in S with "
    "probability at least 1 - s^2 r, and with probability at least 1 - 2 r if s = 2.",
    says=recorded.BOX,
)
def confidence_box(check: Check) -> None:
    """Every departure from x is a trial that succeeds where it leads to y; add up the risks.

    One interval: Departures from x are trials, which lead to y with probability P(x, y) whatever
    came before; between them nothing is counted, and at the moment at which the recording ends the
    interval misses only if it does at some time [general.lasting-interval]. All intervals: one more
    interval; there are s^2, and two for s = 2, since p^k (1-p)^m and Q(k, m) stay the same when
    successes and failures change places.
    """


@claim(
    "general.fixed-length",
    where="confidence",
    statement="Let X_1, .., X_n be a Markov chain with matrix P, of any first law, n fixed, and "
    "0 < r < 1. With p = P(x, y), P(sum_(j >= K) (N choose j) p^j (1-p)^(N-j) <= r) <= r, and so "
    "for the sum over j <= K.",
    says=recorded.FIXED_LENGTH,
)
def fixed_length(check: Check) -> None:
    """List departures in advance, and see at which counts a recording can end.

    Lists: for every state but x where its departures lead, one after another; for x which ones lead
    to y, and where those lead that do not. The chain follows the lists, each of independent draws.
    Steps: until x is left a + b times, a times for y, and come to again, the states other than x
    are left as often as a + b walkers leave them that start at y, a of them, and where the first b
    other departures lead; how often does not depend on the order of walkers (the abelian property
    of Diaconis and Fulton), and no fewer times with more walkers. So the pairs (a, b) with which n
    steps are used are a set D that no increase leaves, and the recording ends with the first pair
    in D. Ends: no pair (a, b) at which it can end has another one that is larger in both: one of
    them less a step would be in D. One side: let the sum be at most r at some of the pairs, of
    which (k, m) has the fewest successes k, and of these the most failures. All of them have at
    least k successes and at most m failures, so that k successes come within k + m departures;
    whose probability is the sum at (k, m), at most r. Other side: exchange successes and failures.
    """
