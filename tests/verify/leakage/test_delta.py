"""The smallest delta where instances that are drawn seldom come: levels without a ratio, numbers
that no float and no machine integer holds, and what the filter in floats leaves.
"""

from fractions import Fraction
from math import exp
from random import Random

import pytest
from tests.brute import definitions as brute
from tests.soak.drawing import Passed, channel, framework

from pufferproof import Channel, Framework, Level, Table, smallest_delta
from pufferproof.verify.leakage import delta as subject
from pufferproof.verify.leakage.delta import Delta, privacy_profile_approx
from pufferproof.verify.leakage.laws import ConditionalLaws, ordered_pairs

F = Fraction
EVEN = {"theta": Table({"a": "1/2", "b": "1/2"})}
COIN = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], EVEN)


def rows(*of):
    return Channel.of(dict(zip("ab", of)), "uvwx"[: len(of[0])])


def by_definition(space, mechanism, level):
    found = smallest_delta(space, mechanism, level)
    said = found.alpha, found.beta, found.prior, found.pair, found.outputs
    assert said == brute.first_delta(space, mechanism, Level.coerce(level))
    return found


def test_outputs_between_the_bounds_of_a_level_are_told_apart():
    """Of P(u | s) / P(u | t) one is a little below e^(1/2), and one a little above."""
    level = Level("0.5")
    below, above = (sum(ends) / 2 for ends in zip(level.filter_bounds(), level.bounds(300)))
    for ratio, outputs in ((below, ()), (above, ("u",))):
        mechanism = rows([ratio / 4, 1 - ratio / 4], [F(1, 4), F(3, 4)])
        side = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], EVEN, one_sided=True)
        found = by_definition(side, mechanism, level)
        assert found.outputs == outputs
        low, high = found.bounds()  # refined, as it is next to nothing
        assert high - low <= low / 2**60


@pytest.mark.parametrize("ratio", [2**61, 2**61 - 1, 2**61 + 1, 3**40])
def test_products_about_the_largest_machine_integer(ratio):
    """Both secrets have weight 2: the products are 4 * ratio, 2^63 among them."""
    four = {"theta": Table(dict.fromkeys("abcd", "1/4"))}
    space = Framework("abcd", {"s": "ab", "t": "cd"}, [("s", "t")], four)
    for law in (["1", "0"], ["0", "1"]):
        mechanism = Channel.of(dict.fromkeys("abcd", law), "uv")
        assert by_definition(space, mechanism, Level.log(ratio)).alpha == 0


@pytest.mark.parametrize("mass", [2**63 - 1, 2**63, 2**63 + 1, 2**64])
def test_weights_about_the_largest_machine_integer(mass):
    laws = {"theta": Table({"a": F(mass - 1, mass + 1), "b": F(1, mass + 1), "c": F(1, mass + 1)})}
    space = Framework("abc", {"s": "ab", "t": "c"}, [("s", "t")], laws)
    by_definition(space, Channel.of({"a": [1, 0], "b": [1, 0], "c": [0, 1]}, "uv"), "log(3/2)")


@pytest.mark.parametrize("outputs", [1, 2, 3, 120])
@pytest.mark.parametrize("level", ["log(3/2)", "0.1"])
def test_the_filter_leaves_the_largest_delta_and_nothing_that_is_clearly_less(outputs, level, monkeypatch):
    """Of one pair both ways, and of twenty ordered pairs, of which some tie."""
    draw = Random(outputs)
    for labels, ties in (("ab", 0), ("abcde", 1)):
        weights = [[draw.randint(1, 9) for _ in range(outputs)] for _ in labels]
        weights[-1] = weights[-1 - ties]
        each = {x: [F(w, sum(row)) for w in row] for x, row in zip(labels, weights)}
        mechanism = Channel.of(each, [str(y) for y in range(outputs)])
        uniform = {"theta": Table(dict.fromkeys(labels, F(1, len(labels))))}
        space = Framework(labels, {x: x for x in labels}, "disjoint", uniform)
        laws, pairs = ConditionalLaws(space, mechanism, "theta"), [*ordered_pairs(space, "theta")]
        exactly = subject._ExactRows(laws, Level(level))
        lower = {pair: exactly.delta(pair).bounds()[0] for pair in pairs}
        least = max(lower.values()) - F(1, 10**9)
        for entries in (10**6, 5 * outputs, 1):  # chunks of all pairs, of five, and of one
            monkeypatch.setattr(subject, "_CHUNK_ENTRIES", entries)
            left = list(subject._candidates(laws, pairs, Level(level)))
            assert left == [pair for pair in pairs if lower[pair] >= least]


def test_the_privacy_profile_is_delta_in_floats():
    draw, levels, compared = Random(4), [0, 0.3, 1.7, 700], 0
    while compared < 12:
        try:
            space = framework(draw)
        except Passed:
            continue
        mechanism = channel(draw, space, 5)
        profile = privacy_profile_approx(space, mechanism, levels)
        expected = [float(brute.delta(space, mechanism, F(exp(each)))) for each in levels]
        assert profile.tolist() == pytest.approx(expected, abs=1e-9)
        compared += 1


def test_bounds_hold_delta_and_are_narrow():
    found = Delta(Level("1"), F(1, 2), F(1, 7), "theta", ("s", "t"), ("u",))
    low, high = found.bounds()
    assert [found.compare(end) for end in (low, high)] == [1, -1]
    assert 0 < high - low <= low / 2**60
    said = found.as_json()
    assert (said["ratio"], said["lower"]) == (None, "0.11167402450585068")
    alone = Delta(Level("1"), F(1, 2), F(0), "theta", ("s", "t"), ("u",))
    assert (alone.value, alone.bounds()) == (F(1, 2), (F(1, 2), F(1, 2)))
    assert alone.as_json()["ratio"] == "1/2"
    assert alone.compare(F(1, 2)) == 0
