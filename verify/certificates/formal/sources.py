"""The Coq sources of a folder: their digests, their theorems, and words they must not use.

A theorem is what opens with the word `Theorem` or `Example`. The comment above it, if there is one,
says where it is from and, after the word "Differs:", how it differs from the print.

Coq prints a statement by short names, and lists beside a compiled file what that defines and refers
to (`.glob`). A source that defined `R`, or `Rmax`, or what looks like equality would change what is
read, and what a probe decides, and no theorem.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import NotChecked

ORDER = "_CoqProject"  # names the files, each after those that it needs
EXTRACTION = "extract/Extracted.v"  # not among them: it has no theorem, and writes a program
BANNED = (
    *("Admitted", "admit", "give_up", "Axiom", "Axioms", "Parameter", "Parameters", "Conjecture"),
    *("Conjectures", "Unset", "bypass_check", "Primitive", "Declare", "Load", "Redirect"),
    *("LoadPath", "Abort", "Extract", "Extraction"),
)
LIBRARIES = ("Coq", "Corelib", "Stdlib")
ROOT = re.compile(r"^-Q (\w+) (\w+(?:\.\w+)*)$", re.MULTILINE)
NOTATION = re.compile(r"\b(Notation|Infix|where)\s*\"")
NOTATIONS = {"theory/foundations/Sums.v": ":::'Σ'_x_','_x", "theory/textbook/Spectrum.v": ":::'<|'_x_','_x_'|>'"}
"""The notations that there are, one a source, as Coq says them."""
SCOPE = re.compile(r"(?:\A|(?<=\.\s))\s*(?:#\[[^]]*\]\s*)?(?:Local\s+|Global\s+)?(Section|End|Notation)\s+[\w']")
USED = "sanity/"  # numbers and tables have short names there, said at the head of the file
STRANGE = re.compile(r"[^\n -~Σ]")
"""Letters that a name may have in Coq and that look like none, or like another."""
STATED = re.compile(r"^(Theorem|Example)\s+([\w']+)", re.MULTILINE)
MODULES = ("Module", "Include")
MODULE = re.compile(rf"\b(?:{'|'.join(MODULES)})\b")


DEFINED = ("def", "prf", "constr", "ind", "inst", "proj", "rec", "defax", "prfax")
SIGN = "not"  # a notation, in what Coq lists
SUMS = "theory/foundations/Sums.v"  # what it defines is written without its name
TIED = "tie/"
SHARED: Mapping[str, Sequence[str]] = {
    "Q2R_0": ("tie/streams/Polygons.v",),
    "add": ("theory/certificates/Integers.v", "theory/foundations/Alternatives.v"),
    "even": (
        *("sanity/composition/ExamplesUsed.v", "sanity/quilts/GapUsed.v"),
        *("sanity/quilts/InfluencesUsed.v", "theory/chains/Separation.v"),
    ),
    "last": ("theory/certificates/chains/SumsOfChains.v",),
    "pair": ("theory/composition/collapses/Collapse.v",),
    "positive": (
        *("statements/quilts/HiddenBits.v", "claims/quilts/HiddenBits.v"),
        "theory/composition/collapses/Revealed.v",
        *("theory/foundations/Alternatives.v", "theory/textbook/ExpLaws.v"),
        *("tie/Entries.v", "tie/composition/Vertices.v"),
    ),
    "up": (
        *("theory/certificates/chains/Cones.v", "theory/chains/bits/Supermodular.v"),
        *("theory/noise/Ends.v", "theory/records/redaction/RedactionUtility.v"),
        *("tie/chains/MomentTables.v", "tie/composition/Weighed.v"),
    ),
}
"""Names of these sources that Coq has too, none of which a statement says of Coq's."""


@dataclass(frozen=True)
class Stated:
    """A theorem as its source has it: what is said above it, and how that differs from the print.

    `name` is the one Coq finds it by, such as `Pufferproof.foundations.Laws.post_processing`.
    """

    name: str
    file: str
    says: str
    differs: str


def files(folder: Path) -> list[str]:
    """Return the paths of the sources in the order of `_CoqProject`, relative to the folder.

    Raises `NotChecked` unless these are the files there are, but for `EXTRACTION`.
    """
    lines = (folder / ORDER).read_text(encoding="utf-8").split("\n")
    named = [line for line in lines if line.endswith(".v")]
    if odd := [line for line in lines if line and line not in named and not ROOT.fullmatch(line)]:
        raise NotChecked(f"{ORDER}: expected sources and lines `-Q folder Name`, found {odd[0]!r}")
    there = {path.relative_to(folder).as_posix() for path in folder.glob("[!.]*/**/*.v")}
    if odd := sorted((there - {EXTRACTION}).symmetric_difference(named)):
        raise NotChecked(f"{ORDER}: expected each source of the folder once, found otherwise {odd}")
    first = {name.partition(".")[0] for _, name in roots(folder)}
    if taken := sorted(first.intersection(LIBRARIES)):
        raise NotChecked(f"{ORDER}: {taken[0]} is the name of Coq's own library")
    seen: dict[str, str] = {}
    for file in named:
        root, *rest = module(folder, file).split(".")
        if again := sorted({*first, *LIBRARIES}.intersection(rest)):
            raise NotChecked(f"{file}: {again[0]} is the name of a folder of {ORDER}, or of Coq")
        other = seen.setdefault(f"{root}.{rest[-1]}", file)
        if other != file:
            raise NotChecked(f"{file}: expected another name than that of {other}")
    return named


def roots(folder: Path) -> list[tuple[str, str]]:
    """Return the folders of `_CoqProject` with the logical names of what lies in them."""
    return [*_roots((folder / ORDER).read_text(encoding="utf-8"))]


@cache
def _roots(text: str) -> Sequence[tuple[str, str]]:
    return ROOT.findall(text)


def module(folder: Path, file: str) -> str:
    """Return the name by which Coq knows a source."""
    for below, name in roots(folder):
        if file.startswith(f"{below}/"):
            rest = file.removeprefix(f"{below}/").removesuffix(".v")
            return f"{name}.{rest.replace('/', '.')}"
    raise NotChecked(f"{file}: expected in one of the folders that {ORDER} names")


def digest(folder: Path, file: str) -> str:
    """Return the SHA-256 of a source."""
    return hashlib.sha256((folder / file).read_bytes()).hexdigest()


def code(text: str, strings: bool = False) -> str:
    """Return a source without its comments and, if not asked for, strings; comments may stand in
    one another.

    >>> code('Lemma (* Axiom (* twice *) *) one : 1 = 1. "admit"')
    'Lemma  one : 1 = 1. '
    """
    depth, kept = 0, []
    for part in re.split(r'(\(\*|\*\)|"[^"]*")', text):
        if part == "(*":
            depth += 1
        elif part == "*)" and depth:
            depth -= 1
        elif not depth and (strings or not part.startswith('"')):
            kept.append(part)
    return "".join(kept)


def banned(folder: Path, file: str) -> list[str]:
    """Return what a source could let in by that is not proved: words, letters that no name should
    have, and notations, by which a name could be read as another.
    """
    text = (folder / file).read_text(encoding="utf-8")
    proofs, commented = code(text), code(text, strings=True)
    words = set(re.findall(r"[\w']+", proofs)).intersection(BANNED)
    words |= {f"the letter {letter!a}" for letter in STRANGE.findall(commented)}
    if file not in NOTATIONS:
        words |= set(NOTATION.findall(commented))
    if not file.startswith(USED) and _abbreviates(proofs):
        words.add("Notation outside of a section")
    return sorted(words)


def _abbreviates(proofs: str) -> bool:
    """Whether a source has an abbreviation by which other sources and statements are printed."""
    depth = 0
    for word in SCOPE.findall(proofs):
        if word == "Notation" and not depth:
            return True
        depth += {"Section": 1, "End": -1}.get(word, 0)
    return False


def stated(folder: Path, file: str) -> list[Stated]:
    """Return the theorems of a source in their order, with the comments above them."""
    text = (folder / file).read_text(encoding="utf-8")
    said = code(text)
    if any(word in said for word in MODULES) and MODULE.search(said):  # the first is much faster
        raise NotChecked(f"{file}: has a module inside the file; expected none")
    within = module(folder, file)
    theorems = []
    for match in STATED.finditer(text):
        says, _, differs = comment_above(text[: match.start()]).partition("Differs: ")
        theorems.append(Stated(f"{within}.{match[2]}", file, says.strip(), differs.strip()))
    return theorems


def comment_above(before: str) -> str:
    """Return the words of the comment that a text ends with, or nothing."""
    if not before.endswith("*)\n"):
        return ""
    comment = before[before.rindex("(*") :].removesuffix("*)\n")
    return " ".join(comment.lstrip("(*").split())


def refuse_names(place: Path, files: Sequence[str]) -> None:
    """Raise `NotChecked` if a compiled source has a notation that is none of `NOTATIONS`,
    or defines a name by which a source refers to something of Coq's library; and if one that ties
    the vocabulary defines a name of `SUMS`, or of the source of the theory with its own name.
    """
    words = {file: list(_words(place / file)) for file in files}
    defined = {file: {line[-1] for line in lines if line[0] in DEFINED} for file, lines in words.items()}
    of_coq = {name for lines in words.values() for name in _referred(lines)}
    for file, lines in words.items():
        for line in lines:
            if line[0] == SIGN and NOTATIONS.get(file) != line[-1]:
                raise NotChecked(f"{file}: expected proofs only, found the notation {line[-1]}")
        for name in sorted(defined[file] & of_coq):
            if file not in SHARED.get(name, ()):
                raise NotChecked(f"{file}: {name} is a name of Coq's own library")
    _tied_apart(defined)


def _tied_apart(defined: Mapping[str, set[str]]) -> None:
    called = defaultdict[str, set[str]](set)
    for file, names in defined.items():
        if file.startswith("theory/"):
            called[Path(file).name] |= names
    for file, names in defined.items():
        if file.startswith(TIED):
            taken = names & (called[Path(file).name] | defined.get(SUMS, set()))
            if taken:
                raise NotChecked(f"{file}: {min(taken)} is a name of the theory that it ties")


def _words(source: Path) -> Iterator[list[str]]:
    """Yield the lines of what Coq says of a source, as words."""
    text = source.with_suffix(".glob").read_text(encoding="utf-8")
    return (line.split() for line in text.splitlines() if line)


def _referred(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the last parts of names of Coq's library that a source refers to, without notations."""
    for line in lines:
        if len(line) == 5 and line[0].startswith("R"):
            _, library, _, name, kind = line
            if library.partition(".")[0] in LIBRARIES and kind not in (SIGN, "lib"):
                yield name.rpartition(".")[2]
