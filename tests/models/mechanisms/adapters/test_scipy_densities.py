"""Frozen distributions of SciPy with densities or without end, and moved noise: against its own
probabilities, and audits by quadrature and by sums.
"""

from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
import pytest
import scipy.stats as st
from flint import fmpq
from tests.models.mechanisms.adapters.laws import COUNTS, RECORDS

import pufferproof as pp

EVEN = pp.Table({"a": "1/2", "b": "1/2"})
BITS = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"u": EVEN})
INPUTS = {"a": 0, "b": 2}
SATISFIES = pp.Verdict.SATISFIES
SMOOTH = [
    st.uniform(0, 2),
    st.uniform(-1.5, 4),
    st.uniform(loc=1),
    st.expon(scale=2),
    st.expon(loc=-1),
    st.laplace(1, 0.5),
]
ENDLESS = [
    st.poisson(2.5),
    st.poisson(4, loc=-3),
    st.poisson(0),
    st.geom(0.25),
    st.geom(1),
    st.geom(0.5, loc=-1),
    st.nbinom(2.5, 0.4),
    st.nbinom(3, 0.5, loc=1),
    st.skellam(2, 0.5),
    st.dlaplace(0.5, loc=2),
]


def delta(f: Any, g: Any, epsilon: float) -> float:
    return max(float(np.maximum(p - exp(epsilon) * q, 0).sum()) for p, q in ((f, g), (g, f)))


def expect_delta(read: Any, wanted: float, room: float) -> None:
    answer = pp.audit(BITS, read, "1/2", delta="1")
    assert answer.delta is not None
    low, high = answer.delta.bounds()
    assert float(low) == pytest.approx(wanted, abs=room)
    assert float(high) == pytest.approx(wanted, abs=room)


@pytest.mark.parametrize("place", range(len(SMOOTH)))
def test_densities_are_those_of_scipy(place: int) -> None:
    other, distribution = SMOOTH[place - 1], SMOOTH[place]
    alone: Any = pp.as_mechanism({"a": distribution, "b": other})
    for low, high in ((-2, 0), (0, 0.75), (0.5, 3)):
        for row, each in enumerate((distribution, other)):
            density = alone.value.densities["number"][row]
            part = density.clipped(*(fmpq(*Fraction(x).as_integer_ratio()) for x in (low, high)))
            share = float(part.total().ball()) if part.segments else 0.0
            assert share == pytest.approx(each.cdf(high) - each.cdf(low), abs=1e-12)
    grid = np.arange(-40, 60, 1 / 256) + 1 / 512
    f, g = distribution.pdf(grid) / 256, other.pdf(grid) / 256
    expect_delta(alone, delta(f, g, 0.5), 5e-3)


@pytest.mark.parametrize("inputs", [INPUTS, {"a": 1, "b": 0}, {"a": 0.5, "b": 0.5}])
@pytest.mark.parametrize("distribution", SMOOTH)
def test_noise_with_densities(distribution: Any, inputs: dict[str, float]) -> None:
    grid = np.arange(-40, 60, 1 / 256) + 1 / 512
    f, g = (distribution.pdf(grid - value) / 256 for value in inputs.values())
    expect_delta(pp.as_mechanism(distribution, inputs), delta(f, g, 0.5), 5e-3)


@pytest.mark.parametrize("place", range(len(ENDLESS)))
def test_laws_without_end_are_those_of_scipy(place: int) -> None:
    other, distribution = ENDLESS[place - 1], ENDLESS[place]
    alone: Any = pp.as_mechanism({"a": distribution, "b": other})
    numbers = np.array([int(each) for each in alone.value.outputs])
    f, g = distribution.pmf(numbers), other.pmf(numbers)
    found = [alone.value.probability_approx("a", output) for output in alone.value.outputs]
    assert found == pytest.approx(f, abs=1e-12)
    assert sum(f) == pytest.approx(1)
    assert all(0 <= rest.bounds()[1] <= Fraction(1, 2**100) for rest in alone.value.left)
    expect_delta(alone, delta(f, g, 0.5), 1e-12)


@pytest.mark.parametrize("inputs", [INPUTS, {"a": 1, "b": 0}, {"a": 3, "b": 3}])
@pytest.mark.parametrize("distribution", ENDLESS)
def test_noise_without_end(distribution: Any, inputs: dict[str, int]) -> None:
    numbers = np.arange(-200, 400)
    f, g = (distribution.pmf(numbers - value) for value in inputs.values())
    expect_delta(pp.as_mechanism(distribution, inputs), delta(f, g, 0.5), 1e-12)


@pytest.mark.parametrize("inputs", [INPUTS, {"a": -5, "b": 40}, {"a": 3, "b": 3}])
@pytest.mark.parametrize("distribution", [*ENDLESS, st.expon(scale=2), st.uniform(0, 2)])
def test_noise_that_ends_on_one_side_shows_an_output_of_one_value_alone(
    distribution: Any, inputs: dict[str, int]
) -> None:
    """But not where both values are equal, and not where the noise has no end."""
    low, _ = distribution.support()
    mechanism = pp.as_mechanism(distribution, inputs)
    found = pp.audit(BITS, mechanism, "3")
    assert found.leakage.infinite == bool(np.isfinite(low) and inputs["a"] != inputs["b"])
    if inputs["a"] == inputs["b"]:
        assert found.verdict is not pp.Verdict.VIOLATES
    elif found.leakage.infinite and found.witness.output.lstrip("-").isdigit():
        above, below = (inputs[{"s": "a", "t": "b"}[secret]] for secret in found.witness.pair)
        shown = int(found.witness.output)
        assert distribution.pmf(shown - above) > 0
        assert distribution.pmf(shown - below) == 0


def test_one_possible_value_of_a_secret_makes_an_output_possible() -> None:
    """Given t it is 0 or 3, given s 1: only s against t is bounded by the first output, not t
    against s.
    """
    third = pp.Table({"x": "1/3", "y": "1/3", "z": "1/3"})
    secrets = {"s": ["y"], "t": ["x", "z"]}
    mechanism = pp.as_mechanism(st.poisson(2), {"x": 0, "y": 1, "z": 3})
    for pair, infinite in ((("t", "s"), True), (("s", "t"), False)):
        one_way = pp.Framework(["x", "y", "z"], secrets, [pair], {"u": third}, one_sided=True)
        assert pp.audit(one_way, mechanism, "3").leakage.infinite == infinite


def test_a_joint_release_shows_it_as_well() -> None:
    once = pp.as_mechanism(st.poisson(1), {"a": 0, "b": 1}).value
    twice = once.beside(pp.as_mechanism(st.nbinom(2, 0.5), {"a": 4, "b": 4}).value)
    found = pp.audit(BITS, twice, "1")
    assert found.leakage.infinite
    assert found.witness.output.startswith("0,")
    assert found.witness.pair == ("s", "t")


def test_geometric_noise_is_exact() -> None:
    read = pp.as_mechanism(st.geom(0.25), {"a": 0, "b": 1})
    answer = pp.audit(BITS, read, "log(4/3)", delta="1/4")
    assert answer.verdict is SATISFIES
    assert answer.delta is not None
    assert answer.delta.bounds() == (Fraction(1, 4), Fraction(1, 4))
    assert answer.leakage.upper is None


def test_rows_without_end_stand_beside_listed_ones() -> None:
    mixed = pp.as_mechanism({"a": st.poisson(1), "b": st.boltzmann(0.7, 5)})
    numbers = np.arange(60)
    f, g = st.poisson(1).pmf(numbers), st.boltzmann(0.7, 5).pmf(numbers)
    expect_delta(mixed, delta(f, g, 0.5), 1e-12)
    assert pp.audit(BITS, mixed, "5").verdict is pp.Verdict.VIOLATES


@pytest.mark.parametrize("distribution", [st.laplace(2, 3), st.norm(-1.5, 2), st.dlaplace(0.5, loc=4)])
def test_moved_noise_is_noise_on_moved_numbers(distribution: Any) -> None:
    moved: Any = pp.as_mechanism(distribution, COUNTS, check=True).value
    shift = Fraction(float(distribution.median()))
    assert moved.values == {x: (count + shift,) for x, count in COUNTS.items()}
    summed: Any = pp.as_mechanism(distribution, RECORDS, "sum", check=True).value
    assert summed.values == moved.values


@pytest.mark.parametrize(
    ("mechanism", "inputs", "message"),
    [
        ({"a": st.uniform(), "b": st.binom(2, 0.5)}, None, "densities for all"),
        ({"a": st.norm(), "b": st.norm()}, None, "cannot read scipy norm"),
        (st.poisson(-1), INPUTS, "mu: expected a number above 0"),
        (st.poisson(2), {"a": 0.5}, "integer"),
        (st.poisson(2, loc=0.5), INPUTS, "loc: expected an integer"),
        (st.geom(1.5), INPUTS, "p"),
        (st.geom(0.5), {"a": 0, "b": 5000}, "2000 apart"),
        (st.poisson(1e6), INPUTS, "program"),
        (st.uniform(0, -1), INPUTS, "scale"),
        (st.uniform, INPUTS, "with its parameters"),
        (st.gamma(2), INPUTS, "cannot read scipy gamma"),
        (st.uniform(), RECORDS, 'query="sum"'),
    ],
)
def test_what_cannot_be_read_is_one_line(mechanism: Any, inputs: Any, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message) as caught:
        pp.as_mechanism(mechanism, inputs)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("mechanism", [st.poisson(2), st.uniform(), st.geom(0.5), st.nbinom(2, 0.5)])
def test_draws_are_those_of_the_law_that_is_read(mechanism: Any) -> None:
    for source, inputs in ((mechanism, INPUTS), ({"a": mechanism, "b": mechanism}, None)):
        read = pp.as_mechanism(source, inputs, check=True)
        assert read.notes[-1].startswith("nothing found against it in")


def test_draws_of_geometric_noise_of_another_rate_disagree() -> None:
    read = pp.as_mechanism(st.geom(0.5), INPUTS)
    assert pp.agrees(st.geom(0.4), read, INPUTS, draws=20_000, seconds=60.0).verdict == "disagrees"


def test_exponential_noise_leaks_on_one_side() -> None:
    answer = pp.audit(BITS, pp.as_mechanism(st.expon(), {"a": 0, "b": 1}), "1", delta="1")
    assert answer.delta is not None
    assert float(answer.delta.bounds()[1]) == pytest.approx(1 - exp(-1))
