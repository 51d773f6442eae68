"""The worst joint ratio within budgets e^epsilon that are rational: exactly, or between certified
bounds.

    L*_K(R_1, .., R_K) = max over (mu, nu) in T, u_k in C_(R_k) of
        <mu, u_1 o .. o u_K> / <nu, u_1 o .. o u_K>.

The maximum is reached at extreme rays. In this order: a closed form for one pair of exclusive
secrets and one prior; one column at a time where secrets determine the database; the bound of
per-record privacy alone, where it is reached; infinite values by supports alone; all pairs of
extreme rays where rays are few; the certified bounds of `worst_bounds`, which often meet; all pairs
of many extreme rays.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

from pufferproof.lp.cones.columns import Columns, Cone, Orbit, OrderedLaws, Vector, orbits, primitive
from pufferproof.lp.cones.rays import (
    COMPARED,
    MAX_RAYS,
    TooManyRaysError,
    distinct_products,
    extreme_rays,
    largest_pair,
)
from pufferproof.lp.cones.rays import RESTS_ON as RAYS_REST_ON
from pufferproof.lp.cones.separation import SUPPORTS_RESTS_ON, Limit, Undecided, collapses
from pufferproof.lp.exact.linear import Program, Row, Solution
from pufferproof.lp.exact.program import NotConfirmedError, solve_exact
from pufferproof.lp.worst.branching import ALTERNATING_RESTS_ON, Alternation, BestNode, Node, improved_from
from pufferproof.lp.worst.branching import RESTS_ON as BRANCHES_REST_ON
from pufferproof.lp.worst.relaxation import INTERIOR_RESTS_ON
from pufferproof.lp.worst.relaxation import RESTS_ON as RELAXATION_RESTS_ON
from pufferproof.models.errors import SolverError
from pufferproof.verify.decision import united
from pufferproof.verify.proof.smt import Work

# Certified bounds of the worst joint leakage of two releases, where extreme rays are many.
#
# For two cones of columns, those of all mechanisms within two budgets, the worst joint ratio is
#
#     L*_2 = max over (mu, nu) in T, u in C1, v in C2 of <mu, u o v> / <nu, u o v>.
#
# `bound_two` encloses it: from below by alternating linear programs (exact columns), from above by branch and bound on
# a linear relaxation (exact identities, which the kernel checks, see `worst_certificate`). Whenever it is stopped, the
# interval is certified; with time enough the two ends often meet. `bound_many` encloses the worst case of more
# releases, more coarsely.
#
# A missing upper bound means that none was proved, not that the ratio is infinite: that is known only when `lower` is
# None.

BOUNDS_RESTS_ON = ("worst.relaxation", "worst.linear-fractional")
_STARTS = 60  # columns that the alternating programs start from, for each ordered pair of laws
_MOST = 4e10  # multiplications of floats: about a minute
_LOWER_SHARE = 0.1  # of the work, at most, for the first lower bound of more than two releases

Progress = Callable[[float, float, int], None]


@dataclass(frozen=True)
class ProvedWorst:
    """What is proved about the worst joint ratio e^leakage: lower <= L* <= upper.

    `lower` is None if the worst joint leakage is infinite, which `columns` show; `upper` is None if
    it is infinite or no bound was proved. `columns` are exact points of the cones whose ratio for
    `laws` is `lower`. `orbits` and `roots` hold the proof of the upper bound: a tree for one
    representative of each orbit. `stopped` says what ended the search before that: "work" or
    "seconds".
    """

    lower: Fraction | None
    upper: Fraction | None
    columns: tuple[Vector, ...]
    laws: OrderedLaws
    nodes: int
    cones: tuple[Cone, ...] = field(repr=False)
    orbits: tuple[Orbit, ...] = field(default=(), repr=False)
    roots: tuple[Node, ...] = field(default=(), repr=False)
    stopped: str | None = None

    @property
    def infinite(self) -> bool:
        """Whether the worst joint leakage is proved to be infinite."""
        return self.lower is None

    @property
    def exact(self) -> bool:
        """Whether the worst case is known exactly."""
        return self.infinite or self.lower == self.upper


def bound_two(
    columns: Columns,
    cones: tuple[Cone, Cone],
    limit: Work | float | None = None,
    progress: Progress | None = None,
    target: Fraction | None = None,
) -> ProvedWorst:
    """Enclose the worst joint ratio of two releases, whose columns lie in the two cones.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework("abc", {"s": ["a"], "t": ["b"], "w": ["c"]}, "disjoint", {"theta": theta})
    >>> columns = Columns(framework)
    >>> cone = columns.cone(Fraction(3, 2))
    >>> bounds = bound_two(columns, (cone, cone))
    >>> bounds.lower, bounds.upper
    (Fraction(9, 4), Fraction(9, 4))

    Args:
        cones: made by `columns.cone`.
        limit: seconds after which the bounds proved so far are returned, or how much is computed;
            about a minute of work if left out, counted and not timed.
        progress: called with (lower, upper, solved programs) as floats, infinite while unknown.
        target: a ratio; bounds at most this are good enough, and it counts as an upper bound once
            all are.

    Returns bounds that are the same on every run that is not cut short by a limit of seconds.
    """
    work = _allowed(limit)
    all_orbits = orbits(columns, cones)
    search = BestNode(cones, [orbit.laws for orbit in all_orbits], progress, target)
    search.run(_STARTS, work)
    best = search.alternation.best
    ones = (1,) * len(columns.databases)
    pair, laws = (best.columns, best.laws) if best is not None else ((ones, ones), columns.laws[0])
    return ProvedWorst(
        search.lower, search.upper, pair, laws, search.nodes, cones, all_orbits, tuple(search.roots), work.stopped
    )


def _allowed(limit: Work | float | None) -> Work:
    """Return what a search may compute: as counted, or for as long as somebody said."""
    return limit if isinstance(limit, Work) else usual_work(limit)


def usual_work(seconds: float | None = None, share: float = 1.0) -> Work:
    """Return seconds of somebody's choice, or else a share of what bounds may compute."""
    return Work(_MOST * share) if seconds is None else Work(seconds=seconds)


def bound_many(
    columns: Columns,
    budgets: Sequence[Fraction],
    per_record: Fraction | None,
    limit: Work | float | None = None,
    progress: Progress | None = None,
) -> ProvedWorst:
    """Enclose the worst joint ratio of K >= 2 releases within the budgets (ratios e^epsilon), one
    per release.

    From below all K columns are improved in turn. From above releases are grouped: if u o v never
    has a larger ratio than L for the first two, then it lies in the cone of budget L (and of the
    product of the per-record levels), and the third release meets that cone, and so on. This is
    sound and coarse. The limit is that of `bound_two`.
    """
    work = _allowed(limit)
    cones = tuple(columns.cone(budget, per_record) for budget in budgets)
    if len(cones) == 2:
        return bound_two(columns, (cones[0], cones[1]), work, progress)
    alternation, first = Alternation(cones), work.part(_LOWER_SHARE)
    for orbit in orbits(columns, cones):
        alternation.search(orbit.laws, range(_STARTS), first)
    best = alternation.best
    if best is not None and best.ratio is None:
        return ProvedWorst(None, None, best.columns, best.laws, 0, cones)
    upper, nodes = _grouped(columns, budgets, per_record, work, progress)
    if best is None:
        return ProvedWorst(
            Fraction(1),
            upper,
            ((1,) * len(columns.databases),) * len(cones),
            columns.laws[0],
            nodes,
            cones,
            stopped=work.stopped,
        )
    return ProvedWorst(best.ratio, upper, best.columns, best.laws, nodes, cones, stopped=work.stopped)


def _grouped(
    columns: Columns, budgets: Sequence[Fraction], per_record: Fraction | None, work: Work, progress: Progress | None
) -> tuple[Fraction | None, int]:
    """Return an upper bound of the joint ratio, two releases at a time, and its programs."""
    joint, nodes = budgets[0], 0
    for k, budget in enumerate(budgets[1:], start=1):
        pair = (columns.cone(joint, None if per_record is None else per_record**k), columns.cone(budget, per_record))
        bounds = bound_two(columns, pair, work.part(1 / (len(budgets) - k)), progress)
        nodes += bounds.nodes
        if bounds.upper is None:
            return None, nodes
        joint = bounds.upper
    return joint, nodes


# The worst joint leakage that per-record differential privacy alone allows: a bound for any budgets, often the exact
# value.
#
# Let D_S = {u >= 0 : u_x <= S u_y for databases x, y that differ in one record}. The joint ratio of K releases,
# whatever their Pufferfish budgets, is at most
#
#     max over (mu, nu) in T, w in D_(S^K) of <mu, w> / <nu, w>,
#
# one linear program per ordered pair of laws. Where a column of D_S whose K-fold product is the optimum keeps all
# budgets, K releases of it reach the bound: budgets then play no part.

RECORD_BOUND_RESTS_ON = ("worst.power-closed", "worst.pufferfish-and-dp")
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
    rows = [Row({x: c for x, c in enumerate(row) if c}, ">=") for row in cone.inequalities] + [
        Row({x: c for x, c in enumerate(row) if c}, "=") for row in cone.equations
    ]
    program = Program(above, [*rows, Row(below, "=", 1)], cone.dimension)
    patient = cone.dimension <= _PATIENT and (True if seconds is None else seconds)
    return solve_exact(program, patient=patient, resources=_RESOURCES)


def optimum(solution: Solution) -> Fraction:
    """Return the value of a program of a largest ratio. Raises `SolverError` if it has none."""
    if solution.value is None:  # the vector of ones is feasible
        raise SolverError("the program of a largest ratio has no optimum")
    return solution.value


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


RESTS_ON = ("worst.vertices", "worst.linear-fractional")
ONE_PAIR_RESTS_ON = ("worst.dichotomy", "worst.dichotomy-overlap")


def is_one_pair(laws: Sequence[OrderedLaws]) -> bool:
    """Say whether T is one ordered pair of laws with disjoint supports, alone or with its
    reverse.
    """
    first, last = laws[0], laws[-1]
    known = len(laws) == 1 or (len(laws) == 2 and (last.mu, last.nu) == (first.nu, first.mu))
    return known and not any(m and n for m, n in zip(first.mu, first.nu))


def one_pair_worst(
    laws: Sequence[OrderedLaws], ratios: Sequence[Fraction]
) -> tuple[Fraction | None, OrderedLaws, tuple[Vector, ...]]:
    """Return the largest joint ratio (None: infinite), the laws and the columns, one per release,
    that reach it.

    If nu has two databases y, y' in its support, take x in supp mu and columns u on {x, y}, v on
    {x, y'} with <mu, u> = <nu, u> and <mu, v> = <nu, v>: both keep every budget, zero included, in
    both orders, and u o v lives on x alone. Every further release may have the constant column.

    If supp nu = {y}, then <nu, u> = u_y, and a column with u_y = 1 within R keeps <mu, u> <= R.
    With a_k(x) = mu_x (u_k)_x the ratio is sum_x prod_k a_k(x) / mu_x^(K - 1) <= (min mu)^(1 - K)
    prod_k sum_x a_k(x) <= R_1 .. R_K / (min mu)^(K - 1), reached when every a_k lives on a lightest
    x.

    >>> law = OrderedLaws((1, 0, 0), (0, 1, 1), 1, 2, ())
    >>> one_pair_worst([law], [Fraction(1), Fraction(1)])[::2]
    (None, ((1, 2, 0), (1, 0, 2)))

    Args:
        laws: what `is_one_pair` accepts.
        ratios: e^budget of every release, each at least 1.
    """
    splitting = [law for law in laws if sum(map(bool, law.nu)) > 1]
    if len(ratios) > 1 and splitting:
        law = splitting[0]
        x = next(x for x, m in enumerate(law.mu) if m)
        others = [y for y, n in enumerate(law.nu) if n][:2]
        columns = [_balanced(law, x, y, Fraction(1)) for y in others]
        return None, law, (*columns, *[(1,) * len(law.mu)] * (len(ratios) - 2))
    law = laws[0]
    x = min((x for x, m in enumerate(law.mu) if m), key=lambda x: law.mu[x])
    y = next(y for y, n in enumerate(law.nu) if n)
    lightest = Fraction(law.mu[x], law.mu_total)
    # R_1 .. R_K / (min mu)^(K - 1), as above
    ratio = prod(ratios, start=Fraction(1)) / lightest ** (len(ratios) - 1)
    return ratio, law, tuple(_balanced(law, x, y, each) for each in ratios)


def _balanced(law: OrderedLaws, x: int, y: int, ratio: Fraction) -> Vector:
    """Return the column on {x, y} with <mu, u> = ratio <nu, u>."""
    column = [Fraction(0)] * len(law.mu)
    column[x] = ratio * Fraction(law.nu[y], law.nu_total)
    column[y] = Fraction(law.mu[x], law.mu_total)
    return primitive(column)


METHODS_REST_ON = {
    "closed form": ONE_PAIR_RESTS_ON,
    "linear program": RESTS_ON,
    "supports": SUPPORTS_RESTS_ON,
    "extreme rays": united(RESTS_ON, RAYS_REST_ON),
    "bounds": united(
        RESTS_ON, BOUNDS_RESTS_ON, RELAXATION_RESTS_ON, BRANCHES_REST_ON, INTERIOR_RESTS_ON, ALTERNATING_RESTS_ON
    ),
    "members": (),
}
_RAYS_SHARE = 0.35  # of the time that is left, for what comes before bounds
_BOUNDS_SHARE = 0.8  # of the time that is left, the rest being for many rays
_FEW_RAYS = 1000  # that a cone may have before bounds are tried: up to here listing them is faster
_FEW_TUPLES = 500_000_000  # of rays, one for each release
_MANY_TUPLES = 20_000_000_000
_COLLAPSE_PROGRAMS = 20_000
_MAX_PRODUCTS = 1_000_000
_STEEP = 10**5


@dataclass(frozen=True)
class Limits:
    """How many rays are enumerated, what part of the usual work may be done, and in `work` the
    seconds of somebody's choice, if there are any.
    """

    max_rays: int = MAX_RAYS
    work: Work = field(default_factory=Work)
    share: float = 1.0

    def part(self, share: float) -> "Limits":
        """Return the same limits with a share of the time that is left."""
        return replace(self, work=self.work.part(share))

    def counted(self, most: float) -> int:
        """Return a part of what is usual."""
        return int(most * self.share)


@dataclass(frozen=True)
class Worst:
    """A joint ratio that columns reach (None: infinite), and what none exceeds (None: infinite or
    unknown).

    `columns` has one vector per release, in the cones of the budgets; `rays` the number of extreme
    rays per release, where they were enumerated. `stopped` says what ended a search that did not
    decide: "work", "seconds" or "rays".
    """

    ratio: Fraction | None
    upper: Fraction | None
    laws: OrderedLaws
    columns: tuple[Vector, ...]
    method: str
    rays: tuple[int, ...] = ()
    stopped: str | None = None

    @property
    def exact(self) -> bool:
        """Whether the ratio reached is the largest one."""
        return self.ratio is None or self.ratio == self.upper


def worst_at(
    columns: Columns, ratios: Sequence[Fraction], per_record: Fraction | None = None, limits: Limits | None = None
) -> Worst:
    """Return the worst joint ratio of one release per budget.

    For more than two releases the pairs are of products of rays. One ordered pair of laws is
    searched for each orbit under the symmetries of the framework.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> secrets = {name: [name] for name in "abc"}
    >>> columns = Columns(Framework(["a", "b", "c"], secrets, "disjoint", {"theta": theta}))
    >>> worst_at(columns, [Fraction(2), Fraction(3, 2)]).ratio
    Fraction(3, 1)

    Args:
        ratios: e^budget of every release.
        per_record: e^level of per-record differential privacy that every release keeps on top.

    Raises `ModelError` as `Columns.cone` does.
    """
    limits = limits or Limits()
    cones = [columns.cone(ratio, per_record) for ratio in ratios]
    if per_record is None and is_one_pair(columns.laws):
        ratio, law, chosen = one_pair_worst(columns.laws, ratios)
        return Worst(ratio, ratio, law, chosen, "closed form")
    laws = [orbit.laws for orbit in orbits(columns, cones)]
    if len(cones) == 1 and per_record is not None and max(ratios[0], per_record) > _STEEP:
        return _steep(laws, cones[0], ratios[0], limits)
    if len(cones) == 1 or determined(laws):
        try:
            return _separately(laws, cones, ratios, limits)
        except NotConfirmedError:
            return _at_most(prod(ratios, start=Fraction(1)), laws[0], len(ratios))
    bound = None if per_record is None else record_bound(columns, laws, cones, per_record, limits.work.patience())
    if bound is not None and bound.column is not None:
        return Worst(bound.upper, bound.upper, bound.laws, (bound.column,) * len(cones), "linear program")
    collapse = None if per_record is not None else _collapse(columns, cones, limits)
    if collapse is not None:  # with a per-record level all databases stay possible under every output
        return collapse
    with suppress(TooManyRaysError):
        few = replace(limits.part(_RAYS_SHARE), max_rays=min(_FEW_RAYS, limits.max_rays))
        return _by_rays(laws, cones, few, _FEW_TUPLES)
    most = _by_records(columns, per_record, len(cones)) if bound is None else bound.upper
    between = _by_bounds(columns, ratios, per_record, limits, most)
    if between.exact:
        return between
    try:
        return _by_rays(laws, cones, limits)
    except TooManyRaysError:
        late = limits.work.stopped  # only seconds can be over
        stopped = late or between.stopped or "rays"
        return replace(between, stopped=stopped)


def reached_from(
    columns: Columns, worst: Worst, ratios: Sequence[Fraction], per_record: Fraction | None
) -> Worst | None:
    """Return what columns reach within budgets a little smaller than those of a worst case that
    bounds enclose, improved from its columns; None if they were not found so.

    Where this is as large as `worst`, up to what budgets differ by, no search is needed.
    """
    if worst.method != "bounds" or not worst.exact or worst.ratio is None:
        return None
    cones = [columns.cone(ratio, per_record) for ratio in ratios]
    release = improved_from(worst.columns, worst.laws, cones)
    return None if release is None else replace(worst, ratio=release.ratio, upper=None, columns=release.columns)


def _by_records(columns: Columns, per_record: Fraction | None, releases: int) -> Fraction | None:
    """Return a bound by changing records one by one, or None without levels per record."""
    records = columns.framework.records
    if per_record is None or records is None:
        return None
    return per_record ** (records.count * releases)


def determined(laws: Sequence[OrderedLaws]) -> bool:
    """Say whether every secret of T determines the database, as in differential privacy: mu =
    e_x and nu = e_y.
    """
    return all(sum(map(bool, weights)) == 1 for law in laws for weights in (law.mu, law.nu))


def _separately(
    laws: Sequence[OrderedLaws], cones: Sequence[Cone], ratios: Sequence[Fraction], limits: Limits
) -> Worst:
    """Maximise over every column alone: for one release, or where secrets determine the database.

    In the second case the joint ratio is the product of those of the releases, u_x / u_y. No
    product of budgets is exceeded, so the search ends where it is reached.
    """
    best: Worst | None = None
    for law in laws:
        columns_by_cone = {cone: best_column(law, cone, limits.work.patience()) for cone in dict.fromkeys(cones)}
        value = prod((columns_by_cone[cone][0] for cone in cones), start=Fraction(1))
        if best is None or best.ratio is None or value > best.ratio:
            best = Worst(value, value, law, tuple(columns_by_cone[cone][1] for cone in cones), "linear program")
        if value == prod(ratios):
            break
    if best is None:
        raise SolverError("expected laws, found none")
    return best


def _steep(laws: Sequence[OrderedLaws], cone: Cone, ratio: Fraction, limits: Limits) -> Worst:
    """Return the largest ratio of one release by extreme rays, for levels beyond floats."""
    try:
        return _by_rays(laws, [cone], limits.part(_RAYS_SHARE))
    except TooManyRaysError:
        return _at_most(ratio, laws[0], 1)


def _at_most(ratio: Fraction, law: OrderedLaws, releases: int) -> Worst:
    """Return what needs no search: releases that tell nothing, and the budgets."""
    return Worst(Fraction(1), ratio, law, ((1,) * len(law.mu),) * releases, "bounds")


def _collapse(columns: Columns, cones: Sequence[Cone], limits: Limits) -> Worst | None:
    """Return columns whose joint release leaks everything, or None."""
    try:
        limit = Limit(limits.work.patience(_RAYS_SHARE), limits.counted(_COLLAPSE_PROGRAMS))
        collapse = collapses(columns, cones, limit)
    except Undecided:  # rays and bounds go on without it
        return None
    if collapse is None or collapse.law is None:
        return None
    return Worst(None, None, collapse.law, collapse.columns, "supports")


def _by_bounds(
    columns: Columns, ratios: Sequence[Fraction], per_record: Fraction | None, limits: Limits, known: Fraction | None
) -> Worst:
    """Enclose the worst ratio; `known` is an upper bound of it, if there is one already."""
    work = usual_work(limits.work.patience(_BOUNDS_SHARE), limits.share)
    bounds = bound_many(columns, ratios, per_record, work)
    reached = bounds.laws.ratio([prod(entries) for entries in zip(*bounds.columns)])
    uppers = [value for value in (bounds.upper, known) if value is not None]
    upper = min(uppers, default=None)
    stopped = bounds.stopped
    return Worst(reached, upper, bounds.laws, bounds.columns, "bounds", stopped=stopped)


def _by_rays(laws: Sequence[OrderedLaws], cones: Sequence[Cone], limits: Limits, most: int = _MANY_TUPLES) -> Worst:
    """Maximise over all tuples of extreme rays, or raise `TooManyRaysError`."""
    rays: dict[Cone, tuple[Vector, ...]] = {}
    for cone in cones:
        if cone not in rays:
            rays[cone] = extreme_rays(cone, limits.max_rays, limits.work.patience(), limits.counted(COMPARED))
    lists = [rays[cone] for cone in cones]
    if prod(map(len, lists)) > limits.counted(most):
        raise TooManyRaysError(f"over {limits.counted(most)} tuples of rays: not compared")
    half = (len(cones) + 1) // 2
    first = _products(lists[:half], limits.work.deadline)
    same = list(cones[:half]) == list(cones[half:])
    second: dict[Vector, tuple[Vector, ...]] = {(1,) * cones[0].dimension: ()}
    if lists[half:]:
        second = first if same else _products(lists[half:], limits.work.deadline)
    left = list(first)
    largest = largest_pair(laws, left, left if same else list(second), limits.work.deadline)
    chosen = (*first[largest.columns[0]], *second[largest.columns[1]])
    return Worst(largest.ratio, largest.ratio, largest.laws, chosen, "extreme rays", tuple(len(each) for each in lists))


def _products(rays: Sequence[Sequence[Vector]], deadline: float | None) -> dict[Vector, tuple[Vector, ...]]:
    """Return the products of one ray from each list, with their factors."""
    products: dict[Vector, tuple[Vector, ...]] = {ray: (ray,) for ray in rays[0]}
    for more in rays[1:]:
        products = distinct_products(products, more, _MAX_PRODUCTS, deadline)
    return products
