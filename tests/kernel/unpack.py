"""The corpora as files: what `corpus.json` of each family says, written out.

    python -m tests.kernel.unpack FOLDER     every file of every corpus, for another kernel
    python -m tests.kernel.unpack --record   write `said` and `work` of accepted cases, lay out
                                             `corpus.json`, and write the table of README.md

An entry of `corpus.json` is the file of its name. README.md says what its keys mean.
"""

import atexit
import hashlib
import json
import re
import shutil
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.kernel.reading_list import ROOT, readme

from pufferproof.verify import kernel
from pufferproof.verify.kernel.__main__ import in_words

HERE = Path(__file__).parent
WIDTH = 120
Json = dict[str, Any]


@cache
def entries(family: str) -> dict[str, Json]:
    """Return the entries of a corpus by the names of their files."""
    found: dict[str, Json] = json.loads(source(family).read_text(encoding="utf-8"))
    return found


def source(family: str) -> Path:
    return HERE / family / "corpus.json"


def families() -> list[str]:
    return sorted(path.parent.name for path in HERE.glob("*/corpus.json"))


def listed(family: str, folder: str) -> dict[str, Json]:
    """Return the cases of a folder: `accept`, `reject` or `inputs`, whose other entries are files
    that certificates are given with.
    """
    found = entries(family).items()
    return {name: each for name, each in found if name.startswith(f"{folder}/") and "why" in each}


# --- files ---


@cache
def text(family: str, name: str) -> str:
    """Return a file: a text, or a value as JSON; then with texts replaced and hashes put in."""
    entry, value = entries(family)[name], value_of(family, name)
    if isinstance(value, str):
        found = value
    else:
        found = json.dumps(value) if on_one_line(family, name) else json.dumps(value, indent=1) + "\n"
    for old, new in entry.get("swap", {}).items():
        found = found.replace(old, new)
    return re.sub('sha256 of ([^"]+)', lambda path: sha256(text(family, path[1])), found)


def sha256(content: str) -> str:
    return "sha256:" + hashlib.sha256(content.encode()).hexdigest()


def value_of(family: str, name: str) -> Any:
    """Return the value of an entry: its own, or edits of another one."""
    entry = entries(family)[name]
    if "of" not in entry:
        return entry["text"] if "text" in entry else entry["whole"]
    value = value_of(family, entry["of"])
    edits = [*((path, ...) for path in entry.get("cut", [])), *entry.get("put", {}).items()]
    for path, new in edits:
        value = edited(value, path, new)
    return value


def on_one_line(family: str, name: str) -> bool:
    """Say whether a file is JSON on one line, or an edit of such a file."""
    entry = entries(family)[name]
    return "flat" in entry or ("of" in entry and on_one_line(family, entry["of"]))


def edited(base: Any, path: str, value: Any) -> Any:
    """Return a copy with the value at a dotted path replaced, or removed where it is `...`."""
    changed = deepcopy(base)
    *parents, last = path.split(".")
    here: Any = changed
    for key in parents:
        here = here[int(key) if isinstance(here, list) else key]
    key = int(last) if isinstance(here, list) else last
    if value is ...:
        del here[key]
    else:
        here[key] = value
    return changed


def unpack(folder: Path) -> None:
    """Write the files of all corpora to a folder."""
    for family in families():
        for name in entries(family):
            path = folder / family / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text(family, name), encoding="utf-8", newline="")


@cache
def unpacked() -> Path:
    """Return a folder with the files of all corpora, which goes when this process ends."""
    folder = Path(mkdtemp(prefix="corpora-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    unpack(folder)
    return folder


# --- the record ---


def record(family: str) -> str:
    """Return `corpus.json` with what the kernel says of cases that have `said`, and how many bit
    operations it takes for those that have `work`; the first case of each kind has both.
    """
    kinds, found = set[str](), deepcopy(entries(family))
    for name, entry in found.items():
        if "why" not in entry or "refused" in entry:
            continue
        folder = unpacked() / family
        files = [str(folder / path) for path in entry.get("files", [])]
        accepted = kernel.check(str(folder / name), files[0] if files else None, files[1:])
        first = accepted.kind not in kinds
        kinds.add(accepted.kind)
        news = {"said": in_words(accepted).splitlines(), "work": kernel.WORK.done}
        why = {"why": entry.pop("why")} | {key: news[key] for key in news if first or key in entry}
        found[name] = why | {key: entry[key] for key in entry if key not in news}
    return laid_out(found)


def laid_out(corpus: dict[str, Json]) -> str:
    """Return the text of a corpus: an entry begins a line, and `why` ends one."""
    lines = []
    for name, entry in corpus.items():
        start, others = f"{json.dumps(name)}: {{", dict(entry)
        if "why" in others:
            start += f'"why": {json.dumps(others.pop("why"))},\n '
        lines.append(start + filled(list_of(others), 1) + "}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def list_of(value: Json) -> list[str]:
    return [f"{json.dumps(key)}: {fitted(each, len(key) + 4)}" for key, each in value.items()]


def fitted(value: Any, room: int) -> str:
    """Return JSON on one line if it fits, else with lines that are filled."""
    flat = json.dumps(value)
    if len(flat) + room < WIDTH or not isinstance(value, dict | list):
        return flat
    if isinstance(value, dict):
        return "{" + filled(list_of(value), 2) + "}"
    return "[" + filled([fitted(each, 2) for each in value], 2) + "]"


def filled(pieces: list[str], indent: int) -> str:
    lines = [""]
    for piece in pieces:
        if lines[-1] and len(lines[-1]) + len(piece) > WIDTH - 4:
            lines.append("")
        lines[-1] += f"{piece}, "
    return f"\n{' ' * indent}".join(line.rstrip() for line in lines).removesuffix(",")


def main(words: list[str]) -> int:
    if words == ["--record"]:
        for family in families():
            source(family).write_text(record(family), encoding="utf-8", newline="")
        page = ROOT / "README.md"
        page.write_text(readme(page.read_text(encoding="utf-8")), encoding="utf-8")
    elif len(words) == 1 and not words[0].startswith("-"):
        unpack(Path(words[0]))
    else:
        print("usage: python -m tests.kernel.unpack FOLDER | --record", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
