"""Exact critical budgets: the published kind of phase transition, parities, and thresholds that
are not attained.
"""

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from tests.brute.frameworks import bits, one_pair, parities, singletons, two_priors
from tests.reports.console.schemas import expect_valid

from pufferproof.counterexamples.collapse import threshold
from pufferproof.counterexamples.collapse.threshold import search_threshold
from pufferproof.lp.cones.separation import CollapseNumber, CriticalRatio, Undecided
from pufferproof.models.files.writing import framework_document
from pufferproof.verify.decision import Decision


@pytest.mark.parametrize(
    ("first", "second"),
    [("1/3", "1/2"), ("1/5", "4/5"), ("1/4", "1/2"), ("2/7", "3/7"), ("1/10", "3/10"), ("1/2", "9/10")],
)
def test_two_priors_collapse_from_the_root_of_the_largest_likelihood_ratio(first, second):
    p, q = Fraction(first), Fraction(second)
    expected = max((1 - p) / (1 - q), q / p)
    found = search_threshold(two_priors(p, q), 2)
    assert found.exact
    assert found.value**2 == expected**found.power


def test_parities_stay_enclosed_when_there_are_too_many_unknowns(monkeypatch):
    """The enclosure is a test of its own; what is left of the time is not enough for a proof."""
    near, value = Fraction(4, 3) - Fraction(1, 10**12), Fraction(4, 3)
    known = CriticalRatio(4, near, value, CollapseNumber(4), 1, value)
    monkeypatch.setattr(threshold, "critical_ratio", lambda *given, **named: known)
    found = search_threshold(parities(3), 4, seconds=0.0)
    assert (found.enclosure, found.attained) == (known, Decision.UNDECIDED)
    assert (found.power, found.value) == (1, value)


def test_a_budget_of_0_is_a_threshold_that_is_attained_or_not():
    attained = search_threshold(one_pair("a", "bc"), 2)
    assert (attained.exact, attained.least, attained.value) == (True, False, 1)
    not_attained = search_threshold(bits(2), 2)
    assert (not_attained.exact, not_attained.least, not_attained.value) == (False, True, 1)


def test_no_threshold():
    assert search_threshold(singletons("abc"), 4) is None


def test_without_time_nothing_is_said():
    with pytest.raises(Undecided):
        search_threshold(two_priors("1/3", "1/2"), 2, seconds=0.0)


@pytest.fixture
def run(run, save):
    def called(framework, *arguments):
        return run("critical", save("f.json", framework_document(framework)), *arguments)

    return called


@pytest.mark.parametrize(
    ("framework", "arguments", "expected"),
    [
        (two_priors("1/3", "1/2"), ["--runs", "2"], (True, "3/2", 2, True, True)),
        (two_priors("1/5", "4/5"), [], (True, "2", 1, True, True)),
        (bits(2), [], (True, "1", 1, False, False)),
        (one_pair("a", "bc"), [], (True, "1", 1, True, True)),
        (singletons("abc"), [], (False, None, None, None, None)),
        (one_pair("a", "bc"), ["--runs", "1"], (False, None, None, None, None)),
    ],
)
def test_the_command(run, framework, arguments, expected):
    code, out, err = run(framework, *arguments, "--json")
    answer = json.loads(out)
    expect_valid(answer, "critical")
    assert (code, err) == (0, "")
    assert tuple(answer[key] for key in ("collapses", "value", "power", "exact", "attained")) == expected
    if answer["collapses"]:
        assert Fraction(answer["lower"]) <= Fraction(answer["upper"]) <= Fraction(answer["lower"]) + Fraction(1, 10**12)
        assert Decimal(answer["epsilon"]["lower"]) <= Decimal(answer["epsilon"]["upper"])
    assert run(framework, *arguments)[0] == 0


@pytest.mark.parametrize("framework", [two_priors("1/5", "4/5"), bits(2), one_pair("a", "bc")])
def test_a_collapse_that_takes_enough_releases_is_not_said_of_any_number(run, framework):
    assert "any number of releases can" not in run(framework)[1]


def test_the_command_undecided(run):
    code, out, _ = run(bits(6), "--runs", "2", "--seconds", "0.001", "--json")
    assert code == 3
    expect_valid(json.loads(out), "critical")
    assert run(bits(2), "--runs", "0")[0] == 2


def test_stopped_with_or_without_an_enclosure_it_is_undecided(run):
    code, out, _ = run(parities(3), "--runs", "3", "--seconds", "0.05", "--json")
    answer = json.loads(out)
    assert code == 3
    if answer["collapses"]:
        assert Fraction(answer["lower"]) < 2 <= Fraction(answer["upper"])


def test_one_release_is_one(run):
    _, out, _ = run(bits(2), "--runs", "1")
    assert "none: 1 release has finite joint leakage at every budget" in out
