"""Plots inside a page: the SVG, with the answer as title, and what is seen in words for who cannot
see it.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from markupsafe import Markup

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
from pufferproof.reports.composition.plots.releases import composition_finding, composition_plot
from pufferproof.reports.console.drawing import inline_svg
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import leakage_text, prior_text
from pufferproof.reports.page.runs import AuditRun, ComposeRun
from pufferproof.verify.audit import Audit

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figures(
    name: str, finding: str, told: str, draw: "Callable[[], Figure]"
) -> list[dict[str, object]]:
    """Return a plot as SVG with its finding as title, none where it is not defined."""
    try:
        drawn = draw()
    except ModelError:
        return []
    return [
        {"finding": finding, "svg": Markup(inline_svg(drawn, name, f"{finding} {told}.", finding))}
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
    told = f"Alone: {alone}; together: {leakage_text(together.joint.leakage)}"
    labels = [label_text(name, 24) for name in names]
    plot = partial(composition_plot, together, labels)
    return figures(f"{run.name}-joint", composition_finding(together), told, plot)


def _outputs(name: str, audit: Audit) -> list[JsonObject]:
    left, right = audit.witness.pair
    told = [
        f'"{label_text(output)}" '
        + ("never occurs" if value is None else _nats_for(value, left, right))
        for output, value in output_bars(audit)[:MAX_OUTPUTS]
    ]
    said = f"What each output tells, {prior_text(audit.witness.prior)}: {'; '.join(told)}"
    return figures(f"{name}-outputs", outputs_finding(audit), said, partial(outputs_plot, audit))


def _nats_for(value: float, left: str, right: str) -> str:
    if value == 0:
        return "tells nothing"
    size = "infinite" if math.isinf(value) else f"{abs(value):.3g} nats"
    return f'{size} for "{label_text(left if value > 0 else right)}"'


def _profile(name: str, audit: Audit) -> list[dict[str, object]]:
    told = f"The smallest delta for every epsilon; exact leakage {leakage_text(audit.leakage)}"
    if audit.level is not None:
        told += f"; level asked for {audit.level}"
    return figures(f"{name}-profile", profile_finding(audit), told, partial(profile_plot, audit))
