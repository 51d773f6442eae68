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

    At least one exists. Eliminate all beta_l from the rows -sum_l g_il beta_l >= 0, beta_l >= 0,
    sum beta - 1 >= 0, 1 - sum beta >= 0 (Fourier and Motzkin). A row a x + r >= 0 bounds x by -r/a,
    from below if a > 0, from above if a < 0; for every pair of a lower and an upper bound the
    derived row b (a x + r) + (-a)(b x + s) = b r - a s >= 0 is kept, and rows without x are kept as
    they are. If the rows that are left can be solved then x = the largest lower bound (or the least
    upper one) solves all. Derived rows are combinations of the original ones with multipliers of at
    least 0, in which variables that are gone have the coefficient 0. What is left at the end are
    numbers. If none is negative, going back gives beta. Else multipliers y_i, z_l, over, under >= 0
    give every beta_l the coefficient 0 = -S + z_l + over - under, S = sum_i y_i g_il, and a
    constant under - over < 0: so S > 0.

    Not both exist. T = sum_il y_i g_il beta_l [lemma.finite-sums]: by rows it is at most 0; by
    columns it is at least the smallest S_l, which is positive, times the sum of the beta_l, which
    is 1.
    """
