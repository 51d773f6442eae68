"""Where answers of units are kept: one SQLite file, written as answers come, so that a sweep
that is killed goes on where it stopped.

Answers are looked up by the names of units, and read as JSON. Beside each answer stand a digest of
it and the user's seal (`readable.py`). An answer with another digest was damaged by a disk, and is
computed anew. A store with a whole answer that this user did not seal is refused: somebody edited
it, or another user or machine kept it. A trusted store counts without seals.

A file with anything but the tables of a store (views, triggers, indexes), or whose pages SQLite
finds damaged, is refused before it is read.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache, partial

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import is_sealed, key_for, seal
from pufferproof.models.interface.sweeps.units import Unit

Answered = tuple[Unit, str, float]
"""A unit, the text of its answer, and the seconds that it took."""

_MARK, _FORMAT = 0x70756666, 3
_MOST_BYTES = 100_000_000  # of a row: an answer has at most 64 MB
_NO_FILES = ("", ":memory:")  # names under which SQLite keeps nothing
_TABLES = """
CREATE TABLE answers (name TEXT PRIMARY KEY, function TEXT NOT NULL, arguments TEXT NOT NULL,
  version TEXT NOT NULL, answer TEXT NOT NULL, seconds REAL NOT NULL,
  digest TEXT NOT NULL, seal TEXT NOT NULL);
CREATE TABLE failures (name TEXT PRIMARY KEY, function TEXT NOT NULL, arguments TEXT NOT NULL,
  kind TEXT NOT NULL, said TEXT NOT NULL);
"""


class Store:
    """A store that exists, or a new one; `trusted` if answers count that this user has not sealed.

    Raises `ModelError` if the file is none, cannot be written, or has such answers and is not
    trusted.
    """

    def __init__(self, path: str, trusted: bool = False) -> None:
        if path in _NO_FILES:
            raise ModelError(f'expected the name of a file, found "{path}"', "--resume")
        self.path, self.trusted, self._key = path, trusted, key_for(trusted)
        with self._said(), ExitStack() as refused:
            self._file = sqlite3.connect(path, timeout=30, isolation_level=None)
            refused.callback(self._file.close)  # or it would be locked for whoever tries again
            self._file.text_factory = partial(str, encoding="utf-8", errors="replace")
            self._file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
            self._file.execute("PRAGMA trusted_schema = OFF")
            self._file.execute("PRAGMA cell_size_check = ON")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.execute("BEGIN IMMEDIATE")  # another sweep may begin with the same file
            mark, form = (self._one(f"PRAGMA {each}") for each in ("application_id", "user_version"))
            if self._one("SELECT count(*) FROM sqlite_master") == 0:
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._file.execute(statement)
                self._file.execute(f"PRAGMA application_id = {_MARK}")
                self._file.execute(f"PRAGMA user_version = {_FORMAT}")
            elif mark != _MARK:
                raise ModelError("expected a store of a sweep, found another database", self.path)
            elif form != _FORMAT:
                raise ModelError(
                    f"expected a store of format {_FORMAT}, found format {form} of another version, "
                    "whose answers would not be taken: begin a new file",
                    self.path,
                )
            self._file.execute("COMMIT")
            if _schema(self._file) != _expected_schema():
                raise ModelError("expected the tables of a store alone, found others, or views or triggers", self.path)
            if self._one("PRAGMA quick_check(1)") != "ok":
                raise ModelError("expected a store of a sweep, found damaged pages: begin a new file", self.path)
            kept = () if trusted else self._file.execute("SELECT name, answer, digest, seal FROM answers")
            for name, answer, digest, found in kept:
                if digest == _digest(name, answer) and not self._is_ours(name, answer, found):
                    raise ModelError(
                        "has an answer that you have not sealed: it was edited, or kept by another "
                        "user or machine; --trust-store believes it, or begin a new file",
                        self.path,
                    )
            refused.pop_all()

    def _is_ours(self, name: object, answer: object, found: object) -> bool:
        """Whether the seal is of the name, which nothing else with the same key has, and the bytes."""
        return is_sealed(self._key, f"answer {name}", f"{answer}".encode(errors="replace"), found)

    def _one(self, statement: str, *values: str) -> int | str | None:
        row = self._file.execute(statement, values).fetchone()
        return None if row is None else row[0]

    def answer(self, unit: Unit) -> str | None:
        """Return the text of a unit's answer, or None if there is none to believe."""
        with self._said():
            asked = "SELECT answer, digest, seal FROM answers WHERE name = ?"
            answer, digest, found = self._file.execute(asked, (unit.name,)).fetchone() or (None,) * 3
        if not isinstance(answer, str) or digest != _digest(unit.name, answer):
            return None
        return answer if self.trusted or self._is_ours(unit.name, answer, found) else None

    def keep(self, answers: Sequence[Answered]) -> None:
        """Keep answers, all of them or none, instead of what is known of the units."""
        named = [(unit.name,) for unit, _, _ in answers]
        rows = []
        for unit, answer, seconds in answers:
            mark = seal(self._key, f"answer {unit.name}", answer.encode(errors="replace"))
            rows.append((unit.name, *unit.call, answer, seconds, _digest(unit.name, answer), mark))
        with self._said(), self._file:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._file.executemany("DELETE FROM failures WHERE name = ?", named)

    def note(self, unit: Unit, kind: str, said: str) -> None:
        """Keep why a unit has no answer: the next sweep tries it again."""
        row = (unit.name, unit.function, unit.arguments, kind, said)
        with self._said():
            self._file.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?)", row)

    def failures(self) -> list[tuple[str, str]]:
        """Return the arguments of every unit that failed when it was last tried, and why."""
        with self._said():
            rows = self._file.execute("SELECT arguments, kind FROM failures ORDER BY arguments")
            return [(arguments, kind) for arguments, kind in rows]

    def __len__(self) -> int:
        """How many answers there are."""
        with self._said():
            return int(self._one("SELECT count(*) FROM answers") or 0)

    def close(self) -> None:
        """Close the file; what was written beside it goes into it."""
        self._file.close()

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Say in one line what SQLite does not like of the file."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # its words may be of damaged text
            if not os.path.isdir(os.path.dirname(os.path.realpath(self.path))):
                raise ModelError("expected a file in a folder that exists", self.path) from None
            raise ModelError(f"expected a store of a sweep: {error}", self.path) from None


def _schema(file: sqlite3.Connection) -> set[tuple[object, ...]]:
    """Return what a database consists of: kind, name, table and words of each part."""
    rows = file.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 100")
    return {(*row[:3], " ".join(str(row[3]).split())) for row in rows}


@cache
def _expected_schema() -> set[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as file:
        file.executescript(_TABLES)
        return _schema(file)


def _digest(name: object, answer: object) -> str:
    return hashlib.sha256(f"{name}\n{answer}".encode(errors="replace")).hexdigest()
