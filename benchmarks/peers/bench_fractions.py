"""Sums and products of fractions by quicktions, which claims compute with, beside the standard
library. Nothing here asserts a time.
"""

import fractions
from platform import python_version
from random import Random

import quicktions
from benchmarks.peers.beside import beside, timed


def computed(kind, pairs):
    """The sum of products, bounded so that numbers stay short."""
    total = kind(0)
    for top, bottom in pairs:
        total = (total + kind(top, bottom)) * kind(bottom, top + bottom) % 1
        total = kind(total.numerator % 10**9, total.denominator % 10**9 + 1)
    return total


def test_fractions_beside_the_standard_library(benchmark):
    random = Random(1)
    pairs = [(random.randint(1, 999), random.randint(1, 999)) for _ in range(20_000)]
    found = benchmark.pedantic(computed, (quicktions.Fraction, pairs), rounds=5, warmup_rounds=1)
    seconds, other = timed(lambda: computed(fractions.Fraction, pairs), 3)
    assert (found.numerator, found.denominator) == (other.numerator, other.denominator)
    what = "100,000 operations on short fractions, by quicktions"
    beside(benchmark, what, f"fractions of Python {python_version()}", seconds, "equal")
