"""Two mechanisms on two segments of a chain: the printed theorem, its proof and the repair, by
enumeration.
"""

from fractions import Fraction

import pytest
from tests.claims.examination import examined
from tests.claims.rules import (
    assert_repaired,
    assert_reproducible,
    evidence,
)

from pufferproof.claims.papers.song2017.composition import parallel
from pufferproof.claims.papers.song2017.setting.chains import chains, influence, leakage, shows
from pufferproof.verify.proof.argument import ClaimVerdict

F = Fraction


@pytest.mark.claims
def test_the_printed_theorem_is_false_and_its_files_show_it():
    check = examined("song2017.thm-III1")
    assert check.verdict is ClaimVerdict.REFUTED
    assert_repaired(check)
    assert_reproducible(check)
    found = evidence(check)
    assert (found["e^eps_A"], found["e^eps_B"]) == (19, 16)
    assert (found["e^E as printed"], found["joint e^leakage"]) == (F(779, 23), 34)
    stationary = evidence(check, 1)
    assert (stationary["e^E as printed"], stationary["joint e^leakage"]) == (
        F(783, 11),
        F(1827, 25),
    )


def flags(record, low, high, segment):
    return shows(segment, record, 2, [[low, 1 - low], [high, 1 - high]], "uv")


def product(*ratios):
    return None if None in ratios else ratios[0] * ratios[1]


def least(*ratios):
    return min((ratio for ratio in ratios if ratio is not None), default=None)


def test_the_repaired_bound_holds_and_is_reached():
    reached = False
    chances = [F(1, 10), F(1, 2), F(9, 10)]
    for of in list(chains(2, 3, [4]))[::3]:
        forward, backward = influence(of, 2, [3]), influence(of, 3, [2])
        for low in chances[:2]:
            for high in chances[1:]:
                first, second = flags(2, low, high, (1, 2)), flags(3, high, low, (3, 4))
                a = leakage(of, [1, 2], (first, (1, 2)))
                b = leakage(of, [3, 4], (second, (3, 4)))
                for records, own, across in (([1, 2], a, forward), ([3, 4], b, backward)):
                    joint = leakage(of, records, (first, (1, 2)), (second, (3, 4)))
                    bound = least(product(a, b), product(own, across))
                    assert bound is None or joint <= bound
                    reached = reached or joint == bound != 1
    assert reached


def test_no_mechanism_beats_flags_and_flags_reach_the_best_ratio():
    for of in list(chains(2, 3, [4], zeros=False))[::5]:
        kernels = [[of.step[v][y] for y in (0, 1)] for v in (0, 1)]
        for level in (F(2), F(5)):
            best = max(
                (1 + (level - 1) * kernels[v][y]) / (1 + (level - 1) * kernels[1 - v][y])
                for v in (0, 1)
                for y in (0, 1)
            )
            rare = 1 / (level + 1)
            reached = F(1)
            for y in (0, 1):
                second = shows(
                    (3, 4),
                    3,
                    2,
                    [[rare, 1 - rare], [rare * level, 1 - rare * level]][:: 1 if y else -1],
                    "uv",
                )
                assert leakage(of, [3, 4], (second, (3, 4))) <= level
                for low, high in ((rare, rare * level), (rare * level, rare)):
                    first = flags(2, low, high, (1, 2))
                    joint = leakage(of, [1, 2], (first, (1, 2)), (second, (3, 4)))
                    assert joint <= leakage(of, [1, 2], (first, (1, 2))) * best
                    reached = max(reached, joint)
            assert reached == level * best


def test_exchanged_influences_matter_only_for_unequal_levels():
    assert parallel.of_printed(F(4), F(4), F(2), F(3)) == 12
    assert parallel.of_printed(F(8), F(3), F(5), F(2)) == 16
