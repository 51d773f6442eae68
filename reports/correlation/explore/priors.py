"""The command `priors`: every prior on a grid, and the one under which a mechanism leaks most."""

import json
from typing import Annotated

import typer

from pufferproof.counterexamples.exploration.priors import Found, Priors
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.mechanisms import read_mechanism
from pufferproof.models.files.reading import hashes
from pufferproof.models.files.writing import framework_document
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.tables import Table
from pufferproof.reports.auditing.plots.marks import picture_file
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
from pufferproof.reports.correlation.explore.histogram import priors_plot
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas import correlation as schema
from pufferproof.verify.leakage.ratio import Leakage


def priors(
    framework: FrameworkFile,
    mechanism: MechanismFile,
    weights: Annotated[
        int, typer.Option("--weights", metavar="W", min=1, help="largest weight of a database")
    ],
    epsilon: DecidedLevel = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="write the framework with the worst prior"),
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
        found = Found.of(sweep.answers(list(asked.units())))
        spread = sweep.answers(list(asked.spread_units())) if plot is not None else []
    if found is None:
        raise ModelError("no prior gives both secrets of a pair a probability", "secrets")
    law = asked.prior(found.number)
    written = {} if out is None else {out: _document(asked, law)}
    written |= picture_file(plot, lambda: priors_plot(found, spread, level))
    write_outputs(written, out, plot, inputs=[framework, mechanism])
    answer = _answer(asked, found, law) | {"written": out}
    answer |= {"inputs": hashes(framework=space, mechanism=read)}
    lines = _lines(asked, found, law, out)
    code = 1 if level is not None and found.above else 0
    tell(schema.Priors.model_validate(answer), lines, [], as_json, code=code)


def _document(asked: Priors, prior: Table) -> bytes:
    return (json.dumps(framework_document(_with(asked, prior)), indent=1) + "\n").encode()


def _with(asked: Priors, prior: Table) -> Framework:
    """Return the framework with the prior under which the mechanism leaks most."""
    listing = asked.framework.listed
    secrets = {
        name: [listing.databases[place] for place in held] for name, held in listing.secrets.items()
    }
    return Framework(list(listing.databases), secrets, [*listing.pairs], {"worst": prior})


def _leakage(found: Found) -> Leakage:
    return Leakage.of(found.ratio)


def _answer(asked: Priors, found: Found, law: Table) -> JsonObject:
    return {
        "weights": asked.most,
        "priors": found.priors,
        "meant": found.meant,
        "infinite": found.infinite,
        "above": None if asked.level is None else found.above,
        "epsilon": None if asked.level is None else str(asked.level),
        "largest": _leakage(found).as_json(),
        "prior": {name: text_of(value) for name, value in law.entries},
    }


def _lines(asked: Priors, found: Found, law: Table, out: str | None) -> list[str]:
    where = ", ".join(f'"{name}" {text_of(value)}' for name, value in law.entries)
    lines = [
        f"priors    {found.priors:,}, of which {found.meant:,} say something of a pair",
        f"infinite  {found.infinite:,} leak everything",
        f"largest   {leakage_text(_leakage(found))}",
        f"prior     {where}",
    ]
    if asked.level is not None:
        lines.insert(2, f"above     {found.above:,} leak more than {level_nats(asked.level)}")
    return lines if out is None else [*lines, f"written   {out}"]
