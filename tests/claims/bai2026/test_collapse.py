"""Section 4 of "Composition for Pufferfish Privacy", Examples 1 to 3: verdicts, exact laws,
constants by enumeration.
"""

import random
from fractions import Fraction
from itertools import combinations, product

import pytest
from tests.brute import definitions as brute
from tests.claims.examination import evidence

from pufferproof import Framework, Product, Records, Table
from pufferproof.models.mechanisms.collapse import (
    bits_collapse,
    four_outputs_collapse,
    pair_collapse,
)

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def output_laws(framework, channel, theta):
    """P(y | secret) for every secret, straight from the definition."""
    laws = {}
    for secret, members in framework.secrets.items():
        held = [framework.databases[x] for x in members if theta[framework.databases[x]]]
        mass = sum(theta[x] for x in held)
        laws[secret] = {
            y: sum(theta[x] * channel.probability(x, y) for x in held) / mass
            for y in channel.outputs
        }
    return laws


def first_times(framework, channel, label, goal, runs):
    """P(a set of databases within one of `goal` is left after run k, not before), k = 1 ..
    runs, by sequences of outputs.
    """
    possible = {framework.databases[x] for x in framework.support}
    allow = {y: {x for x in possible if channel.probability(x, y)} for y in channel.outputs}
    alive, found = [(Fraction(1), possible)], []
    for _ in range(runs):
        following, out = [], Fraction(0)
        for chance, left in alive:
            for y in channel.outputs:
                if p := channel.probability(label, y):
                    rest = left & allow[y]
                    if any(rest <= held for held in goal):
                        out += chance * p
                    else:
                        following.append((chance * p, rest))
        alive, found = following, [*found, out]
    return found


def pair_instance(rng):
    sizes = rng.randint(2, 3), 2
    first, second = "abc"[: sizes[0]], "de"[: sizes[1]]
    labels = first + second + "z"  # z has probability 0
    weights = {x: rng.randint(1, 5) for x in first + second}
    theta = Table({x: Fraction(w, sum(weights.values())) for x, w in weights.items()})
    return Framework(labels, {"s1": first, "s2": second + "z"}, [("s1", "s2")], {"theta": theta})


def test_example_1_has_the_printed_likelihoods_and_runs():
    rng = random.Random(11)
    for _ in range(15):
        framework = pair_instance(rng)
        theta = brute.probabilities(framework, "theta")
        channel = pair_collapse(framework)
        assert brute.leakage(framework, channel)[0] == 1
        assert brute.leakage(framework, channel.beside(channel))[0] is brute.INFINITE
        held = {
            name: [framework.databases[x] for x in members]
            for name, members in framework.secrets.items()
        }
        given = {
            name: {x: theta[x] / sum(theta[z] for z in rows) for x in rows if theta[x]}
            for name, rows in held.items()
        }
        laws = output_laws(framework, channel, theta)
        for x, z in product(given["s1"], given["s2"]):
            assert (
                laws["s1"][f"{x}|{z}"] == laws["s2"][f"{x}|{z}"] == given["s1"][x] * given["s2"][z]
            )
        bound = 1 + 1 / (1 - max(p for law in given.values() for p in law.values()))
        for secret, other in (("s1", "s2"), ("s2", "s1")):
            q = list(given[other].values())
            expected = 1 + sum(p / (1 - p) for p in q)
            assert 1 + Fraction(len(q), len(q) - 1) <= expected <= bound
            for label in given[secret]:
                times = first_times(
                    framework, channel, label, [{x} for x in held["s1"] + held["s2"]], 4
                )
                assert times == [0, *(sum(p ** (k - 1) * (1 - p) for p in q) for k in (2, 3, 4))]
                assert times[1] > 0


def bits_framework(count):
    secrets = {f"x{t}={v}": (t, v) for t in range(1, count + 1) for v in "01"}
    pairs = [(f"x{t}=0", f"x{t}=1") for t in range(1, count + 1)]
    return Framework.of_records(
        Records(count, ("0", "1")), secrets, pairs, {"fair": Product([["1/2", "1/2"]] * count)}
    )


@pytest.mark.parametrize("count", range(3, 6))
def test_example_2_constructor_has_zero_leakage_and_reveals_when_both_types_were_seen(count):
    framework = bits_framework(count)
    channel = bits_collapse(framework)
    assert brute.leakage(framework, channel)[0] == 1
    singles = [{x} for x in framework.databases]
    held = [{framework.databases[x] for x in members} for members in framework.secrets.values()]
    for label in framework.databases[:3]:
        for goal in (singles, held):
            assert first_times(framework, channel, label, goal, 5) == [
                0,
                *(HALF**k for k in range(1, 5)),
            ]


@pytest.mark.claims
def test_the_printed_constant_of_example_2_is_twice_the_true_one():
    found = evidence("bai2026.ex2-likelihoods")
    theta = brute.probabilities(found["framework"], "fair")
    law = output_laws(found["framework"], found["mechanism"], theta)["x1=1"]
    assert (
        law[found["output"]] == found["P(output | x1=1)"] == Fraction(1, 8) == found["printed"] / 2
    )
    assert found["sum of the printed values"] == Fraction(3, 2)


def four_framework(corners):
    priors = {
        f"{u} {f}": Table({"T": u / 2, "t": (1 - u) / 2, "F": f / 2, "f": (1 - f) / 2})
        for u, f in corners
    }
    return Framework("TtFf", {"s1": "Tt", "not s1": "Ff"}, [("s1", "not s1")], priors)


def ends(lt, ut, lf, uf):
    """The printed intervals by output."""
    return {
        "1a2a": (lt / uf, ut / lf),
        "1b2a": ((1 - ut) / uf, (1 - lt) / lf),
        "1a2b": (lt / (1 - lf), ut / (1 - uf)),
        "1b2b": ((1 - ut) / (1 - lf), (1 - lt) / (1 - uf)),
    }


def test_example_3_ratios_and_levels_on_a_grid_of_intervals():
    grid = [Fraction(1, 4), Fraction(7, 20), HALF, Fraction(13, 20), Fraction(5, 6)]
    intervals = [(low, high) for low, high in combinations(grid, 2)] + [
        (each, each) for each in grid
    ]
    for (lt, ut), (lf, uf) in product(intervals[::2], intervals[::3]):
        framework = four_framework(product((lt, (lt + ut) / 2, ut), (lf, (lf + uf) / 2, uf)))
        channel = four_outputs_collapse(framework, {"T"}, {"F"})
        printed = ends(lt, ut, lf, uf)
        seen = {output: [] for output in printed}
        for prior in framework.priors:
            laws = output_laws(framework, channel, brute.probabilities(framework, prior))
            for y, (low, high) in printed.items():
                seen[y].append(laws["s1"][y] / laws["not s1"][y])
                assert low <= seen[y][-1] <= high
        assert all((min(values), max(values)) == printed[y] for y, values in seen.items())
        forward = max(max(values) for values in seen.values())
        # the printed epsilon, one order
        assert forward == max(end for pair in printed.values() for end in pair) >= 1
        both = max(max(end, 1 / end) for pair in printed.values() for end in pair)
        assert brute.leakage(framework, channel)[0] == both


@pytest.mark.claims
def test_the_printed_level_of_example_3_fails_in_the_other_order():
    found = evidence("bai2026.ex3-eps")
    framework, channel = found["framework"], found["mechanism"]
    ratios = list(brute.ratios(framework, channel, brute.probabilities(framework, "theta")))
    assert (
        max(a / b for pair, _, a, b in ratios if pair == ("s1", "not s1"))
        == found["printed e^epsilon"]
        == Fraction(4, 3)
    )
    assert max(a / b for pair, _, a, b in ratios if pair == ("not s1", "s1")) == Fraction(3, 2)


def test_example_3_reveals_the_secret_with_the_second_output():
    framework = four_framework(
        product((Fraction(7, 20), Fraction(13, 20)), (Fraction(2, 5), Fraction(3, 5)))
    )
    channel = four_outputs_collapse(framework, {"T"}, {"F"})
    for label in "TtFf":
        assert first_times(framework, channel, label, [set("Tt"), set("Ff")], 6) == [
            0,
            *(HALF**k for k in range(1, 6)),
        ]
    assert sum(k * HALF ** (k - 1) for k in range(2, 80)) + Fraction(1, 10**9) > 3
    assert brute.leakage(framework, channel.beside(channel))[0] is brute.INFINITE
