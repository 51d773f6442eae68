"""The least factor on the scales of noise with which releases, or an audit, keep a level.

Laplace or geometric noise of a larger scale is such noise with more noise added, so that the
leakage falls as all scales grow by one factor. The least factor is enclosed between one with which
an output tells more than the level, and one that keeps it. Beside it stands what each window of a
plan, and each group of recorded data, leaks on its own.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from math import exp, inf, prod
from typing import Any

from pufferproof.lp.accounting.releases.plan import FEWEST_COMPARED, Plan, together_of
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.files.recorded.doubts.comparison import FEW
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.groups import MOST_PRIORS, GroupChains
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import root_approx
from pufferproof.models.numbers.text import JsonObject, in_quotes, rounded
from pufferproof.models.priors.laws import Prior
from pufferproof.verify.audit import Audit, audit, listed_ratio
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.classes.bounds import ClassBounds
from pufferproof.verify.noise.classes.ends import ClassRatio
from pufferproof.verify.noise.largest import people_bounds
from pufferproof.verify.noise.laws.of_records import segments_of
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage, Laws, blocks_leakage
from pufferproof.verify.noise.scale.between import factor_at_ends
from pufferproof.verify.noise.scale.calibration import smallest_scale

# What each window of a plan leaks on its own.
#
# On a stationary chain a window leaks the same wherever it stands, and of records outside of it most about the
# nearest, since what X_t shows of a window is a mean over the next record. Windows that are nearest to the secrets are
# audited, under classes only a few. Of another one it is known that it leaks at most what all leak together, of which
# it is a part.

ALONE_RESTS_ON = ("general.post-processing",)
_SHORT = 400  # records of all people in a window, whose joint law is computed
_ALIKE = 200  # windows that are audited one by one
_FEW = 3  # of these under classes
Told = Callable[[int], object]


def alone(
    framework: Framework, group: Sequence[RecordQuery], joint: Leakage, told: Told = lambda done: None
) -> list[Leakage]:
    """Return what each window of a group leaks on its own, given what all leak together: bounds of
    those that are farther from the secrets than many others. `told` hears how many are done.
    """
    near, most = _Near(framework), _FEW if framework.classes else _ALIKE
    leakages: dict[object, Leakage] = {}
    laws: Laws = {}  # windows of one length, whose secrets stand alike in them, have one
    for done, query in enumerate(sorted(group, key=near.distance)):
        key = near.key(query)
        if key not in leakages and len(leakages) < most:
            told(done)
            leakages[key] = _leakage(near.framework(query), query, laws)
    audited = [(query, leakages[near.key(query)]) for query in group if near.key(query) in leakages]
    return [leakages.get(near.key(query)) or _at_most(near, query, audited, joint) for query in group]


def _at_most(
    near: "_Near", query: RecordQuery, audited: Sequence[tuple[RecordQuery, Leakage]], joint: Leakage
) -> Leakage:
    """Return a bound of a window: what all leak together, or a window alike that is nearer."""
    uppers = [found.upper for other, found in audited if near.farther(query, other)]
    return Leakage(Fraction(1), min((each for each in [*uppers, joint.upper] if each), default=None))


def _leakage(framework: Framework, query: RecordQuery, laws: Laws) -> Leakage:
    """Return what one window leaks. Of many people, whose joint law is long, it is enclosed between
    what an output at the ends of all counts shows and what is leaked about one person alone.
    """
    few = framework.people > 1 and query.size <= _SHORT
    if framework.classes or few:
        return audit(framework, [query]).leakage
    person, one = framework.alone, query.alone
    counted = segments_of(person, [one]) is not None
    leakage = blocks_leakage(person, [one], laws) if counted else None
    if leakage is None:
        return audit(framework, [query]).leakage
    if framework.people == 1:
        return leakage.leakage
    return people_bounds(framework, NoisyQueries((query,)), leakage).leakage


class _Near:
    """The secrets that matter of a window: those inside it, and the nearest ones beside it, of a
    chain of two values; all of them else.
    """

    def __init__(self, framework: Framework) -> None:
        self.whole = framework
        paired = [name for pair in framework.pairs for name in pair]
        self.records = sorted({framework.places[name][0] for name in paired})
        alone = framework.alone
        chains = list(alone.chains.values()) if alone.along_records else []
        self.stationary = bool(chains) and all(chain.stationary for chain in chains)
        if framework.classes:
            starts = [getattr(prior, "initial", None) for prior in alone.priors.values()]
            self.stationary = all(start == "stationary" for start in starts)
        markov = all(chain.rows is None and chain.emission is None for chain in chains)
        two = len(framework.expect_records().alphabet) == 2
        self.few = two and markov and self.stationary
        self.known: dict[tuple[int, ...], Framework] = {}

    def inside(self, query: RecordQuery) -> tuple[int, ...]:
        """Return the records whose secrets matter."""
        if not self.few:
            return tuple(self.records)
        first, last = query.ends
        low, high = bisect_left(self.records, first), bisect_right(self.records, last)
        return tuple(self.records[max(low - 1, 0) : high + 1])

    def farther(self, query: RecordQuery, other: RecordQuery) -> bool:
        """Whether a window beside the secrets stands farther from them than another, on a
        stationary chain of two values.
        """
        if not self.few or not (self.distance(query) > 0) or not (self.distance(other) > 0):
            return False
        return all(far >= near for far, near in zip(self._sides(query), self._sides(other)))

    def _sides(self, query: RecordQuery) -> tuple[float, float]:
        """Return how far the nearest secret records before and after a window are."""
        first, last = query.ends
        before = [first - record for record in self.records if record < first]
        after = [record - last for record in self.records if record > last]
        return min(before, default=inf), min(after, default=inf)

    def distance(self, query: RecordQuery) -> int:
        """Return how far the nearest secret record is, 0 if it is in the window."""
        first, last = query.ends
        return min(max(first - record, record - last, 0) for record in self.records)

    def key(self, query: RecordQuery) -> object:
        """Return what windows that leak the same have in common."""
        first, last = query.ends
        shift = first if self.stationary else 0
        places = tuple(record - shift for record in self.inside(query))
        return query.noise, query.query, query.counted, last - shift, first - shift, places

    def framework(self, query: RecordQuery) -> Framework:
        """Return the framework with these secrets only, or a class of chains as it is."""
        kept = self.inside(query)
        if self.whole.classes or len(kept) == len(self.records):
            return self.whole
        if kept not in self.known:
            self.known[kept] = restricted(self.whole, set(kept))
        return self.known[kept]


def restricted(framework: Framework, records: set[int]) -> Framework:
    """Return a framework with the secrets about some records only."""
    space = framework.expect_records()
    names = {name for name, (record, _) in framework.places.items() if record in records}
    secrets = {
        name: (record, space.alphabet[value]) for name, (record, value) in framework.places.items() if name in names
    }
    pairs = [pair for pair in framework.pairs if names.issuperset(pair)]
    return Framework(space, secrets, pairs, framework.priors, framework.closure)


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
        framework, budget = plan.framework.alone, plan.budget
        queries = tuple(query.alone for query in plan.queries)
        alone = replace(plan, framework=framework, groups=(queries,))
        found = least_factor(alone, audit(framework, queries, budget))
        if found is None or budget is None:
            return None
        factor = exact(found.lower)
        less = audit(
            plan.framework, [replace(release, noise=release.noise.times(factor)) for release in plan.queries], budget
        )
        return found if less.verdict is Verdict.VIOLATES else None
    budget, scaled = plan.budget, _scaled(plan, joint)
    if budget is None or scaled is None or budget.compare(Fraction(1)) == 0:
        return None
    ends = scaled.least(plan.framework.places[joint.witness.pair[0]][0])
    return None if ends is None else enclose(*ends)


def least_of_several(plans: Sequence[Plan], told: Callable[[str], object] = lambda said: None) -> Enclosure | None:
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


# What releases tell about each group that was recorded, such as a person, under the group's own chain, whatever priors
# the model has.
#
# A chain fitted to all groups may be true of none. Every group is audited alone: the records of other people can only
# hide more. Enclosures of counts on a chain are cheap (`blocks_leakage`), and decide most groups; an exact audit
# follows where an enclosure does not tell a group from the budget, and of the group that leaks most if that is soon
# done. Groups of the same chain are one question. Where this is much work only the 20 groups are audited that one
# chain for all fits worst (`Plan.most_compared`).

_OWN = "own chain"
_QUICK_AUDIT = 100_000  # records, times private ones, times outputs: an exact audit of seconds
Report = Callable[[str], object]


@dataclass(frozen=True)
class Who:
    """What is told about every group under its own chain, beside what a model says of all.

    `leakages` has the groups with a chain of their own, the one about which most is told first, and
    `kept` whether they keep the budget; `without` names those without such a chain or an answer.
    `differ` says that the data are evidence, not weak, that groups are not alike; `least` encloses
    the least factor on all scales of noise with which all of them keep the budget, or is None if it
    is not known. `unknown` counts groups with enough records of which nothing is known: that have
    no answer, or that were not looked at. With `accepted` the verdict is that of the model.
    """

    leakages: Mapping[str, Leakage]
    kept: Mapping[str, Decision]
    without: tuple[str, ...]
    groups: int
    differ: bool
    budget: Level | None = None
    least: Enclosure | None = None
    accepted: bool = False
    unknown: int = 0

    @property
    def worst(self) -> str:
        """The name of the group about which most is told."""
        return next(iter(self.leakages))

    @property
    def over(self) -> int | None:
        """How many groups are not shown to keep the budget; None without one."""
        if self.budget is None:
            return None
        return sum(kept is not Decision.HOLDS for kept in self.kept.values())

    def verdict(self, model: Verdict | None) -> Verdict | None:
        """Return the verdict, given that of the model: UNDECIDED if groups differ, the model keeps
        the budget, and some group does not or is not known to.
        """
        contrary = self.differ and not self.accepted and bool(self.over or self.unknown)
        return Verdict.UNDECIDED if contrary and model is Verdict.SATISFIES else model

    def set_aside(self, model: Verdict | None) -> bool:
        """Whether the verdict is that of the model only because the doubt is accepted."""
        return replace(self, accepted=False).verdict(model) is not self.verdict(model)

    def as_json(self, scale: Enclosure | None = None) -> JsonObject:
        """Return what the file formats call `who`; with the `scale` of the noise that was audited,
        the least scale instead of a factor.
        """
        least: JsonObject | None = None
        if self.least is not None and scale is None:
            least = {"factor": self.least.as_json()}
        elif self.least is not None and scale is not None:
            least = {"scale": self.least_scale(scale).as_json()}
        return {
            "worst": self.worst,
            "leakage": self.leakages[self.worst].as_json(),
            "over": self.over,
            "of": len(self.leakages),
            "least": least,
            "without": list(self.without),
            "unknown": self.unknown,
            "differ": self.differ,
            "accepted": self.accepted,
        }

    def least_scale(self, scale: Enclosure) -> Enclosure:
        """Return the least scale for all, given that of the noise that was audited."""
        least = self.least or Enclosure("1", "1")
        unit = exact(scale.upper)
        return enclose(exact(least.lower) * unit, exact(least.upper) * unit)

    def over_text(self, many: str = "people") -> str:
        """Say how many do not keep the budget, and name the one about which most is told.

        >>> two = {"b": Leakage.of(Fraction(4)), "a": Leakage.of(Fraction(2))}
        >>> kept = {"b": Decision.FAILS, "a": Decision.HOLDS}
        >>> Who(two, kept, (), 2, True, Level("log(2)")).over_text()
        '1 of 2 people does not ("b": 1.386 nats)'
        """
        if not self.over and self.unknown:
            verb = "is" if self.unknown == 1 else "are"
            return f"{self.unknown} of {self.groups} {many} {verb} not known to"
        worst = nats_text(self.leakages[self.worst])
        return f"{self.short_text(many)} ({in_quotes(self.worst)}: {worst})"

    def short_text(self, many: str = "people") -> str:
        """Say how many do not keep the budget, or are not shown to."""
        verb = "does not" if self.over == 1 else "do not"
        if Decision.UNDECIDED in self.kept.values():
            verb = "is not shown to" if self.over == 1 else "are not shown to"
        return f"{self.over} of {len(self.leakages)} {many} {verb}"


def nats_text(leakage: Leakage) -> str:
    """Say a leakage with four digits.

    >>> nats_text(Leakage.of(Fraction(4))), nats_text(Leakage.of(None))
    ('1.386 nats', 'infinite')
    """
    if leakage.infinite:
        return "infinite"
    nats = rounded(leakage.enclosure().lower, 4)
    return f"{nats} nat{'s' * (nats != '1')}"


def who_of(plan: Plan, told: Report = lambda said: None, accepted: bool = False, form: object = None) -> Who | None:
    """Return what the releases of a plan tell about every group of its data, or a mechanism of
    another `form` if the plan has none; None if the plan has no data, its data no two groups, or no
    group a chain of its own.
    """
    fit = None if plan.data is None else plan.data[1]
    if fit is None or len(fit.groups) < 2:
        return None
    most = FEWEST_COMPARED if form is not None else plan.most_compared
    return _who_by(_Questions(plan, told, form), fit, most, accepted)


def _who_by(asked: "_Questions", fit: Fit, most: int, accepted: bool) -> Who | None:
    """Return what is told about the groups of a fit, of at most so many where work is large."""
    chains = fit.of_groups(most if asked.much(fit) else MOST_PRIORS)
    if chains is None:
        return None
    found, without = _answers(asked, chains)
    if not found:
        return None
    budget, order = asked.plan.budget, {kind.name: k for k, kind in enumerate(fit.groups)}
    without.sort(key=order.__getitem__)
    names = sorted(
        found, key=lambda name: (*(not found[name].infinite, -(found[name].lower or Fraction(0))), order[name])
    )
    found[names[0]] = asked.closest(chains.chains[names[0]], found[names[0]])
    kept = {name: asked.kept(chains.chains[name], found[name]) for name in names} if budget else {}
    priors = dict.fromkeys(chains.chains[name] for name in names)
    # count the groups that were not looked at, and those without an answer that have steps enough
    # to say how they move; none if the model is a box, and of the former none if it has a prior
    # for each group
    if fit.options.kinds == "box":
        unknown = 0
    else:
        steps = {kind.name: count for kind, count in zip(fit.groups, fit.cost.steps)}
        unseen = 0 if fit.options.kinds == "each" else len(steps) - len(found) - len(without)
        unknown = unseen + sum(steps[name] >= FEW for name in without)
    return Who(
        {name: found[name] for name in names},
        kept,
        tuple(without),
        chains.groups,
        fit.differ,
        budget,
        asked.least(priors),
        accepted,
        unknown,
    )


def _answers(asked: "_Questions", chains: GroupChains) -> tuple[dict[str, Leakage], list[str]]:
    """Return what is told about the groups that have an answer, and the names of the others."""
    found, without = dict[str, Leakage](), list(chains.without)
    for done, (name, prior) in enumerate(chains.chains.items()):
        asked.told(f"computing what is told about groups: {done} of {len(chains.chains)}")
        try:
            found[name] = asked.leakage(prior)
        except ModelError:  # a secret is impossible for this group, or its laws are too long
            without.append(name)
    return found, without


class _Questions:
    """The question of a plan, asked of one chain after another; equal chains are asked once."""

    def __init__(self, plan: Plan, told: Report, form: Any) -> None:
        whole = plan.framework.alone
        space = whole.expect_records()
        self.plan, self.told, self.form = plan, told, form
        self.space = space
        self.secrets = {name: (record, space.alphabet[value]) for name, (record, value) in whole.places.items()}
        self.queries = [query.alone for query in plan.queries]
        self._leakages: dict[object, Leakage] = {}
        self._frameworks: dict[object, Framework] = {}
        self._decided: dict[object, Decision] = {}

    def much(self, fit: Fit) -> bool:
        """Whether a question takes long: of other releases than counts of two values in disjoint
        windows.
        """
        if self.written or fit.options.order > 1 or len(self.space.alphabet) != 2:
            return True
        return any(query.noise.decay is None for query in self.queries) or self.plan.overlapping

    def framework(self, prior: Prior) -> Framework:
        """Return the framework of one person with a chain."""
        if prior not in self._frameworks:
            priors = {_OWN: prior}
            own = Framework.of_records(self.space, self.secrets, "disjoint", priors)
            self._frameworks[prior] = own
        return self._frameworks[prior]

    def leakage(self, prior: Prior) -> Leakage:
        """Return what is leaked under a chain, exactly or enclosed."""
        if prior not in self._leakages:
            self._leakages[prior] = self._enclosed(prior) or self._audit(prior, self.plan.budget).leakage
        return self._leakages[prior]

    def _enclosed(self, prior: Prior) -> Leakage | None:
        """Return an enclosure by blocks, None if there is none that is close."""
        if self.written:
            return None
        try:
            found = blocks_leakage(self.framework(prior), self.queries)
        except TooLargeError:
            return None
        return found.leakage if found is not None and found.closes else None

    def _audit(self, prior: Prior, level: Level | None) -> Audit:
        own = self.framework(prior)
        if self.plan.mechanisms:
            return together_of(own, self.plan.mechanisms, level).joint
        return audit(own, self.queries if self.form is None else self.form, level)

    @property
    def written(self) -> bool:
        """Whether releases are tables or programs."""
        return bool(self.plan.mechanisms) or self.form is not None

    def closest(self, prior: Prior, leakage: Leakage) -> Leakage:
        """Return a leakage exactly, if an exact audit takes seconds."""
        if self.written or leakage.ratio is not None or self._long:
            return leakage
        return self._audit(prior, None).leakage

    @cached_property
    def _long(self) -> bool:
        lengths = {query.ends: query.size + 1 for query in self.queries}
        private = len({record for record, _ in self.secrets.values()})
        wide = max(query.dimension for query in self.queries) > 1
        return wide or self.space.count * private * prod(lengths.values()) > _QUICK_AUDIT

    def kept(self, prior: Prior, leakage: Leakage) -> Decision:
        """Return whether the budget is kept, by an audit if an enclosure does not tell."""
        budget = self.plan.budget
        if budget is None:
            return Decision.UNDECIDED
        sign = leakage.compare(budget)
        if sign is not None:
            return Decision.at_most(sign)
        if prior not in self._decided:
            joint = self._audit(prior, budget)
            self._decided[prior] = Decision.UNDECIDED if joint.kept is None else joint.kept
        return self._decided[prior]

    def least(self, priors: Iterable[Prior]) -> Enclosure | None:
        """Enclose the least factor on all scales that keeps the budget under every chain, the one
        that tells most first; None if releases are no counts of disjoint windows.
        """
        budget = self.plan.budget
        if budget is None or budget.compare(Fraction(1)) == 0 or self.written:
            return None
        own = [self.framework(prior) for prior in priors]
        if not own or segments_of(own[0], self.queries) is None:
            return None
        plans = [replace(self.plan, framework=each, groups=(tuple(self.queries),), data=None) for each in own]
        try:
            return least_of_several(plans, self.told)
        except TooLargeError:  # with so little noise nothing is known
            return None
