"""Levels per record where bits are hidden and records show them, and where the arrows of a network
point in any direction: both are trees of worst.record-levels seen from the record asked about.

A hidden bit is a record of level 1: columns do not depend on it. In formulas R is the level of the
record at hand.
"""

from pufferproof.claims.ours.worst.records.chains import CHAINS
from pufferproof.claims.ours.worst.statements.records import hidden as says
from pufferproof.claims.ours.worst.statements.records import trees
from pufferproof.claims.registry import Check, claim

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
    """Prove it from trees of any alphabet, in which hidden bits have the level 1.

    Upper bound. Hidden bits and records together are a tree in which a bit has its record for a
    leaf, and a column of the records is one of level 1 for every bit: S(x, y) there bounds the
    ratio, the children's s_c and that of the root's record [worst.record-levels-upper]. m_x <= R
    m_y for all values, scaled so that they lie between 1 and R and moved one after another to an
    end: the quotient is at most e. The larger of two ends: m = E[v | x_c = 1] and n = E[v | x_c =
    0] > 0 have m <= S_c n and n <= D_c m. If g at both ends is at most s, then P11 m + P10 n <= s
    (P01 m + P00 n). Given the root's record: The mean of a column f of the other records is a1 one
    + a0 zero given x_root = v, and b1 one + b0 zero given y, as the record tells of the others
    through its bit alone; one <= up zero and zero <= down one. If gamma at both ends is at most
    told, so is the quotient, and u(v, .) <= R u(y, .).

    Attained. u = m_root prod_c v_c with v_c a column of the records below c that attains the end,
    and m_root(x) = R or 1 that attains e: given the bit they are independent, so means multiply,
    and E[v | x_c = 1] = t E[v | x_c = 0] has the quotient g_c(t). The end for the root's record: R
    at x_root = v, else 1, times a column of the others with one = t zero has the ratio R gamma(t).
    One factor for each record: By induction v_c is such a product, and so is u. Changing record j
    alone changes one factor, u against u2, which lie between 1 and R. Such columns occur: For small
    > 0 the column 1 - small u of the other output has the levels too: with R > 1 as there is room,
    with R = 1 as u = u2. Records of level 1: u and u2 agree, and so do the other output's entries.

    Hidden chains. The reversed chain is a chain, and given X_i the sides are independent: P(left,
    X_i, right) divided by P(X_i) is a product.
    """


@claim(
    "worst.record-levels-network",
    where=CHAINS,
    statement="Let bits form a Bayesian network in which each has at most one parent, record j "
    "have the level R_j >= 1, and both values of X_i be possible. Over all mechanisms of these "
    "levels the largest ratios of P(w | X_i = 1) and P(w | X_i = 0), in both orders, are S and D "
    "of worst.record-levels for the records joined to i, with i for the root and, on each arrow "
    "that points towards i, the kernel P(parent | child) instead of P(child | parent), any "
    "kernel serving after a value that the child cannot have. Records that are not joined to i do "
    "not matter.",
    says=trees.NETWORK,
)
def record_levels_network(check: Check) -> None:
    """Prove that a forest seen from any record is a tree, whatever the arrows' directions.

    An arrow turned round: p = P(parent), a = P(child | parent), q = P(child), b = P(parent |
    child), c = P(what is below the child | child): from p a c = P of all three, the parent given
    the child does not depend on what is below; so from the child on the parent is one more child of
    it, with the kernel b. Turned round from i on, all arrows point away from it. The tree of record
    i: with i for the root [worst.record-levels]. Other trees: are independent of it: at fixed
    values of theirs, of probability other, u is a column of the records joined to i, with m <= S n
    for its means. Its part of the mean is other m given 1 and other n given 0, and sums keep A <= S
    B; 1 on them attains it.
    """
