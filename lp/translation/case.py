"""The worst case of per-record levels: what it says, and bounds of it pair by pair."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.local import LocalMechanism, RecordLaws
from pufferproof.verify.leakage.ratio import Leakage

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
