"""Outputs that are numbers: their densities against samples of the same function, and in closed
forms.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chi2

from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.numbers.pieces import Piecewise, rational
from pufferproof.verify.programs.law import law_of

MARKS = [-3.0, -1.0, -0.25, 0.5, 1.0, 2.0, 3.5]


def largest_shown(database, rng):
    return max(int(bit) + rng.laplace(scale=2) for bit in database)


def middle(database, rng):
    return np.sort(rng.laplace(size=3))[1]


def mean(database, rng):
    return np.mean(rng.laplace(size=3))


def spread(database, rng):
    return rng.exponential(2) - 3 * rng.random()


def clipped(database, rng):
    return np.clip(2 + rng.laplace(), 0, 3)


def sparse(database, rng):
    threshold = rng.laplace(0, 2)
    for i, bit in enumerate(database):
        answer = int(bit) + rng.laplace(0, 4)
        if answer >= threshold:
            return str(i), answer
    return "none"


def coin_and_number(database, rng):
    u = rng.random()
    return (u < 0.5) ^ (rng.random() < 0.25), u


def gap(database, rng):
    x = np.sort(np.array([int(bit) for bit in database]) + rng.exponential(1.5, size=4))
    return x[-1] - x[-2]


def scaled(database, rng):
    return [0.25 * rng.gamma(2, 2.0) - 1] if rng.integers(3) else [7]


PROGRAMS = [largest_shown, middle, mean, spread, clipped, sparse, coin_and_number, gap, scaled]


def cells(law, database):
    """The probabilities of labels, and of intervals of the numbers in them."""
    found = {}
    for output, mass in law.masses[database].items():
        if output not in law.densities[database]:
            found[output] = float(mass.ball())
            continue
        ends = [None, *(rational(Fraction(mark)) for mark in MARKS), None]
        for i, (low, high) in enumerate(pairwise(ends)):
            density = law.densities[database][output].clipped(low, high)
            found[output, i] = density.mass().approx()
    return found


def cell(output, numbers):
    """The cell of an output; numbers that are drawn are not whole."""
    if isinstance(output, tuple | list):
        return "(" + ",".join(str(cell(each, numbers)) for each in output) + ")"
    if isinstance(output, float) and not float(output).is_integer():
        numbers.append(output)
        return "number"
    return int(output) if isinstance(output, float) else output


@pytest.mark.parametrize("program", PROGRAMS)
def test_densities_agree_with_samples(program):
    # fails with probability 1e-6 for each program whose law is right; the seed is fixed
    law, runs = law_of(program, ["0110"]), 4000
    expected, rng, drawn = cells(law, "0110"), np.random.default_rng(11), Counter()
    for _ in range(runs):
        numbers = []
        label = str(cell(program("0110", rng), numbers))
        drawn[(label, int(np.searchsorted(MARKS, numbers[0]))) if numbers else label] += 1
    assert drawn.keys() <= {place for place, share in expected.items() if share > 0}
    large = {place: runs * share for place, share in expected.items() if runs * share >= 8}
    statistic = sum((drawn[place] - share) ** 2 / share for place, share in large.items())
    assert chi2.sf(statistic, max(len(large) - 1, 1)) > 1e-6


def test_a_sum_of_exponential_draws_has_a_gamma_density():
    law = law_of(lambda _, rng: rng.exponential(2) + rng.exponential(2), ["0"])
    (density,) = law.densities["0"].values()
    for end in (Fraction(1, 2), Fraction(3)):
        below = density.clipped(None, rational(end)).total()
        assert below == Piecewise.gamma(2, Fraction(2)).clipped(None, rational(end)).total()


def test_a_number_has_the_mass_of_its_label():
    law = law_of(clipped, ["0"])
    assert set(law.outputs) == {"number", "3", "0"}
    assert law.densities["0"]["number"].total() == law.masses["0"]["number"]
    assert isinstance(law.table(), PartialTable)
