"""The records before and after others along one chain, and what they tell of a record at most
(`pufferproof.verify.noise.accounts.tilted`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.sequences.chain import Along, Chain
from pufferproof.verify.noise.accounts.tilted import Runs, Start, Tilts, shown_bounds, tilted_ratios

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.tilts",)
MOST_WALKED = 2**20  # steps of the walks of sides that differ, before the last of them
_LEAST = 1e-200  # a smaller probability has too few digits as a float
_BITS = 128
_MOST_APART = 8  # steps after which worlds are compared no more


@dataclass(frozen=True)
class Side:
    """What `tilted_ratios` is asked: the records on one side of a record, the nearest first."""

    kernel: "NDArray[np.float64]"
    runs: Runs
    ends: "tuple[NDArray[np.float64], NDArray[np.float64]]"
    starts: tuple[Start, ...]


class TiltedSides:
    """The records before and after others along one chain, and the tilts that they are allowed.

    Args:
        chain: not hidden.
        laws: of the same chain, enclosed.
        tilts: first and last record of stretches in order, with the tilts of all their records.
    """

    def __init__(self, chain: Chain, laws: Along, tilts: Sequence[tuple[int, int, Tilts]]) -> None:
        import numpy as np

        self.laws, self.tilts = laws, tilts
        self._step = np.array([[float(p) for p in row] for row in chain.step])
        low, high = ([near(p) for p in chain.start] for near in (below, above))
        self._start = np.array(low), np.array(high)
        self._known: list[_Walk] = []
        self._steps = 0

    @classmethod
    def of(
        cls, chain: Chain, tilts: Sequence[tuple[int, int, Tilts]], laws: Along | None = None
    ) -> "TiltedSides | None":
        """Return those of a chain, None if it is hidden, or no chain, or has too rare steps."""
        if chain.rows is not None or chain.emission is not None:
            return None
        if any(p and float(p) < _LEAST for row in chain.step for p in row):
            return None
        count = max(last for _, last, _ in tilts)
        return cls(chain, laws or chain.along(count, "enclosed", _BITS), tilts)

    def ratios(self, record: int, values: Sequence[tuple[int, int]]) -> list[tuple[Fraction, Fraction]] | None:
        """Return bounds of what the records before and after a record tell of pairs of its values;
        None if there is none.
        """
        before = self.bounds(record, values, later=False)
        after = None if before is None else self.bounds(record, values, later=True)
        return None if before is None or after is None else list(zip(before, after))

    def side(self, record: int, values: Sequence[tuple[int, int]], later: bool) -> "Side":
        """Return the records on one side of a record, and the pairs of its values."""
        import numpy as np

        step, ends = self._step.T, self._start
        if later:
            step, ends = self._step, (np.ones(len(step)), np.ones(len(step)))
        return Side(step, self._runs(record, later), ends, self._starts(record, values, later))

    def law(self, record: int) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        """Return floats that are at most and at least the law of a record."""
        import numpy as np

        balls = self.laws.law_matrix(record).balls.tolist()[0]
        low = [max(0.0, below(dyadic(ball.lower()))) for ball in balls]
        return np.array(low), np.array([above(dyadic(ball.upper())) for ball in balls])

    def bounds(self, record: int, values: Sequence[tuple[int, int]], later: bool) -> list[Fraction] | None:
        """Return bounds of what one side tells; None if none is shown."""
        import numpy as np

        side = self.side(record, values, later)
        if not side.runs:
            return [Fraction(1)] * len(values)
        for walk in self._known:
            if walk.holds(later, side.starts, side.runs):
                return walk.found
        if self._steps > MOST_WALKED:
            return None
        ratios, used = tilted_ratios(side.kernel, side.runs, side.ends, side.starts)
        self._steps += used
        if not np.isfinite(ratios).all():
            return None
        found = [Fraction(float(ratio)) for ratio in ratios]
        walk = _Walk(later, side.starts, side.runs, used, found)
        self._known.append(walk)
        return walk.found

    def of_lengths(
        self, record: int, values: Sequence[tuple[int, int]], later: bool, lengths: Sequence[int]
    ) -> "list[list[Fraction]] | None":
        """Return bounds for several numbers of records on one side, of a chain that starts
        stationary with tilts of all records alike; None if one is not shown.
        """
        import numpy as np

        longest = max(lengths)
        side = self.side(record, values, later)
        runs = [(longest, side.runs[0][1] if side.runs else self.tilts[0][2])]
        starts = [start for _ in lengths for start in side.starts]
        until = np.repeat(np.array(lengths), len(values))
        found, _ = tilted_ratios(side.kernel, runs, side.ends, starts, until)
        if not np.isfinite(found).all():
            return None
        rows: list[list[float]] = found.reshape(len(lengths), len(values)).tolist()
        return [[Fraction(ratio) for ratio in row] for row in rows]

    def shown(self, record: int, values: Sequence[tuple[int, int]], later: bool, bound: Fraction) -> list[bool]:
        """Return whether a number is shown to bound what one side tells of pairs of values."""
        import numpy as np

        side = self.side(record, values, later)
        if not side.runs:
            return [bound >= 1] * len(values)
        bounds = np.full(len(values), below(bound))
        with np.errstate(all="ignore"):
            found, _ = shown_bounds(side.kernel, side.runs, side.ends, side.starts, bounds)
        return [bool(each) for each in found]

    def farthest(self, values: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """Return the pair of values whose worlds stay apart longest, in floats, for a chain that
        starts stationary.
        """
        import numpy as np

        law = self._start[1]
        back = (self._step * law[:, None]).T / law[:, None]
        total = np.zeros_like(back)
        for kernel in (self._step, back):
            power = kernel
            for _ in range(min(self.laws.length, _MOST_APART)):
                total += np.abs(power[:, None, :] - power[None, :, :]).sum(axis=2)
                power = power @ kernel
        return max(values, key=lambda pair: float(total[pair]))

    def _runs(self, record: int, later: bool) -> Runs:
        """Return the tilts of the records on one side, the nearest first."""
        first, last = (record + 1, self.laws.length) if later else (1, record - 1)
        inside = [
            (min(last, end) - max(first, start) + 1, tilts)
            for start, end, tilts in self.tilts
            if max(first, start) <= min(last, end)
        ]
        return inside if later else inside[::-1]

    def _starts(self, record: int, values: Sequence[tuple[int, int]], later: bool) -> tuple[Start, ...]:
        if later:
            return tuple(Start(*pair) for pair in values)
        law = self.laws.law_matrix(record).balls.tolist()[0]
        inverse = {}
        for value in {value for pair in values for value in pair}:
            ball = 1 / law[value]
            inverse[value] = below(dyadic(ball.lower())), above(dyadic(ball.upper()))
        return tuple(Start(one, other, inverse[one], inverse[other]) for one, other in values)


@dataclass(frozen=True)
class _Walk:
    """What is known of one side of a record: bounds that some of the nearest records showed."""

    later: bool
    starts: tuple[Start, ...]
    runs: Runs
    used: int
    found: list[Fraction]

    def holds(self, later: bool, starts: tuple[Start, ...], runs: Runs) -> bool:
        """Whether it also holds for another record: those that showed it are alike."""
        if (later, starts) != (self.later, self.starts):
            return False
        total, other = (sum(length for length, _ in each) for each in (self.runs, runs))
        if self.used >= min(total, other) and total != other:
            return False
        return _first(self.runs, self.used) == _first(runs, self.used)


def _first(runs: Runs, count: int) -> list[tuple[int, tuple[float, ...]]]:
    """Return the tilts of so many of the nearest records."""
    found = []
    for length, tilts in runs:
        if count > 0:
            found.append((min(length, count), tuple(tilts.up.tolist())))
        count -= length
    return found
