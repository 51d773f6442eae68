"""Linked arguments as documents write them (`document.arguments`): their letters and lines."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from pufferproof.claims.document.lines import wrong
from pufferproof.claims.language.letters import Bound, Letter, lone_letter
from pufferproof.claims.language.linked.argument import Lemma, Linked, exp
from pufferproof.models.errors import ModelError
from pufferproof.verify.proof.formulas import denominators

_IDLE = re.compile(r'nothing uses (?:the letter )?"(.+)"')


class Letters(dict[str, Letter]):
    """The letters of an argument by name, with what formulas are made by."""

    Le, Lt, Ge, Gt, Ne = sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt, sympy.Ne
    And, Or, Not, Implies = sympy.And, sympy.Or, sympy.Not, sympy.Implies
    Abs, Max, Min, Integer, exp = sympy.Abs, sympy.Max, sympy.Min, sympy.Integer, exp
    Eq = partial(sympy.Eq, evaluate=False)

    @staticmethod
    def uncancelled(place: str, line: int, formula: Any, *divisors: Any) -> Any:
        """Return the formula of a line. Raises `ModelError` if something that it divides by
        cancelled: nothing would ask then whether that may be 0.
        """
        left = set[Any]().union(*(each.free_symbols for each in denominators(formula)))
        for each in divisors:
            if each.free_symbols - left:
                said = f"divides by {each}, which cancels, and may be 0: write no quotient"
                raise wrong(place, line, said)
        return formula


def argument(
    place: str,
    head: int,
    about: str,
    indices: Mapping[str, str],
    letters: Sequence[tuple[int, str, str, Sequence[tuple[str, str]]]],
    given: Mapping[str, str],
    spare: Mapping[str, str],
    near: Callable[[Letters], Mapping[Letter, Any]],
    lines: Callable[[Letters], Sequence[tuple[int, str, Sequence[Any]]]],
) -> Linked:
    """Return the linked argument of a document, line by line. Raises `ModelError`, with file and
    line, where `Linked` does.

    Args:
        place: the document, whose line `head` begins the argument.
        about: what it is about.
        indices: what each index runs through.
        letters: each with its line, its meaning and its domain.
        given: the indices of the letters that are given.
        spare: reasons of hypotheses that no instance needs.
        near: what letters are drawn close to.
        lines: the methods of `Linked`, each with its line and what it is called with.
    """
    known, of_names = Letters(), dict[str, int]()
    for line, name, meaning, domain in letters:
        with _at(place, line):
            bounds = [Bound(relation, Fraction(number)) for relation, number in domain]
            known[name], of_names[name] = lone_letter(name, meaning, bounds, real=True), line
    with _at(place, head):
        its = {known[name]: text for name, text in given.items()}
        made = Linked(about, indices, its, near(known), spare)
    for line, method, arguments in lines(known):
        with _at(place, line, of_names):
            arguments = _with_lemma(*arguments) if method == "by" else arguments
            getattr(made, method)(*arguments)
        of_names[str(arguments[0])] = line
        of_names[f"let {arguments[0]}"] = line
    return made


@contextmanager
def _at(place: str, line: int, names: Mapping[str, int] | None = None) -> Iterator[None]:
    """Let errors name a line: that of what nothing uses, if they say so of one of the names."""
    try:
        yield
    except ModelError as error:
        said = str(error)
        if (idle := _IDLE.search(said)) and names is not None:
            line = names.get(idle[1], line)
            said += ": name it in a line below, or leave it out"
        raise wrong(place, line, said) from None


def _with_lemma(name: str, lemma: Any, put: Mapping[str, Any], *uses: str) -> tuple[Any, ...]:
    """Find the letters of a lemma by their names; an argument is one."""
    lemma = lemma.as_lemma(lemma.about) if isinstance(lemma, Linked) else lemma
    if not isinstance(lemma, Lemma):
        raise ModelError(f'"{name}" needs a lemma or a linked argument, found {lemma!r:.60}')
    letters = {each.name: each for each in lemma.known}
    if unknown := [x for x in put if x not in letters]:
        known = ", ".join(sorted(letters))
        raise ModelError(f'"{name}": "{unknown[0]}" is no letter of {lemma.name}: it has {known}')
    return name, lemma, {letters[x]: each for x, each in put.items()}, *uses
