"""Examples of worst cases, from the definition."""

from fractions import Fraction
from itertools import product

from tests.brute.definitions import leakage

from pufferproof import Channel, Framework, Table
from pufferproof.models.mechanisms.releases import repeat

COLUMNS = ((3, 3, 1, 4), (3, 3, 4, 1), (1, 4, 3, 3), (4, 1, 3, 3))

# Levels for each record: a counterexample to levels that are split, evaluated afresh.


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


# Seven databases with a ray of more entries than pairs and priors together, by brute force.
