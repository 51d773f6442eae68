"""Events and partitions into finitely many of them: Partitions.v."""

from collections.abc import Iterator, Sequence
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, Rows
from pufferproof.claims.vocabulary.terms import entry

FAMILIES = "('W -> 'E) -> Prop"
Families = Sequence[Sequence[int]]


def _covered(size: int, families: Families) -> Iterator[bool]:
    return (any(e in cells for cells in families) for e in range(size))


def keeps_each(
    ratio: Fraction, M: Rows, families: Families, pairs: Any, priors: Any
) -> Iterator[tuple[object, object]]:
    """Yield both sides of the promise for the mechanism that shows cells of each family."""
    for cells in families:
        shown = [[row[e] for e in cells] for row in M]
        yield from KEEPS.value(ratio, shown, pairs, priors)


COVERED = entry(
    "cells of partitions",
    ("Type", FAMILIES),
    "Prop",
    "each event in [0] is a cell of a partition in [1]",
    r"\forall e \in [0]\ \exists c \in [1], w:\ c_w = e",
    "forall e_ : [0], exists c_ w_, [1] c_ /\\ c_ w_ = e_",
    _covered,
    200,
    "truth",
)
KEEPS_EACH = entry(
    "keeps for partitions",
    (
        "R",
        "'D -> 'E -> R",
        FAMILIES,
        "Pufferfish.secret 'D -> Pufferfish.secret 'D -> Prop",
        "('D -> R) -> Prop",
    ),
    "Prop",
    "for every partition c in [2], the mechanism that shows in which cell of c the output lies "
    "keeps [0] for [3] under [4]",
    r"\forall c \in [2], p \in [4], (s, t) \in [3], w:\ P_p([1] \in c_w \mid s) \le [0]\, "
    r"P_p([1] \in c_w \mid t)",
    "forall c_, [2] c_ -> Pufferfish.pufferfish [0] (fun x_ w_ => [1] x_ (c_ w_)) [3] [4]",
    keeps_each,
    200,
    "<=",
)
