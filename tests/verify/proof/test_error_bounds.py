"""Error bounds hold at their worst: exactly, in rationals, with every rounding as unlucky as it
may be, and floats that lie.
"""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.brute import definitions as brute
from tests.verify.sequences.test_leakage import drawn_chain, drawn_law, secrets_of

from pufferproof import Channel, Framework, Records, Table, audit
from pufferproof.models.numbers.proportions import Rounding
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.leakage.laws import ConditionalLaws
from pufferproof.verify.sequences import sides as local_sides
from pufferproof.verify.sequences.leakage import local_leakage
from pufferproof.verify.sequences.sides import _alike, _resembles

UNIT = Fraction(1, 2**53)


def power_above(base, exponent, bits=400):
    """A rational that is at least base^exponent, by squaring, every product rounded up to
    `bits` bits.
    """
    result = Fraction(1)
    while exponent:
        if exponent & 1:
            result = rounded_up(result * base, bits)
        base, exponent = rounded_up(base * base, bits), exponent >> 1
    return result


def rounded_up(number, bits):
    scale = Fraction(2) ** (bits - number.numerator.bit_length() + number.denominator.bit_length())
    return -((-number * scale) // 1) / scale


def step_factor(keep, tolerance):
    """How much a quotient of two coordinates changes in one step at most: rounded down once,
    left out twice.
    """
    near = Fraction(1, 2 ** (tolerance + 1))
    return (1 + Fraction(2, 2**keep)) * ((1 + near) / (1 - near)) ** 2


def test_the_bound_of_a_sweep_is_above_what_its_steps_compound_to():
    for tolerance, steps in [
        (1, 7),
        (4, 1_000),
        *((t, n) for t in (18, 26, 34, 42, 124) for n in (0, 1, 80_000, 200_000, 1_000_000, 10**9)),
    ]:
        for keep in [4, 5, 110]:
            rounding = Rounding(tolerance + keep, tolerance)
            rounding.steps = steps
            assert power_above(step_factor(rounding.keep, tolerance), steps) <= 1 + rounding.slack


def test_a_bound_that_is_linear_would_be_passed():
    """80,000 steps of tolerance 18 are near the end of T + T^2, a million are beyond it; short
    sweeps are hardly widened.
    """
    rounding = Rounding(128, 18)
    rounding.steps = 1_000_000
    linear = Fraction(rounding.steps + 1, 2 ** (rounding.tolerance - 3))
    assert power_above(step_factor(128, 18) - Fraction(1, 2**60), rounding.steps) > 1 + linear
    rounding.steps = 80_000
    assert Fraction(1) < rounding.slack < 9
    rounding.steps = 100
    assert rounding.slack < Fraction(102 * 4, 2**18)


def test_what_is_left_out_is_as_near_as_the_bound_takes_it_to_be():
    """Every vector of small integers that stands for another one: quotients of coordinates
    within (1 + u) / (1 - u).
    """
    bits = 3
    most = (1 + Fraction(1, 2 ** (bits + 1))) / (1 - Fraction(1, 2 ** (bits + 1)))
    met = Fraction(1)
    vectors = [vector for vector in product((0, 15, 16, 17, 18), repeat=3) if any(vector)]
    for one, other in product(vectors, repeat=2):
        alike, combined = _alike(one, other, bits), _resembles([other], [1.0], one, bits)
        if alike or combined:
            assert [entry == 0 for entry in one] == [entry == 0 for entry in other]
            quotients = [Fraction(entry, twin) for entry, twin in zip(one, other) if entry]
            met = max(met, max(quotients) / min(quotients))
    assert 1 < met <= most


def test_rounding_keeps_zeros_and_loses_no_more_than_the_bound_takes():
    draw = random.Random(1)
    for keep in (5, 8, 20):
        for _ in range(300):
            vector = [
                draw.choice([0, draw.getrandbits(draw.randint(1, 90)), 2 ** draw.randint(1, 90) - 1]) for _ in "abc"
            ]
            if any(vector):
                rounded = Rounding(keep)(vector)
                assert [entry == 0 for entry in rounded] == [entry == 0 for entry in vector]
                quotients = [Fraction(entry, twin) for entry, twin in zip(vector, rounded) if entry]
                assert max(quotients) / min(quotients) <= 1 + Fraction(2, 2**keep)


def unlucky(matrices, keep, tolerance, draw):
    """Move a vector through a chain, exactly and with all that may go wrong in every step, each
    as far as it may.
    """
    near = Fraction(1, 2 ** (tolerance + 1))
    exact = wrong = [Fraction(1)] * 3
    for matrix in matrices:
        exact, wrong = ([sum(map(Fraction.__mul__, row, vector)) for row in matrix] for vector in (exact, wrong))
        signs = [draw.choice([0, 1]) for _ in range(3)]
        low = Fraction(1) / (1 + Fraction(2, 2**keep)) / ((1 + near) / (1 - near)) ** 2
        wrong = [entry * (low if sign else 1) for entry, sign in zip(wrong, signs)]
    return exact, wrong


@pytest.mark.parametrize(("tolerance", "steps"), [(2, 30), (4, 100), (8, 300), (10, 300)])
def test_unlucky_sweeps_stay_within_the_bound(tolerance, steps):
    draw = random.Random(steps)
    rounding = Rounding(tolerance + 4, tolerance)
    rounding.steps = steps
    # nothing contracts: errors add up
    still = [[Fraction(i == j) for j in range(3)] for i in range(3)]
    for moving in (False, True):
        rows = [[[Fraction(draw.randint(0, 2) + 9 * (i == j)) for j in range(3)] for i in range(3)] for _ in range(3)]
        matrices = [draw.choice(rows) if moving else still for _ in range(min(steps, 60) if moving else steps)]
        exact, wrong = unlucky(matrices, rounding.keep, tolerance, draw)
        for a, b in product(range(3), repeat=2):
            true, found = exact[a] / exact[b], wrong[a] / wrong[b]
            assert found / (1 + rounding.slack) <= true <= found * (1 + rounding.slack)


LIES = {
    "nothing is far": lambda weights, distance: (weights, 0.0),
    "everything is far": lambda weights, distance: (weights, 1.0),
    "no weights": lambda weights, distance: (weights * 0, 0.0),
    "wrong weights": lambda weights, distance: (weights * 1.01 + 1e-3, 0.0),
    "weights of another": lambda weights, distance: (weights[::-1].copy(), 0.0),
    "no numbers": lambda weights, distance: (weights * np.nan, np.nan),
}


@pytest.mark.parametrize("lie", LIES)
def test_floats_that_lie_about_directions_change_no_bound(monkeypatch, lie):
    draw = random.Random(4)
    kinds = [[drawn_law(draw, 2, False) for _ in "abcd"] for _ in range(2)]
    mechanism = LocalMechanism.of("abcd", "uv", [kinds[t % 2] for t in range(7)])
    secrets = secrets_of([1, 4], 7, "abcd")
    chain = drawn_chain(draw, 4, False)
    space = Framework.of_records(Records(7, tuple("abcd")), secrets, "disjoint", {"t": chain})
    exact = local_leakage(space, mechanism).leakage
    from scipy.optimize import nnls

    monkeypatch.setattr("scipy.optimize.nnls", lambda *arguments: LIES[lie](*nnls(*arguments)))
    assert local_leakage(space, mechanism).leakage == exact

    def merged(cones, records, start, pairs, keep):
        return cones._nearly(records, len(records), start, pairs, (keep, 26))

    monkeypatch.setattr(local_sides.Cones, "reaches", merged)
    bounds = local_leakage(space, mechanism).leakage
    assert bounds.lower <= exact.ratio <= bounds.upper


def test_the_tolerance_of_float_laws_is_above_what_their_roundings_compound_to():
    """k + 8 roundings of each of two laws, by (1 + u) and 1 / (1 - u) at worst, and the one of
    their quotient.
    """
    for terms in [1, 2, 1_000, 10**6, 2**31, 2**40]:
        laws = ConditionalLaws.__new__(ConditionalLaws)
        laws.secrets, laws.framework = ["s"], type("Many", (), {"secrets": {"s": range(terms)}})
        roundings = terms + 8
        worst = power_above((1 + UNIT) / (1 - UNIT), roundings) * (1 + UNIT)
        assert worst <= 1 + Fraction(laws.tolerance)


@pytest.mark.parametrize("pairs", ["disjoint", "listed"])
@pytest.mark.parametrize("seed", range(6))
def test_laws_that_are_off_by_as_much_as_they_may_be_change_no_leakage(monkeypatch, pairs, seed):
    """Ratios that differ in the sixteenth digit, and floats that are off by what the filter
    takes them to be off by.
    """
    draw = random.Random(seed)
    names = [f"x{i}" for i in range(5)]
    rows = {name: [10**15 + draw.randint(0, 9) for _ in range(6)] for name in names}
    channel = Channel.of(rows, [f"y{j}" for j in range(6)], normalize=True)
    listed = [(a, b) for i, a in enumerate(names) for b in names[:i]] if pairs == "listed" else "disjoint"
    prior = Table(dict(zip(names, [Fraction(1, 5)] * 5)))
    framework = Framework(names, {name: [name] for name in names}, listed, {"theta": prior})
    true = ConditionalLaws.floats_approx.func

    def off(laws):
        assert laws.reliable
        values = true(laws)
        return values * (
            1 + laws.tolerance * 0.49 * np.array(draw.choices([-1, 1], k=values.size)).reshape(values.shape)
        )

    monkeypatch.setattr(ConditionalLaws, "floats_approx", property(off))
    found = audit(framework, channel)
    assert found.leakage.ratio == brute.leakage(framework, channel)[0]
