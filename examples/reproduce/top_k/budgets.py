"""From a level that people are promised to levels per record, four ways.

    published   max over b of (epsilon - a*(b)) / b, every pair of values its own block
    quilt       the same with one block for all pairs of values, as the Markov quilt mechanism has
    exact       the largest level whose worst mechanism is proven to keep epsilon, by walks along
                the records (worst.tilts)
    group       epsilon / T: all T records of a person may depend on each other in any way

All are floats, rounded down: every one of them keeps epsilon.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from pufferproof.examples.reproduce.top_k.rounded import Budget, RoundedCurve, largest_budget
from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.sets import Order, Walks
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along, Chain

Way = Literal["published", "quilt", "exact", "group"]
WAYS: tuple[Way, ...] = ("published", "quilt", "exact", "group")
Place = tuple[int, int, int]
"""A record and two of its values."""
_NEXT = 1 + 2.0**-50
_STEPS = 40
_TRIED = 8  # levels that are checked for all records and values, before that of the curve is taken


@dataclass(frozen=True)
class Budgets(Plain):
    """The levels per record for one epsilon, by way; `blocks` say which curve point gave the first
    two, `reached` what some mechanism of the exact level leaks, in nats.
    """

    epsilon: str
    levels: dict[Way, float]
    blocks: dict[Way, Budget]
    reached: float


def budgets(chain: MarkovChain, length: int, grid: Sequence[str]) -> list[Budgets]:
    """Return the levels per record of a stationary chain of `length` records for every epsilon.

    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> (found,) = budgets(chain, 100, ["1"])
    >>> {way: round(1 / level, 2) for way, level in found.levels.items()}
    {'published': 31.74, 'quilt': 31.74, 'exact': 8.64, 'group': 100.0}
    """
    curves: dict[Way, RoundedCurve] = {
        "published": RoundedCurve(chain, length),
        "quilt": RoundedCurve(chain, length, common=True),
    }
    worst = WorstLeakage(chain, length)
    found = [_budgets(curves, worst, epsilon) for epsilon in grid]
    return [replace(each, reached=worst.reached(each.levels["exact"])) for each in found]


def _budgets(curves: dict[Way, RoundedCurve], worst: "WorstLeakage", epsilon: str) -> Budgets:
    nats = Fraction(epsilon)
    blocks = {way: largest_budget(curve, nats) for way, curve in curves.items()}
    levels = {way: block.level for way, block in blocks.items()}
    # what the published translation shows, the worst mechanism keeps
    levels["exact"] = max(worst.level(nats) or 0.0, levels["published"])
    levels["group"] = float(nats) / worst.length * (1 - 2.0**-50)
    return Budgets(epsilon, levels, blocks, 0.0)


class WorstLeakage:
    """The largest leakage of mechanisms of one level per record about any record of a stationary
    chain, from above.

    Raises `ModelError` unless the chain starts from its stationary law.
    """

    def __init__(self, chain: MarkovChain, length: int) -> None:
        self.chain, self.length = Chain.of_markov(chain), length
        if not self.chain.stationary:
            raise ModelError('expected "stationary", found another law', "initial")
        values = Along(chain, length).possible(1)
        pairs = [(one, other) for one in values for other in values if one != other]
        self._first = Walks(self.chain, self._levels(1 / length))
        self._every = dict.fromkeys(range(1, length + 1), pairs)

    def nats(self, level: float, places: Sequence[Place] = ()) -> tuple[float, Place]:
        """Return a bound in nats, and where it is: of some records and values, or of all."""
        asked: dict[int, list[tuple[int, int]]] = {}
        for record, *pair in places:
            asked.setdefault(record, []).append((pair[0], pair[1]))
        found = self._walks(level).largest_of(asked or self._every)
        if found is None:
            raise ModelError("expected transitions that are moderate", "transition")
        place, ratio = found
        return above(log_bounds(ratio, 64)[1]), place

    def reached(self, level: float) -> float:
        """Return what a mechanism of a level leaks, in nats, rounded down."""
        order = Order(("", ""), *self.nats(level)[1])
        return below(log_bounds(self._walks(level).responses(order).ratio, 64)[0])

    def level(self, epsilon: Fraction) -> float | None:
        """Return a level per record at which every mechanism, and every adaptive list of mechanisms
        whose levels add up to it, leaks at most epsilon about any record: nearly as large as the
        bound shows, rounded down. None if none was found.
        """
        nats = below(epsilon)
        target = nats
        for _ in range(_TRIED):
            level = self._level(target)
            most, place = self.nats(level)
            if most <= nats:
                return level
            if place in self._likely:
                target = min(target, target * nats / most * (1 - 2.0**-40))
            self._likely.add(place)
        return None

    @cached_property
    def _likely(self) -> set[Place]:
        """Records and values that were the worst ones at some level: at first that of a moderate
        one.
        """
        return {self.nats(1 / self.length)[1]}

    def _level(self, nats: float) -> float:
        """Return a level at which the likely worst places leak nearly so much, to six digits."""
        places = sorted(self._likely)
        low = nats / self.length / _NEXT  # group privacy keeps it, too
        high, kept = low, self.nats(low, places)[0]
        broken = kept
        while broken <= nats and high < nats:
            low, kept, high = high, broken, min(2 * high, nats)
            broken = self.nats(high, places)[0]
        if broken <= nats:
            return high
        for step in range(_STEPS):
            share = (nats - kept) / (broken - kept)  # where a straight line meets the level
            middle = low + (high - low) * (min(max(share, 0.02), 0.98) if step % 3 else 0.5)
            value = self.nats(middle, places)[0]
            if value <= nats:
                low, kept = middle, value
            else:
                high, broken = middle, value
            if high - low <= low * 1e-6 or nats - kept <= nats * 1e-6:
                break
        return low

    def _walks(self, level: float) -> Walks:
        return self._first.at(self._levels(level))

    def _levels(self, level: float) -> RecordLevels:
        return RecordLevels(((self.length, Total(Fraction(1), Fraction(level))),))
