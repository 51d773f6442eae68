"""The elimination of a bit as a program: columns are tables, and every quotient is taken."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE
from pufferproof.claims.language.statements import Draws, Fraction, Statement

F = Fraction
Column = Mapping[tuple[int, ...], F]


def columns(draws: Draws) -> dict[str, Any]:
    """One or two bits beside the one that is eliminated, the last, its law given each of their
    values, zeros and equal rows among them; a positive column, often a product.
    """
    count = 1 + draws.below(2)
    laws = {x: draws.law(2) for x in product((0, 1), repeat=count)}
    some = [F(1, 3), F(1, 2), ONE, F(2), F(3)]
    if draws.below(2):
        each = [draws.among(some) for _ in range(count + 1)]
        column = dict.fromkeys(product((0, 1), repeat=count + 1), ONE)
        for x in column:
            for rate, bit in zip(each, x):
                column[x] *= rate if bit else ONE
    else:
        column = {x: draws.among(some) for x in product((0, 1), repeat=count + 1)}
    return {"laws": laws, "column": column}


def _ratio(column: Column, place: int, value: int) -> F:
    """Return the largest h at a value of a bit against the other value."""
    found = []
    for x in column:
        if x[place] == value:
            other = (*x[:place], 1 - value, *x[place + 1 :])
            found.append(column[x] / column[other])
    return max(found)


def _within(
    laws: Mapping[tuple[int, ...], Sequence[F]], column: Column, factor: F = ONE, ends: int = 2
) -> bool:
    count = len(next(iter(laws)))
    after = {
        x: sum((p * column[*x, y] for y, p in enumerate(law)), F(0)) for x, law in laws.items()
    }
    rates = [_ratio(column, count, 1), 1 / _ratio(column, count, 0)][:ends]
    for place, value in product(range(count), (0, 1)):
        grown = [
            (law[0] + law[1] * rate) / (other[0] + other[1] * rate)
            for x, law in laws.items()
            if x[place] == value
            for other in [laws[(*x[:place], 1 - value, *x[place + 1 :])]]
            for rate in rates
        ]
        bound = factor * _ratio(column, place, value) * max(grown)
        if _ratio(after, place, value) > bound:
            return False
    return True


ELIMINATION = Statement(
    family=columns,
    holds=_within,
    too_strong={"99/100 of the bound": {"factor": ALMOST}, "one end alone": {"ends": 1}},
)
