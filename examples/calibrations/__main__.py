"""Compare published calibrations of Laplace noise over many frameworks: how often a method keeps
the level, breaks it, or does not apply, and how its scale compares with the least one.

    python -m pufferproof.examples.calibrations [FOLDER]

prints the table for the frameworks of a folder, those beside this file by default. If a folder has
a `frameworks.toml`, it lists them with their queries and levels; otherwise every framework takes
part, with the query `sum` at level 1. `pufferproof calibrate FRAMEWORK --query sum --epsilon 1`
compares the same methods on one framework.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from pufferproof.models.errors import PufferproofError
from pufferproof.models.files.reading import read_loaded
from pufferproof.models.files.shapes import Shape
from pufferproof.models.noise.additive import QUERIES
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.reports.auditing.any_form import read_point_framework
from pufferproof.reports.correlation.calibrate.comparison import ComparedScale, compared
from pufferproof.reports.correlation.calibrate.points import PointTask, compared_at_points
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.verify.noise.scale.calibration import LaplaceLevel

HERE = Path(__file__).parent


class Case(Shape):
    """A framework, a query and a level."""

    framework: str
    query: str = "sum"
    epsilon: str = "1"


class Listed(Shape):
    """What `frameworks.toml` has."""

    case: list[Case]


def cases(folder: Path) -> Iterator[tuple[Path, str, Level]]:
    """The frameworks of a folder, each with its query and level."""
    listed = folder / "frameworks.toml"
    if listed.exists():
        for case in read_loaded(str(listed), Listed).value.case:
            query = case.query if case.query in QUERIES else str(folder / case.query)
            yield folder / case.framework, query, Level.parse(case.epsilon)
    else:
        for path in sorted(folder.rglob("*.json")):
            if not path.name.endswith(".query.json"):
                yield path, "sum", Level.parse("1")


def scales(path: Path, query: str, level: Level) -> Iterator[tuple[ComparedScale, bool | None]]:
    """Every method's scale, and whether noise of that scale keeps the level; None if bounds do not
    tell. The last one is the least scale that does.
    """
    normal = read_point_framework(str(path))
    if normal is not None:
        points = PointTask.read(normal, query)
        for row in compared_at_points(points, level):
            yield row, points.keeps(exact(row.scale.upper), level) if row.scale else None
        return
    task = Task.read(str(path), query, level)
    for row in compared(task):
        leakage = row.leakage
        if row.scale is None or leakage is None:
            yield row, None
        elif leakage.infinite or (leakage.lower and level.compare(leakage.lower) > 0):
            yield row, False
        elif leakage.upper and level.compare(leakage.upper) <= 0:
            yield row, True
        else:  # at the level itself: compared exactly
            scale = exact(row.scale.upper)
            open_ = bool(task.classes) or not scale
            yield row, None if open_ else not LaplaceLevel(task.laws, level).exceeds(scale)


def main(folder: Path) -> str:
    """The table of a folder."""
    every = list(cases(folder))
    kept: dict[str, list[bool | None]] = defaultdict(list)  # by method, where it has a scale
    over_least: dict[str, list[float]] = defaultdict(list)
    for path, query, level in every:
        *rows, (least, _) = scales(path, query, level)
        for row, keeps in rows:
            kept[row.name] += [keeps] if row.scale else []
            if row.scale and least.scale and exact(least.scale.upper):
                over_least[row.name].append(float(exact(row.scale.upper) / exact(least.scale.upper)))
    width = max(map(len, kept), default=6)
    lines = [f"{'method':{width}}  keeps  breaks  open  none  over the least: median, largest"]
    for name, found in kept.items():
        counts = [found.count(each) for each in (True, False, None)] + [len(every) - len(found)]
        ratios = over_least[name]
        said = f"{median(ratios):<8.4g} {max(ratios):.4g}" if ratios else "none"
        cells = (f"{count:{size}}" for count, size in zip(counts, (5, 6, 4, 4)))
        lines.append("  ".join([f"{name:{width}}", *cells, said]))
    return "\n".join(lines)


if __name__ == "__main__":
    try:
        print(main(Path(sys.argv[1]) if sys.argv[1:] else HERE))
    except PufferproofError as error:
        sys.exit(f"pufferproof: {error}")
