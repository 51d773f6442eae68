"""An upper bound of what per-record levels leak on a network of bits with loops, by elimination.

R_j(u, v) bounds h(x_j = u)/h(x_j = v) for every column h, e^level_j at first. Records are
eliminated one by one, that of the secret last. With p(y | x), the law of the eliminated record
given the neighbours that it then has, the mean of h over y has

    R_j(u, v) max (p(0 | u, x) + p(1 | u, x) F) / (p(0 | v, x) + p(1 | v, x) F)

over x and F in {1/R_y(0, 1), R_y(1, 0)}.

Nothing is subtracted: floats carry a bound of their relative error, and bounds are rounded up.

Derived: classes.elimination.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, nextafter, prod
from typing import TYPE_CHECKING

from pufferproof.lp.translation.case import orders
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.models.framework import Framework
from pufferproof.models.influence.curves.networks import network_of
from pufferproof.models.priors.forest import Family, families_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CLAIMS = ("worst.power-closed", "classes.elimination")
_UNIT = 2.0**-53
_SMALLEST = 1e-290  # of products that are no denormal numbers
_LARGEST = 1e150  # of ratios
_WIDEST = 20  # neighbours of an eliminated record
_MOST = 1 << 24  # entries of all tables of one order
_MOST_IN_ALL = 1 << 26  # and of all orders for all secret records
_MOST_RECORDS = 2_000
_RULES = ("degree", "mixed", "far")
Step = tuple[int, tuple[int, ...]]
"""A record that is eliminated, and the neighbours that it then has."""


def eliminated(framework: Framework, levels: RecordLevels) -> Fraction | None:
    """Return an upper bound of e to the leakage of all pairs under all priors; None unless every
    prior is a network of bits, and its tables are small enough.
    """
    records = framework.expect_records()
    if len(records.alphabet) != 2 or records.count > _MOST_RECORDS:
        return None
    rates = [_above(levels.at(record).bounds()[1]) for record in range(1, records.count + 1)]
    wanted = {order.record for order in orders(framework)}
    bounds, spent = [1.0], 0
    for prior in framework.priors.values():
        if (network := network_of(prior, records)) is None:
            return None
        families = families_of(network, records)
        for record in sorted(wanted):
            best = inf
            for rule in _RULES:
                steps = list(_order(families, record, rule))
                cost = sum(1 << (len(around) + 1) for _, around in steps)
                wide = max((len(around) for _, around in steps), default=0) > _WIDEST
                if wide or cost > _MOST or spent + cost > _MOST_IN_ALL:
                    continue
                spent += cost
                best = min(best, _ratio(families, record, rates, steps))
            bounds.append(best)
    return Fraction(max(bounds)) if isfinite(max(bounds)) else None


def _above(value: Fraction | None) -> float:
    """Return a float that is at least a number, infinity for None."""
    if value is None or value > _LARGEST:
        return inf
    return nextafter(float(value), inf)


def _order(families: Sequence[Family], last: int, rule: str) -> Iterator[Step]:
    """Yield the records of the component of `last` but for it, in the order of a rule: fewest
    neighbours first ("degree"), farthest first ("far"), or by the difference of both ("mixed").
    """
    near: dict[int, set[int]] = {record: set() for record in range(1, len(families) + 1)}
    for record, family in enumerate(families, 1):
        group = {record, *family.parents}
        for each in group:
            near[each] |= group - {each}
    away = {last: 0}
    front = [last]
    for here in front:
        for other in sorted(near[here] - away.keys()):
            away[other] = away[here] + 1
            front.append(other)
    left = set(away) - {last}
    while left:
        chosen = min(left, key=lambda each: (*_key(rule, len(near[each]), away[each]), each))
        left.remove(chosen)
        around = near.pop(chosen)
        for other in around:
            near[other] = (near[other] | around) - {other, chosen}
        yield chosen, tuple(sorted(around))


def _key(rule: str, degree: int, distance: int) -> tuple[int, int]:
    if rule == "degree":
        return degree, -distance
    return (-distance, degree) if rule == "far" else (degree - distance, degree)


@dataclass(frozen=True)
class _Factor:
    """A table over records, an axis for each; the largest relative error of its entries, and their
    least positive value.
    """

    scope: tuple[int, ...]
    table: "Floats"
    error: float
    least: float

    @classmethod
    def of(cls, scope: tuple[int, ...], table: "Floats", error: float) -> "_Factor":
        """Return a factor scaled by a power of two, so that its largest entry is about 1."""
        import numpy as np

        top = float(table.max())
        scaled = np.ldexp(table, -int(np.frexp(top)[1])) if top else table
        positive = scaled[scaled > 0]
        return cls(scope, scaled, error, float(positive.min()) if positive.size else 1.0)


def _ratio(
    families: Sequence[Family], last: int, rates: Sequence[float], steps: Sequence[Step]
) -> float:
    """Return the larger of both bounds of the secret record, infinity where floats end."""
    import numpy as np

    bag = [
        _Factor.of((*family.parents, record), family.table.astype(np.float64), _UNIT)
        for record, family in enumerate(families, 1)
    ]
    ratios = {record: (rate, rate) for record, rate in enumerate(rates, 1)}  # R(1, 0), R(0, 1)
    for record, around in steps:
        used = [each for each in bag if record in each.scope]
        bag = [each for each in bag if record not in each.scope]
        up, down = ratios[record]
        if prod(each.least for each in used) < _SMALLEST or max(up, down) > _LARGEST:
            return inf
        table, error = _product(used, (*around, record)), sum(each.error for each in used)
        error += len(used) * _UNIT
        for other, more in zip(around, _most(table, (up, nextafter(1 / down, 0)))):
            slack = 1 + 8 * error + 64 * _UNIT
            one, zero = (old * new * slack for old, new in zip(ratios[other], more))
            ratios[other] = one, zero
        bag.append(_Factor.of(around, table.sum(-1), error + _UNIT))
    return max(ratios[last])


def _product(factors: Sequence[_Factor], scope: tuple[int, ...]) -> "Floats":
    """Return the product of tables, with an axis for each record of a scope."""
    import numpy as np

    result = np.ones((2,) * len(scope))
    for factor in factors:
        places = [scope.index(record) for record in factor.scope]
        shape = [2 if at in places else 1 for at in range(len(scope))]
        result *= np.transpose(factor.table, np.argsort(places)).reshape(shape)
    return result


def _most(table: "Floats", rates: tuple[float, float]) -> list[tuple[float, float]]:
    """Return by how much the bounds of every neighbour grow, R(1, 0) first, as an eliminated
    record, the last axis, is a rate likelier to be 1 than to be 0.

    Neighbours that have probability 0 together may give any law: an even one; of a single
    neighbour that of its other value.
    """
    import numpy as np

    total = table.sum(-1)
    impossible = total == 0
    found = [(1.0, 1.0)] * total.ndim
    if total.ndim == 1 and impossible.any():
        return found
    for rate in rates:
        mean = (table[..., 0] + table[..., 1] * rate) / np.where(impossible, 1, total)
        mean[impossible] = (1 + rate) / 2
        for axis, (up, down) in enumerate(found):
            quotients = np.take(mean, 1, axis) / np.take(mean, 0, axis)
            found[axis] = max(up, float(quotients.max())), max(down, 1 / float(quotients.min()))
    return found
