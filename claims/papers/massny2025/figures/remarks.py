"""What the text says of its figures: gains over data-independent mechanisms, the relaxation, and
where the curves jump.

p = 1 throughout. M and S begin at distances f and g, N is n times a utility. Source: massny2025,
section V.
"""

from fractions import Fraction
from math import ceil, floor

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.papers.massny2025.figures.instances import (
    bound,
    least_constant,
    relaxed_constant,
    split,
    utility,
)
from pufferproof.claims.papers.massny2025.figures.statement import AT, CURVES
from pufferproof.claims.papers.massny2025.relaxation.statement import ALL
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

f, g, n, a, b, x, y, N, c, d, s, t = sympy.symbols("f g n a b x y N c d s t")
AT_LEAST = "never worse than the bound, for every feasible q"
SOMETIMES = "strictly better at some budget, the relaxation too"
SMALL = "the relaxation gains less at eps = 1/10 than at 1 and 2"
WIDER = "the supremum over feasible constants q is at least the utility of the relaxation"
JUMPS = "the relaxed utility jumps only where M changes"
BEST = "the supremum of the utilities of feasible constants q jumps only where M changes"
P1 = f"p = 1; {ALL}"
FALL = (Fraction(11, 25), Fraction(1111, 2500))


@claim(
    "massny2025.fig-claims",
    where="Section V",
    statement="With well designed q, 3R beats DIMs; the relaxation gains mainly at large eps and "
    "its advantage shrinks at small eps; numerically optimised constant q shows the wider "
    "potential; discontinuities come from jumps of |M|.",
    kind="remark",
)
def fig_claims(check: Check) -> None:
    """Refute that 3R is better at every budget and that the gain grows with it; settle the rest."""
    with check.reading(
        "3R beats DIMs at every budget of the figure", "one counterexample"
    ) as argument:
        argument.counterexample(
            "eps = 3",
            "a = 1/100, b = 4/5, n = 10, p = 1, eps = 3. Claimed: 3R beats DIMs. As 3 > log 20 = "
            "Inf(X_1~>X_2), M is empty: both mechanisms release all records but the first, and "
            "both have the utility 9/10",
            {
                "eps": 3,
                "a": "1/100",
                "b": "4/5",
                "n": 10,
                "p": 1,
                "regions": split(Fraction(3)),
                "bound": bound(Fraction(3)),
                "nu_3R": utility(split(Fraction(3)), Fraction(0)),
            },
            lambda: gain(Fraction(3), best=True)[1] <= 0,
        )
    with check.reading(
        "the gain of the relaxation grows with eps", "one counterexample"
    ) as argument:
        before, after = (gain(epsilon, best=False) for epsilon in FALL)
        argument.counterexample(
            "across eps = i1(3) = 0.4443...",
            "a = 1/100, b = 4/5, n = 10, p = 1. Claimed: the relaxation gains more at a larger "
            "eps. From eps = 0.44 to 0.4444, across i1(3), a record leaves M for S; delta of the "
            "last record of M jumps to nearly eps and q to nearly 1: the gain falls",
            {
                "eps": FALL[0],
                "n times its gain, at least": before[0],
                "larger eps": FALL[1],
                "n times that gain, at most": after[1],
            },
            lambda: after[1] < before[0],
        )
    settle(check)


def gain(epsilon: Fraction, best: bool) -> tuple[Fraction, Fraction]:
    """Enclose n times the utility above the bound, of the relaxation or of the best constant q,
    in steps of 1/10^9.
    """
    letters = split(epsilon)
    low, high = (least_constant if best else relaxed_constant)(letters, epsilon)
    least, most = (10 * (utility(letters, q) - bound(epsilon)) * 10**9 for q in (high, low))
    return Fraction(floor(least), 10**9), Fraction(ceil(most), 10**9)


@claim(
    "massny2025.x-fig-claims",
    where="Section V, what holds",
    statement="p = 1. Every 3R mechanism with eps_r = eps has at least the utility of every "
    "eps-private DIM. For a = 1/100, b = 4/5, n = 10 and each budget of the table in "
    "massny2025.fig3 below 3, both the constant q of the relaxation and the least constant q "
    "that keeps the budget give a utility strictly above that bound; the gain of the "
    "relaxation is smaller at eps = 1/10 than at eps = 1 and at eps = 2. The supremum of the "
    "utilities of constants q that keep the budget is at least that of the relaxation's "
    "constant; both are continuous in eps while M does not change.",
    kind="what holds of massny2025.fig-claims",
)
def fig_claims_repaired(check: Check) -> None:
    """Settle the parts that are true."""
    settle(check)


def settle(check: Check) -> None:
    """What holds of the remarks."""
    with check.reading(AT_LEAST, P1) as argument:
        _at_least(argument)
    check.near_miss(f"{AT_LEAST}: by one record", lambda argument: _at_least(argument, 1))
    budgets = [Fraction(row[0]) for row in CURVES]
    with check.reading(
        SOMETIMES, f"{AT}; all drawn budgets below 3 in the table of massny2025.fig3"
    ) as argument:
        argument.exhaust(
            "both gain", "twelve budgets but the last two, certified", budgets[:-2], _both_gain
        )
    check.near_miss(
        f"{SOMETIMES}: at eps = 3 too",
        lambda argument: argument.exhaust("both gain", "all", budgets, _both_gain),
    )
    with check.reading(SMALL, AT) as argument:
        _small(argument, 1)
    check.near_miss(f"{SMALL}: less than a tenth of it", lambda argument: _small(argument, 10))
    with check.reading(WIDER, ALL) as argument:
        argument.cite(
            "feasible",
            "The relaxed q, d, is a constant that keeps the budget: the infimum c of the feasible "
            "ones is no larger",
            "massny2025.two-sided",
        )
        argument.cite("utility", "falls with q", "massny2025.util-direction-repaired")
        _no_larger(argument)
    check.near_miss(
        f"{WIDER}: a larger q is better", lambda argument: _no_larger(argument, larger=True)
    )
    with check.reading(JUMPS, P1) as argument:
        _continuous(argument)
    check.near_miss(
        f"{JUMPS}: delta_t jumping too", lambda argument: _continuous(argument, moved=True)
    )
    with check.reading(BEST, P1) as argument:
        argument.cite(
            "feasible q",
            "have an infimum that is continuous in eps while M stays",
            "massny2025.x-feasible-up-set",
        )
        argument.cite("utility", "is linear in q", "massny2025.thm1-utility")
        _no_larger(argument)
    check.near_miss(
        f"{BEST}: a larger q is better", lambda argument: _no_larger(argument, larger=True)
    )


def _both_gain(epsilon: Fraction) -> bool:
    return min(gain(epsilon, best=True)[0], gain(epsilon, best=False)[0]) > 0


def _small(argument: Argument, factor: int) -> None:
    argument.exhaust(
        "larger budgets",
        "n times the utility above the bound, against eps = 1/10",
        [Fraction(1), Fraction(2)],
        lambda large: factor * gain(Fraction(1, 10), best=False)[1] < gain(large, best=False)[0],
    )


def _at_least(argument: Argument, extra: int = 0) -> None:
    argument.cite("3R", "(a+b) N = (a+b)|S| + b sum of (1 - q_t)", "massny2025.thm1-utility")
    argument.cite(
        "S", "is all records from the distance g = D* on", "massny2025.x-regions-intervals"
    )
    argument.cite(
        "no DIM is better",
        "one that releases a record at distance D leaks at least i1(D): it releases records of S "
        "only",
        "massny2025.cor3",
    )
    argument.inequality(
        "the bound",
        "n times the bound of theorem 2 is n - g if g <= n - 1, and 0 otherwise; x = |S|, y the "
        "sum of 1 - q_t",
        And(N >= n - g + extra, N >= 0),
        [
            Eq((a + b) * N, (a + b) * x + b * y),
            a > 0,
            b > 0,
            y >= 0,
            n >= 1,
            g >= 1,
            Or(And(g <= n - 1, Eq(x, n - g)), And(g >= n, Eq(x, 0))),
        ],
    )


def _no_larger(argument: Argument, larger: bool = False) -> None:
    argument.inequality(
        "a smaller q",
        "x records of M",
        x * (1 - c) >= x * (1 - d),
        [c >= d if larger else c <= d, x >= 0],
    )


def _continuous(argument: Argument, moved: bool = False) -> None:
    """c, d are eps - delta at two budgets, at most s apart; so are their quotients by k >= 1
    and the least of them.
    """
    argument.cite(
        "relaxed q",
        "-log q = min (eps - delta_t)/|M_t|; delta_t and |M_t| depend on M alone",
        "massny2025.qconst",
    )
    k = sympy.Symbol("k")
    argument.inequality(
        "each quotient",
        "d = c + s for a budget larger by s",
        And(d <= c + s, d >= c, (d - c) <= k * s),
        [d >= c if moved else Eq(d, c + s), s >= 0, k >= 1],
    )
    argument.inequality(
        "the least of two",
        "x <= c, d before, y after, each at most s larger: -log q moves by at most s, and the "
        "utility continuously",
        And(y <= x + s, y >= x),
        [
            Or(Eq(x, c), Eq(x, d)),
            x <= c,
            x <= d,
            Or(Eq(y, f), Eq(y, g)),
            y <= f,
            y <= g,
            f >= c,
            f <= c + s,
            g >= d,
            g <= d + s,
        ],
    )
