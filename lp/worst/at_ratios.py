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

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector, primitive
from pufferproof.lp.cones.orbits import orbits
from pufferproof.lp.cones.products import distinct_products, largest_pair
from pufferproof.lp.cones.rays import COMPARED, MAX_RAYS, TooManyRaysError, extreme_rays
from pufferproof.lp.cones.rays import RESTS_ON as RAYS_REST_ON
from pufferproof.lp.cones.supports import RESTS_ON as SUPPORTS_REST_ON
from pufferproof.lp.cones.supports import Limit, Undecided, collapses
from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.worst.alternating import RESTS_ON as ALTERNATION_RESTS_ON
from pufferproof.lp.worst.alternating import improved_from
from pufferproof.lp.worst.bounds import RESTS_ON as BOUNDS_REST_ON
from pufferproof.lp.worst.bounds import bound_many, usual_work
from pufferproof.lp.worst.branching import RESTS_ON as BRANCHES_REST_ON
from pufferproof.lp.worst.interior import RESTS_ON as INTERIOR_RESTS_ON
from pufferproof.lp.worst.record_bound import best_column, record_bound
from pufferproof.lp.worst.relaxation import RESTS_ON as RELAXATION_RESTS_ON
from pufferproof.models.errors import SolverError
from pufferproof.verify.decision import united
from pufferproof.verify.proof.limits import Work

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
    "supports": SUPPORTS_REST_ON,
    "extreme rays": united(RESTS_ON, RAYS_REST_ON),
    "bounds": united(
        RESTS_ON, BOUNDS_REST_ON, RELAXATION_RESTS_ON, BRANCHES_REST_ON, INTERIOR_RESTS_ON, ALTERNATION_RESTS_ON
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
