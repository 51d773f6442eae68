"""Columns with a level for each bit, slowly: extreme rays of the cone as spanning trees of tight
edges of the cube, and the recursion along a tree of bits by trying both ends of every child.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, product


def tables(count):
    return ["".join(bits) for bits in product("01", repeat=count)]


@cache
def spanning_trees(count):
    """Sets of edges (x, y, bit) of the cube that connect all tables without a cycle."""
    names = tables(count)
    edges = [(x, x[:j] + "1" + x[j + 1 :], j) for x in names for j in range(count) if x[j] == "0"]
    return [chosen for chosen in combinations(edges, len(names) - 1) if connected(names, chosen)]


def connected(names, edges):
    groups = {x: x for x in names}

    def top(x):
        while groups[x] != x:
            x = groups[x]
        return x

    for x, y, _ in edges:
        if top(x) == top(y):
            return False
        groups[top(x)] = top(y)
    return True


def rays(levels):
    """All extreme rays of {u : u(x) <= R_j u(y), x and y differing in bit j alone}, R_j > 1."""
    count, names = len(levels), tables(len(levels))
    start = int(prod(each.numerator * each.denominator for each in levels)) ** len(names)
    columns = {  # whole numbers, all of them: a tree has an edge less than there are tables
        tuple(u[x] for x in names)
        for tree in spanning_trees(count)
        for signs in product((1, -1), repeat=len(tree))
        for u in [along(names, tree, signs, levels, start)]
    }
    inside = [column for column in columns if within(dict(zip(names, column)), levels)]
    return [{x: Fraction(value, start) for x, value in zip(names, column)} for column in inside]


def along(names, tree, signs, levels, start):
    u, open_edges = {names[0]: start}, list(zip(tree, signs))
    while open_edges:
        for edge in list(open_edges):
            (x, y, j), sign = edge
            up, down = levels[j].numerator, levels[j].denominator
            if x in u:
                u[y] = u[x] * up // down if sign > 0 else u[x] * down // up
            elif y in u:
                u[x] = u[y] * down // up if sign > 0 else u[y] * up // down
            else:
                continue
            open_edges.remove(edge)
    return u


def within(u, levels):
    return all(
        u[x] <= level * u[x[:j] + other + x[j + 1 :]]
        for x in u
        for j, level in enumerate(levels)
        for other in "01"
    )


def product_columns(levels):
    """The products of one factor for each bit."""
    for sides in product("01", repeat=len(levels)):
        yield {
            x: prod(level for level, side, bit in zip(levels, sides, x) if side == bit)
            for x in tables(len(levels))
        }


def prod(numbers):
    result = Fraction(1)
    for number in numbers:
        result *= number
    return result


def tree_law(parents, kernels, root):
    """The law of a tree of bits: parents[j] < j, kernels[j][a] = P(bit j = 1 | parent = a), given
    the root, bit 0.
    """
    law = {}
    for x in tables(len(parents)):
        if x[0] == root:
            law[x] = prod(
                kernels[j][int(x[parents[j]])]
                if x[j] == "1"
                else 1 - kernels[j][int(x[parents[j]])]
                for j in range(1, len(parents))
            )
    return law


def ratio(law_s, law_t, u):
    return sum(p * u[x] for x, p in law_s.items()) / sum(p * u[x] for x, p in law_t.items())


def messages(parents, kernels, levels, j=0):
    """S and D of bit j."""
    up = down = levels[j]
    for c, parent in enumerate(parents):
        if c and parent == j:
            s, d = messages(parents, kernels, levels, c)
            ends = [
                (kernels[c][1] * t + 1 - kernels[c][1]) / (kernels[c][0] * t + 1 - kernels[c][0])
                for t in (s, 1 / d)
            ]
            up, down = up * max(ends), down / min(ends)
    return up, down
