"""A digest of what decides the meaning of a claim beside its sentence: words that are made from
what its readings say, with domains of letters; what it assumes; and family, hypotheses and
conclusion of each program, their words and source. What functions call elsewhere is not in it.
"""

import inspect
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from types import FunctionType

from pufferproof.claims.document.lines import SUFFIX, Line, logical
from pufferproof.claims.language import wording
from pufferproof.claims.language.linked.program import LinkedProgram
from pufferproof.claims.language.linked.said import as_object
from pufferproof.claims.language.statements import Statement
from pufferproof.claims.registry import Claim
from pufferproof.claims.run.texts import digest, text_of
from pufferproof.claims.vocabulary.proposition import Program
from pufferproof.models.files.reading import MAX_BYTES, bytes_of


def meaning_of(claim: Claim) -> str:
    """Return the digest."""
    return digest([*(f"assumes {each}" for each in claim.assumes), *_said(claim)])


def _said(claim: Claim) -> Iterator[str]:
    """Yield what readings say, in order."""
    if claim.formula is not None:
        yield wording.formula(claim.formula)
    for name in claim.order:
        statement = claim.says.get(name)
        yield f"says {name}"
        if statement is None:
            yield wording.formula(claim.formulas[name])
        elif isinstance(statement, LinkedProgram):
            yield as_object(statement.linked).words
        elif isinstance(statement, Program):
            yield statement.said.words
        else:
            yield from _program(statement)


def _program(statement: Statement) -> Iterator[str]:
    """Yield what a program is made of, but for its near misses."""
    yield f"drawn {statement.drawn}"
    yield from map(source_of, (statement.family, statement.holds))
    for words, predicate in statement.given.items():
        yield f"given {words}"
        yield source_of(predicate)


def source_of(function: object) -> str:
    """Return what a function was made from: the lines of its document or of its file, on one line,
    and what it closes over. "" if it has none.
    """
    if isinstance(function, partial):
        return f"{source_of(function.func)} {text_of([function.args, function.keywords])}"
    made = getattr(function, "__wrapped__", function)
    if not isinstance(made, FunctionType):
        return ""
    over = text_of(made) if made.__closure__ else ""
    place, line = made.__code__.co_filename, made.__code__.co_firstlineno
    written = _block(place, line) if place.endswith(SUFFIX) else ""
    return " ".join(f"{written or _python(made)} {over}".split())


def _python(function: FunctionType) -> str:
    """Return the source of a function of a file, or of a fence."""
    try:
        return inspect.getsource(function)
    except (OSError, SyntaxError):  # SyntaxError: of what is no Python, beside it
        return ""


def _block(place: str, line: int) -> str:
    """Return the line of a document, with those in it; "" if it is in a fence."""
    lines = _lines(place)
    first = next((at for at, each in enumerate(lines) if each.number == line), None)
    if first is None or lines[first].fenced:
        return ""
    found = [lines[first].text]
    if lines[first].column == 0:
        for each in lines[first + 1 :]:
            if each.column == 0:
                break
            found.append(each.text)
    return "\n".join(found)


@cache
def _lines(place: str) -> list[Line]:
    path = Path(place)
    return logical(bytes_of(path, MAX_BYTES).decode("utf-8"), place) if path.is_file() else []
