"""Bounds by steps that may each have a matrix of their own, against members written out."""

from fractions import Fraction
from itertools import permutations, product
from math import exp, log

import numpy as np
import pytest

from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.classes.rows import walks
from pufferproof.verify.noise.classes.rows.cells import vertex
from pufferproof.verify.noise.classes.rows.corners import corner_chain
from pufferproof.verify.noise.classes.rows.walks import one_record_pairs, walked_ratio

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
    monkeypatch.setattr(walks, "_WORK", 120)
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
        matrix = np.array(
            [random.dirichlet(np.ones(len(row))) @ row for row in map(vertices, *bounds(box))]
        )
        first = random.dirichlet(np.full(size, 0.3))
        if start != "any":
            first = found.start if start == "given" else np.linalg.matrix_power(matrix, 4000)[0]
        assert log(leaked(matrix, first, count, kind, 2)) <= told * 1.02


def bounds(box):
    return (np.array(side, dtype=float) for side in (box.lower, box.upper))


def vertices(low, high):
    orders = np.array(list(permutations(range(len(low)))), dtype=float)
    return vertex(np.tile(low, (len(orders), 1)), np.tile(high, (len(orders), 1)), orders)
