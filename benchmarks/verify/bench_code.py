"""Exact laws of Python programs beside 10,000 samples of the same program, which tell probabilities
to a standard error of 1/200.
"""

import time
from itertools import product

import numpy as np
import pytest

from pufferproof import as_mechanism
from pufferproof.examples.programs.sparse_vector import variant_1, variant_6

SAMPLES = 10_000


def largest(database, rng):
    counts = np.array([int(record) * place for place, record in enumerate(database, 1)])
    return int(np.argmax(counts + rng.laplace(scale=2, size=len(database))))


def largest_in_a_loop(database, rng):
    best, winner = None, None
    for place, record in enumerate(database, 1):
        noisy = int(record) * place + rng.laplace(scale=2)
        if best is None or noisy > best:
            best, winner = noisy, place
    return winner


def responses(database, rng):
    return [int(record) if rng.random() < 0.75 else int(rng.integers(2)) for record in database]


def lies(database, rng):
    return sum(int(record) ^ int(rng.random() < 0.25) for record in database)


def many_lies(database, rng):
    return sum(rng.random() < 0.25 for _ in range(database.count("1")))


ALL = ["".join(bits) for bits in product("01", repeat=12)]
HALVES = ["1" * 20 + "0" * 20, "0" * 20 + "1" * 20]
NINE = ["010101011", "101010100"]
CASES = [
    ("sparse vector, 40 queries, two databases", variant_1, HALVES, "under 4 s"),
    ("sparse vector without a cutoff, 10 queries", variant_6, [x[15:25] for x in HALVES], "under 20 s"),
    ("noisy maximum of 9 by `argmax`, two databases", largest, NINE, "under 3 s"),
    ("noisy maximum of 9 by a loop, two databases", largest_in_a_loop, NINE, "under 3 s"),
    ("responses of 7 records, 16,384 paths", responses, ["0101010"], "under 5 s"),
    ("12 binary records that lie, one database", lies, ["010101010101"], "under 3 s"),
    ("as many lies as a count, 4,096 databases", many_lies, ALL, ""),
]


@pytest.mark.parametrize(("what", "program", "databases", "target"), CASES)
def test_law(benchmark, what, program, databases, target):
    def law():
        return as_mechanism(program, databases)

    found = benchmark.pedantic(law, rounds=1)
    rng = np.random.default_rng(0)
    start = time.process_time()
    for database in databases[:2]:
        for _ in range(SAMPLES):
            program(database, rng)
    sampled = time.process_time() - start
    benchmark.extra_info |= {
        "what": f"law of a program: {what}, {found.paths:,} paths",
        "compared": f"{SAMPLES:,} samples of {len(databases[:2])}, {sampled:.2f} s",
        "target": target,
    }
