"""Mixtures of any number of priors do no worse than mixtures of two of them."""

from sympy import And, Eq

from pufferproof.claims.general.statements import mixtures
from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim

a_w, b_w = letters("a_w b_w", "sums of w_l P_l(y and s), and of w_l P_l(y and s')", at_least(0))
p_w, q_w = letters("p_w q_w", "sums of w_l P_l(s), and of w_l P_l(s')", above(0))
a_z, p_z = letters("a_z p_z", "the same sums of a direction z, for s")
b_z, q_z = letters("b_z q_z", "the same sums of a direction z, for s'")
r = letter("r", "a_w/p_w, the probability of y given s under the mixture", at_least(0))
t = letter("t", "a step along z", above(0))
end = letter("end", "the step at which a weight is 0", above(0))
a_j, p_j = letters("a_j p_j", "P_j(y and s) and P_j(s) under one prior", above(0))
b_j, q_j = letters("b_j q_j", "P_j(y and s') and P_j(s')", at_least(0))
b_l, q_l = letters("b_l q_l", "P_l(y and s') and P_l(s') under a prior without s", above(0))
share = letter("share", "the weight of the prior j", between(0, 1))
wanted = letter("wanted", "a number below (a_j/p_j) (q_l/b_l)", at_least(0))
sum_a, sum_p = letters("sum_a sum_p", "sums of w_j a_j and of w_j p_j so far", at_least(0))
weight = letter("weight", "w_j", at_least(0))
largest = letter("largest", "the largest a_j/p_j", at_least(0))
g, h = letters("g h", "the coefficients of x^2 and of z^2")
mixed = letter("mixed", "c, the coefficient of x z")
x, z = letters("x z", "two weights", at_least(0))

MOVING, VANISHING = "both secrets stay possible", "a secret becomes impossible"
NOTATION = {
    "theta_1 .. theta_n": "priors; P_l is a probability under theta_l",
    "w": "weights >= 0 of sum 1 of a mixture",
}


@claim(
    "general.mixtures-of-two",
    where="mixtures of priors",
    statement="Let theta_1 .. theta_n be priors, s, s' secrets, y an output. The supremum of "
    "P(y | s)/P(y | s') over all mixtures that allow both secrets is that over the mixtures of at "
    "most two of the priors. So is the supremum of P(Y | s) - e^epsilon P(Y | s') for a set Y of "
    "outputs.",
    kind="theorem",
    says={MOVING: mixtures.STAY_POSSIBLE, VANISHING: mixtures.BECOME_IMPOSSIBLE},
)
def mixtures_of_two(check: Check) -> None:
    """Prove it: with three weights or more, one can be moved to 0 without loss."""
    scope = "finitely many priors"
    proved(
        check,
        MOVING,
        scope,
        _moving,
        only_forward=Edit("one way is no loss", instead=[_AHEAD]),
        any_direction=Edit("P(y | s) stays", without=Eq(a_z, r * p_z)),
    )
    proved(
        check,
        VANISHING,
        scope,
        _vanishing,
        any_share=Edit("a small share", without=_SMALL),
    )


_AHEAD = (q_w + t * q_z) * b_w >= q_w * (b_w + t * b_z)
_BACK = (q_w - t * q_z) * b_w >= q_w * (b_w - t * b_z)
_SMALL = share * (wanted * p_j * b_j) < (1 - share) * (a_j * q_l - wanted * p_j * b_l)


def _moving(proof: Proof) -> None:
    proof.inequality(
        "P(y | s) stays",
        "Three weights or more allow a direction z, not 0, on their priors with sum 0 and a_z = r "
        "p_z: two equations in at least three unknowns. w + t z has P(y | s) = r",
        Eq(a_w + t * a_z, r * (p_w + t * p_z)),
        [Eq(a_w, r * p_w), Eq(a_z, r * p_z)],
    )
    proof.case_split(
        "one way is no loss",
        "1/P(y | s') = q_w/b_w does not fall ahead, or not backward, whatever the step: one goes "
        "on until a weight is 0. For the difference b_w/q_w and its negative take the same place",
        [_AHEAD, _BACK],
    )
    proof.inequality(
        "s' stays possible",
        "if q_w and b_w vanish at the end of the way, their quotient is the same all along, and "
        "the other way, where q_w grows, is no loss either",
        And(
            Eq((q_w + t * q_z) * b_w, q_w * (b_w + t * b_z)),
            q_w - t * q_z > 0,
        ),
        [Eq(q_w + end * q_z, 0), Eq(b_w + end * b_z, 0)],
    )


def _vanishing(proof: Proof) -> None:
    proof.summed(
        "the largest of single priors",
        "if p_w vanishes at the end of the way, so does a_w; before, r = a_w/p_w is at most the "
        "largest a_j/p_j of the priors with p_j > 0, and q_w/b_w tends to that of the priors with "
        "p_l = 0, which is at most the largest q_l/b_l of one of these",
        so_far=sum_a <= largest * sum_p,
        adding={sum_a: weight * a_j, sum_p: weight * p_j},
        given=[a_j <= largest * p_j],
    )
    proof.inequality(
        "a small share",
        "the mixture of theta_j and theta_l has P(y | s) = a_j/p_j, and comes as near to q_l/b_l "
        "as one likes: its ratio exceeds any number wanted",
        a_j * (share * q_j + (1 - share) * q_l) > wanted * p_j * (share * b_j + (1 - share) * b_l),
        [_SMALL],
    )


@claim(
    "general.two-weights",
    where="mixtures of priors",
    statement="g x^2 + c x z + h z^2 <= 0 for all x, z >= 0 iff g <= 0, h <= 0, and c <= 0 or c^2 "
    "<= 4 g h.",
    kind="lemma",
    says={"enough": mixtures.ENOUGH, "needed": mixtures.NEEDED_CONDITIONS},
)
def two_weights(check: Check) -> None:
    """Prove both directions: squares, and a place where the form is positive."""
    proved(
        check,
        "enough",
        "all real g, h, c",
        _enough,
        any_mixed_term=Edit("squares", without=mixed**2 <= 4 * g * h),
    )
    proved(
        check,
        "needed",
        "all real g, h, c",
        _needed,
        a_small_mixed_term=Edit("a place inside", without=mixed**2 > 4 * g * h),
    )


def _enough(proof: Proof) -> None:
    proof.inequality(
        "a mixed term below 0",
        "all three terms are at most 0",
        g * x**2 + mixed * x * z + h * z**2 <= 0,
        [g <= 0, h <= 0, mixed <= 0],
    )
    proof.inequality(
        "squares",
        "4 g times the form is (2 g x + c z)^2 + (4 g h - c^2) z^2; for g = 0 also c = 0",
        g * x**2 + mixed * x * z + h * z**2 <= 0,
        [g <= 0, h <= 0, mixed**2 <= 4 * g * h],
    )


def _needed(proof: Proof) -> None:
    proof.inequality(
        "a place inside",
        "c > 0, g < 0: at x = c, z = -2 g the form is g (4 g h - c^2); that g and h are at most 0 "
        "is the form at (1, 0) and (0, 1)",
        g * x**2 + mixed * x * z + h * z**2 > 0,
        [g < 0, mixed > 0, mixed**2 > 4 * g * h, Eq(x, mixed), Eq(z, -2 * g)],
    )
    proof.inequality(
        "without a square",
        "g = 0 and c > 0: at z = 1, x = (1 - h)/c the form is 1",
        g * x**2 + mixed * x * z + h * z**2 > 0,
        [Eq(g, 0), mixed > 0, Eq(z, 1), Eq(x * mixed, 1 - h)],
    )
