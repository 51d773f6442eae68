"""A formula in LaTeX as templates show it: typeset in rows, or as lines of text, with what differs
from another formula marked.
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from unicodedata import combining
from urllib.parse import quote
from xml.etree import ElementTree

from markupsafe import Markup

from pufferproof.claims.registry import paper_given
from pufferproof.models.errors import ModelError, extras
from pufferproof.reports.proofs.papers.typesetting import (
    LEAVES,
    NO_BREAK,
    OPENING,
    RELATIONS,
    Marks,
    differing,
    leaves_of,
    lines_markup,
    name_of,
    rows_of,
    small,
    text_of,
    tree_of,
)
from pufferproof.reports.proofs.sentences import View

# Papers by their keys in `catalogue/references.bib`: title, authors, year, where to find them.


@dataclass(frozen=True)
class Paper:
    """What a page says of a paper; `place` is an arXiv number, a DOI or ""."""

    key: str
    title: str
    authors: tuple[str, ...]
    year: str
    place: str

    @property
    def address(self) -> str:
        """Where the paper is, for a link; "" if that is not known.

        >>> papers()["kifer2014pufferfish"].address
        'https://doi.org/10.1145/2514689'
        """
        kind, _, number = self.place.partition(":")
        home = {"arXiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}.get(kind, "")
        return f"{home}{quote(number)}" if home else ""

    @property
    def citation(self) -> str:
        """Authors by family name, and year: "Song and Chaudhuri 2017". A name without a comma
        ends with that of the family.
        """
        families = [_family(author) for author in self.authors]
        named = " and ".join(families) if len(families) < 3 else f"{families[0]} et al."
        return " ".join(part for part in (named, self.year) if part)


def _family(author: str) -> str:
    before, comma, _ = author.partition(",")
    return before if comma else (author.split() or [""])[-1]


def paper_of(name: str) -> Paper | None:
    """Return the paper of claims whose ids begin with a name: of the bibliography, or as the
    file of the claims has it in `PAPER`. Raises `ModelError` where that is another thing.
    """
    given = paper_given(name)
    return papers().get(name) or (None if given is None else _given(name, given))


def said_by_claims(name: str) -> str:
    """Return what a file of claims says of their paper, "" if none says anything; what a package
    calls `PAPER` for itself has no title.
    """
    given = paper_given(name)
    return str(given) if isinstance(given, dict) and "title" in given else ""


def _given(name: str, given: object) -> Paper:
    keys = {"title", "authors", "year", "place"}
    if not isinstance(given, dict) or "title" not in given or not given.keys() <= keys:
        raise ModelError("expected a dictionary with title and, if known, authors, year and place", f"PAPER of {name}")
    authors = given.get("authors", ())
    listed = (authors,) if isinstance(authors, str) else tuple(map(str, authors))
    year, place = str(given.get("year", "")), str(given.get("place", ""))
    return Paper(name, str(given["title"]), listed, year, place)


@cache
def papers() -> dict[str, Paper]:
    """Read the bibliography.

    >>> papers()["song2017"].citation
    'Song and Chaudhuri 2017'
    """
    with extras:
        from bibtexparser.entrypoint import parse_string  # which takes longer than what reads no page
        from bibtexparser.middlewares import LatexDecodingMiddleware, NormalizeFieldKeys, SeparateCoAuthors

    text = files("pufferproof.claims").joinpath("catalogue", "references.bib").read_text(encoding="utf-8")
    library = parse_string(
        text, append_middleware=[NormalizeFieldKeys(), LatexDecodingMiddleware(), SeparateCoAuthors()]
    )
    return {
        entry.key: _paper(entry.key, {field.key: field.value for field in entry.fields}) for entry in library.entries
    }


def _paper(key: str, fields: dict[str, object]) -> Paper:
    authors = fields.get("author", ())
    listed = [authors] if isinstance(authors, str) else list(authors)  # type: ignore[call-overload]
    doi = f"doi:{fields['doi']}" if "doi" in fields else ""
    place = f"arXiv:{fields['eprint']}" if "eprint" in fields else doi
    return Paper(key, str(fields["title"]), tuple(map(str, listed)), str(fields.get("year", "")), place)


def formula_view(latex: str, other: str = "", *, is_repair: bool = False) -> View | None:
    """Return what templates show of a formula, or None without one; formulas are typeset when they
    are asked for.

    Args:
        other: the repair of a printed formula, or what is printed if this is the repair.
    """
    if not latex:
        return None

    def marks() -> Marks | None:
        if not other:
            return None
        return differing(other, latex)[1] if is_repair else differing(latex, other)[0]

    def typeset(part: str, number: int) -> Markup | None:
        found = marks()
        return lines_markup(part, frozenset() if found is None else found[number])

    rows, number = list[tuple[str, list[View]]](), 0
    for word, parts in rows_of(latex):
        row = list[View]()
        for part in parts:
            row.append({"latex": part, "math": partial(typeset, part, number)})
            number += 1
        rows.append((word, row))
    return {
        "latex": latex,
        "math": partial(lines_markup, latex),
        "rows": rows,
        "lines": lambda: formula_lines(latex, marks()),
        "is_marked": lambda: any(marks() or ()),
    }


# Lines --------------------------------------------------------------------------------------------
#
# Formulas of papers as lines of text, for a letter: in Unicode, with what differs underlined.

WIDTH = 74
_BINARY = frozenset("+−·×∪∩∧∨∖⇝⟶⊕∣")
_ACCENTS = {"^": "\u0302", "ˇ": "\u030c", "¯": "\u0304", "―": "\u0304", "~": "\u0303", "˜": "\u0303"}
_TIGHT = re.compile(r" ?([+−=,]) ")
_NEXT_CASE = "\v"
Sign = tuple[str, bool]
"""A piece of text, and whether it differs."""
Leaves = Set[ElementTree.Element]


def formula_lines(latex: str, marks: Marks | None = None) -> list[str]:
    """Return a formula as lines of text; under a line whose signs differ stands another with ^.

    >>> formula_lines(r"x_2 \\le y^2 + 1 \\quad \\frac{a + b}{2}", (frozenset({5}), frozenset()))
    ['x₂ ≤ y² + 1', '          ^', '(a + b)/2']
    """
    lines, number = list[str](), 0
    for word, parts in rows_of(latex):
        signs = list[Sign]()
        for part in parts:
            marked = marks[number] if marks else frozenset[int]()
            number += 1
            joint = ", " if word == "If" else "\n"
            first = f"{word} " if word else ""
            signs += [(joint if signs else first, False)]
            signs += _signs(part, marked)
        lines += _wrapped(signs)
    return lines


def _signs(latex: str, marked: frozenset[int]) -> list[Sign]:
    """Return the text of a part; its LaTeX if it does not convert."""
    root = tree_of(latex)
    if root is None:
        return [(latex, False)]
    chosen = {each for number, each in enumerate(leaves_of(root)) if number in marked}
    return list(_text(root, chosen))


def _text(element: ElementTree.Element, chosen: Leaves) -> Iterator[Sign]:
    """Yield what an element says in a line of text."""
    tag, children = name_of(element), list(element)
    if tag in LEAVES:
        yield text_of(element).replace("\xa0", " "), element in chosen
    elif tag == "mspace":
        yield " ", False
    elif tag == "mtable":
        yield from _table(children, chosen)
    elif tag == "mfrac":
        yield from _factor(children[0], chosen)
        yield "/", False
        yield from _factor(children[1], chosen)
    elif tag in ("msqrt", "mroot"):
        yield "√", False
        yield from _factor(children[0], chosen)
    elif tag in ("msub", "msup", "msubsup", "munder", "mover", "munderover"):
        yield from _indexed(tag, children, chosen)
    else:
        yield from _sequence(children, chosen)


def _sequence(children: list[ElementTree.Element], chosen: Leaves) -> Iterator[Sign]:
    """Yield a row: signs between two terms stand apart, and so do words."""
    before, is_open = "", False
    for child, after in zip(children, [*children[1:], None]):
        sign = text_of(child) if name_of(child) in LEAVES else ""
        unary = before in OPENING | RELATIONS | _BINARY | {"", ",", ";", "word"}
        if sign == "{" and after is not None and name_of(after) == "mtable":
            yield "{ ", child in chosen
        elif sign == "|":
            opens = (unary or before == "|)") and not is_open
            yield "|" if opens or is_open else " | ", child in chosen
            sign = "|)" if is_open else ","
            sign = "(" if opens else sign
            is_open = opens
        elif sign and (sign in RELATIONS or (sign in _BINARY and not unary)):
            yield f" {sign} ", child in chosen
        elif sign and sign in ",;:":
            yield f"{sign} ", child in chosen
        elif _is_word(child):
            yield from [] if before in OPENING else [(" ", False)]
            yield from _text(child, chosen)
            opens = after is not None and bool(text_of(after)) and text_of(after) in OPENING
            yield from [] if opens else [(" ", False)]
            sign = "word"
        else:
            inner = list(_text(child, chosen))
            if name_of(child) == "mfrac":
                beside = before in ("word", "/") or (after is not None and text_of(after) == "/")
                inner = [("(", False), *inner, (")", False)] if beside else inner
            elif before == "mfrac" and name_of(child) != "mo":
                yield " ", False
            yield from inner
        before = sign or name_of(child)


def _is_word(element: ElementTree.Element) -> bool:
    """Whether an element is a function such as log, with indices or without."""
    name = name_of(element)
    if name in ("msub", "munder", "msubsup", "munderover"):
        return _is_word(element[0])
    text = text_of(element)
    return name in ("mi", "mo") and (len(text) > 1 or text in "∑∏") and text != ""


def _table(rows: list[ElementTree.Element], chosen: Leaves) -> Iterator[Sign]:
    """Yield the rows of a table on lines of their own: of cases, a value and where it holds."""
    for number, row in enumerate(rows):
        yield from [(f";{_NEXT_CASE}", False)] if number else []
        for place, cell in enumerate(row):
            inner = list(_sequence(list(cell), chosen))
            while inner and inner[-1][0].strip() in ("", ",", ".", ";"):
                inner.pop()
            words = bool(inner) and len(inner[0][0]) > 2 and inner[0][0].strip().isalpha()
            is_case = len(row) == 2 and len(rows) > 1
            joint = " if " if is_case else ", "
            joint = " " if words else joint
            yield joint if place else "", False
            yield from inner
    yield " }" if len(rows) > 1 and len(rows[0]) == 2 else "", False


def _factor(element: ElementTree.Element, chosen: Leaves) -> Iterator[Sign]:
    """Yield a part of a fraction, in brackets unless it is one sign with its indices."""
    inner = list(_text(element, chosen))
    depth, is_one = 0, True
    for letter in "".join(text for text, _ in inner).strip():
        depth += (letter in "([{") - (letter in ")]}")
        is_one &= depth > 0 or letter not in " /+−,"
    yield from inner if is_one else [("(", False), *inner, (")", False)]


def _indexed(tag: str, children: list[ElementTree.Element], chosen: Leaves) -> Iterator[Sign]:
    """Yield what has indices and powers, or an accent."""
    base, *others = children
    inner = list(_text(base, chosen))
    marks = ["^"] if tag in ("msup", "mover") else ["_", "^"]
    if tag == "mover" and (accent := _ACCENTS.get(text_of(others[0]))):
        yield "".join(text for text, _ in inner) + accent, any(each for _, each in inner)
        return
    is_sum = "".join(text for text, _ in inner).strip()
    yield from [("(", False), *inner, (")", False)] if " " in is_sum else inner
    for mark, other in zip(marks, others):
        found = list(_text(other, chosen))
        text = _TIGHT.sub(r"\1", "".join(each for each, _ in found).strip())
        differs = any(each for _, each in found)
        yield small(mark, text).replace(" ", NO_BREAK), differs


def _wrapped(signs: list[Sign]) -> list[str]:
    """Break text at spaces; under a line in which something differs stands one with ^."""
    letters = list[Sign]()
    for text, differs in signs:
        for letter in text:
            if letter == " " and letters and letters[-1][0] == "/":
                continue
            if letter in ",);:\n\v" and letters and letters[-1][0] == " ":
                letters.pop()
            if letter != " " or (letters and letters[-1][0] not in " \n\v("):
                letters.append((letter, differs and letter != " "))
    shown, indent = list[str](), ""
    while letters:
        end = _end(letters, WIDTH - len(indent))
        shown += _underlined(letters[:end], indent)
        indent = "" if letters[end : end + 1] == [("\n", False)] else "    "
        while letters[end : end + 1] and letters[end][0] in " \n\v":
            end += 1
        letters = letters[end:]
    return shown


def _end(letters: list[Sign], room: int) -> int:
    """Return where a line ends: at a break that is asked for, or the last space for which there is
    room.
    """
    text = "".join(letter for letter, _ in letters).replace("\v", "\n")
    asked = text.find("\n", 0, room + 1)
    if asked >= 0 or len(text) <= room:
        return asked if asked >= 0 else len(text)
    space = text.rfind(" ", 1, room + 1)
    return space if space > 0 else room


def _underlined(line: list[Sign], indent: str) -> list[str]:
    text = indent + "".join(letter for letter, _ in line).replace(NO_BREAK, " ").rstrip()
    under = "".join("^" if differs else " " for letter, differs in line if not combining(letter))
    return [text, f"{indent}{under}".rstrip()] if under.strip() else [text]
