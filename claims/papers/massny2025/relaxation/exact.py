"""The exact leakage of one side as a function of q: which q are feasible, and the least feasible
constant.

A, B are the probabilities of X_i = 0 and 1 and * on the nearer records of M given X_p = 0, F, G
those given X_p = 1; C, D those of the rest of the event given X_i = 0 and 1. N and K are the
likelihoods of the event given X_p = 0 and 1. Source: massny2025, definition 1 and equation (2).
"""

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.papers.massny2025.relaxation.statement import ALL
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B, F, G, C, D, E, q, r, s, t, u, v, d = sympy.symbols("A B F G C D E q r s t u v d")
a, b, w, x, y, z = sympy.symbols("a b w x y z")
PATHS = [A > 0, B > 0, F > 0, G > 0, C > 0, D > 0]
SET = "feasible q stay feasible if any q_t is raised"
CONTINUOUS = "the infimum of feasible constants is continuous in eps while M does not change"


@claim(
    "massny2025.x-feasible-up-set",
    where="Equation (2), beyond",
    statement="If q keeps the budget of a side under the exact leakage, so does every q' with q_t "
    "<= q'_t <= 1. So the constants that keep the budget are an interval up to 1; their "
    "infimum is continuous in eps while M does not change.",
    kind="lemma",
)
def feasible_up_set(check: Check) -> None:
    """Prove it by the sign of a determinant."""
    with check.reading(SET, ALL) as argument:
        _up_set(argument)
    check.near_miss(
        f"{SET}: the other sign of the determinant",
        lambda argument: _derivative(argument, other=True),
    )
    with check.reading(CONTINUOUS, ALL) as argument:
        _up_set(argument)
        _no_jump(argument)
    check.near_miss(
        f"{CONTINUOUS}: a ratio that is constant", lambda argument: _no_jump(argument, flat=True)
    )


def _up_set(argument: Argument) -> None:
    argument.cite(
        "events",
        "the outputs that matter, their likelihoods up to a constant",
        "massny2025.x-first-release",
    )
    _determinant(argument)
    _derivative(argument)
    argument.cite(
        "lam < 0", "M has at most one record; for lam = 0 none", "massny2025.x-medium-one"
    )
    argument.inequality(
        "the ratio that falls",
        "r is it at q, s at a larger q_t: r <= e^budget implies s <= e^budget",
        s <= E,
        [r <= E, s <= r],
    )
    argument.cite("delta_t", "at most the budget", "massny2025.delta-le-eps")
    argument.inequality(
        "the ratio that rises",
        "is at most its value v at q = 1, where M_t is not seen: "
        "Pr(X_{t+}=z|X_p=x)/Pr(X_{t+}=z|X_p=1-x) <= e^delta_t, or 1",
        s <= E,
        [s <= v, v <= d, d <= E],
    )


def _determinant(argument: Argument) -> None:
    argument.induction(
        "the sign of A G - B F",
        "The 2 x 2 matrix of A, B, F, G is P at distance 1, and at the next distance it is times "
        "diag(x, y) and P, x = q or 1 and y = 1: its determinant d has the sign of lam^D. w = d at "
        "the next distance, for lam > 0; for lam < 0 it changes its sign",
        base=(
            Implies(1 - a - b > 0, A * G - B * F > 0),
            [Eq(A, 1 - a), Eq(B, a), Eq(F, b), Eq(G, 1 - b), a > 0, b > 0],
        ),
        step=(
            And(
                Implies(And(d > 0, 1 - a - b > 0), w > 0),
                Implies(And(d > 0, 1 - a - b < 0), w < 0),
                Implies(And(d < 0, 1 - a - b < 0), w > 0),
            ),
            [Eq(w, d * x * (1 - a - b)), x > 0, a > 0, b > 0],
        ),
    )
    first, second = x * A * (1 - a) + B * b, x * A * a + B * (1 - b)
    third, fourth = x * F * (1 - a) + G * b, x * F * a + G * (1 - b)
    argument.identity(
        "the determinant of the product",
        "y = 1",
        first * fourth - second * third,
        (A * G - B * F) * x * (1 - a - b),
    )


def _derivative(argument: Argument, other: bool = False) -> None:
    """N = q A C + B D given X_p = 0, K = q F C + G D given X_p = 1."""
    one, zero = q * F * C + G * D, q * A * C + B * D
    argument.identity(
        "derivative in q_i",
        "of K/N, times N^2",
        sympy.diff(one, q) * zero - one * sympy.diff(zero, q),
        -C * D * (A * G - B * F),
    )
    argument.inequality(
        "its sign",
        "for A G > B F the ratio K/N falls strictly and N/K rises; otherwise they change roles",
        And(
            Implies(A * G > B * F, -C * D * (A * G - B * F) < 0),
            Implies(A * G < B * F, -C * D * (A * G - B * F) > 0),
        )
        if not other
        else Implies(A * G > B * F, -C * D * (A * G - B * F) > 0),
        [*PATHS],
    )


def _no_jump(argument: Argument, flat: bool = False) -> None:
    """r, s, t are the falling ratio at u, v' and v: u < q <= v' < v, q the infimum of feasible
    constants for E, v' feasible.
    """
    below = sympy.Le if flat else sympy.Lt
    argument.inequality(
        "smaller q",
        "any u < q has r > E, so it is infeasible for some larger budget, too: the infimum does "
        "not jump down",
        And(x > E, x < r),
        [Eq(2 * x, E + r), r > E],
    )
    argument.inequality(
        "larger q",
        "for any v in (q, 1] some feasible v' is smaller, s is its ratio, t < s <= E, so v is "
        "feasible for some smaller budget: the infimum does not jump up",
        And(y < E, t < y),
        [Eq(2 * y, E + t), below(t, s), s <= E],
    )
