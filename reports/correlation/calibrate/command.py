"""The command `calibrate`: how much Laplace noise a published mechanism adds to a query, and what
that noise really leaks.

The Wasserstein mechanism and the Markov quilt mechanism with exact or with published influences;
the answers are `reports/correlation/calibrate/answer.py`.
"""

from collections.abc import Callable
from typing import Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.text import rounded
from pufferproof.models.priors.laws import normalized_priors
from pufferproof.reports.console.options import AsJson, FrameworkFile, NormalizePriors, parsed_level
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import priors_json, priors_lines, tell
from pufferproof.reports.correlation.calibrate import answer
from pufferproof.reports.correlation.calibrate.answer import Calibration
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.reports.schemas.correlation import Calibrate

_LATER = ("pufferfish-laplace", "pufferfish-exponential")


def calibrate(
    framework: FrameworkFile,
    mechanism: Annotated[
        str,
        typer.Option(
            "--mechanism", metavar="NAME", help="wasserstein, markov-quilt, markov-quilt-approx"
        ),
    ],
    query: Annotated[
        str,
        typer.Option(
            "--query", metavar="sum|mean|histogram|FILE", help="what is released, of all records"
        ),
    ],
    epsilon: Annotated[
        str, typer.Option("--epsilon", metavar="LEVEL", help="the level: log(N), log(N/M) or nats")
    ],
    all_records: Annotated[
        bool,
        typer.Option(
            "--all-records", help="every value of every record is secret, whatever the file lists"
        ),
    ] = False,
    bound: Annotated[
        str | None,
        typer.Option(
            "--bound",
            metavar="PAPER",
            help="markov-quilt-approx: the bound of song2017 (default) or wang2016",
        ),
    ] = None,
    tight: Annotated[
        bool,
        typer.Option(
            "--tight", help="also find the least Laplace scale that really keeps the level"
        ),
    ] = False,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Compute the noise scale of a mechanism for a level, and the exact leakage that this noise
    has.
    """
    level = parsed_level(epsilon)

    with working("calibrating") as say:
        calibrated = _mechanism(mechanism, bound)
        task = Task.read(framework, query, level, all_records, normalize)
        calibration = calibrated(task)
        answer = _answer(task, calibration, tight, say)
    divided = priors_lines(normalized_priors(task.priors), framework)
    reason = [f"note: the leakage is not computed: {answer.reason}"] if answer.reason else []
    notes = [*divided, *calibration.notes, *reason]
    tell(answer, _lines(task, calibration, answer), notes, as_json)


def _mechanism(name: str, bound: str | None) -> Callable[[Task], Calibration]:
    known: dict[str, Callable[[Task], Calibration]] = {
        "wasserstein": answer.wasserstein,
        "markov-quilt": answer.exact_quilts,
        "markov-quilt-approx": lambda task: answer.approximate_quilts(task, bound or "song2017"),
    }
    if bound is not None and name != "markov-quilt-approx":
        raise ModelError("goes with --mechanism markov-quilt-approx", "--bound")
    if name in _LATER:
        raise ModelError(
            f'"{name}" is not supported yet, expected one of {", ".join(known)}', "--mechanism"
        )
    if name not in known:
        raise ModelError(
            f'unknown mechanism "{name}", expected one of {", ".join(known)}', "--mechanism"
        )
    return known[name]


def _answer(
    task: Task, calibration: Calibration, tight: bool, say: Callable[[str], None]
) -> Calibrate:
    scale = calibration.enclosure()
    leakage, reason = task.leakage(scale)
    if reason is not None and tight:
        raise ModelError(f"the exact leakage cannot be computed: {reason}", "--tight")
    known = {"scale": scale.as_json(), "exact": calibration.scale.text, **calibration.details}
    known |= {"quilt": calibration.quilt_json, "assumed": calibration.assumed}
    known |= {"leakage": leakage and leakage.as_json(), "reason": reason}
    files = {"framework": task.loaded, "query": task.query_file}
    known |= {"inputs": hashes(**{name: file for name, file in files.items() if file is not None})}
    if tight:
        least = task.tight(scale, lambda step, width: say(step_text(step, width)))
        known |= {"tight": least.as_json()}
    return Calibrate.model_validate(known | priors_json(normalized_priors(task.priors)))


def step_text(step: int, width: float) -> str:
    """Say how far the search for the least scale is: comparisons with the level so far, and the
    relative width left.
    """
    return f"calibrating: step {step}" + (f", remaining width {width:.0e}" if width < 1 else "")


def _lines(task: Task, calibration: Calibration, answer: Calibrate) -> list[str]:
    upper, text = calibration.enclosure().upper, calibration.scale.text
    exact = f" = {text}" if text and text != rounded(upper) else ""
    lines = [f"scale     {rounded(upper, up=True)}{exact}"]
    if calibration.quilt is not None:
        lines.append(f"quilt     {_quilt_text(calibration)}")
    if answer.distance is not None:
        where = f'of the pair {answer.pair} under "{answer.prior}"'
        lines.append(f"distance  {answer.distance}, {where}")
    if answer.leakage is not None:
        nats = rounded(answer.leakage.epsilon.upper)
        lines.append(f"leakage   {nats} nats, of a level of {task.level}")
    if answer.tight is not None:  # rounded up, as every scale above the least one keeps the level
        least = rounded(answer.tight.upper, 10, up=True)
        lines.append(f"tight     {least}, the least scale that keeps the level")
    return [*lines, *(f"assumed   {each}" for each in calibration.assumed)]


def _quilt_text(calibration: Calibration) -> str:
    quilt, details = calibration.quilt_json or {}, calibration.details
    record = quilt["record"]
    sides = quilt["nodes"] if "nodes" in quilt else _sides(record, quilt["left"], quilt["right"])
    shown = f"records {' and '.join(map(str, sides))}" if sides else "empty"
    return f'record {record}: {shown}, {details["nearby"]} nearby, under "{details["prior"]}"'


def _sides(record: int, left: int | None, right: int | None) -> list[int]:
    return ([] if left is None else [record - left]) + ([] if right is None else [record + right])
