"""Both mechanisms: what claims prove and refute holds on small frameworks, by definition."""

from fractions import Fraction
from itertools import product

import pytest
from tests.claims.examination import evidence, examined

pytestmark = pytest.mark.claims


def test_a_private_mechanism_distinguishes_two_people_by_more_than_its_level():
    """P(u | X_1 = 1) / P(u | X_2 = 0) for the printed pairs, from the joint law."""
    tenth = Fraction(1, 10)
    one, two = (1 - tenth, tenth), (tenth, 1 - tenth)
    law = {(x, y): one[x] * two[y] for x, y in product((0, 1), repeat=2)}
    entry = {z: Fraction(1, 16) * 2 ** sum(z) for z in law}

    def given(event):
        return sum(law[z] * entry[z] for z in event) / sum(law[z] for z in event)

    ratio = given([z for z in law if z[0] == 1]) / given([z for z in law if z[1] == 0])
    assert ratio == evidence("wang2016.dp-special-case")["ratio"] == Fraction(38, 11)
    for x, y in product(entry, repeat=2):
        if sum(i != j for i, j in zip(x, y)) == 1:
            assert entry[x] <= 2 * entry[y]
            assert 1 - entry[x] <= 2 * (1 - entry[y])


def test_the_weights_of_equation_7_cannot_be_dropped():
    """Both sides of (7) at the counterexample: with the law of X_2, and without."""
    shown = evidence("wang2016.A2-eq7")
    table, weight, w = shown["F(00) F(01) F(10) F(11)"], shown["P(X_2=0)"], shown["w"]
    bits = list(product((0, 1), repeat=2))
    density = {(x, y): Fraction(1, 2) ** abs(w - table[2 * x + y]) for x, y in bits}
    law = {0: weight, 1: 1 - weight}
    left = sum(law[y] * density[0, y] for y in law) / sum(law[y] * density[1, y] for y in law)
    right = sum(density[0, y] for y in law) / sum(density[1, y] for y in law)
    assert (left, right) == (shown["left side of (7)"], shown["right side of (7)"])
    assert left > right
    for x, y in product(bits, repeat=2):
        if sum(i != j for i, j in zip(x, y)) == 1:
            assert abs(table[2 * x[0] + x[1]] - table[2 * y[0] + y[1]]) <= 1


def test_the_distance_may_be_half_the_sensitivity():
    shown = evidence("wang2016.wass-gs")
    values, absent = list(shown["F"].values()), shown["F"]["-"]
    assert max(abs(value - absent) for value in values) == shown["W"]
    assert max(values) - min(values) == shown["GS"] == 2 * shown["W"]


def test_a_release_that_hides_presence_tells_two_present_values_apart():
    readings = {each.name: each for each in examined("wang2016.wass-gs").readings}
    shown = readings["one private value changes: Pufferfish is DP"].evidence
    outputs = {value: (x, 1 - x) for value, x in shown["P(u|value)"].items()}
    pairs = product(outputs.items(), repeat=2)
    ratio = {x + y: max(s / t for s, t in zip(one, two)) for (x, one), (y, two) in pairs}
    assert max(ratio[x] for x in ("a-", "-a", "b-", "-b")) == shown["e^epsilon of Pufferfish"] == 2
    assert max(ratio.values()) == ratio["ab"] == shown["of DP"] == 4
    assert readings["presence against absence: Pufferfish is DP"].verdict.value == "TRIED"
