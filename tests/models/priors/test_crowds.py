"""Classes of many people who meet: the work is counted before it is done."""

import json
from fractions import Fraction

import pytest

from pufferproof import Framework, ModelError, Noise, RecordQuery, Records, audit
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.reports.schemas.values import ContactMember, NetworkMember

BITS = ("0", "1")


def row(count, before, transmission=("1/20", "1/10")):
    """People in a row, each met by those who are just before."""
    edges = [(i, j) for j in range(2, count + 1) for i in range(max(1, j - before), j)]
    return Contacts(count, edges, list(transmission), "1/20")


def space(contacts, record=1):
    secrets = {value: (record, value) for value in BITS}
    return Framework(Records(contacts.count, BITS), secrets, "disjoint", {"c": contacts})


@pytest.mark.parametrize(("count", "before"), [(2_000, 12), (200, 12), (1_100, 1), (40, 18)])
def test_of_many_people_one_member_is_tried(count, before):
    people = row(count, before)
    assert [*people.members()] == [*people.middle()] == ["transmission 1/10"]
    assert [*row(count, before, ("1/20", "1")).members()] == ["transmission 21/40"]
    assert len(space(people).of_members().priors) == 1


def test_a_member_of_large_tables_is_what_makes_them():
    """Of 18 earlier contacts a person has no table."""
    query = RecordQuery("sum", Noise.laplace(5), Records(40, BITS))
    found = audit(space(row(40, 18)), query)
    assert 1 <= found.leakage.lower <= found.leakage.upper
    member = found.as_json()["witness"]["member"]
    assert ContactMember.model_validate(member).transmission == "1/10"
    assert member["base"] == "1/20"
    assert member["parents"]["40"] == [str(i) for i in range(22, 40)]
    assert len(json.dumps(member)) < 40 * 18 * 10


def test_a_member_of_a_small_class_is_written_out():
    found = audit(space(row(3, 2)), RecordQuery("sum", Noise.laplace(5), Records(3, BITS)))
    member = NetworkMember.model_validate(found.as_json()["witness"]["member"])
    assert Fraction(member.cpt["2"]["1"][0]) == Fraction(19, 20) * Fraction(9, 10)


def test_transmissions_of_their_own_have_few_rows():
    with pytest.raises(ModelError, match="at most 200000 rows in all tables"):
        row(200, 12).own()
