"""The command `calibrate`: how much noise a published mechanism adds to a query, or how sharply it
may choose, and what that really leaks.

The Wasserstein mechanism and the Markov quilt mechanism with exact influences or bounds of them are
in `reports/correlation/calibrate/task.py`, mechanisms of a level per record in `translated.py`
and `exponential.py`, all of them side by side in `comparison.py`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded, hashes, in_file
from pufferproof.models.files.writing import indented, mechanism_file, query_document
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, three
from pufferproof.models.priors.laws import normalized_priors
from pufferproof.reports.auditing.any_form import read_point_framework
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    Axis,
    Curve,
    Panel,
    Part,
    Plot,
    Rule,
    plot_format,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.options import AsJson, FrameworkFile, NormalizePriors, parsed_level
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import priors_json, priors_lines, tell
from pufferproof.reports.console.words import claims_lines, level_nats
from pufferproof.reports.correlation.calibrate import gaussian
from pufferproof.reports.correlation.calibrate.asked import (
    EXPONENTIAL,
    HISTOGRAM,
    NORMAL,
    Asked,
    exponential,
    read_chooser,
)
from pufferproof.reports.correlation.calibrate.comparison import (
    ComparedScale,
    ScaleCurve,
    compared,
    curves,
    levels,
    lines,
)
from pufferproof.reports.correlation.calibrate.points import PointTask, compared_at_points, expect_of_points
from pufferproof.reports.correlation.calibrate.task import Calibration, Task
from pufferproof.reports.correlation.calibrate.words import calibrated_lines, step_text
from pufferproof.reports.schemas.correlation import Calibrated, ComparedScales, GaussianScales
from pufferproof.verify.decision import united

if TYPE_CHECKING:
    pass


def calibrate(
    framework: FrameworkFile,
    asked: Asked,
    all_records: Annotated[
        bool, typer.Option("--all-records", help="make every value of every record secret, whatever the file lists")
    ] = False,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Compute how much noise a query needs, and what that noise leaks."""
    level = parsed_level(asked.epsilon)
    if (asked.mechanism, asked.delta, asked.renyi) == (None, None, None):
        asked = replace(asked, compare=True)
    asked.expect_one_question()
    read = _Read(framework, level, all_records, normalize, as_json)
    _at_points(asked, read)
    if asked.compare:
        _compare(asked, read)
    elif asked.delta is not None or asked.renyi is not None:
        _gaussian(asked, read)
    elif asked.mechanism == EXPONENTIAL:
        with working("calibrating"):
            task = read.task(HISTOGRAM)
            chooser = read_chooser(task, asked.utility or "")
            calibration, chooser = exponential(task, asked.translated, chooser)
            leakage, reason = chooser.leakage(task)
            scale = calibration.enclosure().as_json()
            fields: JsonObject = {"scale": scale, "exact": calibration.scale.text}
            fields |= {**calibration.details, "quilt": None, "assumed": calibration.assumed}
            fields |= {"candidates": list(chooser.utility.candidates), "mechanism": asked.out}
            fields |= {"rests_on": calibration.claims}
            fields |= _inputs(task, utility=chooser.file)
            if asked.out is not None:
                if chooser.channel is None:
                    raise ModelError(f"no mechanism file: {chooser.reason}", "--out")
                file, _ = mechanism_file(chooser.channel)
                write_outputs({asked.out: file}, asked.out, inputs=[read.framework, asked.utility])
        answer = Calibrated.model_validate({**fields, "leakage": leakage and leakage.as_json(), "reason": reason})
        missing = "the mechanism is not written out"
    else:
        with working("calibrating") as say:
            task = read.task(asked.query or "")
            calibration = asked.calibrated(task)
            answer = _answer(task, calibration, asked, say)
        missing = "the leakage is not computed"
    notes = [*read.notes(task), *calibration.notes]
    notes += [f"note: {missing}: {answer.reason}"] if answer.reason else []
    records = None if task.loaded.value.records is None else task.records
    tell(answer, calibrated_lines(task.level, calibration, answer, records), notes, read.as_json)


@dataclass(frozen=True)
class _Read:
    """The options that say what is read, and how the answer is printed."""

    framework: str
    level: Level
    all_records: bool
    normalize: bool
    as_json: bool

    def task(self, query: str) -> Task:
        """Read the framework, and the query where it is a file."""
        return Task.read(self.framework, query, self.level, self.all_records, self.normalize)

    def notes(self, task: Task) -> list[str]:
        """Return what is said of priors that were divided."""
        return priors_lines(normalized_priors(task.priors), self.framework)


def _inputs(task: Task, **more: Loaded[Any] | None) -> JsonObject:
    files = {"framework": task.loaded, "query": task.query_file, **more}
    fields = {"inputs": hashes(**{name: file for name, file in files.items() if file is not None})}
    return fields | priors_json(normalized_priors(task.priors))


def _at_points(asked: Asked, read: _Read) -> None:
    """Tell the least noise for normal records that are not truncated, and end; else return."""
    loaded = read_point_framework(read.framework)
    if loaded is None:
        return
    expect_of_points(asked, read.all_records)
    with working("calibrating") as say:
        task = PointTask.read(loaded, asked.query or "")
        files = {"framework": loaded, "query": task.query_file}
        inputs = {"inputs": hashes(**{key: file for key, file in files.items() if file})}
        if asked.compare:
            found = compared_at_points(task, read.level, lambda step, width: say(step_text(step, width)))
            answers = {"comparison": [row.as_json() for row in found], "plot": None}
            claims = united(*(row.claims for row in found))
            shown = ComparedScales.model_validate(answers | inputs | {"rests_on": claims})
            said = [*lines(found, read.level), *claims_lines(shown.rests_on)]
            tell(shown, said, [], read.as_json)
        if asked.mechanism is None:
            kind = asked.kind(read.level)
            rows = task.sigmas(kind, lambda step, width: say(step_text(step, width)))
            known = {"sigmas": [row.as_json() for row in rows], **kind.as_json(), **inputs}
            claims = task.claims(Noise.gaussian(1), delta=asked.delta is not None)
            known |= {"noise": "gaussian", "rests_on": claims}
            scales = GaussianScales.model_validate(known)
            said = [*gaussian.lines(rows, kind), *claims_lines(scales.rests_on)]
            tell(scales, said, [], read.as_json)
        calibration = (task.bayesian if asked.mechanism == NORMAL else task.laplace)(read.level)
        scale = calibration.enclosure()
        leakage = task.leakage(scale)
        fields = {"scale": scale.as_json(), "exact": calibration.scale.text, **calibration.details}
        fields |= {"quilt": None, "leakage": leakage and leakage.as_json(), "reason": None}
        fields |= {"assumed": calibration.assumed, "mechanism": asked.out, **inputs}
        fields |= {"rests_on": calibration.claims}
        if asked.tight:
            scale = task.tight(read.level, lambda step, width: say(step_text(step, width)))
            fields |= {"tight": scale.as_json()}
        if asked.out is not None:
            written = (indented(task.document(scale)) + "\n").encode()
            write_outputs({asked.out: written}, asked.out, inputs=[read.framework, asked.query])
        answer, calibration = Calibrated.model_validate(fields), calibration
    tell(answer, calibrated_lines(read.level, calibration, answer), [], read.as_json)


def _answer(task: Task, calibration: Calibration, asked: Asked, say: Callable[[str], None]) -> Calibrated:
    scale = calibration.enclosure()
    leakage, reason, between, claims = task.leakage(scale)
    if reason is not None and asked.tight:
        raise ModelError(f"the exact leakage cannot be computed: {reason}", "--tight")
    fields = {"scale": scale.as_json(), "exact": calibration.scale.text, **calibration.details}
    fields |= {"quilt": calibration.quilt_json, "assumed": calibration.assumed}
    fields |= {"eliminated": calibration.eliminated}
    fields |= {"leakage": leakage and leakage.as_json(), "reason": reason, **_inputs(task)}
    fields |= {"between_bounds": between}
    tight = task.tight_rests_on if asked.tight else ()
    fields |= {"rests_on": united(calibration.claims, claims, tight)}
    if asked.tight:
        scale = task.tight(scale, lambda step, width: say(step_text(step, width)))
        fields |= {"tight": scale.as_json()}
    # the files that are asked for: the mechanism, and the certificate
    files, written = dict[str, bytes](), None
    if asked.out is not None:
        written = (indented(query_document(task.mechanism(scale))) + "\n").encode()
        files[asked.out] = written
    if asked.certificate is not None:
        with in_file(task.loaded.path):
            files[asked.certificate] = task.certificate(scale, written)
    write_outputs(files, asked.out, asked.certificate, inputs=[task.loaded.path, asked.query])
    fields |= {"certificate": asked.certificate, "mechanism": asked.out}
    return Calibrated.model_validate(fields)


def _gaussian(asked: Asked, read: _Read) -> NoReturn:
    kind, noise = asked.kind(read.level), asked.added
    with working("calibrating") as say:
        task = read.task(asked.query or "")
        rows = gaussian.calibrated(task, kind, lambda step, width: say(step_text(step, width)), noise)
    fields = {"sigmas": [row.as_json() for row in rows], **kind.as_json(), **_inputs(task)}
    fields |= {"noise": noise, "rests_on": united(*(row.claims for row in rows))}
    answer = GaussianScales.model_validate(fields)
    told = [*gaussian.lines(rows, kind, noise), *claims_lines(answer.rests_on)]
    tell(answer, told, read.notes(task), read.as_json)


def _compare(asked: Asked, read: _Read) -> NoReturn:
    if asked.plot is not None:
        plot_format(asked.plot)
    with working("calibrating") as say:
        task = read.task(asked.query or "")
        rows = compared(task, lambda step, width: say(step_text(step, width)), say)
        if asked.plot is not None:
            grid = levels(task.level)
            title = f"noise on {label_text(asked.query or '')}, {label_text(read.framework)}"
            plot = scale_plot(list(curves(task, grid, say)), grid, rows, task.level, title)
            write_outputs({asked.plot: plot.file(asked.plot)}, asked.plot, inputs=[read.framework, asked.query])
    fields = {"comparison": [row.as_json() for row in rows], "plot": asked.plot, **_inputs(task)}
    fields |= {"rests_on": united(*(row.claims for row in rows))}
    answer = ComparedScales.model_validate(fields)
    told = [*lines(rows, task.level), *([f"plot      {asked.plot}"] if asked.plot else [])]
    tell(answer, [*told, *claims_lines(answer.rests_on)], read.notes(task), read.as_json)


# Plot ---------------------------------------------------------------------------------------------
#
# Noise scales of mechanisms drawn against the level. Dots are scales that were computed, rounded
# for drawing, and lines join them; a mechanism has no line where it has no scale.

_DECADES, _LINE = 2, 68  # of an axis with all its numbers; characters of a line
_STYLES = {
    "wasserstein": (MARK, "-"),
    "kantorovich": (MARK, ":"),
    "plan-mean": (MARK, "--"),
    "markov-quilt": (AGAINST, "-"),
    "markov-quilt-approx, song2017": (AGAINST, ":"),
    "markov-quilt-approx, wang2016": (AGAINST, "--"),
    "markov-quilt-approx, sharp": (AGAINST, "-."),
    "pufferfish-laplace, published": (FOR, ":"),
    "pufferfish-laplace, best": (FOR, "--"),
    "pufferfish-laplace, exact": (FOR, "-"),
    "gk16": (FAINT, "--"),
    "bdp-general": (FAINT, "-."),
    "bdp-markov": (FAINT, ":"),
    "group-dp": (FAINT, "-"),
}


def scale_plot(
    curves: Sequence[ScaleCurve], grid: Sequence[Level], rows: Sequence[ComparedScale], asked: Level, title: str
) -> Plot:
    """Return the scale of every mechanism against epsilon, both logarithmic, in the order of the
    scales at the level asked for; and the least scale that keeps that level as a point.
    """
    nats = [float(level.enclosure().upper) for level in grid]
    at = float(asked.enclosure().upper)
    place = nats.index(at)
    drawn = [curve for curve in curves if any(curve.scales)]
    # from the most noise to the least, group privacy below the others
    drawn.sort(key=lambda c: (c.name != "group-dp", -(c.scales[place] or 0)))
    parts: list[Part] = [Rule("", at, FAINT, "-")]
    parts += [_curve(curve, nats, curve.scales[place]) for curve in drawn]
    least = next((row.scale for row in rows if row.mechanism == "tight"), None)
    if least is not None and (tight := float(least.upper)):
        parts.append(Curve(f"tight: {tight:.4g}", [at], [tight], INK, "o", size=6))
    names = [curve.name for curve in curves if not any(curve.scales)]
    said = wrap(f"no scale: {'; '.join(names)}", _LINE, break_on_hyphens=False) if names else []
    along = Axis("\n".join(["level epsilon (nats)", *said]), scale="log")
    label = "scale of the Laplace noise, in units of the query"
    up = Axis(label, scale="log", ticks="powers" * _many_decades(drawn))
    legend = f"{title}: scale at level {level_nats(asked)}"
    return Plot(_scale_finding(rows, asked), [Panel(parts, along, up)], 5.4, 2, legend)


def _many_decades(curves: Sequence[ScaleCurve]) -> bool:
    ends = [scale for curve in curves for scale in curve.scales if scale]
    return bool(ends) and math.log10(max(ends) / min(ends)) > _DECADES


def _curve(curve: ScaleCurve, nats: Sequence[float], asked: float | None) -> Curve:
    """Return the computed scales of a mechanism, joined."""
    colour, style = _STYLES[curve.name]
    name = f"{curve.name}: {'none' if asked is None else f'{asked:.4g}'}"
    return Curve(name, nats, [each or math.nan for each in curve.scales], colour, f"o{style}", size=3)


def _scale_finding(rows: Sequence[ComparedScale], asked: Level) -> str:
    """Say which mechanism needs the least noise at the level asked for, and the least scale that
    keeps it.
    """
    scales = [(float(row.scale.upper), row) for row in rows if row.scale is not None]
    published = [each for each in scales if each[1].mechanism != "tight"]
    if not published:
        return f"No mechanism has a scale at level {level_nats(asked)}."
    scale, best = min(published, key=lambda each: each[0])
    tight = next((value for value, row in scales if row.mechanism == "tight"), None)
    least = "" if tight is None else f"; the least that keeps it is {three(tight)}"
    said = f"{best.name} adds the least noise, scale {three(scale)}"
    return f"At level {level_nats(asked)} {said}{least}."
