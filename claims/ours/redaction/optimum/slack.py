"""How far the published bounds on data-independent mechanisms are from what is attained.

Source: massny2025, theorem 2.
"""

from collections.abc import Iterator
from functools import partial

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.ours.redaction.statements.dim import (
    DIM_SLACK,
)
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    case,
    instances,
    optimum,
    pattern_leakage,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.registry import Check, claim

NOTATION = {
    **SETTING,
    "H": "D*(eps/2)",
    "R1": "D*(eps) + p - 1",
    "Z": "the number 0, 1 or 2 that redaction.dim-optimum defines",
}


@claim(
    "redaction.dim-slack",
    where="Data-independent redaction, theorem 2 of massny2025",
    statement="a <= b, eps > 0, p <= n/2, i1(0) = infinity. The printed bound says that an "
    "eps-private DIM redacts at least n records if eps < i1(n-p), min{R1, 2H-1} if eps >= "
    "i1(p-1) + i1(n-p), and R1 otherwise. The first and the third case are attained for every "
    "lam; in the second the best DIM redacts min{Z, max{0, R1-(2H-1-Z)}} records fewer than "
    "the bound says: at most 1 for lam >= 0, at most 2 for lam < 0, for every n.",
    says=DIM_SLACK,
)
def dim_slack(check: Check) -> None:
    """Prove it from the exact optimum.

    The optimum: N = min{R1, 2H-1-Z}, and n and R1 in the other cases [redaction.dim-optimum].
    Second case: T = R1, Q = 2H - 1; S = min{T, Q} is the printed bound: S - N = min{Z, max{0, T -
    (Q - Z)}}. First and third case: both are n, or both R1.
    """
    name = "the number"
    check.tried(name)


@claim(
    "redaction.dim-slack-occurs",
    where="Data-independent redaction, theorem 2 of massny2025",
    statement="In its second case, eps >= i1(p-1) + i1(n-p), the printed bound on DIMs is "
    "attained, or by 1 record too large, for some a, b, eps, n and p with lam > 0; attained, "
    "or by 1 or by 2 too large, for some with lam < 0.",
    kind="example",
    unsaid="It says that five cases occur: its steps evaluate one instance of each, over all "
    "windows of released records.",
)
def dim_slack_occurs(check: Check) -> None:
    """Exhibit an instance for each number, evaluated over all windows."""
    scope = "one instance each, the first of n <= 6, denominators <= 4, or n = 12"
    proved(check, "as stated", scope, _instances, **{"by 2 for lam > 0": _by_2})


def _instances(proof: Proof) -> None:
    for sign, slack in ((1, 0), (1, 1), (-1, 0), (-1, 1), (-1, 2)):
        proof.exhaust(
            f"lam {'>' if sign > 0 else '<'} 0, too large by {slack}",
            "over all windows",
            [_with_slack(sign, slack)],
            partial(_too_large, slack),
        )


def _by_2(proof: Proof) -> None:
    proof.exhaust("2 records", "the instance of 1", [_with_slack(1, 1)], partial(_too_large, 2))


def _too_large(slack: int, at: Instance) -> bool:
    return case(at) == 2 and printed_bound(at) - optimum(at)[0] == slack


def _with_slack(sign: int, slack: int) -> Instance:
    if slack == 2:
        return Instance(chain("4/5", "14/15"), 12, 6, pattern_leakage(chain("4/5", "14/15"), 2, 4))
    return next(at for at in _case_two(sign) if printed_bound(at) - optimum(at)[0] == slack)


def _case_two(sign: int) -> Iterator[Instance]:
    return (at for at in instances(6, 4, sign) if case(at) == 2)
