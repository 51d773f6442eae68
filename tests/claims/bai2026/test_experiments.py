"""Section 7 and appendix D: verdicts, and counterexamples and relations evaluated by other means,
from the numbers as they are printed.
"""

import json
import math
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import pairwise, permutations
from random import Random

import pytest
from tests.claims.rules import evidence_of

from pufferproof.claims.papers.bai2026.experiments import foursquare
from pufferproof.claims.papers.bai2026.experiments.population import POPULATION
from pufferproof.claims.registry import Check, examine, load_claims

HOME = "pufferproof.claims.papers.bai2026.experiments"
TABLES = json.loads((files(HOME) / "tables.json").read_text())


@cache
def examined(name: str) -> Check:
    load_claims()
    return examine(f"bai2026.{name}")


def number(cell):
    """A printed number, in units of its last digit, and how many units are 1 (or 100%)."""
    text = cell.removesuffix("%")
    digits = len(text.partition(".")[2])
    return round(Fraction(text) * 10**digits), 10 ** (digits + (2 if cell.endswith("%") else 0))


def share(cell):
    value, unit = number(cell)
    return Fraction(value, unit)


def test_the_tables_are_complete():
    for table in TABLES.values():
        assert list(table["rows"]) == ["0.5", "1", "2", "3", "4", "5"]
        width = len(table["columns"])
        for row in table["rows"].values():
            assert [len(cells) for cells in row.values()] == [width] * 4


@pytest.mark.claims
def test_a_population_has_all_twelve_first_ranks_of_group_privacy():
    """By weights of 78 labels, in floats."""
    assert examined("x-rows-foursquare").verdict.value == "CHECKED"
    queries = sum(share for _, share in foursquare.POPULATION)
    assert queries == 100_000
    for table, draws in (("T2", 3), ("T7", 5)):
        for level, row in TABLES[table]["rows"].items():
            mean = 0.0
            for (labels, y), count in foursquare.POPULATION:
                gaps = [0.0, *[-30 * math.log(y / 1000)] * labels]
                weights = [math.exp(-gap * float(level) / draws) for gap in gaps]
                mean += count / queries / sum(weights)
            assert abs(100 * mean - float(row["Group DP-Exp"][0].removesuffix("%"))) < 0.005


@pytest.mark.claims
def test_no_query_reaches_the_accuracy_printed_at_5_and_a_population_does_at_6():
    """By real gaps of counts, in floats, and by every ranking of three labels."""
    assert examined("x-row-5").verdict.value == "TRIED"
    random = Random(3)
    for _ in range(2_000):
        gaps = [random.expovariate(random.choice((0.1, 1, 5))) for _ in range(random.randrange(11))]
        right = {
            level: 1 / (1 + sum(math.exp(-level * gap) for gap in gaps)) - 1 / 11
            for level in (4, 5)
        }
        assert right[5] <= 1.4 * right[4] + 1e-12
    printed = {level: TABLES["T4"]["rows"][level]["Group DP-Exp"][0] for level in "45"}
    assert [*printed.values()] == ["13.28%", "15.6%"]
    assert 0.1555 - 1 / 11 > 1.4 * (0.13285 - 1 / 11)
    for level, row in TABLES["T4"]["rows"].items():
        eps, queries = 6 if level == "5" else float(level), sum(n for _, n in POPULATION)
        found = [0.0] * 4
        for kind, count in POPULATION:
            weights = [(value / 100) ** (2 * eps) for value in kind]
            for ranking in permutations(range(len(kind)), 3):
                likely = ranked(weights, ranking) * count / queries
                for rank in range(3):
                    found[rank] += likely * (ranking[rank] == rank)
                found[3] += likely * len({0, 1, 2} & {*ranking}) / 3
        cells = [*row["Group DP-Exp"], TABLES["T5"]["rows"][level]["Group DP-Exp"][0]]
        for cell, value in zip(cells, found):
            assert abs(value - float(share(cell))) <= 0.001 + 0.5 / number(cell)[1]


def ranked(weights, ranking):
    left, likely = sum(weights), 1.0
    for label in ranking:
        likely *= weights[label] / left
        left -= weights[label]
    return likely


@pytest.mark.claims
def test_only_one_entry_gets_worse_beyond_rounding():
    falls = []
    for name, table in TABLES.items():
        for mechanism in table["rows"]["1"]:
            for place, column in enumerate(table["columns"]):
                cells = [row[mechanism][place] for row in table["rows"].values()]
                for one, other in pairwise(cells):
                    if "0989" in (one, other):
                        continue
                    change = share(other) - share(one)
                    units = sum(Fraction(1, 2 * number(cell)[1]) for cell in (one, other))
                    if (change if column == "L1" else -change) > units:
                        falls.append((name, mechanism, column, one, other))
    assert falls == [("T4", "Group DP-Lap", "Acc@3", "9.55%", "9.4%")]
    assert evidence_of(examined("tables"), "no entry")["table"] == "T4"


def fits(cell, trials):
    """Whether some number of successes in so many trials is printed so, tried one by one."""
    value, unit = number(cell)
    middle = value * trials // unit
    return any(
        abs(Fraction(successes, trials) - Fraction(value, unit)) <= Fraction(1, 2 * unit)
        for successes in range(max(middle - 1, 0), middle + 3)
    )


@pytest.mark.parametrize(
    ("table", "queries", "least"), [("T2", 77, 125), ("T7", 77, 130), ("T4", 32, 250)]
)
def test_the_least_number_of_runs(table, queries, least):
    cells = [
        cell for row in TABLES[table]["rows"].values() for each in row.values() for cell in each
    ]
    assert (
        next(runs for runs in range(1, 1000) if all(fits(cell, queries * runs) for cell in cells))
        == least
    )
    assert not any(all(fits(cell, 4 * runs) for cell in cells) for runs in range(1, 400))


def test_the_smoothing_example_by_decimal_text():
    """Digits cut off and rounded as text of long decimals, for rows of counts."""
    tau = Fraction(1, 10**5)
    for counts, before, after in (
        ((3, 1, 39, 11, 29), "0361 0120 4698 1325 3493", "03614 01205 46987 13253 34939"),
        ((4, 8, 32, 29, 245), "0125 0251 1006 0911 7704", "01258 02516 10063 09119 77043"),
    ):
        law = [Fraction(count, sum(counts)) for count in counts]
        assert [f"{math.floor(p * 10**4):04}" for p in law] == before.split()
        kept = [p * (1 - tau) for p in law]  # one zero: the state "other"
        assert [f"{math.floor(p * 10**5 + Fraction(1, 2)):05}" for p in kept] == after.split()
    even = Fraction(1, 5) * (1 - tau)
    assert math.floor(even * 10**5 + Fraction(1, 2)) == 20000
    assert math.floor(even * 10**5) == 19999


@pytest.mark.claims
def test_laplace_noise_beats_draws_in_the_instance():
    """By a sum over a fine grid of noise: right more often than 3/4, against 2/3 of draws."""
    found = evidence_of(examined("exp-claims"), "the exponential mechanism")
    weights = {"x": 2, "y": 1}
    assert found["right by draws"] == Fraction(weights["x"], sum(weights.values()))
    rate, step = 2 * math.log(2), 1e-3
    density = [rate / 2 * math.exp(-rate * abs(k * step)) * step for k in range(-12000, 12001)]
    below, tail = [], 0.0
    for mass in density:
        below.append(tail + mass / 2)
        tail += mass
    shift = round(1 / step)
    right = sum(
        mass * (below[k + shift] if k + shift < len(below) else 1.0)
        for k, mass in enumerate(density)
    )
    assert right == pytest.approx(1 - (1 + math.log(2)) / 8, abs=1e-3)
    assert right > 0.75 > 2 / 3


def test_ndcg_at_chance_level_says_that_no_category_is_frequent():
    """Over random counts of 11 categories: a mean NDCG of 0.5895 needs a top share below 1/4."""
    import random

    rng, weights = random.Random(6), [1, 1 / math.log2(3), 1 / 2]
    near = 0.0
    for _ in range(3000):
        heavy = rng.random() * 6
        counts = sorted((rng.random() ** heavy for _ in range(11)), reverse=True)
        gain = sum(counts) / 11 * sum(weights) / sum(w * c for w, c in zip(weights, counts))
        if gain >= 0.5895:
            near = max(near, counts[0] / sum(counts))
    assert 0.15 < near < 0.25


def test_uniform_rankings_have_the_mean_ndcg_of_equal_counts():
    counts, weights = [5, 3, 2, 1], [1, 1 / math.log2(3), 1 / 2]
    rankings = list(permutations(range(4), 3))
    ideal = sum(w * c for w, c in zip(weights, counts))
    mean = sum(sum(w * counts[each] for w, each in zip(weights, r)) for r in rankings) / len(
        rankings
    )
    assert mean / ideal == pytest.approx(sum(counts) / 4 * sum(weights) / ideal)
