"""Figures 3 and 4 of massny2025: utility of redaction against epsilon, and how often a record with
the common value is redacted at epsilon = 1.

Both figures have p = 1, n = 10, alpha = 1/100, beta = 4/5 and three mechanisms: the quilt, 3R by
the relaxed bound, and 3R with one q. The paper prints curves and no numbers: the levels of the
table of utilities are chosen here. The relaxed program is solved twice, in closed form and by
cvxpy. Source: massny2025, section V, with the bound of Theorem 2.
"""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from pufferproof.examples.reproduce.redaction import influences, pictures
from pufferproof.examples.reproduce.schemas import InfluenceFigure, RedactedFigure, UtilityFigure
from pufferproof.lp.redaction.sets import published_bound
from pufferproof.lp.redaction.strategies import Design, redaction_designs
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, rounded, text_of
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.reports.console.drawing import plot_files
from pufferproof.reports.console.words import csv_text
from pufferproof.reports.redaction.curves import StrategyCurve, curves_csv, utility_curves
from pufferproof.reports.redaction.table import chain_line, scientific, utility_text

UTILITY, REDACTED = "massny2025.figure3", "massny2025.figure4"
_CHAIN, _PRIVATE = BinaryChain("1/100", "4/5", 10), 1
_STRATEGIES = ("quilt", "3r-relaxed", "3r-constant")
_LEVELS = [Level(text) for text in ("0.125", "0.25", "0.5", "1", "2", "4", "8")]
_SHOWN = Level("1")  # the level of Figure 4
_WIDTH = 13
_NEAR = Fraction(1, 10**7)  # two solvers that are closer agree
RedactionFigure = InfluenceFigure | UtilityFigure | RedactedFigure


def figure(name: str) -> RedactionFigure:
    """Return the points of a figure by its name."""
    if name == influences.NAME:
        return influences.influences()
    return utilities() if name == UTILITY else redacted()


def utilities() -> UtilityFigure:
    """Return points of Figure 3: what every mechanism keeps at some levels, beside the bound."""
    points = [
        {
            "epsilon": str(level),
            "utilities": {each.name: enclose(each.lower, each.upper).as_json() for each in _designs(level)},
            "published_bound": text_of(published_bound(_CHAIN, _PRIVATE, level)),
            "difference": scientific(_difference(level)),
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
    figure: JsonObject = {"figure": REDACTED, "epsilon": str(_SHOWN), "value": "0"}
    return RedactedFigure.model_validate(figure | {"points": points, "files": []})


def lines(figure: RedactionFigure) -> list[str]:
    """Render the points of a figure for a terminal."""
    if isinstance(figure, InfluenceFigure):
        return influences.lines()
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
    largest = max(abs(Fraction(point.difference)) for point in figure.points)
    apart = f"less than {float(_NEAR):.0e}" if largest < _NEAR else f"at most {scientific(largest)}"
    twice = f"solvers   3r-relaxed in closed form and by cvxpy: utilities {apart} apart"
    return [*start, said, *map(_line, table), twice]


def files(name: str, out: str) -> dict[str, bytes]:
    """Return the points of a figure as CSV, and its plot."""
    if name == influences.NAME:
        header, rows = ["distance", "value", "influence_ratio"], influences.table()
        points, (plot, finding) = csv_text(header, rows), pictures.influence_plot()
    elif name == UTILITY:
        curves = _curves()
        points = curves_csv(curves)
        plot, finding = pictures.utility_plot(_CHAIN, _PRIVATE, _SHOWN, curves)
    else:
        found = _probabilities()
        rows = [[str(record), *map(text_of, row)] for record, row in enumerate(found, 1)]
        points = csv_text(["record", *_STRATEGIES], rows)
        plot, finding = pictures.redacted_plot(found, _STRATEGIES)
    start = str(Path(out) / name)
    return {f"{start}.csv": points.encode()} | plot_files(plot, start, finding)


def _curves() -> tuple[StrategyCurve, ...]:
    """Return the utility curve of every mechanism of Figure 3."""
    return utility_curves(
        _CHAIN,
        [_PRIVATE],
        _SHOWN,
        _designs(_SHOWN),
        lambda level, strategy: redaction_designs(_CHAIN, _PRIVATE, level, [strategy])[0],
    )


def _difference(level: Level) -> Fraction:
    """Return how much less the relaxed design releases when cvxpy solves its program."""
    found = redaction_designs(_CHAIN, _PRIVATE, level, ["3r-relaxed"], "both")
    exact, conic = (each for each in found if isinstance(each, Design))
    return exact.lower - conic.lower


def _designs(level: Level) -> list[Design]:
    found = redaction_designs(_CHAIN, _PRIVATE, level, _STRATEGIES)
    return [each for each in found if isinstance(each, Design)]


def _probabilities() -> list[list[Fraction]]:
    """Return r_t(0) of every record t, a column for every mechanism."""
    mechanisms = [each.mechanism for each in _designs(_SHOWN) if each.mechanism is not None]
    return [[row[_CHAIN.common_value] for row in rows] for rows in zip(*(m.rows for m in mechanisms))]


def _short(value: Fraction) -> str:
    return rounded(enclose(value, value).upper, 9)


def _line(cells: Sequence[str]) -> str:
    return "".join(cell.ljust(_WIDTH) for cell in cells).rstrip()
