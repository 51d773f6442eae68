"""The command `release`: what a plan of releases over time leaks.

The answer is `lp/accounting/releases/schedule.py`; `lines` says it on a terminal; the
page of its evidence is below, in the `words` of the plan.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pufferproof.lp.accounting.releases.plan import (
    MOST_RELEASES,
    NoiseObject,
    WindowMechanism,
    named_file,
    read_plan,
    windows_of,
)
from pufferproof.lp.accounting.releases.schedule import Schedule, schedule
from pufferproof.models.errors import ModelError
from pufferproof.models.files.mechanisms import noise_of
from pufferproof.models.files.programs import Sources, is_callable
from pufferproof.models.files.reading import (
    MAX_BYTES,
    Loaded,
    bytes_of,
    digest,
    hashes,
    in_file,
    read_loaded,
    reading_once,
)
from pufferproof.models.files.recorded.doubts.clock import step_words
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.shapes.plans import PlanFile, PlannedShape
from pufferproof.models.files.writing import indented, mechanism_file, query_document
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.additive import LinearQuery
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import (
    JsonObject,
    at_least,
    at_most,
    capital,
    in_quotes,
    outward,
    percent,
    rounded,
    text_of,
)
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.reports.auditing.any_form import read_point_framework, refuse_at_points
from pufferproof.reports.auditing.certificates import noise_beside
from pufferproof.reports.auditing.points.joint import leakage_words
from pufferproof.reports.auditing.words import shared_lines, shared_sentences
from pufferproof.reports.console.drawing import nats_approx
from pufferproof.reports.console.options import AcceptDoubt, AsJson, Code, EvidenceOut, OutputFormat, format_of
from pufferproof.reports.console.people import contrary_text, who_texts
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import exit_code, tell
from pufferproof.reports.console.words import counted, in_nats, level_nats, never_checked_lines, three_nats, trust_line
from pufferproof.reports.correlation.release.words import (
    LONG,
    Words,
    alone_lines,
    leakage_lines,
    least_lines,
    noise_text,
    notes_of,
    release_lines,
    release_notes,
    scale_text,
    verdict_lines,
)
from pufferproof.reports.explaining.proved import leakage_trust, proved_less
from pufferproof.reports.schemas.fit import Release
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, composition_certificate
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.normal.audit import PointAudit, PointQuestion
from pufferproof.verify.noise.normal.points import LawShift, PointLeakage, leakage_of, power_of, shifts
from pufferproof.verify.noise.scale.calibration import enclosed

if TYPE_CHECKING:
    from pufferproof.reports.explaining.evidence import Chart, Evidence

# Points -------------------------------------------------------------------------------------------
#
# What a plan of releases about normal records that are not truncated leaks: noisy sums and means
# of windows of readings, which share their records.
#
# All releases are one query with a coordinate for each. Between values the leakage of Laplace
# noise falls as 1/f as all scales grow by f; between windows the least f is a root of a falling
# function.

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
            f"expected at most {_MOST_WEIGHTS} weights, releases times records, found {times} times {count}",
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
                [replace(shift, slopes=(shift.slopes[k],), queries=(shift.queries[k],)) for shift in self.joint.found]
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
            k: None if leakage.infinite else exact(leakage.enclosure().lower) for k, leakage in enumerate(leakages)
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
        scaled = [replace(shift, slopes=tuple(slope / factor for slope in shift.slopes)) for shift in self.joint.found]
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
        return [*lines, *shared_lines(self.shared), trust_line(self.joint.trust, rests_on=bases(self.joint.rests_on))]

    @property
    def notes(self) -> list[str]:
        """What one should know of the plan."""
        missing = self.plan.budget is not None and self.least is None
        return notes_of(self.plan.overlapping, missing and self.joint.leakage.infinite)


# Command ------------------------------------------------------------------------------------------


def release(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="plan of releases, TOML or JSON")],
    code: Code,
    out: Annotated[str | None, typer.Option("--out", metavar="DIR", help="folder for a page with the evidence")] = None,
    evidence: EvidenceOut = None,
    accept_doubt: AcceptDoubt = False,
    as_json: AsJson = False,
    output_format: OutputFormat = "text",
) -> None:
    """Compute what releases over time leak together, and the smallest noise that keeps a budget.

    A plan releases queries with noise, or tables and programs (module:function) of windows.
    """
    as_json, annotates = format_of(output_format, as_json)
    points = read_point_plan(plan)
    if points is not None:
        wanted = {"--out": out, "--evidence": evidence, "--trust-code": code.trust_code}
        refuse_at_points(wanted | {"--accept-doubt": accept_doubt})
        _at_points(points, plan if annotates else None, as_json)
    with working("reading the plan") as told:
        loaded = read_plan(plan, code.calls)
        if accept_doubt and loaded.value.data is None:
            raise ModelError("needs a plan with a table data", "--accept-doubt")
        planned = schedule(loaded.value, told, accept_doubt)
        told("computing the least noise that keeps the budget")
        _ = planned.least
        told("writing the evidence")
        certificates: Sequence[JsonObject] = []
        if evidence is not None or out is not None:
            from pufferproof.reports.explaining.pack import write_evidence

            pack = release_evidence(planned, plan)
            certificates = pack.certificates
            write_evidence(pack, out, evidence, [plan])
    certified = evidence or (out and f"{out}/certificate.json")
    fields = planned.as_json() | {"certificate": certified, "inputs": hashes(plan=loaded)}
    derived = [program.trust for program in planned.joint.programs]
    fields |= {} if certified is None else {"trust": ["KERNEL", *derived]}
    if of_leakage := leakage_trust(certificates, planned.joint.leakage, planned.joint.trust):
        fields["leakage_trust"] = of_leakage
    answer = Release.model_validate(fields)
    lines = [*release_lines(planned), trust_line(answer.trust, answer.leakage_trust or (), answer.rests_on)]
    notes = [*never_checked_lines(planned.joint.scope), *release_notes(planned)]
    kept = 3 if planned.contrary else exit_code(planned.joint.kept)
    about = plan if annotates else None
    tell(answer, lines, notes, as_json, code=kept, annotated=about)


def _at_points(loaded: Loaded[PointPlan], about: str | None, as_json: bool) -> NoReturn:
    """Tell what releases about normal records that are not truncated leak."""
    with working("computing what the releases tell"):
        planned = PointSchedule(loaded.value)
        fields = planned.as_json() | {"certificate": None, "inputs": hashes(plan=loaded)}
    code = exit_code(planned.joint.kept)
    tell(Release.model_validate(fields), planned.lines, planned.notes, as_json, code=code, annotated=about)


# Page ---------------------------------------------------------------------------------------------
#
# The page about a plan: what its releases tell together in the words of the plan, of what data it
# was made, whether its model is acceptable, and a chart of what each release tells alone.

_SHORT = 8  # characters of a fraction that is written out
_MOST_PARTS = 4  # kinds of releases that are listed
_DIGITS, _MOST_DIGITS = 3, 16  # of a number, and where two are close
_BITS = 96


def release_evidence(planned: Schedule, path: str) -> "Evidence":
    """Return what goes into a zip: the plan, its framework, a mechanism file for every release, and
    certificates.

    Raises `CertificateError` with the reason where the kernel has no rule.
    """
    from pufferproof.reports.explaining.evidence import Evidence

    plan, joint = planned.plan, planned.joint
    releases, budget = plan.releases, plan.budget
    documents = _documents(planned)
    names = [f"mechanism-{number}.json" for number in range(1, len(documents) + 1)]
    mechanisms = list(zip(names if len(names) > 1 else ["mechanism.json"], documents))
    inputs = Inputs(digest(plan.source[1]), tuple(map(digest, documents)))
    certificates = _certificates(planned, inputs)
    code, runs = _code(plan.mechanisms) | _code(plan.objects), bool(plan.objects)
    runs = runs or any(is_callable(each.name) for each in plan.mechanisms)
    suffix = Path(path).suffix.lower() or ".toml"
    verdict = "" if joint.verdict is None else f"{joint.verdict.value} {level_nats(budget)}"
    column = None if plan.data is None else plan.data[1].recorded.reading.column
    words = Words(plan.words, plan.framework, column)
    asked = "" if budget is None else f"a budget of {level_nats(budget)}"
    doubts = [str(doubt) for doubt in plan.doubts]
    contrary = any(doubt.evidence for doubt in plan.doubts)
    if planned.who is not None and (planned.contrary or planned.accepted):
        said = contrary_text(planned.who, words.many("person"))
        doubts, contrary = [said.partition(": ")[2], *doubts], True
        verdict = verdict if planned.accepted else said
    if contrary and asked:
        asked += ", of the model alone: the data speak against it"
    return Evidence(
        certificates,
        plan.source,
        mechanisms,
        joint.leakage,
        verdict,
        computed_sentences(planned, words),
        [" ".join(line.split()) for line in release_lines(planned)] + _scales(planned),
        doubts=doubts,
        contrary=contrary,
        title=plan.words.title or _title(words, len(releases)),
        test=_test(planned, f"plan{suffix}", runs),
        others={f"plan{suffix}": bytes_of(path, MAX_BYTES)} | dict(plan.named) | code,
        assumed=[*(f"that {each}" for each in plan.believed), *_assumed_of_code(planned, code)],
        claims=joint.rests_on if proved_less(certificates, joint.leakage) else (),
        asked=asked,
        nats=_nats_text(planned),
        odds=partial(
            odds_sentence, words, len(releases), digits=digits_apart(joint.leakage, budget), contrary=contrary
        ),
        facts=facts(planned, words),
        model=model_sentences(planned, words),
        chart=chart(planned, words),
    )


def _code(given: Sequence[WindowMechanism] | Sequence[NoiseObject]) -> dict[str, bytes]:
    """Return the files of mechanisms and objects that a plan names, by their places beside it."""
    files: dict[str, bytes] = {}
    for each in given:
        files |= Sources.of(each.name, each.named).files if is_callable(each.name) else each.named
    return files


def _test(planned: Schedule, plan: str, code: bool) -> str:
    """Return a test that keeps the budget, nothing without one: the data of a plan are not packed,
    so that its test runs where they are.
    """
    if planned.plan.budget is None or planned.contrary:
        return ""
    trusted = ", trust_code=True" if code else ""
    trusted += ", accept_doubt=True" if planned.accepted else ""
    where = "" if planned.plan.data is None else f"  # beside the plan and {planned.plan.data[0]}"
    return f'def test_releases(assert_release):\n    assert_release("{plan}"{trusted}){where}'


def _scales(planned: Schedule) -> list[str]:
    """Return the exact numbers of noise that the page rounds."""
    queries = planned.plan.queries
    texts = dict.fromkeys(each.noise.text for each in queries if len(each.noise.text) > LONG)
    return [f"The number {scale_text(text).partition(' ')[0]} of the noise is exactly {text}." for text in texts]


def _title(words: Words, number: int) -> str:
    if number == 1:
        return "What the release tells"
    return f"What {words.counted(number, 'release')} tell together"


def _assumed_of_code(planned: Schedule, code: Mapping[str, bytes]) -> list[str]:
    """Return what is believed of code: that it draws as it was read."""
    objects = planned.plan.objects
    if not objects:
        from pufferproof.reports.auditing.evidence import assumed_of

        return assumed_of(planned.joint, code)
    return [
        f"that {each.name} adds {noise_text(each.queries[0])} noise to every number that it gets, "
        f"and does nothing else: {each.read.audited}"
        for each in objects
    ]


def _documents(planned: Schedule) -> list[bytes]:
    """Return a mechanism file for every release: of tables of windows those of all databases."""
    queries: Sequence[Query] = planned.plan.queries
    if planned.together is not None:
        if not isinstance(planned.joint.mechanism, NoisyQueries):
            return [mechanism_file(channel)[0] for channel in planned.together.channels]
        queries = planned.joint.mechanism.queries
    return [(indented(query_document(each)) + "\n").encode() for each in queries]


def _certificates(planned: Schedule, inputs: Inputs) -> list[JsonObject]:
    """Return the certificate of the verdict, and those of the leakage."""
    joint, together = planned.joint, planned.together
    if together is None or isinstance(joint.mechanism, NoisyQueries):
        return noise_beside(joint, inputs, verdict=True)
    if len(together.releases) == 1:
        return [audit_certificate(joint, inputs)]
    certificates = [composition_certificate(together, inputs)]
    if joint.level is not None and joint.leakage.ratio is not None:
        leaking = replace(together, joint=replace(joint, level=None, kept=None))
        certificates.append(composition_certificate(leaking, inputs))
    return certificates


# --- what the page says ---


def odds_sentence(words: Words, number: int, leakage: Leakage, digits: int = 3, contrary: bool = False) -> str:
    """Say by which factor all releases together multiply the odds of what is protected: only under
    the model, if data are contrary to it.
    """
    every = "both" if number == 2 else f"all {number:,}"
    if number == 1:
        who = "The release multiplies"
    elif words.one("release") == "release":
        who = f"{capital(every)} releases together multiply"
    else:
        who = f"The releases of {every} {words.many('release')} together multiply"
    about = f"{who} the odds about {words.protected}"
    if contrary:
        about = f"Under the model, {about[0].lower()}{about[1:]}"
    if leakage.lower is None:
        return f"{about} without bound."
    if leakage.upper is None:
        return f"{about} by at least {at_least(leakage.lower, digits)}."
    return f"{about} by at most {at_most(leakage.upper, digits)}."


def digits_apart(leakage: Leakage, budget: Level | None) -> int:
    """Return how many digits tell a leakage from a budget, in nats and as a factor: three unless
    they are close.

    >>> from fractions import Fraction
    >>> digits_apart(Leakage.of(Fraction(3)), Level("log(2)"))
    3
    >>> digits_apart(Leakage.of(Fraction(200_001, 100_000)), Level("log(2)"))
    4
    """
    if budget is None or leakage.upper is None:
        return _DIGITS
    nats, level = leakage.enclosure().upper, budget.enclosure().upper
    for digits in range(_DIGITS, _MOST_DIGITS):
        same = rounded(nats, digits) == rounded(level, digits)
        if not same and at_most(leakage.upper, digits) != budget_factor(budget, digits):
            return digits
    return _DIGITS


def _nats_text(planned: Schedule) -> str:
    """Say the leakage in nats, beside the budget."""
    budget = planned.plan.budget
    digits = digits_apart(planned.leakage, budget)
    leaks = f"The leakage is {three_nats(planned.leakage, digits)}"
    if budget is None:
        return f"{leaks}."
    factor = budget_factor(budget, digits)
    return f"{leaks}; the budget of {level_nats(budget)} is a factor of {factor}."


def budget_factor(budget: Level, digits: int = 3) -> str:
    """Write the factor that a budget allows: exactly, or with so many digits.

    >>> budget_factor(Level("log(9)")), budget_factor(Level("1"))
    ('9', '2.72')
    """
    if budget.ratio is not None and len(text := text_of(budget.ratio)) < _SHORT:
        return text
    return rounded(budget.bounds(_BITS)[0], digits)


def computed_sentences(planned: Schedule, words: Words) -> list[str]:
    """Say what is computed beside what certificates prove, with three digits."""
    plan = planned.plan
    # which secrets the releases tell apart best
    if planned.leakage.upper == 1:
        lines = []
    else:
        above, below = words.secrets(planned.worst)
        who = "release best distinguishes" if len(planned.single) == 1 else "releases best distinguish"
        lines = [f"The {who} {above} from {below}."]
    for place, (group, alone) in enumerate(zip(plan.groups, planned.alone), 1):
        if len(plan.groups) > 1:
            name = f"A {words.one('release')} of [[release]] {place} ({len(group):,} in all)"
            lines.append(f"{name} alone {_multiplies(alone)}.")
    number = planned.release
    if len(plan.releases) > 1:
        release = planned.plan.releases[planned.release - 1]
        if isinstance(release, RecordQuery):
            covered, noise = words.covered(release), words.noise(release)
            what = f"{words.query(release)}, in {covered}, with {noise}"
        else:
            what = f"{release.name} of {words.stretch(*release.ends)}"
        lines.append(f"The most revealing {words.one('release')} is number {number}: {what}.")
    if planned.least is not None:
        less, factor = _factors(planned.least)
        under = " under the model" if planned.who is not None and planned.who.over else ""
        kept = planned.joint.verdict
        if kept is not None and kept.value == "SATISFIES":
            lines.append(
                f"The budget would also be kept{under} if every noise scale were multiplied by "
                f"{factor}; "
                f"a factor below {less} is too small."
            )
        else:
            lines.append(
                f"Multiply every noise scale by {factor} to stay within budget{under}; a factor "
                "below "
                f"{less} is not enough."
            )
    if planned.left is not None:
        nats = at_least(planned.left.enclosure().lower)
        lines.append("The releases use up the budget." if nats == "0" else f"The budget leaves {in_nats(nats)}.")
    lines += [f"{capital(each)}." for each in who_texts(planned.who, words.many("person"), planned.accepted)]
    return [*lines, *shared_sentences(planned.shared)]


def _factors(least: Enclosure) -> tuple[str, str]:
    """Return bounds of the least factor on scales, with as many digits as tell them from 1."""
    for digits in range(_DIGITS, _MOST_DIGITS):
        if "1" not in (ends := outward(least.lower, least.upper, digits)):
            return ends
    return outward(least.lower, least.upper)


def _multiplies(leakage: Leakage) -> str:
    """Say by which factor a release multiplies the odds: by at most 4.31 (1.46 nats)."""
    if leakage.lower is None:
        return "multiplies the odds without bound"
    if leakage.upper is None:
        return f"multiplies the odds by at least {at_least(leakage.lower)}"
    return f"multiplies the odds by at most {at_most(leakage.upper)} ({three_nats(leakage)})"


def facts(planned: Schedule, words: Words) -> list[tuple[str, str]]:
    """Return what the page is about: what is released and protected, of which data, by whom."""
    plan, shape = planned.plan, planned.plan.words
    # of every kind of release how many there are, and what they are
    said = []
    for group in planned.plan.groups[:_MOST_PARTS]:
        first, one = group[0], len(group) == 1
        number = words.counted(len(group), "release")
        if not isinstance(first, RecordQuery):
            of = words.stretch(*first.ends)
            said.append(f"{first.name} of {of}" if one else f"{number} of {first.name}. The first is of {of}")
            continue
        what, covered = words.query(first), words.covered(first)
        noise = words.noise(first)
        if one:
            said.append(f"{capital(what)}, in {covered}, with {noise}")
        else:
            said.append(f"{_many(words, len(group), what)}, with {noise}. The first is of {covered}")
    more = len(planned.plan.groups) - _MOST_PARTS
    found = [("Released", each) for each in [*said, *([f"and {more} more"] if more > 0 else [])]]
    found.append(("Protected", _protected(words)))
    if plan.budget is not None:
        several = {1: "the release", 2: "both releases together"}.get(len(plan.releases), "all releases together")
        digits = digits_apart(planned.leakage, plan.budget)
        factor = f"a factor of {budget_factor(plan.budget, digits)} on the odds"
        found.append(("Budget", f"{level_nats(plan.budget)} for {several}: {factor}"))
    times = "" if not shape.begins else words.times(1, words.records.count)
    if times:
        found.append(("Time", f"{times}, in steps of {shape.step_words}"))
    if plan.data is not None:
        found.append(("Data", _data(*plan.data)))
        many = words.many("person")
        found += [(capital(many), each) for each in who_texts(planned.who, many, planned.accepted)[:1]]
    if plan.objects:
        found += [("Noise", f"{each.name}: {each.read.source}") for each in plan.objects]
    if shape.author is not None:
        found.append(("Made by", shape.author))
    return found


def _many(words: Words, number: int, what: str) -> str:
    """Say what is released again and again: `Each week, for 13 weeks: the number of ..`."""
    many, name = words.counted(number, "release"), words.one("release")
    return f"{many}, each of {what}" if name == "release" else f"Each {name}, for {many}: {what}"


def _protected(words: Words) -> str:
    values = [words.value(label) for label in words.records.alphabet]
    if not words.secret_records or len(values) > _MOST_PARTS:
        return words.protected
    first = ", ".join(values[:-1])
    return f"{words.protected}: whether it is {first} or {values[-1]}"


def _data(name: str, fit: Fit) -> str:
    """Say which data the model is fitted to: rows, sequences, and times."""
    rows, timing = fit.recorded, fit.recorded.reading.timing
    column = rows.reading.column
    of = "" if column is None else f", column {in_quotes(column)}"
    said = f"{name}{of}, {rows.records:,} rows in {counted(len(rows.sequences), 'sequence')}"
    if timing is not None:
        said += f", from {timing.first} to {timing.last} in steps of {step_words(timing.step)}"
    return said


def model_sentences(planned: Schedule, words: Words) -> list[str]:
    """Say whether the model is acceptable: what tests found, or that there is none."""
    plan = planned.plan
    if plan.data is None:
        return [
            f"The model is given in {plan.source[0]}. The plan does not say where it comes from "
            "or whether it fits any data. A [data] table in the plan would test this."
        ]
    name, fit = plan.data
    order, likeness = fit.options.order, fit.likeness
    what = f"a Markov chain of order {order}"
    if fit.options.confidence is not None:
        what = f"every chain in a confidence box of {percent(fit.options.confidence)}"
    elif fit.kinds:
        what = f"{counted(len(fit.kinds), 'Markov chain')} of order {order}, for kinds of groups"
    tests = [(f"against order {order + 1}", fit.test)] if fit.test.degrees else []
    if likeness is not None and likeness.comparison.degrees:
        tests.append(("groups against one chain for all", likeness.comparison))
    told = [f"{of}: {test.p_text}" for of, test in tests if test.doubtful or not plan.doubts]
    found = f" ({'; '.join(told)})" if told else ""
    first = f"The model is {what}, fitted to {name}."
    if plan.doubts:
        alone = " Certificates prove what is said of the model, not of the people recorded."
        return [
            f"{first} The data speak against it{found}: see the doubts above. The numbers on this "
            "page are true of the model, and may be too small for the data."
            f"{alone if planned.contrary or planned.accepted else ''}"
        ]
    if not tests:
        return [f"{first} The data are too short to test it."]
    return [f"{first} Tests found nothing against it{found}. A test can miss what is wrong."]


def chart(planned: Schedule, words: Words) -> "Chart | None":
    """Return the chart of what each release tells alone, beside the budget; None of one release."""
    if len(planned.single) == 1:
        return None
    from pufferproof.reports.explaining.evidence import Chart

    nats = [nats_approx(each) for each in planned.single]
    budget = planned.plan.budget
    most = planned.single[planned.release - 1]
    who = words.release(planned.release)
    same = [each for each in planned.single if each == most]
    if len(same) == len(nats) > 1:
        who = f"Every {words.one('release')}"
    level = None if budget is None else float(budget.enclosure().upper)
    title = f"{who} alone {_multiplies(most)}."
    return Chart.of(title, nats, nats_approx(planned.leakage), level, words.one("release"))
