"""Renyi divergences of tables of exponential sums: those of channels, and from below what is true
of tables of which something is left.
"""

from fractions import Fraction
from math import e, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.verify.noise.ratio.shaped.test_partial import FRAMEWORK, ROWS, cut, whole

from pufferproof import Level, ModelError, audit
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.verify.leakage.renyi import renyi_divergence
from pufferproof.verify.noise.integrals.renyi.largest import table_renyi
from pufferproof.verify.noise.ratio.partial import as_partial

ORDERS = st.sampled_from(["2", "3", "3/2", "7/5"])


@given(ROWS, ORDERS)
@examples(60)
def test_divergences_of_tables_are_those_of_channels(rows, order):
    channel = whole(rows)
    exact = renyi_divergence(FRAMEWORK, channel, order)
    for table in (PowerTable.of_channel(channel), as_partial(channel)):
        found = table_renyi(FRAMEWORK, table, order)
        assert found.infinite == exact.infinite
        if not exact.infinite:
            low, high = found.moment_bounds()
            least, most = exact.moment_bounds()
            assert low <= most
            assert least <= high
            assert (high - low) * 2**60 <= high
        for level in (Level("0"), Level("log(2)"), Level("log(9/5)")):
            assert found.compare(level) in (exact.compare(level), None)


@given(ROWS, ORDERS)
@examples(60)
def test_divergences_are_at_least_what_is_listed(rows, order):
    exact, found = (renyi_divergence(FRAMEWORK, whole(rows), order), table_renyi(FRAMEWORK, cut(rows), order))
    if exact.infinite:
        return
    assert not found.infinite
    assert found.moment_bounds()[0] <= exact.moment_bounds()[1]
    for level in (Level("0"), Level("log(2)"), Level("1/10")):
        assert found.compare(level) in (1, None)
        if found.compare(level) == 1:
            assert exact.compare(level) == 1


def test_a_threshold_with_laplace_noise_has_its_closed_form():
    def first(database, rng):
        return int(database[0]) + rng.laplace() > 1

    answer = audit(FRAMEWORK, first, renyi=2)
    p, q = 1 / 2, e**-1 / 2
    moments = [a**2 / b + (1 - a) ** 2 / (1 - b) for a, b in ((p, q), (q, p))]
    assert float(answer.renyi.enclosure().lower) == pytest.approx(log(max(moments)), abs=1e-12)
    assert audit(FRAMEWORK, first, "0.7", renyi=2).verdict.value == "SATISFIES"
    assert audit(FRAMEWORK, first, "0.3", renyi=2).verdict.value == "VIOLATES"


def test_a_divergence_is_never_kept_while_paths_are_left():
    def waits(database, rng):
        count = 0
        while rng.random() < Fraction(1, 2) + Fraction(int(database[0]), 4):
            count += 1
        return min(count, 3)

    assert audit(FRAMEWORK, waits, "100", renyi=2).verdict.value == "UNDECIDED"
    assert audit(FRAMEWORK, waits, "0.01", renyi=2).verdict.value == "VIOLATES"


def test_numbers_that_are_drawn_on_some_paths_are_refused_by_name():
    def perhaps(database, rng):
        return int(database[0]) + rng.laplace() if rng.random() < 0.5 else None

    with pytest.raises(ModelError, match="drawn on some paths"):
        audit(FRAMEWORK, perhaps, renyi=2)
