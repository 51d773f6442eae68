"""The propositions of all statement objects as files for Coq, one for each area."""

import importlib
import re
import textwrap
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pufferproof
from pufferproof.claims.document.finder import modules_of
from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.vocabulary.coq.tie import modules
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.render import words
from pufferproof.models.errors import SolverError

FOLDER = "statements"
STATEMENT = re.compile(r"^statement \w+: ([\w.]+)\.\w+", re.MULTILINE)
"""The head of a statement object in a document, with its area."""
HEAD = """(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/{area}.v. *)
From Coq Require Import Reals List.
{modules}
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.
"""
TABLES = "#[local] Existing Instances Chain.finite_unit Chain.finite_vec.\n"
"""That tables of members of a finite set are finitely many."""


@cache
def propositions(area: str = "") -> Mapping[str, Proposition]:
    """Return the statement objects of an area, or all, by name: those that documents state.

    Raises `SolverError` if two that differ have one name, for what a near miss makes of one, or
    if two hypotheses of one have the same words.
    """
    found: dict[str, Proposition] = {}
    for module in [name for name, areas in _stated().items() if area in areas or not area]:
        objects = vars(importlib.import_module(module)).values()
        for each in (each for each in objects if isinstance(each, Proposition)):
            if area in ("", each.area) and found.setdefault(each.name, each) is not each:
                raise SolverError(f'two statement objects are named "{each.name}"')
    for each in found.values():
        if any(term.changed for term in (*each.given, each.then)):
            raise SolverError(f"{each.name}: expected entries as they are, found a near miss of one")
        if len(set(map(words, each.given))) < len(each.given):
            raise SolverError(f"{each.name}: two hypotheses have the same words")
    return dict(sorted(found.items()))


@cache
def _stated() -> Mapping[str, set[str]]:
    """Return the areas of the statements of each document that has some, by its module."""
    import pufferproof.claims as home

    found: dict[str, set[str]] = {}
    for module in modules_of(home):
        place = module.removeprefix("pufferproof.").replace(".", "/")
        path = Path(pufferproof.__path__[-1], place).with_suffix(SUFFIX)
        if path.is_file() and (areas := {*STATEMENT.findall(path.read_text(encoding="utf-8"))}):
            found[module] = areas
    return found


def areas() -> dict[str, str]:
    """Return the text of the file of each area, by its name."""
    by_area: dict[str, list[Proposition]] = {}
    for each in propositions().values():
        by_area.setdefault(each.area, []).append(each)
    return {area: text(area, some) for area, some in by_area.items()}


def text(area: str, some: Iterable[Proposition]) -> str:
    """Return the file of an area."""
    definitions = [definition(each) for each in some]
    named = " ".join(modules(["Sums.x", *definitions]))
    tables = [TABLES] if "Chain" in named.split() else []
    needed = textwrap.fill(f"From Pufferproof Require {named}.", 100, subsequent_indent="  ")
    head = HEAD.format(area=area.replace(".", "/"), modules=needed)
    return "\n".join([head, *tables, *definitions])


def definition(said: Proposition) -> str:
    """Return the definition of a constant, in lines of at most a hundred characters."""
    lines = []
    for line in said.coq.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(
            line, 98, subsequent_indent=f"{indent}  ", break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip
    return "\n".join([*lines, ""])


def place(area: str) -> str:
    """Return the path of the file of an area in the folder for Coq."""
    return f"{FOLDER}/{area.replace('.', '/')}.v"


def stale(folder: Path) -> list[str]:
    """Return the files of a folder that are not, byte for byte, what the objects say now."""
    wanted = {place(area): written for area, written in areas().items()}
    there = {path.relative_to(folder).as_posix() for path in (folder / FOLDER).glob("**/*.v")}
    return [
        name
        for name in sorted(there | wanted.keys())
        if name not in wanted or name not in there or (folder / name).read_bytes() != wanted[name].encode()
    ]


def write(folder: Path) -> None:
    """Write the files of all areas, and delete those of areas that there are no more."""
    wanted = {place(area): written for area, written in areas().items()}
    for name in stale(folder):
        if name in wanted:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(wanted[name], encoding="utf-8")
        else:
            (folder / name).unlink()
