"""What speaks against a fitted chain: tests of order and groups, rows from smoothing, and values
that nothing can follow.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency
from tests import examples

import pufferproof as pp
from pufferproof.models.files.recorded.doubts.comparison import WEAK, Bridges, Share, batches, likeness
from pufferproof.models.files.recorded.doubts.order import order_test, shuffled

CYCLE = np.full((4, 4), 0.01) + 0.96 * np.roll(np.eye(4), 1, axis=1)
SPARSE = np.random.default_rng(3).dirichlet([0.3] * 6, 6)


def walked(matrix, length, random):
    values = [0]
    for _ in range(length - 1):
        values.append(int(random.choice(len(matrix), p=matrix[values[-1]])))
    return values


def homes(count, length, seed=1):
    """Return sequences of 0 and 1: every second home changes with 0.02, the others with 0.5."""
    random = Random(seed)
    found = []
    for home in range(count):
        values = [0]
        while len(values) < length:
            values.append(values[-1] ^ (random.random() < (0.02 if home % 2 else 0.5)))
        found.append(values)
    return found


def flat(sequences):
    """Return values and their groups."""
    pairs = [(value, group) for group, values in enumerate(sequences) for value in values]
    return [value for value, _ in pairs], [group for _, group in pairs]


# --- draws ---


@given(st.lists(st.integers(0, 2), min_size=3, max_size=7))
@examples(20)
def test_shuffles_are_the_sequences_with_the_same_start_and_steps(values):
    def kept(path):
        return path[0], Counter(pairwise(path))

    every = {path for path in permutations(values) if kept(path) == kept(tuple(values))}
    draws = 400 * len(every)
    rows = Counter(map(tuple, shuffled(np.array(values), draws, np.random.default_rng(7)).tolist()))
    assert set(rows) <= every
    # each is expected 400 times: 6 standard deviations
    assert all(abs(rows[path] - 400) < 120 for path in every)


def test_bridges_have_the_law_of_the_chain_between_their_ends():
    """Against the probability of every path, with a value that nothing follows."""
    paths = [np.array(each) for each in ([0, 1, 0, 0, 2], [0, 0, 1, 1, 0], [0, 1, 1, 2])]
    steps = Counter(step for path in paths for step in zip(path.tolist(), path[1:].tolist()))
    left = Counter({x: sum(n for (a, _), n in steps.items() if a == x) for x in range(3)})
    draws = 20_000
    rows = Bridges(paths).drawn(paths[0], draws, np.random.default_rng(1))
    found = Counter(map(tuple, rows.tolist()))
    law = {}
    for inner in product((0, 1), repeat=3):
        path = (0, *inner, 2)
        chance = Fraction(1)
        for a, b in pairwise(path):
            chance *= Fraction(steps[a, b], left[a])
        if chance:
            law[path] = chance
    assert set(found) <= set(law)
    for path, chance in law.items():
        expected = float(chance / sum(law.values()))
        assert abs(found[path] / draws - expected) < 6 * (expected / draws) ** 0.5


# --- p-values ---


@given(st.lists(st.booleans(), min_size=1, max_size=400), st.sampled_from([WEAK, WEAK / 2, 0.3]))
@examples(200)
def test_draws_that_end_early_are_on_the_side_of_the_level_on_which_all_are(reach, level):
    share, taken = Share(1.0, len(reach), level), 0
    for size in batches([share]):
        share.take([2.0 * each for each in reach[taken : taken + size]])
        taken += size
    every = (1 + sum(reach)) / (1 + len(reach))
    assert (share.p_value < level) == (every < level)
    assert share.p_value == every or share.draws < len(reach) or share.exceed / share.draws == share.p_value
    assert share.exceed == sum(reach[: share.draws])
    assert share.draws <= taken <= len(reach)


@pytest.mark.parametrize(("most", "level"), [(6, 0.3), (7, 0.4), (5, 0.2)])
def test_p_values_of_draws_that_end_early_hold_exactly(most, level):
    """The data and all draws in every order: p <= t for at most the share t of them."""
    found = Counter()
    for rank in range(most + 1):  # how many of the draws reach the data: each is equally likely
        for place in range(2**most):
            reach = [place >> k & 1 for k in range(most)]
            if sum(reach) == rank:
                share = Share(1.0, most, level)
                share.take([2.0 * each for each in reach])
                found[Fraction(share.p_value).limit_denominator(100)] += Fraction(1, (most + 1) * comb(most, rank))
    assert sum(found.values()) == 1
    assert all(sum(n for p, n in found.items() if p <= t) <= t for t in found)


def test_the_comparison_of_groups_is_that_of_contingency_tables():
    random = np.random.default_rng(2)
    sequences = [random.integers(0, 3, 200).tolist() for _ in range(4)]
    statistic = degrees = 0
    for x in range(3):
        table = np.array([[sum((a, b) == (x, y) for a, b in pairwise(s)) for y in range(3)] for s in sequences])
        found = chi2_contingency(table, correction=False)
        statistic, degrees = statistic + found.statistic, degrees + found.dof
    test = likeness(sequences).comparison
    assert float(test.statistic) == pytest.approx(statistic)
    assert (test.degrees, test.draws) == (degrees, 0) == ((4 - 1) * 3 * (3 - 1), 0)
    assert test.p_value == pytest.approx(chi2.sf(statistic, degrees))


@pytest.mark.parametrize(
    ("name", "sequences"),
    [
        ("order", lambda r: [walked(CYCLE, 200, r)]),
        ("order", lambda r: [walked(SPARSE, 300, r)]),
        ("groups", lambda r: [walked(CYCLE, 50, r) for _ in range(4)]),
        ("groups", lambda r: [walked(SPARSE, 80, r) for _ in range(4)]),
    ],
)
def test_true_chains_are_seldom_doubted(name, sequences):
    """With p < 0.01 one chain in a hundred: more than 3 in 40 have probability 0.0007."""
    random = np.random.default_rng(11)
    found = []
    for _ in range(40):
        given = sequences(random)
        test = order_test(given) if name == "order" else likeness(given).comparison
        found.append(test.p_value)
    assert sum(p < 0.01 for p in found) <= 3
    assert max(found) > 0.5


def test_groups_that_differ_are_found_and_do_not_count_against_the_order():
    found = likeness(homes(12, 400)).comparison
    assert (found.p_value < 1e-50, found.draws) == (True, 0)
    sequences = homes(12, 200)
    assert order_test(sequences).p_value > 0.01
    assert likeness(sequences[1::2]).comparison.p_value > 0.01
    short = likeness([values[:20] for values in sequences]).comparison
    assert (short.p_value, short.draws) == (1 / 2000, 1999)
    assert likeness([[0, 1, 1, 0]] * 3).comparison.p_value > 0.5
    assert likeness([[0], [1]]).comparison.degrees == 0


def test_long_recordings_with_rare_steps_are_compared_by_their_beginnings():
    random = np.random.default_rng(1)
    sequences = [walked(SPARSE, 40, random) * 400 for _ in range(3)]
    sequences[0][-1] = 6
    test = likeness(sequences).comparison
    assert (test.p_value, test.draws) == (1 / 2000, 1999)  # periodic, each in its own way
    assert order_test(sequences).p_value < 1e-9  # all values, with rare steps together


# --- what an answer says ---


def test_groups_that_differ_are_a_doubt():
    values, groups = flat(homes(12, 200))
    found = pp.fit(values, group=groups, length=48, private=24)
    (doubt,) = found.doubts
    assert doubt.about == "groups"
    assert doubt.as_json()["p"] == 0.0005
    assert doubt.as_json()["corrected"] == 0.0035  # the least of seven
    assert "evidence against one chain for all groups, as one of several tests" in str(found)
    assert "makes priors that hold every group" in str(doubt)
    assert found.as_json()["groups"]["p_value"]
    same, names = flat(homes(12, 200)[1::2])
    assert pp.fit(same, group=names).doubts == ()
    assert pp.fit(same, group=names, confidence="90%").doubts == ()
    assert pp.fit(values, group=groups, confidence="90%").doubts == found.doubts


def test_an_order_that_is_too_low_is_a_doubt():
    found = pp.fit([0, 0, 1, 1] * 25)
    assert [doubt.about for doubt in found.doubts] == ["order"]
    assert "p = 5.24e-22: strong evidence against order 1" in str(found)
    assert pp.fit([0, 0, 1, 1] * 25, order=2).doubts == ()


def test_a_row_from_smoothing_alone_is_a_doubt():
    data = [*"abababaabbd"]
    found = pp.fit(data, smoothing="1/2")
    few, doubt = found.doubts
    assert (few.about, doubt.about, doubt.p_value) == ("rows", "smoothing", None)
    assert 'nothing follows "d" in the data: its row is invented by smoothing' in str(doubt)
    assert str(doubt) in str(found)
    assert pp.fit(data, confidence="90%").doubts == ()  # the box says that nothing is known
    assert [each.about for each in pp.fit([*"abababaabb"], smoothing="1/2").doubts] == ["rows"]


def test_nothing_follows_an_absorbing_value():
    data, group = [*"abadbabd"], [1] * 4 + [2] * 4
    found = pp.fit(data, group=group, absorbing=["d"])
    assert found.transition[2] == (0, 0, 1)
    assert found.prior.initial == (Fraction(1, 2), Fraction(1, 2), 0)
    assert [step for step in found.counts.unseen if step[0] == "d"] == []
    smooth = pp.fit(data, group=group, absorbing=["d"], smoothing=1)
    assert (smooth.transition[2], [each.about for each in smooth.doubts]) == ((0, 0, 1), ["rows"])
    box = pp.fit(data, group=group, absorbing=["d"], confidence="90%").box
    assert (box.lower[2], box.upper[2]) == ((0, 0, 1), (0, 0, 1))
    known = pp.fit([*"abadd"], absorbing=["d", "d"])  # recorded after it, too
    assert known.transition[2] == (0, 0, 1)
    read = found.document()["priors"]["fitted"]["markov"]["transition"]
    assert read[2] == ["0", "0", "1"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"absorbing": ["a"]}, 'absorbing: "a" is followed by "b" at value 2: expected a value'),
        (
            {"absorbing": ["a"], "group": [*"xxyyyyy"]},
            'absorbing: "a" is followed by "b" at value 2 of \'x\': expected',
        ),
        ({"absorbing": ["x"]}, 'absorbing: expected one of "a", "b", "d", found \'x\''),
        ({"absorbing": ["d"], "order": 2}, "absorbing: needs order 1"),
        ({"absorbing": ["d"], "initial": "stationary"}, 'initial: expected "counted" beside'),
        ({"absorbing": ["d"], "initial": "stationary", "confidence": "90%"}, 'initial: expected "any" beside'),
        ({"absorbing": [None]}, "absorbing: expected a value"),
        ({"absorbing": [" d"]}, "absorbing: expected a label without spaces"),
        ({}, 'nothing follows "d" .*--absorbing d .*--smoothing'),
    ],
)
def test_absorbing_values_that_cannot_be_are_refused(options, said):
    with pytest.raises(pp.ModelError, match=said) as error:
        pp.fit([*"ababbad"], **options)
    assert "\n" not in str(error.value)


def test_patients_with_an_absorbing_death_leak_what_enumeration_says():
    """The counts of 622 patients of R's msm::cav: a histogram of six visits with Laplace noise of
    scale 10 leaks 0.800873016369 nats about the third.
    """
    left = {
        "1": {"1": 1367, "2": 204, "3": 44, "4": 148},
        "2": {"1": 46, "2": 134, "3": 54, "4": 48},
        "3": {"1": 4, "2": 13, "3": 107, "4": 55},
    }
    pools = {x: [y for y, n in row.items() for _ in range(n)] for x, row in left.items()}
    random = np.random.default_rng(3)
    for pool in pools.values():
        random.shuffle(pool)
    patients = [["1"] for _ in range(622)]
    while any(pools.values()):  # every patient takes a step that is left
        for visits in patients:
            if pools.get(visits[-1]):
                visits.append(pools[visits[-1]].pop())
    values, groups = flat(patients)
    found = pp.fit(values, group=groups, absorbing=["4"], length=6, private=3)
    assert found.counts.rows[:3] == tuple(tuple(row.values()) for row in left.values())
    query = pp.RecordQuery("histogram", pp.Noise.laplace(10), found.records)
    leakage = pp.audit(found.framework, query).leakage
    assert leakage.enclosure().lower[:14] == "0.800873016369"


def test_parts_of_a_recording_are_no_groups_of_their_own():
    random = np.random.default_rng(3)
    calm, restless = (walked([[1 - p, p], [p, 1 - p]], 160, random) for p in (0.05, 0.5))
    parts = [values[k : k + 40] for values in (calm, restless) for k in range(0, 160, 40)]
    found = likeness(parts, members=[0] * 4 + [1] * 4)
    steps = [Counter(step for part in four for step in pairwise(part)) for four in (parts[:4], parts[4:])]
    assert found.comparison.degrees == 2
    assert found.comparison.p_value < 1e-6
    by_hand = 0
    for x in (0, 1):
        rows = [[of[x, y] for y in (0, 1)] for of in steps]
        total = sum(map(sum, rows))
        for row in rows:
            for y in (0, 1):
                expected = Fraction(sum(row) * sum(each[y] for each in rows), total)
                by_hand += (row[y] - expected) ** 2 / expected
    assert found.comparison.statistic == by_hand
    assert likeness(parts, members=[0] * 8).comparison.degrees == 0
    short = [part[:6] for part in parts]
    assert likeness(short, members=[0] * 4 + [1] * 4).comparison.draws > 0


def test_a_split_recording_is_not_compared_with_itself():
    values = [0, 1, 0, 0, None, 1, 1, 1, 1, 1, None, 0, 1, 0, 1]
    assert pp.fit(values, missing="split").likeness is None
    found = pp.fit(values * 2, group=["a"] * 15 + ["b"] * 15, missing="split")
    assert found.likeness is not None
    assert found.likeness.comparison.p_value == 1
