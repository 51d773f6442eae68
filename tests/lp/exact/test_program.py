"""Exact linear programs: every end has a certificate that the definitions alone confirm."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
import z3
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.lp.exact import program as exact_lp
from pufferproof.lp.exact.linear import Program, Row, Solution, Status
from pufferproof.lp.exact.program import NotConfirmedError, solve_exact
from pufferproof.verify.proof.farkas import fraction

numbers = st.fractions(-3, 3, max_denominator=3)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    variables = draw(st.integers(1, 3))
    columns = range(variables)
    coefficients = st.dictionaries(st.sampled_from(columns), numbers, max_size=variables)
    rows = st.builds(Row, coefficients, st.sampled_from(["<=", "=", ">="]), numbers)
    free = draw(st.sets(st.sampled_from(columns)))
    return Program(draw(coefficients), draw(st.lists(rows, max_size=4)), variables, free)


def vertices(program: Program) -> list[list[Fraction]]:
    """Every point where as many constraints as there are variables are tight and independent,
    if feasible.
    """
    tight = list(program.rows) + [Row({j: 1}, ">=") for j in range(program.variables) if j not in program.free]
    found = []
    for chosen in combinations(tight, program.variables):
        matrix = fmpq_mat([[_fmpq(row.coefficients.get(j, 0)) for j in range(program.variables)] for row in chosen])
        right = fmpq_mat([[_fmpq(row.bound)] for row in chosen])
        try:
            solved = matrix.solve(right)
        except ZeroDivisionError:
            continue
        point = [fraction(solved[j, 0]) for j in range(program.variables)]
        if program.feasible(point):
            found.append(point)
    return found


def _fmpq(number):
    return fmpq(*Fraction(number).as_integer_ratio())


@given(programs())
@examples(150)
def test_optimum_is_the_best_vertex(program):
    found = solve_exact(program)
    assert found.proves(program)
    corners = vertices(program)
    if found.status is Status.INFEASIBLE:
        assert not corners
    if found.status is Status.OPTIMAL and corners:
        assert found.value == max(map(program.value, corners))


@given(programs())
@examples(60)
def test_floats_only_propose(program):
    by_basis = solve_exact(program)
    by_conditions = exact_lp._by_conditions(program)
    assert by_conditions.proves(program)
    assert (by_conditions.status, by_conditions.value) == (by_basis.status, by_basis.value)


def test_without_patience_nothing_is_known_where_floats_propose_no_optimal_basis(monkeypatch):
    program = Program({0: 1}, [Row({0: 1}, "<=", 1)], 1)
    monkeypatch.setattr(exact_lp, "proposed", lambda *_: None)
    assert solve_exact(program).value == solve_exact(program, patient=60.0).value == 1
    for patience in (False, 0.0):
        with pytest.raises(NotConfirmedError, match="no basis"):
            solve_exact(program, patient=patience)


def test_what_takes_longer_than_its_time_is_unknown(monkeypatch):
    monkeypatch.setattr(exact_lp, "proposed", lambda *_: None)
    monkeypatch.setattr("z3.Solver.check", lambda self: z3.unknown)
    with pytest.raises(NotConfirmedError, match="gave up"):
        solve_exact(Program({0: 1}, [Row({0: 1}, "<=", 1)], 1), patient=0.1)


def test_optimum_that_floats_cannot_tell_apart():
    tiny = Fraction(1, 10**40)
    rows = [Row({0: 1, 1: 1}, "<=", 1), Row({0: 1}, "<=", Fraction(1, 2) + tiny)]
    assert solve_exact(Program({0: 1 + tiny, 1: 1}, rows, 2)).value == 1 + tiny * (Fraction(1, 2) + tiny)


@pytest.mark.parametrize("digits", [9, 12, 18, 30])
def test_refinement_finds_the_basis_that_floats_cannot_tell_from_its_neighbours(digits, monkeypatch):
    def never(program):
        raise AssertionError("the float basis was not refined")

    monkeypatch.setattr(exact_lp, "_by_conditions", never)
    tiny = Fraction(1, 10**digits)
    simplex = [Row(dict.fromkeys(range(6), 1), "<=", 1), *(Row({j: 1}, "<=", 1 - tiny * j) for j in range(6))]
    found = solve_exact(Program({j: 1 + tiny * j for j in range(6)}, simplex, 6))
    assert found.value == (1 + 5 * tiny) * (1 - 5 * tiny) + (1 + 4 * tiny) * 5 * tiny
    chained = [Row({0: 1}, ">=", 1)] + [Row({j + 1: 1, j: -1}, ">=", tiny) for j in range(5)]
    assert solve_exact(Program(dict.fromkeys(range(6), -1), chained, 6)).value == -6 - 15 * tiny


@pytest.mark.parametrize("size", [1, 10**9, 10**20, Fraction(1, 10**20)])
def test_small_bounds_are_not_taken_for_nothing(size):
    """The optimum is as large as all bounds are, and needs no patience: bounds below the tolerance
    of floats would make x = 0 feasible.
    """
    rows = [Row({0: 1, 1: -3}, "<="), Row({1: 1, 0: -3}, "<="), Row({0: 7, 1: 5}, "=", Fraction(1) / size)]
    found = solve_exact(Program({0: 2, 1: 1}, rows, 2), patient=False)
    assert found.value == Fraction(7, 26) / size
    assert found.x == (Fraction(3, 26) / size, Fraction(1, 26) / size)


def test_infeasible_by_less_than_floats_see():
    rows = [Row({0: 1}, "<=", 1), Row({0: 1}, ">=", 1 + Fraction(1, 10**40))]
    assert solve_exact(Program({0: 1}, rows, 1)).status is Status.INFEASIBLE


def test_numbers_beyond_floats():
    huge = Fraction(10) ** 400
    assert solve_exact(Program({0: 1}, [Row({0: 1}, "<=", huge)], 1)).value == huge


def test_no_rows_and_no_objective():
    assert solve_exact(Program({}, [], 1)).value == 0
    assert solve_exact(Program({0: 1}, [], 1)).status is Status.UNBOUNDED
    assert solve_exact(Program({0: -1}, [], 1, {0})).status is Status.UNBOUNDED


ROWS = [Row({0: 1, 1: 2}, "<=", 4), Row({0: 3, 1: 1}, "<=", 6), Row({0: 1, 1: -1}, "=", Fraction(2, 5))]
PROGRAM = Program({0: 1, 1: 1}, ROWS, 2)


def test_a_changed_certificate_proves_nothing():
    for tampered in [
        {"value": Fraction(3)},
        {"x": (Fraction(2), Fraction(1))},
        {"x": (Fraction(-1), Fraction(-7, 5))},
        {"dual": (Fraction(2, 5), Fraction(1, 5))},
        {"dual": (Fraction(-2, 5), Fraction(1, 5), Fraction(0))},
        {"dual": (Fraction(0), Fraction(1), Fraction(0))},
        {"status": Status.INFEASIBLE},
        {"status": Status.UNBOUNDED, "ray": (Fraction(1), Fraction(1))},
    ]:
        found = solve_exact(PROGRAM)
        assert found.proves(PROGRAM)
        assert not replace(found, **tampered).proves(PROGRAM)


def test_a_farkas_vector_of_the_wrong_sign_proves_nothing():
    program = Program({}, [Row({0: 1}, "<=", -1)], 1)
    assert Solution(Status.INFEASIBLE, dual=(Fraction(1),)).proves(program)
    assert not Solution(Status.INFEASIBLE, dual=(Fraction(-1),)).proves(program)
    assert not Solution(Status.INFEASIBLE, dual=(Fraction(1),)).proves(replace(program, free={0}))
