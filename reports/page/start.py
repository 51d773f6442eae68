"""The start page of a folder of reports, from which a reader finds all of them.

That folder has what `report --out` and `prove --out` wrote, each in a folder of its own. The page
says how many of what was found, and links to the audits, the gallery, every paper and, if a table
of benchmarks is given, the table. It has the same bytes for the same reports.

While claims are checked it shows what is recorded of them, as recorded, and how far the check was
at a time that it names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from pufferproof import __version__
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.reading import MAX_BYTES, beginning, bytes_of, document_of, in_file, validated
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.reports.console.labels import rendered
from pufferproof.reports.console.options import Benchmarks, Home
from pufferproof.reports.console.outputs import WRITTEN
from pufferproof.reports.console.streams import print_lines
from pufferproof.reports.console.telling import warn
from pufferproof.reports.page.site import FORMAT as AUDITS
from pufferproof.reports.page.site import KeptReport, write_report
from pufferproof.reports.schemas.page import AuditsFound, ProofsFound

PROOFS = "pufferproof-proofs/1"
_METER, _RESPONSE = "smart-meter", "mechanism-response.json"
_COMPARED = "framework-independent.json", "framework.json"
LONGEST = 10_000_000
"""Bytes of a table of benchmarks, and of a start page."""
_OURS = '<meta name="generator" content="pufferproof start">'
_WORDS = {"DEPENDS": ("depends on the reading", "depend on the reading"), "DEFINITION": ("definition", "definitions")}
_READ: dict[str, type[AuditsFound] | type[ProofsFound]] = {AUDITS: AuditsFound, PROOFS: ProofsFound}


@dataclass(frozen=True)
class RecordedPaper:
    """What is recorded of a paper: how many claims have a verdict, and how many are refuted."""

    title: str
    citation: str
    claims: int
    refuted: int


@dataclass(frozen=True)
class Checking:
    """How far a check of claims was at a time: `checked` of `total` (None before claims are
    loaded), `others` with another verdict than recorded. `recorded` counts the verdicts that are
    recorded, and `folder` is the one in which the report will be.
    """

    when: str
    checked: int
    total: int | None
    others: Sequence[str]
    recorded: Mapping[str, int]
    papers: Sequence[RecordedPaper]
    folder: str


@dataclass(frozen=True)
class StartPage:
    """The reports of a folder and a table of benchmarks, read once, to write the page from."""

    page: Path
    reports: list[tuple[str, AuditsFound | ProofsFound]]
    benchmarks: dict[str, object] | None

    @classmethod
    def of(cls, folder: str | Path, benchmarks: str | Path | None = None) -> "StartPage":
        """Read the reports of a folder. Raises `ModelError` if one is damaged, the file is no
        table, or an `index.html` is there that is not a start page.
        """
        page = Path(folder) / "index.html"
        if page.exists():
            with page.open("rb") as file:  # as much of a page as a start page has
                begun = beginning(file, LONGEST)
            if _OURS.encode() not in begun:
                raise ModelError("exists and is not a start page; choose another folder", str(page))
        table = None if benchmarks is None else markdown_table(Path(benchmarks))
        return cls(page, _reports(Path(folder)), table)

    def write(self, checking: Checking | None = None) -> Path:
        """Write the page whole and return its path; while claims are checked, without the report
        of an earlier check. Raises `ModelError` if there is nothing to show.
        """
        if not self.reports and checking is None:
            folder = self.page.parent
            raise ModelError(f"has no reports; write one with `report --out {folder}/audits`", str(folder))
        proofs = [each for each in self.reports if isinstance(each[1], ProofsFound)]
        earlier = checking is not None and checking.folder in (name for name, _ in proofs)
        context = {
            "version": __version__,
            "audits": [each for each in self.reports if isinstance(each[1], AuditsFound)],
            "bars": _bars(self.reports),
            "proofs": [each for each in proofs if checking is None or each[0] != checking.folder],
            "checking": checking,
            "earlier": earlier,
            "said": _said,
            "benchmarks": self.benchmarks,
        }
        write_atomically(self.page, rendered("start.html.j2", context))
        return self.page


def _said(verdict: str, count: int) -> str:
    """Say how many claims have a verdict."""
    one, more = _WORDS.get(verdict, (verdict.lower(), verdict.lower()))
    return f"{count} {one if count == 1 else more}"


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
        with in_file(path):
            lines = bytes_of(path, LONGEST).decode("utf-8").splitlines()
    except ValueError:
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


# The command `report`: every example audited and every certificate checked again, on a page; with `--start`, one page
# for a folder of reports (`start.py`).


def report(
    folder: Annotated[
        str | None, typer.Argument(metavar="[FOLDER]", help="folder of examples to audit [default: the shipped ones]")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="folder for index.html, report.md and report.json [default: reports/out/audits]",
        ),
    ] = None,
    coq: Annotated[
        bool, typer.Option("--coq", help="let Coq prove every certificate again, if it is installed")
    ] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="audit and check everything again")] = False,
    self_checking: Annotated[
        bool,
        typer.Option("--self-checking", help="also write checker.html, which checks the certificates in a browser"),
    ] = False,
    home: Home = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="FOLDER", help="folder of reports of which only the start page is written"),
    ] = None,
    benchmarks: Benchmarks = None,
) -> None:
    """Audit a folder of examples, check every certificate, and write a page. Unchanged results are
    reused.
    """
    if start is not None:
        audits = (folder, out, home) != (None, None, None) or coq or no_cache or self_checking
        _start(start, benchmarks, audits)
        return
    if benchmarks is not None:
        raise ModelError("needs --start", "--benchmarks")
    out = out or "reports/out/audits"
    kept = None if no_cache or coq or self_checking else KeptReport(folder, home)
    page, refused = write_report(folder, Path(out), coq=coq, home=home, kept=kept, self_checking=self_checking)
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
        raise ModelError("needs --benchmarks", "--start")
    page = StartPage.of(folder, benchmarks).write()
    WRITTEN.append(str(page))
    print_lines(f"start: {page.resolve()}")
