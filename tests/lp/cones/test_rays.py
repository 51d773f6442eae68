"""Extreme rays: against all choices of tight constraints, the closed form, and the Parma
Polyhedra Library.
"""

import random
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute.rays import closed_form_rays

from pufferproof.lp.cones.columns import Cone, OrderedLaws, primitive
from pufferproof.lp.cones.rays import TooManyRaysError, extreme_rays


def kernel_line(rows, size):
    """Return a vector that spans the kernel of `rows`, None unless the kernel is a line."""
    matrix, pivots = [[Fraction(entry) for entry in row] for row in rows], []
    for column in range(size):
        place = next((i for i in range(len(pivots), len(matrix)) if matrix[i][column]), None)
        if place is None:
            continue
        top = len(pivots)
        matrix[top], matrix[place] = matrix[place], matrix[top]
        matrix[top] = [entry / matrix[top][column] for entry in matrix[top]]
        for i, row in enumerate(matrix):
            if i != top and row[column]:
                matrix[i] = [a - row[column] * b for a, b in zip(row, matrix[top])]
        pivots.append(column)
    free = [column for column in range(size) if column not in pivots]
    if len(free) != 1:
        return None
    line = [Fraction(0)] * size
    line[free[0]] = Fraction(1)
    for i, column in enumerate(pivots):
        line[column] = -matrix[i][free[0]]
    return line


def brute_rays(cone):
    """Return every extreme ray: the lines on which enough constraints are tight, as far as they
    lie in the cone.
    """
    size = cone.dimension
    units = [tuple(int(x == y) for y in range(size)) for x in range(size)]
    found = set()
    rows = [*units, *cone.inequalities]
    for count in range(size):
        for tight in combinations(rows, count):
            line = kernel_line([*tight, *cone.equations], size)
            if line is not None:
                line = line if sum(line) > 0 else [-entry for entry in line]
                if cone.holds(line):
                    found.add(primitive(line))
    return tuple(sorted(found))


@st.composite
def cones(draw):
    size = draw(st.integers(1, 4))
    row = st.tuples(*[st.integers(-3, 3)] * size)
    return Cone(size, tuple(draw(st.lists(row, max_size=4))), tuple(draw(st.lists(row, max_size=1))))


@given(cones())
@examples(150)
def test_double_description_agrees_with_all_choices_of_tight_constraints(cone):
    assert extreme_rays(cone) == brute_rays(cone)


@given(cones(), st.randoms(use_true_random=False))
@examples(100)
def test_the_order_of_rows_and_databases_changes_nothing(cone, random):
    moved = random.sample(range(cone.dimension), cone.dimension)

    def mixed(rows):
        doubled = [tuple(2 * row[x] for x in moved) for row in (*rows, *rows[:1])]
        return tuple(random.sample(doubled, len(doubled)))

    found = extreme_rays(Cone(cone.dimension, mixed(cone.inequalities), mixed(cone.equations)))
    assert found == tuple(sorted(tuple(ray[x] for x in moved) for ray in extreme_rays(cone)))


def long_cone():
    """Return a cone whose rays do not fit 64 bits."""
    generator = random.Random(5)
    rows = [tuple(generator.randint(-(10**12), 10**12) for _ in range(3)) for _ in range(4)]
    return Cone(4, tuple((*row, abs(sum(row)) + 1) for row in rows))


def test_numbers_beyond_64_bits_are_exact():
    found = extreme_rays(long_cone())
    assert found == brute_rays(long_cone())
    assert max(map(max, found)) > 2**64


def test_the_cube_has_one_ray_for_every_three_proper_three_colourings():
    """Per-bit differential privacy at level log 2 on {0,1}^n, n = 2, 3, 4: 18 / 3, 114 / 3 and
    2,970 / 3 rays, all of them powers of 2. At most twice as many are held in between.
    """
    for bits, count in ((1, 2), (2, 6), (3, 38), (4, 990)):
        size = 1 << bits
        rows = [
            tuple(2 if z == y else -1 if z == x else 0 for z in range(size))
            for x in range(size)
            for y in range(size)
            if (x ^ y).bit_count() == 1
        ]
        found = extreme_rays(Cone(size, tuple(rows)), limit=2 * count)
        assert len(found) == count
        assert all(entry & (entry - 1) == 0 for ray in found for entry in ray)


weights = st.lists(st.integers(0, 4), min_size=5, max_size=5)


@given(weights, weights, st.fractions(1, 5, max_denominator=6), st.booleans())
@examples(300)
def test_the_closed_form_of_one_pair_and_one_prior(mu, nu, ratio, one_sided):
    """Supports may overlap, be disjoint or leave databases out."""
    if not sum(mu) or not sum(nu):
        return
    forward = OrderedLaws(tuple(mu), tuple(nu), sum(mu), sum(nu), ())
    backward = OrderedLaws(tuple(nu), tuple(mu), sum(nu), sum(mu), ())
    laws = [forward] if one_sided else [forward, backward]
    rows = [
        primitive([ratio * Fraction(n, each.nu_total) - Fraction(m, each.mu_total) for m, n in zip(each.mu, each.nu)])
        for each in laws
    ]
    cone = Cone(5, (), tuple(rows)) if ratio == 1 else Cone(5, tuple(rows))
    assert closed_form_rays(laws, ratio) == extreme_rays(cone)


def all_ratios(size):
    """Return the cone of vectors whose entries are at most 3 times one another."""
    both = [(x, y) for x in range(size) for y in range(size) if x != y]
    return Cone(size, tuple(tuple(3 if z == y else -1 if z == x else 0 for z in range(size)) for x, y in both))


def test_an_enumeration_that_is_stopped_says_so_and_returns_nothing():
    with pytest.raises(TooManyRaysError, match="over 10 rays"):
        extreme_rays(all_ratios(6), limit=10)
    with pytest.raises(TooManyRaysError, match="out of time"):
        extreme_rays(all_ratios(6), seconds=0)
