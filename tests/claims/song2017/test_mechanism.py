"""The quilt mechanism and its composition: exact leakages of small and of long releases."""

from fractions import Fraction
from itertools import product
from math import exp, log, prod

import pytest
from tests.verify.noise.sequences import sequence_noise_leakage

from pufferproof import Framework, Level, Table
from pufferproof.claims.papers.song2017.mechanism import approximate, eigengap
from pufferproof.claims.papers.song2017.setting.chains import Chain, chain, influence
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.ratio.listed import noise_leakage

F = Fraction


def quilt_noise(of: Chain, ratio: Fraction) -> Noise:
    """MQMExact for e^eps = `ratio`: the largest of least n / log(ratio / e^influence)."""

    def scale(score):
        return score[0] / log(score[1])

    found = []
    for i in range(1, of.length + 1):
        scores = []
        for left, right in product([0, *range(1, i)], [0, *range(1, of.length - i + 1)]):
            near = (left or i) + (right or of.length - i + 1) - 1
            shown = influence(of, i, [i - left] * (left > 0) + [i + right] * (right > 0))
            if shown is not None and shown < ratio:
                scores.append((near, ratio / shown))
        found.append(min(scores, key=scale))
    count, rest = max(found, key=scale)
    return Noise.laplace(f"{count}/log({rest.numerator}/{rest.denominator})")


def framework(of: Chain) -> Framework:
    databases = ["".join(map(str, x)) for x in product(range(of.states), repeat=of.length)]
    secrets = {
        f"x{i}={v}": [x for x in databases if x[i - 1] == str(v)]
        for i in range(1, of.length + 1)
        for v in range(of.states)
    }
    pairs = [(f"x{i}=0", f"x{i}={v}") for i in range(1, of.length + 1) for v in range(1, of.states)]
    theta = Table({x: of.law().get(x, F(0)) for x in databases})
    return Framework(tuple(databases), secrets, pairs, {"theta": theta})


SMALL = [
    chain("1/2 1/2", "2/3 1/3;1/3 2/3", 4),
    chain("1/4 3/4", "1/2 1/2;1/4 3/4", 4),
    chain("1 0", "9/10 1/10;1/2 1/2", 3),
    chain("1/2 1/2", "0 1;1/2 1/2", 4),
    chain("1/2 1/2", "1 0;0 1", 3),
]


@pytest.mark.parametrize("of", SMALL)
def test_releases_of_the_quilt_mechanism_keep_the_sum_of_their_levels(of):
    """One, two and three releases with different functions, levels and hence quilts."""
    databases = framework(of)
    counts = {x: x.count("1") for x in databases.databases}
    ends = {x: int(x[0] != x[-1]) for x in databases.databases}
    ratios = (F(3), F(8), F(2))
    queries = (counts, ends, counts)
    releases = [AdditiveNoise(f, quilt_noise(of, ratio)) for f, ratio in zip(queries, ratios)]
    for k, ratio in enumerate(ratios, 1):
        assert noise_leakage(databases, releases[k - 1]).compare(Level.log(ratio)) <= 0
        allowed = Level.log(prod(ratios[:k]))
        assert noise_leakage(databases, *releases[:k]).compare(allowed) <= 0


def test_copies_of_one_value_reach_the_sum():
    of = chain("1/2 1/2", "1 0;0 1", 1)
    release = AdditiveNoise({"0": 0, "1": 1}, quilt_noise(of, F(3)))
    assert noise_leakage(framework(of), release, release, release).compare(Level.log(F(27))) == 0


def test_the_eigen_gap_bound_and_the_influence_it_misses():
    exact = eigengap.three_nodes(eigengap.PAIRS, 10, *eigengap.DISTANCES)
    assert 2.38 < float(exact) < 2.39
    assert eigengap.reversed_product(eigengap.PAIRS.step, eigengap.PAIRS.start)[1] == (0, 1, 0)
    short = chain("1/9 4/9 4/9", "1/5 4/5 0;0 0 1;1/5 4/5 0", 5)
    assert eigengap.three_nodes(short, 3, 2, 2) == influence(short, 3, [1, 5])


def test_the_left_tail_is_that_of_the_enumerated_chain():
    from flint import arb

    step = approximate.pairs_of_bits()
    start = tuple(x / 2 for x in (F(99, 100), F(1, 100), F(1, 100), F(99, 100)))
    of, sigma = Chain(start, step, 5), arb(3)
    for record in (1, 3, 5):
        tails = [
            sum(float(p) * exp(-sum(c in "23" for c in x) / 3) for x, p in law.items())
            for law in (of.given(record, value) for value in (0, 3))
        ]
        found = float(approximate.left_tail_ratio(sigma, record, 5))
        assert abs(found - tails[0] / tails[1]) < 1e-12 * found


def test_what_the_approximate_mechanism_leaks():
    found = approximate.evidence()
    assert found["sigma_max"].startswith("40.4158")
    assert found["leakage at least"].startswith(("1.11598", "1.11599"))
    assert approximate.two_sided_is_active()
    assert not approximate.two_sided_is_active(1)
    assert approximate.leaks_more()


def test_dynamic_programming_finds_the_same_excess():
    """States are labelled by numbers equal to their first bits, at a scale above the mechanism."""
    records = Records(approximate.LENGTH, ("0", "0.0", "1.0", "1"))
    secrets = {"00": (30, "0"), "11": (30, "1")}
    theta = MarkovChain("stationary", approximate.pairs_of_bits())
    of = Framework.of_records(records, secrets, [("00", "11")], {"theta": theta})
    release = RecordQuery("sum", Noise.laplace("40.42"), records)
    found = sequence_noise_leakage(of, release)
    assert found.compare(Level.of_nats(approximate.EPSILON)) > 0
    assert found.leakage.enclosure().lower.startswith("1.1158")
