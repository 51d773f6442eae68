"""Let Python import documents: a module of claims may be a file `NAME.claims` instead of `NAME.py`.

What Python keeps of a compiled document counts only while neither the document nor what compiles it
has changed.
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from pufferproof.claims.document.lines import SUFFIX, decoded

_HERE = Path(__file__).resolve().parent


class Loader(SourceFileLoader):
    """Loads a document as the module that it is."""

    def source_to_code(  # type: ignore[override]
        self, data: Any, path: Any, *, _optimize: int = -1
    ) -> CodeType:
        """Compile a document."""
        from pufferproof.claims.document.module import module_of

        place = str(path)
        text = decoded(bytes(data), place)
        return compile(module_of(text, place), place, "exec", dont_inherit=True, optimize=_optimize)

    def path_stats(self, path: Any) -> dict[str, Any]:
        """Return in place of a time what differs wherever the document or its compiler does: a file
        may be edited again within the second, or keep its time.
        """
        digest = hashlib.sha256(_compiler() + self.get_data(str(path))).digest()
        return {**super().path_stats(path), "mtime": int.from_bytes(digest[:4], "big")}


@cache
def _compiler() -> bytes:
    """Return the hash of the files of the compiler."""
    return hashlib.sha256(b"".join(each.read_bytes() for each in sorted(_HERE.rglob("*.py")))).digest()


class Finder(MetaPathFinder):
    """Finds documents in the folders of packages of claims."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a document, None if there is none."""
        if path is None or not fullname.startswith("pufferproof.claims."):
            return None
        name = fullname.rpartition(".")[2] + SUFFIX
        for folder in path:
            file = Path(folder) / name
            if file.is_file():
                return spec_from_file_location(fullname, file, loader=Loader(fullname, str(file)))
        return None


def install() -> None:
    """Let Python find documents, behind all that it finds without."""
    if not any(isinstance(each, Finder) for each in sys.meta_path):
        sys.meta_path.append(Finder())


def modules_of(package: ModuleType) -> Iterator[str]:
    """Yield the names of the modules and documents in a package and the packages in it, in order of
    their names, a package before what is in it.
    """
    folders = [Path(each) for each in getattr(package, "__path__", ())]
    yield from _in(folders, package.__name__)


def _in(folders: Sequence[Path], name: str) -> Iterator[str]:
    found: dict[str, Path] = {}
    for folder in folders:
        for each in sorted(folder.iterdir()):
            stem = each.name.partition(".")[0]
            is_module = each.suffix in (".py", SUFFIX) and stem not in ("__init__", "__main__")
            if stem.isidentifier() and (is_module or (each / "__init__.py").is_file()):
                found.setdefault(stem, each)
    for stem, path in sorted(found.items()):
        yield f"{name}.{stem}"
        if path.is_dir():
            yield from _in([path], f"{name}.{stem}")
