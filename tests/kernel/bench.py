"""The bench on which the kernel is judged: cases of all families.

A case is one run: on a certificate of a corpus, with its files if it has some, with a limit
lowered, or on a command line. README.md says how a case is added.
"""

import __future__

import ast
import contextlib
import io
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from tests.kernel.reading_list import file_of, path_of
from tests.kernel.unpack import entries, listed, unpacked

HERE = Path(__file__).parent
FAMILIES = ("leakage", "rates", "optima", "algebra", "redaction", "designs", "noise")
# the files of the kernel, each after those that it imports, and the families that judge it
FILES = {
    "reading": FAMILIES,
    "files": FAMILIES,
    "level": FAMILIES,
    "space": ("leakage", "rates", "optima", "noise"),
    "leakage": ("leakage",),
    "rates": ("rates",),
    "optima": ("optima",),
    "algebra": ("algebra",),
    "designs.redaction": ("redaction", "designs"),
    "designs.three_r": ("designs",),
    "designs.__init__": ("designs",),
    "noise.rounding": ("noise",),
    "noise.model": ("noise",),
    "noise.laws": ("noise",),
    "noise.counts": ("noise",),
    "noise.segments": ("noise",),
    "noise.normal": ("noise",),
    "noise.delta": ("noise",),
    "noise.classes": ("noise",),
    "noise.cells": ("noise",),
    "noise.__init__": ("noise",),
    "__init__": FAMILIES,
    "__main__": FAMILIES,
}
Outcome = tuple[Any, ...]
Code = tuple[CodeType, ...]  # of a file, a statement each


@dataclass(frozen=True)
class Case:
    """One run of the kernel: with patched limits, on a certificate with its files, or as
    command.
    """

    name: str
    arguments: tuple[str, ...]
    expected: str | None  # None: accepted; else a fragment of the reason
    limits: tuple[tuple[str, int], ...] = ()  # {file}.{name of the limit}
    command: bool = False


class Loaded:
    """The kernel in modules of its own, or with some of its files changed: `module` by file,
    `check`, `main`; with names that the changed files may use.

    Files that come before the first changed one import nothing of it: with a `base`, its modules
    of these files are taken. A check counts from nothing, so that nothing is left in them.
    """

    def __init__(self, changed: Mapping[str, Code] | None = None, base: "Loaded | None" = None, **names: Any) -> None:
        changed = changed or {}
        self.modules: dict[str, ModuleType] = {}
        before = list(takewhile(lambda file: file not in changed, FILES))
        kept = {} if base is None else {file: base.modules[file] for file in before}
        package = "kernel_on_the_bench"
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]
        for file in ("__init__", "designs.__init__", "noise.__init__", *FILES):
            self.add(package, file, kept.get(file))
        for file in FILES:
            if file not in kept:
                space = self.modules[file].__dict__
                space.update(names)
                for code in changed.get(file) or compiled(file):
                    exec(code, space)
        self.check, self.main = self["__init__"].check, self["__main__"].main
        self.Refused, self.NotJSON = self["__init__"].Refused, self["__init__"].NotJSON

    def __getitem__(self, file: str) -> Any:
        return self.modules[file]

    def families(self) -> list[tuple[str, ModuleType]]:
        """Return the families and the modules of their rules."""
        return [(name, self.modules[file_of(name)]) for name in FAMILIES]

    def add(self, package: str, file: str, known: ModuleType | None) -> None:
        """Put the module of a file, made unless it is known, where imports find it."""
        if file in self.modules:
            return
        inner, _, last = f"{package}.{file}".rpartition(".")
        folder = last == "__init__"
        module = known or ModuleType(inner if folder else f"{inner}.{last}")
        module.__package__, module.__file__ = inner, str(path_of(file))
        if folder:
            module.__path__ = [str(path_of(file).parent)]
        sys.modules[module.__name__] = self.modules[file] = module
        outer, _, name = module.__name__.rpartition(".")
        if outer:
            setattr(sys.modules[outer], name, module)


@cache
def kinds() -> dict[str, str]:
    """Return the family of every kind of certificate."""
    return {kind: name for name, module in Loaded().families() for kind in module.RULES}


@cache
def source(file: str) -> str:
    return path_of(file).read_text(encoding="utf-8")


@cache
def compiled(file: str) -> Code:
    return tuple(statement(file, each) for each in ast.parse(source(file)).body)


def statement(file: str, each: ast.stmt) -> CodeType:
    """Return the code of one statement of a file: a mutant changes one, and the others stay."""
    module, flags = ast.Module([each], []), __future__.annotations.compiler_flag
    return compile(module, str(path_of(file)), "exec", flags, dont_inherit=True)


def outcome(kernel: Loaded, case: Case) -> Outcome:
    """Return what the kernel does with a case, in a form that can be compared."""
    with limited(kernel, case):
        return command_outcome(kernel, case) if case.command else check_outcome(kernel, case)


@contextlib.contextmanager
def limited(kernel: Loaded, case: Case) -> Iterator[None]:
    """Set the limits of a case, and restore them."""
    parts = [(name.rpartition("."), value) for name, value in case.limits]
    places = [(file, name, value) for (file, _, name), value in parts]
    old = [getattr(kernel[file], name) for file, name, _ in places]
    for file, name, value in places:
        setattr(kernel[file], name, value)
    try:
        yield
    finally:
        for (file, name, _), value in zip(places, old):
            setattr(kernel[file], name, value)


def command_outcome(kernel: Loaded, case: Case) -> Outcome:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = kernel.main([*case.arguments])
    return "exit", code, out.getvalue(), err.getvalue()


def check_outcome(kernel: Loaded, case: Case) -> Outcome:
    certificate, *files = case.arguments
    try:
        accepted = kernel.check(certificate, files[0] if files else None, files[1:])
    except kernel.Refused as refusal:
        reason = str(refusal)
        return "refused", case.expected is not None and case.expected in reason, reason.count("\n")
    except kernel.NotJSON:
        return ("not JSON",)
    except OSError:
        return ("unreadable",)
    return "accepted", accepted.kind, accepted.statement, accepted.checked, accepted.inputs


def recorded(case: Case, actual: Outcome) -> bool:
    """Say whether a case came out as it is recorded."""
    return actual[0] == "accepted" if case.expected is None else actual == ("refused", True, 0)


# --- cases ---


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def accepted_files(family: str) -> list[Path]:
    return [unpacked() / family / name for name in sorted(listed(family, "accept"))]


def paths(family: str, name: str) -> tuple[Path, ...]:
    """Return the file of an entry, and the files that it is checked with."""
    folder = unpacked() / family
    return tuple(folder / path for path in (name, *entries(family)[name].get("files", [])))


def corpus(family: str) -> list[Case]:
    """Return the cases of the corpus of a family."""
    return [
        Case(name, tuple(map(str, paths(family, name))), case.get("refused"))
        for folder in ("accept", "reject", "inputs")
        for name, case in listed(family, folder).items()
    ]


def at_limit(name: str, bound: int, paths: tuple[Path, ...], reason: str) -> list[Case]:
    """Two cases: accepted with the limit exactly reached, refused with the limit lower by one."""
    arguments, stem = tuple(map(str, paths)), paths[0].stem
    just = Case(f"{name}={bound} {stem}", arguments, None, ((name, bound),))
    less = Case(f"{name}={bound - 1} {stem}", arguments, reason, ((name, bound - 1),))
    return [just, less]
