"""Bounds of runs with fresh samples beside quadrature, closed forms and exact sums."""

from fractions import Fraction
from itertools import pairwise
from math import comb, erfc, exp, log, sqrt

import pytest
from mpmath import mp, quad

from pufferproof import Level, Noise
from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import ball
from pufferproof.verify.losses.account import LossAccount, Part
from pufferproof.verify.losses.laws import Listed, Reversed, steps_of, worst_of_both

TENTH = Fraction(1, 10)
GAUSSIAN, LAPLACE = Noise.gaussian(1), Noise.laplace(1)


def step(noise, rate=TENTH, left=1, right=0):
    return steps_of(noise, Fraction(rate), Fraction(left), Fraction(right))


def delta(law, runs, level="1", order=None):
    return LossAccount([Part(law, runs)], order).delta(Level(level))


def density(noise):
    if noise.variance is None:
        return lambda x: mp.exp(-abs(x)) / 2
    return lambda x: mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def by_quadrature(noise, rate, epsilon, order):
    """Integrate (p - e^epsilon q)_+ between the places where it changes its sign."""
    f, t = density(noise), mp.exp(epsilon)
    sides = (lambda x: (1 - rate) * f(x) + rate * f(x - 1)), f
    p, q = sides if order == 0 else sides[::-1]
    places = [x / mp.mpf(64) for x in range(-20 * 64, 20 * 64 + 1)]
    total = mp.mpf(0)
    for low, high in pairwise(places):
        ends = [low, high]
        excess = lambda x: p(x) - t * q(x)  # noqa: E731
        if excess(low) * excess(high) < 0:
            ends = [low, mp.findroot(excess, (low, high), solver="anderson"), high]
        for one, other in pairwise(ends):
            if excess((one + other) / 2) > 0:
                total += quad(excess, [one, other])
    return total


@pytest.mark.parametrize("noise", [GAUSSIAN, LAPLACE])
@pytest.mark.parametrize("order", [0, 1])
def test_one_run_is_what_quadrature_finds(noise, order):
    known = by_quadrature(noise, mp.mpf(1) / 10, mp.mpf(1) / 20, order)
    low, high = delta(step(noise), 1, "1/20", order)
    assert high - low < Fraction(1, 10**40)
    assert abs(float(low) - known) < 1e-8  # the rest of Laplace noise beyond 20


@pytest.mark.parametrize("order", [0, 1])
def test_two_runs_are_what_quadrature_finds(order):
    # given one output of the first run, delta is that of the second at a smaller level
    law = step(GAUSSIAN)
    f, rate = density(GAUSSIAN), mp.mpf(1) / 10

    def alone(ratio):
        z = lambda x: mp.erfc(x / mp.sqrt(2)) / 2  # noqa: E731
        if order == 0:
            if ratio <= 1 - rate:
                return 1 - ratio
            x = mp.log((ratio - 1 + rate) / rate) + mp.mpf(1) / 2
            return (1 - rate) * z(x) + rate * z(x - 1) - ratio * z(x)
        if ratio >= 1 / (1 - rate):
            return mp.mpf(0)
        x = mp.log((1 / ratio - 1 + rate) / rate) + mp.mpf(1) / 2
        return 1 - z(x) - ratio * (1 - (1 - rate) * z(x) - rate * z(x - 1))

    mixed = lambda x: (1 - rate) * f(x) + rate * f(x - 1)  # noqa: E731
    p, q = (mixed, f) if order == 0 else (f, mixed)
    t = mp.exp(mp.mpf(1) / 10)
    known = quad(lambda x: p(x) * alone(t * q(x) / p(x)), [x / 2 for x in range(-20, 23)])
    low, high = delta(law, 2, "0.1", order)
    assert low - Fraction(1, 10**9) <= Fraction(float(known)) <= high + Fraction(1, 10**9)
    assert high - low < Fraction(1, 10**4)


@pytest.mark.parametrize(("runs", "known"), [(1, 0.000207121486), (2, 0.00051416), (64, 0.124847), (200, 0.392765)])
def test_known_values_lie_between(runs, known):
    low, high = delta(step(GAUSSIAN), runs)
    assert float(low) - 1e-8 <= known <= float(high) + 1e-8
    assert high - low <= high / 1000


@pytest.mark.parametrize("runs", [1, 2, 9, 400])
def test_unsampled_gaussian_noise_is_the_closed_form(runs):
    low, high = delta(step(GAUSSIAN, 1), runs, "2")
    mu = sqrt(runs)
    z = lambda x: erfc(x / sqrt(2)) / 2  # noqa: E731
    known = z(2 / mu - mu / 2) - exp(2) * z(2 / mu + mu / 2)
    assert float(low) <= known * (1 + 1e-9)
    assert known * (1 - 1e-9) <= float(high)
    assert high - low <= high / 1000


def exactly(runs, rate, ratio):
    """Both deltas of runs of geometric noise of ratio 1/2 on a shift by 1, whose loss has two
    values: outputs from 1 on, and those before.
    """
    rate = Fraction(rate)
    q = Fraction(1, 3)  # of outputs from 1 on without the record
    p = (1 - rate) * q + rate * (1 - q)
    sums = [Fraction(0), Fraction(0)]
    for count in range(runs + 1):
        weight = comb(runs, count)
        above = weight * p**count * (1 - p) ** (runs - count)
        below = weight * q**count * (1 - q) ** (runs - count)
        sums[0] += max(Fraction(0), above - ratio * below)
        sums[1] += max(Fraction(0), below - ratio * above)
    return sums


def test_integer_noise_is_the_exact_sum():
    for rate in ["1/10", "1/2", "1"]:
        for runs in [1, 2, 7, 100]:
            for level, ratio in [("0", 1), ("log(3/2)", Fraction(3, 2))]:
                law = step(Noise.geometric("1/2"), rate)
                for order, known in enumerate(exactly(runs, rate, ratio)):
                    low, high = delta(law, runs, level, order)
                    assert low <= known <= high
                    assert high - low <= high / 1000 + Fraction(1, 10**12)


def brute(pairs, runs, ratio):
    """Sum over all sequences of outputs, those of equal likelihoods once."""
    laws = {(Fraction(1), Fraction(1)): 1}
    for _ in range(runs):
        grown = {}
        for (p, q), count in laws.items():
            for above, below in pairs:
                key = (p * above, q * below)
                grown[key] = grown.get(key, 0) + count
        laws = grown
    return sum(count * max(Fraction(0), p - ratio * q) for (p, q), count in laws.items())


@pytest.mark.parametrize(("left", "right"), [(2, 0), (1, -1), (1, 3), (0, 2)])
def test_shifts_of_integers_are_what_all_outputs_sum_to(left, right):
    rate, reach, runs = Fraction(1, 3), 24, 2
    mass = lambda z: Fraction(1, 3) / 2 ** abs(z)  # noqa: E731
    pairs = [
        tuple((1 - rate) * mass(z) + rate * mass(z - shift) for shift in (left, right))
        for z in range(-reach, reach + 1)
    ]
    known = brute(pairs, runs, Fraction(11, 10))
    low, high = delta(step(Noise.geometric("1/2"), rate, left, right), runs, "log(11/10)", 0)
    assert low - Fraction(1, 10**6) <= known <= high + Fraction(1, 10**6)
    assert high - low <= high / 1000


def test_discrete_gaussian_noise_is_what_all_outputs_sum_to():
    weights = {z: mp.exp(-mp.mpf(z * z) / 4) for z in range(-40, 41)}
    total = sum(weights.values())
    mass = lambda z: weights.get(z, mp.mpf(0)) / total  # noqa: E731
    pairs = [((9 * mass(z) + mass(z - 1)) / 10, mass(z)) for z in range(-20, 22)]
    law = step(Noise.discrete_gaussian(2))
    sums = [mp.mpf(0), mp.mpf(0)]
    for p, q in pairs:
        for above, below in pairs:
            excess = p * above - mp.exp(mp.mpf(1) / 10) * q * below
            back = q * below - mp.exp(mp.mpf(1) / 10) * p * above
            sums = [sums[0] + max(excess, 0), sums[1] + max(back, 0)]
    for order, known in enumerate(sums):
        low, high = delta(law, 2, "0.1", order)
        assert float(low) <= known * (1 + 1e-9)
        assert known * (1 - 1e-9) <= float(high)
    assert high - low < Fraction(1, 10**4)


def test_delta_grows_with_runs_and_falls_with_the_level():
    law = step(GAUSSIAN)
    by_runs = [delta(law, runs) for runs in (1, 2, 4, 8, 16, 32)]
    assert all(one[1] < other[0] for one, other in pairwise(by_runs))
    by_level = [delta(law, 16, level) for level in ("0", "1/2", "1", "2", "4")]
    assert all(one[0] > other[1] for one, other in pairwise(by_level))


def test_orders_change_places_when_the_laws_do():
    law = step(LAPLACE)
    for one, other in ((0, 1), (1, 0)):
        first, second = delta(law, 20, "1/2", one), delta(Reversed(law), 20, "1/2", other)
        assert max(first[0], second[0]) <= min(first[1], second[1])


def test_parts_in_any_order_are_one_account():
    parts = [Part(step(GAUSSIAN), 30), Part(step(LAPLACE, "1/5"), 4), Part(step(GAUSSIAN, 1), 1)]
    found = [LossAccount(each).delta(Level("1")) for each in (parts, parts[::-1])]
    assert max(low for low, _ in found) <= min(high for _, high in found)
    split = [Part(step(GAUSSIAN), 34), Part(step(GAUSSIAN), 30)]
    low, high = LossAccount(split).delta(Level("1"))
    known = delta(step(GAUSSIAN), 64)
    assert max(low, known[0]) <= min(high, known[1])


def test_many_gaussian_parts_are_one_gaussian():
    parts = [Part(step(Noise.gaussian(sigma), 1), runs) for sigma, runs in ((2, 8), (3, 9))]
    low, high = LossAccount(parts).delta(Level("1"))
    mu = sqrt(8 / 4 + 9 / 9)
    z = lambda x: erfc(x / sqrt(2)) / 2  # noqa: E731
    known = z(1 / mu - mu / 2) - exp(1) * z(1 / mu + mu / 2)
    assert float(low) <= known <= float(high)


@pytest.mark.parametrize("noise", [GAUSSIAN, LAPLACE, Noise.geometric("1/2")])
def test_the_level_at_a_delta_has_this_delta(noise):
    account = LossAccount([Part(step(noise), 100)])
    low, high = account.epsilon(Fraction(1, 1000))
    assert 0 < low <= high <= low * Fraction(1001, 1000)
    assert account.delta(Level.of_nats(low))[1] >= Fraction(1, 1000)
    assert account.delta(Level.of_nats(high))[0] <= Fraction(1, 1000)


def test_the_level_at_a_delta_is_bounded_up_to_a_largest_level():
    """Answers that are almost always true have a loss of log(10^300 - 1) each."""
    rare = Fraction(1, 10**300)
    answers = Listed(lambda _: [(ball(1 - rare), ball(rare)), (ball(rare), ball(1 - rare))])
    low, high = LossAccount([Part(answers, 1000)]).epsilon(TENTH)
    known = 300_000 * log(10) + log(0.9)  # 1 - e^(level - the largest loss) is 1/10
    assert known * (1 - 1e-4) < low <= known <= high < known * (1 + 1e-4)
    with pytest.raises(TooLargeError, match="up to 1048576 nats"):
        LossAccount([Part(answers, 5000)]).epsilon(TENTH)


@pytest.mark.parametrize("noise", [GAUSSIAN, Noise.geometric("1/2")])
def test_the_worst_of_both_orders_is_above_both(noise):
    law = step(noise)
    for runs, level in ((1, "1/20"), (1, "0"), (5, "1/20"), (40, "1/2")):
        above = delta(worst_of_both(law), runs, level)
        assert all(delta(law, runs, level, order)[0] <= above[1] for order in (0, 1))
        if runs == 1:
            assert above[1] <= max(delta(law, 1, level, order)[1] for order in (0, 1)) * (1 + Fraction(1, 10**9))


def test_tiny_deltas_are_bounded_relatively():
    low, high = delta(step(GAUSSIAN), 64, "20")
    assert 0 < low <= high < Fraction(1, 10**20)
    assert high - low <= high / 1000


def test_levels_beyond_every_loss_and_beyond_floats():
    low, high = LossAccount([Part(step(LAPLACE, 1), 4)]).delta(Level("5"))
    assert low == 0 < high < Fraction(1, 10**190)
    low, high = delta(step(GAUSSIAN, 1), 1, "1" + "0" * 400)
    assert low == 0 <= high <= 1


def test_a_verdict_stops_when_the_bounds_tell():
    account = LossAccount([Part(step(GAUSSIAN), 64)])
    low, high = account.delta(Level("1"), Fraction(1, 10))
    assert low > Fraction(1, 10)
    low, high = account.delta(Level("1"), Fraction(1, 8))
    assert high <= Fraction(1, 8)


def test_no_steps_leak_nothing():
    empty = LossAccount([])
    assert empty.delta(Level("0")) == (0, 0)
    assert empty.epsilon(Fraction(1, 10)) == (0, 0)


def test_quadrature_knows_closed_forms():
    # the twin itself: unsampled Laplace noise has delta 1 - e^((epsilon - 1) / 2)
    known = by_quadrature(LAPLACE, mp.mpf(1), mp.mpf(1) / 2, 0)
    assert abs(known - (1 - exp(-1 / 4))) < 1e-8
