"""A box of chains over any alphabet: a bound of the worst case about the first record, by a
recursion over sets of values, which two records reach.
"""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.worst.records.alphabets import WHERE, worst_sets
from pufferproof.claims.ours.worst.statements.records import sets as says
from pufferproof.claims.registry import Check, claim

R = letter("R", "R_j", at_least(1))
R2 = letter("R2", "R_2", at_least(1))
N, M = letters("N M", "E[u | X_j = v] and E[u | X_j = w]", above(0))
inner = letter("inner", "E[ubar | X_j = v], ubar with the value w in place of X_j", above(0))
g = letter("g", "the largest quotient of the box, over all sets", at_least(1))
x = letter("x", "how far means of u over the later records are apart, less 1", at_least(0))
y = letter("y", "D_(j+1) - 1", at_least(0))
in_v, in_w = letters("in_v in_w", "the masses of a set in rows v, w of a chain", at_least(0))
most, least = letters("most least", "the largest mass in row v, the least in row w", at_least(0))

NOTATION = {
    "v, w": "two values",
    "u": "a column with levels R_1 .. R_n: u changes by a factor of at most R_j with record j",
    "box": "all matrices whose rows are between two bounds each, entry by entry",
}


@claim(
    "worst.box-sets",
    where=WHERE,
    statement="Take all chains whose matrix is in a box, with any law of X_1. Let D_n = R_n and "
    "D_j = R_j times the largest (1 + (D_(j+1) - 1) most)/(1 + (D_(j+1) - 1) least), over values "
    "v, w and sets A of values, most the largest mass of A in row v of the box, least the least "
    "one in row w. For all columns u with levels R_1 .. R_n, n >= 1, the quotient E[u | X_1 = v]/"
    "E[u | X_1 = w] is at most D_1, taken for v and w alone in the last step. If n = 2 that is "
    "reached.",
    says={"upper bound": says.BOUNDED, "two records": says.REACHED},
)
def box_sets(check: Check) -> None:
    """Bound one step for one chain, and then for the box."""
    proved(
        check,
        "upper bound",
        "every alphabet, every number of records, all levels R_j >= 1",
        _bounded,
        a_set_with_less_mass=Edit("the box", without=in_v <= most),
        a_smaller_bound_before=Edit("the box", without=x <= y),
        without_its_own_level=Edit("its own record", put={R: 1}),
    )
    proved(
        check,
        "two records",
        "every alphabet, both levels at least 1",
        _reached,
        the_same_row_for_both=Edit("a chain and a column", put={least: most}),
    )


def _bounded(proof: Proof) -> None:
    proof.inequality(
        "its own record",
        "u at v is at most R_j times ubar, u at w, where the later records are the same. What "
        "these tell, g, is of the column ubar of the later records",
        N <= R * g * M,
        [N <= R * inner, inner <= g * M],
    )
    worst_sets(proof)
    proof.inequality(
        "the box",
        "means of a column of X_(j+1) .. X_n given X_(j+1) are apart by D_(j+1) at most, by "
        "induction. A set of values has no more mass in row v than most, and no less in row w than "
        "least; g is at least the "
        "quotient of both, and 1, that of no values",
        1 + x * in_v <= g * (1 + x * in_w),
        [in_v <= most, least <= in_w, x <= y, 1 + y * most <= g * (1 + y * least)],
    )


def _reached(proof: Proof) -> None:
    proof.inequality(
        "a chain and a column",
        "rows v and w of a box are chosen apart: one has the most mass on A, the other the least. "
        "The column is R_1 at X_1 = v, times R_2 where X_2 is in A",
        Eq(N * (1 + (R2 - 1) * least), R * (1 + (R2 - 1) * most) * M),
        [Eq(N, R * (R2 * most + 1 - most)), Eq(M, R2 * least + 1 - least)],
    )
