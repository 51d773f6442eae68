"""Bounds of delta of many runs by grids, against exact sums, and where grids begin."""

from fractions import Fraction
from math import prod
from random import Random

import pytest
from tests import drawn

from pufferproof import Channel, Framework, Level, Table, smallest_delta
from pufferproof.models.errors import TooLargeError
from pufferproof.verify.leakage.runs import parts
from pufferproof.verify.leakage.runs import parts as bounded
from pufferproof.verify.leakage.runs.parts import CountedRuns, runs_bounds
from pufferproof.verify.losses import account
from pufferproof.verify.losses import account as many
from pufferproof.verify.losses.account import Fineness

F = Fraction
EVEN = {"theta": Table({"a": "1/2", "b": "1/2"})}
COIN = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], EVEN)
THREE = ([37, 33, 30], [33, 36, 31])
FOUR = ([37, 30, 20, 13], [33, 31, 22, 14])


def channel(above, below):
    names = [str(place) for place in range(len(above))]
    return Channel.of({"a": above, "b": below}, names, normalize=True)


def exactly(rows, level, runs, pair=("s", "t")):
    return CountedRuns(COIN, channel(*rows), "theta", runs).positive_parts(pair, level)


def law_of(above, below):
    """Both likelihoods of every finite ratio, from the definition."""
    known = {}
    for p, q in zip(above, below):
        p, q = F(p, sum(above)), F(q, sum(below))
        if p and q:
            a, b = known.get(p / q, (0, 0))
            known[p / q] = a + p, b + q
    return [known[ratio] for ratio in sorted(known)]


def holds(rows, level, runs, close):
    """Check that the exact delta is between the bounds, and return them."""
    alpha, beta = exactly(rows, level, runs)
    lower, upper = runs_bounds(law_of(*rows), level, runs, close)
    assert level.sign(alpha - lower, beta) >= 0
    assert level.sign(alpha - upper, beta) <= 0
    assert 0 <= lower <= upper <= 1
    return lower, upper


def test_the_exact_delta_is_between_bounds():
    """Zeros on either side, one ratio, ties at the level, large levels, coarse grids, one run."""
    draw = Random(5)
    for _ in range(drawn(1200)):
        size, most = draw.randint(0, 4), draw.choice((3, 10, 10**6, 10**40))
        rows = [
            [draw.choice((0, 1, 1, draw.randint(1, most))) for _ in range(size)] + [draw.randint(1, most)] for _ in "ab"
        ]
        runs = draw.choice((1, 1, 2, 3, 5))
        ratios = [p / q for p, q in law_of(*rows)]
        tie = max(prod(draw.choices(ratios, k=runs)), F(1))
        largest = max(max(ratios) ** runs, F(1))
        levels = Level("log(1)"), Level("0.1"), Level("2"), Level.log(tie), Level.log(largest)
        level = draw.choice((*levels, Level("50"), Level("1e40"), Level("1" + "0" * 400)))
        holds(rows, level, runs, F(1, draw.choice((1, 2, 64, 10**6))))


@pytest.mark.parametrize("rows", [THREE, THREE[::-1], ([5, 3, 2, 4], [3, 5, 0, 6])])
@pytest.mark.parametrize("level", ["log(1)", "0.7", "3", "20"])
def test_of_several_hundred_runs(rows, level):
    for runs in (64, 255):
        lower, upper = holds(rows, Level(level), runs, F(1, 1000))
        assert upper - lower <= upper / 1000 or upper < F(1, 10**190)


def test_of_a_thousand_runs_bounds_are_close():
    """Three outputs, both orders, and four."""
    for rows in (THREE, THREE[::-1]):
        lower, upper = holds(rows, Level("3"), 1000, F(1, 10**4))
        assert upper - lower < upper * F(1, 10**4)
    coarse, fine = (runs_bounds(law_of(*FOUR), Level("3"), 1000, F(1, 10**k)) for k in (1, 5))
    assert coarse[0] < fine[0] < fine[1] < coarse[1]
    assert fine[1] - fine[0] < (coarse[1] - coarse[0]) / 10


def test_outputs_of_one_secret_alone():
    assert runs_bounds([], Level("3"), 7, F(1)) == (1, 1)
    lower, upper = holds(([1, 10**6], [0, 1]), Level("3"), 300, F(1))
    certain = 1 - F(10**6, 10**6 + 1) ** 300
    assert lower <= certain <= upper
    assert upper - lower < F(1, 10**50)
    assert holds(([1, 1], [1, 1]), Level("log(1)"), 300, F(1)) == (0, 0)


@pytest.mark.parametrize("bits", [4, 12])
def test_what_is_cut_off_and_rounded_is_in_the_bounds(monkeypatch, bits):
    monkeypatch.setattr(many, "_BITS", bits)
    monkeypatch.setattr(account, "_FIRST", Fineness(0.1, 1e-3))
    monkeypatch.setattr(account, "_SAFE", 1)
    lower, upper = holds(THREE, Level("1"), 200, F(1, 4))
    assert upper - lower > F(1, 10**6)


def test_bounds_hold_whatever_floats_say(monkeypatch):
    """The first step, and the threshold of a test, are found in floats, and may be any."""
    for variance, threshold in ((1e-9, 0), (40.0, 3), (1e6, -2)):
        monkeypatch.setattr(account, "_variance", lambda law, it=variance: it)
        monkeypatch.setattr(many.LossGrid, "_threshold", lambda *_, it=threshold: it)
        for level in ("log(1)", "1", "log(1369/1089)"):
            holds(THREE, Level(level), 2, F(1, 16))
            holds(FOUR, Level(level), 3, F(1, 100))


def test_losses_that_are_close_together_are_told_apart():
    """Ratios near 1 and near one another: balls of losses are short beside the step."""
    tiny = F(1, 10**45)
    rows = ([1, 1 + tiny, 1 + 3 * tiny, 2], [1 + tiny, 1, 1 - tiny, 2])
    for level in (Level("log(1)"), Level.log(1 + tiny), Level.of_nats(3 * tiny)):
        holds(rows, level, 3, F(1, 1000))


def test_large_levels_have_lower_bounds():
    """e^level times what rounding misses of the second law is no large number."""
    rows = ([1, 30, 10**5, 10**6, 7], [10**6, 10**4, 10, 1, 9])
    lower, upper = holds(rows, Level("1150"), 90, F(1, 1000))
    assert 0 < lower < upper < 1
    assert upper - lower <= upper / 1000


def test_beyond_counts_the_answer_is_between_bounds(monkeypatch):
    known = smallest_delta(COIN, channel(*FOUR), "1", runs=40)
    monkeypatch.setattr(parts, "_MOST_WORK", 1000)
    found = smallest_delta(COIN, channel(*FOUR), "1", runs=40)
    lower, upper = found.bounds()
    assert found.value is None
    assert known.compare(lower) >= 0 >= known.compare(upper)
    assert (upper - lower) * 2**20 <= upper
    assert (found.prior, found.pair) == (known.prior, known.pair)
    assert [found.compare(F(n)) for n in (0, 1)] == [1, -1]
    assert found.compare(upper) == -1
    assert "delta between" in str(found) or "delta ≈" in str(found)


def test_a_bound_in_between_is_decided_on_finer_grids(monkeypatch):
    known = smallest_delta(COIN, channel(*FOUR), "1", runs=40)
    monkeypatch.setattr(parts, "_MOST_WORK", 1000)
    monkeypatch.setattr(bounded, "_MANY_BITS", 1)
    coarse = smallest_delta(COIN, channel(*FOUR), "1", runs=40)
    lower, upper = coarse.bounds()
    middle = sum(known.bounds()) / 2
    assert coarse.compare(middle - (middle - lower) / 4) == 1
    assert coarse.compare(middle + (upper - middle) / 4) == -1
    asked = middle + (upper - middle) / 4
    assert lower <= coarse.against(asked).bounds()[1] <= asked < upper  # what is shown decides
    monkeypatch.setattr(bounded, "_MOST_BITS", 2**17)
    assert coarse.compare(middle) is None


def test_of_several_pairs_the_largest_is_bounded(monkeypatch):
    """Pairs on a grid, and one that is exact; those below the largest are left out."""
    rows = {"a": FOUR[0], "b": FOUR[1], "c": FOUR[0][::-1], "d": [1, 1, 0, 0]}
    mechanism = Channel.of(rows, "wxyz", normalize=True)
    law = Table(dict.fromkeys("abcd", F(1, 4)))
    space = Framework("abcd", {x: x for x in "abcd"}, "disjoint", {"p": law, "q": law})
    known = smallest_delta(space, mechanism, "2", runs=9)
    monkeypatch.setattr(parts, "_MOST_WORK", 2000)
    found = smallest_delta(space, mechanism, "2", runs=9)
    lower, upper = found.bounds()
    assert known.compare(lower) >= 0 >= known.compare(upper)
    assert found.pair == known.pair
    few = Framework("abc", {x: x for x in "abc"}, "disjoint", {"p": Table(dict.fromkeys("abc", F(1, 3)))})
    again = smallest_delta(few, Channel.of({x: rows[x] for x in "abc"}, "wxyz", normalize=True), "2", runs=9)
    assert {tuple(sorted(place.pair)) for place in again._places} < {("a", "b"), ("a", "c"), ("b", "c")}


def test_runs_of_mixtures_are_refused_before_any_is_counted(monkeypatch):
    rows = {"a": FOUR[0], "b": FOUR[1], "c": FOUR[0][::-1]}
    law = Table(dict.fromkeys("abc", F(1, 3)))
    space = Framework("abc", {"s": "a", "t": "b", "u": "ac"}, [("s", "t"), ("t", "u")], {"p": law})
    monkeypatch.setattr(CountedRuns, "positive_parts", None)
    mechanism = Channel.of(rows, "wxyz", normalize=True)
    with pytest.raises(TooLargeError, match=r"3 rows of 4 outputs: expected at most [0-9]+ runs"):
        smallest_delta(space, mechanism, "2", runs=100_000)
