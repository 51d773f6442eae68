"""Bounds of fresh samples beside all pairs of databases, each law summed over all its samples."""

import random
from fractions import Fraction
from itertools import combinations, permutations, product
from math import exp, prod

import numpy as np
from tests import seeds

from pufferproof import Noise, RecordQuery, Records
from pufferproof.models.mechanisms.sampled import Sample, SampledQuery
from pufferproof.verify.losses.composition import compose_sampled

ALPHABETS = [("0", "1"), ("0", "1", "3"), ("1", "2"), ("-1", "2"), ("-1", "0", "2")]
OUTPUTS = np.arange(-45, 46)


def samples(values, step):
    """Yield the sum of every sample, and its probability."""
    if step.sample.fixed is not None:
        every = [sum(each) for each in combinations(values, step.sample.fixed)]
        yield from ((total, 1 / len(every)) for total in every)
        return
    rate = float(step.sample.poisson)
    for inside in product((0, 1), repeat=len(values)):
        weight = prod(rate if each else 1 - rate for each in inside)
        yield sum(value for value, each in zip(values, inside) if each), weight


def law(database, step):
    values = [int(step.added[value]) for value in database]
    decay = 0.5 ** abs(OUTPUTS[:, None] - [total for total, _ in samples(values, step)])
    return decay @ [weight / 3 for _, weight in samples(values, step)]


def pairs(relation, alphabet, count):
    if relation == "substitute":
        for rest in product(alphabet, repeat=count - 1):
            yield from (((a, *rest), (b, *rest)) for a, b in permutations(alphabet, 2))
    for rest in product(alphabet, repeat=count - 1) if relation == "add-remove" else ():
        for value in alphabet:
            yield from (((value, *rest), rest), (rest, (value, *rest)))


@seeds(24)
def test_bounds_hold_for_all_databases(seed):
    draw = random.Random(seed)
    alphabet, count = draw.choice(ALPHABETS), draw.choice([1, 2, 3])
    records = Records(count, alphabet)
    relation = draw.choice(["add-remove", "substitute"])
    steps = []
    for _ in range(draw.choice([1, 2])):
        sample = Sample(draw.choice([Fraction(1, 3), Fraction(9, 10), 1]))
        if relation == "substitute" and draw.random() < 0.5:
            sample = Sample(fixed=draw.randint(1, count))
        name = draw.choice(["sum", "count"])
        counted = alphabet[-1] if name == "count" else None
        query = RecordQuery(name, Noise.geometric("1/2"), records, None, counted)
        steps.append(SampledQuery(query, sample))
    level = draw.choice([0, 0.25, 0.5, 1])
    known = 0.0
    for one, other in pairs(relation, alphabet, count):
        p, q = ([law(each, step) for step in steps] for each in (one, other))
        p, q = (each[0] if len(each) == 1 else np.outer(*each) for each in (p, q))
        known = max(known, np.maximum(p - exp(level) * q, 0).sum())
    found = compose_sampled(relation, steps)
    low, high = (float(end) for end in found.delta(level))
    assert low - 1e-9 <= known <= high + 1e-9
    assert not found.reached or high - known <= 1e-3 * high + 1e-9
