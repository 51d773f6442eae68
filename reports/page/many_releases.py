"""What the report's page says of many releases: rates, curves, what is revealed when, and what any
mechanism could do.

Every number comes from the runs; nothing is decided here.

This file also has plots inside a page.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from markupsafe import Markup

from pufferproof.lp.rates.nfc import Rate
from pufferproof.lp.worst.composition import WorstComposition
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.plots.listed import (
    MAX_OUTPUTS,
    output_bars,
    outputs_finding,
    outputs_plot,
    profile_finding,
    profile_plot,
)
from pufferproof.reports.composition.any_form import released
from pufferproof.reports.composition.plots.releases import (
    composition_finding,
    composition_plot,
    rate_finding,
    rate_plot,
    revealing_finding,
    revealing_plot,
)
from pufferproof.reports.composition.rates import rate_phrase
from pufferproof.reports.composition.worst import runs_text
from pufferproof.reports.console.drawing import inline_svg
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import leakage_text, prior_text, times_text, trust_text
from pufferproof.reports.page.laboratory import WorstRun
from pufferproof.reports.page.runs import CURVE_RUNS, AuditRun, ComposeRun, RateRun
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.audit import Audit
from pufferproof.verify.leakage.runs.revealing import RevealingRow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def rates_figures(run: ComposeRun) -> list[dict[str, object]]:
    """Return the curves of many runs: leakage against the rate, and how soon secrets are
    certain where the rate is infinite.
    """
    slow = [rate for rate in run.rates if not rate.revealing]
    shown = _curves(run.name, slow) if slow else []
    fast = [rate for rate in run.rates if rate.revealing]
    for number, each in enumerate(fast, start=1):
        shown += _certainty(f"{run.name}-reveal-{number}", each)
    return shown


def revealed_sentences(run: ComposeRun) -> list[str]:
    """Say for every mechanism that reveals secrets how soon the first of them is certain."""
    said = []
    for rate in run.rates:
        rows = [row for row in rate.revealing if row.goal == "secret"]
        if rows:
            soonest = min(rows, key=lambda row: (row.law.never, row.law.expected or 0))
            said.append(
                f"Releasing {rate.mechanism} again and again, with fresh randomness: "
                f"{_revealed(soonest)}."
            )
    return said


def worst_section(runs: Sequence[WorstRun]) -> dict[str, object] | None:
    """Return what the page shows of the worst cases of an example, None when there is nothing
    to show.
    """
    if not runs:
        return None
    rows = [_worst_row(run, run.worst) for run in runs if run.worst is not None]
    left_out = [f"{run.framework}: {run.left_out}." for run in runs if run.worst is None]
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


def _curves(name: str, rates: Sequence[RateRun]) -> list[dict[str, object]]:
    captions = []
    for each in rates:
        last, rate = leakage_text(each.curve.leakages[-1]), _rate_text(each.rate)
        captions.append(f"{each.mechanism}: {each.curve.runs[-1]} runs leak {last}; rate {rate}")
    curves = [(each.mechanism, each.curve) for each in rates]
    ends = [(mechanism, curve.runs[-1]) for mechanism, curve in curves]
    short = ", ".join(f"{mechanism} up to {end}" for mechanism, end in ends if end < CURVE_RUNS)
    said = "; ".join([*captions, *([f"{short} runs"] if short else [])])
    return figures(f"{name}-runs", rate_finding(curves), said, lambda: rate_plot(curves))


def _certainty(name: str, each: RateRun) -> list[dict[str, object]]:
    rows = [row for row in each.revealing if row.goal == "secret"]
    caption = f"{each.mechanism}: {'; '.join(_revealed(row) for row in rows[:_NAMED])}"
    return figures(name, revealing_finding(rows), caption, lambda: revealing_plot(rows))


def _revealed(row: RevealingRow) -> str:
    """Say how soon a secret is certain: on average, and almost surely; or how often it never is."""
    given = f'when "{label_text(row.given)}" holds, prior "{label_text(row.prior)}"'
    likely = next((k for k, value in enumerate(row.law.curve) if value >= _LIKELY), None)
    soon = (
        ""
        if likely is None
        else f", by run {likely} with a probability of at least {float(_LIKELY):.0%}"
    )
    if row.law.expected is None:
        return (
            f"{given}, it is certain with probability {times_text(1 - row.law.never)}, otherwise "
            f"never{soon}"
        )
    return f"{given}, it is certain on average at run {times_text(row.law.expected)}{soon}"


def figures(
    name: str, finding: str, caption: str, draw: "Callable[[], Figure]"
) -> list[dict[str, object]]:
    """Return a plot as SVG with its finding as title, none where it is not defined."""
    try:
        drawn = draw()
    except ModelError:
        return []
    return [
        {
            "finding": finding,
            "svg": Markup(inline_svg(drawn, name, f"{finding} {caption}.", finding)),
        }
    ]


def audit_figures(run: AuditRun) -> list[dict[str, object]]:
    """Return what each output tells, and the privacy profile; nothing where nothing leaks, or
    outputs are not listed.
    """
    if not run.audit.is_listed or run.audit.leakage.ratio == 1:
        return []
    return [*_outputs(run.name, run.audit), *_profile(run.name, run.audit)]


def composition_figures(run: ComposeRun) -> list[dict[str, object]]:
    """Return the leakage of a joint release beside those of its parts."""
    together, names = released(run.together), run.case.mechanisms
    alone = ", ".join(f"{name} {leakage_text(each)}" for name, each in zip(names, run.single))
    caption = f"Alone: {alone}; together: {leakage_text(together.joint.leakage)}"
    labels = [label_text(name, 24) for name in names]
    plot = partial(composition_plot, together, labels)
    return figures(f"{run.name}-joint", composition_finding(together), caption, plot)


def _outputs(name: str, audit: Audit) -> list[JsonObject]:
    left, right = audit.witness.pair
    texts = [
        f'"{label_text(output)}" '
        + ("never occurs" if value is None else _nats_for(value, left, right))
        for output, value in output_bars(audit)[:MAX_OUTPUTS]
    ]
    said = f"What each output tells, {prior_text(audit.witness.prior)}: {'; '.join(texts)}"
    return figures(f"{name}-outputs", outputs_finding(audit), said, partial(outputs_plot, audit))


def _nats_for(value: float, left: str, right: str) -> str:
    if value == 0:
        return "tells nothing"
    size = "infinite" if math.isinf(value) else f"{abs(value):.3g} nats"
    return f'{size} for "{label_text(left if value > 0 else right)}"'


def _profile(name: str, audit: Audit) -> list[dict[str, object]]:
    caption = f"The smallest delta for every epsilon; exact leakage {leakage_text(audit.leakage)}"
    if audit.level is not None:
        caption += f"; level asked for {audit.level}"
    return figures(f"{name}-profile", profile_finding(audit), caption, partial(profile_plot, audit))
