"""Figures 2, 3 and 4 of massny2025 drawn, each with what it shows as its title.

The paper prints curves and no coordinates: what it prints of them, the values of Example 1 and the
ends of the axes, is drawn in beside the exact points. Plots decide nothing.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import log
from typing import TYPE_CHECKING

from pufferproof.examples.reproduce.redaction.influences import EXAMPLE, WIDEST, influence, split_at
from pufferproof.lp.redaction.sets import published_bound
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    nats_approx,
    new_figure,
    plain_ticks,
    styled,
)
from pufferproof.reports.redaction.curves import StrategyCurve, published_steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STYLES = {
    "quilt": ("Markov quilt (Algorithm 1)", FAINT, "s"),
    "3r-relaxed": ("3R, published bound of the leakage", AGAINST, "v"),
    "3r-constant": ("3R, exact leakage, one q", FOR, "o"),
}
_AXES = ((0.1, 10.0), (0.5, 0.9))  # ends of the axes of Figure 3, as printed
_SHOWN = 5  # records of the axis of Figure 4, as printed
_WIDTH = 0.42  # of a bar
_SEEN = 1e-4  # of utility


def influence_plot() -> "tuple[Figure, str]":
    """Draw Figure 2 at the threshold 1/2, the budget of Example 1, and say what it shows."""
    threshold = Level("0.5")
    split = split_at(Fraction(1), threshold)
    finding = (
        "At the threshold 1/2 the neighbours of the private record may be shown when they are 0, never when they are 1"
    )
    with styled():
        figure, axes = new_figure(4.6)
        for value, colour in ((0, FOR), (1, AGAINST)):
            _bars(axes, value, colour)
        axes.axhline(0.5, color=MARK, linewidth=1.2, label="threshold 1/2 (ours; none is printed)")
        axes.plot(
            [1 + (value - 0.5) * _WIDTH for value in (0, 1)],
            [log(ratio) for ratio in EXAMPLE],
            linestyle="",
            marker="D",
            color=INK,
            markersize=5,
            label="printed in Example 1",
        )
        for distance in range(-WIDEST, WIDEST + 1):
            said, colour = _region(abs(distance), split.medium)
            axes.text(distance, -0.09, said, ha="center", va="top", fontsize=8.5, color=colour)
        axes.set_ylim(-0.17, 0.88)
        axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8])
        axes.axhline(0, color=FAINT, linewidth=0.8)
        axes.set_xticks(range(-WIDEST, WIDEST + 1), [_name(d) for d in range(-WIDEST, WIDEST + 1)])
        axes.set_ylabel("pointwise influence (nats)")
        axes.set_xlabel("record; alpha = 1/4, beta = 1/2")
        axes.text(0, 0.06, "infinite", ha="center", fontsize=8.5, color=FAINT)
        axes.legend(frameon=False, fontsize=8.5, loc="upper right", ncols=2)
    return figure, finding


def _bars(axes: "Axes", value: int, colour: str) -> None:
    places = [d for d in range(-WIDEST, WIDEST + 1) if d]
    heights = [nats_approx(influence(abs(d), value)) for d in places]
    left = [d + (value - 0.5) * _WIDTH for d in places]
    label = f"of the value {value}, i(X_p -> X_t = {value})"
    axes.bar(left, heights, width=_WIDTH, color=colour, label=label)
    for place, height in zip(left, heights):
        axes.text(place, height + 0.02, f"{height:.3f}", ha="center", fontsize=7, color=colour)


def _region(distance: int, medium: Sequence[int]) -> tuple[str, str]:
    if distance == 0:
        return "redacted", MARK
    if distance in medium:
        return "by value", INK
    return "released", FOR


def _name(distance: int) -> str:
    return f"X(p{distance:+d})" if distance else "X(p)"


def utility_plot(
    chain: BinaryChain, private: int, level: Level, curves: Sequence[StrategyCurve]
) -> "tuple[Figure, str]":
    """Draw Figure 3: the exact utility of every mechanism between its jumps, up to each level the
    best, beside the published bound on redaction that is blind to values.

    A rule chooses regions by the level alone, and may release less at a larger one: dotted.
    """
    steps = published_steps(chain, private, level)
    gain, at = _largest_gain(curves, chain, private)
    finding = (
        f"3R with one q releases up to {gain:.3f} more than the published bound on blind redaction, at epsilon {at:.3g}"
    )
    with styled():
        figure, axes = new_figure(4.6)
        for curve in curves:
            said, colour, _ = _STYLES[curve.name]
            nats = [point.nats for point in curve.points]
            alone = [float(point.design.lower) for point in curve.points]
            # what keeps a level keeps every larger one
            best = list(accumulate(alone, max))
            axes.plot(nats, best, color=colour, label=said)
            if any(most - each > _SEEN for most, each in zip(best, alone)):
                label = f"{said.split(',')[0]}, with the regions of that level alone"
                axes.plot(nats, alone, color=colour, linestyle=":", linewidth=1, label=label)
        axes.plot(
            *zip(*steps),
            color=INK,
            linestyle=(0, (6, 3)),
            drawstyle="steps-post",
            linewidth=1,
            label="bound on blind redaction (Theorem 2)",
        )
        (left, right), (low, high) = _AXES
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
        axes.set_xlim(left, right)
        axes.set_ylim(low - 0.11, high + 0.02)
        axes.set_xlabel("epsilon (nats); alpha = 1/100, beta = 4/5, n = 10, p = 1; axes as printed")
        axes.set_ylabel("utility")
        axes.legend(frameon=False, fontsize=8.5, loc="lower right")
    return figure, finding


def _largest_gain(curves: Sequence[StrategyCurve], chain: BinaryChain, private: int) -> tuple[float, float]:
    (curve,) = (each for each in curves if each.name == "3r-constant")
    gains = [
        (float(point.design.lower - published_bound(chain, private, point.level)), point.nats) for point in curve.points
    ]
    return max(gains)


def redacted_plot(rows: Sequence[Sequence[Fraction]], names: Sequence[str]) -> "tuple[Figure, str]":
    """Draw Figure 4: how often a record of value 0 is redacted, by mechanism."""
    columns = dict(zip(names, zip(*rows)))
    relaxed, exact = (float(columns[name][1]) for name in ("3r-relaxed", "3r-constant"))
    finding = (
        f"Where the quilt redacts records 2 to 4, 3R redacts zeros of records 2 and 3 with "
        f"probability {relaxed:.3f}, and {exact:.3f} are enough"
    )
    with styled():
        figure, axes = new_figure(4.2)
        for place, (name, column) in enumerate(columns.items()):
            said, colour, marker = _STYLES[name]
            shown = [float(value) for value in column[:_SHOWN]]
            axes.plot(range(1, _SHOWN + 1), shown, color=colour, marker=marker, label=said, linewidth=2.4 - 0.5 * place)
        for height in (relaxed, exact):
            axes.text(2.5, height + 0.02, f"{height:.3f}", ha="center", fontsize=9)
        axes.set_xticks(range(1, _SHOWN + 1))
        axes.set_ylim(-0.03, 1.05)
        axes.set_xlabel("record t, as printed; alpha = 1/100, beta = 4/5, n = 10, p = 1, epsilon = 1")
        axes.set_ylabel("redacted if 0: P(Y_t = * | X_t = 0)")
        axes.legend(frameon=False, fontsize=8.5, loc="lower left")
    return figure, finding
