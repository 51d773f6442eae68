"""What releases over time leak together: about which record most, with which noise they would keep
a budget, and what it leaves.

All releases together are audited as one mechanism, one window alone in `least`. Laplace or
geometric noise of a larger scale is such noise with more noise added, so that the leakage falls as
all scales grow by one factor.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, overload

from pufferproof.lp.accounting.releases.least import Who, alone, least_factor, who_of
from pufferproof.lp.accounting.releases.plan import (
    AUDITED,
    NoiseObject,
    Plan,
    WindowMechanism,
    alone_of,
    read_plan,
    together_of,
)
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Calls
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, value_of
from pufferproof.models.interface.readable import Bar, Readable, bars
from pufferproof.models.listing import counted
from pufferproof.models.mechanisms.library import REPEATED, LibraryMechanism
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.verify.audit import AnyFramework, Audit, audit, framework_first
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.decision import Verdict, bases, united
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("noise.monotone", "noise.discrete")


@dataclass(frozen=True, repr=False)
class Schedule(Readable):
    """What the releases of a plan leak: `joint` is the audit of all together, `single` what each
    leaks alone, `alone` the largest of these of every group, and `release` the number of the one
    that leaks most alone.

    >>> from pufferproof import Level, MarkovChain, Noise, Records
    >>> records = Records(4, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> halves = tuple(RecordQuery("sum", Noise.geometric("1/2"), records, ends) for ends in ((1, 2), (3, 4)))
    >>> found = schedule(Plan(framework, (halves,), Level("log(5)")))
    >>> found.joint.verdict.value, str(found.joint.leakage), str(found.alone[0]), found.release
    ('SATISFIES', 'log(658/145) ≈ 1.512471 nats', '≈ 1.029619 nats', 1)
    """

    plan: Plan
    joint: Audit
    alone: tuple[Leakage, ...]
    single: tuple[Leakage, ...]
    release: int
    together: Composition | None = None  # of tables and programs
    who: Who | None = None  # the groups of recorded data, each under its own chain

    @property
    def verdict(self) -> Verdict | None:
        """Whether all releases together keep the budget; None without one. UNDECIDED if the model
        keeps it, the data are evidence that groups differ, and some group does not keep it.
        """
        return self.joint.verdict if self.who is None else self.who.verdict(self.joint.verdict)

    @property
    def contrary(self) -> bool:
        """Whether the verdict is UNDECIDED because of groups that the model does not describe."""
        return self.verdict is not self.joint.verdict

    @property
    def accepted(self) -> bool:
        """Whether the verdict is that of the model alone because the doubt about groups was
        accepted.
        """
        return self.who is not None and self.who.set_aside(self.joint.verdict)

    @property
    def leakage(self) -> Leakage:
        """What all releases leak together."""
        return self.joint.leakage

    @property
    def source(self) -> str | None:
        """What is audited of the objects of libraries whose noise is released, None if of none."""
        said = dict.fromkeys(each.read.audited for each in self.plan.objects)
        return "; ".join(said) or None

    @cached_property
    def least(self) -> Enclosure | None:
        """The least factor on all scales that keeps the budget, computed when it is first asked
        for; None if there is no budget, no such factor, or if releases are no noisy queries.
        """
        if self.plan.budget is None or self.together is not None:
            return None
        return least_factor(self.plan, self.joint)

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
        if budget is None or leakage.upper is None or leakage.lower is None or self.contrary:
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
        verdict, model, budget = self.verdict, self.joint.verdict, self.plan.budget
        return {
            "releases": len(self.plan.releases),
            "budget": None if budget is None else str(budget),
            "leakage": self.joint.leakage.as_json(),
            "verdict": None if verdict is None else verdict.value,
            "model": None if model is None or self.who is None else model.value,
            "who": None if self.who is None else self.who.as_json(),
            "single": [each.as_json() for each in self.alone],
            "worst": {"secret": list(self.worst), "release": self.release},
            "least": None if self.least is None else {"factor": self.least.as_json()},
            "left": None if self.left is None else self.left.as_json(),
            "overlapping": self.plan.overlapping,
            "shared": self.shared,
            "doubts": [doubt.as_json() for doubt in self.plan.doubts],
            "assumed": list(self.plan.believed),
            "trust": list(self.joint.trust),
            "rests_on": bases(self.rests_on),
            "source": self.source,
        }

    def _picture(self) -> str:
        """Draw what every release leaks alone, and all together, beside the budget."""
        alone = [Bar(f"release {place}", each.enclosure()) for place, each in enumerate(self.single, 1)]
        budget = self.plan.budget
        level = None if budget is None else Bar(f"budget {budget}", budget.enclosure())
        return bars([*alone, Bar("all together", self.joint.leakage.enclosure())], level)

    def __str__(self) -> str:
        verdict = "" if self.verdict is None else f"{self.verdict.value} "
        if self.contrary and self.who is not None:
            verdict = f"UNDECIDED: the model keeps {self.plan.budget}, {self.who.over_text()}; "
        doubts = "".join(f"; {doubt}" for doubt in self.plan.doubts)
        common = f"; shared: {self.shared}" if self.shared else ""
        count = len(self.plan.releases)
        leak = "leaks" if count == 1 else "leak"
        leaked = f"{counted(count, 'release')} {leak} {self.joint.leakage} together"
        return f"{verdict}{leaked}{doubts}{common}"


def schedule(plan: Plan, told: Callable[[str], object] = lambda said: None, accept_doubt: bool = False) -> Schedule:
    """Return what the releases of a plan leak together, and alone; `told` hears what is computed.
    With `accept_doubt` the verdict is that of the model, whatever groups say.

    Raises `ModelError` unless they fit the framework, and `TooLargeError` if there is no answer.
    """
    count, before, found = len(plan.releases), 0, []
    told(f"computing what {count} releases tell together")
    together = None
    if plan.mechanisms:
        together = together_of(plan.framework, plan.mechanisms, plan.budget)
    joint = together.joint if together else audit(plan.framework, plan.queries, plan.budget)
    who = who_of(plan, told, accept_doubt)
    for group in plan.groups:
        found.append(_alone(plan.framework, group, joint.leakage, _counted(told, before, count)))
        before += len(group)
    flat = [member for group in found for member in group]
    release = 1 + max(range(len(flat)), key=lambda k: ((flat[k].infinite, flat[k].lower or Fraction(0)), -k))
    largest = tuple(_largest(group) for group in found)
    return Schedule(plan, joint, largest, tuple(flat), release, together, who)


def _alone(
    framework: Framework, group: Sequence[RecordQuery | WindowMechanism], joint: Leakage, told: Callable[[int], object]
) -> list[Leakage]:
    mechanisms = [each for each in group if isinstance(each, WindowMechanism)]
    if mechanisms:
        return alone_of(framework, mechanisms, joint, told)
    return alone(framework, [each for each in group if isinstance(each, RecordQuery)], joint, told)


def _counted(told: Callable[[str], object], before: int, count: int) -> Callable[[int], object]:
    """Return what tells how many releases of all groups are done, given how many of this one."""
    return lambda done: told(f"computing what {count} releases tell alone: {before + done} of {count}")


def _upper(leakage: Leakage) -> tuple[bool, Fraction]:
    return leakage.upper is None, leakage.upper or Fraction(0)


def _largest(group: Sequence[Leakage]) -> Leakage:
    """Return what the window leaks alone that leaks most."""
    best = max(group, key=_upper)
    if best.upper is None or best.ratio is not None:
        return best
    return Leakage(max(member.lower or Fraction(0) for member in group), best.upper)


# What releases over time leak together, in Python: of a plan, or of queries and their framework.
#
# The answer is that of the command `release`.

Released = RecordQuery | NoisyQueries | LibraryMechanism
_WANTED = "expected noisy queries of records, or what as_mechanism returns with windows"


@overload
def release(
    framework: str | Path | Plan,
    queries: LevelLike | None = None,
    *,
    trust_code: bool = False,
    accept_doubt: bool = False,
) -> Schedule: ...


@overload
def release(
    framework: AnyFramework | Fit,
    queries: Released | Sequence[Released] | Sequence[Sequence[RecordQuery]],
    budget: LevelLike | None = None,
    *,
    accept_doubt: bool = False,
) -> Schedule: ...


def release(
    framework: Any,
    queries: Any = None,
    budget: LevelLike | None = None,
    trust_code: bool = False,
    accept_doubt: bool = False,
) -> Schedule:
    """Compute what releases over time leak together: `release(plan, budget)` or
    `release(framework, queries, budget)`.

    The leakage is the smallest L, in nats, with P(y_1, .., y_k | s) <= e^L P(y_1, .., y_k | t) for
    the outputs of all windows, all ordered pairs of secrets, and all priors. The answer also has
    the pair about which the releases leak most, the verdict on a budget, the smallest factor on all
    noise scales that keeps the budget, and what the budget leaves.

    Args:
        framework: a framework of records, what `fit` returns, or the file of a plan.
        queries: with a framework, the noisy queries of windows: `RecordQuery` objects, or what
            `as_mechanism(object, records, "sum", windows=..)` returns. A list of such lists has a
            group for each, as a plan has a `[[release]]`.
        budget: the level that all releases together should keep, by default that of the plan.
        trust_code: permit the programs and objects of the plan, which runs their code.
        accept_doubt: beside recorded data, take the model's verdict although groups differ and some
            do not keep the budget. `who` of the answer names the group that leaks most.

    `as_json()` of the answer is what the command prints; `str()` says it in a line.

    >>> from pufferproof import Framework, MarkovChain, Noise, RecordQuery, Records
    >>> records = Records(4, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> noise = Noise.geometric("1/2")
    >>> halves = [RecordQuery("sum", noise, records, ends) for ends in ((1, 2), (3, 4))]
    >>> answer = release(framework, halves, "log(5)")
    >>> answer.verdict.value, str(answer.leakage)
    ('SATISFIES', 'log(658/145) ≈ 1.512471 nats')

    Raises `ModelError` unless the plan can be read, or the queries are of the framework's records.
    """
    if isinstance(framework, str | Path | Plan):
        if queries is not None and budget is not None:
            raise ModelError("a plan has its releases: leave these out", "queries")
        trusted = check_type(trust_code, bool, "trust_code")
        accepted = check_type(accept_doubt, bool, "accept_doubt")
        plan = framework
        if not isinstance(plan, Plan):
            plan = read_plan(plan, Calls(trusted)).value
        budget = queries if budget is None else budget
        if budget is not None:
            plan = replace(plan, budget=Level.coerce(budget, "budget"))
        return schedule(plan, accept_doubt=accepted)
    fit = framework if isinstance(framework, Fit) else None
    given = framework if fit is None else fit.framework
    space: Framework = check_type(framework_first(given, None)[0], Framework, "framework")
    space.expect_records()
    groups, objects = _groups(queries)
    for group in groups:
        for query in group:
            query.expect_of(space.records)
    if sum(map(len, groups)) > 1:
        for each in objects:
            if REPEATED in each.read.notes:
                raise ModelError(
                    f"{each.name}: its draws can be repeated, which is no fresh noise for every "
                    "release: leave out its seed",
                    "queries",
                )
    level = None if budget is None else Level.coerce(budget, "budget")
    plan = Plan(space, groups, level, objects=objects)
    if fit is not None:
        beside = tuple(fit.beside)
        plan = replace(plan, doubts=fit.doubts, assumed=beside, data=("the data", fit))
    return schedule(plan, accept_doubt=check_type(accept_doubt, bool, "accept_doubt"))


def _groups(queries: object) -> tuple[tuple[tuple[RecordQuery, ...], ...], tuple[NoiseObject, ...]]:
    """Return queries in groups, and the objects of libraries whose noise they have."""
    given = queries if isinstance(queries, list | tuple) else [queries]
    if not given:
        raise ModelError(f"{_WANTED}, found none", "queries")
    objects = [NoiseObject(each.source, each, {}) for each in given if isinstance(each, LibraryMechanism)]
    if all(isinstance(each, RecordQuery) for each in given):
        return (tuple(given),), ()
    return tuple(_group(each) for each in given), tuple(objects)


def _group(given: object) -> tuple[RecordQuery, ...]:
    form = value_of(given)
    if isinstance(form, NoisyQueries):
        form = form.queries
    group = tuple(form) if isinstance(form, list | tuple) else (form,)
    wrong = [each for each in group if not isinstance(each, RecordQuery)]
    if wrong or not group:
        raise ModelError(f"{_WANTED}, found {shown(wrong[0] if wrong else group)}", "queries")
    return group
