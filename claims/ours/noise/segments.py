"""Noisy counts of disjoint segments of a chain of two values: the odds that they leave.

For a segment and an output w let G_xy be sum_n P(n, X_last = y | X_first = x) t^|w - n|, where n is
the number of its records of value 1. Odds are pairs (d, n), as n/d may be infinite.
"""

from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.ours.noise.statements import blocks as shown
from pufferproof.claims.ours.noise.statements import segments as says
from pufferproof.claims.registry import Check, claim

G00, G01, G10, G11 = letters("G00 G01 G10 G11", "G_xy of a segment and an output", at_least(0))
G02, G12, l2, r2 = letters("G02 G12 l2 r2", "those of a third value")
l0, l1 = letters("l0 l1", "odds: an end of an interval", at_least(0))
h0, h1 = letters("h0 h1", "odds: the other end", at_least(0))
r0, r1 = letters("r0 r1", "odds between them", at_least(0))
turn = letter("turn", "G00 G11 - G01 G10")
first, second = letters("first second", "l0 r1 - l1 r0, and r0 h1 - r1 h0", at_least(0))
low_image, high_image = letters("low_image high_image", "the same of the images")
total, sum_of = letters("total sum_of", "sums over y so far: of joint, and of own times later")
joint = letter("joint", "P(outputs of a segment and of later ones, X_last = y | X_first = x)")
own = letter("own", "G_xy")
later = letter("later", "P(outputs of later segments | X_last = y)")
later_given = letter("later_given", "the same, given the whole segment")
from_low, from_high = letters("from_low from_high", "how much of both ends is in odds", at_least(0))
N, D = letters("N D", "the likelihoods of all outputs given v and given u")
N_low, D_low = letters("N_low D_low", "the same at one end of the odds of a side")
N_high, D_high = letters("N_high D_high", "the same at the other end")
m = letter("m", "the largest ratio at ends of both sides and values of the count")
w1, w2 = letters("w1 w2", "weights of two vectors of K", at_least(0))
a0, a1 = letters("a0 a1", "the first vector of K, at two values of X_last")
b0, b1 = letters("b0 b1", "the second one")
N_a, D_a = letters("N_a D_a", "the likelihoods given v and u, if later blocks show the first")
N_b, D_b = letters("N_b D_b", "the same of the second")
largest = letter("largest", "the largest ratio over all outputs")


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
    """Prove it: an output maps odds by a Moebius map, which is monotone."""
    three = (
        (G10 * r0 + G11 * r1 + G12 * r2) * (G00 * l0 + G01 * l1 + G02 * l2)
        - (G10 * l0 + G11 * l1 + G12 * l2) * (G00 * r0 + G01 * r1 + G02 * r2),
        (G00 * G11 - G01 * G10) * (l0 * r1 - l1 * r0),
    )
    proved(
        check,
        "as stated",
        "all chains of two values, also with steps that depend on time, all segments and decays",
        _segments,
        a_third_value=Edit("two odds", instead=Eq(*three)),
        later_records_that_know_more=Edit("one more value", without=Eq(later_given, later)),
        one_end=Edit("between two ends", without=N_high <= m * D_high),
    )


def _one_more(proof: Proof, name: str, says: str) -> None:
    """Sum over the values of the last record."""
    proof.summed(
        name,
        says,
        so_far=Eq(total, sum_of),
        adding={total: joint, sum_of: own * later},
        given=[Eq(joint, own * later_given), Eq(later_given, later)],
    )


def _segments(proof: Proof) -> None:
    _one_more(
        proof,
        "one more value",
        "Given X_last, later segments are independent of this one: their likelihood as a function "
        "of X_first is the sum over y of G_xy times later",
    )
    proof.identity(
        "two odds",
        "The images of two odds under an output: steps between segments are such maps, too",
        (G10 * r0 + G11 * r1) * (G00 * l0 + G01 * l1)
        - (G10 * l0 + G11 * l1) * (G00 * r0 + G01 * r1),
        (G00 * G11 - G01 * G10) * (l0 * r1 - l1 * r0),
    )
    proof.inequality(
        "monotone",
        "first and second are not negative as the odds r are between l and h: the image of r is "
        "between those of l and h",
        Or(And(low_image >= 0, high_image >= 0), And(low_image <= 0, high_image <= 0)),
        [Eq(low_image, turn * first), Eq(high_image, turn * second)],
    )
    proof.cite(
        "values of the count",
        "At an end that is fixed, both numbers of the image are likelihoods of the segment's noisy "
        "count, up to factors: their largest and least ratio over w is at a value of the count",
        "noise.attained",
    )
    _record(proof)


def _record(proof: Proof) -> None:
    proof.identity(
        "odds between two ends",
        "are a sum of both ends with weights that are not negative, r0 h1 - r1 h0 and l0 r1 - l1 "
        "r0 over l0 h1 - l1 h0; likewise r1",
        (r0 * h1 - r1 * h0) * l0 + (l0 * r1 - l1 * r0) * h0,
        r0 * (l0 * h1 - l1 * h0),
    )
    proof.inequality(
        "between two ends",
        "Given v, all outputs have the likelihood of the sum over x and y of left(x) K_xy "
        "right(y), linear in the odds of each side: a bound at both ends is one between them",
        N <= m * D,
        [
            Eq(N, from_low * N_low + from_high * N_high),
            Eq(D, from_low * D_low + from_high * D_high),
            N_low <= m * D_low,
            N_high <= m * D_high,
        ],
    )
    proof.cite(
        "the segment of the record",
        "With both sides fixed, these are likelihoods of its noisy count, up to factors",
        "noise.attained",
    )
    proof.inequality(
        "reached",
        "Ends are odds that outputs leave, and those of both sides and of the segment are chosen "
        "apart: m is a ratio that occurs",
        Eq(largest, m),
        [largest <= m, m <= largest],
    )


@claim(
    "noise.blocks",
    where="Noise on queries",
    statement="Let the records be a Markov chain of any number of values, and consecutive blocks "
    "of records be released, each by a mechanism of its own: M_w(x, y) = P(w, X_last = y | X_first "
    "= x). Let K be vectors of which every vector of likelihoods of the outputs of later blocks, "
    "by the value of X_last, is a sum with weights >= 0. Then the vectors M_w k, k of K and w an "
    "output of a block, moved by the step before it, are such vectors for one block more; likewise "
    "from the left. For a record of a block the largest ratio of likelihoods over all outputs is "
    "at most that at an output of its block and vectors of both sides, and equal to it if these "
    "are likelihoods of outputs themselves.",
    kind="theorem",
    says=shown.BLOCKS,
)
def blocks(check: Check) -> None:
    """Prove it: an output acts on what later blocks show as a matrix of numbers >= 0."""
    proved(
        check,
        "as stated",
        "all chains, blocks and mechanisms with finitely many outputs",
        _blocks,
        later_blocks_that_know_more=Edit("one more block", without=Eq(later_given, later)),
        a_vector_that_is_left_out=Edit("between vectors", without=N_b <= m * D_b),
        a_weight_below_zero=Edit("between vectors", without=w2 >= 0),
    )


def _blocks(proof: Proof) -> None:
    _one_more(
        proof,
        "one more block",
        "given X_last, later blocks are independent of this one: their likelihood as a function of "
        "X_first is the sum over y of M_w(x, y) times later",
    )
    proof.identity(
        "a matrix moves sums",
        "of two vectors, here of two values: weights stay",
        G00 * (w1 * a0 + w2 * b0) + G01 * (w1 * a1 + w2 * b1),
        w1 * (G00 * a0 + G01 * a1) + w2 * (G00 * b0 + G01 * b1),
    )
    proof.inequality(
        "between vectors",
        "the likelihood of all outputs given v is linear in what a side shows: a bound at the "
        "vectors of K is one at their sums",
        N <= m * D,
        [
            Eq(N, w1 * N_a + w2 * N_b),
            Eq(D, w1 * D_a + w2 * D_b),
            N_a <= m * D_a,
            N_b <= m * D_b,
            w2 >= 0,
        ],
    )
    proof.inequality(
        "reached",
        "vectors that are likelihoods of outputs, and an output of the block, are chosen apart: m "
        "is a ratio that occurs",
        Eq(largest, m),
        [largest <= m, m <= largest],
    )
