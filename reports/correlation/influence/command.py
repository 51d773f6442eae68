"""The command `influence`: how much records at given distances say about one record, and what must
be hidden to leak less.

One quilt, a table by width beside published bounds, or the influence curve a*(b); exact over Markov
priors of any length, and over other priors where databases can be listed. The answers are
`reports/correlation/influence/answer.py`, the plots `plot.py`.

This file also says what `influence --curve` prints.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Annotated, NoReturn

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import hashes, read_loaded
from pufferproof.models.files.shapes import FrameworkFile as FrameworkShape
from pufferproof.models.numbers.text import JsonObject, outward
from pufferproof.reports.console.drawing import Plot, plot_file
from pufferproof.reports.console.options import AsJson, FrameworkFile, NormalizePriors, plot_name
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import paragraph, working
from pufferproof.reports.console.telling import priors_json, priors_lines, tell
from pufferproof.reports.console.words import claims_lines, leakage_text, short_nats, times_text
from pufferproof.reports.correlation.influence.answer import Subject, shown_beside
from pufferproof.reports.correlation.influence.plot import curve_plot, table_plot
from pufferproof.reports.schemas.correlation import GaussianCurve, InfluenceCurve, InfluenceTable, QuiltInfluence
from pufferproof.reports.schemas.values import Output, bases
from pufferproof.verify.decision import united
from pufferproof.verify.influence.curves.chains import PUBLISHED, PUBLISHED_RESTS_ON
from pufferproof.verify.influence.curves.point import Curve, CurvePoint
from pufferproof.verify.leakage.ratio import Leakage

_MEANS = (
    "for every pair of secrets the best b records are hidden; what all other records show "
    "multiplies the odds between the two secrets by at most e^a*(b)"
)
_RUNS = 4  # runs of hidden records that are shown on a terminal


def influence(
    framework: FrameworkFile,
    record: Annotated[
        str | None, typer.Option("--record", metavar="I", help="record in question, by name or number [default: all]")
    ] = None,
    left: Annotated[
        int | None,
        typer.Option("--left", metavar="A", help="distance to the record that is shown before it [default: none]"),
    ] = None,
    right: Annotated[
        int | None,
        typer.Option("--right", metavar="B", help="distance to the record that is shown after it [default: none]"),
    ] = None,
    curve: Annotated[
        bool, typer.Option("--curve", help="compute the influence curve: the smallest influence with b records hidden")
    ] = False,
    most: Annotated[
        int | None,
        typer.Option(
            "--most", metavar="B", help="last point of the curve [default: all of up to 1,000 records, else 50]"
        ),
    ] = None,
    widest: Annotated[int, typer.Option("--widest", metavar="N", help="largest width in the table")] = 20,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", callback=plot_name, help="plot of the table or the curve")
    ] = None,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Compute how much distant records reveal about one record."""
    quilt = left is not None or right is not None
    _possible(curve, quilt, record, plot, widest)
    if most is not None and not curve:
        raise ModelError("needs --curve as well", "--most")
    if read_loaded(framework, FrameworkShape).value.gaussian:
        _of_gaussian(framework, curve, plot, as_json)
    with working("computing influences"):
        distance = "--right" if left is None else "--left"
        subject = Subject.read(framework, normalize, not curve, distance if quilt else None)
        if curve:
            answer = _curve(subject, most)
        elif quilt:
            answer = _quilt(subject, subject.numbered(record), left, right)
        else:
            answer = _table(subject, subject.numbered(record), widest)
        if answer.plot is not None:
            write_outputs(plot_file(plot, answer.plot), plot, inputs=[framework])
    read = {"inputs": hashes(framework=subject.loaded), **priors_json(subject.normalized)}
    shown = answer.shape.model_validate(answer.known | read)
    notes = [*priors_lines(subject.normalized, framework), *subject.notes]
    lines = [*answer.lines, *claims_lines(bases(answer.known["rests_on"]))]
    tell(shown, lines, notes, as_json)


def _of_gaussian(framework: str, curve: bool, plot: str | None, as_json: bool) -> NoReturn:
    """Tell the curve of truncated Gaussian priors. Raises `ModelError` unless it is asked for."""
    from pufferproof.reports.correlation.influence.gaussian import GaussianAnswer

    answer = GaussianAnswer.read(framework)
    if not curve:
        raise ModelError("a gaussian prior has an influence curve only: expected --curve", "--curve")
    with working("enclosing integrals"):
        fields = answer.known
        write_outputs(plot_file(plot, answer.plot), plot, inputs=[framework])
    read = {"inputs": hashes(framework=answer.loaded)}
    tell(GaussianCurve.model_validate(fields | read), answer.lines, [], as_json)


def _possible(curve: bool, quilt: bool, record: str | None, plot: str | None, widest: int) -> None:
    """Raise `ModelError` unless the options ask for one thing."""
    if curve and (quilt or record is not None):
        raise ModelError(
            "leave out --record, --left and --right, because the curve chooses the hidden records", "--curve"
        )
    if plot is not None and quilt:
        raise ModelError("one quilt is one number: expected a table or --curve", "--plot")
    if widest < 1:
        raise ModelError(f"expected at least 1, found {widest}", "--widest")


@dataclass(frozen=True)
class _InfluenceAnswer:
    """An answer: its shape, what it says of influences, its lines, and how it is drawn."""

    shape: type[Output]
    known: JsonObject
    lines: list[str]
    plot: Callable[[], Plot] | None = None


def _curve(subject: Subject, most: int | None) -> _InfluenceAnswer:
    points = subject.curve(most)
    published = subject.published(points)
    leakages = [leakage_of(point) for point in points]
    plot = partial(curve_plot, leakages, published)
    printed = any(isinstance(each, Leakage) for each in published)
    rests_on = united(Curve(points).rests_on, PUBLISHED_RESTS_ON if printed else ())
    fields = {"curve": points_json(points, published), "rests_on": rests_on}
    return _InfluenceAnswer(InfluenceCurve, fields, points_lines(points, published), plot)


def _quilt(subject: Subject, record: int | None, left: int | None, right: int | None) -> _InfluenceAnswer:
    subject.expect_distances(left, right)
    leakage, arithmetic = subject.quilt(record, left, right)
    place = subject.place(record, left, right, leakage)
    answer = {
        "influence": leakage.as_json(),
        "arithmetic": arithmetic,
        "witness": place and place.as_json(),
        "rests_on": subject.quilts_rest_on,
    }
    # the records that are shown: by their distances, or as they are called
    if record is None:
        sides = [(left, "before"), (right, "after")]
        shown = [f"{distance} {side}" for distance, side in sides if distance is not None]
        quilt_text = f"any record: {', '.join(shown)}"
    else:
        shown_records = subject.records.all_called(shown_beside(record, left, right))
        quilt_text = f"{subject.records.called(record)}: {shown_records}"
    lines = [f"influence {leakage_text(leakage)}", f"quilt     {quilt_text}"]
    if place is not None:
        outcome = ", ".join(f'{subject.records.called(other)} is "{value}"' for other, value in place.outcome)
        value, against = (f'if {subject.records.called(place.record)} is "{place.likelier}"', f'if "{place.other}"')
        how = f"possible {value}, impossible {against}"
        if place.ratio is not None:
            how = f"{times_text(place.ratio)} times as likely {value} as {against}"
        lines.append(f'attained  prior "{place.prior}", {outcome}: {how}')
    which = "a record" if record is None else subject.records.called(record)
    if leakage.infinite:
        lines.append(f"means     what these records show may rule out a value of {which}")
    elif leakage.upper is not None:
        ends = leakage.enclosure()
        enclosed = f"e^{outward(ends.lower, ends.upper, 9)[1]}"
        factor = enclosed if leakage.ratio is None else times_text(leakage.ratio)
        odds = f"the odds between two values of {which} by at most {factor}"
        lines.append(f"means     what these records show multiplies {odds}")
    return _InfluenceAnswer(QuiltInfluence, answer, lines)


def _table(subject: Subject, record: int | None, widest: int) -> _InfluenceAnswer:
    subject.expect_quilt(record, None, None)
    rows, arithmetic = subject.table(record, widest)
    table: list[JsonObject] = []
    for row in rows:
        parts = {"two_sided": row.both, "left": row.left, "right": row.right}
        bounds = {name: bound if isinstance(bound, str) else bound.as_json() for name, bound in row.bounds.items()}
        table.append({"width": row.width, **{key: v and v.as_json() for key, v in parts.items()}, "bounds": bounds})
    answer: JsonObject = {"table": table, "arithmetic": arithmetic, "rests_on": subject.table_rests_on(rows)}
    names = list(rows[0].bounds) if rows else []
    cells = [["width", "both (nats)", "left", "right", *names]]
    for row in rows:
        influences = ["-" if each is None else short_nats(each) for each in (row.both, row.left, row.right)]
        printed = [value if isinstance(value, str) else short_nats(value) for value in row.bounds.values()]
        cells.append([str(row.width), *influences, *printed])
    widths = [max(map(len, column)) + 2 for column in zip(*cells)]
    return _InfluenceAnswer(
        InfluenceTable,
        answer,
        ["".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells],
        partial(table_plot, rows),
    )


def leakage_of(point: CurvePoint) -> Leakage:
    """Return a*(b) as a leakage."""
    return Leakage(point.lower, point.upper)


def points_json(points: Sequence[CurvePoint], published: Sequence[Leakage | str]) -> list[dict[str, object]]:
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
    lines = ["".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
    if not compared and isinstance(published[0], str):
        lines.append(f"published {published[0]} ({PUBLISHED})")
    return [*lines, *paragraph("means", _MEANS, 95)]


def _hidden_text(point: CurvePoint) -> str:
    if point.hidden is None:
        return "-"
    hidden = runs(point.hidden)
    texts = [str(one) if one == last else f"{one}-{last}" for one, last in hidden[:_RUNS]]
    more = [f"and {len(hidden) - _RUNS} more"] if len(hidden) > _RUNS else []
    return ", ".join([*texts, *more]) or "none"
