"""Algorithm 3 as printed, and what the scale is that it and Algorithm 1 find.

Source: wang2016, appendix B.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.wang2016.quilts import said
from pufferproof.claims.papers.wang2016.quilts.instances import (
    Chain,
    Score,
    UndefinedError,
    fast,
    find_best,
)
from pufferproof.claims.papers.wang2016.quilts.search_steps import SEARCH_NOTATION
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.verify.noise.ratio.listed import noise_leakage

NOTATION = SEARCH_NOTATION


@claim(
    "wang2016.alg3-fast",
    where="Algorithm 3",
    statement="From i = floor(n/2) on: (a_i, b_i, sigma_i) <- FindBestMarkovQuilt(i, eps), "
    "sigma_max the largest sigma_i; stop at a trivial or a two-sided quilt, else step right if "
    "i - a_i = 0, left if i + b_i = n+1, until a node is met again. The search visits nodes "
    "only, ends, and finds a scale at which every node is private at the level eps.",
    kind="algorithm",
    repair="wang2016.x-alg3-repaired",
    says={"values in the order meant, n >= 2, Algorithm 2 repaired": said.FAST},
)
def fast_search(check: Check) -> None:
    """Prove it with the values in their order, from n = 2 on; refute it with the values as they are
    returned, and for n = 1, where it has no start.

    From "The start is a node" to "It ends": as in wang2016.claim-B1. As repaired: sigma_max is that
    of Algorithm 1 [wang2016.x-alg3-repaired]. From "Influences" to "Privacy": as in
    wang2016.claim-B2.
    """
    name = "values in the order meant, n >= 2, Algorithm 2 repaired"
    check.stated(name)
    with check.reading(
        "values in the order in which Algorithm 2 returns them: (sigma_i, a*, b*)",
        "T = 2, X_1 = X_2 often",
    ) as proof:
        _refute_order(proof)
    with check.reading("values in the order meant", "n = 1, every pi, g and eps") as proof:
        proof.counterexample(
            "n = 1",
            "Algorithm 3 is given for every n, but for n = 1 it starts at floor(1/2) = 0, which is "
            "no node. The only node has the quilt {} with the score 1/eps; from n = 2 on "
            "floor(n/2) is a node",
            {"n": 1, "i": 0},
            _no_start,
            "2*i <= n < 2*(i + 1) and i < 1",
        )


def _refute_order(proof: Proof) -> None:
    """With only the trivial quilt (sigma_i, a*, b*) = (2/eps, 1, 2): b* = 2 is taken for
    sigma_i, and the loop stops.
    """
    level, at = Level.log("5/4"), Chain(2, Fraction(1, 2), Fraction(97, 100), Fraction(5, 4))
    chain = MarkovChain("stationary", [["99/100", "1/100"], ["1/100", "99/100"]])
    proof.counterexample(
        "two records",
        "Algorithm 3 reads (a_i, b_i, sigma_i), but Algorithm 2 returns (sigma_i, a*, b*): b* is "
        "taken for the scale. For two bits that change with probability 1/100 (pi = 1/2, g = 1/50) "
        "no distance is above the threshold, and at eps = log(5/4) Algorithm 2 returns (2/eps, 1, "
        "2) for X_1: 2 is taken for sigma_1, and the loop ends. The sum with noise of scale 2 "
        "leaks more than eps about a bit; with the values in their order the scale is 2/eps",
        {
            "framework": _bits(chain, 2),
            "mechanism": _SUM,
            "epsilon": "log(5/4)",
            "scale of Algorithm 1": "2/log(5/4)",
        },
        lambda: (
            find_best(at, 1) == (Score(2, Fraction(5, 4)), 1, 2)
            and _sum_leaks(chain, 2, Fraction(2), level) > 0
        ),
    )


def _sum_leaks(prior: MarkovChain | Product, count: int, scale: Fraction, level: Level) -> int:
    """The sign of the leakage of the sum plus Lap(scale) about any record, minus the level."""
    noisy = AdditiveNoise.of_records("sum", Records(count, ("0", "1")), Noise.laplace(scale))
    return noise_leakage(_bits(prior, count), noisy).compare(level)


def _bits(prior: MarkovChain | Product, count: int) -> Framework:
    """Every value of every bit is a secret."""
    secrets = {f"x{t}={v}": (t, v) for t in range(1, count + 1) for v in "01"}
    pairs = [(f"x{t}=0", f"x{t}=1") for t in range(1, count + 1)]
    return Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"theta": prior})


_SUM = {
    "format": "pufferproof-mechanism/1",
    "query": {"00": "0", "01": "1", "10": "1", "11": "2"},
    "noise": {"laplace": {"scale": "2"}},
}


def _no_start() -> bool:
    at = Chain(1, Fraction(1, 2), Fraction(1, 2), Fraction(2))
    try:
        fast(at)
    except UndefinedError:
        return find_best(at, 1)[0] == Score(1, Fraction(2))
    return False


@claim(
    "wang2016.sigma-std",
    where="Appendix B.1",
    statement="sigma_max is (approximately) the smallest noise standard deviation that keeps all "
    "nodes private.",
    kind="remark",
    repair="wang2016.x-sigma-enough",
)
def deviation(check: Check) -> None:
    """Twice too large for two independent fair bits, and a scale, not a standard deviation."""
    with check.reading(
        "up to 40 per cent", "two independent fair bits, F = X_1 + X_2, eps = 1"
    ) as proof:
        proof.counterexample(
            "two bits",
            "The remark calls sigma_max approximately the smallest standard deviation that keeps "
            "all nodes private. For two independent fair bits and eps = 1 the bound h(1) is above "
            "eps, so that the empty quilt gives sigma_max = 2; but noise of scale 1, of standard "
            "deviation sqrt(2) < 3/2, keeps both nodes at exactly eps. And the noise that is added "
            "has the scale sigma_max, not the standard deviation: sqrt(8) > 28/10. What is true is "
            "that the scale sigma_max is enough",
            {"pi": Fraction(1, 2), "g": 1, "eps": 1, "sigma_max": 2, "enough": 1},
            _half_is_enough,
        )


def _half_is_enough() -> bool:
    half = Fraction(1, 2)
    power = exp_bounds(Fraction(-1), 64)[0]  # at most e^-1
    useless = power < half and (half + power) / (half - power) > exp_bounds(Fraction(1), 64)[1]
    return (
        useless and _sum_leaks(Product([["1/2", "1/2"]] * 2), 2, Fraction(1), Level.of_nats(1)) == 0
    )


@claim(
    "wang2016.x-sigma-enough",
    where="Appendix B.1, repaired",
    kind="repair of wang2016.sigma-std",
    says=said.BASIC,
)
def enough(check: Check) -> None:
    """The mechanism is private, and the variance of Lap(s) is 2 s^2.

    Least scores: sigma_i is the least score of X_i [wang2016.x-alg2-repaired]. Private: the Markov
    quilt mechanism with these bounds [wang2016.alg1-basic]. Variance: v = 2 s^2 for Laplace noise
    of scale s [wang2016.x-laplace-deviation]. Standard deviation: d is the root of v, r that of 2:
    d = r s.
    """
