"""The command `audit`: the exact leakage of a mechanism, its witness, and the verdict at a
level.
"""

from typing import Annotated, Any

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import NoisyReleases, read
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.level import Level
from pufferproof.reports.auditing.any_form import Files, audit_files, divided, refuse_options
from pufferproof.reports.auditing.evidence import audit_evidence
from pufferproof.reports.auditing.plots import profile_plot
from pufferproof.reports.auditing.words import audit_lines
from pufferproof.reports.console.drawing import rendered
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    Databases,
    DecidedLevel,
    FrameworkFile,
    MechanismFile,
    Normalize,
    TrustCode,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
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
from pufferproof.reports.schemas import audit as schema
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit import audit as audit_of
from pufferproof.verify.certificates.writing import certified_text
from pufferproof.verify.leakage.table import Row, leakage_table
from pufferproof.verify.noise.bounds import NoiseBounds


def audit(
    framework: FrameworkFile,
    mechanism: MechanismFile,
    epsilon: DecidedLevel = None,
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
        audit = _audited(files, level, bound)
        rows = _rows(audit) if table or csv is not None else []
        answer = _answer(files, audit, normalize, rows if table else None, certificate)
        written: dict[str, bytes] = {}
        if certificate is not None:
            document = audit_evidence(files, audit)
            written[certificate] = certified_text(document).encode()
        if csv is not None:
            written[csv] = table_csv(rows).encode()
        if plot is not None:
            written[plot] = rendered(profile_plot(audit), plot)
        write_outputs(written, csv, plot, certificate, inputs=[framework, mechanism, databases])
    normalized = files.framework.value.normalized
    notes = normalized_lines(divided(files, normalize), mechanism)
    notes += priors_lines(normalized, framework, certificate)
    warn([*notes, *never_checked_lines(audit.scope), *_bounds_lines(audit)])
    print_answer(answer, [*audit_lines(audit), f"trust     {', '.join(answer.trust)}"], as_json)
    if table and not as_json:
        print_rich(table_view(rows))
    raise typer.Exit(exit_code(audit.kept))


def _refuse(files: Files, given: list[str], certificate: str | None) -> None:
    """Raise an error for options that go with listed outputs only; sequences may be certified."""
    noisy = isinstance(files, NoisyReleases) and certificate is not None
    refuse_options(files, [*given, "--certificate"] if noisy else given)


def _audited(files: Files, level: Level | None, bound: Any) -> Audit:
    if bound is None:
        return audit_files(files, level)
    return audit_of(files.framework.value, files.mechanisms[0].value, level, bound)


def _rows(audit: Audit) -> list[Row]:
    return list(leakage_table(audit.framework, audit.channel))


def _answer(
    files: Files, audit: Audit, normalize: bool, rows: list[Row] | None, certificate: str | None
) -> schema.Audit:
    """Return the answer: the audit, what was divided, the table, and the certificate written."""
    inputs = hashes(framework=files.framework, mechanism=files.mechanisms[0])
    known = audit.as_json() | {"inputs": inputs}
    known |= priors_json(files.framework.value.normalized)
    if divided(files, normalize):
        known["normalized"] = True
    if rows is not None:
        known["table"] = [row.as_json() for row in rows]
    if certificate is not None:
        known |= {"trust": ["KERNEL"], "certificate": certificate}
    return schema.Audit.model_validate(known)


def _bounds_lines(audit: Audit) -> list[str]:
    if not isinstance(audit.largest, NoiseBounds):
        return []
    return [f"note: the leakage is not computed exactly: {audit.largest.reason}"]


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
