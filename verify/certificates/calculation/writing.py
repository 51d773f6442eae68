"""A formula as a file for Coq, whose compilation computes both sides again.

The file stands alone: the numbers of the counterexample, the words that the formula uses, and the
formula. Division by 0 is 0 in Coq, so that the theorem says too that nothing is divided by 0, and
that numbers are positive where words make quotients of them.
"""

import ast
import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction

from pufferproof.models.errors import CertificateError

from .reading import Value, comparisons
from .values import arguments, evaluated, holds, kind_of, known, place, word_of
from .words import NUMBER, PLACE, POSITIVE, ROW, TABLE, WORDS

SIGNS = {"<": "<", "<=": "<=", "=": "==", ">": "<", ">=": "<="}
HEAD = """From Coq Require Import List QArith.
Import ListNotations.
Open Scope Q_scope."""
PROOF = "all: vm_compute; first [reflexivity | discriminate | intro; discriminate]."


def calculated(formula: str, values: Mapping[str, Value], name: str) -> str:
    """Return the file for Coq of a formula that is true of the values.

    Raises `CertificateError` if it is false, or no formula.
    """
    if not holds(formula, values):
        raise CertificateError(f"the formula is false: {formula}")
    file = _FileNeeds(values)
    claimed = [file.comparison(*comparison) for comparison in comparisons(formula)]
    parts = [*dict.fromkeys([*file.guards, *claimed])]
    theorem = " /\\\n  ".join(parts)
    holes = "_"
    for _ in parts[1:]:
        holes = f"(conj _ {holes})"
    return "\n".join(
        [
            f"(* {name}: {said(formula)}",
            f"   sha256:{digest(formula, values)} *)",
            HEAD,
            "",
            *(f"{word}\n" for word in file.words()),
            *(f"{file.definition(each)}\n" for each in file.names),
            f"Theorem statement :\n  {theorem}.",
            f"Proof. refine {holes}.",
            f"  {PROOF}",
            "Qed.",
            "Print Assumptions statement.",
            "",
        ]
    )


def digest(formula: str, values: Mapping[str, Value]) -> str:
    """Return the SHA-256 of a formula and the values it may name."""
    text = json.dumps([formula, {name: _plain(value) for name, value in sorted(values.items())}])
    return hashlib.sha256(text.encode()).hexdigest()


def said(formula: str) -> str:
    """Return a formula as it may stand in a comment."""
    return formula.replace("(*", "( *").replace("*)", "* )")


def _plain(value: Value) -> object:
    return str(value) if isinstance(value, Fraction) else [_plain(each) for each in value]


def _number(value: Fraction) -> str:
    top = str(value.numerator) if value >= 0 else f"({value.numerator})"
    return f"({top} # {value.denominator})"


def _written(value: Value) -> str:
    if isinstance(value, Fraction):
        return _number(value)
    return f"[{'; '.join(_written(each) for each in value)}]"


class _FileNeeds:
    """What a file needs: the names and words that occur, and what must not be 0."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = values
        self.names: dict[str, None] = {}
        self.used: dict[str, None] = {}
        self.guards: list[str] = []

    def comparison(self, left: ast.expr, sign: str, right: ast.expr) -> str:
        one, other = self.text(left), self.text(right)
        if sign == "!=":
            return f"~ {one} == {other}"
        if sign in (">", ">="):
            one, other = other, one
        return f"{one} {SIGNS[sign]} {other}"

    def text(self, expression: ast.expr) -> str:
        if isinstance(expression, ast.Constant):
            return _number(evaluated(expression, self.values))
        if isinstance(expression, ast.Name):
            known(expression, self.values)
            self.names[expression.id] = None
            return f"the_{expression.id}"
        if isinstance(expression, ast.UnaryOp):
            return f"(- {self.text(expression.operand)})"
        if isinstance(expression, ast.BinOp):
            return self.combined(expression)
        return self.called(expression)

    def combined(self, expression: ast.BinOp) -> str:
        left = self.text(expression.left)
        if isinstance(expression.op, ast.Pow):
            return f"({left} ^ {place(expression.right, self.values)})"
        if isinstance(expression.left, ast.Constant) and isinstance(expression.right, ast.Constant):
            return _number(evaluated(expression, self.values))
        right = self.text(expression.right)
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(expression.op)]
        if sign == "/" and not isinstance(expression.right, ast.Constant):
            self.guards.append(f"~ {right} == 0")
        return f"({left} {sign} {right})"

    def called(self, expression: ast.expr) -> str:
        word = word_of(expression)
        name = next(name for name, each in WORDS.items() if each is word)
        given = [
            f"{place(argument, self.values)}%nat" if kind == PLACE else self.text(argument)
            for argument, kind in zip(arguments(expression, word), word.takes)
        ]
        self.used[name] = None
        if word.positive:
            tables = [f"[{text}]" if kind == "row" else text for text, kind in zip(given, word.takes) if kind != PLACE]
            self.guards += [f"all_positive {text} = true" for text in tables]
        return f"({name} {' '.join(given)})"

    def words(self) -> list[str]:
        """Return the definitions that are needed, each after those it needs."""
        ordered: dict[str, None] = {}

        def add(name: str) -> None:
            for each in WORDS[name].needs:
                add(each)
            ordered[name] = None

        for name in self.used:
            add(name)
        shown = [WORDS[name].coq for name in ordered]
        return [*shown, POSITIVE] if any("all_positive" in guard for guard in self.guards) else shown

    def definition(self, name: str) -> str:
        value = self.values[name]
        kind = {NUMBER: "Q", ROW: "list Q", TABLE: "list (list Q)"}[kind_of(value)]
        return f"Definition the_{name} : {kind} := {_written(value)}."
