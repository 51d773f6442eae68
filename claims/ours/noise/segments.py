"""Noisy counts of disjoint segments of a chain of two values: the odds that they leave.

For a segment and an output w let G_xy be sum_n P(n, X_last = y | X_first = x) t^|w - n|, where n is
the number of its records of value 1. Odds are pairs (d, n), as n/d may be infinite.
"""

from pufferproof.claims.ours.noise.linked.blocks import MORE, RECORD
from pufferproof.claims.ours.noise.statements import segments as says
from pufferproof.claims.registry import Check, claim


@claim(
    "noise.segments",
    where="Noise on queries",
    statement="Let the records be a Markov chain of two values. The numbers of records of value 1 "
    "in disjoint segments are released, each with noise that decays exponentially (Laplace; "
    "geometric). For the last record of a segment, consider the odds that the outputs of all later "
    "segments leave of it: over all outputs, least and largest are among those that an end for the "
    "next segment and a value of its count give. Likewise from the left. For a record of a segment "
    "the largest ratio of likelihoods over all outputs is the largest at ends of the odds on "
    "both sides and at a value of the count of that segment; a record of no segment is a "
    "segment that shows nothing.",
    kind="theorem",
    says=says.SEGMENTS,
)
def segments(check: Check) -> None:
    """Prove it: an output maps odds by a Moebius map, which is monotone.

    Given X_last, later segments are independent of this one: their likelihood as a function of
    X_first is the sum over y of G_xy times later. So an output maps odds by a Moebius map with
    entries of at least 0 [lemma.segments-images]: the image of odds between l and h is between
    those of l and h; steps between segments are such maps, too. At an end that is fixed, both
    numbers of the image are likelihoods of the segment's noisy count, up to factors: their largest
    and least ratio over w is at a value of the count [noise.attained]. Odds between two ends are a
    sum of both ends with weights that are not negative [lemma.segments-odds]. Given v, all outputs
    have the likelihood of the sum over x and y of left(x) K_xy right(y), linear in the odds of each
    side: a bound at both ends is one between them, and with both sides fixed these are likelihoods
    of the noisy count of the record's segment. Ends are odds that outputs leave, chosen apart for
    both sides and the segment.
    """


@claim(
    "noise.blocks",
    where="Noise on queries",
    statement="Let the records be a Markov chain of any number of values, and consecutive blocks "
    "of records be released, each by a mechanism of its own: M_w(x, y) = P(w, X_last = y | X_first "
    "= x). Let K be vectors of which every vector of likelihoods of the outputs of later blocks, "
    "by the value of X_last, is a sum with weights >= 0. Then the vectors M_w k, k of K and w an "
    "output of a block, moved by the step before it, are such vectors for one block more; likewise "
    "from the left. For a record of a block the largest ratio of likelihoods over all outputs is "
    "at most that at an output of its block and vectors of both sides.",
    kind="theorem",
    says={"one block more": MORE, "a record of a block": RECORD},
)
def blocks(check: Check) -> None:
    """Prove it: an output acts on what later blocks show as a matrix of numbers >= 0.

    One block more. Given X_last, later blocks are independent of this one. From the left, M_w and
    the step are transposed.

    A record of a block. Where the vectors are likelihoods of outputs, which are chosen apart, the
    bound is one of the ratios.
    """
