"""The exact leakage of one side as a function of q: which q are feasible, and the least feasible
constant.

Source: massny2025, definition 1 and equation (2).
"""

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.language import Edit, Proof, above, letter, letters, proved
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.influence.three_regions import ALL
from pufferproof.claims.papers.massny2025.relaxation import limit_statements, statements
from pufferproof.claims.registry import Check, claim

A, B = letters("A B", "given X_p = 0: X_i is 0, or 1, and * on the nearer records of M")
F, G = letters("F G", "given X_p = 1: X_i is 0, or 1, and * on the nearer records of M")
C, D = letters("C D", "the probabilities of the rest of the event given X_i = 0 and 1", above(0))
a = letter("a", NOTATION["a"], above(0))
b = letter("b", NOTATION["b"], above(0))
q = letter("q", "q_i of the record i of M")
x = letter("x", "q_i, or 1", above(0))
determinant, following = letters(
    "determinant following", "A G - B F, at a distance and the next one"
)
E = letter("E", "e^budget")
before, ratio, after = letters(
    "before ratio after", "the ratio of an event at a smaller q, at some q and at a larger q"
)
most = letter("most", "the value of a rising ratio at q = 1")
delta = letter("delta", "e^delta_t, or 1")
larger_budget, smaller_budget = letters("larger_budget smaller_budget", "e^budget of other budgets")
PATHS = [A > 0, B > 0, F > 0, G > 0]
"""Paths to X_i = 0 and 1 have positive probability."""
FALLS = Implies(A * G > B * F, -C * D * (A * G - B * F) < 0)
RISES = Implies(A * G < B * F, -C * D * (A * G - B * F) > 0)
SET = "feasible q stay feasible if any q_t is raised"
CONTINUOUS = "the infimum of feasible constants is continuous in eps while M does not change"


@claim(
    "massny2025.x-feasible-up-set",
    where="Equation (2), beyond",
    statement="If q keeps the budget of a side under the exact leakage, so does every q' with q_t "
    "<= q'_t <= 1. So the constants that keep the budget are an interval up to 1; their "
    "infimum is continuous in eps while M does not change.",
    kind="lemma",
    says={SET: statements.UP_SET, CONTINUOUS: limit_statements.INFIMUM},
)
def feasible_up_set(check: Check) -> None:
    """Prove it by the sign of a determinant."""
    other = Edit("its sign", instead=Implies(A * G > B * F, -C * D * (A * G - B * F) > 0))
    proved(check, SET, ALL, _up_set, the_other_sign_of_the_determinant=other)
    flat = Edit("larger q", without=after < ratio, given=after <= ratio)
    proved(check, CONTINUOUS, ALL, _no_jump, a_ratio_that_is_constant=flat)


def _up_set(proof: Proof) -> None:
    proof.cite(
        "events",
        "the outputs that matter, their likelihoods up to a constant",
        "massny2025.x-first-release",
    )
    _determinant(proof)
    _derivative(proof)
    proof.cite("lam < 0", "M has at most one record; for lam = 0 none", "massny2025.x-medium-one")
    proof.inequality(
        "the ratio that falls",
        "with a larger q_t stays at most e^budget",
        ratio <= E,
        [before <= E, ratio <= before],
    )
    proof.cite("delta_t", "at most the budget", "massny2025.delta-le-eps")
    proof.inequality(
        "the ratio that rises",
        "is at most its value at q = 1, where M_t is not seen: "
        "Pr(X_{t+}=z|X_p=x)/Pr(X_{t+}=z|X_p=1-x) <= e^delta_t, or 1",
        ratio <= E,
        [ratio <= most, most <= delta, delta <= E],
    )


def _determinant(proof: Proof) -> None:
    lam = 1 - a - b
    proof.induction(
        "the sign of A G - B F",
        "The 2 x 2 matrix of A, B, F, G is P at distance 1, and at the next distance it is times "
        "diag(x, 1) and P: its determinant has the sign of lam^D, the next one for lam > 0 the "
        "same, and for lam < 0 the other sign",
        base=(
            Implies(lam > 0, A * G - B * F > 0),
            [Eq(A, 1 - a), Eq(B, a), Eq(F, b), Eq(G, 1 - b)],
        ),
        step=(
            And(
                Implies(And(determinant > 0, lam > 0), following > 0),
                Implies(And(determinant > 0, lam < 0), following < 0),
                Implies(And(determinant < 0, lam < 0), following > 0),
            ),
            [Eq(following, determinant * x * lam), a > 0, b > 0],
        ),
    )
    first, second = x * A * (1 - a) + B * b, x * A * a + B * (1 - b)
    third, fourth = x * F * (1 - a) + G * b, x * F * a + G * (1 - b)
    proof.identity(
        "the determinant of the product",
        "of A, B, F, G, of diag(x, 1) and of P",
        first * fourth - second * third,
        (A * G - B * F) * x * (1 - a - b),
    )


def _derivative(proof: Proof) -> None:
    """The event has the likelihoods q A C + B D given X_p = 0 and q F C + G D given X_p = 1."""
    one, zero = q * F * C + G * D, q * A * C + B * D
    proof.identity(
        "derivative in q_i",
        "of the likelihood ratio, 1 over 0, times the square of the second one",
        sympy.diff(one, q) * zero - one * sympy.diff(zero, q),
        -C * D * (A * G - B * F),
    )
    proof.inequality(
        "its sign",
        "for A G > B F this ratio falls strictly and its inverse rises; otherwise they change "
        "roles",
        And(FALLS, RISES),
        PATHS,
    )


def _no_jump(proof: Proof) -> None:
    """A falling ratio around the infimum of the constants that are feasible for E."""
    _up_set(proof)
    proof.inequality(
        "smaller q",
        "any constant below the infimum has a ratio above E, so it is infeasible for some larger "
        "budget, too: the infimum does not jump down",
        And(larger_budget > E, larger_budget < before),
        [Eq(2 * larger_budget, E + before), before > E],
    )
    proof.inequality(
        "larger q",
        "below any constant above the infimum some other one is feasible, and has a larger ratio: "
        "so the first is feasible for some smaller budget, and the infimum does not jump up",
        And(smaller_budget < E, after < smaller_budget),
        [Eq(2 * smaller_budget, E + after), after < ratio, ratio <= E],
    )
