"""Certified bounds of the worst joint leakage of two releases, against all pairs of extreme
rays.
"""

import random
from fractions import Fraction
from math import prod

import pytest
from tests.brute.rays import worst

from pufferproof import Framework, MarkovChain, Records, Table
from pufferproof import Product as Independent
from pufferproof.lp.cones.columns import Columns, orbits
from pufferproof.lp.exact.linear import Program, Row, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.worst import at_ratios as record_bound
from pufferproof.lp.worst import branching, relaxation
from pufferproof.lp.worst.at_ratios import Limits, bound_many, bound_two, worst_at
from pufferproof.lp.worst.certificates import lp_certificate, upper_certificate, worst_certificate
from pufferproof.lp.worst.relaxation import Certified, ConeHalf, cone_rows, interior_bound, relax
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import certified_text
from pufferproof.verify.proof.smt import Work

F = Fraction
SECONDS = 20.0


def random_framework(source):
    names = [f"d{i}" for i in range(source.choice([2, 3, 3, 4, 4]))]
    secrets = {f"s{i}": sorted(source.sample(names, source.randint(1, max(1, len(names) // 2)))) for i in range(3)}
    priors = {}
    for k in range(source.choice([1, 1, 2])):
        weights = [source.choice([0, 1, 1, 2, 3]) for _ in names]
        weights[k] += 1
        priors[f"theta{k}"] = Table({x: F(w, sum(weights)) for x, w in zip(names, weights) if w})
    return Framework(names, secrets, "disjoint", priors)


def bits(count, prior):
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    return Columns(Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"theta": prior}))


def chain(count, stay="3/4"):
    other = 1 - F(stay)
    return bits(count, MarkovChain("stationary", [[stay, other], [other, stay]]))


def check_bracket(columns, cones, found, exact):
    assert all(cone.holds(u) for cone, u in zip(cones, found.columns))
    entries = [F(1)] * len(columns.databases)
    for u in found.columns:
        entries = [a * b for a, b in zip(entries, u)]
    assert found.laws.ratio(entries) == found.lower
    if exact is None:
        assert found.upper is None
    else:
        assert found.lower is not None
        assert found.lower <= exact
        assert found.upper is None or found.upper >= exact


@pytest.mark.parametrize("seed", range(5))
def test_bounds_bracket_the_worst_of_all_rays_on_random_frameworks(seed):
    source, done, exact_ends = random.Random(seed), 0, 0
    while done < 4:
        try:
            columns = Columns(random_framework(source))
        except ModelError:  # a framework without pairs, or without secrets of positive probability
            continue
        done += 1
        budgets = [source.choice([F(1), F(5, 4), F(3, 2), F(2), F(4)]) for _ in range(2)]
        budgets = [budgets[0]] * 2 if source.random() < 0.5 else budgets
        cones = tuple(columns.cone(budget) for budget in budgets)
        exact, found = worst(columns, cones), bound_two(columns, cones, 2.0)
        check_bracket(columns, cones, found, exact)
        assert found.lower == exact  # not promised, but so on all of these
        exact_ends += found.exact
        if found.upper is not None:
            certified_text(worst_certificate(columns, found, budgets))
    assert exact_ends >= 3


EQUAL, NONE, UNEQUAL = (F(3, 2), F(3, 2)), (F(2), F(1)), (F(3, 2), F(5, 4))


def test_the_three_bit_chain_is_solved_and_certified(tmp_path):
    columns = chain(3)
    cone = columns.cone(F(3, 2), F(2))
    calls = []
    found = bound_two(columns, (cone, cone), SECONDS, lambda *state: calls.append(state))
    assert found.lower == found.upper == F(2738, 993)
    assert (len(found.orbits), found.exact, found.infinite) == (2, True, False)
    assert [nodes for *_, nodes in calls] == sorted(nodes for *_, nodes in calls)
    assert all(lower <= upper for lower, upper, _ in calls)
    path = tmp_path / "certificate.json"
    path.write_text(certified_text(worst_certificate(columns, found, [F(3, 2)] * 2, F(2))), encoding="utf-8")
    accepted = kernel.check(str(path))
    assert "is equal to log(2738/993), and attained" in accepted.statement
    assert "release 2 with per-record level log(2)" in accepted.statement


def test_the_search_gives_the_same_answer_again():
    columns = chain(3, "2/3")
    cones = columns.cone(F(3, 2), F(2)), columns.cone(F(2), F(2))
    one, two = (bound_two(columns, cones, SECONDS) for _ in range(2))
    assert (one.lower, one.upper, one.columns, one.nodes) == (two.lower, two.upper, two.columns, two.nodes)
    turned = bound_two(columns, cones[::-1], SECONDS)
    assert turned.lower == turned.upper == one.lower


def test_collapse_is_found_and_shown():
    columns = bits(3, Independent([["1/2", "1/2"]] * 3))
    cone = columns.cone(F(1))
    found = bound_two(columns, (cone, cone), SECONDS)
    assert (found.lower, found.upper, found.infinite) == (None, None, True)
    assert found.laws.ratio([a * b for a, b in zip(*found.columns)]) is None
    with pytest.raises(CertificateError, match="no finite upper bound"):
        worst_certificate(columns, found, [F(1), F(1)])


def test_two_uniform_bits_compose_perfectly_at_level_zero_and_collapse_above():
    columns = bits(2, Independent([["1/2", "1/2"]] * 2))
    nothing, something = columns.cone(F(1)), columns.cone(F(101, 100))
    found = bound_two(columns, (nothing, nothing), SECONDS)
    assert found.lower == found.upper == 1
    assert bound_two(columns, (nothing, something), SECONDS).infinite


def test_without_time_there_is_a_sound_interval():
    columns = chain(3)
    cone = columns.cone(F(3, 2), F(2))
    found = bound_two(columns, (cone, cone), 0.0)
    check_bracket(columns, (cone, cone), found, F(2738, 993))
    assert (found.upper, found.exact) == (None, False)
    with pytest.raises(CertificateError, match="no finite upper bound"):
        worst_certificate(columns, found, [F(3, 2)] * 2, F(2))


@pytest.mark.parametrize("seconds", [0.02, 0.1, 0.5])
def test_a_search_cut_short_has_a_sound_interval_and_its_certificate(seconds):
    columns, budgets = chain(4), [F(3, 2)] * 2
    cone = columns.cone(F(3, 2), F(2))
    found = bound_two(columns, (cone, cone), seconds)
    check_bracket(columns, (cone, cone), found, F(330463, 101721))
    if found.upper is not None:
        certified_text(worst_certificate(columns, found, budgets, F(2)))


def test_a_given_ratio_is_certified_exactly_when_it_is_an_upper_bound():
    columns = bits(2, Independent([["1/3", "2/3"], ["1/2", "1/2"]]))
    budgets, exact, more = [F(3, 2), F(5, 4)], F(62, 29), F(62, 29) * F(51, 50)
    cones = tuple(columns.cone(budget, F(2)) for budget in budgets)
    assert worst(columns, cones) == exact
    at = upper_certificate(columns, budgets, F(2), exact, SECONDS)
    above = upper_certificate(columns, budgets, F(2), more, SECONDS)
    assert at is not None
    assert above is not None
    assert at["claim"]["attained"] is not None
    assert above["claim"]["attained"] is None
    assert len(certified_text(above)) < len(certified_text(at))
    assert upper_certificate(columns, budgets, F(2), exact - F(1, 10**9), SECONDS) is None
    found = bound_two(columns, cones, SECONDS, target=more)
    assert found.upper == more
    with pytest.raises(CertificateError, match="cones of these budgets"):
        worst_certificate(columns, found, [F(3, 2), F(2)], F(2))


def test_bounds_of_three_releases_bracket_the_worst_of_all_rays():
    theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    columns = Columns(Framework("abc", {"s": ["a"], "t": ["b"], "w": ["c"]}, "disjoint", {"theta": theta}))
    pair = bits(2, Table({"00": F(1, 3), "01": F(1, 6), "10": F(1, 6), "11": F(1, 3)}))
    for space, budgets, per_record in (
        (columns, [F(3, 2), F(2), F(5, 4)], None),
        (pair, [F(3, 2), F(3, 2), F(5, 4)], F(2)),
        (pair, [F(3, 2)] * 2, F(2)),
    ):
        cones = tuple(space.cone(budget, per_record) for budget in budgets)
        found, exact = bound_many(space, budgets, per_record, SECONDS), worst(space, cones)
        check_bracket(space, cones, found, exact)
        assert found.lower == exact
        assert found.upper is not None
    collapsing = bits(3, Independent([["1/2", "1/2"]] * 3))
    assert bound_many(collapsing, [F(1)] * 3, None, SECONDS).infinite


# --- the parts ---


@pytest.mark.parametrize("releases", [2, 3, 5])
def test_without_time_the_lower_end_is_more_than_one_release_leaks(releases):
    found = bound_many(chain(3), [F(3, 2)] * releases, F(2), 0.0)
    assert found.lower > F(3, 2)
    assert found.upper is None
    assert found.laws.ratio([prod(entries) for entries in zip(*found.columns)]) == found.lower


def test_a_relaxation_proves_its_bound_and_nothing_smaller():
    columns = chain(3)
    cone = columns.cone(F(3, 2), F(2))
    rows, laws = (cone_rows(cone), cone_rows(cone)), columns.laws[0]
    values = set()
    for symmetric in (True, False):
        solved = relax(laws, rows, symmetric, Work(seconds=SECONDS))
        assert solved is not None
        program, proved = solved
        exact = program.exact()
        assert exact is not None
        values.add(exact.bound)
        assert exact.bound < proved.bound < exact.bound * (1 + F(1, 10**7))
        assert exact.bound >= F(2738, 993)
        assert not Certified(exact.bound - F(1, 10**30), exact.multipliers).proves(laws, rows)
        some = next(pair for pair, value in exact.multipliers.items() if value > 0)
        for change in (F(1, 10**12), -2 * exact.multipliers[some]):
            changed = {**exact.multipliers, some: exact.multipliers[some] + change}
            assert not Certified(exact.bound, changed).proves(laws, rows)
    assert len(values) == 1


def test_an_interior_point_changes_where_large_programs_begin_and_nothing_else(monkeypatch):
    columns = chain(3)
    cone = columns.cone(F(3, 2), F(2))
    rows, laws = (cone_rows(cone), cone_rows(cone)), columns.laws[0]
    solved = [relax(laws, rows, symmetric, Work()) for symmetric in (True, False)]
    whole = bound_two(columns, (cone, cone), SECONDS)
    monkeypatch.setattr(relaxation, "_LARGE", 8)
    monkeypatch.setattr(branching, "_INSIDE", 0)
    for symmetric, usual in zip((True, False), solved):
        program, proved = relax(laws, rows, symmetric, Work())
        assert proved.proves(laws, rows)
        assert abs(proved.bound - usual[1].bound) < F(1, 10**8)
        near = relaxation.Relaxation(laws, rows, symmetric, relaxation._LIFTS[0])._near(Work())
        assert 0 < len(near) < len(program._all_rows()[0])
        assert {*near} <= program.known
    found = bound_two(columns, (cone, cone), SECONDS)
    assert found.lower == whole.lower
    assert whole.upper <= found.upper < whole.upper + F(1, 10**7)


@pytest.mark.parametrize("budget", [F(6, 5), F(3, 2)])
def test_an_interior_point_alone_proves_nearly_the_bound_of_the_simplex_method(budget):
    columns = chain(3)
    cone = columns.cone(budget, F(2))
    for laws in {orbit.laws: 0 for orbit in orbits(columns, (cone, cone))}:
        for larger in (None, True, False):
            cuts = [] if larger is None else [ConeHalf(1, 0, 7, F(2), larger)]
            rows = cone_rows(cone), cone_rows(cone, cuts)
            for symmetric in (True, False) if larger is None else (False,):
                program, _ = relax(laws, rows, symmetric, Work())
                exact = max(program.exact().bound, F(1))  # less where a part is empty
                inside = interior_bound(laws, rows, symmetric, Work())
                proved, matrix = inside.certified, inside.matrix
                assert proved.proves(laws, rows)
                assert exact <= proved.bound < exact * (1 + F(1, 2000))
                if exact > 1:
                    assert ((program.floats[0][0] @ matrix @ program.floats[1][0].T) > -1e-6).all()
                    less = Certified(exact * F(9999, 10000), proved.multipliers)
                    assert not less.proves(laws, rows)
                assert interior_bound(laws, rows, symmetric, Work(0.0)) is None


@pytest.mark.parametrize("stay", ["3/4", "9/10", "99/100"])
def test_the_last_point_that_proves_a_bound_is_taken_where_none_is_near(stay):
    """Of a program that is never taken as solved, until floats lose the way."""
    columns = chain(3, stay)
    cone = columns.cone(F(2), F(3, 2))
    rows, laws = (cone_rows(cone), cone_rows(cone)), columns.laws[0]
    exact = relax(laws, rows, True, Work())[0].exact().bound
    proved = interior_bound(laws, rows, True, Work(), gap=0.0).certified
    assert proved.proves(laws, rows)
    assert exact <= proved.bound < exact * F(101, 100)


@pytest.mark.parametrize("budgets", [("3/2", "3/2"), ("6/5", "2"), ("7/4", "5/3")])
def test_an_interior_point_leads_to_the_exact_answers_of_the_simplex_method(budgets, monkeypatch):
    columns = chain(3, "5/6")
    cones = tuple(columns.cone(F(each), F(8, 5)) for each in budgets)
    alone = bound_two(columns, cones, SECONDS)
    monkeypatch.setattr(branching, "_TINY", 0)
    found = bound_two(columns, cones, SECONDS)
    assert alone.exact
    assert found.exact
    assert found.lower == alone.lower
    for orbit, root in zip(found.orbits, found.roots):
        rows = tuple(cone_rows(cone) for cone in cones)
        assert root.branch is not None or root.certified.proves(orbit.laws, rows)


def test_what_no_program_bounds_is_bounded_record_by_record(monkeypatch):
    monkeypatch.setattr(record_bound, "_MAX_SPREAD", 0)
    found = worst_at(chain(5, "9/10"), [F(2), F(2)], F(3, 2), Limits(work=Work(seconds=0.0)))
    assert found.upper == F(3, 2) ** 10
    assert not found.exact


def test_an_interior_point_proves_nothing_of_what_is_infinite():
    columns = bits(3, Independent([["1/2", "1/2"]] * 3))
    rows = (cone_rows(columns.cone(F(1))),) * 2
    assert interior_bound(columns.laws[0], rows, True, Work()) is None


def test_bounds_by_interior_points_bracket_the_worst_case_and_are_certified(monkeypatch):
    monkeypatch.setattr(relaxation, "_LARGE", 4)
    budgets = [F(5, 4), F(5, 4)]
    for prior in ([["1/3", "2/3"], ["1/2", "1/2"]], [["1/5", "4/5"], ["2/3", "1/3"]]):
        columns = bits(2, Independent(prior))
        cones = (columns.cone(budgets[0], F(2)),) * 2
        exact = worst(columns, cones)
        found = bound_two(columns, cones, SECONDS, target=exact * F(101, 100))
        check_bracket(columns, cones, found, exact)
        assert found.upper == exact * F(101, 100)
        certified_text(worst_certificate(columns, found, budgets, F(2)))
        assert bound_two(columns, cones, 0.0).upper is None


def test_orbits_of_a_chain_are_those_of_reversal_and_flip():
    columns = chain(4)
    cone = columns.cone(F(3, 2), F(2))
    found = orbits(columns, (cone, cone))
    assert [len(orbit.images) for orbit in found] == [4, 4]
    for orbit in found:
        for laws, p in orbit.images:
            assert all(laws.mu[p[x]] == m for x, m in enumerate(orbit.laws.mu))
            assert all(laws.nu[p[x]] == n for x, n in enumerate(orbit.laws.nu))
    lopsided = bits(2, Independent([["1/3", "2/3"], ["1/5", "4/5"]]))
    assert [len(orbit.images) for orbit in orbits(lopsided, [lopsided.cone(F(2))])] == [1] * 4


def test_the_optimum_of_a_linear_program_has_a_certificate(tmp_path):
    rows = [Row({0: 1, 1: 2}, "<=", 4), Row({0: 3, 1: F(1, 2)}, "<=", 6), Row({1: 1, 2: 1}, "=", F(1, 3))]
    program = Program({0: 1, 1: 1, 2: F(-1, 7)}, rows, 3, {2})
    solution = solve_exact(program)
    path = tmp_path / "certificate.json"
    path.write_text(certified_text(lp_certificate(program, solution)), encoding="utf-8")
    assert f"is {solution.value}" in kernel.check(str(path)).statement
    endless = Program({0: 1}, [], 1)
    assert solve_exact(endless).status is Status.UNBOUNDED
    with pytest.raises(CertificateError, match="expected an optimum"):
        lp_certificate(endless, solve_exact(endless))
