"""Influence curves along chains, by the gaps to both sides, against every hidden set."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tests import seeds
from tests.brute import influence as brute
from tests.brute.influence import sequence_law

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.influence.curves.chains import chain_points, published_curve
from pufferproof.verify.influence.curves.framework import influence_curve, listed_points
from pufferproof.verify.influence.curves.point import ChainStart, Order

STICKY = [["99/100", "1/100"], ["1/10", "9/10"]]
WEIGHTS = [0, 1, 1, 2, 3, 5]


def law(random, size, weights=WEIGHTS):
    while not sum(row := [random.choice(weights) for _ in range(size)]):
        pass
    return [Fraction(weight, sum(row)) for weight in row]


def random_prior(random, size, count):
    """A product, or a chain from its stationary law or another, zeros and both signs included."""
    rows = [law(random, size) for _ in range(size)]
    kind = random.choice(["product", "stationary", "other", "other"])
    if kind == "product":
        return Product([law(random, size) for _ in range(count)])
    chain = MarkovChain("stationary" if kind == "stationary" else law(random, size), rows)
    try:
        chain.initial_law()
    except ModelError:
        return MarkovChain(law(random, size), rows)
    return chain


def joint(prior, count, size):
    if isinstance(prior, MarkovChain):
        return sequence_law(prior.initial_law(), prior.transition, count)
    found = {}
    for values in product(range(size), repeat=count):
        weight = Fraction(1)
        for row, value in zip(prior.rows, values):
            weight *= row[value]
        if weight:
            found[values] = weight
    return found


def framework_of(priors, count, alphabet, records):
    secrets = {f"x{i}={letter}": (i, letter) for i in records for letter in alphabet}
    return Framework.of_records(Records(count, tuple(alphabet)), secrets, "disjoint", priors)


def pairs_of(records, size):
    return [
        (brute.value_at(i, v), brute.value_at(i, w))
        for i in records
        for v, w in product(range(size), repeat=2)
        if v != w
    ]


def orders_of(records, size):
    return [
        Order((f"x{i}={v}", f"x{i}={w}"), i, v, w) for i in records for v, w in product(range(size), repeat=2) if v != w
    ]


@seeds(120)
def test_curves_are_those_of_the_definition(seed):
    random = Random(seed)
    size, count = random.choice([(2, 5), (2, 4), (3, 3), (2, 1), (2, 2), (3, 2)])
    priors = {f"t{index}": random_prior(random, size, count) for index in range(seed % 2 + 1)}
    records = random.sample(range(1, count + 1), random.randint(1, count))
    framework = framework_of(priors, count, "abc"[:size], records)
    laws = [joint(prior, count, size) for prior in priors.values()]
    expected = brute.curve(laws, pairs_of(records, size), count)
    if expected[-1] == 0:
        with pytest.raises(ModelError, match="nothing to check"):
            influence_curve(framework)
        return
    points = influence_curve(framework)
    assert [point.upper for point in points] == expected
    assert all(point.exact for point in points)
    for point in points:
        check_attained(point, laws, count, framework)


@pytest.mark.parametrize("transition", [STICKY, [["1/100", "99/100"], ["9/10", "1/10"]]])
@pytest.mark.parametrize("most", range(6))
def test_a_short_curve_of_all_records_is_the_beginning_of_the_whole(transition, most):
    """Record b, with b - 1 before it, hides them all; records after it cannot."""
    chain, every = MarkovChain("stationary", transition), range(1, 6)
    laws = [sequence_law(chain.initial_law(), chain.transition, 5)]
    expected = brute.curve(laws, pairs_of(every, 2), 5, most)
    framework = framework_of({"t": chain}, 5, "ab", every)
    assert [point.upper for point in influence_curve(framework, most)] == expected
    started = MarkovChain(["1/3", "2/3"], transition)
    laws = [sequence_law(started.initial_law(), started.transition, 5)]
    framework = framework_of({"t": started}, 5, "ab", every)
    known = [point.upper for point in influence_curve(framework, most)]
    assert known == brute.curve(laws, pairs_of(every, 2), 5, most)


def check_attained(point, laws, count, framework):
    """What a point says of its hidden set and its pair is so."""
    if point.hidden is None or point.infinite:
        return
    assert len(point.hidden) <= point.b
    shown = [record for record in range(1, count + 1) if record not in set(point.hidden)]
    secrets = tuple(brute.value_at(*framework.places[name]) for name in point.pair)
    assert max(brute.ratio(law, secrets, shown) for law in laws) == point.upper


@seeds(12)
def test_any_initial_law(seed):
    random = Random(seed)
    size, count = random.choice([(2, 4), (3, 3)])
    matrix = [law(random, size, [0, 1, 2, 5] if seed % 2 else [1, 2, 5]) for _ in range(size)]
    record = random.randint(1, count)
    chain = MarkovChain(law(random, size, [1, 2]), matrix)
    orders = orders_of([record], size)
    if len(ChainInfluence(Along(chain, count)).values_of_any_start(record)) < 2:
        with pytest.raises(ModelError, match="nothing to check"):
            chain_points([ChainStart(chain, anywhere=True)], count, orders, count)
        return
    points = chain_points([ChainStart(chain, anywhere=True)], count, orders, count)
    near = Fraction(1, 10**9)
    starts = [[1 - (size - 1) * near if z == most else near for z in range(size)] for most in range(size)]
    laws = [sequence_law(start, chain.transition, count) for start in starts]
    below = brute.curve(laws, pairs_of([record], size), count)
    for point, known in zip(points, below):
        if point.infinite:
            assert known is None or known > 1_000
        else:
            assert known <= point.upper <= known * (1 + 10**6 * near)


@pytest.mark.parametrize("start", [["1", "0"], ["1/3", "2/3"]])
def test_tails_of_chains_that_are_not_stationary(start, monkeypatch):
    """Records that are not taken one by one are bounded by any law at the first of them."""
    from pufferproof.verify.influence.curves import chains

    chain = ChainStart(MarkovChain(start, [["3/4", "1/4"], ["1/2", "1/2"]]))
    exact = chain_points([chain], 60, orders_of(range(1, 61), 2), 5)
    monkeypatch.setattr(chains, "_HEAD", 0)  # eight records
    found = chain_points([chain], 60, orders_of(range(1, 61), 2), 5)
    for one, other in zip(exact, found):
        if one.infinite:
            assert other.infinite
        else:
            assert other.lower <= one.lower <= one.upper <= other.upper
            assert other.upper - other.lower < Fraction(1, 10**3)


def test_long_chains_are_enclosed_narrowly():
    chain = MarkovChain(["1/2", "1/2"], STICKY)
    points = chain_points([ChainStart(chain)], 10**6, orders_of([400_000], 2), 40)
    stationary = chain_points([ChainStart(MarkovChain("stationary", STICKY))], 10**6, orders_of([400_000], 2), 40)
    for one, other in zip(points[1:], stationary[1:]):
        assert not one.exact
        assert one.lower <= other.upper * (1 + Fraction(1, 10**30))
        assert (one.upper - one.lower) * 10**15 < one.lower - 1
        assert abs(one.upper - other.upper) < Fraction(1, 10**15)


def test_the_published_curve_is_the_curve_of_inner_records_for_positive_eigenvalues():
    random = Random(2)
    for _ in range(20):
        p, q = (Fraction(random.randint(1, 11), 12) for _ in range(2))
        chain = MarkovChain("stationary", [[p, 1 - p], [1 - q, q]])
        points = chain_points([ChainStart(chain)], 99, orders_of([50], 2), 6)
        printed = published_curve([chain], 99, 2, range(7))
        agree = [point.upper for point in points] == printed
        assert agree or p + q < 1


def test_the_published_curve_fails_for_a_negative_eigenvalue():
    chain = MarkovChain("stationary", [["1/12", "11/12"], ["3/4", "1/4"]])
    points = chain_points([ChainStart(chain)], 99, orders_of([50], 2), 4)
    printed = published_curve([chain], 99, 2, range(5))
    assert [point.upper for point in points] != printed


@pytest.mark.parametrize(
    ("prior", "said"),
    [
        (Table({"00": "1/2", "11": "1/2"}), "none: for Markov chains"),
        (MarkovChain([1, 0, 0], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]), "for chains of two values"),
        (MarkovChain([1, 0], [[1, 0], ["1/2", "1/2"]]), "of positive probability"),
        (MarkovChain([1, 0], STICKY), "for a stationary start"),
    ],
)
def test_why_there_is_no_published_value(prior, said):
    states = len(prior.transition) if isinstance(prior, MarkovChain) else 2
    assert said in published_curve([prior], 2, states, [1])[0]


def test_bad_questions():
    framework = framework_of({"theta": MarkovChain("stationary", STICKY)}, 3, "ab", [2])
    with pytest.raises(ModelError, match=r"from 0 to 3 hidden records \(all 3 records\), found 4"):
        influence_curve(framework, 4)
    with pytest.raises(ModelError, match="found -1"):
        influence_curve(framework, -1)
    with pytest.raises(ModelError, match="expected at least one pair of secrets, found none"):
        chain_points([ChainStart(MarkovChain("stationary", STICKY))], 3, [], 1)
    listed = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, "disjoint", {"t": Table({"a": 1, "b": 0})})
    with pytest.raises(ModelError, match="a curve needs databases made of records"):
        influence_curve(listed)


def test_secrets_that_are_sets_of_databases_and_tables():
    random = Random(4)
    labels = ["".join(values) for values in product("01", repeat=3)]
    for _ in range(10):
        table = dict(zip(labels, law(random, 8)))
        chosen = random.sample(labels, 5)
        secrets = {"s": chosen[:2], "t": chosen[2:]}
        framework = Framework.of_records(Records(3, ("0", "1")), secrets, [("s", "t")], {"theta": Table(table)})
        joint_law = {tuple(map(int, label)): p for label, p in table.items() if p}
        pair = [lambda x, held=held: "".join(map(str, x)) in held for held in (chosen[:2], chosen[2:])]
        expected = brute.curve([joint_law], [pair, pair[::-1]], 3)
        if expected[-1] == 0:
            continue
        points = influence_curve(framework)
        assert [point.upper for point in points] == expected
        assert listed_points(framework, 1) == points[:2]
        for point in points:
            secrets = [pair[0] if name == "s" else pair[1] for name in point.pair]
            if point.hidden is not None and not point.infinite:
                shown = [record for record in (1, 2, 3) if record not in point.hidden]
                assert brute.ratio(joint_law, secrets, shown) == point.upper
