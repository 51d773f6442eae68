"""Figures 3 and 4 of massny2025: utility of redaction against epsilon, and how often a record with
the common value is redacted at epsilon = 1.

Both figures have p = 1, n = 10, alpha = 1/100, beta = 4/5 and three mechanisms: the quilt, 3R by
the relaxed bound, and 3R with one q. The paper prints curves and no numbers: the levels of the
table of utilities are chosen here. Source: massny2025, section V, with the bound of Theorem 2.
"""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from pufferproof.lp.redaction.published import published_bound
from pufferproof.lp.redaction.strategies import Design, redaction_designs
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import rounded, text_of
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.reports.console.drawing import rendered
from pufferproof.reports.console.tables import csv_text
from pufferproof.reports.redaction.curves import curves_csv, utility_curves
from pufferproof.reports.redaction.plot import redaction_finding, redaction_plot
from pufferproof.reports.redaction.table import chain_line, utility_text
from pufferproof.reports.schemas.correlation import RedactedFigure, UtilityFigure

UTILITY, REDACTED = "massny2025.figure3", "massny2025.figure4"
_CHAIN, _PRIVATE = BinaryChain("1/100", "4/5", 10), 1
_STRATEGIES = ("quilt", "3r-relaxed", "3r-constant")
_LEVELS = [Level(text) for text in ("0.125", "0.25", "0.5", "1", "2", "4", "8")]
_SHOWN = Level("1")  # the level of Figure 4
_WIDTH = 13


def utilities() -> UtilityFigure:
    """Return points of Figure 3: what every mechanism keeps at some levels, beside the bound."""
    points = [
        {
            "epsilon": str(level),
            "utilities": {
                each.name: enclose(each.lower, each.upper).as_json() for each in _designs(level)
            },
            "published_bound": text_of(published_bound(_CHAIN, _PRIVATE, level)),
        }
        for level in _LEVELS
    ]
    return UtilityFigure.model_validate({"figure": UTILITY, "points": points, "files": []})


def redacted() -> RedactedFigure:
    """Return the points of Figure 4: how often every record with the common value is redacted."""
    points = [
        {"record": record, "redacted": dict(zip(_STRATEGIES, map(text_of, row)))}
        for record, row in enumerate(_probabilities(), 1)
    ]
    figure: dict[str, Any] = {"figure": REDACTED, "epsilon": str(_SHOWN), "value": "0"}
    return RedactedFigure.model_validate(figure | {"points": points, "files": []})


def lines(figure: UtilityFigure | RedactedFigure) -> list[str]:
    """Render the points of a figure for a terminal."""
    start = [chain_line(_CHAIN), f"private   record {_PRIVATE}"]
    if isinstance(figure, RedactedFigure):
        said = f"shown     how often a record of value 0 is redacted, at epsilon {_SHOWN}"
        rows = [[str(record), *map(_short, row)] for record, row in enumerate(_probabilities(), 1)]
        return [*start, said, *map(_line, [["record", *_STRATEGIES], *rows])]
    table = [["epsilon", *_STRATEGIES, "bound"]]
    for level in _LEVELS:
        kept = map(utility_text, _designs(level))
        table.append([str(level), *kept, _short(published_bound(_CHAIN, _PRIVATE, level))])
    said = "shown     utility; bound: of redaction that is blind to values, as published"
    return [*start, said, *map(_line, table)]


def files(name: str, out: str) -> dict[str, bytes]:
    """Return the points of a figure as CSV, and the plot whose upper half is Figure 3 and whose
    lower half is Figure 4.
    """
    designs, start = _designs(_SHOWN), str(Path(out) / name)
    curves = utility_curves(
        _CHAIN,
        [_PRIVATE],
        _SHOWN,
        designs,
        lambda level, strategy: redaction_designs(_CHAIN, _PRIVATE, level, [strategy])[0],
    )
    plot = redaction_plot(_CHAIN, [_PRIVATE], _SHOWN, designs, curves)
    rows = [[record, *map(text_of, row)] for record, row in enumerate(_probabilities(), 1)]
    points = curves_csv(curves) if name == UTILITY else csv_text(["record", *_STRATEGIES], rows)
    picture = rendered(plot, "figure.svg", redaction_finding(designs, _SHOWN))
    return {f"{start}.csv": points.encode(), f"{start}.svg": picture}


def _designs(level: Level) -> list[Design]:
    found = redaction_designs(_CHAIN, _PRIVATE, level, _STRATEGIES)
    return [each for each in found if isinstance(each, Design)]


def _probabilities() -> list[list[Fraction]]:
    """Return r_t(0) of every record t, a column for every mechanism."""
    mechanisms = [each.mechanism for each in _designs(_SHOWN) if each.mechanism is not None]
    return [
        [row[_CHAIN.common_value] for row in rows] for rows in zip(*(m.rows for m in mechanisms))
    ]


def _short(value: Fraction) -> str:
    return rounded(enclose(value, value).upper, 9)


def _line(cells: Sequence[str]) -> str:
    return "".join(cell.ljust(_WIDTH) for cell in cells).rstrip()
