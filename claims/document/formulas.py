"""Formulas of documents, `a^2 + b^2 >= 2*a*b`: read by a grammar, and written in one way.

What people read in two ways is refused, with what to write instead: `-x^2`, `a/b*c`, `a^b^c`,
`a < b > c`, `a*-b`, and `and`, `or` or `implies` beside another one, or `not` before anything,
without brackets.
"""

import ast
import math
from collections.abc import Iterator, Sequence
from functools import cache
from keyword import iskeyword
from typing import Any

from pufferproof.models.errors import ModelError, extras

GRAMMAR = r"""
several: formula (";" formula)*
?formula: joined "implies" joined -> implied
        | joined
?joined: both ("or" both)+ -> either
       | both
?both: denied ("and" denied)+ -> all
     | denied
?denied: "not" denied -> opposite
       | relation
?relation: sum (SIGN sum)+ -> chain
         | sum
?sum: product (ADDED product)+ -> terms
    | product
?product: factor (TIMES factor)+ -> factors
        | factor
?factor: "-" factor -> minus
       | power
?power: atom "^" factor -> raised
      | atom
?atom: NUMBER -> number
     | NAME -> name
     | NAME "(" sum ("," sum)* ")" -> called
     | "(" formula ")" -> bracketed
SIGN: "<=" | ">=" | "!=" | "=" | "<" | ">"
ADDED: "+" | "-"
TIMES: "*" | "/"
NUMBER: /[0-9]+(?![0-9.]*[.][0-9])/
NAME: /(?!(and|or|not|implies)\b)[A-Za-z_][A-Za-z0-9_]*/
%ignore " "
"""
_SIGNS: dict[str, type[ast.cmpop]] = {
    **{"<=": ast.LtE, ">=": ast.GtE, "!=": ast.NotEq},
    **{"=": ast.Eq, "<": ast.Lt, ">": ast.Gt},
}
SHOWN = {made: sign for sign, made in _SIGNS.items()}
NOT = "not without brackets is read in two ways: write not (..)"
MINUS = "a minus before a power is read in two ways: write -(x^2) or (-x)^2"
TOWER = "a power in an exponent, or a minus, is read in two ways: write brackets"
BESIDE = '"{}" beside "{}" is read in two ways: write brackets'
CHAIN = 'the chain "{}" is read in two ways: join relations by "and"'
_OPERATORS: dict[str, type[ast.operator]] = {
    **{"+": ast.Add, "-": ast.Sub},
    **{"*": ast.Mult, "/": ast.Div, "^": ast.Pow},
}
_WRITTEN = {ast.Add: " + ", ast.Sub: " - ", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}
_WORDS = {
    "SIGN": "a relation (=, <, <=, >, >=, !=)",
    "NUMBER": "a whole number",
    "NAME": "a letter",
    "SEMICOLON": '";"',
    "LPAR": '"("',
    "RPAR": '")"',
    "CIRCUMFLEX": '"^"',
    "ADDED": "+ or -",
    "TIMES": "* or /",
    "MINUS": "a minus",
    "AND": "and",
    "OR": "or",
    "IMPLIES": "implies",
    "NOT": "not",
    "COMMA": "a comma",
    "$END": "the end",
}


def read(text: str) -> list[ast.expr]:
    """Return the formulas of a text, separated by `;`, as trees of Python: `=` is a comparison, `^`
    a power. Raises `ModelError` for what is none, or can be read in two ways.
    """
    with extras:
        from lark.exceptions import UnexpectedInput

    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise ModelError(f'in the formula "{text}": {_expected(error, text)}') from None
    try:
        return [expect_shallow(_tree(each)) for each in tree.children]
    except ModelError as error:
        raise ModelError(f'in the formula "{text:.60}": {error}') from None
    except RecursionError:
        raise ModelError(f'in the formula "{text:.60}": {TOO_DEEP}') from None


def shown(text: str, several: bool = False, power: str = "^") -> str:
    """Return formulas in the layout of documents; `power` is the sign of powers.

    >>> shown("( a ^ 2)+b >= 2 * (a*b)")
    'a^2 + b >= 2*(a*b)'

    Raises `ModelError` as `read` does, and for more than one formula unless `several` are allowed.
    """
    formulas = read(text)
    if len(formulas) > 1 and not several:
        raise ModelError(f'expected one formula, found {len(formulas)} in "{text}"')
    return "; ".join(write(each, power) for each in formulas)


def relations(text: str, several: bool) -> list[ast.expr]:
    """Return the relation that a claim says, or the `several` that it assumes, which `and` may
    join as well.

    Raises `ModelError` as `read` does, and for what engines do not decide.
    """
    trees = read(text)
    if several:
        trees = [each for tree in trees for each in _conjuncts(tree)]
    elif len(trees) > 1:
        raise ModelError(f'expected one formula, found {len(trees)} in "{text}"')
    for tree in trees:
        if not several and (isinstance(getattr(tree, "op", None), ast.And) or len(getattr(tree, "ops", "1")) > 1):
            said = f'expected one relation, found several, "{text:.60}": write a claim for each'
            raise ModelError(said)
        if not isinstance(tree, ast.Compare):
            found = f'expected a relation, found "{write(tree):.60}"'
            said = ": a program or a linked argument may have or, not and implies"
            raise ModelError(f"{found}{said if is_truth(tree) else ''}")
        for node in ast.walk(tree):
            _expect_decided(node)
    return trees


def _conjuncts(tree: ast.expr) -> Iterator[ast.expr]:
    """Yield what `and` joins."""
    if not isinstance(getattr(tree, "op", None), ast.And):
        yield tree
        return
    for each in getattr(tree, "values", ()):
        yield from _conjuncts(each)


def _expect_decided(node: ast.AST) -> None:
    match node:
        case ast.Call(ast.Name(name)) if name not in ("exp", "log"):
            known = "a formula of a claim has exp and log, a linked argument abs, max and min"
            raise ModelError(f'expected a letter or a number, found "{name}(..)": {known}')
        case ast.Name(name) if iskeyword(name):
            raise ModelError(f'"{name}" is a word of Python: take another letter')


DEEPEST = 200
TOO_DEEP = f"more than {DEEPEST} operations or brackets stand in one another: name parts of it"


def expect_shallow(tree: Any) -> Any:
    """Return a tree. Raises `ModelError` if it is too deep for what looks at it."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [each for node in level for each in ast.iter_child_nodes(node)]
        if not level:
            return tree
    raise ModelError(TOO_DEEP)


@cache
def _parser() -> Any:
    with extras:
        from lark import Lark

    return Lark(GRAMMAR, start="several", parser="lalr")


def _expected(error: Any, text: str) -> str:
    """Say where a formula is wrong, and what could stand there."""
    column = getattr(error, "column", -1)
    at = column - 1 if isinstance(column, int) and column > 0 and text[column - 1 :] else len(text)
    if getattr(getattr(error, "token", None), "type", "") == "$END":
        at = len(text)
    found = f'"{text[at : at + 12]}"' if text[at : at + 12] else "the end"
    found_names = (getattr(error, each, None) for each in ("accepts", "expected", "allowed"))
    names = next((each for each in found_names if each), ())
    words = sorted({_WORDS.get(each, each) for each in names})
    return f"expected {', '.join(words)}, found {found}"


# --- what is read
# ----------------------------------------------------------------------------------------------


def _tree(node: Any) -> ast.expr:
    """Return the tree of a node of the grammar, unless it can be read in two ways."""
    match node.data:
        case "number":
            if len(node.children[0]) > LARGEST:
                raise ModelError(f"expected a number of at most {LARGEST} digits")
            return ast.Constant(int(node.children[0]))
        case "name":
            return ast.Name(str(node.children[0]), ast.Load())
        case "called":
            called = ast.Name(str(node.children[0]), ast.Load())
            return ast.Call(called, [_number(each) for each in node.children[1:]], [])
        case "bracketed":
            return _tree(node.children[0])
        case "either" | "all" | "implied":
            return _joined(node)
        case "opposite":
            if node.children[0].data != "bracketed":
                raise ModelError(NOT)
            return ast.UnaryOp(ast.Not(), _relation(node.children[0]))
        case "chain":
            return _chain(node.children)
        case "minus":
            if node.children[0].data in ("raised", "minus"):
                raise ModelError(MINUS)
            return ast.UnaryOp(ast.USub(), _number(node.children[0]))
        case "raised":
            return _raised(*node.children)
    return _operations(node)


_JOINING = {"all": "and", "either": "or", "implied": "implies"}


def _joined(node: Any) -> ast.expr:
    operator: ast.boolop = ast.Or() if node.data == "either" else ast.And()
    for each in node.children:
        if each.data in ("either", "all"):
            one, other = (_JOINING[x.data] for x in sorted((node, each), key=lambda x: x.data))
            raise ModelError(BESIDE.format(one, other))
    if node.data == "implied":
        return ast.BinOp(_relation(node.children[0]), ast.RShift(), _relation(node.children[1]))
    return ast.BoolOp(operator, [_relation(each) for each in node.children])


def _chain(children: Sequence[Any]) -> ast.expr:
    signs = [str(each) for each in children[1::2]]
    if len(signs) > 1 and not is_chain(signs):
        raise ModelError(CHAIN.format(" ".join(signs)))
    sides = [_number(each) for each in children[::2]]
    return ast.Compare(sides[0], [_SIGNS[each]() for each in signs], sides[1:])


def is_chain(signs: Sequence[str]) -> bool:
    """Whether the relations of a chain have one direction."""
    return {*signs} <= {"<", "<=", "="} or {*signs} <= {">", ">=", "="}


def _raised(base: Any, exponent: Any) -> ast.expr:
    if exponent.data in ("raised", "minus"):
        raise ModelError(TOWER)
    made = ast.BinOp(_number(base), ast.Pow(), _number(exponent))
    if isinstance(made.right, ast.Constant) and made.right.value == 0:
        raise ModelError("expected an exponent other than 0: write 1, or what is meant at 0")
    most = HIGHEST if _has(made.left, ast.Name) else LARGEST
    inner = (each for each in ast.walk(made.right) if isinstance(each, ast.BinOp))
    towers = (each for each in inner if isinstance(each.op, ast.Pow) and not _has(each, ast.Name))
    if any(towers) or largest(made) > most:
        said = f"at most {HIGHEST} of letters and {LARGEST} of numbers"
        raise ModelError(f'expected an exponent of {said}, found "{write(made):.60}"')
    letters = len({x.id for x in ast.walk(made.left) if isinstance(x, ast.Name)})
    sums = _has(made.left, ast.Add, ast.Sub)
    if sums and math.comb(largest(made) + letters, letters) > TERMS:
        raise ModelError(f'expected a power of at most {TERMS} terms, found "{write(made):.60}"')
    return made


HIGHEST, LARGEST = 100, 1_000
"""The largest exponent of letters, and of numbers: others take longer than people wait."""


TERMS = 10_000
"""Of a power that is multiplied out."""


def _has(tree: ast.AST, *kinds: type[ast.AST]) -> bool:
    return any(isinstance(each, kinds) for each in ast.walk(tree))


def largest(tree: ast.AST) -> int:
    """Return a bound of the exponents in a tree; one of a power multiplies those in it."""
    found = max([1, *map(largest, ast.iter_child_nodes(tree))])
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Pow):
        numbers = (x.value for x in ast.walk(tree.right) if isinstance(x, ast.Constant))
        found *= math.prod(max(1, x) for x in numbers if isinstance(x, int))
    return found


def _operations(node: Any) -> ast.expr:
    """Return sums and products, from the left."""
    signs = [str(each) for each in node.children[1::2]]
    if "/" in signs[:-1]:
        raise ModelError("what follows a quotient is read in two ways: write (a/b)*c or a/(b*c)")
    made = _number(node.children[0])
    for sign, each in zip(signs, node.children[2::2]):
        if _first(each) == "minus":
            raise ModelError(f'a minus behind "{sign}" is read in two ways: write brackets')
        made = ast.BinOp(made, _OPERATORS[sign](), _number(each))
    return made


def _first(node: Any) -> str:
    """What a term begins with."""
    return str(_first(node.children[0]) if node.data == "factors" else node.data)


_OF_TRUTH = (ast.BoolOp, ast.Compare)


def is_truth(tree: ast.expr) -> bool:
    """Whether a formula is true or false, and no number."""
    return isinstance(tree, _OF_TRUTH) or isinstance(getattr(tree, "op", None), ast.Not | ast.RShift)


def _number(node: Any) -> ast.expr:
    tree = _tree(node)
    if is_truth(tree):
        raise ModelError("expected a number or a letter, found a relation")
    return tree


def _relation(node: Any) -> ast.expr:
    tree = _tree(node)
    if not is_truth(tree):
        raise ModelError("expected a relation, found a number or a letter")
    return tree


# --- what is written
# ----------------------------------------------------------------------------------------------


def write(tree: ast.expr, power: str = "^") -> str:
    """Return the text of a tree that `read` returns, with the brackets that it needs."""
    match tree:
        case ast.BoolOp(op, values):
            word = " and " if isinstance(op, ast.And) else " or "
            return word.join(_part(each, power) for each in values)
        case ast.BinOp(left, ast.RShift(), right):
            return f"{_part(left, power)} implies {_part(right, power)}"
        case ast.UnaryOp(ast.Not(), operand):
            return f"not ({write(operand, power)})"
        case ast.Compare(left, ops, others):
            found = write(left, power)
            for sign, each in zip(ops, others):
                found += f" {SHOWN[type(sign)]} {write(each, power)}"
            return found
        case ast.UnaryOp(ast.USub(), operand):
            return f"-{_inside(operand, power, ())}"
        case ast.Call(ast.Name(name), arguments):
            return f"{name}({', '.join(write(each, power) for each in arguments)})"
        case ast.BinOp(left, op, right):
            return _operation(left, op, right, power)
        case ast.Name(name):
            return name
        case ast.Constant(value):
            return str(value)
    raise ModelError(f"expected a formula, found {ast.unparse(tree)}")


def _part(tree: ast.expr, power: str) -> str:
    """Write a part of what is joined by `and`, `or` or `implies`."""
    bare = isinstance(tree, ast.Compare) or isinstance(getattr(tree, "op", None), ast.Not)
    return write(tree, power) if bare else f"({write(tree, power)})"


def _operation(left: ast.expr, op: ast.operator, right: ast.expr, power: str) -> str:
    sign = power if isinstance(op, ast.Pow) else _WRITTEN[type(op)]
    match op:
        case ast.Add() | ast.Sub():
            plain: tuple[type, ...] = (ast.Mult, ast.Div, ast.Pow)
            one = _inside(left, power, (*plain, ast.Add, ast.Sub, ast.USub))
            return f"{one}{sign}{_inside(right, power, plain, first=False)}"
        case ast.Mult() | ast.Div():
            one = _inside(left, power, (ast.Mult, ast.Pow, ast.USub))
            return f"{one}{sign}{_inside(right, power, (ast.Pow,))}"
    return f"{_inside(left, power, ())}{sign}{_inside(right, power, ())}"


def _inside(tree: ast.expr, power: str, plain: Sequence[type], first: bool = True) -> str:
    """Write what stands inside, in brackets unless its operation needs none there, nor a minus with
    which its first factor begins.
    """
    text = write(tree, power)
    if isinstance(tree, ast.BinOp | ast.UnaryOp):
        bare = type(tree.op) in plain and (first or not text.startswith("-"))
        return text if bare else f"({text})"
    return text
