"""The cone of columns: exactly the outputs that mechanisms within a budget can have."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute import definitions as brute

from pufferproof import Framework, ModelError, Records, Table, audit, strategies
from pufferproof.lp.cones.columns import Columns, primitive
from pufferproof.models.numbers.level import Level

ratios = st.sampled_from([Fraction(1), Fraction(6, 5), Fraction(3, 2), Fraction(3)])


def bits(count, prior, **options):
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    return Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"theta": prior}, **options)


@given(strategies.instances(), ratios)
@examples(150)
def test_a_mechanism_keeps_its_budget_iff_every_column_lies_in_the_cone(instance, ratio):
    framework, channel = instance
    columns = Columns(framework)
    cone = columns.cone(ratio)
    kept = all(cone.holds(columns.column(channel, output)) for output in channel.outputs)
    value, _ = brute.leakage(framework, channel)
    assert kept == (value is not None and value <= ratio)


@given(strategies.instances())
@examples(80)
def test_ratio_of_the_laws_is_the_leakage(instance):
    framework, channel = instance
    columns = Columns(framework)
    found = [laws.ratio(columns.column(channel, output)) for laws in columns.laws for output in channel.outputs]
    expected, _ = brute.leakage(framework, channel)
    assert (None if None in found else max(found)) == expected


@given(strategies.instances(), st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(3)]))
@examples(80)
def test_every_column_of_the_cone_occurs_in_a_mechanism_of_two_outputs(instance, ratio):
    framework, channel = instance
    columns = Columns(framework)
    cone = columns.cone(ratio)
    for output in channel.outputs:
        u = columns.column(channel, output)
        if any(u) and cone.holds(u):
            mechanism = columns.two_output_mechanism(cone, u)
            assert audit(framework, mechanism, Level.log(ratio)).verdict.value == "SATISFIES"
            found = columns.column(mechanism, "w")
            assert primitive(found) == primitive(u)


def test_a_column_that_breaks_the_budget_is_refused():
    framework = bits(1, Table({"0": "1/2", "1": "1/2"}))
    columns = Columns(framework)
    with pytest.raises(ModelError, match="column of the cone"):
        columns.two_output_mechanism(columns.cone(Fraction(2)), [3, 1])


@given(strategies.record_frameworks(max_records=2), st.lists(st.integers(0, 4), min_size=9, max_size=9), ratios)
@examples(80)
def test_per_record_rows_say_differential_privacy_on_all_databases(framework, numbers, ratio):
    columns = Columns(framework)
    cone = columns.cone(Fraction(1000), ratio)
    u = numbers[: len(columns.databases)]
    if not any(u) or not cone.holds(u):
        return
    mechanism = columns.two_output_mechanism(cone, u, ratio)
    labels = framework.databases
    for x in labels:
        for y in labels:
            if sum(a != b for a, b in zip(x, y)) == 1:
                for output in mechanism.outputs:
                    assert mechanism.probability(x, output) <= ratio * mechanism.probability(y, output)


def test_per_record_levels_need_records():
    prior = Table({"a": "1/2", "b": "1/2"})
    framework = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": prior})
    with pytest.raises(ModelError, match="records"):
        Columns(framework).cone(Fraction(2), Fraction(2))


def test_per_record_rows_bridge_databases_of_probability_zero():
    framework = bits(2, Table({"00": "1/2", "11": "1/2"}))
    cone = Columns(framework).cone(Fraction(100), Fraction(2))
    assert cone.holds([4, 1])
    assert not cone.holds([5, 1])
