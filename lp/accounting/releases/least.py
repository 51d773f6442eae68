"""The least factor on the scales of noise with which releases, or an audit, keep a level.

Laplace or geometric noise of a larger scale is such noise with more noise added, so that the
leakage falls as all scales grow by one factor. The least factor is
enclosed between one with which an output tells more than the level, and one that keeps it.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import exp
from typing import Any

from pufferproof.lp.accounting.releases.alone import restricted
from pufferproof.lp.accounting.releases.plan import Plan
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import root_approx
from pufferproof.verify.audit import Audit, audit, listed_ratio
from pufferproof.verify.decision import Verdict
from pufferproof.verify.noise.classes.bounds import ClassBounds
from pufferproof.verify.noise.classes.ends import ClassRatio
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage, Laws, blocks_leakage
from pufferproof.verify.noise.ratio.blocks.segments import segments_of
from pufferproof.verify.noise.scale.between import factor_at_ends
from pufferproof.verify.noise.scale.calibration import smallest_scale

RESTS_ON = ("noise.monotone", "noise.discrete")
_WIDTH = Fraction(1, 10**10)  # of the factor, relative
_ROUNDS = 8
_FAR = 30  # log of a factor
_FEW_VALUES = 4_000  # of a query, under all secrets together
_FEW_OUTPUTS = 40  # of all blocks that differ
_SOON = 60_000_000  # records of a segment, squared, times about the secret ones: a dozen seconds


def least_factor(plan: Plan, joint: Audit) -> Enclosure | None:
    """Enclose the least factor on all scales with which all releases together keep the budget; None
    if no factor does, or the releases are no counts of disjoint windows of two values.

    Of many people it is that of one person alone, if an output shows that less is too little.
    """
    if isinstance(joint.largest, ClassRatio):
        return _least_of_class(plan.framework, joint.mechanism, plan.budget)
    if plan.framework.people > 1:
        return _least_of_people(plan)
    budget, scaled = plan.budget, _scaled(plan, joint)
    if budget is None or scaled is None or budget.compare(Fraction(1)) == 0:
        return None
    found = scaled.least(plan.framework.places[joint.witness.pair[0]][0])
    return None if found is None else enclose(*found)


def least_of_several(plans: Sequence[Plan], told: Callable[[str], Any] = lambda said: None) -> Enclosure | None:
    """Enclose the least factor on all scales with which each of several plans keeps its budget:
    plans of one person that release counts of disjoint windows of two values, and differ in their
    framework. Return None if one of them has no such factor.

    The leakage falls as the factor grows, so that a plan that keeps its budget with the factor of
    those before asks for no more.
    """
    found: tuple[Fraction, Fraction] | None = None
    for done, plan in enumerate(plans):
        told(f"computing the least noise for groups: {done} of {len(plans)}")
        scaled = _Scaled(plan)
        if found is not None and scaled.kept(plan.framework, found[1]):
            continue
        witness = scaled.leakage(plan.framework, Fraction(1)).witness
        found = scaled.least(plan.framework.places[witness.pair[0]][0])
        if found is None:
            return None
    return None if found is None else enclose(*found)


def least_of(found: Audit) -> Enclosure | None:
    """Enclose the least factor on all scales with which the noise of an audit keeps its level; None
    if none is found, or it is no query with noise of a decay.
    """
    form, level = found.mechanism, found.level
    if isinstance(found.largest, ClassRatio):
        return _least_of_class(found.largest.of, form, level)
    members = isinstance(found.largest, ClassBounds)  # only some chains of a class are known
    plain = found.delta is None and found.renyi is None and not members
    if not isinstance(form, NoisyQueries) or level is None or not plain:
        return None
    if any(query.noise.kind == "discrete_gaussian" for query in form.queries):
        return None  # whatever its scale, it leaks without bound
    along = tuple(query for query in form.queries if isinstance(query, RecordQuery))
    if len(along) == len(form.queries):
        if _costly(found.framework, along):
            return None
        with suppress(TooLargeError):
            factor = least_factor(Plan(found.framework, (along,), level), found)
            if factor is not None:
                return factor
    noise = form.queries[0].noise
    if len(form.queries) > 1 or noise.kind != "laplace" or "log" in noise.text:
        return None
    try:
        scale = exact(noise.text)
        laws = query_laws(found.framework, form)
        if sum(len(pair.above) for pair in laws.pairs) > _FEW_VALUES:
            return None
        low, high = smallest_scale(laws, level, scale)
    except ModelError:
        return None
    return enclose(low / scale, high / scale)


def _least_of_class(framework: Framework, form: object, level: Level | None) -> Enclosure | None:
    if not isinstance(form, NoisyQueries) or level is None:
        return None
    factor = factor_at_ends(framework, form, level, partial(listed_ratio, level))
    return None if factor is None else enclose(*factor)


def _costly(framework: Framework, queries: Sequence[RecordQuery]) -> bool:
    """Whether many scales are more than are tried for a message; alike segments count once."""
    secret = {framework.places[name][0] for pair in framework.pairs for name in pair}
    for first, last in {query.ends for query in queries}:
        inside = sum(first <= record <= last for record in secret)
        if (last - first + 1) ** 2 * (inside + 7) > _SOON:
            return True
    return False


def _least_of_people(plan: Plan) -> Enclosure | None:
    framework, budget = plan.framework.alone, plan.budget
    queries = tuple(query.alone for query in plan.queries)
    alone = replace(plan, framework=framework, groups=(queries,))
    found = least_factor(alone, audit(framework, queries, budget))
    if found is None or budget is None:
        return None
    factor = exact(found.lower)
    scaled = [replace(release, noise=release.noise.times(factor)) for release in plan.queries]
    less = audit(plan.framework, scaled, budget)
    return found if less.verdict is Verdict.VIOLATES else None


def _scaled(plan: Plan, joint: Audit) -> "_Scaled | None":
    """Return releases with all scales times a factor, where what they leak is soon known."""
    if segments_of(plan.framework, plan.queries):
        return _Scaled(plan)
    blocks = joint.largest
    few = isinstance(blocks, BlocksLeakage) and blocks.closes and blocks.outputs <= _FEW_OUTPUTS
    return _Scaled(plan) if few else None


@dataclass(frozen=True)
class _Scaled:
    """Releases with all scales times a factor; what blocks count is the same with all of them."""

    plan: Plan
    laws: Laws = field(default_factory=dict)

    @property
    def budget(self) -> Level:
        """The level of the plan."""
        return self.plan.budget or Level(1)

    def leakage(self, framework: Framework, factor: Fraction) -> Any:
        """Return what all releases leak with all scales times a factor."""
        releases = self.plan.queries
        scaled = [replace(release, noise=release.noise.times(factor)) for release in releases]
        return blocks_leakage(framework, scaled, self.laws)

    def least(self, record: int) -> tuple[Fraction, Fraction] | None:
        """Return factors close to one another, of which the budget is exceeded with the first and
        kept with the second, beginning with a record about which most is told; None if none are
        found.
        """
        framework = self.plan.framework
        for _ in range(8):  # the record about which most is told may be another with other noise
            found_near = self.bracket(record)
            if found_near is None:
                return None
            leakage = self.leakage(framework, found_near[1])
            if self.budget.compare(leakage.leakage.upper or Fraction(1)) <= 0:
                return found_near
            record = framework.places[leakage.witness.pair[0]][0]
        return None

    def kept(self, framework: Framework, factor: Fraction) -> bool:
        """Whether the budget is kept for sure with all scales times a factor."""
        upper = self.leakage(framework, factor).leakage.upper
        return upper is not None and self.budget.compare(upper) <= 0

    def bracket(self, record: int) -> tuple[Fraction, Fraction] | None:
        """Return factors close to one another, of which the budget about a record is exceeded with
        the first and kept with the second; None if none are found.
        """
        alone = restricted(self.plan.framework, {record})

        def over(factor: Fraction) -> bool:
            lower = self.leakage(alone, factor).leakage.lower
            return lower is None or self.budget.compare(lower) > 0

        try:
            near = self._near(alone)
            for _ in range(_ROUNDS):
                if near is None:
                    return None
                low, high = near
                if over(low) and self.kept(alone, high):
                    return low, high
                near = low - (high - low), high + (high - low)
        except TooLargeError:  # with so little noise nothing is known
            return None
        return None

    def _near(self, framework: Framework) -> tuple[Fraction, Fraction] | None:
        """Return two factors close to where a budget is just kept, by floats, or None."""
        nats = float(self.budget.enclosure().upper)

        def beyond(exponent: float) -> float:
            leakage = self.leakage(framework, Fraction(exp(exponent)).limit_denominator(10**15))
            return float(leakage.leakage.enclosure().upper) - nats

        low = high = 0.0
        while beyond(high) > 0 and high < _FAR:
            low, high = high, high + 1
        while beyond(low) < 0 and low > -_FAR:
            low, high = low - 1, low
        near = root_approx(beyond, low, high)
        if near is None:
            return None
        root = Fraction(exp(near))
        return root * (1 - _WIDTH / 4), root * (1 + _WIDTH / 4)
