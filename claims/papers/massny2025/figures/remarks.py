"""What the text says of its figures: gains over data-independent mechanisms, the relaxation, and
where the curves jump.

p = 1 throughout. Source: massny2025, section V.
"""

from fractions import Fraction
from functools import partial
from math import ceil, floor

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.figures import statements
from pufferproof.claims.papers.massny2025.figures.instances import (
    bound,
    least_constant,
    relaxed_constant,
    split,
    utility,
)
from pufferproof.claims.papers.massny2025.figures.statement import AT, CURVES
from pufferproof.claims.papers.massny2025.relaxation import limit_statements
from pufferproof.claims.registry import Check, claim

AT_LEAST = "never worse than the bound, for every feasible q"
SOMETIMES = "strictly better at some budget, the relaxation too"
SMALL = "the relaxation gains less at eps = 1/10 than at 1 and 2"
WIDER = "the supremum over feasible constants q is at least the utility of the relaxation"
JUMPS = "the relaxed utility jumps only where M changes"
BEST = "the supremum of the utilities of feasible constants q jumps only where M changes"
CURVES_OF_ONE_CHAIN = (
    "it is about the numbers of one chain at budgets with irrational e^eps, which its steps enclose"
)
NO_INSTANCES = {SOMETIMES: CURVES_OF_ONE_CHAIN, SMALL: CURVES_OF_ONE_CHAIN}
SAYS = {
    **statements.FOR_EVERY_CHAIN,
    JUMPS: limit_statements.RELAXED_UTILITY,
    BEST: limit_statements.BEST_UTILITY,
}
FALL = (Fraction(11, 25), Fraction(1111, 2500))


@claim(
    "massny2025.fig-claims",
    where="Section V",
    statement="With well designed q, 3R beats DIMs; the relaxation gains mainly at large eps and "
    "its advantage shrinks at small eps; numerically optimised constant q shows the wider "
    "potential; discontinuities come from jumps of |M|.",
    kind="remark",
    says=SAYS,
    unsaid=NO_INSTANCES,
)
def fig_claims(check: Check) -> None:
    """Settle what holds; refute that 3R is better at every budget and that the gain grows with
    it.

    Never worse than the bound, for every feasible q. (a+b) N = (a+b)|S| + b sum of (1 - q_t) for 3R
    [massny2025.thm1-utility], S all records from g = D* on [massny2025.x-regions-intervals]. A DIM
    that releases a record at distance D leaks at least i1(D), so it releases records of S only
    [massny2025.cor3]; n times the bound of theorem 2 is n - g if g <= n - 1, and 0 otherwise.

    The supremum over feasible constants q is at least the utility of the relaxation. The relaxed q
    is a constant that keeps the budget [massny2025.two-sided], and utility falls with q
    [massny2025.util-direction-repaired].

    The relaxed utility jumps only where M changes. -log q = min (eps - delta_t)/|M_t|; delta_t and
    |M_t| depend on M alone [massny2025.qconst]: for a budget larger by s -log q moves by at most s.

    The supremum of the utilities of feasible constants q jumps only where M changes. Feasible q
    have an infimum that is continuous in eps while M stays [massny2025.x-feasible-up-set], and
    utility is linear in q.
    """
    settle(check)
    proved(check, "3R beats DIMs at every budget of the figure", "one counterexample", _no_gain)
    proved(check, "the gain of the relaxation grows with eps", "one counterexample", _falls)


def _no_gain(proof: Proof) -> None:
    proof.counterexample(
        "eps = 3",
        "Take a = 1/100, b = 4/5, n = 10, p = 1 and eps = 3. The paper claims that 3R beats DIMs. "
        "As 3 > log 20 = Inf(X_1~>X_2), M is empty: both mechanisms release all records but the "
        "first, and both have the utility 9/10",
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


def _falls(proof: Proof) -> None:
    before, after = (gain(epsilon, best=False) for epsilon in FALL)
    proof.counterexample(
        "across eps = i1(3) = 0.4443...",
        "Take a = 1/100, b = 4/5, n = 10 and p = 1. The paper claims that the relaxation gains "
        "more at a larger eps. From eps = 0.44 to 0.4444, across i1(3), a record leaves M for S; "
        "delta of the last record of M jumps to nearly eps and q to nearly 1: the gain falls",
        {
            "eps": FALL[0],
            "n times its gain, at least": before[0],
            "larger eps": FALL[1],
            "n times that gain, at most": after[1],
        },
        lambda: after[1] < before[0],
    )


def gain(epsilon: Fraction, best: bool) -> tuple[Fraction, Fraction]:
    """Enclose n times the utility above the bound, of the relaxation or of the best constant q,
    in steps of 1/10^9.
    """
    drawn = split(epsilon)
    low, high = (least_constant if best else relaxed_constant)(drawn, epsilon)
    least, most = (10 * (utility(drawn, q) - bound(epsilon)) * 10**9 for q in (high, low))
    return Fraction(floor(least), 10**9), Fraction(ceil(most), 10**9)


def settle(check: Check) -> None:
    """What holds of the remarks."""
    check.tried(AT_LEAST)
    scope = f"{AT}; all drawn budgets below 3 in the table of massny2025.fig3"
    proved(check, SOMETIMES, scope, _sometimes, **{"at eps = 3 too": _every_budget})
    proved(check, SMALL, AT, _small, less_than_a_tenth_of_it=partial(_small, factor=10))
    check.tried(WIDER)
    check.tried(JUMPS)
    check.tried(BEST)


BUDGETS = [Fraction(row[0]) for row in CURVES]


def _sometimes(proof: Proof) -> None:
    proof.exhaust(
        "both gain", "twelve budgets but the last two, certified", BUDGETS[:-2], _both_gain
    )


def _every_budget(proof: Proof) -> None:
    proof.exhaust("both gain", "all", BUDGETS, _both_gain)


def _both_gain(epsilon: Fraction) -> bool:
    return min(gain(epsilon, best=True)[0], gain(epsilon, best=False)[0]) > 0


def _small(proof: Proof, factor: int = 1) -> None:
    proof.exhaust(
        "larger budgets",
        "n times the utility above the bound, against eps = 1/10",
        [Fraction(1), Fraction(2)],
        lambda large: factor * gain(Fraction(1, 10), best=False)[1] < gain(large, best=False)[0],
    )
