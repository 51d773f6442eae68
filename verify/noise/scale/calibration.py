"""What Laplace noise of a calibrated scale really leaks, and the smallest scale that would have
kept the level.

More noise never leaks more: Laplace noise of scale c > b is Laplace noise of scale b plus
independent noise that is 0 with probability (b/c)^2 and else Laplace of scale c, since

    1 / (1 + c^2 t^2) = 1 / (1 + b^2 t^2) * [ (b/c)^2 + (1 - (b/c)^2) / (1 + c^2 t^2) ]

for the characteristic functions. So the exact leakage falls in the scale, and the least scale that
keeps a level lies between one that does not and one that does. Floats propose two that are close;
exact comparisons decide about both, and bisect where floats were wrong. Scale 0 is no noise.
Mechanisms are in `pufferproof.models.mechanisms`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import inf, isinf, prod

from flint import ctx

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.wasserstein import Conditional, Wasserstein, wasserstein_of
from pufferproof.models.numbers.enclosures import least, log_approx
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage, nothing_to_check
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, merged
from pufferproof.verify.noise.ratio.listed import (
    NoiseLeakage,
    candidate_at,
    claims_about,
    distinct_pairs,
    largest_ratio,
    ratio_balls,
    refuse_tiny_noise,
)

# Whether Laplace noise of one scale on every coordinate keeps a level: decided exactly, without asking where it leaks
# most.
#
#     sup over theta, (s, s'), w of f(w | s, theta) / f(w | s', theta) <= e^epsilon
#
# over the outputs w of `pufferproof.verify.noise.ratio.listed`. Balls (Arb) around every ratio and around e^epsilon
# mostly tell; outputs where they overlap even at 512 bits are decided by exponential sums in normal form. Which of
# many equal ratios is the largest, most of the work of a leakage, is never asked.

LEVEL_RESTS_ON = ("noise.attained", "noise.decided")
_BITS = (128, 512)
_MOST_CELLS = 10_000_000  # of all grids together: beyond, a guess takes longer than it saves


class LaplaceLevel:
    """The laws of a query beside a level, asked about Laplace noise of many scales.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.verify.noise.laws.of_framework import LawPair
    >>> pair = LawPair("theta", ("s", "t"), {(Fraction(0),): Fraction(1)}, {(Fraction(1),): Fraction(1)})
    >>> bit = LaplaceLevel(QueryLaws((Noise.laplace(1),), (pair,), 0, ()), Level.of_nats(2))
    >>> bit.exceeds(Fraction(1, 2)), bit.exceeds(Fraction(49, 100))
    (False, True)

    Args:
        laws: at least one pair of laws; the noise in it is not used.
        level: what the leakage is compared with.

    Raises `TooLargeError` unless every pair has at most 200,000 candidates.
    """

    def __init__(self, laws: QueryLaws, level: Level) -> None:
        fewer = merged([Power.exp(Fraction(-1))] * len(laws.noises), laws.pairs)
        self.level = level
        self._rates = fewer.decays  # at scale 1
        self._pairs = [fewer.pairs[index] for index in distinct_pairs(fewer.pairs)[0]]

    def exceeds(self, scale: Fraction) -> bool:
        """Say whether noise of a scale leaks more than the level. Raises `ModelError` for noise
        too small for enclosures.
        """
        decays = [rate.to(1 / scale) for rate in self._rates]
        refuse_tiny_noise(decays, self._pairs)
        left: dict[int, set[int]] = {index: set() for index in range(len(self._pairs))}
        for bits in _BITS:
            overlaps = self._overlaps(decays, list(left), bits)
            if overlaps is None:
                return True
            left = overlaps
        return any(
            candidate_at(self._pairs[index], output, decays).compare(self.level) > 0
            for index, places in left.items()
            for place, output in enumerate(product(*self._pairs[index].axes))
            if place in places
        )

    def guess(self, start: Fraction, told: Callable[[float], None]) -> Fraction | None:
        """Return about the least scale that keeps the level, looked for around `start`, or None if
        floats find none.

        `told` is called with the relative width that is left, before every leakage in floats.
        """
        if sum(prod(map(len, pair.axes)) for pair in self._pairs) > _MOST_CELLS:
            return None
        scale = least_scale_approx([-rate.nats for rate in self._rates], self._pairs, self.level, start, told)
        return None if scale is None else Fraction(scale)

    def _overlaps(self, decays: Sequence[Power], left: Sequence[int], bits: int) -> dict[int, set[int]] | None:
        """Return the places on the grids of the pairs left where balls do not tell, or None if a
        ratio is above e^epsilon.
        """
        import numpy as np

        overlaps: dict[int, set[int]] = {}
        with ctx.workprec(bits):
            bar = self.level.ball()
            for index, ratios in ratio_balls(decays, self._pairs, left):
                if (ratios > bar).any():
                    return None
                places = np.flatnonzero(~(ratios < bar).astype(bool))
                if len(places):
                    overlaps[index] = set(places.tolist())
        return overlaps


# Least approx -------------------------------------------------------------------------------------
#
# The leakage of Laplace noise of any scale in floats, to guess a scale with. Nothing is decided
# here.
#
#     log f(w | s) = log sum_v P(F = v | s) prod_k e^(-r_k |w_k - v_k| / b)
#
# by two sweeps along every axis, as in `pufferproof.verify.noise.ratio.listed`, but of logarithms,
# where nothing underflows.

_STEPS = 100  # of doubling or halving a scale
_CLOSE = 1e-13  # relative width at which bisection ends

Grid = tuple[tuple[Fraction, ...], ...]


def least_scale_approx(
    rates: Sequence[Fraction], pairs: Sequence[LawPair], level: Level, start: Fraction, told: Callable[[float], None]
) -> float | None:
    """Return about the least scale of Laplace noise that keeps a level, or None if floats find
    none.

    The relative error, not proved, is mostly below 1e-12; it is larger where the leakage hardly
    changes with the scale.

    Args:
        rates: r_k of every coordinate, whose noise has scale b / r_k.
        pairs: at least one pair of laws of these coordinates.
        start: where the search begins.
        told: called with the relative width that is left, before every leakage.
    """
    try:
        nats = (
            float(level.nats)
            if level.ratio is None and level.nats is not None
            else log_approx(level.ratio or Fraction(1))
        )
        leakage, epsilon, scale = LeakageApprox(rates, pairs), nats, float(start)

        def keeps(scale: float) -> bool:
            return leakage.at(scale) <= epsilon

        told(inf)
        factor = 0.5 if keeps(scale) else 2.0
        for _ in range(_STEPS):
            before, scale = scale, factor * scale
            if isinf(scale):
                return None
            told(inf)
            if keeps(scale) == (factor > 1):
                ends = min(before, scale), max(before, scale)
                return sum(least(keeps, ends, relative=_CLOSE, told=told)) / 2
    except (OverflowError, ZeroDivisionError):  # a number that is no float, a scale that is 0 in floats
        return None
    return None


class LeakageApprox:
    """The leakage of Laplace noise of many scales. Pairs with the same grid are swept together."""

    def __init__(self, rates: Sequence[Fraction], pairs: Sequence[LawPair]) -> None:
        self._rates = [float(rate) for rate in rates]
        members: dict[Grid, list[LawPair]] = {}
        for pair in pairs:
            members.setdefault(tuple(map(tuple, pair.axes)), []).append(pair)
        self._sweeps = [_LogarithmSweep(grid, member) for grid, member in members.items()]

    def at(self, scale: float) -> float:
        """Return the leakage in nats; its error is about 1e-16 times the number of values of a
        coordinate, not proved.
        """
        return max(sweep.leakage([rate / scale for rate in self._rates]) for sweep in self._sweeps)


class _LogarithmSweep:
    """The logarithms of all laws on one grid, stacked along the first axis."""

    def __init__(self, grid: Grid, pairs: Sequence[LawPair]) -> None:
        import numpy as np

        self._gaps = [np.diff(np.array([float(value) for value in axis])) for axis in grid]
        places = [{value: index for index, value in enumerate(axis)} for axis in grid]
        laws = {id(law): law for pair in pairs for law in (pair.above, pair.below)}
        self._logs = np.full([len(laws), *map(len, grid)], -inf)
        for row, law in zip(self._logs, laws.values()):
            for vector, p in law.items():
                row[tuple(place[value] for place, value in zip(places, vector))] = log_approx(p)
        rows = {key: row for row, key in enumerate(laws)}
        self._above = [rows[id(pair.above)] for pair in pairs]
        self._below = [rows[id(pair.below)] for pair in pairs]

    def leakage(self, rates: Sequence[float]) -> float:
        """Return the largest log ratio of these pairs."""
        import numpy as np

        values = self._logs
        with np.errstate(
            over="ignore", invalid="ignore"
        ):  # infinite steps, of far too little noise, make nan of ratios
            for k, (gaps, rate) in enumerate(zip(self._gaps, rates), 1):
                # log sum_v e^(rows[v] - distance from v), along the first axis
                rows = np.moveaxis(values, k, 0)
                steps = gaps * rate
                up, down = rows.copy(), np.full_like(rows, -inf)
                for index, step in enumerate(steps.tolist(), 1):
                    np.logaddexp(up[index - 1] - step, rows[index], out=up[index])
                for index, step in reversed(list(enumerate(steps.tolist()))):
                    np.logaddexp(down[index + 1], rows[index + 1], out=down[index])
                    down[index] -= step
                values = np.moveaxis(np.logaddexp(up, down), 0, k)
            return max(float((values[above] - values[below]).max()) for above, below in zip(self._above, self._below))


RESTS_ON = ("noise.monotone",)
SMALLEST_RESTS_ON = united(RESTS_ON, LEVEL_RESTS_ON)
# the number of a comparison, and the relative width that is left (infinite: unknown)
Progress = Callable[[int, float], None]

_WIDTH = Fraction(1, 10**10)  # relative
_MARGIN = _WIDTH * Fraction(2, 5)  # on either side of a guess
_GROWTH = 8  # of the margin, where the guess was wrong


def wasserstein_scale(laws: QueryLaws, level: Level) -> Wasserstein:
    """Return the scale of the Wasserstein mechanism for the laws of a query. Raises
    `ModelError` as the mechanism does.
    """
    return wasserstein_of((Conditional(pair.prior, pair.pair, pair.above, pair.below) for pair in laws.pairs), level)


def leakage_at(laws: QueryLaws, scale: Fraction) -> Leakage:
    """Return the exact leakage of Laplace noise of some scale on every coordinate, without noise for scale 0."""
    return _noiseless(laws) if not scale else _noisy(laws, scale).leakage


def leakage_rests_on(laws: QueryLaws, scale: Fraction) -> tuple[str, ...]:
    """Return the claims that `leakage_at` rests on."""
    noise = Noise.laplace(1)  # any scale
    return united(laws.claims, claims_about([noise] * len(laws.noises)) if scale else ())


def smallest_scale(
    laws: QueryLaws, level: Level, start: Fraction = Fraction(1), progress: Progress | None = None
) -> tuple[Fraction, Fraction]:
    """Return bounds of the least scale b whose noise leaks at most epsilon, of relative width
    10^-10; both 0 if none is needed.

    The upper one keeps the level and the lower one does not, decided exactly.

    Args:
        start: where the search begins.
        progress: called before every comparison of a leakage with the level, those in floats
            included.

    Raises `ModelError` where there is no pair to check, noise is needed and the level is 0, or
    noise is too small for enclosures, and `TooLargeError` where a pair of secrets has more than
    200,000 candidates.
    """
    if not laws.pairs:
        raise nothing_to_check()
    bare = _noiseless(laws).lower
    if bare is not None and level.compare(bare) <= 0:
        return Fraction(0), Fraction(0)
    if level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "level")
    question = LaplaceLevel(laws, level)
    told = Comparisons(progress)
    guess = question.guess(start, told)
    if guess is None:
        return enclosed(question.exceeds, start, Fraction(1), told)
    return enclosed(question.exceeds, guess, told=told)


def enclosed(
    exceeds: Callable[[Fraction], bool],
    guess: Fraction,
    margin: Fraction = _MARGIN,
    told: Callable[[float], None] = lambda width: None,
) -> tuple[Fraction, Fraction]:
    """Return a scale that exceeds the level and a larger one that does not, of relative width
    10^-10.

    Outwards from the guess, by a factor of 1 + `margin` first, until both are at hand; then by
    bisection. `exceeds` must not be true above a scale where it is false; `told` is called with the
    relative width that is left, before each scale.

    >>> low, high = enclosed(lambda scale: scale**2 < 2, Fraction(7, 5))
    >>> f"{float(low):.8f}", f"{float(high):.8f}"
    ('1.41421356', '1.41421356')
    """

    def keeps(scale: Fraction) -> bool:
        return not exceeds(scale)

    def kept(scale: Fraction) -> bool:
        told(float(2 * margin))
        return keeps(scale)

    low = guess / (1 + margin)
    if kept(low):
        high, margin = low, _GROWTH * margin
        while kept(low := guess / (1 + margin)):
            high, margin = low, _GROWTH * margin
    else:
        while not kept(high := guess * (1 + margin)):
            low, margin = high, _GROWTH * margin
    return least(keeps, (low, high), relative=_WIDTH, told=told)


class Comparisons:
    """Counts comparisons, and tells how many there were and which relative width is left."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress, self._number = progress, 0

    def __call__(self, width: float) -> None:
        self._number += 1
        if self._progress is not None:
            self._progress(self._number, width)


def _noisy(laws: QueryLaws, scale: Fraction) -> NoiseLeakage:
    noise = Noise.laplace(scale)
    return largest_ratio([noise] * len(laws.noises), laws.pairs, laws.excluded, laws.never)


def _noiseless(laws: QueryLaws) -> Leakage:
    largest = Fraction(1)
    for pair in laws.pairs:
        for value, probability in pair.above.items():
            if value not in pair.below:
                return Leakage.of(None)
            largest = max(largest, probability / pair.below[value])
    return Leakage.of(largest)
