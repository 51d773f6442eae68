"""The influence curve of classes of Markov chains: boxes of transition matrices, from a given law,
from any, or from the stationary one. A point is exact, or has two ends.

For two states, from any law or the stationary one, the supremum of every quilt and ordered pair is
at one of two corners of the box (`pufferproof.verify.influence.box.largest`), so that the curve is
that of two chains. Otherwise a way to hide b records is valued by branch and bound over the box,
and from below by some matrices of it. The way whose lower end is least is searched, until it has
been: its lower end is that of the point, and the least upper end the other.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import prod
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.intervals import below
from pufferproof.models.priors.chains import IntervalChain, Rows, vertices
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.box.contrast import BoxQuilt
from pufferproof.verify.influence.box.largest import (
    SEARCH_RESTS_ON,
    corner_matrices,
    expect_few_states,
    larger,
    pair_influence,
    several,
)
from pufferproof.verify.influence.chain import RESTS_ON as INFLUENCES_REST_ON
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.influence.curves.chains import Enclosures, Sides, chain_points
from pufferproof.verify.influence.curves.point import ChainStart, CurvePoint, Order, Prior, nothing_compared, resting

RESTS_ON = ("influence.two-states", "influence.blocks")
EFFORT = 400
MOST_SEARCHED = 10  # hidden records of a curve over boxes that are searched, unless said
_CORNERS, _TRIES, _BITS = 32, 4, 256
_MOST_ORDERS = 256
Class = Prior | IntervalChain


def simple_priors(classes: Mapping[str, Class]) -> tuple[list[Prior], dict[str, IntervalChain]]:
    """Return chains that have the curve of some classes, and the classes of which none have.

    Raises `ModelError` unless stationary laws are unique, or the supremum infinite.
    """
    simple: list[Prior] = []
    searched = {}
    for name, each in classes.items():
        if not isinstance(each, IntervalChain):
            simple.append(each)
        elif each.single or (each.states == 2 and isinstance(each.initial, str)):
            try:
                corners = _corners(each)
            except ModelError as error:
                raise error.within(f"priors.{name}") from None
            simple += corners
            if not corners:  # infinite, but no chain of the class attains it
                searched[name] = each
        else:
            searched[name] = each
    return simple, searched


def class_points(
    classes: Mapping[str, Class], length: int, orders: Sequence[Order], most: int, effort: int = EFFORT
) -> list[CurvePoint]:
    """Return a*(b) for b = 0 .. `most`, the supremum over all chains of the classes for every set.

    >>> box = IntervalChain("any", [["1/2", "1/4"], ["1/8", "1/2"]], [["3/4", "1/2"], ["1/2", "1"]])
    >>> orders = [Order(("s", "t"), 5, 0, 1), Order(("t", "s"), 5, 1, 0)]
    >>> [point.ratio for point in class_points({"theta": box}, 9, orders, 2)]
    [<Bounds: infinite>, <Bounds: 52902/1157>, <Bounds: 335046/15041>]

    Raises `ModelError` unless stationary laws are unique or the supremum infinite, boxes that have
    to be searched have at most 10 states, and some ordered pair has two possible values.
    """
    priors, searched = simple_priors(classes)
    if not searched:
        points = chain_points(priors, length, orders, most)
        corners = any(isinstance(each, IntervalChain) for each in classes.values())
        return resting(points, points[0].claims, RESTS_ON if corners else ())
    for box in searched.values():
        expect_few_states(box)
    rows = _rows(priors, searched, length, orders, most, effort)
    if not rows:
        raise nothing_compared()
    first = CurvePoint(0, Bounds.infinite(), rows[0].order.pair, ())
    points = [first, *(_point(rows, hidden) for hidden in steps(range(1, most + 1), "points"))]
    return resting(points, RESTS_ON, SEARCH_RESTS_ON, INFLUENCES_REST_ON)


def _corners(box: IntervalChain) -> list[Prior]:
    """Return the chains at the corners that have the supremum, none where it is only approached."""
    anywhere = box.initial == "any"
    if box.single:
        return [ChainStart(box.chain(box.lower), anywhere)]
    least, most = corner_matrices(box)
    chains: list[Prior] = []
    if least[0][1] + least[1][0] < 1 or most[0][1] + most[1][0] <= 1:
        if anywhere or (least[0][1] and least[1][0]):
            chains.append(ChainStart(box.chain(least), anywhere))
        elif most[0][1] and most[1][0]:
            return []
        else:
            raise several()
    if most[0][1] + most[1][0] > 1:
        chains.append(ChainStart(box.chain(most), anywhere))
    return chains


class _Way(NamedTuple):
    """A way to hide records, by the distances of what is shown, and how many are hidden left."""

    left: int | None
    right: int | None
    before: int
    after: int


class _ClassRow:
    """One ordered pair: lower ends of every way from some matrices, and searches on request."""

    def __init__(
        self,
        order: Order,
        priors: Sequence[tuple[Prior, Along | None]],
        boxes: Sequence[tuple[IntervalChain, Sequence[Along]]],
        length: int,
        most: int,
        effort: int,
    ) -> None:
        self.order, self.length, self.most = order, length, most
        self.boxes, self.effort = [box for box, _ in boxes], effort
        own = [
            Sides(
                None if chain is None else ChainInfluence(chain),
                order,
                length,
                most,
                isinstance(prior, ChainStart) and prior.anywhere,
            )
            for prior, chain in priors
            if _counts(prior, chain, order)
        ]
        self.sure = own
        sampled = [
            Sides(ChainInfluence(chain), order, length, most, box.initial == "any")
            for box, chains in boxes
            for chain in chains
            if _counts(ChainStart(chain.chain, box.initial == "any"), chain, order)
        ]
        self.sides = own + sampled
        self.search = lru_cache(maxsize=None)(self._search)

    @property
    def counts(self) -> bool:
        """Whether both values are possible under some chain."""
        return bool(self.sure) or any(
            {self.order.v, self.order.w} <= set(box.possible(self.order.record)) for box in self.boxes
        )

    def least(self, hidden: int) -> tuple[Bounds, _Way]:
        """Return bounds of the least supremum of all ways to hide so many records."""
        from pufferproof.models.numbers.enclosures import log_bounds

        record, ways = self.order.record, []
        for before in range(hidden):
            after = hidden - 1 - before
            left, right = record - 1 - before, self.length - record - after
            if left >= 0 and right >= 0:
                ways.append(_Way(before + 1 if left else None, after + 1 if right else None, before, after))
        lowers = {way: self._lower(way) for way in ways}
        bounds: dict[_Way, Bounds] = {}
        for _ in range(_TRIES):
            way = min(ways, key=lambda way: lowers[way])
            if way in bounds:
                break
            bounds[way] = self.search(way)
            lower = bounds[way].lower
            lowers[way] = math.inf if lower is None else max(lowers[way], below(log_bounds(lower, 60)[0]))
        known = [(bound.upper, way) for way, bound in bounds.items() if bound.upper is not None]
        upper, best = min(known, key=lambda each: each[0]) if known else (None, way)
        way = min(ways, key=lambda way: lowers[way])
        if way in bounds:
            return Bounds(bounds[way].lower, upper), best
        low = exp_bounds(Fraction(lowers[way]), 64)[0] if lowers[way] > 0 else Fraction(1)
        return Bounds(max(low, Fraction(1)), upper), best

    def _lower(self, way: _Way) -> float:
        """Return a lower bound of the logarithm of the supremum, from the matrices at hand."""
        logs_below = [0.0]
        for side in self.sides:
            logs = side.logs[0][way.before] + side.logs[1][way.after]
            logs_below.append(float(logs - side.errors[0][way.before] - side.errors[1][way.after]))
        return max(logs_below)

    def _search(self, way: _Way) -> Bounds:
        best = Bounds.none()
        if way.left is None and way.right is None:
            return best
        pair = self.order.v, self.order.w
        for box in self.boxes:
            quilt = BoxQuilt(box, self.order.record, way.left, way.right, pair)
            best = larger(best, pair_influence(quilt, self.effort))
        for side in self.sure:
            if math.isinf(side.logs[0][way.before] + side.logs[1][way.after]):
                return Bounds.infinite()
            numbers = Enclosures(_BITS)
            ratio = side.number(way.before, way.after, numbers)
            best = larger(best, numbers.bounds(ratio))
        return best


def _point(rows: Sequence[_ClassRow], hidden: int) -> CurvePoint:
    leasts = [row.least(hidden) for row in rows]
    bounds = Bounds.none()
    for each, _ in leasts:
        bounds = larger(bounds, each)

    def size(index: int) -> tuple[bool, Fraction]:
        upper = leasts[index][0].upper
        return upper is None, upper or Fraction(0)

    worst = max(range(len(rows)), key=size)
    order, way = rows[worst].order, leasts[worst][1]
    block = range(order.record - way.before, order.record + way.after + 1)
    known = leasts[worst][0].upper is not None
    return CurvePoint(hidden, bounds, order.pair, block if known else None)


def _rows(
    priors: Sequence[Prior],
    boxes: Mapping[str, IntervalChain],
    length: int,
    orders: Sequence[Order],
    most: int,
    effort: int,
) -> list[_ClassRow]:
    known = [
        (prior, Along(prior.chain, length, "enclosed", _BITS) if isinstance(prior, ChainStart) else None)
        for prior in priors
    ]
    sampled = [(box, _matrices(box, length)) for box in boxes.values()]
    chosen = list(dict.fromkeys(orders))
    if all(isinstance(box.initial, str) for box in boxes.values()) and not priors:
        chosen = _alike(chosen, length, most)
    if len(chosen) > _MOST_ORDERS:
        raise ModelError(
            f"expected at most {_MOST_ORDERS} ordered pairs of secrets over a box, found {len(chosen)}", "pairs"
        )
    rows = [_ClassRow(order, known, sampled, length, most, effort) for order in chosen]
    return [row for row in rows if row.counts]


def _alike(orders: Sequence[Order], length: int, most: int) -> list[Order]:
    """Return the first of the records that are as far from the ends: from any law it has the most
    influence, from the stationary one the same.
    """
    first: dict[tuple[int, int, int, int], Order] = {}
    for order in sorted(orders, key=lambda order: order.record):
        ends = order.beside(length, most)
        first.setdefault((order.v, order.w, *ends), order)
    return list(first.values())


def _matrices(box: IntervalChain, length: int) -> list[Along]:
    """Return chains at some corners of a box: all, if they are few."""
    rows = [vertices(low, high) for low, high in zip(box.lower, box.upper)]
    count = prod(map(len, rows))
    step = max(1, count // _CORNERS) | 1
    chains = []
    for index in islice(range(0, count, step), _CORNERS):
        corner: list[tuple[Fraction, ...]] = []
        for row in rows:
            index, place = divmod(index, len(row))
            corner.append(row[place])
        if (chain := _along(box, tuple(corner), length)) is not None:
            chains.append(chain)
    return chains


def _along(box: IntervalChain, matrix: Rows, length: int) -> Along | None:
    try:
        laws = Along(box.chain(matrix), length, "enclosed", _BITS)
        _ = laws.initial
    except ModelError:  # several stationary laws
        return None
    return laws


def _counts(prior: Prior, chain: Along | None, order: Order) -> bool:
    if chain is None:
        row = prior.rows[order.record - 1]  # type: ignore[union-attr]
        return bool(row[order.v] and row[order.w])
    if isinstance(prior, ChainStart) and prior.anywhere:
        values = ChainInfluence(chain).values_of_any_start(order.record)
    else:
        values = chain.possible(order.record)
    return {order.v, order.w} <= set(values)
