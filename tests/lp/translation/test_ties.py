"""A level that is exactly what is leaked is kept, also where both are irrational."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

import pufferproof as pp
from pufferproof.lp.levels import Total
from pufferproof.verify.decision import Decision

RECORDS = pp.Records(3, ("0", "1"))
SECRETS = {"x1=0": (1, "0"), "x1=1": (1, "1"), "x2=0": (2, "0"), "x2=1": (2, "1")}
PAIRS = [("x1=0", "x1=1"), ("x2=0", "x2=1")]
INDEPENDENT = pp.Framework(
    RECORDS, SECRETS, PAIRS, {"even": pp.Product([["1/2", "1/2"]] * 3), "odd": pp.Product([["1/3", "2/3"]] * 3)}
)
CHAIN = pp.Framework(RECORDS, SECRETS, PAIRS, {"t": pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])})


def told(call, *arguments):
    """The word that an assertion fails with, HOLDS if it does not."""
    try:
        call(*arguments)
    except AssertionError as error:
        return str(error).split()[0]
    return "HOLDS"


def test_levels_of_independent_records_are_decided_at_a_tie():
    for levels, epsilon, said in [
        (["0.5"], "0.5", "HOLDS"),
        (["0.5", "0.25"], "0.75", "HOLDS"),
        (["0.5"], "0.49999999999999999999999999999999999999", "VIOLATES"),
        (["log(2)", "0.5"], "1.1931471805599453094172321214581765681", "HOLDS"),
        (["log(2)", "0.5"], "1.1931471805599453094172321214581765680", "VIOLATES"),
        (["log(2)"], "log(2)", "HOLDS"),
    ]:
        assert told(pp.assert_translates, INDEPENDENT, levels, epsilon) == said


def test_the_chain_leaks_more_than_the_level():
    assert told(pp.assert_translates, CHAIN, ["0.5"], "0.5") == "VIOLATES"
    assert told(pp.assert_translates, CHAIN, ["0.5"], "1.5") == "HOLDS"


@pytest.mark.parametrize(
    ("scale", "epsilon", "said"),
    [(2, "1", "HOLDS"), (2, "0.99999999999999999999999999999", "VIOLATES"), (3, "1", "HOLDS")],
)
def test_noise_is_decided_at_a_tie(scale, epsilon, said):
    count = pp.RecordQuery("sum", pp.Noise("laplace", scale), RECORDS, (1, 1))
    assert told(pp.assert_composes, INDEPENDENT, [count, count], epsilon) == said


def test_long_sequences_are_looked_at_more_closely_before_they_are_undecided():
    coin = pp.LocalMechanism("01", "01", [[["3/4", "1/4"], ["1/4", "3/4"]]] * 400)
    long = pp.Framework(pp.Records(400, ("0", "1")), SECRETS, PAIRS, {"t": pp.Product([["1/2", "1/2"]] * 400)})
    assert told(pp.assert_composes, long, [coin, coin], "log(9)") == "HOLDS"
    assert told(pp.assert_composes, long, [coin, coin], "log(8)") == "VIOLATES"


LEVELS = st.one_of(
    st.fractions(1, 4, max_denominator=4).map(pp.Level.log), st.fractions(0, 2, max_denominator=4).map(pp.Level.of_nats)
)


@examples(100)
@given(st.lists(LEVELS, min_size=1, max_size=3), LEVELS)
def test_sums_of_levels_are_compared_as_their_numbers_are(levels, epsilon):
    total = Total.of(levels)
    sign = total.compare(epsilon)
    ratio = math.prod(float(level.ratio or 1) for level in levels)
    nats = sum(float(level.nats or 0) for level in levels)
    other = float(epsilon.nats or 0) + math.log(epsilon.ratio or 1)
    apart = math.log(ratio) + nats - other
    assert sign == 0 if abs(apart) < 1e-12 else sign == math.copysign(1, apart)


@examples(50)
@given(st.lists(LEVELS, min_size=1, max_size=2))
def test_the_worst_case_of_independent_records_is_the_sum_of_their_levels(levels):
    worst = pp.translate(INDEPENDENT, levels)
    total = Total.of(levels)
    assert worst.levels == (total,)
    assert Decision.at_most(worst.compare(pp.Level.of_nats(Fraction(20)))) is Decision.HOLDS
    low, high = total.bounds()
    assert worst.leakage.lower <= high
    assert low <= worst.leakage.upper
