"""The exponential mechanism of a utility: what counts of values are, and its level per record."""

import math
from fractions import Fraction
from itertools import product

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.exponential import Utility
from pufferproof.models.priors.records import Records

# The exponential mechanism of a utility: its level per record, by all pairs of neighbours.


def level_approx(channel, labels):
    """The largest log ratio between databases that differ in one record."""
    return max(
        math.log(channel.probability(a, r) / channel.probability(b, r))
        for a, b in product(labels, repeat=2)
        for r in channel.outputs
        if sum(x != y for x, y in zip(a, b)) == 1
    )


@pytest.mark.parametrize("alphabet", ["01", "abc"])
@pytest.mark.parametrize("nats", ["1/1000", "1/2", "3"])
def test_counts_of_values(alphabet, nats):
    records = Records(3, tuple(alphabet))
    utility = Utility.histogram(records)
    for value in alphabet:
        assert all(u == label.count(value) for label, u in utility.scores[value].items())
    assert (utility.candidates, utility.sensitivity, utility.grain) == (tuple(alphabet), 1, 1)
    channel, base = utility.mechanism(Fraction(nats))
    assert 0 < float(Fraction(nats)) - 2 * math.log1p(float(base - 1)) < 1e-8 * float(Fraction(nats))
    assert level_approx(channel, records.labels()) <= float(Fraction(nats))
    label = records.labels()[1]
    weight = {r: math.exp(float(Fraction(nats)) * label.count(r) / 2) for r in alphabet}
    for r in alphabet:
        expected = weight[r] / sum(weight.values())
        assert float(channel.probability(label, r)) == pytest.approx(expected, rel=1e-9)


def test_values_of_several_letters_are_counted_as_values():
    utility = Utility.histogram(Records(2, ("on", "off")))
    assert utility.scores["on"]["on,off"] == 1


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "expected at least one candidate"),
        ({"a": {"0": 1}}, 'found none for "1"'),
        ({"a": {"0": 1, "1": 2, "2": 3}}, 'expected a database, found "2"'),
    ],
)
def test_tables_that_are_none(table, message):
    with pytest.raises(ModelError, match=message):
        Utility.of(table, Records(1, ("0", "1")))


def test_mechanisms_that_cannot_be_written():
    long = Utility.histogram(Records(1_000, ("0", "1")))
    assert (long.scores, long.sensitivity) == (None, 1)
    same = Utility.of({"a": {"0": 1, "1": 1}}, Records(1, ("0", "1")))
    far = Utility.of({"a": {"0": 0, "1": 1}, "b": {"0": "1/1000", "1": 0}}, Records(1, ("0", "1")))
    for utility, message in ((long, "at most 100000"), (same, "depends on"), (far, "too long")):
        with pytest.raises(ModelError, match=message):
            utility.mechanism(Fraction(1))
