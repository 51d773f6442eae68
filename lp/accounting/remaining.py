"""What is left of a budget: in nats, and as the level that one more release may have.

The leakage of all mechanisms whose levels add up to those spent, and t more for every record, rises
with t. The largest multiple of a step at which it is within the budget is found between one that is
and one that is not, by false position in floats; a bound by levels decides each, exactly.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor, inf, log10

from pufferproof.lp.accounting.bounds import least_bound, level_bounds
from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.numbers.enclosures import Enclosure, enclose, log_approx, log_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import rounded
from pufferproof.verify.leakage.ratio import Leakage

_DIGITS = 10  # of the level, relative to the budget
_MOST = 10**5  # nats: levels beyond are not looked at
_SLOW = 3  # rounds of false position after which an interval is halved


@dataclass(frozen=True, repr=False)
class Remaining(Readable):
    """What is left of a budget.

    Args: nats: budget minus what is spent, at least 0. level: the largest one found for every
        record that one more release of any kind may have, so that the budget is kept, or None if
        not even 0 is, and `reason` says why. beyond: the next one tried, at which the bound is not
        within the budget.
    """

    budget: Level
    spent: Leakage
    nats: Enclosure
    level: Level | None
    beyond: Level | None
    reason: str = ""

    @property
    def exceeded(self) -> bool:
        """Whether what is spent is not known to be within the budget."""
        return not _within(self.budget, self.spent.upper)

    def __str__(self) -> str:
        if self.spent.upper is None:
            return f"nothing left of {self.budget}: no finite bound of what is spent"
        if self.exceeded:
            return f"nothing left of {self.budget}: {self.spent} spent"
        left = f"{rounded(self.nats.lower, 7)} nats left of {self.budget}"
        if self.level is None:
            return f"{left}; no level for another release: {self.reason}"
        if self.level.ratio == 1:
            return f"{left}; nothing that another release may spend"
        return f"{left}; another release may have level {self.level} for every record"


def remaining(
    framework: Framework, levels: RecordLevels | None, spent: Leakage, budget: Level, reason: str
) -> Remaining:
    """Return what is left of a budget.

    Args: levels: of every record, summed over releases, or None if there are none for the `reason`.
        spent: what is known of their leakage.
    """
    nats = _nats_left(budget, spent)
    if not _within(budget, spent.upper):
        return Remaining(budget, spent, nats, None, None, "the budget is spent")
    if levels is None:
        return Remaining(budget, spent, nats, None, None, reason)
    level, beyond = _LargestStep(framework, levels, budget).largest()
    least = "the levels spent allow more than the budget, whatever these mechanisms leaked"
    return Remaining(budget, spent, nats, level, beyond, "" if level else least)


def _within(budget: Level, ratio: Fraction | None) -> bool:
    return ratio is not None and budget.compare(ratio) <= 0


def _nats_left(budget: Level, spent: Leakage) -> Enclosure:
    """Return budget minus spent in nats, not below 0."""
    if spent.lower is None or spent.upper is None:
        return Enclosure("0", "0")
    low, high = _nats(budget)
    least, most = (_log(end) for end in (spent.lower, spent.upper))
    return enclose(max(low - most[1], Fraction(0)), max(high - least[0], Fraction(0)))


def _nats(level: Level) -> tuple[Fraction, Fraction]:
    if level.nats is not None:
        return level.nats, level.nats
    return _log(level.ratio or Fraction(1))


def _log(ratio: Fraction) -> tuple[Fraction, Fraction]:
    return (Fraction(0), Fraction(0)) if ratio == 1 else log_bounds(ratio, 72)


class _LargestStep:
    """The largest level in multiples of a step, by log(bound) - budget in floats, then exactly."""

    def __init__(self, framework: Framework, levels: RecordLevels, budget: Level) -> None:
        self.framework, self.levels, self.budget = framework, levels, budget
        self.nats = float(_nats(budget)[1])
        digits = floor(log10(self.nats)) + 1 - _DIGITS if self.nats else 0
        self.step = Fraction(10) ** digits

    def at(self, multiple: int) -> tuple[float, bool]:
        """Look at one level."""
        extra = Total(Fraction(1), multiple * self.step)
        least = least_bound(level_bounds(self.framework, self.levels.plus(extra), every=False))
        if least is None or least.ratio is None:
            return inf, False
        value = log_approx(least.ratio) - self.nats
        return value, _within(self.budget, least.ratio)

    def largest(self) -> tuple[Level | None, Level | None]:
        """Return the largest level that keeps the budget, and the next one."""
        low, value = 0, self.at(0)
        if not value[1]:
            return None, Level(0)
        high = max(1, floor(Fraction(self.nats) / self.step))
        above = self.at(high)
        while above[1]:
            low, value, high = high, above, 2 * high
            if high * self.step > _MOST:
                return self._level(low), None
            above = self.at(high)
        return self._between(low, high, value[0], above[0])

    def _between(self, low: int, high: int, below: float, above: float) -> tuple[Level, Level]:
        """Close an interval by false position, with ends that are weighed down where they stay."""
        side = rounds = 0
        while high - low > 1:
            guess = low + round((high - low) * -below / (above - below)) if above < inf else 0
            if rounds % (_SLOW + 1) == _SLOW or not low < guess < high:
                guess = min(max(guess, low + 1), high - 1) if side == 0 else (low + high) // 2
            value, kept = self.at(guess)
            if kept:
                low, below, above = guess, min(value, 0.0), above / 2 if side == 1 else above
            else:
                high, above, below = guess, value, below / 2 if side == -1 else below
            side, rounds = (1 if kept else -1), rounds + 1
        return self._level(low), self._level(high)

    def _level(self, multiple: int) -> Level:
        return Level.of_nats(multiple * self.step)
