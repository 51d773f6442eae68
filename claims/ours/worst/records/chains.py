"""The worst Pufferfish ratio of per-bit differential privacy on chains and trees of bits, by a
Moebius recursion.

Bits on a rooted tree: a child has a kernel P with rows (P00, P01) and (P10, P11), and given the
parent its subtree is independent of the rest. Columns are the functions u of all bits with u(x) <=
R u(y) for x, y that differ in one bit. Messages of a bit are the largest ratios of its two means of
u: up (1 against 0) and down.

Prior art: along a chain this recursion is the privacy leakage of cao2017 and cao2018. That it is
exact over all mechanisms of the levels, and trees, are not there.
"""

from pufferproof.claims.ours.worst.records.said.interior import INTERIOR
from pufferproof.claims.ours.worst.statements.records import trees as says
from pufferproof.claims.registry import Check, claim

CHAINS = (
    "With differential privacy on top: chains and trees of bits (the recursion along chains: Cao "
    "et al. 2017, 2018)"
)


@claim(
    "worst.moebius-tree",
    where=CHAINS,
    statement="Over all mechanisms of per-bit level R >= 1 on a finite tree of bits, both values "
    "of the root being possible, the largest ratio of P(w | root = 1) and P(w | root = 0) over "
    "outputs w is S = R prod_c s_c over the children c of the root, s_c the larger of g_c at t "
    "= S_c and t = 1/D_c, S_c and D_c the messages up and down of the child and g_c(t) = (P11 "
    "t + P10)/(P01 t + P00) with its kernel; the largest ratio of P(w | root = 0) and P(w | "
    "root = 1) is D = R prod_c d_c, d_c the larger of 1/g_c at both. A leaf has S = D = R. The "
    "messages of a child are those of its subtree as a tree of its own.",
    says={"upper bound": says.TREE_UPPER, "attained": says.TREE_ATTAINED},
)
def moebius_tree(check: Check) -> None:
    """Prove the upper bound by replacing one factor at a time, and attain it by a product of
    columns.

    Upper bound. From "Averages are columns" to "The root": as in worst.moebius-upper. The larger of
    two ends: as in worst.hidden-levels.

    Attained. A product over the children: u(x) = R^(root) prod_c v_c with v_c a column of the
    subtree of c that attains the end: given the root the subtrees are independent, so means
    multiply, and changing one bit changes one factor, by at most R. The root's own factor is R at 1
    against 1 at 0. A column with E[v | x_c = 1] = t E[v | x_c = 0] has the quotient g_c(t). Per-bit
    levels are a cone with room for R > 1, and constants for R = 1 [worst.power-closed].
    """
    name = "upper bound"
    check.tried(name)
    name = "attained"
    check.tried(name)


@claim("worst.chain-interior", where=CHAINS, says=INTERIOR)
def chain_interior(check: Check) -> None:
    """Use it where all levels are R, with the messages of worst.moebius-tree.

    Coq proves it for levels R_j [worst.record-levels-interior].
    """
