"""Smallest deltas of differential privacy beside dp_accounting, Google's accountant.

Its privacy loss distributions are rounded to a grid, down and up: ours, which are exact or
enclosed, must lie between. The library asks for an older attrs than our tests have, and runs in an
environment of its own; how long it takes is measured there, without its start. Nothing here asserts
a time.
"""

import json
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from benchmarks.peers.beside import beside
from tests.verify.noise.levels.test_dp_accounting import CASES, EPSILONS, ROUNDING, STEP, ours

from pufferproof import (
    Channel,
    Framework,
    Noise,
    RecordQuery,
    Records,
    Sample,
    SampledQuery,
    Table,
    compose,
    smallest_delta,
)

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-accounting" / "bin" / "python"
RUNS, RATIO, LEVEL = 1000, Fraction(51, 49), "3"
STEPS, SAMPLED_LEVEL = 10_000, "4"


def theirs(cases, epsilons):
    """Return the answer of dp_accounting to cases of a kind, a parameter and a number of runs."""
    if not PYTHON.exists():
        pytest.skip("make bench makes .venv-accounting")
    numbers = [[kind, float(Fraction(parameter)), runs] for kind, parameter, runs in cases]
    asked = {"cases": numbers, "epsilons": [float(e) for e in epsilons], "step": STEP}
    command = [str(PYTHON), str(Path(__file__).with_name("accountant.py"))]
    said = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    return json.loads(said.stdout)


def outside(bounds, low, high):
    return bounds[1] < low - ROUNDING or bounds[0] > high + ROUNDING


def test_runs_beside_dp_accounting(benchmark):
    priors = {"theta": Table({"a": "1/2", "b": "1/2"})}
    framework = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], priors)
    channel = Channel.of({"a": [51, 49], "b": [49, 51]}, "uv", normalize=True)
    found = benchmark.pedantic(smallest_delta, (framework, channel, LEVEL), {"runs": RUNS}, rounds=3, warmup_rounds=1)
    said = theirs([("randomized_response", str(RATIO), RUNS)], [LEVEL])
    ((low, high),) = said["deltas"][0]
    exact = [float(bound) for bound in found.bounds()]
    assert not outside(exact, low, high)
    what = f"smallest delta at {LEVEL} of {RUNS:,} runs of randomised response"
    peer = f"dp_accounting {said['version']}, grid {STEP:.0e}"
    answers = f"{exact[0]:.6e} exactly; it says {low:.3e} and {high:.3e}, rounded down and up"
    beside(benchmark, what, peer, said["seconds"], answers)


def test_fresh_samples_beside_dp_accounting(benchmark):
    query = RecordQuery("sum", Noise.gaussian(1), Records(1000, ("0", "1")))
    steps = SampledQuery(query, Sample(poisson="1/100"))
    work = lambda: compose("add-remove", [steps], STEPS).delta(SAMPLED_LEVEL)  # noqa: E731
    found = benchmark.pedantic(work, rounds=1)
    said = theirs([("gaussian of samples at 0.01", "1", STEPS)], [SAMPLED_LEVEL])
    ((low, high),) = said["deltas"][0]
    exact = [float(bound) for bound in found]
    assert not outside(exact, low, high)
    what = f"smallest delta at {SAMPLED_LEVEL} of {STEPS:,} steps, each on 1 % of the records"
    peer = f"dp_accounting {said['version']}, grid {STEP:.0e}"
    answers = f"{exact[0]:.6e} to {exact[1]:.6e}; it says {low:.3e} and {high:.3e}"
    beside(benchmark, what, peer, said["seconds"], answers)


def test_noise_beside_dp_accounting(benchmark):
    every = lambda: [[ours(*case, e) for e in EPSILONS] for case in CASES]  # noqa: E731
    found = benchmark.pedantic(every, rounds=1)
    said = theirs(CASES, EPSILONS)
    pairs = [(exact, *sides) for row, deltas in zip(found, said["deltas"]) for exact, sides in zip(row, deltas)]
    wrong = sum(outside([float(bound) for bound in exact], *sides) for exact, *sides in pairs)
    assert wrong == 0
    what = f"smallest deltas of {len(CASES)} releases with noise or randomised response"
    peer = f"dp_accounting {said['version']}, grid {STEP:.0e}"
    answers = f"{wrong} of {len(pairs)} of ours outside its two roundings"
    beside(benchmark, what, peer, said["seconds"], answers)
