"""The command `explore`: how far the account and the published bound lie above the exact worst
case, over a family of frameworks; with `--formula`, a closed form of its exact values (`formula`).
"""

from collections.abc import Sequence
from typing import Annotated

import typer

from pufferproof.counterexamples.exploration.family import Family, read_family
from pufferproof.counterexamples.exploration.fronts import FRONTS, front_of
from pufferproof.counterexamples.exploration.gaps import (
    BOUNDS,
    FARTHEST,
    BoundName,
    Gap,
    by_value,
    gap_of,
    is_broken,
    missing_of,
    quotient_approx,
    widest_of,
    worst_of,
)
from pufferproof.counterexamples.exploration.instances import MemberRow, found_at, found_of
from pufferproof.counterexamples.exploration.shrinking import shrunk
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.options import AsJson, ShareItems
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import counted
from pufferproof.reports.correlation.explore import outputs
from pufferproof.reports.correlation.explore.formula import try_formula
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas.correlation import Explored

_WORDS = {"worst": "worst case", "quilt": "quilt account", "published": "published bound"}


def explore(
    family: Annotated[str, typer.Argument(metavar="FAMILY", help="family file, JSON or TOML")],
    draw: Annotated[
        int | None,
        typer.Option(
            "--draw", metavar="N", min=1, help="number of members to draw at random [default: all]"
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="seed for the random draw")
    ] = 1,
    formula: Annotated[
        str | None,
        typer.Option(
            "--formula",
            metavar="FILE",
            help="file that asks for a closed form to fit or to test (JSON or TOML)",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="folder for the table, a plot and the farthest members; with --formula: "
            "FILE.py for a file of claims",
        ),
    ] = None,
    parquet: Annotated[
        bool, typer.Option("--parquet", help="with --out: also write the table as Parquet")
    ] = False,
    shrink: Annotated[
        int,
        typer.Option(
            "--shrink",
            metavar="N",
            min=0,
            help="largest number of simpler members to try per bound",
        ),
    ] = 0,
    *,
    share: ShareItems,
    as_json: AsJson = False,
) -> None:
    """Compare bounds with the exact worst case over a family of frameworks, or find a formula for
    an exact value.
    """
    sharing = share.sharing
    if formula is not None:
        if parquet or shrink:
            raise ModelError(
                "cannot be combined with --formula", "--parquet" if parquet else "--shrink"
            )
        tried, told, code = try_formula(family, formula, (draw, seed), out, sharing)
        tell(tried, told, [], as_json, code=code)
    if parquet and out is None:
        raise ModelError("needs --out", "--parquet")
    family_file = read_family(family)
    if family_file.budgets:
        raise ModelError(f"{family}: expected per_record_dp, found budgets, which need --formula")
    numbers = family_file.numbers(draw, seed)
    with sweeping("exploring", "members", sharing) as sweep:
        rows = found_of(sweep, family_file, numbers)
        answer = _answer(family_file, rows)
        farthest = {bound: worst_of(rows, bound) for bound in answer["by"]}
        answer["farthest"] = _shrunk(family_file, farthest, shrink, sweep)
        written = {} if out is None else outputs.files(family_file, rows, answer["farthest"], out)
        if parquet and out is not None:
            written |= outputs.parquet_file(family_file, rows, out)
        write_outputs(written, inputs=[family], folder=out)
    answer |= {"seed": None if draw is None else seed, "files": sorted(written)}
    lines = [*_lines(answer, rows), *(f"written   {path}" for path in sorted(written))]
    tell(Explored.model_validate(answer), lines, [], as_json, code=1 if answer["broken"] else 0)


def _answer(family: Family, rows: Sequence[MemberRow]) -> JsonObject:
    """Return what is found. Raises `ModelError` where no member has an answer."""
    errors = [row["error"] for row in rows if row["error"] is not None]
    if len(errors) == len(rows):
        raise ModelError(f"no member has an answer, the first: {errors[0]}")
    gaps = {bound: gap for bound in BOUNDS if (gap := gap_of(rows, bound)) is not None}
    return {
        "members": len(family),
        "explored": len(rows),
        "exact": sum(row["exact"] for row in rows),
        "widest": widest_of(rows),
        "missing": {name: each for name in _WORDS if (each := missing_of(rows, name))},
        "errors": len(errors),
        "first_error": errors[0] if errors else None,
        "gaps": [gap.as_json() for gap in gaps.values()],
        "by": {bound: _by(rows, bound) for bound in gaps},
        "fronts": {name: [each.as_json() for each in front_of(rows, name)] for name in FRONTS},
        "broken": [row for row in rows if any(is_broken(row, bound) for bound in BOUNDS)],
    }


def _shrunk(
    family: Family, farthest: dict[BoundName, list[MemberRow]], most: int, sweep: Sweep
) -> dict[BoundName, list[MemberRow]]:
    """Return the farthest members with a simpler one in the last place, where it is found."""

    def ask(points: list[list[object]]) -> list[MemberRow]:
        return found_at(sweep, family, points)

    for bound, rows in farthest.items():
        simpler = shrunk(family, rows, bound, most, ask) if most else None
        if simpler is not None:
            farthest[bound] = [*rows[:FARTHEST], simpler]
    return farthest


def _by(rows: Sequence[MemberRow], bound: BoundName) -> dict[str, JsonObject]:
    return {
        name: {value: gap.as_json() for value, gap in gaps.items()}
        for name, gaps in by_value(rows, bound).items()
    }


def _lines(answer: JsonObject, rows: Sequence[MemberRow]) -> list[str]:
    explored, exact = counted(answer["explored"], "member"), answer["exact"]
    lines = [f"{explored} of {answer['members']}, with an exact worst case {exact}"]
    if answer["errors"]:
        lines.append(f"without an answer {answer['errors']}, the first: {answer['first_error']}")
    if answer["widest"] is not None:
        lines.append(
            "worst case enclosed where it is not exact: its bound is at most "
            f"{answer['widest']:.4g} times what a mechanism leaks"
        )
    for name, each in answer["missing"].items():
        lines.append(f"no {_WORDS[name]} {each['members']}, the first: {each['first']}")
    for gap in answer["gaps"]:
        lines += _gap_lines(Gap(**gap), answer)
    if answer["broken"]:
        first = answer["broken"][0]
        lines.append(f"BELOW what a mechanism leaks: {len(answer['broken'])}, {_named(first)}")
    return lines


def _gap_lines(gap: Gap, answer: JsonObject) -> list[str]:
    lines = [
        f"{_WORDS[gap.bound]} over the exact worst case, in nats: least {gap.least:.4g}, "
        f"median {gap.median:.4g}, mean {gap.mean:.4g}, largest {gap.largest:.4g}"
    ]
    for name, gaps in answer["by"][gap.bound].items():
        means = [f"{value}: {each['mean']:.4g}" for value, each in gaps.items()]
        if 1 < len(means) <= 12:
            lines.append(f"  mean by {name}   {', '.join(means)}")
    farthest = answer["farthest"][gap.bound]
    lines.append(f"  farthest   {_compared(farthest[0], gap.bound)}")
    if len(farthest) > FARTHEST:
        lines.append(f"  simplest of those nearly as far   {_compared(farthest[-1], gap.bound)}")
    return lines


def _compared(row: MemberRow, bound: BoundName) -> str:
    gap = quotient_approx(row, bound) or 0.0
    both = [float(row[each]["epsilon"]["upper"]) for each in (bound, "worst")]
    return f"{_named(row)}: {both[0]:.7g} nats for {both[1]:.7g}, {gap:.4g} times"


def _named(row: MemberRow) -> str:
    values = [f"{name} = {value}" for name, value in row["parameters"].items()]
    return ", ".join([*values, f"level {row['level']}"])
