"""Published eigengap bounds: enclosures against closed forms, thresholds decided, hypotheses
that fail named.
"""

import math
from fractions import Fraction

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.influence.bounds import published_bound, song_bound, wang_bound
from pufferproof.models.priors.structure import time_reversal
from pufferproof.models.sequences.spectrum import Spectrum, own_spectrum, reversed_spectrum


def chain(*rows):
    return tuple(tuple(Fraction(value) for value in row.split()) for row in rows)


TWO = chain("9/10 1/10", "1/5 4/5")
CYCLE = chain("1/2 1/2 0", "0 1/2 1/2", "1/2 0 1/2")  # not reversible, complex eigenvalues
PATH = chain("1/2 1/2 0", "1/4 1/2 1/4", "0 1/2 1/2")


def test_gaps_of_two_states_are_rational():
    assert own_spectrum(TWO).rational_gap == Fraction(3, 10)
    assert reversed_spectrum(TWO).rational_gap == 1 - Fraction(7, 10) ** 2
    negative = chain("1/10 9/10", "4/5 1/5")
    assert own_spectrum(negative).rational_gap == Fraction(3, 10)


def test_gaps_of_three_states_are_enclosed():
    eigenvalue = complex(0.25, math.sqrt(3) / 4)
    gap = own_spectrum(CYCLE).gap()
    assert own_spectrum(CYCLE).rational_gap is None
    assert abs(float(gap) - (1 - abs(eigenvalue))) < 1e-12
    assert own_spectrum(PATH).rational_gap == Fraction(1, 2)
    assert reversed_spectrum(CYCLE).rational_gap == Fraction(3, 4)


def test_an_identity_and_a_swap_have_gaps_too():
    assert own_spectrum(chain("1 0", "0 1")).rational_gap == 1
    assert own_spectrum(chain("0 1", "1 0")).rational_gap == 0


def test_the_bounds_are_those_printed():
    pi, g = 1 / 3, 0.3

    def h(t, rate):
        return math.log((pi + math.exp(-rate * t)) / (pi - math.exp(-rate * t)))

    wang = wang_bound([TWO])
    for a, b, expected in [
        (9, 7, h(7, g) + 2 * h(9, g)),
        (9, None, 2 * h(9, g)),
        (None, 7, h(7, g)),
        (None, None, 0),
    ]:
        found = wang.at(a, b)
        assert math.isclose(math.log(found.upper), expected, abs_tol=1e-9)
        assert found.lower <= found.upper
    rate = (1 - 0.49) / 2
    assert math.isclose(
        math.log(song_bound(TWO).at(10, 12).lower), 2 * h(10, rate) + h(12, rate), abs_tol=1e-9
    )


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
        (lambda: wang_bound([CYCLE]), "expected a reversible chain"),
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
