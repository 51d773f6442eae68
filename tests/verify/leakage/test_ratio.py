"""Leakage, delta and mixtures agree with their definitions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests import examples
from tests.brute import definitions as brute

from pufferproof import Channel, Framework, Level, ModelError, Table, audit, leakage_table, smallest_delta, strategies
from pufferproof.verify.leakage import mixtures
from pufferproof.verify.leakage.mixtures import (
    MixtureQuotient,
    as_leakage,
    compare,
    exceeds,
    form,
    mixture_delta,
    mixture_leakage,
    surely_below,
    unbounded,
)
from pufferproof.verify.leakage.ratio import (
    Witness,
    is_small,
    largest_of_few,
    largest_of_many,
    leakage,
    probabilities,
    scope,
)


def agrees_with_the_definition(instance):
    framework, channel = instance
    found, witness = leakage(framework, channel)
    assert (found.ratio, (witness.prior, witness.pair, witness.output)) == brute.leakage(framework, channel)
    integers_and_filter_agree(framework, channel)


def integers_and_filter_agree(framework, channel):
    """The two searches, of few numbers and of many, find the same place and the same ratio."""
    channel = channel.aligned(framework.databases, framework.support)
    assert is_small(framework, channel)
    few, many = (find(framework, channel) for find in (largest_of_few, largest_of_many))
    assert few[0] == many[0]
    assert few[1] * many[2] == many[1] * few[2]


@pytest.mark.parametrize(("outputs", "largest"), [(1, 1), (2, 2), (3, 1)])
def test_leakage_and_witness_agree_with_the_definition_on_every_small_instance(outputs, largest):
    """A secret of one database and one of two: every prior with weights up to 2, every channel with
    weights up to 2 or 1. So every pattern of zeros is there, and many ties.
    """
    channels = [
        (weights, Channel.of(dict(zip("abc", map(shares, weights))), "uvw"[:outputs]))
        for weights in product(integers(outputs, largest), repeat=3)
    ]
    for prior in integers(3, 2):
        if prior[0] and any(prior[1:]):
            laws = {"theta": Table(dict(zip("abc", shares(prior))))}
            framework = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], laws)
            for weights, channel in channels:
                found, witness = leakage(framework, channel)
                assert (found.ratio, witness.pair, witness.output) == of_weights(prior, weights)
                (_, _, swapped, output), above, below = largest_of_many(framework, channel)
                pair = ("t", "s") if swapped else ("s", "t")
                ratio = Fraction(above, below) if below else None
                assert (ratio, pair, channel.outputs[output]) == of_weights(prior, weights)


def integers(length, largest):
    """All rows of so many weights up to `largest`, but the row of zeros."""
    return [row for row in product(range(largest + 1), repeat=length) if any(row)]


def shares(row):
    return [Fraction(weight, sum(row)) for weight in row]


def of_weights(prior, weights):
    """The largest ratio, None if infinite, and its first place, for the secrets {a} and {b, c}.

    P(y | a) : P(y | b or c) is here[y] : there[y], in integers.
    """
    a, b, c = ([12 // sum(row) * weight for weight in row] for row in weights)
    here = [(prior[1] + prior[2]) * u for u in a]
    there = [prior[1] * v + prior[2] * w for v, w in zip(b, c)]
    places = [("s", "t", *each) for each in zip("uvw", here, there)]
    places += [("t", "s", *each) for each in zip("uvw", there, here)]
    best = None
    for s, t, output, above, below in places:
        if above and not below:
            return None, (s, t), output
        if below and (best is None or above * best[4] > best[3] * below):
            best = s, t, output, above, below
    return Fraction(best[3], best[4]), tuple(best[:2]), best[2]


@examples(400)
@given(strategies.instances())
def test_leakage_and_witness_agree_with_the_definition(instance):
    agrees_with_the_definition(instance)


@examples(300)
@given(strategies.instances(max_outputs=7))
def test_leakage_and_witness_agree_with_the_definition_for_many_outputs(instance):
    agrees_with_the_definition(instance)


@examples(300)
@given(strategies.record_frameworks(max_records=4), st.data())
def test_leakage_and_witness_agree_with_the_definition_on_records(framework, data):
    agrees_with_the_definition((framework, data.draw(strategies.channels(framework, 3))))


@examples(300)
@given(strategies.instances(), st.fractions(1, 6, max_denominator=6))
def test_smallest_delta_agrees_with_the_definition(instance, ratio):
    framework, channel = instance
    found = smallest_delta(framework, channel, Level.log(ratio))
    assert found.value == brute.delta(framework, channel, ratio)
    assert found.compare(found.value) == 0


@examples(300)
@given(strategies.instances(), st.sampled_from(["0.1", "0.5", "1", "2.25"]))
def test_delta_at_an_irrational_ratio_lies_between_its_rational_neighbours(instance, epsilon):
    framework, channel = instance
    level = Level.parse(epsilon)
    low, high = level.bounds(40)
    found = smallest_delta(framework, channel, level)
    assert brute.delta(framework, channel, high) <= found.bounds()[0]
    assert found.bounds()[1] <= brute.delta(framework, channel, low)


@examples(200)
@given(strategies.instances(closure="convex"))
def test_no_mixture_on_a_grid_leaks_more_than_the_supremum(instance):
    framework, channel = instance
    supremum, witness = mixture_leakage(framework, channel)
    grid = list(brute.mixture_ratios(framework, channel, 6))
    if supremum is None:
        reached = mixture_ratio(framework, channel, witness)
        assert reached is None or reached > 2**40
    else:
        assert None not in grid
        assert all(compare(supremum, Level.log(ratio)) >= 0 for ratio in grid if ratio >= 1)
        reached = mixture_ratio(framework, channel, witness)
        bounds = as_leakage(supremum)
        assert bounds.lower * (1 - Fraction(1, 2**39)) <= reached <= bounds.upper


@examples(200)
@given(strategies.instances(closure="convex"))
def test_floats_leave_the_supremum_and_its_first_place(instance):
    """Of every number of priors, all quotients exactly, and those alone that floats leave."""
    with pytest.MonkeyPatch.context() as patch:
        found = []
        for few in (10**9, 0):
            patch.setattr(mixtures, "_FEW_PRIORS", few)
            patch.setattr(mixtures, "_AT_ONCE", 6)
            found.append(mixture_leakage(*instance))
    assert found[0] == found[1]


FORMS = st.tuples(*[st.integers(0, 40)] * 3)
PRODUCTS = st.tuples(*[st.tuples(*[st.integers(0, 6)] * 2)] * 2).map(lambda both: form(*both))


@examples(500)
@given(FORMS, PRODUCTS, st.fractions(0, 50, max_denominator=20))
def test_what_floats_call_below_a_bound_is_below_it(above, below, bound):
    quotient = MixtureQuotient(tuple(map(Fraction, above)), tuple(map(Fraction, below)))
    arrays = [[np.array([float(each)]) for each in part] for part in (above, below)]
    supremum = quotient.supremum()
    assert bool(unbounded(*arrays)) == (supremum is None)
    if surely_below(*arrays, bound):
        assert quotient.at_most(bound)
        assert supremum != bound
    elif bound and quotient.at_most(bound * (1 - Fraction(1, 10**9))):
        assert 0 in below or 0 in quotient.excess(bound)


@examples(200)
@given(strategies.instances(closure="convex"), st.fractions(1, 6, max_denominator=6))
def test_a_violated_level_comes_with_a_mixture_that_violates_it(instance, ratio):
    framework, channel = instance
    result = audit(framework, channel, Level.log(ratio))
    reached = mixture_ratio(framework, channel, result.witness)
    assert (result.verdict.value == "VIOLATES") == (reached is None or reached > ratio)


def delta_at(framework, channel, found):
    """Evaluate the sum that a delta bounds at its own witness."""
    outputs = [(found.prior, found.pair, output) for output in found.outputs]
    sides = [probabilities(framework, channel, Witness(*place)) for place in outputs]
    ratio = found.level.ratio
    return sum((left - ratio * right for left, right in sides), Fraction(0))


@examples(200)
@given(
    strategies.instances(closure="convex"), st.fractions(1, 4, max_denominator=4), st.fractions(0, 1, max_denominator=8)
)
def test_the_smallest_delta_over_mixtures_bounds_a_grid_and_is_reached(instance, ratio, bound):
    framework, channel = instance
    found, sign = mixture_delta(framework, channel, Level.log(ratio), bound)
    assert all(not exceeds(delta, found.bounds()[1]) for delta in brute.mixture_deltas(framework, channel, ratio, 6))
    reached = delta_at(framework, channel, found)
    assert found.bounds()[0] * (1 - Fraction(1, 2**39)) <= reached <= found.bounds()[1]
    assert (sign > 0) == (reached > bound)


@examples(100)
@given(
    strategies.instances(closure="convex"), st.sampled_from(["0.1", "0.5", "1"]), st.fractions(0, 1, max_denominator=8)
)
def test_delta_over_mixtures_at_an_irrational_ratio_lies_between_rational_ones(instance, epsilon, bound):
    framework, channel = instance
    level = Level.parse(epsilon)
    found, sign = mixture_delta(framework, channel, level, bound)
    low, high = (mixture_delta(framework, channel, Level.log(end), bound)[0] for end in reversed(level.bounds(20)))
    assert low.bounds()[0] <= found.bounds()[0] <= found.bounds()[1] <= high.bounds()[1]
    assert sign is not None


@examples(100)
@given(strategies.instances(), st.fractions(1, 4, max_denominator=4))
def test_a_single_prior_has_no_mixtures(instance, ratio):
    framework, channel = instance
    assume(len(framework.priors) == 1)
    hull = Framework(
        framework.databases,
        {name: [framework.databases[x] for x in held] for name, held in framework.secrets.items()},
        framework.pairs,
        {"theta": Table(brute.probabilities(framework, next(iter(framework.priors))))},
        "convex",
    )
    assert mixture_leakage(hull, channel)[0] == leakage(framework, channel)[0].ratio
    level = Level.log(ratio)
    assert mixture_delta(hull, channel, level, Fraction(0))[0].value == smallest_delta(framework, channel, level).value


@examples(300)
@given(strategies.instances())
def test_the_table_has_every_row_and_its_largest_ratio_is_the_leakage(instance):
    framework, channel = instance
    rows = list(leakage_table(framework, channel))
    found, witness = leakage(framework, channel)
    assert len(rows) == scope(framework, len(channel.outputs)).checked
    if found.infinite:
        assert any(row.ratio is None and row.left for row in rows)
    else:
        assert max(row.ratio for row in rows if row.ratio is not None) == found.ratio
    here = next(
        row for row in rows if (row.prior, row.pair, row.output) == (witness.prior, witness.pair, witness.output)
    )
    assert here.ratio == found.ratio
    if here.posterior_odds is not None:
        assert here.posterior_odds == here.ratio * here.prior_odds


def mixture_ratio(framework, channel, witness):
    left, right = probabilities(framework, channel, witness)
    return left / right if right else None


def _two_secrets(**prior):
    return Framework(
        list(prior), {"s": ["a"], "t": [x for x in prior if x != "a"]}, [("s", "t")], {"theta": Table(prior)}
    )


def test_ratios_that_differ_by_one_part_in_10_to_the_30_are_ordered():
    tiny = Fraction(1, 10**30)
    framework = _two_secrets(a="1/2", b="1/2")
    for more in ("u", "v"):
        low, high = Fraction(1, 8), Fraction(1, 8) * (1 + tiny)
        u, v = (high, low) if more == "u" else (low, high)
        rows = {"a": [u * 2, v * 2, 1 - 2 * u - 2 * v], "b": [Fraction(1, 8), Fraction(1, 8), Fraction(3, 4)]}
        found, witness = leakage(framework, Channel.of(rows, ["u", "v", "w"]))
        assert (found.ratio, witness.output) == (2 * (1 + tiny), more)


@pytest.mark.parametrize("exponent", [200, 320, 1200, 5000])
def test_probabilities_far_below_the_smallest_float_are_exact(exponent):
    tiny = Fraction(1, 10**exponent)
    framework = _two_secrets(a="1/2", b="1/2")
    channel = Channel.of({"a": [0, tiny, 1 - tiny], "b": [0, 3 * tiny, 1 - 3 * tiny]}, ["none", "u", "v"])
    found, witness = leakage(framework, channel)
    assert (found.ratio, witness.pair, witness.output) == (3, ("t", "s"), "u")
    integers_and_filter_agree(framework, channel)


def test_a_prior_far_below_the_smallest_float_is_exact():
    tiny = Fraction(1, 10**400)
    priors = {"theta": Table({"a": tiny, "b": 1 - tiny})}
    framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], priors)
    assert leakage(framework, Channel.of({"a": ["1/2", "1/2"], "b": ["1/8", "7/8"]}, ["u", "v"]))[0].ratio == 4


def test_zero_over_zero_is_no_violation_and_positive_over_zero_is_infinite():
    framework = _two_secrets(a="1/2", b="1/2")
    silent = Channel.of({"a": ["1/2", "1/2", "0"], "b": ["1/2", "1/2", "0"]}, ["u", "v", "w"])
    assert leakage(framework, silent)[0].ratio == 1
    found, witness = leakage(framework, Channel.of({"a": ["1", "0"], "b": ["1/2", "1/2"]}, ["u", "v"]))
    assert found.infinite
    assert (witness.pair, witness.output) == (("t", "s"), "v")


def test_a_secret_of_probability_zero_is_left_out_and_counted():
    priors = {"none": Table({"b": 1}), "some": Table({"a": "1/2", "b": "1/2"})}
    framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], priors)
    result = audit(framework, Channel.of({"a": ["1/2", "1/2"], "b": ["1/4", "3/4"]}, ["u", "v"]), "log(2)")
    assert (result.scope.excluded, result.scope.never_checked, result.scope.checked) == (1, (), 4)
    assert result.verdict.value == "SATISFIES"


def test_nothing_to_check_is_an_error_and_never_a_verdict():
    framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"b": 1})})
    with pytest.raises(ModelError, match="nothing to check"):
        audit(framework, Channel.of({"b": ["1/2", "1/2"]}, ["u", "v"]), "log(2)")


def test_one_sided_frameworks_check_only_the_order_written():
    priors = {"theta": Table({"a": "1/2", "b": "1/2"})}
    channel = Channel.of({"a": ["1/2", "1/2"], "b": ["1/8", "7/8"]}, ["u", "v"])
    for pair, ratio in [(("s", "t"), 4), (("t", "s"), Fraction(7, 4))]:
        framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [pair], priors, one_sided=True)
        assert leakage(framework, channel)[0].ratio == ratio


@given(strategies.instances(), st.data())
def test_relabelling_and_permuting_change_nothing(instance, data):
    framework, channel = instance
    order = data.draw(st.permutations(range(len(channel.databases))))
    columns = data.draw(st.permutations(range(len(channel.outputs))))
    rows = {channel.databases[x]: channel.numerators_of(x) for x in order}
    permuted = Channel.of(
        {
            label: [Fraction(row[y], channel.denominators[channel.position[label]]) for y in columns]
            for label, row in rows.items()
        },
        [channel.outputs[y] for y in columns],
    )
    assert leakage(framework, permuted)[0] == leakage(framework, channel)[0]


@given(strategies.instances(), st.data())
def test_a_row_for_an_impossible_database_is_not_needed(instance, data):
    framework, channel = instance
    impossible = [x for x in range(len(framework.databases)) if x not in framework.support]
    assume(impossible)
    rows = {x: [channel.probability(x, y) for y in channel.outputs] for x in framework.databases}
    del rows[framework.databases[data.draw(st.sampled_from(impossible))]]
    assert leakage(framework, Channel.of(rows, channel.outputs)) == leakage(framework, channel)
