"""`pufferproof compose`: joint leakage of releases, composition rates, and claimed levels put
to the test of composition.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pufferproof.models.errors import ModelError
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    Databases,
    FrameworkFile,
    Normalize,
    TrustCode,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import (
    normalized_lines,
    print_answer,
    priors_json,
    priors_lines,
    warn,
)

if TYPE_CHECKING:
    from pufferproof.counterexamples.breaking_runs import Breaking
    from pufferproof.lp.rates.nfc import NfC, Rate
    from pufferproof.models.channel import Channel
    from pufferproof.models.framework import Framework
    from pufferproof.models.numbers.level import Level
    from pufferproof.verify.audit import Audit
    from pufferproof.verify.certificates.writing import Inputs


_MOST_GAMES = 500_000


@dataclass(frozen=True)
class Claimed:
    """What became of claimed levels: every mechanism alone, NfC, and, where it fails, the runs
    that break composition.
    """

    levels: "tuple[Level, ...]"
    audits: "tuple[Audit, ...]"
    nfc: "NfC"
    breaking: "Breaking | None"

    def as_json(self) -> dict[str, Any]:
        """Return `{"claimed", "nfc"}`."""
        claimed = [
            {"level": str(level), "verdict": audit.verdict.value if audit.verdict else None}
            for level, audit in zip(self.levels, self.audits)
        ]
        breaking = None if self.breaking is None else self.breaking.as_json()
        return {"claimed": claimed, "nfc": {**self.nfc.as_json(), "breaking": breaking}}

    @property
    def trust(self) -> list[str]:
        """What the verdicts at the claimed levels rest on."""
        return list(dict.fromkeys(trust for audit in self.audits for trust in audit.trust))

    @property
    def code(self) -> int:
        """The exit code: 1 when a level or NfC is violated, 3 when something is undecided."""
        said = {audit.verdict.value for audit in self.audits if audit.verdict} | {
            self.nfc.answer.value
        }
        return 1 if said & {"VIOLATES", "FAILS"} else 3 if "UNDECIDED" in said else 0


def compose(
    framework: FrameworkFile,
    mechanisms: Annotated[
        list[str],
        typer.Argument(
            metavar="MECHANISM...", help="mechanism files, one per release; a file may be repeated"
        ),
    ],
    runs: Annotated[
        int, typer.Option("--runs", metavar="K", help="release every mechanism K times")
    ] = 1,
    epsilon: Annotated[
        list[str] | None,
        typer.Option(
            "--epsilon", metavar="LEVEL", help="level claimed for a mechanism: once per MECHANISM"
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="draw the leakage of 1 to K runs against the rate, .svg or .png",
        ),
    ] = None,
    certificate: CertificateOut = None,
    rate_certificate: Annotated[
        str | None,
        typer.Option(
            "--rate-certificate",
            metavar="FILE",
            help="the same for the rate, or with --epsilon for NfC",
        ),
    ] = None,
    breaking_certificate: Annotated[
        str | None,
        typer.Option(
            "--breaking-certificate",
            metavar="FILE",
            help="with --epsilon: the same for runs that break it",
        ),
    ] = None,
    normalize: Normalize = False,
    databases: Databases = None,
    trust_code: TrustCode = False,
    as_json: AsJson = False,
) -> None:
    """Compute the exact joint leakage of independent releases, their composition rates, and
    test claimed levels.
    """
    if runs < 1:
        raise ModelError(f"expected at least 1, found {runs}", "--runs")
    if plot is not None and runs < 2:
        raise ModelError("a plot needs --runs of at least 2", "--plot")
    levels = _levels(epsilon, mechanisms)
    _possible(mechanisms, levels, rate_certificate, breaking_certificate)
    from pufferproof.lp.rates.nfc import composition_rate
    from pufferproof.models.files.question import NoisyReleases, Sequences, read
    from pufferproof.reports.composition import rates as rate_text
    from pufferproof.reports.composition.noise import compose_noise
    from pufferproof.reports.composition.sequences import compose_sequences
    from pufferproof.reports.console import words as text
    from pufferproof.reports.console.progress import working
    from pufferproof.verify import composition
    from pufferproof.verify.certificates.writing import (
        Inputs,
        certified_text,
        composition_certificate,
    )

    listing = {
        "--databases": databases,
        "--epsilon": epsilon,
        "--plot": plot,
        "--certificate": certificate,
    }
    listing |= {
        "--rate-certificate": rate_certificate,
        "--breaking-certificate": breaking_certificate,
    }
    with working("composing"):
        question = read(framework, mechanisms, normalize, databases, trust_code, runs)
    if isinstance(question, NoisyReleases):
        options = [name for name, given in listing.items() if given and name != "--epsilon"]
        raise typer.Exit(compose_noise(question, runs, levels, options, as_json))
    if isinstance(question, Sequences):
        return compose_sequences(
            question, runs, [name for name, given in listing.items() if given], as_json
        )
    with working("composing"):
        space, loaded = question.framework, question.mechanisms
        channels = [each.value for each in loaded]
        claimed = _claimed(space.value, channels, levels) if levels else None
        found = composition.compose(space.value, channels, runs)
        rates = (
            [composition_rate(space.value, channel) for channel in channels]
            if rates_affordable(space.value)
            else []
        )
        inputs = Inputs(space.sha256, tuple(each.sha256 for each in loaded))
        answer = found.as_json() | {"rate": [rate.as_json() for rate in rates] or None}
        answer |= {"inputs": question.inputs}
        answer |= claimed.as_json() | {"trust": claimed.trust} if claimed else {}
        answer |= priors_json(space.value.normalized)
        documents = _documents(rates, claimed, inputs, rate_certificate, breaking_certificate)
        if certificate is not None:
            documents[certificate] = composition_certificate(found, inputs)
            answer |= {"trust": ["KERNEL"], "certificate": certificate}
        written = {path: certified_text(document).encode() for path, document in documents.items()}
        if plot is not None:
            written[plot] = _drawn(space.value, rates, runs, mechanisms, plot)
        named = [plot, certificate, rate_certificate, breaking_certificate]
        write_outputs(written, *named, inputs=[framework, *mechanisms, databases])
    left_out = (
        [] if rates else [f"note: no composition rates: more than {_MOST_GAMES} games to solve"]
    )
    certified = certificate or rate_certificate or breaking_certificate
    divided = [
        *normalized_lines(normalize, *mechanisms),
        *priors_lines(space.value.normalized, framework, certified),
    ]
    warn([*divided, *text.never_checked_lines(found.joint), *left_out])
    lines = rate_text.claimed_lines(claimed.audits, mechanisms) if claimed else []
    lines += [*text.composition_lines(found, mechanisms), *rate_text.rate_lines(rates, mechanisms)]
    lines += rate_text.nfc_lines(claimed.nfc, claimed.breaking, mechanisms) if claimed else []
    print_answer(answer, [*lines, f"trust     {', '.join(answer['trust'])}"], as_json)
    raise typer.Exit(claimed.code if claimed else 0)


def _levels(texts: Sequence[str] | None, mechanisms: Sequence[str]) -> "list[Level]":
    if texts and len(texts) != len(mechanisms):
        raise ModelError(
            f"expected once per mechanism, {len(mechanisms)} times, found {len(texts)}", "--epsilon"
        )
    return [parsed_level(text) for text in texts or []]


def _possible(
    mechanisms: Sequence[str],
    levels: "Sequence[Level]",
    rate_certificate: str | None,
    breaking: str | None,
) -> None:
    if rate_certificate is not None and not levels and len(mechanisms) > 1:
        raise ModelError("expected one mechanism, or --epsilon", "--rate-certificate")
    if breaking is not None and not levels:
        raise ModelError("expected --epsilon as well", "--breaking-certificate")


def rates_affordable(framework: "Framework") -> bool:
    """Say whether there are not too many games: one per prior, ordered pair and database of its
    first secret.
    """
    sizes = {name: len(held) for name, held in framework.secrets.items()}
    priors = len(framework.priors) ** (2 if framework.closure == "convex" else 1)
    return priors * sum(sizes[s] + sizes[t] for s, t in framework.pairs) <= _MOST_GAMES


def _claimed(framework: "Framework", channels: "list[Channel]", levels: "list[Level]") -> Claimed:
    from pufferproof.counterexamples.breaking_runs import search_breaking
    from pufferproof.lp.rates.at_level import Answer
    from pufferproof.lp.rates.nfc import check_nfc
    from pufferproof.verify.audit import audit

    audits = tuple(audit(framework, channel, level) for channel, level in zip(channels, levels))
    nfc = check_nfc(framework, channels, levels)
    listed = nfc.place is not None and nfc.place.priors[0] == nfc.place.priors[1]
    breaking = search_breaking(nfc) if nfc.answer is Answer.FAILS and listed else None
    return Claimed(tuple(levels), audits, nfc, breaking)


def _documents(
    rates: "list[Rate]",
    claimed: Claimed | None,
    inputs: "Inputs",
    rate: str | None,
    breaking: str | None,
) -> dict[str, dict[str, Any]]:
    """Return the certificates asked for, by path. Raises `ModelError` when there are no
    breaking runs to certify.
    """
    from pufferproof.counterexamples.breaking_runs import breaking_certificate
    from pufferproof.lp.rates.certificates import nfc_certificate, rate_certificate

    documents = {}
    if rate is not None and not claimed and not rates:
        raise ModelError(f"no composition rate: more than {_MOST_GAMES} games to solve", rate)
    if rate is not None:
        documents[rate] = (
            nfc_certificate(claimed.nfc, inputs) if claimed else rate_certificate(rates[0], inputs)
        )
    if breaking is not None:
        if claimed is None or claimed.breaking is None:
            raise ModelError(
                "no runs were found that break linear composition: nothing to certify", breaking
            )
        documents[breaking] = breaking_certificate(claimed.breaking, inputs)
    return documents


def _drawn(
    framework: "Framework", rates: "list[Rate]", runs: int, names: Sequence[str], path: str
) -> bytes:
    from pufferproof.reports.composition.plot import rate_curve, rate_plot
    from pufferproof.reports.console.plots import rendered

    if not rates:
        raise ModelError(
            f"no composition rate to draw: more than {_MOST_GAMES} games to solve", path
        )
    distinct = dict(zip(names, rates))
    curves = [
        (Path(name).name, rate_curve(framework, rate, runs)) for name, rate in distinct.items()
    ]
    return rendered(rate_plot(curves), path)
