"""Noisy queries written out, and what boxes of three values leak through them."""

from fractions import Fraction
from math import exp, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

import pufferproof as pp
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.verify.noise.laws.of_framework import written_out

SPACE = pp.Records(3, ("0", "1", "2"))


def framework(prior, record=2):
    secrets = {str(v): (record, str(v)) for v in range(3)}
    pairs = [("0", "1"), ("1", "2"), ("0", "2")]
    return pp.Framework.of_records(SPACE, secrets, pairs, {"theta": prior})


def test_entries_are_those_of_the_noise_to_a_known_factor():
    for query in ["sum", "mean", "histogram"]:
        for noise in [pp.Noise.laplace("1/3"), pp.Noise.laplace("1/log(2)")]:
            asked = pp.RecordQuery(query, noise, SPACE, (1, 2))
            found, table = written_out(NoisyQueries((asked,)), SPACE), asked.written_out().values
            scale = 1 / log(2) if "log" in noise.text else 1 / 3
            values = [sorted({v[k] for v in table.values()}) for k in range(asked.dimension)]
            assert 1 < found.error < 1 + Fraction(1, 10**12)
            labels = SPACE.labels()
            aligned = found.channel.aligned(labels, frozenset(range(len(labels))))
            for label in ("000", "021", "212"):
                place = labels.index(label)
                row = [Fraction(n, aligned.denominators[place]) for n in aligned.numerators_of(place)]
                assert sum(row) == 1
                first = [low[0] for low in values]
                far = sum(abs(w - v) for w, v in zip(first, table[label]))
                known = float(row[0]) * 2 * (len(found.channel.outputs) - 1)
                assert known == pytest.approx(exp(-float(far) / scale), rel=1e-12)


def drawn_row(draw):
    cuts = sorted(draw.choice([0, 1, 3, 5, 8, 10]) for _ in "ab")
    return [Fraction(n, 10) for n in (cuts[0], cuts[1] - cuts[0], 10 - cuts[1])]


def between(draw, one, other):
    share = Fraction(draw.randint(0, 3), 3)
    return [a + (b - a) * share for a, b in zip(one, other)]


@examples(6)
@given(st.integers(0, 10**9))
def test_no_member_of_a_box_of_three_values_leaks_more(seed):
    """Members on the segments between two matrices, which span the box."""
    draw = Random(seed)
    ends = [[drawn_row(draw) for _ in range(3)] for _ in "ab"]
    lower, upper = ([[choose(p, q) for p, q in zip(*rows)] for rows in zip(*ends)] for choose in (min, max))
    start = draw.choice(["any", drawn_row(draw)])
    query = pp.RecordQuery("sum", pp.Noise.laplace(draw.choice([1, 3])), SPACE)
    record = draw.randint(1, 3)
    try:
        found = pp.audit(framework(IntervalChain(start, lower, upper), record), query)
    except pp.ModelError:  # nothing to check
        return
    if found.leakage.upper is None:
        return
    for _ in range(4):
        rows = [between(draw, *pair) for pair in zip(*ends)]
        law = drawn_row(draw) if start == "any" else start
        try:
            one = pp.audit(framework(pp.MarkovChain(law, rows), record), query)
        except pp.ModelError:  # secrets are impossible
            continue
        assert one.leakage.lower <= found.leakage.upper
