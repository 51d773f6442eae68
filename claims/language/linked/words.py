"""Words and LaTeX of a linked statement, made from its letters and formulas."""

# ruff: noqa: N802 (methods of sympy's printers)

from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from pufferproof.claims.language import wording
from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked.argument import Linked
from pufferproof.claims.language.linked.made import Before, Copy, Extreme, Fold


def lets(argument: Linked) -> str:
    """Say, after "Let", what indices run through, what letters are, and how others are made."""
    said = [
        f"{index} run through {meaning}, finitely many and at least one"
        for index, meaning in argument.indices.items()
        if index not in argument.same
    ]
    said += [f"{index} run through the same values as {i}" for index, i in argument.same.items()]
    said += [_letter(argument, each) for each in argument.letters]
    said += [
        _definition(argument, each)
        for each in argument.made_in([*argument.hypotheses.values(), argument.then])
        if not isinstance(argument.definitions[each], Copy)
    ]
    return "; let ".join(said)


def hypotheses(argument: Linked) -> list[tuple[str, str]]:
    """Return the words and the LaTeX of each hypothesis."""
    return [
        (words(argument, formula), latex(argument, formula))
        for formula in argument.hypotheses.values()
    ]


def conclusion(argument: Linked) -> tuple[str, str]:
    """Return the words and the LaTeX of the conclusion."""
    then = argument.then
    return words(argument, then), latex(argument, then)


def words(argument: Linked, formula: Any) -> str:
    """Write a formula as text, for every value of its indices."""
    text = _Text(argument).doprint(formula)
    indices = sorted(argument.indices_of(formula))
    return f"{text} for every {wording.series(indices)}" if indices else text


def latex(argument: Linked, formula: Any) -> str:
    """Write a formula in LaTeX."""
    return str(_Tex(argument).doprint(formula))


def _letter(argument: Linked, each: Letter) -> str:
    shown = _Text(argument).doprint(each)
    domain = "".join(f" {bound.relation} {bound.number}" for bound in each.bounds[:1])
    more = "".join(f" and {bound.relation} {bound.number}" for bound in each.bounds[1:])
    return f"{shown}{domain}{more} be a real number, {each.meaning}"


def _definition(argument: Linked, each: Letter) -> str:
    text, made = _Text(argument), argument.definitions[each]
    shown = text.doprint(each)
    if isinstance(made, Extreme):
        return (
            f"{shown} be the {made.kind} {text.doprint(made.term)} over {made.over}, {each.meaning}"
        )
    if isinstance(made, Before):
        over = argument.folds[made.of].over
        return f"{shown} be what there is of {text.doprint(made.of)} before {over}, {each.meaning}"
    if not isinstance(made, Fold):
        return f"{shown} = {text.doprint(made)}, {each.meaning}"
    if made.kind == "chain":
        return (
            f"{shown} be {text.doprint(made.start)} at first, and {text.doprint(made.following)} "
            f"after each {made.over}, {each.meaning}"
        )
    made_of = f"the {made.kind} over {made.over} of {text.doprint(made.term)}"
    return f"{shown} be {made_of}, {each.meaning}"


class _Text(StrPrinter):  # type: ignore[misc]
    """Formulas as text, letters with their indices."""

    def __init__(self, argument: Linked) -> None:
        super().__init__({"order": "none"})
        self.argument = argument

    def _print_Symbol(self, expr: Any) -> str:
        name, indices = self.argument.shown(expr)
        return f"{name}[{', '.join(indices)}]" if indices else name

    def _print_Relational(self, expr: Any) -> str:
        sign = {"==": "=", "!=": "is not"}.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _print_And(self, expr: Any) -> str:
        return " and ".join(map(self._part, expr.args))

    def _print_Or(self, expr: Any) -> str:
        return " or ".join(map(self._part, expr.args))

    def _print_Implies(self, expr: Any) -> str:
        return f"if {self._print(expr.args[0])}, then {self._print(expr.args[1])}"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        return str(super()._print_Pow(expr, rational)).replace("**", "^")

    def _part(self, each: Any) -> str:
        text = self._print(each)
        return f"({text})" if isinstance(each, sympy.And | sympy.Or | sympy.Implies) else text


class _Tex(LatexPrinter):  # type: ignore[misc]
    """Formulas in LaTeX, letters with their indices as subscripts."""

    def __init__(self, argument: Linked) -> None:
        super().__init__()
        self.argument = argument

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        shown, indices = self.argument.shown(expr)
        name = super()._print_Symbol(sympy.Symbol(shown), style)
        return f"{{{name}}}_{{{','.join(indices)}}}" if indices else str(name)


def coq(formula: Any) -> str:
    """Write a formula of letters without indices as Coq does."""
    return str(_Coq({"order": "none"}).doprint(formula))


class _Coq(StrPrinter):  # type: ignore[misc]
    def _print_Relational(self, expr: Any) -> str:
        sign = {"==": "=", "!=": "<>"}.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _print_Function(self, expr: Any) -> str:
        return f"{expr.func.__name__} {' '.join(map(self._print, expr.args))}"

    def _print_Mul(self, expr: Any) -> str:
        return " * ".join(map(self._print, expr.args))
