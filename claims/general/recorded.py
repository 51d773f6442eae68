"""Intervals of a probability that hold at all times together, and boxes of transition matrices
made of them.

A history of trials has a weight, its probability, and a value V = Q(k, m)/(p^k (1-p)^m). It stops
when V exceeds 1/r. The proof follows two sums: the weight of all histories that have stopped, and
weight times value of those that have not.
"""

from sympy import Eq

from pufferproof.claims.general.statements import recorded
from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim

r = letter("r", "the probability of missing that is allowed", above(0))
k, m = letters("k m", "numbers of successes and failures in a history", at_least(0))
weight = letter("weight", "the probability of a history after its next trial", at_least(0))
value = letter("value", "V of this history", at_least(0))
parent = letter("parent", "weight times value of the history before that trial", at_least(0))
share = letter("share", "Q after a success over Q before it", between(0, 1))
success, failure = letters(
    "success failure", "weight times value after a success, and after a failure", at_least(0)
)
stopped = letter("stopped", "the weight of the histories that have stopped", at_least(0))
going = letter("going", "weight times value, summed over those that have not", at_least(0))
stop, go, gone = letters(
    "stop go gone",
    "what one time step adds to stopped, adds to going, and takes from going",
    at_least(0),
)
missed = letter("missed", "the probability that some of the first intervals miss", at_least(0))
risks = letter("risks", "the sum of what these are allowed to", at_least(0))
miss = letter("miss", "the probability that the next interval misses", at_least(0))
NOTATION = {
    "Q(k, m)": "C(2k, k) C(2m, m) / (4^(k+m) C(k+m, k)), the mixture of Krichevsky and Trofimov",
    "k, m": "numbers of successes and failures",
    "p": "the probability of a success",
    "P(x, y)": "a transition probability",
    "n(x, y), n(x)": "how often y followed x, and how often anything did",
    "S": "the set of matrices R with R(x, y)^n(x, y) (1 - R(x, y))^(n(x) - n(x, y)) >= "
    "r Q(n(x, y), n(x) - n(x, y)) for all x, y",
    "s": "the number of states",
}
SCOPE = "all numbers of trials"


@claim(
    "general.lasting-interval",
    where="confidence",
    statement="Let every trial succeed with probability p, whatever came before, and 0 < r < 1. "
    "P(at some time, after k successes and m failures, p^k (1-p)^m < r Q(k, m)) <= r.",
    says=recorded.INTERVAL,
)
def lasting_interval(check: Check) -> None:
    """Follow what has stopped and what has not."""
    proved(
        check,
        "as stated",
        SCOPE,
        _lasting,
        half_the_risk=Edit("risk", put={r: r / 2}),
        stopping_at_smaller_values=Edit("a history that stops", without=value * r >= 1),
    )


def _lasting(proof: Proof) -> None:
    proof.identity(
        "after a success",
        "C(2k, k) grows by 2 (2k+1)/(k+1), C(n, k) by (n+1)/(k+1) with n = k + m: the share is "
        "Q(k+1, m)/Q(k, m)",
        "(2*(2*k + 1)/(k + 1))/(4*((k + m + 1)/(k + 1)))",
        "(k + 1/2)/(k + m + 1)",
    )
    proof.identity(
        "the shares",
        "by symmetry Q(k, m+1)/Q(k, m) = (m+1/2)/(k+m+1), which is 1 - share",
        "(k + 1/2)/(k + m + 1) + (m + 1/2)/(k + m + 1)",
        "1",
    )
    proof.inequality(
        "one history",
        "after a success the weight has the factor p and the value share/p: together at most "
        "share of the parent, 0 where p = 0; after a failure at most the rest",
        success + failure <= parent,
        [success <= share * parent, failure <= (1 - share) * parent],
    )
    stopping(proof)


def stopping(proof: Proof) -> None:
    """Bound the weight of the histories that ever stop, if no history gains on average."""
    proof.inequality(
        "a history that stops",
        "its value is 1/r or more, so that its weight over r is at most weight times value",
        weight / r <= weight * value,
        [value * r >= 1],
    )
    proof.induction(
        "time",
        "at the start nothing has stopped, and the one history has weight 1 and value 1 or less; "
        "a time step takes from going what it adds to it and to stopped over r, or more",
        base=(stopped / r + going <= 1, [Eq(stopped, 0), going <= 1]),
        step=(
            (stopped + stop) / r + (going - gone + go) <= 1,
            [stopped / r + going <= 1, stop / r + go <= gone],
        ),
    )
    proof.inequality(
        "risk",
        "whatever is going on is not negative; for all times together the probability is the limit",
        stopped <= r,
        [stopped / r + going <= 1],
    )


@claim(
    "general.confidence-box",
    where="confidence",
    statement="Let X_1, X_2, .. be a Markov chain with matrix P on s states, of any first law, "
    "recorded until a moment that depends on nothing later, and 0 < r < 1. Then P is in S with "
    "probability at least 1 - s^2 r, and with probability at least 1 - 2 r if s = 2.",
    says=recorded.BOX,
)
def confidence_box(check: Check) -> None:
    """Every departure from x is a trial that succeeds where it leads to y; add up the risks."""
    proved(
        check,
        "as stated",
        "all chains with finitely many states",
        _box,
        half_the_risk=Edit("all intervals: step", put={risks + r: risks + r / 2}),
    )


def _box(proof: Proof) -> None:
    proof.cite(
        "one interval",
        "Departures from x are trials, which lead to y with probability P(x, y) whatever came "
        "before; between them nothing is counted, and at the moment at which the recording ends "
        "the interval misses only if it does at some time",
        "general.lasting-interval",
    )
    proof.induction(
        "all intervals",
        "one more interval; there are s^2, and two for s = 2, since p^k (1-p)^m and Q(k, m) stay "
        "the same when successes and failures change places",
        base=(missed <= risks, [Eq(missed, 0), Eq(risks, 0)]),
        step=(missed + miss <= risks + r, [missed <= risks, miss <= r]),
    )
