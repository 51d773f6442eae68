"""The results of a whole run, kept as one sealed file: they are read again, without loading a claim
or asking an engine, while nothing has changed that any of them could depend on.

That is every byte of every file of this package, the packages that are installed with their
versions, the interpreter, whatever bears the name of a module that decides where modules are looked
for, the patterns that chose the claims, and the time limit. Whatever differs, claims are read one
by one, or examined (`cached.py`). The report of audits is kept in the same way
(`reports/page/site.py`), with its examples among what it depends on.
"""

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pufferproof
from pufferproof.claims.cache import Entry, Sealed, is_hidden, present
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run.cached import lasting
from pufferproof.claims.run.results import Result
from pufferproof.models.interface.sweeps.versions import packages

HOME = Path(pufferproof.__file__).parent
_DECIDING = sys.stdlib_module_names | {
    *("clarabel", "cvc5", "cvxpy", "flint", "highspy", "mpmath", "networkx", "numpy", "ppl"),
    *("quicktions", "scipy", "sitecustomize", "sympy", "usercustomize", "z3"),
    *("click", "jinja2", "markupsafe", "matplotlib", "pufferproof", "pydantic", "pydantic_core"),
    *("rich", "typer"),
}
_NO_INPUTS = ("reports/out",)  # what `make report` writes


class Unchanged(Sealed):
    """What was found for a question, read again while nothing has changed that it could depend on.

    To be made before anything is read, so that what changes meanwhile is noticed. `more` yields a
    line for whatever the answer depends on beside this package and what runs it.
    """

    def __init__(
        self,
        kind: str,
        question: str,
        home: Path = HOME,
        more: Callable[[], Iterable[str]] = tuple,
    ) -> None:
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


class Whole(Unchanged):
    """The results of a run of the claims that patterns choose, for one time limit; to be made
    before any claim is loaded.
    """

    def __init__(self, patterns: Sequence[str], timeout: float, home: Path = HOME) -> None:
        super().__init__("run", json.dumps([*patterns, timeout]), home)

    def read(self) -> list[Result] | None:
        """Return the results, marked as cached; None unless all they depend on is as it was."""
        entry = self.kept()
        return None if entry is None else [each | {"cached": True} for each in entry["results"]]

    def write(self, results: Sequence[Result]) -> None:
        """Keep the results of a run that was not interrupted; not where one depends on more than
        its inputs, where claims were loaded from elsewhere, or where a file has changed since.
        """
        ours = all(
            each.function.__module__.startswith("pufferproof.claims.")
            for each in load_claims().values()
        )
        if ours and all(map(lasting, results)):
            self.keep({"results": list(results)})


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
