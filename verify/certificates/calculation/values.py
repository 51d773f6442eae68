"""Evaluating a formula in exact fractions."""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import CertificateError

from .reading import Value, comparisons, is_row
from .words import NUMBER, PLACE, ROW, TABLE, WORDS, Word

HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
MOST = 64  # the largest power


def holds(formula: str, values: Mapping[str, Value]) -> bool:
    """Whether a formula is true of these values.

    Raises `CertificateError` if it is none, or names what is not there.

    >>> holds(
    ...     "largest_ratio(power(P, 2)) < largest_ratio(P)",
    ...     {"P": ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))},
    ... )
    True
    """
    found = [
        HOLDS[sign](evaluated(left, values), evaluated(right, values)) for left, sign, right in comparisons(formula)
    ]
    return all(found)


def evaluated(expression: ast.expr, values: Mapping[str, Value]) -> Fraction:
    """Return the number that an expression is."""
    number = _value(expression, values)
    if not isinstance(number, Fraction):
        raise CertificateError(f"expected a number, found {ast.unparse(expression)!r}")
    return number


def _value(expression: ast.expr, values: Mapping[str, Value]) -> Value:
    if isinstance(expression, ast.Constant) and type(expression.value) is int:
        return Fraction(expression.value)
    if isinstance(expression, ast.Name):
        return known(expression, values)
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        return -evaluated(expression.operand, values)
    if isinstance(expression, ast.BinOp):
        return _combined(expression, values)
    word = word_of(expression)
    given = [
        place(argument, values) if kind == PLACE else _given(argument, kind, values)
        for argument, kind in zip(arguments(expression, word), word.takes)
    ]
    try:
        result: Value = word.means(*given)
    except (ZeroDivisionError, IndexError, ValueError, TypeError) as error:
        raise CertificateError(f"{ast.unparse(expression)}: {error}") from None
    return result


def _combined(expression: ast.BinOp, values: Mapping[str, Value]) -> Fraction:
    left = evaluated(expression.left, values)
    if isinstance(expression.op, ast.Pow):
        return Fraction(left ** place(expression.right, values))
    operation = OPERATIONS.get(type(expression.op))
    if operation is None:
        raise CertificateError(f"expected + - * / ^, found {ast.unparse(expression)!r}")
    right = evaluated(expression.right, values)
    if right == 0 and isinstance(expression.op, ast.Div):
        raise CertificateError(f"division by 0 in {ast.unparse(expression)!r}")
    return operation(left, right)


def _given(expression: ast.expr, kind: str, values: Mapping[str, Value]) -> Value:
    value = _value(expression, values)
    if kind_of(value) != kind:
        raise CertificateError(f"expected a {kind}, found {ast.unparse(expression)!r}")
    return value


def known(expression: ast.Name, values: Mapping[str, Value]) -> Value:
    """Return the value that a name stands for."""
    if expression.id not in values:
        raise CertificateError(f"{expression.id!r} is no value of the counterexample")
    return values[expression.id]


def place(expression: ast.expr, values: Mapping[str, Value]) -> int:
    """Return a place or an exponent, a small number that is not negative."""
    number = evaluated(expression, values)
    if number.denominator != 1 or not 0 <= number <= MOST:
        raise CertificateError(f"expected 0, 1, .., {MOST}, found {ast.unparse(expression)!r}")
    return int(number)


def word_of(expression: ast.expr) -> Word:
    """Return the word that is called."""
    called = expression.func if isinstance(expression, ast.Call) else None
    if not isinstance(called, ast.Name) or called.id not in WORDS:
        raise CertificateError(f"expected one of {', '.join(WORDS)}, found {ast.unparse(expression)!r}")
    return WORDS[called.id]


def arguments(expression: ast.expr, word: Word) -> Sequence[ast.expr]:
    """Return what a word is given."""
    given = expression.args if isinstance(expression, ast.Call) and not expression.keywords else []
    if len(given) != len(word.takes):
        raise CertificateError(f"expected {len(word.takes)} arguments, found {ast.unparse(expression)!r}")
    return given


def kind_of(value: Value) -> str:
    """Return whether a value is a number, a row or a table."""
    if isinstance(value, Fraction):
        return NUMBER
    return ROW if is_row(value) else TABLE
