"""Suprema of quotients over two priors: in order, within bounds, and as floats say them."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.verify.leakage.mixtures.quotients import (
    largest_quotient,
    number,
    shares,
    value_at,
)

from pufferproof.verify.leakage import suprema
from pufferproof.verify.leakage.suprema import (
    MixtureQuotient,
    Root,
    exceeds,
    form,
    greater,
    rational_bounds,
    suprema_approx,
    surely_below,
    unbounded,
)

F = Fraction
TINY = F(1, 10**60)
EVERY = [
    (form(a, q), form(p, b))
    for a, b, p, q in product(product((0, 1, 3), repeat=2), repeat=4)
    if all(m or not part for part, m in zip((*a, *b), (*p, *q)))
]


def fractions(both):
    return [tuple(map(F, each)) for each in both]


@pytest.mark.parametrize("part", range(4))
def test_the_supremum_of_every_quotient_of_small_numbers(part):
    """Of a quarter each: and a bound above is one, a bound below is none."""
    for above, below in map(fractions, EVERY[part::4]):
        both, (supremum, reached) = MixtureQuotient(above, below), largest_quotient(above, below)
        assert both.supremum() == supremum
        if isinstance(supremum, F):
            assert both.at_most(supremum)
            at = both.weights_at(supremum)
            assert (at is not None) == reached
            assert at is None or value_at(both, at) == supremum
        if any(below):
            low = F(10**6) if supremum is None else rational_bounds(supremum, F(0))[0] - TINY
            assert not both.at_most(low)
            x, z = both.beyond(low)
            assert shares((x, z))
            assert both.exceeded_at(x, z, low)
            assert not both.exceeded_at(x, z, F(10**6)) or supremum is None


def peak(at):
    """1 at the weight `at`, and less by the square of the distance elsewhere."""
    return MixtureQuotient(
        (1 - (1 - at) ** 2, 2 + 2 * at * (1 - at), 1 - at**2), (F(1), F(2), F(1))
    )


ROOTS = [
    Root(center, square, side)
    for center in (F(0), F(-1, 2**96), F(1, 2**96), F(-1, 10**40), F(1, 3), F(-7))
    for square in (F(2), F(3), F(1, 7), F(2) + TINY, F(5, 4))
    for side in (1, -1)
]


def test_suprema_are_ordered_as_numbers_are():
    """Also where the bounds of two touch, or a bound is the other."""
    rational = [end for root in ROOTS for end in root.bounds(suprema.ACCURACY)]
    known = [*ROOTS, *rational, F(0), F(3, 2)]
    numbers = list(map(number, known))
    for (one, first), (other, second) in product(zip(known, numbers), repeat=2):
        assert greater(one, other) == (first > second)
    for one, first in zip(known, numbers):
        assert (greater(None, one), greater(one, None)) == (True, False)
        for end in rational[:20]:
            assert exceeds(one, end) == (first > number(end))
    assert not greater(None, None)
    assert exceeds(None, F(10**9))


def test_bounds_are_nearer_than_promised_to_a_floor_however_near_it_is():
    assert rational_bounds(F(3), F(2)) == (3, 3)
    for root in ROOTS:
        low, high = root.bounds(suprema.ACCURACY)
        for floor in (F(-9), low, low - (high - low) * 2**64, low - TINY):
            lower, upper = rational_bounds(root, floor)
            assert floor < lower
            assert number(lower) < number(root) < number(upper)
            assert (upper - lower) * 2**64 < lower - floor


def floats(forms):
    """The coefficients of forms, one array for each of the three."""
    return [np.array(each, dtype=np.float64) for each in zip(*forms)]


ABOVE, BELOW = (floats(each) for each in zip(*EVERY))
SUPREMA = [MixtureQuotient(*fractions(both)).supremum() for both in EVERY]


def test_floats_are_near_the_suprema():
    found = suprema_approx(ABOVE, BELOW)
    infinite = unbounded(ABOVE, BELOW)
    for supremum, near, without in zip(SUPREMA, found, infinite):
        assert without == (supremum is None)
        assert near == (np.inf if supremum is None else pytest.approx(float(number(supremum))))


def test_floats_call_below_a_bound_what_is_below_it_and_not_much_else():
    """Coefficients that are up to 8 units away, on the side that leads astray."""
    units = 7 * 2.0**-53
    lower, higher = (
        [each * (1 + sign * units) for each in part] for sign, part in ((-1, ABOVE), (1, BELOW))
    )
    for place, supremum in enumerate(SUPREMA):
        below = EVERY[place][1]
        one = [[each[place : place + 1] for each in part] for part in (lower, higher)]
        if supremum is None:
            assert not surely_below(*one, F(10**6))
        elif below[0] and below[2]:
            low, high = rational_bounds(supremum, F(-1))
            assert not surely_below(*one, low)
            assert surely_below(*one, high * (1 + F(1, 10**9)) + F(1, 10**9))
