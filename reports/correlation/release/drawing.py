"""Plots of releases over time: what is told about each record, and by each release alone."""

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING

from pufferproof.lp.accounting.schedule import Schedule
from pufferproof.models.numbers.text import three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FOR,
    INK,
    nats_approx,
    new_figure,
    rendered,
    styled,
)
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage
from pufferproof.verify.noise.ratio.people import PeopleLeakage

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FEW = 3  # records or releases that need no plot
Plot = tuple[str, bytes, str]


def release_plots(found: Schedule) -> list[Plot]:
    """Return the plots as names, files and what they show: none of a few records, or releases."""
    return [*_by_record(found), *_by_release(found)]


def _by_record(found: Schedule) -> list[Plot]:
    largest, told = found.joint.largest, dict[int, float]()
    known = largest.by_record if isinstance(largest, BlocksLeakage | PeopleLeakage) else ()
    for _, record, ratio in known:
        told[record] = max(told.get(record, 0.0), log(max(ratio, 1.0)))
    if len(told) < _FEW:
        return []
    records = sorted(told)
    most = max(told.values())
    finding = f"All releases tell at most {three(most)} nats about a record."
    drawn = _drawn(records, [told[t] for t in records], "record", found)
    return [("records.svg", rendered(drawn, "records.svg", finding), finding)]


def _by_release(found: Schedule) -> list[Plot]:
    if len(found.single) < _FEW:
        return []
    nats = [nats_approx(each) for each in found.single]
    finding = f"Alone a release tells at most {three(max(nats))} nats: number {found.release}."
    drawn = _drawn(range(1, len(nats) + 1), nats, "release", found)
    return [("releases.svg", rendered(drawn, "releases.svg", finding), finding)]


def _drawn(places: Sequence[int], nats: Sequence[float], name: str, found: Schedule) -> "Figure":
    budget = found.plan.budget
    with styled():
        figure, axes = new_figure(2.6)
        axes.fill_between(places, nats, color=FOR, alpha=0.25, step="mid", linewidth=0)
        axes.step(places, nats, where="mid", color=INK, linewidth=1)
        if budget is not None:
            most = float(budget.enclosure().upper)
            axes.axhline(most, color=AGAINST, linewidth=1, linestyle="--")
        axes.set_ylim(bottom=0)
        axes.set_xlim(places[0], places[-1])
        axes.locator_params(axis="x", integer=True)
        axes.set_xlabel(f"{name} (dashed: the budget)" if budget is not None else name)
        axes.set_ylabel("nats")
    return figure
