"""The fractions of statements that run are those of the standard library, compiled."""

import operator
import pickle
from fractions import Fraction
from math import ceil, floor

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.claims.language.statements import Fraction as Compiled
from pufferproof.claims.language.statements.rationals import listed
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run.results import _value
from pufferproof.models.numbers.grammar import exact

OPERATIONS = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, operator.lt, operator.le, operator.eq, max),
]
whole = st.integers(-(10**30), 10**30).map(Fraction)
numbers = st.fractions(-3, 3, max_denominator=12) | st.fractions() | whole


def changed_bytes():
    """The bytes whose object, which all of Python shares, was written to by compiled code."""
    every = bytes(range(256))
    return [value for value in every if every[value : value + 1][0] != value]


def test_numbers_of_one_digit_are_read_without_a_change_of_what_python_shares():
    assert listed("0 7 1/2 -3 10") == [0, 7, Fraction(1, 2), -3, 10]
    assert [Compiled(digit) for digit in "0123456789"] == [*range(10)]
    load_claims()
    assert changed_bytes() == []


def compiled(value):
    return Compiled(value.numerator, value.denominator)


def outcome(operation, *values):
    try:
        return operation(*values)
    except ZeroDivisionError:
        return ZeroDivisionError


@pytest.mark.parametrize("operation", OPERATIONS)
@examples(200)
@given(a=numbers, b=numbers)
def test_operations_are_those_of_the_standard_library(operation, a, b):
    expected = outcome(operation, a, b)
    for left, right in ((compiled(a), compiled(b)), (compiled(a), b), (a, compiled(b))):
        assert outcome(operation, left, right) == expected
        assert str(outcome(operation, left, right)) == str(expected)


@examples(200)
@given(a=numbers, n=st.integers(-5, 5))
def test_functions_of_one_number_are_those_of_the_standard_library(a, n):
    same = compiled(a)
    for function in (abs, operator.neg, floor, ceil, round, int, float, bool, hash, str):
        assert function(same) == function(a)
    assert outcome(operator.pow, same, n) == outcome(operator.pow, a, n)
    assert (same.numerator, same.denominator) == (a.numerator, a.denominator)
    assert pickle.loads(pickle.dumps(same)) == a


@examples(100)
@given(a=numbers)
def test_formulas_models_and_pages_take_them_exactly(a):
    """Sympy took what it did not know for a float."""
    x = sympy.Symbol("x")
    assert sympy.sympify(compiled(a)) == sympy.Rational(a.numerator, a.denominator)
    assert (x + compiled(a)).subs(x, 0) == sympy.Rational(a.numerator, a.denominator)
    assert (exact(compiled(a)), type(exact(compiled(a)))) == (a, Fraction)
    assert _value(compiled(a)) == _value(a)
