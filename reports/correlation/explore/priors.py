"""The command `priors`: every prior on a grid, and the one under which a mechanism leaks most.

This file also has a histogram of leakages over the priors on a grid, with the level asked for.
"""

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pufferproof.counterexamples.exploration.priors import BINS_PER_NAT, Found, Priors
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.mechanisms import read_mechanism
from pufferproof.models.files.reading import hashes
from pufferproof.models.files.writing import framework_document
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of, three
from pufferproof.models.priors.tables import Table
from pufferproof.reports.auditing.plots.marks import Drawn, picture_file
from pufferproof.reports.console.drawing import (
    AGAINST,
    FOR,
    INK,
    log_down_to_zero,
    nats_approx,
    new_figure,
    styled,
)
from pufferproof.reports.console.options import (
    AsJson,
    DecidedLevel,
    FrameworkFile,
    MechanismFile,
    PlotOut,
    ShareItems,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import leakage_text, level_nats
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas import correlation as schema
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BARS = 40


def priors(
    framework: FrameworkFile,
    mechanism: MechanismFile,
    weights: Annotated[
        int, typer.Option("--weights", metavar="W", min=1, help="largest weight of a database")
    ],
    epsilon: DecidedLevel = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="file for the framework with the worst prior"),
    ] = None,
    plot: PlotOut = None,
    *,
    share: ShareItems,
    as_json: AsJson = False,
) -> None:
    """Find the prior on a grid under which a mechanism leaks most."""
    space = read_listed(framework)
    read = read_mechanism(mechanism, space.value)
    if not isinstance(read.value, Channel):
        raise ModelError("expected a channel: rows of probabilities by database", mechanism)
    level = parsed_level(epsilon)
    asked = Priors(space.value, read.value, weights, level)
    with sweeping(
        f"going through {len(asked):,} weightings", "units of priors", share.sharing
    ) as sweep:
        ratios = Found.of(sweep.answers(list(asked.units())))
        spread = sweep.answers(list(asked.spread_units())) if plot is not None else []
    if ratios is None:
        raise ModelError("no prior gives both secrets of a pair a probability", "secrets")
    law = asked.prior(ratios.number)
    written = {} if out is None else {out: _document(asked, law)}
    written |= picture_file(plot, lambda: priors_plot(ratios, spread, level))
    write_outputs(written, out, plot, inputs=[framework, mechanism])
    answer = _answer(asked, ratios, law) | {"written": out}
    answer |= {"inputs": hashes(framework=space, mechanism=read)}
    lines = _lines(asked, ratios, law, out)
    code = 1 if level is not None and ratios.above else 0
    tell(schema.Priors.model_validate(answer), lines, [], as_json, code=code)


def _document(asked: Priors, prior: Table) -> bytes:
    return (json.dumps(framework_document(_with(asked, prior)), indent=1) + "\n").encode()


def _with(asked: Priors, prior: Table) -> Framework:
    """Return the framework with the prior under which the mechanism leaks most."""
    listing = asked.framework.listed
    secrets = {
        name: [listing.databases[place] for place in secret]
        for name, secret in listing.secrets.items()
    }
    return Framework(list(listing.databases), secrets, [*listing.pairs], {"worst": prior})


def _leakage(ratios: Found) -> Leakage:
    return Leakage.of(ratios.ratio)


def _answer(asked: Priors, ratios: Found, law: Table) -> JsonObject:
    return {
        "weights": asked.most,
        "priors": ratios.priors,
        "meant": ratios.meant,
        "infinite": ratios.infinite,
        "above": None if asked.level is None else ratios.above,
        "epsilon": None if asked.level is None else str(asked.level),
        "largest": _leakage(ratios).as_json(),
        "prior": {name: text_of(value) for name, value in law.entries},
    }


def _lines(asked: Priors, ratios: Found, law: Table, out: str | None) -> list[str]:
    where = ", ".join(f'"{name}" {text_of(value)}' for name, value in law.entries)
    lines = [
        f"priors    {ratios.priors:,}, of which {ratios.meant:,} allow both secrets of a pair",
        f"infinite  {ratios.infinite:,} leak everything",
        f"largest   {leakage_text(_leakage(ratios))}",
        f"prior     {where}",
    ]
    if asked.level is not None:
        lines.insert(2, f"above     {ratios.above:,} leak more than {level_nats(asked.level)}")
    return lines if out is None else [*lines, f"written   {out}"]


def priors_plot(ratios: Found, spread: Sequence[list[list[int]]], level: Level | None) -> Drawn:
    """Draw how many priors leak how much, from the counts of units; those that leak everything
    stand in a bar of their own.
    """
    counts: Counter[int] = Counter()
    for k, number in (each for unit in spread for each in unit):
        counts[k] += number
    joined = max(counts, default=0) // _BARS + 1  # neighbouring bins in one bar
    bars: Counter[int] = Counter()
    for k, number in counts.items():
        bars[k // joined] += number
    with styled():
        figure, axes = new_figure(3.6)
        _draw(axes, bars, joined / BINS_PER_NAT, ratios.infinite)
        if level is not None:
            asked = float(level.enclosure().upper)
            label = f"level {level_nats(level)}"
            axes.axvline(asked, color=INK, linewidth=1.2, linestyle="--", label=label)
        if axes.get_legend_handles_labels()[0]:
            figure.legend(loc="outside upper left", frameon=False, ncols=2)
        axes.set_xlim(0, axes.get_xlim()[1] * 1.02)
        axes.set_xlabel("leakage under a prior (nats)")
        axes.set_ylabel("priors")
    return Drawn(figure, _finding(ratios, level))


def _draw(axes: "Axes", bars: Counter[int], width: float, infinite: int) -> None:
    """Draw a bar for every interval of nats, and one apart for what is infinite."""
    places = sorted(bars)
    lefts = [place * width for place in places]
    axes.bar(lefts, [bars[place] for place in places], width=width * 0.92, align="edge", color=FOR)
    if infinite:
        last = (max(places, default=0) + 2) * width
        label = f"infinite: {infinite:,} priors"
        axes.bar([last], [infinite], width=width * 0.92, align="edge", color=AGAINST, label=label)
    most = max([*bars.values(), infinite])
    if most > _BARS * max(1, min([*bars.values(), infinite or most])):
        log_down_to_zero(axes, 1)
        axes.set_ylim(0, 2 * most)


def _finding(ratios: Found, level: Level | None) -> str:
    nats = nats_approx(Leakage.of(ratios.ratio))
    most = "infinite" if math.isinf(nats) else f"{three(nats)} nats"
    if level is None:
        return f"The largest leakage under {ratios.meant:,} priors is {most}."
    share = math.floor(1000 * ratios.above / ratios.meant) / 10
    said = f"{ratios.above:,} of {ratios.meant:,} priors, {share:g}%, leak more than"
    return f"{said} {level_nats(level)}; the largest leakage is {most}."
