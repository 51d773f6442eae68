"""The law of a count on a Bayesian network in floats whose errors are bounded, by variable
elimination over tables of vectors.

    F_v(n) = sum over x with x_i = v and count(x) = n of prod_j P(x_j | parents of j).

An entry of a table is a vector of floats f(0), f(1), .. for the true F(0), F(1), .., and

    |F(n) - f(n)| <= rel f(n) + lost(n),    sum_n lost(n) <= lost.

Every operation adds or multiplies numbers that are not negative, so that nothing cancels: rel is
the number of roundings along the deepest path, times 2^-53, and `lost`, one number per entry, is
what underflowed. A product of vectors (a convolution) loses at most

    lost_f sum_n G(n) + lost_g sum_n F(n),

and a sum what its terms lose. A record that is counted moves its slice by what its value adds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heapify, heappop, heappush
from math import frexp, inf, prod
from random import Random

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.errors import TooLargeError
from pufferproof.models.priors.bayesian_network import Bag, BayesianNetwork, Factor, Sizes, Step, aligned
from pufferproof.models.priors.records import Records

# Orders in which records are summed out of tables of vectors, by what is least to add.
#
# Next is the record whose neighbours lack fewest pairs that meet, counted alike ("fill"), or by the product of how
# many values both have ("weighed"); of these one with the smallest table. No order is best on all networks: what an
# order costs is known from scopes alone.

MOST_FLOATS = 1 << 25  # of a table
_MOST_TOGETHER = 64  # records of a table
Cost = tuple[float, float, float]


def least_fill(
    scopes: Iterable[Iterable[int]],
    hidden: Iterable[int],
    sizes: Sizes,
    weighed: bool = False,
    ties: Random | None = None,
) -> list[Step]:
    """Return records in an order to sum them out; `ties` chooses among several that cost as much.
    Raises `TooLargeError` where a table has more than 2^25 entries or 64 records.

    >>> least_fill([(1, 2), (2, 3), (3, 4), (4, 1)], [2, 3, 4], dict.fromkeys(range(1, 5), 2))
    [(2, (1, 3)), (3, (1, 4)), (4, (1,))]
    """
    near: dict[int, set[int]] = {}  # with the record itself
    for scope in map(set, scopes):
        for record in scope:
            near.setdefault(record, set()).update(scope)

    def lacking(one: int, around: set[int]) -> int:
        missing = around - near[one]
        return sizes[one] * sum(sizes[each] for each in missing) if weighed else len(missing)

    def cost(record: int) -> Cost:
        around = near[record]
        size = prod(sizes[one] for one in around - {record}) if len(around) <= _MOST_TOGETHER else inf
        last = record if ties is None else ties.random()
        if size > MOST_FLOATS:
            return inf, inf, last
        return sum(lacking(one, around) for one in around), size, last

    order, costs = [], {record: cost(record) for record in hidden}
    heap = [(cost, record) for record, cost in costs.items()]
    heapify(heap)
    while costs:
        least, record = heappop(heap)
        if costs.get(record) != least:
            continue  # an entry that was replaced
        if least[0] == inf:
            raise TooLargeError(f"expected at most {MOST_FLOATS} entries in tables of a network")
        del costs[record]
        around = near.pop(record) - {record}
        changed = set(around)
        for one in around:
            near[one].remove(record)
            if not around <= near[one]:
                near[one] |= around
                changed |= near[one]
        for one in changed & costs.keys():
            costs[one] = cost(one)
            heappush(heap, (costs[one], one))
        order.append((record, tuple(sorted(around))))
    return order


Floats = NDArray[np.float64]


MOST_WORK = 20_000_000_000  # products of floats, for all secret records together
_LONG, _TRIES = 5_000_000_000, 24  # work for which other orders are tried as well
_ROUND = 2.0**-53
_LOST = 2.0**-1000  # the unit of what is lost
_SLACK = 1 + 2.0**-20  # more than roundings of sums of errors


@dataclass(frozen=True)
class FloatLaw:
    """The law of a count given one value, up to a factor: `weights` of 0, 1, .., each within `rel`
    of itself, but for `lost` of them all.
    """

    weights: Floats
    rel: float
    lost: float


@dataclass(frozen=True)
class _Vectors:
    """A table over the records of `scope`, whose last axis is the count; `lost` has no such axis
    and is in units of 2^-1000, `roundings` are those along the deepest path.
    """

    scope: tuple[int, ...]
    table: Floats
    lost: Floats
    roundings: int

    @property
    def terms(self) -> int:
        return int(self.table.shape[-1])

    def at(self, record: int, value: int) -> "_Vectors":
        """Return the part of one value of a record, which the scope may lack."""
        if record not in self.scope:
            return self
        axis = self.scope.index(record)
        scope = self.scope[:axis] + self.scope[axis + 1 :]
        table, lost = self.table.take(value, axis), self.lost.take(value, axis)
        return _Vectors(scope, np.asarray(table), np.asarray(lost), self.roundings)


class CountElimination:
    """Variable elimination for the law of a count given the values of one record.

    `adds`: what every value of every record adds, integers from 0. Raises `TooLargeError` if a
    table has more than 2^25 floats.
    """

    def __init__(
        self, network: BayesianNetwork, records: Records, record: int, adds: Mapping[int, Sequence[int]]
    ) -> None:
        counted = [other for other, each in adds.items() if any(each)]
        self.record, self.adds, self.sizes = record, adds, network.sizes(records)
        self.factors = network.factors(records, network.ancestors([record, *counted]))
        scopes = [factor.scope for factor in self.factors]
        self.hidden = {other for scope in scopes for other in scope} - {record}
        # An order with small tables, the floats of its largest table, and the products that it takes: the least of
        # several orders, of random ones as well if these are many
        found: list[tuple[list[Step], int, int]] = []
        fitting: list[tuple[list[Step], int, int]] = []
        tries: list[Random | None] = [None, None, *map(Random, range(_TRIES))]
        for number, ties in enumerate(tries):
            short = any(work <= _LONG for _, _, work in fitting)
            if ties is not None and (short or not found):
                break
            try:
                order = least_fill(scopes, self.hidden, self.sizes, number % 2 > 0, ties)
            except TooLargeError:
                continue
            found.append((order, *self._size(order)))
            fitting = [each for each in found if each[1] <= MOST_FLOATS]
        if not fitting:
            raise TooLargeError(f"expected at most {MOST_FLOATS} floats in a table of vectors")
        self.order, self.largest, self.work = min(fitting, key=lambda each: each[2])

    @property
    def positive(self) -> bool:
        """Whether no number of a table is negative, as no probability is."""
        return all((factor.table >= 0).all() for factor in self.factors)

    def _size(self, order: Sequence[Step]) -> tuple[int, int]:
        """Return the floats of the largest table, and how many products all take."""
        bag, largest, work = Bag(_Terms(factor.scope, 1) for factor in self.factors), 0, 0
        for record, around in order:
            entries = prod(self.sizes[other] for other in around)
            terms = 1
            for part in bag.take(record):
                work += entries * self.sizes[record] * terms * part.terms
                terms += part.terms - 1
            terms += max(self.adds.get(record, (0,) * self.sizes[record]))
            bag.add(_Terms(around, terms))
            largest = max(largest, entries * terms)
        return largest, work

    def laws(self) -> list[FloatLaw]:
        """Return the law given each value of the record, in their order, all up to one factor."""
        bag = Bag(map(_of_probabilities, self.factors))
        for record, around in self.order:
            bag.add(self._summed(record, around, bag.take(record)))
        sizes = self.sizes
        own = (self.record,)
        whole = reduce(lambda f, g: _product(f, g, own, sizes), _smallest_first(bag.rest()))
        rows = np.broadcast_to(whole.table, (sizes[self.record], whole.terms))
        lost = np.broadcast_to(whole.lost, (sizes[self.record],))
        # (1 - 2^-53)^-m - 1 or more for m roundings
        rel = whole.roundings * _ROUND * (1 + 2.0**-10)
        return [
            FloatLaw(np.concatenate([np.zeros(add), row]), rel, float(each) * _LOST * _SLACK)
            for row, each, add in zip(rows, lost, self.adds.get(self.record, (0,) * self.sizes[self.record]))
        ]

    def _summed(self, record: int, around: tuple[int, ...], parts: Sequence[_Vectors]) -> _Vectors:
        """Return the product of tables summed over a record, one value after the other."""
        added = self.adds.get(record, (0,) * self.sizes[record])
        terms = sum(part.terms - 1 for part in parts) + 1 + max(added)
        shape = [self.sizes[other] for other in around]
        table, lost, before, sums = np.zeros([*shape, terms]), np.zeros(shape), 0, 0
        one = _Vectors((), np.ones(1), np.zeros(()), 0)
        for value, add in enumerate(added):
            *others, last = _smallest_first(part.at(record, value) for part in parts)
            each = reduce(lambda f, g: _product(f, g, around, self.sizes), others, one)
            longer = each.terms + last.terms - 1
            lost += _added_product(each, last, around, self.sizes, table[..., add : add + longer])
            before = max(before, each.roundings + last.roundings)
            sums += min(each.terms, last.terms)
        # Vectors times a power of two, the largest sum of one between 1/2 and 1
        top = float(table.sum(axis=-1).max())
        power = frexp(top)[1] if top else 0
        lost = np.ldexp(lost, -power) * _SLACK + table.shape[-1]
        return _Vectors(around, np.ldexp(table, -power, out=table), lost, before + sums + 1)


@dataclass(frozen=True)
class _Terms:
    """How many terms the vectors of a table have."""

    scope: tuple[int, ...]
    terms: int


def aligned_vectors(part: _Vectors, scope: tuple[int, ...], sizes: Sizes) -> Floats:
    """Return a table with an axis for every record of a larger scope, before that of the count."""
    order = [part.scope.index(record) for record in scope if record in part.scope]
    turned = part.table.transpose([*order, len(order)])
    found: Floats = turned.reshape([*(sizes[record] if record in part.scope else 1 for record in scope), part.terms])
    return found


def _of_probabilities(factor: Factor) -> _Vectors:
    """Return probabilities, each rounded once, as vectors of one number."""
    table = factor.table.astype(np.float64)
    return _Vectors(factor.scope, table[..., None], np.ones(table.shape), 1)


def _product(f: _Vectors, g: _Vectors, around: tuple[int, ...], sizes: Sizes) -> _Vectors:
    """Return the products of all vectors, over the records of `around` that either table has."""
    scope = tuple(record for record in around if record in f.scope or record in g.scope)
    table = np.zeros([*(sizes[record] for record in scope), f.terms + g.terms - 1])
    lost = _added_product(f, g, scope, sizes, table)
    return _Vectors(scope, table, lost, f.roundings + g.roundings + min(f.terms, g.terms) + 1)


def _added_product(f: _Vectors, g: _Vectors, scope: tuple[int, ...], sizes: Sizes, into: Floats) -> Floats:
    """Add the products of all vectors to a table over a scope, one rounding for each product and
    one for each time that it is added to, as many as the shorter vectors have terms; return what
    they lose.
    """
    one, other = (aligned_vectors(part, scope, sizes) for part in (f, g))
    add_convolved(one, other, into)
    sums = [part.sum(axis=-1) * _SLACK for part in (one, other)]
    losses = [aligned(part.lost, part.scope, scope, sizes) for part in (f, g)]
    lost = losses[0] * (sums[1] + losses[1] * _LOST) + losses[1] * sums[0]
    found: Floats = np.broadcast_to(lost, into.shape[:-1]) * _SLACK + into.shape[-1]
    return found


def _smallest_first(parts: Iterable[_Vectors]) -> list[_Vectors]:
    return sorted(parts, key=lambda part: part.table.size)


# Convolution --------------------------------------------------------------------------------------
#
# Products of tables of vectors, entry by entry convolutions of floats that are not negative:
#
#     into[e](n) += sum_k one[e](k) other[e](n - k),
#
# where an axis of either table may have length 1 and then stands for all entries along it. Term
# after term, or, for some terms j < K of y at a time, as a product with the matrix T(j, n) = x(n -
# j), for all vectors y that meet the same x. Of T all entries but those of x are 0, and adding 0
# is exact: in any order of its sums an entry has at most as many roundings as the shorter vector
# has terms, with fused multiplications too, and one of the product.

_BLOCK = 1 << 16  # floats of an operation that stay in a cache
_TOGETHER = 32  # terms of y at a time, at most
_PRODUCTS = 1 << 17  # of one product of matrices, for which BLAS takes one thread
_TERM, _ROW, _BUILD = 10, 2, 20  # work of a product term after term, of a vector and of T, by BLAS


def add_convolved(one: Floats, other: Floats, into: Floats) -> None:
    """Add the convolutions of vectors, the last axes of `one` and `other`, to those of `into`, a
    table over all entries whose vectors have one term less than both together.

    >>> import numpy as np
    >>> into = np.zeros((2, 3))
    >>> add_convolved(np.array([[1.0, 1.0]]), np.array([[1.0, 2.0], [0.0, 3.0]]), into)
    >>> into.tolist()
    [[1.0, 3.0, 2.0], [0.0, 3.0, 3.0]]
    """
    axes = [axis for axis in range(into.ndim - 1) if into.shape[axis] > 1]
    both = [axis for axis in axes if one.shape[axis] == other.shape[axis]]
    if axes and into.size > _BLOCK:
        axis = (both or axes)[0]
        parts = [np.moveaxis(table, axis, 0) for table in (one, other, into)]
        for k in range(into.shape[axis]):
            f, g, block = (part[k if len(part) > 1 else 0] for part in parts)
            add_convolved(f, g, block)
        return
    x, y = (one, other) if one.shape[-1] <= other.shape[-1] else (other, one)
    own = [[axis for axis in axes if table.shape[axis] > 1 and axis not in both] for table in (x, y)]
    vectors = [prod(into.shape[axis] for axis in mine) for mine in own]
    short, long = x.shape[-1], y.shape[-1]
    of_x = _work(short, long, *vectors)
    of_y = _work(long, short, *vectors[::-1])
    if min(of_x, of_y) >= _TERM * short * long * prod(vectors):
        for k in range(short):
            into[..., k : k + long] += x[..., k : k + 1] * y
    elif of_x <= of_y:
        _add_by_matrices(x, y, into, own)
    else:
        _add_by_matrices(y, x, into, own[::-1])


def _work(terms: int, others: int, matrices: int, rows: int) -> int:
    """Return the work with matrices of vectors of some terms, for rows of other vectors."""
    together = min(others, _TOGETHER)
    return matrices * (terms + together) * (others * (rows + _ROW) + _BUILD * together)


def _add_by_matrices(x: Floats, y: Floats, into: Floats, own: Sequence[Sequence[int]]) -> None:
    """Add y T, with a matrix for every entry of the axes of both and of those of x alone, the first of `own`."""
    last = into.ndim - 1
    alike = [axis for axis in range(last) if axis not in own[0] and axis not in own[1]]
    count, matrices, rows = (prod(into.shape[axis] for axis in axes) for axes in (alike, *own))
    order = [*alike, *own[0], *own[1], last]
    terms, others = x.shape[-1], y.shape[-1]
    together = max(1, min(others, _TOGETHER, _PRODUCTS // (rows * (terms + _TOGETHER))))
    length = terms + together - 1
    padded = np.zeros((count, matrices, length + together - 1))
    padded[..., together - 1 : length] = x.transpose(order).reshape(count, matrices, terms)
    windows = np.lib.stride_tricks.sliding_window_view(padded, length, axis=-1)
    shifted = np.ascontiguousarray(windows[..., ::-1, :])  # T
    turned, vectors = into.transpose(order), y.transpose(order).reshape(count, 1, rows, others)
    for start in range(0, others, together):
        some = vectors[..., start : start + together]
        used = some.shape[-1]
        found = some @ shifted[..., :used, : terms + used - 1]
        part = turned[..., start : start + terms + used - 1]
        part += found.reshape(part.shape)
