"""Probabilities of regions of Gumbel draws: orders written out, parts that sum to the whole, and
samples.
"""

from itertools import combinations, permutations
from math import exp, log

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.models.numbers.pieces import ExponentialPolynomial
from pufferproof.verify.programs.regions import region as races
from pufferproof.verify.programs.regions.region import Denominator, Quotients, TooManyError, feasible, half_space, race

ONE = Quotients.of(ExponentialPolynomial.constant(fmpq(1)))
OFFSETS = st.fractions(-2, 2, max_denominator=3).map(lambda t: fmpq(t.numerator, t.denominator))


def ahead(u, v, t=0):
    """G_u - G_v > t."""
    return half_space({u: fmpq(1), v: fmpq(-1)}, fmpq(-t))


def equal(one, other):
    over = Denominator([one, other])
    return not (over.above(one) - over.above(other)).terms


def in_order(order, scores):
    """The probability that scores plus Gumbel noise have this order, the largest first: a product
    of shares.
    """
    product = ONE
    for k in range(len(order)):
        product *= first([scores[v] for v in order[k:]])
    return product


def first(scores):
    """The probability that the first of some noisy scores is the largest."""
    gaps = [score - scores[0] for score in scores]
    return Quotients.one_over({gap: gaps.count(gap) for gap in gaps})


@pytest.mark.parametrize("size", [2, 3, 4])
@examples(30)
@given(st.data())
def test_regions_are_sums_over_orders(size, data):
    scores = data.draw(st.lists(OFFSETS, min_size=size, max_size=size))
    pairs = data.draw(st.sets(st.sampled_from(list(permutations(range(size), 2))), min_size=1))
    region = [ahead(u, v, scores[v] - scores[u]) for u, v in pairs]
    draws = {v for pair in pairs for v in pair}
    expected = Quotients({})
    for order in permutations(sorted(draws)):
        if all(order.index(u) < order.index(v) for u, v in pairs):
            expected += in_order(order, scores)
    assert equal(race(region), expected)


@examples(60)
@given(st.data())
def test_parts_of_a_region_sum_to_it(data):
    pairs = list(combinations(range(4), 2))
    chosen = data.draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=5))
    halves = [ahead(*pair, data.draw(OFFSETS)) for pair in chosen]
    region = [data.draw(st.sampled_from([half, half.opposite()])) for half in halves]
    *others, last = region
    both = [race([*others, side]) for side in (last, last.opposite())]
    assert equal(both[0] + both[1], race(others))
    for part, side in zip(both, (last, last.opposite())):
        assert bool(part.parts) == feasible([*others, side])


def test_two_sides_of_a_difference_are_bounded():
    region = [ahead(0, 1, fmpq(-1, 2)), ahead(1, 0, -1)]  # -1/2 < G_0 - G_1 < 1
    assert race(region).approx() == pytest.approx(1 / (1 + exp(-1)) - 1 / (1 + exp(1 / 2)))


def test_a_circle_of_comparisons_agrees_with_samples():
    edges = [(0, 2, 2), (0, 3, -4), (1, 2, -2), (1, 3, 1), (2, 0, -12)]
    found = race([ahead(u, v, fmpq(t, 4)) for u, v, t in edges]).approx()
    draws = np.random.default_rng(5).gumbel(size=(400_000, 4))
    hits = np.all([draws[:, u] - draws[:, v] > t / 4 for u, v, t in edges], axis=0)
    assert abs(hits.mean() - found) < 5 * (found / len(draws)) ** 0.5  # fails with 1e-6


def test_one_ahead_of_many_and_a_long_order_are_one_product():
    scores = [fmpq(k % 4) for k in range(40)]
    star = [ahead(0, v, scores[v] - scores[0]) for v in range(1, 40)]
    assert equal(race(star), first(scores))
    chain = [ahead(v, v + 1, scores[v + 1] - scores[v]) for v in range(11)]
    assert equal(race(chain), in_order(range(12), scores))


def test_regions_with_too_many_cases_are_refused(monkeypatch):
    monkeypatch.setattr(races, "_MOST_CELLS", 20)
    with pytest.raises(TooManyError):
        race([ahead(u, v) for u in range(4) for v in range(4, 8)])


def test_denominators_meet_in_normal_form():
    """2 + 2e and e + e^2 have one factor, and 1/(1 + e) + e/(1 + e) is 1."""
    one, two = (Quotients.one_over(terms) for terms in ({fmpq(0): 2, fmpq(1): 2}, {fmpq(1): 1, fmpq(2): 1}))
    assert [*one.parts] == [*two.parts]
    e = Quotients.of(ExponentialPolynomial(0, {(1,): fmpq(1)}))
    half = Quotients.one_over({fmpq(0): 1, fmpq(1): 1})
    over = Denominator([half])
    assert equal(half + half * e, ONE)
    assert over.value.approx() == pytest.approx(1 + exp(1))
    assert log(half.approx()) == pytest.approx(-log(1 + exp(1)))
