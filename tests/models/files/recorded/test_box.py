"""Coverage, exactly: how likely the box holds the true matrix, over all sequences that a known
chain can give, also where the recording ends when it suits somebody.
"""

from fractions import Fraction
from functools import cache
from math import comb, log, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.boxes import (
    chosen,
    confidence_box,
    fixed_interval,
    fixed_recordings,
    lasting_interval,
)
from pufferproof.models.files.recorded.chains import Counts, Recorded
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
    """The near miss: p^k (1-p)^m against its own maximum instead of the mixture."""
    chain, confidence = BINARY[13], MOST
    risk = (1 - confidence) / 2

    def outside(counts):
        return any(
            HALF ** sum(row) * sum(row) ** sum(row) < risk * row[0] ** row[0] * row[1] ** row[1] for row in counts
        )

    assert after(chain, 40, cache(outside))[1] > 1 - confidence


def test_every_entry_has_its_share_of_the_risk():
    two = confidence_box([[5, 5], [5, 5]], MOST)
    assert two.lower[0][0] == lasting_interval(5, 5, Fraction(1, 40))[0]
    three = confidence_box([[5, 3, 2], [1, 1, 1], [0, 0, 0]], MOST, "stationary")
    assert three.upper[0][2] == lasting_interval(2, 8, Fraction(1, 180))[1]
    assert (three.lower[2], three.upper[2], three.initial) == ((0, 0, 0), (1, 1, 1), "stationary")


@pytest.mark.parametrize("runs", [[(3, 97)], [(0, 9)], [(4, 0)], [(400, 900)], [(1, 5), (2, 3)]])
@pytest.mark.parametrize("risk", [Fraction(1, 180), Fraction(1, 4)])
def test_the_interval_of_fixed_lengths_has_its_tails(runs, risk):
    """Against binomial sums, and Fisher's product of two."""
    step = Fraction(1, 10**6)
    lower, upper = fixed_interval(runs, risk)
    assert (lower == 0) or chance(runs, lower) < risk / 2
    assert chance(runs, lower + step) >= risk / 2
    turned = [run[::-1] for run in runs]
    assert (upper == 1) or chance(turned, 1 - upper) < risk / 2
    assert chance(turned, 1 - upper + step) >= risk / 2


def chance(runs, p):
    """Return how likely so many successes or more are; of two recordings, a product so small."""
    tails = [sum(comb(k + m, j) * p**j * (1 - p) ** (k + m - j) for j in range(k, k + m + 1)) for k, m in runs]
    return tails[0] if len(tails) == 1 else prod(tails) * (1 - Fraction(log(prod(tails))))


fixed_box = cache(lambda counts, share: confidence_box(counts, share, recordings=[counts]))


@pytest.mark.parametrize("confidence", [HALF, Fraction(4, 5), MOST])
@pytest.mark.parametrize(("chains", "steps"), [(BINARY, 7), (TERNARY, 5)])
def test_a_recording_of_fixed_length_is_covered_as_often_as_said(chains, steps, confidence):
    """Exactly, over all histories: Clopper and Pearson, though departures are random."""
    for chain in chains:
        missed, _ = after(chain, steps, lambda counts, chain=chain: not fixed_box(counts, confidence).holds(chain))
        assert missed <= 1 - confidence


def test_a_recording_that_stops_by_looking_needs_lasting_intervals():
    """The near miss: closer intervals of a recording that ends where they miss."""
    chain = BINARY[12]
    _, ever = after(chain, 24, lambda counts: not fixed_box(counts, HALF).holds(chain))
    assert ever > HALF


@pytest.mark.parametrize("confidence", [HALF, Fraction(4, 5), MOST])
def test_two_recordings_are_covered_as_often_as_said(confidence):
    chain = BINARY[12]
    ends, missed = {(0, ((0, 0), (0, 0))): Fraction(1)}, Fraction(0)
    for _ in range(4):
        ends = moved(ends, chain)
    for (_, one), p in ends.items():
        for (_, other), q in ends.items():
            both = tuple(tuple(map(sum, zip(*rows))) for rows in zip(one, other))
            box = confidence_box(both, confidence, recordings=[one, other])
            missed += p * q * (not box.holds(chain))
    assert missed <= 1 - confidence


KINDS = {
    "rare": [[0.998 - 0.1 * (x > 0), 0.001, 0.001] for x in range(3)],
    "cycle": [[0.97 if y == (x + 1) % 4 else 0.01 for y in range(4)] for x in range(4)],
}


@pytest.mark.parametrize("confidence", [HALF, Fraction(4, 5), MOST])
@pytest.mark.parametrize(("kind", "length", "groups"), [("rare", 300, 1), ("cycle", 200, 2)])
def test_drawn_recordings_are_covered_more_closely_than_before(kind, length, groups, confidence):
    """Seeded: of 25 drawn recordings no more miss than are allowed, and boxes are not wider."""
    missed, narrower = drawn(np.array(KINDS[kind]), length, groups, confidence)
    assert missed <= 25 * (1 - confidence)
    assert narrower < 1


@pytest.mark.parametrize("confidence", [HALF, Fraction(4, 5), MOST])
@pytest.mark.parametrize("groups", [1, 4])
def test_drawn_chains_of_rows_of_dirichlet_are_covered(groups, confidence):
    rows = np.random.default_rng(groups).dirichlet([0.3] * 3, size=3)
    assert drawn(rows, 150, groups, confidence)[0] <= 25 * (1 - confidence)


def drawn(rows, length, groups, confidence):
    """Return how often the box misses, and its width as a share of the lasting one."""
    rows = rows / rows.sum(axis=1, keepdims=True)
    random, missed, widths = np.random.default_rng(5), 0, np.zeros(2)
    for _ in range(25):
        sequences = [walk(rows, length, random) for _ in range(groups)]
        recorded = Recorded(tuple(map(str, range(len(rows)))), tuple(sequences))
        counts = Counts.of(recorded, 1).rows
        some = fixed_recordings(sequences, confidence, [range(len(rows))] * len(rows))
        parts = [Counts.of(recorded.alone(k), 1).rows for k in some]
        closer = confidence_box(counts, confidence, recordings=parts)
        low, high = (np.array(side, dtype=float) for side in (closer.lower, closer.upper))
        missed += bool(((rows < low - 1e-9) | (rows > high + 1e-9)).any())
        lasting = box_of(counts, confidence)
        widths += ((high - low).sum(), float(sum(map(sum, lasting.upper)) - sum(map(sum, lasting.lower))))
    return missed, widths[0] / widths[1]


def walk(rows, length, random):
    states = [int(random.integers(len(rows)))]
    while len(states) < length:
        states.append(int(random.choice(len(rows), p=rows[states[-1]])))
    return tuple(states)


def test_a_near_cycle_is_known_a_fifth_better():
    assert drawn(np.array(KINDS["cycle"]), 400, 1, MOST)[1] < 0.8


def test_which_recordings_count_is_decided_by_lengths():
    assert chosen([500], 3, Fraction(1, 180)) == (0,)
    assert chosen([3, 500, 2], 3, Fraction(1, 180)) == (1,)
    assert chosen([100] * 4, 3, Fraction(1, 180)) == (0, 1, 2, 3)
    assert chosen([3] * 500, 3, Fraction(1, 180)) == ()
    assert fixed_recordings([(0, 1, 1), (0, 0)], MOST, [(0, 1), (1,)]) == ()
    assert fixed_recordings([(0, 0, 1, 1)], MOST, [(0, 1), (1,)]) == (0,)


def test_an_absorbing_state_takes_no_share_of_the_risk():
    counts = [[5, 3, 2], [1, 1, 1], [0, 0, 4]]
    box = confidence_box(counts, MOST, free=[(0, 1, 2), (0, 1, 2), (2,)], recordings=[counts])
    assert box.lower[2] == box.upper[2] == (0, 0, 1)
    assert box.upper[0][2] == fixed_interval([(2, 8)], Fraction(1, 120))[1]


def test_a_step_that_never_occurs_takes_no_share_of_the_risk():
    counts = [[5, 3, 0], [1, 1, 1], [0, 2, 4]]
    free = [(0, 1), (0, 1, 2), (1, 2)]
    box = confidence_box(counts, MOST, free=free, recordings=[counts])
    assert (box.lower[0][2], box.upper[0][2], box.upper[2][0]) == (0, 0, 0)
    risk = (1 - MOST) / 5
    assert (box.lower[0][0], box.upper[0][0]) == fixed_interval([(5, 3)], risk)
    assert box.lower[0][1] == 1 - box.upper[0][0]
    assert (box.lower[1][2], box.upper[1][2]) == fixed_interval([(1, 2)], risk)


@pytest.mark.parametrize("text", ["95%", "0.95", "19/20", 0.95, Fraction(19, 20), "9.5e1%"])
def test_a_confidence_is_a_share(text):
    assert abs(confidence_of(text) - Fraction(19, 20)) < Fraction(1, 10**15)


@pytest.mark.parametrize("text", ["0", "1", "100%", "0%", "-5%", "x%", "%", "", None, float("nan"), "1e-99"])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(ModelError, match="expected a share"):
        confidence_of(text)
