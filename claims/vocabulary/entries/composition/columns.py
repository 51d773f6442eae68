"""Mechanisms that show one column, or a column and the rest: Columns.v."""

from collections.abc import Iterator, Sequence
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, LAW_OF, SET, Rows, joint, weight
from pufferproof.claims.vocabulary.terms import entry

ONE = Fraction(1)


def _column(u: Sequence[Fraction]) -> Rows:
    return [[each] for each in u]


def _two_columns(t: Fraction, u: Sequence[Fraction]) -> Rows:
    return [[t * each, ONE - t * each] for each in u]


def _kernel(M: Rows) -> Iterator[bool]:
    for row in M:
        yield min(row) >= 0
        yield sum(row) == 1


def _tells_nothing(u: Sequence[Fraction], pairs: Any, priors: Any) -> Iterator[tuple[object, object]]:
    shown = _column(u)
    for p in priors:
        for s, t in pairs:
            if (ps := weight(p, s)) > 0 and (pt := weight(p, t)) > 0:
                yield joint(p, shown, s, 0) * pt, ps * joint(p, shown, t, 0)


PAIRS = f"{SET} -> {SET} -> Prop"
COLUMN = entry(
    "column",
    takes=(LAW_OF,),
    gives="'D -> unit -> R",
    words="the one-output mechanism [0]",
    tex="[0]",
    coq="(fun x_ (_ : unit) => [0] x_)",
    value=_column,
    precedence=0,
)
TWO_COLUMNS = entry(
    "two columns",
    takes=("R", LAW_OF),
    gives="'D -> bool -> R",
    words="the mechanism with the two columns [0] [1] and 1 - [0] [1]",
    tex=r"([0] [1],\ 1 - [0] [1])",
    coq="Columns.two_columns [0] [1]",
    value=_two_columns,
)
KERNEL = entry(
    "kernel",
    takes=(CHANNEL,),
    words="every row of [0] is a law",
    tex=r"[0](x) \text{ is a law}",
    coq="Pufferfish.kernel [0]",
    value=_kernel,
    relation="truth",
)
REVERSED = entry(
    "other order",
    takes=(PAIRS,),
    gives=PAIRS,
    words="the reversed pairs of [0]",
    tex="[0]^{-1}",
    coq="(fun s_ t_ => [0] t_ s_)",
    value=lambda pairs: [(t, s) for s, t in pairs],
    precedence=0,
)
TELLS_NOTHING = entry(
    "tells nothing",
    takes=(LAW_OF, PAIRS, f"({LAW_OF}) -> Prop"),
    words="the means E_p([0] | s) and E_p([0] | t) are equal for every p in [2] and every pair (s, t) in "
    "[1] with P_p(s) > 0 and P_p(t) > 0",
    tex=r"\forall p \in [2], (s, t) \in [1]:\ E_p([0] \mid s) = E_p([0] \mid t)",
    coq="Columns.tells_nothing [1] [2] [0]",
    value=_tells_nothing,
    relation="=",
)
