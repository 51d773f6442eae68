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
from typing import Annotated

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
from pufferproof.reports.auditing.any_form import Files, divided, refuse_bounded, refuse_options
from pufferproof.reports.auditing.certificates import expect_rule, unread_trust
from pufferproof.reports.auditing.points.joint import composition_answer, decisions
from pufferproof.reports.auditing.points.joint import composition_lines as lines_of_points
from pufferproof.reports.auditing.points.reading import read_points, refuse_at_points
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
from pufferproof.verify.audit import Audit, as_read, audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.audit.composition import compose as compose_exactly
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.leakage.delta import expect_few_runs
from pufferproof.verify.losses.account import Bounds
from pufferproof.verify.losses.composition import compose_sampled, enclosed
from pufferproof.verify.losses.reading import SampledFiles, read_sampled
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

    @property
    def asked(self) -> "_AskedJoint":
        """What all releases together should keep."""
        level = parsed_level(self.together, "--together")
        return _AskedJoint(level, parsed_delta(self.delta, self.together, "--together"))


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
    def named(self) -> list[str | None]:
        """All of them, or None if one was not asked for."""
        certificates = [self.certificate, self.rate_certificate, self.breaking_certificate]
        return [self.plot, *certificates, self.evidence]

    @property
    def options(self) -> dict[str, object]:
        """The same by the options that ask for them."""
        certificates = ("--certificate", "--rate-certificate", "--breaking-certificate")
        options = ("--plot", *certificates, "--evidence")
        return dict(zip(options, self.named))

    @property
    def certified(self) -> str | None:
        """The first certificate, None if none was asked for."""
        return self.certificate or self.rate_certificate or self.breaking_certificate

    def of(self, release: "_Release") -> dict[str, bytes]:
        """Return them, with what they say of a release."""
        documents = rate_documents(
            release.rates,
            release.no_rates,
            release.claimed,
            release.inputs,
            self.rate_certificate,
            self.breaking_certificate,
        )
        if self.certificate is not None:
            document = listed_certificate(release.together, release.inputs)
            documents[self.certificate] = document
        written = {path: certified_text(document).encode() for path, document in documents.items()}
        if self.evidence is not None:
            paths = [release.files.framework.path, *release.names]
            written[self.evidence] = composition_pack(release.files, release.together, paths)
        return written | ({} if self.plot is None else {self.plot: release.drawn(self.plot)})


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
    samples = mechanisms[0] if annotates else None
    if _of_samples(framework, mechanisms, (decide, write, inputs), as_json, samples):
        return
    runs, ledger, asked = decide.runs, write.ledger, decide.asked
    texts = decide.epsilon
    if texts and len(texts) != len(mechanisms):
        raise ModelError(f"expected one level per mechanism ({len(mechanisms)}), found {len(texts)}", "--epsilon")
    levels = [parsed_level(text) for text in texts or []]
    _possible(write, runs, len(mechanisms), levels)
    refuse_with_ledger(ledger, decide.adaptive, {"--epsilon": levels, "--together": decide.together} | write.options)
    about = mechanisms[0] if annotates else None
    other = {"--databases": inputs.databases, "--ledger": ledger} | write.options
    _of_points(framework, mechanisms, (runs, levels, asked), other, as_json, about)
    with working(_DOING):
        normalize, databases = inputs.normalize, inputs.databases
        files = read(framework, mechanisms, normalize, databases, inputs.calls, runs)
        _refuse(files, databases, levels, write)
        if ledger is not None:
            entered = Ledgered.of(ledger, files, runs, decide.adaptive)
            answer = _entered(entered, normalize)
            entered.write([framework, *mechanisms, databases])
        elif isinstance(files, NoisyReleases):
            answer, written = _with_noise(files, runs, levels, asked, write, as_json)
            write_outputs(written, *write.named, inputs=[framework, *mechanisms, databases])
        elif files.framework.value.classes:
            answer = _of_classes(files, runs, levels, asked)
        elif isinstance(files, Sequences | Words):
            answer = _along_sequences(files, runs, asked)
        else:
            release = _Release.of(files, mechanisms, runs, levels, asked)
            written = write.of(release)
            write_outputs(written, *write.named, inputs=[framework, *mechanisms, databases])
            answer = asked.beside(release.answer(write, normalize), files, release.together)
    shown = schema.Compose.model_validate(with_programs(answer.known, *files.mechanisms))
    lines = [*answer.lines, trust_line(shown.trust, rests_on=shown.rests_on)]
    tell(shown, lines, answer.notes, as_json, code=exit_code(*answer.decisions), annotated=about)


def _of_samples(
    framework: str, mechanisms: list[str], options: "tuple[Decide, Write, Input]", as_json: bool, about: str | None
) -> bool:
    """Tell what runs with fresh samples leak, and end; else say that there are none."""
    decide, write, inputs = options
    with working(_DOING):
        files = read_sampled(framework, mechanisms, inputs.calls)
        if files is None:
            return False
        other = {"--together": decide.together, "--adaptive": decide.adaptive}
        reading = {"--databases": inputs.databases, "--normalize": inputs.normalize}
        refuse_with_samples({**other, **reading, "--ledger": write.ledger} | write.options)
        answer = SampledAnswer.of(files, decide.runs, decide.epsilon or [], decide.delta)
        shown, lines = answer.shown, answer.lines()
    lines.append(trust_line(shown.trust, rests_on=shown.rests_on))
    tell(shown, lines, [], as_json, code=exit_code(answer.kept), annotated=about)
    return True


def _of_points(
    framework: str,
    mechanisms: Sequence[str],
    said: "tuple[int, list[Level], _AskedJoint]",
    options: Mapping[str, object],
    as_json: bool,
    about: str | None,
) -> None:
    """Tell what releases of normal records that are not truncated leak, and end; else return."""
    runs, levels, asked = said
    with working(_DOING):
        files = read_points(framework, mechanisms)
        if files is None:
            return
        refuse_at_points(options)
        question = PointQuestion(asked.level, asked.delta, option="--")
        composition = PointComposition(files.framework.value, files.queries, runs, levels, question)
        answer, lines = composition_answer(composition, files), lines_of_points(composition, files)
    code = exit_code(*decisions(composition))
    tell(answer, lines, [], as_json, code=code, annotated=about)


@dataclass(frozen=True)
class _Answer:
    """What is known of releases, as an object and as lines, notes on it, and what was decided."""

    known: JsonObject
    lines: list[str]
    notes: list[str]
    decisions: tuple[Decision | None, ...] = ()


@dataclass(frozen=True)
class _AskedJoint:
    """The level that all releases together should keep, and a delta, if they were asked for."""

    level: Level | None
    delta: Fraction | None

    def expect_few(self, files: Listed, runs: int) -> None:
        """Raise `TooLargeError` where a delta of so many runs is not computed."""
        space, (first, *others) = files.framework.value, shared(files.mechanisms)
        alone = isinstance(first, Channel) and not others and space.closure == "list"
        if self.delta is not None and runs > 1 and alone:
            expect_few_runs(space, first, runs)

    def beside(self, answer: _Answer, files: Files, together: Composition) -> _Answer:
        """Return an answer with the verdict on all releases before it, if one was asked for."""
        if self.level is None:
            return answer
        decided = DecidedTogether.of(files, together, self.level, self.delta)
        trust = _every(answer.known["trust"], decided.trust)
        claims = [*answer.known["rests_on"], *decided.rests_on]
        fields = answer.known | {"together": decided.as_json(), "trust": trust, "rests_on": claims}
        lines = [*decided.lines(), *answer.lines]
        return _Answer(fields, lines, answer.notes, (*answer.decisions, decided.kept))


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
    def of(
        cls, files: Listed, names: Sequence[str], runs: int, levels: Sequence[Level], asked: _AskedJoint
    ) -> "_Release":
        asked.expect_few(files, runs)
        framework = files.framework.value
        channels = [mechanism.value for mechanism in files.mechanisms]
        claimed = claimed_levels(framework, channels, levels) if levels else None
        together = compose_exactly(framework, [*map(as_read, files.mechanisms)], runs)
        rates, no_rates = affordable_rates(framework, channels)
        return cls(files, names, together, rates, no_rates, claimed, published_bounds(together))

    @property
    def inputs(self) -> Inputs:
        """The hashes of the files, as certificates state them."""
        hashes = tuple(mechanism.sha256 for mechanism in self.files.mechanisms)
        return Inputs(self.files.framework.sha256, hashes)

    def answer(self, outputs: Write, normalize: bool) -> _Answer:
        """Return the answer; its notes say which rows were divided, and what was left out."""
        normalized = self.files.framework.value.normalized
        fields = self.as_json() | priors_json(normalized)
        if certified := outputs.certificate or outputs.evidence:
            decided = self.claimed.trust if self.claimed else []  # no part of the certificate
            claims = self.claimed.rests_on if self.claimed else []
            derived = [each.trust for each in self.together.joint.programs]
            proved = ["KERNEL", *unread_trust(self.files)]
            fields |= {"trust": _every(proved, derived, decided), "certificate": certified}
            fields["rests_on"] = claims
        notes = [
            *normalized_lines(normalize, *self.names),
            *priors_lines(normalized, self.files.framework.path, outputs.certified),
            *never_checked_lines(self.together.joint.scope),
            *([] if self.rates else [f"note: no composition rates: {self.no_rates}"]),
        ]
        decisions = self.claimed.decisions if self.claimed else ()
        return _Answer(fields, self.lines(), notes, decisions)

    def as_json(self) -> JsonObject:
        """Return what is known, without what was asked for beside it."""
        rates = [rate.as_json() for rate in self.rates] or None
        answer = self.together.as_json() | {"rate": rates, "inputs": self.files.inputs}
        answer["rests_on"] = [*answer["rests_on"], *(RATES_REST_ON if rates else ())]
        answer |= {"published": published_json(self.published)}
        if self.claimed is not None:
            trust = _every(answer["trust"], self.claimed.trust)
            claims = [*answer["rests_on"], *self.claimed.rests_on]
            answer |= self.claimed.as_json() | {"trust": trust, "rests_on": claims}
        return answer

    def lines(self) -> list[str]:
        """Render it for a terminal, verdicts at claimed levels first."""
        claimed, names = self.claimed, self.names
        return [
            *([] if claimed is None else claimed_lines(claimed.audits, names)),
            *composition_lines(self.together, names, published_lines(self.published)),
            *rate_lines(self.rates, names),
            *([] if claimed is None else nfc_lines(claimed.nfc, claimed.breaking, names)),
        ]

    def drawn(self, path: str) -> bytes:
        """Draw the leakage of 1 to `runs` runs of every mechanism."""
        if not self.rates:
            raise ModelError(f"no composition rate to draw: {self.no_rates}", path)
        framework, runs = self.files.framework.value, self.together.runs
        distinct = dict(zip(self.names, self.rates))
        curves = [(Path(name).name, rate_curve(framework, rate, runs)) for name, rate in distinct.items()]
        return rate_plot(curves).file(path)


def _along_sequences(files: Sequences | Words, runs: int, asked: _AskedJoint) -> _Answer:
    """Compose mechanisms on sequences, or with words, too long to list; without rates."""
    framework, paths = files.framework, [mechanism.path for mechanism in files.mechanisms]
    together = compose_exactly(framework.value, [*map(as_read, files.mechanisms)], runs)
    fields = together.as_json() | {"rate": None, "inputs": files.inputs}
    published = published_bounds(together)
    fields |= priors_json(framework.value.normalized) | {"published": published_json(published)}
    notes = [
        *normalized_lines(divided(files, False), *paths),
        *priors_lines(framework.value.normalized, framework.path),
        *never_checked_lines(together.joint.scope),
        "note: no composition rates; there are too many databases and outputs to list",
    ]
    lines = composition_lines(together, paths, published_lines(published))
    return asked.beside(_Answer(fields, lines, notes), files, together)


def _of_classes(files: Files, runs: int, levels: Sequence[Level], asked: _AskedJoint) -> _Answer:
    """Compose mechanisms against classes of chains, between bounds, without rates."""
    framework, paths = files.framework, [mechanism.path for mechanism in files.mechanisms]
    mechanisms = shared(files.mechanisms)
    together = compose_exactly(framework.value, mechanisms, runs)
    claimed = [audit(framework.value, *each) for each in zip(mechanisms, levels)]
    fields = together.as_json() | {"rate": None, "inputs": files.inputs} | _claimed_json(claimed)
    fields |= priors_json(framework.value.normalized)
    notes = [
        *normalized_lines(divided(files, False), *paths),
        *priors_lines(framework.value.normalized, framework.path),
        *never_checked_lines(together.joint.scope),
        "note: the bounds hold for all chains of the classes; composition rates are not computed",
    ]
    lines = [*_claimed_lines(claimed, paths), *composition_lines(together, paths)]
    answer = _Answer(fields, lines, notes, tuple(each.kept for each in claimed))
    return asked.beside(answer, files, together)


def _with_noise(
    files: NoisyReleases, runs: int, levels: Sequence[Level], asked: _AskedJoint, outputs: Write, as_json: bool
) -> tuple[_Answer, dict[str, bytes]]:
    """Compose queries with noise; there are no rates, and `levels` are decided one by one. Beside
    the answer stands the certificate, if one was asked for.
    """
    framework, paths = files.framework, [mechanism.path for mechanism in files.mechanisms]
    queries = shared(files.mechanisms)
    together = AccountedComposition.of(framework.value, queries, runs)
    claimed = [audit(framework.value, *each) for each in zip(queries, levels)]
    fields = together.as_json() | {"rate": None, "inputs": files.inputs}
    fields |= priors_json(framework.value.normalized)
    fields |= _claimed_json(claimed)
    absent = ["rate      none: outputs are not listed"]
    absent += ["nfc       none: outputs are not listed"] if claimed else []
    missing = "no composition rates" + (", and no NfC" if claimed else "")
    again = ["note: the same records are released again; `release` takes releases over time"]
    note = [f"note: {missing}: outputs are not listed"] if as_json else []
    notes = [*priors_lines(framework.value.normalized, framework.path), *together.notes, *note]
    notes += again if runs > 1 else []
    lines = [*_claimed_lines(claimed, paths), *together.lines(paths), *absent]
    written: dict[str, bytes] = {}
    if outputs.certificate is not None:
        document = composition_evidence(files, together)
        written[outputs.certificate] = certified_text(document).encode()
    if outputs.evidence is not None:
        written[outputs.evidence] = composition_pack(files, together, [framework.path, *paths])
    if written:
        closely = together.together.joint.of is None  # a class is bounded less closely than it is
        proved = ["KERNEL", *unread_trust(files)] if closely else fields["trust"]
        trust = _every(proved, *(each.trust for each in claimed))
        rests_on = [] if closely else fields["rests_on"]
        rests_on = [*rests_on, *(claim for each in claimed for claim in each.rests_on)]
        fields |= {"trust": trust, "rests_on": rests_on}
        fields |= {"certificate": outputs.certificate or outputs.evidence}
    answer = _Answer(fields, lines, notes, tuple(each.kept for each in claimed))
    return asked.beside(answer, files, together.together), written


def _every(*trust: Sequence[str]) -> list[str]:
    """Return all that answers rest on, each once."""
    return list(dict.fromkeys(each for part in trust for each in part))


def _claimed_json(claimed: Sequence[Audit]) -> JsonObject:
    """Return the verdicts at claimed levels, nothing where none was claimed."""
    said = [{"level": str(each.level), "verdict": each.verdict.value} for each in claimed if each.verdict is not None]
    return {"claimed": said, "nfc": None} if said else {}


def _claimed_lines(claimed: Sequence[Audit], names: Sequence[str]) -> list[str]:
    """Say of every release whether it keeps the level claimed for it, and where a bound says so."""
    lines = []
    for each, name in zip(claimed, names):
        verdict = each.verdict.value if each.verdict is not None else ""
        bounded = isinstance(each.largest, NoiseBounds)
        how = f": leakage {leakage_text(each.leakage)}, by bounds" if bounded else ""
        lines.append(f"{verdict} {level_nats(each.level)}  {name}, released once{how}")
    return lines


def _entered(entered: Ledgered, normalize: bool) -> _Answer:
    """Answer for all releases of a ledger with the new ones."""
    files, exactly = entered.files, entered.exactly
    paths, space = [mechanism.path for mechanism in files.mechanisms], files.framework.value
    notes = [
        *normalized_lines(divided(files, normalize), *paths),
        *priors_lines(space.normalized, files.framework.path),
        *([] if exactly is None else never_checked_lines(exactly.joint.scope)),
    ]
    return _Answer(entered.as_json(), entered.lines(), notes)


def _possible(outputs: Write, runs: int, mechanisms: int, levels: Sequence[Level]) -> None:
    """Raise `ModelError` unless what is asked for goes together."""
    if runs < 1:
        raise ModelError(f"expected at least 1, found {runs}", "--runs")
    if outputs.plot is not None and runs < 2:
        raise ModelError("a plot needs --runs of at least 2", "--plot")
    if outputs.rate_certificate is not None and not levels and mechanisms > 1:
        raise ModelError("expected one mechanism, or --epsilon", "--rate-certificate")
    if outputs.breaking_certificate is not None and not levels:
        raise ModelError("needs --epsilon as well", "--breaking-certificate")


def _refuse(files: Files, databases: str | None, levels: Sequence[Level], outputs: Write) -> None:
    """Raise `ModelError` for options that only listed outputs have."""
    classes = files.framework.value.classes
    noisy = isinstance(files, NoisyReleases)
    certified: dict[str, object] = {"--certificate": None, "--evidence": None} if noisy else {}
    if classes:
        refuse_bounded({**outputs.options, **certified})
    listing = {
        "--databases": databases,
        "--epsilon": None if classes or noisy else levels,
        **outputs.options,
        **certified,
    }
    refuse_options(files, listing)
    if outputs.certificate or outputs.evidence:
        expect_rule(files, False, outputs.evidence is not None)
