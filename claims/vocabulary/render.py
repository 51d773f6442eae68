"""Terms as words, as LaTeX and as Coq, from the texts of their entries; brackets are put here."""

import re
from collections.abc import Sequence

from pufferproof.claims.vocabulary.terms import Term
from pufferproof.models.errors import SolverError

GREEK = re.compile(r"^(alpha|beta|gamma|delta|eps|lambda|mu|nu|pi|rho|sigma|theta|phi|psi|omega)")
PLACE = re.compile(r"\[([bt]?)(\d)\]")
OWN = re.compile(r"\b(?:forall|exists|fun) ([^,=]*?)(?:,|=>)")


def words(term: Term) -> str:
    """Return a term in words."""
    return _rendered(term, "words", 200)


def tex(term: Term) -> str:
    """Return a term in LaTeX."""
    return _rendered(term, "tex", 200)


def coq(term: Term, most: int = 200) -> str:
    """Return a term for Coq, in brackets if it binds less than `most`."""
    return _rendered(term, "coq", most)


def tex_letter(name: str) -> str:
    """Return a letter's name in LaTeX.

    >>> tex_letter("eps"), tex_letter("ws")
    ('\\\\varepsilon', '\\\\text{ws}')
    """
    greek = GREEK.match(name)
    if greek:
        letter = "\\varepsilon" if greek[1] == "eps" else f"\\{greek[1]}"
        return letter + name[greek.end() :]
    return name if len(name.rstrip("'0123456789")) == 1 else f"\\text{{{name}}}"


def _rendered(term: Term, what: str, most: int) -> str:
    if term.binds:
        return _rendered(term.arguments[0], what, most)
    if term.entry is None:
        return {"coq": term.name, "words": term.shown}.get(what) or tex_letter(term.shown)
    text: str = getattr(term.entry, what)
    bound = [each.arguments[1] if each.binds else None for each in term.arguments]
    parts = [
        _rendered(each, what, _slot(term, number, bound))
        for number, each in enumerate(term.arguments)
    ]
    if what == "coq":
        _nothing_caught(term, text)

    def filled(place: re.Match[str]) -> str:
        number = int(place[2])
        if not place[1]:
            return parts[number]
        letter = bound[number]
        if letter is None or letter.sort is None:
            raise SolverError(f'"{term.head.name}" expects a term under a letter')
        if place[1] == "t":
            return letter.sort.in_coq
        return {"coq": letter.name, "words": letter.shown}.get(what) or tex_letter(letter.shown)

    shown = PLACE.sub(filled, text)
    bracketed = term.entry.precedence > most and (what == "coq" or bool(term.entry.infix))
    return f"({shown})" if bracketed else shown


def _slot(term: Term, number: int, bound: Sequence[Term | None]) -> int:
    """Return what may stand at a place of a Coq text without brackets."""
    entry = term.head
    if entry.infix:
        loose = number == (0 if entry.infix == "left" else 1)
        return entry.precedence if loose and entry.infix != "none" else entry.precedence - 1
    return 200 if bound[number] is not None else 9


def _nothing_caught(term: Term, text: str) -> None:
    """Raise `SolverError` if a letter in an argument has the name of one that the text binds."""
    own = {name for found in OWN.findall(text) for name in re.findall(r"[\w']+", found)}
    caught = own & {name for each in term.arguments for name in letters_of(each)}
    if caught:
        raise SolverError(
            f'the Coq text of "{term.head.name}" binds "{min(caught)}", which is also a letter'
        )


def letters_of(term: Term, bound: tuple[str, ...] = ()) -> dict[str, Term]:
    """Return the letters of a term that it does not bind, by name."""
    if term.binds:
        return letters_of(term.arguments[0], (*bound, term.arguments[1].name))
    if term.entry is None:
        return {} if term.name in bound else {term.name: term}
    found: dict[str, Term] = {}
    for each in term.arguments:
        found |= letters_of(each, bound)
    return found
