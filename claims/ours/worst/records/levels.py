"""Levels that differ from record to record: the Moebius recursion stays exact, levels of adaptive
releases multiply record by record, and on trees of bits any way to split them is as bad.

Record j has the level R_j: columns have u(x) <= R_j u(y) for databases x, y that differ in record j
alone. In formulas R is the level of the record at hand.
"""

from pufferproof.claims.ours.worst.records.chains import CHAINS
from pufferproof.claims.ours.worst.records.said.interior import INTERIOR
from pufferproof.claims.ours.worst.statements.records import hidden, trees
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "R_j": "e to the level of record j",
    "c_j": "0 or 1, one for each record j",
    "S_c, D_c": "the messages up and down of the child c",
    "x, y": "databases, or values of the root",
    "z, z'": "values of a child",
    "m_z": "numbers > 0, one for each value of a child",
    "s_c, d_c": "what the child c contributes to S, and to D",
}


@claim(
    "worst.record-levels",
    where=CHAINS,
    statement="Over all mechanisms of level R_j >= 1 for record j on a finite tree of bits, both "
    "values of the root being possible, the largest ratio of P(w | root = 1) and P(w | root = 0) "
    "over outputs w is S = R_root prod_c s_c over the children c of the root, s_c the larger of "
    "g_c at t = S_c and t = 1/D_c, with g_c(t) = (P11 t + P10)/(P01 t + P00); in the other order "
    "it is D = R_root prod_c d_c, d_c the larger of 1/g_c at both. A leaf j has S = D = R_j. Both "
    "are attained by columns that are products of one factor for each record: R_j where x_j = "
    "c_j, else 1.",
    says={"upper bound": trees.LEVELS_UPPER, "attained": trees.LEVELS_ATTAINED},
)
def record_levels(check: Check) -> None:
    """Prove it as for one level, and follow the columns that attain it.

    Upper bound. Averages are columns: The column of a leaf is a pair of numbers within its factor
    R_j, and averages of u over the laws of other subtrees keep the levels of the records below c
    [lemma.mediant]. When one child more follows its law given root = 1, the mean changes by at most
    s_c. The root: u(1, .) <= R u(0, .) at every database. The larger of two ends: as in
    worst.hidden-levels.

    Attained. u(x) = R_root^(x_root) prod_c v_c with v_c a column of the subtree of c that attains
    the end; given the root the subtrees are independent, so means multiply. For the other order the
    root's factor stands at 0. A column with E[v | x_c = 1] = t E[v | x_c = 0], t = S_c or 1/D_c,
    has the quotient g_c(t). From "One factor for each record" to "Records of level 1": as in
    worst.hidden-levels.
    """


@claim(
    "worst.record-levels-upper",
    where=CHAINS,
    statement="On a finite tree of records with any finite alphabet and the level R_j >= 1 for "
    "record j, the largest ratio of P(w | root = x) and P(w | root = y) is at most S(x, y) = "
    "R_root prod_c s_c(x, y), s_c(x, y) the largest sum_z P(z | x) m_z / sum_z P(z | y) m_z over "
    "m > 0 with m_z <= S_c(z, z') m_z' for all values z, z' of the child c; a leaf j has S = R_j.",
    says={"upper bound": trees.ANY_ALPHABET},
)
def record_levels_upper(check: Check) -> None:
    """Prove it as for bits: the vector of means of a child satisfies its messages.

    From "Averages are columns" to "The root": as in worst.record-levels. Means of a child: The
    means m_z = E[v | x_c = z] have m_z <= S_c(z, z') m_z' by induction, so the quotient of their
    averages is at most s_c, also where the means are scaled by some n > 0.
    """


@claim("worst.record-levels-interior", where=CHAINS, says=INTERIOR)
def record_levels_interior(check: Check) -> None:
    """Coq proves that a chain seen from any bit is a tree, whatever the levels.

    The reversed chain is a chain: p = P(x_(j-1)), a = P(x_j | x_(j-1)), q = P(x_j), b = P(x_(j-1) |
    x_j), c = P(x_(j+1) | x_j) and d = P(x_(j+1)): from p a c = P of all three, x_(j-1) given x_j
    does not depend on x_(j+1). Given X_i the sides are independent: P(left, X_i, right) = before
    chance after with before = P(left, X_i)/P(X_i), chance = P(X_i), after = P(right | X_i): divided
    by chance it is a product. A tree with two children: the root is bit i [worst.record-levels].
    """


@claim(
    "worst.record-levels-adaptive",
    where=CHAINS,
    statement="Let mechanisms k = 1 .. K be run one after the other, each chosen by the outputs "
    "before it, with the level R_kj >= 1 for record j whatever these were. Every column of the "
    "joint release has the level R_j = prod_k R_kj for record j, on any set of databases: what "
    "bounds all columns of these levels bounds the joint release. On a finite tree of bits the "
    "largest ratios S and D of worst.record-levels are attained by K independent mechanisms, "
    "however the R_j are products of levels R_kj.",
    says={"levels multiply": hidden.MULTIPLY, "attained however levels are split": hidden.SPLIT},
)
def record_levels_adaptive(check: Check) -> None:
    """Prove that levels multiply record by record, and split the columns that attain the bound.

    Levels multiply. At x and y, which differ in record j alone, the next mechanism, whichever the
    outputs chose, has next_x <= R next_y.

    Attained however levels are split. The columns that attain the bound are products of R_j where
    x_j = c_j, else 1 [worst.record-levels]: with R_j = prod_k R_kj the entrywise product over k of
    those with R_kj. From "One factor for each record" to "Records of level 1": as in
    worst.hidden-levels.
    """
