"""Extreme rays and worst joint ratios by trying everything: the judge of what is fast, for a
handful of databases.
"""

from fractions import Fraction
from itertools import combinations, product

from pufferproof.lp.cones.columns import primitive


def null_vector(rows, size):
    """Return a vector that spans the null space of the rows, None unless that is a line."""
    table, pivots = [[Fraction(c) for c in row] for row in rows], []
    for column in range(size):
        top = len(pivots)
        found = next((i for i in range(top, len(table)) if table[i][column]), None)
        if found is not None:
            table[top], table[found] = table[found], table[top]
            table[top] = [c / table[top][column] for c in table[top]]
            for i in range(len(table)):
                if i != top and table[i][column]:
                    table[i] = [a - table[i][column] * b for a, b in zip(table[i], table[top])]
            pivots.append(column)
    free = [column for column in range(size) if column not in pivots]
    if len(free) != 1:
        return None
    line = {column: -table[i][free[0]] for i, column in enumerate(pivots)}
    return [line.get(column, Fraction(1)) for column in range(size)]


def extreme_rays(cone):
    """Return all extreme rays, by trying all sets of tight inequalities."""
    size, found = cone.dimension, set()
    rows = [tuple(int(i == j) for j in range(size)) for i in range(size)] + [*cone.inequalities]
    for count in range(size):
        for tight in combinations(rows, count):
            line = null_vector([*cone.equations, *tight], size)
            for u in [] if line is None else [line, [-c for c in line]]:
                if any(u) and cone.holds(u):
                    found.add(primitive(u))
    return sorted(found)


def worst(columns, cones):
    """Return the largest ratio over all tuples of extreme rays, None if infinite."""
    best = Fraction(0)
    for rays in product(*map(extreme_rays, cones)):
        entries = rays[0]
        for ray in rays[1:]:
            entries = [a * b for a, b in zip(entries, ray)]
        for laws in columns.laws:
            ratio = laws.ratio(entries)
            if ratio is None:
                return None
            best = max(best, ratio)
    return best
