"""How often the tests of `fit` doubt true chains, and how often they find what breaks a chain:

    python -m benchmarks.models.doubts [SETS] [SEEDS]

prints how many of so many sets (400) of true chains have a doubt of each strength, for all tests
together, and then for every kind of misfit in how many seeds (10) it has the doubt of its kind.
"""

import sys
from collections import Counter
from random import Random

from tests.brute.recordings import MISFITS, true_chain

import pufferproof as pp

STRENGTHS = ((0.001, "strong evidence"), (0.01, "evidence"), (0.05, "weak evidence"))


def strength(p: float) -> str:
    """Say how strong a corrected p-value is."""
    return next((words for most, words in STRENGTHS if p < most), "none")


def main(sets: int = 400, seeds: int = 10) -> None:
    """Print both tables."""
    strengths: Counter[str] = Counter()
    for seed in range(sets):
        values, arguments = true_chain(seed)
        if len(set(values)) < 2:
            continue
        doubts = pp.fit(values, smoothing=1, **arguments).doubts
        strengths[strength(min((d.corrected for d in doubts if d.corrected), default=1.0))] += 1
    print(f"true chains: {strengths.total()}", dict(strengths))
    for about, kinds in MISFITS.items():
        for kind in kinds:
            found: Counter[str] = Counter()
            for seed in range(seeds):
                values, arguments = kind(Random(seed))
                found.update(d.about for d in pp.fit(values, smoothing=1, **arguments).doubts)
            print(f"{about:8}{kind.__name__:12}{found[about]} of {seeds}", dict(found))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
