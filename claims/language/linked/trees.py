"""Formulas of the second reader, as trees of its own: read from text, and written as queries."""

import ast
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

Tree = tuple[Any, ...]
_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitOr: "or", ast.BitAnd: "and"}
_COMPARED = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">"}
_CALLED = {"Eq": "=", "Ne": "distinct", "Implies": "=>", "Abs": "abs", "And": "and", "Or": "or"}
_SIZES = {"Eq": 2, "Ne": 2, "Implies": 2, "Abs": 1}
_NARY = {"Max": ">=", "Min": "<="}


class UnlinkedError(Exception):
    """What is wrong with an argument."""


def tree(text: str) -> Tree:
    """Read a formula. Raises `UnlinkedError` for what is none."""
    return _tree(ast.parse(text, mode="eval").body)


def _tree(node: ast.AST) -> Tree:
    match node:
        case ast.Name(id=name):
            return ("letter", name)
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return ("number", Fraction(number))
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return ("-", _tree(part))
        case ast.UnaryOp(op=ast.Invert(), operand=part):
            return ("not", _tree(part))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return ("^", _tree(left), _tree(right))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _BINARY:
            return (_BINARY[type(sign)], _tree(left), _tree(right))
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _COMPARED:
            return (_COMPARED[type(sign)], _tree(left), _tree(right))
        case ast.Call(func=ast.Name(id=name), args=parts) if name in _CALLED and len(parts) == _SIZES.get(
            name, len(parts)
        ):
            return (_CALLED[name], *map(_tree, parts))
        case ast.Call(func=ast.Name(id=name), args=parts) if name in _NARY:
            return reduce(lambda a, b: ("ite", (_NARY[name], a, b), a, b), map(_tree, parts))
        case ast.Call(func=ast.Name(id="exp"), args=[part]):
            return ("exp", _tree(part))
    raise UnlinkedError(f"cannot be read: {ast.unparse(node)}")


def theorem(text: str) -> tuple[frozenset[Tree], Tree]:
    """Read a theorem of Coq about real numbers: its hypotheses and its conclusion."""
    *given, then = text.partition(" : R, ")[2].split(" -> ")
    return frozenset(map(_of_coq, given)), _of_coq(then)


def _of_coq(text: str) -> Tree:
    text = re.sub(r"exp (\w+)", r"exp(\1)", text)
    left, equal, right = text.partition(" = ")
    return in_order(("=", tree(left), tree(right)) if equal else tree(text))


def in_order(formula: Tree) -> Tree:
    """A formula with the parts of each sum and product of two in one order."""
    if formula[0] in ("letter", "number"):
        return formula
    parts = tuple(map(in_order, formula[1:]))
    return (formula[0], *(sorted(parts, key=repr) if formula[0] in "+*" else parts))


def letters(formula: Tree) -> set[str]:
    """The letters of a formula."""
    if not formula or formula[0] == "number":
        return set()
    if formula[0] == "letter":
        return {formula[1]}
    return set[str]().union(*map(letters, formula[1:]))


def divisors(formula: Tree) -> list[Tree]:
    """What a formula divides by."""
    if not formula or formula[0] in ("letter", "number"):
        return []
    inside = [each for part in formula[1:] for each in divisors(part)]
    if formula[0] == "/":
        return [*inside, formula[2]]
    negative = formula[0] == "^" and formula[2][0] == "-"
    return [*inside, formula[1]] if negative else inside


def replaced(formula: Tree, put: Mapping[str, Tree]) -> Tree:
    """A formula with trees for letters, all at once."""
    if formula[0] == "letter":
        return put.get(formula[1], formula)
    if formula[0] == "number":
        return formula
    return (formula[0], *(replaced(each, put) for each in formula[1:]))


def bounds(domains: Mapping[str, Iterable[Iterable[str]]]) -> list[Tree]:
    """The conditions of domains."""
    signs = {"!=": "distinct"}
    return [
        (signs.get(relation, relation), ("letter", name), ("number", Fraction(number)))
        for name, its in sorted(domains.items())
        for relation, number in its
    ]


def smt(assumed: Iterable[Tree], formula: Tree) -> str:
    """The query that has no model iff a formula follows."""
    every = [*assumed, formula]
    names = sorted(set[str]().union(*map(letters, every)))
    lines = ["(set-logic QF_NRA)", *(f"(declare-const {each} Real)" for each in names)]
    lines += [f"(assert {_text(each)})" for each in every[:-1]]
    return "\n".join([*lines, f"(assert (not {_text(formula)}))", "(check-sat)", ""])


def _text(formula: Tree) -> str:
    sign, *parts = formula
    if sign == "letter":
        return str(parts[0])
    if sign == "number":
        value = parts[0]
        shown = f"(/ {abs(value.numerator)} {value.denominator})"
        return f"(- {shown})" if value < 0 else shown
    if sign == "^":
        return _power(_text(parts[0]), parts[1])
    if sign == "abs":
        inside = _text(parts[0])
        return f"(ite (< {inside} 0) (- {inside}) {inside})"
    if sign == "exp":
        raise UnlinkedError("an exponential stands in a query")
    return f"({sign} {' '.join(map(_text, parts))})"


def _power(base: str, exponent: Tree) -> str:
    negative = exponent[0] == "-" and len(exponent) == 2
    sign, number = (-1, exponent[1]) if negative else (1, exponent)
    if number[0] != "number" or number[1].denominator != 1 or not 0 < number[1] <= 40:
        raise UnlinkedError("a power must be a small integer")
    shown = f"(* {' '.join([base] * int(number[1]))} 1)"
    return shown if sign > 0 else f"(/ 1 {shown})"


def exchanged(formula: Tree, put: Mapping[Tree, Tree]) -> Tree:
    if formula in put:
        return put[formula]
    if formula[0] in ("letter", "number"):
        return formula
    return (formula[0], *(exchanged(each, put) for each in formula[1:]))


def made_of(source: Mapping[str, Any]) -> set[str]:
    """The letters of the hypotheses and the conclusion of an argument, and those they are made
    of.
    """
    texts = [x["formula"] for x in source["facts"] if x["rule"] == "given"]
    found = set[str]().union(*(letters(tree(text)) for text in (*texts, source["then"])))
    for each in reversed(source["definitions"]):
        if each["letter"] in found:
            found |= parts_of(each)
    return found


def parts_of(each: Mapping[str, Any]) -> set[str]:
    """The letters in a definition."""
    texts = (each[part] for part in ("is", "start", "following", "term", "of") if part in each)
    return set[str]().union(*(letters(tree(text)) for text in texts))
