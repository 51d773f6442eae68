"""Expressions of Python in a document, in one layout, with exact quotients: `1/2` is a fraction."""

import ast
import re

from pufferproof.models.errors import ModelError

_QUOTIENT = re.compile(r"(?<![\w.)\]] )(?<![\w.)\]])(\d+) / (\d+)(?![\w.])")
EXACT = "_Fraction"
"""What a quotient of whole numbers calls in the module of a document."""


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
    plain = ast.unparse(tree)
    short = _QUOTIENT.sub(r"\1/\2", plain)
    return short if ast.dump(parsed(short)) == ast.dump(tree) else plain


def parsed(text: str) -> ast.expr:
    """Return the tree of an expression. Raises `ModelError` if it is none."""
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError) as error:
        said = getattr(error, "msg", "") or "it does not parse"
        raise ModelError(f'expected an expression of Python, found "{text:.60}" ({said})') from None


def entries(text: str) -> list[tuple[str, str]]:
    """Return the entries of `NAME = VALUE; ** VALUES`, the latter without a name."""
    found, rest = list[tuple[str, str]](), text
    while rest:
        rest = rest.strip()
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


class Exact(ast.NodeTransformer):
    """Make quotients of whole numbers exact, and refuse floats."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Replace `1/2` by the fraction."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) and all(map(_whole, (node.left, node.right))):
            if isinstance(node.right, ast.Constant) and node.right.value == 0:
                raise ModelError("expected a number, found a division by 0")
            called = ast.Name(EXACT, ast.Load())
            return ast.copy_location(ast.Call(called, [node.left, node.right], []), node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Refuse a number that is not exact."""
        if isinstance(node.value, float | complex):
            raise ModelError(f"expected an exact number, such as 1/10, found {node.value}")
        return node


def _whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def exact(text: str) -> ast.expr:
    """Return the tree of an expression whose quotients are exact."""
    made: ast.expr = Exact().visit(parsed(text))
    return made
