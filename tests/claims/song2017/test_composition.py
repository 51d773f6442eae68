"""What composes on a chain: the setting, two mechanisms on two segments, and two releases."""

from fractions import Fraction
from math import exp

import pytest
from tests.claims.examination import examined
from tests.claims.rules import (
    assert_repaired,
    assert_reproducible,
    evidence,
)

from pufferproof import Channel, Framework, Level, Table, Verdict, audit
from pufferproof.claims.papers.song2017.setting.chains import (
    chain,
    influence,
    output_law,
    shows,
    worst,
)
from pufferproof.claims.papers.song2017.setting.divergence import joint_law, single
from pufferproof.claims.papers.song2017.two_releases import statement
from pufferproof.models.influence.chain import ChainInfluence
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.noise.leakage import noise_leakage
from pufferproof.verify.proof.argument import ClaimVerdict

# Influences, quilts, divergences and the background of the composition paper: verdicts, and what
# they rest on.


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


# Two mechanisms on two segments of a chain: the counterexamples to the printed theorem.


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


# The two-release counterexample: closed forms, numbers and region, against exact leakage of
# Laplace noise.


def framework(p, q, r, both=False):
    """Two bits, P(X_1=1) = r; secrets of X_1, or of both."""
    law = {"00": (1 - r) * (1 - q), "01": (1 - r) * q, "10": r * (1 - p), "11": r * p}
    secrets = {"x1=0": ["00", "01"], "x1=1": ["10", "11"]}
    pairs = [("x1=0", "x1=1")]
    if both:
        secrets |= {"x2=0": ["00", "10"], "x2=1": ["01", "11"]}
        pairs.append(("x2=0", "x2=1"))
    return Framework(tuple(law), secrets, pairs, {"theta": Table(law)})


COUNT = AdditiveNoise({"00": 0, "01": 1, "10": 1, "11": 2}, Noise.laplace(1))


def bounds(leaks):
    return leaks.leakage.enclosure()


@pytest.mark.parametrize("both", [False, True])
def test_the_printed_pair_leaks_more_than_twice_as_much(both):
    of = framework(F(9, 10), F(1, 100), F(1, 11), both)
    one, two = noise_leakage(of, COUNT), noise_leakage(of, COUNT, COUNT)
    assert float(bounds(two).lower) > 2 * float(bounds(one).upper) + 0.01
    assert (one.witness.output, two.witness.output) == ("2", "2,2")


def test_suprema_are_the_closed_forms():
    for p, q in (
        (F(9, 10), F(1, 100)),
        (F(1, 5), F(1, 2)),
        (F(1), F(0)),
        (F(1, 3), F(1, 3)),
        (F(0), F(3, 4)),
    ):
        of = framework(p, q, F(1, 2))
        for releases in ((COUNT,), (COUNT, COUNT)):
            found, c = bounds(noise_leakage(of, *releases)), statement.c ** len(releases)
            first = (
                c * (statement.q + c * (1 - statement.q)) / (statement.p + c * (1 - statement.p))
            )
            second = c * (c * statement.p + 1 - statement.p) / (c * statement.q + 1 - statement.q)
            largest = max(float(statement.value(form, p, q).log()) for form in (first, second))
            assert float(found.lower) - 1e-12 <= largest <= float(found.upper) + 1e-12


def test_the_region_is_where_exact_leakages_say():
    grid = [F(k, 7) for k in range(8)]
    for p in grid:
        for q in grid:
            of = framework(p, q, F(1, 2))
            one, two = bounds(noise_leakage(of, COUNT)), bounds(noise_leakage(of, COUNT, COUNT))
            s, t = (p, q) if p * (1 - p) >= q * (1 - q) else (1 - q, 1 - p)
            side = float((s - t) * (1 - s - t)) - (exp(2) - 1) * float(s * t * (s - t))
            excess = float(two.upper) - 2 * float(one.lower)
            assert (excess > 1e-9) == (side > 1e-9)
            assert excess <= 0.24023


def test_a_rational_witness_is_found_by_audits():
    of = framework(F(1, 2), F(1, 10), F(1, 6), both=True)
    clipped = {
        0: [F(2, 3), F(1, 6), F(1, 6)],
        1: [F(1, 3), F(1, 3), F(1, 3)],
        2: [F(1, 6), F(1, 6), F(2, 3)],
    }
    channel = Channel.of({x: clipped[x.count("1")] for x in of.databases}, ["0", "1", "2"])
    assert audit(of, channel, Level.log(F(30, 11))).verdict is Verdict.SATISFIES
    joint = channel.beside(channel)
    assert audit(of, joint, Level.log(F(900, 121))).verdict is Verdict.VIOLATES
    assert audit(of, joint, Level.log(F(100, 13))).verdict is Verdict.SATISFIES


@pytest.mark.parametrize(("start", "works"), [(F(1, 11), True), (F(1, 3), False)])
def test_whether_it_works_depends_on_the_start(start, works):
    of = framework(F(9, 10), F(1, 100), start, both=True)
    one, two = bounds(noise_leakage(of, COUNT)), bounds(noise_leakage(of, COUNT, COUNT))
    assert (float(two.lower) > 2 * float(one.upper)) is works
    assert (float(two.upper) < 2 * float(one.lower)) is not works


def test_the_start_matters_when_both_nodes_are_secret():
    """Stationary starts keep the counterexample; a fair start of the same chain has a larger
    level for X_2.
    """
    p, q = F(9, 10), F(1, 100)
    fair = noise_leakage(framework(p, q, F(1, 2), both=True), COUNT)
    first = noise_leakage(framework(p, q, F(1, 2)), COUNT)
    assert fair.witness.pair[0][:2] == "x2"
    assert float(bounds(fair).lower) > float(bounds(first).upper)
