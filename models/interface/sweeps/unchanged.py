"""Keep what was found in sealed files, and read it again while nothing has changed that it could
depend on.

That is every byte of every file of this package, the packages that are installed with their
versions, the interpreter, whatever bears the name of a module that decides where modules are looked
for, and the question. The seal is an HMAC with a key of the user's own (`sealing.py`), so that an
entry that was edited, or came from somebody else, is not used. Whatever is wrong with an entry, it
is as if there were none; what cannot be read or written costs time only.
"""

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.sealing import folder_of, is_sealed, seal, user_key
from pufferproof.models.interface.sweeps.versions import HOME, packages
from pufferproof.models.numbers.text import JsonObject

Entry = JsonObject
_LARGEST = 64 * 2**20  # bytes of an entry
_DECIDING = sys.stdlib_module_names | {
    *("clarabel", "cvc5", "cvxpy", "flint", "highspy", "mpmath", "networkx", "numpy", "ppl"),
    *("quicktions", "scipy", "sitecustomize", "sympy", "usercustomize", "z3"),
    *("click", "jinja2", "markupsafe", "matplotlib", "pufferproof", "pydantic", "pydantic_core"),
    *("rich", "typer"),
}
_NO_INPUTS = ("reports/out",)  # what `make report` writes


class Sealed:
    """A folder of sealed entries, which nobody without the user's key can make.

    `warning` says, once something could not be read or written, what that was.
    """

    def __init__(self) -> None:
        self.warning: str | None = None
        self._key: bytes | None = None
        try:
            self._folder = folder_of("XDG_CACHE_HOME", ".cache") / "claims"
            self._key = user_key()
        except (OSError, RuntimeError) as error:
            self._warn(error)

    def _stored(self, name: str) -> Entry | None:
        """Return what is stored in a file; None unless it is whole and sealed."""
        if self._key is None:
            return None
        path = self._folder / name
        try:
            if not path.is_file() or path.stat().st_size > _LARGEST:
                return None
            found, _, payload = path.read_bytes().partition(b"\n")
            if not is_sealed(self._key, path.stem, payload, found.decode(errors="replace")):
                return None
            return dict(json.loads(payload))
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def _store(self, name: str, entry: Entry) -> None:
        if self._key is None:
            return
        path, payload = self._folder / name, json.dumps(entry)
        if len(payload) > _LARGEST // 2:  # which would take long to read; it is computed again
            return
        mark = seal(self._key, path.stem, payload.encode())
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, f"{mark}\n{payload}")
        except (OSError, ModelError) as error:
            self._warn(error)

    def _warn(self, error: Exception) -> None:
        if self.warning is None:
            said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else error
            self.warning = f"warning: results are not kept for the next run: {said}"


class Unchanged(Sealed):
    """What was found for a question, read again while nothing has changed that it could depend on.

    To be made before anything is read, so that what changes meanwhile is noticed. `more` yields a
    line for whatever the answer depends on beside this package and what runs it.
    """

    def __init__(self, kind: str, question: str, home: Path = HOME, more: Callable[[], Iterable[str]] = tuple) -> None:
        super().__init__()
        self._question, self._home, self._more = question, home, more
        digest = hashlib.sha256(f"{home} {question}".encode()).hexdigest()
        self._name = f"{kind}-{digest}.json"  # one file, which the next answer replaces
        self._inputs = self._everything()

    def kept(self) -> Entry | None:
        """Return what was kept; None unless all it depends on is as it was."""
        entry = self._stored(self._name)
        return None if entry is None or entry.get("inputs") != self._inputs else entry

    def keep(self, entry: Entry) -> None:
        """Keep what was found, unless something it depends on has changed since."""
        if self._everything() == self._inputs:
            self._store(self._name, entry | {"inputs": self._inputs})

    def _everything(self) -> str:
        """Return the hash of all that an answer can depend on."""
        digest = hashlib.sha256(self._question.encode())
        for line in (*around(), *files_under(self._home), *self._more()):
            digest.update(line.encode(errors="surrogateescape") + b"\n")
        return digest.hexdigest()


def files_under(home: Path) -> Iterator[str]:
    """Yield the hash and the name of every file under a folder, links followed; compiled modules,
    reports and what is hidden are no inputs.
    """
    for folder, folders, names in os.walk(home, followlinks=True):
        place = Path(folder).relative_to(home)
        folders[:] = sorted(each for each in folders if _may_matter(each, place / each))
        for name in sorted(each for each in names if not each.startswith(".")):
            yield line_of(Path(folder, name), home)


def line_of(path: Path, home: Path | None = None) -> str:
    """Return the hash and the name of a file, as seen from a folder; of what is none the name."""
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"
    return f"{content} {path if home is None else path.relative_to(home)}"


def _may_matter(name: str, place: Path) -> bool:
    return not is_hidden(name) and place.as_posix() not in _NO_INPUTS


def around() -> list[str]:
    """Return what runs, where it looks for modules, the versions of what decides, and what is
    installed.
    """
    flags, places = str(sys.flags.optimize), os.pathsep.join(sys.path)
    return [
        *(sys.version, flags, sys.platform, platform.machine(), places, packages()),
        *sorted(_installed(sys.path)),
        *_standing(sys.path),
    ]


def _standing(places: Iterable[str]) -> Iterator[str]:
    """Yield the hash and the name of every archive of modules, and of what places have under the
    name of a module that decides, which may stand before the one that is installed.
    """
    for place in map(Path, places):
        named = os.listdir(place) if place.is_dir() else [""]
        for path in sorted(place / name for name in named if _decides(name)):
            file = path / "__init__.py" if path.is_dir() else path
            if file.is_file():
                yield f"{present(str(file)).hex()} {file}"


def _decides(name: str) -> bool:
    return not name or name.endswith(".pth") or name.partition(".")[0] in _DECIDING


def _installed(places: Iterable[str]) -> Iterator[str]:
    """Yield what is installed: names with versions, as the folders of their metadata are named."""
    for place in places:
        if os.path.isdir(place):
            yield from (name for name in os.listdir(place) if name.endswith(".dist-info"))


def present(source: str) -> bytes:
    """Return the hash of a file as it is, or that it cannot be read."""
    try:
        state = os.stat(source)
        return _content(source, state.st_mtime_ns, state.st_size)
    except OSError:
        return b"none"


@cache
def _content(source: str, modified: int, size: int) -> bytes:
    """Return the hash of a file, read once for as long as it stays what it was."""
    return hashlib.sha256(Path(source).read_bytes()).digest()


def is_hidden(name: str) -> bool:
    """Whether a file or a folder of this name is no input: hidden, or of compiled modules."""
    return name.startswith(".") or name == "__pycache__"
