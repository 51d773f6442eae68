"""Suprema of quotients over two priors: in order, within bounds, and as floats say them."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from tests.verify.leakage.mixtures.quotients import largest_quotient, number, quotient, shares, value_at

from pufferproof.verify.leakage import mixtures as suprema
from pufferproof.verify.leakage.mixtures import (
    MixtureQuotient,
    Root,
    exceeds,
    form,
    greater,
    rational_bounds,
    roots,
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


def test_a_place_beyond_a_bound_is_found_where_few_are():
    """Of suprema inside, just below them."""
    inside = 0
    for number_drawn in range(400):
        both = MixtureQuotient(*quotient(Random(number_drawn)))
        supremum = both.supremum()
        if supremum is None or not both.below[0] or not both.below[2]:
            continue
        for less in (F(1, 10), F(1, 10**9), TINY):
            bound = rational_bounds(supremum, F(-100))[0] - less
            for weights in (both.beyond(bound), both.weights_near(bound)):
                assert shares(weights)
                assert value_at(both, weights) > bound
        inside += isinstance(supremum, Root)
    assert inside > 10


def peak(at):
    """1 at the weight `at`, and less by the square of the distance elsewhere."""
    return MixtureQuotient((1 - (1 - at) ** 2, 2 + 2 * at * (1 - at), 1 - at**2), (F(1), F(2), F(1)))


@pytest.mark.parametrize(
    ("at", "less", "weight"),
    [
        (F(34, 100), F(2, 10**4), F(1, 3)),
        (F(34, 100), F(1, 10**6), F(17, 50)),
        (F(3, 11), F(4, 10**4), F(2, 7)),
        (F(1, 2), F(1, 10**4), F(1, 2)),
    ],
)
def test_weights_have_as_few_digits_as_go_beyond_a_bound(at, less, weight):
    assert peak(at).supremum() == 1
    assert peak(at).weights_at(F(1)) == (at, 1 - at)
    assert peak(at).weights_near(1 - less) == (weight, 1 - weight)


def test_weights_of_more_digits_than_are_tried():
    narrow = peak(F(10**50 + 1, 3 * 10**50 + 7))
    bound = 1 - F(1, 10**120)
    assert value_at(narrow, narrow.weights_near(bound)) > bound


ROOTS = [
    Root(center, square, side)
    for center in (F(0), F(-1, 2**96), F(1, 2**96), F(-1, 10**40), F(1, 3), F(-7))
    for square in (F(2), F(3), F(1, 7), F(2) + TINY, F(5, 4))
    for side in (1, -1)
]


@pytest.mark.parametrize("accuracy", [0, 1, 20, 96, 300])
def test_bounds_of_a_root(accuracy):
    for root in ROOTS:
        low, high = root.bounds(accuracy)
        assert high - low <= F(1, 2**accuracy)
        assert number(low) < number(root) < number(high)


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


def test_roots_of_quadratics_and_of_lines():
    rational = [F(0), F(-2), F(1, 3), F(5, 4)]
    for lead in (F(1), F(-3), F(2, 7)):
        for one, other in product(rational, repeat=2):
            found = roots(lead, -lead * (one + other), lead * one * other)
            assert found == sorted({one, other})
        for center, square in product(rational, (F(2), F(3, 4), F(1, 5))):
            found = roots(lead, -2 * lead * center, lead * (center * center - square))
            assert found == [Root(center, square, side) for side in (-1, 1)]
            assert roots(lead, -2 * lead * center, lead * (center * center + square)) == []
        assert roots(F(0), lead, F(-5)) == [5 / lead]


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
    lower, higher = ([each * (1 + sign * units) for each in part] for sign, part in ((-1, ABOVE), (1, BELOW)))
    for place, supremum in enumerate(SUPREMA):
        below = EVERY[place][1]
        one = [[each[place : place + 1] for each in part] for part in (lower, higher)]
        if supremum is None:
            assert not surely_below(*one, F(10**6))
        elif below[0] and below[2]:
            low, high = rational_bounds(supremum, F(-1))
            assert not surely_below(*one, low)
            assert surely_below(*one, high * (1 + F(1, 10**9)) + F(1, 10**9))


def test_a_product_of_forms_is_the_form_of_the_product():
    draw = Random(4)
    for _ in range(20):
        left, right, at = ([F(draw.randint(-5, 5)) for _ in "xz"] for _ in range(3))
        one, other = (each[0] * at[0] + each[1] * at[1] for each in (left, right))
        assert suprema.value_of(form(left, right), *at) == one * other
