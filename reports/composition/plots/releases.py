"""Plots of several releases: a joint release beside its parts, and how soon something is certain.

And the leakage of 1, 2, .. runs of a mechanism, drawn against the number of runs times its
composition rate.

Points are exact leakages, rounded for drawing; the band between k rate and k rate + log(1 /
smallest probability of a database given a secret) holds the leakage of k runs up to rounding the
proportions of outputs.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from pufferproof.lp.rates.nfc import Rate
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import at_most, chance, three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    Axis,
    Bar,
    Bars,
    Curve,
    Panel,
    Part,
    Plot,
    Rule,
    nats_approx,
    strip,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.leakage.runs.repeated import MAX_COUNTS, counted_work, leakage_curve
from pufferproof.verify.leakage.runs.revealing import RevealingRow

MAX_CURVES = 8
_POINTS = 50
_MOST_RUNS_OF_MIXTURES = 6
_COLOURS = (FOR, MARK, AGAINST, INK)


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
    # log(1 / least positive P(database | secret)) over priors and paired secrets
    smallest = 1.0
    for law in framework.laws.values():
        for members in framework.secrets.values():
            mass = law.mass(members)
            weights = [law.weights[x] for x in members if law.weights[x]]
            smallest = min([smallest, *(weight / mass for weight in weights)]) if mass else smallest
    slack = -math.log(smallest)
    return RateCurve(numbers, leakage_curve(framework, rate.mechanism, numbers), upper, slack, runs)


def rate_plot(curves: Sequence[tuple[str, RateCurve]]) -> Plot:
    """Return the leakage of k runs of every mechanism, and k times its rate; infinite leakages
    are cut and marked.
    """
    last = max(max(curve.runs) for _, curve in curves)
    parts = [
        part
        for number, (name, curve) in enumerate(curves)
        for part in _parts(label_text(name, 40), curve, _COLOURS[number % 3], last, len(curves) == 1)
    ]
    ends = [y for part in parts if isinstance(part, Curve) for y in part.ys]
    asked = max(curve.asked for _, curve in curves)
    more = f" (of {asked}: the others are too many to count)" * (last != asked)
    along = Axis(f"runs k{more}", 0, last * 1.02, ticks="whole")
    panel = Panel(parts, along, Axis("leakage (nats)", 0, 1.05 * max([1e-3, *ends])))
    findings = []
    for name, curve in curves:
        last_nats = nats_approx(curve.leakages[-1])
        runs = "1 run leaks" if curve.runs[-1] == 1 else f"{curve.runs[-1]} runs leak"
        leak = "everything" if math.isinf(last_nats) else f"{three(last_nats)} nats"
        grows = "the rate is infinite"
        if curve.rate is not None:
            grows = f"in the long run each run adds {three(curve.rate)} nats"
        findings.append(f"{label_text(name, 40)}: {runs} {leak}; {grows}.")
    return Plot(" ".join(findings), [panel])


def _parts(name: str, curve: RateCurve, colour: str, last: int, alone: bool) -> Iterator[Curve | Rule]:
    """Yield k times the rate, the strip above it in which every leakage lies, the exact leakage of
    k runs, and where it becomes infinite.
    """
    values = [nats_approx(leakage) for leakage in curve.leakages]
    finite = [(k, value) for k, value in zip(curve.runs, values) if math.isfinite(value)]
    if curve.rate is not None:
        line, ends = [0.0, curve.rate * last], [0.0, float(last)]
        if curve.slack is not None and alone:
            more = f" + {at_most(curve.slack, 4)}" if curve.slack else ""
            said = f"at most k times the rate{more}, for every k"
            yield strip(said, ends, line, [value + curve.slack for value in line], colour)
        yield Curve(f"k times the rate, {curve.rate:.4g}", ends, line, colour, "--")
    ys = [value for _, value in finite]
    yield Curve(f"exact leakage of k runs, {name}", [k for k, _ in finite], ys, colour, "o-")
    if len(finite) < len(values):
        first = next(k for k, value in zip(curve.runs, values) if math.isinf(value))
        height = 1.0 if max(ys, default=0.0) < 1e-6 else 1.25 * max(ys)
        yield Rule("", first, colour)
        yield Curve(f"infinite from {first} runs on", [first], [height], colour, "^", size=9)


def composition_plot(together: Composition, names: Sequence[str] = ()) -> Plot:
    """Return the leakage of every mechanism alone, their sum, and the joint leakage."""
    numbered = [f"mechanism {index + 1}" for index in range(len(together.single))]
    alone = [nats_approx(single.leakage) for single in together.single]
    total, joint = sum(alone) * together.runs, together.joint.leakage
    runs = f" ({together.runs} runs)" * (together.runs > 1)
    rows = [
        (f"{name or other}, alone{runs}", value, FOR)
        for (name, other), value in zip(zip_longest(names, numbered), alone)
    ]
    rows += [("sum of these", total, FAINT), ("released together", nats_approx(joint), MARK)]
    bars = Bars(
        [
            Bar(name, value, value, colour, "infinite" if math.isinf(value) else f"{value:.4g}")
            for name, value, colour in rows
        ]
    )
    parts: list[Part] = [bars]
    if math.isfinite(total):
        parts.append(Rule("", total, MARK, "--"))
    most = "everything" if joint.infinite else f"{three(nats_approx(joint))} nats"
    summed = "infinite" if math.isinf(total) else f"{three(total)} nats"
    finding = f"Together the releases leak {most}; their separate leakages sum to {summed}."
    return Plot(finding, [Panel(parts, Axis("leakage (nats)"))], 1.5 + 0.34 * len(rows))


def revealing_plot(rows: Sequence[RevealingRow]) -> Plot:
    """Return the probability that a secret, or the database, is certain at or before run k; curves
    that coincide are one.

    Of more than `MAX_CURVES` different curves the first ones are drawn.
    """
    # the curves of rows with their names, equal ones once
    names: dict[tuple[Fraction, ...], list[str]] = {}
    for row in rows:
        goal = "database" if row.goal == "database" else "secret"
        names.setdefault(row.law.curve, []).append(
            f"{goal}, given {label_text(row.given, 18)}, {label_text(row.prior, 14)}"
        )
    curves = [
        (said[0] + (f" and {len(said) - 1} more" if len(said) > 1 else ""), curve) for curve, said in names.items()
    ]
    parts = [
        Curve(
            name,
            range(len(curve)),
            [float(value) for value in curve],
            _COLOURS[number % 4],
            ("o-", "o--", "o:")[number // 4 % 3],
        )
        for number, (name, curve) in enumerate(curves[:MAX_CURVES])
    ]
    runs = max((len(curve) for _, curve in curves), default=1) - 1
    few = f" ({MAX_CURVES} of {len(curves)} curves)" * (len(curves) > MAX_CURVES)
    along = Axis(f"runs{few}", 0, max(runs, 1) * 1.02, ticks="whole")
    finding = "Nothing is asked for."
    if rows:
        worst = max(rows, key=lambda row: row.law.curve[-1])
        what = "the database" if worst.goal == "database" else "the secret"
        likely = f"{what} is certain with probability {chance(worst.law.curve[-1])}"
        finding = f"By run {len(worst.law.curve) - 1}, {likely} in the worst case."
    return Plot(finding, [Panel(parts, along, Axis("probability of being certain", 0, 1.05))])
