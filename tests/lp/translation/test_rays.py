"""Bounds of columns of several values, by elimination: rays of their cones against linear programs,
and bounds against the worst column of small networks.
"""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog
from tests import seeds
from tests.lp.translation.test_networks import LEVELS, rerooted, row, with_loops

from pufferproof import BayesianNetwork, Framework, ModelError, Records
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.networks import eliminated
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.verify.noise.accounts.elimination import closed, growth, rays_of
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio.bounds import noise_bounds


def quotient(p, q, ratios):
    """Return the largest E_p[f] / E_q[f] over a cone, by a linear program with E_q[f] = 1."""
    size = len(p)
    rows = []
    for a, b in itertools.permutations(range(size), 2):
        rows.append([float(x == a) - ratios[a, b] * (x == b) for x in range(size)])
    found = linprog(-p, rows, np.zeros(len(rows)), [q], [1], bounds=(0, None))
    assert found.status == 0
    return -found.fun


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", ["any", "equal", "few", "ones"])
def test_rays_reach_the_linear_program(size, kind):
    draw = np.random.default_rng(size)
    for _ in range(6):
        ratios = 1 + 4 * draw.random((size, size))
        if kind == "equal":
            ratios[:] = 3
        elif kind == "few":
            ratios = draw.choice([1.0, 2.0, 4.0], size=(size, size))
        elif kind == "ones":
            ratios[:] = 1
        np.fill_diagonal(ratios, 1)
        p, q = draw.dirichlet(np.ones(size) / 2, 2)
        rays = rays_of(ratios)
        expected = quotient(p, q, ratios)
        assert max(rays @ p / (rays @ q)) == pytest.approx(expected, rel=1e-7)
        grown = next(growth(np.stack([p, q] * (size // 2) + [p] * (size % 2)), ratios, 0.0))
        assert grown[0, 1] >= expected * (1 - 1e-9)
        assert grown[1, 0] >= quotient(q, p, ratios) * (1 - 1e-9)


@pytest.mark.parametrize("size", [6, 7])
def test_rays_of_many_values_bound_the_linear_program(size):
    draw = np.random.default_rng(size)
    for _ in range(5):
        ratios = 1 + 4 * draw.random((size, size))
        p, q = draw.dirichlet(np.ones(size) / 2, 2)
        for same in (False, True):
            if same:
                ratios[:] = 3
            rays, expected = rays_of(ratios), quotient(p, q, ratios)
            bound = max(rays @ p / (rays @ q))
            assert bound >= expected * (1 - 1e-7)
            assert not same or bound == pytest.approx(expected, rel=1e-7)


def test_rays_lie_in_the_cone_and_are_few():
    draw = np.random.default_rng(1)
    for size, most in ((2, 2), (3, 6), (4, 20), (5, 70)):
        ratios = 2 + 2 * draw.random((size, size))
        rays = rays_of(ratios)
        within = rays[:, :, None] <= closed(ratios) * rays[:, None, :] * (1 + 1e-8)
        assert within.all()
        assert 0 < len(rays) <= most


def drawn(draw, loops, size, count):
    if loops:
        return with_loops(draw, count, "abcd"[:size])
    shape = [None, *(draw.choice([None, *range(1, i), i - 1]) for i in range(2, count + 1))]
    rows = {}
    for record, above in (parents := rerooted(shape, draw)).items():
        keys = itertools.product("abcd"[:size], repeat=len(above))
        rows[record] = {"".join(key): row(draw, size) for key in keys}
    return BayesianNetwork(parents, rows)


@seeds(40)
def test_elimination_of_values_bounds_the_linear_program(seed):
    """And is close where three values have no loops."""
    draw = random.Random(seed)
    loops, size = seed % 2, 4 if seed % 10 == 9 else 3
    count = draw.choice([2, 3] if size == 4 else [2, 3, 4])
    network, record = drawn(draw, loops, size, count), draw.randint(1, count)
    secrets = {v: (record, v) for v in "abcd"[:size]}
    space = Framework(Records(count, tuple("abcd"[:size])), secrets, "disjoint", {"p": network})
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    try:
        expected = worst_column(space, levels).ratio
    except ModelError:
        return
    bound = eliminated(space, levels)
    assert expected <= bound
    assert loops or bound <= expected * Fraction(11, 10)


def grid(side):
    """Records of three values in rows, each near the mean of those above and to the left."""
    parents = {i: [i - side] * (i > side) + [i - 1] * (i % side != 1) for i in range(1, side * side + 1)}
    rows = {}
    for record, above in parents.items():
        rows[record] = {}
        for key in itertools.product((0, 1, 2), repeat=len(above)):
            total, most = sum(key), 2 * len(above)
            weights = [1 + 2 * (most - total), 2 + 2 * min(total, most - total), 1 + 2 * total]
            name = "".join(map(str, key))
            rows[record][name] = [Fraction(each, sum(weights)) for each in weights]
    return BayesianNetwork(parents, rows)


@seeds(20)
def test_audits_of_noise_on_values_are_bounded(seed):
    draw = random.Random(seed)
    network, rows = drawn(draw, seed % 2, 3, 3), {}
    for i, (above, rowed) in enumerate(zip(network.parents, network.cpt), 1):
        table = dict(rowed)
        keys = ["".join(key) for key in itertools.product("abc", repeat=len(above))]
        digits = [key.translate(str.maketrans("abc", "125")) for key in keys]
        rows[i] = {new: table[old] for old, new in zip(keys, digits)}
    parents = {i: list(above) for i, above in enumerate(network.parents, 1)}
    records, record = Records(3, ("1", "2", "5")), draw.randint(1, 3)
    secrets = {v: (record, v) for v in "125"}
    prior = {"net": BayesianNetwork(parents, rows)}
    space = Framework(records, secrets, "disjoint", prior)
    for query in ("sum", "mean", "histogram"):
        release = RecordQuery(query, Noise.laplace(draw.choice([1, 4])), records)
        try:
            exact = queries_leakage(space, NoisyQueries((release,))).leakage
        except ModelError:
            return
        assert exact.lower <= noise_bounds(space, release).leakage.upper


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_growth_is_what_moved_axes_give(size):
    draw = np.random.default_rng(size)
    table = draw.random((size, size, size, size)) * (draw.random((size,) * 4) > 0.2)
    bounds = closed(1 + draw.random((size, size)))
    total = table.sum(-1)
    laws = table / np.where(total > 0, total, 1)[..., None]
    laws[total == 0] = laws.reshape(-1, size).sum(0) / max(1, np.count_nonzero(total))
    means = laws @ rays_of(bounds).T
    slack = 1 + 8 * 1e-15 + 8 * (size + 4) ** 2 * 2.0**-53
    for axis, found in enumerate(growth(table, bounds, 1e-15)):
        rows = np.moveaxis(means, axis, 0).reshape(size, -1)
        wanted = np.array([[(one / other).max() for other in rows] for one in rows]) * slack
        assert (found == wanted).all()
