"""What composes on a chain: the setting, two mechanisms on two segments, and two releases."""

from fractions import Fraction
from itertools import product

from pufferproof import Framework, Table
from pufferproof.claims.papers.song2017.setting import chains
from pufferproof.claims.papers.song2017.setting.chains import chain, output_law, shows
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
    for i, left, right in product(range(1, 5), range(4), range(4)):
        if left >= i or i + right > 4:
            continue
        nodes = [i - left] * (left > 0) + [i + right] * (right > 0)
        assert exact.of(i, left or None, right or None).upper == chains.influence(of, i, nodes)


def test_divergence_of_two_bits_by_hand():
    law = joint_law(F(3))
    assert law == {"00": F(3, 8), "01": F(1, 8), "10": F(1, 8), "11": F(3, 8)}
    assert single(law) == [F(1, 2)] * 4
    assert chains.worst([law, joint_law(F(1, 3))]) == 3


def test_releases_are_independent_given_the_database():
    of = chain("1/2 1/2", "1 0;0 1", 2)
    flip = shows((1, 1), 1, 2, [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], "uv")
    law = output_law(of.laws_of(1)[0], (flip, (1, 1)), (flip, (2, 2)))
    assert law == {"uu": F(9, 16), "uv": F(3, 16), "vu": F(3, 16), "vv": F(1, 16)}


def framework(p, q):
    """Two bits, P(X_1=1) = 1/2; secrets of X_1."""
    law = {"00": (1 - q) / 2, "01": q / 2, "10": (1 - p) / 2, "11": p / 2}
    secrets = {"x1=0": ["00", "01"], "x1=1": ["10", "11"]}
    return Framework(tuple(law), secrets, [("x1=0", "x1=1")], {"theta": Table(law)})


COUNT = AdditiveNoise({"00": 0, "01": 1, "10": 1, "11": 2}, Noise.laplace(1))


def test_suprema_are_the_closed_forms():
    for p, q in (("9/10", "1/100"), ("1/5", "1/2"), ("1", "0"), ("1/3", "1/3"), ("0", "3/4")):
        p, q = F(p), F(q)
        for releases in ((COUNT,), (COUNT, COUNT)):
            c, of = statement.c ** len(releases), statement
            forms = [
                c * (of.q + c * (1 - of.q)) / (of.p + c * (1 - of.p)),
                c * (c * of.p + 1 - of.p) / (c * of.q + 1 - of.q),
            ]
            found = noise_leakage(framework(p, q), *releases).leakage.enclosure()
            largest = max(float(statement.value(form, p, q).log()) for form in forms)
            assert float(found.lower) - 1e-12 <= largest <= float(found.upper) + 1e-12
