"""Differential privacy, Laplace noise and its size: what sections 1 and 2 define and remark.

A density of Lap(s) is proportional to exp(-|z|/s), so that ratios of densities are compared as
differences of |w - f|. Source: wang2016, sections 1 and 2.1 to 2.2.
"""

from fractions import Fraction
from functools import partial
from typing import Any

from sympy import Rational

from pufferproof.claims.language import PRINTED, Edit, Proof, letter, letters, proved
from pufferproof.claims.papers.wang2016 import error_statements as says
from pufferproof.claims.papers.wang2016.linked import EQUAL_RECORDS
from pufferproof.claims.papers.wang2016.statements import (
    COUNT_AND_HISTOGRAM,
    GLOBAL_SENSITIVITY,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.ratio.listed import noise_leakage

s = letter("s", "the scale of the noise")
x, y = letters("x y", "the entries of the bins that a changed entry leaves and enters")
n = letter("n", "the number of people, or of nodes")
NOTATION = {"s": s.meaning, "S": "a set of outcomes", "D": "a database", "F": "a query"}


@claim(
    "wang2016.def-dp",
    where="Definition 2.1",
    statement="M is epsilon-DP iff Pr(M(D) in S) <= e^epsilon Pr(M(D') in S) for all sets S of "
    "outcomes and all D, D' that differ in the private value of one individual. Entry-privacy: "
    "D, D' differ in one entry of one individual.",
    kind="definition",
)
def def_dp(check: Check) -> None:
    with check.reading(PRINTED) as proof:
        proof.definition(
            "pairs",
            "D and D' differ in the private value of one individual; both orders, all events",
        )
        proof.definition(
            "entry-privacy", "D and D' differ in one entry or feature of an individual"
        )


@claim(
    "wang2016.def-gs",
    where="Definition 2.2",
    statement="GS(F) = max |F(D) - F(D')| over D, D' that differ in one individual's private "
    "value. F(D) + Lap(GS(F)/epsilon) is epsilon-DP.",
    kind="definition and theorem",
    assumes=["GS(F) > 0; if it is 0 then F is the same on neighbours, and no noise is needed"],
    says={PRINTED: GLOBAL_SENSITIVITY},
)
def def_gs(check: Check) -> None:
    """Prove the theorem by the triangle inequality, and by sums of densities for sets of
    outcomes.

    Densities: The logarithm of the ratio of densities at w is (|w - h| - |w - f|)/s with s e = G.
    Sets of outcomes: a bound on densities is one on sums, and on their limits [lemma.mediant].
    """


@claim(
    "wang2016.x-laplace-deviation",
    where="sections 1 and 2.2, beyond",
    statement="Lap(s) has mean absolute value s and standard deviation sqrt(2) s. For the count of "
    "at least one person GS = 1; for a histogram of at least one entry with at least two bins "
    "GS = 2 in the L1 norm. So the standard deviations of Lap(GS/epsilon) are sqrt(2)/epsilon "
    "and 2 sqrt(2)/epsilon.",
    kind="closed form",
    says=COUNT_AND_HISTOGRAM,
)
def laplace_deviation(check: Check) -> None:
    """Prove it from antiderivatives and from the two sensitivities.

    Antiderivative of z^2: (z^2 + 2 s z + 2 s^2) e^(-z/s) has the derivative -z^2 e^(-z/s)/s:
    e^(-z/s) is left out. Antiderivative of z: (z + s) e^(-z/s) has the derivative -z e^(-z/s)/s.
    Variance: The mean is 0. On z >= 0 the antiderivative falls from its value at 0 to the limit 0;
    both halves of the line have weight 1/2. Mean absolute value: likewise, from the antiderivative
    for z. The count: One person adds f or h to it, each 0 or 1: it moves by at most 1, and by 1 if
    f = 1, h = 0. The histogram: A changed entry leaves a bin of x entries and enters one of y, u
    and v entries after that (or changes nothing): 2 in L1. The two deviations: s = G/e, d^2 = 2
    s^2: d e is sqrt(2) for G = 1 and 2 sqrt(2) for G = 2, whose squares are 2 and 8.

    An engine proves its formula [lemma.laplace-square].
    """


@claim(
    "wang2016.intro-noise",
    where="introduction",
    statement="epsilon = 1: DP adds noise of standard deviation sqrt(2) to the number of people "
    "with flu, entry-privacy noise of standard deviation 2 sqrt(2) to the histogram of "
    "activities.",
    kind="remark",
    says={PRINTED: says.INTRO},
)
def intro_noise(check: Check) -> None:
    """Prove both values, as squares.

    Deviations: variance 2 s^2 at s = GS/epsilon [wang2016.x-laplace-deviation]. Squares: 2 s^2 is 2
    for the count and (2 sqrt(2))^2 = 8 for the histogram.
    """


@claim(
    "wang2016.sec22-noise",
    where="section 2.2",
    statement="For the flu count and for each bin of the histogram the noise has standard "
    "deviation approximately 1/epsilon.",
    kind="remark",
    repair="wang2016.x-laplace-deviation",
    says={"the order of magnitude: between 1/epsilon and 3/epsilon": says.MAGNITUDE},
)
def sec22_noise(check: Check) -> None:
    """The order of magnitude is right; refute 1/epsilon to within 40 per cent for both.

    Deviations: variance 2 s^2 at s = GS/epsilon [wang2016.x-laplace-deviation]. Squares: 1 <= 2 s^2
    e^2 <= 9, s e being 1 or 2.
    """
    check.tried("the order of magnitude: between 1/epsilon and 3/epsilon")
    proved(check, "1/epsilon to within 40 per cent", "every epsilon; variances compared", _more)


def _more(proof: Proof) -> None:
    proof.counterexample(
        "both",
        "The claim is that the noise of Definition 2.2 has standard deviation approximately "
        "1/epsilon. At epsilon = 1 that of the flu count is sqrt(2) and that of a bin of the "
        "histogram is 2 sqrt(2): both variances, 2 and 8, exceed (7/5)^2 = 49/25, so both are "
        "more than 40 per cent above 1/epsilon",
        {"epsilon": 1, "variance of the count": 2, "variance of a bin": 8},
        lambda: min(2 * scale * scale for scale in (1, 2)) > Fraction(7, 5) ** 2,
        "variance_of_the_count > (7/5)^2 and variance_of_a_bin > (7/5)^2",
    )


@claim(
    "wang2016.correlation-leak",
    where="sections 1 and 2.2",
    statement="Noise calibrated for independent people or entries does not hide one person or time "
    "point under strong correlation: transmission with probability 0.5 in a group, activities "
    "that change slowly.",
    kind="remark",
    says={"records that are all equal: n times epsilon": EQUAL_RECORDS},
    unsaid="The steps go through the family itself: the exact leakage of each of its networks.",
)
def correlation_leak(check: Check) -> None:
    """Exact leakage of the count plus Lap(1/epsilon) on groups and slow chains; and equal
    records, for any number of them: given X_1 = 0 and 1 their count is 0 and n.
    """
    stars = [(m, Level.of_nats(nats), "1/2") for m in (2, 3, 4) for nats in ("1/2", 1)]
    nobody = [(m, Level.of_nats(1), "0") for m in (2, 3)]
    proved(
        check,
        "a group of friends, transmission 0.5",
        "stars: one person infects each of 2 to 4 others with probability 1/2 (or not at all); "
        "epsilon = 1/2 and 1",
        partial(_leaks, family=stars),
        nobody_infects_anybody=Edit("more than epsilon", family=nobody),
    )
    slow, even = ([(x, n) for x in changes for n in range(2, 6)] for changes in (SLOW, ["1/2"]))
    proved(
        check,
        "slowly changing activities",
        "stationary symmetric two-state chains, changes 1/4, 1/10, 1/100, T = 2 .. 5, epsilon = 1",
        partial(_slow, family=slow),
        independent_entries_too=Edit("more than epsilon", family=even),
    )
    check.linked("records that are all equal: n times epsilon")


SLOW = ["1/4", "1/10", "1/100"]


def _leaks(proof: Proof, family: list[tuple[int, Level, str]]) -> None:
    proof.exhaust(
        "more than epsilon",
        "The infected count leaks more than epsilon about the first person",
        family,
        _star_leaks,
    )


def _star_leaks(instance: tuple[int, Level, str]) -> bool:
    friends, level, chance = instance
    sick = Rational(chance)
    rows = {
        "0": ["9/10", "1/10"],
        "1": [str((1 - sick) * Rational(9, 10)), str(1 - (1 - sick) * Rational(9, 10))],
    }
    parents = {"1": [], **{str(i): ["1"] for i in range(2, friends + 2)}}
    tables = {"1": {"": ["9/10", "1/10"]}, **{str(i): rows for i in range(2, friends + 2)}}
    return _count_leaks(BayesianNetwork(parents, tables), friends + 1, level)


def _slow(proof: Proof, family: list[tuple[str, int]]) -> None:
    proof.exhaust(
        "more than epsilon",
        "The sum leaks more than epsilon = 1 about the first record",
        family,
        _chain_leaks,
    )


def _chain_leaks(instance: tuple[str, int]) -> bool:
    change, length = Rational(instance[0]), instance[1]
    rows = [[str(1 - change), str(change)], [str(change), str(1 - change)]]
    return _count_leaks(MarkovChain("stationary", rows), length, Level.of_nats(1))


def _count_leaks(prior: Any, count: int, level: Level) -> bool:
    """Whether the count plus Lap(1/epsilon) leaks more than epsilon about the first record."""
    records, secrets = Records(count, ("0", "1")), {"s": (1, "0"), "t": (1, "1")}
    framework = Framework.of_records(records, secrets, [("s", "t")], {"theta": prior})
    scale = 1 / level.nats if level.nats is not None else None
    noisy = AdditiveNoise.of_records("sum", records, Noise.laplace(scale))
    return noise_leakage(framework, noisy).compare(level) > 0
