"""Claims on truncated Gaussian priors: verdicts, near misses, counterexamples by quadrature."""

from itertools import product

import pytest
from tests.models.influence.gaussian import quadrature as brute


def mirrored(sigma, record, hidden, shown, box=5.0):
    """log p(x_L | s) / p(x_L | t) of the windows at the ends: their masses are equal."""
    kept = tuple(k - 1 for k in hidden)
    found = [
        brute.log_integral(sigma, record - 1, window, kept, (-box, box), shown)
        for window in ((box * 0.98, box), (-box, -box * 0.98))
    ]
    return found[0] - found[1]


def test_beside_the_centre_by_quadrature() -> None:
    """Two of the places that show it: record 2 at the walls, record 3 on a grid."""
    sigma = brute.squared_exponential(5, 5)
    centre = max(
        mirrored(sigma, 3, (2, 3, 4), {0: x, 4: y}) for x, y in product((-5.0, 0.0, 5.0), repeat=2)
    )
    assert centre == pytest.approx(64.46417, rel=1e-5)
    assert mirrored(sigma, 2, (1, 2, 3), {3: -5.0, 4: 5.0}) > centre + 52


def test_ties_by_quadrature() -> None:
    sigma = brute.squared_exponential(4, 1)
    assert mirrored(sigma, 2, (1, 2), {2: 5.0, 3: -5.0}) == pytest.approx(32.23841, rel=1e-5)
    assert mirrored(sigma, 2, (2, 3), {0: 5.0, 3: 5.0}) == pytest.approx(22.07791, rel=1e-5)


def test_a_smaller_box_by_quadrature() -> None:
    near = mirrored(brute.squared_exponential(4, 2), 2, (1, 2, 3), {3: -1.0}, 1.0)
    far = max(
        mirrored(brute.squared_exponential(4, 3), 2, (1, 2, 3), {3: x / 10}, 1.0)
        for x in range(-10, 11, 2)
    )
    assert far < 0.48 < 0.507 < near
