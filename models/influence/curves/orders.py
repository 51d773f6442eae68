"""What a curve is asked about: ordered pairs of secrets about single records, and from which laws
of the first record a chain may start.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.tables import Product

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


@dataclass(frozen=True)
class Start:
    """A Markov chain, from its own initial law, or from any."""

    chain: MarkovChain
    anywhere: bool = False


Prior = Start | Product


def orders_of(framework: Framework) -> Iterator[Order]:
    """Yield the ordered pairs of a framework. Raises `ModelError` unless all secrets speak of
    single records.
    """
    for one, other in framework.pairs:
        (record, v), (_, w) = framework.places[one], framework.places[other]
        yield Order((one, other), record, v, w)
        yield Order((other, one), record, w, v)


def last_point(count: int, most: int | None, points: int = MOST_POINTS) -> int:
    """Return the last b of a curve over so many records: `most`, else all of up to 1,000 records,
    and 50 of more.

    Raises `ModelError` unless 0 <= `most` <= count, and the points are few enough.
    """
    if most is None:
        return count if count <= MOST_LISTED else SHORT_CURVE
    if isinstance(most, bool) or not 0 <= most <= count:
        raise ModelError(f"expected from 0 to {count} hidden records, found {most}", "most")
    if most > points:
        raise ModelError(f"expected at most {points} hidden records, found {most}", "most")
    return most


def nothing_compared() -> ModelError:
    """Return the error for pairs that no prior gives two secrets of positive probability."""
    return ModelError(
        "nothing to check: under every prior, each pair has a secret of probability 0", "pairs"
    )


def expect_orders(orders: Sequence[Order]) -> Sequence[Order]:
    """Return the ordered pairs without repetition. Raises `ModelError` unless there is one."""
    if not orders:
        raise ModelError("expected at least one pair of secrets, found none", "pairs")
    return list(dict.fromkeys(orders))
