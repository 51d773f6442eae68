"""What a curve is asked about: ordered pairs of secrets about single records, and from which laws
of the first record a chain may start.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair, Secret, StatedPairs
from pufferproof.models.priors.laws import Product
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.chain import Place, pairs_of, places_of

MOST_LISTED, MOST_POINTS, SHORT_CURVE = 1_000, 10_000, 50


@dataclass(frozen=True)
class Order:
    """X_i = v against X_i = w, in this order: i = `record` from 1, v and w positions in the
    alphabet, `pair` the names of the two secrets.
    """

    pair: tuple[str, str]
    record: int
    v: int
    w: int

    def beside(self, length: int, most: int) -> tuple[int, int]:
        """Return how many records there are before and after record i, none of them counted beyond
        `most`: so many hidden ones leave the same ways to hide them.

        >>> Order(("s", "t"), 2, 0, 1).beside(9, 1), Order(("s", "t"), 1, 0, 1).beside(9, 1)
        ((1, 1), (0, 1))
        """
        return min(self.record - 1, most), min(length - self.record, most)


@dataclass(frozen=True)
class ChainStart:
    """A Markov chain, from its own initial law, or from any."""

    chain: MarkovChain
    anywhere: bool = False


Prior = ChainStart | Product


def orders_of(framework: Framework) -> list[Order]:
    """Return the ordered pairs of a framework. Raises `ModelError` unless all secrets speak of
    single records.
    """
    return _both(framework.places, framework.pairs)


def orders_between(records: Records, secrets: Mapping[str, Secret], pairs: StatedPairs) -> list[Order]:
    """Return the ordered pairs that are stated, of secrets about records that need not be listed.

    Raises `ModelError` unless secrets are values of single records, and pairs are disjoint.
    """
    places = places_of(records, secrets)
    return _both(places, pairs_of(records, places, pairs))


def _both(places: Mapping[str, Place], pairs: Sequence[Pair]) -> list[Order]:
    orders = []
    for one, other in pairs:
        (record, v), (_, w) = places[one], places[other]
        orders += [Order((one, other), record, v, w), Order((other, one), record, w, v)]
    return orders


def last_point(count: int, most: int | None, where: str = "most") -> int:
    """Return the last b of a curve over so many records: `most`, else all of up to 1,000 records,
    and 50 of more.

    Raises `ModelError` unless 0 <= `most` <= count, and `most` is at most 10,000.
    """
    if most is None:
        return count if count <= MOST_LISTED else SHORT_CURVE
    if isinstance(most, bool) or not 0 <= most <= min(count, MOST_POINTS):
        least = f"all {count} records" if count <= MOST_POINTS else "10000 at most"
        raise ModelError(f"expected from 0 to {min(count, MOST_POINTS)} hidden records ({least}), found {most}", where)
    return most


def nothing_compared() -> ModelError:
    """Return the error for pairs that no prior gives two secrets of positive probability."""
    return ModelError("nothing to check: under every prior, each pair has a secret of probability 0", "pairs")


def expect_orders(orders: Sequence[Order]) -> Sequence[Order]:
    """Return the ordered pairs without repetition. Raises `ModelError` unless there is one."""
    if not orders:
        raise ModelError("expected at least one pair of secrets, found none", "pairs")
    return list(dict.fromkeys(orders))
