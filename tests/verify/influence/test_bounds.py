"""Bounds of influence by an eigengap, as published, and by singular values."""

import math
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from tests.brute import influence as brute
from tests.models.sequences.test_chain import CIRCULATING, CYCLE, LAZY, random_row, rows
from tests.verify.influence.test_chain import NEARLY_PERIODIC, NILPOTENT, RANK_ONE, REPEATED, SHIFT

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.markov import MarkovChain, stationary_law, time_reversal
from pufferproof.models.sequences import arithmetic as spectrum
from pufferproof.models.sequences.arithmetic import Spectrum, own_spectrum, reversed_spectrum
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.bounds import published_bound, song_bound, spectral_bound, wang_bound
from pufferproof.verify.influence.chain import ChainInfluence

# Published eigengap bounds: enclosures against closed forms, thresholds decided, hypotheses that
# fail named.


def chain(*rows):
    return tuple(tuple(Fraction(value) for value in row.split()) for row in rows)


TWO = chain("9/10 1/10", "1/5 4/5")
TURN = chain("1/2 1/2 0", "0 1/2 1/2", "1/2 0 1/2")  # not reversible, complex eigenvalues
PATH = chain("1/2 1/2 0", "1/4 1/2 1/4", "0 1/2 1/2")


def test_gaps_of_two_states_are_rational():
    assert own_spectrum(TWO).rational_gap == Fraction(3, 10)
    assert reversed_spectrum(TWO).rational_gap == 1 - Fraction(7, 10) ** 2
    negative = chain("1/10 9/10", "4/5 1/5")
    assert own_spectrum(negative).rational_gap == Fraction(3, 10)


def test_gaps_of_three_states_are_enclosed():
    eigenvalue = complex(0.25, math.sqrt(3) / 4)
    gap = own_spectrum(TURN).gap()
    assert own_spectrum(TURN).rational_gap is None
    assert abs(float(gap) - (1 - abs(eigenvalue))) < 1e-12
    assert own_spectrum(PATH).rational_gap == Fraction(1, 2)
    assert reversed_spectrum(TURN).rational_gap == Fraction(3, 4)


def test_an_identity_and_a_swap_have_gaps_too():
    assert own_spectrum(chain("1 0", "0 1")).rational_gap == 1
    assert own_spectrum(chain("0 1", "1 0")).rational_gap == 0


def test_the_bounds_are_those_printed():
    pi, g = 1 / 3, 0.3

    def h(t, rate):
        return math.log((pi + math.exp(-rate * t)) / (pi - math.exp(-rate * t)))

    wang = wang_bound([TWO])
    for a, b, expected in [(9, 7, h(7, g) + 2 * h(9, g)), (9, None, 2 * h(9, g)), (None, 7, h(7, g)), (None, None, 0)]:
        found = wang.at(a, b)
        assert math.isclose(math.log(found.upper), expected, abs_tol=1e-9)
        assert found.lower <= found.upper
    rate = (1 - 0.49) / 2
    assert math.isclose(math.log(song_bound(TWO).at(10, 12).lower), 2 * h(10, rate) + h(12, rate), abs_tol=1e-9)


def test_thresholds_are_decided():
    wang = wang_bound([TWO])
    low, high = wang.threshold()
    assert low <= high
    assert math.isclose(low, math.log(3) / 0.3, rel_tol=1e-12)
    assert wang.at(3, None) is None
    assert wang.at(4, None) is not None
    assert wang.at(4, 3) is None
    assert published_bound(lambda: wang_bound([TWO]), 1, 1) == "none below distance 4"


def test_a_class_has_the_least_of_everything():
    other = chain("1/2 1/2", "1/2 1/2")
    both = wang_bound([TWO, other])
    assert both.least == Fraction(1, 3)
    assert both.at(9, 9) == wang_bound([TWO]).at(9, 9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: wang_bound([TURN]), "expected a reversible chain"),
        (lambda: wang_bound([chain("0 1", "1 0")]), "expected an aperiodic chain, found period 2"),
        (lambda: song_bound(chain("1 0", "1/2 1/2")), "expected an irreducible chain"),
        (lambda: Spectrum(tuple((Fraction(0),) * 61 for _ in range(61))), "at most 60 states"),
    ],
)
def test_missing_hypotheses_are_named(make, message):
    with pytest.raises(ModelError, match=message):
        make()
    if "states" not in message:
        assert message in published_bound(make, 5, 5)


def test_the_reversal_of_a_reversible_chain_is_itself():
    assert time_reversal(PATH) == PATH
    assert reversed_spectrum(PATH).rational_gap == 1 - Fraction(1, 4)


# The bound by singular values: never below the influence that enumeration or powers have, never
# above published bounds that hold, and refused by name where it is not proved.


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


def test_the_bound_is_the_formula():
    for name in FAST:
        for stationary in [True, False]:
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


def test_never_below_the_influence_of_any_start():
    for name in FAST:
        transition = FAST[name]
        states, length = len(transition), 61
        stationary = ChainInfluence(Along(MarkovChain("stationary", transition), length))
        anywhere = ChainInfluence(Along(MarkovChain([Fraction(1, states)] * states, transition), length))
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


def test_gaps_by_balls_are_those_of_the_polynomial(monkeypatch):
    draw = Random(1)
    ring = [[Fraction(int(y == (x + 1) % 14)) for y in range(14)] for x in range(14)]
    zeros = [[random_row(draw, size) for _ in range(size)] for size in (2, 3, 5, 13, 13)]
    positive = [[random_row(draw, size, (1, 2, 5)) for _ in range(size)] for size in (2, 3, 5, 13, 13)]
    odd = [chain("1 0", "0 1"), chain("0 1", "1 0"), PATH, TURN, CYCLE, NILPOTENT, ring]
    found = [own_spectrum(each) for each in (*zeros, *positive, *odd)]
    for each in (*found, *map(reversed_spectrum, positive)):
        monkeypatch.setattr(spectrum, "_MANY", 99)
        exact = each.gap()
        monkeypatch.setattr(spectrum, "_MANY", 0)
        assert each.gap().overlaps(exact)
        assert each.gap().rad() < 1e-9
