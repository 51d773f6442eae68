"""The Python files that code comes from: its module, and what that imports in turn.

Files of the user and of vendors are read; of installed packages, among them pufferproof, the names
are known; Python's own modules are left out. Imports are those that the sources say and that are
loaded: a module that is imported by a name which is computed is not seen.
"""

import ast
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import packages_distributions
from importlib.util import resolve_name
from pathlib import Path

from pufferproof.models.files.inputs import MAX_BYTES, bytes_of

_OURS = "pufferproof"
_INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Sources:
    """The files of code by their places beside each other, and the installed packages."""

    files: dict[str, bytes] = field(default_factory=dict)
    packages: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, named: Mapping[str, bytes]) -> "Sources":
        """Return the sources of code `module:name`, whose file was read.

        >>> Sources.of("a.noise:draw", {"a/noise.py": b"import json"}).files
        {'a/noise.py': b'import json'}
        """
        found = cls()
        for file, content in named.items():
            found.add(path.partition(":")[0], str(Path(file).absolute()), content)
        return found

    def add(self, module: str, file: str, content: bytes | None = None) -> None:
        """Add the file of a module, and what it imports."""
        kind, top = _kind(module, file), module.partition(".")[0]
        if kind == "installed":
            known = [_OURS] if top == _OURS else _distributions().get(top, ())
            self.packages.update(dict.fromkeys(known))
        name = _place(module, file)
        if (kind != "own" and content is None) or name in self.files:
            return
        self.files[name] = bytes_of(file, MAX_BYTES) if content is None else content
        package = module if Path(file).name == "__init__.py" else module.rpartition(".")[0]
        for each in [*_with_packages(package), *imports(self.files[name], package)]:
            loaded = getattr(sys.modules.get(each), "__file__", None)
            if loaded is not None:
                self.add(each, loaded)


def imports(source: bytes, package: str) -> Iterator[str]:
    """Yield the modules that a source may import, with the packages that they are in.

    >>> list(imports(b"import a.b, numpy as np; from . import c", "p"))
    ['a', 'a.b', 'numpy', 'p', 'p.c']
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield from _with_packages(each.name)
        elif isinstance(node, ast.ImportFrom):
            try:
                base = resolve_name("." * node.level + (node.module or ""), package or None)
            except ImportError:  # above the top: it has not run
                continue
            yield from _with_packages(base)
            yield from (f"{base}.{each.name}" for each in node.names)


def _with_packages(name: str) -> Iterator[str]:
    parts = name.split(".") if name else []
    yield from (".".join(parts[: k + 1]) for k in range(len(parts)))


def _place(module: str, file: str) -> str:
    folder = module.replace(".", "/")
    return f"{folder}/__init__.py" if Path(file).name == "__init__.py" else f"{folder}.py"


def _kind(module: str, file: str) -> str:
    """Return whose a module is: "own", "installed", or "python", which is left out."""
    if {*_INSTALLED} & {*Path(file).parts} or module.partition(".")[0] == _OURS:
        return "installed"
    standard = Path(file).is_relative_to(sysconfig.get_path("stdlib"))
    return "python" if standard or not file.endswith(".py") else "own"


@cache
def _distributions() -> Mapping[str, list[str]]:
    return packages_distributions()
