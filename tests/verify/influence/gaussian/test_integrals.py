"""Enclosed normal integrals: they hold what quadrature finds, agree at all tolerances, add up."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, arb_mat, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.verify.influence.gaussian import quadrature as brute

from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.verify.influence.gaussian.law import BoxIntegral, GaussianLaw, TooMuchWorkError, erfcx_approx

F = Fraction


def test_tails_are_within_their_error_of_arb():
    for x in ["0", "1/64", "3/10", "7", "31", "33", "1000"]:
        value = F(x)
        with ctx.workprec(4000):
            ball = arb(fmpq(value.numerator, value.denominator))
            exact = (ball * ball).exp() * ball.erfc()
            found = arb(float(erfcx_approx(np.array([float(value)]))[0]))
            at = arb(float(value))
            near = (at * at).exp() * at.erfc()
            assert abs(found / near - 1) < arb(2) ** -50
        assert exact > 0


def law(count, length, box):
    return GaussianLaw(TruncatedGaussian([-box, box], length=length), count)


def test_they_hold_what_quadrature_finds():
    for length in ["1/2", "1", "3"]:
        for box in ["1", "4"]:
            for window in [("0", "1/10"), ("9/10", "1"), ("-1", "-3/4")]:
                box = F(box)
                window = tuple(F(end) * box for end in window)
                sigma = brute.squared_exponential(3, F(length))
                sides = float(-box), float(box)
                for hidden, place in (((0, 1, 2), ()), ((0, 1), (box,)), ((1, 2), (-box / 3,))):
                    shown = {k: float(x) for k, x in zip([k for k in range(3) if k not in hidden], place)}
                    near = brute.log_integral(sigma, 1, tuple(map(float, window)), hidden, sides, shown)
                    # x_L'Q_LL x_L/2 is in the twin alone
                    precision = np.linalg.inv(sigma)
                    near += 0.5 * sum(precision[j, k] * shown[j] * shown[k] for j in shown for k in shown)
                    ball = law(3, length, box).log_given(window, 1, hidden, place, 1e-10)
                    assert float(ball.rad()) < 1e-9
                    assert abs(float(ball.mid()) - near) < 1e-9


@given(
    st.lists(st.integers(-9, 9), min_size=6, max_size=6),
    st.lists(st.integers(-30, 30), min_size=3, max_size=3),
    st.sampled_from([1e-3, 1e-6]),
)
@settings(max_examples=60, deadline=None)
def test_looser_ones_overlap_sharper_ones(entries, linear, loose):
    a, b, c, d, e, f = entries
    rows = [[a, b, c], [0, d, e], [0, 0, f]]
    with ctx.workprec(128):
        root = arb_mat([[arb(x) / 4 for x in row] for row in rows])
        precision = root * root.transpose()
        for i in range(3):
            precision[i, i] += 1
        box = BoxIntegral(precision, [fmpq(-1)] * 3, [fmpq(1), fmpq(2), fmpq(1, 3)])
        values = [arb(x) for x in linear]
        rough, sharp = box.log(values, loose), box.log(values, 1e-10)
        assert rough.overlaps(sharp)
        assert float(sharp.rad()) < 1e-9
        halves = [
            BoxIntegral(precision, [fmpq(-1)] * 3, [fmpq(0), fmpq(2), fmpq(1, 3)]),
            BoxIntegral(precision, [fmpq(0), fmpq(-1), fmpq(-1)], [fmpq(1), fmpq(2), fmpq(1, 3)]),
        ]
        parts = [each.log(values, 1e-10) for each in halves]
        assert (parts[0].exp() + parts[1].exp()).log().overlaps(sharp)


def test_a_limit_of_rows_is_kept():
    known = law(6, "5", F(5))
    integral = known._integral((F(49, 10), F(5)), 2, tuple(range(6)))
    with ctx.workprec(known.bits), pytest.raises(TooMuchWorkError):
        integral.log([arb(0)] * 6, 1e-9, most_rows=50)
