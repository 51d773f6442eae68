"""The theorem of the alternative for finite matrix games with real entries, by elimination of one
variable at a time.

It replaces the strong duality of linear programs in the proof of the necessary condition for
composition: entries are logarithms, so that no program with rational data is meant. Nothing but
elementary inequalities is used. Source: the elimination method of Fourier and Motzkin
(schrijver1986, section 12.2).
"""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, at_least, at_most, letter, letters, proved
from pufferproof.claims.papers.bai2026.statements import runs
from pufferproof.claims.registry import Check, claim

a, r = letters("a r", "the coefficient of the variable in a row, and the value of its other terms")
b, s = letters("b s", "the same of another row")
x = letter("x", "the variable that is eliminated")
p, q = letters("p q", "the factors of two rows in a derived row")
u, v = letters("u v", "the multipliers of these two rows for an original row")
S = letter("S", "S_l = sum_i y_i g_il")
z = letter("z", "the multiplier of the row beta_l >= 0", at_least(0))
over, under = letters(
    "over under", "the multipliers of sum beta - 1 >= 0 and of 1 - sum beta >= 0", at_least(0)
)
T = letter("T", "the sum of y_i g_il beta_l over the first rows, or columns")
y = letter("y", "y_i of the next row", at_least(0))
h = letter("h", "sum_l beta_l g_il of the next row", at_most(0))
beta = letter("beta", "weights beta_l on the columns", at_least(0))
B = letter("B", "the sum of the beta_l of the first columns")
m = letter("m", "the least S_l")

REAL_ENTRIES = "all finite sizes, real entries"
NOTATION = {
    "g_il": "real numbers, with i and l from two finite sets",
    "l": "an index of columns",
    "y_i": "numbers, one for each row",
}


@claim(
    "bai2026.x-alternative",
    where="beside Theorem 5.1",
    statement="For real numbers g_il, finitely many i and finitely many l, exactly one holds: "
    "there are beta_l >= 0 with sum 1 and sum_l beta_l g_il <= 0 for every i; or there are y_i "
    ">= 0 with sum_i y_i g_il > 0 for every l.",
    kind="lemma",
    says={"at least one exists": runs.AT_LEAST_ONE, "not both exist": runs.NOT_BOTH},
)
def alternative(check: Check) -> None:
    """Prove both halves: that one of the two exists, by elimination, and that both together are
    impossible.
    """
    compared = "at the largest lower bound: rows that bound from above"
    proved(
        check,
        "at least one exists",
        REAL_ENTRIES,
        _exists,
        pairs_of_bounds_not_compared=Edit(compared, without=b * r - a * s >= 0),
        larger_by_one=Edit("what an unsolvable system has", instead=S > 1),
    )
    proved(
        check,
        "not both exist",
        REAL_ENTRIES,
        _not_both,
        sums_that_may_be_0=Edit("contradiction", without=m > 0, given=m >= 0),
    )


def _exists(proof: Proof) -> None:
    _largest_bound(proof)
    _derived_rows(proof)
    _multipliers(proof)


def _largest_bound(proof: Proof) -> None:
    proof.case_split(
        "bounds can be compared",
        "A row is a x + r >= 0 with r the value of its other terms: a lower bound -r/a if a > 0, "
        "an upper one if a < 0. Of two lower bounds one is the larger, so a finite list has a "
        "largest, -s/b",
        [r * b >= s * a, r * b <= s * a],
        [a > 0, b > 0],
    )
    proof.inequality(
        "at the largest lower bound: rows that bound from below",
        "At x = -s/b",
        a * x + r >= 0,
        [a > 0, b > 0, Eq(b * x, -s), r * b >= s * a],
    )
    proof.inequality(
        "at the largest lower bound: rows that bound from above",
        "For every pair of a lower and an upper bound the derived row b (a x + r) + (-a)(b x + s) "
        "= b r - a s >= 0 is kept",
        a * x + r >= 0,
        [a < 0, b > 0, Eq(b * x, -s), b * r - a * s >= 0],
    )
    proof.inequality(
        "rows without the variable",
        "are kept as they are",
        a * x + r >= 0,
        [Eq(a, 0), r >= 0, b > 0, Eq(b * x, -s)],
    )
    proof.inequality(
        "no lower bound",
        "Then x = -s/b for the least upper bound, b < 0 (any x if there is none)",
        a * x + r >= 0,
        [a < 0, b < 0, Eq(b * x, -s), r * b <= s * a],
    )


def _derived_rows(proof: Proof) -> None:
    proof.inequality(
        "derived rows are combinations",
        "A derived row is p times one row plus q times another, p, q >= 0: if these have the "
        "multipliers u and v for an original row, it has p u + q v",
        p * u + q * v >= 0,
        [p >= 0, q >= 0, u >= 0, v >= 0],
    )
    proof.identity(
        "the variable is gone",
        "In the derived row of a pair x has the coefficient b a + (-a) b",
        "b*a + (-a)*b",
        "0",
    )
    proof.inequality(
        "variables that are gone stay away",
        "Coefficients u = v = 0 of a variable eliminated before",
        Eq(p * u + q * v, 0),
        [Eq(u, 0), Eq(v, 0)],
    )


def _multipliers(proof: Proof) -> None:
    proof.inequality(
        "what an unsolvable system has",
        "Eliminate all beta_l from the rows -sum_l g_il beta_l >= 0, beta_l >= 0, sum beta - 1 >= "
        "0, 1 - sum beta >= 0. What is left are numbers that should not be negative. If none is, "
        "going back gives beta. Else multipliers y_i, z_l, over, under >= 0 give every beta_l the "
        "coefficient 0 = -S + z_l + over - under, S = sum_i y_i g_il, and a constant under - over "
        "< 0: so S > 0",
        S > 0,
        [Eq(-S + z + over - under, 0), under - over < 0],
    )


def _not_both(proof: Proof) -> None:
    proof.cite(
        "order of summation",
        "T = sum_il y_i g_il beta_l, by rows and by columns",
        "lemma.finite-sums",
    )
    proof.summed(
        "by rows",
        "Each row adds y_i h with h = sum_l beta_l g_il <= 0",
        so_far=T <= 0,
        adding={T: y * h},
    )
    proof.summed(
        "by columns",
        "Each column adds beta_l S_l with S_l = sum_i y_i g_il at least m, the smallest; B is the "
        "sum of the beta_l. As that is 1, there is a column",
        so_far=T >= m * B,
        adding={T: beta * S, B: beta},
        given=[S >= m],
    )
    proof.inequality(
        "contradiction", "B = 1 and m > 0 make T positive", T > 0, [T >= m * B, Eq(B, 1), m > 0]
    )
