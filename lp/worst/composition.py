"""The worst joint leakage over all mechanisms within given budgets, with the mechanisms that reach
it.

One release per budget. Mechanisms may differ, may have any number of outputs, and later ones may
depend on earlier outputs: none of this adds anything. The value is that of `worst_at_ratios`;
extreme rays are columns of mechanisms with two outputs, and the joint leakage is computed again
from those. A budget of decimally many nats has an irrational R, which is put between two rationals:
mechanisms at the lower one keep the budget, and the value at the upper one bounds all that do.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt, prod
from typing import Any

from pufferproof.lp.cones.columns import (
    Columns,
    Cone,
    Orbit,
    OrderedLaws,
    Permutation,
    Vector,
    columns_rest_on,
    moved,
    orbits,
    primitive,
    require_private,
)
from pufferproof.lp.cones.rays import MAX_RAYS
from pufferproof.lp.cones.separation import SUPPORTS_RESTS_ON as SUPPORTS_REST_ON
from pufferproof.lp.cones.separation import Limit, Undecided, collapse_number, simplest
from pufferproof.lp.exact.linear import Program, Solution, Status
from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.worst.at_ratios import (
    METHODS_REST_ON,
    Limits,
    ProvedWorst,
    Worst,
    bound_two,
    determined,
    is_one_pair,
    largest_ratio,
    optimum,
    reached_from,
    record_bound,
    usual_work,
    worst_at,
)
from pufferproof.lp.worst.at_ratios import RECORD_BOUND_RESTS_ON as RECORDS_REST_ON
from pufferproof.lp.worst.branching import Node
from pufferproof.lp.worst.relaxation import Certified, Rows, cone_rows
from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError, ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Bar, Readable, bars, listed
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.certificates.writing import FORMAT, Inputs, statement
from pufferproof.verify.decision import Decision, bases, united
from pufferproof.verify.leakage.ratio import Leakage, Scope, scope
from pufferproof.verify.proof.limits import Work

# Mechanisms within budgets for classes of Markov chains: looked for at some chains, and proved for all.
#
# Whoever keeps a budget for a class keeps it for chains of it. So mechanisms are looked for that keep it for some
# chains, at corners and in the middle, and then audited against the whole class. If that does not prove the budget, a
# smaller one is tried. What is proved leaks under the class at least what it leaks under one of its chains.
#
# That there is no collapse carries over to the class where every chain of it has the possible databases of one of
# these.

SHARES = (Fraction(1), Fraction(31, 32), Fraction(7, 8), Fraction(1, 2))
_BLENDS = (Fraction(1, 16), Fraction(1, 4))
_CHAINS = 8
UNPROVED = "which was not proved for all chains"


def members_of(framework: Framework) -> Framework:
    """Return the framework of some chains of every class: corners, and one for every set of values
    with which a chain of the class can begin. Raises `ModelError` for a class that is no box.
    """
    _ = framework.boxes
    return framework.of_members(_CHAINS, supports=True)


def is_covered(framework: Framework) -> bool:
    """Whether every chain of the classes has the possible databases of one of `members_of`: a class
    whose chains have several stationary laws has no such chain.
    """
    members = members_of(framework).priors
    return all(
        box.one_support and all(framework.member(name, at) in members for at in box.supports())
        for name, box in framework.boxes.items()
    )


def keep(framework: Framework, mechanisms: Sequence[Channel], budgets: Sequence[Level]) -> bool:
    """Whether every mechanism is proved to keep its budget for all chains of the classes."""
    asked = {(id(one), str(level)): (one, level) for one, level in zip(mechanisms, budgets)}
    return all(audit(framework, *each).kept is Decision.HOLDS for each in asked.values())


def smaller(budgets: Sequence[Level]) -> Iterator[tuple[Level, ...]]:
    """Yield the budgets, and then smaller ones: shares of e^epsilon - 1."""
    for share in SHARES if any(_ratio(level) > 1 for level in budgets) else SHARES[:1]:
        if share == 1:
            yield tuple(budgets)
        else:
            yield tuple(Level.log(1 + (_ratio(level) - 1) * share) for level in budgets)


def thinned(mechanism: Channel, budget: Level) -> Channel:
    """Return a mechanism whose output "v" is so likely that it keeps the budget whatever the prior:
    the others are said less often.

    >>> channel = Channel.of({"a": {"w": 1}, "b": {"v": 1}})
    >>> thinned(channel, Level("log(2)")).probability("a", "w")
    Fraction(1, 2)
    """
    if "v" not in mechanism.outputs:
        return mechanism
    most = 1 - min(mechanism.probability(x, "v") for x in mechanism.databases)
    seldom = 1 - 1 / _ratio(budget)
    if not seldom or most <= seldom:
        return mechanism
    rows = {}
    for x in mechanism.databases:
        rows[x] = {y: seldom / most * mechanism.probability(x, y) for y in mechanism.outputs}
        rows[x]["v"] += 1 - seldom / most
    return Channel.of(rows)


def blended(mechanism: Channel, budget: Level, per_record: Level | None = None) -> Iterator[Channel]:
    """Yield mechanisms that say "w" more and more evenly, the last one keeping the budget whatever
    the prior: for budget 0 a fair coin. All keep the level per record that the mechanism keeps.
    """
    # outputs "v" are at most that much likelier on one database than on another
    ratio = min(map(_ratio, [budget] if per_record is None else [budget, per_record]))
    seldom = 1 - 1 / ratio
    if not seldom:
        yield Channel.of({x: {"w": Fraction(1, 2), "v": Fraction(1, 2)} for x in mechanism.databases})
        return
    most = max(mechanism.probability(x, "w") for x in mechanism.databases)
    for even in (*(share for share in _BLENDS if share < 1 / ratio), 1 / ratio):
        rows = {}
        for x in mechanism.databases:
            says = seldom * (even + (1 - even) * mechanism.probability(x, "w") / most)
            rows[x] = {"w": says, "v": 1 - says}
        yield Channel.of(rows)


def reached(members: Framework, mechanisms: Sequence[Channel]) -> tuple[Fraction | None, str, Pair]:
    """Return how much likelier all outputs "w" are at most given one secret than given another,
    None for infinitely, and where.
    """
    said = [[mechanism.probability(x, "w") for x in members.databases] for mechanism in mechanisms]
    column = [Fraction(prod(together)) for together in zip(*said)]
    best: tuple[bool, Fraction, str, Pair] | None = None
    for name, law in members.laws.items():
        for stated in members.pairs:
            for pair in members.orders(stated):
                masses = [members.mass(name, secret) for secret in pair]
                if not all(masses):
                    continue
                above, below = (
                    sum((law.weights[x] * column[x] for x in members.secrets[secret]), Fraction(0)) / mass
                    for secret, mass in zip(pair, masses)
                )
                times = above / below if below else Fraction(0)
                reached_by = (not below and bool(above), times)
                if best is None or reached_by > best[:2]:
                    best = (*reached_by, name, pair)
    if best is None:
        raise AssertionError("a framework with nothing to check was taken")
    return (None if best[0] else best[1]), best[2], best[3]


def _ratio(level: Level) -> Fraction:
    return level.bounds()[0]


# Certificates of optima, in the form that the kernel checks: linear programs, and worst cases of two releases.
#
# A bound of the worst joint leakage is written as one tree of splits for every prior and ordered pair of secrets.
# Trees were only searched for one representative of each orbit of symmetries; the others are written out by renaming
# databases, and mixed quarters of a symmetric split by exchanging the releases, so that the kernel needs to know
# nothing of symmetry.

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
            places, factor = self._renamed(node, pair, p)
            ordered = reversed(places) if turned else places
            entries.append([*ordered, text_of(value * factor)])
        return {"multipliers": entries}

    def _renamed(self, node: Node, pair: tuple[int, int], p: Permutation) -> tuple[list[int], Fraction]:
        """Return a pair of rows after renaming databases, and what its multiplier is divided by in
        the rows as the kernel reads them.
        """
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
        return places, factor


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

CERTIFICATES_RESTS_ON = ("worst.identities", "worst.power-closed", "worst.linear-fractional")


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


def _of_each(laws: OrderedLaws, cones: tuple[Cone, Cone], found: Sequence[Solution]) -> dict[tuple[int, int], Fraction]:
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
    columns: Columns, cones: tuple[Cone, Cone], parts: tuple[Orbit, ...], per_record: Fraction, seconds: float | None
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


RESTS_ON = ("worst.vertices", "worst.two-outputs", "worst.adaptivity", "worst.general-outputs")
_WIDTH = Fraction(1, 10**15)  # relative, of the bounds of a joint ratio and of its logarithm
_ACCURACIES = (64, 128, 256)
_AUDITED_ENTRIES = 2_000_000
_NUMBER_PROGRAMS = 20_000  # linear programs, for the collapse number
# of the time, for the worst case; the rest is for single releases and the collapse number
_SEARCH_SHARE = 0.9


@dataclass(frozen=True, repr=False)
class WorstComposition(Readable, Tabular):
    """The worst joint leakage within `budgets`, one release each, and `per_record` differential
    privacy on top.

    `lower` is the ratio e^leakage that `mechanisms` reach (None: infinite), `upper` what no
    mechanisms exceed (None: infinite or unknown). `single` is what one release within each budget
    can leak at most: less than the budget where per-record privacy or other secrets keep it
    smaller. `columns` are the likelihoods over `databases` of the outputs "w". `together`, for
    equal budgets: one mechanism with K + 1 outputs that reaches the same in K runs, or None if
    there is none at hand. `collapse_number`: the fewest releases at the largest budget that can
    leak everything; None if none can or it is unknown. `stopped`: what ended a search that did not
    decide, "work" (counted, not timed), "rays" (too many) or "seconds" (a limit that was given);
    None if it decided, or looked at everything.
    """

    _named = ("release",)

    framework: Framework = field(repr=False)
    budgets: tuple[Level, ...]
    per_record: Level | None
    lower: Fraction | None
    upper: Fraction | None
    single: tuple[Leakage, ...]
    prior: str
    pair: Pair
    databases: tuple[str, ...] = field(repr=False)
    columns: tuple[Vector, ...] = field(repr=False)
    mechanisms: tuple[Channel, ...] = field(repr=False)
    together: Channel | None = field(repr=False)
    method: str
    rays: tuple[int, ...]
    finite_for_all_runs: Decision
    collapse_number: int | None
    scope: Scope = field(repr=False)
    stopped: str | None = None

    @property
    def decided(self) -> bool:
        """Whether the worst case is infinite, or enclosed to the width of irrational budgets."""
        return self.lower is None or _close(self.lower, self.upper)

    @property
    def finite(self) -> Decision:
        """Whether joint leakage within these budgets is always finite."""
        if self.lower is None:
            return Decision.FAILS
        few = self.collapse_number is not None and len(self.budgets) < self.collapse_number
        if self.upper is not None or few or self.finite_for_all_runs is Decision.HOLDS:
            return Decision.HOLDS
        return Decision.UNDECIDED

    @property
    def joint(self) -> Leakage:
        """The worst joint leakage: exact, or its bounds; where finiteness is unknown the upper
        bound is None.
        """
        return Leakage(self.lower, self.upper)

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on: exact arithmetic, and interval arithmetic where a level is
        irrational.
        """
        return (
            ("EXACT",)
            if all(level is None or level.ratio for level in (*self.budgets, self.per_record))
            else ("EXACT", "INTERVAL")
        )

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on: of the method, and of how soon all can leak."""
        lasting = SUPPORTS_REST_ON if self.finite_for_all_runs is not Decision.UNDECIDED else ()
        records = () if self.per_record is None else RECORDS_REST_ON
        cones = columns_rest_on(self.framework)
        return united(RESTS_ON, METHODS_REST_ON[self.method], records, lasting, cones)

    def composition(self) -> Composition:
        """Return the audit of the joint release of `mechanisms`. Raises `ModelError` unless it
        is small enough to write out.
        """
        return compose(self.framework, self.mechanisms)

    def entries(self) -> list[Entry]:
        """Return a row for every release alone, at most, and one for the worst of all together."""
        alone = [
            {"release": str(place), "budget": str(budget)} | nats(each.enclosure())
            for place, (budget, each) in enumerate(zip(self.budgets, self.single), 1)
        ]
        together = nats(self.joint.enclosure())
        return [*alone, {"release": "together", "budget": None} | together]

    def _picture(self) -> str:
        """Draw the most that each release leaks alone, and all together."""
        alone = [
            Bar(f"release {place}, {budget}", each.enclosure())
            for place, (budget, each) in enumerate(zip(self.budgets, self.single), 1)
        ]
        return bars([*alone, Bar("worst, together", self.joint.enclosure())])

    def as_json(self) -> JsonObject:
        """Return the worst-case object of the file formats (without file names and `inputs`)."""
        joint = self.joint.as_json()
        if self.lower is not None and self.upper is None:
            joint["epsilon"] = {"lower": Leakage.of(self.lower).enclosure().lower, "upper": "inf"}
        bounds = [None if value is None else text_of(value) for value in (self.lower, self.upper)]
        return {
            "joint": joint,
            "decided": self.decided,
            "stopped": self.stopped,
            "bounds": None if self.decided else {"lower": bounds[0], "upper": bounds[1] or "inf"},
            "finite": self.finite.value,
            "finite_for_all_runs": self.finite_for_all_runs.value,
            "collapse_number": self.collapse_number,
            "budgets": [str(level) for level in self.budgets],
            "per_record_dp": None if self.per_record is None else str(self.per_record),
            "single": [leakage.as_json() for leakage in self.single],
            "witness": {"prior": self.prior, "pair": list(self.pair), "outputs": ["w"] * len(self.budgets)},
            "method": self.method,
            "rays": list(self.rays) or None,
            "excluded": self.scope.excluded,
            "never_checked": [list(pair) for pair in self.scope.never_checked],
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        above, below = self.pair
        budgets = listed([str(level) for level in self.budgets], quote=False)
        record = "" if self.per_record is None else f" and {self.per_record} per record"
        releases = f"{len(self.budgets)} release{'s' * (len(self.budgets) > 1)}"
        sure = "" if self.decided else f"undecided{_after(self.stopped)}: "
        return (
            f"{sure}worst joint leakage {self.joint} of {releases} within {budgets}{record}, "
            f"for {above!r} against {below!r}, prior {self.prior!r}"
        )


def worst_composition(
    framework: Framework,
    budgets: Sequence[LevelLike],
    per_record: LevelLike | None = None,
    seconds: float | None = None,
    max_rays: int = MAX_RAYS,
    share: float = 1.0,
) -> WorstComposition:
    """Compute the worst joint leakage of one release per budget, over all mechanisms within the
    budgets.

    Every joint output has a likelihood u_1 o .. o u_K (entry by entry) with u_k in the cone C_(R_k)
    of columns that budget k allows, adaptive or not (worst.adaptivity).

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> worst = worst_composition(framework, ["log(2)", "log(2)"])
    >>> worst.finite, worst.collapse_number, worst.columns
    (<Decision.FAILS: False>, 2, ((1, 2, 0), (1, 0, 2)))

    Args:
        framework: without convex closure.
        budgets: one level per release.
        per_record: a level of per-record differential privacy that every release keeps on top.
        seconds: when to settle for certified bounds; without it work is counted, about a minute or
            two, so that the answer is the same on every machine.
        max_rays: how many extreme rays may be held before settling for bounds.
        share: the part of the usual work after which to settle for bounds.

    Returns the exact worst case, or a certified interval (`decided` False): always so for classes
    of chains unless everything can leak, `mechanisms` keep the budgets for all chains, `framework`
    is about some of them, and an upper bound is known of one release, which leaks at most its
    budget, and with `per_record`, by which any two databases have likelihoods near each other.

    Raises `ModelError` unless there is a budget, and as `Columns` and its `cone` do.
    """
    framework = check_type(framework, Framework, "framework")
    seconds = check_type(seconds, float | None, "seconds")
    levels = Level.coerce_all(budgets, "budgets")
    if not levels:
        raise ModelError("expected at least one budget, found none", "budgets")
    side = None if per_record is None else Level.coerce(per_record, "per_record")
    require_private([*levels, side], "budgets")
    max_rays = check_type(max_rays, int, "max_rays")
    share = check_type(share, float, "share")
    work = Work(seconds=seconds)
    if framework.classes:
        return _of_classes(framework, levels, side, seconds, max_rays, share)
    columns = Columns(framework)
    search = _Bracketed(columns, levels, side, Limits(max_rays, work, share))
    worst, upper = search.enclosed()
    cones = [columns.cone(ratio, search.side.lower) for ratio in search.lower]
    sides = [search.side.lower] * len(cones)
    mechanisms = tuple(map(columns.two_output_mechanism, cones, worst.columns, sides))
    number, finite = search.number(worst)
    answer = WorstComposition(
        framework,
        levels,
        side,
        worst.ratio,
        upper,
        search.single(),
        *worst.laws.places[0],
        columns.labels,
        worst.columns,
        mechanisms,
        _together(columns, cones, worst.columns, search.side.lower),
        worst.method,
        worst.rays,
        finite,
        number,
        scope(framework, 1),
        worst.stopped,
    )
    _check(answer)
    return replace(answer, stopped=None) if answer.decided else answer


def _of_classes(
    framework: Framework,
    budgets: tuple[Level, ...],
    per_record: Level | None,
    seconds: float | None,
    max_rays: int,
    share: float,
) -> WorstComposition:
    """Return what mechanisms within the budgets for all chains of the classes leak at least."""
    members, part = members_of(framework), None if seconds is None else seconds / len(SHARES)
    lasting = Decision.UNDECIDED
    for levels in smaller(budgets):
        case = worst_composition(members, levels, per_record, part, max_rays, share / len(SHARES))
        if levels == budgets and (per_record is not None or is_covered(framework)):
            lasting = case.finite_for_all_runs
        chosen = tuple(thinned(*each) for each in zip(case.mechanisms, budgets))
        if kept := keep(framework, chosen, budgets):
            break
    if not kept:
        chosen = _kept_blends(framework, case.mechanisms, budgets, per_record)
    ratio, prior, pair = reached(members, chosen)
    finite = Decision.UNDECIDED if lasting is Decision.FAILS else lasting
    return replace(
        case,
        framework=members,
        budgets=budgets,
        lower=ratio,
        upper=None if ratio is None else _upper_of_classes(framework, budgets, per_record),
        single=tuple(Leakage(*level.bounds()) for level in budgets),
        prior=prior,
        pair=pair,
        mechanisms=chosen,
        together=None,
        method="members",
        rays=(),
        finite_for_all_runs=Decision.FAILS if ratio is None else finite,
        collapse_number=None,
    )


def _upper_of_classes(framework: Framework, budgets: Sequence[Level], per_record: Level | None) -> Fraction | None:
    """Return what no mechanisms exceed under any chain, or None if no bound is known."""
    bounds = [budgets[0].bounds()[1]] if len(budgets) == 1 else []
    if per_record is not None:
        bounds.append(per_record.bounds()[1] ** (framework.expect_records().count * len(budgets)))
    return min(bounds, default=None)


def _kept_blends(
    framework: Framework, mechanisms: Sequence[Channel], budgets: Sequence[Level], per_record: Level | None
) -> tuple[Channel, ...]:
    """Return the first mechanisms, more and more even, that keep the budgets for all chains."""
    tried = [list(blended(*each, per_record)) for each in zip(mechanisms, budgets)]
    most = max(map(len, tried))  # those of a large budget are even sooner
    every = (tuple(each[min(k, len(each) - 1)] for each in tried) for k in range(most))
    return next(each for each in every if keep(framework, each, budgets))


@dataclass(frozen=True)
class _Bracket:
    """Rational bounds of e^level, equal when it is rational; both None without a level."""

    lower: Fraction | None
    upper: Fraction | None


def _bracket(level: Level | None, accuracy: int) -> _Bracket:
    """Return short rationals around e^level, relative distance about 2^-accuracy."""
    if level is None:
        return _Bracket(None, None)
    lower, upper = level.bounds(accuracy + 4)
    if lower == upper:
        return _Bracket(lower, upper)
    if lower <= 1:  # a level that close to 0 needs more digits
        return _bracket(level, 2 * accuracy)
    room = (lower - 1) / 2**accuracy
    return _Bracket(simplest(lower - room, lower), simplest(upper, upper + room))


class _Bracketed:
    """The values at rational budgets below and above the ones asked for.

    The cones grow with R, so does the value; it jumps to infinity only at algebraic R, hence at no
    e^epsilon, and closer rationals decide.
    """

    def __init__(self, columns: Columns, budgets: Sequence[Level], per_record: Level | None, limits: Limits) -> None:
        self.columns, self.budgets, self.per_record, self.limits = (columns, budgets, per_record, limits)
        self._between(_ACCURACIES[0])

    def _between(self, accuracy: int) -> None:
        brackets = [_bracket(level, accuracy) for level in self.budgets]
        self.lower = [bracket.lower for bracket in brackets if bracket.lower is not None]
        self.upper = [bracket.upper for bracket in brackets if bracket.upper is not None]
        self.side = _bracket(self.per_record, accuracy)
        self.rational = self.lower == self.upper and self.side.lower == self.side.upper

    def enclosed(self) -> tuple[Worst, Fraction | None]:
        """Return what is reached within the budgets, and what is not exceeded."""
        limits = self.limits.part(_SEARCH_SHARE)
        for accuracy in _ACCURACIES:
            self._between(accuracy)
            if self.rational:
                worst = worst_at(self.columns, self.lower, self.side.lower, limits)
                return worst, worst.upper
            above = worst_at(self.columns, self.upper, self.side.upper, limits.part(0.5))
            near = reached_from(self.columns, above, self.lower, self.side.lower)
            if near is not None and near.ratio is not None and _close(near.ratio, above.upper):
                return near, above.upper
            worst = worst_at(self.columns, self.lower, self.side.lower, limits)
            if worst.ratio is None:
                return worst, None
            if _close(worst.ratio, above.upper) or not (worst.exact and above.exact):
                break
        return replace(worst, stopped=worst.stopped or above.stopped), above.upper

    def single(self) -> tuple[Leakage, ...]:
        """Return what one release within each budget can leak at most."""
        leakages: dict[tuple[Fraction, Fraction], Leakage] = {}
        for lower, upper in zip(self.lower, self.upper):
            if (lower, upper) not in leakages:
                bounds = [self._alone(lower, self.side.lower)]
                bounds.append(bounds[0] if self.rational else self._alone(upper, self.side.upper))
                leakages[lower, upper] = Leakage(bounds[0], bounds[1])
        return tuple(leakages[bounds] for bounds in zip(self.lower, self.upper))

    def _alone(self, ratio: Fraction, side: Fraction | None) -> Fraction | None:
        return worst_at(self.columns, [ratio], side, self.limits).upper

    def number(self, worst: Worst) -> tuple[int | None, Decision]:
        """Return the collapse number at the largest budget, and whether leakage stays finite
        for all runs, as far as known.
        """
        if self.side.lower is None and is_one_pair(self.columns.laws):
            splits = any(sum(map(bool, law.nu)) > 1 for law in self.columns.laws)
            return (2, Decision.FAILS) if splits else (None, Decision.HOLDS)
        if determined(self.columns.laws) or self.per_record is not None:  # every database stays possible
            return None, Decision.HOLDS
        limit = Limit(self.limits.work.patience(), self.limits.counted(_NUMBER_PROGRAMS))
        try:
            number = collapse_number(self.columns, self.columns.cone(max(self.lower), self.side.lower), limit).number
            if not self.rational:
                above = self.columns.cone(max(self.upper), self.side.upper)
                if collapse_number(self.columns, above, limit).number != number:
                    return None, Decision.UNDECIDED if number is None else Decision.FAILS
        except Undecided:
            return None, Decision.FAILS if worst.ratio is None else Decision.UNDECIDED
        return number, Decision(number is None)


def _after(stopped: str | None) -> str:
    """Say what ended a search that did not decide."""
    said = {"work": "its allowance of work", "rays": "too many rays", "seconds": "the time given"}
    return "" if stopped is None else f" after {said[stopped]}"


def _close(lower: Fraction, upper: Fraction | None) -> bool:
    """Say whether the bounds of a ratio are so close that their logarithms are, too."""
    if upper is None:
        return False
    return lower == upper or (lower > 1 and upper - lower <= _WIDTH * (lower - 1))


def _together(
    columns: Columns, cones: Sequence[Cone], chosen: Sequence[Vector], side: Fraction | None
) -> Channel | None:
    """Return a mechanism with an output for every column and a rest, for equal budgets."""
    if len(cones) < 2 or len(set(cones)) > 1 or len(columns.databases) < len(columns.framework.databases):
        return None
    scaled = [[Fraction(entry, max(column)) for entry in column] for column in chosen]
    total = [sum(entries) for entries in zip(*scaled)]
    both = columns.two_output_mechanism(cones[0], total, side)
    rows = {}
    for x, label in enumerate(columns.labels):
        likelihood = both.probability(label, "w")
        rows[label] = {
            f"w{k}": likelihood * column[x] / total[x] if total[x] else 0 for k, column in enumerate(scaled, start=1)
        }
        rows[label]["v"] = both.probability(label, "v")
    return Channel.of(rows)


def _check(answer: WorstComposition) -> None:
    """Audit the mechanisms found; raise `SolverError` unless they leak what is promised."""
    if 2 ** len(answer.budgets) * len(answer.framework.databases) > _AUDITED_ENTRIES:
        return
    composition = answer.composition()
    within = all(
        single.leakage.ratio is not None and level.compare(single.leakage.ratio) <= 0
        for single, level in zip(composition.single, answer.budgets)
    )
    reached = composition.joint.leakage.lower
    if not within or not (
        reached == answer.lower if answer.decided else reached is None or reached >= (answer.lower or 0)
    ):
        raise SolverError("the mechanisms of a worst case failed their own audit")
