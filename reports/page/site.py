"""The report: every example audited, every certificate re-checked by the kernel as a separate
process, on one page.

`write_report` fills a folder beside the target and swaps it in at the end, so that an interrupted
run leaves the old report. With `kept` the files are taken from the cache of results
(`models/interface/sweeps/portions.py`) while nothing has changed that any of them could depend on.

    index.html  report.md  report.json      the same content for a browser, a terminal and a program
    gallery.html  gallery/                  minimal counterexamples, with the shipped examples only
    certificates/  inputs/  tables/         what it rests on, and every number behind it
    kernel/                                 the checker:
                                            python3 kernel certificates/X.json inputs/...
"""

import base64
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from pufferproof import __version__
from pufferproof.models.errors import PufferproofError
from pufferproof.models.files.reading import reading_once
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.sweeps.portions import Unchanged, line_of
from pufferproof.models.interface.sweeps.units import HOME
from pufferproof.reports.auditing.reproving import answered_by_coq, reproving
from pufferproof.reports.console.labels import rendered
from pufferproof.reports.console.staging import files_in, replacing
from pufferproof.reports.console.streams import working
from pufferproof.reports.explaining.checker import checker_page
from pufferproof.reports.page.evidence import copy_kernel, kernel_at_hand
from pufferproof.reports.page.examples import Example, example_files, load_examples
from pufferproof.reports.page.gallery import ENTRIES, run_gallery
from pufferproof.reports.page.ledger import LedgerEntry, ledger_entry
from pufferproof.reports.page.runs import Known, frameworks_of, run_audit, run_compose, run_worst
from pufferproof.reports.page.sections import Runs, page_context, summary

FORMAT = "pufferproof-report/1"
CHECKER = "checker.html"
_SETTINGS = ((), ("matplotlibrc",), ("matplotlib", "matplotlibrc"))


def write_report(
    folder: str | None,
    out: Path,
    with_gallery: bool | None = None,
    coq: bool = False,
    home: str | None = None,
    kept: "KeptReport | None" = None,
    self_checking: bool = False,
) -> tuple[Path, int]:
    """Audit every example of a folder (None: the shipped ones) and write the report into `out`.

    `with_gallery` adds the gallery of counterexamples, None: if the examples are the shipped ones.
    `coq` has Coq prove every certificate again. `home` is the address of a start page, for a link.
    `kept` is what was written before, for the same arguments; nothing is kept of what Coq says.
    `self_checking` adds a page that checks the certificates in a browser.

    Returns: the page, and how many certificates the kernel refused.

    Raises `ModelError`, naming the example, where a file is malformed, and unless `out` is new,
    empty, or a report of ours.
    """
    page, kept = out / "index.html", None if coq else kept
    with reading_once(), reproving(coq):
        examples = load_examples(folder)
        with replacing(out, FORMAT) as staging:
            if kept is not None and kept.put_into(staging):
                return page, 0
            for name in ("certificates", "inputs", "tables"):
                (staging / name).mkdir()
            copy_kernel(staging)
            with kernel_at_hand():
                gallery = folder is None if with_gallery is None else with_gallery
                runs = _run(examples, staging, gallery)
            answered_by_coq()
            ledger = [
                ledger_entry(run.example, run.case, run.audit) for run in runs.audits if run.case.claimed is not None
            ]
            with working("drawing"):
                if self_checking:
                    # the certificates of a report by their places in it
                    certificates = {
                        path.relative_to(staging).as_posix(): path.read_text(encoding="utf-8")
                        for path in sorted((staging / "certificates").rglob("*.json"))
                    }
                    write_atomically(staging / CHECKER, checker_page(certificates))
                context = page_context(examples, runs, ledger, __version__) | {"home": home}
                context["checker"] = (staging / CHECKER).exists()
                write_atomically(staging / "index.html", rendered("index.html.j2", context))
                write_atomically(staging / "report.md", rendered("report.md.j2", context))
                if runs.gallery:
                    write_atomically(staging / "gallery.html", rendered("gallery.html.j2", context))
            answer = report_json(examples, runs, ledger) | {"files": files_in(staging)}
            write_atomically(staging / "report.json", json.dumps(answer, ensure_ascii=False, indent=1) + "\n")
            refused = summary(runs)["refused"]
            if kept is not None and not refused:
                kept.take_from(staging)
    return page, refused


class KeptReport(Unchanged):
    """The files of a report, by what they depend on: the examples with every file of theirs, the
    settings of plots, and what `Unchanged` names; to be made before any of it is read.

    `was_kept` says whether the report was there. One in which a certificate was refused, or a
    worst case took longer than it may, is not kept.
    """

    def __init__(self, folder: str | None, home: str | None = None) -> None:
        self.was_kept = False
        asked = [folder, os.path.realpath(folder or HOME), home, FORMAT]
        super().__init__("report", json.dumps(asked), more=lambda: _examples_and_plots(folder))

    def put_into(self, staging: Path) -> bool:
        """Write the files into a folder, and say whether there are any."""
        entry = self.kept()
        for name, data in ({} if entry is None else entry["files"]).items():
            (staging / name).parent.mkdir(parents=True, exist_ok=True)
            (staging / name).write_bytes(zlib.decompress(base64.b64decode(data)))
        self.was_kept = entry is not None
        return self.was_kept

    def take_from(self, staging: Path) -> None:
        """Keep the files of a folder."""
        packed = {name: zlib.compress((staging / name).read_bytes()) for name in files_in(staging)}
        self.keep({"files": {name: base64.b64encode(each).decode() for name, each in packed.items()}})


def _examples_and_plots(folder: str | None) -> Iterator[str]:
    """Yield a line for every file in a folder of an example, links followed, hidden ones too, and
    for every file that may hold settings of matplotlib.
    """
    root = HOME / "examples" if folder is None else Path(folder)
    for path in example_files(root):
        for place, folders, names in os.walk(path.parent, followlinks=True):
            folders.sort()
            yield from (line_of(Path(place, name)) for name in sorted(names))
    places = ["", *(os.environ.get(name, "") for name in ("MATPLOTLIBRC", "MPLCONFIGDIR"))]
    places += [os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")]
    for each in places:
        yield from (line_of(Path(each, *inside)) for inside in _SETTINGS)


def report_json(examples: Sequence[Example], runs: Runs, ledger: Sequence[LedgerEntry]) -> dict[str, object]:
    """Return the report object: every `audit --json` and `compose --json` object with its files,
    evidence and meaning, rates with their curves, worst cases by framework, and the gallery's
    certificates.
    """
    return {
        "format": FORMAT,
        "version": __version__,
        "summary": summary(runs),
        "examples": [{"name": example.name, "title": example.title} for example in examples],
        "audits": [run.as_json() for run in runs.audits],
        "composes": [run.as_json() for run in runs.composes],
        "worst": [run.as_json() for run in runs.worsts],
        "gallery": [run.as_json() for run in runs.gallery],
        "ledger": [entry.as_json() for entry in ledger],
    }


def _run(examples: Sequence[Example], staging: Path, with_gallery: bool) -> Runs:
    runs, known = Runs([], [], [], []), Known()
    steps = sum(len(each.audits) + len(each.composes) + len(frameworks_of(each)) for each in examples)
    with _progress(steps + with_gallery * ENTRIES) as advance:
        for example in examples:
            try:
                for number in range(len(example.audits)):
                    runs.audits.append(run_audit(example, number, staging))
                    advance(f"auditing {example.name}")
                for number in range(len(example.composes)):
                    runs.composes.append(run_compose(example, number, staging, known))
                    advance(f"composing {example.name}")
                for number in range(len(frameworks_of(example))):
                    runs.worsts.append(run_worst(example, number, runs.audits, runs.composes, staging))
                    advance(f"worst cases of {example.name}")
            except PufferproofError as error:
                raise error.within(f'example "{example.name}"') from None
        if with_gallery:
            runs.gallery.extend(run_gallery(staging, advance))
    return runs


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar on standard error while the body runs, on a terminal only; gone when done."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("auditing", total=total)
        yield lambda text: bar.update(task, advance=1, description=escape(text))
