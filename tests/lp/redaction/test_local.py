"""The best local redaction: its structure, against all r_t(x) of grids, random moves, exact
recursions and the definition.
"""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from tests.brute.redaction import largest_ratio, likelihoods, utility

from pufferproof.lp.redaction.curve import Curve, Profile, Shape
from pufferproof.lp.redaction.local import local_optimum
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

CHAINS = {
    "positive": ("1/4", "1/2"),
    "strong": ("1/100", "1/2"),
    "zero": ("1/3", "2/3"),
    "negative": ("2/3", "3/4"),
    "tie": ("1/5", "1/5"),
    "swapped": ("1/2", "1/20"),
    "alternating": ("19/20", "9/10"),
    "rare": ("1/1000", "1/2"),
}
REDACTED = (Fraction(1), Fraction(1))


def keeps(chain, mechanism, private, level):
    ratio = redaction_leakage(chain, mechanism, private).leakage.ratio
    return ratio is not None and level.compare(ratio) <= 0


def checked(chain, private, level):
    found = local_optimum(chain, private, level)
    assert keeps(chain, found.mechanism, private, level)
    assert found.mechanism.utility(chain) * chain.length == found.lower
    assert found.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**9))
    return found


def others(chain, private, rows):
    filled = iter(rows)
    return LocalRedaction([REDACTED if t == private else next(filled) for t in range(1, chain.length + 1)])


@pytest.mark.parametrize("sign", CHAINS)
def test_no_mechanism_of_a_grid_beats_the_bound(sign):
    chain = BinaryChain(*CHAINS[sign], 3)
    grid = list(product([Fraction(k, 4) for k in range(5)], repeat=2))
    for private, epsilon in ((1, "log(3/2)"), (2, "0.9")):
        level = Level.parse(epsilon)
        found = checked(chain, private, level)
        gains = [sum(p * (1 - r) for p, r in zip(chain.stationary_law, row)) for row in grid]
        for (one, gain), (other, more) in product(zip(grid, gains), repeat=2):
            if gain + more > found.upper:
                tried = others(chain, private, (one, other))
                assert tried.utility(chain) * 3 == gain + more
                assert not keeps(chain, tried, private, level)


def test_what_is_found_keeps_the_level_by_the_definition():
    for sign, private in product(("strong", "alternating", "swapped"), (1, 2)):
        chain, level = BinaryChain(*CHAINS[sign], 4), Level.log("7/4")
        mechanism = local_optimum(chain, private, level).mechanism
        worst = largest_ratio(likelihoods(chain, mechanism, private))
        assert worst is not None
        assert level.compare(worst) <= 0
        assert utility(chain, mechanism) == mechanism.utility(chain)


def test_two_records_are_known_in_closed_form():
    # q (E A(0) - A(1)) >= B(1) - E B(0) with P = [[3/4, 1/4], [1/2, 1/2]], E = 3/2: q = (1/2 - 3/8)
    # / (9/8 - 1/2) = 1/5
    found = checked(BinaryChain("1/4", "1/2", 2), 1, Level.log("3/2"))
    assert found.lower == Fraction(2, 3) * Fraction(4, 5)
    assert found.mechanism.rows[1] == (Fraction(1, 5), Fraction(1))


def test_influences_of_breakpoints_are_reached_not_only_approached():
    chain = BinaryChain("1/4", "1/2", 6)
    for value, distance in product((0, 1), (1, 2)):
        ratio = chain.influence(value, distance)
        at = checked(chain, 1, Level.log(ratio))
        below = checked(chain, 1, Level.log(ratio - Fraction(1, 10**9)))
        above = checked(chain, 1, Level.log(ratio + Fraction(1, 10**9)))
        assert below.upper <= at.upper <= above.upper
        assert above.upper - at.lower < Fraction(1, 10**5)  # continuous from the right


NEAR = (
    ("1/100", "4/5", 3, 2, "20"),
    ("1/100", "4/5", 4, 2, "20"),
    ("1/100", "4/5", 6, 3, "20"),
    ("1/10", "9/20", 3, 2, "11/2"),
    ("2/25", "37/50", 3, 2, "299/74"),
    ("17/20", "47/50", 10, 5, "31034444444444441341/526400000000000000"),
)


def test_levels_at_which_only_a_breakpoint_is_in_reach():
    for alpha, beta, n, private, ratio in NEAR:
        checked(BinaryChain(alpha, beta, n), private, Level.log(ratio))


@pytest.mark.parametrize("sign", [sign for sign in CHAINS if sign != "zero"])
def test_levels_very_close_to_products_of_influences(sign):
    chain = BinaryChain(*CHAINS[sign], 5)
    for values in product((0, 1), repeat=2):
        ratio, last = chain.influence(values[0], 2) * chain.influence(values[1], 1), Fraction(0)
        for power in (-18, -40, 0, 40, 18):
            near = ratio + (Fraction(power > 0) - Fraction(power < 0)) / 10 ** abs(power)
            found = checked(chain, 3, Level.log(near))
            assert found.upper >= last
            last = found.lower


def test_utility_does_not_fall_with_the_level():
    for sign in ("positive", "strong", "alternating", "tie"):
        chain, last = BinaryChain(*CHAINS[sign], 7), Fraction(0)
        for k in range(1, 25, 2):
            found = checked(chain, 3, Level.of_nats(Fraction(k, 12)))
            assert found.upper >= last
            last = found.lower


def test_the_curve_is_that_of_the_exact_recursion():
    draw = Random(3)
    for _ in range(60):
        alpha, beta = Fraction(draw.randrange(1, 31), 31), Fraction(draw.randrange(1, 31), 31)
        if alpha + beta == 1:
            continue
        count = draw.randrange(1, 8)
        first = draw.randrange(1, count + 1)
        shape = Shape(draw.randrange(2), first, draw.randrange(first + 1, count + 2), count)
        curve = Curve(BinaryChain(alpha, beta, count + 1))
        theta = draw.choice([draw.random(), draw.random() ** 4, 1 + 5 * draw.random()])
        profile = Profile.near(curve.chain, shape, curve.q(shape, theta))
        arcs = curve.arcs(shape, np.array([theta]), np.array([theta]))
        close = 1e-12 + 1e-9 * float(1 - profile.ratio)
        assert arcs.room[0][0] - close <= 1 - profile.ratio <= arcs.room[1][0] + close
        assert arcs.gain[0][0] - 1e-9 <= profile.gain <= arcs.gain[1][0] + 1e-9
        for k, q in enumerate(profile.q):  # all q below 1 have the same effect per unit of log ratio
            if q < 1:
                moved = Profile(curve.chain, shape, (*profile.q[:k], q + Fraction(1, 10**9), *profile.q[k + 1 :]))
                rate = (profile.gain - moved.gain) / ((moved.ratio - profile.ratio) / profile.ratio)
                assert abs(float(rate) / arcs.slope[0][0] - 1) < 1e-4


@pytest.mark.parametrize("n", [40, 120])
def test_long_chains(n):
    for alpha, beta, epsilon in (("1/1000", "1/100", "0.3"), ("349/350", "6/7", "0.1"), ("1/50", "1/60", "1")):
        checked(BinaryChain(alpha, beta, n), n // 2, Level.parse(epsilon))
