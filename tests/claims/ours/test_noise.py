"""Claims on noise: a mixture by quadrature, and the counterexample from the definition."""

from fractions import Fraction
from itertools import product
from math import exp

import pytest
from scipy.integrate import quad
from tests.claims.examination import examined
from tests.claims.rules import evidence

from pufferproof.claims.ours.noise.composition import leakages
from pufferproof.models.priors.markov import MarkovChain


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


def test_what_later_blocks_show_lies_between_extreme_vectors_and_no_fewer():
    """Three values: a vector inside the triangle of three others, which are all needed."""
    vectors = [(4, 1, 1), (1, 4, 1), (1, 1, 4), (2, 2, 2)]
    inside = [sum(each) / Fraction(3) for each in zip(*vectors[:3])]
    assert inside == list(vectors[3])
    secret, other = (1, 0, 0), (0, 1, 0)

    def ratio(vector):
        one, two = (Fraction(sum(p * x for p, x in zip(law, vector))) for law in (secret, other))
        return max(one / two, two / one)

    assert ratio(vectors[3]) < ratio(vectors[0]) == max(map(ratio, vectors))
    assert max(map(ratio, vectors[2:])) == 1


@pytest.mark.claims
def test_what_is_said_of_blocks_is_derived():
    assert examined("noise.blocks").verdict.value == "DERIVED"
