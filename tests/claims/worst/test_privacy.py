"""Claims on differential privacy and conditions that compose: as small cases show
exactly.
"""

from fractions import Fraction
from itertools import product

import pytest
from tests.brute.definitions import leakage

from pufferproof import Channel, Framework, Table
from pufferproof.claims.ours.worst.growth.conditions import COLUMNS
from pufferproof.claims.ours.worst.records.privacy import one_record
from pufferproof.models.mechanisms.releases import repeat


def test_coupling_composes_linearly_without_differential_privacy():
    names = ("a1", "a2", "b1", "b2")
    quarter = Fraction(1, 4)
    framework = Framework(
        names,
        {"a": ["a1", "a2"], "b": ["b1", "b2"]},
        [("a", "b")],
        {"even": Table(dict.fromkeys(names, quarter))},
    )
    rows = {name: [Fraction(column[x], 11) for column in COLUMNS] for x, name in enumerate(names)}
    channel = Channel.of(rows, ["1", "2", "3", "4"])
    for runs in range(1, 7):
        assert leakage(framework, repeat(channel, runs))[0] <= Fraction(3, 2) ** runs
    for x, y in product((0, 1), (2, 3)):
        assert max(Fraction(column[x], column[y]) for column in COLUMNS) >= 3
        assert max(Fraction(column[y], column[x]) for column in COLUMNS) >= 3


def test_two_releases_of_level_zero_leak_although_each_has_differential_privacy():
    framework, channel = one_record()
    assert leakage(framework, channel)[0] == 1
    assert leakage(framework, channel.beside(channel))[0] == Fraction(9, 8)


@pytest.mark.parametrize(("count", "rays"), [(1, 2), (2, 6), (3, 38), (4, 990)])
def test_rays_of_the_cube_are_colourings_divided_by_three(count, rays):
    """Rays by heights along the cube; colourings by counting, one half of the cube after the
    other.
    """
    cube = list(product((0, 1), repeat=count))
    edges = {x: [y for y in cube if sum(a != b for a, b in zip(x, y)) == 1] for x in cube}

    def count_all(values, rest, choices):
        if not rest:
            return 1
        x, *others = rest
        allowed = choices([values[y] for y in edges[x] if y in values])
        return sum(count_all({**values, x: value}, others, choices) for value in allowed)

    heights = count_all(
        {cube[0]: 0},
        cube[1:],
        lambda near: [v for v in (near[0] - 1, near[0] + 1) if all(abs(v - w) == 1 for w in near)],
    )
    colourings = 3 * count_all(
        {cube[0]: 0}, cube[1:], lambda near: [v for v in range(3) if v not in near]
    )
    assert (heights, colourings) == (rays, 3 * rays)


def test_every_extreme_ray_of_the_square_is_a_power():
    """{0,1}^2 and R = 2: all sets of three inequalities, from the definition of an extreme ray."""
    from tests.brute.worst import _kernel

    size = range(4)
    edges = [(x, y) for x in size for y in size if bin(x ^ y).count("1") == 1]
    rows = [tuple(Fraction(2 * (i == y) - (i == x)) for i in size) for x, y in edges]
    found = set()
    for chosen in product(rows, repeat=3):
        kernel = _kernel(chosen, 4)
        if kernel is not None:
            for sign in (1, -1):
                u = [sign * c for c in kernel]
                if min(u) >= 0 and all(u[x] <= 2 * u[y] for x, y in edges):
                    found.add(tuple(c / sum(u) for c in u))
    assert len(found) == 6
    assert all({u[x] / u[y] for x, y in edges} == {Fraction(2), Fraction(1, 2)} for u in found)


def test_at_level_one_the_nfc_family_holds_vectors_that_are_no_columns():
    """Weights (1, 0) for D1 and (1/2, 1/2) for D2: (D1, D2, l1, l2) = (1, 0, 1, 0) is in the
    family, no column of level 1.
    """
    mu, nu = (Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10))
    levels = [Fraction(k, 10) for k in range(11)]

    def inside(d1, d2, l1, l2):
        return d1 <= l1 and d2**2 <= l1 * l2

    assert inside(1, 0, 1, 0)
    assert mu[0] / nu[0] == 9
    columns = [
        entries
        for entries in product(levels, repeat=4)
        if inside(*entries) and inside(*(1 - entry for entry in entries))
    ]
    assert all(len(set(entries)) == 1 for entries in columns)
