"""Figure 3 of bai2026: influence curves of binary Markov chains (a) and of truncated Gaussian
priors (b), by the definition beside the printed forms.

The paper prints neither p and q nor numbers of records, and no values: chains here have p = q as
listed, and 50 records. In (b) it prints g = 5, del = 1/10 and five lengths; secrets are the windows
at both ends of the box, of the record in the middle. The recipe of Theorem 5 takes any n, and is
the definition where x_i alone is hidden. Else the definition integrates over hidden records, here
for 5. Source: bai2026, Section 6.3, Figure 3, Example 3, Theorem 5.
"""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pufferproof.examples.reproduce.schemas import CurvesFigure
from pufferproof.models.errors import extras
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import Enclosure, dyadic, enclose, enclose_log
from pufferproof.models.numbers.text import JsonObject, text_of, three
from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.models.priors.continuous.points import GaussianFramework
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, MARK, panels, plain_ticks, plot_files
from pufferproof.reports.console.words import csv_text
from pufferproof.reports.correlation.influence.gaussian import enclosure_of
from pufferproof.verify.decision import recorded_verdict
from pufferproof.verify.influence.curves.chains import published_curve
from pufferproof.verify.influence.curves.framework import influence_curve
from pufferproof.verify.influence.gaussian.definition import GaussianPoint, gaussian_curve
from pufferproof.verify.influence.gaussian.law import GaussianLaw, farthest, published

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHAINS, GAUSSIAN = "bai2026.figure3a", "bai2026.figure3b"
STAYS = tuple(Fraction(n, 20) for n in (9, 8, 6, 4, 2, 1))
LENGTHS = tuple(map(Fraction, ("1/2", "1", "2", "3", "5")))
BOX, WINDOW = Fraction(5), Fraction(1, 10)
LISTED, LONGER = 5, (10, 20, 50)  # records by the definition, and by the recipe alone
RECORDS, MOST = 50, 15
_COLOURS = (INK, FOR, AGAINST, MARK, "#7a5195", "#888888")
_CLAIMS = {CHAINS: ("bai2026.chain-fig",), GAUSSIAN: ("bai2026.gauss-fig", "bai2026.gauss-sweep")}
_SHOWS = {
    CHAINS: "printed   near the origin for p, q near 1/2; the curve spreads as p or q falls",
    GAUSSIAN: "printed   the curve of a larger ell is farther from the origin",
}
_SEEN = 1e-12  # nats that are no rounding
Line = JsonObject


def curves(name: str) -> CurvesFigure:
    """Return every line of a figure: a*(b) and the printed form for b = 1, 2, .."""
    lines = [_chain(stay) for stay in STAYS] if name == CHAINS else _gaussian()
    verdicts = {claim: recorded_verdict(claim) for claim in _CLAIMS[name]}
    answer = {"figure": name, "lines": lines, "verdicts": verdicts, "files": []}
    return CurvesFigure.model_validate(answer)


def _chain(stay: Fraction) -> Line:
    """Return the line of p = q: the curve of the record in the middle, and Example 3."""
    chain = MarkovChain("stationary", [[stay, 1 - stay], [1 - stay, stay]])
    middle, records = RECORDS // 2, Records(RECORDS, ("0", "1"))
    secrets = {f"x={value}": (middle, value) for value in "01"}
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    found = influence_curve(framework, MOST)[1:]
    printed = published_curve([chain], RECORDS, 2, [point.b for point in found])
    points = [
        _point(
            point.b,
            None
            if point.lower is None or point.upper is None
            else _between(enclose_log(point.lower), enclose_log(point.upper)),
            enclose_log(value) if isinstance(value, Fraction) else None,
        )
        for point, value in zip(found, printed)
    ]
    return {"varies": "p = q", "value": text_of(stay), "records": RECORDS, "points": points}


def _between(lower: Enclosure, upper: Enclosure) -> Enclosure:
    return Enclosure(lower.lower, upper.upper)


def _point(hidden: int, found: Enclosure | None, printed: Enclosure | None) -> dict[str, object]:
    return {"b": hidden, "definition": found and found.as_json(), "printed": printed and printed.as_json()}


def _gaussian() -> list[Line]:
    return [_smooth(length, count, count == LISTED) for count in (LISTED, *LONGER) for length in LENGTHS]


def _smooth(length: Fraction, count: int, listed: bool) -> Line:
    """Return the line of a length and so many records: the recipe, beside the definition where it
    is listed.
    """
    prior, record = TruncatedGaussian([-BOX, BOX], length=length), (count + 1) // 2
    high, low = (BOX - WINDOW, BOX), (-BOX, WINDOW - BOX)
    known: Sequence[GaussianPoint | None] = [None] * (count + 1)
    if listed:
        secrets = {"high": (record, *high), "low": (record, *low)}
        framework = GaussianFramework(count, secrets, [("high", "low")], {"theta": prior})
        known = gaussian_curve(framework).points
    law, points = GaussianLaw(prior, count), []
    for hidden in range(1, min(count - 1, MOST) + 1):
        recipe = published(law, record - 1, high, low, farthest(law, record - 1, hidden)).influence
        lower, upper = dyadic(recipe.lower()), dyadic(recipe.upper())
        printed = enclose(max(lower, Fraction(0)), upper)
        point = known[hidden]
        enclosed = None if point is None else enclosure_of(point)
        if hidden == 1:  # only x_i is hidden, in windows that mirror one another: the same number
            enclosed = printed
        points.append(_point(hidden, enclosed, printed))
    return {"varies": "ell", "value": text_of(length), "records": count, "points": points}


def lines(figure: CurvesFigure) -> list[str]:
    """Render the curves for a terminal, in nats."""
    shown = [1, 2, 3, 4, 6, 8, 10, 15]
    told = ["b".ljust(34) + "".join(f"{b:>12}" for b in shown)]
    for line in figure.lines:
        name = f"{line.varies} = {line.value}, {line.records} records"
        by_b = {point.b: point for point in line.points}
        for kind in ("definition", "printed"):
            values = [getattr(by_b[b], kind) if b in by_b else None for b in shown]
            if any(value is not None for value in values):
                cells = ["-" if v is None else f"{float(v.upper):.4g}" for v in values]
                told.append(f"{name}, {kind}".ljust(34) + "".join(f"{c:>12}" for c in cells))
    told.append(_SHOWS[figure.figure])
    told += [f"{verdict:<10}{claim}, as recorded" for claim, verdict in figure.verdicts.items()]
    return told


def files(figure: CurvesFigure, folder: str) -> dict[str, bytes]:
    """Return the table and the plot."""
    start = str(Path(folder) / figure.figure)
    return plot_files(_drawn(figure), start, _finding(figure)) | {f"{start}.csv": _table(figure).encode()}


def _finding(figure: CurvesFigure) -> str:
    """Say how far the printed form lies above the definition, and how far below it."""
    known = [
        float(point.printed.upper) - float(point.definition.upper)
        for line in figure.lines
        for point in line.points
        if point.printed is not None and point.definition is not None
    ]
    above, below = max(0.0, *known), -min(0.0, *known)
    sides = {"above": above, "below": below}
    said = [f"{three(nats)} nats {side}" for side, nats in sides.items() if nats > _SEEN]
    if not said:
        return "The printed form is the definition at every point."
    return f"The printed form lies up to {' and '.join(said)} the definition."


def _table(figure: CurvesFigure) -> str:
    """Return a row per point as CSV, in nats."""
    columns = ("varies", "value", "records", "b", "definition_lower", "definition_upper")
    rows: list[list[Any]] = []
    for line in figure.lines:
        for point in line.points:
            ends = [
                "" if each is None else getattr(each, side)
                for each in (point.definition, point.printed)
                for side in ("lower", "upper")
            ]
            rows.append([line.varies, line.value, line.records, point.b, *ends])
    return csv_text((*columns, "printed_lower", "printed_upper"), rows)


def _drawn(figure: CurvesFigure) -> "Figure":
    """Draw a panel per number of records: lines are the definition, crosses the printed form."""
    counts = sorted({line.records for line in figure.lines})
    size = (3.2 * len(counts) + 1.6, 3.8)
    with panels(1, len(counts), size, sharey=True) as (drawn, [every]):
        for axes, count in zip(every, counts):
            _panel(axes, figure, count)
        every[0].set_ylabel("a*(b) in nats")
    return drawn


def _panel(axes: "Axes", figure: CurvesFigure, count: int) -> None:
    with extras:
        from matplotlib.ticker import MaxNLocator

    listed = [line for line in figure.lines if line.records == count]
    for line, colour in zip(listed, _COLOURS):
        label = f"{line.varies} = {line.value}"
        for kind, style in (("definition", "o-"), ("printed", "x:")):
            known = [(p.b, getattr(p, kind)) for p in line.points]
            points = [(b, float(v.upper)) for b, v in known if v is not None and float(v.upper) > 0]
            if points:
                axes.plot(*zip(*points), style, color=colour, markersize=3.5, label=label)
                label = "_nolegend_"
    axes.plot([], [], "x:", color=FAINT, markersize=3.5, label="as printed")
    axes.set_yscale("log")
    plain_ticks(axes.yaxis, powers_alone=True)
    axes.set_title(f"{count} records", fontsize=10)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("b: hidden records")
    axes.legend(frameon=False, fontsize=8)
