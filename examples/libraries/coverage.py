"""Which constructors of other libraries are read: each is built with plain arguments, and tried.

`python -m pufferproof.examples.libraries.coverage` prints the tables, with `--write` into
docs/reference/libraries.md. The names are those that the library itself lists, so that a
constructor without arguments here is a row that says so. A library that is not installed keeps its
table.
"""

import re
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pufferproof.examples.libraries import constructors
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import value_of
from pufferproof.models.mechanisms.library import version_of
from pufferproof.models.mechanisms.releases import PostProcessed
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery

PAGE = Path("docs") / "reference" / "libraries.md"
_SHORT = 160
_FORMS = {
    "Channel": "a table",
    "LocalMechanism": "a table for every record",
    "PowerTable": "a table with powers of e",
    "PartialTable": "a number with a density, or outputs with proved bounds",
    "NormalTable": "Gaussian noise, and an output for what is hidden",
    "SampledComposition": "laws of privacy losses",
}
_INTRODUCTION = """# Constructors of other libraries

pufferproof builds every constructor of these versions with plain arguments and hands it to
`as_mechanism`, and events of dp_accounting to `compose`.
`python -m pufferproof.examples.libraries.coverage --write` writes this page.
[The guide](../guides/libraries.md) says how to use what is read.
"""
_NAMES = {"laplace": "Laplace", "discrete_laplace": "discrete Laplace", "gaussian": "Gaussian"}
_ALL_OF_THEM = re.compile(r",? expected one of: .*")
_WHERE = re.compile(r'^(mechanism(\["a"\])?: )*')


def tables() -> dict[str, str]:
    """Return library -> table of its constructors, for those that are installed."""
    return {library: table(library) for library in constructors.LIBRARIES if find_spec(library) is not None}


def page(before: str, found: dict[str, str]) -> str:
    """Return the page, with tables of libraries that are not installed as they were."""
    kept = sections(before)
    parts = [found.get(library) or kept.get(library, "") for library in constructors.LIBRARIES]
    return "\n".join([_INTRODUCTION, *(part for part in parts if part)])


def sections(text: str) -> dict[str, str]:
    """Return library -> its part of a page."""
    parts = text.split("\n## ")[1:]
    return {part.split()[0]: f"## {part.rstrip()}\n" for part in parts}


def table(library: str) -> str:
    """Build every constructor of a library, and return what came of it as a part of the page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [(row.name, *_tried(row)) for row in constructors.LIBRARIES[library]()]
    count = sum(read == "yes" for _, read, _ in found)
    number = version_of(library)
    lines = [f"## {library} {number}", "", f"{count} of {len(found)} are read.", ""]
    lines += ["| constructor | read | as, or why not |", "|---|---|---|"]
    lines += [f"| `{name}` | {read} | {text} |" for name, read, text in found]
    return "\n".join([*lines, ""])


def _tried(row: constructors.Row) -> tuple[str, str]:
    """Return whether an object is read, and as what, or the reason why not."""
    if row.build is None:
        return "no", row.reason
    try:
        made = row.build()
    except Exception as error:  # of the library, of several kinds
        return "no", f"not built: {_brief(str(error))}"
    try:
        return "yes", _form(value_of(row.read(made)))
    except ModelError as error:
        reason = _WHERE.sub("", str(error))
        return "no", _brief(_ALL_OF_THEM.sub("", reason))


def _form(value: Any) -> str:
    """Say what a mechanism is read as."""
    if isinstance(value, PostProcessed):
        return f"an upper bound: {_form(value.before)}, before post-processing"
    if isinstance(value, NoisyQueries):
        return " and ".join(_form(query) for query in value.queries)
    if isinstance(value, AdditiveNoise | RecordQuery):
        return f"{_NAMES.get(value.noise.kind, value.noise.kind).replace('_', ' ')} noise"
    return _FORMS.get(type(value).__name__, type(value).__name__)


def _brief(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    return text if len(text) <= _SHORT else text[: _SHORT - 2].rstrip() + " .."


def main(words: list[str]) -> None:
    """Print the page, or write it."""
    before = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    text = page(before, tables())
    if words == ["--write"]:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main(sys.argv[1:])
