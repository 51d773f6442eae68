"""Example 1: two records, the first private, a = 1/4, b = 1/2, eps = 1/2.

Ratios are rational; e^(1/2) is enclosed. Source: massny2025, example 1 and table I.
"""

from fractions import Fraction

import sympy
from sympy import And, Eq, Rational

from pufferproof.claims.papers.massny2025.influence.instances import chain, leakage, local
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B = Rational(1, 4), Rational(1, 2)
EPSILON = Fraction(1, 2)
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
e = sympy.Symbol("epsilon")
q, r, E, M, N = sympy.symbols("q r E M N")


@claim(
    "massny2025.ex1-table",
    where="Table I, Example 1",
    statement="For a = 1/4, b = 1/2, n = 2 and p = 1, Pr(X_2=z|X_1=x)/Pr(X_2=z|X_1=1-x) is, by "
    "(x,z): (0,0): 3/2; (0,1): 1/2; (1,0): 2/3; (1,1): 2. So Inf(X_1~>X_2) = log 2, i(X_2=0) = "
    "log(3/2), i(X_2=1) = log 2.",
    kind="numeric table",
)
def ex1_table(check: Check) -> None:
    """Compute the four ratios and the three influences."""
    with check.reading("as printed", AT) as argument:
        _table(argument)
    check.near_miss("as printed: a = 1/3", lambda argument: _table(argument, Fraction(1, 3)))


ROWS = {(0, 0): "(1-a)/b", (0, 1): "a/(1-b)", (1, 0): "b/(1-a)", (1, 1): "(1-b)/a"}
"""Pr(X_2=z|X_1=x)/Pr(X_2=z|X_1=1-x) by (x, z), from the rows (1-a, a) and (b, 1-b) of P."""


def _table(argument: Argument, a: Fraction = Fraction(1, 4)) -> None:
    for (x, z), printed in TABLE.items():
        argument.identity(
            f"({x}, {z})",
            "from the rows (1-a, a) and (b, 1-b) of P",
            ROWS[x, z],
            printed,
            at={"a": a, "b": Fraction(1, 2)},
        )
    u, v = sympy.symbols("u v")
    argument.inequality(
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
)
def ex1_dim(check: Check) -> None:
    """Prove it for deterministic and for randomised data-independent mechanisms."""
    for name in ("DIM (i): any r_t(0) = r_t(1)", "DIM (ii): deterministic"):
        with check.reading(name, AT) as argument:
            _redact_both(argument)
        check.near_miss(
            f"{name}: eps = 7/10", lambda argument: _redact_both(argument, Fraction(7, 10))
        )


def _redact_both(argument: Argument, epsilon: Fraction = EPSILON) -> None:
    argument.cite("X_1", "is always redacted", "massny2025.self-redaction")
    argument.cite(
        "X_2", "released with positive probability leaks at least Inf(X_1~>X_2)", "massny2025.cor3"
    )
    argument.cite("Inf(X_1~>X_2)", "is log 2", "massny2025.ex1-table")
    argument.enclosure(
        "log 2 > 1/2", "so no such release is eps-private", sympy.log(2) - e, e, epsilon, epsilon
    )
    w, s = sympy.symbols("w s")
    argument.inequality(
        "nothing is released",
        "r and s are r_1 and r_2, each for both values; N = nu, w = Pr(X_1=0) = Pr(X_2=0)",
        Eq(N, 0),
        [
            Eq(2 * N, w * (1 - r) + (1 - w) * (1 - r) + w * (1 - s) + (1 - w) * (1 - s)),
            Eq(r, 1),
            Eq(s, 1),
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
)
def ex1_q(check: Check) -> None:
    """Prove each number, that the condition decides privacy, and the least q_2."""
    needed, enough, least = (
        "q_2 > 0 is needed",
        "q_2 = 1/8 is private, nu = 7/24",
        "the condition decides; least q_2",
    )
    with check.reading(needed, AT) as argument:
        _needed(argument)
    check.near_miss(f"{needed}: at eps = 7/10", lambda argument: _needed(argument, Fraction(7, 10)))
    with check.reading(enough, AT) as argument:
        _enough(argument)
    check.near_miss(f"{enough}: q_2 = 1/9", lambda argument: _enough(argument, "1/9"))
    with check.reading(least, f"{AT}, every eps with log(3/2) <= eps < log 2") as argument:
        _least(argument)
    check.near_miss(f"{least}: also below log(3/2)", lambda argument: _least(argument, wide=True))


def _chance(value: sympy.Expr, x: int) -> sympy.Expr:
    """Pr(Y_2=*|X_1=x)."""
    return value * LIKELIHOOD[x, 0] + LIKELIHOOD[x, 1]


def _needed(argument: Argument, epsilon: Fraction = EPSILON) -> None:
    argument.identity(
        "without it",
        "Pr(Y_2=*|X_1=1)/Pr(Y_2=*|X_1=0) at q_2 = 0",
        DISPLAYED,
        2,
        at={"q": 0, "a": Fraction(1, 4), "b": Fraction(1, 2)},
    )
    argument.enclosure("too much", "2 > e^eps", 2 - sympy.exp(e), e, epsilon, epsilon)


def _enough(argument: Argument, chosen: str = "1/8") -> None:
    value = Rational(chosen)
    ratio = _chance(value, 1) / _chance(value, 0)
    at = {"q": Fraction(chosen), "a": Fraction(1, 4), "b": Fraction(1, 2)}
    argument.identity(
        "the displayed ratio",
        "its value is that of sums of Pr(X_2=z|X_1=x) r_2(z) over z, for x = 1 and 0",
        DISPLAYED,
        ratio,
        at=at,
    )
    argument.enclosure(
        "Y_2 = *, X_1 = 1 over 0",
        "the ratio is below e^eps",
        sympy.exp(e) - ratio,
        e,
        EPSILON,
        EPSILON,
    )
    argument.enclosure(
        "Y_2 = *, X_1 = 0 over 1",
        "so is its inverse",
        sympy.exp(e) - 1 / ratio,
        e,
        EPSILON,
        EPSILON,
    )
    argument.enclosure(
        "Y_2 = 0",
        "(1 - q)(1 - a) over (1 - q) b, 3/2, is below e^eps: log(3/2) < 1/2",
        sympy.exp(e) - Rational(3, 2),
        e,
        EPSILON,
        EPSILON,
    )
    argument.identity(
        "utility", "Pr(X_2=0) = b/(a+b)", "(1/2)*(1-q)*(b/(a+b))", Rational(7, 24), at=at
    )
    argument.inequality(
        "rounded",
        "to three digits, and above nu_DIM = 0",
        And(M >= Rational("0.2915"), M < Rational("0.2925"), M > 0),
        [Eq(M, Rational(7, 24))],
    )


def _least(argument: Argument, wide: bool = False) -> None:
    """E = e^eps; outputs are * and 0, as Y_2 = 1 does not occur."""
    star, other = _chance(q, 1), _chance(q, 0)
    private = And(
        star <= E * other,
        other <= E * star,
        (1 - q) * LIKELIHOOD[0, 0] <= E * (1 - q) * LIKELIHOOD[1, 0],
        (1 - q) * LIKELIHOOD[1, 0] <= E * (1 - q) * LIKELIHOOD[0, 0],
    )
    argument.inequality(
        "all four ratios",
        "privacy is the displayed condition: q_2 >= (1 - b - a E)/(E (1 - a) - b)",
        sympy.Equivalent(private, q * (E * (1 - A) - B) >= 1 - B - A * E),
        [q >= 0, q < 1, E >= 1 if wide else Rational(3, 2) <= E, E < 2],
    )
    exact = (1 - B - A * sympy.exp(e)) / (sympy.exp(e) * (1 - A) - B)
    low, high = Rational(11923, 100000), Rational(11925, 100000)
    argument.enclosure(
        "least q_2 from below", f"at eps = 1/2 it is above {low}", exact - low, e, EPSILON, EPSILON
    )
    argument.enclosure(
        "least q_2 from above", f"and below {high} < 1/8", high - exact, e, EPSILON, EPSILON
    )


@claim(
    "massny2025.x-ex1-definition",
    where="Example 1",
    statement="For a = 1/4, b = 1/2, n = 2, p = 1, r_1 = (1,1) and r_2 = (1/8,1), by enumeration "
    "from the definition: e^Lk(X_1->Y) = 18/11, which is below e^(1/2).",
    kind="example",
)
def ex1_definition(check: Check) -> None:
    """Enumerate all databases and outputs."""
    with check.reading("by enumeration", AT) as argument:
        _evaluate(argument, Fraction(1, 8))
    check.near_miss(
        "by enumeration: q_2 = 1/9", lambda argument: _evaluate(argument, Fraction(1, 9))
    )


def _evaluate(argument: Argument, value: Fraction) -> None:
    rows = [(Fraction(1), Fraction(1)), (value, Fraction(1))]
    argument.exhaust(
        "e^Lk",
        "r_1 = (1, 1), r_2 = (q_2, 1)",
        [rows],
        lambda row: leakage(EXAMPLE, 2, 1, local(row)) == Fraction(18, 11),
    )
    argument.enclosure(
        "below e^eps", "18/11 < e^(1/2)", sympy.exp(e) - Rational(18, 11), e, EPSILON, EPSILON
    )
