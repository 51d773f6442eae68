"""Words and LaTeX of a linked statement, made from its letters and formulas. What letters mean is
written by hand, and stands in brackets.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import sympy
from sympy.core.relational import Relational

from pufferproof.claims.language import wording
from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked.argument import Linked, exp
from pufferproof.claims.language.linked.made import Before, Copy, Extreme, Fold
from pufferproof.claims.language.linked.printing import Coq, Tex, Text

_SIGNED = {(">=", "0"): "nonnegative ", (">", "0"): "positive ", ("<=", "0"): "nonpositive "}
_SIDES = {">=": "at least", ">": "above", "<=": "at most", "<": "below", "!=": "other than"}
_OPERATORS = {"sum": r"\sum", "product": r"\prod", "largest": r"\max", "least": r"\min"}


def lets(argument: Linked) -> str:
    """Say, after "Let", what indices run through and what the given letters are."""
    said = [_indices(argument)] if argument.indices else []
    for its in dict.fromkeys(argument.letters.values()):
        every = f"{for_every(its)}, let " if its else "let "
        said.append(every + _letters(argument, [x for x, y in argument.letters.items() if y == its]))
    first, *others = said
    return ". ".join([first.removeprefix("let "), *(each[0].upper() + each[1:] for each in others)])


def definitions(argument: Linked) -> list[str]:
    """Say how the letters of the statement are made that are not given, those of the conclusion
    first.
    """
    inside = _inside(argument)
    said = [
        (_definition(argument, each), each.meaning)
        for each in _in_order(argument)
        if each not in inside and not isinstance(argument.definitions[each], Copy)
    ]
    return [f"Here {'; '.join(_meant(said))}."] if said else []


def hypotheses(argument: Linked) -> list[tuple[str, str]]:
    """Return the words and the LaTeX of each hypothesis."""
    return [(words(argument, formula), latex(argument, formula)) for formula in argument.hypotheses.values()]


def conclusion(argument: Linked) -> tuple[str, str]:
    """Return the words and the LaTeX of the conclusion."""
    then = argument.then
    return words(argument, then), latex(argument, then)


def words(argument: Linked, formula: Any) -> str:
    """Write a formula as text, for every value of its indices."""
    text = Text(argument)
    parts = text.sides(formula) if isinstance(formula, sympy.And) else [formula]
    alone = len(parts) == 1
    said = [
        (
            text.doprint(each) if alone or isinstance(each, sympy.Implies) else text.part(each),
            argument.order(argument.indices_of(each)),
        )
        for each in parts
    ]
    plain = [isinstance(each, Relational) and not isinstance(each, sympy.Ne) for each in parts]
    found = list[str]()
    for (its, whole), group in groupby(zip(said, plain, strict=True), lambda x: (x[0][1], x[1])):
        shown = [each for (each, _), _ in group]
        if not its:
            found += shown
        elif whole:
            found.append(f"{wording.series(shown)} {for_every(its)}")
        else:  # what comes first reaches over "if", "or" and "not" beyond doubt
            found += [f"{for_every(its)}, {each}" for each in shown]
    return wording.series(found)


def text(argument: Linked, formula: Any) -> str:
    """Write a formula as text."""
    return str(Text(argument).doprint(formula))


def latex(argument: Linked, formula: Any) -> str:
    """Write a formula in LaTeX."""
    return str(Tex(argument).doprint(formula))


def definition_latex(argument: Linked, each: Letter) -> str:
    """Write in LaTeX how a letter is made."""
    tex, made = Tex(argument), argument.definitions[each]
    shown = tex.doprint(each)
    if isinstance(made, Before):
        return rf"{shown} = {tex.doprint(made.of)} \text{{ before }} {argument.folds[made.of].over}"
    if isinstance(made, Fold) and made.kind == "chain":
        arrow = rf"\text{{, then at each }} {made.over}: {shown} \mapsto"
        return f"{shown} = {tex.doprint(made.start)} {arrow} {tex.doprint(made.following)}"
    if isinstance(made, Fold | Extreme):
        term = tex.doprint(made.term)
        term = rf"\left({term}\right)" if isinstance(made.term, sympy.Add) else term
        return f"{shown} = {_OPERATORS[made.kind]}_{{{made.over}}} {term}"
    return f"{shown} = {tex.doprint(made)}"


def domain_words(letter: Letter, several: bool = False) -> str:
    """Say what kind of number a letter is, or letters are: "a nonnegative real number", "real
    numbers from 0 to 1".
    """
    bounds = [(each.relation, str(each.number)) for each in letter.bounds]
    sign = _SIGNED.get(bounds[0], "") if len(bounds) == 1 else ""
    kind = f"{sign}real numbers" if several else f"a {sign}real number"
    if [each for each, _ in bounds] == [">=", "<="]:
        return f"{kind} from {bounds[0][1]} to {bounds[1][1]}"
    sides = [] if sign else [f"{_SIDES[relation]} {number}" for relation, number in bounds]
    return " ".join(filter(None, [kind, " and ".join(sides)]))


def coq(formula: Any) -> str:
    """Write a formula of letters without indices as Coq does."""
    return str(Coq({"order": "none"}).doprint(formula))


def _indices(argument: Linked) -> str:
    own = [(i, meaning) for i, meaning in argument.indices.items() if i not in argument.same]
    said = wording.series([f"{index} ({meaning})" for index, meaning in own])
    each = "" if len(own) == 1 else " each"
    copies = [f"{index} through the same values as {i}" for index, i in argument.same.items()]
    return ", and ".join([f"{said} run through finitely many values{each}, at least one", *copies])


def for_every(its: Iterable[str]) -> str:
    """Say for which values of indices something holds."""
    return f"for every {wording.series([*its])}"


def _letters(argument: Linked, letters: Sequence[Letter]) -> str:
    """Say what letters of the same indices are, those of one domain together."""
    text, said = Text(argument), list[str]()
    for bounds in dict.fromkeys(each.bounds for each in letters):
        alike = [each for each in letters if each.bounds == bounds]
        named = wording.series(_meant([(text.doprint(each), each.meaning) for each in alike]))
        verb = " " if said else " be "
        said.append(f"{named}{verb}{domain_words(alike[0], len(alike) > 1)}")
    return wording.series(said)


def _meant(said: Sequence[tuple[str, str]]) -> list[str]:
    """Add in brackets what letters mean; those in a row that mean the same have it once."""
    found = []
    for meaning, group in groupby(said, lambda each: each[1]):
        *others, last = [shown for shown, _ in group]
        each = "each " if others else ""
        found += [*others, f"{last} ({each}{meaning})" if meaning else last]
    return found


def _definition(argument: Linked, each: Letter) -> str:
    text, made = Text(argument), argument.definitions[each]
    shown = text.doprint(each)
    if isinstance(made, Before):
        over = argument.folds[made.of].over
        return f"{shown} is what there is of {text.doprint(made.of)} before {over}"
    if isinstance(made, Fold) and made.kind == "chain":
        return (
            f"{shown} is {text.doprint(made.start)} at first, and {text.doprint(made.following)} after each {made.over}"
        )
    if isinstance(made, Extreme):
        return f"{shown} is the {made.kind} {text.doprint(made.term)} over all {made.over}"
    if isinstance(made, Fold):
        term = text.doprint(made.term)
        term = f"({term})" if isinstance(made.term, sympy.Add) else term
        return f"{shown} is the {made.kind} over {made.over} of {term}"
    return f"{shown} = {text.doprint(made.xreplace(_exponents(argument)))}"


def _in_order(argument: Linked) -> list[Letter]:
    """The letters that are made, each before those of which it is made."""
    found: list[Letter] = []
    left = [*argument.then.free_symbols]
    for formula in argument.hypotheses.values():
        left += formula.free_symbols - {*left}
    while left:
        wave = [x for x in argument.definitions if x in left]
        found += [x for x in wave if x not in found]
        left = [*set().union(*(argument.parts(x) - {x, *found} for x in wave))]
    return found


def _exponents(argument: Linked) -> dict[Letter, Any]:
    """The exponents that nothing but one exponential has: they are written there."""
    return {x: argument.definitions[x] for x in _inside(argument)}


def _inside(argument: Linked) -> set[Letter]:
    formulas = [*argument.hypotheses.values(), argument.then]
    made = argument.made_in(formulas)
    users = {x: [y for y in made if x in argument.parts(y)] for x in made}
    return {
        x
        for x in made
        if x in argument.lets
        and argument.definitions[x].func is not exp
        and not any(x in each.free_symbols for each in formulas)
        and len(users[x]) == 1
        and getattr(argument.definitions[users[x][0]], "func", None) is exp
    }
