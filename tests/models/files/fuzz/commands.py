"""Whole commands in this process, on whatever files and words: an answer, or exit code 2 with one
line, nothing on standard output and nothing written.
"""

import io
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path

from tests.kernel.bench import FAMILIES, accepted_files

from pufferproof.models.errors import PufferproofError
from pufferproof.reports.cli import _run

LONGEST = 3_000  # bytes of a certificate that is edited
NOTE = re.compile(r"pufferproof: (warning|note)")
Told = tuple[int, str, str]  # exit code, and both streams


class RefusedError(PufferproofError):
    """A command ended as it should on bad input."""


def command(path: Path) -> Told:
    """Run the words of a file, with the files that it holds beside them."""
    try:
        document = json.loads(path.read_bytes())
        words, files = [str(word) for word in document["words"]], document["files"]
        home = path.parent / "in" / "a" / "folder"
        home.mkdir(parents=True)
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (home / plain(name)).write_bytes(text.encode("utf-8", "surrogatepass"))
    except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError):
        raise RefusedError("no command", str(path)) from None
    return ended([*map(inside, words)], home, path)


def plain(name: str) -> str:
    """A name of a file of the folder."""
    return "other.json" if "/" in name or name in ("", ".", "..") else name


def inside(word: str) -> str:
    """A word that names no place out of the folder of a test."""
    return re.sub(r"(\.\./){3,}", "../../", re.sub(r"(^|=|\s)/+", r"\1", word))


def ended(words: Sequence[str], home: Path, path: Path) -> Told:
    """Run a command in a folder. Raises `RefusedError` where it ends as on bad input, and
    `AssertionError` where it does what no command should.
    """
    before = contents(path.parent)
    code, out, err = told = run(words, home)
    after = contents(path.parent)
    partial = [name for name in after if name.endswith(".partial")]
    bad = code == 2 and words[0] != "audit-list"  # where each line has an error of its own
    wrong = {
        "an error of ours": "internal error" in err or "Traceback" in err,
        "an exit code of nobody": code not in (0, 1, 2, 3),
        "something left behind": bool(partial),
        "inputs written over": any(after.get(name) != data for name, data in before.items()),
        "no JSON": code == 0 and asks_for_json(words) and not is_json(out),
        "an answer beside an error": bad and bool(out),
        "several lines": bad and len(lines_of(err)) != 1,
        "something written": code == 2 and after.keys() != before.keys(),
    }
    if any(wrong.values()):
        said = [name for name, found in wrong.items() if found]
        raise AssertionError(f"{said}: {words} {told} {sorted(after.keys() - before.keys())}"[:900])
    if code == 2:
        raise RefusedError(err, str(path))
    return told


def run(words: Sequence[str], home: Path) -> Told:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with moved_to(home), redirect_stdout(out), redirect_stderr(err):
        code = _run([*words])
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return code, texts[0], texts[1]


@contextmanager
def moved_to(home: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(home)
    try:
        yield
    finally:
        os.chdir(before)


def contents(home: Path) -> Mapping[str, bytes]:
    return {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def lines_of(err: str) -> list[str]:
    return [line for line in err.split("\n") if line and not NOTE.match(line)]


def asks_for_json(words: Sequence[str]) -> bool:
    """Whether the option is there, and not as the value of the one before it."""
    return any(word == "--json" and not before.startswith("-") for before, word in pairwise(words))


def is_json(text: str) -> bool:
    try:
        return [json.loads(line) for line in text.splitlines()] != []
    except ValueError:
        return False


def certificates() -> list[tuple[str, bytes]]:
    """Small certificates of every family of rules, which the kernel accepts."""
    found = [path for family in FAMILIES for path in accepted_files(family)]
    return [("json", path.read_bytes()) for path in found if path.stat().st_size < LONGEST]


def certificate(path: Path) -> str:
    """Check, explain and export it: all of them accept it, or none does."""
    told = {
        name: tried([*words, path.name, *more], path)
        for name, words, more in (
            ("check", ["check", "--json"], []),
            ("explain", ["check", "--explain", "--json"], []),
            ("export", ["export"], ["--coq", "proved.v"]),
        )
    }
    check, explain, export = (code for code, _, _ in told.values())
    written = (path.parent / "proved.v").exists()
    if check != explain or (export == 0) != written or (export == 0 and check != 0):
        raise AssertionError(f"commands disagree: {told}"[:900])
    if check:
        raise RefusedError(told["explain"][2], str(path))
    return str(path)


def tried(words: Sequence[str], path: Path) -> Told:
    """What became of a command, which may refuse."""
    try:
        return ended(words, path.parent, path)
    except RefusedError as error:
        return 2, "", error.what
