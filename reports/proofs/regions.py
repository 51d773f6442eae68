"""Privacy regions, what every event says of two laws, as a plane figure; and curves."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    empty_figure,
    new_figure,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def region_corners(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Return the corners of the convex hull of (P(S), Q(not S)) over all events S, exactly, from
    (0, 1) on.

    The lower boundary takes outcomes in by falling ratio Q / P, the upper one by rising.

    >>> [
    ...     (str(x), str(y))
    ...     for x, y in region_corners([Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)])
    ... ]
    [('0', '1'), ('1/2', '0'), ('1', '0'), ('1/2', '1')]
    """
    shares: dict[
        Fraction, tuple[Fraction, Fraction]
    ] = {}  # outcomes with the same ratio lie on one edge
    for a, b in zip(p, q):
        if a + b > 0:
            x, y = shares.get(a / (a + b), (Fraction(0), Fraction(0)))
            shares[a / (a + b)] = (x + a, y + b)
    lower = [(Fraction(0), Fraction(1))]
    for _, (a, b) in sorted(shares.items()):
        lower.append((lower[-1][0] + a, lower[-1][1] - b))
    upper = [(1 - x, 1 - y) for x, y in lower]  # the events' complements
    return lower if len(shares) == 1 else lower[:-1] + upper[:-1]


def region_finding(
    regions: Mapping[str, Sequence[tuple[Fraction, Fraction]]],
    lines: Sequence[tuple[Fraction, Fraction]] = (),
) -> str:
    """Say whether a region crosses a line that is claimed of it, else how well the best test tells
    the two distributions of a region apart.

    >>> corners = region_corners([Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)])
    >>> region_finding({"P and Q": corners}, [(Fraction(3, 2), Fraction(0))])
    'The region of P and Q crosses the lines of e^epsilon = 3/2, delta = 0.'
    >>> region_finding({"P and Q": corners})
    'The errors of the best test of P and Q sum to 1/2.'
    """
    for name, corners in regions.items():
        for ratio, shift in lines:
            if any(min(a + ratio * b, ratio * a + b) < 1 - shift for a, b in corners):
                claimed = f"e^epsilon = {_short(ratio)}, delta = {_short(shift)}"
                return f"The region of {name} crosses the lines of {claimed}."
    if lines:
        return (
            f"No region crosses a line that is claimed of {'it' if len(regions) == 1 else 'one'}."
        )
    sums = {name: _short(min(a + b for a, b in corners)) for name, corners in regions.items()}
    parts = [f"of {name} sum to {least}" for name, least in sums.items()]
    return f"The errors of the best test {', '.join(parts)}."


def curves_finding(
    along: str, places: Sequence[Fraction], curves: Mapping[str, Sequence[Fraction]]
) -> str:
    """Say where the first two curves differ most; of one curve, its lowest and highest value.

    >>> curves_finding("q", [0, 1], {"exact": [1, 2], "printed": [1, 3]})
    'At q = 1, exact is 2 and printed is 3.'
    >>> curves_finding("q", [0, 1], {"exact": [1, 2]})
    'From q = 0 to q = 1, exact runs from 1 to 2.'
    """
    (one, values), *others = curves.items()
    if not others:
        (low, start), (high, end) = min(zip(values, places)), max(zip(values, places))
        where = f"From {along} = {_short(start)} to {along} = {_short(end)}"
        return f"{where}, {one} runs from {_short(low)} to {_short(high)}."
    two, compared = others[0]
    gap, at, x, y = max((abs(x - y), at, x, y) for x, y, at in zip(values, compared, places))
    if not gap:
        return f"{one} and {two} are equal."
    return f"At {along} = {_short(at)}, {one} is {_short(x)} and {two} is {_short(y)}."


def region_plot(
    regions: Mapping[str, Sequence[tuple[Fraction, Fraction]]],
    lines: Sequence[tuple[Fraction, Fraction]] = (),
    points: Mapping[str, tuple[Fraction, Fraction]] | None = None,
) -> "Figure":
    """Draw privacy regions, given by their corners, and the two lines of every (e^epsilon, delta)
    that is claimed of them.

    Points on or above both lines of a pair (R, delta) are those with a + R b >= 1 - delta and R a +
    b >= 1 - delta.
    """
    marked = points or {}
    edge = max([1.0, *(float(max(at)) for at in marked.values())]) + 0.05
    with styled():
        figure = empty_figure(3.9)
        # a square; its labels to the left and below, its legend to the right
        axes = figure.add_axes((0.11, 0.13, 0.51, 0.837))
        for (name, corners), color in zip(regions.items(), (FOR, AGAINST, FAINT)):
            xs, ys = ([float(at[side]) for at in [*corners, corners[0]]] for side in (0, 1))
            axes.fill(xs, ys, color=color, alpha=0.2, linewidth=0)
            axes.plot(xs, ys, color=color, linewidth=2, label=f"region of {name}")
        for number, line in enumerate(lines):
            _claimed_lines(axes, *line, ("--", ":", "-.")[number % 3])
        for name, at in marked.items():
            axes.plot(
                [float(at[0])], [float(at[1])], "D", color=INK, clip_on=False, zorder=5, label=name
            )
        axes.set_xlim(-0.05, edge)
        axes.set_ylim(-0.05, edge)
        axes.set_xlabel("a = P(S)")
        axes.set_ylabel("b = Q(not S)")
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.02), frameon=False)
    return figure


def curves_plot(
    along: str, places: Sequence[Fraction], curves: Mapping[str, Sequence[Fraction]]
) -> "Figure":
    """Draw exact values against the numbers that they belong to, a curve for each name."""
    with styled():
        figure, axes = new_figure(2.8)
        xs = list(map(float, places))
        for (name, values), color, style in zip(
            curves.items(), (AGAINST, FOR, INK), ("o-", "s--", "d:")
        ):
            axes.plot(
                xs,
                list(map(float, values)),
                style,
                color=color,
                linewidth=2,
                markersize=4,
                label=name,
            )
        axes.set_xlabel(along)
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return figure


def _claimed_lines(axes: "Axes", ratio: Fraction, shift: Fraction, dashes: str) -> None:
    """Draw a + R b = 1 - delta and R a + b = 1 - delta, with one line in the legend."""
    said = f"e^epsilon = {_short(ratio)},\ndelta = {_short(shift)}"
    r, height = float(ratio), float(1 - shift)
    for xs, ys in (([0, height], [height / r, 0]), ([0, height / r], [height, 0])):
        axes.plot(xs, ys, color=MARK, linewidth=1.3, linestyle=dashes, label=said)
        said = "_the other order"


def _short(number: Fraction) -> str:
    return str(number) if len(str(number)) <= 12 else f"{float(number):.4g}"
