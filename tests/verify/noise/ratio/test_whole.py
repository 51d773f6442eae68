"""The whole law of a count of a Bayesian network in floats: beside brute force over all databases,
and beside the exact law.
"""

from fractions import Fraction
from itertools import product
from math import exp, log2, prod
from random import Random

import numpy as np
import pytest
from tests import seeds

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.networks.contacts import ContactNetwork
from pufferproof.models.priors.records import Records
from pufferproof.models.views import expect_network
from pufferproof.verify.noise.laws.floats import elimination
from pufferproof.verify.noise.laws.floats.elimination import CountElimination, add_convolved, least_fill
from pufferproof.verify.noise.laws.of_records import Packing
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio import networks as whole
from pufferproof.verify.noise.ratio.bounds import noise_bounds
from pufferproof.verify.noise.ratio.networks import whole_law

LETTERS = ("0", "1", "2", "5/2")


def random_network(random):
    """Three to eight records with one to four values, up to three parents, and many zeros."""
    count = random.randint(3, 8)
    own = {i: random.sample(LETTERS, random.choice([1, 2, 2, 3, 4])) for i in range(1, count + 1)}
    own[random.randint(1, count)] = random.sample(LETTERS, random.choice([2, 3]))
    while prod(map(len, own.values())) > 2000:
        own = {i: values[:2] for i, values in own.items()}
    parents, cpt = {}, {}
    for i in own:
        parents[i] = sorted(random.sample(range(1, i), min(i - 1, random.randint(0, 3))))
        cpt[i] = {}
        for row in product(*(own[each] for each in parents[i])):
            weights = [random.choice([0, 0, 1, 2, 7]) for _ in own[i]]
            weights[random.randrange(len(weights))] += 1
            cpt[i][",".join(row)] = [Fraction(w, sum(weights)) for w in weights]
    return BayesianNetwork(parents, cpt, values=[own[i] for i in own]), own


def random_case(random):
    network, own = random_network(random)
    records = Records(len(own), LETTERS)
    record = random.choice([i for i in own if len(own[i]) > 1] or [1])
    secrets = {value: (record, value) for value in own[record]}
    framework = Framework.of_records(records, secrets, "disjoint", {"net": network})
    noise = Noise.laplace(random.choice([Fraction(1, 3), 1, 4]))
    first = random.randint(1, len(own))
    segment = random.choice([None, (first, random.randint(first, len(own)))])
    kind = random.choice(["count", "count", "sum", "mean"])
    counted = random.choice(own[first]) if kind == "count" else None
    queries = [RecordQuery(kind, noise, records, segment, counted)] * random.randint(1, 2)
    return framework, queries


@seeds(150)
def test_laws_are_those_of_all_databases(seed):
    random = Random(seed)
    framework, queries = random_case(random)
    records = framework.records
    network = expect_network(framework, "net")
    own, packing = network.own(records), Packing.of([queries[0]])
    record = framework.places[next(iter(framework.places))][0]
    adds = {i: [packing.adds(i)[v] for v in values] for i, values in enumerate(own, 1)}
    found = CountElimination(network, records, record, adds).laws()
    true = {}
    tables = network.tables(records)
    for row in product(*(range(len(values)) for values in own)):
        p = prod(table[tuple(row[each - 1] for each in (*above, i))] for i, (above, table) in enumerate(tables, 1))
        place = row[record - 1], sum(adds[i][x] for i, x in enumerate(row, 1))
        true[place] = true.get(place, 0) + p
    scale = Fraction(2) ** round(log2(sum(law.weights.sum() for law in found)))  # they sum to 1
    assert len(found) == len(own[record - 1])
    for v, law in enumerate(found):
        for n, weight in enumerate(law.weights.tolist()):
            f = Fraction(weight)
            error = abs(true.get((v, n), 0) * scale - f)
            assert error <= Fraction(law.rel) * f + Fraction(law.lost)
            assert error <= Fraction(1, 10**12)
    reached = {(v, n) for v, law in enumerate(found) for n in range(len(law.weights))}
    assert {place for place, p in true.items() if p} <= reached


@seeds(150)
def test_bounds_enclose_the_exact_leakage(seed):
    random = Random(seed)
    framework, queries = random_case(random)
    try:
        exact = queries_leakage(framework, NoisyQueries(tuple(queries))).leakage
        bounds = noise_bounds(framework, *queries)
    except ModelError:
        return  # one possible value
    found = whole_law(framework, queries)
    assert found.leakage.lower <= bounds.leakage.upper
    assert bounds.leakage.lower <= found.leakage.upper
    assert found.leakage.lower <= exact.upper
    assert exact.lower <= found.leakage.upper <= exact.upper * (1 + Fraction(1, 10**9))
    assert found.near
    assert found.trust(None)[0] == "INTERVAL"


def test_a_largest_ratio_between_the_ends_is_found():
    """The count is 1 given "a", 0 or 2 given "b": no end is likelier under "a" by as much."""
    rows = {"a": ["0", "1", "0"], "b": ["1/2", "0", "1/2"]}
    show = {"x": ["1", "0"], "y": ["1", "0"], "z": ["0", "1"]}
    more = {"x": ["1", "0"], "y": ["0", "1"], "z": ["0", "1"]}
    network = BayesianNetwork(
        {1: [], 2: [1], 3: [2], 4: [2]},
        {1: {"": ["1/2", "1/2"]}, 2: rows, 3: show, 4: more},
        values=[["a", "b"], ["x", "y", "z"], ["0", "1"], ["0", "1"]],
    )
    records = Records(4, ("a", "b", "x", "y", "z", "0", "1"))
    framework = Framework.of_records(records, {"a": (1, "a"), "b": (1, "b")}, "disjoint", {"net": network})
    query = RecordQuery("count", Noise.laplace(2), records, counted="1")
    bounds = noise_bounds(framework, query)
    found = whole_law(framework, [query])
    assert (found.witness.pair, found.witness.output) == (("a", "b"), "1")
    assert found.leakage.lower == pytest.approx(exp(1 / 2), rel=1e-12)
    assert bounds.leakage.lower < found.leakage.lower <= found.leakage.upper


def test_histograms_of_two_values_are_counts_and_contacts_have_links():
    records = Records(9, ("well", "ill"))
    network = ContactNetwork([*([[]] * 8), [*range(1, 9)]], Fraction(1, 20), Fraction(1, 10), records.alphabet)
    framework = Framework.of_records(records, {"w": (2, "well"), "i": (2, "ill")}, "disjoint", {"net": network})
    for noise in (Noise.laplace(3), Noise.geometric("1/2")):
        query = RecordQuery("histogram", noise, records)
        exact = queries_leakage(framework, NoisyQueries((query,))).leakage
        found = whole_law(framework, [query])
        assert found.near
        assert found.leakage.lower <= exact.upper
        assert exact.lower <= found.leakage.upper


@pytest.mark.parametrize(
    ("module", "limit"),
    [(whole, "MOST_FLOATS"), (whole, "MOST_WORK"), (whole, "MOST_ORDERED"), (elimination, "MOST_FLOATS")],
)
def test_there_is_no_whole_law_where_tables_are_too_large(module, limit, monkeypatch):
    framework, queries = random_case(Random(1))
    monkeypatch.setattr(module, limit, 1)
    assert whole_law(framework, queries) is None


def test_there_is_no_whole_law_where_noise_is_so_small_that_it_underflows():
    framework, _ = random_case(Random(1))
    tiny = [RecordQuery("count", Noise.laplace("1/1000"), framework.records, counted="0")]
    assert whole_law(framework, tiny) is None


def test_there_is_no_whole_law_where_a_likelihood_is_barely_above_what_underflows():
    """Its lower end is 10^-311 then, and a quotient by it no float."""
    count = 90
    same, other = {"0": ["1", "0"], "1": ["0", "1"]}, {"0": ["0", "1"], "1": ["1", "0"]}
    parents = {i: [i - 1] if i > 1 else [] for i in range(1, count + 1)}
    cpt = {i: same if above else {"": ["1/2", "1/2"]} for i, above in parents.items()}
    network = BayesianNetwork(parents, {**cpt, count: other})
    records = Records(count, ("0", "1"))
    framework = Framework.of_records(records, {"0": (1, "0"), "1": (1, "1")}, "disjoint", {"net": network})
    noise = Noise.laplace(Fraction(1688849860263936, 12960947077436621))
    assert whole_law(framework, [RecordQuery("count", noise, records, counted="1")]) is None


def test_bounds_without_an_account_keep_a_level_only_by_their_upper_end():
    framework, queries = random_case(Random(3))
    found = whole_law(framework, queries)
    assert found.account is None
    low, high = found.leakage.lower, found.leakage.upper
    assert low < high
    assert found.compare(Level.log((low + high) / 2)) is None
    assert found.compare(Level.log(high + 1)) == -1
    assert found.compare(Level.log((1 + low) / 2)) == 1
    assert found.as_json(None)["bound"] is None


@seeds(100)
def test_convolutions_are_sums_of_products(seed, monkeypatch):
    """All ways, in small blocks too: values are integers, so that floats are exact."""
    random = Random(seed)
    draw = np.random.default_rng(seed)
    shape = [random.randint(1, 4) for _ in range(random.randint(0, 4))]
    one, other = ([random.choice([1, side]) for side in shape] for _ in range(2))
    other = [side if short == 1 else long for side, short, long in zip(shape, one, other)]
    terms = [random.choice([1, 2, 9, 40]) for _ in range(2)]
    f, g = (draw.integers(0, 9, [*axes, n]).astype(float) for axes, n in zip((one, other), terms))
    into = draw.integers(0, 9, [*shape, sum(terms) + 2]).astype(float)
    true = into.copy()
    for k in range(terms[0]):
        true[..., 1 + k : 1 + k + terms[1]] += f[..., k : k + 1] * g
    monkeypatch.setattr(elimination, "_BLOCK", random.choice([1, 100, 1 << 16]))
    monkeypatch.setattr(elimination, "_PRODUCTS", random.choice([100, 1 << 17]))
    monkeypatch.setattr(elimination, "_TERM", random.choice([0, 10, 10**6]))
    add_convolved(f, g, into[..., 1 : sum(terms)])
    assert (into == true).all()


def test_what_underflows_is_lost_and_counted(monkeypatch):
    """Probabilities of 1e-200 each: their product is no float, and the exact one is in the loss."""
    small = Fraction(1, 10**200)
    row = [1 - small, small]
    network = BayesianNetwork(
        {1: [], 2: [1], 3: [1]}, {1: {"": ["1/2", "1/2"]}, 2: {"0": row, "1": row}, 3: {"0": row, "1": row}}
    )
    adds = {i: [0, 1] for i in (1, 2, 3)}
    found = CountElimination(network, Records(3, ("0", "1")), 1, adds).laws()
    assert [float(law.weights[add + 2]) for add, law in enumerate(found)] == [0, 0]
    assert all(Fraction(law.lost) >= small**2 for law in found)


@seeds(60)
def test_orders_of_least_fill_meet_every_table(seed):
    random = Random(seed)
    scopes = [random.sample(range(1, 9), random.randint(1, 3)) for _ in range(9)]
    hidden = {each for scope in scopes for each in scope} - {scopes[0][0]}
    left = [set(scope) for scope in scopes]
    order = least_fill(scopes, hidden, dict.fromkeys(range(1, 9), 2))
    assert {record for record, _ in order} == hidden
    for record, around in order:
        met = set().union(*(scope for scope in left if record in scope)) - {record}
        assert met <= set(around)
        left = [scope for scope in left if record not in scope] + [met]


def test_orders_begin_with_leaves_and_stop_at_large_tables():
    sizes = dict.fromkeys(range(1, 1001), 2)
    star = [(1, leaf) for leaf in range(2, 1001)]
    assert [around for _, around in least_fill(star, range(2, 1001), sizes)] == [(1,)] * 999
    with pytest.raises(TooLargeError, match="entries in tables of a network"):
        least_fill([range(1, 40)], range(2, 40), sizes)
