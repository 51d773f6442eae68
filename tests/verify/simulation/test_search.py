"""The worst neighbours are found among many, and the bound is right though they were chosen."""

import itertools
import sys

import hypothesis.strategies as st
import numpy as np
import pytest

import pufferproof as pp
from pufferproof.models.errors import ModelError

GRID = [list(rows) for rows in itertools.product(range(3), repeat=3)]


def total(database, size, rng):
    """The sum of records from 0 to 2, with noise for a sensitivity of 1."""
    return sum(database) + rng.laplace(size=size)


def special(database, size, rng):
    """Leaks about databases with two records that are 2, and about no other."""
    return 2.0 * (database.count(2) >= 2) + rng.laplace(size=size)


def worst(sampler, databases, relation, **options):
    return pp.estimate_neighbours(sampler, databases, relation, seed=1, independent_draws=True, **options)


@pytest.mark.parametrize("relation", ["add-remove", "substitute"])
def test_the_worst_neighbours_are_found_and_the_relation_is_named(relation):
    found = worst(total, GRID, relation, samples=40_000)
    left, right = (eval(name) for name in found.witness.pair)
    assert abs(sum(left) - sum(right)) == 2
    assert abs(len(left) - len(right)) == (1 if relation == "add-remove" else 0)
    assert 1.5 < float(found.lower.lower) < 2
    assert found.searched.relation == relation
    assert found.as_json()["neighbours"]["pairs"] == found.searched.pairs > 50
    assert {"add-remove": "adding or removing", "substitute": "substituting"}[relation] in str(found)


def test_the_only_pairs_that_leak_are_found():
    found = worst(special, GRID, "substitute", epsilon="1", samples=40_000)
    assert found.verdict.value == "VIOLATES"
    assert {eval(name).count(2) >= 2 for name in found.witness.pair} == {True, False}


def test_a_sampler_that_keeps_its_level_on_all_neighbours_is_not_refuted():
    """Of 10 runs more than 4 refute with probability below 1/10000 if each has 1/20."""

    def half(database, size, rng):
        return sum(database) / 2 + rng.laplace(size=size)

    verdicts = [
        pp.estimate_neighbours(
            half, GRID, "substitute", "1", samples=6000, seed=seed, independent_draws=True
        ).verdict.value
        for seed in range(10)
    ]
    assert verdicts.count("VIOLATES") <= 4


@pytest.mark.parametrize("relation", ["add-remove", "substitute"])
def test_databases_of_a_strategy_are_the_same_each_time(relation):
    seen = []

    def sampler(database):
        seen.append(tuple(database))
        return 0

    strategy = st.lists(st.integers(0, 2), min_size=1, max_size=3)
    known = []
    for _ in range(2):
        pp.estimate_neighbours(sampler, strategy, relation, samples=1000, examples=8)
        known.append(set(seen))
        seen.clear()
    assert known[0] == known[1]
    assert len(known[0]) > 4


@pytest.mark.parametrize("relation", ["add-remove", "substitute"])
def test_neighbours_of_a_framework_are_searched_and_named(relation):
    space = pp.Framework(pp.Records(3, ("0", "1", "2")), neighbours=relation)
    found = pp.estimate(
        space,
        lambda database, size, rng: total([*map(int, database)], size, rng),
        samples=30_000,
        seed=1,
        independent_draws=True,
    )
    assert 1.4 < float(found.lower.lower) < 2
    assert (found.searched.relation, found.searched.pairs) == (relation, len(space.pairs))


def test_a_claim_of_delta_is_refuted_on_the_worst_neighbours():
    def gauss(database, size, rng):
        return np.sum(database) + rng.normal(size=size)

    found = worst(gauss, [[0, 1], [0, 2]], "substitute", epsilon="1", delta="0.3", samples=60_000)
    assert found.verdict.value == "VIOLATES"  # 0.58 for a difference of 2
    assert found.claim.kind == "delta"


@pytest.mark.parametrize(
    ("databases", "relation", "said"),
    [
        ([[1, 2]], "replace", 'expected "add-remove" or "substitute"'),
        ([[1, 1]], "substitute", "no database has a neighbour"),
        ([[]], "add-remove", "no database has a neighbour"),
        (["text"], "add-remove", "expected lists of records"),
        (3, "add-remove", "databases"),
    ],
)
def test_what_has_no_neighbours_is_refused(databases, relation, said):
    with pytest.raises(ModelError, match=said):
        worst(total, databases, relation)


def test_a_strategy_without_hypothesis_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ModelError, match=r"pip install \"pufferproof\[testing\]\""):
        worst(total, st.lists(st.integers()), "add-remove")
