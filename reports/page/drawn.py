"""Pictures of a page: bars and curves as SVG without a picture library, in the colours, the letters
and the width of the page that they stand on.

Places are percentages of the width, so that a narrow page has narrow pictures and letters of the
usual size. Numbers are rounded for drawing and decide nothing; what a picture shows is said in its
title, and in full to those who do not see it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pufferproof.reports.auditing.plots.bars import Bar
from pufferproof.reports.auditing.plots.listed import (
    NEAR,
    asked_text,
    drawn_bars,
    is_witness,
    number_text,
    outputs_finding,
    profile_finding,
    profile_of,
    sides_text,
)
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
from pufferproof.reports.console.words import leakage_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.leakage.runs.revealing import RevealingRow

_POINTS = 101  # of a curve
_TICKS = 5
_REACH = 30  # per cent of the width that the longest bar takes, to either side
_ONE_WAY = 70  # the same where all bars go to the right
_PAST = 1.08  # of the longest bar: where an infinite one is cut
_CLASSES = {FOR: "for", AGAINST: "against", MARK: "mark", FAINT: "faint", INK: "ink"}
_SERIES = ("for", "mark", "against", "ink")


@dataclass(frozen=True)
class Row:
    """A bar from `start` over `width`, in per cent, its name, and the text at `at`."""

    name: str
    start: float
    width: float
    colour: str
    text: str
    at: float
    leftwards: bool = False


@dataclass(frozen=True)
class Bars:
    """Bars below each other: the title, all of it in words, and the places of dashed lines."""

    finding: str
    said: str
    rows: list[Row]
    zero: float
    lines: list[float]
    below: str
    form: str = "bars"


@dataclass(frozen=True)
class Curve:
    """A line through points, with marks or without, whose name is part of the legend if it has one;
    `dashes` is "", "dashed" or "dotted".
    """

    name: str
    points: list[tuple[float, float]]
    colour: str
    dashes: str = ""
    line: bool = True
    marks: bool = False


@dataclass(frozen=True)
class Curves:
    """Curves over one axis, both axes from 0 on: the title, all of it in words, and what there is
    along and upwards.
    """

    finding: str
    said: str
    curves: list[Curve]
    right: float
    top: float
    below: str
    form: str = "curves"

    def across(self, x: float) -> float:
        """Return a place in per cent of the width."""
        return 100 * x / self.right

    def down(self, y: float) -> float:
        """Return a place in per cent of the height, from above."""
        return 100 - 100 * y / self.top

    @property
    def ticks_along(self) -> list[tuple[float, str]]:
        """Numbers along the axis, with their places."""
        return [(self.across(x), f"{x:g}") for x in ticks(self.right)]

    @property
    def ticks_up(self) -> list[tuple[float, str]]:
        """Numbers up the axis, with their places."""
        return [(self.down(y), f"{y:g}") for y in ticks(self.top)]


Picture = Bars | Curves


def ticks(last: float) -> Iterator[float]:
    """Yield round numbers from 0 to `last`, about five.

    >>> list(ticks(1.3)), list(ticks(20))
    ([0.0, 0.5, 1.0], [0.0, 5.0, 10.0, 15.0, 20.0])
    """
    power = 10.0 ** math.floor(math.log10(last / _TICKS))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit * _TICKS >= last)
    yield from (float(f"{index * step:.12g}") for index in range(int(last / step + 1e-9) + 1))


def outputs_picture(audit: Audit, said: str) -> Bars:
    """Return what each output tells of the witness's pair: bars to both sides, infinite ones
    cut.
    """
    drawn = drawn_bars(audit)
    rows = [
        _two_sided(label_text(name, 30), value, drawn.edge, is_witness(audit, name))
        for name, value in drawn.bars
    ]
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    near = 0 < asked <= drawn.edge * NEAR
    lines = [50 + side * _REACH * asked / drawn.edge for side in (-1, 1)] if near else []
    below = f"{sides_text(audit)}." + " The star marks the output that reveals most." * any(
        "★" in row.text for row in rows
    )
    if near:
        below += f" Dashed lines mark the level asked for, {label_text(str(audit.level), 28)}."
    if len(rows) < drawn.count:
        below += f" These are the {len(rows)} outputs of {drawn.count} that reveal most."
    return Bars(outputs_finding(audit), said, rows, 50, lines, below)


def _two_sided(name: str, value: float | None, edge: float, witness: bool) -> Row:
    if value is None:
        return Row(name, 50, 0, "faint", "never occurs", 50)
    side = -1 if value < 0 else 1
    width = _REACH * min(abs(value) / edge, _PAST)
    start, text = min(50.0, 50 + side * width), number_text(value) + " ★" * witness
    colour = "for" if side > 0 else "against"
    return Row(name, start, width, colour, text, 50 + side * width, side < 0)


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


def profile_picture(audit: Audit, said: str) -> Curves:
    """Return the smallest delta at every level, where the leakage ends it, and the level asked for.

    Raises `ModelError` where no profile is drawn.
    """
    drawn = profile_of(audit)
    top, leakage = max(drawn.deltas) * 1.12 or 1.0, audit.leakage
    points = _thinned(drawn.epsilons, drawn.deltas)
    curves = [Curve("smallest delta at every epsilon", points, "for")]
    if drawn.asked is not None:
        asked, delta = drawn.asked
        curves.append(Curve("", [(asked, 0.0), (asked, top)], "against", "dotted"))
        curves.append(_point(asked_text(audit, delta), [(asked, delta)], "against"))
    if leakage.infinite:
        flat = f"infinite leakage: delta never falls below {drawn.flat:.4g}"
        curves.append(Curve(flat, [(0.0, drawn.flat), (drawn.last, drawn.flat)], "mark", "dashed"))
    else:
        beyond = nats_approx(leakage) > drawn.last
        said_leakage = f"exact leakage {leakage_text(leakage)}{', further right' * beyond}"
        curves.append(_point(said_leakage, [(nats_approx(leakage), 0.0)] * (not beyond), "mark"))
    below = "Delta (up) by epsilon in nats (across)."
    return Curves(profile_finding(audit), said, curves, drawn.last, top, below)


def _point(name: str, at: list[tuple[float, float]], colour: str) -> Curve:
    return Curve(name, at, colour, line=False, marks=True)


def _thinned(xs: Sequence[float], ys: Sequence[float]) -> list[tuple[float, float]]:
    """Return points of a curve, no more than are seen, with the first and the last."""
    last = len(xs) - 1
    places = sorted({round(step * last / (_POINTS - 1)) for step in range(_POINTS)})
    return [(xs[place], ys[place]) for place in places]


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
            said = f"at most k times the rate + {curve.slack:.4g}, for every k"
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
