"""What papers print: where a claim stands, its formula, and what our words make of it.

The documents of a paper say it in fields of each printed claim, from `print:` (the place) to
`instead:`; `Print` says what each is, and `printed:` of its notation which claims there are, in the
order of the print. A formula is a fact and stands in LaTeX. No sentence is copied from a paper.
That place, formula and our words belong together is for a reader to see.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pufferproof
from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.parts import Table
from pufferproof.claims.document.reader import read
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import shown

PAPERS = Path(pufferproof.__path__[-1]) / "claims" / "papers"
SYMBOLS, PRINTED = "symbols", "printed"
BREAKS = ("guarantee", "theorem", "step", "remark", "display", "slip")
"""What a false claim breaks, from the worst on."""


@dataclass(frozen=True)
class Print:
    """What a paper prints of a claim: its place, and its formula in LaTeX or what it `shows`.

    `ours` says what our words fix, widen or leave out; `repaired` is the formula of the repair,
    `cause` says in one sentence what is wrong in the statement of a false claim; `instead` that its
    repair is another theorem. `breaks` says what it breaks, where its kind does not, and `because`
    why: `guarantee` (a mechanism is not private, or what a theorem promises is false), `theorem`,
    `step` (of a proof), `remark`, `display` (beside a proof) or `slip` (a misprint).
    """

    place: str
    ours: str
    formula: str = ""
    shows: str = ""
    repaired: str = ""
    cause: str = ""
    breaks: str = ""
    because: str = ""
    instead: str = ""


@cache
def symbols_of(paper: str, papers: Path = PAPERS) -> Mapping[str, str]:
    """Return how a paper prints the letters that claims write in ASCII.

    >>> symbols_of("massny2025")["Inf"]
    'ℐ'
    """
    files = sorted((papers / paper).rglob(f"*{SUFFIX}")) if paper.isidentifier() else []
    return _table(SYMBOLS, files)


def catalogue(papers: Path = PAPERS) -> dict[str, list[str]]:
    """Return the ids of all claims that papers print, in order, by paper: also of those that no
    document examines.
    """
    found: dict[str, list[str]] = {}
    for file in sorted(papers.glob(f"*/notation{SUFFIX}")):
        paper, table = file.parent.name, _table(PRINTED, [file])
        found[paper] = [f"{paper}.{each}" for ids in table.values() for each in ids.split(", ")]
    return found


def _table(name: str, files: Sequence[Path]) -> dict[str, str]:
    """Return what the tables of a name have."""
    return {
        key: text
        for path in files
        for part in read(path.read_text("utf-8"), str(path)).parts
        if isinstance(part, Table) and part.name == name
        for key, text in part.entries
    }


def printed(name: str, given: Mapping[str, str], place: str) -> Print:
    """Read what a paper prints of a claim. Raises `ModelError` where it is not as it must be."""

    wrong = list[str]()
    if lacking := [f'"{key}: .."' for key in ("print", "ours") if key not in given]:
        wrong.append(f"expected {' and '.join(lacking)} beside what the paper prints")
    if ("formula" in given) == ("shows" in given):
        wrong.append("expected either formula or shows")
    if ("breaks" in given) != ("because" in given):
        wrong.append("expected breaks and because together")
    if (broken := given.get("breaks", BREAKS[0])) not in BREAKS:
        wrong.append(f"expected breaks of {', '.join(BREAKS)}, found {shown(broken)}")
    if each := [key for key in ("breaks", "instead") if key in given and "cause" not in given]:
        wrong.append(f"expected a cause beside {each[0]}")
    if wrong:
        raise ModelError(f'"{name}": {"; ".join(wrong)}', place)
    return Print(place=given["print"], **{key: x for key, x in given.items() if key != "print"})
