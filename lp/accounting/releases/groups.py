"""What releases tell about each group that was recorded, such as a person, under the group's own
chain, whatever priors the model has.

A chain fitted to all groups may be true of none. Every group is audited alone: the records of other
people can only hide more. Enclosures of counts on a chain are cheap (`blocks_leakage`), and decide
most groups; an exact audit follows where an enclosure does not tell a group from the budget, and of
the group that leaks most if that is soon done. Groups of the same chain are one question. Where
this is much work only the 20 groups are audited that one chain for all fits worst
(`Plan.most_compared`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

from pufferproof.lp.accounting.releases.least import least_of_several
from pufferproof.lp.accounting.releases.plan import FEWEST_COMPARED, Plan
from pufferproof.lp.accounting.releases.windows import together_of
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.files.recorded.doubts.comparison import FEW
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.groups import MOST_PRIORS, GroupChains
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, in_quotes, rounded
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.ratio.blocks.joint import blocks_leakage
from pufferproof.verify.noise.ratio.blocks.segments import segments_of

_OWN = "own chain"
_SOON = 100_000  # records, times private ones, times outputs: an exact audit of seconds
Told = Callable[[str], Any]


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


def who_of(plan: Plan, told: Told = lambda said: None, accepted: bool = False, form: object = None) -> Who | None:
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
    names = sorted(found, key=lambda name: (*_least_first(found[name]), order[name]))
    found[names[0]] = asked.closest(chains.chains[names[0]], found[names[0]])
    kept = {name: asked.kept(chains.chains[name], found[name]) for name in names} if budget else {}
    priors = dict.fromkeys(chains.chains[name] for name in names)
    return Who(
        {name: found[name] for name in names},
        kept,
        tuple(without),
        chains.groups,
        fit.differ,
        budget,
        asked.least(priors),
        accepted,
        _unknown(fit, found, without),
    )


def _unknown(fit: Fit, found: Collection[str], without: Sequence[str]) -> int:
    """Count the groups that were not looked at, and those without an answer that have steps enough
    to say how they move; none if the model is a box, and of the former none if it has a prior for
    each group.
    """
    if fit.options.kinds == "box":
        return 0
    steps = {kind.name: count for kind, count in zip(fit.groups, fit.cost.steps)}
    unseen = 0 if fit.options.kinds == "each" else len(steps) - len(found) - len(without)
    return unseen + sum(steps[name] >= FEW for name in without)


def _least_first(leakage: Leakage) -> tuple[bool, Fraction]:
    return not leakage.infinite, -(leakage.lower or Fraction(0))


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

    def __init__(self, plan: Plan, told: Told, form: Any) -> None:
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

    def framework(self, prior: Any) -> Framework:
        """Return the framework of one person with a chain."""
        if prior not in self._frameworks:
            priors = {_OWN: prior}
            own = Framework.of_records(self.space, self.secrets, "disjoint", priors)
            self._frameworks[prior] = own
        return self._frameworks[prior]

    def leakage(self, prior: Any) -> Leakage:
        """Return what is leaked under a chain, exactly or enclosed."""
        if prior not in self._leakages:
            self._leakages[prior] = self._enclosed(prior) or self._audited(prior)
        return self._leakages[prior]

    def _enclosed(self, prior: object) -> Leakage | None:
        """Return an enclosure by blocks, None if there is none that is close."""
        if self.written:
            return None
        try:
            found = blocks_leakage(self.framework(prior), self.queries)
        except TooLargeError:
            return None
        return found.leakage if found is not None and found.closes else None

    def _audited(self, prior: object) -> Leakage:
        return self._audit(prior, self.plan.budget).leakage

    def _audit(self, prior: object, level: Level | None) -> Audit:
        own = self.framework(prior)
        if self.plan.mechanisms:
            return together_of(own, self.plan.mechanisms, level).joint
        return audit(own, self.queries if self.form is None else self.form, level)

    @property
    def written(self) -> bool:
        """Whether releases are tables or programs."""
        return bool(self.plan.mechanisms) or self.form is not None

    def closest(self, prior: Any, leakage: Leakage) -> Leakage:
        """Return a leakage exactly, if an exact audit takes seconds."""
        if self.written or leakage.ratio is not None or self._long:
            return leakage
        return self._audit(prior, None).leakage

    @cached_property
    def _long(self) -> bool:
        lengths = {query.ends: query.size + 1 for query in self.queries}
        private = len({record for record, _ in self.secrets.values()})
        wide = max(query.dimension for query in self.queries) > 1
        return wide or self.space.count * private * prod(lengths.values()) > _SOON

    def kept(self, prior: Any, leakage: Leakage) -> Decision:
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

    def least(self, priors: Iterable[Any]) -> Enclosure | None:
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
