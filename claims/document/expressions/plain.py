"""What a document may have that runs before anybody has read it: numbers and texts, lists and
tables, arithmetic, comparisons, `for`, `if` and `lambda` inside an expression, functions and
methods of plain data, and names of some modules. All else is Python, which needs trust.

The lists say what is allowed. Whatever stands on none of them is refused on the tree, before it is
compiled: first what the author writes, then the whole module that is made of it. An attribute is
looked up by a function that asks the type of the value as well (`language.attributes`).
"""

import ast
import builtins
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pufferproof.claims.document.expressions.exact import BUILTINS, HIDDEN, OF_MATH, call_of
from pufferproof.models.errors import ModelError

ATTRIBUTE = f"{HIDDEN}attribute"
"""What looks up an attribute in the module of a document."""
FUNCTIONS = (
    *("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "filter", "frozenset", "int"),
    *("isinstance", "iter", "len", "list", "map", "max", "min", "next", "pow", "range", "reversed"),
    *("round", "set", "sorted", "str", "sum", "tuple", "zip"),
)
"""Functions of Python that return plain data, and call nothing but what they are given."""
DRAWS = (*("below", "many", "among", "whether", "several", "rate", "either"), *("law", "positive_law", "rows"))
"""Methods of the draws that a family calls by their names alone."""
METHODS: Mapping[type, tuple[str, ...]] = {
    dict: ("get", "items", "keys", "values"),
    list: ("count", "index"),
    tuple: ("count", "index"),
    range: ("count", "index"),
    str: ("count", "endswith", "index", "join", "split", "startswith"),
    set: ("difference", "intersection", "isdisjoint", "issubset", "issuperset", "union"),
    frozenset: ("difference", "intersection", "isdisjoint", "issubset", "issuperset", "union"),
    int: ("bit_length", "denominator", "numerator"),
}
OTHER = ("denominator", "fails", "numerator", "of")
"""Attributes of fractions, programs and channels."""
ATTRIBUTES = frozenset((*(x for names in METHODS.values() for x in names), *OTHER, *DRAWS))
MODULES: Mapping[str, tuple[str, ...]] = {
    "collections": ("Counter",),
    "fractions": ("Fraction",),
    "functools": ("reduce",),
    "itertools": (
        *("accumulate", "chain", "combinations", "combinations_with_replacement", "compress"),
        *("dropwhile", "groupby", "islice", "pairwise", "permutations", "product", "starmap"),
        *("takewhile", "zip_longest"),
    ),
    "math": OF_MATH,
    "operator": ("add", "eq", "ge", "gt", "itemgetter", "le", "lt", "mul", "ne", "neg", "sub"),
    "pufferproof": ("Channel", "Framework", "Level", "MarkovChain", "Product", "Table"),
    "pufferproof.claims.language.statements": ("Fraction",),
    "pufferproof.claims.language.statements.rationals": ("Fraction",),
    "pufferproof.models.channel": ("Channel",),
    "pufferproof.models.framework": ("Framework",),
    "pufferproof.models.numbers.level": ("Level",),
    "pufferproof.models.priors.markov": ("MarkovChain",),
    "pufferproof.models.priors.tables": ("Product", "Table"),
}
"""Names of modules that a document uses unread, beside those that documents of this package and
their vocabulary say themselves.
"""
_EXPRESSIONS = (
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.Constant, ast.Name),
    *(ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.Starred),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
    *(ast.Lambda, ast.arguments, ast.arg, ast.Call, ast.keyword, ast.NamedExpr, ast.Attribute),
    *(ast.JoinedStr, ast.FormattedValue, ast.Load, ast.Store),
    *(ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd, ast.Invert),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow),
    *(ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn),
)
_STATEMENTS = (
    *(ast.Module, ast.ImportFrom, ast.alias, ast.Assign, ast.Expr, ast.FunctionDef, ast.Return),
    *(ast.With, ast.withitem, ast.Pass),
)
"""What a module that is made has beside expressions."""
_CONSTANTS = (int, str, bool, type(None), float, complex)  # floats are refused elsewhere
_PYTHON = BUILTINS - {*FUNCTIONS}
_OF_STEPS = ("check", "proof")  # what the functions of claims are given


def needs_trust(place: str, line: int, found: str) -> ModelError:
    """Return what is said of a document that has more than what runs unread."""
    said = f"has Python at line {line} ({found:.60}): read it, then pass --trust-code"
    return ModelError(said, place)


def expect_plain(tree: ast.expr, place: str, line: int) -> ast.expr:
    """Return an expression on a line. Raises `ModelError` for what a document does not have that
    nobody has read.
    """
    for node in ast.walk(tree):
        named = (x for x in _names(node) if x.startswith(HIDDEN) or x in _OF_STEPS)
        wrong = next(named, None) or _wrong(node, _EXPRESSIONS)
        if isinstance(node, ast.Attribute) and node.attr not in ATTRIBUTES:
            wrong = f".{node.attr}"
        if wrong:
            raise needs_trust(place, line, wrong)
    return tree


class Plain(ast.NodeTransformer):
    """Looks up attributes by a function that asks the type of the value."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace an attribute."""
        self.generic_visit(node)
        name = ast.copy_location(ast.Constant(node.attr), node)
        return call_of(ATTRIBUTE, node, node.value, name)


def expect_plain_module(module: ast.Module, place: str, calls: Mapping[str, Collection[str]]) -> None:
    """Raise `ModelError` unless a module that was made of a document has nothing but what it may:
    attributes are those of what it `calls`, by the names of these, because the author's are gone.
    """
    for node in ast.walk(module):
        wrong = _wrong(node, (*_EXPRESSIONS, *_STATEMENTS), ("__file__",))
        if isinstance(node, ast.Attribute):
            of = node.value.id if isinstance(node.value, ast.Name) else ""
            wrong = "" if node.attr in calls.get(of, ()) else f".{node.attr}"
        if wrong:
            raise needs_trust(place, getattr(node, "lineno", 1), wrong)


def _wrong(node: ast.AST, kinds: tuple[type[ast.AST], ...], known: Collection[str] = ()) -> str:
    """Return what is not allowed of a node, "" if all is; attributes are not looked at."""
    if type(node) not in kinds:
        return type(node).__name__
    for name in _names(node):
        if name not in known and (name.startswith("__") or name in _PYTHON):
            return name
    match node:
        case ast.Constant(value) if type(value) not in _CONSTANTS:
            return f"{value!r}"
        case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
            return f"{ast.unparse(node)} = .."
        case ast.comprehension(is_async=1):
            return "async"
        case ast.FormattedValue(format_spec=ast.AST()):
            return "a format"
    return ""


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the names in a node, used there or given a meaning; not of attributes."""
    match node:
        case ast.Name(name) | ast.arg(name) | ast.FunctionDef(name):
            yield name
        case ast.keyword(str(name)):
            yield name
        case ast.alias(name, other):
            yield other or name


def plain_builtins(tree: ast.Module) -> dict[str, Any]:
    """Return all that a module that was made finds beside its own names: the functions of Python
    that are allowed, and an import of what its `from MODULE import NAME` say.
    """
    imports = {
        (each.module, alias.name) for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) for alias in each.names
    }

    def imported(name: str, known: Any = None, local: Any = None, names: Any = (), level: int = 0) -> Any:
        if level or not names or not {(name, each) for each in names} <= imports:
            raise ImportError(f"{name} is not imported by a line of the document")
        return builtins.__import__(name, known, local, names, level)

    return {name: getattr(builtins, name) for name in FUNCTIONS} | {"__import__": imported}
