"""Mixtures that floats leave out, with a proven error, never decide delta."""

from fractions import Fraction
from random import Random

import pytest

from pufferproof import Channel, Framework, Table
from pufferproof.verify.leakage.mixtures import _delta_at, _Joints, _MixtureQuotients

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
    allowed = [(names, pair) for names in search.names for pair in search.pairs if search.joints.allowed(names, pair)]
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
