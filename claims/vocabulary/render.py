"""Terms as words, as LaTeX and as Coq, from the texts of their entries; brackets are put here."""

import re
from collections.abc import Iterator, Sequence

from pufferproof.claims.vocabulary.terms import NAMED, PROP, Term
from pufferproof.models.errors import SolverError

GREEK = re.compile(r"^(alpha|beta|gamma|delta|eps|lambda|mu|nu|pi|rho|sigma|Theta|theta|phi|psi|omega)")
PLACE = re.compile(r"\[([bt]?)(\d)\]")
VALUE = re.compile(r"\[(\d)\]_\[b(\d)\]")
"""In words and LaTeX: the value of a function at the letter that an argument binds."""
SIMPLE = re.compile(r"\\?[A-Za-z0-9]+'?")
POWER = re.compile(r"\^\(([\w']+)\)")
BASE = re.compile(r"\((\w+(?:\([\w, ]+\))?)\)\^")
"""A power that is one letter with or without an index, and what needs no brackets below one."""
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
    if what != "coq" and term.entry.name == "value at":
        return _value(term, what)
    text: str = getattr(term.entry, what)
    infix = term.entry.infix or term.kind != PROP
    bound = [each.arguments[1] if each.binds else None for each in term.arguments]
    if what == "coq":
        _nothing_caught(term, text)
    else:
        text = VALUE.sub(lambda at: _value_at_bound(term, at, what), text)

    def filled(place: re.Match[str]) -> str:
        number = int(place[2])
        letter = bound[number]
        if not place[1]:
            around = text[place.start() - 1 : place.start()] + text[place.end() : place.end() + 1]
            alone = what != "coq" and (around in ("()", "{}") or ("=" not in text and not infix))
            slot = 200 if alone else _slot(term, number, bound)
            inner = _rendered(term.arguments[number], what, slot)
            reaches = what == "tex" and number == 0 and _reaches_on(term, inner)
            return f"\\left({inner}\\right)" if reaches else inner
        if letter is None or letter.sort is None:
            raise SolverError(f'"{term.head.name}" expects a term under a letter')
        if place[1] == "t":
            return letter.sort.in_coq
        return {"coq": letter.name, "words": letter.shown}.get(what) or tex_letter(letter.shown)

    shown = PLACE.sub(filled, text)
    if what == "words":
        shown = _as_said(term, BASE.sub(r"\1^", POWER.sub(r"^\1", shown)))
    bracketed = term.entry.precedence > most and (what == "coq" or bool(term.entry.infix))
    return f"({shown})" if bracketed else shown


def _reaches_on(term: Term, inner: str) -> bool:
    """Whether the quantifier at the head of a part would be read as if it bound what follows."""
    joins = term.head.name in ("if and only if", "implies", "and")
    return joins and inner.startswith((r"\forall", r"\exists"))


def _as_said(term: Term, shown: str) -> str:
    """Return words with what a sentence needs: "both" after "not", an index without its list, a
    comma before a second part if the first one has some.
    """
    if term.head.name == "not" and term.arguments[0].entry is NAMED.get("and"):
        return shown.replace("the case that ", "the case that both ", 1)
    if term.head.name == "for each of a list" and term.arguments[1].arguments[1].shown == "i":
        return shown.replace(f" in {_rendered(term.arguments[0], 'words', 200)}", "", 1)
    if term.head.name in ("and", "if and only if"):
        first, second = (_rendered(each, "words", 200) for each in term.arguments)
        return f"{first}, {term.head.name} {second}" if "," in first else shown
    return shown


def _value(term: Term, what: str, *more: str) -> str:
    """Return the value of a function: with an index if there is one argument, else in brackets."""
    arguments = [*more]
    while term.entry is not None and term.entry.name == "value at":
        arguments.insert(0, _rendered(term.arguments[1], what, 200))
        term = term.arguments[0]
    base = _rendered(term, what, 200)
    if len(arguments) == 1 and SIMPLE.fullmatch(base) and SIMPLE.fullmatch(arguments[0]):
        return f"{base}_{arguments[0]}" if what == "words" else f"{base}_{{{arguments[0]}}}"
    base = f"({base})" if " " in base and not base.endswith(")") else base
    return f"{base}({', '.join(arguments)})"


def _value_at_bound(term: Term, at: re.Match[str], what: str) -> str:
    letter = term.arguments[int(at[2])].arguments[1].shown
    shown = letter if what == "words" else tex_letter(letter)
    return _value(term.arguments[int(at[1])], what, shown)


def meanings(term: Term) -> Iterator[str]:
    """Yield what explains the words of a term, in the order in which it needs them."""
    if term.entry is not None and term.entry.meaning:
        yield term.entry.meaning
    for each in term.arguments:
        yield from meanings(each)


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
        raise SolverError(f'the Coq text of "{term.head.name}" binds "{min(caught)}", which is also a letter')


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
