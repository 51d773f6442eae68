"""`pufferproof compose`: joint leakage of releases, composition rates, and claimed levels put
to the test of composition.

Rates and NfC, the condition on what claimed levels say of many runs, are a matter of listed
outputs; queries with noise have an account beside their joint leakage, or in its place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from pufferproof.lp.accounting.published.every import PublishedBounds, published_bounds
from pufferproof.lp.rates.nfc import RATES_REST_ON, Rate
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences, Words
from pufferproof.models.files.reading import hashes
from pufferproof.models.interface.readable import between
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.auditing.any_form import (
    Files,
    PointFiles,
    divided,
    read_points,
    refuse_at_points,
    refuse_bounded,
    refuse_options,
)
from pufferproof.reports.auditing.certificates import expect_rule, unread_trust
from pufferproof.reports.auditing.points.joint import composition_answer, decisions
from pufferproof.reports.auditing.points.joint import composition_lines as lines_of_points
from pufferproof.reports.auditing.words import composition_lines
from pufferproof.reports.composition.accounting import (
    AccountedComposition,
    Ledgered,
    published_json,
    published_lines,
    refuse_with_ledger,
)
from pufferproof.reports.composition.any_form import (
    DecidedTogether,
    composition_evidence,
    composition_pack,
    listed_certificate,
    shared,
)
from pufferproof.reports.composition.plots.releases import rate_curve, rate_plot
from pufferproof.reports.composition.rates import (
    Claimed,
    affordable_rates,
    claimed_levels,
    claimed_lines,
    nfc_lines,
    rate_documents,
    rate_lines,
)
from pufferproof.reports.console.options import (
    CertificateOut,
    EvidenceOut,
    FrameworkFile,
    Input,
    Printed,
    parsed_delta,
    parsed_level,
    plot_name,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import (
    exit_code,
    normalized_lines,
    priors_json,
    priors_lines,
    read,
    tell,
    with_programs,
)
from pufferproof.reports.console.words import counted, leakage_text, level_nats, never_checked_lines, trust_line
from pufferproof.reports.schemas import composition as schema
from pufferproof.reports.schemas.composition import ComposeSampled
from pufferproof.verify.audit import AnyMechanism, as_read, audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.audit.composition import compose as compose_exactly
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.leakage.delta import expect_few_runs
from pufferproof.verify.losses.account import Bounds
from pufferproof.verify.losses.composition import SampledFiles, compose_sampled, enclosed, read_sampled
from pufferproof.verify.noise.normal.audit import PointComposition, PointQuestion
from pufferproof.verify.noise.ratio.bounds import NoiseBounds

# `pufferproof compose` of mechanisms that draw a fresh sample in every run, and of the events of
# dp_accounting: delta at a level, or the level at a delta, between proved bounds.


@dataclass(frozen=True)
class SampledAnswer:
    """What runs with fresh samples leak: `delta` at a level, or the level at `bound`."""

    files: SampledFiles
    runs: int
    level: Level | None
    bound: Fraction | None

    @classmethod
    def of(cls, files: SampledFiles, runs: int, levels: list[str], delta: str | None) -> "SampledAnswer":
        """Read what is asked. Raises `ModelError` unless something is."""
        if len(levels) > 1:
            raise ModelError(f"expected one, of all runs, found {len(levels)}", "--epsilon")
        level = levels[0] if levels else None
        bound = None if delta is None else probability(delta, "--delta")
        if level is None and bound is None:
            raise ModelError(
                "expected --delta for the smallest level, --epsilon for the smallest delta, or both for a verdict",
                "--delta",
            )
        return cls(files, runs, parsed_level(level), bound)

    @cached_property
    def _steps(self):  # type: ignore[no-untyped-def]
        every = [each.value for each in self.files.mechanisms]
        return compose_sampled(self.files.framework.value, every, self.runs)

    @cached_property
    def _delta(self) -> Bounds | None:
        return None if self.level is None else self._steps.delta(self.level, self.bound)

    @cached_property
    def _epsilon(self) -> Bounds | None:
        return None if self.bound is None else self._steps.epsilon(self.bound)

    @cached_property
    def kept(self) -> Decision | None:
        """Whether all runs keep (epsilon, delta), None if it was not asked."""
        if self._delta is None or self.bound is None:
            return None
        lower, upper = self._delta
        if upper <= self.bound:
            return Decision.HOLDS
        return Decision.FAILS if lower > self.bound else Decision.UNDECIDED

    @property
    def shown(self) -> ComposeSampled:
        """The object that --json prints."""
        delta = None if self._delta is None else enclosed(self._delta).as_json()
        alone = self.bound is not None and self.level is None
        fields: JsonObject = {
            "verdict": None if self.kept is None else Verdict.of(self.kept).value,
            "level": None if self.level is None else str(self.level),
            "bound": None if self.bound is None else text_of(self.bound),
            "delta": None if delta is None else {"ratio": None, **delta},
            "epsilon": enclosed(self._epsilon).as_json() if alone else None,
            "runs": self.runs,
            "neighbours": {"relation": self._steps.relation, "changes": self.files.framework.value.changes},
            "shared": self._steps.shared,
            "about": self._steps.says,
            "reached": self._steps.reached,
            "notes": list(self._steps.notes),
            "trust": ["INTERVAL", "PROSE"],
            "rests_on": self._steps.rests_on,
            "inputs": hashes(framework=self.files.framework, mechanisms=self.files.mechanisms),
        }
        return ComposeSampled.model_validate(fields)

    def lines(self) -> list[str]:
        """Render it for a terminal."""
        relation, steps = self._steps.relation, self._steps
        lines = []
        if self.kept is not None and self.level is not None and self.bound is not None:
            verdict = Verdict.of(self.kept).value
            lines.append(f"{verdict} {level_nats(self.level)}, delta {text_of(self.bound)}")
        if self._delta is not None and self.level is not None:
            level = level_nats(self.level)
            lines.append(f"delta     {between(*self._delta)}, the smallest at {level}")
        if self.level is None and self.bound is not None:
            known = self._epsilon
            nats = "infinite" if known is None else f"{between(*known)} nats"
            lines.append(f"epsilon   {nats}, the smallest level at delta {text_of(self.bound)}")
        times = counted(self.runs, "run")
        lines += [
            f"runs      {times} of {counted(len(self.files.mechanisms), 'mechanism')}",
            f"shared    {steps.shared}",
            f"about     one record, neighbours by {relation}: {steps.says}",
        ]
        return [*lines, *(f"note      {note}" for note in steps.notes)]


def refuse_with_samples(options: Mapping[str, object]) -> None:
    """Raise `ModelError` for options that do not go with fresh samples."""
    option = next((name for name, value in options.items() if value), None)
    if option == "--ledger":
        raise ModelError(
            "fresh samples and events of dp_accounting are accounted in one command: leave it out, "
            "and name every mechanism as often as it was released, or use --runs",
            option,
        )
    if option is not None:
        raise ModelError("cannot be combined with fresh samples or events of dp_accounting", option)


@dataclass(frozen=True)
class Decide:
    """Options that say what is released and decided."""

    runs: Annotated[
        int, typer.Option("--runs", metavar="K", help="number of times that each mechanism is released")
    ] = 1
    epsilon: Annotated[
        list[str] | None,
        typer.Option(
            "--epsilon",
            metavar="LEVEL",
            help="level claimed for each mechanism, once per MECHANISM, to test whether the "
            "levels add up; with fresh samples, level of all runs",
        ),
    ] = None
    together: Annotated[
        str | None, typer.Option("--together", metavar="LEVEL", help="level to decide for all releases together")
    ] = None
    delta: Annotated[
        str | None,
        typer.Option(
            "--delta",
            metavar="P",
            help="delta to decide at the level of --together, or with fresh samples of --epsilon",
        ),
    ] = None
    adaptive: Annotated[
        bool, typer.Option("--adaptive", help="with --ledger: let later mechanisms depend on earlier outputs")
    ] = False


@dataclass(frozen=True)
class Write:
    """Options that name files to write."""

    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            callback=plot_name,
            help="plot of leakage against the number of runs (.svg, .png, .pdf)",
        ),
    ] = None
    certificate: CertificateOut = None
    rate_certificate: Annotated[
        str | None,
        typer.Option(
            "--rate-certificate", metavar="FILE", help="certificate of the rate, or with --epsilon of the condition NfC"
        ),
    ] = None
    breaking_certificate: Annotated[
        str | None,
        typer.Option(
            "--breaking-certificate", metavar="FILE", help="with --epsilon: certificate of runs that break the level"
        ),
    ] = None
    evidence: EvidenceOut = None
    ledger: Annotated[
        str | None,
        typer.Option("--ledger", metavar="FILE", help="file with the account that these releases are added to"),
    ] = None

    @property
    def options(self) -> dict[str, str | None]:
        """The files besides a ledger, or None, by the options that name them."""
        return {
            "--plot": self.plot,
            "--certificate": self.certificate,
            "--rate-certificate": self.rate_certificate,
            "--breaking-certificate": self.breaking_certificate,
            "--evidence": self.evidence,
        }


_DOING = "computing what the releases leak together"


def compose(
    framework: FrameworkFile,
    mechanisms: Annotated[
        list[str],
        typer.Argument(
            metavar="MECHANISM...",
            help="mechanism files or module:function, one per release; the same one may occur again",
        ),
    ],
    decide: Decide,
    write: Write,
    show: Printed,
    inputs: Input,
) -> None:
    """Compute what independent releases leak together."""
    as_json, annotates = show.form
    about = mechanisms[0] if annotates else None
    with working(_DOING):
        sampled = read_sampled(framework, mechanisms, inputs.calls)
    if sampled is not None:
        _tell_sampled(sampled, decide, write, inputs, as_json, about)
    together = parsed_level(decide.together, "--together")
    delta = parsed_delta(decide.delta, decide.together, "--together")
    levels = _claimed_levels(decide, write, len(mechanisms))
    with working(_DOING):
        points = read_points(framework, mechanisms)
    if points is not None:
        refuse_at_points({"--databases": inputs.databases, "--ledger": write.ledger} | write.options)
        _tell_points(points, decide.runs, levels, PointQuestion(together, delta, option="--"), as_json, about)
    with working(_DOING):
        files = read(framework, mechanisms, inputs.normalize, inputs.databases, inputs.calls, decide.runs)
        _refuse(files, inputs.databases, levels, write)
        asked = _Asked(files, decide.runs, levels, together, delta)
        written: dict[str, bytes] = {}
        if write.ledger is not None:
            entered = Ledgered.of(write.ledger, files, decide.runs, decide.adaptive)
            answer = asked.of_ledger(entered, inputs.normalize)
            entered.write([framework, *mechanisms, inputs.databases])
        elif isinstance(files, NoisyReleases):
            answer, written = asked.with_noise(write, as_json)
        elif files.framework.value.classes or isinstance(files, Sequences | Words):
            answer = asked.without_rates()
        else:
            release = _Release.of(files, mechanisms, asked)
            written = release.written(write)
            answer = release.answer(asked, write, inputs.normalize)
        if written:
            write_outputs(written, *write.options.values(), inputs=[framework, *mechanisms, inputs.databases])
    lines = [*answer.lines, trust_line(answer.shown.trust, rests_on=answer.shown.rests_on)]
    tell(answer.shown, lines, answer.notes, as_json, code=exit_code(*answer.decisions), annotated=about)


def _tell_sampled(
    files: SampledFiles, decide: Decide, write: Write, inputs: Input, as_json: bool, about: str | None
) -> NoReturn:
    """Tell what runs with fresh samples leak."""
    with working(_DOING):
        refuse_with_samples(
            {
                "--together": decide.together,
                "--adaptive": decide.adaptive,
                "--databases": inputs.databases,
                "--normalize": inputs.normalize,
                "--ledger": write.ledger,
                **write.options,
            }
        )
        answer = SampledAnswer.of(files, decide.runs, decide.epsilon or [], decide.delta)
        shown, lines = answer.shown, answer.lines()
    lines.append(trust_line(shown.trust, rests_on=shown.rests_on))
    tell(shown, lines, [], as_json, code=exit_code(answer.kept), annotated=about)


def _tell_points(
    files: PointFiles, runs: int, levels: list[Level], question: PointQuestion, as_json: bool, about: str | None
) -> NoReturn:
    """Tell what releases of normal records that are not truncated leak."""
    with working(_DOING):
        composition = PointComposition(files.framework.value, files.queries, runs, levels, question)
        answer, lines = composition_answer(composition, files), lines_of_points(composition, files)
    tell(answer, lines, [], as_json, code=exit_code(*decisions(composition)), annotated=about)


def _claimed_levels(decide: Decide, write: Write, mechanisms: int) -> list[Level]:
    """Return the levels of --epsilon. Raises `ModelError` unless what is asked for goes together."""
    texts = decide.epsilon or []
    if texts and len(texts) != mechanisms:
        raise ModelError(f"expected one level per mechanism ({mechanisms}), found {len(texts)}", "--epsilon")
    levels = [parsed_level(text) for text in texts]
    if decide.runs < 1:
        raise ModelError(f"expected at least 1, found {decide.runs}", "--runs")
    if write.plot is not None and decide.runs < 2:
        raise ModelError("a plot needs --runs of at least 2", "--plot")
    if write.rate_certificate is not None and not levels and mechanisms > 1:
        raise ModelError("expected one mechanism, or --epsilon", "--rate-certificate")
    if write.breaking_certificate is not None and not levels:
        raise ModelError("needs --epsilon as well", "--breaking-certificate")
    options: dict[str, object] = {"--epsilon": levels, "--together": decide.together, **write.options}
    refuse_with_ledger(write.ledger, decide.adaptive, options)
    return levels


def _refuse(files: Files, databases: str | None, levels: Sequence[Level], write: Write) -> None:
    """Raise `ModelError` for options that only listed outputs have."""
    classes = files.framework.value.classes
    noisy = isinstance(files, NoisyReleases)
    listing: dict[str, object] = {**write.options}
    if noisy:
        listing |= {"--certificate": None, "--evidence": None}
    if classes:
        refuse_bounded(listing)
    refuse_options(files, {"--databases": databases, "--epsilon": None if classes or noisy else levels, **listing})
    if write.certificate or write.evidence:
        expect_rule(files, False, write.evidence is not None)


@dataclass(frozen=True)
class _Answer:
    """What is known of releases, as an object and as lines, notes on it, and what was decided."""

    shown: schema.Compose
    lines: list[str]
    notes: list[str]
    decisions: tuple[Decision | None, ...] = ()


@dataclass(frozen=True)
class _Asked:
    """What is asked of releases: levels claimed for every mechanism, and a level for all of them
    together, with a delta.
    """

    files: Files
    runs: int
    levels: Sequence[Level]
    together: Level | None
    delta: Fraction | None

    @property
    def paths(self) -> list[str]:
        return [mechanism.path for mechanism in self.files.mechanisms]

    def answer(
        self,
        known: JsonObject,
        lines: list[str],
        notes: list[str],
        composition: Composition | None,
        claimed: Claimed | None = None,
        rates: Sequence[Rate] = (),
        certificate: str | None = None,
    ) -> _Answer:
        """Return the answer: what is `known` of releases, verdicts at claimed levels, and before
        both the verdict on all releases together, if one was asked for.
        """
        trust, claims = known["trust"], known["rests_on"]
        fields: JsonObject = {"rate": [rate.as_json() for rate in rates] or None, "inputs": self.files.inputs}
        fields |= priors_json(self.files.framework.value.normalized)
        answers = () if claimed is None else claimed.decisions
        if claimed is not None:
            fields |= claimed.as_json()
        if certificate is not None:
            fields["certificate"] = certificate
        if self.together is not None and composition is not None:
            decided = DecidedTogether.of(self.files, composition, self.together, self.delta)
            trust, claims = _every(trust, decided.trust), [*claims, *decided.rests_on]
            fields["together"] = decided.as_json()
            lines, answers = [*decided.lines(), *lines], (*answers, decided.kept)
        fields = known | fields | {"trust": trust, "rests_on": claims}
        shown = schema.Compose.model_validate(with_programs(fields, *self.files.mechanisms))
        return _Answer(shown, lines, notes, answers)

    def claimed(self, mechanisms: Sequence[AnyMechanism]) -> Claimed | None:
        """Return the audits at claimed levels of mechanisms that are not listed."""
        framework = self.files.framework.value
        audits = tuple(audit(framework, mechanism, level) for mechanism, level in zip(mechanisms, self.levels))
        return Claimed(tuple(self.levels), audits, None, None) if audits else None

    def without_rates(self) -> _Answer:
        """Compose mechanisms on sequences, or with words, too long to list; or against classes of
        chains, between bounds. There are no rates.
        """
        framework, paths, classes = self.files.framework, self.paths, self.files.framework.value.classes
        mechanisms = shared(self.files.mechanisms) if classes else [*map(as_read, self.files.mechanisms)]
        composition = compose_exactly(framework.value, mechanisms, self.runs)
        if classes:
            claimed, published = self.claimed(mechanisms), None
            why = "the bounds hold for all chains of the classes; composition rates are not computed"
        else:
            claimed, published = None, published_bounds(composition)
            why = "no composition rates; there are too many databases and outputs to list"
        known = composition.as_json() | ({} if published is None else {"published": published_json(published)})
        lines = composition_lines(composition, paths, [] if published is None else published_lines(published))
        notes = [
            *normalized_lines(divided(self.files, False), *paths),
            *priors_lines(framework.value.normalized, framework.path),
            *never_checked_lines(composition.joint.scope),
            f"note: {why}",
        ]
        return self.answer(known, [*_claimed_lines(claimed, paths), *lines], notes, composition, claimed)

    def with_noise(self, write: Write, as_json: bool) -> tuple[_Answer, dict[str, bytes]]:
        """Compose queries with noise; there are no rates, and levels are decided one by one. Beside
        the answer stands the certificate, if one was asked for.
        """
        framework, paths, queries = self.files.framework, self.paths, shared(self.files.mechanisms)
        together = AccountedComposition.of(framework.value, queries, self.runs)
        claimed = self.claimed(queries)
        written: dict[str, bytes] = {}
        if write.certificate is not None:
            written[write.certificate] = certified_text(composition_evidence(self.files, together)).encode()
        if write.evidence is not None:
            written[write.evidence] = composition_pack(self.files, together, [framework.path, *paths])
        known = together.as_json()
        if written:
            closely = together.together.joint.of is None  # a class is bounded less closely than it is
            audits = () if claimed is None else claimed.audits
            proved = ["KERNEL", *unread_trust(self.files)] if closely else known["trust"]
            rests_on = [] if closely else known["rests_on"]
            known |= {
                "trust": _every(proved, *(each.trust for each in audits)),
                "rests_on": [*rests_on, *(claim for each in audits for claim in each.rests_on)],
            }
        notes = [*priors_lines(framework.value.normalized, framework.path), *together.notes]
        absent = ["rate      none: outputs are not listed"]
        missing = "no composition rates"
        if claimed is not None:
            absent.append("nfc       none: outputs are not listed")
            missing += ", and no NfC"
        if as_json:
            notes.append(f"note: {missing}: outputs are not listed")
        if self.runs > 1:
            notes.append("note: the same records are released again; `release` takes releases over time")
        lines = [*_claimed_lines(claimed, paths), *together.lines(paths), *absent]
        certificate = write.certificate or write.evidence
        return self.answer(known, lines, notes, together.together, claimed, certificate=certificate), written

    def of_ledger(self, entered: Ledgered, normalize: bool) -> _Answer:
        """Answer for all releases of a ledger with the new ones."""
        exactly, framework = entered.exactly, self.files.framework
        notes = [
            *normalized_lines(divided(self.files, normalize), *self.paths),
            *priors_lines(framework.value.normalized, framework.path),
            *([] if exactly is None else never_checked_lines(exactly.joint.scope)),
        ]
        return self.answer(entered.as_json(), entered.lines(), notes, None)


@dataclass(frozen=True)
class _Release:
    """Listed mechanisms released together: joint leakage, rates, and claimed levels."""

    files: Listed
    names: Sequence[str]
    together: Composition
    rates: Sequence[Rate]
    no_rates: str
    claimed: Claimed | None
    published: PublishedBounds

    @classmethod
    def of(cls, files: Listed, names: Sequence[str], asked: _Asked) -> "_Release":
        """Compose. Raises `TooLargeError` where a delta of so many runs is not computed."""
        framework, (first, *others) = files.framework.value, shared(files.mechanisms)
        alone = isinstance(first, Channel) and not others and framework.closure == "list"
        if asked.delta is not None and asked.runs > 1 and alone:
            expect_few_runs(framework, first, asked.runs)
        channels = [mechanism.value for mechanism in files.mechanisms]
        claimed = claimed_levels(framework, channels, asked.levels) if asked.levels else None
        together = compose_exactly(framework, [*map(as_read, files.mechanisms)], asked.runs)
        rates, no_rates = affordable_rates(framework, channels)
        return cls(files, names, together, rates, no_rates, claimed, published_bounds(together))

    def written(self, write: Write) -> dict[str, bytes]:
        """Return the files that are asked for, with what they say of the release."""
        framework = self.files.framework
        inputs = Inputs(framework.sha256, tuple(mechanism.sha256 for mechanism in self.files.mechanisms))
        documents = rate_documents(
            self.rates, self.no_rates, self.claimed, inputs, write.rate_certificate, write.breaking_certificate
        )
        if write.certificate is not None:
            documents[write.certificate] = listed_certificate(self.together, inputs)
        written = {path: certified_text(document).encode() for path, document in documents.items()}
        if write.evidence is not None:
            written[write.evidence] = composition_pack(self.files, self.together, [framework.path, *self.names])
        if write.plot is not None:
            # the leakage of 1 to `runs` runs of every mechanism
            if not self.rates:
                raise ModelError(f"no composition rate to draw: {self.no_rates}", write.plot)
            distinct = dict(zip(self.names, self.rates))
            curves = [
                (Path(name).name, rate_curve(framework.value, rate, self.together.runs))
                for name, rate in distinct.items()
            ]
            written[write.plot] = rate_plot(curves).file(write.plot)
        return written

    def answer(self, asked: _Asked, write: Write, normalize: bool) -> _Answer:
        """Return the answer; its notes say which rows were divided, and what was left out."""
        claimed, names, framework = self.claimed, self.names, self.files.framework
        known = self.together.as_json() | {"published": published_json(self.published)}
        trust, rests_on = known["trust"], [*known["rests_on"], *(RATES_REST_ON if self.rates else ())]
        certificate = write.certificate or write.evidence
        if certificate is not None:
            derived = [each.trust for each in self.together.joint.programs]
            trust, rests_on = _every(["KERNEL", *unread_trust(self.files)], derived), []
        if claimed is not None:  # no part of the certificate
            trust, rests_on = _every(trust, claimed.trust), [*rests_on, *claimed.rests_on]
        known |= {"trust": trust, "rests_on": rests_on}
        lines = [
            *([] if claimed is None else claimed_lines(claimed.audits, names)),
            *composition_lines(self.together, names, published_lines(self.published)),
            *rate_lines(self.rates, names),
            *([] if claimed is None else nfc_lines(claimed.nfc, claimed.breaking, names)),
        ]
        certified = write.certificate or write.rate_certificate or write.breaking_certificate
        notes = [
            *normalized_lines(normalize, *names),
            *priors_lines(framework.value.normalized, framework.path, certified),
            *never_checked_lines(self.together.joint.scope),
            *([] if self.rates else [f"note: no composition rates: {self.no_rates}"]),
        ]
        return asked.answer(known, lines, notes, self.together, claimed, self.rates, certificate)


def _every(*trust: Sequence[str]) -> list[str]:
    """Return all that answers rest on, each once."""
    return list(dict.fromkeys(each for part in trust for each in part))


def _claimed_lines(claimed: Claimed | None, names: Sequence[str]) -> list[str]:
    """Say of every release whether it keeps the level claimed for it, and where a bound says so."""
    lines = []
    for each, name in zip(() if claimed is None else claimed.audits, names):
        verdict = each.verdict.value if each.verdict is not None else ""
        bounded = isinstance(each.largest, NoiseBounds)
        how = f": leakage {leakage_text(each.leakage)}, by bounds" if bounded else ""
        lines.append(f"{verdict} {level_nats(each.level)}  {name}, released once{how}")
    return lines
