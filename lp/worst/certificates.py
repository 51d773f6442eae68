"""Certificates of optima, in the form that the kernel checks: linear programs, and worst cases of two releases.

A bound of the worst joint leakage is written as one tree of splits for every prior and ordered pair of secrets. Trees
were only searched for one representative of each orbit of symmetries; the others are written out by renaming. Bounds
that need no search come with their identities.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from pufferproof.lp.cones.columns import (
    Columns,
    Cone,
    Orbit,
    OrderedLaws,
    Permutation,
    Vector,
    moved,
    orbits,
    primitive,
)
from pufferproof.lp.exact.linear import Program, Solution, Status
from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.worst.at_ratios import (
    ProvedWorst,
    bound_two,
    determined,
    largest_ratio,
    optimum,
    record_bound,
    usual_work,
)
from pufferproof.lp.worst.branching import Node
from pufferproof.lp.worst.relaxation import Certified, Rows, cone_rows
from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.certificates.writing import FORMAT, Inputs, statement

NO_FILES = Inputs(None, ())


def lp_certificate(program: Program, solution: Solution, names: Sequence[str] | None = None) -> JsonObject:
    """Return the certificate of the optimum of a linear program, with variables x0, x1, ... unless
    `names` has others.

    Raises `CertificateError` unless the solution is an optimum.
    """
    if solution.status is not Status.OPTIMAL or solution.value is None:
        raise CertificateError(f"expected an optimum, found a program that is {solution.status.value}")
    labels = [f"x{j}" for j in range(program.variables)] if names is None else list(names)
    rows = [
        {
            "coefficients": _named(row.coefficients.items(), labels),
            "relation": row.sense,
            "bound": text_of(Fraction(row.bound)),
        }
        for row in program.rows
    ]
    claim = {
        "variables": labels,
        "free": [labels[j] for j in sorted(program.free)],
        "objective": _named(program.objective.items(), labels),
        "rows": rows,
        "primal": _named(enumerate(solution.x), labels),
        "dual": [text_of(y) for y in solution.dual],
        "value": text_of(solution.value),
    }
    return {"format": FORMAT, "kind": "lp-optimum", "claim": claim}


def upper_certificate(
    columns: Columns,
    budgets: Sequence[Fraction],
    per_record: Fraction | None,
    ratio: Fraction,
    seconds: float | None = None,
    inputs: Inputs = NO_FILES,
    share: float = 1.0,
) -> JsonObject | None:
    """Return a certificate that two releases within the budgets never have a joint ratio above
    `ratio`; None if none was found.

    If `ratio` is reached by columns that are found, the certificate says so: it is then the exact
    worst case. It is looked for in the seconds given, or else in a share of the usual work.
    ProvedWorst that one program proves (`direct_bounds`) are not searched for.
    """
    one, two = (columns.cone(budget, per_record) for budget in budgets)
    bounds = direct_bounds(columns, (one, two), per_record, seconds)
    if bounds is None or bounds.upper is None or bounds.upper > ratio:
        bounds = bound_two(columns, (one, two), usual_work(seconds, share), target=ratio)
    if bounds.upper is None or bounds.upper > ratio:
        return None
    return worst_certificate(columns, bounds, budgets, per_record, inputs, ratio)


def worst_certificate(
    columns: Columns,
    bounds: ProvedWorst,
    budgets: Sequence[Fraction],
    per_record: Fraction | None = None,
    inputs: Inputs = NO_FILES,
    ratio: Fraction | None = None,
) -> JsonObject:
    """Return the certificate that the worst joint ratio of two releases is at most `ratio`,
    `bounds.upper` if left out.

    Args:
        bounds: of `bound_two` for the cones of these budgets (ratios e^epsilon) and this per-record
            level.
        inputs: the hash of the framework file, no mechanisms.

    It also says that the bound is attained, where `bounds.lower` is equal to it. Raises
    `CertificateError` unless the bounds have a proof for every ordered pair of laws.
    """
    level = bounds.upper if ratio is None else ratio
    if level is None or bounds.lower is None or not bounds.roots:
        raise CertificateError("there is no finite upper bound to certify")
    if bounds.cones != tuple(columns.cone(budget, per_record) for budget in budgets):
        raise CertificateError("expected bounds for the cones of these budgets and this per-record level")
    writer = _TreeWriter(columns, bounds, budgets, per_record)
    records = columns.framework.records
    record_level = None if per_record is None else {"log": text_of(per_record)}
    claim = {
        "budgets": [{"log": text_of(budget)} for budget in budgets],
        "per_record": [record_level, record_level],
        "records": None
        if per_record is None or records is None
        else {"count": records.count, "alphabet": list(records.alphabet)},
        "level": {"log": text_of(level)},
        "attained": _attained(columns, bounds, per_record) if bounds.lower == level else None,
        "rows": writer.rows,
        "laws": [
            {"places": [[prior, *pair] for prior, pair in laws.places], "tree": writer.tree(root, permutation, False)}
            for orbit, root in zip(bounds.orbits, bounds.roots)
            for laws, permutation in orbit.images
        ],
    }
    return statement("worst-at-most", claim, columns.framework, (), inputs)


def _attained(columns: Columns, bounds: ProvedWorst, per_record: Fraction | None) -> JsonObject:
    prior, pair = bounds.laws.places[0]
    names = columns.framework.databases
    full = [columns.extended(u, per_record) for u in bounds.columns]
    return {
        "prior": prior,
        "pair": list(pair),
        "columns": [{name: text_of(Fraction(c)) for name, c in zip(names, u) if c} for u in full],
    }


class _TreeWriter:
    """Writes proof trees: rows by name, multipliers for rows as the kernel scales them."""

    def __init__(
        self, columns: Columns, bounds: ProvedWorst, budgets: Sequence[Fraction], per_record: Fraction | None
    ) -> None:
        self.labels = columns.labels
        self.sides: list[Rows] = [cone_rows(cone) for cone in bounds.cones]
        self.index = [{row: i for i, row in reversed([*enumerate(side)])} for side in self.sides]
        named = [_named_rows(columns, budget, per_record) for budget in budgets]
        self.rows = [[named[k][row][0] for row in side] for k, side in enumerate(self.sides)]
        self.factors = [[named[k][row][1] for row in side] for k, side in enumerate(self.sides)]

    def tree(self, node: Node, p: Permutation, turned: bool) -> JsonObject:
        """Return a node's tree after renaming databases by `p`, releases exchanged if `turned`."""
        if node.mirror is not None:
            return self.tree(node.mirror, p, not turned)
        if node.branch is not None:
            cut, above, below = node.branch
            split = {
                "release": cut.side ^ turned,
                "above": self.labels[p[cut.above]],
                "below": self.labels[p[cut.below]],
                "factor": text_of(cut.factor),
            }
            return {"split": split, "above": self.tree(above, p, turned), "below": self.tree(below, p, turned)}
        if node.certified is None:
            raise CertificateError("a part of the product of the cones has no bound")
        entries = []
        for pair, value in sorted(node.certified.multipliers.items()):
            # a pair of rows after renaming databases, and what its multiplier is divided by in
            # the rows as the kernel reads them
            places, factor = [], Fraction(1)
            for k, i in enumerate(pair):
                base = len(self.sides[k])
                if i < base:
                    place = self.index[k][moved(self.sides[k][i], p)]
                    factor *= self.factors[k][place]
                else:
                    splits = [split for split in node.splits if split.side == k]
                    place = i
                    factor *= splits[i - base].factor.denominator
                places.append(place)
            ordered = reversed(places) if turned else places
            entries.append([*ordered, text_of(value * factor)])
        return {"multipliers": entries}


def _named_rows(
    columns: Columns, budget: Fraction, per_record: Fraction | None
) -> dict[Vector, tuple[JsonObject, Fraction]]:
    """Return the name of every row of a cone, and the row over what the kernel reads."""
    names, size = columns.labels, len(columns.labels)
    rows: dict[Vector, tuple[JsonObject, Fraction]] = {}

    def enter(row: Sequence[Fraction], name: dict[str, object]) -> None:
        coprime = primitive(row)
        factor = next(Fraction(c) / r for c, r in zip(coprime, row) if r)
        rows.setdefault(coprime, (name, factor))

    for x in range(size):
        enter([Fraction(int(x == y)) for y in range(size)], {"database": names[x]})
    for laws in columns.laws:
        prior, pair = laws.places[0]
        law_row = [budget * Fraction(n, laws.nu_total) - Fraction(m, laws.mu_total) for m, n in zip(laws.mu, laws.nu)]
        enter(law_row, {"law": [prior, *pair]})
    for x in range(size if per_record is not None else 0):
        for y in range(size):
            if x != y and per_record is not None:
                row = [Fraction(0)] * size
                row[x], row[y] = (
                    Fraction(-1),
                    per_record ** columns.distance(columns.databases[x], columns.databases[y]),
                )
                enter(row, {"record": [names[x], names[y]]})
    return rows


def _named(entries: Any, labels: Sequence[str]) -> dict[str, str]:
    return {labels[j]: text_of(Fraction(c)) for j, c in entries if c}


# Direct -------------------------------------------------------------------------------------------
#
# Bounds of the worst joint ratio of two releases that need no search, with their identities.
#
# Where secrets determine the database, mu = e_x and nu = e_y, with largest ratios L1 and L2 of
# each release alone,
#
#     L1 L2 u_y v_y - u_x v_x = (L1 u_y - u_x) L2 v_y + u_x (L2 v_y - v_x).
#
# Where both are private per record at level log S, a row of the record cone of 2 log S is, for w =
# u o v,
#
#     S^2d w_y - w_x = (S^d u_y - u_x) S^d v_y + u_x (S^d v_y - v_x).
#
# Dual solutions write the bounds by such rows; every identity is checked before a bound rests on
# it.

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
        x, y = part.laws.mu.index(max(part.laws.mu)), part.laws.nu.index(max(part.laws.nu))
        other, multipliers = optimum(solutions[1]), defaultdict[tuple[int, int], Fraction](Fraction)
        for row, value in _row_multipliers(cones[0], solutions[0]):
            multipliers[row, y] += value * other
        for row, value in _row_multipliers(cones[1], solutions[1]):
            multipliers[x, row] += value
        proved.append(Certified(bound, {pair: value for pair, value in multipliers.items() if value}))
        chosen.append((primitive(solutions[0].x), primitive(solutions[1].x)))
    best = max(range(len(parts)), key=lambda k: proved[k].bound)
    return _bounds(columns, cones, parts, proved, best, chosen[best])


def _row_multipliers(cone: Cone, solution: Solution) -> Iterator[tuple[int, Fraction]]:
    """Yield the rows of a cone whose sum with these factors is at most L nu - mu everywhere."""
    size, fewer, equal = cone.dimension, len(cone.inequalities), len(cone.equations)
    for i, value in enumerate(solution.dual[: fewer + equal]):
        turned = equal if i >= fewer and value > 0 else 0
        if value:
            yield size + i + turned, abs(value)


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
