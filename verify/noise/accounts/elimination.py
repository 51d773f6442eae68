"""An upper bound of what per-record levels leak on a network with loops, by elimination.

R_j(u, v) bounds h(x_j = u)/h(x_j = v) for every column h, e^level_j at first. Records are
eliminated one by one, that of the secret last. With p(y | x), the law of the eliminated record
given the neighbours that it then has, the mean of h over y has

    R_j(u, v) max (p(0 | u, x) + p(1 | u, x) F) / (p(0 | v, x) + p(1 | v, x) F)

over x and F in {1/R_y(0, 1), R_y(1, 0)} for bits; `rays` has it for more values.

Nothing is subtracted: floats carry a bound of their relative error, and bounds are rounded up.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import inf, nextafter, prod, sqrt
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.numbers.intervals import above
from pufferproof.models.priors.bayesian_network import Bag, Factor, multiplied
from pufferproof.models.priors.forest import Family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# By how much bounds of columns grow as a record of more than two values is eliminated.
#
# As in `elimination`, R_j(u, v) becomes R_j(u, v) max E_p[f] / E_q[f], p and q laws of the record given x_j = u and v,
# over the cone of all f with
#
#     f(a) <= R(a, b) f(b).
#
# It is largest at an extreme ray, where equations connect all values. Let R be closed, R(a, c) <= R(a, b) R(b, c):
# equations of a and b, and of b and c, give that of a and c, so that some spanning tree leads from upper values to
# lower ones. All are tried. Of more than five values R is max R(a, b), and rays are 1 or R.

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

RESTS_ON = ("classes.elimination-rays",)
LARGEST = 1e50  # of ratios: products of five are floats
MOST_VALUES = 8
_MOST_EXACT = 5  # values whose trees are tried
_UNIT = 2.0**-53
_NEAR = 1 + 1e-9  # more than all roundings of a ray
Edge = tuple[int, int]


def closed(ratios: "Floats") -> "Floats":
    """Return the least bounds that follow from bounds of f(a) / f(b), but for roundings."""
    import numpy as np

    bounds = ratios.copy()
    np.fill_diagonal(bounds, 1)
    for b in range(len(bounds)):
        bounds = np.minimum(bounds, bounds[:, b, None] * bounds[b])
    return bounds


def rays_of(ratios: "Floats") -> "Floats":
    """Return the extreme rays of a cone as rows whose least entry is 1, or those of a larger cone.

    >>> import numpy as np
    >>> rays_of(np.array([[1.0, 3.0], [2.0, 1.0]])).tolist()
    [[3.0, 1.0], [1.0, 2.0]]
    """
    import numpy as np

    size, bounds = len(ratios), closed(ratios)
    if size > _MOST_EXACT:
        sets = np.array(list(product((False, True), repeat=size))[1:-1])
        return np.where(sets, bounds.max(), 1.0)
    rows = []
    for tree in _trees(size):
        entries = {tree[0][0]: 1.0}
        for a, b in tree:
            if a in entries:
                entries[b] = entries[a] / bounds[a, b]
            else:
                entries[a] = entries[b] * bounds[a, b]
        rows.append([entries[a] for a in range(size)])
    rays = np.array(rows)
    within = (rays[:, :, None] <= bounds * rays[:, None, :] * _NEAR).all((1, 2))
    kept: Floats = rays[within]
    return np.asarray(kept / kept.min(1, keepdims=True))


def cost(size: int) -> int:
    """Return how many means are taken for an entry of a table, at most."""
    rays = len(_trees(size)) if size <= _MOST_EXACT else 2**size - 2
    return -(-rays // size)


@cache
def _trees(size: int) -> tuple[tuple[Edge, ...], ...]:
    """List the spanning trees of values, from upper ones to lower ones, every edge (upper, lower)
    next to those before.
    """
    trees = []
    for count in range(1, size):
        for upper in combinations(range(size), count):
            edges = [(a, b) for a in upper for b in range(size) if b not in upper]
            for chosen in combinations(edges, size - 1):
                tree = tuple(_connected(chosen))
                if len(tree) == size - 1:
                    trees.append(tree)
    return tuple(trees)


def _connected(edges: Sequence[Edge]) -> Iterator[Edge]:
    """Yield edges, each with one end that those before have; no edge of a circle or apart."""
    left, reached = list(edges), {edges[0][0]}
    while nearer := [edge for edge in left if (edge[0] in reached) != (edge[1] in reached)]:
        yield nearer[0]
        left.remove(nearer[0])
        reached |= set(nearer[0])


def growth(table: "Floats", ratios: "Floats", error: float) -> "Iterator[Floats]":
    """Yield by how much R_j(u, v) of every neighbour j grows as the record of the last axis, whose
    own bounds are given, is eliminated from a table with a relative error: upper bounds.

    Neighbours that have probability 0 together may give any law: that of all others together.
    """
    import numpy as np

    size, total = len(ratios), table.sum(-1)
    slack = 1 + 8 * error + 8 * (size + 4) ** 2 * _UNIT
    laws = table / np.where(total > 0, total, 1)[..., None]
    laws[total == 0] = laws.reshape(-1, size).sum(0) / max(1, np.count_nonzero(total))
    means = laws @ rays_of(ratios).T
    for axis in range(total.ndim):
        rows = means.reshape(size**axis, size, -1)  # no copy, which moveaxis makes
        most = np.ones((size, size))
        for one, other in permutations(range(size), 2):
            most[one, other] = (rows[:, one] / rows[:, other]).max()
        yield most * slack


CLAIMS = ("worst.power-closed", "classes.elimination-rays")
_SMALLEST = 1e-290  # of products that are no denormal numbers
_LARGEST = 1e150  # of ratios
WIDEST = 20  # neighbours of an eliminated record
_MOST = 1 << 24  # entries of all tables of one order
_MOST_IN_ALL = 1 << 26  # and of all orders for all secret records
MOST_RECORDS = 2_000
_RULES = ("degree", "mixed", "far", "sweep")
Step = tuple[int, tuple[int, ...]]
"""A record that is eliminated, and the neighbours that it then has."""


def orders_within(families: Sequence[Family], last: int, spent: int = 0, leaves: bool = False) -> Iterator[list[Step]]:
    """Yield orders in which all other records of the component of one can be eliminated, those
    whose tables are small enough; `spent` entries were met before. With `leaves` also those of
    laws without weights, in which records that the one does not depend on are first.
    """
    for steps in _orders(families, last, leaves):
        if small_enough(steps, size_of(families), spent):
            spent += cost_of(steps, size_of(families))
            yield steps


def _orders(families: Sequence[Family], last: int, leaves: bool) -> Iterator[list[Step]]:
    for rule in _RULES:
        yield list(_order(families, last, rule))
    above = ancestors(families, last)
    if leaves and len(above) < len(families):
        before, first = only(families, above), leaves_first(families, above)
        for rule in ("degree", "sweep"):
            yield [*first, *_order(before, last, rule)]


def ancestors(families: Sequence[Family], last: int) -> set[int]:
    """Return a record and all that it depends on."""
    above, left = {last}, [last]
    while left:
        new = set(families[left.pop() - 1].parents) - above
        above |= new
        left += new
    return above


def only(families: Sequence[Family], chosen: set[int]) -> list[Family]:
    """Return the families of some records, the others having none."""
    import numpy as np

    free = Family((), np.ones(size_of(families), dtype=object))
    return [family if record in chosen else free for record, family in enumerate(families, 1)]


def leaves_first(families: Sequence[Family], above: set[int]) -> list[Step]:
    """Return all records but some with their ancestors, each after its children: given its parents
    no other record has a table with it, and none is left when it is summed over.
    """
    children = [0] * (len(families) + 1)
    for family in families:
        for parent in family.parents:
            children[parent] += 1
    left = [leaf for leaf in range(1, len(families) + 1) if not children[leaf]]
    steps = []
    while left:
        if (record := left.pop()) in above:
            continue
        parents = families[record - 1].parents
        if parents:
            steps.append((record, tuple(sorted(parents))))
        for parent in parents:
            children[parent] -= 1
            if not children[parent]:
                left.append(parent)
    return steps


def small_enough(steps: Sequence[Step], size: int, spent: int) -> bool:
    """Whether tables of an order are small enough, `spent` entries having been met before."""
    entries = cost_of(steps, size)
    wide = max((len(around) for _, around in steps), default=0) > WIDEST
    return not wide and entries <= _MOST and spent + entries <= _MOST_IN_ALL


def size_of(families: Sequence[Family]) -> int:
    """Return how many values records have."""
    return len(families[0].table.T)


def cost_of(steps: Sequence[Step], size: int = 2) -> int:
    """Return how many entries the tables of an order have, of more than two values times means."""
    entries: int = sum(size ** (len(around) + 1) for _, around in steps)
    return entries * cost(size)


def float_above(value: Fraction | None) -> float:
    """Return a float that is at least a number, infinity for None."""
    if value is None or value > _LARGEST:
        return inf
    return above(value)


def _order(families: Sequence[Family], last: int, rule: str) -> Iterator[Step]:
    """Yield the records of the component of `last` but for it, in the order of a rule: fewest
    neighbours first ("degree"), farthest first ("far"), by the difference of both ("mixed"), or the
    number that is farthest ("sweep").
    """
    near = neighbours(families)
    away = distances(near, last)
    yield from _fewest(near, set(away) - {last}, last, away, rule)


def neighbours(families: Sequence[Family]) -> dict[int, set[int]]:
    """Return the records that share a table with each."""
    near: dict[int, set[int]] = {record: set() for record in range(1, len(families) + 1)}
    for record, family in enumerate(families, 1):
        group = {record, *family.parents}
        for member in group:
            near[member] |= group - {member}
    return near


def distances(near: Mapping[int, set[int]], last: int) -> dict[int, int]:
    """Return how far the records of its component are from one, nearer ones first."""
    away = {last: 0}
    front = [last]
    for here in front:
        for other in sorted(near[here] - away.keys()):
            away[other] = away[here] + 1
            front.append(other)
    return away


def _fewest(near: dict[int, set[int]], left: set[int], last: int, away: Mapping[int, int], rule: str) -> Iterator[Step]:
    """Yield records in the order of a rule, each with its neighbours then, up to one that has too many."""

    def ranked(candidate: int) -> tuple[int, int, int]:
        return *_key(rule, len(near[candidate]), away[candidate], candidate - last), candidate

    ranks = {candidate: ranked(candidate) for candidate in left}
    while ranks:
        chosen = min(ranks.values())[-1]
        del ranks[chosen]
        around = near.pop(chosen)
        yield chosen, tuple(sorted(around))
        if len(around) > WIDEST:
            return
        for other in around:
            near[other] = (near[other] | around) - {other, chosen}
        ranks.update((other, ranked(other)) for other in around if other in ranks)


def _key(rule: str, degree: int, distance: int, apart: int) -> tuple[int, int]:
    if rule == "degree":
        return degree, -distance
    if rule == "sweep":
        return -abs(apart), 0
    return (-distance, degree) if rule == "far" else (degree - distance, degree)


@dataclass(frozen=True)
class RecordTable(Factor):
    """A table over records, an axis for each; the largest relative error of its entries, and their
    least positive value. It may be the law of its `own` record given the others.
    """

    error: float
    least: float
    own: int = 0

    @classmethod
    def of(cls, scope: tuple[int, ...], table: "Floats", error: float, own: int = 0) -> "RecordTable":
        """Return a factor scaled by a power of two, so that its largest entry is about 1."""
        import numpy as np

        top = float(table.max())
        scaled = np.ldexp(table, -int(np.frexp(top)[1])) if top else table
        positive = scaled[scaled > 0]
        return cls(scope, scaled, error, float(positive.min()) if positive.size else 1.0, own)


def ratio_above(families: Sequence[Family], last: int, rates: Sequence[float], steps: Sequence[Step]) -> float:
    """Return the larger of both bounds of the secret record, given bounds of e^level of every
    record; infinity where floats end.
    """
    return grown(met(families, steps, last), last, rates, size_of(families))


@dataclass(frozen=True)
class Met:
    """A table that is met: of a record that is eliminated, the last axis, and its neighbours."""

    record: int
    around: tuple[int, ...]
    table: "Floats"
    error: float


def met(families: Sequence[Family], steps: Sequence[Step], last: int, laws: bool = True) -> Iterator[Met | None]:
    """Yield the tables of an order; at the end None if floats end."""
    bag = shared_laws(families, {last, *(record for record, _ in steps)}, laws)
    for record, around in steps:
        joint = _without(bag, record, around)
        yield joint
        if joint is None:
            return


def shared_laws(families: Sequence[Family], inside: set[int], laws: bool = True) -> "Bag[RecordTable]":
    """Return the factors that some records share: laws, or laws times weights."""
    import numpy as np

    shared = {
        record: family for record, family in enumerate(families, 1) if not inside.isdisjoint((*family.parents, record))
    }
    floats = {id(family.table): family.table for family in shared.values()}
    copies = {key: table.astype(np.float64) for key, table in floats.items()}
    return Bag(
        RecordTable.of((*family.parents, record), copies[id(family.table)], 4 * _UNIT, record if laws else 0)
        for record, family in shared.items()
    )


def _without(bag: "Bag[RecordTable]", record: int, around: tuple[int, ...]) -> Met | None:
    """Eliminate a record, and return its table, or None if floats end."""
    used = bag.take(record)
    joint = _merged(used, record, around)
    law = len(used) == 1 and used[0].own == record
    if joint is not None and not law:  # of which the sum is 1
        error = joint.error + (joint.table.shape[-1] - 1) * _UNIT
        bag.add(RecordTable.of(around, joint.table.sum(-1), error))
    return joint


def rest_of(bag: "Bag[RecordTable]", steps: Sequence[Step], last: int, kept: tuple[int, ...] = ()) -> Met | None:
    """Eliminate records in an order, and return the table of one and those kept, or None if floats end."""
    if any(_without(bag, *step) is None for step in steps):
        return None
    return _merged(bag.rest(), last, kept)


def _merged(used: Sequence[RecordTable], record: int, around: tuple[int, ...]) -> Met | None:
    if prod(factor.least for factor in used) < _SMALLEST:
        return None
    scope = (*around, record)
    size: int = used[0].table.shape[-1]
    error = sum(factor.error for factor in used) + len(used) * _UNIT
    return Met(record, around, multiplied(used, scope, dict.fromkeys(scope, size)), error)


def grown(tables: Iterable[Met | None], last: int, rates: Sequence[float], size: int = 2) -> float:
    """Return the largest of the bounds of a record, from the tables of an order and bounds of
    e^level of every record; infinity where floats end.
    """

    import numpy as np

    if size > 2:
        matrices = {record: np.full((size, size), rate) for record, rate in enumerate(rates, 1)}
        for each in tables:
            if each is None or matrices[each.record].max() > LARGEST:
                return inf
            factors = growth(each.table, matrices[each.record], each.error)
            for neighbour, factor in zip(each.around, factors):
                matrices[neighbour] = matrices[neighbour] * factor
        return float(closed(matrices[last]).max()) * (1 + 2 * size * _UNIT)
    ratios = {record: (rate, rate) for record, rate in enumerate(rates, 1)}  # R(1, 0), R(0, 1)
    for table in tables:
        if table is None or max(ratios[table.record]) > _LARGEST:
            return inf
        up, down = ratios[table.record]
        slack = 1 + 8 * table.error + 64 * _UNIT
        for other, more in zip(table.around, _most(table.table, (up, nextafter(1 / down, 0)))):
            one, zero = (old * new * slack for old, new in zip(ratios[other], more))
            ratios[other] = one, zero
    return max(ratios[last])


def told_by(
    families: Sequence[Family], last: int, weights: Sequence[tuple[float, float]], steps: Sequence[Step]
) -> tuple[float, float] | None:
    """Return bounds of E[w | x_last = 1] / E[w | x_last = 0], w the product of weights of 0 or 1 of
    every record, with relative errors of 2^-50, or None if floats end, or a value is impossible.
    """
    tilted = odds_of(families, last, weights, steps)
    plain = odds_of(families, last, [(1.0, 1.0)] * len(weights), steps)
    if not (0 < tilted.value < inf and 0 < plain.value < inf):
        return None
    slack = 1 + 4 * (tilted.error + plain.error) + 64 * _UNIT
    quotient = tilted.value / plain.value
    return quotient / slack, quotient * slack


def weighed(families: Sequence[Family], weights: Sequence[tuple[float, float]]) -> list[Family]:
    """Return the tables of bits in floats, times the weights of 0 and of 1 of every record."""
    import numpy as np

    return [
        Family(each.parents, each.table.astype(np.float64) * np.array(pair)) for each, pair in zip(families, weights)
    ]


class Odds(NamedTuple):
    """Odds in floats, 0 where floats end, and their relative error."""

    value: float
    error: float


def odds_of(
    families: Sequence[Family], last: int, weights: Sequence[tuple[float, float]], steps: Sequence[Step]
) -> Odds:
    """Return the weight of all databases with x_last = 1 over that with 0."""
    bag = shared_laws(weighed(families, weights), {last, *(each for each, _ in steps)}, laws=False)
    rest = rest_of(bag, steps, last)
    if rest is None or rest.table[0] <= _SMALLEST:
        return Odds(0.0, 0.0)
    return Odds(float(rest.table[1] / rest.table[0]), 2 * rest.error + 2 * _UNIT)


def _most(table: "Floats", rates: tuple[float, float]) -> list[tuple[float, float]]:
    """Return by how much the bounds of every neighbour grow, R(1, 0) first, as an eliminated
    record, the last axis, is a rate likelier to be 1 than to be 0.

    Neighbours that have probability 0 together may give any law: an even one; of a single
    neighbour that of its other value.
    """
    import numpy as np

    total = table[..., 0] + table[..., 1]  # .sum(-1) takes several times as long
    impossible = total == 0
    most = [(1.0, 1.0)] * total.ndim
    if total.ndim == 1 and impossible.any():
        return most
    for rate in rates:
        mean = (table[..., 0] + table[..., 1] * rate) / np.where(impossible, 1, total)
        mean[impossible] = (1 + rate) / 2
        for axis, (up, down) in enumerate(most):
            at = mean.reshape(1 << axis, 2, -1)
            quotients = at[:, 1] / at[:, 0]
            most[axis] = max(up, float(quotients.max())), max(down, 1 / float(quotients.min()))
    return most


# Bounds of what per-record levels leak about a record of a network, by elimination: of all other records or, where
# that is too wide, of those within a ball around it.
#
# With Q the boundary of the ball, h' the mean of a column h over what is beyond Q, and R_i the bound that elimination
# within the ball has of h' at any values q of Q,
#
#     E[h | v] / E[h | w] = sum P(q | v) E[h' | v, q] / sum P(q | w) E[h' | w, q]
#                        <= max P(q | v) / P(q | w)  R_i(v, w).
#
# P(q | v) / P(q | w) = O(q) P(w) / P(v), where the tables that meet the ball give the odds O(q) = P(v | q) / P(w | q),
# and P(v) / P(w) lies between the least O and the largest one.

NEAR_RESTS_ON = ("classes.elimination-rays", "general.quilt-account")
_WIDEST = 18  # records of a boundary, of two values
_MOST_INFLUENCE = 1e100


@dataclass(frozen=True)
class EliminationPlan:
    """An order in which records are eliminated, and the boundary of the ball that they fill: none,
    if they are all others; at most `influence` is e^influence of the boundary.
    """

    steps: list[Step]
    boundary: tuple[int, ...] = ()
    influence: float = 1.0

    def ratio_above(self, families: Sequence[Family], last: int, rates: Sequence[float]) -> float:
        """Return the larger of both bounds of a record, given bounds of e^level of every one."""
        return self.with_influence(ratio_above(families, last, rates, self.steps))

    def with_influence(self, ratio: float) -> float:
        """Return the bound, given that of elimination."""
        return ratio if self.influence == 1 else ratio * self.influence * (1 + 4 * _UNIT)

    def nearby(self, last: int, count: int) -> list[int]:
        """Return the records that may spend their levels."""
        if not self.boundary:
            return list(range(1, count + 1))
        return sorted([last, *(record for record, _ in self.steps)])


class LeastRatio(NamedTuple):
    """The least bound of a record, infinity if there is none, by which plan, and how many entries
    all plans so far have met.
    """

    ratio: float
    plan: EliminationPlan
    spent: int


def least_ratio(families: Sequence[Family], last: int, rates: Sequence[float], spent: int) -> LeastRatio:
    """Return the least bound of the secret record over the plans that are small enough."""
    best = LeastRatio(inf, EliminationPlan([]), spent)
    for plan in plans(families, last, spent):
        spent += cost_of(plan.steps, size_of(families))
        ratio = plan.ratio_above(families, last, rates)
        best = LeastRatio(ratio, plan, spent) if ratio < best.ratio else best._replace(spent=spent)
    return best


def plans(families: Sequence[Family], last: int, spent: int = 0) -> Iterator[EliminationPlan]:
    """Yield the orders of all other records, and those of balls, that are small enough."""
    for steps in orders_within(families, last, spent, leaves=True):
        spent += cost_of(steps, size_of(families))
        yield EliminationPlan(steps)
    yield from _balls(families, last, spent)


def _balls(families: Sequence[Family], last: int, spent: int) -> Iterator[EliminationPlan]:
    size = size_of(families)
    away = distances(neighbours(families), last)
    odds = _prior_odds(families, last) if size == 2 else None
    for radius in range(1, max(away.values())):
        boundary = tuple(sorted(record for record, far in away.items() if far == radius))
        # an order of records around one, those with fewest neighbours first
        inside = (person for person in away if away[person] < radius)
        near = neighbours(families)
        steps = list(_fewest(near, {*inside} - {last}, last, distances(near, last), "degree"))
        if size ** len(boundary) > 2**_WIDEST or not small_enough(steps, size, spent):
            return
        spent += cost_of(steps, size)
        influence = _influence(families, last, EliminationPlan(steps, boundary), odds)
        if influence < _MOST_INFLUENCE:
            yield EliminationPlan(steps, boundary, influence)


def _prior_odds(families: Sequence[Family], last: int) -> Odds | None:
    """Return P(1) / P(0) of a bit, or None if its ancestors are too many."""
    chosen = only(families, ancestors(families, last))
    for steps in orders_within(chosen, last):
        odds = odds_of(chosen, last, [(1.0, 1.0)] * len(families), steps)
        if 0 < odds.value < inf:
            return odds
    return None


def _influence(families: Sequence[Family], last: int, plan: EliminationPlan, prior: Odds | None) -> float:
    """Return an upper bound of e^influence of the boundary of a ball, infinity where there is none."""
    bag = shared_laws(families, {last, *(record for record, _ in plan.steps)})
    rest = rest_of(bag, plan.steps, last, plan.boundary)
    if rest is None:
        return inf
    rows = rest.table.reshape(-1, rest.table.shape[-1]).T
    possible = [row for row in rows if row.any()]
    largest = max((_of_odds(v, w, prior) for v, w in combinations(possible, 2)), default=1.0)
    return largest * (1 + 4 * rest.error + 2 * (prior.error if prior else 0) + 16 * _UNIT)


def _of_odds(v: "Floats", w: "Floats", prior: Odds | None) -> float:
    """Return the largest P(q | v) / P(q | w) and P(q | w) / P(q | v) that odds leave."""
    either = (v > 0) | (w > 0)
    if not ((v > 0) == (w > 0)).all():
        return inf
    odds = w[either] / v[either]
    low, high = float(odds.min()), float(odds.max())
    if prior is None:
        return high / low
    return max(min(high / prior.value, high / low), min(prior.value / low, high / low), 1.0)


# What product weights tell of a bit of a network: E[w | 1] / E[w | 0], enclosed.
#
# By elimination of all other bits or, where that is too wide, of those that the bit depends on. The others are leaves,
# eliminated first: their mean D of w, as a function of bits before, has bounds
#
#     low_j <= D(x_j = 1) / D(x_j = 0) <= high_j.
#
# With r_j between both, D is prod r_j^x_j times a column whose levels are log(high_j / r_j) and log(r_j / low_j).
# Elimination bounds what such a column adds under the law tilted by w and r.

_TOLD_SLACK = 1 + 2.0**-40  # more than all roundings of a mean
Weights = Sequence[tuple[float, float]]  # of 0 and of 1, for every record


def told(families: Sequence[Family], last: int, weights: Weights) -> tuple[float, float] | None:
    """Return bounds of E[w | x_last = 1] / E[w | x_last = 0], or None if tables are too large, or a
    value is impossible.
    """
    for steps in orders_within(families, last):
        if (odds := told_by(families, last, weights, steps)) is not None:
            return odds
    return _told_by_ancestors(families, last, weights)


def _told_by_ancestors(families: Sequence[Family], last: int, weights: Weights) -> tuple[float, float] | None:
    above = ancestors(families, last)
    ranges = _ranges(families, above, weights)
    if ranges is None:
        return None
    middle = {record: sqrt(low * high) for record, (low, high) in ranges.items()}
    tilted = [
        (zero, one * (middle[record] if record in above else 1.0)) for record, (zero, one) in enumerate(weights, 1)
    ]
    rates = [1.0] * len(families)
    for record in above:
        low, high = ranges[record]
        rates[record - 1] = max(high / middle[record], middle[record] / low) * (1 + 8 * _UNIT)
    before = only(families, above)
    for order in orders_within(before, last):
        bounds = told_by(before, last, tilted, order)
        if bounds is not None:
            tables = met(weighed(before, tilted), order, last, laws=False)
            more = grown(tables, last, rates)
            return None if more == inf else (bounds[0] / more / _TOLD_SLACK, bounds[1] * more * _TOLD_SLACK)
    return None


def told_of_some(families: Sequence[Family], last: int, weights: Weights) -> tuple[float, float, set[int]] | None:
    """Return bounds as `told`, of the weights of some records alone, and these: all that the bit depends on."""
    above = ancestors(families, last)
    before = only(families, above)
    for steps in orders_within(before, last):
        if (odds := told_by(before, last, weights, steps)) is not None:
            return *odds, above
    return None


def _ranges(families: Sequence[Family], above: set[int], weights: Weights) -> dict[int, tuple[float, float]] | None:
    """Return bounds of D(x_j = 1) / D(x_j = 0) for all records, D the mean of the weights of
    leaves; those of `above` do not count in it.
    """
    import numpy as np

    ranges = {
        record: (1.0, 1.0) if record in above else (one / zero / _TOLD_SLACK, one / zero * _TOLD_SLACK)
        for record, (zero, one) in enumerate(weights, 1)
    }
    for record, _ in leaves_first(families, above):
        low, high = ranges[record]
        if not 0 < low <= high < inf:
            return None
        table = families[record - 1].table.astype(np.float64)
        means = [table[..., 0] + table[..., 1] * rate for rate in (low, high)]
        for axis, parent in enumerate(families[record - 1].parents):
            rows = [np.moveaxis(mean, axis, 0) for mean in means]
            least = min(float((mean[1] / mean[0]).min()) for mean in rows)
            most = max(float((mean[1] / mean[0]).max()) for mean in rows)
            old = ranges[parent]
            ranges[parent] = old[0] * least / _TOLD_SLACK, nextafter(old[1] * most * _TOLD_SLACK, inf)
    return ranges
