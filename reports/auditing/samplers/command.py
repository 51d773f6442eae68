"""The command `estimate`: a lower confidence bound of the leakage of a sampler."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_valued
from pufferproof.models.files.programs import Calls, Program, expect_used, is_callable, read_code
from pufferproof.models.files.reading import MAX_BYTES, Loaded, bytes_of, digest, hashes, in_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import outward, percent
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    INK,
    Axis,
    Bar,
    Bars,
    Curve,
    Panel,
    Part,
    Plot,
    Rule,
    plot_file,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.options import (
    AsJson,
    Code,
    DecidedLevel,
    FrameworkFile,
    NormalizePriors,
    ObjectRuns,
    PlotOut,
    TrustStore,
    parsed_level,
    seconds_from,
)
from pufferproof.reports.console.outputs import WRITTEN, write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import exit_code, priors_json, priors_lines, tell
from pufferproof.reports.console.words import claims_lines, level_nats, short_numbers
from pufferproof.reports.schemas import audit as schema
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.simulation.estimation.choosing import Record
from pufferproof.verify.simulation.estimation.outputs import Event, NumberEvent
from pufferproof.verify.simulation.estimation.running import Options, estimate_with
from pufferproof.verify.simulation.estimation.samplers import Command, Function, Sampler, SamplerError
from pufferproof.verify.simulation.estimation.state import Estimate, bound_text

_INTERRUPTED = 130
_ARGUMENTS = ("samples", "seed", "confidence", "timeout")
_MOST_RECORDED = 5_000_000
_PURE = "pure levels; an (epsilon, delta) mechanism such as Gaussian noise violates them all, so ask with --delta"
_CLAIMED = {
    "delta": "the largest P(E | s) - e^epsilon P(E | s') of one event E",
    "zcdp": "zero-concentrated differential privacy, by one event",
    "gdp": "Gaussian differential privacy, by one event",
}
_STOPPED = {
    "samples": "all samples were drawn",
    "violated": "the level is violated",
    "interrupted": "interrupted: the bound until then",
}


def estimate(
    framework: FrameworkFile,
    sampler: Annotated[
        str,
        typer.Argument(metavar="SAMPLER", help="module:function, or a command that reads databases and prints outputs"),
    ],
    code: Code,
    epsilon: DecidedLevel = None,
    samples: Annotated[int, typer.Option("--samples", metavar="N", help="largest number of outputs to draw")] = 100_000,
    seed: Annotated[int, typer.Option("--seed", metavar="K", help="seed for the sampler's random numbers")] = 0,
    confidence: Annotated[
        str, typer.Option("--confidence", metavar="P", help="probability that the bound holds, such as 95% or 19/20")
    ] = "95%",
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            metavar="S",
            callback=seconds_from(0.001),
            help="time limit for one call of the sampler, in seconds",
        ),
    ] = 60.0,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="FILE", help="file to save the run in, and to continue it from")
    ] = None,
    independent_draws: Annotated[
        bool,
        typer.Option(
            "--independent-draws",
            help="promise that outputs of (database, size, rng) are independent draws from one "
            "law per database, so that one call draws many",
        ),
    ] = False,
    trust_store: TrustStore = False,
    plot: PlotOut = None,
    normalize: NormalizePriors = False,
    runs: ObjectRuns = 1,
    delta: Annotated[
        str | None,
        typer.Option(
            "--delta", metavar="P", help="delta to refute at the level of --epsilon, instead of the level alone"
        ),
    ] = None,
    zcdp: Annotated[
        str | None,
        typer.Option("--zcdp", metavar="RHO", help="rho of zero-concentrated privacy to refute instead of a level"),
    ] = None,
    gdp: Annotated[
        str | None, typer.Option("--gdp", metavar="MU", help="mu of Gaussian privacy to refute instead of a level")
    ] = None,
    evidence: Annotated[
        str | None,
        typer.Option(
            "--evidence",
            metavar="FILE.zip",
            help="zip to write: every draw and coin, the bets, and a checker in plain Python",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Bound the leakage of a sampler from below, by drawing from it.

    Levels are pure without --delta: an (epsilon, delta) mechanism such as Gaussian noise violates
    every epsilon.
    """
    options = Options.of(parsed_level(epsilon), samples, seed, confidence, resume, trust_store)
    options = _claiming(options, {"delta": delta, "zcdp": zcdp, "gdp": gdp})
    if evidence is not None:
        # options that keep every draw. Raises `ModelError` for a run in parts or a long one.
        from pufferproof.reports.explaining.pack import named_inputs

        if options.resume is not None:
            raise ModelError("cannot be combined with --resume, as draws of earlier runs are gone", "--evidence")
        if options.samples > _MOST_RECORDED:
            raise ModelError(f"takes at most {_MOST_RECORDED:,} samples, found {options.samples:,}", "--evidence")
        options = replace(options, record=Record({named_inputs(framework, [])[0]: bytes_of(framework, MAX_BYTES)}))
    bounds: list[tuple[int, float]] = []
    with working("drawing samples") as progress:

        def heard(so_far: Estimate) -> None:
            progress(f"{bound_text(so_far)}, {so_far.samples:,} of {samples:,} samples")
            bounds.append((so_far.samples, bound_approx(so_far)))

        space = read_valued(framework, normalize)
        calls = replace(code.calls, runs=runs)
        source = _sampler(sampler, space.value, timeout, calls, independent_draws)
        try:
            made = estimate_with(space.value, source.value, f"{sampler} {source.sha256}", options, heard)
        except ModelError as error:
            raise error.at(f"--{error.where}") if error.where in _ARGUMENTS else error from None
        except SamplerError as error:
            raise _with_partial(error, resume) from error
        drawn = plot_file(plot, lambda: estimate_plot(bounds, made))
        if evidence is not None:
            from pufferproof.reports.auditing.samplers.evidence import bets_zipped

            if options.record is None:
                raise ModelError("draws were not kept", "--evidence")
            drawn |= {evidence: bets_zipped(made, options.record, space.value)}
        write_outputs(drawn, plot, evidence, inputs=[framework, resume])
    if resume is not None:
        WRITTEN.append(resume)
    answer = made.as_json() | {"inputs": hashes(framework=space, sampler=source)}
    answer |= priors_json(space.value.normalized)
    notes = priors_lines(space.value.normalized, framework) + _drift_lines(made, independent_draws)
    shown = schema.Estimate.model_validate(answer)
    lines = [*_lines(made), *claims_lines(shown.rests_on)]
    decisions = {None: None, Verdict.VIOLATES: Decision.FAILS, Verdict.UNDECIDED: Decision.UNDECIDED}
    interrupted = made.stopped == "interrupted" and made.verdict is not Verdict.VIOLATES
    tell(shown, lines, notes, as_json, code=_INTERRUPTED if interrupted else exit_code(decisions[made.verdict]))


def _claiming(options: Options, claims: Mapping[str, str | None]) -> Options:
    """Return options with what is claimed. Raises `ModelError`, naming the option."""
    try:
        return options.claiming(**claims)
    except ModelError as error:
        what = re.sub(r"\b(epsilon|delta)\b", r"--\1", error.what)
        raise ModelError(what, f"--{error.where}") from None


def _sampler(text: str, space: Framework, seconds: float, calls: Calls, independent_draws: bool) -> Loaded[Sampler]:
    if not calls.trusted:
        raise ModelError("a sampler runs code: pass --trust-code to permit it", text)
    expect_used(calls, [text])
    if is_callable(text):
        with in_file(text):
            found = read_code(text, calls)
            code = found.value
            if isinstance(code, Program):
                code = code.on(space.records, space.sized)
            return found.holding(Function(code, seconds, independent_draws))
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ModelError(f"expected a command: {error}", text) from None
    if not words:
        raise ModelError("expected module:function or a command, found nothing", "SAMPLER")
    return Loaded(Command(words, seconds), text, digest(text.encode()))


def _with_partial(error: SamplerError, resume: str | None) -> ModelError:
    partial = error.partial
    if not isinstance(partial, Estimate):
        return error
    shown = "no leakage" if partial.witness is None else bound_text(partial)
    kept = f", kept in {resume}" if resume is not None else ""
    return ModelError(
        f"{error.what}; shown until then: {shown} with confidence {percent(partial.confidence)}, "
        f"from {partial.samples} samples{kept}",
        error.where,
    )


def _drift_lines(made: Estimate, independent_draws: bool) -> list[str]:
    if not made.drift:
        return []
    warning = "warning: outputs given the same secret differ between the first and the last part of the run"
    if independent_draws:
        return [f"{warning}: the draws do not have one law per database, leave out --independent-draws"]
    return [f"{warning}: the sampler changes or remembers; the bound holds for such samplers too"]


def _lines(made: Estimate) -> list[str]:
    lines = []
    if made.verdict is not None:
        asked = level_nats(made.level) if made.claim is None else str(made.claim)
        tested = _PURE if made.claim is None else _CLAIMED[made.claim.kind]
        lines += [f"{made.verdict.value} {asked}", f"tested    {tested}"]
    sure = f"with confidence {percent(made.confidence)}"
    name, bound = bound_text(made).split(maxsplit=1)
    if (witness := made.witness) is None:
        lines.append(f"{name:9} none shown {sure}")
    else:
        (left, right), (s, t) = witness.evidence.seen, witness.pair
        calls = witness.evidence.calls
        lines += [
            f"{name:9} {bound} {sure}",
            f"event     {event_text(witness.event)}",
            f'seen      {left} of {calls[0]} times given "{s}", {right} of {calls[1]} given "{t}"',
            f'prior     "{witness.prior}"' if made.searched is None else f"neighbours {made.searched}",
        ]
    if made.lost:
        lines.append(f"lost      {made.lost:,} draws without an output, counted against the bound")
    # the seed never repeats the coins, which no sampler may know
    seeded = "of the sampler (coins are new in every run)"
    again = "(which does not repeat the sampler's outputs; coins are new in every run)"
    return [
        *lines,
        f"samples   {made.samples:,}, seed {made.seed} {seeded if made.seeded else again}",
        f"ended     {_STOPPED[made.stopped]}",
    ]


# Drawing ------------------------------------------------------------------------------------------
#
# How the lower bound of a sampler rises with the samples, and what shows it at last: a plot.


def estimate_plot(bounds: Sequence[tuple[int, float]], made: Estimate) -> Plot:
    """Return the bounds at numbers of samples, the level that is claimed, and below how often the
    event came given either secret.
    """
    drawn = list(dict.fromkeys([*bounds, (made.samples, bound_approx(made))]))
    name = bound_text(made).split(maxsplit=1)[0]
    # a bound holds until the next one: steps
    later = [(x, y) for (_, y), (x, _) in pairwise(drawn)]
    xs, ys = zip(*sorted([*later, *drawn], key=lambda point: point[0]))
    label = f"{name} at least, with confidence {percent(made.confidence)}"
    parts: list[Part] = [Curve(label, xs, ys)]
    parts.append(Curve("", [x for x, _ in drawn], [y for _, y in drawn], form="o"))
    asked = 0.0
    if made.claim is not None:
        asked, claimed = float(made.claim.value), f"claimed {made.claim}"
    elif made.level is not None:
        asked, claimed = float(made.level.enclosure().upper), f"level {level_nats(made.level)}"
    if made.claim is not None or made.level is not None:
        parts.append(Rule(claimed, asked, INK, "--", level=True))
    up = "leakage (nats)" if made.claim is None else name
    above = Axis(up, 0, 1.1 * max(asked, *ys) or 1)
    panels = [Panel(parts, Axis("samples drawn"), above, share=3)]
    if made.witness is not None:
        evidence = made.witness.evidence
        shares = [seen / max(calls, 1) for seen, calls in zip(evidence.seen, evidence.calls)]
        rows = [
            Bar(f'given "{label_text(name, 16)}"', share, share, colour, f"{share:.4g}")
            for name, share, colour in zip(made.witness.pair, shares, (AGAINST, FAINT))
        ]
        panels.append(Panel([Bars(rows)], Axis(f"how often: {label_text(event_text(made.witness.event), 44)}")))
    return Plot(_finding(made), panels, 3.2 if made.witness is None else 4.6, columns=2)


def event_text(event: Event) -> str:
    """Say an event, its numbers rounded; labels are names, and stay as they are."""
    return short_numbers(str(event)) if isinstance(event, NumberEvent) else str(event)


def _finding(made: Estimate) -> str:
    sure = f"with confidence {percent(made.confidence)}, from {made.samples:,} samples"
    if made.witness is None:
        return f"No leakage is shown {sure}."
    above = ""
    if made.claim is not None:
        kept = "refutes" if made.verdict is Verdict.VIOLATES else "does not refute"
        return f"The {bound_text(made)} {sure}, which {kept} {made.claim}."
    if made.verdict is not None:
        more = "more" if made.verdict.value == "VIOLATES" else "not shown to be more"
        above = f", which is {more} than the level {level_nats(made.level)}"
    least = outward(made.lower.lower, made.lower.upper, 3)[0]
    return f"The leakage is at least {least} nats{above}, {sure}."


def bound_approx(made: Estimate) -> float:
    """Return the bound in floats: in nats, or of a claim."""
    return float(made.lower.lower) if made.claim is None else float(made.value)
