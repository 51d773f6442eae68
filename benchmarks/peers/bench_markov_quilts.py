"""Scales of the Markov quilt mechanism beside plain NumPy versions of the published algorithms.

MQMExact and MQMApprox of song2017: every quilt of every record is scored, in floats, with powers of
the transition matrix (MQMExact) or the eigengap of P P* (MQMApprox, Lemma II.3). Chains start in
their stationary law. Nothing here asserts a time.
"""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from benchmarks.peers.beside import beside, packaged, timed

from pufferproof import Level, MarkovChain, markov_quilt
from pufferproof.verify.influence.bounds import song_bound
from pufferproof.verify.influence.quilts.worst_record import markov_quilt_approx

EPSILON, TOLERANCE = 1.0, 1e-9
TWO = [[Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 10), Fraction(9, 10)]]
PEER = f"plain {packaged('numpy')}"


def random_rows(states, seed):
    random, rows = Random(seed), []
    for _ in range(states):
        weights = [random.randint(1, 20) for _ in range(states)]
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return rows


def stationary(step):
    values, vectors = np.linalg.eig(step.T)
    law = np.real(vectors[:, np.argmax(np.real(values))])
    return law / law.sum()


def exact_terms(step, length):
    """Return log of the largest ratio given x against given y, for the record a before and the
    one b after, a, b = 1 .. T - 1.
    """
    law, power, before, after = stationary(step), np.eye(len(step)), [], []
    for _ in range(length - 1):
        power = power @ step
        after.append(np.log(power[:, None, :] / power[None, :, :]).max(axis=2))
        backward = (power * law[:, None] / law[None, :]).T  # P(X_(i-a) = z | X_i = x)
        before.append(np.log(backward[:, None, :] / backward[None, :, :]).max(axis=2))
    none = np.zeros((1, *step.shape))
    return np.concatenate([before, none]), np.concatenate([after, none])


def mqm_exact(step, length):
    """sigma = max over i, min over a, b of card N / (epsilon - e); the last distance of a side
    stands for no record there.
    """
    before, after = exact_terms(step, length)
    worst = 0.0
    for record in range(1, length + 1):
        left = np.concatenate([before[: record - 1], before[-1:]])
        right = np.concatenate([after[: length - record], after[-1:]])
        influence = (left[:, None] + right[None, :]).max(axis=(2, 3))
        worst = max(worst, least_score(influence))
    return worst


def least_score(influence):
    nearby = np.arange(1, len(influence) + 1)[:, None] + np.arange(influence.shape[1])[None, :]
    margin = EPSILON - influence
    return float((nearby[margin > 0] / margin[margin > 0]).min())


def mqm_approx(step, length):
    """The same with h(b) + 2 h(a), h(t) = log((pi + exp(-g t / 2)) / (pi - exp(-g t / 2)))."""
    law = stationary(step)
    reverse = step.T * law[None, :] / law[:, None]
    moduli = np.sort(np.abs(np.linalg.eigvals(step @ reverse)))
    gap, least = 1 - moduli[-2], law.min()
    decay = np.exp(-gap * np.arange(1, length) / 2)
    h = np.full(length - 1, np.inf)
    known = decay < least
    h[known] = np.log((least + decay[known]) / (least - decay[known]))
    worst = 0.0
    for record in range(1, length + 1):
        left, right = np.append(2 * h[: record - 1], 0), np.append(h[: length - record], 0)
        worst = max(worst, least_score(left[:, None] + right[None, :]))
    return worst


def ours_exact(rows, length):
    return markov_quilt(MarkovChain("stationary", rows), length, Level.of_nats(1)).scale


def ours_approx(rows, length):
    bound = song_bound([tuple(row) for row in rows])
    return markov_quilt_approx(bound, length, Level.of_nats(1)).scale


METHODS = {"MQMExact": (ours_exact, mqm_exact), "MQMApprox": (ours_approx, mqm_approx)}


def apart(scale, other):
    return abs(other / float(scale.enclosure().lower) - 1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("length", [100, 300])
def test_scale_beside_numpy(benchmark, method, length):
    ours, theirs = METHODS[method]
    found = benchmark.pedantic(ours, (TWO, length), rounds=5, warmup_rounds=1)
    step = np.array(TWO, dtype=float)
    seconds, other = timed(lambda: theirs(step, length))
    assert apart(found, other) < TOLERANCE
    what = f"{method}, {length} records of a chain that changes once in ten, scale {other:.4f}"
    answers = f"{apart(found, other):.0e} apart, relatively"
    beside(benchmark, what, PEER, seconds, answers)


@pytest.mark.parametrize("method", METHODS)
def test_random_chains_beside_numpy(benchmark, method):
    ours, theirs = METHODS[method]
    chains = [random_rows(2 + seed % 3, seed) for seed in range(30)]
    every = lambda: [ours(rows, 60) for rows in chains]  # noqa: E731
    found = benchmark.pedantic(every, rounds=1, warmup_rounds=1)
    steps = [np.array(rows, dtype=float) for rows in chains]
    seconds, others = timed(lambda: [theirs(step, 60) for step in steps])
    wrong = sum(apart(scale, other) > TOLERANCE for scale, other in zip(found, others))
    assert wrong == 0
    what = f"{method}, 60 records of {len(chains)} random chains of 2 to 4 states"
    beside(benchmark, what, PEER, seconds, f"{wrong} of {len(chains)} further than 1e-9 apart")
