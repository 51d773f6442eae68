"""Values as text: what they are, without names of functions, modules or files, which say where code
stands and not what it does.
"""

import functools
import hashlib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from numbers import Rational
from typing import Any

import sympy

from pufferproof.claims.language.proof import Proof

LONGEST = 400
"""Of so many characters a value is written whole; of a longer one a digest."""
_DEEPEST = 6
Of = Callable[[object], str]
"""Writes the parts of a value."""


def text_of(value: object, depth: int = 0) -> str:
    """Return a value as text: of a function of what kind it is, and what it closes over; of what
    lies too deep in it a sign.
    """
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes() | range():
            return repr(value)
        case sympy.Basic():
            return str(sympy.srepr(value))
        case Rational():
            return f"{value.numerator}/{value.denominator}"
        case Proof():
            return "the proof"
    return "…" if depth == _DEEPEST else _composed(value, lambda each: text_of(each, depth + 1))


def _composed(value: object, of: Of) -> str:
    """Return the text of a value that has parts, which `of` writes."""
    match value:
        case Mapping():
            return f"{{{', '.join(f'{of(key)}: {of(each)}' for key, each in value.items())}}}"
        case set() | frozenset():
            return f"{{{', '.join(sorted(map(of, value)))}}}"
        case list() | tuple():
            return f"[{', '.join(map(of, value))}]"
        case type():
            return f"class {value.__name__}"
        case types.ModuleType():
            return "module"
        case types.BuiltinFunctionType():
            return f"built-in {value.__name__}"
    if callable(value) and not is_dataclass(value):
        return _function(value, of)
    if isinstance(value, Iterator):
        return "iterator"
    return f"{type(value).__name__}({', '.join(_attributes(value, of))})"


def _function(value: Any, of: Of) -> str:
    """Say what a function is made of: what is given beforehand, and what it closes over."""
    if isinstance(value, functools.partial):
        given = [*map(of, value.args), *(f"{k}={of(v)}" for k, v in value.keywords.items())]
        return f"{of(value.func)} with {', '.join(given)}"
    if isinstance(value, types.MethodType):
        return f"method of {of(value.__self__)}"
    value = getattr(value, "__wrapped__", value)
    if not isinstance(value, types.FunctionType):
        return f"{type(value).__name__}({', '.join(_attributes(value, of))})"
    over = sorted(of(each) for each in _closed_over(value))
    return f"function over [{', '.join(over)}]" if over else "function"


def _closed_over(function: types.FunctionType) -> Iterator[object]:
    """Yield what a function closes over, but not itself."""
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:  # it is not set yet
            continue
        if value is not function:
            yield value


def _attributes(value: object, of: Of) -> Iterator[str]:
    """Yield the attributes of an object; of a dataclass its fields."""
    if is_dataclass(value):
        named = {each.name: getattr(value, each.name) for each in fields(value)}
    else:
        named = dict(getattr(value, "__dict__", {}))
    yield from (f"{name}={of(each)}" for name, each in named.items() if name[0] != "_")


def digest(texts: Iterable[str]) -> str:
    """Return a digest of texts in order."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def short(text: str) -> str:
    """Return a text, or a digest of a long one."""
    return text if len(text) <= LONGEST else f"{len(text)} characters {digest([text])}"


def lines(name: str, text: str, indent: str = "") -> Sequence[str]:
    """Return a named text, a line for each of its own; none of an empty one."""
    return [f"{indent}{name}: {line}".rstrip() for line in text.splitlines()]
