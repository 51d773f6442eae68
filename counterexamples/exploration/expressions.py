"""Expressions in files of families: `= 1 - stay` is a number made of parameters, exactly.

They have integers, decimals, parameters, + - * / // %, powers up to 64, `max` and `min`. Nothing is
run: what is not one of these is refused.
"""

import ast
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from operator import add, floordiv, mod, mul, neg, pos, sub, truediv
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.text import brief, shown, text_of

LONGEST, _LARGEST_POWER = 200, 64
_MOST_BITS = 4096
# texts, and numbers that a letter follows at once, as in 1is: Python reads them with a warning
_WARNED = re.compile(r"""['"\\]|(?<!\w)(?>\d[\d.]*(?:[eE][+-]?\d+)?)[^\W\d]""")
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
    ast.FloorDiv: floordiv,
    ast.Mod: mod,
}
CALLED: dict[str, Callable[[list[Fraction]], Fraction]] = {"max": max, "min": min}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.USub: neg, ast.UAdd: pos}


class NoQuotientError(ModelError):
    """An expression divides by zero."""


def filled(document: object, values: Mapping[str, Fraction], where: str = "") -> Any:
    """Return a document with every text that begins with `=` replaced by its number: an integer, or
    a text such as "3/4".

    >>> filled({"count": "= n", "row": ["= p", "= 1 - p"]}, {"n": Fraction(3), "p": Fraction(1, 4)})
    {'count': 3, 'row': ['1/4', '3/4']}

    Raises `ModelError` for anything that is no expression of the parameters, with its place.
    """
    if isinstance(document, dict):
        start = f"{where}." if where else ""
        return {key: filled(each, values, f"{start}{key}") for key, each in document.items()}
    if isinstance(document, list):
        return [filled(each, values, f"{where}[{k}]") for k, each in enumerate(document)]
    if isinstance(document, str) and document.startswith("="):
        try:
            number = evaluated(document[1:], values)
        except ModelError as error:
            raise error.at(where) from None
        return int(number) if number.denominator == 1 else text_of(number)
    return document


def evaluated(text: str, values: Mapping[str, Fraction], longest: int = LONGEST) -> Fraction:
    """Return the number that an expression stands for. Raises `ModelError`."""
    try:
        return _value(_read(text, longest), text.strip(), values)
    except (ValueError, RecursionError, MemoryError):
        raise _no_expression(text) from None
    except ZeroDivisionError:
        raise NoQuotientError(f"division by zero in {shown(text)}") from None


def expect_expression(text: str, longest: int = LONGEST) -> None:
    """Raise `ModelError` unless a text reads as an expression, whatever its names are.

    >>> expect_expression("2*p")
    """
    _read(text, longest)


def _read(text: str, longest: int) -> ast.expr:
    if len(text) > longest:
        raise ModelError(f"an expression has at most {longest} characters, found {len(text)}")
    try:
        return _parsed(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _no_expression(text) from None


def _no_expression(text: str) -> ModelError:
    return ModelError(f'expected an expression such as "= 1 - p", found {shown(text)}')


@lru_cache(maxsize=256)
def _parsed(source: str) -> ast.expr:
    if _WARNED.search(source):
        raise SyntaxError("Python would warn of it")
    return ast.parse(source, mode="eval").body


def _value(node: ast.expr, source: str, values: Mapping[str, Fraction]) -> Fraction:
    if isinstance(node, ast.Constant):
        return parse_number(ast.get_source_segment(source, node) or "")
    if isinstance(node, ast.Name):
        if node.id not in values:
            raise ModelError(f"expected one of {', '.join(values)}, found {shown(node.id)}")
        return values[node.id]
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return Fraction(_UNARY[type(node.op)](_value(node.operand, source, values)))
    if isinstance(node, ast.BinOp):
        left, right = (_value(each, source, values) for each in (node.left, node.right))
        value = _combined(node.op, left, right)
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
            raise ModelError(f"a number has at most {_MOST_BITS} bits")
        return value
    if isinstance(node, ast.Call) and node.args and not node.keywords:
        return _called(node, [_value(each, source, values) for each in node.args])
    raise ModelError(f"expected numbers, parameters and + - * / // % **, found {shown(source)}")


def _called(node: ast.Call, values: list[Fraction]) -> Fraction:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in CALLED:
        raise ModelError("expected max or min, found another function")
    return CALLED[name](values)


def _combined(operator: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    if isinstance(operator, ast.Pow):
        if right.denominator != 1 or not -_LARGEST_POWER <= right <= _LARGEST_POWER:
            found = brief(right)
            raise ModelError(f"expected a whole power of at most {_LARGEST_POWER}, found {found}")
        return Fraction(left ** int(right))
    if type(operator) not in _BINARY:
        raise ModelError("expected + - * / // % or **, found another operator")
    return Fraction(_BINARY[type(operator)](left, right))
