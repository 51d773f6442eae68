"""Whether a program asks what something *is*: a draw that is not known yet is not `True`, not an
`int` of Python's own, and its class is another. The discrete draws of such a program are known at
once.

All code that the program can reach is looked at. What a library does with a draw is not known, but
for some that only compute with numbers.
"""

import builtins
import dis
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import PurePath
from types import CodeType
from typing import Any

from pufferproof.verify.programs.watching.reach import Reach, content

_NUMERIC = frozenset(
    [
        "numpy",
        "math",
        "cmath",
        "random",
        "secrets",
        "itertools",
        "functools",
        "collections",
        "operator",
        "typing",
        "abc",
        "enum",
        "time",
        "dataclasses",
        "contextlib",
        "heapq",
        "bisect",
        "re",
        "string",
        "logging",
        "warnings",
        "sys",
        "os",
        "types",
        "numbers",
        "io",
        "builtins",
        "fractions",
        "posixpath",
        "pathlib",
        "datetime",
        "textwrap",
        "thread",
        "pufferproof",
    ]
)
_KEEPS = "it keeps the function type as an argument, or asks builtins for it: call type itself"
_NAMES = frozenset(["is_", "is_not"])  # of `operator`


def asks_identity(reach: Reach) -> bool:
    """Whether a program may ask of something whether it *is* another thing than `None`, as in
    `x is True`.
    """
    if reach.unclear or reach.caches or not reach.libraries_within(_NUMERIC):
        return True
    return any(not _NAMES.isdisjoint(code.co_names) or any(_comparisons(code)) for code, _ in reach.codes)


def asks_class(reach: Reach) -> bool:
    """Whether a program that names `float` may compare a class by what it is."""
    if not any("float" in code.co_names for code, _ in reach.codes):
        return False
    return any(
        not _NAMES.isdisjoint(code.co_names) or any(_of_class(side, space) for side in sides)
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
            return _KEEPS, _place(each.__code__)
    named = (code for code, _ in reach.codes if {"builtins", "type"} <= set(code.co_names))
    return next(((_KEEPS, _place(code)) for code in named), None)


def _place(code: CodeType) -> str:
    return f"{PurePath(code.co_filename).name}:{code.co_firstlineno}"


Instruction = tuple[str, Any]


def _comparisons(code: CodeType) -> Iterator[Instruction]:
    """Yield what is on the right of every `is` in some code, but for `is None`."""
    steps = [(step.opname, step.argval) for step in dis.get_instructions(code)]
    for before, (following, _) in pairwise(steps):
        if following == "IS_OP" and before != ("LOAD_CONST", None):
            yield before


def _of_class(side: Instruction, space: Mapping[str, Any]) -> bool:
    """Whether what is on the right of an `is` may be a class."""
    loaded, name = side
    if loaded == "LOAD_GLOBAL" and name in space:
        return isinstance(space[name], type)
    if loaded == "LOAD_GLOBAL" and hasattr(builtins, name):
        return bool(name == "float")
    return loaded != "LOAD_CONST"
