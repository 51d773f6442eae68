"""A box of chains over any alphabet: a bound of the worst case about the first record, by a
recursion over sets of values, which two records reach; and chains that go to all other values
alike, for which it is exact whatever the number of values and records.
"""

from pufferproof.claims.ours.worst.records.alphabets import WHERE
from pufferproof.claims.ours.worst.statements.records import sets as says
from pufferproof.claims.registry import Check, claim

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
    """Bound one step for one chain, and then for the box.

    Upper bound. u at v is at most R_j times ubar, u at w, where the later records are the same, and
    what these tell is of the column ubar. E[ubar | X_c = y] = f (1 + (D - 1) h), f its least value:
    p h - ratio q h is at most p - ratio q where that is positive, else at most 0, and ratio is at
    least that of the set with p > ratio q. The box: means given X_(j+1) are apart by D_(j+1) at
    most, by induction; a set of values has no more mass in row v than most, and no less in row w
    than least.

    Two records. Rows v and w of a box are chosen apart: one has the most mass on A, the other the
    least. The column is R_1 at X_1 = v, times R_2 where X_2 is in A.
    """


@claim(
    "worst.symmetric-chains",
    where=WHERE,
    statement="A chain of k >= 2 values stays with the probability a and goes to each other value "
    "with q, a + (k - 1) q = 1, a >= q. Whatever the law of X_1, the largest E[u | X_1 = v]/"
    "E[u | X_1 = w], v and w two values, over all columns u with levels R_1 .. R_n is D_1: "
    "D_n = R_n and D_j = R_j (1 + (D_(j+1) - 1) a)/(1 + (D_(j+1) - 1) q). It is reached by the "
    "column that is R_j times as large for each record j that is v.",
    says=says.SYMMETRIC,
)
def symmetric_chains(check: Check) -> None:
    """Show that a set tells most if it is one value, and that all others are alike.

    The bound: by sets of values, of the box that is one matrix [worst.box-sets]. Larger sets: a set
    with v, without w and with other values of mass c has masses a + c in row v, q + c in row w; one
    with both or neither has the same in both, one with w alone less in row v. The counting column:
    u is R_j times as large for each record j that is v. Its means given X_j = v and given another
    value have the quotient D_j.

    An engine proves its formula [lemma.symmetric-chains].
    """
