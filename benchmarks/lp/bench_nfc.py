"""Composition rates against the linear programs alone, certified games a second, and hundreds of
runs by counting.

Times are taken by pytest-benchmark, all in one run; `table.py` turns them into ratios. Nothing here
asserts a time.
"""

import numpy as np
import pytest
from benchmarks.instances import halves, random_channel, two_secrets, uncached

from pufferproof import Channel, Framework, Level, Table, check_nfc, composition_rate, repeated_leakage
from pufferproof.lp.rates.games import GAP, Games, linear_program
from pufferproof.lp.rates.nfc import cases, rate_certificate
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.runs.repeated import all_counts

SIZES = [16, 64]
RUNS = [(3, 200, "under 1 s"), (3, 1_000, "under 0.05 s"), (5, 100, "under 1 s"), (3, 5_000, "")]


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{size}x{size}")
def instance(request):
    channel = random_channel(request.param)
    return halves(channel), channel


def programs(framework):
    """Return the linear programs of a framework: the databases of every set that they are
    compared with.
    """
    groups = {}
    for case in cases(framework):
        groups.setdefault(case.against, {}).update(dict.fromkeys(case.support))
    return groups


def test_raw_highs(benchmark, instance):
    """The same programs with the same warm starts, given to HiGHS and not looked at."""
    framework, channel = instance
    groups, logs = programs(framework), Games([channel]).logs
    rows, most = np.arange(logs.shape[1], dtype=np.int32), np.full(logs.shape[1], np.inf)

    def solved():
        for against, support in groups.items():
            model = linear_program(logs[list(against)].T)
            for x in support:
                model.changeRowsBounds(len(rows), rows, logs[x], most)
                model.run()

    benchmark.pedantic(solved, rounds=3, warmup_rounds=1)
    benchmark.extra_info["programs"] = sum(map(len, groups.values()))


def test_composition_rate(benchmark, instance):
    framework, channel = instance
    setup = lambda: ((framework, uncached(channel)), {})  # noqa: E731 - a fresh channel every round
    rate = benchmark.pedantic(composition_rate, setup=setup, rounds=3, warmup_rounds=1)
    assert rate.upper - rate.lower <= GAP * rate.lower


def test_rate_of_256(benchmark):
    channel = random_channel(256)
    ask = lambda: composition_rate(two_secrets(256), uncached(channel))  # noqa: E731
    benchmark.pedantic(ask, rounds=2, warmup_rounds=1)
    benchmark.extra_info |= {"what": "composition rate, 256 x 256, one pair, framework built", "target": "under 1 s"}


def test_nfc_at_the_rate(benchmark, instance):
    framework, channel = instance
    level = Level.of_nats(composition_rate(framework, channel).upper)
    found = benchmark.pedantic(check_nfc, (framework, channel, level), rounds=3, warmup_rounds=1)
    assert found.answer is Decision.HOLDS


def test_kernel_of_rates(benchmark, instance):
    framework, channel = instance
    rate = composition_rate(framework, channel)
    benchmark.pedantic(lambda: certified_text(rate_certificate(rate, Inputs())), rounds=1)
    benchmark.extra_info["programs"] = len(rate.betas)


@pytest.mark.parametrize(("outputs", "runs", "target"), RUNS)
@pytest.mark.parametrize("first", [True, False], ids=["first", "again"])
def test_many_runs(benchmark, outputs, runs, target, first):
    labels = [f"d{x}" for x in range(6)]
    rows = {x: [6 + k, 11 - k, *range(7 + k % 3, 5 + k % 3 + outputs)] for k, x in enumerate(labels)}
    channel = Channel.of(rows, [f"y{w}" for w in range(outputs)], normalize=True)
    uniform = Table(dict.fromkeys(labels, "1/6"))
    secrets = {"s": labels[:3], "t": labels[3:]}
    framework = Framework(labels, secrets, "disjoint", {"uniform": uniform})

    def setup():
        if first:
            all_counts.cache_clear()
        return (framework, uncached(channel) if first else channel, runs), {}

    few = runs > 1_000
    benchmark.pedantic(repeated_leakage, setup=setup, rounds=1 if few else 5, warmup_rounds=0 if few else 1)
    which = "first call" if first else "called again"
    benchmark.extra_info["what"] = f"leakage of {runs:,} runs, {outputs} outputs, {which}"
    benchmark.extra_info["target"] = target if first else ""
