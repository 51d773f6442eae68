"""Differential privacy, Laplace noise and its size: what sections 1 and 2 define and remark.

Letters: f, h values of the query on neighbours, w an output, G = GS(F), e = epsilon, s the scale of
the noise. A density of Lap(s) is proportional to exp(-|z|/s), so that ratios of densities are
compared as differences of |w - f|. Source: wang2016, sections 1 and 2.1 to 2.2.
"""

from fractions import Fraction
from typing import Any

import sympy
from sympy import Abs, And, Eq, Implies, Rational

from pufferproof.claims.language import PRINTED
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.laws import MarkovChain, Records
from pufferproof.verify.noise.leakage import noise_leakage
from pufferproof.verify.proof.argument import Argument

f, h, w, G, e, s, z, n, u, v, x, y, d = sympy.symbols("f h w G e s z n u v x y d")
NOTATION = {
    "s": "the scale of the noise",
    "S": "a set of outcomes",
    "D": "a database",
    "F": "a query",
}
ALL = "all parameters"


@claim(
    "wang2016.def-dp",
    where="Definition 2.1",
    statement="M is epsilon-DP iff Pr(M(D) in S) <= e^epsilon Pr(M(D') in S) for all sets S of "
    "outcomes and all D, D' that differ in the private value of one individual. Entry-privacy: "
    "D, D' differ in one entry of one individual.",
    kind="definition",
)
def def_dp(check: Check) -> None:
    with check.reading(PRINTED) as argument:
        argument.definition(
            "pairs",
            "D and D' differ in the private value of one individual; both orders, all events",
        )
        argument.definition(
            "entry-privacy", "D and D' differ in one entry or feature of an individual"
        )


@claim(
    "wang2016.def-gs",
    where="Definition 2.2",
    statement="GS(F) = max |F(D) - F(D')| over D, D' that differ in one individual's private "
    "value. F(D) + Lap(GS(F)/epsilon) is epsilon-DP.",
    kind="definition and theorem",
    assumes=["GS(F) > 0; if it is 0 then F is the same on neighbours, and no noise is needed"],
)
def def_gs(check: Check) -> None:
    """Prove the theorem by the triangle inequality, and by sums of densities for sets of
    outcomes.
    """
    with check.reading(PRINTED, "all F with finite GS(F), all epsilon > 0") as argument:
        _sensitivity(argument)
    check.near_miss(
        f"{PRINTED}: nine tenths of the noise",
        lambda argument: _sensitivity(argument, Rational(9, 10)),
    )


def _sensitivity(argument: Argument, share: sympy.Rational | int = 1) -> None:
    argument.inequality(
        "densities",
        "The logarithm of the ratio of densities at w is (|w - h| - |w - f|)/s with s e = G",
        Abs(w - h) - Abs(w - f) <= e * s,
        [Abs(f - h) <= G, Eq(s * e, share * G), G > 0, e > 0],
    )
    argument.cite(
        "sets of outcomes",
        "a bound on densities is one on sums, and on their limits",
        "lemma.mediant",
    )


@claim(
    "wang2016.x-laplace-deviation",
    where="sections 1 and 2.2, beyond",
    statement="Lap(s) has mean absolute value s and standard deviation sqrt(2) s. For the count of "
    "at least one person GS = 1; for a histogram of at least one entry with at least two bins "
    "GS = 2 in the L1 norm. So the standard deviations of Lap(GS/epsilon) are sqrt(2)/epsilon "
    "and 2 sqrt(2)/epsilon.",
    kind="closed form",
)
def laplace_deviation(check: Check) -> None:
    """Prove it from antiderivatives and from the two sensitivities."""
    with check.reading("as stated", ALL) as argument:
        prove_deviations(argument)
    check.near_miss("as stated: variance s^2", lambda argument: prove_deviations(argument, "s**2"))
    check.near_miss(
        "as stated: a histogram of sensitivity 1",
        lambda argument: prove_deviations(argument, bins=1),
    )


def prove_deviations(argument: Argument, variance: str = "2*s**2", bins: int = 2) -> None:
    """Variance 2 s^2 and mean absolute value s of Lap(s), and the sensitivities 1 and 2."""
    square = z**2 + 2 * s * z + 2 * s**2
    argument.identity(
        "antiderivative of z^2",
        "(z^2 + 2 s z + 2 s^2) e^(-z/s) has the derivative -z^2 e^(-z/s)/s: e^(-z/s) is left out",
        sympy.diff(square, z) - square / s,
        -(z**2) / s,
    )
    argument.identity(
        "antiderivative of z",
        "(z + s) e^(-z/s) has the derivative -z e^(-z/s)/s",
        1 - (z + s) / s,
        -z / s,
    )
    argument.identity(
        "variance",
        "The mean is 0. On z >= 0 the antiderivative falls from its value at 0 to the limit 0; "
        "both halves of the line have weight 1/2",
        "(z**2 + 2*s*z + 2*s**2)/2 + (z**2 + 2*s*z + 2*s**2)/2",
        variance,
        at={"z": 0},
    )
    argument.identity(
        "mean absolute value",
        "likewise, from the antiderivative for z",
        "(z + s)/2 + (z + s)/2",
        "s",
        at={"z": 0},
    )
    argument.inequality(
        "the count",
        "One person adds f or h to it, each 0 or 1: it moves by at most 1, and by 1 if f = 1, h = "
        "0",
        And(Abs(f - h) <= 1, Implies(And(Eq(f, 1), Eq(h, 0)), Eq(Abs(f - h), 1))),
        [f >= 0, f <= 1, h >= 0, h <= 1],
    )
    argument.inequality(
        "the histogram",
        "A changed entry leaves a bin of x entries and enters one of y, u and v entries after that "
        "(or changes nothing): 2 in L1",
        And(Abs(u - x) + Abs(v - y) <= bins, Eq(Abs(u - x) + Abs(v - y), 2)),
        [Eq(u, x - 1), Eq(v, y + 1), x >= 1, y >= 0],
    )
    argument.inequality(
        "the two deviations",
        "s = G/e, G = GS; d is the standard deviation, d^2 = 2 s^2: d e is sqrt(2) for G = 1 and 2 "
        "sqrt(2) for G = 2, whose squares are 2 and 8",
        And(Implies(Eq(G, 1), Eq((d * e) ** 2, 2)), Implies(Eq(G, 2), Eq((d * e) ** 2, 8))),
        [Eq(d**2, 2 * s**2), Eq(s * e, G), d >= 0, s > 0, e > 0],
    )


@claim(
    "wang2016.intro-noise",
    where="introduction",
    statement="epsilon = 1: DP adds noise of standard deviation sqrt(2) to the number of people "
    "with flu, entry-privacy noise of standard deviation 2 sqrt(2) to the histogram of "
    "activities.",
    kind="remark",
)
def intro_noise(check: Check) -> None:
    """Prove both values, as squares."""
    with check.reading(PRINTED, "epsilon = 1") as argument:
        _intro(argument)
    check.near_miss(
        f"{PRINTED}: sensitivity 1 for the histogram", lambda argument: _intro(argument, 1)
    )


def _intro(argument: Argument, histogram: int = 2) -> None:
    argument.cite("deviations", "variance 2 s^2 at s = GS/epsilon", "wang2016.x-laplace-deviation")
    argument.inequality(
        "squares",
        "2 s^2 is 2 for the count and (2 sqrt(2))^2 = 8 for the histogram",
        And(Eq(2 * s**2, 2), Eq(2 * z**2, 8)),
        [Eq(s, 1), Eq(z, histogram)],
    )


@claim(
    "wang2016.sec22-noise",
    where="section 2.2",
    statement="For the flu count and for each bin of the histogram the noise has standard "
    "deviation approximately 1/epsilon.",
    kind="remark",
    repair="wang2016.x-laplace-deviation",
)
def sec22_noise(check: Check) -> None:
    """Refute 1/epsilon to within 40 per cent for both; the order of magnitude is right."""
    with check.reading(
        "1/epsilon to within 40 per cent", "every epsilon; variances compared"
    ) as argument:
        argument.counterexample(
            "both",
            "The claim is that the noise of Definition 2.2 has standard deviation approximately "
            "1/epsilon. At epsilon = 1 that of the flu count is sqrt(2) and that of a bin of the "
            "histogram is 2 sqrt(2): both variances, 2 and 8, exceed (7/5)^2 = 49/25, so both are "
            "more than 40 per cent above 1/epsilon",
            {"epsilon": 1, "variance of the count": 2, "variance of a bin": 8},
            lambda: min(2 * scale * scale for scale in (1, 2)) > Fraction(7, 5) ** 2,
        )
    name = "the order of magnitude: between 1/epsilon and 3/epsilon"
    with check.reading(name, ALL) as argument:
        _magnitude(argument)
    check.near_miss(f"{name}: at most 2/epsilon", lambda argument: _magnitude(argument, 2))


def _magnitude(argument: Argument, most: int = 3) -> None:
    argument.cite("deviations", "variance 2 s^2 at s = GS/epsilon", "wang2016.x-laplace-deviation")
    argument.inequality(
        "squares",
        "1 <= 2 s^2 e^2 <= 9, s e being 1 or 2",
        And(2 * s**2 * e**2 >= 1, 2 * s**2 * e**2 <= most**2),
        [sympy.Or(Eq(s * e, 1), Eq(s * e, 2)), e > 0],
    )


@claim(
    "wang2016.correlation-leak",
    where="sections 1 and 2.2",
    statement="Noise calibrated for independent people or entries does not hide one person or time "
    "point under strong correlation: transmission with probability 0.5 in a group, activities "
    "that change slowly.",
    kind="remark",
)
def correlation_leak(check: Check) -> None:
    """Exact leakage of the count plus Lap(1/epsilon) on groups and slow chains; and equal
    records, for any number of them.
    """
    group = "a group of friends, transmission 0.5"
    with check.reading(
        group,
        "stars: one person infects each of 2 to 4 others with probability 1/2 (or not at all); "
        "epsilon = 1/2 and 1",
    ) as argument:
        _leaks(argument, [(m, Level.of_nats(x), "1/2") for m in (2, 3, 4) for x in ("1/2", 1)])
    check.near_miss(
        f"{group}: nobody infects anybody",
        lambda argument: _leaks(argument, [(m, Level.of_nats(1), "0") for m in (2, 3)]),
    )
    slow = "slowly changing activities"
    with check.reading(
        slow,
        "stationary symmetric two-state chains, changes 1/4, 1/10, 1/100, T = 2 .. 5, epsilon = 1",
    ) as argument:
        _slow(argument, ["1/4", "1/10", "1/100"])
    check.near_miss(f"{slow}: independent entries too", lambda argument: _slow(argument, ["1/2"]))
    equal = "records that are all equal: n times epsilon"
    with check.reading(equal, "every n >= 2 and epsilon") as argument:
        _equal(argument)
    check.near_miss(f"{equal}: n = 1 too", lambda argument: _equal(argument, 1))


def _leaks(argument: Argument, family: list[tuple[int, Level, str]]) -> None:
    argument.exhaust(
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


def _slow(argument: Argument, changes: list[str]) -> None:
    argument.exhaust(
        "more than epsilon",
        "The sum leaks more than epsilon = 1 about the first record",
        [(change, length) for change in changes for length in range(2, 6)],
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


def _equal(argument: Argument, least: int = 2) -> None:
    argument.inequality(
        "n times epsilon",
        "Given X_1 = 0 and 1 the count is 0 and n. The logarithm of the ratio of densities at w is "
        "(|w - n| - |w|) e, at most n e, which it is at w = 0: more than e = epsilon",
        And(
            (Abs(w - n) - Abs(w)) * e <= n * e,
            Implies(Eq(w, 0), Eq((Abs(w - n) - Abs(w)) * e, n * e)),
            n * e > e,
        ),
        [n >= least, e > 0],
    )
