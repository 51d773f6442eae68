"""Sums of products against all assignments of values, whatever numbers are added and multiplied."""

import random
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add, mul

import numpy as np
import pytest
from flint import arb, ctx, fmpq, fmpz_poly
from tests import seeds

from pufferproof.models.priors.bayesian_network import Bag, Factor, eliminated
from pufferproof.verify.noise.laws.passes import BALLS, GREATEST, Greatest, both_ways

F = Fraction


def polynomial(draw):
    return fmpz_poly([draw.randint(0, 3) for _ in range(draw.randint(0, 3))])


def ball(draw):
    return arb(fmpq(draw.randint(0, 3), draw.randint(1, 7)))


def greatest(draw):
    return Greatest(draw.choice((None, 0, draw.randint(-9, 9))))


NUMBERS = {
    "integers": lambda draw: draw.randint(0, 9),
    "rationals": lambda draw: F(draw.randint(0, 9), draw.randint(1, 9)),
    "polynomials": polynomial,
    "balls": ball,
    "greatest sums": greatest,
}


def same(one, other):
    if not isinstance(one, arb):
        return one == other
    return one.overlaps(other) and one.rad() < 2.0**-80


def table(numbers, shape):
    """Return an array of numbers; NumPy would take a polynomial for a sequence."""
    entries = np.empty(shape, dtype=object)
    for place in product(*map(range, shape)):
        entries[place] = numbers()
    return entries


def summed(factors, wanted, sizes):
    """Return the sum over all assignments, by the values of the wanted records."""
    totals = {}
    for values in product(*(range(size) for size in sizes.values())):
        at = dict(zip(sizes, values))
        each = reduce(mul, (f.table[tuple(at[r] for r in f.scope)] for f in factors))
        totals.setdefault(tuple(at[r] for r in wanted), []).append(each)
    return {place: reduce(add, numbers) for place, numbers in totals.items()}


@pytest.mark.parametrize("kind", NUMBERS)
@seeds(12)
def test_tables_are_summed_as_over_all_assignments(kind, seed):
    draw = random.Random(seed)
    sizes = {record: draw.randint(1, 3) for record in range(1, draw.randint(2, 6))}
    scopes = [(record,) for record in sizes]  # one each, so that none is without a table
    scopes += [tuple(draw.sample(list(sizes), draw.randint(1, min(3, len(sizes))))) for _ in range(4)]
    with ctx.workprec(128):
        factors = [Factor(scope, table(lambda: NUMBERS[kind](draw), [sizes[r] for r in scope])) for scope in scopes]
        wanted = draw.sample(list(sizes), draw.randint(1, min(2, len(sizes))))
        law = eliminated(factors, wanted, sizes)
        expected = summed(factors, wanted, sizes)
        assert law.shape == tuple(sizes[record] for record in wanted)
        assert all(same(law[place], total) for place, total in expected.items())


def test_a_bag_gives_each_table_once():
    bag = Bag(Factor(scope, np.array(0)) for scope in ((1, 2), (2, 3), (3,), (2,)))
    assert [each.scope for each in bag.take(2)] == [(1, 2), (2, 3), (2,)]
    bag.add(Factor((1, 3), np.array(0)))
    assert [each.scope for each in bag.take(3)] == [(3,), (1, 3)]
    assert bag.take(1) == bag.rest() == []
    with pytest.raises(KeyError):
        bag.take(1)


@seeds(12)
def test_a_walk_sums_over_all_sequences(seed):
    for ring, kind in [(BALLS, "balls"), (GREATEST, "greatest sums")]:
        draw = random.Random(seed)
        size, count = draw.randint(1, 3), draw.randint(1, 6)
        with ctx.workprec(128):
            number = NUMBERS[kind]
            start = [number(draw) for _ in range(size)]
            step = [[number(draw) for _ in range(size)] for _ in range(size)]
            cuts = sorted(draw.randint(0, count) for _ in range(2))  # stretches may be empty
            ends = list(zip([0, *cuts], [*cuts, count]))
            rows = [[number(draw) for _ in range(size)] for _ in ends]
            stretches = [(a + 1, b, row) for (a, b), row in zip(ends, rows)]
            weights = [row for (a, b), row in zip(ends, rows) for _ in range(a, b)]
            wanted = sorted(draw.sample(range(1, count + 1), draw.randint(1, count)))
            before, after = both_ways(ring, start, step, stretches, wanted)
            records = range(1, count + 1)
            factors = [Factor((1,), np.array(start, dtype=object))]
            factors += [Factor((t,), np.array(row, dtype=object)) for t, row in zip(records, weights)]
            factors += [Factor((t, t + 1), np.array(step, dtype=object)) for t in records[:-1]]
            for record in wanted:
                expected = summed(factors, [record], dict.fromkeys(records, size))
                for value in range(size):
                    found = before[record][value] * weights[record - 1][value] * after[record][value]
                    assert same(found, expected[value,])
