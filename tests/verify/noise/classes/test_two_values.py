"""Classes of two-valued chains, boxes or with an eigengap, by listing all sequences."""

from fractions import Fraction
from itertools import pairwise, product
from math import exp, log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

import pufferproof as pp
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.chains import GapChains, IntervalChain
from pufferproof.verify.noise.classes.ends import ClassRatio, search_gap_approx

# Boxes of two-valued chains: no member leaks more than the bound, by listing all sequences.


SLACK = 1e-9


def framework(count, box, records):
    secrets = {f"{r}={v}": (r, str(v)) for r in records for v in (0, 1)}
    pairs = [(f"{r}=0", f"{r}=1") for r in records]
    return pp.Framework.of_records(pp.Records(count, ("0", "1")), secrets, pairs, {"theta": box})


def box(start, a, b):
    (al, ah), (bl, bh) = a, b
    return IntervalChain(start, [[1 - ah, al], [bl, 1 - bh]], [[1 - al, ah], [bh, 1 - bl]])


def leaked(start, a, b, count, scales, records):
    """The largest log ratio of a sum of the first and of one of all records, at outputs on a grid
    and beyond it, by enumeration in floats.
    """
    laws = {(r, v): {} for r in records for v in (0, 1)}
    rows = ((1 - a, a), (b, 1 - b))
    for x in product((0, 1), repeat=count):
        p = start[x[0]]
        for now, then in pairwise(x):
            p *= rows[now][then]
        for r in records:
            law = laws[r, x[r - 1]]
            law[x[0], sum(x)] = law.get((x[0], sum(x)), 0) + p
    worst = 0.0
    for r in records:
        zero, one = laws[r, 0], laws[r, 1]
        if not sum(zero.values()) or not sum(one.values()):
            continue
        for w in product((0, 1), range(count + 1)):
            likely = [
                sum(p * exp(-sum(abs(x - y) / h for x, y, h in zip(w, v, scales))) for v, p in law.items())
                / sum(law.values())
                for law in (zero, one)
            ]
            worst = max(worst, abs(log(likely[0] / likely[1])))
    return worst


SHARES = st.integers(0, 20).map(lambda n: Fraction(n, 40))


@examples(20)
@given(st.data())
def test_no_member_leaks_more_and_the_witness_reaches_the_lower_bound(data):
    draw = data.draw
    count = draw(st.integers(1, 5))
    a, b = (sorted((draw(SHARES), draw(SHARES))) for _ in "ab")
    kind = draw(st.sampled_from(["any", "stationary", "given"]))
    share = draw(st.integers(0, 4).map(lambda n: Fraction(n, 4)))
    start = [1 - share, share] if kind == "given" else kind
    records = draw(st.lists(st.integers(1, count), min_size=1, unique=True))
    scales = draw(st.lists(st.sampled_from([1, 2, 5]), min_size=2, max_size=2))
    space = pp.Records(count, ("0", "1"))
    queries = [
        RecordQuery("sum", pp.Noise.laplace(scales[0]), space, (1, 1)),
        RecordQuery("sum", pp.Noise.laplace(scales[1]), space),
    ]
    try:
        found = pp.audit(framework(count, box(start, a, b), records), queries)
    except pp.ModelError:  # no stationary law, or nothing to check
        return
    if not isinstance(found.largest, ClassRatio):
        assert kind == "stationary"
        assert a[0] == b[0] == 0
        return
    upper = float(found.leakage.enclosure().upper)
    for _ in range(6):
        p, q = (float(low + (high - low) * draw(st.sampled_from([0, 1, Fraction(1, 3)]))) for low, high in (a, b))
        t = float(draw(st.sampled_from([0, 1, Fraction(1, 5), Fraction(1, 2)])))
        if kind == "given":
            t = float(share)
        if kind == "stationary":
            t = p / (p + q)
        assert leaked((1 - t, t), p, q, count, scales, records) <= upper + SLACK
    chain = found.largest.member
    (_, p), (q, _) = chain.transition
    assert a[0] <= p <= a[1]
    assert b[0] <= q <= b[1]
    law = chain.initial_law()
    reached = leaked(tuple(map(float, law)), float(p), float(q), count, scales, records)
    assert abs(reached - float(found.leakage.enclosure().lower)) < SLACK


@examples(30)
@given(st.data())
def test_stationary_boxes_may_reach_over_the_line(data):
    """Where a + b > 1 for some chains, and not at the corner of the least changes."""
    draw, share = data.draw, st.integers(1, 19).map(lambda n: Fraction(n, 20))
    a, b = (sorted((draw(share), draw(share))) for _ in "ab")
    count = draw(st.integers(2, 5))
    record, scale = draw(st.integers(1, count)), draw(st.sampled_from([1, 3]))
    space = pp.Records(count, ("0", "1"))
    queries = [
        RecordQuery("sum", pp.Noise.laplace(each), space, segment)
        for each, segment in ((scale, (1, draw(st.integers(1, count)))), (2, None))
    ]
    found = pp.audit(framework(count, box("stationary", a, b), [record]), queries)
    assert isinstance(found.largest, ClassRatio)
    for _ in range(6):
        p, q = (draw(st.sampled_from([low, high, (low + high) / 2])) for low, high in (a, b))
        chain = box("stationary", (p, p), (q, q)).chain([[1 - p, p], [q, 1 - q]])
        alone = framework(count, chain, [record])
        one = pp.audit(alone, queries).leakage
        assert one.lower <= found.leakage.upper * (1 + SLACK)


def test_json_names_the_chain_of_the_witness():
    ends = (Fraction(1, 10), Fraction(1, 5))
    query = RecordQuery("sum", pp.Noise.laplace(2), pp.Records(4, ("0", "1")))
    told = pp.audit(framework(4, box("any", ends, ends), [2]), query, epsilon=9).as_json()
    assert told["witness"]["member"]["transition"] == [["9/10", "1/10"], ["1/10", "9/10"]]
    assert told["verdict"] == "SATISFIES"
    assert told["cells"] > 0


# Two-valued chains with c < 0 of a class by pi_min and eigengap, by listing all sequences.


WEIGHTS = st.sampled_from([1.0, 1.2, 2.0, 9.0])


def law(pi, c, count):
    """The probabilities of all sequences of the stationary chain with P(1) = pi, eigenvalue c."""
    a, b = pi * (1 - c), (1 - pi) * (1 - c)
    rows, start = ((1 - a, a), (b, 1 - b)), (1 - pi, pi)
    chances = {}
    for x in product((0, 1), repeat=count):
        steps = [rows[now][then] for now, then in pairwise(x)]
        chances[x] = start[x[0]] * float(np.prod(steps))
    return chances


def ratio(chances, record, column):
    """How much likelier an output of these likelihoods is with 1 at a record than with 0."""
    likely, total = [0.0, 0.0], [0.0, 0.0]
    for x, p in chances.items():
        likely[x[record - 1]] += p * column(x)
        total[x[record - 1]] += p
    return likely[1] * total[0] / (likely[0] * total[1])


def worst_column(chances, record, weights):
    """The largest log ratio of products of weights of any signs."""
    signs = product((0, 1), repeat=len(weights))
    columns = [lambda x, s=s: float(np.prod([w if u == v else 1 for w, u, v in zip(weights, s, x)])) for s in signs]
    return max(abs(log(ratio(chances, record, column))) for column in columns)


@examples(60)
@given(st.data())
def test_records_that_turn_tell_as_much_as_products_of_weights(data):
    draw = data.draw
    weights = draw(st.lists(WEIGHTS, min_size=1, max_size=5))
    records = draw(st.lists(st.integers(1, len(weights)), min_size=1, unique=True))
    pi = draw(st.integers(1, 10).map(lambda n: Fraction(n, 20)))
    gap = draw(st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(9, 10), Fraction(1)]))
    chains = GapChains(2, pi, gap)
    found = search_gap_approx(chains, [(w, w) for w in weights], records, 0.0, np.inf)
    told = []
    for share in np.linspace(float(pi), 1 - float(pi), 5):
        memory = min(1 - float(gap), share / (1 - share), (1 - share) / share)
        for c in (-memory, -memory / 3):
            chances = law(share, c, len(weights))
            told.append(max(worst_column(chances, record, weights) for record in records))
    assert max(told) <= found.upper + SLACK
    if pi == Fraction(1, 2) and found.best < told[0]:
        assert found.upper <= told[0] + 2e-6


def leaked_by_segments(chances, record, segments):
    """The largest log ratio of noisy sums of segments, at all values of the sums."""
    worst = 0.0
    for w in product(*(range(last - first + 2) for first, last, _ in segments)):

        def column(x, w=w):
            sums = [(sum(x[first - 1 : last]), h) for first, last, h in segments]
            return exp(-sum(abs(u - v) / h for u, (v, h) in zip(w, sums)))

        worst = max(worst, abs(log(ratio(chances, record, column))))
    return worst


@examples(25)
@given(st.data())
def test_segments_leak_at_most_the_bound_under_chains_that_turn(data):
    draw = data.draw
    lengths = draw(st.lists(st.integers(1, 2), min_size=2, max_size=3))
    ends = [sum(lengths[:k]) for k in range(len(lengths) + 1)]
    scales = [draw(st.sampled_from([1, 2, 5])) for _ in lengths]
    count, segments = ends[-1], [(a + 1, b, h) for a, b, h in zip(ends, ends[1:], scales)]
    record = draw(st.integers(1, count))
    pi = draw(st.sampled_from([Fraction(1, 10), Fraction(2, 5), Fraction(1, 2)]))
    gap = draw(st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(1)]))
    space = pp.Records(count, ("0", "1"))
    secrets = {"zero": (record, "0"), "one": (record, "1")}
    classes = {"theta": GapChains(2, pi, gap)}
    asked = pp.Framework.of_records(space, secrets, [("zero", "one")], classes)
    queries = [RecordQuery("sum", pp.Noise.laplace(h), space, (first, last)) for first, last, h in segments]
    found = pp.audit(asked, queries)
    assert isinstance(found.largest, ClassRatio)
    upper = float(found.leakage.enclosure().upper)
    for share in np.linspace(float(pi), 1 - float(pi), 4):
        memory = min(1 - float(gap), share / (1 - share), (1 - share) / share)
        for c in (-memory, -memory / 2, 1 - float(gap)):
            assert leaked_by_segments(law(share, c, count), record, segments) <= upper + SLACK
