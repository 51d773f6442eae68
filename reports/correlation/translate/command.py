"""The command `translate`: what mechanisms that are differentially private per record promise under
a framework with correlated records.

The exact worst case over all mechanisms of the given levels, beside the published bounds; the
computation is `lp/translation/translate.py`.
"""

from typing import Annotated, Literal, NoReturn

import typer

from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.lp.translation.published import UNTRIED, least, some_untried
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_valued
from pufferproof.models.files.levels import read_levels
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.files.writing import local_file, mechanism_file
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.reports.auditing.plots.marks import picture_file
from pufferproof.reports.auditing.points.reading import read_point_framework, refuse_at_points
from pufferproof.reports.console.options import (
    AsJson,
    FrameworkFile,
    NormalizePriors,
    PlotOut,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import priors_json, priors_lines, tell
from pufferproof.reports.console.words import (
    counted,
    leakage_text,
    level_nats,
    nats_text,
    trust_line,
)
from pufferproof.reports.correlation.translate.answer import Translation
from pufferproof.reports.correlation.translate.plot import translation_plot
from pufferproof.reports.correlation.translate.points import PointTranslation
from pufferproof.reports.schemas.correlation import Translate

_BY = {
    "count": "a noisy count, or randomised responses of all records",
    "alternating count": "a noisy count of which every second record counts inversely",
    "signed count": "a noisy count of which some records count inversely",
    "linear program": "an output of two: its column is the program's solution",
}


def translate(
    framework: FrameworkFile,
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LEVEL]...", help="the levels of further releases"),
    ] = None,
    per_record: Annotated[
        list[str] | None,
        typer.Option(
            "--per-record-dp",
            metavar="LEVEL",
            help="level of a release for every record: log(N), log(N/M) or nats; repeat for more "
            "releases",
        ),
    ] = None,
    levels: Annotated[
        str | None,
        typer.Option("--levels", metavar="FILE", help="a level per record, one per line"),
    ] = None,
    runs: Annotated[
        int, typer.Option("--runs", metavar="K", help="number of releases of each level")
    ] = 1,
    domain: Annotated[
        Literal["product", "possible"],
        typer.Option(
            "--domain",
            metavar="NAME",
            help="databases that count as neighbours: product, all sequences; possible, those "
            "with probability",
        ),
    ] = "product",
    infinite: Annotated[
        bool,
        typer.Option("--infinite", help="an inner record of a chain without ends, in closed form"),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="write a mechanism that leaks this much"),
    ] = None,
    plot: PlotOut = None,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Translate levels per record into the level that all mechanisms with these levels keep."""
    points = read_point_framework(framework)
    if points is not None:
        refuse_at_points({"--infinite": infinite, "--plot": plot, "--domain": domain != "product"})
        every = [*(per_record or []), *(more or [])]
        _at_points(points, every, levels, runs, out, as_json)
    with working("computing the worst case"):
        space = read_valued(framework, normalize)
        file = None if levels is None else read_levels(levels)
        known = _levels(
            space.value.expect_records().count, [*(per_record or []), *(more or [])], file, runs
        )
        translation = Translation(space.value, known, domain, infinite)
        answer = translation.as_json()
        written = {} if out is None else {out: _mechanism(translation)}
        written |= picture_file(plot, lambda: translation_plot(translation))
        write_outputs(written, out, plot, inputs=[framework, levels])
    read = {"framework": space} | ({} if file is None else {"levels": file})
    answer |= {"mechanism": out, "inputs": hashes(**read)}
    answer |= priors_json(space.value.normalized)
    notes = priors_lines(space.value.normalized, framework)
    _tell(answer, _lines(translation, out), notes, as_json)


def _tell(known: JsonObject, lines: list[str], notes: list[str], as_json: bool) -> NoReturn:
    answer = Translate.model_validate(known)
    trust = trust_line(answer.trust, rests_on=answer.rests_on)
    tell(answer, [*lines, trust], notes, as_json)


def _at_points(
    loaded: Loaded[PointFramework],
    every: list[str],
    levels: str | None,
    runs: int,
    out: str | None,
    as_json: bool,
) -> NoReturn:
    """Tell the worst case of normal records that are not truncated."""
    file = None if levels is None else read_levels(levels)
    translation = PointTranslation(loaded.value, _levels(loaded.value.count, every, file, runs))
    answer = translation.as_json() | {"mechanism": out}
    written = {} if out is None else {out: translation.mechanism()}
    write_outputs(written, out, inputs=[loaded.path, levels])
    read = {"framework": loaded} | ({} if file is None else {"levels": file})
    answer |= {"inputs": hashes(**read)}
    _tell(answer, translation.lines(out), [], as_json)


def _levels(
    count: int, every: list[str], file: Loaded[tuple[Level, ...]] | None, runs: int
) -> RecordLevels:
    """Return the level of every record, summed over releases."""
    if runs < 1:
        raise ModelError(f"expected at least 1, found {runs}", "--runs")
    if not every and file is None:
        raise ModelError("expected the level of a release, or --levels", "--per-record-dp")
    known = [parsed_level(text, "--per-record-dp") for text in every]
    if file is None:
        return RecordLevels.uniform(count, known, runs)
    if len(file.value) != count:
        raise ModelError(
            f"expected {counted(count, 'level')}, one per record, found {len(file.value)}",
            file.path,
        )
    return RecordLevels.of(file.value, runs).plus(Total.of(known, runs))


def _mechanism(translation: Translation) -> bytes:
    worst = translation.worst
    if worst is None or worst.mechanism is None:
        raise ModelError("no mechanism attains the supremum over all lengths", "--out")
    made = worst.mechanism()
    return mechanism_file(made)[0] if isinstance(made, Channel) else local_file(made)


def _lines(translation: Translation, out: str | None) -> list[str]:
    worst, exact = translation.worst, translation.exact
    lines = [f"level     {level_nats(translation.levels.text)} for every record, over all releases"]
    if exact is not None:
        over = "stationary chains of any length and mechanisms" if worst is None else "mechanisms"
        lines.append(f"exact     {leakage_text(exact)}, the largest over all {over} of this level")
    elif worst is not None:
        lines.append(f"bound     {nats_text(worst.enclosure())} for the largest leakage")
    if worst is not None and worst.attained is not None:
        lines.append(f"attained  by {_BY[worst.attained]}")
    if worst is not None:
        one, other = worst.pair
        lines.append(f'worst     prior "{worst.prior}", "{one}" against "{other}"')
    return [*lines, *_published_lines(translation), *([f"written   {out}"] if out else [])]


def _published_lines(translation: Translation) -> list[str]:
    bounds, reason = translation.published
    if not bounds:
        return [f"published none: {reason or 'every set of records leaves an infinite influence'}"]
    best = least(bounds)
    hidden = counted(best.hidden, "record")
    untried = f"; {UNTRIED}" if some_untried(bounds) else ""
    return [f"published {nats_text(best.enclosure())}, with {hidden} hidden{untried}"]
