"""What each window of a plan leaks alone, beside the exact law of all people's records."""

import random
from fractions import Fraction

import pytest

import pufferproof.lp.accounting.releases.least as module
from pufferproof import Framework, MarkovChain, Noise, RecordQuery, Records, audit
from pufferproof.lp.accounting.releases.plan import Plan
from pufferproof.lp.accounting.releases.schedule import schedule
from pufferproof.models.errors import TooLargeError
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise import largest

UNKNOWN = Leakage(Fraction(1), None)
NOISES = [Noise.laplace(2), Noise.geometric("1/2"), Noise("discrete_laplace", "3")]


def plan_of(draw, people):
    """A stationary chain of two values, one secret record, and four windows of equal length."""
    week = draw.choice([5, 7, 9])
    to_one, to_zero = (Fraction(draw.randint(1, 9), 10) for _ in range(2))
    chain = MarkovChain("stationary", [[1 - to_one, to_one], [to_zero, 1 - to_zero]])
    records, at = Records(4 * week, ("0", "1"), people), draw.randint(1, 4 * week)
    framework = Framework.of_records(records, {"u": (at, "0"), "v": (at, "1")}, [("u", "v")], {"p": chain})
    noise = draw.choice(NOISES)
    starts = [week * k + 1 for k in range(4)]
    windows = [RecordQuery("sum", noise, records, (s, s + week - 1)) for s in starts]
    return framework, windows


def exact_of(framework, query):
    found = audit(framework, [query]).leakage
    return (found.lower or found.ratio, found.upper or found.ratio)


@pytest.mark.parametrize("people", [1, 2, 5])
def test_windows_of_many_people_are_enclosed_around_their_exact_law(people, monkeypatch):
    monkeypatch.setattr(module, "_SHORT", 0)
    draw, close = random.Random(people), 0
    for _ in range(8):
        framework, windows = plan_of(draw, people)
        for query, found in zip(windows, module.alone(framework, windows, UNKNOWN)):
            lower, upper = exact_of(framework, query)
            assert found.lower <= upper
            assert found.upper >= lower
            close += found.upper / found.lower - 1 < Fraction(1, 10**12)
    assert close >= 28  # of 32: else others hide something


def test_a_short_law_of_many_people_is_exact():
    framework, windows = plan_of(random.Random(3), 5)
    for query, found in zip(windows, module.alone(framework, windows, UNKNOWN)):
        assert found == audit(framework, [query]).leakage


@pytest.mark.parametrize("people", [1, 2])
def test_windows_beyond_those_that_are_audited_have_bounds(people, monkeypatch):
    for seed in range(4):
        framework, windows = plan_of(random.Random(seed), people)
        joint = audit(framework, windows).leakage
        every = module.alone(framework, windows, joint)
        monkeypatch.setattr(module, "_ALIKE", 2)
        some = module.alone(framework, windows, joint)
        monkeypatch.undo()
        assert sum(one == other for one, other in zip(every, some)) >= 2
        for one, other in zip(every, some):
            assert other.upper >= one.upper or one == other
        most = [max(each.lower or each.ratio for each in found) for found in (every, some)]
        assert most[0] == most[1]


def test_a_year_of_forty_people_is_answered_window_by_window():
    """The exact law of one window has numbers of 200,000 bits, for 40 people 40 times as many."""
    records = Records(17_472, ("0", "1"), 40)
    chain = MarkovChain("stationary", [["7/8", "1/8"], ["3/10", "7/10"]])
    secrets = {"u": (5824, "0"), "v": (5824, "1")}
    framework = Framework.of_records(records, secrets, [("u", "v")], {"p": chain})
    weeks = tuple(
        RecordQuery("sum", Noise.laplace(3), records, (336 * k + 1, 336 * k + 336)) for k in (0, 16, 17, 18, 51)
    )
    said: list[str] = []
    found = schedule(Plan(framework, (weeks,)), said.append)
    assert found.release == 3
    assert str(found.alone[0]) == "≈ 1.317415 nats"
    assert found.single[0].upper < 1 + Fraction(1, 10**14)
    assert "computing what 5 releases tell alone: 4 of 5" in said
    one = audit(framework, [weeks[2]], "1.4")
    assert (one.verdict.value, str(one.leakage)) == ("SATISFIES", "≈ 1.317415 nats")


def test_a_window_of_a_long_chain_is_enclosed_around_its_exact_law(monkeypatch):
    for seed in range(8):
        framework, windows = plan_of(random.Random(seed), 1 + seed % 2)
        for query in windows:
            lower, upper = exact_of(framework, query)
            monkeypatch.setattr(largest, "_SOON", 0)
            found = audit(framework, [query]).leakage
            monkeypatch.undo()
            assert (found.lower or found.ratio) <= upper
            assert (found.upper or found.ratio) >= lower


def test_a_joint_law_that_is_too_large_is_not_begun(monkeypatch):
    def refused(*_):
        raise TooLargeError("the exact law")

    monkeypatch.setattr(module, "audit", refused)
    framework, _ = plan_of(random.Random(1), 100)
    wide = [RecordQuery("sum", NOISES[0], framework.records)]
    assert module.alone(framework, wide, UNKNOWN)[0].upper is not None


def test_the_law_of_several_numbers_of_many_people_is_not_begun_if_it_is_long(monkeypatch):
    """26^4 outputs, which take minutes; bounds beside the exact law of 11^2."""
    framework, windows = plan_of(random.Random(2), 5)
    long = audit(framework, windows).leakage
    assert long.upper / long.lower - 1 < Fraction(1, 10**9)
    for seed in range(4):
        framework, windows = plan_of(random.Random(seed), 2)
        found = audit(framework, windows[:2]).leakage
        monkeypatch.setattr(largest, "_FEW_OUTPUTS", 0)
        bounds = audit(framework, windows[:2]).leakage
        monkeypatch.undo()
        assert (bounds.lower or bounds.ratio) <= (found.upper or found.ratio)
        assert (found.lower or found.ratio) <= (bounds.upper or bounds.ratio)
