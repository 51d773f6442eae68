"""One composition for every kind of mechanism: what is never listed leaks what it does written out,
and the parts of a joint witness reach the joint leakage.
"""

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples, seeds
from tests.verify.sequences.test_leakage import drawn_chain, drawn_mechanism, frameworks

import pufferproof as pp
from pufferproof import Channel, Level, LocalMechanism, Noise, RecordQuery, Records, audit, compose, repeat, strategies
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Scope, Witness
from pufferproof.verify.sequences.leakage import LocalLeakage


def likelihood(listed, prior, secret, channels, outputs):
    """P(every release shows its output | secret), from the definition."""
    law, members = listed.laws[prior], listed.secrets[secret]
    joint = sum(
        law.weights[x]
        * prod(channel.probability(listed.databases[x], output) for channel, output in zip(channels, outputs))
        for x in members
    )
    return joint / sum(law.weights[x] for x in members)


@pytest.fixture
def never_written_out(monkeypatch):
    monkeypatch.setattr("pufferproof.verify.audit.answer.writable", lambda *_: False)


@seeds(80)
def test_releases_along_sequences_leak_what_they_do_written_out(seed, never_written_out):
    draw = random.Random(seed)
    mechanisms = [drawn_mechanism(draw, "ab", 2, True) for _ in range(draw.randint(1, 2))]
    runs = 1 if len(mechanisms) == 2 else draw.randint(1, 2)
    long, listed = frameworks(2, "ab", [1, 2], {"t": drawn_chain(draw, 2, False)})
    channels = [each.channel() for each in mechanisms]
    along, written = compose(long, mechanisms, runs), compose(listed, channels, runs)
    assert (type(along.joint.largest), type(written.joint.largest)) == (LocalLeakage, LargestRatio)
    assert [each.leakage for each in along.single] == [each.leakage for each in written.single]
    assert along.joint.leakage == written.joint.leakage
    assert along.additive == written.additive
    releases = [channel for channel in channels for _ in range(runs)]
    for together in (along, written):
        witness = together.joint.witness
        above, below = (
            likelihood(listed, witness.prior, secret, releases, together.outputs) for secret in witness.pair
        )
        assert above > 0
        assert together.joint.leakage == Leakage.of(above / below if below else None)


def test_noise_along_sequences_leaks_what_it_does_on_lists():
    for seed in range(10):
        draw = random.Random(seed)
        long, listed = frameworks(3, "01", [1, 3], {"t": drawn_chain(draw, 2, False)})
        noises = [Noise("laplace", "1/log(2)"), Noise("geometric", "1/2"), Noise("laplace", 2)]
        queries = [
            RecordQuery("sum", draw.choice(noises), Records(3, ("0", "1")), draw.choice([None, (1, 2)]))
            for _ in range(draw.randint(1, 2))
        ]
        along = compose(long, queries, 2)
        written = compose(listed, [query.written_out() for query in queries], 2)
        told, rests_on = along.as_json(), written.rests_on
        assert along.rests_on == ("song2017.x-markov", *rests_on)  # the law is not listed
        assert told | {"rests_on": written.as_json()["rests_on"]} == written.as_json()
        assert audit(long, [query for query in queries for _ in range(2)]).as_json() == (along.joint.as_json())


@examples(25)
@given(strategies.instances(max_outputs=3), st.integers(1, 2))
def test_the_parts_of_a_joint_output_are_its_releases(instance, runs):
    framework, channel = instance
    rows = {x: [place, 2] for place, x in enumerate(framework.databases)}
    other = Channel.of(rows, ["u,v", "u"], normalize=True)
    joint = repeat(channel, runs).beside(other)
    assert channel.parts(channel.outputs[0]) == (channel.outputs[0],)
    for output in joint.outputs:
        *same, last = joint.parts(output)
        orders = factorial(runs) // prod(factorial(times) for times in Counter(same).values())
        for x in joint.databases:
            once = prod(channel.probability(x, each) for each in same)
            assert joint.probability(x, output) == orders * once * other.probability(x, last)


def test_the_parts_of_symbols_and_of_numbers():
    draw = random.Random(1)
    one, other = (drawn_mechanism(draw, "ab", 2, False) for _ in range(2))
    joint = one.beside(other).beside(one)
    releases = [one.channel(), other.channel(), one.channel()]
    for symbols in product(range(len(joint.outputs)), repeat=2):
        for x in releases[0].databases:
            parts = zip(releases, joint.parts(symbols))
            alone = prod(channel.probability(x, part) for channel, part in parts)
            assert joint.channel().probability(x, joint.label(symbols)) == alone
    count = NoisyQueries((RecordQuery("histogram", Noise("laplace", 1), Records(3, ("0", "1"))),))
    assert count.beside(count).parts("0,3,1/2,5/2") == ("0,3", "1/2,5/2")


def test_a_joint_release_of_one_kind_is_of_that_kind(never_written_out):
    coin = LocalMechanism("01", "01", [[["3/4", "1/4"], ["1/4", "3/4"]]] * 2)
    long, listed = frameworks(2, "01", [1], {"t": drawn_chain(random.Random(0), 2, False)})
    query = RecordQuery("sum", Noise("laplace", 1), Records(2, ("0", "1")))
    for framework, mechanism, kind in (
        (long, coin, LocalMechanism),
        (listed, coin.channel(), Channel),
        (long, query, NoisyQueries),
    ):
        together = compose(framework, [mechanism], 2)
        kinds = {type(each) for each in (*together.mechanisms, together.joint.mechanism)}
        assert kinds == {kind}


def test_bounds_tell_a_level_or_do_not():
    def between(lower, upper):
        witness, scope = Witness("t", ("a", "b"), "u"), Scope(1, 0, ())
        return LargestRatio(Leakage(lower, upper), witness, scope)

    two, three = Fraction(2), Fraction(3)
    levels = [Level("log(3/2)"), Level("log(2)"), Level("log(3)"), Level("log(4)")]
    assert [between(two, three).compare(level) for level in levels] == [1, None, 0, -1]
    assert [between(two, two).compare(level) for level in levels] == [1, 0, -1, -1]
    assert [between(two, None).compare(level) for level in levels] == [1, None, None, None]
    assert [between(None, None).compare(level) for level in levels] == [1] * 4
    assert [Verdict.of(Decision.at_most(sign)).value for sign in (1, 0, -1, None)] == [
        "VIOLATES",
        "SATISFIES",
        "SATISFIES",
        "UNDECIDED",
    ]
    assert between(two, three).additive([between(two, two)], runs=2) is Decision.HOLDS
    assert between(two, three).additive([between(two, three)], runs=1) is Decision.UNDECIDED
    assert between(None, None).additive([between(two, three)], runs=1) is Decision.FAILS
    assert between(two, three).additive([between(None, None)], runs=1) is Decision.HOLDS
    assert between(two, None).additive([between(two, two)] * 2, runs=1) is Decision.UNDECIDED
    assert between(two, three).additive([between(two, None)], runs=1) is Decision.UNDECIDED
    assert between(None, None).additive([between(two, None)], runs=1) is Decision.UNDECIDED
    assert between(three, None).additive([between(two, two)], runs=1) is Decision.FAILS


def test_runs_share_a_sample_that_the_prior_draws() -> None:
    """The secret is seen if it is sampled, one time in ten: with the same sample in both runs."""
    prior = pp.Table({"a-": "9/20", "a+": "1/20", "b-": "9/20", "b+": "1/20"})
    secrets = {"a": ["a-", "a+"], "b": ["b-", "b+"]}
    framework = pp.Framework(["a-", "a+", "b-", "b+"], secrets, [("a", "b")], {"theta": prior})
    even = ["1/2", "1/2"]
    rows = {"a-": even, "a+": even, "b-": even, "b+": ["3/4", "1/4"]}
    response = pp.Channel.of(rows, ["u", "v"])
    together = pp.compose(framework, [response], runs=2)
    sampled, half, seen = Fraction(1, 10), Fraction(1, 2), Fraction(3, 4)
    once = (1 - sampled) * half**2 + sampled * seen**2
    anew = ((1 - sampled) * half + sampled * seen) ** 2
    assert together.joint.leakage.ratio == once / half**2 == Fraction(9, 8)
    assert anew / half**2 == Fraction(441, 400)
    assert together.shared is not None
    assert together.shared in str(together)
    assert pp.compose(framework, [response]).shared is None


def test_queries_that_are_audited_together_say_what_they_share() -> None:
    records = pp.Records(3, ("0", "1"))
    chain = pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    framework = pp.Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    count = pp.RecordQuery("sum", pp.Noise.laplace(1), records)
    answer = pp.audit(framework, [count, count])
    assert answer.shared is not None
    assert answer.shared in str(answer)
    assert answer.as_json()["shared"] == answer.shared
    assert pp.audit(framework, count).shared is None
    assert "shared" not in pp.audit(framework, count).as_json()
