"""The command `stream`: what releases over a sliding window of a stream leak.

The computation is `verify/sequences/streams`.

This file also says what is leaked after every step, and draws it beside what is promised.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from pufferproof.models.files.reading import digest, hashes
from pufferproof.models.files.writing import framework_document, indented, mechanism_file
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.text import JsonObject, brief, in_quotes, rounded, three
from pufferproof.reports.console.drawing import AGAINST, FAINT, INK, Axis, Curve, Panel, Plot, nats_approx, plot_file
from pufferproof.reports.console.options import AsJson, CertificateOut, PlotOut
from pufferproof.reports.console.outputs import expect_empty, write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import counted, leakage_text, rich_table, trust_line
from pufferproof.reports.schemas.stream import Stream
from pufferproof.verify.audit import audit
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.streams.leakage import StreamLeakage, stream_leakage
from pufferproof.verify.sequences.streams.passes import AskedStream, read_stream, stream_tables
from pufferproof.verify.sequences.streams.published import OneStep, Promise, Promised, one_step, promised

_MOST_SHOWN = 12  # outputs of a witness, and corners
_DOTS = 30  # steps up to which every one has a dot


@dataclass(frozen=True)
class Answer:
    """What a stream leaks, and what is promised of it."""

    found: StreamLeakage
    alone: OneStep
    promises: list[Promised]
    delta: Fraction | None

    @classmethod
    def of(cls, asked: AskedStream, delta: Fraction | None) -> "Answer":
        """Compute the answer about a stream, with levels at a delta if one is given."""
        stream, steps = asked.stream, asked.steps
        promises = promised(stream, steps, delta)
        return cls(stream_leakage(stream, steps), one_step(stream), promises, delta)

    def as_json(self) -> JsonObject:
        """Return the answer as JSON."""
        steps: list[JsonObject] = [
            {"t": t, "leakage": leakage.as_json(), "theorem4": _json(said.printed), "repaired": _json(said.repaired)}
            for t, (leakage, said) in enumerate(zip(self.found.steps, self.promises), 1)
        ]
        if self.delta is not None:
            for step, said in zip(steps, self.promises):
                how = "searched" if said.searched else "even"
                shares = None if said.best is None else how
                step["at_delta"] = {"exact": _json(said.exact), "repaired": _json(said.best), "shares": shares}
        return {
            "leakage": self.found.leakage.as_json(),
            "witness": self.found.witness.as_json(),
            "one_step": self.alone.as_json(),
            "steps": steps,
            "rests_on": united(self.found.rests_on, *(promise.rests_on for promise in self.promises)),
        }


def stream(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="stream file, JSON or TOML")],
    delta: Annotated[
        str | None, typer.Option("--delta", metavar="P", help="delta for which the smallest levels are shown as well")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="DIR", help="folder for the releases as a framework and a mechanism, for other commands"
        ),
    ] = None,
    plot: PlotOut = None,
    certificate: CertificateOut = None,
    as_json: AsJson = False,
) -> None:
    """Compute what releases over a sliding window leak after every step, beside the published
    bound.

    The secret is whether the oldest block of every window was replaced; the adversary knows the
    other blocks of the last window.
    """
    allowed = None if delta is None else probability(delta, "--delta")
    with working("computing what the releases tell"):
        loaded = read_stream(spec)
        expect_empty(out)
        answer = Answer.of(loaded.value, allowed)
        # the releases written out as files: a framework, a mechanism, a certificate
        written: dict[str, bytes] = {}
        if out is not None or certificate is not None:
            framework, mechanism = stream_tables(loaded.value.stream, loaded.value.steps)
            inputs = Inputs()
            if out is not None:
                text = indented(framework_document(framework)) + "\n"
                both = text.encode(), mechanism_file(mechanism)[0]
                names = [str(Path(out, f"{name}.json")) for name in ("framework", "mechanism")]
                written, (one, other) = dict(zip(names, both)), map(digest, both)
                inputs = Inputs(one, (other,))
            if certificate is not None:
                document = audit_certificate(audit(framework, mechanism), inputs)
                written[certificate] = certified_text(document).encode()
        written |= plot_file(plot, lambda: stream_plot(answer.found, answer.promises))
        write_outputs(written, plot, certificate, inputs=[spec], folder=out)
    trust = ["EXACT", *([] if certificate is None else ["KERNEL"])]
    fields = answer.as_json() | {"trust": trust, "certificate": certificate}
    shown = Stream.model_validate(fields | {"inputs": hashes(stream=loaded)})
    lines = stream_lines(answer.found, answer.alone)
    lines.append(trust_line(shown.trust, rests_on=shown.rests_on))
    # a table of what the first releases leak, and what is promised of them
    at_delta = allowed is not None
    header = ["releases", "leakage (nats)", "Theorem 4", "holds", "repaired", "holds"]
    header += ["least at delta", "promised at delta"] if at_delta else []
    rows = []
    for t in _shown(len(answer.found.steps)):
        said = answer.promises[t - 1]
        rows.append([str(t), _short(answer.found.steps[t - 1])])
        rows[-1] += [*_promise(said.printed), *_promise(said.repaired)]
        if at_delta:
            rows[-1] += ["-" if each is None else _short(each) for each in (said.exact, said.best)]
    view = rich_table(header, rows, left=0)
    tell(shown, lines, stream_notes(answer.found, answer.promises), as_json, view)


def _json(said: Leakage | Promise | None) -> JsonObject | None:
    return None if said is None else said.as_json()


def stream_plot(leakage: StreamLeakage, promises: Sequence[Promised]) -> Plot:
    """Return the leakage after every step, and the levels that Theorem 4 promises, as printed and
    as repaired.
    """
    steps = range(1, len(leakage.steps) + 1)
    mark = "o" if len(steps) <= _DOTS else ""
    printed = [_promised(promise.printed) for promise in promises]
    repaired = [_promised(promise.repaired) for promise in promises]
    curves = [
        Curve("Theorem 4 as printed", steps, printed, AGAINST, f"{mark}--"),
        Curve("Theorem 4 as repaired", steps, repaired, FAINT, f"{mark}:"),
        Curve(
            "leakage, exact",
            steps,
            [(math.nan if step.infinite else nats_approx(step)) for step in leakage.steps],
            INK,
            f"{mark}-",
        ),
    ]
    drawn = [curve for curve in curves if not all(map(math.isnan, curve.ys))]
    panel = Panel(drawn, Axis("releases", ticks="whole"), Axis("leakage (nats)", 0))
    # what all releases leak, and what is promised of them
    leaked = "everything" if leakage.leakage.infinite else f"{three(nats_approx(leakage.leakage))} nats"
    said = f"{counted(len(leakage.steps), 'release')} leak {leaked}"
    promised = _promised(promises[-1].printed) if promises else math.nan
    if math.isnan(promised):
        finding = f"{said}."
    else:
        finding = f"{said}; Theorem 4 as printed promises {three(promised)} nats."
    return Plot(finding, [panel], 3.4, columns=3)


def _promised(said: Promise | None) -> float:
    return math.nan if said is None or said.epsilon.infinite else nats_approx(said.epsilon)


def stream_lines(leakage: StreamLeakage, alone: OneStep) -> list[str]:
    """Say what was found."""
    witness = leakage.witness
    outputs = ",".join(witness.outputs[:_MOST_SHOWN])
    more = "" if len(witness.outputs) <= _MOST_SHOWN else ",.."
    given_words = f" given {in_quotes(witness.given)}" if witness.given else ""
    where = "the windows" if witness.likelier == "windows" else "the scrubbed windows"
    if alone.printed_gamma == alone.gamma:
        as_printed = []
    else:
        gamma = leakage_text(alone.printed_gamma)
        as_printed = [f"          as printed, of windows against scrubbed: {gamma}"]
    lines = [
        f"leakage   {leakage_text(leakage.leakage)}  ({counted(len(leakage.steps), 'release')})",
        f"          most at outputs {outputs}{more}{given_words}, likelier on {where}",
        f"one step  {leakage_text(alone.largest)}",
        f"gamma     {leakage_text(alone.gamma)}",
        *as_printed,
        *_shortened(
            [
                f"          output {in_quotes(output)}: {leakage_text(gamma)}"
                for output, gamma in zip(alone.outputs, alone.gammas())
            ]
        ),
    ]
    corners = [
        f"corner    slope {brief(each.ratio)}, delta {brief(each.delta)}"
        + (f", given {in_quotes(given)}" if given else "")
        for given, every in zip(alone.given, alone.corners())
        for each in every
    ]
    return [*lines, *_shortened(corners)]


def _shortened(lines: list[str]) -> list[str]:
    left = len(lines) - _MOST_SHOWN
    more = [f"          and {left} more, with --json"] if left > 0 else []
    return [*lines[:_MOST_SHOWN], *more]


def stream_notes(leakage: StreamLeakage, promises: list[Promised]) -> list[str]:
    """Say what Theorem 4 does not cover."""
    notes = []
    if promises[0].printed is None:
        notes.append("note: Theorem 4 is about independent blocks; no bound is known for a chain")
    elif promises[0].repaired is None:
        notes.append(
            f'note: alternatives drawn "{leakage.stream.draws}": the repair of Theorem 4 speaks of "each-step"'
        )
    return notes


def _shown(steps: int) -> Iterator[int]:
    """Yield the steps that a table shows: the first ones, powers of two, and the last."""
    t = 1
    while t < steps:
        yield t
        t = t + 1 if t < 4 else 2 * t
    yield steps


def _promise(said: Promise | None) -> list[str]:
    if said is None:
        return ["-", "-"]
    shift = f", delta {brief(said.delta)}" if said.delta else ""
    return [_short(said.epsilon) + shift, {None: "-", True: "yes", False: "no"}[said.holds]]


def _short(leakage: Leakage) -> str:
    ends = leakage.enclosure()
    if leakage.infinite:
        return "infinite"
    low, high = rounded(ends.lower, 7), rounded(ends.upper, 7)
    if leakage.upper is None:
        return f"at least {low}"
    return low if low == high else f"{low} to {high}"
