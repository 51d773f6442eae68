"""Draws of tables with densities against their law: cells, and laws that are wrong."""

from itertools import pairwise
from math import inf
from typing import Any

import pytest
import scipy.stats as st

import pufferproof as pp
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import value_of
from pufferproof.models.numbers.pieces import Piecewise
from pufferproof.verify.programs.agreement.agrees import agrees
from pufferproof.verify.programs.agreement.laws import DensityLaw, Quantiles

dl: Any = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
INPUTS = {"a": 0, "b": 1}
BOUNDS = {"lower": -1, "upper": 2, "sensitivity": 1}


def of_library(name, k=1.0, seed=1):
    """An object of diffprivlib, its scale times k."""
    made = {
        "folded": lambda: dl.LaplaceFolded(epsilon=1 / k, **BOUNDS, random_state=seed),
        "domain": lambda: dl.LaplaceBoundedDomain(epsilon=1 / k, **BOUNDS, random_state=seed),
        "truncated": lambda: dl.LaplaceTruncated(epsilon=1 / k, **BOUNDS, random_state=seed),
        "noise": lambda: dl.LaplaceBoundedNoise(epsilon=1 / k, delta=0.1, sensitivity=1, random_state=seed),
        "uniform": lambda: dl.Uniform(delta=0.25 / k, sensitivity=1, random_state=seed),
        "staircase": lambda: dl.Staircase(epsilon=1 / k, sensitivity=1, random_state=seed),
    }
    return made[name]()


LIBRARY = ("folded", "domain", "truncated", "noise", "uniform", "staircase")
SCIPY = {
    "uniform": (st.uniform(-1.5, 4), st.uniform(-1.5, 4.08), st.uniform(-1.48, 4)),
    "expon": (st.expon(scale=2), st.expon(scale=2.04), st.expon(loc=0.04, scale=2)),
    "poisson": (st.poisson(2.5), st.poisson(2.6), st.poisson(2.5, loc=1)),
    "geom": (st.geom(0.25), st.geom(0.255), st.geom(0.25, loc=1)),
}


@pytest.mark.parametrize("name", ["uniform", "expon"])
def test_cells_have_the_probabilities_of_scipy(name):
    right = SCIPY[name][0]
    law = DensityLaw(value_of(pp.as_mechanism({"a": right, "b": right})), "a")
    assert len(law.edges) == 37
    for ends, chance in zip(pairwise([-inf, *law.edges, inf]), law.cells.chances, strict=True):
        assert float(chance) == pytest.approx(right.cdf(ends[1]) - right.cdf(ends[0]), rel=1e-9)


def test_quantiles_are_those_of_the_law():
    from fractions import Fraction

    found = Quantiles(Piecewise.laplace(Fraction(3)))
    for share in (0.001, 0.25, 0.5, 0.9):
        assert found.at(share) == pytest.approx(st.laplace(scale=3).ppf(share), abs=1e-6)


@pytest.mark.parametrize("name", LIBRARY)
def test_objects_of_diffprivlib_draw_by_the_law_that_is_read(name):
    read = pp.as_mechanism(of_library(name), INPUTS)
    assert agrees(of_library(name, seed=2), read, draws=3000, seconds=60).verdict == "nothing found"


@pytest.mark.parametrize("name", LIBRARY)
def test_other_scales_disagree(name):
    """Half more, with few draws of a slow library."""
    read = pp.as_mechanism(of_library(name), INPUTS)
    found = agrees(of_library(name, 1.5), read, draws=12_000, seconds=60)
    assert found.verdict == "disagrees", str(found)


@pytest.mark.parametrize("name", SCIPY)
@pytest.mark.parametrize("wrong", [1, 2])
def test_small_mistakes_are_found_with_as_many_draws_as_a_second_has(name, wrong):
    right = SCIPY[name][0]
    read = pp.as_mechanism({"a": right, "b": right})
    assert agrees({"a": right, "b": right}, read, draws=100_000, seconds=60).verdict == "nothing found"
    other = SCIPY[name][wrong]
    assert agrees({"a": other, "b": other}, read, draws=300_000, seconds=60).verdict == "disagrees"


def test_geometric_noise_is_one_output_beyond_all_values():
    right, other = st.geom(0.3, loc=-3), st.geom(0.32, loc=-3)
    read = pp.as_mechanism(right, {"a": 0, "b": 2})
    assert value_of(read).outputs == ("-2", "-1", ">=0")
    assert agrees(right, read, draws=20_000, seconds=60).verdict == "nothing found"
    assert agrees(other, read, draws=300_000, seconds=60).verdict == "disagrees"


def test_staircase_noise_on_many_values_is_compared_step_by_step():
    inputs = {str(value): (7 * value) % 20 for value in range(20)}
    read = pp.as_mechanism(of_library("staircase"), inputs)
    for law in (read, value_of(read)):
        found = agrees(of_library("staircase", seed=3), law, inputs, draws=4000, seconds=60)
        assert found.verdict == "nothing found"


def test_a_bound_that_is_wrong_is_found_at_once():
    read = pp.as_mechanism(of_library("domain"), INPUTS)
    for bounds in ({"lower": -1, "upper": 2.01}, {"lower": -1, "upper": 1.9}):
        other = dl.LaplaceBoundedDomain(epsilon=1, sensitivity=1, random_state=3, **bounds)
        assert agrees(other, read, draws=20_000, seconds=60).verdict == "disagrees"


def test_draws_are_checked_when_an_object_is_read():
    read = pp.as_mechanism(of_library("uniform"), INPUTS, check=True)
    assert "nothing found against it in " in read.notes[-1]


def test_outputs_that_no_law_gives_are_impossible():
    right = st.uniform(0, 1)
    read = pp.as_mechanism({"a": right, "b": right})
    found = agrees({"a": st.norm(), "b": right}, read, draws=100, seconds=60)
    assert found.log_e == inf
    assert 'of "a", which has probability 0' in found.tells


def test_at_most_the_share_of_right_objects_is_refused():
    """With 200 seeds and a share of 1/5, more than 60 have a probability below 0.001."""
    right = of_library("truncated")
    read = pp.as_mechanism(right, INPUTS)
    found = [
        agrees(of_library("truncated", seed=seed), read, draws=150, seconds=60, error="1/5").verdict
        for seed in range(1, 201)
    ]
    assert found.count("disagrees") <= 60


def test_numbers_inside_of_outputs_are_refused():
    def program(database, rng):
        return bool(rng.random() < 0.5), rng.laplace() + int(database)

    law = pp.as_mechanism(program, ["0", "1"])
    with pytest.raises(ModelError):
        agrees({"0": st.norm(), "1": st.norm()}, law)
