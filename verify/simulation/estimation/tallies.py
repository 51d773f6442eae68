"""From counts to a bound: how often each event happened given either secret.

At a checkpoint with risk r, each of K events has r / K, half of it for either probability. Given
either secret samples are independent, databases drawn anew for each, so that counts are binomial:
the quotient of a Clopper-Pearson lower bound by an upper one exceeds the likelihood ratio with
probability at most r / K. The largest of all, over events and checkpoints, exceeds the leakage with
probability at most the sum of the shares. Where nothing is shown it is 1, and the leakage 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.numbers.binomial import (
    at_least,
    at_least_approx,
    at_most,
    at_most_approx,
)


@dataclass(frozen=True)
class Evidence:
    """What shows a bound: `seen` of `samples` runs had the event, given the first secret of the
    pair and given the second; the probabilities are at least `low` and at most `high`.
    """

    event: int
    seen: tuple[int, int]
    samples: int
    low: Fraction
    high: Fraction

    @property
    def ratio(self) -> Fraction:
        """The bound of the likelihood ratio."""
        return self.low / self.high


@dataclass(frozen=True)
class Counts:
    """How many samples of either secret were drawn, and in how many each event happened."""

    samples: int
    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass
class Tallies:
    """Counts of events given either secret, and the best evidence of all checkpoints."""

    counts: Counts
    best: Evidence | None = None

    @classmethod
    def of(cls, events: int) -> "Tallies":
        """Return those of no samples."""
        return cls(Counts(0, (0,) * events, (0,) * events))

    @property
    def samples(self) -> int:
        """How many samples of either secret were drawn."""
        return self.counts.samples

    def add(self, samples: int, left: Sequence[int], right: Sequence[int]) -> None:
        """Count more samples of both secrets, in one step: an interruption leaves no half of it."""
        before = self.counts
        self.counts = Counts(
            before.samples + samples,
            tuple(map(sum, zip(before.left, left))),
            tuple(map(sum, zip(before.right, right))),
        )

    def bound(self, risk: Fraction) -> None:
        """Bound the events at a checkpoint, and keep the largest bound: proved for the event alone
        for which floats say that it is the largest.
        """
        counts = self.counts
        part = risk / (2 * len(counts.left))
        event = max(range(len(counts.left)), key=lambda each: self._ratio_approx(each, part))
        known = 1.0 if self.best is None else float(self.best.ratio)
        if self._ratio_approx(event, part) <= known:
            return
        seen = counts.left[event], counts.right[event]
        low, high = at_least(seen[0], self.samples, part), at_most(seen[1], self.samples, part)
        found = Evidence(event, seen, self.samples, low, high)
        if found.ratio > (1 if self.best is None else self.best.ratio):
            self.best = found

    def _ratio_approx(self, event: int, part: Fraction) -> float:
        left, right = self.counts.left[event], self.counts.right[event]
        low = at_least_approx(left, self.samples, part)
        return low / at_most_approx(right, self.samples, part)
