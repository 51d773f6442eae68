"""Bounds by steps that may each have a matrix of their own, against members written out."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import exp, log

import numpy as np
import pytest

from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.classes.rows import diagram as walks
from pufferproof.verify.noise.classes.rows.bound import corner_chain
from pufferproof.verify.noise.classes.rows.diagram import one_record_pairs, vertex, walked_ratio
from pufferproof.verify.noise.classes.rows.laws import by_laws, rays

SCALE = 2


def questioned(box, count, kind, record):
    records = Records(count, tuple(map(str, range(box.states))))
    secrets = {f"x={v}": (record, v) for v in records.alphabet}
    framework = Framework.of_records(records, secrets, "disjoint", {"box": box})
    return framework, NoisyQueries((RecordQuery(kind, Noise.laplace(SCALE), records),))


def leaked(matrix, start, count, kind, record):
    """Return the largest ratio under a chain, by all databases and outputs at values."""
    size = len(matrix)
    words = np.array(list(product(range(size), repeat=count)))
    weights = np.array(start, dtype=float)[words[:, 0]]
    for t in range(1, count):
        weights = weights * matrix[words[:, t - 1], words[:, t]]
    if kind == "sum":
        sums = words.sum(axis=1)[:, None]
    else:
        sums = np.stack([(words == v).sum(axis=1) for v in range(size)], axis=1)
    outputs = np.array(list(product(*(np.unique(column) for column in sums.T))))
    density = np.exp(-abs(sums[:, None] - outputs[None]).sum(axis=2) / SCALE)
    told = []
    for v in range(size):
        own = weights * (words[:, record - 1] == v)
        if own.sum() > 1e-12:
            told.append(own @ density / own.sum())
    return max((one / other).max() for one in told for other in told)


def drawn_box(random, size, wide, zeros, start):
    rows = random.dirichlet(np.ones(size), size=size)
    if zeros:
        rows[0, -1] = 0
    rows /= rows.sum(axis=1, keepdims=True)
    low = [[Fraction(max(0.0, p - wide)) * (p > 0) for p in row] for row in rows.tolist()]
    high = [[min(Fraction(1), Fraction(p + wide)) * (p > 0) for p in row] for row in rows.tolist()]
    return IntervalChain(start, low, high)


@pytest.mark.parametrize("start", ["any", "stationary", "given"])
@pytest.mark.parametrize(("size", "count"), [(2, 6), (3, 5), (4, 3)])
@pytest.mark.parametrize("kind", ["histogram", "sum"])
def test_no_member_exceeds_the_bound(start, size, count, kind, monkeypatch):
    monkeypatch.setattr(walks, "_WORK", 600)
    random = np.random.default_rng(size)
    for wide, zeros in ((1e-9, False), (0.02, False), (0.2, False), (0.1, True)):
        law = [Fraction(1, size)] * size if start == "given" else start
        box = drawn_box(random, size, wide, zeros, law)
        record = 1 + int(random.integers(count))
        asked = questioned(box, count, kind, record)
        bound = walked_ratio(*asked, known=0.0)  # after some cells are halved
        assert bound <= walked_ratio(*asked)
        rows = [np.array(side, dtype=float) for side in (box.lower, box.upper)]
        for _ in range(12):
            share = random.integers(2, size=rows[0].shape) * random.random()
            matrix = rows[0] + share * (rows[1] - rows[0])
            room = 1 - matrix.sum(axis=1, keepdims=True)
            slack = np.where(room > 0, rows[1] - matrix, matrix - rows[0])
            matrix += room * slack / np.maximum(slack.sum(axis=1, keepdims=True), 1e-300)
            first = random.dirichlet(np.full(size, 0.3))
            if start == "given":
                first = np.full(size, 1 / size)
            elif start == "stationary":
                first = np.linalg.matrix_power(matrix, 4000)[0]
            assert leaked(matrix, first, count, kind, record) <= bound * (1 + 1e-9)


def test_one_step_after_the_record_is_reached():
    """One chain, two records: the later one tells at most what the bound says, exactly."""
    rows = [["3/4", "1/4"], ["1/4", "3/4"]]
    box = IntervalChain("any", rows, rows)
    bound = walked_ratio(*questioned(box, 2, "sum", 1))
    tilt = exp(-1 / SCALE)
    assert float(bound) == pytest.approx((3 + tilt) / (1 + 3 * tilt) / tilt, rel=1e-9)


def test_a_longer_recording_is_bounded_at_any_length():
    rows = [["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]]
    box = IntervalChain("any", rows, [["7/10"] * 3] * 3)
    bounds = [walked_ratio(*questioned(box, n, "histogram", 1)) for n in (10, 100, 1000)]
    assert bounds[0] <= bounds[1] <= bounds[2] < exp(4)
    assert log(bounds[2] / bounds[1]) < 1e-6


@pytest.mark.parametrize("count", [600, 2500])
def test_records_that_never_forget_have_no_bound_of_rounding(count):
    """The second value leaves for good: what records tell adds up, up to where floats end."""
    low, high = [["1/2", "0"], ["0", "1"]], [["1", "1/2"], ["0", "1"]]
    box = IntervalChain("any", low, high)
    bound = walked_ratio(*questioned(box, count, "histogram", count // 2))
    assert bound is None or log(bound) >= count * 0.99


@pytest.mark.parametrize("start", ["any", "stationary", "given"])
@pytest.mark.parametrize(("size", "count"), [(2, 6), (3, 5), (4, 3)])
@pytest.mark.parametrize("kind", ["histogram", "sum"])
def test_a_chain_at_a_corner_leaks_what_it_says(start, size, count, kind):
    random = np.random.default_rng(size)
    law = [Fraction(1, size)] * size if start == "given" else start
    box = drawn_box(random, size, 0.1, False, law)
    framework, mechanism = questioned(box, count, kind, 2)
    pairs = one_record_pairs(framework, box)
    found = corner_chain(box, mechanism.queries, pairs, count)
    told = log(leaked(found.matrix, found.start, count, kind, 2))
    assert told >= found.nats - 1e-9
    assert found.nats <= log(walked_ratio(framework, mechanism)) + 1e-9
    for _ in range(30):  # no middle of the box leaks much more
        matrix = np.array([random.dirichlet(np.ones(len(row))) @ row for row in map(vertices, *bounds(box))])
        first = random.dirichlet(np.full(size, 0.3))
        if start != "any":
            first = found.start if start == "given" else np.linalg.matrix_power(matrix, 4000)[0]
        assert log(leaked(matrix, first, count, kind, 2)) <= told * 1.02


def bounds(box):
    return (np.array(side, dtype=float) for side in (box.lower, box.upper))


def vertices(low, high):
    orders = np.array(list(permutations(range(len(low)))), dtype=float)
    return vertex(np.tile(low, (len(orders), 1)), np.tile(high, (len(orders), 1)), orders)


def some_cone(random, cells, size):
    """Return bounds of quotients that are met by some numbers, and imply none closer."""
    free = 2 * random.normal(size=(cells, size))
    share = random.uniform(0.2, 1, size=(cells, size, size))
    apart = np.exp(abs(free[:, :, None] - free[:, None]) * share)
    for _ in range(size):
        apart = np.minimum(apart, (apart[..., None] * apart[:, None]).min(axis=2))
    return apart


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize(("wide", "spread"), [(0, 1), (0.02, 0.05), (0.2, 0.3), (0.1, 0)])
def test_no_law_and_no_columns_exceed_the_bound_of_a_step(size, wide, spread):
    random = np.random.default_rng(size)
    middle = random.dirichlet(np.ones(size), size=(2, size))
    low, high = (middle - wide).clip(0), np.minimum(middle + wide, 1)
    law = random.dirichlet(np.ones(size), size=2)
    span = (law - spread).clip(0), np.minimum(law + spread, 1)
    found = rays(some_cone(random, 2, size))
    bound = by_laws(found, low, high, span)
    reached = np.ones_like(bound)
    share = 1 / (1 + np.exp(np.linspace(-12, 12, 97)))[:, None]
    for cell, h in [(k, h) for k in (0, 1) for h in found[k]]:
        ends = [np.repeat(side[cell][None], 8, 0) for side in span]
        points = np.eye(size) if spread == 1 else vertex(*ends, random.normal(size=(8, size)))
        edges = combinations(points, 2)
        p = np.concatenate([one * share + other * (1 - share) for one, other in edges])
        for at, end in product(np.sort(h), repeat=2):
            top = np.where((h >= at)[:, None], high[cell], low[cell])
            least = np.where((h >= end)[:, None], low[cell], high[cell])
            with np.errstate(all="ignore"):
                told = ((p * h) @ top / (p @ top))[:, :, None]
                told = told / ((p * h) @ least / (p @ least))[:, None]
            reached[cell] = np.maximum(reached[cell], np.nan_to_num(told, posinf=0).max(axis=0))
    off = ~np.eye(size, dtype=bool)
    assert (reached <= bound * (1 + 1e-9))[:, off].all()
    if spread == 1:  # points of all edges are looked at: nearly attained
        assert np.log(bound[:, off]).max() <= 1.03 * np.log(reached[:, off]).max()
