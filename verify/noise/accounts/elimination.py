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
from math import inf, nextafter, prod
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.numbers.intervals import above
from pufferproof.models.priors.bayesian_network import Bag, Factor, multiplied
from pufferproof.models.priors.forest import Family
from pufferproof.verify.noise.accounts.rays import LARGEST, closed, cost, growth

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("classes.elimination-rays",)
CLAIMS = ("worst.power-closed", "classes.elimination-rays")
_UNIT = 2.0**-53
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


def steps_within(families: Sequence[Family], last: int, inside: Iterable[int]) -> list[Step]:
    """Return an order of records around one, those with fewest neighbours first."""
    near = neighbours(families)
    return list(_fewest(near, {*inside} - {last}, last, distances(near, last), "degree"))


def _fewest(near: dict[int, set[int]], left: set[int], last: int, away: Mapping[int, int], rule: str) -> Iterator[Step]:
    """Yield records in the order of a rule, each with its neighbours then, up to one that has too
    many.
    """

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
    """Eliminate records in an order, and return the table of one and those kept, or None if floats
    end.
    """
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
    if size > 2:
        return _grown_of_values(tables, last, rates, size)
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


def _grown_of_values(tables: Iterable[Met | None], last: int, rates: Sequence[float], size: int) -> float:
    import numpy as np

    ratios = {record: np.full((size, size), rate) for record, rate in enumerate(rates, 1)}
    for table in tables:
        if table is None or ratios[table.record].max() > LARGEST:
            return inf
        more = growth(table.table, ratios[table.record], table.error)
        for other, factor in zip(table.around, more):
            ratios[other] = ratios[other] * factor
    return float(closed(ratios[last]).max()) * (1 + 2 * size * _UNIT)


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
