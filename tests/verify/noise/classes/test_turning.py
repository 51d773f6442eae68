"""Boxes of two-valued chains that may have a + b > 1: no member leaks more, by enumeration."""

from fractions import Fraction
from itertools import pairwise, product
from math import exp, log
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.verify.noise.classes.test_two_values import SLACK, box, framework

import pufferproof as pp
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.intervals import Interval
from pufferproof.verify.noise.classes.ends import ClassRatio
from pufferproof.verify.noise.classes.outputs import Bridges, Outputs, likelihoods

SHARES = [Fraction(n, 20) for n in (0, 0, 1, 2, 5, 8, 10, 12, 15, 17, 19, 20, 20)]


def numbers(queries, x):
    """The coordinates of all queries, and their scales."""
    for kind, scale, (first, last) in queries:
        inside = x[first - 1 : last]
        if kind == "histogram":
            yield len(inside) - sum(inside), scale
        yield sum(inside), scale


def leaked(law, a, b, count, queries, records):
    """The largest log ratio at values of the numbers, by enumeration in floats; inf of outputs
    that one secret excludes cannot occur.
    """
    rows, worst = ((1 - a, a), (b, 1 - b)), 0.0
    places = [{} for _ in records]
    values = [set() for _ in numbers(queries, (0,) * count)]
    for x in product((0, 1), repeat=count):
        p = law[x[0]]
        for now, then in pairwise(x):
            p *= rows[now][then]
        told = tuple(v for v, _ in numbers(queries, x))
        for k, v in enumerate(told):
            values[k].add(v)
        for place, r in zip(places, records):
            place[x[r - 1], told] = place.get((x[r - 1], told), 0) + p
    scales = [scale for _, scale in numbers(queries, (0,) * count)]
    for place in places:
        total = [sum(p for (s, _), p in place.items() if s == v) for v in (0, 1)]
        if not all(total):
            continue
        for w in product(*values):
            likely = [0.0, 0.0]
            for (s, told), p in place.items():
                far = sum(abs(x - y) / h for x, y, h in zip(w, told, scales))
                likely[s] += p * exp(-far) / total[s]
            worst = max(worst, abs(log(likely[0] / likely[1])))
    return worst


def climbed(of, low, high, seed):
    """The largest value of a function of three numbers within bounds that a random climb finds."""
    draw, radius = Random(seed), 0.5
    starts = [tuple(draw.choice(ends) for ends in zip(low, high)) for _ in range(4)]
    starts += [tuple(draw.uniform(*ends) for ends in zip(low, high)) for _ in range(4)]
    best, at = max((of(*x), x) for x in starts)
    for _ in range(24):
        near = tuple(
            min(max(x + draw.uniform(-radius, radius) * (h - small), small), h) for x, small, h in zip(at, low, high)
        )
        best, at = max((best, at), (of(*near), near))
        radius *= 0.85
    return best


def audited(data_or_random, queries_of):
    """A random question, its answer, and the leakage of a chain by enumeration."""
    draw = data_or_random
    count = draw.randint(1, 5)
    a, b = (sorted(draw.choice(SHARES) for _ in "lh") for _ in "ab")
    if draw.random() < 0.5:
        a, b = (sorted(draw.choice(SHARES[6:]) for _ in "lh") for _ in "ab")
    if draw.random() < 0.15:
        a = [a[0], a[0]]
    if draw.random() < 0.1:
        b = [1 - a[1], 1 - a[0]]  # with equal rows
    kind = draw.choice(["any", "stationary", "given"])
    share = draw.choice([Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(1)])
    start = [1 - share, share] if kind == "given" else kind
    record = draw.randint(1, count)
    queries = queries_of(draw, count)
    space = pp.Records(count, ("0", "1"))
    asked = [RecordQuery(q, pp.Noise.laplace(h), space, s) for q, h, s in queries]
    try:
        answer = pp.audit(framework(count, box(start, a, b), [record]), asked)
    except pp.ModelError:  # no stationary law, or nothing to check
        return None

    def of(p, q, t):
        t = {"given": float(share), "any": t}.get(kind, p / (p + q) if p + q else 0.5)
        return leaked((1 - t, t), p, q, count, queries, [record])

    low, high = (float(a[0]), float(b[0]), 0.0), (float(a[1]), float(b[1]), 1.0)
    return answer, of, low, high


def one_sum(draw, count):
    return [("sum", draw.choice([1, 2, 5]), (1, count))]


def several(draw, count):
    def segment():
        return tuple(sorted(draw.randint(1, count) for _ in "fl"))

    kinds = [("sum", 2, segment()), draw.choice([("sum", 1, segment()), ("histogram", 3, segment())])]
    return kinds[: draw.randint(1, 2)]


def check(asked, seed, draws=1):
    if asked is None:
        return
    answer, of, low, high = asked
    enclosure = answer.leakage.enclosure()
    lower, upper = float(enclosure.lower), float(enclosure.upper)
    assert max(climbed(of, low, high, seed + k) for k in range(draws)) <= upper + SLACK
    if isinstance(answer.largest, ClassRatio) and answer.largest.member is not None:
        chain = answer.largest.member
        (_, p), (q, _) = chain.transition
        assert low[0] - SLACK <= p <= high[0] + SLACK
        assert low[1] - SLACK <= q <= high[1] + SLACK
        reached = of(float(p), float(q), float(chain.initial_law()[1]))
        assert abs(reached - lower) < 1e-7  # in floats, also of chains near a limit


@examples(40)
@given(st.integers(0, 10**9))
def test_no_member_leaks_more_and_the_witness_reaches_the_lower_bound(seed):
    check(audited(Random(seed), one_sum), seed)


@examples(20)
@given(st.integers(0, 10**9))
def test_nor_of_several_releases_of_segments(seed):
    check(audited(Random(seed), several), seed)


def exact_means(count, record, a, b, decay):
    """M_s(x, w) by enumeration, in fractions."""
    rows, found = ((1 - a, a), (b, 1 - b)), {}
    for x in product((0, 1), repeat=count):
        p = Fraction(1)
        for now, then in pairwise(x):
            p *= rows[now][then]
        likely = [p * decay ** abs(w - sum(x)) for w in range(count + 1)]
        known = found.setdefault((x[record - 1], x[0]), [Fraction(0)] * (count + 2))
        for k, term in enumerate([*likely, p]):
            known[k] += term
    return {key: [n / d for n in known] for key, (*known, d) in found.items() if d}


@examples(15)
@given(st.integers(0, 10**9))
def test_means_lie_within_their_spans_and_slopes(seed):
    draw, decay = Random(seed), Fraction(1, 2)
    count = draw.randint(2, 5)
    record = draw.randint(2, count)
    low = np.array([[draw.randint(0, 24) / 32 for _ in "ab"]])
    high = low + np.array([[draw.choice([0, 1, 2, 8]) / 32 for _ in "ab"]])
    spans = np.array([float(decay ** abs(d)) for d in range(-count, count + 1)])
    outputs = Outputs([Interval.point(spans)], [[1]] * count)
    middle = (low + high) / 2
    points = Bridges(middle, middle, record - 1, None)
    found = likelihoods(Bridges(low, high, record - 1, points), points, outputs, record)
    for _ in range(3):
        at = [Fraction(x) + Fraction(draw.randint(0, 8), 8) * Fraction(h - x) for x, h in zip(low[0], high[0])]
        truth = exact_means(count, record, *at, decay)
        near = exact_means(count, record, *map(Fraction, middle[0]), decay)
        for key in truth.keys() & near.keys():
            for w in range(count + 1):
                value = found[key].value[0, 0, w]
                assert float(value.low) <= truth[key][w] <= float(value.high)
                room = sum(
                    abs(float(x) - m) * float(slope.size[0, 0, w])
                    for x, m, slope in zip(at, middle[0], found[key].slopes)
                    if x != m
                )
                assert abs(truth[key][w] - near[key][w]) <= room + 1e-12


def test_the_worst_chain_of_a_box_that_turns_is_inside():
    """The exact instance of `classes.worst-at-corner`, within a box."""
    space, ends = pp.Records(6, ("0", "1")), (Fraction(3, 4), Fraction(19, 20))
    query = RecordQuery("sum", pp.Noise.geometric(Fraction(1, 2)), space)
    high = Fraction(19, 20)
    found = pp.audit(framework(6, box("stationary", ends, (high, high)), [2]), query)
    assert found.leakage.upper / found.leakage.lower < exp(1.01e-6)
    assert found.leakage.lower >= Fraction(31113375, 29418146)
    (_, a), _ = found.largest.member.transition
    assert Fraction(3, 4) < a < high


def test_a_level_is_decided_before_the_search_ends():
    space, ends = pp.Records(20, ("0", "1")), (Fraction(17, 20), Fraction(19, 20))
    query = RecordQuery("sum", pp.Noise.laplace(5), space)
    asked = framework(20, box("any", ends, ends), [20])
    assert pp.audit(asked, query, epsilon="0.25").verdict.value == "SATISFIES"
    found = pp.audit(asked, query, epsilon="0.05")
    assert found.verdict.value == "VIOLATES"
    assert found.largest.cells < 600
