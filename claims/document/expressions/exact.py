"""Exact numbers in all that a document evaluates: `1/2` and `2**-1` are fractions, in expressions
and in fences, and a float is an error where it is written, or where it comes from outside.

A document makes no float: its quotients and powers are exact, and it writes none. So what is asked
at run time is what comes from elsewhere, the results of calls, and what is compared.
"""

import ast
import builtins
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import count, cycle, repeat
from typing import Any, TypeVar

from pufferproof.claims.document.formulas import HIGHEST, largest
from pufferproof.models.errors import ModelError

BUILTINS = frozenset(dir(builtins)) - {"_"}  # "_": what the prompt of Python has shown
HIDDEN = "_document_"
"""How names begin that the module of a document has for itself, and no document may have."""
EXACT, OVER, RAISED, CHECKED, KEPT, JOINED = (
    f"{HIDDEN}{x}" for x in ("Fraction", "over", "raised", "checked", "kept", "joined")
)
"""What the module of a document calls: for quotients of whole numbers, for other quotients and
powers, for what may be a float, for what gets a name, and for entries.
"""
Thing = TypeVar("Thing")
_NOT_EXACT = (float, complex, Decimal)
_FLOATS = ("numpy.floating", "numpy.complexfloating", "sympy.core.numbers.Float")
"""Classes of other packages whose numbers are floats."""
_KNOWN: set[type] = set()
"""Types of things that are no floats."""
_FUNCTIONS = ("float", "complex", "eval", "exec", "compile", "__import__")
"""What makes a float of a text, or of a number."""
_PASSING = ("pow", "next", "getattr", "sum", "min", "max")
"""Functions of Python that may return a float."""
_HIDING = ("int", "round", "bool", "Fraction", "str", "floor", "ceil")
"""Functions that make something else of a float."""
_MODULES = ("cmath", "random", "statistics", "numpy", "decimal", "mpmath", "time")
OF_MATH = ("ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "prod")
"""Functions of `math` that are exact."""
_OF_OPERATOR = ("truediv", "itruediv", "pow", "ipow", "methodcaller", "attrgetter")
_ATTRIBUTES = (
    *("__truediv__", "__rtruediv__", "__pow__", "__rpow__", "__float__", "__complex__"),
    *("__class__", "__globals__"),
)
"""Attributes that make floats, or reach what a document cannot name."""
CHANGING = (
    *("append", "add", "clear", "update", "pop", "popitem", "extend", "insert", "remove"),
    *("discard", "setdefault", "sort", "reverse", "__setitem__", "__delitem__"),
)
"""Methods that change a thing, which an expression does not."""
EXACT_MODULES = (
    *("collections", "dataclasses", "fractions", "functools", "itertools", "typing"),
    *("math", "operator"),
)
"""Modules of which a document has functions that make no float."""
_LOOKED_FOR = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
_COUNTING = ("len", "int", "bool", "str", "set", "frozenset", "tuple", "list", "sorted", "range")
"""Functions of Python whose results are no numbers, or whole ones."""
MOST_BITS = 10_000_000
"""Of a power that an expression has."""
_METHODS = ("items", "keys", "values", "append", "add", "extend", "index", "join", "exhaust")
"""Methods whose results are no numbers, or whole ones."""


def over(a: Any, b: Any) -> Any:
    """Return a quotient, exact where both numbers are whole."""
    return Fraction(a, b) if isinstance(a, int) and isinstance(b, int) else a / b


def raised(a: Any, b: Any) -> Any:
    """Return a power, exact where both numbers are whole. Raises `ModelError` for a root, and for a
    number that is too large to be worked out.
    """
    bits = max(getattr(a, each, 0).bit_length() for each in ("numerator", "denominator"))
    if bits > 1 and abs(getattr(b, "numerator", 0)) * bits > MOST_BITS:
        raise ModelError(f"expected a power of at most {MOST_BITS} bits, found one of more")
    found = Fraction(a) ** b if isinstance(b, int) and b < 0 and isinstance(a, int) else a**b
    if isinstance(found, _NOT_EXACT):
        raise ModelError(f"expected a whole exponent, because a root is not exact, found {b}")
    return found


def checked(value: Thing) -> Thing:
    """Return a value that a document uses. Raises `ModelError`, with the line, if it is a float."""
    if type(value) not in _KNOWN:
        _expect_exact(value)
    return value


def kept(value: Any) -> Any:
    """Return a value that gets a name: as a tuple if it could be gone through once only, because
    who reads it a second time would find nothing in it. Raises `ModelError`, with the line, if it
    has no end.
    """
    if not hasattr(value, "__next__"):
        return value
    if isinstance(value, count | cycle | repeat):
        raise _now(f"expected what has an end, found {value!r:.40}: give it a length", 1)
    return tuple(value)


def joined(*parts: tuple[bool, Mapping[str, Any]]) -> dict[str, Any]:
    """Return entries, of which some are written and others come from elsewhere (`**`). Raises
    `ModelError`, with the line, if these have the name of one before.
    """
    found: dict[str, Any] = {}
    for written, values in parts:
        if not written and (twice := found.keys() & values.keys()):
            said = f'expected each entry once, found "{min(twice)}" in ** as well: keep one'
            raise _now(said, 1)
        found |= values
    return {name: kept(value) for name, value in found.items()}


def _expect_exact(value: object) -> None:
    names = (f"{each.__module__}.{each.__qualname__}" for each in type(value).__mro__)
    if issubclass(type(value), _NOT_EXACT) or any(each in _FLOATS for each in names):
        raise _now(f"expected an exact number, such as 1/10, found the float {value}", 2)
    _KNOWN.add(type(value))


def _now(said: str, above: int) -> ModelError:
    """Return an error at the line of a document that runs, so many calls above the caller."""
    code = sys._getframe(above + 1)
    return ModelError(said, f"{code.f_code.co_filename}:{code.f_lineno}")


class Exact(ast.NodeTransformer):
    """Make quotients and powers of whole numbers exact, and refuse floats. An error names the line
    if a `place` is given: then lines are those of that file.
    """

    place = ""

    def wrong(self, node: ast.AST, said: str) -> ModelError:
        """Return an error about a node."""
        return ModelError(said, f"{self.place}:{getattr(node, 'lineno', 1)}" if self.place else "")

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Replace a quotient, and a power whose exponent may be negative."""
        whole = [_whole(each) for each in (node.left, node.right)]
        small = isinstance(node.right, ast.Constant) and largest(node) <= HIGHEST
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            if isinstance(node.right, ast.Constant) and node.right.value == 0:
                raise self.wrong(node, "expected a number, found a division by 0")
            return call_of(EXACT if all(whole) else OVER, node, node.left, node.right)
        if isinstance(node.op, ast.Pow) and not small:
            return call_of(RAISED, node, node.left, node.right)
        if isinstance(node.op, ast.BitXor):
            raise self.wrong(node, "expected ** for a power, found ^, which is none in Python")
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        """Refuse a key that stands twice, of which the first would be lost."""
        self._expect_once(node, [ast.unparse(each) for each in node.keys if each is not None])
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Refuse a keyword that stands twice."""
        self._expect_once(node, [each.arg for each in node.keywords if each.arg])
        self.generic_visit(node)
        return node

    def _expect_once(self, node: ast.AST, keys: Sequence[str]) -> None:
        if twice := [each for each in keys if keys.count(each) > 1]:
            raise self.wrong(node, f"expected each key once, found {twice[0]} twice: keep one")

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Refuse a number that is not exact."""
        if isinstance(node.value, float | complex):
            raise self.wrong(node, f"expected an exact number, such as 1/10, found {node.value}")
        return node


class Checked(Exact):
    """Check, beside that, what a document compares and what the functions return that it calls,
    unless they are `exact` ones: those of its own, or of Python.
    """

    def __init__(self, exact: Collection[str], place: str = "") -> None:
        self.exact, self.place = exact, place

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Refuse what makes floats."""
        if node.id in _FUNCTIONS:
            said = f'expected exact numbers, such as Fraction(1, 10) or 1/10, found "{node.id}"'
            raise self.wrong(node, said)
        if node.id == "pow":
            raise self.wrong(node, 'expected "pow" with its arguments, which are checked')
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Refuse what makes floats."""
        if node.attr in _ATTRIBUTES:
            raise self.wrong(node, f'expected exact numbers, found ".{node.attr}"')
        self.generic_visit(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Refuse a default that a call may change for the next."""
        expect_fixed(node.args)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Check what a function returns that stands elsewhere."""
        if isinstance(node.func, ast.Name) and node.func.id == "pow":
            node.args = [self.visit(each) for each in node.args]
            return call_of(CHECKED, node, node)
        changes = isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING
        if changes and not isinstance(self, Fence):
            said = f'expected an expression that changes nothing, found "{ast.unparse(node):.40}"'
            raise self.wrong(node, said)
        super().visit_Call(node)
        if isinstance(node.func, ast.Name) and node.func.id in _HIDING and len(node.args) == 1:
            node.args = [self._checked(node.args[0])]
        return node if self._is_exact(node.func) else call_of(CHECKED, node, node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Check what is compared, without what is looked for by `in`."""
        self.generic_visit(node)
        if not all(isinstance(each, _LOOKED_FOR) for each in node.ops):
            node.left, *node.comparators = map(self._checked, (node.left, *node.comparators))
        return node

    def _checked(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Tuple(parts) | ast.List(parts):
                parts[:] = map(self._checked, parts)
                return node
            case ast.Constant() | ast.Starred() | ast.Set() | ast.Dict():
                return node
            case ast.Call(ast.Name(name)) if name in (EXACT, RAISED, CHECKED, *_COUNTING):
                return node
        return call_of(CHECKED, node, node)

    def _is_exact(self, called: ast.expr) -> bool:
        match called:
            case ast.Name(name):
                return name in self.exact
            case ast.Attribute(ast.Name("draws"), _):
                return True
            case ast.Attribute(_, name):
                return name in _METHODS
        return False


class Fence(Checked):
    """The same of a fence of Python, where `^` has its meaning of Python."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Replace quotients and powers."""
        if isinstance(node.op, ast.BitXor):
            self.generic_visit(node)
            return node
        return super().visit_BinOp(node)

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Make what gets a name such that it can be read twice."""
        self.generic_visit(node)
        for each in node.body:
            if isinstance(each, ast.Assign):
                each.value = keeping(each.targets[0], each.value)
        return node

    def visit_Global(self, node: ast.Global) -> ast.stmt:
        """Refuse a function that changes what names of the document mean."""
        raise self.wrong(node, 'expected a function that changes no name, found "global"')

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """Leave alone what nobody reads."""
        self.generic_visit(node.value if isinstance(node.value, ast.Call) else node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """Replace `/=` and `**=` of a name."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div | ast.Pow):
            return node
        if not isinstance(node.target, ast.Name):
            raise self.wrong(node, "expected /= and **= of a name only: write a = a / b")
        name = OVER if isinstance(node.op, ast.Div) else RAISED
        old = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        made = ast.Assign([node.target], call_of(name, node, old, node.value))
        return ast.copy_location(made, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        """Refuse names that make floats."""
        for each in node.names:
            if reason := inexact(node.module or "", each.name):
                raise self.wrong(node, reason)
        return node

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        """Refuse modules that make floats."""
        for each in node.names:
            if reason := inexact(each.name, ""):
                raise self.wrong(node, reason)
        return node


_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def expect_fixed(arguments: ast.arguments) -> ast.arguments:
    """Return parameters. Raises `ModelError` for a default that a call may change for the next."""
    for each in filter(None, (*arguments.defaults, *arguments.kw_defaults)):
        made = isinstance(each, ast.Call) and ast.unparse(each.func) in ("list", "dict", "set")
        if made or isinstance(each, _FRESH):
            said = "expected a default that stays as it is, such as (1, 2), found"
            raise ModelError(f'{said} "{ast.unparse(each):.40}"')
    return arguments


def exact_names(names: Iterable[str]) -> set[str]:
    """Return what returns no float from outside: some functions, and those of Python."""
    return {*names, *BUILTINS, EXACT} - {*_PASSING}


def inexact(module: str, name: str) -> str:
    """Return why a document cannot have a name of a module, if it makes floats."""
    makes = (
        module.partition(".")[0] in _MODULES
        or (module == "math" and name not in OF_MATH)
        or (module == "operator" and name in _OF_OPERATOR)
        or name.endswith("_approx")
    )
    of = f'"{name}" of {module}' if name else module
    return f"expected exact numbers, found {of}, which makes floats" if makes else ""


def _whole(node: ast.expr) -> bool:
    """Whether an expression is a whole number, written out."""
    match node:
        case ast.Constant(value):
            return type(value) is int
        case ast.UnaryOp(ast.USub(), inner):
            return _whole(inner)
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult(), right):
            return _whole(left) and _whole(right)
    return False


def keeping(target: ast.expr, value: ast.expr) -> ast.expr:
    """Return what a name is given such that it can be read twice, if it may be an iterator."""
    return _kept_twice(value) if isinstance(target, ast.Name) else value


def _kept_twice(value: ast.expr) -> ast.expr:
    made = ast.Call | ast.GeneratorExp | ast.IfExp | ast.BoolOp | ast.NamedExpr
    return call_of(KEPT, value, value) if isinstance(value, made) else value


def entries_of(keys: Sequence[ast.expr | None], values: Sequence[ast.expr]) -> ast.expr:
    """Return a dictionary of entries, whose keys are None for those that come from elsewhere."""
    if None not in keys:
        return ast.Dict([*keys], [_kept_twice(each) for each in values])
    parts: list[ast.expr] = []
    for key, value in zip(keys, values):
        inner = value if key is None else ast.Dict([key], [value])
        parts.append(ast.Tuple([ast.Constant(key is not None), inner], ast.Load()))
    return ast.Call(ast.Name(JOINED, ast.Load()), parts, [])


def call_of(name: str, node: ast.AST, *given: ast.expr) -> ast.expr:
    """Return a call of what the module of a document has for itself, where a node stands."""
    function = ast.copy_location(ast.Name(name, ast.Load()), node)
    return ast.copy_location(ast.Call(function, [*given], []), node)
