"""Pictures of many releases for the page of a report: leakages alone and together, of more and more
runs, and how soon a secret is certain.
"""

import math
from collections.abc import Iterator, Sequence

from pufferproof.models.numbers.text import at_most
from pufferproof.reports.auditing.plots.bars import Bar
from pufferproof.reports.composition.plots.releases import (
    MAX_CURVES,
    RateCurve,
    composition_bars,
    composition_finding,
    distinct_curves,
    rate_finding,
    revealing_finding,
)
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, MARK, nats_approx
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.explaining.pages.picture import Bars, Curve, Curves, Row
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.leakage.runs.revealing import RevealingRow

_ONE_WAY = 70  # per cent of the width that the longest bar takes
_PAST = 1.08  # of the longest bar: where an infinite one is cut
_CLASSES = {FOR: "for", AGAINST: "against", MARK: "mark", FAINT: "faint", INK: "ink"}
_SERIES = ("for", "mark", "against", "ink")


def composition_picture(together: Composition, names: Sequence[str], said: str) -> Bars:
    """Return the leakage of every mechanism alone, their sum, and the joint leakage."""
    bars, total = composition_bars(together, names)
    edge = max([bar.low for bar in bars if math.isfinite(bar.low)] + [1e-9])
    lines = [_ONE_WAY * total / edge] if math.isfinite(total) else []
    rows = [_to_the_right(bar, edge) for bar in bars]
    finding = composition_finding(together)
    dashed = " The dashed line marks the sum of the separate leakages." * bool(lines)
    return Bars(finding, said, rows, 0, lines, f"Leakage in nats.{dashed}")


def _to_the_right(bar: Bar, edge: float) -> Row:
    width = _ONE_WAY * min(bar.low / edge, _PAST)
    return Row(bar.name, 0, width, _CLASSES[bar.colour], bar.number, width)


def rates_picture(curves: Sequence[tuple[str, RateCurve]], said: str) -> Curves:
    """Return the exact leakage of k runs of every mechanism, and k times its rate."""
    last = max(max(curve.runs) for _, curve in curves)
    drawn = [
        each
        for number, (name, curve) in enumerate(curves)
        for each in _rate_curves(
            label_text(name, 40), curve, _SERIES[number % 3], last, len(curves) == 1
        )
    ]
    top = 1.05 * max([1e-3, *(y for each in drawn for _, y in each.points)])
    asked = max(curve.asked for _, curve in curves)
    more = "" if last == asked else f"; leakages of up to {asked} runs take too long to compute"
    below = f"Leakage in nats (up) by number of runs (across){more}."
    return Curves(rate_finding(curves), said, drawn, last * 1.02, top, below)


def _rate_curves(
    name: str, curve: RateCurve, colour: str, last: int, alone: bool
) -> Iterator[Curve]:
    values = [nats_approx(leakage) for leakage in curve.leakages]
    finite = [(float(k), value) for k, value in zip(curve.runs, values) if math.isfinite(value)]
    yield Curve(f"exact leakage of k runs, {name}", finite, colour, marks=True)
    if curve.rate is not None:
        end = curve.rate * last
        said = f"k times the rate, {curve.rate:.4g}"
        yield Curve(said, [(0.0, 0.0), (float(last), end)], colour, "dashed")
        if curve.slack and alone:
            said = f"at most k times the rate + {at_most(curve.slack, 4)}, for every k"
            above = [(0.0, curve.slack), (float(last), end + curve.slack)]
            yield Curve(said, above, colour, "dotted")
    if len(finite) < len(values):
        first = float(next(k for k, value in zip(curve.runs, values) if math.isinf(value)))
        most = max((value for _, value in finite), default=0.0)
        height = 1.0 if most < 1e-6 else 1.25 * most
        said = f"infinite from {first:g} runs on"
        yield Curve(said, [(first, 0.0), (first, height)], colour, "dotted")


def revealing_picture(rows: Sequence[RevealingRow], said: str) -> Curves:
    """Return how likely it is that a secret is certain at or before run k, equal curves once."""
    curves = distinct_curves(rows)
    drawn = [
        Curve(
            name,
            [(float(k), float(value)) for k, value in enumerate(values)],
            _SERIES[number % 4],
            ("", "dashed", "dotted")[number // 4 % 3],
            marks=True,
        )
        for number, (name, values) in enumerate(curves[:MAX_CURVES])
    ]
    few = f" ({MAX_CURVES} of {len(curves)} curves)" * (len(curves) > MAX_CURVES)
    below = f"Probability that the secret is certain (up) by number of runs (across){few}."
    right = max(len(values) for _, values in curves) - 1
    return Curves(revealing_finding(rows), said, drawn, right * 1.02, 1.05, below)
