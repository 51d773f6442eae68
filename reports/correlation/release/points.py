"""What a plan of releases about normal records that are not truncated leaks: noisy sums and means
of windows of readings, which share their records.

All releases are one query with a coordinate for each. Between values the leakage of Laplace noise
falls as 1/f as all scales grow by f; between windows the least f is a root of a falling function.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pufferproof.lp.accounting.releases.plan import MOST_RELEASES, named_file, windows_of
from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import reading_once
from pufferproof.models.files.mechanisms import noise_of
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.files.shapes import PlanFile, PlannedShape
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.linear import LinearQuery
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_least
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.reports.auditing.points.joint import leakage_words
from pufferproof.reports.auditing.points.reading import read_point_framework
from pufferproof.reports.auditing.words.answers import shared_lines
from pufferproof.reports.console.words import counted, in_nats, trust_line
from pufferproof.reports.correlation.release.lines import (
    alone_lines,
    leakage_lines,
    least_lines,
    notes_of,
    verdict_lines,
)
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.noise.normal.audit import PointAudit, PointQuestion
from pufferproof.verify.noise.normal.points import LawShift, PointLeakage, power_of, shifts
from pufferproof.verify.noise.normal.windows import leakage_of
from pufferproof.verify.noise.scale.calibration import enclosed

_MOST_WEIGHTS = 20_000_000  # of all releases
Ends = tuple[int, int]


@dataclass(frozen=True)
class PointPlan:
    """A framework of normal priors, groups of windows with their queries, and the budget."""

    framework: PointFramework
    groups: tuple[tuple[tuple[Ends, LinearQuery], ...], ...]
    budget: Level | None

    @property
    def releases(self) -> list[tuple[Ends, LinearQuery]]:
        """All releases, in order."""
        return [member for group in self.groups for member in group]

    @property
    def overlapping(self) -> bool:
        """Whether some record is in more than one window."""
        ends = sorted(window for window, _ in self.releases)
        return any(one[1] >= two[0] for one, two in pairwise(ends))


def read_point_plan(path: str) -> Loaded[PointPlan] | None:
    """Read a plan whose framework has normal priors that are not truncated, None if it is another
    one.
    """
    loaded = read_loaded(path, PlanFile)
    shape = loaded.value
    if shape.framework is None:
        return None
    with reading_once():
        framework = read_point_framework(str(named_file(path, shape)[0]))
    if framework is None:
        return None
    with in_file(path):
        budget = None if shape.budget is None else Level.coerce(shape.budget, "budget")
        groups = []
        for number, each in enumerate(shape.release, 1):
            try:
                groups.append(tuple(_queries(each, framework.value.count)))
            except ModelError as error:
                raise error.within(f"release {number}") from None
    return loaded.holding(PointPlan(framework.value, tuple(groups), budget))


def _queries(shape: PlannedShape, count: int) -> Iterator[tuple[Ends, LinearQuery]]:
    """Yield a query for every window."""
    query = shape.query
    if not isinstance(query, str) or query not in ("sum", "mean") or shape.noise is None:
        raise ModelError('expected "sum" or "mean" of records that are numbers', "query")
    if shape.noise.python is not None:
        raise ModelError(
            "needs records that have values: expected the noise of numbers written out, such "
            "as { laplace = { scale = 10 } }",
            "noise.python",
        )
    noise = noise_of(shape.noise)
    times = 1 if shape.records is None else shape.records.times
    if times > MOST_RELEASES or times * count > _MOST_WEIGHTS:
        raise ModelError(
            f"expected at most {_MOST_WEIGHTS} weights, releases times records, found "
            f"{times} times {count}",
            "records.times",
        )
    for ends in windows_of(shape, count):
        first, last = ends or (1, count)
        yield (first, last), LinearQuery.named(query, noise, count, (first, last))


class _Left(PointLeakage):
    """What a budget leaves of a leakage between values."""

    def __init__(self, shift: LawShift, power: Power) -> None:
        super().__init__(shift)
        object.__setattr__(self, "_known", power)

    @property
    def power(self) -> Power | None:
        """e to it."""
        kept: Power = self.__dict__["_known"]
        return kept


@dataclass(frozen=True)
class PointSchedule:
    """What the releases of a plan leak together, and alone."""

    plan: PointPlan

    @property
    def shared(self) -> str | None:
        """What all releases share; None of a single one."""
        return shared(len(self.plan.releases))

    @cached_property
    def joint(self) -> PointAudit:
        """The audit of all together."""
        queries = [query for _, query in self.plan.releases]
        return PointAudit(shifts(self.plan.framework, queries), PointQuestion(self.plan.budget))

    @cached_property
    def alone(self) -> list[PointLeakage]:
        """What every release leaks alone."""
        return [
            leakage_of(
                [
                    replace(shift, slopes=(shift.slopes[k],), queries=(shift.queries[k],))
                    for shift in self.joint.found
                ]
            )
            for k in range(len(self.plan.releases))
        ]

    @cached_property
    def single(self) -> list[PointLeakage]:
        """The largest of these of every group."""
        leakages, rest = [], list(self.alone)
        for group in self.plan.groups:
            leakages.append(rest[self._most(rest[: len(group)])])
            rest = rest[len(group) :]
        return leakages

    @staticmethod
    def _most(leakages: Sequence[PointLeakage]) -> int:
        """Return the first of the largest leakages."""
        ends: dict[int, Fraction | None] = {
            k: None if leakage.infinite else exact(leakage.enclosure().lower)
            for k, leakage in enumerate(leakages)
        }
        return max(ends, key=lambda k: (ends[k] is None, ends[k] or 0))

    @cached_property
    def least(self) -> Enclosure | None:
        """The least factor on all scales that keeps the budget, None without one, at level 0, and
        where no factor does or none is needed.
        """
        budget, leakage = self.plan.budget, self.joint.leakage
        silent = not leakage.infinite and leakage.enclosure().upper == "0"
        if budget is None or budget.ratio == 1 or leakage.infinite or silent:
            return None
        ends, level = leakage.enclosure(), budget.enclosure()
        lower = exact(ends.lower) / exact(level.upper)
        upper = exact(ends.upper) / exact(level.lower)
        if all(shift.pointwise for shift in self.joint.found):
            return enclose(lower, upper)
        return enclose(*enclosed(lambda factor: self._exceeds(factor, budget), upper))

    def _exceeds(self, factor: Fraction, budget: Level) -> bool:
        """Whether all scales times a factor leak more than the budget, or may do so."""
        scaled = [
            replace(shift, slopes=tuple(slope / factor for slope in shift.slopes))
            for shift in self.joint.found
        ]
        return leakage_of(scaled).compare(budget) != -1

    @cached_property
    def left(self) -> JsonObject | None:
        """What the budget leaves, None without one, or if it is not kept."""
        budget, leakage = self.plan.budget, self.joint.leakage
        if budget is None or leakage.infinite or not self.joint.kept:
            return None
        if leakage.power is not None:
            rest = power_of(budget).times(leakage.power.to(Fraction(-1)))
            return _Left(leakage.shift, rest).as_json()
        level, ends = budget.enclosure(), leakage.enclosure()
        lower = max(exact(level.lower) - exact(ends.upper), Fraction(0))
        upper = exact(level.upper) - exact(ends.lower)
        return {"ratio": None, "epsilon": enclose(lower, upper).as_json()}

    def as_json(self) -> JsonObject:
        """Return the release object of the file formats."""
        return {
            "releases": len(self.plan.releases),
            "budget": None if self.plan.budget is None else str(self.plan.budget),
            "leakage": self.joint.leakage.as_json(),
            "verdict": None if self.joint.verdict is None else self.joint.verdict.value,
            "single": [each.as_json() for each in self.single],
            "worst": {"secret": list(self.joint.leakage.shift.pair), "release": self._worst + 1},
            "least": None if self.least is None else {"factor": self.least.as_json()},
            "left": self.left,
            "overlapping": self.plan.overlapping,
            "shared": self.shared,
            "doubts": [],
            "assumed": [],
            "trust": list(self.joint.trust),
            "rests_on": list(self.joint.rests_on),
        }

    @property
    def _worst(self) -> int:
        return self._most(self.alone)

    @property
    def lines(self) -> list[str]:
        """What is printed on a terminal."""
        plan, number = self.plan, counted(len(self.plan.releases), "release")
        leakage = self.joint.leakage
        lines = [
            *verdict_lines(self.joint.verdict, plan.budget, number),
            *leakage_lines(leakage_words(leakage), number, leakage.shift.pair),
            *alone_lines(plan.groups, map(leakage_words, self.single)),
        ]
        (first, last), query = plan.releases[self._worst]
        noise = f"{query.noise.kind} {query.noise.text}"
        of = f"record {first}" if first == last else f"records {first} to {last}"
        lines.append(f"most      release {self._worst + 1}: {of}, {noise}")
        lines += least_lines(self.least, self.joint.verdict)
        if self.left is not None:
            lines.append(f"left      {in_nats(at_least(self.left['epsilon']['lower'], 12))}")
        return [
            *lines,
            *shared_lines(self.shared),
            trust_line(self.joint.trust, rests_on=bases(self.joint.rests_on)),
        ]

    @property
    def notes(self) -> list[str]:
        """What one should know of the plan."""
        missing = self.plan.budget is not None and self.least is None
        return notes_of(self.plan.overlapping, missing and self.joint.leakage.infinite)
