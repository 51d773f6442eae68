"""The worst case of per-record levels where every prior is of bits: Markov chains, hidden chains of
two states, independent records and networks that are forests. It is exact, and randomised responses
of all records attain it. About a forest, ranges of ratios are passed along its edges.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Protocol

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.bits.chain import (
    PLAIN,
    Sides,
    emission_of,
    favoured,
    integers,
    precision_of,
    range_shown,
    sides,
)
from pufferproof.lp.translation.bits.quotients import ONE, Moebius, Precision, Range, fraction
from pufferproof.lp.translation.sets import Attained, Favours, Order, PairBounds, WorstCase, largest, orders, responses
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.priors.forest import Forest, Kernel
from pufferproof.models.sequences.chain import Chain
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.laws.passes import ForestPasses, Passing

RESTS_ON = ("worst.power-closed", "worst.hidden-levels", "worst.record-levels-interior", "worst.record-levels-network")
EXACT_CLAIMS = ("worst.power-closed", "worst.moebius-tree", "worst.chain-interior")
HIDDEN_CLAIMS = ("worst.power-closed", "worst.hidden-levels")
TREE_CLAIMS = ("worst.power-closed", "worst.record-levels-network")


class Bits(Protocol):
    """One prior of bits: the worst case about every pair, and which values of every record speak
    for the first secret of a pair.
    """

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that it rests on."""

    def bounds(self) -> Iterator[PairBounds]:
        """Yield the worst case of every ordered pair of possible secrets."""

    def attained(self, pair: Pair) -> Attained:
        """Say which count attains it."""

    def favours(self, pair: Pair) -> Favours:
        """Return the favoured values of records."""


def worst_of_bits(framework: Framework, levels: RecordLevels, priors: Mapping[str, Chain | Forest]) -> WorstCase:
    """Return the worst case. Raises `ModelError` if no pair has two possible secrets.

    Args:
        priors: every prior of the framework, along records or as a forest.
    """
    ways = {name: way_of(framework, levels, name, prior) for name, prior in priors.items()}
    worst = largest([bound for way in ways.values() for bound in way.bounds()])
    way = ways[worst.prior]
    # the levels whose worst case is the largest, if records are independent
    known = [way.own if isinstance(way, _Independent) else None for way in ways.values()]
    independent = [own for own in known if own is not None]
    common = (
        tuple(dict.fromkeys(total for own in independent for total in own)) if len(independent) == len(known) else ()
    )
    return WorstCase(
        Leakage(worst.lower, worst.upper),
        True,
        worst.prior,
        worst.pair,
        way.attained(worst.pair),
        partial(_made, framework, levels, way, worst.pair),
        tuple(dict.fromkeys(claim for way in ways.values() for claim in way.claims)),
        levels=common,
    )


def _made(framework: Framework, levels: RecordLevels, way: Bits, pair: Pair) -> LocalMechanism:
    return responses(framework, levels, way.favours(pair))


def way_of(framework: Framework, levels: RecordLevels, name: str, prior: Chain | Forest) -> Bits:
    """Return how one prior is computed with."""
    if isinstance(prior, Forest):
        return _OfForest(framework, levels, name, prior)
    if prior.rows is not None:
        return _Independent(framework, levels, name, prior.rows)
    return _AlongChain(framework, levels, name, prior)


@dataclass(frozen=True)
class _Independent:
    """Records that tell nothing of one another."""

    framework: Framework
    levels: RecordLevels
    name: str
    rows: Sequence[Sequence[Fraction]]
    claims = EXACT_CLAIMS

    def bounds(self) -> Iterator[PairBounds]:
        for order, record, _, _ in self._possible():
            yield PairBounds(*self.levels.at(record).bounds(), self.name, order)

    @property
    def own(self) -> Iterator[Total]:
        """The level of every record that pairs of possible secrets speak of."""
        return (self.levels.at(record) for _, record, _, _ in self._possible())

    def _possible(self) -> Iterator[Order]:
        for order in orders(self.framework):
            row = self.rows[order.record - 1]
            if row[order.one] and row[order.other]:
                yield order

    def attained(self, pair: Pair) -> Attained:
        return "count"

    def favours(self, pair: Pair) -> Favours:
        place, one = self.framework.places[pair[0]]
        return {place: frozenset({one})}


@dataclass(frozen=True)
class _AlongChain:
    """A Markov chain of bits, or a hidden chain of two states."""

    framework: Framework
    levels: RecordLevels
    name: str
    chain: Chain

    @property
    def claims(self) -> tuple[str, ...]:
        return EXACT_CLAIMS if self.chain.emission is None else HIDDEN_CLAIMS

    def bounds(self) -> Iterator[PairBounds]:
        asked = list(orders(self.framework))
        known = sides(self.chain, self.levels, [record for _, record, _, _ in asked])
        return _bounds(self.name, asked, known, list(zip(*emission_of(self.chain))))

    def attained(self, pair: Pair) -> Attained:
        return "alternating count" if self.levels.count > 1 and self._falling else "count"

    @property
    def _falling(self) -> bool:
        """Whether the second eigenvalue is negative."""
        return self.chain.step[0][0] + self.chain.step[1][1] < 1

    def favours(self, pair: Pair) -> Favours:
        (place, one), (_, other) = (self.framework.places[secret] for secret in pair)
        zero, first = emission_of(self.chain)
        rising = first[one] * zero[other] >= zero[one] * first[other]
        favours: dict[int, frozenset[int]] = {}
        for record in range(1, self.levels.count + 1):
            up = rising != (self._falling and (record - place) % 2 == 1)
            above, below = (first, zero) if up else (zero, first)
            favours[record] = favoured(above, below, self.levels.at(record).bounds()[0])[1]
        return favours | {place: frozenset({one})}


@dataclass(frozen=True)
class _OfForest:
    """A network that is a forest."""

    framework: Framework
    levels: RecordLevels
    name: str
    forest: Forest
    claims = TREE_CLAIMS

    def bounds(self) -> Iterator[PairBounds]:
        asked = list(orders(self.framework))
        known = forest_sides(self.forest, self.levels, {record for _, record, _, _ in asked})
        return _bounds(self.name, asked, known, list(zip(*PLAIN)))

    def attained(self, pair: Pair) -> Attained:
        place, _ = self.framework.places[pair[0]]
        tree = {record for record, _ in self.forest.from_record(place)}
        falling = {self.forest.falling(record) for record in tree if self.forest.parents[record - 1] is not None}
        if falling == {True, False}:
            return "signed count"
        return "alternating count" if falling == {True} else "count"

    def favours(self, pair: Pair) -> Favours:
        place, one = self.framework.places[pair[0]]
        return {record: frozenset({1 - one if turned else one}) for record, turned in self.forest.from_record(place)}


def _bounds(
    name: str, asked: Iterable[Order], known: tuple[Mapping[int, Sides], Precision], shown: Sequence[Sequence[Fraction]]
) -> Iterator[PairBounds]:
    """Yield what is known of pairs; `shown` has P(v | h) for both states h of every value v."""
    at, precision = known
    for order, record, one, other in asked:
        ratio = at[record].ratio(shown[one], shown[other], precision)
        if ratio is not None:
            yield PairBounds(fraction(ratio.most_lower), fraction(ratio.most), name, order)


def forest_sides(forest: Forest, levels: RecordLevels, records: Iterable[int]) -> tuple[dict[int, Sides], Precision]:
    """Return what is known of each of some records from the others: of the one it hangs on
    `before` it, of those that hang on it `after` it; and the precision.

    Args:
        forest: of as many bits as there are levels.
        levels: of every record.
        records: from 1 on.

    >>> from fractions import Fraction
    >>> step = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    >>> start = ((Fraction(1, 2), Fraction(1, 2)),) * 2
    >>> forest = Forest((2, None, 2), (step, start, step))
    >>> known, precision = forest_sides(forest, RecordLevels.uniform(3, ["log(2)"]), [2])
    >>> known[2].ratio((0, 1), (1, 0), precision).bounds()
    (Fraction(98, 25), Fraction(98, 25))
    """
    asked, ranges = set(records), _Ranges(precision_of(len(forest.parents)))
    shown = {key: range_shown(PLAIN, total) for key, total in levels.distinct.items()}
    own = [shown[id(levels.at(record))] for record in range(1, len(forest.parents) + 1)]
    passes = ForestPasses(forest, ranges, own)
    before, odds = passes.before(asked), ForestPasses(forest, ranges, None).before(asked)
    known = {
        record: Sides(
            before[record].reduced(), passes.after[record - 1].reduced(), odds[record].reduced(), levels.at(record)
        )
        for record in asked
    }
    return known, ranges.precision


class _Ranges(Passing[Range]):
    """With any record for the root, what a subtree may show is a range of ratios of E[u | bit = 1]
    and E[u | bit = 0], u a column; an arrow moves it by a Moebius map, which is monotone, and its
    ends are attained by products. Downwards the ratios are those of E[u, bit = 1] and E[u, bit =
    0], so that no arrow is turned round: the prior odds are divided out at the record asked about.
    """

    def __init__(self, precision: Precision) -> None:
        self.one, self.precision = Range.at(ONE, ONE), precision
        self._moves: dict[tuple[int, bool], Moebius] = {}  # by the identity of a kernel
        self._moved = lru_cache(maxsize=None)(Range.moved)  # equal subtrees show the same
        self._times = lru_cache(maxsize=None)(Range.times)

    def times(self, one: Range, other: Range) -> Range:
        return self._times(one, other, self.precision)

    def start(self, kernel: Kernel) -> Range:
        (p0, p1), _ = kernel
        return self.one.moved(integers([p1, 0, p0, 0]), self.precision)

    def moved(self, message: Range, kernel: Kernel, upward: bool) -> Range:
        key = id(kernel), upward
        if key not in self._moves:
            (p00, p01), (p10, p11) = kernel
            self._moves[key] = integers([p11, *((p10, p01) if upward else (p01, p10)), p00])
        return self._moved(message, self._moves[key], self.precision)
