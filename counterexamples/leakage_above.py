"""Joint leakage above a finite level: whether mechanisms within their budgets can together exceed it, by real arithmetic.

The question is non-linear: a product of columns against a level. Z3 answers it over the reals; its model may be algebraic, and
is replaced by rational columns nearby, which a linear program keeps within the cone and exact arithmetic checks. Slow beyond a
few databases. An answer "unknown" is never a verdict; whether everything can leak is `collapse`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from pufferproof.counterexamples.collapse import Impossible, NotFound
from pufferproof.counterexamples.collapse_z3 import entries_of, in_cone, model_of
from pufferproof.lp.cones import Columns, Cone, OrderedLaws, Vector, primitive
from pufferproof.lp.exact_lp import Program, Row, solve_exact
from pufferproof.lp.separation import Limit, Undecided
from pufferproof.models.channel import Channel
from pufferproof.models.errors import SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.level import Level
from pufferproof.verify.composition import Composition, audit_composition

_PRECISIONS = (20, 60, 200, 600)
_ACCURACY = 64


@dataclass(frozen=True)
class LeakageAbove:
    """Mechanisms, one per budget, each within it, whose joint leakage exceeds `level`."""

    budgets: tuple[Level, ...]
    level: Level
    mechanisms: tuple[Channel, ...] = field(repr=False)
    composition: Composition = field(repr=False)


def search_leakage_above(
    framework: Framework, budgets: Sequence[Level | str], level: Level | str, seconds: float | None = None
) -> LeakageAbove | Impossible | NotFound:
    """Search for mechanisms within their budgets whose joint leakage exceeds a level, or prove that there are none.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/2"})
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": theta})
    >>> search_leakage_above(framework, ["log(2)", "log(2)"], "log(3)").composition.joint.leakage.ratio > 3
    True
    >>> search_leakage_above(framework, ["log(2)", "log(2)"], "log(4)")
    Impossible(releases=2, engine='z3')

    Args:
        budgets: one per release.
        seconds: when to stop.

    Raises `ModelError` unless the framework's closure is "list".
    """
    columns, limit = Columns(framework), Limit(seconds)
    within, above = [Level.coerce(budget) for budget in budgets], Level.coerce(level)
    try:
        low = [columns.cone(each.bounds(_ACCURACY)[0]) for each in within]
        found = leaking_columns(columns, low, above.bounds(_ACCURACY)[1], limit)
        if found is not None:
            mechanisms = tuple(columns.mechanism_with(cone, [u]) for cone, u in zip(low, found[1]))
            return LeakageAbove(tuple(within), above, mechanisms, _verified(framework, mechanisms, within, above))
        if all(each.ratio is not None for each in (*within, above)):
            return Impossible(len(within), "z3")
        high = [columns.cone(each.bounds(_ACCURACY)[1]) for each in within]
        if leaking_columns(columns, high, above.bounds(_ACCURACY)[0], limit) is None:
            return Impossible(len(within), "z3")
        stopped = f"undecided at {_ACCURACY} bits of e^epsilon"
    except Undecided as error:
        stopped = str(error)
    return NotFound(
        f"{len(columns.databases)} databases, budgets {', '.join(map(str, within))}, level {above}: {stopped}"
    )


def _verified(
    framework: Framework, mechanisms: Sequence[Channel], budgets: Sequence[Level], level: Level
) -> Composition:
    """Audit what was found, exactly. Raises `SolverError` unless each mechanism keeps its budget and the level is exceeded."""
    found = audit_composition(framework, mechanisms)
    for single, budget in zip(found.single, budgets, strict=True):
        if single.leakage.ratio is None or budget.compare(single.leakage.ratio) > 0:
            raise SolverError(f"a mechanism that was built does not keep its budget {budget}: {single}")
    joint = found.joint.leakage
    if not joint.infinite and (joint.ratio is None or level.compare(joint.ratio) <= 0):
        raise SolverError(f"the joint leakage of the mechanisms that were built does not exceed {level}")
    return found


def leaking_columns(
    columns: Columns, cones: Sequence[Cone], ratio: Fraction, limit: Limit
) -> tuple[OrderedLaws, tuple[Vector, ...]] | None:
    """Return columns, one per cone, with <mu, product> > ratio * <nu, product> for some (mu, nu); None if impossible.

    Raises `Undecided` when Z3 gives up, no time is left, or no rational columns near its model do.
    """
    for law in columns.laws:
        model = _leaking_model(columns, cones, law, ratio, limit)
        if model is None:
            continue
        for precision in _PRECISIONS:
            found = tuple(_snapped(near, cone) for near, cone in zip(_near(model, cones, precision), cones))
            reached = law.ratio([prod(entries) for entries in zip(*found)])
            if reached is None or reached > ratio:
                return law, found
        raise Undecided("a model was found, and no rational columns near it")
    return None


def _leaking_model(
    columns: Columns, cones: Sequence[Cone], law: OrderedLaws, ratio: Fraction, limit: Limit
) -> Any | None:
    import z3

    entries = entries_of(cones)
    solver = z3.SolverFor("QF_NRA")
    for column, cone in zip(entries, cones):
        solver.add(*in_cone(column, cone), *(entry <= 1 for entry in column))
    joint = [z3.Product(*values) for values in zip(*entries)]
    above = z3.Sum([m * law.nu_total * p for m, p in zip(law.mu, joint) if m])
    below = z3.Sum([n * law.mu_total * p for n, p in zip(law.nu, joint) if n])
    solver.add(ratio.denominator * above > ratio.numerator * below)
    return model_of(solver, limit)


def _near(model: Any, cones: Sequence[Cone], precision: int) -> list[list[Fraction]]:
    """Return rationals within 10^-precision of the columns of a model, exact where the model is."""
    import z3

    found = []
    for column in entries_of(cones):
        values = [model.eval(entry, model_completion=True) for entry in column]
        found.append(
            [(v if z3.is_rational_value(v) else v.approx(precision)).as_fraction() for v in values]  # never a float
        )
    return found


def _snapped(near: Sequence[Fraction], cone: Cone) -> Vector:
    """Return the vector of the cone that is nearest in total distance, zero where `near` is."""
    size = cone.dimension
    rows = [Row({y: c for y, c in enumerate(row) if c}, ">=") for row in cone.inequalities]
    rows += [Row({y: c for y, c in enumerate(row) if c}, "=") for row in cone.equations]
    for y, value in enumerate(near):
        rows += [Row({y: 1, size + y: -1}, "<=", value), Row({y: -1, size + y: -1}, "<=", -value)]
        if not value:
            rows.append(Row({y: 1}, "<=", 0))
    solved = solve_exact(Program({size + y: -1 for y in range(size)}, rows, 2 * size))
    return primitive(solved.x[:size])
