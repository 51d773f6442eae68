"""What the report's page says of many releases: rates, curves, what is revealed when, and what any
mechanism could do.

Every number comes from the runs; nothing is decided here.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

from pufferproof.lp.rates.nfc import Rate
from pufferproof.lp.worst.composition import WorstComposition
from pufferproof.models.numbers.text import at_most, capital, full_stop
from pufferproof.reports.auditing.plots.bars import Bar
from pufferproof.reports.composition.any_form import released
from pufferproof.reports.composition.plots.releases import (
    MAX_CURVES,
    RateCurve,
    composition_bars,
    composition_finding,
    distinct_curves,
    rate_finding,
    revealing_finding,
)
from pufferproof.reports.composition.rates import rate_phrase
from pufferproof.reports.composition.worst import runs_text
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, MARK, nats_approx
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import chance_text, leakage_text, times_text, trust_text
from pufferproof.reports.explaining.pages.picture import Bars, Curve, Curves, Picture, Row
from pufferproof.reports.page.beyond.laboratory import WorstRun
from pufferproof.reports.page.runs import CURVE_RUNS, ComposeRun, RateRun
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.leakage.runs.revealing import RevealingRow

# Pictures of many releases for the page of a report: leakages alone and together, of more and more
# runs, and how soon a secret is certain.

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


_NAMED = 6  # secrets in a description of a plot
_LIKELY = Fraction(99, 100)


def rate_rows(run: ComposeRun) -> list[dict[str, str]]:
    """Return a row per release: its mechanism, its leakage alone, and its composition rate."""
    rates = {rate.mechanism: _rate_text(rate.rate) for rate in run.rates}
    return [
        {
            "mechanism": name,
            "leakage": leakage_text(single),
            "rate": rates.get(name, "not computed"),
        }
        for name, single in zip(run.case.mechanisms, run.single)
    ]


def _rate_text(rate: Rate) -> str:
    return "infinite: finitely many runs leak everything" if rate.infinite else rate_phrase(rate)


def rates_pictures(run: ComposeRun) -> list[Picture]:
    """Return the curves of many runs: leakage against the rate, and how soon secrets are
    certain where the rate is infinite.
    """
    slow = [rate for rate in run.rates if not rate.revealing]
    fast = [rate for rate in run.rates if rate.revealing]
    return [*([_curves(slow)] if slow else []), *map(_certainty, fast)]


def revealed_sentences(run: ComposeRun) -> list[str]:
    """Say for every mechanism that reveals secrets how soon the first of them is certain."""
    said = []
    for rate in run.rates:
        rows = [row for row in rate.revealing if row.goal == "secret"]
        if rows:
            soonest = min(rows, key=lambda row: (row.law.never, row.law.expected or 0))
            again = f"Suppose that {rate.mechanism} is released again and again"
            said.append(f"{again}, with fresh randomness. {capital(full_stop(_revealed(soonest)))}")
    return said


def worst_section(runs: Sequence[WorstRun]) -> dict[str, object] | None:
    """Return what the page shows of the worst cases of an example, None when there is nothing
    to show.
    """
    if not runs:
        return None
    rows = [_worst_row(run, run.worst) for run in runs if run.worst is not None]
    left_out = [
        f"{run.framework} is left out because {run.left_out}." for run in runs if run.worst is None
    ]
    return {"anchor": f"{runs[0].example.name}-any", "rows": rows, "left_out": left_out}


def _worst_row(run: WorstRun, worst: WorstComposition) -> dict[str, object]:
    finite = "ADDS UP" if _adds(worst) else "EXCEEDS"
    word = "REVEALS ALL" if worst.lower is None else finite
    return {
        "framework": run.framework,
        "level": str(run.level),
        "joint": leakage_text(worst.joint),
        "word": word,
        "kind": {"REVEALS ALL": "bad", "ADDS UP": "good"}.get(word, "open"),
        "runs": runs_text(worst),
        "certifies": run.certifies,
        "trust": trust_text(worst.trust, bases(worst.rests_on)),
        "evidence": run.evidence,
    }


def _adds(worst: WorstComposition) -> bool:
    """Say whether the worst case is certainly at most the sum of rational budgets."""
    ratios = [level.ratio for level in worst.budgets if level.ratio is not None]
    return (
        len(ratios) == len(worst.budgets)
        and worst.upper is not None
        and worst.upper <= prod(ratios)
    )


def _curves(rates: Sequence[RateRun]) -> Picture:
    captions = []
    for each in rates:
        last, rate = leakage_text(each.curve.leakages[-1]), _rate_text(each.rate)
        captions.append(f"{each.mechanism}: {each.curve.runs[-1]} runs leak {last}; rate {rate}")
    curves = [(each.mechanism, each.curve) for each in rates]
    ends = [(mechanism, curve.runs[-1]) for mechanism, curve in curves]
    short = ", ".join(f"{mechanism} up to {end}" for mechanism, end in ends if end < CURVE_RUNS)
    said = "; ".join([*captions, *([f"{short} runs"] if short else [])])
    return rates_picture(curves, f"{rate_finding(curves)} {said}.")


def _certainty(each: RateRun) -> Picture:
    rows = [row for row in each.revealing if row.goal == "secret"]
    said = f"{each.mechanism}: {'; '.join(_revealed(row) for row in rows[:_NAMED])}"
    return revealing_picture(rows, f"{revealing_finding(rows)} {said}.")


def _revealed(row: RevealingRow) -> str:
    """Say how soon a secret is certain: on average, and almost surely; or how often it never is."""
    given = f'if "{label_text(row.given)}" holds under the prior "{label_text(row.prior)}"'
    likely = next((k for k, value in enumerate(row.law.curve) if value >= _LIKELY), None)
    soon = (
        ""
        if likely is None
        else f", and after {likely} runs with probability at least {float(_LIKELY):.0%}"
    )
    if row.law.expected is None:
        return (
            f"{given}, the secret becomes certain with probability "
            f"{chance_text(1 - row.law.never)} and otherwise never{soon}"
        )
    runs = times_text(row.law.expected)
    return f"{given}, the secret is certain after {runs} runs on average{soon}"


def composition_pictures(run: ComposeRun) -> list[Picture]:
    """Return the leakage of a joint release beside those of its parts."""
    together, names = released(run.together), run.case.mechanisms
    alone = ", ".join(f"{name} {leakage_text(each)}" for name, each in zip(names, run.single))
    said = (
        f"{composition_finding(together)} Alone: {alone}; together: "
        f"{leakage_text(together.joint.leakage)}."
    )
    return [composition_picture(together, [label_text(name, 24) for name in names], said)]
