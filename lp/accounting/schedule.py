"""What releases over time leak together: about which record most, with which noise they would keep
a budget, and what it leaves.

All releases together are audited as one mechanism, one window alone in `alone`. A larger scale is
post-processing: Laplace or geometric noise of a larger scale is such noise with more noise added,
so that the leakage falls as all scales grow by one factor.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from math import exp
from typing import Any

from pufferproof.lp.accounting.alone import alone, restricted
from pufferproof.lp.accounting.groups import with_worst_group
from pufferproof.lp.accounting.plan import Plan
from pufferproof.lp.accounting.windows import AUDITED, WindowMechanism, alone_of, together_of
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Bar, Readable, bars
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proposals import root_approx
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.audit import Audit, audit, listed_ratio
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.decision import Verdict, bases, united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.classes.bounds import ClassBounds
from pufferproof.verify.noise.classes.ends import ClassRatio
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.blocks.around import Laws
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage, blocks_leakage
from pufferproof.verify.noise.ratio.blocks.segments import segments_of
from pufferproof.verify.noise.scale.calibration import smallest_scale
from pufferproof.verify.noise.scale.ends import factor_at_ends

RESTS_ON = ("general.post-processing",)
_WIDTH = Fraction(1, 10**10)  # of the factor, relative
_ROUNDS = 8
_FAR = 30  # log of a factor
_FEW_VALUES = 4_000  # of a query, under all secrets together
_FEW_OUTPUTS = 40  # of all blocks that differ
_SOON = 60_000_000  # records of a segment, squared, times about the secret ones: a dozen seconds


@dataclass(frozen=True, repr=False)
class Schedule(Readable):
    """What the releases of a plan leak: `joint` is the audit of all together, `single` what each
    leaks alone, `alone` the largest of these of every group, and `release` the number of the one
    that leaks most alone. `least` is of queries with noise.

    >>> from pufferproof import MarkovChain, Noise, Records
    >>> records = Records(4, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> halves = tuple(
    ...     RecordQuery("sum", Noise.geometric("1/2"), records, ends) for ends in ((1, 2), (3, 4))
    ... )
    >>> found = schedule(Plan(framework, (halves,), Level("log(5)")))
    >>> found.joint.verdict.value, str(found.joint.leakage), str(found.alone[0]), found.release
    ('SATISFIES', 'log(658/145) ≈ 1.512471 nats', '≈ 1.029619 nats', 1)
    """

    plan: Plan
    joint: Audit
    alone: tuple[Leakage, ...]
    single: tuple[Leakage, ...]
    release: int
    least: Enclosure | None
    together: Composition | None = None  # of tables and programs

    @property
    def worst(self) -> tuple[str, str]:
        """The pair of secrets about which all releases tell most, the likelier one first."""
        return self.joint.witness.pair

    @property
    def shared(self) -> str | None:
        """What all releases share; None of a single one."""
        return shared(len(self.plan.releases))

    @cached_property
    def left(self) -> Leakage | None:
        """What the budget leaves; None without one, or if it is not kept."""
        budget, leakage = self.plan.budget, self.joint.leakage
        if budget is None or leakage.upper is None or leakage.lower is None:
            return None
        if budget.compare(leakage.upper) > 0:
            return None
        low, high = (budget.ratio,) * 2 if budget.ratio is not None else budget.bounds(96)
        return Leakage(max(low / leakage.upper, Fraction(1)), high / leakage.lower)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, by their ids."""
        bounded = self.together is None or max(map(len, self.plan.groups)) > AUDITED
        return united(self.joint.rests_on, RESTS_ON if bounded else ())

    def as_json(self) -> JsonObject:
        """Return the release object of the file formats."""
        verdict, budget = self.joint.verdict, self.plan.budget
        return {
            "releases": len(self.plan.releases),
            "budget": None if budget is None else str(budget),
            "leakage": self.joint.leakage.as_json(),
            "verdict": None if verdict is None else verdict.value,
            "single": [each.as_json() for each in self.alone],
            "worst": {"secret": list(self.worst), "release": self.release},
            "least": None if self.least is None else {"factor": self.least.as_json()},
            "left": None if self.left is None else self.left.as_json(),
            "overlapping": self.plan.overlapping,
            "shared": self.shared,
            "doubts": [doubt.as_json() for doubt in self.plan.doubts],
            "assumed": list(self.plan.assumed),
            "trust": list(self.joint.trust),
            "rests_on": bases(self.rests_on),
        }

    def _picture(self) -> str:
        """Draw what every release leaks alone, and all together, beside the budget."""
        alone = [
            Bar(f"release {place}", each.enclosure()) for place, each in enumerate(self.single, 1)
        ]
        budget = self.plan.budget
        level = None if budget is None else Bar(f"budget {budget}", budget.enclosure())
        return bars([*alone, Bar("all together", self.joint.leakage.enclosure())], level)

    def __str__(self) -> str:
        verdict = "" if self.joint.verdict is None else f"{self.joint.verdict.value} "
        doubts = "".join(f"; {doubt}" for doubt in self.plan.doubts)
        common = f"; shared: {self.shared}" if self.shared else ""
        leaked = f"{len(self.plan.releases)} releases leak {self.joint.leakage} together"
        return f"{verdict}{leaked}{doubts}{common}"


def schedule(plan: Plan, told: Callable[[str], Any] = lambda said: None) -> Schedule:
    """Return what the releases of a plan leak together, and alone; `told` hears what is computed.

    Raises `ModelError` unless they fit the framework, and `TooLargeError` if there is no answer.
    """
    count, before, found = len(plan.releases), 0, []
    told(f"computing what {count} releases tell together")
    together = None
    if plan.mechanisms:
        together = together_of(plan.framework, plan.mechanisms, plan.budget)
    joint = together.joint if together else audit(plan.framework, plan.queries, plan.budget)
    if plan.of_groups is not None:
        told(f"computing what {count} releases tell of groups that differ")
        plan = with_worst_group(plan, joint.leakage, partial(_together, plan))
    for group in plan.groups:
        found.append(_alone(plan.framework, group, joint.leakage, _counted(told, before, count)))
        before += len(group)
    told("computing the least noise that keeps the budget")
    flat = [member for group in found for member in group]
    release = 1 + max(range(len(flat)), key=lambda k: (_lower(flat[k]), -k))
    largest = tuple(_largest(group) for group in found)
    least = None if plan.budget is None or together else least_factor(plan, joint)
    return Schedule(plan, joint, largest, tuple(flat), release, least, together)


def _together(plan: Plan, framework: Framework) -> Leakage:
    """Return what all releases of a plan leak together in another framework."""
    if plan.mechanisms:
        return together_of(framework, plan.mechanisms, None).joint.leakage
    return audit(framework, plan.queries).leakage


def _alone(
    framework: Framework,
    group: Sequence[RecordQuery | WindowMechanism],
    joint: Leakage,
    told: Callable[[int], Any],
) -> list[Leakage]:
    mechanisms = [each for each in group if isinstance(each, WindowMechanism)]
    if mechanisms:
        return alone_of(framework, mechanisms, joint, told)
    return alone(framework, [each for each in group if isinstance(each, RecordQuery)], joint, told)


def _counted(told: Callable[[str], Any], before: int, count: int) -> Callable[[int], Any]:
    """Return what tells how many releases of all groups are done, given how many of this one."""
    return lambda done: told(
        f"computing what {count} releases tell alone: {before + done} of {count}"
    )


def _upper(leakage: Leakage) -> tuple[bool, Fraction]:
    return leakage.upper is None, leakage.upper or Fraction(0)


def _lower(leakage: Leakage) -> tuple[bool, Fraction]:
    return leakage.infinite, leakage.lower or Fraction(0)


def _largest(group: Sequence[Leakage]) -> Leakage:
    """Return what the window leaks alone that leaks most."""
    best = max(group, key=_upper)
    if best.upper is None or best.ratio is not None:
        return best
    return Leakage(max(member.lower or Fraction(0) for member in group), best.upper)


# --- the least factor ---


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
    record = plan.framework.places[joint.witness.pair[0]][0]
    for _ in range(8):  # the record about which most is told may be another with other noise
        found_near = scaled.bracket(record)
        if found_near is None:
            return None
        low, high = found_near
        leakage = scaled.leakage(plan.framework, high)
        if budget.compare(leakage.leakage.upper or Fraction(1)) <= 0:
            return enclose(low, high)
        record = plan.framework.places[leakage.witness.pair[0]][0]
    return None


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

    def bracket(self, record: int) -> tuple[Fraction, Fraction] | None:
        """Return factors close to one another, of which the budget about a record is exceeded with
        the first and kept with the second; None if none are found.
        """
        alone = restricted(self.plan.framework, {record})

        def over(factor: Fraction) -> bool:
            lower = self.leakage(alone, factor).leakage.lower
            return lower is None or self.budget.compare(lower) > 0

        def kept(factor: Fraction) -> bool:
            upper = self.leakage(alone, factor).leakage.upper
            return upper is not None and self.budget.compare(upper) <= 0

        try:
            near = self._near(alone)
            for _ in range(_ROUNDS):
                if near is None:
                    return None
                low, high = near
                if over(low) and kept(high):
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
