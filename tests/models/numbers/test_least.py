"""Tests of bisection: the answer at each end, promises never and always kept, exact and float."""

from fractions import Fraction

import pytest

from pufferproof.models.numbers.enclosures import least

ONE = Fraction(1)


@pytest.mark.parametrize("first", range(-3, 9))
def test_integers_end_at_the_first_that_keeps_wherever_it_lies(first: int) -> None:
    expected = min(max(first, 1), 8)
    assert least(lambda n: n >= first, (0, 8)) == (expected - 1, expected)


@pytest.mark.parametrize("ends", [(3, 4), (5, 5), (ONE, ONE)])
def test_neighbouring_integers_and_equal_ends_are_not_asked(ends: tuple[int, int]) -> None:
    assert least(lambda n: bool(pytest.fail("asked")), ends) == ends


@pytest.mark.parametrize("root", [Fraction(1, 10**9), Fraction(1, 3), Fraction(1, 2), 1 - ONE / 99])
def test_fractions_enclose_the_least_exactly_and_no_wider_than_asked(root: Fraction) -> None:
    for within, relative in ((ONE / 2**40, 0), (0, ONE / 2**40)):
        low, high = least(lambda x: x >= root, (0 * ONE, ONE), within, relative)
        assert isinstance(low, Fraction)
        assert low < root <= high
        assert high - low <= within + relative * low


def test_a_promise_always_or_never_kept_leaves_an_end() -> None:
    assert least(lambda _: True, (0 * ONE, ONE), within=ONE / 8) == (0 * ONE, ONE / 8)
    assert least(lambda _: False, (0 * ONE, ONE), within=ONE / 8) == (1 - ONE / 8, ONE)


@pytest.mark.parametrize("root", [5e-324, 1e-300, 0.1, 1.0])
def test_floats_end_where_no_float_lies_between_them(root: float) -> None:
    low, high = least(lambda x: x >= root, (0.0, 1.0))
    assert low < root == high


def test_negative_places_are_narrowed_relative_to_their_size() -> None:
    low, high = least(lambda x: x >= Fraction(-1, 3), (-ONE, 0 * ONE), relative=ONE / 100)
    assert low < Fraction(-1, 3) <= high
    assert high - low <= ONE / 100 * abs(low)


def test_the_width_that_is_left_is_told_before_each_question() -> None:
    said: list[float | str] = []

    def keeps(x: Fraction) -> bool:
        said.append("?")
        return x * x >= 2

    least(keeps, (ONE, 2 * ONE), relative=Fraction(1, 4), told=said.append)
    assert said == [1.0, "?", 0.5, "?"]
