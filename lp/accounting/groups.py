"""How much more releases tell under the chain of one group than under the chain of all groups.

A framework of the pooled chain says nothing about a group that does not follow it. Of the groups
that the pooled chain fits worst, at most 20, this computes what the same releases leak.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import log

from pufferproof.lp.accounting.plan import Plan
from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.framework import Framework
from pufferproof.verify.leakage.ratio import Leakage


def with_worst_group(
    plan: Plan, pooled: Leakage, leakage_of: Callable[[Framework], Leakage]
) -> Plan:
    """Return the plan with a doubt that names the group that leaks most, if it leaks more than the
    `pooled` chain; `leakage_of` computes what all releases leak. Groups that have no
    answer are left out.
    """
    old = plan.framework
    space = old.expect_records()
    secrets = {
        name: (record, space.alphabet[value]) for name, (record, value) in old.places.items()
    }
    found: list[tuple[bool, Fraction, str]] = []
    for name, prior in plan.of_groups.items():
        try:
            own = Framework.of_records(space, secrets, "disjoint", {name: prior})
            leakage = leakage_of(own)
        except ModelError:
            continue
        found.append((leakage.infinite, leakage.lower or Fraction(1), name))
    if not found:
        return plan
    infinite, ratio, name = max(found, key=lambda each: each[:2])
    if pooled.upper is None or not (infinite or ratio > pooled.upper):
        return plan
    several = f"of {len(found)} groups that the chain of all fits worst, " if found[1:] else ""
    leaks, times = "without bound", ""
    if not infinite:
        nats, less = _log_approx(ratio), _log_approx(pooled.upper)
        leaks = f"{nats:.3g} nats"
        times = f": {nats / less:.2g} times as much" if less else ""
    says = (
        f'{several}group "{name}" leaks most: {leaks}, the pooled chain '
        f"{_log_approx(pooled.upper):.3g} nats{times} "
        "(kinds each, box or a number, in [data], makes priors that hold the groups)"
    )
    return replace(plan, doubts=(*plan.doubts, Doubt("groups", says)))


def _log_approx(ratio: Fraction) -> float:
    """Return the logarithm of a ratio, rounded."""
    return log(ratio.numerator) - log(ratio.denominator)
