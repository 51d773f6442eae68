"""Noise on forests of bits and on attractive networks, against all values of the query."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from tests import seeds

import pufferproof as pp
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.priors.forest import families_of, forest_of, forest_within
from pufferproof.models.views import possible_values
from pufferproof.verify.noise.accounts.likelihoods import told_by_tree
from pufferproof.verify.noise.classes.bounds import attractive_ends, is_attractive
from pufferproof.verify.noise.queries import queries_leakage

# One pass over forests of bits, against sums over all databases.


F = Fraction
BITS = ("0", "1")
ROWS = [[F(p, 4), 1 - F(p, 4)] for p in (0, 1, 1, 2, 3, 4)]


def forest(draw, count):
    """Draw bits on trees, numbered in any order, with zeros, ones and equal rows."""
    names = draw.sample(range(1, count + 1), count)
    parents, tables = {}, {}
    for place, record in enumerate(names):
        above = [draw.choice(names[:place])] if place and draw.random() < 0.8 else []
        parents[record] = above
        tables[record] = {key: draw.choice(ROWS) for key in (BITS if above else [""])}
    return pp.BayesianNetwork(parents, tables)


def summed(network, weights, records):
    """Return E[w | x_i = v] / E[w] by all databases, of possible values, and E[w]."""
    told, mass, total = {}, {}, F(0)
    for bits in itertools.product((0, 1), repeat=network.length):
        chance = F(1)
        for record, (above, table) in enumerate(network.tables(records), 1):
            chance *= table[(*(bits[parent - 1] for parent in above), bits[record - 1])]
        weighed = chance
        for record, bit in enumerate(bits):
            weighed *= weights[record][bit]
        total += weighed
        for place in enumerate(bits, 1):
            told[place] = told.get(place, 0) + weighed
            mass[place] = mass.get(place, 0) + chance
    return {place: told[place] / mass[place] / total for place in told if mass[place]}


@seeds(60)
def test_one_pass_has_what_all_databases_sum_to(seed):
    draw = random.Random(seed)
    count = draw.randint(1, 6)
    network, records = forest(draw, count), pp.Records(count, BITS)
    weights = [[F(draw.randint(1, 5), draw.randint(1, 5)) for _ in BITS] for _ in range(count)]
    wanted = sorted(draw.sample(range(1, count + 1), draw.randint(1, count)))
    known = forest_within(network, records)
    expected = summed(network, weights, records)
    with ctx.workprec(256):
        balls = [[arb(fmpq(w.numerator, w.denominator)) for w in pair] for pair in weights]
        told = told_by_tree(known, balls, wanted)
        assert set(told) == {place for place in expected if place[0] in wanted}
        for place, ball in told.items():
            true = arb(fmpq(expected[place].numerator, expected[place].denominator))
            assert ball.overlaps(true)
            assert ball.rad() < 2.0**-200
    for record in wanted:
        assert known.possible[record - 1] == tuple((record, v) in expected for v in (0, 1))


@seeds(20)
def test_a_forest_is_that_of_its_families(seed):
    draw = random.Random(seed)
    count = draw.randint(1, 6)
    network, records = forest(draw, count), pp.Records(count, BITS)
    known = forest_within(network, records)
    assert known == forest_of(families_of(network, records))
    below = any(known.falling(record) for record in range(1, count + 1))
    assert known.attractive is not below
    secrets = {f"{r}={v}": (r, v) for r in range(1, count + 1) for v in BITS}
    space = pp.Framework(records, secrets, [("1=0", "1=1")], {"net": network})
    for record, values in possible_values(space, "net", range(1, count + 1)).items():
        law = network.law_of((record,), records).table
        assert values == {value for value, p in enumerate(law) if p}


def test_a_network_with_loops_or_three_values_is_no_forest():
    coin = {"": ["1/2", "1/2"]}
    both = {"00": [1, 0], "01": [0, 1], "10": [0, 1], "11": [1, 0]}
    loops = pp.BayesianNetwork({1: [], 2: [], 3: [1, 2]}, {1: coin, 2: coin, 3: both})
    assert forest_within(loops, pp.Records(3, BITS)) is None
    three = pp.BayesianNetwork({1: []}, {1: {"": ["1/3", "1/3", "1/3"]}})
    assert forest_within(three, pp.Records(1, ("0", "1", "2"))) is None


# Noise on attractive networks: the ends of the query against all its values.


KEYS = {n: ["".join(key) for key in itertools.product("01", repeat=n)] for n in range(3)}


def network(draw, count):
    parents, tables = {1: []}, {}
    for record in range(2, count + 1):
        parents[record] = draw.sample(range(1, record), min(record - 1, draw.randint(0, 2)))
    for record, above in parents.items():
        rows = None
        while rows is None or not is_attractive(rows):
            ones = [Fraction(draw.randint(0, 4), 4) for _ in KEYS[len(above)]]
            ones = ones if above else [Fraction(draw.randint(1, 3), 4)]
            rows = np.array([[1 - p, p] for p in ones], dtype=object)
            rows = rows.reshape((2,) * (len(above) + 1))
        tables[record] = {key: [1 - p, p] for key, p in zip(KEYS[len(above)], ones)}
    return pp.BayesianNetwork(parents, tables)


def framework(prior, count, record):
    places = {f"x={v}": (record, v) for v in "01"}
    return pp.Framework(pp.Records(count, ("0", "1")), places, "disjoint", {"net": prior})


@seeds(40)
def test_the_ends_have_the_leakage_of_all_outputs(seed):
    draw = random.Random(seed)
    count = draw.randint(1, 6)
    space = framework(network(draw, count), count, draw.randint(1, count))
    records = pp.Records(count, ("0", "1"))
    noise = draw.choice([Noise.laplace(2), Noise.geometric("1/3"), Noise.laplace("1/2")])
    word = draw.choice(["sum", "histogram"])
    mechanism = NoisyQueries((RecordQuery(word, noise, records),))
    try:
        expected = queries_leakage(space, mechanism)
    except pp.ModelError:
        with pytest.raises(pp.ModelError):
            attractive_ends(space, mechanism)
        return
    found = attractive_ends(space, mechanism)
    assert found is not None
    assert float(found.leakage.lower) == pytest.approx(float(expected.leakage.lower), rel=1e-12)
    assert found.leakage.lower <= expected.leakage.upper
    assert expected.leakage.lower <= found.leakage.upper


def test_bits_that_repel_one_another_are_left_out():
    prior = pp.BayesianNetwork(
        {1: [], 2: [1]}, {1: {"": ["1/2", "1/2"]}, 2: {"0": ["1/4", "3/4"], "1": ["3/4", "1/4"]}}
    )
    records = pp.Records(2, ("0", "1"))
    mechanism = NoisyQueries((RecordQuery("sum", Noise.laplace(1), records),))
    assert attractive_ends(framework(prior, 2, 1), mechanism) is None


def test_three_bits_may_repel_where_two_of_them_attract():
    ones = [Fraction(1, 10), Fraction(1, 2), Fraction(1, 2), Fraction(3, 4)]
    table = np.array([[1 - p, p] for p in ones], dtype=object).reshape(2, 2, 2)
    assert not is_attractive(table)  # (1 - 1/10)(1 - 3/4) < (1 - 1/2)^2
    even = np.array([[Fraction(3, 4), Fraction(1, 4)]] * 4, dtype=object)
    assert is_attractive(even.reshape(2, 2, 2))
