"""The command `report`: every example audited and every certificate checked again, on a page; with
`--start`, one page for a folder of reports, from which a reader finds all of them.

That folder has what `report --out` and `prove --out` wrote, each in a folder of its own. The page
says how many of what was found, and links to the audits, the gallery, every paper and, if a table
of benchmarks is given, the table. It has the same bytes for the same reports.
"""

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from pufferproof import __version__
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of
from pufferproof.models.files.reading import document_of, in_file, validated
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.reports.console.options import Home
from pufferproof.reports.console.outputs import WRITTEN
from pufferproof.reports.console.streams import print_lines
from pufferproof.reports.console.telling import warn
from pufferproof.reports.page.sections import rendered
from pufferproof.reports.page.site import FORMAT as AUDITS
from pufferproof.reports.page.site import KeptReport, write_report
from pufferproof.reports.schemas.page import AuditsFound, ProofsFound

PROOFS = "pufferproof-proofs/1"
_METER, _RESPONSE = "smart-meter", "mechanism-response.json"
_COMPARED = "framework-independent.json", "framework.json"
_OURS = '<meta name="generator" content="pufferproof start">'
_READ: dict[str, type[AuditsFound] | type[ProofsFound]] = {AUDITS: AuditsFound, PROOFS: ProofsFound}


def report(
    folder: Annotated[
        str | None,
        typer.Argument(metavar="[FOLDER]", help="examples to audit, the shipped ones if left out"),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="folder for index.html, report.md, report.json (default reports/out/audits)",
        ),
    ] = None,
    coq: Annotated[
        bool, typer.Option("--coq", help="have Coq prove every certificate again, if installed")
    ] = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="audit and check everything again")
    ] = False,
    self_checking: Annotated[
        bool,
        typer.Option(
            "--self-checking",
            help="also write checker.html, which checks the certificates in a browser",
        ),
    ] = False,
    home: Home = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--start", metavar="FOLDER", help="write only the start page of a folder of reports"
        ),
    ] = None,
    benchmarks: Annotated[
        str | None,
        typer.Option(
            "--benchmarks", metavar="FILE", help="with --start: a Markdown table to show as well"
        ),
    ] = None,
) -> None:
    """Audit a folder of examples, check every certificate, and write a page. Unchanged results are
    reused.
    """
    if start is not None:
        audits = (folder, out, home) != (None, None, None) or coq or no_cache or self_checking
        _start(start, benchmarks, audits)
        return
    if benchmarks is not None:
        raise ModelError("goes with --start", "--benchmarks")
    out = out or "reports/out/audits"
    kept = None if no_cache or coq or self_checking else KeptReport(folder, home)
    page, refused = write_report(
        folder, Path(out), coq=coq, home=home, kept=kept, self_checking=self_checking
    )
    WRITTEN.append(out)
    cached = kept is not None and kept.was_kept
    print_lines(f"report: {page.resolve()}{' (cached)' if cached else ''}")
    if kept is not None and kept.warning is not None:
        warn([kept.warning])
    if refused:
        raise CertificateError(f"the kernel refused {refused} certificates, see the report")


def _start(folder: str, benchmarks: str | None, audits: bool) -> None:
    """Write the start page; an option that says what to audit does not go with it."""
    if audits:
        raise ModelError("goes with --benchmarks only", "--start")
    page = write_start(Path(folder), None if benchmarks is None else Path(benchmarks))
    WRITTEN.append(str(page))
    print_lines(f"start: {page.resolve()}")


def write_start(folder: Path, benchmarks: Path | None = None) -> Path:
    """Write the start page of a folder of reports and return it.

    Raises `ModelError` where there is no report in it, one is damaged, the file is no table, or an
    `index.html` is there that is no start page.
    """
    page = folder / "index.html"
    if page.exists() and _OURS not in page.read_text(encoding="utf-8", errors="replace"):
        raise ModelError("exists and is no start page; choose another folder", str(page))
    reports = _reports(folder)
    if not reports:
        raise ModelError(
            f"has no reports; write one with `report --out {folder}/audits`", str(folder)
        )
    context = {
        "version": __version__,
        "audits": [each for each in reports if isinstance(each[1], AuditsFound)],
        "bars": _bars(reports),
        "proofs": [each for each in reports if isinstance(each[1], ProofsFound)],
        "benchmarks": None if benchmarks is None else markdown_table(benchmarks),
    }
    write_atomically(page, rendered("start.html.j2", context))
    return page


def _bars(reports: list[tuple[str, AuditsFound | ProofsFound]]) -> list[Fraction]:
    """Return the factors by which the reports of the smart meter change the odds, for independent
    half-hours and for real homes; none if a report has no such audits.
    """
    factors = {
        audit.files.framework: Fraction(audit.audit.leakage.ratio)
        for _, report in reports
        if isinstance(report, AuditsFound)
        for audit in report.audits
        if audit.example.endswith(_METER) and audit.files.mechanism == _RESPONSE
        if audit.audit.leakage.ratio not in (None, "inf")
    }
    return [factors[name] for name in _COMPARED] if factors.keys() >= {*_COMPARED} else []


def _reports(folder: Path) -> list[tuple[str, AuditsFound | ProofsFound]]:
    """Return what the reports of a folder found, by the names of their folders.

    Raises `ModelError`, naming the file, where it is no JSON, or a report without these parts.
    """
    reports = []
    for path in sorted(folder.glob("*/report.json")):
        with in_file(path):
            report = document_of(path, bytes_of(path, MAX_BYTES))
            form = report.get("format") if isinstance(report, dict) else None
            if isinstance(form, str) and form in _READ:
                reports.append((path.parent.name, validated(_READ[form], report)))
    return reports


def markdown_table(path: Path) -> dict[str, object]:
    """Return the first table of a Markdown file: its header, its rows and the line before it.

    Raises `ModelError` where the file cannot be read or has none.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        raise ModelError("cannot be read as text", str(path)) from None
    first = next((n for n, line in enumerate(lines) if set(line) == {"|", "-"}), 0)
    if not first:
        raise ModelError("expected a table in Markdown", str(path))
    rows = []
    for line in lines[first + 1 :]:
        if not line.startswith("|"):
            break
        rows.append(_cells(line))
    before = [line for line in lines[: first - 1] if line.strip()]
    return {"header": _cells(lines[first - 1]), "rows": rows, "said": before[-1] if before else ""}


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
