"""An accountant of ten thousand releases: entering them, and the first answer after each of several
kinds. Each row of the table is in `extra_info`; nothing here asserts a time.
"""

from random import Random

import pytest

from pufferproof import Accountant, Framework, MarkovChain, Noise, RecordQuery, Records

RELEASES = 10_000
CHAIN = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])


def framework(count):
    secrets = {value: (count // 2, value) for value in "01"}
    return Framework.of_records(Records(count, ("0", "1")), secrets, "disjoint", {"theta": CHAIN})


def segments(count):
    draw = Random(1)
    for _ in range(RELEASES):
        first, last = sorted((draw.randint(1, count), draw.randint(1, count)))
        yield (first, last), draw.randint(500, 5000)


def levels(space):
    account = Accountant(space)
    for segment, scale in segments(space.records.count):
        account.spend(1 / scale, records=segment)
    return account


def queries(space):
    account = Accountant(space)
    for segment, scale in segments(space.records.count):
        account.spend(RecordQuery("sum", Noise("laplace", scale), space.records, segment))
    return account


@pytest.mark.parametrize("count", [1_000, 100_000])
@pytest.mark.parametrize("made", [levels, queries])
def test_accountant(benchmark, made, count):
    what = "levels of segments" if made is levels else "counts of segments with Laplace noise"
    benchmark.extra_info |= {"what": f"`epsilon()` of {RELEASES:,} {what}, {count:,} records", "target": "under 1 s"}
    space = framework(count)
    epsilon = benchmark.pedantic(lambda account: account.epsilon(), setup=lambda: ((made(space),), {}), rounds=3)
    assert epsilon.lower > 1
