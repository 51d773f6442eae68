"""Bounds on chains of any alphabet: verdicts, and the statements on random columns in exact
numbers.
"""

import random
from fractions import Fraction
from itertools import chain as joined
from itertools import combinations, product

import pytest


def random_kernel(rng, states):
    rows = [[rng.choice((0, 1, 1, 2, 6)) for _ in range(states)] for _ in range(states)]
    rows = [row if any(row) else [1] * states for row in rows]
    return [[Fraction(x, sum(row)) for x in row] for row in rows]


def random_column(rng, states, count, ratio):
    """A column of level log(ratio): powers of the ratio by a sum of a number per record."""
    tables = [[rng.randint(0, 1) for _ in range(states)] for _ in range(count)]
    mixed = [[rng.randint(0, 1) for _ in range(states)] for _ in range(count)]
    heavy = Fraction(rng.randint(0, 3))
    return {
        x: ratio ** sum(table[value] for table, value in zip(tables, x))
        + heavy * ratio ** sum(table[value] for table, value in zip(mixed, x))
        for x in product(range(states), repeat=count)
    }


def expected(kernel, column, start):
    """E[u | X_0 = start], over all sequences."""
    total = Fraction(0)
    for x, value in column.items():
        chance, last = Fraction(1), start
        for following in x:
            chance, last = chance * kernel[last][following], following
        total += chance * value
    return total


def power(kernel, steps):
    size = len(kernel)
    found = [[Fraction(x == y) for y in range(size)] for x in range(size)]
    for _ in range(steps):
        found = [
            [sum(row[k] * kernel[k][y] for k in range(size)) for y in range(size)] for row in found
        ]
    return found


def distance(one, other):
    return sum(abs(p - q) for p, q in zip(one, other)) / 2


def subsets(size):
    return joined.from_iterable(combinations(range(size), count) for count in range(1, size + 1))


@pytest.mark.parametrize(("states", "count"), [(2, 3), (3, 3), (4, 2)])
def test_no_column_exceeds_either_bound(states, count):
    rng = random.Random(10 * states + count)
    tight = 0
    for _ in range(60):
        kernel = random_kernel(rng, states)
        ratio = Fraction(rng.choice((11, 15, 30)), 10)
        column = random_column(rng, states, count, ratio)
        v, w = rng.sample(range(states), 2)
        truth = expected(kernel, column, v) / expected(kernel, column, w)
        most = ratio**count  # D_c for any column of this level: all records from c on
        for c in range(1, count + 1):
            D = ratio ** (count - c + 1)
            law = power(kernel, c)
            block = ratio ** (c - 1) * max(
                (1 + (D - 1) * sum(law[v][y] for y in a))
                / (1 + (D - 1) * sum(law[w][y] for y in a))
                for a in subsets(states)
            )
            assert truth <= block
            apart = [distance(power(kernel, d)[v], power(kernel, d)[w]) for d in range(1, c + 1)]
            bound = coupling(apart, ratio, [ratio ** (count - d + 1) for d in range(1, c + 1)])
            assert truth <= bound <= most * most
            tight += bound < Fraction(101, 100) * truth
    assert tight


def coupling(apart, ratio, most):
    """The formula of the claim, with one D_d for each record."""
    before = [Fraction(1), *apart[:-1]]
    parts = [(b - t, ratio**d, ratio**d * most[d]) for d, (b, t) in enumerate(zip(before, apart))]
    last = ratio ** (len(apart) - 1) * most[-1]
    parts.append((apart[-1], last, last))
    found = Fraction(0)
    for s in range(1, len(parts) + 1):
        head, tail = parts[:s], parts[s:]
        if any(p for p, _, _ in head):
            found = max(
                found,
                (sum(p * r for p, r, _ in head) + sum(p * r * q for p, r, q in tail))
                / (sum(p for p, _, _ in head) + sum(p * q for p, _, q in tail)),
            )
    return found
