"""Brackets that an expression needs so that all people read it in one way: Python reads `-a ** 2`,
`not a == b`, `a or b and c` and `a < b > c` by rules that few know. Formulas have the same ones.
"""

import ast
import copy
from collections.abc import Iterator, Sequence

from pufferproof.claims.document import formulas
from pufferproof.models.errors import ModelError

BITS = "| and & are read before relations: write or and and, or brackets"
IS = "is asks whether two things are one: write == for numbers"
_WORDS = {ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not"}


def expect_brackets(text: str, tree: ast.expr) -> None:
    """Raise `ModelError` at what is read in two ways in an expression."""
    lines = [each.encode() for each in text.split("\n")]
    inside = [tree]
    while inside:
        node = inside.pop()
        if isinstance(node, ast.Compare):
            _expect_equal(node)
            if len(node.ops) > 1:
                _expect_chain(node)
        for part, said in _parts(node):
            if not _has_brackets(lines, part):
                raise ModelError(said)
        if not isinstance(node, ast.JoinedStr):  # Python 3.11 does not say where its parts stand
            inside += ast.iter_child_nodes(node)  # type: ignore[arg-type]


def unparsed(tree: ast.expr) -> str:
    """Return the text of an expression, with these brackets, and none of its own around what one
    call goes through.

    >>> unparsed(ast.parse("all((n > 0 for n in N))", mode="eval").body)
    'all(n > 0 for n in N)'
    """
    tree = copy.deepcopy(tree)
    inside = {id(part) for node in ast.walk(tree) for part, _ in _parts(node)}
    texts: dict[str, str] = {}

    def named(text: str) -> ast.Name:
        name = f"_part_{len(texts)}_"
        texts[name] = text
        return ast.Name(name, ast.Load())

    class Named(ast.NodeTransformer):
        """Puts a name in the place of each part."""

        def visit(self, node: ast.AST) -> ast.AST:
            self.generic_visit(node)
            match node:
                case ast.Call(_, [ast.GeneratorExp() as each], []):
                    node.args = [named(ast.unparse(each)[1:-1])]
            return named(f"({ast.unparse(node)})") if id(node) in inside else node

    text = ast.unparse(Named().visit(tree))
    for name in reversed(texts):
        text = text.replace(name, texts[name])
    return text


def _parts(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield the parts of a node that need brackets, and what is wrong without."""
    match node:
        case ast.UnaryOp(ast.Not(), ast.Compare() as part):
            yield part, formulas.NOT
        case ast.UnaryOp(ast.USub() | ast.UAdd(), ast.BinOp(_, ast.Pow()) as part):
            yield part, formulas.MINUS.replace("^", "**")
        case ast.BinOp(_, ast.Pow(), ast.BinOp(_, ast.Pow()) as part):
            yield part, formulas.TOWER
        case ast.Compare(left, _, others):
            bits = ast.BitOr | ast.BitAnd | ast.BitXor
            sides = [x for x in (left, *others) if isinstance(x, ast.BinOp)]
            yield from ((each, BITS) for each in sides if isinstance(each.op, bits))
        case ast.BoolOp(_, values):
            said = formulas.BESIDE.format("and", "or")
            yield from ((each, said) for each in values if isinstance(each, ast.BoolOp))


def _expect_equal(node: ast.Compare) -> None:
    """Raise `ModelError` at `is`, but for None, True and False."""
    for op, one, other in zip(node.ops, (node.left, *node.comparators), node.comparators):
        if isinstance(op, ast.Is | ast.IsNot) and not any(
            isinstance(x, ast.Constant) and (x.value is None or isinstance(x.value, bool)) for x in (one, other)
        ):
            raise ModelError(IS)


def _expect_chain(node: ast.Compare) -> None:
    signs = [formulas.SHOWN.get(type(op)) or _WORDS[type(op)] for op in node.ops]
    sides: Sequence[ast.expr] = (node.left, *node.comparators)
    truths = any(isinstance(x, ast.Constant) and isinstance(x.value, bool) for x in sides)
    if truths or not formulas.is_chain(signs):
        raise ModelError(formulas.CHAIN.format(" ".join(signs)))


def _has_brackets(lines: Sequence[bytes], part: ast.expr) -> bool:
    """Whether brackets stand around a part, of which Python says where it begins and ends."""
    assert part.end_lineno is not None
    assert part.end_col_offset is not None
    before = b"".join((*lines[: part.lineno - 1], lines[part.lineno - 1][: part.col_offset]))
    behind = b"".join((lines[part.end_lineno - 1][part.end_col_offset :], *lines[part.end_lineno :]))
    return before.rstrip().endswith(b"(") and behind.lstrip().startswith(b")")
