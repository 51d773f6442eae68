"""The best split of a level between both sides: against one-sided designs at many budgets, by
the regions, and at limits.
"""

from fractions import Fraction
from itertools import product

import pytest

from pufferproof.lp.redaction.local import local_optimum
from pufferproof.lp.redaction.regions import DesignSide, exact_side
from pufferproof.lp.redaction.split import best_split
from pufferproof.lp.redaction.strategies import redaction_designs
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Budget, regions
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

CHAINS = {
    "positive": ("1/4", "1/2"),
    "strong": ("1/100", "1/2"),
    "zero": ("1/3", "2/3"),
    "negative": ("2/3", "3/4"),
    "tie": ("1/5", "1/5"),
    "swapped": ("1/2", "1/20"),
    "alternating": ("19/20", "9/10"),
}


def checked(chain, private, level):
    """A split whose mechanism has the regions of its budgets, keeps them one by one, and
    together the level.
    """
    found = best_split(chain, private, level)
    assert found.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**9))
    assert level.compare(found.left * found.right) <= 0
    leakage = redaction_leakage(chain, found.mechanism, private)
    for budget, part, near in (
        (found.left, leakage.left, lambda t: t < private),
        (found.right, leakage.right, lambda t: t > private),
    ):
        assert part.ratio <= budget
        large, medium, small = regions(chain, private, Level.log(budget))
        assert all(found.mechanism.rows[t - 1] == (1, 1) for t in large if near(t))
        assert all(found.mechanism.rows[t - 1] == (0, 0) for t in small if near(t))
        assert all(found.mechanism.rows[t - 1][1 - chain.common_value] == 1 for t in medium if near(t))
    assert found.mechanism.utility(chain) * chain.length == found.lower
    return found


def one_sided(chain, count, budget):
    side = DesignSide.of(chain, count, budget)
    return side.released + max(chain.stationary_law) * (side.size - exact_side(side).total)


@pytest.mark.parametrize("sign", CHAINS)
def test_no_split_of_a_grid_beats_the_bound_and_one_comes_close(sign):
    chain, private = BinaryChain(*CHAINS[sign], 6), 3
    for epsilon in (Fraction(1, 5), Fraction(9, 10)):
        level = Level.of_nats(epsilon)
        found, best = checked(chain, private, level), Fraction(0)
        for k in range(21):
            left, right = Budget(level, Fraction(k, 20)), Budget(level, 1 - Fraction(k, 20))
            value = one_sided(chain, 2, left) + one_sided(chain, 3, right)
            assert value <= found.upper
            best = max(best, value)
        assert best >= found.lower - Fraction(1, 2)


@pytest.mark.parametrize(
    ("alpha", "beta", "n", "private", "ratio"),
    [
        ("2/25", "37/50", 3, 2, "299/74"),
        ("4/5", "1/10", 9, 5, "12371/12221"),
        ("7/10", "1/2", 20, 10, "329999999999999967/280000000000000000"),
    ],
)
def test_levels_at_which_only_a_breakpoint_is_in_reach(alpha, beta, n, private, ratio):
    checked(BinaryChain(alpha, beta, n), private, Level.log(ratio))


@pytest.mark.parametrize("sign", [sign for sign in CHAINS if sign != "zero"])
def test_levels_very_close_to_products_of_influences(sign):
    chain = BinaryChain(*CHAINS[sign], 5)
    for values in product((0, 1), repeat=2):
        ratio, last = chain.influence(values[0], 1) * chain.influence(values[1], 2), Fraction(0)
        for power in (-15, -18, -40, 0, 40, 18):
            near = ratio + (Fraction(power > 0) - Fraction(power < 0)) / 10 ** abs(power)
            found = checked(chain, 2, Level.log(near))
            assert found.upper >= last
            last = found.lower


def test_the_order_of_strategies():
    for sign, epsilon in product(CHAINS, ("0.3", "1.1")):
        chain, level = BinaryChain(*CHAINS[sign], 8), Level.parse(epsilon)
        exact, split, local = redaction_designs(chain, 4, level, ["3r-exact", "3r-split", "local-optimal"])
        assert exact.lower <= split.upper
        assert split.lower <= local.upper


def test_splits_of_long_chains():
    for alpha, beta, epsilon in (("1/1000", "1/100", "0.3"), ("1/50", "1/60", "1"), ("349/350", "6/7", "0.1")):
        chain, level = BinaryChain(alpha, beta, 120), Level.parse(epsilon)
        assert checked(chain, 60, level).lower <= local_optimum(chain, 60, level).upper
