"""Ask Coq: build a folder of sources, check what was built with coqchk, print every theorem.

What Coq said is kept beside what it compiled, so that a changed source is asked about again with those
that use it, and no other. A source is known by its name and the digest of its text, of all that it
uses, and of the version of Coq. Who can write in the folder can write an answer too, as in
CHECKED.json: continuous integration begins without the folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from . import NotChecked, sources
from .record import KNOWN, AcceptedTheorem, Checked

BUILD = ".build"
SEALED = ("Coq.Reals.Rdefinitions", "Coq.ssr.ssrunder")
"""Modules of Coq's library that hide definitions: if coqchk skips them it calls these axioms."""
WHOLE = "whole"  # says in a build of what it was made, once every file was compiled and checked
BY = "version"  # of the Coq that compiles
OLDEST = (8, 16)
WORK = "8.16 and later work, such as Debian's coq"
MARK = "=====pufferproof====="
WIDTH = 100
PAGES = 2  # which Coq writes at once
SAID, PROVED = "Said", "Proved"  # a theorem Proved.X has the type Said.X
ROOM = "s=4M,o=300"  # words for young objects, and how much may lie about: coqchk seldom collects
WORDS = "Numbers.Cyclic.Int63.PrimInt63."  # operations of machine words: Coq's kernel computes
ANSWERS, LISTED = "answers.json", ".build.mk.d"
COMPILED = re.compile(r"^(\S+)\.vo .*?: \1\.v(.*)$", re.MULTILINE)
CLOSED = "Closed under the global context"


class NoCoq(NotChecked):
    """There is no Coq on the path, or one that is too old."""


def version() -> str:
    """Return the version of the Coq on the path; raise `NoCoq` without one that can be used."""
    if not all(shutil.which(tool) for tool in ("coqc", "coqchk", "coq_makefile", "make")):
        raise NoCoq("coqc is not on the path: install it with `apt-get install coq make`")
    said = _run(["coqc", "--version"], Path())
    number = re.search(r"version (\d+)\.(\d+)[\w.+-]*", said)
    if not number:
        raise NoCoq(f"expected a version of Coq ({WORK}), found {said.strip()!r}")
    if (int(number[1]), int(number[2])) < OLDEST:
        raise NoCoq(f"Coq {number[0].split()[1]} is too old: {WORK}")
    return number[0].split()[1]


def build(folder: Path, afresh: bool = False) -> Checked:
    """Compile all sources in a folder of their own, and return what Coq says of them. What an
    earlier build compiled and asked stays where a source and all that it uses are as they were,
    unless it begins afresh.

    Raises `NoCoq` without Coq, and `NotChecked` if a source uses a banned word, does not compile,
    is refused by coqchk, needs an axiom that is not one of Coq's reals, or has a theorem `Proved.X`
    whose type is not the constant `Said.X`.
    """
    coq, files = version(), sources.files(folder)
    for file in files:
        if words := sources.banned(folder, file):
            raise NotChecked(f"{file}: expected proofs only, found {', '.join(words)}")
    place = _copied(folder, files, coq, afresh)
    _run(["coq_makefile", "-f", sources.ORDER, "-o", "build.mk"], place)
    _run(["make", "--silent", "-f", "build.mk", "-j2"], place)
    sources.refuse_names(place, files)
    digests = {file: sources.digest(place, file) for file in files}
    known, keys = kept_answers(place), source_keys(place, coq, digests)
    new = [file for file in files if keys[file] not in known.theorems]
    if new:
        with ThreadPoolExecutor() as beside:  # pages of theorems take what coqchk leaves of 2 cores
            checking = beside.submit(_check_again, place, new, len(new) < len(files))
            found = theorems(place, files, new)
            checking.result()
        said = {keys[file]: [each for each in found if each.file == file] for file in new}
        known.theorems = {key: {**known.theorems, **said}[key] for key in keys.values()}
        known.keep()
    (place / WHOLE).write_text(made_of(coq, digests), encoding="utf-8")
    return Checked(coq, digests, [each for key in keys.values() for each in known.theorems[key]], [])


def made_of(coq: str, digests: Mapping[str, str]) -> str:
    """Say by which Coq and of which sources files were compiled."""
    return "".join(f"{digest} {file}\n" for file, digest in digests.items()) + f"Coq {coq}\n"


def keys_of(place: Path) -> dict[str, str]:
    """Return the digest of each source of what was compiled with all that it uses."""
    lines = (place / WHOLE).read_text(encoding="utf-8").splitlines()
    found = [line.split(" ", 1) for line in lines]
    return source_keys(place, found[-1][1], {file: digest for digest, file in found[:-1]})


def _copied(folder: Path, files: Sequence[str], coq: str, afresh: bool) -> Path:
    """Copy the sources to the folder of what is compiled, without those that are as they were, and
    delete what was compiled of others, or by another Coq.
    """
    place = folder / BUILD
    by = place / BY
    if afresh or not by.exists() or by.read_text(encoding="utf-8") != coq:
        clear(place)
    (place / WHOLE).unlink(missing_ok=True)
    for below, _ in sources.roots(folder):
        (place / below).mkdir(parents=True, exist_ok=True)
        for path in [*(place / below).rglob("*.v")]:
            if path.relative_to(place).as_posix() not in files:
                for left in path.parent.glob(f"{path.stem}.*"):
                    left.unlink()
    by.write_text(coq, encoding="utf-8")
    for file in [sources.ORDER, *files]:
        target = place / file
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != (folder / file).read_bytes():
            shutil.copyfile(folder / file, target)
    return place


def clear(place: Path) -> None:
    """Delete the folder of a build, or the link in its place, since what is behind it would be taken
    for a build. Raises `NotChecked` if something is left.
    """
    try:
        if place.is_symlink():
            place.unlink()
        elif place.exists():
            shutil.rmtree(place)
    except OSError as error:
        raise NotChecked(f"{place}: cannot be deleted: {error.strerror}") from None


def _paths(place: Path) -> list[str]:
    return [word for root in sources.roots(place) for word in ("-Q", *root)]


def _check_again(place: Path, files: Sequence[str], alone: bool = False) -> None:
    """Run coqchk on what was compiled, alone without what it uses, which it passed before; it may
    find the known axioms, and nothing assumed.
    """
    modules = [sources.module(place, file) for file in files]
    if alone:
        modules = [word for module in (*modules, *SEALED) for word in ("-norec", module)]
    summary = _run(["coqchk", "-silent", "-o", *_paths(place), *modules], place)
    for part in re.findall(r"^\* (.*(?:\n    .*)*)", summary, re.MULTILINE):
        title, _, rest = part.partition(":")
        if title == "Axioms":
            allowed = all(name == "<none>" or _of_library(name) for name in rest.split())
        else:
            allowed = rest.strip() in ("<none>", "Set is predicative")
        if not allowed:
            raise NotChecked(f"coqchk: expected the axioms of Coq's reals, found {title}:{rest}")


def _of_library(name: str) -> bool:
    """Whether the full name of an axiom is that of a known one, or of a machine word."""
    library, _, rest = name.partition(".")
    return library in sources.LIBRARIES and (rest in KNOWN.values() or rest.startswith(WORDS))


def theorems(place: Path, files: Sequence[str], of: Sequence[str]) -> list[AcceptedTheorem]:
    """Return every theorem of some files of a compiled folder as Coq prints it, with the axioms of
    its file: to look for axioms takes a second wherever there are reals.
    """
    groups = [group for file in of if (group := sources.stated(place, file))]
    size = -(-len(groups) // PAGES) or 1
    pages = [groups[i : i + size] for i in range(0, len(groups), size)]
    with ThreadPoolExecutor() as beside:
        said = beside.map(partial(_page, place, files), range(len(pages)), pages)
        return [theorem for page in said for theorem in page]


def _asked(place: Path, files: Sequence[str], groups: Sequence[Sequence[sources.Stated]]) -> str:
    """Return what asks Coq for the theorems of some files.

    No source is imported before types and axioms are asked for, so that no notation of theirs reads
    a name as another; then statements are printed, each where its file and what that requires are
    imported, so that no other file changes them.
    """
    modules = " ".join(sources.module(place, file) for file in files)
    lines = [f"Set Printing Width {WIDTH}.", f"From Coq Require Reals List.\nRequire {modules}."]
    for i, group in enumerate(groups):
        lines += [f"Definition group{i} := ({', '.join(f'@{member.name}' for member in group)})."]
    lines += [
        f"Definition as_said_{member.name.replace('.', '_')} "
        f": {SAID}{member.name.removeprefix(PROVED)} := @{member.name}."
        for group in groups
        for member in group
        if member.name.startswith(f"{PROVED}.")
    ]
    lines += ["Goal True."]
    for i in range(len(groups)):
        lines += [f'idtac "{MARK}". Print Assumptions group{i}.']
    lines += ["exact I. Qed."]
    required = uses(place)
    for i, group in enumerate(groups):
        file = group[0].file
        near = [sources.module(place, each) for each in (*required[file], file) if each in files]
        lines += [
            f"Section page{i}.\nImport Coq.Reals.Reals Coq.Lists.List {' '.join(near)}.",
            "Open Scope R_scope.\nGoal True.",
            *(f'idtac "{MARK}". Check @{member.name}.' for member in group),
            f"exact I. Qed.\nEnd page{i}.",
        ]
    return "\n".join(lines) + "\n"


def _page(
    place: Path, files: Sequence[str], number: int, groups: Sequence[Sequence[sources.Stated]]
) -> list[AcceptedTheorem]:
    page = place / f"page{number}.v"
    page.write_text(_asked(place, files, groups), encoding="utf-8")
    parts = _run(["coqc", "-q", *_paths(place), page.name], place).split(MARK)[1:]
    axioms, statements = map(_axioms, parts[: len(groups)]), iter(parts[len(groups) :])
    theorems = []
    for group, axiom in zip(groups, axioms):
        for member in group:  # what follows the name in an answer to `Check`
            statement = re.sub(r"^\s*\S+\s+: ", "", next(statements)).strip()
            plain = "\n".join(line.removeprefix(" " * 7).rstrip() for line in statement.split("\n"))
            theorems.append(AcceptedTheorem(member.name, member.file, member.says, member.differs, plain, axiom))
    return theorems


def _axioms(said: str) -> list[str]:
    """Return the names of the axioms in an answer to `Print Assumptions`, which is all read."""
    title, *lines = said.strip().split("\n")
    if title == CLOSED and not lines:
        return []
    axioms = {line.split(" ")[0] for line in lines if not line.startswith(" ")}
    if title != "Axioms:" or not axioms or not axioms <= KNOWN.keys():
        raise NotChecked(f"expected axioms of Coq's reals, found {said.strip()}")
    return sorted(axioms)


def _run(words: Sequence[str], place: Path) -> str:
    room = {"OCAMLRUNPARAM": ROOM} if words[0] == "coqchk" else {}
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False, env={**os.environ, **room})
    if done.returncode:
        reasons = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise NotChecked(f"{words[0]}: " + "\n".join(reasons[-12:]))
    return done.stdout + (done.stderr if words[0] == "coqchk" else "")


@dataclass
class Answers:
    """What Coq said: by the digest of a source its theorems, if coqchk passed it; by the digest of
    a probe its truth value at each instance.
    """

    place: Path
    theorems: dict[str, list[AcceptedTheorem]] = field(default_factory=dict)
    probes: dict[str, str] = field(default_factory=dict)

    def keep(self) -> None:
        """Write them."""
        text = json.dumps({
            "theorems": {key: [*map(asdict, some)] for key, some in self.theorems.items()},
            "probes": self.probes,
        })  # fmt: skip
        new = self.place / f"{ANSWERS}.new"
        new.write_text(text, encoding="utf-8")
        new.replace(self.place / ANSWERS)


def kept_answers(place: Path) -> Answers:
    """Return what was kept in a folder: nothing, if it cannot be read."""
    try:
        content: dict[str, Any] = json.loads((place / ANSWERS).read_text(encoding="utf-8"))
        theorems = {key: [AcceptedTheorem(**each) for each in some] for key, some in content["theorems"].items()}
        return Answers(place, theorems, dict(content["probes"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Answers(place)


def uses(place: Path) -> dict[str, list[str]]:
    """Return the sources that each source requires itself, by what Coq's `coqdep` says."""
    text = (place / LISTED).read_text(encoding="utf-8")
    return {
        f"{name}.v": [word.removesuffix("o") for word in rest.split() if word.endswith(".vo")]
        for name, rest in COMPILED.findall(text)
    }


def source_keys(place: Path, coq: str, digests: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of each source with all that it uses."""
    used = uses(place)
    if missing := sorted(digests.keys() - used.keys()):
        raise NotChecked(f"{LISTED}: expected what {missing[0]} uses")

    @cache
    def key(file: str) -> str:
        within = [file, digests[file], *(key(each) for each in used[file] if each in digests)]
        return hashlib.sha256(" ".join([coq, *within]).encode()).hexdigest()

    return {file: key(file) for file in digests}
