"""Formulas of linked arguments as text and LaTeX: factors and terms in the order in which letters
are declared, letters with their indices.
"""

# ruff: noqa: N802 (methods of sympy's printers)

import re
from collections.abc import Sequence
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from pufferproof.claims.language.linked.argument import Linked
from pufferproof.claims.language.wording import minus_before_power

_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")


class _Ordered:
    """Factors and terms in the order of letters: numbers and letters without indices come first,
    and what is subtracted last.
    """

    argument: Linked

    @property
    def has_e(self) -> bool:
        """Whether the statement has a letter e, so that exp(t) cannot be written e^t."""
        one = self.argument
        stated = [] if one.then is None else one.made_in(one.stated)
        return any(x.name == "e" for x in (*one.letters, *stated))

    def factors(self, expr: Any) -> Any:
        """Return a product with its factors in order."""
        return sympy.Mul(*sorted(expr.args, key=self._factor), evaluate=False)

    def terms(self, expr: Any) -> Any:
        """Return a sum with its terms in order."""
        return sympy.Add(*sorted(expr.args, key=self._term), evaluate=False)

    def sides(self, expr: Any) -> Sequence[Any]:
        """The parts of an "and" or "or" in the order of their first letters."""
        return sorted(expr.args, key=lambda each: (self._depth(each), self._places(each)))

    def inside(self, expr: Any) -> Any:
        """Return what stands in an absolute value, with the sign at which it begins with a letter
        that is not subtracted.
        """
        (inner,) = expr.args
        first = min(sympy.Add.make_args(inner), key=self._places)
        return -inner if first.as_coeff_Mul()[0] < 0 else inner

    def _depth(self, expr: Any) -> int:
        return max(self._places(expr), default=-1)

    def _places(self, expr: Any) -> list[int]:
        order = [*self.argument.letters, *self.argument.definitions]
        return sorted(order.index(each) for each in expr.free_symbols)

    def _factor(self, each: Any) -> tuple[Any, ...]:
        indexed = bool(self.argument.indices_of(each))
        return not each.is_number, not each.is_Symbol, indexed, self._places(each)

    def _term(self, each: Any) -> tuple[Any, ...]:
        return bool(each.as_coeff_Mul()[0] < 0), each.is_number, self._places(each)


class Text(_Ordered, StrPrinter):  # type: ignore[misc]
    """Formulas as text, letters with their indices."""

    def __init__(self, argument: Linked) -> None:
        StrPrinter.__init__(self, {"order": "none"})
        self.argument = argument

    def _print_Symbol(self, expr: Any) -> str:
        name, indices = self.argument.shown(expr)
        return f"{name}[{', '.join(indices)}]" if indices else name

    def _print_Mul(self, expr: Any) -> str:
        return str(super()._print_Mul(self.factors(expr)))

    def _print_Add(self, expr: Any, order: Any = None) -> str:
        return str(super()._print_Add(self.terms(expr), order))

    def _print_Relational(self, expr: Any) -> str:
        sign = {"==": "=", "!=": "is not"}.get(expr.rel_op, expr.rel_op)
        left, right = (minus_before_power(self._print(x), "^") for x in (expr.lhs, expr.rhs))
        return f"{left} {sign} {right}"

    def _print_And(self, expr: Any) -> str:
        return " and ".join(map(self.part, self.sides(expr)))

    def _print_Or(self, expr: Any) -> str:
        return " or ".join(map(self.part, self.sides(expr)))

    def _print_Implies(self, expr: Any) -> str:
        return f"if {self._print(expr.args[0])}, then {self._print(expr.args[1])}"

    def _print_Not(self, expr: Any) -> str:
        return f"not ({self._print(expr.args[0])})"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        return str(super()._print_Pow(expr, rational)).replace("**", "^")

    def _print_Abs(self, expr: Any) -> str:
        return f"|{self._print(self.inside(expr))}|"

    def _print_Max(self, expr: Any) -> str:
        return f"max({', '.join(map(self._print, expr.args))})"

    def _print_Min(self, expr: Any) -> str:
        return f"min({', '.join(map(self._print, expr.args))})"

    def _print_Function(self, expr: Any) -> str:  # exp is the one that there is
        power = self._print(expr.args[0])
        if self.has_e:
            return f"exp({power})"
        return f"e^{power}" if power.isalnum() else f"e^({power})"

    def part(self, each: Any) -> str:
        """Return a part of an "and" or "or", in brackets if it has parts itself."""
        text = self._print(each)
        return f"({text})" if isinstance(each, sympy.And | sympy.Or | sympy.Implies) else text


class Tex(_Ordered, LatexPrinter):  # type: ignore[misc]
    """Formulas in LaTeX, letters with their indices as subscripts."""

    def __init__(self, argument: Linked) -> None:
        LatexPrinter.__init__(self, {"order": "none"})
        self.argument = argument

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        shown, indices = self.argument.shown(expr)
        name = super()._print_Symbol(sympy.Symbol(shown), style)
        name = _WORD.sub(lambda word: rf"\text{{{word[0]}}}", name)
        return f"{{{name}}}_{{{','.join(indices)}}}" if indices else str(name)

    def _print_Mul(self, expr: Any) -> str:  # sympy prints 1/x here too, which is a power
        if not expr.is_Mul:
            return str(super()._print_Mul(expr))
        number, others = _flat(expr)
        every = [number, *others] if number != 1 or not others else others
        if len(every) == 1:
            return str(self._print(every[0]))
        return str(super()._print_Mul(self.factors(sympy.Mul(*every, evaluate=False))))

    def _print_Add(self, expr: Any, order: Any = None) -> str:
        return str(super()._print_Add(self.terms(expr), order))

    def _print_And(self, expr: Any) -> str:
        return r" \wedge ".join(map(self._part, self.sides(expr)))

    def _print_Or(self, expr: Any) -> str:
        return r" \vee ".join(map(self._part, self.sides(expr)))

    def _print_Function(self, expr: Any, exp: Any = None) -> str:  # exp is the one that there is
        power = self._print(expr.args[0])
        return rf"\exp\left({power}\right)" if self.has_e else f"e^{{{power}}}"

    def _print_Not(self, expr: Any, e: Any = None) -> str:
        return rf"\neg \left({self._print(expr.args[0])}\right)"

    def _print_Abs(self, expr: Any, exp: Any = None) -> str:
        shown = rf"\left|{self._print(self.inside(expr))}\right|"
        return shown if exp is None else f"{shown}^{{{exp}}}"

    def _part(self, each: Any) -> str:
        text = str(self._print(each))
        inside = isinstance(each, sympy.And | sympy.Or | sympy.Implies)
        return rf"\left({text}\right)" if inside else text


def _flat(product: Any) -> tuple[Any, list[Any]]:
    """Return the number of a product, and its other factors, also of products in it."""
    number, others = sympy.S.One, list[Any]()
    for each in product.args:
        more, inside = _flat(each) if each.is_Mul else (each, [])
        if not each.is_Mul and not each.is_Rational:
            more, inside = sympy.S.One, [each]
        number, others = number * more, [*others, *inside]
    return number, others


class Coq(StrPrinter):  # type: ignore[misc]
    """Formulas of letters without indices as Coq writes them."""

    def _print_Relational(self, expr: Any) -> str:
        sign = {"==": "=", "!=": "<>"}.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _print_Function(self, expr: Any) -> str:
        return f"{expr.func.__name__} {' '.join(map(self._part, expr.args))}"

    def _print_Mul(self, expr: Any) -> str:
        return " * ".join(
            self._print(each) if isinstance(each, AppliedUndef) else self._part(each) for each in expr.args
        )

    def _part(self, each: Any) -> str:
        return self._print(each) if each.is_Atom else f"({self._print(each)})"
