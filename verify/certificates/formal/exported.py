"""Asking Coq about exported certificates: the theory they need is compiled once, then each file."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from . import NotChecked, building, sources
from .building import made_of, version
from .record import KNOWN

BUILD = ".exported"
NEEDED = (
    *("theory/foundations/Sums.v", "theory/foundations/Pufferfish.v", "theory/foundations/Laws.v"),
    *("theory/composition/Means.v", "theory/certificates/", "extract/", "theory/textbook/ExpLaws.v"),
    *("theory/quilts/Quilt.v", "theory/quilts/QuiltMechanism.v", "theory/quilts/Chain.v"),
    *(f"theory/noise/{name}.v" for name in ("Laplace", "Breakpoints", "Attained", "Slower")),
    "theory/noise/Geometric.v",
)
WORDS = ("eqb", "int", "land", "lsr")  # machine words of large tables, which Coq's kernel computes
ASKED = "Print Assumptions statement."
REQUIRED = re.compile(r"^From \w+ Require Import [\w ]+\.$", re.M)
PATIENCE = 600  # seconds for one file


def theory(folder: Path) -> Path:
    """Compile what exported certificates need of a folder such as the project's `formal`, unless
    that was done with the same sources, and return where. Raises `NoCoq` without Coq.
    """
    coq, place = version(), folder / BUILD
    place.mkdir(exist_ok=True)
    files = [file for file in sources.files(folder) if file.startswith(NEEDED)]
    with held(place):
        for file in files:
            source, target = folder / file, place / file
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != source.read_bytes():
                shutil.copyfile(source, target)
        done = place / "done"
        digests = made_of(coq, {file: sources.digest(place, file) for file in files})
        if not done.exists() or done.read_text(encoding="utf-8") != digests:
            build = folder / building.BUILD
            # whether a whole build compiled the same sources with the same Coq
            whole = build / building.WHOLE
            said = whole.read_text(encoding="utf-8").splitlines() if whole.exists() else []
            compiled_there = {*digests.splitlines()} <= {*said}
            for file in files:
                if compiled_there:
                    shutil.copyfile((build / file).with_suffix(".vo"), (place / file).with_suffix(".vo"))
                else:
                    run(["coqc", "-q", *paths(folder), file], place)
            done.write_text(digests, encoding="utf-8")
    return place


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Let nobody else build in a folder while the body runs, where files can be locked."""
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        with suppress(ModuleNotFoundError):  # Windows
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def paths(folder: Path) -> list[str]:
    """Return the words that tell Coq where what is compiled lies."""
    return [word for root in sources.roots(folder) for word in ("-Q", *root)]


def proved(place: Path, text: str, scratch: Path) -> list[str]:
    """Have Coq compile an exported file in a scratch folder, and return the axioms it rests on.

    Raises `NotChecked` with Coq's reason if it refuses, or if an axiom is not one of the reals.
    """
    return axioms_of(compiled(place, text, scratch))


def proved_together(place: Path, texts: Sequence[str], scratch: Path) -> list[str]:
    """As `proved`, of several exported files in one run of Coq, each as a module of its own: most
    of the time that Coq takes for a small file is to start and to look for its axioms. Returns the
    axioms that they rest on together.
    """
    required = {line for text in texts for line in REQUIRED.findall(text)}
    lines = sorted(line.replace("Import ", "", 1) for line in required)
    for i, text in enumerate(texts):
        if ASKED not in text:
            raise NotChecked(f"expected a file that ends in {ASKED!r}")
        lines += [f"Module C{i}.", text.replace(ASKED, ""), f"End C{i}."]
    statements = ", ".join(f"C{i}.statement" for i in range(len(texts)))
    lines += [f"Definition every := ({statements}).", "Print Assumptions every."]
    return axioms_of(compiled(place, "\n".join(lines) + "\n", scratch))


def compiled(place: Path, text: str, scratch: Path) -> str:
    """Return what Coq says while it compiles a file in a scratch folder."""
    (scratch / "Exported.v").write_text(text, encoding="utf-8")
    words = ["-Q", str((place / "theory").resolve()), "Pufferproof", "Exported.v"]
    return run(["coqc", "-q", "-w", "-require-in-module", *words], scratch)


def axioms_of(said: str) -> list[str]:
    """Return the axioms that Coq names; raise `NotChecked` if one is not of the reals."""
    if "Closed under the global context" in said:
        return []
    names = {*re.findall(r"^([\w.']+)\s*:", said, re.M)} - {"Axioms"}
    axioms = sorted(name.removeprefix("PrimInt63.") for name in names)
    if not axioms:
        raise NotChecked(f"expected the axioms of the statement, found {said[:200]!r}")
    if strange := set(axioms) - {*KNOWN, *WORDS}:
        raise NotChecked(f"expected axioms of Coq's reals, found {sorted(strange)}")
    return axioms


def run(words: list[str], place: Path) -> str:
    try:
        done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise NotChecked(f"coqc: no answer within {PATIENCE} seconds") from None
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.strip()]
        raise NotChecked("coqc refused: " + " ".join(reasons[-6:])[:400])
    return done.stdout
