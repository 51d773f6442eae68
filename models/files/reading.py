"""Reading JSON and TOML files exactly, with errors that name file, key path, what was expected and
found.

No number passes through a float and no duplicate key is lost. Every file comes with the SHA-256 of
the bytes that were read, and with the names and hashes of the files that it names.
"""

import csv
import gc
import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar

from pufferproof.models.errors import DIVIDE, ModelError, PufferproofError, SumError, lacks, within
from pufferproof.models.interface.kinds import StandIn
from pufferproof.models.numbers.grammar import MAX_DIGITS
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, did_you_mean, in_json, int_of, shown, text_of_int
from pufferproof.models.priors.networks.of_prior import MAX_BYTES as MAX_BIF_BYTES

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

# Reading the files people name: each once while a command runs, and what a file names only inside its own folder.
#
# Within `reading_once` the bytes of every input are kept, so that a pipe can be an input, and every use of a file sees
# the same content; `was_read` then tells which files must not be written over.

_MOST_NAMES = 10_000  # of files that are looked at for a likely name
MAX_BYTES = 200_000_000  # of a document, unless its reader has a limit of its own
_UNOPENED = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass
class _Reading:
    kept: dict[str, bytes] = field(default_factory=dict)
    files: set[tuple[int, int]] = field(default_factory=set)  # device and inode


_READING: ContextVar[_Reading | None] = ContextVar("reading", default=None)


@contextmanager
def reading_once() -> Iterator[None]:
    """Read every input at most once while the body runs."""
    if _READING.get() is not None:
        yield
        return
    token = _READING.set(_Reading())
    try:
        yield
    finally:
        _READING.reset(token)


def was_read(path: str | Path) -> bool:
    """Whether a file, by any of its names, was read since `reading_once` began."""
    reading = _READING.get()
    try:
        there = os.stat(path)
    except (OSError, ValueError):
        return False
    return reading is not None and (there.st_dev, there.st_ino) in reading.files


def forget() -> None:
    """Drop the contents that `reading_once` has kept, so that one list after the other can be read.

    Which files were read stays known.
    """
    if (reading := _READING.get()) is not None:
        reading.kept.clear()


def contents() -> dict[str, str]:
    """Return the digest of every input that `reading_once` keeps, by the name of its file."""
    reading = _READING.get()
    return {} if reading is None else {name: digest(data) for name, data in reading.kept.items()}


def expect_contents(known: Mapping[str, str]) -> None:
    """Raise `ModelError` unless files have the contents of these digests."""
    for name, expected in known.items():
        with within(name):
            hash_now = digest(bytes_of(name, MAX_BYTES))
        if hash_now != expected:
            raise ModelError("is another file than the one that was listed", name)


def bytes_of(path: str | Path, limit: int) -> bytes:
    """Return the content of an input. Raises `ModelError` unless it can be read, and has at
    most `limit` bytes.
    """
    reading, name = _READING.get(), os.path.join(os.getcwd(), path)
    if reading is not None and name in reading.kept:
        return reading.kept[name]
    try:
        with open(path, "rb") as file:
            return _kept(name, file, limit)
    except FileNotFoundError as error:
        names: set[str] = set()  # of files beside it, among which one may be meant
        with suppress(OSError):
            names = {entry.name for entry in islice(os.scandir(Path(path).parent), _MOST_NAMES)}
        name = Path(path).name
        raise ModelError(f"cannot be read: {error.strerror}{did_you_mean(name, sorted(names - {name}))}") from None
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:  # a null byte in the name
        raise ModelError(f"cannot be read: {error}") from None


def bytes_inside(folder: str | Path, name: str, limit: int) -> bytes:
    """Return the content of a file that another file names. It is opened only once it is known to
    be no device and no pipe.

    Raises `ModelError` unless `name` is relative to the folder and leads, links followed, to a
    regular file inside it that has at most `limit` bytes.

    While `reading_once`, `bytes_of` and readers that are given `Path(folder, name)` find what was
    read here.
    """
    parts = PurePosixPath(name).parts
    if not parts or ".." in parts or PurePosixPath(name).is_absolute() or not name.isprintable():
        raise ModelError(f"expected the name of a file inside the folder of this one, found {shown(name)}")
    try:
        root = Path(folder).resolve(strict=True)
        target = (root / name).resolve(strict=True)
        if not target.is_relative_to(root):
            raise ModelError("expected a file inside the folder of the one that names it, found a link out of it")
        reading = _READING.get()
        data = None if reading is None else reading.kept.get(str(target))
        if data is None:
            _expect_regular(os.lstat(target), limit)
            with os.fdopen(os.open(target, _UNOPENED), "rb") as file:
                _expect_regular(os.fstat(file.fileno()), limit)
                data = _kept(str(target), file, limit)
        if reading is not None:  # also under the name that the folder and the naming file give it
            reading.kept[os.path.join(os.getcwd(), folder, name)] = data
        return data
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}") from None
    except RuntimeError:  # links in a circle
        raise ModelError("cannot be read: too many levels of symbolic links") from None


@contextmanager
def stored(paths: Sequence[str], limit: int) -> Iterator[list[str]]:
    """Give the body files for what can be read only once, such as pipes; other paths stay as they
    are.

    Of more than `limit` bytes as many are stored as show that there are more.
    """
    with tempfile.TemporaryDirectory(prefix="pufferproof-") as folder:
        batch = []
        for number, path in enumerate(paths):
            try:
                mode = os.stat(path).st_mode
            except (OSError, ValueError):
                mode = stat.S_IFREG
            if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
                batch.append(path)
                continue
            try:
                with open(path, "rb") as pipe:
                    data = beginning(pipe, limit)
            except OSError as error:
                raise ModelError(f"cannot be read: {error.strerror}", path) from None
            copy = Path(folder, str(number), os.path.basename(path))
            copy.parent.mkdir()
            copy.write_bytes(data)
            batch.append(str(copy))
        yield batch


def expect_readable(path: str) -> None:
    """Raise `ModelError` unless a file can be opened."""
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", path) from None


def beginning(file: BinaryIO, limit: int) -> bytes:
    """Read at most `limit` bytes and some more, which show that there are more; in pieces, with
    room for what there is only.
    """
    data = bytearray()
    while len(data) <= limit and (piece := file.read(1 << 20)):
        data += piece
    return bytes(data)


def digest(first: bytes, *others: bytes) -> str:
    """Return `sha256:<hex>` of a file, or of a file and those it names: then of the lines that hold
    the digest of each.

    The latter is what `sha256sum FILE NAMED | cut -c-64 | sha256sum` prints.
    """
    single = [hashlib.sha256(data).hexdigest() for data in (first, *others)]
    lines = "".join(f"{each}\n" for each in single)
    return f"sha256:{hashlib.sha256(lines.encode()).hexdigest() if others else single[0]}"


def _expect_regular(there: os.stat_result, limit: int) -> None:
    if not stat.S_ISREG(there.st_mode):
        raise ModelError("expected a regular file")
    if there.st_size > limit:
        raise ModelError(f"expected at most {limit} bytes, found {there.st_size}")


def _kept(name: str, file: BinaryIO, limit: int) -> bytes:
    """Read an open file; it may have grown since its size was asked for."""
    there = os.fstat(file.fileno())
    if stat.S_ISREG(there.st_mode) and there.st_size > limit:
        raise ModelError(f"expected at most {limit} bytes, found {there.st_size}")
    data = beginning(file, limit)
    if len(data) > limit:
        raise ModelError(f"expected at most {limit} bytes")
    reading = _READING.get()
    if reading is not None:
        reading.kept[name] = data
        reading.files.add((there.st_dev, there.st_ino))
    return data


NESTED = "nested too deeply: write fewer lists and objects inside one another"
MAX_TOML = 16_000_000  # bytes of a file
MAX_WORD = 100_000  # characters of a number: it takes a hundred bytes for each
MAX_KEYS = 500_000  # parts of its keys: `tomllib` takes a kB for each
# Pieces of TOML: comments, strings of several lines, keys of up to 8 parts, words. The kernel has
# the same expression on purpose: it imports nothing of the package.
PIECES = re.compile(
    r"""\#[^\n]*+
      | "{3} (?:[^"\\]|\\.?|"(?!""))*+ (?:"{3,5}+|\Z)
      | '{3} (?:[^']|'(?!''))*+ (?:'{3,5}+|\Z)
      | (?P<key> (?:PART \.[ \t]*+){0,7}+ PART) (?P<long>\.)? (?P<ends>[]=])?
    """.replace("PART", r"""(?:"(?:[^"\\\n]|\\.?)*+"?+|'[^'\n]*+'?+|[\w-]++)[ \t]*+"""),
    re.ASCII | re.DOTALL | re.VERBOSE,
)
_OTHERS = (  # how files of other kinds begin
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a zip file"),
    (b"PAR1", "a Parquet file"),
    (b"\x93NUMPY", "a NumPy file"),
    (b"\x89PNG", "a picture"),
    (b"SQLite format 3", "a SQLite file"),
    (b"\x1f\x8b", "a file compressed by gzip"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
)
_OTHER_TEXTS = {  # by the ends of their names
    ".csv": "a table",
    ".tsv": "a table",
    ".yaml": "YAML",
    ".yml": "YAML",
    ".py": "Python (code is named as module:function)",
}
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
_WORD = re.compile(r'"([^"]*)"')
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
Model = TypeVar("Model", bound="BaseModel")


@dataclass(frozen=True)
class Loaded(StandIn, Generic[T_co]):
    """A value read from a file, with the file's name and `sha256:<hex>` of its bytes.

    `named` are the contents of further files that were read with it, by the name it has for them;
    `sha256` is then the `digest` of all.
    """

    value: T_co
    path: str
    sha256: str
    named: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def holding(self, value: U) -> "Loaded[U]":
        """Return another value read from the same file."""
        return Loaded(value, self.path, self.sha256, self.named)


def hashes(**inputs: Loaded[object] | Sequence[Loaded[object]] | None) -> JsonObject:
    """Return `inputs` of an answer: the hash of every file, a list where there are several, and
    `files` that these name.
    """
    entries: JsonObject = {}
    named: dict[tuple[str, str], None] = {}
    for key, given in inputs.items():
        every = [given] if isinstance(given, Loaded) else [*(given or ())]
        entries[key] = None if given is None else [each.sha256 for each in every]
        if isinstance(given, Loaded):
            entries[key] = given.sha256
        named |= dict.fromkeys((name, digest(data)) for each in every for name, data in each.named.items())
    files = [{"name": name, "sha256": sha256} for name, sha256 in named]
    return entries | ({"files": files} if files else {})


def read_shape(path: str | Path, model: type[Model]) -> Model:
    """Read a JSON or TOML file into a pydantic model, with errors as `read_framework` has them."""
    return read_loaded(path, model).value


def read_loaded(path: str | Path, model: type[Model]) -> Loaded[Model]:
    """Read a JSON or TOML file into a pydantic model, with the files it names, and keep its
    hash.
    """
    with in_file(path), uncollected():
        data = bytes_of(path, MAX_BYTES)
        shape = validated(model, document_of(path, data))
        folder = Path(path).parent
        named: dict[str, bytes] = {}
        for name, prior in getattr(shape, "priors", {}).items():
            network, contacts, gaussian = (getattr(prior, key, None) for key in ("bayes_net", "contacts", "gaussian"))
            if gaussian is not None and isinstance(gaussian.network, str):
                gaussian.hold(_beside(named, folder, name, gaussian.network))
            if network is not None and network.bif is not None:
                network.hold(_beside(named, folder, name, network.bif))
            if contacts is not None and isinstance(contacts.edges, str):
                contacts.keep(_beside(named, folder, name, contacts.edges))
        settle = getattr(shape, "settle", None)
        if settle is not None:
            source = getattr(getattr(shape, "records", None), "source", None)
            if source is not None and source not in named:
                _beside(named, folder, "", source)
            settle(None if source is None else named[source])
        return Loaded(shape, str(path), digest(data, *named.values()), named)


def _beside(named: dict[str, bytes], folder: Path, prior: str, file: str) -> bytes:
    """Return what a file in a folder holds, which a prior or the records name, and keep it under
    its name.
    """
    try:
        named[file] = bytes_inside(folder, file, MAX_BIF_BYTES)
    except ModelError as error:
        where = f"priors.{prior}" if prior else "records.from"
        raise error.within(f"{where}: {shown(file)[1:-1]}") from None
    return named[file]


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave the search for garbage until the body is done: of what a file holds nothing is garbage,
    and to go through a million objects again and again takes longer than to make them.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def reading_csv(where: str | Path = "") -> Iterator[None]:
    """Raise `ModelError`, with a place, for what the reader of CSV refuses, such as a cell of
    200,000 letters.
    """
    try:
        yield
    except csv.Error as error:
        raise ModelError(f"expected CSV: {error}", str(where)) from None


class in_file:  # noqa: N801 - reads as a statement
    """Put the file's name in front of every error raised inside, once. A file that takes more
    memory than there is, or is nested more deeply than Python goes, is one.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MemoryError):
            error = ModelError(f"expected a file that fits in memory when it is read, {lacks(error)}")
        if isinstance(error, RecursionError):
            error = ModelError(NESTED)
        if isinstance(error, SumError) and error.where.startswith("priors."):
            error = error.asking(DIVIDE, '"normalize": true in the prior')
        if isinstance(error, PufferproofError) and not f"{error.where}: ".startswith(f"{self.path}: "):
            raise error.within(self.path) from None


def other_kind(data: bytes) -> str | None:
    """Return what a file is by its first bytes, or None if it may be text in UTF-8."""
    return next((kind for start, kind in _OTHERS if data.startswith(start)), None)


def document_of(path: str | Path, data: bytes) -> Any:
    if not data.strip():
        raise ModelError("is empty")
    if other := other_kind(data):
        raise ModelError(f"is {other}, expected JSON or TOML")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelError(
            f"expected UTF-8 text, found byte {data[error.start]:#04x} at position {error.start}"
        ) from None
    try:
        if str(path).endswith(".toml"):
            return _toml_in(text)
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise _no_json(str(path), text, error) from None
    except RecursionError:
        raise ModelError(NESTED) from None
    except ValueError as error:
        raise ModelError(str(error)) from None


def _no_json(path: str, text: str, error: json.JSONDecodeError) -> ModelError:
    """Return what is wrong with a text that is no JSON: where, and what is likely."""
    at = f"not valid JSON at line {error.lineno}, column {error.colno}"
    before = text[: error.pos].rstrip()
    if not before and (other := _OTHER_TEXTS.get(Path(path).suffix.lower())):
        hint = " (`pufferproof fit` turns recorded data into a framework)"
        return ModelError(f"is {other}, expected JSON or TOML{hint if 'table' in other else ''}")
    if before.endswith(",") and text[error.pos : error.pos + 1] in ("]", "}"):
        return ModelError(f"{at}: remove the comma after the last entry")
    if text[error.pos : error.pos + 1] == "'":
        return ModelError(f"{at}: texts stand in double quotation marks")
    if text[error.pos : error.pos + 2] in ("//", "/*") or text[error.pos : error.pos + 1] == "#":
        return ModelError(f"{at}: JSON has no comments, TOML has")
    return ModelError(f"{at} ({error.msg})")


def _toml_in(text: str) -> object:
    """Parse TOML without floats, refusing what would take much more than its length."""
    if len(text) > MAX_TOML:
        raise ModelError(f"expected at most {MAX_TOML} characters of TOML, found {len(text)}: write it as JSON")
    parts = 0
    for piece in PIECES.finditer(text):
        key, limit = piece["key"] or "", "keys of at most 8 parts" if piece["long"] else ""
        if len(key) > MAX_WORD and key[0] not in "\"'":
            limit = f"words of at most {MAX_WORD} characters"
        if limit:
            line = text.count("\n", 0, piece.start()) + 1
            raise ModelError(f"expected {limit}, found a longer one at line {line}")
        if piece["ends"]:
            parts += min(8, 1 + key.count("."))
    if parts > MAX_KEYS:
        raise ModelError(f"expected at most {MAX_KEYS} parts of keys in TOML: write it as JSON")
    import tomllib

    try:
        return tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"not valid TOML: {str(error)[:1].lower()}{str(error)[1:]}") from None
    except ValueError:  # an integer
        raise ModelError("a number in TOML has at most 4300 digits: write it as text") from None


def parse_json(text: str) -> object:
    """Parse JSON without floats: decimals stay text, NaN and infinities and duplicate keys are
    refused.
    """
    document = json.loads(
        text, parse_float=str, parse_int=_integer, parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates
    )
    if _SURROGATE_ESCAPE.search(text):
        try:
            json.dumps(document, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ModelError("expected text that can be written in UTF-8, found half of a surrogate pair") from None
    return document


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ModelError(f"a number has at most {MAX_DIGITS} digits, found {len(digits)}")
    return -int_of(digits[1:]) if digits.startswith("-") else int_of(digits)


def _refuse_constant(name: str) -> object:
    raise ModelError(f"expected a finite number, found {name}")


def _refuse_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ModelError(f'key "{key}" occurs twice in one object')
            seen.add(key)
    return fields


def validated(model: type[Model], document: object) -> Model:
    from pydantic import ValidationError

    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise _explained(error) from None


_KINDS = {
    "string_type": "text in quotation marks",
    "list_type": "a list in [ ]",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
}


def _explained(error: "ValidationError") -> ModelError:
    """Turn the first complaint of pydantic into one line: where, expected, found."""
    first = error.errors(include_url=False)[0]
    place = [part for part in first["loc"] if not str(part).startswith("@")]
    value = first.get("input")
    given = in_json(value)
    kind = first["type"]
    if kind == "missing":
        what = f'missing key "{place.pop()}"'
    elif kind == "extra_forbidden":
        what = f'unknown key "{place.pop()}"'
    elif kind in ("number", "shape"):
        what = first["msg"]
    elif kind in ("model_type", "dict_type"):
        found = "a list" if isinstance(value, list) else given
        what = f"expected a JSON object in {{ }}, found {given if place else found}"
    elif kind == "string_type" and type(value) is int:
        what = f'expected text in quotation marks, "{given}", found {given}'
    elif kind == "int_type" and isinstance(value, str) and value.isdigit():
        what = f"expected a whole number without quotation marks, {value}, found {given}"
    elif kind == "list_type" and isinstance(value, dict) and place:
        what = f"expected a list in [ ], [[{place[-1]}]] in TOML, found {given}"
    elif kind in _KINDS:
        what = f"expected {_KINDS[kind]}, found {given}"
    elif kind == "literal_error":
        expected = str(first.get("ctx", {}).get("expected")).replace("'", '"')
        words = _WORD.findall(expected)
        hint = did_you_mean(value, words) if isinstance(value, str) and len(words) > 1 else ""
        what = f"expected {expected}, found {given}{hint}"
    elif kind in ("too_long", "too_short"):
        count = first["ctx"].get("max_length", first["ctx"].get("min_length"))
        most = "most" if kind == "too_long" else "least"
        what = f"expected at {most} {count} items, found {first['ctx']['actual_length']}: {given}"
    else:
        what = f"{first['msg'].replace('Input should be', 'expected')}, found {given}"
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return ModelError(what, text.removeprefix("."))


# Levels as people write them down, one per record: a text file with one level per line, or a JSON list.

_MOST_BYTES = 100_000_000


def read_levels(path: str | Path) -> Loaded[tuple[Level, ...]]:
    """Read levels from a file: `log(3)` or `0.5` on lines of their own, or `["log(3)", "0.5"]`.

    Empty lines, and lines that start with `#`, are left out. Raises `ModelError` naming the line or
    the entry that is no level, and if there is none.
    """
    with within(str(path)):
        data = bytes_of(path, _MOST_BYTES)
    text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        with in_file(path):
            given = document_of("", data)
        texts = [text_of_int(entry) if type(entry) is int else entry for entry in given]
        if wrong := [entry for entry in texts if not isinstance(entry, str)]:
            raise ModelError(f'expected levels such as "log(3)", found {shown(wrong[0])}', str(path))
        entries = [(f"entry {number}", entry) for number, entry in enumerate(texts, 1)]
    else:
        lines = enumerate(text.splitlines(), 1)
        entries = [(f"line {number}", line.strip()) for number, line in lines if line.strip() and line[0] != "#"]
    if not entries:
        raise ModelError("expected at least one level, found none", str(path))
    known: dict[str, Level] = {}
    levels = []
    for where, entry in entries:
        if entry not in known:
            with within(f"{path}: {where}"):
                known[entry] = Level.parse(entry)
        levels.append(known[entry])
    return Loaded(tuple(levels), str(path), digest(data))
