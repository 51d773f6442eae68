"""Noise that decays exponentially on increasing queries of chains of two values: the outputs that
leak most, and the chain of a class that does.

Q is the sum of f_j(X_j), t the decay of the noise. t^|w - n| is t^w times t^-n times a part h(n)
that does not increase with n. W(x) is the mean of t^-(what later records count), given X_k = x,
r(x) that mean with the part h of all records as a further factor, divided by W(x).
"""

from pufferproof.claims.ours.classes import statements as says
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "Q": "the query: the sum of f_j(X_j) over the records",
    "f_j": "what record j counts, by its value",
    "P": "the transition matrix of a step",
    "a, b": "P(0, 1) and P(1, 0)",
    "t": "the decay of the noise, e^(-1/scale) for Laplace noise",
    "w": "an output",
    "X_i": "record i",
    "i": "the record of the secret",
    "a_-, b_-": "the least a and b of the class",
}


@claim(
    "classes.extremes",
    where="Classes of priors",
    statement="Let the records be a Markov chain of two values, from any start and with steps that "
    "may change, P(1, 1) >= P(0, 1) in every step, and Q the sum of f_j(X_j) with f_j(0) <= "
    "f_j(1). Noise that decays exponentially (Laplace; geometric), t its decay, is added to Q. "
    "If X_i can be 0 and 1, then over all outputs w the largest P(w | X_i = 1)/P(w | X_i = 0) "
    "is E[t^-Q | X_i = 1]/E[t^-Q | X_i = 0], that of every output above all values of Q, and the "
    "largest P(w | X_i = 0)/P(w | X_i = 1) is E[t^Q | X_i = 0]/E[t^Q | X_i = 1], that of every "
    "output below them.",
    kind="theorem",
    says=says.EXTREMES,
)
def extremes(check: Check) -> None:
    """Prove it: tilted by t^-Q, the records given 1 are larger than given 0, step by step.

    t^|w - n| = t^w t^-n h(n), where h does not rise. The mean r(x) of h over later records is an
    average of r(y) with the weights P(x, y) t^-f(y) W(y), more on y = 1 for x = 1: r(1) <= r(0)
    carries over from record to record. From X_i backwards the records are a chain with steps of
    their own, P(X_j = x, X_(j+1) = y) = m P(x, y), whose rows are ordered as those of P are. Given
    X_i the two sides are independent: P(w | X_i = x) is t^w E[t^-Q | X_i = x] times the average r
    of h over both sides, and r is no larger given 1. h is 1 above all values, so that the ratio is
    reached; for the other order exchange 0 and 1 and change the sign of Q and w.
    """


@claim(
    "classes.corner",
    where="Classes of priors",
    statement="Let a class have the stationary chains of two values with a_- <= a = P(0, 1), b_- "
    "<= b = P(1, 0) and a + b <= 1, where a_- > 0 and b_- > 0, and Q the sum of f_j(X_j) with "
    "f_j(0) <= f_j(1), released with noise that decays exponentially. No chain of the class leaks "
    "more about X_i than that of a = a_- and b = b_-.",
    kind="theorem",
    says=says.CORNER,
)
def corner(check: Check) -> None:
    """Prove it by the recursion of the odds at both ends of the query.

    Two outputs: P(1, 1) >= P(0, 1) is a + b <= 1. So the largest ratio is that of E[t^-Q | X_i],
    and in the other order that of E[t^Q | X_i], which is the first with 0 and 1, a and b exchanged
    [classes.extremes]. The odds: u = W(1)/W(0) of a record is (b + (1 - b) z)/(1 - a + a z), z =
    lam u of the next one: at least 1 if that is, and 1 at the last record. Odds rise with those
    before: for one chain, without denominators. A smaller a: has a smaller denominator, as Z >= 1.
    A smaller b: has a larger numerator. The past: back is P(X_j = 0 | X_(j+1) = 1): a stationary
    chain of two values is its own reverse, and the past is the same recursion. Both sides: given
    X_i they are independent, and X_i itself counts the same for all chains.
    """
