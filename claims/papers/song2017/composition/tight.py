"""The best bound of parallel composition that follows from two levels and the kernel between the
segments, and who attains it.

Letters in `NOTATION`. A set Y of values of X_T3 stands for "likely given w_B". Source: asked beyond
song2017, theorem III.1.
"""

from functools import partial

import sympy
from sympy import And, Eq

from pufferproof.claims.language import proved
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL = (
    "all finite chains (zeros included) with at least two possible values of X_T2, all finite "
    "levels"
)
A, B, D, F, K, R, S, U, V, d, j, k, p, q, t, u, v, x, y = sympy.symbols(
    "A B D F K R S U V d j k p q t u v x y"
)
NOTATION = {
    "R": "e^eps_A",
    "S": "e^eps_B",
    "P_v": "the law of X_T3 given X_T2 = v",
    "P_w": "the law of X_T3 given X_T2 = w",
    "Y": "a set of values of X_T3",
    "kappa": "the largest quotient that the statement defines",
    "v": "a possible value of X_T2",
    "w": "a possible value of X_T2",
}


@claim(
    "song2017.x-III1-tight",
    where="Theorem III.1, asked beyond it",
    statement="Let kappa be the maximum over possible values v, w of X_T2 and sets Y of values of "
    "X_T3 of (1+(S-1)P_v(Y))/(1+(S-1)P_w(Y)). For secrets of A and all M_A, M_B with the "
    "levels eps_A, eps_B the joint ratio is at most R kappa; flags of X_T2 = v and of X_T3 in "
    "Y have these levels and attain it; and kappa <= min{S, e^e(X_T3|X_T2)}.",
    kind="theorem",
    assumes=[
        "X_T2 has at least two possible values (a certain X_T2 has no pair of secrets, and kappa = "
        "1)"
    ],
)
def tight(check: Check) -> None:
    """Prove that flags are the extremes, and that they keep their levels on their whole
    segments.
    """
    proved(
        check,
        "no mechanisms leak more",
        ALL,
        _largest,
        likelihoods_apart_by_more=partial(_largest, apart=True),
    )
    proved(
        check, "flags attain it", ALL, _attained, a_frequent_flag=partial(_attained, frequent=True)
    )
    proved(
        check, "kappa <= min{S, e^e(X_T3|X_T2)}", ALL, _below, half_of_it=partial(_below, half=True)
    )


def _largest(argument: Argument, apart: bool = False) -> None:
    """The likelihoods of w_B given possible values of X_T3, in order, divided by the least: 1 = u_1
    <= u_2 <= .. <= S.

    d = u_m - u_(m-1), Y the values with at least the likelihood u_m; x = P_v(Y) and y = P_w(Y); K =
    kappa.
    """
    argument.cite("sums", "over values and over sets may be exchanged", "lemma.finite-sums")
    argument.induction(
        "likelihoods as sums over sets",
        "U, A and V sum p u, p and p D over the first values of X_T3, p their chances given X_T2 = "
        "v, u their likelihoods, D = u - 1 the sum of d over the sets Y that they lie in: P_v(w_B) "
        "= 1 + sum_Y d P_v(Y) in the end",
        base=(Eq(U, A + V), [Eq(U, p * u), Eq(A, p), Eq(V, p * D), Eq(D, u - 1)]),
        step=(Eq(U + p * u, (A + p) + (V + p * D)), [Eq(U, A + V), Eq(D, u - 1)]),
    )
    argument.induction(
        "one set after the other",
        "D, A and B are the sums of d, d x and d y so far; 1 + (S-1) x <= K (1 + (S-1) y) for "
        "every set, by definition of kappa",
        base=(D + (S - 1) * A <= K * (D + (S - 1) * B), [Eq(D, 0), Eq(A, 0), Eq(B, 0)]),
        step=(
            (D + d) + (S - 1) * (A + d * x) <= K * ((D + d) + (S - 1) * (B + d * y)),
            [
                D + (S - 1) * A <= K * (D + (S - 1) * B),
                1 + (S - 1) * x <= K * (1 + (S - 1) * y),
                d >= 0,
            ],
        ),
    )
    argument.inequality(
        "all sets",
        "D is now the largest likelihood minus 1, at most S - 1: P_v(w_B) <= kappa P_w(w_B). (If S "
        "= 1 both are 1.)",
        1 + A <= K * (1 + B),
        [
            D + (S - 1) * A <= K * (D + (S - 1) * B),
            D <= ((2 * S if apart else S) - 1),
            K >= 1,
            S > 1,
        ],
    )
    argument.cite(
        "given X_T2",
        "both outputs are independent, and so are w_B and the secret",
        "song2017.x-markov",
    )
    argument.inequality(
        "secrets at T2",
        "j and k are the likelihoods of both outputs",
        j <= R * K * k,
        [
            Eq(j, A * u),
            Eq(k, B * y),
            A <= R * B,
            u <= K * y,
            A >= 0,
            B >= 0,
            u >= 0,
            y >= 0,
            R >= 1,
            K >= 1,
        ],
    )
    argument.cite(
        "averages",
        "A V <= K U B for the joint likelihoods A, B of a secret before T2, sums over X_T2 of "
        "P(own output,X_T2|secret) times P(w_B|X_T2), and U, V those of the own output",
        "song2017.x-averages",
    )
    argument.inequality(
        "secrets before T2",
        "if V = 0 then U = 0 and A = 0",
        A <= R * K * B,
        [A * V <= K * U * B, U <= R * V, A <= U, A >= 0, B >= 0, U >= 0, V >= 0, K >= 1, R >= 1],
    )


def _attained(argument: Argument, frequent: bool = False) -> None:
    """The flag goes up with chance t S in Y and t elsewhere; t = 1/(S+1) is small enough."""
    chance = [t > 0, t <= (2 if frequent else 1) / (S + 1), S >= 1]
    argument.inequality(
        "a mechanism with the level",
        "chances are at most 1, and without the flag 1 - t and 1 - t S are within S",
        And(t * S < 1, 1 - t <= S * (1 - t * S)),
        chance,
    )
    argument.cite(
        "other records of the segment",
        "see averages of both likelihoods, which are as close",
        "song2017.x-averages",
    )
    argument.cite("given X_T2", "both flags are independent", "song2017.x-markov")
    argument.identity(
        "both flags up",
        "with the chance p R given X_T2 = v and p given X_T2 = w the first goes up; x = P_v(Y), y "
        "= P_w(Y)",
        "(p*R*(t*S*x + t*(1 - x)))/(p*(t*S*y + t*(1 - y)))",
        "R*((1 + (S - 1)*x)/(1 + (S - 1)*y))",
    )


def _below(argument: Argument, half: bool = False) -> None:
    """x = P_v(Y) <= F P_w(Y), y = P_w(Y)."""
    one, two = (2, 2) if half else (1, 1)
    argument.inequality(
        "by the influence",
        "F = e^e(X_T3|X_T2)",
        one * (1 + (S - 1) * x) <= F * (1 + (S - 1) * y),
        [x <= F * y, x >= 0, y >= 0, F >= 1, S >= 1],
    )
    argument.inequality(
        "by the level",
        "x <= 1",
        two * (1 + (S - 1) * x) <= S * (1 + (S - 1) * y),
        [x <= 1, x >= 0, y >= 0, S >= 1],
    )
