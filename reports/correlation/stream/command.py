"""The command `stream`: what releases over a sliding window of a stream leak.

The computation is `verify/sequences/streams`.
"""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from pufferproof.models.files.inputs import digest
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.files.writing import framework_document, indented, mechanism_file
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.plots.marks import picture_file
from pufferproof.reports.console.options import AsJson, CertificateOut, PlotOut
from pufferproof.reports.console.outputs import expect_empty, write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import trust_line
from pufferproof.reports.correlation.stream.plot import stream_plot
from pufferproof.reports.correlation.stream.words import stream_lines, stream_notes, stream_view
from pufferproof.reports.schemas.stream import Stream
from pufferproof.verify.audit import audit
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text
from pufferproof.verify.decision import united
from pufferproof.verify.sequences.streams.leakage import StreamLeakage, stream_leakage
from pufferproof.verify.sequences.streams.published import OneStep, Promised, one_step, promised
from pufferproof.verify.sequences.streams.reading import AskedStream, read_stream
from pufferproof.verify.sequences.streams.tables import stream_tables


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
        steps = [
            {
                "t": t,
                "leakage": leakage.as_json(),
                "theorem4": _json(said.printed),
                "repaired": _json(said.repaired),
            }
            | self._at_delta(said)
            for t, (leakage, said) in enumerate(zip(self.found.steps, self.promises), 1)
        ]
        return {
            "leakage": self.found.leakage.as_json(),
            "witness": self.found.witness.as_json(),
            "one_step": self.alone.as_json(),
            "steps": steps,
            "rests_on": united(self.found.rests_on, *(each.rests_on for each in self.promises)),
        }

    def _at_delta(self, said: Promised) -> dict[str, object]:
        if self.delta is None:
            return {}
        how = "searched" if said.searched else "even"
        shares = None if said.best is None else how
        known = {"exact": _json(said.exact), "repaired": _json(said.best), "shares": shares}
        return {"at_delta": known}


def stream(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="stream file, JSON or TOML")],
    delta: Annotated[
        str | None,
        typer.Option(
            "--delta", metavar="P", help="also show the smallest levels that allow this delta"
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="write the releases as a framework and a mechanism, for the other commands",
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
        written = _written(loaded, out, certificate)
        written |= picture_file(plot, lambda: stream_plot(answer.found, answer.promises))
        write_outputs(written, plot, certificate, inputs=[spec], folder=out)
    trust = ["EXACT", *([] if certificate is None else ["KERNEL"])]
    known = answer.as_json() | {"trust": trust, "certificate": certificate}
    told = Stream.model_validate(known | {"inputs": hashes(stream=loaded)})
    lines = stream_lines(answer.found, answer.alone)
    lines.append(trust_line(told.trust, rests_on=told.rests_on))
    view = stream_view(answer.found, answer.promises, allowed is not None)
    tell(told, lines, stream_notes(answer.found, answer.promises), as_json, view)


def _json(said: Any) -> object:
    return None if said is None else said.as_json()


def _written(
    loaded: Loaded[AskedStream], out: str | None, certificate: str | None
) -> dict[str, bytes]:
    """Return the files of the releases written out: a framework, a mechanism, a certificate."""
    if out is None and certificate is None:
        return {}
    framework, mechanism = stream_tables(loaded.value.stream, loaded.value.steps)
    written, inputs = {}, Inputs()
    if out is not None:
        text = indented(framework_document(framework)) + "\n"
        both = text.encode(), mechanism_file(mechanism)[0]
        names = [str(Path(out, f"{name}.json")) for name in ("framework", "mechanism")]
        written, (one, other) = dict(zip(names, both)), map(digest, both)
        inputs = Inputs(one, (other,))
    if certificate is not None:
        document = audit_certificate(audit(framework, mechanism), inputs)
        written[certificate] = certified_text(document).encode()
    return written
