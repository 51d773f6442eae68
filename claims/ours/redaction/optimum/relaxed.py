"""The relaxed program of the 3R family on a real chain: its optimum takes at most two values.

Medium records of one side are numbered 1 .. N away from p, D is the distance of the first; f_k =
eps - delta_k in nats is the height of constraint k, with delta_k = i0(D+k) for k < N; f_0 = eps -
i0(D) >= 0. Source of the program: massny2025, appendix A.
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, NUMBERED, SETTING
from pufferproof.claims.ours.redaction.statements.programs import TWO_VALUES
from pufferproof.claims.registry import Check, claim

NOTATION = {
    **SETTING,
    **FAMILY,
    **NUMBERED,
    "f": "f_k = budget - delta_k, the height of constraint k",
}


@claim(
    "redaction.relaxed-two-values",
    where="Relaxed design",
    statement="Let a <= b and lam > 0, and let N = |M| >= 2 on a side of budget > 0. The mean "
    "slopes f_k/k, f_k = budget - delta_k, do not rise for k = 1 .. N-1. So the optimal q of "
    "the published program is q_1 = .. = q_N = e^-(f_N/N) if f_N/N <= f_(N-1)/(N-1), else q_1 = "
    ".. = q_(N-1) = e^-(f_(N-1)/(N-1)) > q_N = e^-(f_N - f_(N-1)).",
    kind="closed form",
    says=TWO_VALUES,
)
def relaxed_two_values(check: Check) -> None:
    """Prove it from the convexity of i0.

    i0 is convex [massny2025.prop1-convex-repaired], hence the heights f_0 .. f_(N-1) are concave. M
    begins where i0(D) <= eps: f_0 >= 0; t+ of the record k < N is at distance D + k, in M
    [massny2025.x-regions-intervals]. Each increment is at most those before it, so mean slopes do
    not rise: the least is the last one or that of N. From k on take the largest minimiser of the
    slope [massny2025.x-relaxed-optimum]: q_N = e^-(f_N - f_(N-1)) is smaller than the others.
    """
    name = "as stated"
    check.tried(name)
