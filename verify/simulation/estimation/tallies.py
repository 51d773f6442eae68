"""Counts of events in calls with either secret, the best evidence so far, and signs of drift."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.verify.simulation.estimation.betting import Evidence, Prior, nats_approx

_PARTS = 8  # of the samples that are meant to be drawn, so that the first can be held to the last
_CHANCE = 1e-3  # that a sampler whose law stays is said to drift, about

Sides = tuple[int, int]


@dataclass(frozen=True)
class EventCounts:
    """How many calls had either secret, and in how many of these each event happened."""

    calls: Sides
    seen: tuple[tuple[int, ...], tuple[int, ...]]

    @classmethod
    def of(cls, events: int) -> "EventCounts":
        """Return those of no calls."""
        return cls((0, 0), ((0,) * events, (0,) * events))

    def __add__(self, other: "EventCounts") -> "EventCounts":
        left, right = (tuple(map(sum, zip(*each))) for each in zip(self.seen, other.seen))
        calls = self.calls[0] + other.calls[0], self.calls[1] + other.calls[1]
        return EventCounts(calls, (left, right))


@dataclass
class Tallies:
    """Counts of each part of the run, of about `width` calls, and the best evidence at any time.

    `lost` are calls without a known output, each of which counts as one with the second secret and
    with every event. A bet (q/rho)^a ((1-q)/(1-rho))^b with q >= rho grows in a and falls in b, so
    that it is at most what it would be, whatever these calls gave.
    """

    width: int
    parts: list[EventCounts]
    lost: int = 0
    best: Evidence | None = None
    nats_approx: float = 0.0

    @classmethod
    def of(cls, events: int, meant: int) -> "Tallies":
        """Return those of no samples, of a run that is meant to draw so many."""
        return cls(-(-meant // _PARTS), [EventCounts.of(events)])

    @property
    def counts(self) -> EventCounts:
        """All of them, with those that are lost."""
        known, lost = _sum(self.parts), self.lost
        calls, (left, right) = known.calls, known.seen
        return EventCounts(
            (calls[0], calls[1] + lost), (left, tuple(seen + lost for seen in right))
        )

    @property
    def samples(self) -> int:
        """How many calls there were."""
        return sum(self.counts.calls)

    def add(self, more: EventCounts) -> None:
        """Count more calls."""
        if sum(self.parts[-1].calls) < self.width:
            self.parts = [*self.parts[:-1], self.parts[-1] + more]
            return
        if len(self.parts) >= 2 * _PARTS:
            self.width *= 2
            self.parts = [one + other for one, other in zip(self.parts[::2], self.parts[1::2])]
        self.parts = [*self.parts, more]

    def bound(self, priors: Sequence[Prior], risk: Fraction) -> None:
        """Bound the likelihood ratio of every event in floats, and keep what shows the largest
        bound of all times. Each event has an equal part of the risk, for all times.
        """
        counts, part = self.counts, risk / len(priors)
        for event, (prior, seen) in enumerate(zip(priors, zip(*counts.seen))):
            if (nats := nats_approx(seen, prior, part)) > self.nats_approx:
                self.nats_approx = nats
                self.best = Evidence(event, seen, counts.calls, prior, part)

    @property
    def drift(self) -> bool:
        """Whether an event came more often, or less, in the last half of the calls with a secret
        than in the first, by more than chance explains. Of no consequence for the bound.
        """
        half = len(self.parts) // 2
        if not half:
            return False
        first, last = _sum(self.parts[:half]), _sum(self.parts[len(self.parts) - half :])
        events = len(first.seen[0])
        return any(
            _differ_approx((before, after), (first.calls[side], last.calls[side]), 2 * events)
            for side in (0, 1)
            for before, after in zip(first.seen[side], last.seen[side])
        )


def _sum(parts: Sequence[EventCounts]) -> EventCounts:
    return sum(parts[1:], parts[0])


def _differ_approx(seen: Sides, calls: Sides, comparisons: int) -> bool:
    """Whether two shares differ: their angles arcsin sqrt are about normal."""
    if 0 in calls:
        return False
    one, other = (math.asin(math.sqrt(each / total)) for each, total in zip(seen, calls))
    spread = math.sqrt(1 / (4 * calls[0]) + 1 / (4 * calls[1]))
    return math.erfc(abs(one - other) / spread / math.sqrt(2)) < _CHANCE / comparisons
