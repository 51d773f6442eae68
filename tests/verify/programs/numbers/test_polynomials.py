"""Draws whose densities are polynomials: beta, power and triangular ones, and Weibull draws of
shape 1.
"""

from fractions import Fraction

import numpy as np
import pytest
from tests.verify.programs.sampled import plausibility

from pufferproof.verify.programs.law import ProgramError, law_of

DRAWN = {
    "beta": lambda x, rng: bool(rng.beta(2, 3) > 0.5),
    "beta of one": lambda x, rng: int(3 * rng.beta(1, 1)),
    "largest of beta": lambda x, rng: int(np.argmax(rng.beta([1, 2, 3], 2))),
    "power": lambda x, rng: bool(rng.power(3) > 0.75),
    "powers": lambda x, rng: bool(rng.power(2, size=2).sum() > 1.5),
    "triangular": lambda x, rng: int(rng.triangular(-1, 0.5, 2)),
    "triangular at an end": lambda x, rng: bool(rng.triangular(0, 0, 2) > rng.triangular(0, 2, 2)),
    "beside laplace": lambda x, rng: bool(rng.triangular(-1, 0, 1) + rng.laplace() > 0.5),
    "weibull": lambda x, rng: int(min(rng.weibull(1), 3)),
    "logarithm": lambda x, rng: bool(np.log(rng.beta(1, 1)) < -1),
}


def test_laws_agree_with_samples():
    for name in DRAWN:
        assert plausibility(DRAWN[name], "0") > 1e-6  # fails with this probability


def test_probabilities_are_known_in_closed_form():
    def share(program):
        return law_of(program, ["0"]).masses["0"]["True"].rational

    assert share(DRAWN["beta"]) == Fraction(5, 16)  # binomial: at most 1 of 4 coins
    assert share(DRAWN["power"]) == 1 - Fraction(3, 4) ** 3
    assert share(lambda x, rng: rng.triangular(0, 1, 4) < 1) == Fraction(1, 4)
    assert share(lambda x, rng: rng.beta(2, 1) < rng.beta(1, 2)) == Fraction(1, 6)


def test_refused_by_name():
    for program, words in [
        (lambda _, rng: rng.beta(0.5, 1) > 0, "an integer up to 50 is needed"),
        (lambda _, rng: rng.beta(51, 1) > 0, "an integer up to 50 is needed"),
        (lambda _, rng: rng.beta(0, 1) > 0, "a <= 0"),
        (lambda _, rng: rng.beta(rng.random(), 1) > 0, "a parameter is a draw"),
        (lambda _, rng: rng.power("x") > 0, "expected a number, found 'x'"),
        (lambda _, rng: rng.power(-1) > 0, "a <= 0"),
        (lambda _, rng: rng.triangular(1, 0, 2) > 0, "left > mode"),
        (lambda _, rng: rng.triangular(1, 1, 1) > 0, "left == right"),
        (lambda _, rng: rng.triangular(0, rng.random(), 1) > 0, "is a draw"),
        (lambda _, rng: rng.weibull(2) > 0, "whose shape is not 1"),
        (lambda _, rng: rng.pareto(1) > 0, "rng.pareto has no exact law here"),
        (lambda _, rng: rng.lognormal() > 0, "rng.lognormal has no exact law here"),
        (lambda _, rng: rng.rayleigh() > 0, "rng.rayleigh has no exact law here"),
    ]:
        with pytest.raises(ProgramError, match=words):
            law_of(program, ["0"])
