"""Which documents the claims of a report stand in, as pages."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

import pufferproof.claims as claims_of_the_package
from pufferproof.claims.document.expressions.reading import canonical, entries
from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.outside import LONGEST
from pufferproof.claims.document.parts import ClaimPart, Code, Document, Let, Letters, Reading, Step, Table, Text, Use
from pufferproof.claims.document.reader import PRINTS, STEPS, read
from pufferproof.claims.language.printed import SYMBOLS
from pufferproof.claims.language.wording import quoted
from pufferproof.claims.run import Result
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import bytes_of
from pufferproof.reports.proofs.pages import file_name, prose
from pufferproof.reports.proofs.papers.grades import BROKEN
from pufferproof.reports.proofs.papers.shown import formula_view, papers
from pufferproof.reports.proofs.papers.typesetting import typeset
from pufferproof.reports.proofs.sections.blocks import BLOCKS, block_view, bounded, letter, parsed
from pufferproof.reports.proofs.sentences import View

# Citations in prose as links: ids of claims to where they stand, and keys of papers to papers.

_NAME = re.compile(r"(?<![\w./:@-])[A-Za-z]\w*(?:\.\w+(?:-\w+)*)?(?![\w-])")
Linked = Callable[[str], str | None]


def citations(text: str) -> Iterator[re.Match[str]]:
    """Yield what may be the id of a claim or the key of a paper."""
    return _NAME.finditer(text)


def setting_of(linked: Mapping[str, str], symbols: Mapping[str, str]) -> dict[str, object]:
    """Return what templates of pages of documents write prose with."""
    written = partial(typeset, symbols=symbols)
    linking = partial(cited, written=written, linked=linked.get)
    return {"typeset": written, "cited": linking, "linked": linked.get}


def cited(text: str, written: Callable[[str], Markup], linked: Linked) -> Markup:
    """Return prose for a page, with a link at each claim and each paper that it names.

    >>> print(cited("By own.lemma, a <b>", Markup.escape, {"own.lemma": "#own.lemma"}.get))
    By <a href="#own.lemma">own.lemma</a>, a &lt;b&gt;
    """
    shown, last = Markup(""), 0
    for match in citations(text):
        paper = papers().get(match[0])
        if address := linked(match[0]) or (paper.address if paper else ""):
            link = Markup('<a href="{}">{}</a>').format(address, match[0])
            shown += written(text[last : match.start()]) + link
            last = match.end()
    return shown + written(text[last:])


HOME = Path(claims_of_the_package.__file__).resolve().parent
_SHELVES = ("papers", "ours")


@dataclass(frozen=True)
class Page:
    """A document as a page: its text, its place for readers, and the name of its page."""

    text: str
    place: str
    name: str

    @cached_property
    def document(self) -> Document:
        """What the text says."""
        return read(self.text, self.place)

    def view(self, results: Sequence[Result], views: Sequence[View]) -> View:
        """Return what templates show of it, with what was found of its claims."""
        mine = {each.id for each in self.document.claims}
        examined = {
            result["id"]: (result, view) for result, view in zip(results, views, strict=True) if result["id"] in mine
        }
        papers = dict.fromkeys(view["paper_file"] for _, view in examined.values())
        symbols = {x: y for _, view in examined.values() for x, y in view["symbols"].items()}
        more = {"place": self.place, "file": self.name, "papers": [*papers], "symbols": symbols}
        return {**Section(self.document, self.text, examined).view(), **more}


def texts_of(pages: Sequence[Page]) -> list[list[str]]:
    """Return what pages are made from, but for what was found of claims."""
    return [[page.name, page.place, page.text] for page in pages]


def pages_of(results: Sequence[Result], extra: Sequence[str] = ()) -> list[Page]:
    """Return the documents of claims as pages: those of this package by the places of claims, and
    those of files and folders of a user.
    """
    own = {place for result in results if (place := _place(result))}
    found = {page.name: page for page in map(page_of, sorted(own))}
    known = {result["id"] for result in results}
    for page in _of_users(extra):
        if known & {each.id for each in page.document.claims}:
            name, number = page.name, 1
            while name in found:
                number += 1
                name = f"{page.name}-{number}"
            found[name] = Page(page.text, page.place, name)
    return [*found.values()]


def page_of(place: str) -> Page:
    """Return the page of a document of this package, by its place from the root."""
    path = HOME.parent / place
    inner = path.relative_to(HOME).with_suffix("").parts
    name = ".".join(inner[1:] if inner[0] in _SHELVES else inner)
    return Page(_text(path), place, file_name(name))


def _place(result: Result) -> str:
    """Return the place of the document of a claim of this package, "" if it is of none."""
    place = str(result.get("source", "")).rpartition(":")[0]
    is_own = place.startswith(f"{HOME.name}/") and place.endswith(SUFFIX)
    return place if is_own and (HOME.parent / place).is_file() else ""


def _of_users(extra: Sequence[str]) -> Iterator[Page]:
    for each in extra:
        path = Path(each)
        paths = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        for one in paths:
            if one.suffix == SUFFIX:
                yield Page(_text(one), one.name, file_name(one.stem))


def _text(path: Path) -> str:
    return bytes_of(path, LONGEST).decode("utf-8")


def places(sections: Sequence[View]) -> Mapping[str, View]:
    """Return of every claim where it stands: the page of its section, and the place there."""
    return {
        part["id"]: {"file": each["file"], "anchor": part["anchor"], "title": each["title"]}
        for each in sections
        for part in each["parts"]
        if part["kind"] == "claim"
    }


# Shown --------------------------------------------------------------------------------------------
#
# What a page shows of a document, by the parts that it has: nothing is left out. What is not known
# here, a kind of block or a field, is shown as it is written.

_KNOWN: Mapping[type, str] = {
    Use: "place names",
    Letters: "entries",
    Table: "name entries",
    Let: "names value said",
    Code: "source",
    Step: "kind name sentence given",
    Reading: "name scope says steps through near",
    ClaimPart: "id where kind statement given then prints assumes repair unsaid why readings",
}
"""The fields of each kind of block that a page shows."""
_TITLES = {"notation": "Notation", "symbols": "How letters are printed"}
_PROGRAM = (("of", "every"), ("holds", "satisfies"), ("by", "because"), ("is", "is"), ("so", "so"))
Examined = Mapping[str, tuple[Result, View]]
"""Results of claims and what pages show of them, by ids."""


class Section:
    """A document, its text, and what was found of its claims."""

    def __init__(self, document: Document, text: str, examined: Examined) -> None:
        self.document, self.examined = document, examined
        self._lines = text.split("\n")
        letters = [each for each in document.parts if isinstance(each, Letters)]
        self.letters = {name: shown for each in letters for line in each.entries for name, shown in line.names}

    def view(self) -> View:
        """Return what templates show."""
        parts = self.document.parts
        ends = [(int(each.line) - isinstance(each, Code)) - 1 for each in parts[1:]] + [len(self._lines)]
        return {
            "title": self.document.title,
            "prose": paragraphs(self.document.prose),
            "parts": _together(self._part(*each) for each in zip(parts, ends, strict=True)),
        }

    def _part(self, part: Any, end: int) -> View:
        """Return a part that ends on this line; as it is written if more is in it than is known."""
        source = "\n".join(self._lines[(int(part.line) - isinstance(part, Code)) - 1 : end]).strip("\n")
        unknown, shown = unknown_in(part), View()
        match part:
            case _ if isinstance(part, BLOCKS):
                shown, unknown = block_view(part, self.document.parts) | {"source": source}, []
            case _ if type(part) not in _KNOWN:
                shown, unknown = {"kind": "unknown", "source": source}, []
            case Use():
                shown = {"kind": "use", "source": source}
            case Letters():
                # the letters of a line with their domain, what they mean, and whether they are real
                rows = [
                    (
                        formula_view(bounded([letter(name, self.letters) for name, _ in line.names], line.domain)),
                        prose(line.meaning),
                        line.real,
                    )
                    for line in part.entries
                ]
                shown = {"kind": "letters", "rows": rows}
            case Table():
                title = _TITLES.get(part.name, part.name)
                shown = {"kind": "table", "title": title, "rows": _texts(part.entries)}
                shown["is_code"] = part.name == SYMBOLS
            case Let():
                value = f"{part.names} = {python(part.value)}"
                shown = {"kind": "let", "value": value, "said": prose(part.said)}
            case Code():
                shown = {"kind": "code", "source": part.source, "names": [*_defined(part.source)]}
            case ClaimPart():
                shown = self._claim(part)
        return {**shown, "written": source if unknown else ""}

    # --- claims

    def _claim(self, part: ClaimPart) -> View:
        result, view = self.examined.get(part.id, (None, None))
        if result is None or view is None:
            of_readings = {}
        else:
            of_readings = {
                reading["name"]: {**shown, "is_formula": _is_formula(reading)}
                for reading, shown in zip(result["readings"], view["readings"], strict=True)
            }
        body = [self._block(each, of_readings) for each in part.readings]
        more = [each for name, each in of_readings.items() if name not in {each.name for each in part.readings}]
        is_shown = part.then is not None or not any(map(_has_formulas, more))
        return {
            "kind": "claim",
            "id": part.id,
            "anchor": file_name(part.id),
            "title": view["title"] if view else quoted(part.where) or part.id,
            "where": part.where,
            "of_kind": part.kind,
            "claim": view,
            "statement": prose(part.statement),
            "formula": self._formula(part),
            "said": self._print(part.prints),
            "assumes": [prose(each) for each in part.assumes],
            "repair": part.repair,
            "unsaid": _texts([(name, reason.text) for name, reason in part.unsaid]),
            "why": paragraphs(part.why),
            "body": body,
            "more": [] if len(of_readings) == 1 and is_shown else list(map(_opened, more)),
        }

    def _formula(self, part: ClaimPart) -> View | None:
        """Return the statement as a formula, from what was parsed; None if it is none."""
        if part.then is None:
            return None
        given = parsed(part.given.text, self.letters) if part.given else []
        (then,) = parsed(part.then.text, self.letters)
        rows = [("If", list(map(formula_view, given)))] if given else []
        return {"rows": [*rows, ("then" if given else "", [formula_view(then)])]}

    def _print(self, prints: Mapping[str, str]) -> View:
        """Return what a paper prints, by the fields that say it; formulas are typeset."""
        shown: View = {key: prose(prints.get(key, "")) for key in PRINTS}
        one, other = prints.get("formula", ""), prints.get("repaired", "")
        return shown | {
            "formula": formula_view(one, other),
            "repaired": formula_view(other, one, is_repair=True),
            "broken": BROKEN.get(prints.get("breaks", ""), prints.get("breaks", "")),
        }

    def _block(self, each: Any, of_readings: Mapping[str, View]) -> View:
        """Return a block of a claim: a reading, what opens readings, or as it is written."""
        if type(each) not in _KNOWN or unknown_in(each):
            return {"kind": "unknown", "source": self._indented(each.line)}
        view = of_readings.get(each.name)
        programs = [("says", python(each.says))] if each.says is not None else []
        programs += [("through", python(each.through))] if each.through is not None else []
        programs += [(f"near {name}", python(text)) for name, text in each.near]
        is_false = any(step.kind == "false" for step in each.steps)
        steps = [_step(step, view if step.kind == "false" else None) for step in each.steps]
        return {
            "kind": "reading",
            "name": quoted(prose(each.name)),
            "scope": prose(each.scope),
            "reading": view,
            "steps": steps if is_false else [*steps, *_at(view)],
            "programs": programs + [one for step in steps for one in step["programs"]],
        }

    def _indented(self, line: int) -> str:
        """Return a line and those that stand in it."""
        found = [self._lines[line - 1]]
        for each in self._lines[line:]:
            if each and not each.startswith(" "):
                break
            found.append(each)
        return "\n".join(found).rstrip("\n")


def _together(parts: Iterable[View]) -> list[View]:
    """Return parts of a page; those that take from elsewhere, and follow each other, as one."""
    found: list[View] = []
    for each in parts:
        if found and each["kind"] == found[-1]["kind"] == "use":
            found[-1]["source"] += f"\n{each['source']}"
        else:
            found.append(each)
    return found


def unknown_in(part: Any) -> list[str]:
    """Name the fields of a block, or of what is in it, that have something and that pages do not
    know.
    """
    known = {*_KNOWN.get(type(part), "").split(), "line"}
    found = [each.name for each in fields(part) if getattr(part, each.name)]
    found = [each for each in found if each not in known]
    if isinstance(part, ClaimPart):
        found += [each for each in part.prints if each not in PRINTS]
    for each in getattr(part, "steps", ()):
        found += unknown_in(each) + ([] if each.kind in STEPS else [each.kind])
    return found


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text for a page."""
    return [prose(" ".join(each.split())) for each in text.split("\n\n") if each.strip()]


def python(text: Text | str) -> str:
    """Return an expression in the layout of documents; what is none as it is written."""
    written = text if isinstance(text, str) else text.text
    try:
        return canonical(written)
    except ModelError:
        return written


def _step(step: Step, reading: View | None) -> View:
    """Return a step: its sentence, and the values of a counterexample, as they were evaluated if
    they were, else as the document has them.
    """
    evaluated = (reading or {}).get("counterexample")
    kinds = [(word, python(step.given[key])) for key, word in _PROGRAM if key in step.given]
    kinds += [("call", python(step.given["call"]))] if "call" in step.given else []
    values = [] if evaluated is None else evaluated["values"]
    tables = [] if evaluated is None else evaluated["tables"]
    if "at" in step.given and not (values or tables):
        values = [(name or "and", python(value)) for name, value in entries(step.given["at"].text)]
    return {
        "kind": step.kind,
        "name": prose(step.name),
        "sentence": prose(step.sentence),
        "values": values,
        "tables": tables,
        "programs": kinds,
    }


def _opened(view: View) -> View:
    """Return a reading that a program opens."""
    shown = {"kind": "reading", "name": view["name"], "scope": "", "programs": []}
    return shown | {"reading": view, "steps": _at(view)}


def _at(view: View | None) -> list[View]:
    """Return the counterexample of a reading that the document does not have, if there is one."""
    if view is None or not view["counterexample"]:
        return []
    evaluated = {key: view["counterexample"][key] for key in ("values", "tables")}
    return [{"name": "", "sentence": view["finding"], "programs": [], **evaluated}]


def _is_formula(reading: Result) -> bool:
    """Whether a reading is one formula, that of its first step."""
    is_made = reading["statement"] is not None and reading["said"] is None
    return is_made and bool(reading["steps"])


def _has_formulas(reading: View) -> bool:
    return bool(reading["said"] or reading["is_formula"])


def _texts(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, prose(text)) for name, text in pairs]


def _defined(source: str) -> Iterator[str]:
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return
    for each in body:
        match each:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                yield name
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                yield name
