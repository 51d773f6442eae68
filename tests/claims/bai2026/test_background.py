"""Section 2 of "Composition for Pufferfish Privacy": verdicts by reading, and the definitions
on small families.
"""

import random
from fractions import Fraction
from itertools import combinations, product

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance, level, likelihood_ratio, random_channel, random_framework
from tests.claims.examination import examined
from tests.claims.rules import (
    evidence,
)

from pufferproof import Channel, Framework, Table, post_process
from pufferproof.claims.registry import Check
from pufferproof.models.mechanisms.collapse import pair_collapse

HALF = Fraction(1, 2)


def of_paper(name: str) -> Check:
    return examined(f"bai2026.{name}")


# Group privacy


def inside(tables, start):
    """Distances from a table by changes of one entry inside a set of tables."""
    found, edge = {start: 0}, [start]
    for x in edge:
        for z in tables:
            if z not in found and distance(x, z) == 1:
                found[z] = found[x] + 1
                edge.append(z)
    return found


@pytest.mark.parametrize("count", [1, 2, 3])
def test_group_privacy_holds_on_a_set_of_bit_tables_iff_distances_inside_are_distances(count):
    """With P(u | x) falling by a factor R per step, out of reach by any factor: the extreme
    mechanisms of the set.
    """
    labels = ["".join(bits) for bits in product("01", repeat=count)]
    for size in range(2, len(labels) + 1):
        for tables in combinations(labels, size):
            kept = True
            for start in tables:
                steps = inside(tables, start)
                rows = {
                    x: Fraction(1, 2 ** (steps[x] + 2)) if x in steps else Fraction(0)
                    for x in tables
                }
                channel = Channel.of({x: [p, 1 - p] for x, p in rows.items()}, ["u", "v"])
                bound = level(channel, lambda x, z: distance(x, z) == 1)
                assert bound <= 2
                kept &= all(
                    likelihood_ratio(channel, start, x) <= bound ** distance(start, x)
                    for x in tables
                )
            metric = all(inside(tables, x).get(z) == distance(x, z) for x in tables for z in tables)
            assert kept == metric


@pytest.mark.claims
def test_the_counterexample_to_group_privacy_has_no_neighbours():
    found = evidence(of_paper("x-groupdp"), 1)
    left, right = found["tables of U"]
    assert distance(left, right) == 2
    assert likelihood_ratio(found["mechanism"], left, right) == float("inf")
    assert brute.leakage(found["framework"], found["mechanism"])[0] is brute.INFINITE


# Laws of differential privacy and of Pufferfish


def test_processing_and_joint_release_keep_what_the_laws_say():
    rng = random.Random(5)
    labels = ["00", "01", "10", "11"]
    for _ in range(30):
        first, second = (random_channel(rng, labels) for _ in range(2))
        kernel = random_channel(rng, first.outputs, "abc")
        levels = [level(channel, lambda x, z: distance(x, z) == 1) for channel in (first, second)]
        assert level(post_process(first, kernel), lambda x, z: distance(x, z) == 1) <= levels[0]
        assert (
            level(first.beside(second), lambda x, z: distance(x, z) == 1) <= levels[0] * levels[1]
        )


def test_pufferfish_is_kept_by_processing_and_bounds_the_odds_in_both_orders():
    rng = random.Random(6)
    for _ in range(60):
        framework = random_framework(rng)
        channel = random_channel(rng, framework.databases)
        ratio = brute.leakage(framework, channel)[0]
        after = brute.leakage(
            framework, post_process(channel, random_channel(rng, channel.outputs, "ab"))
        )[0]
        if ratio is brute.INFINITE:
            continue
        assert after is not brute.INFINITE
        assert after <= ratio
        for prior in framework.priors:
            theta = brute.probabilities(framework, prior)
            held = {
                name: [framework.databases[x] for x in members]
                for name, members in framework.secrets.items()
            }
            odds = sum(theta[x] for x in held["s"]) / sum(theta[x] for x in held["t"])
            for y in channel.outputs:
                joint = {
                    s: sum(theta[x] * channel.probability(x, y) for x in held[s] if theta[x])
                    for s in "st"
                }
                if any(joint.values()):
                    assert odds / ratio <= joint["s"] / joint["t"] <= odds * ratio


@pytest.mark.claims
def test_one_listed_order_leaves_the_odds_without_a_lower_bound():
    found = evidence(of_paper("puffer-odds"), 2)
    ratios = list(brute.ratios(found["framework"], found["mechanism"], {"s": HALF, "t": HALF}))
    assert all(a <= found["e^epsilon"] * b for pair, _, a, b in ratios if pair == ("s", "t"))
    assert ("t", "s") in [
        pair for pair, y, a, b in ratios if a > found["e^epsilon"] * b and y == found["output"]
    ]


def test_zero_leakage_once_and_infinite_leakage_twice():
    theta = Table(dict.fromkeys("abcd", "1/4"))
    framework = Framework("abcd", {"s": "ab", "t": "cd"}, [("s", "t")], {"theta": theta})
    mechanism = pair_collapse(framework)
    assert brute.leakage(framework, mechanism)[0] == 1
    assert brute.leakage(framework, mechanism.beside(mechanism))[0] is brute.INFINITE
