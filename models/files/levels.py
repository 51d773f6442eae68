"""Levels as people write them down, one per record: a text file with one level per line, or a JSON
list.
"""

from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import bytes_of, digest
from pufferproof.models.files.reading import Loaded, document_of, in_file
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import shown, text_of_int

_MOST_BYTES = 100_000_000


def read_levels(path: str | Path) -> Loaded[tuple[Level, ...]]:
    """Read levels from a file: `log(3)` or `0.5` on lines of their own, or `["log(3)", "0.5"]`.

    Empty lines, and lines that start with `#`, are left out. Raises `ModelError` naming the line or
    the entry that is no level, and if there is none.
    """
    try:
        data = bytes_of(path, _MOST_BYTES)
    except ModelError as error:
        raise error.within(str(path)) from None
    text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
    entries = _of_json(data, str(path)) if text.lstrip().startswith("[") else _of_lines(text)
    if not entries:
        raise ModelError("expected at least one level, found none", str(path))
    known: dict[str, Level] = {}
    levels = []
    for where, entry in entries:
        if entry not in known:
            try:
                known[entry] = Level.parse(entry)
            except ModelError as error:
                raise error.within(f"{path}: {where}") from None
        levels.append(known[entry])
    return Loaded(tuple(levels), str(path), digest(data))


def _of_lines(text: str) -> list[tuple[str, str]]:
    return [
        (f"line {number}", line.strip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]


def _of_json(data: bytes, path: str) -> list[tuple[str, str]]:
    with in_file(path):
        given = document_of("", data)
    entries = [text_of_int(each) if type(each) is int else each for each in given]
    wrong = next((entry for entry in entries if not isinstance(entry, str)), None)
    if wrong is not None:
        raise ModelError(f'expected levels such as "log(3)", found {shown(wrong)}', path)
    return [(f"entry {number}", entry) for number, entry in enumerate(entries, 1)]
