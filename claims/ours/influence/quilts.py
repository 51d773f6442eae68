"""Influences of the records at two distances: their formula, from a given law of the first record
and from any, and how they change with the distances.
"""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.influence import statements as says
from pufferproof.claims.registry import Check, claim

joint = letter("joint", "P(X_(i-a) = x), the weight of the value on the left", above(0))
to_v, to_w = letters("to_v to_w", "P^a(x, v) and P^a(x, w)", above(0))
from_v, from_w = letters("from_v from_w", "P^b(v, y) and P^b(w, y)", above(0))
law_v, law_w = letters("law_v law_w", "P(X_i = v) and P(X_i = w)", above(0))
sum_v, sum_w = letters(
    "sum_v sum_w", "P(X_i = v) and P(X_i = w), summed over the first values z", at_least(0)
)
next_v, next_w = letters("next_v next_w", "P^(i-1)(z, v) and P^(i-1)(z, w)", at_least(0))
other_v, other_w = letters(
    "other_v other_w", "P(X_i = v) and P(X_i = w) from a law with all values", above(0)
)
weight = letter("weight", "P(X_1 = z), or P(z', z) in a step", at_least(0))
share = letter("share", "the weight of a law with all values beside the point mass", above(0))
largest = letter("largest", "the largest P^(i-1)(z, w)/P^(i-1)(z, v)", above(0))
wanted = letter("wanted", "any number below P^(i-1)(z, w)/P^(i-1)(z, v)", at_least(0))
near, far = letters("near far", "e(a, b), and e(a', b') at larger distances", at_least(0))
between = letter("between", "the influence of some quilt in the box", at_least(0))
level = letter("level", "the level that is promised", above(0))
size, least = letters("size least", "a'' + b'' - 1 of this quilt, and a + b - 1", at_least(0))
ratio = letter("ratio", "the largest m(x)/pi(x) over x in C", at_least(0))
weights, moved = letters(
    "weights moved", "sums of pi(x) Q(x, y) and of m(x) Q(x, y) over the first x", at_least(0)
)
pi_x, m_x = letters("pi_x m_x", "pi(x) and m(x) of the next x", at_least(0))
step = letter("step", "Q(x, y)", at_least(0))
left_v, left_w = letters("left_v left_w", "P(x | X_i = v) and P(x | X_i = w)", at_least(0))
right_v, right_w = letters("right_v right_w", "P(y | X_i = v) and P(y | X_i = w)", at_least(0))
left, right = letters("left right", "the largest ratios of the two sides", above(0))
less = letter("less", "a number less than left right, as a part of it", at_least(0))

spread = letter("spread", "R - 1, how far a column varies in units of its least entry", at_least(0))
column = letter("column", "P^d(z, y) in units of the least of them")
gain, loss = letters(
    "gain loss",
    "P(v, z) - quotient P(w, z) where that is positive, its negative elsewhere",
    at_least(0),
)
reached = letter("reached", "the sum of (P(v, z) - quotient P(w, z)) column so far")
excess, rest = letters("excess rest", "the sums of gain, and of -loss, so far")
quotient = letter("quotient", "P^(d+1)(v, y)/P^(d+1)(w, y)", at_least(0))
mass_v, mass_w = letters("mass_v mass_w", "A(S) and B(S)", at_least(0))
in_v, in_w = letters("in_v in_w", "the masses of the rows v and w of P on S", at_least(0))

INDEPENDENT = "song2017.x-markov"
APART = "i is not in Q, and R and Q have no common node"


NOTATION = {
    "T": "how many records the chain has",
    "Q": "a power of the transition matrix P",
    "C": "a set of values",
    "d": "a distance, at least 1",
    "R, B": "bounds of quotients, and of the mass on a set S",
}


@claim(
    "influence.any-start",
    where="influence along chains",
    statement="For 1 <= a < i, b >= 1 and values v, w that X_i can have, the largest P(X_(i-a) = "
    "x, X_(i+b) = y | v) / P(.. | w) over the x and y that occur is the largest (P^a(x, v) "
    "m_i(w))/(P^a(x, w) m_i(v)) over x with m_(i-a)(x) > 0, times the largest P^b(v, y)/P^b(w, y) "
    "over y. Its supremum over all laws of X_1 has the largest P^a(x, v)/P^a(x, w) over the x that "
    "X_(i-a) has from some law, times the largest P^(i-1)(z, w)/P^(i-1)(z, v) over z, in place "
    "of the first factor; 0/0 is left out, and a positive number by 0 is infinite. This "
    "supremum does not rise with i.",
    kind="theorem",
    says={"a given law": says.GIVEN_LAW, "any law of the first record": says.ANY_LAW},
)
def any_start(check: Check) -> None:
    """Prove Bayes's formula, that sums over laws are mediants, and that one comes near a mass."""
    every_law = "all chains with finitely many states, all distances"
    proved(
        check,
        "a given law",
        every_law,
        _given,
        laws_exchanged=Edit("Bayes", instead="(to_v*law_v)/(to_w*law_w)"),
        one_side_only=Edit(
            "both sides", put={left_v * right_v <= left * right * left_w * right_w: _ONE_SIDE}
        ),
    )
    proved(
        check,
        "any law of the first record",
        every_law,
        _any,
        a_smaller_bound=Edit("at most", put={largest: largest / 2}),
        any_share=Edit("nearly", without=share * (next_w + wanted * other_v) < _GAP),
    )


_GAP = next_w - wanted * next_v
_ONE_SIDE = left_v * right_v <= left * left_w * right_w


def _given(proof: Proof) -> None:
    proof.cite("two sides", "given X_i both records are independent", INDEPENDENT)
    proof.identity(
        "Bayes",
        "P(X_(i-a) = x | X_i = v) = P(X_(i-a) = x) P^a(x, v)/P(X_i = v): the weight of x cancels",
        "(joint*to_v/law_v)/(joint*to_w/law_w)",
        "(to_v*law_w)/(to_w*law_v)",
    )
    proof.inequality(
        "both sides",
        "the ratio of x and y is a product, at most that of the largest ratios; x and y are free, "
        "so that it is reached",
        left_v * right_v <= left * right * left_w * right_w,
        [left_v <= left * left_w, right_v <= right * right_w],
    )


def _any(proof: Proof) -> None:
    proof.summed(
        "at most",
        "P(X_i = w)/P(X_i = v) sums P(X_1 = z) P^(i-1)(z, w) above and P(X_1 = z) P^(i-1)(z, v) "
        "below",
        so_far=sum_w <= largest * sum_v,
        adding={sum_w: weight * next_w, sum_v: weight * next_v},
        given=[next_w <= largest * next_v],
    )
    proof.inequality(
        "nearly",
        "the law of X_1 with 1 - share at z, and a share of a law with all values, under which "
        "every value that some law allows occurs: for a small share its ratio exceeds any number "
        "below that of z",
        (1 - share) * next_w + share * other_w > wanted * ((1 - share) * next_v + share * other_v),
        [share < 1, share * (next_w + wanted * other_v) < _GAP],
    )
    proof.summed(
        "one record later",
        "P^i(z', w) sums P(z', z) P^(i-1)(z, w): its ratio is no larger than the largest; and "
        "what X_(i+1-a) can have from some law X_(i-a) can have too",
        so_far=sum_w <= largest * sum_v,
        adding={sum_w: weight * next_w, sum_v: weight * next_v},
        given=[next_w <= largest * next_v],
    )


@claim(
    "influence.boxes",
    where="influence along chains",
    statement="e(a', b') <= e(a, b) on every chain if a <= a' and b <= b', where a missing record "
    "is farther than all others. So no quilt {X_(i-a''), X_(i+b'')} with a <= a'' <= a', b <= b'' "
    "<= b' and e(a'', b'') < epsilon has a score (a'' + b'' - 1)/(epsilon - e(a'', b'')) below "
    "(a + b - 1)/(epsilon - e(a', b')).",
    kind="theorem",
    says=says.BOXES,
)
def boxes(check: Check) -> None:
    """Prove it by data processing, and one quotient."""
    proved(
        check,
        "as stated",
        "all chains, records, distances and levels",
        _boxes,
        influences_that_rise=Edit("scores", without=far <= between),
        the_sizes_of_the_far_corner=Edit("scores", without=least <= size, given=size <= least),
    )


def _boxes(proof: Proof) -> None:
    proof.cite(
        "what lies between",
        "given X_(i-a) the record X_(i-a') is independent of X_i and of all records after X_i, and "
        "likewise on the right: (X_(i-a'), X_(i+b')) is made from (X_(i-a), X_(i+b)) by a kernel "
        "that does not see X_i",
        INDEPENDENT,
    )
    proof.cite(
        "data processing",
        "a kernel never raises the largest ratio, in either order of v and w",
        "lemma.data-processing",
    )
    proof.inequality(
        "scores",
        "least/(level - far) <= size/(level - between), without denominators",
        least * (level - between) <= size * (level - far),
        [far <= between, between < level, least <= size],
    )


@claim(
    "influence.far-laws",
    where="influence along chains",
    statement="Let Q be a power of P, C a set of values from which y is reached by Q, and pi > 0 "
    "on C and at y with sum over C of pi(x) Q(x, y) = pi(y). If m is a law of which only values in "
    "C lead to y by Q, (m Q)(y)/pi(y) is an average of m(x)/pi(x) over x in C: it lies between the "
    "least and the largest of them.",
    kind="theorem",
    says=says.FAR_LAWS,
)
def far_laws(check: Check) -> None:
    """Prove it by adding up the values of C."""
    proved(
        check,
        "as stated",
        "all finite sets C",
        _far,
        weights_that_sum_to_less=Edit("at most", put={ratio: ratio / 2}),
        a_larger_least=Edit("at least", put={ratio: 2 * ratio}),
    )


def _far(proof: Proof) -> None:
    adding = {moved: m_x * step, weights: pi_x * step}
    proof.summed(
        "at most",
        "moved sums to (m Q)(y), weights to pi(y)",
        so_far=moved <= ratio * weights,
        adding=adding,
        given=[m_x <= ratio * pi_x],
    )
    proof.summed(
        "at least",
        "the same with the least for the largest ratio",
        so_far=moved >= ratio * weights,
        adding=adding,
        given=[m_x >= ratio * pi_x],
    )


@claim(
    "influence.blocks",
    where="influence along chains",
    statement="Let v, w be possible values of X_i in a chain of T records, and let b < T records "
    "be hidden, X_i among them. The least of the largest ratios P(shown | v)/P(shown | w) is that "
    "of a block X_(i-j) .. X_(i+k), 0 <= j < i, 0 <= k <= T - i, j + k + 1 = b: left(j) right(k), "
    "left(j) the largest ratio of X_(i-j-1), 1 if j = i - 1, and likewise right(k). Both fall as j "
    "or k grows.",
    kind="theorem",
    says=says.BLOCKS,
)
def blocks(check: Check) -> None:
    """Prove it: only the nearest shown records count, and hiding more of them lowers the ratio."""
    proved(
        check,
        "as stated",
        "all chains, records and pairs of values",
        _blocks,
        one_side_only=Edit(
            "at most", put={left_v * right_v <= left * right * left_w * right_w: _ONE_SIDE}
        ),
        reached_with_room=Edit("reached", without=[left_v >= left * left_w]),
    )


def _blocks(proof: Proof) -> None:
    proof.cite(
        "the nearest ones",
        "let X_(i-j-1) and X_(i+k+1) be the nearest records shown: the others shown are beyond "
        "them, and independent of X_i given them",
        "song2017.x-separated",
        met={APART: "Q holds the two nearest shown records, R the other shown ones; X_i is hidden"},
    )
    proof.cite("both sides", "given X_i the two are independent", INDEPENDENT)
    proof.inequality(
        "at most",
        "the ratio of two outcomes is at most left(j) right(k)",
        left_v * right_v <= left * right * left_w * right_w,
        [left_v <= left * left_w, right_v <= right * right_w],
    )
    proof.inequality(
        "reached",
        "both outcomes are free: at those with the largest ratios no smaller bound holds",
        left_v * right_v >= left * right * left_w * right_w,
        [left_v >= left * left_w, right_v >= right * right_w],
    )
    proof.cite(
        "falling",
        "a farther record tells no more, and none tells nothing: the block that holds the hidden "
        "records around X_i, made longer up to b, is no worse",
        "influence.boxes",
    )


@claim(
    "influence.contrast",
    where="influence along chains",
    statement="Let P^d(., y) > 0 and R >= P^d(z, y)/P^d(z', y) for all values z, z'. For values v, "
    "w the quotient P^(d+1)(v, y)/P^(d+1)(w, y) is at most the largest (1 + (R - 1) A(S))/(1 + (R "
    "- 1) B(S)) over sets S of values, A(S) at least the mass that the row v of P has on S, B(S) "
    "at most that of the row w. It is at most 1 + (R - 1) D, D the largest A(S) - B(S).",
    kind="lemma",
    says=says.CONTRAST,
)
def contrast(check: Check) -> None:
    """Prove it: a linear function of a column is largest where its entries are least or largest."""
    proved(
        check,
        "as stated",
        "all finite numbers of values, all S",
        _contrast,
        entries_beyond_the_ratio=Edit("ends: step", without=column <= 1 + spread),
        a_smaller_bound=Edit("the best set", put={mass_v: mass_v / 2}),
        half_the_difference=Edit("rows forget", put={mass_v - mass_w: (mass_v - mass_w) / 2}),
    )


def _contrast(proof: Proof) -> None:
    proof.summed(
        "ends",
        "in units of the least entry of P^d(., y) the column lies between 1 and R = 1 + spread; "
        "S holds the z with P(v, z) > quotient P(w, z), where `excess` sums the difference, and "
        "`rest` sums it elsewhere",
        so_far=reached <= (1 + spread) * excess + rest,
        adding={reached: (gain - loss) * column, excess: gain, rest: -loss},
        given=[column >= 1, column <= 1 + spread],
    )
    proof.inequality(
        "the best set",
        "excess = P(v, S) - quotient P(w, S), and with the rest 1 - quotient; the quotient of both "
        "sums makes `reached` 0",
        quotient * (1 + spread * mass_w) <= 1 + spread * mass_v,
        [
            Eq(reached, 0),
            reached <= (1 + spread) * excess + rest,
            Eq(excess, in_v - quotient * in_w),
            Eq(excess + rest, 1 - quotient),
            in_v <= mass_v,
            in_w >= mass_w,
        ],
    )
    proof.inequality(
        "rows forget",
        "(1 + spread A)/(1 + spread B) <= 1 + spread (A - B) where A >= B; the empty set has A >= "
        "0 >= B, so that D >= 0",
        1 + spread * mass_v <= (1 + spread * (mass_v - mass_w)) * (1 + spread * mass_w),
        [mass_v >= mass_w],
    )
