"""What composes on a chain: the setting, two mechanisms on two segments, and two releases."""

from fractions import Fraction

from pufferproof import Framework, Table
from pufferproof.claims.papers.song2017.setting.chains import (
    chain,
    influence,
    output_law,
    shows,
    worst,
)
from pufferproof.claims.papers.song2017.setting.divergence import joint_law, single
from pufferproof.claims.papers.song2017.two_releases import statement
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.noise.ratio.listed import noise_leakage

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


# The two-release counterexample: closed forms against exact leakage of Laplace noise.


def framework(p, q):
    """Two bits, P(X_1=1) = 1/2; secrets of X_1."""
    law = {"00": (1 - q) / 2, "01": q / 2, "10": (1 - p) / 2, "11": p / 2}
    secrets = {"x1=0": ["00", "01"], "x1=1": ["10", "11"]}
    return Framework(tuple(law), secrets, [("x1=0", "x1=1")], {"theta": Table(law)})


COUNT = AdditiveNoise({"00": 0, "01": 1, "10": 1, "11": 2}, Noise.laplace(1))


def bounds(leaks):
    return leaks.leakage.enclosure()


def test_suprema_are_the_closed_forms():
    for p, q in (
        (F(9, 10), F(1, 100)),
        (F(1, 5), F(1, 2)),
        (F(1), F(0)),
        (F(1, 3), F(1, 3)),
        (F(0), F(3, 4)),
    ):
        of = framework(p, q)
        for releases in ((COUNT,), (COUNT, COUNT)):
            found, c = bounds(noise_leakage(of, *releases)), statement.c ** len(releases)
            first = (
                c * (statement.q + c * (1 - statement.q)) / (statement.p + c * (1 - statement.p))
            )
            second = c * (c * statement.p + 1 - statement.p) / (c * statement.q + 1 - statement.q)
            largest = max(float(statement.value(form, p, q).log()) for form in (first, second))
            assert float(found.lower) - 1e-12 <= largest <= float(found.upper) + 1e-12
