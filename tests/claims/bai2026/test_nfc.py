"""Linear composition and NfC constraints: counterexamples, from the definitions."""

from fractions import Fraction

import pytest
from tests.brute import definitions as brute
from tests.brute.nfc import constraint_holds, grid, joint_ratio, law, rows_of
from tests.claims.examination import evidence

pytestmark = pytest.mark.claims
HALF = Fraction(1, 2)


def worst(mu, nu, releases):
    """The larger ratio of both orders."""
    return max(joint_ratio(mu, nu, releases), joint_ratio(nu, mu, releases))


def test_one_run_leaks_nothing_and_no_weights_exist():
    found = evidence("bai2026.nfc", "each listed mechanism once")
    framework, rows = found["framework"], rows_of(found["mechanism"])
    assert brute.leakage(framework, found["mechanism"])[0] == 1
    assert all(framework.laws["theta"].weights)
    assert not any(constraint_holds(rows, "a", beta, Fraction(1)) for beta in grid("bc", 60))
    mu, nu = law(framework, "s"), law(framework, "t")
    assert joint_ratio(mu, nu, [rows]) == 1
    assert joint_ratio(mu, nu, [rows, rows]) is None


def test_impossible_databases_have_no_constraint_whatever_the_number_of_runs():
    found = evidence("bai2026.nfc", "any multiset of runs, every D")
    framework, rows = found["framework"], rows_of(found["mechanism"])
    first, second = law(framework, "s1"), law(framework, "s2")
    assert "d" not in first
    for k in range(1, 5):
        assert joint_ratio(first, second, [rows] * k) == joint_ratio(second, first, [rows] * k) == 1
    assert not constraint_holds(rows, "d", {"b": Fraction(1)}, Fraction(1))
    again = evidence("bai2026.nfc-steps", "(2), any multiset")
    rows = rows_of(again["mechanism"])
    assert rows["a"] == rows["b"] != rows["d"]
    assert all(min(row) > 0 for row in rows.values())


def test_no_bound_on_the_number_of_runs_is_enough():
    found = evidence("bai2026.nfc", "any multiset of at most K runs")
    rows, ratio = rows_of(found["mechanism"]), found["e^epsilon"]
    mu, nu = law(found["framework"], "s"), law(found["framework"], "t")
    for k in range(1, found["runs that keep the level"] + 1):
        assert worst(mu, nu, [rows] * k) <= ratio**k
    assert not constraint_holds(rows, "a", {"b": Fraction(1)}, ratio)
    assert mu["a"] * 2**30 + 1 - mu["a"] > ratio**30  # thirty runs that give u do show it


def test_constraints_and_pufferfish_do_not_give_composition():
    found = evidence("bai2026.necsuff", "NfC and Pufferfish")
    framework = found["framework"]
    releases = [rows_of(found["first mechanism"]), rows_of(found["second mechanism"])]
    mu, nu = law(framework, "s"), law(framework, "t")
    for rows in releases:
        assert worst(mu, nu, [rows]) <= 2
        assert constraint_holds(rows, "a", {"b": HALF, "c": HALF}, Fraction(2))
        assert all(constraint_holds(rows, x, {"a": Fraction(1)}, Fraction(2)) for x in "bc")
    assert joint_ratio(mu, nu, releases) == found["ratio of the joint release"] > 4
    assert brute.leakage(framework, found["mechanism"])[0] > 4
    # the repair: a constant, whatever the runs
    assert joint_ratio(mu, nu, releases * 2) <= 2**4 / min(nu.values())


def test_the_right_side_of_2_jumps():
    rows = rows_of(evidence("bai2026.nfc-steps", "(2) is continuous")["mechanism"])
    for m, n, value in [(1, 0, 1), (1, 1, 1), (1, 30, 1), (0, 1, HALF)]:
        a, b, c = (rows[x][0] ** m * rows[x][1] ** n for x in "abc")
        assert a / max(b, c) == value
    for k in range(1, 4):  # the mechanism composes at log 2
        assert worst({"a": Fraction(1)}, {"b": HALF, "c": HALF}, [rows] * k) <= 2**k
