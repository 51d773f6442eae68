"""The best data-independent redaction about one private record: which window around it to redact,
exactly.

A deterministic pattern leaks what its nearest released records show, at distances l and r from p.
With pointwise influences i0, i1 of the common and the rare value (i0 <= i1), a pair leaks

    i1(l) + i1(r)                                 for lam >= 0, or l + r even,
    max(i0(l) + i1(r), i1(l) + i0(r))             for lam < 0 and l + r odd.

Floats discard what is clearly too much or too little, exact comparisons decide the rest. Source of
the setting: massny2025, Section III; the published bounds on these patterns are claims of
`pufferproof.claims.papers.massny2025`.
"""

from dataclasses import dataclass
from itertools import count
from math import log1p

from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

RESTS_ON = ("massny2025.x-dim-leakage", "redaction.dim-pairs", "redaction.dim-optimum")
_CLOSE = 1e-9  # influences as floats are precise to 1e-11 of their size


@dataclass(frozen=True)
class Window:
    """The nearest released distances left and right of p; one more than the side has records
    where nothing is released.
    """

    left: int
    right: int
    mechanism: LocalRedaction


def best_window(chain: BinaryChain, private: int, level: Level) -> Window:
    """Return the data-independent mechanism with deterministic redactions that releases the most
    within a level.

    Nothing more is learnt beyond the nearest released records, so the best pattern for (l, r)
    releases everything else, and only pairs are searched. At even distances, and at all for lam >
    0, the common value speaks for X_p = common, at odd ones for lam < 0 against it.

    Of several the one that releases most on the left.

    >>> window = best_window(BinaryChain("1/4", "1/2", 6), 3, Level.log(2))
    >>> window.left, window.right, window.mechanism.released
    (2, 2, (1, 5, 6))
    """
    left, right = private, chain.length - private + 1
    search = _WidestWindow(chain, level)
    best = left, right
    for near in range(1, left + 1):
        most = min(right, sum(best) - near - 1)  # shorter windows only
        far = search.first_right(near if near < left else None, right, most)
        if far is not None:
            best = near, far
    released = [t for t in range(1, chain.length + 1) if t <= private - best[0] or t >= private + best[1]]
    return Window(*best, LocalRedaction.releasing(released, chain.length))


class _WidestWindow:
    """Influences as floats, and exact decisions where those are close."""

    def __init__(self, chain: BinaryChain, level: Level) -> None:
        self.chain, self.level = chain, level
        self.budget = float(level.enclosure().upper)
        self.common = chain.common_value
        self._known: dict[tuple[int, int], float] = {}

    def first_right(self, left: int | None, end: int, most: int) -> int | None:
        """Return the least right distance up to `most` that keeps the level beside `left`;
        `end` and None release nothing.
        """
        low = self._first_possible(left, end)
        for right in count(low):
            if right > most:
                return None
            if self.keeps(left, right if right < end else None):
                return right
        raise AssertionError("counting does not end")

    def _first_possible(self, left: int | None, end: int) -> int:
        """Return a distance below which i1 of the right record alone, beside the least of the left
        one, is too much.

        Every pair leaks at least i0(l) + i1(r), for lam >= 0 i1(l) + i1(r), and i1 decreases.
        """
        value = self.common if self.chain.eigenvalue < 0 else 1 - self.common
        spent = self._nats(value, left) if left is not None else 0.0
        low, high = 0, end
        while high - low > 1:
            middle = (low + high) // 2
            beyond = spent + self._nats(1 - self.common, middle) > self.budget * (1 + _CLOSE) + _CLOSE
            low, high = (middle, high) if beyond else (low, middle)
        return high

    def keeps(self, left: int | None, right: int | None) -> bool:
        """Decide whether releasing at these distances, and beyond, keeps the level."""
        rare = 1 - self.common
        if left is None or right is None:
            alone = [(rare, distance) for distance in (left, right) if distance is not None]
            return self._within(alone)
        # massny2025.x-dim-leakage
        if self.chain.eigenvalue >= 0 or (left + right) % 2 == 0:
            return self._within([(rare, left), (rare, right)])
        return self._within([(rare, left), (self.common, right)]) and self._within([(self.common, left), (rare, right)])

    def _within(self, places: list[tuple[int, int]]) -> bool:
        total = sum(self._nats(*place) for place in places)
        margin = _CLOSE * (1 + self.budget)
        if abs(total - self.budget) > margin:
            return total < self.budget
        return not places or self.chain.compare_influences(self.level, *places) <= 0

    def _nats(self, value: int, distance: int) -> float:
        """Return a pointwise influence in nats, up to rounding."""
        if (value, distance) not in self._known:
            lam, odds = self.chain.eigenvalue, self.chain.alpha / self.chain.beta
            decay = float(lam) ** distance
            above = float(odds if value == 0 else 1 / odds) * decay
            self._known[value, distance] = abs(log1p(above) - log1p(-decay))
        return self._known[value, distance]
