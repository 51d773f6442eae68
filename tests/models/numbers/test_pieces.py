"""Exponential polynomials on intervals: integrals against quadrature, substitutions at points."""

from fractions import Fraction
from math import exp

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from tests import examples

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, rational, summed

SMALL = st.fractions(-3, 3, max_denominator=4)
KEYS = st.tuples(st.integers(0, 3), st.integers(-3, 3), st.integers(-2, 2))
POLYNOMIALS = st.builds(
    lambda terms, unit: ExponentialPolynomial(1, {key: rational(q) for key, q in terms.items()}, unit),
    st.dictionaries(KEYS, SMALL, max_size=4),
    st.integers(1, 3),
)
DENSITIES = st.one_of(
    st.sampled_from([1, 2, Fraction(1, 2)]).map(lambda b: Piecewise.laplace(Fraction(b))),
    st.builds(Piecewise.gamma, st.integers(1, 3), st.sampled_from([Fraction(1), Fraction(3, 2)])),
    st.sampled_from([Piecewise.uniform(), Piecewise.uniform(Fraction(-1), Fraction(2))]),
)


def value(function, y):
    """The value of a piecewise function at a point, in floats."""
    for low, high, f in function.segments:
        if (low is None or float(low) <= y) and (high is None or y < float(high)):
            return f.approx(float(y))
    return 0.0


@given(POLYNOMIALS, POLYNOMIALS, SMALL)
@examples(100)
def test_sums_and_products_at_points(f, g, y):
    at = float(y)
    assert (f + g).approx(at) == pytest.approx(f.approx(at) + g.approx(at), abs=1e-6)
    assert (f - g).approx(at) == pytest.approx(f.approx(at) - g.approx(at), abs=1e-6)
    assert (f * g).approx(at) == pytest.approx(f.approx(at) * g.approx(at), rel=1e-9, abs=1e-6)


@given(POLYNOMIALS, SMALL, SMALL, SMALL)
@examples(100)
def test_a_line_is_put_for_the_variable(f, a, b, y):
    moved = f.at(0, [rational(a), rational(b)])
    assert moved.approx(float(y)) == pytest.approx(f.approx(float(a * y + b)), rel=1e-9, abs=1e-6)


@given(POLYNOMIALS, SMALL)
@examples(40)
def test_antiderivatives_integrate(f, y):
    whole = f.antiderivative(0)
    exactly = (whole.at(0, [fmpq(0), rational(y)]) - whole.at(0, [fmpq(0), fmpq(0)])).approx()
    assert exactly == pytest.approx(quad(f.approx, 0, float(y))[0], rel=1e-7, abs=1e-7)


@given(DENSITIES)
@examples(20)
def test_densities_integrate_to_one(density):
    assert density.total().rational == 1


@given(DENSITIES, DENSITIES, SMALL.filter(bool), SMALL, SMALL)
@examples(60)
def test_between_lines(density, other, slope, shift, y):
    lines = [(rational(slope), rational(shift))], [(fmpq(0), fmpq(1))]
    exactly = value(density.between(*lines), float(y))
    low = min(float(slope * y + shift), 1)
    points = [p for p in (-1.0, 0.0) if low < p < 1]
    numeric = quad(lambda x: value(density, x), low, 1, points=points or None)[0]
    assert exactly == pytest.approx(numeric, abs=1e-7)


@given(DENSITIES, DENSITIES)
@examples(20)
def test_one_of_two_draws_is_larger(first, second):
    line = [(fmpq(1), fmpq(0))]
    above = (second * first.between(line, [])).total()
    below = (second * first.between([], line)).total()
    assert (above + below).rational == 1


@given(DENSITIES, st.sampled_from([Fraction(2), Fraction(-1, 3)]), SMALL)
@examples(30)
def test_moved_densities_have_the_mass_of_their_preimage(density, slope, shift):
    a, b = rational(slope), rational(shift)
    ends = sorted((a * fmpq(-1) + b, a * fmpq(1) + b))
    assert density.moved(a, b).clipped(*ends).total() == density.clipped(fmpq(-1), fmpq(1)).total()


def test_sums_of_pieces_that_overlap():
    one = ExponentialPolynomial.constant(fmpq(1), 1)
    stairs = summed([(fmpq(0), fmpq(2), one), (fmpq(1), fmpq(3), one)])
    assert [f.value() for _, _, f in stairs.segments] == [1, 2, 1]


def test_shifted_rates_are_powers_of_e():
    tail = Piecewise.gamma(1, Fraction(2)).clipped(fmpq(3), None).total()
    assert float(tail.ball()) == pytest.approx(exp(-1.5))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Piecewise.laplace(Fraction(0)),
        lambda: Piecewise.gamma(0, Fraction(1)),
        lambda: Piecewise.gamma(1, Fraction(-1)),
        lambda: Piecewise.uniform(Fraction(1), Fraction(1)),
    ],
)
def test_what_is_no_density(make):
    with pytest.raises(ModelError, match="expected a"):
        make()
