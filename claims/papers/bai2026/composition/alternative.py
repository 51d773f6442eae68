"""The theorem of the alternative for finite matrix games with real entries, by elimination of one
variable at a time.

It replaces the strong duality of linear programs in the proof of the necessary condition for
composition: entries are logarithms, so that no program with rational data is meant. Nothing but
elementary inequalities is used. Source: the elimination method of Fourier and Motzkin
(schrijver1986, section 12.2).
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes, real entries"
NOTATION = {
    "g_il": "real numbers, with i and l from two finite sets",
    "l": "an index of columns",
    "beta": "weights beta_l on the columns",
    "y_i": "numbers, one for each row",
}


@claim(
    "bai2026.x-alternative",
    where="beside Theorem 5.1",
    statement="For real numbers g_il, finitely many i and finitely many l, exactly one holds: "
    "there are beta_l >= 0 with sum 1 and sum_l beta_l g_il <= 0 for every i; or there are y_i "
    ">= 0 with sum_i y_i g_il > 0 for every l.",
    kind="lemma",
)
def alternative(check: Check) -> None:
    """Prove both halves: that one of the two exists, by elimination, and that both together are
    impossible.
    """
    name = "at least one exists"
    with check.reading(name, ALL_SIZES) as argument:
        _eliminate(argument)
        _multipliers(argument)
    check.near_miss(
        f"{name}: pairs of bounds not compared", lambda argument: _eliminate(argument, paired=False)
    )
    check.near_miss(f"{name}: larger by one", lambda argument: _multipliers(argument, larger=1))
    name = "not both exist"
    with check.reading(name, ALL_SIZES) as argument:
        _not_both(argument)
    check.near_miss(f"{name}: sums that may be 0", lambda argument: _not_both(argument, weak=True))


def _eliminate(argument: Argument, paired: bool = True) -> None:
    a, r, b, s, x, p, q, y, z = sympy.symbols("a r b s x p q y z")
    argument.case_split(
        "bounds can be compared",
        "A row is a x + r >= 0 with r the value of its other terms: a lower bound -r/a if a > 0, "
        "an upper one if a < 0. Of two lower bounds one is the larger, so a finite list has a "
        "largest, -s/b",
        [r * b >= s * a, r * b <= s * a],
        [a > 0, b > 0],
    )
    argument.inequality(
        "at the largest lower bound: rows that bound from below",
        "At x = -s/b",
        a * x + r >= 0,
        [a > 0, b > 0, Eq(b * x, -s), r * b >= s * a],
    )
    argument.inequality(
        "at the largest lower bound: rows that bound from above",
        "For every pair of a lower and an upper bound the derived row b (a x + r) + (-a)(b x + s) "
        "= b r - a s >= 0 is kept",
        a * x + r >= 0,
        [a < 0, b > 0, Eq(b * x, -s), *([b * r - a * s >= 0] if paired else [])],
    )
    argument.inequality(
        "rows without the variable",
        "are kept as they are",
        a * x + r >= 0,
        [Eq(a, 0), r >= 0, b > 0, Eq(b * x, -s)],
    )
    argument.inequality(
        "no lower bound",
        "Then x = -s/b for the least upper bound, b < 0 (any x if there is none)",
        a * x + r >= 0,
        [a < 0, b < 0, Eq(b * x, -s), r * b <= s * a],
    )
    argument.inequality(
        "derived rows are combinations",
        "A derived row is p times one row plus q times another, p, q >= 0: if these have the "
        "multipliers y and z for an original row, it has p y + q z",
        p * y + q * z >= 0,
        [p >= 0, q >= 0, y >= 0, z >= 0],
    )
    argument.identity(
        "the variable is gone",
        "In the derived row of a pair x has the coefficient b a + (-a) b",
        "b*a + (-a)*b",
        "0",
    )
    argument.inequality(
        "variables that are gone stay away",
        "Coefficients y = z = 0 of a variable eliminated before",
        Eq(p * y + q * z, 0),
        [Eq(y, 0), Eq(z, 0)],
    )


def _multipliers(argument: Argument, larger: int = 0) -> None:
    S, z, p, q = sympy.symbols("S z p q")
    argument.inequality(
        "what an unsolvable system has",
        "Eliminate all beta_l from the rows -sum_l g_il beta_l >= 0, beta_l >= 0, sum beta - 1 >= "
        "0, 1 - sum beta >= 0. What is left are numbers that should not be negative. If none is, "
        "going back gives beta. Else multipliers y_i, z_l, p, q >= 0 give every beta_l the "
        "coefficient 0 = -S + z_l + p - q, S = sum_i y_i g_il, and a constant q - p < 0: so S > 0",
        larger < S,
        [Eq(-S + z + p - q, 0), q - p < 0, z >= 0, p >= 0, q >= 0],
    )


def _not_both(argument: Argument, weak: bool = False) -> None:
    T, y, h, b, B, S, m = sympy.symbols("T y h b B S m")
    argument.cite(
        "order of summation",
        "T = sum_il y_i g_il beta_l, by rows and by columns",
        "lemma.finite-sums",
    )
    argument.induction(
        "by rows",
        "Each row adds y_i h with h = sum_l beta_l g_il <= 0",
        base=(y * h <= 0, [y >= 0, h <= 0]),
        step=(T + y * h <= 0, [T <= 0, y >= 0, h <= 0]),
    )
    argument.induction(
        "by columns",
        "Each column adds beta_l S_l with S_l = sum_i y_i g_il at least m, the smallest; B is the "
        "sum of the beta_l. As that is 1, there is a column",
        base=(b * S >= m * b, [b >= 0, S >= m]),
        step=(T + b * S >= m * (B + b), [T >= m * B, b >= 0, S >= m]),
    )
    argument.inequality(
        "contradiction",
        "B = 1 and m > 0 make T positive",
        T > 0,
        [T >= m * B, Eq(B, 1), (m >= 0) if weak else (m > 0)],
    )
