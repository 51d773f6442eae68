"""Tilted laws of a count from two halves of a network, and the bounds of what noise leaks by them:
beside all databases of small grids and of random networks.
"""

from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import numpy as np
import pytest
from tests import seeds
from tests.verify.noise.ratio.test_whole import random_case

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise import largest
from pufferproof.verify.noise.laws.floats import halves
from pufferproof.verify.noise.laws.floats.halves import (
    NetworkSplit,
    WeighedNetwork,
    latest_first,
    laws_by_halves,
    spreads,
    sweep,
)
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio import networks as by_halves
from pufferproof.verify.noise.ratio.networks import halves_law, whole_law

TABLES = {  # P(1 | above, left), of records that attract one another, repel one another, or both
    "attract": (["2/5"], ["3/10", "13/20"], ["1/5", "11/20", "11/20", "4/5"]),
    "repel": (["2/5"], ["7/10", "1/4"], ["4/5", "2/5", "1/3", "1/10"]),
    "uneven": (["1/7"], ["9/10", "1/5"], ["3/5", "1/50", "1/2", "97/100"]),
    "hard": (["1/3"], ["1/2", "0"], ["1/2", "0", "0", "0"]),  # no two neighbours are 1
    "copies": (["1/2"], ["0", "1"], ["0", "1/2", "1/2", "1"]),
}


def grid(kind, rows, columns):
    parents, cpt = {}, {}
    for i, j in product(range(rows), range(columns)):
        record = i * columns + j + 1
        above = ([record - columns] if i else []) + ([record - 1] if j else [])
        chances = map(Fraction, TABLES[kind][len(above)])
        parents[record] = above
        keys = map("".join, product("01", repeat=len(above)))
        cpt[record] = {key: [1 - p, p] for key, p in zip(keys, chances)}
    return BayesianNetwork(parents, cpt)


def about(network, record, scale):
    records = Records(network.length, ("0", "1"))
    secrets = {"zero": (record, "0"), "one": (record, "1")}
    framework = Framework.of_records(records, secrets, [("zero", "one")], {"net": network})
    return framework, RecordQuery("sum", Noise.laplace(scale), records)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize(
    ("rows", "columns", "place"),
    [(2, 2, "first"), (2, 3, "last"), (3, 3, "middle"), (3, 4, "first"), (3, 4, "middle"), (3, 4, "last")],
)
def test_bounds_of_grids_enclose_what_all_databases_tell(kind, rows, columns, place):
    network = grid(kind, rows, columns)
    size = rows * columns
    record = {"first": 1, "middle": (rows // 2) * columns + columns // 2 + 1, "last": size}[place]
    for scale in ("1/2", "6", "1000"):
        framework, query = about(network, record, scale)
        found = halves_law(framework, [query])
        if found is None:
            assert (kind in ("hard", "copies"), scale) == (True, "1/2")  # an end is e^-24 of the sum
            continue
        exact = queries_leakage(framework, NoisyQueries((query,))).leakage
        assert found.leakage.lower <= exact.upper
        assert exact.lower <= found.leakage.upper
        if (kind, scale) != ("hard", "1/2"):  # of which the largest counts are impossible
            assert found.leakage.upper <= exact.upper * (1 + Fraction(1, 100))


@seeds(150)
def test_bounds_of_random_networks_enclose_the_exact_leakage(seed):
    framework, queries = random_case(Random(seed))
    try:
        exact = queries_leakage(framework, NoisyQueries(tuple(queries))).leakage
    except ModelError:
        return  # one possible value
    found = halves_law(framework, queries)
    if found is None:  # what an end needs is too small beside the whole
        return
    assert found.leakage.lower <= exact.upper
    assert exact.lower <= found.leakage.upper


def weighed(network, weight):
    """The tables of a network of bits whose ones weigh less, in floats, and the exact ones."""
    records = Records(network.length, ("0", "1"))
    tables = {i: table for i, (_, table) in enumerate(network.tables(records), 1)}
    parents = {i: above for i, (above, _) in enumerate(network.tables(records), 1)}
    adds = {i: [0, 1] for i in parents}
    floats = {i: table.astype(float) * np.array([1.0, weight]) for i, table in tables.items()}
    return WeighedNetwork(parents, floats, adds, 2.0**-50), tables


@seeds(150)
def test_bounds_hold_at_counts_that_are_left_out(seed, monkeypatch):
    """With so much left out that laws end below the largest count, which is possible."""
    random = Random(seed)
    monkeypatch.setattr(by_halves, "_WRONG", (random.choice([0.01, 0.03, 0.1]), 1e-8))
    monkeypatch.setattr(by_halves, "_MANY", random.choice([0, 50_000]))  # another order or not
    kind = random.choice(["attract", "repel", "uneven"])
    network = grid(kind, 3, random.choice([3, 4]))
    scale = random.choice(["1/2", "2", "6", "40"])
    framework, query = about(network, random.randint(1, network.length), scale)
    found = halves_law(framework, [query])
    exact = queries_leakage(framework, NoisyQueries((query,))).leakage
    assert found is None or found.leakage.lower <= exact.upper
    assert found is None or exact.lower <= found.leakage.upper


@seeds(60)
def test_errors_are_bounded_however_much_is_left_out(seed):
    """Beside the sum over all databases; up to a third of the law is left out."""
    random = Random(seed)
    network = grid(random.choice([*TABLES]), 3, random.choice([3, 4]))
    weight = random.choice([1.0, 0.75, 0.25])
    made, tables = weighed(network, weight)
    split = NetworkSplit.of(made.parents, network.parents_first())
    bounds = spreads(split, made.parents, made.tables)
    record, allowed = random.randint(1, network.length), random.choice([1e-9, 1e-3, 0.03, 0.3])
    try:
        laws = laws_by_halves(split, made, record, allowed)
    except TooLargeError:
        assert allowed == 0.3
        return
    true = {}
    for row in product((0, 1), repeat=network.length):
        p = prod(table[tuple(row[each - 1] for each in (*made.parents[i], i))] for i, table in tables.items())
        place = row[record - 1], sum(row)
        true[place] = true.get(place, 0) + p * Fraction(weight) ** sum(row)
    for value, law in enumerate(laws):
        f = [Fraction(each) for each in law.weights.tolist()]
        f += [Fraction(0)] * (network.length + 1 - len(f))
        wrong = sum(abs(each - true.get((value, n), 0)) for n, each in enumerate(f))
        assert wrong <= Fraction(law.wrong)
        if bounds[0] < 10_000:
            assert law.wrong <= 2 * (allowed + 1e-9)


@seeds(40)
def test_spreads_bound_what_open_records_change(seed):
    random = Random(seed)
    network = grid(random.choice([*TABLES]), 3, 3)
    made, _ = weighed(network, random.choice([1.0, 0.5, 0.01]))
    split = NetworkSplit.of(made.parents, range(1, 10))
    for place, bound in enumerate(spreads(split, made.parents, made.tables)):
        before, later = split.order[: place + 1], split.order[place + 1 :]
        gone = {each for closed in split.closed[: place + 1] for each in closed}
        opened = [each for each in before if each not in gone]
        for end in range(len(later) + 1):
            sums = []
            for row in product((0, 1), repeat=len(opened)):
                known, total = dict(zip(opened, row)), 0.0
                for rest in product((0, 1), repeat=end):
                    x = known | dict(zip(later, rest))
                    total += prod(
                        made.tables[each][tuple(x[one] for one in (*made.parents[each], each))] for each in later[:end]
                    )
                sums.append(total)
            assert max(sums) <= bound * min(sums)


def test_a_sweep_has_parents_first_and_few_open_whatever_records_are_called():
    network = grid("attract", 8, 8)
    names = list(range(1, 65))
    Random(1).shuffle(names)
    parents = {names[i - 1]: tuple(names[each - 1] for each in above) for i, above in enumerate(network.parents, 1)}
    order = sweep(parents)
    assert sorted(order) == sorted(names)
    assert all(order.index(each) < order.index(i) for i in order for each in parents[i])
    sizes = dict.fromkeys(order, 2)
    assert max(NetworkSplit.of(parents, order).widths(sizes)) <= 2**7


@seeds(100)
def test_every_order_has_parents_first_whatever_records_are_called(seed):
    random = Random(seed)
    names = random.sample(range(1, 100), random.randint(1, 12))
    parents = {name: random.sample(names[:i], random.randint(0, min(i, 2))) for i, name in enumerate(names)}
    for order in (sweep(parents), latest_first(parents)):
        assert sorted(order) == sorted(names)
        assert all(order.index(one) < order.index(i) for i in names for one in parents[i])


def test_a_grid_whose_law_is_too_long_is_bounded_closely(monkeypatch):
    """8 x 8 bits, beside their whole law, which is not there for larger grids."""
    framework, query = about(grid("attract", 8, 8), 28, 6)
    whole = whole_law(framework, [query]).leakage
    monkeypatch.setattr(largest, "whole_law", lambda framework, queries: None)
    question = largest.NoiseQuestion(framework, NoisyQueries((query,)), None)
    found = largest.by_halves(question)
    assert found.window is not None
    assert found.leakage.lower <= whole.upper
    assert whole.lower <= found.leakage.upper <= whole.upper * (1 + Fraction(1, 1000))


@pytest.mark.parametrize(
    ("module", "limit"), [(halves, "MOST_ENTRIES"), (halves, "MOST_WORK"), (by_halves, "MOST_IN_ALL")]
)
def test_there_are_no_bounds_where_tables_are_too_large(module, limit, monkeypatch):
    framework, query = about(grid("attract", 3, 3), 5, 6)
    monkeypatch.setattr(module, limit, 1)
    assert halves_law(framework, [query]) is None


def test_there_are_no_bounds_where_noise_is_tiny():
    framework, query = about(grid("attract", 3, 3), 5, "1/1000")
    assert halves_law(framework, [query]) is None
