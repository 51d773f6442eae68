"""Which names parts of a document give a meaning to, and which ones an expression uses, or gives a
meaning to within itself.
"""

import ast
import symtable
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pufferproof.claims.document.expressions.exact import BUILTINS, CHECKED, EXACT, JOINED, KEPT, OVER, RAISED, inexact
from pufferproof.claims.document.expressions.plain import ATTRIBUTE
from pufferproof.claims.document.expressions.reading import entries, parsed
from pufferproof.claims.document.lines import wrong
from pufferproof.claims.document.parts import (
    Argument,
    Code,
    Define,
    Family,
    Hypothesis,
    Let,
    Letters,
    Part,
    Program,
    Sorts,
    StatementPart,
    Table,
    Text,
    Use,
)
from pufferproof.claims.document.programs.blocks import assignments
from pufferproof.models.errors import ModelError

OUTSIDE = frozenset(
    (
        *("open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint", "help"),
        *("globals", "locals", "vars", "dir", "id", "hash", "getattr", "setattr", "delattr"),
        *("exit", "quit", "object", "super", "memoryview"),
    )
)
"""Names of Python that no expression has: they read or change more than what they are given."""
LIBRARY = (
    *("bisect", "collections", "copy", "dataclasses", "decimal", "enum", "fractions", "functools"),
    *("heapq", "itertools", "math", "numbers", "operator", "re", "statistics", "string", "typing"),
)
"""Modules of Python that documents use."""


class Entries(NamedTuple):
    """The entries of a family, as far as its text says them, and whether these are all."""

    names: frozenset[str] = frozenset()
    complete: bool = False


def expect_library(part: Use, module: str, place: str) -> None:
    """Raise `ModelError` for a module of Python that may say another thing tomorrow, and for names
    that make floats.
    """
    first = module.partition(".")[0]
    if first in sys.stdlib_module_names and first not in LIBRARY:
        said = f"expected one of the modules of Python {', '.join(LIBRARY)}, found"
        raise wrong(place, part.line, f'{said} "{part.place}", which may answer otherwise later')
    for name, _ in part.names or [("", "")]:
        if reason := inexact(module, name):
            raise wrong(place, part.line, reason)


def known_names(parts: Sequence[Part]) -> set[str]:
    """Return the names that a document gives a meaning to, or that Python has."""
    known = {*BUILTINS, "__file__", "__name__", "__doc__"}
    known |= {EXACT, OVER, RAISED, CHECKED, KEPT, JOINED, ATTRIBUTE}
    return known | {name for part in parts for name, _ in meanings(part)}


def families(parts: Sequence[Part], place: str) -> dict[str, Entries]:
    """Return what is known of the entries of families, by their names."""
    found: dict[str, Entries] = {}
    for part in parts:
        if isinstance(part, Family):
            try:
                found[part.name] = _given(part, found)
            except ModelError as error:
                raise wrong(place, part.entries.line, str(error)) from None
        elif isinstance(part, Code):
            found |= dict(_in_fence(part.source))
    return found


def _given(part: Family, others: Mapping[str, Entries]) -> Entries:
    names, complete = frozenset[str](), True
    for name, value in entries(part.entries.text, bare=True):
        more = others.get(value.removesuffix("(draws)"), Entries())
        names |= {*name.split(", ")} if name else more.names
        complete = complete and bool(name or more.complete)
    return Entries(names, complete)


def _in_fence(source: str) -> Iterator[tuple[str, Entries]]:
    """Yield the functions of a fence that draw, with the keys of their dictionaries."""
    for function in _tree(source).body:
        if isinstance(function, ast.FunctionDef) and "draws" in names_of(function.args):
            keys = (x for node in ast.walk(function) if isinstance(node, ast.Dict) for x in node.keys)
            names = [x.value for x in keys if isinstance(x, ast.Constant)]
            yield function.name, Entries(frozenset(x for x in names if isinstance(x, str)))


def _tree(source: str) -> ast.Module:
    """Return the tree of a fence, an empty one if it does not parse."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.Module([], [])


def meanings(part: Part) -> Iterator[tuple[str, int]]:
    """Yield the names that a part gives a meaning to, with their lines."""
    match part:
        case Use():
            names = [name for _, name in part.names] or [part.place.partition(".")[0]]
            yield from ((name, part.line) for name in names)
        case Letters():
            yield from ((name, each.line) for each in part.entries for name, _ in each.names)
        case Sorts():
            yield from ((known, x.line) for x in part.entries for _, _, known in x.names)
        case StatementPart():
            yield part.name, part.line
        case Let():
            yield from ((name, part.line) for name in part.names.split(", "))
        case Table():
            yield part.name.upper(), part.line
        case Argument() | Define() | Hypothesis() | Family() | Program():
            yield part.name, part.line
        case Code():
            yield from _of_fence(part)


def functions_of(part: Part) -> Iterator[str]:
    """Yield the functions and classes that a part is, or has."""
    if isinstance(part, Define | Family | Program):
        yield part.name
    elif isinstance(part, Code):
        body = _tree(part.source).body
        yield from (each.name for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef))


def _of_fence(part: Code) -> Iterator[tuple[str, int]]:
    """Yield the names that a fence gives a meaning to; of one that does not parse, none. What a
    loop or an `if` names again is left out.
    """
    found = set[str]()
    for each in _tree(part.source).body:
        again = found if isinstance(each, ast.If | ast.For | ast.While | ast.With | ast.Try) else ()
        names = {} if isinstance(each, ast.AugAssign) else dict(reversed([*_bound(each)]))
        yield from ((name, part.line + at - 1) for name, at in names.items() if name not in again)
        found |= names.keys()


def _bound(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the names that a statement gives a meaning to where it stands, with their lines."""
    match node:
        case ast.Name(name, ast.Store()):
            yield name, node.lineno
        case ast.FunctionDef(name) | ast.ClassDef(name):
            yield name, node.lineno
            return
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name, node.lineno
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name, node.lineno
        case ast.Import(names) | ast.ImportFrom(names=names):
            for each in names:
                yield each.asname or each.name.partition(".")[0], node.lineno
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            given = (x.target for x in ast.walk(node) if isinstance(x, ast.NamedExpr))
            yield from ((x.id, x.lineno) for x in given if isinstance(x, ast.Name))
            return
    for inner in ast.iter_child_nodes(node):
        yield from _bound(inner)


def inner_names(*texts: str) -> set[str]:
    """Return the names that expressions give a meaning to within themselves."""
    found = set[str]()
    for node in (node for text in texts for node in ast.walk(parsed(text))):
        match node:
            case ast.comprehension(target) | ast.NamedExpr(target):
                found |= {x.id for x in ast.walk(target) if isinstance(x, ast.Name)}
            case ast.Lambda(arguments):
                found |= {*names_of(arguments)}
    return found


def free(head: str, where: Sequence[Text], value: Text) -> set[str]:
    """Return the names that a function uses and does not give a meaning to."""
    lines = [f"def _({head}):", *(f" {text.text}" for text in where), f" return ({value.text})"]
    return global_names("\n".join(lines))


def global_names(source: str) -> set[str]:
    """Return the names that functions use from outside. Raises `ModelError` if none are there."""
    try:
        tables = [symtable.symtable(source, "block", "exec")]
    except SyntaxError as error:
        raise ModelError(f"expected Python, found what does not parse ({error.msg})") from None
    found = set[str]()
    top = tables[0]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for each in table.get_symbols():
            if each.is_global() if table is not top else each.is_referenced():
                found.add(each.get_name())
    return found


def names_of(arguments: ast.arguments) -> list[str]:
    """Return the names of parameters."""
    return [each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)]


def targets(text: Text) -> list[tuple[str, set[str]]]:
    """Return the names that assignments give a meaning to, each with those that its value uses; the
    name "_", which nothing uses, uses itself.
    """
    return [
        (each, {*_names(ast.parse(value)), "_"}) for target, value in assignments(text.text) for each in _names(target)
    ]


def _names(tree: ast.AST) -> list[str]:
    return [each.id for each in ast.walk(tree) if isinstance(each, ast.Name)]
