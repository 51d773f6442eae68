"""The experiment on a terminal, and as a table."""

from collections.abc import Iterator
from typing import Any

from pufferproof.examples.reproduce.top_k.budgets import WAYS
from pufferproof.examples.reproduce.top_k.experiment import NAME, Experiment, Line, Panel, Part, Point
from pufferproof.reports.console.words import counted, csv_text

_MOST_RANKS = 5
_LEVELS = {
    "published": "level per record: max over b of (epsilon - a*(b))/b",
    "quilt": "the same, one block for all pairs of values",
    "exact": "the largest that is proven for every mechanism",
    "group": "epsilon over all records of a person",
}
_METRICS = (*(f"acc{rank}" for rank in range(1, _MOST_RANKS + 1)), "hit_rate", "ndcg", "l1")
_COLUMNS = (
    "data",
    "source",
    "k",
    "mechanism",
    "epsilon",
    "scale",
    *_METRICS,
    *(f"{name}_standard_error" for name in _METRICS),
    *(f"printed_{name}" for name in _METRICS),
)


def table(found: Experiment) -> str:
    """Return one row per point as CSV; what is not printed in the paper is empty."""
    return csv_text(_COLUMNS, _rows(found))


def _rows(found: Experiment) -> Iterator[list[Any]]:
    for part in found.parts:
        for panel in part.panels:
            for line in panel.lines:
                start = [part.population.name, part.population.source, panel.ranks]
                for point in line.points:
                    yield [*start, line.mechanism.name, *_row(point)]


def _row(point: Point) -> list[object]:
    quality, printed = point.quality, point.printed
    *errors, hits, gain, l1 = quality.spread
    return [
        point.epsilon,
        repr(point.scale),
        *_cells(quality.right, quality.hits, quality.gain, quality.error),
        *_cells(tuple(errors), hits, gain, l1),
        *(
            _cells((), None, None, None)
            if printed is None
            else _cells(printed.right or (), printed.hits, printed.gain, printed.error)
        ),
    ]


def _cells(right: tuple[float, ...], hits: float | None, gain: float | None, error: float | None) -> list[str]:
    ranks = [*right, *[None] * (_MOST_RANKS - len(right))]
    return ["" if value is None else repr(value) for value in (*ranks, hits, gain, error)]


def summary(found: Experiment) -> list[str]:
    """Render the run for a terminal: levels per record, then hit rates beside those printed."""
    lines = [f"{NAME}: seed {found.seed}, {counted(found.repetitions, 'repetition')} a point"]
    for part in found.parts:
        lines += ["", *_about(part), *_levels(part)]
        for panel in part.panels:
            lines += _hits(panel)
    return lines


def _about(part: Part) -> Iterator[str]:
    people = part.population
    yield (
        f"{people.name:<14}{counted(len(people.queries), 'query')} over {len(people.labels)} "
        f"labels, at most {counted(people.length, 'record')} a person".replace("querys", "queries")
    )
    yield from (f"{'':<14}{said}" for said in people.said)


def _levels(part: Part) -> Iterator[str]:
    yield f"{'epsilon':<14}" + "".join(f"{each.epsilon:>9}" for each in part.budgets)
    for way in WAYS:
        levels = "".join(f"{each.levels[way]:>9.4f}" for each in part.budgets)
        yield f"{way:<14}{levels}  {_LEVELS[way]}"
    reached = "".join(f"{each.reached:>9.4f}" for each in part.budgets)
    yield f"{'reached':<14}{reached}  nats that a mechanism of the exact level leaks"


def _hits(panel: Panel) -> Iterator[str]:
    for line in panel.lines:
        yield _of_line(line, [point.quality.hits for point in line.points], panel.ranks)
        printed = [point.printed.hits if point.printed else None for point in line.points]
        if any(value is not None for value in printed):
            cells = "".join("        -" if v is None else f"{v:>9.3f}" for v in printed)
            yield f"{'':<14}{cells}  printed"
    yield f"{'majority':<14}{panel.majority.hits:>9.3f}  HR@{panel.ranks} of the usual labels"


def _of_line(line: Line, values: list[float], ranks: int) -> str:
    return f"{line.mechanism.name:<14}" + "".join(f"{v:>9.3f}" for v in values) + f"  HR@{ranks}"
