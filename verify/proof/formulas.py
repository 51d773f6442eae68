"""What a formula may be made of, so that the letters an engine decides are the letters a person
wrote.

sympy simplifies while an expression is built, using what it assumes of symbols: `Symbol("x",
positive=True) > 0` is True before any engine sees it. So symbols carry no assumptions (hypotheses
are written down), one name is one symbol, floats are refused. What sympy still does by itself, such
as cancelling x / x, no later check can see: denominators belong in the assumptions.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from pufferproof.models.errors import SolverError, extras

if TYPE_CHECKING:
    from sympy import Basic


def admit(*formulas: Any) -> None:
    """Raise `SolverError` unless symbols are plain, names unique, and numbers exact."""
    with extras:
        import sympy

    by_name: dict[str, object] = {}
    for formula in formulas:
        for symbol in getattr(formula, "free_symbols", ()):
            if not set(symbol._assumptions_orig) <= {"commutative", "real"} or isinstance(symbol, sympy.Dummy):
                raise SolverError(
                    f'expected plain symbols, found "{symbol}" with assumptions of its own: write them as hypotheses'
                )
            if by_name.setdefault(symbol.name, symbol) != symbol:
                raise SolverError(f'expected one symbol for one name, found two called "{symbol}"')
        if formula is not True and formula is not False and formula.atoms(sympy.Float):
            raise SolverError(f"expected exact numbers, found a float in {formula}")


def denominators(*formulas: object) -> "list[Basic]":
    """Return the expressions that are divided by, without the constants other than 0."""
    with extras:
        import sympy

    divisors = dict.fromkeys(
        power.base
        for formula in formulas
        for power in sympy.preorder_traversal(formula)
        if isinstance(power, sympy.Pow)
        and power.exp.is_number
        and power.exp.is_negative
        and (power.base.free_symbols or power.base.doit().is_zero)
    )
    return list(divisors)


def is_name(text: str) -> bool:
    """Whether a text can be the name of a letter: ASCII, and nothing that reads as more."""
    return text.isascii() and text.isidentifier()


_NAME = re.compile(r"[^\W\d]\w*")


def as_written(side: object, functions: "Sequence[str]" = ()) -> object:
    """Return one side of an identity: an expression as it is, or text read without simplifying it,
    every name a letter but for those of functions, `exp` and `log`.

    >>> (as_written("(a/p)/(b/q)") == as_written("(a/p)/(b/q)"), as_written("(a/p)/(b/q)") == as_written("a*q/(b*p)"))
    (True, False)

    Raises `SolverError` unless the text is an expression.
    """
    with extras:
        import sympy
        from sympy.parsing.sympy_parser import parse_expr

    if not isinstance(side, str):
        return sympy.sympify(side, strict=True)
    letters = {name: sympy.Symbol(name) for name in {*_NAME.findall(side)} - {*functions}}
    expect_letters(side, letters)
    try:
        expression = parse_expr(side, local_dict=letters, evaluate=False)
    except (SyntaxError, TypeError, ValueError, AttributeError) as error:
        raise SolverError(f'expected an expression, found "{side}"') from error
    if not isinstance(expression, sympy.Expr):
        raise SolverError(f'expected an expression, found "{side}"')
    return expression


def expect_letters(text: str, letters: Collection[str] = ()) -> None:
    """Raise `SolverError` unless a text that SymPy evaluates has no names but these letters, `exp`
    and `log`, no attributes and no texts: Python would find other names.
    """
    named = {*_NAME.findall(text)} <= {*letters, "exp", "log"}
    plain = normalize("NFKC", text) == text and "__" not in text  # as Python reads names
    if not named or not plain or re.search(r"""\.\s*[^\W\d]|["'\\[{]""", text):
        raise SolverError(f'expected an expression, found "{text:.60}"')


@cache
def evaluate_no_texts() -> None:
    """Let SymPy evaluate texts of numbers, letters, `exp` and `log` alone in this process: wherever
    it is given a text for an expression, it evaluates what stands there as Python.
    """
    with extras:
        from sympy.parsing import sympy_parser

        import_module("sympy.physics.units")  # printing imports it late; it has texts of its own

    whole = sympy_parser.parse_expr

    def parse_expr(s: str, local_dict: Any = None, *given: Any, **named: Any) -> Any:
        expect_letters(s, local_dict or ())
        return whole(s, local_dict, *given, **named)

    sympy_parser.parse_expr = parse_expr


def at_values(formula: object, values: Mapping[object, object]) -> object:
    """Return the formula that an equation holds where letters have these values."""
    with extras:
        import sympy

    given = [sympy.Eq(x, value, evaluate=False) for x, value in _exact(values).items()]
    return sympy.Implies(sympy.And(*given, evaluate=False), formula, evaluate=False)


def gives_value(sides: "Sequence[Basic]", values: Mapping[Any, Any]) -> bool:
    """Say whether an equation only repeats the value that a letter is given."""
    exact = _exact(values)
    one, other = (exact.get(side, side if side.free_symbols else side.doit()) for side in sides)
    return bool(values) and one == other


def put_in(side: "Basic", values: Mapping[object, object]) -> "Basic":
    """Put exact values for letters; raise `SolverError` if a denominator is 0 there."""
    exact = _exact(values)
    if zero := [
        denominator for denominator in denominators(side) if exact and denominator.subs(exact).is_zero is not False
    ]:
        raise SolverError(f"expected denominators other than 0, found {zero[0]} at these values")
    return side.subs(exact) if values else side


def reordered(side: "Basic") -> object:
    """Return an expression with every sum and product in one order, as nested texts."""
    with extras:
        import sympy

    if not isinstance(side, sympy.Add | sympy.Mul):
        return (type(side).__name__, *map(reordered, side.args)) if side.args else str(side)
    kind, neutral = type(side), str(side.identity)
    parts = [part for argument in side.args for part in (argument.args if isinstance(argument, kind) else (argument,))]
    texts = sorted((text for text in map(reordered, parts) if text != neutral), key=str)
    return texts[0] if len(texts) == 1 else (kind.__name__, *texts)


def _exact(values: Mapping[object, object]) -> dict[Any, Any]:
    with extras:
        import sympy

    return {_letter(letter): sympy.Rational(str(value)) for letter, value in values.items()}


def _letter(letter: object) -> Any:
    with extras:
        import sympy

    return sympy.Symbol(letter) if isinstance(letter, str) else sympy.sympify(letter, strict=True)
