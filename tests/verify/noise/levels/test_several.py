"""Renyi moments of noise on several numbers: products of laws have products of moments, others
agree with sums over a fine grid in floats; bounds that stay wide leave a level undecided.
"""

from fractions import Fraction
from itertools import product
from math import log, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import AdditiveNoise, Framework, Noise, Table, audit
from pufferproof.models.errors import TooLargeError
from pufferproof.verify.noise.integrals.delta.several import Axis, Coupling
from pufferproof.verify.noise.integrals.renyi.largest import moment_of
from pufferproof.verify.noise.integrals.renyi.several import Several, power, product_moment
from pufferproof.verify.noise.laws.of_framework import LawPair

LAW = {"a": "1/2", "b": "1/8", "c": "3/8"}
FRAMEWORK = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table(LAW)})
MIXED = [
    ({0: "1/2", 3: "1/2"}, {1: "1/4", 4: "3/4"}),
    ({0: "1"}, {0: "1/3", 2: "2/3"}),
    ({1: "1/5", 2: "4/5"}, {0: "1/2", 2: "1/2"}),
]
NOISES = [Noise.laplace("3/2"), Noise.gaussian(2), Noise.geometric("1/2")]
ORDERS = [Fraction(2), Fraction(5, 2), Fraction(6)]


def exactly(law):
    return {(Fraction(v),): Fraction(p) for v, p in law.items()}


def joined(laws):
    return {
        sum((value for value, _ in parts), ()): prod(p for _, p in parts)
        for parts in product(*(law.items() for law in laws))
    }


def alone(laws, noise, order):
    pair = LawPair("theta", ("s", "t"), *laws)
    return moment_of(pair, [noise], order).bounds(60)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("places", [*product(range(3), repeat=2), (0, 1, 2), (0, 0, 0)])
def test_products_of_laws_have_products_of_moments(places, order):
    laws = [tuple(map(exactly, MIXED[k])) for k in range(len(places))]
    noises = [NOISES[k] for k in places]
    known = [alone(each, noise, order) for each, noise in zip(laws, noises)]
    least, most = prod(low for low, _ in known), prod(high for _, high in known)
    above, below = (joined(side) for side in zip(*laws))
    lower, upper = product_moment(above, below, [Axis.of(each) for each in noises], order, 24)
    assert lower <= most
    assert least <= upper
    assert upper - lower <= least * Fraction(1, 2**20)
    far = Several(order, "", ("", ""), (), above=above, below=below, axes=[Axis.of(n) for n in noises])
    low, high = far.far
    assert low <= most
    assert least <= high


def on_a_grid(points, kind, scale, order):
    """The moment of the pair of FRAMEWORK, by a sum over a grid of the plane."""
    places = np.arange(-30, 33, 0.03) + 0.015

    def noise(value):
        z = places - float(value)
        if kind == "laplace":
            return np.exp(-np.abs(z) / scale) / (2 * scale)
        return np.exp(-(z**2) / (2 * scale**2)) / (scale * np.sqrt(2 * np.pi))

    def density(law):
        return sum(p * np.outer(*map(noise, points[x])) for x, p in law.items())

    sides = [density({"a": 1.0}), density({"b": 1 / 4, "c": 3 / 4})]
    sides = [np.maximum(each, 1e-300) for each in sides]
    return max(float((f * (f / g) ** (order - 1)).sum()) * 0.03**2 for f, g in (sides, sides[::-1]))


@pytest.mark.parametrize("order", ["3/2", "3"])
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize("points", [((0, 0), (1, 0), (0, 1)), ((0, 1), ("1/2", "-1"), (2, 2))])
def test_mixtures_agree_with_a_grid(points, kind, order):
    table = {x: tuple(map(Fraction, v)) for x, v in zip("abc", points)}
    ends = audit(FRAMEWORK, AdditiveNoise(table, Noise(kind, "3/2")), renyi=order).renyi.enclosure()
    near = log(on_a_grid(table, kind, 1.5, float(Fraction(order)))) / (float(Fraction(order)) - 1)
    assert float(ends.lower) == pytest.approx(near, rel=1e-3)
    assert float(ends.lower) <= float(ends.upper) <= float(ends.lower) * (1 + 1e-9)


@pytest.mark.parametrize("noise", [Noise.laplace(1), Noise.gaussian(1)])
def test_many_numbers_are_undecided_in_between_only(noise):
    """Fifteen numbers: bounds by a coupling and by some of them."""
    table = {x: tuple((k * step) % 3 for k in range(1, 16)) for x, step in zip("abc", (0, 1, 2))}
    if noise.kind == "gaussian":
        table["c"] = (*table["c"][:-1], 5)
    query = AdditiveNoise(table, noise)
    ends = audit(FRAMEWORK, query, renyi=2).renyi.enclosure()
    low, high = Fraction(ends.lower), Fraction(ends.upper)
    assert 0 < low <= high
    if noise.kind == "laplace":
        assert low < high
        middle = audit(FRAMEWORK, query, (low + high) / 2, renyi=2)
        assert middle.verdict.value == "UNDECIDED"
        assert "between" in str(middle)
    assert audit(FRAMEWORK, query, high * 2, renyi=2).verdict.value == "SATISFIES"
    assert audit(FRAMEWORK, query, low / 2, renyi=2).verdict.value == "VIOLATES"


@examples(40)
@given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=5), st.fractions(Fraction(1, 8), 12, max_denominator=16))
def test_powers_of_floats(bases, exponent):
    mantissa, shift = power(np.array(bases), exponent)
    for base, m, e in zip(bases, mantissa.tolist(), shift.tolist()):
        near = log(base) * float(exponent)
        assert log(m) + e * log(2) == pytest.approx(near, rel=1e-12, abs=1e-12)


@examples(40)
@given(st.lists(st.integers(0, 4), min_size=4, max_size=12))
def test_couplings_have_their_laws(numbers):
    values = [(Fraction(a), Fraction(b)) for a, b in zip(numbers[::2], numbers[1::2])]
    half = len(values) // 2
    laws = [dict.fromkeys(part, Fraction(0)) for part in (values[:half], values[half:])]
    for law, part in zip(laws, (values[:half], values[half:])):
        for value in part:
            law[value] += Fraction(1, len(part))
    for coupling in Coupling.some(*laws):
        for side, law in enumerate(laws):
            sums = dict.fromkeys(law, Fraction(0))
            for moved in coupling.moved:
                sums[moved[side]] += moved[2]
            assert sums == law


def test_too_many_points_are_refused():
    above = {(Fraction(k), Fraction(-k), Fraction(k % 7)): Fraction(1, 90) for k in range(90)}
    below = {(Fraction(0), Fraction(0), Fraction(0)): Fraction(1)}
    with pytest.raises(TooLargeError):
        product_moment(above, below, [Axis.of(Noise.laplace(1))] * 3, Fraction(2), 30)
