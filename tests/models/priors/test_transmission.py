"""People of one transmission: what needs no table of all contacts is what the tables say."""

from fractions import Fraction
from itertools import combinations, product
from math import log
from random import Random

import networkx as nx
import pytest
from tests import seeds

from pufferproof import Framework, Noise, RecordQuery, Records, audit
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.verify.influence.network import NetworkQuilts
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio.bounds import noise_bounds

BITS = ("0", "1")


def framework_of(prior, count, record=1):
    secrets = {"well": (record, "0"), "ill": (record, "1")}
    return Framework(Records(count, BITS), secrets, [("well", "ill")], {"flu": prior})


@seeds(20)
def test_everything_is_as_with_tables(seed):
    random, count = Random(seed), 7
    edges = [e for e in combinations(range(1, count + 1), 2) if random.random() < 0.7] or [(1, 2)]
    b, a = Fraction(random.randrange(5), 4), Fraction(random.randrange(9), 8)
    people = Contacts(count, edges, min(b, 1), a)
    ours = people.at(min(b, 1))
    theirs = BayesianNetwork(people.before, people.rows(min(b, 1)))
    records = Records(count, BITS)
    assert (ours.parents, ours.cpt) == (theirs.parents, theirs.cpt)
    assert [t.tolist() for _, t in ours.tables(records)] == [t.tolist() for _, t in theirs.tables(records)]
    assert ours.law(records.labels(), records) == theirs.law(records.labels(), records)
    for chosen in [(1,), (7, 2), (3, 5, 6)]:
        assert (ours.law_of(chosen, records).table == theirs.law_of(chosen, records).table).all()
    assert NetworkQuilts(ours, records).influence(3, [1, 6]) == NetworkQuilts(theirs, records).influence(3, [1, 6])
    query = RecordQuery("sum", Noise.laplace(2), records)
    found = []
    for network in (ours, theirs):
        try:
            exact = queries_leakage(framework_of(network, count, 4), NoisyQueries((query,)))
        except ModelError as error:
            found.append(error.what)
            continue
        bounds = noise_bounds(framework_of(network, count, 4), query)
        assert bounds.leakage.lower <= exact.leakage.upper
        found.append(exact.leakage)
    assert found[0] == found[1]


def test_the_karate_club():
    graph = nx.karate_club_graph()
    edges = [sorted((i + 1, j + 1)) for i, j in graph.edges]
    people = Contacts(34, edges, "1/10", "1/20")
    query = RecordQuery("sum", Noise.laplace(5), Records(34, BITS))
    found = audit(framework_of(people.at("1/10"), 34), query)
    assert log(found.leakage.lower) == pytest.approx(0.601102236, abs=1e-9)


def test_a_contact_of_many_has_the_law_that_is_written_down():
    people = Contacts(31, [(i, 31) for i in range(1, 31)], "1/4", "1/3")
    network, records = people.at("1/4"), Records(31, BITS)
    healthy = Fraction(2, 3) * (Fraction(2, 3) + Fraction(1, 3) * Fraction(3, 4)) ** 30
    assert network.marginal(31, records) == [healthy, 1 - healthy]
    with pytest.raises(TooLargeError, match="person 31 has 30 contacts before, a table of 2"):
        network.tables(records)
    with pytest.raises(ModelError, match="at most 16 contacts before a person, each with"):
        Contacts(31, people.edges, ["1/4", "1/2"], "1/3").own()
    other = Contacts(31, people.edges, "1/2", "1/3").at("1/2")
    assert network != other
    with pytest.raises(ModelError, match="expected 31 people"):
        network.expect(Records(30, BITS))


def test_a_crowd_has_bounds():
    """Of everybody with everybody no table is small enough: what is known is told."""
    count = 40
    people = Contacts(count, list(combinations(range(1, count + 1), 2)), "1/10", "1/20")
    query = RecordQuery("sum", Noise.laplace(5), Records(count, BITS))
    found = audit(framework_of(people.at("1/10"), count), query)
    assert found.leakage.lower >= 1
    assert log(found.leakage.upper) == pytest.approx(count / 5, abs=1e-9)


def test_rows_are_those_of_the_formula():
    people = Contacts(4, [(1, 4), (2, 4), (3, 4)], "1/3", "1/5")
    for key, row in people.rows(Fraction(1, 3))[4].items():
        healthy = Fraction(4, 5) * Fraction(2, 3) ** key.count("1")
        assert row == (healthy, 1 - healthy)
    assert {*people.rows(Fraction(1, 3))[4]} == {"".join(k) for k in product("01", repeat=3)}
