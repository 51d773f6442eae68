"""`pufferproof compose`: joint leakage of releases, composition rates, and claimed levels put
to the test of composition.

Rates and NfC, the condition on what claimed levels say of many runs, are a matter of listed
outputs; queries with noise have an account beside their joint leakage, or in its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from pufferproof.lp.rates.nfc import Rate
from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences, read
from pufferproof.models.numbers.level import Level
from pufferproof.reports.auditing.any_form import divided, refuse_options, shared
from pufferproof.reports.auditing.words import composition_lines
from pufferproof.reports.composition.accounts import AccountedComposition
from pufferproof.reports.composition.plot import rate_curve, rate_plot
from pufferproof.reports.composition.rates import (
    Claimed,
    affordable_rates,
    claimed_levels,
    claimed_lines,
    nfc_lines,
    rate_documents,
    rate_lines,
    too_many_games,
)
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
from pufferproof.reports.console.plots import rendered
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    normalized_lines,
    print_answer,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import leakage_text, never_checked_lines
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.writing import (
    Inputs,
    certified_text,
    composition_certificate,
)
from pufferproof.verify.composition import Composition
from pufferproof.verify.composition import compose as compose_exactly
from pufferproof.verify.noise.bounds import NoiseBounds, audit_or_bounds


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
    listing = {
        "--databases": databases,
        "--epsilon": epsilon,
        "--plot": plot,
        "--certificate": certificate,
        "--rate-certificate": rate_certificate,
        "--breaking-certificate": breaking_certificate,
    }
    with working("composing"):
        files = read(framework, mechanisms, normalize, databases, trust_code, runs)
    given = [name for name, value in listing.items() if value]
    if isinstance(files, NoisyReleases):
        refuse_options(files, [name for name in given if name != "--epsilon"])
        raise typer.Exit(_with_noise(files, runs, levels, as_json))
    if isinstance(files, Sequences):
        refuse_options(files, given)
        return _along_sequences(files, runs, as_json)
    with working("composing"):
        release = _Release.of(files, mechanisms, runs, levels)
        answer = release.as_json()
        documents = rate_documents(
            release.rates, release.claimed, release.inputs, rate_certificate, breaking_certificate
        )
        if certificate is not None:
            documents[certificate] = composition_certificate(release.together, release.inputs)
            answer |= {"trust": ["KERNEL"], "certificate": certificate}
        written = {path: certified_text(document).encode() for path, document in documents.items()}
        if plot is not None:
            written[plot] = release.drawn(plot)
        named = [plot, certificate, rate_certificate, breaking_certificate]
        write_outputs(written, *named, inputs=[framework, *mechanisms, databases])
    certified = certificate or rate_certificate or breaking_certificate
    warn(
        [
            *normalized_lines(normalize, *mechanisms),
            *priors_lines(files.framework.value.normalized, framework, certified),
            *never_checked_lines(release.together.joint),
            *([] if release.rates else [f"note: no composition rates: {too_many_games()}"]),
        ]
    )
    print_answer(answer, [*release.lines(), f"trust     {', '.join(answer['trust'])}"], as_json)
    raise typer.Exit(release.claimed.code if release.claimed else 0)


@dataclass(frozen=True)
class _Release:
    """Listed mechanisms released together: joint leakage, rates, and what became of claimed
    levels.
    """

    files: Listed
    names: Sequence[str]
    together: Composition
    rates: Sequence[Rate]
    claimed: Claimed | None

    @classmethod
    def of(
        cls, files: Listed, names: Sequence[str], runs: int, levels: Sequence[Level]
    ) -> "_Release":
        framework = files.framework.value
        channels = [each.value for each in files.mechanisms]
        claimed = claimed_levels(framework, channels, levels) if levels else None
        together = compose_exactly(framework, channels, runs)
        return cls(files, names, together, affordable_rates(framework, channels), claimed)

    @property
    def inputs(self) -> Inputs:
        """The hashes of the files, as certificates state them."""
        hashes = tuple(each.sha256 for each in self.files.mechanisms)
        return Inputs(self.files.framework.sha256, hashes)

    def as_json(self) -> dict[str, Any]:
        rates = [rate.as_json() for rate in self.rates] or None
        answer = self.together.as_json() | {"rate": rates, "inputs": self.files.inputs}
        if self.claimed is not None:
            answer |= self.claimed.as_json() | {"trust": self.claimed.trust}
        return answer | priors_json(self.files.framework.value.normalized)

    def lines(self) -> list[str]:
        """Render it for a terminal, verdicts at claimed levels first."""
        claimed, names = self.claimed, self.names
        return [
            *([] if claimed is None else claimed_lines(claimed.audits, names)),
            *composition_lines(self.together, names),
            *rate_lines(self.rates, names),
            *([] if claimed is None else nfc_lines(claimed.nfc, claimed.breaking, names)),
        ]

    def drawn(self, path: str) -> bytes:
        """Draw the leakage of 1 to `runs` runs of every mechanism."""
        if not self.rates:
            raise ModelError(f"no composition rate to draw: {too_many_games()}", path)
        framework, runs = self.files.framework.value, self.together.runs
        distinct = dict(zip(self.names, self.rates))
        curves = [
            (Path(name).name, rate_curve(framework, rate, runs)) for name, rate in distinct.items()
        ]
        return rendered(rate_plot(curves), path)


def _along_sequences(files: Sequences, runs: int, as_json: bool) -> None:
    """Compose mechanisms on sequences that are too long to list, and print what was found; there
    are no rates.
    """
    framework, paths = files.framework, [each.path for each in files.mechanisms]
    with working("composing"):
        together = compose_exactly(framework.value, [each.value for each in files.mechanisms], runs)
    answer = together.as_json() | {"rate": None, "inputs": files.inputs}
    answer |= priors_json(framework.value.normalized)
    warn(
        [
            *normalized_lines(divided(files, False), *paths),
            *priors_lines(framework.value.normalized, framework.path),
            *never_checked_lines(together.joint),
            "note: no composition rates: databases and outputs are too many to list",
        ]
    )
    lines = composition_lines(together, paths)
    print_answer(answer, [*lines, f"trust     {', '.join(answer['trust'])}"], as_json)


def _with_noise(files: NoisyReleases, runs: int, levels: Sequence[Level], as_json: bool) -> int:
    """Compose queries with noise, print what was found, and return the exit code; there are no
    rates, and `levels` are decided one by one.
    """
    framework, paths = files.framework, [each.path for each in files.mechanisms]
    with working("composing"):
        queries = shared(files.mechanisms)
        together = AccountedComposition.of(framework.value, queries, runs)
        claimed = [audit_or_bounds(framework.value, *each) for each in zip(queries, levels)]
    verdicts = [each.verdict.value for each in claimed if each.verdict is not None]
    answer = together.as_json() | {"rate": None, "inputs": files.inputs}
    answer |= priors_json(framework.value.normalized)
    if claimed:
        said = [{"level": str(level), "verdict": each} for level, each in zip(levels, verdicts)]
        answer |= {"claimed": said, "nfc": None}
    absent = ["rate      none: outputs are not listed"]
    absent += ["nfc       none: outputs are not listed"] if claimed else []
    missing = "no composition rates" + (", and no NfC" if claimed else "")
    note = [f"note: {missing}: outputs are not listed"] if as_json else []
    warn([*priors_lines(framework.value.normalized, framework.path), *together.notes, *note])
    lines = [*_claimed_lines(claimed, paths), *together.lines(paths), *absent]
    print_answer(answer, [*lines, f"trust     {', '.join(answer['trust'])}"], as_json)
    return 1 if "VIOLATES" in verdicts else 3 if "UNDECIDED" in verdicts else 0


def _claimed_lines(claimed: Sequence[Audit], names: Sequence[str]) -> list[str]:
    """Say of every release whether it keeps the level claimed for it, and where a bound says so."""
    lines = []
    for each, name in zip(claimed, names):
        verdict = each.verdict.value if each.verdict is not None else ""
        bounded = isinstance(each.largest, NoiseBounds)
        how = f": leakage {leakage_text(each.leakage)}, by bounds" if bounded else ""
        lines.append(f"{verdict} {each.level}  {name}, released once{how}")
    return lines


def _levels(texts: Sequence[str] | None, mechanisms: Sequence[str]) -> list[Level]:
    if texts and len(texts) != len(mechanisms):
        raise ModelError(
            f"expected once per mechanism, {len(mechanisms)} times, found {len(texts)}", "--epsilon"
        )
    return [parsed_level(text) for text in texts or []]


def _possible(
    mechanisms: Sequence[str],
    levels: Sequence[Level],
    rate_certificate: str | None,
    breaking: str | None,
) -> None:
    if rate_certificate is not None and not levels and len(mechanisms) > 1:
        raise ModelError("expected one mechanism, or --epsilon", "--rate-certificate")
    if breaking is not None and not levels:
        raise ModelError("expected --epsilon as well", "--breaking-certificate")
