"""Formulas as texts, for claims whose statement is one formula about real numbers.

A text is read as it stands and nothing in it is simplified, so that the formula that is shown is
the formula that an engine decides. Hypotheses are a part of it: every letter is any real number
unless one of them bounds it.
"""

import re
from collections.abc import Iterator
from typing import Any

import sympy

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.verify.proof.formulas import admit, as_written, denominators
from pufferproof.verify.proof.implication import implication
from pufferproof.verify.proof.whole import defined

_SIGNS = {
    "<=": sympy.Le,
    ">=": sympy.Ge,
    "!=": sympy.Ne,
    "=": sympy.Eq,
    "<": sympy.Lt,
    ">": sympy.Gt,
}
_SIGN = re.compile("(<=|>=|!=|=|<|>)")


def formula(says: str, given: str = "") -> Any:
    """Return a formula: a relation, and the hypotheses under which it holds.

    Hypotheses are relations too, with commas between them; `0 <= p <= 1` is two. Those of an
    identity are made from it: its denominators are not 0. Numbers are exact, `99/100`.

    >>> formula("(a**2 - b**2)/(a - b) = a + b")
    Implies(Ne(a - b, 0), Eq((a**2 - b**2)/(a - b), a + b))
    >>> formula("x*y + 1 > x + y", given="x > 1, y > 1").args[1]
    x*y + 1 > x + y

    Raises `ModelError` if a text is no relation, if the formula has no letter, or if an inequality
    divides by one.
    """
    if not isinstance(says, str):
        raise ModelError(f'expected a formula as text, such as formula("{says}"), found no text')
    relations = list(_relations(says))
    if len(relations) != 1 or isinstance(relations[0], sympy.Ne):
        raise ModelError(f'expected one relation (=, <, <=, > or >=), found "{says}"')
    (then,) = relations
    assumed = [each for text in given.split(",") if given for each in _relations(text)]
    if not then.free_symbols:
        raise ModelError(f'expected a relation with letters, found "{says}"')
    if isinstance(then, sympy.Eq) and not assumed:
        return implication(then, defined(then))
    divided = denominators(then, *assumed)
    if divided and not then.has(sympy.exp, sympy.log):
        raise ModelError(
            f'expected polynomials, found a division by {divided[0]} in "{says}": multiply by it'
        )
    return implication(then, assumed)


def _relations(text: str) -> Iterator[Any]:
    """Yield the relations of a chain."""
    parts = _SIGN.split(text)
    if len(parts) < 3 or not all(map(str.strip, parts)):
        raise ModelError(f'expected a relation, found "{text.strip()}"')
    try:
        read = (as_written(each.strip(), functions=("exp", "log")) for each in parts[::2])
        sides = [_with_numbers(each) for each in read]
        admit(*sides)
    except SolverError as error:
        raise ModelError(f'in the formula "{text.strip()}": {error}') from error
    for left, sign, right in zip(sides, parts[1::2], sides[1:]):
        yield _SIGNS[sign](left, right, evaluate=False)


def _with_numbers(part: Any) -> Any:
    """Return an expression with products of numbers put together, -1 and 99/100, and the rest as
    it is.
    """
    if isinstance(part, sympy.Mul) and not part.free_symbols:
        value = part.doit()
        if value.is_Rational:
            return value
    return part.func(*map(_with_numbers, part.args), evaluate=False) if part.args else part
