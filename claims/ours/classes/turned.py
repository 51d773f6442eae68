"""Chains of two values that tend to change: what noisy counts of segments leak at most, and what
mechanisms of per-record levels do once the values of some records are exchanged.

For the first, draw the records given X_i = 1 and given X_i = 0 together, outwards from record i.
"""

from pufferproof.claims.ours.classes import statements as says
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "P": "the transition matrix of a step",
    "X_i": "record i, that of the secret",
    "t_k": "the decay of the noise on the count of segment k",
    "w_j": "e^level of record j",
    "v": "a column: the likelihoods of one output of a mechanism, by database",
}


@claim(
    "classes.turning",
    where="Classes of priors",
    statement="Let the records be a Markov chain of two values, from any start and with steps that "
    "may change, P(1, 1) <= P(0, 1) in every step. The numbers of records of value 1 in disjoint "
    "segments are released, each with noise that decays exponentially, t_k its decay. Then the "
    "likelihood of every output given X_i = 1 and that given X_i = 0 differ by a factor of at most "
    "prod_k 1/t_k, as if every segment counted record i alone.",
    kind="theorem",
    says=says.TURNING,
)
def turning(check: Check) -> None:
    """Prove it: the records of both draws differ by 1, -1, 1, .., until they are equal.

    Drawn together: while the records are 1 and 0, both next ones are 1 with p1, 0 and 1 with q1 -
    p1, 0 with 1 - q1. Then they are 0 and 1, which is alike, or equal for good: differences
    alternate in sign. Sums of them over a segment of a side are 0 or 1 in size; in the segment of
    the record the first on each side is -1, so that with the 1 of record i the sum is -1, 0 or 1.
    Backwards from X_i the records are a chain as well, whose rows are ordered the same way. The
    noise on a segment is t_k to the distance of w, segments multiply, and the mean over both draws
    keeps an inequality that holds everywhere.
    """


@claim(
    "classes.columns",
    where="Classes of priors",
    statement="Let the records be a Markov chain of two values, from any start and with steps that "
    "may change, such that P(1, 1) >= P(0, 1) in every step once the two values of some records "
    "are exchanged. Let v be a column of a mechanism of level w_j at every record: v changes by a "
    "factor of at most w_j where record j alone changes. Then E[v | X_i = 1]/E[v | X_i = 0] is at "
    "most that of the column prod_j w_j^[x_j = 1], all in exchanged values, and the other order is "
    "at most that of prod_j w_j^[x_j = 0].",
    kind="theorem",
    says=says.COLUMNS,
)
def columns(check: Check) -> None:
    """Prove it: the column over the product of weights does not rise in any record.

    What is left of a column: g, the column over the product of weights, does not rise in a record:
    levels are the same in exchanged values. Later averages are smaller: averages of g with weights,
    once x_j = 1 instead of 0: every term is. One more record: s1 <= s0 at the next record carries
    over to this one: the averages given 1 and given 0, without denominators. The ratio: the past is
    a chain of the same order. E[v | X_i = x] is the mean of the product of weights times the
    average of g. For the other order exchange all values: levels bound v0 by w_j v1 as well.
    """
