"""Markov quilts: calibration of long chains with many states, and how searches for the best quilts
grow with the length.

Times are taken by pytest-benchmark, all in one run; each row of the table is in its `extra_info`.
Nothing here asserts a time. The last benchmark draws `quilt_search.svg`: time against T, log-log,
and the growth exponents fitted to it.

The searches are those of wang2016, Appendix B, with its closed-form bound of influence, vectorised
in NumPy, so that only how they grow is compared: `basic` scores every quilt of every record, `fast`
every quilt of one middle record after the other until its best one is two-sided or empty. `boxes`
is the search of this package, which drops boxes of quilts and halves records.
"""

import json
import subprocess
import sys
from fractions import Fraction
from math import log
from pathlib import Path

import numpy as np
import pytest
from benchmarks.peers.beside import cpu_seconds

from pufferproof import Level
from pufferproof.verify.influence.bounds import wang_bound
from pufferproof.verify.influence.quilts.worst_record import markov_quilt_approx

BLOCK = 1 << 18  # quilts scored at a time
FIGURE = Path(__file__).parents[1] / "quilt_search.svg"
CALIBRATION = """
import json, sys, time
from fractions import Fraction
from random import Random
from pufferproof import Level
from pufferproof import markov_quilt
from pufferproof import MarkovChain
random, rows = Random(1), []
for _ in range(50):
    row = [1] * 50
    for _ in range(150):
        row[random.randrange(50)] += 1
    rows.append([Fraction(entry, 200) for entry in row])
start = {"stationary": "stationary", "fixed": [Fraction(1)] + [Fraction(0)] * 49}[sys.argv[1]]
begin = time.process_time()
found = markov_quilt(MarkovChain(start, rows), 10**6, Level.of_nats(1))
seconds = time.process_time() - begin
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
megabytes = int(peak.split()[1]) / 1024
print(json.dumps([seconds, megabytes, found.scale.enclosure().upper, found.searched]))
"""


@pytest.mark.parametrize("start", ["stationary", "fixed"])
def test_calibration_of_a_million_records(benchmark, start):
    def run():
        command = [sys.executable, "-c", CALIBRATION, start]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    seconds, peak, scale, searched = benchmark.pedantic(run, rounds=1)
    benchmark.extra_info |= {
        "what": f"MQM exact, 1,000,000 records of a 50-state chain, {start} start",
        "seconds": seconds,
        "compared": f"scale {float(scale):.6f}, {searched} searches",
        "ratio": f"peak {peak:.0f} MB",
        "target": "under 5 s and 1 GB",
    }


def _best(length, record, terms, epsilon):
    """Return the least score of a record and its quilt, every quilt scored: a = record and b =
    T + 1 - record mean none.
    """
    left, right = terms[0][1 : record + 1].copy(), terms[1][1 : length + 2 - record].copy()
    left[-1] = right[-1] = 0.0
    best, place = np.inf, (record, length + 1 - record)
    step = max(1, BLOCK // len(right))
    b = np.arange(1, len(right) + 1)
    for start in range(0, record, step):
        a = np.arange(start + 1, min(start + step, record) + 1)
        margins = (epsilon - left[a - 1])[:, None] - right[None, :]
        margins[margins <= 0] = 1e-300
        scores = (a[:, None] + (b - 1)[None, :]) / margins
        index = np.unravel_index(int(scores.argmin()), scores.shape)
        if scores[index] < best:
            best, place = float(scores[index]), (int(a[index[0]]), int(b[index[1]]))
    return best, place


def _terms(length, pi, gap):
    """Return 2 h(a) and h(b) by distance, infinite below the threshold."""
    decay = np.exp(-gap * np.arange(length + 2))
    h = np.full(length + 2, np.inf)
    known = decay < pi
    h[known] = np.log((pi + decay[known]) / (pi - decay[known]))
    return 2 * h, h


def basic(length, pi, gap, epsilon):
    terms = _terms(length, pi, gap)
    return max(_best(length, record, terms, epsilon)[0] for record in range(1, length + 1))


def fast(length, pi, gap, epsilon):
    terms, record, worst, seen = _terms(length, pi, gap), max(1, length // 2), 0.0, set()
    while 1 <= record <= length and record not in seen:
        seen.add(record)
        score, (a, b) = _best(length, record, terms, epsilon)
        worst = max(worst, score)
        ends = record - a == 0, record + b == length + 1
        if ends[0] == ends[1]:
            break
        record += 1 if ends[0] else -1
    return worst


def boxes(length, pi, gap, epsilon):
    """The same for the two-state chain with these pi and gap."""
    other = (1 - Fraction(pi)) * Fraction(gap)
    own = Fraction(pi) * Fraction(gap)
    chain = ((1 - other, other), (own, 1 - own))
    return markov_quilt_approx(wang_bound([chain]), length, Level.of_nats(Fraction(epsilon))).scale.upper


SEARCHES = {
    "basic": (basic, [100, 200, 400, 800, 1600]),
    "fast": (fast, [100, 1000, 10_000, 30_000, 100_000]),
    "boxes": (boxes, [100, 1000, 10_000, 100_000]),
}
CHAINS = {"the same chain": lambda length: 0.125, "a gap of 8/T": lambda length: 8 / length}


def _timed(search, length, gap):
    begin = cpu_seconds()
    found = float(search(length, 0.25, gap, 1.0))
    return cpu_seconds() - begin, found


def test_growth_of_the_searches(benchmark):
    def run():
        return {
            (name, kind): [(length, *_timed(search, length, gap_of(length))) for length in lengths]
            for kind, gap_of in CHAINS.items()
            for name, (search, lengths) in SEARCHES.items()
        }

    found = benchmark.pedantic(run, rounds=1)
    for kind in CHAINS:
        scales = [{length: scale for length, _, scale in found[name, kind]} for name in SEARCHES]
        for one in scales:
            for length in one.keys() & scales[-1].keys():
                assert one[length] == pytest.approx(scales[-1][length], rel=1e-8)
    exponents = {key: _exponent(points) for key, points in found.items()}
    _draw(found, exponents)
    benchmark.extra_info |= {
        "what": "searches for the best quilts, growth with T: exponents",
        "compared": "; ".join(f"{kind}: {_told(exponents, kind)}" for kind in CHAINS),
        "ratio": "quilt_search.svg",
    }


def _told(exponents, kind):
    return ", ".join(f"{name} {exponents[name, kind]:.1f}" for name in SEARCHES)


def _exponent(points):
    """Return the slope of log time against log T over the three largest lengths."""
    chosen = points[-3:]
    return np.polyfit([log(length) for length, _, _ in chosen], [log(seconds) for _, seconds, _ in chosen], 1)[0]


def _draw(found, exponents):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(CHAINS), figsize=(10, 4), sharey=True)
    for axis, kind in zip(axes, CHAINS):
        for name in SEARCHES:
            lengths, seconds, _ = zip(*found[name, kind])
            axis.loglog(lengths, seconds, marker="o", label=f"{name}, exponent {exponents[name, kind]:.1f}")
        axis.set(title=kind, xlabel="records T")
        axis.grid(alpha=0.3)
        axis.legend()
    axes[0].set_ylabel("seconds")
    figure.tight_layout()
    figure.savefig(FIGURE, metadata={"Date": None})
