"""What levels per record leak at most under networks of bits whose rows lie between bounds.

R_j(u, v) bounds h(x_j = u)/h(x_j = v) of every column h, e^level_j at first. Records that are no
ancestors of the secret record i, and not i, are eliminated, children first: y then has its own row
p(y | parents), and each row ranges over its bounds alone, so that R_j(u, v) of a parent j grows by

    max (1 - p + p F) / (1 - q + q F),   p of rows with x_j = u, q with x_j = v,

over ends of bounds and F in {1/R_y(0, 1), R_y(1, 0)}. A path of ancestors is eliminated from its
root, with the reversed rows of all P(z = 1) that can be; other ancestors z add max R_z. At most the
product of all e^level_j.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import prod

from pufferproof.models.priors.networks.contacts import IntervalNetwork
from pufferproof.models.priors.records import Records, separator

_BITS = 160  # binary digits to which bounds are rounded up, lest they grow with every record
_MOST_ROWS = 200_000  # of all tables, each of which is gone through
_CUTS = sorted(
    {cut for n in range(-60, 61) for cut in [Fraction(2) ** n] for cut in [cut / (1 + cut)]}
    | {Fraction(n, 64) for n in range(1, 64)}
)
Pair = tuple[Fraction, Fraction]  # R(1, 0) and R(0, 1)
Levels = Sequence[Fraction | None]


def network_ratio(network: IntervalNetwork, records: Records, record: int, levels: Levels) -> Fraction | None:
    """Return a bound of e to what is leaked of a record, given bounds of e^level of every one; None
    for infinite.

    >>> coin, rows = {"": ["1/2", "1/2"]}, {"0": [1, 0], "1": ["1/2", 0]}
    >>> above = {"0": [1, 0], "1": [1, "1/2"]}
    >>> contact = IntervalNetwork({1: [], 2: [1]}, {1: coin, 2: rows}, {1: coin, 2: above})
    >>> network_ratio(contact, Records(2, ("0", "1")), 1, [Fraction(3), Fraction(3)])
    Fraction(6, 1)
    """
    finite = [level for level in levels if level is not None]
    if len(finite) < len(levels):
        return None
    whole = prod(finite, start=Fraction(1))
    rows = sum(len(row) for row in network.rows)
    if len(records.alphabet) != 2 or rows > _MOST_ROWS or network.by_history:
        return whole
    ratios: dict[int, Pair] = {j: (level, level) for j, level in enumerate(finite, 1)}
    above = network.network.ancestors([record]) - {record}
    for y in reversed(network.network.parents_first()):
        if y == record or y in above:
            continue
        table = _ParentTable.of(network, records, y)
        for axis, parent in enumerate(table.parents):
            grown = table.growth(axis, ratios[y])
            ratios[parent] = _pair(old * new for old, new in zip(ratios[parent], grown))
        del ratios[y]
    path = _path(network, record)
    if len(path) > len(above):
        grown = _along(network, records, path, ratios)
        ratios[record] = _pair(old * new for old, new in zip(ratios[record], grown))
        return min(max(ratios[record]), whole)
    rest = prod((max(ratios[z]) for z in above), start=Fraction(1))
    return min(max(ratios[record]) * rest, whole)


def _path(network: IntervalNetwork, record: int) -> list[int]:
    """Return the path from the root to a record, or the record alone if it or an ancestor has
    several parents.
    """
    path = [record]
    while len(above := network.network.parents[path[-1] - 1]) == 1:
        path.append(above[0])
    return path[::-1] if not above else path[:1]


def _along(network: IntervalNetwork, records: Records, path: Sequence[int], ratios: Mapping[int, Pair]) -> Pair:
    """Return by how much the ratios of the last record of a path grow as those before are
    eliminated. P(z = 1) is cut into parts, each with the reversed rows that it can have.
    """
    root = _ParentTable.of(network, records, path[0]).bounds[()]
    parts = _parts(*root)
    grown = (Fraction(1), Fraction(1))
    for here, there in pairwise(path):
        rows = _ParentTable.of(network, records, there).bounds
        own = _pair(old * new for old, new in zip(ratios[here], grown))
        grown = (Fraction(1), Fraction(1))
        for low, high in parts:
            back = _reversed((low, high), rows[0,], rows[1,])
            more = _ParentTable((there,), {(0,): back[0], (1,): back[1]}).growth(0, own)
            grown = max(grown[0], more[0]), max(grown[1], more[1])
        ends = parts[0][0], parts[-1][1]
        next_low = min(_mean(ends[k], rows[0,][0], rows[1,][0]) for k in (0, 1))
        next_high = max(_mean(ends[k], rows[0,][1], rows[1,][1]) for k in (0, 1))
        parts = _parts(next_low, next_high)
    return grown


def _mean(share: Fraction, given_0: Fraction, given_1: Fraction) -> Fraction:
    return (1 - share) * given_0 + share * given_1


def _parts(low: Fraction, high: Fraction) -> list[Pair]:
    """Cut an interval of probabilities at fixed places, which are close near 0 and 1."""
    cuts = [low, *(cut for cut in _CUTS if low < cut < high), high]
    return list(pairwise(cuts))


def _reversed(share: Pair, given_0: Pair, given_1: Pair) -> tuple[Pair, Pair]:
    """Return bounds of P(z = 1) given 0 and given 1 of the next record, from bounds of P(z = 1) and
    of P(next = 1) given z = 0 and z = 1.
    """
    bounds = []
    for flip in (True, False):
        zero, one = ((1 - x[1], 1 - x[0]) if flip else x for x in (given_0, given_1))
        least = _share(share[0] * one[0], (1 - share[0]) * zero[1], Fraction(0))
        most = _share(share[1] * one[1], (1 - share[1]) * zero[0], Fraction(1))
        bounds.append((least, most))
    return bounds[0], bounds[1]


def _share(one: Fraction, other: Fraction, unknown: Fraction) -> Fraction:
    """Return one / (one + other), and what is given for 0 / 0."""
    return one / (one + other) if one + other else unknown


def _pair(values: Iterator[Fraction]) -> Pair:
    """Return two numbers, rounded up to 160 binary digits."""
    one, other = (_up(value) for value in values)
    return one, other


def _up(value: Fraction) -> Fraction:
    if value.denominator.bit_length() <= _BITS:
        return value
    return Fraction(-((-value.numerator << _BITS) // value.denominator), 1 << _BITS)


@dataclass(frozen=True)
class _ParentTable:
    """Bounds of the probability of 1, by the values of the parents."""

    parents: tuple[int, ...]
    bounds: Mapping[tuple[int, ...], Pair]

    @classmethod
    def of(cls, network: IntervalNetwork, records: Records, record: int) -> "_ParentTable":
        parents, joint = network.network.parents[record - 1], separator(records.alphabet)
        rows = network.rows[record - 1]
        table = {}
        for values in product((0, 1), repeat=len(parents)):
            low, high = rows[joint.join(records.alphabet[x] for x in values)]
            table[values] = low[1], high[1]
        return cls(parents, table)

    def growth(self, axis: int, ratios: Pair) -> Pair:
        """Return by how much the ratios of a parent grow as the record, whose own ratios are given,
        is eliminated.
        """
        up = down = Fraction(1)
        for values, one in self.bounds.items():
            if not values[axis]:
                continue
            zero = self.bounds[(*values[:axis], 0, *values[axis + 1 :])]
            for rate in (ratios[0], 1 / ratios[1]):
                up = max(up, _most(one, zero, rate))
                down = max(down, _most(zero, one, rate))
        return up, down


def _most(p: Pair, q: Pair, rate: Fraction) -> Fraction:
    """Return the largest (1 - p + p F) / (1 - q + q F) over bounds of p and q."""
    above, below = (p[1], q[0]) if rate >= 1 else (p[0], q[1])
    return (1 + above * (rate - 1)) / (1 + below * (rate - 1))
