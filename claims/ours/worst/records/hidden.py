"""Levels per record where bits are hidden and records show them, and where the arrows of a network
point in any direction: both are trees of worst.record-levels seen from the record asked about.

A hidden bit is a record of level 1: columns do not depend on it. In formulas R is the level of the
record at hand.
"""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.worst.records.chains import (
    CHAINS,
    P00,
    P01,
    P10,
    P11,
    A,
    B,
    D,
    M,
    R,
    S,
    a,
    b,
    c,
    end_of_a_child,
    ends,
    given,
    m,
    n,
    p,
    q,
    s,
    two_sides,
    v,
    w,
)
from pufferproof.claims.ours.worst.records.levels import one_factor_each
from pufferproof.claims.ours.worst.statements.records import hidden as says
from pufferproof.claims.ours.worst.statements.records import trees
from pufferproof.claims.registry import Check, claim

above_1, above_0 = letters(
    "above_1 above_0",
    "sums of E(1, x) m_x and of E(0, x) m_x over the other values x",
    at_least(0),
)
e1, e0 = letters("e1 e0", "E(1, x) and E(0, x) of the value x at hand", at_least(0))
factor = letter("factor", "m_x of the value at hand, from 1 to R")
most = letter("most", "e, the largest quotient of sums over m that are 1 or R", at_least(0))
up, down = letters("up down", "the products of s_c, and of d_c, over the children", at_least(1))
a1, a0 = letters("a1 a0", "P(bit = 1 | x_root = v), P(bit = 0 | x_root = v)", at_least(0))
b1, b0 = letters("b1 b0", "P(bit = 1 | x_root = y), P(bit = 0 | x_root = y)", at_least(0))
one, zero = letters("one zero", "means of the others' column given bit = 1 and bit = 0", above(0))
told = letter("told", "the larger of gamma at both ends", at_least(0))
mean_v, mean_y = letters("mean_v mean_y", "means of u given x_root = v and given x_root = y")
other = letter("other", "P of the other trees", at_least(0))
HIDDEN = "every finite tree of hidden bits, every finite alphabet, all levels R_j >= 1"
NOTATION = {
    "R_j": "e to the level of record j",
    "E_j(h, x), h_j": "the probability that record j is x where its bit h_j is h; it may be 0",
    "e_j, f_j": "what record j tells of its bit: the largest quotient of sum_x E_j(1, x) m_x and "
    "sum_x E_j(0, x) m_x over m_x in {1, R_j}, and of the two the other way round",
    "S, D": "the messages up and down of a bit: the largest ratios 1 against 0 and 0 against 1",
    "s_c, d_c": "what the child c contributes to S, and to D",
    "m_x": "the factors of a column at the values x of one record, up to a common one",
    "gamma": "gamma(t) = (a1 t + a0)/(b1 t + b0)",
}


@claim(
    "worst.hidden-levels",
    where=CHAINS,
    statement="Let a finite tree of bits be hidden, let bit j show a record x_j from a finite "
    "alphabet with the law E_j(h_j, .), records independent given the bits, and let columns u > 0 "
    "be functions of the records alone, of level R_j >= 1 for record j. If both values of the "
    "root's bit are possible, the largest ratio of E[u | bit = 1] and E[u | bit = 0] over all "
    "columns is S = e_root prod_c s_c over the children c, s_c the larger of g_c at t = S_c and t "
    "= 1/D_c, g_c(t) = (P11 t + P10)/(P01 t + P00), and in the other order D = f_root prod_c d_c, "
    "d_c the larger of 1/g_c at both. For values v, y of the root's record, both possible, the "
    "largest ratio of E[u | x_root = v] and E[u | x_root = y] is R_root times the larger of "
    "gamma(t) at t = prod_c s_c and at t = 1/prod_c d_c. All are attained by columns of "
    "mechanisms that are products of one factor for each record, R_j on a set of values and 1 "
    "elsewhere. A hidden chain of two states, seen from any of its records, is such a tree, with "
    "the reversed kernels on the side before it.",
    says={
        "upper bound": says.HIDDEN_UPPER,
        "attained": says.HIDDEN_ATTAINED,
        "hidden chains": says.HIDDEN_CHAINS,
    },
)
def hidden_levels(check: Check) -> None:
    """Prove it from trees of any alphabet, in which hidden bits have the level 1."""
    proved(
        check,
        "upper bound",
        HIDDEN,
        _upper,
        the_largest_factor_only=Edit(
            "one more value: step", without=above_1 + e1 <= most * (above_0 + e0)
        ),
        one_end_only=Edit("the larger of two ends", without=P11 + P10 * D <= s * (P01 + P00 * D)),
        the_level_of_the_secret_record_left_out=Edit(
            "the root's record", put={R * told * mean_y: told * mean_y}
        ),
    )
    proved(
        check,
        "attained",
        HIDDEN,
        _attained,
        children_that_share_a_bit=Edit(
            "a product over the children: step", without=Eq(A, m * v), given=A >= 0
        ),
    )
    proved(
        check,
        "hidden chains",
        "every finite hidden chain of two states, any record of it",
        two_sides,
        the_forward_kernel_on_both_sides=Edit("the reversed chain is a chain", put={b: a}),
    )


def _upper(proof: Proof) -> None:
    proof.cite(
        "a tree of records",
        "Hidden bits and records together are a tree in which a bit has its record for a leaf. A "
        "column of the records is one of level 1 for every bit. So S(x, y) there bounds the "
        "ratio, with the level 1 of the root: the children's s_c, and that of its record",
        "worst.record-levels-upper",
    )
    _record_of_a_bit(proof)
    ends(proof)
    _secret_record(proof)


def _record_of_a_bit(proof: Proof) -> None:
    bounds = [
        above_1 + e1 <= most * (above_0 + e0),
        above_1 + R * e1 <= most * (above_0 + R * e0),
        factor >= 1,
        factor <= R,
        R >= 1,
    ]
    proof.induction(
        "one more value",
        "m_x <= R m_y for all values, scaled so that they lie between 1 and R: moved one after "
        "another to 1 or to R. above_1, above_0 are the sums over the other values, those before "
        "the one at hand between 1 and R, the others 1 or R: at both ends of factor the quotient "
        "is at most e, so it is between them",
        base=(
            factor * e1 <= most * factor * e0,
            [e1 <= most * e0, factor >= 1],
        ),
        step=(above_1 + factor * e1 <= most * (above_0 + factor * e0), bounds),
    )


def _secret_record(proof: Proof) -> None:
    proof.inequality(
        "given the root's record",
        "The mean of a column f of the other records is a1 one + a0 zero given x_root = v, and b1 "
        "one + b0 zero given y, as the record tells of the others through its bit alone; one <= up "
        "zero and zero <= down one. If gamma at both ends is at most told, written with its "
        "denominators, so is the quotient",
        a1 * one + a0 * zero <= told * (b1 * one + b0 * zero),
        [
            Eq(a1 + a0, 1),
            Eq(b1 + b0, 1),
            a1 * up + a0 <= told * (b1 * up + b0),
            a1 + a0 * down <= told * (b1 + b0 * down),
            one <= up * zero,
            zero <= down * one,
        ],
    )
    proof.inequality(
        "the root's record",
        "u(v, .) <= R u(y, .), and f = u(y, .) has the levels of the others: A is its mean given "
        "x_root = v",
        mean_v <= R * told * mean_y,
        [mean_v <= R * A, A <= told * mean_y, R >= 1],
    )


def _attained(proof: Proof) -> None:
    proof.induction(
        "a product over the children",
        "u = m_root prod_c v_c with v_c a column of the records below c that attains the end, and "
        "m_root(x) = R or 1 that attains e: given the bit they are independent, so means multiply; "
        "m, n are the means so far given 1 and 0, with m = M n",
        base=(Eq(v, s * w), [Eq(v, s * w)]),
        step=(
            Eq(A, M * s * B),
            [Eq(m, M * n), Eq(v, s * w), Eq(B, n * w), Eq(A, m * v), n > 0],
        ),
    )
    end_of_a_child(proof)
    proof.identity(
        "the end for the root's record",
        "R at x_root = v, else 1, times a column of the others with one = t zero, t = prod s_c or "
        "1/prod d_c, has the ratio R gamma(t)",
        R * (a1 * S * zero + a0 * zero) / (b1 * S * zero + b0 * zero),
        R * (a1 * S + a0) / (b1 * S + b0),
    )
    one_factor_each(proof)


@claim(
    "worst.record-levels-network",
    where=CHAINS,
    statement="Let bits form a Bayesian network in which each has at most one parent, record j "
    "have the level R_j >= 1, and both values of X_i be possible. Over all mechanisms of these "
    "levels the largest ratios of P(w | X_i = 1) and P(w | X_i = 0), in both orders, are S and D "
    "of worst.record-levels for the records joined to i, with i for the root and, on each arrow "
    "that points towards i, the kernel P(parent | child) in place of P(child | parent), any "
    "kernel serving after a value that the child cannot have. Records that are not joined to i do "
    "not matter.",
    says=trees.NETWORK,
)
def record_levels_network(check: Check) -> None:
    """Prove that a forest seen from any record is a tree, whatever the arrows' directions."""
    proved(
        check,
        "as stated",
        "every finite forest of bits, all levels R_j >= 1",
        _network,
        arrows_that_keep_their_kernel=Edit("an arrow turned round", put={b: a}),
        other_trees_that_depend_on_the_record=Edit(
            "other trees", without=Eq(A, other * m), given=A >= 0
        ),
    )


def _network(proof: Proof) -> None:
    proof.inequality(
        "an arrow turned round",
        "p = P(parent), a = P(child | parent), q = P(child), b = P(parent | child), c = P(what is "
        "below the child | child): from p a c = P of all three, the parent given the child does "
        "not depend on what is below; so from the child on the parent is one more child of it, "
        "with the kernel b. Turned round from i on, all arrows point away from it",
        Eq(given, b),
        [Eq(p * a, q * b), Eq(given * q * c, p * a * c), q > 0, c > 0],
    )
    proof.cite("the tree of record i", "with i for the root", "worst.record-levels")
    proof.inequality(
        "other trees",
        "are independent of it: at fixed values of theirs, of probability other, u is a column of "
        "the records joined to i, with m <= S n for its means. Its part of the mean is other m "
        "given 1 and other n given 0, and sums keep A <= S B; 1 on them attains it",
        A <= S * B,
        [Eq(A, other * m), Eq(B, other * n), m <= S * n, n >= 0],
    )
