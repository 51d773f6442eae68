"""Chains of two values that tend to change: what noisy counts of segments leak at most, and what
mechanisms of per-record levels do once the values of some records are exchanged.

For the first, draw the records given X_i = 1 and given X_i = 0 together, outwards from record i.
"""

from sympy import Abs, Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.classes import statements as says
from pufferproof.claims.registry import Check, claim

p1, q1 = letters("p1 q1", "P(1, 1) and P(0, 1), a 1 after a 1 and after a 0", at_least(0))
p0, q0 = letters("p0 q0", "P(1, 0) and P(0, 0)", at_least(0))
e, last, f = letters("e last f", "the difference of a record, of the one before, and the first")
total, before = letters("total before", "sums of differences of a segment so far")
left, right = letters("left right", "the sums of differences before and after record i")
w, n, m = letters("w n m", "an output, and the counts of a segment given 1 and given 0")
m1, m0 = letters("m1 m0", "P(X_j = 1) and P(X_j = 0) of the record before", at_least(0))
all1, all0 = letters("all1 all0", "the likelihoods of segments so far, at the two draws", above(0))
next1, next0 = letters("next1 next0", "those of the next segment", above(0))
bound, step = letters("bound step", "the product of 1/t_k so far, and the next 1/t_k", above(0))
v1, v0 = letters("v1 v0", "a column at x_j = 1 and at x_j = 0", at_least(0))
g1, g0 = letters("g1 g0", "it over the product of weights, at x_j = 1 and x_j = 0", at_least(0))
weight = letter("weight", "w_j", at_least(1))
r0, r1 = letters("r0 r1", "averages of g given 0 and 1 next, after x_j = 0", at_least(0))
s0, s1 = letters("s0 s1", "the same after x_j = 1", at_least(0))
W0, W1 = letters("W0 W1", "averages of later weights given 0 and 1 at the next record", above(0))
one, zero = letters("one zero", "averages of g given X_i = 1 and X_i = 0", at_least(0))
up1, up0 = letters("up1 up0", "the means of the product of weights", above(0))

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
    """Prove it: the records of both draws differ by 1, -1, 1, .., until they are equal."""
    proved(
        check,
        "as stated",
        "all chains of two values that tend to change, any start, all segments and decays",
        _turning,
        records_that_stay=Edit("drawn together", without=p1 <= q1),
        differences_that_stay=Edit("one more difference", without=Eq(e, -last)),
        both_sides_alike=Edit("the segment of the record", without=right <= 0),
        two_of_a_segment=Edit("the noise", without=Abs(n - m) <= 1),
    )


def _turning(proof: Proof) -> None:
    proof.inequality(
        "drawn together",
        "while they are 1 and 0, both next records are 1 with p1, 0 and 1 with q1 - p1, 0 with 1 - "
        "q1: probabilities. Then they are 0 and 1, which is alike, or equal for good",
        (q1 - p1) * (1 - q1) >= 0,
        [p1 <= q1, q1 <= 1],
    )
    proof.inequality(
        "one more difference",
        "of a segment is the last one with the other sign: twice the sum stays f + e",
        Eq(2 * total, f + e),
        [Eq(total, before + e), Eq(2 * before, f + last), Eq(e, -last)],
    )
    proof.inequality(
        "sums of a side",
        "are 0 or f, at most 1 in size",
        Abs(f + e) <= 2,
        [Abs(f) <= 1, Abs(e) <= 1],
    )
    proof.inequality(
        "the segment of the record",
        "has differences on both sides of 1, that of record i; the first on each side is -1, so "
        "that sums of a side are -1 or 0",
        Abs(1 + left + right) <= 1,
        [left >= -1, left <= 0, right >= -1, right <= 0],
    )
    _noise_of_segments(proof)


def _noise_of_segments(proof: Proof) -> None:
    proof.inequality(
        "the past",
        "backwards from X_i the records are a chain as well, whose rows are ordered the same way: "
        "with m1 and m0, the law of the record before, without denominators",
        (m1 * p1) * (m0 * q0) <= (m0 * q1) * (m1 * p0),
        [p1 * q0 <= p0 * q1],
    )
    proof.inequality(
        "the noise",
        "on a segment is t_k to the distance of w",
        Abs(w - m) <= Abs(w - n) + 1,
        [Abs(n - m) <= 1],
    )
    proof.inequality(
        "one more segment",
        "noise is independent, and likelihoods multiply",
        all1 * next1 <= bound * step * all0 * next0,
        [all1 <= bound * all0, next1 <= step * next0],
    )
    proof.assume(
        "the mean", "over both draws: it keeps an inequality that holds everywhere", "Lebesgue 1902"
    )


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
    """Prove it: the column over the product of weights does not rise in any record."""
    proved(
        check,
        "as stated",
        "all such chains of two values, all levels",
        _columns,
        a_record_without_a_level=Edit("what is left of a column", without=v1 <= weight * v0),
        steps_of_the_other_order=Edit("one more record", without=p1 * q0 >= p0 * q1),
        a_part_that_rises=Edit("later averages are smaller", without=s0 <= r0),
    )


def _columns(proof: Proof) -> None:
    proof.inequality(
        "what is left of a column",
        "g, the column over the product of weights, does not rise in a record: levels are the same "
        "in exchanged values",
        g1 <= g0,
        [Eq(g1 * weight, v1), Eq(g0, v0), v1 <= weight * v0],
    )
    proof.inequality(
        "later averages are smaller",
        "averages of g with weights, once x_j = 1 in place of 0: every term is",
        p1 * W1 * s1 + p0 * W0 * s0 <= p1 * W1 * r1 + p0 * W0 * r0,
        [s1 <= r1, s0 <= r0],
    )
    proof.inequality(
        "one more record",
        "s1 <= s0 at the next record carries over to this one: the averages given 1 and given 0, "
        "without denominators",
        (p1 * W1 * s1 + p0 * W0 * s0) * (q1 * W1 + q0 * W0)
        <= (q1 * W1 * s1 + q0 * W0 * s0) * (p1 * W1 + p0 * W0),
        [p1 * q0 >= p0 * q1, s1 <= s0],
    )
    proof.inequality(
        "the ratio",
        "the past is a chain of the same order. E[v | X_i = x] is the mean of the product of "
        "weights times the average of g. For the other order exchange all values: levels bound v0 "
        "by w_j v1 as well",
        one * up1 * up0 <= zero * up0 * up1,
        [one <= zero],
    )
