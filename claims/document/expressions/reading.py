"""Expressions of Python in a document, in one layout, and exact: `-1/2` and `2**-1` are fractions,
and so is a quotient of any two whole numbers.
"""

import ast
import re
from collections.abc import Callable, Sequence
from io import StringIO
from tokenize import COMMENT, TokenError, generate_tokens
from typing import TypeVar

from pufferproof.claims.document.expressions.brackets import expect_brackets, unparsed
from pufferproof.claims.document.expressions.exact import Exact, entries_of
from pufferproof.claims.document.formulas import TOO_DEEP, expect_shallow
from pufferproof.claims.document.lines import Once, wrong
from pufferproof.claims.document.parts import Text
from pufferproof.models.errors import ModelError

_QUOTIENT = re.compile(r"(?<![\w.)\]/%] )(?<![\w.)\]])(\d+) / (\d+)(?![\w.]| \*\*)")
_BARE = re.compile(r"([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*)(?:;|$)")
Node = TypeVar("Node", bound=ast.AST)
_PLACED = (ast.expr, ast.stmt, ast.keyword, ast.alias, ast.arg, ast.excepthandler)


def canonical(text: str, several: bool = False) -> str:
    """Return an expression in the layout of documents: of `several`, `NAME = VALUE; ** VALUES`.

    >>> canonical("[(1)/2 ,x]")
    '[1/2, x]'

    Raises `ModelError` if it is no expression.
    """
    if several:
        parts = [(name, canonical(each)) for name, each in entries(text)]
        return "; ".join(entry(name, each) for name, each in parts)
    tree = parsed(text)
    plain = unparsed(tree)
    short = _QUOTIENT.sub(r"\1/\2", plain)
    return short if ast.dump(parsed(short)) == ast.dump(tree) else plain


def parsed(text: str) -> ast.expr:
    """Return the tree of an expression. Raises `ModelError` if it is none, or has a comment, which
    would go on to the end of all that follows, or can be read in two ways.
    """
    if "#" in text and _has_comment(text):
        raise ModelError(f'expected an expression without "#", found "{text:.60}"')
    try:
        tree: ast.expr = expect_shallow(ast.parse(text, mode="eval").body)
    except (RecursionError, MemoryError):
        raise ModelError(f'expected an expression, found "{text:.60}": {TOO_DEEP}') from None
    except (SyntaxError, ValueError) as error:
        said = getattr(error, "msg", "") or "it does not parse"
        raise ModelError(f'expected an expression of Python, found "{text:.60}" ({said})') from None
    if not text.isascii():
        _expect_ascii(tree)
    expect_brackets(text, tree)
    return tree


def _expect_ascii(tree: ast.expr) -> None:
    """Raise `ModelError` at a name with letters that look like others."""
    for node in ast.walk(tree):
        for _, name in ast.iter_fields(node):
            if isinstance(name, str) and not (isinstance(node, ast.Constant) or name.isascii()):
                raise ModelError(f'expected names of letters from a to z, found "{name}"')


def _has_comment(text: str) -> bool:
    """Whether a text has a comment of Python; or, where it is no tokens, a sign of one."""
    try:
        tokens = [*generate_tokens(StringIO(text).readline)]
    except (TokenError, SyntaxError):
        return True
    return any(each.type == COMMENT for each in tokens)


def entries(text: str, bare: bool = False) -> list[tuple[str, str]]:
    """Return the entries of `NAME = VALUE; ** VALUES`, the latter without a name; of `bare` ones,
    `NAME, NAME; ..`, the names, and no value.
    """
    found, rest = list[tuple[str, str]](), text
    while rest:
        rest = rest.strip()
        if bare and (names := _BARE.match(rest)):
            found.append((names[1], ""))
            rest = rest[names.end() :]
            continue
        name, value = ("", rest[2:]) if rest.startswith("**") else _named(rest)
        stop = _stop(value)
        found.append((name, value[:stop].strip()))
        rest = value[stop + 1 :]
    return found


def entry(name: str, value: str) -> str:
    """Return an entry as it is written: a name in quotation marks where it would end too early."""
    if not name:
        return f"** {value}"
    quoted = f'"{name}"' if " = " in name or name.startswith(("**", '"')) else name
    return f"{quoted} = {value}"


def _named(text: str) -> tuple[str, str]:
    if text.startswith('"') and '" = ' in text:
        name, _, value = text[1:].partition('" = ')
        return name, value
    name, sign, value = text.partition(" = ")
    if not sign:
        raise ModelError(f'expected "NAME = VALUE; ..", found "{text:.60}"')
    return name.strip(), value


def _stop(text: str) -> int:
    """Return where an expression at the beginning of a text ends: at the first `;` before which
    it is whole, or at the end.
    """
    at = text.find(";")
    while at >= 0:
        try:
            ast.parse(text[:at].strip(), mode="eval")
            return at
        except SyntaxError:
            at = text.find(";", at + 1)
    return len(text)


def placed(node: Node, line: int, always: bool = False) -> Node:
    """Give what has no line yet a line, or all of a tree."""
    for each in ast.walk(node):
        if isinstance(each, _PLACED) and (always or not hasattr(each, "lineno")):
            each.lineno = each.end_lineno = line
            each.col_offset = each.end_col_offset = 0
    return node


def expression(text: Text, place: str, made: Exact | None = None) -> ast.expr:
    """Return the tree of an expression, made exact; an error names the line."""
    try:
        tree: ast.expr = (made or Exact()).visit(parsed(text.text))
    except ModelError as error:
        raise wrong(place, text.line, error.what) from None
    return placed(tree, text.line, always=True)


def instance(text: Text, place: str, value_of: Callable[[str, int], ast.expr]) -> ast.expr:
    """Return the tree of `NAME = VALUE; ** VALUES`, whose values are made of a text and a line."""
    try:
        pairs = entries(text.text)
    except ModelError as error:
        raise wrong(place, text.line, str(error)) from None
    expect_once(pairs, text.line, place)
    keys = [ast.Constant(name) if name else None for name, _ in pairs]
    values = [value_of(value, text.line) for _, value in pairs]
    return values[0] if keys == [None] else entries_of([*keys], values)


def expect_once(pairs: Sequence[tuple[str, object]], line: int, place: str) -> None:
    """Raise `ModelError` if `NAME = VALUE; ..` on a line has a name twice."""
    once = Once(place)
    for name in (each for names, _ in pairs if names for each in names.split(", ")):
        once.add(f'"{name}"', line)


def assigned(name: str, value: ast.expr) -> ast.stmt:
    """Return `NAME = VALUE`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def arguments_of(names: Sequence[str] = (), rest: str = "") -> ast.arguments:
    """Return parameters, with `**rest` if it is named."""
    others = ast.arg(rest) if rest else None
    return ast.arguments([], [ast.arg(each) for each in names], None, [], [], others, [])
