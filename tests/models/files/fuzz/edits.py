"""Edits of the files of a corpus: of what they hold, as of certificates, written as JSON or TOML;
of their lines, cells and words; and of their bytes.
"""

import json
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.kernel.changes import at
from tests.kernel.fuzz.edits import EDITS, ODD, of_bytes, places, put
from tests.models.files.fuzz.binary import of_db, of_npy, of_parquet

LONG = "x" * 50_000
WORDS = [
    *(each if isinstance(each, str) else json.dumps(each) for each in ODD),
    "-0.0", "1e400", "1e-400", "9e9999", "log(2)", "log(0)", "log(1/0)", "log(-1)", "log(1e9999)",
    "= p", "= 1/0", "= q**99999", "= 9^9^9^9", "\u0661/\u0662", "1\u00b2", "\ud800", "\ufeff",
    "\x00", "\u2028", "\x85", "a\nb", "a\rb", "'", '"', "\\", "#", "../../x", "/dev/null", ".",
    LONG,
]  # fmt: skip
DEPTHS = (1, 50, 900, 100_000)
GONE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
Bases = Sequence[tuple[str, bytes]]  # the suffix and the content of every file of a format


def edited(bases: Bases, draw: Random) -> tuple[str, bytes]:
    """A file that comes from one of a corpus by some edits, and its suffix."""
    suffix, data = draw.choice(bases)
    kind = KINDS.get(suffix, of_text)
    others = [each for ending, each in bases if ending == suffix]
    new = kind(data, others, draw) if draw.random() < 0.85 else data
    return suffix, of_file(new, draw) if draw.random() < 0.2 else new


def of_json(data: bytes, others: Sequence[bytes], draw: Random) -> bytes:
    """A value changed as certificates are; or nested deeply, which no edit of a value can do."""
    if draw.random() < 0.03:
        depth = draw.choice(DEPTHS)
        opening, closing = draw.choice((("[", "]"), ('{"x":', "}")))
        return (opening * depth + "1" + closing * draw.choice((depth, 0))).encode()
    new = of_value(json.loads(data), [*map(json.loads, others)], draw)
    return written(new, draw)


def of_value(value: Any, others: list[Any], draw: Random) -> Any:
    """Some edits of a value; those that find nothing of their kind are none."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        edit = draw.choice([*EDITS, worded, worded, keyed])
        try:
            edit(value, draw, others)
        except GONE:
            continue
    return value


def written(value: Any, draw: Random) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return b"["


def worded(value: Any, draw: Random, others: list[Any]) -> None:
    """Put an odd word instead of anything."""
    put(value, draw.choice(places(value)), draw.choice(WORDS))


def keyed(value: Any, draw: Random, others: list[Any]) -> None:
    """Give a key of an object another name, or exchange two."""
    objects = [value, *(at(value, path) for path in places(value))]
    inner = draw.choice([each for each in objects if isinstance(each, dict) and each])
    items = list(inner.items())
    place = draw.randrange(len(items))
    items[place] = (draw.choice([*WORDS, *inner]), items[place][1])
    inner.clear()
    inner.update(items)


def of_toml(data: bytes, others: Sequence[bytes], draw: Random) -> bytes:
    """A value changed and written as TOML again, or its text."""
    if draw.random() < 0.3:
        return of_text(data, others, draw)
    every = [tomllib.loads(each.decode(), parse_float=str) for each in others]
    new = of_value(tomllib.loads(data.decode(), parse_float=str), every, draw)
    try:
        inner = "\n".join(f"{_toml(key)} = {_toml(each)}" for key, each in new.items())
    except (RecursionError, ValueError, AttributeError):
        inner = "["
    return inner.encode("utf-8", "surrogatepass")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool | None):
        return str(value).lower()  # None is no TOML
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "")


def of_lines_of_json(data: bytes, others: Sequence[bytes], draw: Random) -> bytes:
    lines = data.splitlines()
    place = draw.randrange(len(lines))
    lines[place] = of_json(lines[place], lines, draw)
    return b"\n".join(lines)


def of_text(data: bytes, others: Sequence[bytes], draw: Random) -> bytes:
    """Lines and cells dropped, doubled, exchanged, taken from another file, or odd words."""
    text = data.decode("utf-8", "surrogateescape")
    for _ in range(draw.choice((1, 1, 2, 3))):
        text = draw.choice(TEXTS)(text, draw, others)
    return text.encode("utf-8", "surrogatepass" if "\udc80" > text else "replace")


def lined(text: str, draw: Random, others: Sequence[bytes]) -> str:
    lines = text.splitlines(keepends=True) or [""]
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    foreign = draw.choice(others).decode("utf-8", "replace").splitlines(keepends=True) or [""]
    match draw.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines.insert(one, draw.choice(foreign))
    return "".join(lines)


def celled(text: str, draw: Random, others: Sequence[bytes]) -> str:
    """An odd word instead of a cell or a word, between it and the next, or a separator gone."""
    mark = draw.choice((",", ",", " ", "\n", ";", "{", "(", '"'))
    cells = text.split(mark)
    place = draw.randrange(len(cells))
    match draw.randrange(4):
        case 0:
            cells[place] = draw.choice(WORDS)
        case 1:
            cells.insert(place, draw.choice(WORDS))
        case 2:
            del cells[place]
        case _:
            cells[place] = f'"{cells[place]}'
    return mark.join(cells)


KINDS: dict[str, Callable[[bytes, Sequence[bytes], Random], bytes]] = {
    "json": of_json,
    "toml": of_toml,
    "jsonl": of_lines_of_json,
    "npy": of_npy,
    "parquet": of_parquet,
    "db": of_db,
}
TEXTS: list[Callable[[str, Random, Sequence[bytes]], str]] = [lined, celled, celled]


def of_file(data: bytes, draw: Random) -> bytes:
    """What other programs make of a file: a mark of its encoding, other ends of lines, another
    encoding, nothing; or some bytes of it changed.
    """
    match draw.randrange(8):
        case 0:
            return b"\xef\xbb\xbf" * draw.choice((1, 2)) + data
        case 1:
            return data.replace(b"\n", draw.choice((b"\r\n", b"\r", b"\n\n", b"\x0b")))
        case 2:
            return data.decode("utf-8", "replace").encode(draw.choice(("utf-16", "utf-32")))
        case 3:
            return b"" if draw.random() < 0.2 else data.rstrip()
    return of_bytes(data, draw) if data else data


@cache
def corpus() -> dict[str, bytes]:
    """The files of the corpus by name, FORMAT.WHAT.SUFFIX: entries of its JSON files, in their
    order, and files that are no text.
    """
    found, others = dict[str, bytes](), dict[str, bytes]()
    for path in sorted((Path(__file__).parent / "corpus").iterdir()):
        if path.suffix == ".json":
            entries = json.loads(path.read_text(encoding="utf-8"))
            found |= {name: content(name, entry).encode() for name, entry in entries.items()}
        else:
            others[path.name] = path.read_bytes()
    return found | others


def content(name: str, entry: Any) -> str:
    """What a file holds: a text, the lines of one, or a value as JSON."""
    if isinstance(entry, str):
        return entry
    if name.endswith(".json"):
        return json.dumps(entry, indent=1) + "\n"
    return "".join(f"{line}\n" for line in entry)


def bases_of(name: str) -> list[tuple[str, bytes]]:
    """The suffixes and contents of the files of a format, in order: the seeds rest on it."""
    named = [(file.split("."), data) for file, data in corpus().items()]
    return [(suffix, data) for (form, _, suffix), data in named if form == name]
