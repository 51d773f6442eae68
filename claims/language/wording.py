"""The words of statements that are made from what is decided: a formula about real numbers, or an
object with letters, hypotheses and a conclusion. Nobody writes these sentences.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pufferproof.claims.language.letters import Letter


def theorem(lets: str, given: Sequence[str], then: str, meanings: Sequence[str] = ()) -> str:
    """Return the sentences of an object: `lets` follows "Let", `meanings` are sentences.

    >>> theorem("p be a real function on D", ["p is a law"], "p sums to 1")
    'Let p be a real function on D. Suppose that p is a law. Then p sums to 1.'
    """
    parts = [f"Let {lets}."] if lets else []
    if given:
        parts.append(f"Suppose that {series(given, 'that ')}.")
    parts.append(f"Then {then}." if parts else f"{_capital(then)}.")
    return " ".join([*parts, *meanings])


def series(parts: Sequence[str], word: str = "") -> str:
    """Join parts of a sentence; `word` begins each but the first one. Parts that have commas are
    set apart by semicolons.

    >>> series(["a", "b", "c"]), series(["a, b", "c"], "that ")
    ('a, b and c', 'a, b; and that c')
    """
    if len(parts) < 2:
        return "".join(parts)
    *before, last = [parts[0], *(f"{word}{each}" for each in parts[1:])]
    mark = ";" if any(mark in each for each in parts for mark in ",;:") else ","
    end = f"{mark} and " if mark == ";" else " and "
    return f"{f'{mark} '.join(before)}{end}{last}"


def formula(formula: Any) -> str:
    """Return a formula as a sentence, which begins with its letters and their domains.

    >>> import sympy
    >>> from pufferproof.claims.language.letters import Bound
    >>> a, b = Letter("a", "a weight", [Bound(">=", 0)]), Letter("b", "any number")
    >>> formula(sympy.Ge(a * b**2, 0))
    'For all real b and all real a >= 0: b**2*a >= 0.'
    >>> formula(sympy.Implies(sympy.Ne(b, 0), sympy.Eq(a / b, 1)))
    'For all real b and all real a >= 0: if b != 0 then a/b = 1.'
    """
    import sympy

    if not isinstance(formula, sympy.Implies):
        said = _signed(formula)
    else:
        given = formula.args[0].args if isinstance(formula.args[0], sympy.And) else formula.args[:1]
        said = f"if {' and '.join(map(_signed, given))} then {_signed(formula.args[1])}"
    letters = _letters(sorted(formula.free_symbols, key=lambda each: str(each.name)))
    return f"For {letters}: {said}." if letters else f"{_capital(said)}."


def _signed(relation: Any) -> str:
    """Return a relation with its sign between its sides, terms in the order in which they were
    written.
    """
    import sympy

    if not isinstance(relation, sympy.core.relational.Relational):
        return str(sympy.sstr(relation, order="none"))
    left, right = (sympy.sstr(side, order="none") for side in relation.args)
    return f"{left} {'=' if relation.rel_op == '==' else relation.rel_op} {right}"


def _letters(symbols: Iterable[Any]) -> str:
    """Return letters with their domains; those that are any number come first, for in "a, b >= 0"
    both would be bounded.
    """
    free: list[str] = []
    bounded: list[str] = []
    for each in symbols:
        domain = each.domain_text if isinstance(each, Letter) else ""
        (bounded if domain else free).append(domain or each.name)
    lists = [", ".join(some) for some in (free, bounded) if some]
    return " and ".join(f"all real {some}" for some in lists)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
