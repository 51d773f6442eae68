"""Influences, quilts, divergences and the background of the composition paper: verdicts, and
what they rest on.
"""

from fractions import Fraction

import pytest

from pufferproof.claims.papers.song2017.mechanism.quilts import found, printed_forms, printed_pairs
from pufferproof.claims.papers.song2017.setting.chains import (
    chain,
    chains,
    influence,
    output_law,
    shows,
    worst,
)
from pufferproof.claims.papers.song2017.setting.divergence import joint_law, single
from pufferproof.models.influence.chain import ChainInfluence
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along

F = Fraction


@pytest.mark.parametrize("length", range(1, 9))
def test_minimal_quilts_by_enumeration_of_all_labellings(length):
    for node in range(1, length + 1):
        assert (
            found(length, node, "any")
            == found(length, node, "piece")
            == printed_forms(length, node)
        )
        assert found(length, node, "any", independent=True) == {frozenset()}
        ends = node in (1, length)
        assert (printed_pairs(length, node) == printed_forms(length, node)) is not ends
    assert any(
        found(length, i, "unions") != printed_forms(length, i) for i in range(1, length + 1)
    ) is (length >= 4)


def test_influence_never_falls_with_the_set():
    for of in chains(2, 2, [3]):
        for i in (1, 2, 3):
            others = [t for t in (1, 2, 3) if t != i]
            whole = influence(of, i, others)
            for kept in ([], others[:1], others[1:]):
                part = influence(of, i, kept)
                assert whole is None or (part is not None and part <= whole)
            assert influence(of, i, [i]) == (None if len(of.laws_of(i)) == 2 else 1)


def test_influence_of_joint_quilts_is_at_most_the_sum():
    for of in chains(2, 3, [4]):
        one, two, joint = influence(of, 3, [1, 4]), influence(of, 3, [2]), influence(of, 3, [2, 4])
        assert one is None or two is None or (joint is not None and joint <= one * two)


def test_a_long_way_round_agrees_with_powers():
    of = chain("1/4 3/4 0", "0 1 0;0 1/2 1/2;1/3 0 2/3", 4)
    exact = ChainInfluence(Along(MarkovChain(of.start, of.step), 4))
    for i, left, right in (
        (2, 1, 2),
        (3, 2, 1),
        (3, None, 1),
        (4, 3, None),
        (1, None, 3),
        (2, None, None),
    ):
        nodes = [*([i - left] if left else []), *([i + right] if right else [])]
        assert exact.of(i, left, right).upper == influence(of, i, nodes)


def test_divergence_of_two_bits_by_hand():
    law = joint_law(F(3))
    assert law == {"00": F(3, 8), "01": F(1, 8), "10": F(1, 8), "11": F(3, 8)}
    assert single(law) == [F(1, 2)] * 4
    assert worst([law, joint_law(F(1, 3))]) == 3


def test_releases_are_independent_given_the_database():
    of = chain("1/2 1/2", "1 0;0 1", 2)
    flip = shows((1, 1), 1, 2, [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], "uv")
    law = output_law(of.laws_of(1)[0], (flip, (1, 1)), (flip, (2, 2)))
    assert law == {"uu": F(9, 16), "uv": F(3, 16), "vu": F(3, 16), "vv": F(1, 16)}
