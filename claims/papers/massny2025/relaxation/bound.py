"""The relaxed leakage bound (4), what it says for every q, and the direction of the utility.

E is e^budget, D is e^delta_t, m the product of q_i over M_t. -sum of log q_i <= eps - delta_t is D
<= E m. P, Q, G, H as in the exact conditions. Source: massny2025, section IV-B and appendix A.
"""

from collections.abc import Callable
from fractions import Fraction

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.papers.massny2025.family.instances import leaks, relaxed
from pufferproof.claims.papers.massny2025.relaxation.minmax import (
    SIGNS,
    Instance,
    between,
    evidence,
    instances,
)
from pufferproof.claims.papers.massny2025.relaxation.statement import (
    ALL,
    PRINTED,
    D,
    E,
    G,
    H,
    P,
    Q,
    k,
    m,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

R, A, q, B = sympy.symbols("R A q B")
SUFFICIENT = "if the right side is at most eps_r then Lk <= eps_r"


@claim(
    "massny2025.eq4",
    where="Equation (4), Section IV-B",
    statement="For p=1, eps_r=eps: Lk(X_p->Y) <= max_{t in M} (delta_t - sum_{i in M_t} log q_i), "
    "with delta_t = 0 if t+ is outside [1,n], i(X_p~>X_{t+}=0) if t+ in M, i(X_p~>X_{t+}=1) if "
    "t+ in S.",
    kind="theorem",
    repair="massny2025.eq4-repaired",
)
def eq4(check: Check) -> None:
    """Refute the inequality for some q, prove that its right side may be compared with the
    budget.
    """
    for name, sign in SIGNS.items():
        with check.reading(f"an inequality for every q, {name}", "one counterexample") as argument:
            _exceeded(argument, sign)
    with check.reading(SUFFICIENT, ALL) as argument:
        _sufficient(argument)
    check.near_miss(
        f"{SUFFICIENT}: delta_t left out", lambda argument: _sufficient(argument, forgotten=True)
    )


def _exceeded(argument: Argument, sign: int) -> None:
    def both(instance: Instance) -> tuple[Fraction | None, Fraction | None]:
        of, _, split, values = instance
        return leaks(of, 1, split, dict(values)), relaxed(of, 1, split, dict(values))

    def holds(instance: Instance) -> bool:
        left, right = both(instance)
        return left is not None and right is not None and left <= right

    found = argument.exhaust(
        "smallest failure",
        "p = 1, breakpoints of the regions as budgets, one q for all of M, M not empty",
        instances(sign, 6),
        holds,
    )
    if found is not None:
        left, right = both(found)
        argument.counterexample(
            "the first record of M is released",
            "Claimed: Lk is at most the largest delta_t - sum of log q_i over t in M. The output "
            "that releases the first record t of M is left out of this maximum: it leaks "
            "i(X_p~>X_t=0) however q is chosen, while the right side tends to the largest delta_t "
            "for q near 1. If it is at most eps, Lk is, too",
            {**evidence(found), "e^Lk": left, "exp of the right side": right},
            lambda: not holds(found),
        )


def _sufficient(argument: Argument, forgotten: bool = False) -> None:
    between(argument)
    argument.cite("conditions", "(5) and (6) suffice", "massny2025.cond56")
    _meets_five(argument, forgotten)
    argument.inequality(
        "(6)",
        "t = n in M: delta_t = 0",
        G <= E * H,
        [1 <= E * m, G <= 1, H >= m, G > 0, H <= 1, m > 0, E >= 1],
    )
    argument.inequality(
        "M empty", "only t = max L is left, which needs no condition", k <= E * k, [k > 0, E >= 1]
    )


def _meets_five(argument: Argument, forgotten: bool = False) -> None:
    """P <= D Q for the values z that can be shown at t+."""
    argument.cite(
        "delta_t",
        "In M only z = 0 is shown, with P <= D Q for D = e^i(X_{t+}=0); in S both, and i0 <= i1 "
        "makes D = e^i(X_{t+}=1) a bound for both",
        "massny2025.prop1-order",
    )
    argument.inequality(
        "(5)",
        "delta_t - sum of log q <= eps_r is D <= E m",
        P * G <= E * Q * H,
        [
            1 <= E * m if forgotten else D <= E * m,
            P <= D * Q,
            P > 0,
            Q > 0,
            G > 0,
            G <= 1,
            H >= m,
            H <= 1,
            m > 0,
            D >= 1,
            E >= 1,
        ],
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
)
def eq4_repaired(check: Check) -> None:
    """Prove the bound with the missing output, and that this never matters for the budget."""
    name = "for every q"
    with check.reading(name, ALL) as argument:
        _every_q(argument)
    check.near_miss(
        f"{name}: without the factor 1/m", lambda argument: _bounded(argument, A, m_known=False)
    )
    with check.reading(SUFFICIENT, ALL) as argument:
        _sufficient(argument)
    check.near_miss(
        f"{SUFFICIENT}: delta_t left out", lambda argument: _sufficient(argument, forgotten=True)
    )


def _every_q(argument: Argument) -> None:
    between(argument)
    argument.cite("outputs", "t = max L, t in M, or nothing released", "massny2025.x-first-release")
    argument.cite(
        "values shown",
        "as i0 <= i1, D = e^delta_t bounds P/Q, and B = e^i* does for t = max L",
        "massny2025.prop1-order",
    )
    _bounded(argument, A)
    argument.inequality(
        "t = max L", "R = max(A, B), M_t is empty", P <= R * Q, [P <= B * Q, B <= R, A <= R, Q > 0]
    )
    argument.cite(
        "i* <= the budget", "by the definition of M and S", "massny2025.cond-lastL-repaired"
    )


def _bounded(argument: Argument, largest: sympy.Symbol, m_known: bool = True) -> None:
    argument.inequality(
        "t in M",
        "A is the largest D/m, D = 1 and P = Q = 1 if nothing is released; R = max(A, B)",
        P * G <= R * Q * H,
        [
            D <= largest * m if m_known else D <= largest,
            largest <= R,
            B <= R,
            P <= D * Q,
            P > 0,
            Q > 0,
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
)
def delta_le_eps(check: Check) -> None:
    """Prove that t+ is in M or S or does not exist, and that q = 1 is feasible."""
    with check.reading(PRINTED, ALL) as argument:
        _delta(argument)
    check.near_miss(
        f"{PRINTED}: delta_t is the max-influence", lambda argument: _delta(argument, largest=True)
    )


def _delta(argument: Argument, largest: bool = False) -> None:
    z, o = sympy.symbols("z o")
    argument.cite(
        "t+ is not in L",
        "records nearer than one of L are in L, and t is in M",
        "massny2025.x-regions-intervals",
    )
    shown = o if largest else z
    argument.inequality(
        "delta_t",
        "z, o are e^i(X_{t+}=0), e^i(X_{t+}=1). In M z <= E < o and D = z, in S D = o <= E, "
        "outside [1,n] D = 1",
        D <= E,
        [
            Or(And(z <= E, E < o, Eq(D, shown)), And(z <= o, o <= E, Eq(D, o)), Eq(D, 1)),
            E > 1,
            z >= 1,
            o >= z,
        ],
    )
    argument.induction(
        "q = 1 is feasible",
        "m is 1 over any part of M, and D <= E m",
        base=(Eq(m, 1), [Eq(m, 1)]),
        step=(And(Eq(m * q, 1), D <= E * m * q), [Eq(m, 1), Eq(q, 1), D <= E]),
    )


Relation = Callable[[sympy.Expr, sympy.Expr], sympy.Rel]


@claim(
    "massny2025.util-direction",
    where="Appendix A",
    statement="By eq (3), nu_3R grows strictly with sum_{t in M} q_t.",
    kind="remark",
    repair="massny2025.util-direction-repaired",
)
def util_direction(check: Check) -> None:
    """Refute it: utility falls with every q_t."""

    def nu(value: Fraction) -> Fraction:
        return Fraction(1, 2) * Fraction(2, 3) * (1 - value)

    with check.reading(PRINTED, "one counterexample") as argument:
        argument.counterexample(
            "Example 1",
            "a = 1/4, b = 1/2, n = 2, p = 1, M = {2}. Claimed: nu grows with the sum of q_t. nu = "
            "(1/2)(2/3)(1 - q_2) falls as q_2 grows from 1/8 to 1/2: more is redacted",
            {
                "a": Fraction(1, 4),
                "b": Fraction(1, 2),
                "n": 2,
                "q": Fraction(1, 8),
                "nu": nu(Fraction(1, 8)),
                "larger q": Fraction(1, 2),
                "its nu": nu(Fraction(1, 2)),
            },
            lambda: nu(Fraction(1, 2)) < nu(Fraction(1, 8)),
        )


@claim(
    "massny2025.util-direction-repaired",
    where="Appendix A, repaired",
    statement="For fixed n, a, b and regions nu_3R falls strictly as sum_{t in M} q_t grows: to "
    "maximise utility is to minimise this sum.",
    kind="repair of massny2025.util-direction",
)
def util_direction_repaired(check: Check) -> None:
    """Prove the direction for all parameters."""
    with check.reading("as stated", ALL) as argument:
        _falls(argument, sympy.Lt)
    check.near_miss("as stated: grows", lambda argument: _falls(argument, sympy.Gt))


def _falls(argument: Argument, relation: Relation) -> None:
    a, b, n, S, M, x, y = sympy.symbols("a b n S M x y")
    argument.inequality(
        "two sums x < y",
        "|S|, |M| and n fixed; both sides times n (a + b)",
        relation(S * (a + b) + b * (M - y), S * (a + b) + b * (M - x)),
        [a > 0, b > 0, n >= 1, S >= 0, M >= 1, x < y, x >= 0, y <= M],
    )
