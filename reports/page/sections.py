"""What the report's page says: audits and joint releases as words, tables and plots, for the
templates to lay out.

Every number comes from the audits; nothing is decided here. Templates escape all text, since labels
are anybody's.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pufferproof.models.numbers.grammar import brief
from pufferproof.reports.auditing.any_form import leakage_phrase
from pufferproof.reports.auditing.plots import (
    MAX_OUTPUTS,
    output_bars,
    outputs_plot,
    profile_plot,
)
from pufferproof.reports.composition.accounts import AccountedComposition
from pufferproof.reports.composition.any_form import AnyComposition
from pufferproof.reports.composition.plot import (
    composition_plot,
)
from pufferproof.reports.console.labels import label_text, visible
from pufferproof.reports.console.words import (
    TABLE_HEADER,
    leakage_text,
    never_checked_lines,
    prior_text,
    row_cells,
    times_text,
)
from pufferproof.reports.page.examples import Example
from pufferproof.reports.page.figures import figure
from pufferproof.reports.page.gallery import GalleryRun, gallery_section
from pufferproof.reports.page.laboratory import WorstRun
from pufferproof.reports.page.ledger import LedgerEntry
from pufferproof.reports.page.many_releases import (
    rate_rows,
    rates_figures,
    revealed_sentences,
    worst_section,
)
from pufferproof.reports.page.runs import MAX_TABLE_ROWS, AuditRun, ComposeRun
from pufferproof.reports.page.unlisted import (
    joint_phrase,
    joint_scope,
    joint_witness,
    single_phrase,
    unlisted_scope,
    unlisted_witness,
)
from pufferproof.verify.audit import Audit
from pufferproof.verify.composition import Composition
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.table import probabilities

NO_LEVEL = "LEAKAGE"
COMPOSES = {
    Decision.HOLDS: "COMPOSES",
    Decision.FAILS: "DOES NOT COMPOSE",
    Decision.UNDECIDED: "TOO CLOSE TO TELL",
}
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
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$#&])")


@dataclass(frozen=True)
class Runs:
    """All that a report has found."""

    audits: list[AuditRun]
    composes: list[ComposeRun]
    worsts: list[WorstRun]
    gallery: list[GalleryRun]


def page_context(
    examples: Sequence[Example],
    found: Runs,
    ledger: Sequence[LedgerEntry],
    version: str,
) -> dict[str, Any]:
    """Return what the templates show."""
    shown = {
        example.name: [audit_section(run) for run in found.audits if run.example is example]
        + [compose_section(run) for run in found.composes if run.example is example]
        for example in examples
    }
    worst = {
        example.name: worst_section([run for run in found.worsts if run.example is example])
        for example in examples
    }
    return {
        "version": version,
        "summary": summary(found),
        "examples": [
            {
                "name": each.name,
                "title": each.title,
                "sections": shown[each.name],
                "worst": worst[each.name],
            }
            for each in examples
        ],
        "gallery": [gallery_section(run) for run in found.gallery],
        "ledger": [ledger_row(entry, found.audits) for entry in ledger],
        "table_header": TABLE_HEADER,
        "most_rows": MAX_TABLE_ROWS,
    }


def summary(found: Runs) -> dict[str, int]:
    """Count the verdicts and the kernel's answers."""
    kept = [run.found.kept for run in found.audits]
    evidence = [run.evidence for run in found.audits] + [run.evidence for run in found.composes]
    evidence += {id(rate): rate.evidence for run in found.composes for rate in run.rates}.values()
    evidence += [run.evidence for run in found.worsts if run.evidence is not None]
    evidence += [each for run in found.gallery for each in run.evidence]
    return {
        "audits": len(found.audits),
        "satisfied": kept.count(Decision.HOLDS),
        "violated": kept.count(Decision.FAILS),
        "no_level": kept.count(None),
        "composes": len(found.composes),
        "not_composing": sum(run.found.additive is Decision.FAILS for run in found.composes),
        "gallery": len(found.gallery),
        "certificates": sum(each.certificate is not None for each in evidence),
        "accepted": sum(each.accepted for each in evidence),
        "refused": sum(each.refused for each in evidence),
        "without_certificate": sum(each.certificate is None for each in evidence),
    }


def audit_section(run: AuditRun) -> dict[str, Any]:
    """Return what the page shows of one audit."""
    found = run.found
    word = NO_LEVEL if found.verdict is None else found.verdict.value
    return {
        "compose": False,
        "anchor": run.name,
        "level": "" if found.level is None else str(found.level),
        "word": word,
        "kind": _KIND.get(word, "open"),
        "leakage": leakage_phrase(found),
        "witness": witness_sentences(found, f'output "{found.witness.output}"')
        if found.is_listed
        else unlisted_witness(found),
        "scope": scope_sentences(found) if found.is_listed else unlisted_scope(found),
        "plots": []
        if not found.is_listed or found.leakage.ratio == 1
        else [
            plot
            for plot in (_outputs_figure(run.name, found), _profile_figure(run.name, found))
            if plot
        ],
        "revealed": [],
        "rates": (),
        "table": run.table,
        "rows": [row_cells(row) for row in run.rows],
        "row_count": found.scope.checked,
        **_shared(run),
    }


def compose_section(run: ComposeRun) -> dict[str, Any]:
    """Return what the page shows of one joint release."""
    found = run.found
    return {
        "compose": True,
        "anchor": run.name,
        "level": "",
        "word": COMPOSES[found.additive],
        "kind": _KIND.get(COMPOSES[found.additive], "open"),
        "leakage": joint_phrase(found),
        "single": rate_rows(run),
        "rates": run.rates,
        "witness": _joint_witness(found),
        "revealed": revealed_sentences(run),
        "scope": scope_sentences(found.joint)
        if isinstance(found, Composition) and found.joint.is_listed
        else joint_scope(found),
        "plots": [plot for plot in (_composition_figure(run), *rates_figures(run)) if plot],
        "table": None,
        "rows": [],
        "row_count": 0,
        **_shared(run),
    }


def ledger_row(entry: LedgerEntry, audits: Sequence[AuditRun]) -> dict[str, Any]:
    """Return what the page shows of one ledger entry."""
    anchors = [
        run.name
        for run in audits
        if run.example.name == entry.example
        and run.case.files == (entry.framework, entry.mechanism)
    ]
    return {
        "anchor": anchors[0],
        "example": entry.example,
        "mechanism": entry.mechanism,
        "source": entry.source,
        "claimed": str(entry.claimed),
        "leakage": leakage_phrase(entry.found),
        "word": entry.finding,
        "kind": _KIND[entry.finding],
    }


def _joint_witness(found: AnyComposition) -> list[str]:
    if not isinstance(found, Composition) or not found.joint.is_listed:
        return joint_witness(found)
    outputs = " and ".join(f'"{output}"' for output in found.outputs)
    return witness_sentences(found.joint, f"releasing {outputs} together")


def witness_sentences(found: Audit, event: str) -> list[str]:
    """Say where the leakage is reached, with both exact probabilities, and what an adversary
    learns there.
    """
    above, below = found.witness.pair
    left, right = probabilities(found.framework, found.channel, found.witness)
    event = event[0].upper() + event[1:]
    where = f"{event}, under the {prior_text(found.witness.prior)},"
    if right == 0:
        said = (
            f'{where} has probability {brief(left)} when "{above}" holds and 0 when "{below}" does'
        )
        return [f'{said}: seeing it excludes "{below}".']
    if left == right:
        said = f'{where} is as likely when "{above}" holds as when "{below}" does ({brief(left)})'
        return [f"{said}: no output tells secrets apart."]
    both = f"({brief(left)} against {brief(right)})"
    times = (
        f'{where} is {times_text(left / right)} times as likely when "{above}" holds as when '
        f'"{below}" does {both}.'
    )
    if not isinstance(found.witness.prior, str):
        return [times]
    framework, prior = found.framework, found.witness.prior
    odds = Fraction(framework.mass(prior, above), framework.mass(prior, below))
    before, after = times_text(odds), times_text(odds * left / right)
    return [
        times,
        f'Seeing it turns the odds for "{above}" against "{below}" from {before} to 1 into {after} '
        f"to 1.",
    ]


def scope_sentences(found: Audit) -> list[str]:
    """Say how much was checked, and what was left out."""
    scope = found.scope
    priors = _count(len(found.framework.priors), "prior", "priors")
    mixtures = " and all their mixtures" * (found.framework.closure == "convex")
    said = [f"{_count(scope.checked, 'inequality', 'inequalities')} over {priors}{mixtures}."]
    if scope.excluded:
        combinations = _count(scope.excluded, "combination", "combinations")
        said.append(f"{combinations} of prior and pair left out: a secret has probability 0 there.")
    said += [
        f'The rows of prior "{name}" were divided by their sums.'
        for name in found.framework.normalized
    ]
    return said + never_checked_lines(found)


def sentence(text: str) -> str:
    """Write a remark as a sentence: a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if not text or text.endswith((".", "!", "?")) else ".")


def markdown(value: object) -> str:
    """Escape text for Markdown, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(str(value).split()))


def rendered(template: str, context: dict[str, Any]) -> str:
    """Fill a template; everything but our own plots and formulas is escaped in HTML."""
    return str(_environment().get_template(template).render(context))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("pufferproof.reports"),
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        undefined=StrictUndefined,
        finalize=lambda value: (
            value if isinstance(value, Markup) or not isinstance(value, str) else visible(value)
        ),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["markdown"] = markdown
    return environment


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _shared(run: AuditRun | ComposeRun) -> dict[str, Any]:
    return {
        "shows": sentence(run.case.shows),
        "mechanisms": run.case.files[1:],
        "framework": run.case.framework,
        "inputs": run.inputs,
        "trust": ", ".join(run.answer["trust"]),
        "evidence": run.evidence,
        "refused": run.evidence.refused
        or any(
            rate.evidence.refused for rate in (run.rates if isinstance(run, ComposeRun) else ())
        ),
    }


def _outputs_figure(name: str, found: Audit) -> dict[str, Any] | None:
    left, right = found.witness.pair
    told = [
        f'"{label_text(output)}" '
        + ("never occurs" if value is None else _nats_for(value, left, right))
        for output, value in output_bars(found)[:MAX_OUTPUTS]
    ]
    caption = f"What each output tells, {prior_text(found.witness.prior)}"
    return figure(f"{name}-outputs", caption, "; ".join(told), lambda: outputs_plot(found))


def _nats_for(value: float, left: str, right: str) -> str:
    if value == 0:
        return "tells nothing"
    size = "infinite" if math.isinf(value) else f"{abs(value):.3g} nats"
    return f'{size} for "{label_text(left if value > 0 else right)}"'


def _profile_figure(name: str, found: Audit) -> dict[str, Any] | None:
    told = f"The smallest delta for every epsilon; exact leakage {leakage_text(found.leakage)}"
    if found.level is not None:
        told += f"; level asked for {found.level}"
    return figure(
        f"{name}-profile",
        "Privacy profile: smallest delta for every epsilon",
        told,
        lambda: profile_plot(found),
    )


def _composition_figure(run: ComposeRun) -> dict[str, Any] | None:
    drawn = run.found.exactly if isinstance(run.found, AccountedComposition) else run.found
    if drawn is None:
        return None
    single = [
        f"{name} {single_phrase(each)}" for name, each in zip(run.case.mechanisms, run.single)
    ]
    told = f"Alone: {', '.join(single)}; together: {joint_phrase(run.found)}"
    names = [label_text(name, 24) for name in run.case.mechanisms]
    return figure(
        f"{run.name}-joint", "Alone and together", told, lambda: composition_plot(drawn, names)
    )
