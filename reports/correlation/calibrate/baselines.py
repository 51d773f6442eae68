"""What `calibrate` finds by bounds of the literature that look at little of a prior: how many
records depend on one another, how much they influence one another, or their transitions.

    group-dp      all records are one group
    bdp-general   m records that depend on one another are a group
    gk16          sums of influences
    bdp-markov    the largest and the least transition probability

That for normal records, `bdp-gaussian`, is in `points.py`.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import in_file
from pufferproof.models.noise.inferential import InfluenceMatrix
from pufferproof.models.noise.scale import NO_NOISE, Scale, quotient
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, rounded, text_of
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import PriorClass
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.reports.console.words import counted
from pufferproof.reports.correlation.calibrate.task import Calibration, Task, task_records
from pufferproof.verify.decision import united
from pufferproof.verify.influence.curves.point import (
    GROUP_RESTS_ON,
    CurvePoint,
    Translated,
    best,
    exceeds,
    group_privacy,
    printed,
    settled,
)
from pufferproof.verify.influence.curves.point import RESTS_ON as RULES_REST_ON

BAYESIAN_RESTS_ON = ("influence.bdp-chain",)


def group(task: Task) -> Calibration:
    """Calibrate for records that may depend on one another in any way: the scale is n L /
    epsilon.
    """
    expect_positive(task)
    scale = group_privacy(task.records.count, task.level, task.lipschitz)
    assumed = ["nothing of how records depend on one another"]
    details = {"lipschitz": text_of(task.lipschitz)}
    return Calibration(scale, [*assumed, _changes(task)], None, details, claims=GROUP_RESTS_ON)


def general(task: Task) -> Calibration:
    """Calibrate for groups of records that may depend on one another in any way: the scale is
    m L / epsilon, m the size of the largest group.

    Other groups are independent of the secret, so that their law is the same given both values, and
    one group changes by a path of m records (claim general.group-privacy-paths). A group is what
    the arrows of a network join, whatever their direction: known records may make parents depend
    on one another. Source: arXiv 2506.21308, the general bound.
    """
    expect_positive(task)
    task_records(task)
    sizes = {name: _largest_group(prior, task.records) for name, prior in task.priors.items()}
    scale = group_privacy(max(sizes.values()), task.level, task.lipschitz)
    assumed = [
        f'groups under "{name}": at most {counted(size, "record")}, independent of one another'
        for name, size in sizes.items()
    ]
    details: JsonObject = {"lipschitz": text_of(task.lipschitz)}
    return Calibration(scale, [*assumed, _changes(task)], None, details, claims=GROUP_RESTS_ON)


def _largest_group(prior: Prior | PriorClass, records: Records) -> int:
    """Return how many records a prior joins at most: all of them unless it says which."""
    import networkx as nx

    if isinstance(prior, MarkovChain | PriorClass):
        return records.count
    network = network_of(prior, records)
    if network is None:
        return records.count
    graph = nx.Graph()
    graph.add_nodes_from(range(1, records.count + 1))
    graph.add_edges_from((parent, child) for child, above in enumerate(network.parents, 1) for parent in above)
    return max(map(len, nx.connected_components(graph)))


def inferential(task: Task) -> Calibration:
    """Calibrate by GK16: the scale is 2 L max_i sum_j phi_ij / epsilon, the largest of the priors.

    Raises `ModelError` unless the influence matrix of every prior has a spectral norm below 1.
    """
    expect_positive(task)
    wanted = task_records(task) or range(1, task.records.count + 1)
    scales, assumed = [], []
    for name, prior in task.priors.items():
        with in_file(task.loaded.path):
            if name in task.classes:
                raise ModelError("expected one prior, found a class of priors", f"priors.{name}")
            matrix = InfluenceMatrix.of(prior, task.records)
        norm = at_most(enclose(*matrix.norm).upper, 6)
        if matrix.norm[1] >= 1:
            said = f'the influence matrix under "{name}" has spectral norm {norm}'
            raise ModelError(f"{said}, and GK16 is for less than 1", f"priors.{name}")
        sums = matrix.largest_sum(wanted)
        least, most = (quotient(2 * task.lipschitz * each, task.level) for each in sums)
        text = most.text if sums[0] == sums[1] else None
        scales.append(Scale(least.lower, most.upper, text))
        assumed.append(f'spectral norm of the influence matrix under "{name}": {norm}, below 1')
    largest = max(scales, key=lambda scale: scale.upper or 0)
    details = {"lipschitz": text_of(task.lipschitz)}
    return Calibration(largest, [*assumed, _changes(task)], None, details)


def bayesian(task: Task) -> Calibration:
    """Calibrate by a bound of Bayesian privacy on Markov chains: the scale is
    L / (epsilon - 4 log(P / p)), P and p being the largest and the least transition probability.

    Claim influence.bdp-chain, by which 3 log(P / p) are enough as long as no record is known.
    Source: the function count_active_bdp_markov_chain_boun of
    github.com/lange-martin/privacy-utility-bdp, the code of arXiv 2506.21308.

    Raises `ModelError` unless priors are Markov chains without zeros, and epsilon is larger.
    """
    expect_positive(task)
    task_records(task)
    scales, assumed = [], []
    for name, prior in task.priors.items():
        where = f"priors.{name}"
        with in_file(task.loaded.path):
            if not isinstance(prior, MarkovChain):
                raise ModelError("expected a Markov chain: the bound uses its transitions", where)
            chances = [each for row in prior.transition for each in row]
            if not min(chances):
                raise ModelError("expected transitions that are all possible, found a zero", where)
            ratio = max(chances) / min(chances)
            scale = quotient(task.lipschitz, task.level, Bounds(ratio**4, ratio**4))
            if scale.infinite:
                least = at_most(Level(f"log({text_of(ratio**4)})").enclosure().upper, 6)
                said = f'transitions under "{name}" tell {least} nats by this bound, whatever noise'
                raise ModelError(f"{said} is added: expected a level above", where)
        scales.append(scale)
        assumed.append(f'transitions under "{name}" differ by a factor of {text_of(ratio)} at most')
    largest = max(scales, key=lambda scale: scale.upper or 0)
    details = {"lipschitz": text_of(task.lipschitz)}
    return Calibration(largest, [*assumed, _changes(task)], None, details, claims=BAYESIAN_RESTS_ON)


def not_normal(task: Task) -> Calibration:
    """Raise `ModelError`: the bound by correlations is for normal records."""
    with in_file(task.loaded.path):
        name = next(iter(task.priors))
        raise ModelError('expected a "gaussian" prior without "box": the bound uses correlations', f"priors.{name}")


def _changes(task: Task) -> str:
    return f"the query changes by at most {text_of(task.lipschitz)} (L1) when one record does"


def expect_positive(task: Task) -> None:
    """Raise `ModelError` at level 0."""
    if task.level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "--epsilon")


# What `calibrate` finds by translation: the level per record that keeps a promise, and the scale that follows from it.
#
#     published   Algorithms 1 and 2 of bai2026 as printed: the least level over the curve points
#     best        the largest level over the points, bai2026, Section 6.4
#     exact       the largest level whose worst mechanism keeps the promise
#
# The first two use the influence curve, all of it or the points chosen; see `verify/influence/curves/point.py`.
# Mechanisms that have a level per record keep it for all tables over a product of values, so queries and utilities
# need a value for each of these.

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
    # epsilon_DP = amount / scale in nats
    scale = chosen.scale
    if not scale.lower or not scale.upper:
        raise ModelError("expected a finite scale", "epsilon")
    level = enclose(amount / scale.upper, amount / scale.lower)
    details = {
        "rule": translation.rule,
        "per_record": level.as_json(),
        "hidden": chosen.point and chosen.point.b,
        "points": [*range(task.records.count + 1)] if whole else [point.b for point in points],
        "records": task.records.count,
        "claims": list(RULES_REST_ON),
    }
    # a rule may ask for more noise than its own points need, as the printed one does
    least = best(points, task.level, amount)
    if least is None or least.point is None or not exceeds(chosen.scale, least.scale):
        notes = []
    else:
        notes = [
            "note: the printed rule takes the least level of its points (claim bai2026.alg1); "
            f"b = {least.point.b} alone, as --translation best has it, needs less noise"
        ]
    claims = united(RULES_REST_ON, *(point.claims for point in points))
    return PerRecord(chosen.scale, details, [_ALL_TABLES], notes, claims)


def _points(task: Task, translation: Translation) -> list[CurvePoint]:
    """Return the points of the curve that a rule uses: those chosen, or all that count."""
    count = task.records.count
    if translation.points is None:
        # the first points of the curve that count, and its last, a(n) = 0
        count, most = task.records.count, _FIRST
        while most < count:
            points = task.curve(most)
            if settled(points[-1], task.level, count):
                return [*points, CurvePoint(count, Bounds.none())]
            most *= 2
        return task.curve(count)
    for b in translation.points:
        if not 0 <= b <= count:
            raise ModelError(f"expected from 0 to {count} hidden records, found {b}", "--points")
    curve = task.curve(max(translation.points))
    return [curve[b] for b in sorted(set(translation.points))]


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
        from pufferproof.lp.translation.translate import largest_level

        nats = largest_level(task.framework, task.level).enclosure()
    except ModelError:
        return said
    return f"{said}; --translation exact has {rounded(nats.lower)} nats for every record"


def _exact(task: Task, translation: Translation, amount: Fraction) -> PerRecord:
    from pufferproof.lp.translation import translate as levels
    from pufferproof.reports.correlation.translate import claims_of

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
    claims = united(levels.LARGEST_LEVEL_RESTS_ON, claims_of(worst))
    assumed = [_ALL_TABLES, f"worst case: {by}"]
    return PerRecord(largest.scale(amount), details, assumed, claims=claims)
