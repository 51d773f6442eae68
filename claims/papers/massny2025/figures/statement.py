"""Figures 3 and 4 recomputed: a = 1/100, b = 4/5, n = 10, p = 1.

The text has no numbers but the axes, so the values here are ours: utilities to six decimals,
certified by rational q on both sides of the least feasible one. Source: massny2025, section V,
figures 3 and 4, theorem 2, algorithm 1.
"""

from fractions import Fraction
from typing import NamedTuple

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.figures.instances import (
    bound,
    least_constant,
    relaxed_constant,
    split,
    utility,
)
from pufferproof.claims.papers.massny2025.figures.profile_statements import PROFILES
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
    """Prove the three profiles; the printed axes have no other numbers.

    The window of MQ. Influences decrease with the distance [massny2025.prop1-decreasing-repaired];
    i0(1) < 1, i1(2) > 1 and i1(3) < 1: D* = 3, Dl = p - 1, Dr = min(D*, n - p).

    3R relaxation. The largest q is e^(-(1 - delta_t)/|M_t|) [massny2025.qconst], delta_3 = i1 at
    distance 3; (1 - delta_3)/2 < 1 - delta_2. Six decimals: [lemma.fig4-below], [lemma.fig4-above].

    3R numerical. The outputs that matter are the nearest released record and its value
    [massny2025.x-first-release]. The binding ratio, Pr(y|X_1=1)/Pr(y|X_1=0) of y = * * * 1, falls
    with q: it is above e for the smaller q and below for the larger; all other ratios are at most
    5/2 < e.
    """
