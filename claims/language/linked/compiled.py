"""Formulas as functions of their letters that compute with fractions."""

# ruff: noqa: N802 (methods of sympy's printers)

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import sympy
from sympy.printing.pycode import PythonCodePrinter

from pufferproof.claims.language.statements.rationals import Fraction


class UndefinedError(Exception):
    """A quotient by 0, or a power that is too large."""


@cache
def compiled(formula: Any) -> tuple[Sequence[Any], Callable[..., Any]]:
    """Return the letters of a formula, and the formula as a function of their values.

    It raises `ZeroDivisionError`, or `UndefinedError` where a power is no integer.

    >>> from sympy import Implies, Or, Symbol
    >>> x = Symbol("x")
    >>> compiled(x / 3)[1](Fraction(2))
    Fraction(2, 3)
    >>> compiled(Implies(Or(x > 0, x < -1), x > 1))[1](Fraction(-2))
    False
    """
    letters = sorted(formula.free_symbols, key=str)
    names = {"Fraction": Fraction, "power": _power}
    return letters, sympy.lambdify(letters, formula, [names], printer=_Exact())


def _power(base: Fraction, power: Fraction) -> Fraction:
    if power.denominator != 1:
        raise UndefinedError
    return base ** int(power)


class _Exact(PythonCodePrinter):  # type: ignore[misc]
    def _print_Rational(self, expr: Any) -> str:
        return f"Fraction({expr.p}, {expr.q})"

    def _print_Integer(self, expr: Any) -> str:
        return self._print_Rational(expr)

    def _print_Implies(self, expr: Any) -> str:
        return "(not ({}) or ({}))".format(*map(self._print, expr.args))

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        return "power({}, {})".format(*map(self._print, expr.args))
