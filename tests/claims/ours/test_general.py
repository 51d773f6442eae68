"""The general laws and claims on correlated bits, judged by a second program."""

from fractions import Fraction
from itertools import product

import pytest
from scipy.optimize import linprog
from tests.brute import definitions as brute
from tests.claims.examination import evidence

from pufferproof.claims.ours.influence.inferential import Bits, worst_ratio


@pytest.mark.claims
@pytest.mark.parametrize(("reading", "level"), [("U any", 1), ("U connected", 2)])
def test_group_privacy_fails_without_the_tables_on_the_way(reading, level):
    found = evidence("general.group-privacy", reading)
    rows = {x: [found["mechanism"].probability(x, y) for y in "uv"] for x in found["tables of U"]}
    assert found["epsilon for one entry"] == f"log({level})"
    pairs = [(x, z, sum(a != b for a, b in zip(x, z))) for x in rows for z in rows]
    assert all(a <= level * b for x, z, k in pairs if k == 1 for a, b in zip(rows[x], rows[z]))
    assert any(a > level**k * b for x, z, k in pairs if k >= 1 for a, b in zip(rows[x], rows[z]))


@pytest.mark.claims
@pytest.mark.parametrize("name", ["general.bayes-form-one-order", "bai2026.puffer-odds"])
def test_one_order_of_pairs_bounds_the_odds_on_one_side_only(name):
    found = evidence(name, "a list of ordered" if name.startswith("g") else "S a set of ordered")
    law = dict.fromkeys("st", Fraction(1, 2))
    ratios = list(brute.ratios(found["framework"], found["mechanism"], law))
    above = {(pair, y) for pair, y, a, b in ratios if a > found["e^epsilon"] * b}
    assert (("t", "s"), found["output"]) in above
    assert ("s", "t") not in {pair for pair, _ in above}


def by_programs(each, record):
    """Maximise the mass given 1 over columns whose mass given 0 is 1, and turned around."""
    size, block = len(each.weights), 1 << (each.bits - record)
    level = float(each.level)
    rows = []
    for x, bit in product(range(size), range(each.bits)):
        row = [0.0] * size
        row[x], row[x ^ (1 << bit)] = 1.0, -level
        rows.append(row)
    best = 0.0
    for up in (True, False):
        above = [w if bool(x & block) is up else 0 for x, w in enumerate(each.weights)]
        below = [w if bool(x & block) is not up else 0 for x, w in enumerate(each.weights)]
        gain = [-w / sum(above) for w in above]
        norm = [w / sum(below) for w in below]
        found = linprog(gain, A_ub=rows, b_ub=[0] * len(rows), A_eq=[norm], b_eq=[1])
        best = max(best, -found.fun)
    return best


@pytest.mark.parametrize("weights", ["1111", "5115", "1234", "12212112"])
@pytest.mark.parametrize("level", [Fraction(3, 2), Fraction(4)])
def test_the_worst_mechanism_is_that_of_a_linear_program(weights, level):
    each = Bits(tuple(map(int, weights)), level)
    for record in range(1, each.bits + 1):
        assert float(worst_ratio(each, record)) == pytest.approx(by_programs(each, record))
