"""What the report's page says: audits and joint releases as words, tables and plots, for the
templates to lay out.

Every number comes from the audits; nothing is decided here. Templates escape all text, since
labels are anybody's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import prod

from pufferproof.lp.rates.nfc import Rate
from pufferproof.lp.worst.composition import WorstComposition
from pufferproof.models.numbers.text import capital, full_stop
from pufferproof.reports.auditing.plots.listed import audit_pictures
from pufferproof.reports.composition.any_form import AnyComposition, released
from pufferproof.reports.composition.plots.releases import composition_plot, rate_plot, revealing_plot
from pufferproof.reports.composition.rates import rate_phrase
from pufferproof.reports.composition.worst import runs_text
from pufferproof.reports.console.labels import label_text, own_script
from pufferproof.reports.console.words import TABLE_HEADER, chance_text, leakage_text, row_cells, times_text, trust_text
from pufferproof.reports.explaining.picture import Picture
from pufferproof.reports.page.examples import Example
from pufferproof.reports.page.gallery import GalleryRun, gallery_section
from pufferproof.reports.page.ledger import LedgerEntry
from pufferproof.reports.page.runs import CURVE_RUNS, MAX_TABLE_ROWS, AuditRun, ComposeRun, RateRun, WorstRun
from pufferproof.reports.page.sentences import (
    joint_phrase,
    joint_scope,
    joint_sentences,
    odds_phrase,
    scope_sentences,
    witness_sentences,
)
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.runs.revealing import RevealingRow

NO_LEVEL = "LEAKAGE"
COMPOSES = {Decision.HOLDS: "COMPOSES", Decision.FAILS: "DOES NOT COMPOSE", Decision.UNDECIDED: "TOO CLOSE TO TELL"}
_KIND = {
    "SATISFIES": "good",
    "COMPOSES": "good",
    "VIOLATES": "bad",
    "DOES NOT COMPOSE": "bad",
    "holds, exactly": "good",
    "holds, with slack": "good",
    "broken": "bad",
    "undecided": "open",
}
_NAMED = 6  # secrets in a description of a plot
_LIKELY = Fraction(99, 100)


@dataclass(frozen=True)
class Runs:
    """All that a report has run."""

    audits: list[AuditRun]
    composes: list[ComposeRun]
    worsts: list[WorstRun]
    gallery: list[GalleryRun]


def page_context(
    examples: Sequence[Example], runs: Runs, ledger: Sequence[LedgerEntry], version: str
) -> dict[str, object]:
    """Return what the templates show."""
    shown = {
        example.name: [audit_section(run) for run in runs.audits if run.example is example]
        + [compose_section(run) for run in runs.composes if run.example is example]
        for example in examples
    }
    worst = {
        example.name: worst_section([run for run in runs.worsts if run.example is example]) for example in examples
    }
    return {
        "version": version,
        "summary": summary(runs),
        "words": list(dict.fromkeys(each["word"] for each in chain.from_iterable(shown.values()))),
        "examples": [
            {
                "name": example.name,
                "title": example.title,
                "sections": shown[example.name],
                "worst": worst[example.name],
            }
            for example in examples
        ],
        "gallery": [gallery_section(run) for run in runs.gallery],
        "ledger": [ledger_row(entry, runs.audits) for entry in ledger],
        "table_header": TABLE_HEADER,
        "most_rows": MAX_TABLE_ROWS,
        **own_script(),
    }


def summary(runs: Runs) -> dict[str, int]:
    """Count the verdicts and the kernel's answers."""
    kept = [run.audit.kept for run in runs.audits]
    evidence = [run.evidence for run in runs.audits] + [run.evidence for run in runs.composes]
    evidence += {id(rate): rate.evidence for run in runs.composes for rate in run.rates}.values()
    evidence += [run.evidence for run in runs.worsts if run.evidence is not None]
    evidence += [each for run in runs.gallery for each in run.evidence]
    return {
        "audits": len(runs.audits),
        "satisfied": kept.count(Decision.HOLDS),
        "violated": kept.count(Decision.FAILS),
        "no_level": kept.count(None),
        "composes": len(runs.composes),
        "not_composing": sum(run.together.additive is Decision.FAILS for run in runs.composes),
        "gallery": len(runs.gallery),
        "certificates": sum(each.certificate is not None for each in evidence),
        "accepted": sum(each.accepted for each in evidence),
        "refused": sum(each.refused for each in evidence),
        "without_certificate": sum(each.certificate is None for each in evidence),
    }


def audit_section(run: AuditRun) -> dict[str, object]:
    """Return what the page shows of one audit."""
    audit = run.audit
    word = NO_LEVEL if audit.verdict is None else audit.verdict.value
    return {
        "compose": False,
        "anchor": run.name,
        "level": "" if audit.level is None else str(audit.level),
        "word": word,
        "kind": _KIND.get(word, "open"),
        "leakage": leakage_text(audit.leakage),
        "odds": odds_phrase(audit.leakage),
        "witness": witness_sentences(audit),
        "scope": scope_sentences(audit),
        "plots": audit_pictures(run.audit),
        "revealed": [],
        "rates": (),
        "table": run.table,
        "rows": [row_cells(row) for row in run.rows],
        "row_count": audit.scope.checked,
        **_shared(run),
    }


def compose_section(run: ComposeRun) -> dict[str, object]:
    """Return what the page shows of one joint release."""
    together = run.together
    return {
        "compose": True,
        "anchor": run.name,
        "level": "",
        "word": composes(together),
        "kind": _KIND.get(composes(together), "open"),
        "leakage": joint_phrase(together),
        "odds": odds_phrase(released(together).joint.leakage),
        "single": rate_rows(run),
        "rates": run.rates,
        "witness": joint_sentences(together),
        "revealed": revealed_sentences(run),
        "scope": joint_scope(together),
        "plots": [*composition_pictures(run), *rates_pictures(run)],
        "table": None,
        "rows": [],
        "row_count": 0,
        **_shared(run),
    }


def composes(together: AnyComposition) -> str:
    """Say in a word whether releases compose, or that it is not known."""
    return COMPOSES[together.additive]


def ledger_row(entry: LedgerEntry, audits: Sequence[AuditRun]) -> dict[str, object]:
    """Return what the page shows of one ledger entry."""
    anchors = [
        run.name
        for run in audits
        if run.example.name == entry.example and run.case.files == (entry.framework, entry.mechanism)
    ]
    return {
        "anchor": anchors[0],
        "example": entry.example,
        "mechanism": entry.mechanism,
        "source": entry.source,
        "claimed": str(entry.claimed),
        "leakage": leakage_text(entry.audit.leakage),
        "word": entry.finding,
        "verdict": NO_LEVEL if entry.audit.verdict is None else entry.audit.verdict.value,
        "kind": _KIND[entry.finding],
    }


def _shared(run: AuditRun | ComposeRun) -> dict[str, object]:
    return {
        "shows": capital(full_stop(run.case.shows)),
        "mechanisms": run.case.files[1:],
        "framework": run.case.framework,
        "inputs": run.inputs,
        "trust": trust_text(run.answer["trust"], bases(run.answer["rests_on"])),
        "evidence": run.evidence,
        "refused": run.evidence.refused
        or any(rate.evidence.refused for rate in (run.rates if isinstance(run, ComposeRun) else ())),
    }


# Many releases: rates, curves, what is revealed when, and the worst cases of a framework.


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
