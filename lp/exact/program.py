"""Linear programs solved exactly: HiGHS proposes a basis in floats, rational linear algebra
confirms it.

A program is: maximise <c, x> over x >= 0 (variables in `free` of either sign) subject to rows that
are "<=", "=" or ">=". Every answer carries an exact certificate, and that certificate is checked
before it is returned: an optimum by a primal and a dual vector of equal value, infeasibility by a
Farkas vector, unboundedness by a feasible point and a ray. Nothing is decided in floats: where the
proposed basis does not confirm, Z3's exact simplex solves the optimality conditions over the
rationals.

Source of the method: Applegate, Cook, Dash and Espinoza, "Exact solutions to linear programming
problems", 2007.
"""

import operator
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING

from pufferproof.lp.exact.linear import Coefficients, Program, Row, Solution, Status
from pufferproof.lp.exact.proposals import proposed
from pufferproof.models.errors import SolverError, extras
from pufferproof.models.numbers.proportions import solving
from pufferproof.verify.proof.farkas import fraction

if TYPE_CHECKING:
    from flint import fmpq
    from z3 import ArithRef, BoolRef, RatNumRef

_ZERO = Fraction(0)
_ROUNDS = 8  # of refinement
_STEP = 1 << 30  # how much finer a round of refinement looks, at most


@dataclass(frozen=True)
class _Limits:
    """How long Z3 may take, until a time of `time.monotonic` and in its own unit."""

    deadline: float | None = None
    resources: int | None = None


class NotConfirmedError(SolverError):
    """No basis that floats proposed was exactly optimal; nothing follows."""


def solve_exact(
    program: Program, seconds: float | None = None, patient: bool | float = True, resources: int | None = None
) -> Solution:
    """Solve a linear program exactly.

    >>> rows = [Row({0: 1, 1: 2}, "<=", 4), Row({0: 3, 1: 1}, "<=", 6)]
    >>> solution = solve_exact(Program({0: 1, 1: 1}, rows, 2))
    >>> solution.value, solution.x, solution.dual
    (Fraction(14, 5), (Fraction(8, 5), Fraction(6, 5)), (Fraction(2, 5), Fraction(1, 5)))

    Args:
        seconds: time limit of each call of the float solver, none if left out; the exact part has
            none.
        patient: whether Z3, which may take very long on large programs, is asked where no proposed
            basis confirms; a number of seconds if it is, but no longer.
        resources: how much Z3 may compute, in its own unit (about 10^7 a second), no limit if left
            out: the same on every machine.

    Raises `NotConfirmedError` if none confirms and Z3 is not asked, or gave up; `SolverError` if
    what was found does not pass its own check, or nothing was found.
    """
    optimal = _confirmed(program, seconds)
    if optimal is not None:
        return optimal
    solution = _without_optimum(program, seconds)
    if solution is None:
        if not patient:
            raise NotConfirmedError(f"no basis of a program with {program.variables} variables was confirmed")
        deadline = None if patient is True else time.monotonic() + patient
        solution = _by_conditions(program, _Limits(deadline, resources))
    if not solution.proves(program):
        raise SolverError("the exact solution of a linear program failed its own check")
    return solution


def _without_optimum(program: Program, seconds: float | None) -> Solution | None:
    """Return a certified infeasible or unbounded end, by programs that have an optimum."""
    excess = _ExcessProgram(program)
    least = _confirmed(excess.program, seconds)
    if least is None or least.value is None:
        return None
    if least.value < 0:
        return Solution(Status.INFEASIBLE, dual=least.dual)
    columns = range(program.variables)
    rows = [replace(row, bound=0) for row in program.rows]
    rows += [Row({j: 1}, "<=", 1) for j in columns] + [Row({j: -1}, "<=", 1) for j in columns if j in program.free]
    steepest = _confirmed(replace(program, rows=rows), seconds)
    if steepest is None or not steepest.value:
        return None
    return Solution(Status.UNBOUNDED, x=least.x[: program.variables], ray=steepest.x)


class _ExcessProgram:
    """Least total violation of the rows: a program that is always feasible and bounded."""

    def __init__(self, program: Program) -> None:
        width = program.variables
        costs: dict[int, int] = {}
        rows = []
        for row in program.rows:
            extra = {}
            for sign in (1, -1):
                if row.sense == "=" or (row.sense == "<=") == (sign < 0):
                    extra[width] = sign
                    costs[width] = -1
                    width += 1
            rows.append(replace(row, coefficients={**row.coefficients, **extra}))
        self.program = Program(costs, rows, width, program.free)


def _confirmed(program: Program, seconds: float | None) -> Solution | None:
    """Return the optimum at the basis HiGHS proposes, proved and refined, or None."""
    proposal = proposed(program, seconds)
    if proposal is None:
        return None
    return _at_basis(program, proposal.columns, proposal.active) or _refined(program, seconds)


def _refined(program: Program, seconds: float | None) -> Solution | None:
    """Look for the optimal basis with more digits; None if none is confirmed.

    What a float point and its multipliers leave of the rows (as equations, with slacks), of signs
    and of costs is a linear program again; enlarged, it has the next digits. Source: Gleixner,
    Steffy and Wolter, "Iterative refinement for linear programming", 2016.
    """
    whole, slacks = _as_equations(program)
    proposal = proposed(whole, seconds)
    x, dual = [_ZERO] * whole.variables, [_ZERO] * len(whole.rows)
    larger = costlier = Fraction(1)
    for _ in range(_ROUNDS):
        if proposal is None or not all(map(isfinite, (*proposal.x, *proposal.dual))):
            return None
        columns = [j for j in proposal.columns if j < program.variables]
        active = [i for i in proposal.active if slacks.get(i) not in proposal.columns]
        if (solution := _at_basis(program, columns, active)) is not None:
            return solution
        x = [value + Fraction(more) / larger for value, more in zip(x, proposal.x)]
        dual = [value + Fraction(more) / costlier for value, more in zip(dual, proposal.dual)]
        costs = [whole.objective.get(j, 0) - reached for j, reached in enumerate(whole.combination(dual))]
        left = [row.bound - row.at(x) for row in whole.rows]
        basic = {*proposal.columns, *whole.free}
        larger = _enlargement(larger, [*map(abs, left), *(-v for j, v in enumerate(x) if j not in whole.free)])
        costlier = _enlargement(costlier, [abs(cost) if j in basic else cost for j, cost in enumerate(costs)])
        rest = replace(
            whole,
            objective={j: cost * costlier for j, cost in enumerate(costs) if cost},
            rows=[replace(row, bound=gap * larger) for row, gap in zip(whole.rows, left)],
        )
        proposal = proposed(rest, seconds, [-value * larger for value in x])
    return None


def _as_equations(program: Program) -> tuple[Program, dict[int, int]]:
    """Return the program with slacks in every inequality, and the slack of each such row."""
    width, rows, slacks = program.variables, list[Row](), dict[int, int]()
    for i, row in enumerate(program.rows):
        extra = {}
        if row.sense != "=":
            slacks[i], extra = width, {width: 1 if row.sense == "<=" else -1}
            width += 1
        rows.append(replace(row, coefficients={**row.coefficients, **extra}, sense="="))
    return replace(program, rows=rows, variables=width), slacks


def _enlargement(before: Fraction, errors: Sequence[Fraction]) -> Fraction:
    """Return the power of two, at most `_STEP`, that brings residuals to about 1."""
    largest = max(errors, default=_ZERO)
    wanted = before * _STEP if largest * before * _STEP < 1 else max(1 / largest, Fraction(1))
    return Fraction(1 << (int(wanted).bit_length() - 1))


def _at_basis(program: Program, columns: Sequence[int], active: Sequence[int]) -> Solution | None:
    """Return the exact point and multipliers of a basis, None unless they are optimal."""
    if len(columns) != len(active):
        return None
    from flint import fmpq, fmpq_mat

    size = len(columns)
    solution = [_ZERO] * program.variables
    dual = [_ZERO] * len(program.rows)
    if size:
        held = [[program.rows[i].coefficients.get(j, 0) for j in columns] for i in active]
        entries = [fmpq(c.numerator, c.denominator) for row in held for c in row]
        matrix = fmpq_mat(size, size, entries)
        try:
            x = matrix.solve(fmpq_mat(size, 1, [_fmpq(program.rows[i].bound) for i in active]))
            y = matrix.transpose().solve(fmpq_mat(size, 1, [_fmpq(program.objective.get(j, 0)) for j in columns]))
        except ZeroDivisionError:
            return None
        for index in range(size):
            solution[columns[index]] = fraction(x[index, 0])
            dual[active[index]] = fraction(y[index, 0])
    confirmed = Solution(Status.OPTIMAL, program.value(solution), tuple(solution), tuple(dual))
    return confirmed if confirmed.proves(program) else None


@solving("Z3", NotConfirmedError)
def _by_conditions(program: Program, limits: _Limits = _Limits()) -> Solution:
    """Solve for a certificate of any of the three ends in exact linear arithmetic."""
    with extras:
        import z3

    x, dual, ray = (
        [z3.Real(f"{name}{k}") for k in range(count)]
        for name, count in [("x", program.variables), ("y", len(program.rows)), ("d", program.variables)]
    )
    feasible = _stated(program, x)
    optimal = [*feasible, *_dual_feasible(program, dual, program.objective)]
    optimal.append(_sum(program.objective, x) == _sum({i: row.bound for i, row in enumerate(program.rows)}, dual))
    if model := _model(optimal, [*x, *dual], limits):
        point, multipliers = model[: len(x)], model[len(x) :]
        return Solution(Status.OPTIMAL, program.value(point), point, multipliers)
    farkas = _dual_feasible(program, dual, {})
    if model := _model([*farkas, _sum({i: row.bound for i, row in enumerate(program.rows)}, dual) == -1], dual, limits):
        return Solution(Status.INFEASIBLE, dual=model)
    still = replace(program, rows=[replace(row, bound=0) for row in program.rows])
    rising = [*feasible, *_stated(still, ray), _sum(program.objective, ray) == 1]
    if model := _model(rising, [*x, *ray], limits):
        return Solution(Status.UNBOUNDED, x=model[: len(x)], ray=model[len(x) :])
    raise SolverError("no exact end of a linear program was found")


def _stated(program: Program, x: "Sequence[ArithRef]") -> "list[BoolRef]":
    stated = [x[j] >= 0 for j in range(program.variables) if j not in program.free]
    for row in program.rows:
        left, right = _sum(row.coefficients, x), _real(row.bound)
        compared = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}[row.sense]
        stated.append(compared(left, right))
    return stated


def _dual_feasible(program: Program, dual: "Sequence[ArithRef]", wanted: Coefficients) -> "list[BoolRef]":
    columns: list[dict[int, Fraction | int]] = [{} for _ in range(program.variables)]
    for i, row in enumerate(program.rows):
        for j, c in row.coefficients.items():
            columns[j][i] = c
    stated = [y >= 0 if row.sense == "<=" else y <= 0 for y, row in zip(dual, program.rows) if row.sense != "="]
    for j, column in enumerate(columns):
        left, right = _sum(column, dual), _real(wanted.get(j, 0))
        stated.append(left == right if j in program.free else left >= right)
    return stated


def _sum(coefficients: Coefficients, values: Sequence[object]) -> "ArithRef":
    with extras:
        import z3

    return z3.Sum([z3.RealVal(0), *(_real(c) * values[j] for j, c in coefficients.items() if c)])


def _real(number: Fraction | int) -> "RatNumRef":
    with extras:
        import z3

    return z3.RealVal(str(Fraction(number)))


def _model(constraints: Sequence[object], wanted: Sequence[object], limits: _Limits) -> tuple[Fraction, ...] | None:
    """Return exact values for `wanted`, None if the constraints contradict each other.

    Raises `NotConfirmedError` if that is unknown at a limit.
    """
    with extras:
        import z3

    solver = z3.Solver()
    if limits.deadline is not None:
        solver.set("timeout", max(1, int(1000 * (limits.deadline - time.monotonic()))))
    if limits.resources is not None:
        solver.set("rlimit", limits.resources)
    solver.add(*constraints)
    answer = solver.check()
    if answer == z3.unsat:
        return None
    model = solver.model() if answer == z3.sat else None
    if model is None:
        raise NotConfirmedError(f"exact linear arithmetic gave up: {solver.reason_unknown()}")
    return tuple(model.eval(variable, model_completion=True).as_fraction() for variable in wanted)


def _fmpq(number: Fraction | int) -> "fmpq":
    from flint import fmpq

    return fmpq(number.numerator, number.denominator)
