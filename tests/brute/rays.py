"""Extreme rays and worst joint ratios by trying everything: the judge of what is fast, for a
handful of databases.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import gcd, lcm

from pufferproof.lp.cones.columns import primitive


def closed_form_rays(laws, ratio):
    """Return the extreme rays of C_R for one ordered pair of laws (mu, nu), alone or with its
    reverse, sorted.

    Let a_x = R nu_x - mu_x and, with the reverse, b_x = R mu_x - nu_x, so that C_R = {u >= 0 : <a,
    u> >= 0, <b, u> >= 0}. For R > 1, a_x < 0 implies b_x > 0, since mu_x > R nu_x >= nu_x / R. Both
    inequalities are tight at u only where <mu, u> = R <nu, u> = R^2 <mu, u>, so at vectors that
    live where mu = nu = 0. A ray with no other tight inequality than signs is a unit vector e_x,
    with a_x, b_x >= 0; one with <a, u> = 0 has two support points, one with a_x < 0 and one with
    a_y > 0, and satisfies <nu, u> = <mu, u> / R <= R <mu, u>; one with <b, u> = 0 likewise. For R =
    1 both inequalities are the equation <mu - nu, u> = 0, whose rays are the e_x with mu_x = nu_x
    and the two-point vectors across its sign.

    Args:
        laws: [(mu, nu)] or [(mu, nu), (nu, mu)]; supports may overlap.
        ratio: R >= 1.

    The second of two laws is the reverse of the first.
    """
    first = laws[0]
    mu = [Fraction(m, first.mu_total) for m in first.mu]
    nu = [Fraction(n, first.nu_total) for n in first.nu]
    rows = [[ratio * n - m for m, n in zip(mu, nu)]]
    if len(laws) == 2:
        rows.append([ratio * m - n for m, n in zip(mu, nu)])
    size = range(len(mu))
    inside = [x for x in size if all(row[x] == 0 if ratio == 1 else row[x] >= 0 for row in rows)]
    rays = {tuple(int(y == x) for y in size) for x in inside}
    for row in rows:
        for x in size:
            for y in size:
                if row[x] < 0 < row[y]:
                    ray = [Fraction(0)] * len(mu)
                    ray[x], ray[y] = row[y], -row[x]
                    rays.add(primitive(ray))
    return tuple(sorted(rays))


def null_vector(rows, size):
    """Return integers that span the null space of rows of integers, None unless that is a line."""
    table, pivots = [list(row) for row in rows], []
    for column in range(size):
        top = len(pivots)
        found = next((i for i in range(top, len(table)) if table[i][column]), None)
        if found is not None:
            table[top], table[found] = table[found], table[top]
            first = table[top]
            for i, row in enumerate(table):
                if i != top and row[column]:
                    whole = [first[column] * a - row[column] * b for a, b in zip(row, first)]
                    table[i] = [c // (gcd(*whole) or 1) for c in whole]
            pivots.append(column)
    free = [column for column in range(size) if column not in pivots]
    if len(free) != 1:
        return None
    unit = lcm(*(table[i][column] for i, column in enumerate(pivots)))
    line = {c: -table[i][free[0]] * (unit // table[i][c]) for i, c in enumerate(pivots)}
    return [line.get(column, unit) for column in range(size)]


@cache
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
    return tuple(sorted(found))


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
