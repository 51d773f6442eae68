"""The theorem of the alternative for finite matrix games with real entries, by elimination of one
variable at a time.

It replaces the strong duality of linear programs in the proof of the necessary condition for
composition: entries are logarithms, so that no program with rational data is meant. Nothing but
elementary inequalities is used. Source: the elimination method of Fourier and Motzkin
(schrijver1986, section 12.2).
"""

from pufferproof.claims.papers.bai2026.statements import runs
from pufferproof.claims.registry import Check, claim

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

    At least one exists. Bounds can be compared: A row is a x + r >= 0 with r the value of its other
    terms: a lower bound -r/a if a > 0, an upper one if a < 0. Of two lower bounds one is the
    larger, so a finite list has a largest, -s/b. At the largest lower bound: rows that bound from
    below: At x = -s/b. At the largest lower bound: rows that bound from above: For every pair of a
    lower and an upper bound the derived row b (a x + r) + (-a)(b x + s) = b r - a s >= 0 is kept.
    Rows without the variable: are kept as they are. No lower bound: Then x = -s/b for the least
    upper bound, b < 0 (any x if there is none). Derived rows are combinations: A derived row is p
    times one row plus q times another, p, q >= 0: if these have the multipliers u and v for an
    original row, it has p u + q v. The variable is gone: In the derived row of a pair x has the
    coefficient b a + (-a) b. Variables that are gone stay away: Coefficients u = v = 0 of a
    variable eliminated before. What an unsolvable system has: Eliminate all beta_l from the rows
    -sum_l g_il beta_l >= 0, beta_l >= 0, sum beta - 1 >= 0, 1 - sum beta >= 0. What is left are
    numbers that should not be negative. If none is, going back gives beta. Else multipliers y_i,
    z_l, over, under >= 0 give every beta_l the coefficient 0 = -S + z_l + over - under, S = sum_i
    y_i g_il, and a constant under - over < 0: so S > 0.

    Not both exist. Order of summation: T = sum_il y_i g_il beta_l, by rows and by columns
    [lemma.finite-sums]. By rows: Each row adds y_i h with h = sum_l beta_l g_il <= 0. By columns:
    Each column adds beta_l S_l with S_l = sum_i y_i g_il at least m, the smallest; B is the sum of
    the beta_l. As that is 1, there is a column. Contradiction: B = 1 and m > 0 make T positive.
    """
    check.tried("at least one exists")
    check.tried("not both exist")
