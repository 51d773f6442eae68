"""The worst case of per-record levels where every prior is of bits: Markov chains, hidden chains of
two states, independent records and networks that are forests. It is exact, and randomised responses
of all records attain it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Protocol

from pufferproof.lp.translation.bits.chain import PLAIN, Sides, emission_of, favoured, sides
from pufferproof.lp.translation.bits.forest import forest_sides
from pufferproof.lp.translation.bits.quotients import Precision, fraction
from pufferproof.lp.translation.case import (
    Attained,
    Favours,
    Order,
    PairBounds,
    WorstCase,
    largest,
    orders,
    responses,
)
from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.priors.forest import Forest
from pufferproof.models.sequences.chain import Chain
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = (
    "worst.power-closed",
    "worst.hidden-levels",
    "worst.record-levels-interior",
    "worst.record-levels-network",
)
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


def worst_of_bits(
    framework: Framework, levels: RecordLevels, priors: Mapping[str, Chain | Forest]
) -> WorstCase:
    """Return the worst case. Raises `ModelError` if no pair has two possible secrets.

    Args:
        priors: every prior of the framework, along records or as a forest.
    """
    ways = {name: way_of(framework, levels, name, prior) for name, prior in priors.items()}
    worst = largest([each for way in ways.values() for each in way.bounds()])
    way = ways[worst.prior]
    return WorstCase(
        Leakage(worst.lower, worst.upper),
        True,
        worst.prior,
        worst.pair,
        way.attained(worst.pair),
        partial(_made, framework, levels, way, worst.pair),
        tuple(dict.fromkeys(claim for each in ways.values() for claim in each.claims)),
        levels=_own_levels(list(ways.values())),
    )


def _own_levels(ways: Sequence[Bits]) -> tuple[Total, ...]:
    """Return the levels of which the worst case is the largest, none unless records are
    independent under every prior.
    """
    known = [way.own if isinstance(way, _Independent) else None for way in ways]
    if None in known:
        return ()
    return tuple(dict.fromkeys(total for own in known if own is not None for total in own))


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
        falling = {
            self.forest.falling(record)
            for record in tree
            if self.forest.parents[record - 1] is not None
        }
        if falling == {True, False}:
            return "signed count"
        return "alternating count" if falling == {True} else "count"

    def favours(self, pair: Pair) -> Favours:
        place, one = self.framework.places[pair[0]]
        return {
            record: frozenset({1 - one if turned else one})
            for record, turned in self.forest.from_record(place)
        }


def _bounds(
    name: str,
    asked: Iterable[Order],
    known: tuple[Mapping[int, Sides], Precision],
    shown: Sequence[Sequence[Fraction]],
) -> Iterator[PairBounds]:
    """Yield what is known of pairs; `shown` has P(v | h) for both states h of every value v."""
    at, precision = known
    for order, record, one, other in asked:
        ratio = at[record].ratio(shown[one], shown[other], precision)
        if ratio is not None:
            yield PairBounds(fraction(ratio.most_lower), fraction(ratio.most), name, order)
