"""The exact critical budget: a candidate from bisection, and real arithmetic with e^epsilon as an
unknown to prove it.

`lp/cones/separation.py` encloses the smallest e^epsilon at which a number of releases can leak
everything, and names a simple number r with threshold^power = r. With R and the columns as
unknowns, "some columns of C_R leak everything and 1 < R, R^power < r" is a formula over the reals:
unsatisfiable, it proves that nothing collapses below (R = 1 is decided by linear programs);
satisfiable with R^power = r, that the threshold is attained. Z3 and cvc5 must both say so: an
answer of one of them, or "unknown", is never a verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.lp.cones.columns import Columns, Cone, Vector, primitive
from pufferproof.lp.cones.separation import (
    CollapseNumber,
    CriticalRatio,
    Limit,
    Target,
    Undecided,
    critical_ratio,
    reached,
    targets,
)
from pufferproof.models.errors import SolverError, extras
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.numbers.proportions import solving
from pufferproof.verify.decision import Decision
from pufferproof.verify.proof.smt import decided

if TYPE_CHECKING:
    from z3 import ArithRef, BoolRef, ModelRef, RatNumRef, Solver

_LONGEST = 2400.0  # seconds, where Z3 does not count what it computes: far beyond its resources
_COUNT = "rlimit count"  # among Z3's statistics
_PLANES = "(set-option :nl-ext full)\n"  # products are bounded by planes; else by coverings
_WAYS = {  # options of the second solver and seconds, of the work that it counts, tried in turn
    "QF_LRA": [("", 60.0)],
    "QF_NRA": [(_PLANES, 1.0), ("", 1.0), (_PLANES, 5.0), ("", 5.0), (_PLANES, 60.0), ("", 60.0)],
}


@dataclass(frozen=True, repr=False)
class Threshold(Readable):
    """Where collapse in `enclosure.runs` releases starts.

    `attained` is whether there is a collapse at `value`^(1/`power`), and none below it. HOLDS: the
    threshold is `exact`. FAILS: none at budgets up to and including that number is proved, so
    that the threshold, which `enclosure` encloses, is at `least` it. Undecided: nothing is
    proved beyond the enclosure.
    """

    enclosure: CriticalRatio
    attained: Decision

    @property
    def exact(self) -> bool:
        """Whether the number is proved to be the threshold."""
        return self.attained is Decision.HOLDS

    @property
    def least(self) -> bool:
        """Whether the threshold is proved to be at least the number, and not attained there."""
        return self.attained is Decision.FAILS

    @property
    def power(self) -> int | None:
        """1 when the candidate is e^epsilon, 2 when it is its square, or None."""
        return self.enclosure.power

    @property
    def value(self) -> Fraction | None:
        """The candidate, or None if nothing simple lies in the enclosure."""
        return self.enclosure.candidate

    def __str__(self) -> str:
        bounded = "proved to be at least that" if self.least else "not proved to be that"
        proved = "exactly there" if self.exact else bounded
        return f"{self.enclosure}{'' if self.value is None else f' ({proved})'}"


def search_threshold(framework: Framework, runs: int, seconds: float | None = None) -> Threshold | None:
    """Return the smallest e^epsilon at which `runs` releases within that budget collapse; None:
    none do at any budget.

    >>> from pufferproof import Framework, Table
    >>> priors = {
    ...     "theta1": Table({"a": "1/2", "b": "1/6", "c": "1/3"}),
    ...     "theta2": Table({"a": "1/2", "b": "1/4", "c": "1/4"}),
    ... }
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], priors)
    >>> threshold = search_threshold(framework, 2)
    >>> threshold.exact, threshold.power, threshold.value
    (True, 2, Fraction(3, 2))

    Raises `Undecided` when seconds, if there is a limit, or else work, which is counted, are over
    before there is an enclosure.
    """
    columns, limit = Columns(framework), Limit(seconds)
    critical = critical_ratio(columns, runs, limit=limit)
    if critical is None:
        return None
    if critical.lower == critical.upper:
        return Threshold(critical, Decision.HOLDS)
    if critical.candidate is None or critical.power is None:
        return Threshold(critical, Decision.UNDECIDED)
    value, power = critical.candidate, critical.power
    try:  # whether there is a collapse at value^(1/power), and none below
        below = _collapses(columns, runs, lambda r: r**power < _real(value), limit)
        at = value > 1 and _collapses(columns, runs, lambda r: r**power == _real(value), limit)
        return Threshold(critical, Decision.UNDECIDED if below else Decision(at))
    except Undecided:
        return Threshold(critical, Decision.UNDECIDED)


@solving("Z3", Undecided)
def _collapses(columns: Columns, runs: int, condition: "Callable[[ArithRef], BoolRef]", limit: Limit) -> bool:
    """Say whether `runs` columns of C_R leak everything for some R > 1 with a condition."""
    with extras:
        import z3

    ratio = z3.Real("R")
    solver = z3.Solver()
    entries = [[z3.Real(f"u{i}_{y}") for y in range(len(columns.databases))] for i in range(runs)]
    for column in entries:
        # the statements that a column of unknowns lies in C_R, R an unknown as well
        stated = [entry >= 0 for entry in column]
        for law in columns.laws:
            above = sum_of([m * law.nu_total * entry for m, entry in zip(law.mu, column) if m])
            below = sum_of([n * law.mu_total * entry for n, entry in zip(law.nu, column) if n])
            stated.append(above <= ratio * below)
        solver.add(*stated)
    solver.add(*leaking_everything(entries, targets(columns)), ratio > 1, condition(ratio))
    if model_of(solver, limit, "QF_NRA") is None:
        return False
    confirm(solver, "sat", limit, "QF_NRA")  # R may be irrational: a model is not evaluated here
    return True


def _real(value: Fraction) -> "RatNumRef":
    with extras:
        import z3

    return z3.RealVal(str(value))


def collapses_by_z3(
    columns: Columns, cones: Sequence[Cone], given: Mapping[str, Sequence[Fraction | int]] | None, limit: Limit
) -> CollapseNumber | None:
    """Return columns, one per cone, whose entrywise product leaks everything; None if that is
    proved impossible.

    Raises `Undecided` when Z3 gives up or the limit is reached.
    """
    wanted = targets(columns, given)
    vectors = _leaking_vectors(cones, wanted, limit) if wanted else None
    if vectors is None:
        return None
    target = reached(wanted, vectors)
    if target is None:
        raise SolverError("the columns of a model reach no target")
    return CollapseNumber(len(cones), vectors, target)


@solving("Z3", Undecided)
def _leaking_vectors(cones: Sequence[Cone], wanted: Sequence[Target], limit: Limit) -> tuple[Vector, ...] | None:
    """Return a vector of every cone that together reach some target; None if none do."""
    with extras:
        import z3

    solver, entries = z3.SolverFor("QF_LRA"), entries_of(cones)
    for column, cone in zip(entries, cones):
        solver.add(*in_cone(column, cone))
    solver.add(*leaking_everything(entries, wanted))
    model = model_of(solver, limit)
    if model is None:
        return None
    values = ([model.eval(entry, model_completion=True).as_fraction() for entry in column] for column in entries)
    return tuple(map(primitive, values))


def leaking_everything(columns: "Sequence[Sequence[ArithRef]]", wanted: Sequence[Target]) -> "list[BoolRef]":
    """Return the statements that columns of unknowns, one per release, reach some target."""
    with extras:
        import z3

    size = range(len(columns[0]))
    hit = [z3.Bool(f"reached{k}") for k in range(len(wanted))]
    zero = [[z3.Bool(f"zero{i}_{y}") for y in size] for i in range(len(columns))]
    common = [z3.Bool(f"common{x}") for x in size]
    stated = [z3.Or(hit)]
    for column, flags in zip(columns, zero):
        stated += [z3.Implies(flag, entry <= 0) for entry, flag in zip(column, flags)]
    stated += [z3.Implies(common[x], z3.And([column[x] > 0 for column in columns])) for x in size]
    excluded: dict[frozenset[int], BoolRef] = {}
    for flag, target in zip(hit, wanted):
        if target.needed not in excluded:
            excluded[target.needed] = z3.Bool(f"excluded{len(excluded)}")
            each = [z3.Or([flags[y] for flags in zero]) for y in sorted(target.needed)]
            stated.append(z3.Implies(excluded[target.needed], z3.And(each)))
        stated.append(z3.Implies(flag, z3.And(common[target.database], excluded[target.needed])))
    return stated


def entries_of(cones: Sequence[Cone]) -> "list[list[ArithRef]]":
    """Return the unknown columns, one per cone."""
    with extras:
        import z3

    return [[z3.Real(f"u{i}_{y}") for y in range(cone.dimension)] for i, cone in enumerate(cones)]


def in_cone(column: "Sequence[ArithRef]", cone: Cone) -> "list[BoolRef]":
    """Return the statements that a column lies in a cone."""

    def value(row: Vector) -> "ArithRef":
        return sum_of([c * entry for c, entry in zip(row, column) if c])

    stated = [entry >= 0 for entry in column]
    stated += [value(row) >= 0 for row in cone.inequalities if any(row)]
    return stated + [value(row) == 0 for row in cone.equations if any(row)]


def sum_of(terms: Sequence[object]) -> "ArithRef":
    """Return the sum of terms; one alone is no sum, which SMT-LIB has of two or more."""
    with extras:
        import z3

    return terms[0] if len(terms) == 1 else z3.Sum(terms)


def model_of(solver: "Solver", limit: Limit, logic: str = "QF_LRA") -> "ModelRef | None":
    """Return a model, None if there is none, as two solvers have found. Raises `Undecided` when
    either gives up.

    Args:
        logic: of SMT-LIB, what is stated in; linear arithmetic unless said otherwise.
    """
    with extras:
        import z3

    limit.check()
    solver.set("timeout", max(1, int(1000 * (_LONGEST if limit.left is None else limit.left))))
    if limit.resources_left is not None:
        solver.set("rlimit", limit.resources_left)
    before = _computed(solver)
    answer = solver.check()
    limit.spend(_computed(solver) - before)
    if answer == z3.sat:
        return solver.model()
    if answer == z3.unsat:
        confirm(solver, "unsat", limit, logic)
        return None
    raise Undecided(limit.over or f"Z3 gave up: {solver.reason_unknown()}")


def _computed(solver: "Solver") -> int:
    """Return what Z3 has computed so far, in the unit of its limits."""
    statistics = solver.statistics()
    names = statistics.keys()
    return int(statistics.get_key_value(_COUNT)) if _COUNT in names else 0


def confirm(solver: "Solver", status: str, limit: Limit, logic: str = "QF_LRA") -> None:
    """Ask cvc5 what Z3 was asked; raise `Undecided` unless it agrees, and say what stopped it: a
    clock of the processor where formulas have products, which cvc5 does not count.
    """
    query = f"(set-logic {logic})\n{solver.to_smt2()}"
    for options, seconds in _WAYS[logic]:
        limit.check()
        answer = decided("cvc5", options + query, seconds, limit.left)
        if answer.status == status:
            return
        if answer.status in ("sat", "unsat"):
            break
    raise Undecided(f"Z3 says {status}, cvc5 says {answer.words}: expected two solvers that agree")
