"""The worst case of per-record levels on chains of any alphabet, from above and below; about the
first record of chains in a box an upper bound: with D_n = R_n,

    D_j = R_j max over v, w, A of (1 + (D_(j+1) - 1) most(v, A)) / (1 + (D_(j+1) - 1) least(w, A)),

A a set of values, most(v, A) the largest mass that it has in row v of the box, least(w, A) the
least one in row w. In the end v, w are the values of the secrets. Two records reach it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from math import ceil, inf, nextafter, sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.steps import steps
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along, Chain
from pufferproof.models.sequences.local import LocalMechanism, RecordLaws
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.tilted import TiltedSides, Tilts, best_signs, largest_guess

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The worst case of per-record levels: what it says, and bounds of it pair by pair.

Attained = Literal["count", "alternating count", "signed count", "randomised response", "linear program"]
BoundName = Literal["recursion", "blocks", "published", "elimination"]
Favours = Mapping[int, frozenset[int]]
Ends = tuple[Total | None, Total | None]  # of a leakage, None if an end is no level
_WRITTEN = 100_000  # records of a mechanism that is written to a file
_ONE = Fraction(1)


@dataclass(frozen=True, repr=False)
class WorstCase(Readable, Tabular):
    """The largest leakage of mechanisms of per-record levels.

    `leakage` has equal ends or an enclosure where `exact`, else an upper bound and what a mechanism
    that was found leaks. It is that of `pair` under `prior`; `attained` says by which release, and
    `mechanism` makes one, or None if none was made. It rests on `claims`; `bound` says what kind of
    bound it is where it is one. Of independent records it is the largest of the `levels` of those
    that secrets speak of. `ends` are levels that are the ends of the leakage, None if an end is no
    level.
    """

    _named = ("prior", "above", "below")

    leakage: Leakage
    exact: bool
    prior: str
    pair: Pair
    attained: Attained | None
    mechanism: Callable[[], Channel | LocalMechanism] | None = field(default=None, repr=False)
    claims: tuple[str, ...] = ()
    bound: BoundName = "recursion"
    levels: tuple[Total, ...] = field(default=(), repr=False)
    ends: Ends = field(default=(None, None), repr=False)

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if its bounds do not tell.

        A leakage that is the largest of some `levels` is compared with epsilon itself, so that it
        is known to be equal where both are irrational.
        """
        if self.levels:
            return max(each.compare(level) for each in self.levels)
        return self.leakage.compare(level)

    def entries(self) -> list[Entry]:
        """Return one row: where the worst case is, and its nats."""
        above, below = self.pair
        place = {"prior": self.prior, "above": above, "below": below, "attained": self.attained}
        return [place | nats(self.enclosure())]

    def enclosure(self) -> Enclosure:
        """Return the leakage in nats."""
        return enclosed(self.leakage, self.ends)

    def __str__(self) -> str:
        one, other = self.pair
        where = f"for {one!r} against {other!r}, prior {self.prior!r}"
        how = f", attained by a {self.attained}" if self.attained else ""
        return f"leakage {self.leakage} over all mechanisms of these levels, {where}{how}"


def enclosed(leakage: Leakage, ends: Ends) -> Enclosure:
    """Return a leakage in nats, its ends from levels if they are such."""
    (low, high), rounded = ends, leakage.enclosure()
    return Enclosure(
        rounded.lower if low is None else low.enclosure().lower,
        rounded.upper if high is None else high.enclosure().upper,
    )


@dataclass(frozen=True)
class PairBounds:
    """Bounds of the largest ratio for one ordered pair under one prior, None for infinite."""

    lower: Fraction | None
    upper: Fraction | None
    prior: str
    pair: Pair


def largest(known: Sequence[PairBounds]) -> PairBounds:
    """Return bounds of the largest of several, with the place of the largest upper one.

    Raises `ModelError` if there is none.
    """
    if not known:
        raise ModelError("nothing to check: under every prior, each pair has a secret of probability 0", "pairs")
    top = max(known, key=lambda each: (each.upper is None, each.upper or _ONE))
    lows = [each.lower for each in known]
    lower = None if None in lows else max(low for low in lows if low is not None)
    return PairBounds(lower, top.upper, top.prior, top.pair)


class Order(NamedTuple):
    """An ordered pair of secrets, its record, and the positions of both values in the alphabet."""

    pair: Pair
    record: int
    one: int
    other: int


def orders(framework: Framework) -> Iterator[Order]:
    """List the ordered pairs with their record and the positions of both values."""
    for pair in framework.pairs:
        for order in framework.orders(pair):
            (record, one), (_, other) = (framework.places[secret] for secret in order)
            yield Order(order, record, one, other)


def responses(framework: Framework, levels: RecordLevels, favours: Favours) -> LocalMechanism:
    """Return the mechanism in which record j says 1 with odds R_j to 1 on favoured values, and 0 so
    on others; a record without any says nothing. Where R_j is irrational a rational just below
    takes its place.

    Raises `ModelError` for more than 100,000 records.
    """
    alphabet = framework.expect_records().alphabet
    if levels.count > _WRITTEN:
        raise ModelError(
            f"expected at most {_WRITTEN} records for a mechanism that is written out, found {levels.count}",
            "records.count",
        )
    half = (Fraction(1, 2), Fraction(1, 2))
    rows = {}

    def row(record: int) -> Any:
        chosen, ratio = favours.get(record), levels.at(record).rounded(upward=False).ratio
        if (chosen, ratio) not in rows:
            told = (1 / (ratio + 1), ratio / (ratio + 1))
            rows[chosen, ratio] = (half,) * len(alphabet)
            if chosen is not None:
                rows[chosen, ratio] = tuple(told if x in chosen else told[::-1] for x in range(len(alphabet)))
        return rows[chosen, ratio]

    records = tuple(row(record) for record in range(1, levels.count + 1))
    return LocalMechanism(alphabet, ("0", "1"), RecordLaws(records))


RESTS_ON = ("worst.box-sets",)
MOST_VALUES = 8  # of which all sets are gone through
_LONG, _BITS = 512, 128  # numbers of more bits are rounded up to so many after the point
_LARGEST = Fraction(2) ** 4096


@dataclass(frozen=True)
class Masses:
    """The largest mass of a set of values in one row, and the least one in another."""

    most: Fraction
    least: Fraction
    chosen: tuple[bool, ...]

    def told(self, apart: Fraction) -> Fraction:
        """Return how far a column tells the rows apart by this set, where its means are `apart`."""
        return (1 + (apart - 1) * self.most) / (1 + (apart - 1) * self.least)


def box_bound(box: IntervalChain, levels: RecordLevels, pairs: Iterable[tuple[int, int]]) -> Fraction | None:
    """Return an upper bound of e to the worst case for pairs of values of the first record, by
    their positions, or None if it is too large to say.

    >>> rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    >>> box_bound(IntervalChain("any", rows, rows), RecordLevels.uniform(2, ["log(2)"]), [(0, 1)])
    Fraction(12, 5)

    Args: box: of at most 8 values.
    """
    apart = _later(box, levels)
    if apart is None:
        return None
    return levels.at(1).bounds()[1] * max(each.told(apart) for each in _front(box, pairs))


def telling_chain(box: IntervalChain, levels: RecordLevels, pair: tuple[int, int]) -> MarkovChain | None:
    """Return a chain of the box that tells much about two values of a record: rows of the
    first value, and of those in the set that tells most, have the largest mass there, others the
    least one. With two records none tells more about the first.

    >>> rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    >>> box = IntervalChain("any", [[0, 0, 0]] * 3, [["1/2"] * 3] * 3)
    >>> chain = telling_chain(box, RecordLevels.uniform(2, ["log(2)"]), (0, 1))
    >>> [[str(p) for p in row] for row in chain.transition]
    [['1/2', '0', '1/2'], ['1/2', '1/2', '0'], ['1/2', '0', '1/2']]
    """
    apart = _later(box, levels)
    if apart is None:
        return None
    best = max(_front(box, [pair]), key=lambda each: each.told(apart))
    ends = list(zip(box.lower, box.upper))
    return box.chain(
        [
            _row(*ends[x], [among == (x == pair[0] or (x != pair[1] and best.chosen[x]))
                            for among in best.chosen])
            for x in range(box.states)
        ]
    )  # fmt: skip


def _later(box: IntervalChain, levels: RecordLevels) -> Fraction | None:
    """Return D_2, 1 where there is one record, or None if it is too large to say."""
    front, bound = _front(box, permutations(range(box.states), 2)), _ONE
    for length, total in [*levels.between(2, levels.count)][::-1]:
        own = total.bounds()[1]
        for _ in range(length):
            # a number, rounded up where it is long
            value = own * max(each.told(bound) for each in front)
            if max(value.numerator.bit_length(), value.denominator.bit_length()) <= _LONG:
                short = value
            else:
                short = Fraction(ceil(value * 2**_BITS), 2**_BITS)
            last, bound = bound, short
            if bound > _LARGEST:
                return None
            if bound == last:  # more records of this level add nothing
                break
    return bound


def _front(box: IntervalChain, pairs: Iterable[tuple[int, int]]) -> list[Masses]:
    """Return the masses of all sets for pairs of rows, without the dominated ones."""
    chosen = list(product((False, True), repeat=box.states))
    ends = list(zip(box.lower, box.upper))
    every = [Masses(_mass(*ends[v], A), 1 - _mass(*ends[w], [not z for z in A]), A) for v, w in pairs for A in chosen]
    front: list[Masses] = []
    for each in sorted(every, key=lambda each: (-each.most, each.least)):
        if not front or each.least < front[-1].least:
            front.append(each)
    return front


def _mass(lower: Sequence[Fraction], upper: Sequence[Fraction], chosen: Sequence[bool]) -> Fraction:
    """Return the largest mass that chosen values have in a row between two bounds."""
    own = sum((high for high, among in zip(upper, chosen) if among), Fraction(0))
    left = sum((low for low, among in zip(lower, chosen) if not among), Fraction(0))
    return min(own, 1 - left)


def _row(lower: Sequence[Fraction], upper: Sequence[Fraction], chosen: Sequence[bool]) -> list[Fraction]:
    """Return a row between two bounds in which chosen values have the largest mass."""
    row, left = list(lower), 1 - sum(lower)
    for z in sorted(range(len(row)), key=lambda z: not chosen[z]):
        more = min(left, upper[z] - lower[z])
        row[z], left = row[z] + more, left - more
    return row


# The largest ratio of values of some records of a stationary chain with equal levels, by spans of records.

SPANS_RESTS_ON = ("worst.tilts",)
Values = tuple[int, int]
_FEW = 12  # pairs of values for which all walks are quick
_CLOSE, _SAME = Fraction(1, 2**28), Fraction(1, 2**38)  # of bounds of spans, above 1 and relative
_ROUNDS, _PIECES = 3, 64  # how often spans of records are cut, and into how many in all


class Spans:
    """The largest ratio of values of some records of a stationary chain with equal levels: spans of
    records that are cut where their bound is larger than that of a record in the middle.

    A column of the records on one side is one of more records, of which the farthest tell nothing,
    so that a bound for more records holds for fewer.
    """

    def __init__(self, sides: TiltedSides, total: Total, asked: Mapping[int, Sequence[Values]]) -> None:
        self.sides, self.own = sides, total.bounds()[1]
        known = {id(pairs): frozenset(pairs) for pairs in asked.values()}
        self.asked = {record: known[id(pairs)] for record, pairs in asked.items()}
        self.records = sorted(asked)

    def largest(self) -> "Span | None":
        """Return an upper bound of all with its place, or None if there is none."""
        middle, last = len(self.records) // 2, len(self.records) - 1
        pairs = self._pairs(self.records)
        if len(pairs) > _FEW:
            likely = self.sides.farthest(sorted(self.asked[self.records[middle]]))
            inside = self._of(middle, middle, [likely])
            pairs = [likely, *self._unproven(pairs, likely)]
        else:
            inside = self._of(middle, middle, pairs)
        whole = self._of(0, last, pairs)
        if whole is None or inside is None:
            return None
        middle = min(middle, last)
        if whole.place[1:] != inside.place[1:]:
            inside = max(inside, self._of(middle, middle, [whole.place[1:]]) or inside)
        spans = [whole]
        for _ in range(_ROUNDS):
            top = max(spans)
            if top.first == top.last or (
                top.bound - inside.bound <= max((inside.bound - 1) * _CLOSE, inside.bound * _SAME)
            ):
                break
            wide = [span for span in spans if span.bound > inside.bound]
            parts = self._split(wide, inside.bound)
            if parts is None:
                break
            spans = parts
        return max([*spans, inside])

    def _split(self, spans: Sequence["Span"], least: Fraction) -> "list[Span] | None":
        """Return spans in pieces, all of which are walked at once, for the pairs whose bound is
        larger than a number.
        """
        pieces, parts = max(2, _PIECES // len(spans)), list[tuple[int, int]]()
        for span in spans:
            size = span.last - span.first + 1
            cuts = sorted({span.first + size * piece // pieces for piece in range(pieces)})
            parts += zip(cuts, [*(cut - 1 for cut in cuts[1:]), span.last])
        pairs = sorted({pair for span in spans for pair in span.above(least)})
        known = []
        for later in (False, True):
            lengths = sorted({self._length(*part, later) for part in parts})
            found = self.sides.of_lengths(self.records[0], pairs, later, lengths)
            if found is None:
                return None
            known.append(dict(zip(lengths, found)))
        return [
            self._span(*part, pairs, *(side[self._length(*part, later)] for later, side in enumerate(known)))
            for part in parts
        ]

    def _length(self, first: int, last: int, later: int) -> int:
        """Return how many records there are at most on one side of those of a span."""
        if later:
            return self.sides.laws.length - self.records[first]
        return self.records[last] - 1

    def _pairs(self, records: Sequence[int]) -> list[Values]:
        every = {id(self.asked[record]): self.asked[record] for record in records}
        return sorted(set[Values]().union(*every.values()))

    def _unproven(self, pairs: Sequence[Values], likely: Values) -> list[Values]:
        """Return the pairs that are not shown to have smaller ratios than a likely one at a record
        in the middle.
        """
        place, ends = self.records[len(self.records) // 2], (self.records[-1], self.records[0])
        left = [pair for pair in pairs if pair != likely]
        kept = list[bool]([True] * len(left))
        for later in (False, True):
            known = self.sides.bounds(place, [likely], later)
            if known is None:
                return left
            shown = self.sides.shown(ends[later], left, later, known[0])
            kept = [one and other for one, other in zip(kept, shown)]
        return [pair for pair, smaller in zip(left, kept) if not smaller]

    def _of(self, first: int, last: int, pairs: Sequence[Values]) -> "Span | None":
        """Return the bound of a span."""
        before = self.sides.bounds(self.records[last], pairs, later=False)
        after = self.sides.bounds(self.records[first], pairs, later=True)
        if before is None or after is None:
            return None
        return self._span(first, last, pairs, before, after)

    def _span(
        self, first: int, last: int, pairs: Sequence[Values], before: Sequence[Fraction], after: Sequence[Fraction]
    ) -> "Span":
        """Return a span with its bound, without pairs that no record of it has."""
        records = self.records[first : last + 1]
        there = set(self._pairs(records))
        products = {pair: self.own * one * other for pair, one, other in zip(pairs, before, after) if pair in there}
        pair = max(products, key=lambda each: products[each], default=(0, 0))
        center = self.sides.laws.length + 1
        inner = sorted(records, key=lambda record: abs(2 * record - center))
        record = next((each for each in inner if pair in self.asked[each]), inner[0])
        return Span(products.get(pair, Fraction(0)), (record, *pair), first, last, products)


@dataclass(frozen=True)
class Span:
    """Records from one place to another, and what bounds the ratios of some pairs of values; a
    record and a pair with the largest bound are in `place`.
    """

    bound: Fraction
    place: tuple[int, int, int]
    first: int
    last: int
    bounds: Mapping[Values, Fraction]

    def above(self, least: Fraction) -> list[Values]:
        """Return the pairs whose bound is larger."""
        return [pair for pair, bound in self.bounds.items() if bound > least]

    def __lt__(self, other: "Span") -> bool:
        return self.bound < other.bound


# The worst ratio about one record of a chain with any number of values: the walk by signs of
# `pufferproof.verify.noise.accounts.tilted` from above, which is exact up to the rounding of floats, and the tilts of
# that walk from below.
#
# A column of level log(R_j) at record j changes by a factor of at most r_j(z) r_j(z') with r_j = R_j^(1/2) for all
# values. Given X_i both sides are independent, and products of factors reach the largest ratio of each:
#
#     E[u | X_i = v] / E[u | X_i = w] <= R_i before(v, w) after(v, w).
#
# Tilts r_j on a set A_j and 1/r_j elsewhere are R_j on A_j and 1 elsewhere up to a number: the column of an output of
# responses that tell of record j whether its value is in A_j.

ALPHABETS_RESTS_ON = ("worst.tilts", "song2017.x-markov")
_LESS = (0.0, 2.0**-46, 2.0**-40, 2.0**-30)  # below the largest ratio, relative: where signs are
_REACHED = 1 + Fraction(1, 2**30)  # above what a guess may exceed the ratio of its tilts
_ROUND = 2.0**-52  # twice the relative error of a rounding
_TINY = 1e-290  # above what products lose that are too small for floats


@dataclass(frozen=True)
class Responses:
    """Randomised responses of the records around record i, and how many times likelier their
    favoured output is given X_i = v than given w, rounded down.
    """

    ratio: Fraction
    favoured: dict[int, frozenset[int]]


class Walks:
    """Walks by signs along one chain at given levels of all its records.

    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> flips = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> walks = Walks(Chain.of_markov(flips), RecordLevels.uniform(3, ["log(2)"]))
    >>> order = Order(("s", "t"), 2, 1, 0)
    >>> [f"{float(bound):.9f}" for bound in walks.bounds([order])]
    ['3.920000000']
    >>> found = walks.responses(order)
    >>> (f"{float(found.ratio):.9f}", {place: set(values) for place, values in found.favoured.items()})
    ('3.920000000', {1: {1}, 2: {1}, 3: {1}})
    """

    def __init__(self, chain: Chain, levels: RecordLevels, laws: Along | None = None) -> None:
        self.chain, self.levels, self._laws = chain, levels, laws

    def at(self, levels: RecordLevels) -> "Walks":
        """Return those at other levels of the same records."""
        return Walks(self.chain, levels, None if self._sides is None else self._sides.laws)

    @cached_property
    def _sides(self) -> TiltedSides | None:
        size, tilts, last = len(self.chain.step), list[tuple[int, int, Tilts]](), 0
        for length, total in self.levels.between(1, self.levels.count):
            import numpy as np

            up = nextafter(sqrt(above(total.bounds()[1])), inf)
            ends: NDArray[np.float64] = np.full(size, up)
            tilts.append((last + 1, last + length, Tilts(ends, np.nextafter(1 / ends, 0.0))))
            last += length
        return TiltedSides.of(self.chain, tilts, self._laws)

    def bounds(self, orders: Sequence[Order]) -> list[Fraction] | None:
        """Return upper bounds of the ratios of values of records, or None if a step is below
        1e-200, a ratio above what floats can be, or walks of sides that differ are long together.
        """
        asked: dict[int, list[tuple[int, int]]] = {}
        for order in orders:
            asked.setdefault(order.record, []).append((order.one, order.other))
        bounds = dict[tuple[int, int, int], Fraction]()
        for record, values in steps(asked.items(), "records"):
            ratios = None if self._sides is None else self._sides.ratios(record, values)
            if ratios is None:
                return None
            own = self.levels.at(record).bounds()[1]
            for pair, (before, after) in zip(values, ratios):
                bounds[record, *pair] = own * before * after
        return [bounds[order.record, order.one, order.other] for order in orders]

    def largest(self, orders: Sequence[Order]) -> tuple[Order, Fraction] | None:
        """Return an upper bound of all ratios with the order that has it; None as `bounds`."""
        if self.levels.largest.bounds()[1] == 1:
            return orders[0], Fraction(1)
        if self.chain.stationary and self.levels.equal:
            placed = {(order.record, order.one, order.other): order for order in orders}
            asked: dict[int, list[Values]] = {}
            for order in orders:
                asked.setdefault(order.record, []).append((order.one, order.other))
            found = self.largest_of(asked)
            return None if found is None else (placed[found[0]], found[1])
        bounds = self.bounds(orders)
        if bounds is None:
            return None
        top = max(range(len(orders)), key=lambda k: bounds[k])
        return orders[top], bounds[top]

    def largest_of(self, asked: Mapping[int, Sequence[Values]]) -> tuple[tuple[int, int, int], Fraction] | None:
        """Return an upper bound of the ratios of pairs of values of some records, and where it is;
        None as `bounds`.

        Args:
            asked: pairs of values by record, of a stationary chain with equal levels.
        """
        if self._sides is None:
            return None
        span = Spans(self._sides, self.levels.largest, asked).largest()
        return None if span is None else (span.place, span.bound)

    def responses(self, order: Order) -> Responses:
        """Return randomised responses whose favoured output leaks most, as far as floats tell."""
        ratio = self.levels.at(order.record).bounds()[0]
        favoured = {order.record: frozenset({order.one})}
        for later in (False, True):
            reached, signs = self._best(order, later)
            if reached > 1:
                ratio *= reached
                known = {row.tobytes(): frozenset(row.nonzero()[0].tolist()) for row in signs}
                places = (_place(order.record, step, later) for step in range(1, len(signs) + 1))
                favoured |= {place: known[row.tobytes()] for place, row in zip(places, signs)}
        return Responses(ratio, dict(sorted(favoured.items())))

    def _best(self, order: Order, later: bool) -> "tuple[Fraction, list[NDArray[np.bool_]]]":
        """Return at most the ratio that tilts near the best ones reach, and the sets of values that
        they favour, for the nearest record first.

        At the largest ratio some coefficients are 0: floats do not tell their signs, which change
        the ratio much where levels are large.
        """
        best: tuple[Fraction, list[NDArray[np.bool_]]] = (Fraction(1), [])
        if self._sides is None:
            return best
        side = self._sides.side(order.record, [(order.one, order.other)], later)
        kernel, runs, start = side.kernel, side.runs, side.starts[0]
        guess = largest_guess(kernel, runs, side.ends[1], start)
        for less in _LESS if runs else ():
            signs = best_signs(kernel, runs, start, guess * (1 - less))
            reached = self._reached(order, later, signs)
            if reached > best[0]:
                best = reached, signs
            if reached * _REACHED >= guess:
                break
        return best

    def _reached(self, order: Order, later: bool, signs: "Sequence[NDArray[np.bool_]]") -> Fraction:
        """Return at most the ratio of the product of R_j on favoured values and 1 elsewhere.

        Everything is positive: bounds of the sums of products from the farthest record inwards.
        """
        import numpy as np

        if self._sides is None:
            return Fraction(1)
        side = self._sides.side(order.record, [(order.one, order.other)], later)
        kernel, start, (low, high) = side.kernel, side.starts[0], side.ends
        if not later:
            low, high = self._sides.law(_place(order.record, len(signs), later))
        error = (len(kernel) + 8) * _ROUND
        ends = {key: total.bounds() for key, total in self.levels.distinct.items()}
        factors = {key: (below(least), above(most)) for key, (least, most) in ends.items()}
        for step in range(len(signs), 0, -1):
            least, most = factors[id(self.levels.at(_place(order.record, step, later)))]
            row = signs[step - 1]
            low = np.maximum(kernel @ np.where(row, low * least, low) * (1 - error) - _TINY, 0.0)
            high = kernel @ np.where(row, high * most, high) * (1 + error) + _TINY
            scale = np.exp2(-np.frexp(high.max())[1])
            low, high = low * scale, high * scale
        one = Fraction(start.above[0]) * Fraction(float(low[order.one]))
        return one / (Fraction(start.below[1]) * Fraction(float(high[order.other])))


def _place(record: int, step: int, later: bool) -> int:
    return record + step if later else record - step
