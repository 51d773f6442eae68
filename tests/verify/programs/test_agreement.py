"""Draws of objects against laws that were read: bets are fair, wrong laws are found, right ones are
not refused.
"""

from fractions import Fraction
from itertools import product
from math import exp, inf, isclose
from typing import Any

import numpy as np
import pytest
from flint import arb
from scipy import stats

import pufferproof as pp
from pufferproof.verify.programs.agreement.cells import Question, at_least, quantile, scaled_approx

BITS = {"a": 0, "b": 1}
DRAWS = 40_000


def wealth(question: Question, law: list[float], draws: int) -> float:
    """The mean of what the bets make of 1, over all sequences of draws with a law."""
    mean = 0.0
    for cells in product(range(len(law)), repeat=draws):
        question.counts = {"x": np.zeros(len(law), dtype=np.int64)}
        question.add("x", np.bincount(cells, minlength=len(law)))
        approximate = question.log_wealth_approx()
        assert question.log_wealth().overlaps(arb(approximate, 1e-9))
        mean += exp(approximate) * float(np.prod([law[cell] for cell in cells]))
    return mean


@pytest.mark.parametrize("law", [[0.5, 0.5], [0.9, 0.1], [0.2, 0.3, 0.5]])
def test_bets_are_fair_under_the_law(law: list[float]) -> None:
    other = [1 / len(law)] * len(law)
    question = Question("", "abc"[: len(law)], {"x": [arb(p) for p in law]}, [other])
    assert isclose(wealth(question, law, 5), 1, rel_tol=1e-9)


def test_a_bet_on_an_upper_bound_loses_below_it() -> None:
    """A number repeats with a probability of at most 1/10, here 1/20."""
    bets = [(0.5, 0.5), (0.2, 0.8)]
    question = Question("", "ab", {"x": [arb(0.1), arb(0.9)]}, bets, mixed=False)
    assert wealth(question, [0.05, 0.95], 5) < 1


@pytest.mark.parametrize(
    ("noise", "law"),
    [
        (pp.Noise.laplace(2), stats.laplace(scale=2)),
        (pp.Noise.gaussian(3), stats.norm(scale=3)),
        (pp.Noise.discrete_laplace(4), stats.dlaplace(0.25)),
        (pp.Noise.geometric("1/2"), stats.dlaplace(np.log(2))),
    ],
)
def test_tails_are_those_of_scipy(noise: pp.Noise, law: Any) -> None:
    step = 1 if noise.on_integers else 0
    for x in (-7, -1, 0, 1, 2, 9):
        assert isclose(float(at_least(noise, Fraction(x)).mid()), law.sf(x - step), rel_tol=1e-9)
    for chance in (0.9, 0.5, 0.1, 0.001):
        beyond = float(at_least(noise, quantile(noise, chance)).mid())
        assert beyond <= chance * (1 + 1e-9)
        assert noise.on_integers or isclose(beyond, chance, rel_tol=1e-9)


class Drawn:
    """An object that draws as SciPy does, by a function of the generator and the size."""

    __module__ = "scipy.stats"

    def __init__(self, draw: Any) -> None:
        self.draw = draw

    def rvs(self, size: int, random_state: Any) -> Any:
        return self.draw(random_state, size)


def test_tails_of_discrete_gaussian_noise_are_sums() -> None:
    noise, weights = (pp.Noise.discrete_gaussian("9/4"), {z: exp(-z * z / 4.5) for z in range(-60, 61)})
    for x in (-3, 0, 1, 5):
        share = sum(p for z, p in weights.items() if z >= x) / sum(weights.values())
        assert isclose(float(at_least(noise, Fraction(x)).mid()), share, rel_tol=1e-12)
    scaled = scaled_approx(pp.Noise.discrete_gaussian(400), Fraction(1), [Fraction(0), Fraction(9)])
    assert isclose(scaled[2], float(at_least(pp.Noise.discrete_gaussian(400), Fraction(9)).mid()), rel_tol=1e-3)


WRONG = {
    "a scale 5 percent too large": (stats.laplace(scale=2.1), pp.Noise.laplace(2)),
    "a scale 5 percent too small": (stats.laplace(scale=1.9), pp.Noise.laplace(2)),
    "a deviation 5 percent too large": (stats.norm(scale=2.1), pp.Noise.gaussian(2)),
    "a decay of another scale": (stats.dlaplace(1 / 2.1), pp.Noise.discrete_laplace(2)),
    "another law of the same deviation": (stats.norm(scale=8**0.5), pp.Noise.laplace(2)),
    "rounded normal noise for the discrete law of another deviation": (
        Drawn(lambda rng, size: np.rint(rng.normal(scale=4.2, size=size)).astype(int)),
        pp.Noise.discrete_gaussian(16),
    ),
    "numbers for integers": (stats.laplace(scale=2), pp.Noise.discrete_laplace(2)),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_laws_of_noise_are_found(name: str) -> None:
    drawn, noise = WRONG[name]
    found = pp.agrees(drawn, pp.AdditiveNoise(BITS, noise), BITS, draws=DRAWS, seconds=60.0)
    assert (found.verdict, found.tells != "") == ("disagrees", True)
    assert found.log_e >= 13.8


def even(rng: Any, size: int) -> Any:
    return 2 * np.rint(rng.laplace(scale=1, size=size)).astype(int)


def chained(rng: Any, size: int) -> Any:
    """Laplace noise whose sign mostly stays."""
    signs = np.cumprod(np.where(rng.random(size) < 0.3, -1, 1))
    return np.abs(rng.laplace(size=size)) * signs * rng.choice([-1, 1])


@pytest.mark.parametrize(
    ("draw", "noise", "told"),
    [
        (even, pp.Noise.discrete_laplace(2), "even or odd"),
        (chained, pp.Noise.laplace(1), "half of the noise after a draw"),
        (lambda rng, size: np.round(rng.laplace(scale=2, size=size), 4), pp.Noise.laplace(2), "repeated numbers"),
        (lambda rng, size: rng.laplace(scale=2, size=size) + 0.1, pp.Noise.laplace(2), ""),
        (lambda rng, size: -rng.exponential(size=size), pp.Noise.laplace(1), ""),
    ],
)
def test_what_tells_is_said(draw: Any, noise: pp.Noise, told: str) -> None:
    read = pp.AdditiveNoise(BITS, noise)
    found = pp.agrees(Drawn(draw), read, BITS, draws=DRAWS, seconds=60.0)
    assert found.verdict == "disagrees"
    assert told in found.tells


@pytest.mark.parametrize("values", [{"a": 0, "b": -1}, {"a": 0, "b": 2}, {"a": 1, "b": 0}])
def test_values_that_were_read_wrongly_are_found(values: dict[str, int]) -> None:
    """A sign that was swapped, a clamp that was dropped, and two databases in another order."""
    drawn, read = stats.dlaplace(1), pp.AdditiveNoise(values, pp.Noise.discrete_laplace(1))
    found = pp.agrees(drawn, read, BITS, draws=DRAWS, seconds=60.0)
    assert found.verdict == "disagrees"
    assert found.draws < 5000


@pytest.mark.parametrize(
    ("own", "inputs"),
    [
        ({"a": stats.binom(5, 0.5), "b": stats.binom(5, 0.25)}, None),
        (stats.laplace(scale=2), BITS),
        (stats.norm(scale=2), {"a": 0.5, "b": 1000}),
        (stats.dlaplace(0.5), BITS),
        (stats.dlaplace(0.001), BITS),
        (stats.randint(-2, 3), BITS),
    ],
)
def test_right_laws_are_not_refused(own: Any, inputs: Any) -> None:
    read = pp.as_mechanism(own, inputs)
    found = pp.agrees(own, read, draws=DRAWS, seconds=60.0)
    assert (found.verdict, found.draws) == ("nothing found", DRAWS)
    assert found.log_e < 5
    assert str(found).startswith(f"nothing found in {DRAWS} draws")
    again = pp.agrees(own, read, draws=DRAWS, seconds=60.0)
    assert again.as_json() == found.as_json()


def test_tables_and_outputs_without_probability() -> None:
    coin = pp.Channel.of({"a": ["1/2", "1/2"], "b": ["1/4", "3/4"]}, ["0", "1"])
    own = {"a": stats.bernoulli(0.5), "b": stats.bernoulli(0.7)}
    found = pp.agrees(own, coin, draws=DRAWS, seconds=60.0)
    assert found.verdict == "disagrees"
    assert '"b"' in found.tells
    never = pp.agrees({**own, "b": stats.bernoulli(0.75, loc=1)}, coin)
    assert (never.verdict, never.log_e, never.as_json()["log_e"]) == ("disagrees", inf, "inf")
    assert "probability 0" in str(never)


def test_an_error_may_be_as_small_as_one_likes() -> None:
    noise = pp.AdditiveNoise(BITS, pp.Noise.laplace(1))
    found = pp.agrees(stats.laplace(), noise, BITS, draws=100, error=f"1/1{'0' * 400}")
    assert "refused from e^921.0 on" in str(found)


def test_bad_arguments_are_one_line() -> None:
    noise = pp.AdditiveNoise(BITS, pp.Noise.laplace(1))
    asked: list[tuple[Any, dict[str, Any], str]] = [
        (stats.laplace(), {}, "what the object gets"),
        (stats.laplace(), {"inputs": BITS, "error": 0}, "between 0 and 1"),
        (stats.laplace(), {"inputs": BITS, "draws": 0}, "at least one draw"),
        (len, {"inputs": BITS}, "has no draws to compare"),
        (stats.laplace(), {"inputs": {"c": 0}}, 'no value for "c"'),
        (stats.laplace(), {"inputs": {"a": "x"}}, "cannot draw"),
    ]
    for source, options, message in asked:
        with pytest.raises(pp.ModelError, match=message) as caught:
            pp.agrees(source, noise, **options)
        assert "\n" not in str(caught.value)
    with pytest.raises(pp.ModelError, match="a table is its own law"):
        pp.as_mechanism([[1, 0], [0, 1]], ["a", "b"], check=True)
