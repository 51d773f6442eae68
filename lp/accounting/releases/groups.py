"""How much more releases tell under the chain of one group than under the chain of all groups.

A framework of the pooled chain says nothing about a group that does not follow it. This computes
what the same releases leak of every group, or, where that is much work, of the 20 groups that the
pooled chain fits worst (`Plan.most_compared`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from pufferproof.lp.accounting.releases.plan import Plan
from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.groups.kinds import GroupChains
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import log_approx
from pufferproof.models.priors.records import preview
from pufferproof.verify.leakage.ratio import Leakage


def with_worst_group(
    plan: Plan, pooled: Leakage, leakage_of: Callable[[Framework], Leakage]
) -> Plan:
    """Return the plan with a doubt that names the group that leaks most, if it leaks more than the
    `pooled` chain, and one that names the groups of which this is not known; `leakage_of` computes
    what all releases leak.
    """
    of, old = plan.of_groups, plan.framework
    if of is None:
        return plan
    space = old.expect_records()
    secrets = {
        name: (record, space.alphabet[value]) for name, (record, value) in old.places.items()
    }
    without = list(of.without)
    found: list[tuple[bool, Fraction, str]] = []
    for name, prior in of.chains.items():
        try:
            own = Framework.of_records(space, secrets, "disjoint", {name: prior})
            leakage = leakage_of(own)
        except ModelError:
            without.append(name)
            continue
        found.append((leakage.infinite, leakage.lower or Fraction(1), name))
    says = [*_worst(found, pooled, of), *_unknown(without, of)]
    doubts = (Doubt("groups", each) for each in says)
    return replace(plan, doubts=(*plan.doubts, *doubts))


def _worst(
    found: Sequence[tuple[bool, Fraction, str]], pooled: Leakage, of: GroupChains
) -> Iterator[str]:
    """Name the group that leaks most, if it leaks more than the pooled chain."""
    infinite, ratio, name = max(found, key=lambda each: each[:2], default=(False, Fraction(1), ""))
    if pooled.upper is None or not (infinite or ratio > pooled.upper):
        return
    among = f"of the {len(found)} groups that the chain of all fits worst, among {of.groups}"
    if of.every:
        known = len(found) < of.groups
        among = f"of {len(found)} groups{' whose leakage is known' * known}"
    leaks, times = "without bound", ""
    if not infinite:
        nats, less = log_approx(ratio), log_approx(pooled.upper)
        leaks = f"{nats:.3g} nats"
        times = f": {nats / less:.2g} times as much" if less else ""
    yield (
        f'{among}, group "{name}" leaks most: {leaks}, the pooled chain '
        f"{log_approx(pooled.upper):.3g} nats{times} "
        "(kinds each, box or a number, in [data], makes priors that hold the groups)"
    )


def _unknown(without: Sequence[str], of: GroupChains) -> Iterator[str]:
    """Name the groups of which nothing is known, if they were looked at."""
    if without:
        seen = f"{len(of.chains) + len(of.without)} groups that were looked at"
        has = "has" if len(without) == 1 else "have"
        looked = f"{of.groups} groups" if of.every else f"the {seen}"
        yield (
            f"{len(without)} of {looked} {has} no own chain, or none "
            f"that has an answer, {preview(without)}: what they leak is not known (kinds box, in "
            "[data], takes the rows that they lack from other groups)"
        )
