"""The largest ratio of averages along one side of a chain, over all tilts of its records.

A tilt of record t multiplies by a factor m_t(z) of its value z, from 1 / r_t(z) to r_t(z). With
D_t = diag(m_t), tilts being common, the ratio of

    e_v K D_1 K D_2 .. K D_n ends    and    e_w K D_1 K D_2 .. K D_n ends

is at most b iff no tilts make sum_z c_n(z) ends(z) positive, where

    c_0 = e_v - b e_w,    c_t = (c_(t-1) K) D_t.

The best tilt of a record is r_t(z) where its coefficient is positive, 1 / r_t(z) where it is
negative: one walk decides about b, and may end where none is positive. Floats propose the least b
by Newton's method; a walk that is rounded upwards shows a number just above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.sequences.chain import Along, Chain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.tilts",)
MOST_STEPS = 4_096  # of a walk; a chain that has not mixed by then may have no bound
_SLACKS = (2.0**-40, 2.0**-30, 2.0**-20, 2.0**-10, 2.0**-5)  # above the root, relative
_ROUND = 2.0**-52  # twice the relative error of a rounding
_TINY = 1e-290  # above what products lose that are too small for floats
_MOST_GUESSES = 40
_CLOSE = 1e-13  # relative, of two guesses
MOST_WALKED = 2**18  # steps of the walks of all sides that differ
_LEAST = Fraction(1, 10**200)  # a smaller probability has too few digits as a float
_BITS = 128
_EVERY = 16  # steps after which it is asked whether a walk has told everything


@dataclass(frozen=True)
class Tilts:
    """What multiplies the values of a record: floats at least r(z), and at most 1 / r(z)."""

    up: "NDArray[np.float64]"
    down: "NDArray[np.float64]"


Runs = Sequence[tuple[int, Tilts]]
"""Numbers of records in a row, the nearest first, with their tilts."""


@dataclass(frozen=True)
class Start:
    """What b is compared with: floats around the weights of e_v and e_w, as (low, high)."""

    one: int
    other: int
    above: tuple[float, float] = (1.0, 1.0)
    below: tuple[float, float] = (1.0, 1.0)


def tilted_ratios(
    kernel: "NDArray[np.float64]",
    runs: Runs,
    ends: "tuple[NDArray[np.float64], NDArray[np.float64]]",
    starts: Sequence[Start],
) -> "tuple[NDArray[np.float64], int]":
    """Return upper bounds of the largest ratios, infinite where none is shown, and how many steps
    showed them.

    Args:
        kernel: K, k x k, every entry with a relative error of at most 2^-53.
        runs: the tilts of the records from the nearest to the farthest.
        ends: floats that are at most and at least `ends`, for every value.
        starts: the pairs v, w with their weights.

    >>> import numpy as np
    >>> kernel = np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> twice = Tilts(np.array([2.0, 2.0]), np.array([0.5, 0.5]))
    >>> ones = np.ones(2)
    >>> found, steps = tilted_ratios(kernel, [(2, twice)], (ones, ones), [Start(0, 1)])
    >>> round(float(found[0]), 9), steps  # 163 / 73
    (2.232876712, 2)
    """
    import numpy as np

    found = np.full(len(starts), np.inf)
    with np.errstate(all="ignore"):
        guesses = _guesses(kernel, runs, ends[1], starts)
        used = 0
        for slack in _SLACKS:
            left = [k for k in range(len(starts)) if np.isinf(found[k]) and guesses[k] < np.inf]
            if not left:
                break
            tried = guesses[left] * (1 + slack)
            shown, steps = _shown(kernel, runs, ends, [starts[k] for k in left], tried)
            found[left] = np.where(shown, tried, np.inf)
            used = max(used, steps)
    return found, used


def _guesses(
    kernel: "NDArray[np.float64]",
    runs: Runs,
    ends: "NDArray[np.float64]",
    starts: Sequence[Start],
) -> "NDArray[np.float64]":
    """Return floats near the least numbers b, by Newton's method: the ratio at the tilts that are
    best for one b is a larger one.
    """
    import numpy as np

    guess = np.zeros(len(starts))
    for _ in range(_MOST_GUESSES):
        one, other = np.zeros((2, len(starts), len(kernel)))
        for k, start in enumerate(starts):
            one[k, start.one], other[k, start.other] = start.above[1], start.below[0]
        at, steps = guess[:, None], 0
        for length, run in runs:
            for _ in range(min(length, MOST_STEPS - steps)):
                one, other = one @ kernel, other @ kernel
                tilts = np.where(one - at * other > 0, run.up, run.down)
                one, other = one * tilts, other * tilts
                size = np.maximum(one, other).max(axis=1, keepdims=True)
                one, other = one / size, other / size
                steps += 1
                if steps % _EVERY == 0 and _proportional(one, other):
                    break
            if steps >= MOST_STEPS or _proportional(one, other):
                break
        closer = (one * ends).sum(axis=1) / (other * ends).sum(axis=1)
        closer = np.where(np.isfinite(closer), closer, np.inf)
        done = ~(closer > guess * (1 + _CLOSE))
        guess = np.maximum(guess, closer)
        if done.all():
            break
    return guess


def _proportional(one: "NDArray[np.float64]", other: "NDArray[np.float64]") -> bool:
    """Whether no later tilt changes the ratios any more, as far as floats tell."""
    import numpy as np

    none, ratios = (one == 0) & (other == 0), one / other
    least = np.where(none, np.inf, ratios).min(axis=1)
    most = np.where(none, 0.0, ratios).max(axis=1)
    return bool((most <= least * (1 + _CLOSE / 8)).all())


def _shown(
    kernel: "NDArray[np.float64]",
    runs: Runs,
    ends: "tuple[NDArray[np.float64], NDArray[np.float64]]",
    starts: Sequence[Start],
    bounds: "NDArray[np.float64]",
) -> "tuple[NDArray[np.bool_], int]":
    """Return which numbers are shown to be bounds, and after how many steps no more were.

    Coefficients are rounded upwards at every step: a larger one never makes the sum smaller, what
    it multiplies being at least 0.
    """
    import numpy as np

    values = np.zeros((len(starts), len(kernel)))
    for k, (start, bound) in enumerate(zip(starts, bounds)):
        values[k, start.one] += start.above[1]
        values[k, start.other] -= np.nextafter(bound * start.below[0], -np.inf)
    values = np.where(values == 0, 0.0, np.nextafter(values, np.inf))
    shown = np.all(values <= 0, axis=1)
    steps, used = 0, 0
    for length, run in runs:
        for _ in range(length):
            if shown.all() or steps == MOST_STEPS:
                return shown, used
            values = _moved(values, kernel, run)
            steps += 1
            now = np.all(values <= 0, axis=1)
            used = steps if (now & ~shown).any() else used
            shown |= now
    reached = np.where(values > 0, values * ends[1], values * ends[0])
    error = (len(kernel) + 8) * _ROUND * np.abs(reached).sum(axis=1)
    return shown | (reached.sum(axis=1) + error + _TINY < 0), steps


def _moved(
    values: "NDArray[np.float64]", kernel: "NDArray[np.float64]", run: Tilts
) -> "NDArray[np.float64]":
    """Return upper bounds of the coefficients after one more record, up to a common factor."""
    import numpy as np

    reached = (values != 0).astype(float) @ (kernel > 0) > 0
    sizes = np.abs(values) @ kernel
    moved = values @ kernel + (len(kernel) + 8) * _ROUND * sizes + _TINY
    tilted = np.nextafter(moved * np.where(moved > 0, run.up, run.down), np.inf)
    scale = np.exp2(-np.frexp(np.abs(tilted).max(axis=1, keepdims=True))[1])
    scaled = np.nextafter(tilted * np.where(np.isfinite(scale), scale, 1.0), np.inf)
    return np.where(reached, scaled, 0.0)


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
    def of(cls, chain: Chain, tilts: Sequence[tuple[int, int, Tilts]]) -> "TiltedSides | None":
        """Return those of a chain, None if it is hidden, or no chain, or has too rare steps."""
        if chain.rows is not None or chain.emission is not None:
            return None
        if any(0 < p < _LEAST for row in chain.step for p in row):
            return None
        count = max(last for _, last, _ in tilts)
        return cls(chain, chain.along(count, "enclosed", _BITS), tilts)

    def ratios(
        self, record: int, values: Sequence[tuple[int, int]]
    ) -> list[tuple[Fraction, Fraction]] | None:
        """Return bounds of what the records before and after a record tell of pairs of its values;
        None if there is none.
        """
        before = self._side(record, values, later=False)
        after = self._side(record, values, later=True)
        return None if before is None or after is None else list(zip(before, after))

    def _side(
        self, record: int, values: Sequence[tuple[int, int]], later: bool
    ) -> list[Fraction] | None:
        import numpy as np

        runs = self._runs(record, later)
        if not runs:
            return [Fraction(1)] * len(values)
        starts = self._starts(record, values, later)
        for walk in self._known:
            if walk.holds(later, starts, runs):
                return walk.found
        self._steps += min(sum(length for length, _ in runs), MOST_STEPS)
        if self._steps > MOST_WALKED:
            return None
        step, ends = self._step.T, self._start
        if later:
            step, ends = self._step, (np.ones(len(step)), np.ones(len(step)))
        ratios, used = tilted_ratios(step, runs, ends, starts)
        if not np.isfinite(ratios).all():
            return None
        walk = _Walk(later, starts, runs, used, [Fraction(float(ratio)) for ratio in ratios])
        self._known.append(walk)
        return walk.found

    def _runs(self, record: int, later: bool) -> Runs:
        """Return the tilts of the records on one side, the nearest first."""
        first, last = (record + 1, self.laws.length) if later else (1, record - 1)
        inside = [
            (min(last, end) - max(first, start) + 1, tilts)
            for start, end, tilts in self.tilts
            if max(first, start) <= min(last, end)
        ]
        return inside if later else inside[::-1]

    def _starts(
        self, record: int, values: Sequence[tuple[int, int]], later: bool
    ) -> tuple[Start, ...]:
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
