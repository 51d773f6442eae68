"""Linear programs solved exactly: HiGHS proposes a basis in floats, rational linear algebra confirms it.

A program is: maximise <c, x> over x >= 0 (variables in `free` of either sign) subject to rows that are "<=", "=" or ">=".
Every answer carries an exact certificate, and that certificate is checked before it is returned: an optimum by a primal and a
dual vector of equal value, infeasibility by a Farkas vector, unboundedness by a feasible point and a ray. Nothing is decided in
floats: where the proposed basis does not confirm, Z3's exact simplex solves the optimality conditions over the rationals.

Source of the method: Applegate, Cook, Dash and Espinoza, "Exact solutions to linear programming problems", 2007.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import SolverError
from pufferproof.verify.farkas import fraction

Coefficients = Mapping[int, Fraction | int]
_ZERO = Fraction(0)


class Status(Enum):
    """How a linear program ends; each has an exact certificate."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"


@dataclass(frozen=True)
class Row:
    """One constraint: sum_j coefficients[j] x_j `sense` bound, with `sense` "<=", "=" or ">="."""

    coefficients: Coefficients
    sense: str
    bound: Fraction | int = 0

    def at(self, x: Sequence[Fraction]) -> Fraction:
        """Return sum_j coefficients[j] x_j."""
        return sum((c * x[j] for j, c in self.coefficients.items()), _ZERO)

    def holds(self, x: Sequence[Fraction]) -> bool:
        """Say whether `x` satisfies the constraint."""
        value = self.at(x)
        return (
            value <= self.bound
            if self.sense == "<="
            else value >= self.bound
            if self.sense == ">="
            else value == self.bound
        )


@dataclass(frozen=True)
class Program:
    """Maximise <objective, x> over `variables` variables, >= 0 except those in `free`, subject to `rows`."""

    objective: Coefficients
    rows: Sequence[Row]
    variables: int
    free: Collection[int] = frozenset()

    def value(self, x: Sequence[Fraction]) -> Fraction:
        """Return <objective, x>."""
        return sum((c * x[j] for j, c in self.objective.items()), _ZERO)

    def feasible(self, x: Sequence[Fraction]) -> bool:
        """Say whether `x` satisfies every row and every sign."""
        signs = all(x[j] >= 0 or j in self.free for j in range(self.variables))
        return signs and all(row.holds(x) for row in self.rows)

    def combination(self, dual: Sequence[Fraction]) -> list[Fraction]:
        """Return dual A, one entry per variable."""
        total = [_ZERO] * self.variables
        for y, row in zip(dual, self.rows):
            if y:
                for j, c in row.coefficients.items():
                    total[j] += y * c
        return total

    def bound(self, dual: Sequence[Fraction]) -> Fraction:
        """Return <b, dual>."""
        return sum((y * row.bound for y, row in zip(dual, self.rows)), _ZERO)


@dataclass(frozen=True)
class Solution:
    """The exact end of a linear program.

    OPTIMAL: `x`, `dual` (one multiplier per row, >= 0 on "<=", <= 0 on ">=") and the common `value` = <c, x> = <b, dual>.
    INFEASIBLE: `dual` is a Farkas vector: the signs as above, dual A >= 0 (= 0 at free variables), <b, dual> < 0.
    UNBOUNDED: `x` is feasible, adding any multiple of `ray` keeps it so, and <c, ray> > 0.
    """

    status: Status
    value: Fraction | None = None
    x: tuple[Fraction, ...] = ()
    dual: tuple[Fraction, ...] = ()
    ray: tuple[Fraction, ...] = ()

    def proves(self, program: Program) -> bool:
        """Check the certificate against the program, from the definitions alone."""
        signed = all(
            (y >= 0 or row.sense != "<=") and (y <= 0 or row.sense != ">=") for y, row in zip(self.dual, program.rows)
        )
        if self.status is Status.UNBOUNDED:
            still = replace(program, rows=[replace(row, bound=0) for row in program.rows])
            return program.feasible(self.x) and still.feasible(self.ray) and program.value(self.ray) > 0
        if len(self.dual) != len(program.rows) or not signed:
            return False
        reached = program.combination(self.dual)
        wanted = {} if self.status is Status.INFEASIBLE else program.objective
        gaps = [reached[j] - wanted.get(j, 0) for j in range(program.variables)]
        if not all(gap >= 0 and (gap == 0 or j not in program.free) for j, gap in enumerate(gaps)):
            return False
        bound = program.bound(self.dual)
        if self.status is Status.INFEASIBLE:
            return bound < 0
        return program.feasible(self.x) and program.value(self.x) == bound == self.value


def solve_exact(program: Program, seconds: float | None = None) -> Solution:
    """Solve a linear program exactly.

    >>> rows = [Row({0: 1, 1: 2}, "<=", 4), Row({0: 3, 1: 1}, "<=", 6)]
    >>> found = solve_exact(Program({0: 1, 1: 1}, rows, 2))
    >>> found.value, found.x, found.dual
    (Fraction(14, 5), (Fraction(8, 5), Fraction(6, 5)), (Fraction(2, 5), Fraction(1, 5)))

    Args:
        seconds: time limit of each call of the float solver, none if left out; the exact part has none.

    Raises `SolverError` if what was found does not pass its own check, or nothing was found.
    """
    found = _confirmed(program, seconds) or _without_optimum(program, seconds) or _by_conditions(program)
    if not found.proves(program):
        raise SolverError("the exact solution of a linear program failed its own check")
    return found


def _without_optimum(program: Program, seconds: float | None) -> Solution | None:
    """Return a certified infeasible or unbounded end, by two programs that always have an optimum."""
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
    """Return the optimum at the basis HiGHS proposes, if that basis is exactly optimal."""
    basis = _proposed_basis(program, seconds)
    if basis is None:
        return None
    columns, active = basis
    if len(columns) != len(active):
        return None
    from flint import fmpq_mat

    size = len(columns)
    solution = [_ZERO] * program.variables
    dual = [_ZERO] * len(program.rows)
    if size:
        entries = [_fmpq(program.rows[i].coefficients.get(j, 0)) for i in active for j in columns]
        matrix = fmpq_mat(size, size, entries)
        try:
            x = matrix.solve(fmpq_mat(size, 1, [_fmpq(program.rows[i].bound) for i in active]))
            y = matrix.transpose().solve(fmpq_mat(size, 1, [_fmpq(program.objective.get(j, 0)) for j in columns]))
        except ZeroDivisionError:
            return None
        for index in range(size):
            solution[columns[index]] = fraction(x[index, 0])
            dual[active[index]] = fraction(y[index, 0])
    found = Solution(Status.OPTIMAL, program.value(solution), tuple(solution), tuple(dual))
    return found if found.proves(program) else None


def _proposed_basis(program: Program, seconds: float | None) -> tuple[list[int], list[int]] | None:
    """Return the basic variables and the active rows of the float optimum, None if HiGHS reports none."""
    import highspy
    import numpy as np

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    if seconds is not None:
        solver.setOptionValue("time_limit", float(seconds))
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.variables, len(program.rows)
    costs = [-program.objective.get(j, 0) for j in range(program.variables)]
    model.col_cost_ = np.array(_scaled(costs))
    free = np.isin(np.arange(program.variables), list(program.free))
    model.col_lower_ = np.where(free, -highspy.kHighsInf, 0.0)
    model.col_upper_ = np.full(program.variables, highspy.kHighsInf)
    starts, places, values, lower, upper = [0], list[int](), list[float](), list[float](), list[float]()
    for row in program.rows:
        top = _largest(row.coefficients.values())
        places += row.coefficients
        values += [_float(Fraction(c) / top) for c in row.coefficients.values()]
        starts.append(len(places))
        bound = _float(Fraction(row.bound) / top)
        lower.append(-highspy.kHighsInf if row.sense == "<=" else bound)
        upper.append(highspy.kHighsInf if row.sense == ">=" else bound)
    model.row_lower_, model.row_upper_ = np.array(lower), np.array(upper)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.array(starts, dtype=np.int32)
    model.a_matrix_.index_ = np.array(places, dtype=np.int32)
    model.a_matrix_.value_ = np.array(values, dtype=np.float64)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    basis = solver.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    columns = [j for j, status in enumerate(basis.col_status) if status == basic]
    return columns, [i for i, status in enumerate(basis.row_status) if status != basic]


def _by_conditions(program: Program) -> Solution:
    """Solve for a certificate of any of the three ends in exact linear arithmetic: slower, and needs no float basis."""
    import z3

    x, dual, ray = ([z3.Real(f"{name}{k}") for k in range(count)] for name, count in _sizes(program))
    feasible = _stated(program, x)
    optimal = [*feasible, *_dual_feasible(program, dual, program.objective)]
    optimal.append(_sum(program.objective, x) == _sum({i: row.bound for i, row in enumerate(program.rows)}, dual))
    if model := _model(optimal, [*x, *dual]):
        point, multipliers = model[: len(x)], model[len(x) :]
        return Solution(Status.OPTIMAL, program.value(point), point, multipliers)
    farkas = _dual_feasible(program, dual, {})
    if model := _model([*farkas, _sum({i: row.bound for i, row in enumerate(program.rows)}, dual) == -1], dual):
        return Solution(Status.INFEASIBLE, dual=model)
    still = replace(program, rows=[replace(row, bound=0) for row in program.rows])
    rising = [*feasible, *_stated(still, ray), _sum(program.objective, ray) == 1]
    if model := _model(rising, [*x, *ray]):
        return Solution(Status.UNBOUNDED, x=model[: len(x)], ray=model[len(x) :])
    raise SolverError("no exact end of a linear program was found")


def _sizes(program: Program) -> list[tuple[str, int]]:
    return [("x", program.variables), ("y", len(program.rows)), ("d", program.variables)]


def _stated(program: Program, x: Sequence[Any]) -> list[Any]:
    stated = [x[j] >= 0 for j in range(program.variables) if j not in program.free]
    for row in program.rows:
        left, right = _sum(row.coefficients, x), _real(row.bound)
        stated.append(left <= right if row.sense == "<=" else left >= right if row.sense == ">=" else left == right)
    return stated


def _dual_feasible(program: Program, dual: Sequence[Any], wanted: Coefficients) -> list[Any]:
    columns: list[dict[int, Fraction | int]] = [{} for _ in range(program.variables)]
    for i, row in enumerate(program.rows):
        for j, c in row.coefficients.items():
            columns[j][i] = c
    stated = [y >= 0 if row.sense == "<=" else y <= 0 for y, row in zip(dual, program.rows) if row.sense != "="]
    for j, column in enumerate(columns):
        left, right = _sum(column, dual), _real(wanted.get(j, 0))
        stated.append(left == right if j in program.free else left >= right)
    return stated


def _sum(coefficients: Coefficients, values: Sequence[Any]) -> Any:
    import z3

    return z3.Sum([z3.RealVal(0), *(_real(c) * values[j] for j, c in coefficients.items() if c)])


def _real(number: Fraction | int) -> Any:
    import z3

    return z3.RealVal(str(Fraction(number)))


def _model(constraints: Sequence[Any], wanted: Sequence[Any]) -> tuple[Fraction, ...] | None:
    """Return exact values for `wanted`, None if the constraints contradict each other. Raises `SolverError` if unknown."""
    import z3

    solver = z3.Solver()
    solver.add(*constraints)
    answer = solver.check()
    if answer == z3.unknown:
        raise SolverError(f"exact linear arithmetic gave up: {solver.reason_unknown()}")
    if answer == z3.unsat:
        return None
    model = solver.model()
    return tuple(model.eval(variable, model_completion=True).as_fraction() for variable in wanted)


def _scaled(numbers: Sequence[Fraction | int]) -> list[float]:
    top = _largest(numbers)
    return [_float(number / top) for number in numbers]


def _largest(numbers: Iterable[Fraction | int]) -> Fraction:
    return max((abs(Fraction(number)) for number in numbers), default=Fraction(1)) or Fraction(1)


def _float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:  # only a proposal: the exact check decides
        return 1e300 if number > 0 else -1e300


def _fmpq(number: Fraction | int) -> Any:
    from flint import fmpq

    return fmpq(number.numerator, number.denominator)
