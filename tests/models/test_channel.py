"""Channels: construction, storage, and the laws of composition, mixing and post-processing."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import Channel, ModelError, adaptive_compose, audit, mix, post_process, repeat, strategies
from pufferproof.models.mechanisms import releases
from pufferproof.verify.audit.composition import compose


def _ratio(framework, channel):
    leakage = audit(framework, channel).leakage
    return leakage.ratio if not leakage.infinite else float("inf")


@given(strategies.instances(), st.data())
def test_post_processing_never_raises_leakage(instance, data):
    framework, channel = instance
    labels = channel.outputs
    rows = data.draw(st.lists(strategies.laws(2), min_size=len(labels), max_size=len(labels)))
    processed = post_process(channel, Channel.of(dict(zip(labels, rows)), ["z0", "z1"]))
    assert _ratio(framework, processed) <= _ratio(framework, channel)


@given(strategies.instances(), st.data())
def test_a_public_mixture_leaks_at_most_the_worst_of_its_parts(instance, data):
    framework, channel = instance
    other = data.draw(strategies.channels(framework))
    weight = data.draw(st.fractions(0, 1, max_denominator=5))
    mixed = mix([weight, 1 - weight], [channel, other])
    assert _ratio(framework, mixed) <= max(_ratio(framework, channel), _ratio(framework, other))


@given(strategies.instances(), st.data())
def test_a_joint_release_multiplies_probabilities_and_leaks_at_least_each_part(instance, data):
    framework, channel = instance
    other = data.draw(strategies.channels(framework))
    joint = channel.beside(other)
    for x in framework.databases:
        for y in channel.outputs:
            for z in other.outputs:
                assert joint.probability(x, f"{y},{z}") == channel.probability(x, y) * other.probability(x, z)
    assert _ratio(framework, joint) >= max(_ratio(framework, channel), _ratio(framework, other))


@examples(200)
@given(strategies.instances(max_outputs=3), st.integers(1, 3))
def test_merging_runs_into_multisets_keeps_the_joint_leakage(instance, runs):
    framework, channel = instance
    assert _ratio(framework, repeat(channel, runs)) == _ratio(framework, channel.beside(*[channel] * (runs - 1)))


@examples(100)
@given(strategies.instances(max_outputs=3), st.integers(1, 3))
def test_the_witness_of_a_joint_release_is_a_sequence_that_reaches_it(instance, runs):
    framework, channel = instance
    found = compose(framework, [channel], runs)
    theta = framework.laws[found.joint.witness.prior]
    sides = []
    for secret in found.joint.witness.pair:
        total = Fraction(0)
        for x in framework.secrets[secret]:
            term = Fraction(theta.weights[x])
            for y in found.outputs:
                term *= channel.probability(framework.databases[x], y)
            total += term
        sides.append(total / framework.mass(found.joint.witness.prior, secret))
    if found.joint.leakage.infinite:
        assert sides[0] > 0 == sides[1]
    else:
        assert sides[0] / sides[1] == found.joint.leakage.ratio


def test_an_adaptive_release_follows_the_first_output():
    first = Channel.of({"a": ["1/2", "1/2"], "b": ["1/3", "2/3"]}, ["u", "v"])
    quiet, loud = (
        Channel.of({"a": row_a, "b": row_b}, ["0", "1"])
        for row_a, row_b in ((["1/2"] * 2, ["1/2"] * 2), ([1, 0], [0, 1]))
    )
    joint = adaptive_compose(first, {"u": quiet, "v": loud})
    assert joint.outputs == ("u,0", "u,1", "v,0", "v,1")
    assert [joint.probability("b", y) for y in joint.outputs] == [Fraction(1, 6), Fraction(1, 6), 0, Fraction(2, 3)]


def test_outputs_whose_joined_labels_would_clash_stay_distinct():
    left = Channel.of({"a": ["1/2", "1/2"]}, ["x", "x,x"])
    assert len(set(left.beside(left).outputs)) == 4


@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (7, 2)])
def test_a_float_matrix_stands_for_its_exact_binary_values(shape):
    generator = np.random.default_rng(7)
    matrix = generator.random(shape) * 10.0 ** -generator.integers(0, 12, shape)
    labels = [str(index) for index in range(shape[0])]
    channel = Channel.from_array(matrix, labels, normalize=True)
    for x, row in enumerate(matrix.tolist()):
        total = sum(map(Fraction, row))
        assert [channel.probability(labels[x], y) for y in channel.outputs] == [
            Fraction(value) / total for value in row
        ]


@given(st.data())
def test_every_storage_of_the_same_numbers_audits_alike(data):
    framework, channel = data.draw(strategies.instances())
    huge = 10**25
    wide = Channel.of_integers(
        channel.databases,
        channel.outputs,
        [[number * huge for number in channel.numerators_of(x)] for x in range(len(channel.databases))],
        [denominator * huge for denominator in channel.denominators],
    )
    assert wide.numerators.dtype == object
    assert channel.numerators.dtype == np.int64
    assert wide == channel
    assert hash(wide) == hash(channel)
    array = Channel(
        channel.databases, channel.outputs, channel.numerators, channel.denominators
    )  # in the place of lists
    for alike in (wide, array):
        assert audit(framework, alike).as_json() == audit(framework, channel).as_json()
    floats = np.array([[float(n) for n in channel.numerators_of(x)] for x in range(len(channel.databases))])
    binary = Channel.from_array(floats, channel.databases, channel.outputs, normalize=True)
    assert binary.scales is not None
    assert audit(framework, binary).as_json() == audit(framework, channel).as_json()


def test_denormal_and_mixed_magnitude_floats_are_exact():
    matrix = np.array([[5e-324, 1.0, 0.0], [1e300, 1e-300, 3.0]])
    channel = Channel.from_array(matrix, ["a", "b"], normalize=True)
    for label, row in zip("ab", matrix.tolist()):
        total = sum(map(Fraction, row))
        assert [channel.probability(label, y) for y in channel.outputs] == [Fraction(value) / total for value in row]


@pytest.mark.parametrize(
    ("rows", "outputs", "message"),
    [
        ({"a": ["1/2", "1/4"]}, ["u", "v"], 'channel row "a": sums to 3/4, expected 1'),
        ({"a": ["3/2", "-1/2"]}, ["u", "v"], 'channel row "a": expected non-negative entries, found -1/2'),
        ({"a": ["1"]}, ["u", "v"], "expected 2 entries, one per output, found 1"),
        ({"a": ["x", "1"]}, ["u", "v"], 'channel row "a", output "u": expected a number'),
        ({"a": ["1/2", "1/2"]}, ["u", "u"], 'output "u" occurs twice'),
        ({}, ["u"], "expected a row for every database, found none"),
        ({"a": []}, [], "expected at least one output"),
        ({"a": {"w": 1}}, ["u"], 'unknown output "w"'),
        ({"a": [1, 0]}, None, "need the names of the outputs"),
    ],
)
def test_bad_rows_are_refused_with_place_and_value(rows, outputs, message):
    with pytest.raises(ModelError) as error:
        Channel.of(rows, outputs)
    assert message in str(error.value)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -0.5])
def test_bad_float_entries_are_refused(bad):
    with pytest.raises(ModelError, match="expected a finite probability"):
        Channel.from_array(np.array([[bad, 1.0]]), ["a"], normalize=True)


def test_a_row_of_zeros_cannot_be_normalized():
    with pytest.raises(ModelError, match="expected a positive sum"):
        Channel.of({"a": [0, 0]}, ["u", "v"], normalize=True)


def test_a_joint_release_too_large_to_write_out_is_refused_before_it_is_built():
    channel = Channel.of({"a": ["1/10"] * 10}, [str(index) for index in range(10)])
    with pytest.raises(ModelError, match="expected at most"):
        repeat(channel, 60)


@pytest.mark.parametrize(("limit", "most"), [("MAX_ENTRIES", 2 * 6), ("MAX_BITS", 2 * 6 * 2 * 5)])
def test_a_joint_release_that_is_too_large_says_how_many_runs_are_not(limit, most, monkeypatch):
    """Five runs of two outputs have six multisets, on two databases; denominators have two bits."""
    monkeypatch.setattr(releases, limit, most)
    coin = Channel.of({"a": ["1/3", "2/3"], "b": ["2/3", "1/3"]}, "uv")
    assert len(repeat(coin, 5).outputs) == 6
    for runs in (6, 1000):
        with pytest.raises(ModelError, match=f"of {runs} runs is too large: expected at most 5"):
            repeat(coin, runs)
