"""The best bound of parallel composition that follows from two levels and the kernel between the segments, and who attains it.

P_v is the law of X_T3 given X_T2 = v. R, S are e^eps_A, e^eps_B. A set Y of values of X_T3 stands for "likely given w_B".
Source: asked beyond song2017, theorem III.1.
"""

from functools import partial

import sympy
from sympy import And, Or

from pufferproof.claims.bai2026.readings import decide
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof import Argument

ALL = "all finite chains (zeros included) with at least two possible values of X_T2, all levels"
A, B, F, K, R, S, p, q, t, u, x, y = sympy.symbols("A B F K R S p q t u x y")


@claim(
    "song2017.x-III1-tight",
    where="Theorem III.1, asked beyond it",
    statement="For secrets of A the largest joint ratio over all mechanisms with these levels is R times kappa = max over v, "
    "w, Y of (1+(S-1)P_v(Y))/(1+(S-1)P_w(Y)), which is at most min{S, e^e(X_T3|X_T2)}. Flags of X_T2 = v and of X_T3 in Y "
    "attain it.",
    kind="theorem",
    assumes=["X_T2 has at least two possible values (a certain X_T2 has no pair of secrets, and kappa = 1)"],
)
def tight(check: Check) -> None:
    """Prove that flags are the extremes, and that they keep their levels on their whole segments."""
    decide(check, "no mechanisms leak more", ALL, _largest, likelihoods_apart_by_more=partial(_largest, apart=True))
    decide(check, "flags attain it", ALL, _attained, a_frequent_flag=partial(_attained, frequent=True))
    decide(check, "kappa <= min{S, e^e(X_T3|X_T2)}", ALL, _below, half_of_it=partial(_below, half=True))


def _largest(argument: Argument, apart: bool = False) -> None:
    """A + p u and B + q u: likelihoods given v and w as functions of that of one value of X_T3, the least being 1."""
    ends = [u >= 1, u <= (2 * S if apart else S)]
    ratio = (A + p * u) * (B + q) <= (A + p) * (B + q * u)
    other = (A + p * u) * (B + q * S) <= (A + p * S) * (B + q * u)
    argument.inequality("one value after the other", "the quotient is monotone in u: at most the larger of those at 1 and S",
                        Or(ratio, other), [*ends, A >= 0, B >= 0, p >= 0, q >= 0, S >= 1])  # fmt: skip
    argument.identity(
        "at the ends", "x = P_v(Y) has the likelihood S, the rest 1", S * x + 1 * (1 - x), 1 + (S - 1) * x
    )
    argument.cite("secrets before T2", "averages over X_T2 of likelihoods that differ by at most K = kappa: J <= R K",
                  "song2017.x-averages")  # fmt: skip
    argument.inequality("secrets at T2", "a product of two ratios", A * u <= R * K * B * y,
                        [A <= R * B, u <= K * y, A >= 0, B >= 0, u >= 0, y >= 0, R >= 1, K >= 1])  # fmt: skip


def _attained(argument: Argument, frequent: bool = False) -> None:
    """The flag goes up with chance t S in Y and t elsewhere; t = 1/(S+1) is small enough."""
    chance = [t > 0, t <= (2 if frequent else 1) / (S + 1), S >= 1]
    argument.inequality("a mechanism with the level", "chances are at most 1, and without the flag 1 - t and 1 - t S are "
                                                      "within S",
                        And(t * S < 1, 1 - t <= S * (1 - t * S)), chance)  # fmt: skip
    argument.cite(
        "other records of the segment", "see averages of both likelihoods, which are as close", "song2017.x-averages"
    )
    argument.identity("ratio of the flag", "given v over given w", (t * S * x + t * (1 - x)) / (t * S * y + t * (1 - y)),
                      (1 + (S - 1) * x) / (1 + (S - 1) * y))  # fmt: skip
    argument.identity(
        "both flags", "R times it: outputs are independent given X_T2", (R * t * x) / (t * y), R * (x / y)
    )


def _below(argument: Argument, half: bool = False) -> None:
    """x = P_v(Y) <= F P_w(Y), y = P_w(Y)."""
    one, two = (2, 2) if half else (1, 1)
    argument.inequality("by the influence", "F = e^e(X_T3|X_T2)", one * (1 + (S - 1) * x) <= F * (1 + (S - 1) * y),
                        [x <= F * y, x >= 0, y >= 0, F >= 1, S >= 1])  # fmt: skip
    argument.inequality(
        "by the level", "x <= 1", two * (1 + (S - 1) * x) <= S * (1 + (S - 1) * y), [x <= 1, x >= 0, y >= 0, S >= 1]
    )
