"""Many items in portions that end by time, so that a kill loses little of slow work, and quick work
needs few units.

A portion is a unit that answers the first of its items, one at least. What it leaves is halved and
handed out again. Which portions there are depends on time, the answers do not; a sweep that goes on
with a store begins with the same portions, and finds what each has left. Whole results are kept for
as long as nothing changes.
"""

import hashlib
import json
import os
import platform
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pufferproof.models.errors import ModelError, SweepError
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.readable import folder_of, is_sealed, seal, user_key
from pufferproof.models.interface.sweeps.running import Failure, Outcome, Sweep
from pufferproof.models.interface.sweeps.units import HOME, Unit, first_of, packages
from pufferproof.models.numbers.text import JsonObject

# Keep what was found in sealed files, and read it again while nothing has changed that it could depend on.
#
# That is every byte of every file of this package, the packages that are installed with their versions, the
# interpreter, whatever bears the name of a module that decides where modules are looked for, and the question. The
# seal is an HMAC with a key of the user's own (`readable.py`), so that an entry that was edited, or came from somebody
# else, is not used. Whatever is wrong with an entry, it is as if there were none; what cannot be read or written costs
# time only.

Entry = JsonObject
_Lines = Callable[[], Iterable[str]]
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
    line for whatever the answer depends on beside this package and what runs it; `inputs` is what
    another one of the same home found, without `more`, before anything was read.
    """

    def __init__(self, kind: str, question: str, home: Path = HOME, more: _Lines = tuple, inputs: str = "") -> None:
        super().__init__()
        self._home, self._more = home, more
        # one file, which the next answer replaces; its seal is of this name
        self._name = f"{kind}-{hashlib.sha256(f'{home} {question}'.encode()).hexdigest()}.json"
        self.inputs = inputs or self._everything()

    def kept(self) -> Entry | None:
        """Return what was kept; None unless all it depends on is as it was."""
        entry = self._stored(self._name)
        return None if entry is None or entry.get("inputs") != self.inputs else entry

    def keep(self, entry: Entry) -> None:
        """Keep what was found, unless something it depends on has changed since."""
        if self._everything() == self.inputs:
            self._store(self._name, entry | {"inputs": self.inputs})

    def _everything(self) -> str:
        """Return the hash of all that an answer can depend on."""
        digest = hashlib.sha256()
        for line in (*around(), *files_under(self._home), *self._more()):
            digest.update(line.encode(errors="surrogateescape") + b"\n")
        return digest.hexdigest()


def files_under(home: Path) -> Iterator[str]:
    """Yield the hash and the name of every file under a folder, links followed; compiled modules,
    reports and what is hidden are no inputs.
    """
    for folder, folders, names in os.walk(home, followlinks=True):
        place = Path(folder).relative_to(home)
        folders[:] = sorted(
            each for each in folders if not is_hidden(each) and (place / each).as_posix() not in _NO_INPUTS
        )
        for name in sorted(each for each in names if not each.startswith(".")):
            yield line_of(Path(folder, name), home)


def line_of(path: Path, home: Path | None = None) -> str:
    """Return the hash and the name of a file, as seen from a folder; of what is none the name."""
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"
    return f"{content} {path if home is None else path.relative_to(home)}"


def around() -> list[str]:
    """Return what runs, where it looks for modules, the versions of what decides, and what is
    installed.
    """
    flags, places = str(sys.flags.optimize), os.pathsep.join(sys.path)
    # names with versions, as the folders of their metadata are named
    folders = [place for place in sys.path if os.path.isdir(place)]
    installed = [name for place in folders for name in os.listdir(place) if name.endswith(".dist-info")]
    return [
        *(sys.version, flags, sys.platform, platform.machine(), places, packages()),
        *sorted(installed),
        *_standing(sys.path),
    ]


def _standing(places: Iterable[str]) -> Iterator[str]:
    """Yield the hash and the name of every archive of modules, and of what places have under the
    name of a module that decides, which may stand before the one that is installed.
    """
    for place in map(Path, places):
        named = os.listdir(place) if place.is_dir() else [""]
        for path in sorted(
            place / name for name in named if not name or name.endswith(".pth") or name.partition(".")[0] in _DECIDING
        ):
            file = path / "__init__.py" if path.is_dir() else path
            if file.is_file():
                yield f"{present(str(file)).hex()} {file}"


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


Item = TypeVar("Item")
Answer = TypeVar("Answer")

SECONDS = 1.0  # after which a portion takes no further item
MOST = 25  # items of a portion
LEAST = 32  # portions, if there are as many items: so that few workers have about as much to do


def begun(work: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
    """Return the answers of the first items: of all, or of those that time is enough for.

    >>> begun(abs, [-1, 2])
    [1, 2]
    """
    return [work(item) for item in first_of(items, SECONDS)]


def in_portions(sweep: Sweep, items: Sequence[Item], unit_of: Callable[[list[Item]], Unit]) -> list[Outcome]:
    """Return the answers of items, in their order; `unit_of` makes a portion of some of them.

    Raises `SweepError` if there are failures, when all else is done and kept.
    """
    handed = _Handed(items, unit_of)
    size: Callable[[Outcome], int] = lambda outcome: 1 if isinstance(outcome, Failure) else len(outcome)  # noqa: E731
    for place, outcome in sweep.outcomes(handed.units(), len(items), size):
        handed.take(place, outcome)
    if handed.failures:
        raise SweepError(sweep.failed(handed.failures, len(handed.spans)))
    return [handed.found[place] for place in range(len(items))]


class _Handed:
    """Portions that are handed out one after another, and what came of them."""

    def __init__(self, items: Sequence[Item], unit_of: Callable[[list[Item]], Unit]) -> None:
        self.items: Sequence[object] = items
        self.unit_of: Callable[[list[Any]], Unit] = unit_of
        self.found: dict[int, object] = {}
        self.failures: list[Failure] = []
        self.spans: dict[int, range] = {}  # by the place of a unit
        size, each = len(items), min(MOST, -(-len(items) // LEAST)) or 1
        self.waiting = deque(range(at, min(at + each, size)) for at in range(0, size, each))
        self.running = 0

    def units(self) -> Iterator[Unit | None]:
        """Yield portions, None while those under way may leave something."""
        place = 0
        while self.waiting or self.running:
            if self.waiting:
                self.spans[place] = span = self.waiting.popleft()
                self.running += 1
                yield self.unit_of([self.items[number] for number in span])
            else:
                yield None
            place += 1

    def take(self, place: int, outcome: Failure | Sequence[object]) -> None:
        """Take what became of a portion, and hand out what it has left."""
        span = self.spans[place]
        self.running -= 1
        if isinstance(outcome, Failure):
            self.failures.append(outcome)
            return
        if not 1 <= len(outcome) <= len(span):
            raise ModelError(f"expected 1 to {len(span)} answers of a portion")
        self.found |= dict(zip(span, outcome))
        rest = span[len(outcome) :]
        half = (len(rest) + 1) // 2
        self.waiting.extend(part for part in (rest[:half], rest[half:]) if part)
