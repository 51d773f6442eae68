"""The cone of columns: exactly the outputs that mechanisms within a budget can have."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute import definitions as brute

from pufferproof import (
    Channel,
    Framework,
    MarkovChain,
    ModelError,
    Records,
    Table,
    audit,
    strategies,
)
from pufferproof.lp.cones.columns import Columns, dot, primitive
from pufferproof.models.numbers.level import Level

ratios = st.sampled_from([Fraction(1), Fraction(6, 5), Fraction(3, 2), Fraction(3)])


def bits(count, prior, **options):
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    return Framework.of_records(
        Records(count, ("0", "1")), secrets, pairs, {"theta": prior}, **options
    )


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
    found = [
        laws.ratio(columns.column(channel, output))
        for laws in columns.laws
        for output in channel.outputs
    ]
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


def test_one_sided_lists_at_ratio_one_need_equations():
    prior = Table({"a": "1/2", "b": "1/2"})
    framework = Framework(
        ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": prior}, one_sided=True
    )
    columns = Columns(framework)
    assert columns.cone(Fraction(1)).equations == ((-1, 1),)
    # P(w | a) < P(w | b) would force another output the other way
    assert not columns.cone(Fraction(1)).holds([0, 1])
    assert columns.cone(Fraction(2)).holds([0, 1])


def test_databases_of_probability_zero_or_outside_every_secret_are_left_out():
    prior = Table({"a": "1/4", "b": "1/4", "c": "0", "d": "1/2"})
    framework = Framework("abcd", {"s": ["a", "c"], "t": ["b"]}, [("s", "t")], {"theta": prior})
    assert Columns(framework).labels == ("a", "b")
    mechanism = Columns(framework).two_output_mechanism(
        Columns(framework).cone(Fraction(2)), [2, 1]
    )
    assert mechanism.probability("d", "w") == mechanism.probability("a", "w") == Fraction(2, 3)


@given(
    strategies.record_frameworks(max_records=2),
    st.lists(st.integers(0, 4), min_size=9, max_size=9),
    ratios,
)
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
                    assert mechanism.probability(x, output) <= ratio * mechanism.probability(
                        y, output
                    )


def test_per_record_rows_bridge_databases_of_probability_zero():
    framework = bits(2, Table({"00": "1/2", "11": "1/2"}))
    cone = Columns(framework).cone(Fraction(100), Fraction(2))
    assert cone.holds([4, 1])
    assert not cone.holds([5, 1])


def test_laws_shared_by_priors_are_listed_once():
    chain = MarkovChain(["1/2", "1/2"], [["3/4", "1/4"], ["1/4", "3/4"]])
    stationary = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    both = {"chain": chain, "stationary": stationary}
    framework = Framework.of_records(Records(2, ("0", "1")), secrets, [("x1=0", "x1=1")], both)
    assert [len(laws.places) for laws in Columns(framework).laws] == [2, 2]


def test_the_convex_closure_of_one_prior_is_that_prior():
    even = Table({"0": "1/2", "1": "1/2"})
    closures = [Columns(bits(1, even, closure=each)).laws for each in ("list", "convex")]
    assert closures[0] == closures[1]


def test_per_record_levels_need_records():
    prior = Table({"a": "1/2", "b": "1/2"})
    framework = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": prior})
    with pytest.raises(ModelError, match="records"):
        Columns(framework).cone(Fraction(2), Fraction(2))


def test_primitive_vectors():
    assert primitive([Fraction(1, 2), Fraction(3, 4), 0]) == (2, 3, 0)
    assert primitive([0, 0]) == (0, 0)
    assert dot((2, 0, -1), (Fraction(1, 2), 7, 3)) == -2


def test_a_column_is_read_from_a_mechanism():
    framework = bits(1, Table({"0": "1/2", "1": "1/2"}))
    mechanism = Channel.of({"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}, ["u", "v"])
    assert Columns(framework).column(mechanism, "u") == (Fraction(3, 4), Fraction(1, 4))
