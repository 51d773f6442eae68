"""Write the gallery: a folder per counterexample with framework, mechanisms and certificates, and
the README.

`python -m pufferproof.counterexamples.gallery.build` rewrites the README beside it and the folder
`finds`. A test compares what is on disk and lets the kernel check every certificate again.
"""

import hashlib
import json
from pathlib import Path
from textwrap import wrap
from typing import Any

from pufferproof.counterexamples.breaking_runs import breaking_certificate, search_breaking
from pufferproof.counterexamples.gallery.entries import FINDS, Entry, ImpliedInequality, derived_entries, implied
from pufferproof.lp.rates.nfc import check_nfc, nfc_certificate
from pufferproof.models.channel import Channel
from pufferproof.models.errors import SolverError
from pufferproof.models.files.writing import framework_document, mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text, composition_certificate

FOLDER = Path(__file__).parent
_HEAD = """# Gallery of minimal counterexamples

Written by `python -m pufferproof.counterexamples.gallery.build`; every certificate is accepted by
the kernel, which a test checks again. In each folder: `framework.json`; mechanisms `m1.json`, ..;
`alone-m1.json`, .. certifies the level that a mechanism keeps; `joint.json` the leakage of the
releases together; `finite-1.json`, .. inequalities that every column within a budget satisfies (u0,
u1, .. are the entries of the column, in the order of the databases). For instance

    cd finds/smallest-pair && pufferproof check joint.json framework.json m1.json m1.json

"Smallest" refers to the order of `counterexamples/shrink.py`: the fewest releases, outputs and
different rows, then the least largest denominator and the least sum of numerators and denominators.
Each minimum is proved, given the ones before it.
"""


def built_files() -> dict[str, str]:
    """Return the text of every generated file, by path relative to the gallery."""
    files = dict[str, str]()
    sections = [_HEAD]
    for entry in derived_entries():
        texts = _files(entry)
        files |= {f"{FINDS.name}/{entry.name}/{name}": text for name, text in texts.items()}
        sections.append(_section(entry, texts))
    files["README.md"] = "\n".join(sections)
    return files


def _described(framework: Framework) -> JsonObject:
    """Return a framework's document, by records if it has some, as `--per-record-dp` needs."""
    document, records = framework_document(framework), framework.records
    if records is None:
        return document
    made = {"records": {"count": records.count, "alphabet": list(records.alphabet)}}
    return {"format": document.pop("format"), **made, **{key: document[key] for key in document if key != "databases"}}


def _files(entry: Entry) -> dict[str, str]:
    framework = json.dumps(_described(entry.framework), ensure_ascii=False, indent=1) + "\n"
    hashed = "sha256:" + hashlib.sha256(framework.encode()).hexdigest()
    files = {"framework.json": framework}
    digests = []
    for i, mechanism in enumerate(entry.mechanisms):
        data, digest = mechanism_file(mechanism)
        files[f"m{i + 1}.json"] = data.decode()
        digests.append(digest)
    inputs = Inputs(hashed, tuple(digests))
    files |= _alone_files(entry, inputs) | _joint_files(entry, inputs)
    inequalities = [each for bounded in entry.finite for each in implied(entry.framework, bounded)]
    finite_files = {
        f"finite-{k + 1}.json": certified_text(inequality.certificate(supports.cone))
        for k, (_, supports, inequality) in enumerate(inequalities)
    }
    return files | _condition_files(entry, inputs) | finite_files


def _alone_files(entry: Entry, inputs: Inputs) -> dict[str, str]:
    """Return certificates that every mechanism keeps its budget."""
    files: dict[str, str] = {}
    for i, (mechanism, budget) in enumerate(zip(entry.mechanisms, entry.budgets, strict=True)):
        alone = audit(entry.framework, mechanism, budget)
        own = Inputs(inputs.framework, (inputs.mechanisms[i],))
        files[f"alone-m{i + 1}.json"] = certified_text(audit_certificate(alone, own))
    return files


def _joint_files(entry: Entry, inputs: Inputs) -> dict[str, str]:
    if not entry.joint:
        return {}
    releases = [entry.mechanisms[i] for i in entry.joint]
    of_each = Inputs(inputs.framework, tuple(inputs.mechanisms[i] for i in entry.joint))
    joint = composition_certificate(compose(entry.framework, releases), of_each)
    return {"joint.json": certified_text(joint)}


def _condition_files(entry: Entry, inputs: Inputs) -> dict[str, str]:
    files: dict[str, str] = {}
    if entry.nfc:
        nfc = check_nfc(entry.framework, list(entry.mechanisms), list(entry.budgets))
        files["nfc.json"] = certified_text(nfc_certificate(nfc, inputs))
        if entry.breaking:
            broken = search_breaking(nfc)
            if broken is None:
                raise SolverError(f"expected runs that break composition in {entry.name}")
            files["breaking.json"] = certified_text(breaking_certificate(broken, inputs))
    return files


def _section(entry: Entry, files: dict[str, str]) -> str:
    folder = f"{FINDS.name}/{entry.name}"
    shows = wrap(f"[`{entry.name}`]({folder}) {entry.shows}", 120, break_on_hyphens=False)
    lines = [f"## {entry.title}", "", *shows, ""]
    for i, (mechanism, budget) in enumerate(zip(entry.mechanisms, entry.budgets, strict=True)):
        lines += [*_rows(f"m{i + 1}", mechanism), "", f"keeps {budget}", ""]
    for bounded in entry.finite:
        lines += [*inequalities(entry, bounded), ""]
    named = [f"[{name}]({folder}/{name})" for name in files if not name.startswith("finite-")]
    listed = f"Files: {', '.join(named)}"
    lines += wrap(listed, 120, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, ""])


def _rows(name: str, mechanism: Channel) -> list[str]:
    """Return the rows of a mechanism as a Markdown table."""
    outputs = mechanism.outputs
    lines = [f"| {name} | {' | '.join(outputs)} |", f"|---{'|---' * len(outputs)}|"]
    for x in mechanism.databases:
        cells = " | ".join(text_of(mechanism.probability(x, w)) for w in outputs)
        lines.append(f"| {x} | {cells} |")
    return lines


def inequalities(entry: Entry, bounded: ImpliedInequality) -> list[str]:
    """Return the inequalities of an entry as a Markdown list under its heading."""
    extra = f", with {bounded.per_record} per record" if bounded.per_record else ""
    lines = [f"Within {bounded.budget}{extra}, every column u satisfies", ""]
    for columns, _, inequality in implied(entry.framework, bounded):
        names = columns.labels
        right: Any = " + ".join(f"u({names[y]})" for y in inequality.kappa)
        kappa = text_of(next(iter(inequality.kappa.values())))
        lines.append(f"- u({names[inequality.x]}) <= {kappa} {f'({right})' if len(inequality.kappa) > 1 else right}")
    return lines


def main() -> None:
    """Rewrite the gallery."""
    for name, text in built_files().items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
