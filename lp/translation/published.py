"""The published translation of per-record levels: b levels for the hidden records, and the
influence of the others.

If every mechanism spends epsilon_j on record j in all, then for every set H of b records the joint
release leaks at most the sum of its levels (group privacy along changes of one record, which needs
a domain with all sequences) plus what the records outside H tell of the secret. With the least set
for every pair that is at most the b largest levels plus a*(b), the influence curve, computed up to
b = 1,000, and 0 for all records.

Source: bai2026, Section 6.2, whose levels are equal for all records.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import isfinite, log

from flint import arb, ctx

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.sets import MOST_VALUES, Ends, box_bound, enclosed, orders, telling_chain
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import Enclosure, dyadic
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.priors.chains import IntervalChain, Rows
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.decision import united
from pufferproof.verify.influence.curves.framework import MOST_SEARCHED, influence_curve, points_along
from pufferproof.verify.influence.curves.point import CurvePoint, orders_of
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("general.translate", "general.group-privacy-paths", "bai2026.translate-repaired")
_FIRST = 64  # points of a curve that are computed at first, and how many more each time
_MOST = 1_000
# of networks with loops: points, and what a search may take
_FIRST_SEARCHED, _MOST_SEARCHED, _EFFORT, _PER_RECORD = 8, 32, 20_000, 32
UNTRIED = f"between {_MOST:,} and all hidden not tried"


@dataclass(frozen=True)
class PublishedTranslation:
    """A bound of the leakage with b records hidden: `leakage` has rational bounds of e to it, and
    `ends` levels that are its ends, None if the influence of the other records adds to them. It
    rests on `claims`.
    """

    hidden: int
    leakage: Leakage
    ends: Ends = (None, None)
    claims: tuple[str, ...] = field(default=RESTS_ON, kw_only=True, compare=False, repr=False)

    def enclosure(self) -> Enclosure:
        """Return the bound in nats."""
        return enclosed(self.leakage, self.ends)


def published_bounds(framework: Framework, levels: RecordLevels) -> list[PublishedTranslation]:
    """Return the finite bounds for b = 1, 2, .. as far as a larger b may give a smaller one; where
    that is beyond 1,000 the last one is that of all records, and `some_untried` says so.

    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (10, "0"), "one": (10, "1")}
    >>> framework = Framework.of_records(Records(20, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> bounds = published_bounds(framework, RecordLevels.uniform(20, ["0.2"]))
    >>> least(bounds).hidden
    7

    Raises `ModelError` as `influence_curve`.
    """
    count, largest = framework.expect_records().count, _Largest(levels)
    networks = framework.networks if framework.by_records else {}
    searched = bool(networks) and framework.expect_records().count > MOST_SEARCHED
    most, last = (_FIRST_SEARCHED, _MOST_SEARCHED) if searched else (_FIRST, _MOST)
    while True:
        most = min(most, count, last)
        points = _quick_points(framework, most) if searched else influence_curve(framework, most)
        bounds = [bound for point in points[1:] if (bound := _bound(point, largest)) is not None]
        enough = bool(bounds) and largest.first(most).bounds()[0] >= (least(bounds).leakage.upper or 0)
        if most == count or enough or (searched and most == last):
            return bounds
        if most == _MOST:
            total = largest.first(count)
            return [*bounds, PublishedTranslation(count, Leakage(*total.bounds()), (total, total))]
        most *= 2


@lru_cache(maxsize=4)  # the search for a level asks again and again, and no level changes them
def _quick_points(framework: Framework, most: int) -> list[CurvePoint]:
    records, asked = framework.expect_records(), orders_of(framework)
    points = points_along(framework.priors, records, asked, most, _EFFORT, _PER_RECORD)
    return influence_curve(framework, most) if points is None else points


def some_untried(bounds: Sequence[PublishedTranslation]) -> bool:
    """Say whether numbers of hidden records were left out that may have a smaller bound: those
    between 1,000 and all.
    """
    return bool(bounds) and bounds[-1].hidden > _MOST + 1


def least(bounds: Sequence[PublishedTranslation]) -> PublishedTranslation:
    """Return the least bound. Raises `ModelError` if there is none."""
    if not bounds:
        raise ModelError("no set of records leaves a finite influence", "priors")
    return min(bounds, key=lambda bound: bound.leakage.upper or Fraction(0))


def _bound(point: CurvePoint, largest: "_Largest") -> PublishedTranslation | None:
    if point.lower is None or point.upper is None:
        return None
    total = largest.first(point.b)
    low, high = total.bounds()
    ends = (None if point.lower > 1 else total, None if point.upper > 1 else total)
    leakage = Leakage(low * point.lower, high * point.upper)
    return PublishedTranslation(point.b, leakage, ends, claims=united(RESTS_ON, point.claims))


class _Largest:
    """The largest levels of records, summed."""

    def __init__(self, levels: RecordLevels) -> None:
        lengths = Counter[int]()
        for length, total in levels.runs:
            lengths[id(total)] += length
        runs = [(lengths[key], total) for key, total in levels.distinct.items()]
        self._runs = sorted(runs, key=lambda run: run[1].bounds()[1], reverse=True)

    def first(self, count: int) -> Total:
        """Return the sum of the largest `count` levels."""
        total, left = Total(Fraction(1), Fraction(0)), count
        for length, level in self._runs:
            taken = min(left, length)
            total, left = total + level.times(taken), left - taken
            if not left:
                break
        return total


# The chains of a box among which the worst case over all of it is found: of two values, stationary or seen at the
# first record, it is that of one of two corners. One has the least probabilities of changing from either value, as far
# as the box goes; the other has the largest ones.
#
# Of other boxes it is enclosed: some chains of the box leak as much as they do. Of two values the bound is that of a
# search for the worst chain, to 1e-6; else that of `sets` about the first record, the published one about others.

BOXES_RESTS_ON = ("worst.box-of-bits", "worst.box-sets", "classes.extremes", "general.quilt-account")
_MEMBERS = 4  # corners of a box that stand for it
CLAIM = "worst.box-of-bits"
SETS_CLAIMS = ("worst.power-closed", "worst.box-sets")
PUBLISHED_CLAIMS = ("general.quilt-account",)
SEARCH_CLAIMS = ("worst.power-closed", "classes.extremes")
_MOST_NATS = 500  # of all levels: beyond it floats overflow
_MOST_RECORDS = 20_000
_BITS = 256


@dataclass(frozen=True)
class BoxBound:
    """An upper bound of e to the worst case over boxes, and the claims that it rests on."""

    upper: Fraction | None
    claims: tuple[str, ...]


@dataclass(frozen=True)
class SearchedBoxes:
    """What is leaked at most under boxes of two values, and the worst chains that were found."""

    bound: BoxBound
    members: dict[str, dict[str, MarkovChain]]


def searched_boxes(framework: Framework, levels: RecordLevels) -> SearchedBoxes | None:
    """Return the worst of the boxes by a search for the worst chain, None unless they are of two
    values, from given or any laws, and levels are few enough for floats.
    """
    boxes = framework.boxes
    if any(box.states != 2 or box.initial == "stationary" for box in boxes.values()):
        return None
    if levels.count > _MOST_RECORDS:
        return None
    from pufferproof.verify.noise.classes.ends import column_bound  # with arrays

    known = [levels.at(record) for record in range(1, levels.count + 1)]
    spans = {each: _span(each) for each in set(known)}
    weights = [spans[each] for each in known]
    if not isfinite(most := sum(log(high) for _, high in weights)) or most > _MOST_NATS:
        return None
    upper, members = 0.0, {}
    for name, box in boxes.items():
        places = {record for _, record, *_ in orders(framework)}
        records = sorted(r for r in places if len(box.possible(r)) == 2)
        found = column_bound(box, weights, records) if records else None
        if found is not None:
            upper, members[name] = max(upper, found.upper), found.members
    if not members:
        return None
    with ctx.workprec(_BITS):
        most_ratio = dyadic(arb(upper).exp().upper())
    return SearchedBoxes(BoxBound(most_ratio, SEARCH_CLAIMS), members)


def _span(level: Total) -> tuple[float, float]:
    low, high = (level.rounded(upward=way).ratio for way in (False, True))
    return max(1.0, below(low)), above(high)


def has_corners(framework: Framework) -> bool:
    """Whether two corners of every box stand for all of it: two values, both of which are left and
    come back to, and a stationary law or secrets of the first record.
    """
    return all(
        box.states == 2
        and (_about_first(framework) or box.initial == "stationary")
        and all(0 < p < 1 for ends in (box.lower, box.upper) for row in _changing(box, ends) for p in row)
        for box in framework.boxes.values()
    )


def bound_of_boxes(framework: Framework, levels: RecordLevels) -> BoxBound:
    """Return a bound of the boxes alone: by sets of values, where secrets are of the first record,
    else the published one. Raises `ModelError` where there is none.
    """
    boxes = framework.boxes.values()
    if _about_first(framework) and all(box.states <= MOST_VALUES for box in boxes):
        values = {(one, other) for _, _, one, other in orders(framework)}
        bounds = [box_bound(box, levels, values) for box in boxes]
        finite = [bound for bound in bounds if bound is not None]
        return BoxBound(max(finite) if len(finite) == len(bounds) else None, SETS_CLAIMS)
    alone = framework.with_priors(framework.boxes)
    return BoxBound(least(published_bounds(alone, levels)).leakage.upper, PUBLISHED_CLAIMS)


def framework_of_some(framework: Framework, levels: RecordLevels, searched: SearchedBoxes | None) -> Framework:
    """Return the framework with some chains of every box in its place: corners, those that tell
    much about the values of secrets, and the worst ones that a search found.
    """
    some = framework.of_members(_MEMBERS)
    priors = dict(some.priors)
    if searched is not None:
        chosen = {name: searched.members.get(name, {}) for name in framework.classes}
        priors |= framework.of_members(chosen=chosen).priors
    values = dict.fromkeys((one, other) for _, _, one, other in orders(framework))
    for name, box in framework.boxes.items():
        if box.states <= MOST_VALUES:
            known = (telling_chain(box, levels, pair) for pair in values)
            chains = [each for each in known if each is not None and framework.fits(each)]
            priors |= {some.member(name, f"set {k}"): chain for k, chain in enumerate(chains, 1)}
    return framework.with_priors(priors)


def _about_first(framework: Framework) -> bool:
    return all(record == 1 for record, _ in framework.places.values())


def framework_of_corners(framework: Framework) -> Framework:
    """Return the framework with two chains of every box in its place.

    Args: framework: of which `has_corners` holds.
    """
    priors: dict[str, Prior] = {}
    for name, prior in framework.priors.items():
        if isinstance(prior, IntervalChain):
            matrices = [_changing(prior, ends) for ends in (prior.lower, prior.upper)]
            chains = {", ".join(f"{p} {q}" for p, q in matrix): prior.chain(matrix) for matrix in matrices}
            priors |= {framework.member(name, at): chain for at, chain in chains.items()}
        else:
            priors[name] = prior
    return framework.with_priors(priors)


def _changing(box: IntervalChain, ends: Rows) -> Rows:
    """Return the matrix whose probabilities of change are those of one end."""
    there, back = ends[0][1], ends[1][0]
    return (1 - there, there), (back, 1 - back)
