"""The command line: `pufferproof audit`, `compose`, `check`, `schema`, `ledger`, `report`.

Exit codes: 0 done, 1 a level is violated or a certificate refused, 2 misuse or bad input (one line
on standard error, nothing on standard output), 3 undecided. Everything heavy is imported by the
command that needs it.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pufferproof import __version__
from pufferproof.models.errors import (
    DIVIDE,
    CertificateError,
    ModelError,
    PufferproofError,
    SumError,
)
from pufferproof.models.files.inputs import reading_once
from pufferproof.reports.composition.collapse import collapse
from pufferproof.reports.composition.compose import compose
from pufferproof.reports.composition.conditions import conditions
from pufferproof.reports.composition.critical import critical
from pufferproof.reports.composition.optimal import optimal
from pufferproof.reports.composition.partner import partner
from pufferproof.reports.composition.reveal import reveal
from pufferproof.reports.composition.worst import worst
from pufferproof.reports.console.options import (
    WRITTEN,
    AsJson,
    CertificateOut,
    Databases,
    FrameworkFile,
    MechanismFile,
    Normalize,
    TrustCode,
    exit_code,
    normalized_lines,
    parsed_level,
    print_answer,
    print_rich,
    priors_json,
    priors_lines,
    seconds_from,
    warn,
    write_outputs,
)
from pufferproof.reports.console.streams import Stream, guarded, open_missing
from pufferproof.reports.correlation.calibrate.command import calibrate
from pufferproof.reports.correlation.influence.command import influence
from pufferproof.reports.correlation.reproduce.command import reproduce
from pufferproof.reports.redaction.command import redact

if TYPE_CHECKING:
    from pufferproof.verify.audit import Audit

_Click: type[Any] = typer.BadParameter.__bases__[0].__bases__[
    0
]  # ClickException, which typer does not export

_INTERRUPTED = 130
_LONGEST_MESSAGE = 600

app = typer.Typer(
    name="pufferproof",
    help="Decide, exactly and with evidence, whether a mechanism keeps a Pufferfish privacy "
    "promise.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _top(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version")] = False,
) -> None:
    if version:
        print(f"pufferproof {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
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
    from pufferproof.models.files.frameworks import read_framework
    from pufferproof.models.files.mechanisms import read_mechanism
    from pufferproof.models.files.noise import read_noisy_releases
    from pufferproof.models.files.reading import hashes
    from pufferproof.models.files.sequences import read_sequences
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
        noisy = read_noisy_releases(framework, [mechanism], normalize)
        long = None if noisy is not None else read_sequences(framework, [mechanism], normalize)
    if noisy is not None:
        refused = [*given, *(["--certificate"] if certificate else [])]
        raise typer.Exit(audit_noise_files(noisy, level, refused, as_json))
    if long is not None:
        raise typer.Exit(audit_sequences(long, level, given, certificate, as_json))
    with working("auditing"):
        space = read_framework(framework, normalize)
        loaded = read_mechanism(mechanism, space.value, normalize, databases, trust_code)
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


app.command()(compose)


@app.command()
def check(
    certificate: Annotated[str, typer.Argument(metavar="CERTIFICATE", help="certificate file")],
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FRAMEWORK MECHANISM...]", help="the files it must speak of, compared exactly"
        ),
    ] = None,
    work: Annotated[
        int | None,
        typer.Option(
            "--work",
            metavar="N",
            min=1,
            help="bit operations it may take, and bytes of files in proportion",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a certificate with the kernel alone: it re-derives the claim and trusts nothing
    that was searched.
    """
    from pufferproof.models.files.inputs import stored
    from pufferproof.verify.kernel import MAX_WORK, longest
    from pufferproof.verify.kernel.__main__ import main as kernel

    work = work or MAX_WORK
    options = ["--work", str(work), *(["--json"] if as_json else [])]
    with stored([certificate, *(inputs or [])], longest(work)) as files:
        paths = [
            f"./{file}" if file.startswith("-") else file for file in files
        ]  # which is no option
        raise typer.Exit(kernel([*options, *paths]))


@app.command()
def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="framework, mechanism, loss, kernels, certificate, or a command with --json",
        ),
    ],
) -> None:
    """Print the JSON Schema of a file format or of a command's --json output."""
    from pufferproof.reports.schemas.objects import json_schema

    print(json.dumps(json_schema(name), indent=2))


@app.command()
def ledger(
    folder: Annotated[
        str | None,
        typer.Argument(metavar="[FOLDER]", help="examples to read, the shipped ones if left out"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List published mechanisms: the epsilon they claim against the exact one."""
    from pufferproof.reports.console.progress import working
    from pufferproof.reports.page.examples import load_examples
    from pufferproof.reports.page.ledger import ledger_entries, ledger_view

    with working("auditing published mechanisms"):
        entries = ledger_entries(load_examples(folder))
    if as_json:
        print(json.dumps({"ledger": [entry.as_json() for entry in entries]}))
    else:
        print_rich(ledger_view(entries))


@app.command()
def prove(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATTERN...]",
            help="ids, prefixes or shell patterns of claims; if left out, those of --claims, or "
            "all",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="write the proof-check report into this folder"),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", metavar="N", min=1, help="claims at a time, one per core if left out"
        ),
    ] = None,
    claims: Annotated[
        list[str] | None,
        typer.Option(
            "--claims", metavar="PATH", help="a file or folder of more claims; this runs its code"
        ),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option(
            "--check",
            help="exit code 1 if a verdict differs from the recorded one, or a claim fails",
        ),
    ] = False,
    write_record: Annotated[
        bool, typer.Option("--record", help="record the verdicts found")
    ] = False,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            callback=seconds_from(0.1),
            help="limit for each call of a solver",
        ),
    ] = 20.0,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="prove again what has not changed")
    ] = False,
    brief: Annotated[
        bool,
        typer.Option("--summary", help="print how many claims have which verdict, not each one"),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Prove, check and refute published claims, and write the proof-check report."""
    from pufferproof.reports.proofs import prove as proving

    chosen = proving.chosen_claims(patterns or [], claims or [])
    if out is not None:
        from pufferproof.reports.console.staging import refuse_foreign, target_of
        from pufferproof.reports.proofs.site import FORMAT

        refuse_foreign(target_of(Path(out)), Path(out), FORMAT)
    results, interrupted = proving.prove(
        chosen,
        extra=claims or [],
        jobs=jobs,
        timeout=timeout,
        use_cache=not no_cache,
        warn=lambda line: warn([line]),
    )
    if out is not None:
        from pufferproof.reports.proofs.site import write_proof_report

        missing = [claim.id for claim in chosen]
        page = write_proof_report(
            results, Path(out), catalogue=proving.catalogue(), partial=interrupted, missing=missing
        )
        WRITTEN.append(out)
        print(f"report: {page.resolve()}", file=sys.stderr if as_json else sys.stdout)
    if interrupted:
        raise typer.Abort
    differing = proving.differences(results) if compare else []
    if write_record:
        proving.record(results)
        WRITTEN.append(str(proving.RECORD))
    lines = proving.tally(results) if brief else proving.lines(results)
    print_answer({"claims": [proving.summary(result) for result in results]}, lines, as_json)
    warn(differing)
    raise typer.Exit(1 if differing else 0)


@app.command()
def report(
    folder: Annotated[
        str | None,
        typer.Argument(metavar="[FOLDER]", help="examples to audit, the shipped ones if left out"),
    ] = None,
    out: Annotated[
        str,
        typer.Option("--out", metavar="DIR", help="folder for index.html, report.md, report.json"),
    ] = "reports/out",
) -> None:
    """Audit every example, re-check every certificate with the kernel as a separate process,
    and write a page.
    """
    from pufferproof.reports.page.site import write_report

    page, refused = write_report(folder, Path(out))
    WRITTEN.append(out)
    print(f"report: {page.resolve()}")
    if refused:
        raise CertificateError(f"the kernel refused {refused} certificates, see the report")


app.command()(reveal)
app.command()(partner)
app.command()(worst)
app.command()(optimal)
app.command()(conditions)
app.command()(collapse)
app.command()(critical)
app.command()(redact)
app.command()(influence)
app.command()(calibrate)
app.command()(reproduce)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: one line on standard error and code 2 for every misuse."""
    open_missing()
    sys.exit(_run(sys.argv[1:] if arguments is None else list(arguments)))


def _run(arguments: list[str]) -> int:
    """Run a command with guarded streams: the exit code is that of the answer, also where its
    text could not be written.
    """
    WRITTEN.clear()
    with guarded() as output:
        code = _outcome(arguments, output)
        output.flush()
        if output.failure is None:
            return code
        written = f"; written: {', '.join(WRITTEN)}" if WRITTEN else ""
        return _fail(f"standard output cannot be written: {output.failure}{written}", code)


def _outcome(arguments: list[str], output: Stream) -> int:
    try:
        with reading_once():
            code = app(arguments, prog_name="pufferproof", standalone_mode=False)
        return (
            _fail("interrupted", _INTERRUPTED)
            if code == _INTERRUPTED
            else code
            if isinstance(code, int)
            else 0
        )
    except SumError as error:
        return _fail(str(_with_options(error, arguments)))
    except PufferproofError as error:
        return _fail(str(error))
    except _Click as error:
        return _fail(error.format_message())
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", _INTERRUPTED)
    except (
        Exception
    ) as error:  # our own bug: never an exit code that says something about a mechanism
        if os.environ.get("PUFFERPROOF_TRACEBACK"):
            raise
        output.drop()
        return _fail(
            f"internal error: {type(error).__name__}: {error} (PUFFERPROOF_TRACEBACK=1 shows where)"
        )


def _with_options(error: SumError, arguments: Sequence[str]) -> SumError:
    """Return the error with the remedies that the command has: an option in place of the
    argument in Python.
    """
    commands: dict[str, Any] = getattr(typer.main.get_command(app), "commands", {})
    command = commands.get(next((name for name in arguments if not name.startswith("-")), ""))
    option = (
        "--normalize"
        if any("--normalize" in each.opts for each in getattr(command, "params", []))
        else None
    )
    chosen = [option if remedy == DIVIDE else remedy for remedy in error.remedies]
    return error.asking(*filter(None, chosen))


def _fail(message: str, code: int = 2) -> int:
    from pufferproof.reports.console.words import one_line

    text = one_line(" ".join(message.split()))
    print(
        f"pufferproof: "
        f"{text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + ' ...'}",
        file=sys.stderr,
    )
    return code


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
