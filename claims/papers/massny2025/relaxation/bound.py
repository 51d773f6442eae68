"""The relaxed leakage bound (4), what it says for every q, and the direction of the utility.

Letters as in the exact conditions: -sum of log q_i <= eps - delta_t is D <= E m. Source:
massny2025, section IV-B and appendix A.
"""

from fractions import Fraction
from functools import partial

from sympy import And, Eq, Or

from pufferproof.claims.language import (
    PRINTED,
    Edit,
    Proof,
    above,
    at_least,
    edited,
    letter,
    proved,
)
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.three_regions import ALL, leaks, relaxed
from pufferproof.claims.papers.massny2025.relaxation import statements
from pufferproof.claims.papers.massny2025.relaxation.minmax import (
    SIGNS,
    Instance,
    evidence,
    instances,
    prove_between,
    q,
)
from pufferproof.claims.papers.massny2025.relaxation.statement import D, E, G, H, P, Q, e0, e1, k, m
from pufferproof.claims.registry import Check, claim

largest = letter("largest", "the largest D/m")
nearest = letter("nearest", "e^i*, of the first record that is not in L")
R = letter("R", "the larger one of these two")
a = letter("a", NOTATION["a"], above(0))
b = letter("b", NOTATION["b"], above(0))
small = letter("small", "|S|", at_least(0))
medium = letter("medium", "|M|", at_least(1))
x = letter("x", "the smaller sum of q_t", at_least(0))
y = letter("y", "the larger sum of q_t")
DELTA = Or(And(e0 <= E, E < e1, Eq(D, e0)), And(e0 <= e1, e1 <= E, Eq(D, e1)), Eq(D, 1))
"""D = e^delta_t for t+ in M, in S, or outside [1,n]."""
SUFFICIENT = "if the right side is at most eps_r then Lk <= eps_r"


@claim(
    "massny2025.eq4",
    where="Equation (4), Section IV-B",
    statement="For p=1, eps_r=eps: Lk(X_p->Y) <= max_{t in M} (delta_t - sum_{i in M_t} log q_i), "
    "with delta_t = 0 if t+ is outside [1,n], i(X_p~>X_{t+}=0) if t+ in M, i(X_p~>X_{t+}=1) if "
    "t+ in S.",
    kind="theorem",
    repair="massny2025.eq4-repaired",
    says={SUFFICIENT: statements.SUFFICES},
)
def eq4(check: Check) -> None:
    """Refute the inequality for some q, prove that its right side may be compared with the
    budget.
    """
    for name, sign in SIGNS.items():
        reading = f"an inequality for every q, {name}"
        proved(check, reading, "one counterexample", partial(_exceeded, sign=sign))
    proved(check, SUFFICIENT, ALL, _sufficient)
    check.near_miss(f"{SUFFICIENT}: delta_t left out", edited(_sufficient, FORGOTTEN))


FORGOTTEN = Edit("(5)", without=D <= E * m, given=E * m >= 1)


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
            "Claimed: Lk is at most the largest delta_t - sum of log q_i over t in M. The output "
            "that releases the first record t of M is left out of this maximum: it leaks "
            "i(X_p~>X_t=0) however q is chosen, while the right side tends to the largest delta_t "
            "for q near 1. If it is at most eps, Lk is, too",
            {**evidence(found), "e^Lk": left, "exp of the right side": right},
            lambda: not holds(found),
            f"{influence(1, 0)} > exp_of_the_right_side",
        )


def _sufficient(proof: Proof) -> None:
    prove_between(proof)
    proof.cite("conditions", "(5) and (6) suffice", "massny2025.cond56")
    _meets_five(proof)
    proof.inequality(
        "(6)",
        "t = n in M: delta_t = 0",
        G <= E * H,
        [1 <= E * m, G <= 1, H >= m, G > 0, H <= 1, m > 0],
    )
    proof.inequality("M empty", "only t = max L is left, which needs no condition", k <= E * k)


def _meets_five(proof: Proof) -> None:
    """P <= D Q for the values z that can be shown at t+."""
    proof.cite(
        "delta_t",
        "In M only z = 0 is shown, with P <= D Q for D = e^i(X_{t+}=0); in S both, and i0 <= i1 "
        "makes D = e^i(X_{t+}=1) a bound for both",
        "massny2025.prop1-order",
    )
    proof.inequality(
        "(5)",
        "delta_t - sum of log q <= eps_r is D <= E m",
        P * G <= E * Q * H,
        [D <= E * m, P <= D * Q, G > 0, G <= 1, H >= m, H <= 1, m > 0, D >= 1],
    )


@claim(
    "massny2025.eq4-repaired",
    where="Equation (4), repaired",
    statement="For each side of p, its regions L, M, S at its budget and every q_t in (0,1]: the "
    "leakage of the outputs of that side is at most max(i*, max_{t in M} (delta_t - sum_{i in "
    "M_t} log q_i)), where delta_t = 0 if t+ is outside [1,n], i(X_p~>X_{t+}=0) if t+ is in M "
    "and i(X_p~>X_{t+}=1) if t+ is in S, and i* = i(X_p~>X_t=0) if the first record t of the "
    "side that is not in L is in M, i(X_p~>X_t=1) if it is in S, 0 if there is none. i* is at "
    "most the budget. X_p is redacted.",
    kind="repair of massny2025.eq4",
    says=statements.EQ4,
)
def eq4_repaired(check: Check) -> None:
    """Prove the bound with the missing output, and that this never matters for the budget."""
    no_factor = Edit("t in M", without=D <= largest * m, given=D <= largest)
    proved(check, "for every q", ALL, _every_q, **{"without the factor 1/m": no_factor})
    proved(check, SUFFICIENT, ALL, _sufficient)
    check.near_miss(f"{SUFFICIENT}: delta_t left out", edited(_sufficient, FORGOTTEN))


def _every_q(proof: Proof) -> None:
    prove_between(proof)
    proof.cite("outputs", "t = max L, t in M, or nothing released", "massny2025.x-first-release")
    proof.cite(
        "values shown",
        "as i0 <= i1, D = e^delta_t bounds P/Q, and e^i* does for t = max L",
        "massny2025.prop1-order",
    )
    _bounded(proof)
    proof.inequality(
        "t = max L",
        "M_t is empty",
        P <= R * Q,
        [P <= nearest * Q, nearest <= R, largest <= R],
        for_any=[P],
    )
    proof.cite("i* <= the budget", "by the definition of M and S", "massny2025.cond-lastL-repaired")


def _bounded(proof: Proof) -> None:
    proof.inequality(
        "t in M",
        "D = 1 and P = Q = 1 if nothing is released",
        P * G <= R * Q * H,
        [
            D <= largest * m,
            largest <= R,
            nearest <= R,
            P <= D * Q,
            G > 0,
            G <= 1,
            H >= m,
            H <= 1,
            m > 0,
            D >= 1,
        ],
    )


@claim(
    "massny2025.delta-le-eps",
    where="Section IV-B, Appendix A",
    statement="delta_t <= eps_r for t in M, so a feasible point with 0<=q_t<=1 always exists.",
    kind="lemma",
    says=statements.DELTA,
)
def delta_le_eps(check: Check) -> None:
    """Prove that t+ is in M or S or does not exist, and that q = 1 is feasible."""
    other = Or(And(e0 <= E, E < e1, Eq(D, e1)), And(e0 <= e1, e1 <= E, Eq(D, e1)), Eq(D, 1))
    largest_one = Edit("delta_t", without=DELTA, given=other)
    proved(check, PRINTED, ALL, _delta)
    check.near_miss(f"{PRINTED}: delta_t is the max-influence", edited(_delta, largest_one))


def _delta(proof: Proof) -> None:
    proof.cite(
        "t+ is not in L",
        "records nearer than one of L are in L, and t is in M",
        "massny2025.x-regions-intervals",
    )
    proof.inequality(
        "delta_t",
        "In M e0 <= E < e1 and D = e0, in S D = e1 <= E, outside [1,n] D = 1",
        D <= E,
        [DELTA, E > 1, e1 >= e0],
    )
    proof.induction(
        "q = 1 is feasible",
        "m is 1 over any part of M, and D <= E m",
        base=(Eq(m, 1), [Eq(m, 1)]),
        step=(And(Eq(m * q, 1), D <= E * m * q), [Eq(m, 1), Eq(q, 1), D <= E]),
        for_any=[q, E],
    )


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
        "a = 1/4, b = 1/2, n = 2, p = 1, M = {2}. Claimed: nu grows with the sum of q_t. nu = "
        "(1/2)(2/3)(1 - q_2) falls as q_2 grows from 1/8 to 1/2: more is redacted",
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
    says=statements.DIRECTION,
)
def util_direction_repaired(check: Check) -> None:
    """Prove the direction for all parameters."""
    grows = Edit("two sums x < y", instead=AT_Y > AT_X)
    proved(check, "as stated", ALL, _falls, grows=grows)


AT_X, AT_Y = (small * (a + b) + b * (medium - each) for each in (x, y))
"""n (a + b) nu, for the sums x and y of q_t."""


def _falls(proof: Proof) -> None:
    proof.inequality(
        "two sums x < y",
        "|S|, |M| and n fixed; both sides times n (a + b)",
        AT_Y < AT_X,
        [x < y, y <= medium],
    )
