"""Priors in framework files: networks, hidden Markov models and contacts."""

import json
from fractions import Fraction

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork

# Framework files with Bayesian networks, BIF files and hidden Markov models as priors.


NETWORK = {
    "parents": {"1": [], "2": ["1"], "3": ["1", "2"]},
    "cpt": {
        "1": {"": ["1/2", "1/2"]},
        "2": {"0": ["1/3", "2/3"], "1": ["1", "0"]},
        "3": {"00": ["1/2", "1/2"], "01": ["1/4", "3/4"], "10": ["1", "0"], "11": ["1/5", "4/5"]},
    },
}
HIDDEN = {
    "initial": "stationary",
    "transition": [["3/4", "1/4"], ["1/4", "3/4"]],
    "emission": [["9/10", "1/10"], ["1/5", "4/5"]],
}
BIF = """variable a { type discrete [ 2 ] { 0, 1 }; } variable b { type discrete [ 2 ] { 0, 1 }; }
variable c { type discrete [ 2 ] { 0, 1 }; }
probability ( a ) { table 0.5, 0.5; } probability ( b | a ) { (0) 0.25, 0.75; (1) 1, 0; }
probability ( c | b ) { default 0.5, 0.5; }"""


@pytest.fixture
def read(tmp_path):
    def of(**priors):
        document = {
            "format": "pufferproof-framework/1",
            "records": {"count": 3, "alphabet": ["0", "1"]},
            "secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}},
            "pairs": [["s", "t"]],
            "priors": priors,
        }
        path = tmp_path / "deep" / "framework.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))
        return read_framework(path).value

    return of


def test_a_network_is_its_product_of_tables(read):
    framework = read(theta={"bayes_net": NETWORK})
    law = framework.laws["theta"]
    found = dict(zip(framework.databases, law.weights))
    assert Fraction(found["011"], law.total) == Fraction(1, 2) * Fraction(2, 3) * Fraction(3, 4)
    assert found["110"] == 0
    assert isinstance(framework.priors["theta"], BayesianNetwork)


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ({"bayes_net": {}}, 'theta.bayes_net: expected either "bif" or both "parents" and "cpt"'),
        ({"bayes_net": {"bif": "a.bif", "parents": {}}}, 'expected either "bif" or both'),
        ({"bayes_net": {"parents": NETWORK["parents"]}}, 'expected either "bif" or both'),
        ({"bayes_net": {"bif": "missing.bif"}}, "missing.bif: cannot be read"),
        (
            {"bayes_net": {**NETWORK, "parents": {"1": ["3"], "2": ["1"], "3": ["2"]}}},
            "without cycles, found 1 -> 2 -> 3 -> 1",
        ),
        (
            {"bayes_net": {"parents": {"1": []}, "cpt": {"1": {"": ["1", "0"]}}}},
            "expected 3 nodes, one per record, found 1",
        ),
        (
            {"bayes_net": {**NETWORK, "cpt": {**NETWORK["cpt"], "2": {"0": ["1", "0"]}}}},
            'priors.theta: cpt.2: expected 2 rows, one per combination of the values of record 1, found 1: no row "1"',
        ),
        (
            {"hidden_markov": {**HIDDEN, "emission": [["1", "0"]]}},
            "priors.theta: emission: expected 2 rows, one per hidden state",
        ),
        ({"hidden_markov": {**HIDDEN, "initial": "any"}}, "stationary"),
    ],
)
def test_bad_priors_are_refused(read, prior, message):
    with pytest.raises(ModelError) as error:
        read(theta=prior)
    assert message in str(error.value)


# Contacts in files: from a list or an edge list beside the framework, and all that is refused.


EDGES = [["1", "2"], [1, 3], ["2", "3"]]


@pytest.fixture
def read_contacts(tmp_path):
    def of(alphabet=("0", "1"), **contacts):
        known = {"edges": EDGES, "transmission": "1/2", "base": "1/10", **contacts}
        document = {
            "format": "pufferproof-framework/1",
            "records": {"count": 3, "alphabet": list(alphabet)},
            "secrets": {x: {"record": 1, "value": x} for x in alphabet[:2]},
            "pairs": "disjoint",
            "priors": {"theta": {"contacts": known}},
        }
        path = tmp_path / "framework.json"
        path.write_text(json.dumps(document))
        return read_framework(path)

    return of


def test_contacts_are_a_network_of_noisy_ors(read_contacts):
    network = read_contacts().value.priors["theta"]
    assert network.parents == ((), (1,), (1, 2))
    assert network == Contacts(3, EDGES, "1/2", "1/10").at("1/2")


def test_values_have_any_names(read_contacts):
    network = read_contacts(alphabet=("well", "ill")).value.priors["theta"]
    assert [key for key, _ in network.cpt[2]] == ["well,well", "well,ill", "ill,well", "ill,ill"]


def test_an_interval_is_a_class_of_one_transmission_or_of_one_for_each(read_contacts):
    shared = read_contacts(transmission=["0", "1/2"]).value.priors["theta"]
    own = read_contacts(transmission=["0", "1/2"], **{"class": "own"}).value.priors["theta"]
    assert shared == Contacts(3, EDGES, ["0", "1/2"], "1/10")
    assert isinstance(own, IntervalNetwork)
    low, high = own.rows[2]["11"]
    assert [str(x) for x in (*low, *high)] == ["9/40", "1/10", "9/10", "31/40"]


@pytest.mark.parametrize(
    ("contacts", "message"),
    [
        ({"edges": []}, "theta: contacts.edges: expected at least one contact, found none"),
        ({"edges": [["1", "1"]]}, "contacts.edges[0]: expected two people, found 1 twice"),
        ({"edges": [*EDGES, ["1", "2"]]}, "contacts.edges[3]: the contact of 1 and 2 is listed twice"),
        ({"edges": [["1", "2"], ["2", "3"], ["3", "1"]]}, "found the cycle 1 -> 2 -> 3 -> 1"),
        ({"edges": [["1", "2"], ["2", "1"]]}, "found the cycle 1 -> 2 -> 1"),
        ({"edges": [["1", "4"]]}, 'a record from "1" to "3", found \'4\''),
        ({"edges": [["1", "ann"]]}, 'a record from "1" to "3", found \'ann\''),
        ({"edges": [["1"]]}, "contacts.edges[0]: expected at least 2 items, found 1"),
        ({"edges": [["1", "2", "3"]]}, "contacts.edges[0]: expected at most 2 items, found 3"),
        ({"edges": "none.txt"}, "none.txt: cannot be read"),
        ({"edges": "../met.txt"}, "expected the name of a file inside the folder"),
        ({"transmission": "3/2"}, "contacts.transmission: expected a number from 0 to 1, found 3/2"),
        ({"transmission": "-1/2"}, "contacts.transmission: expected a number from 0 to 1"),
        ({"transmission": ["1/2", "1/4"]}, "expected the least first, found 1/2 and 1/4"),
        ({"transmission": ["1/2"]}, "contacts.transmission: expected at least 2 items, found 1"),
        ({"base": "2"}, "contacts.base: expected a number from 0 to 1, found 2"),
        ({"class": "both"}, 'contacts.class: expected "shared" or "own"'),
        ({"alphabet": ("a", "b", "c")}, "records of two values, healthy first, found 3"),
    ],
)
def test_bad_contacts_are_refused(read_contacts, contacts, message):
    with pytest.raises(ModelError) as error:
        read_contacts(**contacts)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3\n", "met.txt: line 1: expected two people"),
        ("1 2\n3\n", "met.txt: line 2: expected two people"),
        ("# nobody\n", "contacts.edges: expected at least one contact, found none"),
        ("1 2\n1 2\n", "contacts.edges[1]: the contact of 1 and 2 is listed twice"),
    ],
)
def test_bad_edge_lists_are_refused(read_contacts, tmp_path, text, message):
    (tmp_path / "met.txt").write_text(text)
    with pytest.raises(ModelError) as error:
        read_contacts(edges="met.txt")
    assert message in str(error.value)
