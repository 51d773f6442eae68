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
import hashlib
import json
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from itertools import chain
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from pufferproof import __version__
from pufferproof.counterexamples.gallery.build import inequalities
from pufferproof.counterexamples.gallery.entries import FINDS, Entry, all_entries
from pufferproof.models.errors import PufferproofError
from pufferproof.models.files.reading import reading_once
from pufferproof.models.framework import Framework
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.sweeps.portions import Unchanged, line_of
from pufferproof.models.interface.sweeps.units import HOME
from pufferproof.models.numbers.text import JsonObject, at_most, brief, brief_chance, capital, full_stop
from pufferproof.reports.auditing.plots.listed import audit_pictures
from pufferproof.reports.auditing.reproving import answered_by_coq, reproving
from pufferproof.reports.auditing.words import count_text, output_text, shared_sentences, word_text
from pufferproof.reports.composition.any_form import AnyComposition, released
from pufferproof.reports.console.labels import label_text, own_script, rendered
from pufferproof.reports.console.staging import files_in, replacing
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.words import (
    TABLE_HEADER,
    counted,
    leakage_text,
    never_checked,
    prior_text,
    row_cells,
    three_nats,
    times_text,
    trust_text,
)
from pufferproof.reports.explaining.checker import checker_page
from pufferproof.reports.page.beyond import (
    WorstRun,
    composition_pictures,
    frameworks_of,
    rate_rows,
    rates_pictures,
    revealed_sentences,
    run_worst,
    worst_section,
)
from pufferproof.reports.page.evidence import PageEvidence, checked, copy_kernel, kernel_at_hand
from pufferproof.reports.page.examples import Example, example_files, load_examples
from pufferproof.reports.page.ledger import LedgerEntry, ledger_entry
from pufferproof.reports.page.runs import MAX_TABLE_ROWS, AuditRun, ComposeRun, Known, run_audit, run_compose
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.ratio import EnclosedRatio, LargestRatio, Leakage, probabilities
from pufferproof.verify.noise.normal.lines import GaussianLeakage
from pufferproof.verify.noise.ratio.bounds import NoiseBounds
from pufferproof.verify.noise.ratio.listed import NoiseLeakage
from pufferproof.verify.sequences.leakage import LocalLeakage
from pufferproof.verify.sequences.words import WordRatio

# What the report's page says in sentences: where a leakage is reached, what an adversary learns there, and how much
# was compared.
#
# The sentences are the same for everything that is audited, alone or as a joint release. Listed outputs come with both
# probabilities, and sequences that are too long to list with their ratio; of queries with noise it is said under which
# secret the output is likelier.

_LARGEST = 10**9  # of a factor that is written out
_NOTHING = "No output distinguishes the secrets."


def witness_sentences(audit: Audit, event: str = "") -> list[str]:
    """Say where the leakage is reached, and what an adversary learns there.

    `event` says what is seen where that is not the output of one release.
    """
    seen = event or _event(audit.largest, audit)
    return _learnt(audit.largest, audit, f"Under the {prior_text(audit.witness.prior)}, {seen}")


def joint_sentences(together: AnyComposition) -> list[str]:
    """Say where the leakage of a joint release is reached, or what bounds it."""
    releases = released(together)
    # Say what is seen of all releases; sequences have the symbols of all of them side by side
    if isinstance(releases.joint.largest, LocalLeakage | WordRatio):
        joint_event = ""
    elif releases.joint.is_listed:
        shown = " and ".join(f'"{output}"' for output in releases.outputs)
        joint_event = f"seeing {shown} together"
    else:
        shown = " and ".join(f"({output})" if "," in output else output for output in releases.outputs)
        infinite = releases.joint.leakage.infinite
        joint_event = f"as outputs go to {shown}" if infinite else f"seeing {shown} together"
    return [*witness_sentences(releases.joint, joint_event), *shared_sentences(releases.shared)]


def joint_phrase(together: AnyComposition) -> str:
    """Say the leakage of a joint release in one phrase."""
    return leakage_text(released(together).joint.leakage)


def odds_phrase(leakage: Leakage) -> str:
    """Say what odds are multiplied by at most, and how many nats that is, with three digits."""
    if leakage.infinite or leakage.ratio is None or leakage.ratio > _LARGEST:
        return three_nats(leakage)
    if leakage.ratio == 1:
        return f"1 ({leakage_text(leakage)})"
    return f"{at_most(leakage.ratio)} ({three_nats(leakage)})"


def scope_sentences(audit: Audit) -> list[str]:
    """Say how much was compared, over how many priors, and what was left out."""
    framework = audit.framework
    divided = [f'The rows of prior "{name}" were divided by their sums.' for name in framework.normalized]
    scope = audit.scope
    combinations = counted(scope.excluded, "combination")
    were = "was" if scope.excluded == 1 else "were"
    why = "because a secret has probability 0 there"
    said = f"{combinations} of prior and pair {were} left out {why}."
    left_out = [*([said] if scope.excluded else []), *(capital(full_stop(said)) for said in never_checked(scope))]
    return [_compared(audit.largest, audit), *left_out, *divided]


def joint_scope(together: AnyComposition) -> list[str]:
    """Say the same of a joint release."""
    return scope_sentences(released(together).joint)


@singledispatch
def _event(largest: LargestRatio, audit: Audit) -> str:
    """Say what is seen at the witness: an output, or where outputs go."""
    return f'output "{audit.witness.output}"'


@_event.register
def _event_of_local_leakage(largest: LocalLeakage, audit: Audit) -> str:
    return output_text(audit)


@_event.register
def _event_of_word_ratio(largest: WordRatio, audit: Audit) -> str:
    where = f"{largest.where}, " if largest.where else ""
    return f"{where}{word_text(largest, audit)}"


@_event.register(NoiseLeakage)
@_event.register(GaussianLeakage)
@_event.register(NoiseBounds)
@_event.register(EnclosedRatio)
def _event_of_largest_ratio(largest: LargestRatio, audit: Audit) -> str:
    goes = "as outputs go to" if audit.leakage.infinite else "output"
    return f"{goes} {label_text(audit.witness.output)}"


@singledispatch
def _learnt(largest: LargestRatio, audit: Audit, where: str) -> list[str]:
    """Say what a listed output tells, with both exact probabilities and the odds."""
    return _told(audit, where, *probabilities(audit.framework, audit.channel, audit.witness))


@_learnt.register
def _learnt_of_word_ratio(largest: WordRatio, audit: Audit, where: str) -> list[str]:
    return _told(audit, where, *largest.sides)


def _told(audit: Audit, where: str, left: Fraction, right: Fraction) -> list[str]:
    """Say what an output of these probabilities under the two secrets tells."""
    witness, framework = audit.witness, audit.framework
    above, below = witness.pair
    if right == 0:
        likely = f'has probability {brief_chance(left)} when "{above}" holds'
        said = f'{likely} and 0 when "{below}" does'
        return [f'{where} {said}. It rules out "{below}".']
    if left == right:
        said = f'is as likely when "{above}" holds as when "{below}" does ({brief_chance(left)})'
        return [f"{where} {said}. {_NOTHING}"]
    sides = f"({brief_chance(left)} against {brief_chance(right)})"
    times = f"{_times(where, left / right, above, below)} {sides}."
    if not isinstance(witness.prior, str):
        return [times]
    odds = Fraction(framework.mass(witness.prior, above), framework.mass(witness.prior, below))
    before, after = times_text(odds), times_text(odds * left / right)
    return [times, f'It raises the odds of "{above}" against "{below}" from {before} to {after}.']


@_learnt.register
def _learnt_of_local_leakage(largest: LocalLeakage, audit: Audit, where: str) -> list[str]:
    above, below = audit.witness.pair
    if audit.leakage.ratio == 1:
        return [_NOTHING]
    if audit.leakage.infinite:
        said = f'{where} is possible when "{above}" holds and not when "{below}" does'
        return [f"{said}: {largest.reveals} reveals it."]
    return [f"{_times(where, largest.ratio[0] or Fraction(0), above, below)}."]


@_learnt.register(NoiseLeakage)
@_learnt.register(GaussianLeakage)
@_learnt.register(NoiseBounds)
@_learnt.register(EnclosedRatio)
def _learnt_of_largest_ratio(largest: LargestRatio, audit: Audit, where: str) -> list[str]:
    above, below = audit.witness.pair
    if audit.leakage.ratio == 1:
        return [_NOTHING]
    if audit.leakage.infinite:
        return [f'{where}, "{above}" becomes more likely than "{below}" without bound.']
    limit = ", in the limit" if "inf" in audit.witness.output else ""
    return [f'{where} is more likely when "{above}" holds than when "{below}" does{limit}.']


def _times(where: str, ratio: Fraction, above: str, below: str) -> str:
    times = f"{times_text(ratio)} times as likely"
    return f'{where} is {times} when "{above}" holds as when "{below}" does'


@singledispatch
def _compared(largest: LargestRatio, audit: Audit) -> str:
    """Say how much was compared."""
    return f"The audit covers {_inequalities(audit)} over {_priors(audit)}."


@_compared.register
def _compared_of_local_leakage(largest: LocalLeakage, audit: Audit) -> str:
    said = f"{count_text(audit)} inequalities over {_priors(audit)}"
    return f"The audit covers {said} without listing them."


@_compared.register
def _compared_of_word_ratio(largest: WordRatio, audit: Audit) -> str:
    said = f"all words of {counted(len(largest.word), 'symbol')} over {_priors(audit)}"
    return f"The audit covers {said} without listing them."


@_compared.register
def _compared_of_noise_leakage(largest: NoiseLeakage, audit: Audit) -> str:
    return f"The audit covers {_inequalities(audit)} over {_priors(audit)}, at values of the query."


@_compared.register
def _compared_of_enclosed_ratio(largest: EnclosedRatio, audit: Audit) -> str:
    compared = largest.compared
    return f"The audit covers {compared}, over {_priors(audit)}."


@_compared.register
def _compared_of_gaussian_leakage(largest: GaussianLeakage, audit: Audit) -> str:
    laws = f"{counted(audit.scope.checked, 'ordered pair')} of laws"
    return f"The audit covers {laws} over {_priors(audit)}."


@_compared.register
def _compared_of_noise_bounds(largest: NoiseBounds, audit: Audit) -> str:
    return f"These are bounds because the exact leakage takes too long: {largest.reason}."


def _inequalities(audit: Audit) -> str:
    return counted(audit.scope.checked, "inequality", "inequalities")


def _priors(audit: Audit) -> str:
    mixtures = " and all their mixtures" * (audit.framework.closure == "convex")
    return f"{counted(len(audit.framework.priors), 'prior')}{mixtures}"


# The gallery in the report: every minimal counterexample as small tables, each certificate asked
# about to the kernel again.

ENTRIES = sum(path.is_dir() and (path / "framework.json").is_file() for path in FINDS.iterdir())
_LAST = "~"  # sorts after every name


@dataclass(frozen=True)
class GalleryRun:
    """An entry of the gallery, and the kernel's answers about its certificates."""

    entry: Entry
    evidence: tuple[PageEvidence, ...]

    def as_json(self) -> JsonObject:
        """Return name, title and evidence."""
        shown = {"name": self.entry.name, "title": self.entry.title}
        return shown | {"certificates": [each.as_json() for each in self.evidence]}


def run_gallery(out: Path, advance: Callable[[str], None]) -> list[GalleryRun]:
    """Copy the gallery's files into the report and ask the kernel about every certificate."""
    runs = []
    for entry in all_entries():
        files = sorted(path.name for path in (FINDS / entry.name).glob("*.json"))
        (out / "gallery" / entry.name).mkdir(parents=True)
        for file in files:
            shutil.copyfile(FINDS / entry.name / file, out / "gallery" / entry.name / file)
        mechanisms = {f"m{k + 1}.json" for k in range(len(entry.mechanisms))}
        certificates = [file for file in files if file != "framework.json" and file not in mechanisms]
        runs.append(GalleryRun(entry, tuple(_checked(entry, file, out) for file in sorted(certificates, key=_place))))
        advance(f"gallery: {entry.name}")
    return runs


def gallery_section(run: GalleryRun) -> dict[str, object]:
    """Return what the page shows of one entry."""
    entry = run.entry
    alone = [leakage_text(audit(entry.framework, mechanism).leakage) for mechanism in entry.mechanisms]
    # Which mechanisms are released together, by the entry or breaking runs
    if not entry.breaking:
        releases = entry.joint
    else:
        document = json.loads((FINDS / entry.name / "breaking.json").read_text(encoding="utf-8"))
        mechanisms = _spoken_of(entry, document)
        releases = tuple(mechanisms[k] for k in document["claim"]["releases"])
    together = [entry.mechanisms[k] for k in releases]
    joint = leakage_text(compose(entry.framework, together).joint.leakage) if releases else ""
    return {
        "name": entry.name,
        "title": entry.title,
        "shows": [(bool(place % 2), part) for place, part in enumerate(entry.shows.split("`"))],
        "framework": framework_table(entry.framework),
        "mechanisms": [
            {
                "name": f"m{k + 1}",
                "alone": said,
                "header": ["database", *mechanism.outputs],
                "rows": [
                    [x, *(brief(mechanism.probability(x, w)) for w in mechanism.outputs)] for x in mechanism.databases
                ],
            }
            for k, (mechanism, said) in enumerate(zip(entry.mechanisms, alone))
        ],
        "releases": [f"m{k + 1}" for k in releases],
        "joint": joint,
        "inequalities": [_listed(inequalities(entry, bounded)) for bounded in entry.finite],
        "evidence": run.evidence,
        "accepted": sum(each.accepted for each in run.evidence),
        "refused": sum(each.refused for each in run.evidence),
    }


def framework_table(framework: Framework) -> dict[str, object]:
    """Return a framework as a table: a row per database, with the secrets that hold and its
    probability under each prior.
    """
    rows = []
    for x, database in enumerate(framework.databases):
        secrets = [name for name, members in framework.secrets.items() if x in members]
        masses = [brief(Fraction(law.weights[x], law.total)) for law in framework.laws.values()]
        rows.append([database, ", ".join(secrets), *masses])
    pairs = [f"{left} against {right}" for left, right in framework.pairs]
    return {"header": ["database", "secrets", *framework.laws], "rows": rows, "pairs": "; ".join(pairs)}


def _place(file: str) -> tuple[str, int]:
    """Order certificates: alone, joint and so on, the inequalities last and by number."""
    name, _, number = file.removesuffix(".json").partition("-")
    return (_LAST, int(number)) if name == "finite" else (file, 0)


def _listed(lines: list[str]) -> JsonObject:
    """Take a Markdown list under its heading apart."""
    return {"head": lines[0], "items": [line.removeprefix("- ") for line in lines[2:]]}


def _checked(entry: Entry, file: str, out: Path) -> PageEvidence:
    """Ask the kernel about one certificate, with the files that it speaks of."""
    folder = f"gallery/{entry.name}"
    document = json.loads((out / folder / file).read_text(encoding="utf-8"))
    if "inputs" not in document:
        return checked(f"{folder}/{file}", [], out)
    mechanisms = [f"{folder}/m{k + 1}.json" for k in _spoken_of(entry, document)]
    return checked(f"{folder}/{file}", [f"{folder}/framework.json", *mechanisms], out)


def _spoken_of(entry: Entry, document: JsonObject) -> list[int]:
    """Return the positions of the mechanisms whose files a certificate names by their hashes."""
    files = [FINDS / entry.name / f"m{k + 1}.json" for k in range(len(entry.mechanisms))]
    hashes = [f"sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}" for file in files]
    return [hashes.index(digest) for digest in document["inputs"]["mechanisms"]]


# Sections -----------------------------------------------------------------------------------------
#
# What the report's page says: audits and joint releases as words, tables and plots, for the
# templates to lay out.
#
# Every number comes from the audits; nothing is decided here. Templates escape all text, since
# labels are anybody's.

NO_LEVEL = "LEAKAGE"
COMPOSES = {Decision.HOLDS: "COMPOSES", Decision.FAILS: "DOES NOT COMPOSE", Decision.UNDECIDED: "TOO CLOSE TO TELL"}
_KIND = {
    "SATISFIES": "good",
    "COMPOSES": "good",
    "VIOLATES": "bad",
    "DOES NOT COMPOSE": "bad",
    "holds, exactly": "good",
    "holds, with slack": "good",
    "broken": "bad",
    "undecided": "open",
}


@dataclass(frozen=True)
class Runs:
    """All that a report has run."""

    audits: list[AuditRun]
    composes: list[ComposeRun]
    worsts: list[WorstRun]
    gallery: list[GalleryRun]


def page_context(
    examples: Sequence[Example], runs: Runs, ledger: Sequence[LedgerEntry], version: str
) -> dict[str, object]:
    """Return what the templates show."""
    shown = {
        example.name: [audit_section(run) for run in runs.audits if run.example is example]
        + [compose_section(run) for run in runs.composes if run.example is example]
        for example in examples
    }
    worst = {
        example.name: worst_section([run for run in runs.worsts if run.example is example]) for example in examples
    }
    return {
        "version": version,
        "summary": summary(runs),
        "words": list(dict.fromkeys(each["word"] for each in chain.from_iterable(shown.values()))),
        "examples": [
            {
                "name": example.name,
                "title": example.title,
                "sections": shown[example.name],
                "worst": worst[example.name],
            }
            for example in examples
        ],
        "gallery": [gallery_section(run) for run in runs.gallery],
        "ledger": [ledger_row(entry, runs.audits) for entry in ledger],
        "table_header": TABLE_HEADER,
        "most_rows": MAX_TABLE_ROWS,
        **own_script(),
    }


def summary(runs: Runs) -> dict[str, int]:
    """Count the verdicts and the kernel's answers."""
    kept = [run.audit.kept for run in runs.audits]
    evidence = [run.evidence for run in runs.audits] + [run.evidence for run in runs.composes]
    evidence += {id(rate): rate.evidence for run in runs.composes for rate in run.rates}.values()
    evidence += [run.evidence for run in runs.worsts if run.evidence is not None]
    evidence += [each for run in runs.gallery for each in run.evidence]
    return {
        "audits": len(runs.audits),
        "satisfied": kept.count(Decision.HOLDS),
        "violated": kept.count(Decision.FAILS),
        "no_level": kept.count(None),
        "composes": len(runs.composes),
        "not_composing": sum(run.together.additive is Decision.FAILS for run in runs.composes),
        "gallery": len(runs.gallery),
        "certificates": sum(each.certificate is not None for each in evidence),
        "accepted": sum(each.accepted for each in evidence),
        "refused": sum(each.refused for each in evidence),
        "without_certificate": sum(each.certificate is None for each in evidence),
    }


def audit_section(run: AuditRun) -> dict[str, object]:
    """Return what the page shows of one audit."""
    audit = run.audit
    word = NO_LEVEL if audit.verdict is None else audit.verdict.value
    return {
        "compose": False,
        "anchor": run.name,
        "level": "" if audit.level is None else str(audit.level),
        "word": word,
        "kind": _KIND.get(word, "open"),
        "leakage": leakage_text(audit.leakage),
        "odds": odds_phrase(audit.leakage),
        "witness": witness_sentences(audit),
        "scope": scope_sentences(audit),
        "plots": audit_pictures(run.audit),
        "revealed": [],
        "rates": (),
        "table": run.table,
        "rows": [row_cells(row) for row in run.rows],
        "row_count": audit.scope.checked,
        **_shared(run),
    }


def compose_section(run: ComposeRun) -> dict[str, object]:
    """Return what the page shows of one joint release."""
    together = run.together
    return {
        "compose": True,
        "anchor": run.name,
        "level": "",
        "word": composes(together),
        "kind": _KIND.get(composes(together), "open"),
        "leakage": joint_phrase(together),
        "odds": odds_phrase(released(together).joint.leakage),
        "single": rate_rows(run),
        "rates": run.rates,
        "witness": joint_sentences(together),
        "revealed": revealed_sentences(run),
        "scope": joint_scope(together),
        "plots": [*composition_pictures(run), *rates_pictures(run)],
        "table": None,
        "rows": [],
        "row_count": 0,
        **_shared(run),
    }


def composes(together: AnyComposition) -> str:
    """Say in a word whether releases compose, or that it is not known."""
    return COMPOSES[together.additive]


def ledger_row(entry: LedgerEntry, audits: Sequence[AuditRun]) -> dict[str, object]:
    """Return what the page shows of one ledger entry."""
    anchors = [
        run.name
        for run in audits
        if run.example.name == entry.example and run.case.files == (entry.framework, entry.mechanism)
    ]
    return {
        "anchor": anchors[0],
        "example": entry.example,
        "mechanism": entry.mechanism,
        "source": entry.source,
        "claimed": str(entry.claimed),
        "leakage": leakage_text(entry.audit.leakage),
        "word": entry.finding,
        "verdict": NO_LEVEL if entry.audit.verdict is None else entry.audit.verdict.value,
        "kind": _KIND[entry.finding],
    }


def _shared(run: AuditRun | ComposeRun) -> dict[str, Any]:
    return {
        "shows": capital(full_stop(run.case.shows)),
        "mechanisms": run.case.files[1:],
        "framework": run.case.framework,
        "inputs": run.inputs,
        "trust": trust_text(run.answer["trust"], bases(run.answer["rests_on"])),
        "evidence": run.evidence,
        "refused": run.evidence.refused
        or any(rate.evidence.refused for rate in (run.rates if isinstance(run, ComposeRun) else ())),
    }


# Site ---------------------------------------------------------------------------------------------

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
