"""The upper bound on the utility of data-independent mechanisms: false by one record, by two for
lam < 0, and repaired.

I(D) is e^i1(D), R1 = De + p - 1. Source: massny2025, theorem 2 and appendix D.
"""

from functools import partial

import sympy

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.bound import statements
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    instances,
    optimum,
    pattern_leakage,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence, leaked
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.said import data_independent
from pufferproof.claims.registry import Check, claim

ZERO = "lam = 0, p <= n/2"
FIRST, THIRD = "first case, every lam, p <= n/2", "third case, every lam, p <= n/2"
SECOND, NEGATIVE = "second case, lam >= 0", "second case, every lam"
LONG = chain("4/5", "14/15")
TWO = Instance(LONG, 12, 6, pattern_leakage(LONG, 2, 4))
"""Two records more than the print allows: e^(i1(2) + i1(4)) < e^(2 i1(3))."""


def bounded(at: Instance) -> bool:
    """Say whether every pattern of the level redacts as many records as theorem 2 says."""
    return optimum(at)[0] >= printed_bound(at)


CASES = {FIRST: data_independent.NOTHING_SHOWN, THIRD: data_independent.ONE_SIDE}


@claim(
    "massny2025.thm2",
    where="Theorem 2",
    statement="For eps >= 0 any eps-private DIM has nu <= 0 if eps < Inf(X_p~>X_n); nu <= 1 - R2/n "
    "if eps >= Inf(X_p~>X_1) + Inf(X_p~>X_n); nu <= 1 - R1/n otherwise; R1 = D*(eps)+p-1, R2 = "
    "min{R1, 2D*(eps/2)-1}.",
    repair="massny2025.thm2-repaired",
    says={**CASES, **statements.THM2},
)
def thm2(check: Check) -> None:
    """Refute the second case, for both signs of the eigenvalue.

    Lam = 0, p <= n/2. N >= 1 [massny2025.self-redaction], and De = Dh = 1, as all influences are 0.
    R1 = De + p - 1 is printed for p = 1, where i1(p-1) is infinite, and at most 2 Dh - 1 for p > 1,
    where the second case applies.
    """
    for name, sign in (("every lam, p <= n/2", None), ("lam > 0, p <= n/2", 1)):
        proved(check, name, "one counterexample", partial(_refute, sign=sign))
    proved(check, "lam < 0, p <= n/2", "one counterexample", _by_two)
    proved(check, "every p", "one counterexample", _last_record)
    check.stated(FIRST)
    check.stated(THIRD)
    check.tried(ZERO)


def _by_two(proof: Proof) -> None:
    _refute(proof, -1)
    proof.counterexample(
        "by two records",
        "Take a = 4/5, b = 14/15, n = 12 and p = 6. The printed bound says that at least 7 "
        "records are redacted, as D*(eps/2) = 4. The DIMs that release from distances 2 and 4 on, "
        "or 4 and 2, redact 5 and are private: for lam < 0 i1 is not convex, i1(2) + i1(4) < 2 "
        "i1(3)",
        {**TWO.evidence, "redacted": optimum(TWO)[0], "bound": printed_bound(TWO)},
        lambda: optimum(TWO) == (5, [(2, 4), (4, 2)]) and printed_bound(TWO) == 7,
        f"{leaked(2, 4)} <= e_eps < {influence(3)}^2 and {influence(1)}^2 > e_eps and "
        f"{influence(2)}^2 > e_eps and 2 + 4 - 1 < 2*4 - 1",
    )


def _last_record(proof: Proof) -> None:
    first = Instance(chain("1/3", "1/3"), 2, 2, sympy.Integer(2))
    proof.counterexample(
        "p = n",
        "Take a = b = 1/3, n = p = 2 and e^eps = 2. The print says nu = 0 for every eps below "
        "Inf(X_p~>X_n), which is infinite here. But X_1 has the max-influence log 2 and may be "
        "released",
        {**first.evidence, "redacted": 1, "bound": 2},
        lambda: optimum(first)[0] == 1 and printed_bound(first) == 2,
        f"{influence(1)} <= e_eps and redacted < bound",
    )


def _refute(proof: Proof, sign: int | None) -> None:
    found = proof.exhaust(
        "smallest failure",
        "by n, p, denominators and level; p <= n/2, levels at, between and around all breakpoints. "
        "n(1 - nu) is the least size of a window, the bound as printed",
        instances(6, 4, sign),
        bounded,
    )
    if found is not None:
        count, attained = optimum(found)
        half = first_distance(found.of, found.ratio, 2)
        proof.counterexample(
            "fewer redactions than the bound",
            "In the second case the print says that 2D*(eps/2)-1 records, or R1, are redacted. "
            "A mechanism that releases from distances l and r on, with l + r odd, leaks at most "
            "eps, although D*(eps/2) is the larger of l and r. It redacts l + r - 1 records, one "
            "fewer than the paper allows",
            {
                **found.evidence,
                "redacted": count,
                "bound": printed_bound(found),
                "l, r": attained[0],
            },
            lambda: not bounded(found),
            f"{leaked(*attained[0])} <= e_eps < {influence(half - 1)}^2 and redacted < bound",
        )


@claim(
    "massny2025.thm2-repaired",
    where="Theorem 2, repaired",
    statement="For p <= n/2, eps >= 0 and any eps-private DIM: nu <= 0 if eps < Inf(X_p~>X_n); nu "
    "<= 1 - R2/n if eps >= Inf(X_p~>X_1) + Inf(X_p~>X_n); nu <= 1 - R1/n otherwise; R1 = "
    "D*(eps)+p-1, R2 = min{R1, 2D*(eps/2)-2} for lam >= 0 and min{R1, 2D*(eps/2)-3} for lam < "
    "0.",
    kind="repair of massny2025.thm2",
    says={
        **CASES,
        SECOND: data_independent.TWO_SIDES,
        NEGATIVE: data_independent.ANY_TWO_SIDES,
    },
)
def thm2_repaired(check: Check) -> None:
    """Prove it from the exact leakage and the balance of two distances, for chances of redaction
    too; that X_p is always redacted follows from the level.
    """
    for name in (FIRST, THIRD, SECOND, NEGATIVE):
        check.stated(name)
