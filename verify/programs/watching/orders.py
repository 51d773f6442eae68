"""What the code of a program tells before it runs: whether its output depends on the process, and
whether it asks what something *is*.

The order of a set of text is another in every process of Python (`PYTHONHASHSEED`), as are `hash` and
`id`. All code that a program can reach is looked at (if names are looked up in a call, what is called),
and runs whose order may matter are refused: a set may be asked, compared, joined with others,
counted, sorted and put out, but not gone through. A set of integers by its look (`{int(x) for x in
..}`) has one order.
"""

import ast
import builtins
import dis
import linecache
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import PurePath
from types import CodeType
from typing import Any

from pufferproof.verify.programs.watching.reach import Reach, content

_FREE = frozenset(  # functions that do not show the order of what they go through
    ["len", "sorted", "bool", "set", "frozenset", "any", "all", "min", "max", "sum", "isinstance"]
)
_SETS, _WHOLE = ("set", "frozenset"), ("int", "len", "ord", "round", "range", "bool")
_JOINED = frozenset(["union", "intersection", "difference", "symmetric_difference", "copy"])
_ASKED = _JOINED.union(
    ["add", "discard", "remove", "update", "clear", "issubset", "issuperset", "isdisjoint"],
    ["intersection_update", "difference_update", "symmetric_difference_update"],
)
_OPTIONS = ("reverse", "default")
_OPERATORS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_LISTS = (ast.GeneratorExp, ast.ListComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_OF_PROCESS = ("hash", "id")
_OF_PANDAS = frozenset(["Timestamp", "Period"])
_TIMES = _OF_PANDAS | {"datetime64", "to_datetime", "DatetimeIndex"}
_NOW = frozenset(["now", "today", "utcnow"])
_SORT = "it goes through a set, whose order is another in every process: sort it (sorted)"
_HASH = "it uses {}, which is another in every process: use the value itself"
Found = tuple[str, str]  # why, and where
Key = tuple[str, str, int]  # of code: its file, its name, and its first line
Name = tuple[ast.AST | None, str]


def order(reach: Reach) -> Mapping[Key, Found]:
    """Return why and where the output of a program may depend on the process or on a clock, by the
    code of which a call shows it.
    """
    found: dict[Key, Found] = {}
    for code, _ in reach.codes:
        if (known := _of_process(code) or _of_clock(code)) is not None:
            found.setdefault(key_of(code), known)
    if any(_has_set(code) for code, _ in reach.codes) or any(_sets_outside(reach)):
        for key, known in _Sets(reach).found():
            found.setdefault(key, known)
    return found


def key_of(code: CodeType) -> Key:
    return code.co_filename, code.co_name, code.co_firstlineno


def _of_process(code: CodeType) -> Found | None:
    """Find `hash` and `id` that are handed on, and hashes that are asked for as attributes."""
    if code.co_name == "__hash__":
        return None
    for step in dis.get_instructions(code):
        handed = step.opname == "LOAD_GLOBAL" and step.argrepr in _OF_PROCESS
        asked = step.opname in ("LOAD_ATTR", "LOAD_METHOD") and step.argval == "__hash__"
        if handed or asked:
            line = step.positions.lineno if step.positions else None
            where = f"{PurePath(code.co_filename).name}:{line or code.co_firstlineno}"
            return _HASH.format(step.argval), where
    return None


def _of_clock(code: CodeType) -> Found | None:
    """Find the clocks of NumPy and pandas, which are asked by text, or as attributes of a class."""
    times = _TIMES.intersection(code.co_names)
    asked = _NOW.intersection(map(str.lower, (each for each in code.co_consts if type(each) is str)))
    asked |= (_NOW & {*code.co_names}) if times & _OF_PANDAS else frozenset()
    if not times or not asked:
        return None
    words = f"it asks {min(times)} for {min(asked)!r}, which is a clock: pass a time that is fixed"
    return words, f"{PurePath(code.co_filename).name}:{code.co_firstlineno}"


def _has_set(code: CodeType) -> bool:
    if not {"set", "frozenset", "keys", "items"}.isdisjoint(code.co_names):
        return True
    return any(step.opname in ("BUILD_SET", "SET_ADD") for step in dis.get_instructions(code))


def _sets_outside(reach: Reach) -> Iterator[str]:
    """Return names of globals that are sets of something else than integers, or hold some, and of
    fields of data classes that are sets at first.
    """
    for code, space in reach.codes:
        yield from (name for name in code.co_names if _holds_set(space.get(name)))
    for kind in reach.classes:
        for name, each in getattr(kind, "__dataclass_fields__", {}).items():
            if each.default_factory in (set, frozenset):
                yield name


def _holds_set(value: object, depth: int = 2) -> bool:
    if isinstance(value, set | frozenset):
        return len(value) > 1 and not all(isinstance(each, int) for each in value)
    if depth and isinstance(value, dict | list | tuple) and len(value) < 1000:
        inner = value.values() if isinstance(value, dict) else value
        return any(_holds_set(each, depth - 1) for each in inner)
    return False


class _Sets:
    """The expressions of a program that are sets, and what is done with them."""

    def __init__(self, reach: Reach) -> None:
        self._entry = _nodes(reach.functions[0].__code__) if reach.functions else []
        self._unread = [c for c, _ in reach.codes if _tree(c.co_filename) is None and _has_set(c)]
        # what is a set: attributes, functions and globals, and names in an outermost function
        self._known: set[Name] = {(None, name) for name in _sets_outside(reach)}
        self._parents: dict[ast.AST, ast.AST] = {}
        self._files: dict[ast.AST, str] = {}
        for code, _ in reach.codes:
            for node in _nodes(code):
                self._files.update(dict.fromkeys(ast.walk(node), code.co_filename))
                for each in ast.walk(node):
                    self._parents |= dict.fromkeys(ast.iter_child_nodes(each), each)

    def found(self) -> Iterator[tuple[Key, Found]]:
        """Return where sets are gone through, with every function around that."""
        for code in self._unread:
            where = f"{PurePath(code.co_filename).name}:{code.co_firstlineno}"
            yield key_of(code), (f"{_SORT}, or keep its source in a file", where)
        expressions = [(node, parent) for node, parent in self._parents.items() if isinstance(node, ast.expr)]
        before = -1
        while before < len(self._known):  # names that are given sets, until there are no more of them
            before = len(self._known)
            for node, parent in expressions:
                if self._is_set(node):
                    self._known.update(self._named(node, parent))
        for node, parent in expressions:
            if (self._is_set(node) and not self._free(node, parent)) or _hands_on(node, parent):
                file, around = self._files[node], self._function(node)
                while around is not None:
                    yield (file, *_start(around)), (_SORT, f"{PurePath(file).name}:{node.lineno}")
                    around = self._function(self._parents[around]) if around in self._parents else None

    def _named(self, node: ast.expr, parent: ast.AST) -> Iterator[Name]:
        """Return the names that get a set: those assigned, and a function that returns it."""
        if isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            yield from (self._key(each) for each in targets if _name(each))
        if isinstance(parent, ast.Return) and not self._puts_out(parent):
            yield None, getattr(self._function(parent), "name", "")
        if isinstance(parent, ast.Lambda) and isinstance(self._parents.get(parent), ast.Assign):
            yield from ((None, name) for _, name in self._named(parent, self._parents[parent]))

    def _key(self, node: ast.AST) -> Name:
        """Return a name with the outermost function in which it stands, an attribute without one."""
        outermost = node
        while outermost in self._parents:
            outermost = self._parents[outermost]
        return (outermost if isinstance(node, ast.Name) else None), str(_name(node))

    def _function(self, node: ast.AST) -> ast.AST | None:
        around: ast.AST | None = node
        while around is not None and not isinstance(around, _FUNCTIONS):
            around = self._parents.get(around)
        return around

    def _puts_out(self, node: ast.AST) -> bool:
        around = self._function(node)
        return around in self._entry or getattr(around, "name", "") == "release"

    def _is_set(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Set):
            return not all(isinstance(each, ast.Constant) and _whole(each) for each in node.elts)
        if isinstance(node, ast.SetComp):
            return not _whole(node.elt)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._key(node) in self._known or (None, _name(node)) in self._known
        if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
            return any(self._is_set(each) or _is_view(each) for each in (node.left, node.right))
        if isinstance(node, ast.IfExp):
            return self._is_set(node.body) or self._is_set(node.orelse)
        if isinstance(node, ast.BoolOp):
            return any(map(self._is_set, node.values))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.List | ast.Tuple):
            return any(map(self._is_set, node.value.elts))
        if isinstance(node, ast.NamedExpr | ast.Subscript):
            return self._is_set(node.value)
        return isinstance(node, ast.Call) and self._makes_set(node)

    def _makes_set(self, call: ast.Call) -> bool:
        name = _name(call.func)
        if isinstance(call.func, ast.Name) and name in _SETS:
            return not (call.args and _whole(call.args[0]))
        if isinstance(call.func, ast.Attribute):
            of_type = _name(call.func.value) in _SETS
            if of_type or self._is_set(call.func.value):
                return of_type or name in (*_JOINED, "get", "values", "pop")
        return self._is_set(call.func)

    def _free(self, node: ast.expr, parent: ast.AST) -> bool:
        """Whether what is done with a set does not show its order."""
        if isinstance(parent, ast.Call):
            return self._free_call(node, parent)
        if isinstance(parent, ast.Attribute):
            return parent.attr in (*_ASKED, "get")
        if isinstance(parent, ast.comprehension):
            return self._free_items(self._parents[parent])
        if isinstance(parent, ast.Assign):
            return all(map(_name, parent.targets))
        if isinstance(parent, ast.Return):
            return True  # of a function that returns sets, or of the program
        if isinstance(parent, ast.Lambda):
            return self._puts_out(parent) or isinstance(self._parents.get(parent), ast.Assign)
        if isinstance(parent, ast.Tuple | ast.List | ast.Dict):
            around = self._parents.get(parent)
            chosen = isinstance(around, ast.Subscript) and around.value is parent
            output = isinstance(around, ast.Return | ast.Lambda) and self._puts_out(around)
            return chosen or output
        if isinstance(parent, ast.For | ast.AsyncFor | ast.YieldFrom | ast.Yield | ast.Starred):
            return False
        if isinstance(parent, ast.BinOp):
            return isinstance(parent.op, _OPERATORS)
        return not isinstance(parent, ast.FormattedValue | ast.JoinedStr | ast.keyword)

    def _free_call(self, node: ast.expr, call: ast.Call) -> bool:
        if node is call.func:
            return True
        name = _name(call.func)
        if isinstance(call.func, ast.Attribute):
            owner = call.func.value
            return name in _ASKED and (self._is_set(owner) or _name(owner) in _SETS)
        if name in ("list", "tuple", "iter"):
            return self._free_items(call)
        return _is_free(call)

    def _free_items(self, node: ast.AST) -> bool:
        """Whether what is done with the items of a set, in some order, does not show it."""
        if isinstance(node, ast.SetComp):
            return True
        parent = self._parents.get(node)
        inside = isinstance(node, (*_LISTS, ast.Call)) and isinstance(parent, ast.Call)
        return inside and _is_free(parent)


def _is_free(call: ast.AST | None) -> bool:
    """Whether what a function gives does not depend on the order of what it goes through."""
    return (
        isinstance(call, ast.Call) and _name(call.func) in _FREE and all(each.arg in _OPTIONS for each in call.keywords)
    )


def _hands_on(node: ast.expr, parent: ast.AST) -> bool:
    """Whether `set` itself is handed on, to make sets that are not seen here."""
    if not (isinstance(node, ast.Name) and node.id in _SETS):
        return False
    if isinstance(parent, ast.Call):
        return node is not parent.func and _name(parent.func) not in ("isinstance", "issubclass")
    return isinstance(parent, ast.keyword | ast.Assign | ast.Dict | ast.Return | ast.Lambda)


def _whole(node: ast.expr) -> bool:
    """Whether an expression is an integer, or goes through some, by its look."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    if isinstance(node, _LISTS):
        return _whole(node.elt)
    if isinstance(node, ast.BinOp):
        return _whole(node.left) and _whole(node.right)
    if not isinstance(node, ast.Call):
        return False
    mapped = _name(node.func) == "map" and bool(node.args) and _name(node.args[0]) in _WHOLE
    return mapped or _name(node.func) in _WHOLE


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in ("keys", "items")


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def _nodes(code: CodeType) -> list[ast.AST]:
    """Return the functions of a file that start where some code does."""
    nodes = _tree(code.co_filename) or {}
    return nodes.get((code.co_name, code.co_firstlineno), [])


def _tree(file: str) -> dict[tuple[str, int], list[ast.AST]] | None:
    lines = linecache.getlines(file)
    return _parsed("".join(lines)) if lines else None


@cache
def _parsed(text: str) -> dict[tuple[str, int], list[ast.AST]] | None:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    found: dict[tuple[str, int], list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            found.setdefault(_start(node), []).append(node)
    return found


def _start(function: ast.AST) -> tuple[str, int]:
    """Return the name of a function, and the line on which it starts."""
    lines = [getattr(node, "lineno", 0) for node in (function, *getattr(function, "decorator_list", ()))]
    return getattr(function, "name", "<lambda>"), min(lines)


# Identity -----------------------------------------------------------------------------------------
#
# A draw that is not known yet is not `True`, not an `int` of Python's own, and its class is another: the discrete draws
# of a program that asks whether something *is* another thing are known at once. What a library does with a draw is not
# known, but for some that only compute with numbers.

_NUMERIC = frozenset(
    re.findall(
        r"\w+",
        "numpy math cmath random secrets itertools functools collections operator typing abc enum time dataclasses "
        "contextlib heapq bisect re string logging warnings sys os types numbers io builtins fractions posixpath "
        "pathlib datetime textwrap thread pufferproof",
    )
)
_KEEPS = "it keeps the function type as an argument, or asks builtins for it: call type itself"
_IS_OPERATORS = frozenset(["is_", "is_not"])  # of `operator`


def asks_identity(reach: Reach) -> bool:
    """Whether a program may ask of something whether it *is* another thing than `None`, as in
    `x is True`.
    """
    if reach.unclear or reach.caches or not {name.lstrip("_") for name in reach.libraries} <= _NUMERIC:
        return True
    return any(not _IS_OPERATORS.isdisjoint(code.co_names) or any(_comparisons(code)) for code, _ in reach.codes)


def asks_class(reach: Reach) -> bool:
    """Whether a program that names `float` may compare a class by what it is."""
    if not any("float" in code.co_names for code, _ in reach.codes):
        return False
    return any(
        not _IS_OPERATORS.isdisjoint(code.co_names) or any(_of_class(side, space) for side in sides)
        for code, space in reach.codes
        for sides in [list(_comparisons(code))]
    )


def keeps_type(reach: Reach) -> tuple[str, str] | None:
    """Return why and where a program may have `type` under a name that is not translated, or None:
    it would find what stands for a draw.
    """
    for each in reach.functions:
        cells = [content(cell) for cell in each.__closure__ or ()]
        given = (*(each.__defaults__ or ()), *(each.__kwdefaults__ or {}).values(), *cells)
        if any(value is type for value in given):
            return _KEEPS, f"{PurePath(each.__code__.co_filename).name}:{each.__code__.co_firstlineno}"
    named = (code for code, _ in reach.codes if {"builtins", "type"} <= set(code.co_names))
    return next(((_KEEPS, f"{PurePath(code.co_filename).name}:{code.co_firstlineno}") for code in named), None)


Instruction = tuple[str, Any]  # the name of a step, and what it is about


def _comparisons(code: CodeType) -> Iterator[Instruction]:
    """Yield what is on the right of every `is` in some code, but for `is None`."""
    steps = [(step.opname, step.argval) for step in dis.get_instructions(code)]
    for before, (following, _) in pairwise(steps):
        if following == "IS_OP" and before != ("LOAD_CONST", None):
            yield before


def _of_class(side: Instruction, space: Mapping[str, object]) -> bool:
    """Whether what is on the right of an `is` may be a class."""
    loaded, name = side
    if loaded == "LOAD_GLOBAL" and name in space:
        return isinstance(space[name], type)
    if loaded == "LOAD_GLOBAL" and hasattr(builtins, name):
        return bool(name == "float")
    return loaded != "LOAD_CONST"
