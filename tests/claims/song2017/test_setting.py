"""Influences, quilts, divergences and the background of the composition paper: verdicts, and
what they rest on.
"""

from fractions import Fraction

from pufferproof.claims.papers.song2017.setting.chains import (
    chain,
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
