"""Deltas of noise agree with quadrature, with closed forms, and with channels that are written
out.
"""

from fractions import Fraction
from itertools import product
from math import erfc, exp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial.legendre import leggauss
from tests import examples

from pufferproof import AdditiveNoise, Channel, Framework, Level, ModelError, Noise, Table, audit, smallest_delta

LAW = {"a": "1/2", "b": "1/8", "c": "3/8"}
FRAMEWORK = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table(LAW)})
PAIR = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table(dict.fromkeys("ab", "1/2"))})
LEVELS = ["0", "0.1", "log(3/2)", "1.5"]
VALUES = [(0, 1, 2), (0, 1, -1), (1, 1, 2), (0, 3, 3), (0, "1/2", "-7/3")]


def density(kind, scale):
    if kind == "laplace":
        return lambda z: np.exp(-np.abs(z) / scale) / (2 * scale)
    return lambda z: np.exp(-(z**2) / (2 * scale**2)) / (scale * sqrt(2 * np.pi))


def by_quadrature(values, shape, ratio):
    """The larger of the two integrals, over cells that end at the values, with 8 nodes each."""
    numbers = {x: float(Fraction(v)) for x, v in zip("abc", values)}
    mixed = {"b": 1 / 4, "c": 3 / 4}

    def one(w):
        return shape(w - numbers["a"])

    def other(w):
        return sum(p * shape(w - numbers[x]) for x, p in mixed.items())

    ends = np.unique([*numbers.values(), *np.linspace(-60, 60, 12_001)])
    nodes, weights = leggauss(8)
    half, middle = np.diff(ends) / 2, (ends[1:] + ends[:-1]) / 2
    at = middle[:, None] + half[:, None] * nodes
    above, below = one(at), other(at)
    return max(float(half @ np.maximum(0, f - ratio * g) @ weights) for f, g in [(above, below), (below, above)])


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize(("values", "epsilon"), [*product(VALUES, LEVELS)][::3])
def test_densities_agree_with_quadrature(kind, values, epsilon):
    """Quadrature is right to about 1e-6 where it meets a zero of the difference."""
    found = audit(FRAMEWORK, AdditiveNoise(dict(zip("abc", values)), Noise(kind, "3/2")), epsilon, "1/2").delta
    lower, upper = found.bounds()
    near = by_quadrature(values, density(kind, 1.5), float(Level(epsilon).bounds()[0]))
    assert float(lower) == pytest.approx(near, abs=1e-6)
    assert 0 <= lower <= upper <= lower * (1 + Fraction(1, 2**59))


@pytest.mark.parametrize("sigma", ["1/10", "1", "7"])
@pytest.mark.parametrize("epsilon", ["0", "0.5", "3", "20"])
def test_gaussian_noise_on_one_bit_has_its_closed_form(sigma, epsilon):
    """Balle and Wang (2018), Theorem 8, with sensitivity 1."""
    found = audit(PAIR, AdditiveNoise({"a": 0, "b": 1}, Noise.gaussian(sigma)), epsilon, "1/2").delta
    s, e = float(Fraction(sigma)), float(epsilon)

    def normal(x):
        return erfc(-x / sqrt(2)) / 2

    closed = normal(1 / (2 * s) - e * s) - exp(e) * normal(-1 / (2 * s) - e * s)
    assert float(found.bounds()[0]) == pytest.approx(closed, abs=1e-12)


def test_laplace_noise_on_one_bit_has_its_closed_form():
    """1 - e^((epsilon - 1/b)/2), 0 from epsilon = 1/b on."""
    for epsilon in ("0", "0.25", "0.5", "0.75"):
        found = audit(PAIR, AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(2)), epsilon, "1/2").delta
        closed = max(0.0, 1 - exp((float(epsilon) - 0.5) / 2))
        assert float(found.bounds()[0]) == pytest.approx(closed, abs=1e-14)


def cut_off(values, ratio):
    """The channel of geometric noise on vectors, cut off at extreme values, written out."""
    axes = [range(min(axis), max(axis) + 1) for axis in zip(*values.values())]

    def share(value, output, axis):
        if len(axis) == 1:
            return Fraction(1)
        weight = ratio ** abs(output - value)
        end = output in (axis[0], axis[-1])
        return weight / (1 + ratio) if end else weight * (1 - ratio) / (1 + ratio)

    outputs = list(product(*axes))
    rows = {}
    for name, value in values.items():
        row = []
        for output in outputs:
            chance = Fraction(1)
            for v, w, axis in zip(value, output, axes):
                chance *= share(v, w, axis)
            row.append(chance)
        rows[name] = row
    return Channel.of(rows, [",".join(map(str, output)) for output in outputs])


@examples(60)
@given(
    st.integers(1, 2).flatmap(lambda k: st.lists(st.tuples(*[st.integers(-2, 3)] * k), min_size=3, max_size=3)),
    st.sampled_from(["1/2", "1/5", "9/10"]),
    st.sampled_from(["log(1/1)", "log(3/2)", "log(7)", "0.3", "2"]),
)
def test_geometric_noise_is_the_channel_that_is_cut_off(vectors, ratio, epsilon):
    values = dict(zip("abc", vectors))
    found = audit(FRAMEWORK, AdditiveNoise(values, Noise.geometric(ratio)), epsilon, "1/2").delta
    expected = smallest_delta(FRAMEWORK, cut_off(values, Fraction(ratio)), epsilon)
    if expected.value is not None:
        assert found.value == expected.value
    else:
        (low, high), (least, most) = found.bounds(), expected.bounds()
        assert low <= most
        assert least <= high


def test_discrete_laplace_is_between_geometric_ratios():
    values = {"a": (0,), "b": (1,), "c": (3,)}
    deltas = [
        audit(FRAMEWORK, AdditiveNoise(values, noise), "log(5/4)", "1/2").delta.bounds()
        for noise in (Noise.geometric("606531/1000000"), Noise.discrete_laplace(2), Noise.geometric("606530/1000000"))
    ]
    assert deltas[0][1] < deltas[1][0] <= deltas[1][1] < deltas[2][0]


def test_verdicts_at_the_bound():
    query = AdditiveNoise({"a": 0, "b": 1}, Noise.geometric("1/2"))
    exactly = audit(PAIR, query, "log(1/1)", "1/2").delta.value
    assert exactly == Fraction(1, 3)
    assert audit(PAIR, query, "0", exactly).verdict.value == "SATISFIES"
    assert audit(PAIR, query, "0", exactly - Fraction(1, 10**30)).verdict.value == "VIOLATES"
    bell = AdditiveNoise({"a": 0, "b": 1}, Noise.gaussian(1))
    lower, upper = audit(PAIR, bell, "0.5", "1/2").delta.bounds()
    assert audit(PAIR, bell, "0.5", upper).verdict.value == "SATISFIES"
    assert audit(PAIR, bell, "0.5", lower).verdict.value == "VIOLATES"
    assert audit(PAIR, bell, "0.5", (lower + upper) / 2).verdict.value in ("SATISFIES", "VIOLATES")


def test_many_numbers_are_undecided_between_bounds_only():
    """Eight numbers of a pair: a coupling has the ratio e^36 for the upper bound."""
    space = AdditiveNoise({"a": (0,) * 8, "b": (1, 2, 3, 4, 5, 6, 7, 8)}, Noise.laplace(20))
    lower, upper = audit(PAIR, space, "0.1", "1/2").delta.bounds()
    assert 0 < lower < upper < 1
    for bound, verdict in (((1 + upper) / 2, "SATISFIES"), (lower / 2, "VIOLATES")):
        assert audit(PAIR, space, "0.1", bound).verdict.value == verdict
    assert audit(PAIR, space, "0.1", (lower + upper) / 2).verdict.value == "UNDECIDED"
    wide = AdditiveNoise({"a": 0, "b": 300_000}, Noise.geometric("1/2"))
    assert audit(PAIR, wide, "0.1", "1/2").verdict.value == "UNDECIDED"


def test_the_bounds_that_are_shown_are_those_that_decide():
    values = {"a": (0, 1), "b": (2, 0), "c": (1, 3)}
    mechanism = AdditiveNoise(values, Noise.gaussian(2))
    whole = audit(FRAMEWORK, mechanism, "0.5", "1/2").delta.bounds()
    for share in map(Fraction, ("-1/9", "0", "1/9", "1/2", "8/9", "10/9")):
        asked = whole[0] + share * (whole[1] - whole[0])
        found = audit(FRAMEWORK, mechanism, "0.5", asked)
        lower, upper = found.delta.bounds()
        assert whole[0] <= lower <= upper <= whole[1]
        said = {"SATISFIES": upper <= asked, "VIOLATES": lower > asked}
        assert said.get(found.verdict.value, lower <= asked <= upper)


def test_a_delta_needs_a_level():
    with pytest.raises(ModelError, match="needs a level"):
        audit(PAIR, AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1)), delta="1/2")


def test_the_command_decides_a_delta_of_noise(run, save):
    framework = {
        "format": "pufferproof-framework/1",
        "databases": ["a", "b"],
        "secrets": {"s": ["a"], "t": ["b"]},
        "pairs": [["s", "t"]],
        "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
    }
    mechanism = {
        "format": "pufferproof-mechanism/1",
        "query": {"a": "0", "b": "1"},
        "noise": {"gaussian": {"sigma": "2"}},
    }
    files = save("f.json", framework), save("m.json", mechanism)
    code, out, err = run("audit", *files, "--epsilon", "0.5", "--delta", "0.06")
    assert (code, err) == (0, "")
    assert "SATISFIES 0.5 nats, delta 3/50" in out
    code, out, _ = run("audit", *files, "--epsilon", "0.5", "--delta", "0.05", "--json")
    assert code == 1
    assert '"ratio": null' in out
