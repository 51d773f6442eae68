"""The leakage of many runs by counting outputs: the same as by writing the joint release out,
for hundreds of runs too.
"""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute import definitions as brute
from tests.lp.rates.test_nfc import random_channel, random_framework, three

from pufferproof import Channel, Framework, ModelError, Table, repeat, smallest_delta, strategies
from pufferproof.reports.auditing.words import composition_lines
from pufferproof.verify.audit import composition
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.certificates.writing import Inputs, certified_text, composition_certificate
from pufferproof.verify.leakage.ratio import leakage
from pufferproof.verify.leakage.runs import parts
from pufferproof.verify.leakage.runs.repeated import leakage_curve, repeated_leakage

RESPONSE = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"], "c": ["1/4", "3/4"]}, ["u", "v"])


def test_counting_agrees_with_the_joint_release_written_out():
    for seed in range(6):
        generator = random.Random(seed)
        for number in range(20):
            framework = random_framework(generator, generator.randint(2, 5), least=number % 2)
            outputs, runs = generator.randint(1, 4), generator.randint(1, 5)
            channel = random_channel(
                generator, framework.databases, outputs, 0.3 * (number % 3 == 0), 3 if number % 4 else 10**6
            )
            try:
                expected, witness = leakage(framework, repeat(channel, runs))
            except ModelError:
                with pytest.raises(ModelError, match="nothing to check"):
                    repeated_leakage(framework, channel, runs)
                continue
            found, where = repeated_leakage(framework, channel, runs)
            sequence = [output for output, times in zip(channel.outputs, where.counts) for _ in range(times)]
            assert found == expected
            assert (where.prior, where.pair, ",".join(sequence)) == (witness.prior, witness.pair, witness.output)
            assert where.runs == runs
            assert found.ratio == brute.leakage(framework, repeat(channel, runs))[0] if not found.infinite else True


def test_the_curve_has_every_number_of_runs():
    curve = leakage_curve(three(), RESPONSE, [1, 2, 50])
    assert [found.ratio for found in curve] == [3, 9, 3**50]


def test_entries_that_no_float_can_hold_are_compared_exactly():
    tiny = Fraction(1, 10**400)
    channel = Channel.of(
        {"a": [tiny, 1 - tiny], "b": [tiny / 2, 1 - tiny / 2], "c": [tiny / 2, 1 - tiny / 2]}, ["u", "v"]
    )
    assert repeated_leakage(three(), channel, 30)[0].ratio == 2**30


def test_what_is_too_much_or_over_mixtures_is_refused():
    rows = {x: [Fraction(1 + (x == "b") * w, 12) for w in (-1, 1, *[0] * 10)] for x in "abc"}
    many = Channel.of(rows, [str(i) for i in range(12)])
    with pytest.raises(ModelError, match="12 outputs: expected at most 13 runs"):
        repeated_leakage(three(), many, 200)
    with pytest.raises(ModelError, match="convex"):
        repeated_leakage(three(closure="convex"), RESPONSE, 2)
    with pytest.raises(ModelError, match="at least 1 run"):
        repeated_leakage(three(), RESPONSE, 0)


@pytest.mark.parametrize("runs", [100_001, 10**9])
def test_a_billion_runs_are_refused_even_of_a_single_output(runs):
    silent = Channel.of({x: {"u": 1} for x in "abc"})
    with pytest.raises(ModelError, match="expected at most 100000 runs"):
        repeated_leakage(three(), silent, runs)
    with pytest.raises(ModelError, match="expected at most 100000 runs"):
        compose(three(), [silent, silent], runs)


def test_composition_says_the_same_whether_outputs_are_counted_or_written_out(monkeypatch):
    generator = random.Random(1)
    for _ in range(10):
        framework = random_framework(generator, 4)
        channel = random_channel(generator, framework.databases, 3, 0.1)
        written = compose(framework, [channel], 4)
        monkeypatch.setattr(composition, "_MANY", 0)
        counted = compose(framework, [channel], 4)
        monkeypatch.undo()
        assert counted.rests_on == ("worst.columns",)
        assert counted.as_json() | {"rests_on": []} == written.as_json()
        assert composition_lines(counted, ["m"]) == composition_lines(written, ["m"])
        certified_text(composition_certificate(counted, Inputs()))


@examples(150)
@given(
    strategies.instances(), st.integers(1, 4), st.sampled_from(["log(1)", "log(3/2)", "log(2)", "log(9)", "0.3", "1"])
)
def test_delta_of_runs_is_that_of_the_joint_release(instance, runs, level):
    framework, channel = instance
    expected = smallest_delta(framework, repeat(channel, runs), level)
    found = smallest_delta(framework, channel, level, runs=runs)
    assert (found.alpha, found.beta) == (expected.alpha, expected.beta)
    assert (found.prior, found.pair) == (expected.prior, expected.pair)
    assert bool(found.outputs) == bool(expected.outputs)


ROWS = [
    (["1/2", "1/3", "1/6"], ["1/4", "1/3", "5/12"]),  # no common base
    (["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]),  # 3, 1 and 1/3
    (["4/7", "2/7", "1/7"], ["1/7", "2/7", "4/7"]),
    (["1/2", "1/2", "0"], ["1/3", "1/3", "1/3"]),  # one ratio, and 0
    (["1/2", "1/4", "1/4"], ["1/2", "1/2", "0"]),  # infinite
    (["1/2", "1/5", "1/5", "1/10"], ["1/3", "1/6", "1/4", "1/4"]),
    (["1/2", "1/2"], ["1/2", "1/2"]),
]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("runs", [2, 5, 9])
def test_delta_of_runs_of_two_databases(rows, runs, monkeypatch):
    """By powers of one number, and by logarithms."""
    priors = {"theta": Table({"a": "1/2", "b": "1/2"})}
    framework = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], priors)
    channel = Channel.of(dict(zip("ab", rows)), "uvwx"[: len(rows[0])])
    for level in ("log(1)", "log(3)", "log(2)", "log(17/10)", "0.7", "40"):
        expected = smallest_delta(framework, repeat(channel, runs), level)
        for powers in (10**6, 0):
            monkeypatch.setattr(parts, "_MOST_POWERS", powers)
            found = smallest_delta(framework, channel, level, runs=runs)
            assert (found.alpha, found.beta, found.pair) == (expected.alpha, expected.beta, expected.pair)


def test_no_runs_are_refused():
    priors = {"theta": Table({"a": "1/2", "b": "1/2"})}
    framework = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], priors)
    channel = Channel.of(dict(zip("ab", ROWS[5])), "uvwx")
    with pytest.raises(ModelError, match="expected at least 1 run, found 0"):
        smallest_delta(framework, channel, "1", runs=0)
