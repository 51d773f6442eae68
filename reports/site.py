"""The report: every example audited, every certificate re-checked by the kernel as a separate process, on one page.

`write_report` fills a folder beside the target and swaps it in at the end, so that an interrupted run leaves the old report.

    index.html  report.md  report.json      the same content for a browser, a terminal and a program
    certificates/  inputs/  tables/         what it rests on, and every number behind it
    kernel.py                               the checker: python3 kernel.py certificates/X.json inputs/...
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pufferproof import __version__
from pufferproof.models.errors import ModelError, PufferproofError
from pufferproof.models.files import write_atomically
from pufferproof.reports.evidence import AuditRun, ComposeRun, kernel_file, run_audit, run_compose
from pufferproof.reports.examples import Example, load_examples
from pufferproof.reports.ledger import LedgerEntry, ledger_entry
from pufferproof.reports.progress import working
from pufferproof.reports.sections import page_context, rendered, summary

FORMAT = "pufferproof-report/1"


def write_report(folder: str | None, out: Path) -> tuple[Path, int]:
    """Audit every example of a folder (None: the shipped ones) and write the report into `out`.

    Returns: the page, and how many certificates the kernel refused.

    Raises `ModelError`, naming the example, where a file is malformed, and unless `out` is new, empty, or a report of ours.
    """
    examples = load_examples(folder)
    target = out.resolve()
    _refuse_foreign(target, out)
    with _swapped_in(target, out) as staging:
        for name in ("certificates", "inputs", "tables"):
            (staging / name).mkdir()
        shutil.copyfile(kernel_file(), staging / "kernel.py")
        audits, composes = _run(examples, staging)
        ledger = [ledger_entry(run.example, run.case, run.found) for run in audits if run.case.claimed is not None]
        with working("drawing"):
            context = page_context(examples, audits, composes, ledger, __version__)
        write_atomically(staging / "index.html", rendered("index.html.j2", context))
        write_atomically(staging / "report.md", rendered("report.md.j2", context))
        files = sorted(path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file())
        answer = report_json(examples, audits, composes, ledger) | {"files": files}
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


@contextmanager
def _swapped_in(target: Path, named: Path) -> Iterator[Path]:
    """Give the body an empty folder beside `target` to fill, and put it in the place of `target` when the body is done."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".partial"))
    except OSError as error:
        raise ModelError(f"cannot be written: {error.strerror}", str(named)) from None
    try:
        yield staging
        mask = os.umask(0)
        os.umask(mask)
        staging.chmod(0o777 & ~mask)
        _refuse_foreign(target, named)  # again: it may have changed meanwhile
        _replace(staging, target)
    except OSError as error:
        raise ModelError(f"cannot be written: {error.strerror}", str(named)) from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _replace(staging: Path, target: Path) -> None:
    """Rename `staging` to `target`; what was there is removed once the new folder is in place, put back if it cannot be."""
    if not target.exists():
        staging.rename(target)
        return
    old = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".old")) / "report"
    try:
        target.rename(old)
        try:
            staging.rename(target)
        except BaseException:
            with suppress(OSError):
                old.rename(target)
            raise
    finally:
        if target.exists():
            shutil.rmtree(old.parent, ignore_errors=True)


def _refuse_foreign(target: Path, named: Path) -> None:
    """Raise `ModelError` unless a folder is new, empty, or holds nothing but a report of ours."""
    if Path.cwd().is_relative_to(target):
        raise ModelError("expected a folder for the report alone, found the current one or one above it", str(named))
    if not target.exists():
        return
    if not target.is_dir():
        raise ModelError("expected a folder, found a file", str(named))
    there = {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir()}
    foreign = sorted(there - _files_of_report(target))
    if foreign:
        raise ModelError(f'expected a new folder or an earlier report, found "{foreign[0]}" in it', str(named))


def _files_of_report(target: Path) -> set[str]:
    """Return what an earlier report says it wrote; nothing if there is none."""
    try:
        answer = json.loads((target / "report.json").read_text(encoding="utf-8"))
        return {*answer["files"], "report.json"} if answer["format"] == FORMAT else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()
