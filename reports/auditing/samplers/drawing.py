"""How the lower bound of a sampler rises with the samples, and what shows it at last: a plot."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pufferproof.models.numbers.text import outward, percent
from pufferproof.reports.auditing.plots.marks import Drawn
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    empty_figure,
    new_figure,
    styled,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import level_nats, short_numbers
from pufferproof.verify.decision import Verdict
from pufferproof.verify.simulation.estimation.answer import Estimate, EventWitness, bound_text
from pufferproof.verify.simulation.estimation.events import Event, NumberEvent

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def estimate_plot(bounds: Sequence[tuple[int, float]], made: Estimate) -> Drawn:
    """Draw the bounds at numbers of samples, the level that is claimed, and below how often the
    event came given either secret.
    """
    drawn = list(dict.fromkeys([*bounds, (made.samples, bound_approx(made))]))
    with styled():
        if made.witness is None:
            figure, axes = new_figure(3.2)
        else:
            figure = empty_figure(4.6)
            figure.set_layout_engine("constrained")
            axes, below = figure.subplots(2, 1, height_ratios=[3, 1])
            _draw_event(below, made.witness)
        name = bound_text(made).split(maxsplit=1)[0]
        label = f"{name} at least, with confidence {percent(made.confidence)}"
        xs, ys = zip(*drawn)
        axes.step(xs, ys, "o-", where="post", color=FOR, markersize=3.5, label=label)
        if made.claim is not None:
            asked, claimed = float(made.claim.value), f"claimed {made.claim}"
            axes.axhline(asked, color=INK, linewidth=1.2, linestyle="--", label=claimed)
        elif made.level is not None:
            claimed = f"level {level_nats(made.level)}"
            asked = float(made.level.enclosure().upper)
            axes.axhline(asked, color=INK, linewidth=1.2, linestyle="--", label=claimed)
        axes.set_ylim(0, axes.get_ylim()[1] * 1.05 or 1)
        axes.set_xlabel("samples drawn")
        axes.set_ylabel("leakage (nats)" if made.claim is None else name)
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return Drawn(figure, _finding(made))


def _draw_event(axes: "Axes", witness: EventWitness) -> None:
    """Draw how often the event came given either secret."""
    evidence = witness.evidence
    shares = [seen / max(calls, 1) for seen, calls in zip(evidence.seen, evidence.calls)]
    for row, (share, colour) in enumerate(zip(shares, (AGAINST, FAINT))):
        axes.barh(row, share, height=0.6, color=colour)
        axes.annotate(f"{share:.4g}", (share, row), (5, 0), textcoords="offset points", va="center")
    axes.set_yticks([0, 1], [f'given "{label_text(name, 16)}"' for name in witness.pair])
    axes.set_ylim(1.5, -0.5)
    axes.set_xlim(0, max(shares) * 1.4)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(f"how often: {label_text(event_text(witness.event), 44)}")


def event_text(event: Event) -> str:
    """Say an event, its numbers rounded; labels are names, and stay as they are."""
    return short_numbers(str(event)) if isinstance(event, NumberEvent) else str(event)


def _finding(made: Estimate) -> str:
    sure = f"with confidence {percent(made.confidence)}, from {made.samples:,} samples"
    if made.witness is None:
        return f"No leakage is shown {sure}."
    above = ""
    if made.claim is not None:
        kept = "refutes" if made.verdict is Verdict.VIOLATES else "does not refute"
        return f"The {bound_text(made)} {sure}, which {kept} {made.claim}."
    if made.verdict is not None:
        more = "more" if made.verdict.value == "VIOLATES" else "not shown to be more"
        above = f", which is {more} than the level {level_nats(made.level)}"
    least = outward(made.lower.lower, made.lower.upper, 3)[0]
    return f"The leakage is at least {least} nats{above}, {sure}."


def bound_approx(made: Estimate) -> float:
    """Return the bound in floats: in nats, or of a claim."""
    return float(made.lower.lower) if made.claim is None else float(made.value)
