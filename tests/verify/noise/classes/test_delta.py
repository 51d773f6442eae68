"""Deltas over boxes of chains: no member has more, the witness has the lower bound."""

from fractions import Fraction
from math import e
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.verify.noise.classes.test_two_values import box, framework

import pufferproof as pp
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.verify.decision import Verdict

SHARES = [Fraction(n, 20) for n in (0, 1, 3, 8, 10, 13, 17, 19, 20)]


def drawn(seed):
    """A box, its audit, and a chain of it, None of boxes with nothing to check."""
    draw = Random(seed)
    count = draw.randint(1, 4)
    a, b = (sorted(draw.choice(SHARES) for _ in "lh") for _ in "ab")
    share = draw.choice([Fraction(1, 20), Fraction(1, 2), Fraction(1)])
    start = draw.choice(["any", "stationary", [1 - share, share]])
    record, space = draw.randint(1, count), pp.Records(count, ("0", "1"))
    noise = draw.choice([pp.Noise.laplace(2), pp.Noise.laplace(1), pp.Noise.geometric("1/2")])
    segment = draw.choice([None, (1, draw.randint(1, count))])
    query = pp.RecordQuery("sum", noise, space, segment)
    level = draw.choice(["0", "0.2", "log(2)"])

    def asked(prior):
        return pp.audit(framework(count, prior, [record]), query, epsilon=level, delta="1/10")

    def chain():
        p, q = (ends[0] + (ends[1] - ends[0]) * Fraction(draw.randint(0, 3), 3) for ends in (a, b))
        t = Fraction(draw.randint(0, 6), 6)
        law = [1 - t, t] if start == "any" else start
        return pp.MarkovChain(law, [[1 - p, p], [q, 1 - q]])

    return asked, box(start, a, b), chain, (a, b)


@examples(15)
@given(st.integers(0, 10**9))
def test_no_member_has_more_and_the_witness_has_the_lower_bound(seed):
    asked, prior, chain, (a, b) = drawn(seed)
    try:
        found = asked(prior)
    except pp.ModelError:
        return
    lower, upper = found.delta.bounds()
    assert 0 <= lower <= upper <= 1
    if prior.initial != "any" and 0 < a[0] and 0 < b[0] and a[1] < 1 and b[1] < 1:
        assert upper - lower < Fraction(3, 10**6)
    for _ in range(4):
        try:
            least, _ = asked(chain()).delta.bounds()
        except pp.ModelError:  # a secret is impossible
            continue
        assert least <= upper
    if isinstance(found.delta.member, pp.MarkovChain):
        known = asked(found.delta.member).delta.bounds()
        assert known[0] <= lower * (1 + Fraction(1, 10**9)) + Fraction(1, 10**12)
        assert known[1] >= lower


def test_twenty_records_from_any_start_to_a_millionth():
    ends = Fraction(1, 20), Fraction(3, 20)
    query = pp.RecordQuery("sum", pp.Noise.laplace(5), pp.Records(20, ("0", "1")))
    asked = framework(20, box("any", ends, ends), [10])
    found = pp.audit(asked, query, epsilon="1", delta="0.37")
    lower, upper = map(float, found.delta.bounds())
    assert (round(lower, 6), found.verdict) == (0.369808, Verdict.SATISFIES)
    assert upper - lower < 1.1e-6
    assert "PROSE" in found.trust
    assert found.as_json()["delta"]["witness"]["member"]["transition"][0] == ["19/20", "1/20"]
    assert pp.audit(asked, query, epsilon="1", delta="0.3").verdict is Verdict.VIOLATES
    near = pp.audit(asked, query, epsilon="1", delta=Fraction(lower + upper) / 2)
    assert near.verdict is Verdict.UNDECIDED


THREE = [["1/2", "1/4", "0"], ["1/8", "1/2", "1/8"], ["0", "1/4", "1/2"]]


@pytest.mark.parametrize("kind", ["channel", "noise"])
def test_other_classes_have_the_delta_of_randomised_response(kind):
    """Of three values, of channels: at most (e^L - e^epsilon) / (e^L + 1)."""
    upper = [[str(Fraction(x) + Fraction(1, 4)) for x in row] for row in THREE]
    space = pp.Records(3, ("0", "1", "2"))
    prior = IntervalChain("any", THREE, upper)
    secrets = {"low": (2, "0"), "high": (2, "2")}
    asked = pp.Framework.of_records(space, secrets, [("low", "high")], {"theta": prior})
    mechanism = pp.RecordQuery("sum", pp.Noise.laplace(4), space)
    if kind == "channel":
        rows = {x: ["2/3", "1/3"] if x.count("2") > 1 else ["1/3", "2/3"] for x in space.labels()}
        mechanism = pp.Channel.of(rows, ["u", "v"])
    found = pp.audit(asked, mechanism, epsilon="0.1", delta="9/10")
    lower, most = map(float, found.delta.bounds())
    known = float(found.leakage.upper)
    assert most <= (known - e**0.1) / (known + 1) + 1e-12
    assert 0 < lower <= most
    assert found.verdict is Verdict.SATISFIES
    for chain in prior.members(8).values():
        one = pp.Framework.of_records(space, secrets, [("low", "high")], {"theta": chain})
        assert pp.audit(one, mechanism, epsilon="0.1", delta="0").delta.bounds()[0] <= most


def test_a_delta_over_classes_asks_for_a_level_and_for_listed_outputs():
    ends = Fraction(1, 20), Fraction(3, 20)
    asked = framework(3, box("any", ends, ends), [2])
    query = pp.RecordQuery("sum", pp.Noise.laplace(5), pp.Records(3, ("0", "1")))
    with pytest.raises(pp.ModelError, match="needs a level"):
        pp.audit(asked, query, delta="1/10")
    with pytest.raises(pp.ModelError, match="for levels and deltas only"):
        pp.audit(asked, query, renyi=2)
