"""Lower bounds of the leakage of samplers beside the method of DP-Sniper, with as many samples, and
beside the exact leakage, which neither may exceed.

`sniper` is written from the paper. Both bounds hold with probability 95 %. Nothing here asserts a
time.
"""

import math

import pytest
from benchmarks.peers.beside import beside, packaged, timed
from benchmarks.verify.power import PAIR, _exact, cases
from benchmarks.verify.sniper import sniper_bound

from pufferproof import estimate

SAMPLES, SEED = 10**5, 1
NAMES = ["randomised response", "noisy histogram", "noisy maximum", "one-time RAPPOR"]


@pytest.mark.parametrize("name", NAMES)
def test_bounds_beside_sniper(benchmark, name):
    known, sampler = next(case[2:] for case in cases() if case[0] == name)
    found = benchmark.pedantic(
        estimate,
        (PAIR, sampler),
        {"samples": SAMPLES, "seed": SEED, "independent_draws": True},
        rounds=3,
        warmup_rounds=1,
    )
    seconds, bound = timed(lambda: sniper_bound(sampler, SAMPLES, SEED), 3)
    ours, exact = math.log(found.ratio), math.log(_exact(known))
    assert ours <= exact
    what = f"leakage of a sampler from below, {SAMPLES:,} samples, {name}"
    excess = "" if bound <= exact else ", which is wrong"
    answers = f"ours {ours:.3f}, its {bound:.3f}{excess}; exactly {exact:.3f} nats"
    peer = f"the method of DP-Sniper, {packaged('numpy')}"
    beside(benchmark, what, peer, seconds, answers)
