"""The command `audit`: the exact leakage of a mechanism, its witness, and the verdict at a level."""

from typing import Annotated, Any

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import NoisyReleases, read
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.level import Level
from pufferproof.reports.auditing.any_form import Files, audit_files, divided, refuse_options
from pufferproof.reports.auditing.evidence import audit_evidence
from pufferproof.reports.auditing.words import audit_lines
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    Databases,
    FrameworkFile,
    MechanismFile,
    Normalize,
    TrustCode,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.plots import profile_plot, rendered
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    exit_code,
    normalized_lines,
    print_answer,
    print_rich,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import never_checked_lines, table_csv, table_view
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit import audit as audit_of
from pufferproof.verify.certificates.writing import certified_text
from pufferproof.verify.leakage.table import Row, leakage_table
from pufferproof.verify.noise.bounds import NoiseBounds


def audit(
    framework: FrameworkFile,
    mechanism: MechanismFile,
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon", metavar="LEVEL", help="decide this level: log(N), log(N/M) or nats"
        ),
    ] = None,
    delta: Annotated[
        str | None,
        typer.Option("--delta", metavar="P", help="with --epsilon: decide (epsilon, delta)"),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="show the leakage of every prior, pair and output")
    ] = False,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="write that table as CSV")
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot", metavar="FILE", help="draw the privacy profile delta(epsilon), .svg or .png"
        ),
    ] = None,
    certificate: CertificateOut = None,
    normalize: Normalize = False,
    databases: Databases = None,
    trust_code: TrustCode = False,
    as_json: AsJson = False,
) -> None:
    """Compute the exact leakage of a mechanism, its witness, and the verdict at a level; bounds
    of large noisy queries.
    """
    level, bound = parsed_level(epsilon), _delta(delta, epsilon)
    listing = {
        "--databases": databases,
        "--delta": delta,
        "--table": table,
        "--csv": csv,
        "--plot": plot,
    }
    given = [name for name, value in listing.items() if value]
    with working("auditing"):
        files = read(framework, [mechanism], normalize, databases, trust_code)
        _refuse(files, given, certificate)
        outcome = _audited(files, level, bound)
        rows = _rows(outcome) if table or csv is not None else []
        answer = _answer(files, outcome, normalize)
        if table:
            answer["table"] = [row.as_json() for row in rows]
        written: dict[str, bytes] = {}
        if certificate is not None:
            document = audit_evidence(files, outcome, normalize)
            written[certificate] = certified_text(document).encode()
            answer |= {"trust": ["KERNEL"], "certificate": certificate}
        if csv is not None:
            written[csv] = table_csv(rows).encode()
        if plot is not None:
            written[plot] = rendered(profile_plot(outcome), plot)
        write_outputs(written, csv, plot, certificate, inputs=[framework, mechanism, databases])
    warn(
        [
            *normalized_lines(divided(files, normalize), mechanism),
            *priors_lines(files.framework.value.normalized, framework, certificate),
            *never_checked_lines(outcome),
            *_bounds_lines(outcome),
        ]
    )
    print_answer(
        answer, [*audit_lines(outcome), f"trust     {', '.join(answer['trust'])}"], as_json
    )
    if table and not as_json:
        print_rich(table_view(rows))
    raise typer.Exit(exit_code(outcome.verdict))


def _refuse(files: Files, given: list[str], certificate: str | None) -> None:
    """Raise an error for options that go with listed outputs only; sequences may be certified."""
    noisy = isinstance(files, NoisyReleases) and certificate is not None
    refuse_options(files, [*given, "--certificate"] if noisy else given)


def _audited(files: Files, level: Level | None, bound: Any) -> Audit:
    if bound is None:
        return audit_files(files, level)
    return audit_of(files.framework.value, files.mechanisms[0].value, level, bound)


def _rows(outcome: Audit) -> list[Row]:
    return list(leakage_table(outcome.listed, outcome.channel))


def _answer(files: Files, outcome: Audit, normalize: bool) -> dict[str, Any]:
    """Return the answer without what was asked for beside the audit."""
    inputs = hashes(framework=files.framework, mechanism=files.mechanisms[0])
    answer = outcome.as_json() | {"inputs": inputs}
    answer |= priors_json(files.framework.value.normalized)
    return answer | ({"normalized": True} if divided(files, normalize) else {})


def _bounds_lines(outcome: Audit) -> list[str]:
    if not isinstance(outcome.largest, NoiseBounds):
        return []
    return [f"note: the leakage is not computed exactly: {outcome.largest.reason}"]


def _delta(text: str | None, epsilon: str | None) -> Any:
    if text is None:
        return None
    if epsilon is None:
        raise ModelError("expected --epsilon as well", "--delta")
    try:
        value = parse_number(text)
    except ModelError as error:
        raise error.within("--delta") from None
    if not 0 <= value <= 1:
        raise ModelError(f"expected a probability from 0 to 1, found {text}", "--delta")
    return value
