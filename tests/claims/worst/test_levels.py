"""Levels for each record: the recursion against extreme rays of the cone, counts that attain it,
releases chosen adaptively, and the endless chain.
"""

import random
from fractions import Fraction
from itertools import product
from math import exp, isclose, log

import pytest
from tests.claims.examination import examined
from tests.claims.rules import assert_reproducible, evidence
from tests.claims.worst.levels import (
    messages,
    product_columns,
    ratio,
    rays,
    tables,
    tree_law,
    within,
)

SHAPES = [(None, 0), (None, 0, 1), (None, 0, 0)]
CHANCES = [Fraction(k, 4) for k in range(5)]


def instances(count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        parents = rng.choice(SHAPES)
        kernels = [None, *([rng.choice(CHANCES), rng.choice(CHANCES)] for _ in parents[1:])]
        levels = [Fraction(rng.choice([3, 4, 5, 8]), rng.choice([1, 2])) for _ in parents]
        yield parents, kernels, levels


def test_the_recursion_is_the_largest_ratio_over_extreme_rays_and_over_products():
    for parents, kernels, levels in instances(2, 1):
        first, second = (tree_law(parents, kernels, root) for root in "10")
        up, down = messages(parents, kernels, levels)
        cone, products = rays(levels), list(product_columns(levels))
        assert all(within(u, levels) for u in products)
        for columns in (cone, products):
            assert max(ratio(first, second, u) for u in columns) == up
            assert max(ratio(second, first, u) for u in columns) == down


def test_the_signed_count_attains_both_orders():
    for parents, kernels, levels in instances(200, 2):
        levels = [level if j % 2 else Fraction(1) for j, level in enumerate(levels)]
        signs = [1]
        for j in range(1, len(parents)):
            signs.append(signs[parents[j]] * (-1 if kernels[j][1] < kernels[j][0] else 1))
        first, second = (tree_law(parents, kernels, root) for root in "10")
        for order in (1, -1):
            u = {
                x: Fraction(1)
                * _product(
                    r if (a * order > 0) == (bit == "1") else 1
                    for r, a, bit in zip(levels, signs, x)
                )
                for x in tables(len(parents))
            }
            laws = (first, second) if order > 0 else (second, first)
            assert ratio(*laws, u) == messages(parents, kernels, levels)[0 if order > 0 else 1]


def _product(factors):
    result = Fraction(1)
    for factor in factors:
        result *= factor
    return result


def test_adaptive_releases_stay_within_the_products_of_their_levels():
    rng = random.Random(3)
    for parents, kernels, levels in instances(20, 4):
        names = tables(len(parents))
        split = [[1 + (r - 1) * Fraction(rng.randrange(3), 2) for r in levels]]
        split.append([r / one if r > one else Fraction(1) for r, one in zip(levels, split[0])])
        joint = [one * two for one, two in zip(*split)]
        up, down = messages(parents, kernels, joint)
        first, second = (tree_law(parents, kernels, root) for root in "10")
        pick = [rng.choice(list(product_columns(part))) for part in split]
        after = rng.choice(list(product_columns(split[1])))
        for u in ({x: pick[0][x] * then[x] for x in names} for then in (pick[1], after)):
            assert ratio(first, second, u) <= up
            assert ratio(second, first, u) <= down


@pytest.mark.claims
def test_a_parity_is_worse_than_one_mechanism_for_each_bit():
    found = examined("worst.levels-split")
    assert_reproducible(found)
    assert evidence(found)["largest ratio of the first"] == Fraction(5, 4)
    columns = [
        {x: f[int(x[0])] * g[int(x[1])] for x in tables(2)}
        for f, g in product([(1, 2), (2, 1), (1, 1)], repeat=2)
    ]
    odds = [Fraction(u["00"] + u["11"], u["01"] + u["10"]) for u in columns]
    assert max(max(each, 1 / each) for each in odds) == Fraction(5, 4)


def chain_ratio(p, level, left, right):
    """The ratio of an inner bit of a symmetric chain, so many bits on either side."""

    def side(count):
        t = 1.0
        for _ in range(count):
            t = level * t
            t = (p * t + 1 - p) / ((1 - p) * t + p)
        return t

    return level * side(left) * side(right)


@pytest.mark.parametrize("p", [0.5, 0.6, 0.9, 0.99])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 3.0])
def test_the_level_of_the_endless_chain_is_the_largest_that_keeps_the_promise(p, epsilon):
    e = exp(epsilon)
    middle = (1 - p) * (e - 1)
    s = (middle + (middle**2 + 4 * p * p * e) ** 0.5) / (2 * p)
    level = s * s / e
    assert level >= 1 - 1e-12
    lengths = [chain_ratio(p, level, count, count) for count in (0, 1, 5, 4000)]
    assert all(each <= e * (1 + 1e-9) for each in lengths)
    assert isclose(lengths[-1], e, rel_tol=1e-9)
    assert chain_ratio(p, level * 1.01, 4000, 4000) > e
    if p == 0.5:
        assert isclose(level, e)
    if (p, epsilon) == (0.9, 1.0):
        assert isclose(1 / log(level), 8.64048, rel_tol=1e-6)


def test_correlation_is_paid_once():
    for parents, kernels, levels in instances(200, 5):
        if all(0 < chance < 1 for kernel in kernels[1:] for chance in kernel):
            bound = levels[0]
            for c, parent in enumerate(parents):
                if c and parent == 0:
                    zero, one = kernels[c]
                    bound *= max(
                        one / zero, zero / one, (1 - one) / (1 - zero), (1 - zero) / (1 - one)
                    )
            assert max(messages(parents, kernels, levels)) <= bound
