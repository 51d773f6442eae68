"""Redaction designs against grids of q, enumerated patterns and outputs, a conic solver, and
closed forms known by hand.
"""

from fractions import Fraction
from itertools import product

import pytest
from tests.brute.redaction import largest_ratio, likelihoods

from pufferproof.lp.redaction.regions import DesignSide, constant_side, exact_side, relaxed_side
from pufferproof.lp.redaction.strategies import NAMES, Design, Skipped, best_window, redaction_designs
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Budget
from pufferproof.models.sequences.redaction import LocalRedaction, three_regions
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

FIGURES = BinaryChain("1/100", "4/5", 10)
CHAINS = {
    "positive": ("1/4", "1/2"),
    "strong": ("1/100", "1/2"),
    "zero": ("1/3", "2/3"),
    "negative": ("2/3", "3/4"),
    "tie": ("1/5", "1/5"),
    "swapped": ("1/2", "1/20"),
}
LEVELS = ["0", "0.2", "log(3/2)", "1", "log(2)"]


def end(chain, epsilon):
    return DesignSide.of(chain, chain.length - 1, Budget(Level.parse(epsilon)))


def mechanism(side, q):
    return three_regions(
        side.chain, 1, side.budget, side.budget, {1 + side.first + k: value for k, value in enumerate(q)}
    )


def test_events_of_a_side_are_those_of_the_full_leakage():
    for (alpha, beta), epsilon in product(CHAINS.values(), LEVELS):
        side = end(BinaryChain(alpha, beta, 5), epsilon)
        for grid in ([Fraction(1, 3), Fraction(1), Fraction(2, 7), Fraction(0)], [Fraction(3, 4)] * 4):
            q = grid[: side.size]
            largest = redaction_leakage(side.chain, mechanism(side, q), 1).leakage.ratio
            assert side.keeps(q) == (largest is not None and side.budget.compare(largest) <= 0)


def test_relaxed_constraints_hold_exactly_and_cannot_be_lowered():
    side = end(FIGURES, "0.3")
    q = relaxed_side(side).q
    for k in range(1, side.size + 1):
        reached = Fraction(1)
        for value in q[:k]:
            reached *= value
        assert side.budget.compare(side.delta(k) / reached) <= 0
    total = sum(q) * Fraction(999, 1000)
    grid = [Fraction(k, 50) for k in range(1, 51)]
    for trial in product(grid, repeat=2):
        last = total - sum(trial)
        if 0 < last <= 1:
            point, reached, feasible = [*trial, last], Fraction(1), True
            for k, value in enumerate(point, 1):
                reached *= value
                feasible = feasible and side.budget.compare(side.delta(k) / reached) <= 0
            assert not feasible


@pytest.mark.parametrize(("n", "epsilon"), [(10, "1"), (10, "0.3"), (3, "0.5"), (4, "0.3"), (10, "log(3/2)")])
def test_no_q_of_a_grid_is_better_than_the_exact_design(n, epsilon):
    side = end(BinaryChain("1/100", "4/5", n), epsilon)
    found, constant = exact_side(side), constant_side(side)
    assert side.keeps(found.q)
    assert side.keeps(constant.q)
    assert found.total - found.least < Fraction(1, 10**12)
    assert constant.total - constant.least < Fraction(1, 10**12)
    assert found.total <= constant.total <= relaxed_side(side).total
    rising = sorted(product(range(11), repeat=side.size), key=sum)
    best = next(Fraction(sum(q), 10) for q in rising if side.keeps(tuple(Fraction(k, 10) for k in q)))
    assert found.least <= best
    assert best <= found.total + Fraction(3, 10)


def test_below_the_constant_nothing_is_kept():
    for epsilon in ("1", "0.3"):
        side = end(FIGURES, epsilon)
        found = constant_side(side)
        assert not side.keeps([found.least / side.size] * side.size)


@pytest.mark.parametrize("sign", CHAINS)
def test_best_window_is_the_best_pattern(sign):
    for n in (1, 2, 5):
        chain = BinaryChain(*CHAINS[sign], n)
        for private, epsilon in product(range(1, n + 1), LEVELS):
            level = Level.parse(epsilon)
            found = best_window(chain, private, level).mechanism
            most = 0
            for pattern in product((0, 1), repeat=n):
                chosen = LocalRedaction.releasing([t for t in range(1, n + 1) if pattern[t - 1]], n)
                ratio = redaction_leakage(chain, chosen, private).leakage.ratio
                if ratio is not None and level.compare(ratio) <= 0:
                    most = max(most, sum(pattern))
            assert len(found.released) == most


def test_first_example_of_the_source():
    chain, level = BinaryChain("1/4", "1/2", 2), Level.parse("0.5")
    found = {design.name: design for design in redaction_designs(chain, 1, level)}
    assert found["data-independent"].upper == 0
    assert found["3r-constant"].lower > Fraction(7, 24)
    assert found["3r-constant"].mechanism.rows[1][0] < Fraction(1, 8)


@pytest.mark.parametrize("sign", CHAINS)
def test_designs_keep_their_level_by_enumeration_and_are_ordered(sign):
    for n, epsilon in ((1, "0.5"), (2, "log(3/2)"), (3, "0"), (3, "0.9"), (4, "log(2)")):
        chain, level = BinaryChain(*CHAINS[sign], n), Level.parse(epsilon)
        for private in range(1, n + 1):
            designs = redaction_designs(
                chain, private, level, [name for name in NAMES if n < 4 or name != "central-lp"]
            )
            reached = {design.name: design for design in designs if isinstance(design, Design)}
            for design in reached.values():
                assert 0 <= design.lower <= design.upper <= 1
                if design.mechanism is not None:
                    ratio = largest_ratio(likelihoods(chain, design.mechanism, private))
                    assert ratio == design.leakage.ratio
                    assert level.compare(ratio) <= 0
                    assert design.mechanism.utility(chain) == design.lower
            assert reached["3r-relaxed"].lower <= reached["3r-constant"].upper <= reached["3r-exact"].upper
            if "central-lp" in reached:
                assert all(design.lower <= reached["central-lp"].upper for design in reached.values())


def test_what_is_not_computed_says_why():
    assert all(
        isinstance(design, Skipped) and design.reason
        for design in redaction_designs(BinaryChain("1/4", "1/2", 20), 2, Level.log(2), ["central-lp"])
    )
    with pytest.raises(ModelError, match="expected one of data-independent"):
        redaction_designs(FIGURES, 1, Level.log(2), ["best"])
