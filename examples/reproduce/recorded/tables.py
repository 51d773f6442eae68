"""Scales of Laplace noise on the histogram of a recorded chain, by every rule over levels.

The chain is fitted by counting, starts from its stationary law, and the record in the middle of a
longer sequence is secret: a year of hours, say, from recorded days. Noise for "one record" is that
of differential privacy for one entry, which keeps no level where records depend on one another;
of two values what it leaks is computed beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pufferproof.examples.reproduce.recorded import sources
from pufferproof.examples.reproduce.schemas import RecordedFigure
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded, digest, validated
from pufferproof.models.files.recorded.fit import fit
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.interface.steps import steps
from pufferproof.models.noise.scale import quotient
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.reports.console.streams import working
from pufferproof.reports.correlation.calibrate.comparison import Way, ways
from pufferproof.reports.correlation.calibrate.task import Task

ELECTRICITY, ACTIVITY, WEATHER = (f"song2017.{each}" for each in ("electricity", "activity", "weather"))
NAMES = (ELECTRICITY, ACTIVITY, WEATHER)
LEVELS = ("0.2", "1", "5")
ENTRY = "one record (entry differential privacy)"
EXACT, ABOVE = "worst case, exact", "worst case, an upper bound"
GROUP = "group privacy"
_RULES = {  # the name of a way of `calibrate --compare`, and what tables call it
    "pufferfish-laplace, exact": EXACT,
    "markov-quilt": "Markov quilts, exact influence",
    "markov-quilt-approx, sharp": "Markov quilts, sharp bound",
    "markov-quilt-approx, wang2016": "Markov quilts, bound of wang2016",
    "markov-quilt-approx, song2017": "Markov quilts, bound of song2017",
    "gk16": "gk16",
    "group-dp": GROUP,
}
_SLOW = ("pufferfish-laplace, exact", "markov-quilt-approx, sharp", "markov-quilt-approx, song2017")
_MOST = 8  # values for which all rules are quick
_LATE = "takes minutes for more than 8 values: calibrate FRAMEWORK --compare"


@dataclass(frozen=True)
class Asked:
    """A chain to fit, and the sequence that is asked about: sequences of labels, records."""

    data: str
    sequences: Sequence[Sequence[str]]
    length: int


def figure(name: str, folder: str | None) -> RecordedFigure:
    """Return all tables of an experiment. Raises `ModelError` unless its files are there."""
    with working(f"computing scales of {name}"):
        tables = [table_of(asked) for asked in steps(asked_of(name, folder), "tables")]
    answer = {"figure": name, "epsilons": LEVELS, "tables": tables, "files": []}
    return RecordedFigure.model_validate(answer)


def asked_of(name: str, folder: str | None) -> list[Asked]:
    """Return the chains of an experiment. Raises `ModelError` unless its files are there."""
    if name == WEATHER:
        wet = sources.weather("wet-days.csv", "day")
        kinds = sources.weather("weather.csv", "weather")
        return [
            Asked("Seattle, dry and wet days, a year of days", [wet], 365),
            Asked("Seattle, kinds of weather, 30 days", [kinds], 30),
        ]
    if name == ELECTRICITY:
        recordings = sources.electricity(folder)
        asked = ((2, 8760, "a year of hours"), (4, 168, "a week of hours"))
        return [
            _classed(recordings, k, length, f"ItalyPowerDemand, {k} levels, {said}")
            for k, length, said in (*asked, (51, 8760, "a year of hours"))
        ]
    every = sources.motion(folder)
    return [_classed([kind], 2, 500, f"BasicMotions, {kind.kind}, 2 levels, 50 seconds") for kind in every] + [
        _classed(every, 4, 200, "BasicMotions, all kinds, 4 levels, 20 seconds")
    ]


def _classed(recordings: Sequence[sources.Recording], classes: int, length: int, data: str) -> Asked:
    """Put readings into classes about as large as one another: the levels of one kind of motion are
    its own.
    """
    limits = sources.limits_of(recordings, classes)
    labels = [row for each in recordings for row in sources.labels_of(each, limits)]
    return Asked(data, labels, length)


def table_of(asked: Asked) -> JsonObject:
    """Return the scales of all rules, and what they are of."""
    flat = [label for row in asked.sequences for label in row]
    groups = [number for number, row in enumerate(asked.sequences) for _ in row]
    middle = asked.length // 2
    found = fit(flat, group=groups, length=asked.length, private=middle)
    loaded = loaded_of(found.document())
    chain = found.prior
    if not isinstance(chain, MarkovChain):
        raise TypeError("a fit of order 1 is a Markov chain")
    values = len(chain.transition)
    tasks = [Task(loaded, "histogram", Level.of_nats(each), False) for each in LEVELS]
    tasks = [tasks[0], *(tasks[0].at(task.level) for task in tasks[1:])]
    chosen = {way.name: way for way in ways() if way.name in _RULES}
    rows = [_row(said, chosen[name], tasks, values) for name, said in _RULES.items()]
    rows.append({"rule": ENTRY, "points": [_entry(task, values) for task in tasks]})
    return {
        "data": asked.data,
        "recorded": len(flat),
        "sequences": len(asked.sequences),
        "values": values,
        "records": asked.length,
        "private": middle,
        "transition": [[text_of(p) for p in row] for row in chain.transition],
        "rows": rows,
    }


def loaded_of(document: JsonObject) -> Loaded[FrameworkFile]:
    """Return a framework as if it were read from a file."""
    return Loaded(validated(FrameworkFile, document), "fitted", digest(str(document).encode()))


def _row(said: str, way: Way, tasks: Sequence[Task], values: int) -> JsonObject:
    """Return the scales of a rule; the worst case is a bound where no mechanism attains it."""
    points, decided = [], True
    for task in tasks:
        if values > _MOST and way.name in _SLOW:
            points.append(_said(task, None, _LATE))
            continue
        try:
            found = way.calibrated(task)
        except ModelError as error:
            points.append(_said(task, None, error.what))
            continue
        points.append(_said(task, found.enclosure(), None, values))
        if said == EXACT:
            decided = decided and found.details["translation"]["attained"] is not None
    return {"rule": said if decided else ABOVE, "points": points}


def _entry(task: Task, values: int) -> JsonObject:
    return _said(task, quotient(task.lipschitz, task.level).enclosure(), None, values)


def _said(task: Task, scale: Enclosure | None, reason: str | None, values: int = 0) -> JsonObject:
    """Return the scale, and of two values what noise of that scale leaks."""
    leaked = task.leakage(scale).leakage if scale is not None and values == 2 else None
    return {
        "epsilon": str(task.level),
        "scale": scale and scale.as_json(),
        "leakage": leaked and leaked.as_json(),
        "reason": reason,
    }
