"""Chains inside a box that leak more than its corners, by enumeration of their own."""

from fractions import Fraction
from itertools import pairwise, product

import pytest
from tests.claims.examination import examined

F = Fraction

CASES = [
    (6, F(1, 2), 2, [(F(k, 20), F(19, 20), None) for k in (15, 17, 19)]),
    (4, F(1, 5), 3, [(F(k, 20), F(9, 10), F(1, 10)) for k in (13, 17, 19)]),
    (2, F(1, 5), 2, [(F(1, 10), F(1, 10), F(k, 4)) for k in (0, 1, 4)]),
]


def leaks(count, t, record, chain):
    a, b, start = chain
    start = a / (a + b) if start is None else start
    step = {(0, 0): 1 - a, (0, 1): a, (1, 0): b, (1, 1): 1 - b}
    masses, outputs = [F(0), F(0)], {}
    for x in product((0, 1), repeat=count):
        p = start if x[0] else 1 - start
        for pair in pairwise(x):
            p *= step[pair]
        masses[x[record - 1]] += p
        for w in range(count + 1):
            place = w, x[record - 1]
            outputs[place] = outputs.get(place, F(0)) + p * t ** abs(w - sum(x))
    ratios = [outputs[w, 1] * masses[0] / (outputs[w, 0] * masses[1]) for w in range(count + 1)]
    return max(*ratios, 1 / min(ratios))


@pytest.mark.parametrize(("count", "t", "record", "chains"), CASES)
def test_a_chain_inside_leaks_more_than_both_ends(count, t, record, chains):
    low, inside, high = (leaks(count, t, record, chain) for chain in chains)
    assert inside > max(low, high)


def test_the_ratios_are_those_of_the_claim():
    count, t, record, chains = CASES[0]
    assert leaks(count, t, record, chains[1]) == F(31113375, 29418146)


def segments_leak(step, segments, record, t):
    """The largest ratio of two records from a fair start, noisy counts of segments."""
    likely = {}
    for x in product((0, 1), repeat=2):
        p = F(1, 2) * step[x]
        for w in product((0, 1), repeat=len(segments)):
            noise = sum(abs(n - sum(x[a:b])) for n, (a, b) in zip(w, segments))
            place = w, x[record - 1]
            likely[place] = likely.get(place, F(0)) + 2 * p * t**noise
    outputs = {w for w, _ in likely}
    return max(max(likely[w, 0] / likely[w, 1], likely[w, 1] / likely[w, 0]) for w in outputs)


def test_records_that_flip_tell_by_every_segment_and_records_that_stay_by_every_record():
    flips = {(0, 1): F(1), (1, 0): F(1), (0, 0): F(0), (1, 1): F(0)}
    stays = {(x, y): 1 - p for (x, y), p in flips.items()}
    t = F(1, 2)
    assert segments_leak(flips, [(0, 2)], 1, t) == 1
    assert segments_leak(flips, [(0, 1), (1, 2)], 1, t) == 1 / t**2
    assert segments_leak(stays, [(0, 2)], 1, t) == 1 / t**2


@pytest.mark.claims
@pytest.mark.parametrize("name", ["turning", "columns"])
def test_what_claims_say_is_derived(name):
    assert examined(f"classes.{name}").verdict.value == "DERIVED"
