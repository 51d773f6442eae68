"""Redaction designs drawn: utility against epsilon, and how often a record with the common value is
redacted.

Points are proven utilities, rounded for drawing; a band reaches to what no mechanism of the
strategy exceeds. The panels are Figures 3 and 4 of Massny, Bitar, Ye and El Rouayheb 2025
(massny2025) with more strategies, beside the bound of its Theorem 2.
"""

from collections.abc import Sequence
from itertools import pairwise

from pufferproof.lp.redaction.sets import published_bound
from pufferproof.lp.redaction.strategies import NAMES, Design, Skipped
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import three
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.reports.console.drawing import INK, Axis, Curve, Panel, Part, Plot, Rule, strip
from pufferproof.reports.console.words import level_nats
from pufferproof.reports.redaction.curves import StrategyCurve, grid_of, jumps_are_known, jumps_of

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
