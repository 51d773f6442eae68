"""What `calibrate --compare` answers: the scales of all mechanisms that apply to a framework, a
query and a level, what that noise really leaks, and why a mechanism does not apply.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.noise.scale import Scale
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_most, rounded
from pufferproof.reports.console.words import level_nats
from pufferproof.reports.correlation.calibrate import baselines
from pufferproof.reports.correlation.calibrate import baselines as translated
from pufferproof.reports.correlation.calibrate import task as answer
from pufferproof.reports.correlation.calibrate.baselines import RULES, Translation
from pufferproof.reports.correlation.calibrate.task import Calibration, Task
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.scale.calibration import Progress

Calibrated = Callable[[Task], Calibration]
CLAIMS = {  # the statement behind each method
    "wasserstein": "wang2016.thm-3.2",
    "kantorovich": "noise.plan-farthest",
    "plan-mean": "noise.plan-mean",
    "markov-quilt": "wang2016.thm-4.4",
    "markov-quilt-approx, song2017": "song2017.lem-II3",
    "markov-quilt-approx, wang2016": "wang2016.lem-4.7",
    "markov-quilt-approx, sharp": "general.spectral-influence",
    "pufferfish-laplace, published": "bai2026.alg1",
    "pufferfish-laplace, best": "bai2026.translate-repaired",
    "pufferfish-laplace, exact": "worst.chain-interior",
    "gk16": "influence.gk16",
    "bdp-general": "general.group-privacy-paths",
    "bdp-markov": "influence.bdp-chain",
    "bdp-gaussian": "normal.bdp",
    "group-dp": "general.group-privacy-paths",
}
# of the literature, whose conditions the table says
BASELINES = "gk16", "bdp-general", "bdp-markov", "bdp-gaussian", "group-dp"
_LEVELS = [Fraction(10) ** k * m for k in (-2, -1, 0) for m in (1, 2, 5)] + [Fraction(10)]


@dataclass(frozen=True)
class Way:
    """A mechanism with one of its options, and how it is calibrated."""

    mechanism: str
    option: str | None
    calibrated: Calibrated

    @property
    def name(self) -> str:
        """The mechanism and its option."""
        return _named(self.mechanism, self.option)


def _named(mechanism: str, option: str | None) -> str:
    return mechanism if option is None else f"{mechanism}, {option}"


def ways() -> list[Way]:
    """Return all mechanisms that add Laplace noise, with all their options."""
    bounds = [
        Way("markov-quilt-approx", bound, partial(answer.approximate_quilts, bound=bound)) for bound in answer.BOUNDS
    ]
    rules = [
        Way("pufferfish-laplace", rule, partial(translated.laplace, translation=Translation(rule))) for rule in RULES
    ]
    return [
        Way("wasserstein", None, answer.wasserstein),
        Way("kantorovich", None, answer.kantorovich),
        Way("plan-mean", None, answer.plan_mean),
        Way("markov-quilt", None, answer.least_of_records),
        *bounds,
        *rules,
        Way("gk16", None, baselines.inferential),
        Way("bdp-general", None, baselines.general),
        Way("bdp-markov", None, baselines.bayesian),
        Way("group-dp", None, baselines.group),
    ]


@dataclass(frozen=True)
class ComparedScale(Plain):
    """The scale of a mechanism and the exact leakage of its noise, or why there is none."""

    mechanism: str
    option: str | None
    scale: Enclosure | None
    exact: str | None = None
    leakage: Leakage | None = None
    reason: str | None = None
    assumed: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    _json = ("mechanism", "option", "scale", "exact", "leakage", "reason", "assumed")

    @property
    def name(self) -> str:
        """The mechanism and its option."""
        return _named(self.mechanism, self.option)


def compared(
    task: Task, progress: Progress | None = None, say: Callable[[str], None] | None = None
) -> list[ComparedScale]:
    """Return an entry for every mechanism, and at the end the least scale that keeps the level; say
    which is computed, and how many are done.

    Raises `ModelError` at level 0, which no noise keeps.
    """
    baselines.expect_positive(task)
    rows, every = [], ways()
    for number, way in enumerate(every):
        if say is not None:
            say(f"comparing: {way.name}, {number} of {len(every) + 1} done")
        rows.append(_row(task, way))
    return [*rows, _tight(task, rows, progress)]


def _row(task: Task, way: Way) -> ComparedScale:
    try:
        calibration = way.calibrated(task)
        scale = calibration.enclosure()
    except ModelError as error:
        return ComparedScale(way.mechanism, way.option, None, reason=error.what)
    leaked, assumed = task.leakage(scale), tuple(calibration.assumed)
    told = calibration.scale.text, leaked.leakage, leaked.reason, assumed
    claims = united(calibration.claims, leaked.claims)
    return ComparedScale(way.mechanism, way.option, scale, *told, claims)


def _tight(task: Task, rows: list[ComparedScale], progress: Progress | None) -> ComparedScale:
    scales = [row.scale for row in rows if row.scale is not None]
    if (reason := task.unknown()) is not None:
        return ComparedScale("tight", None, None, reason=reason)
    start = min(scales, key=lambda scale: exact(scale.upper), default=Enclosure("1", "1"))
    try:
        scale = task.tight(start, progress)
        leaked = task.leakage(scale)
    except ModelError as error:
        return ComparedScale("tight", None, None, reason=error.what)
    claims = united(task.tight_rests_on, leaked.claims)
    return ComparedScale("tight", None, scale, None, leaked.leakage, claims=claims)


def lines(rows: list[ComparedScale], level: Level) -> list[str]:
    """Return the table, and below it what does not apply."""
    named = [(row.name, row) for row in rows]
    width = max(len(name) for name, _ in named)
    head = f"{'mechanism':{width}}  {'scale':14}  leakage (nats), of a level of {level_nats(level)}"
    lines_told = [head]
    for name, row in named:
        if row.scale is None:
            lines_told.append(f"{name:{width}}  {'none':14}  {row.reason}")
            continue
        leakage = row.reason if row.leakage is None else rounded(row.leakage.enclosure().upper)
        lines_told.append(f"{name:{width}}  {at_most(row.scale.upper, 10):14}  {leakage}")
    conditions = [
        f"assumed   {name}: {said}"
        for name, row in named
        if row.mechanism in BASELINES
        for said in row.assumed[:-1]  # the last is said of every mechanism
    ]
    return [*lines_told, *conditions]


@dataclass(frozen=True)
class ScaleCurve:
    """The scales of a mechanism over levels, in nats, or None if it has none."""

    name: str
    scales: list[float | None]


def levels(asked: Level) -> list[Level]:
    """Return levels from a hundredth to ten nats, with the one asked for."""
    nats = exact(asked.enclosure().lower)
    grid = [Level.of_nats(each) for each in sorted({*_LEVELS}) if each != nats]
    return sorted([*grid, asked], key=lambda level: float(level.enclosure().lower))


def curves(task: Task, grid: list[Level], say: Callable[[str], None]) -> Iterator[ScaleCurve]:
    """Return the scales of all mechanisms over levels, and say which is computed."""
    for way in ways():
        say(f"drawing: {way.name}")
        yield ScaleCurve(way.name, [_scale_approx(way, task.at(level)) for level in grid])


def _scale_approx(way: Way, task: Task) -> float | None:
    try:
        scale: Scale = way.calibrated(task).scale
    except ModelError:
        return None
    return None if scale.upper is None else float(scale.upper)
