"""Two priors and one pair of disjoint secrets: when a promise for both is one for all mixtures.

For prior l: p_l = P_l(s), q_l = P_l(s'), both positive, mu_l and nu_l the laws of the database
given s and given s'. A mixture with weights w and 1 - w has as law of s the mean of mu_1 and mu_2
with the share w p_1/(w p_1 + (1 - w) p_2) of the first, for s' with w q_1/(w q_1 + (1 - w) q_2).
"""

from sympy import Eq, Ne, Rational

from pufferproof.claims.general.statements import classes, mixtures
from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    at_most,
    below,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level", at_least(1))
p1, p2 = letters("p1 p2", "P_1(s) and P_2(s)", above(0))
q1, q2 = letters("q1 q2", "P_1(s') and P_2(s')", above(0))
w = letter("w", "the weight of the first prior", above(0), below(1))
share_s, share_t = letters(
    "share_s share_t", "the share of the first prior given s, and given s'", between(0, 1)
)
a1, a2 = letters("a1 a2", "P_1(y | s) and P_2(y | s)", at_least(0))
b1, b2 = letters("b1 b2", "P_1(y | s') and P_2(y | s')", at_least(0))
mixed_s, mixed_t = letters("mixed_s mixed_t", "P(y | s) and P(y | s') under the mixture")
high, low = letters("high low", "P_1(y | s') and P_2(y | s') of the mechanism", above(0))
gap = letter("gap", "mu_1(x) - mu_2(x) > 0 for some database x of s", above(0), at_most(1))
chance = letter("chance", "mu_2(x)", between(0, 1))
base, step = letters("base step", "P(y | .) on s without x, and what is added at x")
aim1, aim2 = letters("aim1 aim2", "what P_1(y | s) and P_2(y | s) shall be")
h = letter("h", "a small number", above(0))
NOTATION = {
    "mu_l, nu_l": "the laws of the database given s, and given s', under the prior l",
    "p_l, q_l": "the probabilities of s and of s' under the prior l",
}


@claim(
    "general.mixture-dichotomy",
    where="general laws",
    statement="Let two priors give both of two disjoint secrets s, s' positive probability, and "
    "let R >= 1. Every mechanism that keeps the ratio R for (s, s') in both orders under both "
    "priors keeps it under all their mixtures iff p_1/q_1 = p_2/q_2, or mu_1 = mu_2, or nu_1 = "
    "nu_2. If not, one mechanism breaks it under every mixture with positive weights.",
    kind="theorem",
    says={
        "each condition suffices": classes.CONDITIONS_SUFFICE,
        "one of them is needed": mixtures.NEEDED,
    },
)
def mixture_dichotomy(check: Check) -> None:
    """Prove that each condition suffices, and construct a mechanism where none holds."""
    proved(
        check,
        "each condition suffices",
        "all finite sizes, all mixtures, every R",
        _suffices,
        laws_that_differ=Edit("one law given s", without=Eq(a1, a2)),
        odds_that_differ=Edit("equal odds, equal shares", without=Eq(p1 * q2, p2 * q1)),
    )
    proved(
        check,
        "one of them is needed",
        "all finite sizes, every R, all mixtures with positive weights",
        _needed,
        equal_odds=Edit("shares differ", without=Ne(p1 * q2, p2 * q1)),
        a_step_of_any_size=Edit("values on s", without=Eq(step * gap, aim1 - aim2)),
    )


MIXED = [
    Eq(mixed_s, share_s * a1 + (1 - share_s) * a2),
    Eq(mixed_t, share_t * b1 + (1 - share_t) * b2),
]
KEPT = [a1 <= R * b1, a2 <= R * b2]


def _suffices(proof: Proof) -> None:
    proof.inequality(
        "one law given s",
        "mu_1 = mu_2 gives a1 = a2 = P(y | s) under every mixture, at most R times each P_l(y | "
        "s') and so R times their mean; in the other order P(y | s') is a mean of values that are "
        "at most R P(y | s). nu_1 = nu_2 is the same with s and s' exchanged",
        mixed_s <= R * mixed_t,
        [*MIXED, *KEPT, Eq(a1, a2)],
    )
    proof.inequality(
        "a mean of values",
        "the other order",
        mixed_t <= R * mixed_s,
        [*MIXED, b1 <= R * a1, b2 <= R * a2, Eq(a1, a2)],
    )
    proof.inequality(
        "equal odds, equal shares",
        "p_1/q_1 = p_2/q_2: both secrets weigh the priors alike",
        Eq(share_s, share_t),
        [
            Eq(share_s * (w * p1 + (1 - w) * p2), w * p1),
            Eq(share_t * (w * q1 + (1 - w) * q2), w * q1),
            Eq(p1 * q2, p2 * q1),
        ],
    )
    proof.inequality(
        "the same mean on both sides",
        "of a1 <= R b1 and a2 <= R b2",
        mixed_s <= R * mixed_t,
        [*MIXED, *KEPT, Eq(share_s, share_t)],
    )


def _needed(proof: Proof) -> None:
    proof.inequality(
        "shares differ",
        "p_1/q_1 and p_2/q_2 do, so that s and s' weigh the priors differently, for every 0 < w < "
        "1",
        Ne(share_s, share_t),
        [
            Eq(share_s * (w * p1 + (1 - w) * p2), w * p1),
            Eq(share_t * (w * q1 + (1 - w) * q2), w * q1),
            Ne(p1 * q2, p2 * q1),
        ],
    )
    proof.inequality(
        "the ratio of the mixture",
        "Let P_l(y | s') = high and low, P_l(y | s) = R high and R low. If high > low and share_s "
        "> share_t the mixture has P(y | s) > R P(y | s'); if share_s < share_t exchange high and "
        "low",
        mixed_s > R * mixed_t,
        [
            Eq(mixed_s, R * (share_s * high + (1 - share_s) * low)),
            Eq(mixed_t, share_t * high + (1 - share_t) * low),
            high > low,
            share_s > share_t,
        ],
    )
    _mechanism(proof)


def _mechanism(proof: Proof) -> None:
    proof.inequality(
        "values on s",
        "mu_1 and mu_2 differ and both sum to 1, so mu_1(x) > mu_2(x) for some x of s: P(y | .) = "
        "base on s and base + step at x gives both aims. The same on s' by nu_1 and nu_2",
        Eq(base + step * (chance + gap), aim1) & Eq(base + step * chance, aim2),
        [Eq(step * gap, aim1 - aim2), Eq(base, aim2 - step * chance), gap > 0],
    )
    proof.inequality(
        "they are probabilities",
        "The aims differ by at most h from the middle 1/(2 (R + 1)), or R times that on s, h being "
        "small against gap: all entries lie between 0 and 1",
        (base >= 0) & (base + step >= 0) & (base <= 1) & (base + step <= 1),
        [
            Eq(step * gap, aim1 - aim2),
            Eq(base, aim2 - step * chance),
            aim1 - aim2 <= 2 * h,
            aim2 - aim1 <= 2 * h,
            8 * h <= aim2 * gap,
            aim2 <= Rational(1, 2),
            aim2 >= 0,
        ],
    )
    proof.inequality(
        "the level holds for each prior",
        "of y, R high against high in both orders, and of the other output, for high <= 1/(R + 1)",
        (1 - R * high <= R * (1 - high)) & (1 - high <= R * (1 - R * high)),
        [high * (R + 1) <= 1],
    )
