"""Deltas of noise on several numbers: bounds hold closed forms and sums over fine grids."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from pufferproof import AdditiveNoise, Framework, Level, Noise, Table, audit
from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.verify.noise.integrals.delta.several import (
    Axis,
    Coupling,
    _coupled,
    _of_fewer,
    _of_moments,
    _of_ratio,
    box_delta,
    flat_laws,
    several_delta,
)
from pufferproof.verify.noise.laws.of_framework import LawPair

ZERO, ONE = Fraction(0), Fraction(1)
LAPLACE, GAUSSIAN = Axis(Power.exp(-ONE), None), Axis(None, ONE)
LAW = {"a": "1/2", "b": "1/8", "c": "3/8"}
FRAMEWORK = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table(LAW)})
ABOVE = {(ZERO, ZERO): Fraction(1, 3), (2 * ONE, ONE): Fraction(2, 3)}
BELOW = {(ONE, ZERO): Fraction(1, 4), (ZERO, 3 * ONE): Fraction(3, 4)}


def by_grid(above, below, shape, ratio, reach, step):
    """Sum over cells of a fine grid of two numbers."""
    line = np.arange(-reach, reach + 3, step) + step / 2

    def density(law):
        parts = (float(p) * np.outer(*(shape(line - float(x)) for x in v)) for v, p in law.items())
        return sum(parts)

    return float(np.maximum(density(above) - ratio * density(below), 0).sum()) * step**2


SHAPES = {
    "laplace": (LAPLACE, lambda z: np.exp(-np.abs(z)) / 2, 22),
    "gaussian": (GAUSSIAN, lambda z: np.exp(-z * z / 2) / np.sqrt(2 * np.pi), 8),
}


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("epsilon", ["0", "0.5", "log(3)"])
def test_two_numbers_agree_with_a_fine_grid(kind, epsilon):
    axis, shape, reach = SHAPES[kind]
    found = box_delta(ABOVE, BELOW, [axis, axis], Level(epsilon))
    near = by_grid(ABOVE, BELOW, shape, float(Level(epsilon).bounds()[0]), reach, 0.02)
    assert float(found.lower) - 2e-4 <= near <= float(found.upper) + 2e-4
    assert found.upper - found.lower <= found.upper / 40


COUNTS = {"a": (2, 0, 0), "b": (0, 1, 1), "c": (1, 1, 0)}


@pytest.mark.parametrize("kind", ["laplace", "gaussian", "geometric"])
def test_histograms_of_three_values_are_audited(kind):
    query = AdditiveNoise(COUNTS, Noise(kind, "1/2" if kind == "geometric" else "2"))
    lower, upper = audit(FRAMEWORK, query, "0.5", "1/2").delta.bounds()
    assert 0 < lower <= upper < 1
    assert upper - lower <= upper / 100
    verdicts = [audit(FRAMEWORK, query, "0.5", bound).verdict.value for bound in (upper * 2, lower / 2)]
    assert verdicts == ["SATISFIES", "VIOLATES"]


@pytest.mark.parametrize("first", [LAPLACE, Axis.of(Noise.geometric("1/2"))])
def test_integers_beside_real_numbers_are_no_real_numbers(first):
    """One number alone varies: the delta is that of geometric noise, a sum over integers."""
    integers = Axis.of(Noise.geometric("1/2"))
    axes = [first, integers] if first is LAPLACE else [first, LAPLACE]
    place = axes.index(integers)
    moved = tuple(ONE * (k == place) for k in range(2))
    found = several_delta({(ZERO, ZERO): ONE}, {moved: ONE}, axes, Level("0"))
    masses = [Fraction(1, 3) * Fraction(1, 2) ** abs(k) for k in range(-60, 62)]
    exactly = sum(max(q - p, 0) for p, q in pairwise(masses))
    assert float(found.lower) <= float(exactly) <= float(found.upper) <= 1 / 3 + 1e-2


def test_a_coordinate_that_leaks_without_bound_decides_for_all():
    answer = audit(FRAMEWORK, AdditiveNoise(COUNTS, Noise.gaussian(2)), "5")
    assert answer.leakage.infinite
    assert answer.verdict.value == "VIOLATES"
    assert "inf" in answer.witness.output


def test_six_numbers_are_too_many_for_boxes():
    one = {(ZERO,) * 6: ONE}
    with pytest.raises(TooLargeError, match="at most 5 numbers"):
        box_delta(one, {(ONE,) * 6: ONE}, [LAPLACE] * 6, Level("0"))


POINTS = [(0, 0, 0, 0, 0, 0), (1, 0, 2, 0, 1, 0), (0, 1, 0, 1, 0, 0), (1, 1, 0, 0, 0, 2)]
MANY = [tuple(map(Fraction, point)) for point in POINTS]
MIXTURES = ({MANY[0]: Fraction(1, 2), MANY[1]: Fraction(1, 2)}, {MANY[2]: Fraction(1, 4), MANY[3]: Fraction(3, 4)})


@pytest.mark.parametrize("epsilon", ["0", "0.7", "2"])
def test_bounds_of_six_numbers_meet_those_of_their_flat(epsilon):
    """Gaussian noise on six numbers is noise on the three of the flat of four values."""
    pair = LawPair("theta", ("s", "t"), *MIXTURES)
    above, below, variances = flat_laws(pair, [Fraction(4)] * 6)
    assert len(variances) == 3
    close = box_delta(above, below, [Axis(None, v) for v in variances], Level(epsilon))
    wide = several_delta(*MIXTURES, [Axis(None, Fraction(4))] * 6, Level(epsilon))
    assert wide.lower <= close.upper
    assert close.lower <= wide.upper
    assert wide.lower < wide.upper < 1


@pytest.mark.parametrize("kept", [4, 5])
def test_boxes_of_more_numbers_meet_a_coupling_and_marginals(kept):
    laws = [{value[:kept]: p for value, p in law.items()} for law in MIXTURES]
    boxes = box_delta(*laws, [LAPLACE] * kept, Level("0.5"))
    both = several_delta(*laws, [LAPLACE] * kept, Level("0.5"))
    upper = min(_coupled(each, [LAPLACE] * kept, Level("0.5")) for each in Coupling.some(*laws))
    lower = _of_fewer(*laws, [LAPLACE] * kept, Level("0.5"), 0)
    assert lower <= boxes.upper
    assert boxes.lower <= upper
    assert max(lower, boxes.lower) == both.lower <= both.upper == min(upper, boxes.upper)


@pytest.mark.parametrize("noise", [LAPLACE, Axis(None, ONE), Axis(Power.exp(-ONE), None, True)])
def test_a_number_that_moves_alone_has_its_own_delta(noise):
    laws = {(ZERO,) * 7: ONE}, {(ONE, *(ZERO,) * 6): ONE}
    alone = several_delta({(ZERO,): ONE}, {(ONE,): ONE}, [noise], Level("0.1"))
    found = several_delta(*laws, [noise] * 7, Level("0.1"))
    assert found.lower <= alone.upper
    assert alone.lower <= found.upper
    assert found.upper - found.lower < Fraction(1, 100)


@pytest.mark.parametrize("noise", [LAPLACE, GAUSSIAN, Axis(Power.exp(-ONE), None, True)])
@pytest.mark.parametrize("epsilon", ["0", "0.5", "2", "6"])
@pytest.mark.parametrize("steps", [(1,), (2, 1), (1, 1, 1)])
def test_moments_and_ratios_of_a_shift_bound_its_delta(noise, epsilon, steps):
    moved = [(noise, Fraction(step)) for step in steps]
    laws = {(ZERO,) * len(steps): ONE}, {tuple(d for _, d in moved): ONE}
    level = Level(epsilon)
    exactly = several_delta(*laws, [noise] * len(steps), level)
    assert exactly.lower <= _of_moments(moved, level)
    assert noise.decay is None or exactly.lower <= _of_ratio(moved, level)
