"""Noise on attractive networks: the ends of the query against all its values."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

import pufferproof as pp
from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.verify.audit import audit
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.records.networks.attractive import attractive_ends, is_attractive

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


@pytest.mark.parametrize("seed", range(40))
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


def test_a_tree_whose_counts_are_too_many_is_exact(monkeypatch):
    count = 63
    parents = {i: [i // 2] if i > 1 else [] for i in range(1, count + 1)}
    child = {"0": ["9/10", "1/10"], "1": ["1/2", "1/2"]}
    tables = {i: child if i > 1 else {"": ["9/10", "1/10"]} for i in parents}
    space = framework(pp.BayesianNetwork(parents, tables), count, 1)
    mechanism = NoisyQueries(
        (RecordQuery("sum", Noise.laplace(10), pp.Records(count, ("0", "1"))),)
    )
    expected = audit(space, mechanism).leakage

    def refuse(*_):
        raise TooLargeError("too large", "query")

    monkeypatch.setattr("pufferproof.verify.noise.largest.queries_leakage", refuse)
    found = audit(space, mechanism, "1")
    assert found.trust == ("INTERVAL", "PROSE")
    assert found.verdict is pp.Verdict.SATISFIES
    assert float(found.leakage.lower) == pytest.approx(float(expected.lower), rel=1e-12)
    broken = audit(space, mechanism, "0.1")
    assert (broken.verdict, broken.trust) == (pp.Verdict.VIOLATES, ("INTERVAL",))
