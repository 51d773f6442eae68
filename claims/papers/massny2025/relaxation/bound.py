"""The relaxed leakage bound (4), what it says for every q, and the direction of the utility.

Letters as in the exact conditions: -sum of log q_i <= eps - delta_t is D <= E m. Source:
massny2025, section IV-B and appendix A.
"""

from fractions import Fraction
from functools import partial

from pufferproof.claims.language import PRINTED, Proof, proved
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.three_regions import leaks, relaxed
from pufferproof.claims.papers.massny2025.relaxation.linked import DIRECTION
from pufferproof.claims.papers.massny2025.relaxation.minmax import (
    SIGNS,
    Instance,
    evidence,
    instances,
)
from pufferproof.claims.papers.massny2025.said import relaxed as said
from pufferproof.claims.registry import Check, claim

SUFFICIENT = "if the right side is at most eps_r then Lk <= eps_r"


@claim(
    "massny2025.eq4",
    where="Equation (4), Section IV-B",
    statement="For p=1, eps_r=eps: Lk(X_p->Y) <= max_{t in M} (delta_t - sum_{i in M_t} log q_i), "
    "with delta_t = 0 if t+ is outside [1,n], i(X_p~>X_{t+}=0) if t+ in M, i(X_p~>X_{t+}=1) if "
    "t+ in S.",
    kind="theorem",
    repair="massny2025.eq4-repaired",
    says={SUFFICIENT: said.SUFFICES},
)
def eq4(check: Check) -> None:
    """Refute the inequality for some q, prove that its right side may be compared with the
    budget: conditions (5) and (6) follow from that [massny2025.cond56].
    """
    for name, sign in SIGNS.items():
        reading = f"an inequality for every q, {name}"
        proved(check, reading, "one counterexample", partial(_exceeded, sign=sign))
    check.stated(SUFFICIENT)


def _exceeded(proof: Proof, sign: int) -> None:
    def both(instance: Instance) -> tuple[Fraction | None, Fraction | None]:
        of, _, split, values = instance
        return leaks(of, 1, split, dict(values)), relaxed(of, 1, split, dict(values))

    def holds(instance: Instance) -> bool:
        left, right = both(instance)
        return left is not None and right is not None and left <= right

    found = proof.exhaust(
        "smallest failure",
        "p = 1, breakpoints of the regions as budgets, one q for all of M, M not empty",
        instances(sign, 6),
        holds,
    )
    if found is not None:
        left, right = both(found)
        proof.counterexample(
            "the first record of M is released",
            "The paper claims that Lk is at most the largest delta_t - sum of log q_i over t in "
            "M. The output that releases the first record t of M is left out of this maximum: it "
            "leaks i(X_p~>X_t=0) however q is chosen, while the right side tends to the largest "
            "delta_t for q near 1. If that leakage is at most eps, so is Lk",
            {**evidence(found), "e^Lk": left, "exp of the right side": right},
            lambda: not holds(found),
            f"{influence(1, 0)} > exp_of_the_right_side",
        )


@claim(
    "massny2025.eq4-repaired",
    where="Equation (4), repaired",
    kind="repair of massny2025.eq4",
    says={"for every q": said.FOR_EVERY_Q, SUFFICIENT: said.SUFFICES},
)
def eq4_repaired(check: Check) -> None:
    """Prove the bound with the missing output, and that this never matters for the budget.

    The output that is missing shows the first record outside L, and its ratio is at most e^i*. All
    others meet (5) and (6) at the level of (4) [massny2025.minmax-repaired].
    """
    check.stated("for every q")
    check.stated(SUFFICIENT)


@claim(
    "massny2025.delta-le-eps",
    where="Section IV-B, Appendix A",
    statement="delta_t <= eps_r for t in M, so a feasible point with 0<=q_t<=1 always exists.",
    kind="lemma",
    says={PRINTED: said.FEASIBLE},
)
def delta_le_eps(check: Check) -> None:
    """Prove that no delta_t is more than the budget, and that q = 1 is feasible.

    T+ is not in L: records nearer than one of L are in L, and t is in M
    [massny2025.x-regions-intervals]. Delta_t: In M e0 <= E < e1 and D = e0, in S D = e1 <= E,
    outside [1,n] D = 1. Q = 1 is feasible: m is 1 over any part of M, and D <= E m.
    """
    check.stated(PRINTED)


@claim(
    "massny2025.util-direction",
    where="Appendix A",
    statement="By eq (3), nu_3R grows strictly with sum_{t in M} q_t.",
    kind="remark",
    repair="massny2025.util-direction-repaired",
)
def util_direction(check: Check) -> None:
    """Refute it: utility falls with every q_t."""
    proved(check, PRINTED, "one counterexample", _example)


def _example(proof: Proof) -> None:
    low, high = Fraction(1, 8), Fraction(1, 2)

    def nu(value: Fraction) -> Fraction:
        return Fraction(1, 2) * Fraction(2, 3) * (1 - value)

    proof.counterexample(
        "Example 1",
        "Take a = 1/4, b = 1/2, n = 2, p = 1 and M = {2}. The paper claims that nu grows with the "
        "sum of q_t. But nu = (1/2)(2/3)(1 - q_2) falls as q_2 grows from 1/8 to 1/2, because "
        "more is redacted",
        {
            "a": Fraction(1, 4),
            "b": Fraction(1, 2),
            "n": 2,
            "q": low,
            "nu": nu(low),
            "larger q": high,
            "its nu": nu(high),
        },
        lambda: nu(high) < nu(low),
        "nu = b/(a + b)*(1 - q)/n and its_nu = b/(a + b)*(1 - larger_q)/n and its_nu < nu",
    )


@claim(
    "massny2025.util-direction-repaired",
    where="Appendix A, repaired",
    statement="For fixed n, a, b and regions nu_3R falls strictly as sum_{t in M} q_t grows: to "
    "maximise utility is to minimise this sum.",
    kind="repair of massny2025.util-direction",
    says=DIRECTION,
)
def util_direction_repaired(check: Check) -> None:
    """Prove the direction for all parameters: both sides times n (a + b)."""
