"""Whether Laplace noise of one scale on every coordinate keeps a level: decided exactly, without
asking where it leaks most.

    sup over theta, (s, s'), w of f(w | s, theta) / f(w | s', theta) <= e^epsilon

over the outputs w of `pufferproof.verify.noise.ratio.listed`. Balls (Arb) around every ratio and
around e^epsilon mostly tell; outputs where they overlap even at 512 bits are decided by exponential
sums in normal form. Which of many equal ratios is the largest, most of the work of a leakage, is
never asked.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import inf, isinf, prod
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import least, log_approx
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, merged
from pufferproof.verify.noise.ratio.listed import candidate_at, distinct_pairs, ratio_balls, refuse_tiny_noise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


RESTS_ON = ("noise.attained", "noise.decided")
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
        from flint import ctx

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
                values = np.moveaxis(_swept(np.moveaxis(values, k, 0), gaps * rate), 0, k)
            return max(float((values[above] - values[below]).max()) for above, below in zip(self._above, self._below))


def _swept(rows: "NDArray[np.float64]", steps: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return log sum_v e^(rows[v] - distance from v), along the first axis."""
    import numpy as np

    up, down = rows.copy(), np.full_like(rows, -inf)
    for index, step in enumerate(steps.tolist(), 1):
        np.logaddexp(up[index - 1] - step, rows[index], out=up[index])
    for index, step in reversed(list(enumerate(steps.tolist()))):
        np.logaddexp(down[index + 1], rows[index + 1], out=down[index])
        down[index] -= step
    return np.logaddexp(up, down)
