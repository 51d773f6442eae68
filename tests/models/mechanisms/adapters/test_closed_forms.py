"""Closed forms of output laws against their definitions."""

from fractions import Fraction
from itertools import permutations
from math import exp, isclose

import pytest

from pufferproof.examples.builders.mechanisms.geometric import range_restricted_geometric
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.mechanisms.adapters.parameters import (
    SumsByOutput,
    clamped_geometric,
    exponential,
    folded_geometric,
    permute_and_flip,
)
from pufferproof.models.mechanisms.exponential import exponential_mechanism
from pufferproof.models.noise.tables.powers import table_of
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power, added

THIRD, E = Power.of(Fraction(3), Fraction(-1)), Power.exp(Fraction(-1))


def rational(row: SumsByOutput) -> dict[str, Fraction]:
    channel = table_of({"x": row})
    assert isinstance(channel, Channel)
    return {output: channel.probability("x", output) for output in row}


def floats(row: SumsByOutput) -> dict[str, float]:
    values = {output: float(weight.ball()) for output, weight in row.items()}
    return {output: value / sum(values.values()) for output, value in values.items()}


@pytest.mark.parametrize("value", [-2, 0, 1, 3, 7])
def test_clamped_noise_is_the_mechanism_written_by_hand(value: int) -> None:
    channel = range_restricted_geometric({"x": value}, "3", 0, 3)
    expected = {output: channel.probability("x", output) for output in channel.outputs}
    assert rational(clamped_geometric(value, THIRD, 0, 3)) == expected


@pytest.mark.parametrize(("twice_least", "twice_most"), [(0, 6), (-1, 5), (0, 5), (-1, 1), (2, 4)])
@pytest.mark.parametrize("value", [-3, 1])
def test_folded_noise_is_reflected_noise(twice_least: int, twice_most: int, value: int) -> None:
    def fold(z: int) -> int:
        while not twice_least <= 2 * z <= twice_most:
            z = (twice_least if 2 * z < twice_least else twice_most) - z
        return z

    weights: dict[str, float] = {}
    for z in range(-60, 61):
        output = str(fold(value + z))
        weights[output] = weights.get(output, 0) + exp(-abs(z)) * (1 - exp(-1)) / (1 + exp(-1))
    found = floats(folded_geometric(value, E, twice_least, twice_most))
    assert set(found) == set(weights)
    assert all(isclose(found[output], weights[output], rel_tol=1e-12) for output in found)


def test_exponential_mechanism_is_the_one_written_by_hand() -> None:
    scores = {"a": Fraction(2), "b": Fraction(0), "c": Fraction(-1)}
    channel = exponential_mechanism({"x": scores}, "3")
    expected = {output: channel.probability("x", output) for output in channel.outputs}
    assert rational(exponential(scores, THIRD)) == expected


UTILITIES = [(0, 1, 3), (1, 3, 3), (0, 0, 0), (5,), (-2, 0, -2, 0), (1, 1, 1, 4, 4), (0, -6, 10, 10, 3)]


@pytest.mark.parametrize("utilities", UTILITIES)
def test_permute_and_flip_by_all_orders(utilities: tuple[int, ...]) -> None:
    best, q, names = max(utilities), Fraction(1, 3), "abcde"[: len(utilities)]
    expected = dict.fromkeys(names, Fraction(0))
    orders = list(permutations(range(len(utilities))))
    for order in orders:
        left = Fraction(1, len(orders))
        for place in order:
            p = q ** (best - utilities[place])
            expected[names[place]] += left * p
            left *= 1 - p
    row = permute_and_flip(dict(zip(names, map(Fraction, utilities))), THIRD)
    assert {output: weight.rational for output, weight in row.items()} == expected


def test_permute_and_flip_of_scores_on_a_grid_of_their_own() -> None:
    utilities = [Fraction(1, 3), Fraction(-1, 2), Fraction(1, 3), Fraction(0.1)]
    whole = permute_and_flip(dict(zip("abcd", utilities)), E)
    assert total_of(whole).rational == 1
    shifted = permute_and_flip({name: 7 + u for name, u in zip("abcd", utilities)}, E)
    assert whole == shifted


def total_of(row: SumsByOutput) -> ExponentialSum:
    return added(row.values())


def test_bounds_that_are_none_are_refused() -> None:
    with pytest.raises(ModelError, match="lower bound below"):
        folded_geometric(0, E, 2, 2)
    with pytest.raises(ModelError, match="upper bound of at least 3"):
        clamped_geometric(0, E, 3, 2)
    with pytest.raises(TooLargeError, match="at most 10000 outputs"):
        clamped_geometric(0, E, 0, 10**9)
