"""Audits of channels beside NumPy's sums, and beside `qif`.

Everything is built inside the clock: framework, channel and answer, by public functions. NumPy has
its floats ready, and answers with one float: no zeros, no ties, no witness, no exactness. `qif`
computes epsilon in floats only; its channels of runs are exact, with a column per sequence of
outputs. Nothing here asserts a time.
"""

from fractions import Fraction
from math import inf, isclose, log

import numpy as np
import pytest
from benchmarks.instances import all_pairs, float_weights, halves, numpy_ratios
from benchmarks.peers.beside import beside, packaged, timed

from pufferproof import Channel, Framework, Table, audit, read_mechanism, repeated_leakage

SIZE, LARGE, SMALL, RUNS = 512, 1000, 1000, 16
TOLERANCE = 1e-12  # a few roundings of a logarithm
NUMPY = f"{packaged('numpy')} (floats)"


def labels(size):
    return [f"d{x}" for x in range(size)]


def rows_of_one_sum(size, total):
    numerators = np.random.default_rng(size).integers(1, total // size, (size, size))
    numerators[:, -1] += total - numerators.sum(axis=1)
    return numerators


def rows_of_floats(size):
    matrix = np.random.default_rng(size).random((size, size)) + 1e-3
    return matrix / matrix.sum(axis=1, keepdims=True)


def of_array(matrix):
    return Channel.from_array(matrix, labels(len(matrix)), normalize=True)


def of_rows(rows):
    names = labels(len(rows))
    return Channel.of(dict(zip(names, rows)), names, normalize=True)


def million(size):
    return rows_of_one_sum(size, 10**6)


def own_sums(size):
    return np.random.default_rng(size).integers(1, 10**6, (size, size))


def fractions(size):
    return [[Fraction(number, 10**6) for number in row] for row in million(size).tolist()]


def decimals(digits):
    """Numbers below one of so many digits, as text."""

    def rows(size):
        scale = 10 ** (digits - 6)
        return [[f"0.{n * scale + n:0{digits}d}" for n in row] for row in million(size).tolist()]

    return rows


KINDS = {
    "array of integers over 10^6": (million, of_array),
    "array of integers with sums of their own": (own_sums, of_array),
    "array of integers over 10^18": (lambda size: rows_of_one_sum(size, 10**18), of_array),
    "array of floats": (rows_of_floats, of_array),
    "lists of integers over 10^6": (lambda size: million(size).tolist(), of_rows),
    "lists of `Fraction`s": (fractions, of_rows),
    "decimals of 6 digits as text": (decimals(6), of_rows),
    "decimals of 30 digits as text": (decimals(30), of_rows),
}


def compared(benchmark, what, found, rounds, theirs):
    """Write a row beside NumPy's floats, which are given the matrix that we end with."""
    seconds, ratio = timed(theirs, rounds)
    difference = abs(ratio / float(found.leakage.ratio) - 1)
    assert difference < TOLERANCE
    beside(benchmark, what, NUMPY, seconds, f"{difference:.0e} apart, relatively: its rounding")


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_of_halves_beside_numpy(benchmark, kind):
    draw, build = KINDS[kind]
    rows = draw(SIZE)
    channel = build(rows)
    framework = halves(channel)
    weights, matrix = float_weights(framework), channel.floats_approx
    ask = lambda: audit(framework, build(rows), "log(3)")  # noqa: E731
    found = benchmark.pedantic(ask, rounds=9, warmup_rounds=2)
    what = f"audit of {SIZE} x {SIZE}, 32 pairs of halves, channel built: {kind}"
    compared(benchmark, what, found, 30, lambda: numpy_ratios(weights, matrix))


@pytest.mark.parametrize("kind", list(KINDS)[:4])
def test_all_pairs_beside_numpy(benchmark, kind):
    draw, build = KINDS[kind]
    rows = draw(LARGE)
    channel = build(rows)
    matrix = channel.floats_approx
    ask = lambda: audit(all_pairs(channel), build(rows), "log(3)")  # noqa: E731
    found = benchmark.pedantic(ask, rounds=9, warmup_rounds=2)
    what = (
        f"audit of {LARGE:,} x {LARGE:,}, all {LARGE * (LARGE - 1) // 2:,} pairs, framework and channel built: {kind}"
    )
    theirs = lambda: float((matrix.max(axis=0) / matrix.min(axis=0)).max())  # noqa: E731
    compared(benchmark, what, found, 30, theirs)


def test_reading_csv_beside_numpy(benchmark, tmp_path):
    """NumPy reads floats, and sums them."""
    names, path = labels(SIZE), tmp_path / "mechanism.csv"
    header, rows = ",".join(["database", *names]), decimals(6)(SIZE)
    lines = [header, *(",".join([name, *row]) for name, row in zip(names, rows))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    framework = halves(of_rows(rows))
    weights = float_weights(framework)

    def ask():
        return audit(framework, read_mechanism(path, framework, normalize=True))

    def theirs():
        columns = range(1, SIZE + 1)
        matrix = np.loadtxt(path, delimiter=",", skiprows=1, usecols=columns)
        return numpy_ratios(weights, matrix / matrix.sum(axis=1, keepdims=True))

    found = benchmark.pedantic(ask, rounds=5, warmup_rounds=1)
    compared(benchmark, f"audit of {SIZE} x {SIZE} decimals, read from a CSV file", found, 5, theirs)


def epsilon_of(matrix):
    qif = pytest.importorskip("qif", reason="make bench installs qif")
    return qif.measure.d_privacy.smallest_epsilon(matrix, qif.metric.discrete())


def exact(framework, channel):
    found = audit(framework, channel).leakage
    return inf if found.infinite else log(found.ratio)


def rows_with_zeros(generator):
    """Return rows with an output that never occurs and, every other time, one that only some
    databases may show.
    """
    numerators = generator.integers(1, 10, (6, 5))
    numerators[:, 4] = 0
    numerators[generator.integers(6), 3] *= generator.integers(2)
    return numerators


def test_small_channels_with_zeros_beside_qif(benchmark):
    generator = np.random.default_rng(6)
    matrices = [rows_with_zeros(generator) for _ in range(SMALL)]
    framework = all_pairs(of_array(matrices[0]))
    every = lambda: [exact(framework, of_array(matrix)) for matrix in matrices]  # noqa: E731
    ours = benchmark.pedantic(every, rounds=3)
    floats = [np.asfortranarray(each / each.sum(axis=1, keepdims=True)) for each in matrices]
    seconds, theirs = timed(lambda: [epsilon_of(matrix) for matrix in floats], 3)
    apart = sum(not isclose(a, b, rel_tol=0, abs_tol=TOLERANCE) for a, b in zip(ours, theirs))
    assert apart == 0
    infinite = sum(value == inf for value in ours)
    what = f"audits of {SMALL:,} channels, 6 x 5 with zeros, all pairs, channels built"
    answers = f"{apart} of {SMALL:,} differ by more than 1e-12; {infinite} are infinite for both"
    beside(benchmark, what, f"{packaged('qif')} (floats)", seconds, answers)


def test_independent_runs_beside_qif(benchmark):
    qif = pytest.importorskip("qif", reason="make bench installs qif")
    rows = {"a": [Fraction(2, 3), Fraction(1, 3)], "b": [Fraction(3, 7), Fraction(4, 7)]}

    def ask():
        channel = Channel.of(rows, "uv")
        return repeated_leakage(all_pairs(channel), channel, RUNS)

    found, _ = benchmark.pedantic(ask, rounds=20, warmup_rounds=2)
    matrix = np.array(list(rows.values()), dtype=object)
    seconds, joint = timed(lambda: qif.channel.compose.repeated_independent(matrix, RUNS))
    first, second = joint
    ratio = max(max(a / b, b / a) for a, b in zip(first.tolist(), second.tolist()))
    assert ratio == found.ratio
    what = f"leakage of {RUNS} independent runs of a binary channel, exact"
    peer = f"{packaged('qif')} (fractions), the channel of {joint.shape[1]:,} columns alone"
    beside(benchmark, what, peer, seconds, "equal as fractions")


def test_small_tables_beside_fractions(benchmark):
    """What a table of two rows costs beside the fractions that answer it: reading, checking and keeping."""
    numbers = range(3, SMALL + 3)

    def ours(number):
        framework = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"u": Table({"a": "1/2", "b": "1/2"})})
        rows = {"a": [f"{number}/9011", f"{9011 - number}/9011"], "b": ["1/2", "1/2"]}
        return audit(framework, Channel.of(rows, "mn"), "log(3)").leakage.ratio

    def theirs(number):
        first = [Fraction(f"{number}/9011"), Fraction(f"{9011 - number}/9011")]
        second = [Fraction("1/2"), Fraction("1/2")]
        return max(max(a / b, b / a) for a, b in zip(first, second))

    found = benchmark.pedantic(lambda: [*map(ours, numbers)], rounds=5, warmup_rounds=1)
    seconds, known = timed(lambda: [*map(theirs, numbers)], 5)
    assert found == known
    what = f"audits of {SMALL:,} tables, 2 x 2 as text, frameworks and channels built"
    beside(benchmark, what, "Python's fractions, the ratio alone", seconds, "equal")
