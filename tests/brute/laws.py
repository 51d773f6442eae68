"""Finite laws as dictionaries of fractions, and those of chains: what tests of statements share."""

from fractions import Fraction
from itertools import pairwise, product
from math import prod

F = Fraction


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
