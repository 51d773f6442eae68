"""Sums of rows of floats are exact, and shares of rows are close, whatever the exponents."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pufferproof.models.numbers.means import binary_scales, row_shares, scaled_integers, scaled_sums

TINY = 5e-324
FLOATS = st.floats(0, 1.7e308) | st.sampled_from([0.0, TINY, 2.0**-1022, 1.0, 1 - 2.0**-53, 1e308])
MATRICES = arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 9)), elements=FLOATS)


def same_sums(values):
    scales = binary_scales(values)
    sums = scaled_sums(values, scales)
    for row, scale, total in zip(values.tolist(), scales, sums):
        assert Fraction(total, scale) == sum(map(Fraction, row))
        integers = scaled_integers(np.array(row), scale)
        assert [Fraction(number, scale) for number in integers] == list(map(Fraction, row))
    return sums, scales


@given(MATRICES)
def test_rows_of_floats_have_exact_sums(values):
    same_sums(values)


@given(MATRICES.filter(lambda values: values.any(axis=1).all()))
def test_shares_of_rows_are_within_two_roundings(values):
    sums, scales = same_sums(values)
    shares = row_shares(values, tuple(sums), scales)
    for row, total, scale, got in zip(values.tolist(), sums, scales, shares.tolist()):
        for value, share in zip(row, got):
            exact = Fraction(value) * scale / total
            if exact > Fraction(2.0**-960):
                assert abs(Fraction(share) - exact) <= exact * Fraction(5, 2) / 2**53


@pytest.mark.parametrize("columns", [1, 2, 3, 511, 512, 513])
def test_rows_of_every_length_have_exact_sums(columns):
    generator = np.random.default_rng(columns)
    wide = generator.random((5, columns)) * 2.0 ** generator.integers(-1070, 1000, (5, columns))
    ties = np.full((2, columns), 1 - 2.0**-53)
    same_sums(np.concatenate([wide, ties, np.full((1, columns), TINY), np.zeros((1, columns))]))
