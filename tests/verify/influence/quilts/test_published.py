"""The Markov quilt mechanism with published bounds against a search of every quilt, and beside
exact influences.
"""

from fractions import Fraction
from math import inf, log
from random import Random

import pytest
from tests.brute.quilts import all_quilts

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.influence.bounds import song_bound, wang_bound
from pufferproof.verify.influence.quilts.exact import markov_quilt
from pufferproof.verify.influence.quilts.worst_record import markov_quilt_approx

FAST = ((Fraction(2, 5), Fraction(3, 5)), (Fraction(1, 2), Fraction(1, 2)))


def rows(*weights):
    return tuple(tuple(Fraction(w, sum(row)) for w in row) for row in weights)


def brute(bound, length, epsilon):
    """Return record -> {quilt: score}."""
    known, found = {(None, None): 0.0}, {}
    for record in range(1, length + 1):
        scores = {}
        for left, right, nearby in all_quilts(length, record):
            if (left, right) not in known:
                ratio = bound.at(left, right)
                known[left, right] = inf if ratio is None else log(ratio.upper)
            e = known[left, right]
            scores[left, right] = nearby / (epsilon - e) if e < epsilon else inf
        found[record] = scores
    return found


@pytest.mark.parametrize(
    ("length", "epsilon"), [(1, "1"), (2, "4"), (3, "1/5"), (3, "1"), (7, "1"), (12, "4"), (31, "1/5"), (31, "1")]
)
def test_every_quilt_of_every_record(length, epsilon):
    random = Random(length)
    symmetric = [[0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i, 3):
            symmetric[i][j] = symmetric[j][i] = random.randint(1, 5)
    for bound in (wang_bound([FAST]), song_bound(FAST), wang_bound([rows(*symmetric)])):
        scores = brute(bound, length, float(Fraction(epsilon)))
        least = {record: min(each.values()) for record, each in scores.items()}
        found = markov_quilt_approx(bound, length, Level.of_nats(epsilon))
        expected, quilt = max(least.values()), found.quilt
        assert float(found.scale.upper) == pytest.approx(expected, rel=1e-9)
        assert scores[quilt.record][quilt.left, quilt.right] == pytest.approx(expected, rel=1e-9)
        assert quilt.record == min(record for record, score in least.items() if score >= expected * (1 - 1e-12))


def test_bounds_ask_for_more_noise_than_exact_influences():
    for length in (50, 10**6):
        exact = markov_quilt(MarkovChain("stationary", FAST), length, Level.of_nats(1)).scale.upper
        for bound in (wang_bound([FAST]), song_bound(FAST)):
            assert markov_quilt_approx(bound, length, Level.of_nats(1)).scale.lower > exact


def test_level_zero_is_refused():
    with pytest.raises(ModelError, match="expected a level above 0"):
        markov_quilt_approx(wang_bound([FAST]), 9, Level.of_nats(0))
