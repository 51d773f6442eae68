"""Two examples beside differential privacy, from the definition: one composes linearly without
it, one leaks with it.
"""

from fractions import Fraction
from itertools import product

from tests.brute.definitions import leakage

from pufferproof import Channel, Framework, Table
from pufferproof.claims.ours.worst.growth.conditions import COLUMNS
from pufferproof.claims.ours.worst.records.privacy import one_record
from pufferproof.models.mechanisms.releases import repeat


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
