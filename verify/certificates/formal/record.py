"""CHECKED.json: what Coq said of the theorems of a folder, and when that is believed.

It is believed as long as it is whole and speaks of the sources that stand beside it. Its digest of
itself shows that a hand has edited it, not that a clever one has: `make formal` asks Coq again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from . import NotChecked, sources

NAME, FORMAT = "CHECKED.json", "pufferproof-formal/2"
# The axioms of Coq's real numbers: classical logic, and functions that agree are equal.
KNOWN = {
    name.partition(".")[2]: name
    for name in (
        "Reals.ClassicalDedekindReals.sig_forall_dec",
        "Reals.ClassicalDedekindReals.sig_not_dec",
        "Logic.Classical_Prop.classic",
        "Logic.FunctionalExtensionality.functional_extensionality_dep",
    )
}


@dataclass(frozen=True)
class AcceptedTheorem:
    """A theorem that Coq accepted: its name and file, what the source says of it and how it differs
    from the print, its statement as Coq prints it, and the axioms that its file rests on.
    """

    name: str
    file: str
    says: str
    differs: str
    statement: str
    axioms: list[str]


@dataclass(frozen=True)
class Tie:
    """What Coq and Python said of a probe of the vocabulary, the same at every instance.

    `true` counts the instances at which it is true, `noticed` those at which a drift of each entry
    shows; `digest` is that of the instances with what was said of each.
    """

    name: str
    noticed: dict[str, int]
    instances: int
    true: int
    seed: str
    digest: str


@dataclass(frozen=True)
class Checked:
    """What Coq of a version found: digests of the sources, the theorems in their order, and what
    ties the entries of the vocabulary.
    """

    coq: str
    files: dict[str, str]
    theorems: list[AcceptedTheorem]
    ties: list[Tie]


def text(checked: Checked) -> str:
    """Return the text of CHECKED.json, which is the same for the same sources and the same Coq."""
    content = {"format": FORMAT, **vars(checked)}
    written = json.dumps(content, indent=1, ensure_ascii=False, default=vars)
    digest = hashlib.sha256(f"{written}\n".encode()).hexdigest()
    end = "\n}"  # its last entry is the digest of the others
    return f'{written.removesuffix(end)},\n "sha256": "{digest}"{end}\n'


def read(folder: Path) -> Checked:
    """Return what CHECKED.json says of a folder.

    Raises `NotChecked` if it was edited, if a source has changed since, if it leaves out or adds a
    theorem, or if a theorem rests on an axiom that is not among the four of Coq's reals.
    """
    checked = whole(folder / NAME)
    digests = {file: sources.digest(folder, file) for file in sources.files(folder)}
    if changed := sorted(file for file in {*digests, *checked.files} if digests.get(file) != checked.files.get(file)):
        raise NotChecked(f"{NAME}: {', '.join(changed)} changed since; run `make formal`")
    expected = [each for file in digests for each in sources.stated(folder, file)]
    said = [sources.Stated(theorem.name, theorem.file, theorem.says, theorem.differs) for theorem in checked.theorems]
    if said != expected:
        raise NotChecked(f"{NAME}: expected the theorems of the sources in their order")
    for theorem in checked.theorems:
        if strange := sorted(set(theorem.axioms).difference(KNOWN)):
            raise NotChecked(f"{theorem.name}: expected axioms of Coq's reals, found {strange}")
    return checked


def whole(path: Path) -> Checked:
    """Return what a CHECKED.json says, if it is as it was written; else raise `NotChecked`."""
    try:
        written = path.read_text(encoding="utf-8")
        content = json.loads(written)
        content.pop("sha256")
        theorems = [AcceptedTheorem(**theorem) for theorem in content["theorems"]]
        ties = [Tie(**tie) for tie in content["ties"]]
        checked = Checked(content["coq"], content["files"], theorems, ties)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotChecked(f"{path.name}: expected what `make formal` writes ({error!r})") from None
    if content.get("format") != FORMAT:
        raise NotChecked(f"{path.name}: expected format {FORMAT}, found {content.get('format')}")
    if written != text(checked):
        raise NotChecked(f"{path.name}: was edited; `make formal` writes it")
    return checked
