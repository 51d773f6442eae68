"""Formulas of letters with indices as Python that computes with fractions.

A function is made of (values, sizes): the values of every letter by those of its indices, a table
for each letter in the order of the letters; and how many values each index has.
"""

# ruff: noqa: N802 (methods of sympy's printers)

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sympy.printing.pycode import PythonCodePrinter

from pufferproof.claims.language.linked.made import Before, Copy, Extreme, Fold, Letters
from pufferproof.claims.language.statements.rationals import Fraction

Table = dict[tuple[int, ...], Any]
Compiled = Callable[[Sequence[Table], Mapping[str, int]], Any]


class UndefinedError(ZeroDivisionError):
    """A quotient by 0, or a power that is too large."""


class Compiler:
    """Makes functions of the formulas of an argument. They raise `ZeroDivisionError`, or
    `UndefinedError` where a power is no integer.

    >>> from sympy import Implies, Or
    >>> from pufferproof.claims.language.letters import letter
    >>> x = letter("x", "a number of each t")
    >>> code = Compiler(Letters("numbers", {"t": "the places"}, {x: "t"}))
    >>> code.everywhere(x / 3 < 1)([{(0,): Fraction(2), (1,): Fraction(3)}], {"t": 2})
    False
    >>> either = Implies(Or(x > 0, x < -1), x > 1)
    >>> code.everywhere(either)([{(0,): Fraction(-2)}], {"t": 1})
    False
    """

    def __init__(self, argument: Letters) -> None:
        self.argument = argument
        self.letters = [*argument.letters, *argument.definitions]
        self.places = {x: place for place, x in enumerate(self.letters)}
        self._orders = {x: argument.order_of(x) for x in self.letters}
        self._index = {each: f"i{place}" for place, each in enumerate(argument.indices)}
        self._known: dict[str, Any] = {"power": _power}

    def everywhere(self, formula: Any) -> Compiled:
        """Return whether a formula holds at every value of its indices."""
        lines, tab = self._loops(sorted(self.argument.indices_of(formula)))
        lines += [f"{tab}if not ({self._text(formula)}): return False", " return True"]
        return self._function(lines)

    def made(self, x: Any) -> Compiled:
        """Return the table of a letter that is defined."""
        lines, tab = self._loops(self._orders[x])
        more, value = self._value(x)
        lines += [tab + each for each in more]
        lines += [f"{tab}found[{self._at(x)}] = {value}", " return found"]
        return self._function([" found = {}", *lines])

    def near(self, x: Any, formula: Any) -> Compiled:
        """Return for each value of the indices of a letter the values of a formula that has further
        ones, without those that are not defined.
        """
        further = sorted(self.argument.indices_of(formula) - {*self._orders[x]})
        lines, tab = self._loops(self._orders[x])
        lines.append(f"{tab}here = found[{self._at(x)}] = []")
        more, tab = self._loops(further, tab)
        tried = f"{tab}try: here.append({self._text(formula)})"
        unless = f"{tab}except (ZeroDivisionError, KeyError): pass"
        return self._function([" found = {}", *lines, *more, tried, unless, " return found"])

    def _value(self, x: Any) -> tuple[list[str], str]:
        """Return lines, and what is the value of a letter after them."""
        made, limit = self.argument.definitions[x], ""
        if isinstance(made, Copy):
            return [], self._text(made.of, instead={made.over: self._index[made.to]})
        if isinstance(made, Extreme):
            pick = "max" if made.kind == "largest" else "min"
            return [], f"{pick}([{self._text(made.term)} {self._loop(made.over)}])"
        if isinstance(made, Before):
            x, made = made.of, self.argument.definitions[made.of]
            limit = self._index[made.over]
        if not isinstance(made, Fold):
            return [], self._text(made)
        index, following = self._index[made.over], self._text(made.following, so_far=x)
        start = f"total = {self._text(made.start)}"
        if limit:
            before = [f"last = {limit}", f"for {index} in range(last): total = {following}"]
            return [start, *before, f"{index} = last"], "total"
        return [start, f"{self._loop(made.over)}: total = {following}"], "total"

    def _loops(self, indices: Sequence[str], tab: str = " ") -> tuple[list[str], str]:
        """Return loops over indices, one in the other, and how far in the innermost stands."""
        lines = [f"{tab}{' ' * deep}{self._loop(each)}:" for deep, each in enumerate(indices)]
        return lines, tab + " " * len(indices)

    def _loop(self, index: str) -> str:
        return f"for {self._index[index]} in range(n[{index!r}])"

    def _at(self, x: Any, instead: Mapping[str, str] | None = None) -> str:
        names = {**self._index, **(instead or {})}
        return f"({''.join(f'{names[each]}, ' for each in self._orders[x])})"

    def _text(self, formula: Any, so_far: Any = None, instead: Mapping[str, str] | None = None) -> str:
        """Return a formula as Python, a letter that is being made as what there is so far."""
        names = {
            x: "total" if x == so_far else f"v[{self.places[x]}][{self._at(x, instead)}]" for x in formula.free_symbols
        }
        return str(_Exact(names, self._known).doprint(formula))

    def _function(self, lines: Sequence[str]) -> Compiled:
        names: dict[str, Any] = {}
        exec("\n".join(["def made(v, n):", *lines]), self._known, names)
        made: Compiled = names["made"]
        return made


def _power(base: Fraction, power: Fraction) -> Fraction:
    if power.denominator != 1:
        raise UndefinedError
    return base ** int(power)


class _Exact(PythonCodePrinter):  # type: ignore[misc]
    """Prints letters by their names, and numbers by names of their own in `known`."""

    def __init__(self, names: Mapping[Any, str], known: dict[str, Any]) -> None:
        super().__init__()
        self._names, self._numbers = names, known

    def _print_Symbol(self, expr: Any) -> str:
        return self._names[expr]

    def _print_Rational(self, expr: Any) -> str:
        name = f"c{expr.p}_{expr.q}".replace("-", "m")
        self._numbers[name] = Fraction(int(expr.p), int(expr.q))
        return name

    def _print_Integer(self, expr: Any) -> str:
        return self._print_Rational(expr)

    def _print_Implies(self, expr: Any) -> str:
        return "(not ({}) or ({}))".format(*map(self._print, expr.args))

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp.is_Integer:
            return f"({self._print(expr.base)})**{expr.exp.p}"
        return "power({}, {})".format(*map(self._print, expr.args))
