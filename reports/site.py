"""The report: every example audited, every certificate re-checked by the kernel as a separate process, on one page.

`write_report` fills a folder beside the target and swaps it in at the end, so that an interrupted run leaves the old report.

    index.html  report.md  report.json      the same content for a browser, a terminal and a program
    certificates/  inputs/  tables/         what it rests on, and every number behind it
    kernel.py                               the checker: python3 kernel.py certificates/X.json inputs/...
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pufferproof import __version__
from pufferproof.models.errors import PufferproofError
from pufferproof.models.files import write_atomically
from pufferproof.reports.evidence import AuditRun, ComposeRun, kernel_file, run_audit, run_compose
from pufferproof.reports.examples import Example, load_examples
from pufferproof.reports.ledger import LedgerEntry, ledger_entry
from pufferproof.reports.progress import working
from pufferproof.reports.sections import page_context, rendered, summary
from pufferproof.reports.staging import files_in, replacing

FORMAT = "pufferproof-report/1"


def write_report(folder: str | None, out: Path) -> tuple[Path, int]:
    """Audit every example of a folder (None: the shipped ones) and write the report into `out`.

    Returns: the page, and how many certificates the kernel refused.

    Raises `ModelError`, naming the example, where a file is malformed, and unless `out` is new, empty, or a report of ours.
    """
    examples = load_examples(folder)
    with replacing(out, FORMAT) as staging:
        for name in ("certificates", "inputs", "tables"):
            (staging / name).mkdir()
        shutil.copyfile(kernel_file(), staging / "kernel.py")
        audits, composes = _run(examples, staging)
        ledger = [ledger_entry(run.example, run.case, run.found) for run in audits if run.case.claimed is not None]
        with working("drawing"):
            context = page_context(examples, audits, composes, ledger, __version__)
        write_atomically(staging / "index.html", rendered("index.html.j2", context))
        write_atomically(staging / "report.md", rendered("report.md.j2", context))
        answer = report_json(examples, audits, composes, ledger) | {"files": files_in(staging)}
        write_atomically(staging / "report.json", json.dumps(answer, ensure_ascii=False, indent=1) + "\n")
    return out / "index.html", summary(audits, composes)["refused"]


def report_json(
    examples: Sequence[Example],
    audits: Sequence[AuditRun],
    composes: Sequence[ComposeRun],
    ledger: Sequence[LedgerEntry],
) -> dict[str, Any]:
    """Return the report object: every `audit --json` and `compose --json` object with its files, evidence and meaning."""
    return {
        "format": FORMAT,
        "version": __version__,
        "summary": summary(audits, composes),
        "examples": [{"name": example.name, "title": example.title} for example in examples],
        "audits": [
            {
                "example": run.example.name,
                "title": run.example.title,
                "shows": run.case.shows,
                "files": {"framework": run.case.framework, "mechanism": run.case.mechanism},
                "epsilon": run.case.epsilon,
                "audit": run.answer,
                "table": run.table,
                **run.evidence.as_json(),
            }
            for run in audits
        ],
        "composes": [
            {
                "example": run.example.name,
                "title": run.example.title,
                "shows": run.case.shows,
                "files": {"framework": run.case.framework, "mechanisms": run.case.mechanisms},
                "compose": run.answer,
                **run.evidence.as_json(),
            }
            for run in composes
        ],
        "ledger": [entry.as_json() for entry in ledger],
    }


def _run(examples: Sequence[Example], staging: Path) -> tuple[list[AuditRun], list[ComposeRun]]:
    audits: list[AuditRun] = []
    composes: list[ComposeRun] = []
    with _progress(sum(len(example.audits) + len(example.composes) for example in examples)) as advance:
        for example in examples:
            try:
                for number in range(len(example.audits)):
                    audits.append(run_audit(example, number, staging))
                    advance(example.name)
                for number in range(len(example.composes)):
                    composes.append(run_compose(example, number, staging))
                    advance(example.name)
            except PufferproofError as error:
                raise error.within(f'example "{example.name}"') from None
    return audits, composes


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar on standard error while the body runs, on a terminal only; gone when done."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("auditing", total=total)
        yield lambda name: bar.update(task, advance=1, description=f"auditing {escape(name)}")
