"""Section 7 and appendix D: tables and relations, from the numbers as they are printed."""

import json
import math
from fractions import Fraction
from importlib.resources import files
from itertools import accumulate, pairwise, permutations

import pytest
from tests.claims.examination import evidence

from pufferproof.claims.papers.bai2026.experiments import foursquare
from pufferproof.claims.papers.bai2026.experiments.population import POPULATION

pytestmark = pytest.mark.claims
HOME = "pufferproof.claims.papers.bai2026.experiments.setting"
TABLES = json.loads((files(HOME) / "tables.json").read_text())


def number(cell):
    """A printed number, in units of its last digit, and how many units are 1 (or 100%)."""
    text = cell.removesuffix("%")
    digits = len(text.partition(".")[2])
    return round(Fraction(text) * 10**digits), 10 ** (digits + (2 if cell.endswith("%") else 0))


def share(cell):
    value, unit = number(cell)
    return Fraction(value, unit)


def test_a_population_has_all_twelve_first_ranks_of_group_privacy():
    """By weights of 78 labels, in floats."""
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


def test_a_population_has_the_accuracy_printed_at_5_at_6():
    """By every ranking of three labels, in floats."""
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


def test_only_one_entry_gets_worse_beyond_rounding():
    falls = []
    for name, table in TABLES.items():
        for mechanism in table["rows"]["1"]:
            for place, column in enumerate(table["columns"]):
                cells = [row[mechanism][place] for row in table["rows"].values()]
                for one, other in pairwise(cells):
                    change = (share(other) - share(one)) * (1 if column == "L1" else -1)
                    units = sum(Fraction(1, 2 * number(cell)[1]) for cell in (one, other))
                    if "0989" not in (one, other) and change > units:
                        falls.append((name, mechanism, column, one, other))
    assert falls == [("T4", "Group DP-Lap", "Acc@3", "9.55%", "9.4%")]
    assert evidence("bai2026.tables", "no entry")["table"] == "T4"


def test_laplace_noise_beats_draws_in_the_instance():
    """By a sum over a fine grid of noise: right more often than 3/4, against 2/3 of draws."""
    found = evidence("bai2026.exp-claims", "the exponential mechanism")
    assert found["right by draws"] == Fraction(2, 2 + 1)
    rate, step, most = 2 * math.log(2), 1e-3, 12000
    density = [rate / 2 * math.exp(-rate * abs(k * step)) * step for k in range(-most, most + 1)]
    below = [tail - mass / 2 for tail, mass in zip(accumulate(density), density)]
    below += [1.0] * round(1 / step)
    right = sum(mass * low for mass, low in zip(density, below[round(1 / step) :]))
    assert right == pytest.approx(1 - (1 + math.log(2)) / 8, abs=1e-3)
    assert right > 0.75 > 2 / 3
