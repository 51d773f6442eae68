"""Exact leakage of noisy counts along chains, beside the same dynamic programming in NumPy floats.

Times are taken by pytest-benchmark, all in one run; each row of the table is in its `extra_info`.
Nothing here asserts a time.
"""

from fractions import Fraction

import numpy as np
import pytest
from benchmarks.peers.beside import cpu_seconds

from pufferproof import Framework, Level, MarkovChain, Noise, RecordQuery, Records, audit, compose
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.scale.between import scale_between
from pufferproof.verify.noise.scale.calibration import smallest_scale

STEP = [["9/10", "1/10"], ["1/5", "4/5"]]


def framework_of(length, record):
    records = Records(length, ("0", "1"))
    secrets = {value: (record, value) for value in "01"}
    chain = MarkovChain("stationary", STEP)
    return records, Framework.of_records(records, secrets, [("0", "1")], {"theta": chain})


def in_floats(length, record, scale):
    """The leakage of the sum in plain NumPy, without error bounds: count laws by recursion,
    then kernel times law.
    """
    step = np.array([[0.9, 0.1], [0.2, 0.8]])
    before = np.zeros((2, length + 1))  # before[x, k] = P(X_t = x, k ones before t)
    before[:, 0] = [2 / 3, 1 / 3]
    for _ in range(record - 1):
        shifted = np.stack([before[0], np.roll(before[1], 1)])
        before = step.T @ shifted
    after = np.zeros((2, length + 1))
    after[:, 0] = 1
    for _ in range(length - record):
        after = step @ np.stack([after[0], np.roll(after[1], 1)])
    laws = [np.roll(np.convolve(before[x], after[x])[: length + 1], x) for x in (0, 1)]
    laws = [law / law.sum() for law in laws]
    grid = np.arange(length + 1)
    kernel = np.exp(-np.abs(grid[:, None] - grid[None, :]) / scale)
    ratios = (kernel @ laws[0]) / (kernel @ laws[1])
    return float(np.log(max(ratios.max(), (1 / ratios).max())))


def test_laplace_sum_of_a_thousand_records(benchmark):
    records, framework = framework_of(1000, 500)
    query = RecordQuery("sum", Noise.laplace(10), records)
    found = benchmark.pedantic(audit, (framework, query, 1), rounds=5, warmup_rounds=1)
    times = []
    for _ in range(5):
        start = cpu_seconds()
        float_leakage = in_floats(1000, 500, 10.0)
        times.append(cpu_seconds() - start)
    other = sorted(times)[2]
    assert abs(float_leakage - float(found.leakage.enclosure().lower)) < 1e-9
    benchmark.extra_info |= {
        "what": "Laplace noise on a sum of 1,000 records of a chain, exact leakage and verdict",
        "compared": f"the same in NumPy floats, without error bounds, {other * 1000:.2f} ms",
        "ratio": f"{benchmark.stats.stats.median / other:.1f} x the time",
        "target": "under 10 s",
    }


def test_two_releases_on_different_segments(benchmark):
    records, framework = framework_of(50, 25)
    queries = [RecordQuery("sum", Noise.laplace(5), records, segment) for segment in ((1, 35), (15, 50))]
    found = benchmark.pedantic(compose, (framework, queries), rounds=5, warmup_rounds=1)
    assert found.joint.scope.checked > 1000
    benchmark.extra_info |= {
        "what": "two independent noisy sums of overlapping segments of 50 records: single and joint leakage",
        "target": "under 10 s",
    }


def test_sixty_four_runs_of_a_thousand_records(benchmark):
    records, framework = framework_of(1000, 500)
    query = RecordQuery("sum", Noise.laplace(640), records)
    benchmark.pedantic(compose, (framework, [query], 64), rounds=1)
    benchmark.extra_info |= {"what": "64 independent releases of the sum of 1,000 records, single and joint leakage"}


def test_least_scale_of_a_thousand_records(benchmark):
    records, framework = framework_of(1000, 500)
    laws, level = (sequence_laws(framework, [RecordQuery("sum", Noise.laplace(1), records)]), Level.of_nats(1))
    low, high = benchmark.pedantic(smallest_scale, (laws, level, Fraction(20)), rounds=3, warmup_rounds=1)
    benchmark.extra_info |= {
        "what": "least Laplace scale that keeps a level, sum of 1,000 records (a part of `calibrate`)",
        "compared": f"between {float(low):.9f} and {float(high):.9f}",
        "target": "under 5 s",
    }


@pytest.mark.parametrize("query", ["sum", "histogram"])
@pytest.mark.parametrize("length", [10**5, 10**6])
def test_noise_by_windows(benchmark, query, length):
    records, framework = framework_of(length, length // 2)
    noisy = RecordQuery(query, Noise.laplace(10), records)
    found = benchmark.pedantic(audit, (framework, noisy, "log(2)"), rounds=3, warmup_rounds=1)
    gap = float(found.leakage.upper / found.leakage.lower - 1)
    benchmark.extra_info |= {
        "what": f"Laplace noise on a {query} of {length:,} records of a chain, by a window",
        "compared": f"bounds {max(gap, 1e-16):.0e} apart, relatively",
        "target": "under 1 s",
    }


def test_least_scale_of_a_million_records(benchmark):
    records, framework = framework_of(10**6, 5 * 10**5)
    query = RecordQuery("sum", Noise.laplace(1), records)
    low, high = benchmark.pedantic(scale_between, (framework, query, Level.of_nats(1), Fraction(20)), rounds=3)
    benchmark.extra_info |= {
        "what": "least Laplace scale that keeps a level, sum of 1,000,000 records, between bounds "
        "(a part of `calibrate`)",
        "compared": f"between {float(low):.9f} and {float(high):.9f}",
        "target": "under 5 s",
    }
