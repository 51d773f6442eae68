"""The logarithm that is enclosed without Arb, beside Arb's: long integers, ratios close to 1, and ends."""

from decimal import DefaultContext, Inexact, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.models.numbers.enclosures import Enclosure, enclose, enclose_log, enclose_one_log, log_bounds

INTEGERS = (
    st.integers(1, 2**70) | st.integers(1, 2**70).map(lambda n: n**20) | st.integers(0, 4_400).map(lambda n: 1 << n)
)


def expect_as_arb(ratio: Fraction) -> None:
    found, known = enclose_one_log(ratio), enclose_log(ratio)
    below, above = log_bounds(ratio, 3_000)
    assert Fraction(known.lower) <= Fraction(found.lower) <= below <= above <= Fraction(found.upper)
    assert Fraction(found.upper) <= Fraction(known.upper)


@examples(200)
@given(INTEGERS, INTEGERS)
def test_one_logarithm_is_enclosed_as_arb_encloses_it(numerator: int, denominator: int) -> None:
    ratio = Fraction(numerator, denominator)
    if ratio == 1:
        assert enclose_one_log(ratio) == Enclosure("0", "0")
    else:
        expect_as_arb(ratio)


@pytest.mark.parametrize("size", [1, 2, 3, 9, 10**9, 10**20, 10**40, 10**300, 2**3_998, 2**4_001])
@pytest.mark.parametrize("more", [1, 2])
def test_ratios_close_to_one_are_enclosed_as_closely(size: int, more: int) -> None:
    for ratio in (Fraction(size + more, size), Fraction(size, size + more)):
        expect_as_arb(ratio)


@pytest.mark.parametrize("number", [2, 3, 10, 702])
def test_ends_are_the_neighbouring_decimals_of_seventeen_digits(number: int) -> None:
    for ratio in (Fraction(number), Fraction(1, number)):
        assert enclose_one_log(ratio) == enclose(*log_bounds(ratio, 500))


@pytest.mark.parametrize(
    "changed", [{"Emax": 10, "Emin": -10}, {"prec": 1, "rounding": "ROUND_UP"}, {"capitals": 0}, {"clamp": 1}]
)
def test_enclosures_do_not_depend_on_the_contexts_of_a_program(changed: dict[str, int | str]) -> None:
    ratios = [Fraction(10**17 + 1, 10**17), Fraction(10**40 + 1, 10**40), Fraction(3), Fraction(1, 10**1000)]
    known = [(enclose_one_log(ratio), enclose_log(ratio)) for ratio in ratios]
    before = {name: getattr(DefaultContext, name) for name in changed}
    try:
        for name, value in changed.items():
            setattr(DefaultContext, name, value)
        DefaultContext.traps[Inexact] = True
        with localcontext(DefaultContext):
            assert [(enclose_one_log(ratio), enclose_log(ratio)) for ratio in ratios] == known
    finally:
        DefaultContext.traps[Inexact] = False
        for name, value in before.items():
            setattr(DefaultContext, name, value)
