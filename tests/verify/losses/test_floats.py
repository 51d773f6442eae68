"""Sums in doubles beside exact integers, and grids in doubles beside grids of integers."""

from fractions import Fraction
from math import inf
from random import Random

import numpy as np
import pytest
from flint import acb, arb, ctx, fmpz_poly
from tests import drawn

from pufferproof import Level, Noise
from pufferproof.models.numbers.enclosures import ball
from pufferproof.verify.losses import account, floats
from pufferproof.verify.losses.account import LossAccount, Part
from pufferproof.verify.losses.floats import Row, TailSums, Window, convolved, transform, window_of
from pufferproof.verify.losses.laws import Bin, GaussianMixtures, steps_of, worst_of_both

BITS = 60


def rows_of(draw, steps=2, most_runs=40):
    """Draw masses of a few steps that are multiples of 2^-60 and add up to about 1."""
    rows = []
    for _ in range(steps):
        size = draw.choice((1, 2, 3, 9))
        places = sorted(draw.sample(range(-20, 21), size))
        masses = np.array([draw.random() ** draw.choice((1, 9)) + 2.0**-40 for _ in places])
        masses = np.floor(masses / masses.sum() * 2**BITS) / 2**BITS
        rows.append(Row(np.array(places), masses, draw.randint(1, most_runs)))
    return rows


def exactly(rows):
    """The masses of all runs, by their points, and the power of two that they are over."""
    first, product, bits = 0, fmpz_poly([1]), 0
    for row in rows:
        low = int(row.places.min())
        coefficients = [0] * (int(row.places.max()) - low + 1)
        for place, mass in zip(row.places.tolist(), row.masses.tolist()):
            coefficients[place - low] = int(mass * 2**BITS)
        product *= fmpz_poly(coefficients) ** row.runs
        first, bits = first + low * row.runs, bits + BITS * row.runs
    return {first + k: Fraction(int(c), 2**bits) for k, c in enumerate(product.coeffs())}


@pytest.mark.parametrize("size", [2**k for k in range(11)])
def test_transforms_are_within_their_bound(size):
    draw = np.random.default_rng(size)
    values = draw.normal(size=size) + 1j * draw.normal(size=size)
    found, bound = transform(values), 10.2 * 2.0**-53 * np.log2(size) * abs(values).sum()
    with ctx.workprec(200):
        for j in draw.integers(0, size, 4).tolist():
            roots = [acb(arb(-2 * j * k) / size).exp_pi_i() for k in range(size)]
            terms = (acb(v.real, v.imag) * root for v, root in zip(values.tolist(), roots))
            error = abs(sum(terms, acb(0)) - acb(found[j].real, found[j].imag))
            assert error <= bound


def test_convolutions_are_within_their_bound():
    draw = Random(3)
    for _ in range(drawn(200)):
        rows = rows_of(draw, draw.choice((1, 2, 3)))
        known, window = exactly(rows), Window(draw.randint(-300, 300), 2 ** draw.randint(6, 12), 0)
        found, error = convolved(rows, window)
        cyclic = [Fraction(0)] * window.size
        for place, mass in known.items():
            cyclic[(place - window.low) % window.size] += mass
        assert max(abs(Fraction(float(each)) - mass) for each, mass in zip(found, cyclic)) <= error < 1e-10


def test_sums_over_large_losses_are_within_their_bounds():
    """Whatever window and base are proposed, of tilts up to 0, and steps of the grid of any size."""
    draw = Random(5)
    for _ in range(drawn(200)):
        rows, tilt, step = rows_of(draw), draw.choice((0.0, 0.3, 2.0)), draw.choice((0.01, 0.5))
        window = window_of([rows], (tilt + 1) * step)
        if draw.random() < 0.5:
            low, size = draw.randint(-300, 100), 2 ** draw.randint(6, 9)
            window = Window(low, size, low + draw.randint(0, 40))
        with ctx.workprec(300):
            sums = TailSums(rows, window, tilt, (0, 1), ball(1), (ball(Fraction(1, 3)), ball(Fraction(step))))
            known = exactly(rows)
            for place in {window.base, window.low + window.size, window.low + window.size + 9, *range(-30, 30, 7)}:
                if place < window.base:
                    continue
                for turn in (0, 1):
                    rate, start = ball(Fraction(tilt) + turn), ball(Fraction(1, 3))
                    expected = ball(0)
                    for k, mass in known.items():
                        if k >= place:
                            expected += ball(mass) * (-rate * (start + k * ball(Fraction(step)))).exp()
                    assert sums.at(place, turn).overlaps(expected)


GAUSSIAN, LAPLACE = Noise.gaussian(1), Noise.laplace(2)
MIXED = GaussianMixtures(
    *([(Fraction(9, 10), Fraction(0)), (Fraction(1, 10), Fraction(shift))] for shift in (1, -1)), Fraction(1)
)


def laws(draw):
    rate = Fraction(draw.choice((1, 10, 50, 99, 100)), 100)
    noise = draw.choice((GAUSSIAN, LAPLACE, Noise.discrete_gaussian(2), Noise.gaussian("3/4")))
    made = steps_of(noise, rate, Fraction(1), Fraction(0))
    return draw.choice((made, made, worst_of_both(made)))


def test_grids_in_doubles_bound_what_grids_of_integers_bound(monkeypatch):
    draw = Random(8)
    for _ in range(drawn(60)):
        parts = [Part(laws(draw), draw.choice((1, 2, 7, 100))) for _ in range(draw.choice((1, 1, 2)))]
        level, delta = Level(draw.choice(("0", "0.01", "1", "5", "30"))), Fraction(1, 10 ** draw.choice((1, 5, 30)))
        order = draw.choice((0, 1, None))
        found = LossAccount(parts, order)
        with monkeypatch.context() as patched:
            patched.setattr(account, "_between_points", lambda law: False)
            twin = LossAccount(parts, order)
        assert not twin._floats
        for one, other in ((found.delta(level), twin.delta(level)), (found.epsilon(delta), twin.epsilon(delta))):
            assert max(one[0], other[0]) <= min(one[1], other[1])
            assert one[1] - one[0] <= max(other[1] - other[0], other[1] / 2000)


@pytest.mark.parametrize("tilt", [0.0, 0.5, 40.0])
def test_bounds_hold_whatever_tilt_and_window_are_proposed(monkeypatch, tilt):
    parts = [Part(steps_of(GAUSSIAN, Fraction(1, 10), Fraction(1), Fraction(0)), 64)]
    known = LossAccount(parts).delta(Level("1"))
    monkeypatch.setattr(account, "best_tilt", lambda losses, aim: (tilt, 1.0, -5.0))
    for window in (Window(-2000, 2**12, -2000), Window(-100, 2**9, 0), Window(10**6, 2**14, 10**6)):
        monkeypatch.setattr(floats, "window_of", lambda sides, fall, it=window: it)
        with monkeypatch.context() as patched:
            patched.setattr(account, "_ROUNDS", 1)
            low, high = LossAccount(parts).delta(Level("1"))
            assert low <= known[1]
            assert known[0] <= high


def test_both_orders_of_mixtures_agree_with_integers(monkeypatch):
    found = LossAccount([Part(MIXED, 3)]).delta(Level("1/2"))
    monkeypatch.setattr(account, "_between_points", lambda law: False)
    twin = LossAccount([Part(MIXED, 3)]).delta(Level("1/2"))
    assert max(found[0], twin[0]) <= min(found[1], twin[1])


@pytest.mark.parametrize(("runs", "level"), [(64, "20"), (64, "60"), (1000, "20")])
def test_tiny_deltas_of_many_steps_have_close_bounds(runs, level):
    law = steps_of(GAUSSIAN, Fraction(1, 10), Fraction(1), Fraction(0))
    low, high = LossAccount([Part(law, runs)]).delta(Level(level))
    assert 0 < low < high
    assert high - low <= high / 1000


def test_a_hundred_thousand_steps_end_with_bounds():
    law = steps_of(Noise.gaussian("3/4"), Fraction(1, 100), Fraction(1), Fraction(0))
    low, high = LossAccount([Part(law, 100_000)]).epsilon(Fraction(1, 10**5))
    assert 52 < low < high < low + Fraction(1, 100)


def test_numbers_that_are_no_doubles_are_bounded():
    row = Row.of([0, 1, 2], [ball(Fraction(1, 10**400)), ball(0), ball(1)], True, 1)
    assert row.masses.tolist() == [5e-324, 5e-324, np.nextafter(1, inf)]
    assert Row.of([0, 1], [ball(Fraction(1, 10**400)), ball(1)], False, 1).places.tolist() == [1]


def test_masses_that_are_only_enclosed_are_rounded_up_over_their_weight():
    """Also those that may be 0, of weights below 1: those of outputs that Q hardly has."""

    class Enclosed:
        def bins(self, start, step, tail, tilt):
            quarter, little = ball(Fraction(1, 4)), arb(0, 1e-30)
            return [Bin(0, 1, quarter, quarter), Bin(3, 4, little, little)]

    found = account.step_on_grid(Enclosed(), ball(0), ball(Fraction(1, 10)), account.Fineness(0.1, 1e-15))
    assert (found.below[3] * found.weight).upper() >= arb(9e-31) * ball(Fraction(3, 10)).exp()
    row = Row.of([0, 1], [ball(1), ball(1) / 0], True, 1)
    assert np.isnan(row.masses).tolist() == [False, True]


def test_rare_losses_of_hundreds_of_nats_have_close_bounds():
    law = steps_of(Noise.gaussian("1/20"), Fraction(1, 1000), Fraction(1), Fraction(0))
    low, high = LossAccount([Part(law, 10)]).delta(Level("3"))
    assert Fraction("0.00995511") < low <= Fraction("0.0099551198") <= high < Fraction("0.00995513")
