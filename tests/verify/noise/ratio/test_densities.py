"""Largest ratios of densities against grids, and what one has above another against quadrature;
programs that release a number against noise on queries.
"""

from fractions import Fraction
from itertools import pairwise
from math import inf

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from tests import examples

from pufferproof import Framework, Table, as_mechanism, audit
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, rational, summed
from pufferproof.verify.noise.ratio.densities import Facing, excess, overlaps, signs

WEIGHTS = st.lists(st.integers(1, 4), min_size=3, max_size=3)
CENTRES = (Fraction(0), Fraction(1), Fraction(5, 2))
NOISES = st.sampled_from([Piecewise.laplace(Fraction(1)), Piecewise.laplace(Fraction(3, 2)), Piecewise.uniform()])


def mixture(noise, weights):
    parts = []
    for centre, weight in zip(CENTRES, weights):
        share = ExponentialPolynomial.constant(fmpq(weight, sum(weights)))
        parts += noise.moved(fmpq(1), rational(centre)).scaled(share).segments
    return summed(parts)


def value(function, y):
    for low, high, f in function.segments:
        if (low is None or float(low) <= y) and (high is None or y < float(high)):
            return f.approx(y)
    return 0.0


def bounds(peak):
    if peak.above is None:
        return float(peak.lower), inf if peak.upper is None else float(peak.upper)
    exactly = inf if peak.infinite else float(peak.above.ball() / peak.below.ball())
    return exactly, exactly


def largest(first, second):
    lower = upper = 0.0
    for low, high, p, q in overlaps(first, second):
        found = [(inf, inf)]
        if q is not None:
            facing = Facing(p, q, low, high)
            found = [bounds(each) for each in (*facing.at_ends(), *facing.inside())]
        lower = max(lower, *(low for low, _ in found))
        upper = max(upper, *(high for _, high in found))
    return lower, upper


@given(NOISES, NOISES, WEIGHTS, WEIGHTS)
@examples(60)
def test_no_point_has_a_larger_ratio(one, other, first, second):
    p, q = mixture(one, first), mixture(other, second)
    lower, upper = largest(p, q)
    assert lower <= upper * (1 + 1e-9)
    grid = [value(p, y) / value(q, y) for y in np.linspace(-4, 6, 301) if value(q, y) > 1e-12]
    assert max(grid) <= upper * (1 + 1e-6)
    if upper < inf:
        assert upper <= lower * (1 + 1e-9)
        near = np.linspace(-30, 30, 20_001)
        reached = max(value(p, y) / value(q, y) for y in near[::10] if value(q, y) > 1e-30)
        assert lower <= reached * 1.05


@given(NOISES, NOISES, WEIGHTS, WEIGHTS, st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2)]))
@examples(40)
def test_what_is_above_a_multiple_is_an_integral(one, other, first, second, factor):
    p, q = mixture(one, first), mixture(other, second)
    low = high = Fraction(0)
    for a, b, f, g in overlaps(p, q):
        added = excess(f if g is None else f - g.scaled(rational(factor)), a, b)
        low, high = low + added[0], high + added[1]
    cuts = [float(x) for f in (p, q) for a, b, _ in f.segments for x in (a, b) if x is not None]
    grid = sorted({-40.0, *cuts, 40.0})
    numeric = sum(
        quad(lambda y: max(0, value(p, y) - float(factor) * value(q, y)), a, b, limit=200)[0] for a, b in pairwise(grid)
    )
    assert float(low) - 1e-6 <= numeric <= float(high) + 1e-6
    assert high - low < Fraction(1, 10**12)


def test_signs_are_those_of_the_function():
    f = ExponentialPolynomial(1, {(2, 0, 0): fmpq(1), (0, 1, 0): fmpq(-1)})  # y^2 - e^y
    parts = list(signs(f, None, None))
    assert (parts[0].sign, parts[-1].sign) == (1, -1)
    for part in parts:
        if part.sign and part.low is not None and part.high is not None:
            assert f.approx(float((part.low + part.high) / 2)) * part.sign > 0
        assert part.sign or part.high - part.low <= fmpq(1, 1 << 63)


DATABASES = ["00", "01", "10", "11"]
FRAMEWORK = Framework(
    DATABASES,
    {"s": ["00", "01"], "t": ["10", "11"]},
    [("s", "t")],
    {"theta": Table(dict(zip(DATABASES, ["1/2", "1/6", "1/12", "1/4"])))},
)
QUERY = {label: label.count("1") for label in DATABASES}


def noisy_count(database, rng):
    return database.count("1") + rng.laplace(scale=2)


def parts_of_noise(database, rng):  # a Laplace draw is a difference of exponential ones
    return database.count("1") + rng.exponential(2) - rng.exponential(2)


def clipped_count(database, rng):
    return np.clip(noisy_count(database, rng), -100, 100)


@pytest.mark.parametrize("program", [noisy_count, parts_of_noise, clipped_count])
def test_a_noisy_count_leaks_what_noise_on_the_query_does(program):
    noise = AdditiveNoise(QUERY, Noise.laplace(2))
    answer = audit(FRAMEWORK, as_mechanism(program, DATABASES))
    known = audit(FRAMEWORK, noise)
    lower, upper = answer.leakage.enclosure().lower, answer.leakage.enclosure().upper
    assert float(lower) == pytest.approx(float(known.leakage.enclosure().lower), abs=1e-12)
    assert float(upper) == pytest.approx(float(known.leakage.enclosure().upper), abs=1e-12)
    smallest = audit(FRAMEWORK, as_mechanism(program, DATABASES), "0.2", "0.1").delta.bounds()
    expected = audit(FRAMEWORK, noise, "0.2", "0.1").delta.bounds()
    assert float(smallest[0]) == pytest.approx(float(expected[1]), abs=1e-9)
