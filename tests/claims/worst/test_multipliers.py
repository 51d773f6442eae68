"""Bounds by multipliers of two inequalities for each cone, where an identity proves them."""

from fractions import Fraction
from itertools import product

import pytest

F = Fraction


def rests(mu, nu, bound, multipliers, rows):
    """diag(L nu - mu) - B' S B."""
    size = range(len(mu))
    return [
        (bound * nu[x] - mu[x] if x == y else 0)
        - sum(
            multipliers[i][j] * rows[i][x] * rows[j][y]
            for i, j in product(range(len(rows)), repeat=2)
        )
        for x, y in product(size, size)
    ]


@pytest.mark.parametrize("ratio", [F(3, 2), F(2), F(5)])
def test_an_identity_proves_the_square_of_the_level_for_two_databases_and_nothing_less(ratio):
    rows, rays = [(F(-1), ratio), (ratio, F(-1))], [(ratio, F(1)), (F(1), ratio)]
    a, b = (1 + ratio**2) / (ratio**2 - 1), ratio / (ratio**2 - 1)
    assert min(rests((1, 0), (0, 1), ratio**2, [[a, b], [b, F(0)]], rows)) == 0
    steps = [F(0), b / 2, b, a / 2, a]
    laws = [((F(1), F(0)), (F(0), F(1))), ((F(3, 4), F(1, 4)), (F(1, 3), F(2, 3)))]
    for (mu, nu), entries in product(laws, product(steps, repeat=4)):
        multipliers = [entries[:2], entries[2:]]
        for bound in (F(1), ratio, ratio**2, 2 * ratio**2):
            if min(rests(mu, nu, bound, multipliers, rows)) >= 0:
                assert all(
                    sum(p * c * d for p, c, d in zip(mu, u, v))
                    <= bound * sum(p * c * d for p, c, d in zip(nu, u, v))
                    for u, v in product(rays, repeat=2)
                )
