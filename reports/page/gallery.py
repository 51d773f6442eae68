"""The gallery in the report: every minimal counterexample as small tables, each certificate asked
about to the kernel again.
"""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from pufferproof.counterexamples.gallery.build import inequalities
from pufferproof.counterexamples.gallery.entries import FINDS, Entry, all_entries
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.reports.console.words import leakage_text
from pufferproof.reports.page.evidence import PageEvidence, checked
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import compose

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
    # which mechanisms are released together, by the entry or breaking runs
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
