"""The command `explore`: how far the account and the published bound lie above the exact worst
case, over a family of frameworks; with `--formula`, a closed form of its exact values (`formula`).
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isclose
from pathlib import Path
from typing import Annotated, Any

import typer

from pufferproof.counterexamples.exploration.family import Family, read_family
from pufferproof.counterexamples.exploration.instances import (
    BOUNDS,
    FARTHEST,
    FRONTS,
    BoundName,
    Gap,
    MemberRow,
    by_value,
    found_at,
    found_of,
    front_of,
    gap_of,
    is_broken,
    missing_of,
    point_of,
    quotient_approx,
    shrunk,
    widest_of,
    worst_of,
)
from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, fraction_of, three
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, Axis, Curve, Panel, Plot, Rule
from pufferproof.reports.console.options import AsJson, ShareItems
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import counted, csv_text
from pufferproof.reports.correlation.explore.formula import try_formula
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas.correlation import Explored

_WORDS = {"worst": "worst case", "quilt": "quilt account", "published": "published bound"}


def explore(
    family: Annotated[str, typer.Argument(metavar="FAMILY", help="family file, JSON or TOML")],
    draw: Annotated[
        int | None,
        typer.Option("--draw", metavar="N", min=1, help="number of members to draw at random [default: all]"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="seed for the random draw")] = 1,
    formula: Annotated[
        str | None,
        typer.Option(
            "--formula", metavar="FILE", help="file that asks for a closed form to fit or to test (JSON or TOML)"
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="folder for the table, a plot and the farthest members; with --formula: FILE.py for a file of claims",
        ),
    ] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="with --out: also write the table as Parquet")] = False,
    shrink: Annotated[
        int, typer.Option("--shrink", metavar="N", min=0, help="largest number of simpler members to try per bound")
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
            raise ModelError("cannot be combined with --formula", "--parquet" if parquet else "--shrink")
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
        written = {} if out is None else files(family_file, rows, answer["farthest"], out)
        if parquet and out is not None:
            written |= parquet_file(family_file, rows, out)
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
    return {name: {value: gap.as_json() for value, gap in gaps.items()} for name, gaps in by_value(rows, bound).items()}


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


# Outputs ------------------------------------------------------------------------------------------
#
# What `explore` writes: the table of all members, a plot of the gaps against every parameter, one
# of noise against what it promises, and the frameworks at which bounds are farthest from the
# truth.

_NAMES = ("worst", *BOUNDS)
_ALIKE = 0.02  # quotients of both bounds that are closer are drawn as one line
_LOOKS = {"worst": ("o-", 1.5, 3.5), "quilt": ("s-", 4.0, 7.0), "published": ("o-", 1.5, 3.5)}
# so that one is seen below an equal one


def files(
    family: Family, rows: Sequence[MemberRow], farthest: Mapping[BoundName, Sequence[MemberRow]], folder: str
) -> dict[str, bytes]:
    """Return what is written into a folder."""
    place, header, cells = Path(folder), *_table(family, rows)
    tables = {
        "members.csv": csv_text(header, [row.values() for row in cells]).encode(),
        "gaps.svg": _gaps_plot(rows).file("gaps.svg"),
        "front.svg": _front_plot(rows).file("front.svg"),
    }
    for bound, some in farthest.items():
        for rank, row in enumerate(some, 1):
            document = family.framework_file(point_of(row["parameters"], row["level"]))
            tables[f"{bound}-{rank}.json"] = (json.dumps(document, indent=1) + "\n").encode()
    return {str(place / name): data for name, data in tables.items()}


def gaps_finding(rows: Sequence[MemberRow]) -> str:
    """Say how far bounds are from the exact worst case at most."""
    quotients = {bound: [quotient_approx(row, bound) for row in rows] for bound in BOUNDS}
    finite = {bound: [q for q in quotient if q is not None] for bound, quotient in quotients.items()}
    most = {bound: at_most(max(each)) for bound, each in finite.items() if each}
    if not most:
        return "No member has a finite bound and an exact worst case above 0."
    (first, times), *others = most.items()
    more = "".join(f", the {bound} bound {each} times" for bound, each in others)
    return f"The {first} bound is at most {times} times the exact worst case{more}."


def front_finding(rows: Sequence[MemberRow]) -> str:
    """Say what is promised with the least noise at which all bounds are known."""
    fronts = [{each.noise: float(each.promise) for each in front_of(rows, name)} for name in FRONTS]
    shared = set.intersection(*map(set, fronts))
    if not shared:
        return "No level of noise has an exact worst case and both bounds."
    noise = min(shared)
    exact, *bounds = (f"{at_most(front[noise])} nats" for front in fronts)
    said = ", ".join(f"{nats} by the {name} bound" for nats, name in zip(bounds, FRONTS[1:]))
    return f"With noise of scale {three(noise)} members leak at most {exact}; {said}."


def parquet_file(family: Family, rows: Sequence[MemberRow], folder: str) -> dict[str, bytes]:
    """Return the table as Parquet. Raises `ModelError` where that cannot be written."""
    return {str(Path(folder) / "members.parquet"): _parquet(*_table(family, rows))}


def _table(family: Family, rows: Sequence[MemberRow]) -> tuple[list[str], list[dict[str, str]]]:
    return list(_header(list(family.axes))), [_cells(row) for row in rows]


def _header(parameters: Sequence[str]) -> list[str]:
    ends = [f"{name}_{end}" for name in _NAMES for end in ("lower", "upper")]
    quotients = [f"{bound}_over_worst" for bound in BOUNDS]
    return ["number", *parameters, "per_record_dp", "exact", *ends, *quotients, "error"]


def _cells(row: MemberRow) -> dict[str, str]:
    """Return a member as texts, in the order of the header; nothing is an empty one."""
    values = {name: row[name] and row[name]["epsilon"] for name in _NAMES}
    ends = {
        f"{name}_{end}": "" if value is None else value[end]
        for name, value in values.items()
        for end in ("lower", "upper")
    }
    quotients = {f"{bound}_over_worst": quotient_approx(row, bound) for bound in BOUNDS}
    parameters: dict[str, str] = row["parameters"]
    return (
        {"number": str(row["number"])}
        | parameters
        | {"per_record_dp": row["level"], "exact": "yes" if row["exact"] else "no"}
        | ends
        | {name: "" if value is None else repr(value) for name, value in quotients.items()}
        | {"error": row["error"] or ""}
    )


def _parquet(header: Sequence[str], cells: Sequence[dict[str, str]]) -> bytes:
    """Return the table with exact numbers as texts; quotients are floats."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ModelError(of_extra("pyarrow", "parquet"), "--parquet") from None
    columns: dict[str, list[Any]] = {name: [row[name] for row in cells] for name in header}
    for name in header:
        if name.endswith("_over_worst"):
            columns[name] = [float(text) if text else None for text in columns[name]]
    columns["number"] = [int(text) for text in columns["number"]]
    written = io.BytesIO()
    pq.write_table(pa.table(columns), written)
    return written.getvalue()


def _gaps_plot(rows: Sequence[MemberRow]) -> Plot:
    """Return a panel for every parameter and the level: mean and largest quotient at its values."""
    gaps = {bound: by_value(rows, bound) for bound in BOUNDS}
    names = list(gaps["published"]) or ["level"]
    panels = [_panel({bound: gap.get(name, {}) for bound, gap in gaps.items()}, name) for name in names]
    panels[0] = replace(panels[0], y=Axis("bound / exact worst case, in nats"))
    columns = 2 if len(names) < 3 else 4
    return Plot(gaps_finding(rows), panels, 3.4, columns, beside=True)


def _front_plot(rows: Sequence[MemberRow]) -> Plot:
    """Return the noise of every level that no other one beats against what bounds promise then."""
    curves = []
    for name, colour in zip(FRONTS, (INK, FOR, AGAINST)):
        choices = front_of(rows, name)
        promises = [float(choice.promise) for choice in choices]
        curves.append(Curve(name, promises, [choice.noise for choice in choices], colour, *_LOOKS[name]))
    along = Axis("leakage of every member at most, in nats")
    panel = Panel(curves, along, Axis("scale of Laplace noise"))
    return Plot(front_finding(rows), [panel], 3.4, columns=3)


def _panel(gaps: dict[BoundName, dict[str, Gap]], name: str) -> Panel:
    lines = {bound: sorted((_place(name, value), gap) for value, gap in gaps[bound].items()) for bound in BOUNDS}
    equal = _alike(*lines.values())
    colours = {BOUNDS[-1]: INK} if equal else dict(zip(BOUNDS, (FOR, AGAINST)))
    parts: list[Curve | Rule] = [Rule("", 1, FAINT, "-", level=True)]
    for bound, colour in colours.items():
        said = f"both, within {_ALIKE:.0%}" if equal else bound
        places = [place for place, _ in lines[bound]]
        form, width, size = _LOOKS[bound]
        means, most = ([getattr(gap, kind) for _, gap in lines[bound]] for kind in ("mean", "largest"))
        parts.append(Curve(f"{said}, mean", places, means, colour, form, width, size))
        parts.append(Curve(f"{said}, largest", places, most, colour, ":", width))
    whole = all(place.is_integer() for bound in colours for place, _ in lines[bound])
    along = "level per record, in nats" if name == "level" else name
    return Panel(parts, Axis(along, ticks="whole" if whole else ""))


def _alike(one: Sequence[tuple[float, Gap]], other: Sequence[tuple[float, Gap]]) -> bool:
    """Whether two lines look like one: the same places, and quotients that hardly differ."""
    return [place for place, _ in one] == [place for place, _ in other] and all(
        isclose(getattr(gap, name), getattr(gap_of_other, name), rel_tol=_ALIKE)
        for (_, gap), (_, gap_of_other) in zip(one, other)
        for name in ("mean", "largest")
    )


def _place(name: str, value: str) -> float:
    if name == "level":
        return float(Level.parse(value).enclosure().upper)
    number = fraction_of(value)
    try:
        return float(number)
    except OverflowError:  # it has no place in a plot
        return inf if number > 0 else -inf
