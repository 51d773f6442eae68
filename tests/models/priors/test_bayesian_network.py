"""Bayesian networks: laws by elimination, separation and quilts, against the joint law written
out.
"""

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.verify.influence.network import NetworkQuilts, is_quilt

BITS = ("0", "1")


def dags(count):
    """All DAGs on 1 .. count whose arrows go upwards; every DAG is one of them up to names."""
    arrows = list(combinations(range(1, count + 1), 2))
    for kept in product((False, True), repeat=len(arrows)):
        chosen = [arrow for arrow, keep in zip(arrows, kept) if keep]
        yield {record: [tail for tail, head in chosen if head == record] for record in range(1, count + 1)}


def network_on(parents, random, alphabet=BITS, zeros=0.2):
    """A network with random tables, some entries zero."""
    cpt = {}
    for record, above in parents.items():
        rows = {}
        for values in product(alphabet, repeat=len(above)):
            weights = [0 if random.random() < zeros else random.randint(1, 9) for _ in alphabet]
            weights[random.randrange(len(alphabet))] = 3
            rows["".join(values)] = [Fraction(weight, sum(weights)) for weight in weights]
        cpt[record] = rows
    return BayesianNetwork(parents, cpt)


def joint(network, records):
    """The joint law by values, from `law`."""
    labels = records.labels()
    law = network.law(labels, records)
    return {tuple(label): Fraction(weight, law.total) for label, weight in zip(labels, law.weights)}


def brute_law(network, records):
    """The joint law from the tables as they were given."""
    tables = [dict(rows) for rows in network.cpt]
    found = {}
    for x in product(records.alphabet, repeat=records.count):
        p = Fraction(1)
        for i, above in enumerate(network.parents):
            p *= tables[i]["".join(x[a - 1] for a in above)][records.alphabet.index(x[i])]
        found[x] = p
    return found


def brute_influence(law, record, others):
    ratios = [Fraction(1)]
    values = sorted({x[record - 1] for x, p in law.items() if p})
    for v, w in product(values, repeat=2):
        mass = {u: sum(p for x, p in law.items() if x[record - 1] == u) for u in (v, w)}
        for z in {tuple(x[o - 1] for o in others) for x in law}:
            given = {
                u: sum(p for x, p in law.items() if x[record - 1] == u and tuple(x[o - 1] for o in others) == z)
                / mass[u]
                for u in (v, w)
            }
            if given[v] and not given[w]:
                return None
            if given[w]:
                ratios.append(given[v] / given[w])
    return max(ratios)


def independent(law, record, remote, quilt):
    """Whether X_R is independent of X_i given X_Q under one law."""
    for q in {tuple(x[o - 1] for o in quilt) for x, p in law.items() if p}:
        seen = {}
        for x, p in law.items():
            if p and tuple(x[o - 1] for o in quilt) == q:
                r = tuple(x[o - 1] for o in remote)
                seen.setdefault(x[record - 1], {}).setdefault(r, Fraction(0))
                seen[x[record - 1]][r] += p
        laws = [{r: p / sum(given.values()) for r, p in given.items()} for given in seen.values()]
        if any(found != laws[0] for found in laws):
            return False
    return True


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_laws_are_those_of_the_tables(count):
    random, records = Random(count), Records(count, BITS)
    for parents in dags(count):
        network = network_on(parents, random)
        expected = brute_law(network, records)
        assert joint(network, records) == expected
        for size in range(1, count + 1):
            for chosen in combinations(range(1, count + 1), size):
                order = random.sample(chosen, size)
                table = network.law_of(order, records).table
                for values in product((0, 1), repeat=size):
                    wanted = dict(zip(order, values))
                    mass = sum(p for x, p in expected.items() if all(x[r - 1] == BITS[v] for r, v in wanted.items()))
                    assert table[values] == mass


@pytest.mark.parametrize("count", [2, 3, 4])
def test_influences_are_those_of_the_joint_law(count):
    random, records = Random(10 + count), Records(count, BITS)
    seen_infinite = 0
    for parents in dags(count):
        quilts = NetworkQuilts(network_on(parents, random), records)
        law = joint(quilts.network, records)
        record = random.randint(1, count)
        others = [o for o in range(1, count + 1) if o != record and random.random() < 0.7]
        expected = brute_influence(law, record, others)
        seen_infinite += expected is None
        assert quilts.influence(record, others) == expected
    assert seen_infinite


def test_quilts_are_the_labellings_that_hold_for_all_laws():
    """Every labelling of 4 records: accepted ones hold under random laws, refused ones fail
    under some or by the graph.
    """
    random, records = Random(5), Records(4, BITS)
    for parents in dags(4):
        laws = [joint(network_on(parents, random, zeros=0), records) for _ in range(2)]
        quilts = NetworkQuilts(network_on(parents, random), records)
        graph = quilts.network.graph()
        for labels in product("QNR", repeat=4):
            parts = {part: [i for i in range(1, 5) if labels[i - 1] == part] for part in "QNR"}
            if 1 not in parts["N"]:
                continue
            fault = is_quilt(graph, 1, parts["Q"], parts["N"], parts["R"])
            holds = all(independent(law, 1, parts["R"], parts["Q"]) for law in laws)
            if not fault:
                assert holds
                found = quilts.of(1, parts["Q"])
                assert set(found.nearby) <= set(parts["N"])
                assert not is_quilt(graph, 1, found.quilt, found.nearby, found.remote)
            elif fault.startswith("2"):
                assert not holds


def test_a_collider_in_the_quilt_connects():
    """1 -> 3 <- 2: given 3 the two parents depend on each other, so that 2 is nearby although
    deleting 3 cuts it off.
    """
    random = Random(1)
    network = network_on({1: [], 2: [], 3: [1, 2]}, random, zeros=0)
    quilts = NetworkQuilts(network, Records(3, BITS))
    assert quilts.of(1, [3]).nearby == (1, 2)
    assert quilts.of(1, []).remote == ()
    assert quilts.influence(1, [2]) == 1
    assert is_quilt(network.graph(), 1, [3], [1], [2]).startswith("2")
    assert is_quilt(network.graph(), 1, [], [1, 3], [2]).startswith("1(c)")
    assert is_quilt(network.graph(), 1, [2], [3], [1]).startswith("1(b)")
    assert is_quilt(network.graph(), 1, [2], [1], []).startswith("1(a)")


@pytest.mark.parametrize(
    ("parents", "cpt", "message"),
    [
        ({"1": ["2"], "2": ["1"]}, {"1": {}, "2": {}}, "parents: expected a graph without cycles, found 1 -> 2 -> 1"),
        ({"1": ["1"]}, {"1": {}}, "parents: expected a graph without cycles, found 1 -> 1"),
        ({"1": ["3"]}, {"1": {}}, "parents.1: expected a record from"),
        ({"1": [], "3": []}, {}, "parents: expected a record from"),
        ({"1": []}, {}, "cpt: expected at least one node"),
        ({"1": [], "2": []}, {"1": {"": ["1", "0"]}}, "cpt: expected an entry for record 2"),
        ({"1": [], "2": ["1", "1"]}, {"1": {}, "2": {}}, "parents.2: expected different parents"),
        ({"1": []}, {"1": {"": ["1/2", "1/4"]}}, 'cpt.1[""]: sums to 3/4'),
        ({"1": []}, {"1": {"": ["1/2", "1/4", "1/4"]}}, 'cpt.1[""]: expected 2 entries, one per value, found 3'),
        (
            {"1": []},
            {"1": {"0": ["1", "0"]}},
            'cpt.1: expected 1 rows, for a record without parents, found 1: no row ""',
        ),
        ({"1": []}, {"1": {"": "10"}}, 'cpt.1[""]: expected a list of probabilities'),
        ({"1": []}, {"1": {"": ["3/2", "-1/2"]}}, 'cpt.1[""]: expected a probability'),
    ],
)
def test_bad_networks_are_refused(parents, cpt, message):
    with pytest.raises(ModelError) as error:
        BayesianNetwork(parents, cpt).tables(Records(len(parents), BITS))
    assert str(error.value).startswith(message)


def test_quilts_that_are_none_are_refused():
    network = network_on({1: [], 2: [1]}, Random(0))
    quilts = NetworkQuilts(network, Records(2, BITS))
    with pytest.raises(ModelError, match="other than 1 itself"):
        quilts.of(1, [1])
    with pytest.raises(ModelError, match="from 1 to 2"):
        quilts.influence(1, [3])
    with pytest.raises(ModelError, match="expected 3 nodes, one per record, found 2"):
        NetworkQuilts(network, Records(3, BITS))
