"""Intervals enclose every value of an operation on their numbers, as fractions and Arb have it."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from pufferproof.models.numbers.intervals import (
    MOST,
    Interval,
    above,
    below,
    dot,
    down,
    mean_over_simplex,
    mean_value,
    mixture,
    part,
    up,
)

TINY = 2.0**-1074
CORNERS = [
    *(0.0, -0.0, TINY, 3 * TINY, 2.0**-1022, 2.0**-1022 - TINY, 1.5e-162, 2.0**-960, 2.0**-53),
    *(1 - 2.0**-53, 1.0, 1 + 2.0**-52, 0.1, 3.0, 1e16, 1.3e154, 2.0**1023, MOST, math.inf),
]
SIZES = st.sampled_from(CORNERS) | st.floats(0, 2) | st.floats(0, math.inf)
NUMBERS = st.builds(lambda size, sign: size * sign, SIZES, st.sampled_from([1.0, -1.0]))


def interval(ends):
    low, high = (np.array(side, float) for side in zip(*(sorted(pair) for pair in ends)))
    return Interval(np.minimum(low, MOST), np.maximum(high, -MOST))


def intervals(numbers, size):
    """Draw intervals, of which half are single numbers, together with two numbers inside each."""
    pair = st.tuples(numbers, numbers) | numbers.map(lambda x: (x, x))
    return st.lists(pair, min_size=size, max_size=size).map(interval)


def inside(known):
    """Return finite numbers of an array of intervals: both ends, and one between."""
    low, high = np.maximum(known.low, -MOST), np.minimum(known.high, MOST)
    middle = np.clip(low / 2 + high / 2, low, high)
    return [[Fraction(float(x)) for x in side] for side in (low, high, middle)]


def holds(known, value):
    """Whether an interval has a rational inside, infinite ends being beyond all of them."""
    low, high = float(known.low), float(known.high)
    assert not (math.isnan(low))
    assert not (math.isnan(high))
    return low <= value <= high


def holds_ball(known, value):
    """Whether an interval has all of a ball inside, of which Arb knows hundreds of digits."""
    low, high = float(known.low), float(known.high)
    return not (value < low or value > high or math.isnan(low) or math.isnan(high))


OPERATIONS = {
    "+": (lambda x, y: x + y, None),
    "-": (lambda x, y: x - y, None),
    "*": (lambda x, y: x * y, None),
    "/": (lambda x, y: x / y, lambda y: y != 0),
}


@pytest.mark.parametrize("sign", OPERATIONS)
@pytest.mark.parametrize("numbers", [(NUMBERS, NUMBERS), (NUMBERS, SIZES), (SIZES, SIZES)])
def test_operations_enclose_those_of_any_two_numbers(sign, numbers):
    operation, allowed = OPERATIONS[sign]

    @given(intervals(numbers[0], 3), intervals(numbers[1], 3))
    def check(one, other):
        for first, second in ((one, other), (other, one)):
            found = operation(first, second)
            for k in range(3):
                for x in (side[k] for side in inside(first)):
                    for y in (side[k] for side in inside(second)):
                        if allowed is None or allowed(y):
                            assert holds(found[k], operation(x, y))

    check()


@pytest.mark.parametrize("numbers", [NUMBERS, SIZES])
@pytest.mark.parametrize("size", [0, 1, 2, 7])
def test_sums_enclose_those_of_any_numbers(numbers, size):
    @given(intervals(numbers, 7))
    def check(known):
        known = known[:size]
        found = known.sum(axis=0)
        for side in inside(known):
            assert holds(found, sum(side, Fraction(0)))

    check()


@pytest.mark.parametrize("numbers", [NUMBERS, SIZES])
@pytest.mark.parametrize("size", [1, 2, 7])
def test_dot_encloses_the_sum_of_products(numbers, size):
    @given(intervals(SIZES, 7), intervals(numbers, 7))
    def check(weights, known):
        weights, known = weights[:size], known[:size]
        found = (weights[None] @ known.reshape(-1, 1))[0, 0]
        for weight in inside(weights):
            for side in inside(known):
                assert holds(found, sum((w * x for w, x in zip(weight, side)), Fraction(0)))

    check()


@pytest.mark.parametrize("numbers", [NUMBERS, SIZES])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_means_over_rows_enclose_the_mean_of_any_row(numbers, size):
    @given(
        st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any),
        st.lists(st.sampled_from([0, TINY, 2.0**-60, 0.1, 1.0]), min_size=size, max_size=size),
        intervals(numbers, 5),
    )
    def check(shares, room, known):
        known = known[:size]
        row = [Fraction(share, sum(shares)) for share in shares]
        low = [max(Fraction(0), p - Fraction(more)) for p, more in zip(row, room)]
        high = [min(Fraction(1), p + Fraction(more)) for p, more in zip(row, room)]
        rows = Interval(Interval.around(low).low, Interval.around(high).high)
        found = mean_over_simplex(rows[None], known.reshape(-1, 1))[0, 0]
        for side in inside(known):
            assert holds(found, sum((p * x for p, x in zip(row, side)), Fraction(0)))
        assert float(found.low) >= float(known.low.min())
        assert float(found.high) <= float(known.high.max())

    check()


SHARES = st.sampled_from([0.0, TINY, 1e-200, 0.5, 1 - 2.0**-53, 1.0]) | st.floats(0, 1)


@pytest.mark.parametrize("numbers", [NUMBERS, SIZES])
def test_mixtures_enclose_those_of_two_numbers(numbers):
    @given(intervals(SHARES, 3), intervals(numbers, 3), intervals(numbers, 3))
    def check(share, zero, one):
        found = mixture(share, zero, one)
        for p, x, y in product(*map(inside, (share, zero, one))):
            for k in range(3):
                assert holds(found[k], (1 - p[k]) * x[k] + p[k] * y[k])
        if (zero.low >= 0).all() and (one.low >= 0).all():
            assert (found.low >= 0).all()

    check()


@given(intervals(SIZES, 3), intervals(SIZES, 3))
def test_parts_of_a_whole_are_enclosed(one, other):
    found = part(one, other)
    assert (found.low >= 0).all()
    assert (found.high <= 1).all()
    for x, y in product(inside(one), inside(other)):
        for k in range(3):
            if x[k] + y[k]:
                assert holds(found[k], x[k] / (x[k] + y[k]))


@given(intervals(NUMBERS, 3), st.lists(intervals(NUMBERS, 3), min_size=1, max_size=3), st.data())
def test_a_function_is_near_what_it_is_in_the_middle(middle, slopes, data):
    radii = [np.array(data.draw(st.lists(SIZES, min_size=3, max_size=3))) for _ in slopes]
    radii = [np.minimum(radius, MOST) for radius in radii]
    found = mean_value(middle, slopes, radii)
    for at, sign in product(inside(middle), (1, -1)):
        for which in range(3):
            for k in range(3):
                moved = (
                    Fraction(float(radius[k])) * abs(inside(slope)[which][k]) for slope, radius in zip(slopes, radii)
                )
                assert holds(found[k], at[k] + sign * sum(moved))


@given(intervals(SIZES, 4))
def test_logarithms_enclose_those_of_arb(known):
    found = known.log()
    with ctx.workprec(200):
        for side in inside(known):
            for k, x in enumerate(side):
                if x > 0:
                    assert holds_ball(found[k], arb(fmpq(x.numerator, x.denominator)).log())
    for k in np.flatnonzero(known.low == 0):
        assert found.low[k] == -math.inf


EXPONENTS = (
    st.floats(-760, 720) | st.sampled_from([0.0, 709.782712893384, 709.7827128933841, -745.13, -708.4, 1e300]) | NUMBERS
)


@given(intervals(EXPONENTS, 4))
def test_exponentials_enclose_those_of_arb(known):
    found = known.exp()
    with ctx.workprec(200):
        for side in inside(known):
            for k, x in enumerate(side):
                if abs(x) < 10**6:
                    assert holds_ball(found[k], arb(fmpq(x.numerator, x.denominator)).exp())
    assert (found.low >= 0).all()


def test_the_library_errs_by_less_than_is_allowed_for():
    rng = np.random.default_rng(1)
    numbers = np.concatenate(
        [rng.uniform(0, 2, 4000), 1 + rng.uniform(-1, 1, 4000) * 1e-9, 2.0 ** rng.uniform(-1070, 1023, 2000)]
    )
    exponents = rng.uniform(-740, 709, 9000)
    with ctx.workprec(120):
        for values, computed, of in ((numbers, np.log(numbers), "log"), (exponents, np.exp(exponents), "exp")):
            for x, y in zip(values.tolist(), computed.tolist()):
                error = abs(getattr(arb(x), of)() - arb(y))
                assert error <= 4 * arb(2.0**-53) * abs(arb(y)) + 4 * arb(TINY)


@given(st.fractions() | NUMBERS.filter(math.isfinite).map(Fraction), st.integers(-1100, 1100))
def test_floats_beside_a_rational_are_the_nearest_on_either_side(value, power):
    value *= Fraction(2) ** power
    low, high = below(value), above(value)
    assert low <= value <= high
    assert low == high or math.nextafter(low, math.inf) == high
    known = Interval.around([[value, -value]])
    assert known.low.tolist() == [[low, -high]]
    assert known.high.tolist() == [[high, -low]]


@given(st.lists(st.floats(1e-20, 1e20), min_size=2, max_size=10))
def test_products_and_sums_of_positive_numbers_are_bounded_by_their_operations(numbers):
    exact = [Fraction(x) for x in numbers]
    for computed, value in ((math.prod(numbers), math.prod(exact)), (sum(numbers), sum(exact))):
        assert float(down(computed, len(numbers))) <= value <= float(up(computed, len(numbers)))


def test_zeros_and_ones_stay_exact():
    zero, one, some = (Interval.point(np.array([x])) for x in (0.0, 1.0, 1 / 3))
    for found in (zero * some, zero + zero, some - some, zero / some, (zero[None] @ zero)[0:1]):
        assert (found.low, found.high) == (0, 0)
    assert (one.log().low, one.log().high) == (0, 0)
    assert zero.log().high < -1e308


def test_nothing_is_known_of_what_is_undefined():
    zero, all_ = Interval.point(np.zeros(1)), Interval(np.array([-math.inf]), np.array([math.inf]))
    mixed, one = Interval(np.array([-1.0]), np.array([1.0])), Interval.point(np.ones(1))
    for found in (zero * all_, one / mixed, all_ - all_, all_ / mixed, -one * mixed / zero):
        assert (found.low, found.high) == (-math.inf, math.inf)
    assert ((one / zero).low, (one / zero).high) == (0, math.inf)
    assert (-one).log().high == math.inf


def test_weights_and_parts_below_zero_are_refused():
    known = Interval.point(np.array([[-1.0, 2.0]]))
    for refused in (dot, mean_over_simplex, part, lambda x, y: part(y, x)):
        with pytest.raises(ValueError, match="at least 0"):
            refused(known, Interval.point(np.ones((2, 1))))


@given(intervals(NUMBERS, 4), intervals(NUMBERS, 4))
def test_what_lies_in_both_intervals_is_kept(one, other):
    met = one.meet(other)
    for x in (side for known in (one, other) for side in inside(known)):
        for k, number in enumerate(x):
            if holds(one[k], number) and holds(other[k], number):
                assert holds(met[k], number)
    assume((one.low >= 0).all())
    assert (one.within(0, 1).high <= 1).all()


def test_arrays_and_floats_are_numbers_known_exactly():
    known, array = Interval.around([Fraction(1, 3), Fraction(2)]), np.array([3.0, -1.0])
    for one, other in ((array * known, known * array), (2 - known, -(known - 2))):
        assert isinstance(one, Interval)
        assert (one.low == other.low).all()
        assert (one.high == other.high).all()
    assert holds((1 / known)[0], 3)
    assert holds((array + known)[1], 1)
