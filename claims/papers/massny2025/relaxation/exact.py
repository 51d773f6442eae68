"""The exact leakage of one side as a function of q: which q are feasible, and the least feasible
constant.

Source: massny2025, definition 1 and equation (2).
"""

from pufferproof.claims.papers.massny2025.relaxation import limit_statements, statements
from pufferproof.claims.registry import Check, claim

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
    """Prove it by the sign of a determinant.

    Feasible q stay feasible if any q_t is raised. Events: the outputs that matter, their
    likelihoods up to a constant [massny2025.x-first-release]. The sign of A G - B F: The 2 x 2
    matrix of A, B, F, G is P at distance 1, and at the next distance it is times diag(x, 1) and P:
    its determinant has the sign of lam^D, the next one for lam > 0 the same, and for lam < 0 the
    other sign. The determinant of the product: of A, B, F, G, of diag(x, 1) and of P. Derivative in
    q_i: of the likelihood ratio, 1 over 0, times the square of the second one. Its sign: for A G >
    B F this ratio falls strictly and its inverse rises; otherwise they change roles. Lam < 0: M has
    at most one record; for lam = 0 none [massny2025.x-medium-one]. The ratio that falls: with a
    larger q_t stays at most e^budget. Delta_t: at most the budget [massny2025.delta-le-eps]. The
    ratio that rises: is at most its value at q = 1, where M_t is not seen:
    Pr(X_{t+}=z|X_p=x)/Pr(X_{t+}=z|X_p=1-x) <= e^delta_t, or 1.

    The infimum of feasible constants is continuous in eps while M does not change. Events: the
    outputs that matter, their likelihoods up to a constant [massny2025.x-first-release]. The sign
    of A G - B F: The 2 x 2 matrix of A, B, F, G is P at distance 1, and at the next distance it is
    times diag(x, 1) and P: its determinant has the sign of lam^D, the next one for lam > 0 the
    same, and for lam < 0 the other sign. The determinant of the product: of A, B, F, G, of diag(x,
    1) and of P. Derivative in q_i: of the likelihood ratio, 1 over 0, times the square of the
    second one. Its sign: for A G > B F this ratio falls strictly and its inverse rises; otherwise
    they change roles. Lam < 0: M has at most one record; for lam = 0 none
    [massny2025.x-medium-one]. The ratio that falls: with a larger q_t stays at most e^budget.
    Delta_t: at most the budget [massny2025.delta-le-eps]. The ratio that rises: is at most its
    value at q = 1, where M_t is not seen: Pr(X_{t+}=z|X_p=x)/Pr(X_{t+}=z|X_p=1-x) <= e^delta_t, or
    1. Smaller q: any constant below the infimum has a ratio above E, so it is infeasible for some
    larger budget, too: the infimum does not jump down. Larger q: below any constant above the
    infimum some other one is feasible, and has a larger ratio: so the first is feasible for some
    smaller budget, and the infimum does not jump up.

    Engines prove its formulas [lemma.up-set-derivative], [lemma.up-set-determinant].
    """
    check.tried(SET)
    check.tried(CONTINUOUS)
