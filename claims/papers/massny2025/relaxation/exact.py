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

    Feasible q stay feasible if any q_t is raised. The outputs that matter have likelihoods up to a
    constant [massny2025.x-first-release]. The matrix of A, B, F, G is P at distance 1, and at the
    next distance times diag(x, 1) and P, so that its determinant keeps the sign of lam^D
    [lemma.up-set-determinant]. The derivative of the likelihood ratio in q_i has the sign of B F -
    A G [lemma.up-set-derivative]: for A G > B F this ratio falls strictly and its inverse rises,
    otherwise they change roles; for lam < 0 M has at most one record [massny2025.x-medium-one]. The
    ratio that falls stays at most e^budget; the one that rises is at most its value at q = 1, where
    M_t is not seen: e^delta_t, or 1, at most the budget [massny2025.delta-le-eps].

    The infimum of feasible constants is continuous in eps while M does not change. A constant below
    the infimum has a ratio above E, so it is infeasible for some larger budget, too; below any
    constant above the infimum some other one is feasible with a larger ratio, so the first is
    feasible for some smaller budget: the infimum does not jump.
    """
