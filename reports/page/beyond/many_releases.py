"""What the report's page says of many releases: rates, curves, what is revealed when, and what any
mechanism could do.

Every number comes from the runs; nothing is decided here.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from pufferproof.lp.rates.nfc import Rate
from pufferproof.lp.worst.composition import WorstComposition
from pufferproof.models.numbers.text import capital, full_stop
from pufferproof.reports.composition.any_form import released
from pufferproof.reports.composition.plots.releases import composition_plot, rate_plot, revealing_plot
from pufferproof.reports.composition.rates import rate_phrase
from pufferproof.reports.composition.worst import runs_text
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import chance_text, leakage_text, times_text, trust_text
from pufferproof.reports.explaining.pages.picture import Picture
from pufferproof.reports.page.beyond.laboratory import WorstRun
from pufferproof.reports.page.runs import CURVE_RUNS, ComposeRun, RateRun
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.leakage.runs.revealing import RevealingRow

_NAMED = 6  # secrets in a description of a plot
_LIKELY = Fraction(99, 100)


def rate_rows(run: ComposeRun) -> list[dict[str, str]]:
    """Return a row per release: its mechanism, its leakage alone, and its composition rate."""
    rates = {rate.mechanism: _rate_text(rate.rate) for rate in run.rates}
    return [
        {"mechanism": name, "leakage": leakage_text(single), "rate": rates.get(name, "not computed")}
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
    left_out = [f"{run.framework} is left out because {run.left_out}." for run in runs if run.worst is None]
    return {"anchor": f"{runs[0].example.name}-any", "rows": rows, "left_out": left_out}


def _worst_row(run: WorstRun, worst: WorstComposition) -> dict[str, object]:
    # say whether the worst case is certainly at most the sum of rational budgets
    ratios = [level.ratio for level in worst.budgets if level.ratio is not None]
    adds = len(ratios) == len(worst.budgets) and worst.upper is not None and worst.upper <= prod(ratios)
    finite = "ADDS UP" if adds else "EXCEEDS"
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


def _curves(rates: Sequence[RateRun]) -> Picture:
    captions = []
    for each in rates:
        last, rate = leakage_text(each.curve.leakages[-1]), _rate_text(each.rate)
        captions.append(f"{each.mechanism}: {each.curve.runs[-1]} runs leak {last}; rate {rate}")
    curves = [(each.mechanism, each.curve) for each in rates]
    ends = [(mechanism, curve.runs[-1]) for mechanism, curve in curves]
    short = ", ".join(f"{mechanism} up to {end}" for mechanism, end in ends if end < CURVE_RUNS)
    said = "; ".join([*captions, *([f"{short} runs"] if short else [])])
    plot, asked = rate_plot(curves), max(curve.asked for _, curve in curves)
    counted = max(end for _, end in ends) == asked
    long = "" if counted else f"; leakages of up to {asked} runs take too long to compute"
    below = f"Leakage in nats (up) by number of runs (across){long}."
    return Picture(plot, f"{plot.finding} {said}.", below)


def _certainty(each: RateRun) -> Picture:
    rows = [row for row in each.revealing if row.goal == "secret"]
    said = f"{each.mechanism}: {'; '.join(_revealed(row) for row in rows[:_NAMED])}"
    plot = revealing_plot(rows)
    few = plot.panels[0].x.label.removeprefix("runs")
    below = f"Probability that the secret is certain (up) by number of runs (across){few}."
    return Picture(plot, f"{plot.finding} {said}.", below)


def _revealed(row: RevealingRow) -> str:
    """Say how soon a secret is certain: on average, and almost surely; or how often it never is."""
    given = f'if "{label_text(row.given)}" holds under the prior "{label_text(row.prior)}"'
    likely = next((k for k, value in enumerate(row.law.curve) if value >= _LIKELY), None)
    soon = "" if likely is None else f", and after {likely} runs with probability at least {float(_LIKELY):.0%}"
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
    plot = composition_plot(together, [label_text(name, 24) for name in names])
    dashed = " The dashed line marks the sum of the separate leakages."
    below = "Leakage in nats." + dashed * (len(plot.panels[0].parts) > 1)
    joint = leakage_text(together.joint.leakage)
    return [Picture(plot, f"{plot.finding} Alone: {alone}; together: {joint}.", below)]
