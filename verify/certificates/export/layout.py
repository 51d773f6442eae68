"""How tables, comments and theorems are written in a file for Coq."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

LONGEST = 60
SHORT = 20_000  # bits of a table that is written with plain integers over one unit
DIGITS = 18  # of a machine word


HEADS = {
    "files compared": "Files compared: the framework and the mechanisms of the certificate are\n"
    "   those of the files whose SHA-256 it names.",
    "files not compared": "Files not compared: the certificate may name the SHA-256 of a framework "
    "and of\n   mechanisms, but whether its tables are theirs was not looked at.",
    "no input files": "No input files: the statement stands for itself.",
}


@dataclass(frozen=True)
class ExportedTheorem:
    """What a file is made of: the modules it needs, its definitions, and the last theorem with the
    term that proves it by computation, or with steps. Without modules it is about real numbers.
    """

    modules: Sequence[str]
    definitions: Sequence[str]
    statement: str
    term: str
    steps: Sequence[str] = ()


def signed(n: int) -> str:
    """Return an integer as Coq reads it as an argument."""
    return str(n) if n >= 0 else f"({n})"


def said(label: str) -> str:
    """Return a label as it may stand in a comment, for people only."""
    plain = re.sub(r"[^ \w.,:;=+|/-]", "?", label, flags=re.ASCII)
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}..."


def table(lines: Iterable[tuple[str, str]]) -> str:
    """Return a list with one entry per line, each with a comment behind it."""
    written = [*lines]
    ends = [";"] * (len(written) - 1) + [""]
    rows = [f"    {text}{end}  (* {said(label)} *)" for (text, label), end in zip(written, ends)]
    return "[\n" + "\n".join(rows) + "\n  ]" if rows else "[]"


def numbers(values: Iterable[int]) -> str:
    return f"[{'; '.join(map(signed, values))}]"


def listed(values: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, values))}]"


def over_one_unit(laws: Sequence[Sequence[Fraction]]) -> tuple[int, list[list[int]]]:
    """Return a common denominator of all numbers and what they are times it."""
    unit = math.lcm(*{x.denominator for law in laws for x in law})
    return unit, [[x.numerator * (unit // x.denominator) for x in law] for law in laws]


@dataclass(frozen=True)
class LawTable:
    """Laws as a table: what has to be defined before, the unit, and the rows over it."""

    definitions: Sequence[str]
    unit: str
    rows: str


def tabled(name: str, laws: Sequence[Sequence[Fraction]], labels: Sequence[str]) -> LawTable:
    """Return laws over one unit; or, where that would be long, every row over its own and in
    machine words, which Coq reads many times as fast, as a definition of this name.
    """
    unit = math.lcm(*{x.denominator for law in laws for x in law})
    if unit.bit_length() * sum(map(len, laws)) <= SHORT:
        unit, rows = over_one_unit(laws)
        return LawTable([], str(unit), table(zip(map(numbers, rows), labels)))
    lines = []
    for law in laws:
        own, (row,) = over_one_unit([law])
        lines.append(f"({own}, {words(row)})")
    definition = f"Definition {name} : table := {table(zip(lines, labels))}."
    return LawTable([definition], f"shared_unit {name}", f"over_shared {name}")


def words(values: Sequence[int]) -> str:
    """Return numbers that are not negative as words of 18 digits, equally many for each."""
    per = max(1, -(-len(str(max(values, default=0))) // DIGITS))
    texts = (str(x).zfill(per * DIGITS) for x in values)
    parts = (text[i : i + DIGITS] for text in texts for i in range(0, per * DIGITS, DIGITS))
    return f"words {per} {listed(map(int, parts))}%uint63"


def written(theorem: ExportedTheorem, name: str, kind: str, digest: str, compared: str) -> str:
    """Return the text of a file; `compared` is the key of `HEADS` that is true of it."""
    head = ["From Coq Require Import Reals Lra.", "Open Scope R_scope."]
    if theorem.modules:
        large = ["Rows"] * any(": table :=" in definition for definition in theorem.definitions)
        head = [
            "From Coq Require Import List ZArith.",
            f"From Pufferproof Require Import {' '.join([*large, *theorem.modules])}.",
            "Import ListNotations.",
            "Open Scope Z_scope.",
        ]
    computed = [f"apply ({theorem.term}).", "vm_cast_no_check (eq_refl true)."]
    return "\n".join(
        [
            f"(* Certificate {said(name)} of the kind {kind},",
            f"   sha256:{digest} *)",
            f"(* {HEADS[compared]} *)",
            *head,
            "",
            *(f"{definition}\n" for definition in theorem.definitions),
            f"Theorem statement : {theorem.statement}.",
            "Proof.",
            *(f"  {step}" for step in theorem.steps or computed),
            "Qed.",
            "Print Assumptions statement.",
            "",
        ]
    )
