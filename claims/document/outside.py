"""Load documents that are not of this package: what runs of them is decided before, and how long it
may take, and nothing that stands beside them is believed.
"""

from collections.abc import Callable
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from pufferproof.claims.document.expressions.plain import needs_trust, plain_builtins
from pufferproof.claims.document.finder import Loader
from pufferproof.claims.document.lines import SUFFIX, decoded
from pufferproof.claims.document.module import module_of
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import bytes_of, digest, in_file
from pufferproof.verify.proof.formulas import evaluate_no_texts
from pufferproof.verify.proof.smt import limit_met

LONGEST = 2**20
"""Bytes of a source of claims."""
_IN_TIME: set[tuple[str, str, str, float]] = set()  # work that ended within its limits


class Outside(Loader):
    """Loads a document that is not of this package, unread or `trusted`. What Python keeps of
    compiled files is neither read, because anybody may have put it beside the document, nor
    written.
    """

    def __init__(self, fullname: str, path: str, trusted: bool) -> None:
        super().__init__(fullname, path)
        self.trusted, self.builtins = trusted, dict[str, Any]()

    def path_stats(self, path: Any) -> dict[str, Any]:
        """Say that no compiled file belongs to a document."""
        raise OSError(path)

    def get_data(self, path: Any) -> bytes:
        """Read a document, once while a command runs."""
        return bytes_of(path, LONGEST)

    def source_to_code(  # type: ignore[override]
        self, data: Any, path: Any, *, _optimize: int = -1
    ) -> CodeType:
        """Compile a document. Raises `ModelError` unless it is trusted, or has nothing but what may
        run unread.
        """
        place = str(path)
        module = module_of(decoded(bytes(data), place), place, self.trusted)
        self.builtins = {} if self.trusted else plain_builtins(module)
        return compile(module, place, "exec", dont_inherit=True, optimize=_optimize)

    def exec_module(self, module: ModuleType) -> None:
        """Run a document; an unread one finds nothing of Python beside what it may call."""
        code = self.get_code(module.__name__)
        assert code is not None
        if not self.trusted:
            vars(module)["__builtins__"] = self.builtins
            evaluate_no_texts()
        exec(code, vars(module))


def loader_of(name: str, path: Path, trust_code: bool) -> Outside | None:
    """Return what loads a document as a module of this name; None for a file of Python. Raises
    `ModelError` if that is not trusted.
    """
    if path.suffix == SUFFIX:
        return Outside(name, str(path), trust_code)
    if not trust_code:
        raise needs_trust(str(path), 1, "a file of Python")
    return None


def expect_in_time(path: Path, what: str, work: Callable[[], object], seconds: float) -> None:
    """Raise `ModelError` if work on a document takes too long, or too much memory: it is tried in a
    process of its own, once for each content of the document. Modules may have to be imported for
    it, so that it has a second at least.
    """
    seconds = max(seconds, 1.0)
    with in_file(str(path)):
        known = str(path.resolve()), what, digest(bytes_of(path, LONGEST)), seconds
    if known in _IN_TIME:
        return
    if limit := limit_met(work, seconds):
        raise ModelError(f"cannot be loaded: it takes more than {limit}", str(path))
    _IN_TIME.add(known)
