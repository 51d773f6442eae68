"""How much rows of P^d differ at most, for every transition matrix in a box: bounds that fall with
the distance d.

With R(d) >= P^d(u, y) / P^d(u', y) for all u, u', A the most mass that row u can have on a set S
and B the least that row u' can,

    R(d+1) = max over sets S of (1 + (R(d) - 1) A(u, S)) / (1 + (R(d) - 1) B(u', S)),

and R(d+1) - 1 <= (R(d) - 1) max (A - B): rows forget. Numbers are integers over 2^192, rounded
upwards. Source: Seneta, Non-negative Matrices and Markov Chains, chapter 3.
"""

from functools import cached_property, lru_cache
from itertools import combinations

from pufferproof.verify.influence.box.powers import BITS, ONE, BoxPowers

RESTS_ON = ("influence.contrast",)
MOST_STATES = 5
_STEPS = 32
_FIRST = 8  # the last power whose entries may be the first without zeros

# over 2^192, by pairs of rows; a pair without a bound is left out
Ratios = dict[tuple[int, int], int]


class Contrast:
    """Bounds of P^d(u, y) / P^d(u', y) over the box of some powers.

    In units of its least entry the column h = P^d(., y) is between 1 and R(d), and the sum of P(u,
    z) h(z) over that of P(u', z) h(z) is largest where h is 1 or R(d) (influence.contrast).
    """

    def __init__(self, powers: BoxPowers) -> None:
        self.powers, self.step, self.states = powers, powers.step, range(powers.states)
        self.ratios = lru_cache(maxsize=None)(self._ratios)

    def most(self, distance: int, end: int, above: int | None, below: int | None) -> int | None:
        """Return a bound at y = `end` of a pair of rows u, u', the largest where one is None,
        or None if there is none.
        """
        ratios = self.ratios(distance, end)
        pairs = [
            (u, w)
            for u in self.states
            for w in self.states
            if above in (u, None) and below in (w, None)
        ]
        apart = [pair for pair in pairs if pair[0] != pair[1]]
        if any(pair not in ratios for pair in apart):
            return None
        return max((ONE if len(apart) < len(pairs) else 0, *(ratios[pair] for pair in apart)))

    def _ratios(self, distance: int, end: int) -> Ratios:
        pairs = [(u, w) for u in self.states for w in self.states if u != w]
        if distance == 1:
            return self._quotients(distance, end, pairs)
        if distance > _STEPS:
            return self._far(distance, end, pairs)
        before = self.ratios(distance - 1, end)
        if len(before) < len(pairs):
            return self._quotients(distance, end, pairs) if distance <= _FIRST else {}
        rise = max(before.values()) - ONE
        whole = ONE << BITS
        # influence.contrast: (1 + (R - 1) A) / (1 + (R - 1) B), rounded up
        return {
            pair: max(-((-(whole + rise * a) << BITS) // (whole + rise * b)) for a, b in masses)
            for pair, masses in self._masses.items()
        }

    def _quotients(self, distance: int, end: int, pairs: list[tuple[int, int]]) -> Ratios:
        lower, upper = self.powers.power(distance).value
        return {
            (u, w): -(-(upper[u][end] << BITS) // lower[w][end]) for u, w in pairs if lower[w][end]
        }

    def _far(self, distance: int, end: int, pairs: list[tuple[int, int]]) -> Ratios:
        near = self.ratios(_STEPS, end)
        if len(near) < len(pairs):
            return {}
        factor, rise, left = self._contraction, max(near.values()) - ONE, distance - _STEPS
        while left:
            if left % 2:
                rise = -(-rise * factor >> BITS)
            factor = -(-factor * factor >> BITS)
            left //= 2
        return dict.fromkeys(pairs, ONE + rise)

    @cached_property
    def _contraction(self) -> int:
        return max(a - b for masses in self._masses.values() for a, b in masses)

    @cached_property
    def _masses(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """The most mass of row u and the least of row u' on every set of states."""
        sets = [
            set(chosen) for size in self.states for chosen in combinations(self.states, size + 1)
        ]
        most = [
            [self._mass(row, other, chosen) for chosen in sets]
            for row, other in zip(self.step.upper, self.step.lower)
        ]
        full = [set(self.states) - chosen for chosen in sets]
        least = [
            [ONE - self._mass(row, other, rest) for rest in full]
            for row, other in zip(self.step.upper, self.step.lower)
        ]
        return {
            (u, w): list(zip(most[u], least[w])) for u in self.states for w in self.states if u != w
        }

    def _mass(self, upper: list[int], lower: list[int], chosen: set[int]) -> int:
        """Return the most mass of a row on a set."""
        inside, outside = (
            sum(upper[z] for z in chosen),
            sum(lower[z] for z in self.states if z not in chosen),
        )
        return max(0, min(inside, ONE - outside))
