"""Leakage of channels beside `qif`: all pairs of a large one, many small ones with zeros, and
independent runs.

`qif` computes epsilon in floats only; its channels of runs are exact, with a column per sequence of
outputs. Nothing here asserts a time.
"""

from fractions import Fraction
from math import inf, isclose, log

import numpy as np
import pytest
from benchmarks.instances import all_pairs, random_channel, uncached
from benchmarks.peers.beside import beside, packaged, timed

from pufferproof import Channel
from pufferproof.verify.leakage.ratio import leakage
from pufferproof.verify.leakage.runs.repeated import repeated_leakage

qif = pytest.importorskip("qif", reason="make bench installs qif")
SIZE, SMALL, RUNS = 512, 1000, 16
TOLERANCE = 1e-12  # a few roundings of a logarithm


def epsilon_of(matrix):
    return qif.measure.d_privacy.smallest_epsilon(matrix, qif.metric.discrete())


def exact(framework, channel):
    found = leakage(framework, channel)[0]
    return inf if found.infinite else log(found.ratio)


def test_all_pairs(benchmark):
    channel = random_channel(SIZE)
    framework = all_pairs(channel)
    setup = lambda: ((framework, uncached(channel)), {})  # noqa: E731 - a fresh channel every round
    found, _ = benchmark.pedantic(leakage, setup=setup, rounds=30, warmup_rounds=3)
    matrix = np.asfortranarray(channel.floats_approx)
    seconds, epsilon = timed(lambda: epsilon_of(matrix), 3)
    difference = abs(epsilon - log(found.ratio))
    assert difference < TOLERANCE
    what = f"leakage of a {SIZE} x {SIZE} channel, all 130,816 pairs"
    answers = f"differ by {difference:.0e}, its rounding"
    beside(benchmark, what, f"{packaged('qif')} (floats)", seconds, answers)


def with_zeros(generator):
    """Return a channel with an output that never occurs and, every other time, one that only some
    databases may show.
    """
    numerators = generator.integers(1, 10, (6, 5))
    numerators[:, 4] = 0
    numerators[generator.integers(6), 3] *= generator.integers(2)
    labels = [f"d{x}" for x in range(6)]
    rows = dict(zip(labels, numerators.tolist()))
    return Channel.of(rows, [f"y{y}" for y in range(5)], normalize=True)


def test_small_channels_with_zeros(benchmark):
    generator = np.random.default_rng(6)
    channels = [with_zeros(generator) for _ in range(SMALL)]
    framework = all_pairs(channels[0])
    matrices = [np.asfortranarray(channel.floats_approx) for channel in channels]
    every = lambda: [exact(framework, uncached(channel)) for channel in channels]  # noqa: E731
    ours = benchmark.pedantic(every, rounds=3)
    seconds, theirs = timed(lambda: [epsilon_of(matrix) for matrix in matrices], 3)
    apart = sum(not isclose(a, b, rel_tol=0, abs_tol=TOLERANCE) for a, b in zip(ours, theirs))
    assert apart == 0
    infinite = sum(value == inf for value in ours)
    what = f"leakage of {SMALL:,} channels, 6 x 5 with zeros, all pairs"
    answers = f"{apart} of {SMALL:,} differ by more than 1e-12; {infinite} are infinite for both"
    beside(benchmark, what, f"{packaged('qif')} (floats)", seconds, answers)


def test_independent_runs(benchmark):
    rows = {"a": [Fraction(2, 3), Fraction(1, 3)], "b": [Fraction(3, 7), Fraction(4, 7)]}
    channel = Channel.of(rows, "uv")
    framework = all_pairs(channel)
    setup = lambda: ((framework, uncached(channel), RUNS), {})  # noqa: E731
    (found, _) = benchmark.pedantic(repeated_leakage, setup=setup, rounds=20, warmup_rounds=2)
    matrix = np.array(list(rows.values()), dtype=object)
    seconds, joint = timed(lambda: qif.channel.compose.repeated_independent(matrix, RUNS))
    first, second = joint
    ratio = max(max(a / b, b / a) for a, b in zip(first.tolist(), second.tolist()))
    assert ratio == found.ratio
    what = f"leakage of {RUNS} independent runs of a binary channel, exact"
    peer = f"{packaged('qif')} (fractions), the channel of {joint.shape[1]:,} columns alone"
    beside(benchmark, what, peer, seconds, "equal as fractions")
