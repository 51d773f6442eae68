"""Bounds of the worst joint ratio of two releases that need no search, with their identities.

Where secrets determine the database, mu = e_x and nu = e_y, with largest ratios L1 and L2 of each
release alone,

    L1 L2 u_y v_y - u_x v_x = (L1 u_y - u_x) L2 v_y + u_x (L2 v_y - v_x).

Where both are private per record at level log S, a row of the record cone of 2 log S is, for w = u
o v,

    S^2d w_y - w_x = (S^d u_y - u_x) S^d v_y + u_x (S^d v_y - v_x).

Dual solutions write the bounds by such rows; every identity is checked before a bound rests on it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector, primitive
from pufferproof.lp.cones.orbits import Orbit, orbits
from pufferproof.lp.exact.linear import Solution
from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.worst.at_ratios import determined
from pufferproof.lp.worst.bounds import ProvedWorst
from pufferproof.lp.worst.branching import Node
from pufferproof.lp.worst.identities import Certified, cone_rows
from pufferproof.lp.worst.record_bound import largest_ratio, optimum, record_bound

RESTS_ON = ("worst.identities", "worst.power-closed", "worst.linear-fractional")


def direct_bounds(
    columns: Columns, cones: tuple[Cone, Cone], per_record: Fraction | None, seconds: float | None
) -> ProvedWorst | None:
    """Return what one program for each ordered pair of laws proves, or None if it proves nothing.

    Args:
        cones: made by `columns.cone` with this `per_record`.
        seconds: how long a program that floats do not solve may take.
    """
    parts = orbits(columns, cones)
    try:
        if determined([part.laws for part in parts]):
            return _apart(columns, cones, parts, seconds)
        if per_record is not None and per_record > 1:
            return _of_records(columns, cones, parts, per_record, seconds)
    except NotConfirmedError:
        return None
    return None


def _apart(
    columns: Columns, cones: tuple[Cone, Cone], parts: tuple[Orbit, ...], seconds: float | None
) -> ProvedWorst | None:
    proved: list[Certified] = []
    chosen: list[tuple[Vector, Vector]] = []
    for part in parts:
        solved = {cone: largest_ratio(part.laws, cone, seconds) for cone in dict.fromkeys(cones)}
        solutions = [solved[cone] for cone in cones]
        bound = optimum(solutions[0]) * optimum(solutions[1])
        proved.append(Certified(bound, _of_each(part.laws, cones, solutions)))
        chosen.append((primitive(solutions[0].x), primitive(solutions[1].x)))
    best = max(range(len(parts)), key=lambda k: proved[k].bound)
    return _bounds(columns, cones, parts, proved, best, chosen[best])


def _of_each(
    laws: OrderedLaws, cones: tuple[Cone, Cone], found: Sequence[Solution]
) -> dict[tuple[int, int], Fraction]:
    x, y = laws.mu.index(max(laws.mu)), laws.nu.index(max(laws.nu))
    other, multipliers = optimum(found[1]), defaultdict[tuple[int, int], Fraction](Fraction)
    for row, value in _row_multipliers(cones[0], found[0]):
        multipliers[row, y] += value * other
    for row, value in _row_multipliers(cones[1], found[1]):
        multipliers[x, row] += value
    return {pair: value for pair, value in multipliers.items() if value}


def _row_multipliers(cone: Cone, solution: Solution) -> Iterator[tuple[int, Fraction]]:
    """Yield the rows of a cone whose sum with these factors is at most L nu - mu everywhere."""
    size, fewer, equal = cone.dimension, len(cone.inequalities), len(cone.equations)
    for i, value in enumerate(solution.dual[: fewer + equal]):
        turned = equal if i >= fewer and value > 0 else 0
        if value:
            yield size + i + turned, abs(value)


def _of_records(
    columns: Columns,
    cones: tuple[Cone, Cone],
    parts: tuple[Orbit, ...],
    per_record: Fraction,
    seconds: float | None,
) -> ProvedWorst | None:
    wide = columns.record_cone(per_record**2)
    bound = record_bound(columns, [part.laws for part in parts], cones, per_record, seconds)
    if bound is None:
        return None
    proved = [
        Certified(optimum(solution), _of_both(part.laws, cones, wide, solution))
        for part, solution in zip(parts, bound.solutions)
    ]
    best = next(k for k, part in enumerate(parts) if part.laws == bound.laws)
    chosen = None if bound.column is None else (bound.column, bound.column)
    return _bounds(columns, cones, parts, proved, best, chosen)


def _of_both(
    laws: OrderedLaws, cones: tuple[Cone, Cone], wide: Cone, solution: Solution
) -> dict[tuple[int, int], Fraction]:
    places = [{row: i for i, row in enumerate(cone_rows(cone))} for cone in cones]
    total = laws.mu_total * laws.nu_total
    multipliers = defaultdict[tuple[int, int], Fraction](Fraction)
    for row, value in zip(wide.inequalities, solution.dual):
        x, y = row.index(min(row)), row.index(max(row))
        once = [0] * len(row)
        once[x], once[y] = -isqrt(-row[x]), isqrt(row[y])
        one, two = (place[tuple(once)] for place in places)
        multipliers[one, y] -= value * once[y] / total
        multipliers[x, two] += value * once[x] / total
    return {pair: value for pair, value in multipliers.items() if value}


def _bounds(
    columns: Columns,
    cones: tuple[Cone, Cone],
    parts: tuple[Orbit, ...],
    proved: Sequence[Certified],
    best: int,
    chosen: tuple[Vector, Vector] | None,
) -> ProvedWorst | None:
    """Return the bounds, if every identity holds; `chosen` are columns that reach the best one."""
    rows = cone_rows(cones[0]), cone_rows(cones[1])
    if not all(each.proves(part.laws, rows) for each, part in zip(proved, parts)):
        return None
    laws, upper, ones = parts[best].laws, proved[best].bound, (1,) * len(columns.databases)
    lower = Fraction(1) if chosen is None else laws.ratio([u * v for u, v in zip(*chosen)])
    roots = tuple(Node(part.laws, certified=each) for part, each in zip(parts, proved))
    return ProvedWorst(lower, upper, chosen or (ones, ones), laws, len(roots), cones, parts, roots)
