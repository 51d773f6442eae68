"""How much of what matters is proved: the headline statements of the papers, and the claims that
production code rests on, by verdict.

A headline statement is a claim that a paper prints as a theorem, a lemma, a proposition or a
corollary, by `kind` in the registry. Production code rests on the claims that the constant
`RESTS_ON` of a file names; how many files name a claim says how much depends on it. Both sets are
computed, and nobody keeps a list.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pufferproof
from pufferproof.claims.registry import Claim, load_claims
from pufferproof.reports.console.streams import paragraph
from pufferproof.verify.proof.argument import HOLDS

HEADLINE_KINDS = ("theorem", "lemma", "proposition", "corollary")
PRODUCTION = ("models", "verify", "lp", "counterexamples")
MUCH_USED = 3  # files
IN_PART = "PROVED in part"
_HOLDING = [each.value for each in HOLDS]
_ORDER = ("PROVED", IN_PART, *_HOLDING[1:], "OPEN", "REFUTED", "DEFINITION")
_WIDTH = 100

Record = Mapping[str, Mapping[str, Any]]
"""The verdict of each claim, and of its readings, by id: `record.verdicts`, `EXPECTED.json`."""


def rests_on(source: str) -> list[str]:
    """Return the claims that the constant `RESTS_ON` of a source names.

    >>> rests_on('RESTS_ON = ("worst.vertices",)')
    ['worst.vertices']
    """
    constant = re.search(r"^RESTS_ON = (\((?:[^()]*)\))$", source, flags=re.MULTILINE)
    return list(ast.literal_eval(constant[1])) if constant else []


@cache
def files_by_claim() -> Mapping[str, Sequence[str]]:
    """Return the files of production code that name a claim, by each claim that one names."""
    home, found = Path(pufferproof.__path__[-1]), dict[str, list[str]]()
    for file in (file for floor in PRODUCTION for file in sorted((home / floor).rglob("*.py"))):
        for claim in rests_on(file.read_text(encoding="utf-8")):
            found.setdefault(claim, []).append(file.relative_to(home).as_posix())
    return found


def is_headline(claim: Claim) -> bool:
    """Whether a paper prints a claim of this package as a theorem, or as what is one by another
    name.
    """
    return claim.own and claim.printed and claim.kind in HEADLINE_KINDS


def standing(identifier: str, record: Record) -> str:
    """Return the verdict of what is true of a claim: PROVED if every reading that holds is PROVED,
    "PROVED in part" if some are, else the weakest verdict of those; or its own if none holds.
    """
    found = record[identifier]
    holding = [each for each in found["readings"] if each in _HOLDING]
    if found["verdict"] not in (*_HOLDING, "DEPENDS") or not holding:
        return str(found["verdict"])
    weakest = max(holding, key=_HOLDING.index)
    return IN_PART if "PROVED" in holding and weakest != "PROVED" else weakest


def headlines(record: Record) -> list[dict[str, Any]]:
    """Return the headline statements among the claims of a record, each with the verdict of its
    true form: the claim itself, or its repair if the print is false, or true in some readings only
    and the repair rests on more.
    """
    rows = []
    for claim in load_claims().values():
        if claim.id not in record or not is_headline(claim):
            continue
        form = _true_form(claim, record)
        rows.append({"id": claim.id, "form": form, "repaired": form != claim.id} | {"standing": standing(form, record)})
    return rows


def _true_form(claim: Claim, record: Record) -> str:
    """Return the claim itself or one of its repairs: the first that is not false, or where the
    first reading holds and others do not, what rests on most.
    """
    repair, verdict = claim.repair, record[claim.id]["verdict"]
    if verdict not in ("REFUTED", "DEPENDS") or repair is None or repair not in record:
        return claim.id
    other = _true_form(load_claims()[repair], record)
    if verdict == "REFUTED":
        return other
    return min(claim.id, other, key=lambda form: _ORDER.index(standing(form, record)))


def of_code(record: Record) -> list[dict[str, Any]]:
    """Return the claims of a record that production code names, the most used first."""
    used = sorted(files_by_claim().items(), key=lambda each: (-len(each[1]), each[0]))
    return [
        {"id": name, "files": len(files), "standing": standing(name, record)} for name, files in used if name in record
    ]


def counted_lines(record: Record) -> list[str]:
    """Render both counts for a terminal, with the claims of each verdict."""
    printed, code = headlines(record), of_code(record)
    much = [row for row in code if row["files"] >= MUCH_USED]
    files = f"files of production code name, of {len(code)}, with the number of files"
    return [
        *_by_standing("headline statements of the papers, as printed or as repaired", printed),
        *_by_standing(f"claims that {MUCH_USED} or more {files}", much),
        *_by_standing(f"claims that fewer {files}", code[len(much) :]),
    ]


def _by_standing(title: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Render one count: a line for each verdict, and the claims that have it below."""
    shown = [f"{title}: {len(rows)}"] if rows else []
    for each in _ORDER:
        mine = [_row(row) for row in rows if row["standing"] == each]
        if mine:
            shown += [f"  {each:<14} {len(mine):>5}", *paragraph(" " * 6, ", ".join(mine), _WIDTH)]
    return shown


def _row(row: Mapping[str, Any]) -> str:
    return f"{row['id']}:{row['files']}" if "files" in row else str(row["form"])
