"""The command behind `make extract`: in the folder above, `python -m formal.extracting FOLDER`.

Builds the checker that Coq extracts from `extract` in FOLDER, with the reader in OCaml beside it,
and says where it is; then the same for pages, with `browser` in FOLDER, and compares it with the
program that is shipped there. Exit codes: 0 built, or Coq or OCaml is not there; 1 refused, and
with EXTRACT=require also if one of them is not there; 2 wrong usage. EXTRACT=record writes the
program that is shipped.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from . import NotChecked, sources
from .building import NoCoq
from .exported import held, run, theory

PROGRAM = "verified"
OCAML = "ocaml-nox ocaml-findlib libzarith-ocaml-dev"
# The sources in OCaml, each after those that it needs; hints need not be trusted.
READER = (
    *("numbers", "reader", "hints", "leakage", "proposed", "redaction", "runs", "rows"),
    *("noise", "certificate", "native"),
)
HINTS = ("hints", "proposed")
PAGES = ("big_int_Z.ml", "bigint.js", "answers.ml")
SHIPPED, BUILT = "verified.js", "BUILT.json"
JS_OF_OCAML = "js-of-ocaml libjs-of-ocaml-dev"
CLAIM = (
    "Checked by a program extracted from a Coq proof. Proved: whatever the extracted function "
    "accepts is true of the tables it is given. Not proved: that the certificate was read into "
    "these tables rightly ({lines} lines), Coq's extraction and OCaml. To rely on it, check the "
    "certificate with a copy of the checker that you got yourself."
)
PAGE_CLAIM = (
    "Checked in this page by a program extracted from a Coq proof. Proved: whatever the extracted "
    "function accepts is true of the tables it is given. Not proved: that the certificate was read "
    "into these tables rightly ({lines} lines), Coq's extraction, OCaml, js_of_ocaml and your "
    "browser. Whoever wrote this page could have altered it: to rely on it, check the certificate "
    "with a copy of the checker that you got yourself."
)


class NoOCaml(NotChecked):
    """There is no OCaml with zarith on the path."""


def texts(folder: Path) -> dict[str, str]:
    """Return the sources in OCaml of a folder such as the project's `formal`."""
    place = folder / "extract" / "ocaml"
    return {name: (place / f"{name}.ml").read_text(encoding="utf-8") for name in READER}


def lines(written: Mapping[str, str]) -> int:
    """Return of how many lines those sources are that must be believed."""
    return sum(text.count("\n") for name, text in written.items() if name not in HINTS)


def compiler() -> str:
    """Return the version of OCaml; raise `NoOCaml` without it, or without zarith."""
    if all(shutil.which(tool) for tool in ("ocamlfind", "ocamlopt")):
        words = ["ocamlfind", "query", "-format", "zarith %v %d", "zarith"]
        asked = subprocess.run(words, capture_output=True, text=True, check=False)
        *said, place = asked.stdout.split() or [""]
        if (Path(place) / "big_int_Z.cmi").exists():  # the library, not its run time alone
            return " ".join(["OCaml", run(["ocamlopt", "-version"], Path()).strip(), *said])
    raise NoOCaml(f"ocamlfind and zarith are not there: install them with `apt-get install {OCAML}`")


def extracted(folder: Path) -> Path:
    """Build the program of a folder, unless that was done from the same sources, and return it.

    Raises `NoCoq` or `NoOCaml` without them, and `NotChecked` if a source is refused.
    """
    made_by, place = compiler(), theory(folder)
    written, commands = texts(folder), (folder / sources.EXTRACTION).read_text(encoding="utf-8")
    proofs, build = (place / "done").read_text(encoding="utf-8"), place / "program"
    made = "\n".join([made_by, proofs, commands, *written.values(), CLAIM])
    build.mkdir(exist_ok=True)
    with held(build):
        done = build / "done"
        if not (done.exists() and done.read_text(encoding="utf-8") == made):
            (build / "Extracted.v").write_text(commands, encoding="utf-8")
            roots = [root for root in sources.roots(folder) if (place / root[0]).is_dir()]
            words = [word for below, name in roots for word in ("-Q", f"../{below}", name)]
            run(["coqc", "-q", *words, "Extracted.v"], build)
            compiled(build, written)
            done.write_text(made, encoding="utf-8")
    return build / PROGRAM


def compiled(build: Path, written: Mapping[str, str]) -> None:
    """Compile the program in a folder that has what Coq extracted, `core.ml`."""
    claim = CLAIM.format(lines=lines(written))
    files = ["core.mli", "core.ml", "built.ml", *(f"{name}.ml" for name in READER)]
    for name, text in {"built": f"let claim = {{|{claim}|}}\n", **written}.items():
        (build / f"{name}.ml").write_text(text, encoding="utf-8")
    words = ["ocamlfind", "ocamlopt", "-package", "zarith", "-linkpkg", "-w", "-a"]
    run([*words, *files, "-o", PROGRAM], build)


def for_pages(folder: Path) -> tuple[bytes, dict[str, str]]:
    """Build the program for pages from what `extracted` left; return it, and what it is made of:
    digests of sources, and the versions of the tools.

    Raises `NoOCaml` without js_of_ocaml.
    """
    words = ["ocamlfind", "query", "-format", "js_of_ocaml %v", "js_of_ocaml"]
    asked = subprocess.run(words, capture_output=True, text=True, check=False)
    if asked.returncode or shutil.which("js_of_ocaml") is None:
        raise NoOCaml(f"js_of_ocaml is not there: install it with `apt-get install {JS_OF_OCAML}`")
    build = theory(folder) / "program" / "pages"
    build.mkdir(exist_ok=True)
    claim = PAGE_CLAIM.format(lines=lines(texts(folder)))
    (build / "built.ml").write_text(f"let claim = {{|{claim}|}}\n", encoding="utf-8")
    for name in PAGES:
        shutil.copy(folder / "browser" / name, build)
    for name in ("core.ml", "core.mli", *(f"{name}.ml" for name in READER[:-1])):
        shutil.copy(build.parent / name, build)
    files = ["big_int_Z.ml", "core.mli", "core.ml", "built.ml"]
    files += [f"{name}.ml" for name in READER[:-1]] + ["answers.ml"]
    package = ["-no-check-prims", "-package", "js_of_ocaml", "-linkpkg"]
    run(["ocamlfind", "ocamlc", "-w", "-a", *package, *files, "-o", "verified.byte"], build)
    run(["js_of_ocaml", "--opt", "3", "bigint.js", "verified.byte", "-o", SHIPPED], build)
    coq = run(["coqc", "-print-version"], build).split()[0]
    tools = f"Coq {coq}, {compiler()}, {asked.stdout.strip()}"
    return (build / SHIPPED).read_bytes(), {**made_of(folder), "tools": tools}


def made_of(folder: Path) -> dict[str, str]:
    """Return the digests of the sources of the program for pages that are not theory."""
    names = [f"browser/{name}" for name in PAGES]
    names += [f"extract/ocaml/{name}.ml" for name in READER]
    of_coq = ("Checked", "Extracted", "Linear", "Noise", "Repetition")
    names += [f"extract/{name}.v" for name in of_coq]
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def compared(folder: Path, record: bool) -> str:
    """Build the program for pages, compare it with the one that is shipped, or write that; return
    what to say. Raises `NotChecked` if it is another, made by the same tools.
    """
    program, made = for_pages(folder)
    place, known = folder / "browser", {"program": hashlib.sha256(program).hexdigest(), **made}
    if record:
        (place / SHIPPED).write_bytes(program)
        (place / BUILT).write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        return "written"
    shipped = json.loads((place / BUILT).read_text(encoding="utf-8"))
    if shipped["tools"] != known["tools"]:
        return f"not compared, as it was made by {shipped['tools']}"
    if shipped != known or (place / SHIPPED).read_bytes() != program:
        raise NotChecked(f"{SHIPPED} is not what its sources make: EXTRACT=record writes it")
    return "as it is shipped"


def main(argv: Sequence[str]) -> int:
    """Run the command line; the result is the exit code."""
    if len(argv) != 1 or not Path(argv[0]).is_dir():
        print("usage: formal.extracting FOLDER", file=sys.stderr)
        return 2
    required = os.environ.get("EXTRACT") == "require"
    try:
        print(f"checker extracted from Coq: {os.path.relpath(extracted(Path(argv[0])), argv[0])}")
        told = compared(Path(argv[0]), os.environ.get("EXTRACT") == "record")
        print(f"the same for pages: browser/{SHIPPED}, {told}")
    except (NoCoq, NoOCaml) as error:
        print(f"extract: {error}", file=sys.stderr if required else sys.stdout)
        return 1 if required else 0
    except NotChecked as error:
        print(f"extract: refused: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
