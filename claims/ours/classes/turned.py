"""Chains of two values that tend to change: what noisy counts of segments leak at most, and what
mechanisms of per-record levels do once the values of some records are exchanged.

For the first, draw the records given X_i = 1 and given X_i = 0 together, outwards from record i.
"""

from pufferproof.claims.ours.classes import statements as says
from pufferproof.claims.ours.classes.said import attracting, bits
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
    kind="theorem",
    says={
        "bits that attract in exchanged values": bits.COLUMNS,
        "chains": attracting.CHAIN_ATTRACTS,
    },
)
def columns(check: Check) -> None:
    """Coq proves it by the four functions theorem of Ahlswede and Daykin.

    Levels are the same in exchanged values. The column over the product of weights w_j^[x_j = 1]
    does not rise in any bit, and the weights of sequences times that product attract. So its mean
    where X_i is 1 is at most that where X_i is 0. For the other order exchange all values.

    Chains. The records of a Markov chain of two values, from any start and with steps that may
    change, are a chain in exchanged values as well. If P(1, 1) >= P(0, 1) in each of its steps, its
    law attracts.
    """
    check.stated("bits that attract in exchanged values")
    check.stated("chains")
