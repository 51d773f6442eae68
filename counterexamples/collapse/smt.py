"""Collapse by satisfiability: one formula of linear arithmetic over real-valued columns.

For K releases the unknowns are columns u_1, .., u_K of the cones. A Boolean per target (x, needed)
says that it is reached: u_i(x) > 0 for all i, and for every y that is needed some u_i(y) = 0. The
formula is complete: it has a model iff the releases can leak everything, and models of linear
arithmetic are rational. A model is evaluated exactly. That there is none is believed only if cvc5,
given the same formula as SMT-LIB text, says so as well: the word of one solver, an "unknown" and a
time-out are never a verdict.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.lp.cones.columns import Columns, Cone, Vector, primitive
from pufferproof.lp.cones.separation import Limit, Undecided
from pufferproof.lp.cones.supports import CollapseNumber, Target, reached, targets
from pufferproof.models.errors import SolverError
from pufferproof.models.numbers.proposals import solving
from pufferproof.verify.proof.smt import decided

if TYPE_CHECKING:
    from z3 import ArithRef, BoolRef, ModelRef, Solver

_PLANES = "(set-option :nl-ext full)\n"  # products are bounded by planes; else by coverings
_WAYS = {  # options of the second solver and seconds of the processor, tried in turn
    "QF_LRA": [("", 60.0)],
    "QF_NRA": [(_PLANES, 1.0), ("", 1.0), (_PLANES, 5.0), ("", 5.0), (_PLANES, 60.0), ("", 60.0)],
}


def collapses_by_z3(
    columns: Columns,
    cones: Sequence[Cone],
    given: Mapping[str, Sequence[Fraction | int]] | None,
    limit: Limit,
) -> CollapseNumber | None:
    """Return columns, one per cone, whose entrywise product leaks everything; None if that is
    proved impossible.

    Raises `Undecided` when Z3 gives up or no time is left.
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
def _leaking_vectors(
    cones: Sequence[Cone], wanted: Sequence[Target], limit: Limit
) -> tuple[Vector, ...] | None:
    """Return a vector of every cone that together reach some target; None if none do."""
    import z3

    solver, entries = z3.SolverFor("QF_LRA"), entries_of(cones)
    for column, cone in zip(entries, cones):
        solver.add(*in_cone(column, cone))
    solver.add(*leaking_everything(entries, wanted))
    model = model_of(solver, limit)
    return None if model is None else tuple(_evaluated(model, column) for column in entries)


def _evaluated(model: "ModelRef", column: Sequence[object]) -> Vector:
    return primitive([model.eval(e, model_completion=True).as_fraction() for e in column])


def leaking_everything(
    columns: "Sequence[Sequence[ArithRef]]", wanted: Sequence[Target]
) -> "list[BoolRef]":
    """Return the statements that columns of unknowns, one per release, reach some target."""
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
    import z3

    return terms[0] if len(terms) == 1 else z3.Sum(terms)


def model_of(solver: "Solver", limit: Limit, logic: str = "QF_LRA") -> "ModelRef | None":
    """Return a model, None if there is none, as two solvers have found. Raises `Undecided` when
    either gives up.

    Args:
        logic: of SMT-LIB, what is stated in; linear arithmetic unless said otherwise.
    """
    import z3

    limit.check()
    if limit.left is not None:
        solver.set("timeout", max(1, int(1000 * limit.left)))
    answer = solver.check()
    if answer == z3.sat:
        return solver.model()
    if answer == z3.unsat:
        confirm(solver, "unsat", limit, logic)
        return None
    raise Undecided(f"Z3 gave up: {solver.reason_unknown()}")


def confirm(solver: "Solver", status: str, limit: Limit, logic: str = "QF_LRA") -> None:
    """Ask cvc5 about what is stated in a solver of Z3. Raises `Undecided` unless it has the
    same answer, in time.
    """
    query = f"(set-logic {logic})\n{solver.to_smt2()}"
    for options, seconds in _WAYS[logic]:
        limit.check()
        answer = decided("cvc5", options + query, seconds, limit.left)
        if answer.status == status:
            return
        if answer.status in ("sat", "unsat"):
            break
    raise Undecided(f"Z3 says {status}, cvc5 says {answer.status}: expected two solvers that agree")
