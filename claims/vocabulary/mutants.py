"""Near misses, made from the terms: hypotheses dropped or weakened, conclusions strengthened."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary import render
from pufferproof.claims.vocabulary.terms import NAMED, Term, sides, value

Miss = tuple[tuple[Term, ...], Term]
Edit = tuple[str, Term]
TIGHTER, LOOSER = Fraction(99, 100), Fraction(101, 100)
COMPARISONS = (
    "at most",
    "less",
    "equal",
    "less, of natural numbers",
    "equal, of natural numbers",
    "at most, of levels",
)
AT_ZERO = (
    "no entry negative",
    "no weight negative",
    "no step negative",
    "likelihood",
    "likelihoods",
    "positive at windows",
)
CONNECTIVES = ("and", "or", "not", "implies", "if and only if")
SUMS = ("times", "plus", "sum of levels", "multiple of a level")


def near_misses(letters: Sequence[Term], given: Sequence[Term], then: Term) -> dict[str, Miss]:
    """Return near misses by their words; two that are alike get a number."""
    found: dict[str, Miss] = {}
    for words, miss in _near_misses(letters, given, then):
        place, name = 2, words
        while name in found:
            name, place = f"{words} ({place})", place + 1
        found[name] = miss
    return found


def _near_misses(letters: Sequence[Term], given: Sequence[Term], then: Term) -> Iterator[tuple[str, Miss]]:
    for number, term in enumerate(given):
        before, after = tuple(given[:number]), tuple(given[number + 1 :])
        yield f"without: {render.words(term)}", ((*before, *after), then)
        for words, weaker in _edits(term, concluded=False):
            yield f"hypothesis {number + 1}, {words}", ((*before, weaker, *after), then)
    for stronger in (_edits(then, concluded=True), _exchanged(then, letters), _without(then)):
        for words, term in stronger:
            yield f"conclusion, {words}", (tuple(given), term)


def _edits(term: Term, concluded: bool) -> Iterator[Edit]:
    """Yield a term with one change: a conclusion gets stronger by it, a hypothesis weaker."""
    if term.entry is not None and term.entry.relation:
        yield from _compared_otherwise(term, concluded)
    turned = term.entry is not None and term.entry.name in ("implies", "not")
    for number, below in _parts(term):
        for words, edited in _edits(below, concluded != (turned and number == 0)):
            yield words, _put(term, number, edited)


def _compared_otherwise(term: Term, concluded: bool) -> Iterator[Edit]:
    name, relation = term.head.name, term.head.relation
    at_zero = name in AT_ZERO
    if at_zero and not concluded:
        yield f"-1/100 for 0 [{name}]", replace(term, shift=Fraction(1, 100))
    elif relation == "<=":
        factor = TIGHTER if concluded else LOOSER
        yield f"{factor} of the right side [{name}]", replace(term, scale=factor)
        if concluded:
            yield f"< for <= [{name}]", replace(term, relation="<")
    if relation == "<" and not concluded:
        yield f"<= for < [{name}]", replace(term, relation="<=")
    if relation == "=" and concluded:
        yield f"{TIGHTER} of the right side [{name}]", replace(term, scale=TIGHTER)
    elif relation == "=":
        yield f"<= for = [{name}]", replace(term, relation="<=")
    if not concluded and name not in (*COMPARISONS, *CONNECTIVES):
        yield f"for some, not for all [{name}]", replace(term, some=True)


def _exchanged(term: Term, letters: Sequence[Term]) -> Iterator[Edit]:
    """Yield a term with one letter exchanged for another of its type, or a number for the next."""
    if term in letters and not _in_types(term, letters):
        if str(term.kind) == "nat":
            yield f"{term.shown} + 1 for {term.shown}", NAMED["next"](term)
        for other in letters:
            if other != term and other.kind == term.kind:
                yield f"{other.shown} for {term.shown}", other
    for number, below in _parts(term):
        for words, edited in _exchanged(below, letters):
            place = f" [{term.entry.name}]" if term.entry and below in letters else ""
            yield words + place, _put(term, number, edited)


def _in_types(term: Term, letters: Sequence[Term]) -> bool:
    """Return whether types of letters depend on a letter: then none can stand in its place."""
    named = re.compile(rf"\b{re.escape(term.name)}\b")
    return any(each.sort is not None and named.search(each.sort.coq) for each in letters)


def _without(term: Term) -> Iterator[Edit]:
    """Yield a term with a factor or a term of a sum left out."""
    if term.entry is not None and term.entry.name in SUMS:
        for number in (0, 1):
            if term.arguments[1 - number].kind == term.kind:
                yield f"without {render.words(term.arguments[number])}", term.arguments[1 - number]
    for number, below in _parts(term):
        for words, edited in _without(below):
            yield words, _put(term, number, edited)


def _parts(term: Term) -> Iterator[tuple[int, Term]]:
    """Yield the terms below, but not the letter that is bound."""
    for number, below in enumerate(term.arguments):
        if not (term.binds and number == 1):
            yield number, below


def _put(term: Term, number: int, below: Term) -> Term:
    before, after = term.arguments[:number], term.arguments[number + 1 :]
    return replace(term, arguments=(*before, below, *after))


def compared(given: Sequence[Term], at: Mapping[str, Any], letter: str) -> list[tuple[Fraction, Fraction]]:
    """Return what hypotheses with a letter compare at an instance, under "for all" too."""
    found = []
    for term in given:
        if letter not in render.letters_of(term):
            continue
        if term.head.name in ("for all", "for each of a list"):
            over, body = term.arguments
            members = value(over, at)
            bound = body.arguments[1].name
            for member in range(members) if isinstance(members, int) else members:
                found += compared([body.arguments[0]], {**at, bound: member}, letter)
        elif term.head.relation == "<=" and term.head.name not in COMPARISONS:
            found += sides(term, at)
    return found
