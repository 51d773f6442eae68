"""The bound by singular values: never below the influence that enumeration or powers have, never
above published bounds that hold, and refused by name where it is not proved.
"""

import math
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from tests.brute import influence as brute
from tests.models.influence.test_chain import NEARLY_PERIODIC, NILPOTENT, RANK_ONE, REPEATED, SHIFT
from tests.models.sequences.test_chain import CIRCULATING, CYCLE, LAZY, random_row, rows

from pufferproof.models.errors import ModelError
from pufferproof.models.influence.bounds import song_bound, wang_bound
from pufferproof.models.influence.chain import ChainInfluence
from pufferproof.models.influence.spectral import spectral_bound
from pufferproof.models.priors.markov import MarkovChain, stationary_law
from pufferproof.models.sequences.chain import Along

NEGATIVE = rows("1/10 9/10, 4/5 1/5")
ZERO = rows("1/3 2/3, 1/3 2/3")
FAST = {
    "positive": LAZY,
    "negative": NEGATIVE,
    "nearly periodic": NEARLY_PERIODIC,
    "zero": ZERO,
    "repeated": REPEATED,
    "not reversible": CIRCULATING,
    "zeros": SHIFT,
    "nilpotent part": NILPOTENT,
    "rank one": RANK_ONE,
    "negative, three values": rows("1/10 1/2 2/5, 1/2 1/10 2/5, 2/5 1/2 1/10"),
}


def singular(transition):
    """The second largest singular value of P in L2(pi), in floats by the definition."""
    law = np.sqrt(np.array([float(each) for each in stationary_law(transition)]))
    table = np.array([[float(each) for each in row] for row in transition])
    return np.linalg.svd(law[:, None] * table / law, compute_uv=False)[1]


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("stationary", [True, False])
def test_the_bound_is_the_formula(name, stationary):
    transition = FAST[name]
    bound = spectral_bound(transition, stationary)
    least = min(map(float, stationary_law(transition)))
    for left, right in product((None, 1, 4, 30), repeat=2):
        ratio = 1.0
        for distance, back in ((left, True), (right, False)):
            d = singular(transition) ** distance / least if distance else 0.0
            if d >= 1:
                ratio = math.inf
            elif back and not stationary:
                ratio *= 1 / (1 - d) ** 2
            else:
                ratio *= (1 + d * math.sqrt(2 - d * d)) / (1 - d * d)
        found = bound.at(left, right)
        if found is None:
            assert ratio == math.inf
        else:
            assert found.lower <= found.upper
            assert float(found.upper) == pytest.approx(ratio, rel=1e-9)


@pytest.mark.parametrize("name", FAST)
def test_never_below_the_influence_of_any_start(name):
    transition = FAST[name]
    states, length = len(transition), 61
    stationary = ChainInfluence(Along(MarkovChain("stationary", transition), length))
    anywhere = ChainInfluence(
        Along(MarkovChain([Fraction(1, states)] * states, transition), length)
    )
    steady, general = (spectral_bound(transition, start) for start in (True, False))
    compared = 0
    for left, right in product((None, 1, 2, 3, 5, 9, 30), repeat=2):
        record = 31
        bound = steady.at(left, right)
        if bound is None:
            continue
        compared += 1
        assert stationary.of(record, left, right).upper <= bound.upper
        wide = general.at(left, right)
        assert wide.upper >= bound.lower
        for place in {(left or 0) + 1, record}:
            assert anywhere.any_start(place, left, right).upper <= wide.upper
    assert compared >= (1 if name == "nearly periodic" else 9)


def test_never_below_enumeration_and_never_above_what_is_published():
    random, compared, published = Random(7), 0, 0
    while compared < 75:
        size = random.choice((2, 2, 3, 3, 4))
        entries = (3, 4, 5, 6) if size > 2 else (0, 1, 2, 3, 5)
        transition = [random_row(random, size, entries) for _ in range(size)]
        start = random_row(random, size)
        try:
            general = spectral_bound(transition, stationary=False)
        except ModelError:
            continue
        left, right = random.choice([(2, 2), (1, 2), (None, 2), (3, None), (1, None), (None, 1)])
        record, length = 1 + (left or 0), 1 + (left or 0) + (right or 0)
        bound = general.at(left, right)
        for make in (song_bound, lambda chain: wang_bound([chain])):
            try:
                printed = make(transition).at(left, right)
            except ModelError:
                continue
            if printed is not None:
                published += 1
                assert bound is not None
                assert bound.lower <= printed.upper
        if bound is None:
            continue
        compared += 1
        others = [record + way for way in (-(left or 0), right or 0) if way]
        assert brute.influence(start, transition, length, record, others) <= bound.upper
        steady = spectral_bound(transition, stationary=True).at(left, right)
        law = stationary_law(transition)
        assert brute.influence(law, transition, length, record, others) <= steady.upper
    assert published >= 10


def test_where_d_is_exactly_1_there_is_no_bound():
    """sigma = 1/2 and pi = 1/2: D = 1 at distance 1, where there is no bound, and 1/2 at 2."""
    bound = spectral_bound(rows("3/4 1/4, 1/4 3/4"), stationary=True)
    assert bound.at(1, None) is bound.at(None, 1) is bound.at(1, 9) is None
    assert float(bound.at(None, 2).upper) == pytest.approx((1 + math.sqrt(7 / 4) / 2) / (3 / 4))
    assert bound.at(None, None).upper == 1


def test_independent_records_have_no_influence():
    assert spectral_bound(RANK_ONE, stationary=False).at(1, 1).upper == 1
    assert spectral_bound([[Fraction(1)]], stationary=False).at(1, 1).upper == 1


@pytest.mark.parametrize(
    ("transition", "message"),
    [
        (rows("1 0, 1/2 1/2"), "expected an irreducible chain"),
        (rows("0 1, 1 0"), "no states that have next states in common link 0 with 1"),
        (CYCLE, "expected 1 to be a simple eigenvalue of P P\\*"),
        (rows("0 1 0, 0 0 1, 1/2 1/2 0"), "link 0 with 1"),  # irreducible and aperiodic
    ],
)
def test_what_is_not_proved_is_refused(transition, message):
    with pytest.raises(ModelError, match=message):
        spectral_bound(transition, stationary=True)
