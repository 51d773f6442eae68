"""What `explore` writes: the table of all members, a plot of the gaps against every parameter, one
of noise against what it promises, and the frameworks at which bounds are farthest from the truth.
"""

import io
import json
from collections.abc import Mapping, Sequence
from math import inf, isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pufferproof.counterexamples.exploration.family import Family
from pufferproof.counterexamples.exploration.fronts import FRONTS, front_of
from pufferproof.counterexamples.exploration.gaps import (
    BOUNDS,
    BoundName,
    Gap,
    by_value,
    quotient_approx,
)
from pufferproof.counterexamples.exploration.instances import MemberRow, point_of
from pufferproof.models.errors import ModelError, extras, of_extra
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_most, fraction_of, three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    new_figure,
    panels,
    rendered,
    styled,
)
from pufferproof.reports.console.words import csv_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = ("worst", *BOUNDS)
_ALIKE = 0.02  # quotients of both bounds that are closer are drawn as one line
_WIDTHS = {"worst": 1.5, "quilt": 4.0, "published": 1.5}  # one is seen below an equal one
_MARKS = {"worst": "o", "quilt": "s", "published": "o"}
_SIZES = {"worst": 3.5, "quilt": 7.0, "published": 3.5}


def files(
    family: Family,
    rows: Sequence[MemberRow],
    farthest: Mapping[BoundName, Sequence[MemberRow]],
    folder: str,
) -> dict[str, bytes]:
    """Return what is written into a folder."""
    place, header, cells = Path(folder), *_table(family, rows)
    tables = {
        "members.csv": csv_text(header, [row.values() for row in cells]).encode(),
        "gaps.svg": rendered(_figure(rows), "gaps.svg", gaps_finding(rows)),
        "front.svg": rendered(_front(rows), "front.svg", front_finding(rows)),
    }
    for bound, some in farthest.items():
        for rank, row in enumerate(some, 1):
            document = family.framework_file(point_of(row["parameters"], row["level"]))
            tables[f"{bound}-{rank}.json"] = (json.dumps(document, indent=1) + "\n").encode()
    return {str(place / name): data for name, data in tables.items()}


def gaps_finding(rows: Sequence[MemberRow]) -> str:
    """Say how far bounds are from the exact worst case at most."""
    quotients = {bound: [quotient_approx(row, bound) for row in rows] for bound in BOUNDS}
    finite = {
        bound: [q for q in quotient if q is not None] for bound, quotient in quotients.items()
    }
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


def _figure(rows: Sequence[MemberRow]) -> "Figure":
    """Draw a panel for every parameter and the level: mean and largest quotient at its values."""
    gaps = {bound: by_value(rows, bound) for bound in BOUNDS}
    names = list(gaps["published"]) or ["level"]
    size = (max(6.4, 3.2 * len(names)), 3.4)
    with panels(1, len(names), size, sharey=True) as (drawn, [shared]):
        for axes, name in zip(shared, names):
            _draw(axes, {bound: gap.get(name, {}) for bound, gap in gaps.items()}, name)
        shared[0].set_ylabel("bound / exact worst case, in nats")
        key = {
            said: line for axes in shared for line, said in zip(*axes.get_legend_handles_labels())
        }
        columns = 2 if len(names) < 3 else 4
        drawn.legend(key.values(), key, loc="outside upper left", frameon=False, ncols=columns)
    return drawn


def _front(rows: Sequence[MemberRow]) -> "Figure":
    """Draw the noise of every level that no other one beats against what bounds promise then."""
    with styled():
        drawn, axes = new_figure(3.4)
        for name, color in zip(FRONTS, (INK, FOR, AGAINST)):
            choices = front_of(rows, name)
            promises = [float(choice.promise) for choice in choices]
            axes.plot(promises, [choice.noise for choice in choices], "-", color=color, label=name,
                      **_look(name))  # fmt: skip
        axes.set_xlabel("leakage of every member at most, in nats")
        axes.set_ylabel("scale of Laplace noise")
        drawn.legend(loc="outside upper left", frameon=False, ncols=3)
    return drawn


def _look(name: str) -> dict[str, Any]:
    return {"linewidth": _WIDTHS[name], "marker": _MARKS[name], "markersize": _SIZES[name]}


def _draw(axes: "Axes", gaps: dict[BoundName, dict[str, Gap]], name: str) -> None:
    with extras:
        from matplotlib.ticker import MaxNLocator

    lines = {
        bound: sorted((_place(name, value), gap) for value, gap in gaps[bound].items())
        for bound in BOUNDS
    }
    equal = _alike(*lines.values())
    colours = {BOUNDS[-1]: INK} if equal else dict(zip(BOUNDS, (FOR, AGAINST)))
    for bound, color in colours.items():
        said = f"both, within {_ALIKE:.0%}" if equal else bound
        places = [place for place, _ in lines[bound]]
        means = [gap.mean for _, gap in lines[bound]]
        most = [gap.largest for _, gap in lines[bound]]
        axes.plot(places, means, "-", color=color, label=f"{said}, mean", **_look(bound))
        width = _WIDTHS[bound]
        axes.plot(places, most, ":", color=color, linewidth=width, label=f"{said}, largest")
        if all(place.is_integer() for place in places):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.axhline(1, color=FAINT, linewidth=0.8)
    axes.set_xlabel("level per record, in nats" if name == "level" else name)


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
