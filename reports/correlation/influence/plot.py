"""Influences drawn: by width beside published bounds, and the influence curve a*(b).

Points are exact influences, rounded for drawing; infinite ones are cut and marked at the upper
edge.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.models.numbers.text import three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    log_down_to_zero,
    nats_approx,
    new_figure,
    styled,
)
from pufferproof.reports.console.words import counted
from pufferproof.reports.correlation.influence.answer import Row
from pufferproof.verify.influence.curves.published import PUBLISHED
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PUBLISHED = (AGAINST, FAINT, INK)


class _Curve(NamedTuple):
    """A curve that is drawn: its name, its look, and its values or None."""

    name: str
    colour: str
    style: str
    values: Sequence[Leakage | None]


def table_plot(rows: Sequence[Row]) -> "Figure":
    """Draw the influence of quilts against their width, two-sided and one-sided, on a
    logarithmic scale, and the bounds.
    """
    curves = [
        _Curve("both sides", FOR, "o-", [row.both for row in rows]),
        _Curve("left only", MARK, "o--", [row.left for row in rows]),
        _Curve("right only", INK, "o:", [row.right for row in rows]),
    ]
    for index, name in enumerate(rows[0].bounds if rows else ()):
        bounds = [row.bounds[name] for row in rows]
        values = [None if isinstance(value, str) else value for value in bounds]
        curves.append(_Curve(name, _PUBLISHED[index % len(_PUBLISHED)], "s-", values))
    with styled():
        figure, axes = new_figure(3.7)
        _draw(axes, [row.width for row in rows], curves, "width: distance to the quilt")
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return figure


def curve_plot(points: Sequence[Leakage], published: Sequence[Leakage | str]) -> "Figure":
    """Draw a*(b) against the number b of hidden records, and the published closed form where
    there is one.
    """
    printed = [None if isinstance(value, str) else value for value in published]
    curves = [_Curve("a*(b)", FOR, "o-", points)]
    if any(value is not None for value in printed):
        curves.append(_Curve(PUBLISHED, AGAINST, "x:", printed))
    with styled():
        figure, axes = new_figure(3.4)
        _draw(axes, list(range(len(points))), curves, "b: hidden records")
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return figure


def table_finding(rows: Sequence[Row]) -> str:
    """Say how far the influence falls from the narrowest quilt to the widest that has both sides,
    or a side.
    """
    widths = [(row.width, row.both or row.left or row.right) for row in rows]
    ends = [(width, influence) for width, influence in widths if influence is not None]
    if not ends:
        return "No quilt has an influence."
    (first, narrow), (last, wide) = ends[0], ends[-1]
    near = f"A quilt at distance {first} has influence {_nats(narrow)}"
    return f"{near}." if first == last else f"{near}, one at distance {last} has {_nats(wide)}."


def curve_finding(points: Sequence[Leakage]) -> str:
    """Say how much influence is left by the fewest hidden records that leave a finite one, and by
    the most that leave any.
    """
    left = [b for b, point in enumerate(points) if not point.infinite and point.ratio != 1]
    if not left:
        return f"Hiding {counted(len(points) - 1, 'record')} leaves {_nats(points[-1])}."
    few, many = left[0], left[-1]
    said = f"Hiding {counted(few, 'record')} leaves {_nats(points[few])} of influence"
    return f"{said}." if few == many else f"{said}, hiding {many} leaves {_nats(points[many])}."


def _nats(influence: Leakage) -> str:
    value = nats_approx(influence)
    return "infinite" if math.isinf(value) else f"{three(value)} nats"


def curves_plot(curves: Sequence[tuple[str, Sequence[float]]]) -> "Figure":
    """Draw several curves of upper bounds against the number b of hidden records."""
    styles = (("o-", FOR), ("s--", AGAINST), ("d:", MARK))
    with styled():
        figure, axes = new_figure(3.4)
        for (name, values), (style, colour), size in zip(curves, styles, (6.5, 5, 3.5)):
            drawn = [(b, value) for b, value in enumerate(values) if math.isfinite(value)]
            look: dict[str, Any] = {"color": colour, "linewidth": size / 3, "markersize": size}
            axes.plot(*zip(*drawn), style, label=name, **look)
        positive = [v for _, values in curves for v in values if 0 < v < math.inf]
        if positive:
            log_down_to_zero(axes, min(positive))
        axes.set_xlabel("b: hidden records (infinite at 0)")
        axes.set_ylabel("influence (nats)")
        axes.locator_params(axis="x", integer=True)
        figure.legend(loc="outside upper left", frameon=False)
    return figure


def _draw(axes: "Axes", xs: Sequence[int], curves: Sequence[_Curve], label: str) -> None:
    known = [
        [math.nan if value is None else nats_approx(value) for value in curve.values]
        for curve in curves
    ]
    finite = [value for values in known for value in values if math.isfinite(value) and value > 0]
    top = 2 * max(finite, default=0.5)
    for place, (curve, values) in enumerate(zip(curves, known)):
        if all(map(math.isnan, values)):
            continue
        drawn = [(x, value) for x, value in zip(xs, values) if math.isfinite(value)]
        axes.plot(
            *(zip(*drawn) if drawn else ([], [])),
            curve.style,
            color=curve.colour,
            linewidth=max(1.2, 2.7 - 0.5 * place),  # one is seen below an equal one
            markersize=max(3.5, 9 - 2.5 * place),
            label=curve.name,
        )
        infinite = [x for x, value in zip(xs, values) if math.isinf(value)]
        axes.plot(infinite, [top] * len(infinite), "^", color=curve.colour, markersize=6)
    if finite:
        log_down_to_zero(axes, min(finite))
    axes.set_xlabel(label)
    axes.set_ylabel("influence (nats)")
    axes.locator_params(axis="x", integer=True)
