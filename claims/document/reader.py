"""Read a document: text to parts, each error with its line and what was expected."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from pufferproof.claims.document import arguments, statements
from pufferproof.claims.document.lines import FENCE, NAME, SYMBOLS, Line, Once, Reader, is_symbol
from pufferproof.claims.document.parts import (
    ClaimPart,
    Code,
    Document,
    Let,
    LetterLine,
    Letters,
    Part,
    Reading,
    Step,
    Table,
    Text,
    Use,
)
from pufferproof.claims.document.programs import blocks

PRINTS = (*("print", "formula", "shows", "ours", "repaired"), *("cause", "breaks", "because", "instead"))
"""Fields that say what a paper prints, in the order of a document."""
FIELDS = ("if", "then", *PRINTS, "assumes", "unsaid", "repair", "why")
STEPS = ("false", "every", "definition", "call")
"""Kinds of steps, each the first field of one."""
OF_STEPS = {"false": ("at", "by", "so"), "every": ("of", "holds", "so"), "definition": ("so", "is"), "call": ()}
_USE = re.compile(r"use ([A-Za-z0-9_.]+)(?:: (.+))?")
_LET = re.compile(rf"let ({NAME}(?:, {NAME})*) = (.+)", re.DOTALL)
_FIELD = re.compile(rf"({'|'.join((*FIELDS, 'reading'))})(?: (.+?))?(?::|$)(?: |$)", re.DOTALL)
PAPER = ("title", "authors", "year", "place")
"""What `paper:` says; `authors` are joined by "and"."""
_SPLIT = re.compile(r", (?![^(]*\))")
"""What stands between letters of `notation:`, as in `f(x, y), g`."""
_WORDS = "if|then|and|or|not|implies|for|all|every|real|let|be|is|the|sum|product|over|of"
_LETTER = re.compile(rf"(?!(?:{_WORDS})$){NAME}[*']*")  # no word of sentences that are made
_TABLES = ("notation", "symbols", "paper", "printed")


def read(text: str, place: str = "document") -> Document:
    """Return the document that a text is. Raises `ModelError` where it is none, with the line."""
    reader = Reader(text, place)
    if reader.line is None or not reader.line.text.startswith("# "):
        raise reader.wrong(1, 'expected "# TITLE" on the first line')
    title = _head(reader, reader.take()).removeprefix("# ")
    prose = reader.paragraphs(_begins, unlike_prose)
    parts: list[Part] = []
    while (line := reader.line) is not None:
        parts.append(_part(reader, line))
    return Document(title, prose, tuple(parts))


def _head(reader: Reader, line: Line) -> str:
    """Return a heading. Raises `ModelError` if a paragraph goes on with it."""
    head, more, text = line.text.partition("\n\n")
    if more:
        said = f'"{text:.60}" goes on with the heading "{head:.40}": begin it in column 0'
        raise reader.wrong(line.number, said)
    return head


def _begins(text: str) -> bool:
    """Whether a paragraph begins a part."""
    return bool(
        text.startswith(("## ", "letters:", "sorts:", *(f"{each}:" for each in _TABLES)))
        or _USE.fullmatch(text)
        or _LET.match(text)
        or statements.HEAD.fullmatch(text)
        or blocks.begins(text)
        or arguments.BEGINS.match(text)
    )


_LIKE = (
    (r"(\w+):(?: |$)", (*FIELDS, "reading", "letters", "sorts", *_TABLES)),
    (rf"(\w+) {NAME}(?:, {NAME})* =(?: |$)", ("let",)),
    (r"(\w+) [\w.]+:(?: |$)", ("use", "linked", "statement", "family", "hypothesis", "program")),
    (rf"(\w+) (?:cached )?{NAME}(?:\(| over )", ("define", "program")),
    (r"(\w+) .*(?: ::| \|) ", ("reading",)),
    (r"(reading) |(unsaid) .*:(?: |$)|(use) [\w.]+$", ("reading", "unsaid", "use")),
)
"""Forms of lines that begin a part or a field, and the first words of each."""
_NEAR = 0.8  # how much words are alike that are taken for one another


def unlike_prose(line: Line) -> str:
    """Return why a line is no prose: it looks like a part or a field, which would vanish."""
    meant = _meant(line.text)
    if not meant:
        return ""
    found = f'"{line.text:.60}"'
    if line.text.split(maxsplit=1)[0].rstrip(":") not in (meant, "##"):
        return f'found {found} in prose, did you mean "{meant}"?'
    if line.block:
        return f"expected prose, or what begins a part of a document, found {found}"
    return f"expected a blank line before {found}; if it is prose, write it 4 columns in"


def _meant(text: str) -> str:
    """Return with which word of the form a line begins, or with nearly which one."""
    if text.startswith(("#", "`" * 3)):
        return "##" if text.startswith("#") else FENCE
    for form, words in _LIKE:
        if found := re.match(form, text):
            word = str(next(filter(None, found.groups())))
            begun = words == ("reading",) or word[0].islower() or word in ("If", "Then")
            if begun and (near := get_close_matches(word.lower(), words, 1, _NEAR)):
                return near[0]
    return ""


def _part(reader: Reader, line: Line) -> Part:
    text = line.text
    reader.take()
    if line.fenced:
        return Code(text, line.number)
    if line.column == 0:
        if text == "letters:":
            return Letters(tuple(_letter(reader, each) for each in reader.entries()), line.number)
        if text == "sorts:":
            return statements.sorts([*reader.entries()], line, reader.place)
        if text.startswith("statement "):
            return statements.statement([*reader.entries()], line, reader.place)
        if text.removesuffix(":") in _TABLES and text.endswith(":"):
            return _table(reader, text.removesuffix(":"), line)
        if used := _USE.fullmatch(text):
            names = (used[2] or "").split(", ") if used[2] else ()
            pairs = tuple(_named(reader, line, each) for each in names)
            return Use(used[1], pairs, line.number)
        if let := _LET.fullmatch(text):
            said = " ".join(_said(reader))
            return Let(let[1], Text(let[2], line.number), said, line.number)
        if text.startswith("linked "):
            return arguments.read(reader, line)
        if text.startswith("## "):
            return _claim(reader, line)
        if blocks.begins(text):
            return blocks.read(reader, line)
    raise reader.wrong(
        line.number,
        'expected "use PLACE: NAMES", "letters:", "sorts:", "notation:", "let NAME = ..", '
        f'"statement NAME: ..", "linked NAME: ..", "program NAME over FAMILY", "family NAME: ..", '
        f'"## ID | PLACE" or a fence of Python, found "{text:.60}"',
    )


def _table(reader: Reader, name: str, line: Line) -> Table:
    entries, once = dict[str, str](), Once(reader.place)
    while (each := reader.line) is not None and each.column == 2:
        key, text = _entry(reader, reader.take())
        if name == "paper" and key not in PAPER:
            said = f'expected one of {", ".join(PAPER)}, found "{key:.40}"'
            raise reader.wrong(each.number, said)
        if name == "symbols" and not (_LETTER.fullmatch(key) and is_symbol(text, in_prose=True)):
            said = f'expected a letter and how pages show it, such as {SYMBOLS}, found "{key:.40}: '
            raise reader.wrong(each.number, f'{said}{text:.40}"')
        for letter in _SPLIT.split(key) if name == "notation" else [key]:
            once.add(f'"{letter}"', each.number)
        entries[key] = text
    if name == "paper" and "title" not in entries:
        raise reader.wrong(line.number, 'expected "title: .." below "paper:"')
    return Table(name, tuple(entries.items()), line.number)


def _said(reader: Reader) -> Iterator[str]:
    """Yield what stands behind `let`: a line in column 2 that says what it is."""
    for each in reader.entries():
        yield each.text


def _named(reader: Reader, line: Line, text: str) -> tuple[str, str]:
    found = re.fullmatch(rf"({NAME})(?: as ({NAME}))?", text)
    if found is None:
        raise reader.wrong(line.number, f'expected a name, or "NAME as OTHER", found "{text:.60}"')
    return found[1], found[2] or found[1]


def _entry(reader: Reader, line: Line) -> tuple[str, str]:
    quoted, rest = _quoted(reader, line, line.text, ": ")
    name, colon, text = rest.partition(": ")
    name = quoted or name
    if not colon or not name:
        raise reader.wrong(line.number, f'expected "NAME: what it is", found "{line.text:.60}"')
    return name, text


def _letter(reader: Reader, line: Line) -> LetterLine:
    """Read `a, b >= 0: meaning`, `0 <= p <= 1: ..`, `e "epsilon" real: ..`."""
    head, meaning = _entry(reader, line)
    return arguments.letter_line(reader, line, head, meaning)


def _claim(reader: Reader, line: Line) -> ClaimPart:
    head = _head(reader, line).removeprefix("## ").split(" | ")
    if not 2 <= len(head) <= 3:
        raise reader.wrong(line.number, f'expected "## ID | PLACE | KIND", found "{line.text:.60}"')
    identifier, where, kind = (*head, "theorem")[:3]
    begun = reader.line.number if reader.line else line.number
    statement = reader.paragraphs(lambda x: bool(_FIELD.match(x)) or _begins(x), unlike_prose, 1)
    if field := re.match(r"[a-z]+: ", statement):
        said = f'expected a statement or one of the fields {", ".join(FIELDS)}, found "{field[0]}"'
        raise reader.wrong(begun, said)
    made = ClaimPart(identifier, where, kind, statement, line.number)
    readings: list[Reading] = []
    prints: dict[str, str] = {}
    once = Once(reader.place)
    while (each := reader.line) is not None and not each.fenced and each.column == 0:
        if each.text.startswith("reading "):
            readings.append(_reading(reader, reader.take()))
            once.add(f'reading "{readings[-1].name}"', each.number)
            continue
        field = _FIELD.match(each.text)
        if field is None:
            if _begins(each.text):
                break
            raise reader.wrong(
                each.number,
                f'expected "reading NAME" or one of the fields {", ".join(FIELDS)}, found "{each.text:.60}"',
            )
        reader.take()
        key, name, value = field[1], field[2] or "", each.text[field.end() :]
        if not value or (name and key != "unsaid"):
            raise reader.wrong(each.number, f'expected "{key}: ..", found "{each.text:.60}"')
        if key != "assumes":
            once.add(f'field "{f"{key} {name}".strip()}"', each.number)
        if key in PRINTS:
            prints[key] = value
        else:
            made = _with_field(made, key, name, Text(value, each.number))
    return replace(made, readings=tuple(readings), prints=prints)


def _with_field(made: ClaimPart, key: str, name: str, value: Text) -> ClaimPart:
    match key:
        case "if":
            return replace(made, given=value)
        case "then":
            return replace(made, then=value)
        case "assumes":
            return replace(made, assumes=(*made.assumes, value.text))
        case "unsaid":
            return replace(made, unsaid=(*made.unsaid, (name, value)))
        case "repair":
            return replace(made, repair=value.text)
    return replace(made, why=value.text)


def _reading(reader: Reader, line: Line) -> Reading:
    """Read `reading NAME | SCOPE :: PROGRAM` and the fields below it."""
    head = _head(reader, line).removeprefix("reading ")
    name, head = _quoted(reader, line, head, " | ", " :: ")
    head, separated, program = head.partition(" :: ")
    first, _, scope = head.partition(" | ")
    name = name or first
    says = Text(program, line.number) if separated else None
    steps: list[tuple[str, str, dict[str, Text], int]] = []
    through: Text | None = None
    near: list[tuple[str, Text]] = []
    once = Once(reader.place)
    for each in reader.entries():
        key, colon, value = each.text.partition(": ")
        if not colon or not value:
            raise reader.wrong(each.number, f'expected "KEY: ..", found "{each.text:.60}"')
        if key in STEPS:
            fields = Once(reader.place)
            steps.append((key, value, {}, each.number))
            if key != "call":
                once.add(f'step "{value.partition(" -- ")[0]}"', each.number)
        elif key == "through":
            once.add(f'field "{key}"', each.number)
            through = Text(value, each.number)
        elif key.startswith("near "):
            once.add(f'"{key.replace("_", " ")}"', each.number)
            near.append((key.removeprefix("near "), Text(value, each.number)))
        elif steps and key in OF_STEPS[steps[-1][0]]:
            fields.add(f'field "{key}"', each.number)
            steps[-1][2][key] = Text(value, each.number)
        else:
            known = OF_STEPS[steps[-1][0]] if steps else ()
            raise reader.wrong(
                each.number, f'expected one of {", ".join((*known, *STEPS, "through", "near NAME"))}, found "{key:.40}"'
            )
    made = tuple(_step(*each) for each in steps)
    return Reading(name, line.number, scope, says, made, through, tuple(near))


def _quoted(reader: Reader, line: Line, text: str, *ends: str) -> tuple[str, str]:
    """Split off a name in quotation marks, which stands so if it has a sign that would end it."""
    if not text.startswith('"'):
        return "", text
    name, _, rest = text[1:].partition('"')
    if rest and not rest.startswith(ends):
        raise reader.wrong(line.number, f'expected one of {ends} behind "{name}", found "{rest:.40}"')
    return name, rest


def _step(kind: str, value: str, given: Mapping[str, Text], line: int) -> Step:
    """Split the name of a step from its sentence: `false: NAME -- SENTENCE`."""
    if kind == "call":
        return Step(kind, "", "", {"call": Text(value, line)}, line)
    name, _, sentence = value.partition(" -- ")
    return Step(kind, name, sentence, given, line)
