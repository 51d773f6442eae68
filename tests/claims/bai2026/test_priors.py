"""Section 4 of bai2026 on sets of priors: leakages from the definition."""

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance, level, likelihood_ratio, random_channel
from tests.claims.examination import evidence

from pufferproof import Channel
from pufferproof.claims.papers.bai2026.collapse import related

CUBE = list(product((0, 1), repeat=3))


def one_record(x, z):
    return distance(x, z) == 1


@pytest.mark.claims
def test_all_priors_ask_for_more_than_differential_privacy():
    found = evidence("bai2026.allpriors-is-dp")
    channel = found["mechanism"]
    assert level(channel, one_record) == 2
    assert brute.leakage(found["framework"], channel)[0] == found["ratio of 00 to 11"] == 3


@pytest.mark.claims
def test_one_pair_under_all_priors_leaves_databases_with_one_secret_apart():
    found = evidence("bai2026.allpriors-is-dp", 1)
    channel = found["mechanism"]
    crossing = [(x, z) for x, z in product(channel.databases, repeat=2) if x[0] != z[0]]
    assert max(likelihood_ratio(channel, x, z) for x, z in crossing) == 2
    leak = brute.leakage(found["framework"], channel)[0]
    assert level(channel, one_record) == found["ratio of 00 to 01"] == 3 == leak


@pytest.mark.claims
def test_frameworks_that_compose_without_extreme_priors():
    rng = random.Random(8)
    plain, pairs = (evidence("bai2026.priors-needed", reading)["framework"] for reading in (4, 0))
    for framework in (plain, pairs):
        for _ in range(40):
            mechanisms = [random_channel(rng, framework.databases) for _ in range(2)]
            single = [brute.leakage(framework, mechanism)[0] for mechanism in mechanisms]
            joint = brute.leakage(framework, mechanisms[0].beside(*mechanisms[1:]))[0]
            assert brute.INFINITE in single or joint <= single[0] * single[1]


def binary(framework, unit):
    """Every mechanism with two outputs whose probabilities are multiples of 1/unit."""
    for numbers in product(range(unit + 1), repeat=3):
        shares = [Fraction(number, unit) for number in numbers]
        rows = {x: [share, 1 - share] for x, share in zip(framework.databases, shares)}
        mechanism = Channel.of(rows, ["u", "v"])
        yield mechanism, brute.leakage(framework, mechanism)[0], len({*numbers}) == 1


@pytest.mark.claims
def test_at_epsilon_zero_two_priors_can_silence_every_mechanism():
    for _, leak, constant in binary(evidence("bai2026.priors-needed", 1)["framework"], 4):
        assert (leak == 1) == constant


@pytest.mark.claims
def test_two_priors_can_forbid_collapse_below_a_level():
    found = evidence("bai2026.priors-needed", 2)
    kept = 0
    for mechanism, leak, _ in binary(found["framework"], 12):
        if leak is not brute.INFINITE and 1 < leak <= found["e^epsilon"]:
            kept += 1
            for x, z in product("ab", "t"):
                assert likelihood_ratio(mechanism, x, z) <= Fraction(17, 10)
                assert likelihood_ratio(mechanism, z, x) <= Fraction(20, 7)
    assert kept > 20


@pytest.mark.parametrize("kept", [(0,), (0, 1)])
def test_queries_with_equal_counts_have_equal_joint_ratios(kept):
    rng = random.Random(13)
    queries = list(related.partitions(8))
    assert len(queries) == len(set(queries)) == 4140  # the Bell number of 8
    counted = {}
    for query in queries:
        shown = Counter((y, *(data[k] for k in kept)) for y, data in zip(query, CUBE))
        fixed = list(product((0, 1), repeat=len(kept)))
        lists = [tuple(shown[y, *each] for each in fixed) for y in {*query}]
        counted.setdefault(tuple(sorted(lists)), []).append(query)
    chosen = related.representatives(queries, 3, kept)
    assert len(chosen) == len(counted)
    assert all(any(query in held for query in chosen) for held in counted.values())
    classes = list(counted.values())
    for _ in range(30):
        drawn = [rng.choice(classes) for _ in range(2)]
        picked = [[rng.choice(each) for each in drawn] for _ in range(3)]
        laws = [related.query_law(some, 3, kept) for some in picked]
        assert len({*map(related.worst_ratio, laws)}) == 1
