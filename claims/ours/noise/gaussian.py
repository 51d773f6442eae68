"""What Gaussian noise leaks: when it is finite, and why values on a line are scalars.

N(w) = sum_v p_v c_v V_v with c_v = exp(-v^2 / 2 sigma^2) > 0 and V_v = exp(w v / sigma^2), D the
same with q_v.
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

N, D, V, L, H, M, m, a, b, y = sympy.symbols("N D V L H M m a b y")
P, Q, S, d, w, v, tau, sigma = sympy.symbols("P Q S d w v tau sigma")
BEYOND, WITHIN = "a value beyond all of the other secret", "the same extreme values"


@claim(
    "noise.gaussian-finite",
    where="Noise on queries",
    statement="Gaussian noise on a query with finitely many real values leaks a finite amount iff "
    "the query has the same smallest and the same largest value given either secret.",
    kind="theorem",
)
def gaussian_finite(check: Check) -> None:
    """Prove both directions: an extreme value dominates, and values in between are dominated."""
    with check.reading(BEYOND, "all laws, all sigma > 0: the ratio is unbounded") as argument:
        _unbounded(argument)
    check.near_miss(
        f"{BEYOND}: no gap between the values", lambda argument: _unbounded(argument, gap=False)
    )
    with check.reading(WITHIN, "all laws, all sigma > 0: the ratio is bounded") as argument:
        _bounded(argument)
    check.near_miss(
        f"{WITHIN}: only the largest values agree",
        lambda argument: _bounded(argument, smallest=False),
    )


def _unbounded(argument: Argument, gap: bool = True) -> None:
    argument.inequality(
        "above any m",
        "V = V_v for the largest value v given s', D <= b V for w >= 0, b the sum of the q c; a "
        "larger value given s has a V y in N, y = exp(w g / sigma^2) for the gap g between the "
        "two: it grows beyond m b / a",
        N > m * D,
        [
            N >= a * V * y,
            D <= b * V,
            a > 0,
            b > 0,
            V > 0,
            D > 0,
            m > 0,
            a * y > m * b if gap else y >= 1,
        ],
    )


def _bounded(argument: Argument, smallest: bool = True) -> None:
    between = Or(And(L <= M, M <= H), And(H <= M, M <= L))
    argument.inequality(
        "between the extremes",
        "M = V_v for a value v between the smallest, L = V_l, and the largest, H = V_h: powers "
        "of one number, "
        "in order or in reverse",
        M <= L + H if smallest else M <= H,
        [between, L > 0, H > 0],
    )
    argument.inequality(
        "one term",
        "y is its p c, and both of q c at the extremes are at least a",
        a * y * M <= y * D,
        [M <= L + H, D >= a * (L + H), a > 0, y > 0],
    )
    argument.cite(
        "all terms", "N is their sum, at most m D with m the sum of the y / a", "lemma.mediant"
    )


@claim(
    "noise.gaussian-line",
    where="Noise on queries",
    statement="If the values of a query lie on a line, v + tau d, Gaussian noise of variances "
    "sigma_k leaks exactly as Gaussian noise of variance 1/P on tau, P = sum_k d_k^2 / sigma_k.",
    kind="theorem",
)
def gaussian_line(check: Check) -> None:
    """Prove it by completing the square, coordinate after coordinate."""
    with check.reading("as stated", "all dimensions, all lines, all variances > 0") as argument:
        _line(argument)
    check.near_miss(
        "as stated: the variance of one coordinate", lambda argument: _line(argument, more=False)
    )


def _line(argument: Argument, more: bool = True) -> None:
    square = P * tau**2 - 2 * Q * tau + S
    argument.identity(
        "one more coordinate",
        "The exponent is -1/2 times P tau^2 - 2 Q tau + S: it starts from 0, and a coordinate "
        "with w - v = y adds "
        "(y - tau d)^2 / sigma",
        square + (y - tau * d) ** 2 / sigma,
        (P + (d**2 / sigma if more else 0)) * tau**2
        - 2 * (Q + y * d / sigma) * tau
        + S
        + y**2 / sigma,
    )
    argument.identity(
        "completing the square",
        "the output w acts as the output Q/P of the query tau; the rest is the same for all values",
        square,
        P * (tau - Q / P) ** 2 + S - Q**2 / P,
    )
    argument.induction(
        "every output of tau occurs",
        "at w = v + w' d the coordinates have y = w' d, hence Q = w' P: here w' is written w",
        base=(Eq(Q, w * P), [Eq(Q, 0), Eq(P, 0)]),
        step=(Eq(Q + w * d * d * v, w * (P + d * d * v)), [Eq(Q, w * P), v > 0]),
    )
