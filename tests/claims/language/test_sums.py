"""Sums that judges take in integers, or once for several uses, are those defined."""

from itertools import product
from math import exp, prod

import pytest
import sympy
from tests import seeds

from pufferproof.claims.language.instances import chains
from pufferproof.claims.language.instances.frameworks import distance, neighbours
from pufferproof.claims.language.instances.laws import largest_ratio
from pufferproof.claims.language.statements import Fraction
from pufferproof.claims.ours.worst.statements import cones
from pufferproof.claims.ours.worst.statements.records import trees
from pufferproof.claims.papers.bai2026.statements import curves
from pufferproof.claims.papers.massny2025.influence.instances import local
from pufferproof.claims.papers.song2017.statements import noise, segments
from pufferproof.claims.papers.song2017.statements.bounds import exp_minus
from pufferproof.claims.papers.streaming_cw.plane.planar import events, hockey_stick

F = Fraction
HIDDEN = [F(0), F(1), F(1, 3)]


def quotients(laws):
    """All p(x)/q(x) of two laws, or None if one is infinite."""
    pairs = [(p[x], q.get(x)) for p, q in product(laws, repeat=2) for x in p if p[x]]
    return [one / other if other else None for one, other in pairs]


def largest(found):
    return None if None in found else max(found, default=F(1))


@seeds(20)
def test_an_influence_is_the_largest_quotient_of_conditional_marginals(draws):
    law = chains.sequences(*chains.chain(draws, 3), 3)
    others = draws.several([1, 3])
    laws = [chains.marginal(each, others) for each in chains.given_values(law, 2).values()]
    assert chains.influence(law, 2, others) == largest_ratio(laws) == largest(quotients(laws))


@seeds(10)
def test_noise_leaks_the_largest_quotient_of_its_densities(draws):
    law = chains.sequences(*chains.chain(draws, 2), 2)
    runs = [(noise.query(draws, 2, 2, [1, 2]), F(3, 2)), (noise.query(draws, 2, 2, [2]), F(4))]
    laws = chains.given_values(law, 1).values()
    shown = noise.outputs([table for table, _ in runs])
    found = [{w: noise.density(each, runs, w) for w in shown} for each in laws]
    assert noise.leak(law, 1, runs) == largest(quotients(found))


@seeds(10)
def test_the_larger_star_is_that_of_one_order(draws):
    drawn = curves.curves(draws)
    pair, n, b = drawn["pair"], drawn["n"], drawn["b"]
    both = [curves.star(each, n, b) for each in (pair, curves.swapped(pair))]
    assert curves.larger_star(pair, n, b) == largest(both)


@seeds(20)
def test_the_worst_case_over_rays_is_the_largest_quotient_of_a_product(draws):
    size = 2 + draws.below(3)
    T, levels = cones.pairs(draws, size), [draws.among(cones.LEVELS) for _ in range(2)]
    found = [cones.ratio(T, cones.times(*each)) for each in cones.tuples(T, levels)]
    assert cones.worst(T, levels) == (None if None in found else max(found, default=F(0)))


@seeds(20)
def test_a_ray_leaves_one_line_of_tight_inequalities(draws):
    size = 2 + draws.below(3)
    rows = cones.promise(cones.pairs(draws, size), draws.among(cones.LEVELS))
    for ray in cones.rays(rows, size):
        assert min(ray) >= 0
        tight = [row for row in rows if not sum(a * x for a, x in zip(row, ray))]
        assert all(sum(a * x for a, x in zip(row, ray)) <= 0 for row in rows)
        signs = [[F(x == y) for y in range(size)] for x in range(size) if not ray[x]]
        assert sympy.Matrix([*tight, *signs]).rank() == size - 1


@seeds(10)
def test_levels_and_factors_of_a_column_are_those_of_their_definitions(draws):
    u = trees.table(draws, 1 + draws.below(3), 2)
    levels = trees.least_levels(u)
    for j, level in enumerate(levels):
        near = [(x, y) for x, y in product(u, repeat=2) if distance(x, y) == 1 and x[j] != y[j]]
        assert level == max(u[x] / u[y] for x, y in near)
    for c, found in zip(u, trees.factors(levels), strict=True):
        assert found == {x: prod(R for R, a, b in zip(levels, x, c) if a == b) for x in u}


@seeds(20)
def test_extremes_are_those_of_means_of_all_factors(draws):
    drawn = trees.trees(draws)
    law = trees.law_of(2, drawn["start"], drawn["edges"])
    found = trees.extremes(law, drawn["levels"])
    if not all(drawn["start"]):
        assert found is None
        return
    means = [[trees.mean(law, u, 0, v) for v in (0, 1)] for u in trees.factors(drawn["levels"])]
    quotients = [one / zero for zero, one in means]
    assert found == (min(quotients), max(quotients))


@seeds(10)
def test_local_redaction_hides_every_record_by_itself(draws):
    chances = [(draws.among(HIDDEN), draws.among(HIDDEN)) for _ in range(3)]
    for x in map("".join, product("01", repeat=3)):
        expected = {}
        for y in map("".join, product(*((bit, "*") for bit in x))):
            p = [row[int(bit)] for row, bit in zip(chances, x)]
            expected[y] = prod(q if mark == "*" else 1 - q for q, mark in zip(p, y))
        assert local(chances)(x) == {y: p for y, p in expected.items() if p}


@seeds(10)
def test_two_releases_show_products_of_their_rows(draws):
    drawn = segments.two_segments(draws)
    first, second = segments._own(drawn)
    expected = {}
    for x, p in drawn["law"].items():
        rows = [table[tuple(x[j - 1] for j in records)] for table, records in (first, second)]
        for w in product((0, 1), repeat=2):
            expected[w] = expected.get(w, 0) + p * rows[0][w[0]] * rows[1][w[1]]
    assert segments._released(drawn["law"], [first, second]) == expected


@pytest.mark.parametrize("x", [F(0), F(1, 3), F(1), F(77, 5), F(40)])
def test_bounds_of_an_exponential_are_close_and_around_it(x):
    low, high = exp_minus(x)
    assert low <= high <= low * (1 + F(1, 2**40))
    assert abs(float(low) / exp(-x) - 1) < 1e-9


@seeds(10)
def test_a_hockey_stick_is_the_largest_over_events(draws):
    p, q, R = draws.law(3), draws.law(3), draws.among([F(1), F(1, 2), F(3, 2)])
    found = [sum((p[y] - R * q[y] for y in event), F(0)) for event in events(3)]
    assert hockey_stick(p, q, R) == max(found)


def test_neighbours_differ_in_one_record():
    tables = tuple(product((0, 1, 2), (0, 1)))
    found = [(tables[i], tables[j]) for i, j in neighbours(tables)]
    assert found == [(x, y) for x, y in product(tables, repeat=2) if distance(x, y) == 1]
