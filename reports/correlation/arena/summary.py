"""What an arena finds over all frameworks: the table of methods, and that of every scale."""

from collections.abc import Sequence
from statistics import median

from pufferproof.models.numbers.text import JsonObject, rounded
from pufferproof.reports.console.words import csv_text
from pufferproof.reports.correlation.arena.contest import ContestRow
from pufferproof.reports.correlation.calibrate.comparison import CLAIMS

HEADER = (
    "framework",
    "query",
    "epsilon",
    "method",
    "scale",
    "mean_error",
    "leakage",
    "keeps",
    "over_least",
    "reason",
)
LEAST, FLOOR = "least noise that keeps the level", "best mechanism of any kind"
KEPT = {True: "yes", False: "NO", None: "open"}


def methods_of(rows: Sequence[ContestRow]) -> list[dict[str, object]]:
    """Return an entry for each method, in the order of the first framework that has them."""
    by_name: dict[str, list[ContestRow]] = {}
    for row in rows:
        for method in row["methods"]:
            by_name.setdefault(method["name"], []).append(method)
    count = sum(row["error"] is None for row in rows)
    return [_method(name, found, count) for name, found in by_name.items()]


def _method(name: str, rows: Sequence[ContestRow], count: int) -> dict[str, object]:
    scaled = [row for row in rows if row["scale"] is not None]
    quotients = [each["over_least"] for each in scaled if each["over_least"] is not None]
    over_least = {"median": median(quotients), "max": max(quotients)} if quotients else None
    return {
        "name": name,
        "claim": CLAIMS.get(name),
        "keeps": sum(each["keeps"] is True for each in scaled),
        "breaks": sum(each["keeps"] is False for each in scaled),
        "open": sum(each["keeps"] is None for each in scaled),
        "none": count - len(scaled),
        "scale_over_least": over_least,
    }


def broken_of(rows: Sequence[ContestRow]) -> list[dict[str, str]]:
    """Return the frameworks that have no answer."""
    return [
        {"framework": row["framework"], "error": row["error"]}
        for row in rows
        if row["error"] is not None
    ]


def method_lines(methods: Sequence[JsonObject]) -> list[str]:
    """Return the table of methods for a terminal."""
    width = max(len(method["name"]) for method in methods)
    lines = [f"{'method':{width}}  keeps  breaks  none  scale over the least: median, largest"]
    for each in methods:
        over_least = each["scale_over_least"]
        said = (
            "none"
            if over_least is None
            else f"{over_least['median']:<8.4g} {over_least['max']:.4g}"
        )
        counts = f"{each['keeps']:5}  {each['breaks']:6}  {each['none']:4}"
        undecided = f", open {each['open']}" if each["open"] else ""
        lines.append(f"{each['name']:{width}}  {counts}  {said}{undecided}")
    return lines


def table_text(rows: Sequence[ContestRow]) -> str:
    """Return every scale as CSV. Laplace noise of scale b is |Z| = b in the mean."""
    cells = []
    for row in rows:
        head = [row["framework"], row["query"], row["epsilon"]]
        if row["error"] is not None:
            cells.append([*head, "", "", "", "", "", "", row["error"]])
            continue
        cells += [[*head, *_method_cells(method)] for method in row["methods"]]
        least = "" if row["least"] is None else row["least"]["upper"]
        cells.append([*head, LEAST, least, least, "", "yes" if least else "", "", ""])
        floor = row["floor"]
        error = "" if floor is None else floor["upper"]
        keeps = "yes" if error else ""
        cells.append([*head, FLOOR, "", error, "", keeps, "", row["floor_reason"] or ""])
    return csv_text(HEADER, cells)


def _method_cells(each: ContestRow) -> list[str]:
    if each["scale"] is None:
        return [each["name"], "", "", "", "", "", each["reason"] or ""]
    scale = each["scale"]["upper"]
    leakage = "" if each["leakage"] is None else each["leakage"]["epsilon"]["upper"]
    quotient = "" if each["over_least"] is None else f"{each['over_least']:.6g}"
    return [
        each["name"],
        scale,
        scale,
        leakage,
        KEPT[each["keeps"]],
        quotient,
        each["reason"] or "",
    ]


def framework_cells(rows: Sequence[ContestRow]) -> list[list[str]]:
    """Return a row for each framework: the least scale, the methods nearest to it, and the error of
    the best mechanism of any kind.
    """
    cells = []
    for row in rows:
        if row["error"] is not None:
            continue
        scaled = [method for method in row["methods"] if method["over_least"] and method["keeps"]]
        nearest = min(scaled, key=lambda each: each["over_least"], default=None)
        least = "none" if row["least"] is None else rounded(row["least"]["upper"], 6)
        said = "–" if nearest is None else f"{nearest['name']}: {nearest['over_least']:.4g}"
        floor = "–" if row["floor"] is None else rounded(row["floor"]["upper"], 6)
        cells.append([row["framework"], row["query"], row["epsilon"], least, said, floor])
    return cells
