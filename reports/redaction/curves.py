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

from pufferproof.lp.redaction.sets import published_bound
from pufferproof.lp.redaction.strategies import NAMES, Design, Skipped
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.enclosures import enclose, log_approx
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of, three
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.reports.console.drawing import INK, Axis, Curve, Panel, Part, Plot, Rule, strip
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.words import csv_text, level_nats

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


# Redaction designs drawn: utility against epsilon, and how often a record with the common value is redacted.
#
# Points are proven utilities, rounded for drawing; a band reaches to what no mechanism of the strategy exceeds. The
# panels are Figures 3 and 4 of Massny, Bitar, Ye and El Rouayheb 2025 (massny2025) with more strategies, beside the
# bound of its Theorem 2.

_WINDOW = 1_000  # records to either side of a private one
_MARKED = 60  # records that have markers
_VISIBLE = 0.004  # of a band
_COLOURS = ("#1a1c20", "#8a8f98", "#56b4e9", "#e69f00", "#0072b2", "#009e73", "#d55e00", "#cc79a7", "#5b2a86")
_MARKERS = "sDv^oPXph"
_DASHES = ("-", "-", "-", "-", "-", "--", ":", "-", "-")
_ORDER = (*NAMES, "profile")


def redaction_plot(
    chain: BinaryChain,
    private: Sequence[int],
    level: Level,
    designs: Sequence[Design | Skipped],
    curves: Sequence[StrategyCurve],
) -> Plot:
    """Return the utility curves, every design at the level asked for, and the profiles around the
    private records.
    """
    computed = [design for design in designs if isinstance(design, Design)]
    ranked = sorted(computed, key=lambda design: (-design.lower, _ORDER.index(design.name)))
    at = float(level.enclosure().upper)
    parts: list[Part] = [Rule("", at)]
    for curve in sorted(curves, key=lambda curve: _ORDER.index(curve.name)):
        parts += _curve(curve)
    for design in ranked:
        low, high = float(design.lower), float(design.upper)
        said = " to ".join(dict.fromkeys(f"{end:.{_digits(chain)}f}" for end in (low, high)))
        if high - low > _VISIBLE:
            parts.append(_styled("", [at, at], [low, high], design.name, "_-"))
        parts.append(_styled(f"{design.name}  {said}", [at], [low], design.name, marked=True))
    if len(private) == 1:
        parts.append(_bound(chain, private[0], level))
    values = [y for part in parts if isinstance(part, Curve) for y in part.ys]
    ends = min(values, default=0.0), max(values, default=1.0)
    room = 0.04 * (ends[1] - ends[0]) or 0.03
    along = Axis(f"epsilon (nats); dotted: {level}", scale="log")
    up = Axis("utility", max(ends[0] - room, -0.03), min(ends[1] + room, 1.03))
    panels = [Panel(parts, along, up), _profiles(chain, private, computed)]
    return Plot(_finding(computed, level), panels, 7.4, columns=2)


def _bound(chain: BinaryChain, private: int, level: Level) -> Curve:
    """Return the bound of Theorem 2, as steps if all jumps are known, else as a line."""
    steps = published_steps(chain, private, level)
    if jumps_are_known(chain, steps[0][0]):
        later = [(x, y) for (_, y), (x, _) in pairwise(steps)]
        steps = sorted([*later, *steps], key=lambda step: step[0])
    bound = float(published_bound(chain, private, level))
    said = f"published bound on data-independent  {bound:.{_digits(chain)}f}"
    return Curve(said, [x for x, _ in steps], [y for _, y in steps], INK, "--", width=0.9)


def _finding(computed: Sequence[Design], level: Level) -> str:
    """Say which strategy keeps most at the level asked for."""
    if not computed:
        return f"No strategy was computed at level {level_nats(level)}."
    best = max(computed, key=lambda design: design.lower)
    utility = three(float(best.lower))
    return f"At level {level_nats(level)} {best.name} has the largest utility, {utility}."


def _styled(
    name: str, xs: Sequence[float], ys: Sequence[float], strategy: str, form: str = "", marked: bool = False
) -> Curve:
    """Return a curve in colour, dashes and width of a strategy; later ones are thinner."""
    place = _ORDER.index(strategy)
    form = form or _MARKERS[place] * marked + _DASHES[place]
    sizes = max(1.5, 3.2 - 0.35 * place), max(4.0, 8.5 - 0.6 * place)
    return Curve(name, xs, ys, _COLOURS[place], form, *sizes)


def _curve(curve: StrategyCurve) -> list[Curve]:
    nats = [point.nats for point in curve.points]
    lower, upper = ([float(getattr(point.design, end)) for point in curve.points] for end in ("lower", "upper"))
    line = _styled("", nats, lower, curve.name)
    if any(high - low > _VISIBLE for low, high in zip(lower, upper)):
        return [strip("", nats, lower, upper, line.colour), line]
    return [line]


def _digits(chain: BinaryChain) -> int:
    """Return how many decimals tell a record of the chain apart."""
    return max(4, len(str(chain.length)) + 2)


def published_steps(chain: BinaryChain, private: int, level: Level) -> list[tuple[float, float]]:
    """Return points of the bound of Theorem 2, from the first level of the grid to the last, with
    all its known jumps.
    """
    levels = sorted({*grid_of(level), *jumps_of(chain, [private])}, key=lambda place: place[0])
    first, last = grid_of(level)[0][0], grid_of(level)[-1][0]
    return [(nats, float(published_bound(chain, private, at))) for nats, at in levels if first <= nats <= last]


def _profiles(chain: BinaryChain, private: Sequence[int], designs: Sequence[Design]) -> Panel:
    """Return r_t of the common value around the private records, as far as anything is redacted."""
    common = chain.common_value
    first, last = max(1, min(private) - _WINDOW), min(chain.length, max(private) + _WINDOW)
    heights = {
        design.name: [float(row[common]) for row in design.mechanism.rows[first - 1 : last]]
        for design in designs
        if design.mechanism is not None
    }
    redacted = [*private, *(first + t for row in heights.values() for t, height in enumerate(row) if height)]
    start, end = max(first, min(redacted) - 2), min(last, max(redacted) + 2)
    parts: list[Part] = [Rule("", record) for record in private]
    marked = end - start < _MARKED
    for name in sorted(heights, key=_ORDER.index):
        row = heights[name][start - first : end + 1 - first]
        parts.append(_styled("", range(start, end + 1), row, name, marked=marked))
    said = f"record t; private: {', '.join(map(str, private))}"
    along = Axis(said, start - 0.4, end + 0.4, ticks="whole")
    return Panel(parts, along, Axis(f"redacted if {common}: r_t({common})", -0.05, 1.05))
