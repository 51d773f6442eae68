"""Gaussian noise: infinite by supports, rational by mediants, else enclosed; against densities
on a dense grid of outputs.
"""

import math
from fractions import Fraction
from random import Random

import pytest
from tests import seeds

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.normal.leakage import compare, gaussian_ratio

HALF = Fraction(1, 2)


def law(random, values):
    weights = [random.choice([0, 1, 2, 5]) for _ in values]
    weights[0], weights[-1] = max(1, weights[0]), max(1, weights[-1])
    return {x: Fraction(weight, sum(weights)) for x, weight in zip(values, weights) if weight}


def log_density(given, output, variance):
    terms = [math.log(p) - (output - float(x)) ** 2 / (2 * variance) for x, p in given.items()]
    top = max(terms)
    return top + math.log(sum(math.exp(term - top) for term in terms))


@seeds(25)
def test_no_output_of_a_dense_grid_exceeds_it(seed):
    random = Random(seed)
    values = [Fraction(x, 2) for x in sorted(random.sample(range(-6, 7), random.randint(2, 6)))]
    above, below, variance = (law(random, values), law(random, values), Fraction(random.randint(1, 8), 4))
    found = gaussian_ratio(above, below, variance)
    seen = max(
        log_density(above, i / 20, float(variance)) - log_density(below, i / 20, float(variance))
        for i in range(-500, 501)
    )
    largest = math.log(found.leakage.upper)
    assert seen <= largest + 1e-9
    assert seen >= largest - 3e-2


def test_levels_are_decided_by_refining():
    inner = {Fraction(0): Fraction(1, 4), Fraction(1): HALF, Fraction(2): Fraction(1, 4)}
    outer = {Fraction(0): Fraction(2, 5), Fraction(1): Fraction(1, 5), Fraction(2): Fraction(2, 5)}
    found = gaussian_ratio(inner, outer, HALF)
    laws = [(inner, outer, HALF)]
    assert compare(found, laws, Level.log(found.leakage.lower - Fraction(1, 10**60))) == 1
    assert compare(found, laws, Level.log(found.leakage.upper + Fraction(1, 10**60))) == -1
    assert (
        compare(gaussian_ratio({Fraction(1): Fraction(1)}, {Fraction(0): Fraction(1)}, HALF), [], Level.of_nats(9)) == 1
    )


def test_many_values_are_refused():
    many = {Fraction(k): Fraction(1, 401) for k in range(401)}
    other = {Fraction(0): HALF, Fraction(400): HALF}
    with pytest.raises(ModelError, match="at most 400 values"):
        gaussian_ratio(many, other, HALF)


@pytest.mark.parametrize(
    ("values", "above", "below", "variance"),
    [
        ([-1, 0, 1], [2, 4, 2], [2, 2, 2], "1/100"),
        ([3, 4, 30], [1, 5, 2], [1, 2, 1], "1/100"),
        ([1, 8, 27, 29, 38], [1, 2, 5, 5, 1], [1, 5, 2, 2, 1], "1/100"),
        ([-3, -2, -1, 0, 1, 2, 3], [2, 2, 2, 10, 2, 2, 2], [2, 1, 1, 10, 1, 1, 2], "1/1000"),
        ([-3, -2, -1, 0, 1, 2, 3], [3, 7, 5, 0, 5, 7, 3], [2, 3, 10, 4, 10, 3, 2], "1/1000"),
        ([0, 1, 600], [1, 2, 1], [1, 1, 1], "1000000"),
    ],
)
def test_little_and_much_noise(values, above, below, variance):
    """Values far apart for their noise are told apart, so that the ratio comes close to that of
    the query itself.
    """
    laws = [{Fraction(x): Fraction(w, sum(law)) for x, w in zip(values, law) if w} for law in (above, below)]
    found = gaussian_ratio(*laws, Fraction(variance))
    assert found.leakage.upper / found.leakage.lower - 1 < Fraction(1, 10**15)
    if Fraction(variance) < 1:
        largest = max(p / laws[1][x] for x, p in laws[0].items())
        assert largest * (1 - Fraction(1, 10**6)) < found.leakage.upper <= largest * (1 + Fraction(1, 10**15))


def test_many_values_in_time():
    random = Random(0)
    values = [Fraction(x) for x in range(120)]
    laws = []
    for _ in range(2):
        weights = [random.randint(1, 9) for _ in values]
        weights[0] = weights[-1] = 1
        laws.append({x: Fraction(w, sum(weights)) for x, w in zip(values, weights)})
    found = gaussian_ratio(*laws, Fraction(1))
    assert found.leakage.ratio is None
    assert 1 < found.leakage.lower <= found.leakage.upper < 9


def test_the_law_itself_bounds_it():
    """The largest likelihood ratio of the query, reached in the limit when it is that of an
    extreme value.
    """
    above = {Fraction(0): Fraction(1, 4), Fraction(1): Fraction(1, 4), Fraction(2): HALF}
    below = {Fraction(0): HALF, Fraction(1): Fraction(1, 4), Fraction(2): Fraction(1, 4)}
    found = gaussian_ratio(above, below, HALF)
    assert found.leakage.ratio == 2
    assert found.output == "inf"
    inner = {Fraction(0): Fraction(1, 4), Fraction(1): HALF, Fraction(2): Fraction(1, 4)}
    hidden = gaussian_ratio(
        inner, {Fraction(0): Fraction(2, 5), Fraction(1): Fraction(1, 5), Fraction(2): Fraction(2, 5)}, HALF
    )
    assert hidden.leakage.ratio is None
    assert 1 < hidden.leakage.lower <= hidden.leakage.upper < Fraction(5, 2)
    assert hidden.output == "1"
