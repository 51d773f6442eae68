"""What `calibrate --compare` answers for normal records that are not truncated: published ways to
calibrate Laplace noise on a linear query, beside the least.

`pufferfish-laplace` has one level l for a unit of every record, of which all of c makes
l sum_j |c_j| nats a unit of the secret one; the query needs noise of scale (max_j sum_k |A_kj|) / l
for it. The others need records with bounds, or readings that hide what they show.
"""

from dataclasses import replace
from fractions import Fraction

from pufferproof.models.noise.scale import Scale, quotient
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.reports.correlation.calibrate.comparison import Compared
from pufferproof.reports.correlation.calibrate.points import PointTask
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.normal.points import PointLeakage
from pufferproof.verify.noise.normal.translation import RESTS_ON as LEVELS_REST_ON
from pufferproof.verify.noise.normal.translation import translated
from pufferproof.verify.noise.scale.calibration import Progress

_NONE = {
    "markov-quilt": "what correlated normal records show changes the odds without bound",
    "gk16": "it needs an influence that is finite, as for markov-quilt",
    "group-dp": "normal records have no bounds, so that a query has no finite sensitivity",
}


def compared_at_points(
    task: PointTask, level: Level, progress: Progress | None = None
) -> list[Compared]:
    """Return an entry for every mechanism, and at the end the least scale that keeps the level.

    Raises `ModelError` at level 0, unless no noise is needed.
    """
    calibration = task.laplace(level)
    rows = [
        _row(task, "wasserstein", None, calibration.scale, tuple(calibration.assumed)),
        replace(
            _row(task, "pufferfish-laplace", "exact", quotient(_per_record(task), level), ()),
            claims=LEVELS_REST_ON,
        ),
        *(Compared(name, None, None, reason=reason) for name, reason in _NONE.items()),
    ]
    tight = task.tight(level, progress)
    least = Compared("tight", None, tight, None, _leakage(task.leakage(tight)))
    return [*rows, replace(least, claims=calibration.claims)]


def _row(
    task: PointTask, name: str, option: str | None, scale: Scale, assumed: tuple[str, ...]
) -> Compared:
    ends = scale.enclosure()
    return Compared(name, option, ends, scale.text, _leakage(task.leakage(ends)), None, assumed)


def _per_record(task: PointTask) -> Fraction:
    """Return what the scale is times epsilon: what a level of 1 for every record makes, between the
    farthest ends of windows, times the most that a unit of a record moves the query.
    """
    every = [(Fraction(1), Fraction(1))] * task.loaded.value.count
    reached = max(shift.distance for shift in translated(task.loaded.value, every))
    moved = max(sum(map(abs, column), Fraction(0)) for column in zip(*task.query.rows))
    return reached * moved


def _leakage(found: PointLeakage | None) -> Leakage | None:
    """Return a finite leakage by bounds of e to it, None without noise."""
    if found is None:
        return None
    if found.ratio is not None:
        return Leakage.of(found.ratio)
    ends = found.enclosure()
    lower, upper = (exp_bounds(exact(end), 80) for end in (ends.lower, ends.upper))
    return Leakage(max(lower[0], Fraction(1)), upper[1])
