"""Mixtures that floats leave out, with a proven error, never decide delta."""

from fractions import Fraction
from random import Random

import pytest

from pufferproof import Channel, Framework, Table
from pufferproof.verify.leakage import mixtures
from pufferproof.verify.leakage.mixtures import _delta_at, _deltas, _Joints, _MixtureQuotients
from pufferproof.verify.leakage.suprema import exceeds, value_of

RATIOS = (Fraction(1), Fraction(5, 4), Fraction(2), Fraction(10**9))


def question(random, zeros):
    """Two to five priors on four databases, and a mechanism of up to four outputs."""
    names = "abcd"
    weigh = lambda count: [max(0, random.randint(-zeros, 4)) for _ in range(count)]  # noqa: E731
    priors = {}
    while len(priors) < random.randint(2, 5):
        if sum(weights := weigh(4)):
            priors[f"p{len(priors)}"] = Table(dict(zip(names, weights)), normalize=True)
    rows = {x: weigh(3) for x in names}
    rows = {x: row if sum(row) else [1, 1, 1] for x, row in rows.items()}
    secrets = {"s": "ab", "t": "cd", "u": "bc"}
    framework = Framework(names, secrets, [("s", "t")], priors, "convex")
    return framework, Channel.of(rows, "xyz", normalize=True)


def left_out(framework, channel, ratio):
    search = _MixtureQuotients(framework, channel)
    allowed = [
        (names, pair)
        for names in search.names
        for pair in search.pairs
        if search.joints.allowed(names, pair)
    ]
    left = list(search.left_for_delta(ratio))
    assert [each for each in allowed if each in left] == left
    return len(allowed) - len(left)


@pytest.mark.parametrize("zeros", [0, 2])
@pytest.mark.parametrize("ratio", RATIOS)
def test_delta_and_its_witness_are_those_of_all_mixtures(zeros, ratio, monkeypatch):
    random, missed = Random(zeros), 0
    for _ in range(12):
        framework, channel = question(random, zeros)
        if not any(True for _ in _MixtureQuotients(framework, channel).left_for_delta(ratio)):
            continue
        quick = _delta_at(framework, channel, ratio, Fraction(1, 10))
        missed += left_out(framework, channel, ratio)
        with monkeypatch.context() as patch:
            patch.setattr(_Joints, "reliable", False)
            assert left_out(framework, channel, ratio) == 0
            assert quick == _delta_at(framework, channel, ratio, Fraction(1, 10))
    assert missed > 0


@pytest.mark.parametrize("ratio", RATIOS)
def test_no_delta_is_above_its_ceiling(ratio):
    random = Random(7)
    for _ in range(6):
        framework, channel = question(random, 1)
        search = _MixtureQuotients(framework, channel)
        for chunk in search.chunks:
            for pair in search.pairs:
                above, _ = search._ceilings(chunk, pair, ratio)
                for index, names in enumerate(search.names[chunk.start : chunk.stop]):
                    if not search.joints.allowed(names, pair):
                        continue
                    ceiling = [Fraction(float(each[index])) for each in above]
                    for each in _deltas(search.joints, names, pair, ratio):
                        assert all(u <= c for u, c in zip(each.quotient.above, ceiling))
                        assert not exceeds(each.supremum, Fraction(1))


def test_probabilities_that_floats_cannot_hold_are_looked_at_exactly():
    tiny = Fraction(1, 10**60)
    priors = {"p": Table({"a": tiny, "b": 1 - tiny}), "q": Table({"a": "1/2", "b": "1/2"})}
    framework = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], priors, "convex")
    channel = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, "xy")
    assert not _MixtureQuotients(framework, channel).joints.reliable
    assert left_out(framework, channel, Fraction(2)) == 0
    assert mixtures._delta_at(framework, channel, Fraction(2), Fraction(0))[0] == Fraction(1, 4)


def test_signs_of_forms_in_integers_are_those_in_fractions():
    draw = Random(3)
    numbers = [Fraction(draw.randint(-5, 5), draw.randint(1, 7)) for _ in range(90)]
    forms = list(zip(numbers[::3], numbers[1::3], numbers[2::3]))
    whole = [mixtures._in_integers(each) for each in forms]
    for t in (Fraction(0), Fraction(2, 7), Fraction(1), Fraction(10**30 + 1, 3)):
        positive = [y for y, each in enumerate(forms) if value_of(each, Fraction(1), t) > 0]
        assert list(mixtures._positive_at(whole, t)) == positive
