"""Renyi divergences of noise agree with closed forms, with quadrature in floats, and with channels
that are written out.
"""

from fractions import Fraction
from itertools import pairwise
from math import exp, inf, log, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from tests import examples

from pufferproof import AdditiveNoise, Channel, Framework, ModelError, Noise, Table, audit, renyi_divergence

LAW = {"a": "1/2", "b": "1/8", "c": "3/8"}
FRAMEWORK = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table(LAW)})
PAIR = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table(dict.fromkeys("ab", "1/2"))})
SHAPES = {
    "laplace": lambda z, b: exp(-abs(z) / b) / (2 * b),
    "gaussian": lambda z, s: exp(-z * z / (2 * s * s)) / (s * sqrt(2 * pi)),
}


def nats(answer):
    ends = answer.renyi.enclosure()
    assert float(ends.lower) <= float(ends.upper) <= float(ends.lower) * (1 + 1e-12)
    return float(ends.lower)


def by_quadrature(values, kind, scale, order):
    numbers = [float(Fraction(v)) for v in values]
    weights = ({0: 1.0}, {1: 1 / 4, 2: 3 / 4})

    def density(law, w):
        return sum(p * SHAPES[kind](w - numbers[k], scale) for k, p in law.items())

    def integrand(w, above, below):
        f, g = density(above, w), density(below, w)
        return f * (f / g) ** (order - 1) if f and g else 0.0

    ends = sorted({*numbers, min(numbers) - 40, max(numbers) + 40})
    moments = [
        sum(quad(integrand, low, high, args=laws, limit=200)[0] for low, high in pairwise(ends))
        for laws in (weights, weights[::-1])
    ]
    return log(max(moments)) / (order - 1)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    ("values", "order"),
    [((0, 1, 2), "3/2"), ((0, 1, 2), "4"), ((0, 1, -1), "2"), ((1, 1, 2), "4"), ((0, "1/2", "-7/3"), "3/2")],
)
def test_mixtures_agree_with_quadrature(kind, values, order):
    answer = audit(FRAMEWORK, AdditiveNoise(dict(zip("abc", values)), Noise(kind, "3/2")), renyi=order)
    near = by_quadrature(values, kind, 1.5, float(Fraction(order)))
    assert nats(answer) == pytest.approx(near, rel=1e-6)


@pytest.mark.parametrize("order", ["3/2", "2", "7", "100"])
def test_one_bit_has_the_closed_forms_of_mironov(order):
    """Mironov (2017), Propositions 6 and 7."""
    alpha = float(Fraction(order))
    gaussian = audit(PAIR, AdditiveNoise({"a": 0, "b": 3}, Noise.gaussian(2)), renyi=order)
    assert nats(gaussian) == pytest.approx(alpha * 9 / 8, rel=1e-14)
    laplace = audit(PAIR, AdditiveNoise({"a": 0, "b": 3}, Noise.laplace(2)), renyi=order)
    terms = alpha * exp((alpha - 1) * 1.5) + (alpha - 1) * exp(-alpha * 1.5)
    assert nats(laplace) == pytest.approx(log(terms / (2 * alpha - 1)) / (alpha - 1), rel=1e-12)


def test_a_level_of_one_bit_is_decided_exactly():
    query = AdditiveNoise({"a": 0, "b": 3}, Noise.gaussian(2))
    for level, verdict in (("2.25", "SATISFIES"), ("2.2499999999", "VIOLATES")):
        assert audit(PAIR, query, level, renyi=2).verdict.value == verdict
    assert audit(PAIR, query, "log(9)", renyi=2).verdict.value == "VIOLATES"
    assert audit(PAIR, query, "log(10)", renyi=2).verdict.value == "SATISFIES"


def written_out(values, ratio):
    """Geometric noise cut off at the extreme values, as a channel."""
    low, high = min(values.values()), max(values.values())
    if low == high:
        return Channel.of({label: [1] for label in values}, [str(low)])
    inner = range(low + 1, high)
    rows = {
        label: [
            ratio ** (value - low) / (1 + ratio),
            *((1 - ratio) / (1 + ratio) * ratio ** abs(w - value) for w in inner),
            ratio ** (high - value) / (1 + ratio),
        ]
        for label, value in values.items()
    }
    return Channel.of(rows, [f"<={low}", *map(str, inner), f">={high}"])


@examples(25)
@given(st.tuples(*[st.integers(-3, 3)] * 3), st.sampled_from(["1/2", "2/3"]), st.sampled_from(["2", "3", "5/2"]))
def test_geometric_noise_agrees_with_the_channel_written_out(values, ratio, order):
    table = dict(zip("abc", values))
    noisy = audit(FRAMEWORK, AdditiveNoise(table, Noise.geometric(ratio)), renyi=order).renyi
    listed = renyi_divergence(FRAMEWORK, written_out(table, Fraction(ratio)), order)
    assert noisy.enclosure() == listed.enclosure()
    assert noisy.moment == listed.moment


@pytest.mark.parametrize("values", [(0, 1, 2), ((0, 1), (1, 0), (2, 2)), (3, 3, 3)])
def test_discrete_laplace_noise_is_geometric(values):
    table = dict(zip("abc", values))
    exactly = audit(FRAMEWORK, AdditiveNoise(table, Noise.discrete_laplace("1/log(2)")), renyi=2)
    geometric = audit(FRAMEWORK, AdditiveNoise(table, Noise.geometric("1/2")), renyi=2)
    assert exactly.renyi.moment == geometric.renyi.moment is not None
    near = audit(FRAMEWORK, AdditiveNoise(table, Noise.discrete_laplace("1.4426950408889634")), renyi=2)
    assert float(near.renyi.enclosure().lower) == pytest.approx(float(geometric.renyi.enclosure().lower), abs=1e-12)


@pytest.mark.parametrize("kind", ["laplace", "gaussian", "geometric"])
def test_divergences_grow_with_the_order_up_to_the_leakage(kind):
    parameter = "1/2" if kind == "geometric" else "2"
    query = AdditiveNoise({"a": 0, "b": 1, "c": 3}, Noise(kind, parameter))
    answers = [audit(FRAMEWORK, query, renyi=order) for order in ("1.01", "2", "9", "60")]
    found = [nats(answer) for answer in answers]
    assert found == sorted(found)
    leakage = answers[0].leakage
    assert leakage.infinite or found[-1] < float(leakage.enclosure().upper)
    assert leakage.infinite or found[-1] > 0.85 * float(leakage.enclosure().upper)


def test_sparse_values_are_summed_without_a_polynomial():
    query = AdditiveNoise({"a": 0, "b": "1/1000", "c": "7/3"}, Noise.gaussian(1))
    near = by_quadrature((0, "1/1000", "7/3"), "gaussian", 1.0, 3.0)
    assert nats(audit(FRAMEWORK, query, renyi=3)) == pytest.approx(near, rel=1e-6)


def test_equal_laws_have_no_divergence():
    query = AdditiveNoise({"a": 1, "b": 1, "c": 1}, Noise.gaussian(1))
    answer = audit(FRAMEWORK, query, "0", renyi="5/2")
    assert answer.renyi.moment == 1
    assert answer.verdict.value == "SATISFIES"


@pytest.mark.parametrize(("values", "noise", "said"), [((0, 1, 10**6), Noise.gaussian(1), "a larger sigma")])
def test_what_is_refused(values, noise, said):
    with pytest.raises(ModelError, match=said):
        audit(FRAMEWORK, AdditiveNoise(dict(zip("abc", values)), noise), renyi=3)


def test_an_order_is_above_1():
    query = AdditiveNoise({"a": 0, "b": 1}, Noise.gaussian(1))
    for order in (1, "1/2", inf):
        with pytest.raises(ModelError):
            audit(PAIR, query, renyi=order)
