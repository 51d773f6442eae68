"""What `influence --curve` prints: a*(b) by the number of hidden records, beside the published
closed form, and which records the worst ordered pair of secrets hides.
"""

from collections.abc import Sequence
from itertools import groupby

from pufferproof.reports.console.words import short_nats
from pufferproof.verify.influence.curves.point import CurvePoint
from pufferproof.verify.influence.curves.published import PUBLISHED
from pufferproof.verify.leakage.ratio import Leakage

_MEANS = (
    "means     b records are hidden, for every pair of secrets its best ones: what all the others "
    "show\n          changes the odds between two secrets by a factor of at most e^a*(b)"
)
_RUNS = 4  # runs of hidden records that are shown on a terminal


def leakage_of(point: CurvePoint) -> Leakage:
    """Return a*(b) as a leakage."""
    return Leakage(point.lower, point.upper)


def points_json(
    points: Sequence[CurvePoint], published: Sequence[Leakage | str]
) -> list[dict[str, object]]:
    """Return the points of the file formats."""
    return [
        {
            "b": point.b,
            **leakage_of(point).as_json(),
            "pair": point.pair and list(point.pair),
            "hidden": None if point.hidden is None else runs(point.hidden),
            "published": printed if isinstance(printed, str) else printed.as_json(),
        }
        for point, printed in zip(points, published)
    ]


def runs(records: Sequence[int]) -> list[list[int]]:
    """Return increasing records as runs of neighbours, the first and the last of each.

    >>> runs([3, 4, 5, 9])
    [[3, 5], [9, 9]]
    """
    if isinstance(records, range):
        return [[records[0], records[-1]]] if records else []
    grouped = groupby(enumerate(records), key=lambda each: each[1] - each[0])
    numbers = [[record for _, record in group] for _, group in grouped]
    return [[run[0], run[-1]] for run in numbers]


def points_lines(points: Sequence[CurvePoint], published: Sequence[Leakage | str]) -> list[str]:
    """Return the table for a terminal: b, a*(b), the published value, the records that are hidden
    and the pair that hides them; then what it means.
    """
    compared = any(isinstance(printed, Leakage) for printed in published)
    cells = [["b", "a*(b) (nats)", *([PUBLISHED] if compared else []), "hidden", "worst pair"]]
    for point, printed in zip(points, published):
        row = [str(point.b), short_nats(leakage_of(point))]
        if compared:
            row.append(printed if isinstance(printed, str) else short_nats(printed))
        cells.append([*row, _hidden_text(point), " against ".join(point.pair or ())])
    widths = [max(8, *(len(cell) + 2 for cell in column)) for column in zip(*cells)]
    lines = [
        "".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells
    ]
    if not compared and isinstance(published[0], str):
        lines.append(f"published {published[0]} ({PUBLISHED})")
    return [*lines, *_MEANS.split("\n")]


def _hidden_text(point: CurvePoint) -> str:
    if point.hidden is None:
        return "-"
    found = runs(point.hidden)
    texts = [str(one) if one == last else f"{one}-{last}" for one, last in found[:_RUNS]]
    more = [f"and {len(found) - _RUNS} more"] if len(found) > _RUNS else []
    return ", ".join([*texts, *more]) or "none"
