"""The command `audit`: the exact leakage of a mechanism, its witness, and the verdict at a level."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pufferproof.models.errors import ModelError
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
from pufferproof.reports.console.telling import (
    exit_code,
    normalized_lines,
    print_answer,
    print_rich,
    priors_json,
    priors_lines,
    warn,
)

if TYPE_CHECKING:
    from pufferproof.verify.audit import Audit


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
    from pufferproof.models.files.question import NoisyReleases, Sequences, read
    from pufferproof.models.files.reading import hashes
    from pufferproof.reports.auditing.noise import audit_noise_files
    from pufferproof.reports.auditing.sequences import audit_sequences, certified_short
    from pufferproof.reports.console import words as text
    from pufferproof.reports.console.progress import working
    from pufferproof.verify import audit as verify
    from pufferproof.verify.leakage.table import leakage_table

    listing = {
        "--databases": databases,
        "--delta": delta,
        "--table": table,
        "--csv": csv,
        "--plot": plot,
    }
    given = [name for name, value in listing.items() if value]
    with working("auditing"):
        question = read(framework, [mechanism], normalize, databases, trust_code)
    if isinstance(question, NoisyReleases):
        refused = [*given, *(["--certificate"] if certificate else [])]
        raise typer.Exit(audit_noise_files(question, level, refused, as_json))
    if isinstance(question, Sequences):
        raise typer.Exit(audit_sequences(question, level, given, certificate, as_json))
    with working("auditing"):
        space, (loaded,) = question.framework, question.mechanisms
        found = verify.audit(space.value, loaded.value, level, bound)
        answer = found.as_json() | {"inputs": hashes(framework=space, mechanism=loaded)}
        answer |= priors_json(space.value.normalized) | ({"normalized": True} if normalize else {})
        rows = list(leakage_table(space.value, loaded.value)) if table or csv is not None else []
        if table:
            answer["table"] = [row.as_json() for row in rows]
        written: dict[str, bytes] = {}
        if certificate is not None:
            short = None if delta else certified_short(framework, mechanism, level, normalize)
            written[certificate] = short or _certified_audit(found, space.sha256, loaded.sha256)
            answer |= {"trust": ["KERNEL"], "certificate": certificate}
        if csv is not None:
            written[csv] = text.table_csv(rows).encode()
        if plot is not None:
            from pufferproof.reports.console.plots import profile_plot, rendered

            written[plot] = rendered(profile_plot(found), plot)
        write_outputs(written, csv, plot, certificate, inputs=[framework, mechanism, databases])
    divided = [
        *normalized_lines(normalize, mechanism),
        *priors_lines(space.value.normalized, framework, certificate),
    ]
    warn([*divided, *text.never_checked_lines(found)])
    lines = [*text.audit_lines(found), f"trust     {', '.join(answer['trust'])}"]
    print_answer(answer, lines, as_json)
    if table and not as_json:
        print_rich(text.table_view(rows))
    raise typer.Exit(exit_code(found.verdict))


def _delta(text: str | None, epsilon: str | None) -> Any:
    from pufferproof.models.numbers.grammar import parse_number

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


def _certified_audit(found: "Audit", framework: str, mechanism: str) -> bytes:
    from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text

    return certified_text(audit_certificate(found, Inputs(framework, (mechanism,)))).encode()
