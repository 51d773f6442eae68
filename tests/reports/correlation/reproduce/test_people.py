"""People that are drawn have the published sizes; chains that are fitted have no zeros."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pufferproof.examples.reproduce.populations.drawn import _walked, drawn_activities, drawn_check_ins
from pufferproof.examples.reproduce.populations.fitting import TAU, fitted_chain, smoothed
from pufferproof.examples.reproduce.populations.people import Population, Recorded, gathered
from pufferproof.models.errors import ModelError

activities = cache(drawn_activities)


def test_check_ins_have_the_published_sizes():
    found = drawn_check_ins(5)
    assert (len(found.queries), len(found.labels), found.length) == (77, 78, 100)
    people = found.counts.sum(axis=1) // 100
    assert np.array_equal(found.counts.sum(axis=1), 100 * people)
    assert (people >= 20).all()
    assert (people <= 1000).all()
    assert found.steps.sum() == 399 * people.sum()
    assert found.usual.sum() == 400 * people.sum()


def test_activities_have_the_published_sizes():
    found = activities(5)
    assert (len(found.queries), len(found.labels), found.length) == (32, 11, 288)
    assert (found.counts.sum(axis=1) == 288).all()
    assert found.steps.sum() == 119 * 287
    groups = [query.partition(":")[0] for query in found.queries]
    assert {group: groups.count(group) for group in groups} == dict.fromkeys(("18-29", "30-37", "38-52", "53+"), 8)


def test_a_seed_gives_the_same_people_and_another_one_others():
    one, again, other = activities(5), drawn_activities(5), drawn_activities(6)
    assert np.array_equal(one.counts, again.counts)
    assert not np.array_equal(one.counts, other.counts)


def test_walks_follow_the_kernel():
    """Impossible steps never happen; frequencies within five standard errors (seed 3, failing
    once in a million).
    """
    kernel = np.array([[0.0, 0.3, 0.7], [1.0, 0.0, 0.0], [0.25, 0.25, 0.5]])
    draws = np.random.Generator(np.random.PCG64(3))
    paths = _walked(draws, kernel, np.array([0.2, 0.0, 0.8]), 4000, 20)
    assert not (paths[:, 0] == 1).any()
    for before in range(3):
        after = paths[:, 1:][paths[:, :-1] == before]
        for value in range(3):
            p = kernel[before, value]
            spread = 5 * np.sqrt(p * (1 - p) / len(after))
            assert abs((after == value).mean() - p) <= spread


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(any))
def test_smoothing_keeps_a_law_a_law_without_zeros(counts):
    law = [Fraction(count, sum(counts)) for count in counts]
    found = smoothed(law, TAU)
    zeros = counts.count(0)
    assert sum(found) == 1
    assert min(found) > 0
    assert [after for before, after in zip(law, found) if not before] == [TAU] * zeros
    kept = [after / before for before, after in zip(law, found) if before]
    assert {*kept} == {1 - zeros * TAU}


def test_a_label_that_nothing_follows_has_equal_weights_on_the_others():
    chain = fitted_chain([[1, 1, 0], [0, 0, 0], [1, 2, 1]])
    assert chain.transition[1] == ((1 - TAU) / 2, TAU, (1 - TAU) / 2)
    assert chain.initial == "stationary"


@pytest.mark.parametrize(
    ("steps", "tau", "message"),
    [
        ([[1]], TAU, "at least 2 rows, found 1"),
        ([[1, 2], [1]], TAU, "expected a square table"),
        ([[1, -1], [1, 1]], TAU, r"steps\[0\]: expected counts, found -1"),
        ([[1, 0], [1, 1]], "1", "tau: expected from 0 to less than 1/1, found 1"),
        ([[1, 0], [1, 1]], "-1/2", "tau: expected from 0"),
    ],
)
def test_what_is_no_table_of_steps_is_refused(steps, tau, message):
    with pytest.raises(ModelError, match=message):
        fitted_chain(steps, tau)


def test_people_without_steps_or_records_are_refused():
    with pytest.raises(ModelError, match="expected steps to fit a chain to, found none"):
        gathered("p", "files", "ab", [Recorded("g", [0])], [Recorded("g", [0])], [])
    with pytest.raises(ModelError, match="expected records to ask about, found none"):
        gathered("p", "files", "ab", [Recorded("g", [0, 1])], [], [])
    with pytest.raises(ModelError, match="expected at least 2 labels, found 1"):
        Population("p", "files", ("a",), (), *[np.zeros((1, 1), dtype=np.int64)] * 3, 1)
