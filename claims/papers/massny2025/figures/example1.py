"""Example 1: two records, the first private, a = 1/4, b = 1/2, eps = 1/2.

Ratios are rational; e^(1/2) is enclosed. Source: massny2025, example 1 and table I.
"""

from fractions import Fraction
from functools import partial
from typing import Any

import sympy
from sympy import And, Eq, Rational

from pufferproof.claims.language import (
    PRINTED,
    Edit,
    Proof,
    at_least,
    below,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025.figures import statements
from pufferproof.claims.papers.massny2025.influence.instances import chain, leakage, local
from pufferproof.claims.registry import Check, claim

A, B = Rational(1, 4), Rational(1, 2)
EPSILON = Fraction(1, 2)
LARGER = Fraction(7, 10)
EXAMPLE = chain("1/4", "1/2")
LIKELIHOOD = {(0, 0): 1 - A, (0, 1): A, (1, 0): B, (1, 1): 1 - B}
"""Pr(X_2=z|X_1=x) by (x, z)."""
TABLE = {
    (0, 0): Rational(3, 2),
    (0, 1): Rational(1, 2),
    (1, 0): Rational(2, 3),
    (1, 1): Rational(2),
}
AT = "a = 1/4, b = 1/2, n = 2, p = 1"
DISPLAYED = "(q*b+1-b)/(a+q*(1-a))"
"""Pr(Y_2=*|X_1=1)/Pr(Y_2=*|X_1=0) as printed, q for q_2."""
e = letter("epsilon", "the budget in nats")
q = letter("q", "q_2, the probability that the value 0 of X_2 is redacted", at_least(0), below(1))
E = letter("E", "e^epsilon", below(2))
u, v = letters("u v", "e^i(X_2=0), e^i(X_2=1)")
first, second = letters("first second", "r_1, r_2, each for both values")
N = letter("N", "utility of a DIM")
w = letter("w", "Pr(X_1=0) = Pr(X_2=0)")
nu = letter("nu", "the utility of the mechanism with q_2 = 1/8")


@claim(
    "massny2025.ex1-table",
    where="Table I, Example 1",
    statement="For a = 1/4, b = 1/2, n = 2 and p = 1, Pr(X_2=z|X_1=x)/Pr(X_2=z|X_1=1-x) is, by "
    "(x,z): (0,0): 3/2; (0,1): 1/2; (1,0): 2/3; (1,1): 2. So Inf(X_1~>X_2) = log 2, i(X_2=0) = "
    "log(3/2), i(X_2=1) = log 2.",
    kind="numeric table",
    says=statements.TABLE,
)
def ex1_table(check: Check) -> None:
    """Compute the four ratios and the three influences."""
    third = partial(_table, a=Fraction(1, 3))
    proved(check, PRINTED, AT, _table, **{"a = 1/3": third})


ROWS = {(0, 0): "(1-a)/b", (0, 1): "a/(1-b)", (1, 0): "b/(1-a)", (1, 1): "(1-b)/a"}
"""Pr(X_2=z|X_1=x)/Pr(X_2=z|X_1=1-x) by (x, z), from the rows (1-a, a) and (b, 1-b) of P."""


def _table(proof: Proof, a: Fraction = Fraction(1, 4)) -> None:
    for (x, z), printed in TABLE.items():
        proof.identity(
            f"({x}, {z})",
            "from the rows (1-a, a) and (b, 1-b) of P",
            ROWS[x, z],
            printed,
            at={"a": a, "b": Fraction(1, 2)},
        )
    proof.inequality(
        "influences",
        "the larger ratio of each column, u and v, and the larger of both",
        And(Eq(u, Rational(3, 2)), Eq(v, 2), u <= v),
        [
            sympy.Or(Eq(u, TABLE[0, 0]), Eq(u, TABLE[1, 0])),
            u >= TABLE[0, 0],
            u >= TABLE[1, 0],
            sympy.Or(Eq(v, TABLE[0, 1]), Eq(v, TABLE[1, 1])),
            v >= TABLE[0, 1],
            v >= TABLE[1, 1],
        ],
    )


@claim(
    "massny2025.ex1-dim",
    where="Example 1",
    statement="For a = 1/4, b = 1/2, n = 2, p = 1 and eps = 1/2: since log 2 > 1/2, any DIM must "
    "redact both records: nu_DIM = 0.",
    kind="example",
    says=statements.ALL_REDACTED,
)
def ex1_dim(check: Check) -> None:
    """Prove it for deterministic and for randomised data-independent mechanisms."""
    larger = Edit("log 2 > 1/2", interval=(LARGER, LARGER))
    for name in ("DIM (i): any r_t(0) = r_t(1)", "DIM (ii): deterministic"):
        proved(check, name, AT, _redact_both, **{"eps = 7/10": larger})


def _released(redacted: Any) -> Any:
    return w * (1 - redacted) + (1 - w) * (1 - redacted)


def _redact_both(proof: Proof) -> None:
    proof.cite("X_1", "is always redacted", "massny2025.self-redaction")
    proof.cite(
        "X_2", "released with positive probability leaks at least Inf(X_1~>X_2)", "massny2025.cor3"
    )
    proof.cite("Inf(X_1~>X_2)", "is log 2", "massny2025.ex1-table")
    proof.enclosure(
        "log 2 > 1/2", "so no such release is eps-private", sympy.log(2) - e, e, EPSILON, EPSILON
    )
    proof.inequality(
        "nothing is released",
        "each record is released with probability 1 - r_t, whatever its value",
        Eq(N, 0),
        [
            Eq(2 * N, _released(first) + _released(second)),
            Eq(first, 1),
            Eq(second, 1),
        ],
    )


@claim(
    "massny2025.ex1-q",
    where="Example 1",
    statement="For a = 1/4, b = 1/2, n = 2, p = 1 and eps = 1/2: log(3/2) < 1/2, so X_2=0 need not "
    "always be redacted; q_2 = Pr(Y_2=*|X_2=0) > 0 is needed. Condition: "
    "Pr(Y_2=*|X_1=1)/Pr(Y_2=*|X_1=0) = (q_2 b+1-b)/(a+q_2(1-a)) <= exp(eps). q_2=1/8 is "
    "privacy preserving with nu = (1/2)(1-q_2)Pr(X_2=0) = 7/24 ~ 0.292 > nu_DIM.",
    kind="example",
    says=statements.CHOICE,
)
def ex1_q(check: Check) -> None:
    """Prove each number, that the condition decides privacy, and the least q_2."""
    larger = Edit("too much", interval=(LARGER, LARGER))
    proved(check, "q_2 > 0 is needed", AT, _needed, **{"at eps = 7/10": larger})
    ninth = partial(_enough, value=Fraction(1, 9))
    name = "q_2 = 1/8 is private, nu = 7/24"
    proved(check, name, AT, _enough)
    check.near_miss(f"{name}: q_2 = 1/9", ninth)
    scope = f"{AT}, every eps with log(3/2) <= eps < log 2"
    wide = Edit("all four ratios", without=Rational(3, 2) <= E, given=E >= 1)
    near_miss = {"also below log(3/2)": wide}
    proved(check, "the condition decides; least q_2", scope, _least, **near_miss)


def _chance(value: sympy.Expr, x: int) -> sympy.Expr:
    """Pr(Y_2=*|X_1=x)."""
    return value * LIKELIHOOD[x, 0] + LIKELIHOOD[x, 1]


def _needed(proof: Proof) -> None:
    proof.identity(
        "without it",
        "Pr(Y_2=*|X_1=1)/Pr(Y_2=*|X_1=0) at q_2 = 0",
        DISPLAYED,
        2,
        at={"q": 0, "a": Fraction(1, 4), "b": Fraction(1, 2)},
    )
    proof.enclosure("too much", "2 > e^eps", 2 - sympy.exp(e), e, EPSILON, EPSILON)


def _enough(proof: Proof, value: Fraction = Fraction(1, 8)) -> None:
    exact = Rational(value.numerator, value.denominator)
    ratio = _chance(exact, 1) / _chance(exact, 0)
    at = {"q": value, "a": Fraction(1, 4), "b": Fraction(1, 2)}
    proof.identity(
        "the displayed ratio",
        "its value is that of sums of Pr(X_2=z|X_1=x) r_2(z) over z, for x = 1 and 0",
        DISPLAYED,
        ratio,
        at=at,
    )
    _below_level(proof, ratio)
    proof.identity(
        "utility", "Pr(X_2=0) = b/(a+b)", "(1/2)*(1-q)*(b/(a+b))", Rational(7, 24), at=at
    )
    proof.inequality(
        "rounded",
        "to three digits, and above nu_DIM = 0",
        And(nu >= Rational("0.2915"), nu < Rational("0.2925"), nu > 0),
        [Eq(nu, Rational(7, 24))],
    )


def _below_level(proof: Proof, ratio: Any) -> None:
    """The ratios of the outputs * and 0, for both orders of X_1, are below e^eps."""
    proof.enclosure(
        "Y_2 = *, X_1 = 1 over 0",
        "the ratio is below e^eps",
        sympy.exp(e) - ratio,
        e,
        EPSILON,
        EPSILON,
    )
    proof.enclosure(
        "Y_2 = *, X_1 = 0 over 1",
        "so is its inverse",
        sympy.exp(e) - 1 / ratio,
        e,
        EPSILON,
        EPSILON,
    )
    proof.enclosure(
        "Y_2 = 0",
        "(1 - q)(1 - a) over (1 - q) b, 3/2, is below e^eps: log(3/2) < 1/2",
        sympy.exp(e) - Rational(3, 2),
        e,
        EPSILON,
        EPSILON,
    )


def _least(proof: Proof) -> None:
    """E = e^eps; outputs are * and 0, as Y_2 = 1 does not occur."""
    star, other = _chance(q, 1), _chance(q, 0)
    private = And(
        star <= E * other,
        other <= E * star,
        (1 - q) * LIKELIHOOD[0, 0] <= E * (1 - q) * LIKELIHOOD[1, 0],
        (1 - q) * LIKELIHOOD[1, 0] <= E * (1 - q) * LIKELIHOOD[0, 0],
    )
    proof.inequality(
        "all four ratios",
        "privacy is the displayed condition: q_2 >= (1 - b - a E)/(E (1 - a) - b)",
        sympy.Equivalent(private, q * (E * (1 - A) - B) >= 1 - B - A * E),
        [Rational(3, 2) <= E],
    )
    exact = (1 - B - A * sympy.exp(e)) / (sympy.exp(e) * (1 - A) - B)
    low, high = Rational(11923, 100000), Rational(11925, 100000)
    proof.enclosure(
        "least q_2 from below", f"at eps = 1/2 it is above {low}", exact - low, e, EPSILON, EPSILON
    )
    proof.enclosure(
        "least q_2 from above", f"and below {high} < 1/8", high - exact, e, EPSILON, EPSILON
    )


@claim(
    "massny2025.x-ex1-definition",
    where="Example 1",
    statement="For a = 1/4, b = 1/2, n = 2, p = 1, r_1 = (1,1) and r_2 = (1/8,1), by enumeration "
    "from the definition: e^Lk(X_1->Y) = 18/11, which is below e^(1/2).",
    kind="example",
    unsaid=(
        "its step enumerates the statement itself, one mechanism of two records, from the "
        "definition of leakage"
    ),
)
def ex1_definition(check: Check) -> None:
    """Enumerate all databases and outputs."""
    ninth = partial(_evaluate, value=Fraction(1, 9))
    proved(check, "by enumeration", AT, _evaluate)
    check.near_miss("by enumeration: q_2 = 1/9", ninth)


def _evaluate(proof: Proof, value: Fraction = Fraction(1, 8)) -> None:
    rows = [(Fraction(1), Fraction(1)), (value, Fraction(1))]
    proof.exhaust(
        "e^Lk",
        "r_1 = (1, 1), r_2 = (q_2, 1)",
        [rows],
        lambda row: leakage(EXAMPLE, 2, 1, local(row)) == Fraction(18, 11),
    )
    proof.enclosure(
        "below e^eps", "18/11 < e^(1/2)", sympy.exp(e) - Rational(18, 11), e, EPSILON, EPSILON
    )
