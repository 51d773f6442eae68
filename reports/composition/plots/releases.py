"""Plots of several releases: a joint release beside its parts, and how soon something is certain.

And the leakage of 1, 2, .. runs of a mechanism, drawn against the number of runs times its
composition rate.

Points are exact leakages, rounded for drawing; the band between k rate and k rate + log(1 /
smallest probability of a database given a secret) holds the leakage of k runs up to rounding the
proportions of outputs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from pufferproof.lp.rates.nfc import Rate
from pufferproof.models.errors import extras
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import chance, three
from pufferproof.reports.auditing.plots.bars import Bar
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    MARK,
    nats_approx,
    new_figure,
    styled,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.leakage.runs.repeated import MAX_COUNTS, counted_work, leakage_curve
from pufferproof.verify.leakage.runs.revealing import RevealingRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_CURVES = 8
_POINTS = 50
_MOST_RUNS_OF_MIXTURES = 6
_COLOURS = (FOR, MARK, AGAINST)


@dataclass(frozen=True)
class RateCurve:
    """Exact leakages at some numbers of runs, the rate (None: infinite), and log(1 / smallest
    probability) if known; nats.
    """

    runs: list[int]
    leakages: list[Leakage]
    rate: float | None
    slack: float | None
    asked: int


def rate_curve(framework: Framework, rate: Rate, runs: int) -> RateCurve:
    """Compute the leakage of up to `runs` runs, at about 50 numbers of runs, fewer when that is
    too much.
    """
    upper = None if rate.upper is None else float(rate.upper)
    if framework.closure == "convex":
        numbers = list(range(1, min(runs, _MOST_RUNS_OF_MIXTURES) + 1))
        leakages = [compose(framework, [rate.mechanism], k).joint.leakage for k in numbers]
        return RateCurve(numbers, leakages, upper, None, runs)
    outputs = len(rate.mechanism.outputs)
    last = runs
    while last > 1 and counted_work(framework, outputs, last) > MAX_COUNTS // 8:
        last -= 1
    numbers = sorted({1 + round((last - 1) * i / (_POINTS - 1)) for i in range(_POINTS)})
    return RateCurve(
        numbers, leakage_curve(framework, rate.mechanism, numbers), upper, _slack(framework), runs
    )


def rate_plot(curves: Sequence[tuple[str, RateCurve]]) -> "Figure":
    """Draw the leakage of k runs of every mechanism, and k times its rate; infinite leakages
    are cut and marked.
    """
    last = max(max(curve.runs) for _, curve in curves)
    with styled():
        figure, axes = new_figure(3.7)
        for number, (name, curve) in enumerate(curves):
            _draw(
                axes,
                label_text(name, 40),
                curve,
                _COLOURS[number % len(_COLOURS)],
                last,
                len(curves) == 1,
            )
        axes.set_xlim(0, last * 1.02)
        axes.set_ylim(0, max(axes.get_ylim()[1], 1e-3))
        axes.locator_params(axis="x", integer=True)
        asked = max(curve.asked for _, curve in curves)
        axes.set_xlabel(
            "runs k" if last == asked else f"runs k (of {asked}: the others are too many to count)"
        )
        axes.set_ylabel("leakage (nats)")
        figure.legend(loc="outside upper left", frameon=False)
    return figure


def rate_finding(curves: Sequence[tuple[str, RateCurve]]) -> str:
    """Say what the last runs that are drawn leak together, and at which rate that grows."""
    return " ".join(_finding(label_text(name, 40), curve) for name, curve in curves)


def _finding(name: str, curve: RateCurve) -> str:
    last = nats_approx(curve.leakages[-1])
    leak = "everything" if math.isinf(last) else f"{three(last)} nats"
    grows = (
        "the rate is infinite"
        if curve.rate is None
        else f"in the long run each run adds {three(curve.rate)} nats"
    )
    runs = "1 run leaks" if curve.runs[-1] == 1 else f"{curve.runs[-1]} runs leak"
    return f"{name}: {runs} {leak}; {grows}."


def _draw(axes: "Axes", name: str, curve: RateCurve, colour: str, last: int, alone: bool) -> None:
    """Draw the exact leakage of k runs, k times the rate, and where it becomes infinite."""
    values = [nats_approx(leakage) for leakage in curve.leakages]
    finite = [(k, value) for k, value in zip(curve.runs, values) if math.isfinite(value)]
    xs, ys = [k for k, _ in finite], [value for _, value in finite]
    how: dict[str, Any] = {"color": colour, "markersize": 3.5, "linewidth": 1, "zorder": 3}
    axes.plot(xs, ys, "o-", label=f"exact leakage of k runs, {name}", **how)
    if curve.rate is not None:
        _draw_rate(axes, curve, curve.rate, colour, last, alone)
    if len(finite) < len(values):
        first = next(k for k, value in zip(curve.runs, values) if math.isinf(value))
        height = 1.0 if max(ys, default=0.0) < 1e-6 else 1.25 * max(ys)
        axes.axvline(first, color=colour, linewidth=1, linestyle=":")
        label = f"infinite from {first} runs on"
        axes.plot([first], [height], "^", color=colour, markersize=9, label=label)


def _draw_rate(
    axes: "Axes", curve: RateCurve, rate: float, colour: str, last: int, alone: bool
) -> None:
    """Draw k times the rate, and the strip above it in which every leakage lies."""
    line = [0.0, rate * last]
    label = f"k times the rate, {rate:.4g}"
    axes.plot([0, last], line, color=colour, linewidth=1.3, linestyle="--", label=label)
    if curve.slack is not None and alone:
        above = [value + curve.slack for value in line]
        more = f" + {curve.slack:.4g}" if curve.slack else ""
        said = f"at most k times the rate{more}, for every k"
        axes.fill_between([0, last], line, above, color=colour, alpha=0.12, linewidth=0, label=said)


def _slack(framework: Framework) -> float:
    """Return log(1 / least positive P(database | secret)) over priors and paired secrets."""
    smallest = 1.0
    for law in framework.laws.values():
        for members in framework.secrets.values():
            mass = law.mass(members)
            weights = [law.weights[x] for x in members if law.weights[x]]
            smallest = min([smallest, *(weight / mass for weight in weights)]) if mass else smallest
    return -math.log(smallest)


def composition_bars(together: Composition, names: Sequence[str] = ()) -> tuple[list[Bar], float]:
    """Return the leakage of every mechanism alone, their sum, and the joint leakage as bars; and
    the sum.
    """
    numbered = [f"mechanism {index + 1}" for index in range(len(together.single))]
    alone = [nats_approx(single.leakage) for single in together.single]
    rows = [
        (f"{name}, alone" + f" ({together.runs} runs)" * (together.runs > 1), value, FOR)
        for name, value in zip(
            [name or other for name, other in zip_longest(names, numbered)], alone
        )
    ]
    total = sum(value for _, value, _ in rows) * together.runs
    rows += [
        ("sum of these", total, FAINT),
        ("released together", nats_approx(together.joint.leakage), MARK),
    ]
    return [Bar(name, value, value, colour) for name, value, colour in rows], total


def composition_finding(together: Composition) -> str:
    """Say what all releases leak together, and what their leakages sum to."""
    joint = together.joint.leakage
    total = sum(nats_approx(single.leakage) for single in together.single) * together.runs
    most = "everything" if joint.infinite else f"{three(nats_approx(joint))} nats"
    alone = "infinite" if math.isinf(total) else f"{three(total)} nats"
    return f"Together the releases leak {most}; their separate leakages sum to {alone}."


def revealing_finding(rows: Sequence[RevealingRow]) -> str:
    """Say how likely it is, in the worst case, that something is certain by the last run."""
    if not rows:
        return "Nothing is asked for."
    worst = max(rows, key=lambda row: row.law.curve[-1])
    what = "the database" if worst.goal == "database" else "the secret"
    last, runs = worst.law.curve[-1], len(worst.law.curve) - 1
    return f"By run {runs}, {what} is certain with probability {chance(last)} in the worst case."


def distinct_curves(rows: Sequence[RevealingRow]) -> list[tuple[str, tuple[Fraction, ...]]]:
    """Return the curves of rows with their names, equal ones once."""
    names: dict[tuple[Fraction, ...], list[str]] = {}
    for row in rows:
        what = "database" if row.goal == "database" else "secret"
        names.setdefault(row.law.curve, []).append(
            f"{what}, given {label_text(row.given, 18)}, {label_text(row.prior, 14)}"
        )
    return [
        (said[0] + (f" and {len(said) - 1} more" if len(said) > 1 else ""), curve)
        for curve, said in names.items()
    ]


def revealing_plot(rows: Sequence[RevealingRow]) -> "Figure":
    """Draw the probability that a secret, or the database, is certain at or before run k; curves
    that coincide are one.

    Of more than `MAX_CURVES` different curves the first ones are drawn.
    """
    with extras:
        from matplotlib.ticker import MaxNLocator

    curves = distinct_curves(rows)
    with styled():
        figure, axes = new_figure(3.6)
        for number, (name, curve) in enumerate(curves[:MAX_CURVES]):
            line = ("-", "--", ":", "-.")[number // 4 % 4]
            color = (FOR, AGAINST, MARK, FAINT)[number % 4]
            axes.plot(
                [float(value) for value in curve],
                line,
                color=color,
                marker="o",
                markersize=4,
                label=name,
            )
        axes.set_ylim(-0.02, 1.02)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(
            "runs" if len(curves) <= MAX_CURVES else f"runs ({MAX_CURVES} of {len(curves)} curves)"
        )
        axes.set_ylabel("probability of being certain")
        figure.legend(loc="outside upper left", frameon=False)
    return figure
