"""Statements of documents as pages read them, beside their source: for every instance of a family,
if hypotheses hold, then the conclusion; the letters and facts of a linked argument; what is drawn.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pufferproof.claims.document.expressions.reading import canonical
from pufferproof.claims.document.lines import look
from pufferproof.claims.document.parts import (
    Argument,
    Define,
    Family,
    Hypothesis,
    LetterLine,
    Linking,
    Program,
    Sorts,
    StatementPart,
    Text,
)
from pufferproof.claims.document.programs.blocks import HYPOTHESES
from pufferproof.models.errors import ModelError
from pufferproof.reports.proofs.pages import prose
from pufferproof.reports.proofs.papers.shown import formula_view
from pufferproof.reports.proofs.sections.formulas import bounded, letter, parsed
from pufferproof.reports.proofs.sentences import View

BLOCKS = (Argument, Define, Family, Hypothesis, Program, Sorts, StatementPart)
Row = tuple[str, list[View]]
_FACTS = {"along": "along {0.over}", "attained": "at {0.over}", "by": "by {0.text}"}
_MADE = {
    "sum": r"\sum_{{{over}}} {term}",
    "product": r"\prod_{{{over}}} {term}",
    "largest": r"\max_{{{over}}} {term}",
    "least": r"\min_{{{over}}} {term}",
}


def block_view(part: Any, parts: Sequence[Any]) -> View:
    """Return the title of a block, what it says in words, and rows of words and formulas."""
    match part:
        case Program():
            return _view(f"Program {part.name}", "", _program(part, parts))
        case Family():
            rows = [("drawn", [_code(each.text) for each in part.drawn])] if part.drawn else []
            return _view(f"Family {part.name}", part.said, [*rows, ("gives", [_code(part.entries.text)])])
        case Hypothesis():
            return _view(f"Hypothesis {part.name}", part.words, [("is", [_cell(part.value)])])
        case Define():
            rows = [("where", [_code(each.text) for each in part.where])] if part.where else []
            value = [("is", [_cell(part.value)])]
            return _view(f"{part.name}({part.arguments})", part.said, [*rows, *value])
        case Sorts():
            return _view("Letters of statements", "", _sorts(part))
        case StatementPart():
            return _view(f"Statement {part.name}", "", _statement(part))
    return _view(f"Argument {part.name}", part.about, _argument(part))


def _view(title: str, said: str, rows: Iterable[Row]) -> View:
    return {"kind": "block", "title": title, "said": prose(said), "rows": list(rows)}


def _cell(value: Text, letters: Mapping[str, str] | None = None, words: str = "") -> View:
    """Return an expression as a formula where it reads as one, else as it is written; with words
    that somebody wrote for it.
    """
    text = _short(value.text)
    if letters is None and not _is_plain(text):
        return _code(text, words)
    try:
        (shown,) = parsed(text.replace("==", "=").replace("**", "^"), letters or {})
    except (ModelError, ValueError):
        return _code(text, words)
    return _formula(shown, words)


_KNOWN = frozenset(("exp", "log", "ln", "sqrt", "pi", "oo", "I", "E"))


def _is_plain(text: str) -> bool:
    """Whether names of a program are letters that nobody takes for others, or for known numbers."""
    names = {*re.findall(r"[A-Za-z_]\w*", text)}
    return not names & _KNOWN and len({*map(look, names)}) == len(names)


def _formula(latex: str, words: str = "") -> View:
    return {"words": prose(words), "formula": formula_view(latex), "code": ""}


def _code(text: str, words: str = "") -> View:
    return {"words": prose(words), "formula": None, "code": text}


def _short(text: str) -> str:
    try:
        return canonical(text)
    except ModelError:
        return text


# --- programs and objects
# ----------------------------------------------------------------------------------------------


def _program(part: Program, parts: Sequence[Any]) -> Iterator[Row]:
    """Yield for what a program says that something holds."""
    said = {each.name: each.said for each in parts if isinstance(each, Family)}
    known = {each.name: each for each in parts if isinstance(each, Hypothesis)}
    family = part.family.text
    yield "for every", [_code(family, said.get(family, ""))]
    given = [_given(words, text, known) for key, words, text in part.fields if key in HYPOTHESES]
    if given:
        yield "if", [each for some in given for each in some]
    where = [_code(text.text) for key, _, text in part.fields if key == "where"]
    if where:
        yield "where", where
    for key, parameters, text in part.fields:
        if key == "holds":
            with_these = f"with {parameters}" if parameters else ""
            yield "then", [_cell(text, words=with_these)]
    misses = [_code(text.text, words) for key, words, text in part.fields if key == "not"]
    if misses:
        yield "not with", misses


def _given(words: str, text: Text, known: Mapping[str, Hypothesis]) -> list[View]:
    """Return hypotheses: one with its words, or those that are named."""
    if words:
        return [_cell(text, words=words)]
    named = [(name, known.get(name)) for name in text.text.split("; ")]
    return [_code(name) if each is None else _cell(each.value, words=each.words) for name, each in named]


def _sorts(part: Sorts) -> Iterator[Row]:
    for each in part.entries:
        yield ", ".join(shown for _, shown, _ in each.names), [_code(each.sort.text)]


def _statement(part: StatementPart) -> Iterator[Row]:
    """Yield the letters, hypotheses and conclusion of an object, as they are written."""
    for word, key in (("for every", "over"), ("if", "if"), ("then", "then")):
        texts = [_code(each.text) for each in part.texts(key)]
        if texts:
            yield word, texts


# --- linked arguments
# ----------------------------------------------------------------------------------------------


def _argument(part: Argument) -> Iterator[Row]:
    """Yield letters, hypotheses, definitions, facts and the conclusion."""
    shown = {x: f"{x}_{its}" for each in part.given for x, its in each.names if its}
    if part.indices:
        yield "for every", [_formula(letter(name), words) for name, words in part.indices]
    yield "let", [_given_letters(each, shown) for each in part.given]
    for word, kinds in (("if", ("given",)), ("where", _DEFINED)):
        found = [_line(each, shown) for each in part.lines if each.kind in kinds]
        if found:
            yield word, found
    facts = [x for x in part.lines if x.kind not in ("given", "conclude", "moving", *_DEFINED)]
    if facts:
        yield "so", [_line(each, shown) for each in facts]
    yield "then", [_line(each, shown) for each in part.lines if each.kind == "conclude"]


_DEFINED = ("let", "at", "before", "chain", *_MADE)


def _given_letters(each: LetterLine, shown: Mapping[str, str]) -> View:
    names = [letter(name, shown) for name, _ in each.names]
    return _formula(bounded(names, each.domain), each.meaning)


def _line(each: Linking, shown: Mapping[str, str]) -> View:
    """Return a line of an argument: what it says, and by what."""
    by = f" by {', '.join(each.by)}" if each.by else ""
    rule = _FACTS.get(each.kind, "").format(each)
    words = each.meaning or " ".join(filter(None, [each.name, rule])) + by
    try:
        latex = _latex(each, shown)
    except ModelError:
        latex = ""
    return _formula(latex, words) if latex else _code("", words)


def _latex(each: Linking, shown: Mapping[str, str]) -> str:
    """Return what a line says in LaTeX, "" if it has no formula of its own."""
    if each.kind in _MADE:
        (term,) = parsed(each.text, shown)
        return f"{letter(each.name, shown)} = {_MADE[each.kind].format(over=each.over, term=term)}"
    if each.kind in ("at", "before"):
        end = rf"\text{{ at }} {letter(each.over)}" if each.kind == "at" else r"\text{ before each}"
        return f"{letter(each.name, shown)} = {letter(each.text, shown)}{end}"
    if each.kind == "chain":
        (start,), (more,) = parsed(each.start, shown), parsed(each.text, shown)
        return rf"{letter(each.name, shown)} = {start} \text{{, then at each {each.over} }} {more}"
    if each.kind == "let":
        (value,) = parsed(each.text, shown)
        return f"{letter(each.name, shown)} = {value}"
    if each.kind in ("term", "again", "swap", "exponentials", "by"):
        return ""
    return parsed(each.text, shown)[0]
