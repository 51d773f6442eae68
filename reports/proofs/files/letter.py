"""The letter to the authors of a paper, in Markdown that reads well as plain text: what holds, what
does not and by which numbers, and how to check it.
"""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pufferproof.claims.language.refuting import AUTHOR
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import Result
from pufferproof.models.errors import ModelError
from pufferproof.reports.console.labels import rendered
from pufferproof.reports.proofs.pages import claim_views, prose
from pufferproof.reports.proofs.papers.grades import BOUNDARY, FALSE, HYPOTHESIS, SLIP
from pufferproof.reports.proofs.papers.shown import paper_of
from pufferproof.reports.proofs.papers.titles import by_cause, graded, is_numbered, opening
from pufferproof.reports.proofs.papers.typesetting import plain
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.proof.argument import HOLDS

_TITLES = ((BOUNDARY, "Boundary cases, which we do not count as errors"), (SLIP, "Misprints"))
_WRONG = {
    FALSE: "is false as printed",
    HYPOTHESIS: "lacks a hypothesis",
    BOUNDARY: "fails at degenerate instances",
    SLIP: "has a misprint",
}
_VERSION = {
    "PROVED": "This version is proved",
    "DERIVED": "This version is derived from facts that engines decided",
    "CHECKED": "This version is true of every member of a finite family",
    "TRIED": "This version held at every instance that we tried, which is no proof",
    "DEPENDS": "This version holds in its first reading",
}
_KINDS = {
    "PROVED": "Coq, the kernel, or exact or interval arithmetic proved the whole statement",
    "DERIVED": "engines decided every fact of an argument from which the statement follows",
    "CHECKED": "the statement is true of every member of a finite family",
    "TRIED": "the statement held at every instance that we tried, which is no proof",
    "DEPENDS": "the first reading holds, which the authors most likely mean, and another is false",
}
_HOLDING = {*(each.value for each in HOLDS), "DEPENDS"}
_OVER = re.compile(r"([∑∏])_(?:\{((?:[^{}]|\{[^{}]*\})*)\}|([^\W_]+))")  # what a sum is over
_LONGEST = 700  # letters of a statement, and of tables
_READ = re.compile(r"[\\`*$]|<(?=[A-Za-z/!?])|(?<![^\W_])_|~(?=~)|&(?=#?\w+;)|\](?=\()")
"""What Markdown would not show as it is."""


def letter_to(
    paper: str,
    catalogue: Mapping[str, Sequence[str]],
    extra: Sequence[str],
    trust_code: bool,
    run: Callable[[list[str]], list[Result]],
) -> str:
    """Return the letter to the authors of a paper, after running its claims and their repairs.

    Raises `ModelError` for a paper that no claim is about.
    """
    loaded = load_claims(extra, trust_code=trust_code).values()
    claims = [claim for claim in loaded if claim.paper == paper]
    about = paper_of(paper) if claims else None
    if about is None and any(not each.own for each in claims):
        said = f'the file of "{paper}" names no paper: write "paper:" at its top, and "title: .."'
        raise ModelError(f"{said} in column 2 below it", "--letter")
    if about is None:
        known = sorted({claim.paper for claim in loaded})
        papers = ", ".join(name for name in known if paper_of(name) is not None)
        raise ModelError(f'no claim is of a paper "{paper}": expected one of {papers}', "--letter")
    repairs = {claim.repair for claim in claims if claim.repair is not None}
    ids = {claim.id for claim in claims}
    results = run([*(claim.id for claim in claims), *sorted(repairs - ids)])
    place = {name: number for number, name in enumerate(catalogue.get(paper, ()))}
    every = claim_views(results)
    views = sorted(
        (each for each in every if each["id"] in ids and each["printed"]),
        key=lambda view: place.get(view["id"], len(place)),
    )
    files = "".join(f" --claims {shlex.quote(str(each))}" for each in extra)
    files += " --trust-code" if extra and trust_code else ""
    symbols = {name: text for view in views for name, text in view["symbols"].items()}
    more: dict[str, object] = {"files": files, "say": partial(say, symbols=symbols)}
    text = rendered("proofs/letter.md.j2", _said(about, views, every) | more)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def say(text: str, symbols: Mapping[str, str] | None = None) -> str:
    """Write words for a letter: mathematics in Unicode, and only what Markdown reads is escaped.

    >>> say("D*(eps) <= 2 for X_p~>X_n, in *bold*", {"D*": "Δ⋆"})
    'Δ⋆(ϵ) ≤ 2 for Xₚ ⇝ Xₙ, in \\\\*bold\\\\*'
    """
    shown = plain(prose(" ".join(text.split())), symbols or {})
    return _READ.sub(r"\\\g<0>", _OVER.sub(r"\1[\2\3]", shown))


def _said(about: object, views: Sequence[View], every: Sequence[View]) -> dict[str, object]:
    """Return what the template shows of claims; `every` has their repairs too."""
    notation = {view["id"]: view["notation"] for view in every}
    said = graded(views)
    broken: Any = said["broken"]
    sections = [
        *((title, [_entry(cause, group, notation) for cause, group in entries]) for title, entries in broken),
        *(
            (title, [_entry(cause, group, notation) for cause, group in by_cause(_of(views, grade))])
            for grade, title in _TITLES
        ),
    ]
    holding = [view for view in views if view["verdict"] in _HOLDING]
    kinds = [
        (verdict, words, [view for view in holding if view["verdict"] == verdict]) for verdict, words in _KINDS.items()
    ]
    return {
        "paper": about,
        "printed": len(views),
        "definitions": sum(view["verdict"] == "DEFINITION" for view in views),
        "by_author": sum(view["refuted_by"] == AUTHOR for view in views),
        "opening": opening(views),
        "grades": said["grades"],
        "sections": [(title, entries) for title, entries in sections if entries],
        "holding": holding,
        "kinds": [each for each in kinds if each[2]],
        "open": [view for view in views if view["verdict"] == "OPEN"],
        "wrong": _WRONG,
        "is_numbered": is_numbered,
        "version": _VERSION,
        "marked": any(view["formula"] and view["repaired"] for view in views),
        "longest": _LONGEST,
    }


def _of(views: Sequence[View], grade: str) -> list[View]:
    return [view for view in views if view["grade"] == grade]


def _entry(
    cause: str, claims: Sequence[View], notation: Mapping[str, Sequence[tuple[str, str, str]]]
) -> dict[str, object]:
    """Return what one cause makes false: the worst claim in full, the others in short; letters of
    it and of its repair; and the ids that check all of it.
    """
    worst, *others = claims
    repair = [] if worst["repair"] is None else [worst["repair"]["id"]]
    ids = dict.fromkeys([worst["id"], *repair, *(each["id"] for each in others)])
    letters = dict.fromkeys(row for name in [*repair, worst["id"]] for row in notation[name])
    shown = worst["counterexamples"][0] if worst["counterexamples"] else None
    return {
        "cause": cause,
        "claim": worst,
        "counterexample": shown,
        "tables": [] if shown is None else _lines(shown["shown"]["tables"]),
        "others": others,
        "letters": list(letters),
        "ids": list(ids),
    }


def _lines(tables: Sequence[View]) -> list[str]:
    """Return tables as lines of text; none where they are too long for a letter."""
    lines = [line for each in tables for line in each["lines"] or [_line(each)]]
    return lines if sum(map(len, lines)) <= _LONGEST else []


def _line(table: View) -> str:
    rows = "; ".join(f"{name}: {', '.join(cell or '–' for cell in cells)}" for name, cells in table["rows"])
    return f"{table['caption']}: {rows}"
