"""Write a document: the inverse of the reader, and the one way in which a document is laid out."""

from collections.abc import Iterator

from pufferproof.claims.document import arguments, statements
from pufferproof.claims.document.expressions.reading import canonical
from pufferproof.claims.document.formulas import shown
from pufferproof.claims.document.lines import CLOSED, CONTINUED, FENCE, Line, paragraph, plain, wrapped
from pufferproof.claims.document.parts import (
    Argument,
    ClaimPart,
    Code,
    Define,
    Document,
    Hypothesis,
    Let,
    LetterLine,
    Letters,
    Part,
    Reading,
    Sorts,
    StatementPart,
    Step,
    Table,
    Use,
)
from pufferproof.claims.document.programs import blocks
from pufferproof.claims.document.reader import OF_STEPS, PRINTS, unlike_prose


def write(document: Document) -> str:
    """Return the text of a document, such that reading it gives the document."""
    blocks = [f"# {document.title}"]
    blocks += [_prose(each) for each in document.prose.split("\n\n") if each]
    before: Part | None = None
    for each in document.parts:
        text = _part(each)
        if type(before) is type(each) and isinstance(each, Use | Let | Define | Hypothesis):
            blocks[-1] += f"\n{text}"
        else:
            blocks.append(text)
        before = each
    return "\n\n".join(blocks) + "\n"


def _prose(text: str) -> str:
    """Return a paragraph; a line that could be taken for a part or a field goes 4 columns in."""
    first, *others = paragraph(text).split("\n")
    apart = (CONTINUED if unlike_prose(Line(0, each, 0)) else "" for each in others)
    return "\n".join([first, *map(str.__add__, apart, others)])


def _part(each: Part) -> str:
    match each:
        case Use():
            names = ", ".join(x if x == y else f"{x} as {y}" for x, y in each.names)
            return wrapped(f"use {each.place}: {names}" if names else f"use {each.place}", 0)
        case Letters():
            return "\n".join(["letters:", *(wrapped(_letter(x), 2) for x in each.entries)])
        case Table():
            lines = [wrapped(f"{plain(name, ': ')}: {text}", 2) for name, text in each.entries]
            return "\n".join([f"{each.name}:", *lines])
        case Let():
            let = wrapped(f"let {each.names} = {canonical(each.value.text)}", 0)
            return f"{let}\n{wrapped(each.said, 2)}" if each.said else let
        case Sorts() | StatementPart():
            return "\n".join(statements.written(each))
        case Code():
            return f"{FENCE}\n{each.source}\n{CLOSED}"
        case Argument():
            return "\n".join(arguments.written(each))
        case ClaimPart():
            return _claim(each)
        case _:
            return blocks.write(each)


def _letter(each: LetterLine) -> str:
    names = ", ".join(x if x == y else f'{x} "{y}"' for x, y in each.names)
    return f"{arguments.bounded(names, each)}{' real' if each.real else ''}: {each.meaning}"


def _claim(each: ClaimPart) -> str:
    head = [each.id, each.where, *([each.kind] if each.kind != "theorem" else [])]
    statement = ["", _prose(each.statement)] if each.statement else []
    return "\n".join([f"## {' | '.join(head)}", *statement, "", *_fields(each)])


def _fields(each: ClaimPart) -> Iterator[str]:
    """Yield the fields of a claim as lines of a document."""
    for key, formula in (("if", each.given), ("then", each.then)):
        if formula is not None:
            yield wrapped(f"{key}: {shown(formula.text, several=key == 'if')}", 0)
    for key in PRINTS:
        if key in each.prints:
            yield wrapped(f"{key}: {each.prints[key]}", 0)
    for text in each.assumes:
        yield wrapped(f"assumes: {text}", 0)
    for name, reason in each.unsaid:
        yield wrapped(f"unsaid{f' {name}' if name else ''}: {reason.text}", 0)
    if each.repair:
        yield wrapped(f"repair: {each.repair}", 0)
    for part in each.readings:
        yield from reading_lines(part)
    if each.why:
        yield wrapped(f"why: {each.why}", 0)


def reading_lines(each: Reading) -> Iterator[str]:
    """Yield the lines of a reading: its head, and a field in each."""
    scope = f" | {each.scope}" if each.scope else ""
    says = f" :: {canonical(each.says.text)}" if each.says is not None else ""
    yield wrapped(f"reading {plain(each.name, ' | ', ' :: ')}{scope}{says}", 0)
    for step in each.steps:
        yield from _step(step)
    if each.through is not None:
        yield wrapped(f"through: {canonical(each.through.text)}", 2)
    for name, value in each.near:
        yield wrapped(f"near {name}: {canonical(value.text)}", 2)


def _step(each: Step) -> Iterator[str]:
    if each.kind == "call":
        yield wrapped(f"call: {canonical(each.given['call'].text)}", 2)
        return
    sentence = f" -- {each.sentence}" if each.sentence else ""
    yield wrapped(f"{each.kind}: {each.name}{sentence}", 2)
    for key in OF_STEPS[each.kind]:
        if key in each.given:
            text = each.given[key].text
            yield wrapped(f"{key}: {text if key == 'so' else canonical(text, key == 'at')}", 2)
