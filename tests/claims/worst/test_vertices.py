"""Claims on cones of columns, their rays and one pair with one prior: as brute
force finds on random laws.
"""

import random
from fractions import Fraction
from itertools import product

import pytest
from tests.brute.worst import (
    INFINITE,
    _kernel,
    allowed,
    dot,
    laws,
    rays,
    worst,
)
from tests.examples import seeds

from pufferproof.claims.ours.worst.rays.supports import seven_databases

LEVELS = [Fraction(1), Fraction(5, 4), Fraction(2), Fraction(3)]


def test_a_ray_with_more_entries_than_pairs_plus_priors():
    pairs = laws(seven_databases())
    rows = [tuple(m - n for m, n in zip(mu, nu)) for mu, nu in pairs[::2]]
    assert (len(rows), _kernel(rows, 7)) == (6, [1] * 7)


def random_law(draw, size, zeros=True):
    weights = [draw.choice([0, 1, 2, 3, 5] if zeros else [1, 2, 3, 5]) for _ in range(size)]
    return (
        tuple(Fraction(w, sum(weights)) for w in weights)
        if sum(weights)
        else random_law(draw, size, zeros)
    )


def random_pair(draw, size):
    """Two laws that may overlap, every database having weight under one of them."""
    while True:
        mu, nu = random_law(draw, size), random_law(draw, size)
        if all(p or q for p, q in zip(mu, nu)) and mu != nu:
            return mu, nu


def closed_form_rays(mu, nu, ratio):
    """The rays of worst.one-pair-rays, each with sum 1."""
    size, found = len(mu), set()
    for first, second in ((mu, nu), (nu, mu)):
        for x, y in product(range(size), repeat=2):
            f, g = first[x] - ratio * second[x], ratio * second[y] - first[y]
            if f > 0 and g > 0:
                u = [Fraction(0)] * size
                u[x], u[y] = g, f
                found.add(tuple(c / sum(u) for c in u))
    for x in range(size):
        if mu[x] <= ratio * nu[x] and nu[x] <= ratio * mu[x]:
            found.add(tuple(Fraction(i == x) for i in range(size)))
    return sorted(found)


@seeds(30)
def test_rays_of_one_pair_are_as_stated(seed):
    draw = random.Random(seed)
    mu, nu = random_pair(draw, draw.choice([2, 3, 4]))
    for ratio in LEVELS:
        assert closed_form_rays(mu, nu, ratio) == rays([(mu, nu), (nu, mu)], ratio)


def closed_form_worst(mu, nu, one, two):
    """The largest ratio of worst.dichotomy-overlap for the order (mu, nu)."""
    size = len(mu)
    low = [y for y in range(size) if mu[y] < max(one, two) * nu[y]]
    if len(low) != 1:
        return INFINITE if 0 in nu else max(m / n for m, n in zip(mu, nu))
    (y,), best = low, Fraction(0)
    for x in range(size):
        if x != y:
            f, g = mu[x] - one * nu[x], mu[x] - two * nu[x]
            t = (one * nu[y] - mu[y]) * (two * nu[y] - mu[y])
            best = max(best, (mu[x] * t + mu[y] * f * g) / (nu[x] * t + nu[y] * f * g))
    return best


@seeds(60)
def test_two_releases_for_one_pair_reach_the_closed_form(seed):
    draw = random.Random(1000 + seed)
    mu, nu = random_pair(draw, draw.choice([2, 2, 3, 4]))
    one, two = draw.choice(LEVELS), draw.choice(LEVELS)
    both = [(mu, nu), (nu, mu)]
    found = worst([(mu, nu)], rays(both, one), rays(both, two))
    assert found == closed_form_worst(mu, nu, one, two)
    if min(one, two) > 1:
        assert found == worst([(mu, nu)], rays([(mu, nu)], one), rays([(mu, nu)], two))


@pytest.mark.parametrize(
    ("first", "second"), [((1,), (1,)), ((1, 2), (1,)), ((1,), (1, 1)), ((2, 1), (1, 3))]
)
def test_exclusive_secrets_are_all_or_nothing(first, second):
    mu = tuple(Fraction(w, sum(first)) for w in (*first, *(0 for _ in second)))
    nu = tuple(Fraction(w, sum(second)) for w in (*(0 for _ in first), *second))
    both = [(mu, nu), (nu, mu)]
    for one, two in product(LEVELS, repeat=2):
        expected = one * two if len(first) == len(second) == 1 else INFINITE
        assert worst(both, rays(both, one), rays(both, two)) == expected


@pytest.mark.parametrize("seed", range(15))
def test_rays_have_one_entry_more_than_pairs_and_priors_at_most(seed):
    draw = random.Random(seed)
    count = draw.choice([1, 2])
    pairs = [
        pair
        for _ in range(count)
        for mu, nu in [random_pair(draw, 4)]
        for pair in ((mu, nu), (nu, mu))
    ]
    for ratio in LEVELS:
        assert max(sum(c > 0 for c in u) for u in rays(pairs, ratio)) <= 1 + count


def columns_that_occur(pairs, u, ratio):
    """Say whether 1 - t u stays in the cone for some t > 0: the first condition that binds
    decides.
    """
    small = Fraction(1, 10**6)
    return allowed(pairs, [1 - small * c for c in u], ratio)


@seeds(20)
def test_which_columns_occur(seed):
    draw = random.Random(seed)
    mu, nu = random_pair(draw, 3)
    for ratio in LEVELS[1:]:
        assert all(columns_that_occur([(mu, nu)], u, ratio) for u in rays([(mu, nu)], ratio))
    both = [(mu, nu), (nu, mu)]
    assert all(columns_that_occur(both, u, Fraction(1)) for u in rays(both, Fraction(1)))
    for u in rays([(mu, nu)], Fraction(1)):
        assert columns_that_occur([(mu, nu)], u, Fraction(1)) == (dot(mu, u) == dot(nu, u))


@pytest.mark.parametrize("seed", range(10))
def test_no_product_of_random_columns_exceeds_the_rays(seed):
    draw = random.Random(seed)
    pairs = [
        pair
        for mu, nu in [random_pair(draw, 4), random_pair(draw, 4)]
        for pair in ((mu, nu), (nu, mu))
    ]
    one, two = rays(pairs, Fraction(2)), rays(pairs, Fraction(3))
    bound = worst(pairs, one, two)

    def mixed(some):
        weights = [draw.randrange(4) for _ in some]
        return tuple(sum((w * u[x] for w, u in zip(weights, some)), Fraction(0)) for x in range(4))

    found = [worst(pairs, [mixed(one)], [mixed(two)]) for _ in range(20)]
    assert bound is INFINITE or all(ratio is not INFINITE and ratio <= bound for ratio in found)
