"""What papers print: where a claim stands, its formula, and what our words make of it.

`papers/<paper>/print.toml` has a table for each printed claim:

    ["paper.lemma1"]
    place = "Section 2, Lemma 1, the display"
    formula = '''a \\le b'''         # or, for a table or a figure: shows = "what it plots"
    ours = "what our words fix, widen or leave out"
    repaired = '''a > 0 \\implies a \\le b'''    # of a claim that has a repair
    cause = "The lemma leaves out a hypothesis that its proof uses."  # of a false claim
    breaks = "guarantee"   # where the kind of a false claim does not say what it breaks
    because = "The mechanism of Theorem 1 adds too little noise."  # the reason of `breaks`
    instead = "The converse has no repair; .."  # of a false claim whose repair is another theorem

and one of the letters that claims write in ASCII, as the paper prints them:

    [symbols]
    "D*" = "Δ⋆"

`breaks` is `guarantee` (a mechanism is not private, or what a theorem promises is false),
`theorem`, `step` (of a proof), `remark`, `display` (beside a proof) or `slip` (a misprint).

A formula is a fact and stands in LaTeX. No sentence is copied from a paper. That place, formula and
our words belong together is for a reader to see.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import pufferproof
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import document_of, in_file
from pufferproof.models.numbers.text import shown

PAPERS = Path(pufferproof.__path__[-1]) / "claims" / "papers"
NAME, SYMBOLS = "print.toml", "symbols"
BREAKS = ("guarantee", "theorem", "step", "remark", "display", "slip")
"""What a false claim breaks, from the worst on."""
_DRAWN = ("table", "figure", "algorithm", "data", "experiment")


@dataclass(frozen=True)
class Print:
    """What a paper prints of a claim: its place, and its formula in LaTeX or what it `shows`.

    `ours` says what our words fix, widen or leave out; `repaired` is the formula of the repair,
    `cause` says in one sentence what is wrong in the statement of a false claim; `breaks` what it
    breaks, `because` why; `instead` that its repair is another theorem.
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
def prints_of(paper: str, papers: Path = PAPERS) -> Mapping[str, Print]:
    """Return what a paper prints, by the ids of its claims; nothing where nothing is written down.

    Raises `ModelError` where a table is not as it must be.
    """
    tables = _tables(paper, papers)
    with in_file(papers / paper / NAME):
        return {name: _print(name, table) for name, table in tables.items() if name != SYMBOLS}


@cache
def symbols_of(paper: str, papers: Path = PAPERS) -> Mapping[str, str]:
    """Return how a paper prints the letters that claims write in ASCII.

    >>> symbols_of("massny2025")["Inf"]
    'ℐ'

    Raises `ModelError` where the table is none of texts.
    """
    table = _tables(paper, papers).get(SYMBOLS, {})
    if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
        with in_file(papers / paper / NAME):
            raise ModelError(f"expected a table of texts as {SYMBOLS}, found {shown(table)}")
    return table


def _tables(paper: str, papers: Path) -> Mapping[str, object]:
    """Return the tables of a paper's file, none if it has no file."""
    path = papers / paper / NAME
    if not paper.isidentifier() or not path.exists():
        return {}
    with in_file(path):
        return dict(document_of(NAME, path.read_bytes()))


def _print(name: str, table: object) -> Print:
    """Read a table, whose entries are texts."""
    given = table if isinstance(table, dict) else {}
    known = [each.name for each in fields(Print)]
    if unknown := sorted(given.keys() - {*known}):
        raise ModelError(f'"{name}": expected {", ".join(known)}, found {shown(unknown[0])}')
    for key in ("place", "ours", *given):
        text = given.get(key)
        if not isinstance(text, str) or not text.strip():
            raise ModelError(f'"{name}": expected a text as {key}, found {shown(text)}')
    if ("formula" in given) == ("shows" in given):
        raise ModelError(f'"{name}": expected either formula or shows')
    if ("breaks" in given) != ("because" in given):
        raise ModelError(f'"{name}": expected breaks and because together')
    if (broken := given.get("breaks", BREAKS[0])) not in BREAKS:
        raise ModelError(f'"{name}": expected breaks of {", ".join(BREAKS)}, found {shown(broken)}')
    if each := [key for key in ("breaks", "instead") if key in given and "cause" not in given]:
        raise ModelError(f'"{name}": expected a cause beside {each[0]}')
    return Print(**{key: " ".join(text.split()) for key, text in given.items()})


def checked(
    prints: Mapping[str, Print], kinds: Mapping[str, str], refuted: Collection[str], place: str
) -> None:
    """Check what a paper prints against its printed claims, given with their kinds, and those that
    are false.

    Raises `ModelError` unless every claim has a table and every table a claim, unless what has no
    formula is a table, figure or algorithm, and unless false claims and no others have a cause.
    """
    for name in sorted(kinds.keys() - prints.keys()):
        raise ModelError(f'expected a table of "{name}", found none', place)
    for name, each in prints.items():
        if name not in kinds:
            raise ModelError(f'"{name}" is no printed claim of the paper', place)
        about = f"{kinds[name]} {each.place.lower()}"
        if each.shows and not any(word in about for word in _DRAWN):
            raise ModelError(f'"{name}": expected a formula, for it is a {kinds[name]}', place)
        if (name in refuted) != bool(each.cause):
            word = "a cause, for it is false" if name in refuted else "no cause: it is not false"
            raise ModelError(f'"{name}": expected {word}', place)
