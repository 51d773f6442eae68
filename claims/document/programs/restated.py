"""Whether the conclusion of a program says what hypotheses say, so that nothing is left to show."""

import ast
from collections.abc import Collection, Mapping

_NEUTRAL: dict[type[ast.AST], tuple[int, bool]] = {
    **{ast.Mult: (1, True), ast.Add: (0, True)},
    **{ast.Div: (1, False), ast.Sub: (0, False), ast.Pow: (1, False)},
}
"""By operators, the number that changes nothing behind them, and whether it may stand before."""
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def restates(conclusion: ast.expr, values: Mapping[str, ast.expr], given: Collection[ast.expr]) -> bool:
    """Return whether every part of a conclusion, in which names have values, is one of a
    hypothesis: the same relation, also turned around or with a factor of 1.

    >>> one, other = (ast.parse(each, mode="eval").body for each in ("k * a >= b", "b <= a < 3"))
    >>> restates(one, {"k": ast.Constant(1)}, [other]), restates(other, {}, [one])
    (True, False)
    """
    known = set[str]().union(*(_parts(each, {}) for each in given))
    return _parts(conclusion, values) <= known


def _parts(tree: ast.expr, values: Mapping[str, ast.expr]) -> set[str]:
    """Return the relations that hold together if an expression is true, as texts."""
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return set[str]().union(*(_parts(each, values) for each in tree.values))
    if not isinstance(tree, ast.Compare):
        return {_text(tree, values)}
    sides = [_text(each, values) for each in (tree.left, *tree.comparators)]
    return {_relation(*each) for each in zip(tree.ops, sides, sides[1:])}


def _relation(sign: ast.cmpop, one: str, other: str) -> str:
    turned = _TURNED.get(type(sign))
    if turned or (isinstance(sign, ast.Eq | ast.NotEq) and other < one):
        one, other = other, one
    return f"({one}) {(turned or type(sign)).__name__} ({other})"


def _text(tree: ast.expr, values: Mapping[str, ast.expr]) -> str:
    plain = ast.parse(ast.unparse(tree), mode="eval")  # a copy, which may be changed
    return ast.unparse(_Plain(values).visit(plain))


class _Plain(ast.NodeTransformer):
    """Puts values for names, and leaves out a factor of 1, a summand of 0 and the like."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Put a value for a name."""
        return self.values.get(node.id, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Leave out what changes nothing."""
        self.generic_visit(node)
        neutral, either = _NEUTRAL.get(type(node.op), (None, False))
        if isinstance(node.right, ast.Constant) and node.right.value == neutral:
            return node.left
        if either and isinstance(node.left, ast.Constant) and node.left.value == neutral:
            return node.right
        return node
