"""Closure of Pufferfish mechanisms: randomised post-processing, mixing mechanisms by a coin,
limits.

For one prior, pair and order, a mechanism enters only through its output laws a = P(. | s) and b =
P(. | s'), and these are linear in the channel. Sources: kifer2014pufferfish (section 5: the axioms
of transformation invariance and convexity).
"""

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes"
R, S, a, b, A, B, w = sympy.symbols("R S a b A B w")


@claim(
    "general.post-processing",
    where="general laws",
    statement="If M is epsilon-Pufferfish for (S, Q, Theta) and K is a stochastic matrix from "
    "outputs to new outputs, then the mechanism that runs M and passes its output through K is "
    "epsilon-Pufferfish for (S, Q, Theta).",
    assumes=[
        "finitely many databases and outputs; K uses fresh randomness and does not see the database"
    ],
)
def post_processing(check: Check) -> None:
    """Prove closure under processing: the new output laws are the old ones pushed through K."""
    with check.reading("randomised processing", ALL_SIZES) as argument:
        _processed(argument)
    check.near_miss(
        "randomised processing: a smaller level",
        lambda argument: _processed(argument, smaller=True),
    )
    check.near_miss(
        "randomised processing: a kernel that sees the secret",
        lambda argument: _processed(argument, sees=True),
    )


def _processed(argument: Argument, smaller: bool = False, sees: bool = False) -> None:
    k, l = sympy.symbols("k l")
    ratio = S if smaller else R
    levels = [R >= 1, S >= 1, S < R] if smaller else [R >= 1]
    argument.cite(
        "the law given a secret is pushed through K",
        "P(z | s) = sum_x theta(x)/theta(s) sum_y P(y | x) K(z | y) = sum_y K(z | y) P(y | s), "
        "exchanging the sums",
        "lemma.finite-sums",
    )
    other = [l >= 0] if sees else [sympy.Eq(l, k)]
    argument.induction(
        "one more old output",
        "A and B are the sums of K(z|y) P(y|s) and K(z|y) P(y|s') over the first outputs y; k is "
        "K(z|y) given s and l given s', which are the same number, a = P(y|s) and b = P(y|s')",
        base=(k * a <= ratio * l * b, [a <= R * b, a >= 0, b >= 0, k >= 0, *other, *levels]),
        step=(
            A + k * a <= ratio * (B + l * b),
            [A <= R * B, a <= R * b, a >= 0, b >= 0, k >= 0, *other, *levels],
        ),
    )


@claim(
    "general.mixture-of-mechanisms",
    where="general laws",
    statement="If M_1 .. M_n are epsilon-Pufferfish for (S, Q, Theta), then the mechanism that "
    "throws a coin independent of the database and runs the M_i it shows is epsilon-Pufferfish "
    "for (S, Q, Theta), whether or not it publishes the coin.",
    assumes=["the weights of the coin do not depend on the database"],
)
def mixture_of_mechanisms(check: Check) -> None:
    """Prove convexity, for a hidden and for a published coin, with the largest level if the
    levels differ.
    """
    with check.reading("hidden coin", ALL_SIZES) as argument:
        _hidden_coin(argument)
    check.near_miss(
        "hidden coin: a coin that depends on the secret",
        lambda argument: _hidden_coin(argument, True),
    )
    with check.reading("published coin", ALL_SIZES) as argument:
        _published_coin(argument)
    check.near_miss(
        "published coin: a coin that depends on the secret",
        lambda argument: _published_coin(argument, True),
    )
    with check.reading(
        "levels that differ, hidden coin: the largest one holds", ALL_SIZES
    ) as argument:
        _largest_level(argument)
    check.near_miss(
        "levels that differ, hidden coin: the largest one holds: the last level",
        lambda argument: _largest_level(argument, True),
    )


def _hidden_coin(argument: Argument, biased: bool = False) -> None:
    v = sympy.Symbol("v")
    argument.cite(
        "the law given a secret is the mixture of laws",
        "P(y | s) = sum_x theta(x)/theta(s) sum_i w_i P_i(y | x) = sum_i w_i P_i(y | s), "
        "exchanging the sums",
        "lemma.finite-sums",
    )
    other = [v >= 0] if biased else [sympy.Eq(v, w)]
    argument.induction(
        "one more mechanism",
        "A and B are the sums of w_i P_i(y|s) and w_i P_i(y|s') over the first mechanisms; the "
        "next has weight w given s and v given s', which are the same number, a = P_i(y|s) and b = "
        "P_i(y|s')",
        base=(w * a <= R * v * b, [a <= R * b, a >= 0, b >= 0, w >= 0, *other, R >= 1]),
        step=(
            A + w * a <= R * (B + v * b),
            [A <= R * B, a <= R * b, a >= 0, b >= 0, w >= 0, *other, R >= 1],
        ),
    )


def _published_coin(argument: Argument, biased: bool = False) -> None:
    v = sympy.Symbol("v")
    other = [v >= 0] if biased else [sympy.Eq(v, w)]
    argument.inequality(
        "an output with its coin",
        "The outputs are (i, y), with P(i, y | s) = w_i P_i(y | s) and P(i, y | s') = w_i P_i(y | "
        "s')",
        w * a <= R * v * b,
        [a <= R * b, a >= 0, b >= 0, w >= 0, *other, R >= 1],
    )


def _largest_level(argument: Argument, last: bool = False) -> None:
    Q = sympy.Symbol("Q")
    argument.cite(
        "the law given a secret is the mixture of laws", "As for equal levels", "lemma.finite-sums"
    )
    larger = S if last else sympy.Max(Q, S)
    argument.induction(
        "one more mechanism",
        "Q is the largest e^epsilon_i so far, S that of the next mechanism: A <= Q B and a <= S b",
        base=(w * a <= S * w * b, [a <= S * b, a >= 0, b >= 0, w >= 0, S >= 1]),
        step=(
            A + w * a <= larger * (B + w * b),
            [A <= Q * B, a <= S * b, A >= 0, B >= 0, a >= 0, b >= 0, w >= 0, Q >= 1, S >= 1],
        ),
    )


@claim(
    "general.limits-of-mechanisms",
    where="general laws",
    statement="If channels M_1, M_2, ... on the same databases and outputs converge entrywise to M "
    "and each M_k is epsilon-Pufferfish for (S, Q, Theta), so is M; the same if M_k is "
    "epsilon_k-Pufferfish and epsilon_k tends to epsilon.",
)
def limits_of_mechanisms(check: Check) -> None:
    """Prove that the promise is a closed condition: near a violation there are only violations."""
    with check.reading("one level", ALL_SIZES) as argument:
        _limit(argument)
    check.near_miss(
        "one level: a strict promise kept strictly", lambda argument: _limit(argument, strict=True)
    )
    with check.reading("levels that converge", ALL_SIZES) as argument:
        _limit(argument, moving=True)
    check.near_miss(
        "levels that converge: a strict promise", lambda argument: _limit(argument, True, True)
    )


def _limit(argument: Argument, strict: bool = False, moving: bool = False) -> None:
    c, d, g, e = sympy.symbols("c d g e")
    argument.induction(
        "output laws are no further apart than channels",
        "P(y | s) averages entries of column y. If all entries of two channels differ by at most "
        "e, then the sums A and c of weight times entry over the first databases, of total weight "
        "w, differ by at most e w; the next has weight d",
        base=(
            (A - c <= e * w) & (c - A <= e * w),
            [sympy.Eq(A, 0), sympy.Eq(c, 0), sympy.Eq(w, 0), e >= 0],
        ),
        step=(
            (A + d * a - c - d * b <= e * (w + d)) & (c + d * b - A - d * a <= e * (w + d)),
            [A - c <= e * w, c - A <= e * w, a - b <= e, b - a <= e, d >= 0, w >= 0, e >= 0],
        ),
    )
    level = [R + e >= S, S + e >= R, S >= 1, b <= 1] if moving else [sympy.Eq(S, R)]
    violated = a >= R * b if strict else a > R * b
    argument.inequality(
        "violations are stable",
        "If the limit has a = P(y|s) > R b, b = P(y|s') then every channel with entries, and level "
        "S, within e of the limit violates its own level, where e = (a - R b)/(2 (R + 3)) > 0; but "
        "the M_k come that near",
        (c > S * d) & ((e >= 0) if strict else (e > 0)),
        [
            *[
                violated,
                sympy.Eq(g, a - R * b),
                sympy.Eq(2 * e * (R + 3), g),
                R >= 1,
                b >= 0,
                a <= 1,
                d >= 0,
                d <= 1,
            ],
            *[a - c <= e, c - a <= e, b - d <= e, d - b <= e, *level],
        ],
    )
