"""A box of chains over any alphabet: a bound of the worst case about the first record, by a
recursion over sets of values, which two records reach; and chains that go to all other values
alike, for which it is exact whatever the number of values and records.
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

a = letter("a", "the probability to stay", at_least(0))
q = letter("go", "the probability of each other value", at_least(0))
c = letter("rest", "the mass of the values of A that are neither v nor w", at_least(0))
t = letter("t", "D_(j+1) - 1, what later records tell, less 1", at_least(0))
high, high2 = letters("high high2", "E[u | X_j = v], and that of one record more", above(0))
low, low2 = letters("low low2", "E[u | X_j = y] for any other value y, and that", above(0))
D, D2 = letters("D D2", "D_(j+1) and D_j", at_least(1))

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
    """Show that a set tells most if it is one value, and that all others are alike."""
    proved(
        check,
        "as stated",
        "every number of values and records, all levels R_j >= 1",
        _symmetric,
        a_chain_that_seldom_stays=Edit("larger sets", without=q <= a),
        a_value_that_is_not_alike=Edit("the counting column: step", put={low2: high2}),
    )


def _symmetric(proof: Proof) -> None:
    proof.cite("the bound", "by sets of values, of the box that is one matrix", "worst.box-sets")
    proof.inequality(
        "larger sets",
        "a set with v, without w and with other values of mass c has masses a + c in row v, q + c "
        "in row w; one with both or neither has the same in both, one with w alone less in row v",
        (1 + t * (a + c)) * (1 + t * q) <= (1 + t * a) * (1 + t * (q + c)),
        [q <= a],
    )
    proof.induction(
        "the counting column",
        "u is R_j times as large for each record j that is v. Its means given X_j = v and given "
        "another value have the quotient D_j",
        base=(Eq(high, D * low), [Eq(high, R * low), Eq(D, R)]),
        step=(
            Eq(high2, D2 * low2),
            [
                Eq(high, D * low),
                Eq(high2, R * (a * high + (1 - a) * low)),
                Eq(low2, q * high + (1 - q) * low),
                Eq(D2 * (1 + (D - 1) * q), R * (1 + (D - 1) * a)),
                q <= 1,
            ],
        ),
    )
