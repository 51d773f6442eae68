"""The smallest sigma of Gaussian noise against closed forms, quadrature and the audit; what is
enough by distances is never less.
"""

from fractions import Fraction
from itertools import permutations
from math import erfc, exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq, linprog
from tests import examples

from pufferproof import AdditiveNoise, Framework, Level, ModelError, Noise, Table, audit
from pufferproof.models.noise.distance import line_distance, square_distance, vector_distance
from pufferproof.verify.noise.laws.of_framework import table_laws
from pufferproof.verify.noise.scale.smallest import (
    Approximate,
    Divergence,
    Transport,
    line_pairs,
    quantile_coupling,
    sigma_of_shift,
    smallest_sigma,
    wasserstein_shift,
)

WIDTH = Fraction(1, 10**10)
LAW = {"a": "1/2", "b": "1/8", "c": "3/8"}
FRAMEWORK = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table(LAW)})


def found_for(values, epsilon, delta, framework=FRAMEWORK):
    query = AdditiveNoise(values, Noise.gaussian(1))
    promise = Approximate(Level(epsilon), Fraction(delta))
    return smallest_sigma(line_pairs(table_laws(framework, [query])), promise)


def closed_form(epsilon, sigma, shift):
    """Balle and Wang (2018), Theorem 8."""

    def normal(x):
        return erfc(-x / sqrt(2)) / 2

    half, rest = shift / (2 * sigma), epsilon * sigma / shift
    return normal(half - rest) - exp(epsilon) * normal(-half - rest)


@pytest.mark.parametrize("epsilon", ["0", "0.1", "1", "5"])
@pytest.mark.parametrize("delta", ["1/10", "1/100000", "1/1000000000"])
def test_a_shift_has_the_sigma_of_the_analytic_gaussian_mechanism(epsilon, delta):
    lower, upper = sigma_of_shift(Fraction(9), Approximate(Level(epsilon), Fraction(delta)))
    near = brentq(lambda sigma: closed_form(float(epsilon), sigma, 3) - float(Fraction(delta)), 0.2, 1e11)
    assert lower < upper <= lower * (1 + WIDTH)
    assert float(lower) == pytest.approx(near, rel=1e-5 if len(delta) > 6 else 1e-9)


@pytest.mark.parametrize(
    ("values", "epsilon", "delta"),
    [
        ((0, 1, 2), "0.3", "1/50"),
        ((0, 1, 2), "log(2)", "1/1000"),
        ((1, 1, 2), "log(2)", "1/1000"),
        ((0, "1/2", "-7/3"), "0.3", "1/50"),
    ],
)
def test_the_audit_keeps_the_upper_end_and_breaks_the_lower_one(values, epsilon, delta):
    table = dict(zip("abc", values))
    found = found_for(table, epsilon, delta)
    for sigma, verdict in ((found.upper, "SATISFIES"), (found.lower, "VIOLATES")):
        answer = audit(FRAMEWORK, AdditiveNoise(table, Noise.gaussian(sigma)), epsilon, delta)
        assert answer.verdict.value == verdict


def test_quadrature_agrees_at_the_sigma_found():
    found = found_for({"a": 0, "b": 1, "c": 3}, "0.5", "1/100")
    sigma = float(found.upper)

    def density(w, mean):
        return exp(-((w - mean) ** 2) / (2 * sigma**2)) / (sigma * sqrt(6.283185307179586))

    def excess(w, sign):
        one, other = density(w, 0), density(w, 1) / 4 + 3 * density(w, 3) / 4
        above, below = (one, other) if sign > 0 else (other, one)
        return max(0.0, above - exp(0.5) * below)

    largest = max(quad(excess, -40, 43, args=(sign,), limit=400)[0] for sign in (1, -1))
    assert largest == pytest.approx(0.01, rel=1e-4)


def test_no_noise_is_needed_where_the_values_themselves_keep_the_promise():
    assert found_for({"a": 2, "b": 2, "c": 2}, "0", "1/100").upper == 0
    theta = Table({"a": "1/4", "b": "1/4", "c": "1/4", "d": "1/4"})
    even = Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], {"theta": theta})
    table = {"a": 0, "b": 1, "c": 0, "d": 2}  # half of the mass is elsewhere
    assert found_for(table, "0", "1/2", even).upper == 0
    assert found_for(table, "0", "49/100", even).lower > 0


@pytest.mark.parametrize("delta", ["0", "1", "-1/2"])
def test_a_delta_lies_between_0_and_1(delta):
    with pytest.raises(ModelError, match="expected a delta between 0 and 1"):
        Approximate(Level("1"), Fraction(delta))


SMALL = st.integers(-3, 3)


@examples(12)
@given(st.tuples(SMALL, SMALL, SMALL), st.sampled_from(["0", "0.5", "log(2)"]))
def test_a_distance_never_asks_for_less(values, epsilon):
    promise = Approximate(Level(epsilon), Fraction(1, 100))
    query = AdditiveNoise(dict(zip("abc", values)), Noise.gaussian(1))
    laws = table_laws(FRAMEWORK, [query])
    least = smallest_sigma(line_pairs(laws), promise)
    shift = wasserstein_shift(laws)
    assert shift.square == max(abs(values[0] - x) for x in values[1:]) ** 2
    assert sigma_of_shift(shift.square, promise)[1] >= least.lower


POINTS = st.lists(st.tuples(SMALL, SMALL), min_size=3, max_size=3)


@examples(60)
@given(POINTS, POINTS)
def test_square_distances_are_least_over_matchings(left, right):
    def law(points):
        known = {}
        for point in points:
            known[point] = known.get(point, 0) + Fraction(1, 3)
        return known

    def square(x, y):
        return sum((a - b) ** 2 for a, b in zip(x, y))

    matchings = (max(map(square, left, order)) for order in permutations(right))
    assert square_distance(law(left), law(right)) == min(matchings)
    assert vector_distance(law(left), law(right)) ** 2 >= min(
        max(map(square, left, order)) for order in permutations(right)
    )


def test_on_a_line_both_distances_agree():
    left, right = {0: "1/2", 4: "1/2"}, {1: "1/4", 2: "3/4"}
    vectors = [{(x, -x): p for x, p in law.items()} for law in (left, right)]
    assert square_distance(*vectors) == 2 * line_distance(left, right) ** 2


@pytest.mark.parametrize("order", ["3/2", "2", "30"])
def test_a_shift_has_the_closed_form_of_a_divergence(order):
    """sigma^2 = alpha D^2 / 2 epsilon."""
    lower, upper = sigma_of_shift(Fraction(9), Divergence(Level("0.7"), Fraction(order)))
    near = Fraction(order) * 9 / 2 / Fraction("0.7")
    assert lower**2 < near <= upper**2 <= near * (1 + 4 * WIDTH)


@examples(10)
@given(st.tuples(SMALL, SMALL, SMALL), st.sampled_from(["3/2", "4"]))
def test_transport_lies_between_the_divergence_and_the_distance(values, order):
    query = AdditiveNoise(dict(zip("abc", values)), Noise.gaussian(1))
    laws = table_laws(FRAMEWORK, [query])
    known = Level("0.5"), Fraction(order)
    least = smallest_sigma(line_pairs(laws), Divergence(*known))
    transport = smallest_sigma(line_pairs(laws), Transport(*known))
    farthest = sigma_of_shift(wasserstein_shift(laws).square, Divergence(*known))
    assert least.lower <= transport.upper
    assert transport.lower <= farthest[1]


LAWS = st.lists(st.tuples(SMALL, st.integers(1, 4)), min_size=1, max_size=4)


def law_of(weights):
    total = sum(weight for _, weight in weights)
    known = {}
    for value, weight in weights:
        known[Fraction(value)] = known.get(Fraction(value), 0) + Fraction(weight, total)
    return known


@examples(60)
@given(LAWS, LAWS)
def test_quantiles_are_a_coupling_and_the_cheapest(left, right):
    above, below = law_of(left), law_of(right)
    moved = list(quantile_coupling(above, below))
    assert sum(p for _, p in moved) == 1
    assert sum(d * p for d, p in moved) == sum(v * p for v, p in below.items()) - sum(v * p for v, p in above.items())
    assert max(abs(d) for d, _ in moved) == line_distance(above, below)
    values = [list(law) for law in (above, below)]
    cost = [float((x - y) ** 2) for x in values[0] for y in values[1]]
    rows = [[float(i == k) for i in values[0] for _ in values[1]] for k in values[0]]
    rows += [[float(j == k) for _ in values[0] for j in values[1]] for k in values[1]]
    masses = [float(p) for law in (above, below) for p in law.values()]
    least = linprog(cost, A_eq=rows, b_eq=masses).fun
    assert float(sum(d * d * p for d, p in moved)) == pytest.approx(least, abs=1e-9)


def test_a_divergence_of_the_values_themselves_needs_no_noise():
    theta = Table({"a": "1/4", "b": "1/4", "c": "1/4", "d": "1/4"})
    secrets = {"s": ["a", "b"], "t": ["c", "d"]}
    same = Framework("abcd", secrets, [("s", "t")], {"theta": theta})
    query = AdditiveNoise({"a": 0, "b": 1, "c": 0, "d": 1}, Noise.gaussian(1))
    promise = Divergence(Level("0.1"), Fraction(2))
    assert smallest_sigma(line_pairs(table_laws(same, [query])), promise).upper == 0
    uneven = Table({"a": "1/4", "b": "1/4", "c": "1/5", "d": "3/10"})
    near = Framework("abcd", secrets, [("s", "t")], {"theta": uneven})
    laws = table_laws(near, [query])  # (1/4)/(2/5) + (1/4)/(3/5) = 25/24, the other 26/25
    for level, noise in (("log(25/24)", False), ("log(26/25)", True)):
        found = smallest_sigma(line_pairs(laws), Divergence(Level(level), Fraction(2)))
        assert (found.upper > 0) is noise
