"""The experiment on top-K queries in a process of its own: the whole grid with 100 repetitions, and
what its levels per record take.

Times are taken by pytest-benchmark; each row of the table is in its `extra_info`. Nothing here
asserts a time.
"""

import subprocess
import sys

import pytest

from pufferproof import Level
from pufferproof.examples.reproduce.populations.drawn import drawn_activities, drawn_check_ins
from pufferproof.examples.reproduce.populations.fitting import fitted_chain
from pufferproof.examples.reproduce.top_k.budgets import WorstLeakage
from pufferproof.examples.reproduce.top_k.experiment import GRID
from pufferproof.examples.reproduce.top_k.rounded import RoundedCurve, largest_budget
from pufferproof.models.numbers.grammar import exact

POPULATIONS = {"78 states, 100 records": drawn_check_ins, "11 states, 288": drawn_activities}


def test_the_whole_experiment(benchmark):
    command = [sys.executable, "-m", "pufferproof", "reproduce", "bai2026.topk", "--json"]
    benchmark.pedantic(lambda: subprocess.run(command, capture_output=True, check=True), rounds=2)
    benchmark.extra_info["what"] = "`reproduce bai2026.topk`, whole grid, 100 repetitions"
    benchmark.extra_info["target"] = "under 60 s"


@pytest.mark.parametrize("name", POPULATIONS)
def test_levels_per_record_by_the_influence_curve(benchmark, name):
    people = POPULATIONS[name](1)
    chain = fitted_chain(people.steps.tolist())

    def run():
        curve = RoundedCurve(chain, people.length)
        return [largest_budget(curve, Level.of_nats(each).nats) for each in GRID]

    benchmark.pedantic(run, rounds=3)
    benchmark.extra_info["what"] = f"levels per record, published translation, {name}, 6 levels"


@pytest.mark.parametrize("name", POPULATIONS)
def test_levels_per_record_by_walks(benchmark, name):
    people = POPULATIONS[name](1)
    chain = fitted_chain(people.steps.tolist())

    def run():
        worst = WorstLeakage(chain, people.length)
        return [worst.level(exact(each)) for each in GRID]

    benchmark.pedantic(run, rounds=2)
    benchmark.extra_info["what"] = f"levels per record, exact translation, {name}, 6 levels"
