"""Max-influences of a 50-state chain, all quilts up to width 100, beside the tables they need.

Times are taken by pytest-benchmark, all in one run; each row of the table is in its `extra_info`.
Nothing here asserts a time.
"""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from benchmarks.peers.beside import cpu_seconds
from tests.verify.influence.floats import quilt_table_approx

from pufferproof import MarkovChain, max_influence
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence

STATES, WIDTHS, LENGTH, RECORD, TOTAL = 50, range(1, 101), 1000, 500, 200


@pytest.fixture(scope="module")
def chain():
    random, rows = Random(1), []
    for _ in range(STATES):
        row = [1] * STATES
        for _ in range(TOTAL - STATES):
            row[random.randrange(STATES)] += 1
        rows.append([Fraction(entry, TOTAL) for entry in row])
    return MarkovChain("stationary", rows)


@pytest.fixture(scope="module")
def tables(chain):
    """The time of the powers P^1 .. P^100 and of the ratio tables of their rows and columns, in
    plain NumPy.
    """
    step = np.array([[float(entry) for entry in row] for row in chain.transition])

    def once():
        powers = [step]
        for _ in WIDTHS[1:]:
            powers.append(powers[-1] @ step)
        for power in powers:
            for table in (power, power.T):
                (table[:, None, :] / table[None, :, :]).max(axis=2)

    times = []
    for _ in range(9):
        start = cpu_seconds()
        once()
        times.append(cpu_seconds() - start)
    return sorted(times)[len(times) // 2]


def test_all_quilts_in_floats(benchmark, chain, tables):
    def once():
        laws = Along(chain, LENGTH, "float")
        return quilt_table_approx(laws, RECORD, WIDTHS, WIDTHS)

    found = benchmark.pedantic(once, rounds=9, warmup_rounds=1)
    assert found.error < Fraction(1, 10**11)
    benchmark.extra_info |= {
        "what": "all 10,000 max-influences of a 50-state chain, floats with proven error",
        "compared": f"matrix powers and NumPy ratio tables, {tables * 1000:.2f} ms",
        "ratio": f"{benchmark.stats.stats.median / tables:.1f} x the time",
        "target": "at most 3 x",
    }


def test_all_quilts_exactly(benchmark, chain, tables):
    def once():
        return ChainInfluence(Along(chain, LENGTH)).table(RECORD, WIDTHS, WIDTHS)

    benchmark.pedantic(once, rounds=1)
    benchmark.extra_info |= {
        "what": "the same, exact rationals",
        "compared": "the same",
        "ratio": f"{benchmark.stats.stats.median / tables:,.0f} x the time",
    }


def test_one_quilt_of_a_million_records(benchmark):
    rows = [["9/10", "1/10", "0"], ["0", "1/2", "1/2"], ["1/7", "0", "6/7"]]
    chain = MarkovChain(["1", "0", "0"], rows)
    benchmark.pedantic(max_influence, (chain, 10**6, 700_000, 40, 50, "enclosed"), rounds=3)
    benchmark.extra_info |= {"what": "one max-influence at record 700,000 of 10^6, 3 states, enclosed to 15 digits"}
