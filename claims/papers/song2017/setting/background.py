"""What the paper recalls of composition: differential privacy composes, Pufferfish need not.

R_k = e^eps_k; likelihoods of one output of each mechanism. Source: song2017, sections I and II-D.
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.song2017.statements import releases as said_releases
from pufferproof.claims.papers.song2017.statements import twice as said_twice
from pufferproof.claims.registry import Check, claim

R, S = letters("R S", "e to the level of one mechanism, and of another", at_least(1))
u, v = letters("u v", "likelihoods of the output of one mechanism under neighbours", at_least(0))
x, y = letters(
    "x y", "likelihoods under neighbours of the output of another, or of all others", at_least(0)
)
most = letter("most", "the maximum of the R_k")
P, Q = letters("P Q", "joint likelihoods of the first outputs under neighbours")
p, q = letters("p q", "joint likelihoods of the first outputs and the next one", at_least(0))
product = letter("product", "the product of the R_k of the first outputs")

largest, second = letters("largest second", "the two largest of the R_k")
common = letter("common", "the likelihood of the outputs that do not change", at_least(0))
up_1, low_1 = letters("up_1 low_1", "chances that the first flag is up, with the record, without")
up_2, low_2 = letters("up_2 low_2", "chances that the second flag is up, with the record, without")

r_0, r_1 = letters("r_0 r_1", "P(r = 0 | s = 0), P(r = 0 | s = 1)")
xor_0, xor_1 = letters("xor_0 xor_1", "P(s xor r = 0 | s = 0), P(s xor r = 0 | s = 1)")
both_0, both_1 = letters("both_0 both_1", "P(0, 0 | s = 0), P(0, 0 | s = 1)")

E = letter("E", "e^eps in the two-release counterexample", at_least(1))
level_a, level_b = letters("level_a level_b", "e to the levels that M_A and M_B keep")
ratio = letter("ratio", "a ratio of likelihoods of both outputs")

HALF = sympy.Rational(1, 2)
QUARTER = sympy.Rational(1, 4)
IN_ONE_SET = Or(And(u <= R * v, Eq(x, y)), And(Eq(u, v), x <= S * y))
TWO_SETS = And(u <= R * v, x <= S * y)
FIRST_FLAG = [Eq(up_1 * (R + 1), R), Eq(low_1 * (R + 1), 1)]
SECOND_FLAG = [Eq(up_2 * (S + 1), S), Eq(low_2 * (S + 1), 1)]


@claim(
    "song2017.bg-dp",
    where="II-D",
    statement="K mechanisms with eps_k-DP: parallel composition gives max_k eps_k, sequential "
    "composition sum_k eps_k.",
    kind="remark",
    assumes=["each mechanism uses coins of its own"],
    says={
        "parallel, on disjoint sets of records": said_releases.PARALLEL,
        "sequential": said_releases.SEQUENTIAL,
    },
)
def privacy(check: Check) -> None:
    """Prove both on product domains; data sets that are split by their values would be another
    matter.
    """
    shared = Edit("one factor changes", without=IN_ONE_SET, given=[u <= R * v, x <= S * y])
    proved(
        check,
        "parallel, on disjoint sets of records",
        "all product domains, neighbours differ in one record",
        _parallel,
        a_record_in_two_sets=shared,
        a_record_that_changes_its_set=shared,
    )
    common_coins = Edit(
        "one more mechanism: step",
        without=[Eq(p, P * u), Eq(q, Q * v)],
        given=[p <= u, q <= v],
    )
    proved(check, "sequential", "all domains and K", _sequential, common_coins=common_coins)


def _parallel(proof: Proof) -> None:
    proof.inequality(
        "one factor changes",
        "the record belongs to one set; most is at least R and S, the maximum of the others is S",
        u * x <= most * v * y,
        [IN_ONE_SET, most >= R, most >= S],
    )


def _sequential(proof: Proof) -> None:
    proof.induction(
        "one more mechanism",
        "independent coins multiply: p = P u and q = Q v",
        base=(P <= product * Q, [Eq(P, 1), Eq(Q, 1), Eq(product, 1)]),
        step=(
            p <= product * R * q,
            [
                P <= product * Q,
                u <= R * v,
                Eq(p, P * u),
                Eq(q, Q * v),
                P >= 0,
                Q >= 0,
                product >= 1,
            ],
        ),
    )


@claim(
    "song2017.x-bg-dp-split",
    where="II-D, asked beyond it",
    statement="K >= 2 data sets, to which records are dealt out by their values; neighbours "
    "replace one record. If each M_k has the level eps_k >= 0 for a record that enters its "
    "data set, leaves it or is replaced in it, and coins of its own, then all outputs together "
    "have the sum of the two largest levels, not the maximum: that sum is attained for any "
    "levels.",
    kind="lemma",
    says={"the bound": said_releases.SPLIT, "attained": said_releases.ATTAINED},
)
def split(check: Check) -> None:
    """Prove it: a record that is replaced may leave one data set and enter another."""
    one_level = Edit(
        "one or two factors change", instead=common * u * x <= largest * common * v * y
    )
    twice = Edit(
        "one or two factors change",
        without=Or(TWO_SETS, And(u <= R * v, Eq(x, y))),
        given=Or(TWO_SETS, And(u <= R**2 * v, Eq(x, y))),
    )
    proved(
        check,
        "the bound",
        "all domains, K >= 2 and splits by value",
        _split,
        one_level_only=one_level,
        a_record_replaced_at_the_price_of_two=twice,
    )
    more = up_1 * (1 - low_2) > R * S * low_1 * (1 - up_2)
    proved(
        check,
        "attained",
        "one record, two data sets, flags for an empty one; R, S >= 1",
        _flags,
        more_than_the_sum=Edit("first up, second down", instead=more),
    )


def _split(proof: Proof) -> None:
    proof.inequality(
        "one or two factors change",
        "the record leaves one set and enters the other one, or is replaced in one; largest and "
        "second are the two largest of K >= 2 levels",
        common * u * x <= largest * second * common * v * y,
        [
            Or(TWO_SETS, And(u <= R * v, Eq(x, y))),
            Or(And(largest >= R, second >= S), And(largest >= S, second >= R)),
            largest >= second,
            second >= 1,
        ],
    )


def _flags(proof: Proof) -> None:
    """The flag of either data set goes up with chance R/(R+1), or S/(S+1), if the record is in
    it, else 1/(R+1), 1/(S+1).
    """
    proof.inequality(
        "levels",
        "both outcomes of one flag",
        And(up_1 <= R * low_1, 1 - low_1 <= R * (1 - up_1)),
        FIRST_FLAG,
    )
    proof.inequality(
        "first up, second down",
        "with the record in the first set, and with it in the second",
        Eq(up_1 * (1 - low_2), R * S * low_1 * (1 - up_2)),
        [*FIRST_FLAG, *SECOND_FLAG],
    )


@claim(
    "song2017.bg-nonlinear",
    where="Introduction, II-D",
    statement="Pufferfish does not always compose linearly.",
    kind="remark",
    says={
        "some framework": said_releases.ONE_TIME_PAD,
        "a Markov chain, every node secret": said_twice.EVERY_RECORD,
    },
)
def nonlinear(check: Check) -> None:
    """Prove it by a one-time pad, and for Markov chains by theorem III.4."""
    fresh = Edit(
        "both",
        without=[Eq(both_0, HALF), Eq(both_1, 0)],
        given=[Eq(both_0, QUARTER), Eq(both_1, QUARTER)],
    )
    proved(
        check,
        "some framework",
        "two independent bits s and r, r fair; M_1 shows r, M_2 shows s xor r; 0 + 0 and infinite",
        _pad,
        an_independent_third_bit=fresh,
    )
    proved(
        check,
        "a Markov chain, every node secret",
        "the two-release counterexample",
        _chain,
        one_release=Edit("more than the sum", without=ratio > E**2, given=ratio <= E),
    )


def _pad(proof: Proof) -> None:
    proof.inequality(
        "each alone",
        "neither bit depends on s",
        And(Eq(r_0, r_1), Eq(xor_0, xor_1)),
        [Eq(r_0, HALF), Eq(r_1, HALF), Eq(xor_0, r_0), Eq(xor_1, 1 - r_1)],
    )
    proof.inequality(
        "both",
        "P(0,0|s=0) = P(r=0) and P(0,0|s=1) = P(r=0, r=1) = 0: no level R bounds the ratio",
        both_0 > R * both_1,
        [Eq(both_0, HALF), Eq(both_1, 0)],
    )


def _chain(proof: Proof) -> None:
    proof.cite(
        "witness",
        "M_A and M_B keep eps, and one ratio of both outputs is above E^2, E = e^eps",
        "song2017.thm-III4",
    )
    proof.inequality(
        "more than the sum",
        "of the levels that M_A and M_B keep, e^eps each",
        ratio > level_a * level_b,
        [Eq(level_a, E), Eq(level_b, E), ratio > E**2],
    )
