"""Claims on noise: settled, and true of small instances from the definition."""

from fractions import Fraction
from itertools import product
from math import exp
from random import Random

import pytest
from scipy.integrate import quad
from tests.claims.examination import examined
from tests.claims.rules import evidence

from pufferproof import AdditiveNoise, Framework, Level, Noise, Table
from pufferproof.claims.ours.noise.composition import leakages
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.audit import audit
from pufferproof.verify.noise.leakage import noise_leakage


def framework_of(random, count):
    names = [f"d{i}" for i in range(count)]
    weights = [random.randint(1, 9) for _ in names]
    law = {name: Fraction(weight, sum(weights)) for name, weight in zip(names, weights)}
    return Framework(
        names,
        {"s": names[: count // 2], "t": names[count // 2 :]},
        [("s", "t")],
        {"theta": Table(law)},
    )


@pytest.mark.parametrize(("a", "b", "n"), [(1, 1, 2), (0.3, 1.7, 2.2), (2, 0.4, 0.7), (0.5, 1, 0)])
def test_two_likelihoods_are_a_mixture_of_single_ones(a, b, n):
    """The density 4ab h inside and the masses 2b h(0), 2a h(n), by quadrature, at points that
    share no grid.
    """
    rate = a + b

    def both(x):
        return exp(-b * abs(x) - a * abs(n - x))

    for x in (-1.3, 0, 2**-0.5, 1, 3**0.5, 2.9):
        inside, error = quad(
            lambda y, x=x: 4 * a * b * both(y) * exp(-rate * abs(x - y)),
            0,
            n,
            points=[min(max(x, 0), n)],
        )
        ends = 2 * b * both(0) * exp(-rate * abs(x)) + 2 * a * both(n) * exp(-rate * abs(n - x))
        assert inside + ends == pytest.approx(2 * rate * both(x), abs=1e-6 + error)


@pytest.mark.parametrize("releases", [1, 2, 3])
def test_the_counterexample_from_the_definition(releases):
    """Two records, all outputs of the counts near their values: exact sums of likelihoods."""
    stationary = [Fraction(5, 6), Fraction(1, 6)]
    transition = [[Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 2), Fraction(1, 2)]]
    laws = []
    for second in (0, 1):
        joint = [stationary[x] * transition[x][second] for x in (0, 1)]
        laws.append([p / sum(joint) for p in joint])
    seen = []
    for outputs in product(range(-1, 3), repeat=releases):
        above, below = (
            sum(p[x] * Fraction(1, 2) ** sum(abs(w - x) for w in outputs) for x in (0, 1))
            for p in laws
        )
        seen += [above / below, below / above]
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/2", "1/2"]])
    assert leakages(chain, releases) == max(seen)


@pytest.mark.claims
def test_the_counterexample_says_what_it_found():
    found = evidence(examined("noise.runs-add"))
    assert (found["one release"], found["two"]) == ("15/11", "25/13")


@pytest.mark.parametrize("seed", range(10))
def test_leakage_falls_with_the_scale_and_is_bounded(seed):
    random = Random(seed)
    framework = framework_of(random, 6)
    values = {name: random.randint(-3, 3) for name in framework.databases}
    scales = sorted(Fraction(random.randint(1, 12), 4) for _ in range(4))
    found = [
        noise_leakage(framework, AdditiveNoise(values, Noise.laplace(scale))) for scale in scales
    ]
    for (first, small), (second, large) in zip(zip(scales, found), zip(scales[1:], found[1:])):
        assert first <= second
        assert large.leakage.lower <= small.leakage.upper
    laws = [
        AdditiveNoise(values, Noise.laplace(1)).law(framework, "theta", name) for name in ("s", "t")
    ]
    most = max(abs(v[0] - u[0]) for v in laws[0] for u in laws[1])
    for scale, each in zip(scales, found):
        assert most == 0 or each.compare(Level.of_nats(most / scale)) <= 0


@pytest.mark.parametrize("seed", range(5))
def test_gaussian_leakage_is_finite_iff_extremes_agree(seed):
    random = Random(seed)
    framework = framework_of(random, 6)
    values = {name: random.randint(0, 2) for name in framework.databases}
    release = AdditiveNoise(values, Noise.gaussian(1))
    laws = [release.law(framework, "theta", name) for name in ("s", "t")]
    agree = min(laws[0]) == min(laws[1]) and max(laws[0]) == max(laws[1])
    assert audit(framework, release).leakage.infinite is not agree
