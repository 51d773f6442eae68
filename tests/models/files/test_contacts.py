"""Contacts in files: from a list or an edge list beside the framework, and all that is refused."""

import json

import pytest

from pufferproof import ModelError
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.models.priors.networks.intervals import IntervalNetwork

EDGES = [["1", "2"], [1, 3], ["2", "3"]]


@pytest.fixture
def read(tmp_path):
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


def test_contacts_are_a_network_of_noisy_ors(read):
    network = read().value.priors["theta"]
    assert network.parents == ((), (1,), (1, 2))
    assert network == Contacts(3, EDGES, "1/2", "1/10").at("1/2")


def test_values_have_any_names(read):
    network = read(alphabet=("well", "ill")).value.priors["theta"]
    assert [key for key, _ in network.cpt[2]] == ["well,well", "well,ill", "ill,well", "ill,ill"]


def test_an_interval_is_a_class_of_one_transmission_or_of_one_for_each(read):
    shared = read(transmission=["0", "1/2"]).value.priors["theta"]
    own = read(transmission=["0", "1/2"], **{"class": "own"}).value.priors["theta"]
    assert shared == Contacts(3, EDGES, ["0", "1/2"], "1/10")
    assert isinstance(own, IntervalNetwork)
    low, high = own.rows[2]["11"]
    assert [str(x) for x in (*low, *high)] == ["9/40", "1/10", "9/10", "31/40"]


def test_an_edge_list_lies_beside_the_framework_and_counts_in_its_hash(read, tmp_path):
    listed, file = read(), tmp_path / "met.txt"
    file.write_text("# at work\n1 2\n\n1,3 # twice a week\n2\t3\n")
    found = read(edges="met.txt")
    assert found.value.priors == listed.value.priors
    file.write_text("1 2\n1 3\n")
    assert read(edges="met.txt").sha256 != found.sha256


@pytest.mark.parametrize(
    ("contacts", "message"),
    [
        ({"edges": []}, "theta: contacts.edges: expected at least one contact, found none"),
        ({"edges": [["1", "1"]]}, "contacts.edges[0]: expected two people, found 1 twice"),
        (
            {"edges": [*EDGES, ["1", "2"]]},
            "contacts.edges[3]: the contact of 1 and 2 is listed twice",
        ),
        ({"edges": [["1", "2"], ["2", "3"], ["3", "1"]]}, "found the cycle 1 -> 2 -> 3 -> 1"),
        ({"edges": [["1", "2"], ["2", "1"]]}, "found the cycle 1 -> 2 -> 1"),
        ({"edges": [["1", "4"]]}, 'a record from "1" to "3", found \'4\''),
        ({"edges": [["1", "ann"]]}, 'a record from "1" to "3", found \'ann\''),
        ({"edges": [["1"]]}, "contacts.edges[0]: expected at least 2 items, found 1"),
        ({"edges": [["1", "2", "3"]]}, "contacts.edges[0]: expected at most 2 items, found 3"),
        ({"edges": "none.txt"}, "none.txt: cannot be read"),
        ({"edges": "../met.txt"}, "expected the name of a file inside the folder"),
        (
            {"transmission": "3/2"},
            "contacts.transmission: expected a number from 0 to 1, found 3/2",
        ),
        ({"transmission": "-1/2"}, "contacts.transmission: expected a number from 0 to 1"),
        ({"transmission": ["1/2", "1/4"]}, "expected the least first, found 1/2 and 1/4"),
        ({"transmission": ["1/2"]}, "contacts.transmission: expected at least 2 items, found 1"),
        ({"base": "2"}, "contacts.base: expected a number from 0 to 1, found 2"),
        ({"class": "both"}, "contacts.class: expected 'shared' or 'own'"),
        ({"alphabet": ("a", "b", "c")}, "records of two values, healthy first, found 3"),
    ],
)
def test_bad_contacts_are_refused(read, contacts, message):
    with pytest.raises(ModelError) as error:
        read(**contacts)
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
def test_bad_edge_lists_are_refused(read, tmp_path, text, message):
    (tmp_path / "met.txt").write_text(text)
    with pytest.raises(ModelError) as error:
        read(edges="met.txt")
    assert message in str(error.value)
