"""Names by which a statement could be read as another than Coq proved, by what Coq says of each
source: beside a compiled file lies one that lists what it defines and what it refers to (`.glob`).

Coq prints a statement by short names. A source that defined `R`, or `Rmax`, or what looks like
equality would change what is read, and what a probe decides, and no theorem.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from . import NotChecked, sources

DEFINED = ("def", "prf", "constr", "ind", "inst", "proj", "rec", "defax", "prfax")
NOTATION = "not"
SUMS = "theory/foundations/Sums.v"  # what it defines is written without its name
TIED = "tie/"
SHARED: Mapping[str, Sequence[str]] = {
    "Q2R_0": ("tie/streams/Polygons.v",),
    "add": ("theory/certificates/Integers.v", "theory/foundations/Alternatives.v"),
    "even": (
        *("sanity/composition/ExamplesUsed.v", "sanity/quilts/GapUsed.v"),
        *("sanity/quilts/InfluencesUsed.v", "theory/chains/Separation.v"),
    ),
    "last": ("theory/certificates/chains/SumsOfChains.v",),
    "pair": ("theory/composition/collapses/Collapse.v",),
    "positive": (
        *("statements/quilts/HiddenBits.v", "claims/quilts/HiddenBits.v"),
        "theory/composition/collapses/Revealed.v",
        *("theory/foundations/Alternatives.v", "theory/textbook/ExpLaws.v"),
        *("tie/Entries.v", "tie/composition/Vertices.v"),
    ),
    "up": (
        *("theory/certificates/chains/Cones.v", "theory/chains/bits/Supermodular.v"),
        *("theory/noise/Ends.v", "theory/records/redaction/RedactionUtility.v"),
        *("tie/chains/MomentTables.v", "tie/composition/Weighed.v"),
    ),
}
"""Names of these sources that Coq has too, none of which a statement says of Coq's."""


def refuse(place: Path, files: Sequence[str]) -> None:
    """Raise `NotChecked` if a compiled source has a notation that is none of `sources.NOTATIONS`,
    or defines a name by which a source refers to something of Coq's library; and if one that ties
    the vocabulary defines a name of `SUMS`, or of the source of the theory with its own name.
    """
    words = {file: list(_words(place / file)) for file in files}
    defined = {
        file: {line[-1] for line in lines if line[0] in DEFINED} for file, lines in words.items()
    }
    of_coq = {name for lines in words.values() for name in _referred(lines)}
    for file, lines in words.items():
        for line in lines:
            if line[0] == NOTATION and sources.NOTATIONS.get(file) != line[-1]:
                raise NotChecked(f"{file}: expected no notation, found {line[-1]}")
        for name in sorted(defined[file] & of_coq):
            if file not in SHARED.get(name, ()):
                raise NotChecked(f"{file}: {name} is a name of Coq's own library")
    _tied_apart(defined)


def _tied_apart(defined: Mapping[str, set[str]]) -> None:
    called = defaultdict[str, set[str]](set)
    for file, names in defined.items():
        if file.startswith("theory/"):
            called[Path(file).name] |= names
    for file, names in defined.items():
        if file.startswith(TIED):
            taken = names & (called[Path(file).name] | defined.get(SUMS, set()))
            if taken:
                raise NotChecked(f"{file}: {min(taken)} is a name of the theory that it ties")


def _words(source: Path) -> Iterator[list[str]]:
    """Yield the lines of what Coq says of a source, as words."""
    text = source.with_suffix(".glob").read_text(encoding="utf-8")
    return (line.split() for line in text.splitlines() if line)


def _referred(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the last parts of names of Coq's library that a source refers to, without notations."""
    for line in lines:
        if len(line) == 5 and line[0].startswith("R"):
            _, library, _, name, kind = line
            if library.partition(".")[0] in sources.LIBRARIES and kind not in (NOTATION, "lib"):
                yield name.rpartition(".")[2]
