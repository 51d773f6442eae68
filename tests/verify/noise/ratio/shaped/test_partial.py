"""Tables of which something is left: bounds hold the truth of any completion, and decide what it
cannot change.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import Channel, Framework, Level, Table, audit, compose
from pufferproof.models.errors import ModelError
from pufferproof.models.noise.tables import partial as partial_table
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum
from pufferproof.verify.leakage.delta import delta_of
from pufferproof.verify.leakage.ratio import leakage
from pufferproof.verify.noise.ratio.partial import as_partial, partial_delta, partial_leakage

DATABASES = ["00", "01", "10", "11"]
FRAMEWORK = Framework(
    DATABASES,
    {"s": ["00", "01"], "t": ["10", "11"]},
    [("s", "t")],
    {"theta": Table(dict(zip(DATABASES, ["1/2", "1/6", "1/12", "1/4"])))},
)
LEVELS = st.sampled_from(["0", "log(2)", "1/3", "log(9/5)"]).map(Level)
ROWS = st.lists(st.lists(st.integers(0, 5), min_size=5, max_size=5).filter(any), min_size=4, max_size=4)


def rational(value):
    return ExponentialSum([(value, ONE)])


def shares(row):
    return [Fraction(each, sum(row)) for each in row]


def whole(rows):
    return Channel.of(dict(zip(DATABASES, map(shares, rows))), list("uvwxy"))


def cut(rows):
    """The same, without the last two outputs."""
    entries = [tuple(map(rational, shares(row)[:3])) for row in rows]
    left = [rational(sum(shares(row)[3:])) for row in rows]
    return PartialTable(tuple(DATABASES), tuple("uvw"), tuple(entries), tuple(left))


@given(ROWS, LEVELS)
@examples(100)
def test_bounds_hold_the_truth_of_what_is_left(rows, level):
    channel, table = whole(rows), cut(rows)
    smallest, found = delta_of(FRAMEWORK, channel, level), partial_delta(FRAMEWORK, table, level)
    lower, upper = found.bounds()
    assert lower <= smallest.bounds()[1]
    assert smallest.bounds()[0] <= upper
    for bound in (Fraction(1, 20), Fraction(1, 3)):
        decided = found.compare(bound)
        assert decided is None or (decided > 0) == (smallest.compare(bound) > 0)
    known, _ = leakage(FRAMEWORK, channel)
    least = partial_leakage(FRAMEWORK, table).leakage.lower
    assert known.lower is None or (least is not None and least <= known.lower)


@given(ROWS, LEVELS)
@examples(100)
def test_delta_of_whole_tables_is_that_of_channels(rows, level):
    channel = whole(rows)
    entries = tuple(tuple(map(rational, shares(row))) for row in rows)
    table = PowerTable(tuple(DATABASES), tuple("uvwxy"), entries, (rational(Fraction(1)),) * 4)
    smallest = delta_of(FRAMEWORK, channel, level)
    found = partial_delta(FRAMEWORK, as_partial(table), level)
    assert found.value == smallest.value
    for bound in (Fraction(0), Fraction(1, 4), smallest.value or Fraction(1, 2)):
        assert (found.compare(bound) > 0) == (smallest.compare(bound) > 0)


def test_a_level_is_never_kept_while_something_is_left():
    table = cut([[3, 2, 3, 1, 1]] * 4)
    answer = audit(FRAMEWORK, table, "1000000")
    assert answer.verdict.value == "UNDECIDED"
    assert audit(FRAMEWORK, table, "0", "0.2").verdict.value == "SATISFIES"  # left: 1/5
    assert audit(FRAMEWORK, table, "0", "0.19").verdict.value == "UNDECIDED"


def test_a_level_is_violated_whatever_is_left():
    table = cut([[8, 1, 0, 1, 0], [8, 1, 0, 1, 0], [1, 8, 0, 1, 0], [1, 8, 0, 1, 0]])
    assert audit(FRAMEWORK, table, "log(3)").verdict.value == "VIOLATES"  # 8/10 against at most 2/10
    assert audit(FRAMEWORK, table, "log(5)").verdict.value == "UNDECIDED"
    assert audit(FRAMEWORK, table, "log(2)", "0.39").verdict.value == "VIOLATES"  # 8/10 - 2 * 2/10


@given(ROWS, ROWS, LEVELS, st.sampled_from([100_000, 60]))
@examples(60)
def test_joint_bounds_hold_the_truth_of_what_is_left(first, second, level, most):
    """However short the listing is."""
    true = compose(FRAMEWORK, [whole(first), whole(second)])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(partial_table, "MAX_TERMS", most)
        patched.setattr(partial_table, "_UNLIKELY", (4, 3, 2, 1))
        joint = compose(FRAMEWORK, [cut(first), cut(second)])
        table = joint.joint.mechanism
    least, known = joint.joint.leakage.lower, true.joint.leakage.lower
    assert known is None or (least is not None and least <= known)
    smallest = delta_of(FRAMEWORK, true.joint.channel, level)
    found = partial_delta(FRAMEWORK, table, level)
    assert found.bounds()[0] <= smallest.bounds()[1]
    assert smallest.bounds()[0] <= found.bounds()[1]
    one = rational(Fraction(1))
    for row, left in zip(table.entries, table.left):
        assert sum(row, left) == one


def test_whole_tables_beside_those_with_paths_left_are_composed_as_they_are():
    rows = [[3, 2, 3, 1, 1], [1, 1, 3, 4, 1], [2, 2, 2, 2, 2], [0, 1, 0, 1, 8]]
    channel, table = whole(rows), as_partial(whole(rows))
    power = PowerTable.of_channel(channel)
    exact = compose(FRAMEWORK, [channel, channel, channel])
    found = compose(FRAMEWORK, [table, power, channel])
    assert found.joint.leakage.ratio == exact.joint.leakage.ratio
    assert found.outputs == exact.outputs


def test_a_number_that_is_drawn_is_composed_with_listed_outputs():
    def count(database, rng):
        return database.count("1") + rng.laplace()

    def coin(database, rng):
        return database[1] if rng.random() < 0.75 else "x"

    def both(database, rng):
        return coin(database, rng), count(database, rng)

    found = compose(FRAMEWORK, [coin, count])
    assert found.joint.leakage == audit(FRAMEWORK, both).leakage
    level, bound = Level("log(2)"), Fraction(1, 5)
    delta = audit(FRAMEWORK, found.joint.mechanism, level, bound).delta
    assert delta.bounds() == audit(FRAMEWORK, both, level, bound).delta.bounds()

    def perhaps(database, rng):
        return coin(database, rng), count(database, rng) if rng.random() < 0.5 else None

    with pytest.raises(ModelError, match="both release numbers that are drawn"):
        compose(FRAMEWORK, [perhaps], runs=2)

    def normal(database, rng):
        return database.count("1") + rng.normal()

    with pytest.raises(ModelError, match="all with noise or none"):
        compose(FRAMEWORK, [coin, normal])
