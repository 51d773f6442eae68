"""Formulas as texts, for claims whose statement is one formula about real numbers.

A text is read as it stands and nothing in it is simplified, so that the formula that is shown is
the formula that an engine decides. Hypotheses are a part of it: every letter is any real number
unless one of them bounds it.
"""

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from pufferproof.claims.language.letters import look_alike
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.verify.proof.argument import defined
from pufferproof.verify.proof.formulas import admit, as_written, denominators
from pufferproof.verify.proof.implication import implication

_SIGNS = {"<=": sympy.Le, ">=": sympy.Ge, "!=": sympy.Ne, "=": sympy.Eq, "<": sympy.Lt, ">": sympy.Gt}
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
    names = sorted({str(x) for each in (then, *assumed) for x in each.free_symbols})
    if alike := look_alike({name: (name, ()) for name in names}):
        raise ModelError(alike)
    if not then.free_symbols:
        raise ModelError(f'expected a relation with letters, found "{says}"')
    if isinstance(then, sympy.Eq) and not assumed:
        return implication(then, defined(then))
    divided = denominators(then, *assumed)
    if divided and not then.has(sympy.exp, sympy.log):
        raise ModelError(f'expected polynomials, found a division by {divided[0]} in "{says}": multiply by it')
    return implication(then, assumed)


def _relations(text: str) -> Iterator[Any]:
    """Yield the relations of a chain. Raises `ModelError` for what is none."""
    parts = _SIGN.split(text)
    if len(parts) < 3 or not all(map(str.strip, parts)):
        raise ModelError(f'expected a relation, found "{text.strip()}"')
    for each in parts[::2]:
        _plain(each.strip())
    try:
        read = (as_written(each.strip(), functions=("exp", "log")) for each in parts[::2])
        sides = [_with_numbers(each) for each in read]
        admit(*sides)
    except SolverError as error:
        raise ModelError(f'in the formula "{text.strip()}": {error}') from error
    for left, sign, right in zip(sides, parts[1::2], sides[1:]):
        yield _SIGNS[sign](left, right, evaluate=False)


_LARGEST = 1000  # a power of numbers that is worked out, to see whether it is 0
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


def _plain(text: str) -> None:
    """Refuse what is no expression of letters, whole numbers, + - * / **, exp and log, for all else
    that Python reads, such as "x and y", would be read as another expression. Refuse a division by
    the number 0 as well.
    """
    if not text.isascii():
        strange = next(each for each in text if not each.isascii())
        raise ModelError(f'expected ASCII letters and signs, found "{strange}" in "{text}"')
    try:
        _number(ast.parse(text, mode="eval").body, text)
    except SyntaxError as error:
        raise ModelError(f'expected an expression, found "{text}"') from error


def _number(node: ast.expr, text: str) -> Fraction | None:
    """Return the number that a part of a text is, None if letters are in it."""
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return Fraction(number)
        case ast.Name(id=name) if name not in ("exp", "log"):
            return None
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=part):
            found = _number(part, text)
            return found if found is None or isinstance(node.op, ast.UAdd) else -found
        case ast.Call(func=ast.Name(id="exp" | "log"), args=[part], keywords=[]):
            _number(part, text)
            return None
        case ast.BinOp(left=left, op=sign, right=right) if isinstance(sign, _OPERATORS):
            return _together(_number(left, text), sign, _number(right, text), text)
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        raise ModelError(f'expected exact numbers (99/100), found a float in "{text}"')
    raise ModelError(
        f'expected letters, numbers (99/100), + - * / **, exp and log, found "'
        f'{ast.get_source_segment(text, node)}" in "{text}"'
    )


def _together(left: Fraction | None, sign: ast.operator, right: Fraction | None, text: str) -> Fraction | None:
    """Return the number that two parts make, None if it is none."""
    divided = right if isinstance(sign, ast.Div) else left
    if divided == 0 and (isinstance(sign, ast.Div) or (isinstance(sign, ast.Pow) and right is not None and right < 0)):
        raise ModelError(f'expected divisors other than 0, found "{text}"')
    if left is None or right is None:
        return None
    match sign:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
    small = right.denominator == 1 and abs(right) <= _LARGEST
    return left ** int(right) if small else None


def _with_numbers(part: Any) -> Any:
    """Return an expression with products of numbers put together, -1 and 99/100, and the rest as
    it is.
    """
    if isinstance(part, sympy.Mul) and not part.free_symbols:
        value = part.doit()
        if value.is_Rational:
            return value
    return part.func(*map(_with_numbers, part.args), evaluate=False) if part.args else part
