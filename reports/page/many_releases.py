"""What the report's page says of many releases: rates, curves, what is revealed when, and what any
mechanism could do.

Every number comes from the runs; nothing is decided here.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from pufferproof.lp.rates.nfc import Rate
from pufferproof.lp.worst.composition import WorstComposition
from pufferproof.reports.composition.plots.releases import (
    rate_finding,
    rate_plot,
    revealing_finding,
    revealing_plot,
)
from pufferproof.reports.composition.rates import rate_phrase
from pufferproof.reports.composition.worst import runs_text
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import leakage_text, times_text, trust_text
from pufferproof.reports.page.figures import figures
from pufferproof.reports.page.laboratory import WorstRun
from pufferproof.reports.page.runs import CURVE_RUNS, ComposeRun, RateRun
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.leakage.runs.revealing import RevealingRow

_NAMED = 6  # secrets in a description of a plot
_LIKELY = Fraction(99, 100)


def rate_rows(run: ComposeRun) -> list[dict[str, str]]:
    """Return a row per release: its mechanism, its leakage alone, and its composition rate."""
    rates = {each.mechanism: _rate_text(each.rate) for each in run.rates}
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
    slow = [each for each in run.rates if not each.revealing]
    shown = _curves(run.name, slow) if slow else []
    fast = [each for each in run.rates if each.revealing]
    for number, each in enumerate(fast, start=1):
        shown += _certainty(f"{run.name}-reveal-{number}", each)
    return shown


def revealed_sentences(run: ComposeRun) -> list[str]:
    """Say for every mechanism that reveals secrets how soon the first of them is certain."""
    said = []
    for each in run.rates:
        rows = [row for row in each.revealing if row.goal == "secret"]
        if rows:
            soonest = min(rows, key=lambda row: (row.law.never, row.law.expected or 0))
            said.append(
                f"Releasing {each.mechanism} again and again, with fresh randomness: "
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
    """Say whether the worst case is certainly at most the sum of the budgets, which must be
    rational ratios for that.
    """
    ratios = [level.ratio for level in worst.budgets if level.ratio is not None]
    return (
        len(ratios) == len(worst.budgets)
        and worst.upper is not None
        and worst.upper <= prod(ratios)
    )


def _curves(name: str, rates: Sequence[RateRun]) -> list[dict[str, object]]:
    told = []
    for each in rates:
        last, rate = leakage_text(each.curve.leakages[-1]), _rate_text(each.rate)
        told.append(f"{each.mechanism}: {each.curve.runs[-1]} runs leak {last}; rate {rate}")
    curves = [(each.mechanism, each.curve) for each in rates]
    ends = [(mechanism, curve.runs[-1]) for mechanism, curve in curves]
    short = ", ".join(f"{mechanism} up to {end}" for mechanism, end in ends if end < CURVE_RUNS)
    said = "; ".join([*told, *([f"{short} runs"] if short else [])])
    return figures(f"{name}-runs", rate_finding(curves), said, lambda: rate_plot(curves))


def _certainty(name: str, each: RateRun) -> list[dict[str, object]]:
    rows = [row for row in each.revealing if row.goal == "secret"]
    told = f"{each.mechanism}: {'; '.join(_revealed(row) for row in rows[:_NAMED])}"
    return figures(name, revealing_finding(rows), told, lambda: revealing_plot(rows))


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
