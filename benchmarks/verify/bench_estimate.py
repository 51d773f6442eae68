"""Ten million samples of a NumPy sampler: the bound of its leakage, beside drawing them alone.

Times are taken by pytest-benchmark, all in one run; each row of the table is in its `extra_info`.
Nothing here asserts a time.
"""

from time import perf_counter

import numpy as np

from pufferproof import Framework, Table, estimate

SAMPLES = 10**7
PAIR = Framework(
    ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
)


def noisy(database, size, rng):
    return (database == "a") + rng.laplace(size=size)


def drawn_alone():
    rng, start = np.random.default_rng(1), perf_counter()
    for _ in range(SAMPLES // 100_000):
        noisy("a", 100_000, rng)
    return perf_counter() - start


def test_estimate_of_ten_million_samples(benchmark):
    found = benchmark.pedantic(
        lambda: estimate(PAIR, noisy, samples=SAMPLES, seed=1), rounds=3, warmup_rounds=1
    )
    assert 0.98 < float(found.lower.lower) < 1
    alone = min(drawn_alone() for _ in range(3))
    benchmark.extra_info |= {
        "what": "leakage of a sampler bounded from below, 10,000,000 samples of Laplace noise",
        "compared": f"drawing them alone, {alone * 1000:.0f} ms",
        "ratio": f"{benchmark.stats.stats.median / alone:.1f} x the time",
        "target": "at most 3 x",
    }
