"""Floats that remember a number: exact where Python's numbers meet, floats for everybody else."""

import copy
import math
import operator
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pufferproof.models.numbers.remembered import ExactFloat, exactly

RATIONALS = st.fractions(-1000, 1000, max_denominator=10**6)
NUMBERS = st.one_of(RATIONALS.map(ExactFloat), st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6), st.booleans())
TENTH = ExactFloat(Fraction(1, 10))


@given(RATIONALS, NUMBERS, st.sampled_from(["add", "sub", "mul", "truediv"]), st.booleans())
def test_arithmetic_is_exact_or_that_of_floats(first, second, name, swapped):
    sides = [ExactFloat(first), second]
    first, second = sides[::-1] if swapped else sides
    function = getattr(operator, name)
    if name == "truediv" and not second:
        with pytest.raises(ZeroDivisionError):
            function(first, second)
        return
    found = function(first, second)
    exact = function(Fraction(exactly(first)), Fraction(exactly(second)))
    assert isinstance(found, float)
    if type(found) is ExactFloat:
        assert found.exact == exact
        assert float(found) == float(exact)
    else:  # a zero, as floats have it
        assert found == function(float(first), float(second)) == 0


@given(RATIONALS)
def test_it_is_a_float_to_everybody_else(number):
    x, plain = ExactFloat(number), float(number)
    assert (x == plain, hash(x), str(x), f"{x:.3f}") == (True, hash(plain), str(plain), f"{plain:.3f}")
    assert type(np.float64(2) * x) is type(x * np.float64(2)) is np.float64
    assert np.array([x, 1]).dtype == (x * np.arange(2)).dtype == float
    assert (np.cos(x), math.cos(x)) == (np.cos(plain), math.cos(plain))
    assert x.__class__ is float
    for same in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), +x, -(-x)):  # noqa: B002
        assert exactly(same) == number or not number
    assert Fraction(x) == number


def test_what_no_float_is_near_is_as_floats_have_it():
    far = ExactFloat(Fraction(10**300))
    assert far * 1e300 == math.inf
    assert TENTH * math.inf == TENTH + math.inf == math.inf
    assert math.isnan(TENTH * math.nan)
    assert (TENTH**2).exact == Fraction(1, 100)
    assert (TENTH**-3).exact == 1000
    assert type(TENTH**0.5) is type(2**TENTH) is type(TENTH**1000) is float
    assert type(TENTH - 0.1) is float  # 0, where the exact difference is not
    with pytest.raises(OverflowError):
        ExactFloat(Fraction(10**400))
    with pytest.raises(TypeError):
        TENTH + "1"
