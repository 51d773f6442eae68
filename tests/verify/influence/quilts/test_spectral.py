"""The Markov quilt mechanism with the bound by singular values, against a search of every quilt;
its scale lies between those of exact influences and of published bounds.
"""

from fractions import Fraction
from random import Random

import pytest
from tests.verify.influence.quilts.test_published import FAST, brute, rows

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.influence.bounds import song_bound, spectral_bound, wang_bound
from pufferproof.verify.influence.quilts.exact import markov_quilt
from pufferproof.verify.influence.quilts.worst_record import markov_quilt_approx, markov_quilt_spectral

TURNING = rows([1, 3, 2], [2, 1, 3], [3, 2, 1])  # complex eigenvalues
NEGATIVE = rows([1, 4], [3, 1])


@pytest.mark.parametrize(
    ("length", "epsilon"), [(1, "1"), (2, "4"), (3, "1/5"), (3, "1"), (7, "1"), (12, "4"), (31, "1/5"), (31, "1")]
)
@pytest.mark.parametrize("stationary", [True, False])
def test_every_quilt_of_every_record(length, epsilon, stationary):
    for chain in (FAST, TURNING, NEGATIVE, rows([1, 1], [1, 1])):
        bound = spectral_bound(chain, stationary)
        scores = brute(bound, length, float(Fraction(epsilon)))
        least = {record: min(each.values()) for record, each in scores.items()}
        worst = markov_quilt_spectral(bound, length, Level.of_nats(epsilon))
        expected, quilt = max(least.values()), worst.quilt
        assert float(worst.scale.upper) == pytest.approx(expected, rel=1e-9)
        assert scores[quilt.record][quilt.left, quilt.right] == pytest.approx(expected, rel=1e-9)


def test_between_exact_influences_and_published_bounds():
    random, sharper = Random(5), 0
    for _ in range(6):
        size = random.choice((2, 2, 3))
        chain = rows(*([random.randint(1, 9) for _ in range(size)] for _ in range(size)))
        length, level = random.choice((20, 200, 5000)), Level.of_nats(random.choice(("1/2", 1, 3)))
        law = rows([random.randint(1, 9) for _ in range(size)])[0]
        steady, general = (
            markov_quilt_spectral(spectral_bound(chain, start), length, level).scale for start in (True, False)
        )
        assert steady.lower <= general.upper
        for start, scale in (("stationary", steady), (law, general)):
            assert markov_quilt(MarkovChain(start, chain), length, level).scale.lower <= scale.upper
        for make in (song_bound, lambda chain: wang_bound([chain])):
            try:
                published = markov_quilt_approx(make(chain), length, level).scale
            except ModelError:  # not reversible
                continue
            assert general.lower <= published.upper
            sharper += general.upper < published.lower
    assert sharper >= 8


def test_a_level_is_needed():
    with pytest.raises(ModelError, match="expected a level above 0"):
        markov_quilt_spectral(spectral_bound(FAST, stationary=True), 9, Level.of_nats(0))
