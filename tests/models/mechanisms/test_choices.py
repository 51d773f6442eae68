"""Mechanisms that choose: by peeling and by utility, their laws and their levels."""

import math
import random
from fractions import Fraction
from itertools import permutations, product

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.selection.top_k import peeling, ranking_probability
from pufferproof.models.mechanisms.selection.utility import Utility
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
    assert (
        0 < float(Fraction(nats)) - 2 * math.log1p(float(base - 1)) < 1e-8 * float(Fraction(nats))
    )
    assert level_approx(channel, records.labels()) <= float(Fraction(nats))
    label = records.labels()[1]
    weight = {r: math.exp(float(Fraction(nats)) * label.count(r) / 2) for r in alphabet}
    for r in alphabet:
        expected = weight[r] / sum(weight.values())
        assert float(channel.probability(label, r)) == pytest.approx(expected, rel=1e-9)


def test_random_tables_keep_their_level():
    draw, records = random.Random(5), Records(3, ("0", "1"))
    for _ in range(30):
        table = {
            name: {label: Fraction(draw.randint(-6, 6), 4) for label in records.labels()}
            for name in "uvw"
        }
        utility = Utility.of(table, records)
        spread = max(
            abs(row[a] - row[b])
            for row in table.values()
            for a, b in product(records.labels(), repeat=2)
            if sum(x != y for x, y in zip(a, b)) == 1
        )
        assert utility.sensitivity == spread
        channel, _ = utility.mechanism(Fraction(3, 4))
        assert level_approx(channel, records.labels()) <= 0.75 + 1e-12


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


# Peeling and its one-shot form on small domains: exact laws, their equality, and exact levels.
#
# The law of the one-shot form is computed apart, without any use of memory being lost: a time of
# integer rate L is -log W for W with the density L w^(L-1), so that the probability of an order is
# an integral of polynomials.


def integrated(polynomial):
    """The integral from 0 to w, as coefficients of 1, w, w^2, .."""
    return [Fraction(0), *(value / (power + 1) for power, value in enumerate(polynomial))]


def order_probability(rates):
    """P(W_1 > W_2 > .. > W_n) for independent W_i with distribution functions w^rate."""
    inner = [Fraction(1)]
    for rate in reversed(rates):
        inner = integrated([Fraction(0)] * (rate - 1) + [rate * value for value in inner])
    return sum(inner)


def one_shot(ranking, weights):
    """P(the first of all are `ranking`): orders of all candidates that begin so."""
    rest = [each for each in weights if each not in ranking]
    return sum(
        order_probability([weights[each] for each in (*ranking, *order)])
        for order in permutations(rest)
    )


@pytest.mark.parametrize("size", [2, 3, 4])
def test_peeling_and_the_one_shot_form_have_one_law(size):
    for rates in product((1, 2, 4) if size < 4 else (1, 3), repeat=size):
        weights = dict(zip("abcd", rates))
        for count in range(1, size + 1):
            laws = {ranking: one_shot(ranking, weights) for ranking in permutations(weights, count)}
            assert sum(laws.values()) == 1
            exact = {name: Fraction(weight) for name, weight in weights.items()}
            assert laws == {r: ranking_probability(r, exact) for r in laws}


def test_the_channel_lists_every_ranking_with_its_law():
    channel = peeling({"D": {"x": 2, "y": 1, "z": 0}}, 2, 2)
    assert channel.outputs == ("x>y", "x>z", "y>x", "y>z", "z>x", "z>y")
    assert channel.probability("D", "x>y") == Fraction(4, 7) * Fraction(2, 3)
    assert channel.probability("D", "z>y") == Fraction(1, 7) * Fraction(1, 3)


def histograms(records, labels):
    for values in product(labels, repeat=records):
        yield "".join(values), {label: values.count(label) for label in labels}


@pytest.mark.parametrize(
    ("records", "labels", "count"), [(2, "xy", 1), (3, "xyz", 2), (2, "xyz", 3)]
)
def test_the_level_per_record_is_at_most_twice_the_draws(records, labels, count):
    """Exact ratios over databases that differ in one record, against B^(2 K)."""
    base = Fraction(3, 2)
    channel = peeling(dict(histograms(records, labels)), base, count)
    ratios = [
        channel.probability(one, output) / channel.probability(other, output)
        for one, other in product(channel.databases, repeat=2)
        if sum(a != b for a, b in zip(one, other)) == 1
        for output in channel.outputs
    ]
    assert 1 < max(ratios) < base ** (2 * count)


def test_the_factor_of_one_draw_cannot_be_lowered():
    """Two labels and one far behind: the ratio of one draw comes near B^2, not B."""
    base = Fraction(2)
    channel = peeling({"D": {"x": 30, "y": 1, "z": 0}, "E": {"x": 29, "y": 2, "z": 0}}, base, 1)
    ratio = channel.probability("E", "y") / channel.probability("D", "y")
    assert Fraction(399, 100) < ratio < 4


@pytest.mark.parametrize(
    ("scores", "ratio", "count", "message"),
    [
        ({}, 2, 1, "expected scores for every database, found none"),
        ({"D": {"x": 1}}, 2, 2, "count: expected from 1 to 1, found 2"),
        ({"D": {"x": 1}, "E": {"y": 1}}, 2, 1, r"expected scores for \['x'\], found \['y'\]"),
        ({"D": {"x": "1/2", "y": 0}}, 2, 1, "expected an integer score, found 1/2"),
        ({"D": {"x>y": 1}}, 2, 1, 'expected names without ">"'),
        ({"D": {"x": 1}}, 1, 1, "ratio"),
    ],
)
def test_what_is_no_ranking_is_refused(scores, ratio, count, message):
    with pytest.raises(ModelError, match=message):
        peeling(scores, ratio, count)
