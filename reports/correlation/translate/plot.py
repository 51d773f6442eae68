"""The worst case of a level per record drawn against that level, beside the published bound and the
sum of the levels. Points are computed at the level asked for and at shares of it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.lp.translation.published import least
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import outward, rounded
from pufferproof.reports.auditing.plots.marks import Drawn
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, new_figure, styled
from pufferproof.reports.console.words import level_nats
from pufferproof.reports.correlation.translate.answer import Translation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARES = 8  # points, the last of which is the level asked for
_SHORT = 1 << 20  # the denominator of e to a share, where that is no longer than floats are
_MOST_NATS = 30


@dataclass(frozen=True)
class Point:
    """What is known at one level per record, in nats: bounds of the worst case, the published
    bound where there is one.
    """

    level: float
    low: float
    high: float
    published: float | None


def points(translation: Translation) -> list[Point]:
    """Compute the worst case at shares of the level. Raises `ModelError` unless all records have
    the same level.
    """
    levels = translation.levels
    if not levels.equal:
        raise ModelError("expected one level for all records, along which is drawn", "--plot")
    known = [_point(_shared(translation, share)) for share in range(1, _SHARES)]
    return [*known, _point(translation)]


def _shared(translation: Translation, share: int) -> Translation:
    """Return the question at a share of the level, e to it a short rational number."""
    nats = translation.levels.largest.nats_approx * share / _SHARES
    ratio = Fraction(1)
    if nats <= _MOST_NATS:
        ratio = Fraction(max(round(math.exp(nats) * _SHORT), _SHORT + 1), _SHORT)
    total = Total(ratio, Fraction(nats if ratio == 1 else 0))
    levels = RecordLevels(((translation.levels.count, total),))
    return Translation(translation.framework, levels, translation.domain, translation.infinite)


def _point(translation: Translation) -> Point:
    worst = translation.exact if translation.worst is None else translation.worst.leakage
    ends = None if worst is None else worst.enclosure()
    low, high = (math.nan, math.nan) if ends is None else (float(ends.lower), float(ends.upper))
    bounds, _ = translation.published
    published = float(least(bounds).leakage.enclosure().upper) if bounds else None
    return Point(translation.levels.largest.nats_approx, low, high, published)


def translation_plot(translation: Translation) -> Drawn:
    """Draw the worst case against the level per record, the published bound, and what records
    would leak that tell nothing of each other.
    """
    known = points(translation)
    xs = [0.0, *(point.level for point in known)]
    with styled():
        figure, axes = new_figure(3.7)
        _draw_worst(axes, xs, known, translation.exact is not None)
        if any(point.published is not None for point in known):
            ys = [math.nan if point.published is None else point.published for point in known]
            axes.plot(xs[1:], ys, "s--", color=AGAINST, markersize=3.5, label="published bound")
        axes.plot(xs, xs, color=FAINT, linewidth=1.2, linestyle=":", label="independent records")
        axes.set_xlim(0, xs[-1] * 1.03)
        axes.set_ylim(0, None)
        axes.set_xlabel("level of every record, over all releases (nats)")
        axes.set_ylabel("leakage (nats)")
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return Drawn(figure, _finding(translation))


def _draw_worst(axes: "Axes", xs: Sequence[float], known: Sequence[Point], exact: bool) -> None:
    """Draw the worst case from 0 on, or the strip it lies in, and mark the level asked for."""
    lows = [0.0, *(_cut(point.low) for point in known)]
    highs = [0.0, *(_cut(point.high) for point in known)]
    label = "worst case, exact" if exact else "worst case, at most"
    axes.plot(xs, highs, "o-", color=FOR, markersize=3.5, linewidth=1.4, label=label)
    if not exact:
        axes.fill_between(xs, lows, highs, color=FOR, alpha=0.15, linewidth=0)
        axes.plot(xs, lows, "o:", color=FOR, markersize=3, label="worst case, at least")
    axes.plot(xs[-1:], highs[-1:], "o", color=INK, markersize=6, zorder=4)


def _cut(nats: float) -> float:
    return nats if math.isfinite(nats) else math.nan


def _finding(translation: Translation) -> str:
    level, worst = level_nats(translation.levels.text), translation.exact
    if worst is None and translation.worst is not None:
        worst = translation.worst.leakage
    said = f"With {level} for every record the largest leakage"
    if worst is None:
        return f"{said} is not known."
    ends = worst.enclosure()
    if worst.infinite:
        return f"{said} is infinite."
    if ends.upper == "inf":
        return f"{said} is at least {outward(ends.lower, ends.upper, 3)[0]} nats."
    low, high = (rounded(end, 3) for end in (ends.lower, ends.upper))
    if low == high:
        return f"{said} is {low} nats."
    low, high = outward(ends.lower, ends.upper, 3)
    return f"{said} lies between {low} and {high} nats."
