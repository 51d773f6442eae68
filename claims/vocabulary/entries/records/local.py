"""Tables of records, and local redaction of them: Local.v.

A table of n records is, at an instance, its place in the order of all tables, and so is a row of
outputs, in which * comes first.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import joint, weight
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.terms import entry

Chances = Sequence[Sequence[Fraction]]
Values = Sequence[int | None]
ONE, ZERO = Fraction(1), Fraction(0)
TABLE, VALUES, CHANCES = "Chain.vec 'A n", "Chain.vec (option 'A) n", "nat -> 'A -> R"
SET = f"Pufferfish.secret ({TABLE})"


def _shown(chances: Chances, k: int, x: int, y: int | None) -> Fraction:
    chance: Fraction = late(chances, k)[x]
    if y is None:
        return chance
    return 1 - chance if x == y else ZERO


def _local(n: int, chances: Chances) -> list[list[Fraction]]:
    """Return the channel: each record is shown or replaced, by itself."""
    size = range(len(chances[0]))
    return [
        [
            prod((_shown(chances, k, a, b) for k, (a, b) in enumerate(zip(x, y))), start=ONE)
            for y in product([None, *size], repeat=n)
        ]
        for x in product(size, repeat=n)
    ]


def _released(chances: Chances, values: Values) -> Fraction:
    return prod((1 - late(chances, k)[z] for k, z in enumerate(values) if z is not None), start=ONE)


def having(size: int, values: Values) -> list[list[Fraction]]:
    """Return for every table whether it has these values, as a column."""
    return [
        [Fraction(all(z in (None, a) for a, z in zip(x, values)))] for x in product(range(size), repeat=len(values))
    ]


def _values_keep(
    ratio: Fraction, size: int, values: Values, pairs: Any, priors: Any
) -> Iterator[tuple[Fraction, Fraction]]:
    column = having(size, values)
    for p in priors:
        for s, t in pairs:
            if (ps := weight(p, s)) > 0 and (pt := weight(p, t)) > 0:
                yield joint(p, column, s, 0) * pt, ratio * ps * joint(p, column, t, 0)


LOCAL = entry(
    "local redaction",
    takes=("nat", CHANCES),
    gives=f"{TABLE} -> {VALUES} -> R",
    words="local redaction of [0] records with the chances [1]",
    tex=r"\mathrm{redact}_{[1]}",
    coq="(Local.local dA [1] (n := [0]))",
    value=_local,
    precedence=0,
    meaning="Local redaction replaces record k by * with probability r_k(a) if its value is a, "
    "independently for each record.",
)
RELEASED = entry(
    "chance to be shown",
    takes=(CHANCES, VALUES),
    gives="R",
    words="the product of 1 - [0]_k([1]_k) over the records k to which [1] gives a value",
    tex=r"\textstyle\prod_{k \in [1]} (1 - [0]_k([1]_k))",
    coq="Local.released [0] [1]",
    value=_released,
)
VALUES_KEEP = entry(
    "values keep",
    takes=("R", "Type", VALUES, f"{SET} -> {SET} -> Prop", f"({TABLE} -> R) -> Prop"),
    words="P_p(X agrees with [2] | s) <= [0] P_p(X agrees with [2] | t) for every p in [4] and every "
    "pair (s, t) in [3] with P_p(s) > 0 and P_p(t) > 0",
    tex=r"\forall p \in [4], (s, t) \in [3]:\ P_p(X_Q = [2] \mid s) \le [0]\, P_p(X_Q = [2] \mid t)",
    coq="Pufferfish.pufferfish [0] (fun x_ (_ : unit) => Local.has dA [2] x_) [3] [4]",
    value=_values_keep,
    relation="<=",
)
