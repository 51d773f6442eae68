"""Influences drawn: by width beside published bounds, and the influence curve a*(b).

Points are exact influences, rounded for drawing; infinite ones are cut and marked at the upper
edge.
"""

import math
from collections.abc import Mapping, Sequence

from pufferproof.models.numbers.text import three
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, MARK, Axis, Curve, Panel, Plot, nats_approx
from pufferproof.reports.console.words import counted
from pufferproof.reports.correlation.influence.answer import Row
from pufferproof.verify.influence.curves.chains import PUBLISHED
from pufferproof.verify.leakage.ratio import Leakage

_STYLES = ((FOR, "o-"), (MARK, "o--"), (INK, "o:"), (AGAINST, "s-"), (FAINT, "s-"), (INK, "s-"))
_Values = Sequence[Leakage | str | None]  # None or a word if there is no influence


def table_plot(rows: Sequence[Row]) -> Plot:
    """Return the influence of quilts against their width, two-sided and one-sided, on a
    logarithmic scale, and the bounds.
    """
    curves: dict[str, _Values] = {
        "both sides": [row.both for row in rows],
        "left only": [row.left for row in rows],
        "right only": [row.right for row in rows],
    }
    for name in rows[0].bounds if rows else ():
        curves[name] = [row.bounds[name] for row in rows]
    widths = [row.width for row in rows]
    label = "width: distance to the quilt"
    return influence_plot(_table_finding(rows), widths, _approx(curves), label)


def curve_plot(points: Sequence[Leakage], published: Sequence[Leakage | str]) -> Plot:
    """Return a*(b) against the number b of hidden records, and the published closed form if there
    is one.
    """
    curves = _approx({"a*(b)": points, PUBLISHED: published})
    # how much influence is left by the fewest hidden records that leave a finite one, and by the most that
    # leave any
    left = [b for b, point in enumerate(points) if not point.infinite and point.ratio != 1]
    if not left:
        curve_finding = f"Hiding {counted(len(points) - 1, 'record')} leaves {_nats(points[-1])}."
    else:
        few, many = left[0], left[-1]
        said = f"Hiding {counted(few, 'record')} leaves {_nats(points[few])} of influence"
        curve_finding = f"{said}." if few == many else f"{said}, hiding {many} leaves {_nats(points[many])}."
    return influence_plot(curve_finding, range(len(points)), curves, "b: hidden records")


def _approx(curves: Mapping[str, _Values]) -> dict[str, list[float]]:
    return {
        name: [nats_approx(each) if isinstance(each, Leakage) else math.nan for each in values]
        for name, values in curves.items()
    }


def influence_plot(finding: str, xs: Sequence[int], curves: Mapping[str, Sequence[float]], label: str) -> Plot:
    """Return curves of influences in nats; infinite ones are marked at the upper edge."""
    finite = [y for ys in curves.values() for y in ys if math.isfinite(y) and y > 0]
    top = 2 * max(finite, default=0.5)
    parts = []
    for place, ((name, ys), (colour, form)) in enumerate(zip(curves.items(), _STYLES)):
        points = [(x, y) for x, y in zip(xs, ys) if math.isfinite(y)]
        endless = [x for x, y in zip(xs, ys) if math.isinf(y)]
        if points or endless:
            size = max(3.5, 9 - 2.5 * place)  # one is seen below an equal one
            look = colour, form, size / 3, size
            parts.append(Curve(name, [x for x, _ in points], [y for _, y in points], *look))
            parts.append(Curve("", endless, [top] * len(endless), colour, "^", size=6))
    panel = Panel(parts, Axis(label, ticks="whole"), Axis("influence (nats)", scale="zero"))
    return Plot(finding, [panel], columns=2)


def _table_finding(rows: Sequence[Row]) -> str:
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


def _nats(influence: Leakage) -> str:
    value = nats_approx(influence)
    return "infinite" if math.isinf(value) else f"{three(value)} nats"
