"""Coverage, exactly: how likely the box holds the true matrix, over all sequences that a known
chain can give, also where the recording ends when it suits somebody.
"""

from fractions import Fraction
from functools import cache
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.box import confidence_box, lasting_interval
from pufferproof.models.numbers.grammar import confidence_of

HALF, MOST = Fraction(1, 2), Fraction(19, 20)
BINARY = [
    tuple((1 - a, a) if value == 0 else (b, 1 - b) for value in (0, 1))
    for a in map(Fraction, ("1/50", "1/10", "1/2", "9/10", "1"))
    for b in map(Fraction, ("0", "1/20", "1/3", "1/2", "1"))
]
TERNARY = [
    tuple(tuple(map(Fraction, row)) for row in rows)
    for rows in (
        (("1/3", "1/3", "1/3"),) * 3,
        (("9/10", "1/10", "0"), ("1/10", "8/10", "1/10"), ("0", "1/10", "9/10")),
        (("0", "1", "0"), ("1/2", "0", "1/2"), ("1/20", "19/20", "0")),
    )
]


def in_set(successes, failures, risk, p):
    """p^k (1-p)^m >= r Q, in rationals."""
    mixture = Fraction(
        comb(2 * successes, successes) * comb(2 * failures, failures),
        4 ** (successes + failures) * comb(successes + failures, successes),
    )
    return p**successes * (1 - p) ** failures >= risk * mixture


@given(st.integers(0, 300), st.integers(0, 300), st.fractions(Fraction(1, 10**6), Fraction(9, 10)))
@examples(150)
def test_the_interval_is_the_set_of_its_definition_rounded_outward(successes, failures, risk):
    lower, upper = lasting_interval(successes, failures, risk)
    step = Fraction(1, 10**6)
    assert (lower == 0) or not in_set(successes, failures, risk, lower)
    assert (upper == 1) or not in_set(successes, failures, risk, upper)
    if successes + failures:
        assert in_set(successes, failures, risk, lower + step)
        assert in_set(successes, failures, risk, upper - step)
    assert lower <= Fraction(successes + 1, successes + failures + 2) <= upper
    assert lasting_interval(failures, successes, risk) == (1 - upper, 1 - lower)


box_of = cache(confidence_box)


@cache
def holds(counts, chain, confidence):
    return box_of(counts, confidence).holds(chain)


def misses(chain, confidence):
    return lambda counts: not holds(counts, chain, confidence)


def after(chain, steps, fails):
    """Return how likely some test of the counts has failed, by a sum over all histories: at the
    end, and at some time.
    """
    size = len(chain)
    empty = ((0,) * size,) * size
    alive = {(0, empty): Fraction(1)}  # from state 0, nothing failed yet
    every, ever = {(0, empty): Fraction(1)}, Fraction(0)
    for _ in range(steps):
        every, alive = moved(every, chain), moved(alive, chain)
        for key in [key for key in alive if fails(key[1])]:
            ever += alive.pop(key)
    return sum((p for (_, counts), p in every.items() if fails(counts)), Fraction(0)), ever


def moved(histories, chain):
    following = {}
    for (x, counts), p in histories.items():
        for y, chance in enumerate(chain[x]):
            if chance:
                row = (*counts[x][:y], counts[x][y] + 1, *counts[x][y + 1 :])
                key = (y, (*counts[:x], row, *counts[x + 1 :]))
                following[key] = following.get(key, 0) + p * chance
    return following


@pytest.mark.parametrize("confidence", [HALF, Fraction(4, 5), MOST])
def test_the_box_holds_a_chain_of_two_values_as_often_as_it_says(confidence):
    for chain in BINARY:
        missed, ever = after(chain, 6, misses(chain, confidence))
        assert missed <= ever <= 1 - confidence


@pytest.mark.parametrize("confidence", [HALF, MOST])
def test_the_box_holds_a_chain_of_three_values_as_often_as_it_says(confidence):
    for chain in TERNARY:
        missed, ever = after(chain, 5, misses(chain, confidence))
        assert missed <= ever <= 1 - confidence


def clopper_pearson_misses(successes, failures, risk, p):
    """Whether p is outside the interval for a number of trials that was fixed."""
    trials = successes + failures
    law = [comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1)]
    return 2 * min(sum(law[successes:]), sum(law[: successes + 1])) < risk


def test_without_the_mixture_the_set_is_too_small():
    """The near miss: p^k (1-p)^m against its own maximum in place of the mixture."""
    chain, confidence = BINARY[13], MOST
    risk = (1 - confidence) / 2

    def outside(counts):
        return any(
            HALF ** sum(row) * sum(row) ** sum(row) < risk * row[0] ** row[0] * row[1] ** row[1]
            for row in counts
        )

    assert after(chain, 40, cache(outside))[1] > 1 - confidence


def test_every_entry_has_its_share_of_the_risk():
    two = confidence_box([[5, 5], [5, 5]], MOST)
    assert two.lower[0][0] == lasting_interval(5, 5, Fraction(1, 40))[0]
    three = confidence_box([[5, 3, 2], [1, 1, 1], [0, 0, 0]], MOST, "stationary")
    assert three.upper[0][2] == lasting_interval(2, 8, Fraction(1, 180))[1]
    assert (three.lower[2], three.upper[2], three.initial) == ((0, 0, 0), (1, 1, 1), "stationary")


@pytest.mark.parametrize("text", ["95%", "0.95", "19/20", 0.95, Fraction(19, 20), "9.5e1%"])
def test_a_confidence_is_a_share(text):
    assert abs(confidence_of(text) - Fraction(19, 20)) < Fraction(1, 10**15)


@pytest.mark.parametrize(
    "text", ["0", "1", "100%", "0%", "-5%", "x%", "%", "", None, float("nan"), "1e-99"]
)
def test_what_is_no_share_is_refused(text):
    with pytest.raises(ModelError, match="expected a share"):
        confidence_of(text)
