"""Searches and simulations: the algorithms are run again in floats, from their printed text."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import exp, inf, isclose, log

import pytest
from tests.claims.examination import evidence

from pufferproof.claims.papers.wang2016.quilts import instances
from pufferproof.claims.papers.wang2016.quilts.instances import Chain, Score, UndefinedError, Variant
from pufferproof.models.numbers.level import Level
from pufferproof.verify.influence.bounds import wang_bound
from pufferproof.verify.influence.quilts.worst_record import markov_quilt_approx


def number(score):
    return inf if score.ratio is None else score.count / log(score.ratio)


def printed(at, i, misprint, imaginary=False):
    """Algorithm 2 in floats, the threshold asked of real quilt nodes, or of imaginary ones too."""
    pi, g, eps, n = float(at.pi), -log(at.q), log(at.ratio), at.n
    sigma = inf

    def h(t):
        above, below = pi + exp(-g * t), pi - exp(-g * t)
        if abs(below) < 1e-12:
            return inf
        if below < 0:
            raise UndefinedError
        return log(above / below)

    for a, b in product(range(1, i + 1), range(1, n - i + 2)):
        threshold = log(1 / pi) / g - 1e-12
        left, right = a < i or imaginary, b < n - i + 1 or imaginary
        if (left and a < threshold) or (right and b < threshold):
            continue
        if i - a == 0:
            e = 0 if i + b == n + 1 else h(b)
        else:
            e = 2 * h(a) + (0 if (i + a if misprint else i + b) == n + 1 else h(b))
        if e < eps - 1e-12:
            sigma = min(sigma, (a + b - 1) / (eps - e))
    return sigma


def test_the_repaired_search_finds_the_least_score():
    for at in instances.chains(7):
        for i in range(1, at.n + 1):
            assert instances.find_best(at, i)[0] == instances.least_score(at, i)
            assert isclose(number(instances.least_score(at, i)), printed(at, i, misprint=False))


def test_the_library_calibrates_to_the_repaired_search():
    """Two states with pi = 1/2 and eigenvalue 4/5: g = 1/5."""
    chain = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10)))
    for length, ratio in [(2, 2), (9, 3), (14, 9), (20, 20)]:
        at = Chain(length, Fraction(1, 2), Fraction(exp(-0.2)), Fraction(ratio))
        expected = max(printed(at, i, misprint=False) for i in range(1, length + 1))
        found = markov_quilt_approx(wang_bound([chain]), length, Level.log(ratio)).scale.enclosure()
        assert float(found.lower) == pytest.approx(expected, rel=1e-9)


@pytest.mark.claims
@pytest.mark.parametrize("imaginary", [True, False])
def test_the_misprint_gives_too_small_a_scale_at_the_counterexample(imaginary):
    shown = evidence("wang2016.alg2-find", 0 if imaginary else 1)
    at = Chain(shown["n"], shown["pi"], shown["e^-g"], shown["e^eps"])
    i, how = shown["i"], Variant(misprint=True, equality=True, imaginary=imaginary)
    found = printed(at, i, misprint=True, imaginary=imaginary)
    assert found < 0.99 * printed(at, i, misprint=False)
    assert isclose(number(instances.find_best(at, i, how)[0]), found)


def test_the_fast_search_agrees_with_the_basic_one_from_any_start():
    for at in instances.chains(9, ("5/4", "3", "40")):
        if at.n > 1:
            largest, visited = instances.fast(at)
            assert largest == instances.basic(at)
            steps = {after - before for before, after in pairwise(visited)}
            assert steps in (set(), {1}, {-1})


def test_one_node_is_a_chain_the_fast_search_does_not_start_on():
    at = next(instances.chains(1))
    with pytest.raises(UndefinedError, match="X_0"):
        instances.fast(at)
    assert instances.basic(at) == Score(1, at.ratio)


def test_levels_equal_to_an_influence_are_divided_by_zero_as_printed():
    at = Chain(2, *map(Fraction, ("1/2", "2/5", "9")))
    with pytest.raises(UndefinedError, match="division by 0"):
        instances.find_best(at, 1, Variant(equality=True))
    assert instances.find_best(at, 1)[0] == Score(2, at.ratio)


def test_scores_are_ordered_as_their_values():
    scores = [Score(c, r) for c in range(1, 6) for r in map(Fraction, ("3/2", "2", "4", "9"))]
    for one, other in product(scores, repeat=2):
        if not isclose(number(one), number(other)):
            assert (one < other) == (number(one) < number(other))
    assert Score(1, scores[1].ratio) == Score(2, scores[2].ratio)
    assert max(scores) < Score(1, None)


@pytest.mark.claims
def test_a_longer_sequence_may_have_a_larger_error():
    shown = evidence("wang2016.sim-observations", 3)
    at = Chain(shown["T"], shown["pi"], shown["e^-g"], shown["e^eps"])
    before, after = (
        max(printed(replace(at, n=n), i, misprint=False) for i in range(1, n + 1)) / n for n in (at.n - 1, at.n)
    )
    assert after > before * 1.001
