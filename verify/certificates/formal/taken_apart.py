"""An exported file taken apart: its digest, its definitions, its statement; and how numbers, lists
and tables stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from . import NotChecked

Json = Any
COMMENT = re.compile(r"\(\*[^*\"]*\*\)")
HEAD = re.compile(r"\(\* Certificate [^*\"]* of the kind [a-z-]+,\n   sha256:([0-9a-f]{64}) \*\)\n")
OPENING = re.compile(
    r"From Coq Require Import List ZArith\. "
    r"From Pufferproof Require Import (\w+(?: \w+)*)\. "
    r"Import ListNotations\. Open Scope Z_scope\. "
)
DEFINITION = re.compile(r"Definition (\w+) : (\w+) := ([^.]*)\. ")
REALS = "From Coq Require Import Reals Lra. Open Scope R_scope. "
STATED = r"Theorem statement : ([^.]*)\. Proof\. "
END = r"Qed\. Print Assumptions statement\."
CLOSING = re.compile(rf"{STATED}apply \(([^.]*)\)\. vm_cast_no_check \(eq_refl true\)\. {END}")
STEPS = re.compile(rf"{STATED}(.*\. ){END}")
TACTICS = {  # of proofs about real numbers, beside names of variables and hypotheses
    *("intros", "assert", "by", "rewrite", "ring", "lra", "apply", "pow_lt", "pow_le"),
    *("pow2_ge_0", "Rmult_lt_0_compat", "Rmult_le_pos", "split", "exists", "repeat"),
}
FIELD = re.compile(r"(\w+) := ([^:]*?)(?:; (?=\w+ := )|$)")
MODULES = {
    *("Indices", "Tables", "Rows", "Places", "Released", "Scaled"),
    *("Rates", "Logarithms", "Games", "Composing", "Separated", "Repeated"),
    *("Budgets", "WorstCase", "Exponentials", "Redactions", "Redacted"),
    *("Sides", "Designs", "Priced", "Sided", "Designed"),
}
ROW = re.compile(r"\(([0-9]+), words ([0-9]+) \[([0-9; ]*)\]%uint63\)")
BASE = 10**18  # of machine words


class ExportedFile:
    """An exported file taken apart: the digest it names, its definitions, and its statement."""

    def __init__(self, text: str) -> None:
        head = HEAD.match(text)
        plain = " ".join(COMMENT.sub(" ", text).split())
        self.definitions: dict[str, tuple[str, str]] = {}
        self.tables: list[str] = []  # definitions that records were found to refer to
        if head and plain.startswith(REALS):
            self.digest, self.statement = head[1], about_reals(plain.removeprefix(REALS))
            return
        opening = OPENING.match(plain)
        if not head or not opening:
            raise NotChecked("expected the first lines of an exported certificate")
        if strange := set(opening[1].split()) - MODULES:
            raise NotChecked(f"expected modules of certificates, found {sorted(strange)}")
        self.digest, place = head[1], opening.end()
        while match := DEFINITION.match(plain, place):
            if match[1] in self.definitions:
                raise NotChecked(f"{match[1]} is defined twice")
            self.definitions[match[1]] = (match[2], match[3])
            place = match.end()
        closing = CLOSING.fullmatch(plain, place)
        if not closing:
            raise NotChecked("expected definitions, one theorem, and one computation as its proof")
        self.statement = closing[1]

    def record(self, name: str, kind: str, keys: str) -> dict[str, str]:
        """Return the fields of a definition, in their order."""
        actual, text = self.definitions.get(name, ("nothing", ""))
        inner = re.fullmatch(r"\{\| (.*) \|\}", text)
        if actual != kind or not inner:
            raise NotChecked(f"expected {name} to be a {kind}, found {actual}")
        fields = [(match[1], match[2]) for match in FIELD.finditer(inner[1])]
        whole_text = "; ".join(f"{key} := {value}" for key, value in fields)
        if [key for key, _ in fields] != keys.split() or whole_text != inner[1]:
            raise NotChecked(f"{name}: expected the fields {keys} and nothing else")
        return dict(fields)


def about_reals(plain: str) -> str:
    """Return the statement of a theorem whose proof is of a few tactics; Coq judges them."""
    closing = STEPS.fullmatch(plain)
    if not closing:
        raise NotChecked("expected one theorem and its proof")
    words = set(re.findall(r"[A-Za-z_][\w']*", closing[2]))
    strange = {word for word in words - TACTICS if not re.fullmatch("[vhT][0-9]+", word)}
    if strange:
        raise NotChecked(f"expected other steps of a proof, found {sorted(strange)}")
    return closing[1]


def whole(text: str) -> int:
    """Read an integer as Coq has it."""
    if not re.fullmatch(r"-?[0-9]+|\(-[0-9]+\)", text):
        raise NotChecked(f"expected an integer, found {text[:40]!r}")
    return int(text.strip("()"))


def split(text: str) -> list[str]:
    """Return the entries of a list, none of which has brackets."""
    if not re.fullmatch(r"\[[^\[\]]*\]", text):
        raise NotChecked(f"expected a list, found {text[:40]!r}")
    inner = text[1:-1].strip()
    return inner.split("; ") if inner else []


def lists(text: str) -> list[list[str]]:
    """Return the entries of a list of lists."""
    rows = re.findall(r"\[[^\[\]]*\]", text[1:-1])
    if "".join(text.split()) != "".join(f"[{';'.join(rows)}]".split()):
        raise NotChecked(f"expected a list of lists, found {text[:40]!r}")
    return [split(row) for row in rows]


def fractions(rows: Sequence[Sequence[str]], unit: str) -> list[list[Fraction]]:
    """Return rows over one unit."""
    if whole(unit) <= 0:
        raise NotChecked(f"expected a unit above 0, found {unit}")
    return [[Fraction(whole(z), whole(unit)) for z in row] for row in rows]


def laws(file: ExportedFile, name: str, unit: str, rows: str) -> list[list[Fraction]]:
    """Return the rows of a record, over its unit or as the table of this name over their own."""
    if unit != f"shared_unit {name}" and rows != f"over_shared {name}":
        return fractions(lists(rows), unit)
    kind, text = file.definitions.get(name, ("nothing", ""))
    found = ROW.findall(text)
    shown = "; ".join(f"({own}, words {per} [{flat}]%uint63)" for own, per, flat in found)
    expect((unit, rows, kind) == (f"shared_unit {name}", f"over_shared {name}", "table"), name)
    if text != f"[ {shown} ]":
        raise NotChecked(f"{name}: expected rows of machine words")
    file.tables.append(name)
    return [[Fraction(x, whole(own)) for x in joined(name, int(per), split(f"[{flat}]"))] for own, per, flat in found]


def joined(name: str, per: int, flat: list[str]) -> Iterable[int]:
    """Yield the numbers that so many words each stand for, the leading one first."""
    expect(per > 0 and len(flat) % per == 0, f"{name}: words")
    for i in range(0, len(flat), per):
        x = 0
        for word in flat[i : i + per]:
            x = x * BASE + whole(word)
        yield x


def expect(condition: object, what: str) -> None:
    if not condition:
        raise NotChecked(f"{what}: not as in the certificate")


def level(given: Json) -> str:
    """Return a level as it is written in a statement."""
    ((form, value),) = given.items()
    return f"({ {'log': 'Log', 'nats': 'Nats'}[form] } {pair(Fraction(value))})"


def pair(x: Fraction) -> str:
    return f"{x.numerator if x >= 0 else f'({x.numerator})'} {x.denominator}"
