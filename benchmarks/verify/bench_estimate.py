"""Samples of a NumPy sampler, together and one by one: the bound of its leakage, beside drawing
them alone.

Times are taken by pytest-benchmark, all in one run; each row of the table is in its `extra_info`.
Nothing here asserts a time.
"""

import numpy as np
import pytest
from benchmarks.peers.beside import cpu_seconds

from pufferproof import Framework, Table, estimate

TOGETHER, ONE_BY_ONE = 10**7, 10**5
PAIR = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})


def noisy(database, size, rng):
    return (database == "a") + rng.laplace(size=size)


def drawn_alone(samples, size):
    rng, start = np.random.default_rng(1), cpu_seconds()
    for _ in range(samples // size):
        noisy("a", size, rng)
    return cpu_seconds() - start


@pytest.mark.parametrize("independent", [True, False])
def test_estimate_beside_drawing(benchmark, independent):
    samples, size = (TOGETHER, 100_000) if independent else (ONE_BY_ONE, 1)
    found = benchmark.pedantic(
        lambda: estimate(PAIR, noisy, samples=samples, seed=1, independent_draws=independent), rounds=3, warmup_rounds=1
    )
    assert 0.9 < float(found.lower.lower) < 1
    alone = min(drawn_alone(samples, size) for _ in range(3))
    how = "independent draws" if independent else "a call each"
    benchmark.extra_info |= {
        "what": f"leakage of a sampler bounded from below, {samples:,} samples of Laplace noise, {how}",
        "compared": f"drawing them alone, {alone * 1000:.0f} ms",
        "ratio": f"{benchmark.stats.stats.median / alone:.1f} x the time",
        "target": "at most 3 x",
    }
