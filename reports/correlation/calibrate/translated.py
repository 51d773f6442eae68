"""What `calibrate` finds by translation: the level per record that keeps a promise, and the scale
that follows from it.

    published   Algorithms 1 and 2 of bai2026 as printed: the least level over the curve points
    best        the largest level over the points, bai2026, Section 6.4
    exact       the largest level whose worst mechanism keeps the promise

The first two use the influence curve, all of it or the points chosen; see
`verify/influence/curves/point.py`. Mechanisms that have a level per record keep it for all tables
over a product of values, so queries and utilities need a value for each of these.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import in_file
from pufferproof.models.noise.scale import NO_NOISE, Scale
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.text import JsonObject, rounded, text_of
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.reports.correlation.calibrate.answer import Calibration
from pufferproof.reports.correlation.calibrate.baselines import expect_positive
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.verify.decision import united
from pufferproof.verify.influence.curves.point import RESTS_ON as RULES_REST_ON
from pufferproof.verify.influence.curves.point import (
    CurvePoint,
    Translated,
    best,
    exceeds,
    group_privacy,
    printed,
    settled,
)

Rule = Literal["published", "best", "exact"]
RULES: tuple[Rule, ...] = get_args(Rule)
_FIRST = 64
_ALL_TABLES = "neighbours: all tables over a product of values, one record changed"
_NO_DEPENDENCE = "note: the release does not depend on the records, so it needs no noise"


@dataclass(frozen=True)
class Translation:
    """How a level is translated: by which rule, over which points of the curve (None: all of it),
    or for chains without ends.
    """

    rule: Rule
    points: tuple[int, ...] | None = None
    infinite: bool = False

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ModelError(f'expected one of {", ".join(RULES)}, found "{self.rule}"', "--translation")
        if self.infinite and self.rule != "exact":
            raise ModelError("needs --translation exact", "--infinite")
        if self.points is None:
            return
        if self.rule == "exact":
            raise ModelError("the exact translation uses no curve points", "--points")
        if not self.points:
            raise ModelError(_NO_POINTS[self.rule], "--points")


_NO_POINTS = {
    "published": "the printed algorithms return epsilon_DP = infinity without curve points, no "
    "noise at all, which keeps no level (claim bai2026.alg1): expected at least one point",
    "best": "expected at least one curve point, found none",
}


@dataclass(frozen=True)
class PerRecord:
    """A scale amount / epsilon_DP, and what there is to say of epsilon_DP."""

    scale: Scale
    told: JsonObject
    assumed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    claims: tuple[str, ...] = ()


def laplace(task: Task, translation: Translation) -> Calibration:
    """Calibrate Laplace noise: its scale is L / epsilon_DP."""
    lipschitz = task.lipschitz
    changes = f"the query changes by at most {text_of(lipschitz)} (L1) when one record does"
    details: JsonObject = {"lipschitz": text_of(lipschitz)}
    if not lipschitz:
        return Calibration(NO_NOISE, [changes], None, details, [_NO_DEPENDENCE])
    made = per_record(task, translation, lipschitz)
    details |= {"translation": made.told}
    assumed = [*made.assumed, changes]
    return Calibration(made.scale, assumed, None, details, made.notes, claims=made.claims)


def per_record(task: Task, translation: Translation, amount: Fraction) -> PerRecord:
    """Return amount / epsilon_DP by a rule. Raises `ModelError` where it gives no level."""
    expect_positive(task)
    if translation.rule == "exact":
        return _exact(task, translation, amount)
    if translation.rule == "published":
        points = _points(task, translation)
        chosen = printed(points, task.level, task.records.count, amount)
    else:
        points, chosen = _best(task, translation, amount)
    whole = translation.rule == "published" and translation.points is None
    details = {
        "rule": translation.rule,
        "per_record": _level(chosen.scale, amount).as_json(),
        "hidden": chosen.point and chosen.point.b,
        "points": [*range(task.records.count + 1)] if whole else [point.b for point in points],
        "records": task.records.count,
        "claims": list(RULES_REST_ON),
    }
    notes = _notes(task, points, amount, chosen)
    claims = united(RULES_REST_ON, *(point.claims for point in points))
    return PerRecord(chosen.scale, details, [_ALL_TABLES], notes, claims)


def _notes(task: Task, points: list[CurvePoint], amount: Fraction, chosen: Translated) -> list[str]:
    """Say where a rule asks for more noise than its own points need, as the printed one may."""
    least = best(points, task.level, amount)
    if least is None or least.point is None or not exceeds(chosen.scale, least.scale):
        return []
    return [
        "note: the printed rule takes the least level of its points (claim bai2026.alg1); "
        f"b = {least.point.b} alone, as --translation best has it, needs less noise"
    ]


def _level(scale: Scale, amount: Fraction) -> Enclosure:
    """Return epsilon_DP = amount / scale in nats."""
    if not scale.lower or not scale.upper:
        raise ModelError("expected a finite scale", "epsilon")
    return enclose(amount / scale.upper, amount / scale.lower)


def _points(task: Task, translation: Translation) -> list[CurvePoint]:
    """Return the points of the curve that a rule uses: those chosen, or all that count."""
    count = task.records.count
    if translation.points is None:
        return _that_count(task)
    for b in translation.points:
        if not 0 <= b <= count:
            raise ModelError(f"expected from 0 to {count} hidden records, found {b}", "--points")
    curve = task.curve(max(translation.points))
    return [curve[b] for b in sorted(set(translation.points))]


def _that_count(task: Task) -> list[CurvePoint]:
    """Return the first points of the curve that count, and its last, a(n) = 0."""
    count, most = task.records.count, _FIRST
    while most < count:
        points = task.curve(most)
        if settled(points[-1], task.level, count):
            return [*points, CurvePoint(count, Bounds.none())]
        most *= 2
    return task.curve(count)


def _best(task: Task, translation: Translation, amount: Fraction) -> tuple[list[CurvePoint], Translated]:
    """Return the largest level over the points, (epsilon - a(b)) / b <= epsilon / b."""
    if translation.points is not None:
        points = _points(task, translation)
        chosen = best(points, task.level, amount)
        if chosen is None:
            raise ModelError(_none(task, points), "--points")
        return points, chosen
    count, most = task.records.count, _FIRST
    while True:
        most = min(most, count)
        points = task.curve(most)
        chosen = best(points, task.level, amount)
        if chosen is not None and _enough(task, most, amount, chosen):
            return points, chosen
        if chosen is None and most >= count:
            raise ModelError(_none(task, points), "--epsilon")
        most *= 2


def _enough(task: Task, most: int, amount: Fraction, chosen: Translated) -> bool:
    least = group_privacy(most, task.level, amount).lower
    return most >= task.records.count or (
        least is not None and chosen.scale.upper is not None and least >= chosen.scale.upper
    )


def _none(task: Task, points: list[CurvePoint]) -> str:
    """Say that no level per record is shown to keep the promise, and what the exact one is."""
    shown = ", ".join(f"a({point.b})" for point in points[:4]) + (", .." if points[4:] else "")
    said = f"{shown} >= epsilon: by these points no level per record keeps it, however much noise"
    try:
        from pufferproof.lp.translation.largest_level import largest_level

        nats = largest_level(task.framework, task.level).enclosure()
    except ModelError:
        return said
    return f"{said}; --translation exact has {rounded(nats.lower)} nats for every record"


def _exact(task: Task, translation: Translation, amount: Fraction) -> PerRecord:
    from pufferproof.lp.translation import largest_level as levels
    from pufferproof.reports.correlation.translate.answer import claims_of

    with in_file(task.loaded.path):
        search = levels.largest_endless_level if translation.infinite else levels.largest_level
        largest = search(task.framework, task.level)
    worst = largest.worst
    details = {
        "rule": "exact",
        "per_record": largest.enclosure().as_json(),
        "hidden": None,
        "points": None,
        "records": "infinite" if translation.infinite else task.records.count,
        "worst": worst and worst.leakage.as_json(),
        "attained": worst and worst.attained,
        "claims": claims_of(worst),
    }
    by = "an upper bound, which no mechanism is known to attain"
    if worst is None:
        by = "exact, over stationary chains of any length"
    elif worst.exact:
        by = "exact, over all mechanisms of that level"
    claims = united(levels.RESTS_ON, claims_of(worst))
    assumed = [_ALL_TABLES, f"worst case: {by}"]
    return PerRecord(largest.scale(amount), details, assumed, claims=claims)
