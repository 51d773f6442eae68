"""The leakage over all pairs of databases, which are compared column by column, is that of the
definition, and its place the first: of integers over one denominator or several, and of floats.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute import definitions as brute

from pufferproof import Channel, Framework, Table
from pufferproof.verify.leakage.laws import ConditionalLaws
from pufferproof.verify.leakage.ratio import largest_of_few, largest_of_many, leakage

LARGE = 2**63 - 1


def every_pair(databases, weights, names=None):
    """All databases a secret each, in the order of `names`, under a prior of these weights."""
    prior = Table(dict(zip(databases, weights)), normalize=True)
    secrets = {f"is {name}": [name] for name in names or databases}
    return Framework(databases, secrets, "disjoint", {"theta": prior})


def integers(rows, denominator):
    databases, outputs = "abcde"[: len(rows)], "uvwxyz"[: len(rows[0])]
    return Channel.of_integers(tuple(databases), tuple(outputs), rows, [denominator] * len(rows))


def agrees(framework, channel):
    """The search by columns, that of few numbers, and the definition."""
    many, few = (find(framework, channel) for find in (largest_of_many, largest_of_few))
    assert many[0] == few[0]
    assert many[1] * few[2] == few[1] * many[2]
    found, witness = leakage(framework, channel)
    assert (found.ratio, (witness.prior, witness.pair, witness.output)) == brute.leakage(framework, channel)


def by_integers(framework, channel):
    laws = ConditionalLaws(framework, channel, "theta")
    assert laws.over_one_denominator is not None
    agrees(framework, channel)


@st.composite
def rows_of_one_sum(draw, largest):
    total = draw(st.integers(1, largest))
    width = draw(st.integers(1, 6))
    cuts = st.lists(st.integers(0, total), min_size=width - 1, max_size=width - 1).map(sorted)
    rows = draw(st.lists(cuts, min_size=2, max_size=5))
    return [np.diff([0, *row, total]).tolist() for row in rows], total


@pytest.mark.parametrize("largest", [4, 1000, LARGE])
@examples(300)
@given(st.data())
def test_integers_over_one_denominator(largest, data):
    rows, total = data.draw(rows_of_one_sum(largest))
    databases = "abcde"[: len(rows)]
    weights = data.draw(
        st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)).filter(
            lambda each: sum(map(bool, each)) > 1
        )
    )
    framework = every_pair(databases, weights, data.draw(st.permutations(databases)))
    by_integers(framework, integers(rows, total))


def test_integers_whose_quotients_are_one_float_are_ordered():
    """The quotients of the first two outputs differ by less than 2^-60."""
    half, total = 2**61, 2**63 - 1
    rows = [[half - 1, half - 2], [half // 2, half // 2 - 1]]
    assert rows[0][0] / rows[1][0] == rows[0][1] / rows[1][1]
    rows = [[*row, total - sum(row)] for row in rows]
    for order in ([0, 1, 2], [1, 0, 2]):
        columns = [[row[y] for y in order] for row in rows]
        by_integers(every_pair("ab", [1, 1]), integers(columns, total))


@examples(200)
@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), min_size=2, max_size=5))
def test_rows_with_sums_of_their_own(rows):
    databases = "abcde"[: len(rows)]
    channel = Channel.of(dict(zip(databases, rows)), "uvw", normalize=True)
    agrees(every_pair(databases, [1] * len(rows)), channel)


@examples(200)
@given(
    st.lists(
        st.lists(
            st.sampled_from([0.0, 5e-324, 2.0**-1022, 0.1, 0.3, 1.0, 1 - 2.0**-53, 2.0**60]), min_size=3, max_size=3
        ).filter(any),
        min_size=2,
        max_size=5,
    )
)
def test_rows_of_floats(rows):
    databases = "abcde"[: len(rows)]
    channel = Channel.from_array(np.array(rows), databases, normalize=True)
    framework = every_pair(databases, [1] * len(rows))
    found, witness = leakage(framework, channel)
    assert (found.ratio, (witness.prior, witness.pair, witness.output)) == brute.leakage(framework, channel)
