"""Noise that decays exponentially on increasing queries of chains of two values: the outputs that
leak most, and the chain of a class that does.

Q is the sum of f_j(X_j), t the decay of the noise. W(x) is the mean of t^-(what later records
count), given X_k = x.
"""

from pufferproof.claims.ours.classes import statements as says
from pufferproof.claims.ours.classes.said import attracting, bits
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "Q": "the query: the sum of f_j(X_j) over the records",
    "f_j": "what record j counts, by its value",
    "p": "the law of the first record",
    "P": "the transition matrix of a step",
    "a, b": "P(0, 1) and P(1, 0)",
    "t": "the decay of the noise, e^(-1/scale) for Laplace noise",
    "w": "an output",
    "X_i": "record i",
    "i": "the record of the secret",
    "a_-, b_-": "the least a and b of the class",
}


@claim("classes.extremes", where="Classes of priors", kind="theorem", says=attracting.EXTREMES)
def extremes(check: Check) -> None:
    """Coq proves it of all bits that attract one another [classes.network-extremes]: of two
    sequences of a chain, the larger and the smaller bit at every place make a product of weights
    that is no less.
    """


@claim(
    "classes.network-extremes",
    where="Classes of priors",
    kind="theorem",
    says=bits.NETWORK_EXTREMES,
)
def network_extremes(check: Check) -> None:
    """Coq proves it by the four functions theorem of Ahlswede and Daykin.

    t^|w - n| = t^w t^-n h(n), where h does not rise. The weights of sequences times t^-Q attract:
    of two sequences, the larger and the smaller bit at every place make a product that is no less.
    So h(Q) has no larger mean where X_i is 1 than where it is 0. h is 1 above all values, so that
    the ratio is reached; the other order is the same with t^Q. Networks of bits with attractive
    tables, such as trees of bits that attract, have such weights: products of functions that
    attract do.
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
