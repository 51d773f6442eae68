"""The worst joint leakage that per-record differential privacy alone allows: a bound for any
budgets, often the exact value.

Let D_S = {u >= 0 : u_x <= S u_y for databases x, y that differ in one record}. The joint ratio of K
releases, whatever their Pufferfish budgets, is at most

    max over (mu, nu) in T, w in D_(S^K) of <mu, w> / <nu, w>,

one linear program per ordered pair of laws. Where a column of D_S whose K-fold product is the
optimum keeps all budgets, K releases of it reach the bound: budgets then play no part.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector, primitive
from pufferproof.lp.exact.linear import Program, Row, Solution
from pufferproof.lp.exact.program import NotConfirmedError, solve_exact
from pufferproof.models.errors import SolverError

RESTS_ON = ("worst.power-closed", "worst.pufferfish-and-dp")
_MAX_DATABASES = 64
_PATIENT = 24  # databases up to which a program is worth any effort
_RESOURCES = 10**9  # of Z3 for one program: about a minute
_MAX_SPREAD = 10**7  # largest quotient of two entries of a column for which floats propose a vertex


@dataclass(frozen=True)
class RecordBound:
    """A joint ratio that no K releases exceed; `column`, where there is one, is of all K cones
    and reaches it for `laws`. `solutions` are of the programs, one for each ordered pair of laws.
    """

    upper: Fraction
    laws: OrderedLaws
    column: Vector | None
    solutions: tuple[Solution, ...] = field(repr=False)


def record_bound(
    columns: Columns,
    laws: Sequence[OrderedLaws],
    cones: Sequence[Cone],
    per_record: Fraction,
    seconds: float | None = None,
) -> RecordBound | None:
    """Return the bound of one release per cone, all of them private per record, or None if programs
    are too large.

    Entrywise products of K columns of D_S lie in D_(S^K) (worst.power-closed).

    Args:
        laws: one ordered pair of laws per orbit of symmetries.
        cones: made by `columns.cone` with this `per_record`.
        seconds: how long a program that floats do not solve may take, no limit if left out.

    Raises `SolverError` if a program that must have an optimum has none.
    """
    records, power = columns.framework.records, per_record ** len(cones)
    if records is None or len(columns.databases) > _MAX_DATABASES or power**records.count > _MAX_SPREAD:
        return None
    wide = columns.record_cone(power)
    try:
        solutions = tuple(largest_ratio(law, wide, seconds) for law in laws)
    except NotConfirmedError:
        return None
    best = max(range(len(laws)), key=lambda k: optimum(solutions[k]))
    column = _root(primitive(solutions[best].x), power, per_record)
    if column is not None and not all(cone.holds(column) for cone in cones):
        column = None
    return RecordBound(optimum(solutions[best]), laws[best], column, solutions)


def best_column(law: OrderedLaws, cone: Cone, seconds: float | None = None) -> tuple[Fraction, Vector]:
    """Return the largest <mu, u> / <nu, u> over a cone that keeps it finite, and a column that
    reaches it.

    Raises `NotConfirmedError` where a program that is large, or took longer than `seconds`, or more
    than Z3 is allowed, was not solved.

    Source: Charnes and Cooper, "Programming with linear fractional functionals", 1962.
    """
    solution = largest_ratio(law, cone, seconds)
    return optimum(solution), primitive(solution.x)


def largest_ratio(law: OrderedLaws, cone: Cone, seconds: float | None = None) -> Solution:
    """Solve the program of `best_column`, whose rows are the inequalities of the cone, its
    equations, and nu_total mu_total <nu, u> = 1; raises as it does.
    """
    above = {x: m * law.nu_total for x, m in enumerate(law.mu) if m}
    below = {x: n * law.mu_total for x, n in enumerate(law.nu) if n}
    rows = [Row(_sparse(row), ">=") for row in cone.inequalities] + [Row(_sparse(row), "=") for row in cone.equations]
    program = Program(above, [*rows, Row(below, "=", 1)], cone.dimension)
    patient = cone.dimension <= _PATIENT and (True if seconds is None else seconds)
    return solve_exact(program, patient=patient, resources=_RESOURCES)


def optimum(solution: Solution) -> Fraction:
    """Return the value of a program of a largest ratio. Raises `SolverError` if it has none."""
    if solution.value is None:  # the vector of ones is feasible
        raise SolverError("the program of a largest ratio has no optimum")
    return solution.value


def _sparse(row: Vector) -> dict[int, int]:
    return {x: c for x, c in enumerate(row) if c}


def _root(w: Vector, power: Fraction, per_record: Fraction) -> Vector | None:
    """Return S^f for w = c (S^K)^f; None if w is not of that form.

    At an extreme ray of D_(S^K) the tight inequalities connect all databases, so that w = c (S^K)^f
    with integers f, and u = S^f lies in D_S and has u o .. o u = w up to scale.
    """
    if per_record == 1:
        return w if len(set(w)) == 1 else None
    exponents = []
    for entry in w:
        exponent, rest = 0, Fraction(entry, min(w)) if min(w) else Fraction(0)
        while rest > 1:
            exponent, rest = exponent + 1, rest / power
        if rest != 1:
            return None
        exponents.append(exponent)
    return primitive([per_record**exponent for exponent in exponents])
