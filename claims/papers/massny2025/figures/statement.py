"""Figures 3 and 4 recomputed: a = 1/100, b = 4/5, n = 10, p = 1.

The text has no numbers but the axes, so the values here are ours: utilities to six decimals,
certified by rational q on both sides of the least feasible one. Source: massny2025, section V,
figures 3 and 4, theorem 2, algorithm 1.
"""

from fractions import Fraction
from functools import partial
from typing import NamedTuple

import sympy
from sympy import And, Eq, Or, Rational

from pufferproof.claims.language import Proof, at_most, letter, proved
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.figures.instances import (
    FIGURES,
    bound,
    events,
    least_constant,
    relaxed_constant,
    split,
    utility,
)
from pufferproof.claims.papers.massny2025.figures.profile_statements import PROFILES
from pufferproof.claims.papers.massny2025.influence.instances import pointwise
from pufferproof.claims.registry import Check, claim


class Row(NamedTuple):
    """eps; the bound of theorem 2; the relaxation; the best constant q under the exact leakage."""

    epsilon: str
    bound: str
    relaxation: str
    numerical: str


AT = "a = 1/100, b = 4/5, n = 10, p = 1"
CURVES = [
    Row("1/10", "0.5", "0.507810", "0.616248"),
    Row("1/5", "0.6", "0.609589", "0.662817"),
    Row("3/10", "0.6", "0.619065", "0.683042"),
    Row("2/5", "0.6", "0.628154", "0.707570"),
    Row("1/2", "0.7", "0.705424", "0.713422"),
    Row("4/5", "0.7", "0.732183", "0.765722"),
    Row("1", "0.7", "0.747918", "0.789496"),
    Row("7/5", "0.8", "0.800526", "0.800789"),
    Row("2", "0.8", "0.844850", "0.860531"),
    Row("5/2", "0.8", "0.866064", "0.885052"),
    Row("3", "0.9", "0.900000", "0.900000"),
    Row("10", "0.9", "0.900000", "0.900000"),
]
"""Utilities to six decimals."""
HALF_UNIT = Fraction(1, 2_000_000)
e = letter("epsilon", "the budget in nats")
q = letter("q", "the probability that the value 0 of a record in M is redacted", at_most(1))
n = letter("n", NOTATION["n"])
p = letter("p", NOTATION["p"])
d = letter("d", "D*")
Dl = letter("Dl", NOTATION["Dl"])
Dr = letter("Dr", NOTATION["Dr"])
size = letter("size", "the number of redacted records")


def row_holds(row: Row) -> bool:
    """Say whether a row is right to six decimals and its utilities are in order."""
    epsilon, *printed = map(Fraction, row)
    letters = split(epsilon)
    relaxed, best = relaxed_constant(letters, epsilon), least_constant(letters, epsilon)
    ends = [(utility(letters, high), utility(letters, low)) for low, high in (relaxed, best)]
    close = all(
        max(abs(end - value) for end in pair) <= HALF_UNIT for pair, value in zip(ends, printed[1:])
    )
    return (
        close
        and bound(epsilon) == printed[0]
        and bound(epsilon) <= ends[0][0]
        and best[1] <= relaxed[1]
    )


@claim(
    "massny2025.fig3",
    where="Figure 3",
    statement="Utility against eps for 3R numerical (the least constant q that is feasible under "
    "the true leakage), 3R relaxation (the constant of massny2025.qconst) and the bound of "
    "massny2025.thm2; p = 1, n = 10, a = 0.01, b = 0.8.",
    kind="figure",
    unsaid=(
        "it is a table of numbers at irrational e^eps, each enclosed by its step from the "
        "definitions of the curves"
    ),
)
def fig3(check: Check) -> None:
    """Recompute the three curves at twelve budgets of the drawn range."""
    scope = f"{AT}; eps = {', '.join(row[0] for row in CURVES)}"
    last = {"the last decimal one more": _last_decimal}
    proved(check, "recomputed to six decimals", scope, _curves, **last)


def _curves(proof: Proof) -> None:
    for row in CURVES:
        proof.exhaust(
            f"eps = {row.epsilon}",
            f"bound {row.bound}, relaxation {row.relaxation}, numerical {row.numerical}; q just "
            "below the last one leaks more than eps, and every q above it is private",
            [row],
            row_holds,
        )


def _last_decimal(proof: Proof) -> None:
    proof.exhaust("eps = 1", "0.789497", [Row("1", "0.7", "0.747918", "0.789497")], row_holds)


@claim(
    "massny2025.fig4",
    where="Figure 4",
    statement="p = 1, n = 10, a = 0.01, b = 0.8, eps = 1: Pr(Y_t=*|X_t=0) for t=1..5 under MQ (1, "
    "1, 1, 1, 0), 3R relaxation (1, q, q, 0, 0) with q = e^(-1/2) ((1 + 80 lam^3)/(1 - "
    "lam^3))^(1/2) = 0.757415 and 3R numerical (1, q, q, 0, 0) with the least q that keeps "
    "eps, q = 0.546926; lam = 0.19.",
    kind="figure",
    says=PROFILES,
)
def fig4(check: Check) -> None:
    """Prove the three profiles; the printed axes have no other numbers."""
    proved(check, "the window of MQ", AT, _window, **{"D* = 2": partial(_window, first=2)})
    larger = partial(_relaxation, decimal="0.757416")
    proved(check, "3R relaxation", AT, _relaxation, **{"0.757416": larger})
    larger = partial(_numerical, decimal="0.546927")
    proved(check, "3R numerical", AT, _numerical, **{"0.546927": larger})


def _log(distance: int, value: int) -> sympy.Expr:
    """Return i(X_1~>X_t=value)."""
    return sympy.log(Rational(str(pointwise(FIGURES, distance, value))))


def _regions(proof: Proof, first: int = 3) -> None:
    proof.cite(
        "closed form",
        "influences decrease with the distance",
        "massny2025.prop1-decreasing-repaired",
    )
    proof.enclosure("record 2 is not in L", "i0(1) < 1", e - _log(1, 0), e, 1, 1)
    proof.enclosure(
        f"distance {first - 1} is not in S", f"i1({first - 1}) > 1", _log(first - 1, 1) - e, e, 1, 1
    )
    proof.enclosure(
        f"distance {first} is in S", f"i1({first}) < 1: D* = {first}", e - _log(first, 1), e, 1, 1
    )


def _window(proof: Proof, first: int = 3) -> None:
    _regions(proof, first)
    proof.inequality(
        "the window",
        "Dl = p - 1, Dr = min(D*, n - p) with D* = d; Dl + Dr + 1 records are redacted",
        Eq(size, 4),
        [
            Eq(size, Dl + Dr + 1),
            Eq(Dl, p - 1),
            Or(Eq(Dr, d), Eq(Dr, n - p)),
            Dr <= d,
            Dr <= n - p,
            Eq(d, first),
            Eq(n, 10),
            Eq(p, 1),
        ],
    )


def _relaxation(proof: Proof, decimal: str = "0.757415") -> None:
    _regions(proof)
    proof.cite("constant q", "is the largest e^(-(1 - delta_t)/|M_t|)", "massny2025.qconst")
    proof.identity(
        "delta_3",
        "i1 at distance 3, the closed form against the entries of the third power of P",
        "(1+80*lam**3)/(1-lam**3)",
        Rational(str(pointwise(FIGURES, 3, 1))),
        at={"lam": Fraction(19, 100)},
    )
    half = (e - _log(3, 1)) / 2
    proof.enclosure(
        "the larger of two", "(1 - delta_3)/2 < 1 - delta_2", (e - _log(2, 0)) - half, e, 1, 1
    )
    unit = Rational(1, 2_000_000)
    low, high = (sympy.log(Rational(decimal) + sign * unit) for sign in (-1, 1))
    proof.enclosure("six decimals: below", "in logarithms", -half - low, e, 1, 1)
    proof.enclosure("six decimals: above", "in logarithms", high + half, e, 1, 1)


def _numerical(proof: Proof, decimal: str = "0.546926") -> None:
    """The binding output is * * * 1: its ratio, 1 over 0, falls with q and is e at the least
    feasible q.
    """
    _regions(proof)
    proof.cite("outputs", "the nearest released record and its value", "massny2025.x-first-release")
    likelihoods = {
        name: (_polynomial(zero), _polynomial(one)) for name, zero, one in events("LMMSSSSSSS")
    }
    unit = Rational(1, 2_000_000)
    low, high = Rational(decimal) - unit, Rational(decimal) + unit
    zero, one = likelihoods["1 at 3"]
    proof.inequality(
        "the binding ratio falls",
        "derivative of Pr(y|X_1=1)/Pr(y|X_1=0), y = * * * 1",
        sympy.diff(one, q) * zero - one * sympy.diff(zero, q) < 0,
        [q >= 0],
    )
    at_low, at_high = (one.subs(q, value) / zero.subs(q, value) for value in (low, high))
    proof.enclosure("too small a q", "its ratio is above e", at_low - sympy.exp(e), e, 1, 1)
    proof.enclosure("large enough a q", "its ratio is below e", sympy.exp(e) - at_high, e, 1, 1)
    pairs = [(name, *pair) for name, (x, y) in likelihoods.items() for pair in ((x, y), (y, x))]
    others = [(over, under) for name, over, under in pairs if (name, over) != ("1 at 3", one)]
    proof.inequality(
        "all other ratios",
        "are at most 5/2 for every q that is large enough",
        And(*(over <= Rational(5, 2) * under for over, under in others)),
        [q >= low],
    )
    proof.enclosure("5/2 is allowed", "below e", sympy.exp(e) - Rational(5, 2), e, 1, 1)


def _polynomial(coefficients: tuple[Fraction, ...]) -> sympy.Expr:
    return sum((Rational(str(c)) * q**k for k, c in enumerate(coefficients)), sympy.Integer(0))
