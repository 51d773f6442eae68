"""Contacts with a transmission in an interval: no member that is drawn exceeds a bound, and single
transmissions have the bound of elimination.
"""

import random
from fractions import Fraction
from itertools import product
from math import log

import pytest
from tests import seeds

from pufferproof import Channel, Framework, Level, ModelError, Noise, RecordQuery, Records, audit, translate
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.models.priors.forest import families_of
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.verify.noise.accounts.elimination import float_above, orders_within, ratio_above
from pufferproof.verify.noise.classes.networks import contacts_ratio
from pufferproof.verify.noise.scale.networks import class_scale

F = Fraction
LEVELS = ["log(1)", "log(2)", "log(3)", "log(7/3)"]


def drawn(draw, count):
    """Contacts with loops; bases and transmissions of 0 and 1 among them."""
    pairs = [(i, j) for j in range(2, count + 1) for i in range(1, j)]
    names = draw.sample(range(1, count + 1), count)
    edges = [(names[i - 1], names[j - 1]) for i, j in pairs if draw.random() < 0.6]
    ends = sorted(draw.choice([F(0), F(1, 10), F(1, 4), F(1, 2), F(9, 10), F(1)]) for _ in "ab")
    base = draw.choice([F(1, 1000), F(1, 10), F(1, 2)])
    return Contacts(count, edges or [(1, 2)], ends, base)


def space(contacts, record, priors=None):
    secrets = {f"x{v}": (record, v) for v in "01"}
    records = Records(contacts.count, ("0", "1"))
    return Framework(records, secrets, "disjoint", priors or {"contacts": contacts})


def between(contacts, draw):
    width = contacts.upper - contacts.lower
    inside = [contacts.lower + width * F(draw.randint(1, 99), 100) for _ in range(2)]
    return [contacts.lower, contacts.upper, *inside]


@seeds(60)
def test_no_member_and_no_mechanism_of_the_levels_exceeds_the_bound(seed):
    draw = random.Random(seed)
    contacts = drawn(draw, draw.choice([2, 3, 4]))
    record = draw.randint(1, contacts.count)
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(contacts.count)])
    rates = [levels.at(i).exact for i in range(1, contacts.count + 1)]
    bound = contacts_ratio(contacts, record, rates)
    for transmission in between(contacts, draw):
        member = space(contacts, record, {"one": contacts.at(transmission)})
        assert worst_column(member, levels).ratio <= bound


@seeds(20)
def test_one_transmission_has_the_bound_of_elimination(seed):
    draw = random.Random(seed)
    contacts = drawn(draw, 5)
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(5)])
    one = Contacts(5, contacts.edges, contacts.upper, contacts.base)
    found = contacts_ratio(one, 2, [levels.at(i).exact for i in range(1, 6)])
    if contacts.upper < 1:  # else rows are impossible, and may be chosen in two ways
        families = families_of(one.at(contacts.upper), Records(5, ("0", "1")))
        rates = [float_above(levels.at(i).bounds()[1]) for i in range(1, 6)]
        orders = orders_within(families, 2)
        known = min(F(ratio_above(families, 2, rates, steps)) for steps in orders)
        assert found <= known * (1 + F(1, 10**9))


@seeds(25)
def test_audits_enclose_all_members(seed):
    draw = random.Random(seed)
    contacts = drawn(draw, draw.choice([2, 3, 4]))
    record, records = draw.randint(1, contacts.count), Records(contacts.count, ("0", "1"))
    query = RecordQuery("sum", Noise.laplace(draw.choice([1, 3])), records)
    found = audit(space(contacts, record), query)
    for transmission in between(contacts, draw):
        member = space(contacts, record, {"one": contacts.at(transmission)})
        assert audit(member, query).leakage.lower <= found.leakage.upper
    known = contacts.at(found.witness.prior.removeprefix("contacts: transmission "))
    again = audit(space(contacts, record, {"one": known}), query)
    assert again.leakage.upper >= found.leakage.lower


@seeds(25)
def test_channels_and_joint_releases_enclose_all_members(seed):
    """Rows with zeros and equal rows among them; noise on integers, twice."""
    draw = random.Random(seed)
    contacts = drawn(draw, draw.choice([2, 3]))
    record, records = draw.randint(1, contacts.count), Records(contacts.count, ("0", "1"))
    rows = [[1, 0, 2], [1, 1, 1], [3, 1, 0], [2, 2, 1]]
    chosen = {x: draw.choice(rows) for x in records.labels()}
    channel = Channel.of({x: [F(w, sum(row)) for w in row] for x, row in chosen.items()}, ["u", "v", "w"])
    query = RecordQuery("sum", Noise.geometric("1/2"), records)
    for mechanism in (channel, [query, query]):
        found = audit(space(contacts, record), mechanism).leakage
        for transmission in between(contacts, draw):
            member = space(contacts, record, {"one": contacts.at(transmission)})
            known = audit(member, mechanism).leakage
            assert found.upper is None or known.lower <= found.upper


@seeds(12)
def test_bounds_of_few_people_meet_where_the_worst_is_at_an_end(seed):
    draw = random.Random(100 + seed)
    count = draw.choice([2, 3, 4])
    edges = [(i, j) for j in range(2, count + 1) for i in range(1, j) if draw.random() < 0.7]
    contacts = Contacts(count, edges or [(1, 2)], ["0", "1/2"], "1/10")
    query = RecordQuery("sum", Noise.laplace(2), Records(count, ("0", "1")))
    found = audit(space(contacts, 1), query)
    assert found.leakage.upper <= found.leakage.lower * (1 + F(1, 10**5))


def test_tables_are_a_noisy_or():
    """P(healthy) is that of no infection by anybody, from the definition."""
    contacts = Contacts(4, [(1, 4), (2, 4), (3, 4)], "1/3", "1/5")
    network = contacts.at("1/3")
    for ill in product((0, 1), repeat=3):
        healthy = F(4, 5)
        for each in ill:
            healthy *= F(2, 3) if each else 1
        assert dict(network.cpt[3])["".join(map(str, ill))] == (healthy, 1 - healthy)


def test_one_transmission_for_all_leaks_no_more_than_one_for_each():
    contacts = Contacts(4, [(1, 2), (1, 3), (2, 4), (3, 4)], ["0", "1/2"], "1/10")
    query = RecordQuery("sum", Noise.laplace(5), Records(4, ("0", "1")))
    shared, own = (audit(space(contacts, 1, {"c": x}), query) for x in (contacts, contacts.own()))
    assert shared.leakage.upper < own.leakage.upper
    lower, upper = (log(end) for end in (shared.leakage.lower, shared.leakage.upper))
    assert 0.458315 < lower < upper < 0.458317
    assert shared.witness.prior == "c: transmission 1/2"


def test_nobody_ill_leaves_nothing_to_check():
    contacts = Contacts(2, [(1, 2)], ["0", "1/2"], 0)
    query = RecordQuery("sum", Noise.laplace(1), Records(2, ("0", "1")))
    with pytest.raises(ModelError, match="nothing to check"):
        audit(space(contacts, 1), query)


def test_infinite_levels_have_no_bound():
    contacts = Contacts(2, [(1, 2)], ["0", "1/2"], "1/10")
    assert contacts_ratio(contacts, 1, [None, F(2)]) is None


@pytest.mark.parametrize("seed", range(8))
def test_noise_and_levels_over_the_class_are_kept_by_members(seed):
    draw = random.Random(200 + seed)
    contacts, level = drawn(draw, draw.choice([2, 3])), Level.of_nats(1)
    record, records = draw.randint(1, contacts.count), Records(contacts.count, ("0", "1"))
    box = draw.choice([contacts, contacts.own()])
    scale = class_scale(box, records, level, [record]).scale.upper
    query = RecordQuery("sum", Noise.laplace(scale), records)
    worst = translate(space(contacts, record, {"class": box}), ["log(2)"])
    for transmission in between(contacts, draw):
        member = space(contacts, record, {"one": contacts.at(transmission)})
        assert audit(member, query, level).verdict.value == "SATISFIES"
        known = worst_column(member, RecordLevels.uniform(contacts.count, ["log(2)"]))
        assert known.ratio <= worst.leakage.upper
    assert worst.leakage.lower <= worst.leakage.upper
