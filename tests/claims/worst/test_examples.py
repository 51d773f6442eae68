"""Examples of worst cases, from the definition."""

from fractions import Fraction
from itertools import product

import pytest
from tests.brute.definitions import leakage
from tests.brute.worst import (
    _kernel,
    laws,
)
from tests.claims.examination import examined
from tests.claims.rules import assert_reproducible, evidence

from pufferproof import Channel, Framework, Table
from pufferproof.claims.ours.worst.rays.supports import seven_databases
from pufferproof.claims.ours.worst.records.privacy import one_record
from pufferproof.models.mechanisms.releases import repeat

COLUMNS = ((3, 3, 1, 4), (3, 3, 4, 1), (1, 4, 3, 3), (4, 1, 3, 3))

# Levels for each record: a counterexample to levels that are split, evaluated afresh.


@pytest.mark.claims
def test_a_parity_is_worse_than_one_mechanism_for_each_bit():
    found = examined("worst.levels-split")
    assert_reproducible(found)
    assert evidence(found)["largest ratio of the first"] == Fraction(5, 4)
    columns = [
        {x: f[int(x[0])] * g[int(x[1])] for x in ("00", "01", "10", "11")}
        for f, g in product([(1, 2), (2, 1), (1, 1)], repeat=2)
    ]
    odds = [Fraction(u["00"] + u["11"], u["01"] + u["10"]) for u in columns]
    assert max(max(each, 1 / each) for each in odds) == Fraction(5, 4)


# Two examples beside differential privacy, from the definition: one composes linearly without it,
# one leaks with it.


def test_coupling_composes_linearly_without_differential_privacy():
    names = ("a1", "a2", "b1", "b2")
    quarter = Fraction(1, 4)
    framework = Framework(
        names,
        {"a": ["a1", "a2"], "b": ["b1", "b2"]},
        [("a", "b")],
        {"even": Table(dict.fromkeys(names, quarter))},
    )
    rows = {name: [Fraction(column[x], 11) for column in COLUMNS] for x, name in enumerate(names)}
    channel = Channel.of(rows, ["1", "2", "3", "4"])
    for runs in range(1, 7):
        assert leakage(framework, repeat(channel, runs))[0] <= Fraction(3, 2) ** runs
    for x, y in product((0, 1), (2, 3)):
        assert max(Fraction(column[x], column[y]) for column in COLUMNS) >= 3
        assert max(Fraction(column[y], column[x]) for column in COLUMNS) >= 3


def test_two_releases_of_level_zero_leak_although_each_has_differential_privacy():
    framework, channel = one_record()
    assert leakage(framework, channel)[0] == 1
    assert leakage(framework, channel.beside(channel))[0] == Fraction(9, 8)


# Seven databases with a ray of more entries than pairs and priors together, by brute force.


def test_a_ray_with_more_entries_than_pairs_plus_priors():
    pairs = laws(seven_databases())
    rows = [tuple(m - n for m, n in zip(mu, nu)) for mu, nu in pairs[::2]]
    assert (len(rows), _kernel(rows, 7)) == (6, [1] * 7)
