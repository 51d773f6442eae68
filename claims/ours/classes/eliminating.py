"""The elimination of a record as a program: columns are tables, and every quotient is taken."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product

from pufferproof.claims.language.instances.laws import ALMOST, ONE
from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Column = Mapping[tuple[int, ...], F]


def columns(draws: Draws) -> Instance:
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


def several(draws: Draws) -> Instance:
    """One or two records of three values beside the one that is eliminated, or one of two values;
    a positive column.
    """
    size, count = draws.among([(3, 1), (2, 1), (3, 2)])
    every = [*product(range(size), repeat=count)]
    laws = {x: draws.law(size) for x in every}
    some = [ONE, F(1, 3), F(1, 2), F(2), F(3)]
    column = {(*x, y): draws.among(some) for x in every for y in range(size)}
    return {"laws": laws, "column": column}


def _largest(column: Column, place: int, one: int, other: int) -> F:
    """Return the largest h at one value of a record against another one."""
    held = (x for x in column if x[place] == one)
    return max(column[x] / column[*x[:place], other, *x[place + 1 :]] for x in held)


def _by_rays(
    laws: Mapping[tuple[int, ...], Sequence[F]],
    column: Column,
    factor: F = ONE,
    upper: Sequence[int] = (1, 2),
) -> bool:
    size, count = len(next(iter(laws.values()))), len(next(iter(laws)))
    pairs = [(a, b) for a in range(size) for b in range(size) if a != b]
    bounds = {pair: _largest(column, count, *pair) for pair in pairs}
    rows = [[F(x == a) - bounds[a, b] * (x == b) for x in range(size)] for a, b in pairs]
    found = [r for r in rays(rows, size) if _uppers(r, bounds) in upper]
    means = {
        x: [sum((p * F(e) for p, e in zip(law, r)), F(0)) for r in found] for x, law in laws.items()
    }
    after = {
        x: sum((p * column[*x, y] for y, p in enumerate(law)), F(0)) for x, law in laws.items()
    }
    for place, (u, v) in product(range(count), pairs):
        grown = F(0)
        for x in laws:
            if x[place] == u:
                beside = means[*x[:place], v, *x[place + 1 :]]
                grown = max([grown, *(one / other for one, other in zip(means[x], beside))])
        if _largest(after, place, u, v) > factor * _largest(column, place, u, v) * grown:
            return False
    return True


def _uppers(ray: Sequence[int], bounds: Mapping[tuple[int, int], F]) -> int:
    """Return the least number of values from which equations lead to all others along a spanning
    tree; 0 if there is none.
    """
    size = len(ray)
    tight = {pair for pair, most in bounds.items() if ray[pair[0]] == most * ray[pair[1]]}
    for count in range(1, size):
        for chosen in combinations(range(size), count):
            near = {
                frozenset(pair) for pair in tight if pair[0] in chosen and pair[1] not in chosen
            }
            known, grown = {0}, {0}
            while grown:
                grown = {x for each in near if each & known for x in each} - known
                known |= grown
            if len(known) == size:
                return count
    return 0


VALUES = Statement(
    family=several,
    holds=_by_rays,
    too_strong={"99/100 of the bound": {"factor": ALMOST}, "one upper value": {"upper": (1,)}},
)
