"""Finite laws as dictionaries of fractions, and those of chains: what tests of statements share."""

from fractions import Fraction
from itertools import pairwise, permutations, product
from math import prod

F = Fraction


def row(random, size, zero=True):
    while True:
        weights = [random.randint(0 if zero else 1, 4) for _ in range(size)]
        if sum(weights):
            return [F(weight, sum(weights)) for weight in weights]


def mass(law, event):
    return sum((p for x, p in law.items() if event(x)), F(0))


def push(law, function):
    """The law of a function of the data."""
    found = {}
    for x, p in law.items():
        if p:
            found[function(x)] = found.get(function(x), F(0)) + p
    return found


def given(law, event):
    """The law given an event of positive probability, else None."""
    total = mass(law, event)
    return {x: p / total for x, p in law.items() if p and event(x)} if total else None


def largest(laws):
    """The largest ratio of two laws in either order, None for infinite, 1 if there is one law."""
    best = F(1)
    for left, right in permutations(laws, 2):
        for y, p in left.items():
            if p and not right.get(y):
                return None
            if p:
                best = max(best, p / right[y])
    return best


def neighbours(count, values):
    for x, y in permutations(product(values, repeat=count), 2):
        if sum(i != j for i, j in zip(x, y)) == 1:
            yield x, y


def sequences(start, step, length):
    """P(X = x) for all x of positive probability, as tuples."""
    found = {}
    for x in product(range(len(start)), repeat=length):
        p = start[x[0]] * prod((step[y][z] for y, z in pairwise(x)), start=F(1))
        if p:
            found[x] = p
    return found


def marginal(law, records):
    """The law of some records, counted from 1."""
    found = {}
    for x, p in law.items():
        key = tuple(x[i - 1] for i in records)
        found[key] = found.get(key, F(0)) + p
    return found
