"""The leakage of Laplace noise of any scale in floats, to guess a scale with. Nothing is decided
here.

    log f(w | s) = log sum_v P(F = v | s) prod_k e^(-r_k |w_k - v_k| / b)

by two sweeps along every axis, as in `pufferproof.verify.noise.ratio.listed`, but of logarithms,
where nothing underflows.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf, isinf
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import least, log_approx
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.laws.of_framework import LawPair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STEPS = 100  # of doubling or halving a scale
_CLOSE = 1e-13  # relative width at which bisection ends

Grid = tuple[tuple[Fraction, ...], ...]


def least_scale_approx(
    rates: Sequence[Fraction],
    pairs: Sequence[LawPair],
    level: Level,
    start: Fraction,
    told: Callable[[float], None],
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
        leakage, epsilon, scale = LeakageApprox(rates, pairs), _nats(level), float(start)

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
    except (
        OverflowError,
        ZeroDivisionError,
    ):  # a number that is no float, a scale that is 0 in floats
        return None
    return None


def _nats(level: Level) -> float:
    return (
        float(level.nats)
        if level.ratio is None and level.nats is not None
        else log_approx(level.ratio or Fraction(1))
    )


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
            return max(
                float((values[above] - values[below]).max())
                for above, below in zip(self._above, self._below)
            )


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
