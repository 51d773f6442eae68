"""The cache of results: one sealed file per claim, named by the hash of all that the result depends
on; one of what source files import; and one per whole run (`run/whole.py`).

An entry is what engines said of every step, never a verdict: verdicts are computed again, and
certificates and counterexamples checked again (`replay.py`). The seal is an HMAC with a key of the
user's own, outside the folder, so that an entry that was edited, or came from somebody else, is
not used. Whoever can read the key can forge entries. Whatever is wrong with an entry, it is as if
there were none; what cannot be read or written costs time only.
"""

import ast
import hashlib
import math
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pufferproof
from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.module import module_of
from pufferproof.claims.language.theorems import checked_state
from pufferproof.claims.registry import Claim
from pufferproof.claims.vocabulary.coq import tie
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.portions import Entry, Sealed, is_hidden, present
from pufferproof.models.interface.sweeps.units import FLOORS, packages

_ROOT = Path(__file__).resolve().parents[2]
_SHAPE = str(_ROOT / "claims" / "run" / "results.py")  # which says what an entry holds
_INSTALLED = ("site-packages", "dist-packages")  # also those of another environment
_MOST_READ = 10_000  # source files
_READ = "imports"  # the file that says what source files import and name, by their content
_TIES = "ties"  # the file of the digests of ties, of one state of the vocabulary
_COARSE = 2.0  # seconds by which clocks of files may be behind


class Cache(Sealed):
    """Stored results of claims, for one time limit."""

    def __init__(self, timeout: float, claims: Iterable[Claim] = ()) -> None:
        super().__init__()
        self._timeout = timeout
        self._marks: dict[str, str] = {}  # fingerprints as they were before anything was proved
        self._read = self._stored(_READ) or {}
        self._sources = Sources(self._read)
        self._vocabulary: str | None = None  # its state, where digests of ties are kept
        self._known_ties = 0
        if any(claim.own and claim.says for claim in claims):
            self._recall_ties()

    def read(self, claim: Claim) -> Entry | None:
        """Return the entry of a claim; None unless it is whole, sealed, and of sources as they are
        now.
        """
        return self._stored(f"{self._mark(claim)}.json")

    def write(self, claim: Claim, entry: Entry) -> None:
        """Store an entry; not where a source has changed since this run began."""
        if self._key is None:
            return
        if self._mark(claim) == fingerprint(claim, self._timeout, self._sources):
            self._store(f"{self._mark(claim)}.json", entry)

    def keep_shared(self) -> None:
        """Store what was read of source files, of earlier runs too, unless it gets too much; and the
        digests of ties that were computed, unless the vocabulary is no longer what this process runs.
        """
        read = self._read | self._sources.read
        if read.keys() != self._read.keys():
            self._store(_READ, read if len(read) < _MOST_READ else self._sources.read)
        if self._vocabulary is None or len(tie.DIGESTS) == self._known_ties:
            return
        if self._vocabulary == Sources(self._read).vocabulary_run():
            self._store(_TIES, {"vocabulary": self._vocabulary, "digests": tie.DIGESTS})

    def _recall_ties(self) -> None:
        """Take the digests of ties that were computed of the vocabulary as it is and as it is run."""
        self._vocabulary = self._sources.vocabulary_run()
        if self._vocabulary is None:
            return
        ties = self._stored(_TIES) or {}
        if ties.get("vocabulary") == self._vocabulary:
            tie.DIGESTS.update(ties["digests"])
        self._known_ties = len(tie.DIGESTS)

    def _mark(self, claim: Claim) -> str:
        if claim.id not in self._marks:
            self._marks[claim.id] = fingerprint(claim, self._timeout, self._sources)
        return self._marks[claim.id]


# --- what a result depends on
# ----------------------------------------------------------------------------------------------


def fingerprint(claim: Claim, timeout: float, sources: "Sources") -> str:
    """Return the hash of all that a result depends on: id, sources it can reach, versions of
    what decides, time limit, what Coq checked; for claims from outside their words, which they may
    make from what is in no source.
    """
    known = f"{claim.id} {timeout} {packages()} {checked_state()} {_words(claim)}"
    return _hash_of(known, sources.of(claim))


def _hash_of(known: str, files: Iterable[str]) -> str:
    digest = hashlib.sha256(known.encode())
    for file in sorted(files):
        digest.update(present(file))
    return digest.hexdigest()


def _words(claim: Claim) -> list[str]:
    """Return the words of a claim from outside; what goes wrong is left to its examination."""
    try:
        return [] if claim.own else claim.words
    except Exception as error:
        return [repr(error)]


class Sources:
    """The source files that claims rest on: their own and what these import from this package; with
    every file that one of them names and that stands beside it.

    Claims from outside may import anything, at any time: what they name is looked for beside the
    file and where modules are looked for, as a module and as a file or a folder of data. What they
    open by a name that they compute is not seen.

    `stored` is `read` of an earlier run: the modules that a file imports and the texts in it, by
    the hash of its content.
    """

    def __init__(self, stored: Entry | None = None) -> None:
        self._reached: dict[frozenset[str], frozenset[str]] = {}
        self._following: dict[str, tuple[set[str], set[str]]] = {}
        self._stored = stored or {}
        self.read: Entry = {}

    def of(self, claim: Claim) -> set[str]:
        """Return the files that a claim rests on; claims from outside may import anything
        beside them, and by its public names anything of this package.
        """
        file = _file(claim)
        if _inside(file):
            return {*self._reachable(frozenset([file])), _SHAPE}
        files = frozenset([file, *_loaded_from_outside()])
        return {*self._reachable(files), _SHAPE, *_package()}

    def vocabulary_run(self) -> str | None:
        """Return the hash of all that the digest of a tie depends on: every file of the vocabulary
        with all that it can reach, and the versions of what evaluates it.

        None if this process may run something else: a file has changed since it began, so that
        what was loaded may be older, or code from outside was loaded, which can change anything.
        """
        folder = Path(__file__).resolve().parents[1] / "vocabulary"
        files, loaded = self._reachable(frozenset(map(str, folder.rglob("*.py")))), pufferproof.BEGUN - _COARSE
        hashed = _hash_of(packages(), files)
        # asked after the files were read, so that none can change between
        return None if _loaded_from_outside() or any(_changed(file) >= loaded for file in files) else hashed

    def _reachable(self, files: frozenset[str]) -> frozenset[str]:
        """Return source files and every source file of this package that they import, directly
        or not, with the files of data that they name.
        """
        if files not in self._reached:
            found, data, pending = set[str](), set[str](), [*files]
            while pending:
                source = pending.pop()
                if source not in found:
                    found.add(source)
                    sources, named = self._next(source)
                    pending += sources
                    data |= named
            self._reached[files] = frozenset(found | data)
        return self._reached[files]

    def _next(self, source: str) -> tuple[set[str], set[str]]:
        """Return the sources that a file imports, and data it names."""
        if source not in self._following:
            folder = os.path.dirname(source)
            names, texts = self._named(source)
            sources = set[str]()
            for name in names:
                sources |= {*_modules(name, folder if name.startswith(".") else "")}
            data = {os.path.join(folder, name) for name in _files_in(folder).intersection(texts)}
            if not _inside(source):
                sources |= {each for name in {*names, *texts} for each in _found(name, folder)}
                places = {folder, os.path.dirname(os.path.realpath(source))}
                data |= {each for text in texts for each in _data(text, places)}
            self._following[source] = sources, data
        return self._following[source]

    def _named(self, file: str) -> tuple[Iterable[str], Iterable[str]]:
        """Return the modules that a source file imports, and the texts in it."""
        content = present(file).hex()
        if content not in self.read:
            self.read[content] = self._stored.get(content) or _parsed(file, content)
        names, texts = self.read[content]
        return names, texts


def _file(claim: Claim) -> str:
    return _placed(claim.function.__code__.co_filename)


@cache
def _placed(name: str) -> str:
    """Return where a file of this package is, links followed; of another one, where it is named,
    as that is where it looks for others.
    """
    resolved = str(Path(name).resolve())
    return resolved if _inside(resolved) else os.path.abspath(name)


def _changed(source: str) -> float:
    """When a file was last written, or put in its place."""
    try:
        state = os.stat(source)
    except OSError:
        return math.inf
    return max(state.st_mtime, state.st_ctime)


def _loaded_from_outside() -> set[str]:
    """Return the source files of loaded modules that belong to no installed package, nor to
    this one.
    """
    named = {str(getattr(module, "__file__", None) or "") for module in list(sys.modules.values())}
    return {file for name in named if (file := _outside(name)) is not None}


@cache
def _outside(name: str) -> str | None:
    """Return the source file of a module, unless it belongs to an installed package or to this
    one.
    """
    if not name.endswith((".py", SUFFIX)) or str(Path(name).resolve()).startswith(_homes()):
        return None
    return _placed(name)


@cache
def _inside(file: str) -> bool:
    """Whether a file is of this package; what else stands in its checkout is not."""
    return file.startswith(_ours())


@cache
def _files_in(folder: str) -> frozenset[str]:
    """Return the names of the files of a folder."""
    return frozenset(each.name for each in os.scandir(folder) if each.is_file())


@cache
def _package() -> frozenset[str]:
    """Return every source file of this package, and every file of data; not what is written."""
    written = os.path.join("reports", "out")
    return frozenset(
        os.path.join(folder, name)
        for place in _folders()
        for folder, _, names in os.walk(place)
        for name in names
        if name.endswith((".py", ".json", SUFFIX)) and written not in folder
    )


@cache
def _homes() -> tuple[str, ...]:
    """The folders of installed packages and of this one, each with a separator at its end."""
    named = {sysconfig.get_path(place) for place in ("stdlib", "platstdlib", "purelib", "platlib")}
    places = {Path(place) for place in {*named, *sys.path} if place}
    installed = {each for each in places if str(each) in named or each.name in _INSTALLED}
    return *map(_under, installed), *_ours()


@cache
def _ours() -> tuple[str, ...]:
    """The folders of this package, each with a separator at its end."""
    return tuple(map(_under, _folders()))


@cache
def _folders() -> tuple[Path, ...]:
    """Return the folder of this package and those of its floors, which stand in it as folders or
    links; where links are missing, beside `src`.
    """
    place = Path(pufferproof.__path__[-1])
    floors = (place / name for name in (*FLOORS, "formal"))
    return Path(pufferproof.__file__).parent, *(each for each in floors if each.is_dir())


def _under(folder: Path) -> str:
    return f"{str(folder.resolve()).rstrip(os.sep)}{os.sep}"


@cache
def _parsed(file: str, content: str) -> tuple[list[str], list[str]]:
    """Parse a source file, once for as long as its content has this hash."""
    names, texts = set[str](), set[str]()
    try:
        data = Path(file).read_bytes()
        is_document = file.endswith(SUFFIX)
        tree: ast.AST = module_of(data.decode(), file) if is_document else ast.parse(data)
    except (OSError, SyntaxError, ValueError, ModelError):  # whoever imports it meets the same
        return [], []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            dot = "." if node.module else ""
            names |= {module, *(f"{module}{dot}{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
    return sorted(names), sorted(texts)


@cache
def _modules(name: str, folder: str) -> tuple[str, ...]:
    """Return the source file of a module of this package, if it is one; a name that begins with a
    point is seen from the folder of the file that imports it.
    """
    package, _, rest = name.partition(".")
    if name.startswith("."):
        rest = name.lstrip(".")
        home = Path(folder, *[os.pardir] * (len(name) - len(rest) - 1)).resolve()
    elif package == "pufferproof" and rest:
        home = _ROOT
    else:
        return ()
    parts = rest.split(".") if rest else []
    return tuple(_sources_of(home, parts))


def _sources_of(home: Path, parts: list[str]) -> Iterator[str]:
    """Yield the source file of a module and of every package on the way to it, which is run too."""
    yield from _existing(home / "__init__.py")
    for number in range(1, len(parts) + 1):
        base = home.joinpath(*parts[:number])
        yield from _existing(*_files_of(base))


def _files_of(base: Path) -> tuple[Path, ...]:
    """Where a module or a package may stand; the notation of a package counts for all in it."""
    package = (base / "__init__.py", base / f"notation{SUFFIX}")
    return base.with_suffix(".py"), base.with_suffix(SUFFIX), *package


def _existing(*paths: Path) -> Iterator[str]:
    yield from (str(path) for path in paths if path.is_file())


@cache
def _found(name: str, folder: str) -> tuple[str, ...]:
    """Return the source files of a module that a file in this folder imports by its whole name,
    wherever they may be found but in what is installed.
    """
    parts = name.split(".")
    if not all(map(str.isidentifier, parts)):
        return ()
    places = dict.fromkeys(os.path.abspath(each) for each in (folder, *sys.path))
    paths = {path for place in places for path in _sources_of(Path(place), parts)}
    return tuple(each for path in paths if (each := _outside(path)) is not None)


def _data(text: str, places: Iterable[str]) -> Iterator[str]:
    """Yield the file that a text of a source file names, in its places or where the program runs,
    or the files in the folder below it.
    """
    if os.path.isfile(text):
        yield os.path.abspath(text)
    for place in places:
        path = os.path.normpath(os.path.join(place, text))
        if os.path.isfile(path):
            yield path
        elif path.startswith(f"{place}{os.sep}") and os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders[:] = [each for each in folders if not is_hidden(each)]
                yield from (os.path.join(folder, each) for each in names if not is_hidden(each))
