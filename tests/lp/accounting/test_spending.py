"""What a mechanism spends of each record, against the definition."""

import random
from fractions import Fraction

import pytest
from tests import seeds

from pufferproof import (
    AdditiveNoise,
    Channel,
    Framework,
    LocalMechanism,
    LocalRedaction,
    MarkovChain,
    Noise,
    RecordQuery,
    Records,
    Table,
)
from pufferproof.lp.accounting.ledger import spending, summed
from pufferproof.lp.levels import NOTHING, RecordLevels, Total
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.verify.audit import form_of

F = Fraction
CHAIN = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])


def framework(count, values=2):
    alphabet = tuple("0123"[:values])
    prior = Table({Records(count, alphabet).labels()[0]: "1/2", alphabet[1] * count: "1/2"})
    secrets = {value: (1, value) for value in alphabet[:2]}
    return Framework.of_records(Records(count, alphabet), secrets, "disjoint", {"theta": prior})


def chain(count):
    secrets = {value: (1, value) for value in "01"}
    return Framework.of_records(Records(count, ("0", "1")), secrets, "disjoint", {"theta": CHAIN})


def levels(space, mechanism):
    return spending(space, form_of(mechanism))


def law(draw, size):
    weights = [draw.randint(1, 9) for _ in range(size)]
    return [F(weight, sum(weights)) for weight in weights]


def by_definition(space, channel, record):
    """The largest P(w | x) / P(w | y) over databases that differ in one record."""
    best = F(1)
    for x in space.databases:
        for y in space.databases:
            if [place for place, (a, b) in enumerate(zip(x, y), 1) if a != b] == [record]:
                for w in channel.outputs:
                    best = max(best, channel.probability(x, w) / channel.probability(y, w))
    return best


@seeds(20)
def test_a_channel_spends_the_largest_ratio_of_neighbours(seed):
    draw = random.Random(seed)
    space = framework(draw.randint(1, 3), draw.choice([2, 3]))
    channel = Channel.of({x: law(draw, 3) for x in space.databases}, "uvw")
    spent = levels(space, channel).levels
    for record in range(1, space.records.count + 1):
        assert spent.at(record).exact == by_definition(space, channel, record)


def test_a_local_mechanism_spends_what_it_does_written_out():
    for seed in range(10):
        draw = random.Random(seed)
        count, values = draw.randint(1, 3), draw.choice([2, 3])
        space, alphabet = framework(count, values), "0123"[:values]
        records = [[law(draw, 2) for _ in range(values)] for _ in range(count)]
        local = LocalMechanism(alphabet, "uv", records)
        spent = levels(space, local).levels
        assert spent == levels(space, local.channel()).levels
        assert spent.at(count).exact == by_definition(space, local.channel(), count)


def test_a_query_of_records_spends_what_its_table_does():
    for query in ["sum", "mean", "histogram"]:
        for noise in [Noise("laplace", "3/log(2)"), Noise("laplace", "5/2")]:
            space, along = framework(3), chain(3)
            one = levels(along, RecordQuery(query, noise, along.records)).levels
            assert one == levels(space, AdditiveNoise.of_records(query, space.records, noise)).levels
            assert one.equal


@pytest.mark.parametrize(
    ("space", "mechanism", "reason"),
    [
        (chain(3), RecordQuery("sum", Noise("gaussian", 1), chain(3).records), "gaussian"),
        (framework(2), AdditiveNoise({"00": 0, "11": 1}, Noise("laplace", 1)), 'database "01"'),
        (framework(2), Channel.of({"00": {"u": 1}, "11": {"v": 1}}), 'database "01"'),
        (framework(1), Channel.of({"0": {"u": 1}, "1": {"v": 1}}), "excludes a value of record 1"),
        (chain(2), LocalRedaction([[1, 1], ["1/2", 1]]), "excludes a value of record 2"),
    ],
)
def test_what_has_no_finite_level_says_so(space, mechanism, reason):
    spent = levels(space, mechanism)
    assert spent.levels is None
    assert reason in spent.reason


def drawn_levels(draw, count):
    totals = [NOTHING, Total(F(3, 2), F(0)), Total(F(1), F(1, 7)), Total.of_power(Power.of(F(2), F(1, 3)))]
    runs, left = [], count
    while left:
        length = draw.randint(1, left)
        runs.append((length, draw.choice(totals)))
        left -= length
    return RecordLevels(tuple(runs))


@seeds(20)
def test_sums_are_those_record_by_record(seed):
    draw = random.Random(seed)
    count = draw.randint(1, 9)
    spent = [(drawn_levels(draw, count), draw.randint(1, 3)) for _ in range(draw.randint(1, 5))]
    total = summed(count, spent)
    assert total.count == count
    for record in range(1, count + 1):
        expected = NOTHING
        for each, runs in spent:
            expected = expected + each.at(record).times(runs)
        assert total.at(record) == expected


def test_long_sums_are_rounded_up_by_almost_nothing():
    every = [(RecordLevels.uniform(2, [f"log({k + 1}/{k})"]), 1) for k in range(1000, 1400)]
    ((length, total),) = summed(2, every).runs
    assert length == 2
    low, high = total.bounds(200)
    assert F(1400, 1000) <= high
    assert low <= F(1400, 1000) * (1 + F(1, 2**180))
