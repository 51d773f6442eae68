"""Two-valued chains with c < 0 of a class by pi_min and eigengap, by listing all sequences."""

from fractions import Fraction
from itertools import pairwise, product
from math import exp, log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

import pufferproof as pp
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.chains.gap import GapChains
from pufferproof.verify.noise.records.classes.ends import ClassRatio
from pufferproof.verify.noise.records.classes.gap import search_gap_approx

SLACK = 1e-9
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
    columns = [
        lambda x, s=s: float(np.prod([w if u == v else 1 for w, u, v in zip(weights, s, x)]))
        for s in signs
    ]
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


def leaked(chances, record, segments):
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
    queries = [
        RecordQuery("sum", pp.Noise.laplace(h), space, (first, last)) for first, last, h in segments
    ]
    found = pp.audit(asked, queries)
    assert isinstance(found.largest, ClassRatio)
    upper = float(found.leakage.enclosure().upper)
    for share in np.linspace(float(pi), 1 - float(pi), 4):
        memory = min(1 - float(gap), share / (1 - share), (1 - share) / share)
        for c in (-memory, -memory / 2, 1 - float(gap)):
            assert leaked(law(share, c, count), record, segments) <= upper + SLACK
