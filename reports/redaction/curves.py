"""Utility of redaction strategies against epsilon: where to compute it, so that every jump stands
where it is.

Utilities jump where a record may be released from a level on: at an influence of a record, at the
sum of one on either side, or at twice one where the level is halved. Between a grid of levels these
are searched by bisection, each computed at the level itself and 10^-12 nats below (and above, where
bounds are apart there). Levels are exact, floats only propose them. What one strategy reaches at
one level is computed in `lp/redaction/strategies.py`; nothing is interpolated.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from pufferproof.lp.redaction.strategies import NAMES, Design, Skipped
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.enclosures import enclose, log_approx
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.words import csv_text

Designer = Callable[[Level, str], Design | Skipped]

POINTS, LOW, HIGH = 61, 0.1, 10.0  # a grid of levels, in nats
_RISE = Fraction(1, 200)  # of the whole rise of a curve: smaller jumps are not searched for
_MOST_STEPS, _FEWER_STEPS = (200, 40)  # of one search for jumps, the fewer for what is slow to compute
_MOST_RECORDS = 2_000
_SLOW = ("3r-split", "local-optimal", "central-lp")
_LONGEST = {"3r-split": 60, "local-optimal": 60, "central-lp": 7}  # records
_FARTHEST = 40  # distances whose influences are tried
_STEP = Fraction(1, 10**12)
_CLOSE = 1e-13  # a jump at the level asked for, though its nats are rounded otherwise


@dataclass(frozen=True)
class StrategyPoint:
    """What a strategy reaches at a level, of `nats` up to rounding."""

    level: Level
    nats: float
    design: Design


@dataclass(frozen=True)
class StrategyCurve:
    """A strategy's points in order of their levels."""

    name: str
    points: tuple[StrategyPoint, ...]


def drawn(name: str, length: int) -> bool:
    """Whether a strategy is quick enough on chains of this length to be computed at many levels."""
    return length <= _LONGEST.get(name, _MOST_RECORDS)


def utility_curves(
    chain: BinaryChain,
    private: Sequence[int],
    level: Level,
    designs: Sequence[Design | Skipped],
    designer: Designer,
    points: int = POINTS,
) -> tuple[StrategyCurve, ...]:
    """Return the curve of every strategy that was computed and is quick enough, through the
    level asked for.
    """
    grid, jumps = grid_of(level, points), jumps_of(chain, private)
    curves = []
    with working("computing curves"):
        for design in steps(designs, "strategies"):
            if not isinstance(design, Design) or design.name not in NAMES:
                continue
            if drawn(design.name, chain.length):
                points_of = _CurvePoints(design, level, designer)
                curves.append(StrategyCurve(design.name, tuple(points_of.points(grid, jumps))))
    return tuple(curves)


def grid_of(level: Level, points: int = POINTS) -> list[tuple[float, Level]]:
    """Return levels from 0.1 to 10 nats, or as far as shows the one asked for, at equal ratios."""
    asked = float(level.enclosure().upper)
    low, high = min(LOW, max(asked / 2, 1e-3)), max(HIGH, 2 * asked)
    ratio = math.log(high / low) / max(points - 1, 1)
    values = [Fraction(f"{low * math.exp(ratio * index):.6g}") for index in range(points)]
    return [(float(value), Level.of_nats(value)) for value in values]


def jumps_of(chain: BinaryChain, private: Sequence[int]) -> list[tuple[float, Level]]:
    """Return the levels where a record may be released from on: influences, their sums over
    both sides, and their doubles.
    """
    if chain.eigenvalue == 0:
        return []
    ratios: set[Fraction] = set()
    for record in private:
        left, right = (_influences(chain, count) for count in (record - 1, chain.length - record))
        ratios |= {one * other for one, other in product([Fraction(1), *left], [Fraction(1), *right])}
        ratios |= {value**2 for value in (*left, *right)}
    placed = [(log_approx(ratio), Level.log(ratio)) for ratio in ratios if ratio > 1]
    return sorted(placed, key=lambda place: place[0])


def jumps_are_known(chain: BinaryChain, lowest: float) -> bool:
    """Whether `jumps_of` has all jumps of a single influence, or twice one, above this number
    of nats.
    """
    ratio = chain.max_influence(_FARTHEST)
    return chain.length <= _FARTHEST or (ratio is not None and 2 * log_approx(ratio) < lowest)


def _influences(chain: BinaryChain, count: int) -> list[Fraction]:
    influences = (chain.influence(value, d) for d in range(1, min(count, _FARTHEST) + 1) for value in (0, 1))
    return [ratio for ratio in influences if ratio is not None]


class _CurvePoints:
    """The points of one strategy's curve, with its jumps found by bisection."""

    def __init__(self, asked: Design, level: Level, designer: Designer) -> None:
        self.name, self.designer, self.small = asked.name, designer, _RISE
        self.left = _FEWER_STEPS if asked.name in _SLOW else _MOST_STEPS
        nats = float(level.enclosure().upper)
        self.known = {level: StrategyPoint(level, nats, asked)}

    def points(self, grid: Sequence[tuple[float, Level]], jumps: Sequence[tuple[float, Level]]) -> list[StrategyPoint]:
        for nats, level in grid:
            self._at(nats, level)
        reached = [point.design.lower for point in self.known.values()]
        self.small = (max(reached) - min(reached)) * _RISE
        for before, after in pairwise(self._sorted()):
            self._refine(before, after, [jump for jump in jumps if before.nats < jump[0] < after.nats + _CLOSE])
        return self._sorted()

    def _sorted(self) -> list[StrategyPoint]:
        return sorted(self.known.values(), key=lambda point: point.nats)

    def _at(self, nats: float, level: Level) -> StrategyPoint | None:
        if level not in self.known:
            design = self.designer(level, self.name)
            if isinstance(design, Skipped):
                return None
            self.known[level] = StrategyPoint(level, nats, design)
        return self.known[level]

    def _refine(self, before: StrategyPoint, after: StrategyPoint, jumps: Sequence[tuple[float, Level]]) -> None:
        if not jumps or self.left <= 0 or abs(after.design.lower - before.design.lower) <= self.small:
            return
        self.left -= 1
        middle = len(jumps) // 2
        nats, level = jumps[middle]
        under, at = self._near(nats, -1), self._at(nats, level)
        if at is not None and at.design.upper - at.design.lower > self.small:
            # where no rational part of a level is this jump, what is found may be beyond it only
            at = self._near(nats, 2)
        if under is not None and at is not None:
            self._refine(before, under, jumps[:middle])
            self._refine(at, after, jumps[middle + 1 :])

    def _near(self, nats: float, steps: int) -> StrategyPoint | None:
        """Return the point a few times 10^-12 nats from a jump."""
        value = Fraction(math.floor(nats / _STEP) + steps) * _STEP
        return self._at(float(value), Level.of_nats(value))


def curves_csv(curves: Sequence[StrategyCurve]) -> str:
    """Return the points of curves as CSV: a level, its nats, and the strategy's utility and
    leakage there.
    """
    names = ["strategy", "epsilon", "nats", "utility_lower", "utility_upper", "leakage_ratio"]
    rows = (_row(curve.name, point) for curve in curves for point in curve.points)
    return csv_text([*names, "leakage_lower", "leakage_upper"], rows)


def _row(name: str, point: StrategyPoint) -> Iterator[str]:
    utility, leakage = enclose(point.design.lower, point.design.upper), point.design.leakage
    ends = leakage.enclosure()
    finite = "" if leakage.ratio is None else text_of(leakage.ratio)
    ratio = "inf" if leakage.infinite else finite
    yield from (name, str(point.level), point.level.enclosure().upper, utility.lower, utility.upper)
    yield from (ratio, ends.lower, ends.upper)
