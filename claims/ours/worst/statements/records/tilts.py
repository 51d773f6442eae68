"""Tilts of the records of a chain: the walk by signs, against all products of the ends of tilts and
against columns, on laws that are written out.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.records.trees import kernel, least_levels, table

F = Fraction
Database = tuple[int, ...]
Kernel = Sequence[Sequence[F]]


def tilted(draws: Draws) -> Instance:
    """Two values of X_0 and one or two records of two or three values after it, or three of two, on
    a chain with kernels that have zeros; a column, and factors that are enough for it.
    """
    values = 2 + draws.below(2)
    count = 1 + draws.below(5 - values)
    u = table(draws, count, values)
    tilts = []
    for least in least_levels(u):
        free = draws.below(values + 1)
        tilts.append([ONE if z == free else least for z in range(values)])
    kernels = [kernel(draws, values) for _ in range(count)]
    return {"kernels": kernels, "u": u, "tilts": tilts}


def _mean(kernels: Sequence[Kernel], u: Mapping[Database, F], first: int) -> F:
    """Return E[u | X_0 = first]."""
    total = ZERO
    for x, entry in u.items():
        p, at = entry, first
        for step, z in zip(kernels, x):
            p, at = p * step[at][z], z
        total += p
    return total


def _products(tilts: Sequence[Row]) -> list[dict[Database, F]]:
    """Return every column that is a product of r_j(z) or 1 / r_j(z)."""
    size = len(tilts[0])
    ends = [[*product(*((r, 1 / r) for r in row))] for row in tilts]
    columns = []
    for chosen in product(*ends):
        column = {}
        for x in product(range(size), repeat=len(tilts)):
            entry = ONE
            for factors, z in zip(chosen, x):
                entry *= factors[z]
            column[x] = entry
        columns.append(column)
    return columns


def _walk(kernels: Sequence[Kernel], tilts: Sequence[Row], b: F, skipped: bool) -> F:
    """Return the sum in which the walk from e_0 - b e_1 ends; with `skipped` the nearest record is
    not tilted.
    """
    size = len(tilts[0])
    c = [ONE, -b, *[ZERO] * (size - 2)]
    for j, (step, row) in enumerate(zip(kernels, tilts)):
        c = [sum((c[y] * step[y][z] for y in range(size)), ZERO) for z in range(size)]
        if j or not skipped:
            c = [p * r if p > 0 else p / r for p, r in zip(c, row)]
    return sum(c, ZERO)


def _largest(
    kernels: Sequence[Kernel], u: Any, tilts: Sequence[Row], factor: F = ONE, skipped: bool = False
) -> bool:
    """Whether the walk has its root at the largest ratio of all products, which bounds that of the
    column.
    """
    means = [[_mean(kernels, m, first) for first in (0, 1)] for m in _products(tilts)]
    b = factor * max(one / other for one, other in means)
    one, other = (_mean(kernels, u, first) for first in (0, 1))
    return _walk(kernels, tilts, b, skipped) == 0 and one <= b * other


TILTS = Statement(
    family=tilted,
    holds=_largest,
    too_strong={
        "99/100 of the bound": {"factor": ALMOST},
        "the tilt of the nearest record left out": {"skipped": True},
    },
)
