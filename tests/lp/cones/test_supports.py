"""Zero patterns of columns: collapse numbers known by hand, implied inequalities, critical
budgets.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from tests import seeds
from tests.brute.frameworks import bits, one_pair, parities, random_framework, singletons, two_priors

from pufferproof import Framework, ModelError, Table
from pufferproof.lp.cones.columns import Columns, dot
from pufferproof.lp.cones.separation import (
    PROGRAMS,
    Implied,
    Limit,
    Undecided,
    collapse_number,
    critical_ratio,
    finite_for_all_runs,
    simplest,
)
from pufferproof.verify.proof.farkas import accepted

ONE, TWO = Fraction(1), Fraction(2)


def separates(columns, law):
    """Say whether the entrywise product of columns is positive somewhere on supp mu and zero on
    supp nu, exactly.
    """
    possible = [x for x in range(len(law.mu)) if all(column[x] for column in columns)]
    return dot(law.mu, [int(x in possible) for x in range(len(law.mu))]) > 0 and not any(law.nu[x] for x in possible)


def number(framework, ratio, per_record=None):
    columns = Columns(framework)
    cone = columns.cone(Fraction(ratio), None if per_record is None else Fraction(per_record))
    found = collapse_number(columns, cone)
    if found.number is None:
        assert len(found.implied) > 0
        assert all(implied.proves(cone) for implied in found.implied)
    else:
        assert len(found.columns) == found.number
        assert all(cone.holds(u) for u in found.columns)
        assert separates(found.columns, found.law)
        assert all(u[found.database] for u in found.columns)
    return found.number


@pytest.mark.parametrize(
    ("framework", "ratio", "expected"),
    [
        (one_pair("a", "b"), 5, None),
        (one_pair("a", "bc"), 1, 2),
        (one_pair("a", "bcde"), 1, 2),
        (one_pair("ab", "cd"), 1, 2),
        (singletons("abc"), 7, None),
        (singletons("ab"), 1, None),
        (bits(1), 9, None),
        (bits(2), 1, None),
        (bits(2), "1000001/1000000", 2),
        (bits(2, stay=Fraction(3, 4)), 1, None),
        (bits(2, [["1/2", "1/2"], ["1/3", "2/3"]]), 1, 2),  # the marginals must be uniform
        (bits(3), 1, 2),
        (bits(3, stay=Fraction(3, 4)), 1, 2),
        (bits(3, stay=Fraction(9, 10)), 1, 2),
        (two_priors("1/2", "1/2"), 1, 2),
        (two_priors("1/5", "4/5"), "2", 2),
        (two_priors("1/5", "4/5"), "19999/10000", None),
        (parities(3), "4/3", 4),
        (parities(3), "13333/10000", None),
        (parities(3), "19/10", 4),
        (parities(3), 2, 2),
    ],
)
def test_collapse_number(framework, ratio, expected):
    assert number(framework, ratio) == expected


@pytest.mark.parametrize("level", ["1", "2", "1000"])
def test_differential_privacy_on_top_prevents_every_collapse(level):
    assert number(bits(3), 3, level) is None


def test_each_secret_determining_the_database_is_the_only_way_for_one_pair_to_stay_finite():
    for left, right in product((1, 2, 3), repeat=2):
        framework = one_pair("abc"[:left], "def"[:right])
        expected = None if left == right == 1 else 2
        assert number(framework, 1) == expected == number(framework, 3)


def test_implied_inequalities_are_kernel_certificates_and_tampered_ones_prove_nothing():
    columns = Columns(bits(2))
    cone = columns.cone(ONE)
    found = finite_for_all_runs(columns, cone)
    assert found.finite
    assert len(found.implied) == 4 * 2
    for implied in found.implied:
        assert accepted(implied.certificate(cone)).checked > 0
        smaller = replace(implied, kappa={y: k - Fraction(1, 1000) for y, k in implied.kappa.items()})
        assert not smaller.proves(cone)
        assert not Implied(implied.x, {}, implied.multipliers).proves(cone)


def test_without_finiteness_columns_separate_a_database_from_every_other():
    columns = Columns(one_pair("a", "bcd"))
    cone = columns.cone(TWO)
    found = finite_for_all_runs(columns, cone)
    assert not found.finite
    assert all(cone.holds(u) and u[found.target.database] for u in found.columns)
    assert separates(found.columns, found.target.law)


@seeds(120)
def test_collapses_on_a_grid_of_columns_are_not_missed(seed):
    """Every pair of grid columns that leaks everything from the definition is seen, and what is
    seen leaks everything.
    """
    framework = random_framework(seed, 4)
    if framework is None:
        return
    columns = Columns(framework)
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(3)):
        cone = columns.cone(ratio)
        grid = [u for u in product(range(4), repeat=cone.dimension) if any(u) and cone.holds(u)]
        planted = any(separates((u, v), law) for law in columns.laws for u in grid for v in grid)
        found = number(framework, ratio)
        assert not planted or found == 2
        assert (found is None) == finite_for_all_runs(columns, cone).finite


def test_a_limit_is_never_a_verdict():
    columns = Columns(bits(3))
    limit = Limit(1e-9)
    with pytest.raises(Undecided):
        collapse_number(columns, columns.cone(TWO), limit)
    with pytest.raises(Undecided):
        finite_for_all_runs(columns, columns.cone(TWO), limit)


@pytest.mark.parametrize(("first", "second"), [("1/3", "1/2"), ("1/5", "4/5"), ("1/4", "1/2"), ("2/7", "3/7")])
def test_the_phase_transition_of_two_priors(first, second):
    p, q = Fraction(first), Fraction(second)
    expected = max((1 - p) / (1 - q), q / p)  # of R^2
    found = critical_ratio(Columns(two_priors(p, q)), 2)
    assert found.lower**2 < expected <= found.upper**2
    assert found.upper - found.lower <= Fraction(1, 10**12)
    assert found.candidate**2 == expected**found.power
    assert number(two_priors(p, q), found.lower) is None
    assert number(two_priors(p, q), found.upper) == 2


def test_critical_budgets_of_parities():
    found = critical_ratio(Columns(parities(3)), 4)
    assert (found.power, found.candidate, found.upper) == (1, Fraction(4, 3), Fraction(4, 3))
    assert Fraction(4, 3) - Fraction(1, 10**12) <= found.lower < Fraction(4, 3)


def test_critical_budgets_at_the_ends():
    assert critical_ratio(Columns(singletons("abc")), 5) is None
    assert critical_ratio(Columns(bits(2)), 2, per_record="log(2)") is None
    at_zero = critical_ratio(Columns(one_pair("a", "bc")), 2)
    assert (at_zero.lower, at_zero.upper) == (1, 1)
    above_zero = critical_ratio(Columns(bits(2)), 2)
    assert (above_zero.lower, above_zero.candidate) == (1, 1)
    assert 1 < above_zero.upper <= 1 + Fraction(1, 10**12)


def test_a_limit_widens_the_critical_budget_or_says_undecided():
    with pytest.raises(Undecided):
        critical_ratio(Columns(parities(3)), 3, limit=Limit(1e-9))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [("1", "1", 1), ("3/10", "2/5", Fraction(1, 3)), ("7/5", "3/2", Fraction(3, 2)), ("5/2", "7/2", 3)],
)
def test_simplest_rational(low, high, expected):
    assert simplest(Fraction(low), Fraction(high)) == expected


def test_the_simplest_rational_of_a_long_continued_fraction():
    a, b = 1, 1
    for _ in range(5000):
        a, b = a + b, a
    ends = sorted([Fraction(a, b), Fraction(a + b, a)])
    assert simplest(*ends) == Fraction(a, b)


def test_a_convex_closure_that_adds_something_is_refused():
    framework = Framework(
        "abcd",
        {"s": ["a", "b"], "t": ["c", "d"]},
        [("s", "t")],
        {"p": Table(dict.fromkeys("abcd", "1/4")), "q": Table({"a": "1/8", "b": "1/4", "c": "1/2", "d": "1/8"})},
        closure="convex",
    )
    with pytest.raises(ModelError, match="convex"):
        Columns(framework)


def test_work_is_counted_unless_somebody_sets_seconds():
    counted = Limit(programs=2)
    counted.check()
    counted.check()
    with pytest.raises(Undecided, match="after 2 small linear programs' work, which is counted and not timed"):
        counted.check()
    computed = Limit(resources=10)
    computed.spend(10)
    assert computed.resources_left == 1
    with pytest.raises(Undecided, match="units of Z3's work, which is counted"):
        computed.check()
    assert Limit().programs == PROGRAMS
    timed = Limit(1000.0)
    timed.spend(10**12)
    timed.check()
    assert (timed.programs, timed.resources_left) == (None, None)
    with pytest.raises(Undecided, match="after 0 seconds, the limit that was set"):
        Limit(0.0).check()
