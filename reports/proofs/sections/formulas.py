"""Formulas of documents in LaTeX, from the tree that was parsed: what is shown is what is decided.

What could be read in two ways has brackets: "and", "or", "not" or "implies" inside another
one, a sum in a product, and a power in a power.
"""

import ast
import re
from collections.abc import Mapping, Sequence

from pufferproof.claims.document.formulas import read
from pufferproof.claims.document.lines import GREEK, LETTER
from pufferproof.models.errors import ModelError

_SIGNS: dict[type[ast.cmpop], str] = {
    **{ast.LtE: r"\le", ast.GtE: r"\ge", ast.NotEq: r"\ne"},
    **{ast.Lt: "<", ast.Gt: ">", ast.Eq: "="},
}
_RELATIONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "<": "<", ">": ">"}
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_OF_TRUTH = (ast.And, ast.Or, ast.Not, ast.RShift)
_SUM, _NOTHING = (ast.Add, ast.Sub, ast.USub), dict[str, str]()


def parsed(text: str, letters: Mapping[str, str] = _NOTHING) -> list[str]:
    r"""Return the formulas of a text, as they were parsed, in LaTeX; `letters` are names as pages
    show them.

    >>> parsed("not (a = b) and c < 1; 2*b <= c/4")
    ['\\left(\\neg \\left(a = b\\right)\\right) \\wedge c < 1', '2 b \\le \\frac{c}{4}']

    Raises `ModelError` for what is no formula.
    """
    return [latex(each, letters) for each in read(text)]


def bounded(names: Sequence[str], domain: Sequence[tuple[str, str]]) -> str:
    r"""Return names, in LaTeX, with the relations to numbers that hold of each.

    >>> bounded(["p", "q"], [(">=", "0")]), bounded(["r"], [(">", "0"), ("<=", "1")])
    ('p, q \\ge 0', '0 < r \\le 1')
    """
    shown, bounds = ", ".join(names), list(domain)
    if len(bounds) == 2 and len(names) == 1 and bounds[0][0] in (">=", ">"):
        sign, number = bounds.pop(0)
        shown = f"{number} {_RELATIONS[sign.replace('>', '<')]} {shown}"
    return shown + "".join(f" {_RELATIONS[sign]} {number}" for sign, number in bounds)


def latex(tree: ast.expr, letters: Mapping[str, str] = _NOTHING) -> str:
    """Return a tree that `formulas.read` made in LaTeX."""
    match tree:
        case ast.BoolOp(op, values):
            sign = r" \wedge " if isinstance(op, ast.And) else r" \vee "
            return sign.join(_inside(each, letters, _OF_TRUTH) for each in values)
        case ast.UnaryOp(ast.Not(), operand):
            return rf"\neg {_bracketed(latex(operand, letters))}"
        case ast.Compare(left, ops, others):
            found = latex(left, letters)
            for sign_of, each in zip(ops, others):
                found += f" {_SIGNS[type(sign_of)]} {latex(each, letters)}"
            return found
        case ast.UnaryOp(ast.USub(), operand):
            return f"-{_inside(operand, letters, (*_SUM, ast.Pow, ast.Mult))}"
        case ast.Call(ast.Name(name), arguments):
            given = ", ".join(latex(each, letters) for each in arguments)
            if name == "abs":
                return rf"\left|{given}\right|"
            called = rf"\{name}" if name in ("exp", "log") else letter(name, letters)
            return f"{called}{_bracketed(given)}"
        case ast.BinOp(left, op, right):
            return _operation(left, op, right, letters)
        case ast.Name(name):
            return letter(name, letters)
        case ast.Constant(value):
            return str(value)
    raise ModelError(f"expected a formula, found {ast.unparse(tree)}")


def letter(name: str, letters: Mapping[str, str] = _NOTHING) -> str:
    r"""Return a letter in LaTeX: an index as one, a Greek letter as its sign, a word upright.

    >>> letter("x_1"), letter("epsilon"), letter("ratio"), letter("D", {"D": "Δ⋆"})
    ('x_{1}', '\\epsilon', '\\mathrm{ratio}', 'Δ^{⋆}')
    """
    found: tuple[str, str, str, str] = LETTER.findall(letters.get(name, name))[0]
    one, digits, marks, which = found
    indices = ", ".join(each for each in (digits, *which.split("_")) if each)
    indices = which.strip("{}") if which.startswith("{") else indices
    index = f"_{{{_upright(indices)}}}" if indices else ""
    return _upright(one) + index + marks.replace("⋆", "^{⋆}")


def _upright(text: str) -> str:
    """Write Greek words as their signs, and other words upright."""
    return _WORD.sub(lambda word: rf"\{word[0]}" if word[0] in GREEK else rf"\mathrm{{{word[0]}}}", text)


def _operation(left: ast.expr, op: ast.operator, right: ast.expr, letters: Mapping[str, str]) -> str:
    match op:
        case ast.RShift():  # "implies", as `formulas.read` has it
            both = (_inside(each, letters, _OF_TRUTH) for each in (left, right))
            return r" \implies ".join(both)
        case ast.Div():
            return rf"\frac{{{latex(left, letters)}}}{{{latex(right, letters)}}}"
        case ast.Pow():
            base = latex(left, letters)
            is_bare = isinstance(left, ast.Name | ast.Constant) and not {*"^'′"} & {*base}
            base = base if is_bare else _bracketed(base)
            return f"{base}^{{{latex(right, letters)}}}"
        case ast.Mult():
            one = _inside(left, letters, (ast.Add, ast.Sub))
            other = _inside(right, letters, (*_SUM, ast.Mult))
            apart = r"\mathrm" in one + other or re.match(r"[0-9]|\\frac", other)
            return rf"{one} \cdot {other}" if apart else f"{one} {other}"
    sign = "+" if isinstance(op, ast.Add) else "-"
    return f"{latex(left, letters)} {sign} {_inside(right, letters, _SUM)}"


def _inside(tree: ast.expr, letters: Mapping[str, str], bracketed: tuple[type, ...]) -> str:
    """Write what stands inside, in brackets if it is one of these, or begins with a minus."""
    text = latex(tree, letters)
    is_one = isinstance(tree, ast.BoolOp | ast.BinOp | ast.UnaryOp) and (
        isinstance(tree.op, bracketed) or (ast.USub in bracketed and text.startswith("-"))
    )
    return _bracketed(text) if is_one else text


def _bracketed(text: str) -> str:
    return rf"\left({text}\right)"
